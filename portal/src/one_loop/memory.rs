//! Clients that share memory with the server: looking at their queues, and sleeping until one of them rings.
//!
//! ```text
//! look at all ─► look some times ─► ask the sockets, unless ─► look by the clock ─► give way once, ─► announce to all
//!   found: serve   found: serve       the watcher waits         found: serve       if there is one    ─► sleep on all bells
//!                                     for them; ready: serve                       client alone          and the watcher's
//! ```
//! Linux waits for many words of memory or for many sockets, not for both. So a thread of the loop's own, the *watcher*, waits
//! for the sockets from when the loop sleeps on bells until one is ready, and then changes one more word; it serves nobody. It
//! is there as long as a client shares memory.
//!
//! No sleep is longer than with a thread for each client, so that one who keeps its bell from ringing is served late, and
//! nobody else is. That its process has died is seen on its socket, at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_queue::{BELLS_MAX, Bell, Slept, sleep_on_several};

use super::TURNS;
use super::poll::Poll;
use super::watcher::Watcher;
use crate::link::{LOOKS_BY_CLOCK, Readiness, Shared, Spin, WaitMode, processor, rest_after, slice};
use crate::session::Session;

/// Most clients that can share memory with one loop: one bell is the watcher's.
pub(super) const CLIENTS_MAX: usize = BELLS_MAX - 1;

/// How often sockets of those who share memory are looked at.
const CHECKS: Duration = Duration::from_millis(100);

/// Whom a loop serves, through memory or sockets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Clients {
    One,
    Several,
}

/// A client that shares memory.
struct Neighbour {
    number: u64,
    session: Arc<Session>,
    wanted: Option<Readiness>,
    /// Since when nothing has come of it.
    silent: Option<Instant>,
}

impl Neighbour {
    /// Its queues, if something is wanted of them.
    #[inline]
    fn wanted(&self) -> Option<(&Shared, Readiness)> {
        Some((self.session.link().shared()?, self.wanted?))
    }

    #[inline]
    fn is_ready(&self) -> bool {
        self.wanted().is_some_and(|(shared, wanted)| shared.is_ready(wanted))
    }
}

/// All clients that share memory.
pub(super) struct Neighbours {
    list: Vec<Neighbour>,
    spin: Spin,
    watcher: Option<Watcher>,
    /// Times that somebody was found since the sockets were asked.
    found: usize,
    /// The one that was found last.
    last: Option<u64>,
    /// Sleeps in a row that lasted all of their time.
    slices: u32,
    /// When their sockets were looked at.
    checked: Option<Instant>,
}

