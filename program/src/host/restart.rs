//! Runs that are written down: those that write, and those that have a name, in a server with a journal.
//!
//! What the next server finds is either an outcome, which whoever asks for it has, or a run that was under way. Of that it says how
//! far it had come, and which call is in doubt: that is its outcome from then on. It cannot go on: what it had in memory is gone.
//! If its program is lost, it says that, and its place stays as it is, for a server that has the program again.
//! A run that had stopped, and was kept, can: it was written to a file then, and its portals are had again when somebody asks for it to go on.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use carnet_idl::descriptor::{Effect, Module};
use carnet_portal::call::{Area, Areas};
use carnet_portal::capability::Capability;
use carnet_portal::panics::survived;
use carnet_portal::session::Session;
use carnet_portal::sturdy::Sturdy;

use super::beside::Stays;
use super::cache::Cached;
use super::job::Job;
use super::job::memento::{CannotGoOn, has_again};
use super::job::shown::arguments_of;
use super::runs::{Key, Later, Runs};
use super::stopped::{Held, Memento, Stopped};
use super::{Inner, Policy, Programs, lock, no_account_of};
use crate::bill::Hash;
use crate::form::Form;
use crate::interp::TABLE;
use crate::journal::{
    Bounds, CallEnd, Entry, Files, Found, Journal, JournalError, Kept, Last, Left, Record, Who,
};
use crate::protocol::{
    CallCount, End, Outcome, Receipt, Refusal, ResumeRequest, RunId, RunRequest, StoppedCall,
};

impl Programs {
    /// As [`Programs::new`]; what runs that write do and come to is written down in files in `dir`, which the next server
    /// with them knows.
    ///
    /// # Errors
    /// [`JournalError`] if the files cannot be used, or a run of theirs cannot be told of; they stay as they were.
    pub fn journalled(
        modules: &[&'static Module],
        policy: Policy,
        dir: &Path,
    ) -> Result<Programs, JournalError> {
        let bounds = Bounds {
            places: policy.runs_max + policy.kept_max,
            programs: policy.cached_max,
            program_bytes: policy.cached_bytes_max,
        };
        let (files, found) = Files::read(dir)?;
        let began = Some((files.key(), files.line()));
        let programs = Programs::make(modules, policy, Arc::new(Instant::now), began);
        let restored = programs.inner.restore(&files, found)?;
        // Nothing was changed until here, and all of it can be told.
        let journal = files.begin(&bounds)?;
        // It is the first.
        let _ = programs.inner.journal.set(Arc::clone(&journal));
        programs.inner.go_on_from(&journal, restored);
        Ok(programs)
    }

    /// Runs that the server before this one has kept, and that cannot go on with this one, for whoever runs it. They are let go, unless
    /// they are only kept to say why, or until their program is there again.
    #[must_use]
    pub fn not_taken(&self) -> Vec<NotTaken> {
        let not_taken = lock(&self.inner.not_taken).clone();
        // Programs that are installed need no file.
        let installed = lock(&self.inner.installed);
        let without_program = lock(&self.inner.without_program);
        let needs_it = without_program.iter().filter(|(hash, _)| installed.with_hash(hash).is_none());
        not_taken.into_iter().chain(needs_it.map(|(_, run)| run.clone())).collect()
    }
}

/// A run that was kept, and cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotTaken {
    /// Whose it is.
    pub principal: Arc<str>,
    /// Its name.
    pub run: String,
    /// Its program's name.
    pub program: String,
    /// Why, for people: a clause.
    pub why: String,
}

