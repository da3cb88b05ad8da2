//! Who is at the other end of a Unix socket, as the system says it.
//!
//! ```text
//! credentials ─► SO_PEERCRED  ─► [process, user, group]   the process is 0 if it has no number here
//! process     ─► SO_PEERPIDFD ─► a descriptor             wherever the process is
//! ```
//!
//! A process outside of our PID namespace, as all are for a server in a container that is not in it, has no number here. The type that
//! `rustix` has for what the system says cannot hold that, so it is asked for here.
//!
//! It decides nothing: who may connect, and how often, is the business of its users. It is part of the floor for its one system call.

use std::ffi::{c_int, c_void};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use rustix::io::Errno;
use rustix::process::{Pid, Uid};

unsafe extern "C" {
    /// getsockopt(2)
    fn getsockopt(fd: c_int, level: c_int, name: c_int, value: *mut c_void, len: *mut u32) -> c_int;
}

/// `SOL_SOCKET`, `SO_PEERCRED`, and `SO_PEERPIDFD`, which the system has since Linux 6.5 (asm-generic/socket.h).
const SOCKET: c_int = 1;
const PEER_CREDENTIALS: c_int = 17;
const PEER_PIDFD: c_int = 77;

/// Who connected, or made a pair of sockets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// Its process's number here, if it has one: it may be another process's by now.
    pub process: Option<Pid>,
    /// Its user's number here; the system's number for strangers (65534, mostly) if it has none.
    pub user: Uid,
}

/// Who is at the other end.
///
/// # Errors
/// The system's.
pub fn credentials(socket: BorrowedFd<'_>) -> Result<Credentials, Errno> {
    let [process, user, _group] = told(socket, PEER_CREDENTIALS)?;
    let process = if process > 0 { Pid::from_raw(process) } else { None };
    Ok(Credentials { process, user: Uid::from_raw(user.cast_unsigned()) })
}

/// A descriptor of the process at the other end, which is never another's.
///
/// # Errors
/// [`Errno::NOPROTOOPT`] before Linux 6.5; else the system's.
pub fn process(socket: BorrowedFd<'_>) -> Result<OwnedFd, Errno> {
    let [fd] = told(socket, PEER_PIDFD)?;
    if fd < 0 {
        return Err(Errno::IO);
    }
    // SAFETY: the system has just opened it, for us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// What the system tells of a socket in so many numbers.
fn told<const N: usize>(socket: BorrowedFd<'_>, name: c_int) -> Result<[c_int; N], Errno> {
    let mut numbers = [0; N];
    let bytes = size_of_val(&numbers);
    let mut len = bytes as u32;
    let value = numbers.as_mut_ptr().cast();
    // SAFETY: the descriptor is open. The system writes at most `len` bytes to `value`, which are those of `numbers`, and how many they
    // were to `len`; any bytes are numbers.
    let done = unsafe { getsockopt(socket.as_raw_fd(), SOCKET, name, value, &raw mut len) };
    if done != 0 {
        return Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO));
    }
    if len as usize != bytes {
        return Err(Errno::IO);
    }
    Ok(numbers)
}
