//! Calls whose answers never come, as of a service in another process: done, not done, or in doubt.

use carnet_portal::call::Kind;
use carnet_program::client::{Asked, Client};
use carnet_program::host::{Policy, Trees};
use carnet_program::limits::{LimitKind, LimitSource};
use carnet_program::protocol::{
    End, Engine, InDoubt, Outcome, Receipt, Refusal, ResumeRequest, RunOptions, RunProgram, RunRequest,
};

use super::probe::Fixture;
use super::restart::{ID, copied, directory, on_root_by, translated};
use super::trees::tree;
use super::{int, program};

/// Makes a call before the one that is lost, and one behind it.
fn three(operation: &str) -> Vec<u8> {
    program(&source(operation))
}

fn source(operation: &str) -> String {
    let of = |n: &str| operation.replace("N", n);
    format!(
        "program w(p: Probe) -> int {{\n  var sum = p.{}\n  sum += p.{}\n  return sum + p.{}\n}}",
        of("1"),
        of("20"),
        of("300")
    )
}

fn run(client: &Client, bytes: &[u8], engine: Engine) -> Outcome {
    let root = client.transport().root();
    let request = RunRequest { name: "mine", ..on_root_by(bytes, engine) };
    client.run(&request, &[&root]).expect("the server answers")
}

/// The same by any engine, of a source.
pub(super) fn ran(fixture: &Fixture, source: &str, engine: Engine) -> Outcome {
    let bytes = match engine {
        Engine::Tree => tree(source).encode(),
        _ => program(source),
    };
    let client = fixture.client();
    let root = client.transport().root();
    let program = if engine == Engine::Tree { RunProgram::Tree(&bytes) } else { RunProgram::Whole(&bytes) };
    let request = RunRequest { name: "mine", program, ..on_root_by(&bytes, engine) };
    client.run(&request, &[&root]).expect("the server answers")
}

fn resume(client: &Client, in_doubt: InDoubt) -> Outcome {
    let request = ResumeRequest { in_doubt, ..ResumeRequest::new(ID, 1) };
    client.resume(&request).expect("it is sent").wait(&mut |_| {}).expect("the server answers")
}

fn call_in_doubt() -> End {
    End::CallInDoubt { message: "nobody answered".to_owned() }
}

/// What took effect of an operation, and what is known to have been called.
fn took_effect(outcome: &Outcome) -> u64 {
    outcome.calls.iter().map(|call| call.took_effect()).sum()
}

#[test]
fn what_may_have_taken_effect_is_repeated_only_if_that_is_said() {
    for engine in [Engine::Bytecode, Engine::Native] {
        let fixture = Fixture::new(translated());
        let client = fixture.client();
        fixture.probe.lose_second(Kind::TimedOut);
        let stopped = run(&client, &three("add(N)"), engine);
        assert_eq!((&stopped.end, stopped.pos.line), (&call_in_doubt(), 4));
        assert_eq!(stopped.call.as_ref().expect("it is known which").operation, "Probe.add");
        assert_eq!((took_effect(&stopped), fixture.probe.writes()), (1, 2));
        assert_eq!(stopped.kept.map(|kept| kept.in_doubt), Some(InDoubt::Repeat), "it must be said");
        assert_eq!(resume(&client, InDoubt::Leave).end, End::Refused(Refusal::InDoubt));
        assert_eq!(fixture.probe.writes(), 2);
        let done = resume(&client, InDoubt::Repeat);
        assert_eq!((&done.end, int(&done), fixture.probe.writes()), (&End::Done, 321, 4));
        assert_eq!(took_effect(&done), 3);
    }
}

#[test]
fn what_is_idempotent_or_reads_is_repeated_without_a_word() {
    let lost = || End::CallFailed { message: "nobody answered".to_owned(), raised: false };
    for (operation, end) in [("set(N)", call_in_doubt()), ("get(N, 0, 0)", lost())] {
        let fixture = Fixture::new(Policy::default());
        let client = fixture.client();
        fixture.probe.lose_second(Kind::TimedOut);
        let stopped = run(&client, &three(operation), Engine::Any);
        assert_eq!((stopped.end, stopped.pos.line), (end, 4));
        assert_eq!(stopped.kept.map(|kept| kept.in_doubt), Some(InDoubt::Leave));
        let done = resume(&client, InDoubt::Leave);
        assert_eq!(done.end, End::Done, "{operation}");
        assert_eq!(fixture.probe.writes() + fixture.probe.reads(), 4);
    }
}

