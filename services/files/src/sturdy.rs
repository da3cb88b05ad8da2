//! Directories, files and hashers that are found again by another process over the same root.
//!
//! ```text
//! name: kind u8 │ 0 for reading only, 1 for writing │ inode u64 │ made at, ns i64 │ how far it has come u64 │ hash up to there │ path
//! ```
//! The hash is that of a hasher; others have none. The path is where the object is now, below the root, not what it was named by: it may
//! have been moved. What is found there is taken only if it has the same inode and was made at the same time. So is the root.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;

use carnet_portal::call::{Caller, Object};
use carnet_portal::stub::Module;
use carnet_portal::sturdy::Sturdy;
use rustix::fs::{AtFlags, StatxFlags, statx};

use crate::dir::{Directory, How};
use crate::file::OpenFile;
use crate::files::{self, Error};
use crate::hasher::FileHasher;
use crate::{Access, STEP_BYTES};

/// What a hasher that is found again may have taken in: it does so once more, while its client waits. A run may hold 64 of them.
const HASHED_MAX: u64 = STEP_BYTES as u64 / 16;

/// What tells one file or directory from all others: its inode, and when it was made where the file system knows.
type Identity = (u64, i64);

fn identity(fd: impl AsFd) -> io::Result<Identity> {
    let found = statx(fd, "", AtFlags::EMPTY_PATH, StatxFlags::INO | StatxFlags::BTIME)?;
    let made =
        found.stx_btime.tv_sec.wrapping_mul(1_000_000_000).wrapping_add(found.stx_btime.tv_nsec.into());
    Ok((found.stx_ino, if found.stx_mask & StatxFlags::BTIME.bits() == 0 { 0 } else { made }))
}

/// The same of a root. Where the file system does not know when it was made, its device tells, too: the highest directories of many have
/// the same inode. Else that says nothing, since it may be another one when it is mounted again.
fn of_root(fd: impl AsFd) -> io::Result<(u64, i64, u64)> {
    let (inode, made) = identity(&fd)?;
    let device = if made == 0 { rustix::fs::fstat(fd)?.st_dev } else { 0 };
    Ok((inode, made, device))
}

/// Where the system says that something open is.
fn path_of(fd: impl AsFd) -> io::Result<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{}", fd.as_fd().as_raw_fd()))
}

/// The path from `root` to what is open; `.` if it is the root itself.
fn below(root: impl AsFd, fd: impl AsFd) -> Result<PathBuf, String> {
    let unknown = |error: io::Error| format!("is nowhere that the system tells of: {error}");
    let (root, path) = (path_of(root).map_err(unknown)?, path_of(fd).map_err(unknown)?);
    match path.strip_prefix(&root) {
        Ok(rest) if rest.as_os_str().is_empty() => Ok(PathBuf::from(".")),
        Ok(rest) => Ok(rest.to_owned()),
        Err(_) => Err("is no longer below the served directory".to_owned()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dir,
    File,
    Hasher,
}

/// A name, taken apart.
struct Name<'n> {
    kind: Kind,
    access: Access,
    identity: Identity,
    /// Where the next `next` begins, or what was taken in.
    at: u64,
    hash: [u8; 32],
    path: &'n [u8],
}

impl Name<'_> {
    fn encode(&self) -> Vec<u8> {
        let Name { kind, access, identity: (inode, made), at, hash, path } = self;
        let hash = if *kind == Kind::Hasher { &hash[..] } else { &[] };
        let head = [*kind as u8, u8::from(*access == Access::ReadWrite)];
        [&head[..], &inode.to_le_bytes(), &made.to_le_bytes(), &at.to_le_bytes(), hash, path].concat()
    }

    fn decode(bytes: &[u8]) -> Option<Name<'_>> {
        let (head, rest) = bytes.split_first_chunk::<2>()?;
        let (inode, rest) = rest.split_first_chunk()?;
        let (made, rest) = rest.split_first_chunk()?;
        let (at, rest) = rest.split_first_chunk()?;
        let kind = [Kind::Dir, Kind::File, Kind::Hasher].into_iter().find(|kind| *kind as u8 == head[0])?;
        let access = match head[1] {
            0 => Access::ReadOnly,
            1 => Access::ReadWrite,
            _ => return None,
        };
        let (hash, path) = match kind {
            Kind::Hasher => rest.split_first_chunk().map(|(hash, path)| (*hash, path))?,
            _ => ([0; 32], rest),
        };
        let identity = (u64::from_le_bytes(*inode), i64::from_le_bytes(*made));
        Some(Name { kind, access, identity, at: u64::from_le_bytes(*at), hash, path })
    }

    fn shown(&self) -> String {
        format!("\"{}\"", self.path.escape_ascii())
    }
}

