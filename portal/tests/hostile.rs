//! Peers that send anything: the other side answers, refuses or hangs up, and goes on for everybody else.

mod support;

use std::io::{Read, Write};
use std::net::Shutdown;
use std::sync::Arc;
use std::time::Duration;

use carnet_portal::address::Address;
use carnet_portal::call::{Failure, Kind};
use carnet_portal::entry::{EntryPoint, EntryRequest};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::ServerOptions;
use carnet_portal::session::Session;
use carnet_portal::wire::{CALL_SESSION, HEADER_BYTES, Hello, HelloInterface, Reply, Request, kind};
use carnet_sim::{DyingPeer, Step};
use proptest::prelude::*;
use support::{BoxClient, Fixture, op, raw};

struct Echo;

impl EntryPoint for Echo {
    fn handle(&self, request: EntryRequest<'_>) {
        request.responder.progress(b"on the way");
        request.responder.reply(request.data, request.portals);
    }

    fn closed(&self, _session: &Session) {}
}

fn fixture() -> Fixture {
    let mut options = ServerOptions { entry: Some(Arc::new(Echo)), ..ServerOptions::default() };
    options.limits.frame_bytes_max = 256 << 10;
    Fixture::new(options)
}

/// Sends `bytes` as a client that then listens only; what comes back, until the server hangs up.
fn converse(fixture: &Fixture, bytes: &[u8]) -> Vec<(Reply, Vec<u8>)> {
    let mut socket = fixture.raw();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // A server that has hung up already takes no more.
    let _ = socket.write_all(bytes);
    let _ = socket.shutdown(Shutdown::Write);
    let mut replies = Vec::new();
    match socket.read_to_end(&mut replies) {
        Ok(_) => {}
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "the server hangs"),
    }
    raw::replies(&replies)
}

fn assert_well(fixture: &Fixture) {
    assert_eq!(fixture.client().add(40, 2), Ok(42));
}

/// One frame of each kind.
fn frames() -> Vec<Vec<u8>> {
    let list = [raw::words(&[29, 2, 3, 3 << 24 | 2]), b"onetw".to_vec()].concat();
    vec![
        raw::hello(),
        raw::call(op::ADD, 1, 1, &raw::words(&[1, 2])),
        raw::open(2, b"label"),
        raw::call(op::REVERSE, 1, 3, &list),
        raw::call(op::TURN, 1, 4, &[raw::words(&[3, 7]), b"abc".to_vec()].concat()),
        raw::frame(kind::CALL, &[1], op::LABEL_OF, 1, 5, &raw::words(&[0, 1])),
        raw::frame(kind::DESCRIBE, &[], 0, 0, 6, &[]),
        raw::frame(16, &[1], 0, 0, 7, &[&raw::words(&[1])[..], b"data"].concat()),
        raw::release(&[(2, 1)]),
    ]
}

#[test]
fn all_that_is_right_is_answered() {
    let replies = converse(&fixture(), &frames().concat());
    let answered: Vec<(u32, u16, u8)> = replies.iter().map(|r| (r.0.call, r.0.status, r.0.kind)).collect();
    let progress = kind::REPLY | kind::PROGRESS;
    let expected = [(1, 3), (2, 3), (3, 3), (4, 3), (5, 3), (6, 3), (7, progress), (7, 3)];
    assert_eq!(answered, expected.map(|(call, kind)| (call, 0, kind)));
}

#[test]
fn every_truncation_answers_the_whole_frames_before_it() {
    let fixture = fixture();
    let all = frames().concat();
    let mut ends = Vec::new();
    for frame in frames() {
        ends.push(ends.last().unwrap_or(&0) + frame.len());
    }
    for len in 0..all.len() {
        let replies = converse(&fixture, &all[..len]);
        let whole = ends.iter().filter(|end| **end <= len).count();
        let answered = replies.iter().filter(|reply| reply.0.kind == kind::REPLY).count();
        // Hello and Release have no answer.
        assert_eq!(answered, whole.saturating_sub(1).min(7), "after {len} bytes");
    }
    assert_well(&fixture);
}

