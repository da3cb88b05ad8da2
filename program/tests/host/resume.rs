//! Runs that stop and go on: by every cause, after every call, with each call made once.

use std::time::Duration;

use carnet_program::client::{Asked, Client};
use carnet_program::host::{Confirm, Policy};
use carnet_program::limits::{Allowance, Amounts, LimitKind, LimitSource, Limits};
use carnet_program::protocol::{
    Argument, End, Engine, Outcome, Raise, Refusal, ResumeRequest, RunId, RunOptions, RunRequest,
};
use carnet_program::text::hex;
use carnet_program::tree::CapKind;

use super::probe::{Fixture, program, stall, wait_until};
use super::{COUNT, int, on_root, request};

const ID: RunId = RunId(21);

/// Calls, loops, texts, lists, portals and a repeat, so that each of them is where a run stops.
const MUCH: &str = r#"
record Pair { name: string(20), n: int }

program much(p: Probe) -> list(Pair, 10) {
  var pairs: list(Pair, 10)
  var sum = 0
  for i in 1 .. 4 {
    let other = p.named("me")
    sum += other.add(i) + p.get(sum, i, 0)
    pairs.add(Pair(name: "pair", n: sum))
    let bad = try p.named("nobody") else { continue }
    sum += bad.add(100)
  }
  sort pairs by n
  return pairs
}"#;

fn named(request: RunRequest<'_>) -> RunRequest<'_> {
    RunRequest { name: "mine", ..request }
}

/// A run that counts so far.
fn counting(id: u128, bytes: &[u8], to: i64) -> RunRequest<'_> {
    named(request(id, bytes, vec![Argument::Portal(0), Argument::Scalar(to)]))
}

fn run(client: &Client, request: &RunRequest<'_>) -> Outcome {
    let root = client.transport().root();
    client.run(request, &[&root]).expect("the server answers")
}

fn resume_with(client: &Client, stop: u32, raises: Vec<Raise>) -> Outcome {
    let request = ResumeRequest { raises, ..ResumeRequest::new(ID, stop) };
    client.resume(&request).expect("it is sent").wait(&mut |_| {}).expect("the server answers")
}

fn resume(client: &Client, stop: u32) -> Outcome {
    resume_with(client, stop, Vec::new())
}

/// The stop of an outcome that can go on.
fn stop(outcome: &Outcome) -> u32 {
    outcome.kept.unwrap_or_else(|| panic!("it is kept: {:?}", outcome.end)).stop
}

/// Begins it, and cancels it in its call that waits, which comes back then.
fn cancelled(fixture: &Fixture, client: &Client, request: &RunRequest<'_>) -> Outcome {
    let root = client.transport().root();
    let running = client.start(request, &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.stalling());
    assert!(client.cancel(ID).expect("the server answers"));
    fixture.probe.let_go();
    running.wait(&mut |_| {}).expect("the server answers")
}

/// Goes on until it ends, each time from another connection; how often it stopped.
fn to_the_end(fixture: &Fixture, mut outcome: Outcome) -> (Outcome, u32) {
    let mut stops = 0;
    while outcome.end != End::Done {
        stops += 1;
        assert_eq!(stop(&outcome), stops, "{:?}", outcome.end);
        outcome = resume(&fixture.client(), stops);
    }
    assert_eq!(outcome.kept, None);
    (outcome, stops)
}

/// The same but for the time, and what held it for how long.
fn assert_same(found: &Outcome, expected: &Outcome, when: &str) {
    assert_eq!(found.result, expected.result, "{when}");
    assert_eq!(found.calls, expected.calls, "{when}");
    let (mut found, mut expected) = (found.receipt, expected.receipt);
    (found.time_ns, expected.time_ns) = (0, 0);
    assert_eq!(found, expected, "{when}");
}

fn undisturbed(source: &str) -> Outcome {
    let fixture = Fixture::new(Policy::default());
    let outcome = run(&fixture.client(), &on_root(ID.0, &program(source)));
    assert_eq!((&outcome.end, outcome.kept), (&End::Done, None));
    outcome
}

