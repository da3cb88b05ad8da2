//! Other systems' messages on our channel: the same sessions, the same transport, and bytes that it does not understand.
//!
//! Client, virtual file system and file server are a process each, and the file is opened as ours is (bench/reread). Whatever
//! [`Messages`] a rival has, all else is the same, and the same as for ours (bench/src/iozone.rs).

pub mod capnp;
pub mod prost;

use carnet_bench_reread::reread::{File, Opaque};
use carnet_bench_reread::{Course, FileServer, RECORD_BYTES, exchange, open, serve_vfs};
use carnet_portal::address::Address;
use carnet_portal::server::WaitMode;
use carnet_portal::stub::{Failure, Served};

use crate::process::{self, Server};
use crate::{Rival, text};

/// What a server is that has no messages of its own.
pub const VFS: &str = "vfs";

/// What a system makes of requests and answers: a client, with the memory that it uses again and again.
pub trait Messages: Default {
    /// The file, read with such messages.
    fn file() -> Served<File>;

    /// The request for a record.
    fn request(&mut self, offset: u64, length: u32) -> &[u8];

    /// What `read` makes of the record in an answer, where it lies; `None` if there is none. The answer's memory may be
    /// left for the next one.
    fn record<T>(&mut self, answer: &mut Vec<u8>, read: impl FnOnce(&[u8]) -> T) -> Option<T>;

    /// Puts the record in an answer into the program's buffer; whether there is one.
    fn copy_record(&mut self, answer: &[u8], buffer: &mut Vec<u8>) -> bool;
}

/// Room for `length` bytes of answer and what stands around them.
fn room(length: usize) -> usize {
    length + 64
}

fn wrong() -> Failure {
    Failure::bad_argument("a request that cannot be read")
}

/// The file server.
pub fn serve<M: Messages>(channel: &str) -> Result<(), String> {
    let waiting = shared(channel)?.unwrap_or_default();
    let server = FileServer::listen(&process::socket(), waiting, M::file())?;
    process::ready(&server.issuer().to_string())?;
    process::wait_for_end();
    server.shutdown();
    Ok(())
}

/// The virtual file system, with the file server mounted that issues tickets there.
pub fn serve_files_of(issuer: &str) -> Result<(), String> {
    let _server = serve_vfs(&process::socket(), &address(issuer)?)?;
    process::ready(&format!("unix:{}", process::socket().display()))?;
    process::wait_for_end();
    Ok(())
}

fn address(text: &str) -> Result<Address, String> {
    text.parse().map_err(|error| format!("{error}"))
}

/// How it is waited in memory that is shared; `None`: a socket.
fn shared(channel: &str) -> Result<Option<WaitMode>, String> {
    match channel {
        "socket" => Ok(None),
        "adaptive" => Ok(Some(WaitMode::Adaptive)),
        "spinning" => Ok(Some(WaitMode::Spinning)),
        "sleeping" => Ok(Some(WaitMode::Sleeping)),
        _ => Err(format!("there is no channel {channel}")),
    }
}

pub struct Client<M: Messages> {
    messages: M,
    file: Opaque,
    course: Course,
    answer: Vec<u8>,
    /// The program's own buffer.
    buffer: Vec<u8>,
    _servers: [Server; 2],
}

impl<M: Messages> Client<M> {
    /// With these words a file server starts, the last of them its processor.
    pub fn start(channel: &str, processor: &str, words: &[&str]) -> Result<Client<M>, String> {
        let (files, issuer) = Server::start(words)?;
        let (vfs, place) = Server::start(&[VFS, &issuer, processor])?;
        let file = open(&address(&place)?, shared(channel)?).map_err(text)?;
        let file = Opaque::from_portal(file.portal().clone());
        let (answer, buffer) = (Vec::new(), Vec::new());
        let messages = M::default();
        Ok(Client { messages, file, course: Course::default(), answer, buffer, _servers: [vfs, files] })
    }

    fn ask(&mut self) -> Result<(), String> {
        let request = self.messages.request(self.course.offset(), RECORD_BYTES as u32);
        exchange(&self.file, request, &mut self.answer).map_err(text)
    }

    fn read_in_place(&mut self) -> Result<bool, String> {
        self.ask()?;
        let course = &mut self.course;
        Ok(self.messages.record(&mut self.answer, |record| course.takes(record)) == Some(true))
    }

    fn read_into_buffer(&mut self) -> Result<bool, String> {
        self.ask()?;
        let came = self.messages.copy_record(&self.answer, &mut self.buffer);
        Ok(came && self.course.takes(&self.buffer))
    }
}

impl<M: Messages> Rival for Client<M> {
    fn calls(&mut self, key: &str, n: u64) -> Result<u64, String> {
        let read = match key {
            "in-place" => Client::read_in_place,
            "copied" => Client::read_into_buffer,
            _ => return Err(format!("there is no key {key}")),
        };
        for _ in 0..n {
            if !read(self)? {
                return Err(format!("another record came than the one at {}", self.course.offset()));
            }
        }
        Ok(n * RECORD_BYTES as u64)
    }
}
