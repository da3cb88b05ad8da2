//! Frames in and out of a stream socket: the receive buffer, and sending with a deadline.
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
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendFlags, recv, send, sendmsg};

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

    /// Receives what there is, waiting for at least one byte as `flags` and the socket say. 0 is the end of the stream.
    #[inline]
    pub(crate) fn fill(
        &mut self,
        buffer: &mut Vec<u8>,
        socket: BorrowedFd<'_>,
        flags: RecvFlags,
    ) -> Result<usize, Errno> {
        self.make_room(buffer);
        loop {
            match recv(socket, &mut buffer[self.end..], flags) {
                Err(Errno::INTR) => {}
                Ok((_, received)) => {
                    self.end += received;
                    return Ok(received);
                }
                Err(errno) => return Err(errno),
            }
        }
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

/// Waits until `socket` is ready for one of `events`, at most until `deadline`; `None` if that passed.
pub(crate) fn wait(
    socket: BorrowedFd<'_>,
    events: PollFlags,
    deadline: Option<Instant>,
) -> Result<Option<PollFlags>, Errno> {
    loop {
        let timeout = deadline.map(|deadline| timespec(deadline.saturating_duration_since(Instant::now())));
        let mut fds = [PollFd::from_borrowed_fd(socket, events)];
        match poll(&mut fds, timeout.as_ref()) {
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
            Ok(0) => return Ok(None),
            Ok(_) => return Ok(Some(fds[0].revents())),
        }
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(duration.subsec_nanos()),
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

    /// Sends as much as the socket takes at once with `flags`; whether that was all.
    #[inline]
    pub(crate) fn step(&mut self, socket: BorrowedFd<'_>, flags: SendFlags) -> Result<Progress, Errno> {
        let flags = flags | SendFlags::NOSIGNAL;
        let sent = match &self.slices[self.first..self.count] {
            [] => return Ok(Progress::Done),
            [one] => send(socket, one, flags),
            pieces => sendmsg(socket, pieces, &mut SendAncillaryBuffer::default(), flags),
        };
        match sent {
            Ok(sent) => {
                let mut rest = &mut self.slices[self.first..self.count];
                let before = rest.len();
                IoSlice::advance_slices(&mut rest, sent);
                self.first += before - rest.len();
                Ok(if rest.is_empty() { Progress::Done } else { Progress::Some })
            }
            Err(Errno::INTR) => Ok(Progress::Some),
            Err(errno) => Err(errno),
        }
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
