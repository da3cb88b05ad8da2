//! What a machine tells of its run.

use carnet_portal::call::Areas;
use carnet_portal::capability::Capability;

use super::data::size;
use super::{COUNTS, Machine, TABLE};

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

    /// Calls already made of the repeat at the program counter.
    pub(crate) fn repeated(&self) -> u32 {
        self.repeated
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
