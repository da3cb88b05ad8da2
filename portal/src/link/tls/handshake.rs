//! How both sides come to know each other, within bounds: a deadline for all of it, and bytes until the peer is known.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::io::ioctl_fionbio;
use rustix::net::sockopt;
use rustls::pki_types::{DnsName, ServerName};
use rustls::{ClientConfig, ClientConnection, Connection, Error, ServerConfig, ServerConnection};

use super::config::PROTOCOL;
use super::{Inbound, OUTBOUND_BYTES_MAX, State, TlsLink};
use crate::link::{Readiness, wait};
use crate::session::lock;

/// After how long without a byte the system asks whether the peer is still there, how often it asks again, and after
/// how many unanswered questions it gives up.
const KEEPALIVE: (Duration, Duration, u32) = (Duration::from_secs(60), Duration::from_secs(15), 4);

/// Why there is no connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HandshakeError {
    /// The peer ended it.
    Closed,
    /// It was not done in time.
    TimedOut,
    /// The peer sent more than may come before it is known.
    TooMuch,
    /// What came is not TLS.
    NotTls,
    /// The peer speaks TLS, and not this protocol inside.
    OtherProtocol,
    /// The two sides did not agree.
    Tls(String),
    /// The system's.
    System(Errno),
}

impl From<Errno> for HandshakeError {
    fn from(errno: Errno) -> HandshakeError {
        match errno {
            Errno::MSGSIZE => HandshakeError::TooMuch,
            Errno::CONNRESET | Errno::PIPE => HandshakeError::Closed,
            errno => HandshakeError::System(errno),
        }
    }
}

impl From<Error> for HandshakeError {
    fn from(error: Error) -> HandshakeError {
        match error {
            Error::InvalidMessage(_) => HandshakeError::NotTls,
            Error::NoApplicationProtocol
            | Error::AlertReceived(rustls::AlertDescription::NoApplicationProtocol) => {
                HandshakeError::OtherProtocol
            }
            error => HandshakeError::Tls(error.to_string()),
        }
    }
}

/// The server's side. Until [`TlsLink::admitted`], no more than `bytes_max` are received.
///
/// # Errors
/// [`HandshakeError`].
pub(crate) fn accept(
    socket: Arc<OwnedFd>,
    config: Arc<ServerConfig>,
    deadline: Instant,
    bytes_max: usize,
) -> Result<TlsLink, HandshakeError> {
    let connection = ServerConnection::new(config)?;
    perform(socket, connection.into(), deadline, bytes_max)
}

/// The client's side.
///
/// # Errors
/// [`HandshakeError`].
pub(crate) fn connect(
    socket: OwnedFd,
    config: ClientConfig,
    deadline: Instant,
) -> Result<TlsLink, HandshakeError> {
    // Never sent, see the configuration.
    let name = DnsName::try_from_str("carnet").map_err(|error| Error::General(error.to_string()))?;
    let name = ServerName::DnsName(name.to_owned());
    let connection = ClientConnection::new(Arc::new(config), name)?;
    let link = perform(Arc::new(socket), connection.into(), deadline, usize::MAX)?;
    Ok(link)
}

impl TlsLink {
    /// The peer is known: what it sends is no longer counted.
    pub(crate) fn admitted(&self) {
        lock(&self.state).inbound.left = usize::MAX;
    }
}

fn perform(
    socket: Arc<OwnedFd>,
    mut connection: Connection,
    deadline: Instant,
    bytes_max: usize,
) -> Result<TlsLink, HandshakeError> {
    prepare(&socket)?;
    connection.set_buffer_limit(Some(OUTBOUND_BYTES_MAX));
    let inbound = Inbound::new(bytes_max);
    let mut state = State {
        connection,
        inbound,
        empty: 0,
        is_broken: false,
        is_closed: false,
        cannot_send: false,
        taken: 0,
        used: Instant::now(),
    };
    while state.connection.is_handshaking() || state.connection.wants_write() {
        step(&mut state, &socket, deadline)?;
    }
    if state.connection.alpn_protocol() != Some(PROTOCOL) {
        return Err(HandshakeError::OtherProtocol);
    }
    Ok(TlsLink::new(socket, state))
}

/// Small messages leave at once, waiting is done by `poll`, and a peer that vanished is noticed.
fn prepare(socket: &OwnedFd) -> Result<(), Errno> {
    let (idle, interval, count) = KEEPALIVE;
    ioctl_fionbio(socket, true)?;
    sockopt::set_tcp_nodelay(socket, true)?;
    sockopt::set_socket_keepalive(socket, true)?;
    sockopt::set_tcp_keepidle(socket, idle)?;
    sockopt::set_tcp_keepintvl(socket, interval)?;
    sockopt::set_tcp_keepcnt(socket, count)
}

/// Sends and receives what can be, and waits for more.
fn step(state: &mut State, socket: &OwnedFd, deadline: Instant) -> Result<(), HandshakeError> {
    if Instant::now() >= deadline {
        return Err(HandshakeError::TimedOut);
    }
    let flushed = state.flush(socket);
    let send = match flushed {
        Ok(()) => false,
        Err(Errno::AGAIN) => true,
        Err(errno) => return Err(errno.into()),
    };
    if !state.connection.is_handshaking() && !send {
        return Ok(());
    }
    if state.connection.is_handshaking() {
        match state.shake(socket) {
            Err(HandshakeError::System(Errno::AGAIN)) => {}
            taken => return taken,
        }
    }
    let wanted = Readiness { receive: state.connection.is_handshaking(), send };
    match wait(socket.as_fd(), wanted, Some(deadline))? {
        Some(_) => Ok(()),
        None => Err(HandshakeError::TimedOut),
    }
}

impl State {
    /// As [`State::take`], with the reason.
    fn shake(&mut self, socket: &OwnedFd) -> Result<(), HandshakeError> {
        let taken = self.take(socket);
        if taken == Err(Errno::PROTO) {
            // It says the same error each time.
            self.connection.process_new_packets()?;
        }
        taken?;
        if self.inbound.is_at_end { Err(HandshakeError::Closed) } else { Ok(()) }
    }
}
