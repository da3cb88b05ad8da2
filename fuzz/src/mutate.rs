//! Random changes of bytecode: programs that are nearly valid, and bytes that are hardly.

use std::sync::Arc;

use carnet_program::bytecode::{Ins, Op, Program, ResultKind, SlotType, View, pack, quarters};
use carnet_program::compile::compile;
use carnet_program::float::Precision;
use carnet_program::interp::Mode;
use carnet_program::tree::Tree;
use carnet_program::verify::{LoadError, load};

use crate::engines::{By, Setting, check_bill, check_translated, run_code, translations};
use crate::entropy::Entropy;
use crate::probe::registry;

/// What was encoded is what is read.
///
/// # Panics
/// If it is not.
pub fn check_round_trip(program: &Program, bytes: &[u8]) {
    let view = View::new(bytes).unwrap_or_else(|error| panic!("what was encoded cannot be read: {error}"));
    let types = |bytes: &[[u8; 8]]| bytes.iter().filter_map(SlotType::decode).collect::<Vec<_>>();
    let mut names = view.names().map(|name| String::from_utf8_lossy(name).into_owned());
    let again = Program {
        name: names.next().unwrap_or_default(),
        code: view.code.iter().filter_map(|ins| Ins::decode(ins).ok()).collect(),
        ops: (0..view.ops.len()).filter_map(|k| view.op(k)).collect(),
        loops: (0..view.loops.len()).filter_map(|k| view.loop_at(k)).collect(),
        enums: view.enums.iter().map(|hash| u64::from_le_bytes(*hash)).collect(),
        slots: types(view.slots),
        layouts: (0..view.layouts.len())
            .filter_map(|k| view.layout(k))
            .map(|(first, count)| (first as u16, count as u16))
            .collect(),
        layout_words: types(view.layout_words),
        result: view.header.result,
        so_far: view.header.so_far,
        result_words: types(view.result_words),
        caps: (0..view.caps.len()).filter_map(|k| view.cap(k)).collect(),
        lines: program.lines.clone(),
        registers: (0..view.registers.len()).filter_map(|k| view.register(k)).collect(),
        params: (0..view.params.len()).filter_map(|k| view.param(k)).collect(),
        started: view.header.started,
        literals: view.literals.to_vec(),
        interfaces: {
            let mut pairs = Vec::new();
            while let (Some(module), Some(name)) = (names.next(), names.next()) {
                pairs.push((module, name));
            }
            pairs
        },
    };
    let mut expected = program.clone();
    expected.caps.iter_mut().for_each(|cap| cap.pos.col = 0);
    assert_eq!(again, expected, "what was encoded reads differently");
    // Of several places of one instruction the last counts.
    for (k, (at, pos)) in program.lines.iter().enumerate() {
        let later = program.lines.get(k + 1).is_some_and(|(next, _)| next == at);
        assert!(later || view.pos(*at) == *pos, "instruction {at} lies elsewhere");
    }
}

/// Loads bytes, and runs them if they are a program.
///
/// # Panics
/// If a promise is broken.
pub fn check_bytes(bytes: &[u8], entropy: &mut Entropy<'_>) -> bool {
    crate::steps::add(bytes.len() as u64 / 64);
    let loaded = match load(bytes, registry()) {
        Ok(loaded) => Arc::new(loaded),
        Err(LoadError::NotAProgram(_)) => return false,
        Err(LoadError::Rejected(faults)) => {
            assert!(!faults.is_empty(), "rejected without a fault");
            return false;
        }
    };
    let empty = crate::tables::tree_of(crate::probe::module(), Vec::new());
    let mut setting = Setting::random(&empty, entropy).capped(&loaded.caps);
    setting.values = Vec::new();
    let seed = entropy.bits();
    let whole = run_code(None, By::Bytecode(&loaded), &setting, None);
    let sliced = run_code(None, By::Bytecode(&loaded), &setting, Some(&mut Entropy::of_seed(seed)));
    assert!(whole == sliced, "whole and in slices differ:\n{whole:?}\n{sliced:?}\nwith {setting:?}");
    check_bill(bytes, &loaded, &whole, &setting);
    let translations = translations(&loaded);
    check_translated(None, &translations, &whole, &setting);
    setting.mode = Mode::Dry;
    let dry = run_code(None, By::Bytecode(&loaded), &setting, None);
    check_translated(None, &translations, &dry, &setting);
    true
}

