//! What has a run stop or pause from outside: one word, which it looks at before each call and at each round of a loop.

use std::sync::atomic::{AtomicU32, Ordering};

use super::Stop;

/// Set in [`Env::interrupt`](super::Env::interrupt) to end a run at its next call or backward branch.
pub const CANCEL: u32 = 1;
/// Set in [`Env::interrupt`](super::Env::interrupt) when the run's time is over.
pub const DEADLINE: u32 = 2;
/// Set in [`Env::interrupt`](super::Env::interrupt) to have a run pause there: others wait for the processor. An instruction that would begin anew
/// does not look at it.
pub const TURN: u32 = 4;

/// Why a run is to end, if it is.
#[inline]
pub(crate) fn ending(interrupt: &AtomicU32) -> Option<Stop> {
    match interrupt.load(Ordering::Relaxed) & (CANCEL | DEADLINE) {
        0 => None,
        bits if bits & CANCEL != 0 => Some(Stop::Cancelled),
        _ => Some(Stop::Deadline),
    }
}

/// Why a run stops whose interrupt is set.
#[cold]
pub(super) fn interrupted(interrupt: &AtomicU32) -> Stop {
    ending(interrupt).unwrap_or(Stop::Pause)
}
