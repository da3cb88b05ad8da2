//! The way into a server from afar: TLS, who the client is, and how much it may cost until that is known.
//!
//! ```text
//! accept ─► too many strangers from there? ─► dropped
//!    ├─► too many in all? ─► one that is slow is cut off for it; without such a one, dropped
//!    └─► thread: handshake ─► key shown? ─► admitted? ─────────────► session, in the same thread
//!                                └ no: first frame is a token ─► admitted? ─┘      └ no: farewell
//! ```
//! Until it is admitted, a client costs at most one thread, one descriptor, [`DoorLimits::bytes_max`] bytes and
//! [`DoorLimits::time_max`], however it behaves.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::{Shutdown, shutdown};

use crate::admission::{Admission, Shown};
use crate::call::{Failure, Kind};
use crate::fingerprint::Fingerprint;
use crate::identity::{CertifiedKey, KeyError, TOKEN_BYTES_MAX, Token};
use crate::link::tls::{self, HandshakeError, ServerConfig, TlsLink};
use crate::link::{Link, Readiness, Waiting};
use crate::session::{lock, refuse};
use crate::wire::{CALL_SESSION, HEADER_BYTES, Request, kind};

/// What clients from afar may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoorLimits {
    /// Connections at the same time whose clients are not known yet.
    pub strangers_max: usize,
    /// The same from one address (of IPv6: one network of 64 bits).
    pub strangers_per_address_max: usize,
    /// Bytes that a client may send until it is known.
    pub bytes_max: usize,
    /// How long a client may take until it is known.
    pub time_max: Duration,
    /// How long it has for that even while others want its place: from the same address, or from where no fewer are.
    pub time_min: Duration,
    /// Sessions from one address.
    pub sessions_per_address_max: usize,
    /// How often the server asks whether those who have sessions are still admitted.
    pub recheck: Duration,
    /// How long a session may be silent while nothing runs for it, unless the server's limits are tighter.
    pub idle_timeout: Duration,
}

impl Default for DoorLimits {
    fn default() -> DoorLimits {
        DoorLimits {
            strangers_max: 64,
            strangers_per_address_max: 16,
            bytes_max: 64 << 10,
            time_max: Duration::from_secs(10),
            time_min: Duration::from_secs(1),
            sessions_per_address_max: 64,
            recheck: Duration::from_secs(5),
            idle_timeout: Duration::from_secs(600),
        }
    }
}

/// What a server needs to listen on TCP.
#[derive(Clone)]
pub struct Door {
    config: Arc<ServerConfig>,
    fingerprint: Fingerprint,
    admission: Arc<dyn Admission>,
    limits: DoorLimits,
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door")
            .field("fingerprint", &self.fingerprint)
            .field("admission", &self.admission)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Door {
    /// With this key and its fingerprint, for those whom `admission` knows.
    ///
    /// # Errors
    /// [`KeyError::Unusable`].
    pub fn new(
        key: &(CertifiedKey, Fingerprint),
        admission: Arc<dyn Admission>,
        limits: DoorLimits,
    ) -> Result<Door, KeyError> {
        Ok(Door { config: tls::server_config(&key.0)?, fingerprint: key.1, admission, limits })
    }

    /// Fingerprint of the server's key.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    pub(crate) fn turned_away(&self, why: &str, from: IpAddr) {
        self.admission.turned_away(why, from);
    }

    pub(crate) fn meanwhile(&self) {
        self.admission.meanwhile();
    }

    pub(crate) fn limits(&self) -> &DoorLimits {
        &self.limits
    }

    /// Which of these are not admitted any more.
    pub(crate) fn withdrawn(&self, shown: &[Shown]) -> Vec<Shown> {
        self.admission.withdrawn(shown)
    }

    /// Comes to know the client at the other end of `socket`: its name, and what it showed. `None` if there will be no session; the
    /// client was told why then, as far as it speaks the protocol.
    pub(crate) fn admit(&self, socket: Arc<OwnedFd>, from: IpAddr) -> Option<(Link, Arc<str>, Shown)> {
        let deadline = Instant::now() + self.limits.time_max;
        let shaken = tls::accept(socket, Arc::clone(&self.config), deadline, self.limits.bytes_max);
        let link = match shaken {
            Ok(link) => link,
            Err(error) => {
                self.admission.turned_away(handshake_text(&error), from);
                return None;
            }
        };
        let known = self.authenticate(&link, from, deadline);
        link.admitted();
        let link = Link::Tls(Box::new(link));
        match known {
            Ok((principal, shown)) => Some((link, principal, shown)),
            Err(Some(refusal)) => {
                refuse(&link, &refusal);
                link.part();
                None
            }
            Err(None) => None,
        }
    }

