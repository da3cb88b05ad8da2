//! Results and texts that no message of the server carries: what took effect is told all the same, and kept.

use carnet_portal::session::ServerLimits;
use carnet_program::client::Asked;
use carnet_program::host::{Policy, Trees};
use carnet_program::limits::{LimitKind, LimitSource, Limits};
use carnet_program::protocol::{End, Outcome, Progress, RunId, RunOptions, RunProgram, RunRequest};

use super::probe::{Fixture, program};
use super::trees::tree;
use super::{on_root, run};

const FRAME_BYTES: u32 = 64 << 10;

/// A server whose policy lets programs return more than its messages carry.
fn fixture() -> Fixture {
    let limits = ServerLimits { frame_bytes_max: FRAME_BYTES, ..ServerLimits::default() };
    let returned = Limits { returned: 8 << 20, ..Limits::default() };
    Fixture::with_limits(Policy { limits: returned, ..Policy::default() }, limits)
}

/// Writes once; then has so many bytes of text, for its end.
fn long(bytes: usize, to: &str, end: &str) -> Vec<u8> {
    program(&format!(
        "program l(p: Probe){to} {{
  p.add(1)
  var s: string(200_000)
  for i in 0 .. {bytes} {{ s += \"x\" }}
  {end} s
}}"
    ))
}

/// What comes back, and what is kept for those who ask later.
fn told(bytes: &[u8]) -> Outcome {
    let fixture = fixture();
    let outcome = run(&fixture, &on_root(1, bytes));
    assert_eq!((fixture.probe.writes(), outcome.receipt.writes), (1, 1), "what took effect is told");
    assert_eq!(outcome.calls[0].to_string(), "Probe.add 1");
    let asked = fixture.client().ask(RunId(1)).expect("the server answers");
    assert_eq!(asked, Asked::Ended(Box::new(outcome.clone())));
    assert_eq!(run(&fixture, &on_root(1, bytes)), outcome, "asked again by the same request");
    outcome
}

fn result(bytes: usize) -> Outcome {
    told(&long(bytes, " -> string(200_000)", "return"))
}

/// The longest result that fits is returned, and one byte more stops the run as a limit does.
#[test]
fn results_that_no_message_carries_are_a_limit_that_was_reached() {
    let short = result(1_000);
    let rest = short.encode().len() - 1_000;
    // A header, and the byte that says that an outcome follows.
    let most = FRAME_BYTES as usize - 16 - 1 - rest;
    let whole = result(most);
    assert_eq!(
        (whole.end, whole.result.map(|result| result.len())),
        (End::Done, short.result.map(|result| result.len() - 1_000 + most))
    );
    for bytes in [most + 1, 150_000] {
        let outcome = result(bytes);
        let End::Limit { kind, limit, used, source } = outcome.end else { panic!("{:?}", outcome.end) };
        assert_eq!((kind, source, outcome.result), (LimitKind::Returned, LimitSource::Server, None));
        assert_eq!(limit, u64::from(FRAME_BYTES) - 17);
        assert!(used >= bytes as u64, "{used} for {bytes}");
    }
}

#[test]
fn messages_that_are_too_long_are_cut() {
    for (bytes, told_bytes) in [(1_000, 1_000), (60_000, 60_000), (150_000, 1 << 10)] {
        let End::Failed(text) = told(&long(bytes, "", "fail")).end else { panic!("it failed") };
        assert_eq!(text.len(), told_bytes);
        assert!(text.iter().all(|byte| *byte == b'x'));
    }
}

/// Where a traced run went is told of each of its lines, in as many messages as that takes.
#[test]
fn lines_that_one_message_does_not_carry_come_in_several() {
    const LINES: u32 = 4_000;
    let limits = ServerLimits { frame_bytes_max: FRAME_BYTES, ..ServerLimits::default() };
    let fixture = Fixture::with_limits(Policy { trees: Trees::Taken, ..Policy::default() }, limits);
    let statements = "  n += 1\n".repeat(LINES as usize);
    // As bytecode it would be longer than a message.
    let sent =
        tree(&format!("program p(p: Probe) -> int {{\n  var n = 0\n{statements}  return n\n}}")).encode();
    let options = RunOptions { trace: true, ..RunOptions::default() };
    let request = RunRequest { options, program: RunProgram::Tree(&sent), ..on_root(1, &[]) };
    let client = fixture.client();
    let root = client.transport().root();
    let (mut messages, mut lines) = (0, Vec::new());
    let outcome = client.start(&request, &[&root]).expect("it is sent").wait(&mut |progress| {
        if let Progress::Spent(spent) = progress {
            messages += 1;
            lines.extend(spent.iter().map(|spent| (spent.line, spent.instructions)));
        }
    });
    assert_eq!(outcome.expect("the server answers").end, End::Done);
    // Each has 20 bytes, and is told once.
    assert_eq!(messages, (20 * lines.len()).div_ceil(FRAME_BYTES as usize - 17 - 5));
    assert!(messages > 1 && lines.len() >= LINES as usize);
    // What is of no line is told as that of line 0.
    let told: Vec<u32> = lines.iter().map(|(line, _)| *line).filter(|line| *line > 0).collect();
    assert_eq!(told, (told[0]..).take(told.len()).collect::<Vec<_>>());
    assert!(lines.iter().all(|(_, instructions)| *instructions > 0));
}
