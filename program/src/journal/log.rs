//! How runs ended, one after the other, in a file.
//!
//! ```text
//! entry: bytes of the body u32, digest of the body u64, body
//! body:  principal, identity u128, digest u64, name, stops u32, serial u64, outcome; texts and the outcome behind their length u32;
//!        1, and how it went on last: from which stop u32, hash of what was changed; or 0
//! ```
//! Which file counts, and how much of it, stands in one word of the mapped header: what is behind that was not committed, and what is
//! missing was cut off. Another word says which entry is being written, or that none is: what is behind can be that one, or a part of
//! it from its beginning, and nothing else. The next server cuts such a part off before it writes.

use std::collections::HashSet;
use std::fs::{DirEntry, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::record::{Resumed, Who};
use super::{JournalError, check, damaged, outcomes, sealed, system, wrote};
use crate::protocol::Malformed;
use crate::protocol::codec::{Reader, Writer};

/// Bits of the number of bytes in the committed word, and of the file's number above; the rest shows that it is as it was written.
const LEN_BITS: u32 = 40;
const NUMBER_BITS: u32 = 8;
/// Bytes of what does not count that are looked at.
const LOOKED_BYTES_MAX: u64 = 64 << 20;
/// Bytes before a body.
const PREFIX_BYTES: usize = 12;
/// It is written anew when it has twice as much as when it was written last, and so much more.
const SLACK_BYTES: u64 = 1 << 20;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) who: Who,
    /// As it is sent.
    pub(crate) outcome: Arc<[u8]>,
}

impl Entry {
    pub(super) fn encode(who: &Who, outcome: &[u8], key: u64) -> Vec<u8> {
        let Who { principal, id, digest, name, stops, serial, resumed } = who;
        let mut w = Writer::with_capacity(128 + outcome.len());
        w.u32(0);
        w.u64(0);
        w.bytes(principal.as_bytes());
        w.u128(*id);
        w.u64(*digest);
        w.bytes(name.as_bytes());
        w.u32(*stops);
        w.u64(*serial);
        w.bytes(outcome);
        w.option(resumed.as_ref(), |w, Resumed { stop, changes }| {
            w.u32(*stop);
            w.raw(changes);
        });
        let mut bytes = w.finish();
        let len = u32::try_from(bytes.len() - PREFIX_BYTES).unwrap_or(u32::MAX);
        let check = check(key, &bytes[PREFIX_BYTES..]);
        bytes[..4].copy_from_slice(&len.to_le_bytes());
        bytes[4..PREFIX_BYTES].copy_from_slice(&check.to_le_bytes());
        bytes
    }

    fn decode(body: &[u8]) -> Result<Entry, Malformed> {
        let mut r = Reader::new(body);
        let (principal, id, digest) = (r.str()?.into(), r.u128()?, r.u64()?);
        let (name, stops, serial, outcome) = (r.string()?, r.u32()?, r.u64()?, r.bytes()?.into());
        let resumed = r.option(|r| Ok(Resumed { stop: r.u32()?, changes: r.hash()? }))?;
        r.end()?;
        Ok(Entry { who: Who { principal, id, digest, name, stops, serial, resumed }, outcome })
    }
}

/// All entries, which must fill the bytes.
fn entries(bytes: &[u8], key: u64) -> Result<Vec<Entry>, Malformed> {
    let mut r = Reader::new(bytes);
    let mut entries = Vec::new();
    while r.end().is_err() {
        let (len, found) = (r.u32()? as usize, r.u64()?);
        let body = r.raw(len)?;
        if check(key, body) != found {
            return Err(Malformed);
        }
        entries.push(Entry::decode(body)?);
    }
    Ok(entries)
}

/// Entries that are there as a whole, one behind the other, and the bytes of each.
fn whole(bytes: &[u8], key: u64) -> Vec<(Entry, &[u8])> {
    let mut whole = Vec::new();
    let mut rest = bytes;
    while let Some((prefix, behind)) = rest.split_first_chunk::<PREFIX_BYTES>() {
        let [a, b, c, d, found @ ..] = *prefix;
        let Some(body) = behind.get(..u32::from_le_bytes([a, b, c, d]) as usize) else { break };
        let Some(entry) = Some(body).filter(|body| check(key, body) == u64::from_le_bytes(found)) else {
            break;
        };
        let Ok(entry) = Entry::decode(entry) else { break };
        let (one, behind) = rest.split_at(PREFIX_BYTES + body.len());
        whole.push((entry, one));
        rest = behind;
    }
    whole
}

