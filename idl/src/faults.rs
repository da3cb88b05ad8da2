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
        self.list.sort_by_key(|fault| fault.span);
        if self.dropped > 0
            && let Some(last) = self.list.last_mut()
        {
            last.notes.push(format!("{} faults more are not shown", self.dropped));
        }
        self.list
    }
}
