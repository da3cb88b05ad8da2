//! Results and texts that no message of the server carries: what took effect is told all the same, and kept.

use carnet_portal::session::ServerLimits;
use carnet_program::client::Asked;
use carnet_program::host::Policy;
use carnet_program::limits::{LimitKind, LimitSource, Limits};
use carnet_program::protocol::{End, Outcome, RunId};

use super::probe::{Fixture, program};
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
