//! Runs that stopped: how they are kept, listed, let go on and let go.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use carnet_portal::call::{Failure, Kind};
use carnet_portal::entry::Responder;
use carnet_portal::panics::{drop_quietly, survived};
use carnet_portal::session::Session;

use super::job::{Job, doubt};
use super::restart::{Looked, Lost};
use super::runs::{Ended, GoesOn, Key, Later, Waiter, Waiting};
use super::stopped::{Held, Keeping, Stopped, kept_from};
use super::{Inner, key_of, lock, malformed, not_run, patience, stays};
use crate::interp::ending;
use crate::protocol::{End, Outcome, Refusal, ResumeRequest, RunInfo, RunOptions, encode_runs};

/// How often who waits for what a run holds looks whether it was cancelled.
const LOOK_EVERY: Duration = Duration::from_millis(4);

impl Inner {
    /// For how long runs that stop are kept, and with what.
    pub(super) fn keeping(&self) -> Keeping {
        let policy = &self.policy;
        // What stops because the server ends is kept for the next one.
        let is_over = self.journal.get().is_none() && lock(&self.runs).is_closed();
        let is_none = policy.kept_max.min(policy.kept_per_principal_max) == 0 || is_over;
        Keeping {
            time: if is_none { Duration::ZERO } else { policy.kept_for },
            portals_max: policy.kept_portals_max.min(policy.kept_portals_per_principal_max),
            bytes_max: policy.kept_bytes_max.min(policy.kept_bytes_per_principal_max),
        }
    }

    /// Keeps a run that stopped, so that it can go on.
    #[cold]
    pub(super) fn keep(&self, key: Key, mut job: Box<Job>, outcome: &Arc<[u8]>, survives: bool) -> Waiting {
        job.shrink();
        // What a service that breaks off holds is over when it says so.
        survived(|| job.holds_on(self.names(), self.policy.kept_for));
        let now = Instant::now();
        let kept_for = self.policy.kept_for;
        let until = now.checked_add(kept_for).unwrap_or_else(|| now + Duration::from_secs(1 << 30));
        let alarm = Arc::default();
        let (bytes, portals) = job.holds();
        let bytes = bytes + key.principal.len() + outcome.len();
        let (held, outcome_now, _alarm) = (Held::Job(job), Arc::clone(outcome), Arc::clone(&alarm));
        let stopped = Stopped { held, survives, bytes, portals, outcome: outcome_now, until, _alarm };
        let ended = lock(&self.runs).end(key, Arc::clone(outcome), Some(stopped));
        self.workers.at(until, alarm);
        self.ended(ended)
    }

    pub(super) fn ended(&self, ended: Ended) -> Waiting {
        self.let_go_apart(ended.let_go);
        ended.waiting
    }

    pub(super) fn let_go_of(&self, stopped: Vec<Stopped>) {
        let jobs = stopped.into_iter().map(|stopped| stopped.held.no_longer_written_down());
        let jobs: Vec<_> = jobs.collect();
        jobs.into_iter().flatten().for_each(|job| self.put_away(job));
    }

    /// Lets go of runs that are not those of whose thread this is: a service may take long to let its objects go.
    pub(super) fn let_go_apart(&self, stopped: Vec<Stopped>) {
        let jobs = stopped.into_iter().filter_map(|stopped| stopped.held.no_longer_written_down());
        let jobs: Vec<Box<Job>> = jobs.collect();
        if !jobs.is_empty() {
            self.workers.apart(Box::new(move || jobs.into_iter().for_each(drop_quietly)));
        }
    }

    /// Lets go of runs whose time to be kept is over.
    pub(super) fn let_go_of_over(&self) {
        let over = lock(&self.runs).over(Instant::now());
        self.let_go_apart(over);
    }

    /// Lets a run go on that stopped.
    pub(super) fn resume(this: &Arc<Inner>, data: &[u8], session: &Arc<Session>, responder: Responder) {
        let Ok(request) = ResumeRequest::decode(data) else { return responder.fail(&malformed()) };
        let key = Key { principal: Arc::clone(&session.caller().principal), id: request.id };
        // It takes as long as what is set is: nobody waits for it.
        let resumed = request.resumed();
        let prepare = |job: &mut Job| {
            this.is_written_down(job.machine().record().is_some())?;
            job.resume(&request, resumed, session, &this.accounts, &this.policy)
        };
        let mut runs = this.when_let_go(&key, patience(session));
        let is_ready = |job: &Job| survived(|| !job.has_lost(this.names())).unwrap_or_default();
        let waiter = Waiter::new(responder);
        let met = runs.resume(&key, (request.stop, resumed), waiter, is_ready, prepare);
        drop(runs);
        match met {
            Ok(GoesOn::Ready(job)) => Inner::drive(this, key, job),
            Ok(GoesOn::Later(later)) => Inner::go_on_later(this, key, request, session, later),
            Err(met) => this.answer(met, RunOptions::default()),
        }
    }

    /// Whether what a run does from now on can be written down, if it is to be.
    pub(super) fn is_written_down(&self, is_to_be: bool) -> Result<(), Box<End>> {
        match self.journal.get().filter(|_| is_to_be) {
            Some(journal) => journal.check().map_err(|why| Box::new(End::Refused(Refusal::NoJournal(why)))),
            None => Ok(()),
        }
    }

    /// Lets a run go on that an earlier server has kept, or that holds what is lost. What it holds is looked for while a program thread waits: a service
    /// may take long to find its objects, and others wait for this one.
    fn go_on_later(
        this: &Arc<Inner>,
        key: Key,
        request: ResumeRequest,
        session: &Arc<Session>,
        later: Box<Later>,
    ) {
        let (inner, session, interrupt) =
            (Arc::clone(this), Arc::clone(session), Arc::clone(&later.interrupt));
        let does = move || Inner::look_and_go_on(&inner, key, &request, &session, later);
        this.workers.give(Box::new(does), interrupt);
    }

