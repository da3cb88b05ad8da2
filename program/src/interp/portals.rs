//! Lists of portals: registers one behind the other, and a slot that says how many of them count.
//!
//! ```text
//! registers:  r   r+1 r+2 … r+most-1        the portals; those behind the last that counts hold nothing, or what is of no use
//! slot:       count
//! list:       numbers, for a call alone: of registers on the way there, of what the call made on the way back
//! ```
//! A list of structs with portals lies in its area as any list does, and each word of its elements that is a portal has such registers
//! ([why](../../../docs/decisions/0062-lists-of-structs-with-portals.md)): what is not a portal is read of the list.
//!
//! No instruction of the others reads or writes such numbers, so that a program has portals that it was given, and no others.

use carnet_portal::capability::Capability;
use carnet_portal::panics::drop_quietly;

use super::data::size;
use super::{FaultKind, Machine, Stop, whole};
use crate::bytecode::{Op, SlotType};
use crate::verify::{Loaded, Step};

type Done = Result<(), Stop>;

impl Machine {
    /// Carries out an instruction on a list of portals. Those that reach all its registers were charged for each with their block.
    #[cold]
    #[inline(never)]
    pub(super) fn of_portals(&mut self, program: &Loaded, step: &Step) -> Done {
        let Step { a, b, c, d, .. } = *step;
        match step.op {
            Op::TakeAll => self.take_all(program, step),
            Op::LendAll => self.lend_all(program, step),
            Op::Pick => {
                let at = self.element(c, d[0].min(self.counted(d[1])));
                let at = at.ok_or(Stop::Fault(FaultKind::Index))?;
                self.hold(a, self.portals[usize::from(b + at)].clone());
                Ok(())
            }
            Op::Keep => {
                let at = self.element(c, d[0]).ok_or(Stop::Fault(FaultKind::ListFull))?;
                self.hold(a + at, self.portals[usize::from(b)].clone());
                Ok(())
            }
            Op::DropAll => {
                (0..d[0]).rev().for_each(|k| self.hold(a + k, None));
                Ok(())
            }
            _ => Err(Stop::Fault(FaultKind::Internal)),
        }
    }

    /// How many elements a slot says that there are.
    fn counted(&self, slot: u16) -> u16 {
        u16::try_from(self.slots[usize::from(slot)].cast_signed().max(0)).unwrap_or(u16::MAX)
    }

    /// The number in a slot, if it is less than so much.
    fn element(&self, slot: u16, most: u16) -> Option<u16> {
        u16::try_from(self.slots[usize::from(slot)].cast_signed()).ok().filter(|at| *at < most)
    }

    /// What the last call made goes into registers. Of each that a list names twice there are two copies.
    fn take_all(&mut self, program: &Loaded, step: &Step) -> Done {
        let number = self.own(step.b)?;
        let most = step.reaches();
        let elements = self.areas.list[number].words.chunks_exact(words_of(program, step.b));
        let words = elements.filter_map(|element| element.get(usize::from(step.d[2])));
        let named: Vec<u64> = words.take(most.into()).copied().collect();
        let (module, id) = program.registers[usize::from(step.a)];
        let wanted = module.interfaces[id.index()].hash;
        for k in 0..most {
            let at = named.get(usize::from(k)).and_then(|word| usize::try_from(*word).ok());
            let object = at.and_then(|at| self.made.get(at)).cloned();
            let object = object.filter(|object| {
                let (found, id) = object.interface();
                found.interfaces[id.index()].hash == wanted
            });
            let portal = object.map(|object| Capability::under(object, &self.made_under));
            self.hold(step.a + k, portal);
        }
        self.slots[usize::from(step.c)] = named.len() as u64;
        if step.d[0] == 0 {
            self.made.drain(..).for_each(drop_quietly);
        }
        Ok(())
    }

    /// The numbers of registers, for the next call.
    fn lend_all(&mut self, program: &Loaded, step: &Step) -> Done {
        let number = self.own(step.a)?;
        let most = step.reaches();
        let count = self.counted(step.c);
        if count > most {
            return Err(Stop::Fault(FaultKind::ListFull));
        }
        let size_of_one = words_of(program, step.a);
        if size_of_one > 1 {
            let words = &mut self.areas.list[number].words;
            if words.len() != size_of_one * usize::from(count) {
                return Err(Stop::Fault(FaultKind::Index));
            }
            let elements = words.chunks_exact_mut(size_of_one);
            for (element, register) in elements.zip(step.b..) {
                element[usize::from(step.d[2])] = register.into();
            }
            return Ok(());
        }
        let before = size(&self.areas.list[number]);
        let now = 8 * u64::from(count);
        self.grow(now.saturating_sub(before))?;
        self.memory -= before.saturating_sub(now);
        let area = &mut self.areas.list[number];
        area.clear();
        area.words.extend((step.b..step.b + count).map(u64::from));
        self.slots[usize::from(step.a)] = whole(number, 0);
        Ok(())
    }
}

/// How many words an element of the list in a slot has.
fn words_of(program: &Loaded, slot: u16) -> usize {
    match program.slots[usize::from(slot)] {
        SlotType::List(layout, _) => usize::from(program.layouts[usize::from(layout)].1).max(1),
        _ => 1,
    }
}
