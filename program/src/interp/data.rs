//! Texts and lists. Each instruction charges one more for every 64 bytes or comparison before it acts; looking for a text in another costs
//! what [`search::find`] says once it is done.
//!
//! The texts of a list lie one behind the other in its area's bytes. A text that replaces another is added behind them,
//! so that references into the list last until the statement ends; the replaced one is dead. Dead bytes count as memory
//! until they are let go of.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering as Memory};

use carnet_portal::call::{Area, Ref};

use super::sorted::{Sorting, moved_at_once};
use super::{FaultKind, Machine, Stop, ending, interrupted, pieces, relation, whole};
use crate::bytecode::{Op, SlotType};
use crate::float::{Float, Precision};
use crate::limits::LimitKind;
use crate::packed;
use crate::search::{self, Searched};
use crate::tree::ArithOp;
use crate::verify::{AreaCap, Loaded, Step, sort_charge, test_charge};

/// Fewer bytes of replaced texts stay where they are.
const DEAD_MIN: u64 = 256;

/// Longer texts are copied in pieces, into memory that is new: what was there is kept until then.
const SET_AT_ONCE: usize = 4 * pieces::AT_ONCE;

/// What data instructions charge between two looks at the interrupt: 256 KiB of texts.
const LOOK_AFTER: u64 = 1 << 12;

type Done = Result<(), Stop>;

const INTERNAL: Stop = Stop::Fault(FaultKind::Internal);
const GONE: Stop = Stop::Fault(FaultKind::Reference);

impl Machine {
    /// Carries out a data instruction. `fuel` is left, and so much then.
    #[inline(never)]
    pub(super) fn data(
        &mut self,
        program: &Loaded,
        step: &Step,
        interrupt: &AtomicU32,
        mut fuel: i64,
    ) -> (Done, i64) {
        if self.unseen >= LOOK_AFTER {
            self.unseen = 0;
            if let Some(stop) = ending(interrupt) {
                return (Err(stop), fuel);
            }
        }
        let before = (fuel, self.memory);
        let done = match step.op {
            Op::Sort => self.sort(program, step, interrupt, &mut fuel),
            Op::TestText if step.flags > 1 => self.contains(step, interrupt, &mut fuel),
            _ => self.one(program, step, interrupt, &mut fuel),
        };
        let is_search = || step.op == Op::TestText && step.flags > 1;
        if matches!(done, Err(Stop::Cancelled | Stop::Deadline | Stop::Pause)) && !is_search() {
            // It is charged for when it goes on.
            (fuel, self.memory) = before;
        }
        self.unseen += before.0.abs_diff(fuel);
        (done, fuel)
    }

    fn one(&mut self, program: &Loaded, step: &Step, interrupt: &AtomicU32, fuel: &mut i64) -> Done {
        let Step { a, b, c, flags, .. } = *step;
        let look = || ending(interrupt).map_or(Ok(()), Err);
        match step.op {
            Op::Set if matches!(program.slots[a as usize], SlotType::List(..)) => {
                self.set_list(program, step, look, fuel)
            }
            Op::Set => self.set_text_slot(program, step, look, fuel),
            Op::As => self.read_as(program, step, look, fuel),
            Op::Append => self.append(program, step, look, fuel),
            Op::Clear => self.clear(a),
            Op::CompareText => {
                let len = self.text(b).len().min(self.text(c).len());
                self.charge(fuel, len as u64 / 64)?;
                let order = pieces::compare(self.text(b), self.text(c), look)?;
                self.slots[a as usize] = u64::from(relation(flags).holds(order));
                Ok(())
            }
            Op::TestText => {
                let lengths = (self.text(b).len() as u64, self.text(c).len() as u64);
                self.charge(fuel, test_charge(flags, lengths.0, lengths.1))?;
                let (text, part) = (self.text(b), self.text(c));
                let there = match text.len().checked_sub(part.len()) {
                    None => None,
                    Some(_) if flags == 0 => text.get(..part.len()),
                    Some(from) => text.get(from..),
                };
                let holds = match there {
                    Some(there) => pieces::compare(there, part, look)?.is_eq(),
                    None => false,
                };
                self.slots[a as usize] = u64::from(holds);
                Ok(())
            }
            Op::Len => {
                self.slots[a as usize] = Ref(self.slots[b as usize]).len() as u64;
                Ok(())
            }
            Op::Count => {
                let (area, stride, _) = self.list(program, b)?;
                self.slots[a as usize] = (area.words.len() / stride) as u64;
                Ok(())
            }
            Op::Get => self.get(program, a, b, c, step.imm()),
            Op::Put => self.put(program, step, look, fuel),
            Op::Push => self.push(program, step, look, fuel),
            Op::Tail => self.tail(step, fuel),
            Op::MoveStrided => self.move_strided(step, fuel),
            Op::FloatArith | Op::FloatCompare | Op::Convert => {
                self.slots[a as usize] = self.computed(step);
                Ok(())
            }
            _ => self.of_portals(program, step),
        }
    }

