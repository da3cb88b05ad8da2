//! Receiving a long request whose data go both ways: what has not arrived goes straight to where the service changes it, and is
//! sent back from there.
//!
//! ```text
//! frame   ┌────────┬───────┬─────────┬─────────────────────────────────────────┐
//!         │ header │ words │ portals │ data                                    │
//!         └────────┴───────┴─────────┴─────────────────────────────────────────┘
//!          receive buffer: what there is of it    area 1, behind a copy of what of its data had come: the rest
//! ```
//! That is done if the data are one string or bytes. All else is received as a whole first. A loop over all clients has no
//! memory of one client between two turns, and receives as a whole, too.

use rustix::io::Errno;

use super::Worker;
use super::end::End;
use crate::call::Area;
use crate::link::{Expected, Waiting};
use crate::message::moved_data;
use crate::portal::PortalId;
use crate::wire::{Request, kind};

/// Less than that is not worth a way of its own.
const MOVED_BYTES_MIN: usize = 8 << 10;

/// Room for what has not arrived, unless as much has arrived already.
const ROOM_BYTES: usize = 64 << 10;

impl Worker {
    /// Bytes of the next frame that are received to the receive buffer at first. Behind data that were moved others are expected,
    /// once.
    #[inline]
    pub(super) fn begin_bytes(&mut self) -> usize {
        if !self.expects_moved {
            return usize::MAX;
        }
        self.expects_moved = false;
        if self.cursor.is_partial() { usize::MAX } else { self.session.link().begin_bytes(Expected::Long) }
    }

    /// If the frame that has begun is a request whose rest is worth moving: its header, and where in it its data begin.
    pub(super) fn begun_to_be_moved(&self) -> Option<(Request, usize)> {
        let begun = self.cursor.begun(&self.areas.list[0].bytes);
        let header = Request::decode(begun)?;
        let missing = (header.len as usize).saturating_sub(begun.len());
        if header.kind != kind::CALL || missing < MOVED_BYTES_MIN {
            return None;
        }
        let target = PortalId(header.target);
        let capability = match &self.last {
            Some((last, capability)) if *last == target => capability,
            _ => &self.session.capability(target).ok()?,
        };
        let operation = self.operation_there(capability, header.op)?;
        moved_data(&header, begun, &operation.layout).map(|at| (header, at))
    }

    /// Receives the rest of that request, and does what it asks for.
    ///
    /// # Errors
    /// The session is over, or the rest did not come in time.
    pub(super) fn receive_moved(&mut self, header: &Request, at: usize) -> Result<(), End> {
        if self.areas.list.len() < 2 {
            self.areas.list.push(Area::default());
        }
        let [buffer, onto, ..] = self.areas.list.as_mut_slice() else { return Err(End::broken()) };
        let begun = self.cursor.begun(&buffer.bytes);
        let mut missing = header.len as usize - begun.len();
        onto.clear();
        onto.bytes.extend_from_slice(&begun[at..]);
        while missing > 0 {
            self.check_closing()?;
            self.note_rest(header.len as usize - missing);
            self.wait_for_more()?;
            let onto = &mut self.areas.list[1].bytes;
            let room = (onto.capacity() - onto.len()).max(onto.len()).max(ROOM_BYTES);
            match self.session.link().receive_onto(onto, missing.min(room), Waiting::TimeOut) {
                Ok(0) if self.session.closing().is_some() => {}
                Ok(0) => return Err(End::Closed),
                Ok(received) => missing -= received,
                Err(Errno::AGAIN) => return Err(End::silent()),
                Err(errno) => return Err(End::unreceived(errno, self.session.limits())),
            }
        }
        self.rest = None;
        self.expects_moved = true;
        self.moved = Some(self.areas.list[1].bytes.len());
        let frame = self.cursor.take();
        let handled = self.handle(frame);
        self.moved = None;
        handled
    }
}
