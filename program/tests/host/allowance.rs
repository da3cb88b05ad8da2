//! What a principal may use in each period: it stops runs and refuses them, in all sessions together, and comes back.

use carnet_portal::call::Kind;
use carnet_program::client::{Asked, Client};
use carnet_program::host::Policy;
use carnet_program::limits::{Allowance, Amounts, LimitKind, LimitSource, Limits, Standing};
use carnet_program::protocol::{Argument, End, Outcome, Progress, Refusal, RunId, RunOptions, RunRequest};

use super::probe::{Fixture, program, wait_until};
use super::{COUNT, ENDLESS, int, on_root, request, run, unlimited};

/// More than any of these tests uses.
const MUCH: Amounts = Amounts { calls: 1 << 40, writes: 1 << 40, written: 1 << 40, instructions: 1 << 40 };

fn allowing(amounts: Amounts) -> Policy {
    Policy { allowance: Allowance { period_s: 60, amounts }, ..unlimited() }
}

fn counting(id: u128, program: &[u8], n: i64) -> RunRequest<'_> {
    request(id, program, vec![Argument::Portal(0), Argument::Scalar(n)])
}

fn standing(fixture: &Fixture) -> Standing {
    fixture.client().status().expect("the server answers").standing
}

/// What stopped it: kind, allowance, used.
fn stopped(outcome: &Outcome) -> (LimitKind, u64, u64) {
    let End::Limit { kind, limit, used, source } = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(source, LimitSource::Allowance { period_s: 60, again_s: 60, held: 0 });
    (kind, limit, used)
}

fn refused(outcome: &Outcome) -> LimitKind {
    let End::Refused(Refusal::Allowance { kind, .. }) = outcome.end else { panic!("{:?}", outcome.end) };
    kind
}

#[test]
fn writes_stop_a_run_in_its_middle_and_then_refuse_the_next() {
    let fixture = Fixture::new(allowing(Amounts { writes: 10, ..MUCH }));
    let bytes = program(COUNT);
    let outcome = run(&fixture, &counting(1, &bytes, 20));
    assert_eq!(stopped(&outcome), (LimitKind::Writes, 10, 10));
    assert_eq!(fixture.probe.writes(), 10);
    assert_eq!(outcome.call.expect("the call that was not made is named").arguments[0].1, "10");
    assert_eq!(outcome.calls[0].to_string(), "Probe.add 10");

    assert_eq!(refused(&run(&fixture, &counting(2, &bytes, 1))), LimitKind::Writes);
    assert_eq!(fixture.client().ask(RunId(2)).expect("the server answers"), Asked::Unknown);
    let reads = program("program r(p: Probe) -> int { return p.get(1, 2, 3) }");
    assert_eq!(run(&fixture, &on_root(3, &reads)).end, End::Done, "it needs no writes");

    fixture.pass(59);
    assert_eq!(standing(&fixture).again_s, 1);
    assert_eq!(refused(&run(&fixture, &counting(2, &bytes, 1))), LimitKind::Writes);
    fixture.pass(1);
    assert_eq!(standing(&fixture).left(), Amounts { writes: 10, ..MUCH });
    assert_eq!(run(&fixture, &counting(2, &bytes, 10)).end, End::Done);
}

#[test]
fn calls_stop_a_run() {
    let fixture = Fixture::new(allowing(Amounts { calls: 1_000, ..MUCH }));
    let outcome = run(&fixture, &on_root(1, &program(ENDLESS)));
    assert_eq!(stopped(&outcome), (LimitKind::Calls, 1_000, 1_000));
    assert_eq!(fixture.probe.reads(), 1_000);
    assert_eq!(refused(&run(&fixture, &on_root(2, &program(ENDLESS)))), LimitKind::Calls);
}

#[test]
fn bytes_written_stop_a_run_before_the_call_that_does_not_fit() {
    let copies = "program c(p: Probe) -> int {
  for i in 0 .. 100 { p.copy(300) }
  return 0
}";
    let fixture = Fixture::new(allowing(Amounts { written: 1_000, ..MUCH }));
    let outcome = run(&fixture, &on_root(1, &program(copies)));
    assert_eq!(stopped(&outcome), (LimitKind::Written, 1_000, 900));
    assert_eq!(fixture.probe.writes(), 3);
    assert_eq!(standing(&fixture).left().written, 100, "what it could not use is left");
    let small = program("program c(p: Probe) -> int { return p.copy(100) }");
    assert_eq!(run(&fixture, &on_root(2, &small)).end, End::Done);
    assert_eq!(refused(&run(&fixture, &on_root(3, &small))), LimitKind::Written);
}

