//! Threads that make calls which may wait (`@blocks`), so that the loop does not; and one that does what takes it too long.
//!
//! A session's worker goes to a helper with its call and comes back with the reply sent: as with a thread of its own,
//! a session has one call at a time. Helpers come when they are needed, at most so many, and go when they were idle. A
//! principal has three quarters of them at most, and one of its processes two thirds of those: what is asked for beyond that is held
//! until one of their calls is done. What takes
//! long is done by one thread, so that those for whom it is done leave the processors to others, and for one principal after
//! the other. Nobody sleeps until it is a principal's turn to have memory looked at ([`Pace`](crate::pace::Pace)): its job
//! lies among the others until then, one of each principal, and the thread does theirs.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::notices::{Notice, Notices, never_wait};
use crate::call::Caller;
use crate::panics::survived;
use crate::seats::{Bounds, Seat, Seats, share_of};
use crate::session::{Session, lock};
use crate::worker::{End, Worker};

/// After how long without a call a helper ends.
const IDLE: Duration = Duration::from_secs(1);

/// Something to do.
pub(super) enum Job {
    /// What a frame asks for, and its place.
    Frame(u64, Box<Worker>, Range<usize>),
    /// Dropping what a client held that has gone.
    Drop(Arc<Session>),
}

impl Job {
    fn caller(&self) -> &Caller {
        match self {
            Job::Frame(_, worker, _) => worker.caller(),
            Job::Drop(session) => session.caller(),
        }
    }

    /// How long from `now` until its turn comes.
    fn wait(&self, now: Instant) -> Duration {
        match self {
            Job::Frame(_, worker, frame) => worker.memory_turn(frame, now),
            Job::Drop(_) => Duration::ZERO,
        }
    }

    fn done(self) -> Notice {
        match self {
            Job::Frame(number, mut worker, frame) => {
                let served = survived(|| {
                    let done = worker.handle(frame);
                    (worker, done)
                });
                Notice::Returned(number, Box::new(Done { served }))
            }
            Job::Drop(session) => {
                session.drop_portals();
                Notice::Dropped(session)
            }
        }
    }
}

/// A frame that was handled.
pub(crate) struct Done {
    /// `None` if it broke.
    pub(super) served: Option<(Box<Worker>, Result<(), End>)>,
}

/// The helpers of one loop. Dropping it lets them finish what they have begun.
pub(super) struct Helpers(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// There is a job, or the loop has ended.
    changed: Condvar,
    notices: Arc<Notices>,
    threads_max: usize,
    /// For what is done, or would be if there were threads enough.
    seats: Arc<Seats>,
}

#[derive(Default)]
struct State {
    /// By when they may begin and by number, each with its seat, which it has until it is done.
    jobs: BTreeMap<(Instant, u64), (Job, Seat)>,
    /// Number of the last job.
    last: u64,
    /// Those whose principals have their share.
    held: VecDeque<Job>,
    threads: usize,
    idle: usize,
    is_over: bool,
}

impl Helpers {
    pub(super) fn new(notices: Arc<Notices>, threads_max: usize) -> Helpers {
        let (state, threads_max) = (Mutex::default(), threads_max.max(1));
        let seats = Seats::new(Bounds::of(usize::MAX, share_of(threads_max)));
        Helpers(Arc::new(Shared { state, changed: Condvar::new(), notices, threads_max, seats }))
    }

    /// Has a helper do a job.
    ///
    /// # Errors
    /// There is no helper, and the system has no thread for one.
    pub(super) fn give(&self, job: Job) -> Result<(), Job> {
        let mut state = lock(&self.0.state);
        let Ok(seat) = self.0.seats.take(job.caller()) else {
            state.held.push_back(job);
            return Ok(());
        };
        let place = state.add(job, seat);
        if state.jobs.len() > state.idle && state.threads < self.0.threads_max {
            let shared = Arc::clone(&self.0);
            let thread = std::thread::Builder::new().name("carnet-helper".to_owned());
            if thread.spawn(move || shared.help()).is_ok() {
                state.threads += 1;
            } else if state.threads == 0 {
                return state.jobs.remove(&place).map_or(Ok(()), |(job, _)| Err(job));
            }
        }
        self.0.changed.notify_one();
        Ok(())
    }
}

impl State {
    /// The job comes after those that may begin as early.
    fn add(&mut self, job: Job, seat: Seat) -> (Instant, u64) {
        let now = Instant::now();
        self.last += 1;
        let place = (now + job.wait(now), self.last);
        self.jobs.insert(place, (job, seat));
        place
    }

    /// How long until a job may begin, if there is one. At the end all may.
    fn wait(&self) -> Option<Duration> {
        let ((due, _), _) = self.jobs.first_key_value()?;
        Some(if self.is_over { Duration::ZERO } else { due.saturating_duration_since(Instant::now()) })
    }
}