/// What was read on from is not there a second time: going on would leave it out.
#[test]
fn what_is_once_is_repeated_only_if_that_is_said() {
    for engine in [Engine::Bytecode, Engine::Native] {
        let fixture = Fixture::new(translated());
        let client = fixture.client();
        fixture.probe.lose_second(Kind::TimedOut);
        let stopped = run(&client, &three("next(N)"), engine);
        assert_eq!((&stopped.end, stopped.pos.line), (&call_in_doubt(), 4));
        assert_eq!(stopped.kept.map(|kept| kept.in_doubt), Some(InDoubt::Repeat), "it must be said");
        assert_eq!(resume(&client, InDoubt::Leave).end, End::Refused(Refusal::InDoubt));
        assert_eq!(fixture.probe.reads(), 2);
        let done = resume(&client, InDoubt::Repeat);
        assert_eq!((&done.end, int(&done), fixture.probe.reads()), (&End::Done, 321, 4));
    }
}

/// A call that was sent to nobody is none: it is in no receipt, and no limit of the header is nearer, also with the next server. Whoever runs it is
/// charged for both.
#[test]
fn a_call_that_reached_nobody_counts_against_no_limit_of_the_header() {
    let exact = source("add(N)").replace("-> int {", "-> int at most 3 calls, 3 writes {");
    let (bytes, dir) = (program(&exact), directory());
    for engine in [Engine::Bytecode, Engine::Native, Engine::Any] {
        let fixture = match engine {
            Engine::Any => Fixture::sturdy(Policy::default(), dir.path()),
            _ => Fixture::new(translated()),
        };
        if engine == Engine::Native {
            fixture.programs.install("w", "", &bytes).expect("it is right");
        }
        let client = fixture.client();
        fixture.probe.lose_second(Kind::Unreachable);
        let stopped = run(&client, &bytes, engine);
        let lost = End::CallFailed { message: "nobody answered".to_owned(), raised: false };
        assert_eq!((&stopped.end, stopped.receipt.calls, took_effect(&stopped)), (&lost, 1, 1), "{engine:?}");
        let (done, used) = if engine == Engine::Any {
            let killed = copied(dir.path());
            let next = Fixture::sturdy(Policy::default(), killed.path());
            let done = resume(&next.client(), InDoubt::Leave);
            (done, next.client().status().expect("the server answers").standing.used.calls + 2)
        } else {
            let done = resume(&client, InDoubt::Leave);
            (done, client.status().expect("the server answers").standing.used.calls)
        };
        assert_eq!((&done.end, int(&done), took_effect(&done)), (&End::Done, 321, 3), "{engine:?}");
        assert_eq!((done.receipt.calls, used), (3, 4), "{engine:?}");
    }
}

/// However often it is tried: neither the receipt nor what is told of each operation has more of it.
#[test]
fn a_call_that_is_not_sent_is_in_no_receipt() {
    for engine in [Engine::Bytecode, Engine::Native, Engine::Tree] {
        let dir = directory();
        let policy = Policy { trees: Trees::Taken, ..translated() };
        let fixture = Fixture::journalled(policy, dir.path());
        let client = fixture.client();
        fixture.probe.lose(&[
            None,
            Some(Kind::Unreachable),
            Some(Kind::Unreachable),
            Some(Kind::Unreachable),
        ]);
        let stopped = ran(&fixture, &source("add(N)"), engine);
        let resume = |stop: u32| {
            let options = RunOptions { engine, ..RunOptions::default() };
            let request = ResumeRequest { options, ..ResumeRequest::new(ID, stop) };
            client.resume(&request).expect("it is sent").wait(&mut |_| {}).expect("the server answers")
        };
        let tries = [stopped, resume(1), resume(2)];
        for told in &tries {
            let calls: Vec<(u64, u64)> = told.calls.iter().map(|call| (call.count, call.failed)).collect();
            let lost = End::CallFailed { message: "nobody answered".to_owned(), raised: false };
            assert_eq!((&told.end, &calls[..]), (&lost, &[(1, 0)][..]), "{engine:?}");
            assert_eq!((told.receipt.calls, told.receipt.writes), (1, 1), "{engine:?}");
        }
        let done = resume(3);
        assert_eq!((&done.end, int(&done), done.receipt.calls, done.receipt.writes), (&End::Done, 321, 3, 3));
        assert_eq!(took_effect(&done), 3);
        assert_eq!(client.status().expect("the server answers").standing.used.calls, 6, "{engine:?}");
    }
}

