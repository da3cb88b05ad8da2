//! Monitors: entering and leaving them, waiting and notifying (JLS 17.1, 17.2).
//!
//! ```text
//! lock bits   0: free │ holder: 5 bits, depth - 1: 3 bits │ 255: there is a Monitor
//! ```
//!
//! A monitor that one thread holds, at most eight times, and that nobody waits for is in the lock bits of its object alone.
//! For anything else there is a [`Monitor`], as long as somebody holds it or waits for it. Threads are switched only between
//! operations, so nobody else looks while one is changed.

use std::collections::VecDeque;

use super::Domain;
use crate::heap::{Ref, Stray};
use crate::thread::{Thread, ThreadId, Wait};

/// Lock bits of an object that nobody holds.
const FREE: u8 = 0;
/// Lock bits of an object that has a [`Monitor`].
const MONITOR: u8 = u8::MAX;
const DEPTH_BITS: u32 = 3;
const DEPTH: u8 = (1 << DEPTH_BITS) - 1;
/// Threads that can hold locks by lock bits; others do by monitors.
const HOLDERS: usize = 30;
/// In the phase of a thread that waits: it was notified, and so was not woken by time or an interrupt.
pub(crate) const NOTIFIED: u32 = 1 << 31;

/// Lock bits after a holder enters once more; none if they cannot say it.
#[inline]
pub(crate) fn deeper(lock: u8, holder: u8) -> Option<u8> {
    if holder == 0 {
        None
    } else if lock == FREE {
        Some(holder << DEPTH_BITS)
    } else {
        (lock >> DEPTH_BITS == holder && lock & DEPTH != DEPTH).then(|| lock + 1)
    }
}

/// Lock bits after a holder leaves once; none if they do not say that it holds the lock.
#[inline]
pub(crate) fn shallower(lock: u8, holder: u8) -> Option<u8> {
    if holder == 0 || lock >> DEPTH_BITS != holder {
        None
    } else if lock & DEPTH == 0 {
        Some(FREE)
    } else {
        Some(lock - 1)
    }
}

/// Who can hold locks by lock bits.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    threads: [Option<ThreadId>; HOLDERS + 1],
    /// How many objects each holds so. A thread that ends and holds some keeps its number for ever.
    pub(crate) held: [u32; 32],
}

impl Holders {
    /// Gives a thread a number, 0 if there is none left.
    pub(super) fn add(&mut self, thread: ThreadId) -> u8 {
        let free = (1..=HOLDERS).find(|at| self.threads[*at].is_none());
        let holder = free.unwrap_or(0);
        if holder != 0 {
            self.threads[holder] = Some(thread);
        }
        holder as u8
    }

    /// A thread is gone.
    pub(super) fn remove(&mut self, holder: u8) {
        let at = usize::from(holder);
        if self.held.get(at) == Some(&0)
            && let Some(thread) = self.threads.get_mut(at)
        {
            *thread = None;
        }
    }
}

/// A monitor that is more than lock bits can say.
#[derive(Debug, Default)]
pub(crate) struct Monitor {
    owner: Option<ThreadId>,
    count: u32,
    /// Threads that wait to be notified, in order.
    waiting: VecDeque<ThreadId>,
    /// Threads that wait to enter.
    entering: VecDeque<ThreadId>,
}

impl Domain {
    /// Enters a monitor; `false` if the thread has to wait for it, and try again.
    ///
    /// # Errors
    /// [`Stray`].
    pub(crate) fn enter(&mut self, thread: &mut Thread, object: Ref) -> Result<bool, Stray> {
        let lock = self.heap.space.lock(object)?;
        if let Some(deeper) = deeper(lock, thread.holder) {
            let held = &mut self.holders.held[usize::from(thread.holder)];
            *held = held.wrapping_add(u32::from(lock == FREE));
            self.heap.space.set_lock(object, deeper)?;
            return Ok(true);
        }
        let monitor = self.monitor(object)?;
        match monitor.owner {
            None => {
                monitor.owner = Some(thread.id);
                monitor.count = 1;
            }
            Some(owner) if owner == thread.id => monitor.count = monitor.count.saturating_add(1),
            Some(_) => {
                if !monitor.entering.contains(&thread.id) {
                    monitor.entering.push_back(thread.id);
                }
                thread.wait = Wait::Monitor(object);
                return Ok(false);
            }
        }
        monitor.entering.retain(|other| *other != thread.id);
        Ok(true)
    }

    /// The monitor of an object, made out of its lock bits if it has none yet.
    fn monitor(&mut self, object: Ref) -> Result<&mut Monitor, Stray> {
        let lock = self.heap.space.lock(object)?;
        let monitor = self.monitors.entry(object).or_default();
        if lock != MONITOR {
            let holder = usize::from(lock >> DEPTH_BITS);
            monitor.owner = self.holders.threads.get(holder).copied().flatten();
            monitor.count = u32::from(lock & DEPTH) + 1;
            if let (Some(_), Some(held)) = (monitor.owner, self.holders.held.get_mut(holder)) {
                *held = held.saturating_sub(1);
            }
            self.heap.space.set_lock(object, MONITOR)?;
        }
        Ok(monitor)
    }

