//! The file of what was deferred: records, one after the other, each behind a digest that all before it is part of.
//!
//! ```text
//! header:  `carnet-d`, version u64
//! mark:    bytes that count u64, number of the mark u64, digest u64; twice, written in turns
//! record:  bytes of the body u32, digest u64, body
//! ```
//!
//! A record counts when it is on the disk, and a mark says so, which is on the disk, too. So whoever is killed, or loses power, in
//! the middle of it leaves a file that is as before, or has the record; what is behind the mark and not whole was never
//! acknowledged. What the mark says is there and is not was lost or changed by somebody else, and is told. The record comes before
//! its mark, so that a mark that is not whole stands before whole records only, up to the end: else somebody else changed both.
//!
//! A file comes to its name when it is whole. One that is too short to be one was cut.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::DeferredError;

/// `carnet-d`, and the version of the file.
const MAGIC: [u8; 8] = *b"carnet-d";
const VERSION: u64 = 2;
/// Nobody wrote outcomes then that say which limits are used up. All else is the same, and what is added makes it one of this version.
const BEFORE: u64 = 1;
/// What marks are digests behind, in all versions.
const MARKED: u64 = 1;
/// Where the version is, and the marks.
const VERSION_AT: u64 = 8;
const MARKS: [u64; 2] = [16, 40];
const MARK_BYTES: usize = 24;
/// Where records begin.
const HEADER_BYTES: usize = 64;
/// Bytes before a body.
const PREFIX_BYTES: usize = 12;

/// The file, open for more.
#[derive(Debug)]
pub(super) struct Records {
    path: PathBuf,
    file: File,
    /// Bytes that count.
    len: u64,
    /// Of the last mark.
    number: u64,
    /// Of all records.
    digest: u64,
    /// Something could not be written: what is there is not known any more.
    is_broken: bool,
}

/// Records that can be added to, their bodies, and what is wrong with what is behind.
type Opened = (Records, Vec<Vec<u8>>, Option<String>);

/// What is in a file.
struct Found {
    bodies: Vec<Vec<u8>>,
    len: u64,
    number: u64,
    digest: u64,
    version: u64,
    /// One of the marks is not whole, or there are records behind both.
    wants_mark: bool,
    /// What is wrong with what is behind.
    wrong: Option<String>,
}

impl Records {
    /// Opens the file, or makes it; returns what is in it.
    pub(super) fn open(path: &Path) -> Result<(Records, Vec<Vec<u8>>), DeferredError> {
        let Some((file, bytes)) = read(path)? else { return Ok((Records::make(path)?, Vec::new())) };
        let found = found(&bytes)?;
        match found.wrong {
            None => Ok((Records::cut_to(path, file, &found)?, found.bodies)),
            Some(why) => Err(DeferredError::Damaged { why, whole: found.bodies.len() }),
        }
    }

    /// As [`Records::open`], of a file that may be damaged: the records before the damage count, with what `more` adds to these, and the
    /// file as it was is put aside.
    pub(super) fn salvage(
        path: &Path,
        more: impl FnOnce(&[Vec<u8>]) -> Result<Vec<Vec<u8>>, DeferredError>,
    ) -> Result<Opened, DeferredError> {
        let Some((file, bytes)) = read(path)? else { return Ok((Records::make(path)?, Vec::new(), None)) };
        let found = match found(&bytes) {
            Ok(found) => found,
            Err(DeferredError::Damaged { why, .. }) => {
                std::fs::rename(path, free_name(path))?;
                return Ok((Records::make(path)?, Vec::new(), Some(why)));
            }
            Err(other) => return Err(other),
        };
        let Some(why) = &found.wrong else {
            return Ok((Records::cut_to(path, file, &found)?, found.bodies, None));
        };
        let bodies = [found.bodies.clone(), more(&found.bodies)?].concat();
        let aside = free_name(path);
        std::fs::copy(path, &aside)?;
        File::open(&aside)?.sync_all()?;
        // At once: without what is added, what is whole would mean something else.
        let mut records = Records::of(path, file, &found);
        records.replace(&bodies)?;
        Ok((records, bodies, Some(why.clone())))
    }

