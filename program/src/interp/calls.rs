//! Calls that are more than counters: that write, cost, block, return data or portals; repeats; dry runs.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use carnet_idl::descriptor::{Effect, InterfaceId, Layout, Module, Operation, SHORT_WORDS, Word};
use carnet_portal::call::{Areas, Call, Caller, Failure, Kind, Object, Ref};
use carnet_portal::capability::Capability;
use carnet_portal::panics::drop_quietly;

use super::data::size;
use super::telling::Told;
use super::{
    Blocking, COUNTS, Env, FaultKind, Flow, Machine, Mode, Stop, TABLE, counter, interrupted, whole,
};
use crate::beside::INTERRUPTED;
use crate::bytecode::{NONE, Op};
use crate::journal::Record;
use crate::limits::LimitKind;
use crate::text::clip;
use crate::unions;
use crate::verify::{BoundOp, IN_LISTS, Loaded, Step};

impl Machine {
    /// Writing calls are written down there from now on.
    pub(crate) fn write_down(&mut self, record: Record) {
        self.sites.clear();
        self.record = Some(record);
    }

    /// The run is written down no more; whoever holds the machine may take long to let go of what it holds.
    pub(crate) fn no_longer_written_down(&mut self) {
        self.record = None;
    }

    /// What is written down is of that machine from now on.
    pub(crate) fn record_to(&mut self, other: &mut Machine) {
        if let Some(record) = self.record.take() {
            other.write_down(record);
        }
    }

    /// Where they are written down.
    pub(crate) fn record(&mut self) -> Option<&mut Record> {
        self.record.as_mut()
    }

    pub(super) fn slow_call(&mut self, program: &Loaded, step: &Step, env: &Env<'_>) -> Flow {
        self.admitted_call(program, step, env, None)
    }

    /// The same, told before it is made and when it came back.
    pub(super) fn told_call(&mut self, program: &Loaded, step: &Step, env: &Env<'_>, told: Told<'_>) -> Flow {
        self.admitted_call(program, step, env, Some(told))
    }

    #[inline(always)]
    fn admitted_call(
        &mut self,
        program: &Loaded,
        step: &Step,
        env: &Env<'_>,
        told: Option<Told<'_>>,
    ) -> Flow {
        let op = &program.ops[step.b as usize];
        if self.follows.is_some() {
            return self.answered_call(program, op, step, env);
        }
        let admitted = match self.admit(op, step, env) {
            Ok(admitted) => admitted,
            Err(stop) => return Flow::Stop(stop),
        };
        if step.flags & Step::APART != 0
            && matches!(admitted, Admitted::Really { .. })
            && let Err(stop) = self.send_apart(program, op, step)
        {
            return Flow::Stop(stop);
        }
        self.budget.calls_left -= 1;
        self.slots[counter(step.b)] += 1;
        if let Some(told) = told {
            let written = if let Admitted::Really { written } = admitted { written } else { 0 };
            self.tell_of_call(op, step, written, told);
        }
        let flow = match admitted {
            Admitted::Really { written } => self.really(program, op, step, env, written),
            Admitted::Pretend => self.pretend(program, op, step),
        };
        if let Some(told) = told {
            self.tell_of_return(step, told);
        }
        flow
    }

    /// Everything that can keep a call from being made, before anything of it happens.
    fn admit(&self, op: &BoundOp, step: &Step, env: &Env<'_>) -> Result<Admitted, Stop> {
        let Some(portal) = self.portal(step.a) else { return Err(Stop::Fault(FaultKind::NullPortal)) };
        if portal.is_revoked() {
            return Err(Stop::Revoked);
        }
        if self.budget.calls_left == 0 {
            return Err(Stop::Limit(LimitKind::Calls));
        }
        let writes = op.operation.effect == Effect::Writes;
        let written = if writes { self.reserved(op, step.c as usize) } else { 0 };
        if writes && self.budget.writes_left == 0 {
            return Err(Stop::Limit(LimitKind::Writes));
        }
        if written > self.budget.written_left {
            return Err(Stop::Limit(LimitKind::Written));
        }
        if env.mode == Mode::Dry {
            let pretended =
                portal.object().service().is::<Pretended>() || self.hands_over_pretended(op, step);
            match (writes, pretended) {
                (true, _) => return Ok(Admitted::Pretend),
                (false, true) => return Err(Stop::CannotKnow),
                (false, false) => {}
            }
        }
        let waits = match env.blocking {
            _ if !op.operation.blocks => false,
            Blocking::Allowed => false,
            Blocking::Pauses => true,
            Blocking::Tried(until) => !self.is_ready(portal, op, step, env.caller, until),
        };
        if waits { Err(Stop::Blocks) } else { Ok(Admitted::Really { written }) }
    }

