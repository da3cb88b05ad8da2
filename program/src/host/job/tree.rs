//! A run of a tree by the recursive interpreter, on a program thread from its beginning: it cannot pause, and so does not move
//! from thread to thread. It gives way to others in the middle of what it does.
//!
//! Its state is Rust's own stack. The job's machine [stands](crate::interp::Machine::stand) where that is, so that receipt, limits
//! and outcome are made as of any run. If the run is kept when it stops, another machine [follows](super::follow), and is the job's from
//! then on.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_portal::call::{Failure, Kind, Ref};
use carnet_portal::capability::Capability;
use carnet_portal::panics::survived;

use super::follow::{Follower, Past};
use super::shown::arguments_of;
use super::{Job, TELL_EVERY, Telling};
use crate::beside::stopped_by;
use crate::bytecode::{NONE, ParamPlace, SlotType};
use crate::eval::serve::{Beginning, CallBlock, Ended, Side, Standing, run_served};
use crate::eval::{Arg, Compiled, Held, Value};
use crate::float::Float;
use crate::form::Form;
use crate::host::trees::Received;
use crate::host::workers::turns::{Share, Turns};
use crate::interp::{Answer, Blocking, Env, FaultKind, Mode, Stop, ending};
use crate::journal::Record;
use crate::limits::{Budget, LimitKind};
use crate::protocol::{Engine, NotWalked, Progress, SetVariable, StoppedCall};
use crate::tree::Pos;
use crate::verify::BoundOp;

/// Calls after which a walk looks whether it is to give way, or needs no seat.
const CALLS_OF_A_TURN: u32 = 64;

/// The tree that a job runs.
pub(super) struct Walk {
    received: Arc<Received>,
    /// It is run by the interpreter of trees; else it stopped, and stands in the job's machine.
    is_under_way: bool,
    /// With what it began, and when.
    began: Option<(Vec<Arg>, i64)>,
    left: Option<Left>,
    /// None if the run is not kept, or an object that ended broke off.
    follower: Option<Follower>,
    /// None if it is not kept, or there was too much of it.
    past: Option<Past>,
}

/// What a run left when it ended.
struct Left {
    value: Option<Value>,
    call: Option<CallBlock>,
    pos: Option<Pos>,
    needs: u64,
    _held: Held,
}

impl Job {
    /// It runs this tree, or else bytecode.
    pub(in crate::host) fn runs_tree(&mut self, received: Option<Arc<Received>>) {
        self.walk = received.map(|received| {
            let (began, left, follower, past) = (None, None, None, None);
            Box::new(Walk { received, is_under_way: true, began, left, follower, past })
        });
    }

    /// Runs the tree to its end.
    pub(super) fn walk(&mut self, tell: &dyn Fn(&[u8], Telling), turns: &Turns) {
        if let Some(stop) = ending(&self.interrupt) {
            return self.did_not_go_on(stop);
        }
        let received = self.walk.as_ref().map(|walk| Arc::clone(&walk.received));
        let Some(runnable) = received.as_ref().and_then(|received| received.runnable()) else {
            self.stop = Stop::Fault(FaultKind::Internal);
            return;
        };
        let (cached, caller, interrupt) = (Arc::clone(&self.cached), self.caller.clone(), self.interrupt());
        let compiled = Compiled { tree: &runnable.tree, marks: &runnable.marks, loaded: &cached.program };
        let (args, started) = self.walk.as_mut().and_then(|walk| walk.began.take()).unwrap_or_else(|| {
            let started = usize::from(cached.program.started);
            (self.bound(), self.machine.slots().get(started).map_or(0, |n| *n as i64))
        });
        let mode = if self.options.dry { Mode::Dry } else { Mode::Real };
        let env = Env { caller: &caller, interrupt: &interrupt, mode, blocking: Blocking::Allowed };
        let budget = self.with_past();
        let past = self.walk.as_ref().and_then(|walk| walk.past.as_ref()).map(Past::answers);
        let past = past.unwrap_or_default();
        self.is_followed();
        let mut share = Share::new(turns);
        share.begin(&interrupt);
        let (told, telling) = (Instant::now(), Duration::ZERO);
        let mut walking = Walking { job: self, tell, told, telling, share, calls: 0 };
        let beginning = Beginning { args: &args, started, budget, past };
        // What is not a call of a service panics only if it is broken itself.
        let ended =
            survived(|| stopped_by(&interrupt, || run_served(compiled, beginning, &env, &mut walking)));
        walking.share.end();
        drop(walking);
        if let Some(walk) = &mut self.walk {
            walk.began = Some((args, started));
        }
        match ended {
            Some(ended) => self.walked_so_far(ended),
            None => {
                self.broken = true;
                let why = "the interpreter of trees broke off";
                self.stop = Stop::CallFailed(Failure::new(Kind::Internal, why));
            }
        }
    }

    /// What it may use, with what it used before it went on: it uses that once more.
    fn with_past(&self) -> Budget {
        let (mut budget, before) = (self.machine.budget, self.before);
        budget.calls_left += before.calls;
        budget.writes_left += before.writes;
        budget.written_left += before.written;
        budget.instructions_left += before.instructions;
        budget
    }

