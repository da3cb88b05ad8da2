//! Clients that stop, or are killed, at each step from the first connection to the last answer: others are served meanwhile, who
//! keeps the server waiting is hung up on in time, the others go on where they were, and nothing of those that are dead stays.
//!
//! Each is a process of its own: this test again, told at which step it stops. One test, so that nothing else runs meanwhile.

mod support;

use std::io::{IoSlice, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use carnet_memory::{Mapping, Sealed, Segment, pass};
use carnet_portal::address::Address;
use carnet_portal::identity::{Credentials, Token};
use carnet_portal::remote::RemoteSession;
use carnet_portal::server::ServerOptions;
use carnet_portal::session::ServerLimits;
use carnet_portal::wire::{CALL_SESSION, Hello, HelloInterface, Reply, Shared, kind};
use carnet_queue::layout::{Side, memory_bytes};
use carnet_queue::{End, Wanted};
use rustix::net::RecvFlags;
use support::counts::{Counts, private_bytes};
use support::process::{Again, stop_here, words};
use support::shared::request;
use support::sums::generated::Sums;
use support::{BoxClient, Carrier, Fixture, Raw, afar, carrier, op, raw, sums, until};

/// How long the server waits for those that are stopped.
const PATIENCE: Duration = Duration::from_secs(2);
/// Bytes there and back that a ring of a client has no room for, and a socket has.
const LONG_BYTES: usize = 20_000;
/// And those that a Unix socket has no room for, either.
const LONGEST_BYTES: usize = 1 << 20;
/// Memory that is handed over.
const MEMORY_BYTES: usize = 1 << 20;
/// What sessions may leave behind in allocators.
const KEPT_BYTES: usize = 8 << 20;

/// What becomes of a client that stops after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    /// It is hung up on.
    Ends,
    /// It goes on when it runs again.
    GoesOn,
}

type Step = (fn(&mut Peer), Then);

fn connection() -> Vec<Step> {
    match carrier() {
        Carrier::Unix => vec![(Peer::connect, Then::Ends)],
        Carrier::Tls => {
            vec![(Peer::knock, Then::Ends), (Peer::shake_hands, Then::Ends), (Peer::show_token, Then::Ends)]
        }
        Carrier::Shared => vec![
            (Peer::connect, Then::Ends),
            (Peer::ask_by_half, Then::Ends),
            (Peer::ask, Then::Ends),
            (Peer::take_memory, Then::Ends),
            (Peer::map, Then::Ends),
        ],
    }
}

/// Calls of `boxes`.
fn calls() -> Vec<Step> {
    // What a ring has no room for keeps the server waiting.
    let unread = if carrier() == Carrier::Shared { Then::Ends } else { Then::GoesOn };
    // A TCP socket has room for more than a message.
    let much_unread = if carrier() == Carrier::Tls { Then::GoesOn } else { Then::Ends };
    let mut steps = connection();
    steps.extend([
        (Peer::greet_by_half as fn(&mut Peer), Then::Ends),
        (Peer::send_rest, Then::GoesOn),
        (Peer::call_by_half, Then::Ends),
        (Peer::send_rest, unread),
        (Peer::take_half, unread),
        (Peer::take_answer, Then::GoesOn),
        (Peer::open, Then::GoesOn),
        (Peer::take_answer, Then::GoesOn),
        (Peer::release_by_half, Then::Ends),
        (Peer::send_rest, Then::GoesOn),
        (Peer::call_for_much, much_unread),
        (Peer::take_half, much_unread),
        (Peer::take_answer, Then::GoesOn),
        (Peer::call_what_waits, Then::GoesOn),
        (Peer::take_answer, Then::GoesOn),
    ]);
    steps
}

