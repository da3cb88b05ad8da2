//! What two processes could do at the least: a pair of pipes, handing over by a futex or by giving way, a ring that both look at.
//!
//! Nothing is checked, nobody is suspected, no call is made: the bytes go there, are copied out and in, and come back into memory that
//! is there already, as the pages of what is shared are from the beginning on. All of them begin with their number.
//!
//! | floor | waits by | shared |
//! | --- | --- | --- |
//! | pipe | reading | two pipes |
//! | futex | sleeping until it is its turn | one area, and whose turn it is |
//! | giving way | letting the other run until it is its turn | the same |
//! | ring | looking, as ours looks; after many looks the other may run | two rings as long as ours, and how far each side is |
//! | ring with marks | the same | the same, and a mark where each message begins |
//!
//! In a ring, up to 16 KiB of a message are told of at once, with its length, and what is behind them by as many: whoever waits goes on
//! with what there is. Nobody looks for room before what was known to be free is used up. With marks a short message is the line that it
//! lies in and nothing else; without them it is told of in another.

use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use carnet_memory::{Mapping, pass};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::thread::futex;

use crate::peer::{Peer, accept_descriptor, accept_memory, share_memory};

const RING: usize = 256 << 10;
const AREA: usize = 4096;
const BYTES: usize = AREA + (1 << 20);
/// What is told of at once.
const PART: usize = 16 << 10;
const LINE: u64 = 64;
const WORD: u64 = 8;
/// What a length is more than nothing by.
const MARK: u64 = 1 << 63;
const LOOKS_A_PAUSE: u32 = 8;
const TURN: usize = 0;
const COUNT: usize = 64;
/// Tells the peer to end.
const END: u64 = u64::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pipe,
    Futex,
    Yield,
    Ring,
    Marks,
}

impl Kind {
    pub(super) const ALL: [Kind; 5] = [Kind::Pipe, Kind::Futex, Kind::Yield, Kind::Ring, Kind::Marks];

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Pipe => "bare pipe",
            Kind::Futex => "bare futex hand-off",
            Kind::Yield => "bare giving way",
            Kind::Ring => "bare ring",
            Kind::Marks => "bare ring with marks",
        }
    }
}

/// One of two processes.
pub(super) enum Half {
    Pipe(File, File),
    Futex(Mapping),
    Yield(Mapping),
    Ring(Mapping, Way, Way),
}

/// A direction of the ring, and how far it is.
pub(super) struct Way {
    tail: usize,
    head: usize,
    start: usize,
    at: u64,
    /// Up to where the other side was seen to be: behind it there is room, or there is something.
    seen: u64,
    has_marks: bool,
}

const ONE: Way = Way { tail: 128, head: 256, start: AREA, at: 0, seen: 0, has_marks: false };
const OTHER: Way = Way { tail: 384, head: 512, start: AREA + RING, at: 0, seen: 0, has_marks: false };

impl Half {
    /// The half that asks: makes what is shared, and sends it.
    fn asking(kind: Kind, socket: &UnixStream) -> Result<Half, String> {
        if kind == Kind::Pipe {
            return pipes(socket).map_err(|errno| format!("{}: {errno}", kind.name()));
        }
        let mapping = share_memory(socket, BYTES)?;
        mapping.populate();
        Ok(match kind {
            Kind::Futex => Half::Futex(mapping),
            Kind::Yield => Half::Yield(mapping),
            _ => Half::Ring(mapping, ONE.of(kind), OTHER.of(kind)),
        })
    }

    /// The half that answers.
    pub(super) fn answering(kind: Kind, socket: &UnixStream) -> Result<Half, String> {
        if kind == Kind::Pipe {
            return Ok(Half::Pipe(accept_descriptor(socket)?.into(), accept_descriptor(socket)?.into()));
        }
        let mapping = accept_memory(socket, BYTES)?;
        mapping.populate();
        Ok(match kind {
            Kind::Futex => Half::Futex(mapping),
            Kind::Yield => Half::Yield(mapping),
            _ => Half::Ring(mapping, OTHER.of(kind), ONE.of(kind)),
        })
    }

