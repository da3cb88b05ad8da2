//! Frames in and out of a link: the receive buffer, and sending in steps.
//!
//! It knows the length at the start of a frame and nothing else of it. Both ends use it.
//!
//! ```text
//! buffer  ┌──────────┬───────────────┬──────────────┬───────────────────┐
//!         │ consumed │ whole frames  │ part of one  │ room              │
//!         └──────────┴───────────────┴──────────────┴───────────────────┘
//!                    start                          end            buffer.len()
//! ```
//! The buffer grows with what has arrived, never with what a header promises.

use std::io::IoSlice;
use std::ops::Range;

use rustix::io::Errno;

use crate::link::{BUFFER_BYTES_MIN, Expected, Link, Waiting};
use crate::message::{Lent, SLICES_MAX};
use crate::wire::{HEADER_BYTES, u32_at};

/// Bytes of a receive buffer at first.
const BUFFER_BYTES: usize = 64 << 10;

/// Room that [`Cursor::fill`] always makes.
pub(crate) const ROOM_MIN: usize = BUFFER_BYTES / 4;

/// A frame's length that cannot be: shorter than a header, or longer than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadLength(pub(crate) u32);

/// Place of what has arrived and is not consumed, in a buffer that its owner keeps.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    start: usize,
    end: usize,
}

/// A receive buffer, and where in it what is.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    pub(crate) buffer: Vec<u8>,
    pub(crate) cursor: Cursor,
}

impl Cursor {
    /// Takes the next whole frame out; its place in `buffer` is valid until the next [`Cursor::fill`].
    #[inline]
    pub(crate) fn next(
        &mut self,
        buffer: &[u8],
        frame_bytes_max: u32,
    ) -> Result<Option<Range<usize>>, BadLength> {
        let Some(len) = self.frame_len(buffer, frame_bytes_max)? else { return Ok(None) };
        if self.end - self.start < len {
            return Ok(None);
        }
        let frame = self.start..self.start + len;
        self.start = frame.end;
        Ok(Some(frame))
    }

    #[inline]
    fn frame_len(&self, buffer: &[u8], frame_bytes_max: u32) -> Result<Option<usize>, BadLength> {
        if self.end - self.start < 4 {
            return Ok(None);
        }
        let len = u32_at(buffer, self.start);
        if len < HEADER_BYTES as u32 || len > frame_bytes_max {
            return Err(BadLength(len));
        }
        Ok(Some(len as usize))
    }

