//! Programs sent to a real server over a Unix socket: policy, identities, limits, cancellation, peers that lie
//! or die. The service is written by hand against a descriptor that only this test knows.

mod allowance;
mod approval;
mod arrays;
mod beside;
mod both_ways;
mod bounds;
mod cached;
mod dear;
mod deferred;
mod in_doubt;
mod installed;
mod kept;
mod long;
mod nested;
mod no_room;
mod principals;
mod probe;
mod queued;
mod races;
mod repeats;
mod restart;
mod resume;
mod services;
mod set;
mod still_in_doubt;
mod survives;
mod taken_over;
mod trees;
mod turns;
mod versions;
mod waiting;

use std::time::{Duration, Instant};

use carnet_program::bytecode::{Ins, Op, Program, View};
use carnet_program::client::{Asked, Running};
use carnet_program::host::{Accepts, Confirm, Defaults, Policy};
use carnet_program::limits::{LimitKind, LimitSource, Limits};
use carnet_program::protocol::{
    Argument, End, Outcome, Progress, Refusal, RunId, RunOptions, RunProgram, RunRequest,
};

use probe::{Fixture, program, wait_until};

fn request<'a>(id: u128, program: &'a [u8], arguments: Vec<Argument<'a>>) -> RunRequest<'a> {
    let program = RunProgram::Whole(program);
    RunRequest { id: RunId(id), options: RunOptions::default(), name: "", approval: "", arguments, program }
}

/// A request whose only argument is the root.
fn on_root(id: u128, program: &[u8]) -> RunRequest<'_> {
    request(id, program, vec![Argument::Portal(0)])
}

fn run(fixture: &Fixture, request: &RunRequest<'_>) -> Outcome {
    let client = fixture.client();
    let root = client.transport().root();
    client.run(request, &[&root]).expect("the server answers")
}

const COUNT: &str = "
program count(p: Probe, n: int = 5) -> int at most 50 writes {
  var sum = 0
  for i in 0 .. n limit 1_000 {
    sum += p.add(i)
  }
  return sum
}";

fn int(outcome: &Outcome) -> i64 {
    let bytes = outcome.result.as_deref().expect("there is a result");
    i64::from_le_bytes(bytes.try_into().expect("it is one word"))
}

#[test]
fn a_program_runs_and_comes_back_with_result_and_receipt() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(COUNT);
    let outcome = run(&fixture, &request(1, &bytes, vec![Argument::Portal(0), Argument::Scalar(4)]));
    assert_eq!(outcome.end, End::Done);
    assert_eq!(int(&outcome), 1 + 2 + 3);
    assert_eq!((outcome.receipt.calls, outcome.receipt.writes), (4, 4));
    assert_eq!(fixture.probe.writes(), 4);
}

#[test]
fn the_same_identity_gets_the_stored_outcome_and_runs_once() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(COUNT);
    let request = request(7, &bytes, vec![Argument::Portal(0), Argument::Scalar(3)]);
    let first = run(&fixture, &request);
    let again = run(&fixture, &request);
    assert_eq!(first, again);
    assert_eq!(fixture.probe.writes(), 3, "it ran once");
    let Asked::Ended(asked) = fixture.client().ask(RunId(7)).expect("the server answers") else {
        panic!("the run has ended");
    };
    assert_eq!(*asked, first);
    assert_eq!(fixture.client().ask(RunId(8)).expect("the server answers"), Asked::Unknown);
}

/// Whoever asks again is told so, and whoever began the run is not.
#[test]
fn who_asks_again_is_told_that_nothing_is_begun() {
    let fixture = Fixture::new(Policy::default());
    let waits = program("program waits(p: Probe) -> int { return p.wait() }");
    let request = on_root(1, &waits);
    let (first, second) = (fixture.client(), fixture.client());
    let (root, other) = (first.transport().root(), second.transport().root());
    let begun = first.start(&request, &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.waiting());
    let joined = second.start(&request, &[&other]).expect("it is sent");
    let told = |running: Running| {
        let mut told = Vec::new();
        let ended = running.wait(&mut |progress| {
            if let Progress::Again { running } = progress {
                told.push(running);
                // The call that is waited for comes back when this has come.
                fixture.probe.let_go();
            }
        });
        assert_eq!(ended.expect("the server answers").end, End::Done);
        told
    };
    assert_eq!(told(joined), [true]);
    assert_eq!(told(begun), []);
    assert_eq!(told(second.start(&request, &[&other]).expect("it is sent")), [false]);
}