impl Inner {
    /// Reads what an earlier server has left.
    ///
    /// # Errors
    /// If not all runs that were under way can be told of, or a file is not as it was left.
    fn restore(&self, files: &Files, found: Found) -> Result<Restored, JournalError> {
        let stops: HashMap<u64, u32> =
            found.ended.iter().map(|Entry { who, .. }| (who.serial, who.stops)).collect();
        let is_told = |left: &Left| stops.get(&left.who.serial).is_some_and(|stops| *stops >= left.who.stops);
        let (told, untold): (Vec<Left>, Vec<Left>) = found.left.into_iter().partition(is_told);
        let went_on: HashSet<u64> = untold.iter().map(|left| left.who.serial).collect();
        let mut before: HashMap<u64, Outcome> = HashMap::new();
        let mut kept: BTreeMap<u64, KeptRun> = BTreeMap::new();
        let mut lost: BTreeMap<u64, (Who, Arc<[u8]>, String)> = BTreeMap::new();
        let found_kept = found.kept;
        for Entry { who, outcome } in found.ended {
            kept.remove(&who.serial);
            lost.remove(&who.serial);
            let Ok(told) = Outcome::decode(&outcome) else {
                self.remember(&who, outcome);
                continue;
            };
            let stop = told.kept.filter(|_| !went_on.contains(&who.serial)).map(|kept| kept.stop);
            // The end of its server stopped it, and it was said that it cannot go on: whoever asks all the same is told why.
            let is_cancelled = matches!(told.end, End::Cancelled | End::CallInDoubt { .. });
            let is_given_up = told.kept.is_none() && is_cancelled && !who.name.is_empty();
            let found = match stop.is_some() || is_given_up {
                true => files.kept(who.serial)?,
                false => None,
            };
            // Nobody misses what could not be written then.
            let why_lost = match (&found, stop.filter(|_| found_kept.contains(&who.serial))) {
                (None, Some(_)) => Some(format!("kept/{} is missing, what was kept of it", who.serial)),
                // A file is written before the outcome that it is for, when the run is under way as far as its place says.
                (Some(found), Some(stop)) if found.stop != stop => {
                    Some(format!("kept/{} is of another stop than its last, an old copy", who.serial))
                }
                _ => None,
            };
            let counts = |found: &Kept| match stop {
                Some(stop) => found.stop == stop,
                None => found.memento.is_err(),
            };
            let found = found.filter(|found| counts(found) && found.until_s > now_s());
            let why = found.as_ref().and_then(|found| found.memento.clone().err());
            let outcome = match &found {
                Some(_) if why.is_none() => outcome,
                _ => Outcome {
                    kept: None,
                    cannot_go_on: why.or_else(|| told.cannot_go_on.clone()),
                    ..told.clone()
                }
                .encode()
                .into(),
            };
            self.remember(&who, Arc::clone(&outcome));
            if went_on.contains(&who.serial) {
                before.insert(who.serial, told);
            } else if let Some(found) = found {
                let portals = told.kept.map_or(0, |kept| kept.portals as usize);
                kept.insert(who.serial, KeptRun { who, kept: found, portals, outcome });
            } else if let Some(why) = why_lost {
                lost.insert(who.serial, (who, outcome, why));
            }
        }
        let outcomes = self.settle(files, &untold, &before)?;
        Ok(Restored { told, untold: untold.into_iter().zip(outcomes).collect(), kept, lost })
    }

    /// Writes down what became of that.
    fn go_on_from(&self, journal: &Arc<Journal>, Restored { told, untold, kept, lost }: Restored) {
        // All hold their programs until the last is ended.
        let told: Vec<Record> = told.iter().map(|left| journal.again(left)).collect();
        let mut untold: Vec<(Record, Account)> =
            untold.into_iter().map(|(left, account)| (journal.again(&left), account)).collect();
        for (record, account) in &mut untold {
            match account.of {
                Known::All => journal.ended(record, &account.outcome),
                Known::ItsProgramIsLost => journal.stays(record),
            }
        }
        // Many may be of one program, which is read once.
        let mut programs: HashMap<Hash, Result<usize, String>> = HashMap::new();
        let mut bytes_of = |hash: &Hash| {
            let needed = || journal.needed(hash).map(|bytes| bytes.len());
            programs.entry(*hash).or_insert_with(needed).clone()
        };
        let keep_again = |run: KeptRun| {
            let program = bytes_of(&run.kept.hash);
            self.keep_again(journal, run, program)
        };
        let serials: HashSet<u64> = kept.into_values().filter_map(keep_again).collect();
        drop((told, untold));
        lost.into_values().for_each(|(who, outcome, why)| self.is_lost(journal, &who, &outcome, why));
        journal.keep_only(&serials);
    }