    /// Whether the object knows until then that the call does not wait.
    #[cold]
    fn is_ready(
        &self,
        portal: &Capability,
        op: &BoundOp,
        step: &Step,
        caller: &Caller,
        until: Instant,
    ) -> bool {
        let first = step.c as usize;
        let words = &self.slots[first..first + op.operation.layout.ins.len()];
        let within = until.saturating_duration_since(Instant::now());
        portal.object().is_ready(step.number(), caller, words, within)
    }

    /// Whether an argument is a portal that a dry run only pretends to have.
    fn hands_over_pretended(&self, op: &BoundOp, step: &Step) -> bool {
        if step.flags & Step::APART != 0 && self.hands_over_pretended_apart(op, step) {
            return true;
        }
        let mut words = op.operation.layout.ins.iter().zip(usize::from(step.c)..);
        words.any(|(word, slot)| self.is_pretended(word, slot))
    }

    /// Whether what a slot hands over is a portal that a dry run only pretends to have, or a list with one.
    pub(super) fn is_pretended(&self, word: &Word, slot: usize) -> bool {
        let is_one = |register: &u64| {
            let portal = u16::try_from(*register).ok().and_then(|register| self.portal(register));
            portal.is_some_and(|portal| portal.object().service().is::<Pretended>())
        };
        match word {
            Word::Portal(_) => is_one(&self.slots[slot]),
            Word::List { element, .. } if lists_portals(word) => {
                let area = self.areas.list.get(Ref(self.slots[slot]).area());
                let of_element = |words: &[u64]| {
                    words.iter().zip(element).any(|(word, ty)| matches!(ty, Word::Portal(_)) && is_one(word))
                };
                area.is_some_and(|area| area.words.chunks(element.len()).any(of_element))
            }
            _ => false,
        }
    }

    /// Bytes that a writing call may write: its declared work, or the data in its arguments. More of it than the operation takes is nothing
    /// that it writes, and so no limit stops the call for that: the service says that it is too long.
    pub(crate) fn reserved(&self, op: &BoundOp, first: usize) -> u64 {
        if op.cost_word != NONE {
            return self.reserved_by_cost(op, first);
        }
        let words = op.operation.layout.ins.iter().zip(&self.slots[first..]);
        words.map(|(kind, word)| piece(kind, *word)).sum()
    }

    /// The same where a parameter says it. Out of the way of the others, which are more.
    #[inline(never)]
    fn reserved_by_cost(&self, op: &BoundOp, first: usize) -> u64 {
        if op.cost_word == IN_LISTS {
            return self.data_with_lists(op, first);
        }
        let wanted = self.slots[first + op.cost_word as usize];
        let kind = op.operation.layout.ins.get(op.cost_word as usize);
        kind.map_or(0, |kind| kind.work(wanted, |word| Ref(word).len()))
    }

    /// The same of an operation that takes lists, or data that comes back changed. Apart, so that other calls have no place for
    /// what this needs.
    #[cold]
    #[inline(never)]
    fn data_with_lists(&self, op: &BoundOp, first: usize) -> u64 {
        let data = |(kind, word): (&Word, &u64)| match kind {
            Word::List { element, max } => {
                let words = self.areas.list.get(Ref(*word).area()).map_or(&[][..], |area| &area.words);
                let elements = words.chunks(element.len().max(1)).take(*max as usize);
                let in_element = |words: &[u64]| -> u64 {
                    element.iter().zip(words).map(|(kind, word)| piece(kind, *word)).sum()
                };
                elements.map(in_element).sum()
            }
            kind => piece(kind, *word),
        };
        let Layout { ins, inouts, .. } = &op.operation.layout;
        // If all inouts are scalars they are not sent from there, and hold no data.
        let sent = &self.slots[first.saturating_sub(inouts.len())..];
        ins.iter().zip(&self.slots[first..]).chain(inouts.iter().zip(sent)).map(data).sum()
    }

