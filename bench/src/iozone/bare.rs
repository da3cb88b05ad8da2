//! The floor: the same re-read as a loop by hand over the bare channel, without portals, sessions, checks and time-outs.
//!
//! ```text
//! request   len 32 = 16 │ length 32 │ offset 64           reply   len 32 │ 0 in 96 bits │ the record
//! ```
//! Shared memory is the very ring that portals use (`carnet-queue`), of the same size, in which each message is a frame; a
//! socket carries the same bytes. A record is gathered from the file into the channel, and lands in the client's buffer.
//! The peer is trusted, and knows the file by itself: nothing is opened.

use std::io::{IoSlice, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use carnet_bench_reread::{RECORD_BYTES, content, part};
use carnet_memory::Mapping;
use carnet_portal::remote::WaitMode;
use carnet_queue::layout::Side;
use carnet_queue::{End, Slept, Wanted};

use crate::peer::{Peer, Way, accept_memory, is_over, share_memory};

/// As many bytes as the rings of portals have.
const RING_BYTES: usize = 256 << 10;
const MEMORY_BYTES: usize = End::<Mapping>::bytes(RING_BYTES);
const HEADER_BYTES: usize = 16;
/// Room for a reply, and for whole lines of the ring.
const BUFFER_BYTES: usize = 8192;
/// Looks before others may run.
const LOOKS: usize = 2000;
/// A sleep, after which it is looked whether the other side lives.
const SLEEP: Duration = Duration::from_millis(640);

/// The family of its peer.
pub(crate) const FAMILY: &str = "bare";

/// One end of the channel.
enum Channel {
    Socket(UnixStream),
    /// The socket tells by its end that the other side is gone.
    Ring(End<Mapping>, WaitMode, UnixStream),
}

impl Channel {
    fn new(
        way: Way,
        side: Side,
        socket: &UnixStream,
        memory: impl FnOnce() -> Result<Mapping, String>,
    ) -> Result<Channel, String> {
        let socket = socket.try_clone().map_err(|error| error.to_string())?;
        Ok(match way.shared() {
            Some(waiting) => Channel::Ring(End::new(memory()?, side, RING_BYTES), waiting, socket),
            None => Channel::Socket(socket),
        })
    }

    fn send(&mut self, pieces: &[IoSlice<'_>]) -> Result<(), String> {
        let sent = match self {
            Channel::Socket(socket) => socket.write_vectored(pieces).map_err(|error| error.to_string())?,
            Channel::Ring(end, ..) => end.send(pieces).map_err(|broken| format!("{broken:?}"))?,
        };
        // There always is room for one message.
        let whole: usize = pieces.iter().map(|piece| piece.len()).sum();
        if sent == whole { Ok(()) } else { Err("a message was not sent as a whole".to_owned()) }
    }

    /// Waits for a message of so many bytes; whether it came before the end.
    fn receive(&mut self, buffer: &mut [u8], bytes: usize) -> Result<bool, String> {
        let mut received = 0;
        while received < bytes {
            let rest = &mut buffer[received..];
            let more = match self {
                Channel::Socket(socket) => socket.read(rest).map_err(|error| error.to_string())?,
                Channel::Ring(end, waiting, socket) => receive_some(end, *waiting, socket, rest)?,
            };
            if more == 0 {
                return Ok(false);
            }
            received += more;
        }
        Ok(true)
    }
}

/// 0 at the end.
fn receive_some(
    end: &End<Mapping>,
    waiting: WaitMode,
    socket: &UnixStream,
    buffer: &mut [u8],
) -> Result<usize, String> {
    let looks = if waiting == WaitMode::Sleeping { 1 } else { LOOKS };
    loop {
        for _ in 0..looks {
            match end.receive(buffer) {
                Ok(0) => std::hint::spin_loop(),
                received => return received.map_err(|broken| format!("{broken:?}")),
            }
        }
        if wait(end, waiting) == Slept::TimedOut && is_over(socket) || end.has_other_hung_up() {
            return Ok(0);
        }
    }
}

fn wait(end: &End<Mapping>, waiting: WaitMode) -> Slept {
    if waiting == WaitMode::Sleeping {
        return end.sleep(Wanted { frames: true, room: false }, SLEEP, || false);
    }
    std::thread::yield_now();
    Slept::TimedOut
}

fn header(bytes: usize, length: usize, offset: u64) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..4].copy_from_slice(&(bytes as u32).to_le_bytes());
    header[4..8].copy_from_slice(&(length as u32).to_le_bytes());
    header[8..].copy_from_slice(&offset.to_le_bytes());
    header
}

/// The client, with its peer.
pub(super) struct Bare {
    channel: Channel,
    buffer: Vec<u8>,
    _peer: Peer,
}

impl Bare {
    pub(super) fn start(way: Way, processor: usize) -> Result<Bare, String> {
        let peer = Peer::start(FAMILY, way.word(), processor)?;
        let socket = peer.socket();
        let channel = Channel::new(way, Side::Client, socket, || share_memory(socket, MEMORY_BYTES))?;
        Ok(Bare { channel, buffer: vec![0; BUFFER_BYTES], _peer: peer })
    }

    /// The record, in memory that is used again.
    pub(super) fn read(&mut self, offset: u64) -> Result<&[u8], String> {
        self.channel.send(&[IoSlice::new(&header(HEADER_BYTES, RECORD_BYTES, offset))])?;
        let bytes = HEADER_BYTES + RECORD_BYTES;
        if self.channel.receive(&mut self.buffer, bytes)? {
            Ok(&self.buffer[HEADER_BYTES..bytes])
        } else {
            Err("the peer ended".to_owned())
        }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // Wakes the other side, which looks at the socket after that.
        if let Channel::Ring(end, ..) = &self.channel {
            end.hang_up();
        }
    }
}

/// The other side: sends what is asked for, until the end.
pub(crate) fn serve(way: Way, socket: &UnixStream) -> Result<(), String> {
    let mut channel = Channel::new(way, Side::Server, socket, || accept_memory(socket, MEMORY_BYTES))?;
    let file = content();
    let mut buffer = vec![0; BUFFER_BYTES];
    while channel.receive(&mut buffer, HEADER_BYTES)? {
        let (offset, length) = asked(&buffer).ok_or("a request that is too short")?;
        let record = part(&file, offset, length);
        let header = header(HEADER_BYTES + record.len(), 0, 0);
        channel.send(&[IoSlice::new(&header), IoSlice::new(record)])?;
    }
    Ok(())
}

/// Offset and length, in bytes, of a request.
fn asked(request: &[u8]) -> Option<(u64, usize)> {
    let length = u32::from_le_bytes(*request.get(4..)?.first_chunk()?);
    Some((u64::from_le_bytes(*request.get(8..)?.first_chunk()?), length as usize))
}
