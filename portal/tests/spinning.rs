//! Servers and clients that wait by looking, in Rust and in C: peers that die, stall or scribble over the queues cost nobody else
//! anything, and whoever looks finds out.

#[path = "support/in_c.rs"]
mod in_c;
#[path = "support/server_in_c.rs"]
mod server_in_c;
mod support;

use std::io::{IoSlice, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use carnet_memory::{Mapping, Segment, pass};
use carnet_portal::address::Address;
use carnet_portal::call::Kind;
use carnet_portal::remote::{ConnectOptions, RemoteSession, WaitMode};
use carnet_portal::server::ServerOptions;
use carnet_portal::wire::{Reply, Shared, kind};
use carnet_queue::layout::{CONTROL_BYTES, WHOLE, memory_bytes};
use server_in_c::ServerInC;
use support::shared::{Peer, request};
use support::{BoxClient, Fixture, op, raw, until};
use whole::Leaf;

mod whole {
    include!("../../idl/tests/cases/modules/whole.rs");
}

/// The operation of a leaf that says its height, of no words.
const HEIGHT: u16 = 2;

fn spinning(address: &Address) -> Arc<RemoteSession> {
    let options = ConnectOptions { waiting: WaitMode::Spinning, ..ConnectOptions::default() };
    RemoteSession::connect(address, options).unwrap()
}

/// Hostile clients of the server at a path: `call` is a call of theirs, `good` makes some of a good client, `settled` waits
/// until only that one is left.
fn hostile_clients(path: &Path, call: &dyn Fn(u32) -> Vec<u8>, good: &dyn Fn(), settled: &dyn Fn()) {
    let connect = || Peer::connect(UnixStream::connect(path).unwrap());
    let greeted = || {
        let peer = connect();
        peer.send(&raw::hello());
        peer
    };
    let offer = |peer: &Peer, frame: &[u8]| peer.end.send(&[IoSlice::new(frame)]);
    good();

    // They die at each step, some of them with the memory in their hands.
    for len in 0..=request().len() {
        UnixStream::connect(path).unwrap().write_all(&request()[..len]).unwrap();
    }
    for step in 0..4 {
        let peer = if step == 0 { connect() } else { greeted() };
        match step {
            2 => _ = peer.send(&call(1)),
            3 => peer.memory.word(CONTROL_BYTES + 64).store(1 << 10, Relaxed),
            _ => {}
        }
        let _ = peer.socket.shutdown(std::net::Shutdown::Both);
        std::mem::forget(peer.end);
        good();
    }
    settled();

    // They stall: within a frame, before Hello, and with answers that they do not read.
    let within = greeted();
    within.memory.word(CONTROL_BYTES + 64).store(1000 | 2 << 32, Relaxed);
    let (before, unread) = (connect(), greeted());
    let mut number = 0;
    while number < 10_000 && offer(&unread, &call(number + 1)).unwrap() > 0 {
        number += 1;
        if number % 16 == 0 {
            good();
        }
    }
    (0..20).for_each(|_| good());
    drop((within, before, unread));
    settled();

    // Lengths that lie.
    for mark in [1, 15 | WHOLE, u64::MAX, 0x7fff_ffff, 0x7fff_ffff | WHOLE, 4096 | WHOLE, 3 << 20] {
        let peer = connect();
        peer.memory.word(CONTROL_BYTES).store(mark, Relaxed);
        until("the liar is hung up on", || {
            good();
            peer.end.has_other_hung_up()
        });
    }
    settled();

    // Every bit of positions, bells and hang-ups; then all of it at once, while the server reads.
    for at in [0, 128, 256, 384, 512, 640, 768, 896] {
        for bit in (0..64).step_by(7) {
            let peer = greeted();
            let _ = offer(&peer, &call(1));
            peer.memory.word(at).fetch_xor(1 << bit, Relaxed);
            let _ = offer(&peer, &call(2));
        }
        settled();
    }
    for seed in 0..8_u64 {
        let peer = greeted();
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        for number in 1..40 {
            if offer(&peer, &call(number)).is_err() {
                break;
            }
            for _ in 0..50 {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                let at = if random >> 60 == 0 { random >> 32 & 0x3f8 } else { 4096 + (random >> 32 & 0x7f8) };
                peer.memory.word(at as usize).store(random >> (random & 63), Relaxed);
            }
        }
        good();
    }
    settled();
}

#[test]
fn a_server_in_rust_that_spins() {
    let mut options = ServerOptions { waiting: WaitMode::Spinning, ..ServerOptions::default() };
    options.limits.frame_timeout = Duration::from_millis(20);
    let fixture = Fixture::new(options);
    let client = BoxClient(spinning(&Address::Shared(fixture.path())).root());
    hostile_clients(
        &fixture.path(),
        &|number| raw::call(op::ADD, 1, number, &raw::words(&[40, 2])),
        &|| assert_eq!(client.add(40, 2), Ok(42)),
        &|| until("only the good session is left", || fixture.sessions() == 1),
    );
}

impl ServerInC {
    /// Entries of one of its folders in `/proc`.
    fn entries(&self, what: &str) -> usize {
        std::fs::read_dir(format!("/proc/{}/{what}", self.child.id())).unwrap().count()
    }

    /// What stands behind its name in its statistics, state first.
    fn statistics(&self) -> Vec<String> {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        text.rsplit_once(") ").unwrap().1.split(' ').map(str::to_owned).collect()
    }

    /// Hundredths of a second that it has had of processors.
    fn ticks(&self) -> u64 {
        self.statistics()[11..13].iter().map(|ticks| ticks.parse::<u64>().unwrap()).sum()
    }
}

/// The service of `tree.c`, and how its server waits.
fn servers_in_c(whose: &str) -> Vec<PathBuf> {
    let options = [
        "-DCARNET_STUBS=\"whole.h\"",
        "-DCARNET_ROOT=whole_Leaf",
        "-DCARNET_WAITING=CARNET_SPINNING",
        "-DCARNET_PATIENCE_MS=200",
        "carnet_main.c",
    ];
    in_c::built(whose, whole::module(), &["tree"], &options)
}

#[test]
fn a_server_in_c_that_spins() {
    for program in servers_in_c("spins") {
        let server = ServerInC::start(&program);
        let without = server.entries("fd");
        let leaf = Leaf::from_portal(spinning(&Address::Shared(server.path.clone())).root());
        let good = || assert_eq!(leaf.height().unwrap(), 0);
        // Once, so that what a sanitizer keeps is there before.
        drop(Peer::connect(UnixStream::connect(&server.path).unwrap()));
        (0..50).for_each(|_| good());
        let entries = || (server.entries("fd"), server.entries("map_files"));
        until("one client is left", || {
            good();
            server.entries("fd") <= without + 1
        });
        let before = entries();
        let settled = || {
            until("descriptors and stretches of memory are as they were", || {
                good();
                let now = entries();
                now.0 <= before.0 && now.1 <= before.1
            });
        };
        hostile_clients(&server.path, &|number| raw::call(HEIGHT, 1, number, &[]), &good, &settled);
    }
}

#[test]
fn a_server_in_c_looks_while_a_client_shares_memory_and_sleeps_otherwise() {
    for program in servers_in_c("looks") {
        let server = ServerInC::start(&program);
        until("it sleeps before a client comes", || server.statistics()[0] == "S");
        let without = server.entries("fd");
        let session = spinning(&Address::Shared(server.path.clone()));
        Leaf::from_portal(session.root()).height().unwrap();
        let before = server.ticks();
        // Who sleeps takes less in a minute, and who lets all others of a busy machine run first takes more in a moment.
        until("it looks while nothing comes", || server.ticks() >= before + 5);
        drop(session);
        until("its client has gone", || server.entries("fd") <= without);
        until("it sleeps when nobody shares memory", || server.statistics()[0] == "S");
    }
}

/// Answers a client's request with memory, lets `lie` loose on it when the client has sent its call, and hangs up behind that if
/// it is to.
fn liar(listener: &UnixListener, lie: fn(&Mapping), then: Then) {
    let bytes = memory_bytes(4096).unwrap();
    let segment = Segment::create(bytes).unwrap();
    let memory = Mapping::new(&segment).unwrap();
    let mut frame = vec![0; 16];
    Shared { ring: 4096 }.encode(&mut frame);
    let header = Reply { len: 20, kind: kind::REPLY, portals: 0, status: 0, call: 1, raised: 0 };
    frame[..16].copy_from_slice(&header.encode());
    let (mut socket, _) = listener.accept().unwrap();
    socket.read_exact(&mut vec![0; request().len()]).unwrap();
    pass::send(socket.as_fd(), &frame[..1], segment.as_fd()).unwrap();
    socket.write_all(&frame[1..]).unwrap();
    until("the client has sent its call", || memory.word(0).load(Relaxed) > 0);
    lie(&memory);
    if then == Then::Stall {
        // Until the client has had enough.
        let _ = socket.read_to_end(&mut Vec::new());
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Then {
    HangUp,
    Stall,
}

/// What a server does to a client's memory, whether it hangs up, and what becomes of the call.
type Lie = (fn(&Mapping), Then, Kind);

const LIES: [Lie; 5] = [
    (|memory| memory.word(CONTROL_BYTES + 4096).store(3, Relaxed), Then::HangUp, Kind::PeerDied),
    (|memory| memory.word(CONTROL_BYTES + 4096).store(u64::MAX, Relaxed), Then::HangUp, Kind::PeerDied),
    (|memory| memory.word(128).store(u64::MAX, Relaxed), Then::HangUp, Kind::PeerDied),
    (|_| {}, Then::HangUp, Kind::PeerDied),
    (|_| {}, Then::Stall, Kind::TimedOut),
];

#[test]
fn a_client_in_rust_that_spins() {
    for (lie, then, expected) in LIES {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let server = std::thread::spawn(move || liar(&listener, lie, then));
        let call_timeout = Some(Duration::from_millis(if then == Then::Stall { 300 } else { 20_000 }));
        let options =
            ConnectOptions { waiting: WaitMode::Spinning, call_timeout, ..ConnectOptions::default() };
        let session = RemoteSession::connect(&Address::Shared(path), options).unwrap();
        let failure = Leaf::from_portal(session.root()).height().unwrap_err();
        assert_eq!(failure.kind(), expected, "{then:?}: {failure}");
        drop(session);
        server.join().unwrap();
    }
}

#[test]
fn a_client_in_c_that_spins() {
    let waiting = "-DCARNET_WAITING=CARNET_SPINNING";
    for (lie, then, expected) in LIES {
        let timeout = format!("-DTIMEOUT_MS={}", if then == Then::Stall { 300 } else { 20_000 });
        for program in in_c::built("client_spins", whole::module(), &["replies"], &[waiting, &timeout]) {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("s");
            let listener = UnixListener::bind(&path).unwrap();
            let server = std::thread::spawn(move || liar(&listener, lie, then));
            let address = format!("shm:{}", path.display());
            let output = Command::new(program).args([&address, "height"]).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            let status = String::from_utf8_lossy(&output.stdout).trim().parse::<u16>().unwrap();
            assert_eq!(Kind::from_number(status), Some(expected), "{then:?}");
            server.join().unwrap();
        }
    }
}