    /// Gives back what comes, until the end.
    pub(super) fn answer(mut self) -> Result<(), String> {
        let mut buffer = vec![0; 1 << 20];
        loop {
            let count = self.receive_count(1)?;
            if count == END {
                return Ok(());
            }
            let data = &mut buffer[..count as usize];
            self.receive(data)?;
            self.send(count, data)?;
            self.hand_over(2);
        }
    }

    fn send(&mut self, count: u64, data: &[u8]) -> Result<(), String> {
        match self {
            Half::Pipe(_, out) => {
                let sent = out.write_all(&count.to_le_bytes()).and_then(|()| out.write_all(data));
                sent.map_err(|error| error.to_string())?;
            }
            Half::Futex(memory) | Half::Yield(memory) => {
                memory.word(COUNT).store(count, Relaxed);
                memory.write(AREA, data);
            }
            Half::Ring(memory, out, _) => {
                out.put(memory, count, data);
            }
        }
        Ok(())
    }

    /// Where turns are taken, says that it is the other's.
    fn hand_over(&self, turn: u32) {
        if let Half::Futex(memory) | Half::Yield(memory) = self {
            memory.half(TURN).store(turn, Release);
        }
        if let Half::Futex(memory) = self {
            // Nobody to wake is no fault.
            let _ = futex::wake(memory.half(TURN), futex::Flags::empty(), 1);
        }
    }

    fn receive_count(&mut self, turn: u32) -> Result<u64, String> {
        let mut count = [0; 8];
        match self {
            Half::Pipe(into, _) => {
                // A pipe without writers is the end.
                if into.read_exact(&mut count).is_err() {
                    return Ok(END);
                }
            }
            Half::Futex(memory) => {
                let mut now = memory.half(TURN).load(Acquire);
                while now != turn {
                    let _ = futex::wait(memory.half(TURN), futex::Flags::empty(), now, None);
                    now = memory.half(TURN).load(Acquire);
                }
                return Ok(memory.word(COUNT).load(Relaxed));
            }
            Half::Yield(memory) => {
                while memory.half(TURN).load(Acquire) != turn {
                    std::thread::yield_now();
                }
                return Ok(memory.word(COUNT).load(Relaxed));
            }
            Half::Ring(memory, _, into) => return Ok(into.begun(memory)),
        }
        Ok(u64::from_le_bytes(count))
    }

    fn receive(&mut self, data: &mut [u8]) -> Result<(), String> {
        match self {
            Half::Pipe(into, _) => into.read_exact(data).map_err(|error| error.to_string())?,
            Half::Futex(memory) | Half::Yield(memory) => memory.read(AREA, data),
            Half::Ring(memory, _, into) => into.take(memory, data),
        }
        Ok(())
    }
}

/// A pair of pipes, whose other ends are sent.
fn pipes(socket: &UnixStream) -> Result<Half, Errno> {
    let (their_in, out) = pipe_with(PipeFlags::CLOEXEC)?;
    let (into, their_out) = pipe_with(PipeFlags::CLOEXEC)?;
    pass::send(socket.as_fd(), &[0], &their_in)?;
    pass::send(socket.as_fd(), &[0], &their_out)?;
    Ok(Half::Pipe(into.into(), out.into()))
}

impl Way {
    fn of(self, kind: Kind) -> Way {
        Way { has_marks: kind == Kind::Marks, ..self }
    }

