//! Monitors: entering and leaving them, waiting and notifying (JLS 17.1, 17.2).
//!
//! A monitor exists as long as somebody holds it or waits for it. Threads are switched only between operations, so nobody
//! else looks while one is changed.

use super::Domain;
use crate::heap::{Ref, Stray};
use crate::thread::{Thread, ThreadId, Wait};

impl Domain {
    /// Enters a monitor; `false` if the thread has to wait for it, and try again.
    ///
    /// # Errors
    /// [`Stray`].
    pub(crate) fn enter(&mut self, thread: &mut Thread, object: Ref) -> Result<bool, Stray> {
        self.heap.space.class_of(object)?;
        let monitor = self.monitors.entry(object).or_default();
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

    /// Leaves a monitor; `false` if the thread does not hold it.
    ///
    /// # Errors
    /// [`Stray`].
    pub(crate) fn exit(&mut self, thread: &Thread, object: Ref) -> Result<bool, Stray> {
        let Some(monitor) = self.monitors.get_mut(&object).filter(|of| of.owner == Some(thread.id)) else {
            return Ok(false);
        };
        monitor.count -= 1;
        if monitor.count == 0 {
            self.release(object);
        }
        Ok(true)
    }

    /// Gives a monitor up, and wakes who wants it next.
    fn release(&mut self, object: Ref) {
        let Some(monitor) = self.monitors.get_mut(&object) else { return };
        monitor.owner = None;
        monitor.count = 0;
        let next = monitor.entering.front().copied();
        if monitor.waiting.is_empty() && monitor.entering.is_empty() {
            self.monitors.remove(&object);
        }
        if let Some(next) = next {
            self.wake(next);
        }
    }

    /// How often a thread holds a monitor.
    pub(crate) fn holds(&self, thread: &Thread, object: Ref) -> u32 {
        let monitor = self.monitors.get(&object).filter(|monitor| monitor.owner == Some(thread.id));
        monitor.map_or(0, |monitor| monitor.count)
    }

    /// Gives a monitor up to wait for a notification. The thread holds it.
    pub(crate) fn wait_for(&mut self, thread: &mut Thread, object: Ref) {
        thread.phase = self.holds(thread, object);
        thread.wait = Wait::Notify(object);
        if let Some(monitor) = self.monitors.get_mut(&object) {
            monitor.waiting.push_back(thread.id);
        }
        self.release(object);
    }

    /// No longer waits for a notification. Returns whether there was one.
    pub(crate) fn stop_waiting(&mut self, thread: ThreadId, object: Ref) -> bool {
        let Some(monitor) = self.monitors.get_mut(&object) else { return true };
        let before = monitor.waiting.len();
        monitor.waiting.retain(|other| *other != thread);
        let notified = monitor.waiting.len() == before;
        if monitor.owner.is_none() && monitor.waiting.is_empty() && monitor.entering.is_empty() {
            self.monitors.remove(&object);
        }
        notified
    }

    /// Enters a monitor again that was given up, as often as it was held.
    ///
    /// # Errors
    /// [`Stray`].
    pub(crate) fn enter_again(&mut self, thread: &mut Thread, object: Ref) -> Result<bool, Stray> {
        if !self.enter(thread, object)? {
            return Ok(false);
        }
        if let Some(monitor) = self.monitors.get_mut(&object) {
            monitor.count = thread.phase.max(1);
        }
        thread.phase = 0;
        Ok(true)
    }

    /// Notifies the first thread that waits, or all.
    pub(crate) fn notify(&mut self, object: Ref, most: usize) {
        for _ in 0..most {
            let next = self.monitors.get_mut(&object).and_then(|monitor| monitor.waiting.pop_front());
            match next {
                Some(thread) => self.wake(thread),
                None => break,
            }
        }
    }
}