/// So much at a time, of each of the limits that count.
#[test]
fn a_run_that_a_limit_stops_goes_on_where_it_stopped() {
    let expected = undisturbed(MUCH);
    let whole = expected.receipt;
    let limited = |kind: LimitKind, n: u64| {
        let mut limits = Limits::default();
        match kind {
            LimitKind::Calls => limits.calls = n,
            LimitKind::Writes => limits.writes = n,
            _ => limits.instructions = n,
        }
        limits
    };
    for (kind, whole) in [
        (LimitKind::Calls, whole.calls),
        (LimitKind::Writes, whole.writes),
        (LimitKind::Instructions, whole.instructions),
    ] {
        // A block of instructions is begun only if all of it fits.
        let least = if kind == LimitKind::Instructions { 20 } else { 1 };
        for at_a_time in least..=whole {
            let when = format!("{at_a_time} {} at a time", kind.noun());
            let policy = Policy { limits: limited(kind, at_a_time), ..Policy::default() };
            let fixture = Fixture::new(policy);
            let bytes = program(MUCH);
            let first = run(&fixture.client(), &named(on_root(ID.0, &bytes)));
            if at_a_time < whole {
                let End::Limit { kind: found, limit, used, source } = first.end else {
                    panic!("{when}: {:?}", first.end);
                };
                assert_eq!((found, limit, source), (kind, at_a_time, LimitSource::Server), "{when}");
                assert!(used <= limit, "{when}: {used}");
            }
            let (outcome, stops) = to_the_end(&fixture, first);
            assert_same(&outcome, &expected, &when);
            assert_eq!(fixture.probe.writes(), expected.receipt.writes, "{when}");
            if kind != LimitKind::Instructions {
                assert_eq!(u64::from(stops), (whole - 1) / at_a_time, "{when}");
            }
        }
    }
}

/// A cap of the header holds for the whole run, however often it stops, and the client says when it is more.
#[test]
fn a_cap_of_the_header_counts_on_and_can_be_raised() {
    let fixture = Fixture::new(Policy::default());
    let client = fixture.client();
    let bytes = program(&COUNT.replace("50 writes", "2 writes"));
    let begun = counting(ID.0, &bytes, 7);
    let capped = |outcome: &Outcome, limit| {
        assert_eq!(
            outcome.end,
            End::Limit { kind: LimitKind::Writes, limit, used: limit, source: LimitSource::Header(2) }
        );
        assert_eq!(outcome.receipt.writes, limit);
    };
    capped(&run(&client, &begun), 2);
    // As it is, it stops again before the same call.
    capped(&resume(&client, 1), 2);
    let more = |by| vec![Raise { kind: CapKind::Writes, by }];
    capped(&resume_with(&client, 2, more(3)), 5);
    let refused = resume_with(&client, 3, vec![Raise { kind: CapKind::Calls, by: 1 }]);
    assert_eq!(refused.end, End::Refused(Refusal::NoCap(CapKind::Calls)));
    let kept = refused.kept.expect("it is kept as it was");
    assert_eq!((kept.stop, kept.short_of[0]), (3, Some((LimitKind::Writes, 5))));
    let outcome = resume_with(&client, 3, more(u64::MAX));
    assert_eq!((&outcome.end, int(&outcome)), (&End::Done, 1 + 2 + 3 + 4 + 5 + 6));
    assert_eq!(fixture.probe.writes(), 7);
}

#[test]
fn what_was_approved_goes_on_as_it_was_approved() {
    let fixture = Fixture::new(Policy { confirm: Confirm::Writes, ..Policy::default() });
    let client = fixture.client();
    // Its last call fails.
    let source = "program w(p: Probe) -> int at most 3 writes { return p.add(1) + p.put(\"x\", 3) }";
    fixture.probe.let_go();
    let bytes = program(source);
    let fails = named(on_root(ID.0, &bytes));
    let approval = hex(&client.bill(&fails).expect("the server answers").approval);
    let outcome = run(&client, &RunRequest { approval: &approval, ..fails });
    assert!(matches!(outcome.end, End::CallFailed { .. }), "{:?}", outcome.end);
    let raises = vec![Raise { kind: CapKind::Writes, by: 1 }];
    assert_eq!(resume_with(&client, 1, raises).end, End::Refused(Refusal::RaisesApproved));
    let again = resume(&client, 1);
    assert!(matches!(again.end, End::CallFailed { .. }), "{:?}", again.end);
    assert_eq!((stop(&again), again.receipt.writes), (2, 3));
}