    /// What an earlier server has kept of a run is not there, or is not what it kept last: it is told, now and to whoever asks for it.
    fn is_lost(&self, journal: &Journal, who: &Who, outcome: &Arc<[u8]>, why: String) {
        let key = key_of(who);
        let mut runs = lock(&self.runs);
        // Another may have its name, or its outcome may not be stored any more.
        let is_known = runs.stores(&key, outcome);
        let Some(told) = Some(()).filter(|()| is_known).and_then(|()| runs.cannot_go_on(&key, &why)) else {
            return;
        };
        drop(runs);
        journal.told(who, &told);
        let (principal, run) = (Arc::clone(&who.principal), who.name.clone());
        let program = "its program is not known any more".to_owned();
        lock(&self.not_taken).push(NotTaken { principal, run, program, why });
    }

    /// Keeps a run that an earlier server has kept, if there is room for it. If not, it is told. Its program has so many bytes, or is not
    /// as it was left, which is told, too.
    fn keep_again(
        &self,
        journal: &Arc<Journal>,
        run: KeptRun,
        program: Result<usize, String>,
    ) -> Option<u64> {
        let KeptRun { who, kept, portals, outcome } = run;
        let key = key_of(&who);
        let told = |key: &Key, run: &str, program: &str, why: &str| {
            let (run, program, why) = (run.to_owned(), program.to_owned(), why.to_owned());
            NotTaken { principal: Arc::clone(&key.principal), run, program, why }
        };
        let not_taken = |key: &Key, run: &str, program: &str, why: &str| {
            lock(&self.not_taken).push(told(key, run, program, why));
        };
        let record = match journal.kept_again(&who, &kept) {
            Ok(record) => record,
            Err(why) => {
                not_taken(&key, &who.name, &kept.program, &why);
                lock(&self.runs).cannot_go_on(&key, &why);
                return None;
            }
        };
        // The clock may have been set back meanwhile.
        let left = Duration::from_secs(kept.until_s.saturating_sub(now_s())).min(self.policy.kept_for);
        let now = Instant::now();
        let until = now.checked_add(left).unwrap_or(now);
        match (&kept.memento, &program) {
            (Err(why), _) => not_taken(&key, &who.name, &kept.program, why),
            (Ok(_), Err(why)) => {
                let told = told(&key, &who.name, &kept.program, &until_it_is_there(why));
                lock(&self.without_program).push((kept.hash, told));
            }
            (Ok(_), Ok(_)) => {}
        }
        let state = kept.memento;
        // As much as it will take when it goes on.
        let own = size_of::<Job>()
            + size_of::<[u64; TABLE]>()
            + state.as_ref().map_or_else(String::len, |it| it.len());
        let texts = key.principal.len() + who.name.len() + kept.program.len() + outcome.len();
        let bytes = own + texts + program.map_or(0, Cached::takes_of);
        let memento = Memento {
            stop: kept.stop,
            name: who.name.clone(),
            program: kept.program,
            hash: kept.hash,
            state,
        };
        let (held, alarm) = (Held::Memento(Arc::new(memento), Box::new(record)), Arc::default());
        let _alarm = Arc::clone(&alarm);
        let stopped = Stopped { held, survives: true, bytes, portals, outcome, until, _alarm };
        let gone = lock(&self.runs).keep_again(key, stopped);
        self.workers.at(until, alarm);
        for (key, stopped) in &gone {
            let (run, program) = stopped.held.names();
            let why = "there is no room for it among what this server keeps";
            not_taken(key, run, &program, why);
            lock(&self.runs).cannot_go_on(key, why);
        }
        self.let_go_apart(gone.into_iter().map(|(_, stopped)| stopped).collect());
        Some(who.serial)
    }

