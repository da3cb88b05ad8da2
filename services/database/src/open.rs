//! Opening a database file, and making a new one.

use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use redb::backends::FileBackend;
use redb::{
    Builder, CommitError, DatabaseError, ReadOnlyDatabase, ReadTransaction, ReadableDatabase, ReadableTable,
    StorageError, TableDefinition, TableError, TableHandle, TransactionError,
};
use thiserror::Error;

use crate::view::View;

/// Bytes of memory that a database keeps pages in.
const CACHE_BYTES: usize = 64 << 20;

const FORMAT: &str = "format";
pub(crate) const SEQUENCE: &str = "sequence";
pub(crate) const BYTES: &str = "bytes";
const IDENTITY: &str = "identity";

/// Whether what is stored may be changed through a portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reading only; every operation that would change something fails.
    ReadOnly,
    /// Reading and writing.
    ReadWrite,
}

/// What a service's files look like.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Name of the table of entries.
    pub entries: &'static str,
    /// Name of the table of counts.
    pub counts: &'static str,
    /// What entries mean; files that do not say so have 1.
    pub format: u64,
    /// What an entry counts beside its key and value, for the quota.
    pub entry_bytes: u64,
}

impl Layout {
    pub(crate) fn entries(&self) -> TableDefinition<'static, &'static [u8], &'static [u8]> {
        TableDefinition::new(self.entries)
    }

    pub(crate) fn counts(&self) -> TableDefinition<'static, &'static str, u64> {
        TableDefinition::new(self.counts)
    }

    fn check(&self, counts: &impl ReadableTable<&'static str, u64>) -> Result<(), OpenError> {
        match counts.get(FORMAT)?.map_or(1, |format| format.value()) {
            found if found == self.format => Ok(()),
            found => Err(OpenError::Format { found, expected: self.format }),
        }
    }
}

/// Why a database cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// A directory.
    #[error("it is a directory")]
    Directory,
    /// A device, pipe or socket.
    #[error("it is no regular file")]
    NoFile,
    /// Another kind of file.
    #[error("it is not a database of this service")]
    NoDatabase,
    /// A database that another program made.
    #[error("it is a database of another program")]
    OtherTables,
    /// A database that another version of this service made.
    #[error("its format is {found}, and this version of the service has {expected}")]
    Format {
        /// The file's.
        found: u64,
        /// Ours.
        expected: u64,
    },
    /// Another process has it.
    #[error("another process has opened it")]
    Locked,
    /// It was not closed in order, and is to be opened for reading only.
    #[error("the process that wrote it was killed, and it must be repaired first")]
    NeedsRepair,
    /// It was changed by others.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// What the system says.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// An open database.
pub enum Handle {
    /// For reading and writing.
    Write(redb::Database),
    /// For reading only.
    Read(ReadOnlyDatabase),
}

impl Handle {
    pub(crate) fn begin_read(&self) -> Result<ReadTransaction, TransactionError> {
        match self {
            Handle::Write(database) => database.begin_read(),
            Handle::Read(database) => database.begin_read(),
        }
    }
}

/// Opens the database, the first time and after a failure.
pub type Opener = Box<dyn Fn() -> Result<Handle, OpenError> + Send + Sync>;

/// Opens the file at `path`; makes it if it may be changed and is not there.
///
/// # Errors
/// Why it cannot be opened.
pub fn open_file(path: &Path, access: Access, layout: &Layout) -> Result<Handle, OpenError> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(OpenError::Directory),
        Ok(found) if !found.is_file() => return Err(OpenError::NoFile),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let write = access == Access::ReadWrite;
    let file =
        OpenOptions::new().read(true).write(write).create(write).truncate(false).mode(0o600).open(path)?;
    let handle = with_backend(FileBackend::new(file)?, access, layout)?;
    if write {
        // A new file's name must be on the disk, too, before anything in it is acknowledged.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(handle)
}

