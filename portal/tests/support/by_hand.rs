//! A server made by hand, which sends what it likes through a socket or through memory.

use std::io::{IoSlice, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};

use carnet_memory::{Mapping, Segment, pass};
use carnet_portal::wire::{CALL_SESSION, HEADER_BYTES, Reply, Request, Shared, kind};
use carnet_queue::End;
use carnet_queue::layout::{Side, memory_bytes};

use super::shared::request;

const RING: usize = 16 << 10;

/// By which of two ways.
#[derive(Clone, Copy, Debug)]
pub enum By {
    Socket,
    Memory,
}

/// A server made by hand.
pub struct ByHand {
    pub socket: UnixStream,
    pub memory: Option<End<Mapping>>,
}

impl ByHand {
    pub fn accept(by: By, listener: &UnixListener) -> ByHand {
        let (mut socket, _) = listener.accept().unwrap();
        if let By::Socket = by {
            return ByHand { socket, memory: None };
        }
        socket.read_exact(&mut vec![0; request().len()]).unwrap();
        let segment = Segment::create(memory_bytes(RING).unwrap()).unwrap();
        let mut frame = vec![0; HEADER_BYTES];
        Shared { ring: RING as u32 }.encode(&mut frame);
        let len = frame.len();
        frame[..HEADER_BYTES].copy_from_slice(&reply(len, 1).encode());
        pass::send(socket.as_fd(), &frame, &segment).unwrap();
        let end = End::new(Mapping::new(&segment).unwrap(), Side::Server, RING);
        ByHand { socket, memory: Some(end) }
    }

    /// Sends all of it, in as many steps as that takes, unless the client is gone.
    pub fn send(&mut self, bytes: &[u8]) {
        let Some(end) = &self.memory else {
            // A client that has read enough hangs up.
            drop(self.socket.write_all(bytes));
            return;
        };
        let mut rest = bytes;
        while !rest.is_empty() && !end.has_other_hung_up() {
            rest = &rest[end.send(&[IoSlice::new(rest)]).unwrap()..];
            std::thread::yield_now();
        }
    }

    /// Waits for a call, or a request to an entry point; its number. Nothing may come behind it.
    pub fn call(&mut self) -> u32 {
        let request = self.request();
        assert!(request.kind == kind::CALL || request.kind == kind::ENTRY_FIRST);
        request.call
    }

    /// Waits for what is to be answered. Nothing may come behind it.
    pub fn request(&mut self) -> Request {
        self.next_request().expect("the client asks for something")
    }

    /// The same, if the client does not hang up.
    pub fn next_request(&mut self) -> Option<Request> {
        let mut bytes = Vec::new();
        while self.receive(&mut bytes) {
            while let Some(header) =
                Request::decode(&bytes).filter(|header| header.len as usize <= bytes.len())
            {
                bytes.drain(..header.len as usize);
                if header.call != CALL_SESSION {
                    assert!(bytes.is_empty());
                    return Some(header);
                }
            }
        }
        None
    }

    /// Waits until the client has hung up, whatever it says before.
    pub fn hear_out(&mut self) {
        match &self.memory {
            None => drop(self.socket.read_to_end(&mut Vec::new())),
            Some(end) => {
                while !end.has_other_hung_up() {
                    std::thread::yield_now();
                }
            }
        }
    }

    /// False at the end.
    fn receive(&mut self, bytes: &mut Vec<u8>) -> bool {
        let mut buffer = [0; 4096];
        let count = match &self.memory {
            None => match self.socket.read(&mut buffer) {
                Ok(0) | Err(_) => return false,
                Ok(count) => count,
            },
            Some(end) => {
                let is_over = end.has_other_hung_up();
                let count = end.receive(&mut buffer).unwrap();
                if count == 0 && is_over {
                    return false;
                }
                count
            }
        };
        bytes.extend_from_slice(&buffer[..count]);
        std::thread::yield_now();
        true
    }
}

pub fn reply(len: usize, call: u32) -> Reply {
    Reply { len: len as u32, kind: kind::REPLY, portals: 0, status: 0, call, raised: 0 }
}
