//! A run of a tree by the recursive interpreter, on a program thread from its beginning: it cannot pause, and so neither moves
//! from thread to thread nor goes on after it has stopped.
//!
//! Its state is Rust's own stack. The job's machine holds the arguments; while the run goes on it
//! [stands](crate::interp::Machine::stand) where that is, so that receipt, limits and outcome are made as of any run.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_portal::call::{Failure, Kind, Ref};
use carnet_portal::panics::survived;

use super::shown::arguments_of;
use super::{Job, TELL_EVERY, Telling};
use crate::bytecode::{NONE, ParamPlace, SlotType};
use crate::eval::serve::{CallBlock, Side, Standing, run_served};
use crate::eval::{Arg, Compiled, Held, Value};
use crate::form::Form;
use crate::host::trees::Received;
use crate::interp::{Blocking, Env, FaultKind, Mode, Stop, ending};
use crate::journal::Record;
use crate::limits::{Budget, LimitKind};
use crate::protocol::{Progress, StoppedCall};
use crate::tree::Pos;
use crate::verify::BoundOp;

/// The tree that a job runs.
pub(super) struct Walk {
    received: Arc<Received>,
    left: Option<Left>,
}

/// What a run left when it ended.
struct Left {
    value: Option<Value>,
    call: Option<CallBlock>,
    pos: Option<Pos>,
    _held: Held,
}

impl Job {
    /// It runs this tree, or else bytecode.
    pub(in crate::host) fn runs_tree(&mut self, received: Option<Arc<Received>>) {
        self.walk = received.map(|received| Box::new(Walk { received, left: None }));
    }

    /// Runs the tree to its end.
    pub(super) fn walk(&mut self, tell: &dyn Fn(&[u8], Telling)) {
        if let Some(stop) = ending(&self.interrupt) {
            self.stop = stop;
            return;
        }
        let received = self.walk.as_ref().map(|walk| Arc::clone(&walk.received));
        let Some(runnable) = received.as_ref().and_then(|received| received.runnable()) else {
            self.stop = Stop::Fault(FaultKind::Internal);
            return;
        };
        let (cached, caller, interrupt) = (Arc::clone(&self.cached), self.caller.clone(), self.interrupt());
        let compiled = Compiled { tree: &runnable.tree, marks: &runnable.marks, loaded: &cached.program };
        let started = self.machine.slots().get(usize::from(cached.program.started)).map_or(0, |n| *n as i64);
        let (args, budget) = (self.bound(), self.machine.budget);
        let mode = if self.options.dry { Mode::Dry } else { Mode::Real };
        let env = Env { caller: &caller, interrupt: &interrupt, mode, blocking: Blocking::Allowed };
        let mut walking = Walking { job: self, tell, told: Instant::now(), telling: Duration::ZERO };
        // What is not a call of a service panics only if it is broken itself.
        let ended = survived(|| run_served(compiled, &args, started, &env, budget, &mut walking));
        let Some(ended) = ended else {
            self.broken = true;
            self.stop = Stop::CallFailed(Failure::new(Kind::Internal, "the interpreter of trees broke off"));
            return;
        };
        self.machine.stand(&Standing {
            pc: ended.pc,
            budget: ended.budget,
            counts: &ended.counts,
            failed: &ended.failed,
            held: ended.held_bytes,
        });
        self.stop = ended.stop;
        if let Some(walk) = &mut self.walk {
            walk.left =
                Some(Left { value: ended.value, call: ended.call, pos: ended.pos, _held: ended.held });
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

    /// Whether it runs a tree.
    pub(super) fn is_walk(&self) -> bool {
        self.walk.is_some()
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

    /// The call at which a run of a tree stopped.
    pub(super) fn walked_into(&self) -> Option<StoppedCall> {
        let block = self.walk.as_ref()?.left.as_ref()?.call.as_ref()?;
        let (op, step) = self.call_at()?;
        let arguments = arguments_of(op, &block.words, &block.areas);
        Some(StoppedCall { operation: op.name(), register: step.a, arguments })
    }
}

/// A job while its tree is run.
struct Walking<'j> {
    job: &'j mut Job,
    tell: &'j dyn Fn(&[u8], Telling),
    told: Instant,
    /// How long it took to tell of calls.
    telling: Duration,
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

    fn record(&mut self) -> Option<&mut Record> {
        self.job.machine.record()
    }
}

impl Walking<'_> {
    fn tell_of(&mut self, at: &Standing<'_>, op: &BoundOp, block: &CallBlock) {
        let since = self.job.began.elapsed();
        let time = since.saturating_sub(self.telling);
        let time_ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 2);
        let register = self.job.cached.program.code.get(usize::from(at.pc)).map_or(NONE, |step| step.a);
        let arguments = arguments_of(op, &block.words, &block.areas);
        let call = StoppedCall { operation: op.name(), register, arguments };
        let pos = Form::of(&self.job.cached.bytes).pos(u32::from(at.pc));
        (self.tell)(&Progress::Call { time_ns, pos, call }.encode(), Telling::All);
        self.telling += self.job.began.elapsed().saturating_sub(since);
    }
}
