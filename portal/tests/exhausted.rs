//! A server that has no descriptor left: whoever it serves goes on, what needs one is refused and told why, whoever connects waits,
//! and all of it works when there are some again. Server and clients are one process, so clients have theirs before.
//!
//! One test, since nothing else of this process could open anything meanwhile.

mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use carnet_memory::{Segment, pass};
use carnet_portal::address::Address;
use carnet_portal::call::{Failure, Kind};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::wire::{Reply, kind};
use carnet_queue::Wanted;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, socket};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use support::counts::Counts;
use support::shared::{Peer, request};
use support::{BoxClient, Carrier, Fixture, Raw, afar, carrier, op, raw, until};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// As many as are open always.
const STANDARD_STREAMS: u64 = 3;

/// Until it is dropped, nothing can be opened.
struct Exhausted(Rlimit);

impl Exhausted {
    fn new() -> Exhausted {
        let limit = getrlimit(Resource::Nofile);
        let none = Rlimit { current: Some(STANDARD_STREAMS), maximum: limit.maximum };
        setrlimit(Resource::Nofile, none).unwrap();
        Exhausted(limit)
    }
}

impl Drop for Exhausted {
    fn drop(&mut self) {
        setrlimit(Resource::Nofile, self.0).unwrap();
    }
}

/// A client that has said nothing, and its server knows of it.
fn silent<T>(fixture: &Fixture, connect: impl FnOnce() -> T) -> T {
    let sessions = fixture.sessions();
    let connected = connect();
    until("it has a session", || fixture.sessions() > sessions);
    connected
}

/// Header and text of the next answer.
fn answer(stream: &mut impl Read) -> (Reply, String) {
    let mut header = [0; 16];
    stream.read_exact(&mut header).unwrap();
    let header = Reply::decode(&header).unwrap();
    let mut text = vec![0; header.len as usize - 16];
    stream.read_exact(&mut text).unwrap();
    (header, String::from_utf8_lossy(&text).into_owned())
}

fn refused(fixture: &Fixture) -> Failure {
    let options = ConnectOptions::default();
    RemoteSession::connect_as(&fixture.address, options, &fixture.credentials).unwrap_err()
}

/// A client that connects with the descriptor that it has.
fn connect(fixture: &Fixture, socket: OwnedFd) -> OwnedFd {
    match &fixture.address {
        Address::Unix(path) => rustix::net::connect(&socket, &SocketAddrUnix::new(path).unwrap()).unwrap(),
        address => {
            let (host, port) = afar::place(address);
            let place = std::net::SocketAddr::new(host.parse().unwrap(), port);
            rustix::net::connect(&socket, &place).unwrap();
        }
    }
    socket
}

/// Its call, once it was accepted.
fn call(fixture: &Fixture, socket: OwnedFd) {
    let mut raw = match carrier() {
        Carrier::Tls => {
            let mut stream = afar::over(TcpStream::from(socket), &[b"carnet/1"]);
            stream.write_all(&afar::token_frame(&fixture.credentials)).unwrap();
            Raw::Tls(Box::new(stream))
        }
        _ => Raw::Unix(UnixStream::from(socket)),
    };
    raw.set_read_timeout(Some(PATIENCE)).unwrap();
    raw.write_all(&[raw::hello(), raw::call(op::ADD, 1, 1, &raw::words(&[1, 2]))].concat()).unwrap();
    assert_eq!(answer(&mut raw).0.status, 0);
}

#[test]
fn whoever_is_served_goes_on_and_others_wait_or_are_told() {
    let first = Counts::now();
    {
        let fixture = Fixture::plain();
        let good = fixture.client();
        assert_eq!(good.add(40, 2), Ok(42));
        let before = Counts::settled();
        let family = if carrier() == Carrier::Tls { AddressFamily::INET } else { AddressFamily::UNIX };
        let unconnected = [(); 2].map(|()| socket(family, SocketType::STREAM, None).unwrap());
        let waiting = match carrier() {
            Carrier::Tls => without_descriptors_afar(&fixture, &good, unconnected),
            _ => without_descriptors(&fixture, &good, unconnected),
        };
        waiting.into_iter().for_each(|socket| call(&fixture, socket));
        assert_eq!(fixture.client().add(40, 2), Ok(42));
        before.come_back("with the server");
    }
    first.come_back("without it");
}

