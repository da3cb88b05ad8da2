//! Bytecode of programs, a file for each, named by its hash.
//!
//! Those that runs need are pinned. Of the others there are so many, and so many bytes, at most: what was not used for longest goes
//! first. A file that is not what its name says is taken for missing, and removed.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::Bounds;
use crate::bill::{Hash, hash};
use crate::text::hex;

#[derive(Debug)]
pub(super) struct Shelf {
    dir: PathBuf,
    books: HashMap<Hash, Book>,
    bytes: usize,
    clock: u64,
    max: usize,
    bytes_max: usize,
}

#[derive(Debug)]
struct Book {
    len: usize,
    /// Runs that need it.
    pins: usize,
    used: u64,
}

impl Shelf {
    /// What is there, least recently written first.
    pub(super) fn open(dir: PathBuf, bounds: &Bounds) -> io::Result<Shelf> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&dir)? {
            let entry = entry?;
            let data = entry.metadata()?;
            // What has another name is half written, or somebody else's.
            if let Some(hash) = entry.file_name().to_str().and_then(hash_of) {
                found.push((data.modified()?, hash, data.len() as usize));
            }
        }
        found.sort();
        let mut shelf = Shelf {
            dir,
            books: HashMap::new(),
            bytes: 0,
            clock: 0,
            max: bounds.programs,
            bytes_max: bounds.program_bytes,
        };
        found.into_iter().for_each(|(_, hash, len)| shelf.put(hash, len));
        Ok(shelf)
    }

    fn put(&mut self, hash: Hash, len: usize) {
        self.clock += 1;
        self.bytes += len;
        self.books.insert(hash, Book { len, pins: 0, used: self.clock });
    }

    pub(super) fn has(&self, hash: &Hash) -> bool {
        self.books.contains_key(hash)
    }

    pub(super) fn len_of(&self, hash: &Hash) -> Option<usize> {
        self.books.get(hash).map(|book| book.len)
    }

    /// Keeps a program until it is unpinned as often.
    pub(super) fn pin(&mut self, hash: &Hash, bytes: &[u8]) -> io::Result<()> {
        if !self.has(hash) {
            self.write(hash, bytes)?;
            self.put(*hash, bytes.len());
        }
        self.pin_again(hash);
        self.make_room();
        Ok(())
    }

    /// The same for one that is there.
    pub(super) fn pin_again(&mut self, hash: &Hash) {
        self.clock += 1;
        let used = self.clock;
        if let Some(book) = self.books.get_mut(hash) {
            (book.pins, book.used) = (book.pins + 1, used);
        }
    }

    pub(super) fn unpin(&mut self, hash: &Hash) {
        if let Some(book) = self.books.get_mut(hash) {
            book.pins = book.pins.saturating_sub(1);
        }
        self.make_room();
    }

    /// The bytecode; a file that is not what its name says stays.
    pub(super) fn peek(&self, of: &Hash) -> Option<Vec<u8>> {
        std::fs::read(self.dir.join(hex(of))).ok().filter(|bytes| hash(bytes) == *of)
    }

    /// The bytecode.
    pub(super) fn get(&mut self, of: &Hash) -> Option<Vec<u8>> {
        self.clock += 1;
        let used = self.clock;
        self.books.get_mut(of)?.used = used;
        let bytes = std::fs::read(self.dir.join(hex(of))).ok().filter(|bytes| hash(bytes) == *of);
        if bytes.is_none() {
            self.remove(of);
        }
        bytes
    }

    /// Under another name first: what has its name is whole.
    fn write(&self, hash: &Hash, bytes: &[u8]) -> io::Result<()> {
        let (whole, part) = (self.dir.join(hex(hash)), self.dir.join("part"));
        let mut file = super::open(&part)?;
        file.set_len(0)?;
        file.write_all(bytes)?;
        std::fs::rename(part, whole)
    }

    fn remove(&mut self, hash: &Hash) {
        if let Some(book) = self.books.remove(hash) {
            self.bytes -= book.len;
            // What stays is counted by the next server.
            let _ = std::fs::remove_file(self.dir.join(hex(hash)));
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

/// Whether there are programs.
pub(super) fn is_any(dir: &Path) -> bool {
    std::fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some())
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
