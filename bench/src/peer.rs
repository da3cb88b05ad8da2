//! The other process: this program again, on a processor of its own choice, and the ways to it.
//!
//! ```text
//! this process                       carnet-bench --peer FAMILY WHAT PROCESSOR
//! a client, or half of a floor ════► a server, or the other half of a floor
//!        └── standard input of the peer: a socket, for what the floors share and for where a server is; its end ends
//!            the peer
//! ```
//!
//! | family | what | serves |
//! | --- | --- | --- |
//! | `floor` | its name | half of a floor of `channels` |
//! | `channel` | a way | `channel.idl` |
//! | `memory` | a way | `memory.idl` |
//! | `records`, `by-hand` | a way | the file server of `iozone` |
//! | `vfs` | where tickets are issued | its virtual file system |
//! | `bare` | a way | half of its loop by hand |
//! | `bank`, `bank-checked` | a way | the memory bank of `off`, cheap and expensive |
//! | `paged` | a socket of a bank | an application that has its pages from there |
//! | `bare-paged` | - | an application that serves its own |
//! | `pipe` | a socket file | nothing: it carries bytes between its standard streams and there |

use std::io::{BufRead as _, BufReader, IoSliceMut, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::net::IpAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_bench_reread::FileServer;
use carnet_memory::{Mapping, Sealed, Segment, pass};
use carnet_portal::address::{Address, Place};
use carnet_portal::admission::{Admission, Shown};
use carnet_portal::call::{Failure, Kind, Object};
use carnet_portal::capability::Capability;
use carnet_portal::door::{Door, DoorLimits};
use carnet_portal::entry::EntryPoint;
use carnet_portal::fingerprint::Fingerprint;
use carnet_portal::identity::{CertifiedKey, Credentials, Token};
use carnet_portal::portal::Portal;
use carnet_portal::remote::{ConnectOptions, RemoteSession, WaitMode};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::host::Programs;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};

use crate::measure::pin;
use crate::{channels, figure8, iozone, memory, off};

/// The family of the virtual file system of `iozone`.
pub(crate) const VFS: &str = "vfs";

/// The family of what reads memory.
pub(crate) const MEMORY: &str = "memory";

/// The first word on the command line of a peer.
pub const WORD: &str = "--peer";

/// How a client reaches a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Shared memory, both sides waiting so.
    Shared(WaitMode),
    /// A Unix socket.
    Socket,
    /// TCP with TLS over the loopback interface, the client known by a token.
    Tls,
}

impl Way {
    const ALL: [Way; 5] = [
        Way::Shared(WaitMode::Spinning),
        Way::Shared(WaitMode::Adaptive),
        Way::Shared(WaitMode::Sleeping),
        Way::Socket,
        Way::Tls,
    ];

    /// The one with this name on command lines.
    fn of(word: &str) -> Result<Way, String> {
        let found = Way::ALL.into_iter().find(|way| way.word() == word);
        found.ok_or_else(|| format!("there is no way `{word}`"))
    }

    /// Its name on command lines.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Way::Shared(WaitMode::Spinning) => "spinning",
            Way::Shared(WaitMode::Adaptive) => "adaptive",
            Way::Shared(WaitMode::Sleeping) => "sleeping",
            Way::Socket => "socket",
            Way::Tls => "tls",
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Way::Shared(WaitMode::Spinning) => "shared memory, spinning",
            Way::Shared(WaitMode::Adaptive) => "shared memory, adaptive",
            Way::Shared(WaitMode::Sleeping) => "shared memory, sleeping",
            Way::Socket => "Unix socket",
            Way::Tls => "TCP with TLS",
        }
    }

    /// How it is waited in memory that is shared, if any is.
    pub(crate) fn shared(self) -> Option<WaitMode> {
        match self {
            Way::Shared(mode) => Some(mode),
            Way::Socket | Way::Tls => None,
        }
    }

    fn waiting(self) -> WaitMode {
        self.shared().unwrap_or_default()
    }
}

/// A process that ends when this is dropped.
#[derive(Debug)]
pub struct Peer {
    socket: UnixStream,
    child: Child,
}

impl Peer {
    /// Starts one.
    ///
    /// # Errors
    /// Why it cannot be started.
    pub fn start(family: &str, what: &str, processor: usize) -> Result<Peer, String> {
        let failed = |error: std::io::Error| format!("cannot start the peer: {error}");
        let (socket, theirs) = UnixStream::pair().map_err(failed)?;
        let program = std::env::current_exe().map_err(failed)?;
        let child = Command::new(program)
            .args([WORD, family, what, &processor.to_string()])
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .spawn()
            .map_err(failed)?;
        Ok(Peer { socket, child })
    }

