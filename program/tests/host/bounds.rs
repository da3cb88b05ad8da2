//! Bounds that hold while a program runs, seen from a client: on the session's thread, on memory, and between calls.

use std::cell::Cell;
use std::time::Duration;

use carnet_portal::remote::ConnectOptions;
use carnet_portal::session::ServerLimits;
use carnet_program::client::Asked;
use carnet_program::host::Policy;
use carnet_program::limits::{LimitKind, Limits};
use carnet_program::protocol::{Argument, End, Outcome, Progress, Refusal, RunId, RunOptions, RunRequest};

use super::probe::{Fixture, program, stall, wait_until};
use super::{ENDLESS, on_root, request, run, unlimited};

/// The first call is slow, the second waits until the session has answered something else. None of them is marked as
/// one that blocks.
#[test]
fn slow_calls_do_not_hold_up_their_session() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(&format!(
        "program s(p: Probe) -> int {{\n  p.stall({})\n  return p.stall({})\n}}",
        stall::SLOW,
        stall::WAIT
    ));
    // Shorter than the service waits, so that a session that is held up shows.
    let timeout = Some(Duration::from_secs(10));
    let client = fixture.client_with(ConnectOptions { call_timeout: timeout, ..ConnectOptions::default() });
    let root = client.transport().root();
    let running = client.start(&on_root(1, &bytes), &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.stalling());
    let status = client.status();
    fixture.probe.let_go();
    assert_eq!(status.expect("the session answers meanwhile").running, 1);
    assert_eq!(running.wait(&mut |_| {}).expect("the server answers").end, End::Done);
    let threads = fixture.probe.threads();
    assert_eq!(threads.len(), 2);
    assert_ne!(threads[0], "carnet-program", "it begins on the session's thread");
    assert_eq!(threads[1], "carnet-program");
}

/// Whether a call that may wait would do so is asked of its object before the run is moved.
#[test]
fn a_call_that_would_not_wait_stays_on_the_sessions_thread() {
    let bytes = program(&format!(
        "program s(p: Probe) -> int {{\n  p.block(0)\n  p.block(0)\n  return p.block({})\n}}",
        stall::SLOW
    ));
    let moved = |ready: bool| {
        let fixture = Fixture::new(Policy::default());
        if ready {
            fixture.probe.is_ready();
        }
        let outcome = run(&fixture, &on_root(1, &bytes));
        assert_eq!((outcome.end, outcome.receipt.calls), (End::Done, 3));
        let threads = fixture.probe.threads();
        threads.iter().map(|name| name == "carnet-program").collect::<Vec<_>>()
    };
    assert_eq!(moved(false), [true; 3]);
    // On a busy machine a quick call may look slow, and move its run.
    let stays = (0..20).any(|_| {
        let moved = moved(true);
        assert!(moved[2], "the third may wait, whatever it does: {moved:?}");
        !moved[0] && !moved[1]
    });
    assert!(stays, "it is moved by calls that would not wait");
}

/// Calls that fail into their handlers, one after the other, in a program without a loop: nothing but the failed call
/// itself is there to look whether the run was cancelled.
#[test]
fn calls_that_fail_into_handlers_are_cancelled_between_them() {
    for operation in ["stall", "block"] {
        let fixture = Fixture::new(unlimited());
        // On a program thread from the beginning: a call that may block moves it there.
        let tries = format!("  try p.{operation}({}) else {{ }}\n", stall::FAIL).repeat(50);
        let bytes = program(&format!("program t(p: Probe) {{\n  p.block(0)\n{tries}}}"));
        let client = fixture.client();
        let root = client.transport().root();
        let running = client.start(&on_root(1, &bytes), &[&root]).expect("it is sent");
        wait_until(|| fixture.probe.stalling());
        assert!(fixture.client().cancel(RunId(1)).expect("the server answers"));
        fixture.probe.let_go();
        let outcome = running.wait(&mut |_| {}).expect("the server answers");
        assert_eq!(outcome.end, End::Cancelled, "{operation}");
        assert_eq!(outcome.receipt.calls, 2, "{operation}: none after the one that was waiting");
    }
}

fn with_memory(memory: u64, source: &str) -> Outcome {
    let limits = Limits { memory, ..Limits::default() };
    let fixture = Fixture::new(Policy { limits, ..Policy::default() });
    run(&fixture, &request(1, &program(source), vec![Argument::Portal(0)]))
}

