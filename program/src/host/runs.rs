//! Runs by identity: running, or ended with a stored outcome.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher as _, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use carnet_portal::entry::{Responder, Teller, reply_to_all};
use foldhash::fast::RandomState;

use super::Policy;
use super::job::Job;
use super::stopped::{Held, Staying, Stopped, StoppedRuns};
use crate::interp::CANCEL;
use crate::journal::Resumed;
use crate::protocol::{self, End, Refusal, RunId};

/// A run's identity is its principal's own: nobody else can ask for it or cancel it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) principal: Arc<str>,
    pub(super) id: RunId,
}

impl Hash for Key {
    /// The identity alone: two principals with the same are rare, and compared all the same.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.id.0 as u64);
        state.write_u64((self.id.0 >> 64) as u64);
    }
}

pub(super) struct Runs {
    /// Hashes have a key of the table's own, so that clients cannot choose identities that collide.
    all: HashMap<Key, Run, RandomState>,
    /// Ended runs of each principal.
    kept: HashMap<Arc<str>, Kept, RandomState>,
    stored: usize,
    stored_bytes: usize,
    /// Ended runs that can go on; their outcomes are stored, too.
    stopped: StoppedRuns,
    running: usize,
    /// None is begun any more.
    is_closed: bool,
    /// Runs that began, counted.
    clock: u64,
    /// Of runs whose outcomes were forgotten the last one's count, for principals by a hash of theirs.
    forgotten: Box<[u64; HORIZONS]>,
    /// Whose answers hold up a program thread, because the client does not read.
    held_up: Vec<Arc<str>>,
    running_max: usize,
    per_principal_max: usize,
    stored_max: usize,
    stored_bytes_max: usize,
}

/// So many groups of principals are told apart by how far back their runs are remembered.
const HORIZONS: usize = 1024;

/// Ended runs of one principal.
#[derive(Default)]
struct Kept {
    /// Oldest first.
    ids: VecDeque<RunId>,
    bytes: usize,
}

struct Run {
    /// Of what the run is.
    digest: u64,
    /// Which one it was of those that began.
    begun: u64,
    /// Empty if it has none.
    name: Arc<str>,
    /// How it went on last.
    resumed: Option<Resumed>,
    state: State,
}

enum State {
    Running { interrupt: Arc<AtomicU32>, waiting: Waiting },
    Ended(Outcome),
}

/// An outcome as it is sent.
pub(super) type Outcome = Arc<[u8]>;

/// Who waits for a run: the one who began it, and those who asked for the same again.
#[derive(Default)]
pub(super) struct Waiting {
    first: Option<Waiter>,
    more: Vec<Waiter>,
}

/// One who waits for a run.
pub(super) struct Waiter {
    responder: Responder,
    /// Its session ends soon: it is told what became of the run, but does not keep it running.
    is_given_up: bool,
}

impl Waiter {
    pub(super) fn new(responder: Responder) -> Waiter {
        Waiter { responder, is_given_up: false }
    }

    /// It waits no more: `end` says why nothing is run.
    pub(super) fn not_run(self, end: Box<End>) -> Met {
        Met::NotRun(end, self.responder)
    }

    fn is_of(&self, session: u64) -> bool {
        self.responder.session().is_some_and(|of| of.caller().session == session)
    }
}

impl State {
    fn running(interrupt: &Arc<AtomicU32>, first: Waiter) -> State {
        let waiting = Waiting { first: Some(first), more: Vec::new() };
        State::Running { interrupt: Arc::clone(interrupt), waiting }
    }
}

impl Waiting {
    fn iter(&self) -> impl Iterator<Item = &Waiter> {
        self.first.iter().chain(&self.more)
    }

    /// Takes out those who wait in this session.
    fn leave(&mut self, session: u64) -> impl Iterator<Item = Waiter> {
        let first = self.first.take_if(|waiter| waiter.is_of(session));
        first.into_iter().chain(self.more.extract_if(.., move |waiter| waiter.is_of(session)))
    }