    /// Writes down what the next server needs to let a run go on that is kept from now on; whether it can.
    pub(super) fn write_memento(&self, job: &mut Job) -> bool {
        let Some(journal) = self.journal.get().filter(|_| job.machine().record().is_some()) else {
            return false;
        };
        let memento = survived(|| job.memento(self.names()));
        let memento =
            memento.unwrap_or_else(|| Err("its service broke off when it was asked for a name".to_owned()));
        let can = memento.is_ok();
        let (stop, cached) = (job.stops(), Arc::clone(job.cached()));
        let Some(record) = job.machine().record() else { return false };
        let kept = Kept {
            stop,
            until_s: now_s().saturating_add(self.policy.kept_for.as_secs()),
            hash: *cached.hash(),
            program: cached.name(),
            written: record.written(),
            memento: memento.map(Into::into),
        };
        journal.keep(record, &kept) && can
    }

    pub(super) fn names(&self) -> &[Box<dyn Sturdy>] {
        self.sturdy.get().map_or(&[], Vec::as_slice)
    }

    /// Has what a run holds: a job of what an earlier server has kept, or what a job had lost. It may take long.
    pub(super) fn look(&self, key: &Key, lost: &Lost, session: &Session) -> Looked {
        match lost {
            Lost::All(memento) => self.job_of(key, memento, session).map(Some),
            Lost::Held(held) => {
                let has = has_again(held, self.names(), session.caller());
                has.map(|()| None).map_err(|why| Box::new(End::Refused(Refusal::CannotGoOn(why))))
            }
        }
    }

    /// Makes a job of what was found ready to go on. If it was cancelled meanwhile it stops at once, as any other.
    ///
    /// # Errors
    /// Why it cannot go on; nothing was done then but that objects were looked for.
    pub(super) fn taken_over(
        &self,
        request: &ResumeRequest,
        session: &Session,
        mut later: Box<Later>,
        looked: Looked,
    ) -> Result<Box<Job>, (Box<Later>, Box<End>)> {
        let resumed = request.resumed();
        let made = match looked {
            Ok(made) => made,
            Err(end) => return Err((later, end)),
        };
        let job = match &mut later.stopped.held {
            Held::Job(job) => Some(std::mem::take(job)),
            Held::Memento(..) => made,
        };
        let Some(mut job) = job else { return Err((later, Box::new(End::Refused(Refusal::NotKept)))) };
        job.stops_by(&later.interrupt);
        if let Err(end) = job.resume(request, resumed, session, &self.accounts, &self.policy) {
            match &mut later.stopped.held {
                Held::Job(held) => *held = job,
                Held::Memento(..) => self.put_away(job),
            }
            return Err((later, end));
        }
        if let Held::Memento(_, mut record) = later.stopped.held {
            record.go_on(resumed);
            job.machine().write_down(*record);
        }
        Ok(job)
    }

    /// A job of what an earlier server has kept: it is as any other that stopped then.
    fn job_of(&self, key: &Key, memento: &Memento, session: &Session) -> Result<Box<Job>, Box<End>> {
        let cannot = |why: String| Box::new(End::Refused(Refusal::CannotGoOn(why)));
        let state = memento.state.as_ref().map_err(|why| cannot(why.clone()))?;
        let cached = self.with_hash(&memento.hash, session);
        let cached = cached.ok_or_else(|| cannot(self.why_not(&memento.hash)))?;
        let policy = &self.policy;
        if policy.only_installed.binds(&key.principal) && !cached.is_installed {
            return Err(Box::new(End::Refused(Refusal::OnlyInstalled(policy.name.clone()))));
        }
        policy.check(&cached.program).map_err(|refusal| Box::new(End::Refused(refusal)))?;
        let mut job = lock(&self.idle).pop().unwrap_or_default();
        let others = self.others(session, Stays::WithTheRun)?;
        let wants_approval = self.wants_approval(&cached);
        let made = survived(|| job.take_over(cached, &memento.name, state, session, &others, self.names()));
        if made.is_none() {
            job.spoil();
        }
        let broke_off =
            || Err(CannotGoOn::Because("a service broke off while its objects were looked for".to_owned()));
        let made =
            made.unwrap_or_else(broke_off).and_then(|()| match wants_approval && !job.was_approved() {
                true => Err(CannotGoOn::Because(
                    "this server wants an approval of what writes, and it had none".to_owned(),
                )),
                false => Ok(()),
            });
        match made {
            Ok(()) => Ok(job),
            Err(why) => {
                self.put_away(job);
                Err(cannot(match why {
                    CannotGoOn::Because(why) => why,
                    CannotGoOn::Malformed => "what was kept of it is not of this program".to_owned(),
                }))
            }
        }
    }

