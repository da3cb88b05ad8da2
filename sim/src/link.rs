//! One connection through a relay: both directions, on one thread.
//!
//! ```text
//! read ──► (chunk, due = now + delay) ──► queue ──► when due: write
//! ```
//! The thread sleeps in `ppoll` until something can be read or the next chunk is due. Each chunk keeps its own time,
//! so that requests which follow each other closely do so on the other side too.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::relay::Counters;
use crate::stream::Stream;

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 256 << 10;

/// Bytes on their way in one direction before no more are read.
const QUEUE_BYTES_MAX: usize = 64 << 20;

/// A direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the client.
    ToServer,
    /// From the server.
    ToClient,
}

/// What goes wrong on a link. Bytes of a connection are counted from 0, for each direction by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The connection ends when `after` bytes were delivered.
    Cut {
        /// Whose bytes are counted.
        direction: Direction,
        /// How many are delivered.
        after: u64,
    },
    /// After `after` bytes nothing is delivered any more; the connection stays.
    Stall {
        /// Which direction stalls.
        direction: Direction,
        /// How many bytes are delivered.
        after: u64,
    },
    /// One bit is flipped.
    FlipBit {
        /// In which direction.
        direction: Direction,
        /// In which byte.
        byte: u64,
        /// Which of its bits, 0 to 7.
        bit: u8,
    },
}

/// One connection.
pub(crate) struct Link {
    client: Stream,
    server: Stream,
    to_server: Lane,
    to_client: Lane,
    /// Direction of the last bytes that were read.
    last: Option<Direction>,
    faults: Vec<Fault>,
    counters: Arc<Counters>,
    stopping: Arc<AtomicBool>,
}