    fn give_up(&mut self, session: u64) {
        let all = self.first.iter_mut().chain(&mut self.more);
        all.filter(|waiter| waiter.is_of(session)).for_each(|waiter| waiter.is_given_up = true);
    }

    /// Whether nobody waits who keeps the run running.
    fn is_over(&self) -> bool {
        self.iter().all(|waiter| waiter.is_given_up)
    }

    /// Tells all of them; `held_up` is called before it waits for one that does not read.
    pub(super) fn answer(self, outcome: &[u8], held_up: &mut dyn FnMut()) {
        let waiters = self.first.into_iter().chain(self.more);
        reply_to_all(waiters.map(|waiter| waiter.responder), outcome, held_up);
    }
}

impl Run {
    /// Another request under an identity that was used.
    fn join(&mut self, digest: u64, waiter: Waiter) -> Met {
        if self.digest != digest {
            return not_run(Refusal::IdentityUsed, waiter);
        }
        self.attach(waiter)
    }

    /// Waits for the run with the others, or has its outcome.
    fn attach(&mut self, waiter: Waiter) -> Met {
        match &mut self.state {
            State::Running { waiting, .. } => {
                let teller = waiter.responder.teller();
                waiting.more.push(waiter);
                Met::Attached(Some(teller))
            }
            State::Ended(outcome) => Met::Stored(Arc::clone(outcome), waiter.responder),
        }
    }
}

/// What an outcome was stored for.
#[derive(Default)]
pub(super) struct Ended {
    /// Who waits for it.
    pub(super) waiting: Waiting,
    /// Runs that are kept no more, to be dropped when the lock is free again.
    pub(super) let_go: Vec<Stopped>,
}

/// What became of a request that begins no run.
pub(super) enum Met {
    /// The run is running already; the responder waits with the others. It is to be told so.
    Attached(Option<Teller>),
    /// It ended before.
    Stored(Outcome, Responder),
    /// It is not run.
    NotRun(Box<End>, Responder),
    /// It does not go on, and is kept as it was.
    Stays(Box<End>, Staying, Responder),
}

/// A run that goes on.
pub(super) enum GoesOn {
    /// Its job is ready.
    Ready(Box<Job>),
    /// Its job is to be made of what an earlier server has kept.
    Later(Box<Later>),
}

/// What a run goes on from, which counts as running already; and what is to be put back if it does not after all.
pub(super) struct Later {
    pub(super) stopped: Stopped,
    pub(super) interrupt: Arc<AtomicU32>,
    /// How it had gone on before.
    before: Option<Resumed>,
}

fn not_run(refusal: Refusal, waiter: Waiter) -> Met {
    waiter.not_run(Box::new(End::Refused(refusal)))
}

/// What is known of a run.
pub(super) enum Found {
    Unknown,
    /// The stop that it went on from, if it did.
    Running(Option<u32>),
    Ended(Outcome),
}

impl Runs {
    pub(super) fn new(policy: &Policy) -> Runs {
        Runs {
            all: HashMap::default(),
            kept: HashMap::default(),
            stored: 0,
            stored_bytes: 0,
            stopped: StoppedRuns::new(policy),
            running: 0,
            is_closed: false,
            clock: 0,
            forgotten: Box::new([0; HORIZONS]),
            held_up: Vec::new(),
            running_max: policy.runs_max,
            per_principal_max: policy.runs_per_principal_max,
            stored_max: policy.stored_max,
            stored_bytes_max: policy.stored_bytes_max,
        }
    }

    /// Answers a request for a run that is known, or that cannot begin now, whatever it asks for. Else it gives it back.
    pub(super) fn meet(&mut self, key: &Key, digest: u64, waiter: Waiter) -> Result<Waiter, Met> {
        if let Some(run) = self.all.get_mut(key) {
            return Err(run.join(digest, waiter));
        }
        match self.turned_away(&key.principal) {
            Some(refusal) => Err(not_run(refusal, waiter)),
            None => Ok(waiter),
        }
    }

