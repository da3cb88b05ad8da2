//! The whole language through a relay, and a service behind one that lies.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::{Area, Areas, Call, Caller, Failure, Kind, Object, Ref};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::portal::{Block, Portal};
use carnet_portal::relay::{relay, root};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::{CallError, Interface as _};

use super::hostile::liar;
use super::whole::*;
use super::{Promised, Told, exercise, tree};

/// What a service of another process is to whoever has it from a process between: all the same.
#[test]
fn through_relays() {
    let directory = tempfile::tempdir().unwrap();
    let address = Address::Unix(directory.path().join("s"));
    let told = Arc::default();
    let served = Arc::clone(&told);
    let server =
        Server::listen(&address, ServerOptions::default(), move |_: &Caller| Ok(tree(&served))).unwrap();
    exercise(
        &relayed(RemoteSession::connect(&address, ConnectOptions::default()).unwrap().root()),
        &told,
        Promised::Exactly,
    );
    // Two, the second of which is in another session again.
    let between = Address::Unix(directory.path().join("between"));
    let roots = move |_: &Caller| {
        let address = address.clone();
        let connect = move || Ok(RemoteSession::connect(&address, ConnectOptions::default())?.root());
        Ok(Capability::new(root(connect, module(), Leaf::ID)))
    };
    let relaying = Server::listen(&between, ServerOptions::default(), roots).unwrap();
    told.sum.store(0, Ordering::Relaxed);
    told.texts.store(0, Ordering::Relaxed);
    let transport = RemoteSession::connect(&between, ConnectOptions::default()).unwrap();
    let leaf = Leaf::from_portal(transport.root());
    exercise(&leaf, &told, Promised::Exactly);
    relaying.shutdown(Instant::now() + Duration::from_secs(10));
    server.shutdown(Instant::now() + Duration::from_secs(10));
    assert!(matches!(leaf.height().unwrap_err().kind(), Kind::PeerDied | Kind::Refused | Kind::Unreachable));
}

/// A portal that is handed over must be on an object of the same session there.
#[test]
fn a_relay_passes_its_own_portals_on_and_no_others() {
    let quiet = || liar(|_| Ok(())).portal().clone();
    let (op, operation) = module().interfaces[Leaf::ID.index()].operation("link").unwrap();
    let object = relay(quiet(), module(), Leaf::ID);
    let handing = |portal: Arc<dyn Object>| {
        let (mut words, mut made) = (vec![0; operation.layout.words()], vec![]);
        let mut areas = Areas { list: vec![Area::default(), Area::default()] };
        let (portals, caller) = ([Some(Capability::new(portal))], Caller::local());
        let mut call = Call {
            words: &mut words,
            areas: &mut areas,
            portals: &portals,
            made: &mut made,
            caller: &caller,
        };
        object.dispatch(op, &mut call).unwrap_err()
    };
    for stranger in [relay(quiet(), module(), Leaf::ID), Arc::clone(tree(&Arc::default()).object())] {
        let failure = handing(stranger);
        assert_eq!(failure.kind(), Kind::BadArgument);
        assert!(failure.details().message.contains("does not have"), "{failure}");
    }
    // Its own goes through, and what the liar gives back has no portal.
    assert_eq!(handing(Arc::clone(&object)).kind(), Kind::Service);
}

/// Who calls it by a relay's object, as programs do, is told what became of a call that nobody else waits for.
#[test]
fn a_relay_knows_what_became_of_a_oneway_call() {
    let directory = tempfile::tempdir().unwrap();
    let address = Address::Unix(directory.path().join("s"));
    let told: Arc<Told> = Arc::default();
    let served = Arc::clone(&told);
    let server =
        Server::listen(&address, ServerOptions::default(), move |_: &Caller| Ok(tree(&served))).unwrap();
    let portal = RemoteSession::connect(&address, ConnectOptions::default()).unwrap().root();
    let object = relay(portal, module(), Leaf::ID);
    let (op, operation) = module().interfaces[Leaf::ID.index()].operation("tell").unwrap();
    assert!(operation.oneway);
    let tell = |a: i64| {
        let mut words = [a.cast_unsigned(), Ref::new(0, 0, 4).unwrap().0];
        let mut areas = Areas { list: vec![Area { bytes: b"text".to_vec(), ..Area::default() }] };
        let (mut made, caller) = (vec![], Caller::local());
        let mut call =
            Call { words: &mut words, areas: &mut areas, portals: &[], made: &mut made, caller: &caller };
        object.dispatch(op, &mut call).map_err(|failure| failure.kind())
    };
    for sum in 1..=100 {
        assert_eq!(tell(1), Ok(()));
        assert_eq!(told.sum.load(Ordering::Relaxed), sum, "it is done when the relay says so");
    }
    assert_eq!(tell(-1), Err(Kind::Service));
    server.shutdown(Instant::now() + Duration::from_secs(10));
    for _ in 0..3 {
        assert!(matches!(tell(1), Err(Kind::Revoked | Kind::PeerDied | Kind::Unreachable | Kind::Refused)));
    }
    assert_eq!(told.sum.load(Ordering::Relaxed), 99);
}

/// The object of a portal, in a session of this process.
fn relayed(portal: Portal) -> Leaf {
    let root = Capability::new(relay(portal, module(), Leaf::ID));
    Leaf::from_portal(LocalSession::new(root, Caller::local()).root())
}

/// Values that no generated service sends do not come through a relay, for programs take them as they are.
#[test]
fn a_relay_takes_nothing_that_is_not_of_its_type() {
    let lying = |answer: fn(&mut Block<'_>)| {
        relayed(
            liar(move |block| {
                answer(block);
                Ok(())
            })
            .portal()
            .clone(),
        )
    };
    let failures = [
        lying(|block| block.words[0] = 1 << 40).height().unwrap_err(),
        lying(|block| block.words[0] = u64::MAX << 31 ^ 1 << 63).height().unwrap_err(),
        lying(|block| *block.words.last_mut().unwrap() = 256).letter(0, &[]).unwrap_err(),
        lying(|block| *block.words.last_mut().unwrap() = 9).kind(LeafKind::Brown, &[]).unwrap_err(),
        lying(|block| block.outputs[0].bytes = b"a\0b".to_vec()).name().map_err(failure_of).unwrap_err(),
        lying(|block| block.outputs[0].words = vec![3, 0]).links(&[]).unwrap_err(),
        lying(|block| block.outputs[0].words = vec![7]).nodes(&[]).unwrap_err(),
    ];
    for failure in failures {
        assert_eq!(failure.kind(), Kind::Service, "{failure}");
    }
    let raising = |failure: Failure| relayed(liar(move |_| Err(failure.clone())).portal().clone());
    for failure in [Failure::raised(2, String::new()), Failure::raised_members(0, vec![], String::new())] {
        let met = raising(failure).name().map_err(failure_of).unwrap_err();
        assert_eq!(met.kind(), Kind::Service, "{met}");
    }
    let met = raising(Failure::raised(0, String::new())).height().unwrap_err();
    assert_eq!(met.kind(), Kind::Service, "it raises nothing");
}

fn failure_of<E>(error: CallError<E>) -> Failure {
    match error {
        CallError::Failed(failure) => failure,
        CallError::Raised(_) => panic!("it was raised"),
    }
}
