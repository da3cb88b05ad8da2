//! What went wrong, as the interface's `Error`; keys as people read them.
//!
//! Every message begins with what it is about: the key as the caller gave it, quoted and escaped, since a key must not be able to
//! forge a message; or the store, or the transaction.

use std::fmt;
use std::io::{self, ErrorKind};

use redb::StorageError;

use crate::kv::{Error, Reason};

/// An error about `key`: `text` is what goes on after the quoted key.
#[cold]
pub(crate) fn of_key(kind: Reason, key: &[u8], text: impl fmt::Display) -> Error {
    Error::new(kind, &format!("\"{}\" {text}", key.escape_ascii()))
}

/// An error about everything that is served.
#[cold]
pub(crate) fn of_store(kind: Reason, text: impl fmt::Display) -> Error {
    Error::new(kind, &format!("the store {text}"))
}

/// An error about a transaction.
#[cold]
pub(crate) fn of_transaction(kind: Reason, text: impl fmt::Display) -> Error {
    Error::new(kind, &format!("the transaction {text}"))
}

/// There is no such key.
#[cold]
pub(crate) fn missing(key: &[u8]) -> Error {
    of_key(Reason::Missing, key, "does not exist")
}

/// What the database says.
#[cold]
pub(crate) fn storage(error: &StorageError) -> Error {
    match error {
        StorageError::Io(error) => system(error),
        StorageError::Corrupted(what) => of_store(Reason::Damaged, format_args!("is damaged: {what}")),
        StorageError::PreviousIo => of_store(Reason::Io, "had failed, and is opened anew with the next call"),
        other => of_store(Reason::Io, format_args!("failed: {other}")),
    }
}

/// A commit failed, and so did finding out whether it was kept.
#[cold]
pub(crate) fn unknown(error: &StorageError) -> Error {
    of_store(Reason::Io, format_args!("failed, and it is not known whether the change was kept: {error}"))
}

fn system(error: &io::Error) -> Error {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            of_store(Reason::NoSpace, "finds no space left for its file")
        }
        _ => of_store(Reason::Io, format_args!("failed: {error}")),
    }
}
