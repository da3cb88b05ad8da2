//! The receiving end of a ring: its position in private memory, each number of the other's fetched once and checked.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::layout::{FRAME_BYTES_MIN, LINE, Ring, WHOLE};
use crate::{Broken, Memory};

/// Bytes after which the other side is told of the room, if it copies so many at once.
const PART_BYTES: usize = 16 << 10;

/// Longest frame that is taken out in line.
const SHORT_BYTES: u32 = 4 * LINE as u32;

/// Room in the caller's buffer that a new frame needs: a line is copied as a whole.
pub(crate) const BUFFER_BYTES_MIN: usize = LINE as usize;

/// Copies a frame out that lies within the line at `place`, which the end of the ring never splits. `bytes` are its first, of its mark;
/// what is behind it in `line` is overwritten later.
#[inline(always)]
fn take_line<M: Memory>(memory: &M, place: usize, bytes: u64, line: &mut [u8; BUFFER_BYTES_MIN]) {
    line[..8].copy_from_slice(&bytes.to_le_bytes());
    memory.read(place + 8, &mut line[8..]);
}

/// One thread uses it at a time; its numbers are atomics so that another may look whether something is there.
#[derive(Debug)]
pub(crate) struct Receiver {
    ring: Ring,
    /// Within a frame, any number; between frames a multiple of [`LINE`].
    head: AtomicU64,
    /// Bytes of the present frame that were not taken out yet.
    rest: AtomicU32,
    /// Up to where the present frame is known to be there.
    known: AtomicU64,
    /// Where the other side was last told of room.
    told: AtomicU64,
}

impl Receiver {
    /// For a ring that is all zero.
    pub(crate) fn new(ring: Ring) -> Receiver {
        let zero = || AtomicU64::new(0);
        Receiver { ring, head: zero(), rest: AtomicU32::new(0), known: zero(), told: zero() }
    }

    /// Takes out a frame of one line, or as much of longer ones as there is and `buffer`, which has at least
    /// [`BUFFER_BYTES_MIN`] bytes, has room for; how many bytes it were, 0 if there is nothing. `made_room` is called
    /// when the other side should know of room.
    ///
    /// Behind a frame of one line it does not look: the sender may be writing there, and to look would slow it down.
    ///
    /// # Errors
    /// [`Broken`].
    #[inline(always)]
    pub(crate) fn pull<M: Memory>(
        &self,
        memory: &M,
        buffer: &mut [u8],
        mut made_room: impl FnMut(),
    ) -> Result<usize, Broken> {
        let (head, rest) = (self.head.load(Relaxed), self.rest.load(Relaxed));
        let (0, Some(line)) = (rest, buffer.first_chunk_mut()) else {
            return self.pull_rest(memory, buffer, made_room);
        };
        let place = self.ring.place(head);
        let mark = memory.load(place);
        if mark == 0 {
            return Ok(0);
        }
        // A frame that is not there as a whole has a length beyond all others so.
        let bytes = mark ^ WHOLE;
        let len = bytes as u32;
        let end = if len.wrapping_sub(FRAME_BYTES_MIN) <= LINE as u32 - FRAME_BYTES_MIN {
            take_line(memory, place, bytes, line);
            head + LINE
        } else {
            let lines = u64::from(len).next_multiple_of(LINE);
            let is_short = len.wrapping_sub(FRAME_BYTES_MIN) <= SHORT_BYTES - FRAME_BYTES_MIN;
            let fits = is_short && self.ring.is_straight(head, lines) && lines <= self.ring.capacity();
            let Some(into) = buffer.get_mut(..len as usize).filter(|_| fits) else {
                return self.pull_longer(memory, mark, buffer, made_room);
            };
            into[..8].copy_from_slice(&bytes.to_le_bytes());
            memory.read(place + 8, &mut into[8..]);
            head + lines
        };
        self.end(memory, end);
        if self.is_time_to_tell(end) {
            made_room();
        }
        Ok(len as usize)
    }

    /// A frame with this mark, which is longer than a short one, or split by the end of the ring, or not there as a whole.
    #[inline(never)]
    fn pull_longer<M: Memory>(
        &self,
        memory: &M,
        mark: u64,
        buffer: &mut [u8],
        mut made_room: impl FnMut(),
    ) -> Result<usize, Broken> {
        let taken = self.begin(memory, mark, buffer)?;
        if self.rest.load(Relaxed) == 0 {
            if self.is_time_to_tell(self.head.load(Relaxed)) {
                made_room();
            }
            return Ok(taken);
        }
        Ok(taken + self.pull_rest(memory, &mut buffer[taken..], made_room)?)
    }

    /// The rest of a long frame, and what is behind it.
    #[inline(never)]
    fn pull_rest<M: Memory>(
        &self,
        memory: &M,
        buffer: &mut [u8],
        mut made_room: impl FnMut(),
    ) -> Result<usize, Broken> {
        let mut filled = 0;
        loop {
            let into = &mut buffer[filled..];
            let taken = match self.rest.load(Relaxed) {
                _ if into.is_empty() => 0,
                0 if into.len() < BUFFER_BYTES_MIN => 0,
                0 => self.begin_if_there(memory, into)?,
                rest => self.go_on(memory, into, rest)?,
            };
            if taken == 0 {
                return Ok(filled);
            }
            filled += taken;
            if self.is_time_to_tell(self.head.load(Relaxed)) {
                made_room();
            }
        }
    }

    /// Whether there is something to take out.
    ///
    /// # Errors
    /// [`Broken`].
    #[inline]
    pub(crate) fn is_ready<M: Memory>(&self, memory: &M) -> Result<bool, Broken> {
        match self.rest.load(Relaxed) {
            0 => Ok(memory.load(self.ring.place(self.head.load(Relaxed))) != 0),
            _ => Ok(self.available(memory)? > 0),
        }
    }