    fn of(path: &Path, file: File, found: &Found) -> Records {
        let &Found { len, number, digest, .. } = found;
        Records { path: path.to_owned(), file, len, number, digest, is_broken: false }
    }

    /// The file, of which what was found counts and nothing else.
    fn cut_to(path: &Path, file: File, found: &Found) -> io::Result<Records> {
        let mut records = Records::of(path, file, found);
        records.file.set_len(found.len)?;
        if found.version != VERSION {
            records.file.write_all_at(&VERSION.to_le_bytes(), VERSION_AT)?;
            records.file.sync_data()?;
        }
        if found.wants_mark {
            records.mark()?;
        }
        Ok(records)
    }

    /// An empty file, which has its name when it is whole.
    fn make(path: &Path) -> io::Result<Records> {
        let mut records = Records::apart(path)?;
        records.take_place(path)?;
        Ok(records)
    }

    /// An empty file, under another name.
    fn apart(path: &Path) -> io::Result<Records> {
        let path = path.with_extension("new");
        let file =
            File::options().read(true).write(true).create(true).truncate(true).mode(0o600).open(&path)?;
        let mut header = [0; HEADER_BYTES];
        header[..8].copy_from_slice(&MAGIC);
        file.write_all_at(&header, 0)?;
        file.write_all_at(&VERSION.to_le_bytes(), VERSION_AT)?;
        let mut records =
            Records { path, file, len: HEADER_BYTES as u64, number: 0, digest: 0, is_broken: false };
        records.mark()?;
        records.mark()?;
        Ok(records)
    }

    /// Takes the name of another file, at once.
    fn take_place(&mut self, path: &Path) -> io::Result<()> {
        std::fs::rename(&self.path, path)?;
        path.clone_into(&mut self.path);
        // Whichever of the two is there after a crash, what is added from now on might not be.
        let is_there = sync_dir(path);
        self.is_broken = is_there.is_err();
        is_there
    }

    /// Bytes that count.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Adds a record; it is on the disk when this returns.
    ///
    /// # Errors
    /// If it could not be written. It may be there all the same the next time, and nothing more can be added now.
    pub(super) fn append(&mut self, body: &[u8]) -> io::Result<()> {
        if self.is_broken {
            return Err(io::Error::other("an earlier record could not be written"));
        }
        self.is_broken = true;
        let digest = digest(self.digest, body);
        self.file.write_all_at(&framed(body, digest), self.len)?;
        self.file.sync_data()?;
        (self.len, self.digest) = (self.len + (PREFIX_BYTES + body.len()) as u64, digest);
        self.mark()?;
        self.is_broken = false;
        Ok(())
    }

    /// All until here counts.
    fn mark(&mut self) -> io::Result<()> {
        self.number += 1;
        let at = MARKS[(self.number % 2) as usize];
        self.file.write_all_at(&mark(self.len, self.number), at)?;
        self.file.sync_data()
    }

    /// Another file with these records takes the place of this one, at once. If it cannot, this one stays, or nothing more can be
    /// added now.
    pub(super) fn replace(&mut self, bodies: &[Vec<u8>]) -> io::Result<()> {
        let mut next = Records::apart(&self.path)?;
        let (mut bytes, mut at) = (Vec::new(), 0);
        for body in bodies {
            at = digest(at, body);
            bytes.extend(framed(body, at));
        }
        next.file.write_all_at(&bytes, next.len)?;
        next.file.sync_data()?;
        (next.len, next.digest) = (next.len + bytes.len() as u64, at);
        next.mark()?;
        let path = self.path.clone();
        let is_placed = next.take_place(&path);
        // Under the name is the new one, whether or not that is on the disk.
        if next.path == path {
            *self = next;
        }
        is_placed
    }
}

/// The file with its bytes, if there is one.
fn read(path: &Path) -> Result<Option<(File, Vec<u8>)>, DeferredError> {
    let file = match File::options().read(true).write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut bytes = vec![0; usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(Some((file, bytes)))
}

/// A file that was made or renamed is there after a crash, too.
fn sync_dir(path: &Path) -> io::Result<()> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(dir)?.sync_all()
}

