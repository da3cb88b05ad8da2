//! Ending a domain from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Domain;

/// Ends a domain, from any thread. It is looked at after each slice and where much is done within one, and each second where all of the domain's threads wait.
#[derive(Clone, Debug, Default)]
pub struct Handle(Arc<AtomicBool>);

impl Handle {
    /// Ends the domain with [`Ended::Outside`](super::Ended::Outside), or as soon as it is run.
    pub fn end(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub(super) fn is_ended(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl Domain {
    /// By which another thread can end it.
    #[must_use]
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }
}
