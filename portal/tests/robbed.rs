//! A client may move who sleeps on the shared memory's bell to another word: the server notices all the same that it has gone.

mod support;

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use carnet_portal::address::Address;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_queue::layout::{Side, WANTS_FRAMES};
use rustix::thread::futex;
use support::shared::Peer;
use support::{BoxClient, Fixture, raw, until};

/// Where sleepers are moved to. Nobody rings it.
static ASIDE: AtomicU32 = AtomicU32::new(0);

/// As many clients, one after the other.
const ROBBERS: usize = 5;

#[test]
fn who_is_moved_to_another_word_wakes() {
    let fixture = Fixture::plain();
    for _ in 0..ROBBERS {
        let peer = Peer::connect(fixture.socket().unwrap());
        peer.send(&raw::hello());
        let bell = peer.memory.half(Side::Server.bell());
        until("the server sleeps", || {
            bell.load(Relaxed) & WANTS_FRAMES != 0
                && futex::requeue(bell, futex::Flags::empty(), 0, i32::MAX as u32, &ASIDE).unwrap() > 0
        });
        drop(peer);
        let session = RemoteSession::connect(&Address::Shared(fixture.path()), ConnectOptions::default());
        assert_eq!(BoxClient(session.unwrap().root()).add(40, 2), Ok(42));
    }
    until("all sessions have ended", || fixture.sessions() == 0);
    let (sender, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        drop(fixture);
        sender.send(())
    });
    ended.recv_timeout(Duration::from_secs(20)).expect("the server ends");
}
