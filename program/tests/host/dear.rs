//! Instructions that cost more than a run has: those that pay as they go go on from stop to stop, and of the others it is said that they
//! cannot.

use carnet_program::client::Client;
use carnet_program::host::{Policy, Trees};
use carnet_program::limits::{Allowance, Amounts, LimitKind, Limits};
use carnet_program::protocol::{
    Argument, End, Engine, Outcome, ResumeRequest, RunOptions, RunProgram, RunRequest,
};

use super::probe::{Fixture, program};
use super::restart::ID;
use super::trees::tree;
use super::{SORTING, int, request};

/// Much of what is sought nearly fits: the search takes as many steps as the text has bytes.
const SEARCH: &str = "
program search(p: Probe, rounds: int) -> int {
  var a: string(8_000_000) = \"abababababababab\"
  for i in 0 .. 18 { a += a }
  var found = 0
  for r in 0 .. rounds limit 1_000 {
    if a.contains(\"abba\") { found += 1 }
    p.get(1, 2, 3)
  }
  return found
}";

const ENGINES: [Engine; 3] = [Engine::Bytecode, Engine::Native, Engine::Tree];

fn with(instructions: u64) -> Policy {
    let limits = Limits { instructions, ..Limits::default() };
    Policy { limits, trees: Trees::Taken, translated_after: 0, ..Policy::default() }
}

fn run(fixture: &Fixture, source: &str, given: i64, engine: Engine) -> Outcome {
    let bytes = if engine == Engine::Tree { tree(source).encode() } else { program(source) };
    let client = fixture.client();
    let root = client.transport().root();
    let options = RunOptions { engine, ..RunOptions::default() };
    let arguments = vec![Argument::Portal(0), Argument::Scalar(given)];
    let program = if engine == Engine::Tree { RunProgram::Tree(&bytes) } else { RunProgram::Whole(&bytes) };
    let request = RunRequest { name: "mine", options, program, ..request(ID.0, &bytes, arguments) };
    client.run(&request, &[&root]).expect("the server answers")
}

fn resume(client: &Client, stop: u32, engine: Engine) -> Outcome {
    let options = RunOptions { engine, ..RunOptions::default() };
    let request = ResumeRequest { options, ..ResumeRequest::new(ID, stop) };
    client.resume(&request).expect("it is sent").wait(&mut |_| {}).expect("the server answers")
}

fn is_of_instructions(outcome: &Outcome) -> bool {
    matches!(outcome.end, End::Limit { kind: LimitKind::Instructions, .. })
}

/// Each stop takes all that there was, and nothing is done or paid for twice.
#[test]
fn a_search_goes_on_from_stop_to_stop() {
    let at_once = run(&Fixture::new(with(1 << 40)), SEARCH, 1, Engine::Bytecode);
    assert_eq!((&at_once.end, int(&at_once)), (&End::Done, 0));
    let all = at_once.receipt.instructions;
    let each = 1_500_000;
    assert!(all > 2 * each, "{all}");
    for engines in [[Engine::Bytecode; 2], [Engine::Tree; 2], [Engine::Tree, Engine::Bytecode]] {
        let fixture = Fixture::new(with(each));
        let mut outcome = run(&fixture, SEARCH, 1, engines[0]);
        let mut stops = 0;
        while is_of_instructions(&outcome) {
            stops += 1;
            assert_eq!(outcome.receipt.instructions, u64::from(stops) * each, "{engines:?}");
            assert_eq!(outcome.kept.expect("it can go on").stop, stops, "{:?}", outcome.cannot_go_on);
            outcome = resume(&fixture.client(), stops, engines[1]);
        }
        assert_eq!((&outcome.end, int(&outcome)), (&End::Done, 0), "{engines:?}");
        assert_eq!((u64::from(stops), outcome.receipt.instructions), (all / each, all), "{engines:?}");
        let used = fixture.client().status().expect("the server answers").standing.used;
        assert_eq!(used.instructions, all, "{engines:?}");
    }
}

/// What is drawn from an allowance in parts, as others give back, comes to the same.
#[test]
fn a_search_takes_what_is_left_of_an_allowance() {
    for engine in ENGINES {
        let amounts = Amounts { instructions: 2_000_000, ..Allowance::default().amounts };
        let allowance = Allowance { amounts, ..Allowance::default() };
        let fixture = Fixture::new(Policy { allowance, ..with(1 << 40) });
        let outcome = run(&fixture, SEARCH, 1, engine);
        assert!(is_of_instructions(&outcome), "{:?}", outcome.end);
        assert_eq!(outcome.receipt.instructions, 2_000_000, "{engine:?}");
        assert_eq!(
            fixture.client().status().expect("the server answers").standing.used.instructions,
            2_000_000
        );
        // In another period it can.
        assert_eq!(outcome.kept.expect("it can go on").stop, 1, "{engine:?}");
    }
}

/// The first time as well as later.
#[test]
fn what_is_dearer_than_a_run_may_be_does_not_go_on() {
    for engine in ENGINES {
        // The list is made with less, and sorted with more.
        let outcome = run(&Fixture::new(with(3_000_000)), SORTING, 60_000, engine);
        assert!(is_of_instructions(&outcome), "{:?}", outcome.end);
        assert!(outcome.receipt.instructions < 3_000_000, "{:?}", outcome.receipt);
        assert_eq!(outcome.kept, None, "{engine:?}");
        let why = outcome.cannot_go_on.expect("it is said why");
        assert_eq!(why, "what it does next takes more instructions than it may at a time");
        // Not even its first block.
        let outcome = run(&Fixture::new(with(1)), SEARCH, 1, engine);
        assert!(is_of_instructions(&outcome), "{:?}", outcome.end);
        assert_eq!((outcome.receipt.instructions, outcome.kept), (0, None), "{engine:?}");
        assert!(outcome.cannot_go_on.is_some());
    }
}

/// Nor if the allowance has never so much.
#[test]
fn what_is_dearer_than_an_allowance_does_not_go_on() {
    for engine in ENGINES {
        let amounts = Amounts { instructions: 3_000_000, ..Allowance::default().amounts };
        let allowance = Allowance { amounts, ..Allowance::default() };
        let outcome = run(&Fixture::new(Policy { allowance, ..with(1 << 40) }), SORTING, 60_000, engine);
        assert!(is_of_instructions(&outcome), "{:?}", outcome.end);
        assert_eq!(outcome.kept, None, "{engine:?}");
        assert!(outcome.cannot_go_on.is_some());
    }
}