    /// Whether a text is in another. It gives way as often as a loop does, and then goes on where it was, as it does after each stop. It has
    /// paid for what it did then.
    fn contains(&mut self, step: &Step, interrupt: &AtomicU32, fuel: &mut i64) -> Done {
        let Step { a, b, c, .. } = *step;
        let mut under_way = self.searching.take();
        let goes_on = || interrupt.load(Memory::Relaxed) == 0;
        let beyond = i64::try_from(self.beyond).unwrap_or(i64::MAX);
        let left = u64::try_from(beyond.saturating_add(*fuel)).unwrap_or(0);
        let searched = search::find(&mut under_way, (self.text(b), self.text(c)), left, goes_on);
        let found = match searched {
            Searched::Found(found) => found,
            Searched::Beyond => {
                *fuel -= left as i64;
                (self.beyond, self.searching) = (0, under_way);
                return Err(Stop::Limit(LimitKind::Instructions));
            }
            Searched::GaveWay(owes) => {
                // Now: it may be that it never goes on.
                let paid = owes.min(left);
                *fuel -= paid as i64;
                under_way.iter_mut().for_each(|search| search.pays(paid));
                self.searching = under_way;
                return Err(interrupted(interrupt));
            }
        };
        self.charge(fuel, found.cost)?;
        self.slots[a as usize] = u64::from(found.holds);
        Ok(())
    }

    /// Charges `extra` before the instruction acts. It cannot be done in parts, so it may take from what the run has
    /// left behind the present slice; the slice is then over at the next block.
    fn charge(&mut self, fuel: &mut i64, extra: u64) -> Done {
        let extra = i64::try_from(extra).unwrap_or(i64::MAX);
        let beyond = i64::try_from(self.beyond).unwrap_or(i64::MAX);
        if fuel.saturating_add(beyond) < extra {
            // No slice behind this one has room for it, either.
            (self.beyond, self.needs) = (0, extra.cast_unsigned());
            return Err(Stop::Limit(LimitKind::Instructions));
        }
        *fuel -= extra;
        Ok(())
    }

    /// What comes of an instruction on floats.
    fn computed(&self, step: &Step) -> u64 {
        let precision = |double: u8| match step.flags & double {
            0 => Precision::Single,
            _ => Precision::Double,
        };
        let float = |slot: u16, precision| Float { precision, word: self.slots[slot as usize] };
        match step.op {
            Op::FloatArith => {
                let of = precision(4);
                let op =
                    [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div][usize::from(step.flags & 3)];
                float(step.b, of).arith(op, float(step.c, of)).word
            }
            Op::FloatCompare => {
                let of = precision(8);
                float(step.b, of).compares(relation(step.flags & 7), float(step.c, of)).into()
            }
            _ => {
                let to = precision(2);
                match step.flags & 1 {
                    0 => to.of_int(self.slots[step.b as usize].cast_signed()).word,
                    _ => float(step.b, to.other()).to(to).word,
                }
            }
        }
    }

