//! Programs run beside a service: the entry point of the server (CompositeCall's InterpServer).
//!
//! A request is decoded, verified, held against the policy, and run on the session's own thread, because a hop to
//! another thread costs more than a short program. What has run for [`HOP_AFTER`], or meets a call that may
//! block and of which its object does not say until then that it would not, moves to a program thread, so that the session hears its
//! client again.
//!
//! | file | what it does |
//! | --- | --- |
//! | `host.rs` | requests in, answers out |
//! | `host/policy.rs` | what the operator allows |
//! | `host/accounts.rs` | what each principal has left of its allowance |
//! | `host/beside.rs` | services that programs use beside the one of their session |
//! | `host/identity.rs` | what a run is, so that requests under one identity are told apart |
//! | `host/cache.rs` | verified programs, by hash |
//! | `host/trees.rs` | programs that come as trees |
//! | `host/installed.rs` | programs of the owner, by name |
//! | `host/translating.rs` | machine code for programs that run much |
//! | `host/runs.rs` | runs by identity: running, or ended with a stored outcome |
//! | `host/stopped.rs` | runs that stopped and can go on; `host/kept.rs`: kept, listed, going on, let go |
//! | `host/restart.rs` | runs that are written down, and what the next server says of them |
//! | `host/job.rs` | one run: arguments, slices, outcome; `host/job/stopped.rs`: how it goes on; `host/job/memento.rs`: as bytes; `host/job/tree.rs`: by the recursive interpreter |
//! | `host/workers.rs` | program threads, and the clock that ends runs |
//! | `host/workers/crew.rs` | which threads there are for the work that waits |
//!
//! A run that was begun ends in exactly one stored outcome, whoever is still there to hear of it. When the last session
//! ends that waits for a run, it is cancelled at its next call; what took effect can be asked for by the run's identity.

mod accounts;
mod beside;
mod cache;
mod identity;
mod installed;
mod job;
mod kept;
mod policy;
mod remembered;
mod restart;
mod runs;
mod stopped;
mod translating;
mod trees;
mod workers;

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use carnet_idl::descriptor::Module;
use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::entry::{EntryPoint, EntryRequest, Responder, Told};
use carnet_portal::meter::{Meter, Purse};
use carnet_portal::panics::{drop_quietly, survived};
use carnet_portal::session::Session;
use carnet_portal::sturdy::Sturdy;

use crate::bill::{Hash, bill};
use crate::interp::{Translation, ending};
use crate::journal::{Journal, Line};
use crate::protocol::{
    APPROVAL_DIGITS, ASK, Argument, BILL, BillAnswer, CANCEL, DISCARD, End, Engine, INSTALLED, Memory,
    NotWalked, Outcome, Progress, RESUME, RUN, RUNS, Receipt, Refusal, RunId, RunOptions, RunProgram,
    RunRequest, SERVICES, STATUS, Status, not_known,
};
use crate::tree::Pos;
use crate::verify::{Fault, FaultKind, LoadError, Loaded, Registry};

pub use crate::journal::JournalError;
pub use accounts::Clock;
pub use beside::{Beside, MakesRoot, NotToldApart, RootBeside, ServiceName};
pub use installed::OnlyInstalled;
pub use job::{portal_of_text, root_meant};
pub use policy::{Accepts, Confirm, Defaults, Policy, Trees};
pub use restart::NotTaken;

use accounts::Accounts;
use beside::{Others, Roots, Stays};
use cache::{Cache, Cached};
use installed::{Installed, NoCalls};
use job::{Job, Progressing, Telling};
use runs::{Found, Key, Met, Runs, Waiter, Waiting};
use stopped::Staying;
use translating::Translating;
use workers::Workers;

/// How long a program may keep the session's thread.
pub const HOP_AFTER: Duration = Duration::from_micros(50);

/// How long a traced run waits for a client that has not read what it was told, before it looks again.
const TELL_AGAIN_AFTER: Duration = Duration::from_millis(1);

