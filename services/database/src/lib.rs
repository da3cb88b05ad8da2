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
//! When the file fails (a full disk), the database refuses all that follows. Then it is opened anew, as soon as nobody reads from it any
//! more. If it is not known whether the change that failed was kept, the sequence says so afterwards.
//!
//! [`Durability::Memory`] is for what may be lost: a change is answered when it is in memory, and is on the disk with the first one that
//! comes a second later, or when the database is closed. A process that is killed leaves all changes up to one of these moments.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Database`], [`View`], [`Change`], [`Durability`] | reading all of one moment; writing all or nothing |
//! | [`open_file`], [`with_backend`], [`Layout`], [`OpenError`] | what is opened, and why it cannot be |
//! | [`Fault`] | what went wrong with what is open |
//!
//! It knows no service and no interface.

mod fault;
mod gate;
mod open;
mod view;

use std::cell::Cell;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use redb::{ReadableTable, StorageError, Table, WriteTransaction};

pub use fault::Fault;
use gate::{Gate, Opened};
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

/// When a change is on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Before it is answered.
    #[default]
    Disk,
    /// Later: with the first change that comes [`BEHIND`] after the last one that is, or when the database is closed.
    Memory,
}

/// How far what is on the disk is behind what was answered, at most, while changes are made, with [`Durability::Memory`].
pub const BEHIND: Duration = Duration::from_secs(1);
/// Changes that are in memory alone, at most: the file does not use the place again of what they replace.
const BEHIND_MAX: u64 = 10_000;

/// How long a call waits for others to let a file go that failed.
const PATIENCE: Duration = Duration::from_secs(5);

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

/// The file of a database.
enum OneFile {
    Open(Arc<Opened>),
    /// It failed, and the next one who needs it opens it anew.
    Closed,
    /// Somebody does.
    Opening,
}

impl OneFile {
    fn is(&self, opened: &Arc<Opened>) -> bool {
        matches!(self, OneFile::Open(open) if Arc::ptr_eq(open, opened))
    }
}