    fn number(&self, slot: u16) -> usize {
        Ref(self.slots[slot as usize]).area()
    }

    /// The area of a text or list that is changed. A process beside the object may have said anything of it.
    pub(super) fn own(&self, slot: u16) -> Result<usize, Stop> {
        let number = self.number(slot);
        if number < self.areas.list.len() { Ok(number) } else { Err(INTERNAL) }
    }

    /// Area, words per element, and capacity of a list.
    fn list(&self, program: &Loaded, slot: u16) -> Result<(&Area, usize, AreaCap), Stop> {
        let number = self.number(slot);
        let (Some(area), Some(cap)) = (self.areas.list.get(number), program.areas.get(number)) else {
            return Err(INTERNAL);
        };
        let (_, stride) = *program.layouts.get(cap.layout as usize).ok_or(INTERNAL)?;
        Ok((area, stride as usize, *cap))
    }

    /// Takes memory for `bytes` more.
    pub(super) fn grow(&mut self, bytes: u64) -> Done {
        if self.memory + bytes > self.budget.memory_max {
            return Err(Stop::Limit(LimitKind::Memory));
        }
        self.memory += bytes;
        Ok(())
    }

    fn clear(&mut self, slot: u16) -> Done {
        let number = self.own(slot)?;
        let area = &mut self.areas.list[number];
        self.memory -= size(area);
        area.clear();
        self.slots[slot as usize] = whole(number, 0);
        self.none_dead(number);
        Ok(())
    }

    fn set_text_slot(
        &mut self,
        program: &Loaded,
        step: &Step,
        look: impl Fn() -> Done,
        fuel: &mut i64,
    ) -> Done {
        let (to, from) = (self.own(step.a)?, Ref(self.slots[step.b as usize]));
        self.charge(fuel, from.len() as u64 / 64)?;
        if from.len() > program.areas[to].max as usize {
            return Err(Stop::Fault(FaultKind::TextTooLong));
        }
        let old = self.areas.list[to].bytes.len() as u64;
        self.grow((from.len() as u64).saturating_sub(old))?;
        self.memory -= old.saturating_sub(from.len() as u64);
        if from.len() > SET_AT_ONCE {
            // What was there stays until the copy is whole: it may be the result so far, or what is copied.
            let source = self.areas.list.get(from.area()).ok_or(INTERNAL)?;
            let text = source.bytes.get(from.offset()..from.offset() + from.len()).ok_or(GONE)?;
            let mut copy = Vec::new();
            pieces::append(&mut copy, text, look)?;
            self.areas.list[to].bytes = copy;
        } else if from.area() == to {
            // A part of the variable itself: moved within it.
            let bytes = &mut self.areas.list[to].bytes;
            let range = from.offset()..from.offset() + from.len();
            if range.end > bytes.len() {
                return Err(GONE);
            }
            bytes.copy_within(range, 0);
            bytes.truncate(from.len());
        } else {
            let [to, source] = self.areas.list.get_disjoint_mut([to, from.area()]).map_err(|_| INTERNAL)?;
            let text = source.bytes.get(from.offset()..from.offset() + from.len()).ok_or(GONE)?;
            to.bytes.clear();
            to.bytes.extend_from_slice(text);
        }
        self.slots[step.a as usize] = whole(to, from.len());
        Ok(())
    }

    /// What is left of a text behind its first bytes.
    fn tail(&mut self, step: &Step, fuel: &mut i64) -> Done {
        let text = Ref(self.slots[step.b as usize]);
        let at = usize::try_from(self.slots[step.c as usize].cast_signed());
        let Some(left) = at.ok().and_then(|at| text.len().checked_sub(at)) else {
            return Err(Stop::Fault(FaultKind::Cut));
        };
        self.charge(fuel, left as u64 / 64)?;
        let tail = Ref::new(text.area(), text.offset() + text.len() - left, left).ok_or(GONE)?;
        self.slots[step.a as usize] = tail.0;
        Ok(())
    }

