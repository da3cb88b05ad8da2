//! What was deferred, delivered to real servers that are killed, forget, or want an approval.

use carnet_portal::call::{Failure, Kind};
use carnet_program::bill::{Bill, bill};
use carnet_program::client::{Asked, Client};
use carnet_program::deferred::{Bounds, Deferred, Held, Piece, State, Way};
use carnet_program::host::{Confirm, Policy};
use carnet_program::limits::Limits;
use carnet_program::protocol::{
    Argument, BillAnswer, End, Memory, Outcome, ResumeRequest, RunId, RunRequest, encode_arguments,
};
use carnet_program::verify::{Registry, load};
use tempfile::TempDir;

use super::probe::{Fixture, MODULE, program};
use super::restart::{copied, directory};

const ADDS: &str = "program adds(p: Probe, n: int) -> int { return p.add(n) }";
const WRONG: &str =
    "program wrong(p: Probe) { let n = p.add(1)\n if n > 0 { fail \"it was there before\" } }";

fn billed(bytes: &[u8]) -> Bill {
    let loaded = load(bytes, &Registry::new(&[&MODULE])).expect("it is verified");
    bill(bytes, &loaded, &Limits::UNLIMITED)
}

fn piece(id: u128, source: &str, numbers: &[i64]) -> Piece {
    let bytes = program(source);
    let numbers = numbers.iter().map(|n| Argument::Scalar(*n));
    let arguments: Vec<Argument<'_>> = std::iter::once(Argument::Named(b"me")).chain(numbers).collect();
    let (arguments, name) = (encode_arguments(&arguments), format!("r-{id}"));
    Piece::new((RunId(id), &name), source, &bytes, &arguments, &billed(&bytes), true)
}

fn opened(dir: &TempDir) -> Deferred {
    Deferred::open(dir.path(), Bounds::default()).expect("it is as it was left")
}

fn state(deferred: &Deferred, number: u64) -> State {
    deferred.entries().iter().find(|entry| entry.number == number).expect("it is there").state
}

/// Delivers all to a server, of which nothing holds up the rest.
fn delivered(deferred: &mut Deferred, client: &Client) -> usize {
    let ended = deferred.deliver(&mut &*client, &mut |_| {}).expect("it is written down");
    assert!(ended.held.is_none(), "{:?}", ended.held);
    ended.delivered
}

/// The answer of the next run never comes.
struct Lossy<'a>(&'a Client, bool);

impl Way for Lossy<'_> {
    fn memory(&mut self) -> Result<Memory, Failure> {
        Way::memory(&mut self.0)
    }

    fn ask(&mut self, id: RunId) -> Result<Asked, Failure> {
        self.0.ask(id)
    }

    fn bill(&mut self, request: &RunRequest<'_>) -> Result<BillAnswer, Failure> {
        self.0.bill(request)
    }

    fn run(&mut self, request: &RunRequest<'_>) -> Result<Outcome, Failure> {
        let outcome = Way::run(&mut self.0, request);
        if std::mem::take(&mut self.1) { Err(Failure::new(Kind::PeerDied, "lost")) } else { outcome }
    }

    fn resume(&mut self, request: &ResumeRequest) -> Result<Outcome, Failure> {
        Way::resume(&mut self.0, request)
    }
}

/// Sends the first, whose answer is lost.
fn sent(deferred: &mut Deferred, client: &Client) {
    let ended = deferred.deliver(&mut Lossy(client, true), &mut |_| {}).expect("it is written down");
    assert!(matches!(ended.held, Some(Held::Lost(_))), "{:?}", ended.held);
}

