//! The rules of the verifier, each broken by a program that is made by hand, with what is said of it.

use carnet_program::bytecode::{
    Ins, Loop, NONE, Op, OpRef, ParamPlace, Program, ResultKind, SlotType, UNBOUNDED, pack,
};

use carnet_program::float::Precision;

use crate::code::{CALL, END, faults, ins, loaded, op, program};
use crate::desk::module;

const INT: u16 = 0;
const BOOL: u16 = 1;
const COLOR: u16 = 2;
const STRING: u16 = 3;
const TEXT: u16 = 4;
const BYTES: u16 = 5;
const NUMBERS: u16 = 6;
const WORDS: u16 = 7;
const MADE: u16 = 8;
const LENT: u16 = 9;
const LITERAL: u16 = 10;
const COUNTER: u16 = 11;
/// Of the reason for which echo fails, beside a string for its message.
const REASON: u16 = 12;
/// The first of two, as the last slots.
const LAST: u16 = 13;

/// A program with a slot of each type, and lists of integers and of strings.
fn all_types(code: Vec<Ins>) -> Program {
    let slots = vec![
        SlotType::Int,
        SlotType::Bool,
        SlotType::Enum(0),
        SlotType::Str(20),
        SlotType::StrRef(2),
        SlotType::Bytes(20),
        SlotType::List(0, 5),
        SlotType::List(1, 5),
        SlotType::Made(0),
        SlotType::Lent(0),
        SlotType::Literal { len: 3, offset: 0 },
        SlotType::Counter,
        SlotType::Enum(1),
        SlotType::Int,
        SlotType::Int,
    ];
    let hash = |name| module().enums.iter().find(|e| e.name == name).expect("the desk has it").hash.0;
    Program {
        enums: vec![hash("Color"), hash("Reason")],
        layouts: vec![(0, 1), (1, 1)],
        layout_words: vec![SlotType::Int, SlotType::StrRef(20)],
        ..program(slots, code)
    }
}

/// What is said of programs.
fn each_program(rules: &[(Program, &str)]) {
    for (k, (program, expected)) in rules.iter().enumerate() {
        assert_eq!(faults(program), [*expected], "{k}");
    }
}

/// What is said of programs that have one instruction before their end, where it stands left out.
fn each(rules: &[(Ins, &str)]) {
    for (ins, expected) in rules {
        let faults = faults(&all_types(vec![*ins, END]));
        assert_eq!(faults.join("\n").replace(" instruction 0: ", " "), format!("error{expected}"), "{ins:?}");
    }
}

fn flagged(op: Op, flags: u8, a: u16, b: u16, c: u16) -> Ins {
    Ins { flags, ..ins(op, a, b, c, 0) }
}

#[test]
fn what_just_keeps_the_rules_is_accepted() {
    let good = [
        ins(Op::Load, BOOL, 0, 0, 1),
        ins(Op::Load, COLOR, 0, 0, 2),
        ins(Op::Load, TEXT, 0, 0, 0),
        ins(Op::Jump, 0, 0, 1, 0),
        ins(Op::Get, INT, NUMBERS, INT, 0),
        ins(Op::Push, WORDS, LITERAL, 0, 0),
        ins(Op::Tail, TEXT, TEXT, INT, 0),
        ins(Op::Call, 0, 0, LAST, CALL),
        ins(Op::Call, 0, 0, LAST, pack([INT, 1, REASON, STRING])),
    ];
    let looped = looped(good[0], TABLE);
    for program in good.map(|ins| all_types(vec![ins, END])).iter().chain([&looped]) {
        assert!(loaded(program).is_ok(), "{:?}", faults(program));
    }
}