/// Where a damaged file is put aside.
fn free_name(path: &Path) -> PathBuf {
    let names = (1_u32..).map(|n| path.with_extension(format!("damaged.{n}")));
    names.into_iter().find(|name| !name.exists()).unwrap_or_else(|| path.with_extension("damaged"))
}

/// Of a body, and all that were before it.
fn digest(before: u64, body: &[u8]) -> u64 {
    let mut hasher = Sha256::new();
    hasher.update(before.to_le_bytes());
    hasher.update(body);
    first_word(&hasher.finalize())
}

fn first_word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

fn word(bytes: &[u8], at: u64) -> u64 {
    first_word(&bytes[at as usize..])
}

fn framed(body: &[u8], digest: u64) -> Vec<u8> {
    let len = u32::try_from(body.len()).unwrap_or(u32::MAX);
    let mut bytes = Vec::with_capacity(PREFIX_BYTES + body.len());
    bytes.extend(len.to_le_bytes());
    bytes.extend(digest.to_le_bytes());
    bytes.extend(body);
    bytes
}

fn mark(len: u64, number: u64) -> [u8; MARK_BYTES] {
    let mut bytes = [0; MARK_BYTES];
    bytes[..8].copy_from_slice(&len.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    let check = digest(MARKED, &bytes[..16]);
    bytes[16..].copy_from_slice(&check.to_le_bytes());
    bytes
}

/// The mark there, if it is whole: bytes and number.
fn marked(bytes: &[u8], at: u64) -> Option<(u64, u64)> {
    let (len, number) = (word(bytes, at), word(bytes, at + 8));
    let found = bytes.get(at as usize..at as usize + MARK_BYTES)?;
    (found == mark(len, number)).then_some((len, number))
}

/// What is in a file.
fn found(bytes: &[u8]) -> Result<Found, DeferredError> {
    let not_one = |why: &str| DeferredError::Damaged { why: why.to_owned(), whole: 0 };
    if !bytes.starts_with(&MAGIC[..bytes.len().min(8)]) {
        return Err(not_one("it is no such file"));
    }
    if bytes.len() < HEADER_BYTES {
        return Err(not_one("it is cut off within its first bytes"));
    }
    let version = word(bytes, VERSION_AT);
    if version != VERSION && version != BEFORE {
        return Err(DeferredError::Version(version));
    }
    let marks: Vec<(u64, u64)> = MARKS.into_iter().filter_map(|at| marked(bytes, at)).collect();
    let (counts, number) = marks
        .iter()
        .copied()
        .max_by_key(|(_, number)| *number)
        .ok_or_else(|| not_one("how much of it counts is not as it was written"))?;
    let mut found = Found {
        bodies: Vec::new(),
        len: HEADER_BYTES as u64,
        number,
        digest: 0,
        version,
        wants_mark: false,
        wrong: None,
    };
    let mut rest = &bytes[HEADER_BYTES..];
    while let Some((body, digest, behind)) = next(rest, found.digest) {
        found.bodies.push(body.to_vec());
        (found.len, found.digest, rest) = (found.len + (PREFIX_BYTES + body.len()) as u64, digest, behind);
    }
    let is_torn = marks.len() < MARKS.len();
    found.wants_mark = is_torn || found.len > counts;
    if found.len < counts {
        let is_cut = (bytes.len() as u64) < counts;
        let what = if is_cut { "it is cut off" } else { "it was changed" };
        let lost = counts - found.len;
        found.wrong = Some(format!("{what} at byte {}: {lost} bytes are lost", found.len));
    } else if is_torn && !rest.is_empty() {
        // The mark that is not whole may have counted them.
        let lost = rest.len();
        found.wrong = Some(format!("it was changed at byte {}: {lost} bytes may be lost", found.len));
    }
    Ok(found)
}

/// The record there, if it is whole: its body, the digest, and what is behind.
fn next(bytes: &[u8], before: u64) -> Option<(&[u8], u64, &[u8])> {
    let (len, rest) = bytes.split_first_chunk::<4>()?;
    let (told, rest) = rest.split_first_chunk::<8>()?;
    let (body, behind) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    let digest = digest(before, body);
    (u64::from_le_bytes(*told) == digest).then_some((body, digest, behind))
}
