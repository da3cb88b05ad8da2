//! Files with recordings: the interface, when the run began, and its calls.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::recording::{BYTES_MAX, Tape};

use crate::exit::Problem;
use crate::source::shown;

const MAGIC: &[u8] = b"carnet recording 1\n";

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
        Recording::decode(&bytes).ok_or_else(|| {
            unread(&"it is no recording of this version, or not all of one; `carnet debug step --record` makes them")
        })
    }

    fn decode(bytes: &[u8]) -> Option<Recording> {
        let bytes = bytes.strip_prefix(MAGIC)?;
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
        for part in [MAGIC, &head, &module, &self.tape.encode()] {
            file.write_all(part).map_err(|error| unwritten(path, &error))?;
        }
        Ok(())
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> Problem {
    Problem::usage(format!(
        "error: cannot write the recording {}: {error}\ngive a file that is not there yet, where there is room",
        shown(path)
    ))
}