#[test]
fn an_identity_is_not_used_for_another_request() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(COUNT);
    run(&fixture, &request(9, &bytes, vec![Argument::Portal(0), Argument::Scalar(1)]));
    let other = run(&fixture, &request(9, &bytes, vec![Argument::Portal(0), Argument::Scalar(2)]));
    assert_eq!(other.end, End::Refused(Refusal::IdentityUsed));
    assert_eq!(fixture.probe.writes(), 1);
}

#[test]
fn stored_outcomes_are_bounded_and_the_oldest_go_first() {
    let fixture = Fixture::new(Policy { stored_max: 2, ..Policy::default() });
    let bytes = program(COUNT);
    for id in 1..=3 {
        run(&fixture, &request(id, &bytes, vec![Argument::Portal(0), Argument::Scalar(1)]));
    }
    assert_eq!(fixture.client().ask(RunId(1)).expect("the server answers"), Asked::Unknown);
    assert!(matches!(fixture.client().ask(RunId(3)).expect("the server answers"), Asked::Ended(_)));
}

#[test]
fn the_cap_of_the_header_stops_the_run_before_the_write_over_it() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(COUNT);
    let outcome = run(&fixture, &request(1, &bytes, vec![Argument::Portal(0), Argument::Scalar(60)]));
    let End::Limit { kind, limit, used, source } = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!((kind, limit, used), (LimitKind::Writes, 50, 50));
    assert_eq!(source, LimitSource::Header(2));
    assert_eq!(fixture.probe.writes(), 50);
    let call = outcome.call.expect("the call that was not made is named");
    assert_eq!(call.operation, "Probe.add");
    assert_eq!(call.arguments, [("n".to_owned(), "50".to_owned())]);
    assert_eq!(outcome.calls[0].to_string(), "Probe.add 50");
    assert_eq!(outcome.calls.len(), 1);
}

/// A client that lies about its loops: the bound it claims is enforced on it, the server's own bill holds.
#[test]
fn a_client_that_lies_about_its_loops_is_stopped_at_its_lie() {
    let fixture = Fixture::new(Policy::default());
    let honest = program(COUNT);
    let loops_at = 48
        + View::new(&honest).expect("a program").code.len() * 16
        + View::new(&honest).expect("a program").ops.len() * 16;
    // The limit of the only loop: bytes 16 to 24 of its entry.
    let mut lying = honest.clone();
    lying[loops_at + 16..loops_at + 24].copy_from_slice(&2u64.to_le_bytes());
    let request = request(1, &lying, vec![Argument::Portal(0), Argument::Scalar(40)]);
    let bill = fixture.client().bill(&request).expect("the server answers").bill.expect("it has a bill");
    assert_eq!(bill.writes.at_most, 2);
    let outcome = run(&fixture, &request);
    assert!(
        matches!(outcome.end, End::Limit { kind: LimitKind::Loop(0), limit: 2, .. }),
        "{:?}",
        outcome.end
    );
    assert_eq!(fixture.probe.writes(), 2, "no more than its bill says");
}

#[test]
fn a_program_that_names_no_bound_is_rejected() {
    let fixture = Fixture::new(Policy::default());
    let honest = program(COUNT);
    let view = View::new(&honest).expect("a program");
    let loops_at = 48 + (view.code.len() + view.ops.len()) * 16;
    let mut boundless = honest.clone();
    boundless[loops_at + 8..loops_at + 24].fill(0xff);
    let outcome = run(&fixture, &request(1, &boundless, vec![Argument::Portal(0), Argument::Scalar(1)]));
    let End::Rejected(faults) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(faults[0].rule, "no-limit");
    assert_eq!(fixture.probe.writes(), 0);
}

