//! What lies where in the memory that a client and its server share. This file is the specification.
//!
//! The server makes the memory, for one client, sealed against shrinking and growing, `CONTROL_BYTES + 2 × ring`
//! bytes; `ring` is a power of two from [`RING_BYTES_MIN`] to [`RING_BYTES_MAX`] and is told in the message that
//! carries the descriptor. All of it is zero at first. Numbers are little-endian and naturally aligned, and each
//! is written by one machine instruction. Nothing else than what follows is ever written to.
//!
//! ```text
//!      0 ┌───────────────────────────┐
//!        │ control page              │   what is written by different sides, or read while the other writes,
//!   4096 ├───────────────────────────┤   lies 128 bytes apart: two cache lines, which processors fetch in pairs
//!        │ ring: client to server    │
//!        ├───────────────────────────┤ 4096 + ring
//!        │ ring: server to client    │
//!        └───────────────────────────┘ 4096 + 2 × ring
//! ```
//!
//! | at | bytes | what | written by |
//! | --- | --- | --- | --- |
//! | 0 | 8 | tail of client to server: where the next frame goes | client |
//! | 128 | 8 | head of client to server: what is before it was taken out | server |
//! | 256 | 8 | tail of server to client | server |
//! | 384 | 8 | head of server to client | client |
//! | 512 | 4 | the client's bell | both |
//! | 640 | 4 | the server's bell | both |
//! | 768 | 4 | 1 when the client has hung up | client |
//! | 772 | 4 | 1 + the processor that the client last waited on | client |
//! | 896 | 4 | 1 when the server has hung up | server |
//! | 900 | 4 | 1 + the processor that the server last waited on | server |
//!
//! **Positions** count bytes since the beginning, 64 bits, and never go back. Position `p` is the byte `p mod ring` of
//! the ring. `tail - head` is at most `ring - 64`: one line stays free.
//!
//! **Frames** are those of the message format (their length, at least 16, is the `u32` at their start). Each begins
//! at a multiple of 64, a *line*; the rest of its last line means nothing. So a frame of 64 bytes is one line.
//!
//! **Publishing a frame.** The first eight bytes of a line, as one number, are its *mark*. The mark of the line behind the
//! last frame is 0. A receiver looks at nothing but that mark to learn whether a frame is there, so that a frame of one
//! line costs one line's way from processor to processor. To send a frame at `tail` that ends before line `b`:
//!
//! 1. make the mark of line `b` 0, unless it is;
//! 2. write all of the frame but its first eight bytes;
//! 3. store these, with release order, as the mark of its first line. Bit 31 ([`WHOLE`]), which is never part of a
//!    length, is set in it: all of the frame is there;
//! 4. store `b` as the tail, with release order.
//!
//! A long frame, or one that there is not room for, may be sent *in parts*: the tail is moved with release order to
//! behind each part, each but the last a multiple of 64 bytes, the mark is stored without `WHOLE` after the first, and
//! step 1 is done before the tail is moved to `b`. The receiver then follows the tail.
//!
//! **Taking a frame out.** Load the mark with acquire order; if it is 0, there is nothing. Its length is used from the
//! copy of the mark, never read again. A length under 16 or, with `WHOLE`, one that does not fit into `ring - 64` breaks
//! the rules, as does a tail that goes back or runs away from the head by more than `ring - 64`, and a head that goes
//! back or overtakes the tail. Afterwards store the head with release order; it may be stored late, but at least after
//! each quarter of the ring and before waiting.
//!
//! **Bells.** Who wants to sleep sets, in its own side's bell, [`WANTS_FRAMES`], [`WANTS_ROOM`] or both, passes a
//! sequentially consistent fence, looks once more, and waits on the bell with `FUTEX_WAIT` (shared) for the number
//! that it left there. Whoever has stored a mark, a tail or a head passes a sequentially consistent fence before it
//! looks at the other's bell; if the bit is set there, it adds 4 with both bits cleared and calls `FUTEX_WAKE` for all.
//! So either the sleeper sees what was stored, or the other one sees the bit. A bell that a hostile side keeps wrong
//! costs it wake-ups: nobody sleeps longer than a moment without looking at the connection (see the transport).
//!
//! **Hanging up**: store 1, then ring both bells whatever they say. What was sent before is still taken out.