/// One database, for all portals on it.
pub struct Database {
    open: Opener,
    layout: Layout,
    file: Mutex<OneFile>,
    /// Told when it is no longer [`OneFile::Opening`].
    settled: Condvar,
    gate: Arc<Gate>,
    durability: Durability,
    /// When a change was put on the disk last, in ns since 1970, and how many came since.
    behind: Mutex<(i64, u64)>,
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
        let (gate, nobody) = (Arc::new(Gate::default()), || ());
        let opened = gate.open(PATIENCE, &nobody, &open).unwrap_or(Err(OpenError::Locked))?;
        Ok(Database {
            open,
            layout,
            file: Mutex::new(OneFile::Open(Arc::new(opened))),
            settled: Condvar::new(),
            gate,
            durability: Durability::Disk,
            behind: Mutex::default(),
            quota,
            clock,
            before_close: Box::new(nobody),
        })
    }

    /// With changes that are on the disk then.
    #[must_use]
    pub fn durability(self, durability: Durability) -> Database {
        Database { durability, ..self }
    }

    /// What tells this database from others, whatever its file is called. It was made with it.
    ///
    /// # Errors
    /// Why nobody can say that it is the same later: what follows "which".
    pub fn identity(&self) -> Result<u64, String> {
        if self.durability == Durability::Memory {
            return Err("keeps changes in memory, which may be lost".to_owned());
        }
        let unread = |fault: Fault| format!("cannot be read: {fault}");
        let handle = self.handle().map_err(unread)?;
        let found = handle.handle().and_then(|handle| open::identity(handle, &self.layout));
        let found = found.map_err(|error| {
            self.close(&handle);
            unread(Fault::from(&error))
        })?;
        found.ok_or_else(|| {
            "has no identity yet, since it was never served for writing by this version".to_owned()
        })
    }

    /// Has all on the disk that was answered.
    ///
    /// # Errors
    /// If it cannot be written; then it is not known how much of it is there.
    pub fn flush(&self) -> Result<(), Fault> {
        if self.behind.lock().unwrap_or_else(PoisonError::into_inner).1 == 0 {
            return Ok(());
        }
        let handle = self.handle()?;
        let Ok(Handle::Write(database)) = handle.handle() else { return Ok(()) };
        let mut write =
            database.begin_write().map_err(|error| Fault::from(&StorageError::from_any(error)))?;
        write.set_two_phase_commit(true);
        write.commit().map_err(|error| Fault::from(&StorageError::from_any(error)))?;
        self.put_behind(false);
        Ok(())
    }

    /// With what is done before it is closed after a failure: who holds a [`View`] holds the file, and is to let it go. It is called
    /// until the last one has.
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
        View::held(&handle, &self.layout).map_err(|error| {
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
        let database = match handle.handle() {
            Ok(Handle::Write(database)) => database,
            Ok(Handle::Read(_)) => return Err(Fault::ReadOnly.into()),
            Err(error) => return Err(Fault::from(&error).into()),
        };
        let closed = |error: &StorageError| {
            self.close(&handle);
            Fault::from(error)
        };
        let mut write =
            database.begin_write().map_err(StorageError::from_any).map_err(|error| closed(&error))?;
        let is_behind = self.is_behind();
        match is_behind {
            false => write.set_two_phase_commit(true),
            // It fails for who has savepoints.
            true => {
                write.set_durability(redb::Durability::None).map_err(|error| Fault::Io(error.to_string()))?
            }
        }
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
            Ok(()) => {
                self.put_behind(is_behind);
                Ok(value)
            }
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

    /// Whether a change that is made now need not be on the disk yet.
    fn is_behind(&self) -> bool {
        let (since, changes) = *self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        // The clock may have been set back.
        let passed = self.now().checked_sub(since).and_then(|passed| u64::try_from(passed).ok());
        let is_soon = passed.is_some_and(|passed| Duration::from_nanos(passed) < BEHIND);
        self.durability == Durability::Memory && changes < BEHIND_MAX && is_soon
    }

    /// A change was made; whether it is in memory alone.
    fn put_behind(&self, is_behind: bool) {
        let mut behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        *behind = if is_behind { (behind.0, behind.1 + 1) } else { (self.now(), 0) };
    }

    /// Opens the database anew after a commit that failed: the last change that was kept. Nobody writes in between, who would be given
    /// the same sequence. None if it cannot be known.
    #[cold]
    fn open_anew(&self, failed: Arc<Opened>) -> Option<u64> {
        let own = {
            let mut file = self.lock();
            if !file.is(&failed) {
                return None;
            }
            std::mem::replace(&mut *file, OneFile::Opening)
        };
        drop((own, failed));
        let mut last = None;
        let opened = self.open_again(|opened| {
            let view = opened.handle().and_then(|handle| View::of(handle, &self.layout));
            last = view.ok().map(|view| view.sequence);
        });
        opened.ok().and(last)
    }

    /// Opens it when nobody reads or writes what failed any more, for who has said that he does. `look` looks at it first.
    #[cold]
    fn open_again(&self, look: impl FnOnce(&Opened)) -> Result<Arc<Opened>, Fault> {
        // No lock is held: who lets the file go may say that it failed.
        let opened = self.gate.open(PATIENCE, &*self.before_close, &self.open);
        let opened = match opened {
            Some(opened) => opened.map(Arc::new).map_err(|error| Fault::Closed(error.to_string())),
            None => Err(Fault::Failed),
        };
        if let Ok(opened) = &opened {
            look(opened);
        }
        *self.lock() = match &opened {
            Ok(opened) => OneFile::Open(Arc::clone(opened)),
            Err(_) => OneFile::Closed,
        };
        self.settled.notify_all();
        opened
    }

    /// Nanoseconds since 1970.
    fn now(&self) -> i64 {
        let since = (self.clock)().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    }

    fn handle(&self) -> Result<Arc<Opened>, Fault> {
        let mut file = self.lock();
        if let OneFile::Opening = *file {
            let is_opening = |file: &mut OneFile| matches!(file, OneFile::Opening);
            let waited = self.settled.wait_timeout_while(file, 2 * PATIENCE, is_opening);
            file = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        match &*file {
            OneFile::Open(opened) => return Ok(Arc::clone(opened)),
            OneFile::Opening => return Err(Fault::Failed),
            OneFile::Closed => *file = OneFile::Opening,
        }
        drop(file);
        self.open_again(|_| ())
    }

    #[cold]
    fn close(&self, failed: &Arc<Opened>) {
        (self.before_close)();
        let mut file = self.lock();
        if file.is(failed) {
            *file = OneFile::Closed;
        }
    }

    /// A panic elsewhere leaves nothing half done in what is kept there.
    fn lock(&self) -> MutexGuard<'_, OneFile> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
