//! The database: opening it, reading, writing, and what follows when its file fails.
//!
//! ```text
//! values    key ──► version (8 bytes) · written at, ns since 1970 (8 bytes) · the value
//! counts    "sequence" ──► the version of the last change    "bytes" ──► what the quota counts
//! ```
//!
//! Writers come one after the other, and each is done within one call: nobody holds the writer while a client thinks. A commit is
//! on the disk before it is answered, in two phases, since clients choose what is written and could otherwise try to make a half
//! commit look whole.
//!
//! When the file fails (a full disk), the database refuses all that follows. Then it is opened anew, and the transactions that
//! were open are over. If it is not known whether the commit that failed was kept, the sequence says so afterwards.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use redb::backends::FileBackend;
use redb::{
    Builder, CommitError, Database, DatabaseError, ReadOnlyDatabase, ReadOnlyTable, ReadTransaction,
    ReadableDatabase, ReadableTable, StorageError, Table, TableDefinition, TableError, TransactionError,
    WriteTransaction,
};

use crate::fault;
use crate::kv::{Error, Info, Reason};
use crate::running::Running;
use crate::span::Span;
use crate::{Access, Clock, Mutex, OpenError};

/// Bytes of memory that the database keeps pages in.
const CACHE_BYTES: usize = 64 << 20;
/// Bytes that one call goes over at most.
pub(crate) const STEP_BYTES: usize = 1 << 20;
/// What an entry counts beside its key and value.
pub(crate) const ENTRY_BYTES: usize = 64;
/// Bytes before the value.
const HEAD_BYTES: usize = 16;

const VALUES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("carnet.kv.values");
const COUNTS: TableDefinition<&str, u64> = TableDefinition::new("carnet.kv.counts");
const SEQUENCE: &str = "sequence";
const BYTES: &str = "bytes";

/// An open database.
pub(crate) enum Handle {
    Write(Database),
    Read(ReadOnlyDatabase),
}

impl Handle {
    fn begin_read(&self) -> Result<ReadTransaction, TransactionError> {
        match self {
            Handle::Write(database) => database.begin_read(),
            Handle::Read(database) => database.begin_read(),
        }
    }
}

/// Opens the database, the first time and after a failure.
pub(crate) type Opener = Box<dyn Fn() -> Result<Handle, OpenError> + Send + Sync>;

/// Opens the file at `path`; makes it if it may be changed and is not there.
pub(crate) fn open_file(path: &Path, access: Access) -> Result<Handle, OpenError> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(OpenError::Directory),
        Ok(found) if !found.is_file() => return Err(OpenError::NoFile),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let write = access == Access::ReadWrite;
    let file =
        OpenOptions::new().read(true).write(write).create(write).truncate(false).mode(0o600).open(path)?;
    let handle = with_backend(FileBackend::new(file)?, access)?;
    if write {
        // A new file's name must be on the disk, too, before anything in it is acknowledged.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(handle)
}

/// Checks every page: the file may have been changed by others, and what is not checked is trusted.
pub(crate) fn with_backend(backend: impl redb::StorageBackend, access: Access) -> Result<Handle, OpenError> {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES).set_check_integrity_on_open(access == Access::ReadWrite);
    match access {
        Access::ReadWrite => {
            let database = builder.create_with_backend(backend)?;
            make_tables(&database)?;
            Ok(Handle::Write(database))
        }
        Access::ReadOnly => {
            let handle = Handle::Read(builder.open_read_only_with_backend(backend)?);
            View::of(&handle).map_err(|_| OpenError::OtherTables)?;
            Ok(handle)
        }
    }
}

fn make_tables(database: &Database) -> Result<(), OpenError> {
    let mut change = database.begin_write().map_err(StorageError::from_any)?;
    let is_new = change.list_tables()?.next().is_none();
    change.set_two_phase_commit(true);
    if !is_new
        && !change
            .list_tables()?
            .any(|table| redb::TableHandle::name(&table) == redb::TableHandle::name(&VALUES))
    {
        return Err(OpenError::OtherTables);
    }
    let opened = change.open_table(VALUES).and_then(|_| change.open_table(COUNTS).map(drop));
    opened.map_err(|_| OpenError::OtherTables)?;
    if is_new { change.commit().map_err(StorageError::from_any) } else { change.abort() }?;
    Ok(())
}

/// What the steps of a transaction of the database can fail with, as the one error below all of them.
trait FromAny<E> {
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

/// All that is stored at one moment.
pub(crate) struct View {
    values: ReadOnlyTable<&'static [u8], &'static [u8]>,
    /// The last change that it shows.
    pub(crate) sequence: u64,
}

impl View {
    fn of(handle: &Handle) -> Result<View, StorageError> {
        let read = handle.begin_read().map_err(StorageError::from_any)?;
        let counts = read.open_table(COUNTS).map_err(StorageError::from_any)?;
        let sequence = ReadableTable::get(&counts, SEQUENCE)?.map_or(0, |count| count.value());
        let values = read.open_table(VALUES).map_err(StorageError::from_any)?;
        Ok(View { values, sequence })
    }

