//! Programs to bytes, in the encoding that `bytecode.rs` describes.
//!
//! The compiler keeps within the limits of the tables, so no count is cut off here; what a program made by other
//! means breaks is found by whoever reads it.

use super::*;

impl Program {
    /// Writes the program.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.encoded_size());
        self.encode_header(&mut out);
        self.code.iter().for_each(|ins| out.extend_from_slice(&ins.encode()));
        for op in &self.ops {
            out.extend_from_slice(&op.hash.to_le_bytes());
            out.extend_from_slice(&u64::from(op.interface).to_le_bytes());
        }
        self.loops.iter().for_each(|l| encode_loop(l, &mut out));
        self.enums.iter().for_each(|hash| out.extend_from_slice(&hash.to_le_bytes()));
        for ty in self.slots.iter().chain(&self.layout_words).chain(&self.result_words) {
            out.extend_from_slice(&ty.encode());
        }
        for cap in &self.caps {
            out.extend_from_slice(&u32::from(cap.kind as u8).to_le_bytes());
            out.extend_from_slice(&cap.pos.line.to_le_bytes());
            out.extend_from_slice(&cap.limit.to_le_bytes());
        }
        for (at, pos) in &self.lines {
            [*at, pos.line, pos.col].iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        }
        for (first, count) in &self.layouts {
            [*first, *count].iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        }
        self.registers.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        for param in &self.params {
            let (space, index) = match param {
                ParamPlace::Slot(index) => (0u16, *index),
                ParamPlace::Register(index) => (1, *index),
            };
            [space, index].iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        }
        out.extend_from_slice(&self.literals);
        encode_name(&self.name, &mut out);
        for (module, name) in &self.interfaces {
            encode_name(module, &mut out);
            encode_name(name, &mut out);
        }
        out
    }

    fn encoded_size(&self) -> usize {
        HEADER_BYTES
            + 16 * (self.code.len() + self.ops.len() + self.caps.len())
            + 32 * self.loops.len()
            + 8 * (self.enums.len() + self.slots.len() + self.layout_words.len() + self.result_words.len())
            + 12 * self.lines.len()
            + 4 * (self.layouts.len() + self.params.len())
            + 2 * self.registers.len()
            + self.literals.len()
            + 1
            + self.name.len()
            + self.interfaces.iter().map(|(m, n)| 2 + m.len() + n.len()).sum::<usize>()
    }

    fn encode_header(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&[self.result as u8, 0]);
        let counts = [
            self.interfaces.len(),
            self.ops.len(),
            self.loops.len(),
            self.enums.len(),
            self.slots.len(),
            self.layout_words.len(),
            self.result_words.len(),
            self.caps.len(),
            self.layouts.len(),
            self.registers.len(),
            self.params.len(),
        ];
        counts.iter().for_each(|n| out.extend_from_slice(&(*n as u16).to_le_bytes()));
        [self.so_far, self.started, 0].iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        for n in [self.code.len(), self.lines.len(), self.literals.len()] {
            out.extend_from_slice(&(n as u32).to_le_bytes());
        }
    }
}

fn encode_loop(l: &Loop, out: &mut Vec<u8>) {
    [l.head, l.test, l.end, l.counter].iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
    out.extend_from_slice(&l.own.to_le_bytes());
    out.extend_from_slice(&l.limit.to_le_bytes());
    out.extend_from_slice(&l.line.to_le_bytes());
    out.extend_from_slice(&l.inner.to_le_bytes());
    out.extend_from_slice(&u16::from(l.default).to_le_bytes());
}

fn encode_name(name: &str, out: &mut Vec<u8>) {
    let len = name.len().min(255);
    out.push(len as u8);
    out.extend_from_slice(&name.as_bytes()[..len]);
}
