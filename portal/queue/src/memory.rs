//! What the queues need of memory.
//!
//! The real thing is a [`Mapping`]; a test gives them the memory of a model checker, which tries the orders in which two threads may
//! see each other's writes, with bounds (`boundary/memory/tests/loom.rs`). All places are offsets, checked by the memory.

use std::num::NonZeroU32;
use std::sync::atomic::{Ordering, fence};
use std::time::Duration;

use carnet_memory::Mapping;
use rustix::io::Errno;
use rustix::thread::futex;

use crate::bells::later;

/// How a sleep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slept {
    /// By a wake, or for no reason, or it did not begin.
    Woken,
    /// All of its time passed.
    TimedOut,
}

/// Memory that two sides write.
pub trait Memory {
    /// The 64-bit word at `at`, with acquire order.
    fn load(&self, at: usize) -> u64;
    /// Stores the 64-bit word at `at`, with release order.
    fn store(&self, at: usize, value: u64);
    /// Stores the 64-bit word at `at`, in no order.
    fn store_relaxed(&self, at: usize, value: u64);
    /// The 32-bit word at `at`, in no order.
    fn load_half(&self, at: usize) -> u32;
    /// Stores the 32-bit word at `at`, with release order.
    fn store_half(&self, at: usize, value: u32);
    /// Sets bits of the 32-bit word at `at`; what it was.
    fn set_half(&self, at: usize, bits: u32) -> u32;
    /// As [`Memory::set_half`], then a sequentially consistent fence.
    fn set_half_and_fence(&self, at: usize, bits: u32) -> u32 {
        let was = self.set_half(at, bits);
        self.fence();
        was
    }
    /// Clears bits of the 32-bit word at `at`.
    fn clear_half(&self, at: usize, bits: u32);
    /// Copies bytes out, which the other side may be writing.
    fn read(&self, at: usize, into: &mut [u8]);
    /// Copies `len` bytes out, behind what `onto` has.
    fn append(&self, at: usize, len: usize, onto: &mut Vec<u8>) {
        let start = onto.len();
        onto.resize(start + len, 0);
        self.read(at, &mut onto[start..]);
    }
    /// Copies bytes in.
    fn write(&self, at: usize, from: &[u8]);
    /// Takes all of its pages now, not each when it is first touched.
    fn populate(&self) {}
    /// A sequentially consistent fence.
    fn fence(&self);
    /// Sleeps while the 32-bit word at `at` is `value`, at most so long, until woken; may wake for no reason.
    fn sleep(&self, at: usize, value: u32, at_most: Duration) -> Slept;
    /// Wakes all that sleep there.
    fn wake(&self, at: usize);
}

impl Memory for Mapping {
    #[inline(always)]
    fn load(&self, at: usize) -> u64 {
        u64::from_le(self.word(at).load(Ordering::Acquire))
    }

    #[inline(always)]
    fn store(&self, at: usize, value: u64) {
        self.word(at).store(value.to_le(), Ordering::Release);
    }

    #[inline]
    fn store_relaxed(&self, at: usize, value: u64) {
        self.word(at).store(value.to_le(), Ordering::Relaxed);
    }

    #[inline]
    fn load_half(&self, at: usize) -> u32 {
        u32::from_le(self.half(at).load(Ordering::Relaxed))
    }

    #[inline]
    fn store_half(&self, at: usize, value: u32) {
        self.half(at).store(value.to_le(), Ordering::Release);
    }

    #[inline]
    fn set_half(&self, at: usize, bits: u32) -> u32 {
        u32::from_le(self.half(at).fetch_or(bits.to_le(), Ordering::Relaxed))
    }

    /// On these processors an atomic change is a fence in itself: no load or store passes a locked instruction (Intel SDM, volume 3, section
    /// "Loads and Stores Are Not Reordered with Locked Instructions"; AMD64 manual, volume 2, "Read/Write Barriers"), and this one is
    /// compiled to `lock or` or a loop of `lock cmpxchg`. The compiler is kept from moving others across it by the fence that is but for it. The
    /// language's model knows no such thing of an atomic change, so the model checker runs the provided function: change, then fence.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn set_half_and_fence(&self, at: usize, bits: u32) -> u32 {
        let was = self.half(at).fetch_or(bits.to_le(), Ordering::SeqCst);
        std::sync::atomic::compiler_fence(Ordering::SeqCst);
        u32::from_le(was)
    }

    #[inline]
    fn clear_half(&self, at: usize, bits: u32) {
        self.half(at).fetch_and(!bits.to_le(), Ordering::Relaxed);
    }

    #[inline(always)]
    fn read(&self, at: usize, into: &mut [u8]) {
        Mapping::read(self, at, into);
    }

    #[inline]
    fn append(&self, at: usize, len: usize, onto: &mut Vec<u8>) {
        Mapping::append(self, at, len, onto);
    }

    #[inline(always)]
    fn write(&self, at: usize, from: &[u8]) {
        Mapping::write(self, at, from);
    }

    #[cold]
    fn populate(&self) {
        Mapping::populate(self);
    }

    #[inline]
    fn fence(&self) {
        fence(Ordering::SeqCst);
    }

    #[inline(always)]
    fn sleep(&self, at: usize, value: u32, at_most: Duration) -> Slept {
        let (word, until) = (self.half(at), later(at_most));
        match futex::wait_bitset(word, futex::Flags::empty(), value.to_le(), Some(&until), NonZeroU32::MAX) {
            Err(Errno::TIMEDOUT) => Slept::TimedOut,
            // However else it ends, the caller looks again.
            _ => Slept::Woken,
        }
    }

    fn wake(&self, at: usize) {
        // Nobody to wake is no fault.
        let _ = futex::wake(self.half(at), futex::Flags::empty(), i32::MAX as u32);
    }
}