/// What did nothing is beside the limit, and nothing else: the next call is one too many.
#[test]
fn what_reached_nobody_leaves_no_room_for_others() {
    let fixture = Fixture::new(Policy::default());
    let client = fixture.client();
    let bytes = program(&source("add(N)").replace("-> int {", "-> int at most 2 writes {"));
    fixture.probe.lose_second(Kind::Unreachable);
    assert!(run(&client, &bytes, Engine::Any).kept.is_some());
    let stopped = resume(&client, InDoubt::Leave);
    let End::Limit { kind, limit, used, source } = stopped.end else { panic!("{:?}", stopped.end) };
    assert_eq!((kind, limit, used, source), (LimitKind::Writes, 2, 2, LimitSource::Header(2)));
    assert_eq!((stopped.receipt.writes, took_effect(&stopped)), (2, 2));
}

/// A run of `operation` that is lost in its second call: how it stopped, whether it was refused without `--repeat`, and how it ended; times
/// apart. With [`Engine::Any`] the next server has it go on.
fn lost_by(kind: Kind, operation: &str, engine: Engine) -> [Outcome; 3] {
    let policy = Policy { trees: Trees::Taken, ..translated() };
    let dir = directory();
    let fixture = Fixture::sturdy(policy.clone(), dir.path());
    let client = fixture.client();
    fixture.probe.lose_second(kind);
    let source = source(operation);
    let bytes = if engine == Engine::Tree { tree(&source).encode() } else { program(&source) };
    let sent = if engine == Engine::Tree { RunProgram::Tree(&bytes) } else { RunProgram::Whole(&bytes) };
    let request = RunRequest { name: "mine", program: sent, ..on_root_by(&bytes, engine) };
    let stopped = client.run(&request, &[&client.transport().root()]).expect("the server answers");
    let calls = || fixture.probe.writes() + fixture.probe.reads();
    assert_eq!(calls(), 2, "{kind:?} {operation} {engine:?}");
    let killed = copied(dir.path());
    let next = (engine == Engine::Any).then(|| Fixture::sturdy(policy, killed.path()));
    let client = next.as_ref().map_or(client, Fixture::client);
    let outcomes = [stopped, resume(&client, InDoubt::Leave), resume(&client, InDoubt::Repeat)];
    let next = next.map_or(0, |next| next.probe.writes() + next.probe.reads());
    assert_eq!(calls() + next, 4, "{kind:?} {operation} {engine:?}");
    outcomes.map(|outcome| Outcome { receipt: Receipt { time_ns: 0, ..outcome.receipt }, ..outcome })
}

/// What held the object is had again, as far as anybody knows here. So the run goes on as one whose call was not answered in time: in each engine, with
/// this server and the next one, and with the same account.
#[test]
fn a_run_whose_service_died_in_a_call_goes_on_as_one_that_was_not_answered() {
    for (operation, in_doubt) in [
        ("get(N, 0, 0)", InDoubt::Leave),
        ("set(N)", InDoubt::Leave),
        ("add(N)", InDoubt::Repeat),
        ("next(N)", InDoubt::Repeat),
    ] {
        for engine in [Engine::Bytecode, Engine::Native, Engine::Tree, Engine::Any] {
            let died = lost_by(Kind::PeerDied, operation, engine);
            assert_eq!(died, lost_by(Kind::TimedOut, operation, engine), "{operation} {engine:?}");
            let [stopped, left, repeated] = died;
            assert_eq!(stopped.kept.map(|kept| kept.in_doubt), Some(in_doubt), "{operation} {engine:?}");
            let done = if in_doubt == InDoubt::Leave { left } else { repeated };
            assert_eq!((&done.end, done.receipt.calls), (&End::Done, 4), "{operation} {engine:?}");
        }
    }
}

/// If its service knows that the object is gone for good, the run says so, and is not kept.
#[test]
fn a_run_whose_object_is_gone_with_its_process_cannot_go_on() {
    for (engine, kind) in [Engine::Bytecode, Engine::Native, Engine::Tree]
        .into_iter()
        .flat_map(|engine| [Kind::PeerDied, Kind::Unreachable].map(|kind| (engine, kind)))
    {
        let fixture = Fixture::plain_sturdy_with(Policy { trees: Trees::Taken, ..translated() });
        let client = fixture.client();
        fixture.probe.lose_second(kind);
        fixture.probe.is_gone();
        let bytes = if engine == Engine::Tree { tree(&source("add(N)")).encode() } else { three("add(N)") };
        let sent = if engine == Engine::Tree { RunProgram::Tree(&bytes) } else { RunProgram::Whole(&bytes) };
        let request = RunRequest { name: "mine", program: sent, ..on_root_by(&bytes, engine) };
        let stopped = client.run(&request, &[&client.transport().root()]).expect("the server answers");
        assert_eq!(stopped.kept, None, "{engine:?} {kind:?}");
        let why = "it holds a probe.Probe that is gone with its process";
        assert_eq!(stopped.cannot_go_on.as_deref(), Some(why), "{engine:?} {kind:?}");
        assert_eq!(resume(&client, InDoubt::Repeat).end, End::Refused(Refusal::NotKept));
        assert_eq!(fixture.probe.writes(), 2, "{engine:?} {kind:?}");
    }
}

