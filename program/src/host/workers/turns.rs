//! Turns at the processors: as many runs compute at a time as there are processors, and the others wait here, not in the
//! system's queue.
//!
//! The system would give each of many threads its share as well, but in its own time: a thread that is to learn that its run
//! was cancelled waits until all others had their slices, some 4 ms each. A run that waits here is woken when it is
//! cancelled, does not need a seat to end, and finds no more threads before it than there are processors.
//!
//! A run on a program thread takes a seat, and has it for itself while nobody waits. If it mostly waits for its calls, it needs
//! none for a while. Whoever waits longest looks at the clock: it asks the run whose turn is over
//! to give way, by [`TURN`] in its interrupt, which costs a run nothing that is not asked. A run that does not give way, but
//! sleeps, is inside a call of a service, and may be so for long; its seat is taken from it, and it queues when it comes back.
//! One that computes there keeps its seat for a while longer: it is at a processor anyway, and two would share it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use rustix::thread::{Pid, gettid};
use rustix::time::{ClockId, clock_gettime};

use crate::host::lock;
use crate::interp::{TURN, ending};

/// How long a run computes while another one waits.
const TURN_TIME: Duration = Duration::from_millis(2);
/// How often one that was asked to give way is looked after: most are asked in the middle of a loop, and give way at once.
const GRACE: Duration = Duration::from_millis(1);
/// How long one that was asked may compute on before its seat is taken: in a call of a service, or an instruction that does much.
const GRACE_MAX: Duration = Duration::from_millis(20);
/// How long a run computes without a seat once it has shown that it mostly waits.
const FREE_TIME: Duration = Duration::from_millis(5);
/// How long a run computes before it waits behind those that have computed less.
const YOUNG_TIME: Duration = Duration::from_millis(10);
/// A run that computes for a smaller part of its time than this needs no seat.
const COMPUTES: u32 = 4;

/// Who computes, and who waits to.
pub(in crate::host) struct Turns {
    seats: usize,
    turn: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    numbered: u64,
    seated: Vec<Seated>,
    /// The young and the old, each with those first who wait longest.
    queues: [VecDeque<Queued>; 2],
    /// Of which the last was who sat down.
    last: Age,
    /// Runs whose seats were taken because they slept, and that have not come back.
    away: Vec<u64>,
}

/// How long a run has computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Age {
    Young,
    #[default]
    Old,
}

struct Seated {
    number: u64,
    interrupt: Arc<AtomicU32>,
    thread: Pid,
    /// When its turn is over, or when it is looked after if it was asked to give way; none before its thread has woken.
    until: Option<Instant>,
    /// It was asked to give way.
    asked: Option<Asked>,
}

/// What is known of a run that was asked to give way.
#[derive(Clone, Copy)]
struct Asked {
    /// How long its thread had computed when it was first looked after; most give way before.
    computed: Option<Duration>,
}

impl Seated {
    /// Whether its turn is over, or its seat is to be looked after, by now.
    fn is_due(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| until <= now)
    }

    /// Whether it has computed for too long since it was first looked after.
    fn computes_for_long(&mut self) -> bool {
        let Some(asked) = &mut self.asked else { return false };
        let Some(by_now) = computed_by(self.thread) else { return true };
        by_now >= *asked.computed.get_or_insert(by_now) + GRACE_MAX
    }
}

struct Queued {
    number: u64,
    interrupt: Arc<AtomicU32>,
    thread: Thread,
    id: Pid,
}

impl Turns {
    /// For so many processors, one at least.
    pub(in crate::host) fn new(seats: usize) -> Turns {
        Turns { seats: seats.max(1), turn: TURN_TIME, state: Mutex::default() }
    }

    /// For the processors on which this thread may run.
    pub(super) fn of_this_machine() -> Turns {
        Turns::new(thread::available_parallelism().map_or(1, usize::from))
    }

    /// How many runs wait.
    #[cfg(test)]
    pub(in crate::host) fn waiting(&self) -> usize {
        lock(&self.state).queues.iter().map(VecDeque::len).sum()
    }

    /// Has those look up who wait and were interrupted.
    pub(super) fn wake_interrupted(&self) {
        let state = lock(&self.state);
        let ends = |queued: &&Queued| ending(&queued.interrupt).is_some();
        state.queues.iter().flatten().filter(ends).for_each(|queued| queued.thread.unpark());
    }

