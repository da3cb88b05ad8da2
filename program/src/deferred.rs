//! Programs that wait until the server can be reached: collected in a file, delivered in order, each once.
//!
//! ```text
//! add ─► file ─► pending ─► deliver: sent ─► what became of it ─► delivered
//!                              │       │            └─ conflict ─► its resolver runs ─► delivered, or reported
//!                              │       └─ no answer ─► asked the next time, by its identity: never begun, or its outcome
//!                              └──── one after the other; what cannot be delivered holds up what is behind it
//! ```
//!
//! A call is deferred as a program of that call. What a program finds to be other than its author believed is a conflict, and it
//! says so by failing; a second program, which was deferred with it, can decide then what to do instead. This is what Bayou calls
//! a dependency check and a merge procedure (compositecall-spe1999, related work).
//!
//! Each is delivered once, since a run has an identity, by which the server knows it again. Servers do not remember for ever: what was
//! sent, and is unknown to the server, is sent again only if the server can say that it forgot nothing since ([`Memory`]). Else
//! nobody can tell whether it ran, and the user is asked.
//!
//! | file | what it is |
//! | --- | --- |
//! | `deferred/file.rs` | records on the disk, as they survive a crash at any moment |
//! | `deferred/record.rs` | what they say |
//! | `deferred/deliver.rs` | delivery |

mod deliver;
mod file;
mod record;
#[cfg(test)]
mod tests;

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::bill::Bill;
use crate::protocol::{End, Memory, Outcome, RunId};

use file::Records;
use record::Record;

pub use deliver::{Ended, Held, Way};

/// How much may be deferred.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Programs that are not delivered yet.
    pub pending_max: usize,
    /// Bytes of the file.
    pub bytes_max: u64,
    /// Of those that were delivered or withdrawn so many are remembered, the last ones, as long as there is room.
    pub ended_max: usize,
    /// Bytes of these.
    pub ended_bytes_max: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { pending_max: 10_000, bytes_max: 64 << 20, ended_max: 100, ended_bytes_max: 8 << 20 }
    }
}

/// It is written anew when it has twice as much as when it was written last, and so much more.
const SLACK_BYTES: u64 = 1 << 20;

/// Why nothing is deferred or delivered.
#[derive(Debug, thiserror::Error)]
pub enum DeferredError {
    /// Another process has the directory.
    #[error("another process uses it")]
    InUse,
    /// It was written by another version.
    #[error("it is of version {0}, and this program knows versions 1 and 2")]
    Version(u64),
    /// It is not as it was left. Nothing of it was changed.
    #[error("{why}")]
    Damaged {
        /// What is wrong.
        why: String,
        /// So many records before the damage are whole.
        whole: usize,
    },
    /// There is as much as there may be.
    #[error("{0}")]
    Full(String),
    /// There is none of this number that this could be done to: why.
    #[error("{0}")]
    NotSo(String),
    /// The system's answer.
    #[error("{0}")]
    System(#[from] io::Error),
}

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The run's identity.
    pub id: RunId,
    /// The run's name, of which the identity is made.
    pub name: String,
    /// What it is, for people.
    pub title: String,
    /// Bytecode.
    pub program: Vec<u8>,
    /// Arguments as they are sent. Portals are named by texts: no object of a session outlives it.
    pub arguments: Vec<u8>,
    /// It has calls that write, so that it must not run twice.
    pub may_write: bool,
    /// What of its bill was approved; the server's must be no larger.
    pub approved: Option<Approved>,
}

impl Piece {
    /// A program that `bill` was made of, which is approved if `is_approved`.
    #[must_use]
    pub fn new(
        (id, name): (RunId, &str),
        title: &str,
        program: &[u8],
        arguments: &[u8],
        bill: &Bill,
        is_approved: bool,
    ) -> Piece {
        Piece {
            id,
            name: name.to_owned(),
            title: title.to_owned(),
            program: program.to_vec(),
            arguments: arguments.to_vec(),
            may_write: bill.writes.at_most > 0,
            approved: is_approved.then(|| Approved::of(bill)),
        }
    }
}

/// What somebody saw and approved: the bounds of a bill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approved {
    /// Calls, writes, bytes written, instructions, time in ns.
    pub bounds: [u64; 5],
    /// Operations with their calls.
    pub lines: Vec<(String, u64)>,
}

impl Approved {
    /// All of a bill.
    #[must_use]
    pub fn of(bill: &Bill) -> Approved {
        let bounds = [bill.calls, bill.writes, bill.written, bill.instructions, bill.time_ns];
        let lines = bill.lines.iter().map(|line| (line.name.clone(), line.at_most));
        Approved { bounds: bounds.map(|bound| bound.at_most), lines: lines.collect() }
    }

