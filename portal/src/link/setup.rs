//! How a link through shared memory comes to be, over a Unix socket that is connected already.
//!
//! ```text
//! client: ask                                    server: answer (admission and peer's user as for any session)
//!   Share, ring bytes wished  ──── socket ────►  within the limits? make the memory, seal it, map it
//!   check seals and length, map ◄─ socket ─────  Reply: ring bytes, with the descriptor
//!   Hello and all that follows ════ queues ════►
//! ```
//! The descriptor is closed on both sides once the memory is mapped. Before that the server takes none. Descriptors of memory that is handed over later go over the
//! same socket ([`Shared::pass`]).

use std::io::IoSlice;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use carnet_memory::{Mapping, Sealed, Segment, pass};
use carnet_queue::End;
use carnet_queue::layout::{RING_BYTES_MAX, RING_BYTES_MIN, Side, memory_bytes};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustix::net::sockopt::set_socket_send_buffer_size;

use super::shared::Shared;
use super::socket::{Socket, is_behind};
use super::spin::WaitMode;
use super::{Link, Waiting, send_pieces};
use crate::call::{Caller, Failure, Kind};
use crate::message::{nonsense, read_failure};
use crate::seats::Seats;
use crate::wire::{CALL_SESSION, HEADER_BYTES, Reply, Request, Share, frame_len, kind};

/// Bytes of a ring that a client asks for: short messages stay in the nearest caches, long ones flow through.
const RING_BYTES: u32 = 256 << 10;

/// Number of the request.
const CALL: u32 = 1;

/// Longest answer: a refusal with its reason.
const ANSWER_BYTES_MAX: u32 = 16 << 10;

/// Bytes of memory that somebody has, of as many as may be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quota(Arc<AtomicUsize>);

/// A part of a [`Quota`], until it is dropped.
#[derive(Debug)]
pub(crate) struct Reserved {
    quota: Quota,
    bytes: usize,
}

impl Quota {
    /// So much of at most `max`; `None` if there is not so much left.
    pub(crate) fn reserve(&self, bytes: usize, max: usize) -> Option<Reserved> {
        let more = |taken: usize| taken.checked_add(bytes).filter(|taken| *taken <= max);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        Some(Reserved { quota: self.clone(), bytes })
    }