#[test]
fn policy_refuses_large_bills_defaults_and_unconfirmed_writes() {
    let accepts = Accepts { writes: Some(10), ..Accepts::default() };
    let fixture = Fixture::new(Policy { accepts, ..Policy::default() });
    let bytes = program(COUNT);
    let arguments = || vec![Argument::Portal(0), Argument::Scalar(1)];
    let outcome = run(&fixture, &request(1, &bytes, arguments()));
    let refused = Refusal::Bill { kind: LimitKind::Writes, bill: 50, accepts: 10 };
    assert_eq!(outcome.end, End::Refused(refused));

    let strict =
        Fixture::new(Policy { defaults: Defaults::Refused, name: "strict".into(), ..Policy::default() });
    let endless = program("program e(p: Probe) {\n  while p.get(1, 2, 3) == 0 { }\n}");
    let outcome = run(&strict, &on_root(1, &endless));
    assert_eq!(outcome.end, End::Refused(Refusal::Defaults { policy: "strict".into(), lines: vec![3] }));

    let fixture = Fixture::new(Policy { confirm: Confirm::Writes, ..Policy::default() });
    let outcome = run(&fixture, &request(1, &bytes, arguments()));
    let End::Refused(Refusal::NotApproved { writes: 50, approval, .. }) = outcome.end else {
        panic!("{:?}", outcome.end);
    };
    assert_eq!(fixture.probe.writes(), 0);

    let hex = carnet_program::text::hex(&approval);
    let approved = RunRequest { approval: &hex[..32], ..request(1, &bytes, arguments()) };
    assert_eq!(run(&fixture, &approved).end, End::Done);
    let other_arguments = vec![Argument::Portal(0), Argument::Scalar(2)];
    let misused = RunRequest { approval: &hex, ..request(3, &bytes, other_arguments) };
    assert_eq!(run(&fixture, &misused).end, End::Refused(Refusal::WrongApproval));
    let too_short = RunRequest { approval: &hex[..31], ..request(4, &bytes, arguments()) };
    assert_eq!(run(&fixture, &too_short).end, End::Refused(Refusal::WrongApproval));
    assert_eq!(fixture.probe.writes(), 1);
}

/// For each kind a bill as large as accepted, and one that is larger by 1, or larger than nothing.
#[test]
fn the_largest_accepted_bill_is_accepted_and_no_larger_one() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(
        "program t(p: Probe) at most 7 writes { for i in 0 .. 10 { p.get(1, 2, 3)  p.copy(1)  p.get(1, 2, 3) } }",
    );
    let bill = fixture.client().bill(&on_root(1, &bytes)).expect("the server answers").bill.expect("a bill");
    let none = Accepts::default();
    type Case = (LimitKind, u64, fn(u64, Accepts) -> Accepts);
    let cases: [Case; 4] = [
        (LimitKind::Calls, 30, |n, none| Accepts { calls: Some(n), ..none }),
        (LimitKind::Writes, 7, |n, none| Accepts { writes: Some(n), ..none }),
        (LimitKind::Written, 10 << 20, |n, none| Accepts { written: Some(n), ..none }),
        (LimitKind::Instructions, bill.instructions.at_most, |n, none| Accepts {
            instructions: Some(n),
            ..none
        }),
    ];
    for (kind, bill, accepting) in cases {
        let end = |accepts| {
            let fixture = Fixture::new(Policy { accepts: accepting(accepts, none), ..Policy::default() });
            run(&fixture, &on_root(1, &bytes)).end
        };
        assert!(matches!(end(bill), End::Limit { kind: LimitKind::Writes, .. }), "{kind:?}: it is run");
        for accepts in [bill - 1, 0] {
            assert_eq!(end(accepts), End::Refused(Refusal::Bill { kind, bill, accepts }));
        }
    }
}

const ENDLESS: &str = "
program endless(p: Probe) -> int {
  var n = 0
  while p.get(1, 2, 3) == 0 limit 1_000_000_000_000 { n += 1 }
  return n
}";