    /// Whether a bill has nothing that is not in this one.
    #[must_use]
    pub fn covers(&self, bill: &Bill) -> bool {
        let other = Approved::of(bill);
        let is_in = |(name, at_most): &(String, u64)| {
            self.lines.iter().any(|(known, most)| known == name && at_most <= most)
        };
        self.bounds.iter().zip(other.bounds).all(|(most, bound)| bound <= *most)
            && other.lines.iter().all(is_in)
    }
}

/// Which of the two programs of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// What was deferred.
    Program,
    /// What decides about its conflict.
    Resolver,
}

/// Where an entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// To be sent; its resolver, once the program itself has ended in a conflict.
    Pending,
    /// It was sent, and nothing was heard of it yet.
    Sent(Memory),
    /// It is done, by its program or by its resolver.
    Delivered,
    /// It ended otherwise.
    Conflict,
    /// It stopped before its end. It may have been resumed since, so that the server is asked again.
    Stopped,
    /// Nobody can tell whether all of it took effect.
    InDoubt,
    /// It is not to be delivered.
    Withdrawn,
}

/// What was heard of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Which program was or is on.
    is_resolving: bool,
    /// What happened to it later is lost: nothing of it is sent unless the user says so.
    is_salvaged: bool,
    /// It was sent at least once to a server that remembered so much, which had not got it when it was asked, and may get it yet.
    earlier: Option<Memory>,
    /// How the program ended.
    pub program: Option<Box<Outcome>>,
    /// How the resolver ended.
    pub resolver: Option<Box<Outcome>>,
}

/// Something that was deferred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number, for as long as the directory is used.
    pub number: u64,
    /// When it was deferred, in ns since 1970.
    pub at_ns: u64,
    /// The program.
    pub piece: Piece,
    /// What decides about its conflict.
    pub resolver: Option<Piece>,
    /// Where it stands.
    pub state: State,
    /// What was heard of it.
    pub told: Told,
}

impl Entry {
    /// Whether it is still to be delivered, or to be decided about.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !matches!(self.state, State::Delivered | State::Withdrawn)
    }

    /// The program that is to be sent, or was sent last.
    #[must_use]
    pub fn step(&self) -> Step {
        if self.told.is_resolving { Step::Resolver } else { Step::Program }
    }

    fn current(&self) -> &Piece {
        self.resolver.as_ref().filter(|_| self.told.is_resolving).unwrap_or(&self.piece)
    }
}

/// Everything that was deferred in one directory, which nobody else can use meanwhile.
#[derive(Debug)]
pub struct Deferred {
    records: Records,
    known: Known,
    bounds: Bounds,
    /// Bytes when it was written anew.
    first_len: u64,
    _lock: File,
}

/// What the records come to.
#[derive(Debug)]
struct Known {
    entries: Vec<Entry>,
    /// Number of the next one.
    next: u64,
}

impl Known {
    fn of(bodies: &[Vec<u8>]) -> Result<Known, DeferredError> {
        let mut known = Known { entries: Vec::new(), next: 1 };
        for (at, body) in bodies.iter().enumerate() {
            let strange =
                |_| DeferredError::Damaged { why: format!("record {at} makes no sense"), whole: at };
            known.happened(Record::decode(body).map_err(strange)?);
        }
        Ok(known)
    }

    fn happened(&mut self, record: Record) {
        if let Record::Added(entry) = record {
            self.next = self.next.max(entry.number + 1);
            self.entries.push(*entry);
            return;
        }
        if let Record::Next { number } = record {
            self.next = self.next.max(number);
            return;
        }
        let number = record.number();
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) else { return };
        match record {
            Record::Added(_) | Record::Next { .. } => {}
            Record::Salvaged { .. } => {
                entry.told.is_salvaged = true;
                entry.state = State::InDoubt;
            }
            Record::Sent { step, memory, .. } => {
                entry.told.is_resolving = step == Step::Resolver;
                entry.state = State::Sent(entry.told.earlier.unwrap_or(memory));
            }
            Record::NotBegun { may_come, .. } => {
                if let State::Sent(memory) = entry.state {
                    entry.state = State::Pending;
                    entry.told.earlier = may_come.then_some(memory).or(entry.told.earlier);
                }
            }
            Record::Ended { step, outcome, .. } => ended(entry, step, outcome),
            Record::Unknown { .. } => entry.state = State::InDoubt,
            Record::Withdrawn { .. } => entry.state = State::Withdrawn,
            Record::Again { ids: [(id, name), resolver_id], .. } => {
                (entry.piece.id, entry.piece.name) = (id, name);
                if let Some(resolver) = &mut entry.resolver {
                    (resolver.id, resolver.name) = resolver_id;
                }
                (entry.state, entry.told) = (State::Pending, Told::default());
            }
        }
    }
}

