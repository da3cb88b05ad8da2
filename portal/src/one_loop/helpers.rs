//! Threads that make calls which may wait (`@blocks`), so that the loop does not; and one that does what takes it too long.
//!
//! A session's worker goes to a helper with its call and comes back with the reply sent: as with a thread of its own,
//! a session has one call at a time. Helpers come when they are needed, at most so many, and go when they were idle. A
//! principal has three quarters of them at most: what it asks for beyond that is held until one of its calls is done. What takes
//! long is done by one thread, so that those for whom it is done leave the processors to others, and for one principal after
//! the other.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::notices::{Notice, Notices, never_wait};
use crate::panics::survived;
use crate::seats::{Seat, Seats, share_of};
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
    fn principal(&self) -> &Arc<str> {
        match self {
            Job::Frame(_, worker, _) => worker.principal(),
            Job::Drop(session) => &session.caller().principal,
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
    /// Each with its seat, which it has until it is done.
    jobs: VecDeque<(Job, Seat)>,
    /// Those whose principals have their share.
    held: VecDeque<Job>,
    threads: usize,
    idle: usize,
    is_over: bool,
}

impl Helpers {
    pub(super) fn new(notices: Arc<Notices>, threads_max: usize) -> Helpers {
        let (state, threads_max) = (Mutex::default(), threads_max.max(1));
        let seats = Seats::new(usize::MAX, share_of(threads_max));
        Helpers(Arc::new(Shared { state, changed: Condvar::new(), notices, threads_max, seats }))
    }

    /// Has a helper do a job.
    ///
    /// # Errors
    /// There is no helper, and the system has no thread for one.
    pub(super) fn give(&self, job: Job) -> Result<(), Job> {
        let mut state = lock(&self.0.state);
        match self.0.seats.take(job.principal()) {
            Ok(seat) => state.jobs.push_back((job, seat)),
            Err(_) => {
                state.held.push_back(job);
                return Ok(());
            }
        }
        if state.jobs.len() > state.idle && state.threads < self.0.threads_max {
            let shared = Arc::clone(&self.0);
            let thread = std::thread::Builder::new().name("carnet-helper".to_owned());
            if thread.spawn(move || shared.help()).is_ok() {
                state.threads += 1;
            } else if state.threads == 0 {
                return state.jobs.pop_back().map_or(Ok(()), |(job, _)| Err(job));
            }
        }
        self.0.changed.notify_one();
        Ok(())
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
        let State { jobs, held, .. } = &mut *state;
        for job in std::mem::take(held) {
            match self.seats.take(job.principal()) {
                Ok(seat) => jobs.push_back((job, seat)),
                Err(_) => held.push_back(job),
            }
        }
    }

    /// The next job; `None` if there was none for long.
    fn next(&self) -> Option<(Job, Seat)> {
        let mut state = lock(&self.state);
        if state.jobs.is_empty() && !state.is_over {
            state.idle += 1;
            let waits = |state: &mut State| state.jobs.is_empty() && !state.is_over;
            let waited = self.changed.wait_timeout_while(state, IDLE, waits);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            state.idle -= 1;
        }
        let job = state.jobs.pop_front();
        if job.is_none() {
            state.threads -= 1;
        }
        job
    }
}
