//! How long to look before sleeping, learnt from how long answers take.
//!
//! To wake somebody on another processor takes tens of microseconds, and an answer may take one: then looking is
//! cheaper. To look on the processor that the other side needs is in vain.
//!
//! ```text
//! looking found it after t        look for 4 t next time, but not much less than before
//! looking was in vain             half as long next time, in the end not at all
//! asleep, and it came soon        as long as may be next time
//! both on one processor           not at all
//! ```
//!
//! Where both wait on one processor, whoever has nothing to do first gives way (`sched_yield`), once, and sleeps after that: the other
//! side runs meanwhile, and mostly has the answer when this one runs again. Nobody has slept then, and nobody is woken, which is half of
//! the price of a hand-over by sleeping. It goes wrong where others want the processor, too: who gives way stands behind all of them.
//!
//! ```text
//! gave way, and it was there within 50 µs     again next time
//! gave way in vain                            not the next time; 2, 4 … 64 times, each time that it is in vain again
//! it took longer                              not 64 times; 128 … 4,096, each time that it takes long again
//! ```
//! What took longer than 50 µs stood behind others, or behind a call so long that sleeping would not have made it longer: either way nothing
//! is lost by sleeping at once.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use super::shared::LOOKS;

/// How a side of a connection through shared memory waits for the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WaitMode {
    /// It looks until something comes and never sleeps: quickest, and takes a whole processor.
    Spinning,
    /// It looks for as long as has paid lately, then sleeps.
    #[default]
    Adaptive,
    /// It sleeps at once; where the other side waits on the same processor, after it gave way to it once.
    Sleeping,
}

/// Longest time of looking: what waking somebody on another processor costs.
const NANOS_MAX: u32 = 50_000;

/// Less than this is not worth a look at the clock.
const NANOS_MIN: u32 = 2_000;

/// Who gave way for longer would have had it as soon by sleeping.
const LONG: Duration = Duration::from_nanos(NANOS_MAX as u64);

/// Most doublings of how often nobody gives way after it was in vain.
const VAIN_MAX: u32 = 6;

/// How often nobody gives way after it took long.
const TIMES_AFTER_LONG: u32 = 64;

/// Most doublings of that.
const LONG_MAX: u32 = 6;

/// Looks of a spinning side after which it lets others run.
const LOOKS_IN_TURN: u32 = 2000;

/// Looks for each pause, of which one takes as long as 20 looks: an answer that comes meanwhile is seen late by half of that.
const LOOKS_A_PAUSE: u32 = 8;

/// Pauses now and then between the looks of one who expects an answer soon.
#[inline]
pub(crate) fn rest_after(number: u32) {
    if number % LOOKS_A_PAUSE == LOOKS_A_PAUSE - 1 {
        std::hint::spin_loop();
    }
}

/// What one side has learnt.
#[derive(Debug)]
pub(crate) struct Spin {
    /// As [`WaitMode`].
    mode: AtomicU8,
    nanos: AtomicU32,
    /// The other side waits on this processor.
    near: AtomicBool,
    /// How often not to give way.
    asleep: AtomicU32,
    /// How often in a row it was in vain.
    vain: AtomicU32,
    /// How often in a row it took long.
    long: AtomicU32,
}

impl Spin {
    pub(crate) fn new(mode: WaitMode) -> Spin {
        let alone = std::thread::available_parallelism().is_ok_and(|processors| processors.get() == 1);
        Spin::of(mode, if alone { 0 } else { NANOS_MAX }, alone)
    }

    fn of(mode: WaitMode, nanos: u32, near: bool) -> Spin {
        let (nanos, near) = (AtomicU32::new(nanos), AtomicBool::new(near));
        let [asleep, vain, long] = [const { AtomicU32::new(0) }; 3];
        Spin { mode: AtomicU8::new(mode as u8), nanos, near, asleep, vain, long }
    }

    #[inline]
    pub(crate) fn mode(&self) -> WaitMode {
        match self.mode.load(Relaxed) {
            mode if mode == WaitMode::Spinning as u8 => WaitMode::Spinning,
            mode if mode == WaitMode::Sleeping as u8 => WaitMode::Sleeping,
            _ => WaitMode::Adaptive,
        }
    }

    /// Who waits next waits so.
    pub(crate) fn set_mode(&self, mode: WaitMode) {
        self.mode.store(mode as u8, Relaxed);
    }

    /// How often to look before a look at the clock.
    #[inline]
    pub(crate) fn looks(&self) -> u32 {
        let pays = match self.mode() {
            WaitMode::Spinning => true,
            WaitMode::Adaptive => self.nanos.load(Relaxed) > 0,
            WaitMode::Sleeping => false,
        };
        if pays && !self.near.load(Relaxed) { LOOKS } else { 0 }
    }

    /// How often to look before others may run on this processor: they must, if the other side is among them.
    pub(crate) fn looks_in_turn(&self, here: u32, there: Option<u32>) -> u32 {
        let near = there == Some(here);
        self.near.store(near, Relaxed);
        if near { 1 } else { LOOKS_IN_TURN }
    }

    /// How long to look, if the other side was last seen there and this is here.
    pub(crate) fn time(&self, here: u32, there: Option<u32>) -> Duration {
        self.near.store(there == Some(here), Relaxed);
        let pays = there != Some(here);
        Duration::from_nanos(if pays { u64::from(self.nanos.load(Relaxed)) } else { 0 })
    }

    /// Whether to give way before a sleep, if the other side was last seen there and this is here.
    #[inline]
    pub(crate) fn gives_way(&self, here: u32, there: Option<u32>) -> bool {
        if there != Some(here) {
            return false;
        }
        let asleep = self.asleep.load(Relaxed);
        if asleep > 0 {
            self.asleep.store(asleep - 1, Relaxed);
        }
        asleep == 0
    }

