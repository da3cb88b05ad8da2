//! The rules of calls: the portal, the argument blocks, the handler.

use carnet_idl::descriptor::{EnumId, InterfaceId, Module, Word};

use super::operands::is_scalar;
use super::registry::Signature;
use super::{BoundOp, Handler, Step, Verifier};
use crate::bytecode::{Ins, NONE, Op, PORTALS_MAX, SPREAD_MAX, SlotType, WORDS_MAX, quarters};
use crate::float::Precision;

impl Verifier<'_> {
    /// Checks a call; flags, first slot of the block and `d` of its step.
    pub(super) fn call(&mut self, ins: &Ins, count: u64) -> (u8, u16, [u16; 4]) {
        let Some(op) = self.out.ops.get(ins.b as usize).copied() else {
            self.reject("operation", format!("the program names no operation {}", ins.b));
            return (Step::CALL, 0, [0; 4]);
        };
        let signature = self.registry.signature(&op);
        let interface = self.want_register(ins.a).map(|i| self.scratch.interfaces[i as usize]);
        if interface.is_some_and(|found| found != op.known) {
            let found = interface.map_or("", |found| self.registry.known(found).described().name.as_str());
            self.reject("type", format!("found a portal on {found}, expected one for {}", op.name()));
        }
        self.out.totals.calls = self.out.totals.calls.saturating_add(count);
        if signature.flags & Step::WRITES != 0 {
            self.out.totals.writes = self.out.totals.writes.saturating_add(count);
            let written = count.saturating_mul(signature.written_max);
            self.out.totals.written = self.out.totals.written.saturating_add(written);
        }
        let repeat = self.out.code.last().filter(|step| step.op == Op::Repeat).map(Step::imm);
        let result = quarters(ins.d)[0];
        let mut flags = signature.flags;
        match repeat {
            // Blocks beyond what all repeats may name together are not looked at: the program is rejected already.
            Some(repeat) if self.spread <= SPREAD_MAX => {
                flags |= Step::SLOW;
                self.blocks(ins, signature, repeat);
            }
            _ => self.one_block(ins.c as usize, signature, (result != NONE).then_some(result.into())),
        }
        self.handler(ins, &op);
        let words = signature.words | signature.piece_at << 8;
        // Of a program that is accepted both lie within the slots.
        let first = ins.c.wrapping_add(signature.apart as u16);
        (flags, first, [result, op.number, words as u16, signature.reply_at as u16])
    }

    /// All the blocks of a repeat.
    fn blocks(&mut self, ins: &Ins, signature: &Signature, repeat: u64) {
        let result = quarters(ins.d)[0];
        let [low, high, step, result_step] = quarters(repeat);
        let times = (u64::from(low) | u64::from(high) << 16).clamp(1, SPREAD_MAX);
        for k in 0..times {
            let first = u64::from(ins.c) + k * u64::from(step);
            let to = (result != NONE).then(|| u64::from(result) + k * u64::from(result_step));
            let before = self.found;
            self.one_block(first as usize, signature, to);
            if self.found > before || (step == 0 && result_step == 0) {
                return;
            }
        }
    }

    fn one_block(&mut self, first: usize, signature: &Signature, result: Option<u64>) {
        let op = &signature.op;
        let (sent, first) = (first, first + signature.apart);
        if signature.words > WORDS_MAX || first + signature.words > self.out.slots.len() {
            return self.reject("block", format!("the arguments of {} leave the variable table", op.name()));
        }
        for (word, slot) in op.operation.layout.inouts.iter().take(signature.apart).zip(sent..) {
            self.one_word(op, (word, Way::In), slot);
        }
        for k in 0..signature.words {
            // Most words are integers, and nothing more is to be asked of them.
            if !signature.is_integer(k) || self.out.slots[first + k] != SlotType::Int {
                self.word_of_block(signature, first, k);
            }
        }
        if let Some(result) = result {
            let source = first + signature.reply_at;
            let one_scalar = op.operation.layout.reply_words() == 1 && is_scalar(self.out.slots[source]);
            if !one_scalar || self.out.slots.get(result as usize) != Some(&self.out.slots[source]) {
                self.expected("the result of the call", result.min(u64::from(NONE)) as u16);
            }
        }
    }

    /// Word `k` of the block that begins at slot `first`. What is inout comes back there, and was sent there too if all inouts are scalars.
    fn word_of_block(&mut self, signature: &Signature, first: usize, k: usize) {
        let layout = &signature.op.operation.layout;
        let Some(word) = layout.ins.iter().chain(&layout.inouts).chain(&layout.outs).nth(k) else { return };
        let way = if k < layout.ins.len() { Way::In } else { Way::Out };
        self.one_word(&signature.op, (word, way), first + k);
    }

    fn one_word(&mut self, op: &BoundOp, (word, way): (&Word, Way), slot: usize) {
        if !self.word_fits(op.module, word, self.out.slots[slot], way) {
            self.expected(&format!("{word:?} for {}", op.name()), slot as u16);
        }
    }

    fn word_fits(&self, module: &'static Module, word: &Word, slot: SlotType, way: Way) -> bool {
        match (word, slot) {
            (Word::Bool, SlotType::Bool) | (Word::Int { .. }, SlotType::Int) => true,
            (Word::Float { bits }, SlotType::Float(precision)) => Precision::of_bits(*bits) == precision,
            (Word::Enum(id), SlotType::Enum(x)) => self.same_enum(module, *id, x),
            (Word::String { max }, SlotType::Str(cap)) if way == Way::Out => cap >= *max,
            (Word::Bytes { max }, SlotType::Bytes(cap)) if way == Way::Out => cap >= *max,
            // Of more portals than a list of them has the call has failed.
            (Word::List { element, max }, SlotType::List(layout, cap))
                if way == Way::Out && element.iter().any(|word| matches!(word, Word::Portal(_))) =>
            {
                (PORTALS_MAX.min(*max)..=PORTALS_MAX).contains(&cap)
                    && self.element_fits(module, element, layout, way)
            }
            (Word::List { element, max }, SlotType::List(layout, cap)) if way == Way::Out => {
                cap >= *max && self.element_fits(module, element, layout, way)
            }
            (Word::Portal(id), SlotType::Made(x)) if way == Way::Out => self.same_portal(module, *id, x),
            (Word::String { .. }, slot) if way == Way::In => slot.string_max().is_some(),
            (Word::Bytes { .. }, slot) if way == Way::In => slot.bytes_max().is_some(),
            (Word::Portal(id), SlotType::Lent(x)) if way == Way::In => self.same_portal(module, *id, x),
            (Word::List { element, .. }, SlotType::List(layout, _) | SlotType::ListRef(layout, _))
                if way == Way::In =>
            {
                self.element_fits(module, element, layout, way)
            }
            _ => false,
        }
    }

    /// Of what goes in the callee checks the lengths, of the list as of its texts.
    fn element_fits(&self, module: &'static Module, element: &[Word], layout: u16, way: Way) -> bool {
        let words = self.words_of(layout);
        element.len() == words.len()
            && element.iter().zip(words).all(|(word, ty)| match (word, ty) {
                (Word::Bool, SlotType::Bool) | (Word::Int { .. }, SlotType::Int) => true,
                (Word::Float { bits }, SlotType::Float(precision)) => Precision::of_bits(*bits) == *precision,
                (Word::Enum(id), SlotType::Enum(x)) => self.same_enum(module, *id, *x),
                (Word::String { max }, SlotType::StrRef(cap))
                | (Word::Bytes { max }, SlotType::BytesRef(cap)) => way == Way::In || cap >= max,
                (Word::Portal(id), SlotType::Lent(x)) => way == Way::In && self.same_portal(module, *id, *x),
                (Word::Portal(id), SlotType::Made(x)) => way == Way::Out && self.same_portal(module, *id, *x),
                _ => false,
            })
    }

    fn same_enum(&self, module: &Module, id: EnumId, x: u16) -> bool {
        self.scratch.enums.get(x as usize) == Some(&module.enums[id.index()].hash.0)
    }

    fn same_portal(&self, module: &'static Module, id: InterfaceId, x: u16) -> bool {
        self.scratch.interfaces.get(x as usize).is_some_and(|number| {
            let found = self.registry.known(*number);
            std::ptr::eq(found.module, module) && found.id == id
        })
    }

    fn handler(&mut self, ins: &Ins, op: &BoundOp) {
        let [_, target, kind, message] = quarters(ins.d);
        if target == NONE {
            if kind != 0 || message != 0 {
                self.reject("operands", "names places for an error that nobody handles".to_owned());
            }
            return;
        }
        if target <= self.at as u16 {
            return self.reject("branch", format!("a handler at {target} goes backward"));
        }
        self.branch(target);
        let raises = op.module.plain_exception(op.operation).map(|(kind, _)| kind);
        let good = match (raises, self.ty(kind)) {
            (Some(id), SlotType::Enum(x)) => self.same_enum(op.module, id, x),
            (None, SlotType::Enum(_)) => true,
            _ => false,
        };
        if !good {
            self.expected("the kind of the operation's exception", kind);
        }
        if !matches!(self.ty(message), SlotType::Str(_)) {
            self.expected("a string variable", message);
        }
        // Other exceptions have no number that the handler could tell: they end the run.
        if raises.is_some() {
            self.out.handlers.push(Handler { at: self.at as u16, target, kind, message });
        }
    }
}

/// Which way a word of a call goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// To the service.
    In,
    /// Back.
    Out,
}
