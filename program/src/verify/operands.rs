//! The rules of single instructions.

use super::{Step, Verifier, same_value};
use crate::bytecode::{Ins, Op, PORTALS_MAX, SPREAD_MAX, SlotType, quarters};
use crate::float::Precision;
use crate::search;

/// What a data instruction charges at most on top, for texts of at most `bytes` bytes: one for every 64.
fn charge_of(bytes: u32) -> u64 {
    u64::from(bytes) / 64
}

impl Verifier<'_> {
    /// Checks one instruction, adds it to the totals, makes it ready to run. It runs at most `count` times, and
    /// a call behind a repeat `repeats` times each.
    pub(super) fn instruction(&mut self, ins: &Ins, count: u64, repeats: u64) -> Step {
        let extra = self.operands(ins);
        let cost = 1 + extra.unwrap_or(0);
        self.out.totals.instructions =
            self.out.totals.instructions.saturating_add(count.saturating_mul(cost));
        let (flags, c, d) = match ins.op {
            Op::Call => self.call(ins, count.saturating_mul(repeats)),
            Op::Loop => return self.loop_step(ins),
            Op::As => (ins.flags, ins.c, quarters(self.greatest(ins.a))),
            // How many registers they reach stands behind what the program says.
            Op::TakeAll | Op::LendAll => {
                let [more, word, ..] = quarters(ins.d);
                (ins.flags, ins.c, [more, extra.unwrap_or(0) as u16, word, 0])
            }
            _ => (ins.flags, ins.c, quarters(ins.d)),
        };
        Step { op: ins.op, flags, a: ins.a, b: ins.b, c, charge: 0, d }
    }

    fn loop_step(&self, ins: &Ins) -> Step {
        let (counter, bound) = match self.out.loops.get(ins.a as usize) {
            Some(l) => (l.table.counter, l.bound),
            None => (0, 0),
        };
        Step { op: Op::Loop, flags: 0, a: ins.a, b: counter, c: 0, charge: 0, d: quarters(bound) }
    }

    pub(super) fn ty(&self, slot: u16) -> SlotType {
        // A slot that does not exist has a type that no rule accepts.
        self.out.slots.get(slot as usize).copied().unwrap_or(SlotType::Counter)
    }

    #[cold]
    pub(super) fn expected(&mut self, what: &str, slot: u16) {
        let found = match self.out.slots.get(slot as usize) {
            Some(ty) => format!("{ty:?}"),
            None => "no slot".to_owned(),
        };
        self.reject("type", format!("found {found} in slot {slot}, expected {what}"));
    }

    fn want(&mut self, slot: u16, ty: SlotType) {
        if self.ty(slot) != ty || self.out.slots.len() <= slot as usize {
            self.expected(&format!("{ty:?}"), slot);
        }
    }

    fn want_text(&mut self, slot: u16) -> u32 {
        match self.ty(slot).text_max() {
            Some(max) => max,
            None => {
                self.expected("a text", slot);
                0
            }
        }
    }

    fn want_owner(&mut self, slot: u16) {
        if !matches!(self.ty(slot), SlotType::Str(_) | SlotType::Bytes(_)) {
            self.expected("a text variable", slot);
        }
    }

    /// Layout of a list: first word, number of words, capacity. One with portals is nothing that a program changes or makes of bytes.
    fn want_list(&mut self, slot: u16) -> Option<(usize, usize, u32)> {
        self.want_list_unless(slot, |words| words.iter().any(is_portal))
    }

    /// The same of one that grows, or becomes what another is: portals in it are lent, which of them the instruction before the call says.
    fn want_own_list(&mut self, slot: u16) -> Option<(usize, usize, u32)> {
        let refused =
            |words: &[SlotType]| words.len() == 1 || words.iter().any(|ty| matches!(ty, SlotType::Made(_)));
        self.want_list_unless(slot, |words| words.iter().any(is_portal) && refused(words))
    }

    /// The same of one that is read. One of portals alone is nothing that a program reads.
    fn want_read_list(&mut self, slot: u16) -> Option<(usize, usize, u32)> {
        self.want_list_unless(slot, |words| matches!(words, [word] if is_portal(word)))
    }

    fn want_list_unless(
        &mut self,
        slot: u16,
        refused: impl FnOnce(&[SlotType]) -> bool,
    ) -> Option<(usize, usize, u32)> {
        match self.ty(slot) {
            SlotType::List(layout, max) if !refused(self.words_of(layout)) => {
                let (first, count) = self.out.layouts[layout as usize];
                Some((first as usize, count as usize, max))
            }
            _ => {
                self.expected("a list", slot);
                None
            }
        }
    }

    /// A list whose elements have a portal as this word: its type in it, and how many it can hold.
    fn want_portals(&mut self, slot: u16, word: u16) -> Option<(SlotType, u16)> {
        match self.ty(slot) {
            SlotType::List(layout, max) if (1..=PORTALS_MAX).contains(&max) => {
                let found = self.words_of(layout).get(usize::from(word)).filter(|word| is_portal(word));
                if let Some(found) = found {
                    return Some((*found, max as u16));
                }
            }
            _ => {}
        }
        let what = format!("a list of 1 to {PORTALS_MAX} portals");
        self.expected(
            &if word == 0 { what } else { format!("{what}, as word {word} of its elements") },
            slot,
        );
        None
    }

    /// So many registers of one interface, which is this one if one is known.
    fn want_registers(&mut self, first: u16, most: u64, of: Option<u16>) {
        let Some(interface) = self.want_register(first) else { return };
        if self.alike.is_empty() {
            let of = |k: usize| self.view.register(k);
            let mut alike = vec![1; self.view.registers.len()];
            for k in (1..alike.len()).rev().filter(|k| of(*k) == of(*k - 1)) {
                alike[k - 1] = alike[k] + 1;
            }
            self.alike = alike;
        }
        let found = u64::from(self.alike[usize::from(first)]);
        if !(1..=u64::from(PORTALS_MAX)).contains(&most) {
            self.reject("register", format!("found {most} portals, expected 1 to {PORTALS_MAX}"));
        } else if found < most {
            let message = format!("found {found} portal registers alike from {first} on, expected {most}");
            self.reject("register", message);
        } else if of.is_some_and(|of| of != interface) {
            self.reject("register", format!("portal register {first} is not of the other's interface"));
        }
    }

    /// An instruction on a list of portals; what its block is charged for it on top of one.
    fn portals(&mut self, ins: &Ins) -> Option<u64> {
        let Ins { op, a, b, c, d, .. } = *ins;
        let most = quarters(d)[0].into();
        match op {
            Op::TakeAll => {
                let [more, word, ..] = quarters(d);
                let (word, max) = self.want_portals(b, word)?;
                match word {
                    SlotType::Made(x) => self.want_registers(a, max.into(), Some(x)),
                    _ => self.expected("a list of portals, just made", b),
                }
                self.want(c, SlotType::Int);
                if more > 1 || d >> 32 != 0 {
                    self.reject("operands", format!("found {d}, expected 0 or 1, and the number of a word"));
                }
                return Some(max.into());
            }
            Op::LendAll => {
                let [zero, word, ..] = quarters(d);
                if zero != 0 || d >> 32 != 0 {
                    self.reject("operands", format!("found {d}, expected the number of a word"));
                }
                let (word, max) = self.want_portals(a, word)?;
                match word {
                    SlotType::Lent(x) => self.want_registers(b, max.into(), Some(x)),
                    _ => self.expected("a list of portals, as arguments", a),
                }
                self.want(c, SlotType::Int);
                return Some(max.into());
            }
            Op::Pick => {
                let of = self.want_register(a);
                self.want_registers(b, most, of);
                [c, quarters(d)[1]].into_iter().for_each(|slot| self.want(slot, SlotType::Int));
                if d >> 32 != 0 {
                    self.reject("operands", "Pick has an operand that it does not use".to_owned());
                }
            }
            Op::Keep => {
                let of = self.want_register(b);
                self.want_registers(a, d, of);
                self.want(c, SlotType::Int);
            }
            _ => {
                self.want_registers(a, d, None);
                return Some(d.min(PORTALS_MAX.into()));
            }
        }
        None
    }

    pub(super) fn want_register(&mut self, register: u16) -> Option<u16> {
        let known = |interface: &u16| (*interface as usize) < self.scratch.interfaces.len();
        let interface = self.view.register(register as usize).filter(known);
        if interface.is_none() {
            self.reject("register", format!("there is no portal register {register}"));
        }
        interface
    }

    fn want_two_texts(&mut self, a: u16, b: u16) -> u64 {
        let (x, y) = (self.want_text(a), self.want_text(b));
        if self.ty(a).string_max().is_some() != self.ty(b).string_max().is_some() {
            self.reject("type", format!("slots {a} and {b} are texts of different kinds"));
        }
        charge_of(x.max(y))
    }

    /// One that may be compared as an integer is.
    fn want_integral(&mut self, slot: u16) {
        match self.ty(slot) {
            SlotType::Float(_) => self.expected("a scalar that is no float", slot),
            ty if !is_scalar(ty) => self.expected("a scalar", slot),
            _ => {}
        }
    }

    /// Two that are compared as integers are.
    fn want_scalars(&mut self, a: u16, b: u16) {
        let ty = self.ty(a);
        self.want_integral(a);
        if self.ty(b) != ty {
            self.expected(&format!("{ty:?}"), b);
        }
    }

    fn flags(&mut self, found: u8, max: u8) {
        if found > max {
            self.reject("flags", format!("found flags {found}, expected at most {max}"));
        }
    }

    /// What an operation does not use is zero.
    pub(super) fn unused(&mut self, op: Op, bytes: &[u8; Ins::BYTES]) {
        if u128::from_le_bytes(*bytes) & FREE[op as usize] != 0 {
            self.in_use(op, bytes);
        }
    }

    #[cold]
    fn in_use(&mut self, op: Op, bytes: &[u8; Ins::BYTES]) {
        let found = u128::from_le_bytes(*bytes) & FREE[op as usize];
        if found & !FLAGS != 0 {
            self.reject("operands", format!("{op:?} has an operand that it does not use"));
        }
        self.flags((found >> 8) as u8, 0);
    }

    /// Checks operands; returns what the instruction charges on top of one.
    fn operands(&mut self, ins: &Ins) -> Option<u64> {
        let Ins { op, a, b, c, d, .. } = *ins;
        match op {
            Op::End => self.end(a),
            Op::Fail => {
                self.want_text(a);
            }
            Op::Jump => self.branch(c),
            Op::JumpEq | Op::JumpNe | Op::JumpLt | Op::JumpLe | Op::JumpGt | Op::JumpGe => {
                self.want_scalars(a, b);
                self.branch(c);
            }
            Op::JumpEqI | Op::JumpNeI | Op::JumpLtI | Op::JumpLeI | Op::JumpGtI | Op::JumpGeI => {
                self.want_integral(a);
                self.branch(c);
            }
            Op::Loop => self.loop_head(a),
            Op::Call => {}
            Op::Repeat => self.repeat(d),
            Op::MoveStrided => return Some(self.move_strided(ins)),
            Op::Move => self.moves(a, b),
            Op::Load => self.load(a, d),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem => {
                [a, b, c].into_iter().for_each(|slot| self.want(slot, SlotType::Int));
            }
            Op::AddI | Op::Neg => [a, b].into_iter().for_each(|slot| self.want(slot, SlotType::Int)),
            Op::Not => [a, b].into_iter().for_each(|slot| self.want(slot, SlotType::Bool)),
            Op::FloatArith | Op::FloatCompare | Op::Convert => self.floats(ins),
            Op::Compare => {
                self.flags(ins.flags, 5);
                self.want(a, SlotType::Bool);
                self.want_scalars(b, c);
            }
            Op::Clear => {
                if !self.ty(a).owns_area() {
                    self.expected("a text or list variable", a);
                }
            }
            Op::Len => {
                self.want(a, SlotType::Int);
                self.want_text(b);
            }
            Op::Count => {
                self.want(a, SlotType::Int);
                self.want_read_list(b);
            }
            _ => return self.data(ins),
        }
        None
    }

    fn floats(&mut self, ins: &Ins) {
        let Ins { op, flags, a, b, c, .. } = *ins;
        let double = if op == Op::FloatArith { 4 } else { 8 };
        let precision = if flags & double == 0 { Precision::Single } else { Precision::Double };
        let ty = SlotType::Float(precision);
        match op {
            Op::FloatArith => {
                self.flags(flags, 7);
                [a, b, c].into_iter().for_each(|slot| self.want(slot, ty));
            }
            Op::FloatCompare => {
                self.flags(flags & !double, 5);
                self.want(a, SlotType::Bool);
                [b, c].into_iter().for_each(|slot| self.want(slot, ty));
            }
            _ => {
                self.flags(flags, 3);
                let to = if flags & 2 == 0 { Precision::Single } else { Precision::Double };
                let from = if flags & 1 == 0 { SlotType::Int } else { SlotType::Float(to.other()) };
                self.want(a, SlotType::Float(to));
                self.want(b, from);
            }
        }
    }

    /// The greatest word that a scalar slot can hold.
    fn greatest(&self, slot: u16) -> u64 {
        match self.ty(slot) {
            SlotType::Bool => 1,
            SlotType::Enum(x) => self.scratch.enum_values[x as usize].saturating_sub(1),
            SlotType::Float(Precision::Single) => u32::MAX.into(),
            _ => u64::MAX,
        }
    }

    /// A word of a union: an integer, or bytes.
    fn read_as(&mut self, a: u16, b: u16) -> Option<u64> {
        let other = |ty| matches!(ty, SlotType::Bool | SlotType::Float(_) | SlotType::Enum(_));
        let (to, from) = (self.ty(a), self.ty(b));
        for (slot, ty) in [(a, to), (b, from)] {
            if matches!(ty, SlotType::List(..)) {
                self.want_list(slot)?;
            }
        }
        let good = match to {
            SlotType::Str(_) | SlotType::List(..) => from.bytes_max().is_some(),
            SlotType::Bytes(_) => from.string_max().is_some() || matches!(from, SlotType::List(..)),
            SlotType::Int => other(from),
            to => other(to) && from == SlotType::Int,
        };
        if !good {
            self.expected(&format!("what is not {to:?} and can be read as it"), b);
        }
        // What is more than the text takes is charged nothing.
        Some(charge_of(to.text_max().max(from.text_max())?))
    }

    fn data(&mut self, ins: &Ins) -> Option<u64> {
        let Ins { op, a, b, c, d, .. } = *ins;
        match op {
            Op::TakeAll | Op::LendAll | Op::Pick | Op::Keep | Op::DropAll => return self.portals(ins),
            Op::Set if matches!(self.ty(a), SlotType::List(..)) => return self.set_list(a, b),
            Op::As => return self.read_as(a, b),
            Op::Set | Op::Append => {
                self.want_owner(a);
                return Some(self.want_two_texts(b, a));
            }
            Op::CompareText => {
                self.flags(ins.flags, 5);
                self.want(a, SlotType::Bool);
                return Some(self.want_two_texts(b, c));
            }
            Op::TestText => {
                self.flags(ins.flags, 2);
                self.want(a, SlotType::Bool);
                let (x, y) = (self.want_text(b), self.want_text(c));
                self.want_two_texts(b, c);
                return Some(test_charge(ins.flags, u64::from(x), u64::from(y)));
            }
            Op::Get => {
                let list = self.want_read_list(b)?;
                let word = self.element_word(list, d)?;
                self.want(c, SlotType::Int);
                self.get_into(a, word);
            }
            Op::Put => {
                let list = self.want_list(a)?;
                let word = self.element_word(list, d)?;
                self.want(b, SlotType::Int);
                if !same_value(self.ty(c), word) {
                    self.expected(&format!("{word:?}"), c);
                }
                return Some(charge_of(self.ty(c).text_max().unwrap_or(0)));
            }
            Op::Push => return self.push(a, b),
            Op::Tail => {
                let max = self.want_text(b);
                self.want(c, SlotType::Int);
                if matches!(self.ty(a), SlotType::StrRef(_) | SlotType::BytesRef(_)) {
                    self.moves(a, b);
                } else {
                    self.expected("a reference to a text", a);
                }
                return Some(charge_of(max));
            }
            Op::Sort => return self.sort(a, d),
            Op::Take => {
                if let (Some(interface), SlotType::Made(x)) = (self.want_register(a), self.ty(b))
                    && interface == x
                {
                } else {
                    self.expected("a portal of the register's interface, just made", b);
                }
            }
            Op::Drop => {
                self.want_register(a);
            }
            Op::Lend => {
                let interface = self.want_register(b)?;
                self.want(a, SlotType::Lent(interface));
            }
            Op::Share if self.want_register(a) != self.want_register(b) => {
                self.reject("register", format!("registers {a} and {b} are of different interfaces"));
            }
            _ => {}
        }
        None
    }

    fn end(&mut self, first: u16) {
        if !self.is_result(first) {
            self.expected("the result", first);
        }
    }

    pub(super) fn branch(&mut self, target: u16) {
        let (at, t) = (self.at as u16, target as usize);
        let Some(inner) = self.scratch.inner.get_mut(t) else {
            return self.reject("branch", format!("instruction {target} does not exist"));
        };
        inner.leader = true;
        let innermost = inner.of;
        if t > 0
            && let Ok(Ins { op: Op::Repeat, .. }) = Ins::decode(&self.view.code[t - 1])
        {
            return self.reject("branch", format!("instruction {target} belongs to the repeat before it"));
        }
        let Some(l) = self.out.loops.get(innermost as usize).map(|l| l.table) else {
            if target <= at {
                self.reject("branch", format!("goes back to {target}, which is the head of no loop"));
            }
            return;
        };
        let inside = at >= l.head && at < l.end;
        let good = if target <= at {
            inside && target == l.head
        } else {
            inside || (at + 1 == l.head && target == l.test)
        };
        if !good {
            let what = if target <= at { "is not the head of a loop around it" } else { "is inside a loop" };
            self.reject("branch", format!("goes to {target}, which {what}"));
        }
    }

    fn loop_head(&mut self, index: u16) {
        match self.out.loops.get(index as usize) {
            Some(l) if u32::from(l.table.head) == self.at => {}
            _ => self.reject("loop", format!("is not the head of loop {index}")),
        }
    }

    fn repeat(&mut self, d: u64) {
        let [low, high, _, _] = quarters(d);
        let times = u64::from(low) | u64::from(high) << 16;
        let next = self.view.code.get(self.at as usize + 1).map(Ins::decode);
        self.spread += times;
        if times == 0 || self.spread > SPREAD_MAX {
            self.reject(
                "repeat",
                format!("repeats {times} times, expected 1 to {SPREAD_MAX} in the whole program"),
            );
        } else if !matches!(next, Some(Ok(Ins { op: Op::Call, .. }))) {
            self.reject("repeat", "is not followed by a call".to_owned());
        }
    }

    /// The slots that a strided move reads and writes are all of one scalar type.
    fn move_strided(&mut self, ins: &Ins) -> u64 {
        let [low, high, from_step, to_step] = quarters(ins.d);
        let count = u64::from(low) | u64::from(high) << 16;
        self.spread += count;
        if count == 0 || self.spread > SPREAD_MAX {
            self.reject(
                "strided",
                format!("copies {count} slots, expected 1 to {SPREAD_MAX} in the whole program"),
            );
            return 0;
        }
        let ty = self.ty(ins.b);
        if !is_scalar(ty) {
            self.expected("a scalar", ins.b);
            return 0;
        }
        for k in 0..count {
            for (first, step) in [(ins.b, from_step), (ins.a, to_step)] {
                let slot = u64::from(first) + k * u64::from(step);
                if self.out.slots.get(slot as usize) != Some(&ty) {
                    self.reject("strided", format!("slot {slot} is not {ty:?} as slot {} is", ins.b));
                    return 0;
                }
            }
        }
        count
    }

    fn moves(&mut self, a: u16, b: u16) {
        let (to, from) = (self.ty(a), self.ty(b));
        let good = match to {
            SlotType::StrRef(max) => from.string_max().is_some_and(|m| m <= max),
            SlotType::BytesRef(max) => from.bytes_max().is_some_and(|m| m <= max),
            SlotType::ListRef(layout, max) => match from {
                SlotType::List(other, m) | SlotType::ListRef(other, m) => {
                    m <= max && self.words_of(layout) == self.words_of(other)
                }
                _ => false,
            },
            SlotType::Int => from == SlotType::Int,
            SlotType::Lent(_) | SlotType::Bool | SlotType::Float(_) | SlotType::Enum(_) => to == from,
            _ => false,
        };
        if !good {
            self.expected(&format!("{to:?}, as slot {a}"), b);
        }
    }

    fn load(&mut self, a: u16, d: u64) {
        let good = match self.ty(a) {
            SlotType::Int => true,
            SlotType::Bool => d <= 1,
            SlotType::Float(precision) => precision.holds(d),
            SlotType::Enum(x) => d == 0 || d < self.scratch.enum_values[x as usize],
            SlotType::StrRef(_) | SlotType::BytesRef(_) => d == 0,
            _ => false,
        };
        if !good {
            self.expected("a scalar that can hold the value", a);
        }
    }

    fn set_list(&mut self, a: u16, b: u16) -> Option<u64> {
        let (first, count, max) = self.want_own_list(a)?;
        let (other, other_count, other_max) = self.want_read_list(b)?;
        let words = &self.out.layout_words;
        let (to, from) = (&words[first..first + count], &words[other..other + other_count]);
        let alike = |(to, from): (&SlotType, &SlotType)| match (to, from) {
            (SlotType::Lent(x), SlotType::Made(y)) => x == y,
            (to, from) => to == from,
        };
        if to.len() != from.len() || !to.iter().zip(from).all(alike) {
            self.expected("a list of the same elements", b);
        }
        let bytes = self.element_bytes(first, count).saturating_mul(u64::from(max.max(other_max)));
        Some(bytes / 64)
    }

    /// The words of a list's elements.
    pub(super) fn words_of(&self, layout: u16) -> &[SlotType] {
        let (first, count) = self.out.layouts[layout as usize];
        &self.out.layout_words[first as usize..(first + count) as usize]
    }

    /// Most bytes of one element: its words and its texts.
    fn element_bytes(&self, first: usize, count: usize) -> u64 {
        let words = &self.out.layout_words[first..first + count];
        words.iter().map(|ty| 8 + u64::from(ty.text_max().unwrap_or(0))).sum()
    }

    fn element_word(&mut self, (first, count, _): (usize, usize, u32), d: u64) -> Option<SlotType> {
        if d >= count as u64 {
            self.reject("word", format!("word {d} of an element that has {count}"));
            return None;
        }
        Some(self.out.layout_words[first + d as usize])
    }

    fn get_into(&mut self, a: u16, word: SlotType) {
        let to = self.ty(a);
        let good = match (to, word) {
            (SlotType::StrRef(max), SlotType::StrRef(m))
            | (SlotType::BytesRef(max), SlotType::BytesRef(m)) => m <= max,
            (to, word) => is_scalar(to) && to == word,
        };
        if !good {
            self.expected(&format!("a place for {word:?}"), a);
        }
    }

    fn push(&mut self, list: u16, from: u16) -> Option<u64> {
        let (first, count, _) = self.want_own_list(list)?;
        let mut bytes = 0;
        for k in 0..count {
            let (slot, word) = (from as usize + k, self.out.layout_words[first + k]);
            match self.out.slots.get(slot) {
                Some(ty) if same_value(*ty, word) => bytes += u64::from(ty.text_max().unwrap_or(0)),
                _ => self.expected(&format!("{word:?}"), slot.min(usize::from(u16::MAX)) as u16),
            }
        }
        Some(bytes / 64)
    }

    fn sort(&mut self, list: u16, d: u64) -> Option<u64> {
        let list = self.want_list(list)?;
        let word = self.element_word(list, d)?;
        if let SlotType::Float(_) = word {
            self.reject("word", format!("word {d} is a float, which no list is sorted by"));
        }
        let (_, _, max) = list;
        Some(sort_charge(u64::from(max)).saturating_mul(1 + charge_of(word.text_max().unwrap_or(0))))
    }
}