    /// The entry of `key`, if there is one.
    pub(crate) fn get<T>(
        &self,
        key: &[u8],
        show: impl FnOnce(Stored<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let found = ReadableTable::get(&self.values, key).map_err(|error| fault::storage(&error))?;
        found.map(|entry| Stored::read(key, entry.value()).and_then(show)).transpose()
    }

    /// Shows the entries of `span` to `each`, until that wants no more or a call has done enough; whether those were all.
    pub(crate) fn page(
        &self,
        span: &Span,
        mut each: impl FnMut(&[u8], Stored<'_>) -> Went,
    ) -> Result<bool, Error> {
        let Some(bounds) = span.bounds() else { return Ok(true) };
        let failed = |error| fault::storage(&error);
        let mut passed = 0;
        for entry in ReadableTable::range::<&[u8]>(&self.values, bounds).map_err(failed)? {
            let (key, value) = entry.map_err(failed)?;
            if passed >= STEP_BYTES
                || each(key.value(), Stored::read(key.value(), value.value())?) == Went::Full
            {
                return Ok(false);
            }
            passed += key.value().len() + value.value().len() + ENTRY_BYTES;
        }
        Ok(true)
    }

    /// The first entry of `span`: its key, and the bytes that were gone over.
    pub(crate) fn first(&self, span: &Span) -> Result<Option<(Vec<u8>, usize)>, Error> {
        let mut first = None;
        self.page(span, |key, stored| {
            if first.is_some() {
                return Went::Full;
            }
            first = Some((key.to_vec(), key.len() + stored.value.len() + ENTRY_BYTES));
            Went::On
        })?;
        Ok(first)
    }
}

/// Whether a page takes more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Went {
    On,
    Full,
}

/// An entry as it is stored.
#[derive(Clone, Copy)]
pub(crate) struct Stored<'a> {
    pub(crate) version: u64,
    pub(crate) modified: i64,
    pub(crate) value: &'a [u8],
}

impl<'a> Stored<'a> {
    fn read(key: &[u8], bytes: &'a [u8]) -> Result<Stored<'a>, Error> {
        let damaged = || fault::of_key(Reason::Damaged, key, "is damaged in the database");
        let (version, rest) = bytes.split_first_chunk().ok_or_else(damaged)?;
        let (modified, value) = rest.split_first_chunk().ok_or_else(damaged)?;
        Ok(Stored { version: u64::from_le_bytes(*version), modified: i64::from_le_bytes(*modified), value })
    }

    pub(crate) fn info(&self) -> Info {
        let (size, version) = (self.value.len() as i64, self.version.cast_signed());
        Info { size, modified: self.modified, version }
    }
}

/// A write to the database, while it is made.
pub(crate) struct Change<'t> {
    values: Table<'t, &'static [u8], &'static [u8]>,
    /// The version of what it writes.
    pub(crate) sequence: u64,
    bytes: u64,
    now: i64,
}

impl Change<'_> {
    /// The entry of `key`, if there is one.
    pub(crate) fn get<T>(
        &self,
        key: &[u8],
        show: impl FnOnce(Stored<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let found = self.values.get(key).map_err(|error| fault::storage(&error))?;
        found.map(|entry| Stored::read(key, entry.value()).and_then(show)).transpose()
    }

    /// The version of `key`, 0 if it is not there.
    pub(crate) fn version(&self, key: &[u8]) -> Result<u64, Error> {
        Ok(self.get(key, |stored| Ok(stored.version))?.unwrap_or(0))
    }

    /// Puts or deletes; whether there was such a key.
    pub(crate) fn set(&mut self, key: &[u8], value: Option<&[u8]>) -> Result<bool, Error> {
        let failed = |error| fault::storage(&error);
        let old = match value {
            Some(value) => {
                let mut bytes = Vec::with_capacity(HEAD_BYTES + value.len());
                bytes.extend(self.sequence.to_le_bytes());
                bytes.extend(self.now.to_le_bytes());
                bytes.extend(value);
                self.bytes += cost(key, HEAD_BYTES + value.len());
                self.values.insert(key, &*bytes)
            }
            None => self.values.remove(key),
        };
        let old = old.map_err(failed)?.map(|old| old.value().len());
        self.bytes = self.bytes.saturating_sub(old.map_or(0, |len| cost(key, len)));
        Ok(old.is_some())
    }
}

fn cost(key: &[u8], stored: usize) -> u64 {
    (key.len() + stored - HEAD_BYTES.min(stored) + ENTRY_BYTES) as u64
}

/// One database, for all portals on it.
pub(crate) struct Engine {
    open: Opener,
    /// None after a failure, until it is opened anew.
    handle: Mutex<Option<Arc<Handle>>>,
    quota: u64,
    clock: Clock,
    pub(crate) running: Running,
}

impl Engine {
    pub(crate) fn new(open: Opener, quota: u64, clock: Clock, running: Running) -> Result<Engine, OpenError> {
        let handle = Mutex::new(Some(Arc::new(open()?)));
        Ok(Engine { open, handle, quota, clock, running })
    }