/// One direction of a link.
#[derive(Default)]
struct Lane {
    queue: VecDeque<Chunk>,
    queued_bytes: usize,
    /// Bytes read so far.
    read_bytes: u64,
    state: LaneState,
    /// Whether the other side took no more at the last write.
    pressure: Pressure,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum LaneState {
    #[default]
    Open,
    /// The end was read and is not delivered yet.
    Ending,
    /// The end was delivered.
    Ended,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Pressure {
    #[default]
    None,
    Full,
}

/// Bytes on their way; none at all is the end of the stream.
struct Chunk {
    due: Instant,
    bytes: Vec<u8>,
    sent: usize,
    then: Then,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    GoOn,
    Cut,
}

/// The connection is over.
struct Over;

impl Link {
    pub(crate) fn new(
        client: Stream,
        server: Stream,
        faults: Vec<Fault>,
        counters: Arc<Counters>,
        stopping: Arc<AtomicBool>,
    ) -> std::io::Result<Link> {
        client.set_nonblocking(true)?;
        server.set_nonblocking(true)?;
        let (to_server, to_client) = (Lane::default(), Lane::default());
        Ok(Link { client, server, to_server, to_client, last: None, faults, counters, stopping })
    }

    /// Carries bytes until the connection is over.
    pub(crate) fn run(mut self) {
        // Without it the kernel may wake us 50 µs late, which would be 5 % of a millisecond.
        let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
        let mut buffer = vec![0; CHUNK_BYTES];
        while self.step(&mut buffer).is_ok() {}
        // Whoever is still there learns that the other is not.
        let _ = self.client.shutdown(Shutdown::Both);
        let _ = self.server.shutdown(Shutdown::Both);
    }

    fn step(&mut self, buffer: &mut [u8]) -> Result<(), Over> {
        self.deliver(Direction::ToServer)?;
        self.deliver(Direction::ToClient)?;
        let ended = |lane: &Lane| lane.state == LaneState::Ended;
        if ended(&self.to_server) && ended(&self.to_client) || self.stopping.load(Ordering::Acquire) {
            return Err(Over);
        }
        let (client, server) = self.wait()?;
        if readable(client) {
            self.take_in(Direction::ToServer, buffer);
        }
        if readable(server) {
            self.take_in(Direction::ToClient, buffer);
        }
        Ok(())
    }

    /// Waits until a socket can be read, takes more, or a chunk is due.
    fn wait(&mut self) -> Result<(PollFlags, PollFlags), Over> {
        let interests =
            [interest(&self.to_server, &self.to_client), interest(&self.to_client, &self.to_server)];
        let timeout = self.next_due().map(|due| due.saturating_duration_since(Instant::now()));
        let mut fds: Vec<PollFd<'_>> = [&self.client, &self.server]
            .into_iter()
            .zip(interests)
            .filter(|(_, interest)| !interest.is_empty())
            .map(|(socket, interest)| PollFd::new(socket, interest))
            .collect();
        match poll(&mut fds, timeout.map(timespec).as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return Err(Over),
        }
        let mut found = fds.iter().map(PollFd::revents);
        let [client, server] = interests.map(|interest| {
            if interest.is_empty() { PollFlags::empty() } else { found.next().unwrap_or(PollFlags::empty()) }
        });
        if writable(client) {
            self.to_client.pressure = Pressure::None;
        }
        if writable(server) {
            self.to_server.pressure = Pressure::None;
        }
        Ok((
            if self.to_server.wants_more() { client } else { PollFlags::empty() },
            if self.to_client.wants_more() { server } else { PollFlags::empty() },
        ))
    }

    fn next_due(&self) -> Option<Instant> {
        [&self.to_server, &self.to_client]
            .into_iter()
            .filter(|lane| lane.pressure == Pressure::None)
            .filter_map(|lane| lane.queue.front())
            .map(|chunk| chunk.due)
            .min()
    }

    fn take_in(&mut self, direction: Direction, buffer: &mut [u8]) {
        let (mut socket, lane) = match direction {
            Direction::ToServer => (&self.client, &mut self.to_server),
            Direction::ToClient => (&self.server, &mut self.to_client),
        };
        let due = Instant::now() + self.counters.delay();
        match socket.read(buffer) {
            Ok(read @ 1..) => {
                self.counters.count(direction, read, self.last);
                self.last = Some(direction);
                lane.push(direction, &buffer[..read], due, &self.faults);
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            // A reset is an end too: what was sent before it still arrives.
            Ok(_) | Err(_) => {
                lane.state = LaneState::Ending;
                lane.queue.push_back(Chunk { due, bytes: Vec::new(), sent: 0, then: Then::GoOn });
            }
        }
    }

    /// Writes what is due.
    fn deliver(&mut self, direction: Direction) -> Result<(), Over> {
        let (mut socket, lane) = match direction {
            Direction::ToServer => (&self.server, &mut self.to_server),
            Direction::ToClient => (&self.client, &mut self.to_client),
        };
        while let Some(chunk) = lane.queue.front_mut() {
            if chunk.due > Instant::now() {
                break;
            }
            if chunk.bytes.is_empty() && chunk.then == Then::GoOn {
                lane.state = LaneState::Ended;
                // What fails here means that it is gone.
                let _ = socket.shutdown(Shutdown::Write);
            } else if chunk.sent < chunk.bytes.len() {
                match socket.write(&chunk.bytes[chunk.sent..]) {
                    Ok(sent) => chunk.sent += sent,
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        lane.pressure = Pressure::Full;
                        break;
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(_) => {
                        lane.abandon();
                        break;
                    }
                }
                if chunk.sent < chunk.bytes.len() {
                    continue;
                }
            }
            if chunk.then == Then::Cut {
                return Err(Over);
            }
            lane.queued_bytes -= chunk.bytes.len();
            lane.queue.pop_front();
        }
        Ok(())
    }
}

impl Lane {
    fn wants_more(&self) -> bool {
        self.state == LaneState::Open && self.queued_bytes < QUEUE_BYTES_MAX
    }

    /// Nobody takes what is on its way: the other direction goes on.
    fn abandon(&mut self) {
        self.state = LaneState::Ended;
        self.queue.clear();
        self.queued_bytes = 0;
    }

    /// Queues what was read, with the faults that lie in it.
    fn push(&mut self, direction: Direction, bytes: &[u8], due: Instant, faults: &[Fault]) {
        let from = self.read_bytes;
        let to = from + bytes.len() as u64;
        self.read_bytes = to;
        let mut bytes = bytes.to_vec();
        let mut then = Then::GoOn;
        for fault in faults {
            match *fault {
                Fault::FlipBit { direction: on, byte, bit } if on == direction => {
                    let place = byte.checked_sub(from).and_then(|place| usize::try_from(place).ok());
                    if let Some(byte) = place.and_then(|place| bytes.get_mut(place)) {
                        *byte ^= 1 << (bit % 8);
                    }
                }
                Fault::Cut { direction: on, after } if on == direction && after <= to => {
                    bytes.truncate(usize::try_from(after.saturating_sub(from)).unwrap_or(usize::MAX));
                    then = Then::Cut;
                }
                Fault::Stall { direction: on, after } if on == direction && after <= to => {
                    bytes.truncate(usize::try_from(after.saturating_sub(from)).unwrap_or(usize::MAX));
                }
                _ => {}
            }
        }
        if !bytes.is_empty() || then == Then::Cut {
            self.queued_bytes += bytes.len();
            self.queue.push_back(Chunk { due, bytes, sent: 0, then });
        }
    }
}

/// What is awaited of the socket from which `inward` is read and to which `outward` is written.
fn interest(inward: &Lane, outward: &Lane) -> PollFlags {
    let mut interest = PollFlags::empty();
    if inward.wants_more() {
        interest |= PollFlags::IN;
    }
    if outward.pressure == Pressure::Full {
        interest |= PollFlags::OUT;
    }
    interest
}

fn readable(found: PollFlags) -> bool {
    found.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR)
}

fn writable(found: PollFlags) -> bool {
    found.intersects(PollFlags::OUT | PollFlags::HUP | PollFlags::ERR)
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}