#[test]
fn slots_have_the_types_of_their_operation() {
    each(&[
        (ins(Op::Add, INT, INT, 99, 0), "[type] found no slot in slot 99, expected Int"),
        (ins(Op::Mul, INT, BOOL, INT, 0), "[type] found Bool in slot 1, expected Int"),
        (ins(Op::AddI, COLOR, INT, 0, 1), "[type] found Enum(0) in slot 2, expected Int"),
        (ins(Op::Neg, COUNTER, INT, 0, 0), "[type] found Counter in slot 11, expected Int"),
        (ins(Op::Not, BOOL, INT, 0, 0), "[type] found Int in slot 0, expected Bool"),
        (ins(Op::JumpLt, INT, BOOL, 1, 0), "[type] found Bool in slot 1, expected Int"),
        (ins(Op::JumpEqI, STRING, 0, 1, 0), "[type] found Str(20) in slot 3, expected a scalar"),
        (ins(Op::Compare, BOOL, COLOR, REASON, 0), "[type] found Enum(1) in slot 12, expected Enum(0)"),
        (ins(Op::Fail, INT, 0, 0, 0), "[type] found Int in slot 0, expected a text"),
        (ins(Op::Len, INT, NUMBERS, 0, 0), "[type] found List(0, 5) in slot 6, expected a text"),
        (ins(Op::Count, INT, STRING, 0, 0), "[type] found Str(20) in slot 3, expected a list"),
        (ins(Op::Clear, TEXT, 0, 0, 0), "[type] found StrRef(2) in slot 4, expected a text or list variable"),
        (ins(Op::CompareText, BOOL, STRING, BYTES, 0), "[type] slots 3 and 5 are texts of different kinds"),
        (ins(Op::TestText, INT, STRING, LITERAL, 0), "[type] found Int in slot 0, expected Bool"),
        (ins(Op::Sort, STRING, 0, 0, 0), "[type] found Str(20) in slot 3, expected a list"),
        (
            ins(Op::Tail, STRING, STRING, INT, 0),
            "[type] found Str(20) in slot 3, expected a reference to a text",
        ),
        (ins(Op::Tail, TEXT, TEXT, BOOL, 0), "[type] found Bool in slot 1, expected Int"),
        // A reference is to no longer texts than its type says, and of its kind.
        (
            ins(Op::Tail, TEXT, STRING, INT, 0),
            "[type] found Str(20) in slot 3, expected StrRef(2), as slot 4",
        ),
        (
            ins(Op::Tail, TEXT, BYTES, INT, 0),
            "[type] found Bytes(20) in slot 5, expected StrRef(2), as slot 4",
        ),
    ]);
}