/// How long a session waits for threads that send answers, before it says that there are as many runs as may be. It does
/// not if others are served by the same thread.
const LET_GO_WITHIN: Duration = Duration::from_millis(200);

/// Jobs that are kept for their memory to be used again.
const IDLE_JOBS_MAX: usize = 32;

/// Makes machine code of programs, one after the other.
pub trait Translate: Send {
    /// Translates a program.
    ///
    /// # Errors
    /// Why it is to be interpreted.
    fn translate(&mut self, program: &Arc<Loaded>) -> Result<Translation, String>;
}

/// Runs programs for the sessions of one server.
#[derive(Debug)]
pub struct Programs {
    inner: Arc<Inner>,
}

struct Inner {
    registry: Registry,
    policy: Policy,
    accounts: Arc<Accounts>,
    cache: Cache,
    trees: trees::Trees,
    installed: Mutex<Installed>,
    /// Where runs that write are written down.
    journal: OnceLock<Arc<Journal>>,
    /// Services whose objects can be had again by a later server.
    sturdy: OnceLock<Vec<Box<dyn Sturdy>>>,
    /// Runs that an earlier server kept, and that cannot go on.
    not_taken: Mutex<Vec<NotTaken>>,
    /// Those of them that go on when their program is there, by its hash.
    without_program: Mutex<Vec<(Hash, NotTaken)>>,
    /// Roots of other services, by which texts of arguments name objects of theirs.
    others: OnceLock<Others>,
    translating: Translating,
    runs: Arc<Mutex<Runs>>,
    /// Told when a thread that sent an answer is free again.
    let_go: Condvar,
    workers: Workers,
    #[expect(clippy::vec_box, reason = "jobs are large and move between threads")]
    idle: Mutex<Vec<Box<Job>>>,
    since: Instant,
    /// By which clients know it again.
    identity: u64,
    done: AtomicU64,
    not_done: AtomicU64,
    refused: AtomicU64,
    calls: AtomicU64,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Programs").field("policy", &self.policy).finish_non_exhaustive()
    }
}

/// A program as it was sent: if it is cached, its digest, and its tree, if that is to be run.
type Sent = (Option<Arc<Cached>>, u64, Option<Arc<trees::Received>>);

