//! A call in doubt stays so until it was made again, whatever stops the run before that.

use std::thread;
use std::time::{Duration, Instant};

use carnet_portal::call::Kind;
use carnet_program::client::{Asked, Client};
use carnet_program::host::{Confirm, Policy, Trees};
use carnet_program::limits::LimitKind;
use carnet_program::protocol::{
    Argument, End, Engine, InDoubt, Outcome, Raise, Refusal, ResumeRequest, RunOptions, RunRequest,
    SetVariables,
};
use carnet_program::text::hex;
use carnet_program::tree::CapKind;

use super::in_doubt::ran as run;
use super::probe::{Fixture, program, stall, wait_until};
use super::restart::{ID, copied, directory, on_root_by, translated};
use super::set::named;
use super::{int, survives};

/// The answer of its second call is lost, and its limit is used up then.
const THREE: &str = "program w(p: Probe) -> int at most 2 writes {
  var sum = p.add(1)
  sum += p.add(20)
  return sum + p.add(300)
}";

const LIMIT: &str = "limit reached: 2 of 2 writes (header, line 2)";

fn resume(client: &Client, request: &ResumeRequest) -> Outcome {
    client.resume(request).expect("it is sent").wait(&mut |_| {}).expect("the server answers")
}

fn on_from(stop: u32, in_doubt: InDoubt) -> ResumeRequest {
    ResumeRequest { in_doubt, ..ResumeRequest::new(ID, stop) }
}

fn more(stop: u32, in_doubt: InDoubt) -> ResumeRequest {
    ResumeRequest { raises: vec![Raise { kind: CapKind::Writes, by: 5 }], ..on_from(stop, in_doubt) }
}

/// It stopped again, and is told as in doubt; what is told of it is the call.
fn assert_still_in_doubt(outcome: &Outcome, why: &str) {
    let message = format!(
        "stopped again before the call was made again ({why}); it is still unknown whether the call was done"
    );
    assert_eq!(outcome.end, End::CallInDoubt { message });
}

fn needs(outcome: &Outcome) -> (u32, InDoubt) {
    let kept = outcome.kept.expect("it can go on");
    (kept.stop, kept.in_doubt)
}

#[test]
fn over_a_limit() {
    for engine in [Engine::Bytecode, Engine::Native, Engine::Tree] {
        let fixture = Fixture::new(Policy { trees: Trees::Taken, ..translated() });
        let client = fixture.client();
        fixture.probe.lose_second(Kind::TimedOut);
        let lost = run(&fixture, THREE, engine);
        assert_eq!(needs(&lost), (1, InDoubt::Repeat));
        // It counted against the limit, so that this has to be raised.
        let short_of = [None, Some((LimitKind::Writes, 2)), None, None];
        assert_eq!(lost.kept.expect("it can go on").short_of, short_of);
        let options = RunOptions { engine, ..RunOptions::default() };
        // Each time it is said that it may be made again, and it is not.
        for stop in 1..4 {
            let again = ResumeRequest { options, ..on_from(stop, InDoubt::Repeat) };
            let stopped = resume(&client, &again);
            assert_still_in_doubt(&stopped, LIMIT);
            assert_eq!(needs(&stopped), (stop + 1, InDoubt::Repeat));
            assert_eq!(stopped.kept.expect("it can go on").short_of, short_of);
            assert_eq!((stopped.pos.line, fixture.probe.writes()), (3 + 1, 2));
            assert_eq!(stopped.call.as_ref().expect("it is known which").operation, "Probe.add");
            let Asked::Ended(asked) = client.ask(ID).expect("the server answers") else { panic!("it ended") };
            assert_eq!(*asked, stopped);
            let listed = client.runs().expect("the server answers");
            assert_eq!(listed[0].stopped.as_ref().expect("it stopped").outcome.end, stopped.end);
        }
        for refused in [on_from(4, InDoubt::Leave), more(4, InDoubt::Leave)] {
            assert_eq!(resume(&client, &refused).end, End::Refused(Refusal::InDoubt));
        }
        let done = resume(&client, &ResumeRequest { options, ..more(4, InDoubt::Repeat) });
        assert_eq!((&done.end, int(&done), fixture.probe.writes()), (&End::Done, 321, 4));
    }
}