    /// The client's name, and what it showed; an error without a failure if the client is gone.
    fn authenticate(
        &self,
        link: &TlsLink,
        from: IpAddr,
        deadline: Instant,
    ) -> Result<(Arc<str>, Shown), Option<Failure>> {
        if let Some(key) = link.peer_key() {
            let principal = self.admission.by_key(&key, from).map_err(Some)?;
            return Ok((principal, Shown::Key(key)));
        }
        let token = first_token(link, deadline).inspect_err(|why| {
            let why = why.as_ref().map_or("it left before it said who it is", |why| &why.details().message);
            self.admission.turned_away(why, from);
        })?;
        let principal = self.admission.by_token(&token, from).map_err(Some)?;
        Ok((principal, Shown::Token(token.hash())))
    }
}

/// The token in the first frame.
fn first_token(link: &TlsLink, deadline: Instant) -> Result<Token, Option<Failure>> {
    let mut header = [0; HEADER_BYTES];
    receive_all(link, &mut header, deadline)?;
    let header = Request::decode(&header).ok_or_else(nonsense)?;
    if header.kind == kind::HELLO {
        return Err(Some(Failure::new(
            Kind::Refused,
            "this server admits only those who show a token or a client certificate",
        )));
    }
    let len = usize::try_from(header.len).ok().and_then(|len| len.checked_sub(HEADER_BYTES));
    let len = len.filter(|len| (1..=TOKEN_BYTES_MAX).contains(len)).ok_or_else(nonsense)?;
    let is_plain = header.portals == 0 && header.op == 0 && header.target == 0;
    if header.kind != kind::TOKEN || header.call != CALL_SESSION || !is_plain {
        return Err(nonsense());
    }
    let mut bytes = [0; TOKEN_BYTES_MAX];
    let bytes = &mut bytes[..len];
    receive_all(link, bytes, deadline)?;
    Token::parse(bytes).ok_or_else(nonsense)
}

fn receive_all(link: &TlsLink, mut buffer: &mut [u8], deadline: Instant) -> Result<(), Option<Failure>> {
    while !buffer.is_empty() {
        match link.receive(buffer, Waiting::Never) {
            Ok(0) => return Err(None),
            Ok(received) => buffer = &mut buffer[received..],
            Err(Errno::AGAIN) => match link.wait(Readiness::RECEIVE, Some(deadline)) {
                Ok(Some(_)) => {}
                Ok(None) => return Err(Some(too_slow())),
                Err(_) => return Err(None),
            },
            Err(Errno::MSGSIZE) => return Err(nonsense()),
            Err(_) => return Err(None),
        }
    }
    Ok(())
}

#[cold]
fn nonsense() -> Option<Failure> {
    Some(Failure::new(
        Kind::Protocol,
        "the client sent what is not a message of this protocol: its first is a token, which is at most 256 bytes",
    ))
}

#[cold]
fn too_slow() -> Failure {
    Failure::new(Kind::TimedOut, "the client did not say who it is in time")
}

fn handshake_text(error: &HandshakeError) -> &str {
    match error {
        HandshakeError::Closed => "it left during the handshake",
        HandshakeError::TimedOut => "its handshake took too long",
        HandshakeError::TooMuch => "its handshake was too long",
        HandshakeError::NotTls => "it does not speak TLS",
        HandshakeError::OtherProtocol => "it speaks TLS, and another protocol inside",
        HandshakeError::Tls(why) => why,
        HandshakeError::System(_) => "the connection broke during the handshake",
    }
}

/// Counts who is there, by address.
#[derive(Debug, Default)]
pub(crate) struct Guests {
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    numbered: u64,
    /// In the order in which they came.
    strangers: Vec<Stranger>,
    by_address: HashMap<IpAddr, Count>,
}

