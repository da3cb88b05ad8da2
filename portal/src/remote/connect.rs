//! Connecting, and why it failed.

use std::path::Path;
use std::sync::Arc;

use rustix::io::Errno;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{SocketAddrUnix, SocketFlags};

use super::ConnectOptions;
use super::afar::connect_afar;
use crate::address::Address;
use crate::call::{Failure, Kind};
use crate::identity::Credentials;
use crate::link::{Link, ask, unix_socket};

/// A link to the server. If the server was reached and refuses to go on, why: the link is of no more use then.
///
/// # Errors
/// [`Kind::Unreachable`]; [`Kind::BadArgument`] if the address is one to listen on.
pub(super) fn connect(
    address: &Address,
    options: &ConnectOptions,
    credentials: &Credentials,
) -> Result<(Link, Option<Failure>), Failure> {
    match address {
        Address::Unix(path) => Ok((connect_socket(address, path, options)?, None)),
        Address::Shared(path) => {
            let link = connect_socket(address, path, options)?;
            let (link, refusal) = share(link, options).map_err(|errno| unreachable(address, errno))?;
            match refusal {
                Some(failure) if failure.kind() == Kind::Unreachable => {
                    Err(not_reached(address, &failure.details().message))
                }
                refusal => Ok((link, refusal)),
            }
        }
        Address::Carnet(place, fingerprint) => {
            match connect_afar(place, *fingerprint, options, credentials) {
                Ok(link) => Ok((link, None)),
                Err(why) => Err(not_reached(address, &why.to_string())),
            }
        }
        Address::Tcp(_) => Err(Failure::bad_argument(&format!(
            "{address} lacks the fingerprint of the server's key\ngive the whole address that the server printed: \
             carnet://HOST:PORT#FINGERPRINT"
        ))),
    }
}

/// Goes on through shared memory.
fn share(link: Link, options: &ConnectOptions) -> Result<(Link, Option<Failure>), Errno> {
    let timeout = Some(options.connect_timeout);
    link.set_timeouts(timeout, timeout)?;
    let (link, refusal) = ask(link, options.waiting);
    link.set_timeouts(options.call_timeout, timeout)?;
    Ok((link, refusal))
}

fn connect_socket(address: &Address, path: &Path, options: &ConnectOptions) -> Result<Link, Failure> {
    let unreachable = |errno| unreachable(address, errno);
    let path = SocketAddrUnix::new(path).map_err(unreachable)?;
    let socket = unix_socket(SocketFlags::empty()).map_err(unreachable)?;
    // The time-out for sending is also the one for connecting; sending itself never blocks.
    set_socket_timeout(&socket, Timeout::Send, Some(options.connect_timeout)).map_err(unreachable)?;
    set_socket_timeout(&socket, Timeout::Recv, options.call_timeout).map_err(unreachable)?;
    loop {
        match rustix::net::connect(&socket, &path) {
            Ok(()) => return Ok(Link::Socket(Arc::new(socket.into()))),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(unreachable(errno)),
        }
    }
}

#[cold]
fn unreachable(address: &Address, errno: Errno) -> Failure {
    not_reached(address, &system_text(errno))
}

#[cold]
fn not_reached(address: &Address, why: &str) -> Failure {
    Failure::new(Kind::Unreachable, &format!("cannot reach {address}: {why}"))
}

pub(super) fn system_text(errno: Errno) -> String {
    match errno {
        Errno::NOENT => "no such socket".to_owned(),
        Errno::CONNREFUSED => "nobody listens there".to_owned(),
        Errno::AGAIN => "it does not accept in time".to_owned(),
        Errno::ACCESS => "no permission".to_owned(),
        Errno::NAMETOOLONG => "the path is longer than a socket's may be".to_owned(),
        errno => std::io::Error::from(errno).to_string(),
    }
}