fn unlimited() -> Policy {
    let limits = Limits { calls: u64::MAX, instructions: 1 << 60, ..Limits::default() };
    Policy { limits, ..Policy::default() }
}

#[test]
fn the_wall_clock_ends_a_run() {
    let limits = Limits { time_ns: 300_000_000, ..unlimited().limits };
    let fixture = Fixture::new(Policy { limits, ..unlimited() });
    let bytes = program(ENDLESS);
    let began = Instant::now();
    let outcome = run(&fixture, &on_root(1, &bytes));
    assert!(matches!(outcome.end, End::Limit { kind: LimitKind::Time, .. }), "{:?}", outcome.end);
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(outcome.receipt.calls > 0);
}

#[test]
fn a_run_is_cancelled_from_another_connection_while_the_session_hears_its_client() {
    let fixture = Fixture::new(unlimited());
    let bytes = program(ENDLESS);
    let client = fixture.client();
    let root = client.transport().root();
    let running = client.start(&on_root(5, &bytes), &[&root]).expect("it is sent");
    let other = fixture.client();
    wait_until(|| other.ask(RunId(5)).expect("the server answers") == Asked::Running);
    // The session itself answers meanwhile.
    assert_eq!(client.status().expect("the server answers").running, 1);
    assert!(other.cancel(RunId(5)).expect("the server answers"));
    let outcome = running.wait(&mut |_| {}).expect("the server answers");
    assert_eq!(outcome.end, End::Cancelled);
    assert!(!other.cancel(RunId(5)).expect("the server answers"), "it has ended");
}

#[test]
fn when_the_client_is_gone_its_run_is_cancelled_and_can_be_asked_for() {
    let fixture = Fixture::new(unlimited());
    let bytes = program(ENDLESS);
    let client = fixture.client();
    let root = client.transport().root();
    let running = client.start(&on_root(6, &bytes), &[&root]).expect("it is sent");
    let other = fixture.client();
    wait_until(|| other.ask(RunId(6)).expect("the server answers") == Asked::Running);
    drop((running, root, client));
    wait_until(|| matches!(other.ask(RunId(6)).expect("the server answers"), Asked::Ended(_)));
    let Asked::Ended(outcome) = other.ask(RunId(6)).expect("the server answers") else {
        panic!("it has ended")
    };
    assert_eq!(outcome.end, End::Cancelled);
}

#[test]
fn a_blocking_call_does_not_hold_up_its_session() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program("program w(p: Probe) -> int { return p.wait() }");
    let client = fixture.client();
    let root = client.transport().root();
    let running = client.start(&on_root(1, &bytes), &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.waiting());
    assert_eq!(client.status().expect("the server answers").running, 1);
    fixture.probe.let_go();
    let outcome = running.wait(&mut |_| {}).expect("the server answers");
    assert_eq!((outcome.end.clone(), int(&outcome)), (End::Done, 7));
}

#[test]
fn too_many_runs_at_once_are_refused() {
    let fixture = Fixture::new(Policy { runs_max: 1, ..Policy::default() });
    let bytes = program("program w(p: Probe) -> int { return p.wait() }");
    let client = fixture.client();
    let root = client.transport().root();
    let running = client.start(&on_root(1, &bytes), &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.waiting());
    assert_eq!(run(&fixture, &on_root(2, &bytes)).end, End::Refused(Refusal::Busy(1)));
    fixture.probe.let_go();
    assert_eq!(running.wait(&mut |_| {}).expect("the server answers").end, End::Done);
}

#[test]
fn a_service_that_panics_ends_its_run_and_no_other() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program("program b(p: Probe) -> int { return p.panics() }");
    let outcome = run(&fixture, &on_root(1, &bytes));
    assert!(matches!(outcome.end, End::CallFailed { raised: false, .. }), "{:?}", outcome.end);
    let fine = program(COUNT);
    let outcome = run(&fixture, &request(2, &fine, vec![Argument::Portal(0), Argument::Scalar(2)]));
    assert_eq!(outcome.end, End::Done);
}

