//! What went wrong, as the interface's `Error`; keys as people read them.
//!
//! Every message begins with what it is about: the key as the caller gave it, quoted and escaped, since a key must not be able to
//! forge a message; or the store, or the transaction.

use std::fmt;

use carnet_database::Fault;

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
        of_store(kind, fault)
    }
}
