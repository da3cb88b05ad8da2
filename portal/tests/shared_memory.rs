//! Peers that do anything to shared memory: they harm themselves, and others are served meanwhile.

mod support;

use std::io::{Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use carnet_memory::{Mapping, Segment, pass};
use carnet_portal::address::Address;
use carnet_portal::call::{Failure, Kind};
use carnet_portal::remote::{ConnectOptions, RemoteSession, WaitMode};
use carnet_portal::server::ServerOptions;
use carnet_portal::session::ServerLimits;
use carnet_portal::wire::{CALL_SESSION, Reply, Shared, kind};
use carnet_queue::layout::{CONTROL_BYTES, WHOLE, memory_bytes};
use carnet_queue::{Slept, Wanted};
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use support::shared::{Peer, request};
use support::{BoxClient, Fixture, kind_of, op, raw, until};

fn limited(change: impl FnOnce(&mut ServerLimits)) -> Fixture {
    let mut options = ServerOptions::default();
    change(&mut options.limits);
    Fixture::new(options)
}

/// A good client that shares memory, too.
fn good(fixture: &Fixture) -> BoxClient {
    BoxClient(share(fixture).unwrap().root())
}

fn share(fixture: &Fixture) -> Result<std::sync::Arc<RemoteSession>, Failure> {
    RemoteSession::connect(&Address::Shared(fixture.path()), ConnectOptions::default())
}

fn peer(fixture: &Fixture) -> Peer {
    let peer = Peer::connect(fixture.socket().unwrap());
    peer.send(&raw::hello());
    peer
}

fn add(call: u32) -> Vec<u8> {
    raw::call(op::ADD, 1, call, &raw::words(&[40, 2]))
}

/// The only other client is `client`, which is served.
fn alone(fixture: &Fixture, client: &BoxClient) {
    until("the bad session is gone", || fixture.sessions() == 1);
    assert_eq!(client.add(40, 2), Ok(42));
}

#[test]
fn each_way_of_waiting_answers() {
    for server in [WaitMode::Spinning, WaitMode::Adaptive, WaitMode::Sleeping] {
        let fixture = Fixture::new(ServerOptions { waiting: server, ..ServerOptions::default() });
        for waiting in [WaitMode::Spinning, WaitMode::Adaptive, WaitMode::Sleeping] {
            let options = ConnectOptions { waiting, ..ConnectOptions::default() };
            let transport = RemoteSession::connect(&Address::Shared(fixture.path()), options).unwrap();
            let client = BoxClient(transport.root());
            (0..50).for_each(|n| assert_eq!(client.add(n, 2), Ok(n + 2)));
            let data: Vec<u8> = (0..1 << 20).map(|n: u32| (n % 251) as u8).collect();
            assert!(client.echo(&data).unwrap() == data);
        }
    }
}

#[test]
fn lengths_that_lie_end_the_liars_session() {
    let fixture = Fixture::plain();
    let client = good(&fixture);
    client.add(1, 2).unwrap();
    for mark in [1, 15 | WHOLE, u64::MAX, 0x7fff_ffff, 0x7fff_ffff | WHOLE, 4096 | WHOLE, 3 << 20] {
        let peer = Peer::connect(fixture.socket().unwrap());
        peer.memory.word(CONTROL_BYTES).store(mark, Relaxed);
        peer.end.send(&[]).unwrap();
        // It may be asleep: a second frame, at the next line, rings.
        peer.send(&add(1));
        alone(&fixture, &client);
    }
}

#[test]
fn every_flipped_bit_of_positions_and_bells_is_survived() {
    let fixture = Fixture::plain();
    let client = good(&fixture);
    client.add(1, 2).unwrap();
    for at in [0, 128, 256, 384, 512, 640, 768, 896] {
        for bit in 0..64 {
            let peer = peer(&fixture);
            peer.send(&add(1));
            peer.memory.word(at).fetch_xor(1 << bit, Relaxed);
            // Our own end may find the positions broken now, which is not what is looked at.
            let _ = peer.end.send(&[std::io::IoSlice::new(&add(2))]);
            drop(peer);
        }
        alone(&fixture, &client);
    }
}

#[test]
fn every_flipped_bit_of_a_frame_is_survived() {
    let fixture = limited(|limits| limits.frame_timeout = Duration::from_millis(20));
    fixture.world.open_gate();
    let client = good(&fixture);
    client.add(1, 2).unwrap();
    for bit in 0..32 * 8 {
        let peer = peer(&fixture);
        let mut frame = add(1);
        frame[bit / 8] ^= 1 << (bit % 8);
        // Hello took some lines before it.
        let place = CONTROL_BYTES + raw::hello().len().next_multiple_of(64);
        peer.memory.write(place + 8, &frame[8..]);
        let mark = frame[..8].try_into().unwrap();
        peer.memory.word(place).store(u64::from_le_bytes(mark) | WHOLE, Relaxed);
        peer.end.hang_up();
        drop(peer);
    }
    alone(&fixture, &client);
}

#[test]
fn a_frame_that_is_cut_must_be_followed_by_its_rest() {
    let fixture = limited(|limits| limits.frame_timeout = Duration::from_millis(30));
    let client = good(&fixture);
    client.add(1, 2).unwrap();
    let peer = Peer::connect(fixture.socket().unwrap());
    let frame = raw::hello();
    peer.memory.word(0).store(64, Relaxed);
    peer.memory.word(CONTROL_BYTES).store(1000 | u64::from(frame[4]) << 32, Relaxed);
    let replies = peer.rest();
    assert_eq!((replies[0].0.call, replies[0].0.status), (CALL_SESSION, Kind::TimedOut as u16));
    drop(peer);
    alone(&fixture, &client);
}

#[test]
fn hello_must_come_in_time_when_memory_is_shared() {
    let fixture = limited(|limits| limits.hello_timeout = Duration::from_millis(500));
    let client = good(&fixture);
    client.add(1, 2).unwrap();
    let peer = Peer::connect(fixture.socket().unwrap());
    let replies = peer.rest();
    assert_eq!((replies[0].0.call, replies[0].0.status), (CALL_SESSION, Kind::TimedOut as u16));
    drop(peer);
    alone(&fixture, &client);
}

#[test]
fn frames_that_are_replayed_are_frames() {
    let fixture = Fixture::plain();
    let peer = peer(&fixture);
    let mut answers = 0;
    // The ring is gone round more than once, so that the same is found where it was before.
    for _ in 0..200 {
        peer.send(&add(7));
        while peer.end.receive(&mut [0; 64]).unwrap() == 0 {
            let wanted = Wanted { frames: true, room: false };
            assert_eq!(peer.end.sleep(wanted, Duration::from_secs(20), || false), Slept::Woken);
        }
        answers += 1;
    }
    assert_eq!(answers, 200);
    assert_eq!(fixture.world.calls.load(Relaxed), 200);
}

#[test]
fn whoever_reads_nothing_is_hung_up_on() {
    let fixture = limited(|limits| limits.write_timeout = Duration::from_millis(50));
    let client = good(&fixture);
    client.add(1, 2).unwrap();
    let peer = peer(&fixture);
    let request = raw::call(op::ECHO, 1, 1, &[raw::words(&[3000]), vec![7; 3000]].concat());
    let begun = Instant::now();
    while !peer.end.has_other_hung_up() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it is not hung up on");
        peer.send(&request[..]);
    }
    drop(peer);
    alone(&fixture, &client);
}

