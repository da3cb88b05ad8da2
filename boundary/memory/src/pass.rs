//! Descriptors over a Unix socket, and bytes straight to where they belong.
//!
//! What arrives is closed on exec from the start, and what arrives beyond what was asked for is closed at once: a
//! peer cannot fill our table of descriptors.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recv, recvmsg, sendmsg,
};

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
    loop {
        match sendmsg(socket, &[IoSlice::new(bytes)], &mut control, SendFlags::DONTWAIT | SendFlags::NOSIGNAL)
        {
            Err(Errno::INTR) => {}
            sent => return sent,
        }
    }
}

/// Receives at least one byte, and the descriptor that came with it, if any; 0 bytes are the end. Of several
/// descriptors the first is kept and the others are closed.
///
/// # Errors
/// The system's.
pub fn receive(
    socket: BorrowedFd<'_>,
    bytes: &mut [u8],
    flags: RecvFlags,
) -> Result<(usize, Option<OwnedFd>), Errno> {
    // Room for one: the system itself closes what does not fit.
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = loop {
        match recvmsg(socket, &mut [IoSliceMut::new(bytes)], &mut control, flags | RecvFlags::CMSG_CLOEXEC) {
            Err(Errno::INTR) => {}
            received => break received?,
        }
    };
    let mut first = None;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(files) = message {
            // Those that are not kept are closed as they are dropped.
            for file in files {
                first.get_or_insert(file);
            }
        }
    }
    Ok((received.bytes, first))
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
