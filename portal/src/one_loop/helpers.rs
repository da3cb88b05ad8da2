//! Threads that make calls which may wait (`@blocks`), so that the loop does not.
//!
//! A session's worker goes to a helper with its call and comes back with the reply sent: as with a thread of its own,
//! a session has one call at a time. Helpers come when they are needed, at most so many, and go when they were idle. A
//! principal has three quarters of them at most: what it asks for beyond that is held until one of its calls is done.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::notices::{Notice, Notices, never_wait};
use crate::panics::survived;
use crate::seats::{Seat, Seats, share_of};
use crate::session::lock;
use crate::worker::{End, Worker};

/// After how long without a call a helper ends.
const IDLE: Duration = Duration::from_secs(1);

/// A call to make.
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) worker: Box<Worker>,
    /// Place of the frame.
    pub(super) frame: Range<usize>,
}

/// A call that was made.
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
    /// For calls that are made, or would be if there were threads enough.
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

    /// Has a helper make a call.
    ///
    /// # Errors
    /// There is no helper, and the system has no thread for one.
    pub(super) fn make(&self, job: Job) -> Result<(), Job> {
        let mut state = lock(&self.0.state);
        match self.0.seats.take(job.worker.principal()) {
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
        while let Some((Job { number, mut worker, frame }, seat)) = self.next() {
            let served = survived(|| {
                let done = worker.handle(frame);
                (worker, done)
            });
            drop(seat);
            self.release_held();
            self.notices.tell(Notice::Returned(number, Box::new(Done { served })));
        }
    }

    /// Lets those go on whose principals have room again.
    fn release_held(&self) {
        let mut state = lock(&self.state);
        let State { jobs, held, .. } = &mut *state;
        for job in std::mem::take(held) {
            match self.seats.take(job.worker.principal()) {
                Ok(seat) => jobs.push_back((job, seat)),
                Err(_) => held.push_back(job),
            }
        }
    }

    /// The next call; `None` if there was none for long.
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
