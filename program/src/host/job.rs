//! One run: its arguments, its slices of time, its outcome.

mod bind;
pub(super) mod doubt;
mod fit;
mod follow;
pub(super) mod memento;
pub(super) mod shown;
mod spent;
mod stopped;
mod tree;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use carnet_idl::descriptor::Effect;
use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::panics::survived;
use carnet_portal::session::Session;

pub use self::bind::{portal_of_text, root_meant};

use self::bind::Binder;
use self::doubt::Doubt;
use self::memento::Names;
use super::accounts::{Accounts, Hold, Till};
use super::beside::Root;
use super::cache::Cached;
use super::stopped::Keeping;
use super::workers::turns::{Share, Turns};
use super::{Confirm, Policy};
use crate::beside::{Died, Place, Program, stopped_by};
use crate::bytecode::NONE;
use crate::form::Form;
use crate::interp::{Blocking, DEADLINE, Env, FaultKind, Machine, Mode, Slice, Stop, ending};
use crate::limits::{Amounts, Budget, Effective, LimitKind, LimitSource, Limits, Standing};
use crate::protocol::{
    Argument, CallCount, End, Engine, InDoubt, NotWalked, Outcome, Progress, Receipt, Refusal, RunOptions,
    RunRequest, StoppedCall,
};
use crate::tree::{Cap, Pos};
use crate::verify::{BoundOp, Step};

/// What a run may do on a session's thread before it looks at the clock. One call can take long; if calls turn out to
/// be quick, it may make more of them each time.
const FIRST_SLICE: Slice = Slice { instructions: 4_000, calls: 1 };
/// Most of them: calls that were quick so far may be slow from now on, and hold the session up so often.
const FIRST_CALLS_MAX: u64 = 64;
/// The same if it is advanced in another process: each slice is two messages.
const FIRST_SLICE_BESIDE: Slice = Slice { instructions: 16_000, calls: FIRST_CALLS_MAX };
const LONG_CALLS_BESIDE: u64 = 2_000;
/// What it may do on a program thread before it looks whether to tell how it goes.
const LONG_SLICE: Slice = Slice { instructions: 20_000_000, calls: 10_000 };
/// Most memory that a job keeps for an outcome.
const KEPT_BYTES_MAX: usize = 1 << 16;
/// How often it tells.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Whether the policy wants an approval of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Approval {
    Needed,
    NotNeeded,
}

/// How far a job got.
pub(super) enum Progressing {
    Ended,
    GoesOn,
}

/// What is told to a client that does not read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Telling {
    /// Nothing: the next time it is told more.
    Latest,
    /// All, one after the other, as it reads; the run waits until its deadline or until it is cancelled.
    All,
}

/// All that a run needs. Its memory is used again for the next one.
pub(super) struct Job {
    cached: Arc<Cached>,
    machine: Machine,
    effective: Effective,
    /// What it may use as it stands: the effective limits, or what was drawn for it if that is less.
    granted: Amounts,
    /// The account that the last run drew from, and whose it is.
    till: Option<(Arc<str>, Till)>,
    /// What was drawn for it from its principal's account, until it is settled.
    hold: Option<Hold>,
    /// The program's caps, with what they were raised by since.
    caps: Vec<Cap>,
    /// What it had used when it stopped for the last time, without what is counted in `made`; the time in ns.
    before: Amounts,
    before_ns: u64,
    /// How often it stopped.
    stops: u32,
    /// What there is to say of the call that it stopped at.
    doubt: Doubt,
    /// It stopped at a call that was not sent.
    unsent: bool,
    /// Under which it is kept; empty if it is not.
    name: String,
    /// Roots of its session and of other services, below which its portals can be had again; none if it is not kept.
    roots: Vec<Capability>,
    approval: Approval,
    /// Calls that it does not count, and its principal is charged for: those that made portals of texts before it began, and those that were not sent.
    made: u64,
    /// Of what it has used, calls and writes that were interrupted before they did anything. They are made again, and count against no limit of the whole run; its principal is
    /// charged for them.
    undone: Amounts,
    /// How its principal stood when there was nothing more to draw.
    short: Option<Standing>,
    caller: Caller,
    interrupt: Arc<AtomicU32>,
    options: RunOptions,
    began: Instant,
    /// Bytes of the longest outcome that a message of its session carries.
    outcome_bytes_max: usize,
    /// Instructions that were told of since it began or went on.
    told: u64,
    stop: Stop,
    /// The outcome as it is sent, and memory for parts of it.
    encoded: Vec<u8>,
    result: Vec<u8>,
    counted: Vec<CallCount>,
    /// Where it is advanced, if that is another process, which has the object that it calls.
    beside: Option<Place>,
    /// Where that process died, if it did.
    died: Option<Died>,
    /// Something that it holds makes calls that wait, in another process, and can be woken.
    may_wait: bool,
    /// The call that it stopped at was begun, and came back because it is to stop.
    interrupted: bool,
    /// The tree that it runs, if it is not to run bytecode.
    walk: Option<Box<tree::Walk>>,
    /// Why not, if there is none.
    not_walked: NotWalked,
    /// The machine was left in the middle of something and cannot be used again.
    broken: bool,
}