fn out_of_memory(end: &End) -> bool {
    matches!(end, End::Limit { kind: LimitKind::Memory, .. })
}

/// Done with exactly so much memory, and not with one byte less.
fn needs(bytes: u64, source: &str) {
    assert_eq!(with_memory(bytes, source).end, End::Done, "{bytes} bytes for {source}");
    let less = with_memory(bytes - 1, source);
    assert!(out_of_memory(&less.end), "one byte less: {:?} for {source}", less.end);
}

#[test]
fn messages_of_errors_count_as_memory() {
    let message = "there is nobody of that name".len() as u64;
    needs(message, "program e(p: Probe) { try p.named(\"\") else { p.get(1, 2, 3) } }");
    // The second message takes the place of the first.
    let twice = "program e(p: Probe) { for i in 0 .. 2 { try p.named(\"\") else { p.get(1, 2, 3) } } }";
    needs(message, twice);
}

/// Nothing is run if the arguments alone take more than a run may hold.
#[test]
fn texts_of_arguments_count_as_memory() {
    let limits = Limits { memory: 100, ..Limits::default() };
    let fixture = Fixture::new(Policy { limits, ..Policy::default() });
    let bytes =
        program("program t(p: Probe, a: string, b: bytes(200)) -> int { return p.add(a.len + b.len) }");
    let with = |id, text: &'static [u8]| {
        run(
            &fixture,
            &request(
                id,
                &bytes,
                vec![Argument::Portal(0), Argument::Text(&[b'x'; 60]), Argument::Text(text)],
            ),
        )
    };
    assert_eq!(with(1, &[0; 40]).end, End::Done);
    let message =
        "with it the arguments take 101 B of memory, and this server's limit for a run is 100 B of memory";
    assert_eq!(
        with(2, &[0; 41]).end,
        End::Refused(Refusal::Argument { index: 2, message: message.to_owned() })
    );
    assert_eq!(fixture.probe.writes(), 1);
}

#[test]
fn a_sort_counts_its_own_memory_beside_the_list() {
    let sorts = |n: u64, by: &str, ty: &str, value: &str| {
        format!(
            "record R {{ key: {ty}, n: int }}
program s(p: Probe) {{
  var l: list(R, 1_000)
  for i in 0 .. {n} {{ l.add(R(key: {value}, n: {n} - i)) }}
  sort l by {by}
}}"
        )
    };
    // Elements of two words: 16 bytes each, 16 in their new order, and 8 for two orders.
    needs(100 * 40, &sorts(100, "key", "int", "i"));
    needs(100 * 40, &sorts(100, "n, key", "int", "i"));
    // Texts stay where they are.
    needs(100 * 43, &sorts(100, "key", "string(10)", "\"abc\""));
}

/// A server that would wait for ever, by the measure of a test, for a client to read.
fn patient(policy: Policy) -> Fixture {
    let limits = ServerLimits { write_timeout: Duration::from_secs(600), ..ServerLimits::default() };
    Fixture::with_limits(policy, limits)
}

fn traced<'a>(id: u128, program: &'a [u8]) -> RunRequest<'a> {
    RunRequest { options: RunOptions { trace: true, ..RunOptions::default() }, ..on_root(id, program) }
}

/// How far a run came, by what it does to the service, when its thread sleeps between two calls: it waits for its client
/// then, since nothing else of it waits.
fn stands_still(fixture: &Fixture) -> u64 {
    wait_until(|| fixture.probe.was_read());
    let (mut reads, mut sleeps) = (0, 0);
    loop {
        let now = fixture.probe.reads();
        // It wakes now and then to look whether it is to end, and may then wait for a processor.
        sleeps = if now == reads { sleeps + u64::from(fixture.probe.reader_sleeps()) } else { 0 };
        reads = now;
        // A sleep in which nothing but a lock is waited for ends within a few answers of the server.
        if sleeps == 100 {
            return reads;
        }
        std::thread::yield_now();
        assert_eq!(fixture.client().status().expect("the server answers").running, 1);
    }
}

fn ended(fixture: &Fixture, id: u128) -> Outcome {
    let other = fixture.client();
    wait_until(|| matches!(other.ask(RunId(id)).expect("the server answers"), Asked::Ended(_)));
    match other.ask(RunId(id)).expect("the server answers") {
        Asked::Ended(outcome) => *outcome,
        other => panic!("it has ended: {other:?}"),
    }
}

