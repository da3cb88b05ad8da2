//! A link over TCP with TLS 1.3.
//!
//! Encryption and what is buffered for it stand behind a mutex that is held only while bytes are moved; whoever must
//! wait does so without it. So one thread can wait to receive while others send.
//!
//! ```text
//! send ──► record ──► to be sent ──► socket        at most 64 KiB between send and socket
//! receive ◄── plain bytes ◄── record ◄── inbound ◄── socket
//! ```
//! **What counts as sent.** A record that was begun cannot be taken back, but the socket may take only half of it.
//! [`TlsLink::send`] waits for the socket then if it may wait at all. If not, the rest is kept back, goes first at the
//! next time, and [`TlsLink::flush`] tells whether there is any.
//!
//! **Ends.** The peer's `close_notify` is the end of what comes. A connection that ends without it was cut off, which
//! is an error ([`Errno::CONNRESET`]).
//!
//! | part | what it does |
//! | --- | --- |
//! | `tls` | bytes both ways, once both sides know each other |
//! | `handshake` | how they come to, within bounds of time and bytes |
//! | `config` | what both sides insist on; the only other file that knows the TLS library |

mod config;
mod handshake;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{ErrorKind, IoSlice, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendFlags, Shutdown, recv, sendmsg, shutdown};
use rustls::Connection;

use super::{Readiness, Waiting, wait};
use crate::fingerprint::Fingerprint;
use crate::session::lock;

pub(crate) use config::{ServerConfig, client_config, server_config};
pub(crate) use handshake::{HandshakeError, accept, connect};

/// Bytes that are read from the socket at once.
const INBOUND_BYTES: usize = 32 << 10;

/// Bytes that may lie between [`TlsLink::send`] and the socket.
const OUTBOUND_BYTES_MAX: usize = 64 << 10;

/// Bytes that a peer may send in a row which say nothing: records without content, and changes of keys. Each takes our time; that
/// of a record or two is what honest ones send.
const EMPTY_BYTES_MAX: usize = 64 << 10;

/// A connection over which nothing went for so long is idle.
const IDLE: Duration = Duration::from_millis(1);

/// How long the end of a connection may take that has still something to say.
pub(crate) const LINGER: Duration = Duration::from_millis(500);

/// How long after that a peer may take to do what it was asked to, if nobody waits for the answers.
const DRAIN: Duration = Duration::from_secs(60);

/// Threads of this process that do so.
const DRAINS_MAX: usize = 8;

/// Those that there are.
static DRAINS: AtomicUsize = AtomicUsize::new(0);

/// One end of a TLS connection.
pub(crate) struct TlsLink {
    /// Shared with whoever may have to end the connection before there is a session.
    socket: Arc<OwnedFd>,
    state: Mutex<State>,
    timeouts: Mutex<Timeouts>,
    /// Nothing more is to be received.
    ended: AtomicBool,
}

struct State {
    connection: Connection,
    inbound: Inbound,
    /// Bytes that came since the last that said something.
    empty: usize,
    /// The peer broke the protocol: what comes afterwards means nothing.
    is_broken: bool,
    is_closed: bool,
    /// The socket takes nothing any more: what was kept back never goes.
    cannot_send: bool,
    /// Bytes that the socket took in all.
    taken: usize,
    /// When something was sent or came last.
    used: Instant,
}

#[derive(Clone, Copy, Default)]
struct Timeouts {
    receive: Option<Duration>,
    send: Option<Duration>,
}

impl fmt::Debug for TlsLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsLink").field("socket", &self.socket).finish_non_exhaustive()
    }
}

impl TlsLink {
    fn new(socket: Arc<OwnedFd>, state: State) -> TlsLink {
        TlsLink {
            socket,
            state: Mutex::new(state),
            timeouts: Mutex::default(),
            ended: AtomicBool::new(false),
        }
    }

    /// Fingerprint of the key that the peer has shown to hold, if it showed one.
    pub(crate) fn peer_key(&self) -> Option<Fingerprint> {
        let state = lock(&self.state);
        let chain = state.connection.peer_certificates()?;
        config::fingerprint(chain.first()?)
    }

    pub(crate) fn set_timeouts(&self, receive: Option<Duration>, send: Option<Duration>) {
        *lock(&self.timeouts) = Timeouts { receive, send };
    }