    /// What there is to say of runs that were under way; all of their outcomes can be stored.
    fn settle(
        &self,
        files: &Files,
        left: &[Left],
        before: &HashMap<u64, Outcome>,
    ) -> Result<Vec<Account>, JournalError> {
        let account = |left: &Left| self.account_of(files, left, before.get(&left.who.serial));
        let accounts: Vec<Account> = left.iter().map(account).collect::<Result<_, _>>()?;
        let each = || left.iter().zip(&accounts);
        each().for_each(|(left, account)| self.remember(&left.who, Arc::clone(&account.outcome)));
        let runs = lock(&self.runs);
        match each().all(|(left, account)| runs.stores(&key_of(&left.who), &account.outcome)) {
            true => Ok(accounts),
            false => Err(JournalError::NotServed(format!(
                "the policy stores fewer outcomes than there are of them, {}",
                left.len()
            ))),
        }
    }

    fn remember(&self, who: &Who, outcome: Arc<[u8]>) {
        let mut runs = lock(&self.runs);
        runs.restore(key_of(who), who.digest, &who.name, outcome);
        runs.went_on(&key_of(who), who.resumed);
    }

    /// What there is to say of a run that was under way.
    ///
    /// # Errors
    /// If it wrote, and this server does not know with what: its program is not of the interfaces that are served.
    fn account_of(
        &self,
        files: &Files,
        left: &Left,
        before: Option<&Outcome>,
    ) -> Result<Account, JournalError> {
        let all = |outcome: Outcome| Account { outcome: outcome.encode().into(), of: Known::All };
        // It went on from a call in doubt, and began none that writes since.
        let made = |last: &Last| last.counts.iter().sum::<u64>();
        let is_from_doubt = before.is_some_and(|before| {
            let made = left.last.as_ref().map_or(0, made);
            matches!(before.end, End::CallInDoubt { .. }) && made <= before.receipt.calls
        });
        let last = left.last.clone().map(|last| match is_from_doubt {
            true => Last { ended: CallEnd::InDoubt, ..last },
            false => last,
        });
        let in_doubt = is_from_doubt || last.as_ref().is_some_and(|last| last.ended == CallEnd::InDoubt);
        let end = End::ServerEnded { in_doubt };
        let Some(last) = &last else {
            // It wrote nothing since it went on, or nothing at all.
            let before = before.map(|before| {
                let call = before.call.clone().filter(|_| in_doubt);
                Outcome { call, result: None, kept: None, ..before.clone() }
            });
            return Ok(all(before.map_or_else(
                || no_account_of(end.clone()),
                |before| Outcome { end: end.clone(), ..before },
            )));
        };
        let nothing = no_account_of(end);
        let bytes = match files.needed(&left.hash) {
            Ok(bytes) => bytes,
            Err(why) => {
                let (principal, run) = (Arc::clone(&left.who.principal), left.who.name.clone());
                let program = "its program is lost".to_owned();
                let outcome = account_without_program(last, &why).encode().into();
                lock(&self.not_taken).push(NotTaken { principal, run, program, why });
                return Ok(Account { outcome, of: Known::ItsProgramIsLost });
            }
        };
        let not_served =
            |why: String| JournalError::NotServed(format!("program {}: {why}", crate::text::hex(&left.hash)));
        let cached = self.cache.load(&bytes, &self.registry, &left.who.principal);
        let cached = cached.map_err(|error| not_served(error.to_string()))?;
        account_of(&cached, last, nothing)
            .map(all)
            .ok_or_else(|| not_served("its last call is not one of it".to_owned()))
    }

