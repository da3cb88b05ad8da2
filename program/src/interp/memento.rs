//! The state of a run that stopped, as bytes (the paper's memento: program counter and variables, and what was charged).
//!
//! ```text
//! numbers of slots, operations, areas, registers and portals made, u32 each; slots; counters of operations; areas: bytes, words;
//! registers: 0 or 1 and number of the portal; portals made: their numbers; program counter u32, whether its block was charged u8,
//! calls of the repeat u32; failed calls; memory u64; replaced bytes; instructions beyond the slice u64; 1 and what was set, or 0
//! ```
//! Portals are numbers here: which object each is on is for whoever writes it to say, and for whoever reads it to have again.
//! It is of one program, and of the version of the interpreter that wrote it.

use std::collections::BTreeSet;
use std::sync::Arc;

use carnet_portal::call::{Area, Object};
use carnet_portal::capability::{Capability, Grant};

use super::{COUNTS, Machine, variables::Again};
use crate::protocol::Malformed;
use crate::protocol::codec::{Reader, Writer};
use crate::verify::Loaded;

/// Where an object is among those that are held.
fn number(held: &[Capability], object: &Arc<dyn Object>) -> u32 {
    let is_it = |portal: &Capability| std::ptr::addr_eq(Arc::as_ptr(portal.object()), Arc::as_ptr(object));
    held.iter().position(is_it).and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX)
}

impl Machine {
    /// One of the portals that it holds.
    pub(crate) fn first_held(&self) -> Option<&Capability> {
        self.portals.iter().flatten().next()
    }

    /// Whether that is so of one of the portals that it holds.
    pub(crate) fn any_held(&self, is_so: impl Fn(&Capability) -> bool) -> bool {
        self.portals.iter().flatten().any(is_so)
    }

    /// The portals that it holds, each object once: their numbers in a memento are their places here.
    #[must_use]
    pub fn held(&self) -> Vec<Capability> {
        let mut held: Vec<Capability> = Vec::new();
        let made = self.made.iter().map(|object| Capability::under(Arc::clone(object), &self.made_under));
        for portal in self.portals.iter().flatten().cloned().chain(made) {
            if number(&held, portal.object()) == u32::MAX {
                held.push(portal);
            }
        }
        held
    }

    /// Its state; `held` is [`Machine::held`].
    #[must_use]
    pub fn memento(&self, program: &Loaded, held: &[Capability]) -> Vec<u8> {
        let mut w = Writer::with_capacity(1024);
        self.write_memento(program, held, &mut w);
        w.finish()
    }

    /// Takes the state of a run over, which stopped with this memento. The budget is the caller's to set.
    ///
    /// # Errors
    /// If it is not of this program, or cut off; the machine must be reset then. What was edited otherwise is not noticed.
    pub fn restore(
        &mut self,
        program: &Loaded,
        held: &[Capability],
        memento: &[u8],
    ) -> Result<(), Malformed> {
        self.reset(program, self.budget);
        let mut r = Reader::new(memento);
        self.read_memento(program, held, &mut r)?;
        r.end()
    }

    /// Writes its state; `held` is [`Machine::held`].
    pub(crate) fn write_memento(&self, program: &Loaded, held: &[Capability], w: &mut Writer) {
        let words = |w: &mut Writer, words: &[u64]| words.iter().for_each(|word| w.u64(*word));
        let lists =
            [program.slots.len(), self.ops, self.areas.list.len(), self.portals.len(), self.made.len()];
        lists.iter().for_each(|len| w.count(*len));
        words(w, &self.slots[..program.slots.len()]);
        words(w, self.counts());
        for Area { bytes, words: list } in &self.areas.list {
            w.bytes(bytes);
            w.count(list.len());
            words(w, list);
        }
        for portal in &self.portals {
            w.option(portal.as_ref(), |w, portal| w.u32(number(held, portal.object())));
        }
        self.made.iter().for_each(|object| w.u32(number(held, object)));
        w.u32(u32::from(self.pc));
        w.u8(u8::from(self.charged));
        w.u32(self.repeated);
        for list in [&self.failed_calls, &self.dead] {
            w.count(list.len());
            words(w, list);
        }
        w.u64(self.memory);
        w.u64(self.beyond);
        w.option(self.again.as_deref(), |w, again| {
            w.u32(u32::from(again.range.start));
            w.u32(u32::from(again.range.end));
            w.count(again.set.len());
            again.set.iter().for_each(|slot| w.u32(u32::from(*slot)));
            words(w, &again.moment);
        });
    }

    /// Takes the state of a run of `program` over, after [`Machine::reset`]; `held` are the portals by their numbers.
    ///
    /// # Errors
    /// If it is not of this program. The machine must be reset again then.
    pub(crate) fn read_memento(
        &mut self,
        program: &Loaded,
        held: &[Capability],
        r: &mut Reader<'_>,
    ) -> Result<(), Malformed> {
        let mut lens = [0; 5];
        for len in &mut lens {
            *len = r.u32()? as usize;
        }
        let [slots, ops, areas, registers, made] = lens;
        let is_of_it = slots == program.slots.len()
            && ops == self.ops
            && areas == self.areas.list.len()
            && registers == self.portals.len();
        if !is_of_it {
            return Err(Malformed);
        }
        for slot in 0..slots {
            self.slots[slot] = r.u64()?;
        }
        for op in 0..ops {
            self.slots[COUNTS + op] = r.u64()?;
        }
        for area in &mut self.areas.list {
            area.bytes = r.bytes()?.to_vec();
            area.words = r.list(8, Reader::u64)?;
        }
        let one = |number: u32| held.get(number as usize).ok_or(Malformed);
        for register in 0..registers {
            let portal = r.option(Reader::u32)?.map(one).transpose()?;
            let (module, id) = program.registers[register];
            let is_right = |portal: &Capability| {
                let (found, found_id) = portal.object().interface();
                std::ptr::eq(found, module) && found_id == id
            };
            if !portal.is_none_or(is_right) {
                return Err(Malformed);
            }
            self.hold(register as u16, portal.cloned());
        }
        self.made_under = Grant::new();
        for _ in 0..made {
            let portal = one(r.u32()?)?;
            self.made_under = portal.grant().clone();
            self.made.push(Arc::clone(portal.object()));
        }
        self.pc = short(r)?;
        // An array is done behind its last command.
        if usize::from(self.pc) >= program.code.len() + usize::from(program.is_array()) {
            return Err(Malformed);
        }
        self.charged = r.bool()?;
        self.repeated = r.u32()?;
        let rounds = program.actions.get(usize::from(self.pc)).map_or(u32::MAX, |action| action.times.into());
        if self.repeated > 0 && self.repeated >= rounds {
            return Err(Malformed);
        }
        self.failed_calls = r.list(8, Reader::u64)?;
        self.dead = r.list(8, Reader::u64)?;
        if !self.failed_calls.is_empty() && self.failed_calls.len() != ops || self.dead.len() > areas {
            return Err(Malformed);
        }
        self.memory = r.u64()?;
        self.beyond = r.u64()?;
        self.again = r.option(|r| {
            let range = short(r)?..short(r)?;
            if usize::from(range.end) > program.code.len() {
                return Err(Malformed);
            }
            let set = r.list(4, short)?.into_iter().collect::<BTreeSet<u16>>();
            Ok(Box::new(Again { range, set, moment: [r.u64()?, r.u64()?] }))
        })?;
        Ok(())
    }
}

fn short(r: &mut Reader<'_>) -> Result<u16, Malformed> {
    u16::try_from(r.u32()?).map_err(|_| Malformed)
}