impl Default for Job {
    fn default() -> Job {
        Job {
            cached: Cached::none(),
            machine: Machine::new(),
            effective: Effective::new(&Limits::default(), &[]),
            granted: Amounts::default(),
            till: None,
            hold: None,
            caps: Vec::new(),
            before: Amounts::default(),
            before_ns: 0,
            stops: 0,
            doubt: Doubt::None,
            unsent: false,
            name: String::new(),
            roots: Vec::new(),
            approval: Approval::NotNeeded,
            made: 0,
            undone: Amounts::default(),
            short: None,
            caller: Caller::local(),
            interrupt: Arc::default(),
            options: RunOptions::default(),
            began: Instant::now(),
            outcome_bytes_max: usize::MAX,
            told: 0,
            stop: Stop::Pause,
            encoded: Vec::new(),
            result: Vec::new(),
            counted: Vec::new(),
            beside: None,
            died: None,
            may_wait: false,
            interrupted: false,
            walk: None,
            not_walked: NotWalked::Began,
            broken: false,
        }
    }
}

impl Job {
    /// Takes a program to run, and draws from the principal's account what it may use at most, or what can be had of it.
    pub(super) fn draw(
        &mut self,
        cached: Arc<Cached>,
        request: &RunRequest<'_>,
        session: &Session,
        accounts: &Arc<Accounts>,
        policy: &Policy,
    ) -> Result<(), Box<End>> {
        self.cached = cached;
        let is_named = |argument: &&Argument<'_>| matches!(argument, Argument::Named(_));
        let named = request.arguments.iter().filter(is_named).count() as u64;
        self.caps.clear();
        self.caps.extend_from_slice(&self.cached.program.caps);
        (self.before, self.before_ns, self.made) = (Amounts::default(), 0, 0);
        self.undone = Amounts::default();
        (self.stops, self.options, self.doubt) = (0, request.options, Doubt::None);
        self.not_walked = NotWalked::Began;
        let writes = self.cached.program.totals.writes > 0;
        let is_approved = policy.confirm == Confirm::Writes && writes && !self.cached.is_installed;
        self.approval = if is_approved { Approval::Needed } else { Approval::NotNeeded };
        self.name.clear();
        self.name.push_str(request.name);
        self.allot(session, accounts, policy, named)
    }

    /// Draws what is missing until the limits of the run are reached. So many calls come before it.
    fn allot(
        &mut self,
        session: &Session,
        accounts: &Arc<Accounts>,
        policy: &Policy,
        named: u64,
    ) -> Result<(), Box<End>> {
        let before = self.before;
        let limits = self.whole(policy);
        let effective = Effective::beside(&limits, &self.caps, self.undone);
        let most = Amounts::from(&effective.limits);
        let least = Amounts { calls: named, ..Amounts::default() };
        // A call that failed is made again, so that what was used says nothing of what is left of the bill.
        let mut wanted = most.minus(before).zip(self.cached.program.totals.amounts(), u64::min).plus(least);
        if self.options.dry {
            // It writes nothing.
            (wanted.writes, wanted.written) = (0, 0);
        }
        let mut hold = Hold::new(self.till(&session.caller().principal, accounts), self.charged(before));
        hold.begin(wanted, least).map_err(|(kind, standing)| {
            Box::new(End::Refused(Refusal::Allowance { kind, standing: Box::new(standing) }))
        })?;
        let (wanted, drawn) = (wanted.minus(least), hold.held().minus(least));
        self.granted = most;
        for kind in Amounts::KINDS {
            if drawn.of(kind) < wanted.of(kind)
                && let Some(place) = self.granted.place(kind)
            {
                *place = before.of(kind).saturating_add(drawn.of(kind));
            }
        }
        (self.effective, self.hold, self.short) = (effective, Some(hold), None);
        Ok(())
    }

