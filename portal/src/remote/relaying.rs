//! What a relay says of its sessions, and what they count as there.

use std::sync::Arc;

use super::{PendingControl, RemoteSession};
use crate::call::{Failure, Label};
use crate::message::nonsense;
use crate::seats::Seat;
use crate::session::lock;
use crate::wire::kind;

impl RemoteSession {
    /// Says whom the session is for, if this process is a relay and has it for one of its clients, and asks how many sessions a process
    /// like this one may have there. To be said first: what the session took before counts for the relay alone.
    ///
    /// # Errors
    /// What the way to the server answered. One of an earlier version knows nothing of this, and fails with
    /// [`Kind::NoSuchOperation`](crate::call::Kind), `Refused` or `Protocol`, and the session goes on ([`Transport::is_over`](crate::portal::Transport)).
    pub fn relays_for(self: &Arc<Self>, label: Option<Label>) -> Result<usize, Failure> {
        let deadline = self.deadline();
        let data = label.map(Label::encode);
        let data = data.as_ref().map_or(&[][..], |data| data);
        let id = self.send_control(kind::RELAYED, data, &[], deadline, |_| Ok(()))?;
        let pending = PendingControl::new(Arc::clone(self), id);
        let read = |data: &[u8], _| {
            let sessions = data.try_into().map_err(|_| nonsense("it is no number of sessions"))?;
            Ok(usize::try_from(u64::from_le_bytes(sessions)).unwrap_or(usize::MAX))
        };
        pending.wait_until(deadline, &mut |_| {}, read)
    }

    /// Counts as `seat` as long as the connection lives.
    pub(crate) fn keep(&self, seat: Seat) {
        *lock(&self.seat) = Some(seat);
        if lock(&self.line).calls.dead().is_some() {
            drop(lock(&self.seat).take());
        }
    }
}