/// Its words are those of a float and a double, and nothing takes them for integers, or one for the other.
#[test]
fn floats_are_no_integers() {
    const FLOAT: u16 = 15;
    const DOUBLE: u16 = 16;
    const FLOATS: u16 = 17;
    let with_floats = |ins: Ins| {
        let mut program = all_types(vec![ins, END]);
        let [float, double] = [Precision::Single, Precision::Double].map(SlotType::Float);
        program.layout_words.push(double);
        program.layouts.push((2, 1));
        program.slots.extend([float, double, SlotType::List(2, 5)]);
        program
    };
    let good = [
        ins(Op::Load, DOUBLE, 0, 0, u64::MAX),
        ins(Op::Load, FLOAT, 0, 0, u32::MAX.into()),
        ins(Op::Move, FLOAT, FLOAT, 0, 0),
        flagged(Op::FloatArith, 3, FLOAT, FLOAT, FLOAT),
        flagged(Op::FloatArith, 4, DOUBLE, DOUBLE, DOUBLE),
        flagged(Op::FloatCompare, 5, BOOL, FLOAT, FLOAT),
        flagged(Op::FloatCompare, 13, BOOL, DOUBLE, DOUBLE),
        flagged(Op::Convert, 0, FLOAT, INT, 0),
        flagged(Op::Convert, 1, FLOAT, DOUBLE, 0),
        flagged(Op::Convert, 2, DOUBLE, INT, 0),
        flagged(Op::Convert, 3, DOUBLE, FLOAT, 0),
        ins(Op::Get, DOUBLE, FLOATS, INT, 0),
        ins(Op::Put, FLOATS, INT, DOUBLE, 0),
        ins(Op::Push, FLOATS, DOUBLE, 0, 0),
    ];
    for ins in good {
        assert!(loaded(&with_floats(ins)).is_ok(), "{ins:?}: {:?}", faults(&with_floats(ins)));
    }
    let bad = [
        (ins(Op::Add, INT, DOUBLE, INT, 0), "[type] found Float(Double) in slot 16, expected Int"),
        (ins(Op::AddI, INT, DOUBLE, 0, 1), "[type] found Float(Double) in slot 16, expected Int"),
        (ins(Op::Neg, FLOAT, INT, 0, 0), "[type] found Float(Single) in slot 15, expected Int"),
        (ins(Op::Move, INT, DOUBLE, 0, 0), "[type] found Float(Double) in slot 16, expected Int, as slot 0"),
        (
            ins(Op::Move, FLOAT, DOUBLE, 0, 0),
            "[type] found Float(Double) in slot 16, expected Float(Single), as slot 15",
        ),
        (
            ins(Op::Load, FLOAT, 0, 0, 1 << 32),
            "[type] found Float(Single) in slot 15, expected a scalar that can hold the value",
        ),
        (
            ins(Op::JumpLt, DOUBLE, DOUBLE, 1, 0),
            "[type] found Float(Double) in slot 16, expected a scalar that is no float",
        ),
        (
            ins(Op::JumpEqI, FLOAT, 0, 1, 0),
            "[type] found Float(Single) in slot 15, expected a scalar that is no float",
        ),
        (
            ins(Op::Compare, BOOL, FLOAT, FLOAT, 0),
            "[type] found Float(Single) in slot 15, expected a scalar that is no float",
        ),
        (ins(Op::Get, INT, NUMBERS, DOUBLE, 0), "[type] found Float(Double) in slot 16, expected Int"),
        (ins(Op::Get, INT, FLOATS, INT, 0), "[type] found Int in slot 0, expected a place for Float(Double)"),
        (ins(Op::Push, FLOATS, INT, 0, 0), "[type] found Int in slot 0, expected Float(Double)"),
        (ins(Op::Push, NUMBERS, DOUBLE, 0, 0), "[type] found Float(Double) in slot 16, expected Int"),
        (ins(Op::Sort, FLOATS, 0, 0, 0), "[word] word 0 is a float, which no list is sorted by"),
        (
            flagged(Op::FloatArith, 4, DOUBLE, FLOAT, DOUBLE),
            "[type] found Float(Single) in slot 15, expected Float(Double)",
        ),
        (flagged(Op::FloatArith, 0, FLOAT, FLOAT, INT), "[type] found Int in slot 0, expected Float(Single)"),
        (flagged(Op::FloatArith, 8, FLOAT, FLOAT, FLOAT), "[flags] found flags 8, expected at most 7"),
        (
            flagged(Op::FloatCompare, 1, BOOL, INT, FLOAT),
            "[type] found Int in slot 0, expected Float(Single)",
        ),
        (flagged(Op::FloatCompare, 8, INT, DOUBLE, DOUBLE), "[type] found Int in slot 0, expected Bool"),
        (flagged(Op::FloatCompare, 6, BOOL, FLOAT, FLOAT), "[flags] found flags 6, expected at most 5"),
        (flagged(Op::FloatCompare, 16, BOOL, FLOAT, FLOAT), "[flags] found flags 16, expected at most 5"),
        (flagged(Op::Convert, 1, FLOAT, INT, 0), "[type] found Int in slot 0, expected Float(Double)"),
        (flagged(Op::Convert, 2, DOUBLE, FLOAT, 0), "[type] found Float(Single) in slot 15, expected Int"),
        (flagged(Op::Convert, 0, INT, INT, 0), "[type] found Int in slot 0, expected Float(Single)"),
        (flagged(Op::Convert, 4, FLOAT, INT, 0), "[flags] found flags 4, expected at most 3"),
    ];
    for (ins, expected) in bad {
        let faults = faults(&with_floats(ins));
        assert_eq!(faults.join("\n").replace(" instruction 0: ", " "), format!("error{expected}"), "{ins:?}");
    }
}