/// Names directories, files, and hashers that have not taken in more than 64 KiB.
#[derive(Clone, Copy, Debug, Default)]
pub struct SturdyFiles;

fn root_of(root: &dyn Object) -> Result<&Directory, String> {
    root.service().downcast_ref().ok_or_else(|| "is below no directory".to_owned())
}

impl Sturdy for SturdyFiles {
    fn module(&self) -> &'static Module {
        files::module()
    }

    fn identity(&self, root: &dyn Object) -> Result<Vec<u8>, String> {
        let (inode, made, device) = of_root(&root_of(root)?.dir).map_err(|error| error.to_string())?;
        Ok([inode.to_le_bytes(), made.to_le_bytes(), device.to_le_bytes()].concat())
    }

    fn name(&self, root: &dyn Object, object: &dyn Object) -> Result<Vec<u8>, String> {
        let root = root_of(root)?;
        let service = object.service();
        let (kind, fd, access, at, hash): (_, BorrowedFd<'_>, _, _, _) =
            if let Some(dir) = service.downcast_ref::<Directory>() {
                (Kind::Dir, dir.dir.as_fd(), dir.access, 0, [0; 32])
            } else if let Some(file) = service.downcast_ref::<OpenFile>() {
                (Kind::File, file.as_fd(), file.access, file.next_at(), [0; 32])
            } else if let Some(hasher) = service.downcast_ref::<FileHasher>() {
                let (bytes, hash) = hasher.so_far();
                if bytes > HASHED_MAX {
                    return Err(format!("has taken in {bytes} bytes, more than {HASHED_MAX}"));
                }
                (Kind::Hasher, hasher.as_fd(), Access::ReadOnly, bytes, hash)
            } else {
                return Err("is of another service".to_owned());
            };
        let path = below(&root.dir, fd)?;
        let identity = identity(fd).map_err(|error| error.to_string())?;
        let name = Name { kind, access, identity, at, hash, path: path.as_os_str().as_bytes() };
        // What was removed has a path, too, which leads elsewhere or nowhere.
        match there(root, &name) {
            Ok(there) if there == identity => Ok(name.encode()),
            _ => Err("is no longer where it was".to_owned()),
        }
    }

    fn find(&self, root: &dyn Object, name: &[u8], caller: &Caller) -> Result<Arc<dyn Object>, String> {
        let root = root_of(root)?;
        let name = Name::decode(name).ok_or("its name is damaged")?;
        if name.access == Access::ReadWrite && root.access == Access::ReadOnly {
            return Err(format!("{} could be written, and is now served for reading only", name.shown()));
        }
        let told = |error: Error| error.message;
        let is_it = |found: io::Result<Identity>| match found {
            Ok(found) if found == name.identity => Ok(()),
            Ok(_) => Err(format!("{} is another one now", name.shown())),
            Err(error) => Err(format!("{}: {error}", name.shown())),
        };
        if name.kind == Kind::Dir {
            let dir = root.below(name.path, name.path).map_err(told)?;
            is_it(identity(&*dir))?;
            return Ok(root.portal(caller, || Ok(dir), name.access, name.path).map_err(told)?.into_object());
        }
        let permit = root.instance.permit(caller, name.path).map_err(told)?;
        let how = if name.access == Access::ReadOnly { How::Read } else { How::Edit };
        let file = root.open_regular(name.path, how).map_err(told)?;
        is_it(identity(&file))?;
        if name.kind == Kind::File {
            let file = OpenFile::new(file, name.path, name.access, Arc::clone(&root.instance), permit);
            file.go_to(name.at);
            return Ok(files::File::serve(file).into_object());
        }
        let hasher = FileHasher::new(file, name.path, permit);
        if name.at <= HASHED_MAX && hasher.go_to((name.at, name.hash)).map_err(told)? {
            return Ok(files::Hasher::serve(hasher).into_object());
        }
        Err(format!("{} was changed where it was hashed already", name.shown()))
    }
}

/// What is where a name says.
fn there(root: &Directory, name: &Name<'_>) -> Result<Identity, String> {
    let told = |error: Error| error.message;
    let found = match name.kind {
        Kind::Dir => identity(&*root.below(name.path, name.path).map_err(told)?),
        Kind::File | Kind::Hasher => identity(root.open_regular(name.path, How::Read).map_err(told)?),
    };
    found.map_err(|error| error.to_string())
}