/// Changes a compiled program a little and checks what becomes of it; whether it was still a program.
///
/// # Panics
/// If a promise is broken.
pub fn check_mutated(tree: &Tree, entropy: &mut Entropy<'_>) -> bool {
    let Ok(mut program) = compile(tree) else { return false };
    for _ in 0..1 + entropy.below(4) {
        mutate(&mut program, entropy);
    }
    check_bytes(&program.encode(), entropy)
}

/// Changes the bytes of a compiled program and checks what becomes of them; whether they were still a program.
///
/// # Panics
/// If a promise is broken.
pub fn check_damaged(tree: &Tree, entropy: &mut Entropy<'_>) -> bool {
    let Ok(program) = compile(tree) else { return false };
    let mut bytes = program.encode();
    for _ in 0..1 + entropy.below(3) {
        damage(&mut bytes, entropy);
    }
    check_bytes(&bytes, entropy)
}

/// One change of bytes: a bit, a byte, an end, a piece twice.
pub fn damage(bytes: &mut Vec<u8>, entropy: &mut Entropy<'_>) {
    let at = entropy.below(bytes.len());
    match entropy.below(6) {
        _ if bytes.is_empty() => bytes.push(entropy.bits() as u8),
        0..=2 => bytes[at] ^= 1 << entropy.below(8),
        3 => bytes[at] = *entropy.pick(&[0, 1, 0x7f, 0x80, 0xff, b'0', b'{', b'"']),
        4 => bytes.truncate(at),
        _ => {
            let piece = bytes[at..(at + entropy.below(24)).min(bytes.len())].to_vec();
            let to = entropy.below(bytes.len());
            bytes.splice(to..to, piece);
        }
    }
}

/// One change of a program's parts.
fn mutate(program: &mut Program, entropy: &mut Entropy<'_>) {
    let at = entropy.below(program.code.len());
    match entropy.below(12) {
        0..=4 => change(program, at, entropy),
        5 => {
            let other = entropy.below(program.code.len());
            program.code.swap(at, other);
        }
        6 | 7 => insert(program, at, entropy),
        8 => {
            let ins = program.code[at];
            let other = entropy.below(program.code.len());
            program.code[other] = ins;
        }
        9 => {
            let slot = entropy.below(program.slots.len());
            if let Some(other) = program.slots.get(entropy.below(program.slots.len())).copied() {
                program.slots[slot] = other;
            }
        }
        10 if !program.loops.is_empty() => {
            let k = entropy.below(program.loops.len());
            let shift = entropy.below(3) as u16;
            let l = &mut program.loops[k];
            match entropy.below(6) {
                0 => l.limit = entropy.below(50) as u64,
                1 => l.own = entropy.below(50) as u64,
                2 => l.test = (l.test + shift).saturating_sub(1),
                3 => l.end = (l.end + shift).saturating_sub(1),
                4 => l.inner = k as u16 + shift,
                _ => l.head = (l.head + shift).saturating_sub(1),
            }
        }
        _ => match entropy.below(3) {
            0 => program.so_far = entropy.below(program.slots.len() + 1) as u16,
            1 => program.result = ResultKind::None,
            _ => program.registers.push(entropy.below(program.interfaces.len()) as u16),
        },
    }
}