#[test]
fn memory_that_changes_between_check_and_use_is_used_as_it_was_checked() {
    let fixture = limited(|limits| limits.frame_timeout = Duration::from_millis(20));
    fixture.world.open_gate();
    let client = good(&fixture);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let scribbler = scope.spawn(|| {
            let mut sessions = 0;
            while !over.load(Relaxed) {
                scribble(&fixture, sessions);
                sessions += 1;
            }
            sessions
        });
        for n in 0..2000 {
            assert_eq!(client.add(n, 2), Ok(n + 2));
            assert_eq!(client.echo(&[n as u8; 200]).unwrap(), [n as u8; 200]);
        }
        over.store(true, Relaxed);
        assert!(scribbler.join().unwrap() > 0);
    });
    alone(&fixture, &client);
}

/// Sends calls while everything that the server reads of them changes.
fn scribble(fixture: &Fixture, seed: u64) {
    let peer = peer(fixture);
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for call in 1..60 {
        let label = vec![b'x'; 60];
        if peer.end.send(&[std::io::IoSlice::new(&raw::open(call, &label))]).is_err() {
            return;
        }
        for _ in 0..50 {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            // Mostly what lies in the ring; sometimes positions and bells.
            let at = if random >> 60 == 0 { random >> 32 & 0x3f8 } else { 4096 + (random >> 32 & 0x7f8) };
            peer.memory.word(at as usize).store(random >> (random & 63), Relaxed);
        }
    }
}

