//! A client beside a server that is made by hand.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use carnet_idl::descriptor::{InterfaceId, Module};

use super::*;
use crate::call::{Area, Ref};
use crate::wire::HEADER_BYTES;

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A request that is answered by hand.
const ASK: u8 = kind::ENTRY_FIRST;

/// The server's end.
struct Peer(UnixStream);

impl Peer {
    /// The next request of this kind; its number and its data.
    fn request(&mut self, wanted: u8) -> (u32, Vec<u8>) {
        loop {
            let mut header = [0; HEADER_BYTES];
            self.0.read_exact(&mut header).expect("a request comes");
            let header = Request::decode(&header).expect("it has a header");
            let mut data = vec![0; header.len as usize - HEADER_BYTES];
            self.0.read_exact(&mut data).expect("it comes as a whole");
            if header.kind == wanted {
                return (header.call, data);
            }
        }
    }

    fn answer(&mut self, call: u32, data: &[u8]) {
        self.0.write_all(&reply(call, kind::REPLY, data)).expect("the client is there");
    }
}

fn reply(call: u32, kind: u8, data: &[u8]) -> Vec<u8> {
    let len = (HEADER_BYTES + data.len()) as u32;
    let header = Reply { len, kind, portals: 0, status: 0, call, raised: 0 };
    [&header.encode()[..], data].concat()
}

/// A client whose calls may take so long, and its server.
fn session(call_timeout: Duration) -> (Arc<RemoteSession>, Peer) {
    session_with(ConnectOptions { call_timeout: Some(call_timeout), ..ConnectOptions::default() })
}

fn session_with(options: ConnectOptions) -> (Arc<RemoteSession>, Peer) {
    let (ours, theirs) = UnixStream::pair().expect("two sockets");
    let link = Link::Socket(Arc::new(std::os::fd::OwnedFd::from(ours).into()));
    link.set_timeouts(options.call_timeout, None).expect("it can wait so long");
    theirs.set_read_timeout(Some(PATIENCE)).expect("it can wait so long");
    (RemoteSession::over(link, options), Peer(theirs))
}

/// It would wait for the server to read, who never does.
#[test]
fn the_rest_of_a_message_is_given_up_when_the_session_is_dropped() {
    let (call_timeout, write_timeout) = (Some(Duration::from_millis(10)), Duration::from_secs(600));
    let options = ConnectOptions { call_timeout, write_timeout, ..ConnectOptions::default() };
    let (session, _peer) = session_with(options);
    let failure = ask(&session, &vec![7; 1 << 20]).expect_err("nobody reads it");
    assert_eq!(failure.kind(), Kind::TimedOut);
    // A thread waits until it can send more.
    until(&session, |line| line.calls.try_lead().map(|inbox| line.calls.resign(inbox)).is_none());
    let (left, begun) = (Arc::downgrade(&session), Instant::now());
    drop(session);
    while left.strong_count() > 0 {
        assert!(begun.elapsed() < PATIENCE, "the thread goes on");
        std::thread::yield_now();
    }
}

fn ask(session: &Arc<RemoteSession>, data: &[u8]) -> Result<Vec<u8>, Failure> {
    session.control(ASK, data, &[], &mut |_| {}).map(|reply| reply.data)
}

fn message(failure: &Failure) -> &str {
    &failure.details().message
}

/// More than a socket takes by itself.
fn long() -> Vec<u8> {
    (0..1_500_000_u32).map(|index| (index % 251) as u8).collect()
}

/// Waits until the threads of the session have come so far.
fn until(session: &RemoteSession, is_so: impl Fn(&mut Line) -> bool) {
    let begun = Instant::now();
    while !is_so(&mut lock(&session.line)) {
        assert!(begun.elapsed() < PATIENCE, "it does not come so far");
        std::thread::yield_now();
    }
}

#[test]
fn a_caller_that_panics_with_its_reply_does_not_take_the_lead_along() {
    let (session, mut peer) = session(PATIENCE);
    let first = session.start_control(ASK, b"1", &[]).expect("it is sent");
    let (call, _) = peer.request(ASK);
    peer.answer(call, b"one");
    let read = |_: &[u8]| -> Result<(), Failure> { panic!("as the test wants") };
    let thrown = catch_unwind(AssertUnwindSafe(|| first.wait_for(&mut |_| {}, read))).unwrap_err();
    assert_eq!(thrown.downcast_ref(), Some(&"as the test wants"));
    let server = std::thread::spawn(move || {
        let (call, _) = peer.request(ASK);
        peer.answer(call, b"two");
    });
    assert_eq!(ask(&session, b"2"), Ok(b"two".to_vec()));
    server.join().expect("it does not panic");
}