    /// It runs for this session from now on.
    fn takes_part(&mut self, session: &Session) {
        self.caller = session.caller().clone();
        self.told = self.before.instructions;
        self.began = Instant::now();
        self.outcome_bytes_max = fit::outcome_bytes_max(session);
        self.stop = Stop::Pause;
        self.may_wait = Place::is_any(&self.machine);
        self.beside = if self.is_walk() || !self.may_wait { None } else { Place::of(&self.machine) };
        (self.died, self.interrupted, self.unsent) = (None, false, false);
    }

    /// Its portals are had from there.
    fn stands_below(&mut self, session: &Session, others: &[Root]) {
        self.roots.clear();
        if self.is_named() {
            self.roots.push(session.root().clone());
            self.roots.extend(others.iter().map(|other| other.root.clone()));
        }
    }

    /// The account of a principal; most jobs are used by the same one again.
    fn till(&mut self, principal: &Arc<str>, accounts: &Arc<Accounts>) -> Till {
        match &self.till {
            Some((of, till)) if of == principal => till.clone(),
            _ => self.till.insert((Arc::clone(principal), accounts.till(principal))).1.clone(),
        }
    }

    /// More of what the run has used up, if that was not its own limit and its principal has some.
    fn drew_more(&mut self, kind: LimitKind) -> bool {
        let missing = Amounts::from(&self.effective.limits).of(kind).saturating_sub(self.granted.of(kind));
        if missing == 0 {
            return false;
        }
        let used = self.used(&self.receipt());
        let budget = &mut self.machine.budget;
        let left = match kind {
            LimitKind::Calls => &mut budget.calls_left,
            LimitKind::Writes => &mut budget.writes_left,
            LimitKind::Written => &mut budget.written_left,
            LimitKind::Instructions => &mut budget.instructions_left,
            LimitKind::Returned | LimitKind::Memory | LimitKind::Time | LimitKind::Loop(_) => return false,
        };
        let (Some(hold), Some(granted)) = (&mut self.hold, self.granted.place(kind)) else { return false };
        match hold.more(kind, missing, used) {
            Ok(more) => {
                *left += more;
                *granted += more;
                true
            }
            Err(standing) => {
                self.short = Some(standing);
                false
            }
        }
    }

    /// What is charged to its principal.
    fn used(&self, receipt: &Receipt) -> Amounts {
        self.charged(receipt.amounts())
    }

    fn charged(&self, used: Amounts) -> Amounts {
        let calls = used.calls + self.made;
        // A dry run writes nothing.
        let (writes, written) = if self.options.dry { (0, 0) } else { (used.writes, used.written) };
        Amounts { calls, writes, written, ..used }
    }

    /// Tells the account of its principal what the run has used.
    fn settle(&mut self, receipt: &Receipt) {
        let used = self.used(receipt);
        match self.hold.take() {
            // Its machine was left before it could write down what the last slice took.
            Some(hold) if self.broken => {
                hold.settle_all_of(&[LimitKind::Written, LimitKind::Instructions], used);
            }
            // Nobody knows what it did since it was heard of last.
            Some(hold) if self.died == Some(Died::Anywhere) => {
                hold.settle_all_of(&Amounts::KINDS, used);
            }
            Some(hold) => hold.settle(used),
            None => {}
        }
    }

    /// The same for a run that was not begun after all.
    pub(super) fn settle_unbegun(&mut self) {
        if let Some(hold) = self.hold.take() {
            hold.settle(Amounts { calls: self.made, ..Amounts::default() });
        }
    }

