//! What went wrong, as the interface's `Error`.
//!
//! Every message begins with what is at fault, quoted and escaped where a caller gave it, since no text may forge a message.

use std::fmt;

use carnet_database::Fault;

use crate::tracker::{Error, Reason};

/// An error about something that has a name: `text` is what goes on behind it.
#[cold]
pub(crate) fn of(kind: Reason, noun: &str, name: &[u8], text: impl fmt::Display) -> Error {
    Error::new(kind, &format!("{noun} \"{}\" {text}", name.escape_ascii()))
}

/// An error about an issue.
#[cold]
pub(crate) fn of_issue(kind: Reason, project: &[u8], number: i64, text: impl fmt::Display) -> Error {
    Error::new(kind, &format!("issue {number} of project \"{}\" {text}", project.escape_ascii()))
}

/// An error about everything that is served.
#[cold]
pub(crate) fn of_tracker(kind: Reason, text: impl fmt::Display) -> Error {
    Error::new(kind, &format!("the tracker {text}"))
}

/// What is stored of something cannot be read.
#[cold]
pub(crate) fn damaged() -> Error {
    of_tracker(Reason::Damaged, "is damaged: an entry of its file cannot be read")
}

impl From<Fault> for Error {
    #[cold]
    fn from(fault: Fault) -> Error {
        let kind = match fault {
            Fault::ReadOnly => Reason::ReadOnly,
            Fault::Quota { .. } => Reason::Quota,
            Fault::NoSpace => Reason::NoSpace,
            Fault::Damaged(_) => Reason::Damaged,
            Fault::Failed | Fault::Closed(_) | Fault::Unknown(_) | Fault::Io(_) => Reason::Io,
        };
        of_tracker(kind, fault)
    }
}