    /// Puts a message, and tells `count` of it, which is its length, or that it is the last.
    fn put(&mut self, memory: &Mapping, count: u64, data: &[u8]) {
        let begun = self.at;
        let (first, mut rest) = data.split_at(data.len().min(PART - WORD as usize));
        let end = begun + (WORD + first.len() as u64).next_multiple_of(LINE);
        // And the mark of the next.
        self.wait_for_room(memory, end + LINE);
        self.at = begun + WORD;
        self.write(memory, first);
        if rest.is_empty() {
            self.clear_mark(memory, end);
        }
        if self.has_marks {
            self.mark(memory, begun).store(count.wrapping_add(MARK), Release);
        } else {
            self.mark(memory, begun).store(count, Relaxed);
            memory.word(self.tail).store(self.at, Release);
        }
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(PART));
            self.wait_for_room(memory, self.at + (now.len() as u64).next_multiple_of(LINE) + LINE);
            self.write(memory, now);
            if later.is_empty() {
                self.clear_mark(memory, self.at.next_multiple_of(LINE));
            }
            memory.word(self.tail).store(self.at, Release);
            rest = later;
        }
        self.at = self.at.next_multiple_of(LINE);
    }

    fn mark<'m>(&self, memory: &'m Mapping, at: u64) -> &'m AtomicU64 {
        memory.word(self.start + at as usize % RING)
    }

    fn clear_mark(&self, memory: &Mapping, at: u64) {
        if self.has_marks {
            self.mark(memory, at).store(0, Relaxed);
        }
    }

    fn wait_for_room(&mut self, memory: &Mapping, end: u64) {
        if end > self.seen + RING as u64 {
            let head = || memory.word(self.head).load(Acquire);
            until(|| end <= head() + RING as u64);
            self.seen = head();
        }
    }

    fn write(&mut self, memory: &Mapping, data: &[u8]) {
        let at = self.at as usize % RING;
        let (straight, over) = data.split_at(data.len().min(RING - at));
        memory.write(self.start + at, straight);
        memory.write(self.start, over);
        self.at += data.len() as u64;
    }

    /// What is told of the message that comes.
    fn begun(&mut self, memory: &Mapping) -> u64 {
        let mark = self.mark(memory, self.at);
        if self.has_marks {
            until(|| mark.load(Acquire) != 0);
        } else {
            until(|| memory.word(self.tail).load(Acquire) > self.at);
        }
        self.at += WORD;
        mark.load(Relaxed).wrapping_sub(if self.has_marks { MARK } else { 0 })
    }

    fn take(&mut self, memory: &Mapping, data: &mut [u8]) {
        let (first, mut rest) = data.split_at_mut(data.len().min(PART - WORD as usize));
        self.read(memory, first);
        while !rest.is_empty() {
            memory.word(self.head).store(self.at, Release);
            let (now, later) = rest.split_at_mut(rest.len().min(PART));
            let end = self.at + now.len() as u64;
            until(|| memory.word(self.tail).load(Acquire) >= end);
            self.read(memory, now);
            rest = later;
        }
        self.at = self.at.next_multiple_of(LINE);
        memory.word(self.head).store(self.at, Release);
    }

    fn read(&mut self, memory: &Mapping, data: &mut [u8]) {
        let at = self.at as usize % RING;
        let len = data.len().min(RING - at);
        let (straight, over) = data.split_at_mut(len);
        memory.read(self.start + at, straight);
        memory.read(self.start, over);
        self.at += data.len() as u64;
    }
}

fn until(is_so: impl Fn() -> bool) {
    loop {
        for number in 1..=2000 {
            if is_so() {
                return;
            }
            if number % LOOKS_A_PAUSE == 0 {
                std::hint::spin_loop();
            }
        }
        std::thread::yield_now();
    }
}

/// A floor with its peer.
pub(super) struct Floor {
    half: RefCell<Half>,
    data: Vec<u8>,
    back: RefCell<Vec<u8>>,
    _peer: Peer,
}

impl Floor {
    pub(super) fn start(kind: Kind, processor: usize) -> Result<Floor, String> {
        let peer = Peer::start("floor", kind.name(), processor)?;
        let half = RefCell::new(Half::asking(kind, peer.socket())?);
        let back = RefCell::new(vec![0; 1 << 20]);
        Ok(Floor { half, data: vec![7; 1 << 20], back, _peer: peer })
    }

    pub(super) fn round_trip(&self, size: usize) -> Result<(), String> {
        let mut half = self.half.borrow_mut();
        half.send(size as u64, &self.data[..size])?;
        half.hand_over(1);
        let count = half.receive_count(2)?;
        let mut back = self.back.borrow_mut();
        let back = &mut back[..size];
        half.receive(back)?;
        let same = count == size as u64 && back.last() == self.data[..size].last();
        if same { Ok(()) } else { Err("other data came back".to_owned()) }
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        let half = self.half.get_mut();
        // A peer that is gone already has nothing to be told.
        let _ = half.send(END, &[]);
        half.hand_over(1);
    }
}
