//! What runs that write do, and what they came to, in files that survive the process: killed at any moment, it is not killed in the
//! middle of a store or of a system call, so that what was stored before is there. They need not survive the machine.
//!
//! ```text
//! DIR/journal       mapped: key, which file of outcomes counts and how much of it; then one place for each run
//! DIR/outcomes.N    how runs ended, one after the other
//! DIR/programs/H    bytecode of the programs that places name
//! DIR/kept/S        runs that stopped and can go on
//!
//! run begins ─► place ─► before each writing call: that it begins; behind it: that it came back ─► outcome ─► place is free
//! ```
//!
//! What is found in a place when the server begins again was under way when it ended. At most one call of each is in doubt: the
//! one that began and did not come back.
//!
//! | file | what it is |
//! | --- | --- |
//! | `journal/record.rs` | the place of a run, as its machine writes it, and as it is found |
//! | `journal/log.rs` | outcomes |
//! | `journal/shelf.rs` | programs |
//! | `journal/kept.rs` | runs that stopped |
//! | `journal/line.rs` | how far back outcomes are remembered |
//!
//! What is damaged is told and nothing is changed: whoever repairs or removes the directory decides what is lost.

mod kept;
mod line;
mod log;
mod record;
mod shelf;

use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use carnet_memory::Mapping;

use crate::bill::Hash;
use crate::digest::Digest;
use log::Log;
use record::{PLACE_BYTES, Pin};
use shelf::Shelf;

pub(crate) use kept::Kept;
pub(crate) use line::Line;
pub(crate) use log::Entry;
pub(crate) use record::{Call, CallEnd, Last, Left, Record, Resumed, Who, text, told};

/// `carnet-j`, and the version of all these files.
const MAGIC: u64 = u64::from_le_bytes(*b"carnet-j");
const VERSION: u64 = 6;
/// Bytes before the first place.
const HEADER_BYTES: usize = 4096;
/// What is in the header, each a word.
mod at {
    pub(super) const MAGIC: usize = 0;
    pub(super) const VERSION: usize = 8;
    pub(super) const PLACES: usize = 16;
    pub(super) const KEY: usize = 24;
    /// Which file of outcomes counts, and how much of it.
    pub(super) const COMMITTED: usize = 32;
    /// The outcome that is being written, or that none is. Between them is what `line` has.
    pub(super) const WRITING: usize = 112;
}

/// Bits of the number of places in its word.
const PLACES_BITS: u32 = 32;

/// Why there is no journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Another process has it.
    #[error("another server uses it")]
    InUse,
    /// It was written by another version.
    #[error("its files are of version {0}, and this server knows version {VERSION}")]
    Version(u64),
    /// A file is not as it was left.
    #[error("{file} {why}")]
    Damaged {
        /// Its name.
        file: String,
        /// What is wrong.
        why: String,
    },
    /// Runs were under way when the last server ended, and this one cannot tell what became of them.
    #[error("cannot tell what became of runs that were under way: {0}")]
    NotServed(String),
    /// The system's answer.
    #[error("{file}: {error}")]
    System {
        /// Its name.
        file: String,
        /// What it said.
        error: io::Error,
    },
}

/// How much there may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Runs that are under way or kept.
    pub(crate) places: usize,
    /// Programs that no run needs at the moment.
    pub(crate) programs: usize,
    /// Bytes of these.
    pub(crate) program_bytes: usize,
}

/// The files of one server.
#[derive(Debug)]
pub(crate) struct Journal {
    mapping: Mapping,
    /// Held locked.
    _file: File,
    key: u64,
    /// Of the next run.
    serial: AtomicU64,
    free: Mutex<Vec<usize>>,
    log: Mutex<Log>,
    shelf: Mutex<Shelf>,
    dir: PathBuf,
    /// What is kept stays for the next server.
    is_closed: AtomicBool,
}