/// What a union has in its words is read by one instruction, which looks whether it can be.
#[test]
fn words_of_unions_are_read_as_what_they_can_be() {
    const FLOAT: u16 = 15;
    const BYTES_REF: u16 = 16;
    let with = |ins: Ins| {
        let mut program = all_types(vec![ins, END]);
        program.slots.extend([SlotType::Float(Precision::Single), SlotType::BytesRef(9)]);
        program
    };
    let good = [
        ins(Op::As, BOOL, INT, 0, 0),
        ins(Op::As, INT, BOOL, 0, 0),
        ins(Op::As, COLOR, INT, 0, 0),
        ins(Op::As, INT, COLOR, 0, 0),
        ins(Op::As, FLOAT, INT, 0, 0),
        ins(Op::As, INT, FLOAT, 0, 0),
        ins(Op::As, STRING, BYTES, 0, 0),
        ins(Op::As, STRING, BYTES_REF, 0, 0),
        ins(Op::As, BYTES, TEXT, 0, 0),
        ins(Op::As, BYTES, LITERAL, 0, 0),
        ins(Op::As, NUMBERS, BYTES, 0, 0),
        ins(Op::As, NUMBERS, BYTES_REF, 0, 0),
        ins(Op::As, BYTES, NUMBERS, 0, 0),
    ];
    for ins in good {
        assert!(loaded(&with(ins)).is_ok(), "{ins:?}: {:?}", faults(&with(ins)));
    }
    let other = |found: &str, slot: u16, to: &str| {
        format!("error[type] found {found} in slot {slot}, expected what is not {to} and can be read as it")
    };
    let bad = [
        // Integers are no references, and these are no integers.
        (ins(Op::As, STRING, INT, 0, 0), other("Int", INT, "Str(20)")),
        (ins(Op::As, BYTES, INT, 0, 0), other("Int", INT, "Bytes(20)")),
        (ins(Op::As, TEXT, INT, 0, 0), other("Int", INT, "StrRef(2)")),
        (ins(Op::As, INT, STRING, 0, 0), other("Str(20)", STRING, "Int")),
        (ins(Op::As, INT, TEXT, 0, 0), other("StrRef(2)", TEXT, "Int")),
        (ins(Op::As, NUMBERS, INT, 0, 0), other("Int", INT, "List(0, 5)")),
        (ins(Op::As, NUMBERS, TEXT, 0, 0), other("StrRef(2)", TEXT, "List(0, 5)")),
        (ins(Op::As, NUMBERS, NUMBERS, 0, 0), other("List(0, 5)", NUMBERS, "List(0, 5)")),
        (ins(Op::As, STRING, NUMBERS, 0, 0), other("List(0, 5)", NUMBERS, "Str(20)")),
        (ins(Op::As, BYTES_REF, NUMBERS, 0, 0), other("List(0, 5)", NUMBERS, "BytesRef(9)")),
        (ins(Op::As, INT, NUMBERS, 0, 0), other("List(0, 5)", NUMBERS, "Int")),
        (ins(Op::As, MADE, INT, 0, 0), other("Int", INT, "Made(0)")),
        (ins(Op::As, LENT, INT, 0, 0), other("Int", INT, "Lent(0)")),
        (ins(Op::As, INT, LENT, 0, 0), other("Lent(0)", LENT, "Int")),
        (ins(Op::As, COUNTER, INT, 0, 0), other("Int", INT, "Counter")),
        (ins(Op::As, INT, COUNTER, 0, 0), other("Counter", COUNTER, "Int")),
        // What owns no area takes no copy, and nothing is read as what it is.
        (ins(Op::As, TEXT, BYTES, 0, 0), other("Bytes(20)", BYTES, "StrRef(2)")),
        (ins(Op::As, BYTES_REF, STRING, 0, 0), other("Str(20)", STRING, "BytesRef(9)")),
        (ins(Op::As, STRING, TEXT, 0, 0), other("StrRef(2)", TEXT, "Str(20)")),
        (ins(Op::As, BYTES, BYTES_REF, 0, 0), other("BytesRef(9)", BYTES_REF, "Bytes(20)")),
        (ins(Op::As, LITERAL, BYTES, 0, 0), other("Bytes(20)", BYTES, "Literal { len: 3, offset: 0 }")),
        (ins(Op::As, INT, INT, 0, 0), other("Int", INT, "Int")),
        (ins(Op::As, BOOL, FLOAT, 0, 0), other("Float(Single)", FLOAT, "Bool")),
        (
            ins(Op::As, INT, 99, 0, 0),
            "error[type] found no slot in slot 99, expected what is not Int and can be read as it".to_owned(),
        ),
        (ins(Op::As, BOOL, INT, 0, 1), "error[operands] As has an operand that it does not use".to_owned()),
        (flagged(Op::As, 1, BOOL, INT, 0), "error[flags] found flags 1, expected at most 0".to_owned()),
    ];
    for (ins, expected) in bad {
        let faults = faults(&with(ins));
        assert_eq!(faults.join("\n").replace(" instruction 0: ", " "), expected, "{ins:?}");
    }
}

