//! Files with recordings: the interface, when the run began, its calls, and at the end a SHA-256 of all that.
//!
//! The digest tells what was cut or edited by mistake. Whoever means to can make another one: what is replayed is checked as it is by a client.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::recording::{BYTES_MAX, Tape};
use sha2::{Digest as _, Sha256};

use crate::exit::Problem;
use crate::source::shown;

const MAGIC: &[u8] = b"carnet recording 2\n";
/// Of all versions.
const KIND: &[u8] = b"carnet recording ";
const DIGEST_BYTES: usize = 32;

/// What a file has.
pub(super) struct Recording {
    pub(super) module: &'static Module,
    /// Interface of the root.
    pub(super) root: InterfaceId,
    /// When the run began, in ns.
    pub(super) started: i64,
    pub(super) tape: Arc<Tape>,
}

impl Recording {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Recording, Problem> {
        let unread = |why: &dyn std::fmt::Display| {
            Problem::usage(format!("error: cannot replay {}: {why}", shown(path)))
        };
        let len = std::fs::metadata(path).map_err(|error| unread(&error))?.len();
        if len > 2 * BYTES_MAX as u64 {
            return Err(unread(&"it is larger than any recording"));
        }
        let bytes = std::fs::read(path).map_err(|error| unread(&error))?;
        let body = body(&bytes).map_err(|why| unread(&why))?;
        Recording::decode(body).ok_or_else(|| unread(&"what is in it is no recording"))
    }

    fn decode(bytes: &[u8]) -> Option<Recording> {
        let (started, bytes) = bytes.split_first_chunk()?;
        let (root, bytes) = bytes.split_first_chunk()?;
        let (len, bytes) = bytes.split_first_chunk()?;
        let (module, tape) = bytes.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        let module: &'static Module = Box::leak(Box::new(carnet_idl::decode(module).ok()?));
        let root = InterfaceId(u16::from_le_bytes(*root));
        module.interfaces.get(root.index())?;
        Some(Recording {
            module,
            root,
            started: i64::from_le_bytes(*started),
            tape: Tape::decode(tape).ok()?,
        })
    }

    /// A file for a recording. It must not be there yet: what is in it could not be made again.
    pub(super) fn create(path: &Path) -> Result<File, Problem> {
        File::create_new(path).map_err(|error| unwritten(path, &error))
    }

    /// Writes it.
    pub(super) fn write(&self, mut file: File, path: &Path) -> Result<(), Problem> {
        let module = carnet_idl::encode(self.module);
        let len = u32::try_from(module.len()).unwrap_or(u32::MAX);
        let head = [&self.started.to_le_bytes()[..], &self.root.0.to_le_bytes(), &len.to_le_bytes()].concat();
        let mut digest = Sha256::new();
        for part in [MAGIC, &head, &module, &self.tape.encode()] {
            digest.update(part);
            file.write_all(part).map_err(|error| unwritten(path, &error))?;
        }
        file.write_all(&digest.finalize()).map_err(|error| unwritten(path, &error))
    }
}

/// What is between the beginning of a file and its digest.
///
/// # Errors
/// Why it is not what was written, for people.
fn body(bytes: &[u8]) -> Result<&[u8], &'static str> {
    if !bytes.starts_with(KIND) {
        return Err("it is no recording; `carnet debug step --record` makes them");
    }
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err("it is of another version of Carnet, or was cut off; record it anew");
    };
    let (body, digest) = rest.split_last_chunk::<DIGEST_BYTES>().ok_or("it was cut off")?;
    match Sha256::digest(&bytes[..MAGIC.len() + body.len()])[..] == digest[..] {
        true => Ok(body),
        false => Err("it was cut off or edited: its end does not fit the rest"),
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> Problem {
    Problem::usage(format!(
        "error: cannot write the recording {}: {error}\ngive a file that is not there yet, where there is room",
        shown(path)
    ))
}
