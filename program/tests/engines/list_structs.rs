//! What no compiled program does with lists of structs that hold portals.

use carnet_program::bytecode::{Ins, NONE, Op, Program, SlotType, pack};
use carnet_program::interp::{FaultKind, Stop};

use crate::code::{CALL, END, faults, ins, left_of, loaded, log, op, program, run, run_with};

/// The slots of these programs, behind the arguments of `entries`: what that gives, a count, an index, a size, a name, and lists of other
/// things.
const MADE: u16 = 2;
const COUNT: u16 = 3;
const AT: u16 = 4;
const SIZE: u16 = 5;
const NAME: u16 = 6;
const NUMBERS: u16 = 7;
const BYTES: u16 = 8;
const ALONE: u16 = 9;

const ENTRIES: u16 = 0;
const BOX_SIZE: u16 = 1;

/// The words of an entry.
const ITS_NAME: u64 = 0;
const ITS_BOX: u64 = 1;
const ITS_SIZE: u64 = 2;

/// Register 0 is the desk, 1 to 4 are boxes, 5 is a desk again and 6 a box.
fn by_hand(code: Vec<Ins>) -> Program {
    let slots = vec![
        SlotType::Int,
        SlotType::Literal { len: 3, offset: 0 },
        SlotType::List(0, 4),
        SlotType::Int,
        SlotType::Int,
        SlotType::Int,
        SlotType::StrRef(10),
        SlotType::List(1, 4),
        SlotType::Bytes(100),
        SlotType::List(2, 4),
    ];
    Program {
        ops: vec![op(1, "entries"), op(0, "size")],
        layouts: vec![(0, 3), (3, 1), (4, 1)],
        layout_words: vec![
            SlotType::StrRef(10),
            SlotType::Made(0),
            SlotType::Int,
            SlotType::Int,
            SlotType::Made(0),
        ],
        registers: vec![1, 0, 0, 0, 0, 1, 0],
        ..program(slots, code)
    }
}

fn column(more: u16, word: u64) -> u64 {
    pack([more, word as u16, 0, 0])
}

fn entries(n: u64) -> [Ins; 3] {
    let take = ins(Op::TakeAll, 1, MADE, COUNT, column(0, ITS_BOX));
    [ins(Op::Load, 0, 0, 0, n), ins(Op::Call, 0, ENTRIES, 0, CALL), take]
}

fn after(n: u64, rest: &[Ins]) -> Program {
    by_hand([&entries(n)[..], rest, &[END]].concat())
}

fn pick(to: u16) -> Ins {
    ins(Op::Pick, to, 1, AT, pack([4, COUNT, 0, 0]))
}

fn size_of(register: u16) -> Ins {
    ins(Op::Call, register, BOX_SIZE, SIZE, CALL)
}

#[test]
fn portals_are_taken_and_the_other_words_read() {
    let rest = [
        ins(Op::Load, AT, 0, 0, 1),
        pick(6),
        ins(Op::Get, NAME, MADE, AT, ITS_NAME),
        ins(Op::Get, SIZE, MADE, AT, ITS_SIZE),
        ins(Op::Count, SIZE, MADE, 0, 0),
        ins(Op::DropAll, 1, 0, 0, 4),
        size_of(6),
        ins(Op::Get, NAME, MADE, AT, ITS_NAME),
    ];
    let run = run(&after(3, &rest));
    assert_eq!(run.stop, Stop::Done(NONE));
    assert_eq!(log(&run), ["entries 3 \"box\"", "release box2", "release box0", "box1.size"]);
}