    /// Of what the last call made and nobody took; mostly there is nothing.
    #[inline]
    fn lets_go_of_made(&mut self) {
        if !self.made.is_empty() {
            self.drops_made();
        }
    }

    #[cold]
    #[inline(never)]
    fn drops_made(&mut self) {
        self.made.drain(..).for_each(drop_quietly);
    }

    pub(super) fn really(
        &mut self,
        program: &Loaded,
        op: &BoundOp,
        step: &Step,
        env: &Env<'_>,
        written: u64,
    ) -> Flow {
        let first = step.c as usize;
        let before = self.results_size(op, first);
        self.lets_go_of_made();
        let writes = op.operation.effect == Effect::Writes;
        if writes {
            self.write_ahead(op, step);
        }
        let done = match self.take_answer(op, step) {
            Some(done) => done,
            None => self.make_call(step, env.caller),
        };
        let done = if op.gives_unions { done.and_then(|()| self.unions_fit(op, first)) } else { done };
        if writes {
            let written = match done {
                Ok(()) => self.actually_written(op.operation, first, written),
                Err(ref failure) if (self.is_interruption)(failure) => 0,
                Err(ref failure) => written_by_failed(op, failure, written),
            };
            self.budget.writes_left -= 1;
            self.budget.written_left -= written;
            if let Some(record) = &mut self.record {
                match &done {
                    // It stays in doubt.
                    Err(failure) if matches!(failure.kind(), Kind::PeerDied | Kind::TimedOut) => {}
                    Err(failure) if was_not_sent(failure) => record.was_not_sent(),
                    done => {
                        let failed =
                            done.as_ref().is_err_and(|failure| !counts_as_done(op.operation, failure));
                        record.returned(failed, written);
                    }
                }
            }
        }
        let Some(portal) = self.portals[step.a as usize].as_ref() else {
            return Flow::Stop(Stop::Fault(FaultKind::NullPortal));
        };
        if !self.made.is_empty() {
            self.made_under = portal.grant().clone();
        }
        self.memory -= before;
        if let Err(failure) = done {
            self.lets_go_of_made();
            self.empty_results(program, op, first);
            return self.failed(program, self.pc, failure);
        }
        if !self.results_fit(program, op, first) {
            return Flow::Stop(Stop::Fault(FaultKind::Internal));
        }
        self.memory += self.results_size(op, first);
        if self.memory > self.budget.memory_max {
            // The call was made; the program does not go on.
            return Flow::StopBehind(Stop::Limit(LimitKind::Memory));
        }
        if step.result() != NONE {
            self.slots[step.result() as usize] = self.slots[first + step.reply_at()];
        }
        Flow::Next
    }

    /// Writes down that a writing call is about to be made, if this run is written down.
    fn write_ahead(&mut self, op: &BoundOp, step: &Step) {
        let Some(record) = &mut self.record else { return };
        let layout = &op.operation.layout;
        let first = step.c as usize;
        record.call(&crate::journal::Call {
            pc: self.pc,
            op: step.b,
            layout,
            words: &self.slots[first..first + layout.request_words()],
            areas: &self.areas,
            counts: &self.slots[COUNTS..COUNTS + self.ops],
            failed: &self.failed_calls,
        });
    }

    /// Calls the object. Apart, so that the loop has no place for what it needs.
    #[inline(never)]
    pub(super) fn make_call(&mut self, step: &Step, caller: &Caller) -> Result<(), Failure> {
        let Some(Some(portal)) = self.portals.get(step.a as usize) else {
            return Err(Failure::new(Kind::Internal, "a call through a portal that is not there"));
        };
        if step.flags & Step::PIECE != 0 {
            return lend(portal, &mut self.slots, &mut self.areas, step, caller);
        }
        let first = step.c as usize;
        let mut call = Call {
            words: &mut self.slots[first..first + step.words()],
            areas: &mut self.areas,
            portals: &self.portals,
            made: &mut self.made,
            caller,
        };
        portal.object().dispatch(step.number(), &mut call)
    }

