//! Sleeping until the other side has something, without a lost wake-up.
//!
//! ```text
//! sleeper: set bits ─ fence ─ look again ─ sleep while the bell is unchanged
//! other:   store what is looked for ─ fence ─ bit set? ─ change the bell ─ wake
//! ```
//! Of two sequentially consistent fences one comes first. If the sleeper's does, the other side sees the bit, and
//! changes the bell before it wakes: a sleeper that was on its way to sleep does not fall asleep. If the other's does,
//! the sleeper sees what was stored. A model checker tries it, within bounds that stand in `boundary/memory/tests/loom.rs`.

use std::time::Duration;

use crate::layout::{WANTS_FRAMES, WANTS_ROOM};
use crate::memory::{Memory, Slept};

const WANTS: u32 = WANTS_FRAMES | WANTS_ROOM;

/// Sleeps for one of the `wanted` bits on the own bell, at most so long, unless `is_there` after announcing it.
#[inline(always)]
pub(crate) fn sleep<M: Memory>(
    memory: &M,
    bell: usize,
    wanted: u32,
    at_most: Duration,
    is_there: impl FnOnce() -> bool,
) -> Slept {
    let slept = match announce(memory, bell, wanted, is_there) {
        None => Slept::Woken,
        Some(left) => memory.sleep(bell, left, at_most),
    };
    withdraw(memory, bell, wanted);
    slept
}

/// Says on the own bell that this side is about to sleep for one of the `wanted` bits, until [`withdraw`]. What is on the
/// bell then: it may sleep while that is unchanged; `None` if it must not, since something `is_there`.
#[inline]
pub(crate) fn announce<M: Memory>(
    memory: &M,
    bell: usize,
    wanted: u32,
    is_there: impl FnOnce() -> bool,
) -> Option<u32> {
    let left = memory.set_half_and_fence(bell, wanted) | wanted;
    if is_there() { None } else { Some(left) }
}

/// Takes back what was announced.
#[inline]
pub(crate) fn withdraw<M: Memory>(memory: &M, bell: usize, wanted: u32) {
    if memory.load_half(bell) & wanted != 0 {
        memory.clear_half(bell, wanted);
    }
}

/// Wakes the other side if it sleeps for one of `offered`; call it after storing that.
#[inline]
pub(crate) fn ring<M: Memory>(memory: &M, bell: usize, offered: u32) {
    memory.fence();
    ring_fenced(memory, bell, offered);
}

/// As [`ring`], after a fence.
#[inline]
pub(crate) fn ring_fenced<M: Memory>(memory: &M, bell: usize, offered: u32) {
    let found = memory.load_half(bell);
    if found & offered != 0 {
        wake(memory, bell, found);
    }
}

/// Wakes whoever sleeps there, whatever it waits for.
#[cold]
pub(crate) fn ring_anyway<M: Memory>(memory: &M, bell: usize) {
    memory.fence();
    wake(memory, bell, memory.load_half(bell));
}

/// A bit that is set between the load and the store is lost with it, but whoever set it finds the bell changed, does
/// not fall asleep, and looks again.
fn wake<M: Memory>(memory: &M, bell: usize, found: u32) {
    memory.store_half(bell, (found & !WANTS).wrapping_add(WANTS + 1));
    memory.wake(bell);
}