use std::ops::Range;

/// Bytes of a line: what processors exchange.
pub const LINE: u64 = 64;

/// Bytes before the rings.
pub const CONTROL_BYTES: usize = 4096;

/// Smallest ring.
pub const RING_BYTES_MIN: usize = 4 << 10;

/// Largest ring.
pub const RING_BYTES_MAX: usize = 16 << 20;

/// Smallest frame: a header.
pub const FRAME_BYTES_MIN: u32 = 16;

/// In a mark: all of the frame is there.
pub const WHOLE: u64 = 1 << 31;

/// In a bell: wake me when there is a frame, or more of one.
pub const WANTS_FRAMES: u32 = 1;

/// In a bell: wake me when there is room.
pub const WANTS_ROOM: u32 = 2;

/// Of the two processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one that connected.
    Client,
    /// The one that made the memory.
    Server,
}

impl Side {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Client => Side::Server,
            Side::Server => Side::Client,
        }
    }

    /// Where its bell is.
    #[must_use]
    pub const fn bell(self) -> usize {
        match self {
            Side::Client => 512,
            Side::Server => 640,
        }
    }

    /// Where it says that it has hung up.
    #[must_use]
    pub const fn hung_up(self) -> usize {
        match self {
            Side::Client => 768,
            Side::Server => 896,
        }
    }

    /// Where it says on which processor it waits.
    #[must_use]
    pub const fn processor(self) -> usize {
        self.hung_up() + 4
    }
}

/// Where one ring and its positions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    pub(crate) tail: usize,
    pub(crate) head: usize,
    start: usize,
    bytes: u64,
}

impl Ring {
    /// The ring that `side` sends through, in memory whose rings have `bytes` bytes.
    #[must_use]
    pub fn from(side: Side, bytes: usize) -> Ring {
        match side {
            Side::Client => Ring { tail: 0, head: 128, start: CONTROL_BYTES, bytes: bytes as u64 },
            Side::Server => Ring { tail: 256, head: 384, start: CONTROL_BYTES + bytes, bytes: bytes as u64 },
        }
    }

    /// Bytes that it holds at most.
    #[inline]
    pub(crate) fn capacity(self) -> u64 {
        self.bytes - LINE
    }

    /// Bytes of memory in it.
    #[inline]
    pub(crate) fn bytes(self) -> u64 {
        self.bytes
    }

    /// Where position `position` is in the memory.
    #[inline]
    pub(crate) fn place(self, position: u64) -> usize {
        self.start + (position & (self.bytes - 1)) as usize
    }

    /// Whether `bytes` bytes from `position` on are one stretch of memory.
    #[inline]
    pub(crate) fn is_straight(self, position: u64, bytes: u64) -> bool {
        (position & (self.bytes - 1)) + bytes <= self.bytes
    }

    /// The two stretches of memory that `len` bytes from `position` on are; the second is mostly empty.
    #[inline]
    pub(crate) fn stretches(self, position: u64, len: usize) -> (Range<usize>, Range<usize>) {
        let start = self.place(position);
        let first = len.min(self.start + self.bytes as usize - start);
        (start..start + first, self.start..self.start + len - first)
    }
}

/// Bytes of memory for rings of `ring` bytes; `None` if they cannot have so many.
#[must_use]
pub fn memory_bytes(ring: usize) -> Option<usize> {
    let possible = ring.is_power_of_two() && (RING_BYTES_MIN..=RING_BYTES_MAX).contains(&ring);
    possible.then_some(CONTROL_BYTES + 2 * ring)
}
