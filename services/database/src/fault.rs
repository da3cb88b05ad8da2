//! What went wrong with an open database.

use std::io::{self, ErrorKind};

use redb::StorageError;
use thiserror::Error;

/// Why it cannot be read or changed. As text, it goes on after the name of what is stored: `the store` failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// It was opened so.
    #[error("cannot be changed: it is served for reading only")]
    ReadOnly,
    /// It would hold too much.
    #[error("was not changed: it would hold {bytes} bytes instead of {before}, of a quota of {quota}")]
    Quota {
        /// What it would hold.
        bytes: u64,
        /// What it holds.
        before: u64,
        /// What it may hold.
        quota: u64,
    },
    /// The disk is full, or its user may store no more.
    #[error("finds no space left for its file")]
    NoSpace,
    /// The file does not hold what it should.
    #[error("is damaged: {0}")]
    Damaged(String),
    /// It failed for another call.
    #[error("had failed, and is opened anew with the next call")]
    Failed,
    /// It failed, and stays closed.
    #[error("had failed, and cannot be opened anew: {0}")]
    Closed(String),
    /// A commit failed, and so did finding out whether it was kept.
    #[error("failed, and it is not known whether the change was kept: {0}")]
    Unknown(String),
    /// What the system says.
    #[error("failed: {0}")]
    Io(String),
}

impl From<&StorageError> for Fault {
    #[cold]
    fn from(error: &StorageError) -> Fault {
        match error {
            StorageError::Io(error) => system(error),
            StorageError::Corrupted(what) => Fault::Damaged(what.clone()),
            StorageError::PreviousIo => Fault::Failed,
            other => Fault::Io(other.to_string()),
        }
    }
}

fn system(error: &io::Error) -> Fault {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => Fault::NoSpace,
        _ => Fault::Io(error.to_string()),
    }
}
