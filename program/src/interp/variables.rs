//! Parameters, set before a run begins; and variables of a run that stopped, set anew before it goes on.
//!
//! What they hold is held against their types, as arguments are; bounds of loops are counted elsewhere, and cannot be set. The run goes
//! on as if they had been assigned where the arguments of the call were computed at which it stopped: what is computed
//! without a call, from wherever the present block begins, is computed again, unless that would not come to the same if nothing
//! had been set. A text that something computed before refers to cannot be set.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use carnet_portal::call::Ref;
use carnet_portal::capability::Capability;

use super::data::size;
use super::{FaultKind, Machine, Stop, whole};
use crate::bytecode::{NONE, Op, ParamPlace, SlotType};
use crate::limits::LimitKind;
use crate::protocol::{SetVariable, VariableValue};
use crate::verify::{Loaded, Step};

/// Instructions that are done again, at most.
const BACK_MAX: u16 = 1_024;
/// Instructions that are looked through for one that reads a text.
const LOOKED_AT_MAX: usize = 4_096;
/// Of slots that are no variables: counters, references, lists, portals.
const NO_VARIABLE: &str = "it is no variable that can be set";

/// What a parameter is given.
#[derive(Clone, Debug)]
pub enum Given<'g> {
    /// A portal, for a register.
    Portal(Capability),
    /// The word of a scalar.
    Scalar(i64),
    /// A text.
    Text(&'g [u8]),
}

/// Whether a number can be put into a slot of a type.
///
/// # Errors
/// Why not, for people.
pub fn fits_scalar(ty: SlotType, n: i64) -> Result<(), String> {
    match ty {
        SlotType::Int => Ok(()),
        SlotType::Bool if (0..=1).contains(&n) => Ok(()),
        // Which values an enum has is known to the operations that it is passed to, and they check it.
        SlotType::Enum(_) if (0..=i64::from(u16::MAX)).contains(&n) => Ok(()),
        SlotType::Float(precision) if precision.holds(n.cast_unsigned()) => Ok(()),
        SlotType::Bool | SlotType::Float(_) | SlotType::Enum(_) => {
            Err(format!("{n} is not a value of its type"))
        }
        SlotType::Str(_) | SlotType::Bytes(_) => Err("a number where a text is expected".to_owned()),
        _ => Err(NO_VARIABLE.to_owned()),
    }
}

/// Whether a text can be put into a slot of a type.
///
/// # Errors
/// Why not, for people.
pub fn fits_text(ty: SlotType, text: &[u8]) -> Result<(), String> {
    let (SlotType::Str(max) | SlotType::Bytes(max)) = ty else {
        let is_scalar = matches!(ty, SlotType::Int | SlotType::Bool | SlotType::Float(_) | SlotType::Enum(_));
        let why = if is_scalar { "a text where a number is expected" } else { NO_VARIABLE };
        return Err(why.to_owned());
    };
    if text.len() > max as usize {
        return Err(format!("a text of {} bytes where at most {max} are allowed", text.len()));
    }
    if ty.string_max().is_some() && text.contains(&0) {
        return Err("a string contains a NUL byte".to_owned());
    }
    Ok(())
}

/// Whether a value can be put into a slot of a type.
fn fits(program: &Loaded, ty: SlotType, value: &VariableValue) -> Result<(), String> {
    match value {
        VariableValue::Scalar(n) => fits_scalar(ty, *n),
        VariableValue::Text(text) => fits_text(ty, text),
        VariableValue::List(words) => fits_list(program, ty, words),
    }
}

fn fits_list(program: &Loaded, ty: SlotType, words: &[VariableValue]) -> Result<(), String> {
    let SlotType::List(layout, max) = ty else { return Err("a list where none is expected".to_owned()) };
    let (first, stride) = program.layouts[layout as usize];
    let types = &program.layout_words[first as usize..(first + stride) as usize];
    // Its portals are in registers, and their count in a slot, which stay as they are.
    if types.iter().any(|ty| matches!(ty, SlotType::Lent(_) | SlotType::Made(_))) {
        return Err(NO_VARIABLE.to_owned());
    }
    if !words.len().is_multiple_of(types.len()) {
        return Err("elements with other parts than it has".to_owned());
    }
    let count = words.len() / types.len();
    if count > max as usize {
        return Err(format!("a list of {count} elements where at most {max} are allowed"));
    }
    if list_bytes(words) > Ref::OFFSET_MAX as u64 {
        return Err("texts that are longer together than a list can hold".to_owned());
    }
    for (k, word) in words.iter().enumerate() {
        let ty = match types[k % types.len()] {
            SlotType::StrRef(max) => SlotType::Str(max),
            SlotType::BytesRef(max) => SlotType::Bytes(max),
            scalar => scalar,
        };
        let fits = match word {
            VariableValue::List(_) => Err("a list in a list".to_owned()),
            word => fits(program, ty, word),
        };
        fits.map_err(|why| format!("element {}: {why}", k / types.len()))?;
    }
    Ok(())
}