    /// Starts a server that is reached by `way`, and connects; the root.
    ///
    /// # Errors
    /// Why it cannot be started, or reached.
    pub fn connect(family: &str, way: Way, processor: usize) -> Result<(Peer, Portal), String> {
        let (peer, session) = Peer::session(family, way, processor)?;
        Ok((peer, session.root()))
    }

    /// The same; the session.
    pub(crate) fn session(
        family: &str,
        way: Way,
        processor: usize,
    ) -> Result<(Peer, Arc<RemoteSession>), String> {
        let peer = Peer::start(family, way.word(), processor)?;
        let (address, credentials) = peer.place()?;
        let address = match (address, way) {
            (Address::Unix(path), Way::Shared(_)) => Address::Shared(path),
            (address, _) => address,
        };
        let options = ConnectOptions { waiting: way.waiting(), ..ConnectOptions::default() };
        let session = RemoteSession::connect_as(&address, options, &credentials);
        Ok((peer, session.map_err(|failure| failure.to_string())?))
    }

    /// Its number.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// What it shares with this process.
    pub(crate) fn socket(&self) -> &UnixStream {
        &self.socket
    }

    /// Waits until it serves; where.
    pub(crate) fn address(&self) -> Result<Address, String> {
        Ok(self.place()?.0)
    }

    /// Waits until it serves; where, and by what it knows the client.
    fn place(&self) -> Result<(Address, Credentials), String> {
        let mut line = String::new();
        let read = BufReader::new(&self.socket).read_line(&mut line);
        read.map_err(|error| format!("the peer did not start: {error}"))?;
        let line = line.strip_suffix('\n').and_then(|line| line.split_once(' '));
        let (address, token) = line.ok_or("the peer did not start")?;
        let address = address.parse().map_err(|error| format!("the peer is nowhere: {error}"))?;
        let token = Token::parse(token.as_bytes()).map_or(Credentials::None, Credentials::Token);
        Ok((address, token))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Its end of it is standard input, whose end ends the peer.
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        let _ = self.child.wait();
    }
}

/// What a peer does, with the words behind [`WORD`].
///
/// # Errors
/// What it could not do.
pub fn serve(words: &[String]) -> Result<(), String> {
    let [family, what, processor] = words else {
        return Err("a peer is told what it is, and where".to_owned());
    };
    pin(processor.parse().map_err(|_| "that is no processor".to_owned())?)?;
    let socket = std::io::stdin().as_fd().try_clone_to_owned().map_err(|error| error.to_string())?;
    let socket = UnixStream::from(socket);
    let way = || Way::of(what);
    match family.as_str() {
        "floor" => channels::serve_floor(what, &socket),
        "channel" => host(way()?, channels::root(), &socket),
        MEMORY => host(way()?, memory::root(), &socket),
        iozone::BARE => iozone::serve_bare(way()?, &socket),
        VFS => serve_vfs(what, &socket),
        figure8::PIPE => figure8::serve_pipe(what),
        off::PAGED | off::BARE => off::serve_application(family, what, &socket),
        other => {
            match (off::Cost::of(other), iozone::Kind::ALL.into_iter().find(|kind| kind.family() == other)) {
                (Some(cost), _) => serve_bank(way()?, cost, &socket),
                (None, Some(kind)) => serve_file(way()?, kind, &socket),
                (None, None) => Err(format!("there is no family `{other}`")),
            }
        }
    }
}

fn serve_bank(way: Way, cost: off::Cost, socket: &UnixStream) -> Result<(), String> {
    let (root, programs) = off::serve(cost)?;
    host_with(way, root, Some(programs), socket)
}

fn host(way: Way, root: Arc<dyn Object>, socket: &UnixStream) -> Result<(), String> {
    host_with(way, root, None, socket)
}