#[test]
fn instructions_stop_a_run() {
    let counts = "program c(p: Probe) -> int {
  var n = 0
  while n >= 0 limit 1_000_000_000_000 { n += 1 }
  return n
}";
    let fixture = Fixture::new(allowing(Amounts { instructions: 10_000, ..MUCH }));
    let outcome = run(&fixture, &on_root(1, &program(counts)));
    let (kind, allowance, used) = stopped(&outcome);
    assert_eq!((kind, allowance), (LimitKind::Instructions, 10_000));
    assert!((9_990..=10_000).contains(&used), "the next block would not have fitted: {used}");
    assert_eq!(outcome.receipt.instructions, used);
    assert_eq!(standing(&fixture).used.instructions, used);
}

/// Programs with one budget stop where those with an allowance of the same stop, though that is drawn in parts.
#[test]
fn an_allowance_stops_where_a_limit_of_the_same_stops() {
    let grows = "program g(p: Probe) -> int {
  var a: string(100_000) = \"aaaaaaaaaaaaaaaa\"
  for i in 0 .. 12 { p.add(a.len)  a += a  p.copy(a.len) }
  return a.len
}";
    let bytes = program(grows);
    let all = run(&Fixture::new(unlimited()), &on_root(1, &bytes)).receipt;
    for part in 1..40 {
        let of = |n: u64| (n * part / 40).max(1);
        let cut = Amounts { instructions: of(all.instructions), ..MUCH };
        for (limits, amounts) in [
            (Limits { instructions: cut.instructions, ..unlimited().limits }, cut),
            (
                Limits { written: of(all.written), ..unlimited().limits },
                Amounts { written: of(all.written), ..MUCH },
            ),
            (Limits { calls: of(all.calls), ..unlimited().limits }, Amounts { calls: of(all.calls), ..MUCH }),
        ] {
            let limited = Fixture::new(Policy { limits, ..allowing(MUCH) });
            let limited = run(&limited, &on_root(1, &bytes));
            let allowed = run(&Fixture::new(allowing(amounts)), &on_root(1, &bytes));
            let what = |outcome: &Outcome| {
                let End::Limit { kind, limit, used, .. } = outcome.end else { panic!("{:?}", outcome.end) };
                (kind, limit, used, outcome.at, outcome.calls.clone(), outcome.receipt.instructions)
            };
            assert_eq!(what(&limited), what(&allowed), "{amounts:?}");
        }
    }
}

#[test]
fn the_smaller_of_allowance_and_limit_is_named() {
    let fixture = Fixture::new(allowing(Amounts { writes: 60, ..MUCH }));
    let bytes = program(COUNT);
    let outcome = run(&fixture, &counting(1, &bytes, 100));
    let End::Limit { limit: 50, used: 50, source: LimitSource::Header(2), .. } = outcome.end else {
        panic!("{:?}", outcome.end);
    };
    let outcome = run(&fixture, &counting(2, &bytes, 100));
    assert_eq!(stopped(&outcome), (LimitKind::Writes, 60, 60), "50 before, 10 now");
    assert_eq!(outcome.receipt.writes, 10);
}

#[test]
fn sessions_of_one_principal_share_its_account() {
    let fixture = Fixture::new(allowing(Amounts { writes: 10, ..MUCH }));
    let bytes = program(COUNT);
    for id in 0..5 {
        // `run` connects anew each time.
        assert_eq!(run(&fixture, &counting(id, &bytes, 2)).end, End::Done);
        assert_eq!(standing(&fixture).used.writes, 2 * (id as u64 + 1));
    }
    assert_eq!(refused(&run(&fixture, &counting(9, &bytes, 1))), LimitKind::Writes);
    let other = fixture.programs.status("somebody else").standing;
    assert_eq!(other.left(), Amounts { writes: 10, ..MUCH });
}

const WAITS: &str = "program w(p: Probe, n: int) -> int at most 1_000 writes {
  var sum = 0
  for i in 0 .. n limit 1_000 { sum += p.add(i) }
  sum += p.wait()
  for i in 0 .. n limit 1_000 { sum += p.add(i) }
  return sum
}";

