//! How calls through some of a session's portals wait, where that is not as the session waits.
//!
//! One thread of all that wait reads for them all, and waits as the portal of its own call says: the others are woken by it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::RemoteSession;
use crate::link::WaitMode;
use crate::portal::PortalId;
use crate::session::lock;

/// What was said of single portals.
#[derive(Debug, Default)]
pub(super) struct Waits {
    /// Something was, of any.
    any: AtomicBool,
    of: Mutex<Vec<(PortalId, WaitMode)>>,
    /// Whom the link was told to wait for last, and one; 0 if that was before something was said. Written under the lock.
    last: AtomicU64,
}

impl RemoteSession {
    /// `None`: as the session.
    pub(super) fn say_how_it_waits(&self, portal: PortalId, mode: Option<WaitMode>) {
        let mut of = lock(&self.waits.of);
        of.retain(|(said, _)| *said != portal);
        of.extend(mode.map(|mode| (portal, mode)));
        self.waits.last.store(0, Relaxed);
        self.waits.any.store(!of.is_empty(), Relaxed);
        if of.is_empty() {
            self.link.wait_as(self.options.waiting);
        }
    }

    /// Whoever is about to read waits for a call through this portal, or for something else.
    #[inline(always)]
    pub(super) fn waits_for(&self, portal: Option<PortalId>) {
        if self.waits.any.load(Relaxed) && self.waits.last.load(Relaxed) != number(portal) {
            self.waits_as_said(portal);
        }
    }

    #[cold]
    fn waits_as_said(&self, portal: Option<PortalId>) {
        let of = lock(&self.waits.of);
        let said = of.iter().find(|(said, _)| Some(*said) == portal).map(|(_, mode)| *mode);
        self.waits.last.store(number(portal), Relaxed);
        self.link.wait_as(said.unwrap_or(self.options.waiting));
    }
}

/// Never 0.
fn number(portal: Option<PortalId>) -> u64 {
    portal.map_or(1, |portal| u64::from(portal.0) + 2)
}