    /// It gave way for so long, and then something was there or not.
    #[inline]
    pub(crate) fn gave_way(&self, took: Duration, found: bool) {
        let is_long = took >= LONG;
        if found && !is_long {
            self.vain.store(0, Relaxed);
            self.long.store(0, Relaxed);
            return;
        }
        let (count, times, most) =
            if is_long { (&self.long, TIMES_AFTER_LONG, LONG_MAX) } else { (&self.vain, 1, VAIN_MAX) };
        let before = count.load(Relaxed);
        count.store((before + 1).min(most), Relaxed);
        self.asleep.store(times << before, Relaxed);
    }

    /// Another one is waited for: what was learnt of giving way is not of it.
    pub(crate) fn meets_another(&self) {
        [&self.asleep, &self.vain, &self.long].into_iter().for_each(|learnt| learnt.store(0, Relaxed));
    }

    /// Looking found it after so long.
    pub(crate) fn won(&self, after: Duration) {
        let four = u32::try_from(after.as_nanos()).unwrap_or(NANOS_MAX).saturating_mul(4);
        let before = self.nanos.load(Relaxed);
        self.nanos.store(four.clamp(NANOS_MIN, NANOS_MAX).max(before - before / 8), Relaxed);
    }

    /// It came, or did not, after looking in vain for some time and sleeping: so long in all.
    pub(crate) fn lost(&self, looked: Duration, after: Duration) {
        // Waking takes as long as the longest look.
        if after < Duration::from_nanos(2 * u64::from(NANOS_MAX)) {
            self.nanos.store(NANOS_MAX, Relaxed);
        } else if !looked.is_zero() {
            let half = self.nanos.load(Relaxed) / 2;
            self.nanos.store(if half < NANOS_MIN { 0 } else { half }, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MICRO: Duration = Duration::from_micros(1);

    fn learner() -> Spin {
        Spin::of(WaitMode::Adaptive, NANOS_MAX, false)
    }

    #[test]
    fn looking_in_vain_ends_and_comes_back_when_answers_are_quick() {
        let spin = learner();
        let looks = (0..20).take_while(|_| {
            spin.lost(spin.time(0, Some(1)), 1000 * MICRO);
            spin.looks() > 0
        });
        assert_eq!(looks.count(), 4);
        spin.lost(Duration::ZERO, 60 * MICRO);
        assert_eq!(spin.time(0, Some(1)), 50 * MICRO);
    }

    #[test]
    fn nobody_looks_where_the_other_side_must_run() {
        let spin = learner();
        assert_eq!((spin.time(1, Some(1)), spin.looks()), (Duration::ZERO, 0));
        assert_eq!((spin.time(1, Some(0)), spin.looks()), (50 * MICRO, LOOKS));
    }

    #[test]
    fn quick_answers_make_short_looks() {
        let spin = learner();
        (0..100).for_each(|_| spin.won(MICRO));
        assert_eq!(spin.time(0, Some(1)), 4 * MICRO);
        spin.won(10 * MICRO);
        assert_eq!(spin.time(0, Some(1)), 40 * MICRO);
    }

    /// How often it gives way out of so many times that it waits.
    fn gives_way(spin: &Spin, times: usize, took: Duration, found: bool) -> usize {
        let way = (0..times).filter(|_| {
            let gives_way = spin.gives_way(0, Some(0));
            if gives_way {
                spin.gave_way(took, found);
            }
            gives_way
        });
        way.count()
    }

    #[test]
    fn who_waits_gives_way_where_the_other_side_must_run_and_as_long_as_that_pays() {
        let spin = learner();
        assert!(!spin.gives_way(0, Some(1)) && !spin.gives_way(0, None));
        assert_eq!(gives_way(&spin, 1000, 2 * MICRO, true), 1000);
        // In vain: after 1, 2, 4 … 64 times that it sleeps at once.
        assert_eq!(gives_way(&spin, 1 + 127 + 7, 2 * MICRO, false), 8);
        assert_eq!(gives_way(&spin, 650, 2 * MICRO, false), 10);
        // It pays again.
        assert_eq!(gives_way(&spin, 100, 2 * MICRO, true), 100 - 64);
    }

    #[test]
    fn who_stood_behind_others_gives_way_seldom() {
        // Of a processor others take 3 ms at once, or less if they wait often themselves.
        for took in [60 * MICRO, 300 * MICRO, 3000 * MICRO] {
            for found in [true, false] {
                let spin = learner();
                let ways = gives_way(&spin, 1_000_000, took, found);
                assert!(ways < 300, "{ways} of {took:?}");
            }
        }
    }

    #[test]
    fn a_call_that_is_long_now_and_then_costs_little() {
        let spin = learner();
        let mut ways = 0;
        for _ in 0..100 {
            ways += gives_way(&spin, 99, 2 * MICRO, true) + gives_way(&spin, 1, 600 * MICRO, true);
        }
        // Of 100 calls one is long, and 64 sleep after it.
        assert!(ways > 3500, "{ways}");
        // In vain a few times and long once is not long many times.
        let spin = learner();
        gives_way(&spin, 200, 2 * MICRO, false);
        gives_way(&spin, 65, 600 * MICRO, true);
        assert!(gives_way(&spin, 65, 2 * MICRO, true) > 0);
    }

    #[test]
    fn what_was_learnt_of_one_is_not_of_another() {
        let spin = learner();
        gives_way(&spin, 1_000_000, 3000 * MICRO, true);
        spin.meets_another();
        assert_eq!(gives_way(&spin, 100, 2 * MICRO, true), 100);
    }
}
