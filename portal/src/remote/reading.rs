//! Reading replies: where they lie, or, of a long one, its data straight to where the caller wants them.
//!
//! ```text
//! frame   ┌────────┬───────┬─────────┬──────────────┬───┬─────────┬───┬────────┐
//!         │ header │ words │ portals │ bytes        │ 0 │ list    │ 0 │ text   │
//!         └────────┴───────┴─────────┴──────┬───────┴───┴─────────┴───┴────────┘
//!          receive buffer: what there is    │ bytes        rest        text
//!                                           └──────►┐     ┌◄──┘         └──────►┐
//!          buffers of the caller's: bytes ◄─────────┘     └► receive buffer     └► text
//! ```
//! That is done if the data lie one behind the other in the order of their words, as our own servers send them: then no byte goes
//! anywhere that another word names, too. All else is received as a whole first. Buffers grow with what has arrived, and what they hold
//! of a reply that is not there as a whole means nothing. If the time of the call is over before, it is put back into the
//! receive buffer: whoever reads next goes on with the frame.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use carnet_idl::descriptor::Layout;
use rustix::io::Errno;

use super::{Late, RemoteSession, Stop};
use crate::call::{Area, Failure, ShortWords};
use crate::calls::CallId;
use crate::link::{Expected, Waiting};
use crate::message::{
    Landed, data_in_order, is_list, last_data, nonsense, portal_of, read_reply, read_short_reply,
    read_turned_reply,
};
use crate::portal::{Block, OpNumber, Portal, PortalId, Transport};
use crate::stream::Inbox;
use crate::wire::{Reply, Sections, kind};

/// Room that a caller's buffer has for what has not arrived.
const RESERVE_BYTES_MAX: usize = 1 << 20;

/// Bytes that are missing of a piece with others behind it; less is not worth to be asked for alone.
const PIECE_BYTES_MIN: usize = 1 << 10;

/// What a waiting thread does with the reply of its call.
pub(super) trait Reading {
    /// What it makes of it.
    type Read;

    /// Reads a frame, without what of its [pieces](Reading::piece) was received elsewhere.
    fn read(&mut self, header: &Reply, frame: &[u8]) -> Result<Self::Read, Failure>;

    /// What its data are likely to be.
    #[inline]
    fn expected(&self) -> Expected {
        Expected::Any
    }

    /// For the frame of a good reply, of which `begun` is there: the first piece of it behind byte `from`, or around it, that
    /// belongs into a buffer of the caller's, and that buffer. Asked for once more, it is the same.
    fn piece(&mut self, _header: &Reply, _begun: &[u8], _from: usize) -> Option<Piece<'_>> {
        None
    }
}

/// Where in the frame it is, and where it belongs.
pub(super) type Piece<'p> = (Range<usize>, &'p mut Vec<u8>);

/// The piece that ends a frame and is all of its data, if something of it is missing.
fn last_piece<'p>(
    header: &Reply,
    begun: &[u8],
    (layout, from): (&Layout, usize),
    onto: &'p mut Vec<u8>,
) -> Option<Piece<'p>> {
    let end = header.len as usize;
    let start = last_data(header, begun, layout).filter(|_| from < end)?;
    Some((start..end, onto))
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
    pub(super) landed: Landed,
}