/// Memory of `sums`, both ways.
fn memory() -> Vec<Step> {
    let mut steps = connection();
    steps.push((Peer::greet, Then::GoesOn));
    if carrier() == Carrier::Shared {
        // What lies in the socket and is not told of keeps the server waiting.
        steps.push((Peer::pass, Then::Ends));
    }
    steps.extend([
        (Peer::hand_over as fn(&mut Peer), Then::GoesOn),
        (Peer::take_answer, Then::GoesOn),
        (Peer::sum, Then::GoesOn),
        (Peer::take_answer, Then::GoesOn),
        (Peer::call_for_memory, Then::GoesOn),
        (Peer::take_answer, Then::GoesOn),
        (Peer::ask_for_memory, Then::GoesOn),
        (Peer::take_answer, Then::GoesOn),
    ]);
    if carrier() == Carrier::Shared {
        steps.push((Peer::take_passed, Then::GoesOn));
    }
    steps
}

/// A client by hand.
struct Peer {
    address: Address,
    credentials: Credentials,
    tcp: Option<TcpStream>,
    raw: Option<Raw>,
    segment: Option<OwnedFd>,
    end: Option<End<Mapping>>,
    /// What is left to send of a frame.
    rest: Vec<u8>,
    received: Vec<u8>,
}

impl Peer {
    fn connect(&mut self) {
        let (Address::Unix(path) | Address::Shared(path)) = &self.address else { panic!("a path") };
        self.raw = Some(Raw::Unix(UnixStream::connect(path).unwrap()));
    }

    fn knock(&mut self) {
        self.tcp = Some(afar::tcp(&self.address));
    }

    /// Over another connection, since this one is in nobody's hands.
    fn shake_hands(&mut self) {
        self.raw = Some(Raw::Tls(Box::new(afar::connect(&self.address, &[b"carnet/1"]))));
        self.raw().flush().unwrap();
    }

    fn show_token(&mut self) {
        let frame = afar::token_frame(&self.credentials);
        self.raw().write_all(&frame).unwrap();
    }

    fn raw(&mut self) -> &mut Raw {
        self.raw.as_mut().unwrap()
    }

    fn socket(&self) -> &UnixStream {
        let Some(Raw::Unix(socket)) = &self.raw else { panic!("a Unix socket") };
        socket
    }

    fn ask_by_half(&mut self) {
        self.raw().write_all(&request()[..20]).unwrap();
    }

    fn ask(&mut self) {
        self.raw().write_all(&request()[20..]).unwrap();
    }

    fn take_memory(&mut self) {
        let mut answer = [0; 64];
        let (count, file) = pass::receive(self.socket().as_fd(), &mut answer, RecvFlags::empty()).unwrap();
        self.received = answer[16..count].to_vec();
        self.segment = file;
    }

    fn map(&mut self) {
        let ring = Shared::decode(&std::mem::take(&mut self.received)).unwrap().ring as usize;
        let bytes = memory_bytes(ring).unwrap();
        let segment = Segment::accept(self.segment.take().unwrap(), Sealed::Size, bytes).unwrap();
        self.end = Some(End::new(Mapping::new(&segment).unwrap(), Side::Client, ring));
    }

    /// Half of it, in lines of the ring.
    fn send_half(&mut self, frame: &[u8]) {
        let (half, rest) = frame.split_at(frame.len() / 128 * 64);
        self.send(half);
        self.rest = rest.to_vec();
    }

    fn send_rest(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        self.send(&rest);
    }

    fn send(&mut self, bytes: &[u8]) {
        let Some(end) = &self.end else { return self.raw().write_all(bytes).unwrap() };
        let mut sent = 0;
        while sent < bytes.len() {
            sent += end.send(&[IoSlice::new(&bytes[sent..])]).unwrap();
            assert!(!end.has_other_hung_up(), "the server hung up");
            end.sleep(Wanted { frames: false, room: true }, Duration::from_millis(10), || false);
        }
    }

    fn greet_by_half(&mut self) {
        self.send_half(&hello());
    }

    fn greet(&mut self) {
        self.send(&hello());
    }

    fn call_by_half(&mut self) {
        self.send_half(&echo(LONG_BYTES));
    }

