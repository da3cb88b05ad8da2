//! A relay says whom it has a session for, and has no more sessions than the service behind lets it have, divided among its clients.

mod support;

#[path = "support/in_c.rs"]
mod in_c;
#[path = "support/server_in_c.rs"]
mod server_in_c;

use std::os::unix::net::UnixListener;
use std::sync::{Arc, Mutex};
use std::thread;

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure, Kind, Label, Origin};
use carnet_portal::capability::Capability;
use carnet_portal::relay::Sessions;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions, Threads};
use carnet_portal::wire::{HEADER_BYTES, kind};
use server_in_c::ServerInC;
use support::by_hand::{By, ByHand, reply};
use support::{BoxClient, Fixture, World, afar, kind_of, until};

#[allow(dead_code, reason = "a server in C is all that is wanted of it")]
mod sharing {
    include!("../../idl/tests/cases/modules/sharing.rs");
}

const ONE: Label = Label { principal: 1, process: 2 };

fn connect(address: &Address) -> Arc<RemoteSession> {
    RemoteSession::connect(address, ConnectOptions::default()).unwrap()
}

fn of_process(principal: &str, process: i32) -> Caller {
    Caller { origin: Origin::Process(process), ..Caller::of(principal, 1) }
}

/// Who has a session's caller since it began knows what was said later.
#[test]
fn a_label_is_said_once_and_known_to_all_who_have_the_caller() {
    let (world, callers) = (World::new(), Arc::new(Mutex::new(Vec::new())));
    let (made, told) = (Arc::clone(&world), Arc::clone(&callers));
    let fixture = Fixture::with_roots(ServerOptions::default(), world, move |caller: &Caller| {
        told.lock().unwrap().push(caller.clone());
        Ok(Capability::new(made.root()))
    });
    let session = fixture.connect();
    let client = BoxClient(session.root());
    assert_eq!(client.add(1, 2), Ok(3));
    let label = |at: usize| callers.lock().unwrap()[at].label.get();
    assert_eq!(label(0), None);
    assert_eq!(session.relays_for(None), Ok(144));
    assert_eq!(label(0), None);
    for _ in 0..2 {
        assert_eq!(session.relays_for(Some(ONE)), Ok(144));
        assert_eq!(label(0), Some(ONE));
    }
    assert_eq!(client.add(1, 2), Ok(3));
    assert_eq!(kind_of(session.relays_for(Some(Label { process: 3, ..ONE }))), Some(Kind::Protocol));
    assert_eq!(label(0), Some(ONE));
    assert!(client.add(1, 2).is_err(), "its session is over");
    let other = fixture.client();
    assert_eq!(other.add(1, 2), Ok(3));
    assert_eq!(label(1), None, "sessions are told apart");
}

#[test]
fn a_label_of_another_length_ends_the_session() {
    let fixture = Fixture::plain();
    for len in [1, 8, 15, 17, 64] {
        let mut raw = fixture.raw();
        let body = vec![0; len];
        let frames =
            [support::raw::hello(), support::raw::frame(kind::RELAYED, &[], 0, 0, 1, &body)].concat();
        std::io::Write::write_all(&mut raw, &frames).unwrap();
        let mut answer = Vec::new();
        std::io::Read::read_to_end(&mut raw, &mut answer).unwrap();
        let replies = support::raw::replies(&answer);
        assert_eq!(replies.len(), 1);
        assert_eq!((replies[0].0.call, replies[0].0.status), (0, Kind::Protocol as u16), "{len}");
    }
}

#[test]
fn a_server_says_how_many_sessions_a_process_may_have() {
    let mut options = ServerOptions::default();
    options.limits.sessions_per_process_max = 5;
    options.limits.sessions_per_principal_max = 7;
    let fixture = Fixture::new(options.clone());
    assert_eq!(fixture.connect().relays_for(None), Ok(5));
    // One loop waits for fewer clients that share memory than it may have sessions.
    let directory = tempfile::tempdir().unwrap();
    let world = World::new();
    let roots = move |_: &Caller| Ok(Capability::new(world.root()));
    let socket = Address::Unix(directory.path().join("s"));
    let of_loop = ServerOptions { threads: Threads::Loop, ..ServerOptions::default() };
    let _server = Server::listen(&socket, of_loop, roots.clone()).unwrap();
    assert_eq!(connect(&socket).relays_for(None), Ok(144));
    assert_eq!(connect(&Address::Shared(directory.path().join("s"))).relays_for(None), Ok(64));
    // From afar a principal stands for a process, and an address has a bound.
    for (of_address, expected) in [(9, 7), (3, 3)] {
        let limits = carnet_portal::door::DoorLimits { sessions_per_address_max: of_address, ..afar::many() };
        let (door, credentials) = afar::door(directory.path(), limits);
        let options = ServerOptions { door: Some(door), ..options.clone() };
        let server = Server::listen(&afar::anywhere(), options, roots.clone()).unwrap();
        let session =
            RemoteSession::connect_as(&server.address(), ConnectOptions::default(), &credentials).unwrap();
        assert_eq!(session.relays_for(Some(ONE)), Ok(expected));
    }
}

