//! By what clients know a server again that remembers their runs: its journal, or else its process; and the machine's last start,
//! which what is mapped into memory need not survive.

use std::hash::{BuildHasher as _, RandomState};

use crate::digest::Digest;
use crate::journal::Line;

/// The server's own. `key` is its journal's, or made up.
pub(super) fn identity(key: u64, line: Option<Line>) -> u64 {
    let mut digest = Digest(key);
    match (line, std::fs::read("/proc/sys/kernel/random/boot_id")) {
        (Some(line), Ok(boot)) => digest.bytes(line.of, &boot),
        _ => digest.words([RandomState::new().hash_one(0), 0]),
    }
    digest.0
}

/// What one principal is told: another one's runs are others, whatever their identities.
pub(super) fn for_principal(identity: u64, principal: &str) -> u64 {
    let mut digest = Digest(identity);
    digest.bytes(0, principal.as_bytes());
    digest.0
}