#[test]
fn every_flipped_bit_of_a_header_is_survived() {
    let fixture = fixture();
    // One of the flips makes a call of `wait`.
    fixture.world.open_gate();
    for (index, frame) in frames().into_iter().enumerate() {
        for bit in 0..HEADER_BYTES * 8 {
            let mut flipped = frame.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let before = if index == 0 { Vec::new() } else { raw::hello() };
            for reply in converse(&fixture, &[before, flipped, frame.clone()].concat()) {
                let known = reply.0.status == 0 || Kind::from_number(reply.0.status).is_some();
                assert!(known, "status {} to bit {bit} of frame {index}", reply.0.status);
            }
        }
    }
    assert_well(&fixture);
}

fn farewell(fixture: &Fixture, bytes: &[u8]) -> String {
    let replies = converse(fixture, bytes);
    let last = replies.last().expect("a farewell");
    assert_eq!((last.0.call, last.0.status), (CALL_SESSION, Kind::Protocol as u16));
    let text = String::from_utf8(last.1.clone()).unwrap();
    let text = text.strip_prefix("the client sent what is not a message of this protocol: ");
    text.expect("the prefix of all such messages").to_owned()
}

#[test]
fn what_breaks_the_protocol_is_named() {
    let fixture = fixture();
    let after_hello = |frame: Vec<u8>| farewell(&fixture, &[raw::hello(), frame].concat());
    let with_len = |len: u32| {
        let header = Request { len, kind: kind::CALL, portals: 0, op: 0, target: 1, call: 1 };
        header.encode().to_vec()
    };
    let lengths = "where 16 to 262144 are allowed";
    assert_eq!(after_hello(with_len(15)), format!("a message of 15 bytes, {lengths}"));
    assert_eq!(after_hello(with_len(0)), format!("a message of 0 bytes, {lengths}"));
    assert_eq!(after_hello(with_len(262_145)), format!("a message of 262145 bytes, {lengths}"));
    assert_eq!(after_hello(with_len(u32::MAX)), format!("a message of 4294967295 bytes, {lengths}"));
    let call = raw::call(op::ADD, 1, 1, &raw::words(&[1, 2]));
    assert_eq!(farewell(&fixture, &call), "the first message of a client is Hello");
    assert_eq!(after_hello(raw::call(op::ADD, 1, 0, &[])), "a call without a number");
    assert_eq!(after_hello(raw::frame(10, &[], 0, 0, 1, &[])), "a kind of message that is unknown");
    let unnamed = raw::frame(kind::MAP, &[], 0, 0, 1, &[]);
    assert_eq!(after_hello(unnamed), "a Map that is not of one portal, or without a number");
    let unnumbered = raw::frame(kind::MEMORY, &[], 0, 0, CALL_SESSION, &[1]);
    assert_eq!(after_hello(unnumbered), "a Memory with portals, or without a number");
    assert_eq!(after_hello(raw::frame(200, &[], 0, 0, 1, &[])), "a kind of message that is unknown");
    let stray = raw::frame(kind::DESCRIBE, &[], 3, 0, 1, &[]);
    assert_eq!(after_hello(stray), "an operation in a message that is no call");
    let odd = raw::frame(kind::RELEASE, &[], 0, 0, 0, &[0; 12]);
    assert_eq!(after_hello(odd), "a Release that is not a list of pairs");
    let short = raw::frame(16, &[1, 1, 1], 0, 0, 1, &[0; 8]);
    assert_eq!(after_hello(short), "a request that is shorter than its portals");
    let mut version = raw::hello();
    version[HEADER_BYTES + 8] = 9;
    let expected = "Hello: version 9 of the message format, where version 1 is spoken";
    assert_eq!(farewell(&fixture, &version), expected);
    let web = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assert!(farewell(&fixture, web).starts_with("a message of 542393671 bytes"));
    assert_well(&fixture);
}

