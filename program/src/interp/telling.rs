//! Telling of each call before it is made and when it came back, in memory that stays when this process is killed; and taking what was told
//! over, when another process was.

use carnet_idl::descriptor::{Effect, Word};
use carnet_portal::call::{Area, Ref};

use super::{Env, HandOver, Machine, Slice, Stop, counter};
use crate::beside::{Account, Begun, Died, Ledger};
use crate::bytecode::Op;
use crate::verify::{BoundOp, Loaded, Step};

/// Nothing is handed over, and all is told.
#[derive(Clone, Copy)]
struct Telling<'l>(&'l Ledger);

impl HandOver for Telling<'_> {
    #[inline(always)]
    fn at(self, _pc: usize) -> bool {
        false
    }

    #[inline(always)]
    fn ledger(&self) -> Option<&Ledger> {
        Some(self.0)
    }
}

/// Where it is told, and what is left of the slice's instructions.
pub(super) type Told<'l> = (&'l Ledger, i64);

impl Machine {
    /// [`Machine::advance`], telling of each call.
    pub(crate) fn advance_telling(
        &mut self,
        program: &Loaded,
        env: &Env<'_>,
        slice: Slice,
        ledger: &Ledger,
    ) -> Stop {
        ledger.begin(self.counts().iter().enumerate().map(|(op, count)| (*count, self.failed_calls(op))));
        if program.is_array() {
            return self.advance_array(program, env, slice, Some(ledger));
        }
        self.in_slice(slice, |machine, fuel| {
            machine.execute(program, env, fuel, |machine, fuel| {
                machine.run(&program.code, program, env, fuel, Telling(ledger))
            })
        })
    }

    /// Instructions that are left, if so many are of the slice.
    pub(super) fn left_of(&self, fuel: i64) -> u64 {
        self.beyond.saturating_add(u64::try_from(fuel).unwrap_or(0))
    }

    /// A call begins, which may write so many bytes.
    pub(super) fn tell_of_call(&self, op: &BoundOp, step: &Step, written: u64, (ledger, fuel): Told<'_>) {
        let writes = op.operation.effect == Effect::Writes;
        let first = usize::from(step.c);
        let ins = &op.operation.layout.ins;
        ledger.calls(&Begun {
            pc: self.pc,
            op: step.b,
            repeated: self.repeated,
            count: self.slots[counter(step.b)],
            failed: self.failed_calls(usize::from(step.b)),
            instructions_left: self.left_of(fuel),
            written_left: self.budget.written_left - if writes { written.min(op.written_max()) } else { 0 },
            ins,
            words: self.slots.get(first..first + ins.len()).unwrap_or_default(),
            areas: &self.areas,
        });
    }

    /// It came back.
    pub(super) fn tell_of_return(&self, step: &Step, (ledger, _): Told<'_>) {
        ledger.came_back(step.b, self.failed_calls(usize::from(step.b)), self.budget.written_left);
    }

    /// Stands where a process had come with the run before it died. It cannot go on from there: variables are as they were before, but for the
    /// arguments of the call that was under way. `None` if no run of the program comes there; nothing was changed then.
    pub(crate) fn came_to(&mut self, program: &Loaded, account: Account) -> Option<Died> {
        let Account { counts, failed, budget, last } = account;
        let mut died = Died::Between;
        if let Some(last) = last {
            let at = usize::from(last.pc);
            // An array stands at the calls of its repeats themselves.
            let behind = at.checked_sub(1).filter(|_| !program.is_array());
            let behind = behind.and_then(|behind| program.code.get(behind));
            let is_repeated = behind.is_some_and(|step| step.op == Op::Repeat);
            let before = (self.pc, self.repeated);
            self.pc = if is_repeated { last.pc - 1 } else { last.pc };
            self.repeated = if is_repeated || program.is_array() { last.repeated } else { 0 };
            let here = self.call_here(program).filter(|(_, step)| step.b == last.op);
            let Some((op, step)) = here else {
                (self.pc, self.repeated) = before;
                return None;
            };
            if last.is_under_way {
                died = Died::InCall;
                self.set_block(op, &step, &last.words, last.texts);
            }
        }
        for (op, count) in (0..).zip(&counts) {
            self.slots[counter(op)] = *count;
        }
        (self.failed_calls, self.budget) = (failed, budget);
        Some(died)
    }

    /// Puts arguments into the block of a call. Their texts are in an area of their own.
    fn set_block(&mut self, op: &BoundOp, step: &Step, words: &[u64], texts: Vec<u8>) {
        let area = self.areas.list.len();
        self.areas.list.push(Area { bytes: texts, words: Vec::new() });
        let slots = self.slots.iter_mut().skip(usize::from(step.c));
        for ((slot, word), kind) in slots.zip(words).zip(&op.operation.layout.ins) {
            let r = Ref(*word);
            *slot = match kind {
                Word::String { .. } => Ref::new(area, r.offset(), r.len()).unwrap_or_default().0,
                _ => *word,
            };
        }
    }
}