#[test]
fn what_is_put_into_a_slot_fits_it() {
    each(&[
        (
            ins(Op::Load, BOOL, 0, 0, 2),
            "[type] found Bool in slot 1, expected a scalar that can hold the value",
        ),
        (
            ins(Op::Load, COLOR, 0, 0, 3),
            "[type] found Enum(0) in slot 2, expected a scalar that can hold the value",
        ),
        (
            ins(Op::Load, TEXT, 0, 0, 1 << 32),
            "[type] found StrRef(2) in slot 4, expected a scalar that can hold the value",
        ),
        (
            ins(Op::Load, STRING, 0, 0, 0),
            "[type] found Str(20) in slot 3, expected a scalar that can hold the value",
        ),
        (
            ins(Op::Load, LENT, 0, 0, 0),
            "[type] found Lent(0) in slot 9, expected a scalar that can hold the value",
        ),
        (
            ins(Op::Load, COUNTER, 0, 0, 0),
            "[type] found Counter in slot 11, expected a scalar that can hold the value",
        ),
        (ins(Op::Move, COUNTER, INT, 0, 0), "[type] found Int in slot 0, expected Counter, as slot 11"),
        (ins(Op::Move, INT, BOOL, 0, 0), "[type] found Bool in slot 1, expected Int, as slot 0"),
        (
            ins(Op::Move, TEXT, LITERAL, 0, 0),
            "[type] found Literal { len: 3, offset: 0 } in slot 10, expected StrRef(2), as slot 4",
        ),
        (ins(Op::Move, TEXT, BYTES, 0, 0), "[type] found Bytes(20) in slot 5, expected StrRef(2), as slot 4"),
        (
            ins(Op::Move, LITERAL, STRING, 0, 0),
            "[type] found Str(20) in slot 3, expected Literal { len: 3, offset: 0 }, as slot 10",
        ),
        (ins(Op::Move, MADE, INT, 0, 0), "[type] found Int in slot 0, expected Made(0), as slot 8"),
        (ins(Op::Set, TEXT, STRING, 0, 0), "[type] found StrRef(2) in slot 4, expected a text variable"),
        (ins(Op::Set, STRING, BYTES, 0, 0), "[type] slots 5 and 3 are texts of different kinds"),
        (ins(Op::Append, BYTES, LITERAL, 0, 0), "[type] slots 10 and 5 are texts of different kinds"),
        (
            ins(Op::Set, NUMBERS, WORDS, 0, 0),
            "[type] found List(1, 5) in slot 7, expected a list of the same elements",
        ),
        (ins(Op::Set, NUMBERS, STRING, 0, 0), "[type] found Str(20) in slot 3, expected a list"),
    ]);
}

#[test]
fn elements_of_lists_have_words_of_their_types() {
    each(&[
        (ins(Op::Get, INT, NUMBERS, INT, 1), "[word] word 1 of an element that has 1"),
        (ins(Op::Get, BOOL, NUMBERS, INT, 0), "[type] found Bool in slot 1, expected a place for Int"),
        (ins(Op::Get, INT, NUMBERS, BOOL, 0), "[type] found Bool in slot 1, expected Int"),
        (
            ins(Op::Get, TEXT, WORDS, INT, 0),
            "[type] found StrRef(2) in slot 4, expected a place for StrRef(20)",
        ),
        (ins(Op::Put, NUMBERS, INT, BOOL, 0), "[type] found Bool in slot 1, expected Int"),
        (ins(Op::Put, WORDS, INT, BYTES, 0), "[type] found Bytes(20) in slot 5, expected StrRef(20)"),
        (ins(Op::Put, WORDS, INT, STRING, 7), "[word] word 7 of an element that has 1"),
        (ins(Op::Push, NUMBERS, STRING, 0, 0), "[type] found Str(20) in slot 3, expected Int"),
        (ins(Op::Push, WORDS, INT, 0, 0), "[type] found Int in slot 0, expected StrRef(20)"),
        (ins(Op::Sort, NUMBERS, 0, 0, 1), "[word] word 1 of an element that has 1"),
    ]);
}