    fn call_for_much(&mut self) {
        self.send(&echo(LONGEST_BYTES));
    }

    fn open(&mut self) {
        self.send(&raw::open(1, b"never released"));
    }

    fn release_by_half(&mut self) {
        self.send_half(&raw::release(&[(3, 1); 100]));
    }

    fn call_what_waits(&mut self) {
        self.send(&raw::call(op::WAIT, 1, 1, &[]));
    }

    fn pass(&mut self) {
        let segment = Segment::of(&sums::counted(MEMORY_BYTES)).unwrap();
        assert_eq!(pass::send(self.socket().as_fd(), &1_u32.to_le_bytes(), segment), Ok(4));
    }

    fn hand_over(&mut self) {
        let content = match carrier() {
            Carrier::Shared => (MEMORY_BYTES as u64).to_le_bytes().to_vec(),
            Carrier::Unix | Carrier::Tls => sums::counted(MEMORY_BYTES),
        };
        self.send(&raw::frame(kind::MEMORY, &[], 0, 0, 1, &content));
    }

    fn sum(&mut self) {
        self.send(&raw::frame(kind::CALL, &[2], 0, 1, 1, &raw::words(&[0, 2])));
    }

    fn call_for_memory(&mut self) {
        self.send(&raw::call(1, 1, 1, &raw::words(&[MEMORY_BYTES as u64])));
    }

    fn ask_for_memory(&mut self) {
        self.send(&raw::map(1, 3));
    }

    fn take_passed(&mut self) {
        let mut number = [0; 4];
        let (count, file) = pass::receive(self.socket().as_fd(), &mut number, RecvFlags::empty()).unwrap();
        assert!(count == 4 && file.is_some());
    }

    /// Until so many bytes are there.
    fn receive(&mut self, count: usize) {
        let have = self.received.len();
        let Some(end) = &self.end else {
            self.received.resize(count.max(have), 0);
            let (raw, received) = (self.raw.as_mut().unwrap(), &mut self.received);
            return raw.read_exact(&mut received[have..]).unwrap();
        };
        let mut buffer = [0; 512];
        while self.received.len() < count {
            assert!(!end.has_other_hung_up(), "the server hung up");
            let received = end.receive(&mut buffer).unwrap();
            self.received.extend_from_slice(&buffer[..received]);
            if received == 0 {
                end.sleep(Wanted { frames: true, room: false }, Duration::from_millis(10), || false);
            }
        }
    }

    fn header(&mut self) -> Reply {
        self.receive(16);
        let header = Reply::decode(&self.received).unwrap();
        assert_eq!((header.call, header.status), (1, 0), "{:?}", String::from_utf8_lossy(&self.received));
        header
    }

    fn take_half(&mut self) {
        let header = self.header();
        self.receive(header.len as usize / 2);
    }

    fn take_answer(&mut self) {
        let header = self.header();
        self.receive(header.len as usize);
        self.received.drain(..header.len as usize);
    }
}

/// A long one.
fn hello() -> Vec<u8> {
    let other = HelloInterface { name: "Other".to_owned(), hash: 7, operations: vec![7; 1000] };
    let mut data = Vec::new();
    Hello { interfaces: vec![other], ..Hello::default() }.encode(&mut data);
    raw::frame(kind::HELLO, &[], 0, 0, CALL_SESSION, &data)
}

fn echo(bytes: usize) -> Vec<u8> {
    raw::call(op::ECHO, 1, 1, &[raw::words(&[bytes as u64]), vec![7; bytes]].concat())
}

// ---- The two processes ----

/// The test again, as a client.
fn be_a_client(words: &[String]) {
    let [address, token, script, stop_after] = words else { panic!("{words:?}") };
    let mut peer = Peer {
        address: address.parse().unwrap(),
        credentials: Token::parse(token.as_bytes()).map_or(Credentials::None, Credentials::Token),
        tcp: None,
        raw: None,
        segment: None,
        end: None,
        rest: Vec::new(),
        received: Vec::new(),
    };
    let script = SCRIPTS.iter().find(|other| other.name == script).unwrap();
    for (number, (act, _)) in (script.steps)().into_iter().enumerate() {
        act(&mut peer);
        if number.to_string() == *stop_after {
            stop_here();
        }
    }
}