    /// What there is of the next frame.
    #[inline]
    pub(crate) fn begun<'b>(&self, buffer: &'b [u8]) -> &'b [u8] {
        &buffer[self.start..self.end]
    }

    /// Bytes of the next frame that there are.
    #[inline]
    pub(crate) fn here(&self) -> usize {
        self.end - self.start
    }

    /// Takes out what there is: its rest went elsewhere. Its place, as from [`Cursor::next`].
    pub(crate) fn take(&mut self) -> Range<usize> {
        let begun = self.start..self.end;
        self.start = self.end;
        begun
    }

    /// Puts bytes behind the first `here` of those that there are, instead of the others.
    #[cold]
    pub(crate) fn put(&mut self, buffer: &mut Vec<u8>, here: usize, bytes: &[u8]) {
        let from = self.start + here;
        self.end = from + bytes.len();
        if buffer.len() < self.end {
            buffer.resize(self.end, 0);
        }
        buffer[from..self.end].copy_from_slice(bytes);
    }

    /// Whether a frame has begun and is not whole.
    #[inline]
    pub(crate) fn is_partial(&self) -> bool {
        self.start < self.end
    }

    /// Whether the next frame is there as a whole.
    pub(crate) fn is_whole(&self, buffer: &[u8]) -> bool {
        matches!(self.frame_len(buffer, u32::MAX), Ok(Some(len)) if len <= self.end - self.start)
    }

    /// Receives at least one byte, at most `at_most`, of the rest of the frame that has begun.
    pub(crate) fn fill_rest(
        &mut self,
        buffer: &mut Vec<u8>,
        link: &Link,
        at_most: usize,
    ) -> Result<usize, Errno> {
        if at_most >= BUFFER_BYTES_MIN {
            return self.fill_at_most(buffer, link, Waiting::TimeOut, at_most);
        }
        let mut few = Vec::with_capacity(at_most);
        let received = link.receive_onto(&mut few, at_most, Waiting::TimeOut)?;
        self.put(buffer, self.end - self.start, &few);
        Ok(received)
    }

    /// Receives what there is, at least one byte. 0 is the end of the stream.
    #[inline(always)]
    pub(crate) fn fill(
        &mut self,
        buffer: &mut Vec<u8>,
        link: &Link,
        waiting: Waiting,
    ) -> Result<usize, Errno> {
        self.fill_at_most(buffer, link, waiting, usize::MAX)
    }

    /// As [`Cursor::fill`]; of a frame that has not begun only as much as is worth a copy if its data are `expected` so, where
    /// the rest of it can be received to elsewhere without being asked for twice.
    #[inline(always)]
    pub(crate) fn begin_or_fill(
        &mut self,
        buffer: &mut Vec<u8>,
        link: &Link,
        waiting: Waiting,
        expected: Expected,
    ) -> Result<usize, Errno> {
        let at_most = if self.is_partial() { usize::MAX } else { link.begin_bytes(expected) };
        self.fill_at_most(buffer, link, waiting, at_most)
    }

    /// As [`Cursor::fill`], not more than `at_most` bytes.
    #[inline(always)]
    pub(crate) fn fill_at_most(
        &mut self,
        buffer: &mut Vec<u8>,
        link: &Link,
        waiting: Waiting,
        at_most: usize,
    ) -> Result<usize, Errno> {
        self.make_room(buffer);
        let room = &mut buffer[self.end..];
        let at_most = room.len().min(at_most);
        let received = link.receive(&mut room[..at_most], waiting)?;
        self.end += received;
        Ok(received)
    }

    #[inline]
    fn make_room(&mut self, buffer: &mut Vec<u8>) {
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
        }
        if buffer.len() - self.end < ROOM_MIN {
            self.compact(buffer);
        }
    }

    /// Moves what there is to the front, and doubles the buffer if it is full. The length of a frame is
    /// checked before the next byte of it is received, so that doubling ends soon after that length.
    #[cold]
    fn compact(&mut self, buffer: &mut Vec<u8>) {
        buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if buffer.len() - self.end < ROOM_MIN {
            let len = (buffer.len() * 2).max(BUFFER_BYTES);
            let mut larger = vec![0; len];
            larger[..self.end].copy_from_slice(&buffer[..self.end]);
            *buffer = larger;
        }
    }
}

/// Sends as much of a frame as the link takes without waiting, if it is of few pieces; how many bytes it were. Why the others
/// did not go is found out when they are tried again.
#[inline(always)]
pub(crate) fn send_at_once(link: &Link, buffer: &[u8], lent: &Lent<'_>) -> usize {
    match (link, lent) {
        (Link::Shared(shared), Lent::Nothing) if shared.send_ahead(buffer) => buffer.len(),
        _ => send_pieces(link, buffer, lent),
    }
}

#[inline(never)]
fn send_pieces(link: &Link, buffer: &[u8], lent: &Lent<'_>) -> usize {
    let sent = match lent {
        Lent::Nothing => link.send(&[IoSlice::new(buffer)], Waiting::Never),
        Lent::One(at, piece) => {
            let (before, after) = buffer.split_at(*at);
            let pieces = [before, piece, after].map(IoSlice::new);
            link.send(if after.is_empty() { &pieces[..2] } else { &pieces }, Waiting::Never)
        }
        Lent::Pieces(_) => Ok(0),
    };
    sent.unwrap_or(0)
}

/// Sends pieces in order, and knows how far it came.
pub(crate) struct Sending<'s> {
    slices: [IoSlice<'s>; SLICES_MAX],
    count: usize,
    first: usize,
}