    /// Takes out a new frame that is there as a whole, or the mark of a longer one; 0 if there is none.
    fn begin_if_there<M: Memory>(&self, memory: &M, into: &mut [u8]) -> Result<usize, Broken> {
        let mark = memory.load(self.ring.place(self.head.load(Relaxed)));
        if mark == 0 { Ok(0) } else { self.begin(memory, mark, into) }
    }

    /// As [`Receiver::begin_if_there`], with the mark that is there.
    #[inline]
    fn begin<M: Memory>(&self, memory: &M, mark: u64, into: &mut [u8]) -> Result<usize, Broken> {
        let head = self.head.load(Relaxed);
        let bytes = mark & !WHOLE;
        let len = bytes as u32;
        if len < FRAME_BYTES_MIN {
            return Err(Broken);
        }
        into[..8].copy_from_slice(&bytes.to_le_bytes());
        if mark & WHOLE != 0 && len as usize <= into.len() {
            self.take_whole(memory, head, len, into)?;
            return Ok(len as usize);
        }
        self.begin_long(mark, len)?;
        self.head.store(head + 8, Relaxed);
        Ok(8)
    }

    /// Takes out a frame that is there as a whole, behind its first bytes.
    #[inline]
    fn take_whole<M: Memory>(&self, memory: &M, head: u64, len: u32, into: &mut [u8]) -> Result<(), Broken> {
        let end = head + u64::from(len).next_multiple_of(LINE);
        if end - head > self.ring.capacity() {
            return Err(Broken);
        }
        if self.ring.is_straight(head, end - head) {
            memory.read(self.ring.place(head) + 8, &mut into[8..len as usize]);
        } else {
            self.get(memory, head + 8, &mut into[8..len as usize]);
        }
        self.end(memory, end);
        Ok(())
    }

    #[cold]
    fn begin_long(&self, mark: u64, len: u32) -> Result<(), Broken> {
        let head = self.head.load(Relaxed);
        let known = if mark & WHOLE != 0 { head + u64::from(len) } else { head + 8 };
        if known.next_multiple_of(LINE) - head > self.ring.capacity() {
            return Err(Broken);
        }
        self.rest.store(len - 8, Relaxed);
        self.known.store(known, Relaxed);
        Ok(())
    }

    /// Takes out more of a frame.
    fn go_on<M: Memory>(&self, memory: &M, into: &mut [u8], rest: u32) -> Result<usize, Broken> {
        let len = self.available(memory)?.min(into.len()).min(rest as usize).min(PART_BYTES);
        self.get(memory, self.head.load(Relaxed), &mut into[..len]);
        self.took(memory, rest - len as u32, len);
        Ok(len)
    }

    /// Takes out what there is of the present frame, at most `at_most` bytes, behind what `onto` has.
    ///
    /// # Errors
    /// [`Broken`].
    pub(crate) fn pull_onto<M: Memory>(
        &self,
        memory: &M,
        onto: &mut Vec<u8>,
        at_most: usize,
        mut made_room: impl FnMut(),
    ) -> Result<usize, Broken> {
        let mut done = 0;
        loop {
            let rest = self.rest.load(Relaxed);
            let wanted = (at_most - done).min(rest as usize).min(PART_BYTES);
            if wanted == 0 {
                return Ok(done);
            }
            let len = self.available(memory)?.min(wanted);
            if len == 0 {
                return Ok(done);
            }
            let (first, second) = self.ring.stretches(self.head.load(Relaxed), len);
            memory.append(first.start, first.len(), onto);
            memory.append(second.start, second.len(), onto);
            self.took(memory, rest - len as u32, len);
            done += len;
            if self.is_time_to_tell(self.head.load(Relaxed)) {
                made_room();
            }
        }
    }

    /// Copies what is at `position`.
    fn get<M: Memory>(&self, memory: &M, position: u64, into: &mut [u8]) {
        let (first, second) = self.ring.stretches(position, into.len());
        let (before, after) = into.split_at_mut(first.len());
        memory.read(first.start, before);
        if !after.is_empty() {
            memory.read(second.start, after);
        }
    }

    /// `len` bytes of the present frame were taken out, `rest` are left.
    #[inline]
    fn took<M: Memory>(&self, memory: &M, rest: u32, len: usize) {
        self.rest.store(rest, Relaxed);
        let head = self.head.load(Relaxed) + len as u64;
        self.end(memory, if rest == 0 { head.next_multiple_of(LINE) } else { head });
    }

    /// Bytes of the present frame that are there.
    #[inline]
    fn available<M: Memory>(&self, memory: &M) -> Result<usize, Broken> {
        let (head, known) = (self.head.load(Relaxed), self.known.load(Relaxed));
        if known > head {
            return Ok((known - head) as usize);
        }
        let tail = memory.load(self.ring.tail);
        if tail < head || tail - head > self.ring.capacity() {
            // The tail is stored before the mark of a frame in parts, so it is never behind.
            return Err(Broken);
        }
        self.known.store(tail, Relaxed);
        Ok((tail - head) as usize)
    }

    /// Says that all before `head` was taken out.
    #[inline(always)]
    fn end<M: Memory>(&self, memory: &M, head: u64) {
        self.head.store(head, Relaxed);
        // The other side frees whole lines only.
        memory.store(self.ring.head, head / LINE * LINE);
    }

    /// Whether half of the ring was taken out since the other side was last told.
    #[inline]
    fn is_time_to_tell(&self, head: u64) -> bool {
        let is_time = head - self.told.load(Relaxed) >= self.ring.bytes() / 2;
        if is_time {
            self.told.store(head, Relaxed);
        }
        is_time
    }
}