/// What clients do, and to whom.
struct Script {
    name: &'static str,
    steps: fn() -> Vec<Step>,
    serve: fn(Duration) -> Fixture,
    /// What a good client asks for meanwhile.
    ask: fn(&Arc<RemoteSession>),
}

const SCRIPTS: [Script; 2] = [
    Script {
        name: "calls",
        steps: calls,
        serve: |patience| {
            let mut options = ServerOptions::default();
            be_patient(&mut options.limits, patience);
            Fixture::new(options)
        },
        ask: |session| assert_eq!(BoxClient(session.root()).add(40, 2), Ok(42)),
    },
    Script {
        name: "memory",
        steps: memory,
        serve: |patience| sums::fixture(|limits| be_patient(limits, patience)),
        ask: |session| drop(Sums::from_portal(session.root()).kept().unwrap_err()),
    },
];

/// How long the server waits for Hello, the rest of a message, or to be read from.
fn be_patient(limits: &mut ServerLimits, patience: Duration) {
    limits.hello_timeout = patience;
    limits.frame_timeout = patience;
    limits.write_timeout = patience;
}

impl Script {
    /// All steps but the last, which may take until the server lets a call return.
    fn stops(&self) -> impl Iterator<Item = (usize, Step)> {
        let steps = (self.steps)();
        let count = steps.len() - 1;
        steps.into_iter().take(count).enumerate()
    }

    /// A client that has stopped after a step.
    fn stopped(&self, fixture: &Fixture, step: usize) -> Again {
        let token = match &fixture.credentials {
            Credentials::Token(token) => String::from_utf8(token.expose().to_vec()).unwrap(),
            _ => String::new(),
        };
        let words = [fixture.address.to_string(), token, self.name.to_owned(), step.to_string()];
        Again::stopped("others_are_served_and_nothing_stays", &words)
    }

    fn stop_after_each_step(&self) {
        let fixture = (self.serve)(PATIENCE);
        let good = fixture.connect();
        (self.ask)(&good);
        let clients = self.stops().map(|(step, (_, then))| (then, self.stopped(&fixture, step)));
        let (stay, end): (Vec<_>, Vec<_>) = clients.partition(|(then, _)| *then == Then::GoesOn);
        until("who keeps the server waiting is hung up on", || {
            (self.ask)(&good);
            fixture.sessions() == stay.len() + 1
        });
        drop(end);
        fixture.world.open_gate();
        stay.into_iter().for_each(|(_, client)| client.go_on());
        until("all have ended", || fixture.sessions() == 1);
    }

    fn kill_after_each_step(&self) {
        let fixture = (self.serve)(10 * PATIENCE);
        let good = fixture.connect();
        (self.ask)(&good);
        let (before, objects) = (Counts::settled(), fixture.world.live());
        let kill_all = || {
            for (step, _) in self.stops() {
                let client = self.stopped(&fixture, step);
                (self.ask)(&good);
                drop(client);
                fixture.world.open_gate();
                until("the dead one's session is gone", || fixture.sessions() == 1);
            }
            before.come_back(self.name);
            until("all objects are gone", || fixture.world.live() == objects);
            private_bytes()
        };
        // What allocators keep they keep from now on.
        let bytes = kill_all();
        let kept = kill_all().saturating_sub(bytes);
        assert!(kept < KEPT_BYTES, "{kept} bytes more than before");
    }
}

#[test]
fn others_are_served_and_nothing_stays() {
    if let Some(words) = words() {
        return be_a_client(&words);
    }
    let first = Counts::now();
    for script in SCRIPTS {
        script.stop_after_each_step();
        script.kill_after_each_step();
    }
    first.come_back("without servers");
}