#[test]
fn what_was_deferred_is_delivered_in_order_and_once() {
    let (fixture, dir) = (Fixture::new(Policy::default()), directory());
    let mut deferred = opened(&dir);
    for n in 1..=3 {
        deferred.add(piece(n, ADDS, &[i64::try_from(n).expect("small")]), None).expect("there is room");
    }
    let client = fixture.client();
    sent(&mut deferred, &client);
    assert_eq!(fixture.probe.writes(), 1, "it ran, and nobody heard of it");
    drop(deferred);
    let mut deferred = opened(&dir);
    assert!(matches!(state(&deferred, 1), State::Sent(_)));
    assert_eq!(delivered(&mut deferred, &fixture.client()), 3);
    assert_eq!(fixture.probe.writes(), 3);
    let ends: Vec<_> = deferred
        .entries()
        .iter()
        .map(|entry| entry.told.program.as_ref().map(|outcome| outcome.end.clone()))
        .collect();
    assert_eq!(ends, vec![Some(End::Done); 3]);
    assert_eq!(delivered(&mut deferred, &client), 0, "there is nothing left");
}

/// The next server has the outcome, or knows that there was none.
#[test]
fn a_server_that_was_killed_does_not_make_anything_run_twice() {
    let (dir, state_dir) = (directory(), directory());
    let first = Fixture::journalled(Policy::default(), state_dir.path());
    let mut deferred = opened(&dir);
    deferred.add(piece(1, ADDS, &[1]), None).expect("there is room");
    deferred.add(piece(2, ADDS, &[2]), None).expect("there is room");
    sent(&mut deferred, &first.client());
    let killed = copied(state_dir.path());
    let second = Fixture::journalled(Policy::default(), killed.path());
    assert_eq!(delivered(&mut deferred, &second.client()), 2);
    assert_eq!((first.probe.writes(), second.probe.writes()), (1, 1));

    // One that was written down as sent, and never came to the server.
    let third = deferred.add(piece(3, ADDS, &[3]), None).expect("there is room");
    let client = second.client();
    let mut nowhere = Nowhere(Lossy(&client, false));
    let ended = deferred.deliver(&mut nowhere, &mut |_| {}).expect("it is written down");
    assert!(matches!(ended.held, Some(Held::Lost(_))));
    assert!(matches!(state(&deferred, third), State::Sent(_)));
    let again = copied(killed.path());
    let fourth = Fixture::journalled(Policy::default(), again.path());
    assert_eq!(delivered(&mut deferred, &fourth.client()), 1);
    assert_eq!(fourth.probe.writes(), 1, "the server knows that it never began");
}

/// No run comes to the server.
struct Nowhere<'a>(Lossy<'a>);

impl Way for Nowhere<'_> {
    fn memory(&mut self) -> Result<Memory, Failure> {
        self.0.memory()
    }

    fn ask(&mut self, id: RunId) -> Result<Asked, Failure> {
        self.0.ask(id)
    }

    fn bill(&mut self, request: &RunRequest<'_>) -> Result<BillAnswer, Failure> {
        self.0.bill(request)
    }

    fn run(&mut self, _: &RunRequest<'_>) -> Result<Outcome, Failure> {
        Err(Failure::new(Kind::PeerDied, "lost"))
    }

    fn resume(&mut self, request: &ResumeRequest) -> Result<Outcome, Failure> {
        self.0.resume(request)
    }
}

