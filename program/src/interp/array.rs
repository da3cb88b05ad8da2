//! The interpreter of [call arrays](crate::array).
//!
//! It works on the state of the [`Machine`], and makes calls as the interpreter of bytecode does: the same checks of portals,
//! the same budgets and counts, the same record, the same dry runs. What is its own is the loop: program counter, round of
//! the repeat that it is in, and moves of words. So an array that stops can go on, too: its state is these two numbers and
//! the messages.
//!
//! It relies on what the [verifier](crate::array) promises. Operands move on by wrapping arithmetic on 16 bits, so that
//! not even a state that was edited on disk names a word outside of the variable table.

use std::sync::atomic::Ordering;

use carnet_portal::call::{Failure, Kind, MEMBERS};

use super::result::Limited;
use super::upcoming::is_alone;
use super::{Env, Exit, FaultKind, Flow, Machine, Mode, Slice, Stop, counter};
use crate::array::verify::What;
use crate::array::{OnError, Returns};
use crate::beside::Ledger;
use crate::bytecode::{NONE, SlotType};
use crate::limits::LimitKind;
use crate::verify::{Loaded, Step};

impl Machine {
    /// As [`Machine::advance`], for call arrays; each call is told to a ledger, if there is one.
    pub(super) fn advance_array(
        &mut self,
        program: &Loaded,
        env: &Env<'_>,
        slice: Slice,
        ledger: Option<&Ledger>,
    ) -> Stop {
        self.in_slice(slice, |machine, fuel| {
            machine.execute(program, env, fuel, |machine, fuel| match ledger {
                // A loop of its own, which does not look for a ledger at each call.
                None => machine.run_array(program, env, fuel, None),
                ledger => machine.run_array(program, env, fuel, ledger),
            })
        })
    }

    /// The call at the program counter, with the operands of its round; `None` if the program is no array, or no call is there.
    pub(crate) fn array_call(&self, program: &Loaded) -> Option<Step> {
        let at = usize::from(self.pc);
        match program.actions.get(at)?.what {
            What::Call { register_step, message_step, .. } => {
                Some(in_round(&program.code[at], self.repeated as u16, register_step, message_step))
            }
            What::Move { .. } | What::Repeat { .. } => None,
        }
    }

    #[inline(always)]
    fn run_array(
        &mut self,
        program: &Loaded,
        env: &Env<'_>,
        left: &mut i64,
        ledger: Option<&Ledger>,
    ) -> Exit {
        let slow = match env.mode {
            _ if ledger.is_some() => Step::CALL,
            Mode::Real if self.record.is_some() => Step::SLOW | Step::WRITES,
            Mode::Real => Step::SLOW,
            Mode::Dry => Step::CALL,
        };
        // The round in which the object is told of what comes next.
        let mut told = 0;
        loop {
            let at = usize::from(self.pc);
            let (Some(action), Some(step)) = (program.actions.get(at), program.code.get(at)) else {
                return Exit::Done(program.so_far);
            };
            *left -= i64::from(step.charge);
            if *left < 0 {
                return Exit::Fuel;
            }
            let round = self.repeated as u16;
            let mut stop = None;
            let mut is_call = true;
            match action.what {
                What::Call { register_step, message_step, into, into_step, made_at, status_at, on_error } => {
                    let call = in_round(step, round, register_step, message_step);
                    if action.times > 1 && self.repeated >= told {
                        let rounds = u32::from(action.times) - self.repeated;
                        let more = if is_alone(program, at) {
                            self.tell(program, &call, message_step, rounds, env)
                        } else {
                            u32::MAX
                        };
                        told = self.repeated.saturating_add(more);
                    }
                    let flow = match ledger {
                        None if call.flags & slow == 0 => self.quick_call(program, &call, env),
                        None => self.slow_call(program, &call, env),
                        Some(ledger) => self.told_call(program, &call, env, (ledger, *left)),
                    };
                    let status = match flow {
                        Flow::Next => 0,
                        Flow::Stop(Stop::CallFailed(failure))
                            if carries_on(on_error, &failure) && !(self.is_interruption)(&failure) =>
                        {
                            self.zero_scalars(program, &call);
                            1 + u64::from(failure.details().raised & !MEMBERS)
                        }
                        Flow::StopBehind(behind) => {
                            stop = Some(behind);
                            0
                        }
                        Flow::Stop(stop) => return Exit::Slow(Box::new(stop)),
                        // Arrays have no handlers.
                        Flow::To(_) | Flow::NoRoomAt(_) => return Exit::Fault(FaultKind::Internal),
                    };
                    if status_at != NONE {
                        self.slots[usize::from(call.c) + usize::from(status_at)] = status;
                    }
                    if into != NONE {
                        let register = into.wrapping_add(round.wrapping_mul(into_step));
                        if usize::from(register) >= self.portals.len() {
                            return Exit::Fault(FaultKind::Internal);
                        }
                        if status == 0 {
                            self.take(program, register, call.c.wrapping_add(made_at));
                        } else {
                            self.hold(register, None);
                        }
                    }
                }
                What::Move { from, from_step, to, to_step, stride, to_stride, size, items, add } => {
                    is_call = false;
                    let from = from.wrapping_add(round.wrapping_mul(from_step));
                    let to = to.wrapping_add(round.wrapping_mul(to_step));
                    if size == 1 && items == 1 && add == 0 {
                        self.slots[usize::from(to)] = self.slots[usize::from(from)];
                    } else if !self.move_items((from, stride), (to, to_stride), size, (items, add), round) {
                        return Exit::Fault(FaultKind::Overflow);
                    }
                }
                What::Repeat { .. } => (is_call, told) = (false, 0),
            }
            if action.ends == NONE {
                self.pc += 1;
            } else if self.repeated + 1 < u32::from(action.times) {
                self.repeated += 1;
                self.pc = action.ends + 1;
                is_call = true;
            } else {
                self.repeated = 0;
                self.pc += 1;
            }
            if let Some(stop) = stop {
                return Exit::Stopped(Box::new(stop));
            }
            // Behind the last command there is nothing to be kept from.
            if is_call
                && env.interrupt.load(Ordering::Relaxed) != 0
                && usize::from(self.pc) < program.actions.len()
            {
                return Exit::InterruptedBefore;
            }
        }
    }

