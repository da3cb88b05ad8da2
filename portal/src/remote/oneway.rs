//! Calls that nobody waits for, and how many of them may be outstanding.

use std::collections::VecDeque;

use super::RemoteSession;
use super::reading::Whole;
use super::sending::Sent;
use crate::call::{Failure, Kind};
use crate::calls::{CallId, Intent};
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
    /// Why it could not be sent.
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
        let Sent { id, .. } = self.send_call(target, op, block, deadline, Intent::Later)?;
        lock(&self.told).push_back(id);
        Ok(())
    }
}