    /// Waits for a seat; none if the run is interrupted first.
    fn take(&self, interrupt: &Arc<AtomicU32>, age: Age) -> Option<Seat<'_>> {
        let mut state = lock(&self.state);
        let number = state.numbered;
        state.numbered += 1;
        let queued =
            Queued { number, interrupt: Arc::clone(interrupt), thread: thread::current(), id: gettid() };
        state.queues[age as usize].push_back(queued);
        state.fill(self.seats);
        loop {
            if let Some(seated) = state.seated.iter_mut().find(|seated| seated.number == number) {
                seated.until = Some(Instant::now() + self.turn);
                return Some(Seat { turns: self, number, interrupt: Arc::clone(interrupt) });
            }
            if ending(interrupt).is_some() {
                state.queues[age as usize].retain(|queued| queued.number != number);
                state.wake_next();
                return None;
            }
            let is_next = state.next().is_some_and(|queued| queued.number == number);
            let look_again = is_next.then(|| state.hurry(self.seats, Instant::now()));
            drop(state);
            match look_again {
                Some(after) => thread::park_timeout(after),
                None => thread::park(),
            }
            state = lock(&self.state);
        }
    }
}

impl State {
    /// Whose turn it is next: of the young and of the old in turns, if there are both.
    fn next_age(&self) -> Age {
        let [young, old] = &self.queues;
        if young.is_empty() || self.last == Age::Young && !old.is_empty() { Age::Old } else { Age::Young }
    }

    fn next(&self) -> Option<&Queued> {
        self.queues[self.next_age() as usize].front()
    }

    /// Gives free seats to those whose turn it is.
    fn fill(&mut self, seats: usize) {
        while self.seated.len() < seats {
            let age = self.next_age();
            let Some(Queued { number, interrupt, thread, id }) = self.queues[age as usize].pop_front() else {
                return;
            };
            self.last = age;
            self.seated.push(Seated { number, interrupt, thread: id, until: None, asked: None });
            thread.unpark();
            self.wake_next();
        }
    }

    /// Who is next looks at the clock from now on.
    fn wake_next(&self) {
        self.next().into_iter().for_each(|next| next.thread.unpark());
    }

    /// Asks those to give way whose turn is over, and takes the seats of those who do not come back; returns when to look again.
    fn hurry(&mut self, seats: usize, now: Instant) -> Duration {
        let mut asked = 0;
        let waiting = self.queues.iter().map(VecDeque::len).sum();
        self.seated.retain_mut(|seated| {
            if seated.is_due(now) && seated.asked.is_some() {
                let asleep = sleeps(seated.thread);
                if asleep || seated.computes_for_long() {
                    self.away.extend(asleep.then_some(seated.number));
                    return false;
                }
                seated.until = Some(now + GRACE);
            } else if seated.is_due(now) && asked < waiting {
                seated.interrupt.fetch_or(TURN, Ordering::Relaxed);
                (seated.asked, seated.until) = (Some(Asked { computed: None }), Some(now + GRACE));
            }
            asked += usize::from(seated.asked.is_some());
            true
        });
        self.fill(seats);
        let next = self.seated.iter().filter_map(|seated| seated.until).filter(|until| *until > now).min();
        next.map_or(TURN_TIME, |next| next - now)
    }
}

/// A place at a processor, until it is dropped.
struct Seat<'a> {
    turns: &'a Turns,
    number: u64,
    interrupt: Arc<AtomicU32>,
}

impl Seat<'_> {
    /// Whether it was taken, because the run slept.
    fn was_taken_asleep(&self) -> bool {
        lock(&self.turns.state).away.contains(&self.number)
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.turns.state);
        state.seated.retain(|seated| seated.number != self.number);
        state.away.retain(|number| *number != self.number);
        // Nobody asks it any more.
        self.interrupt.fetch_and(!TURN, Ordering::Relaxed);
        state.fill(self.turns.seats);
    }
}

/// What one run has of the processors, while it is on a program thread.
pub(in crate::host) struct Share<'a> {
    turns: &'a Turns,
    seat: Option<Seat<'a>>,
    /// What it may compute without a seat.
    free: Duration,
    /// What it has computed.
    all: Duration,
    /// When this slice began, and how long its thread had computed then.
    began: Instant,
    computed: Duration,
    /// When it began to look as if it mostly waited.
    suspected: Option<Spent>,
}

