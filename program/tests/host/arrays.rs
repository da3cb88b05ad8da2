//! Call arrays on a server: the same requests, limits, policies, accounts and outcomes as of other programs.

use std::sync::Arc;

use carnet_program::array::Array;
use carnet_program::bill::hash;
use carnet_program::host::{Accepts, Confirm, Policy};
use carnet_program::limits::{LimitKind, LimitSource, Limits};
use carnet_program::protocol::{
    APPROVAL_DIGITS, Argument, End, Engine, NotWalked, Outcome, Progress, Refusal, ResumeRequest, RunId,
    RunOptions, RunProgram, RunRequest, SetVariable, SetVariables, VariableValue,
};
use carnet_program::source::{Read, read};
use carnet_program::text::hex;

use super::probe::{Fixture, MODULE, wait_until};
use super::restart::{copied, directory};
use super::{on_root, run};

/// An array of a source.
fn made(source: &str) -> Array {
    let text = format!("use probe\n{source}");
    match read(&text, &[Arc::new(MODULE.clone())]) {
        Ok(Read::Array(array)) => array.array,
        Ok(Read::Program(_)) => panic!("it is a program"),
        Err(faults) => panic!("{}", carnet_idl::diagnostic::render("test", &text, &faults)),
    }
}

pub(super) fn array(source: &str) -> Vec<u8> {
    made(source).encode()
}

const ADDS: &str = "array adds(p: Probe) -> list(int, 6) at most 50 writes {
  message m[6]: Probe.add(n: 1 step 1)
  repeat 6 { call p with m }
  return m.value
}";

fn list(outcome: &Outcome) -> Vec<i64> {
    let bytes = outcome.result.as_deref().expect("there is a result");
    bytes[4..].as_chunks::<8>().0.iter().map(|word| i64::from_le_bytes(*word)).collect()
}

#[test]
fn an_array_runs_and_comes_back_with_result_and_receipt() {
    let fixture = Fixture::new(Policy::default());
    let outcome = run(&fixture, &on_root(1, &array(ADDS)));
    assert_eq!(outcome.end, End::Done);
    assert_eq!(list(&outcome).len(), 6);
    let receipt = outcome.receipt;
    assert_eq!((receipt.calls, receipt.writes, receipt.instructions), (6, 6, 7));
    assert_eq!(fixture.probe.writes(), 6);
    assert_eq!(run(&fixture, &on_root(1, &array(ADDS))), outcome, "it ran once");
    assert_eq!(fixture.probe.writes(), 6);
}

#[test]
fn it_is_cached_and_named_by_its_hash() {
    let fixture = Fixture::new(Policy::default());
    let bytes = array(ADDS);
    let hash = hash(&bytes);
    let by_hash = |id| RunRequest { program: RunProgram::Hash(&hash), ..on_root(id, &bytes) };
    assert_eq!(run(&fixture, &by_hash(1)).end, End::Refused(Refusal::NotCached));
    assert_eq!(run(&fixture, &on_root(2, &bytes)).end, End::Done);
    assert_eq!(run(&fixture, &by_hash(3)).end, End::Done);
    // Machine code is made of no array: who asks for it is served by the interpreter.
    let options = RunOptions { engine: Engine::Native, ..RunOptions::default() };
    assert_eq!(run(&fixture, &RunRequest { options, ..by_hash(4) }).end, End::Done);
    let options = RunOptions { engine: Engine::Tree, ..RunOptions::default() };
    let by_tree = run(&fixture, &RunRequest { options, ..by_hash(5) });
    assert_eq!(by_tree.end, End::Refused(Refusal::NotATree(NotWalked::NoTree)));
}

#[test]
fn its_bill_is_shown_and_approved_before_it_runs() {
    let fixture = Fixture::new(Policy { confirm: Confirm::Writes, ..Policy::default() });
    let bytes = array(ADDS);
    let request = on_root(1, &bytes);
    let answer = fixture.client().bill(&request).expect("the server answers");
    let bill = answer.bill.expect("it has a bill");
    assert_eq!((bill.calls.at_most, bill.writes.at_most, bill.instructions.at_most), (6, 6, 7));
    assert_eq!((bill.program.as_str(), bill.lines[0].from[0].line), ("adds", 4));
    let outcome = run(&fixture, &request);
    assert!(matches!(outcome.end, End::Refused(Refusal::NotApproved { writes: 6, .. })), "{outcome:?}");
    assert_eq!(fixture.probe.writes(), 0);
    let approval = &hex(&answer.approval)[..APPROVAL_DIGITS];
    assert_eq!(run(&fixture, &RunRequest { approval, ..on_root(2, &bytes) }).end, End::Done);
}

#[test]
fn policies_refuse_large_bills() {
    let accepts = Accepts { writes: Some(5), ..Accepts::default() };
    let fixture = Fixture::new(Policy { accepts, ..Policy::default() });
    assert!(matches!(run(&fixture, &on_root(1, &array(ADDS))).end, End::Refused(_)));
    assert_eq!(fixture.probe.writes(), 0);
}

#[test]
fn a_cap_stops_it_before_the_call_over_it_and_names_that() {
    let fixture = Fixture::new(Policy::default());
    let outcome = run(&fixture, &on_root(1, &array(&ADDS.replace("50 writes", "4 writes"))));
    let End::Limit { kind, limit, used, source } = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!((kind, limit, used, source), (LimitKind::Writes, 4, 4, LimitSource::Header(2)));
    let call = outcome.call.as_ref().expect("the call that was not made is named");
    assert_eq!(call.operation, "Probe.add");
    assert_eq!(call.arguments, [("n".to_owned(), "5".to_owned())]);
    assert_eq!((outcome.at, outcome.pos.line, fixture.probe.writes()), (1, 4, 4));
    assert_eq!(list(&outcome).len(), 6, "what there is so far comes back");
}

