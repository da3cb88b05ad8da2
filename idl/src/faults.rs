//! The diagnostics of one run, at most [`limits::FAULTS_MAX`] of them.

use crate::diagnostic::Diagnostic;
use crate::limits;

/// Collects diagnostics; what comes after the limit is only counted.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    list: Vec<Diagnostic>,
    dropped: usize,
}

impl Faults {
    /// Adds one, unless the last one said the same.
    pub(crate) fn push(&mut self, fault: Diagnostic) {
        if self.list.last() == Some(&fault) {
            return;
        }
        if self.list.len() < limits::FAULTS_MAX {
            self.list.push(fault);
        } else {
            self.dropped += 1;
        }
    }

    /// Counts one that would not be taken.
    pub(crate) fn skip(&mut self) {
        self.dropped += 1;
    }

    /// Whether nothing more will be taken.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= limits::FAULTS_MAX
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All that were taken, in order of their places.
    pub(crate) fn into_list(mut self) -> Vec<Diagnostic> {
        let is_full = self.is_full();
        self.list.sort_by_key(|fault| fault.span);
        if let Some(last) = self.list.last_mut().filter(|_| is_full) {
            let most = limits::FAULTS_MAX;
            last.notes.push(match self.dropped {
                // Who reads a text stops here.
                0 => format!("no more than {most} faults are looked for"),
                more => format!("no more than {most} faults are shown; there are {more} more at least"),
            });
        }
        self.list
    }
}
