//! What carries a session: bytes in order, both ways, with an end.
//!
//! Sessions and their clients know nothing else of what is below them. It knows nothing of frames.
//!
//! | link | is |
//! | --- | --- |
//! | [`Link::Socket`] | a connected Unix socket |
//! | [`Link::Shared`] | queues in shared memory, and the Unix socket over which they were set up |
//! | [`Link::Tls`] | TLS over TCP |

mod setup;
mod shared;
mod socket;
mod spin;
pub(crate) mod tls;

use std::io::IoSlice;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_memory::pass;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendFlags, Shutdown, recv, send, sendmsg, shutdown};

pub(crate) use setup::{Quota, Reserved, Setup, answer, ask};
pub(crate) use shared::{BUFFER_BYTES_MIN, LOOKS_BY_CLOCK, Shared, processor, slice};
pub(crate) use socket::{Socket, unix_socket};
pub use spin::WaitMode;
pub(crate) use spin::{Spin, rest_after};

use crate::seats::Seat;
use tls::TlsLink;

/// Bytes of a message through shared memory that are cheaper to copy twice than to receive in two steps.
const BEGIN_BYTES: usize = 1 << 10;

/// Bytes that are dearer to copy out of a receive buffer than to ask the system for once more.
const SCATTERED_BYTES_MIN: usize = 16 << 10;

/// What TLS has room for at once.
const TLS_BYTES: usize = 16 << 10;

/// One end of a connection.
#[derive(Debug)]
pub(crate) enum Link {
    /// A Unix socket. Whoever shares memory later has it, too.
    Socket(Arc<Socket>),
    /// Queues in memory that both processes have mapped.
    Shared(Box<Shared>),
    /// TLS over TCP. Boxed: it is large, and one link is one allocation.
    Tls(Box<TlsLink>),
}

/// Whether to wait until something can be received or sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// Not at all: [`Errno::AGAIN`] instead.
    Never,
    /// As long as the link's own time-out says; then [`Errno::AGAIN`].
    TimeOut,
}

/// What the data of the next frame are likely to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Of any length.
    Any,
    /// Longer than is worth a copy.
    Long,
    /// So long that it is worth a system call to receive them where they are wanted.
    Scattered,
}

impl Expected {
    /// As long as those that a buffer held before.
    #[inline]
    pub(crate) fn of_capacity(bytes: usize) -> Expected {
        if bytes > BEGIN_BYTES { Expected::Long } else { Expected::Any }
    }

    /// As long as those that several buffers held before, which have so much memory together.
    #[inline]
    pub(crate) fn of_capacities(bytes: usize) -> Expected {
        if bytes >= SCATTERED_BYTES_MIN { Expected::Scattered } else { Expected::Any }
    }
}

/// What a link can be ready for, or is wanted to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Readiness {
    /// Something can be received, the end of what comes too.
    pub(crate) receive: bool,
    /// Something can be sent.
    pub(crate) send: bool,
}

impl Readiness {
    /// To receive.
    pub(crate) const RECEIVE: Readiness = Readiness { receive: true, send: false };
    /// To send.
    pub(crate) const SEND: Readiness = Readiness { receive: false, send: true };
    /// For its end alone.
    pub(crate) const END: Readiness = Readiness { receive: false, send: false };
    /// For either.
    pub(crate) const EITHER: Readiness = Readiness { receive: true, send: true };
}