#[test]
fn what_is_taken_is_a_word_that_is_a_portal() {
    let kind = |found: &str, slot: u16, expected: &str| {
        format!("error[type] instruction 0: found {found} in slot {slot}, expected {expected}")
    };
    let portals = "a list of 1 to 64 portals";
    let word = |n: u64| format!("{portals}, as word {n} of its elements");
    let take = |a, b, c, d| ins(Op::TakeAll, a, b, c, d);
    let bad = [
        (take(1, MADE, COUNT, column(0, ITS_NAME)), kind("List(0, 4)", MADE, portals)),
        (take(1, MADE, COUNT, column(1, ITS_SIZE)), kind("List(0, 4)", MADE, &word(2))),
        (take(1, MADE, COUNT, column(0, 3)), kind("List(0, 4)", MADE, &word(3))),
        (take(1, MADE, COUNT, column(0, 0xffff)), kind("List(0, 4)", MADE, &word(0xffff))),
        (take(1, ALONE, COUNT, column(0, 1)), kind("List(2, 4)", ALONE, &word(1))),
        (take(1, NUMBERS, COUNT, column(0, 0)), kind("List(1, 4)", NUMBERS, portals)),
        (take(1, MADE, NAME, column(0, ITS_BOX)), kind("StrRef(10)", NAME, "Int")),
    ];
    for (wrong, said) in bad {
        assert_eq!(faults(&by_hand(vec![wrong, END])), [said], "{wrong:?}");
    }
    for wrong in [
        take(2, MADE, COUNT, column(0, ITS_BOX)),
        take(0, MADE, COUNT, column(0, ITS_BOX)),
        take(7, MADE, COUNT, column(0, ITS_BOX)),
        take(1, MADE, COUNT, column(2, ITS_BOX)),
        take(1, MADE, COUNT, pack([0, ITS_BOX as u16, 1, 0])),
        take(1, MADE, COUNT, pack([0, ITS_BOX as u16, 0, 1])),
    ] {
        assert_eq!(faults(&by_hand(vec![wrong, END])).len(), 1, "{wrong:?}");
    }
}

/// A number of a portal is nothing that a program reads, nor what it could write one to.
#[test]
fn nothing_reads_a_portal_of_an_element_or_changes_the_list() {
    let wrong = [
        ins(Op::Get, AT, MADE, COUNT, ITS_BOX),
        ins(Op::Get, NAME, MADE, COUNT, ITS_BOX),
        ins(Op::Get, AT, MADE, COUNT, ITS_NAME),
        ins(Op::Put, MADE, COUNT, AT, ITS_SIZE),
        ins(Op::Put, MADE, COUNT, AT, ITS_BOX),
        ins(Op::Push, MADE, AT, 0, 0),
        ins(Op::Sort, MADE, 0, 0, ITS_SIZE),
        ins(Op::Sort, MADE, 0, 0, ITS_BOX),
        ins(Op::Set, MADE, MADE, 0, 0),
        ins(Op::Set, NUMBERS, MADE, 0, 0),
        ins(Op::As, MADE, BYTES, 0, 0),
        ins(Op::As, BYTES, MADE, 0, 0),
        ins(Op::LendAll, MADE, 1, COUNT, column(0, ITS_BOX)),
    ];
    for wrong in wrong {
        let found = faults(&by_hand(vec![wrong, END]));
        let of_type = found.iter().any(|fault| fault.starts_with("error[type] instruction 0: found "));
        assert!(of_type, "{wrong:?}: {found:?}");
    }
    let beyond = faults(&by_hand(vec![ins(Op::Get, AT, MADE, COUNT, 3), END]));
    assert_eq!(beyond, ["error[word] instruction 0: word 3 of an element that has 3"]);
    // The result of a program is none either.
    let mut program = by_hand(vec![END]);
    program.result_words = vec![SlotType::StrRef(10), SlotType::Made(0), SlotType::Int];
    program.result = carnet_program::bytecode::ResultKind::List;
    assert_eq!(faults(&program), ["error[table]: the result is not made of scalars and texts"]);
}

