//! Runs beside objects of another process: the program goes there, not the calls.
//!
//! ```text
//! host: a run's slice ── program (once), memento, budget ──► process with the object: verify, restore, advance
//!       restore, go on ◄── stop, budget, memento ──────────┘
//! ```
//!
//! An object whose calls would each cross to another process lends the host a [`Beside`] ([`Object::lend`]). A run all of whose portals
//! are on that object is advanced there by a [`Runner`], slice by slice; between slices it is here, whole, so that everything else about it is as
//! for any run: budgets, cancellation, receipts, being kept and resumed. A program with other portals runs here and calls from here.
//!
//! The process there is not trusted with more than its object: it can give wrong results, as any service can, and what it says was used
//! is held against what it was given.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use carnet_idl::descriptor::Module;
use carnet_portal::call::{Caller, Failure, Kind, Object};
use carnet_portal::capability::Capability;
use carnet_portal::panics::survived;

use crate::bill::Hash;
use crate::interp::{Blocking, Env, FaultKind, Machine, Mode, Slice, Stop};
use crate::limits::Budget;
use crate::protocol::codec::{Reader, Writer};
use crate::protocol::{Malformed, fault_kind};
use crate::verify::{Loaded, Registry, load};

/// Programs that a [`Runner`] keeps. Whoever sends to it knows which.
pub const PROGRAMS_KEPT: usize = 16;

/// The way to a process that runs programs beside its object.
pub trait Beside: Send + Sync {
    /// Has `request` done by the [`Runner`] there, and returns its answer; `program` is sent first if it is not there yet. When
    /// `interrupt` is set, the runner is to come back soon.
    ///
    /// # Errors
    /// If there is no answer: [`Kind::PeerDied`] if the program may have made calls, [`Kind::Unreachable`] if it was not sent.
    fn advance(
        &self,
        program: &Program<'_>,
        request: &[u8],
        interrupt: &AtomicU32,
    ) -> Result<Vec<u8>, Failure>;
}

/// A program as it is sent.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// Its name.
    pub hash: &'a Hash,
    /// Its bytecode.
    pub bytes: &'a [u8],
}

/// Where a run may be advanced: the way, and the one portal that it holds.
#[derive(Clone)]
pub(crate) struct Place {
    beside: Arc<dyn Beside>,
    root: Capability,
}

impl Place {
    /// The place of a run, if it has one.
    pub(crate) fn of(machine: &Machine) -> Option<Place> {
        let mut beside: Option<Arc<dyn Beside>> = None;
        machine.first_held()?.object().lend(&mut beside);
        let beside = beside?;
        match <[Capability; 1]>::try_from(machine.held()) {
            Ok([root]) => Some(Place { beside, root }),
            Err(_) => None,
        }
    }

    /// [`Machine::advance`], there.
    pub(crate) fn advance(
        &self,
        machine: &mut Machine,
        (program, sent): (&Loaded, &Program<'_>),
        env: &Env<'_>,
        slice: Slice,
    ) -> Stop {
        if self.root.is_revoked() {
            return Stop::Revoked;
        }
        let held = std::slice::from_ref(&self.root);
        let mut w = Writer::with_capacity(1024);
        write_budget(&mut w, &machine.budget);
        w.u64(slice.instructions);
        w.u64(slice.calls);
        w.u8(u8::from(env.mode == Mode::Dry));
        w.u8(u8::from(env.blocking == Blocking::Allowed));
        machine.write_memento(program, held, &mut w);
        let answer = match self.beside.advance(sent, &w.finish(), env.interrupt) {
            Ok(answer) => answer,
            Err(failure) => return Stop::CallFailed(failure),
        };
        let before = machine.budget;
        machine.reset(program, before);
        let mut r = Reader::new(&answer);
        let read = read_stop(&mut r).and_then(|stop| {
            machine.budget = read_budget(&mut r)?;
            machine.read_memento(program, held, &mut r)?;
            r.end()?;
            Ok(stop)
        });
        match read {
            Ok(stop) if is_within(&machine.budget, &before) => stop,
            _ => {
                machine.reset(program, before);
                let message = "the process beside which the program ran gave back what is no state of it";
                Stop::CallFailed(Failure::new(Kind::PeerDied, message))
            }
        }
    }
}

/// Nothing is left that was not there before.
fn is_within(now: &Budget, before: &Budget) -> bool {
    now.instructions_left <= before.instructions_left
        && now.calls_left <= before.calls_left
        && now.writes_left <= before.writes_left
        && now.written_left <= before.written_left
        && (now.memory_max, now.returned_max) == (before.memory_max, before.returned_max)
}

/// Runs programs beside an object of this process.
pub struct Runner {
    registry: Registry,
    kept: Vec<(Hash, Arc<Loaded>)>,
    machine: Machine,
    root: Capability,
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").field("kept", &self.kept.len()).finish_non_exhaustive()
    }
}

/// Why a [`Runner`] does nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRun {
    /// What was sent is not what is expected.
    #[error("a request that is none")]
    Malformed,
    /// The program is not there.
    #[error("a program that was not sent")]
    Unknown,
    /// It is rejected.
    #[error("a program that is rejected: {0}")]
    Rejected(String),
}

impl From<Malformed> for NotRun {
    fn from(Malformed: Malformed) -> NotRun {
        NotRun::Malformed
    }
}

