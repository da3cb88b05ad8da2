//! The other side dies, at every byte: a value for whoever waits, and nothing stays behind.

mod support;

use std::sync::Arc;
use std::time::Duration;

use carnet_portal::address::Address;
use carnet_portal::call::{Failure, Kind};
use carnet_portal::portal::Portal;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_sim::{Direction, DyingPeer, Fault, Relay, RelayOptions, Step};
use support::{BoxClient, Fixture, kind_of, until};

/// Some calls of each kind; the first failure.
fn converse(root: &BoxClient) -> Result<(), Failure> {
    root.add(1, 2)?;
    let opened = root.open("label")?;
    root.label_of(&opened)?;
    root.reverse(&["one", "two"])?;
    root.turn(b"abc", 7)?;
    root.echo(&[7; 300])?;
    Ok(())
}

fn over_link(fixture: &Fixture, faults: Vec<Fault>, timeout: Option<Duration>) -> Outcome {
    let front = fixture.path().with_file_name("relay");
    let relay =
        Relay::start(&front, &fixture.path(), RelayOptions { round_trip: Duration::ZERO, faults }).unwrap();
    let options = ConnectOptions { call_timeout: timeout, ..ConnectOptions::default() };
    let transport = RemoteSession::connect(&Address::Unix(front), options).unwrap();
    let client = BoxClient(transport.root());
    let result = converse(&client);
    let later = client.add(1, 2);
    drop((client, transport));
    until("nothing stays behind", || fixture.sessions() == 0 && fixture.world.live() == 0);
    let counts = relay.counts();
    Outcome { result, later, to_server: counts.to_server_bytes, to_client: counts.to_client_bytes }
}

struct Outcome {
    result: Result<(), Failure>,
    later: Result<u64, Failure>,
    to_server: u64,
    to_client: u64,
}

fn both_directions(whole: &Outcome) -> [(Direction, u64); 2] {
    [(Direction::ToServer, whole.to_server), (Direction::ToClient, whole.to_client)]
}

#[test]
fn a_cut_at_every_byte_is_a_value() {
    let fixture = Fixture::plain();
    let whole = over_link(&fixture, Vec::new(), None);
    assert_eq!((whole.result.clone(), whole.later.clone()), (Ok(()), Ok(3)));
    for (direction, bytes) in both_directions(&whole) {
        for after in 0..bytes - 100 {
            let cut = over_link(&fixture, vec![Fault::Cut { direction, after }], None);
            let failure = cut.later.expect_err("the connection is lost");
            assert_eq!(failure.kind(), Kind::Unreachable, "{direction:?} cut after {after}");
            if let Err(failure) = cut.result {
                // Some are sent when the way is cut already.
                let not_sent = failure.details().message.ends_with("; this call was not sent");
                let kind = if not_sent { Kind::Unreachable } else { Kind::PeerDied };
                assert_eq!(failure.kind(), kind, "{failure}");
            }
        }
    }
}

#[test]
fn a_flipped_bit_anywhere_is_survived() {
    let fixture = Fixture::plain();
    // One of the flips makes a call of `wait`.
    fixture.world.open_gate();
    let whole = over_link(&fixture, Vec::new(), None);
    for (direction, bytes) in both_directions(&whole) {
        for byte in (0..bytes).step_by(3) {
            let bit = (byte % 8) as u8;
            // A length made longer makes both sides wait for what never comes.
            let timeout = Some(Duration::from_millis(40));
            let flipped = over_link(&fixture, vec![Fault::FlipBit { direction, byte, bit }], timeout);
            if let Err(failure) = flipped.result {
                assert!(!failure.details().message.is_empty());
            }
        }
    }
}

#[test]
fn a_stall_ends_with_the_time_out() {
    let fixture = Fixture::plain();
    let stall = Fault::Stall { direction: Direction::ToClient, after: 10 };
    let stalled = over_link(&fixture, vec![stall], Some(Duration::from_millis(50)));
    assert_eq!(kind_of(stalled.result), Some(Kind::TimedOut));
}

#[test]
fn everybody_who_waits_learns_of_the_death() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    // Hello as it connects, Hello with an interface, and four calls: the peer dies when it has them all.
    let hello_and_four = 40 + 163 + 4 * 32;
    let peer = DyingPeer::start(&path, vec![Step::Read(hello_and_four)]).unwrap();
    let transport = RemoteSession::connect(&Address::Unix(path), ConnectOptions::default()).unwrap();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let client = BoxClient(transport.root());
            std::thread::spawn(move || client.add(1, 2).unwrap_err())
        })
        .collect();
    for thread in threads {
        let failure = thread.join().unwrap();
        assert_eq!(failure.kind(), Kind::PeerDied);
        let text = "the server closed the connection; it is unknown whether the call was done";
        assert_eq!(failure.details().message, text);
    }
    let later = BoxClient(transport.root()).add(1, 2).unwrap_err();
    let text = "the connection was lost earlier; this call was not sent";
    assert_eq!((later.kind(), later.details().message.as_str()), (Kind::Unreachable, text));
    peer.join();
}

#[test]
fn what_cannot_be_reached_is_told_apart() {
    let directory = tempfile::tempdir().unwrap();
    let connect = |name: &str| {
        let address = Address::Unix(directory.path().join(name));
        RemoteSession::connect(&address, ConnectOptions::default()).map(|_| ()).unwrap_err()
    };
    let missing = connect("missing");
    assert_eq!(missing.kind(), Kind::Unreachable);
    assert!(missing.details().message.ends_with(": no such socket"));
    drop(std::os::unix::net::UnixListener::bind(directory.path().join("stale")).unwrap());
    assert!(connect("stale").details().message.ends_with(": nobody listens there"));
    let long = connect(&"x".repeat(200));
    assert!(long.details().message.ends_with(": the path is longer than a socket's may be"));
}

#[test]
fn a_client_that_dies_in_a_call_leaves_nothing() {
    let fixture = Fixture::plain();
    let transport = fixture.connect();
    let root: Portal = transport.root();
    let opened = BoxClient(root.clone()).open("x").unwrap();
    let waiting = {
        let client = BoxClient(root.clone());
        let transport = Arc::clone(&transport);
        std::thread::spawn(move || {
            let result = client.wait();
            drop((client, transport));
            result
        })
    };
    fixture.world.wait_for_waiting(1);
    fixture.world.open_gate();
    assert_eq!(waiting.join().unwrap(), Ok(()));
    drop((root, transport, opened));
    until("the session is gone", || fixture.sessions() == 0 && fixture.world.live() == 0);
}
