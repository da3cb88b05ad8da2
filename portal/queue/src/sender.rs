//! The sending end of a ring: positions in private memory, frames in, the mark last.
//!
//! ```text
//!             head (the other's)      tail          tail + LINE …        clean
//!  ring  ──────┬──────────────────────┬─────────────────┬──────────────────┬─────
//!   taken out  │ frames               │ mark 0          │ mark 0           │ marks of a lap ago
//! ```
//! The marks of the lines ahead are cleared after a frame was published, when nobody waits for it, so that publishing a
//! short frame touches no other line.

use std::io::IoSlice;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::layout::{FRAME_BYTES_MIN, LINE, Ring, WHOLE};
use crate::{Broken, Memory};

/// Bytes of a part of a long frame, and longest frame that is published at once: the receiver takes a longer one while it is
/// still being written.
const PART_BYTES: u64 = 16 << 10;

/// Lines ahead of the tail whose marks are kept clear.
const CLEAN_LINES: u64 = 4;

/// Who has sent more than this will go round the ring: its first page. Others have no use for more.
const LITTLE_BYTES: u64 = 4 << 10;

/// Room that lets a sender go on: a line, and one that stays free.
const ROOM_BYTES: u64 = 2 * LINE;

/// One thread uses it at a time; its numbers are atomics so that another may look whether there is room.
#[derive(Debug)]
pub(crate) struct Sender {
    ring: Ring,
    /// A multiple of [`LINE`].
    tail: AtomicU64,
    /// The other side's position when it was last looked at.
    head: AtomicU64,
    /// The last line whose mark is known to be 0, from `tail` on without a gap.
    clean: AtomicU64,
    /// Bytes of the present frame that are still to come.
    rest: AtomicU32,
    /// The memory has its pages.
    populated: AtomicBool,
}

