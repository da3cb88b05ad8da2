//! The faults found so far.
//!
//! It keeps a bounded number, so that a hostile text cannot make the report larger than people read.

use carnet_idl::diagnostic::{Diagnostic, did_you_mean};

/// More faults than this are not reported.
const FAULTS_MAX: usize = 50;

/// More names than this are not compared with one that was mistyped.
const CANDIDATES_MAX: usize = 1000;

/// Faults in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Faults {
    list: Vec<Diagnostic>,
}

/// Says that a fault was already reported; whoever gets it says nothing more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;

impl Faults {
    /// Adds a fault, if there is room and it is not there already.
    pub(super) fn push(&mut self, fault: Diagnostic) {
        if !self.is_full() && !self.list.contains(&fault) {
            self.list.push(fault);
        }
    }

    /// Adds a fault; for `return Err(…)`.
    pub(super) fn report(&mut self, fault: Diagnostic) -> Reported {
        self.push(fault);
        Reported
    }

    /// Whether going on would report nothing.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() >= FAULTS_MAX
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether all is well.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The faults in the order of the text.
    pub(super) fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|fault| fault.span.start);
        self.list
    }
}

/// The name among `candidates` that was probably meant.
pub(super) fn meant<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let mut candidates = candidates.into_iter().take(CANDIDATES_MAX);
    if name.len() == 1 {
        // Every other name of one letter is as near.
        return candidates.find(|known| *known != name && known.eq_ignore_ascii_case(name));
    }
    did_you_mean(name, candidates)
}
