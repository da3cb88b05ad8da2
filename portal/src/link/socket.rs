//! A Unix socket to a peer that may have passed descriptors, and how it is closed.
//!
//! To close a descriptor that nobody else has takes as long as whoever passed it likes: a TCP socket waits for its unsent
//! bytes, a file of a user's file system for its user. A Unix socket that is closed takes those along that lie in it. So
//! what may be such a thing is closed by a thread that nobody waits for:
//!
//! ```text
//! last user gone ─► nothing more comes ─► nothing lies there ─► closed here
//!                                         └ something does ───► closed by a thread; until then the session counts
//! ```

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Mutex, OnceLock};

use carnet_memory::pass::{self, Passing, Unreceived, set_passing};
use rustix::io::{Errno, ioctl_fionread};
use rustix::net::sockopt::set_socket_oobinline;
use rustix::net::{AddressFamily, RecvFlags, Shutdown, SocketFlags, SocketType, shutdown, socket_with};

use crate::seats::Seat;
use crate::session::lock;

/// Threads that close at the same time: as many as a server has sessions, so that whoever stalls its own is in nobody's way.
const CLOSERS_MAX: usize = 256;

/// A connected stream socket.
#[derive(Debug)]
pub(crate) struct Socket {
    /// There until this is dropped.
    open: Option<OwnedFd>,
    /// What was passed and is no memory. No descriptor is received after that.
    unfit: OnceLock<Vec<OwnedFd>>,
    /// Of its session, if closing may take long.
    seat: OnceLock<Seat>,
}

/// A new one, to which nobody passes descriptors, nor to those that are accepted from it: [`Socket::carry_files`].
///
/// # Errors
/// The system's.
pub(crate) fn unix_socket(flags: SocketFlags) -> Result<OwnedFd, Errno> {
    let flags = flags | SocketFlags::CLOEXEC;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    set_passing(socket.as_fd(), Passing::Refused);
    Ok(socket)
}

impl From<OwnedFd> for Socket {
    fn from(socket: OwnedFd) -> Socket {
        Socket { open: Some(socket), unfit: OnceLock::new(), seat: OnceLock::new() }
    }
}

impl AsFd for Socket {
    #[inline]
    fn as_fd(&self) -> BorrowedFd<'_> {
        match &self.open {
            Some(socket) => socket.as_fd(),
            None => unreachable!("taken by drop alone"),
        }
    }
}

impl Socket {
    /// From now on it carries descriptors: the peer may pass them, and [`Socket::receive`] finds them all.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn carry_files(&self) -> Result<(), Errno> {
        // What comes out of band would be dropped while other things are received.
        set_socket_oobinline(self, true)?;
        set_passing(self.as_fd(), Passing::Allowed);
        Ok(())
    }

    /// As [`pass::receive`]. One thread at a time.
    ///
    /// # Errors
    /// [`Errno::BADMSG`] if something came that is no memory, now or before; the system's.
    pub(super) fn receive(
        &self,
        bytes: &mut [u8],
        flags: RecvFlags,
    ) -> Result<(usize, Option<OwnedFd>), Errno> {
        if self.unfit.get().is_some() {
            return Err(Errno::BADMSG);
        }
        pass::receive(self.as_fd(), bytes, flags).map_err(|unreceived| match unreceived {
            Unreceived::System(errno) => errno,
            Unreceived::Unfit(files) => {
                // It was empty, and one thread receives.
                let _ = self.unfit.set(files);
                Errno::BADMSG
            }
        })
    }

    /// Hung up: if closing it may take long, the session has its seat until that is done.
    pub(crate) fn keep(&self, seat: Seat) {
        if self.may_take_long() {
            // A session has one.
            let _ = self.seat.set(seat);
        }
    }

    /// Whether descriptors may lie in it, or apart. Nothing more comes when it is hung up.
    pub(super) fn may_take_long(&self) -> bool {
        self.unfit.get().is_some() || ioctl_fionread(self) != Ok(0)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // What fails here means that the peer hung up first.
        let _ = shutdown(&*self, Shutdown::Both);
        if self.may_take_long() {
            close_apart(Closing {
                _socket: self.open.take(),
                _unfit: self.unfit.take(),
                _seat: self.seat.take(),
            });
        }
    }
}

/// In this order.
struct Closing {
    _socket: Option<OwnedFd>,
    _unfit: Option<Vec<OwnedFd>>,
    _seat: Option<Seat>,
}

/// What this process is closing.
struct Closers {
    waiting: VecDeque<Closing>,
    threads: usize,
}

static CLOSERS: Mutex<Closers> = Mutex::new(Closers { waiting: VecDeque::new(), threads: 0 });

/// Whether so much waits to be closed that nothing more is to be taken on.
pub(super) fn is_behind() -> bool {
    lock(&CLOSERS).waiting.len() >= CLOSERS_MAX
}

fn close_apart(closing: Closing) {
    let mut closers = lock(&CLOSERS);
    closers.waiting.push_back(closing);
    if closers.threads < CLOSERS_MAX {
        let thread = std::thread::Builder::new().name("carnet-close".to_owned());
        // Without a thread it waits until there is one.
        closers.threads += usize::from(thread.spawn(close_waiting).is_ok());
    }
}

/// Until none waits.
fn close_waiting() {
    loop {
        let mut closers = lock(&CLOSERS);
        let Some(closing) = closers.waiting.pop_front() else {
            closers.threads -= 1;
            return;
        };
        drop(closers);
        drop(closing);
    }
}