/// The file.
#[derive(Debug)]
pub(super) struct Log {
    dir: PathBuf,
    number: u64,
    file: File,
    len: u64,
    /// When it was written anew.
    first_len: u64,
    /// Whether somebody is writing it anew.
    is_told: bool,
    /// Why nothing can be written any more.
    broken: Option<String>,
}

impl Log {
    /// An empty one.
    pub(super) fn create(dir: &Path, number: u64) -> io::Result<Log> {
        let file = super::open(&outcomes(dir, number))?;
        file.set_len(0)?;
        wrote();
        Ok(Log { dir: dir.to_owned(), number, file, len: 0, first_len: 0, is_told: false, broken: None })
    }

    /// The file that counts, and what is in it. Others are left over ([`Log::remove_others`]).
    ///
    /// A process that is killed leaves at most one entry behind what is committed: the one that the header says is being written. If it is whole, it is as
    /// good as committed; else its end is torn, and it is not there. And the next file has what is in this one and no more.
    /// Any other entry was committed once, by a header that is of another time; and what is no entry was written by others.
    pub(super) fn open(
        dir: &Path,
        [committed, writing]: [u64; 2],
        key: u64,
    ) -> Result<(Log, Vec<Entry>), JournalError> {
        let (number, len) =
            (committed >> LEN_BITS & ((1 << NUMBER_BITS) - 1), committed & ((1 << LEN_BITS) - 1));
        if committed != committed_word(number, len, key) {
            return Err(damaged("journal", "is not as it was left: how much of the outcomes counts"));
        }
        let name = format!("outcomes.{number}");
        let path = outcomes(dir, number);
        if !path.exists() && (len > 0 || is_any(dir)) {
            return Err(damaged(name, "is missing"));
        }
        let file = super::open(&path).map_err(system(&name))?;
        let there = file.metadata().map_err(system(&name))?.len();
        if there < len {
            return Err(damaged(name, "is cut off"));
        }
        let mut bytes = vec![0; len as usize];
        file.read_exact_at(&mut bytes, 0).map_err(system(&name))?;
        let mut entries = entries(&bytes, key)
            .map_err(|Malformed| damaged(&*name, "is not as it was left: it was edited, or is another's"))?;
        let mut log =
            Log { dir: dir.to_owned(), number, file, len, first_len: 0, is_told: false, broken: None };
        let behind = read(&log.file, len, there).map_err(system(&name))?;
        let mut end = &behind[..];
        for (entry, bytes) in whole(&behind, key) {
            if log.len > len || log.writing(bytes, key) != writing {
                return Err(of_another_time(&name));
            }
            log.len += bytes.len() as u64;
            end = &end[bytes.len()..];
            entries.push(entry);
        }
        let is_left = there == log.len || log.len == len && log.is_torn(end, there - len, writing, key);
        if !is_left {
            return Err(damaged(
                name,
                "is not as it was left: what is behind its last outcome, no server was writing",
            ));
        }
        let next = format!("outcomes.{}", next_of(number));
        let of_next = File::open(outcomes(dir, next_of(number)));
        let of_next = of_next.and_then(|file| read(&file, 0, file.metadata()?.len())).unwrap_or_default();
        let here: HashSet<&[u8]> = whole(&bytes, key).into_iter().map(|(_, bytes)| bytes).collect();
        if whole(&of_next, key).iter().any(|(_, bytes)| !here.contains(bytes)) {
            return Err(of_another_time(&next));
        }
        Ok((log, entries))
    }

    /// Whether what is behind what is committed, so long, can be a part of the entry that is being written.
    fn is_torn(&self, end: &[u8], bytes: u64, writing: u64, key: u64) -> bool {
        match end.first_chunk::<PREFIX_BYTES>() {
            Some(prefix) => {
                let [a, b, c, d, ..] = *prefix;
                let entry = PREFIX_BYTES as u64 + u64::from(u32::from_le_bytes([a, b, c, d]));
                bytes < entry && self.writing_of(prefix, entry, key) == writing
            }
            // So little says nothing of the rest.
            None => writing != self.nothing(key),
        }
    }

    /// Removes a torn end: the next outcome may be shorter.
    pub(super) fn cut_end(&self) -> io::Result<()> {
        if self.file.metadata()?.len() > self.len {
            self.file.set_len(self.len)?;
            wrote();
        }
        Ok(())
    }

    /// Removes what is left over.
    pub(super) fn remove_others(&self) {
        remove_others(&self.dir, self.number);
    }

    /// # Errors
    /// Why nothing can be written.
    pub(super) fn check(&self) -> Result<(), String> {
        self.broken.clone().map_or(Ok(()), Err)
    }

