//! Calls over both transports: the same object, the same answers.

mod support;

use std::sync::Arc;

use carnet_portal::call::{Caller, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use support::{BoxClient, Fixture, World, kind_of, op, until};

/// Everything that a call can carry, both ways.
fn exercise(client: &BoxClient) {
    assert_eq!(client.add(40, 2).unwrap(), 42);
    assert_eq!(client.echo(b"").unwrap(), b"");
    assert_eq!(client.echo(b"hello").unwrap(), b"hello");
    let long: Vec<u8> = (0..1_000_000_u32).map(|i| (i / 7) as u8).collect();
    assert_eq!(client.echo(&long).unwrap(), long);
    assert_eq!(client.turn(b"abc", 7).unwrap(), (b"cba".to_vec(), -7));
    assert_eq!(client.reverse(&["one", "", "three"]).unwrap(), ["three", "", "one"]);
    assert!(client.reverse(&[]).unwrap().is_empty());
    let opened = client.open("a label").unwrap();
    assert_eq!(client.label_of(&opened).unwrap(), "a label");
    assert_eq!(opened.label_of(client).unwrap(), "root");
    let raised = client.fail(3);
    assert_eq!((raised.kind(), raised.details().raised), (Kind::Raised, 3));
    assert_eq!(raised.details().message, "as you wished");
    let panicked = client.plain(op::PANIC, &mut []).unwrap_err();
    assert_eq!(panicked.kind(), Kind::Internal);
    assert_eq!(panicked.details().message, "the service panicked in panic: the box is broken");
    assert_eq!(kind_of(client.plain(op::TOO_MUCH, &mut [0])), Some(Kind::Service));
    assert_eq!(client.add(1, 1).unwrap(), 2, "the session goes on after failures");
}

#[test]
fn over_a_socket() {
    let fixture = Fixture::plain();
    exercise(&fixture.client());
}

#[test]
fn in_the_same_thread() {
    let world = World::new();
    let session = LocalSession::new(Capability::new(world.root()), Caller::local());
    exercise(&BoxClient(session.root()));
    assert_eq!(session.portals(), 1);
    drop(session);
    assert_eq!(world.live(), 0);
}

#[test]
fn a_dropped_portal_ends_its_object() {
    let fixture = Fixture::plain();
    let client = fixture.client();
    let opened = client.open("x").unwrap();
    assert_eq!(fixture.world.live(), 2);
    drop(opened);
    until("the service learns of the release", || fixture.world.live() == 1);
}

#[test]
fn the_same_object_keeps_its_number() {
    let fixture = Fixture::plain();
    let client = fixture.client();
    let opened = client.open("x").unwrap();
    let again = opened.me().unwrap();
    assert_eq!(opened.0.id(), again.0.id());
    drop(opened);
    assert_eq!(client.label_of(&again).unwrap(), "x");
    assert_eq!(client.me().unwrap().0.id(), client.0.id());
    drop(again);
    until("both receipts are back", || fixture.world.live() == 1);
}

#[test]
fn threads_share_a_connection() {
    let fixture = Fixture::plain();
    let client = Arc::new(fixture.client());
    let threads: Vec<_> = (0..4_u64)
        .map(|thread| {
            let client = Arc::clone(&client);
            std::thread::spawn(move || {
                for i in 0..500 {
                    assert_eq!(client.add(thread << 32, i).unwrap(), thread << 32 | i);
                    if i % 50 == 0 {
                        let bytes = vec![thread as u8; 100_000];
                        assert_eq!(client.echo(&bytes).unwrap(), bytes);
                    }
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
