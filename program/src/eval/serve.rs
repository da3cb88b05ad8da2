//! What a server wants of a run beside what its program does.
//!
//! A run of a tree cannot pause: it goes on in Rust's own stack. So it asks for more of its budget when that is used up, says
//! what it does while it goes on, what its calls came to, and writes down its writing calls, through [`Side`]. Without a server there is
//! none of this, and nothing of it costs anything.
//!
//! It cannot begin in the middle, either. A run that goes on begins anew with what its calls came to before: each of these comes to the
//! same without being made, and with them all that is computed, so that it comes to where it was.
//!
//! Memory is counted as if each value were its own: a variable's, and what statements hold of copies on their way, each copy until it is
//! where it goes, or its statement ends. It is taken where one of those that share a value changes it. That is more than bytecode takes for
//! the same values. What a copy costs is charged before it is held against the limit, as in bytecode.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use carnet_idl::descriptor::{Layout, Operation};
use carnet_portal::call::{Area, Areas, Failure, Kind, Ref};

use super::call::{Args, Block};
use super::{Arg, Compiled, Eval, Held, Run, Value, ended, stop};
use crate::bytecode;
use crate::compile::{Point, node, result_var};
use crate::interp::{Answer, Env, Stop, counts_as_done, owns, was_not_sent};
use crate::journal;
use crate::limits::{Budget, LimitKind};
use crate::tree::{Op, Pos, VarId};
use crate::verify::BoundOp;

/// How a run stands, in the words of its bytecode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing<'r> {
    /// The call that it is at, or the beginning of the block.
    pub(crate) pc: u16,
    /// What is left.
    pub(crate) budget: Budget,
    /// Calls of each operation.
    pub(crate) counts: &'r [u64],
    /// How many of them failed.
    pub(crate) failed: &'r [u64],
    /// Bytes that its values take.
    pub(crate) held: u64,
}

/// The block of a call, for whoever tells of it.
#[derive(Debug, Default)]
pub(crate) struct CallBlock {
    /// Its words.
    pub(crate) words: Vec<u64>,
    /// What they refer to.
    pub(crate) areas: Areas,
}

/// Who a run is served by.
pub(crate) trait Side {
    /// More of what is used up, if there is some: what is left then.
    fn more(&mut self, kind: LimitKind, at: &Standing<'_>) -> Option<Budget>;

    /// A statement is about to be carried out that somebody looks on at.
    fn statement(&mut self, _: &Budget) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Whether it wants to see each call before it is made.
    fn looks_on(&self) -> bool;

    /// A call is about to be made; what it is like is known to who looks on.
    fn call(&mut self, at: &Standing<'_>, op: &BoundOp, block: Option<&CallBlock>) -> ControlFlow<()>;

    /// Whether it wants to know what calls came to.
    fn wants_answers(&self) -> bool;

    /// The call that it was told of has come to this.
    fn answered(&mut self, answer: Answer);

    /// So much is left by now. It hears of that now and then.
    fn now_and_then(&mut self, budget: &Budget);

    /// Others wait for the processor.
    fn give_way(&mut self);

    /// Where writing calls are written down.
    fn record(&mut self) -> Option<&mut journal::Record>;
}

/// A run that is served.
pub(super) struct Served<'t> {
    side: &'t mut dyn Side,
    /// What calls came to that were made before it went on, the first first.
    past: VecDeque<Answer>,
    /// Most bytes that values may take.
    held_max: u64,
    held: u64,
    /// What each variable takes of it.
    weights: Vec<u64>,
    /// Bytes of copies on their way.
    passing: u64,
    /// The instruction that it is known to stop at.
    stops_at: Option<u16>,
    /// The call there that could not be made, or failed.
    call: Option<CallBlock>,
}

/// How a run ended that was served.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Why.
    pub(crate) stop: Stop,
    /// The result, or what there is of it.
    pub(crate) value: Option<Value>,
    /// Calls of each operation.
    pub(crate) counts: Vec<u64>,
    /// How many of them failed.
    pub(crate) failed: Vec<u64>,
    /// What is left.
    pub(crate) budget: Budget,
    /// Instructions that were to be charged where it stopped, if that was for them.
    pub(crate) needs: u64,
    /// Bytes that its values take.
    pub(crate) held_bytes: u64,
    /// The instruction that it stopped at, or else the beginning of its block.
    pub(crate) pc: u16,
    /// Its place in the source, if that is not the instruction's.
    pub(crate) pos: Option<Pos>,
    /// That call.
    pub(crate) call: Option<CallBlock>,
    /// The portals that it held.
    pub(crate) held: Held,
    /// It did not come to where it was to go on.
    pub(crate) is_past: bool,
}

