//! Descriptors over a Unix socket, and bytes straight to where they belong.
//!
//! ```text
//! look: bytes, descriptors ─► one memory file, or none ──► take the bytes; the system drops its own reference
//!   (they stay where they are) └ anything else ──────────► leave them there for good
//! ```
//! Whoever closes a descriptor last runs what its closing takes, and of a TCP socket with unsent bytes that is as long as
//! its sender likes. The system itself closes what is received and has no room, in the thread that receives. So nothing is
//! taken out of a socket before it was seen to be a memory file, whose closing waits for nobody. What arrives is closed on
//! exec from the start.

use std::ffi::{c_int, c_uint, c_void};
use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use rustix::fs::fcntl_get_seals;
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recv, recvmsg, sendmsg,
};

/// Level and name of the option of a Unix socket that says whether peers may pass descriptors to it (asm-generic/socket.h).
const SOL_SOCKET: c_int = 1;
const SO_PASSRIGHTS: c_int = 83;

unsafe extern "C" {
    /// setsockopt(2)
    fn setsockopt(socket: c_int, level: c_int, name: c_int, value: *const c_void, len: c_uint) -> c_int;
}

/// Whether peers may pass descriptors to a socket, and to those that are accepted from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// They may, as to any new socket.
    Allowed,
    /// A peer that tries is told that it may not, and nothing arrives.
    Refused,
}

/// Sets that. Before Linux 6.16 descriptors arrive whatever this says.
pub fn set_passing(socket: BorrowedFd<'_>, passing: Passing) {
    let value = c_int::from(passing == Passing::Allowed);
    let (value, len) = ((&raw const value).cast(), size_of::<c_int>() as c_uint);
    // SAFETY: the descriptor is open, and so many bytes are read from `value`, which lives until then. A system that does
    // not know the option says so, and nothing is changed.
    let _ = unsafe { setsockopt(socket.as_raw_fd(), SOL_SOCKET, SO_PASSRIGHTS, value, len) };
}

/// Why nothing was received.
#[derive(Debug)]
pub enum Unreceived {
    /// The system's answer; [`Errno::MFILE`] if there is no descriptor left for what came.
    System(Errno),
    /// With the bytes came something else than one memory file. They stay in the socket, which is of no more use for
    /// receiving; these are further descriptors for some of it. To close them, or the socket, may take as long as the peer
    /// likes.
    Unfit(Vec<OwnedFd>),
}

impl From<Errno> for Unreceived {
    fn from(errno: Errno) -> Unreceived {
        Unreceived::System(errno)
    }
}

/// Sends `bytes` with `file`, without waiting; how many bytes were sent. The descriptor goes with the first of them.
///
/// # Errors
/// The system's; [`Errno::AGAIN`] if the other side must receive something first.
pub fn send(socket: BorrowedFd<'_>, bytes: &[u8], file: impl AsFd) -> Result<usize, Errno> {
    let files = [file.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    // The space was made for it.
    let pushed = control.push(SendAncillaryMessage::ScmRights(&files));
    debug_assert!(pushed);
    let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
    again(|| sendmsg(socket, &[IoSlice::new(bytes)], &mut control, flags))
}

/// Receives at least one byte, and the memory file that came with it, if any; 0 bytes are the end. Bytes out of band must
/// be in line ([`set_socket_oobinline`](rustix::net::sockopt::set_socket_oobinline)), and nobody else may receive meanwhile.
///
/// # Errors
/// [`Unreceived`]; nothing was taken out of the socket then.
pub fn receive(
    socket: BorrowedFd<'_>,
    bytes: &mut [u8],
    flags: RecvFlags,
) -> Result<(usize, Option<OwnedFd>), Unreceived> {
    let (seen, mut files, is_cut) = look(socket, bytes, flags)?;
    let is_memory = |file: &OwnedFd| fcntl_get_seals(file).is_ok();
    match files.as_slice() {
        [] if is_cut => return Err(Unreceived::System(Errno::MFILE)),
        [] => {}
        [one] if !is_cut && is_memory(one) => {}
        _ => return Err(Unreceived::Unfit(files)),
    }
    // Without room for descriptors: the system drops its reference, and `files` has another.
    let taken = again(|| recv(socket, &mut bytes[..seen], flags).map(|(_, taken)| taken))?;
    Ok((taken, files.pop()))
}

/// The bytes that come next, the descriptors with them, and whether some of these had no room. They stay in the socket.
fn look(
    socket: BorrowedFd<'_>,
    bytes: &mut [u8],
    flags: RecvFlags,
) -> Result<(usize, Vec<OwnedFd>, bool), Errno> {
    let flags = flags | RecvFlags::PEEK | RecvFlags::CMSG_CLOEXEC;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let seen = again(|| recvmsg(socket, &mut [IoSliceMut::new(bytes)], &mut control, flags))?;
    let rights = |message| match message {
        RecvAncillaryMessage::ScmRights(files) => Some(files),
        _ => None,
    };
    let files = control.drain().filter_map(rights).flatten().collect();
    Ok((seen.bytes, files, seen.flags.contains(ReturnFlags::CTRUNC)))
}

fn again<T>(mut call: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            done => return done,
        }
    }
}

/// Receives at least one byte, at most `at_most`, behind what `onto` has; 0 bytes are the end. Room for them is not cleared
/// before.
///
/// # Errors
/// The system's.
pub fn receive_onto(
    socket: BorrowedFd<'_>,
    onto: &mut Vec<u8>,
    at_most: usize,
    flags: RecvFlags,
) -> Result<usize, Errno> {
    onto.reserve(at_most);
    let ((received, _), _) = recv(socket, &mut onto.spare_capacity_mut()[..at_most], flags)?;
    let received = received.len();
    // SAFETY: so many bytes of the vector's room were lent as written.
    unsafe { onto.set_len(onto.len() + received) }
    Ok(received)
}