impl Runner {
    /// For programs over these interfaces, beside `root`.
    #[must_use]
    pub fn new(modules: &[&'static Module], root: Arc<dyn Object>) -> Runner {
        Runner {
            registry: Registry::new(modules),
            kept: Vec::new(),
            machine: Machine::new(),
            root: Capability::new(root),
        }
    }

    /// Takes a program, in the place of the one that is there for longest.
    ///
    /// # Errors
    /// If it is rejected.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), NotRun> {
        let loaded = load(bytes, &self.registry).map_err(|error| NotRun::Rejected(error.to_string()))?;
        if self.kept.len() == PROGRAMS_KEPT {
            self.kept.remove(0);
        }
        self.kept.push((crate::bill::hash(bytes), Arc::new(loaded)));
        Ok(())
    }

    /// Does what [`Beside::advance`] was asked; the answer. A run that `interrupt` stops, or in which a call failed because of it, as
    /// `is_interruption` says, comes back as one that pauses.
    ///
    /// # Errors
    /// Nothing was done then.
    pub fn advance(
        &mut self,
        program: &Hash,
        request: &[u8],
        interrupt: &AtomicU32,
        is_interruption: fn(&Failure) -> bool,
    ) -> Result<Vec<u8>, NotRun> {
        let kept = self.kept.iter().find(|(hash, _)| hash == program).ok_or(NotRun::Unknown)?;
        let loaded = Arc::clone(&kept.1);
        let mut r = Reader::new(request);
        let budget = read_budget(&mut r)?;
        let slice = Slice { instructions: r.u64()?, calls: r.u64()? };
        let mode = if r.bool()? { Mode::Dry } else { Mode::Real };
        let blocking = if r.bool()? { Blocking::Allowed } else { Blocking::Pauses };
        let held = std::slice::from_ref(&self.root);
        let machine = &mut self.machine;
        machine.reset(&loaded, budget);
        machine.read_memento(&loaded, held, &mut r)?;
        r.end()?;
        let caller = Caller::local();
        let env = Env { caller: &caller, interrupt, mode, blocking };
        let stop = survived(|| machine.advance(&loaded, &env, slice));
        let stop = match stop {
            Some(Stop::Cancelled | Stop::Deadline) => Stop::Pause,
            Some(Stop::CallFailed(failure))
                if interrupt.load(Ordering::Relaxed) != 0 && is_interruption(&failure) =>
            {
                Stop::Pause
            }
            Some(stop) => stop,
            None => Stop::Fault(FaultKind::Internal),
        };
        let mut w = Writer::with_capacity(1024);
        write_stop(&mut w, &stop);
        write_budget(&mut w, &machine.budget);
        machine.write_memento(&loaded, held, &mut w);
        machine.release();
        Ok(w.finish())
    }
}

fn write_budget(w: &mut Writer, budget: &Budget) {
    let Budget { instructions_left, calls_left, writes_left, written_left, memory_max, returned_max } =
        *budget;
    let all = [instructions_left, calls_left, writes_left, written_left, memory_max, returned_max];
    all.into_iter().for_each(|n| w.u64(n));
}

fn read_budget(r: &mut Reader<'_>) -> Result<Budget, Malformed> {
    Ok(Budget {
        instructions_left: r.u64()?,
        calls_left: r.u64()?,
        writes_left: r.u64()?,
        written_left: r.u64()?,
        memory_max: r.u64()?,
        returned_max: r.u64()?,
    })
}

fn write_stop(w: &mut Writer, stop: &Stop) {
    match stop {
        Stop::Done(slot) => {
            w.u8(0);
            w.u32(u32::from(*slot));
        }
        Stop::Failed(message) => {
            w.u8(1);
            w.bytes(message);
        }
        Stop::CallFailed(failure) => {
            w.u8(2);
            let details = failure.details();
            w.u32(u32::from(details.kind as u16));
            w.u32(u32::from(details.raised));
            w.bytes(&details.members);
            w.bytes(details.message.as_bytes());
        }
        Stop::Limit(kind) => {
            w.u8(3);
            w.limit_kind(*kind);
        }
        Stop::Fault(kind) => {
            w.u8(4);
            w.u8(*kind as u8);
        }
        Stop::Revoked => w.u8(5),
        Stop::CannotKnow => w.u8(6),
        Stop::Pause | Stop::Cancelled | Stop::Deadline => w.u8(7),
        Stop::Blocks => w.u8(8),
    }
}

fn read_stop(r: &mut Reader<'_>) -> Result<Stop, Malformed> {
    let short = |n: u32| u16::try_from(n).map_err(|_| Malformed);
    Ok(match r.u8()? {
        0 => Stop::Done(short(r.u32()?)?),
        1 => Stop::Failed(r.bytes()?.to_vec()),
        2 => {
            let kind = Kind::from_number(short(r.u32()?)?).ok_or(Malformed)?;
            let raised = short(r.u32()?)?;
            let members = r.bytes()?.to_vec();
            let message = r.string()?;
            Stop::CallFailed(match kind {
                Kind::Raised if members.is_empty() => Failure::raised(raised, message),
                // No operation of a program raises one with members.
                Kind::Raised => return Err(Malformed),
                kind => Failure::new(kind, &message),
            })
        }
        3 => Stop::Limit(r.limit_kind()?),
        4 => Stop::Fault(fault_kind(r.u8()?)?),
        5 => Stop::Revoked,
        6 => Stop::CannotKnow,
        7 => Stop::Pause,
        8 => Stop::Blocks,
        _ => return Err(Malformed),
    })
}