    /// Leaves a monitor; `false` if the thread does not hold it.
    ///
    /// # Errors
    /// [`Stray`].
    pub(crate) fn exit(&mut self, thread: &Thread, object: Ref) -> Result<bool, Stray> {
        let lock = self.heap.space.lock(object)?;
        if let Some(shallower) = shallower(lock, thread.holder) {
            let held = &mut self.holders.held[usize::from(thread.holder)];
            *held = held.saturating_sub(u32::from(shallower == FREE));
            self.heap.space.set_lock(object, shallower)?;
            return Ok(true);
        }
        let Some(monitor) = self.monitors.get_mut(&object).filter(|of| of.owner == Some(thread.id)) else {
            return Ok(false);
        };
        monitor.count -= 1;
        if monitor.count == 0 {
            self.release(object)?;
        }
        Ok(true)
    }

    /// Gives a monitor up, and wakes who wants it next.
    fn release(&mut self, object: Ref) -> Result<(), Stray> {
        let Some(monitor) = self.monitors.get_mut(&object) else { return Ok(()) };
        monitor.owner = None;
        monitor.count = 0;
        match monitor.entering.front().copied() {
            Some(next) => self.wake(next),
            None => self.drop_unused(object)?,
        }
        Ok(())
    }

    /// A monitor that nobody holds or waits for goes.
    fn drop_unused(&mut self, object: Ref) -> Result<(), Stray> {
        let unused = |monitor: &Monitor| {
            monitor.owner.is_none() && monitor.waiting.is_empty() && monitor.entering.is_empty()
        };
        if self.monitors.get(&object).is_some_and(unused) {
            self.monitors.remove(&object);
            self.heap.space.set_lock(object, FREE)?;
        }
        Ok(())
    }

    /// A thread that waited for a monitor may no longer want it: who comes next is woken, who would wait for ever otherwise.
    ///
    /// # Errors
    /// [`Stray`].
    pub(crate) fn give_up(&mut self, thread: &Thread, object: Ref) -> Result<(), Stray> {
        let Some(monitor) = self.monitors.get_mut(&object) else { return Ok(()) };
        let wanted = monitor.entering.iter().position(|other| *other == thread.id);
        if let Some(at) = wanted {
            monitor.entering.remove(at);
            if monitor.owner.is_none() {
                self.release(object)?;
            }
        }
        Ok(())
    }

    /// How often a thread holds a monitor.
    ///
    /// # Errors
    /// [`Stray`].
    pub(crate) fn holds(&self, thread: &Thread, object: Ref) -> Result<u32, Stray> {
        let lock = self.heap.space.lock(object)?;
        if lock != MONITOR {
            let count = u32::from(lock & DEPTH) + 1;
            return Ok(shallower(lock, thread.holder).map_or(0, |_| count));
        }
        let monitor = self.monitors.get(&object).filter(|monitor| monitor.owner == Some(thread.id));
        Ok(monitor.map_or(0, |monitor| monitor.count))
    }

    /// Gives a monitor up to wait for a notification. The thread holds it.
    ///
    /// # Errors
    /// [`Stray`].
    pub(crate) fn wait_for(&mut self, thread: &mut Thread, object: Ref) -> Result<(), Stray> {
        thread.phase = self.holds(thread, object)?.min(NOTIFIED - 1);
        thread.wait = Wait::Notify(object);
        self.monitor(object)?.waiting.push_back(thread.id);
        self.release(object)
    }

    /// Lets a thread go on before what it waits for has come: its time is over, or it was interrupted.
    ///
    /// # Errors
    /// [`Stray`].
    pub(crate) fn wake_early(&mut self, id: ThreadId) -> Result<(), Stray> {
        let Some(thread) = self.other(id) else { return Ok(()) };
        if let Wait::Notify(object) = thread.wait {
            // From now on a notification is for others.
            if let Some(monitor) = self.monitors.get_mut(&object) {
                monitor.waiting.retain(|other| *other != id);
            }
            self.drop_unused(object)?;
        }
        self.wake(id);
        Ok(())
    }

    /// Enters a monitor again that was given up, as often as it was held; `false` if the thread has to wait for it.
    ///
    /// # Errors
    /// [`Stray`].
    pub(crate) fn enter_again(&mut self, thread: &mut Thread, object: Ref) -> Result<bool, Stray> {
        if !self.enter(thread, object)? {
            return Ok(false);
        }
        let count = thread.phase & !NOTIFIED;
        if count > 1 {
            self.monitor(object)?.count = count;
        }
        Ok(true)
    }

    /// Notifies the first thread that waits, or all.
    pub(crate) fn notify(&mut self, object: Ref, most: usize) {
        for _ in 0..most {
            let next = self.monitors.get_mut(&object).and_then(|monitor| monitor.waiting.pop_front());
            let Some(next) = next else { break };
            if let Some(thread) = self.other(next) {
                thread.phase |= NOTIFIED;
            }
            self.wake(next);
        }
    }
}