/// What was there when a server began.
#[derive(Debug)]
pub(crate) struct Found {
    /// Outcomes, oldest first; several of a run that went on after it had stopped.
    pub(crate) ended: Vec<Entry>,
    /// Runs that were under way.
    pub(crate) left: Vec<Left>,
    /// Runs of which the last server has kept a file.
    pub(crate) kept: HashSet<u64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn system(file: &str) -> impl FnOnce(io::Error) -> JournalError {
    let file = file.to_owned();
    move |error| JournalError::System { file, error }
}

fn damaged(file: impl Into<String>, why: impl Into<String>) -> JournalError {
    JournalError::Damaged { file: file.into(), why: why.into() }
}

fn wrong_line() -> JournalError {
    damaged("journal", "is not as it was left: how far back it remembers")
}

/// A file that its owner alone may read.
fn open(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// The files of a server as they were left, read and not changed; nobody else has them.
#[derive(Debug)]
pub(crate) struct Files {
    dir: PathBuf,
    /// Held locked.
    file: File,
    key: u64,
    words: line::Words,
    /// None if there is none yet.
    log: Option<Log>,
    /// The next run's.
    serial: u64,
    /// Places of runs that were under way.
    taken: Vec<usize>,
}

impl Files {
    /// Reads the files in `dir`.
    ///
    /// # Errors
    /// [`JournalError`]; what was there stays as it was.
    pub(crate) fn read(dir: &Path) -> Result<(Files, Found), JournalError> {
        if !dir.join("journal").exists() {
            if is_used(dir) {
                return Err(cut_off());
            }
            make_folders(dir)?;
        }
        let file = open(&dir.join("journal")).map_err(system("journal"))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::InUse,
            TryLockError::Error(error) => system("journal")(error),
        })?;
        let (key, words, left, kept, ended, log) = match Journal::header(dir, &file)? {
            None => {
                let key = RandomState::new().hash_one(0);
                (key, line::first(), Vec::new(), HashSet::new(), Vec::<Entry>::new(), None)
            }
            Some(mapping) => {
                let key = mapping.word(at::KEY).load(Ordering::Relaxed);
                let words = line::found(&mapping, key).ok_or_else(wrong_line)?;
                let counted = [at::COMMITTED, at::WRITING].map(|at| mapping.word(at).load(Ordering::Relaxed));
                let (log, ended) = Log::open(dir, counted, key)?;
                let left = Journal::left(&mapping, key)?;
                let kept = Journal::kept_files(&mapping, key)?;
                (key, words, left, kept, ended, Some(log))
            }
        };
        let known = ended.iter().map(|entry| &entry.who).chain(left.iter().map(|left| &left.who));
        let serial = known.map(|who| who.serial + 1).max().unwrap_or_default();
        let taken = left.iter().map(|left| left.place).collect();
        let files = Files { dir: dir.to_owned(), file, key, words, log, serial, taken };
        Ok((files, Found { ended, left, kept }))
    }

    /// The key of digests, the same as long as the files are.
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    /// How far back they remember.
    pub(crate) fn line(&self) -> Line {
        self.words.next().line()
    }

    /// What an earlier server kept of a run.
    ///
    /// # Errors
    /// If its file is not as it was left.
    pub(crate) fn kept(&self, serial: u64) -> Result<Option<Kept>, JournalError> {
        kept::read(&self.dir, serial, self.key)
    }

    /// The bytecode of a program that a run needs.
    ///
    /// # Errors
    /// If its file is not as it was left: a clause for people. It stays.
    pub(crate) fn needed(&self, hash: &Hash) -> Result<Vec<u8>, String> {
        shelf::needed(&self.dir.join("programs"), hash)
    }

