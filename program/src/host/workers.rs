//! Program threads, and the clock that ends runs.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::lock;
use crate::interp::DEADLINE;

/// How long a program thread waits for another program before it ends.
const IDLE: Duration = Duration::from_secs(10);

type Work = Box<dyn FnOnce(&Workers) + Send>;

/// Threads for programs that run longer than a session's thread should be kept. They are made when needed, and end
/// when there was nothing to do for a while.
#[derive(Clone)]
pub(super) struct Workers(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    threads_max: usize,
    clock: Clock,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Work>,
    idle: usize,
    threads: usize,
}

impl Workers {
    pub(super) fn new(threads_max: usize) -> Workers {
        Workers(Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            threads_max: threads_max.max(1),
            clock: Clock::default(),
        }))
    }

    /// Runs `work` on a program thread; from `deadline` on its interrupt says so.
    pub(super) fn run(&self, work: Work, deadline: Instant, interrupt: Arc<AtomicU32>) {
        self.0.clock.at(deadline, interrupt);
        let mut state = lock(&self.0.state);
        state.waiting.push_back(work);
        if state.idle > 0 {
            state.idle -= 1;
            self.0.changed.notify_one();
        } else if state.threads < self.0.threads_max {
            state.threads += 1;
            drop(state);
            let workers = self.clone();
            let made = thread::Builder::new().name("carnet-program".into()).spawn(move || workers.serve());
            if made.is_err() {
                self.without_thread();
            }
        } else {
            self.0.changed.notify_one();
        }
    }

    /// The system has no thread left. If there is none at all, this one does the work: slowly, but it is done.
    #[cold]
    fn without_thread(&self) {
        let mut state = lock(&self.0.state);
        state.threads -= 1;
        let work = if state.threads == 0 { state.waiting.pop_front() } else { None };
        drop(state);
        if let Some(work) = work {
            work(self);
        }
    }

    fn serve(&self) {
        let mut state = lock(&self.0.state);
        loop {
            if let Some(work) = state.waiting.pop_front() {
                drop(state);
                // Of a service's own code there is left what drops its objects. The thread outlives a panic there: else the
                // number of threads would be wrong for ever.
                let _ = catch_unwind(AssertUnwindSafe(|| work(self)));
                state = lock(&self.0.state);
                continue;
            }
            state.idle += 1;
            let (woken, waited) =
                self.0.changed.wait_timeout(state, IDLE).unwrap_or_else(std::sync::PoisonError::into_inner);
            state = woken;
            if waited.timed_out() && state.waiting.is_empty() {
                // Whoever gave work in the meantime counted this thread out already.
                state.idle = state.idle.saturating_sub(1);
                state.threads -= 1;
                return;
            }
        }
    }
}

/// Sets [`DEADLINE`] in interrupts when their time comes. Its thread lives while there is anything to wait for.
#[derive(Default, Clone)]
struct Clock(Arc<ClockShared>);

#[derive(Default)]
struct ClockShared {
    state: Mutex<ClockState>,
    changed: Condvar,
}

#[derive(Default)]
struct ClockState {
    alarms: BinaryHeap<Reverse<Alarm>>,
    running: bool,
    numbered: u64,
}

struct Alarm {
    at: Instant,
    number: u64,
    interrupt: Arc<AtomicU32>,
}

impl PartialEq for Alarm {
    fn eq(&self, other: &Alarm) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Alarm {}

impl PartialOrd for Alarm {
    fn partial_cmp(&self, other: &Alarm) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Alarm {
    fn cmp(&self, other: &Alarm) -> std::cmp::Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

impl Clock {
    fn at(&self, at: Instant, interrupt: Arc<AtomicU32>) {
        let mut state = lock(&self.0.state);
        let number = state.numbered;
        state.numbered += 1;
        // Runs that have ended hold their interrupt no more.
        if number.is_multiple_of(256) {
            state.alarms.retain(|alarm| Arc::strong_count(&alarm.0.interrupt) > 1);
        }
        state.alarms.push(Reverse(Alarm { at, number, interrupt }));
        if !state.running {
            let clock = self.clone();
            state.running =
                thread::Builder::new().name("carnet-clock".into()).spawn(move || clock.tick()).is_ok();
        } else {
            self.0.changed.notify_one();
        }
    }

    fn tick(&self) {
        let mut state = lock(&self.0.state);
        loop {
            let Some(Reverse(next)) = state.alarms.peek() else {
                state.running = false;
                return;
            };
            if Arc::strong_count(&next.interrupt) == 1 {
                state.alarms.pop();
                continue;
            }
            let wait = next.at.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                next.interrupt.fetch_or(DEADLINE, Ordering::Relaxed);
                state.alarms.pop();
                continue;
            }
            // Looks around once a second even so, to let go of what has ended.
            let wait = wait.min(Duration::from_secs(1));
            state =
                self.0.changed.wait_timeout(state, wait).unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
    }
}
