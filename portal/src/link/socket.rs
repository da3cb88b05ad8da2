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
//! A memory file waits for nobody, but to close the last descriptor of one frees its pages: a third of a second for 1 GiB. What the
//! file says of itself decides, not what its sender claims. Small ones are closed where they are; all others by one more thread,
//! so that they leave the processors to others, a few of each socket at a time, which is kept, and its session counts, until they are
//! closed.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};

use carnet_memory::bytes_behind;
use carnet_memory::pass::{self, Passing, Unreceived, set_passing};
use rustix::io::{Errno, ioctl_fionread};
use rustix::net::sockopt::set_socket_oobinline;
use rustix::net::{AddressFamily, RecvFlags, Shutdown, SocketFlags, SocketType, shutdown, socket_with};

use crate::seats::Seat;
use crate::session::{LOOP_MEMORY_BYTES_MAX, lock};

/// Threads that close at the same time: as many as a server has sessions, so that whoever stalls its own is in nobody's way.
const CLOSERS_MAX: usize = 256;

/// Memory files of one socket that wait to be closed, or are, before no more is taken.
const FILES_MAX: usize = 4;

/// A connected stream socket.
#[derive(Debug)]
pub(crate) struct Socket {
    /// There until this is dropped.
    open: Option<OwnedFd>,
    /// What was passed and is no memory. No descriptor is received after that.
    unfit: OnceLock<Vec<OwnedFd>>,
    /// Memory files that came with it and are not closed yet.
    files: AtomicUsize,
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
        Socket {
            open: Some(socket),
            unfit: OnceLock::new(),
            files: AtomicUsize::new(0),
            seat: OnceLock::new(),
        }
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
        if self.may_take_long() || self.files.load(Relaxed) > 0 {
            // A session has one.
            let _ = self.seat.set(seat);
        }
    }

    /// Closes a memory file that came over it; if it is no small one, a thread does, which has the socket until then.
    pub(super) fn put_away(socket: &Arc<Socket>, file: OwnedFd) {
        // What its sender can add between this and the close takes it longer than us.
        if bytes_behind(&file) > LOOP_MEMORY_BYTES_MAX as u64 {
            socket.files.fetch_add(1, Relaxed);
            FILES.close(Freeing { file: Some(file), socket: Arc::clone(socket) });
        }
    }

    /// Whether so many memory files of it are being closed that nothing more is to be taken.
    pub(super) fn closes_much(&self) -> bool {
        self.files.load(Relaxed) >= FILES_MAX
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
            CLOSERS.close(Closing {
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

/// A memory file of a socket.
struct Freeing {
    file: Option<OwnedFd>,
    socket: Arc<Socket>,
}

impl Drop for Freeing {
    fn drop(&mut self) {
        drop(self.file.take());
        self.socket.files.fetch_sub(1, Relaxed);
    }
}

/// What this process is closing, and who does.
struct Closers<T>(Mutex<Work<T>>, usize, &'static str);

struct Work<T> {
    waiting: VecDeque<T>,
    threads: usize,
}

static CLOSERS: Closers<Closing> = Closers::new(CLOSERS_MAX, "carnet-close");
static FILES: Closers<Freeing> = Closers::new(1, "carnet-free");

/// Whether so much waits to be closed that nothing more is to be taken on.
pub(super) fn is_behind() -> bool {
    lock(&CLOSERS.0).waiting.len() >= CLOSERS_MAX
}

impl<T: Send> Closers<T> {
    /// At most so many threads, of this name.
    const fn new(threads_max: usize, name: &'static str) -> Closers<T> {
        Closers(Mutex::new(Work { waiting: VecDeque::new(), threads: 0 }), threads_max, name)
    }

    fn close(&'static self, closing: T) {
        let Closers(work, threads_max, name) = self;
        let mut work = lock(work);
        work.waiting.push_back(closing);
        if work.threads < *threads_max {
            let thread = std::thread::Builder::new().name((*name).to_owned());
            // Without a thread it waits until there is one.
            work.threads += usize::from(thread.spawn(|| self.close_waiting()).is_ok());
        }
    }

    /// Until none waits.
    fn close_waiting(&self) {
        loop {
            let mut work = lock(&self.0);
            let Some(closing) = work.waiting.pop_front() else {
                work.threads -= 1;
                return;
            };
            drop(work);
            drop(closing);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;

    use carnet_memory::Segment;

    use super::*;
    use crate::call::Caller;
    use crate::seats::{Bounds, Seats};

    /// While the thread is behind, a session has a few files closed and its seat, and is given no more.
    #[test]
    fn much_memory_is_closed_a_few_at_a_time_and_its_session_counts() {
        let (ours, _theirs) = UnixStream::pair().expect("two sockets");
        let socket = Arc::new(Socket::from(OwnedFd::from(ours)));
        let file = |bytes| Segment::create(bytes).expect("memory").into_file();
        let (seats, caller) = (Seats::new(Bounds::of(1, 1)), Caller::of("somebody", 1));
        let seat = seats.take(&caller).unwrap_or_else(|_| panic!("it is free"));
        // As if it were closing something else.
        lock(&FILES.0).threads += 1;
        Socket::put_away(&socket, file(LOOP_MEMORY_BYTES_MAX));
        assert_eq!(lock(&FILES.0).waiting.len(), 0, "a small one is closed at once");
        for number in 0..FILES_MAX {
            assert!(!socket.closes_much(), "{number}");
            Socket::put_away(&socket, file(LOOP_MEMORY_BYTES_MAX + 1));
        }
        assert_eq!(lock(&FILES.0).waiting.len(), FILES_MAX);
        assert!(socket.closes_much());
        socket.keep(seat);
        drop(socket);
        assert!(seats.take(&caller).is_err(), "its session counts");
        FILES.close_waiting();
        assert!(seats.take(&caller).is_ok());
        assert_eq!(lock(&FILES.0).threads, 0);
    }
}