    /// Gives a run a place in the journal, if it is one that is written down.
    pub(super) fn write_down(
        &self,
        key: &Key,
        digest: u64,
        request: &RunRequest<'_>,
        job: &mut Job,
    ) -> Result<(), Box<End>> {
        let Some(journal) = self.journal.get() else { return Ok(()) };
        let cached = Arc::clone(job.cached());
        let writes = cached.program.totals.writes > 0;
        if request.options.dry || !writes && request.name.is_empty() {
            return Ok(());
        }
        let who = Who {
            principal: Arc::clone(&key.principal),
            id: key.id.0,
            digest,
            name: request.name.to_owned(),
            stops: 0,
            serial: 0,
            resumed: None,
        };
        let record = journal.begin(who, cached.hash(), &cached.bytes);
        let record = record.map_err(|why| Box::new(End::Refused(Refusal::NoJournal(why))))?;
        job.machine().write_down(record);
        Ok(())
    }

    /// Writes down how a run ended or stopped, before anybody is told.
    pub(super) fn write_down_end(&self, job: &mut Job, outcome: &[u8]) {
        let (Some(journal), Some(record)) = (self.journal.get(), job.machine().record()) else { return };
        journal.ended(record, outcome);
        if journal.is_long() {
            let (journal, policy, runs) = (Arc::clone(journal), self.policy.clone(), Arc::clone(&self.runs));
            let clock = move || lock(&runs).clock();
            self.workers.apart(Box::new(move || journal.shorten(clock, |entries| stored(entries, &policy))));
        }
    }

    /// Why a program that a kept run needs is not to be had.
    fn why_not(&self, hash: &Hash) -> String {
        match self.journal.get().map(|journal| journal.needed(hash)) {
            Some(Err(why)) => until_it_is_there(&why),
            _ => "this server does not serve what its program uses".to_owned(),
        }
    }

    /// The program with this hash, if it is cached, or was kept in a file.
    pub(super) fn with_hash(&self, hash: &Hash, session: &Session) -> Option<Arc<Cached>> {
        if let Some(installed) = lock(&self.installed).with_hash(hash) {
            return Some(Arc::clone(installed));
        }
        let cached = self.cache.with_hash(hash);
        let Some(journal) = self.journal.get() else { return cached };
        match cached {
            Some(cached) => {
                if !cached.is_filed.swap(true, Ordering::Relaxed) {
                    journal.keep_program(cached.hash(), &cached.bytes);
                }
                Some(cached)
            }
            None => {
                let bytes = journal.program(hash)?;
                let cached = self.cache.load(&bytes, &self.registry, &session.caller().principal).ok()?;
                cached.is_filed.store(true, Ordering::Relaxed);
                Some(cached)
            }
        }
    }
}

/// What is to be had before a run goes on.
pub(super) enum Lost {
    /// It was kept by an earlier server.
    All(Arc<Memento>),
    /// Of these what is lost.
    Held(Vec<Capability>),
}

impl Lost {
    pub(super) fn of(held: &Held) -> Lost {
        match held {
            Held::Job(job) => Lost::Held(job.held()),
            Held::Memento(memento, _) => Lost::All(Arc::clone(memento)),
        }
    }
}

/// A job that was made of what an earlier server has kept, or none, if there was one; or why the run cannot go on.
pub(super) type Looked = Result<Option<Box<Job>>, Box<End>>;

/// What there is to say of a run that was under way.
struct Account {
    outcome: Arc<[u8]>,
    of: Known,
}

/// How much is known of a run that was under way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    All,
    /// Not what its calls were: a server that has the program again will know.
    ItsProgramIsLost,
}

/// What an earlier server has left, and what there is to write down of it.
struct Restored {
    /// Runs that were under way, and have an outcome.
    told: Vec<Left>,
    untold: Vec<(Left, Account)>,
    /// By their serials.
    kept: BTreeMap<u64, KeptRun>,
    /// Runs of which what was kept is not there; and why.
    lost: BTreeMap<u64, (Who, Arc<[u8]>, String)>,
}

/// A run that an earlier server has kept.
struct KeptRun {
    who: Who,
    kept: Kept,
    portals: usize,
    outcome: Arc<[u8]>,
}