    /// Has a machine follow from where the run stands, if it is kept when it stops.
    fn is_followed(&mut self) {
        if !self.is_named() || self.options.dry {
            return;
        }
        let Some(walk) = &mut self.walk else { return };
        let mut machine = std::mem::take(&mut self.machine);
        self.machine.reset(&self.cached.program, machine.budget);
        machine.record_to(&mut self.machine);
        walk.follower = Some(Follower::new(machine, self.before.instructions));
        if self.stops == 0 {
            walk.past = Some(Past::default());
        }
    }

    /// A walk has ended or stopped.
    fn walked_so_far(&mut self, ended: Ended) {
        self.follow(&ended.budget);
        if ended.is_past || self.walk_used(&ended.budget) < self.before.instructions {
            return self.did_not_go_on(ended.stop);
        }
        self.machine.stand(&Standing {
            pc: ended.pc,
            budget: ended.budget,
            counts: &ended.counts,
            failed: &ended.failed,
            held: ended.held_bytes,
        });
        self.stop = ended.stop;
        self.stops_where_interrupted(0);
        if let Some(walk) = &mut self.walk {
            let Ended { value, call, pos, needs, held: _held, .. } = ended;
            walk.left = Some(Left { value, call, pos, needs, _held });
        }
    }

    /// It stopped before it was where it had stopped before, and stands there still.
    fn did_not_go_on(&mut self, stop: Stop) {
        self.stop = stop;
        let budget = self.budget();
        self.stands_as_it_stopped();
        self.machine.budget = budget;
    }

    /// Instructions that a walk has charged since it began.
    fn walk_used(&self, budget: &Budget) -> u64 {
        self.granted.instructions.saturating_sub(budget.instructions_left)
    }

    /// Has the machine that follows come to where the walk is.
    fn follow(&mut self, budget: &Budget) {
        let used = self.walk_used(budget);
        let Some(walk) = &mut self.walk else { return };
        if walk.follower.as_mut().is_some_and(|it| !it.go_on(&self.cached.program, used)) {
            walk.follower = None;
        }
    }

    /// The job's machine is that which has followed, from which any engine goes on.
    pub(super) fn stands_as_it_stopped(&mut self) {
        let Some(walk) = &mut self.walk else { return };
        if self.stops == 0 {
            walk.past.get_or_insert_default();
        }
        (walk.is_under_way, walk.left) = (false, None);
        if let Some(follower) = walk.follower.take() {
            let mut before = std::mem::replace(&mut self.machine, follower.into_machine());
            before.record_to(&mut self.machine);
        }
    }

    /// Whether what is left of it can go on.
    pub(super) fn is_followed_up(&self) -> bool {
        self.walk.as_ref().is_none_or(|walk| !walk.is_under_way || walk.follower.is_some())
    }

    /// Bytes and portals that are held for a walk beside the job's machine.
    pub(super) fn walk_holds(&self) -> (usize, usize) {
        let Some(walk) = &self.walk else { return (0, 0) };
        let past = walk.past.as_ref().map_or(0, Past::takes);
        let machine = walk.follower.as_ref().map(Follower::machine);
        (
            past + machine.map_or(0, crate::interp::Machine::kept_bytes),
            machine.map_or(0, crate::interp::Machine::portals_held),
        )
    }

    /// What a walk holds as far as the machine has come that follows it.
    pub(super) fn walk_held(&self) -> Option<Vec<Capability>> {
        self.walk.as_ref()?.follower.as_ref().map(|follower| follower.machine().held())
    }

