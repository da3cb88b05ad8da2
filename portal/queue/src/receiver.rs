//! The receiving end of a ring: its position in private memory, each number of the other's fetched once and checked.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::layout::{FRAME_BYTES_MIN, LINE, Ring, WHOLE};
use crate::{Broken, Memory};

/// Bytes after which the other side is told of the room, if it copies so many at once.
const PART_BYTES: usize = 16 << 10;

/// Room in the caller's buffer that a new frame needs: a line is copied as a whole.
pub(crate) const BUFFER_BYTES_MIN: usize = LINE as usize;

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
    #[inline]
    pub(crate) fn pull<M: Memory>(
        &self,
        memory: &M,
        buffer: &mut [u8],
        mut made_room: impl FnMut(),
    ) -> Result<usize, Broken> {
        if self.rest.load(Relaxed) == 0 && buffer.len() >= BUFFER_BYTES_MIN {
            let taken = self.begin(memory, buffer)?;
            if taken == 0 || self.rest.load(Relaxed) == 0 {
                if self.is_time_to_tell() {
                    made_room();
                }
                return Ok(taken);
            }
            return Ok(taken + self.pull_rest(memory, &mut buffer[taken..], made_room)?);
        }
        self.pull_rest(memory, buffer, made_room)
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
                0 if into.len() < BUFFER_BYTES_MIN => 0,
                0 => self.begin(memory, into)?,
                rest => self.go_on(memory, into, rest)?,
            };
            if taken == 0 {
                return Ok(filled);
            }
            filled += taken;
            if self.is_time_to_tell() {
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

    /// Takes out a new frame of one line, or the mark of a longer one.
    #[inline]
    fn begin<M: Memory>(&self, memory: &M, into: &mut [u8]) -> Result<usize, Broken> {
        let head = self.head.load(Relaxed);
        let mark = memory.load(self.ring.place(head));
        if mark == 0 {
            return Ok(0);
        }
        let bytes = mark & !WHOLE;
        let len = bytes as u32;
        if len < FRAME_BYTES_MIN {
            return Err(Broken);
        }
        into[..8].copy_from_slice(&bytes.to_le_bytes());
        if u64::from(len) <= LINE && mark & WHOLE != 0 {
            // A line is never split by the end of the ring. What is behind the frame is overwritten later.
            memory.read(self.ring.place(head) + 8, &mut into[8..LINE as usize]);
            self.end(memory, head + LINE);
            return Ok(len as usize);
        }
        self.begin_long(mark, len)?;
        self.head.store(head + 8, Relaxed);
        Ok(8)
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
        let head = self.head.load(Relaxed);
        let len = self.available(memory)?.min(into.len()).min(rest as usize).min(PART_BYTES);
        let (first, second) = self.ring.stretches(head, len);
        let (before, after) = into[..len].split_at_mut(first.len());
        memory.read(first.start, before);
        if !after.is_empty() {
            memory.read(second.start, after);
        }
        let rest = rest - len as u32;
        self.rest.store(rest, Relaxed);
        let head = head + len as u64;
        self.end(memory, if rest == 0 { head.next_multiple_of(LINE) } else { head });
        Ok(len)
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
    #[inline]
    fn end<M: Memory>(&self, memory: &M, head: u64) {
        self.head.store(head, Relaxed);
        // The other side frees whole lines only.
        memory.store(self.ring.head, head / LINE * LINE);
    }

    /// Whether half of the ring was taken out since the other side was last told.
    #[inline]
    fn is_time_to_tell(&self) -> bool {
        let head = self.head.load(Relaxed);
        let is_time = head - self.told.load(Relaxed) >= self.ring.bytes() / 2;
        if is_time {
            self.told.store(head, Relaxed);
        }
        is_time
    }
}