#[test]
fn a_dry_run_reads_and_writes_nothing() {
    let fixture = Fixture::new(Policy { confirm: Confirm::Writes, ..Policy::default() });
    let bytes = program(COUNT);
    let options = RunOptions { dry: true, ..RunOptions::default() };
    let dry = RunRequest { options, ..request(1, &bytes, vec![Argument::Portal(0), Argument::Scalar(3)]) };
    let outcome = run(&fixture, &dry);
    assert_eq!((outcome.end, outcome.dry), (End::Done, true));
    assert_eq!((outcome.receipt.calls, outcome.receipt.writes), (3, 3), "they would have been made");
    assert_eq!(fixture.probe.writes(), 0);
}

#[test]
fn arguments_are_held_against_parameters() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(COUNT);
    let wrong = [
        vec![],
        vec![Argument::Portal(0)],
        vec![Argument::Portal(1), Argument::Scalar(1)],
        vec![Argument::Scalar(0), Argument::Scalar(1)],
        vec![Argument::Portal(0), Argument::Text(b"1")],
        vec![Argument::Portal(0), Argument::Portal(0)],
        vec![Argument::Named(b"nobody"), Argument::Scalar(1)],
    ];
    for (id, arguments) in wrong.into_iter().enumerate() {
        let outcome = run(&fixture, &request(id as u128, &bytes, arguments.clone()));
        assert!(
            matches!(outcome.end, End::Refused(Refusal::Argument { .. })),
            "{arguments:?}: {:?}",
            outcome.end
        );
    }
    let named = request(100, &bytes, vec![Argument::Named(b"me"), Argument::Scalar(1)]);
    assert_eq!(run(&fixture, &named).end, End::Done);
    assert_eq!(fixture.probe.writes(), 1);
}

#[test]
fn every_truncation_of_a_request_is_answered() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(COUNT);
    let whole = request(1, &bytes, vec![Argument::Portal(0), Argument::Scalar(1)]).encode();
    let client = fixture.client();
    for len in (0..whole.len()).step_by(3) {
        let answer =
            client.transport().control(carnet_program::protocol::RUN, &whole[..len], &[], &mut |_| {});
        assert!(answer.is_err(), "{len} bytes are no request");
    }
    assert_eq!(fixture.probe.writes(), 0);
}

#[test]
fn revoking_the_root_ends_a_run_at_its_next_call() {
    let fixture = Fixture::new(unlimited());
    let bytes = program(ENDLESS);
    let client = fixture.client();
    let root = client.transport().root();
    let running = client.start(&on_root(1, &bytes), &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.was_read());
    fixture.revoke();
    assert_eq!(running.wait(&mut |_| {}).expect("the server answers").end, End::Revoked);
}

#[test]
fn shutting_down_cancels_what_runs_and_refuses_what_comes() {
    let fixture = Fixture::new(unlimited());
    let bytes = program(ENDLESS);
    let client = fixture.client();
    let root = client.transport().root();
    let running = client.start(&on_root(1, &bytes), &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.was_read());
    fixture.programs.close();
    assert_eq!(running.wait(&mut |_| {}).expect("the server answers").end, End::Cancelled);
    assert_eq!(run(&fixture, &on_root(2, &bytes)).end, End::Refused(Refusal::Closing));
}

/// A refusal that needs no program costs no verification.
#[test]
fn what_cannot_begin_now_is_not_verified() {
    let fixture = Fixture::new(Policy { runs_max: 1, ..Policy::default() });
    let end = |approval: &str| {
        let nothing = RunRequest { approval, ..on_root(2, b"no program") };
        run(&fixture, &nothing).end
    };
    assert!(matches!(end(""), End::Rejected(_)));
    let digits = "0123456789abcdef0123456789abcdef";
    assert!(matches!(end(digits), End::Rejected(_)));
    assert!(matches!(end(&digits.repeat(2)), End::Rejected(_)));
    let malformed = [&digits[1..], &digits.to_uppercase(), &format!("{digits}g"), &digits.repeat(3)];
    for malformed in malformed {
        assert_eq!(end(malformed), End::Refused(Refusal::WrongApproval), "{malformed}");
    }
    let bytes = program("program w(p: Probe) -> int { return p.wait() }");
    let client = fixture.client();
    let root = client.transport().root();
    let running = client.start(&on_root(1, &bytes), &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.waiting());
    assert_eq!(end(""), End::Refused(Refusal::Busy(1)));
    fixture.programs.close();
    assert_eq!(end(""), End::Refused(Refusal::Closing));
    fixture.probe.let_go();
    assert_eq!(running.wait(&mut |_| {}).expect("the server answers").end, End::Cancelled);
}

