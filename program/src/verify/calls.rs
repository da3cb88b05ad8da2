//! The rules of calls: the portal, the argument blocks, the handler.

use carnet_idl::descriptor::{EnumId, InterfaceId, Module, Word};

use super::operands::is_scalar;
use super::{BoundOp, Effect, FaultKind, Handler, Step, Verifier};
use crate::bytecode::{Ins, NONE, Op, SPREAD_MAX, SlotType, WORDS_MAX, quarters};

impl Verifier<'_> {
    /// Checks a call; flags and `d` of its step.
    pub(super) fn call(&mut self, ins: &Ins, count: u64) -> (u8, [u16; 4]) {
        let Some(op) = self.out.ops.get(ins.b as usize).copied() else {
            self.reject("operation", format!("the program names no operation {}", ins.b));
            return (Step::CALL, [0; 4]);
        };
        let interface = self.want_register(ins.a).map(|i| self.scratch.interfaces[i as usize]);
        if interface.is_some_and(|found| !same_interface(found, (op.module, op.interface))) {
            let found = interface.map_or("", |(m, i)| m.interfaces[i.index()].name.as_str());
            self.reject("type", format!("found a portal on {found}, expected one for {}", op.name()));
        }
        self.out.totals.calls = self.out.totals.calls.saturating_add(count);
        if op.operation.effect == Effect::Writes {
            self.out.totals.writes = self.out.totals.writes.saturating_add(count);
            let written = count.saturating_mul(op.written_max());
            self.out.totals.written = self.out.totals.written.saturating_add(written);
        }
        // Blocks beyond what all repeats may name together are not looked at: the program is rejected already.
        let within = self.spread <= SPREAD_MAX;
        let repeat = self.out.code.last().filter(|step| within && step.op == Op::Repeat).map(Step::imm);
        self.blocks(ins, &op, repeat);
        self.handler(ins, &op);
        let layout = &op.operation.layout;
        let writes = op.operation.effect == Effect::Writes;
        let slow = op.operation.cost.is_some()
            || op.operation.blocks
            || repeat.is_some()
            || writes && layout.ins.iter().any(|word| matches!(word, Word::Bytes { .. }))
            || layout.outs.iter().any(|word| !matches!(word, Word::Bool | Word::Int { .. } | Word::Enum(_)));
        let mut flags = Step::CALL;
        flags |= if slow { Step::SLOW } else { 0 };
        flags |= if writes { Step::WRITES } else { 0 };
        let (words, reply_at) = (layout.words() as u16, layout.ins.len() as u16);
        (flags, [quarters(ins.d)[0], op.number, words, reply_at])
    }

    /// The block of a call; of a repeat, all its blocks.
    fn blocks(&mut self, ins: &Ins, op: &BoundOp, repeat: Option<u64>) {
        let result = quarters(ins.d)[0];
        let [low, high, step, result_step] = quarters(repeat.unwrap_or(1));
        let times = (u64::from(low) | u64::from(high) << 16).clamp(1, SPREAD_MAX);
        for k in 0..times {
            let first = u64::from(ins.c) + k * u64::from(step);
            let to = (result != NONE).then(|| u64::from(result) + k * u64::from(result_step));
            let before = self.found;
            self.one_block(first as usize, op, to);
            if self.found > before || (step == 0 && result_step == 0) {
                return;
            }
        }
    }

    fn one_block(&mut self, first: usize, op: &BoundOp, result: Option<u64>) {
        let layout = &op.operation.layout;
        if layout.words() > WORDS_MAX || first + layout.words() > self.out.slots.len() {
            return self.reject("block", format!("the arguments of {} leave the variable table", op.name()));
        }
        for (k, word) in layout.ins.iter().chain(&layout.inouts).chain(&layout.outs).enumerate() {
            let is_out = k >= layout.ins.len() + layout.inouts.len();
            let way = if is_out { Way::Out } else { Way::In };
            let inout = !is_out && k >= layout.ins.len();
            let slot = first + k;
            match self.word_fits(op.module, word, self.out.slots[slot], way) {
                Fit::Yes if inout && !is_scalar(self.out.slots[slot]) => {
                    self.unsupported(op, "an inout text")
                }
                Fit::Yes => {}
                Fit::No => self.expected(&format!("{word:?} for {}", op.name()), slot as u16),
                Fit::Unsupported(what) => self.unsupported(op, what),
            }
        }
        if let Some(result) = result {
            let source = first + layout.ins.len();
            let one_scalar = layout.reply_words() == 1 && is_scalar(self.out.slots[source]);
            if !one_scalar || self.out.slots.get(result as usize) != Some(&self.out.slots[source]) {
                self.expected("the result of the call", result.min(u64::from(NONE)) as u16);
            }
        }
    }

    fn unsupported(&mut self, op: &BoundOp, what: &str) {
        let message = format!("{what} in a call of {}", op.name());
        self.fault(Some(self.at), "unsupported", FaultKind::Unsupported, message);
    }

    fn word_fits(&self, module: &'static Module, word: &Word, slot: SlotType, way: Way) -> Fit {
        let good = match (word, slot) {
            (Word::Bool, SlotType::Bool) | (Word::Int { .. }, SlotType::Int) => true,
            (Word::Enum(id), SlotType::Enum(x)) => self.same_enum(module, *id, x),
            (Word::String { max }, SlotType::Str(cap)) if way == Way::Out => cap >= *max,
            (Word::Bytes { max }, SlotType::Bytes(cap)) if way == Way::Out => cap >= *max,
            (Word::List { element, max }, SlotType::List(layout, cap)) if way == Way::Out => {
                cap >= *max && self.element_fits(module, element, layout)
            }
            (Word::Portal(id), SlotType::Made(x)) if way == Way::Out => self.same_portal(module, *id, x),
            (Word::String { .. }, slot) if way == Way::In => slot.string_max().is_some(),
            (Word::Bytes { .. }, slot) if way == Way::In => slot.bytes_max().is_some(),
            (Word::Portal(id), SlotType::Lent(x)) if way == Way::In => self.same_portal(module, *id, x),
            (Word::List { .. }, _) if way == Way::In => return Fit::Unsupported("a list as an argument"),
            _ => false,
        };
        if good { Fit::Yes } else { Fit::No }
    }

    fn element_fits(&self, module: &'static Module, element: &[Word], layout: u16) -> bool {
        let (first, count) = self.out.layouts[layout as usize];
        let words = &self.out.layout_words[first as usize..(first + count) as usize];
        element.len() == words.len()
            && element.iter().zip(words).all(|(word, ty)| match (word, ty) {
                (Word::Bool, SlotType::Bool) | (Word::Int { .. }, SlotType::Int) => true,
                (Word::Enum(id), SlotType::Enum(x)) => self.same_enum(module, *id, *x),
                (Word::String { max }, SlotType::StrRef(cap))
                | (Word::Bytes { max }, SlotType::BytesRef(cap)) => cap >= max,
                _ => false,
            })
    }

    fn same_enum(&self, module: &Module, id: EnumId, x: u16) -> bool {
        self.scratch.enums.get(x as usize) == Some(&module.enums[id.index()].hash.0)
    }

    fn same_portal(&self, module: &'static Module, id: InterfaceId, x: u16) -> bool {
        self.scratch.interfaces.get(x as usize).is_some_and(|found| same_interface(*found, (module, id)))
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
        self.out.handlers.push(Handler { at: self.at as u16, target, kind, message });
    }
}

/// Which way a word of a call goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// To the service, and maybe back.
    In,
    /// Only back.
    Out,
}

enum Fit {
    Yes,
    No,
    Unsupported(&'static str),
}

fn same_interface(a: (&'static Module, InterfaceId), b: (&'static Module, InterfaceId)) -> bool {
    std::ptr::eq(a.0, b.0) && a.1 == b.1
}