fn is_portal(word: &SlotType) -> bool {
    matches!(word, SlotType::Lent(_) | SlotType::Made(_))
}

pub(super) fn is_scalar(ty: SlotType) -> bool {
    matches!(ty, SlotType::Int | SlotType::Bool | SlotType::Float(_) | SlotType::Enum(_))
}

/// What testing a text of `text` bytes for a part of `part` bytes is charged with, at most.
#[must_use]
pub(crate) fn test_charge(flags: u8, text: u64, part: u64) -> u64 {
    if flags == 2 { search::most(text, part) } else { text.min(part) / 64 }
}

/// Comparisons that sorting `n` elements is charged for: n × ⌈log2 n⌉.
#[must_use]
pub(crate) fn sort_charge(n: u64) -> u64 {
    n.saturating_mul(u64::from(64 - n.saturating_sub(1).leading_zeros()))
}

/// The flags of an encoded instruction.
const FLAGS: u128 = 0xff << 8;

/// The bits of an encoded instruction that its operation does not use, by number of the operation.
const FREE: [u128; Op::ALL.len()] = {
    let mut all = [0; Op::ALL.len()];
    let mut k = 0;
    while k < all.len() {
        let op = Op::ALL[k];
        let (a, b, c, d) = used(op);
        let has_flags = matches!(
            op,
            Op::Compare | Op::CompareText | Op::TestText | Op::FloatArith | Op::FloatCompare | Op::Convert
        );
        all[k] = if has_flags { 0 } else { FLAGS }
            | if a { 0 } else { 0xffff << 16 }
            | if b { 0 } else { 0xffff << 32 }
            | if c { 0 } else { 0xffff << 48 }
            | if d { 0 } else { (u64::MAX as u128) << 64 };
        k += 1;
    }
    all
};