/// Bytes of a list's texts.
fn list_bytes(words: &[VariableValue]) -> u64 {
    let text = |word: &VariableValue| match word {
        VariableValue::Text(text) => text.len() as u64,
        _ => 0,
    };
    words.iter().map(text).sum()
}

/// Variables that fit, and where the run goes on with them.
#[derive(Debug)]
pub struct Fitting<'s> {
    set: &'s [SetVariable],
    memory: u64,
    from: u16,
    again: Option<Box<Again>>,
}

/// What was set where the run stands, and what is done again for it.
#[derive(Clone, Debug)]
pub(super) struct Again {
    pub(super) range: Range<u16>,
    pub(super) set: BTreeSet<u16>,
    pub(super) moment: [u64; 2],
}

impl Machine {
    /// Gives a parameter its value, which was held against its type.
    ///
    /// # Errors
    /// As [`Machine::set_text`]; and a fault of ours if it is a value where a portal is expected, or the other way about.
    pub fn give(&mut self, program: &Loaded, place: ParamPlace, given: Given<'_>) -> Result<(), Stop> {
        match (place, given) {
            (ParamPlace::Register(register), Given::Portal(portal)) => self.set_portal(register, portal),
            (ParamPlace::Slot(slot), Given::Scalar(value)) => self.set_scalar(slot, value),
            (ParamPlace::Slot(slot), Given::Text(text)) => self.set_text(program, slot, text)?,
            _ => return Err(Stop::Fault(FaultKind::Internal)),
        }
        Ok(())
    }

    /// The run begins at a time, for programs that ask when that was.
    pub fn begin_at(&mut self, program: &Loaded, time_ns: i64) {
        if program.started != NONE {
            self.set_scalar(program.started, time_ns);
        }
    }

    /// Sets a scalar parameter.
    pub fn set_scalar(&mut self, slot: u16, value: i64) {
        self.slots[slot as usize] = value as u64;
    }

    /// Sets a text parameter.
    ///
    /// # Errors
    /// What stops a program that does the same: the text is too long for the parameter, or for the memory of the run.
    pub fn set_text(&mut self, program: &Loaded, slot: u16, text: &[u8]) -> Result<(), Stop> {
        let number = Ref(self.slots[slot as usize]).area();
        if program.areas.get(number).is_none_or(|area| text.len() > area.max as usize) {
            return Err(Stop::Fault(FaultKind::TextTooLong));
        }
        let (old, new) = (self.areas.list[number].bytes.len() as u64, text.len() as u64);
        self.grow(new.saturating_sub(old))?;
        self.memory -= old.saturating_sub(new);
        let bytes = &mut self.areas.list[number].bytes;
        bytes.clear();
        bytes.extend_from_slice(text);
        self.slots[slot as usize] = whole(number, text.len());
        Ok(())
    }

    /// Puts a portal into a register.
    pub fn set_portal(&mut self, register: u16, portal: Capability) {
        if (register as usize) < self.portals.len() {
            self.hold(register, Some(portal));
        }
    }

