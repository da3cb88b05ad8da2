//! Reading replies: where they lie, or, of a long one, its data straight to where the caller wants them.
//!
//! ```text
//! frame   ┌────────┬───────┬─────────┬─────────────────────────────────────────┐
//!         │ header │ words │ portals │ data                                    │
//!         └────────┴───────┴─────────┴─────────────────────────────────────────┘
//!          receive buffer: what there is of it    the caller's own buffer: the rest, as it is received
//! ```
//! That is done if the data are one string or buffer and end the frame, which they do in what our own servers send of an
//! operation that has no other. All else is received as a whole first. The caller's buffer grows with what has arrived.

use std::sync::Arc;
use std::time::Instant;

use carnet_idl::descriptor::Layout;

use super::{Late, RemoteSession, Stop};
use crate::call::{Area, Failure, ShortWords};
use crate::calls::CallId;
use crate::link::{Expected, Waiting};
use crate::message::{
    last_data, nonsense, portal_of, read_failure, read_reply, read_short_reply, read_turned_reply,
};
use crate::portal::{Block, OpNumber, Portal, PortalId, Transport};
use crate::stream::Inbox;
use crate::wire::{Reply, Sections, kind};

/// Room that a caller's buffer has for what has not arrived.
const RESERVE_BYTES_MAX: usize = 1 << 20;

/// What a waiting thread does with the reply of its call.
pub(super) trait Reading {
    /// What it makes of it.
    type Read;

    /// Reads a frame; the end of it may be in [`Reading::rest`] already.
    fn read(&mut self, header: &Reply, frame: &[u8]) -> Result<Self::Read, Failure>;

    /// What its data are likely to be.
    #[inline]
    fn expected(&self) -> Expected {
        Expected::Any
    }

    /// For the frame of a good reply, of which `begun` is there: from which byte on all of it belongs into a buffer of the
    /// caller's, and that buffer.
    fn rest(&mut self, _header: &Reply, _begun: &[u8]) -> Option<(usize, &mut Vec<u8>)> {
        None
    }
}

/// Reads frames that are there as a whole.
pub(super) struct Whole<F>(pub(super) F);

impl<R, F: FnMut(&Reply, &[u8]) -> Result<R, Failure>> Reading for Whole<F> {
    type Read = R;

    #[inline]
    fn read(&mut self, header: &Reply, frame: &[u8]) -> Result<R, Failure> {
        (self.0)(header, frame)
    }
}

/// Reads the reply of a call into its block.
pub(super) struct BlockReply<'s, 'b, 'a> {
    pub(super) own: &'s Arc<RemoteSession>,
    pub(super) op: OpNumber,
    pub(super) block: &'b mut Block<'a>,
}

impl Reading for BlockReply<'_, '_, '_> {
    type Read = ();

    #[inline]
    fn read(&mut self, header: &Reply, frame: &[u8]) -> Result<(), Failure> {
        if header.status != 0 {
            return Err(read_failure(header, frame));
        }
        let layout = &self.op.operation().layout;
        let portals = usize::from(header.portals);
        let block = &mut *self.block;
        block.made.clear();
        if portals > 0 {
            take_portals(self.own, layout.reply_words(), portals, frame, &mut block.made)?;
        }
        read_reply(header, frame, layout, block.words, block.inputs.len(), block.outputs)
            .inspect_err(|_| block.made.clear())
    }

    fn rest(&mut self, header: &Reply, begun: &[u8]) -> Option<(usize, &mut Vec<u8>)> {
        let at = last_data(header, begun, &self.op.operation().layout)?;
        let Area { bytes, words } = self.block.outputs.first_mut()?;
        words.clear();
        Some((at, bytes))
    }
}

/// Reads the reply of a short call.
pub(super) struct ShortReply<'s, 'w> {
    pub(super) transport: &'s RemoteSession,
    pub(super) layout: &'static Layout,
    pub(super) words: &'w mut ShortWords,
    pub(super) out: &'w mut Vec<u8>,
}

impl Reading for ShortReply<'_, '_> {
    type Read = ();

