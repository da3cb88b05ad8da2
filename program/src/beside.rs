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
//! is held against what it was given. It writes down each call in a [`Ledger`], so that what it has done is known when it has died.

mod ledger;
mod stopping;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use carnet_idl::descriptor::{Effect, Module};
use carnet_portal::call::{Caller, Failure, Kind, MEMBERS, Object};
use carnet_portal::capability::Capability;
use carnet_portal::panics::survived;
use carnet_portal::stub::LIST_BYTES_MAX;

use crate::bill::Hash;
use crate::bytecode::Op;
use crate::interp::{Blocking, Env, FaultKind, Machine, Mode, Slice, Stop};
use crate::limits::Budget;
use crate::protocol::codec::{Reader, Writer};
use crate::protocol::{Malformed, fault_kind};
use crate::verify::{Loaded, Registry, load};

pub(crate) use ledger::{Account, Begun};
pub use ledger::{Found, Ledger};
pub use stopping::is_to_stop;
pub(crate) use stopping::stopped_by;

/// What is said of a call that came back because its run is to stop.
pub const INTERRUPTED: &str = "the call was interrupted before it did anything";

/// Programs that a [`Runner`] keeps. Whoever sends to it knows which.
pub const PROGRAMS_KEPT: usize = 16;

/// The way to a process that runs programs beside its object.
pub trait Beside: Send + Sync {
    /// Has `request` done by the [`Runner`] there, and returns its answer; `program` is sent first if it is not there yet. When
    /// `interrupt` is set, the runner is to come back soon.
    ///
    /// # Errors
    /// If there is no answer: [`Kind::PeerDied`] if the program may have made calls, [`Kind::Unreachable`] if it was not sent.
    fn advance(&self, program: &Program<'_>, request: &[u8], interrupt: &AtomicU32) -> Result<Vec<u8>, Lost>;
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub struct Lost {
    /// It is told to whoever runs the program.
    pub failure: Failure,
    /// What the process had written down when it died, or when it said that there is none.
    pub found: Option<Found>,
}

impl Lost {
    /// How a run stops for that. Whoever says that nothing was done is not believed against what was written down.
    fn stopped(
        self,
        machine: &mut Machine,
        program: &Loaded,
        before: &Before,
        interrupt: &AtomicU32,
    ) -> (Stop, Option<Died>) {
        let Lost { failure, found } = self;
        let account = found.map(|found| found.account(program, before));
        let made_calls = match &account {
            None => false,
            Some(account) => account.as_ref().is_none_or(|account| account.last.is_some()),
        };
        let failure = match failure.kind() {
            Kind::PeerDied => failure,
            // It was to stop before its turn came: what stops it is looked at before each slice.
            Kind::Unreachable if !made_calls && interrupt.load(Ordering::Relaxed) != 0 => {
                return (Stop::Pause, None);
            }
            _ if !made_calls => return (Stop::CallFailed(failure), None),
            _ => {
                let why = &failure.details().message;
                Failure::new(Kind::PeerDied, &format!("{why}, from a process that had made calls by then"))
            }
        };
        let died = account.flatten().and_then(|account| machine.came_to(program, account));
        (Stop::CallFailed(failure), Some(died.unwrap_or(Died::Anywhere)))
    }
}

impl From<Failure> for Lost {
    fn from(failure: Failure) -> Lost {
        Lost { failure, found: None }
    }
}

/// How far a run had come when the process beside which it ran had died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Died {
    /// In the call at the program counter.
    InCall,
    /// No call was under way.
    Between,
    /// Nobody knows.
    Anywhere,
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

    /// Whether a run may have one, or would if it held nothing else.
    pub(crate) fn is_any(machine: &Machine) -> bool {
        machine.any_held(|portal| {
            let mut beside: Option<Arc<dyn Beside>> = None;
            portal.object().lend(&mut beside);
            beside.is_some()
        })
    }

    /// [`Machine::advance`], there; and where the process died, if it did.
    pub(crate) fn advance(
        &self,
        machine: &mut Machine,
        (program, sent): (&Loaded, &Program<'_>),
        env: &Env<'_>,
        slice: Slice,
    ) -> (Stop, Option<Died>) {
        if self.root.is_revoked() {
            return (Stop::Revoked, None);
        }
        let held = std::slice::from_ref(&self.root);
        let mut w = Writer::with_capacity(1024);
        write_budget(&mut w, &machine.budget);
        w.u64(slice.instructions);
        w.u64(slice.calls);
        w.u8(u8::from(env.mode == Mode::Dry));
        w.u8(u8::from(env.blocking == Blocking::Allowed));
        let memento = w.len();
        machine.write_memento(program, held, &mut w);
        let request = w.finish();
        let before = Before::of(machine);
        let answer = match self.beside.advance(sent, &request, env.interrupt) {
            Ok(answer) => answer,
            Err(lost) => return lost.stopped(machine, program, &before, env.interrupt),
        };
        machine.reset(program, before.budget);
        let mut r = Reader::new(&answer);
        let read = read_stop(&mut r).and_then(|stop| {
            machine.budget = read_budget(&mut r)?;
            machine.read_memento(program, held, &mut r)?;
            machine.count_memory();
            r.end()?;
            Ok(stop)
        });
        match read {
            Ok(stop) if before.can_lead_to(machine, program, &stop) => (stop, None),
            _ => {
                // As it was before: what was counted so far is true.
                machine.reset(program, before.budget);
                let sent = request.get(memento..).unwrap_or_default();
                if machine.read_memento(program, held, &mut Reader::new(sent)).is_err() {
                    machine.reset(program, before.budget);
                }
                let message = "the process beside which the program ran gave back what is no state of it";
                (Stop::CallFailed(Failure::new(Kind::PeerDied, message)), Some(Died::Anywhere))
            }
        }
    }
}

/// How a run stood before a slice in a process that is not trusted.
struct Before {
    budget: Budget,
    counts: Vec<u64>,
    failed: Vec<u64>,
}

impl Before {
    fn of(machine: &Machine) -> Before {
        let counts = machine.counts().to_vec();
        let failed = (0..counts.len()).map(|op| machine.failed_calls(op)).collect();
        Before { budget: machine.budget, counts, failed }
    }

    /// Whether it can have come to this by a slice. Variables may hold anything: whoever reads them looks at what he reads.
    fn can_lead_to(&self, machine: &Machine, program: &Loaded, stop: &Stop) -> bool {
        self.is_within(&machine.budget)
            && self.is_counted(machine, program)
            && has_room(machine, program)
            && ends_there(program, stop)
    }

    /// Nothing is left that was not there before.
    fn is_within(&self, now: &Budget) -> bool {
        let before = &self.budget;
        now.instructions_left <= before.instructions_left
            && now.calls_left <= before.calls_left
            && now.writes_left <= before.writes_left
            && now.written_left <= before.written_left
            && (now.memory_max, now.returned_max) == (before.memory_max, before.returned_max)
    }

    /// Each call that was charged is counted for its operation, and no other.
    fn is_counted(&self, machine: &Machine, program: &Loaded) -> bool {
        let (mut calls, mut writes) = (0_u64, 0_u64);
        for (at, (now, before)) in machine.counts().iter().zip(&self.counts).enumerate() {
            let Some(more) = now.checked_sub(*before) else { return false };
            let Some(sum) = calls.checked_add(more) else { return false };
            calls = sum;
            if program.ops.get(at).is_some_and(|op| op.operation.effect == Effect::Writes) {
                writes += more;
            }
            if machine.failed_calls(at) > *now {
                return false;
            }
        }
        let now = &machine.budget;
        (calls, writes)
            == (self.budget.calls_left - now.calls_left, self.budget.writes_left - now.writes_left)
    }
}

/// Whether texts and lists are no longer than they may be, and all together what the run may hold, or one call more.
fn has_room(machine: &Machine, program: &Loaded) -> bool {
    // The first one has the literals.
    let areas = machine.areas().list.iter().zip(&program.areas).skip(1);
    for (area, cap) in areas {
        let stride =
            program.layouts.get(usize::from(cap.layout)).map(|(_, stride)| usize::from(*stride).max(1));
        let len = stride.map_or(area.bytes.len(), |stride| area.words.len() / stride);
        if len > cap.max as usize {
            return false;
        }
    }
    let Budget { memory_max, .. } = machine.budget;
    let most = memory_max.saturating_add(2 * LIST_BYTES_MAX as u64);
    machine.memory() <= most
}

/// Whether a run of the program can end like this.
fn ends_there(program: &Loaded, stop: &Stop) -> bool {
    match stop {
        Stop::Done(slot) if program.is_array() => *slot == program.so_far,
        Stop::Done(slot) => program.code.iter().any(|step| step.op == Op::End && step.a == *slot),
        _ => true,
    }
}

/// Runs programs beside an object of this process.
pub struct Runner {
    registry: Registry,
    kept: Vec<(Hash, Arc<Loaded>)>,
    machine: Machine,
    root: Capability,
    ledger: Option<Ledger>,
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
            ledger: None,
        }
    }