    pub(crate) fn receive(&self, buffer: &mut [u8], waiting: Waiting) -> Result<usize, Errno> {
        let mut deadline = None;
        loop {
            if self.ended.load(Ordering::Acquire) {
                return Ok(0);
            }
            match lock(&self.state).receive(&self.socket, buffer) {
                Err(Errno::AGAIN) => {}
                received => return received,
            }
            let timeout = || lock(&self.timeouts).receive;
            self.wait_again(Readiness::RECEIVE, waiting, deadline.get_or_insert_with(|| later(timeout())))?;
        }
    }

    pub(crate) fn send(&self, pieces: &[IoSlice<'_>], waiting: Waiting) -> Result<usize, Errno> {
        let mut deadline = None;
        let mut taken = None;
        loop {
            let flushed = {
                let mut state = lock(&self.state);
                if taken.is_none() {
                    taken = state.send(&self.socket, pieces)?;
                }
                state.flush(&self.socket)
            };
            match (flushed, taken) {
                (Ok(()), Some(taken)) => return Ok(taken),
                (Err(Errno::AGAIN), Some(taken)) if waiting == Waiting::Never => return Ok(taken),
                (Ok(()) | Err(Errno::AGAIN), _) => {}
                (Err(errno), _) => return Err(errno),
            }
            let timeout = || lock(&self.timeouts).send;
            self.wait_again(Readiness::SEND, waiting, deadline.get_or_insert_with(|| later(timeout())))?;
        }
    }

    pub(crate) fn flush(&self) -> Result<(), Errno> {
        lock(&self.state).flush(&self.socket)
    }

    /// Bytes that the socket took since the connection began.
    pub(crate) fn taken(&self) -> usize {
        lock(&self.state).taken
    }

    /// Waits for the socket.
    fn wait_again(
        &self,
        wanted: Readiness,
        waiting: Waiting,
        deadline: &Option<Instant>,
    ) -> Result<(), Errno> {
        if waiting == Waiting::Never {
            return Err(Errno::AGAIN);
        }
        wait((*self.socket).as_fd(), wanted, *deadline)?.map(|_| ()).ok_or(Errno::AGAIN)
    }

    /// As [`Link::wait`](super::Link::wait). Part of a record is nothing to receive: it goes on waiting then, so that
    /// a peer that drips bytes is held to the deadline like one that sends none.
    pub(crate) fn wait(
        &self,
        wanted: Readiness,
        deadline: Option<Instant>,
    ) -> Result<Option<Readiness>, Errno> {
        loop {
            if wanted.receive && self.has_something() {
                return Ok(Some(Readiness::RECEIVE));
            }
            let Some(ready) = wait((*self.socket).as_fd(), wanted, deadline)? else { return Ok(None) };
            let send = ready.send || !wanted.receive;
            if send {
                return Ok(Some(Readiness { receive: wanted.receive && self.has_something(), send }));
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) && !self.has_something() {
                return Ok(None);
            }
        }
    }

    /// Whether receiving would not wait: there are plain bytes, an end or an error.
    fn has_something(&self) -> bool {
        self.ended.load(Ordering::Acquire) || lock(&self.state).has_something(&self.socket)
    }

    pub(crate) fn end_receiving(&self) {
        self.ended.store(true, Ordering::Release);
        // What fails here means that the peer hung up first.
        let _ = shutdown(&*self.socket, Shutdown::Read);
    }

    pub(crate) fn hang_up(&self) {
        self.ended.store(true, Ordering::Release);
        // Whoever has the state may be at work for the peer: it ends as the socket does, and the peer is not told.
        if let Ok(mut state) = self.state.try_lock() {
            state.close(&self.socket);
        }
        let _ = shutdown(&*self.socket, Shutdown::Both);
    }

    /// Ends what is sent and drops what still comes, for a moment: a socket that is closed with unread bytes makes
    /// the system throw away what was sent last, which is what the peer needs most. Whether the peer ended as well.
    pub(crate) fn part(&self) -> bool {
        let deadline = Instant::now() + LINGER;
        lock(&self.state).close(&self.socket);
        while self.flush() == Err(Errno::AGAIN) {
            match wait(self.socket(), Readiness::EITHER, Some(deadline)) {
                Ok(Some(ready)) if ready.receive && !self.drop_received() => return true,
                Ok(Some(_)) if Instant::now() < deadline => {}
                _ => break,
            }
        }
        self.end_sending();
        drain(&self.socket, deadline)
    }

    /// As [`TlsLink::part`], for who made requests that are not answered: the peer does them as they come, as long as it can
    /// answer. A thread of its own goes on to drop what it answers. Without one, the peer is cut off.
    pub(crate) fn leave_requests(&self) {
        if self.part() {
            return;
        }
        let one_more = |drains: usize| (drains < DRAINS_MAX).then_some(drains + 1);
        if DRAINS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_err() {
            return;
        }
        let (socket, deadline) = (Arc::clone(&self.socket), Instant::now() + DRAIN);
        let drains = thread::Builder::new().name("carnet-drain".to_owned());
        let drains = drains.spawn(move || {
            drain(&socket, deadline);
            DRAINS.fetch_sub(1, Ordering::Relaxed);
        });
        if drains.is_err() {
            DRAINS.fetch_sub(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn end_sending(&self) {
        lock(&self.state).close(&self.socket);
        let _ = shutdown(&*self.socket, Shutdown::Write);
    }

    /// Drops some of what came; whether more may come.
    pub(crate) fn drop_received(&self) -> bool {
        drop_received(&self.socket)
    }

    pub(crate) fn socket(&self) -> BorrowedFd<'_> {
        (*self.socket).as_fd()
    }
}

fn drop_received(socket: &OwnedFd) -> bool {
    let dropped = recv(socket, &mut [0; 4096], RecvFlags::DONTWAIT);
    matches!(dropped, Ok((_, 1..)) | Err(Errno::AGAIN | Errno::INTR))
}

/// Drops what comes until its end; whether that came before `deadline`.
fn drain(socket: &OwnedFd, deadline: Instant) -> bool {
    while let Ok(Some(_)) = wait(socket.as_fd(), Readiness::RECEIVE, Some(deadline)) {
        if !drop_received(socket) {
            return true;
        }
        if Instant::now() >= deadline {
            break;
        }
    }
    false
}

impl Drop for TlsLink {
    fn drop(&mut self) {
        lock(&self.state).close(&self.socket);
    }
}

impl State {
    fn receive(&mut self, socket: &OwnedFd, buffer: &mut [u8]) -> Result<usize, Errno> {
        loop {
            match self.connection.reader().read(buffer) {
                Ok(received) => return Ok(received),
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.take(socket)?,
                // The connection ended without saying so.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(Errno::CONNRESET),
                Err(error) => return Err(errno(&error)),
            }
        }
    }

    /// Takes from the socket what there is, up to a record or so.
    fn take(&mut self, socket: &OwnedFd) -> Result<(), Errno> {
        if self.is_broken {
            return Err(Errno::PROTO);
        }
        let mut source = Source { socket, inbound: &mut self.inbound };
        let taken = self.connection.read_tls(&mut source).map_err(|error| errno(&error))?;
        // A handshake has its own limits, of bytes or time.
        self.empty += if self.connection.is_handshaking() { 0 } else { taken };
        let processed = self.connection.process_new_packets();
        // Answers of the protocol, and alerts. If the socket is full they wait for the next time.
        let _ = self.flush(socket);
        if processed.as_ref().is_ok_and(|state| state.plaintext_bytes_to_read() > 0) {
            self.empty = 0;
        }
        self.is_broken = processed.is_err() || self.empty > EMPTY_BYTES_MAX;
        if self.is_broken { Err(Errno::PROTO) } else { Ok(()) }
    }

    fn has_something(&mut self, socket: &OwnedFd) -> bool {
        loop {
            match self.connection.process_new_packets() {
                Ok(state) if state.plaintext_bytes_to_read() > 0 || state.peer_has_closed() => return true,
                Ok(_) => {}
                Err(_) => return true,
            }
            if self.inbound.is_at_end {
                return true;
            }
            match self.take(socket) {
                Ok(()) => {}
                Err(Errno::AGAIN) => return false,
                Err(_) => return true,
            }
        }
    }

    /// Encrypts as much as may be kept, if nothing is kept back; how much that was.
    fn send(&mut self, socket: &OwnedFd, pieces: &[IoSlice<'_>]) -> Result<Option<usize>, Errno> {
        self.cannot_send = self.cannot_send || self.has_ended_while_idle(socket);
        if self.is_closed || self.cannot_send {
            return Err(Errno::PIPE);
        }
        match self.flush(socket) {
            Ok(()) => {}
            Err(Errno::AGAIN) => return Ok(None),
            Err(errno) => return Err(errno),
        }
        self.connection.writer().write_vectored(pieces).map(Some).map_err(|error| errno(&error))
    }

    /// Gives the socket all that is encrypted.
    fn flush(&mut self, socket: &OwnedFd) -> Result<(), Errno> {
        while self.connection.wants_write() {
            if self.cannot_send {
                return Err(Errno::PIPE);
            }
            let written = self.connection.write_tls(&mut Sink { socket }).map_err(|error| errno(&error));
            self.cannot_send = !matches!(written, Ok(_) | Err(Errno::AGAIN));
            self.taken = self.taken.wrapping_add(written?);
        }
        Ok(())
    }

    /// Whether the server ended while nothing went either way, which the system does not say to who sends: it would take what the
    /// server does not. A client that says that it sends no more may still want its answers.
    fn has_ended_while_idle(&mut self, socket: &OwnedFd) -> bool {
        let is_idle = std::mem::replace(&mut self.used, Instant::now()).elapsed() >= IDLE;
        if !is_idle || matches!(self.connection, Connection::Server(_)) {
            return false;
        }
        let has_plain = |state: &rustls::IoState| state.plaintext_bytes_to_read() > 0;
        if !self.connection.process_new_packets().as_ref().is_ok_and(has_plain) {
            // What came before its end is there for who receives.
            let _ = self.take(socket);
        }
        let now = self.connection.process_new_packets();
        self.inbound.is_at_end || now.map_or(true, |state| state.peer_has_closed())
    }

    /// Says that nothing more comes. If the peer does not take it, it sees a connection that was cut off.
    fn close(&mut self, socket: &OwnedFd) {
        if !self.is_closed {
            self.is_closed = true;
            self.connection.send_close_notify();
            let _ = self.flush(socket);
        }
    }
}

/// What came from the socket and is not with the TLS library yet. It reads little at a time.
struct Inbound {
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    /// Bytes that may still come; counted before the peer is known.
    left: usize,
    is_at_end: bool,
}

impl Inbound {
    fn new(bytes_max: usize) -> Inbound {
        let buffer = vec![0; INBOUND_BYTES].into_boxed_slice();
        Inbound { buffer, start: 0, end: 0, left: bytes_max, is_at_end: false }
    }
}

struct Source<'s> {
    socket: &'s OwnedFd,
    inbound: &'s mut Inbound,
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let inbound = &mut *self.inbound;
        if inbound.start == inbound.end {
            if inbound.left == 0 {
                return Err(Errno::MSGSIZE.into());
            }
            let room = inbound.buffer.len().min(inbound.left);
            let (_, received) =
                again(|| recv(self.socket, &mut inbound.buffer[..room], RecvFlags::DONTWAIT))?;
            (inbound.start, inbound.end) = (0, received);
            inbound.left -= received;
            inbound.is_at_end = received == 0;
        }
        let taken = buffer.len().min(inbound.end - inbound.start);
        buffer[..taken].copy_from_slice(&inbound.buffer[inbound.start..][..taken]);
        inbound.start += taken;
        Ok(taken)
    }
}

struct Sink<'s> {
    socket: &'s OwnedFd,
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> std::io::Result<usize> {
        let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
        let sent = again(|| sendmsg(self.socket, pieces, &mut SendAncillaryBuffer::default(), flags))?;
        Ok(sent)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Tries again what a signal interrupted.
fn again<T>(mut what: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
    loop {
        match what() {
            Err(Errno::INTR) => {}
            done => return done,
        }
    }
}

/// The system's errors pass through the TLS library unchanged; its own are all that the peer broke the protocol.
fn errno(error: &std::io::Error) -> Errno {
    match error.kind() {
        ErrorKind::WouldBlock => Errno::AGAIN,
        _ => Errno::from_io_error(error).unwrap_or(Errno::PROTO),
    }
}

fn later(timeout: Option<Duration>) -> Option<Instant> {
    timeout.and_then(|timeout| Instant::now().checked_add(timeout))
}