    /// Binds the arguments. Portals that are named by a text are made by the root object's `@argument` operation.
    pub(super) fn prepare(
        &mut self,
        request: &RunRequest<'_>,
        portals: &[Capability],
        session: &Session,
        others: &[Root],
    ) -> Result<(), Box<End>> {
        let budget = self.budget();
        let Job { cached, machine, made, .. } = self;
        let program = &*cached.program;
        machine.reset(program, budget);
        let refuse = |index: usize, message: String| {
            Box::new(End::Refused(Refusal::Argument { index: index as u32, message }))
        };
        if request.arguments.len() != program.params.len() {
            let (found, expected) = (request.arguments.len(), program.params.len());
            return Err(refuse(
                found.min(expected),
                format!("{found} arguments where {expected} are expected"),
            ));
        }
        let caller = session.caller().clone();
        let root = session.root();
        let mut binder = Binder { program, machine, portals, root, others, caller: &caller, made };
        for (index, (argument, place)) in request.arguments.iter().zip(&program.params).enumerate() {
            binder.bind(argument, *place).map_err(|message| refuse(index, message))?;
        }
        machine.begin_at(program, now_ns());
        self.stands_below(session, others);
        self.takes_part(session);
        Ok(())
    }

    fn budget(&self) -> Budget {
        let Amounts { calls, writes, written, instructions } = self.granted.minus(self.before);
        Budget {
            calls_left: calls,
            writes_left: writes,
            written_left: written,
            instructions_left: instructions,
            ..self.effective.budget()
        }
    }

    /// Something panicked in the middle of it: the job is not used again.
    pub(super) fn spoil(&mut self) {
        self.broken = true;
    }

    /// Lets go of the objects that the run held, and of its place in the journal; whether the job can be used again.
    pub(super) fn let_go(&mut self) -> bool {
        self.roots.clear();
        self.beside = None;
        if !self.broken {
            self.machine.end();
        }
        self.walk = None;
        !self.broken
    }

    /// Lets go of all that the run held; whether the job can be used again.
    pub(super) fn release(&mut self) -> bool {
        self.let_go();
        if !self.broken {
            self.machine.release();
            for bytes in [&mut self.encoded, &mut self.result] {
                bytes.clear();
                bytes.shrink_to(KEPT_BYTES_MAX);
            }
        }
        self.cached = Cached::none();
        !self.broken
    }

    /// When the run's time is over.
    pub(super) fn deadline(&self) -> Instant {
        self.began.checked_add(self.time_left()).unwrap_or_else(|| self.began + Duration::from_secs(1 << 30))
    }

    /// The time that it had when it began or went on.
    fn time_left(&self) -> Duration {
        Duration::from_nanos(self.effective.limits.time_ns.saturating_sub(self.before_ns))
    }

    /// What will stop the next run; nobody who could stop an earlier one holds it.
    pub(super) fn fresh_interrupt(&mut self) -> &Arc<AtomicU32> {
        match Arc::get_mut(&mut self.interrupt) {
            Some(mine) => *mine.get_mut() = 0,
            None => self.interrupt = Arc::default(),
        }
        &self.interrupt
    }

    pub(super) fn interrupt(&self) -> Arc<AtomicU32> {
        Arc::clone(&self.interrupt)
    }

    /// Where its writing calls are written down.
    pub(super) fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// What it runs.
    pub(super) fn cached(&self) -> &Arc<Cached> {
        &self.cached
    }

    /// Whether it waits for its program to be translated before it goes on.
    pub(super) fn wants_code(&self) -> bool {
        self.options.engine == Engine::Native
            && !self.cached.program.is_array()
            && !self.cached.was_translated()
    }

    /// Instructions that it has run since this was asked last.
    pub(super) fn ran(&mut self) -> u64 {
        let all = self.granted.instructions - self.machine.budget.instructions_left;
        all - std::mem::replace(&mut self.told, all)
    }

    /// Runs on the caller's thread for about `time`. A run that is traced, waits for its code, or is one of a tree, goes to a
    /// program thread at once.
    pub(super) fn begin(&mut self, time: Duration) -> Progressing {
        if self.options.trace || self.wants_code() || self.is_walk() {
            return Progressing::GoesOn;
        }
        if self.stops > 0 {
            // It may have none left.
            self.look_at_the_clock();
        }
        let time = time.min(self.time_left());
        if self.beside.is_some() && self.cached.program.ops.iter().any(|op| op.operation.blocks) {
            // It would come back before the first such call.
            return Progressing::GoesOn;
        }
        let blocking = self.began.checked_add(time).map_or(Blocking::Pauses, Blocking::Tried);
        let mut slice = if self.beside.is_some() { FIRST_SLICE_BESIDE } else { FIRST_SLICE };
        loop {
            self.advance(slice, blocking);
            match self.stop {
                Stop::Pause if self.began.elapsed() < time => {
                    slice.calls = (slice.calls * 2).min(FIRST_CALLS_MAX);
                }
                Stop::Pause | Stop::Blocks => return Progressing::GoesOn,
                _ => return Progressing::Ended,
            }
        }
    }