/// The server's limits were part of the bill that was approved: they count on, and a stop at them is the end.
#[test]
fn what_was_approved_grows_by_no_stop() {
    let limits = Limits { writes: 2, ..Limits::default() };
    let fixture = Fixture::new(Policy { confirm: Confirm::Writes, limits, ..Policy::default() });
    let client = fixture.client();
    let source = format!(
        "program w(p: Probe) {{\n  p.add(1)\n  p.block({})\n  for i in 0 .. 9 {{ p.add(i) }}\n}}",
        stall::WAIT
    );
    let bytes = program(&source);
    let request = named(on_root(ID.0, &bytes));
    let approval = hex(&client.bill(&request).expect("the server answers").approval);
    let cancelled = cancelled(&fixture, &client, &RunRequest { approval: &approval, ..request });
    assert_eq!((&cancelled.end, stop(&cancelled)), (&End::Cancelled, 1));
    let outcome = resume(&client, 1);
    let reached = End::Limit { kind: LimitKind::Writes, limit: 2, used: 2, source: LimitSource::Server };
    assert_eq!((outcome.end, outcome.kept, fixture.probe.writes()), (reached, None, 2));
}

/// A call that fails again and again is charged each time, and is none of the bill's that are left.
#[test]
fn a_call_that_fails_again_is_charged_and_bounded() {
    let amounts = Amounts { calls: 6, ..Allowance::default().amounts };
    let allowance = Allowance { period_s: 3600, amounts };
    let source = "program w(p: Probe) {\n  p.add(1)\n  p.named(\"nobody\")\n  p.add(2)\n}";
    for (accepted, calls) in [(None, 6), (Some(4), 4)] {
        let accepts = carnet_program::host::Accepts { calls: accepted, ..Default::default() };
        let fixture = Fixture::new(Policy { allowance, accepts, ..Policy::default() });
        let client = fixture.client();
        let mut outcome = run(&client, &named(on_root(ID.0, &program(source))));
        for at in 1..20 {
            match resume(&client, at) {
                Outcome { end: End::Refused(_), .. } => break,
                next => outcome = next,
            }
        }
        assert_eq!(outcome.receipt.calls, calls);
        assert_eq!(client.status().expect("the server answers").standing.used.calls, calls);
    }
}

/// The time of the header is over once: no further call is made, however often it goes on.
#[test]
fn a_time_of_the_header_that_is_over_stays_over() {
    let fixture = Fixture::new(Policy::default());
    let client = fixture.client();
    let source = "program w(p: Probe) -> int at most 20ms time {\n  var n = 0\n  while n < 40_000 limit 40_000 { n += p.stall(1) }\n  return n\n}";
    let first = run(&client, &named(on_root(ID.0, &program(source))));
    assert!(matches!(first.end, End::Limit { kind: LimitKind::Time, source: LimitSource::Header(2), .. }));
    for at in 1..20 {
        let outcome = resume(&client, at);
        assert_eq!((stop(&outcome), outcome.receipt.calls), (at + 1, first.receipt.calls));
    }
    let more = vec![Raise { kind: CapKind::Time, by: 1_000_000_000 }];
    assert!(resume_with(&client, 20, more).receipt.calls > first.receipt.calls);
}

/// Bills larger than the server accepts are none that a run grows into.
#[test]
fn a_raise_beyond_what_is_accepted_is_refused() {
    let accepts = carnet_program::host::Accepts { writes: Some(4), ..Default::default() };
    let fixture = Fixture::new(Policy { accepts, ..Policy::default() });
    let client = fixture.client();
    let bytes = program(&COUNT.replace("50 writes", "2 writes"));
    let begun = counting(ID.0, &bytes, 7);
    assert_eq!(stop(&run(&client, &begun)), 1);
    let more = |by| vec![Raise { kind: CapKind::Writes, by }];
    let refused = End::Refused(Refusal::Bill { kind: LimitKind::Writes, bill: 5, accepts: 4 });
    assert_eq!(resume_with(&client, 1, more(3)).end, refused);
    assert_eq!(resume_with(&client, 1, more(2)).receipt.writes, 4);
}

