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

use crate::link::{Link, Waiting};
use crate::message::SLICES_MAX;
use crate::wire::{HEADER_BYTES, u32_at};

/// Bytes of a receive buffer at first.
const BUFFER_BYTES: usize = 64 << 10;

/// A frame's length that cannot be: shorter than a header, or longer than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadLength(pub(crate) u32);

/// Place of what has arrived and is not consumed, in a buffer that its owner keeps.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    start: usize,
    end: usize,
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

    /// Whether a frame has begun and is not whole.
    #[inline]
    pub(crate) fn is_partial(&self) -> bool {
        self.start < self.end
    }

    /// Receives what there is, at least one byte. 0 is the end of the stream.
    #[inline]
    pub(crate) fn fill(
        &mut self,
        buffer: &mut Vec<u8>,
        link: &Link,
        waiting: Waiting,
    ) -> Result<usize, Errno> {
        self.make_room(buffer);
        let received = link.receive(&mut buffer[self.end..], waiting)?;
        self.end += received;
        Ok(received)
    }

    #[inline]
    fn make_room(&mut self, buffer: &mut Vec<u8>) {
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
        }
        if buffer.len() - self.end < BUFFER_BYTES / 4 {
            self.compact(buffer);
        }
    }

    /// Moves what there is to the front, and doubles the buffer if it is full. The length of a frame is
    /// checked before the next byte of it is received, so that doubling ends soon after that length.
    fn compact(&mut self, buffer: &mut Vec<u8>) {
        buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if buffer.len() - self.end < BUFFER_BYTES / 4 {
            let len = (buffer.len() * 2).max(BUFFER_BYTES);
            buffer.resize(len, 0);
        }
    }
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

    /// Sends one piece.
    pub(crate) fn one(bytes: &'s [u8]) -> Sending<'s> {
        let mut slices = [IoSlice::new(&[]); SLICES_MAX];
        slices[0] = IoSlice::new(bytes);
        Sending::new(slices, 1)
    }

    /// What is not sent yet.
    pub(crate) fn rest(&self) -> Vec<u8> {
        self.slices[self.first..self.count].iter().flat_map(|piece| piece.iter().copied()).collect()
    }

    /// Sends as much as the link takes at once; whether that was all.
    #[inline]
    pub(crate) fn step(&mut self, link: &Link, waiting: Waiting) -> Result<Progress, Errno> {
        let sent = link.send(&self.slices[self.first..self.count], waiting)?;
        let mut rest = &mut self.slices[self.first..self.count];
        let before = rest.len();
        IoSlice::advance_slices(&mut rest, sent);
        self.first += before - rest.len();
        Ok(if rest.is_empty() { Progress::Done } else { Progress::Some })
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