    /// Each call is written down there from now on.
    #[must_use]
    pub fn written_down(self, ledger: Ledger) -> Runner {
        Runner { ledger: Some(ledger), ..self }
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

    /// Does what [`Beside::advance`] was asked; the answer. A run that `interrupt` stops comes back as one that pauses. A call that raised
    /// because of it, as `is_interruption` says, which looks at it, too, has done nothing, and comes back as one that failed with
    /// [`Kind::Unreachable`].
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
        machine.interrupted_where(is_interruption);
        machine.reset(&loaded, budget);
        machine.read_memento(&loaded, held, &mut r)?;
        r.end()?;
        let caller = Caller::local();
        let env = Env { caller: &caller, interrupt, mode, blocking };
        let stop = match &self.ledger {
            Some(ledger) => survived(|| machine.advance_telling(&loaded, &env, slice, ledger)),
            None => survived(|| machine.advance(&loaded, &env, slice)),
        };
        let stop = match stop {
            Some(Stop::Cancelled | Stop::Deadline) => Stop::Pause,
            Some(Stop::CallFailed(failure)) if is_interruption(&failure) => {
                Stop::CallFailed(Failure::new(Kind::Unreachable, INTERRUPTED))
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
                Kind::Raised if raised & MEMBERS != 0 => {
                    Failure::raised_members(raised & !MEMBERS, members, message)
                }
                Kind::Raised if members.is_empty() => Failure::raised(raised, message),
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