#[test]
fn a_cancelled_run_goes_on() {
    let fixture = Fixture::new(Policy::default());
    let client = fixture.client();
    let source = format!(
        "program w(p: Probe) -> int {{\n  let a = p.add(5)\n  p.block({})\n  return a + p.add(6)\n}}",
        stall::WAIT
    );
    let bytes = program(&source);
    let outcome = cancelled(&fixture, &client, &named(on_root(ID.0, &bytes)));
    assert_eq!((&outcome.end, stop(&outcome), fixture.probe.writes()), (&End::Cancelled, 1, 1));
    let outcome = resume(&client, 1);
    assert_eq!((&outcome.end, int(&outcome), fixture.probe.writes()), (&End::Done, 11, 2));
}

#[test]
fn a_run_whose_time_is_over_goes_on_with_as_much_again() {
    let limits = Limits { time_ns: 200_000_000, ..Limits::default() };
    let fixture = Fixture::new(Policy { limits, ..Policy::default() });
    let client = fixture.client();
    let source = "program w(p: Probe) -> int {\n  var n = 0\n  while n < 40_000 limit 40_000 { n += p.stall(1) }\n  return n\n}";
    let first = run(&client, &named(on_root(ID.0, &program(source))));
    let End::Limit { kind: LimitKind::Time, limit, used, source } = first.end else {
        panic!("{:?}", first.end)
    };
    assert_eq!((limit, source), (200_000_000, LimitSource::Server));
    let again = resume(&client, stop(&first));
    let End::Limit { kind: LimitKind::Time, limit: 200_000_000, used: since, .. } = again.end else {
        panic!("{:?}", again.end);
    };
    assert!(used >= limit && since >= limit, "{used} and {since}");
    assert!(again.receipt.time_ns >= used + since, "it is the time of both");
    assert!(again.receipt.calls > first.receipt.calls);
}

/// The client is gone in the middle of a run; from another connection the run goes on with the objects that it had.
#[test]
fn a_run_whose_client_is_gone_goes_on_from_another_connection() {
    let fixture = Fixture::new(Policy::default());
    let source = format!(
        "program w(p: Probe) -> int {{\n  let mine = p.named(\"me\")\n  p.block({})\n  return mine.add(6)\n}}",
        stall::WAIT
    );
    let bytes = program(&source);
    let lost = fixture.client();
    let root = lost.transport().root();
    let running = lost.start(&named(on_root(ID.0, &bytes)), &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.stalling());
    drop((running, root, lost));
    wait_until(|| fixture.closed() == 1);
    fixture.probe.let_go();
    let client = fixture.client();
    let asked = || client.ask(ID).expect("the server answers");
    wait_until(|| asked() != Asked::Running);
    let Asked::Ended(outcome) = asked() else { panic!("it has ended") };
    assert_eq!((&outcome.end, outcome.kept.map(|kept| kept.portals)), (&End::Cancelled, Some(2)));
    let outcome = resume(&client, 1);
    assert_eq!((&outcome.end, int(&outcome), fixture.probe.writes()), (&End::Done, 6, 1));
}

/// A call that raised took no effect. When its cause is gone it is made again, and nothing before it, also where the bill has just the
/// calls that the program makes and was approved: the run is not stopped for an attempt that failed.
#[test]
fn a_run_goes_on_with_the_call_that_failed() {
    // The name is known to the service from the second time on.
    let source = "program w(p: Probe) -> int {\n  p.add(1)\n  let later = p.named(\"later\")\n  return later.add(6)\n}";
    let bytes = program(source);
    for confirm in [Confirm::Nothing, Confirm::Writes] {
        let fixture = Fixture::new(Policy { confirm, ..Policy::default() });
        let client = fixture.client();
        let approval = match confirm {
            Confirm::Writes => {
                hex(&client.bill(&on_root(ID.0, &bytes)).expect("the server answers").approval)
            }
            Confirm::Nothing => String::new(),
        };
        let root = client.transport().root();
        let request = RunRequest { approval: &approval, ..named(on_root(ID.0, &bytes)) };
        let running = client.start(&request, &[&root]).expect("it is sent");
        wait_until(|| fixture.probe.stalling());
        fixture.probe.let_go();
        let failed = running.wait(&mut |_| {}).expect("the server answers");
        assert_eq!(
            failed.end,
            End::CallFailed { message: "as the test asked it to".to_owned(), raised: true }
        );
        let outcome = resume(&client, stop(&failed));
        assert_eq!((&outcome.end, int(&outcome), fixture.probe.writes()), (&End::Done, 6, 2), "{confirm:?}");
        assert_eq!((outcome.receipt.calls, outcome.receipt.writes), (4, 2));
        let named = outcome.calls.iter().find(|call| call.operation == "named").expect("it was called");
        assert_eq!((named.count, named.failed), (2, 1));
    }
}