    /// Whether variables of a run that stopped can be set.
    ///
    /// # Errors
    /// The slot that cannot, and why, for people.
    pub fn fit_variables<'s>(
        &self,
        program: &Loaded,
        set: &'s [SetVariable],
    ) -> Result<Fitting<'s>, (u16, String)> {
        let moment = self.moment(program);
        let known = self.again.as_deref().filter(|again| again.moment == moment);
        let mut again =
            known.cloned().unwrap_or(Again { range: self.pc..self.pc, set: BTreeSet::new(), moment });
        if set.is_empty() {
            return Ok(Fitting { set, memory: self.memory, from: self.pc, again: None });
        }
        again.set.extend(set.iter().map(|variable| variable.slot));
        if program.is_array() {
            return Err((set[0].slot, "a call array has messages and no variables".to_owned()));
        }
        let from = self.back_to(program, &again);
        let left: BTreeSet<u16> = match again.range.contains(&self.pc) {
            true => (self.pc..again.range.end).map(|pc| program.code[pc as usize].a).collect(),
            false => BTreeSet::new(),
        };
        let (mut memory, max) = (self.memory, self.budget.memory_max);
        let mut areas = BTreeMap::new();
        for SetVariable { slot, value } in set {
            let wrong = |why: &str| (*slot, why.to_owned());
            if left.contains(slot) {
                return Err(wrong("what is done next computes it again"));
            }
            let ty = program.slots.get(*slot as usize).copied().unwrap_or(SlotType::Counter);
            fits(program, ty, value).map_err(|why| wrong(&why))?;
            let number = Ref(self.slots[*slot as usize]).area();
            // What it replaces was counted.
            memory = match value {
                VariableValue::Scalar(_) => continue,
                VariableValue::Text(text) => memory + text.len() as u64 - self.text(*slot).len() as u64,
                VariableValue::List(words) => {
                    memory + 8 * words.len() as u64 + list_bytes(words)
                        - self.areas.list.get(number).map_or(0, size)
                }
            };
            areas.insert(number, *slot);
        }
        if memory > max
            && let Some(slot) = areas.values().next()
        {
            let [needed, limit] = [memory, max].map(|bytes| LimitKind::Memory.amount(bytes));
            return Err((*slot, format!("with it the run takes {needed}, and its limit is {limit}")));
        }
        if let Some(slot) = self.referred_to(program, &areas, from) {
            return Err((slot, "what is done next was given its text already".to_owned()));
        }
        again.range = from..again.range.end.max(self.pc);
        Ok(Fitting { set, memory, from, again: Some(Box::new(again)) })
    }

    /// Sets them.
    pub fn set_variables(&mut self, fitting: Fitting<'_>) {
        self.sorting = None;
        if !fitting.set.is_empty() || fitting.from != self.pc {
            self.searching = None;
        }
        for SetVariable { slot, value } in fitting.set {
            match value {
                VariableValue::Scalar(n) => self.set_scalar(*slot, *n),
                VariableValue::Text(text) => {
                    let number = Ref(self.slots[*slot as usize]).area();
                    let Some(area) = self.areas.list.get_mut(number) else { continue };
                    area.bytes.clear();
                    area.bytes.extend_from_slice(text);
                    self.slots[*slot as usize] = whole(number, text.len());
                }
                VariableValue::List(words) => self.set_elements(*slot, words),
            }
        }
        (self.memory, self.pc) = (fitting.memory, fitting.from);
        self.again = fitting.again.or(self.again.take());
    }

    fn set_elements(&mut self, slot: u16, words: &[VariableValue]) {
        let number = Ref(self.slots[slot as usize]).area();
        let Some(area) = self.areas.list.get_mut(number) else { return };
        area.clear();
        for word in words {
            let word = match word {
                VariableValue::Scalar(n) => *n as u64,
                VariableValue::Text(text) => area.add_string(text).unwrap_or_default(),
                VariableValue::List(_) => 0,
            };
            area.words.push(word);
        }
        self.slots[slot as usize] = whole(number, 0);
        self.none_dead(number);
    }

    /// Calls that took effect and entries to loops: whoever comes to an instruction again has more of one of them.
    fn moment(&self, program: &Loaded) -> [u64; 2] {
        let entries = program.loops.iter().map(|l| self.slots[l.table.counter as usize]).sum();
        let (made, failed) = (self.counts().iter().sum::<u64>(), self.failed_calls.iter().sum::<u64>());
        [made - failed, entries]
    }

    /// The first instruction from which all can be done again up to where the run stopped.
    fn back_to(&self, program: &Loaded, again: &Again) -> u16 {
        let mut good = self.pc;
        if self.repeated > 0 {
            return good;
        }
        // Slots that are written behind, areas of texts and lists among them, and texts that are added to whose beginning is not
        // found yet.
        let (mut written, mut areas, mut begun) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut at = self.pc;
        // Some of it was done again, and some not yet.
        let floor = if again.range.contains(&self.pc) { again.range.start } else { 0 };
        // A charge is that of a block that begins there: who stopped behind it may have come there otherwise.
        while let Some(before) = at.checked_sub(1)
            && program.code[at as usize].charge == 0
            && at != floor
            && self.pc - at < BACK_MAX
        {
            let step = &program.code[before as usize];
            let Some(reads) = computed(step) else { break };
            let to = step.a;
            // A reference is read with what it refers to. Its word is the one that was read: it is not written behind.
            let is_changed = |slot: &u16| {
                let refers = program.slots[*slot as usize].text_max().is_some();
                *slot == to
                    || written.contains(slot)
                    || refers && areas.contains(&Ref(self.slots[*slot as usize]).area())
            };
            if again.set.contains(&to) || reads.iter().flatten().any(is_changed) {
                break;
            }
            written.insert(to);
            if program.slots[to as usize].owns_area() {
                areas.insert(Ref(self.slots[to as usize]).area());
            }
            match step.op {
                Op::Append => _ = begun.insert(to),
                Op::Set | Op::As | Op::Clear => _ = begun.remove(&to),
                _ => {}
            }
            at = before;
            if begun.is_empty() {
                good = at;
            }
        }
        good
    }

    /// The owner of a text that is read by a reference from there on, before that is written anew.
    fn referred_to(&self, program: &Loaded, areas: &BTreeMap<usize, u16>, from: u16) -> Option<u16> {
        if areas.is_empty() {
            return None;
        }
        let owner = |(slot, ty): (usize, &SlotType)| {
            let word = Ref(self.slots[slot]);
            let is_one = matches!(ty, SlotType::StrRef(_) | SlotType::BytesRef(_)) && !word.is_empty();
            is_one.then(|| areas.get(&word.area())).flatten().map(|owner| (slot as u16, *owner))
        };
        let mut left = LOOKED_AT_MAX;
        let mut references = program.slots.iter().enumerate().filter_map(owner);
        references.find(|(slot, _)| is_read(program, *slot, from, &mut left)).map(|(_, owner)| owner)
    }
}

