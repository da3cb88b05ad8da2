//! What the sessions of a server may take of memory, all together.

use std::sync::Arc;

use crate::pace::Pace;
use crate::seats::{Bounds, Seats, share_of};
use crate::session::ServerLimits;

/// What the sessions of a server together take of memory, by its limits.
#[derive(Clone, Debug)]
pub(crate) struct Quotas {
    /// Bytes that are shared with clients, for queues.
    pub(super) shared: Arc<Seats>,
    /// Bytes that clients have handed over.
    pub(super) memory: Arc<Seats>,
    /// How fast they are looked at.
    pub(super) pace: Arc<Pace>,
}

impl Quotas {
    pub(crate) fn new(limits: &ServerLimits) -> Quotas {
        let shared = bytes_of(limits.shared_bytes_max, limits.shared_session_bytes_max);
        let memory = bytes_of(limits.memory_bytes_max, limits.memory_session_bytes_max);
        Quotas { shared, memory, pace: Arc::default() }
    }
}

/// So many bytes, with room for as many as one session may have at least for each principal and process.
fn bytes_of(all: usize, session: usize) -> Arc<Seats> {
    let bounds = Bounds::of(all, share_of(all).max(session));
    Seats::new(Bounds { process: bounds.process.max(session), ..bounds })
}
