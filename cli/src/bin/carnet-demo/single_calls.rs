//! The four jobs by single calls, as one would write them against the generated client of the files interface.
//!
//! Each function does what the program of the same name in `programs/` does. They are meant to be good of their
//! kind: a directory is listed in pages of up to 1,024 entries with kind, size and time, so that nothing needs a
//! `stat`; files are moved in pieces of 64 KiB, as network file systems do; a size that is known spares the read
//! that finds the end; closing a file waits for nothing. Only files of the same size are read for their hash, here,
//! which takes two round trips for most where the server's hasher would take three.

use std::collections::VecDeque;

use carnet_files::files::{Dir, Entry, Error, Kind};
use carnet_portal::stub::CallError;
use sha2::{Digest, Sha256};

/// Bytes of one transfer.
const TRANSFER: i64 = 64 << 10;

/// What a job came to, or the first call that failed.
pub(crate) type Called<T> = Result<T, CallError<Error>>;

/// Bytes of a name or path, which need not be UTF-8.
pub(crate) type Name = Vec<u8>;

#[derive(Debug, Default)]
pub(crate) struct Copied {
    pub(crate) files: i64,
    pub(crate) bytes: i64,
}

pub(crate) fn copy_tree(from: &Dir, to: &Dir) -> Called<Copied> {
    let mut done = Copied::default();
    let mut dirs = VecDeque::from([b".".to_vec()]);
    while let Some(dir) = dirs.pop_front() {
        for entry in entries(from, &dir)? {
            let path = below(&dir, &entry.name);
            match entry.kind {
                Kind::Dir => {
                    to.make_dir(&path)?;
                    dirs.push_back(path);
                }
                Kind::File => {
                    done.bytes += copy_file(from, to, &path, entry.size)?;
                    done.files += 1;
                }
                Kind::Symlink | Kind::Other => {}
            }
        }
    }
    Ok(done)
}

fn copy_file(from: &Dir, to: &Dir, path: &[u8], size: i64) -> Called<i64> {
    let source = from.open(path)?;
    let copy = to.create(path)?;
    let mut pos = 0;
    while pos < size {
        let data = source.read(pos, TRANSFER)?;
        if data.is_empty() {
            break;
        }
        pos += copy.write(pos, &data)?;
    }
    Ok(pos)
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Usage {
    pub(crate) bytes: i64,
    pub(crate) name: Name,
    pub(crate) files: i64,
}

pub(crate) fn disk_usage(root: &Dir) -> Called<Vec<Usage>> {
    let mut usage = Vec::new();
    let mut dirs = VecDeque::new();
    for (top, entry) in entries(root, b".")?.into_iter().enumerate() {
        let (mut bytes, mut files) = (0, 0);
        match entry.kind {
            Kind::File => (bytes, files) = (entry.size, 1),
            Kind::Dir => dirs.push_back((below(b".", &entry.name), top)),
            Kind::Symlink | Kind::Other => {}
        }
        usage.push(Usage { bytes, name: entry.name, files });
    }
    while let Some((dir, top)) = dirs.pop_front() {
        for entry in entries(root, &dir)? {
            match entry.kind {
                Kind::File => {
                    usage[top].bytes += entry.size;
                    usage[top].files += 1;
                }
                Kind::Dir => dirs.push_back((below(&dir, &entry.name), top)),
                Kind::Symlink | Kind::Other => {}
            }
        }
    }
    let (bytes, files) =
        usage.iter().fold((0, 0), |(bytes, files), each| (bytes + each.bytes, files + each.files));
    usage.sort();
    usage.push(Usage { bytes, name: b".".to_vec(), files });
    Ok(usage)
}

#[derive(Debug)]
pub(crate) struct Same {
    pub(crate) copy: Name,
    pub(crate) original: Name,
}

pub(crate) fn find_duplicates(root: &Dir) -> Called<Vec<Same>> {
    let mut found: Vec<(i64, Name)> = Vec::new();
    let mut dirs = VecDeque::from([b".".to_vec()]);
    while let Some(dir) = dirs.pop_front() {
        for entry in entries(root, &dir)? {
            let path = below(&dir, &entry.name);
            match entry.kind {
                Kind::Dir => dirs.push_back(path),
                Kind::File => found.push((entry.size, path)),
                Kind::Symlink | Kind::Other => {}
            }
        }
    }
    found.sort();
    let mut twins: Vec<([u8; 32], Name)> = Vec::new();
    for alike in found.chunk_by(|one, other| one.0 == other.0).filter(|alike| alike.len() > 1) {
        for (size, path) in alike {
            twins.push((digest(root, path, *size)?, path.clone()));
        }
    }
    twins.sort();
    let pairs = twins.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    Ok(pairs.map(|pair| Same { copy: pair[1].1.clone(), original: pair[0].1.clone() }).collect())
}

fn digest(root: &Dir, path: &[u8], size: i64) -> Called<[u8; 32]> {
    let file = root.open(path)?;
    let mut hasher = Sha256::new();
    let mut pos = 0;
    while pos < size {
        let data = file.read(pos, TRANSFER)?;
        if data.is_empty() {
            break;
        }
        hasher.update(&data);
        pos += data.len() as i64;
    }
    Ok(hasher.finalize().into())
}

/// Removes files whose name ends with `suffix` and that were last modified before `before`, in ns since 1970.
pub(crate) fn delete_old(root: &Dir, suffix: &[u8], before: i64) -> Called<Vec<Name>> {
    let mut gone = Vec::new();
    let mut dirs = VecDeque::from([b".".to_vec()]);
    while let Some(dir) = dirs.pop_front() {
        for entry in entries(root, &dir)? {
            let path = below(&dir, &entry.name);
            if entry.kind == Kind::Dir {
                dirs.push_back(path);
            } else if entry.kind == Kind::File && entry.name.ends_with(suffix) && entry.modified < before {
                root.remove(&path)?;
                gone.push(path);
            }
        }
    }
    Ok(gone)
}

/// All entries of a directory, page by page.
fn entries(root: &Dir, path: &[u8]) -> Called<Vec<Entry>> {
    let mut all: Vec<Entry> = Vec::new();
    loop {
        let after = all.last().map_or(&[][..], |entry| &entry.name);
        let (page, last) = root.list(path, after)?;
        let empty = page.is_empty();
        all.extend(page);
        if last || empty {
            return Ok(all);
        }
    }
}

fn below(dir: &[u8], name: &[u8]) -> Name {
    [dir, b"/", name].concat()
}
