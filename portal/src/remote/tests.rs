//! A client beside a server that is made by hand.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;
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
    let (ours, theirs) = UnixStream::pair().expect("two sockets");
    let link = Link::Socket(ours.into());
    link.set_timeouts(Some(call_timeout), None).expect("it can wait so long");
    theirs.set_read_timeout(Some(PATIENCE)).expect("it can wait so long");
    let options = ConnectOptions { call_timeout: Some(call_timeout), ..ConnectOptions::default() };
    (Arc::new(RemoteSession::over(link, options)), Peer(theirs))
}

fn ask(session: &Arc<RemoteSession>, data: &[u8]) -> Result<Vec<u8>, Failure> {
    session.control(ASK, data, &[], &mut |_| {}).map(|reply| reply.data)
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
