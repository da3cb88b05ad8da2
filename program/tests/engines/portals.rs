//! What no compiled program does with lists of portals.

use carnet_idl::descriptor::Module;
use carnet_program::bytecode::{Ins, NONE, Op, Program, SlotType, pack};
use carnet_program::interp::{FaultKind, Stop};

use crate::code::{CALL, END, faults, ins, left_of, loaded, log, op, program, run, run_with};
use crate::desk::module;

/// The slots of these programs: the block of `open_all`, that of `names_all`, a count, an index, a size, two texts, a list of numbers.
const MADE: u16 = 2;
const LENT: u16 = 3;
const NAMES: u16 = 4;
const COUNT: u16 = 5;
const AT: u16 = 6;
const SIZE: u16 = 7;
const BYTES: u16 = 8;
const NUMBERS: u16 = 9;
const OTHER: u16 = 10;

const OPEN_ALL: u16 = 0;
const NAMES_ALL: u16 = 1;
const BOX_SIZE: u16 = 2;
const EVERY: u16 = 3;

/// Register 0 is the desk, 1 to 4 are boxes, 5 is a desk again and 6 a box.
fn by_hand(code: Vec<Ins>) -> Program {
    let slots = vec![
        SlotType::Int,
        SlotType::Literal { len: 3, offset: 0 },
        SlotType::List(0, 4),
        SlotType::List(1, 4),
        SlotType::Str(60),
        SlotType::Int,
        SlotType::Int,
        SlotType::Int,
        SlotType::Bytes(100),
        SlotType::List(2, 4),
        SlotType::List(0, 64),
    ];
    Program {
        ops: vec![op(1, "open_all"), op(1, "names_all"), op(0, "size"), op(1, "every")],
        layouts: vec![(0, 1), (1, 1), (2, 1), (3, 1)],
        layout_words: vec![SlotType::Made(0), SlotType::Lent(0), SlotType::Int, SlotType::Lent(1)],
        registers: vec![1, 0, 0, 0, 0, 1, 0],
        ..program(slots, code)
    }
}

fn open_all(n: u64) -> [Ins; 3] {
    [ins(Op::Load, 0, 0, 0, n), ins(Op::Call, 0, OPEN_ALL, 0, CALL), ins(Op::TakeAll, 1, MADE, COUNT, 0)]
}

fn after(n: u64, rest: &[Ins]) -> Program {
    by_hand([&open_all(n)[..], rest, &[END]].concat())
}

fn pick(to: u16, most: u16) -> Ins {
    ins(Op::Pick, to, 1, AT, pack([most, COUNT, 0, 0]))
}

const ALL_NAMED: [Ins; 2] = [
    Ins { op: Op::LendAll, flags: 0, a: LENT, b: 1, c: COUNT, d: 0 },
    Ins { op: Op::Call, flags: 0, a: 0, b: NAMES_ALL, c: LENT, d: CALL },
];

fn size_of(register: u16) -> Ins {
    ins(Op::Call, register, BOX_SIZE, SIZE, CALL)
}

#[test]
fn what_instructions_on_portals_do() {
    let rest = [
        &ALL_NAMED[..],
        &[ins(Op::Load, AT, 0, 0, 1), pick(6, 4), size_of(6), ins(Op::Keep, 1, 6, COUNT, 4)],
        &[ins(Op::AddI, COUNT, COUNT, 0, 1)],
        &ALL_NAMED,
        &[ins(Op::DropAll, 1, 0, 0, 4), size_of(6)],
    ];
    let run = run(&after(3, &rest.concat()));
    assert_eq!(run.stop, Stop::Done(NONE));
    let saw = [
        "open_all 3 \"box\"",
        "names_all box0 box1 box2",
        "box1.size",
        "names_all box0 box1 box2 box1",
        "release box2",
        "release box0",
        "box1.size",
    ];
    assert_eq!(log(&run), saw);
}

