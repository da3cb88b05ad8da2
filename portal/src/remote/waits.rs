//! How calls through some of a session's portals wait, where that is not as the session waits.
//!
//! One thread of all that wait reads for them all, and waits as the portal of its own call says: the others are woken by it.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::RemoteSession;
use crate::link::WaitMode;
use crate::portal::PortalId;
use crate::session::lock;

/// What was said of single portals.
#[derive(Debug, Default)]
pub(super) struct Waits {
    /// Something was, of any.
    any: AtomicBool,
    of: Mutex<HashMap<PortalId, WaitMode>>,
}

impl RemoteSession {
    pub(super) fn say_how_it_waits(&self, portal: PortalId, mode: WaitMode) {
        lock(&self.waits.of).insert(portal, mode);
        self.waits.any.store(true, Ordering::Relaxed);
    }

    /// Whoever is about to read waits for a call through this portal, or for something else.
    #[inline(always)]
    pub(super) fn waits_for(&self, portal: Option<PortalId>) {
        if self.waits.any.load(Ordering::Relaxed) {
            self.waits_as_said(portal);
        }
    }

    #[cold]
    fn waits_as_said(&self, portal: Option<PortalId>) {
        let said = portal.and_then(|portal| lock(&self.waits.of).get(&portal).copied());
        self.link.wait_as(said.unwrap_or(self.options.waiting));
    }

    /// A portal was given back; its number may be another's next.
    #[inline]
    pub(super) fn forget_how_it_waits(&self, portal: PortalId) {
        if self.waits.any.load(Ordering::Relaxed) {
            lock(&self.waits.of).remove(&portal);
        }
    }
}