    /// Another server begins with them: from here on they are changed.
    ///
    /// # Errors
    /// [`JournalError`], if the system does not let it.
    pub(crate) fn begin(self, bounds: &Bounds) -> Result<Arc<Journal>, JournalError> {
        let Files { dir, file, key, log, words, serial, taken } = self;
        make_folders(&dir)?;
        let log = match log {
            Some(log) => log,
            None => Log::create(&dir, 0).map_err(system("outcomes.0"))?,
        };
        log.remove_others();
        log.cut_end().map_err(system("outcomes"))?;
        let shelf = Shelf::open(dir.join("programs"), bounds).map_err(system("programs"))?;
        let (mapping, places) = Journal::map(&file, (key, words), bounds.places, taken.is_empty())?;
        line::store(&mapping, key, line::found(&mapping, key).ok_or_else(wrong_line)?.next());
        // What a killed server has left counts before the next outcome is said to be written.
        commit(&mapping, &log, key);
        let free = (0..places).rev().filter(|place| !taken.contains(place)).collect();
        Ok(Arc::new(Journal {
            mapping,
            _file: file,
            key,
            serial: AtomicU64::new(serial),
            free: Mutex::new(free),
            log: Mutex::new(log),
            shelf: Mutex::new(shelf),
            dir,
            is_closed: AtomicBool::new(false),
        }))
    }
}

/// What is below the directory.
fn make_folders(dir: &Path) -> Result<(), JournalError> {
    for below in ["programs", "kept"] {
        let made = std::fs::DirBuilder::new().mode(0o700).recursive(true).create(dir.join(below));
        made.map_err(system(below))?;
    }
    Ok(())
}

/// Whether there is something that a journal counted once.
fn is_used(dir: &Path) -> bool {
    log::is_any(dir) || shelf::is_any(&dir.join("programs"))
}

fn cut_off() -> JournalError {
    damaged("journal", "is cut off")
}

impl Journal {
    /// The mapped file, if there is one: not, if a server was killed before it had made all files.
    fn header(dir: &Path, file: &File) -> Result<Option<Mapping>, JournalError> {
        let none = || if is_used(dir) { Err(cut_off()) } else { Ok(None) };
        let len = file.metadata().map_err(system("journal"))?.len() as usize;
        if len < HEADER_BYTES {
            return none();
        }
        let mapping = mapped(file, len)?;
        let word = |at| mapping.word(at).load(Ordering::Relaxed);
        match (word(at::MAGIC), word(at::VERSION)) {
            (MAGIC, VERSION) => {}
            (MAGIC, version) => return Err(JournalError::Version(version)),
            // What it begins with is written last.
            (0, 0) => return none(),
            (0, _) if !is_used(dir) => return Ok(None),
            _ => return Err(damaged("journal", "is no journal")),
        }
        let Some(places) = places(&mapping) else {
            return Err(damaged("journal", "is not as it was left: the number of places"));
        };
        let needs = places.checked_mul(PLACE_BYTES).and_then(|bytes| bytes.checked_add(HEADER_BYTES));
        match needs {
            Some(needs) if needs == len => Ok(Some(mapping)),
            // Places are about to be laid out anew, of which none counts yet.
            Some(needs) if needs < len && places == 0 => Ok(Some(mapping)),
            Some(needs) if needs < len => Err(damaged("journal", "is longer than it was left")),
            _ => Err(cut_off()),
        }
    }

    /// What is in the places.
    fn left(mapping: &Mapping, key: u64) -> Result<Vec<Left>, JournalError> {
        let found = (0..places(mapping).unwrap_or_default()).map(|place| record::found(mapping, key, place));
        let left: Result<Vec<_>, String> = found.collect();
        Ok(left.map_err(|why| damaged("journal", why))?.into_iter().flatten().collect())
    }

    /// Runs of which there are files, as the places say.
    fn kept_files(mapping: &Mapping, key: u64) -> Result<HashSet<u64>, JournalError> {
        let places = 0..places(mapping).unwrap_or_default();
        let kept = places.filter_map(|place| record::found_kept(mapping, key, place).transpose());
        kept.collect::<Result<_, String>>().map_err(|why| damaged("journal", why))
    }

