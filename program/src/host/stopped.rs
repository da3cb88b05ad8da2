//! Runs that stopped and can go on: their jobs, with program counter, variables and portals.
//!
//! There are so many at most, and so many bytes. What is too much is taken from the principal that has most of it, its oldest
//! first; and each is let go when its time is over.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Instant;

use super::Policy;
use super::job::Job;
use super::runs::{Key, Outcome};
use crate::protocol::{self, RunInfo, StoppedRun};

/// A run that stopped.
pub(super) struct Stopped {
    pub(super) job: Box<Job>,
    /// How it stopped, as it was told.
    pub(super) outcome: Outcome,
    /// When it is let go.
    pub(super) until: Instant,
    /// Held as long as the clock is to look after it.
    pub(super) alarm: Arc<AtomicU32>,
}

impl Stopped {
    /// What there is to say of it.
    pub(super) fn info(&self, now: Instant) -> Option<RunInfo> {
        let outcome = protocol::Outcome { result: None, ..protocol::Outcome::decode(&self.outcome).ok()? };
        let (name, program) = self.job.names();
        let left_s = self.until.saturating_duration_since(now).as_secs();
        Some(RunInfo { name: name.to_owned(), program, stopped: Some(StoppedRun { outcome, left_s }) })
    }
}

/// All runs that stopped and are kept.
pub(super) struct Waiting {
    /// Oldest first.
    all: Vec<(Key, Stopped)>,
    max: usize,
    per_principal_max: usize,
    bytes_max: usize,
}

impl Waiting {
    pub(super) fn new(policy: &Policy) -> Waiting {
        Waiting {
            all: Vec::new(),
            max: policy.kept_max,
            per_principal_max: policy.kept_per_principal_max,
            bytes_max: policy.kept_bytes_max,
        }
    }

    /// Keeps a run; returns what has to go for it, which may be itself.
    pub(super) fn put(&mut self, key: Key, stopped: Stopped) -> Vec<Stopped> {
        let principal = Arc::clone(&key.principal);
        self.all.push((key, stopped));
        let mut gone = Vec::new();
        let mine = self.all.iter().filter(|(key, _)| key.principal == principal).count();
        if mine > self.per_principal_max {
            gone.extend(self.oldest_of(&principal));
        }
        while self.all.len() > self.max {
            let most = self.holds_most(|_| 1);
            gone.extend(most.and_then(|principal| self.oldest_of(&principal)));
        }
        let bytes = |stopped: &Stopped| stopped.job.held_bytes();
        while self.all.iter().map(|(_, stopped)| bytes(stopped)).sum::<usize>() > self.bytes_max {
            let most = self.holds_most(bytes);
            gone.extend(most.and_then(|principal| self.oldest_of(&principal)));
        }
        gone
    }

    fn holds_most(&self, of: impl Fn(&Stopped) -> usize) -> Option<Arc<str>> {
        let mut held: HashMap<&Arc<str>, usize> = HashMap::new();
        for (key, stopped) in &self.all {
            *held.entry(&key.principal).or_default() += of(stopped);
        }
        held.into_iter().max_by_key(|(_, held)| *held).map(|(principal, _)| Arc::clone(principal))
    }

    fn oldest_of(&mut self, principal: &Arc<str>) -> Option<Stopped> {
        let at = self.all.iter().position(|(key, _)| key.principal == *principal)?;
        Some(self.all.remove(at).1)
    }

    /// Takes a run out, to let it go on or go.
    pub(super) fn take(&mut self, key: &Key) -> Option<Stopped> {
        let at = self.all.iter().position(|(of, _)| of == key)?;
        Some(self.all.remove(at).1)
    }

    /// Takes those out whose time is over.
    pub(super) fn over(&mut self, now: Instant) -> Vec<Stopped> {
        self.all.extract_if(.., |(_, stopped)| stopped.until <= now).map(|(_, stopped)| stopped).collect()
    }

    /// Takes all out.
    pub(super) fn drain(&mut self) -> Vec<Stopped> {
        self.all.drain(..).map(|(_, stopped)| stopped).collect()
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