    /// It can go on as a walk: it was one from its beginning, and what its calls came to is remembered.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn walks_again(&self, set: &[SetVariable]) -> Result<(), NotWalked> {
        match &self.walk {
            None => Err(self.not_walked),
            Some(walk) if walk.past.is_none() => Err(NotWalked::TooMuch),
            // With others it would not come to where it is.
            Some(_) if !set.is_empty() => Err(NotWalked::Variables),
            Some(_) => Ok(()),
        }
    }

    /// It goes on as a walk, or else as bytecode.
    pub(super) fn goes_on_as(&mut self, engine: Engine) {
        match &mut self.walk {
            Some(walk) if engine == Engine::Tree => walk.is_under_way = true,
            walk @ Some(_) => (*walk, self.not_walked) = (None, NotWalked::WentOn),
            None => {}
        }
    }

    /// The arguments, as they were bound to the machine.
    fn bound(&self) -> Vec<Arg> {
        let (program, machine) = (&self.cached.program, &self.machine);
        let arg = |place: &ParamPlace| match *place {
            ParamPlace::Register(register) => match machine.portal(register) {
                Some(portal) => Arg::Portal(portal.clone()),
                None => Arg::Value(Value::Int(0)),
            },
            ParamPlace::Slot(slot) => {
                let word = machine.slots()[usize::from(slot)];
                Arg::Value(match program.slots[usize::from(slot)] {
                    SlotType::Bool => Value::Bool(word != 0),
                    SlotType::Enum(_) => Value::Enum(word as u16),
                    SlotType::Int => Value::Int(word as i64),
                    SlotType::Float(precision) => Value::Float(Float { precision, word }),
                    _ => {
                        let r = Ref(word);
                        let area = machine.areas().list.get(r.area());
                        let text = area.and_then(|area| area.bytes.get(r.offset()..r.offset() + r.len()));
                        Value::Text(Arc::new(text.unwrap_or_default().to_vec()))
                    }
                })
            }
        };
        program.params.iter().map(arg).collect()
    }

    /// Whether the interpreter of trees runs it.
    pub(super) fn is_walk(&self) -> bool {
        self.walk.as_ref().is_some_and(|walk| walk.is_under_way)
    }

    /// Writes the result of a tree, or what there is of it; whether there is one.
    pub(super) fn walked(&self, bytes: &mut Vec<u8>) -> bool {
        let value = self.walk.as_ref().and_then(|walk| walk.left.as_ref()?.value.as_ref());
        value.inspect(|value| value.encode(bytes)).is_some()
    }

    /// The place in the source at which a run of a tree stopped, if no instruction is known for it.
    pub(super) fn walked_to(&self) -> Option<Pos> {
        self.walk.as_ref()?.left.as_ref()?.pos
    }

    /// Instructions that a run needs to go on at all, as far as that is known where it stopped for them.
    pub(super) fn needs(&self) -> u64 {
        match self.walk.as_ref().filter(|walk| walk.is_under_way) {
            Some(walk) => walk.left.as_ref().map_or(0, |left| left.needs),
            None => self.machine.needs(&self.cached.program),
        }
    }

    /// The call at which a run of a tree stopped.
    pub(super) fn walked_into(&self) -> Option<StoppedCall> {
        let block = self.walk.as_ref()?.left.as_ref()?.call.as_ref()?;
        let (op, step) = self.call_at()?;
        let arguments = arguments_of(op, &block.words, &block.areas);
        Some(StoppedCall { operation: op.name(), register: step.a, arguments, interrupted: self.interrupted })
    }
}

/// A job while its tree is run.
struct Walking<'j> {
    job: &'j mut Job,
    tell: &'j dyn Fn(&[u8], Telling),
    told: Instant,
    /// How long it took to tell of calls.
    telling: Duration,
    share: Share<'j>,
    /// Since it looked whether to give way.
    calls: u32,
}

impl Side for Walking<'_> {
    fn more(&mut self, kind: LimitKind, at: &Standing<'_>) -> Option<Budget> {
        self.job.machine.stand(at);
        self.job.drew_more(kind).then_some(self.job.machine.budget)
    }

    fn looks_on(&self) -> bool {
        self.job.options.trace
    }

    fn call(&mut self, at: &Standing<'_>, op: &BoundOp, block: Option<&CallBlock>) -> ControlFlow<()> {
        self.job.follow(&at.budget);
        self.calls += 1;
        if self.calls == CALLS_OF_A_TURN {
            self.give_way();
        }
        if let Some(block) = block {
            self.tell_of(at, op, block);
        } else if self.told.elapsed() >= TELL_EVERY {
            self.told = Instant::now();
            self.job.machine.stand(at);
            let receipt = self.job.receipt();
            let counts = Progress::Counts { calls: receipt.calls, written: receipt.written };
            (self.tell)(&counts.encode(), Telling::Latest);
        }
        ControlFlow::Continue(())
    }

    fn wants_answers(&self) -> bool {
        self.job.walk.as_ref().is_some_and(|walk| walk.follower.is_some())
    }

    fn answered(&mut self, answer: Answer) {
        let Some(walk) = &mut self.job.walk else { return };
        walk.past = walk.past.take().and_then(|past| past.and(&answer));
        if let Some(follower) = &mut walk.follower {
            follower.answer(answer);
        }
    }

    fn now_and_then(&mut self, budget: &Budget) {
        self.job.follow(budget);
        self.job.look_at_the_clock();
        if self.share.is_free() {
            self.give_way();
        }
    }

    fn give_way(&mut self) {
        self.calls = 0;
        self.share.end();
        self.share.begin(&self.job.interrupt);
    }

    fn record(&mut self) -> Option<&mut Record> {
        self.job.machine.record()
    }
}

impl Walking<'_> {
    fn tell_of(&mut self, at: &Standing<'_>, op: &BoundOp, block: &CallBlock) {
        self.job.look_at_the_clock();
        let since = self.job.began.elapsed();
        let time = since.saturating_sub(self.telling);
        let time_ns = self.job.before_ns + u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 2);
        let register = self.job.cached.program.code.get(usize::from(at.pc)).map_or(NONE, |step| step.a);
        let arguments = arguments_of(op, &block.words, &block.areas);
        let call = StoppedCall { operation: op.name(), register, arguments, interrupted: false };
        let pos = Form::of(&self.job.cached.bytes).pos(u32::from(at.pc));
        (self.tell)(&Progress::Call { time_ns, pos, call }.encode(), Telling::All);
        self.telling += self.job.began.elapsed().saturating_sub(since);
    }
}