#[test]
fn portals_stay_in_registers_of_their_interface() {
    each(&[
        (ins(Op::Drop, 3, 0, 0, 0), "[register] there is no portal register 3"),
        (
            ins(Op::Take, 1, INT, 0, 0),
            "[type] found Int in slot 0, expected a portal of the register's interface, just made",
        ),
        (ins(Op::Lend, LENT, 0, 0, 0), "[type] found Lent(0) in slot 9, expected Lent(1)"),
        (ins(Op::Lend, INT, 1, 0, 0), "[type] found Int in slot 0, expected Lent(0)"),
        (ins(Op::Share, 0, 1, 0, 0), "[register] registers 0 and 1 are of different interfaces"),
        (ins(Op::Call, 9, 0, LAST, CALL), "[register] there is no portal register 9"),
        (ins(Op::Call, 1, 0, LAST, CALL), "[type] found a portal on Box, expected one for Desk.echo"),
    ]);
}

#[test]
fn calls_have_the_block_that_their_operation_wants() {
    let handled = |target, kind, message| pack([NONE, target, kind, message]);
    each(&[
        (ins(Op::Call, 0, 99, LAST, CALL), "[operation] the program names no operation 99"),
        (ins(Op::Call, 0, 0, LAST + 1, CALL), "[block] the arguments of Desk.echo leave the variable table"),
        (
            ins(Op::Call, 0, 0, REASON, CALL),
            "[type] found Enum(1) in slot 12, expected Int { bits: 64, signed: true } for Desk.echo",
        ),
        (
            ins(Op::Call, 0, 0, LAST, pack([BOOL, NONE, 0, 0])),
            "[type] found Bool in slot 1, expected the result of the call",
        ),
        (ins(Op::Call, 0, 0, LAST, handled(0, REASON, STRING)), "[branch] a handler at 0 goes backward"),
        (
            ins(Op::Call, 0, 0, LAST, handled(1, COLOR, STRING)),
            "[type] found Enum(0) in slot 2, expected the kind of the operation's exception",
        ),
        (
            ins(Op::Call, 0, 0, LAST, handled(1, REASON, BYTES)),
            "[type] found Bytes(20) in slot 5, expected a string variable",
        ),
        (ins(Op::Call, 0, 0, LAST, handled(9, REASON, STRING)), "[branch] instruction 9 does not exist"),
        (
            ins(Op::Call, 0, 0, LAST, handled(NONE, REASON, STRING)),
            "[operands] names places for an error that nobody handles",
        ),
    ]);
}

/// A list goes in where it lies, or by a reference to it, and one of other elements does not.
#[test]
fn a_list_is_an_argument_if_its_elements_are_those_that_are_wanted() {
    let with = |list: SlotType| {
        let mut program = all_types(vec![ins(Op::Call, 0, 7, LAST, CALL), END]);
        program.ops.push(op(1, "take"));
        program.slots[usize::from(LAST)] = list;
        program
    };
    for list in [SlotType::List(0, 9), SlotType::ListRef(0, 2)] {
        assert!(loaded(&with(list)).is_ok(), "{list:?}");
    }
    let expected = "expected List { element: [Int { bits: 64, signed: true }], max: 6 } for Desk.take";
    for (list, found) in [
        (SlotType::List(1, 5), "List(1, 5)"),
        (SlotType::ListRef(1, 5), "ListRef(1, 5)"),
        (SlotType::Int, "Int"),
    ] {
        let message = format!("error[type] instruction 0: found {found} in slot {LAST}, {expected}");
        each_program(&[(with(list), &message)]);
    }
    let nowhere = "error[table]: slot 13 has a type that refers to nothing";
    each_program(&[(with(SlotType::ListRef(2, 5)), nowhere)]);
}