impl Sender {
    /// For a ring that is all zero.
    pub(crate) fn new(ring: Ring) -> Sender {
        let (tail, head, rest) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU32::new(0));
        let clean = AtomicU64::new(ring.capacity());
        Sender { ring, tail, head, clean, rest, populated: AtomicBool::new(false) }
    }

    /// Sends as much of `pieces`, which are frames one after the other, as there is room for; how many bytes it were.
    /// A frame's header lies within one piece. `published` is called once, after the last store that the receiver may wait for.
    ///
    /// # Errors
    /// [`Broken`]; also if the pieces are not frames.
    #[inline]
    pub(crate) fn push<M: Memory>(
        &self,
        memory: &M,
        pieces: &[IoSlice<'_>],
        published: impl FnOnce(),
    ) -> Result<usize, Broken> {
        if let Some(len) = self.push_whole(memory, pieces)? {
            published();
            self.clean_ahead(memory);
            self.populate(memory);
            return Ok(len);
        }
        self.populate(memory);
        self.push_any(memory, pieces, published)
    }

    /// Sends a frame that ends within the lines ahead whose marks are kept clear, as most do; whether it was that, and was sent. Up
    /// to the last of these all is free: no mark is cleared before that is known. `published` as in [`Sender::push`].
    #[inline(always)]
    pub(crate) fn push_ahead<M: Memory>(&self, memory: &M, frame: &[u8], published: impl FnOnce()) -> bool {
        let Some((mark, body)) = frame.split_first_chunk() else { return false };
        let (mark, len) = (u64::from_le_bytes(*mark), frame.len() as u64);
        let (tail, bytes) = (self.tail.load(Relaxed), len.next_multiple_of(LINE));
        let is_frame = len >= u64::from(FRAME_BYTES_MIN) && u64::from(mark as u32) == len;
        let is_ahead = bytes <= CLEAN_LINES * LINE && tail + bytes <= self.clean.load(Relaxed);
        if !is_frame || !is_ahead || self.rest.load(Relaxed) != 0 || !self.ring.is_straight(tail, bytes) {
            return false;
        }
        memory.write(self.ring.place(tail) + 8, body);
        self.publish(memory, tail, mark, tail + bytes);
        published();
        self.clean_ahead(memory);
        self.populate(memory);
        true
    }

    /// Takes the pages of the memory, once it is used for more than a little.
    #[inline]
    fn populate<M: Memory>(&self, memory: &M) {
        if !self.populated.load(Relaxed) && self.tail.load(Relaxed) > LITTLE_BYTES {
            self.populated.store(true, Relaxed);
            memory.populate();
        }
    }

    /// One frame that there is room for as a whole, which most are; its bytes, if it was that and was sent.
    #[inline]
    fn push_whole<M: Memory>(&self, memory: &M, pieces: &[IoSlice<'_>]) -> Result<Option<usize>, Broken> {
        let Some((first, more)) = pieces.split_first() else { return Ok(None) };
        let Some((mark, body)) = first.split_first_chunk() else { return Ok(None) };
        let mark = u64::from_le_bytes(*mark);
        let len = u64::from(mark as u32);
        let given = more.iter().fold(first.len(), |sum, piece| sum + piece.len());
        let is_frame = (u64::from(FRAME_BYTES_MIN)..=PART_BYTES).contains(&len) && given as u64 == len;
        let wanted = len.next_multiple_of(LINE) + LINE;
        if !is_frame || self.rest.load(Relaxed) != 0 || self.room(memory, wanted)? < wanted {
            return Ok(None);
        }
        let tail = self.tail.load(Relaxed);
        let end = tail + wanted - LINE;
        self.clear_mark(memory, end);
        if self.ring.is_straight(tail, wanted - LINE) {
            let mut place = self.ring.place(tail) + 8;
            memory.write(place, body);
            place += body.len();
            for piece in more {
                memory.write(place, piece);
                place += piece.len();
            }
        } else {
            self.put_all(memory, tail + 8, body, more);
        }
        self.publish(memory, tail, mark, end);
        Ok(Some(given))
    }

    #[cold]
    fn put_all<M: Memory>(&self, memory: &M, position: u64, body: &[u8], more: &[IoSlice<'_>]) {
        self.put(memory, position, body);
        let mut position = position + body.len() as u64;
        for piece in more {
            self.put(memory, position, piece);
            position += piece.len() as u64;
        }
    }

    #[inline(never)]
    fn push_any<M: Memory>(
        &self,
        memory: &M,
        pieces: &[IoSlice<'_>],
        published: impl FnOnce(),
    ) -> Result<usize, Broken> {
        let mut source = Source { pieces, piece: 0, at: 0, taken: 0 };
        while source.skip_empty() {
            let went_on = match self.rest.load(Relaxed) {
                0 => self.begin(memory, &mut source)?,
                rest => self.go_on(memory, &mut source, rest)?,
            };
            if !went_on {
                break;
            }
        }
        if source.taken > 0 {
            // Once, whatever it was: who looks sees each part, and who sleeps on this processor would only be woken to sleep
            // again before the next.
            published();
        }
        Ok(source.taken)
    }

    /// Whether there is room for anything.
    ///
    /// # Errors
    /// [`Broken`].
    #[inline]
    pub(crate) fn has_room<M: Memory>(&self, memory: &M) -> Result<bool, Broken> {
        self.room(memory, ROOM_BYTES).map(|room| room >= ROOM_BYTES)
    }

    /// Bytes that are free; the other side's position is looked at if it seems that they are fewer than `wanted`.
    #[inline]
    fn room<M: Memory>(&self, memory: &M, wanted: u64) -> Result<u64, Broken> {
        let (tail, head) = (self.tail.load(Relaxed), self.head.load(Relaxed));
        let room = self.ring.bytes() - (tail - head);
        if room >= wanted {
            return Ok(room);
        }
        let found = memory.load(self.ring.head);
        if found < head || found > tail {
            return Err(Broken);
        }
        self.head.store(found, Relaxed);
        Ok(self.ring.bytes() - (tail - found))
    }

    #[inline]
    fn begin<M: Memory>(&self, memory: &M, source: &mut Source<'_, '_>) -> Result<bool, Broken> {
        let len = source.frame_len().ok_or(Broken)?;
        let bytes = u64::from(len).next_multiple_of(LINE);
        let room = self.room(memory, bytes + LINE)?;
        let here = source.here();
        if bytes <= PART_BYTES && bytes + LINE <= room && source.left() >= len as usize {
            self.at_once(memory, source, len, bytes);
            self.clean_ahead(memory);
            return Ok(true);
        }
        if room < ROOM_BYTES {
            return Ok(false);
        }
        let mark = u64::from_le_bytes(*here.first_chunk().ok_or(Broken)?);
        self.begin_in_parts(memory, source, len, room, mark)?;
        Ok(true)
    }

    #[inline]
    fn at_once<M: Memory>(&self, memory: &M, source: &mut Source<'_, '_>, len: u32, bytes: u64) {
        let tail = self.tail.load(Relaxed);
        let end = tail + bytes;
        self.clear_mark(memory, end);
        let mut mark = [0; 8];
        source.take(8, |_, taken| mark.copy_from_slice(taken));
        self.copy(memory, source, tail + 8, len as usize - 8);
        self.publish(memory, tail, u64::from_le_bytes(mark), end);
    }

    /// Stores the mark of a frame at `tail` that is there as a whole, and the new tail.
    #[inline(always)]
    fn publish<M: Memory>(&self, memory: &M, tail: u64, mark: u64, end: u64) {
        memory.store(self.ring.place(tail), mark | WHOLE);
        self.tail.store(end, Relaxed);
        memory.store(self.ring.tail, end);
    }

    #[cold]
    fn begin_in_parts<M: Memory>(
        &self,
        memory: &M,
        source: &mut Source<'_, '_>,
        len: u32,
        room: u64,
        mark: u64,
    ) -> Result<(), Broken> {
        let tail = self.tail.load(Relaxed);
        let part = part(len, room, source.left()).ok_or(Broken)?;
        source.take(8, |_, _| {});
        self.copy(memory, source, tail + 8, part as usize - 8);
        self.move_tail(memory, len, part);
        memory.store(self.ring.place(tail), mark);
        Ok(())
    }

    #[cold]
    fn go_on<M: Memory>(&self, memory: &M, source: &mut Source<'_, '_>, rest: u32) -> Result<bool, Broken> {
        let wanted = u64::from(rest).next_multiple_of(LINE).min(PART_BYTES) + LINE;
        let room = self.room(memory, wanted)?;
        let Some(part) = part(rest, room, source.left()) else { return Ok(false) };
        self.copy(memory, source, self.tail.load(Relaxed), part as usize);
        self.move_tail(memory, rest, part);
        Ok(true)
    }

    /// Moves the tail behind a part of what is left of a frame, the line behind its end marked 0 before.
    fn move_tail<M: Memory>(&self, memory: &M, rest: u32, part: u32) {
        let end = self.tail.load(Relaxed) + u64::from(part).next_multiple_of(LINE);
        if part == rest {
            self.clear_mark(memory, end);
        }
        self.rest.store(rest - part, Relaxed);
        self.tail.store(end, Relaxed);
        memory.store(self.ring.tail, end);
    }

    /// Makes sure that the mark of the line at `end`, which is free, is 0.
    #[inline]
    fn clear_mark<M: Memory>(&self, memory: &M, end: u64) {
        if self.clean.load(Relaxed) < end {
            memory.store_relaxed(self.ring.place(end), 0);
            self.clean.store(end, Relaxed);
        }
    }

    /// Clears marks of free lines ahead.
    #[inline]
    fn clean_ahead<M: Memory>(&self, memory: &M) {
        let wanted = self.tail.load(Relaxed) + CLEAN_LINES * LINE;
        let free = self.head.load(Relaxed) + self.ring.capacity();
        let mut clean = self.clean.load(Relaxed);
        while clean < wanted.min(free) {
            clean += LINE;
            memory.store_relaxed(self.ring.place(clean), 0);
            self.clean.store(clean, Relaxed);
        }
    }

    #[inline]
    fn copy<M: Memory>(&self, memory: &M, source: &mut Source<'_, '_>, position: u64, len: usize) {
        source.take(len, |done, piece| self.put(memory, position + done as u64, piece));
    }

    fn put<M: Memory>(&self, memory: &M, position: u64, bytes: &[u8]) {
        let (first, second) = self.ring.stretches(position, bytes.len());
        let (before, after) = bytes.split_at(first.len());
        memory.write(first.start, before);
        if !after.is_empty() {
            memory.write(second.start, after);
        }
    }
}

/// How much of `rest` bytes to send now; `None`: there is no room for a line. All but the last part are whole lines.
fn part(rest: u32, room: u64, left: usize) -> Option<u32> {
    let most = room.checked_sub(LINE)?.min(PART_BYTES).min(left as u64);
    if most >= u64::from(rest) {
        return Some(rest);
    }
    let lines = most / LINE * LINE;
    u32::try_from(lines).ok().filter(|lines| *lines > 0)
}

/// Bytes to send, in pieces.
struct Source<'s, 'p> {
    pieces: &'s [IoSlice<'p>],
    piece: usize,
    at: usize,
    taken: usize,
}

impl Source<'_, '_> {
    /// Goes to the next byte; whether there is one.
    #[inline]
    fn skip_empty(&mut self) -> bool {
        while let Some(piece) = self.pieces.get(self.piece) {
            if self.at < piece.len() {
                return true;
            }
            self.piece += 1;
            self.at = 0;
        }
        false
    }

    /// What is left of the present piece.
    #[inline]
    fn here(&self) -> &[u8] {
        self.pieces.get(self.piece).and_then(|piece| piece.get(self.at..)).unwrap_or(&[])
    }

    /// The length that the frame here says it has.
    #[inline]
    fn frame_len(&self) -> Option<u32> {
        let header: &[u8; FRAME_BYTES_MIN as usize] = self.here().first_chunk()?;
        let len = u32::from_le_bytes([header[0], header[1], header[2], header[3]]);
        (FRAME_BYTES_MIN..WHOLE as u32).contains(&len).then_some(len)
    }

    /// Bytes from here to the end of all pieces.
    #[inline]
    fn left(&self) -> usize {
        let ahead = self.pieces.get(self.piece + 1..).unwrap_or(&[]);
        self.here().len() + ahead.iter().map(|piece| piece.len()).sum::<usize>()
    }

    /// Takes `len` bytes, which there are; `each` is given how many were taken before, and a stretch.
    #[inline]
    fn take(&mut self, len: usize, mut each: impl FnMut(usize, &[u8])) {
        let mut done = 0;
        while done < len && self.skip_empty() {
            let here = self.here();
            let count = here.len().min(len - done);
            each(done, &here[..count]);
            self.at += count;
            done += count;
        }
        self.taken += done;
    }
}
