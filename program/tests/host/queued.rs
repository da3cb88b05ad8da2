//! Runs that no program thread has begun, because a service holds them all: they end like others.

use carnet_program::client::{Asked, Client};
use carnet_program::host::Policy;
use carnet_program::limits::{LimitKind, Limits};
use carnet_program::protocol::{Argument, End, Outcome, RunId};

use super::probe::{Fixture, program, wait_until};
use super::{ENDLESS, on_root, request, unlimited};

const QUEUED: RunId = RunId(2);

/// A server whose only program thread is held by a service that lets an object of an ended run go.
fn held(limits: Limits) -> (Fixture, Client) {
    let fixture = Fixture::new(Policy { limits, runs_max: 1, ..Policy::default() });
    let client = fixture.client();
    let bytes = program("program s(p: Probe) -> int { return p.block(0) }");
    drop(client.start(&request(1, &bytes, vec![Argument::Named(b"sticky")]), &[]).expect("it is sent"));
    wait_until(|| fixture.probe.sticking());
    (fixture, client)
}

fn ended(client: &Client) -> Outcome {
    wait_until(|| matches!(client.ask(QUEUED).expect("the server answers"), Asked::Ended(_)));
    match client.ask(QUEUED).expect("the server answers") {
        Asked::Ended(outcome) => *outcome,
        other => panic!("{other:?}"),
    }
}

/// Its time counts from its admission, not from when a thread takes it up.
#[test]
fn a_queued_run_ends_at_its_deadline() {
    let limits = Limits { time_ns: 100_000_000, ..unlimited().limits };
    let (fixture, client) = held(limits);
    let root = client.transport().root();
    let bytes = program(ENDLESS);
    let running = client.start(&on_root(QUEUED.0, &bytes), &[&root]).expect("it is sent");
    let outcome = running.wait(&mut |_| {}).expect("the server answers");
    assert!(fixture.probe.sticking(), "no thread was free");
    assert!(matches!(outcome.end, End::Limit { kind: LimitKind::Time, .. }), "{:?}", outcome.end);
    assert!(outcome.receipt.time_ns >= limits.time_ns, "{:?}", outcome.receipt);
    fixture.probe.let_go();
}

#[test]
fn a_queued_run_is_cancelled() {
    let (fixture, client) = held(unlimited().limits);
    let root = client.transport().root();
    let bytes = program(ENDLESS);
    let running = client.start(&on_root(QUEUED.0, &bytes), &[&root]).expect("it is sent");
    wait_until(|| fixture.client().cancel(QUEUED).expect("the server answers"));
    let outcome = running.wait(&mut |_| {}).expect("the server answers");
    assert!(fixture.probe.sticking(), "no thread was free");
    assert_eq!(outcome.end, End::Cancelled);
    fixture.probe.let_go();
}

#[test]
fn a_queued_run_ends_with_its_client_and_with_the_server() {
    let (fixture, client) = held(unlimited().limits);
    let other = fixture.client();
    let root = client.transport().root();
    let bytes = program(ENDLESS);
    let running = client.start(&on_root(QUEUED.0, &bytes), &[&root]).expect("it is sent");
    wait_until(|| other.ask(QUEUED).expect("the server answers") == Asked::Running);
    drop((running, root, client));
    assert_eq!(ended(&other).end, End::Cancelled);

    let root = other.transport().root();
    let running = other.start(&on_root(3, &bytes), &[&root]).expect("it is sent");
    wait_until(|| fixture.client().ask(RunId(3)).expect("the server answers") == Asked::Running);
    fixture.programs.close();
    assert_eq!(running.wait(&mut |_| {}).expect("the server answers").end, End::Cancelled);
    assert!(fixture.probe.sticking(), "no thread was free");
    fixture.probe.let_go();
}