/// A reference is to a list of the same elements that is no longer.
#[test]
fn a_reference_to_a_list_is_taken_from_one_that_fits() {
    let with = |to: SlotType, from: u16| {
        let mut program = all_types(vec![ins(Op::Move, LAST, from, 0, 0), END]);
        program.slots[usize::from(LAST)] = to;
        program
    };
    assert!(loaded(&with(SlotType::ListRef(0, 5), NUMBERS)).is_ok());
    for (to, from, found) in [
        (SlotType::ListRef(0, 4), NUMBERS, "List(0, 5)"),
        (SlotType::ListRef(0, 5), WORDS, "List(1, 5)"),
        (SlotType::ListRef(0, 5), STRING, "Str(20)"),
    ] {
        let message = format!(
            "error[type] instruction 0: found {found} in slot {from}, expected {to:?}, as slot {LAST}"
        );
        each_program(&[(with(to, from), &message)]);
    }
}

#[test]
fn what_an_instruction_does_not_use_is_zero() {
    each(&[
        (ins(Op::Len, INT, STRING, 1, 0), "[operands] Len has an operand that it does not use"),
        (ins(Op::Add, INT, INT, INT, 1), "[operands] Add has an operand that it does not use"),
        (flagged(Op::Add, 1, INT, INT, INT), "[flags] found flags 1, expected at most 0"),
        (flagged(Op::Compare, 6, BOOL, INT, INT), "[flags] found flags 6, expected at most 5"),
        (flagged(Op::CompareText, 6, BOOL, STRING, TEXT), "[flags] found flags 6, expected at most 5"),
        (flagged(Op::TestText, 3, BOOL, STRING, TEXT), "[flags] found flags 3, expected at most 2"),
    ]);
}

/// A jump to the test of a loop, its head, the body, and a jump back.
fn looped(body: Ins, table: Loop) -> Program {
    let code =
        vec![ins(Op::Jump, 0, 0, 3, 0), ins(Op::Loop, 0, 0, 0, 0), body, ins(Op::Jump, 0, 0, 1, 0), END];
    Program { loops: vec![table], ..all_types(code) }
}

const TABLE: Loop = Loop {
    head: 1,
    test: 3,
    end: 4,
    counter: COUNTER,
    own: 4,
    limit: UNBOUNDED,
    line: 7,
    inner: NONE,
    default: false,
};

#[test]
fn control_goes_back_to_heads_of_loops_only() {
    let nothing = ins(Op::Load, INT, 0, 0, 0);
    let jump = |to| ins(Op::Jump, 0, 0, to, 0);
    each_program(&[
        (all_types(vec![jump(9), END]), "error[branch] instruction 0: instruction 9 does not exist"),
        (
            all_types(vec![nothing, jump(0), END]),
            "error[branch] instruction 1: goes back to 0, which is the head of no loop",
        ),
        (
            all_types(vec![ins(Op::Loop, 0, 0, 0, 0), END]),
            "error[loop] instruction 0: is not the head of loop 0",
        ),
        (all_types(vec![nothing]), "error[end] instruction 0: control runs off the end of the program"),
        (all_types(vec![]), "error[end]: the program has no instructions"),
        (
            all_types(vec![ins(Op::End, INT, 0, 0, 0)]),
            "error[type] instruction 0: found Int in slot 0, expected the result",
        ),
        (
            looped(jump(2), TABLE),
            "error[branch] instruction 2: goes to 2, which is not the head of a loop around it",
        ),
        (looped(jump(0), TABLE), "error[branch] instruction 2: goes back to 0, which is the head of no loop"),
        (looped(ins(Op::Loop, 0, 0, 0, 0), TABLE), "error[loop] instruction 2: is not the head of loop 0"),
        (
            Program {
                code: vec![jump(2), ins(Op::Loop, 0, 0, 0, 0), nothing, jump(1), END],
                ..looped(nothing, TABLE)
            },
            "error[branch] instruction 0: goes to 2, which is inside a loop",
        ),
    ]);
}