/// Whenever that is: also while the server looks at the request, which takes the longer the program is.
#[test]
fn no_run_is_begun_after_shutting_down() {
    let long = "  x += n\n".repeat(4_000);
    let bytes = program(&format!(
        "program e(p: Probe, n: int = 1) -> int {{
          var x = 0
          if n > 1 {{ {long} }}
          while p.get(1, 2, 3) == 0 limit 1_000_000_000_000 {{ x += 1 }}
          return x
        }}"
    ));
    let limits = Limits { time_ns: 5_000_000_000, ..unlimited().limits };
    for meanwhile in 0..40 {
        let fixture = Fixture::new(Policy { limits, ..unlimited() });
        let (client, other) = (fixture.client(), fixture.client());
        let root = client.transport().root();
        let arguments = vec![Argument::Portal(0), Argument::Scalar(1)];
        let running = client.start(&request(1, &bytes, arguments), &[&root]).expect("it is sent");
        for _ in 0..meanwhile {
            other.status().expect("the server answers");
        }
        fixture.programs.close();
        let end = running.wait(&mut |_| {}).expect("the server answers").end;
        assert!(matches!(end, End::Refused(Refusal::Closing) | End::Cancelled), "{meanwhile}: {end:?}");
    }
}

#[test]
fn trace_tells_each_call_before_it_is_made() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(COUNT);
    let options = RunOptions { trace: true, ..RunOptions::default() };
    let traced = RunRequest { options, ..request(1, &bytes, vec![Argument::Portal(0), Argument::Scalar(3)]) };
    let client = fixture.client();
    let root = client.transport().root();
    let mut calls = Vec::new();
    let outcome = client
        .start(&traced, &[&root])
        .expect("it is sent")
        .wait(&mut |progress| {
            if let carnet_program::protocol::Progress::Call { call, .. } = progress {
                calls.push(call.arguments[0].1.clone());
            }
        })
        .expect("the server answers");
    assert_eq!(outcome.end, End::Done);
    assert_eq!(calls, ["0", "1", "2"]);
}

/// A program that overwrites its portal's register number with a forged one does not exist: registers are no slots.
#[test]
fn a_lent_portal_cannot_be_forged() {
    let fixture = Fixture::new(Policy::default());
    let honest = program("program s(p: Probe) -> int { return p.same(p) }");
    let view = View::new(&honest).expect("a program");
    let lend = view.code.iter().position(|ins| matches!(Ins::decode(ins), Ok(Ins { op: Op::Lend, .. })));
    let at = 48 + 16 * lend.expect("the argument is lent");
    let mut forged = honest.clone();
    forged[at] = Op::Load as u8;
    forged[at + 4..at + 6].fill(0);
    forged[at + 8] = 5;
    let outcome = run(&fixture, &on_root(1, &forged));
    let End::Rejected(faults) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(faults[0].rule, "type");
    assert_eq!(run(&fixture, &on_root(2, &honest)).end, End::Done);
}

#[test]
fn programs_of_empty_and_hostile_tables_are_rejected() {
    let fixture = Fixture::new(Policy::default());
    let empty = Program { code: Vec::new(), ..probe::parsed(COUNT) };
    for bytes in [Vec::new(), b"CNB1".to_vec(), empty.encode(), vec![0xff; 4096]] {
        let outcome = run(&fixture, &on_root(bytes.len() as u128, &bytes));
        assert!(matches!(outcome.end, End::Rejected(_)), "{:?}", outcome.end);
    }
}