impl Reading for BlockReply<'_, '_, '_> {
    type Read = ();

    #[inline]
    fn read(&mut self, header: &Reply, frame: &[u8]) -> Result<(), Failure> {
        if header.status != 0 {
            return Err(self.own.read_failure(header, frame));
        }
        let layout = &self.op.operation().layout;
        let portals = usize::from(header.portals);
        let block = &mut *self.block;
        block.made.clear();
        if portals > 0 {
            take_portals(self.own, layout.reply_words(), portals, frame, &mut block.made)?;
        }
        read_reply(header, frame, layout, block.words, (block.inputs.len(), block.outputs), self.landed)
            .inspect_err(|_| block.made.clear())
    }

    /// Memory that is used again tells of the reply before.
    #[inline]
    fn expected(&self) -> Expected {
        Expected::of_capacities(self.block.outputs.iter().map(|output| output.bytes.capacity()).sum())
    }

    fn piece(&mut self, header: &Reply, begun: &[u8], from: usize) -> Option<Piece<'_>> {
        let data = data_in_order(header, begun, &self.op.operation().layout)?;
        let (output, place) = data.enumerate().find_map(|(output, (word, place))| {
            let missing = place.end.saturating_sub(from.max(place.start));
            let is_last = place.end == header.len as usize && missing > 0;
            let is_one = !is_list(word) && Landed::can_have(output);
            (is_one && (is_last || missing >= PIECE_BYTES_MIN)).then_some((output, place))
        })?;
        if from == begun.len() {
            self.landed = Landed::nothing_of(from);
        }
        let Area { bytes, words } = self.block.outputs.get_mut(output)?;
        words.clear();
        self.landed.add(output);
        Some((place, bytes))
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
            return Err(self.transport.read_failure(header, frame));
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

    fn piece(&mut self, header: &Reply, begun: &[u8], from: usize) -> Option<Piece<'_>> {
        last_piece(header, begun, (self.layout, from), self.out)
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
            return Err(self.transport.read_failure(header, frame));
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

    fn piece(&mut self, header: &Reply, begun: &[u8], from: usize) -> Option<Piece<'_>> {
        last_piece(header, begun, (self.layout, from), &mut self.long)
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
    /// Gives the portals of a reply back that nobody waits for. One that says a failure has no words.
    pub(super) fn release_unread(&self, words: usize, frame: &[u8]) {
        let Some(header) = Reply::decode(frame) else { return };
        let words = if header.status == 0 { words } else { 0 };
        let portals = usize::from(header.portals);
        let Some(sections) = Sections::of(frame.len(), words, portals) else { return };
        if portals > 0 {
            self.give_all_back((0..portals).map(|index| (PortalId(portal_of(frame, sections, index)), 1)));
        }
    }

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
        let here = begun.len();
        if reading.piece(&header, begun, here).is_none() {
            return Ok(None);
        }
        let mut rest = Rest { header, here, at: here, deadline, late: Late::default() };
        if let Err(stop) = self.receive_pieces(inbox, reading, &mut rest) {
            let came = rest.put_together(inbox.cursor.begun(&inbox.buffer), reading);
            inbox.cursor.put(&mut inbox.buffer, here, &came);
            return Err(stop);
        }
        let frame = inbox.cursor.take();
        Ok(Some(reading.read(&header, &inbox.buffer[frame])))
    }

    /// Receives the rest of a frame: its pieces where they belong, and all else to the receive buffer.
    fn receive_pieces<R: Reading>(
        &self,
        inbox: &mut Inbox,
        reading: &mut R,
        rest: &mut Rest,
    ) -> Result<(), Stop> {
        let Inbox { buffer, cursor } = inbox;
        let len = rest.header.len as usize;
        while rest.at < len {
            let begun = &cursor.begun(buffer)[..rest.here];
            match reading.piece(&rest.header, begun, rest.at) {
                Some((place, onto)) if place.start <= rest.at => {
                    onto.clear();
                    onto.reserve_exact(place.len().min(RESERVE_BYTES_MAX));
                    onto.extend_from_slice(begun.get(place.start..).unwrap_or(&[]));
                    let receive = |at_most| self.link.receive_onto(onto, at_most, Waiting::TimeOut);
                    self.receive_up_to(place.end, rest, receive)?;
                }
                later => {
                    let end = later.map_or(len, |(place, _)| place.start);
                    let receive = |at_most| cursor.fill_rest(buffer, &self.link, at_most);
                    self.receive_up_to(end, rest, receive)?;
                }
            }
        }
        Ok(())
    }

    /// Has `receive` receive at most so many bytes, until all of the frame has come up to its byte `end`.
    fn receive_up_to(
        &self,
        end: usize,
        rest: &mut Rest,
        mut receive: impl FnMut(usize) -> Result<usize, Errno>,
    ) -> Result<(), Stop> {
        while rest.at < end {
            let at_most = (end - rest.at).min(RESERVE_BYTES_MAX);
            rest.at += self.receive_by(rest.deadline, || receive(at_most))?;
            rest.late.check(rest.deadline)?;
        }
        Ok(())
    }
}

/// The rest of a frame that is received where it belongs.
struct Rest {
    header: Reply,
    /// Bytes of the frame that were there before.
    here: usize,
    /// Up to where in the frame all has come.
    at: usize,
    deadline: Option<Instant>,
    late: Late,
}

impl Rest {
    /// What came, as it came; `begun` is what was there before and what is no piece.
    #[cold]
    fn put_together<R: Reading>(&self, begun: &[u8], reading: &mut R) -> Vec<u8> {
        let (begun, mut others) = begun.split_at(self.here);
        let (mut came, mut at) = (Vec::new(), self.here);
        while at < self.at {
            let piece = reading.piece(&self.header, begun, at).filter(|(place, _)| place.start < self.at);
            let next = piece.as_ref().map_or(self.at, |(place, _)| place.start.max(at));
            came.extend_from_slice(others.split_off(..next - at).unwrap_or(&[]));
            at = next;
            if let Some((place, onto)) = piece {
                let end = place.end.min(self.at);
                came.extend_from_slice(&onto[at - place.start..end - place.start]);
                at = end;
            }
        }
        came
    }
}
