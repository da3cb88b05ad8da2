//! What two processes could do at the least: a pair of pipes, handing over by a futex, a ring that both look at.
//!
//! Nothing is checked, nobody is suspected, no call is made: the bytes go there, are copied out and in, and come back into memory that
//! is there already, as the pages of what is shared are from the beginning on. All of them begin with their number.
//!
//! | floor | waits by | shared |
//! | --- | --- | --- |
//! | pipe | reading | two pipes |
//! | futex | sleeping until it is its turn | one area, and whose turn it is |
//! | ring | looking, as ours looks; after many looks the other may run | two rings as long as ours |

use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use carnet_memory::{Mapping, pass};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::thread::futex;

use crate::peer::{Peer, accept_descriptor, accept_memory, share_memory};

const RING: usize = 256 << 10;
const AREA: usize = 4096;
const BYTES: usize = AREA + (1 << 20);
const LOOKS_A_PAUSE: u32 = 8;
const TURN: usize = 0;
const COUNT: usize = 64;
/// Tells the peer to end.
const END: u64 = u64::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pipe,
    Futex,
    Ring,
}

impl Kind {
    pub(super) const ALL: [Kind; 3] = [Kind::Pipe, Kind::Futex, Kind::Ring];

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Pipe => "bare pipe",
            Kind::Futex => "bare futex hand-off",
            Kind::Ring => "bare ring",
        }
    }
}

/// One of two processes.
pub(super) enum Half {
    Pipe(File, File),
    Futex(Mapping),
    Ring(Mapping, Way, Way),
}

/// A direction of the ring, and how far it is.
pub(super) struct Way {
    tail: usize,
    head: usize,
    start: usize,
    at: u64,
}

const ONE: Way = Way { tail: 128, head: 256, start: AREA, at: 0 };
const OTHER: Way = Way { tail: 384, head: 512, start: AREA + RING, at: 0 };

impl Half {
    /// The half that asks: makes what is shared, and sends it.
    fn asking(kind: Kind, socket: &UnixStream) -> Result<Half, String> {
        if kind == Kind::Pipe {
            return pipes(socket).map_err(|errno| format!("{}: {errno}", kind.name()));
        }
        let mapping = share_memory(socket, BYTES)?;
        mapping.populate();
        Ok(if kind == Kind::Futex { Half::Futex(mapping) } else { Half::Ring(mapping, ONE, OTHER) })
    }

    /// The half that answers.
    pub(super) fn answering(kind: Kind, socket: &UnixStream) -> Result<Half, String> {
        if kind == Kind::Pipe {
            return Ok(Half::Pipe(accept_descriptor(socket)?.into(), accept_descriptor(socket)?.into()));
        }
        let mapping = accept_memory(socket, BYTES)?;
        mapping.populate();
        Ok(if kind == Kind::Futex { Half::Futex(mapping) } else { Half::Ring(mapping, OTHER, ONE) })
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
            Half::Futex(memory) => {
                memory.word(COUNT).store(count, Relaxed);
                memory.write(AREA, data);
            }
            Half::Ring(memory, out, _) => {
                out.put(memory, &count.to_le_bytes());
                out.put(memory, data);
            }
        }
        Ok(())
    }

    /// By futex, says that it is the other's turn.
    fn hand_over(&self, turn: u32) {
        if let Half::Futex(memory) = self {
            memory.half(TURN).store(turn, Release);
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
            Half::Ring(memory, _, into) => into.take(memory, &mut count),
        }
        Ok(u64::from_le_bytes(count))
    }

    fn receive(&mut self, data: &mut [u8]) -> Result<(), String> {
        match self {
            Half::Pipe(into, _) => into.read_exact(data).map_err(|error| error.to_string())?,
            Half::Futex(memory) => memory.read(AREA, data),
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
    fn put(&mut self, memory: &Mapping, mut data: &[u8]) {
        while !data.is_empty() {
            let free = || RING - (self.at - memory.word(self.head).load(Acquire)) as usize;
            until(|| free() > 0);
            let at = self.at as usize % RING;
            let (now, later) = data.split_at(data.len().min(free()).min(RING - at));
            memory.write(self.start + at, now);
            self.at += now.len() as u64;
            memory.word(self.tail).store(self.at, Release);
            data = later;
        }
    }

    fn take(&mut self, memory: &Mapping, mut data: &mut [u8]) {
        while !data.is_empty() {
            let there = || (memory.word(self.tail).load(Acquire) - self.at) as usize;
            until(|| there() > 0);
            let at = self.at as usize % RING;
            let (now, later) = data.split_at_mut(data.len().min(there()).min(RING - at));
            memory.read(self.start + at, now);
            self.at += now.len() as u64;
            memory.word(self.head).store(self.at, Release);
            data = later;
        }
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
        let same = count == size as u64 && back[size - 1] == self.data[size - 1];
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
