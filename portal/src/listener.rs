//! The socket file of a server: made safely, replaced if stale, removed at the end.
//!
//! ```text
//! lock the directory ─► is there a file? ─ no ──────────────────────► bind, listen ─► unlock
//!                         │ a socket, and nobody answers: unlink ──►─┘
//!                         └ somebody answers, or no socket: refuse
//! ```
//! The file has mode 0600 from the moment that it exists: the mode of the unbound socket becomes the file's.

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, flock};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, socket_with};

/// Connections that the kernel keeps until they are accepted.
const BACKLOG: i32 = 128;

/// Why a server cannot listen.
#[derive(Debug)]
pub enum ListenError {
    /// A server answers there.
    InUse(PathBuf),
    /// Something else has that name.
    NotASocket(PathBuf),
    /// The path is longer than a socket's may be.
    TooLong(PathBuf),
    /// The system refused.
    System(PathBuf, std::io::Error),
}

impl fmt::Display for ListenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListenError::InUse(path) => write!(
                f,
                "cannot listen on unix:{0}: a server is listening there\nstop it, or choose another path",
                path.display()
            ),
            ListenError::NotASocket(path) => write!(
                f,
                "cannot listen on unix:{0}: {0} exists and is not a socket\nremove it, or choose another path",
                path.display()
            ),
            ListenError::TooLong(path) => write!(
                f,
                "cannot listen on unix:{}: the path has {} bytes, and a socket's at most 107\nuse a relative path, or a shorter one",
                path.display(),
                path.as_os_str().len()
            ),
            ListenError::System(path, error) => {
                write!(f, "cannot listen on unix:{}: {error}", path.display())
            }
        }
    }
}

impl std::error::Error for ListenError {}

/// A listening socket and its file.
#[derive(Debug)]
pub(crate) struct Listener {
    socket: OwnedFd,
    path: PathBuf,
    /// Device and inode of the file, so that another's file is not removed at the end.
    file: (u64, u64),
}

impl Listener {
    pub(crate) fn bind(path: &Path) -> Result<Listener, ListenError> {
        let system = |error: std::io::Error| ListenError::System(path.to_owned(), error);
        let address = SocketAddrUnix::new(path).map_err(|_| ListenError::TooLong(path.to_owned()))?;
        let directory = File::open(directory_of(path)).map_err(system)?;
        // Two servers that start at once must not both take the file for stale. Released when dropped.
        flock(&directory, FlockOperation::LockExclusive).map_err(|errno| system(errno.into()))?;
        remove_stale(path, &address)?;
        let socket = new_socket().map_err(|errno| system(errno.into()))?;
        rustix::fs::fchmod(&socket, Mode::RUSR | Mode::WUSR).map_err(|errno| system(errno.into()))?;
        rustix::net::bind(&socket, &address).map_err(|errno| system(errno.into()))?;
        rustix::net::listen(&socket, BACKLOG).map_err(|errno| system(errno.into()))?;
        let file = identity(&fs::symlink_metadata(path).map_err(system)?);
        Ok(Listener { socket, path: path.to_owned(), file })
    }

    pub(crate) fn socket(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file, if it is still ours.
    pub(crate) fn remove_file(&self) {
        if fs::symlink_metadata(&self.path).is_ok_and(|found| identity(&found) == self.file) {
            // If it cannot be removed it is stale, and the next server replaces it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn new_socket() -> Result<OwnedFd, Errno> {
    socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| parent.as_os_str() != OsStr::new("")).unwrap_or(Path::new("."))
}

fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

fn remove_stale(path: &Path, address: &SocketAddrUnix) -> Result<(), ListenError> {
    let system = |error: std::io::Error| ListenError::System(path.to_owned(), error);
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(system(error)),
        Ok(found) if !found.file_type().is_socket() => {
            return Err(ListenError::NotASocket(path.to_owned()));
        }
        Ok(_) => {}
    }
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let probe = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)
        .map_err(|errno| system(errno.into()))?;
    match rustix::net::connect(&probe, address) {
        Err(Errno::CONNREFUSED) => fs::remove_file(path).map_err(system),
        Ok(()) | Err(Errno::AGAIN) => Err(ListenError::InUse(path.to_owned())),
        Err(errno) => Err(system(errno.into())),
    }
}
