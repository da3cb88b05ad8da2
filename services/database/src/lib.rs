//! One database file of a service: opening it, reading, writing, its quota, and what follows when its file fails.
//!
//! ```text
//! entries   key, bytes ──► value, bytes: what they mean is the service's
//! counts    "format" ──► 1    "sequence" ──► the number of the last change    "bytes" ──► what the quota counts
//! ```
//!
//! The database is [redb](https://docs.rs/redb): one file, copy-on-write B-trees, any number of readers beside one writer. Writers come
//! one after the other, and each is done within one call: nobody holds the writer while a client thinks. A change is on the disk
//! before it is answered, in two phases, since clients choose what is written and could otherwise try to make a half commit look whole.
//!
//! When the file fails (a full disk), the database refuses all that follows. Then it is opened anew. If it is not known whether the
//! change that failed was kept, the sequence says so afterwards.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Database`], [`View`], [`Change`] | reading all of one moment; writing all or nothing |
//! | [`open_file`], [`with_backend`], [`Layout`], [`OpenError`] | what is opened, and why it cannot be |
//! | [`Fault`] | what went wrong with what is open |
//!
//! It knows no service and no interface.

mod fault;
mod open;
mod view;

use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use redb::{ReadableTable, StorageError, Table, WriteTransaction};

pub use fault::Fault;
pub use open::{Access, Handle, Layout, OpenError, Opener, open_file, with_backend};
use open::{BYTES, FromAny, SEQUENCE};
pub use view::{Bounds, Entries, Entry, View};

/// What tells the time of changes.
pub type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// The clock of the system.
#[must_use]
pub fn system_clock() -> Clock {
    Arc::new(SystemTime::now)
}

/// A change of the database, while it is made.
pub struct Change<'t> {
    entries: Table<'t, &'static [u8], &'static [u8]>,
    /// The number of this change; no other has it.
    pub sequence: u64,
    /// When it is made, in ns since 1970.
    pub now: i64,
    bytes: u64,
    entry_bytes: u64,
    /// Whether the file failed under it.
    is_broken: Cell<bool>,
}

impl Change<'_> {
    /// What `show` makes of the value of `key`, if there is one.
    ///
    /// # Errors
    /// If it cannot be read, or `show` fails.
    pub fn get<T, E: From<Fault>>(
        &self,
        key: &[u8],
        show: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        let found = self.entries.get(key).map_err(|error| self.failed(&error))?;
        found.map(|value| show(value.value())).transpose()
    }

    /// Puts or deletes; whether there was such a key.
    ///
    /// # Errors
    /// If the file fails.
    pub fn set(&mut self, key: &[u8], value: Option<&[u8]>) -> Result<bool, Fault> {
        let (entry_bytes, is_broken) = (self.entry_bytes, &self.is_broken);
        let cost = |len: usize| (key.len() + len) as u64 + entry_bytes;
        let old = match value {
            Some(value) => {
                self.bytes = self.bytes.saturating_add(cost(value.len()));
                self.entries.insert(key, value)
            }
            None => self.entries.remove(key),
        };
        let old = old.map_err(|error| broken(is_broken, &error))?.map(|old| old.value().len());
        self.bytes = self.bytes.saturating_sub(old.map_or(0, cost));
        Ok(old.is_some())
    }

    #[cold]
    fn failed(&self, error: &StorageError) -> Fault {
        broken(&self.is_broken, error)
    }
}

fn broken(is_broken: &Cell<bool>, error: &StorageError) -> Fault {
    let fault = Fault::from(error);
    // What is damaged stays so when it is opened anew.
    is_broken.set(is_broken.get() || !matches!(fault, Fault::Damaged(_)));
    fault
}

/// One database, for all portals on it.
pub struct Database {
    open: Opener,
    layout: Layout,
    /// None after a failure, until it is opened anew.
    handle: Mutex<Option<Arc<Handle>>>,
    quota: u64,
    clock: Clock,
    before_close: Box<dyn Fn() + Send + Sync>,
}