    /// Maps the file, with so many places unless runs are left in it, and with this key and line if it has none yet; the number of places.
    fn map(
        file: &File,
        (key, words): (u64, line::Words),
        wanted: usize,
        is_free: bool,
    ) -> Result<(Mapping, usize), JournalError> {
        let old = file.metadata().map_err(system("journal"))?.len() as usize;
        let mut stays = 0;
        if old >= HEADER_BYTES {
            let mapping = mapped(file, old)?;
            if mapping.word(at::MAGIC).load(Ordering::Relaxed) == MAGIC {
                let has = places(&mapping).unwrap_or_default();
                if has == wanted || !is_free {
                    return Ok((mapping, has));
                }
                mapping.word(at::PLACES).store(sealed(key, 0, PLACES_BITS), Ordering::Release);
                wrote();
                stays = HEADER_BYTES;
            }
        }
        let bytes = HEADER_BYTES + wanted * PLACE_BYTES;
        write_zeros(file, stays, bytes).map_err(system("journal"))?;
        let mapping = mapped(file, bytes)?;
        (0..wanted).for_each(|place| record::clear(&mapping, key, place));
        let store = |at, n| {
            mapping.word(at).store(n, Ordering::Release);
            wrote();
        };
        let is_new = stays == 0;
        if is_new {
            store(at::KEY, key);
            store(at::VERSION, VERSION);
            store(at::COMMITTED, log::committed_word(0, 0, key));
            line::store(&mapping, key, words);
        }
        store(at::PLACES, sealed(key, wanted as u64, PLACES_BITS));
        if is_new {
            store(at::MAGIC, MAGIC);
        }
        Ok((mapping, wanted))
    }

    /// Opens the files in `dir`, or makes them.
    #[cfg(test)]
    pub(crate) fn open(dir: &Path, bounds: &Bounds) -> Result<(Arc<Journal>, Found), JournalError> {
        let (files, found) = Files::read(dir)?;
        Ok((files.begin(bounds)?, found))
    }

    /// As [`Files::kept`].
    #[cfg(test)]
    pub(crate) fn kept(&self, serial: u64) -> Result<Option<Kept>, JournalError> {
        kept::read(&self.dir, serial, self.key)
    }

    /// How far back it remembers.
    #[cfg(test)]
    pub(crate) fn line(&self) -> Line {
        line::found(&self.mapping, self.key).expect("it is as it was written").line()
    }

    /// A place for a run, which has its serial from here; its program is put on the shelf before.
    ///
    /// # Errors
    /// Why what it does could not be written down.
    pub(crate) fn begin(
        self: &Arc<Journal>,
        who: Who,
        hash: &Hash,
        program: &[u8],
    ) -> Result<Record, String> {
        lock(&self.log).check()?;
        let pinned = shelf::pin(&self.shelf, hash, program);
        pinned.map_err(|error| format!("a program: {error}"))?;
        let place = lock(&self.free).pop();
        let Some(place) = place else {
            lock(&self.shelf).unpin(hash);
            return Err("all places are taken".to_owned());
        };
        let who = Who { serial: self.serial.fetch_add(1, Ordering::Relaxed), ..who };
        let mut record = Record::new(Arc::clone(self), place, who, *hash, Pin::Held);
        record.begin()?;
        Ok(record)
    }

    /// A run that was under way when the last server ended, as if it had gone on until now: to be ended.
    pub(crate) fn again(self: &Arc<Journal>, left: &Left) -> Record {
        // Its program may be lost.
        let pin = if lock(&self.shelf).pin_again(&left.hash) { Pin::Held } else { Pin::None };
        Record::new(Arc::clone(self), left.place, left.who.clone(), left.hash, pin)
    }

    /// # Errors
    /// Why nothing can be written down any more.
    pub(crate) fn check(&self) -> Result<(), String> {
        lock(&self.log).check()
    }

