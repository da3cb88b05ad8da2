//! Bytecode of programs, a file for each, named by its hash.
//!
//! Those that runs need are pinned. Of the others there are so many, and so many bytes, at most: what was not used for longest goes
//! first. A file is held against the bytecode that is at hand before a run rests on it, and written anew if it is not the same; that
//! is done again when it was changed since. What is read, and is not what its name says, is taken for missing. No more is read of a file
//! than a program can have.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::{Bounds, lock};
use crate::bill::{Hash, hash};
use crate::bytecode::BYTES_MAX;
use crate::text::hex;

/// What has such a name is being written.
const PART: &str = "part";
/// What is longer is no program: literals may have [`BYTES_MAX`], and the tables beside them have bounds of their own that are less.
const FILE_BYTES_MAX: u64 = 2 * BYTES_MAX as u64;

#[derive(Debug)]
pub(super) struct Shelf {
    dir: PathBuf,
    books: HashMap<Hash, Book>,
    bytes: usize,
    clock: u64,
    /// Files that were begun.
    parts: u64,
    max: usize,
    bytes_max: usize,
}

#[derive(Debug)]
struct Book {
    len: usize,
    /// Runs that need it.
    pins: usize,
    used: u64,
    /// The file as it was when it was whole, and on the disk with its name.
    whole: Option<Stamp>,
}

/// What there is of a program that is to be pinned.
enum There {
    /// It is pinned.
    OnDisk,
    /// It is pinned. Nobody knows whether it is on the disk.
    Whole(Stamp),
    Not,
}

/// By what it is known that a file was changed: its number, length, and time of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    len: u64,
    changed: (i64, i64),
}

impl Stamp {
    fn of(path: &Path) -> Option<Stamp> {
        let found = fs::metadata(path).ok()?;
        Some(Stamp {
            file: (found.dev(), found.ino()),
            len: found.len(),
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }
}

impl Shelf {
    /// What is there, least recently written first.
    pub(super) fn open(dir: PathBuf, bounds: &Bounds) -> io::Result<Shelf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            let data = entry.metadata()?;
            let name = entry.file_name();
            if let Some(hash) = name.to_str().and_then(hash_of) {
                found.push((data.modified()?, hash, data.len() as usize));
            } else if name.to_str().is_some_and(|name| name.starts_with(PART)) {
                // It is half written; what stays does no harm.
                let _ = fs::remove_file(entry.path());
            }
        }
        found.sort();
        let mut shelf = Shelf {
            dir,
            books: HashMap::new(),
            bytes: 0,
            clock: 0,
            parts: 0,
            max: bounds.programs,
            bytes_max: bounds.program_bytes,
        };
        found.into_iter().for_each(|(_, hash, len)| shelf.put(hash, len));
        Ok(shelf)
    }

    fn put(&mut self, hash: Hash, len: usize) {
        self.clock += 1;
        self.bytes += len;
        self.books.insert(hash, Book { len, pins: 0, used: self.clock, whole: None });
    }

    /// Keeps a program until it is unpinned as often, if it is there and whole.
    fn pin_whole(&mut self, hash: &Hash, bytes: &[u8]) -> There {
        let path = self.path(hash);
        let Some(book) = self.books.get_mut(hash) else { return There::Not };
        let Some(now) = Stamp::of(&path) else { return There::Not };
        let there = if book.whole == Some(now) {
            There::OnDisk
        } else if read(&path).is_ok_and(|found| found == bytes) {
            There::Whole(now)
        } else {
            return There::Not;
        };
        self.pin_again(hash);
        there
    }

    /// The same for one that was written to another file, which gets its name.
    fn pin_written(&mut self, hash: &Hash, len: usize, part: &Path) -> io::Result<Option<Stamp>> {
        let path = self.path(hash);
        fs::rename(part, &path)?;
        match self.books.get_mut(hash) {
            Some(book) => self.bytes = self.bytes - std::mem::replace(&mut book.len, len) + len,
            None => self.put(*hash, len),
        }
        self.pin_again(hash);
        self.make_room();
        Ok(Stamp::of(&path))
    }

    /// The file is on the disk, as it was then.
    fn is_on_disk(&mut self, hash: &Hash, stamp: Option<Stamp>) {
        if let Some(book) = self.books.get_mut(hash) {
            book.whole = stamp;
        }
    }

    fn path(&self, hash: &Hash) -> PathBuf {
        self.dir.join(hex(hash))
    }