    /// Bytes that are taken of it.
    pub(crate) fn taken(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.quota.0.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// What a server gives of its memory.
pub(crate) struct Setup<'a> {
    /// Bytes for all sessions.
    pub(crate) seats: &'a Arc<Seats>,
    /// Whose session it is.
    pub(crate) caller: &'a Caller,
    /// Bytes for one session.
    pub(crate) session_bytes_max: usize,
    pub(crate) mode: WaitMode,
    /// How long the rest of a message may take.
    pub(crate) patience: Duration,
}

/// Server: makes the memory that the client wishes, or less, and sends it; the link through it.
///
/// # Errors
/// [`Kind::Refused`], if there is none left, and nothing was sent; [`Kind::PeerDied`].
pub(crate) fn answer(link: &Link, share: Share, call: u32, setup: &Setup<'_>) -> Result<Link, Failure> {
    let Link::Socket(socket) = link else {
        return Err(Failure::new(Kind::Refused, "memory is shared over a Unix socket only, and once"));
    };
    let ring = ring_within(share.ring, setup.session_bytes_max)?;
    let bytes = End::<Mapping>::bytes(ring);
    let seats = setup.seats.take_some(setup.caller, bytes).map_err(|full| {
        Failure::new(Kind::Refused, &full.tell("this server", ["shares", "share"], "bytes of memory"))
    })?;
    let segment = Segment::create(bytes).map_err(no_memory)?;
    let mapping = Mapping::new(&segment).map_err(no_memory)?;
    socket.carry_files().map_err(no_memory)?;
    let mut frame = vec![0; HEADER_BYTES];
    crate::wire::Shared { ring: ring as u32 }.encode(&mut frame);
    let len = frame.len() as u32;
    let header = Reply { len, kind: kind::REPLY, portals: 0, status: 0, call, raised: 0 };
    frame[..HEADER_BYTES].copy_from_slice(&header.encode());
    match pass::send(socket.as_fd(), &frame, &segment) {
        // The first bytes of a connection always fit as a whole.
        Ok(sent) if sent == frame.len() => {}
        _ => return Err(Failure::new(Kind::PeerDied, "the client is gone")),
    }
    // From now on it carries descriptors alone, and what a client leaves there counts against this user: a few are enough.
    set_socket_send_buffer_size(&**socket, 0).map_err(no_memory)?;
    let end = End::new(mapping, Side::Server, ring);
    let server = Some((seats, setup.patience));
    Ok(Link::Shared(Box::new(Shared::new(end, Arc::clone(socket), setup.mode, server))))
}

/// The largest ring that is no larger than wished, and fits.
fn ring_within(wished: u32, bytes_max: usize) -> Result<usize, Failure> {
    let wished = (wished as usize).clamp(RING_BYTES_MIN, RING_BYTES_MAX);
    let mut ring = 1_usize << wished.ilog2();
    while memory_bytes(ring).is_none_or(|bytes| bytes > bytes_max) {
        ring /= 2;
        if ring < RING_BYTES_MIN {
            let text = format!("this server shares no memory: a session may have {bytes_max} bytes of it");
            return Err(Failure::new(Kind::Refused, &text));
        }
    }
    Ok(ring)
}

#[cold]
fn no_memory(errno: Errno) -> Failure {
    Failure::new(Kind::Refused, &format!("the server has no memory to share: {errno}"))
}

/// Client: asks for shared memory over a connected socket. The link through it; or the link as it was, and why the
/// server, or we, do not go on, [`Kind::Unreachable`] if there was no answer.
pub(crate) fn ask(link: Link, mode: WaitMode) -> (Link, Option<Failure>) {
    let Link::Socket(socket) = link else {
        return (link, Some(Failure::bad_argument("memory is shared over a Unix socket only")));
    };
    if is_behind() {
        let text = "this process still closes what other servers passed that is no memory; try again later";
        return (Link::Socket(socket), Some(Failure::new(Kind::Refused, text)));
    }
    match ask_over(&socket) {
        Ok(end) => (Link::Shared(Box::new(Shared::new(end, socket, mode, None))), None),
        Err(failure) => (Link::Socket(socket), Some(failure)),
    }
}

fn ask_over(socket: &Socket) -> Result<End<Mapping>, Failure> {
    socket.carry_files().map_err(|errno| Failure::new(Kind::Internal, &errno.to_string()))?;
    send_request(socket);
    let (frame, file) = receive_answer(socket)?;
    let header = Reply::decode(&frame).ok_or_else(|| nonsense("it has no header"))?;
    if header.kind != kind::REPLY || (header.call != CALL && header.call != CALL_SESSION) {
        return Err(nonsense("it answers what was not asked"));
    }
    if header.status != 0 {
        return Err(read_failure(&header, &frame));
    }
    let shared = crate::wire::Shared::decode(&frame[HEADER_BYTES..]);
    let ring = shared.map_err(|malformed| nonsense(&malformed.to_string()))?.ring as usize;
    let bytes = memory_bytes(ring).ok_or_else(|| nonsense("a ring that cannot be so long"))?;
    let file = file.ok_or_else(|| nonsense("it carries no memory"))?;
    let segment =
        Segment::accept(file, Sealed::Size, bytes).map_err(|refused| nonsense(&refused.to_string()))?;
    let mapping = Mapping::new(&segment)
        .map_err(|errno| Failure::new(Kind::Internal, &format!("cannot map shared memory: {errno}")))?;
    Ok(End::new(mapping, Side::Client, ring))
}

fn send_request(socket: &Socket) {
    let mut frame = vec![0; HEADER_BYTES];
    Share { ring: RING_BYTES }.encode(&mut frame);
    let len = frame.len() as u32;
    let header = Request { len, kind: kind::SHARE, portals: 0, op: 0, target: 0, call: CALL };
    frame[..HEADER_BYTES].copy_from_slice(&header.encode());
    // The first bytes of a connection always fit as a whole. A server that refused has hung up, and said why.
    let _ = send_pieces(socket.as_fd(), &[IoSlice::new(&frame)], Waiting::TimeOut);
}

/// One frame, and the descriptor that came with it.
fn receive_answer(socket: &Socket) -> Result<(Vec<u8>, Option<OwnedFd>), Failure> {
    let (mut frame, mut file) = (Vec::new(), None);
    loop {
        let wanted = match frame_len(&frame) {
            None => HEADER_BYTES,
            Some(len) if (HEADER_BYTES as u32..=ANSWER_BYTES_MAX).contains(&len) => len as usize,
            Some(len) => return Err(nonsense(&format!("it claims to have {len} bytes"))),
        };
        let have = frame.len();
        if have >= wanted && have >= HEADER_BYTES {
            return Ok((frame, file));
        }
        frame.resize(wanted, 0);
        let received = socket.receive(&mut frame[have..], RecvFlags::empty());
        let (received, with) = received.map_err(|errno| match errno {
            Errno::BADMSG => nonsense("what came with it is no memory"),
            Errno::AGAIN => no_answer("it gave no answer in time"),
            _ => no_answer(CLOSED),
        })?;
        if received == 0 {
            return Err(no_answer(CLOSED));
        }
        frame.truncate(have + received);
        // One is enough; any more is memory, too, and closed here.
        file = file.or(with);
    }
}

const CLOSED: &str = "it closed the connection before it shared memory";

/// The server was not reached.
#[cold]
fn no_answer(why: &str) -> Failure {
    Failure::new(Kind::Unreachable, why)
}
