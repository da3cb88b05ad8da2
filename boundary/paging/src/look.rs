//! Whether to look for a fault before sleeping, learnt from whether looking found one.
//!
//! A thread of another processor that goes on with its page may touch the next one within microseconds, and to be woken takes tens of
//! them: then looking is cheaper. On the processor that the application needs, or while it has its pages, it is in vain.
//!
//! ```text
//! looking found one        look again
//! looking was in vain      0, 1, 2, 4, … waits without, 4096 at most
//! ```

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// For so long: what waking somebody on another processor costs.
const TIME: Duration = Duration::from_micros(50);

/// Waits without a look between two that are in vain, at most.
const WITHOUT_MAX: u32 = 4096;

/// What was learnt of one application.
#[derive(Debug)]
pub(crate) struct Look {
    is_alone: bool,
    /// So many waits more are without a look.
    without: AtomicU32,
    /// So many will be after the next look in vain.
    next: AtomicU32,
}

impl Look {
    pub(crate) fn new() -> Look {
        Look { is_alone: is_one_processor(), without: AtomicU32::new(0), next: AtomicU32::new(0) }
    }

    /// How long to look in the wait that begins now.
    pub(crate) fn time(&self) -> Duration {
        let without = self.without.load(Relaxed);
        self.without.store(without.saturating_sub(1), Relaxed);
        if self.is_alone || without > 0 { Duration::ZERO } else { TIME }
    }

    /// Looking found a fault.
    pub(crate) fn found(&self) {
        self.next.store(0, Relaxed);
    }

    /// Looking found none.
    pub(crate) fn in_vain(&self) {
        let next = self.next.load(Relaxed);
        self.without.store(next, Relaxed);
        self.next.store((2 * next).clamp(1, WITHOUT_MAX), Relaxed);
    }
}

/// Whether the system has no second processor, where an application could be. Which ones this thread may use says nothing of that.
fn is_one_processor() -> bool {
    // `0`, or `0-3`, or `0,2`
    let online = std::fs::read_to_string("/sys/devices/system/cpu/online");
    online.map_or(1, |online| online.trim().split(['-', ',']).count()) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learner(is_alone: bool) -> Look {
        Look { is_alone, without: AtomicU32::new(0), next: AtomicU32::new(0) }
    }

    /// How many of so many waits look, all in vain.
    fn looks(look: &Look, waits: u32) -> usize {
        let looks = |_: &u32| {
            let does = !look.time().is_zero();
            if does {
                look.in_vain();
            }
            does
        };
        (0..waits).filter(looks).count()
    }

    #[test]
    fn looking_in_vain_becomes_rare() {
        let look = learner(false);
        // After 0, 1, 2, 4, … 4096 waits without, and then after each 4096.
        assert_eq!(looks(&look, 10_000), 15);
        assert_eq!(looks(&look, 100 * (WITHOUT_MAX + 1)), 100);
    }

    #[test]
    fn what_pays_goes_on() {
        let look = learner(false);
        looks(&look, 10);
        while look.time().is_zero() {}
        look.found();
        assert!((0..100).all(|_| !look.time().is_zero()));
        // Once in vain is no reason not to.
        look.in_vain();
        assert!(!look.time().is_zero());
    }

    #[test]
    fn on_one_processor_nobody_looks() {
        assert_eq!(looks(&learner(true), 10_000), 0);
    }
}
