//! Calls with inouts that are more than scalars.
//!
//! ```text
//! slots:   sent: inouts │ ins │ inouts │ outs         c of the step is the first of the ins
//!               └── copied, before the call ──▲       the block of the call begins there
//! ```
//! The service changes the copy, in areas of the block's own. What was sent stays as it is: a call that is made again, since it failed or
//! was put off, sends the same, and whoever looks finds it.

use carnet_idl::descriptor::Word;
use carnet_portal::call::{Area, Ref};

use super::data::{copy_words, size, texts};
use super::{FaultKind, Machine, Stop, owns, whole};
use crate::limits::LimitKind;
use crate::verify::{BoundOp, Loaded, Step};

/// The slots from which the inouts of a call are sent.
fn sent_from(op: &BoundOp, step: &Step) -> usize {
    usize::from(step.c).saturating_sub(op.operation.layout.inouts.len())
}

/// Where they come back.
fn back_at(op: &BoundOp, step: &Step) -> usize {
    usize::from(step.c) + op.operation.layout.ins.len()
}

impl Machine {
    /// Puts what is sent into the block. Nothing of the call has happened if it stops.
    #[cold]
    pub(super) fn send_apart(&mut self, program: &Loaded, op: &BoundOp, step: &Step) -> Result<(), Stop> {
        let (from, to) = (sent_from(op, step), back_at(op, step));
        for (k, word) in op.operation.layout.inouts.iter().enumerate() {
            match word {
                Word::List { max, .. } => self.send_list(program, from + k, to + k, *max)?,
                word if owns(word) => self.send_text(from + k, to + k)?,
                _ => self.slots[to + k] = self.slots[from + k],
            }
        }
        Ok(())
    }

    /// All of it, also of one that is longer than the operation takes: the service says how long it is.
    fn send_text(&mut self, from: usize, to: usize) -> Result<(), Stop> {
        let (number, r) = (Ref(self.slots[to]).area(), Ref(self.slots[from]));
        self.refill(number, |machine, to| {
            let source = machine.areas.list.get(r.area());
            let text = source.and_then(|area| area.bytes.get(r.offset()..r.offset() + r.len()));
            // A reference to what the call itself changes. No compiled program has one.
            let text = text.ok_or(Stop::Fault(FaultKind::Reference))?;
            machine.has_room_for(text.len() as u64, to)?;
            to.clear();
            to.bytes.extend_from_slice(text);
            Ok(())
        })?;
        self.slots[to] = whole(number, r.len());
        Ok(())
    }

    /// Of a list that is longer than the operation takes, one element more is enough for the service to say so.
    fn send_list(&mut self, program: &Loaded, from: usize, to: usize, max: u32) -> Result<(), Stop> {
        let (number, from) = (Ref(self.slots[to]).area(), Ref(self.slots[from]).area());
        if number == from {
            return Ok(());
        }
        self.refill(number, |machine, to| {
            let (Some(cap), Some(source)) = (program.areas.get(from), machine.areas.list.get(from)) else {
                return Err(Stop::Fault(FaultKind::Internal));
            };
            // A reference that was never set is to the literals, which are no list.
            let Some((_, stride)) = program.layouts.get(usize::from(cap.layout)) else {
                to.clear();
                return Ok(());
            };
            let stride = usize::from(*stride);
            let words = source.words.len().min((max as usize + 1).saturating_mul(stride));
            let is_text = texts(program, *cap, stride);
            let of_texts = (0..words).filter(|k| is_text(*k)).map(|k| Ref(source.words[k]).len());
            machine.has_room_for((of_texts.sum::<usize>() + 8 * words) as u64, to)?;
            to.clear();
            copy_words(to, source, 0..words, is_text)
        })?;
        self.slots[to] = whole(number, 0);
        Ok(())
    }

    /// Fills an area anew from others; as it was if it stops.
    fn refill(
        &mut self,
        number: usize,
        fill: impl FnOnce(&Machine, &mut Area) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut area = std::mem::take(&mut self.areas.list[number]);
        let before = size(&area);
        let filled = fill(self, &mut area);
        self.memory = self.memory - before + size(&area);
        self.areas.list[number] = area;
        filled
    }

    /// Whether the run may hold so many bytes in place of what an area holds.
    fn has_room_for(&self, bytes: u64, instead_of: &Area) -> Result<(), Stop> {
        let fits = self.memory - size(instead_of) + bytes <= self.budget.memory_max;
        if fits { Ok(()) } else { Err(Stop::Limit(LimitKind::Memory)) }
    }

    /// What comes back in a dry run, beside texts and lists, which are empty.
    #[cold]
    pub(super) fn pretend_apart(&mut self, op: &BoundOp, step: &Step) {
        let (from, to) = (sent_from(op, step), back_at(op, step));
        for (k, word) in op.operation.layout.inouts.iter().enumerate() {
            match word {
                Word::Portal(interface) => self.pretend_portal(op, *interface, to + k),
                word if owns(word) => {}
                _ => self.slots[to + k] = self.slots[from + k],
            }
        }
    }

    /// Whether a portal among them is one that a dry run only pretends to have.
    #[cold]
    pub(super) fn hands_over_pretended_apart(&self, op: &BoundOp, step: &Step) -> bool {
        let mut words = op.operation.layout.inouts.iter().zip(sent_from(op, step)..);
        words.any(|(word, slot)| self.is_pretended(word, slot))
    }

    /// The words that a call sends, those of inouts behind the others.
    pub(crate) fn request(&self, op: &BoundOp, step: &Step) -> Vec<u64> {
        let layout = &op.operation.layout;
        let is_apart = step.flags & Step::APART != 0;
        let inouts = if is_apart { sent_from(op, step) } else { back_at(op, step) };
        let words = |first: usize, count: usize| self.slots.iter().skip(first).take(count).copied();
        words(usize::from(step.c), layout.ins.len()).chain(words(inouts, layout.inouts.len())).collect()
    }
}