impl Neighbours {
    pub(super) fn new(mode: WaitMode) -> Neighbours {
        Neighbours {
            list: Vec::new(),
            spin: Spin::new(mode),
            watcher: None,
            found: 0,
            last: None,
            slices: 0,
            checked: None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// One client more, of which nothing is wanted yet.
    ///
    /// # Errors
    /// There is no thread for the watcher.
    pub(super) fn add(&mut self, number: u64, session: Arc<Session>, poll: &Poll) -> std::io::Result<()> {
        if self.watcher.is_none() {
            self.watcher = Some(Watcher::start(poll)?);
        }
        self.spin.meets_another();
        self.list.push(Neighbour { number, session, wanted: None, silent: None });
        Ok(())
    }

    pub(super) fn want(&mut self, number: u64, wanted: Option<Readiness>) {
        if let Some(neighbour) = self.list.iter_mut().find(|neighbour| neighbour.number == number) {
            neighbour.wanted = wanted;
            neighbour.silent = None;
        }
    }

    /// Looks, at times, for descriptors in sockets of those who say nothing. It is noticed as any end is.
    pub(super) fn check(&mut self, now: Instant) {
        if self.checked.is_some_and(|checked| now.duration_since(checked) < CHECKS) {
            return;
        }
        self.checked = Some(now);
        for neighbour in &mut self.list {
            let since = *neighbour.silent.get_or_insert(now);
            if let Some((shared, Readiness { receive: true, .. })) = neighbour.wanted()
                && !neighbour.is_ready()
            {
                shared.check_what_lies(since);
            }
        }
    }

    pub(super) fn remove(&mut self, number: u64) {
        self.list.retain(|neighbour| neighbour.number != number);
        if self.list.is_empty() {
            self.watcher = None;
        }
    }

    /// Waits until a client or a socket is ready, at most until `deadline`, and appends their numbers. It may give way to a client
    /// that is the loop's only one.
    pub(super) fn wait(
        &mut self,
        poll: &Poll,
        deadline: Option<Instant>,
        clients: Clients,
        ready: &mut Vec<u64>,
    ) {
        let is_due = |deadline: Instant| deadline <= Instant::now();
        if self.look(ready) {
            self.found += 1;
            self.last = ready.last().copied();
            if self.found < TURNS {
                return;
            }
        } else if !deadline.is_some_and(is_due) {
            self.look_soon(ready);
        }
        self.found = 0;
        let is_idle = ready.is_empty();
        // Who always finds somebody asks at times: the watcher may be waiting for this processor.
        if !is_idle || self.watcher.as_ref().is_none_or(Watcher::has_seen) {
            poll.wait(Some(Instant::now()), ready);
        }
        if is_idle && ready.is_empty() && !deadline.is_some_and(is_due) {
            match self.spin.mode() {
                WaitMode::Spinning => self.look_in_turn(ready),
                WaitMode::Sleeping | WaitMode::Adaptive => self.pause(poll, deadline, clients, ready),
            }
        }
        self.last = ready.last().copied().or(self.last);
    }

    /// Whether somebody is ready.
    #[inline]
    fn look(&self, ready: &mut Vec<u64>) -> bool {
        let before = ready.len();
        ready.extend(self.list.iter().filter(|client| client.is_ready()).map(|client| client.number));
        ready.len() > before
    }

    fn look_soon(&self, ready: &mut Vec<u64>) {
        for number in 0..self.spin.looks() {
            if self.look(ready) {
                return;
            }
            rest_after(number);
        }
    }

    /// Tells all where the loop waits, and that there is room; where the one waits that was found last.
    fn meet(&self, here: u32) -> Option<u32> {
        let mut there = None;
        for Neighbour { number, session, .. } in &self.list {
            let met = session.link().shared().and_then(|shared| shared.meet_on(here));
            if self.last == Some(*number) {
                there = met;
            }
        }
        there
    }

    /// Others may run on this processor now and then, clients among them.
    fn look_in_turn(&mut self, ready: &mut Vec<u64>) {
        let here = processor();
        let there = self.meet(here);
        if !(0..self.spin.looks_in_turn(here, there)).any(|_| self.look(ready)) {
            std::thread::yield_now();
        }
    }

    /// Looks for as long as that pays, lets the only client run if it waits on this processor, and sleeps.
    fn pause(&mut self, poll: &Poll, deadline: Option<Instant>, clients: Clients, ready: &mut Vec<u64>) {
        let (begun, here) = (Instant::now(), processor());
        let there = self.meet(here);
        let adapts = self.spin.mode() == WaitMode::Adaptive;
        let time = if adapts { self.spin.time(here, there) } else { Duration::ZERO };
        if !time.is_zero() && self.look_by_clock(begun, time, ready) {
            return self.spin.won(begun.elapsed());
        }
        // Who gives way stands behind whatever else that client's processor has to do, and so would all others.
        if clients == Clients::One && self.spin.gives_way(here, there) {
            // Nobody looks by the clock where one gives way, so that it begins only now.
            std::thread::yield_now();
            let took = begun.elapsed();
            let found = self.look(ready);
            self.spin.gave_way(took, found);
            if found {
                self.slices = 0;
                return;
            }
        }
        self.sleep(poll, deadline, ready);
        if adapts && self.look(ready) {
            self.spin.lost(time, begun.elapsed());
        }
    }

    /// Looks for so long; whether somebody was ready.
    fn look_by_clock(&self, begun: Instant, time: Duration, ready: &mut Vec<u64>) -> bool {
        while begun.elapsed() < time {
            for _ in 0..LOOKS_BY_CLOCK {
                if self.look(ready) {
                    return true;
                }
                std::hint::spin_loop();
            }
        }
        false
    }

    fn sleep(&mut self, poll: &Poll, deadline: Option<Instant>, ready: &mut Vec<u64>) {
        let Some(watcher) = &self.watcher else { return };
        let wanted = || self.list.iter().filter_map(Neighbour::wanted);
        let mut slept = Slept::Woken;
        let bells: Option<Vec<Bell<'_>>> = wanted().map(|(shared, wanted)| shared.announce(wanted)).collect();
        if let Some(bells) = bells {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let slice = slice(self.slices);
            let at_most = left.map_or(slice, |left| left.min(slice));
            slept = sleep_on_several(bells.into_iter().chain([watcher.watch()]), at_most);
        }
        wanted().for_each(|(shared, wanted)| shared.withdraw(wanted));
        if watcher.has_seen() {
            poll.wait(Some(Instant::now()), ready);
        }
        self.slices = if slept == Slept::TimedOut { self.slices + 1 } else { 0 };
    }
}