impl Drop for Helpers {
    fn drop(&mut self) {
        lock(&self.0.state).is_over = true;
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn help(&self) {
        never_wait();
        while let Some((job, seat)) = self.next() {
            let done = job.done();
            drop(seat);
            self.release_held();
            self.notices.tell(done);
        }
    }

    /// Lets those go on whose principals have room again.
    fn release_held(&self) {
        let mut state = lock(&self.state);
        for job in std::mem::take(&mut state.held) {
            match self.seats.take(job.caller()) {
                Ok(seat) => _ = state.add(job, seat),
                Err(_) => state.held.push_back(job),
            }
        }
    }

    /// The next job that may begin; `None` if there was none for long.
    fn next(&self) -> Option<(Job, Seat)> {
        let mut state = lock(&self.state);
        let until = Instant::now() + IDLE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let wait = state.wait();
            if wait == Some(Duration::ZERO) {
                return state.jobs.pop_first().map(|(_, job)| job);
            }
            if wait.is_none() && (left.is_zero() || state.is_over) {
                state.threads -= 1;
                return None;
            }
            state.idle += 1;
            let waited = self.changed.wait_timeout(state, wait.unwrap_or(left));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            state.idle -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{IoSlice, Read};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    use super::*;
    use crate::capability::Capability;
    use crate::idle::Idle;
    use crate::link::{Link, Setup, WaitMode, Waiting, answer, ask};
    use crate::seats::{Bounds, Seats};
    use crate::server::ServerOptions;
    use crate::session::ServerLimits;
    use crate::wire::{HEADER_BYTES, Request, Share, kind};
    use crate::worker::{Quotas, Turn};

    /// A principal's time is taken for hours by so much.
    const BYTES: usize = 1 << 50;
    /// How long anything may take before the test fails.
    const PATIENCE: Duration = Duration::from_secs(20);

    /// Both ends of a link through shared memory.
    fn link() -> (Link, Link) {
        let (mut ours, theirs) = UnixStream::pair().expect("two sockets");
        let over = |socket: UnixStream| Link::Socket(Arc::new(OwnedFd::from(socket).into()));
        let setup = Setup {
            seats: &Seats::new(Bounds::of(usize::MAX, usize::MAX)),
            caller: &Caller::of("somebody", 1),
            session_bytes_max: usize::MAX,
            mode: WaitMode::Sleeping,
            patience: PATIENCE,
        };
        std::thread::scope(|scope| {
            let asks = scope.spawn(|| ask(over(theirs), WaitMode::Sleeping));
            let asked = ours.read(&mut [0; 4096]).expect("it is asked");
            assert!(asked > HEADER_BYTES);
            let server = answer(&over(ours), Share { ring: 4096 }, 1, &setup).expect("it is shared");
            let (client, refused) = asks.join().expect("it is answered");
            assert!(refused.is_none(), "{refused:?}");
            (server, client)
        })
    }

    fn session(principal: &str, link: Link, limits: ServerLimits) -> Arc<Session> {
        let caller = Caller::of(principal, 0);
        Arc::new(Session::new(link, caller, Capability::new(Arc::new(Idle)), limits, None))
    }

    /// What a client hands over that says it is so long.
    fn memory(principal: &str, quotas: &Quotas, limits: ServerLimits) -> Job {
        let (server, client) = link();
        let session = session(principal, server, limits);
        let mut worker = Worker::new(session, Arc::new(ServerOptions::default()), quotas.clone());
        let mut frame = [0; HEADER_BYTES + 8];
        let len = frame.len() as u32;
        let header = Request { len, kind: kind::MEMORY, portals: 0, op: 0, target: 0, call: 7 };
        frame[..HEADER_BYTES].copy_from_slice(&header.encode());
        frame[HEADER_BYTES..].copy_from_slice(&(BYTES as u64).to_le_bytes());
        assert_eq!(client.send(&[IoSlice::new(&frame)], Waiting::Never), Ok(frame.len()));
        match worker.turn(&mut Vec::new()) {
            Ok(Turn::Waits(frame)) => Job::Frame(0, Box::new(worker), frame),
            turn => panic!("{turn:?}"),
        }
    }

    /// The next notices, so many.
    fn told(notices: &Notices, count: usize) -> Vec<Notice> {
        let (begun, mut told) = (Instant::now(), Vec::new());
        while told.len() < count {
            assert!(begun.elapsed() < PATIENCE, "nothing is done");
            told.append(&mut notices.take());
            std::thread::yield_now();
        }
        told
    }

    #[test]
    fn who_waits_for_its_turn_keeps_nobody_else_waiting() {
        let limits = ServerLimits { memory_session_bytes_max: BYTES, ..ServerLimits::default() };
        let (quotas, notices) = (Quotas::new(&limits), Arc::new(Notices::new().expect("a bell")));
        let helper = Helpers::new(Arc::clone(&notices), 1);
        let give = |job| assert!(helper.give(job).is_ok());
        let is_back = |notice: &Notice| matches!(notice, Notice::Returned(..));
        // Its time is free, and taken then.
        give(memory("mallory", &quotas, limits));
        assert!(told(&notices, 1).iter().all(is_back));
        (0..3).for_each(|_| give(memory("mallory", &quotas, limits)));
        for _ in 0..10 {
            give(Job::Drop(session("bob", link().0, limits)));
            assert!(!told(&notices, 1).iter().any(is_back), "it is not the turn of mallory");
        }
        let state = lock(&helper.0.state);
        assert_eq!(
            (state.jobs.len(), state.held.len()),
            (1, 2),
            "one of a principal waits, and in no thread"
        );
        drop(state);
        drop(helper);
        assert!(told(&notices, 3).iter().all(is_back), "what was given is done at the end");
    }
}