/// What is added to records behind which others are lost.
fn doubts(bodies: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, DeferredError> {
    let known = Known::of(bodies)?;
    let open = known.entries.iter().filter(|entry| entry.is_open());
    Ok(open.map(|entry| Record::Salvaged { number: entry.number }.encode()).collect())
}

impl Deferred {
    /// Opens a directory, or makes it.
    ///
    /// # Errors
    /// [`DeferredError`]; what was there stays as it was.
    pub fn open(dir: &Path, bounds: Bounds) -> Result<Deferred, DeferredError> {
        let lock = locked(dir)?;
        let (records, bodies) = Records::open(&file_of(dir))?;
        Deferred::of(records, &bodies, bounds, lock)
    }

    /// Opens a directory whose file may be damaged. What was before the damage counts from now on; the file as it was is put aside. What
    /// was wrong comes back. What was to be delivered may have been delivered or withdrawn in what is lost: it is in doubt then.
    ///
    /// # Errors
    /// [`DeferredError`]
    pub fn salvage(dir: &Path, bounds: Bounds) -> Result<(Deferred, Option<String>), DeferredError> {
        let lock = locked(dir)?;
        let (records, bodies, wrong) = Records::salvage(&file_of(dir), doubts)?;
        Ok((Deferred::of(records, &bodies, bounds, lock)?, wrong))
    }

    fn of(
        records: Records,
        bodies: &[Vec<u8>],
        bounds: Bounds,
        lock: File,
    ) -> Result<Deferred, DeferredError> {
        let (first_len, known) = (records.len(), Known::of(bodies)?);
        Ok(Deferred { records, known, bounds, first_len, _lock: lock })
    }

    /// All that is known, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.known.entries
    }

    /// Those that are still to be delivered, or to be decided about.
    pub fn open_entries(&self) -> impl Iterator<Item = &Entry> {
        self.known.entries.iter().filter(|entry| entry.is_open())
    }

    /// Defers a program; it is on the disk when this returns. Its number comes back.
    ///
    /// # Errors
    /// [`DeferredError::Full`], or [`DeferredError::System`]: it may be deferred all the same then, which shows when the
    /// directory is opened again.
    pub fn add(&mut self, piece: Piece, resolver: Option<Piece>) -> Result<u64, DeferredError> {
        if self.open_entries().count() >= self.bounds.pending_max {
            return Err(DeferredError::Full(format!(
                "{} are pending, as many as may be",
                self.bounds.pending_max
            )));
        }
        let (number, at_ns) = (self.known.next, now_ns());
        let entry = Entry { number, at_ns, piece, resolver, state: State::Pending, told: Told::default() };
        let record = Record::Added(Box::new(entry));
        let bytes = record.encode().len() as u64;
        for ended_max in [self.bounds.ended_max, 0] {
            if self.records.len().saturating_add(bytes) > self.bounds.bytes_max {
                self.shorten(ended_max)?;
            }
        }
        if self.records.len().saturating_add(bytes) > self.bounds.bytes_max {
            let most = crate::text::bytes(self.bounds.bytes_max);
            return Err(DeferredError::Full(format!("what is deferred has {most} at most")));
        }
        self.record(record)?;
        Ok(number)
    }

    /// Says that an entry is not to be delivered. One that was sent may have run.
    ///
    /// # Errors
    /// [`DeferredError::NotSo`] if it is none that is open.
    pub fn withdraw(&mut self, number: u64) -> Result<(), DeferredError> {
        self.open_entry(number)?;
        self.record(Record::Withdrawn { number })
    }

    /// Has an entry that ended in a conflict, or in doubt, run once more from its beginning, as another run.
    ///
    /// # Errors
    /// [`DeferredError::NotSo`] if it is not that far.
    pub fn again(&mut self, number: u64, ids: [(RunId, String); 2]) -> Result<(), DeferredError> {
        match self.open_entry(number)?.state {
            State::Conflict | State::InDoubt | State::Stopped => self.record(Record::Again { number, ids }),
            _ => Err(DeferredError::NotSo(format!("{number} is to be delivered anyway"))),
        }
    }

    fn entry(&self, number: u64) -> Option<&Entry> {
        self.known.entries.iter().find(|entry| entry.number == number)
    }

    fn open_entry(&self, number: u64) -> Result<&Entry, DeferredError> {
        let entry =
            self.entry(number).ok_or_else(|| DeferredError::NotSo(format!("there is no {number}")))?;
        match entry.state {
            State::Delivered => Err(DeferredError::NotSo(format!("{number} was delivered"))),
            State::Withdrawn => Err(DeferredError::NotSo(format!("{number} was withdrawn"))),
            _ => Ok(entry),
        }
    }

    /// Writes down what happened, and has it happen.
    fn record(&mut self, record: Record) -> Result<(), DeferredError> {
        self.records.append(&record.encode())?;
        self.known.happened(record);
        if self.records.len() > 2 * self.first_len + SLACK_BYTES
            && self.shorten(self.bounds.ended_max).is_err()
        {
            // What was to be written down is; this is tried again when there is twice as much.
            self.first_len = self.records.len();
        }
        Ok(())
    }

    /// Writes the file anew, with no more of what is over than so many, the last ones.
    fn shorten(&mut self, ended_max: usize) -> io::Result<()> {
        let (mut number, mut room) = (ended_max, self.bounds.ended_bytes_max);
        for at in (0..self.known.entries.len()).rev() {
            let entry = &self.known.entries[at];
            if entry.is_open() {
                continue;
            }
            let bytes: usize = history(entry).iter().map(|record| record.encode().len()).sum();
            match (number.checked_sub(1), room.checked_sub(bytes as u64)) {
                (Some(fewer), Some(less)) => (number, room) = (fewer, less),
                _ => drop(self.known.entries.remove(at)),
            }
        }
        let first = Record::Next { number: self.known.next };
        let records = std::iter::once(first).chain(self.known.entries.iter().flat_map(history));
        let bodies: Vec<Vec<u8>> = records.map(|record| record.encode()).collect();
        self.records.replace(&bodies)?;
        self.first_len = self.records.len();
        Ok(())
    }
}