    /// Runs to the end, on a program thread; `ran` hears of it between slices.
    pub(super) fn go_on(&mut self, tell: &dyn Fn(&[u8], Telling), ran: &dyn Fn(&mut Job), turns: &Turns) {
        self.look_at_the_clock();
        if self.is_walk() {
            return self.walk(tell, turns);
        }
        let mut share = Share::new(turns);
        if matches!(self.stop, Stop::Blocks) {
            share.waits_first();
        }
        if self.options.trace {
            return self.traced(tell, &mut share);
        }
        let mut told = Instant::now();
        let (calls, calls_max) = match self.beside {
            Some(_) => (LONG_CALLS_BESIDE, LONG_CALLS_BESIDE),
            None => (64, LONG_SLICE.calls),
        };
        let mut slice = Slice { calls, instructions: LONG_SLICE.instructions / 32 };
        loop {
            self.advance_in_turn(slice, &mut share);
            ran(self);
            if self.stop != Stop::Pause {
                return;
            }
            slice.instructions = (slice.instructions * 2).min(LONG_SLICE.instructions);
            self.look_at_the_clock();
            if told.elapsed() >= TELL_EVERY {
                told = Instant::now();
                slice.calls = (slice.calls / 2).max(1);
                let receipt = self.receipt();
                tell(
                    &Progress::Counts { calls: receipt.calls, written: receipt.written }.encode(),
                    Telling::Latest,
                );
            } else {
                slice.calls = (slice.calls * 2).min(calls_max);
            }
        }
    }

    /// The clock thread ends runs at their deadline; if the system had no thread for it, this does between slices.
    fn look_at_the_clock(&self) {
        if self.began.elapsed() >= self.time_left() {
            self.interrupt.fetch_or(DEADLINE, Ordering::Relaxed);
        }
    }

    /// Whether another process makes its calls. What is written down call by call is called from here.
    fn is_beside(&mut self) -> bool {
        self.beside.is_some() && self.machine.record().is_none()
    }

    /// Goes on for about a slice when it is its turn. What another process computes, the system shares out.
    fn advance_in_turn(&mut self, mut slice: Slice, share: &mut Share<'_>) {
        if self.is_beside() {
            return self.advance(slice, Blocking::Allowed);
        }
        share.begin(&self.interrupt);
        if share.is_free() {
            slice.instructions = slice.instructions.min(LONG_SLICE.instructions / 32);
            slice.calls = slice.calls.min(FIRST_CALLS_MAX);
        }
        self.advance(slice, Blocking::Allowed);
        share.end();
    }

    /// Goes on for about a slice, with more from its principal's account if what was drawn is used up: a call or block that
    /// did not fit was not begun.
    fn advance(&mut self, slice: Slice, blocking: Blocking) {
        loop {
            self.step(slice, blocking);
            let Stop::Limit(kind) = self.stop else { return };
            if !self.drew_more(kind) {
                return;
            }
            if kind == LimitKind::Calls {
                // The slice has no call left either: a traced run tells of the next one first.
                self.stop = Stop::Pause;
                return;
            }
        }
    }