    /// A call failed: goes on at its handler if it raised and has one, but not if it raised because the run was interrupted in it.
    #[cold]
    pub(super) fn failed(&mut self, program: &Loaded, pc: u16, failure: Failure) -> Flow {
        self.count_failed(program, pc, &failure);
        if failure.kind() == Kind::Revoked {
            return Flow::Stop(Stop::Revoked);
        }
        if (self.is_interruption)(&failure) {
            return Flow::Stop(Stop::CallFailed(failure));
        }
        let handler = program.handlers.binary_search_by_key(&pc, |handler| handler.at);
        let (Kind::Raised, Ok(found)) = (failure.kind(), handler) else {
            return Flow::Stop(Stop::CallFailed(failure));
        };
        let handler = program.handlers[found];
        self.slots[handler.kind as usize] = u64::from(failure.details().raised);
        let number = Ref(self.slots[handler.message as usize]).area();
        let max = program.areas[number].max as usize;
        let message = clip(&failure.details().message, max);
        let area = &mut self.areas.list[number];
        let memory = self.memory - area.bytes.len() as u64 + message.len() as u64;
        if memory > self.budget.memory_max {
            // The call was made, and has failed: it does not stand before it.
            return Flow::NoRoomAt(handler.target);
        }
        self.memory = memory;
        area.bytes.clear();
        area.bytes.extend_from_slice(message.as_bytes());
        self.slots[handler.message as usize] = whole(number, message.len());
        Flow::To(handler.target)
    }

    /// Charges for the instruction that it stops at, or what there is left.
    #[cold]
    pub(super) fn charge_for(&self, program: &Loaded, pc: u16, fuel: &mut i64) {
        let charge = program.code.get(usize::from(pc)).map_or(0, |step| i64::from(step.charge));
        let left = fuel.saturating_add_unsigned(self.beyond);
        *fuel -= charge.min(left);
    }

    /// The call at `pc` was made and failed. Nothing is kept of programs whose calls never fail.
    pub(crate) fn count_failed(&mut self, program: &Loaded, pc: u16, failure: &Failure) {
        let Some(step) = program.code.get(pc as usize).filter(|step| step.op == Op::Call) else { return };
        let Some(op) = program.ops.get(step.b as usize) else { return };
        if counts_as_done(op.operation, failure) {
            return;
        }
        if was_not_sent(failure) {
            self.slots[counter(step.b)] -= 1;
            self.budget.calls_left += 1;
            self.budget.writes_left += u64::from(op.operation.effect == Effect::Writes);
            return;
        }
        self.failed_calls.resize(self.ops, 0);
        if let Some(count) = self.failed_calls.get_mut(step.b as usize) {
            *count += 1;
        }
    }

    /// A call with a declared cost says with its result how much it did.
    fn actually_written(&self, operation: &Operation, first: usize, reserved: u64) -> u64 {
        operation.did(reserved, || self.slots[first + operation.layout.request_words()])
    }