fn host_with(
    way: Way,
    root: Arc<dyn Object>,
    entry: Option<Arc<Programs>>,
    socket: &UnixStream,
) -> Result<(), String> {
    let entry = entry.map(|programs| programs as Arc<dyn EntryPoint>);
    let (address, door, token) = if way == Way::Tls {
        let token = Token::generate().map_err(|error| error.to_string())?;
        (Address::Tcp(Place { host: "127.0.0.1".to_owned(), port: 0 }), Some(door(&token)?), Some(token))
    } else {
        (Address::Unix(socket_file()), None, None)
    };
    let options = ServerOptions { waiting: way.waiting(), door, entry, ..ServerOptions::default() };
    let server = Server::listen(&address, options, move |_| Ok(Capability::new(Arc::clone(&root))))
        .map_err(|error| error.to_string())?;
    until_the_end(&server.address(), token.as_ref().map_or(&b""[..], Token::expose), socket)?;
    shut_down(server);
    Ok(())
}

fn serve_file(way: Way, kind: iozone::Kind, socket: &UnixStream) -> Result<(), String> {
    let server = FileServer::listen(&socket_file(), way.waiting(), kind.file())?;
    until_the_end(&server.issuer(), b"", socket)?;
    server.shutdown();
    Ok(())
}

fn serve_vfs(issuer: &str, socket: &UnixStream) -> Result<(), String> {
    let issuer = issuer.parse().map_err(|error| format!("tickets are issued nowhere: {error}"))?;
    let server = carnet_bench_reread::serve_vfs(&socket_file(), &issuer)?;
    until_the_end(&server.address(), b"", socket)?;
    shut_down(server);
    Ok(())
}

/// A name that no other peer has.
fn socket_file() -> PathBuf {
    std::env::temp_dir().join(format!("carnet-bench-{}", std::process::id()))
}

/// Says where the server is, and waits until nobody needs it any more.
fn until_the_end(address: &Address, token: &[u8], mut socket: &UnixStream) -> Result<(), String> {
    let place = [format!("{address} ").as_bytes(), token, b"\n"].concat();
    socket.write_all(&place).map_err(|error| error.to_string())?;
    // Nothing comes but the end.
    let _ = socket.read(&mut [0]);
    Ok(())
}

fn shut_down(server: Server) {
    server.shutdown(Instant::now() + Duration::from_secs(1));
}

/// Makes memory, and shares it with who is at the other end of the socket.
pub(crate) fn share_memory(socket: &UnixStream, bytes: usize) -> Result<Mapping, String> {
    let made = || {
        let segment = Segment::create(bytes)?;
        pass::send(socket.as_fd(), &[0], &segment)?;
        Mapping::new(&segment)
    };
    made().map_err(|errno| format!("no memory to share: {errno}"))
}

/// The memory that the other end shares.
pub(crate) fn accept_memory(socket: &UnixStream, bytes: usize) -> Result<Mapping, String> {
    let segment = Segment::accept(accept_descriptor(socket)?, Sealed::Size, bytes);
    Mapping::new(&segment.map_err(|refused| refused.to_string())?).map_err(|errno| errno.to_string())
}

/// The descriptor that the other end sends.
pub(crate) fn accept_descriptor(socket: &UnixStream) -> Result<OwnedFd, String> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC;
    recvmsg(socket, &mut [IoSliceMut::new(&mut [0])], &mut control, flags)
        .map_err(|errno| errno.to_string())?;
    let file = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut files) => files.next(),
        _ => None,
    });
    file.ok_or_else(|| "no descriptor came".to_owned())
}

/// Whether the other end is gone, where nothing else is sent any more.
pub(crate) fn is_over(socket: &UnixStream) -> bool {
    let mut fds = [PollFd::new(socket, PollFlags::IN | PollFlags::RDHUP)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    !matches!(poll(&mut fds, Some(&now)), Ok(0) | Err(Errno::INTR))
}

/// Admits whoever has this token.
pub(crate) fn door(token: &Token) -> Result<Door, String> {
    let made = || {
        let admission = Arc::new(OneToken(token.hash()));
        Door::new(&CertifiedKey::generate()?, admission, DoorLimits::default())
    };
    made().map_err(|error| error.to_string())
}

/// Admits whoever has the one token.
#[derive(Debug)]
struct OneToken(Fingerprint);

impl Admission for OneToken {
    fn by_token(&self, token: &Token, _from: IpAddr) -> Result<Arc<str>, Failure> {
        if token.hash() == self.0 { Ok("bench".into()) } else { Err(refused()) }
    }

    fn by_key(&self, _key: &Fingerprint, _from: IpAddr) -> Result<Arc<str>, Failure> {
        Err(refused())
    }

    fn withdrawn(&self, _shown: &[Shown]) -> Vec<Shown> {
        Vec::new()
    }
}

fn refused() -> Failure {
    Failure::new(Kind::Refused, "this server admits the client that started it")
}
