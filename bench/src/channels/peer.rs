//! The other process: this program again, on a processor of its own choice.

use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::Object;
use carnet_portal::capability::Capability;
use carnet_portal::server::{Server, ServerOptions, WaitMode};
use carnet_portal::stub::{BytesOut, Caller, Failure};

use super::channel::{Channel, ChannelService};
use super::floors::{Half, Kind};
use crate::measure::pin;

/// The first word on the command line of a peer.
pub(crate) const WORD: &str = "--peer";

/// A process that ends when this is dropped.
pub(super) struct Peer {
    socket: UnixStream,
    child: Child,
}

impl Peer {
    pub(super) fn start(what: &str, processor: usize) -> Result<Peer, String> {
        let failed = |error: std::io::Error| format!("cannot start the peer: {error}");
        let (socket, theirs) = UnixStream::pair().map_err(failed)?;
        let program = std::env::current_exe().map_err(failed)?;
        let child = Command::new(program)
            .args([WORD, what, &processor.to_string()])
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .spawn()
            .map_err(failed)?;
        Ok(Peer { socket, child })
    }

    pub(super) fn socket(&self) -> &UnixStream {
        &self.socket
    }

    /// Waits until it serves; where.
    pub(super) fn ready(&self) -> Result<PathBuf, String> {
        let mut byte = [0];
        (&self.socket).read_exact(&mut byte).map_err(|error| format!("the peer did not start: {error}"))?;
        Ok(path_of(self.child.id()))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Its end of it is standard input, whose end ends the peer.
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        let _ = self.child.wait();
    }
}

fn path_of(process: u32) -> PathBuf {
    std::env::temp_dir().join(format!("carnet-bench-{process}"))
}

/// What a peer does, with the words behind [`WORD`].
///
/// # Errors
/// What it could not do.
pub fn serve(words: &[String]) -> Result<(), String> {
    let [what, processor] = words else { return Err("a peer is told what it is, and where".to_owned()) };
    pin(processor.parse().map_err(|_| "that is no processor".to_owned())?)?;
    let socket = std::io::stdin().as_fd().try_clone_to_owned().map_err(|error| error.to_string())?;
    let socket = UnixStream::from(socket);
    match Kind::ALL.into_iter().find(|kind| kind.name() == what) {
        Some(kind) => Half::answering(kind, &socket)?.answer(),
        None => serve_channel(what, &socket),
    }
}

fn serve_channel(what: &str, socket: &UnixStream) -> Result<(), String> {
    let waiting = match what {
        "spinning" => WaitMode::Spinning,
        "adaptive" => WaitMode::Adaptive,
        "sleeping" => WaitMode::Sleeping,
        _ => return Err(format!("there is no peer `{what}`")),
    };
    let root: Arc<dyn Object> = Channel::serve(Echo).into_object();
    let address = Address::Unix(path_of(std::process::id()));
    let options = ServerOptions { waiting, ..ServerOptions::default() };
    let server = Server::listen(&address, options, move |_| Ok(Capability::new(Arc::clone(&root))))
        .map_err(|error| error.to_string())?;
    let mut socket = socket;
    socket.write_all(&[1]).map_err(|error| error.to_string())?;
    // Nothing comes but the end.
    let _ = socket.read(&mut [0]);
    server.shutdown(Instant::now() + Duration::from_secs(1));
    Ok(())
}

struct Echo;

impl ChannelService for Echo {
    fn nothing(&self, _caller: &Caller) -> Result<(), Failure> {
        Ok(())
    }

    fn echo(&self, _caller: &Caller, data: &[u8], result: &mut BytesOut<'_>) -> Result<(), Failure> {
        // As many bytes as came are allowed.
        if result.extend(data) { Ok(()) } else { Err(Failure::service("more bytes than an answer holds")) }
    }
}