    /// A name for what is being written.
    fn next_part(&mut self) -> PathBuf {
        self.parts += 1;
        self.dir.join(format!("{PART}{}", self.parts))
    }

    /// Keeps one that is there until it is unpinned as often; whether there is one.
    pub(super) fn pin_again(&mut self, hash: &Hash) -> bool {
        self.clock += 1;
        let used = self.clock;
        let Some(book) = self.books.get_mut(hash) else { return false };
        (book.pins, book.used) = (book.pins + 1, used);
        true
    }

    pub(super) fn unpin(&mut self, hash: &Hash) {
        if let Some(book) = self.books.get_mut(hash) {
            book.pins = book.pins.saturating_sub(1);
        }
        self.make_room();
    }

    /// The bytecode.
    pub(super) fn get(&mut self, of: &Hash) -> Option<Vec<u8>> {
        self.clock += 1;
        let used = self.clock;
        let book = self.books.get_mut(of)?;
        book.used = used;
        let is_needed = book.pins > 0;
        let bytes = peek(&self.dir, of);
        // One that a run needs is written anew when its bytecode comes again.
        if bytes.is_none() && !is_needed {
            self.remove(of);
        }
        bytes
    }

    fn remove(&mut self, hash: &Hash) {
        if let Some(book) = self.books.remove(hash) {
            self.bytes -= book.len;
            // What stays is counted by the next server.
            let _ = fs::remove_file(self.path(hash));
        }
    }

    fn make_room(&mut self) {
        while self.books.len() > self.max || self.bytes > self.bytes_max {
            let free = self.books.iter().filter(|(_, book)| book.pins == 0);
            let Some(oldest) = free.min_by_key(|(_, book)| book.used).map(|(hash, _)| *hash) else { return };
            self.remove(&oldest);
        }
    }
}

/// The bytecode; a file that is not what its name says stays.
fn peek(dir: &Path, of: &Hash) -> Option<Vec<u8>> {
    read(&dir.join(hex(of))).ok().filter(|bytes| hash(bytes) == *of)
}

/// What is in a file, if that can be a program.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let found = fs::metadata(path)?;
    // Whoever opened a pipe would wait for the other end.
    if !found.is_file() || found.len() > FILE_BYTES_MAX {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::with_capacity(found.len() as usize);
    File::open(path)?.take(FILE_BYTES_MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytecode of a program that a run needs.
///
/// # Errors
/// If its file is not as it was left: a clause for people. It stays.
pub(super) fn needed(dir: &Path, hash: &Hash) -> Result<Vec<u8>, String> {
    peek(dir, hash).ok_or_else(|| {
        let is = if dir.join(hex(hash)).exists() { "is not as it was left" } else { "is missing" };
        format!("programs/{} {is}", hex(hash))
    })
}

/// Keeps a program until it is unpinned as often: it is on the disk and whole when this returns. Nobody waits for the shelf while it is
/// written.
pub(super) fn pin(shelf: &Mutex<Shelf>, hash: &Hash, bytes: &[u8]) -> io::Result<()> {
    let (found, path, part, dir) = {
        let mut shelf = lock(shelf);
        (shelf.pin_whole(hash, bytes), shelf.path(hash), shelf.next_part(), shelf.dir.clone())
    };
    let stamp = match found {
        There::OnDisk => return Ok(()),
        There::Whole(stamp) => Some(stamp),
        There::Not => {
            let written =
                write(&part, bytes).and_then(|()| lock(shelf).pin_written(hash, bytes.len(), &part));
            written.inspect_err(|_| _ = fs::remove_file(&part))?
        }
    };
    // One that another thread has just written may not be there for good, nor its name.
    let on_disk = File::open(path).and_then(|file| file.sync_all());
    let on_disk = on_disk.and_then(|()| File::open(dir)?.sync_all());
    on_disk.inspect_err(|_| lock(shelf).unpin(hash))?;
    lock(shelf).is_on_disk(hash, stamp);
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = super::open(path)?;
    file.set_len(0)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Whether there are programs.
pub(super) fn is_any(dir: &Path) -> bool {
    fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some())
}

/// The hash that a file is named by.
fn hash_of(name: &str) -> Option<Hash> {
    let mut hash = [0; 32];
    if name.len() != 64 || !name.is_ascii() {
        return None;
    }
    for (k, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&name[2 * k..2 * k + 2], 16).ok()?;
    }
    (hex(&hash) == name).then_some(hash)
}
