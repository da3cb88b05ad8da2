//! What a machine tells of its run.

use carnet_portal::call::Areas;
use carnet_portal::capability::Capability;

use super::data::size;
use super::{COUNTS, Machine, TABLE};
use crate::bytecode::Op;
use crate::verify::{BoundOp, Loaded, Step};

impl Machine {
    /// The next instruction to be executed.
    #[must_use]
    pub fn pc(&self) -> u16 {
        self.pc
    }

    /// The words of the variable table.
    #[must_use]
    pub fn slots(&self) -> &[u64; TABLE] {
        &self.slots
    }

    /// The areas.
    #[must_use]
    pub fn areas(&self) -> &Areas {
        &self.areas
    }

    /// The call that it stands at, if it stands at one; of a repeat, the one that comes next.
    pub(crate) fn call_here<'p>(&self, program: &'p Loaded) -> Option<(&'p BoundOp, Step)> {
        let at = usize::from(self.pc);
        let mut step = *program.code.get(at)?;
        if let Some(call) = self.array_call(program) {
            return Some((program.ops.get(usize::from(call.b))?, call));
        }
        if step.op == Op::Repeat {
            let [low, high, stride, _] = step.d;
            if self.repeated >= u32::from(low) | u32::from(high) << 16 {
                // All of its calls are made, and what comes behind them is not begun.
                return None;
            }
            step = *program.code.get(at + 1)?;
            // Within the table for every call of the repeat; a stride of none may be taken more often than a slot counts.
            step.c = step.c.wrapping_add(stride.wrapping_mul(self.repeated as u16));
        }
        if step.op != Op::Call {
            return None;
        }
        Some((program.ops.get(usize::from(step.b))?, step))
    }

    /// What must be left for the instructions that it stopped before, if it is known that there was less.
    pub(crate) fn needs(&self, program: &Loaded) -> u64 {
        let charge = || program.code.get(usize::from(self.pc)).map_or(0, |step| u64::from(step.charge));
        if self.charged || program.is_array() { self.needs } else { charge() }
    }

    /// How often each operation of the program was called (in a dry run: would have been, for writes).
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.slots[COUNTS..COUNTS + self.ops]
    }

    /// How often calls of an operation of the program failed; they are among [`Machine::counts`].
    #[must_use]
    pub fn failed_calls(&self, op: usize) -> u64 {
        self.failed_calls.get(op).copied().unwrap_or(0)
    }

    /// How many calls failed.
    pub(crate) fn all_failed(&self) -> u64 {
        self.failed_calls.iter().sum()
    }

    /// Bytes held by texts and lists; texts that were replaced in a list count until it lets go of them.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Counts what texts and lists hold, whatever it is said to be.
    pub(crate) fn count_memory(&mut self) {
        // The first area has the literals.
        self.memory = self.areas.list.iter().skip(1).map(size).sum();
    }

    /// How many portals it holds, those among them that no register took yet.
    #[must_use]
    pub fn portals_held(&self) -> usize {
        self.portals.iter().flatten().count() + self.made.len()
    }

    /// The object in a register.
    #[must_use]
    pub fn portal(&self, register: u16) -> Option<&Capability> {
        self.portals.get(register as usize)?.as_ref()
    }
}