    /// A word of a union as what an arm has there. Of scalars the immediate is the greatest word that fits.
    fn read_as(&mut self, program: &Loaded, step: &Step, look: impl Fn() -> Done, fuel: &mut i64) -> Done {
        let Step { a, b, .. } = *step;
        match program.slots[a as usize] {
            SlotType::List(layout, max) => self.unpack(program, (a, b), (layout, max), look, fuel),
            SlotType::Bytes(max) if matches!(program.slots[b as usize], SlotType::List(..)) => {
                self.pack(program, (a, b), max, look, fuel)
            }
            SlotType::Str(_) if pieces::has_nul(self.text(b), &look)? => Err(Stop::Fault(FaultKind::Arm)),
            SlotType::Str(_) | SlotType::Bytes(_) => self.set_text_slot(program, step, look, fuel),
            _ if self.slots[b as usize] > step.imm() => Err(Stop::Fault(FaultKind::Arm)),
            _ => {
                self.slots[a as usize] = self.slots[b as usize];
                Ok(())
            }
        }
    }

    /// The list that bytes are, into a list.
    fn unpack(
        &mut self,
        program: &Loaded,
        (a, b): (u16, u16),
        (layout, max): (u16, u32),
        look: impl Fn() -> Done,
        fuel: &mut i64,
    ) -> Done {
        self.charge(fuel, self.text(b).len() as u64 / 64)?;
        let (first, stride) = program.layouts[layout as usize];
        let (first, stride) = (first as usize, stride as usize);
        let types = &program.layout_words[first..first + stride];
        let is_text = |k: usize| types[k % stride].text_max().is_some();
        let list = packed::opened_while(self.text(b), stride, is_text, &look)?;
        let list = list.ok_or(Stop::Fault(FaultKind::Arm))?;
        let mut since = 0;
        for (k, word) in list.words.iter().enumerate() {
            if since >= pieces::AT_ONCE {
                since = 0;
                look()?;
            }
            since += 8 + if is_text(k) { Ref(*word).len() } else { 0 };
            if !holds(program, types[k % stride], *word, &list, &look)? {
                return Err(Stop::Fault(FaultKind::Arm));
            }
        }
        if list.words.len() / stride > max as usize {
            return Err(Stop::Fault(FaultKind::ListFull));
        }
        let number = self.own(a)?;
        let (old, new) = (size(&self.areas.list[number]), size(&list));
        self.grow(new.saturating_sub(old))?;
        self.memory -= old.saturating_sub(new);
        self.areas.list[number] = list;
        self.slots[a as usize] = whole(number, 0);
        self.none_dead(number);
        Ok(())
    }

    /// The bytes that a list is, into bytes.
    fn pack(
        &mut self,
        program: &Loaded,
        (a, b): (u16, u16),
        max: u32,
        look: impl Fn() -> Done,
        fuel: &mut i64,
    ) -> Done {
        let to = self.own(a)?;
        let (list, stride, cap) = self.list(program, b)?;
        let is_text = texts(program, cap, stride);
        let live = pieces::text_bytes(list, &is_text, &look)?;
        let len = 8 + 8 * list.words.len() + live;
        if len > max as usize {
            return Err(Stop::Fault(FaultKind::ListTooLong));
        }
        self.charge(fuel, len as u64 / 64)?;
        let old = self.areas.list[to].bytes.len() as u64;
        self.grow((len as u64).saturating_sub(old))?;
        self.memory -= old.saturating_sub(len as u64);
        let (list, ..) = self.list(program, b)?;
        let copy = pieces::copied(list, live, is_text, &look)?;
        self.areas.list[to].bytes = packed::closed_while(&copy, stride, look)?;
        self.slots[a as usize] = whole(to, len);
        Ok(())
    }