    /// What is stored now.
    pub(crate) fn view(&self) -> Result<View, Error> {
        let handle = self.handle()?;
        View::of(&handle).map_err(|error| self.failed(&handle, &error))
    }

    /// Makes a change, or none of it if `change` fails. It is on the disk afterwards.
    pub(crate) fn write<T>(
        &self,
        change: impl FnOnce(&mut Change<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.running.end_expired();
        let handle = self.handle()?;
        let Handle::Write(database) = &*handle else { return Err(read_only()) };
        let failed = |error| self.failed(&handle, &error);
        let mut write = database.begin_write().map_err(StorageError::from_any).map_err(failed)?;
        write.set_two_phase_commit(true);
        let (value, sequence) = match self.change(&write, change) {
            Ok(made) => made,
            Err(error) => {
                drop(write);
                if matches!(error.kind, Reason::NoSpace | Reason::Io) {
                    self.close(&handle);
                }
                return Err(error);
            }
        };
        match write.commit().map_err(StorageError::from_any) {
            Ok(()) => Ok(value),
            Err(error) => match self.open_anew(handle) {
                Some(kept) if kept == sequence => Ok(value),
                Some(_) => Err(fault::storage(&error)),
                None => Err(fault::unknown(&error)),
            },
        }
    }

    /// Opens the database anew after a commit that failed: the last change that was kept. Nobody writes in between, who would be given
    /// the same sequence. None if it cannot be known.
    #[cold]
    fn open_anew(&self, failed: Arc<Handle>) -> Option<u64> {
        self.running.end_all();
        let mut handle = self.handle.lock();
        let own = handle.take_if(|handle| Arc::ptr_eq(handle, &failed))?;
        drop((own, failed));
        let opened = handle.insert(Arc::new((self.open)().ok()?));
        View::of(opened).ok().map(|view| view.sequence)
    }

    fn change<T>(
        &self,
        write: &WriteTransaction,
        change: impl FnOnce(&mut Change<'_>) -> Result<T, Error>,
    ) -> Result<(T, u64), Error> {
        let failed = |error| fault::storage(&error);
        let values = write.open_table(VALUES).map_err(StorageError::from_any).map_err(failed)?;
        let mut counts = write.open_table(COUNTS).map_err(StorageError::from_any).map_err(failed)?;
        let count = |name| Ok(counts.get(name)?.map_or(0, |count| count.value()));
        let (last, before) = (count(SEQUENCE).map_err(failed)?, count(BYTES).map_err(failed)?);
        let sequence = last.checked_add(1).filter(|next| i64::try_from(*next).is_ok());
        let sequence = sequence.ok_or_else(|| fault::of_store(Reason::Damaged, "has no more versions"))?;
        let mut made = Change { values, sequence, bytes: before, now: self.now() };
        let value = change(&mut made)?;
        if made.bytes > self.quota && made.bytes > before {
            return Err(self.over_quota(made.bytes, before));
        }
        counts.insert(SEQUENCE, sequence).map_err(failed)?;
        counts.insert(BYTES, made.bytes).map_err(failed)?;
        Ok((value, sequence))
    }

    #[cold]
    fn over_quota(&self, bytes: u64, before: u64) -> Error {
        let quota = self.quota;
        let text = format!(
            "was not changed: it would hold {bytes} bytes instead of {before}, of a quota of {quota}"
        );
        fault::of_store(Reason::Quota, text)
    }

    /// Nanoseconds since 1970.
    fn now(&self) -> i64 {
        let since = (self.clock)().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    }

    fn handle(&self) -> Result<Arc<Handle>, Error> {
        let mut handle = self.handle.lock();
        if let Some(handle) = &*handle {
            return Ok(Arc::clone(handle));
        }
        let opened = (self.open)().map_err(|error| {
            fault::of_store(Reason::Io, format_args!("had failed, and cannot be opened anew: {error}"))
        })?;
        Ok(Arc::clone(handle.insert(Arc::new(opened))))
    }

    /// Says what failed, and closes what can no longer be used.
    #[cold]
    fn failed(&self, handle: &Arc<Handle>, error: &StorageError) -> Error {
        self.close(handle);
        fault::storage(error)
    }

    fn close(&self, failed: &Arc<Handle>) {
        // What they have seen holds the file.
        self.running.end_all();
        let mut handle = self.handle.lock();
        if handle.as_ref().is_some_and(|handle| Arc::ptr_eq(handle, failed)) {
            *handle = None;
        }
    }
}

#[cold]
pub(crate) fn read_only() -> Error {
    fault::of_store(Reason::ReadOnly, "cannot be changed: it is served for reading only")
}

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

/// A clock of the system.
pub(crate) fn system_clock() -> Clock {
    Arc::new(SystemTime::now)
}
