//! Connecting, and why it failed.

use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, socket_with};

use super::ConnectOptions;
use crate::address::Address;
use crate::call::{Failure, Kind};
use crate::link::Link;

/// A link to the server.
///
/// # Errors
/// [`Kind::Unreachable`].
pub(super) fn connect(address: &Address, options: &ConnectOptions) -> Result<Link, Failure> {
    let Address::Unix(path) = address;
    let unreachable = |errno| unreachable(address, errno);
    let path = SocketAddrUnix::new(path).map_err(unreachable)?;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
        .map_err(unreachable)?;
    // The time-out for sending is also the one for connecting; sending itself never blocks.
    let link = Link::Socket(socket);
    link.set_timeouts(options.call_timeout, Some(options.connect_timeout)).map_err(unreachable)?;
    let Link::Socket(socket) = &link;
    loop {
        match rustix::net::connect(socket, &path) {
            Ok(()) => return Ok(link),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(unreachable(errno)),
        }
    }
}

#[cold]
fn unreachable(address: &Address, errno: Errno) -> Failure {
    let why = match errno {
        Errno::NOENT => "no such socket".to_owned(),
        Errno::CONNREFUSED => "nobody listens there".to_owned(),
        Errno::AGAIN => "it does not accept in time".to_owned(),
        Errno::ACCESS => "no permission".to_owned(),
        Errno::NAMETOOLONG => "the path is longer than a socket's may be".to_owned(),
        errno => std::io::Error::from(errno).to_string(),
    };
    Failure::new(Kind::Unreachable, &format!("cannot reach {address}: {why}"))
}
