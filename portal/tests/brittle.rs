//! Objects that panic at their ends, several at once: each alone, and nothing else ends by it.

mod support;

use std::io::Write;
use std::sync::Arc;

use carnet_portal::call::{Caller, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::server::ServerOptions;
use carnet_portal::session::ServerLimits;
use support::{BoxClient, Fixture, World, kind_of, raw, until};

#[test]
fn those_that_a_client_held_when_it_went() {
    let fixture = Fixture::plain();
    let mut gone = fixture.raw();
    gone.write_all(&[raw::hello(), raw::open(1, b"brittle"), raw::open(2, b"brittle")].concat()).unwrap();
    until("it holds the root and two more", || fixture.world.live() == 3);
    drop(gone);
    until("all have ended", || fixture.world.live() == 0);
    assert_eq!(fixture.client().add(1, 2), Ok(3));
}

#[test]
fn those_that_a_call_made_that_failed() {
    let fixture = Fixture::plain();
    let client = fixture.client();
    assert_eq!(kind_of(client.open("brittle pair, made in vain")), Some(Kind::Service));
    assert_eq!((client.add(1, 2), fixture.world.live()), (Ok(3), 1));
}

#[test]
fn those_for_which_there_is_no_room() {
    // One that the call is to make has none, or the other that it makes as well.
    for (portals_max, kind) in [(1, Kind::Refused), (2, Kind::Service)] {
        let limits = ServerLimits { portals_max, ..ServerLimits::default() };
        let fixture = Fixture::new(ServerOptions { limits, ..ServerOptions::default() });
        let client = fixture.client();
        assert_eq!(kind_of(client.open("brittle pair")), Some(kind));
        assert_eq!((client.add(1, 2), fixture.world.live()), (Ok(3), 1));
    }
}

#[test]
fn those_of_the_same_process() {
    let world = World::new();
    let session = LocalSession::new(Capability::new(world.root()), Caller::local());
    let client = BoxClient(session.root());
    assert_eq!(kind_of(client.open("brittle pair, made in vain")), Some(Kind::Service));
    assert_eq!((client.add(1, 2), world.live()), (Ok(3), 1));
    // Of a pair, the client takes one.
    let pair = [client.open("brittle pair").unwrap(), client.open("brittle pair").unwrap()];
    drop((pair, client));
    assert_eq!(Arc::strong_count(&session), 1);
    drop(session);
    assert_eq!(world.live(), 0);
}
