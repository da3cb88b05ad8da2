//! Calls that nobody waits for, and how many of them may be outstanding.

use std::collections::VecDeque;

use super::RemoteSession;
use super::end::died;
use super::reading::Whole;
use super::sending::Sent;
use crate::call::{Failure, Kind};
use crate::calls::{CallId, Intent, not_sent};
use crate::link::Shared;
use crate::portal::{Block, OpNumber, PortalId};
use crate::session::lock;
use crate::wire::Reply;

/// Calls that were sent and not answered. The next one waits for the oldest of them, so that a caller cannot fill the
/// server's memory, nor its own, with what is not done yet.
const OUTSTANDING_MAX: usize = 64;

impl RemoteSession {
    /// Sends a call whose answer says nothing.
    ///
    /// # Errors
    /// Why it could not be sent: also that the server is gone, as far as that is known here when it is sent.
    pub(super) fn tell(&self, target: PortalId, op: OpNumber, block: &Block<'_>) -> Result<(), Failure> {
        let oldest = {
            let told: &mut VecDeque<CallId> = &mut lock(&self.told);
            if told.len() < OUTSTANDING_MAX { None } else { told.pop_front() }
        };
        let deadline = self.deadline();
        if let Some(id) = oldest {
            let answered = self.reply_of(
                Sent { id, inbox: None },
                target,
                deadline,
                Whole(|_: &Reply, frame: &[u8]| {
                    // Nobody asked for portals.
                    self.release_unread(0, frame);
                    Ok(())
                }),
            );
            if answered.is_err_and(|failure| failure.kind() == Kind::TimedOut) {
                return Err(self.not_in_time());
            }
        }
        if self.link.shared().is_some_and(Shared::has_peer_gone) {
            // It may still take what is put into its memory now, or not: nothing is put there.
            return Err(not_sent(&self.why_it_takes_nothing()));
        }
        let Sent { id, .. } = self.send_call(target, op, block, deadline, Intent::Later)?;
        if lock(&self.line).calls.is_unsent(id) {
            let why = self.why_it_takes_nothing();
            let mut line = lock(&self.line);
            let failure = line.calls.why_lost(id, why);
            line.calls.end(id);
            return Err(failure);
        }
        lock(&self.told).push_back(id);
        Ok(())
    }

    /// What the server said last, if that is here. Nobody waits for more of it: there is no answer to come.
    #[cold]
    fn why_it_takes_nothing(&self) -> Failure {
        self.finds_its_end();
        lock(&self.line).calls.dead().cloned().unwrap_or_else(died)
    }
}