#[test]
fn operands_are_registers_alike_and_lists_of_their_portals() {
    let register = |text: &str| format!("error[register] instruction 0: {text}");
    let kind = |found: &str, slot: u16, expected: &str| {
        format!("error[type] instruction 0: found {found} in slot {slot}, expected {expected}")
    };
    let portals = "a list of 1 to 64 portals";
    let take = |a, b, c, d| ins(Op::TakeAll, a, b, c, d);
    let lend = |a, b, c| ins(Op::LendAll, a, b, c, 0);
    let pick = |a, b, c, most, count| ins(Op::Pick, a, b, c, pack([most, count, 0, 0]));
    let alike = |found: u16, from: u16, expected: u64| {
        register(&format!("found {found} portal registers alike from {from} on, expected {expected}"))
    };
    let bad = [
        (take(2, MADE, COUNT, 0), alike(3, 2, 4)),
        (take(0, MADE, COUNT, 0), alike(1, 0, 4)),
        (take(7, MADE, COUNT, 0), register("there is no portal register 7")),
        (take(1, OTHER, COUNT, 0), alike(4, 1, 64)),
        (take(1, LENT, COUNT, 0), kind("List(1, 4)", LENT, "a list of portals, just made")),
        (take(1, NUMBERS, COUNT, 0), kind("List(2, 4)", NUMBERS, portals)),
        (take(1, NAMES, COUNT, 0), kind("Str(60)", NAMES, portals)),
        (take(1, MADE, NAMES, 0), kind("Str(60)", NAMES, "Int")),
        (take(1, MADE, 99, 0), kind("no slot", 99, "Int")),
        (
            take(1, MADE, COUNT, 2),
            "error[operands] instruction 0: found 2, expected 0 or 1, and the number of a word".to_owned(),
        ),
        (lend(LENT, 2, COUNT), alike(3, 2, 4)),
        (lend(MADE, 1, COUNT), kind("List(0, 4)", MADE, "a list of portals, as arguments")),
        (lend(NUMBERS, 1, COUNT), kind("List(2, 4)", NUMBERS, portals)),
        (lend(LENT, 1, LENT), kind("List(1, 4)", LENT, "Int")),
        (pick(0, 1, AT, 4, COUNT), register("portal register 1 is not of the other's interface")),
        (pick(5, 1, AT, 4, COUNT), register("portal register 1 is not of the other's interface")),
        (pick(6, 1, AT, 5, COUNT), alike(4, 1, 5)),
        (pick(6, 1, AT, 0, COUNT), register("found 0 portals, expected 1 to 64")),
        (pick(6, 1, AT, 65, COUNT), register("found 65 portals, expected 1 to 64")),
        (pick(6, 1, NAMES, 4, COUNT), kind("Str(60)", NAMES, "Int")),
        (pick(6, 1, AT, 4, MADE), kind("List(0, 4)", MADE, "Int")),
        (pick(6, 1, AT, 4, 99), kind("no slot", 99, "Int")),
        (ins(Op::Keep, 1, 0, COUNT, 4), register("portal register 1 is not of the other's interface")),
        (ins(Op::Keep, 1, 6, COUNT, 5), alike(4, 1, 5)),
        (ins(Op::Keep, 1, 6, NAMES, 4), kind("Str(60)", NAMES, "Int")),
        (ins(Op::Keep, 1, 6, COUNT, 1 << 32), register("found 4294967296 portals, expected 1 to 64")),
        (ins(Op::DropAll, 1, 0, 0, 5), alike(4, 1, 5)),
        (ins(Op::DropAll, 1, 0, 0, 0), register("found 0 portals, expected 1 to 64")),
    ];
    for (wrong, said) in bad {
        assert_eq!(faults(&by_hand(vec![wrong, END])), [said], "{wrong:?}");
    }
    let unused = [
        ins(Op::LendAll, LENT, 1, COUNT, 1),
        ins(Op::DropAll, 1, 1, 0, 4),
        ins(Op::DropAll, 1, 0, 1, 4),
        Ins { flags: 1, ..pick(6, 1, AT, 4, COUNT) },
        ins(Op::Pick, 6, 1, AT, pack([4, COUNT, 1, 0])),
    ];
    for wrong in unused {
        assert_eq!(faults(&by_hand(vec![wrong, END])).len(), 1, "{wrong:?}");
    }
}