/// It remembers two outcomes; whatever it cannot remember is nobody's to repeat.
#[test]
fn what_a_server_may_have_forgotten_is_in_doubt_and_nothing_else() {
    let (fixture, dir) = (Fixture::new(Policy { stored_max: 2, ..Policy::default() }), directory());
    let client = fixture.client();
    let mut deferred = opened(&dir);
    deferred.add(piece(1, ADDS, &[1]), None).expect("there is room");
    deferred
        .add(piece(2, "program reads(p: Probe) -> int { return p.get(1, 2, 3) }", &[]), None)
        .expect("room");
    sent(&mut deferred, &client);
    for id in 100..103 {
        let other = piece(id, ADDS, &[1]);
        let mut others = opened(&directory());
        others.add(other, None).expect("there is room");
        delivered(&mut others, &client);
    }
    let ended = deferred.deliver(&mut &client, &mut |_| {}).expect("it is written down");
    assert!(matches!(ended.held, Some(Held::InDoubt)), "{:?}", ended.held);
    assert_eq!(state(&deferred, 1), State::InDoubt);
    let writes = fixture.probe.writes();
    // The user has looked, and wants it to run.
    deferred
        .again(1, [(RunId(11), "r-11".to_owned()), (RunId(12), "r-12".to_owned())])
        .expect("it is in doubt");
    assert_eq!(delivered(&mut deferred, &client), 2);
    assert_eq!(fixture.probe.writes(), writes + 1);

    // Of a server that has forgotten all, what only reads is asked for again.
    deferred
        .add(piece(3, "program reads(p: Probe) -> int { return p.get(1, 2, 3) }", &[]), None)
        .expect("room");
    sent(&mut deferred, &client);
    assert_eq!(delivered(&mut deferred, &Fixture::new(Policy::default()).client()), 1);
}

#[test]
fn a_conflict_is_for_its_resolver_or_for_the_user() {
    let (fixture, dir) = (Fixture::new(Policy::default()), directory());
    let client = fixture.client();
    let mut deferred = opened(&dir);
    deferred.add(piece(1, ADDS, &[0]), Some(piece(51, ADDS, &[0]))).expect("there is room");
    deferred.add(piece(2, WRONG, &[]), Some(piece(52, ADDS, &[7]))).expect("there is room");
    deferred.add(piece(3, WRONG, &[]), Some(piece(53, WRONG, &[]))).expect("there is room");
    deferred.add(piece(4, ADDS, &[0]), None).expect("there is room");
    sent(&mut deferred, &client);
    let ended = deferred.deliver(&mut &client, &mut |_| {}).expect("it is written down");
    assert_eq!(ended.delivered, 2);
    assert!(matches!(ended.held, Some(Held::Conflict)), "{:?}", ended.held);
    let solved = &deferred.entries()[1].told;
    assert!(matches!(solved.program.as_ref().map(|outcome| &outcome.end), Some(End::Failed(_))));
    assert_eq!(solved.resolver.as_ref().map(|outcome| outcome.end.clone()), Some(End::Done));
    let writes = fixture.probe.writes();
    let ended = deferred.deliver(&mut &client, &mut |_| {}).expect("it is written down");
    assert!(matches!(ended.held, Some(Held::Conflict)), "it waits for a decision");
    assert_eq!(fixture.probe.writes(), writes, "and nothing runs meanwhile");
    deferred.withdraw(3).expect("it is open");
    assert_eq!(delivered(&mut deferred, &client), 1);
}

#[test]
fn what_was_approved_covers_a_bill_that_has_no_more() {
    let policy = Policy { confirm: Confirm::Writes, ..Policy::default() };
    let (fixture, dir) = (Fixture::new(policy), directory());
    let client = fixture.client();
    let mut deferred = opened(&dir);
    deferred.add(piece(1, ADDS, &[1]), None).expect("there is room");
    assert_eq!(delivered(&mut deferred, &client), 1);
    let none = Piece { approved: None, ..piece(2, ADDS, &[1]) };
    let less = piece(3, ADDS, &[1]);
    let mut approved = less.approved.clone().expect("it is approved");
    approved.bounds[3] -= 1;
    for (number, piece) in [none, Piece { approved: Some(approved), ..less }].into_iter().enumerate() {
        let number = number as u64 + 2;
        deferred.add(piece, None).expect("there is room");
        let ended = deferred.deliver(&mut &client, &mut |_| {}).expect("it is written down");
        assert!(matches!(ended.held, Some(Held::NotApproved(_))), "{number}: {:?}", ended.held);
        assert_eq!(state(&deferred, number), State::Pending);
        deferred.withdraw(number).expect("it is open");
    }
    assert_eq!(fixture.probe.writes(), 1);
}