/// Changes an operand of an instruction to another that is in use.
fn change(program: &mut Program, at: usize, entropy: &mut Entropy<'_>) {
    let other = *entropy.pick(&program.code);
    let slots = program.slots.len();
    let ins = &mut program.code[at];
    match entropy.below(9) {
        0 => ins.a = other.a,
        1 => ins.b = other.b,
        2 => ins.c = other.c,
        3 => ins.d = other.d,
        4 => ins.a = entropy.below(slots) as u16,
        5 => ins.b = entropy.below(slots) as u16,
        6 => ins.op = *entropy.pick(&Op::ALL),
        7 => ins.flags = entropy.below(6) as u8,
        _ => {
            let mut d = quarters(ins.d);
            d[entropy.below(4)] = entropy.below(slots) as u16;
            ins.d = pack(d);
        }
    }
}

/// Puts a new instruction in front of `at`, and moves what names instructions behind it.
fn insert(program: &mut Program, at: usize, entropy: &mut Entropy<'_>) {
    let ins = random_ins(program, at, entropy);
    let moved = |target: &mut u16| *target += u16::from(*target as usize > at && *target != u16::MAX);
    for ins in &mut program.code {
        if ins.op.branches() {
            moved(&mut ins.c);
        } else if ins.op == Op::Call {
            let mut d = quarters(ins.d);
            moved(&mut d[1]);
            ins.d = pack(d);
        }
    }
    for l in &mut program.loops {
        [&mut l.head, &mut l.test, &mut l.end].into_iter().for_each(moved);
        // Loops begin with their own instruction.
        l.head += u16::from(l.head as usize == at);
    }
    program.code.insert(at, ins);
}