    fn append(&mut self, program: &Loaded, step: &Step, look: impl Fn() -> Done, fuel: &mut i64) -> Done {
        let (to, from) = (self.own(step.a)?, Ref(self.slots[step.b as usize]));
        self.charge(fuel, from.len() as u64 / 64)?;
        let len = self.areas.list[to].bytes.len() + from.len();
        if len > program.areas[to].max as usize {
            return Err(Stop::Fault(FaultKind::TextTooLong));
        }
        self.grow(from.len() as u64)?;
        let range = from.offset()..from.offset() + from.len();
        if from.area() == to {
            let bytes = &mut self.areas.list[to].bytes;
            if range.end > bytes.len() {
                return Err(GONE);
            }
            pieces::append_within(bytes, range, look)?;
        } else {
            let [to, source] = self.areas.list.get_disjoint_mut([to, from.area()]).map_err(|_| INTERNAL)?;
            pieces::append(&mut to.bytes, source.bytes.get(range).ok_or(GONE)?, look)?;
        }
        self.slots[step.a as usize] = whole(to, len);
        Ok(())
    }

    fn set_list(&mut self, program: &Loaded, step: &Step, look: impl Fn() -> Done, fuel: &mut i64) -> Done {
        let (to, from) = (self.own(step.a)?, self.number(step.b));
        let (source, stride, cap) = self.list(program, step.b)?;
        let is_text = texts(program, cap, stride);
        // Texts that were replaced may still lie in the list's bytes: they are neither charged nor copied.
        let live = pieces::text_bytes(source, &is_text, &look)?;
        let (bytes, count) = ((live + 8 * source.words.len()) as u64, source.words.len() / stride);
        self.charge(fuel, bytes / 64)?;
        if count > program.areas[to].max as usize {
            return Err(Stop::Fault(FaultKind::ListFull));
        }
        if to == from {
            return Ok(());
        }
        let old = size(&self.areas.list[to]);
        self.grow(bytes.saturating_sub(old))?;
        self.memory -= old.saturating_sub(bytes);
        let [to, source] = self.areas.list.get_disjoint_mut([to, from]).map_err(|_| INTERNAL)?;
        if bytes <= pieces::AT_ONCE as u64 {
            to.clear();
            to.bytes.reserve(live);
            copy_words(to, source, 0..source.words.len(), &is_text)?;
        } else {
            // What was there stays until the copy is whole: it may be the result so far.
            *to = pieces::copied(source, live, &is_text, look)?;
        }
        self.none_dead(self.number(step.a));
        Ok(())
    }

    /// Copies scalars one after the other, so that a copy onto itself is defined too.
    fn move_strided(&mut self, step: &Step, fuel: &mut i64) -> Done {
        let [low, high, from_step, to_step] = step.d;
        let count = u32::from(low) | u32::from(high) << 16;
        self.charge(fuel, u64::from(count))?;
        let (mut from, mut to) = (step.b, step.a);
        for _ in 0..count {
            self.slots[to as usize] = self.slots[from as usize];
            from = from.wrapping_add(from_step);
            to = to.wrapping_add(to_step);
        }
        Ok(())
    }

    /// Index of a word of an element, checked.
    fn at(&self, program: &Loaded, list: u16, index: u64, word: u64) -> Result<usize, Stop> {
        let (area, stride, _) = self.list(program, list)?;
        let count = (area.words.len() / stride) as u64;
        if index >= count {
            return Err(Stop::Fault(FaultKind::Index));
        }
        Ok(index as usize * stride + word as usize)
    }

    fn get(&mut self, program: &Loaded, a: u16, list: u16, index: u16, word: u64) -> Done {
        let at = self.at(program, list, self.slots[index as usize], word)?;
        let number = self.number(list);
        let value = self.areas.list[number].words[at];
        let is_text = program.slots[a as usize].text_max().is_some();
        self.slots[a as usize] = if is_text {
            let r = Ref(value);
            Ref::new(number, r.offset(), r.len()).ok_or(INTERNAL)?.0
        } else {
            value
        };
        Ok(())
    }

