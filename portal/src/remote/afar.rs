//! Connecting with TLS over TCP, and why it failed.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Instant;

use rustix::io::{Errno, ioctl_fionbio};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};

use super::ConnectOptions;
use super::connect::system_text;
use crate::address::Place;
use crate::fingerprint::Fingerprint;
use crate::identity::{CertifiedKey, Credentials};
use crate::link::tls::{self, HandshakeError};
use crate::link::{Link, Readiness, Waiting, wait};
use crate::wire::{CALL_SESSION, HEADER_BYTES, Request, kind};

/// Why there is no link, in words.
type Why = String;

/// A link to the server at `place`, whose key must be the one of `fingerprint`.
///
/// # Errors
/// Nothing was sent but the start of a handshake.
pub(super) fn connect_afar(
    place: &Place,
    fingerprint: Fingerprint,
    options: &ConnectOptions,
    credentials: &Credentials,
) -> Result<Link, Why> {
    let deadline = Instant::now() + options.connect_timeout;
    let key: Option<&CertifiedKey> = match credentials {
        Credentials::Key(key) => Some(key),
        Credentials::None | Credentials::Token(_) => None,
    };
    let (config, pinned) = tls::client_config(fingerprint, key).map_err(|error| error.to_string())?;
    let socket = connect_tcp(place, deadline)?;
    let shaken = tls::connect(socket, config, deadline);
    let link = shaken.map_err(|error| match pinned.other() {
        Some(found) => other_key(&pinned.expected(), &found),
        None => handshake_text(&error),
    })?;
    let link = Link::Tls(Box::new(link));
    let system = |errno: Errno| system_text(errno);
    link.set_timeouts(options.call_timeout, Some(options.connect_timeout)).map_err(system)?;
    if let Credentials::Token(token) = credentials {
        send_token(&link, token.expose()).map_err(system)?;
    }
    Ok(link)
}

/// Connects to the first address of `place` that answers.
fn connect_tcp(place: &Place, deadline: Instant) -> Result<OwnedFd, Why> {
    let found = (place.host.as_str(), place.port).to_socket_addrs();
    let found: Vec<SocketAddr> = found.into_iter().flatten().collect();
    let mut why = "there is no such host".to_owned();
    for (address, left) in found.iter().zip((1..=found.len()).rev()) {
        // One that is silent leaves time for the others.
        let now = Instant::now();
        let until = now + deadline.saturating_duration_since(now) / left as u32;
        match connect_to(*address, until) {
            Ok(socket) => return Ok(socket),
            Err(errno) => why = system_text(errno),
        }
    }
    Err(why)
}

fn connect_to(address: SocketAddr, deadline: Instant) -> Result<OwnedFd, Errno> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let socket = socket_with(family, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    ioctl_fionbio(&socket, true)?;
    match rustix::net::connect(&socket, &address) {
        Ok(()) => return Ok(socket),
        Err(Errno::INPROGRESS | Errno::INTR) => {}
        Err(errno) => return Err(errno),
    }
    if wait(socket.as_fd(), Readiness::SEND, Some(deadline))?.is_none() {
        return Err(Errno::AGAIN);
    }
    rustix::net::sockopt::socket_error(&socket)??;
    Ok(socket)
}

fn send_token(link: &Link, token: &[u8]) -> Result<(), Errno> {
    let len = (HEADER_BYTES + token.len()) as u32;
    let header = Request { len, kind: kind::TOKEN, portals: 0, op: 0, target: 0, call: CALL_SESSION };
    let frame = [&header.encode()[..], token].concat();
    let mut left = &frame[..];
    while !left.is_empty() {
        let sent = link.send(&[std::io::IoSlice::new(left)], Waiting::TimeOut)?;
        left = &left[sent..];
    }
    Ok(())
}

fn other_key(expected: &Fingerprint, found: &Fingerprint) -> Why {
    format!(
        "the server there has another key\nexpected {expected}\nfound    {found}\neither it was set up anew, or somebody \
         stands in between"
    )
}

/// A server at its limits does so without a word.
const HUNG_UP: &str = "what listens there hung up during the handshake\nif it is a Carnet server, it may have as many connections from \
                       this address already as its limits take: try again later";

fn handshake_text(error: &HandshakeError) -> Why {
    match error {
        HandshakeError::Closed => HUNG_UP.to_owned(),
        HandshakeError::TimedOut => "it does not answer in time".to_owned(),
        HandshakeError::TooMuch | HandshakeError::NotTls => {
            "what listens there does not speak TLS".to_owned()
        }
        HandshakeError::OtherProtocol => "what listens there speaks TLS, and is no Carnet server".to_owned(),
        HandshakeError::Tls(why) => format!("what listens there speaks TLS otherwise: {why}"),
        HandshakeError::System(errno) => system_text(*errno),
    }
}