/// An instruction that fits the program's tables more often than not.
fn random_ins(program: &Program, at: usize, entropy: &mut Entropy<'_>) -> Ins {
    let op = *entropy.pick(&Op::ALL);
    let of = |good: fn(&SlotType) -> bool, entropy: &mut Entropy<'_>| {
        let good: Vec<usize> = (0..program.slots.len()).filter(|k| good(&program.slots[*k])).collect();
        good.get(entropy.below(good.len())).map_or(0, |k| *k as u16)
    };
    let int = |ty: &SlotType| matches!(ty, SlotType::Int);
    let truth = |ty: &SlotType| matches!(ty, SlotType::Bool);
    let text = |ty: &SlotType| ty.string_max().is_some();
    let owner = |ty: &SlotType| matches!(ty, SlotType::Str(_));
    let reference = |ty: &SlotType| matches!(ty, SlotType::StrRef(_));
    let list = |ty: &SlotType| matches!(ty, SlotType::List(..));
    let list_reference = |ty: &SlotType| matches!(ty, SlotType::ListRef(..));
    let made = |ty: &SlotType| matches!(ty, SlotType::Made(_));
    let lent = |ty: &SlotType| matches!(ty, SlotType::Lent(_));
    let register = |entropy: &mut Entropy<'_>| entropy.below(program.registers.len()) as u16;
    let plain = |op, a, b, c, d| Ins { op, flags: 0, a, b, c, d };
    let e = entropy;
    match op {
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem => plain(op, of(int, e), of(int, e), of(int, e), 0),
        Op::FloatArith | Op::FloatCompare | Op::Convert => {
            let (this, low) = (*e.pick(&Precision::ALL), e.below(4) as u8);
            let double = u8::from(this == Precision::Double);
            let float = |precision: Precision, e: &mut Entropy<'_>| match precision {
                Precision::Single => of(|ty| *ty == SlotType::Float(Precision::Single), e),
                Precision::Double => of(|ty| *ty == SlotType::Float(Precision::Double), e),
            };
            let (a, b) = (float(this, e), float(this, e));
            match op {
                Op::FloatArith => Ins { op, flags: low + 4 * double, a, b, c: float(this, e), d: 0 },
                Op::FloatCompare => {
                    Ins { op, flags: low + 8 * double, a: of(truth, e), b, c: float(this, e), d: 0 }
                }
                _ => {
                    let b = if low & 1 == 0 { of(int, e) } else { float(this.other(), e) };
                    Ins { op, flags: (low & 1) + 2 * double, a, b, c: 0, d: 0 }
                }
            }
        }
        Op::AddI => plain(op, of(int, e), of(int, e), 0, e.int().cast_unsigned()),
        Op::Neg => plain(op, of(int, e), of(int, e), 0, 0),
        Op::Load => plain(op, of(int, e), 0, 0, e.int().cast_unsigned()),
        Op::Move if e.one_in(2) => plain(op, of(reference, e), of(text, e), 0, 0),
        Op::Move if e.one_in(3) => plain(op, of(list_reference, e), of(list, e), 0, 0),
        Op::Move => plain(op, of(int, e), of(int, e), 0, 0),
        Op::Not => plain(op, of(truth, e), of(truth, e), 0, 0),
        Op::As if e.one_in(2) => plain(op, of(owner, e), of(|ty| ty.bytes_max().is_some(), e), 0, 0),
        Op::As if e.one_in(2) => plain(op, of(int, e), of(truth, e), 0, 0),
        Op::As => plain(op, of(truth, e), of(int, e), 0, 0),
        Op::Set | Op::Append => plain(op, of(owner, e), of(text, e), 0, 0),
        Op::Clear if e.one_in(2) => plain(op, of(list, e), 0, 0, 0),
        Op::Clear => plain(op, of(owner, e), 0, 0, 0),
        Op::CompareText | Op::TestText => {
            Ins { op, flags: e.below(3) as u8, a: of(truth, e), b: of(text, e), c: of(text, e), d: 0 }
        }
        Op::Len => plain(op, of(int, e), of(text, e), 0, 0),
        Op::Tail => plain(op, of(reference, e), of(text, e), of(int, e), 0),
        Op::Count => plain(op, of(int, e), of(list, e), 0, 0),
        Op::Get if e.one_in(2) => plain(op, of(reference, e), of(list, e), of(int, e), e.below(3) as u64),
        Op::Get => plain(op, of(int, e), of(list, e), of(int, e), e.below(3) as u64),
        Op::Put if e.one_in(2) => plain(op, of(list, e), of(int, e), of(text, e), e.below(3) as u64),
        Op::Put => plain(op, of(list, e), of(int, e), of(int, e), e.below(3) as u64),
        Op::Push => plain(op, of(list, e), e.below(program.slots.len()) as u16, 0, 0),
        Op::Sort => plain(op, of(list, e), 0, 0, e.below(3) as u64),
        Op::Take => plain(op, register(e), of(made, e), 0, 0),
        Op::Drop => plain(op, register(e), 0, 0, 0),
        Op::Lend => plain(op, of(lent, e), register(e), 0, 0),
        Op::Share => plain(op, register(e), register(e), 0, 0),
        Op::TakeAll => plain(
            op,
            register(e),
            of(list, e),
            of(int, e),
            pack([e.below(2) as u16, e.below(4) as u16, 0, 0]),
        ),
        Op::LendAll => plain(op, of(list, e), register(e), of(int, e), pack([0, e.below(4) as u16, 0, 0])),
        Op::Pick => {
            let d = pack([1 + e.below(4) as u16, of(int, e), 0, 0]);
            plain(op, register(e), register(e), of(int, e), d)
        }
        Op::Keep => plain(op, register(e), register(e), of(int, e), 1 + e.below(4) as u64),
        Op::DropAll => plain(op, register(e), 0, 0, 1 + e.below(4) as u64),
        Op::MoveStrided => {
            let d = pack([1 + e.below(4) as u16, 0, e.below(3) as u16, e.below(3) as u16]);
            plain(op, of(int, e), of(int, e), 0, d)
        }
        Op::Repeat => plain(op, 0, 0, 0, pack([1 + e.below(4) as u16, 0, 0, 0])),
        op if op.branches() => {
            let target = at + 1 + e.below(program.code.len() - at);
            let ints = (of(int, e), of(int, e));
            let b = if op as u8 >= Op::JumpEqI as u8 || op == Op::Jump { 0 } else { ints.1 };
            let a = if op == Op::Jump { 0 } else { ints.0 };
            let d = if op as u8 >= Op::JumpEqI as u8 { e.below(4) as u64 } else { 0 };
            plain(op, a, b, target as u16, d)
        }
        _ => *e.pick(&program.code),
    }
}
