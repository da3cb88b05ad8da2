//! Requests in flight: calls, and requests to entry points.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::reading::{BlockReply, Whole, take_portals};
use super::sending::Sent;
use super::{Arrived, RemoteSession};
use crate::call::Failure;
use crate::calls::CallId;
use crate::message::{Landed, read_failure};
use crate::portal::{Block, OpNumber, Portal, PortalId};
use crate::wire::{HEADER_BYTES, Reply};

/// A call in flight. Dropping it gives the call up, which the server does not notice.
#[derive(Debug)]
pub struct Pending {
    transport: Arc<RemoteSession>,
    id: Option<CallId>,
    call: (PortalId, OpNumber),
    deadline: Option<Instant>,
}

impl Pending {
    pub(super) fn new(
        transport: Arc<RemoteSession>,
        id: CallId,
        call: (PortalId, OpNumber),
        deadline: Option<Instant>,
    ) -> Pending {
        Pending { transport, id: Some(id), call, deadline }
    }

    /// Waits for the reply and fills `block`, which must have the inputs and outputs of the block that was sent.
    ///
    /// # Errors
    /// As [`Transport::call`](crate::portal::Transport::call).
    pub fn wait(mut self, block: &mut Block<'_>) -> Result<(), Failure> {
        match self.id.take() {
            Some(id) => {
                let (portal, op) = self.call;
                let reading = BlockReply { own: &self.transport, op, block, landed: Landed::default() };
                self.transport.reply_of(Sent { id, inbox: None }, portal, self.deadline, reading)
            }
            None => Ok(()),
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            self.transport.abandon(id);
        }
    }
}

/// A request to an entry point that is not answered yet. Dropping it gives it up, which the server does not notice.
#[derive(Debug)]
pub struct PendingControl {
    transport: Arc<RemoteSession>,
    id: Option<CallId>,
}

/// The answer of an entry point.
#[derive(Debug, Default)]
pub struct ControlReply {
    /// Content.
    pub data: Vec<u8>,
    /// Portals that were handed out.
    pub portals: Vec<Portal>,
}

impl ControlReply {
    pub(super) fn whole(data: &[u8], portals: Vec<Portal>) -> Result<ControlReply, Failure> {
        Ok(ControlReply { data: data.to_vec(), portals })
    }
}

impl PendingControl {
    pub(super) fn new(transport: Arc<RemoteSession>, id: CallId) -> PendingControl {
        PendingControl { transport, id: Some(id) }
    }

    /// Waits for the answer; `progress` is given what comes before it.
    ///
    /// # Errors
    /// What the entry point or the way to it answered.
    pub fn wait(self, progress: &mut dyn FnMut(&[u8])) -> Result<ControlReply, Failure> {
        self.wait_until(None, progress, ControlReply::whole)
    }

    /// Waits for the answer and makes of it what `read` does, where it lies.
    ///
    /// # Errors
    /// As [`PendingControl::wait`], and what `read` answers.
    pub fn wait_for<T>(
        self,
        progress: &mut dyn FnMut(&[u8]),
        read: impl Fn(&[u8]) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.wait_until(None, progress, |data, _| read(data))
    }

    pub(super) fn wait_until<T>(
        mut self,
        deadline: Option<Instant>,
        progress: &mut dyn FnMut(&[u8]),
        read: impl Fn(&[u8], Vec<Portal>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Some(id) = self.id else { return read(&[], Vec::new()) };
        // A panic of the caller's own goes on when the lead is given back, which others wait for.
        let read = |data: &[u8], portals| Ok(catch_unwind(AssertUnwindSafe(|| read(data, portals))));
        loop {
            let transport = &self.transport;
            let arrived = transport
                .wait_for(
                    id,
                    None,
                    deadline,
                    &mut Whole(|header: &Reply, frame: &[u8]| control_reply(transport, header, frame, read)),
                )
                .inspect_err(|_| self.id = None)?;
            match arrived {
                Arrived::Reply(reply) => {
                    self.id = None;
                    return reply.unwrap_or_else(|thrown| resume_unwind(thrown));
                }
                Arrived::Progress(frame) => progress(frame.get(HEADER_BYTES..).unwrap_or(&[])),
            }
        }
    }
}

impl Drop for PendingControl {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            self.transport.abandon(id);
        }
    }
}

fn control_reply<T>(
    own: &Arc<RemoteSession>,
    header: &Reply,
    frame: &[u8],
    read: impl Fn(&[u8], Vec<Portal>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    if header.status != 0 {
        own.release_unread(0, frame);
        return Err(read_failure(header, frame));
    }
    let mut portals = Vec::new();
    let data = take_portals(own, 0, usize::from(header.portals), frame, &mut portals)?;
    read(&frame[data..], portals)
}