#[test]
fn wrong_arguments_fail_their_call_only() {
    let fixture = fixture();
    let refused = |frame: Vec<u8>, status: Kind, text: &str| {
        let good = raw::call(op::ADD, 1, 77, &raw::words(&[1, 2]));
        let replies = converse(&fixture, &[raw::hello(), frame, good].concat());
        assert_eq!(replies[0].0.status, status as u16);
        assert_eq!(String::from_utf8_lossy(&replies[0].1), text);
        assert_eq!((replies[1].0.call, replies[1].0.status), (77, 0));
    };
    let leaves = "a reference leaves the message's data";
    let body = |words: &[u64]| raw::words(words);
    let bad = Kind::BadArgument;
    refused(raw::call(op::ADD, 1, 1, &body(&[1])), bad, "the message is shorter than the arguments of add");
    refused(raw::call(op::ADD, 0, 1, &[]), Kind::NoSuchPortal, "the session holds no portal 0");
    refused(raw::call(op::ADD, 2, 1, &[]), Kind::NoSuchPortal, "the session holds no portal 2");
    let stale = 1 << 16 | 1;
    refused(raw::call(op::ADD, stale, 1, &[]), Kind::NoSuchPortal, "the session holds no portal 65537");
    refused(raw::call(99, 1, 1, &[]), Kind::NoSuchOperation, "boxes.Box has no operation 99");
    refused(raw::call(op::ECHO, 1, 1, &body(&[1])), bad, leaves);
    refused(raw::call(op::ECHO, 1, 1, &body(&[1 << 24])), bad, leaves);
    refused(raw::call(op::ECHO, 1, 1, &body(&[1 << 52])), bad, leaves);
    refused(raw::call(op::ECHO, 1, 1, &body(&[u64::MAX])), bad, leaves);
    let long = [body(&[101]), vec![b'x'; 101]].concat();
    refused(raw::call(op::OPEN, 1, 1, &long), bad, "an argument of 101 bytes where at most 100 are allowed");
    let nul = [body(&[1]), vec![0]].concat();
    refused(raw::call(op::OPEN, 1, 1, &nul), bad, "a string contains a NUL byte");
    let lists = [&[8, u64::MAX][..], &[8, 1000], &[16, 1, 1 << 24], &[4, 0]];
    let texts =
        ["a list of 18446744073709551615 elements where at most 1000 are allowed", leaves, leaves, leaves];
    for (list, text) in lists.into_iter().zip(texts) {
        refused(raw::call(op::REVERSE, 1, 1, &body(list)), bad, text);
    }
    let portal = |id: u32, index: u64| {
        raw::frame(kind::CALL, &[id], op::LABEL_OF, 1, 1, &body(&[index, u64::from(id)]))
    };
    refused(portal(5, 0), Kind::NoSuchPortal, "the session holds no portal 5");
    refused(portal(0, 0), bad, "a portal is missing");
    refused(portal(1, 1), bad, "a portal is missing");
    refused(portal(1, u64::MAX), bad, "a portal is missing");
    refused(raw::frame(17, &[9], 0, 0, 1, &body(&[9])), Kind::NoSuchPortal, "the session holds no portal 9");
}

#[test]
fn a_release_of_what_is_not_held_is_nothing() {
    let fixture = fixture();
    let odd = raw::release(&[(0, 1), (1, u32::MAX), (7, 0), (u32::MAX, u32::MAX), (1 << 16 | 1, 5)]);
    let good = raw::call(op::ADD, 1, 77, &raw::words(&[1, 2]));
    let replies = converse(&fixture, &[raw::hello(), odd, good].concat());
    assert_eq!((replies[0].0.call, replies[0].0.status), (77, 0));
}

#[test]
fn a_frame_that_would_take_others_long_is_refused() {
    let fixture = fixture();
    let good = || raw::call(op::ADD, 1, 77, &raw::words(&[1, 2]));
    let releases = |count: usize| [raw::hello(), raw::release(&vec![(7, 1); count]), good()].concat();
    assert_eq!(converse(&fixture, &releases(1024))[0].0.call, 77);
    assert_eq!(farewell(&fixture, &releases(1025)), "a Release of 1025 pairs, where 1024 are allowed");
    let hello = |operations: usize| {
        let interface =
            HelloInterface { name: "Box".to_owned(), hash: 7, operations: vec![0x1000; operations] };
        let mut data = Vec::new();
        let hello = Hello { module: "boxes".to_owned(), root: "Box".to_owned(), interfaces: vec![interface] };
        hello.encode(&mut data);
        [raw::frame(kind::HELLO, &[], 0, 0, CALL_SESSION, &data), good()].concat()
    };
    assert_eq!(converse(&fixture, &hello(8000))[0].0.call, 77);
    let (header, text) = converse(&fixture, &hello(8200)).swap_remove(0);
    assert_eq!((header.call, header.status), (CALL_SESSION, Kind::Refused as u16));
    let expected = "the interfaces that the client knows take 65651 bytes to say; 65536 are allowed";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
    assert_well(&fixture);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..400), hello: bool) {
        shared(|fixture| {
            let before = if hello { raw::hello() } else { Vec::new() };
            converse(fixture, &[before, bytes].concat());
            assert_well(fixture);
        });
    }

    #[test]
    fn random_calls_are_survived(
        calls in proptest::collection::vec(random_frame(), 1..12)
    ) {
        shared(|fixture| {
            let bytes = [vec![raw::hello()], calls].concat().concat();
            converse(fixture, &bytes);
            assert_well(fixture);
        });
    }

    #[test]
    fn random_replies_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200), call in 0_u32..3) {
        let header = Reply { len: (HEADER_BYTES + bytes.len()) as u32, kind: 3, portals: 0, status: 0, call, raised: 0 };
        let value = bytes.first_chunk().map(|word| u64::from_le_bytes(*word));
        let expected = if call == FIRST { value } else { None };
        prop_assert_eq!(answered_with([&header.encode()[..], &bytes].concat()).ok(), expected);
    }
}