/// No lock is held while anything of ours can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Programs {
    /// Programs over the interfaces of `modules`.
    #[must_use]
    pub fn new(modules: &[&'static Module], policy: Policy) -> Programs {
        Programs::with_clock(modules, policy, Arc::new(Instant::now))
    }

    /// Lets programs use other services beside the one that sessions are opened on, of interfaces among the modules that were given. Of
    /// those with one interface all but one have names of their own; one with the interface of what sessions are opened on needs one, too,
    /// which is not known here: without, it is never meant. Said once; what is said later counts for nothing.
    ///
    /// # Errors
    /// [`NotToldApart`].
    pub fn also(&self, services: Vec<Beside>) -> Result<(), NotToldApart> {
        // It is decided before anything is served.
        let _ = self.inner.others.set(Others::new(services)?);
        Ok(())
    }

    /// Lets runs that are kept go on with the next server, as far as the objects that they hold can be named by these: of the
    /// service of sessions, then of those beside it in their order, one for each. Said once, as [`Programs::also`]; it counts for servers
    /// with a journal.
    pub fn sturdy_by(&self, services: Vec<Box<dyn Sturdy>>) {
        // It is decided before anything is served.
        let _ = self.inner.sturdy.set(services);
    }

    /// Modules of the services that programs can use beside the one of their session, each behind the service's name if it has one.
    #[must_use]
    pub fn others(&self) -> Vec<String> {
        let others = self.inner.others.get().into_iter().flat_map(Others::names);
        let shown = others.map(|(name, module)| match name {
            Some(name) => format!("{name}:{}", module.name),
            None => module.name.clone(),
        });
        shown.collect()
    }

    /// The same, with another clock for the periods of allowances.
    #[must_use]
    pub fn with_clock(modules: &[&'static Module], policy: Policy, clock: Clock) -> Programs {
        Programs::make(modules, policy, clock, None)
    }

    /// `journal` is the key of the one that it will have, and what it goes on from.
    fn make(
        modules: &[&'static Module],
        policy: Policy,
        clock: Clock,
        journal: Option<(u64, Line)>,
    ) -> Programs {
        let key = journal.map_or_else(|| RandomState::new().hash_one(0), |(key, _)| key);
        let mut runs = Runs::new(&policy);
        let line = journal.map(|(_, line)| line);
        line.iter().for_each(|line| runs.go_on_from(line.clock, line.forgotten));
        let inner = Arc::new_cyclic(|this: &Weak<Inner>| Inner {
            registry: Registry::new(modules),
            accounts: Arc::new(Accounts::new(policy.allowance, clock)),
            cache: Cache::new(&policy, key),
            trees: trees::Trees::new(&policy),
            installed: Mutex::default(),
            journal: OnceLock::new(),
            sturdy: OnceLock::new(),
            not_taken: Mutex::default(),
            without_program: Mutex::default(),
            others: OnceLock::new(),
            translating: Translating::default(),
            runs: Arc::new(Mutex::new(runs)),
            let_go: Condvar::new(),
            workers: Workers::new(policy.runs_max, {
                let this = Weak::clone(this);
                Box::new(move || this.upgrade().iter().for_each(|inner| inner.let_go_of_over()))
            }),
            policy,
            idle: Mutex::default(),
            since: Instant::now(),
            identity: remembered::identity(key, line),
            done: AtomicU64::new(0),
            not_done: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            calls: AtomicU64::new(0),
        });
        Programs { inner }
    }

    /// What is allowed.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.inner.policy
    }

    /// Has programs that run much translated by this; it is given once.
    pub fn translate_with(&self, translator: Box<dyn Translate>) {
        self.inner.translating.begin(translator);
    }

    /// Takes no more runs, cancels those that are running at their next call or backward branch, and lets go of those that are
    /// kept. With a journal these stay for the next server, and those that are cancelled, too, if they have a name.
    pub fn close(&self) {
        if let Some(journal) = self.inner.journal.get() {
            journal.close();
        }
        let kept = lock(&self.inner.runs).close();
        self.inner.let_go_of(kept);
        self.inner.workers.end_interrupted();
    }

    /// How the server is, and how `principal` stands.
    #[must_use]
    pub fn status(&self, principal: &str) -> Status {
        self.inner.status(principal)
    }
}

impl Drop for Inner {
    /// What is kept stays for the next server, however this one ends.
    fn drop(&mut self) {
        self.journal.get().into_iter().for_each(|journal| journal.close());
    }
}

impl EntryPoint for Programs {
    fn handle(&self, request: EntryRequest<'_>) {
        let EntryRequest { kind, data, portals, session, responder } = request;
        match kind {
            RUN => Inner::run(&self.inner, data, &portals, session, responder),
            BILL => self.inner.answer_bill(data, session, responder),
            CANCEL => self.inner.cancel(data, session, responder),
            ASK => self.inner.ask(data, session, responder),
            STATUS => {
                let status = self.inner.status(&session.caller().principal);
                responder.reply(&status.encode(), Vec::new());
            }
            RESUME => Inner::resume(&self.inner, data, session, responder),
            RUNS => self.inner.list(session, responder),
            DISCARD => Inner::discard(&self.inner, data, session, responder),
            INSTALLED => self.inner.tell_installed(data, responder),
            SERVICES => self.inner.tell_services(session, responder),
            kind => responder.fail(&Failure::new(Kind::Protocol, &not_known(kind))),
        }
    }

    fn closed(&self, session: &Session) {
        // Dropped when the lock is free again.
        let gone = lock(&self.inner.runs).leave(session.caller().session);
        drop(gone);
        self.inner.others.get().into_iter().for_each(|others| others.closed(session.caller().session));
        self.inner.workers.end_interrupted();
    }

    fn cancel(&self, session: &Session) {
        lock(&self.inner.runs).give_up(session.caller().session);
        self.inner.workers.end_interrupted();
    }
}

/// Single calls are charged to the accounts of programs.
impl Meter for Programs {
    fn open(&self, caller: &Caller) -> Box<dyn Purse> {
        NoCalls::of(&self.inner, caller).unwrap_or_else(|| self.inner.accounts.purse(caller))
    }
}

fn patience(session: &Session) -> Duration {
    if session.is_alone_on_its_thread() { LET_GO_WITHIN } else { Duration::ZERO }
}

impl Inner {
    fn status(&self, principal: &str) -> Status {
        let runs = lock(&self.runs);
        let [running, stored, kept] = runs.counts();
        let memory = Memory {
            server: remembered::for_principal(self.identity, principal),
            now: runs.clock(),
            forgotten: runs.forgotten(principal),
        };
        drop(runs);
        let [cached, translated] = self.cache.counts();
        Status {
            uptime_s: self.since.elapsed().as_secs(),
            running,
            done: self.done.load(Ordering::Relaxed),
            not_done: self.not_done.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            calls: self.calls.load(Ordering::Relaxed),
            stored,
            kept,
            cached,
            translated,
            memory,
            standing: self.accounts.standing(principal),
        }
    }

    fn run(
        this: &Arc<Inner>,
        data: &[u8],
        portals: &[Capability],
        session: &Arc<Session>,
        responder: Responder,
    ) {
        let Ok(request) = RunRequest::decode(data) else { return responder.fail(&malformed()) };
        let key = Key { principal: Arc::clone(&session.caller().principal), id: request.id };
        let (cached, digest, tree) = match this.find(&request, session) {
            Ok(found) => found,
            // It is asked for again at once.
            Err(end) => return responder.reply(&not_run(*end, request.options).encode(), Vec::new()),
        };
        let digest = identity::digest(digest, &request);
        // Verifying takes as long as the program is: not for what can be answered without. No identity is taken yet.
        let met = this.when_let_go(&key, patience(session)).meet(&key, digest, Waiter::new(responder));
        let waiter = match met {
            Ok(waiter) => waiter,
            Err(met) => return this.answer(met, request.options),
        };
        // Before the identity is taken: who asks with an approval shares nothing with who asked without.
        let cached = match this.admit(&request, cached, portals, session) {
            Ok(cached) => cached,
            Err(end) => return this.answer(waiter.not_run(end), request.options),
        };
        let mut job = lock(&this.idle).pop().unwrap_or_default();
        let mut runs = this.when_let_go(&key, patience(session));
        let begun = runs.begin(key.clone(), digest, request.name, job.fresh_interrupt(), waiter);
        drop(runs);
        if let Err(met) = begun {
            this.put_away(job);
            return this.answer(met, request.options);
        }
        // A service may be called to make a portal of a text, and may panic.
        let prepared = survived(|| {
            job.draw(cached, &request, session, &this.accounts, &this.policy)?;
            job.runs_tree(tree);
            let others = this.others(session, Stays::WithTheSession)?;
            job.prepare(&request, portals, session, &others)?;
            this.write_down(&key, digest, &request, &mut job)
        });
        let prepared = prepared.unwrap_or_else(|| {
            job.spoil();
            let message = "the service broke off while an argument was made".to_owned();
            Err(Box::new(End::CallFailed { message, raised: false }))
        });
        match prepared {
            Ok(()) => Inner::drive(this, key, job),
            Err(end) => {
                this.refused.fetch_add(1, Ordering::Relaxed);
                // What was never begun leaves the identity free. Who waits has the same arguments and the same account.
                let waiting = lock(&this.runs).forget(&key);
                job.settle_unbegun();
                waiting.answer(&not_run(*end, request.options).encode(), &mut || {});
                this.put_away(job);
            }
        }
    }

    /// Roots of other services for a session.
    fn others(&self, session: &Session, stays: Stays) -> Result<Roots<'_>, Box<End>> {
        let Some(others) = self.others.get() else { return Ok(Roots::Shared(&[])) };
        let found = others.of(session.caller(), stays);
        found.map_err(|failure| {
            Box::new(End::CallFailed { message: failure.details().message.clone(), raised: false })
        })
    }

    /// Answers a request that begins no run.
    fn answer(&self, met: Met, options: RunOptions) {
        match met {
            // Whoever does not read it has the outcome all the same.
            Met::Attached(teller) => {
                if let Some(teller) = teller {
                    let _ = teller.progress(&Progress::Again { running: true }.encode());
                }
            }
            Met::Stored(outcome, responder) => {
                let _ = responder.progress(&Progress::Again { running: false }.encode());
                responder.reply(&outcome, Vec::new());
            }
            Met::NotRun(end, responder) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                responder.reply(&not_run(*end, options).encode(), Vec::new());
            }
            Met::Stays(end, staying, responder) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                responder.reply(&stays(*end, &staying).encode(), Vec::new());
            }
        }
    }

    /// The runs, when no answer holds up a run that would be begun otherwise, or after this time. A client that has read its
    /// answer asks for its next run before the thread that sent it has noticed.
    fn when_let_go(&self, key: &Key, within: Duration) -> MutexGuard<'_, Runs> {
        let runs = lock(&self.runs);
        if !runs.is_held_up(key) {
            return runs;
        }
        let waited = self.let_go.wait_timeout_while(runs, within, |runs| runs.is_held_up(key));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// A program thread waits for a client no longer.
    fn let_go(&self, principal: &Arc<str>) {
        lock(&self.runs).let_go(principal);
        self.let_go.notify_all();
    }

    /// The program that a request names, if it is cached, and its digest; and its tree, if that is to be run.
    fn find(&self, request: &RunRequest<'_>, session: &Session) -> Result<Sent, Box<End>> {
        let refuse = |refusal| Box::new(End::Refused(refusal));
        let by_tree = request.options.engine == Engine::Tree;
        let (found, digest) = match request.program {
            RunProgram::Tree(bytes) => {
                let received = self.receive(bytes, session)?;
                let cached = Arc::clone(&received.cached);
                let digest = cached.digest;
                return Ok((Some(cached), digest, by_tree.then_some(received)));
            }
            _ if by_tree => return Err(refuse(Refusal::NotATree(NotWalked::NoTree))),
            RunProgram::Whole(bytes) | RunProgram::Cached { bytes, .. } => {
                let digest = self.cache.digest(bytes);
                (self.cache.with_bytes(digest, bytes), digest)
            }
            RunProgram::Hash(hash) => {
                let cached = self.with_hash(hash, session).ok_or_else(|| refuse(Refusal::NotCached))?;
                let digest = cached.digest;
                (Some(cached), digest)
            }
        };
        let policy = &self.policy;
        if policy.only_installed.binds(&session.caller().principal) {
            // What is not installed is not even verified.
            let hash = match (&found, request.program.bytes()) {
                (Some(found), _) => *found.hash(),
                (None, bytes) => crate::bill::hash(bytes.unwrap_or_default()),
            };
            let installed = lock(&self.installed).with_hash(&hash).cloned();
            let installed = installed.ok_or_else(|| refuse(Refusal::OnlyInstalled(policy.name.clone())))?;
            return Ok((Some(installed), digest, None));
        }
        Ok((found, digest, None))
    }

    /// The program, verified now if it was not cached.
    fn verified(
        &self,
        request: &RunRequest<'_>,
        cached: Option<Arc<Cached>>,
        session: &Session,
    ) -> Result<Arc<Cached>, Vec<Fault>> {
        match (cached, request.program.bytes()) {
            (Some(cached), _) => Ok(cached),
            (None, bytes) => {
                let owner = &session.caller().principal;
                self.cache.load(bytes.unwrap_or_default(), &self.registry, owner).map_err(faults)
            }
        }
    }

    /// Verifies a program and holds it against the policy.
    fn admit(
        &self,
        request: &RunRequest<'_>,
        cached: Option<Arc<Cached>>,
        portals: &[Capability],
        session: &Session,
    ) -> Result<Arc<Cached>, Box<End>> {
        let refuse = |refusal| Box::new(End::Refused(refusal));
        if !request.approval.is_empty() && !may_approve(request.approval) {
            return Err(refuse(Refusal::WrongApproval));
        }
        let cached = self.verified(request, cached, session).map_err(|e| Box::new(End::Rejected(e)))?;
        let program = &*cached.program;
        self.policy.check(program).map_err(refuse)?;
        let must = self.wants_approval(&cached) && !request.options.dry;
        if (must || !request.approval.is_empty())
            && let Some(index) = nameless(request, portals, session)
        {
            let message = "an approval cannot say which object this portal is on; \
                           hand in the root, or have it made of a text";
            return Err(refuse(Refusal::Argument { index: index as u32, message: message.to_owned() }));
        }
        if !request.approval.is_empty() {
            if !crate::text::hex(&self.approval(request, &cached)).starts_with(request.approval) {
                return Err(refuse(Refusal::WrongApproval));
            }
        } else if must {
            let principal = session.caller().principal.to_string();
            let approval = self.approval(request, &cached);
            let writes = crate::limits::Effective::new(&self.policy.limits, &program.caps).limits.writes;
            let writes = writes.min(program.totals.writes);
            return Err(refuse(Refusal::NotApproved { writes, principal, approval }));
        }
        Ok(cached)
    }

    /// Whether the policy wants an approval of what it writes. Who installed a program has approved it.
    fn wants_approval(&self, cached: &Cached) -> bool {
        self.policy.confirm == Confirm::Writes && cached.program.totals.writes > 0 && !cached.is_installed
    }

    fn approval(&self, request: &RunRequest<'_>, cached: &Cached) -> Hash {
        let arguments = crate::protocol::encode_arguments(&request.arguments);
        bill(&cached.bytes, &cached.program, &self.policy.limits).approval(&arguments)
    }

    /// Runs a job on this thread for a while, and hands it to a program thread if it is not done then.
    fn drive(this: &Arc<Inner>, key: Key, mut job: Box<Job>) {
        match job.begin(HOP_AFTER) {
            Progressing::Ended => {
                Inner::ran(this, &mut job);
                let (outcome, waiting, over) = this.end(key, job);
                this.tell_the_end(&outcome, waiting, over, &mut || {});
            }
            Progressing::GoesOn => {
                let inner = Arc::clone(this);
                let (deadline, interrupt) = (job.deadline(), job.interrupt());
                let work = Box::new(move || Inner::carry_on(&inner, key, job));
                this.workers.run(work, deadline, interrupt);
            }
        }
    }

    /// Runs a job to its end, on a program thread.
    fn carry_on(this: &Arc<Inner>, key: Key, mut job: Box<Job>) {
        let (deadline, interrupt) = (job.deadline(), job.interrupt());
        let tell = |progress: &[u8], telling| {
            let in_time = || ending(&interrupt).is_none() && Instant::now() < deadline;
            // The lock is free again before anybody is told.
            let waiting = lock(&this.runs).waiting(&key);
            for teller in &waiting {
                while teller.progress(progress) == Told::Dropped && telling == Telling::All && in_time() {
                    std::thread::park_timeout(TELL_AGAIN_AFTER);
                }
            }
        };
        Inner::give_code(this, &job);
        job.go_on(&tell, &|job| Inner::ran(this, job), this.workers.turns());
        let principal = Arc::clone(&key.principal);
        let (outcome, waiting, over) = this.end(key, job);
        let mut is_held_up = false;
        this.tell_the_end(&outcome, waiting, over, &mut || {
            if !std::mem::replace(&mut is_held_up, true) {
                lock(&this.runs).hold_up(&principal);
            }
        });
        if is_held_up {
            this.let_go(&principal);
        }
    }

    /// Answers those who wait, and puts the job away behind that, or before a client that does not read is waited for; `held_up` is called then.
    fn tell_the_end(
        &self,
        outcome: &[u8],
        waiting: Waiting,
        mut over: Option<Box<Job>>,
        held_up: &mut dyn FnMut(),
    ) {
        waiting.answer(outcome, &mut || {
            held_up();
            over.take().into_iter().for_each(|job| self.put_away(job));
        });
        over.into_iter().for_each(|job| self.put_away(job));
    }

    /// Stores the outcome of a job, and the job if it can go on; returns the outcome, who waits for it, and a job that is over. That
    /// holds no objects any more, and is to be put away behind the answer: much memory is not given back in a moment.
    fn end(&self, key: Key, mut job: Box<Job>) -> (Arc<[u8]>, Waiting, Option<Box<Job>>) {
        let keeping = if job.is_named() { Some(self.keeping()) } else { None };
        let mut outcome = survived(|| job.end(keeping, self.names())).unwrap_or_else(|| {
            job.spoil();
            no_account_of(End::Fault(crate::interp::FaultKind::Internal))
        });
        let survives = outcome.kept.is_some() && self.write_memento(&mut job);
        if outcome.kept.is_some() && !survives && lock(&self.runs).is_closed() {
            outcome.kept = None;
        }
        self.calls.fetch_add(outcome.receipt.calls, Ordering::Relaxed);
        let counter = if outcome.end == End::Done { &self.done } else { &self.not_done };
        counter.fetch_add(1, Ordering::Relaxed);
        let is_kept = outcome.kept.is_some();
        let bytes: Arc<[u8]> = Arc::from(job.encode(outcome));
        self.write_down_end(&mut job, &bytes);
        if is_kept {
            let waiting = self.keep(key, job, &bytes, survives);
            return (bytes, waiting, None);
        }
        let ended = lock(&self.runs).end(key, Arc::clone(&bytes), None);
        // Objects of a service may panic when they are let go.
        let over = match survived(|| job.let_go()) {
            Some(true) => Some(job),
            _ => {
                drop_quietly(job);
                None
            }
        };
        (bytes, self.ended(ended), over)
    }

    /// Keeps a job's memory for the next.
    fn put_away(&self, mut job: Box<Job>) {
        match survived(|| job.release()) {
            Some(true) => {
                let mut idle = lock(&self.idle);
                if idle.len() < IDLE_JOBS_MAX {
                    idle.push(job);
                }
            }
            _ => drop_quietly(job),
        }
    }

    fn answer_bill(&self, data: &[u8], session: &Session, responder: Responder) {
        let Ok(request) = RunRequest::decode(data) else { return responder.fail(&malformed()) };
        let no_bill = |faults, refusal| BillAnswer { bill: Err(faults), approval: [0; 32], refusal };
        let found = match self.find(&request, session) {
            Ok((cached, _, _)) => self.verified(&request, cached, session),
            Err(end) => {
                let answer = match *end {
                    End::Refused(refusal) => no_bill(Vec::new(), Some(refusal)),
                    End::Rejected(faults) => no_bill(faults, None),
                    _ => no_bill(Vec::new(), None),
                };
                return responder.reply(&answer.encode(), Vec::new());
            }
        };
        let answer = match found {
            Err(faults) => no_bill(faults, None),
            Ok(cached) => {
                let program = &*cached.program;
                let bill = bill(&cached.bytes, program, &self.policy.limits);
                let approval = bill.approval(&crate::protocol::encode_arguments(&request.arguments));
                let confirm = || {
                    let principal = session.caller().principal.to_string();
                    let writes = bill.writes.at_most;
                    let must = self.wants_approval(&cached) && writes > 0;
                    must.then_some(Refusal::NotApproved { writes, principal, approval })
                };
                let refusal = self.policy.check(program).err().or_else(confirm);
                BillAnswer { bill: Ok(bill), approval, refusal }
            }
        };
        responder.reply(&answer.encode(), Vec::new());
    }

    fn cancel(&self, data: &[u8], session: &Session, responder: Responder) {
        let Some(key) = key_of(data, session) else { return responder.fail(&malformed()) };
        let was_running = lock(&self.runs).cancel(&key);
        self.workers.end_interrupted();
        responder.reply(&[u8::from(was_running)], Vec::new());
    }

    fn ask(&self, data: &[u8], session: &Session, responder: Responder) {
        let Some(key) = key_of(data, session) else { return responder.fail(&malformed()) };
        let found = lock(&self.runs).find(&key);
        match found {
            Found::Unknown => responder.reply(&[0], Vec::new()),
            Found::Running(from) => {
                let mut answer = vec![1];
                from.into_iter().for_each(|stop| answer.extend_from_slice(&stop.to_le_bytes()));
                responder.reply(&answer, Vec::new());
            }
            Found::Ended(outcome) => {
                let mut answer = vec![2];
                answer.extend_from_slice(&outcome);
                responder.reply(&answer, Vec::new());
            }
        }
    }
}