/// Opens what lies elsewhere than in a file. Checks every page: the file may have been changed by others, and what is not checked is
/// trusted.
///
/// # Errors
/// Why it cannot be opened.
pub fn with_backend(
    backend: impl redb::StorageBackend,
    access: Access,
    layout: &Layout,
) -> Result<Handle, OpenError> {
    // Of some of what others can have changed, the library panics.
    let opened = panic::catch_unwind(AssertUnwindSafe(|| checked(backend, access, layout)));
    opened.unwrap_or_else(|_| Err(OpenError::Damaged("its pages contradict each other".to_owned())))
}

fn checked(backend: impl redb::StorageBackend, access: Access, layout: &Layout) -> Result<Handle, OpenError> {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES).set_check_integrity_on_open(access == Access::ReadWrite);
    match access {
        Access::ReadWrite => {
            let database = builder.create_with_backend(backend)?;
            make_tables(&database, layout)?;
            Ok(Handle::Write(database))
        }
        Access::ReadOnly => {
            let handle = Handle::Read(builder.open_read_only_with_backend(backend)?);
            View::of(&handle, layout).map_err(|_| OpenError::OtherTables)?;
            let read = handle.begin_read().map_err(StorageError::from_any)?;
            layout.check(&read.open_table(layout.counts()).map_err(StorageError::from_any)?)?;
            Ok(handle)
        }
    }
}

fn make_tables(database: &redb::Database, layout: &Layout) -> Result<(), OpenError> {
    let mut change = database.begin_write().map_err(StorageError::from_any)?;
    let mut is_new = change.list_tables()?.next().is_none();
    change.set_two_phase_commit(true);
    if !is_new && !change.list_tables()?.any(|table| table.name() == layout.entries) {
        return Err(OpenError::OtherTables);
    }
    {
        let opened = change.open_table(layout.entries()).and_then(|_| change.open_table(layout.counts()));
        let mut counts = opened.map_err(|_| OpenError::OtherTables)?;
        if is_new {
            counts.insert(FORMAT, layout.format)?;
        }
        layout.check(&counts)?;
        if counts.get(IDENTITY)?.is_none() {
            // Of this kind there are keys of hash tables, which the system chooses.
            counts.insert(IDENTITY, RandomState::new().hash_one(0))?;
            is_new = true;
        }
    }
    if is_new { change.commit().map_err(StorageError::from_any) } else { change.abort() }?;
    Ok(())
}

/// What tells a database from others, if it has been served for writing since there is such a thing.
pub(crate) fn identity(handle: &Handle, layout: &Layout) -> Result<Option<u64>, StorageError> {
    let read = handle.begin_read().map_err(StorageError::from_any)?;
    let counts = read.open_table(layout.counts()).map_err(StorageError::from_any)?;
    Ok(ReadableTable::get(&counts, IDENTITY)?.map(|identity| identity.value()))
}

/// What the steps of a transaction of the database can fail with, as the one error below all of them.
pub(crate) trait FromAny<E> {
    fn from_any(error: E) -> StorageError;
}

macro_rules! from_any {
    ($error:ident) => {
        impl FromAny<$error> for StorageError {
            fn from_any(error: $error) -> StorageError {
                match error {
                    $error::Storage(error) => error,
                    other => StorageError::Corrupted(other.to_string()),
                }
            }
        }
    };
}
from_any!(TransactionError);
from_any!(TableError);
from_any!(CommitError);

impl From<DatabaseError> for OpenError {
    fn from(error: DatabaseError) -> OpenError {
        match error {
            DatabaseError::DatabaseAlreadyOpen | DatabaseError::LockProtocolMismatch => OpenError::Locked,
            DatabaseError::RepairAborted => OpenError::NeedsRepair,
            DatabaseError::UpgradeRequired(_) => OpenError::NoDatabase,
            DatabaseError::Storage(error) => error.into(),
            DatabaseError::TransactionInProgress => OpenError::Locked,
            other => OpenError::Io(io::Error::other(other)),
        }
    }
}

impl From<StorageError> for OpenError {
    fn from(error: StorageError) -> OpenError {
        match error {
            StorageError::Io(error) if error.kind() == io::ErrorKind::InvalidData => OpenError::NoDatabase,
            StorageError::Io(error) => OpenError::Io(error),
            StorageError::Corrupted(what) => OpenError::Damaged(what),
            other => OpenError::Io(io::Error::other(other)),
        }
    }
}