    /// Slots of a block's results that own areas.
    #[inline]
    fn owners(op: &BoundOp, first: usize) -> impl Iterator<Item = usize> + use<> {
        let mut left = op.owners;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| first + left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            next
        })
    }

    fn results_size(&self, op: &BoundOp, first: usize) -> u64 {
        let areas = Self::owners(op, first).map(|slot| Ref(self.slots[slot]).area());
        areas.filter_map(|number| self.areas.list.get(number)).map(size).sum()
    }

    /// After a failed call the service has left the results undefined: they become empty and zero.
    fn empty_results(&mut self, program: &Loaded, op: &BoundOp, first: usize) {
        for slot in Self::owners(op, first) {
            if let Some(number) = area_of(program, slot) {
                self.areas.list[number].clear();
                self.slots[slot] = whole(number, 0);
            }
        }
    }

    /// Generated stubs keep the bounds of their interface; that they did is checked all the same.
    fn results_fit(&mut self, program: &Loaded, op: &BoundOp, first: usize) -> bool {
        for slot in Self::owners(op, first) {
            let number = Ref(self.slots[slot]).area();
            let (Some(cap), Some(area)) = (program.areas.get(number), self.areas.list.get(number)) else {
                return false;
            };
            let fits = match program.layouts.get(cap.layout as usize) {
                Some((_, stride)) => {
                    area.words.len() / *stride as usize <= cap.max as usize
                        && area.words.len() % *stride as usize == 0
                }
                None => area.bytes.len() <= cap.max as usize,
            };
            if !fits || cap.slot as usize != slot {
                return false;
            }
            // A list's own reference is to its area; a text's is to all of its bytes.
            let len = if cap.layout == NONE { area.bytes.len() } else { 0 };
            self.slots[slot] = whole(number, len);
        }
        true
    }

    /// Which arm of a union came back only its service knows, and what it says is held against the interface.
    #[cold]
    #[inline(never)]
    fn unions_fit(&self, op: &BoundOp, first: usize) -> Result<(), Failure> {
        let reply = first + op.operation.layout.ins.len();
        unions::fit(op, &self.slots[reply..], &self.areas)
    }

    /// A portal that comes back in a dry run.
    pub(super) fn pretend_portal(&mut self, op: &BoundOp, interface: InterfaceId, slot: usize) {
        self.slots[slot] = self.made.len() as u64;
        self.made.push(Arc::new(Pretended { module: op.module, interface }));
    }

    /// A dry run's write: counted, not made; its results are numbers as they were sent, zero, empty, and portals that take writes only.
    pub(super) fn pretend(&mut self, program: &Loaded, op: &BoundOp, step: &Step) -> Flow {
        self.budget.writes_left -= 1;
        self.lets_go_of_made();
        self.made_under = self.portal(step.a).map(|portal| portal.grant().clone()).unwrap_or_default();
        let layout = &op.operation.layout;
        let first = step.c as usize;
        self.memory -= self.results_size(op, first);
        self.empty_results(program, op, first);
        if step.flags & Step::APART != 0 {
            self.pretend_apart(op, step);
        }
        for (k, word) in layout.outs.iter().enumerate() {
            let slot = first + layout.request_words() + k;
            match word {
                Word::Portal(interface) => self.pretend_portal(op, *interface, slot),
                Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_) => self.slots[slot] = 0,
                _ => {}
            }
        }
        if op.gives_unions {
            unions::pretend(op, &mut self.slots[first + layout.request_words()..]);
        }
        if step.result() != NONE {
            self.slots[step.result() as usize] = self.slots[first + step.reply_at()];
        }
        Flow::Next
    }

    /// Makes the call behind a repeat as often as it says. Coming back after a stop goes on where it stopped.
    pub(super) fn repeat(&mut self, program: &Loaded, by: &Step, env: &Env<'_>) -> Flow {
        self.repeated_call(program, by, env, None)
    }

    /// The same, each call told.
    pub(super) fn told_repeat(&mut self, program: &Loaded, by: &Step, env: &Env<'_>, told: Told<'_>) -> Flow {
        self.repeated_call(program, by, env, Some(told))
    }

    #[inline(always)]
    fn repeated_call(&mut self, program: &Loaded, by: &Step, env: &Env<'_>, told: Option<Told<'_>>) -> Flow {
        let [low, high, step, result_step] = by.d;
        let times = u32::from(low) | u32::from(high) << 16;
        let Some(call) = program.code.get(self.pc as usize + 1).copied() else {
            return Flow::Stop(Stop::Fault(FaultKind::Internal));
        };
        let repeat_at = self.pc;
        // The round in which the object is told of what comes next.
        let mut next = self.repeated;
        while self.repeated < times {
            let k = self.repeated as u16;
            let mut one = Step { c: call.c + k * step, ..call };
            if call.result() != NONE {
                one.d[0] += k * result_step;
            }
            if self.repeated >= next && self.follows.is_none() {
                next = next.saturating_add(self.tell(program, &one, step, times - self.repeated, env));
            }
            self.pc = repeat_at + 1;
            let flow = match told {
                None => self.slow_call(program, &one, env),
                Some(told) => self.told_call(program, &one, env, told),
            };
            self.pc = repeat_at;
            match flow {
                Flow::Next => self.repeated += 1,
                Flow::To(target) => {
                    self.repeated = 0;
                    return Flow::To(target);
                }
                Flow::NoRoomAt(target) => {
                    self.repeated = 0;
                    return Flow::NoRoomAt(target);
                }
                Flow::Stop(stop) => return Flow::Stop(stop),
                Flow::StopBehind(stop) => {
                    self.repeated += 1;
                    return Flow::Stop(stop);
                }
            }
            if env.interrupt.load(Ordering::Relaxed) != 0 {
                return Flow::Stop(interrupted(env.interrupt));
            }
        }
        self.repeated = 0;
        Flow::Next
    }
}