fn key_of(data: &[u8], session: &Session) -> Option<Key> {
    let id = RunId(u128::from_le_bytes(data.try_into().ok()?));
    Some(Key { principal: Arc::clone(&session.caller().principal), id })
}

fn malformed() -> Failure {
    Failure::new(Kind::Protocol, "a request about programs that is cut off or damaged")
}

/// The first argument that is a portal on an object of which an approval says nothing: the arguments name the others by
/// their texts, and the root is the session's only one.
fn nameless(request: &RunRequest<'_>, portals: &[Capability], session: &Session) -> Option<usize> {
    let is_root = |portal: &Capability| {
        std::ptr::addr_eq(Arc::as_ptr(portal.object()), Arc::as_ptr(session.root().object()))
    };
    request.arguments.iter().position(|argument| match argument {
        Argument::Portal(index) => portals.get(*index as usize).is_some_and(|portal| !is_root(portal)),
        _ => false,
    })
}

/// Whether what a client gave can be the first digits of a hash, and enough of them: others are not compared.
fn may_approve(digits: &str) -> bool {
    (APPROVAL_DIGITS..=2 * size_of::<Hash>()).contains(&digits.len())
        && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

fn faults(error: LoadError) -> Vec<Fault> {
    match error {
        LoadError::Rejected(faults) => faults,
        LoadError::NotAProgram(reason) => vec![Fault {
            at: None,
            pos: Pos::default(),
            rule: "table",
            kind: FaultKind::Unsafe,
            message: reason.to_string(),
        }],
    }
}

/// The outcome of what was never begun.
fn not_run(end: End, options: RunOptions) -> Outcome {
    Outcome { dry: options.dry, ..no_account_of(end) }
}

/// The outcome of a request that a run is to go on, which does not and is kept as it was.
fn stays(end: End, staying: &Staying) -> Outcome {
    Outcome { kept: staying.kept(Instant::now()), ..no_account_of(end) }
}

/// An outcome that says nothing but how it ended.
fn no_account_of(end: End) -> Outcome {
    Outcome {
        end,
        at: 0,
        pos: Pos::default(),
        call: None,
        result: None,
        calls: Vec::new(),
        receipt: Receipt::default(),
        dry: false,
        kept: None,
        cannot_go_on: None,
    }
}

#[cfg(test)]
mod tests;
