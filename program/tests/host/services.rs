//! Services beside the one of a session: a client is told of them, and calls them one by one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use carnet_idl::descriptor::InterfaceId;
use carnet_portal::call::{Failure, Kind};
use carnet_portal::portal::{Block, OpNumber, Portal};
use carnet_program::host::{Beside, NotToldApart, OnlyInstalled, Policy, RootBeside, ServiceName};

use super::probe::{Fixture, MODULE};

/// Calls `add(1)`.
fn add(portal: &Portal) -> Result<u64, Failure> {
    let mut words = [1, 0];
    let mut block =
        Block { words: &mut words, inputs: &[], outputs: &mut [], portals: &[], made: Vec::new() };
    let (op, _) = MODULE.interfaces[0].operation("add").expect("it has it");
    portal.call(OpNumber { module: &MODULE, interface: InterfaceId(0), op }, &mut block)?;
    Ok(words[1])
}

fn named(name: &str, root: RootBeside) -> Beside {
    Beside { name: ServiceName::new(name), root }
}

#[test]
fn a_client_is_told_of_the_services_beside() {
    let alone = Fixture::new(Policy::default());
    assert!(alone.client().services().expect("the server answers").is_empty());
    let (fixture, far, own) =
        (Fixture::new(Policy::default()), Fixture::new(Policy::default()), Fixture::new(Policy::default()));
    let (root, made) = (own.root(), Arc::new(AtomicU64::new(0)));
    let counted = Arc::clone(&made);
    let each = RootBeside::Each {
        module: &MODULE,
        root: Box::new(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            Ok(root.clone())
        }),
    };
    let beside = vec![named("far", RootBeside::Shared(far.root())), named("own", each)];
    fixture.programs.also(beside).expect("they have names");
    let client = fixture.client();
    let services = client.services().expect("the server answers");
    let told: Vec<_> = services.iter().map(|(info, _)| (&*info.name, info.root)).collect();
    assert_eq!(told, [("far", 0), ("own", 0)]);
    for (info, _) in &services {
        assert_eq!(carnet_idl::decode(&info.module).expect("a module"), *MODULE);
    }
    for (_, root) in &services {
        add(root).expect("it is called");
    }
    assert_eq!((far.probe.writes(), own.probe.writes(), fixture.probe.writes()), (1, 1, 0));
    // Who asks again is given the same ones: nothing piles up, and a session has one of each.
    for _ in 0..100 {
        assert_eq!(client.services().expect("the server answers").len(), 2);
    }
    assert_eq!(made.load(Ordering::SeqCst), 1);
    drop(services);
    let (_, root) = client.services().expect("the server answers").remove(0);
    add(&root).expect("it is called");
    assert_eq!(far.probe.writes(), 2);
}

#[test]
fn a_service_beside_that_is_not_there_is_told_of() {
    let fixture = Fixture::new(Policy::default());
    let breaks = RootBeside::Each { module: &MODULE, root: Box::new(|_| panic!("it broke")) };
    fixture.programs.also(vec![named("own", breaks)]).expect("it has a name");
    let client = fixture.client();
    for _ in 0..2 {
        let failure = client.services().expect_err("it is not there");
        assert!(failure.details().message.contains("broke off"), "{failure}");
    }
    let fixture = Fixture::new(Policy::default());
    let gone = RootBeside::Each {
        module: &MODULE,
        root: Box::new(|_| Err(Failure::new(Kind::PeerDied, "it is gone"))),
    };
    fixture.programs.also(vec![named("own", gone)]).expect("it has a name");
    let failure = fixture.client().services().expect_err("it is not there");
    assert_eq!((failure.kind(), &*failure.details().message), (Kind::PeerDied, "it is gone"));
}

/// They go to a client in one message, with a portal on each.
#[test]
fn there_are_no_more_services_than_a_message_names() {
    let beside = |count: usize| -> Vec<Beside> {
        let far = Fixture::new(Policy::default());
        (0..count).map(|n| named(&format!("n{n}"), RootBeside::Shared(far.root()))).collect()
    };
    let fixture = Fixture::new(Policy::default());
    let refused = fixture.programs.also(beside(Beside::MAX + 1));
    assert_eq!(refused, Err(NotToldApart::TooMany(256)));
    fixture.programs.also(beside(Beside::MAX)).expect("a client can be told of them");
    let client = fixture.client();
    assert_eq!(client.services().expect("the server answers").len(), Beside::MAX);
}

/// Whoever makes no single calls of the first makes none of the others.
#[test]
fn who_makes_no_single_calls_makes_none_of_those_beside() {
    let policy = Policy { only_installed: OnlyInstalled::Everybody, ..Policy::default() };
    let (fixture, far) = (Fixture::new(policy), Fixture::new(Policy::default()));
    let beside = vec![named("far", RootBeside::Shared(far.root()))];
    fixture.programs.also(beside).expect("it has a name");
    let client = fixture.client();
    for (_, root) in client.services().expect("the server answers") {
        let failure = add(&root).expect_err("none is made");
        assert_eq!(failure.kind(), Kind::Refused);
    }
    assert_eq!(far.probe.writes(), 0);
}