/// Texts that are doubled until they are long, then searched, and a list that is long, then sorted: each one
/// instruction that costs more than any slice of time.
const HEAVY: &str = "
program heavy(p: Probe, rounds: int) -> int {
  var a: string(8_000_000) = \"aaaaaaaaaaaaaaaa\"
  var b: string(8_000_000) = \"aaaaaaab\"
  for i in 0 .. 18 { a += a }
  for i in 0 .. 17 { b += b }
  var found = 0
  for r in 0 .. rounds limit 1_000_000_000 {
    if a.contains(b) { found += 1 }
    p.get(1, 2, 3)
  }
  return found
}";

const SORTING: &str = "
record Named { name: string, n: int }
program sorting(p: Probe, count: int) -> int {
  var l: list(Named, 1_000_000)
  for i in 0 .. count limit 1_000_000 { l.add(Named(name: \"x\", n: count - i)) }
  p.get(1, 2, 3)
  sort l by name, n
  return l[0].n
}";

#[test]
fn one_instruction_dearer_than_a_slice_is_done() {
    let fixture = Fixture::new(unlimited());
    let heavy = program(HEAVY);
    let outcome = run(&fixture, &request(1, &heavy, vec![Argument::Portal(0), Argument::Scalar(2)]));
    assert_eq!((outcome.end.clone(), int(&outcome)), (End::Done, 0));
    let sorting = program(SORTING);
    let outcome = run(&fixture, &request(2, &sorting, vec![Argument::Portal(0), Argument::Scalar(60_000)]));
    assert_eq!((outcome.end.clone(), int(&outcome)), (End::Done, 1));
    assert!(outcome.receipt.instructions > 40_000_000, "it is dearer than a slice: {:?}", outcome.receipt);
}

#[test]
fn an_instruction_dearer_than_the_budget_is_not_begun() {
    let limits = Limits { instructions: 3_000_000, ..Limits::default() };
    let fixture = Fixture::new(Policy { limits, ..Policy::default() });
    let sorting = program(SORTING);
    let outcome = run(&fixture, &request(1, &sorting, vec![Argument::Portal(0), Argument::Scalar(60_000)]));
    assert!(matches!(outcome.end, End::Limit { kind: LimitKind::Instructions, .. }), "{:?}", outcome.end);
}

#[test]
fn work_on_data_ends_at_the_deadline_and_when_cancelled() {
    let limits = Limits { time_ns: 200_000_000, ..unlimited().limits };
    let fixture = Fixture::new(Policy { limits, ..unlimited() });
    let heavy = program(HEAVY);
    let many = || vec![Argument::Portal(0), Argument::Scalar(1_000_000_000)];
    let outcome = run(&fixture, &request(1, &heavy, many()));
    assert!(matches!(outcome.end, End::Limit { kind: LimitKind::Time, .. }), "{:?}", outcome.end);

    let fixture = Fixture::new(unlimited());
    let client = fixture.client();
    let root = client.transport().root();
    let running = client.start(&request(2, &heavy, many()), &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.was_read());
    assert!(fixture.client().cancel(RunId(2)).expect("the server answers"));
    assert_eq!(running.wait(&mut |_| {}).expect("the server answers").end, End::Cancelled);
}

#[test]
fn a_service_that_panics_while_it_makes_an_argument_ends_that_run_only() {
    let fixture = Fixture::new(Policy { runs_max: 2, runs_per_principal_max: 2, ..Policy::default() });
    let bytes = program("program g(p: Probe) -> int { return p.get(1, 2, 3) }");
    for id in 0..4 {
        let outcome = run(&fixture, &request(id, &bytes, vec![Argument::Named(b"panic")]));
        assert!(matches!(outcome.end, End::CallFailed { raised: false, .. }), "{:?}", outcome.end);
    }
    assert_eq!(run(&fixture, &on_root(9, &bytes)).end, End::Done);
    assert_eq!(fixture.programs.status("").running, 0);
}