fn without_descriptors_afar(fixture: &Fixture, good: &BoxClient, unconnected: [OwnedFd; 2]) -> [OwnedFd; 2] {
    let mut stranger = afar::connect(&fixture.address, &[b"carnet/1"]);
    stranger.flush().unwrap();
    stranger.sock.set_read_timeout(Some(PATIENCE)).unwrap();
    let exhausted = Exhausted::new();
    let waiting = unconnected.map(|socket| connect(fixture, socket));
    let text = refused(fixture).details().message.clone();
    assert!(text.contains("Too many open files"), "{text}");
    // The list of tokens cannot be read.
    stranger.write_all(&afar::token_frame(&fixture.credentials)).unwrap();
    let (header, text) = answer(&mut stranger);
    assert_eq!(header.status, Kind::Refused as u16);
    assert!(text.contains("by its own fault"), "{text}");
    assert_eq!(good.add(40, 2), Ok(42));
    drop(exhausted);
    waiting
}

fn without_descriptors(fixture: &Fixture, good: &BoxClient, unconnected: [OwnedFd; 2]) -> [OwnedFd; 2] {
    let shared = RemoteSession::connect(&Address::Shared(fixture.path()), ConnectOptions::default());
    let shared = BoxClient(shared.unwrap().root());
    assert_eq!(shared.add(40, 2), Ok(42));
    let mut asking = silent(fixture, || fixture.socket().unwrap());
    asking.set_read_timeout(Some(PATIENCE)).unwrap();
    let peer = Peer::connect(fixture.socket().unwrap());
    peer.send(&raw::hello());
    pass::send(peer.socket.as_fd(), &1_u32.to_le_bytes(), Segment::of(b"memory").unwrap()).unwrap();
    let sessions = fixture.sessions();
    let hand_over = || {
        peer.send(&raw::frame(kind::MEMORY, &[], 0, 0, 1, &6_u64.to_le_bytes()));
        let (mut frame, wanted) = ([0; 1024], Wanted { frames: true, room: false });
        peer.end.sleep(wanted, PATIENCE, || false);
        let received = peer.end.receive(&mut frame).unwrap();
        assert!(received > 16, "it is not answered");
        String::from_utf8_lossy(&frame[16..received]).into_owned()
    };
    let exhausted = Exhausted::new();
    let waiting = unconnected.map(|socket| connect(fixture, socket));
    let failure = refused(fixture);
    assert_eq!(failure.kind(), Kind::Unreachable);
    assert!(failure.details().message.contains("Too many open files"), "{failure:?}");
    asking.write_all(&request()).unwrap();
    let (header, text) = answer(&mut asking);
    assert_eq!(header.status, Kind::Refused as u16);
    assert!(text.starts_with("the server has no memory to share: Too many open files"), "{text}");
    let text = hand_over();
    assert!(text.ends_with("or the server has no room"), "{text}");
    // Who accepts had a descriptor for the first when it began to wait.
    until("one is accepted", || fixture.sessions() == sessions + 1);
    for _ in 0..100 {
        assert_eq!((good.add(40, 2), shared.add(40, 2)), (Ok(42), Ok(42)));
    }
    assert_eq!(fixture.sessions(), sessions + 1, "whoever else connects waits");
    drop(exhausted);
    Peer::connect(asking);
    // It was taken out now: this service has no use for it.
    let text = hand_over();
    assert!(text.starts_with("nothing of boxes takes memory"), "{text}");
    waiting
}