/// There is always something to read, of this call or of another.
#[test]
fn a_server_that_never_stops_talking_does_not_make_a_call_longer() {
    for told in [1, 2] {
        let (session, mut peer) = session(Duration::from_millis(30));
        let other = session.start_control(ASK, b"1", &[]).expect("it is sent");
        let server = std::thread::spawn(move || {
            peer.request(ASK);
            peer.request(ASK);
            let end = Instant::now() + PATIENCE / 4;
            let frames = reply(told, kind::REPLY | kind::PROGRESS, b"50 %").repeat(200);
            let talk = || {
                let mut socket = &peer.0;
                while socket.write_all(&frames).is_ok() {
                    assert!(Instant::now() < end, "the client listens for ever");
                }
            };
            // One alone may stop for so long that the client has read all.
            std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(talk))));
        });
        let failure = ask(&session, b"2").unwrap_err();
        assert_eq!(failure.kind(), Kind::TimedOut, "{told}: {failure}");
        drop((other, session));
        server.join().expect("the client has stopped");
    }
}

/// The first is part of the way when its time is over, the second has not begun. Nothing else becomes of either.
#[test]
fn what_the_server_does_not_take_in_time_ends_the_call_and_not_the_session() {
    let (session, mut peer) = session(Duration::from_millis(50));
    let first = ask(&session, &long()).unwrap_err();
    let text = "no answer within 50ms; it is unknown whether the call was done";
    assert_eq!((first.kind(), message(&first)), (Kind::TimedOut, text));
    let second = ask(&session, b"second").unwrap_err();
    let text = "the server took no more within 50ms; this call was not sent";
    assert_eq!((second.kind(), message(&second)), (Kind::Unreachable, text));
    session.give_back(PortalId(7), 1);
    let (call, data) = peer.request(ASK);
    assert!(data == long(), "the rest follows");
    peer.request(kind::RELEASE);
    peer.answer(call, b"nobody waits for it");
    until(&session, |line| line.outbox.is_some());
    let third = session.start_control(ASK, b"third", &[]).expect("there is room");
    let (call, data) = peer.request(ASK);
    assert_eq!(data, b"third", "the second was not sent");
    peer.answer(call, b"it lives");
    assert_eq!(third.wait(&mut |_| {}).map(|reply| reply.data), Ok(b"it lives".to_vec()));
}

/// A request as short as these is taken as a whole or not at all.
#[test]
fn a_request_of_which_nothing_was_taken_is_not_sent_later() {
    let (session, mut peer) = session(Duration::from_millis(50));
    let mut sent = 0;
    let failure = loop {
        match session.start_control(ASK, &[7; 1000], &[]) {
            Ok(_) => sent += 1,
            Err(failure) => break failure,
        }
    };
    let text = "the server took no more within 50ms; this call was not sent";
    assert_eq!((failure.kind(), message(&failure)), (Kind::Unreachable, text));
    (0..sent).for_each(|_| assert_eq!(peer.request(ASK).1, [7; 1000]));
    session.start_control(ASK, b"next", &[]).expect("there is room");
    assert_eq!(peer.request(ASK).1, b"next");
}

#[test]
fn a_server_that_takes_nothing_of_what_has_begun_ends_the_session() {
    let waits = Duration::from_millis(50);
    let options =
        ConnectOptions { call_timeout: Some(waits), write_timeout: waits, ..ConnectOptions::default() };
    let (session, _peer) = session_with(options);
    assert_eq!(ask(&session, &long()).map_err(|failure| failure.kind()), Err(Kind::TimedOut));
    until(&session, |line| line.calls.dead().is_some() && line.outbox.is_some());
    let why = lock(&session.line).calls.dead().cloned().expect("it is");
    let text = "the server took nothing for 50ms; it is unknown which calls were done";
    assert_eq!((why.kind(), message(&why)), (Kind::PeerDied, text));
    let later = ask(&session, b"later").unwrap_err();
    assert_eq!(message(&later), "the connection was lost earlier; this call was not sent");
}

/// The server takes no more, and others wait behind who has the way: each is woken by the one before.
#[test]
fn all_that_wait_to_send_get_their_turn() {
    let (session, mut peer) = session(2 * PATIENCE);
    let asks = |data: Vec<u8>| {
        let session = Arc::clone(&session);
        std::thread::spawn(move || ask(&session, &data))
    };
    let first = asks(long());
    until(&session, |line| line.outbox.is_none());
    let others = [(); 3].map(|()| asks(b"short".to_vec()));
    until(&session, |line| line.waiting == 3);
    for _ in 0..4 {
        let (call, _) = peer.request(ASK);
        peer.answer(call, b"done");
    }
    for call in others.into_iter().chain([first]) {
        assert_eq!(call.join().expect("it does not panic"), Ok(b"done".to_vec()));
    }
}

/// Who sends does not know of it before all is sent, and nobody sends afterwards.
#[test]
fn what_is_given_back_while_another_sends_is_told_by_that_one() {
    let (session, mut peer) = session(PATIENCE);
    let asking = Arc::clone(&session);
    let first = std::thread::spawn(move || ask(&asking, &long()));
    until(&session, |line| line.outbox.is_none());
    session.give_back(PortalId(7), 1);
    let (call, _) = peer.request(ASK);
    assert_eq!(peer.request(kind::RELEASE).1, [7, 0, 0, 0, 1, 0, 0, 0]);
    peer.answer(call, b"done");
    assert_eq!(first.join().expect("it does not panic"), Ok(b"done".to_vec()));
}

