//! What the translator takes and refuses. That its code does what the interpreters do is held in `program/tests/engines` and by
//! the random programs of `fuzz/`.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::sync::Arc;

use carnet_codegen::{CODE_MAX, Translator, Untranslated};
use carnet_program::bytecode::Op;
use carnet_program::interp::Entries;
use carnet_program::verify::{Loaded, Step};

fn program(code: Vec<Step>) -> Arc<Loaded> {
    Arc::new(Loaded { code, ..Loaded::default() })
}

fn step(op: Op, a: u16, c: u16, charge: u32) -> Step {
    Step { op, flags: 0, a, b: 0, c, charge, d: [0; 4] }
}

#[test]
fn programs_that_are_too_long_are_left_to_the_interpreter() {
    let mut translator = Translator::new().expect("this machine is known");
    let longest = vec![step(Op::Load, 1, 0, 1); CODE_MAX];
    let translation = translator.translate(&program(longest)).expect("it is not too long");
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
        translator.translate(&program(steps.collect())).expect("it becomes code");
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
    let entries = Entries::of(&program(code.to_vec()));
    assert_eq!(entries.places(), [0, 3, 5]);
    assert_eq!((entries.at(3), entries.at(2), entries.at(9)), (Some(1), None, None));
}
