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
/// The block of `listing`, which takes the list and gives a text.
const LENT: u16 = 10;
/// An element, three words.
const ELEMENT: u16 = 12;
/// A list of pairs of lent portals.
const PAIRS: u16 = 15;

const ENTRIES: u16 = 0;
const BOX_SIZE: u16 = 1;
const LISTING: u16 = 2;

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
        SlotType::List(3, 4),
        SlotType::Str(120),
        SlotType::StrRef(10),
        SlotType::Lent(0),
        SlotType::Int,
        SlotType::List(4, 4),
    ];
    Program {
        ops: vec![op(1, "entries"), op(0, "size"), op(1, "listing")],
        layouts: vec![(0, 3), (3, 1), (4, 1), (5, 3), (8, 2)],
        layout_words: vec![
            SlotType::StrRef(10),
            SlotType::Made(0),
            SlotType::Int,
            SlotType::Int,
            SlotType::Made(0),
            SlotType::StrRef(10),
            SlotType::Lent(0),
            SlotType::Int,
            SlotType::Lent(0),
            SlotType::Lent(0),
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

const LEND: Ins = Ins { op: Op::LendAll, flags: 0, a: LENT, b: 1, c: COUNT, d: ITS_BOX << 16 };
const COPY: Ins = Ins { op: Op::Set, flags: 0, a: LENT, b: MADE, c: 0, d: 0 };
const LIST: Ins = Ins { op: Op::Call, flags: 0, a: 0, b: LISTING, c: LENT, d: CALL };
const ADD: Ins = Ins { op: Op::Push, flags: 0, a: LENT, b: ELEMENT, c: 0, d: 0 };

#[test]
fn a_list_is_copied_grows_and_is_lent() {
    let rest = [
        COPY,
        LEND,
        LIST,
        ins(Op::Get, ELEMENT, MADE, AT, ITS_NAME),
        ins(Op::Load, ELEMENT + 2, 0, 0, 7),
        ins(Op::Keep, 1, 2, COUNT, 4),
        ADD,
        ins(Op::AddI, COUNT, COUNT, 0, 1),
        LEND,
        ins(Op::Get, SIZE, LENT, AT, ITS_SIZE),
        LIST,
        ins(Op::Clear, LENT, 0, 0, 0),
        ins(Op::Load, COUNT, 0, 0, 0),
        LEND,
        LIST,
    ];
    let run = run(&after(2, &rest));
    assert!(matches!(run.stop, Stop::CallFailed(_)), "{:?}", run.stop);
    let saw = [
        "entries 2 \"box\"",
        "listing box0:box0:40 box1:box1:40",
        "listing box0:box0:40 box1:box1:40 box0:box1:7",
        "listing ",
    ];
    assert_eq!(log(&run), saw);
    assert_eq!(left_of(run), 0);
}

#[test]
fn what_is_lent_is_a_word_that_is_a_portal() {
    let lend = |a, b, c, d| ins(Op::LendAll, a, b, c, d);
    for wrong in [
        lend(LENT, 1, COUNT, column(0, ITS_NAME)),
        lend(LENT, 1, COUNT, column(0, ITS_SIZE)),
        lend(LENT, 1, COUNT, column(0, 3)),
        lend(LENT, 1, COUNT, column(1, ITS_BOX)),
        lend(LENT, 1, COUNT, pack([0, ITS_BOX as u16, 1, 0])),
        lend(LENT, 0, COUNT, column(0, ITS_BOX)),
        lend(LENT, 2, COUNT, column(0, ITS_BOX)),
        lend(LENT, 1, NAME, column(0, ITS_BOX)),
        lend(MADE, 1, COUNT, column(0, ITS_BOX)),
        lend(NUMBERS, 1, COUNT, column(0, 0)),
        ins(Op::TakeAll, 1, LENT, COUNT, column(0, ITS_BOX)),
        // Nothing is written but whole elements, nothing read but what is no portal.
        ins(Op::Get, AT, LENT, COUNT, ITS_BOX),
        ins(Op::Put, LENT, COUNT, AT, ITS_SIZE),
        ins(Op::Put, LENT, COUNT, ELEMENT + 1, ITS_BOX),
        ins(Op::Sort, LENT, 0, 0, ITS_SIZE),
        ins(Op::As, LENT, BYTES, 0, 0),
        ins(Op::As, BYTES, LENT, 0, 0),
        ins(Op::Push, LENT, ELEMENT + 1, 0, 0),
        ins(Op::Push, LENT, AT, 0, 0),
        ins(Op::Set, MADE, LENT, 0, 0),
        ins(Op::Set, NUMBERS, LENT, 0, 0),
        ins(Op::Set, LENT, NUMBERS, 0, 0),
        ins(Op::Set, LENT, PAIRS, 0, 0),
        ins(Op::Set, LENT, ALONE, 0, 0),
    ] {
        let found = faults(&by_hand(vec![wrong, END]));
        assert!(!found.is_empty() && found.len() <= 3, "{wrong:?}: {found:?}");
    }
    for good in [LEND, ADD, COPY, ins(Op::Set, LENT, LENT, 0, 0), ins(Op::Count, AT, LENT, 0, 0)] {
        assert!(loaded(&by_hand(vec![good, END])).is_ok(), "{good:?}");
    }
    // Of another interface.
    let mut program = by_hand(vec![COPY, END]);
    program.layout_words[6] = SlotType::Lent(1);
    assert_eq!(faults(&program).len(), 1);
}

/// Slots and lists are a program's to write: what they name is what registers hold, and nothing else.
#[test]
fn what_was_not_lent_is_a_register_or_nothing() {
    let load = |slot, n: i64| ins(Op::Load, slot, 0, 0, n.cast_unsigned());
    let index = Stop::Fault(FaultKind::Index);
    let full = Stop::Fault(FaultKind::ListFull);
    for (code, stop) in [
        (vec![COPY, load(COUNT, 5), LEND], &full),
        (vec![COPY, load(COUNT, 4), LEND], &index),
        (vec![COPY, load(COUNT, 2), LEND], &index),
        (vec![COPY, load(COUNT, -1), LEND], &index),
        (vec![LEND], &index),
    ] {
        assert_eq!(run(&after(3, &code)).stop, *stop, "{code:?}");
    }
    // Numbers of what was made, or of a slot that nothing was lent to, are those of registers when the call is made.
    for code in [vec![COPY, LIST], vec![ADD, LIST]] {
        let run = run(&after(3, &code));
        assert!(matches!(run.stop, Stop::CallFailed(_)), "{code:?}: {:?}", run.stop);
        assert_eq!(log(&run).len(), 1, "{code:?}");
        assert_eq!(left_of(run), 0, "{code:?}");
    }
    let lent = run(&after(3, &[ins(Op::Lend, ELEMENT + 1, 2, 0, 0), ADD, LIST]));
    assert_eq!((log(&lent)[1].as_str(), &lent.stop), ("listing :box1:0", &Stop::Done(NONE)));
    let dropped = run(&after(3, &[COPY, LEND, ins(Op::Drop, 2, 0, 0, 0), LIST]));
    assert!(matches!(dropped.stop, Stop::CallFailed(_)), "{:?}", dropped.stop);
    for instructions in 0..40 {
        let program = after(3, &[COPY, LEND, LIST, ins(Op::Keep, 1, 2, COUNT, 4), ADD]);
        assert_eq!(left_of(run_with(&program, instructions, 1 << 30)), 0, "{instructions} instructions");
    }
}