/// The slots that an instruction reads, if it does nothing but to write slot `a`. A text that it adds to counts as begun elsewhere.
fn computed(step: &Step) -> Option<[Option<u16>; 2]> {
    Some(match step.op {
        Op::Load | Op::Lend | Op::Clear => [None, None],
        Op::Move
        | Op::AddI
        | Op::Neg
        | Op::Not
        | Op::Convert
        | Op::As
        | Op::Len
        | Op::Count
        | Op::Set
        | Op::Append => [Some(step.b), None],
        Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Div
        | Op::Rem
        | Op::Compare
        | Op::FloatArith
        | Op::FloatCompare
        | Op::CompareText
        | Op::TestText
        | Op::Tail
        | Op::Get => [Some(step.b), Some(step.c)],
        _ => return None,
    })
}

/// Whether a reference is read from an instruction on before it is written, or it takes too long to know.
fn is_read(program: &Loaded, slot: u16, from: u16, left: &mut usize) -> bool {
    let (mut seen, mut next) = (BTreeSet::from([from]), vec![from]);
    while let Some(at) = next.pop() {
        let Some(step) = program.code.get(at as usize) else { continue };
        if *left == 0 || reads_text(program, step, at, slot) {
            return true;
        }
        *left -= 1;
        if matches!(step.op, Op::Move | Op::Load | Op::Get | Op::Tail) && step.a == slot {
            continue;
        }
        let handler = program.handlers.binary_search_by_key(&at, |handler| handler.at);
        let targets = [
            (!matches!(step.op, Op::Jump | Op::End | Op::Fail)).then_some(at + 1),
            step.op.branches().then_some(step.c),
            handler.ok().map(|found| program.handlers[found].target),
        ];
        for target in targets.into_iter().flatten() {
            if seen.insert(target) {
                next.push(target);
            }
        }
    }
    false
}

/// Whether an instruction reads a reference.
fn reads_text(program: &Loaded, step: &Step, at: u16, slot: u16) -> bool {
    let is_among =
        |first: u16, count: usize| (first as usize..first as usize + count).contains(&(slot as usize));
    match step.op {
        Op::Fail => step.a == slot,
        Op::Move | Op::Set | Op::As | Op::Append | Op::Len | Op::Tail => step.b == slot,
        Op::CompareText | Op::TestText => step.b == slot || step.c == slot,
        Op::Put => step.c == slot,
        Op::Push => {
            let words = match program.slots.get(step.a as usize) {
                Some(SlotType::List(layout, _)) => program.layouts[*layout as usize].1,
                _ => 0,
            };
            is_among(step.b, words as usize)
        }
        Op::End => is_among(step.a, program.result_words.len()),
        Op::Call => {
            let layout = &program.ops[step.b as usize].operation.layout;
            let in_front = if step.flags & Step::APART == 0 { 0 } else { layout.inouts.len() };
            let (first, words) = (step.c - in_front as u16, in_front + layout.ins.len());
            let repeat = at.checked_sub(1).map(|before| program.code[before as usize]);
            match repeat.filter(|before| before.op == Op::Repeat) {
                // Blocks one behind the other.
                Some(Step { d: [low, high, stride, _], .. }) => {
                    let times = usize::from(low) | usize::from(high) << 16;
                    is_among(first, times.saturating_mul(usize::from(stride)) + words)
                }
                None => is_among(first, words),
            }
        }
        _ => false,
    }
}