/// A number in a list of portals is nothing that a program reads, writes, or makes of bytes.
#[test]
fn no_other_instruction_takes_a_list_of_portals() {
    for list in [MADE, LENT] {
        let wrong = [
            ins(Op::Count, AT, list, 0, 0),
            ins(Op::Get, AT, list, COUNT, 0),
            ins(Op::Put, list, COUNT, AT, 0),
            ins(Op::Push, list, AT, 0, 0),
            ins(Op::Sort, list, 0, 0, 0),
            ins(Op::Set, list, list, 0, 0),
            ins(Op::Set, NUMBERS, list, 0, 0),
            ins(Op::As, list, BYTES, 0, 0),
            ins(Op::As, BYTES, list, 0, 0),
        ];
        for wrong in wrong {
            let found = faults(&by_hand(vec![wrong, END]));
            assert!(found[0].starts_with("error[type] instruction 0: found List("), "{wrong:?}: {found:?}");
        }
    }
}

#[test]
fn what_was_made_is_not_lent_and_the_other_way() {
    let call = |op, first| vec![ins(Op::Call, 0, op, first, CALL), END];
    let with = |code: Vec<Ins>, slot: u16, ty: SlotType| {
        let mut program = by_hand(code);
        program.slots[usize::from(slot)] = ty;
        program
    };
    for good in [SlotType::List(0, 4), SlotType::List(0, 5), SlotType::List(0, 64)] {
        assert!(loaded(&with(call(OPEN_ALL, 0), MADE, good)).is_ok(), "{good:?}");
    }
    for bad in [
        SlotType::List(1, 4),
        SlotType::List(2, 4),
        SlotType::List(0, 3),
        SlotType::List(0, 65),
        SlotType::ListRef(0, 4),
        SlotType::Made(0),
    ] {
        assert_eq!(faults(&with(call(OPEN_ALL, 0), MADE, bad)).len(), 1, "{bad:?}");
    }
    for good in [SlotType::List(1, 4), SlotType::List(1, 64), SlotType::ListRef(1, 9)] {
        assert!(loaded(&with(call(NAMES_ALL, LENT), LENT, good)).is_ok(), "{good:?}");
    }
    for bad in [SlotType::List(0, 4), SlotType::List(2, 4), SlotType::List(3, 4), SlotType::Lent(0)] {
        assert_eq!(faults(&with(call(NAMES_ALL, LENT), LENT, bad)).len(), 1, "{bad:?}");
    }
    // One that has no bound gives a program 64 at most.
    let every = |max| with(call(EVERY, SIZE), BYTES, SlotType::List(0, max));
    assert!(loaded(&every(64)).is_ok());
    for max in [4, 63, 65, 1 << 20] {
        assert_eq!(faults(&every(max)).len(), 1, "{max}");
    }
}

#[test]
fn kinds_of_list_are_of_portals_that_go_one_way() {
    for words in [
        &[SlotType::Made(0), SlotType::Lent(0)][..],
        &[SlotType::Lent(0), SlotType::Int, SlotType::Made(0)],
        &[SlotType::Int, SlotType::Lent(7)],
        &[SlotType::Lent(7)],
        &[SlotType::Made(7)],
        &[SlotType::List(2, 4)],
    ] {
        let mut program = by_hand(vec![END]);
        program.layout_words.extend_from_slice(words);
        program.layouts.push((4, words.len() as u16));
        let said = "error[table]: kind of list 4 is not made of scalars, texts and portals of one way";
        assert_eq!(faults(&program), [said], "{words:?}");
    }
}

