//! Whether the run that this thread advances is to stop: for calls that wait.
//!
//! A run looks at its interrupt before each call. What waits within one, and can be woken, asks here.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use crate::interp::ending;

thread_local! {
    static INTERRUPT: RefCell<Option<Arc<AtomicU32>>> = const { RefCell::new(None) };
}

/// Whether the run in which this thread makes a call is cancelled, or its time is over. Calls that are no run's are not.
#[must_use]
pub fn is_to_stop() -> bool {
    INTERRUPT.with_borrow(|interrupt| interrupt.as_ref().is_some_and(|interrupt| ending(interrupt).is_some()))
}

/// Makes calls of a run that this interrupt stops.
pub(crate) fn stopped_by<R>(interrupt: &Arc<AtomicU32>, calls: impl FnOnce() -> R) -> R {
    /// Also if a service panics.
    struct Back(Option<Arc<AtomicU32>>);
    impl Drop for Back {
        fn drop(&mut self) {
            INTERRUPT.set(self.0.take());
        }
    }
    let _back = Back(INTERRUPT.replace(Some(Arc::clone(interrupt))));
    calls()
}