    /// Goes on with the count of an earlier server, which may have forgotten what began until then.
    pub(super) fn go_on_from(&mut self, clock: u64, forgotten: u64) {
        self.clock = clock;
        self.forgotten.fill(forgotten);
    }

    /// Which run began last.
    pub(super) fn clock(&self) -> u64 {
        self.clock
    }

    /// Of this principal's runs none was forgotten that began after that one.
    pub(super) fn forgotten(&self, principal: &str) -> u64 {
        self.forgotten[horizon_of(&self.all, principal)]
    }

    /// Begins a run that `interrupt` will stop, unless the request is answered otherwise.
    pub(super) fn begin(
        &mut self,
        key: Key,
        digest: u64,
        name: &str,
        interrupt: &Arc<AtomicU32>,
        waiter: Waiter,
    ) -> Result<(), Met> {
        let state = State::running(interrupt, self.meet(&key, digest, waiter)?);
        self.clock += 1;
        // Most have none, and the empty one is shared.
        let name = if name.is_empty() { Arc::default() } else { name.into() };
        let run = Run { digest, begun: self.clock, name, resumed: None, state };
        self.all.insert(key, run);
        self.running += 1;
        Ok(())
    }

    /// Lets a run go on from a stop, if its job `is_ready` and is made so by `prepare`, or is to be made yet: it is running from now on.
    /// Else the request is answered, and all stays as it was.
    pub(super) fn resume(
        &mut self,
        key: &Key,
        (stop, resumed): (u32, Resumed),
        waiter: Waiter,
        is_ready: impl FnOnce(&Job) -> bool,
        prepare: impl FnOnce(&mut Job) -> Result<(), Box<End>>,
    ) -> Result<GoesOn, Met> {
        let turned_away = self.turned_away(&key.principal);
        let Some(run) = self.all.get_mut(key) else { return Err(not_run(Refusal::NotKept, waiter)) };
        if run.resumed == Some(resumed) {
            return Err(run.attach(waiter));
        }
        let State::Ended(_) = run.state else { return Err(not_run(Refusal::WentOn, waiter)) };
        if let Some(refusal) = turned_away {
            return Err(not_run(refusal, waiter));
        }
        let stopped = self.stopped.get_mut(key, Instant::now());
        let Some(stopped) = stopped else { return Err(not_run(Refusal::NotKept, waiter)) };
        if stopped.held.stops() != stop {
            return Err(not_run(Refusal::WentOn, waiter));
        }
        let is_made_ready = match &stopped.held {
            Held::Job(job) => is_ready(job),
            Held::Memento(..) => false,
        };
        let interrupt = match &mut stopped.held {
            Held::Job(job) if is_made_ready => {
                if let Err(end) = prepare(job) {
                    return Err(Met::Stays(end, stopped.staying(), waiter.responder));
                }
                Arc::clone(job.fresh_interrupt())
            }
            Held::Job(_) | Held::Memento(..) => Arc::default(),
        };
        let before = run.resumed.replace(resumed);
        run.state = State::running(&interrupt, waiter);
        self.running += 1;
        let outcome = stopped.outcome.len();
        self.unstore(key, outcome);
        match self.stopped.take(key) {
            Some(Stopped { held: Held::Job(job), .. }) if is_made_ready => Ok(GoesOn::Ready(job)),
            Some(stopped) => Ok(GoesOn::Later(Box::new(Later { stopped, interrupt, before }))),
            None => Err(Met::Attached(None)),
        }
    }

    /// A run does not go on after all: it is kept as it was, if it still may be.
    pub(super) fn stays(&mut self, key: Key, Later { stopped, before, .. }: Later) -> Ended {
        if let Some(run) = self.all.get_mut(&key) {
            run.resumed = before;
        }
        self.end(key, Arc::clone(&stopped.outcome), Some(stopped))
    }