/// Several runs in the middle of their work, none of which knows of the others: together they make as many writes as
/// the principal has at most.
#[test]
fn runs_at_the_same_time_cannot_overdraw_together() {
    let fixture = Fixture::new(allowing(Amounts { writes: 100, ..MUCH }));
    let bytes = program(WAITS);
    let client = fixture.client();
    let root = client.transport().root();
    let begin = |id| client.start(&counting(id, &bytes, 12), &[&root]).expect("it is sent");
    let running: Vec<_> = (0..5).map(begin).collect();
    wait_until(|| fixture.probe.writes() == 60);
    let during = standing(&fixture);
    let drawn = during.used.writes + during.held.writes;
    assert!((60..=100).contains(&drawn), "{during:?}");
    fixture.probe.let_go();
    let ends: Vec<Outcome> =
        running.into_iter().map(|r| r.wait(&mut |_| {}).expect("the server answers")).collect();
    let writes = fixture.probe.writes();
    assert!(writes > 60 && writes <= 100, "{writes} of 100, and 120 wanted");
    assert!(ends.iter().any(|outcome| outcome.end != End::Done));
    let after = standing(&fixture);
    assert_eq!((after.used.writes, after.held), (writes, Amounts::default()));
}

/// It waits over the end of a period with nothing left, and goes on with the next.
#[test]
fn a_run_goes_on_with_what_a_new_period_brings() {
    let fixture = Fixture::new(allowing(Amounts { writes: 20, ..MUCH }));
    let bytes = program(WAITS);
    let client = fixture.client();
    let root = client.transport().root();
    // 8 of 20 are used when it begins.
    let first = program(COUNT);
    assert_eq!(run(&fixture, &counting(1, &first, 8)).end, End::Done);
    let running = client.start(&counting(2, &bytes, 12), &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.writes() == 20);
    assert_eq!(standing(&fixture).left().writes, 0);
    fixture.pass(60);
    let held = standing(&fixture).held.writes;
    assert!(
        held > 0 && standing(&fixture).left().writes == 20 - held,
        "what it holds counts in the new period"
    );
    fixture.probe.let_go();
    let outcome = running.wait(&mut |_| {}).expect("the server answers");
    assert_eq!((outcome.end, outcome.receipt.writes), (End::Done, 24));
    let now = standing(&fixture);
    assert_eq!((now.used.writes, now.held), (12 + held, Amounts::default()));
}

/// What was drawn is used up before some of its calls; each of them is told once.
#[test]
fn a_traced_run_tells_each_call_once() {
    let copies = "program c(p: Probe) {
  for i in 0 .. 12 { p.copy(300) }
}";
    let room = Amounts { calls: 20, writes: 20, written: 5_000, ..MUCH };
    let fixture = Fixture::new(allowing(room));
    let bytes = program(copies);
    let options = RunOptions { trace: true, ..RunOptions::default() };
    let client = fixture.client();
    let root = client.transport().root();
    let request = RunRequest { options, ..on_root(1, &bytes) };
    let running = client.start(&request, &[&root]).expect("it is sent");
    let mut told = 0;
    let outcome = running.wait(&mut |progress| told += u64::from(matches!(progress, Progress::Call { .. })));
    let outcome = outcome.expect("the server answers");
    assert_eq!((outcome.end, outcome.receipt.calls, told), (End::Done, 12, 12));
}

/// One that lasts over many periods may use an allowance in each of them.
#[test]
fn a_long_run_has_an_allowance_in_each_period() {
    let limits = Limits { calls: 10_000, ..unlimited().limits };
    let fixture = Fixture::new(Policy { limits, ..allowing(Amounts { calls: 1_000, ..MUCH }) });
    // It looks at the clock whenever it draws: some ten times for all that there is.
    fixture.pace(30);
    let outcome = run(&fixture, &on_root(1, &program(ENDLESS)));
    let End::Limit { kind: LimitKind::Calls, limit: 10_000, used: 10_000, source: LimitSource::Server } =
        outcome.end
    else {
        panic!("{:?}", outcome.end)
    };
    fixture.pace(0);
    assert_eq!(standing(&fixture).held, Amounts::default());
}

/// However a run ends, its account is settled: nothing stays held, and what it did is counted.
#[test]
fn runs_that_are_cancelled_or_lose_their_client_are_settled() {
    let fixture = Fixture::new(allowing(MUCH));
    let bytes = program(ENDLESS);
    let other = fixture.client();
    for id in [1, 2] {
        let client = fixture.client();
        let root = client.transport().root();
        let running = client.start(&on_root(id, &bytes), &[&root]).expect("it is sent");
        wait_until(|| fixture.probe.reads() > 0 && standing(&fixture).held.calls > 0);
        if id == 1 {
            assert!(other.cancel(RunId(id)).expect("the server answers"));
        }
        drop((running, root, client));
        wait_until(|| matches!(other.ask(RunId(id)).expect("the server answers"), Asked::Ended(_)));
        let now = standing(&fixture);
        assert_eq!((now.used.calls, now.held), (fixture.probe.reads(), Amounts::default()), "{id}");
    }
}