    /// Keeps a run that stopped, in a file; whether that could be written.
    pub(crate) fn keep(&self, record: &mut Record, kept: &Kept) -> bool {
        let is_kept = kept::write(&self.dir, record.who().serial, kept, self.key).is_ok();
        if is_kept {
            record.keeps_a_file();
        } else {
            // What there is of an earlier stop is of no use any more.
            let _ = record.forget();
        }
        is_kept
    }

    /// A place for a run that an earlier server kept, until it goes on.
    ///
    /// # Errors
    /// Why there is none, for people.
    pub(crate) fn kept_again(self: &Arc<Journal>, who: &Who, kept: &Kept) -> Result<Record, String> {
        if !lock(&self.shelf).pin_again(&kept.hash) {
            return Err(format!("programs/{} is missing, its program", crate::text::hex(&kept.hash)));
        }
        let place = lock(&self.free).pop();
        let Some(place) = place else {
            lock(&self.shelf).unpin(&kept.hash);
            return Err("this server runs and keeps fewer runs at a time".to_owned());
        };
        let mut record = Record::new(Arc::clone(self), place, who.clone(), kept.hash, Pin::Held);
        record.takes_over(kept.written);
        Ok(record)
    }

    /// Removes what is kept of all other runs, which is not missed from then on.
    pub(crate) fn keep_only(&self, serials: &HashSet<u64>) {
        lock(&self.free).iter().for_each(|place| record::keeps_no_file(&self.mapping, self.key, *place));
        kept::remove_others(&self.dir, serials);
    }

    /// What is kept stays for the next server from now on.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
    }

    /// The bytecode of a program that a run needs.
    ///
    /// # Errors
    /// If its file is not as it was left: a clause for people. It stays.
    pub(crate) fn needed(&self, hash: &Hash) -> Result<Vec<u8>, String> {
        shelf::needed(&self.dir.join("programs"), hash)
    }

    /// Of a run that was under way nobody can tell now what it did: its place stays for a server that can.
    pub(crate) fn stays(&self, record: &mut Record) {
        record.leave();
    }

    /// The bytecode of a program, if it is there.
    pub(crate) fn program(&self, hash: &Hash) -> Option<Vec<u8>> {
        lock(&self.shelf).get(hash)
    }

    /// Keeps the bytecode of a program, as long as there is room.
    pub(crate) fn keep_program(&self, hash: &Hash, bytes: &[u8]) {
        // It can be sent again.
        if shelf::pin(&self.shelf, hash, bytes).is_ok() {
            lock(&self.shelf).unpin(hash);
        }
    }

    /// Writes down how a run ended or stopped. What could not be written stays in doubt: its place is not given away.
    pub(crate) fn ended(&self, record: &mut Record, outcome: &[u8]) {
        match self.append(record.who(), outcome) {
            Ok(()) => record.rest(),
            Err(_) => record.leave(),
        }
    }

    /// What is told of a run that has ended from now on.
    pub(crate) fn told(&self, who: &Who, outcome: &[u8]) {
        // If it cannot be written, the next server tells less of it.
        let _ = self.append(who, outcome);
    }

    /// Somebody let a kept run go: its outcome, which says no longer that it is kept, is the one that counts from now on, for the next
    /// server, too; and its file goes. The one is enough if the other fails.
    ///
    /// # Errors
    /// If it may be kept for the next server.
    pub(crate) fn discarded(&self, record: &mut Record, outcome: &[u8]) -> Result<(), String> {
        let told = self.append(record.who(), outcome);
        let is_removed = record.forget();
        told.or_else(|_| is_removed.map_err(|error| format!("kept: {error}")))
    }

    /// Writes an outcome down. The header says which one it is before it is written, and that it counts behind that: so the next server knows
    /// what a killed one has left from what a later header counted, or somebody has written there.
    fn append(&self, who: &Who, outcome: &[u8]) -> Result<(), String> {
        let mut log = lock(&self.log);
        log.check()?;
        let entry = Entry::encode(who, outcome, self.key);
        self.set(at::WRITING, log.writing(&entry, self.key));
        log.append(&entry)?;
        self.commit(&log);
        Ok(())
    }

    fn commit(&self, log: &Log) {
        commit(&self.mapping, log, self.key);
    }

    fn set(&self, at: usize, word: u64) {
        self.mapping.word(at).store(word, Ordering::Release);
        wrote();
    }

    /// Whether there is much more in the file of outcomes than when it was written anew; said once each time.
    pub(crate) fn is_long(&self) -> bool {
        lock(&self.log).is_long()
    }

    /// Writes the outcomes anew, those that `keep` keeps. Runs go on meanwhile; `clock` says which one began last.
    pub(crate) fn shorten(&self, clock: impl FnOnce() -> u64, keep: impl FnOnce(Vec<Entry>) -> Vec<Entry>) {
        let now = lock(&self.log).clone_now();
        // Whatever has an outcome now, and so may be forgotten, began until then.
        let clock = clock();
        let shortened = now.and_then(|now| now.rewritten(self.key, keep));
        let mut log = lock(&self.log);
        let Ok(old) = shortened.and_then(|next| log.go_over(next)) else { return log.go_on_as_it_is() };
        line::forget(&self.mapping, self.key, clock);
        self.commit(&log);
        drop(log);
        old.remove();
    }
}