    /// How a run of an earlier server went on last.
    pub(super) fn went_on(&mut self, key: &Key, resumed: Option<Resumed>) {
        if let Some(run) = self.all.get_mut(key) {
            run.resumed = resumed;
        }
    }

    /// Its outcome is stored no more, because it runs again.
    fn unstore(&mut self, key: &Key, bytes: usize) {
        let Some(kept) = self.kept.get_mut(&key.principal) else { return };
        kept.ids.retain(|id| *id != key.id);
        kept.bytes -= bytes;
        self.stored -= 1;
        self.stored_bytes -= bytes;
        if kept.ids.is_empty() {
            self.kept.remove(&key.principal);
        }
    }

    /// Lets go of a run that is kept; its outcome says so from now on.
    pub(super) fn discard(&mut self, key: &Key) -> Option<(Stopped, Outcome)> {
        let stopped = self.stopped.take(key)?;
        self.no_longer_kept(key);
        let told = match self.find(key) {
            Found::Ended(outcome) => outcome,
            _ => Arc::clone(&stopped.outcome),
        };
        Some((stopped, told))
    }

    /// Runs whose time to be kept is over.
    pub(super) fn over(&mut self, now: Instant) -> Vec<Stopped> {
        let over = self.stopped.over(now);
        self.unkept(over)
    }

    fn unkept(&mut self, gone: Vec<(Key, Stopped)>) -> Vec<Stopped> {
        gone.iter().for_each(|(key, _)| self.no_longer_kept(key));
        gone.into_iter().map(|(_, stopped)| stopped).collect()
    }

    /// The outcome of a run says no longer that it is kept.
    pub(super) fn no_longer_kept(&mut self, key: &Key) {
        self.retell(key, |told| protocol::Outcome { kept: None, ..told });
    }

    /// The outcome of a run says from now on why it cannot go on.
    pub(super) fn cannot_go_on(&mut self, key: &Key, why: &str) -> Option<Outcome> {
        self.retell(key, |told| protocol::Outcome { kept: None, cannot_go_on: Some(why.to_owned()), ..told })
    }

    fn retell(
        &mut self,
        key: &Key,
        retold: impl FnOnce(protocol::Outcome) -> protocol::Outcome,
    ) -> Option<Outcome> {
        let state = self.all.get_mut(key).map(|run| &mut run.state);
        let Some(State::Ended(outcome)) = state else { return None };
        let told = protocol::Outcome::decode(outcome).ok()?;
        let (before, now): (_, Outcome) = (outcome.len(), retold(told).encode().into());
        *outcome = Arc::clone(&now);
        self.stored_bytes = self.stored_bytes - before + now.len();
        if let Some(kept) = self.kept.get_mut(&key.principal) {
            kept.bytes = kept.bytes - before + now.len();
        }
        Some(now)
    }