impl<'a> Share<'a> {
    /// For the run of this thread.
    pub(in crate::host) fn new(turns: &'a Turns) -> Share<'a> {
        let (began, computed) = (Instant::now(), computed());
        Share {
            turns,
            seat: None,
            free: Duration::ZERO,
            all: Duration::ZERO,
            began,
            computed,
            suspected: None,
        }
    }

    /// A slice begins: waits for a seat if the run needs one. If it is interrupted meanwhile it goes on without: it ends.
    pub(in crate::host) fn begin(&mut self, interrupt: &Arc<AtomicU32>) {
        if self.seat.is_none() && self.free.is_zero() {
            let age = if self.all < YOUNG_TIME { Age::Young } else { Age::Old };
            self.seat = self.turns.take(interrupt, age);
            // What it waited there is no sleep of its own; how its last turn was is not forgotten.
            self.suspected = self.suspected.and_then(|_| Spent::by_this_thread());
        }
        self.began = Instant::now();
    }

    /// It begins with a call that may wait: it needs no seat for that.
    pub(in crate::host) fn waits_first(&mut self) {
        self.free = FREE_TIME;
    }

    /// Whether it computes without a seat, which nobody can ask back: its slices are to be short.
    pub(in crate::host) fn is_free(&self) -> bool {
        self.seat.is_none()
    }

    /// A slice is over: gives way if it was asked to, or if the run needs no seat.
    pub(in crate::host) fn end(&mut self) {
        let now = computed();
        let by_now = now.saturating_sub(std::mem::replace(&mut self.computed, now));
        self.all += by_now;
        let Some(seat) = &self.seat else {
            self.free = self.free.saturating_sub(by_now);
            return;
        };
        let is_asked = seat.interrupt.load(Ordering::Relaxed) & TURN != 0;
        let is_computing = by_now * COMPUTES >= self.began.elapsed();
        if !is_computing && (is_asked && seat.was_taken_asleep() || self.mostly_waits()) {
            (self.seat, self.free) = (None, FREE_TIME);
        } else if is_asked {
            self.seat = None;
        }
        if is_computing {
            self.suspected = None;
        }
    }

    /// Whether it has slept for most of the time since it was suspected to. That others were at the processor is no sleep.
    #[cold]
    fn mostly_waits(&mut self) -> bool {
        let now = Spent::by_this_thread();
        match (std::mem::replace(&mut self.suspected, now), now) {
            (Some(before), Some(now)) => {
                let time = now.at - before.at;
                let asleep = time.saturating_sub(now.awake.saturating_sub(before.awake));
                asleep * COMPUTES > time * (COMPUTES - 1)
            }
            _ => false,
        }
    }
}

/// What a thread spent its time with.
#[derive(Clone, Copy)]
struct Spent {
    at: Instant,
    /// At a processor, or waiting for one.
    awake: Duration,
}

impl Spent {
    /// None if the system does not tell.
    fn by_this_thread() -> Option<Spent> {
        let [computed, waited] = times("/proc/thread-self/schedstat")?;
        Some(Spent { at: Instant::now(), awake: computed + waited })
    }
}

/// How long a thread has computed, and how long it has waited for a processor. None if the system does not tell.
fn times(of: &str) -> Option<[Duration; 2]> {
    let stat = std::fs::read_to_string(of).ok()?;
    let mut times = stat.split_ascii_whitespace().map(|ns| ns.parse().map(Duration::from_nanos));
    Some([times.next()?.ok()?, times.next()?.ok()?])
}

/// How long a thread of this process has computed. None if the system does not tell.
fn computed_by(thread: Pid) -> Option<Duration> {
    times(&format!("/proc/self/task/{}/schedstat", thread.as_raw_nonzero())).map(|[computed, _]| computed)
}

/// Whether a thread of this process neither computes nor waits for a processor, or nothing is known of it.
fn sleeps(thread: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/self/task/{}/stat", thread.as_raw_nonzero()));
    // The name before the state is in parentheses, and may have some itself.
    stat.map_or(true, |stat| stat.rsplit(')').next().is_none_or(|rest| !rest.starts_with(" R")))
}

/// How long this thread has computed.
fn computed() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests;