/// All outcomes count that are written, and none is being written.
fn commit(mapping: &Mapping, log: &Log, key: u64) {
    for (at, word) in [(at::COMMITTED, log.committed(key)), (at::WRITING, log.nothing(key))] {
        mapping.word(at).store(word, Ordering::Release);
        wrote();
    }
}

/// What is written is there, in the file and in the mapped one, and nothing else is: here a server may be killed.
#[inline(always)]
fn wrote() {
    #[cfg(test)]
    tests::killed::wrote();
}

/// Makes a file `len` bytes long, with zeros behind `from`. They are written: a mapped page for which the disk has no room
/// would end the process.
fn write_zeros(file: &File, from: usize, len: usize) -> io::Result<()> {
    file.set_len(from as u64)?;
    wrote();
    let zeros = vec![0; 1 << 16];
    for at in (from..len).step_by(zeros.len()) {
        file.write_all_at(&zeros[..zeros.len().min(len - at)], at as u64)?;
        wrote();
    }
    Ok(())
}

fn mapped(file: &File, len: usize) -> Result<Mapping, JournalError> {
    Mapping::of_file(file, len).map_err(|errno| system("journal")(errno.into()))
}

/// What shows that bytes are as they were written.
fn check(key: u64, bytes: &[u8]) -> u64 {
    let mut digest = Digest(key);
    digest.bytes(0, bytes);
    digest.0
}

/// A number of so many bits, and above it a digest of it.
fn sealed(key: u64, n: u64, bits: u32) -> u64 {
    let mut digest = Digest(key);
    digest.words([n, u64::from(bits)]);
    n & ((1 << bits) - 1) | digest.0 << bits
}

/// The number, if the word is as it was written.
fn unsealed(key: u64, word: u64, bits: u32) -> Option<u64> {
    let n = word & ((1 << bits) - 1);
    (sealed(key, n, bits) == word).then_some(n)
}

/// How many places there are, if that is as it was written.
fn places(mapping: &Mapping) -> Option<usize> {
    let [key, places] = [at::KEY, at::PLACES].map(|at| mapping.word(at).load(Ordering::Relaxed));
    unsealed(key, places, PLACES_BITS).map(|places| places as usize)
}

/// Where a file of outcomes is.
fn outcomes(dir: &Path, number: u64) -> PathBuf {
    dir.join(format!("outcomes.{number}"))
}

#[cfg(test)]
mod tests;
