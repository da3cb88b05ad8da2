//! Runs that stopped and can go on: their jobs, with program counter, variables and portals; or what an earlier server has written
//! down of them, from which a job is made when they go on.
//!
//! There are so many at most, and so many bytes. What is too much is taken from the principal that has most of it, its oldest
//! first; and each is let go when its time is over.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

use super::Policy;
use super::job::Job;
use super::runs::{Key, Outcome};
use crate::bill::Hash;
use crate::journal::Record;
use crate::limits::LimitSource;
use crate::protocol::{self, End, Kept, RunInfo, StoppedRun};

/// What runs that stop are kept for, and what they may hold.
#[derive(Clone, Copy)]
pub(super) struct Keeping {
    pub(super) time: Duration,
    pub(super) portals_max: usize,
    pub(super) bytes_max: usize,
}

/// What there is of a run that stopped.
pub(super) enum Held {
    Job(Box<Job>),
    /// What an earlier server has kept, and the place of the run in the journal.
    Memento(Arc<Memento>, Box<Record>),
}

/// What an earlier server has kept of a run.
pub(super) struct Memento {
    /// The stop that it is kept at.
    pub(super) stop: u32,
    pub(super) name: String,
    /// Its program's name, and hash.
    pub(super) program: String,
    pub(super) hash: Hash,
    /// What it goes on from, or why it cannot.
    pub(super) state: Result<Arc<[u8]>, String>,
}

impl Held {
    /// The stop after which it is kept.
    pub(super) fn stops(&self) -> u32 {
        match self {
            Held::Job(job) => job.stops(),
            Held::Memento(memento, _) => memento.stop,
        }
    }

    /// Name of the run, and of its program.
    pub(super) fn names(&self) -> (&str, String) {
        match self {
            Held::Job(job) => job.names(),
            Held::Memento(memento, _) => (&memento.name, memento.program.clone()),
        }
    }

    /// Where it is written down.
    pub(super) fn record(&mut self) -> Option<&mut Record> {
        match self {
            Held::Job(job) => job.machine().record(),
            Held::Memento(_, record) => Some(record),
        }
    }

    /// It is written down no more.
    pub(super) fn no_longer_written_down(self) -> Option<Box<Job>> {
        match self {
            Held::Job(mut job) => {
                job.machine().no_longer_written_down();
                Some(job)
            }
            Held::Memento(..) => None,
        }
    }
}

/// A run that stopped.
pub(super) struct Stopped {
    pub(super) held: Held,
    /// The next server can let it go on, too.
    pub(super) survives: bool,
    /// What it takes, about.
    pub(super) bytes: usize,
    pub(super) portals: usize,
    /// How it stopped, as it was told.
    pub(super) outcome: Outcome,
    /// When it is let go.
    pub(super) until: Instant,
    /// Held as long as the clock is to look after it.
    pub(super) _alarm: Arc<AtomicU32>,
}

impl Stopped {
    /// What is needed to tell that it is kept as it was.
    pub(super) fn staying(&self) -> Staying {
        Staying { outcome: Arc::clone(&self.outcome), until: self.until }
    }

    /// What is needed to tell of it, when the lock is free again.
    pub(super) fn seen(&self) -> Seen {
        let (name, program) = self.held.names();
        Seen { name: name.to_owned(), program, outcome: Arc::clone(&self.outcome), until: self.until }
    }
}

/// How a run that is kept stopped, as it was told, and until when it is kept.
pub(super) struct Staying {
    outcome: Outcome,
    until: Instant,
}

impl Staying {
    /// How it is kept from now on, if it can go on at all.
    pub(super) fn kept(&self, now: Instant) -> Option<Kept> {
        let kept = kept_from(&protocol::Outcome::decode(&self.outcome).ok()?)?;
        let left = self.until.checked_duration_since(now)?;
        Some(Kept { for_s: left.as_secs(), ..kept })
    }
}

/// How a run is kept that stopped so, for an outcome that ends otherwise: the limit of the header that was reached has to be raised all the same.
pub(super) fn kept_from(stopped: &protocol::Outcome) -> Option<Kept> {
    let mut kept = stopped.kept?;
    if let End::Limit { kind, limit, source: LimitSource::Header(_), .. } = stopped.end {
        kept.short_of[0] = Some((kind, limit));
    }
    Some(kept)
}

/// A run that stopped, as it is told of.
pub(super) struct Seen {
    name: String,
    program: String,
    outcome: Outcome,
    until: Instant,
}