    /// What the header says before this entry is written.
    pub(super) fn writing(&self, entry: &[u8], key: u64) -> u64 {
        self.writing_of(&entry[..PREFIX_BYTES.min(entry.len())], entry.len() as u64, key)
    }

    fn writing_of(&self, prefix: &[u8], bytes: u64, key: u64) -> u64 {
        check(committed_word(self.number, self.len + bytes, key), prefix)
    }

    /// What it says when none is being written.
    pub(super) fn nothing(&self, key: u64) -> u64 {
        self.writing_of(&[], 0, key)
    }

    /// Writes an entry; what went wrong is wrong from then on.
    pub(super) fn append(&mut self, entry: &[u8]) -> Result<(), String> {
        if let Err(error) = self.file.write_all_at(entry, self.len) {
            let why = format!("outcomes: {error}");
            self.broken = Some(why.clone());
            return Err(why);
        }
        wrote();
        self.len += entry.len() as u64;
        Ok(())
    }

    /// As it is committed.
    pub(super) fn committed(&self, key: u64) -> u64 {
        committed_word(self.number, self.len, key)
    }

    pub(super) fn is_long(&mut self) -> bool {
        let is_long = self.len > 2 * self.first_len + SLACK_BYTES;
        is_long && !std::mem::replace(&mut self.is_told, true)
    }

    /// The same file, as it is now.
    pub(super) fn clone_now(&self) -> io::Result<Log> {
        let file = self.file.try_clone()?;
        Ok(Log { dir: self.dir.clone(), broken: None, file, ..*self })
    }

    /// Another file with those entries of this one that are kept; of this one so much is in it.
    pub(super) fn rewritten(
        &self,
        key: u64,
        keep: impl FnOnce(Vec<Entry>) -> Vec<Entry>,
    ) -> io::Result<(Log, u64)> {
        let mut bytes = vec![0; self.len as usize];
        self.file.read_exact_at(&mut bytes, 0)?;
        let entries = entries(&bytes, key).map_err(io::Error::other)?;
        let mut next = Log::create(&self.dir, next_of(self.number))?;
        for entry in keep(entries) {
            next.append(&Entry::encode(&entry.who, &entry.outcome, key)).map_err(io::Error::other)?;
        }
        next.first_len = next.len;
        Ok((next, self.len))
    }

    /// Goes over to another file that has so much of this one already; returns this one.
    pub(super) fn go_over(&mut self, (mut next, has): (Log, u64)) -> io::Result<Log> {
        self.is_told = false;
        let mut later = vec![0; (self.len - has) as usize];
        self.file.read_exact_at(&mut later, has)?;
        next.file.write_all_at(&later, next.len)?;
        wrote();
        next.len += later.len() as u64;
        Ok(std::mem::replace(self, next))
    }

    /// It could not be written anew: there is more than need be, until there is twice as much again.
    pub(super) fn go_on_as_it_is(&mut self) {
        (self.first_len, self.is_told) = (self.len, false);
    }

    /// Another file counts from now on. If it stays, the next server removes it.
    pub(super) fn remove(self) {
        let _ = std::fs::remove_file(outcomes(&self.dir, self.number));
        wrote();
    }
}

/// Number of the file behind this one.
fn next_of(number: u64) -> u64 {
    (number + 1) & ((1 << NUMBER_BITS) - 1)
}

/// The header and this file were not left together.
fn of_another_time(name: &str) -> JournalError {
    damaged(
        "journal",
        format!("is of an earlier time than {name}, which has outcomes that it does not count"),
    )
}

/// What is in a file from `at` on, up to `end`, as much of it as more than one outcome can be.
fn read(file: &File, at: u64, end: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; end.saturating_sub(at).min(LOOKED_BYTES_MAX) as usize];
    file.read_exact_at(&mut bytes, at)?;
    Ok(bytes)
}

pub(super) fn committed_word(number: u64, len: u64, key: u64) -> u64 {
    sealed(key, number << LEN_BITS | len, LEN_BITS + NUMBER_BITS)
}

/// All files of outcomes.
fn all(dir: &Path) -> impl Iterator<Item = DirEntry> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"outcomes."))
}

/// Whether there are outcomes, in whatever file.
pub(super) fn is_any(dir: &Path) -> bool {
    all(dir).any(|entry| entry.metadata().is_ok_and(|data| data.len() > 0))
}

fn remove_others(dir: &Path, number: u64) {
    let keep = outcomes(dir, number);
    for path in all(dir).map(|entry| entry.path()).filter(|path| *path != keep) {
        // What stays does no harm.
        let _ = std::fs::remove_file(path);
    }
}