/// What a run begins with.
pub(crate) struct Beginning<'a> {
    /// The program's parameters.
    pub(crate) args: &'a [Arg],
    /// When it began.
    pub(crate) started: i64,
    /// All that it may use, with what it used before it went on.
    pub(crate) budget: Budget,
    /// What its calls came to before it went on.
    pub(crate) past: VecDeque<Answer>,
}

/// As [`run`](super::run), for a server.
pub(crate) fn run_served(
    compiled: Compiled<'_>,
    beginning: Beginning<'_>,
    env: &Env<'_>,
    side: &mut dyn Side,
) -> Ended {
    let Beginning { args, started, budget, past } = beginning;
    let served = Served { past, ..Served::new(side, budget.memory_max, compiled.tree.vars.len()) };
    let mut run = Run { served: Some(served), ..Run::new(compiled, env, budget) };
    let (stop, value) = ended(&mut run, args, started);
    let value = value.or_else(|| run.so_far(&stop));
    let Some(served) = run.served.take() else { unreachable!("it was served") };
    Ended {
        stop,
        value,
        counts: run.counts,
        failed: run.failed_calls,
        budget: run.budget,
        needs: run.needs,
        held_bytes: served.held,
        pc: served.stops_at.or(run.last).unwrap_or(0),
        // Of an instruction its program knows the place.
        pos: served.stops_at.is_none().then_some(run.here),
        call: served.call,
        held: Held { registers: run.registers, made: run.made },
        is_past: !served.past.is_empty(),
    }
}