    #[inline]
    fn read(&mut self, header: &Reply, frame: &[u8]) -> Result<(), Failure> {
        if header.status != 0 {
            return Err(read_failure(header, frame));
        }
        let layout = self.layout;
        if header.portals > 0 {
            // Nobody asked for them.
            self.transport.release_unread(layout.reply_words(), frame);
        }
        read_short_reply(header, frame, layout, self.words, self.out)
    }

    /// Memory that is used again tells of the reply before.
    #[inline]
    fn expected(&self) -> Expected {
        Expected::of_capacity(self.out.capacity())
    }

    fn rest(&mut self, header: &Reply, begun: &[u8]) -> Option<(usize, &mut Vec<u8>)> {
        let at = last_data(header, begun, self.layout)?;
        Some((at, self.out))
    }
}

/// Reads the reply of a turned call.
pub(super) struct TurnedReply<'s, 'd> {
    pub(super) transport: &'s RemoteSession,
    pub(super) layout: &'static Layout,
    pub(super) data: &'d mut Vec<u8>,
    /// Those of a long reply, until it is there as a whole.
    pub(super) long: Vec<u8>,
}

impl Reading for TurnedReply<'_, '_> {
    type Read = ();

    #[inline]
    fn read(&mut self, header: &Reply, frame: &[u8]) -> Result<(), Failure> {
        if header.status != 0 {
            return Err(read_failure(header, frame));
        }
        if header.portals > 0 {
            // Nobody asked for them.
            self.transport.release_unread(self.layout.reply_words(), frame);
        }
        read_turned_reply(header, frame, self.layout, self.data, &mut self.long)
    }

    #[inline]
    fn expected(&self) -> Expected {
        Expected::of_capacity(self.data.capacity())
    }

    fn rest(&mut self, header: &Reply, begun: &[u8]) -> Option<(usize, &mut Vec<u8>)> {
        let at = last_data(header, begun, self.layout)?;
        Some((at, &mut self.long))
    }
}

/// Takes the portals of a reply; where its data begin.
pub(super) fn take_portals(
    own: &Arc<RemoteSession>,
    words: usize,
    portals: usize,
    frame: &[u8],
    made: &mut Vec<Portal>,
) -> Result<usize, Failure> {
    let sections = Sections::of(frame.len(), words, portals)
        .ok_or_else(|| nonsense("it is shorter than its portals"))?;
    made.extend(
        (0..portals)
            .map(|index| PortalId(portal_of(frame, sections, index)))
            .map(|id| Portal::new(Arc::clone(own) as Arc<dyn Transport>, id)),
    );
    Ok(sections.data)
}

impl RemoteSession {
    /// Receives the rest of the frame that has begun to where it belongs, if it is the reply of `id` and that is known;
    /// what `reading` made of it then.
    ///
    /// # Errors
    /// The connection is dead, or the time of the call is over.
    #[inline(never)]
    pub(super) fn scatter<R: Reading>(
        &self,
        inbox: &mut Inbox,
        id: CallId,
        deadline: Option<Instant>,
        reading: &mut R,
    ) -> Result<Option<Result<R::Read, Failure>>, Stop> {
        let begun = inbox.cursor.begun(&inbox.buffer);
        let Some(header) = Reply::decode(begun) else { return Ok(None) };
        if header.call != id.0 || header.kind != kind::REPLY || header.status != 0 {
            return Ok(None);
        }
        let Some((at, onto)) = reading.rest(&header, begun) else { return Ok(None) };
        let mut missing = header.len as usize - begun.len();
        let here = begun.len() - at;
        onto.clear();
        onto.reserve_exact((here + missing).min(RESERVE_BYTES_MAX));
        onto.extend_from_slice(&begun[at..]);
        let mut late = Late::default();
        while missing > 0 {
            let at_most = missing.min(RESERVE_BYTES_MAX);
            let receive = || self.link.receive_onto(onto, at_most, Waiting::TimeOut);
            let received = self.receive_by(deadline, receive).inspect(|received| missing -= received);
            if let Err(stop) = received.and_then(|_| late.check(deadline)) {
                // Whoever reads next goes on with it.
                inbox.cursor.put(&mut inbox.buffer, &onto[here..]);
                return Err(stop);
            }
        }
        let read = reading.read(&header, &begun[..at]);
        inbox.cursor.take();
        Ok(Some(read))
    }
}
