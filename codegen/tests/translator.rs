//! What the translator takes and refuses. That its code does what the interpreters do is held in `program/tests/engines` and by
//! the random programs of `fuzz/`.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::sync::Arc;

use carnet_codegen::{CODE_MAX, Translator, Untranslated};
use carnet_program::bytecode::{Loop, NONE, Op, UNBOUNDED};
use carnet_program::interp::{Entries, Scope, Way};
use carnet_program::verify::{BoundLoop, Loaded, Step};

fn program(code: Vec<Step>) -> Arc<Loaded> {
    Arc::new(Loaded { code, ..Loaded::default() })
}

fn step(op: Op, a: u16, c: u16, charge: u32) -> Step {
    Step { op, flags: 0, a, b: 0, c, charge, d: [0; 4] }
}

const NO_LOOP: Loop = Loop {
    head: 0,
    test: 0,
    end: 0,
    counter: 0,
    own: UNBOUNDED,
    limit: UNBOUNDED,
    line: 1,
    inner: NONE,
    default: true,
};

#[test]
fn programs_that_are_too_long_are_left_to_the_interpreter() {
    let mut translator = Translator::new().expect("this machine is known");
    let longest = vec![step(Op::Load, 1, 0, 1); CODE_MAX];
    let translation = translator.translate_scope(&program(longest), Scope::All).expect("it is not too long");
    assert!(translation.code_bytes() > CODE_MAX);
    let longer = translator.translate(&program(vec![step(Op::Load, 1, 0, 1); CODE_MAX + 1]));
    assert!(matches!(longer, Err(Untranslated::TooLong(found)) if found == CODE_MAX + 1), "{longer:?}");
}

/// The verifier takes no such programs. The translator does not rely on that: each becomes code, whatever it does.
#[test]
fn steps_that_no_verifier_has_seen_become_code() {
    let mut translator = Translator::new().expect("this machine is known");
    let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        bits >> 11
    };
    for length in 0..120 {
        let steps = (0..length).map(|_| {
            let op = Op::ALL[random() as usize % Op::ALL.len()];
            let target = if random() % 8 == 0 { random() as u16 } else { random() as u16 % (length + 1) };
            step(op, random() as u16, target, (random() % 3) as u32)
        });
        let code: Vec<Step> = steps.collect();
        let mut loops: Vec<_> = code.iter().zip(0..).filter(|(step, _)| step.op == Op::Loop).collect();
        loops.truncate(random() as usize % 4);
        let bounded = |(_, head)| {
            let end = random() as u16 % (length + 2);
            let table = Loop { head, test: end, end, ..NO_LOOP };
            BoundLoop { table, bound: random(), reached: 1 }
        };
        let loops = loops.into_iter().map(bounded).collect();
        let program = Arc::new(Loaded { code, loops, ..Loaded::default() });
        for scope in [Scope::Loops, Scope::All] {
            translator.translate_scope(&program, scope).expect("it becomes code");
        }
    }
}

#[test]
fn code_is_entered_where_blocks_begin_and_behind_what_is_not_translated() {
    let code = [
        step(Op::Load, 0, 0, 2),
        step(Op::Load, 0, 0, 0),
        step(Op::Clear, 0, 0, 0),
        step(Op::Load, 0, 0, 0),
        step(Op::Call, 0, 0, 0),
        step(Op::Jump, 0, 0, 1),
        step(Op::End, 0, 0, 1),
    ];
    let entries = Entries::of(&program(code.to_vec()), Scope::All);
    assert_eq!(entries.places(), [0, 3, 5]);
    assert_eq!((entries.at(3), entries.at(2), entries.at(9)), (Some(1), None, None));
}

#[test]
fn a_loop_without_branches_is_done_in_rounds_unless_it_lies_in_another() {
    let code = [
        step(Op::Loop, 0, 0, 3),
        step(Op::JumpEq, 0, 3, 0),
        step(Op::Jump, 0, 0, 1),
        step(Op::Load, 0, 0, 1),
        step(Op::Loop, 0, 0, 1),
        step(Op::Loop, 0, 0, 1),
        step(Op::JumpEq, 0, 5, 1),
        step(Op::Jump, 0, 4, 1),
        step(Op::End, 0, 0, 1),
    ];
    let loops = [(0, 3), (4, 8), (5, 7)].map(|(head, end)| BoundLoop {
        table: Loop { head, test: head, end, ..NO_LOOP },
        bound: 9,
        reached: 1,
    });
    let program = Loaded { code: code.to_vec(), loops: loops.to_vec(), ..Loaded::default() };
    let entries = Entries::of(&program, Scope::Loops);
    let ways: Vec<Way> = (0..code.len()).map(|pc| entries.way(pc)).collect();
    let (round, charged, no) = (Way::Round, Way::Charged, Way::Interpreted);
    assert_eq!(ways, [round, round, round, no, charged, charged, charged, charged, no]);
    assert_eq!(entries.places(), [0, 4, 5, 6, 7]);
    let heads: Vec<_> = entries.rounds().iter().map(|rounds| (rounds.head, rounds.last)).collect();
    assert_eq!(heads, [(0, 2)]);
}