impl Run<'_> {
    /// What there is of the result when a run was stopped.
    fn so_far(&self, stop: &Stop) -> Option<Value> {
        if matches!(stop, Stop::Done(_)) || self.loaded.so_far == bytecode::NONE {
            return None;
        }
        let var = result_var(self.tree)?;
        let zero = || Value::zero(self.tree, &self.tree.vars[var.index()].ty);
        let value = self.values[var.index()].clone().unwrap_or_else(zero);
        (value.returned() <= self.budget.returned_max).then_some(value)
    }

    /// How it stands before the call at a node.
    fn standing(&self, at: Option<usize>, held: u64) -> Standing<'_> {
        let pc = at.and_then(|at| self.call_pc(at)).or(self.last).unwrap_or(0);
        Standing { pc, budget: self.budget, counts: &self.counts, failed: &self.failed_calls, held }
    }

    /// Where the call at a node is.
    fn call_pc(&self, at: usize) -> Option<u16> {
        self.marks.points.get(&(at, Point::After))?.checked_sub(1)
    }

    /// Where a run stops at the call at a node: a repeat that is stopped in its middle stands before all of it.
    fn stop_pc(&self, at: usize) -> Option<u16> {
        let pc = self.call_pc(at)?;
        let repeat = pc
            .checked_sub(1)
            .filter(|before| self.step(*before).is_some_and(|it| it.op == bytecode::Op::Repeat));
        Some(repeat.unwrap_or(pc))
    }

    /// Asks for more of what is used up.
    pub(super) fn has_more(&mut self, kind: LimitKind) -> bool {
        let Some(served) = self.served.take() else { return false };
        let more = served.side.more(kind, &self.standing(None, served.held));
        self.served = Some(served);
        if let Some(budget) = more {
            self.budget = budget;
        }
        more.is_some()
    }

    /// A statement is about to be carried out that somebody looks on at.
    pub(super) fn tell_of_statement(&mut self) -> Eval<()> {
        let Some(served) = &mut self.served else { return Ok(()) };
        Self::go_on(Some(served.side.statement(&self.budget)))
    }

    /// A call is about to be made.
    pub(super) fn tell_of(&mut self, at: usize, (op, bound): (&Op, &BoundOp), args: &Args) -> Eval<()> {
        let Some(served) = self.served.take_if(|served| served.past.is_empty()) else { return Ok(()) };
        let block = served.side.looks_on().then(|| self.encode(op, args).into());
        let standing = self.standing(Some(at), served.held);
        let said = served.side.call(&standing, bound, block.as_ref());
        self.served = Some(served);
        Self::go_on(Some(said))?;
        // It may have been told for long.
        let how = if block.is_some() { self.interrupted() } else { Ok(()) };
        if how.is_err() {
            self.stopped_at(at, op, args);
        }
        how
    }

    /// A call could not be made, or failed: that is where the run stops, if nothing handles it.
    pub(super) fn stopped_at(&mut self, at: usize, op: &Op, args: &Args) {
        if self.served.is_none() {
            return;
        }
        let (pc, block) = (self.stop_pc(at), self.encode(op, args).into());
        if let Some(served) = &mut self.served {
            (served.stops_at, served.call) = (pc, Some(block));
        }
    }

    /// Notes where it stops, if it does.
    pub(super) fn stops_at<T>(&mut self, pc: u16, how: Eval<T>) -> Eval<T> {
        if let (Some(served), Err(_)) = (&mut self.served, &how) {
            served.stops_at = Some(pc);
        }
        how
    }

    /// The same before a point.
    pub(super) fn stops_before<N, T>(&mut self, place: &N, point: Point, how: Eval<T>) -> Eval<T> {
        match self.marks.points.get(&(node(place), point)).copied() {
            Some(pc) => self.stops_at(pc, how),
            None => how,
        }
    }

    /// The same behind the call at a node.
    pub(super) fn stops_behind<T>(&mut self, at: usize, how: Eval<T>) -> Eval<T> {
        if how.is_ok() {
            return how;
        }
        match (self.call_pc(at), self.stop_pc(at)) {
            (Some(call), Some(pc)) => self.stops_at(if call == pc { pc + 1 } else { pc }, how),
            _ => how,
        }
    }

    /// The run goes on behind a call that failed.
    pub(super) fn handled(&mut self) {
        if let Some(served) = &mut self.served {
            (served.stops_at, served.call) = (None, None);
        }
    }

    /// What the next call came to, if it was made before the run went on.
    pub(super) fn known(&mut self) -> Option<Answer> {
        self.served.as_mut()?.past.pop_front()
    }

    /// Whether the next call was made before the run went on.
    pub(super) fn is_past(&self) -> bool {
        self.served.as_ref().is_some_and(|served| !served.past.is_empty())
    }

    /// A call has come to this. What it was given alone is no part of that.
    pub(super) fn answered(&mut self, layout: &Layout, block: Block, done: Result<(), Failure>) {
        let Some(served) = self.served.as_mut().filter(|served| served.side.wants_answers()) else { return };
        // Of a call that failed nothing else came back.
        let block = if done.is_ok() { block } else { Block::default() };
        let (mut areas, words) =
            (block.areas, block.words.get(block.inouts_at..).unwrap_or_default().to_vec());
        let named: Vec<usize> = {
            let back = layout.inouts.iter().chain(&layout.outs).zip(&words);
            back.filter(|(word, _)| owns(word)).map(|(_, word)| Ref(*word).area()).collect()
        };
        let given = areas.list.iter_mut().enumerate().filter(|(at, _)| !named.contains(at));
        given.for_each(|(_, area)| *area = Area::default());
        served.side.answered(Answer { done, words, areas, made: self.made.clone() });
    }

    /// Says how much is left.
    pub(super) fn tell_now_and_then(&mut self) {
        if let Some(served) = &mut self.served {
            served.side.now_and_then(&self.budget);
        }
    }

    /// Others wait for the processor.
    pub(super) fn give_way(&mut self) {
        if let Some(served) = &mut self.served {
            served.side.give_way();
        }
    }

    /// Writes down that a writing call is about to be made.
    pub(super) fn write_ahead(&mut self, at: usize, number: usize, bound: &BoundOp, block: &Block) {
        let pc = self.call_pc(at).unwrap_or(0);
        let Some(record) = self.served.as_mut().and_then(|served| served.side.record()) else { return };
        let layout = &bound.operation.layout;
        record.call(&journal::Call {
            pc,
            op: number as u16,
            layout,
            words: &block.words[..layout.request_words().min(block.words.len())],
            areas: &block.areas,
            counts: &self.counts,
            failed: &self.failed_calls,
        });
    }

    /// Writes down that it came back.
    pub(super) fn write_behind(&mut self, operation: &Operation, failure: Option<&Failure>, written: u64) {
        let Some(record) = self.served.as_mut().and_then(|served| served.side.record()) else { return };
        match failure {
            // It stays in doubt.
            Some(failure) if matches!(failure.kind(), Kind::PeerDied | Kind::TimedOut) => {}
            Some(failure) if was_not_sent(failure) => record.was_not_sent(),
            failure => {
                record.returned(failure.is_some_and(|failure| !counts_as_done(operation, failure)), written);
            }
        }
    }

    // Memory.

    /// A variable has this value from now on.
    pub(super) fn weigh(&mut self, var: VarId, value: &Value) -> Eval<()> {
        let Some(served) = &mut self.served else { return Ok(()) };
        let weight = value.weight();
        let before = std::mem::replace(&mut served.weights[var.index()], weight);
        served.held = served.held - before + weight;
        served.has_room_for(0)
    }

    /// A variable has no value any more.
    pub(super) fn weighs_nothing(&mut self, var: VarId) {
        if let Some(served) = &mut self.served {
            served.held -= std::mem::take(&mut served.weights[var.index()]);
        }
    }

    /// A part of a variable's value took `before` bytes and takes `now`.
    pub(super) fn grow(&mut self, var: VarId, before: u64, now: u64) -> Eval<()> {
        let Some(served) = &mut self.served else { return Ok(()) };
        let weight = &mut served.weights[var.index()];
        *weight = (*weight + now).saturating_sub(before);
        served.held = (served.held + now).saturating_sub(before);
        served.has_room_for(0)
    }

    /// A copy is on its way to where it goes.
    pub(super) fn pass_on(&mut self, value: &Value) {
        match (&mut self.served, value) {
            (None, _) | (_, Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::Enum(_)) => {}
            (Some(served), value) => served.passing += value.weight(),
        }
    }

    /// Bytes of copies on their way.
    pub(super) fn passing(&self) -> u64 {
        self.served.as_ref().map_or(0, |served| served.passing)
    }

    /// Copies that were made since there were so many bytes of them are where they went.
    pub(super) fn let_pass(&mut self, passing: u64) {
        if let Some(served) = &mut self.served {
            served.passing = passing;
        }
    }

    /// Whether so many bytes more may be taken.
    pub(super) fn has_room_for(&self, bytes: u64) -> Eval<()> {
        self.served.as_ref().map_or(Ok(()), |served| served.has_room_for(bytes))
    }
}

impl<'t> Served<'t> {
    /// A run of a tree with so many variables, whose values may take so much.
    pub(super) fn new(side: &'t mut dyn Side, held_max: u64, vars: usize) -> Served<'t> {
        let (past, weights) = (VecDeque::new(), vec![0; vars]);
        Served { side, past, held_max, held: 0, weights, passing: 0, stops_at: None, call: None }
    }

    fn has_room_for(&self, bytes: u64) -> Eval<()> {
        let all = self.held.saturating_add(self.passing).saturating_add(bytes);
        if all > self.held_max { stop(Stop::Limit(LimitKind::Memory)) } else { Ok(()) }
    }
}

impl From<Block> for CallBlock {
    fn from(block: Block) -> CallBlock {
        CallBlock { words: block.words, areas: block.areas }
    }
}