impl Link {
    /// How long receiving and sending may wait; `None`: for ever.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn set_timeouts(
        &self,
        receive: Option<Duration>,
        send: Option<Duration>,
    ) -> Result<(), Errno> {
        match self {
            Link::Socket(socket) => {
                set_socket_timeout(&**socket, Timeout::Recv, receive)?;
                set_socket_timeout(&**socket, Timeout::Send, send)
            }
            Link::Shared(shared) => {
                shared.set_timeouts(receive, send);
                Ok(())
            }
            Link::Tls(link) => {
                link.set_timeouts(receive, send);
                Ok(())
            }
        }
    }

    /// How whoever waits next waits, if memory is shared.
    pub(crate) fn wait_as(&self, mode: WaitMode) {
        if let Link::Shared(shared) = self {
            shared.wait_as(mode);
        }
    }

    /// Receives at least one byte; 0 is the end of what comes.
    ///
    /// # Errors
    /// [`Errno::AGAIN`] if nothing came; the system's.
    #[inline(always)]
    pub(crate) fn receive(&self, buffer: &mut [u8], waiting: Waiting) -> Result<usize, Errno> {
        match self {
            Link::Socket(socket) => receive(socket.as_fd(), buffer, waiting),
            Link::Shared(shared) => shared.receive(buffer, waiting),
            Link::Tls(link) => link.receive(buffer, waiting),
        }
    }

    /// Receives at least one byte of what is known to come, at most `at_most`, behind what `onto` has; 0 is the end. Through
    /// shared memory it is the rest of a frame whose beginning was received.
    ///
    /// # Errors
    /// As [`Link::receive`].
    pub(crate) fn receive_onto(
        &self,
        onto: &mut Vec<u8>,
        at_most: usize,
        waiting: Waiting,
    ) -> Result<usize, Errno> {
        match self {
            Link::Socket(socket) => {
                again(|| pass::receive_onto(socket.as_fd(), onto, at_most, receive_flags(waiting)))
            }
            Link::Shared(shared) => shared.receive_onto(onto, at_most, waiting),
            Link::Tls(link) => {
                let start = onto.len();
                onto.resize(start + at_most.min(TLS_BYTES), 0);
                let received = link.receive(&mut onto[start..], waiting);
                onto.truncate(start + received.unwrap_or(0));
                received
            }
        }
    }

    /// Bytes of the beginning of a message that are worth a copy, if the rest is received elsewhere. Where each time that
    /// something is received costs a system call, that is all that there is, unless so much is expected that the call costs less;
    /// TLS has made a copy anyway.
    #[inline]
    pub(crate) fn begin_bytes(&self, expected: Expected) -> usize {
        match (self, expected) {
            (Link::Shared(_), Expected::Any) | (Link::Shared(_) | Link::Socket(_), Expected::Scattered) => {
                BEGIN_BYTES
            }
            (Link::Socket(_) | Link::Tls(_), _) => usize::MAX,
            (Link::Shared(_), Expected::Long) => BUFFER_BYTES_MIN,
        }
    }

    /// Sends at least one byte of `pieces`, in order; how many it were. If it does not wait, part of them may be
    /// kept back until the next time, see [`Link::flush`].
    ///
    /// # Errors
    /// [`Errno::AGAIN`] if none could be sent; the system's.
    #[inline]
    pub(crate) fn send(&self, pieces: &[IoSlice<'_>], waiting: Waiting) -> Result<usize, Errno> {
        match self {
            Link::Socket(socket) => send_pieces(socket.as_fd(), pieces, waiting),
            Link::Shared(shared) => shared.send(pieces, waiting),
            Link::Tls(link) => link.send(pieces, waiting),
        }
    }

    /// Sends what was kept back, without waiting.
    ///
    /// # Errors
    /// [`Errno::AGAIN`] if something is left; the system's.
    #[inline]
    pub(crate) fn flush(&self) -> Result<(), Errno> {
        match self {
            Link::Socket(_) | Link::Shared(_) => Ok(()),
            Link::Tls(link) => link.flush(),
        }
    }

    /// How far what was sent has gone, of which the link took `handed` bytes, counted from anywhere. Over TLS that is what
    /// the socket took since the connection began: what is kept back may wait long for the peer to read.
    pub(crate) fn gone(&self, handed: usize) -> usize {
        match self {
            Link::Socket(_) | Link::Shared(_) => handed,
            Link::Tls(link) => link.taken(),
        }
    }

    /// Waits until it is ready for one of what is `wanted`, at most until `deadline`; `None` if that passed.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn wait(
        &self,
        wanted: Readiness,
        deadline: Option<Instant>,
    ) -> Result<Option<Readiness>, Errno> {
        match self {
            Link::Socket(socket) => wait(socket.as_fd(), wanted, deadline),
            Link::Shared(shared) => shared.wait(wanted, deadline),
            Link::Tls(link) => link.wait(wanted, deadline),
        }
    }

    /// Ends what comes: whoever waits to receive wakes.
    pub(crate) fn end_receiving(&self) {
        match self {
            Link::Socket(socket) => {
                // What fails here means that the peer hung up first.
                let _ = shutdown(&**socket, Shutdown::Read);
            }
            Link::Shared(shared) => shared.end_receiving(),
            Link::Tls(link) => link.end_receiving(),
        }
    }

    /// Ends the connection: whoever waits on it wakes.
    pub(crate) fn hang_up(&self) {
        match self {
            Link::Socket(socket) => {
                // What fails here means that the peer hung up first.
                let _ = shutdown(&**socket, Shutdown::Both);
            }
            Link::Shared(shared) => shared.hang_up(),
            Link::Tls(link) => link.hang_up(),
        }
    }

    /// The link, if it is one through shared memory.
    #[inline]
    pub(crate) fn shared(&self) -> Option<&Shared> {
        match self {
            Link::Shared(shared) => Some(shared),
            Link::Socket(_) | Link::Tls(_) => None,
        }
    }

    /// The socket of a link that has one of its own.
    pub(crate) fn socket(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Link::Socket(socket) => Some(socket.as_fd()),
            Link::Shared(_) => None,
            Link::Tls(link) => Some(link.socket()),
        }
    }

    /// The session is over, and hung up: its seat is free when what may come with the link is closed.
    pub(crate) fn keep(&self, seat: Seat) {
        if let Link::Socket(socket) = self {
            socket.keep(seat);
        }
    }

    /// How long the peer may take what was sent before the link is dropped; `None` if it has it.
    pub(crate) fn linger(&self) -> Option<Duration> {
        matches!(self, Link::Tls(_)).then_some(tls::LINGER)
    }

    /// Nothing more will be sent; what comes is for [`Link::drop_received`].
    pub(crate) fn end_sending(&self) {
        if let Link::Tls(link) = self {
            link.end_sending();
        }
    }

    /// Drops what came, without waiting; whether more may come.
    pub(crate) fn drop_received(&self) -> bool {
        matches!(self, Link::Tls(link) if link.drop_received())
    }

    /// Nothing more will be sent: gives the peer a moment to take what was.
    pub(crate) fn part(&self) {
        match self {
            // What was sent within the machine has arrived.
            Link::Socket(_) | Link::Shared(_) => {}
            Link::Tls(link) => {
                link.part();
            }
        }
    }

    /// As [`Link::part`], for who made requests that are not answered.
    pub(crate) fn leave_requests(&self) {
        if let Link::Tls(link) = self {
            link.leave_requests();
        }
    }
}