#[derive(Debug)]
struct Stranger {
    number: u64,
    address: IpAddr,
    since: Instant,
    socket: Weak<OwnedFd>,
}

impl Stranger {
    /// Ends its connection, and with that its thread; what its number is.
    fn cut_off(&self) -> u64 {
        if let Some(socket) = self.socket.upgrade() {
            let _ = shutdown(&*socket, Shutdown::Both);
        }
        self.number
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    strangers: usize,
    sessions: usize,
}

/// One connection, which counts as long as this lives.
#[derive(Debug)]
pub(crate) struct Guest {
    guests: Arc<Guests>,
    address: IpAddr,
    /// As a stranger.
    number: u64,
    is_known: bool,
}

impl Guests {
    /// Counts a stranger, unless there are too many. If there are too many from its address, the one leaves that has been there
    /// longest and had its time: else whoever only connects would keep out all others behind that address. If there are too
    /// many in all, one leaves that had its time, or comes from where more are: else a few addresses that only connect would keep
    /// everybody out.
    pub(crate) fn arrive(
        self: &Arc<Self>,
        from: IpAddr,
        socket: &Arc<OwnedFd>,
        limits: &DoorLimits,
    ) -> Option<Guest> {
        let address = network(from);
        let mut counts = lock(&self.counts);
        let here = counts.by_address.get(&address).map_or(0, |count| count.strangers);
        let has_place = if here >= limits.strangers_per_address_max {
            counts.one_of_these_leaves(address, limits.time_min)
        } else {
            counts.strangers.len() < limits.strangers_max || counts.one_leaves(here, limits.time_min)
        };
        if !has_place {
            return None;
        }
        let number = counts.numbered;
        counts.numbered += 1;
        let stranger = Stranger { number, address, since: Instant::now(), socket: Arc::downgrade(socket) };
        counts.strangers.push(stranger);
        counts.by_address.entry(address).or_default().strangers += 1;
        Some(Guest { guests: Arc::clone(self), address, number, is_known: false })
    }
}

impl Counts {
    /// Cuts off the one that has been there longest of those from the address with the most of them, for one from where `here` are;
    /// whether one was. Who comes from where fewer are leaves for none of these, and its time protects who comes from where no more are.
    fn one_leaves(&mut self, here: usize, time_min: Duration) -> bool {
        let count = |address: &IpAddr| self.by_address.get(address).map_or(0, |count| count.strangers);
        let may_leave = |stranger: &&Stranger| {
            let there = count(&stranger.address);
            there > here + 1 || there >= here && stranger.since.elapsed() >= time_min
        };
        let from_there = |stranger: &&Stranger| (count(&stranger.address), Reverse(stranger.number));
        let leaves = self.strangers.iter().filter(may_leave).max_by_key(from_there);
        let Some(number) = leaves.map(Stranger::cut_off) else { return false };
        self.no_stranger(number)
    }

    /// Cuts off the one that has been there longest of those from `address`, if it had its time; whether it did.
    fn one_of_these_leaves(&mut self, address: IpAddr, time_min: Duration) -> bool {
        let first =
            self.strangers.iter().filter(|stranger| stranger.address == address).min_by_key(|it| it.number);
        let Some(first) = first.filter(|stranger| stranger.since.elapsed() >= time_min) else { return false };
        let number = first.cut_off();
        self.no_stranger(number)
    }

    /// Counts a stranger no more; whether it was counted.
    fn no_stranger(&mut self, number: u64) -> bool {
        let Some(at) = self.strangers.iter().position(|stranger| stranger.number == number) else {
            return false;
        };
        let address = self.strangers.remove(at).address;
        if let Some(count) = self.by_address.get_mut(&address) {
            count.strangers -= 1;
        }
        self.forget(address);
        true
    }