    fn step(&mut self, slice: Slice, blocking: Blocking) {
        // Code without calls and loops looks at no interrupt by itself.
        if let Some(stop) = ending(&self.interrupt) {
            self.stop = stop;
            return;
        }
        let mode = if self.options.dry { Mode::Dry } else { Mode::Real };
        let env = Env { caller: &self.caller, interrupt: &self.interrupt, mode, blocking };
        let machine = &mut self.machine;
        let failed = machine.all_failed();
        let translation = self.cached.translation().filter(|_| self.options.engine != Engine::Bytecode);
        // A service that panics ends this run and no other.
        // What is written down call by call is called from here.
        let beside = self.beside.as_ref().filter(|_| machine.record().is_none());
        if let Some(place) = beside {
            let sent = Program { hash: self.cached.hash(), bytes: &self.cached.bytes };
            (self.stop, self.died) = place.advance(machine, (&self.cached.program, &sent), &env, slice);
            self.stops_where_interrupted(failed);
            return;
        }
        let advance = || match translation {
            Some(translation) => machine.advance_translated(translation, &env, slice),
            None => machine.advance(&self.cached.program, &env, slice),
        };
        let advanced =
            if self.may_wait { survived(|| stopped_by(&self.interrupt, advance)) } else { survived(advance) };
        self.stop = advanced.unwrap_or_else(|| {
            self.broken = true;
            Stop::CallFailed(Failure::new(Kind::Internal, "the service broke off in the middle of the call"))
        });
        self.stops_where_interrupted(failed);
    }