impl<'s> Sending<'s> {
    /// The first `count` of `slices`.
    pub(crate) fn new(slices: [IoSlice<'s>; SLICES_MAX], count: usize) -> Sending<'s> {
        Sending { slices, count, first: 0 }
    }

    /// What is left of a frame of which `sent` bytes are sent.
    #[cold]
    pub(crate) fn rest_of(buffer: &'s [u8], lent: &Lent<'s>, sent: usize) -> Sending<'s> {
        let mut slices = [IoSlice::new(&[]); SLICES_MAX];
        let count = lent.slices(buffer, &mut slices);
        let mut sending = Sending::new(slices, count);
        sending.advance(sent);
        sending
    }

    /// Sends one piece.
    pub(crate) fn one(bytes: &'s [u8]) -> Sending<'s> {
        let mut slices = [IoSlice::new(&[]); SLICES_MAX];
        slices[0] = IoSlice::new(bytes);
        Sending::new(slices, 1)
    }

    /// What is not sent yet.
    fn rest(&self) -> &[IoSlice<'s>] {
        &self.slices[self.first..self.count]
    }

    /// Sends as much as the link takes at once; whether that was all.
    #[inline]
    pub(crate) fn step(&mut self, link: &Link, waiting: Waiting) -> Result<Progress, Errno> {
        let sent = link.send(self.rest(), waiting)?;
        Ok(self.advance(sent))
    }

    fn advance(&mut self, sent: usize) -> Progress {
        let mut rest = &mut self.slices[self.first..self.count];
        let before = rest.len();
        IoSlice::advance_slices(&mut rest, sent);
        self.first += before - rest.len();
        if rest.is_empty() { Progress::Done } else { Progress::Some }
    }

    /// Sends as much as the link takes without waiting, however many steps that is.
    ///
    /// # Errors
    /// The system's, but for [`Errno::AGAIN`].
    pub(crate) fn as_far_as(&mut self, link: &Link) -> Result<Progress, Errno> {
        loop {
            match self.step(link, Waiting::Never) {
                Ok(Progress::Some) => {}
                Err(Errno::AGAIN) => return Ok(Progress::Some),
                done => return done,
            }
        }
    }

    /// Bytes that are not sent yet.
    pub(crate) fn left(&self) -> usize {
        self.rest().iter().map(|piece| piece.len()).sum()
    }
}

/// How far a step of [`Sending`] came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// All is sent.
    Done,
    /// Some may be left.
    Some,
}

/// What a link did not take of a frame that has begun. It is copied once, however small the steps are in which it goes.
#[derive(Debug, Default)]
pub(crate) struct Unsent {
    bytes: Vec<u8>,
    sent: usize,
}

impl Unsent {
    /// Keeps what is left of `sending`.
    pub(crate) fn of(sending: &Sending<'_>) -> Unsent {
        let mut unsent = Unsent::default();
        unsent.append(sending);
        unsent
    }

    /// Keeps what is left of `sending` behind what is here.
    pub(crate) fn append(&mut self, sending: &Sending<'_>) {
        self.bytes.drain(..self.sent);
        self.sent = 0;
        sending.rest().iter().for_each(|piece| self.bytes.extend_from_slice(piece));
    }

    /// All but the last `left` bytes are sent.
    pub(crate) fn keep_last(&mut self, left: usize) {
        self.sent = self.bytes.len() - left;
        if left == 0 {
            *self = Unsent::default();
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.sent == self.bytes.len()
    }

    /// All of it, to be sent.
    pub(crate) fn sending(&self) -> Sending<'_> {
        Sending::one(&self.bytes[self.sent..])
    }

    /// Sends as much as the link takes at once, without waiting.
    pub(crate) fn step(&mut self, link: &Link) -> Result<Progress, Errno> {
        let mut sending = self.sending();
        let progress = sending.step(link, Waiting::Never)?;
        let left = sending.left();
        self.keep_last(left);
        Ok(progress)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::os::unix::net::UnixStream;

    use super::*;

    /// A client that reads little by little makes nobody copy what it has not read each time.
    #[test]
    fn what_is_left_stays_where_it_is() {
        let (ours, mut theirs) = UnixStream::pair().expect("two sockets");
        let link = Link::Socket(std::sync::Arc::new(std::os::fd::OwnedFd::from(ours).into()));
        let frame: Vec<u8> = (0..2_000_000_u32).map(|n| (n % 251) as u8).collect();
        let mut sending = Sending::one(&frame);
        assert_eq!(sending.step(&link, Waiting::Never), Ok(Progress::Some));
        let mut unsent = Unsent::of(&sending);
        let place = unsent.bytes.as_ptr();
        let (mut received, mut piece) = (Vec::new(), vec![0; 4096]);
        while received.len() < frame.len() {
            let read = theirs.read(&mut piece).expect("there is something");
            received.extend_from_slice(&piece[..read]);
            match unsent.step(&link) {
                Ok(Progress::Some) | Err(Errno::AGAIN) => assert_eq!(unsent.bytes.as_ptr(), place),
                Ok(Progress::Done) => assert!(unsent.is_empty()),
                Err(errno) => panic!("{errno}"),
            }
        }
        assert!(received == frame);
    }
}