    /// Nobody is there any more, perhaps.
    fn forget(&mut self, address: IpAddr) {
        if self.by_address.get(&address).is_some_and(|count| count.strangers == 0 && count.sessions == 0) {
            self.by_address.remove(&address);
        }
    }
}

impl Guest {
    /// It is no stranger any more.
    ///
    /// # Errors
    /// [`Kind::Refused`] if there are as many sessions from there as may be, or if it was cut off meanwhile.
    pub(crate) fn known(&mut self, limits: &DoorLimits) -> Result<(), Failure> {
        let mut counts = lock(&self.guests.counts);
        let sessions = counts.by_address.get(&self.address).map_or(0, |count| count.sessions);
        if sessions >= limits.sessions_per_address_max {
            let max = limits.sessions_per_address_max;
            let text =
                format!("there are {max} sessions from your address, as many as may be; try again later");
            return Err(Failure::new(Kind::Refused, &text));
        }
        if !counts.no_stranger(self.number) {
            return Err(Failure::new(Kind::Refused, "others wanted to come in meanwhile; try again later"));
        }
        counts.by_address.entry(self.address).or_default().sessions += 1;
        self.is_known = true;
        Ok(())
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut counts = lock(&self.guests.counts);
        if !self.is_known {
            counts.no_stranger(self.number);
            return;
        }
        if let Some(count) = counts.by_address.get_mut(&self.address) {
            count.sessions -= 1;
        }
        counts.forget(self.address);
    }
}

/// Who has one address of IPv6 has as many as they like of the same 64 bits.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_and_sessions_are_counted_by_address_and_in_all() {
        let guests = Arc::new(Guests::default());
        let limits = DoorLimits {
            strangers_max: 3,
            strangers_per_address_max: 2,
            sessions_per_address_max: 1,
            ..DoorLimits::default()
        };
        let socket = Arc::new(OwnedFd::from(std::fs::File::open("/dev/null").unwrap()));
        let arrive = |address: &str| guests.arrive(address.parse().unwrap(), &socket, &limits);
        let mut first = arrive("2001:db8::1").unwrap();
        let mut second = arrive("2001:db8::2").unwrap();
        assert!(arrive("2001:db8::3").is_none(), "two from one network");
        let third = arrive("192.0.2.1").unwrap();
        assert!(arrive("192.0.2.1").is_none(), "three in all, and each has its time");
        first.known(&limits).unwrap();
        assert!(second.known(&limits).is_err(), "one session from there");
        drop(first);
        second.known(&limits).unwrap();
        drop((second, third));
        let counts = lock(&guests.counts);
        assert_eq!((counts.strangers.len(), counts.by_address.len()), (0, 0));
    }

    #[test]
    fn who_is_slow_leaves_for_others_from_where_most_are() {
        // The fourth is one too many: of all, and then of those from there.
        let from = ["192.0.2.9", "192.0.2.1", "192.0.2.1", "192.0.2.2"];
        leaves(3, 2, &from, [false, true, false, false]);
        let from = ["192.0.2.9", "192.0.2.1", "192.0.2.1", "192.0.2.1"];
        leaves(8, 2, &from, [false, true, false, false]);
    }

    /// Those who arrive in turns, all with no time of their own, are known in the end but for those who are cut off.
    fn leaves(strangers_max: usize, strangers_per_address_max: usize, from: &[&str], leave: [bool; 4]) {
        let guests = Arc::new(Guests::default());
        let limits = DoorLimits {
            strangers_max,
            strangers_per_address_max,
            time_min: Duration::ZERO,
            ..DoorLimits::default()
        };
        let mut arrived = Vec::new();
        for address in from {
            let (socket, peer) = std::os::unix::net::UnixStream::pair().unwrap();
            let socket = Arc::new(OwnedFd::from(socket));
            let guest = guests.arrive(address.parse().unwrap(), &socket, &limits).unwrap();
            arrived.push((guest, socket, peer));
        }
        let is_cut_off = |peer: &std::os::unix::net::UnixStream| {
            peer.set_nonblocking(true).unwrap();
            std::io::Read::read(&mut &*peer, &mut [0]).is_ok_and(|count| count == 0)
        };
        let cut_off: Vec<bool> = arrived.iter().map(|(_, _, peer)| is_cut_off(peer)).collect();
        assert_eq!(cut_off, leave);
        let known: Vec<bool> = arrived.iter_mut().map(|(guest, ..)| guest.known(&limits).is_ok()).collect();
        assert_eq!(known, leave.map(|leaves| !leaves));
        drop(arrived);
        let counts = lock(&guests.counts);
        assert_eq!((counts.strangers.len(), counts.by_address.len()), (0, 0));
    }
}
