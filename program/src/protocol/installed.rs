//! Programs that a server has installed.

use super::Malformed;
use super::codec::{decode_list, encode_list};
use crate::bill::Hash;

/// A program that is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledProgram {
    /// Its name.
    pub name: String,
    /// The hash of its bytecode.
    pub hash: Hash,
    /// Its source text; empty in a list of all.
    pub source: String,
}

/// Writes a list of them.
#[must_use]
pub fn encode_installed(programs: &[InstalledProgram]) -> Vec<u8> {
    encode_list(programs, |w, program| {
        w.bytes(program.name.as_bytes());
        w.raw(&program.hash);
        w.bytes(program.source.as_bytes());
    })
}

/// Reads a list of them.
///
/// # Errors
/// [`Malformed`].
pub fn decode_installed(bytes: &[u8]) -> Result<Vec<InstalledProgram>, Malformed> {
    decode_list(bytes, 40, |r| {
        Ok(InstalledProgram { name: r.string()?, hash: r.hash()?, source: r.string()? })
    })
}