/// Why a run does not go on whose program is lost.
fn until_it_is_there(why: &str) -> String {
    format!("{why}, its program; it goes on when that is there again")
}

/// Seconds since 1970.
fn now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Those of the outcomes that a server with this policy stores.
fn stored(entries: Vec<Entry>, policy: &Policy) -> Vec<Entry> {
    let mut runs = Runs::new(policy);
    for Entry { who, outcome } in &entries {
        runs.restore(key_of(who), who.digest, &who.name, Arc::clone(outcome));
    }
    let is_last = |entry: &Entry| runs.stores(&key_of(&entry.who), &entry.outcome);
    entries.into_iter().filter(is_last).collect()
}

fn key_of(who: &Who) -> Key {
    Key { principal: Arc::clone(&who.principal), id: RunId(who.id) }
}

/// Calls of each operation that were made, without one in doubt, and those that failed.
fn made(last: &Last) -> (Vec<u64>, Vec<u64>) {
    let (op, mut counts, mut failed) = (usize::from(last.op), last.counts.clone(), last.failed.clone());
    match last.ended {
        CallEnd::Returned => {}
        CallEnd::Failed => failed[op] += 1,
        CallEnd::InDoubt => counts[op] = counts[op].saturating_sub(1),
    }
    (counts, failed)
}

/// How far a run had come whose program is lost: operations have numbers, and each counts as one that writes.
fn account_without_program(last: &Last, why: &str) -> Outcome {
    let name = |op: usize| format!("operation {}", op + 1);
    let (counts, failed) = made(last);
    let calls = counts.iter().zip(&failed).enumerate().filter(|(_, (count, _))| **count > 0);
    let calls = calls.map(|(op, (count, failed))| CallCount {
        interface: "lost program".into(),
        operation: name(op).into(),
        effect: Effect::Writes,
        count: *count,
        failed: *failed,
    });
    let all = counts.iter().sum();
    let message = format!("the server's process ended, and what the run called is lost: {why}");
    let in_doubt = last.ended == CallEnd::InDoubt;
    let end =
        if in_doubt { End::CallInDoubt { message } } else { End::CallFailed { message, raised: false } };
    let operation = format!("lost program.{}", name(usize::from(last.op)));
    Outcome {
        call: in_doubt.then(|| StoppedCall {
            operation,
            register: 0,
            arguments: Vec::new(),
            interrupted: false,
        }),
        calls: calls.collect(),
        receipt: Receipt { calls: all, writes: all, written: last.written, ..Receipt::default() },
        ..no_account_of(end)
    }
}

/// How far a run had come with its last writing call.
fn account_of(cached: &Cached, last: &Last, nothing: Outcome) -> Option<Outcome> {
    let program = &*cached.program;
    let (bound, step) = (program.ops.get(usize::from(last.op))?, program.code.get(usize::from(last.pc))?);
    if last.counts.len() != program.ops.len() {
        return None;
    }
    let (counts, failed) = made(last);
    let each = || program.ops.iter().zip(&counts).zip(&failed);
    let writes = each().filter(|((op, _), _)| op.operation.effect == Effect::Writes);
    let receipt = Receipt {
        calls: counts.iter().sum(),
        writes: writes.map(|((_, count), _)| count).sum(),
        written: last.written,
        ..Receipt::default()
    };
    let calls = each().filter(|((_, count), _)| **count > 0);
    let areas = Areas { list: vec![Area { bytes: last.texts.clone(), words: Vec::new() }] };
    let in_doubt = last.ended == CallEnd::InDoubt;
    let call = StoppedCall {
        operation: bound.name(),
        register: step.a,
        arguments: arguments_of(bound, &last.words, &areas),
        interrupted: false,
    };
    Some(Outcome {
        at: u32::from(last.pc),
        pos: Form::of(&cached.bytes).pos(u32::from(last.pc)),
        call: in_doubt.then_some(call),
        calls: calls.map(|((op, count), failed)| CallCount::of(op, *count, *failed)).collect(),
        receipt,
        ..nothing
    })
}
