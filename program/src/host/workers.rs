//! Program threads, and the clock that ends runs.
//!
//! Which threads there are for which work is decided in [`crew`], by rules that forget no work; here are the threads, the
//! lock and the condition variable. Work that waits for a thread still ends in time: whoever interrupts it takes it out of
//! the queue and has it end on a thread apart, where it does nothing but say that it was interrupted.

mod crew;
pub(super) mod turns;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use carnet_portal::panics::survived;

use self::crew::{Crew, Looks, Needed, Next};
use self::turns::Turns;
use super::lock;
use crate::interp::{DEADLINE, ending};

/// How long a program thread waits for another program before it ends.
const IDLE: Duration = Duration::from_secs(10);

/// What is to be done on a program thread. It looks at the interrupt before it does anything.
struct Work {
    does: Box<dyn FnOnce() + Send>,
    interrupt: Arc<AtomicU32>,
}

impl Work {
    fn is_interrupted(&self) -> bool {
        ending(&self.interrupt).is_some()
    }

    /// Of a service's own code there is left what drops its objects. The thread outlives a panic there: else the number of
    /// threads would be wrong for ever.
    fn done(self) {
        survived(self.does);
    }
}

/// Threads for programs that run longer than a session's thread should be kept. They are made when needed, and end
/// when there was nothing to do for a while.
#[derive(Clone)]
pub(super) struct Workers(Arc<Shared>);

struct Shared {
    crew: Mutex<Crew<Work>>,
    changed: Condvar,
    idle: Duration,
    clock: Clock,
    turns: Turns,
    /// Told when a time has come.
    rings: Box<dyn Fn() + Send + Sync>,
}

impl Workers {
    /// `rings` is told whenever a time has come.
    pub(super) fn new(threads_max: usize, rings: Box<dyn Fn() + Send + Sync>) -> Workers {
        Workers::with_idle(threads_max, IDLE, rings)
    }

    fn with_idle(threads_max: usize, idle: Duration, rings: Box<dyn Fn() + Send + Sync>) -> Workers {
        let (crew, turns) = (Mutex::new(Crew::new(threads_max)), Turns::of_this_machine());
        Workers(Arc::new(Shared {
            crew,
            changed: Condvar::new(),
            idle,
            clock: Clock::default(),
            turns,
            rings,
        }))
    }

    /// Has `does` done on a program thread; from `deadline` on its interrupt says so, also if it has not begun.
    pub(super) fn run(&self, does: Box<dyn FnOnce() + Send>, deadline: Instant, interrupt: Arc<AtomicU32>) {
        self.give(does, Arc::clone(&interrupt));
        self.at(deadline, interrupt);
    }

    /// The same without a deadline.
    pub(super) fn give(&self, does: Box<dyn FnOnce() + Send>, interrupt: Arc<AtomicU32>) {
        let needed = lock(&self.0.crew).give(Work { does, interrupt: Arc::clone(&interrupt) });
        match needed {
            Needed::Wake => self.0.changed.notify_one(),
            Needed::Start => self.start(),
        }
        // Who interrupted it before it was in the queue did not find it there.
        if ending(&interrupt).is_some() {
            self.end_interrupted();
        }
    }

    /// Who of the runs on the threads computes.
    pub(super) fn turns(&self) -> &Turns {
        &self.0.turns
    }

    /// Ends what was interrupted before a thread began it, or while it waited for its turn: those at work may be so for long.
    pub(super) fn end_interrupted(&self) {
        self.0.turns.wake_interrupted();
        let interrupted = lock(&self.0.crew).withdraw(Work::is_interrupted);
        interrupted.into_iter().for_each(|work| self.end_apart(work));
    }

    /// Has something done that holds up nobody else, on a thread of its own if the system has one.
    pub(super) fn apart(&self, does: Box<dyn FnOnce() + Send>) {
        self.end_apart(Work { does, interrupt: Arc::default() });
    }

    /// On a thread that is not counted, because it ends at once, or as soon as its clients have read; on this one if the
    /// system has none.
    fn end_apart(&self, work: Work) {
        let work = Arc::new(Mutex::new(Some(work)));
        let theirs = Arc::clone(&work);
        let end = |work: &Mutex<Option<Work>>| {
            let work = lock(work).take();
            work.into_iter().for_each(Work::done);
        };
        let started = thread::Builder::new().name("carnet-program".into()).spawn(move || end(&theirs));
        if started.is_err() {
            end(&work);
        }
    }

    fn start(&self) {
        let workers = self.clone();
        let started = thread::Builder::new().name("carnet-program".into()).spawn(move || workers.serve());
        if started.is_err() {
            self.without_thread();
        }
    }

    /// The system has no thread left. If there is none at all, this one does the work: slowly, but it is done.
    #[cold]
    fn without_thread(&self) {
        loop {
            let work = lock(&self.0.crew).not_started();
            match work {
                Some(work) => work.done(),
                None => return self.0.changed.notify_one(),
            }
        }
    }

    fn serve(&self) {
        let mut looks = Looks::AsTold;
        let mut crew = lock(&self.0.crew);
        loop {
            match crew.next(looks) {
                Next::Work(work) => {
                    drop(crew);
                    work.done();
                    (crew, looks) = (lock(&self.0.crew), Looks::AsTold);
                }
                Next::Wait => {
                    let waited = self.0.changed.wait_timeout(crew, self.0.idle);
                    let (woken, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                    crew = woken;
                    crew.back();
                    looks = if timeout.timed_out() { Looks::ForTheLastTime } else { Looks::AsTold };
                }
                Next::Leave => return,
            }
        }
    }
}

/// Sets [`DEADLINE`] in interrupts when their time comes. Its thread lives while there is anything to wait for.
#[derive(Default)]
struct Clock {
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

impl Workers {
    /// At this time, the interrupt says that the deadline has come.
    pub(super) fn at(&self, at: Instant, interrupt: Arc<AtomicU32>) {
        let clock = &self.0.clock;
        let mut state = lock(&clock.state);
        let number = state.numbered;
        state.numbered += 1;
        // Runs that have ended hold their interrupt no more.
        if number.is_multiple_of(256) {
            state.alarms.retain(|alarm| Arc::strong_count(&alarm.0.interrupt) > 1);
        }
        state.alarms.push(Reverse(Alarm { at, number, interrupt }));
        if !state.running {
            let workers = self.clone();
            state.running =
                thread::Builder::new().name("carnet-clock".into()).spawn(move || workers.tick()).is_ok();
        } else {
            clock.changed.notify_one();
        }
    }

    fn tick(&self) {
        let clock = &self.0.clock;
        let mut state = lock(&clock.state);
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
                drop(state);
                self.end_interrupted();
                (self.0.rings)();
                state = lock(&clock.state);
                continue;
            }
            // Looks around once a second even so, to let go of what has ended.
            let wait = wait.min(Duration::from_secs(1));
            state = clock.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests;
