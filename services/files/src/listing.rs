//! Pages of directories, sorted by name, however large the directory is.
//!
//! Sorting takes all names, a page shows 1,024. So the names are read once into a *window*, the smallest of those
//! after a name, sorted; the window is kept until the next page asks for what follows it.
//!
//! ```text
//! names of the directory, sorted:   a b c d e f g h i j k l m n o …
//! window after "b":                     c d e f g h i j k          complete? no: more follow
//! pages:                                └──1──┘ └──2──┘ └3┘ then a new window after "k"
//! ```
//! With at most [`WINDOW_NAMES`] names in a window the memory is bounded, and a directory of n entries is read
//! n / 32,768 times for a whole walk instead of n / 1,024 times.
//!
//! A window is used again only by the portal and session that got its last page, and only if `after` is the last
//! name on that page: everything else reads the directory anew. So a walk shows each entry once that was there all
//! the time, whatever is added or removed meanwhile, and a new walk shows the present.

use std::collections::{BinaryHeap, VecDeque};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Mutex;

use rustix::fs::{AtFlags, Dir, fstat, statat};
use rustix::io::Errno;

use crate::confine::{NAME_BYTES_MAX, info_of};
use crate::fault;
use crate::files::{EntryList, Error, Info};
use crate::instance::lock;

/// Names in one window.
const WINDOW_NAMES: usize = 32 << 10;

/// Names in all windows that are kept.
const KEPT_NAMES: usize = 256 << 10;

/// Windows that are kept.
const KEPT_WINDOWS: usize = 64;

/// Bytes of a page: five words for each entry, and its name.
const PAGE_BYTES: usize = 256 << 10;
const ENTRY_BYTES: usize = 5 * 8;

/// Who walks: a portal, used by a session.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Walker {
    pub(crate) owner: u64,
    pub(crate) session: u64,
}

/// A walker in one directory, known by device and inode.
#[derive(PartialEq, Eq)]
struct Key {
    walker: Walker,
    device: u64,
    inode: u64,
}

/// The windows of walks in progress, least recently used first.
#[derive(Default)]
pub(crate) struct Walks {
    list: VecDeque<(Key, Window)>,
}

impl Walks {
    /// Takes the window out that goes on after the name `after`.
    fn take(&mut self, key: &Key, after: &[u8]) -> Option<Window> {
        let found = self.list.iter().position(|(of, window)| of == key && *window.shown == *after)?;
        self.list.remove(found).map(|(_, window)| window)
    }

    fn keep(&mut self, key: Key, window: Window) {
        self.list.push_back((key, window));
        while self.list.len() > KEPT_WINDOWS || self.names() > KEPT_NAMES {
            self.list.pop_front();
        }
    }

    /// Names in all windows.
    pub(crate) fn names(&self) -> usize {
        self.list.iter().map(|(_, window)| window.names.len()).sum()
    }

    /// Drops the windows of a portal that is gone.
    pub(crate) fn forget(&mut self, owner: u64) {
        self.list.retain(|(key, _)| key.walker.owner != owner);
    }
}

/// The smallest names after some name, from the next to be shown on.
struct Window {
    /// Sorted; what was shown is gone.
    names: VecDeque<Box<[u8]>>,
    /// The last name that was shown.
    shown: Box<[u8]>,
    /// The last name that was shown, or was to be shown and had vanished.
    passed: Box<[u8]>,
    rest: Rest,
}

/// What follows the last name of a window.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    Nothing,
    More,
}

/// Why a window gave no more entries.
enum Stop {
    PageFull,
    WindowEmpty,
}

/// One page of the open directory `dir`, which was named `path`; whether it is the last.
///
/// # Errors
/// What the system says.
pub(crate) fn page(
    walks: &Mutex<Walks>,
    walker: Walker,
    dir: OwnedFd,
    path: &[u8],
    after: &[u8],
    result: &mut EntryList<'_>,
) -> Result<bool, Error> {
    let failed = |errno| fault::errno(path, errno);
    let stat = fstat(&dir).map_err(failed)?;
    let key = Key { walker, device: stat.st_dev, inode: stat.st_ino };
    let mut dir = Dir::new(dir).map_err(failed)?;
    let kept = lock(walks).take(&key, after);
    let mut window = match kept {
        Some(window) => window,
        None => Window::read(&mut dir, after, WINDOW_NAMES).map_err(failed)?,
    };
    let mut bytes = 0;
    loop {
        // Ends: each window begins after the one before.
        match window.show(dir.fd().map_err(failed)?, &mut bytes, result).map_err(failed)? {
            Stop::WindowEmpty if window.rest == Rest::Nothing => return Ok(true),
            Stop::WindowEmpty if result.is_empty() => {
                // All of them vanished. An empty page would not say where to go on.
                window = Window::read(&mut dir, &window.passed, WINDOW_NAMES).map_err(failed)?;
            }
            Stop::WindowEmpty => return Ok(false),
            Stop::PageFull => {
                lock(walks).keep(key, window);
                return Ok(false);
            }
        }
    }
}