/// Which of a, b, c and d an operation uses.
const fn used(op: Op) -> (bool, bool, bool, bool) {
    match op {
        Op::End | Op::Fail | Op::Loop | Op::Clear | Op::Drop => (true, false, false, false),
        Op::Jump => (false, false, true, false),
        Op::JumpEq | Op::JumpNe | Op::JumpLt | Op::JumpLe | Op::JumpGt | Op::JumpGe => {
            (true, true, true, false)
        }
        Op::JumpEqI | Op::JumpNeI | Op::JumpLtI | Op::JumpLeI | Op::JumpGtI | Op::JumpGeI => {
            (true, false, true, true)
        }
        Op::Call => (true, true, true, true),
        Op::Repeat => (false, false, false, true),
        Op::Load | Op::Sort => (true, false, false, true),
        Op::MoveStrided | Op::AddI => (true, true, false, true),
        Op::Get | Op::Put | Op::TakeAll | Op::LendAll | Op::Pick | Op::Keep => (true, true, true, true),
        Op::DropAll => (true, false, false, true),
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem | Op::Compare | Op::CompareText | Op::TestText => {
            (true, true, true, false)
        }
        Op::FloatArith | Op::FloatCompare | Op::Tail => (true, true, true, false),
        Op::Move
        | Op::Neg
        | Op::Not
        | Op::Convert
        | Op::As
        | Op::Set
        | Op::Append
        | Op::Len
        | Op::Count
        | Op::Push
        | Op::Take
        | Op::Lend
        | Op::Share => (true, true, false, false),
    }
}
