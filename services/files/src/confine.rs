//! Paths to what lies below a directory, and nowhere else.
//!
//! ```text
//! "a/../b/./name/"        path as given: bytes, '/' between names, no '/' first
//!  └────────┘ └──┘└ names a directory
//!   resolved by   named in that directory by the system's …at calls, which do not follow it
//!   cap-std, links
//!   inside followed
//! ```
//! A path whose last part is `.` or `..` is resolved as a whole by cap-std and then named as `.` in itself.
//! Nothing here compares paths as text: a check that is not the use can be raced.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use cap_std::fs::Dir;
use rustix::fs::{AtFlags, FileType, Stat, fstat, statat};

use crate::fault;
use crate::files::{Error, Info, Kind, Reason};

/// Longest name of one entry, in bytes, here and in the interface.
pub(crate) const NAME_BYTES_MAX: usize = 255;

/// Permission bits that are shown and can be set: those that make a program run as another user cannot.
pub(crate) const MODE_BITS: u32 = 0o777;

/// An entry of a directory below the root, found without following it.
pub(crate) struct Place<'a> {
    parent: Parent<'a>,
    name: &'a OsStr,
    /// The path as the caller gave it.
    path: &'a [u8],
    ends: Ends,
}

enum Parent<'a> {
    Root(&'a Dir),
    Opened(Dir),
}

/// What the last part of a path says of what it names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// `name`
    Name,
    /// `name/`
    Slash,
    /// `.` or `..`, with or without a slash
    Dots,
}

impl<'a> Place<'a> {
    /// Finds the directory of `path`, below `root`.
    ///
    /// # Errors
    /// `bad_name`, `outside`, or what the system says of the directories on the way.
    pub(crate) fn find(root: &'a Dir, path: &'a [u8]) -> Result<Place<'a>, Error> {
        let whole = checked(path)?;
        let trimmed = without_slashes(path);
        let (before, last) = match trimmed.iter().rposition(|b| *b == b'/') {
            Some(slash) => (&trimmed[..slash], &trimmed[slash + 1..]),
            None => (&b"."[..], trimmed),
        };
        let open = |path: &Path| root.open_dir(path);
        let (parent, name, ends) = match last {
            b"." if before == b"." => (Parent::Root(root), last, Ends::Dots),
            b"." | b".." => {
                let itself = open(whole).map_err(|fault| fault::system(path, &fault))?;
                (Parent::Opened(itself), &b"."[..], Ends::Dots)
            }
            _ => {
                let parent = match before {
                    b"." => Parent::Root(root),
                    _ => Parent::Opened(open(as_path(before)).map_err(|fault| fault::system(path, &fault))?),
                };
                (parent, last, if trimmed.len() == path.len() { Ends::Name } else { Ends::Slash })
            }
        };
        Ok(Place { parent, name: OsStr::from_bytes(name), path, ends })
    }

    /// As [`Place::find`], for what can be made, renamed or removed: not a directory by way of itself.
    ///
    /// # Errors
    /// As [`Place::find`]; also `bad_name` for `.` and `..`.
    pub(crate) fn find_entry(root: &'a Dir, path: &'a [u8]) -> Result<Place<'a>, Error> {
        let place = Place::find(root, path)?;
        if place.ends == Ends::Dots {
            return Err(fault::error(
                Reason::BadName,
                path,
                "is no name: what is made, renamed or removed is named by its parent, not by `.` or `..`",
            ));
        }
        Ok(place)
    }

    /// The directory that the entry is in.
    pub(crate) fn parent(&self) -> BorrowedFd<'_> {
        match &self.parent {
            Parent::Root(dir) => dir.as_fd(),
            Parent::Opened(dir) => dir.as_fd(),
        }
    }

    /// Its name there: one part, never `..`.
    pub(crate) fn name(&self) -> &OsStr {
        self.name
    }

    /// The path as the caller gave it.
    pub(crate) fn path(&self) -> &'a [u8] {
        self.path
    }

    /// What the entry is; a symbolic link is not followed.
    ///
    /// # Errors
    /// What the system says; `not_a_directory` if the path ends in a slash and the entry is none.
    pub(crate) fn info(&self) -> Result<Info, Error> {
        let stat = statat(self.parent(), self.name, AtFlags::SYMLINK_NOFOLLOW)
            .map_err(|errno| fault::errno(self.path, errno))?;
        let info = info_of(&stat);
        if self.ends == Ends::Slash && info.kind != Kind::Dir {
            return Err(fault::error(Reason::NotADirectory, self.path, "is not a directory"));
        }
        Ok(info)
    }

    /// Whether the path says that it names a directory.
    pub(crate) fn names_directory(&self) -> bool {
        self.ends != Ends::Name
    }
}

/// Checks what can be said of a path by its bytes alone.
///
/// # Errors
/// `bad_name` if it is empty, contains a NUL byte, or a name in it is too long; `outside` if it is absolute.
pub(crate) fn checked(path: &[u8]) -> Result<&Path, Error> {
    if path.is_empty() {
        return Err(fault::error(Reason::BadName, path, "is an empty path; the directory itself is \".\""));
    }
    if path.contains(&0) {
        return Err(fault::error(Reason::BadName, path, "contains a NUL byte"));
    }
    if path[0] == b'/' {
        return Err(fault::error(
            Reason::Outside,
            path,
            "leaves the served directory: paths here begin with a name, not with \"/\"",
        ));
    }
    if path.split(|b| *b == b'/').any(|name| name.len() > NAME_BYTES_MAX) {
        let text = format!("contains a name of more than {NAME_BYTES_MAX} bytes");
        return Err(fault::error(Reason::BadName, path, text));
    }
    Ok(as_path(path))
}

fn as_path(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

fn without_slashes(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|b| *b != b'/').map_or(0, |last| last + 1);
    &path[..end]
}

/// What the interface says of what the system says.
pub(crate) fn info_of(stat: &Stat) -> Info {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Dir,
        FileType::Symlink => Kind::Symlink,
        _ => Kind::Other,
    };
    Info { kind, size: stat.st_size, modified: modified_ns(stat), mode: (stat.st_mode & MODE_BITS) as i32 }
}

/// Time of the last change in nanoseconds since 1970; the nearest that there is for times beyond the year 2262.
fn modified_ns(stat: &Stat) -> i64 {
    let ns = i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec);
    ns.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

/// What an open file or directory is.
///
/// # Errors
/// What the system says.
pub(crate) fn info_of_open(fd: impl AsFd, path: &[u8]) -> Result<Info, Error> {
    fstat(fd).map(|stat| info_of(&stat)).map_err(|errno| fault::errno(path, errno))
}
