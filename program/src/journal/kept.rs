//! Runs that stopped and are kept, a file for each, named by the serial of the run.
//!
//! ```text
//! file: `carnet-k` and version u64 each, digest of the body u64, body
//! body: serial u64, stop u32, kept until u64 (s since 1970), program's hash, bytes written u64, program's name; then
//!       1 and the memento, or 0 and why there is none; texts and the memento behind their length u32
//! ```
//! It is written before the outcome that says that the run is kept, and counts only for that one: what another outcome or a run
//! under way has come after is removed.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{JournalError, check, damaged, system, wrote};
use crate::bill::Hash;
use crate::protocol::Malformed;
use crate::protocol::codec::{Reader, Writer};

/// `carnet-k`, and the version of mementos.
const MAGIC: u64 = u64::from_le_bytes(*b"carnet-k");
const VERSION: u64 = 3;
/// Bytes before the body.
const PREFIX_BYTES: usize = 24;

/// A run that stopped, as it is kept in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    /// The stop that it is kept at, counted from 1.
    pub(crate) stop: u32,
    /// When it is let go, in seconds since 1970.
    pub(crate) until_s: u64,
    /// Of its program, and the program's name.
    pub(crate) hash: Hash,
    pub(crate) program: String,
    /// Bytes that its calls have written.
    pub(crate) written: u64,
    /// What it goes on from, or why it cannot go on in another process.
    pub(crate) memento: Result<Arc<[u8]>, String>,
}

impl Kept {
    fn encode(&self, serial: u64, key: u64) -> Vec<u8> {
        let (is_one, bytes) = match &self.memento {
            Ok(memento) => (1, &**memento),
            Err(why) => (0, why.as_bytes()),
        };
        let mut w = Writer::with_capacity(PREFIX_BYTES + 96 + bytes.len());
        w.raw(&[0; PREFIX_BYTES]);
        w.u64(serial);
        w.u32(self.stop);
        w.u64(self.until_s);
        w.raw(&self.hash);
        w.u64(self.written);
        w.bytes(self.program.as_bytes());
        w.u8(is_one);
        w.bytes(bytes);
        let mut file = w.finish();
        let words = [MAGIC, VERSION, check(key, &file[PREFIX_BYTES..])];
        for (place, word) in file.chunks_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        file
    }

    fn decode(body: &[u8]) -> Result<(u64, Kept), Malformed> {
        let mut r = Reader::new(body);
        let (serial, stop, until_s, hash) = (r.u64()?, r.u32()?, r.u64()?, r.hash()?);
        let (written, program) = (r.u64()?, r.string()?);
        let memento = if r.bool()? { Ok(r.bytes()?.into()) } else { Err(r.string()?) };
        r.end()?;
        Ok((serial, Kept { stop, until_s, hash, program, written, memento }))
    }
}

pub(super) fn file(dir: &Path, serial: u64) -> PathBuf {
    dir.join("kept").join(serial.to_string())
}

/// Under another name first: what has its name is whole.
pub(super) fn write(dir: &Path, serial: u64, kept: &Kept, key: u64) -> io::Result<()> {
    let (whole, part) = (file(dir, serial), dir.join("kept").join(format!("{serial}.part")));
    let written = super::open(&part).and_then(|mut file| {
        file.set_len(0)?;
        file.write_all(&kept.encode(serial, key))?;
        wrote();
        Ok(())
    });
    let renamed = written.and_then(|()| fs::rename(&part, whole));
    renamed.inspect(|()| wrote()).inspect_err(|_| {
        // It is no run's, and the next server removes it.
        let _ = fs::remove_file(&part);
    })
}

/// What is kept of a run, if there is anything.
///
/// # Errors
/// If the file is not as it was left.
pub(super) fn read(dir: &Path, serial: u64, key: u64) -> Result<Option<Kept>, JournalError> {
    let name = format!("kept/{serial}");
    let bytes = match fs::read(file(dir, serial)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(system(&name))?,
    };
    let Some((prefix, body)) = bytes.split_first_chunk::<PREFIX_BYTES>() else {
        return Err(damaged(name, "is cut off"));
    };
    let word = |at: usize| u64::from_le_bytes(prefix[at..at + 8].try_into().unwrap_or_default());
    if word(0) != MAGIC {
        return Err(damaged(name, "is no run that is kept"));
    }
    let other_version = word(8) != VERSION;
    let is_whole = check(key, body) == word(16);
    match Kept::decode(body) {
        // The digest is of the body alone, which another version may write otherwise.
        _ if other_version => {
            Err(damaged(name, format!("is of version {}, and this server knows version {VERSION}", word(8))))
        }
        Ok((of, kept)) if is_whole && of == serial => Ok(Some(kept)),
        _ => Err(damaged(name, "is not as it was left: it was cut off or edited, or is another's")),
    }
}

/// Removes the files of all other runs.
pub(super) fn remove_others(dir: &Path, serials: &HashSet<u64>) {
    for entry in fs::read_dir(dir.join("kept")).into_iter().flatten().flatten() {
        let serial = entry.file_name().to_str().and_then(|name| name.parse().ok());
        if serial.is_none_or(|serial| !serials.contains(&serial)) {
            // What stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}