    /// The word of a list element for the value in a slot; texts are added to the list's bytes.
    fn element_word(
        &mut self,
        to: usize,
        ty: SlotType,
        slot: usize,
        look: impl Fn() -> Done,
    ) -> Result<u64, Stop> {
        let Some(max) = ty.text_max() else { return Ok(self.slots[slot]) };
        let from = Ref(self.slots[slot]);
        if from.len() > max as usize {
            return Err(Stop::Fault(FaultKind::TextTooLong));
        }
        self.grow(from.len() as u64)?;
        let range = from.offset()..from.offset() + from.len();
        let offset = self.areas.list[to].bytes.len();
        if from.area() == to {
            let bytes = &mut self.areas.list[to].bytes;
            if range.end > bytes.len() {
                return Err(GONE);
            }
            pieces::append_within(bytes, range, look)?;
        } else {
            let [to, source] = self.areas.list.get_disjoint_mut([to, from.area()]).map_err(|_| INTERNAL)?;
            pieces::append(&mut to.bytes, source.bytes.get(range).ok_or(GONE)?, look)?;
        }
        Ref::new(0, offset, from.len()).map(|r| r.0).ok_or(Stop::Limit(LimitKind::Memory))
    }

    fn put(&mut self, program: &Loaded, step: &Step, look: impl Fn() -> Done, fuel: &mut i64) -> Done {
        let at = self.at(program, step.a, self.slots[step.b as usize], step.imm())?;
        let (_, _, cap) = self.list(program, step.a)?;
        let (first, _) = program.layouts[cap.layout as usize];
        let ty = program.layout_words[first as usize + step.imm() as usize];
        if ty.text_max().is_some() {
            self.charge(fuel, Ref(self.slots[step.c as usize]).len() as u64 / 64)?;
        }
        let to = self.number(step.a);
        let before = self.areas.list[to].bytes.len();
        let word = self.element_word(to, ty, step.c as usize, &look)?;
        let old = std::mem::replace(&mut self.areas.list[to].words[at], word);
        if ty.text_max().is_some() {
            self.died(to, Ref(old).len());
        }
        let next = program.code.get(self.pc as usize + 1);
        if !next.is_some_and(|next| next.op == Op::Put && next.a == step.a) {
            let done = self.compact(program, step.a, look);
            if matches!(done, Err(Stop::Cancelled | Stop::Deadline)) {
                // As if it had not begun.
                self.areas.list[to].words[at] = old;
                self.areas.list[to].bytes.truncate(before);
                if ty.text_max().is_some() {
                    self.dead[to] -= Ref(old).len() as u64;
                }
            }
            return done;
        }
        Ok(())
    }

    /// A text of this area was replaced. Nothing is kept of programs that replace none.
    fn died(&mut self, number: usize, bytes: usize) {
        if self.dead.len() <= number {
            self.dead.resize(number + 1, 0);
        }
        self.dead[number] += bytes as u64;
    }

    pub(super) fn none_dead(&mut self, number: usize) {
        if let Some(dead) = self.dead.get_mut(number) {
            *dead = 0;
        }
    }