impl Seen {
    /// What there is to say of it. It is no run that can go on if it was said so when it stopped; it is here for the reason.
    pub(super) fn info(self, now: Instant) -> Option<RunInfo> {
        let outcome = protocol::Outcome { result: None, ..protocol::Outcome::decode(&self.outcome).ok()? };
        outcome.kept?;
        let left_s = self.until.saturating_duration_since(now).as_secs();
        let Seen { name, program, .. } = self;
        Some(RunInfo { name, program, stopped: Some(StoppedRun { outcome, left_s }) })
    }
}

/// All runs that stopped and are kept.
pub(super) struct StoppedRuns {
    /// Oldest first.
    all: Vec<(Key, Stopped)>,
    max: usize,
    per_principal_max: usize,
    bytes_max: usize,
    bytes_per_principal_max: usize,
    portals_max: usize,
    portals_per_principal_max: usize,
}

impl StoppedRuns {
    pub(super) fn new(policy: &Policy) -> StoppedRuns {
        StoppedRuns {
            all: Vec::new(),
            max: policy.kept_max,
            per_principal_max: policy.kept_per_principal_max,
            bytes_max: policy.kept_bytes_max,
            bytes_per_principal_max: policy.kept_bytes_per_principal_max,
            portals_max: policy.kept_portals_max,
            portals_per_principal_max: policy.kept_portals_per_principal_max,
        }
    }

    /// Keeps a run; returns those that have to go for it, among them itself if it alone is too much.
    pub(super) fn put(&mut self, key: Key, stopped: Stopped) -> Vec<(Key, Stopped)> {
        let principal = Arc::clone(&key.principal);
        self.all.push((key, stopped));
        let mut gone = Vec::new();
        for (of, max) in [
            ((|_| 1) as fn(&Stopped) -> usize, self.per_principal_max),
            (|stopped| stopped.portals, self.portals_per_principal_max),
            (|stopped| stopped.bytes, self.bytes_per_principal_max),
        ] {
            while self.held(&principal, of) > max {
                let oldest = self.all.iter().position(|(key, _)| key.principal == principal);
                gone.extend(oldest.map(|at| self.all.remove(at)));
            }
        }
        for (of, max) in [
            ((|_| 1) as fn(&Stopped) -> usize, self.max),
            (|stopped| stopped.portals, self.portals_max),
            (|stopped| stopped.bytes, self.bytes_max),
        ] {
            while self.all.iter().map(|(_, stopped)| of(stopped)).sum::<usize>() > max {
                gone.extend(self.oldest_of_most(of).map(|at| self.all.remove(at)));
            }
        }
        gone
    }

    fn held(&self, principal: &Arc<str>, of: fn(&Stopped) -> usize) -> usize {
        self.all.iter().filter(|(key, _)| key.principal == *principal).map(|(_, stopped)| of(stopped)).sum()
    }

    /// The oldest run of a principal that holds most.
    fn oldest_of_most(&self, of: fn(&Stopped) -> usize) -> Option<usize> {
        let mut held: HashMap<&str, usize> = HashMap::new();
        for (key, stopped) in &self.all {
            *held.entry(&key.principal).or_default() += of(stopped);
        }
        let most = held.values().copied().max()?;
        self.all.iter().position(|(key, _)| held[&*key.principal] == most)
    }

    /// The run that is kept under a key, and its time is not over.
    pub(super) fn get_mut(&mut self, key: &Key, now: Instant) -> Option<&mut Stopped> {
        let found = self.all.iter_mut().find(|(of, stopped)| of == key && now < stopped.until);
        found.map(|(_, stopped)| stopped)
    }

    pub(super) fn has(&self, key: &Key) -> bool {
        self.all.iter().any(|(of, _)| of == key)
    }

    /// Takes a run out, to let it go on or go.
    pub(super) fn take(&mut self, key: &Key) -> Option<Stopped> {
        let at = self.all.iter().position(|(of, _)| of == key)?;
        Some(self.all.remove(at).1)
    }

    /// Takes those out whose time is over.
    pub(super) fn over(&mut self, now: Instant) -> Vec<(Key, Stopped)> {
        self.all.extract_if(.., |(_, stopped)| stopped.until <= now).collect()
    }

    /// Takes all out.
    pub(super) fn drain(&mut self) -> Vec<(Key, Stopped)> {
        std::mem::take(&mut self.all)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Those of a principal, oldest first.
    pub(super) fn of<'a>(&'a self, principal: &'a str) -> impl Iterator<Item = &'a Stopped> {
        self.all.iter().filter(move |(key, _)| *key.principal == *principal).map(|(_, stopped)| stopped)
    }
}