#[inline]
fn receive(socket: BorrowedFd<'_>, buffer: &mut [u8], waiting: Waiting) -> Result<usize, Errno> {
    again(|| recv(socket, &mut *buffer, receive_flags(waiting)).map(|(_, received)| received))
}

fn receive_flags(waiting: Waiting) -> RecvFlags {
    match waiting {
        Waiting::Never => RecvFlags::DONTWAIT,
        Waiting::TimeOut => RecvFlags::empty(),
    }
}

/// Until it is not interrupted.
#[inline]
fn again<T>(mut call: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            done => return done,
        }
    }
}

#[inline]
fn send_pieces(socket: BorrowedFd<'_>, pieces: &[IoSlice<'_>], waiting: Waiting) -> Result<usize, Errno> {
    let flags = match waiting {
        Waiting::Never => SendFlags::DONTWAIT | SendFlags::NOSIGNAL,
        Waiting::TimeOut => SendFlags::NOSIGNAL,
    };
    again(|| match pieces {
        [] => Ok(0),
        [one] => send(socket, one, flags),
        pieces => sendmsg(socket, pieces, &mut SendAncillaryBuffer::default(), flags),
    })
}

/// As [`Link::wait`], for a socket.
pub(crate) fn wait(
    socket: BorrowedFd<'_>,
    wanted: Readiness,
    deadline: Option<Instant>,
) -> Result<Option<Readiness>, Errno> {
    let mut events = PollFlags::empty();
    events.set(PollFlags::IN, wanted.receive);
    events.set(PollFlags::OUT, wanted.send);
    loop {
        let timeout = deadline.map(|deadline| timespec(deadline.saturating_duration_since(Instant::now())));
        let mut fds = [PollFd::from_borrowed_fd(socket, events)];
        match poll(&mut fds, timeout.as_ref()) {
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
            Ok(0) => return Ok(None),
            Ok(_) => {
                let ready = fds[0].revents();
                return Ok(Some(Readiness {
                    receive: ready.contains(PollFlags::IN),
                    send: ready.contains(PollFlags::OUT),
                }));
            }
        }
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}