#[test]
fn what_a_program_would_do_again_is_not_kept() {
    let sources = [
        ("a fault", "program w(p: Probe) -> int {\n  let n = p.add(0)\n  return 1 / n\n}"),
        ("its own end", "program w(p: Probe) {\n  p.add(1)\n  fail \"enough\"\n}"),
        ("a loop", "program w(p: Probe) {\n  var n = 0\n  while n < 9 limit 3 { n += p.add(1) }\n}"),
        ("a panic", "program w(p: Probe) {\n  p.panics()\n}"),
    ];
    for (why, source) in sources {
        let fixture = Fixture::new(Policy::default());
        let client = fixture.client();
        let outcome = run(&client, &named(on_root(ID.0, &program(source))));
        assert!(outcome.end != End::Done && outcome.kept.is_none(), "{why}: {:?}", outcome.end);
        assert_eq!(resume(&client, 1).end, End::Refused(Refusal::NotKept), "{why}");
        assert_eq!(client.runs().expect("the server answers"), [], "{why}");
    }
}

fn stopped_at_once() -> Policy {
    Policy { limits: Limits { calls: 1, ..Limits::default() }, ..Policy::default() }
}

/// An answer may be lost, so that a client asks again: it is the same one step, and a step back is none.
#[test]
fn a_stop_is_gone_on_from_once() {
    let fixture = Fixture::new(stopped_at_once());
    let client = fixture.client();
    let bytes = program(COUNT);
    let begun = counting(ID.0, &bytes, 4);
    let first = run(&client, &begun);
    assert_eq!(run(&client, &begun), first, "the run itself is answered by how it stands");
    let second = resume(&client, 1);
    assert_eq!(stop(&second), 2);
    assert_eq!(resume(&client, 1), second, "asked again");
    let raises = vec![Raise { kind: CapKind::Writes, by: 1 }];
    assert_eq!(resume_with(&client, 1, raises).end, End::Refused(Refusal::WentOn));
    assert_eq!(resume(&client, 9).end, End::Refused(Refusal::WentOn));
    assert_eq!(resume(&client, 2).receipt.calls, 3);
    assert_eq!(resume(&client, 1).end, End::Refused(Refusal::WentOn));
    assert_eq!(resume(&client, 3).end, End::Done);
    assert_eq!(resume(&client, 4).end, End::Refused(Refusal::NotKept));
    assert_eq!(fixture.probe.writes(), 4);
    assert_eq!(run(&client, &begun).end, End::Done, "its outcome is stored as that of any run");
}

/// Whoever asks for another engine than that in which the run goes on is told, as is whoever asks for other changes.
#[test]
fn who_asks_for_another_engine_does_not_join_unheard() {
    let fixture = Fixture::new(stopped_at_once());
    let client = fixture.client();
    let bytes = program(COUNT);
    let begun = counting(ID.0, &bytes, 4);
    assert_eq!(stop(&run(&client, &begun)), 1);
    let by = |engine| {
        let options = RunOptions { engine, ..RunOptions::default() };
        let request = ResumeRequest { options, ..ResumeRequest::new(ID, 1) };
        client.resume(&request).expect("it is sent").wait(&mut |_| {}).expect("the server answers")
    };
    let second = by(Engine::Bytecode);
    assert_eq!(stop(&second), 2);
    assert_eq!(by(Engine::Bytecode), second, "asked again");
    for other in [Engine::Any, Engine::Native] {
        assert_eq!(by(other).end, End::Refused(Refusal::WentOn), "{other:?}");
    }
}

