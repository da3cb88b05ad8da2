//! The verifier of call arrays: one pass from bytes to what can run.
//!
//! Like that of [bytecode](crate::verify) it trusts nothing that the client says, and is small because there is little to say.
//! What it promises, and what the interpreter relies on:
//!
//! - types of words are those of the server's own descriptors;
//! - each call, in every round of its repeat, names the first word of a message of its operation, a register of its
//!   operation's interface, and one of the reply's interface if it takes a portal;
//! - each move, in every round and for every item, copies words of equal types, and none onto the owner of an area;
//! - a word that stands for a portal names a register of its interface, before the first command and ever after;
//! - repeats hold commands that exist and no repeats, so that all is bounded by what is written.
//!
//! What moves, presets, texts and the result name together is at most [`SPREAD_MAX`] words, so that checking them costs no more
//! than a program's size allows.

use carnet_idl::descriptor::{EnumId, Module, OpHash, Word};
use carnet_portal::call::Ref;

use super::{Command, Messages, OnError, Preset, Returns, Text, TextKind, View};
use crate::bytecode::{NONE, Op, OpRef, ParamPlace, ResultKind, SLOTS_MAX, SPREAD_MAX, SlotType, WORDS_MAX};
use crate::tree::{Pos, Precision};
use crate::verify::registry::{Known, Registry, Signature};
use crate::verify::{AreaCap, FAULTS_MAX, Fault, FaultKind, LoadError, Loaded, Step};

/// A verified command. What the call itself needs is in the step of the same number.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    /// What it does.
    pub what: What,
    /// Number of the repeat whose last command it is, or [`NONE`].
    pub ends: u16,
    /// Rounds of the repeat that it is in, or 1.
    pub times: u16,
}

/// What a command does.
#[derive(Clone, Copy, Debug)]
pub enum What {
    /// A call.
    Call {
        /// Registers, a round.
        register_step: u16,
        /// Slots, a round.
        message_step: u16,
        /// Register for the portal of the reply, or [`NONE`].
        into: u16,
        /// Registers, a round.
        into_step: u16,
        /// Word of the message that stands for that portal.
        made_at: u16,
        /// Word of the message that is its status, or [`NONE`].
        status_at: u16,
        /// What happens if it raises.
        on_error: OnError,
    },
    /// A move, as in [`Command::Move`].
    Move {
        /// First slot.
        from: u16,
        /// Slots, a round.
        from_step: u16,
        /// First slot of the copy.
        to: u16,
        /// Slots, a round.
        to_step: u16,
        /// Slots from item to item.
        stride: u16,
        /// Slots from copy to copy.
        to_stride: u16,
        /// Words of an item.
        size: u16,
        /// Items.
        items: u32,
        /// Added to item k, k times.
        add: i64,
    },
    /// A repeat of so many commands.
    Repeat {
        /// How many.
        commands: u16,
    },
}

/// An array of messages, in slots.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// First slot.
    pub first: u16,
    /// Words of a message, its status included.
    pub words: u16,
    /// How many messages.
    pub count: u16,
    /// The operation, in [`Loaded::ops`].
    pub op: u16,
    /// Whether each has a status.
    pub status: bool,
}

/// Memory for verifying that is used again.
pub(crate) struct Scratch<'s> {
    /// Numbers of the interfaces in the registry.
    pub(crate) interfaces: &'s mut Vec<u16>,
    /// Identities of the enums that occur.
    pub(crate) enums: &'s mut Vec<u64>,
}

/// Verifies the array in `bytes` into `out`, which is empty.
pub(crate) fn load(
    bytes: &[u8],
    registry: &Registry,
    out: &mut Loaded,
    scratch: Scratch<'_>,
) -> Result<(), LoadError> {
    let view = &View::new(bytes)?;
    scratch.interfaces.clear();
    scratch.enums.clear();
    let mut verifier = Verifier { view, registry, out, scratch, faults: Vec::new(), spread: 0, at: None };
    match verifier.run() {
        Some(()) if verifier.faults.is_empty() => Ok(()),
        _ => Err(LoadError::Rejected(verifier.faults)),
    }
}

