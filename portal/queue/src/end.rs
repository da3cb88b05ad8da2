//! One side of a pair of queues.

use std::io::IoSlice;
use std::time::Duration;

use crate::layout::{CONTROL_BYTES, Ring, Side, WANTS_FRAMES, WANTS_ROOM};
use crate::receiver::Receiver;
use crate::sender::Sender;
use crate::{Bell, Broken, Memory, Slept, bell};
use carnet_memory::Mapping;

/// What a side can wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// A frame, or more of one.
    pub frames: bool,
    /// Room to send.
    pub room: bool,
}

impl Wanted {
    fn bits(self) -> u32 {
        let frames = if self.frames { WANTS_FRAMES } else { 0 };
        frames | if self.room { WANTS_ROOM } else { 0 }
    }
}

/// One side: sends through one ring and receives from the other. One thread may send while another receives, and a
/// third looks or rings.
#[derive(Debug)]
pub struct End<M> {
    memory: M,
    side: Side,
    sender: Sender,
    receiver: Receiver,
}

impl<M: Memory> End<M> {
    /// `side` of new memory, all zero, of [`memory_bytes(ring)`](crate::layout::memory_bytes) bytes.
    pub fn new(memory: M, side: Side, ring: usize) -> End<M> {
        let sender = Sender::new(Ring::from(side, ring));
        let receiver = Receiver::new(Ring::from(side.other(), ring));
        End { memory, side, sender, receiver }
    }

    /// Bytes of memory that rings of `ring` bytes need.
    #[must_use]
    pub const fn bytes(ring: usize) -> usize {
        CONTROL_BYTES + 2 * ring
    }

    /// Sends as many bytes of `pieces`, which are frames, as there is room for, and wakes the other side.
    ///
    /// # Errors
    /// [`Broken`].
    #[inline]
    pub fn send(&self, pieces: &[IoSlice<'_>]) -> Result<usize, Broken> {
        let other = self.side.other().bell();
        // The fence of this is that of the head, too, which was stored before.
        let ring = || bell::ring(&self.memory, other, WANTS_FRAMES | WANTS_ROOM);
        self.sender.push(&self.memory, pieces, ring)
    }

    /// Sends one short frame and wakes the other side, if that can be done without a look at anything that the other side writes but
    /// its bell; whether it was. Otherwise nothing is sent.
    #[inline(always)]
    pub fn send_ahead(&self, frame: &[u8]) -> bool {
        let other = self.side.other().bell();
        let ring = || bell::ring(&self.memory, other, WANTS_FRAMES | WANTS_ROOM);
        self.sender.push_ahead(&self.memory, frame, ring)
    }

    /// Receives what there is and `buffer`, at least 64 bytes, has room for; 0 if nothing is there.
    ///
    /// # Errors
    /// [`Broken`].
    #[inline(always)]
    pub fn receive(&self, buffer: &mut [u8]) -> Result<usize, Broken> {
        self.receiver.pull(&self.memory, buffer, || self.tell_of_room())
    }

    /// Receives what there is of the rest of a frame, whose beginning was received, at most `at_most` bytes, behind what
    /// `onto` has; 0 if nothing is there.
    ///
    /// # Errors
    /// [`Broken`].
    #[inline]
    pub fn receive_onto(&self, onto: &mut Vec<u8>, at_most: usize) -> Result<usize, Broken> {
        self.receiver.pull_onto(&self.memory, onto, at_most, || self.tell_of_room())
    }

    /// Wakes the other side if it sleeps for room; to be called before waiting.
    #[inline]
    pub fn tell_of_room(&self) {
        bell::ring(&self.memory, self.side.other().bell(), WANTS_ROOM);
    }

    /// Which of what is `wanted` is there.
    ///
    /// # Errors
    /// [`Broken`].
    #[inline]
    pub fn look(&self, wanted: Wanted) -> Result<Wanted, Broken> {
        Ok(Wanted {
            frames: wanted.frames && self.receiver.is_ready(&self.memory)?,
            room: wanted.room && self.sender.has_room(&self.memory)?,
        })
    }

    /// Sleeps until the other side has what is `wanted`, hangs up, or [`End::wake`] is called, at most so long;
    /// may wake for no reason. It does not sleep if `is_over`, which is asked after the sleep was announced.
    #[inline(always)]
    pub fn sleep(&self, wanted: Wanted, at_most: Duration, is_over: impl Fn() -> bool) -> Slept {
        let is_there = || self.is_there(wanted) || is_over();
        bell::sleep(&self.memory, self.side.bell(), wanted.bits(), at_most, is_there)
    }

    /// Whether something of what is `wanted` is there, or nothing more comes; to be asked after a sleep was announced.
    #[inline]
    fn is_there(&self, wanted: Wanted) -> bool {
        // Room that was made and not told of yet: the fence of the announcement is good for this, too.
        bell::ring_fenced(&self.memory, self.side.other().bell(), WANTS_ROOM);
        let there = self.look(wanted);
        there != Ok(Wanted { frames: false, room: false }) || self.has_other_hung_up()
    }

    /// Wakes whoever sleeps on this side.
    pub fn wake(&self) {
        bell::ring_anyway(&self.memory, self.side.bell());
    }

    /// Tells the other side that nothing more comes from here, and wakes everybody.
    pub fn hang_up(&self) {
        self.memory.store_half(self.side.hung_up(), 1);
        bell::ring_anyway(&self.memory, self.side.other().bell());
        self.wake();
    }

    /// Whether the other side has hung up. What it sent before can still be received.
    #[inline]
    pub fn has_other_hung_up(&self) -> bool {
        let hung_up = self.memory.load_half(self.side.other().hung_up()) != 0;
        if hung_up {
            // What it stored before that is seen by whoever looks now.
            self.memory.fence();
        }
        hung_up
    }

    /// Says on which processor this side waits.
    pub fn waits_on(&self, processor: u32) {
        self.memory.store_half(self.side.processor(), processor.wrapping_add(1));
    }

    /// Where the other side last said that it waits.
    pub fn other_waits_on(&self) -> Option<u32> {
        self.memory.load_half(self.side.other().processor()).checked_sub(1)
    }
}

impl End<Mapping> {
    /// As [`End::sleep`], for one who sleeps on several bells at once: announces it, until [`End::withdraw`]. The bell to
    /// sleep on; `None` if there is no reason to sleep.
    pub fn announce(&self, wanted: Wanted, is_over: impl Fn() -> bool) -> Option<Bell<'_>> {
        let (bell, is_there) = (self.side.bell(), || self.is_there(wanted) || is_over());
        let value = bell::announce(&self.memory, bell, wanted.bits(), is_there)?;
        Some(Bell { word: self.memory.half(bell), value: value.to_le() })
    }

    /// Sleeps no more.
    pub fn withdraw(&self, wanted: Wanted) {
        bell::withdraw(&self.memory, self.side.bell(), wanted.bits());
    }
}