#[test]
fn loops_nest_and_have_bounds() {
    let nothing = ins(Op::Load, INT, 0, 0, 0);
    let table = |table| looped(nothing, table);
    let second = Loop { head: 2, test: 4, ..TABLE };
    each_program(&[
        (
            table(Loop { head: 0, ..TABLE }),
            "error[loop]: loop 0 (line 7): its places 0, 3, 4 are not in order",
        ),
        (
            table(Loop { head: 2, ..TABLE }),
            "error[loop]: loop 0 (line 7): at its head stands another instruction",
        ),
        (
            table(Loop { end: 9, ..TABLE }),
            "error[loop]: loop 0 (line 7): its places 1, 3, 9 are not in order",
        ),
        (
            table(Loop { test: 0, ..TABLE }),
            "error[loop]: loop 0 (line 7): its places 1, 0, 4 are not in order",
        ),
        (table(Loop { counter: INT, ..TABLE }), "error[loop]: loop 0 (line 7): its counter is no counter"),
        (table(Loop { own: UNBOUNDED, ..TABLE }), "error[no-limit]: loop 0 (line 7) has no bound"),
        (table(Loop { inner: 0, ..TABLE }), "error[loop]: loop 0 goes over pages without entries"),
        (
            Program { loops: vec![TABLE, TABLE], ..table(TABLE) },
            "error[loop]: loop 1 (line 7): it does not come after the loop before it",
        ),
        (
            Program { loops: vec![TABLE, second], ..table(TABLE) },
            "error[loop]: loop 1 (line 7): it overlaps the loop around it",
        ),
    ]);
}

#[test]
fn tables_refer_to_what_is_there() {
    let good = || all_types(vec![END]);
    let slot = |ty| Program { slots: vec![ty], layouts: vec![], layout_words: vec![], ..good() };
    each_program(&[
        (slot(SlotType::Enum(2)), "error[table]: slot 0 has a type that refers to nothing"),
        (slot(SlotType::Made(2)), "error[table]: slot 0 has a type that refers to nothing"),
        (slot(SlotType::List(0, 5)), "error[table]: slot 0 has a type that refers to nothing"),
        (
            slot(SlotType::Literal { len: 4, offset: 0 }),
            "error[table]: slot 0 has a type that refers to nothing",
        ),
        (slot(SlotType::Str(1 << 24)), "error[table]: slot 0 has a type that refers to nothing"),
        (
            Program { literals: b"b\0x".to_vec(), ..good() },
            "error[table]: the literals hold a zero byte, as no string does",
        ),
        (
            Program { layouts: vec![(0, 1), (1, 2)], ..good() },
            "error[table]: kind of list 1 is not made of scalars, texts and portals of one way",
        ),
        (
            Program { layouts: vec![(0, 1), (1, 0)], ..good() },
            "error[table]: kind of list 1 is not made of scalars, texts and portals of one way",
        ),
        (
            Program {
                layouts: vec![(0, 1), (0, 2)],
                layout_words: vec![SlotType::Lent(0), SlotType::Made(0)],
                ..good()
            },
            "error[table]: kind of list 1 is not made of scalars, texts and portals of one way",
        ),
        (
            Program { layout_words: vec![SlotType::Enum(2), SlotType::StrRef(20)], ..good() },
            "error[table]: a list word is of no enum",
        ),
        (
            Program { ops: vec![OpRef { hash: 1, ..op(0, "size") }], ..good() },
            "not supported[unknown-operation]: Box of this server has no operation 0000000000000001: it was made for another \
             version of desk",
        ),
        (
            Program { ops: vec![OpRef { interface: 2, ..op(1, "echo") }], ..good() },
            "error[table]: operation 0 is of no interface",
        ),
        (
            Program { registers: vec![1, 0, 2], ..good() },
            "error[table]: portal register 2 is of no interface",
        ),
        (
            Program { params: vec![ParamPlace::Register(3)], ..good() },
            "error[table]: parameter 0 has no place",
        ),
        (
            Program { params: vec![ParamPlace::Slot(NUMBERS)], ..good() },
            "error[table]: parameter 0 has no place",
        ),
        (Program { started: BOOL, ..good() }, "error[table]: the slot of the start time is no integer"),
        (Program { result: ResultKind::Words, ..good() }, "error[table]: the result has no type"),
        (
            Program { result: ResultKind::Words, result_words: vec![SlotType::Lent(0)], ..good() },
            "error[table]: the result is not made of scalars and texts",
        ),
        (Program { so_far: INT, ..good() }, "error[table]: the result so far is not of the result's type"),
        (
            Program {
                interfaces: vec![("desk".into(), "Box".into()), ("desk".into(), "Bench".into())],
                ..good()
            },
            "not supported[unknown-interface]: this server has no interface desk.Bench",
        ),
    ]);
}