    /// Names of a principal's runs that are running, and its runs that stopped.
    pub(super) fn of<'a>(
        &'a self,
        principal: &'a str,
    ) -> (impl Iterator<Item = &'a str>, impl Iterator<Item = &'a Stopped>) {
        let running = self.all.iter().filter(move |(key, run)| {
            *key.principal == *principal && !run.name.is_empty() && matches!(run.state, State::Running { .. })
        });
        (running.map(|(_, run)| &*run.name), self.stopped.of(principal))
    }

    /// Why no run of `principal` can begin at the moment, whatever it is.
    fn turned_away(&self, principal: &str) -> Option<Refusal> {
        if self.is_closed { Some(Refusal::Closing) } else { self.busy(principal) }
    }

    /// Of what there are as many runs as may be, if so.
    fn busy(&self, principal: &str) -> Option<Refusal> {
        let shown = |max: usize| u32::try_from(max).unwrap_or(u32::MAX);
        if self.threads() >= self.running_max {
            Some(Refusal::Busy(shown(self.running_max)))
        } else if self.of_principal(principal) >= self.per_principal_max {
            Some(Refusal::PrincipalBusy(shown(self.per_principal_max)))
        } else {
            None
        }
    }

    /// Whether this run cannot begin or go on as long as clients do not read.
    pub(super) fn is_held_up(&self, key: &Key) -> bool {
        !self.held_up.is_empty()
            && self.busy(&key.principal).is_some()
            && (!self.all.contains_key(key) || self.stopped.has(key))
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Threads that are in use, at most.
    fn threads(&self) -> usize {
        self.running + self.held_up.len()
    }

    /// A program thread waits for a client of this principal to read: that counts as a run, so that nobody can hold more
    /// threads than he may have runs.
    pub(super) fn hold_up(&mut self, principal: &Arc<str>) {
        self.held_up.push(Arc::clone(principal));
    }

    /// It waits no longer.
    pub(super) fn let_go(&mut self, principal: &Arc<str>) {
        if let Some(at) = self.held_up.iter().position(|held| held == principal) {
            self.held_up.swap_remove(at);
        }
    }

    fn of_principal(&self, principal: &str) -> usize {
        // Counted only when it could matter: most servers run fewer at once than one principal may.
        if self.threads() < self.per_principal_max {
            return 0;
        }
        let running = |(key, run): &(&Key, &Run)| {
            *key.principal == *principal && matches!(run.state, State::Running { .. })
        };
        let held_up = self.held_up.iter().filter(|held| ***held == *principal).count();
        self.all.iter().filter(running).count() + held_up
    }

    /// Stores the outcome of a run, and the run itself if it can go on.
    pub(super) fn end(&mut self, key: Key, outcome: Outcome, stopped: Option<Stopped>) -> Ended {
        let mut let_go = Vec::new();
        let state = self.all.get_mut(&key).map(|run| &mut run.state);
        let Some(state @ State::Running { .. }) = state else {
            let_go.extend(stopped);
            return Ended { waiting: Waiting::default(), let_go };
        };
        let bytes = outcome.len();
        let waiting = match std::mem::replace(state, State::Ended(outcome)) {
            State::Running { waiting, .. } => waiting,
            State::Ended(_) => Waiting::default(),
        };
        self.running -= 1;
        self.keep(key.clone(), bytes);
        match stopped {
            Some(stopped) if !self.is_closed => {
                let gone = self.stopped.put(key, stopped);
                let_go.extend(self.unkept(gone));
            }
            stopped => let_go.extend(stopped),
        }
        self.make_room(&mut let_go);
        Ended { waiting, let_go }
    }

    /// Forgets outcomes until there are no more than may be.
    fn make_room(&mut self, let_go: &mut Vec<Stopped>) {
        while self.stored > self.stored_max {
            let_go.extend(self.forget_oldest(|kept| kept.ids.len()));
        }
        while self.stored_bytes > self.stored_bytes_max {
            let_go.extend(self.forget_oldest(|kept| kept.bytes));
        }
    }

    /// Keeps a run that an earlier server has kept, whose outcome is stored; returns those that have to go.
    pub(super) fn keep_again(&mut self, key: Key, stopped: Stopped) -> Vec<(Key, Stopped)> {
        if !self.stores(&key, &stopped.outcome) {
            return vec![(key, stopped)];
        }
        let gone = self.stopped.put(key, stopped);
        gone.iter().for_each(|(key, _)| self.no_longer_kept(key));
        gone
    }

    /// Stores the outcome of a run of an earlier server.
    pub(super) fn restore(&mut self, key: Key, digest: u64, name: &str, outcome: Outcome) {
        if let Some(Run { state: State::Ended(before), .. }) = self.all.remove(&key) {
            self.unstore(&key, before.len());
        }
        let bytes = outcome.len();
        // It began with an earlier server, so before all that are counted here.
        let begun = self.clock;
        let run = Run { digest, begun, name: name.into(), resumed: None, state: State::Ended(outcome) };
        self.all.insert(key.clone(), run);
        self.keep(key, bytes);
        self.make_room(&mut Vec::new());
    }

    fn keep(&mut self, key: Key, bytes: usize) {
        let kept = self.kept.entry(key.principal).or_default();
        kept.ids.push_back(key.id);
        kept.bytes += bytes;
        self.stored += 1;
        self.stored_bytes += bytes;
    }

    /// Takes back a run that was not begun after all; returns who waits for it.
    pub(super) fn forget(&mut self, key: &Key) -> Waiting {
        match self.all.remove(key).map(|run| run.state) {
            Some(State::Running { waiting, .. }) => {
                self.running -= 1;
                waiting
            }
            _ => Waiting::default(),
        }
    }

    /// Forgets the oldest outcome of the principal that has most of what there is too much of. One that has no more than
    /// its share (the bound, divided among all who have outcomes) is never that one, whatever the others do.
    /// A run that could have gone on is returned.
    fn forget_oldest(&mut self, held: impl Fn(&Kept) -> usize) -> Option<Stopped> {
        let (principal, kept) = self.kept.iter_mut().max_by_key(|(_, kept)| held(kept))?;
        let id = kept.ids.pop_front()?;
        self.stored -= 1;
        let key = Key { principal: Arc::clone(principal), id };
        if let Some(Run { begun, state: State::Ended(outcome), .. }) = self.all.remove(&key) {
            kept.bytes -= outcome.len();
            self.stored_bytes -= outcome.len();
            let horizon = &mut self.forgotten[horizon_of(&self.all, &key.principal)];
            *horizon = begun.max(*horizon);
        }
        if kept.ids.is_empty() {
            self.kept.remove(&key.principal);
        }
        self.stopped.take(&key)
    }

    /// Whether this very outcome is stored under the key.
    pub(super) fn stores(&self, key: &Key, outcome: &Outcome) -> bool {
        let run = self.all.get(key);
        run.is_some_and(|run| matches!(&run.state, State::Ended(stored) if Arc::ptr_eq(stored, outcome)))
    }

    pub(super) fn find(&self, key: &Key) -> Found {
        match self.all.get(key).map(|run| (&run.state, run.resumed)) {
            None => Found::Unknown,
            Some((State::Running { .. }, resumed)) => Found::Running(resumed.map(|resumed| resumed.stop)),
            Some((State::Ended(outcome), _)) => Found::Ended(Arc::clone(outcome)),
        }
    }

    /// Cancels a run; whether it was running.
    pub(super) fn cancel(&mut self, key: &Key) -> bool {
        match self.all.get(key).map(|run| &run.state) {
            Some(State::Running { interrupt, .. }) => {
                interrupt.fetch_or(CANCEL, Ordering::Relaxed);
                true
            }
            _ => false,
        }
    }

    /// A session has ended: returns those who waited in it. Runs that nobody waits for any more are cancelled.
    pub(super) fn leave(&mut self, ended: u64) -> Vec<Waiter> {
        let mut gone = Vec::new();
        self.cancel_where(|waiting| {
            gone.extend(waiting.leave(ended));
            waiting.is_over()
        });
        gone
    }

    /// A session ends soon, and does not keep runs running.
    pub(super) fn give_up(&mut self, ending: u64) {
        self.cancel_where(|waiting| {
            waiting.give_up(ending);
            waiting.is_over()
        });
    }

    /// Begins no more runs, cancels all, and returns those that are kept: in one step, so that none is begun between.
    pub(super) fn close(&mut self) -> Vec<Stopped> {
        self.is_closed = true;
        self.cancel_where(|_| true);
        let (stay, gone) = self.stopped.drain().into_iter().partition(|(_, stopped)| stopped.survives);
        let stay: Vec<(Key, Stopped)> = stay;
        self.unkept(gone).into_iter().chain(stay.into_iter().map(|(_, stopped)| stopped)).collect()
    }

    fn cancel_where(&mut self, mut which: impl FnMut(&mut Waiting) -> bool) {
        if self.running == 0 {
            return;
        }
        for run in self.all.values_mut() {
            if let State::Running { interrupt, waiting } = &mut run.state
                && which(waiting)
            {
                interrupt.fetch_or(CANCEL, Ordering::Relaxed);
            }
        }
    }

    /// Those who wait for a run, to be told how it goes when the lock is free again.
    pub(super) fn waiting(&self, key: &Key) -> Vec<Teller> {
        match self.all.get(key).map(|run| &run.state) {
            Some(State::Running { waiting, .. }) => {
                waiting.iter().map(|waiter| waiter.responder.teller()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Runs at the moment, outcomes stored, and runs that are kept.
    pub(super) fn counts(&self) -> [u64; 3] {
        [self.running, self.stored, self.stopped.len()].map(|n| n as u64)
    }
}

/// Where the horizon of a principal is, by the hash of the table of runs.
fn horizon_of(all: &HashMap<Key, Run, RandomState>, principal: &str) -> usize {
    (all.hasher().hash_one(principal) % HORIZONS as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(principal: &str, id: u128) -> Key {
        Key { principal: principal.into(), id: RunId(id) }
    }

    /// A run of `principal` that ends with an outcome of so many bytes.
    fn ended(runs: &mut Runs, principal: &str, id: u128, bytes: usize) {
        let state = State::Running { interrupt: Arc::default(), waiting: Waiting::default() };
        runs.clock += 1;
        let run = Run { digest: 0, begun: runs.clock, name: "".into(), resumed: None, state };
        runs.all.insert(key(principal, id), run);
        runs.running += 1;
        runs.end(key(principal, id), vec![0; bytes].into(), None);
    }

    fn is_stored(runs: &Runs, principal: &str, id: u128) -> bool {
        matches!(runs.find(&key(principal, id)), Found::Ended(_))
    }

    fn bounded(stored_max: usize, stored_bytes_max: usize) -> Runs {
        Runs::new(&Policy { stored_max, stored_bytes_max, ..Policy::default() })
    }

    #[test]
    fn many_small_outcomes_push_out_no_large_one_of_another() {
        let mut runs = bounded(10, 1 << 20);
        ended(&mut runs, "bob", 1, 100_000);
        (1..=1_000).for_each(|id| ended(&mut runs, "alice", id, 10));
        assert!(is_stored(&runs, "bob", 1));
        assert_eq!(runs.counts(), [0, 10, 0]);
        assert!(is_stored(&runs, "alice", 1_000) && !is_stored(&runs, "alice", 991), "her oldest go first");
        assert_eq!(runs.stored_bytes, 100_000 + 9 * 10);
    }

    #[test]
    fn large_outcomes_push_out_none_of_many_small_ones_of_another() {
        let mut runs = bounded(1_000, 10_000);
        (1..=100).for_each(|id| ended(&mut runs, "bob", id, 40));
        (1..=20).for_each(|id| ended(&mut runs, "alice", id, 5_000));
        // One that is longer than all that may be kept is not kept itself.
        ended(&mut runs, "alice", 21, 10_001);
        assert!((1..=100).all(|id| is_stored(&runs, "bob", id)));
        assert_eq!((runs.stored, runs.stored_bytes), (100, 4_000));
    }

    #[test]
    fn principals_with_their_share_keep_it_whatever_the_others_do() {
        let mut runs = bounded(12, 12_000);
        for id in 0..4 {
            ended(&mut runs, "bob", id, 1_000);
            ended(&mut runs, "carol", id, 10);
        }
        for id in 0..500 {
            ended(&mut runs, "alice", id, if id % 2 == 0 { 1 } else { 7_000 });
            for mine in 0..4 {
                assert!(is_stored(&runs, "bob", mine) && is_stored(&runs, "carol", mine), "{id}");
            }
            assert!(runs.stored <= 12 && runs.stored_bytes <= 12_000);
        }
    }
}