/// Limits that were approved stay as they are: a call that came to one cannot be made again.
#[test]
fn over_a_limit_that_was_approved() {
    let policy = Policy { confirm: Confirm::Writes, ..Policy::default() };
    let bytes = program(THREE);
    for (source_limit, goes_on) in [(2, false), (3, true)] {
        let source = THREE.replace("2 writes", &format!("{source_limit} writes"));
        let bytes = if source_limit == 2 { bytes.clone() } else { program(&source) };
        let fixture = Fixture::new(policy.clone());
        let client = fixture.client();
        let request = RunRequest { name: "mine", ..on_root_by(&bytes, Engine::Any) };
        let request = RunRequest { arguments: vec![Argument::Named(b"me")], ..request };
        let approval = hex(&client.bill(&request).expect("the server answers").approval);
        fixture.probe.lose_second(Kind::TimedOut);
        let lost = client.run(&RunRequest { approval: &approval, ..request }, &[]).expect("it answers");
        assert!(matches!(lost.end, End::CallInDoubt { .. }), "{:?}", lost.end);
        assert_eq!(lost.kept.map(|kept| kept.short_of), goes_on.then_some([None; 4]));
        let why = "it was approved with this limit; have it approved with another one, and run it anew";
        assert_eq!(lost.cannot_go_on.as_deref(), (!goes_on).then_some(why));
    }
}

/// What stops the run behind it is a stop as any other.
#[test]
fn until_it_is_made_again() {
    let fixture = Fixture::new(Policy::default());
    let client = fixture.client();
    fixture.probe.lose_second(Kind::TimedOut);
    let source = THREE.replace("2 writes", "3 writes");
    let lost = run(&fixture, &source, Engine::Any);
    assert_eq!(needs(&lost), (1, InDoubt::Repeat));
    assert_eq!(lost.kept.expect("it can go on").short_of, [None; 4]);
    let stopped = resume(&client, &on_from(1, InDoubt::Repeat));
    assert!(matches!(stopped.end, End::Limit { .. }), "{:?}", stopped.end);
    assert_eq!((needs(&stopped), fixture.probe.writes()), ((2, InDoubt::Leave), 3));
    assert_eq!(resume(&client, &more(2, InDoubt::Leave)).end, End::Done);
}

/// Whoever cannot be reached has not been told to do it again.
#[test]
fn where_its_service_is_not_reached() {
    let fixture = Fixture::new(Policy::default());
    let client = fixture.client();
    fixture.probe.lose(&[None, Some(Kind::TimedOut), Some(Kind::Unreachable), Some(Kind::Raised)]);
    let source = THREE.replace("2 writes", "9 writes");
    run(&fixture, &source, Engine::Any);
    let stopped = resume(&client, &on_from(1, InDoubt::Repeat));
    assert_still_in_doubt(&stopped, "nobody answered");
    assert_eq!(needs(&stopped), (2, InDoubt::Repeat));
    assert_eq!(resume(&client, &on_from(2, InDoubt::Leave)).end, End::Refused(Refusal::InDoubt));
    // Now it has answered.
    let failed = resume(&client, &on_from(2, InDoubt::Repeat));
    assert_eq!(failed.end, End::CallFailed { message: "nobody answered".to_owned(), raised: true });
    assert_eq!(needs(&failed), (3, InDoubt::Leave));
    assert_eq!(resume(&client, &on_from(3, InDoubt::Leave)).end, End::Done);
}

/// The time of the header is over when the call comes back.
#[test]
fn over_its_time() {
    let time = Duration::from_secs(2);
    let source = "program w(p: Probe) at most 2s time {
  p.add(1)
  p.mark(\"x\", 2)
}";
    let fixture = Fixture::new(Policy::default());
    fixture.probe.lose_second(Kind::TimedOut);
    assert_eq!(stall::WAIT, 2);
    let stopped = thread::scope(|scope| {
        let running = scope.spawn(|| run(&fixture, source, Engine::Any));
        wait_until(|| fixture.probe.stalling());
        let began = Instant::now();
        wait_until(|| began.elapsed() > time);
        fixture.probe.let_go();
        running.join().expect("it ends")
    });
    assert_eq!((needs(&stopped), fixture.probe.writes()), ((1, InDoubt::Repeat), 2));
    let short_of = [None, None, None, Some((LimitKind::Time, 2_000_000_000))];
    assert_eq!(stopped.kept.expect("it can go on").short_of, short_of);
    let client = fixture.client();
    let stopped = resume(&client, &on_from(1, InDoubt::Repeat));
    let End::CallInDoubt { message } = &stopped.end else { panic!("{:?}", stopped.end) };
    assert!(message.contains("of 2.00 s of time (header, line 2)"), "{message}");
    assert_eq!((needs(&stopped), fixture.probe.writes()), ((2, InDoubt::Repeat), 2));
    assert_eq!(resume(&client, &on_from(2, InDoubt::Leave)).end, End::Refused(Refusal::InDoubt));
}

