//! Tables of the translation: from opcodes to operations.

use carnet_classes::instruction::Operands;

use super::CONDITIONS;
use crate::class::Kind;
use crate::code::op;

/// Kinds that are the same on the stack.
pub(super) fn class_of(kind: Kind) -> Kind {
    match kind {
        Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short => Kind::Int,
        kind => kind,
    }
}

pub(super) fn kind_of(letter: u8) -> Kind {
    if letter == b'R' { Kind::Reference } else { Kind::of(&[letter]) }
}

pub(super) fn local_of(operands: Operands<'_>) -> u16 {
    match operands {
        Operands::Local(local) => local,
        _ => u16::MAX,
    }
}

pub(super) fn constant_of(operands: Operands<'_>) -> u32 {
    match operands {
        Operands::Constant(constant) | Operands::Site(constant, _) => u32::from(constant.0),
        _ => 0,
    }
}

/// The condition with its sides changed: EQ, NE, LT, GE, GT, LE.
pub(super) fn turned(condition: u8) -> u8 {
    debug_assert!(condition < CONDITIONS);
    match condition {
        2 => 4,
        3 => 5,
        4 => 2,
        5 => 3,
        same => same,
    }
}

pub(super) fn unary(opcode: u8) -> Option<u8> {
    Some(match opcode {
        116 => op::NEG,
        117 => op::NEG_L,
        118 => op::NEG_F,
        119 => op::NEG_D,
        133..=147 => op::I2L + (opcode - 133),
        _ => return None,
    })
}

pub(super) fn binary(opcode: u8) -> Option<u8> {
    // Four types in turn: int, long, float, double.
    const ADD: [[u8; 4]; 5] = [
        [op::ADD, op::ADD_L, op::ADD_F, op::ADD_D],
        [op::SUB, op::SUB_L, op::SUB_F, op::SUB_D],
        [op::MUL, op::MUL_L, op::MUL_F, op::MUL_D],
        [op::DIV, op::DIV_L, op::DIV_F, op::DIV_D],
        [op::REM, op::REM_L, op::REM_F, op::REM_D],
    ];
    // Two types in turn: int, long.
    const SHIFT: [[u8; 2]; 6] = [
        [op::SHL, op::SHL_L],
        [op::SHR, op::SHR_L],
        [op::USHR, op::USHR_L],
        [op::AND, op::AND_L],
        [op::OR, op::OR_L],
        [op::XOR, op::XOR_L],
    ];
    Some(match opcode {
        96..=115 => ADD[usize::from(opcode - 96) / 4][usize::from(opcode - 96) % 4],
        120..=131 => SHIFT[usize::from(opcode - 120) / 2][usize::from(opcode - 120) % 2],
        148 => op::COMPARE_L,
        149 => op::COMPARE_FL,
        150 => op::COMPARE_FG,
        151 => op::COMPARE_DL,
        152 => op::COMPARE_DG,
        _ => return None,
    })
}

/// The form of an operation that has a constant as its second operand.
pub(super) fn number_form(op: u8, number: i32) -> Option<(u8, u32)> {
    let form = match op {
        op::ADD => return Some((op::ADD_N, number as u32)),
        op::SUB => return Some((op::ADD_N, number.wrapping_neg() as u32)),
        op::MUL => op::MUL_N,
        op::DIV if number != 0 => op::DIV_N,
        op::REM if number != 0 => op::REM_N,
        op::AND => op::AND_N,
        op::SHL => op::SHL_N,
        op::SHR => op::SHR_N,
        op::USHR => op::USHR_N,
        _ => return None,
    };
    Some((form, number as u32))
}

pub(super) fn number_form_long(op: u8, number: i64) -> Option<(u8, u32)> {
    let number = match op {
        op::ADD_L => number,
        op::SUB_L => number.checked_neg()?,
        _ => return None,
    };
    i32::try_from(number).ok().map(|number| (op::ADD_LN, number as u32))
}

/// The branch that is taken where this one is not. They stand in pairs.
pub(super) fn opposite(branch: u8) -> u8 {
    op::IF_EQ + ((branch - op::IF_EQ) ^ 1)
}