#[test]
fn a_server_in_c_says_it_too() {
    let options = [
        "-DCARNET_STUBS=\"sharing.h\"",
        "-DCARNET_ROOT=sharing_Taker",
        "-DCARNET_CLIENTS_MAX=32",
        "carnet_main.c",
    ];
    for program in in_c::built("relays", sharing::module(), &["sharing_server"], &options) {
        let server = ServerInC::start(&program);
        for way in [Address::Unix, Address::Shared] {
            let session = connect(&way(server.path.clone()));
            assert_eq!(session.relays_for(None), Ok(24));
            assert_eq!(session.relays_for(Some(ONE)), Ok(24));
            assert!(session.describe().is_ok());
        }
    }
}

/// One process has what it may, and all of its principal have what that may: others have the rest.
#[test]
fn sessions_behind_a_relay_are_divided_among_its_clients() {
    let mut options = ServerOptions::default();
    options.limits.sessions_per_process_max = 8;
    let fixture = Fixture::new(options);
    let sessions = Sessions::new(fixture.connect().relays_for(None).unwrap());
    until("who asked is gone", || fixture.sessions() == 0);
    let begin = |caller: &Caller| {
        let session = sessions.begin(caller, || Ok(fixture.connect()))?;
        BoxClient(session.root()).add(1, 2).map(|sum| assert_eq!(sum, 3))?;
        Ok::<_, Failure>(session)
    };
    let (hog, same, other) = (of_process("ann", 1), of_process("ann", 2), Caller::of("bob", 1));
    let refused = |caller: &Caller| {
        let failure = begin(caller).unwrap_err();
        assert_eq!(failure.kind(), Kind::Refused);
        failure.details().message.clone()
    };
    let rest = "sessions with the service behind, as many as";
    let mut held: Vec<_> = (0..4).map(|_| begin(&hog).unwrap()).collect();
    assert_eq!(refused(&hog), format!("this process has 4 {rest} it may; end one first"));
    held.extend((0..2).map(|_| begin(&same).unwrap()));
    assert_eq!(refused(&same), format!("your sessions have 6 {rest} they may; end one first"));
    held.extend((0..2).map(|_| begin(&other).unwrap()));
    assert_eq!(refused(&other), format!("this relay has 8 {rest} it may; end one first"));
    held.truncate(1);
    until("others are gone", || fixture.sessions() == 1);
    assert_eq!(sessions.taken(), 1);
    drop(begin(&same).unwrap());
    // One that is dead counts no more, though somebody has it.
    drop(fixture);
    assert!(BoxClient(held[0].root()).add(1, 2).is_err());
    assert_eq!(sessions.taken(), 0);
}

/// What a client says that its sessions are for makes it no other: it would have a share for each that it makes up.
#[test]
fn whom_a_client_says_that_it_is_for_is_not_passed_on() {
    let (world, labels) = (World::new(), Arc::new(Mutex::new(Vec::new())));
    let (made, told) = (Arc::clone(&world), Arc::clone(&labels));
    let fixture = Fixture::with_roots(ServerOptions::default(), world, move |caller: &Caller| {
        told.lock().unwrap().push(caller.label.clone());
        Ok(Capability::new(made.root()))
    });
    let sessions = Sessions::new(144);
    let first = of_process("relay", 7);
    let behind = |principal, process| Caller { label: Label { principal, process }.into(), ..first.clone() };
    let callers = [first.clone(), behind(1, 1), behind(1, 2), behind(2, 1), first.clone()];
    let held: Vec<_> =
        callers.iter().map(|caller| sessions.begin(caller, || Ok(fixture.connect())).unwrap()).collect();
    let others = [of_process("relay", 8), of_process("other", 7)];
    let also_held = others.map(|caller| sessions.begin(&caller, || Ok(fixture.connect())).unwrap());
    let labels: Vec<Label> = labels.lock().unwrap().iter().map(|label| label.get().unwrap()).collect();
    let own = labels[0];
    assert_eq!(labels[..5], [own; 5]);
    assert!(labels[5].principal == own.principal && labels[5].process != own.process);
    assert!(labels[6].principal != own.principal && labels[6].process != own.process);
    drop((held, also_held));
}

/// It answers as a server does that knows nothing of labels, and a session with it goes on; or hangs up, and nothing counts.
#[test]
fn a_server_of_an_earlier_version_is_no_less_for_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    let sessions = Sessions::new(4);
    for answer in [Some(Kind::NoSuchOperation), Some(Kind::Refused), Some(Kind::Protocol), None] {
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut server = ByHand::accept(By::Socket, &listener);
                let asked = server.request();
                assert_eq!((asked.kind, asked.len as usize), (kind::RELAYED, HEADER_BYTES + 16));
                let Some(answer) = answer else { return };
                let mut header = reply(HEADER_BYTES, asked.call);
                header.status = answer as u16;
                server.send(&header.encode());
                server.hear_out();
            });
            let begun = sessions.begin(&Caller::local(), || Ok(connect(&Address::Unix(path.clone()))));
            let Some(answer) = answer else {
                let failure = begun.unwrap_err();
                assert_eq!(failure.kind(), Kind::Unreachable, "{failure}");
                return;
            };
            assert!(begun.is_ok(), "{answer:?}");
            assert_eq!(sessions.taken(), 1);
        });
        assert_eq!(sessions.taken(), 0);
    }
}
