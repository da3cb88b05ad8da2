//! Programs to bytes, in the encoding that `bytecode.rs` describes.
//!
//! The compiler keeps within the limits of the tables, so no count is cut off here; what a program made by other
//! means breaks is found by whoever reads it.

use super::*;

impl Program {
    /// Writes the program.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        self.encode_named(&self.name, self.interfaces.iter().map(|(module, name)| (&module[..], &name[..])))
    }

    /// Writes the program with these names, of itself and of its interfaces, in place of its own.
    pub(crate) fn encode_named<'n>(
        &self,
        name: &'n str,
        interfaces: impl ExactSizeIterator<Item = (&'n str, &'n str)> + Clone,
    ) -> Vec<u8> {
        let halves = self.halves(interfaces.len());
        let pairs = interfaces.flat_map(|(module, name)| [module, name]);
        let names = std::iter::once(name).chain(pairs).map(|name| &name.as_bytes()[..name.len().min(255)]);
        let size = self.size_without_names() + names.clone().map(|name| 1 + name.len()).sum::<usize>();
        let mut out = vec![0; size];
        let rest = &mut out[..];
        let rest = fill(rest, &halves, |half| half.to_le_bytes());
        let rest = fill(rest, &self.code, |ins| ins.encode());
        let op = |op: &OpRef| u128::from(op.hash) | u128::from(op.interface) << 64;
        let rest = fill(rest, &self.ops, |ops| op(ops).to_le_bytes());
        let rest = fill(rest, &self.loops, encode_loop);
        let rest = fill(rest, &self.enums, |hash| hash.to_le_bytes());
        let rest = fill(rest, &self.slots, |ty| ty.encode());
        let rest = fill(rest, &self.layout_words, |ty| ty.encode());
        let rest = fill(rest, &self.result_words, |ty| ty.encode());
        let rest = fill(rest, &self.caps, |cap| {
            let (kind, line) = (u128::from(cap.kind as u8), u128::from(cap.pos.line));
            (kind | line << 32 | u128::from(cap.limit) << 64).to_le_bytes()
        });
        let mut rest = rest;
        for (at, pos) in &self.lines {
            rest = fill(rest, &[*at, pos.line, pos.col], |n| n.to_le_bytes());
        }
        let two = |(a, b): (u16, u16)| (u32::from(a) | u32::from(b) << 16).to_le_bytes();
        let rest = fill(rest, &self.layouts, |layout| two(*layout));
        let rest = fill(rest, &self.registers, |interface| interface.to_le_bytes());
        let rest = fill(rest, &self.params, |param| match param {
            ParamPlace::Slot(index) => two((0, *index)),
            ParamPlace::Register(index) => two((1, *index)),
        });
        let mut rest = fill(rest, &self.literals, |byte| [*byte]);
        for name in names {
            rest = fill(rest, &[name.len() as u8], |len| [*len]);
            rest = fill(rest, name, |byte| [*byte]);
        }
        out
    }

    fn size_without_names(&self) -> usize {
        HEADER_BYTES
            + 16 * (self.code.len() + self.ops.len() + self.caps.len())
            + 32 * self.loops.len()
            + 8 * (self.enums.len() + self.slots.len() + self.layout_words.len() + self.result_words.len())
            + 12 * self.lines.len()
            + 4 * (self.layouts.len() + self.params.len())
            + 2 * self.registers.len()
            + self.literals.len()
    }

    /// The header of a program with so many interfaces.
    fn halves(&self, interfaces: usize) -> [u16; HEADER_BYTES / 2] {
        let [m, a, g, i] = MAGIC;
        let low = |n: usize| n as u16;
        let high = |n: usize| (n >> 16) as u16;
        [
            u16::from_le_bytes([m, a]),
            u16::from_le_bytes([g, i]),
            VERSION,
            self.result as u16,
            low(interfaces),
            low(self.ops.len()),
            low(self.loops.len()),
            low(self.enums.len()),
            low(self.slots.len()),
            low(self.layout_words.len()),
            low(self.result_words.len()),
            low(self.caps.len()),
            low(self.layouts.len()),
            low(self.registers.len()),
            low(self.params.len()),
            self.so_far,
            self.started,
            0,
            low(self.code.len()),
            high(self.code.len()),
            low(self.lines.len()),
            high(self.lines.len()),
            low(self.literals.len()),
            high(self.literals.len()),
        ]
    }
}

/// Writes a section to the beginning of `out`; what is left of it.
fn fill<'a, T, const N: usize>(
    out: &'a mut [u8],
    entries: &[T],
    encode: impl Fn(&T) -> [u8; N],
) -> &'a mut [u8] {
    let (section, rest) = out.split_at_mut(entries.len() * N);
    for (place, entry) in section.as_chunks_mut::<N>().0.iter_mut().zip(entries) {
        *place = encode(entry);
    }
    rest
}

fn encode_loop(l: &Loop) -> [u8; 32] {
    let places = pack([l.head, l.test, l.end, l.counter]);
    let last = u64::from(l.line) | u64::from(l.inner) << 32 | u64::from(l.default) << 48;
    let mut bytes = [0; 32];
    fill(&mut bytes, &[places, l.own, l.limit, last], |word| word.to_le_bytes());
    bytes
}