    /// A call that needs nothing but counters.
    #[inline]
    fn quick_call(&mut self, program: &Loaded, step: &Step, env: &Env<'_>) -> Flow {
        let Some(Some(portal)) = self.portals.get(usize::from(step.a)) else {
            return Flow::Stop(Stop::Fault(FaultKind::NullPortal));
        };
        if portal.is_revoked() {
            return Flow::Stop(Stop::Revoked);
        }
        let Some(calls_left) = self.budget.calls_left.checked_sub(1) else {
            return Flow::Stop(Stop::Limit(LimitKind::Calls));
        };
        if step.flags & Step::WRITES != 0 {
            let Some(writes_left) = self.budget.writes_left.checked_sub(1) else {
                return Flow::Stop(Stop::Limit(LimitKind::Writes));
            };
            self.budget.writes_left = writes_left;
        }
        self.budget.calls_left = calls_left;
        self.slots[counter(step.b)] += 1;
        let first = usize::from(step.c);
        let done = match self.slots[first..].first_chunk_mut() {
            Some(words) if step.flags & Step::SHORT != 0 => {
                portal.object().short(step.number(), env.caller, words)
            }
            _ => self.make_call(step, env.caller),
        };
        match done {
            Ok(()) => Flow::Next,
            Err(failure) => self.failed(program, self.pc, failure),
        }
    }

    /// After a call that raised, what it may have left of scalars in the reply is nothing.
    fn zero_scalars(&mut self, program: &Loaded, call: &Step) {
        let layout = &program.ops[usize::from(call.b)].operation.layout;
        let replies = usize::from(call.c) + layout.request_words()..usize::from(call.c) + layout.words();
        for slot in replies {
            let is_owner = program.slots.get(slot).is_some_and(|ty| ty.owns_area());
            if !is_owner {
                self.slots[slot] = 0;
            }
        }
    }

    /// Copies items in their order; whether no sum left 64 bits.
    fn move_items(
        &mut self,
        (from, stride): (u16, u16),
        (to, to_stride): (u16, u16),
        size: u16,
        (items, add): (u32, i64),
        round: u16,
    ) -> bool {
        for item in 0..items {
            let k = item as u16;
            let from = from.wrapping_add(k.wrapping_mul(stride));
            let to = to.wrapping_add(k.wrapping_mul(to_stride));
            if add != 0 {
                // Items go on counting from round to round.
                let number = i64::from(round) * i64::from(items) + i64::from(item);
                let value = self.slots[usize::from(from)] as i64;
                let Some(sum) = number.checked_mul(add).and_then(|more| value.checked_add(more)) else {
                    return false;
                };
                self.slots[usize::from(to)] = sum as u64;
                continue;
            }
            for word in 0..size {
                self.slots[usize::from(to.wrapping_add(word))] =
                    self.slots[usize::from(from.wrapping_add(word))];
            }
        }
        true
    }

    /// Writes the result of an array, as [`Machine::result`] does.
    pub(super) fn array_result(
        &self,
        types: &[SlotType],
        returns: &Returns,
        out: &mut Limited<'_>,
    ) -> Option<()> {
        if returns.list {
            out.put(&u32::from(returns.items).to_le_bytes())?;
        }
        for item in 0..returns.items {
            let first = returns.first.wrapping_add(item.wrapping_mul(returns.stride));
            for (ty, word) in types.iter().zip(0..) {
                let slot = first.wrapping_add(word);
                match ty.text_max() {
                    Some(_) => out.text(self.text(slot))?,
                    None => out.put(&self.slots[usize::from(slot)].to_le_bytes())?,
                }
            }
        }
        Some(())
    }
}

fn carries_on(on_error: OnError, failure: &Failure) -> bool {
    on_error == OnError::CarryOn && failure.kind() == Kind::Raised
}

/// The step of a call in a round of its repeat.
#[inline]
fn in_round(step: &Step, round: u16, register_step: u16, message_step: u16) -> Step {
    Step {
        a: step.a.wrapping_add(round.wrapping_mul(register_step)),
        c: step.c.wrapping_add(round.wrapping_mul(message_step)),
        ..*step
    }
}