/// The client of a traced run reads nothing: the run waits for it, but not longer than for its cancellation. What it was
/// told then comes whole and in order, and the outcome behind it.
#[test]
fn a_client_that_does_not_read_does_not_put_off_cancellation() {
    let fixture = patient(unlimited());
    let bytes = program(ENDLESS);
    let client = fixture.client();
    let root = client.transport().root();
    let running = client.start(&traced(1, &bytes), &[&root]).expect("it is sent");
    let reads = stands_still(&fixture);
    assert!(reads > 10, "only what the client has room for was told: {reads}");
    assert!(fixture.client().cancel(RunId(1)).expect("the server answers"));
    let outcome = ended(&fixture, 1);
    assert_eq!(outcome.end, End::Cancelled);
    let mut told = 0;
    let heard = running.wait(&mut |progress| told += u64::from(matches!(progress, Progress::Call { .. })));
    assert_eq!(heard.expect("the outcome comes when the client reads"), outcome);
    // The last may have been told and not made.
    let made = outcome.receipt.calls;
    assert!(told == made || told == made + 1, "{told} told, {made} made");
}

#[test]
fn a_client_that_does_not_read_does_not_put_off_the_deadline() {
    let limits = Limits { time_ns: 1_000_000_000, ..unlimited().limits };
    let fixture = patient(Policy { limits, ..unlimited() });
    let bytes = program(ENDLESS);
    let client = fixture.client();
    let root = client.transport().root();
    let _running = client.start(&traced(1, &bytes), &[&root]).expect("it is sent");
    let outcome = ended(&fixture, 1);
    assert!(matches!(outcome.end, End::Limit { kind: LimitKind::Time, .. }), "{:?}", outcome.end);
}

/// Objects that panic when they are let go, at the end of their runs: on a program thread, of which there is one, and on
/// a session's. Runs after them have their thread all the same.
#[test]
fn a_service_that_panics_when_it_is_let_go_takes_no_thread_along() {
    let fixture = Fixture::new(Policy { runs_max: 1, ..Policy::default() });
    let blocks = program("program b(p: Probe) -> int { return p.wait() }");
    let quick = program("program q(p: Probe) -> int { return p.get(1, 2, 3) }");
    let client = fixture.client();
    for (id, bytes) in [(1, &blocks), (2, &blocks), (3, &quick), (4, &quick)] {
        let brittle = request(id, bytes, vec![Argument::Named(b"brittle")]);
        let outcome = client.run(&brittle, &[]).expect("it is answered, and not only kept");
        assert_eq!(outcome.end, End::Done, "{id}");
    }
    assert_eq!(fixture.programs.status("").running, 0);
}

/// Two such objects in one run, whichever way that ends: each panics alone, where a panic because of the other would end
/// the server.
#[test]
fn two_objects_that_panic_when_they_are_let_go_end_nothing() {
    let fixture = Fixture::new(Policy { runs_max: 1, ..Policy::default() });
    let quick = program("program q(p: Probe, q: Probe, r: Probe) -> int { return r.get(1, 2, 3) }");
    let blocks = program("program b(p: Probe, q: Probe, r: Probe) -> int { return p.wait() }");
    let client = fixture.client();
    let how = |end: &End| match end {
        End::Done => "done",
        End::CallFailed { raised: false, .. } => "broke",
        End::Refused(Refusal::Argument { index: 2, .. }) => "refused",
        _ => "otherwise",
    };
    let cases = [
        (&quick, "me", "done"),
        (&blocks, "me", "done"),
        (&quick, "explosive", "broke"),
        (&quick, "explode", "broke"),
        (&quick, "nobody", "refused"),
    ];
    for (id, (bytes, last, expected)) in (1..).zip(cases) {
        let arguments = ["brittle", "brittle", last].map(|name| Argument::Named(name.as_bytes()));
        let outcome = client.run(&request(id, bytes, arguments.to_vec()), &[]).expect("it is answered");
        assert_eq!(how(&outcome.end), expected, "{last}: {:?}", outcome.end);
    }
    // A call makes three, of which the program takes one; the next drops the others.
    let many = "program m(p: Probe) { let q = p.named(\"many brittle\") let r = p.named(\"many brittle\") }";
    assert_eq!(run(&fixture, &on_root(9, &program(many))).end, End::Done);
    assert_eq!(fixture.programs.status("").running, 0);
}