impl Database {
    /// Opens it. `quota` bounds what may be stored: keys, values, and what the layout says for each entry.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn new(open: Opener, layout: Layout, quota: u64, clock: Clock) -> Result<Database, OpenError> {
        let handle = Mutex::new(Some(Arc::new(open()?)));
        Ok(Database { open, layout, handle, quota, clock, before_close: Box::new(|| ()) })
    }

    /// With what is done before it is closed after a failure: who holds a [`View`] holds the file.
    #[must_use]
    pub fn before_close(self, before_close: impl Fn() + Send + Sync + 'static) -> Database {
        Database { before_close: Box::new(before_close), ..self }
    }

    /// What is stored now.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn view(&self) -> Result<View, Fault> {
        let handle = self.handle()?;
        View::of(&handle, &self.layout).map_err(|error| {
            self.close(&handle);
            Fault::from(&error)
        })
    }

    /// Makes a change, or none of it if `change` fails. It is on the disk afterwards.
    ///
    /// # Errors
    /// Those of `change`, and what keeps it from being made.
    pub fn write<T, E: From<Fault>>(
        &self,
        change: impl FnOnce(&mut Change<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let handle = self.handle()?;
        let Handle::Write(database) = &*handle else { return Err(Fault::ReadOnly.into()) };
        let closed = |error: &StorageError| {
            self.close(&handle);
            Fault::from(error)
        };
        let mut write =
            database.begin_write().map_err(StorageError::from_any).map_err(|error| closed(&error))?;
        write.set_two_phase_commit(true);
        let is_broken = Cell::new(false);
        let (value, sequence) = match self.change(&write, &is_broken, change) {
            Ok(made) => made,
            Err(error) => {
                drop(write);
                if is_broken.get() {
                    self.close(&handle);
                }
                return Err(error);
            }
        };
        match write.commit().map_err(StorageError::from_any) {
            Ok(()) => Ok(value),
            Err(error) => match self.open_anew(handle) {
                Some(kept) if kept == sequence => Ok(value),
                Some(_) => Err(Fault::from(&error).into()),
                None => Err(Fault::Unknown(error.to_string()).into()),
            },
        }
    }

    fn change<T, E: From<Fault>>(
        &self,
        write: &WriteTransaction,
        is_broken: &Cell<bool>,
        change: impl FnOnce(&mut Change<'_>) -> Result<T, E>,
    ) -> Result<(T, u64), E> {
        let failed = |error: StorageError| broken(is_broken, &error);
        let entries = write.open_table(self.layout.entries()).map_err(StorageError::from_any);
        let counts = write.open_table(self.layout.counts()).map_err(StorageError::from_any);
        let (entries, mut counts) = (entries.map_err(failed)?, counts.map_err(failed)?);
        let count = |name| counts.get(name).map(|count| count.map_or(0, |count| count.value()));
        let (last, before) = (count(SEQUENCE).map_err(failed)?, count(BYTES).map_err(failed)?);
        let sequence = last.checked_add(1).filter(|next| i64::try_from(*next).is_ok());
        let sequence =
            sequence.ok_or_else(|| Fault::Damaged("it has no more numbers of changes".to_owned()))?;
        let mut made = Change {
            entries,
            sequence,
            now: self.now(),
            bytes: before,
            entry_bytes: self.layout.entry_bytes,
            is_broken: Cell::new(false),
        };
        let value = change(&mut made).inspect_err(|_| is_broken.set(made.is_broken.get()))?;
        let (bytes, quota) = (made.bytes, self.quota);
        if bytes > quota && bytes > before {
            return Err(Fault::Quota { bytes, before, quota }.into());
        }
        counts.insert(SEQUENCE, sequence).map_err(failed)?;
        counts.insert(BYTES, bytes).map_err(failed)?;
        Ok((value, sequence))
    }

    /// Opens the database anew after a commit that failed: the last change that was kept. Nobody writes in between, who would be given
    /// the same sequence. None if it cannot be known.
    #[cold]
    fn open_anew(&self, failed: Arc<Handle>) -> Option<u64> {
        (self.before_close)();
        let mut handle = self.lock();
        let own = handle.take_if(|handle| Arc::ptr_eq(handle, &failed))?;
        drop((own, failed));
        let opened = handle.insert(Arc::new((self.open)().ok()?));
        View::of(opened, &self.layout).ok().map(|view| view.sequence)
    }

    /// Nanoseconds since 1970.
    fn now(&self) -> i64 {
        let since = (self.clock)().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    }

    fn handle(&self) -> Result<Arc<Handle>, Fault> {
        let mut handle = self.lock();
        if let Some(handle) = &*handle {
            return Ok(Arc::clone(handle));
        }
        let opened = (self.open)().map_err(|error| Fault::Closed(error.to_string()))?;
        Ok(Arc::clone(handle.insert(Arc::new(opened))))
    }

    #[cold]
    fn close(&self, failed: &Arc<Handle>) {
        (self.before_close)();
        let mut handle = self.lock();
        if handle.as_ref().is_some_and(|handle| Arc::ptr_eq(handle, failed)) {
            *handle = None;
        }
    }

    /// A panic elsewhere leaves nothing half done in what is kept there.
    fn lock(&self) -> MutexGuard<'_, Option<Arc<Handle>>> {
        self.handle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
