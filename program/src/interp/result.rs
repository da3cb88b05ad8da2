//! The result of a run, as its client reads it.
//!
//! Words as u64, texts as u32 and bytes, lists as u32 and elements. It is longer than what the machine holds if it
//! names one text many times; so its length is held against the limit before each part is written.

use carnet_portal::call::Ref;

use super::{Machine, counter};
use crate::bytecode::{ResultKind, SlotType, TABLE_MAX};
use crate::eval::serve::Standing;
use crate::verify::Loaded;

impl Machine {
    /// Writes the result at slot `at` to `out`, which should be empty; `None` if it is longer than the budget's
    /// `returned_max`. `out` never holds more than that.
    #[must_use]
    pub fn result(&self, program: &Loaded, at: u16, out: &mut Vec<u8>) -> Option<()> {
        let mut out = Limited { out, left: self.budget.returned_max };
        if let Some(returns) = &program.returns {
            return self.array_result(&program.result_words, returns, &mut out);
        }
        match program.result {
            ResultKind::None => {}
            ResultKind::Words => {
                for (ty, slot) in program.result_words.iter().zip(at..) {
                    match ty.text_max() {
                        Some(_) => out.text(self.text(slot))?,
                        None => out.put(&self.slots[slot as usize].to_le_bytes())?,
                    }
                }
            }
            ResultKind::List => self.list_result(&program.result_words, at, &mut out)?,
        }
        Some(())
    }

    /// Stands where the recursive interpreter is with the same program: program counter, counts and budget. So whoever asks
    /// what was done and used asks one thing, whatever the engine. Variables are what they were when the run began.
    pub(crate) fn stand(&mut self, at: &Standing<'_>) {
        (self.pc, self.budget, self.memory, self.repeated) = (at.pc, at.budget, at.held, 0);
        for (op, count) in (0..TABLE_MAX as u16).zip(at.counts) {
            self.slots[counter(op)] = *count;
        }
        self.failed_calls.clear();
        if at.failed.iter().any(|failed| *failed > 0) {
            self.failed_calls.extend_from_slice(at.failed);
        }
    }

    fn list_result(&self, types: &[SlotType], at: u16, out: &mut Limited<'_>) -> Option<()> {
        let area = self.areas.list.get(Ref(self.slots[at as usize]).area())?;
        let stride = types.len().max(1);
        out.put(&u32::try_from(area.words.len() / stride).ok()?.to_le_bytes())?;
        for (word, ty) in area.words.iter().zip(types.iter().cycle()) {
            match ty.text_max() {
                Some(_) => out.text(area.string(*word))?,
                None => out.put(&word.to_le_bytes())?,
            }
        }
        Some(())
    }
}

/// Bytes that may become so many more.
pub(super) struct Limited<'o> {
    out: &'o mut Vec<u8>,
    left: u64,
}

impl Limited<'_> {
    pub(super) fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.left = self.left.checked_sub(bytes.len() as u64)?;
        self.out.extend_from_slice(bytes);
        Some(())
    }

    pub(super) fn text(&mut self, text: &[u8]) -> Option<()> {
        if self.left < 4 + text.len() as u64 {
            return None;
        }
        self.put(&(text.len() as u32).to_le_bytes())?;
        self.put(text)
    }
}