    fn receipt(&self) -> Receipt {
        let (budget, granted) = (&self.machine.budget, &self.granted);
        let counts = self.machine.counts().iter().zip(&self.cached.program.ops);
        let writes =
            counts.filter(|(_, op)| op.operation.effect == Effect::Writes).map(|(count, _)| *count).sum();
        Receipt {
            calls: self.machine.counts().iter().sum(),
            writes,
            written: if self.options.dry { 0 } else { granted.written - budget.written_left },
            instructions: granted.instructions - budget.instructions_left,
            memory: self.machine.memory(),
            time_ns: self.before_ns + u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX / 2),
        }
    }

    fn pos(&self) -> Pos {
        if let Some(pos) = self.walked_to() {
            return pos;
        }
        let at = u32::from(self.machine.pc());
        Form::of(&self.cached.bytes).pos(at)
    }

    /// The outcome. If it can go on, it is kept like that; not, if a call failed and it holds what `names` know to be gone.
    pub(super) fn end(&mut self, keeping: Option<Keeping>, names: &Names) -> Outcome {
        let stop = std::mem::replace(&mut self.stop, Stop::Pause);
        let receipt = self.receipt();
        self.settle(&receipt);
        let mut cannot_go_on = self.why_final(&stop, &receipt);
        let mut kept =
            keeping.filter(|_| self.can_go_on(&stop, &receipt)).and_then(|keeping| self.kept(keeping));
        if kept.is_some()
            && matches!(stop, Stop::CallFailed(_))
            && let Some(why) = survived(|| self.gone(names)).flatten()
        {
            (kept, cannot_go_on) = (None, Some(why));
        }
        let (mut end, result_at) = self.end_of(stop, &receipt);
        let short_of = self.short_of(&end, &receipt);
        match &end {
            end_now if self.is_still_in_doubt(&receipt) => end = doubt::again(end_now),
            End::CallInDoubt { .. } => self.doubt = Doubt::Open,
            _ => self.doubt = Doubt::None,
        }
        if self.doubt.is_open() {
            match (&mut kept, short_of) {
                (Some(kept), Ok(short_of)) => {
                    kept.short_of = short_of;
                    kept.in_doubt = if self.may_repeat() { InDoubt::Leave } else { InDoubt::Repeat };
                }
                (Some(_), Err(why)) => (kept, cannot_go_on) = (None, Some(why.to_owned())),
                (None, _) => {}
            }
        }
        let mut result = None;
        if self.is_walk() {
            let mut bytes = std::mem::take(&mut self.result);
            bytes.clear();
            result = self.walked(&mut bytes).then_some(bytes);
        } else if result_at != NONE && self.died.is_none() {
            let mut bytes = std::mem::take(&mut self.result);
            bytes.clear();
            match self.machine.result(&self.cached.program, result_at, &mut bytes) {
                Some(()) => result = Some(bytes),
                None if end == End::Done => end = self.limit(LimitKind::Returned, &receipt),
                None => {}
            }
        }
        let call = match &end {
            End::Done | End::Failed(_) | End::Rejected(_) | End::Refused(_) => None,
            _ => self.call_here(),
        };
        let counts = self.machine.counts().iter().zip(&self.cached.program.ops).enumerate();
        let counts = counts.filter(|(_, (count, _))| **count > 0);
        let mut calls = std::mem::take(&mut self.counted);
        calls.clear();
        calls.extend(counts.map(|(k, (n, op))| CallCount::of(op, *n, self.machine.failed_calls(k))));
        let outcome = Outcome {
            at: u32::from(self.machine.pc()),
            pos: if end == End::Done { Pos::default() } else { self.pos() },
            call,
            result,
            calls,
            receipt,
            dry: self.options.dry,
            kept,
            cannot_go_on,
            end,
        };
        if kept.is_some() {
            (self.before, self.before_ns, self.stops) = (receipt.amounts(), receipt.time_ns, self.stops + 1);
            self.stands_as_it_stopped();
        }
        fit::fitting(outcome, self.outcome_bytes_max)
    }

    /// The outcome in bytes; its memory is used again.
    pub(super) fn encode(&mut self, outcome: Outcome) -> &[u8] {
        outcome.encode_into(&mut self.encoded);
        self.counted = outcome.calls;
        self.result = outcome.result.unwrap_or_default();
        &self.encoded
    }

    /// The way it ended, and the slot of the result or of what there is of it.
    fn end_of(&self, stop: Stop, receipt: &Receipt) -> (End, u16) {
        let so_far = self.cached.program.so_far;
        let end = match stop {
            Stop::Done(slot) => return (End::Done, slot),
            Stop::Failed(message) => End::Failed(message),
            Stop::CallFailed(failure) if self.leaves_doubt(&failure) => {
                End::CallInDoubt { message: failure.details().message.clone() }
            }
            Stop::CallFailed(failure) if self.counts_as_done(&failure) => {
                let why = &failure.details().message;
                let message = format!("{why}; the call counts as done: its answer came, and was refused");
                End::CallFailed { raised: false, message }
            }
            Stop::CallFailed(failure) => End::CallFailed {
                raised: failure.kind() == Kind::Raised,
                message: failure.details().message.clone(),
            },
            Stop::Limit(kind) => self.limit(kind, receipt),
            Stop::Deadline => self.limit(LimitKind::Time, receipt),
            Stop::Fault(kind) => End::Fault(kind),
            Stop::Revoked => End::Revoked,
            Stop::Cancelled => End::Cancelled,
            Stop::CannotKnow => End::CannotKnow,
            Stop::Pause | Stop::Blocks => End::Fault(FaultKind::Internal),
        };
        (end, so_far)
    }

    fn limit(&self, kind: LimitKind, receipt: &Receipt) -> End {
        let (limit, source) = self.effective.limit_in(kind, &self.cached.program);
        let used = receipt.used_of(kind, limit);
        // Those of the server are counted from where it went on, as far as they are; those of the header without what did nothing.
        let before = match (kind, source, self.approval) {
            (LimitKind::Time, LimitSource::Server, Approval::NotNeeded) => self.before_ns,
            (kind, LimitSource::Server, Approval::NotNeeded) => self.before.of(kind),
            (kind, LimitSource::Header(_), _) => self.undone.of(kind),
            _ => 0,
        };
        let (limit, used) = (limit.saturating_sub(before), used.saturating_sub(before));
        match self.short {
            // Of the four kinds that are counted for a principal, one stopped it, and the run's own limit was not reached.
            Some(Standing { period_s, again_s, allowance, used, held }) if self.is_short_of(kind) => {
                let source = LimitSource::Allowance { period_s, again_s, held: held.of(kind) };
                End::Limit { kind, limit: allowance.of(kind), used: used.of(kind), source }
            }
            _ => End::Limit { kind, limit, used, source },
        }
    }

    /// Whether less was granted than the run's own limit.
    fn is_short_of(&self, kind: LimitKind) -> bool {
        self.granted.of(kind) < Amounts::from(&self.effective.limits).of(kind)
    }

    /// The call at the program counter, for people.
    fn call_here(&self) -> Option<StoppedCall> {
        if self.is_walk() {
            return self.walked_into();
        }
        if matches!(self.died, Some(Died::Between | Died::Anywhere)) {
            return None;
        }
        let (op, step) = self.call_at()?;
        Some(StoppedCall {
            operation: op.name(),
            register: step.a,
            arguments: shown::arguments_of(op, &self.machine.request(op, &step), self.machine.areas()),
            interrupted: self.interrupted,
        })
    }

    fn call_at(&self) -> Option<(&BoundOp, Step)> {
        self.machine.call_here(&self.cached.program)
    }
}

fn now_ns() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
