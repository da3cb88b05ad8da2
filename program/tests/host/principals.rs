//! Two principals at one server: a run is its principal's own, though another uses the same identity.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use carnet_portal::address::{Address, Place};
use carnet_portal::admission::{Admission, Shown};
use carnet_portal::call::{Failure, Kind};
use carnet_portal::door::{Door, DoorLimits};
use carnet_portal::entry::EntryPoint;
use carnet_portal::fingerprint::Fingerprint;
use carnet_portal::identity::{CertifiedKey, Credentials, Token};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions, Stopped};
use carnet_program::client::{Asked, Client};
use carnet_program::host::Policy;
use carnet_program::limits::Limits;
use carnet_program::protocol::{Argument, End, Refusal, ResumeRequest, RunId, RunRequest};

use super::probe::{Fixture, program, wait_until};
use super::{COUNT, ENDLESS, int, on_root, request, unlimited};

/// Whose tokens these are.
#[derive(Debug)]
struct Tokens([(Token, &'static str); 2]);

impl Admission for Tokens {
    fn by_token(&self, token: &Token, _: IpAddr) -> Result<Arc<str>, Failure> {
        let found = self.0.iter().find(|(known, _)| known.hash() == token.hash());
        found.map(|(_, name)| Arc::from(*name)).ok_or_else(|| Failure::new(Kind::Refused, "a stranger"))
    }

    fn by_key(&self, _: &Fingerprint, _: IpAddr) -> Result<Arc<str>, Failure> {
        Err(Failure::new(Kind::Refused, "a stranger"))
    }

    fn withdrawn(&self, _: &[Shown]) -> Vec<Shown> {
        Vec::new()
    }
}

/// Another way to the programs of the fixture, on which the clients are Alice and Bob.
fn alice_and_bob(fixture: &Fixture) -> (Server, [Client; 2]) {
    let tokens = [0; 2].map(|_| Token::generate().expect("the system has random numbers"));
    let admission = Tokens([(tokens[0].clone(), "alice"), (tokens[1].clone(), "bob")]);
    let key = CertifiedKey::generate().expect("a key");
    let options = ServerOptions {
        name: "probe".into(),
        entry: Some(Arc::clone(&fixture.programs) as Arc<dyn EntryPoint>),
        door: Some(Door::new(&key, Arc::new(admission), DoorLimits::default()).expect("a door")),
        ..ServerOptions::default()
    };
    let root = fixture.root();
    let anywhere = Address::Tcp(Place { host: "127.0.0.1".to_owned(), port: 0 });
    let server = Server::listen(&anywhere, options, move |_| Ok(root.clone())).expect("it listens");
    let clients = tokens.map(|token| {
        let credentials = Credentials::Token(token);
        let session = RemoteSession::connect_as(&server.address(), ConnectOptions::default(), &credentials);
        Client::new(session.expect("the server is there"))
    });
    (server, clients)
}

#[test]
fn nobody_asks_for_cancels_or_joins_the_run_of_another() {
    let fixture = Fixture::new(Policy::default());
    let (_server, [alice, bob]) = alice_and_bob(&fixture);
    let waiting = program("program w(p: Probe) -> int { return p.wait() }");
    let [hers, his] = [&alice, &bob].map(|client| client.transport().root());
    let running = alice.start(&on_root(5, &waiting), &[&hers]).expect("it is sent");
    wait_until(|| fixture.probe.waiting());
    assert_eq!(bob.ask(RunId(5)).expect("the server answers"), Asked::Unknown);
    assert!(!bob.cancel(RunId(5)).expect("the server answers"), "it is not his");
    // The same identity, and his own run.
    let counting = program(COUNT);
    let count = request(5, &counting, vec![Argument::Portal(0), Argument::Scalar(3)]);
    let counted = bob.run(&count, &[&his]).expect("the server answers");
    assert_eq!((&counted.end, int(&counted)), (&End::Done, 3));
    assert_eq!(alice.ask(RunId(5)).expect("the server answers"), Asked::Running);
    fixture.probe.let_go();
    let waited = running.wait(&mut |_| {}).expect("the server answers");
    assert_eq!((&waited.end, int(&waited)), (&End::Done, 7));
    for (client, outcome) in [(&alice, waited), (&bob, counted)] {
        let asked = client.ask(RunId(5)).expect("the server answers");
        assert_eq!(asked, Asked::Ended(Box::new(outcome)));
    }
}

#[test]
fn nobody_lets_the_run_of_another_go_on_or_go() {
    let policy = Policy { limits: Limits { calls: 1, ..Limits::default() }, ..Policy::default() };
    let fixture = Fixture::new(policy);
    let (_server, [alice, bob]) = alice_and_bob(&fixture);
    let bytes = program(COUNT);
    let counting = request(5, &bytes, vec![Argument::Portal(0), Argument::Scalar(2)]);
    let root = alice.transport().root();
    let stopped = alice.run(&RunRequest { name: "hers", ..counting }, &[&root]).expect("the server answers");
    assert_eq!(stopped.kept.map(|kept| kept.stop), Some(1));
    let resume = |client: &Client| {
        let request = ResumeRequest::new(RunId(5), 1);
        client.resume(&request).expect("it is sent").wait(&mut |_| {}).expect("the server answers").end
    };
    assert_eq!(bob.runs().expect("the server answers"), []);
    assert!(!bob.discard(RunId(5)).expect("the server answers"));
    assert_eq!(resume(&bob), End::Refused(Refusal::NotKept));
    assert_eq!(resume(&alice), End::Done);
    assert_eq!(fixture.probe.writes(), 2);
}

/// The same program under the same identity, too.
#[test]
fn two_principals_that_ask_for_the_same_run_have_one_each() {
    let fixture = Fixture::new(Policy::default());
    let (_server, clients) = alice_and_bob(&fixture);
    let bytes = program(COUNT);
    let count = request(5, &bytes, vec![Argument::Portal(0), Argument::Scalar(3)]);
    for client in &clients {
        let root = client.transport().root();
        assert_eq!(client.run(&count, &[&root]).expect("the server answers").end, End::Done);
    }
    assert_eq!(fixture.probe.writes(), 6, "it ran twice");
}

/// Whoever waits in its sessions is told what became of the run; the runs of others go on.
#[test]
fn a_server_that_ends_cancels_what_runs_for_its_sessions_alone() {
    let fixture = Fixture::new(unlimited());
    let (server, [alice, _bob]) = alice_and_bob(&fixture);
    let other = fixture.client();
    let bytes = program(ENDLESS);
    let roots = [&alice, &alice, &other].map(|client| client.transport().root());
    let [first, second, goes_on] = [(&alice, 0), (&alice, 1), (&other, 2)]
        .map(|(client, root)| client.start(&on_root(5, &bytes), &[&roots[root]]).expect("it is sent"));
    // Answered behind what was sent before it.
    alice.status().expect("the server answers");
    assert_eq!(other.status().expect("the server answers").running, 2);
    assert_eq!(server.shutdown(Instant::now()), Stopped::Ended);
    for running in [first, second] {
        assert_eq!(running.wait(&mut |_| {}).expect("the server answers").end, End::Cancelled);
    }
    assert_eq!(other.ask(RunId(5)).expect("the server answers"), Asked::Running);
    assert!(other.cancel(RunId(5)).expect("the server answers"));
    assert_eq!(goes_on.wait(&mut |_| {}).expect("the server answers").end, End::Cancelled);
}
