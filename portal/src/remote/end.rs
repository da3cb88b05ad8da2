//! How a connection ends, and which calls the server cannot have begun then.

use std::time::Instant;

use super::RemoteSession;
use crate::call::{Failure, Kind};
use crate::link::Readiness;
use crate::session::lock;

/// How often who asks whether the connection is dead reads what came before its end.
const ENDS_LOOKS_MAX: u32 = 64;

impl RemoteSession {
    /// Whether the connection is dead. If nobody reads, what came is read, without waiting: its end may have.
    #[cold]
    pub(super) fn finds_its_end(&self) -> bool {
        let Some(mut inbox) = lock(&self.line).calls.try_lead() else {
            return lock(&self.line).calls.dead().is_some();
        };
        if let Some(shared) = self.link.shared() {
            shared.check_socket();
        }
        // As far as there is something: its end is behind that.
        let mut reads = 0;
        while reads < ENDS_LOOKS_MAX
            && matches!(self.link.wait(Readiness::RECEIVE, Some(Instant::now())), Ok(Some(_)))
        {
            if self.read_for_others(&mut inbox).is_err() {
                break;
            }
            reads += 1;
        }
        let mut line = lock(&self.line);
        line.calls.resign(inbox);
        line.calls.dead().is_some()
    }

    /// Ends the connection because of `failure`, for everybody.
    #[cold]
    pub(super) fn die(&self, failure: Failure) -> Failure {
        let why = {
            let mut line = lock(&self.line);
            line.calls.die(&failure);
            line.calls.dead().cloned()
        };
        drop(lock(&self.seat).take());
        // Wakes whoever reads.
        self.link.hang_up();
        why.unwrap_or(failure)
    }
}

/// What is told of a call that was sent, of which nobody knows whether it was begun.
pub const DIED: &str = "the server closed the connection; it is unknown whether the call was done";

#[cold]
pub(super) fn died() -> Failure {
    Failure::new(Kind::PeerDied, DIED)
}