/// A service that throws, in a call on a session's thread and on a program thread and while it makes an argument, what throws
/// again when it is dropped. No run is left behind by it: there may be one at a time.
#[test]
fn a_service_that_throws_what_throws_again_ends_its_run_and_no_other() {
    let fixture = Fixture::new(Policy { runs_max: 1, ..Policy::default() });
    let quick = program("program q(p: Probe) -> int { return p.get(1, 2, 3) }");
    let blocks = program("program b(p: Probe) -> int { return p.wait() }");
    let client = fixture.client();
    let cases = [(&quick, "explosive"), (&blocks, "explosive"), (&quick, "explode")];
    for (id, (bytes, name)) in (1..).zip(cases.into_iter().cycle().take(6)) {
        let request = request(id, bytes, vec![Argument::Named(name.as_bytes())]);
        let end = client.run(&request, &[]).expect("the server answers").end;
        assert!(matches!(end, End::CallFailed { raised: false, .. }), "{name}: {end:?}");
    }
    assert_eq!(fixture.programs.status("").running, 0);
    assert_eq!(run(&fixture, &on_root(9, &quick)).end, End::Done);
}

/// Answers that nobody reads keep threads waiting; they count as runs of that client's principal, so that it cannot have
/// all threads. When it reads, it may run again.
#[test]
fn a_client_that_does_not_read_its_answers_holds_no_more_threads_than_it_may() {
    let fixture = patient(Policy { runs_per_principal_max: 2, ..unlimited() });
    // Longer than what a socket takes by itself; a call that may block moves it to a program thread.
    let long = "record R { n: int, m: int }
program l(p: Probe) -> list(R, 60_000) {
  var l: list(R, 60_000)
  p.block(0)
  for i in 0 .. 60_000 { l.add(R(n: i, m: i)) }
  return l
}";
    let (long, quick) = (program(long), program("program q(p: Probe) -> int { return p.get(1, 2, 3) }"));
    let readers = [fixture.client(), fixture.client()];
    let roots = readers.each_ref().map(|client| client.transport().root());
    let unread: Vec<_> = (0..2)
        .map(|k| readers[k].start(&on_root(k as u128, &long), &[&roots[k]]).expect("it is sent"))
        .collect();
    (0..2).for_each(|id| assert_eq!(ended(&fixture, id).end, End::Done));
    let (other, id) = (fixture.client(), Cell::new(10));
    let ask = || {
        id.set(id.get() + 1);
        let root = other.transport().root();
        other.run(&on_root(id.get(), &quick), &[&root]).expect("the server answers").end
    };
    // Their outcomes are there before their threads wait.
    wait_until(|| matches!(ask(), End::Refused(Refusal::PrincipalBusy(2))));
    let outcomes = unread.into_iter().map(|running| running.wait(&mut |_| {}));
    assert!(outcomes.into_iter().all(|outcome| outcome.expect("it is read").end == End::Done));
    wait_until(|| ask() == End::Done);
}

/// Two clients wait for one run, and the one that began it does not read. The other is answered all the same, before the
/// time of the first is over: that one can still read its answer afterwards.
#[test]
fn a_client_that_does_not_read_does_not_keep_an_answer_from_another() {
    let limits = ServerLimits { write_timeout: Duration::from_secs(20), ..ServerLimits::default() };
    let fixture = Fixture::with_limits(unlimited(), limits);
    let long = program(&format!(
        "record R {{ n: int, m: int }}
program l(p: Probe) -> list(R, 60_000) {{
  var l: list(R, 60_000)
  p.block({})
  for i in 0 .. 60_000 {{ l.add(R(n: i, m: i)) }}
  return l
}}",
        stall::WAIT
    ));
    let (first, second) = (fixture.client(), fixture.client());
    let root = first.transport().root();
    let unread = first.start(&on_root(1, &long), &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.stalling());
    let root = second.transport().root();
    let joined = second.start(&on_root(1, &long), &[&root]).expect("it is sent");
    // Answered behind what was sent before it: the second has joined by then.
    assert_eq!(second.status().expect("the server answers").running, 1);
    fixture.probe.let_go();
    let outcome = joined.wait(&mut |_| {}).expect("it is answered");
    assert_eq!(outcome.end, End::Done);
    assert_eq!(unread.wait(&mut |_| {}).expect("it is still there to be read"), outcome);
}
