//! Changes of a class file: one or a few bytes of Code, StackMapTable, constant pool, or anything behind it, blindly or to
//! other values that are likely to mean something.

use std::ops::Range;

use carnet_classes::class::{Attribute, Code, Pool, find};
use carnet_classes::{opcode, read};

use crate::entropy::Entropy;

/// The parts of a file that are changed, as ranges of its bytes.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The bytes of instructions.
    pub code: Vec<Range<usize>>,
    /// Limits and handlers around them.
    pub around: Vec<Range<usize>>,
    /// Tables of frames.
    pub frames: Vec<Range<usize>>,
    /// The constant pool.
    pub pool: Range<usize>,
    /// All that follows it.
    pub rest: Range<usize>,
    /// How many constants there are.
    pub constants: usize,
}

/// Where `part` is in `whole`, of which it is a slice.
fn place(whole: &[u8], part: &[u8]) -> Range<usize> {
    let begin = part.as_ptr().addr() - whole.as_ptr().addr();
    begin..begin + part.len()
}

/// Finds the parts of a class file that is right.
///
/// # Panics
/// If it is none.
#[must_use]
pub fn parts(bytes: &[u8]) -> Parts {
    let class = read(bytes).expect("a class file");
    let (end, constants) = (pool_end(bytes), class.pool.count());
    let mut parts = Parts { pool: 10..end, rest: end..bytes.len(), constants, ..Parts::default() };
    for method in &class.methods {
        let Some(content) = find(&method.attributes, &class.pool, "Code") else { continue };
        let code = Code::read(content).expect("a Code");
        let (whole, inner) = (place(bytes, content), place(bytes, code.bytes));
        parts.around.push(whole.start..whole.start + 4);
        if !code.handlers.is_empty() {
            parts.around.push(inner.end..inner.end + 2 + 8 * code.handlers.len());
        }
        parts.code.push(inner);
        parts.frames.extend(frames(&code.attributes, &class.pool).map(|table| place(bytes, table)));
    }
    parts
}

fn frames<'a>(attributes: &[Attribute<'a>], pool: &Pool<'a>) -> Option<&'a [u8]> {
    find(attributes, pool, "StackMapTable")
}

/// Where the constant pool ends.
fn pool_end(bytes: &[u8]) -> usize {
    let short = |at: usize| usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]));
    let (count, mut at, mut index) = (short(8), 10, 1);
    while index < count {
        let tag = bytes[at];
        at += match tag {
            1 => 3 + short(at + 1),
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            5 | 6 => 9,
            _ => 5,
        };
        index += if matches!(tag, 5 | 6) { 2 } else { 1 };
    }
    at
}

/// A changed class file.
///
/// # Panics
/// If `bytes` are no class file.
#[must_use]
pub fn mutant(bytes: &[u8], entropy: &mut Entropy<'_>) -> Vec<u8> {
    let parts = parts(bytes);
    let mut changed = bytes.to_vec();
    let changes = if entropy.one_in(3) { 2 + entropy.below(3) } else { 1 };
    for _ in 0..changes {
        change(&mut changed, &parts, entropy);
    }
    changed
}

fn change(bytes: &mut [u8], parts: &Parts, entropy: &mut Entropy<'_>) {
    let ranges = match entropy.below(20) {
        0..=7 => &parts.code,
        8 => &parts.around,
        9..=12 => &parts.frames,
        13..=15 => std::slice::from_ref(&parts.pool),
        _ => std::slice::from_ref(&parts.rest),
    };
    let Some(range) = ranges.get(entropy.below(ranges.len())).filter(|range| !range.is_empty()) else {
        return;
    };
    let at = range.start + entropy.below(range.len());
    match entropy.below(12) {
        0 | 1 => bytes[at] = entropy.bits() as u8,
        2 => bytes[at] ^= 1 << entropy.below(8),
        3 => bytes[at] = bytes[at].wrapping_add(1),
        4 => bytes[at] = bytes[at].wrapping_sub(1),
        5 => bytes[at] = *entropy.pick(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 127, 128, 255]),
        // Another instruction, often of the same family.
        6 => bytes[at] = entropy.below(opcode::TABLE.len()) as u8,
        7 => bytes[at] = bytes[at].wrapping_add(entropy.below(9) as u8).wrapping_sub(4),
        // Another constant.
        8 | 9 if at + 1 < range.end => {
            let index = (entropy.below(parts.constants + 1) as u16).to_be_bytes();
            bytes[at..at + 2].copy_from_slice(&index);
        }
        // What stands elsewhere in the same part.
        10 => {
            let length = (1 + entropy.below(6)).min(range.end - at);
            let from = range.start + entropy.below(range.len() - length + 1);
            bytes.copy_within(from..from + length, at);
        }
        _ => {
            let other = range.start + entropy.below(range.len());
            bytes.swap(at, other);
        }
    }
}