/// A run that breaks off leaves its machine without an account of the last slice: all that it might have used counts.
#[test]
fn a_run_in_which_the_service_panics_gives_nothing_back() {
    let loops = "program b(p: Probe) -> int {
  var n = 0
  while n < 3_000 limit 100_000 { n += 1 }
  return p.panics()
}";
    let fixture = Fixture::new(allowing(MUCH));
    let outcome = run(&fixture, &on_root(1, &program(loops)));
    assert!(matches!(outcome.end, End::CallFailed { raised: false, .. }), "{:?}", outcome.end);
    let now = standing(&fixture);
    assert_eq!((now.used.calls, now.held), (1, Amounts::default()));
    assert!(now.used.instructions > 100_000, "as many as its bill says: {now:?}");
}

#[test]
fn a_dry_run_uses_calls_and_no_writes() {
    let fixture = Fixture::new(allowing(Amounts { writes: 0, written: 0, ..MUCH }));
    let bytes = program(COUNT);
    assert_eq!(refused(&run(&fixture, &counting(1, &bytes, 3))), LimitKind::Writes);
    let dry =
        RunRequest { options: RunOptions { dry: true, ..RunOptions::default() }, ..counting(1, &bytes, 3) };
    assert_eq!(run(&fixture, &dry).end, End::Done);
    let used = standing(&fixture).used;
    assert_eq!((used.calls, used.writes), (3, 0));
}

/// Portals that are made of texts cost calls, also for runs that are then refused.
#[test]
fn arguments_that_are_made_of_texts_are_calls() {
    let fixture = Fixture::new(allowing(Amounts { calls: 5, ..MUCH }));
    let bytes = program(COUNT);
    let named = |id, name| request(id, &bytes, vec![Argument::Named(name), Argument::Scalar(1)]);
    let outcome = run(&fixture, &named(1, b"me"));
    assert_eq!((outcome.end.clone(), int(&outcome)), (End::Done, 0));
    assert_eq!(standing(&fixture).used.calls, 2);
    for id in 2..5 {
        let outcome = run(&fixture, &named(id, b"nobody"));
        assert!(matches!(outcome.end, End::Refused(Refusal::Argument { .. })), "{:?}", outcome.end);
    }
    let now = standing(&fixture);
    assert_eq!((now.used.calls, now.held), (5, Amounts::default()));
    assert_eq!(refused(&run(&fixture, &named(5, b"nobody"))), LimitKind::Calls);

    fixture.pass(60);
    let unfit = request(6, &bytes, vec![Argument::Text(b"me"), Argument::Named(b"me")]);
    assert!(matches!(run(&fixture, &unfit).end, End::Refused(Refusal::Argument { index: 0, .. })));
    assert_eq!(standing(&fixture).used.calls, 0, "no portal was made");
}

/// Asking again for what has ended runs nothing and costs nothing; so does what is refused for another reason.
#[test]
fn only_what_runs_is_charged() {
    let fixture = Fixture::new(Policy { runs_max: 1, ..allowing(MUCH) });
    let bytes = program(COUNT);
    let first = run(&fixture, &counting(1, &bytes, 3));
    let used = standing(&fixture).used;
    assert_eq!(run(&fixture, &counting(1, &bytes, 3)), first);
    assert_eq!(run(&fixture, &counting(1, &bytes, 4)).end, End::Refused(Refusal::IdentityUsed));
    assert!(matches!(run(&fixture, &on_root(2, &bytes[..40])).end, End::Rejected(_)));
    let now = standing(&fixture);
    assert_eq!((now.used, now.held), (used, Amounts::default()));
}

const ADD: u16 = 2;
const STALL: u16 = 6;
const COPY: u16 = 8;

/// So many calls that were made before one was refused, and what that said.
fn until_refused(fixture: &Fixture, client: &Client, op: u16, n: u64) -> (u64, String) {
    for made in 0..2_000 {
        match fixture.call(client, op, n) {
            Ok(_) => {}
            Err(failure) if failure.kind() == Kind::Refused => return (made, failure.to_string()),
            Err(failure) => panic!("{failure}"),
        }
    }
    panic!("2,000 calls were made")
}