/// As bytecode does: its state is the words of its messages, the command, and the round.
#[test]
fn an_array_that_stopped_goes_on_where_it_stopped() {
    let limits = Limits { calls: 2, ..Limits::default() };
    let fixture = Fixture::new(Policy { limits, ..Policy::default() });
    let bytes = array(ADDS);
    let whole = {
        let other = Fixture::new(Policy::default());
        run(&other, &on_root(1, &bytes))
    };
    let mut outcome = run(&fixture, &RunRequest { name: "mine", ..on_root(1, &bytes) });
    let mut stops = 0;
    while outcome.kept.is_some() {
        stops += 1;
        let set = SetVariable { slot: 0, value: VariableValue::Scalar(1) };
        let set = Some(SetVariables { program: hash(&bytes), variables: vec![set] });
        let client = fixture.client();
        let resume = |request: &ResumeRequest| {
            client.resume(request).expect("it is sent").wait(&mut |_| {}).expect("the server answers")
        };
        let refused = resume(&ResumeRequest { set, ..ResumeRequest::new(RunId(1), stops) });
        assert!(matches!(refused.end, End::Refused(Refusal::Variable { slot: 0, .. })), "{:?}", refused.end);
        outcome = resume(&ResumeRequest::new(RunId(1), stops));
        assert!(stops < 5, "{outcome:?}");
    }
    assert_eq!((outcome.end.clone(), stops), (End::Done, 2));
    assert_eq!((outcome.result, outcome.receipt.calls), (whole.result, 6));
    assert_eq!(fixture.probe.writes(), 6);
}

#[test]
fn it_is_cancelled_between_calls() {
    let fixture = Fixture::new(Policy::default());
    let bytes = array(
        "array waits(p: Probe) {
           message w[3]: Probe.wait()
           message a: Probe.add(n: 1)
           call p with w[0]
           call p with a
         }",
    );
    let client = fixture.client();
    let root = client.transport().root();
    let request = on_root(1, &bytes);
    let running = client.start(&request, &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.waiting());
    assert!(fixture.client().cancel(RunId(1)).expect("the server answers"));
    fixture.probe.let_go();
    let outcome = running.wait(&mut |_| {}).expect("the server answers");
    assert_eq!(outcome.end, End::Cancelled);
    assert_eq!((outcome.receipt.calls, fixture.probe.writes()), (1, 0));
}

#[test]
fn time_ends_it() {
    let limits = Limits { time_ns: 1, ..Limits::default() };
    let fixture = Fixture::new(Policy { limits, ..Policy::default() });
    let outcome = run(&fixture, &on_root(1, &array(ADDS)));
    assert!(matches!(outcome.end, End::Limit { kind: LimitKind::Time, .. }), "{:?}", outcome.end);
    assert!(outcome.receipt.calls < 6);
}

#[test]
fn its_calls_are_told_of_and_a_dry_run_makes_none_that_writes() {
    let fixture = Fixture::new(Policy::default());
    let bytes = array(ADDS);
    let options = RunOptions { trace: true, dry: true, ..RunOptions::default() };
    let client = fixture.client();
    let root = client.transport().root();
    let request = RunRequest { options, ..on_root(1, &bytes) };
    let mut told = Vec::new();
    let outcome = client.start(&request, &[&root]).expect("it is sent").wait(&mut |progress| {
        if let Progress::Call { call, pos, .. } = progress {
            told.push((call.arguments[0].1.clone(), pos.line));
        }
    });
    assert_eq!(outcome.expect("the server answers").end, End::Done);
    let numbers: Vec<(String, u32)> = (1..=6).map(|n: u32| (n.to_string(), 4)).collect();
    assert_eq!(told, numbers);
    assert_eq!(fixture.probe.writes(), 0);
}

/// A server that writes down what runs do writes down an array's calls, too, and tells of them when it is another.
#[test]
fn what_it_wrote_survives_the_server() {
    let left = directory();
    let bytes = array(ADDS);
    let first = Fixture::journalled(Policy::default(), left.path());
    let outcome = run(&first, &on_root(1, &bytes));
    assert_eq!(outcome.end, End::Done);
    let killed = copied(left.path());
    let second = Fixture::journalled(Policy::default(), killed.path());
    let again = run(&second, &on_root(1, &bytes));
    assert_eq!((again.end, again.receipt.writes), (End::Done, 6));
    assert_eq!(second.probe.writes(), 0);
}

#[test]
fn what_is_wrong_is_rejected_with_its_place() {
    let fixture = Fixture::new(Policy::default());
    let mut wrong = made(ADDS);
    wrong.messages[0].count = 5;
    wrong.returns = None;
    wrong.presets.clear();
    let outcome = run(&fixture, &on_root(1, &wrong.encode()));
    let End::Rejected(faults) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!((faults[0].rule, faults[0].at, faults[0].pos.line), ("message", Some(1), 4));
    let cut = wrong.encode();
    let outcome = run(&fixture, &on_root(2, &cut[..cut.len() - 1]));
    let End::Rejected(faults) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(faults[0].rule, "table");
    let arguments = vec![Argument::Scalar(1)];
    let outcome = run(&fixture, &super::request(3, &array(ADDS), arguments));
    assert!(matches!(outcome.end, End::Refused(Refusal::Argument { index: 0, .. })), "{:?}", outcome.end);
    assert_eq!(fixture.probe.writes(), 0);
}