#[test]
fn runs_are_listed_and_let_go() {
    let fixture = Fixture::new(stopped_at_once());
    let client = fixture.client();
    let bytes = program(COUNT);
    let called = |id, name| RunRequest { name, ..counting(id, &bytes, 4) };
    for (id, name) in [(1, "one"), (2, ""), (3, "three")] {
        assert_eq!(run(&client, &called(id, name)).kept.is_some(), !name.is_empty());
    }
    let names = || {
        let runs = client.runs().expect("the server answers");
        runs.into_iter().map(|run| (run.name, run.program, run.stopped.is_some())).collect::<Vec<_>>()
    };
    let listed = |name: &str| (name.to_owned(), "count".to_owned(), true);
    assert_eq!(names(), [listed("one"), listed("three")]);
    assert_eq!(client.status().expect("the server answers").kept, 2);
    assert_eq!(
        [1, 1, 2, 9].map(|id| client.discard(RunId(id)).expect("the server answers")),
        [true, false, false, false]
    );
    assert_eq!(names(), [listed("three")]);
    assert_eq!(resume(&client, 1).end, End::Refused(Refusal::NotKept));
    assert!(
        matches!(client.ask(RunId(1)).expect("the server answers"), Asked::Ended(_)),
        "its outcome stays"
    );
}

/// Its portals are gone with it; who asks for it then is told.
#[test]
fn a_run_is_kept_for_its_time_and_no_longer() {
    let policy = Policy { kept_for: Duration::from_millis(50), ..stopped_at_once() };
    let fixture = Fixture::new(policy);
    let client = fixture.client();
    let bytes = program(COUNT);
    let source = "program w(p: Probe) -> int {\n  let s = p.named(\"sticky\")\n  return s.add(1)\n}";
    assert_eq!(stop(&run(&client, &named(on_root(ID.0, &program(source))))), 1);
    wait_until(|| fixture.probe.sticking());
    assert_eq!(resume(&client, 1).end, End::Refused(Refusal::NotKept));
    // However long a service takes to let an object go, the next one goes in its time.
    let root = client.transport().root();
    let other = counting(22, &bytes, 4);
    assert!(client.run(&other, &[&root]).expect("the server answers").kept.is_some());
    wait_until(|| client.status().expect("the server answers").kept == 0);
    assert_eq!(fixture.probe.gone(), 0);
    fixture.probe.let_go();
    wait_until(|| fixture.probe.gone() == 1);
}

#[test]
fn a_server_that_keeps_none_says_so_at_once() {
    for policy in [
        Policy { kept_max: 0, ..stopped_at_once() },
        Policy { kept_bytes_max: 1 << 10, ..stopped_at_once() },
        Policy { kept_portals_max: 0, ..stopped_at_once() },
        Policy { kept_for: Duration::ZERO, ..stopped_at_once() },
    ] {
        let fixture = Fixture::new(policy);
        assert_eq!(run(&fixture.client(), &named(on_root(ID.0, &program(MUCH)))).kept, None);
    }
}

/// One who stops run after run pushes out his own.
#[test]
fn kept_runs_are_bounded_and_the_oldest_goes_first() {
    let policy = Policy { kept_per_principal_max: 3, ..stopped_at_once() };
    let fixture = Fixture::new(policy);
    let client = fixture.client();
    let bytes = program(COUNT);
    for id in 1..=10 {
        assert!(run(&client, &counting(id, &bytes, 4)).kept.is_some());
        assert_eq!(client.status().expect("the server answers").kept, (id as u64).min(3));
    }
    let kept = (1..=10).filter(|id| client.discard(RunId(*id)).expect("the server answers"));
    assert_eq!(kept.collect::<Vec<_>>(), [8, 9, 10]);
}

#[test]
fn memory_of_kept_runs_is_bounded() {
    let bytes = program(COUNT);
    let all = Policy { kept_bytes_max: 4 << 20, ..stopped_at_once() };
    let of_one = Policy { kept_bytes_per_principal_max: 4 << 20, ..stopped_at_once() };
    for policy in [all, of_one] {
        let fixture = Fixture::new(policy);
        let client = fixture.client();
        for id in 1..=20 {
            run(&client, &counting(id, &bytes, 4));
        }
        // Each has its table of variables alone, of half a MiB.
        assert!((4..=8).contains(&client.status().expect("the server answers").kept));
    }
    let too_much = Policy { kept_bytes_per_principal_max: 1 << 10, ..stopped_at_once() };
    assert_eq!(run(&Fixture::new(too_much).client(), &counting(ID.0, &bytes, 4)).kept, None);
}