#[test]
fn single_calls_are_charged_to_the_same_account() {
    let fixture = Fixture::new(allowing(Amounts { calls: 1_000, writes: 10, written: 1_000, ..MUCH }));
    let client = fixture.client();
    assert_eq!(run(&fixture, &counting(1, &program(COUNT), 4)).end, End::Done);
    let (made, why) = until_refused(&fixture, &client, ADD, 1);
    assert_eq!((made, fixture.probe.writes()), (6, 10), "4 writes were made by a program");
    assert_eq!(why, "your allowance of 10 writes for 1 min is used up; full again in 1 min");
    assert_eq!(refused(&run(&fixture, &counting(2, &program(COUNT), 1))), LimitKind::Writes);
    let (reads, why) = until_refused(&fixture, &client, STALL, 0);
    assert_eq!(why, "your allowance of 1,000 calls for 1 min is used up; full again in 1 min");
    assert_eq!(reads + 10, 1_000);
    fixture.pass(60);
    assert!(fixture.call(&client, ADD, 1).is_ok());
}

#[test]
fn single_calls_are_charged_the_bytes_that_they_write() {
    let fixture = Fixture::new(allowing(Amounts { written: 1_000, ..MUCH }));
    let client = fixture.client();
    let (made, why) = until_refused(&fixture, &client, COPY, 300);
    assert_eq!((made, fixture.probe.writes()), (3, 3));
    assert_eq!(
        why,
        "of your allowance of 1000 B written for 1 min 100 B written are left; full again in 1 min"
    );
    assert!(fixture.call(&client, COPY, 100).is_ok());
    assert!(fixture.call(&client, ADD, 1).is_ok(), "it writes no bytes");
}

/// What a session has used is missing in the period in which it used it, and in none after that, however long it stays.
#[test]
fn sessions_that_idle_keep_nothing_of_what_they_used() {
    let fixture = Fixture::new(allowing(Amounts { written: 1_000, ..MUCH }));
    let idle = fixture.client();
    assert!((0..9).all(|_| fixture.call(&idle, COPY, 100).is_ok()));
    for _ in 0..3 {
        assert!(standing(&fixture).left().written <= 100);
        fixture.pass(60);
        let other = fixture.client();
        assert_eq!(until_refused(&fixture, &other, COPY, 100).0, 10);
    }
}

/// One call of each of many sessions, which then stay.
#[test]
fn sessions_that_made_a_call_each_lock_nobody_out() {
    const SESSIONS: usize = 100;
    let fixture = Fixture::new(allowing(Amounts { writes: SESSIONS as u64, ..MUCH }));
    let idle: Vec<Client> = (0..SESSIONS).map(|_| fixture.client()).collect();
    assert!(idle.iter().all(|client| fixture.call(client, ADD, 1).is_ok()));
    let other = fixture.client();
    assert_eq!(until_refused(&fixture, &other, ADD, 1).0, 0);
    fixture.pass(60);
    assert_eq!(until_refused(&fixture, &other, ADD, 1).0, SESSIONS as u64);
}

/// Nobody is told to wait for what will never be.
#[test]
fn what_no_period_has_enough_of_is_said() {
    let fixture = Fixture::new(allowing(Amounts { writes: 0, ..MUCH }));
    let (made, why) = until_refused(&fixture, &fixture.client(), ADD, 1);
    assert_eq!((made, why.as_str()), (0, "your allowance has no writes"));
    let fixture = Fixture::new(allowing(Amounts { written: 1_000, ..MUCH }));
    let (made, why) = until_refused(&fixture, &fixture.client(), COPY, 1_001);
    let expected = "this may take 1001 B written, more than your whole allowance of 1000 B written for 1 min";
    assert_eq!((made, why.as_str()), (0, expected));
}

/// As many sessions as a client can open: what each holds for itself is not lent twice, and comes back with it.
#[test]
fn many_sessions_cannot_overdraw_with_single_calls() {
    let fixture = Fixture::new(allowing(Amounts { writes: 100, calls: 1_000_000, ..MUCH }));
    let clients: Vec<Client> = (0..50).map(|_| fixture.client()).collect();
    for client in &clients {
        assert!(fixture.call(client, ADD, 1).is_ok());
        assert!(fixture.call(client, STALL, 0).is_ok());
    }
    let during = standing(&fixture);
    assert!(during.held.calls > 50, "sessions hold a share each: {during:?}");
    assert!(during.held.calls <= 1_000_000 / 16, "{during:?}");
    let made: u64 = clients.iter().map(|client| until_refused(&fixture, client, ADD, 1).0).sum();
    assert_eq!((made, fixture.probe.writes()), (50, 100));
    drop(clients);
    wait_until(|| standing(&fixture).held == Amounts::default());
    let used = standing(&fixture).used;
    assert_eq!((used.calls, used.writes), (150, 100), "what they did not use is given back");
}