#[test]
fn a_peer_may_die_at_every_step() {
    let fixture = Fixture::plain();
    let client = good(&fixture);
    client.add(1, 2).unwrap();
    for len in 0..=request().len() {
        let mut socket = fixture.socket().unwrap();
        socket.write_all(&request()[..len]).unwrap();
    }
    // It dies with the memory, saying nothing: only the socket tells.
    let silent = |fixture: &Fixture, act: &dyn Fn(&Peer)| {
        let peer = Peer::connect(fixture.socket().unwrap());
        act(&peer);
        let _ = peer.socket.shutdown(std::net::Shutdown::Both);
        std::mem::forget(peer.end);
    };
    silent(&fixture, &|_| {});
    silent(&fixture, &|peer| _ = peer.send(&raw::hello()));
    silent(&fixture, &|peer| {
        peer.send(&raw::hello());
        peer.send(&raw::open(1, b"never released"));
    });
    silent(&fixture, &|peer| {
        peer.send(&raw::hello());
        peer.memory.word(CONTROL_BYTES + 64).store(1 << 10, Relaxed);
    });
    alone(&fixture, &client);
    until("only the root of the good client's session is left", || fixture.world.live() == 1);
}

#[test]
fn what_is_behind_the_request_is_no_message() {
    let fixture = Fixture::plain();
    let mut socket = fixture.socket().unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    socket.write_all(&[request(), raw::hello()].concat()).unwrap();
    let mut replies = Vec::new();
    socket.read_to_end(&mut replies).unwrap();
    let reply = &raw::replies(&replies)[0];
    assert_eq!((reply.0.call, reply.0.status), (CALL_SESSION, Kind::Protocol as u16));
}

#[test]
fn shared_memory_is_bounded_for_each_session_and_for_all() {
    let bytes = memory_bytes(256 << 10).unwrap();
    // Half of it for one process.
    let fixture = limited(|limits| limits.shared_bytes_max = 4 * bytes);
    let (first, second) = (good(&fixture), good(&fixture));
    assert_eq!((first.add(1, 2), second.add(1, 2)), (Ok(3), Ok(3)));
    let failure = good(&fixture).add(1, 2).unwrap_err();
    let text = format!("this process shares {} bytes of memory, as many as it may", 2 * bytes);
    assert_eq!((failure.kind(), &failure.details().message), (Kind::Refused, &text));
    drop(first);
    until("there is room again", || good(&fixture).add(1, 2) == Ok(3));
    let small = limited(|limits| limits.shared_session_bytes_max = 4096 + 2 * 8192 + 100);
    assert_eq!(Peer::connect(small.socket().unwrap()).ring, 4096, "as wished");
    let client = good(&small);
    assert!(client.echo(&[7; 50_000]).unwrap() == [7; 50_000]);
    let none = limited(|limits| limits.shared_session_bytes_max = 4096);
    assert_eq!(kind_of(good(&none).add(1, 2)), Some(Kind::Refused));
}