/// With a server that was not there when it came to be in doubt, and is told to cancel the run before that goes on.
#[test]
fn over_restarts_and_a_cancel() {
    let source = "program w(p: Probe) -> int at most 9 writes {
  let other = p.named(\"me\")
  let sum = other.add(1) + other.add(20)
  return sum + other.add(300)
}";
    let dir = directory();
    let fixture = Fixture::sturdy(Policy::default(), dir.path());
    fixture.probe.lose_second(Kind::TimedOut);
    assert_eq!(needs(&run(&fixture, source, Engine::Any)), (1, InDoubt::Repeat));
    let second = copied(dir.path());
    let next = Fixture::sturdy(Policy::default(), second.path());
    next.probe.finds_slowly();
    let client = next.client();
    let resuming = client.resume(&on_from(1, InDoubt::Repeat)).expect("it is sent");
    wait_until(|| next.probe.stalling());
    assert!(client.cancel(ID).expect("the server answers"));
    next.probe.let_go();
    let stopped = resuming.wait(&mut |_| {}).expect("the server answers");
    assert_still_in_doubt(&stopped, "cancelled");
    assert_eq!((needs(&stopped), next.probe.writes()), ((2, InDoubt::Repeat), 0));
    let third = copied(second.path());
    let last = Fixture::sturdy(Policy::default(), third.path());
    assert_eq!(survives::resumed(&last, &on_from(2, InDoubt::Leave)).end, End::Refused(Refusal::InDoubt));
    assert_eq!(last.probe.writes(), 0);
    assert_eq!(survives::resumed(&last, &on_from(2, InDoubt::Repeat)).end, End::Done);
    assert_eq!(last.probe.writes(), 2);
}

/// A call that may be made twice is made again without a word, but another one is not made in its place.
#[test]
fn a_call_that_is_idempotent_is_another_one_with_other_values() {
    let source = "program w(p: Probe) -> int at most 2 writes {
  var n = 20
  let sum = p.set(1)
  return sum + p.set(n)
}";
    let dir = directory();
    let fixture = Fixture::sturdy(Policy::default(), dir.path());
    let client = fixture.client();
    fixture.probe.lose_second(Kind::TimedOut);
    assert_eq!(needs(&run(&fixture, source, Engine::Any)), (1, InDoubt::Leave));
    let stopped = resume(&client, &on_from(1, InDoubt::Leave));
    assert_still_in_doubt(&stopped, LIMIT);
    assert_eq!(needs(&stopped), (2, InDoubt::Leave));
    let killed = copied(dir.path());
    let next = Fixture::sturdy(Policy::default(), killed.path());
    assert_eq!(survives::resumed(&next, &more(2, InDoubt::Leave)).end, End::Done);
    let set = || -> Option<SetVariables> { Some(named(source, &["n=70"])) };
    let other = ResumeRequest { set: set(), ..on_from(2, InDoubt::Leave) };
    assert_eq!(resume(&client, &other).end, End::Refused(Refusal::InDoubt));
    // It is that from then on.
    let stopped = resume(&client, &ResumeRequest { set: set(), ..on_from(2, InDoubt::Repeat) });
    assert_still_in_doubt(&stopped, LIMIT);
    assert_eq!(needs(&stopped), (3, InDoubt::Repeat));
    let killed = copied(dir.path());
    let next = Fixture::sturdy(Policy::default(), killed.path());
    for resumed in
        [resume(&client, &more(3, InDoubt::Leave)), survives::resumed(&next, &more(3, InDoubt::Leave))]
    {
        assert_eq!(resumed.end, End::Refused(Refusal::InDoubt));
    }
    let done = resume(&client, &more(3, InDoubt::Repeat));
    assert_eq!((&done.end, int(&done), fixture.probe.writes()), (&End::Done, 71, 3));
}
