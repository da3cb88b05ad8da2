//! Requests in flight: calls, and requests to entry points.

use std::sync::Arc;
use std::time::Instant;

use super::{Arrived, UnixTransport, wait_for_call};
use crate::call::Failure;
use crate::calls::CallId;
use crate::message::read_failure;
use crate::portal::{Block, OpNumber, Portal};
use crate::wire::{HEADER_BYTES, Reply};

/// A call in flight. Dropping it gives the call up, which the server does not notice.
#[derive(Debug)]
pub struct Pending {
    transport: Arc<UnixTransport>,
    id: Option<CallId>,
    op: OpNumber,
    deadline: Option<Instant>,
}

impl Pending {
    pub(super) fn new(
        transport: Arc<UnixTransport>,
        id: CallId,
        op: OpNumber,
        deadline: Option<Instant>,
    ) -> Pending {
        Pending { transport, id: Some(id), op, deadline }
    }

    /// Waits for the reply and fills `block`, which must have the inputs and outputs of the block that was sent.
    ///
    /// # Errors
    /// As [`Transport::call`](crate::portal::Transport::call).
    pub fn wait(mut self, block: &mut Block<'_>) -> Result<(), Failure> {
        match self.id.take() {
            Some(id) => wait_for_call(&self.transport, id, self.deadline, self.op, block),
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
    transport: Arc<UnixTransport>,
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

impl PendingControl {
    pub(super) fn new(transport: Arc<UnixTransport>, id: CallId) -> PendingControl {
        PendingControl { transport, id: Some(id) }
    }

    /// Waits for the answer; `progress` is given what comes before it.
    ///
    /// # Errors
    /// What the entry point or the way to it answered.
    pub fn wait(self, progress: &mut dyn FnMut(&[u8])) -> Result<ControlReply, Failure> {
        self.wait_until(None, progress)
    }

    pub(super) fn wait_until(
        mut self,
        deadline: Option<Instant>,
        progress: &mut dyn FnMut(&[u8]),
    ) -> Result<ControlReply, Failure> {
        let Some(id) = self.id else { return Ok(ControlReply::default()) };
        loop {
            let transport = &self.transport;
            let arrived = transport
                .wait_for(id, deadline, |header, frame| control_reply(transport, header, frame))
                .inspect_err(|_| self.id = None)?;
            match arrived {
                Arrived::Reply(reply) => {
                    self.id = None;
                    return Ok(reply);
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

fn control_reply(
    transport: &Arc<UnixTransport>,
    header: &Reply,
    frame: &[u8],
) -> Result<ControlReply, Failure> {
    if header.status != 0 {
        return Err(read_failure(header, frame));
    }
    let mut reply = ControlReply::default();
    let data = transport.take_portals(0, usize::from(header.portals), frame, &mut reply.portals)?;
    reply.data.extend_from_slice(&frame[data..]);
    Ok(reply)
}