/// What a client says to a server that answers its request with `bytes` and `files`, does `then`, and hangs up.
fn answered(answer: &Shared, files: &[BorrowedFd<'_>], then: impl FnOnce(UnixStream) + Send) -> Failure {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    let mut frame = vec![0; 16];
    answer.encode(&mut frame);
    let header = Reply { len: 20, kind: kind::REPLY, portals: 0, status: 0, call: 1, raised: 0 };
    frame[..16].copy_from_slice(&header.encode());
    thread::scope(|scope| {
        scope.spawn(|| {
            let (mut socket, _) = listener.accept().unwrap();
            socket.read_exact(&mut vec![0; request().len()]).unwrap();
            match files {
                [] => socket.write_all(&frame).unwrap(),
                [file, ..] => {
                    pass::send(socket.as_fd(), &frame[..1], file).unwrap();
                    files[1..].iter().for_each(|file| {
                        pass::send(socket.as_fd(), &frame[1..2], file).unwrap();
                    });
                    // Whoever saw enough has hung up.
                    let _ = socket.write_all(&frame[files.len()..]);
                }
            }
            then(socket);
        });
        let transport = RemoteSession::connect(&Address::Shared(path), ConnectOptions::default()).unwrap();
        BoxClient(transport.root()).add(1, 2).unwrap_err()
    })
}

#[test]
fn a_server_cannot_give_memory_that_could_vanish() {
    let bytes = memory_bytes(4096).unwrap();
    let good = Segment::create(bytes).unwrap();
    let sealed = Segment::of(&vec![0; bytes]).unwrap();
    let short = Segment::create(bytes - 1).unwrap();
    let file = tempfile::tempfile().unwrap();
    file.set_len(bytes as u64).unwrap();
    let unsealed = memfd_create("test", MemfdFlags::ALLOW_SEALING).unwrap();
    ftruncate(&unsealed, bytes as u64).unwrap();
    let ring = Shared { ring: 4096 };
    let protocol = |answer: &Shared, files: &[BorrowedFd<'_>], text: &str| {
        let failure = answered(answer, files, drop);
        assert_eq!(failure.kind(), Kind::Protocol, "{failure:?}");
        let text = format!("{text}; this call was not sent");
        assert!(failure.details().message.ends_with(&text), "{failure:?}");
    };
    protocol(&ring, &[], "it carries no memory");
    protocol(&ring, &[file.as_fd()], "what came with it is no memory");
    protocol(&ring, &[unsealed.as_fd()], "memory whose size could still change");
    protocol(&ring, &[short.as_fd()], "where another length was agreed");
    for ring in [0, 1, 4095, 5000, 32 << 20, u32::MAX] {
        protocol(&Shared { ring }, &[good.as_fd()], "a ring that cannot be so long");
    }
    assert_eq!(
        answered(&ring, &[sealed.as_fd()], drop).kind(),
        Kind::Unreachable,
        "it cannot be mapped for writing"
    );
    assert_eq!(answered(&ring, &[good.as_fd(), good.as_fd()], drop).kind(), Kind::PeerDied, "one is enough");
}

/// It is gone, or says nothing, before any memory is shared: then it is as one that nobody reaches, and nothing was sent.
#[test]
fn a_server_that_shares_nothing_is_not_reached() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    let connect = |options| RemoteSession::connect(&Address::Shared(path.clone()), options).unwrap_err();
    let patience = Duration::from_millis(50);
    let silent = connect(ConnectOptions { connect_timeout: patience, ..ConnectOptions::default() });
    assert_eq!(silent.kind(), Kind::Unreachable);
    assert!(silent.details().message.ends_with("it gave no answer in time"), "{silent:?}");
    drop(listener.accept());
    let closed = thread::scope(|scope| {
        scope.spawn(|| drop(listener.accept()));
        connect(ConnectOptions::default())
    });
    assert_eq!(closed.kind(), Kind::Unreachable);
    assert!(
        closed.details().message.ends_with("it closed the connection before it shared memory"),
        "{closed:?}"
    );
}

#[test]
fn a_server_that_scribbles_or_dies_is_a_value() {
    let bytes = memory_bytes(4096).unwrap();
    let lies: [fn(&Mapping); 4] = [
        |memory| memory.word(CONTROL_BYTES + 4096).store(3, Relaxed),
        |memory| memory.word(CONTROL_BYTES + 4096).store(u64::MAX, Relaxed),
        |memory| memory.word(128).store(u64::MAX, Relaxed),
        |_| {},
    ];
    for lie in lies {
        let segment = Segment::create(bytes).unwrap();
        let memory = Mapping::new(&segment).unwrap();
        let failure = answered(&Shared { ring: 4096 }, &[segment.as_fd()], move |socket| {
            until("the client has sent its call", || memory.word(0).load(Relaxed) > 0);
            lie(&memory);
            drop(socket);
        });
        assert_eq!(failure.kind(), Kind::PeerDied, "{failure:?}");
    }
}
