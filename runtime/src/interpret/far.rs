//! Variables and values of the stack that operations cannot name, below and above the registers that they can.
//!
//! ```text
//! before    │ parameters …
//! after     │ far variables │ near variables, stack … │ deep stack …
//!           └ the first register, as the caller knows it, for arguments and result
//! ```

use super::{Next, Run};
use crate::code::op;
use crate::thread::WINDOW;

impl Run<'_, '_> {
    pub(super) fn far(&mut self) -> Next {
        let Some((frame, code, _, word)) = self.word() else { return Err(self.stray()) };
        let base = frame.base as usize;
        match word.op() {
            op::FAR_ENTER => return self.far_enter(),
            op::FAR_RETURN => {
                self.fuel -= word.c() as i64;
                return self.leave();
            }
            _ => {}
        }
        // No frame but this one has what is so far below or above.
        let below = i64::from(word.imm() as i32);
        let own = -i64::from(code.registers) + 1..=i64::from(code.far);
        let far = usize::try_from(base as i64 - below).ok().filter(|_| own.contains(&below));
        let Some(far) = far else { return Err(self.stray()) };
        let near = base + word.a();
        let (numbers, references) = (&mut self.thread.numbers, &mut self.thread.references);
        if numbers.len() <= near.max(far) || references.len() <= near.max(far) {
            return Err(self.stray());
        }
        match word.op() {
            op::FAR_GET => numbers[near] = numbers[far],
            op::FAR_GET_R => references[near] = references[far],
            op::FAR_PUT => numbers[far] = numbers[near],
            _ => references[far] = references[near],
        }
        self.done()
    }

    /// Moves the frame up, and each parameter to its place.
    fn far_enter(&mut self) -> Next {
        let Some((frame, code, _, word)) = self.word() else { return Err(self.stray()) };
        let Some(base) = frame.base.checked_add(word.imm()) else { return self.overflow() };
        let window = base + code.registers.saturating_sub(WINDOW as u32);
        if !self.domain.may_enter(self.thread, window) {
            return self.overflow();
        }
        let slots = self
            .universe
            .method(frame.method)
            .map_or(0, |method| usize::from(self.universe.signature(method).slots));
        let near = usize::from(code.locals).min(slots);
        let first = frame.base as usize;
        let parameters: Vec<_> =
            (first..first + slots).map(|at| (self.thread.numbers[at], self.thread.references[at])).collect();
        let places = (base as usize..base as usize + near).chain(first..);
        for (place, (number, reference)) in places.zip(parameters) {
            (self.thread.numbers[place], self.thread.references[place]) = (number, reference);
        }
        if let Some(frame) = self.thread.frames.last_mut() {
            frame.base = base;
        }
        self.done()
    }

    /// Copies a register to one below it.
    pub(super) fn copy(&mut self, from: usize, to: usize) {
        let (numbers, references) = (&mut self.thread.numbers, &mut self.thread.references);
        if from < numbers.len() && to < from {
            (numbers[to], references[to]) = (numbers[from], references[from]);
        }
    }
}