struct Verifier<'a> {
    view: &'a View<'a>,
    registry: &'a Registry,
    out: &'a mut Loaded,
    scratch: Scratch<'a>,
    faults: Vec<Fault>,
    /// Words that moves, presets, texts and the result name so far.
    spread: u64,
    /// The command being checked.
    at: Option<u32>,
}

/// Of a word that stands for a portal and names no register yet.
const UNSET: u64 = u64::MAX;

impl Verifier<'_> {
    fn run(&mut self) -> Option<()> {
        self.interfaces()?;
        self.registers()?;
        self.ops()?;
        self.messages()?;
        self.texts()?;
        self.areas()?;
        self.presets()?;
        self.params()?;
        self.commands()?;
        self.returns()?;
        for k in 0..self.view.caps.len() {
            match self.view.cap(k) {
                Some(cap) => self.out.caps.push(cap),
                None => return self.refuse("table", format!("cap {k} is of no known kind")),
            }
        }
        self.out.started = NONE;
        Some(())
    }

    #[cold]
    fn fault(&mut self, rule: &'static str, kind: FaultKind, message: String) {
        if self.faults.len() < FAULTS_MAX {
            let pos = self.at.map_or_else(Pos::default, |at| self.view.pos(at));
            self.faults.push(Fault { at: self.at, pos, rule, kind, message });
        }
    }

    /// A fault after which nothing means anything.
    #[cold]
    fn refuse<T>(&mut self, rule: &'static str, message: String) -> Option<T> {
        self.fault(rule, FaultKind::Unsafe, message);
        None
    }

    #[cold]
    fn reject(&mut self, rule: &'static str, message: String) {
        self.fault(rule, FaultKind::Unsafe, message);
    }

    /// Counts words that are named; whether there may be so many.
    fn spreads(&mut self, words: u64) -> Option<()> {
        self.spread = self.spread.saturating_add(words);
        if self.spread <= SPREAD_MAX {
            return Some(());
        }
        let message =
            format!("moves, presets, texts and the result name more than {SPREAD_MAX} words together");
        self.refuse("operands", message)
    }

    fn interfaces(&mut self) -> Option<()> {
        let mut names = self.view.names().skip(1);
        for _ in 0..self.view.interfaces {
            let (module, name) = (names.next()?, names.next()?);
            let Some(found) = self.registry.find(module, name) else {
                let (module, name) = (String::from_utf8_lossy(module), String::from_utf8_lossy(name));
                let message = format!("this server has no interface {module}.{name}");
                self.fault("unknown-interface", FaultKind::Unsupported, message);
                return None;
            };
            self.scratch.interfaces.push(found);
        }
        Some(())
    }

    fn known(&self, interface: u16) -> Option<&Known> {
        let number = self.scratch.interfaces.get(usize::from(interface))?;
        Some(self.registry.known(*number))
    }

    fn registers(&mut self) -> Option<()> {
        for (k, interface) in self.view.registers.iter().enumerate() {
            match self.known(u16::from_le_bytes(*interface)) {
                Some(known) => {
                    let register = (known.module, known.id);
                    self.out.registers.push(register);
                }
                None => return self.refuse("table", format!("portal register {k} is of no interface")),
            }
        }
        Some(())
    }

    fn ops(&mut self) -> Option<()> {
        for k in 0..self.view.ops.len() {
            let Some(OpRef { hash, interface }) = self.view.op(k) else {
                return self.refuse("table", format!("operation {k} is damaged"));
            };
            let Some(known) = self.known(interface) else {
                return self.refuse("table", format!("operation {k} is of no interface"));
            };
            match known.by_hash(OpHash(hash)) {
                Some(signature) if signature.in_programs => {
                    let op = signature.op;
                    self.out.ops.push(op);
                }
                found => {
                    let (rule, message) = known.no_operation(hash, found);
                    self.fault(rule, FaultKind::Unsupported, message);
                    return None;
                }
            }
        }
        Some(())
    }

    /// Messages one behind the other: types of their words, and what these are before anything is set.
    fn messages(&mut self) -> Option<()> {
        for k in 0..self.view.messages.len() {
            let Some(Messages { op, count, status }) = self.view.messages(k) else {
                return self.refuse("table", format!("messages {k} have unknown flags"));
            };
            if usize::from(op) >= self.out.ops.len() {
                return self.refuse("table", format!("messages {k} are of no operation"));
            }
            let first = self.out.slots.len();
            self.one_message(op)?;
            self.out.slots.extend(status.then_some(SlotType::Int));
            let words = self.out.slots.len() - first;
            if count == 0 || words == 0 {
                let what = if count == 0 { "no message" } else { "no word" };
                return self.refuse("message", format!("messages {k} are {what}: nothing can name them"));
            }
            let all = words * usize::from(count);
            if first + all > SLOTS_MAX {
                return self.refuse("message", format!("the messages take more than {SLOTS_MAX} words"));
            }
            self.out.slots.reserve(all - words);
            for _ in 1..count {
                self.out.slots.extend_from_within(first..first + words);
            }
            self.out.messages.push(Block { first: first as u16, words: words as u16, count, op, status });
        }
        Some(())
    }

    fn one_message(&mut self, op: u16) -> Option<()> {
        let bound = self.out.ops[usize::from(op)];
        if let Some(what) = crate::unions::are_in(bound.module, bound.operation) {
            return self.unsupported(&bound.name(), what);
        }
        let layout = &bound.operation.layout;
        if layout.words() > WORDS_MAX {
            let message = format!("{} takes more than {WORDS_MAX} words", bound.name());
            self.fault("unsupported", FaultKind::Unsupported, message);
            return None;
        }
        for word in &layout.ins {
            let ty = match word {
                Word::String { max } => SlotType::StrRef(*max),
                Word::Bytes { max } => SlotType::BytesRef(*max),
                Word::Portal(id) => SlotType::Lent(self.portal(bound.module, *id)?),
                Word::List { .. } => return self.unsupported(&bound.name(), "a list as an argument"),
                scalar => self.scalar(bound.module, scalar),
            };
            self.out.slots.push(ty);
        }
        for word in &layout.inouts {
            if !matches!(word, Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_)) {
                return self.unsupported(&bound.name(), "an inout that is more than a scalar");
            }
            let ty = self.scalar(bound.module, word);
            self.out.slots.push(ty);
        }
        for word in &layout.outs {
            let ty = match word {
                Word::String { max } => SlotType::Str(*max),
                Word::Bytes { max } => SlotType::Bytes(*max),
                Word::Portal(id) => match self.portal_number(bound.module, *id) {
                    Some(number) => SlotType::Made(number),
                    // Nothing of the array can take it.
                    None => SlotType::Made(NONE),
                },
                Word::List { element, max } => self.list(bound.module, element, *max, &bound.name())?,
                scalar => self.scalar(bound.module, scalar),
            };
            self.out.slots.push(ty);
        }
        Some(())
    }

    #[cold]
    fn unsupported<T>(&mut self, op: &str, what: &str) -> Option<T> {
        self.fault("unsupported", FaultKind::Unsupported, format!("{what} in a call of {op}"));
        None
    }

    fn scalar(&mut self, module: &'static Module, word: &Word) -> SlotType {
        match word {
            Word::Bool => SlotType::Bool,
            Word::Float { bits } => SlotType::Float(Precision::of_bits(*bits)),
            Word::Enum(id) => SlotType::Enum(self.enumeration(module, *id)),
            _ => SlotType::Int,
        }
    }

    /// Number of an enum among those that occur.
    fn enumeration(&mut self, module: &Module, id: EnumId) -> u16 {
        let hash = module.enums[id.index()].hash.0;
        let enums = &mut *self.scratch.enums;
        let known = enums.iter().position(|known| *known == hash);
        let number = known.unwrap_or_else(|| {
            enums.push(hash);
            enums.len() - 1
        });
        number as u16
    }

    fn values_of(&self, number: u16) -> u64 {
        let hash = self.scratch.enums.get(usize::from(number)).copied().unwrap_or_default();
        let modules = self.out.ops.iter().map(|op| op.module);
        let mut found = modules.flat_map(|module| &module.enums).filter(|one| one.hash.0 == hash);
        found.next().map_or(0, |one| one.values.len() as u64)
    }

    /// Number of an interface among the array's.
    fn portal_number(&self, module: &'static Module, id: carnet_idl::descriptor::InterfaceId) -> Option<u16> {
        let is_it = |number: &u16| {
            let known = self.registry.known(*number);
            std::ptr::eq(known.module, module) && known.id == id
        };
        self.scratch.interfaces.iter().position(is_it).map(|number| number as u16)
    }

    fn portal(&mut self, module: &'static Module, id: carnet_idl::descriptor::InterfaceId) -> Option<u16> {
        let found = self.portal_number(module, id);
        if found.is_none() {
            let name = &module.interfaces[id.index()].name;
            self.reject("type", format!("a message takes a portal on {name}, which the array does not name"));
        }
        found
    }

    fn list(&mut self, module: &'static Module, element: &[Word], max: u32, op: &str) -> Option<SlotType> {
        let first = self.out.layout_words.len();
        for word in element {
            let ty = match word {
                Word::String { max } => SlotType::StrRef(*max),
                Word::Bytes { max } => SlotType::BytesRef(*max),
                Word::List { .. } | Word::Portal(_) => {
                    return self.unsupported(op, "a list of what no list holds");
                }
                scalar => self.scalar(module, scalar),
            };
            self.out.layout_words.push(ty);
        }
        let (at, words) = (u16::try_from(first).ok()?, u16::try_from(element.len()).ok()?);
        self.out.layouts.push((at, words));
        Some(SlotType::List((self.out.layouts.len() - 1) as u16, max))
    }

    /// The words that `count` items from `slot` on name, if they are in the messages.
    fn named(&mut self, slot: u16, stride: u16, count: u16, what: &str) -> Option<()> {
        self.spreads(count.into())?;
        let last = usize::from(slot) + usize::from(count.max(1) - 1) * usize::from(stride);
        if count == 0 || last >= self.out.slots.len() {
            return self.refuse("table", format!("{what} leaves the messages"));
        }
        Some(())
    }

    fn texts(&mut self) -> Option<()> {
        let literals = self.view.literals;
        if literals.contains(&0) {
            return self.refuse("table", "the literals hold a zero byte, as no string does".to_owned());
        }
        self.out.image.resize(self.out.slots.len(), 0);
        for k in 0..self.view.texts.len() {
            let Some(Text { slot, stride, count, kind }) = self.view.text(k) else {
                return self.refuse("table", format!("text {k} is of no known kind"));
            };
            self.named(slot, stride, count, &format!("text {k}"))?;
            for at in (0..count).map(|n| usize::from(slot) + usize::from(n) * usize::from(stride)) {
                let ty = &mut self.out.slots[at];
                let good = match (kind, *ty) {
                    (TextKind::Held(cap), SlotType::StrRef(max)) => {
                        *ty = SlotType::Str(cap);
                        cap <= max && cap as usize <= Ref::LEN_MAX
                    }
                    (TextKind::Held(cap), SlotType::BytesRef(max)) => {
                        *ty = SlotType::Bytes(cap);
                        cap <= max && cap as usize <= Ref::LEN_MAX
                    }
                    (TextKind::Literal { len, offset }, SlotType::StrRef(max) | SlotType::BytesRef(max)) => {
                        let word = Ref::new(0, offset as usize, len as usize);
                        self.out.image[at] = word.unwrap_or_default().0;
                        let end = offset as usize + len as usize;
                        word.is_some() && len <= max && end <= literals.len()
                    }
                    _ => false,
                };
                if !good {
                    return self.refuse("table", format!("text {k} does not fit slot {at}"));
                }
            }
        }
        self.out.literals.extend_from_slice(literals);
        Some(())
    }

    /// Areas of the words that own one, in the order of slots.
    fn areas(&mut self) -> Option<()> {
        let Loaded { slots, areas, image, .. } = &mut *self.out;
        areas.push(AreaCap { slot: NONE, max: 0, layout: NONE });
        for (k, (ty, word)) in slots.iter().zip(image).enumerate() {
            let (max, layout) = match *ty {
                SlotType::Str(max) | SlotType::Bytes(max) => (max, NONE),
                SlotType::List(layout, max) => (max, layout),
                SlotType::Lent(_) => {
                    *word = UNSET;
                    continue;
                }
                _ => continue,
            };
            *word = Ref::new(areas.len(), 0, 0).unwrap_or_default().0;
            areas.push(AreaCap { slot: k as u16, max, layout });
        }
        match areas.len() {
            found if found > Ref::AREAS_MAX => {
                let max = Ref::AREAS_MAX;
                self.refuse("table", format!("{found} texts and lists where at most {max} are allowed"))
            }
            _ => Some(()),
        }
    }

    fn presets(&mut self) -> Option<()> {
        for k in 0..self.view.presets.len() {
            let Some(Preset { slot, stride, count, value, add }) = self.view.preset(k) else {
                return self.refuse("table", format!("preset {k} is damaged"));
            };
            self.named(slot, stride, count, &format!("preset {k}"))?;
            for n in 0..count {
                let at = usize::from(slot) + usize::from(n) * usize::from(stride);
                let value = i64::from(n).checked_mul(add).and_then(|more| value.checked_add(more));
                let good = value.is_some_and(|value| self.is_value(self.out.slots[at], value));
                if !good {
                    return self.refuse("table", format!("preset {k} is no value of slot {at}"));
                }
                self.out.image[at] = value.unwrap_or_default() as u64;
            }
        }
        let unset = |(ty, word): (&SlotType, &u64)| matches!(ty, SlotType::Lent(_)) && *word == UNSET;
        match self.out.slots.iter().zip(&self.out.image).position(unset) {
            Some(at) => {
                self.refuse("register", format!("slot {at} stands for a portal and names no register"))
            }
            None => Some(()),
        }
    }

    fn is_value(&self, ty: SlotType, value: i64) -> bool {
        match ty {
            SlotType::Int => true,
            SlotType::Bool => (0..=1).contains(&value),
            SlotType::Float(precision) => precision.holds(value.cast_unsigned()),
            SlotType::Enum(x) => u64::try_from(value).is_ok_and(|value| value < self.values_of(x)),
            SlotType::Lent(x) => {
                let register = usize::try_from(value).ok().and_then(|at| self.view.registers.get(at));
                register.is_some_and(|interface| u16::from_le_bytes(*interface) == x)
            }
            _ => false,
        }
    }

    fn params(&mut self) -> Option<()> {
        for k in 0..self.view.params.len() {
            let place = self.view.param(k);
            let good = match place {
                Some(ParamPlace::Slot(slot)) => {
                    match self.out.slots.get(usize::from(slot)) {
                        Some(SlotType::Int | SlotType::Bool | SlotType::Float(_) | SlotType::Enum(_)) => true,
                        // A reply's text is the service's to fill.
                        Some(SlotType::Str(_) | SlotType::Bytes(_)) => self.is_request(slot),
                        _ => false,
                    }
                }
                Some(ParamPlace::Register(register)) => usize::from(register) < self.out.registers.len(),
                None => false,
            };
            match place {
                Some(place) if good => self.out.params.push(place),
                _ => return self.refuse("table", format!("parameter {k} has no place")),
            }
        }
        Some(())
    }

    fn is_request(&self, slot: u16) -> bool {
        self.block_of(slot).is_some_and(|block| {
            let at = (slot - block.first) % block.words;
            usize::from(at) < self.out.ops[usize::from(block.op)].operation.layout.request_words()
        })
    }

    /// The messages that a slot is in.
    fn block_of(&self, slot: u16) -> Option<Block> {
        let behind = self.out.messages.partition_point(|block| block.first <= slot);
        let block = *self.out.messages.get(behind.checked_sub(1)?)?;
        (u32::from(slot) < u32::from(block.first) + u32::from(block.words) * u32::from(block.count))
            .then_some(block)
    }

    fn commands(&mut self) -> Option<()> {
        let view = self.view;
        if view.commands.is_empty() {
            return self.refuse("end", "the array has no commands".to_owned());
        }
        // Number of the repeat that a command is in, first command behind it, and rounds.
        let mut within: Option<(u16, usize, u16)> = None;
        for (k, bytes) in view.commands.iter().enumerate() {
            self.at = Some(k as u32);
            within = within.filter(|(_, end, _)| k < *end);
            let times = within.map_or(1, |(_, _, times)| times);
            let Some((command, _)) = Command::decode(bytes) else {
                return self
                    .refuse("operation", "there is no such command, or a part of it is not zero".to_owned());
            };
            let (step, what) = match command {
                Command::Call { .. } => self.call(command, times),
                Command::Move { .. } => self.moved(command, times)?,
                Command::Repeat { times: rounds, commands } => {
                    let end = k + 1 + usize::from(commands);
                    let rounds = u16::try_from(rounds).unwrap_or(0);
                    if within.is_some() {
                        self.reject("repeat", "a repeat stands in another".to_owned());
                    } else if rounds == 0 || commands == 0 || end > view.commands.len() {
                        let message =
                            "a repeat does 1 to 65,535 times what stands behind it, 1 command at least";
                        self.reject("repeat", message.to_owned());
                    }
                    within = Some((k as u16, end, rounds.max(1)));
                    (step(Op::Repeat, 1), What::Repeat { commands })
                }
            };
            if self.faults.len() >= FAULTS_MAX {
                return None;
            }
            let ends = match within {
                Some((repeat, end, _)) if k + 1 == end && !matches!(what, What::Repeat { .. }) => repeat,
                _ => NONE,
            };
            let totals = &mut self.out.totals;
            let charged = u64::from(step.charge).saturating_mul(times.into());
            totals.instructions = totals.instructions.saturating_add(charged);
            self.out.code.push(step);
            self.out.actions.push(Action { what, ends, times });
        }
        self.at = None;
        Some(())
    }

    /// Checks a call in all its rounds.
    fn call(&mut self, command: Command, times: u16) -> (Step, What) {
        let Command::Call { register, register_step, message, message_step, into, into_step, on_error } =
            command
        else {
            return (step(Op::Call, 1), What::Repeat { commands: 0 });
        };
        let nothing = (step(Op::Call, 1), What::Repeat { commands: 0 });
        let Some(block) = self.block_of(message) else {
            self.reject("message", format!("slot {message} is in no message"));
            return nothing;
        };
        let rounds = u32::from(times) - 1;
        let at = u32::from(message - block.first);
        let last = at + rounds * u32::from(message_step);
        let words = u32::from(block.words);
        if !at.is_multiple_of(words)
            || !u32::from(message_step).is_multiple_of(words)
            || last / words >= u32::from(block.count)
        {
            let message = format!(
                "the call names no message from slot {message} on by steps of {message_step}: there are {} of {words} words from slot {} on",
                block.count, block.first
            );
            self.reject("message", message);
            return nothing;
        }
        let op = self.out.ops[usize::from(block.op)];
        let registry = self.registry;
        let signature = registry.signature(&op);
        self.registers_are(register, register_step, times, (op.module, op.interface), &op.name());
        let made_at = self.made_at(signature, into, into_step, times);
        if on_error == OnError::CarryOn && !block.status {
            self.reject(
                "operands",
                format!("carries on if {} raises, and its messages have no status", op.name()),
            );
        }
        self.count(signature, times);
        let status_at = if block.status { block.words - 1 } else { NONE };
        let what = What::Call { register_step, message_step, into, into_step, made_at, status_at, on_error };
        let words = signature.words | signature.piece_at << 8;
        let d = [NONE, op.number, words as u16, signature.reply_at as u16];
        let step =
            Step { op: Op::Call, flags: signature.flags, a: register, b: block.op, c: message, charge: 1, d };
        (step, what)
    }

    fn count(&mut self, signature: &Signature, times: u16) {
        let (totals, times) = (&mut self.out.totals, u64::from(times));
        totals.calls = totals.calls.saturating_add(times);
        if signature.flags & Step::WRITES != 0 {
            totals.writes = totals.writes.saturating_add(times);
            totals.written = totals.written.saturating_add(times.saturating_mul(signature.written_max));
        }
    }

    /// Whether the registers of all rounds are of an interface.
    fn registers_are(
        &mut self,
        first: u16,
        step: u16,
        times: u16,
        wanted: (&'static Module, carnet_idl::descriptor::InterfaceId),
        what: &str,
    ) {
        let rounds = if step == 0 { 1 } else { usize::from(times) };
        let registers = &self.out.registers;
        let last = usize::from(first) + (rounds - 1) * usize::from(step);
        if last >= registers.len() {
            let message = format!("{what} names register {last}, and there are {}", registers.len());
            return self.reject("register", message);
        }
        let is_wrong =
            |(module, id): &(&'static Module, _)| !std::ptr::eq(*module, wanted.0) || *id != wanted.1;
        let named = registers[usize::from(first)..=last].iter().step_by(usize::from(step).max(1));
        if let Some((module, id)) = named.take(rounds).find(|found| is_wrong(found)) {
            let message =
                format!("found a portal on {}, expected one for {what}", module.interfaces[id.index()].name);
            self.reject("type", message);
        }
    }

    /// The word of the reply that stands for a portal, if the call takes it.
    fn made_at(&mut self, signature: &Signature, into: u16, into_step: u16, times: u16) -> u16 {
        if into == NONE {
            if into_step != 0 {
                self.reject("operands", "a step of a register that there is not".to_owned());
            }
            return NONE;
        }
        let operation = signature.op.operation;
        let portal = |(k, word): (usize, &Word)| match word {
            Word::Portal(id) => Some((k, *id)),
            _ => None,
        };
        let Some((k, id)) = operation.layout.outs.iter().enumerate().find_map(portal) else {
            self.reject("operands", format!("{} gives no portal back", signature.op.name()));
            return NONE;
        };
        let what = format!("the reply of {}", signature.op.name());
        self.registers_are(into, into_step, times, (signature.op.module, id), &what);
        (operation.layout.request_words() + k) as u16
    }

    /// Checks a move, item by item, in all its rounds.
    fn moved(&mut self, command: Command, times: u16) -> Option<(Step, What)> {
        let Command::Move { from, from_step, to, to_step, stride, to_stride, size, items, add } = command
        else {
            return None;
        };
        let rounds = if from_step == 0 && to_step == 0 { 1 } else { times };
        if size == 0 || items == 0 {
            self.reject("strided", "a move copies one word at least".to_owned());
        }
        if add != 0 && size != 1 {
            self.reject("strided", format!("a move that adds copies single words, and not {size}"));
        }
        let words = u64::from(items).saturating_mul(u64::from(size));
        self.spreads(words.saturating_mul(rounds.into()))?;
        'all: for round in 0..u64::from(rounds) {
            for item in 0..u64::from(items) {
                let source = u64::from(from) + round * u64::from(from_step) + item * u64::from(stride);
                let target = u64::from(to) + round * u64::from(to_step) + item * u64::from(to_stride);
                for word in 0..u64::from(size) {
                    if !self.moves(source + word, target + word, add) {
                        break 'all;
                    }
                }
            }
        }
        let what = What::Move { from, from_step, to, to_step, stride, to_stride, size, items, add };
        let charge = u32::try_from(1 + words / 8).unwrap_or(u32::MAX);
        Some((step(Op::MoveStrided, charge), what))
    }

    fn moves(&mut self, from: u64, to: u64, add: i64) -> bool {
        let ty = |slot: u64| usize::try_from(slot).ok().and_then(|slot| self.out.slots.get(slot)).copied();
        let (Some(source), Some(target)) = (ty(from), ty(to)) else {
            self.reject(
                "strided",
                format!("moves slot {from} to {to}, and there are {}", self.out.slots.len()),
            );
            return false;
        };
        let good = match target {
            SlotType::Int => source == target,
            _ if add != 0 => false,
            SlotType::Bool | SlotType::Float(_) | SlotType::Enum(_) | SlotType::Lent(_) => source == target,
            SlotType::StrRef(_) => source.string_max().is_some(),
            SlotType::BytesRef(_) => source.bytes_max().is_some(),
            _ => false,
        };
        if !good {
            self.reject("type", format!("moves slot {from} to {to}: found {source:?}, expected {target:?}"));
        }
        good
    }

    fn returns(&mut self) -> Option<()> {
        let Some(returns) = self.view.returns else {
            (self.out.result, self.out.so_far) = (ResultKind::None, NONE);
            return Some(());
        };
        let Returns { first, stride, items, words, list } = returns;
        if items == 0 || words == 0 || usize::from(words) > WORDS_MAX || (!list && items != 1) {
            return self.refuse("table", "the result has no items, or too many words".to_owned());
        }
        self.spreads(u64::from(items) * u64::from(words))?;
        let last = usize::from(first) + (usize::from(items) - 1) * usize::from(stride) + usize::from(words);
        if last > self.out.slots.len() {
            return self.refuse("table", "the result leaves the messages".to_owned());
        }
        let of = |item: u16, word: u16| {
            let at = usize::from(first) + usize::from(item) * usize::from(stride) + usize::from(word);
            match self.out.slots[at] {
                ty @ (SlotType::Int | SlotType::Bool | SlotType::Float(_) | SlotType::Enum(_)) => Some(ty),
                SlotType::Str(max) | SlotType::StrRef(max) => Some(SlotType::StrRef(max)),
                SlotType::Bytes(max) | SlotType::BytesRef(max) => Some(SlotType::BytesRef(max)),
                _ => None,
            }
        };
        let types: Option<Vec<SlotType>> = (0..words).map(|word| of(0, word)).collect();
        let Some(types) = types else {
            return self.refuse("table", "the result is not made of scalars and texts".to_owned());
        };
        let alike = |(k, ty): (usize, &SlotType), item: u16| {
            of(item, k as u16).is_some_and(|other| match ty {
                SlotType::StrRef(_) => other.string_max().is_some(),
                SlotType::BytesRef(_) => other.bytes_max().is_some(),
                ty => other == *ty,
            })
        };
        if !(1..items).all(|item| types.iter().enumerate().all(|one| alike(one, item))) {
            return self.refuse("table", "the items of the result are of several types".to_owned());
        }
        self.out.result_words.extend_from_slice(&types);
        self.out.result = if list { ResultKind::List } else { ResultKind::Words };
        (self.out.so_far, self.out.returns) = (first, Some(returns));
        Some(())
    }
}

/// A step that says what a command is and nothing else.
fn step(op: Op, charge: u32) -> Step {
    Step { op, flags: 0, a: 0, b: 0, c: 0, charge, d: [0; 4] }
}
