//! A client of a server in C, by shared memory, that does with the memory what it likes.

use std::io::{IoSlice, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use carnet_memory::{Mapping, Sealed, Segment, pass};
use carnet_queue::layout::{Side, memory_bytes};
use carnet_queue::{End, Wanted};
use rustix::net::RecvFlags;

use super::PATIENCE;
use super::c::{Board, NOTES, frame, hello};

pub fn share(ring: u32) -> Vec<u8> {
    frame(6, 0, 0, 1, &[&b"\x89carnet\n\x01\0\0\0"[..], &ring.to_le_bytes()].concat())
}

/// A client of a server in C that does with the memory what it likes.
pub struct Peer {
    pub socket: UnixStream,
    pub end: End<Mapping>,
    pub memory: Mapping,
    segment: Segment,
    pub ring: usize,
}

impl Peer {
    pub fn connect(board: &Board, wished: u32) -> Peer {
        let mut socket = board.connect();
        socket.write_all(&share(wished)).expect("to send");
        let mut answer = [0; 64];
        let (count, file) =
            pass::receive(socket.as_fd(), &mut answer, RecvFlags::empty()).expect("an answer");
        assert_eq!((count, &answer[..9]), (20, &[20, 0, 0, 0, 3, 0, 0, 0, 1][..]));
        let ring = u32::from_le_bytes([answer[16], answer[17], answer[18], answer[19]]) as usize;
        let bytes = memory_bytes(ring).expect("a ring that can be");
        let segment = Segment::accept(file.expect("memory"), Sealed::Size, bytes).expect("sealed memory");
        let map = || Mapping::new(&segment).expect("a mapping");
        let (end, memory) = (End::new(map(), Side::Client, ring), map());
        Peer { socket, end, memory, segment, ring }
    }

    /// One that said Hello.
    pub fn greeted(board: &Board) -> Peer {
        let peer = Peer::connect(board, 4096);
        peer.send(&hello());
        peer
    }

    /// Wakes the server, as it would itself.
    pub fn wake_server(&self) {
        let segment = &self.segment;
        End::new(Mapping::new(segment).expect("a mapping"), Side::Server, self.ring).wake();
    }

    pub fn wait(&self, wanted: Wanted, begun: Instant) {
        assert!(begun.elapsed() < PATIENCE, "the server does nothing");
        self.end.sleep(wanted, Duration::from_millis(10), || false);
    }

    /// Sends it all; the server takes long frames out meanwhile.
    pub fn send(&self, mut bytes: &[u8]) {
        let begun = Instant::now();
        loop {
            let sent = self.end.send(&[IoSlice::new(bytes)]).expect("the server keeps to the rules");
            bytes = &bytes[sent..];
            if bytes.is_empty() {
                return;
            }
            self.wait(Wanted { frames: false, room: true }, begun);
        }
    }

    /// Status and body of the next reply; `None` if the server hangs up instead.
    pub fn reply(&self) -> Option<(u16, Vec<u8>)> {
        let (begun, mut bytes, mut buffer) = (Instant::now(), Vec::new(), vec![0; 1 << 16]);
        loop {
            let is_over = self.end.has_other_hung_up();
            let received = self.end.receive(&mut buffer).expect("the server keeps to the rules");
            bytes.extend_from_slice(&buffer[..received]);
            if let Some(len) = bytes.first_chunk().map(|len| u32::from_le_bytes(*len) as usize)
                && bytes.len() >= len
            {
                return Some((u16::from_le_bytes([bytes[6], bytes[7]]), bytes[16..len].to_vec()));
            }
            if received == 0 && is_over {
                return None;
            }
            self.wait(Wanted { frames: true, room: false }, begun);
        }
    }

    pub fn call(&self, op: u16, body: &[u8]) -> Option<(u16, Vec<u8>)> {
        self.send(&frame(2, op, 1, 1, body));
        self.reply()
    }

    /// It is served.
    pub fn ask(&self) {
        assert_eq!(self.call(NOTES, &[]), Some((0, vec![0; 8])));
    }
}

pub fn echo(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u64).to_le_bytes()[..], bytes].concat()
}
