//! Instructions out of the bytes of a Code attribute, by the table of [`opcode`](crate::opcode).

use crate::class::PoolIndex;
use crate::opcode::{Format, Row, row};

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Instruction<'a> {
    /// Its opcode; of a `wide` one, that of the instruction behind it.
    pub opcode: u8,
    /// Its row in the table.
    pub row: &'static Row,
    /// Its operands.
    pub operands: Operands<'a>,
    /// How many bytes it has.
    pub length: u32,
}

/// The operands of an instruction. Distances are already added to its offset; they may lie outside of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands<'a> {
    /// There are none.
    None,
    /// A number.
    Number(i32),
    /// A local variable.
    Local(u16),
    /// A local variable, and what is added to it.
    Iinc(u16, i16),
    /// A constant.
    Constant(PoolIndex),
    /// A target.
    Target(i64),
    /// The targets of a switch.
    Switch(Switch<'a>),
    /// The constant of `invokeinterface` or `invokedynamic`, and the two bytes behind it.
    Site(PoolIndex, [u8; 2]),
    /// The code of an array's element type.
    ArrayType(u8),
    /// A constant and a number of dimensions.
    Dimensions(PoolIndex, u8),
}

/// The targets of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch<'a> {
    /// Offset of the instruction.
    offset: u32,
    /// The target that is used if no other is.
    pub default: i64,
    /// The lowest key of a `tableswitch`.
    pub low: Option<i32>,
    /// The bytes of the table.
    table: &'a [u8],
    /// Whether the bytes of padding are zeros.
    pub padded: Padding,
}

/// What stands between opcode and operands of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// Zeros, or nothing.
    Zeros,
    /// Something else; since version 51 it does not matter.
    Other,
}

impl<'a> Switch<'a> {
    /// All keys with their targets, as they stand there.
    pub fn cases(&self) -> impl Iterator<Item = (i32, i64)> + use<'a> {
        let (offset, low) = (i64::from(self.offset), self.low);
        let words = self.table.chunks_exact(if low.is_some() { 4 } else { 8 });
        words.enumerate().map(move |(index, words)| {
            let target = offset + i64::from(word(words, words.len() - 4));
            (low.map_or_else(|| word(words, 0), |low| low.wrapping_add(index as i32)), target)
        })
    }
}

fn word(bytes: &[u8], at: usize) -> i32 {
    bytes.get(at..at + 4).map_or(0, |b| i32::from_be_bytes([b[0], b[1], b[2], b[3]]))
}

/// Why there is no instruction at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Bad {
    /// No instruction has this opcode.
    #[error("opcode {0:#04x}")]
    Opcode(u8),
    /// `wide` does not go with this opcode.
    #[error("wide in front of opcode {0:#04x}")]
    Wide(u8),
    /// The code ends before the instruction does.
    #[error("the end of the code within an instruction")]
    Short,
    /// A `tableswitch` whose lowest key is above its highest.
    #[error("keys from {0} to {1}")]
    Keys(i32, i32),
    /// A `lookupswitch` with less than no keys.
    #[error("{0} keys")]
    Count(i32),
}

/// Decodes the instruction at `offset` of `code`.
///
/// # Errors
/// [`Bad`].
pub fn decode(code: &[u8], offset: u32) -> Result<Instruction<'_>, Bad> {
    let at = offset as usize;
    let opcode = *code.get(at).ok_or(Bad::Short)?;
    let found = row(opcode).ok_or(Bad::Opcode(opcode))?;
    let byte = |k: usize| code.get(at + k).copied().ok_or(Bad::Short);
    let short = |k: usize| Ok(u16::from_be_bytes([byte(k)?, byte(k + 1)?]));
    let constant = |k: usize| short(k).map(PoolIndex);
    let target = |distance: i32| Operands::Target(i64::from(offset) + i64::from(distance));
    let (operands, length) = match found.format {
        Format::None => (Operands::None, 1),
        Format::Byte => (Operands::Number(i32::from(byte(1)? as i8)), 2),
        Format::Short => (Operands::Number(i32::from(short(1)? as i16)), 3),
        Format::Local => (Operands::Local(u16::from(byte(1)?)), 2),
        Format::Iinc => (Operands::Iinc(u16::from(byte(1)?), i16::from(byte(2)? as i8)), 3),
        Format::Constant1 => (Operands::Constant(PoolIndex(u16::from(byte(1)?))), 2),
        Format::Constant2 => (Operands::Constant(constant(1)?), 3),
        Format::Branch2 => (target(i32::from(short(1)? as i16)), 3),
        Format::Branch4 => {
            byte(4)?;
            (target(word(code, at + 1)), 5)
        }
        Format::TableSwitch | Format::LookupSwitch => switch(code, offset, found.format)?,
        Format::Interface | Format::Dynamic => (Operands::Site(constant(1)?, [byte(3)?, byte(4)?]), 5),
        Format::ArrayType => (Operands::ArrayType(byte(1)?), 2),
        Format::Dimensions => (Operands::Dimensions(constant(1)?, byte(3)?), 4),
        Format::Wide => return wide(byte(1)?, &short),
    };
    Ok(Instruction { opcode, row: found, operands, length })
}

fn wide<'a>(opcode: u8, short: &dyn Fn(usize) -> Result<u16, Bad>) -> Result<Instruction<'a>, Bad> {
    let found = row(opcode).ok_or(Bad::Wide(opcode))?;
    let (operands, length) = match found.format {
        Format::Local => (Operands::Local(short(2)?), 4),
        Format::Iinc => (Operands::Iinc(short(2)?, short(4)? as i16), 6),
        _ => return Err(Bad::Wide(opcode)),
    };
    Ok(Instruction { opcode, row: found, operands, length })
}

fn switch(code: &[u8], offset: u32, format: Format) -> Result<(Operands<'_>, u32), Bad> {
    let begin = offset as usize + 1;
    let words = begin.next_multiple_of(4);
    let padding = code.get(begin..words).ok_or(Bad::Short)?;
    let fixed = if format == Format::TableSwitch { 12 } else { 8 };
    code.get(words..words + fixed).ok_or(Bad::Short)?;
    let (default, first) = (word(code, words), word(code, words + 4));
    let (low, bytes) = if format == Format::TableSwitch {
        let high = word(code, words + 8);
        if first > high {
            return Err(Bad::Keys(first, high));
        }
        (Some(first), (i64::from(high) - i64::from(first) + 1) * 4)
    } else {
        if first < 0 {
            return Err(Bad::Count(first));
        }
        (None, i64::from(first) * 8)
    };
    let from = words + fixed;
    let table = usize::try_from(bytes).ok().and_then(|bytes| code.get(from..from.checked_add(bytes)?));
    let table = table.ok_or(Bad::Short)?;
    let padded = if padding.iter().all(|byte| *byte == 0) { Padding::Zeros } else { Padding::Other };
    let switch = Switch { offset, default: i64::from(offset) + i64::from(default), low, table, padded };
    Ok((Operands::Switch(switch), (from + table.len()) as u32 - offset))
}