    /// Lets go of replaced texts as soon as they are more than half of what a list holds. What is moved for that is
    /// less than what died since the last time, each byte of which was charged when it was written. Behind the last
    /// `put` of a statement no reference into the list is used any more.
    fn compact(&mut self, program: &Loaded, list: u16, look: impl Fn() -> Done) -> Done {
        let number = self.number(list);
        let dead = self.dead.get(number).copied().unwrap_or(0);
        let (area, stride, cap) = self.list(program, list)?;
        let before = size(area);
        if dead < DEAD_MIN || 2 * dead <= before {
            return Ok(());
        }
        let is_text = texts(program, cap, stride);
        if before > pieces::AT_ONCE as u64 {
            let live = pieces::text_bytes(area, &is_text, &look)?;
            // Texts may lie over each other, as a service sent them: then they stay as they are.
            if live < area.bytes.len() {
                let copy = pieces::copied(area, live, is_text, look)?;
                if copy.bytes.len() != live {
                    return Err(INTERNAL);
                }
                self.areas.list[number] = copy;
            }
        } else {
            self.areas.list[number].pack(is_text).ok_or(INTERNAL)?;
        }
        self.none_dead(number);
        self.memory -= before - size(&self.areas.list[number]);
        Ok(())
    }

    fn push(&mut self, program: &Loaded, step: &Step, look: impl Fn() -> Done, fuel: &mut i64) -> Done {
        let (area, stride, cap) = self.list(program, step.a)?;
        let full = area.words.len() / stride >= cap.max as usize;
        let (first, _) = program.layouts[cap.layout as usize];
        let types = &program.layout_words[first as usize..first as usize + stride];
        let texts = types.iter().enumerate().filter(|(_, ty)| ty.text_max().is_some());
        let bytes: u64 = texts.map(|(k, _)| Ref(self.slots[step.b as usize + k]).len() as u64).sum();
        self.charge(fuel, bytes / 64)?;
        if full {
            return Err(Stop::Fault(FaultKind::ListFull));
        }
        let memory = self.memory;
        self.grow(8 * stride as u64)?;
        let to = self.number(step.a);
        let (words, bytes) = (self.areas.list[to].words.len(), self.areas.list[to].bytes.len());
        for (k, ty) in types.iter().enumerate() {
            match self.element_word(to, *ty, step.b as usize + k, &look) {
                Ok(word) => self.areas.list[to].words.push(word),
                Err(stop) => {
                    // The list may be the result so far: it holds whole elements only.
                    self.areas.list[to].words.truncate(words);
                    self.areas.list[to].bytes.truncate(bytes);
                    self.memory = memory;
                    return Err(stop);
                }
            }
        }
        Ok(())
    }

    fn sort(&mut self, program: &Loaded, step: &Step, interrupt: &AtomicU32, fuel: &mut i64) -> Done {
        let (area, stride, cap) = self.list(program, step.a)?;
        let count = area.words.len() / stride;
        let (first, _) = program.layouts[cap.layout as usize];
        let word = step.imm() as usize;
        let ty = program.layout_words[first as usize + word];
        let each = 1 + u64::from(ty.text_max().unwrap_or(0)) / 64;
        let extra = sort_charge(count as u64) * each;
        self.charge(fuel, extra)?;
        let begun = self.sorting.take();
        let (area, ..) = self.list(program, step.a)?;
        // Its own memory beside the list: two orders, and the words in their new order.
        let scratch = 8 * count as u64 + 8 * area.words.len() as u64;
        if self.memory + scratch > self.budget.memory_max {
            return Err(Stop::Limit(LimitKind::Memory));
        }
        let key = |k: u32| area.words[k as usize * stride + word];
        let compare = |a: &u32, b: &u32| -> Ordering {
            let (a, b) = (key(*a), key(*b));
            if ty.text_max().is_some() {
                area.string(a).cmp(area.string(b))
            } else {
                (a as i64).cmp(&(b as i64))
            }
        };
        let goes_on = || interrupt.load(Memory::Relaxed) == 0;
        let mut sorted = begun.unwrap_or_else(|| {
            let words = Vec::with_capacity(area.words.len());
            Box::new(Sorted { sorting: Sorting::new(count as u32, each), words })
        });
        let Sorted { sorting, words } = &mut *sorted;
        let is_done = sorting
            .advance(compare, goes_on)
            .is_some_and(|order| put_in_order(order, &area.words, stride, words, goes_on));
        if !is_done {
            let stop = interrupted(interrupt);
            self.sorting = matches!(stop, Stop::Pause).then_some(sorted);
            return Err(stop);
        }
        let to = self.number(step.a);
        self.areas.list[to].words = std::mem::take(words);
        Ok(())
    }
}

