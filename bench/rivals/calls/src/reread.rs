//! Other systems' messages on our channel: the same sessions, the same transport, and bytes that it does not understand.
//!
//! The file is opened through one object, which answers with the portal of another that has it; records are read from
//! that one. Whatever [`Messages`] a rival has, all else is the same, and the same as for ours (bench/src/iozone.rs).

pub mod capnp;
pub mod prost;

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use carnet_portal::address::Address;
use carnet_portal::call::Object;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server as Host, ServerOptions, WaitMode};
use carnet_portal::stub::{BytesOut, Caller, Failure, Served};

use crate::process::{self, Server};
use crate::{Rival, text};

#[allow(dead_code, reason = "generated")]
mod opaque {
    include!(concat!(env!("OUT_DIR"), "/opaque.rs"));
}

const RECORD_BYTES: usize = 4096;
const FILE_BYTES: usize = 64 << 10;
const PATH: &str = "/cached";

/// What a system makes of requests and answers.
pub trait Messages: Clone + Send + Sync + 'static {
    /// What a client keeps between its calls.
    type Kept: Default;

    fn open(&self, path: &str) -> Vec<u8>;
    fn opened(&self, request: &[u8]) -> Result<String, Failure>;

    /// The request for a record, in memory that is used again.
    fn read<'a>(&self, offset: u64, length: u32, kept: &'a mut Self::Kept) -> &'a [u8];
    /// Answers it.
    fn reading(&self, file: &Bytes, request: &[u8], answer: &mut BytesOut<'_>) -> Result<(), Failure>;
    /// Whether the answer is a record that `is_right`.
    fn record(&self, answer: Vec<u8>, is_right: impl Fn(&[u8]) -> bool) -> bool;
}

/// Room for `length` bytes of answer and what stands around them.
fn room(length: usize) -> usize {
    length + 64
}

/// The part of the file that a request asks for.
fn range(file: &Bytes, offset: u64, length: u32) -> std::ops::Range<usize> {
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(file.len());
    start..start.saturating_add((length as usize).min(RECORD_BYTES)).min(file.len())
}

fn wrong() -> Failure {
    Failure::bad_argument("a request that cannot be read")
}

struct Vfs<M>(M, Served<opaque::File>);

impl<M: Messages> opaque::VfsService for Vfs<M> {
    fn open(&self, _caller: &Caller, request: &[u8]) -> Result<Served<opaque::File>, Failure> {
        if self.0.opened(request)? != PATH {
            return Err(Failure::bad_argument("there is no such file"));
        }
        Ok(self.1.clone())
    }
}

struct File<M>(M, Bytes);

impl<M: Messages> opaque::FileService for File<M> {
    fn exchange(&self, _caller: &Caller, request: &[u8], answer: &mut BytesOut<'_>) -> Result<(), Failure> {
        self.0.reading(&self.1, request, answer)
    }
}

fn byte_at(index: usize) -> u8 {
    (index % 251) as u8
}

pub fn serve(messages: impl Messages, channel: &str) -> Result<(), String> {
    let content = (0..FILE_BYTES).map(byte_at).collect();
    let file = opaque::File::serve(File(messages.clone(), content));
    let root: Arc<dyn Object> = opaque::Vfs::serve(Vfs(messages, file)).into_object();
    let address = Address::Unix(process::socket());
    let options = ServerOptions { waiting: waiting(channel)?, ..ServerOptions::default() };
    let host =
        Host::listen(&address, options, move |_| Ok(Capability::new(Arc::clone(&root)))).map_err(text)?;
    process::ready(&process::socket().display().to_string())?;
    process::wait_for_end();
    host.shutdown(Instant::now() + Duration::from_secs(1));
    Ok(())
}

fn waiting(channel: &str) -> Result<WaitMode, String> {
    match channel {
        "socket" | "adaptive" => Ok(WaitMode::Adaptive),
        "spinning" => Ok(WaitMode::Spinning),
        "sleeping" => Ok(WaitMode::Sleeping),
        _ => Err(format!("there is no channel {channel}")),
    }
}

pub struct Client<M: Messages> {
    messages: M,
    file: opaque::File,
    kept: M::Kept,
    at: usize,
    _server: Server,
}

impl<M: Messages> Client<M> {
    pub fn start(messages: M, channel: &str, words: &[&str]) -> Result<Client<M>, String> {
        let (server, path) = Server::start(words)?;
        let path = path.into();
        let address = if channel == "socket" { Address::Unix(path) } else { Address::Shared(path) };
        let options = ConnectOptions { waiting: waiting(channel)?, ..ConnectOptions::default() };
        let session = RemoteSession::connect(&address, options).map_err(text)?;
        let vfs = opaque::Vfs::from_portal(session.root());
        let file = vfs.open(&messages.open(PATH)).map_err(text)?;
        Ok(Client { messages, file, kept: M::Kept::default(), at: 0, _server: server })
    }

    fn read(&mut self) -> Result<u64, String> {
        let (at, length) = (self.at, RECORD_BYTES);
        let request = self.messages.read(at as u64, length as u32, &mut self.kept);
        let answer = self.file.exchange(request).map_err(text)?;
        // Both ends of it: comparing all would be measured, too.
        let is_right = |record: &[u8]| {
            record.len() == length
                && record[0] == byte_at(at)
                && record[length - 1] == byte_at(at + length - 1)
        };
        if !self.messages.record(answer, is_right) {
            return Err("another record came".to_owned());
        }
        self.at = (at + length) % FILE_BYTES;
        Ok(length as u64)
    }
}

impl<M: Messages> Rival for Client<M> {
    fn calls(&mut self, key: &str, n: u64) -> Result<u64, String> {
        if key != "reread" {
            return Err(format!("there is no key {key}"));
        }
        (0..n).map(|_| self.read()).sum()
    }
}