/// The bytes of a call that failed: what it may have written at most, of so much. Nothing was sent to whom could not be reached, and data that the
/// operation does not take were not written.
pub(crate) fn written_by_failed(op: &BoundOp, failure: &Failure, written: u64) -> u64 {
    if failure.kind() == Kind::Unreachable { 0 } else { written.min(op.written_max()) }
}

/// Whether a call that failed counts among those that took effect: it writes, and was answered with what its interface does not have. The
/// service may have done all of it before.
pub(crate) fn counts_as_done(operation: &Operation, failure: &Failure) -> bool {
    operation.effect == Effect::Writes && matches!(failure.kind(), Kind::Service | Kind::Protocol)
}

/// Whether a call that failed was never made: nobody had it, and it counts for nothing. One that was interrupted had begun.
pub(crate) fn was_not_sent(failure: &Failure) -> bool {
    failure.kind() == Kind::Unreachable && failure.details().message != INTERRUPTED
}

/// Whether it is a list of portals, or of values that hold some.
pub(super) fn lists_portals(word: &Word) -> bool {
    let is_portal = |word: &Word| matches!(word, Word::Portal(_));
    matches!(word, Word::List { element, .. } if element.iter().any(is_portal))
}

/// The data that a word of a request refers to.
#[inline(always)]
fn piece(kind: &Word, word: u64) -> u64 {
    kind.data(Ref(word).len())
}

/// What becomes of a call.
enum Admitted {
    /// It is made, and may write so many bytes.
    Really { written: u64 },
    /// It is only counted.
    Pretend,
}

/// Number of the area that a slot owns; areas stand in the order of their slots.
fn area_of(program: &Loaded, slot: usize) -> Option<usize> {
    let owned = program.areas.get(1..)?;
    owned.binary_search_by_key(&slot, |area| area.slot as usize).ok().map(|at| at + 1)
}

/// Makes a short call that carries a piece, past block and areas.
///
/// Some of a short call's six words may lie behind the block and be variables of this program: objects leave them as they
/// are. Generated code cannot do otherwise, and an object that knows calls alone sees the block alone. The word of the
/// piece means nothing to the object, which may write its own there; it is put back.
#[inline(never)]
pub(super) fn lend(
    portal: &Capability,
    slots: &mut [u64; TABLE],
    areas: &mut Areas,
    step: &Step,
    caller: &Caller,
) -> Result<(), Failure> {
    let (first, at) = (step.c as usize, step.piece_at());
    let Some(words) = slots[first..].first_chunk_mut::<SHORT_WORDS>() else {
        return refused(portal, slots, areas, step, caller);
    };
    let word = words[at];
    let r = Ref(word);
    let Some(area) = areas.list.get_mut(r.area()) else { return refused(portal, slots, areas, step, caller) };
    let done = if step.flags & Step::FILLS == 0 {
        let Some(piece) = area.bytes.get(r.offset()..r.offset() + r.len()) else {
            return refused(portal, slots, areas, step, caller);
        };
        portal.object().short_in(step.number(), caller, words, piece)
    } else {
        area.clear();
        portal.object().short_out(step.number(), caller, words, &[], &mut area.bytes)
    };
    words[at] = word;
    done
}

/// The piece's reference leaves its area, which no compiled program does: the object's own check says so.
#[cold]
fn refused(
    portal: &Capability,
    slots: &mut [u64; TABLE],
    areas: &mut Areas,
    step: &Step,
    caller: &Caller,
) -> Result<(), Failure> {
    let first = step.c as usize;
    let words = &mut slots[first..first + step.words()];
    let mut call = Call { words, areas, portals: &[], made: &mut Vec::new(), caller };
    portal.object().dispatch(step.number(), &mut call)
}

/// Stands in for an object that a dry run's write would have made.
#[derive(Debug)]
pub(crate) struct Pretended {
    pub(crate) module: &'static Module,
    pub(crate) interface: InterfaceId,
}

impl Object for Pretended {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (self.module, self.interface)
    }

    fn dispatch(&self, _op: u16, _call: &mut Call<'_>) -> Result<(), Failure> {
        Err(Failure::service("this object was never made: the run is a dry one"))
    }

    fn service(&self) -> &dyn std::any::Any {
        self
    }
}
