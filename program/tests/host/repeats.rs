//! Programs of Rust calls that repeat a call: bill, receipt, and the call at which they stop.

use carnet_program::builder::*;
use carnet_program::compile::compile;
use carnet_program::host::Policy;
use carnet_program::limits::LimitKind;
use carnet_program::protocol::End;
use carnet_program::tree::CapKind;

use super::probe::{Fixture, MODULE};
use super::{on_root, run};

/// Adds 10, 20 and 30, each with a call of its own, and gives what comes back of them.
fn adds(writes_max: u64) -> Vec<u8> {
    let mut b = Builder::new("adds", &[&MODULE]);
    let probe = b.param("p", named("probe.Probe"));
    b.record("Three", &["a", "b", "c"].map(|name| (name, Type::Int)));
    b.returns(named("Three"));
    b.at_most(CapKind::Writes, writes_max);
    let (given, back) = (b.var("given", named("Three")), b.var("back", named("Three")));
    let numbers = [("a", 10), ("b", 20), ("c", 30)].map(|(name, n)| (name, n.into()));
    let body = (
        set(given, record("Three", numbers.into())),
        repeat_into(strided(back.field("a"), 1), probe.call("add", (strided(given.field("a"), 1),)), 3),
        give(back),
    );
    compile(&b.build(body).expect("the program is good")).expect("it compiles").encode()
}

fn words(result: Option<&[u8]>) -> Vec<i64> {
    let words = result.expect("there is a result").as_chunks::<8>().0;
    words.iter().map(|word| i64::from_le_bytes(*word)).collect()
}

#[test]
fn a_repeat_is_billed_and_told_call_by_call() {
    let fixture = Fixture::new(Policy::default());
    let bytes = adds(100);
    let request = on_root(1, &bytes);
    let bill = fixture.client().bill(&request).expect("the server answers").bill.expect("it has a bill");
    assert_eq!((bill.calls.at_most, bill.writes.at_most), (3, 3));
    let outcome = run(&fixture, &request);
    assert_eq!(outcome.end, End::Done);
    assert_eq!(words(outcome.result.as_deref()), [10, 20, 30]);
    assert_eq!((outcome.receipt.calls, outcome.receipt.writes), (3, 3));
    assert!(outcome.receipt.instructions <= bill.instructions.at_most);
    assert_eq!(fixture.probe.writes(), 3);
}

#[test]
fn a_repeat_that_is_stopped_names_the_call_that_was_not_made() {
    let fixture = Fixture::new(Policy::default());
    let bytes = adds(2);
    let outcome = run(&fixture, &on_root(1, &bytes));
    assert!(
        matches!(outcome.end, End::Limit { kind: LimitKind::Writes, limit: 2, used: 2, .. }),
        "{:?}",
        outcome.end
    );
    assert_eq!(words(outcome.result.as_deref()), [10, 20, 0]);
    let call = outcome.call.expect("the call that was not made is named");
    assert_eq!(call.operation, "Probe.add");
    assert_eq!(call.arguments, [("n".to_owned(), "30".to_owned())]);
    assert_eq!((outcome.receipt.calls, outcome.receipt.writes), (2, 2));
    assert_eq!(fixture.probe.writes(), 2);
}
