//! What a server listens on: a socket file, made safely, replaced if stale, removed at the end; or a TCP port.
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
use std::net::TcpListener;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, flock};
use rustix::io::Errno;
use rustix::net::{SocketAddrUnix, SocketFlags};

use crate::address::{Address, Place};
use crate::link::unix_socket;

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
    System(Address, std::io::Error),
    /// There is no [`Door`](crate::door::Door), and so nobody could prove who they are.
    NoDoor(Address),
    /// It is an address for clients.
    ForClients(Address),
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
            ListenError::System(address, error) => write!(f, "cannot listen on {address}: {error}"),
            ListenError::NoDoor(address) => write!(
                f,
                "will not listen on {address} without knowing who calls\ngive the server tokens or keys of clients that \
                 it admits, or listen on unix:PATH"
            ),
            ListenError::ForClients(address) => {
                write!(
                    f,
                    "cannot listen on {address}: that is where clients connect to\nlisten on tcp://HOST:PORT"
                )
            }
        }
    }
}

impl std::error::Error for ListenError {}

/// A listening socket, and its file if it has one.
#[derive(Debug)]
pub(crate) struct Listener {
    socket: OwnedFd,
    /// Where it listens: if the system chose the port, with that.
    address: Address,
    /// Device and inode of the file, so that another's file is not removed at the end.
    file: Option<(u64, u64)>,
}

impl Listener {
    pub(crate) fn bind(address: &Address) -> Result<Listener, ListenError> {
        match address {
            Address::Unix(path) | Address::Shared(path) => Listener::bind_file(address, path),
            Address::Tcp(place) => Listener::bind_port(place),
            Address::Carnet(..) => Err(ListenError::ForClients(address.clone())),
        }
    }

    fn bind_port(place: &Place) -> Result<Listener, ListenError> {
        let system = |error: std::io::Error| ListenError::System(Address::Tcp(place.clone()), error);
        let listener = TcpListener::bind((place.host.as_str(), place.port)).map_err(system)?;
        let port = listener.local_addr().map_err(system)?.port();
        let address = Address::Tcp(Place { host: place.host.clone(), port });
        Ok(Listener { socket: listener.into(), address, file: None })
    }

    fn bind_file(listen: &Address, path: &Path) -> Result<Listener, ListenError> {
        let system = |error: std::io::Error| ListenError::System(listen.clone(), error);
        let address = SocketAddrUnix::new(path).map_err(|_| ListenError::TooLong(path.to_owned()))?;
        let directory = File::open(directory_of(path)).map_err(system)?;
        // Two servers that start at once must not both take the file for stale. Released when dropped.
        flock(&directory, FlockOperation::LockExclusive).map_err(|errno| system(errno.into()))?;
        remove_stale(path, &address)?;
        let socket = unix_socket(SocketFlags::empty()).map_err(|errno| system(errno.into()))?;
        rustix::fs::fchmod(&socket, Mode::RUSR | Mode::WUSR).map_err(|errno| system(errno.into()))?;
        rustix::net::bind(&socket, &address).map_err(|errno| system(errno.into()))?;
        rustix::net::listen(&socket, BACKLOG).map_err(|errno| system(errno.into()))?;
        let file = identity(&fs::symlink_metadata(path).map_err(system)?);
        Ok(Listener { socket, address: listen.clone(), file: Some(file) })
    }

    pub(crate) fn socket(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Removes the file, if there is one and it is still ours.
    pub(crate) fn remove_file(&self) {
        let (Some(path), Some(file)) = (self.address.file(), self.file) else { return };
        if fs::symlink_metadata(path).is_ok_and(|found| identity(&found) == file) {
            // If it cannot be removed it is stale, and the next server replaces it.
            let _ = fs::remove_file(path);
        }
    }
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| parent.as_os_str() != OsStr::new("")).unwrap_or(Path::new("."))
}

fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

fn remove_stale(path: &Path, address: &SocketAddrUnix) -> Result<(), ListenError> {
    let system = |error: std::io::Error| ListenError::System(Address::Unix(path.to_owned()), error);
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(system(error)),
        Ok(found) if !found.file_type().is_socket() => {
            return Err(ListenError::NotASocket(path.to_owned()));
        }
        Ok(_) => {}
    }
    let probe = unix_socket(SocketFlags::NONBLOCK).map_err(|errno| system(errno.into()))?;
    match rustix::net::connect(&probe, address) {
        Err(Errno::CONNREFUSED) => fs::remove_file(path).map_err(system),
        Ok(()) | Err(Errno::AGAIN) => Err(ListenError::InUse(path.to_owned())),
        Err(errno) => Err(system(errno.into())),
    }
}
