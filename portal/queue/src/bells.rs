//! Sleeping on several bells at once: for one loop that serves many clients.
//!
//! Each bell is announced first ([`End::announce`](crate::End::announce)) and taken back afterwards, so that no wake-up is
//! lost, as with one.

use std::sync::atomic::AtomicU32;
use std::time::Duration;

use rustix::io::Errno;
use rustix::thread::futex::{Wait, WaitFlags, WaitPtr, WaitvFlags, waitv};
use rustix::time::{ClockId, Timespec, clock_gettime};

use crate::Slept;

/// Most bells that the system takes at once.
pub const BELLS_MAX: usize = 128;

/// A tick takes 10 ms at most.
const LONG: Duration = Duration::from_millis(20);

/// A word of memory to sleep on while it has a value.
#[derive(Clone, Copy, Debug)]
pub struct Bell<'w> {
    /// The word. Whoever changes it wakes those that sleep there.
    pub word: &'w AtomicU32,
    /// What it holds, in the byte order of the machine.
    pub value: u32,
}

/// Whether the system can: Linux can from 5.16 on.
#[must_use]
pub fn can_sleep_on_several() -> bool {
    let word = AtomicU32::new(0);
    // The value is another one, so that it does not sleep.
    waitv(&[Bell { word: &word, value: 1 }.wait()], WaitvFlags::empty(), None, ClockId::Monotonic)
        == Err(Errno::AGAIN)
}

/// Sleeps while all bells, [`BELLS_MAX`] at most, have their values, at most so long; may wake for no reason.
pub fn sleep_on_several<'b>(bells: impl Iterator<Item = Bell<'b>>, at_most: Duration) -> Slept {
    let waits: Vec<Wait> = bells.map(Bell::wait).collect();
    let until = later(at_most);
    match waitv(&waits, WaitvFlags::empty(), Some(&until), ClockId::Monotonic) {
        Err(Errno::TIMEDOUT) => Slept::TimedOut,
        // However else it ends, the caller looks again.
        _ => Slept::Woken,
    }
}

impl Bell<'_> {
    fn wait(self) -> Wait {
        let mut wait = Wait::new();
        wait.val = u64::from(self.value);
        wait.uaddr = WaitPtr::new(self.word.as_ptr().cast());
        wait.flags = WaitFlags::SIZE_U32;
        wait
    }
}

/// The time, by the clock of sleeps; that of the system's last tick for long ones, which end as much earlier. To ask for the
/// exact one takes longer, the system too if it is told how long instead.
#[inline]
pub(crate) fn later(after: Duration) -> Timespec {
    let is_long = after >= LONG;
    let now = clock_gettime(if is_long { ClockId::MonotonicCoarse } else { ClockId::Monotonic });
    let nanos = now.tv_nsec + i64::from(after.subsec_nanos());
    let seconds = i64::try_from(after.as_secs()).unwrap_or(i64::MAX);
    Timespec {
        tv_sec: now.tv_sec.saturating_add(seconds).saturating_add(nanos / 1_000_000_000),
        tv_nsec: nanos % 1_000_000_000,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use rustix::thread::futex;

    use super::*;

    #[test]
    fn any_of_several_bells_wakes() {
        assert!(can_sleep_on_several(), "this machine has Linux 5.16 or newer");
        let words: [AtomicU32; 3] = Default::default();
        for rung in 0..words.len() {
            std::thread::scope(|scope| {
                let bells = words.each_ref().map(|word| Bell { word, value: word.load(Ordering::Relaxed) });
                let sleeper =
                    scope.spawn(move || sleep_on_several(bells.into_iter(), Duration::from_secs(20)));
                words[rung].fetch_add(1, Ordering::SeqCst);
                let _ = futex::wake(&words[rung], futex::Flags::empty(), 1);
                assert_eq!(sleeper.join().unwrap(), Slept::Woken);
            });
        }
    }

    #[test]
    fn a_time_that_passes_is_told() {
        let word = AtomicU32::new(7);
        let bell = Bell { word: &word, value: 7 };
        assert_eq!(sleep_on_several([bell].into_iter(), Duration::from_millis(1)), Slept::TimedOut);
    }
}