/// Frames that are right in their headers and wrong in what they carry.
fn random_frame() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![0_u64..200, any::<u64>(), (0_u64..64, 0_u64..64).prop_map(|(o, l)| o << 24 | l)];
    // All operations but `wait`, which would.
    let op = (0_u16..13).prop_filter("not wait", |number| *number != op::WAIT);
    let portals = proptest::collection::vec(0_u32..4, 0..4);
    let frame_kind = prop_oneof![8 => Just(kind::CALL), 1 => Just(16), 1 => Just(kind::DESCRIBE)];
    (frame_kind, portals, op, 0_u32..4, proptest::collection::vec(word, 0..10)).prop_map(
        |(frame_kind, portals, op, target, words)| {
            let is_call = frame_kind == kind::CALL;
            let (op, target) = if is_call { (op, target) } else { (0, 0) };
            raw::frame(frame_kind, &portals, op, target, 1, &raw::words(&words))
        },
    )
}

/// One server for all cases of a property.
fn shared(test: impl FnOnce(&Fixture)) {
    thread_local!(static FIXTURE: Fixture = fixture());
    FIXTURE.with(test);
}

/// What a client's first call says if the server answers `bytes` and dies.
fn answered_with(bytes: Vec<u8>) -> Result<u64, Failure> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let peer = DyingPeer::start(&path, vec![Step::Read(100), Step::Write(bytes)]).unwrap();
    let transport = RemoteSession::connect(&Address::Unix(path), ConnectOptions::default()).unwrap();
    let client = BoxClient(transport.root());
    let result = client.add(40, 2);
    if result.is_err() {
        assert!(client.add(1, 2).is_err(), "a dead connection stays dead");
    }
    drop((client, transport));
    peer.join();
    result
}

/// The number of a client's first call.
const FIRST: u32 = 1;

fn good_reply() -> Vec<u8> {
    let header = Reply { len: 24, kind: kind::REPLY, portals: 0, status: 0, call: FIRST, raised: 0 };
    [&header.encode()[..], &42_u64.to_le_bytes()].concat()
}

#[test]
fn a_client_survives_every_truncation_of_a_reply() {
    assert_eq!(answered_with(good_reply()), Ok(42));
    for len in 0..good_reply().len() {
        let failure = answered_with(good_reply()[..len].to_vec()).unwrap_err();
        assert_eq!(failure.kind(), Kind::PeerDied, "after {len} bytes");
    }
}

#[test]
fn a_client_survives_every_flipped_bit_of_a_reply() {
    for bit in 0..HEADER_BYTES * 8 {
        let mut reply = good_reply();
        reply[bit / 8] ^= 1 << (bit % 8);
        // Some flips leave a reply that is right (the exception's number); none may hang or panic.
        if let Err(failure) = answered_with(reply) {
            assert!(!failure.details().message.is_empty());
        }
    }
}

#[test]
fn what_no_call_waits_for_ends_the_connection() {
    for call in [2, 1 << 16 | 1, u32::MAX] {
        let mut reply = good_reply();
        reply[8..12].copy_from_slice(&call.to_le_bytes());
        let failure = answered_with(reply).unwrap_err();
        assert_eq!(
            (failure.kind(), failure.details().message.as_str()),
            (Kind::Protocol, "the server answered what was not asked")
        );
    }
}