impl Window {
    /// Reads the whole directory and keeps the `max` smallest names after `after`.
    fn read(dir: &mut Dir, after: &[u8], max: usize) -> Result<Window, Errno> {
        let mut smallest: BinaryHeap<Box<[u8]>> = BinaryHeap::new();
        let mut rest = Rest::Nothing;
        dir.rewind();
        while let Some(entry) = dir.read() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            // A name that the interface cannot say (some file systems have longer ones) is left out.
            if name == b"." || name == b".." || name <= after || name.len() > NAME_BYTES_MAX {
                continue;
            }
            if smallest.len() < max {
                smallest.push(name.into());
                continue;
            }
            rest = Rest::More;
            if let Some(mut largest) = smallest.peek_mut()
                && name < &**largest
            {
                *largest = name.into();
            }
        }
        let names = smallest.into_sorted_vec().into();
        Ok(Window { names, shown: after.into(), passed: after.into(), rest })
    }

    /// Moves entries to the page until one of both ends. What vanished since it was read is left out.
    fn show(
        &mut self,
        dir: BorrowedFd<'_>,
        bytes: &mut usize,
        result: &mut EntryList<'_>,
    ) -> Result<Stop, Errno> {
        while let Some(name) = self.names.front() {
            *bytes += ENTRY_BYTES + name.len();
            if result.is_full() || *bytes > PAGE_BYTES {
                return Ok(Stop::PageFull);
            }
            if let Some(Info { kind, size, modified, mode }) = look_at(dir, name)? {
                if !result.push(name, kind, size, modified, mode) {
                    return Ok(Stop::PageFull);
                }
                self.shown.clone_from(name);
            }
            self.passed = self.names.pop_front().unwrap_or_default();
        }
        Ok(Stop::WindowEmpty)
    }
}

fn look_at(dir: BorrowedFd<'_>, name: &[u8]) -> Result<Option<Info>, Errno> {
    match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(info_of(&stat))),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(names: &[&str], shown: &str) -> Window {
        let names = names.iter().map(|name| name.as_bytes().into()).collect();
        Window { names, shown: shown.as_bytes().into(), passed: shown.as_bytes().into(), rest: Rest::Nothing }
    }

    fn key(owner: u64, inode: u64) -> Key {
        Key { walker: Walker { owner, session: 7 }, device: 1, inode }
    }

    #[test]
    fn a_window_is_for_the_walk_that_goes_on() {
        let mut walks = Walks::default();
        walks.keep(key(1, 10), window(&["c", "d"], "b"));
        assert!(walks.take(&key(2, 10), b"b").is_none(), "another portal");
        assert!(walks.take(&key(1, 11), b"b").is_none(), "another directory");
        assert!(walks.take(&key(1, 10), b"a").is_none(), "another page");
        let other = Key { walker: Walker { owner: 1, session: 8 }, ..key(1, 10) };
        assert!(walks.take(&other, b"b").is_none(), "another session");
        assert_eq!(walks.take(&key(1, 10), b"b").unwrap().names.len(), 2);
        assert!(walks.take(&key(1, 10), b"b").is_none(), "it was taken");
    }

    #[test]
    fn windows_are_bounded_and_go_with_their_portal() {
        let mut walks = Walks::default();
        for inode in 0..2 * KEPT_WINDOWS as u64 {
            walks.keep(key(inode % 2, inode), window(&["x"], ""));
        }
        assert_eq!(walks.list.len(), KEPT_WINDOWS);
        assert!(walks.take(&key(0, 0), b"").is_none(), "the oldest went first");
        walks.forget(1);
        assert_eq!(walks.list.len(), KEPT_WINDOWS / 2);
        let large = vec!["x"; KEPT_NAMES / 2];
        for inode in 0..3 {
            walks.keep(key(5, inode), window(&large, ""));
        }
        assert!(walks.names() <= KEPT_NAMES);
        assert_eq!(walks.list.len(), 2);
    }

    #[test]
    fn a_window_holds_the_smallest_names_after_one() {
        let tree = tempfile::tempdir().unwrap();
        for name in ["e", "a", "d", "b", "c"] {
            std::fs::write(tree.path().join(name), "").unwrap();
        }
        let mut dir = Dir::new(std::fs::File::open(tree.path()).unwrap()).unwrap();
        for (after, max, names, rest) in [
            ("", 9, "abcde", Rest::Nothing),
            ("", 5, "abcde", Rest::Nothing),
            ("", 2, "ab", Rest::More),
            ("b", 2, "cd", Rest::More),
            ("bb", 3, "cde", Rest::Nothing),
            ("e", 2, "", Rest::Nothing),
        ] {
            let window = Window::read(&mut dir, after.as_bytes(), max).unwrap();
            let read: Vec<u8> = window.names.iter().flat_map(|name| name.iter().copied()).collect();
            assert_eq!((read.as_slice(), window.rest == rest), (names.as_bytes(), true), "{after} {max}");
        }
    }
}