/// The records that make an entry what it is.
fn history(entry: &Entry) -> Vec<Record> {
    let number = entry.number;
    let mut records = vec![Record::Added(Box::new(entry.clone()))];
    records.extend(entry.told.is_salvaged.then_some(Record::Salvaged { number }));
    let told = [(Step::Program, &entry.told.program), (Step::Resolver, &entry.told.resolver)];
    for (step, outcome) in told {
        if let Some(outcome) = outcome {
            records.push(Record::Ended { number, step, outcome: outcome.clone() });
        }
    }
    if let Some(memory) = entry.told.earlier {
        records.push(Record::Sent { number, step: entry.step(), memory });
        records.push(Record::NotBegun { number, may_come: true });
    }
    match entry.state {
        State::Sent(memory) => records.push(Record::Sent { number, step: entry.step(), memory }),
        State::InDoubt => records.push(Record::Unknown { number, step: entry.step() }),
        State::Withdrawn => records.push(Record::Withdrawn { number }),
        State::Pending | State::Delivered | State::Conflict | State::Stopped => {}
    }
    records
}

/// A program of an entry ended.
fn ended(entry: &mut Entry, step: Step, outcome: Box<Outcome>) {
    let verdict = verdict(&outcome.end);
    let is_next = verdict == Verdict::Conflict && entry.resolver.is_some();
    (entry.told.is_resolving, entry.told.earlier) = (step == Step::Resolver || is_next, None);
    entry.state = match verdict {
        Verdict::Done => State::Delivered,
        // What is lost may say that it went on, or was run again.
        _ if entry.told.is_salvaged => State::InDoubt,
        Verdict::Stopped => State::Stopped,
        Verdict::InDoubt => State::InDoubt,
        Verdict::Conflict if is_next && step == Step::Program => State::Pending,
        Verdict::Conflict | Verdict::NotRun => State::Conflict,
    };
    match step {
        Step::Program => entry.told.program = Some(outcome),
        Step::Resolver => entry.told.resolver = Some(outcome),
    }
}

/// What the end of a run means here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Done,
    /// It can go on, or it was ended from outside.
    Stopped,
    /// It found what it did not expect.
    Conflict,
    /// The server does not take it as a program: no conflict that a resolver knows of.
    NotRun,
    /// One of its calls may have taken effect.
    InDoubt,
}

fn verdict(end: &End) -> Verdict {
    match end {
        End::Done => Verdict::Done,
        End::Limit { .. } | End::Cancelled | End::CannotKnow => Verdict::Stopped,
        End::CallInDoubt { .. } | End::ServerEnded { in_doubt: true } => Verdict::InDoubt,
        End::ServerEnded { in_doubt: false } => Verdict::Stopped,
        End::Failed(_) | End::CallFailed { .. } | End::Fault(_) | End::Revoked => Verdict::Conflict,
        End::Rejected(_) | End::Refused(_) => Verdict::NotRun,
    }
}

fn file_of(dir: &Path) -> PathBuf {
    dir.join("deferred")
}

/// Keeps others out, for as long as the file is open.
fn locked(dir: &Path) -> Result<File, DeferredError> {
    std::fs::DirBuilder::new().mode(0o700).recursive(true).create(dir)?;
    let lock = File::options().write(true).create(true).truncate(false).mode(0o600).open(dir.join("lock"))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(DeferredError::InUse),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

fn now_ns() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
