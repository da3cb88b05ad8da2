//! What a server keeps of one run for the next: the program it verified, and memory. None of it shows.

use carnet_program::host::Policy;
use carnet_program::protocol::End;

use super::probe::{Fixture, program};
use super::{on_root, run};

fn returning(value: u8) -> Vec<u8> {
    program(&format!("program v(p: Probe) -> int {{\n  p.get(1, 2, 3)\n  return {value}\n}}"))
}

fn result(fixture: &Fixture, id: u128, bytes: &[u8]) -> Option<Vec<u8>> {
    let outcome = run(fixture, &on_root(id, bytes));
    assert_eq!(outcome.end, End::Done);
    outcome.result
}

/// Programs of one length, one after the other, and the first again.
#[test]
fn another_program_is_not_taken_for_the_one_before() {
    let fixture = Fixture::new(Policy::default());
    let (one, two) = (returning(1), returning(2));
    assert_eq!(one.len(), two.len());
    for (id, (bytes, value)) in (0..).zip([(&one, 1), (&one, 1), (&two, 2), (&one, 1), (&two, 2)]) {
        assert_eq!(result(&fixture, id, bytes), Some(vec![value, 0, 0, 0, 0, 0, 0, 0]));
    }
}

/// Each byte of a program is changed in turn. After a program that was rejected, the good one still does what it says.
#[test]
fn a_rejected_program_leaves_nothing_for_the_next() {
    let fixture = Fixture::new(Policy::default());
    let good = returning(1);
    let mut rejected = 0;
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x41;
        let id = at as u128 * 2;
        let outcome = run(&fixture, &on_root(id, &bad));
        rejected += usize::from(matches!(outcome.end, End::Rejected(_)));
        assert_eq!(result(&fixture, id + 1, &good), Some(vec![1, 0, 0, 0, 0, 0, 0, 0]), "after byte {at}");
    }
    assert!(rejected > good.len() / 4, "{rejected} of {} were rejected", good.len());
}