/// A list that is being sorted.
#[derive(Debug)]
pub(super) struct Sorted {
    sorting: Sorting,
    /// Its first words in their new order.
    words: Vec<u64>,
}

/// Goes on with the words of elements in their order: a piece, and another as long as it `goes_on`; whether all are there.
fn put_in_order(
    order: &[u32],
    from: &[u64],
    stride: usize,
    to: &mut Vec<u64>,
    goes_on: impl Fn() -> bool,
) -> bool {
    let done = to.len() / stride;
    for (n, piece) in order[done..].chunks(moved_at_once(stride)).enumerate() {
        if n > 0 && !goes_on() {
            return false;
        }
        for k in piece {
            let at = *k as usize * stride;
            to.extend_from_slice(&from[at..at + stride]);
        }
    }
    true
}

/// Copies some words of a list behind those of another, with what they refer to.
pub(super) fn copy_words(
    to: &mut Area,
    from: &Area,
    words: Range<usize>,
    is_text: impl Fn(usize) -> bool,
) -> Done {
    for k in words {
        let word = from.words[k];
        let copy = if is_text(k) { to.add_string(from.string(word)).ok_or(INTERNAL)? } else { word };
        to.words.push(copy);
    }
    Ok(())
}

/// Which words of a list's area refer to texts in it.
pub(super) fn texts(program: &Loaded, cap: AreaCap, stride: usize) -> impl Fn(usize) -> bool {
    let (first, _) = program.layouts[cap.layout as usize];
    move |k| program.layout_words[first as usize + k % stride].text_max().is_some()
}

/// Whether a word of a list that was bytes is what its type holds.
///
/// # Errors
/// Those of `look`.
fn holds(
    program: &Loaded,
    ty: SlotType,
    word: u64,
    list: &Area,
    look: impl Fn() -> Done,
) -> Result<bool, Stop> {
    Ok(match ty {
        SlotType::Bool => word <= 1,
        SlotType::Enum(x) => program.enum_values.get(x as usize).is_some_and(|values| word < *values),
        SlotType::Float(precision) => precision.holds(word),
        SlotType::StrRef(max) => {
            Ref(word).len() <= max as usize && !pieces::has_nul(list.string(word), look)?
        }
        SlotType::BytesRef(max) => Ref(word).len() <= max as usize,
        _ => true,
    })
}

/// Bytes that an area holds.
pub(super) fn size(area: &Area) -> u64 {
    area.bytes.len() as u64 + 8 * area.words.len() as u64
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// However many there are: no more elements between two looks than is meant, and each of them once.
    #[test]
    fn elements_are_put_in_order_in_pieces() {
        for stride in [1, 2, 40] {
            let count = 100_000 / stride;
            let from: Vec<u64> = (0..(count * stride) as u64).collect();
            let order: Vec<u32> = (0..count as u32).rev().collect();
            let wanted: Vec<u64> =
                order.iter().flat_map(|k| from[*k as usize * stride..][..stride].iter().copied()).collect();
            let looks = Cell::new(0);
            let goes_on = || {
                looks.set(looks.get() + 1);
                true
            };
            let mut words = Vec::new();
            assert!(put_in_order(&order, &from, stride, &mut words, goes_on));
            assert_eq!(words, wanted);
            assert_eq!(looks.get(), count.div_ceil(moved_at_once(stride)) - 1);
            // It gives way each time, and goes on where it was.
            let (mut words, mut done) = (Vec::new(), 0);
            while !put_in_order(&order, &from, stride, &mut words, || false) {
                assert_eq!(words.len() - done, moved_at_once(stride) * stride);
                done = words.len();
            }
            assert_eq!(words, wanted);
        }
    }
}