/// The call in doubt was made again and answered; the next one was not sent, and nothing is in doubt of that.
#[test]
fn a_call_behind_the_one_in_doubt_that_is_not_sent_is_not_in_doubt() {
    for engine in [Engine::Bytecode, Engine::Native] {
        let fixture = Fixture::new(translated());
        let client = fixture.client();
        fixture.probe.lose_second(Kind::TimedOut);
        assert_eq!(run(&client, &three("add(N)"), engine).end, call_in_doubt(), "{engine:?}");
        fixture.probe.lose_second(Kind::Unreachable);
        let stopped = resume(&client, InDoubt::Repeat);
        assert!(matches!(&stopped.end, End::CallFailed { .. }), "{engine:?}: {:?}", stopped.end);
        assert_eq!(stopped.kept.map(|kept| kept.in_doubt), Some(InDoubt::Leave), "{engine:?}");
        let again = client.resume(&ResumeRequest::new(ID, 2)).expect("it is sent");
        assert_eq!(again.wait(&mut |_| {}).expect("the server answers").end, End::Done, "{engine:?}");
    }
}

/// A program cannot catch it: it would go on without knowing.
#[test]
fn no_try_catches_a_call_in_doubt() {
    let source = "program w(p: Probe) -> int {\n  p.add(1)\n  let other = try p.named(\"me\") else { return 1 }\n  \
                  return other.add(2)\n}";
    let fixture = Fixture::new(Policy::default());
    fixture.probe.lose_second(Kind::TimedOut);
    let stopped = run(&fixture.client(), &program(source), Engine::Any);
    assert_eq!(stopped.end, call_in_doubt());
}

/// An answer that is none was refused: the service may have done all of it, so the call counts among those that took effect, in each
/// engine and for the next server. A call that reads has failed.
#[test]
fn a_write_whose_answer_is_refused_counts_as_done() {
    for kind in [Kind::Service, Kind::Protocol] {
        for engine in [Engine::Bytecode, Engine::Native, Engine::Tree] {
            let dir = directory();
            let policy = Policy { trees: Trees::Taken, ..translated() };
            let fixture = Fixture::journalled(policy.clone(), dir.path());
            fixture.probe.lose_second(kind);
            let stopped = ran(&fixture, &source("add(N)"), engine);
            let End::CallFailed { message, raised: false } = &stopped.end else {
                panic!("{:?}", stopped.end)
            };
            assert_eq!(message, "nobody answered; the call counts as done: its answer came, and was refused");
            assert_eq!((took_effect(&stopped), fixture.probe.writes(), stopped.kept), (2, 2, None));
            let killed = copied(dir.path());
            let next = Fixture::journalled(policy, killed.path());
            let Asked::Ended(asked) = next.client().ask(ID).expect("the server answers") else {
                panic!("it ended")
            };
            assert_eq!(*asked, stopped);
        }
        let fixture = Fixture::new(Policy::default());
        fixture.probe.lose_second(kind);
        let stopped = run(&fixture.client(), &three("get(N, 0, 0)"), Engine::Any);
        assert_eq!(stopped.end, End::CallFailed { message: "nobody answered".to_owned(), raised: false });
        assert_eq!(took_effect(&stopped), 1);
    }
}

/// The next server knows what this one did: the outcome, or that the call is in doubt.
#[test]
fn a_call_in_doubt_stays_so_over_a_restart() {
    let dir = directory();
    let fixture = Fixture::sturdy(Policy::default(), dir.path());
    fixture.probe.lose_second(Kind::TimedOut);
    let stopped = run(&fixture.client(), &three("add(N)"), Engine::Any);
    let killed = copied(dir.path());
    let next = Fixture::sturdy(Policy::default(), killed.path());
    let Asked::Ended(asked) = next.client().ask(ID).expect("the server answers") else { panic!("it ended") };
    assert_eq!(*asked, stopped);
    // Nor does it go on there, unless somebody says that the call may be made again.
    let client = next.client();
    assert_eq!(resume(&client, InDoubt::Leave).end, End::Refused(Refusal::InDoubt));
    assert_eq!(next.probe.writes(), 0);
    assert_eq!(resume(&client, InDoubt::Repeat).end, End::Done);
    assert_eq!(next.probe.writes(), 2);
}