/// It never reads that they are given back.
#[test]
fn a_server_that_hands_out_portals_without_end_has_its_session_ended() {
    let (session, mut peer) = session(PATIENCE);
    let server = std::thread::spawn(move || {
        peer.0.set_write_timeout(Some(PATIENCE)).expect("it can wait so long");
        let (call, _) = peer.request(ASK);
        let portals: Vec<u8> = (1000..1255_u32).chain([0]).flat_map(u32::to_le_bytes).collect();
        let mut told = reply(call, kind::REPLY | kind::PROGRESS, &portals);
        told[5] = 255;
        for _ in 0..2 * sending::RELEASED_MAX / 255 {
            if peer.0.write_all(&told).is_err() {
                return;
            }
        }
        let _ = peer.0.write_all(&reply(call, kind::REPLY, b"all were taken"));
    });
    let failure = ask(&session, b"1").unwrap_err();
    let text = "the server does not read which portals it is given back, more than 262140 wait; it is unknown which calls were done";
    assert_eq!((failure.kind(), message(&failure)), (Kind::PeerDied, text));
    assert!(lock(&session.released).len() <= sending::RELEASED_MAX);
    server.join().expect("it does not panic");
}

/// The server does not read before it has written, and the thread that read when the other began to send is gone.
#[test]
fn who_waits_to_send_reads_when_nobody_else_does() {
    let (session, mut peer) = session(2 * PATIENCE);
    peer.0.set_write_timeout(Some(PATIENCE)).expect("it can wait so long");
    let _kept = session.start_control(ASK, b"1", &[]).expect("it is sent");
    let (kept, _) = peer.request(ASK);
    let (asking, (tell, told)) = (Arc::clone(&session), std::sync::mpsc::channel());
    let reads = std::thread::spawn(move || {
        asking.control(ASK, b"2", &[], &mut |_| tell.send(()).expect("the test goes on")).map(drop)
    });
    let (call, _) = peer.request(ASK);
    peer.0.write_all(&reply(call, kind::REPLY | kind::PROGRESS, b"50 %")).expect("the client is there");
    told.recv().expect("it has read");
    let asking = Arc::clone(&session);
    let sends = std::thread::spawn(move || ask(&asking, &long()));
    until(&session, |line| line.outbox.is_none());
    peer.answer(call, b"done");
    reads.join().expect("it does not panic").expect("it is answered");
    let told = reply(kept, kind::REPLY | kind::PROGRESS, &[0; 1000]).repeat(2000);
    peer.0.write_all(&told).expect("the client reads");
    let (call, _) = peer.request(ASK);
    peer.answer(call, b"done");
    assert_eq!(sends.join().expect("it does not panic"), Ok(b"done".to_vec()));
}

/// What comes back where a buffer is large enough goes past the receive buffer, however many pieces it is.
#[test]
fn pieces_of_a_reply_are_received_where_they_belong() {
    static MODULE: LazyLock<Module> = LazyLock::new(|| {
        let text = "module t { interface T { void get(out sequence<octet> a, out string<9> b, \
                    out sequence<octet> c); }; };";
        carnet_idl::compile_str("t.idl", text).expect("it compiles")
    });
    const LEN: usize = 1_000_000;
    let (session, mut peer) = session(PATIENCE);
    let server = std::thread::spawn(move || {
        let (call, _) = peer.request(kind::CALL);
        let [a, b, c] = [(0, LEN), (LEN, 9), (LEN + 16, LEN)].map(|(at, len)| Ref::new(0, at, len));
        let words = [a, b, c].map(|word| word.expect("a reference").0.to_le_bytes()).concat();
        peer.answer(call, &[&words[..], &[7; LEN], &[8; 16], &[9; LEN]].concat());
    });
    let room = |bytes| Area { bytes: Vec::with_capacity(bytes), words: Vec::new() };
    let mut outputs = [room(LEN), room(0), room(LEN)];
    let places = [0, 2].map(|output: usize| outputs[output].bytes.as_ptr());
    let block =
        &mut Block { words: &mut [0; 3], inputs: &[], outputs: &mut outputs, portals: &[], made: vec![] };
    let op = OpNumber { module: &MODULE, interface: InterfaceId(0), op: 0 };
    Arc::clone(&session).call(PortalId::ROOT, op, block).expect("it is answered");
    server.join().expect("it does not panic");
    let [a, b, c] = outputs.map(|output| output.bytes);
    assert!(a == [7; LEN] && b == [8; 9] && c == [9; LEN]);
    assert_eq!([a.as_ptr(), c.as_ptr()], places);
    let inbox = lock(&session.line).calls.try_lead().expect("nobody reads");
    let through = inbox.buffer.iter().filter(|byte| **byte != 0).count();
    assert!(through <= 1100, "{through} bytes went through the receive buffer");
}