#[test]
fn a_list_that_comes_back_is_as_the_interface_has_it() {
    let with = |ty: SlotType, words: [SlotType; 3]| {
        let mut program = by_hand(vec![ins(Op::Call, 0, ENTRIES, 0, CALL), END]);
        program.slots[usize::from(MADE)] = ty;
        program.layout_words[..3].copy_from_slice(&words);
        program
    };
    let entry = [SlotType::StrRef(10), SlotType::Made(0), SlotType::Int];
    for max in [4, 5, 64] {
        assert!(loaded(&with(SlotType::List(0, max), entry)).is_ok(), "{max}");
    }
    for max in [0, 3, 65, 1 << 20] {
        assert_eq!(faults(&with(SlotType::List(0, max), entry)).len(), 1, "{max}");
    }
    for words in [
        [SlotType::StrRef(10), SlotType::Lent(0), SlotType::Int],
        [SlotType::StrRef(10), SlotType::Made(1), SlotType::Int],
        [SlotType::StrRef(10), SlotType::Int, SlotType::Int],
        [SlotType::StrRef(10), SlotType::Int, SlotType::Made(0)],
        [SlotType::StrRef(9), SlotType::Made(0), SlotType::Int],
    ] {
        assert_eq!(faults(&with(SlotType::List(0, 4), words)).len(), 1, "{words:?}");
    }
}

/// What slots say of numbers and counts is compared when the instruction runs, and so is what a service says.
#[test]
fn counts_and_indices_that_lie_reach_nothing() {
    let load = |slot, n: i64| ins(Op::Load, slot, 0, 0, n.cast_unsigned());
    let index = Stop::Fault(FaultKind::Index);
    for code in [
        vec![load(COUNT, 1000), load(AT, 4), pick(6)],
        vec![load(AT, 3), pick(6)],
        vec![load(AT, -1), pick(6)],
        vec![load(COUNT, -1), load(AT, 0), pick(6)],
        vec![load(AT, 3), ins(Op::Get, SIZE, MADE, AT, ITS_SIZE)],
        vec![load(COUNT, 1000), load(AT, 3), ins(Op::Get, NAME, MADE, AT, ITS_NAME)],
    ] {
        assert_eq!(run(&after(3, &code)).stop, index, "{code:?}");
    }
    let missing = Stop::Fault(FaultKind::NullPortal);
    // A slot that counts more than there are finds what its register holds, which is nothing.
    assert_eq!(run(&after(3, &[load(COUNT, 4), load(AT, 3), pick(6), size_of(6)])).stop, missing);
    // What no call made, and what another call made, is none.
    for register in [1, 2] {
        assert_eq!(run(&after(10, &[size_of(register)])).stop, missing, "{register}");
    }
    assert_eq!(run(&after(8, &[size_of(2)])).stop, missing);
    let again = ins(Op::TakeAll, 1, MADE, COUNT, column(0, ITS_BOX));
    let twice = run(&after(3, &[again, size_of(1)]));
    assert_eq!(twice.stop, missing);
    assert_eq!(log(&twice)[1..], ["release box0", "release box1", "release box2"]);
}

/// Wherever a run ends, nothing of what calls made is held.
#[test]
fn whatever_ends_a_run_all_is_let_go_of() {
    let rest = [ins(Op::Load, AT, 0, 0, 1), pick(6), size_of(6), ins(Op::DropAll, 1, 0, 0, 4)];
    for n in [0, 3, 7, 8, 9, 10, -1_i64 as u64] {
        let program = after(n, &rest);
        for instructions in 0..40 {
            let run = run_with(&program, instructions, 1 << 30);
            assert_eq!(left_of(run), 0, "{n}, {instructions} instructions");
        }
        assert_eq!(left_of(run_with(&program, 1 << 30, 1)), 0, "{n}, one call");
    }
    // Never taken.
    let never = run(&by_hand(vec![entries(3)[0], entries(3)[1], END]));
    assert_eq!(never.stop, Stop::Done(NONE));
    assert_eq!(left_of(never), 0);
    // More than there may be: given back at once, though the run could go on.
    let more = run(&after(7, &[]));
    assert!(matches!(more.stop, Stop::CallFailed(_)), "{:?}", more.stop);
    assert_eq!(log(&more).iter().filter(|line| line.starts_with("release")).count(), 5);
    assert_eq!(left_of(more), 0);
}