/// Slots are a program's to write: what they say of numbers and counts is compared when the instruction runs.
#[test]
fn counts_and_indices_that_lie_reach_nothing() {
    let load = |slot, n: i64| ins(Op::Load, slot, 0, 0, n.cast_unsigned());
    let index = Stop::Fault(FaultKind::Index);
    let full = Stop::Fault(FaultKind::ListFull);
    let bad = [
        (vec![load(COUNT, 5), ALL_NAMED[0]], &full),
        (vec![load(COUNT, i64::MAX), ALL_NAMED[0]], &full),
        (vec![load(COUNT, 1000), load(AT, 4), pick(6, 4)], &index),
        (vec![load(COUNT, 1000), load(AT, 65_537), pick(6, 4)], &index),
        (vec![load(AT, 3), pick(6, 4)], &index),
        (vec![load(AT, -1), pick(6, 4)], &index),
        (vec![load(COUNT, -1), load(AT, 0), pick(6, 4)], &index),
        (vec![load(AT, 4), ins(Op::Keep, 1, 6, AT, 4)], &full),
        (vec![load(AT, -1), ins(Op::Keep, 1, 6, AT, 4)], &full),
        (vec![load(AT, 65_536), ins(Op::Keep, 1, 6, AT, 4)], &full),
    ];
    for (code, stop) in bad {
        assert_eq!(run(&after(3, &code)).stop, *stop, "{code:?}");
    }
}

#[test]
fn numbers_of_another_call_are_no_portals() {
    let missing = Stop::Fault(FaultKind::NullPortal);
    // The list still has its numbers, but what they named was taken, or another call has made other things.
    let again = ins(Op::TakeAll, 1, MADE, COUNT, 0);
    let twice = run(&after(3, &[again, size_of(1)]));
    assert_eq!(twice.stop, missing);
    assert_eq!(log(&twice)[1..], ["release box0", "release box1", "release box2"]);
    // Nothing was lent: what the list of the next call names is what is there then.
    let never = run(&after(3, &[ALL_NAMED[1]]));
    assert!(matches!(never.stop, Stop::CallFailed(_)), "{:?}", never.stop);
    assert_eq!(log(&never)[1], "names_all ");
    let gone = run(&after(3, &[ALL_NAMED[0], ins(Op::Drop, 2, 0, 0, 0), ALL_NAMED[1]]));
    assert!(matches!(gone.stop, Stop::CallFailed(_)), "{:?}", gone.stop);
    assert_eq!(log(&gone)[1..], ["release box1"]);
}

/// Wherever a run ends, nothing of what calls made is held: not what was made and not taken yet, nor what a reply had too much of.
#[test]
fn whatever_ends_a_run_all_is_let_go_of() {
    let rest = [&ALL_NAMED[..], &[ins(Op::Load, AT, 0, 0, 1), pick(6, 4), ins(Op::Keep, 1, 6, COUNT, 4)]];
    for n in [0, 3, 7, 8, 9, -1_i64 as u64] {
        let program = after(n, &rest.concat());
        for instructions in 0..60 {
            let run = run_with(&program, instructions, 1 << 30);
            assert_eq!(left_of(run), 0, "{n}, {instructions} instructions");
        }
        assert_eq!(left_of(run_with(&program, 1 << 30, 1)), 0, "{n}, one call");
    }
    for n in [64, 65, 1000] {
        let code = vec![ins(Op::Load, SIZE, 0, 0, n), ins(Op::Call, 0, EVERY, SIZE, CALL), END];
        let mut program = by_hand(code);
        program.slots[usize::from(BYTES)] = SlotType::List(0, 64);
        let run = run(&program);
        assert_eq!(matches!(run.stop, Stop::CallFailed(_)), n > 64, "{n}: {:?}", run.stop);
        // What failed is let go of at once, though the run could go on.
        let saw = log(&run);
        assert_eq!(
            saw.iter().filter(|line| line.starts_with("release")).count() as u64,
            if n > 64 { n } else { 0 }
        );
        assert_eq!(left_of(run), 0, "{n}");
    }
}

/// The interface that these programs know has both shapes.
#[test]
fn the_desk_has_lists_of_portals() {
    let desk: &Module = module();
    let of = |name| desk.interfaces[1].operation(name).map(|(_, operation)| desk.not_in_programs(operation));
    assert_eq!(of("open_all"), Some(None));
    assert_eq!(of("entries"), Some(None));
    assert_eq!(of("reverse_entries"), Some(None));
}