/// A service has only so many handles: those of runs that nobody asks for are few.
#[test]
fn portals_of_kept_runs_are_bounded() {
    let limits = Limits { calls: 5, ..Limits::default() };
    let policy = Policy { limits, kept_portals_per_principal_max: 10, ..Policy::default() };
    let fixture = Fixture::new(policy);
    let client = fixture.client();
    let holding = |portals: usize| {
        let lines: String = (1..portals).map(|n| format!("  let p{n} = p.named(\"me\")\n")).collect();
        let calls: String = (portals..8).map(|_| "  p.add(1)\n".to_owned()).collect();
        program(&format!("program w(p: Probe) {{\n{lines}{calls}}}"))
    };
    for id in 1..=5 {
        assert_eq!(run(&client, &named(on_root(id, &holding(4)))).kept.map(|kept| kept.portals), Some(4));
        assert_eq!(client.status().expect("the server answers").kept, (id as u64).min(2));
    }
    let policy = Policy { limits, kept_portals_per_principal_max: 3, ..Policy::default() };
    assert_eq!(run(&Fixture::new(policy).client(), &named(on_root(1, &holding(4)))).kept, None);
}

/// A refused request changes nothing: what asks for the run meanwhile, or lets it go, finds it as it was.
#[test]
fn a_refused_resume_leaves_all_as_it_was() {
    let fixture = Fixture::new(stopped_at_once());
    let client = fixture.client();
    let bytes = program(COUNT);
    let begun = counting(ID.0, &bytes, 4);
    let first = run(&client, &begun);
    let before = client.runs().expect("the server answers");
    assert_eq!(before.len(), 1);
    let calls = vec![Raise { kind: CapKind::Calls, by: 1 }];
    assert_eq!(resume_with(&client, 1, calls).end, End::Refused(Refusal::NoCap(CapKind::Calls)));
    assert_eq!(run(&client, &begun), first);
    let writes = Raise { kind: CapKind::Writes, by: 1 };
    let twice = ResumeRequest { raises: vec![writes, writes], ..ResumeRequest::new(ID, 1) };
    let failure = client.resume(&twice).expect("it is sent").wait(&mut |_| {});
    assert_eq!(failure.expect_err("each kind once").kind(), carnet_portal::call::Kind::Protocol);
    assert_eq!(client.runs().expect("the server answers")[0].name, before[0].name);
    assert_eq!(resume(&client, 1).receipt.calls, 2);
}

/// What a run uses after it went on is charged, and what it used before is not charged again.
#[test]
fn the_allowance_is_charged_once() {
    let amounts = Amounts { calls: 10, ..Allowance::default().amounts };
    let policy = Policy { allowance: Allowance { period_s: 3600, amounts }, ..stopped_at_once() };
    let fixture = Fixture::new(policy);
    let client = fixture.client();
    let bytes = program(COUNT);
    let begun = counting(ID.0, &bytes, 50);
    let mut outcome = run(&client, &begun);
    for used in 1..10 {
        assert_eq!(client.status().expect("the server answers").standing.used.calls, used);
        outcome = resume(&client, stop(&outcome));
    }
    assert_eq!(client.status().expect("the server answers").standing.used.calls, 10);
    assert!(matches!(
        resume(&client, 10).end,
        End::Refused(Refusal::Allowance { kind: LimitKind::Calls, .. })
    ));
    fixture.pass(3600);
    assert_eq!(resume(&client, 10).receipt.calls, 11, "it is still kept");
    assert_eq!(outcome.receipt.calls, 10);
}

#[test]
fn a_right_that_was_taken_back_is_not_kept() {
    let fixture = Fixture::new(stopped_at_once());
    let client = fixture.client();
    assert_eq!(stop(&run(&client, &named(on_root(ID.0, &program(MUCH))))), 1);
    fixture.revoke();
    assert_eq!(resume(&client, 1).end, End::Revoked);
}

#[test]
fn a_server_that_closes_lets_all_go() {
    let fixture = Fixture::new(stopped_at_once());
    let client = fixture.client();
    let source = "program w(p: Probe) -> int {\n  let s = p.named(\"sticky\")\n  return s.add(1)\n}";
    fixture.probe.let_go();
    assert_eq!(stop(&run(&client, &named(on_root(ID.0, &program(source))))), 1);
    assert_eq!(fixture.probe.gone(), 0);
    fixture.programs.close();
    assert_eq!(fixture.probe.gone(), 1);
    let Asked::Ended(outcome) = client.ask(ID).expect("the server answers") else { panic!("it stays") };
    assert_eq!(outcome.kept, None);
    assert_eq!(resume(&client, 1).end, End::Refused(Refusal::Closing));
}