    /// Has what a run holds looked for on a thread apart, and lets it go on. If that is cancelled meanwhile, whoever asked is told so at once; until
    /// the service has answered or its time is over, this thread counts as a run of the principal all the same.
    fn look_and_go_on(
        this: &Arc<Inner>,
        key: Key,
        request: &ResumeRequest,
        session: &Session,
        mut later: Box<Later>,
    ) {
        let interrupt = Arc::clone(&later.interrupt);
        if ending(&interrupt).is_some() {
            return this.stays_cancelled(key, *later);
        }
        if let Err(end) = this.is_written_down(later.stopped.held.record().is_some()) {
            return this.stays(key, *later, *end);
        }
        let lost = Lost::of(&later.stopped.held);
        let look = || {
            let broke_off =
                || Refusal::CannotGoOn("a service broke off while its objects were looked for".to_owned());
            let looked = survived(|| this.look(&key, &lost, session));
            looked.unwrap_or_else(|| Err(Box::new(End::Refused(broke_off()))))
        };
        let look: &(dyn Fn() -> Looked + Sync) = &look;
        let (tell, told) = mpsc::sync_channel(1);
        let mut later = Some(later);
        let found = thread::scope(|scope| {
            // There is room for it, also if nobody is told any more.
            let looks = move || _ = tell.send(look());
            if thread::Builder::new().name("carnet-looks".into()).spawn_scoped(scope, looks).is_err() {
                return Some(look());
            }
            loop {
                match told.recv_timeout(LOOK_EVERY) {
                    Ok(found) => return Some(found),
                    Err(RecvTimeoutError::Timeout) if ending(&interrupt).is_none() => {}
                    Err(_) => {
                        lock(&this.runs).hold_up(&key.principal);
                        later.take().into_iter().for_each(|later| this.stays_cancelled(key.clone(), *later));
                        return None;
                    }
                }
            }
        });
        match (found, later) {
            (Some(found), Some(later)) => match this.taken_over(request, session, later, found) {
                Ok(job) => {
                    this.workers.at(job.deadline(), job.interrupt());
                    Inner::carry_on(this, key, job);
                }
                Err((later, end)) => this.stays(key, *later, *end),
            },
            _ => {
                if let Ok(Ok(Some(job))) = told.try_recv() {
                    this.put_away(job);
                }
                this.let_go(&key.principal);
            }
        }
    }

    /// A run that was to go on does not: it is kept as it was, and whoever asked is told why.
    fn stays(&self, key: Key, later: Later, end: End) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        let told = stays(end, &later.stopped.staying());
        self.stays_as(key, later, &told);
    }

    /// A run that was cancelled before it went on: it is kept as it was, and has stopped once more as far as whoever asked is told.
    fn stays_cancelled(&self, key: Key, later: Later) {
        self.not_done.fetch_add(1, Ordering::Relaxed);
        let told = match Outcome::decode(&later.stopped.outcome) {
            Ok(told) => Outcome {
                end: match told.end {
                    End::CallInDoubt { .. } => doubt::again(&End::Cancelled),
                    _ => End::Cancelled,
                },
                kept: kept_from(&told).filter(|_| later.stopped.survives || !lock(&self.runs).is_closed()),
                ..told
            },
            Err(_) => not_run(End::Cancelled, RunOptions::default()),
        };
        self.stays_as(key, later, &told);
    }

    fn stays_as(&self, key: Key, later: Later, told: &Outcome) {
        let until = later.stopped.until;
        let ended = lock(&self.runs).stays(key, later);
        if until <= Instant::now() {
            // The clock looked for it in vain.
            self.let_go_of_over();
        }
        let waiting = self.ended(ended);
        waiting.answer(&told.encode(), &mut || {});
    }

    /// The principal's runs that have a name, and run or are kept.
    pub(super) fn list(&self, session: &Session, responder: Responder) {
        let now = Instant::now();
        let (mut infos, stopped) = {
            let runs = lock(&self.runs);
            let (running, stopped) = runs.of(&session.caller().principal);
            let running =
                running.map(|name| RunInfo { name: name.to_owned(), program: String::new(), stopped: None });
            (running.collect::<Vec<_>>(), stopped.map(Stopped::seen).collect::<Vec<_>>())
        };
        infos.extend(stopped.into_iter().filter_map(|seen| seen.info(now)));
        responder.reply(&encode_runs(&infos), Vec::new());
    }

    pub(super) fn discard(this: &Arc<Inner>, data: &[u8], session: &Session, responder: Responder) {
        let Some(key) = key_of(data, session) else { return responder.fail(&malformed()) };
        let discarded = lock(&this.runs).discard(&key);
        let Some((mut stopped, outcome)) = discarded else { return responder.reply(&[0], Vec::new()) };
        // Before it is acknowledged.
        let written = match (this.journal.get(), stopped.held.record()) {
            (Some(journal), Some(record)) => journal.discarded(record, &outcome),
            _ => Ok(()),
        };
        let job = stopped.held.no_longer_written_down();
        let inner = Arc::clone(this);
        // Its handles are closed before that is said.
        let ends = move || {
            job.into_iter().for_each(|job| inner.put_away(job));
            match written {
                Ok(()) => responder.reply(&[1], Vec::new()),
                Err(why) => responder.fail(&Failure::new(
                    Kind::Internal,
                    &format!(
                        "it is let go, but the next server may keep it: that cannot be written down: {why}"
                    ),
                )),
            }
        };
        // A service may take long to let its objects go.
        if session.is_alone_on_its_thread() { ends() } else { this.workers.apart(Box::new(ends)) }
    }
}
