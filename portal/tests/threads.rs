//! What a client costs, with a thread for each and with one loop over all; and the bounds of the loop. One test at a time,
//! since some count what the process has.

mod support;

use std::io::{Read, Write};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::memory::Memory;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions, Threads};
use carnet_portal::session::ServerLimits;
use carnet_portal::wire::HEADER_BYTES;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use support::shared::Peer;
use support::sums::generated::{CarnetMemory, Sums};
use support::{BoxClient, Raw, World, op, raw, sums, until};

/// The tests of this file run one after the other.
static ALONE: Mutex<()> = Mutex::new(());

const CLIENTS: usize = 1000;

struct Served {
    world: Arc<World>,
    server: Option<Server>,
    directory: tempfile::TempDir,
}

impl Served {
    fn by(threads: Threads, limits: ServerLimits) -> Served {
        let (world, directory) = (World::new(), tempfile::tempdir().unwrap());
        let made = Arc::clone(&world);
        let options = ServerOptions { threads, limits, ..ServerOptions::default() };
        let address = Address::Unix(directory.path().join("s"));
        let server = Server::listen(&address, options, move |_: &Caller| Ok(Capability::new(made.root())));
        Served { world, server: Some(server.unwrap()), directory }
    }

    fn path(&self) -> std::path::PathBuf {
        self.directory.path().join("s")
    }

    fn client(&self) -> BoxClient {
        let address = Address::Unix(self.path());
        BoxClient(RemoteSession::connect(&address, ConnectOptions::default()).unwrap().root())
    }

    fn raw(&self) -> Raw {
        Raw::Unix(std::os::unix::net::UnixStream::connect(self.path()).unwrap())
    }

    /// A client that has made a call and makes no other.
    fn idle(&self) -> Raw {
        let mut socket = self.raw();
        socket.write_all(&[raw::hello(), raw::call(op::ADD, 1, 1, &raw::words(&[1, 2]))].concat()).unwrap();
        socket.read_exact(&mut [0; 24]).unwrap();
        socket
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.world.open_gate();
        if let Some(server) = self.server.take() {
            server.shutdown(std::time::Instant::now() + Duration::from_secs(10));
        }
    }
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// Bytes of memory that the process has.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

/// Both ends of all connections are in this process.
fn allow_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    let wanted = 2 * CLIENTS as u64 + 200;
    if limit.current.is_some_and(|current| current < wanted) {
        let raised = Rlimit { current: Some(wanted), maximum: limit.maximum };
        setrlimit(Resource::Nofile, raised).expect("the hard limit allows so many descriptors");
    }
}

/// Threads and bytes of memory that a client more takes, from those of a thousand that are idle.
fn cost(which: Threads) -> (usize, usize) {
    let sessions = CLIENTS + 10;
    let limits = ServerLimits {
        sessions_max: sessions,
        sessions_per_principal_max: sessions,
        sessions_per_process_max: sessions,
        ..ServerLimits::default()
    };
    let served = Served::by(which, limits);
    let _first: Vec<Raw> = (0..10).map(|_| served.idle()).collect();
    let (threads_before, bytes_before) = (threads(), resident());
    let clients: Vec<Raw> = (0..CLIENTS - 10).map(|_| served.idle()).collect();
    let cost = (threads() - threads_before, resident().saturating_sub(bytes_before) / clients.len());
    assert_eq!(served.client().add(40, 2), Ok(42));
    cost
}

#[test]
fn a_thousand_idle_clients_of_one_loop_cost_no_thread_and_little_memory() {
    let _alone = ALONE.lock();
    allow_descriptors();
    let (threads, bytes) = cost(Threads::Loop);
    let (threads_each, bytes_each) = cost(Threads::PerClient);
    println!("for each idle client: {bytes} bytes in one loop, {bytes_each} with a thread of its own");
    assert_eq!((threads, threads_each), (0, CLIENTS - 10));
    assert!(bytes < 4 << 10, "{bytes} bytes");
    assert!(bytes_each > 10 * bytes, "{bytes_each} bytes");
}

/// Nothing grows: what it does not read is queued, and what it asks for after that stays where it is.
#[test]
fn a_client_that_does_not_read_is_not_read_from_and_holds_nobody_up() {
    let _alone = ALONE.lock();
    let limits = ServerLimits { write_timeout: Duration::from_secs(600), ..ServerLimits::default() };
    let served = Served::by(Threads::Loop, limits);
    let (other, mut greedy) = (served.client(), served.raw());
    greedy.write_all(&raw::hello()).unwrap();
    let Raw::Unix(socket) = &mut greedy else { panic!("it is a socket") };
    socket.set_nonblocking(true).unwrap();
    let frame = raw::call(op::ECHO, 1, 1, &[raw::words(&[60_000]), vec![7; 60_000]].concat());
    let (mut sent, mut refused, mut adds) = (0, 0, 0);
    while refused < 100 {
        match socket.write(&frame[sent % frame.len()..]) {
            Ok(written) => (sent, refused) = (sent + written, 0),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                // When this is answered, the loop has looked at the other, too.
                assert_eq!(other.add(40, 2), Ok(42));
                (refused, adds) = (refused + 1, adds + 1);
            }
            Err(error) => panic!("{error}"),
        }
        assert!(sent < 100 * frame.len(), "it is read from for ever");
    }
    let begun = served.world.calls.load(Ordering::SeqCst) - adds;
    assert!(begun < 20, "{begun} answers of 60 kB wait");
    socket.set_nonblocking(false).unwrap();
    let whole = sent / frame.len();
    let mut replies = vec![0; whole * (HEADER_BYTES + 8 + 60_000)];
    socket.read_exact(&mut replies).unwrap();
    assert!(
        raw::replies(&replies).iter().all(|(header, _)| header.status == 0),
        "it is served when it reads"
    );
}

/// A client asks for 1 MB and reads 16 KiB of it at a time, not before others were served for so long; how much it gets, and how long
/// that takes.
fn read_slowly(which: Threads, limits: ServerLimits, every: Duration) -> (usize, Duration) {
    let served = Served::by(which, limits);
    let (other, mut slow) = (served.client(), served.raw());
    let call = raw::call(op::ECHO, 1, 1, &[raw::words(&[1_000_000]), vec![7; 1_000_000]].concat());
    slow.write_all(&[raw::hello(), call].concat()).unwrap();
    let (mut read, mut part, begun) = (0, vec![0; 16 << 10], Instant::now());
    while read < WHOLE {
        match slow.read(&mut part) {
            Ok(0) | Err(_) => break,
            Ok(n) => read += n,
        }
        let began = Instant::now();
        while began.elapsed() < every {
            assert_eq!(other.add(40, 2), Ok(42));
        }
    }
    (read, begun.elapsed())
}

/// Bytes of the answer to it.
const WHOLE: usize = HEADER_BYTES + 8 + 1_000_000;

/// As long as it reads a little it takes some of each answer, and holds a thread: it must read so much in its time.
#[test]
fn a_client_that_reads_too_slowly_is_hung_up_on() {
    let _alone = ALONE.lock();
    let write_timeout = Duration::from_millis(200);
    let limits = ServerLimits { write_timeout, frame_bytes_min: 400 << 10, ..ServerLimits::default() };
    for which in [Threads::PerClient, Threads::Loop] {
        let (read, _) = read_slowly(which, limits, Duration::from_millis(20));
        assert!(read < WHOLE, "{which:?}: it was served for seconds");
    }
}

/// If it does that, all of an answer may take it as long as it likes.
#[test]
fn a_client_that_reads_slowly_and_steadily_is_served() {
    let _alone = ALONE.lock();
    let write_timeout = Duration::from_secs(1);
    let limits = ServerLimits { write_timeout, frame_bytes_min: 32 << 10, ..ServerLimits::default() };
    for which in [Threads::PerClient, Threads::Loop] {
        let (read, took) = read_slowly(which, limits, Duration::from_millis(50));
        assert_eq!(read, WHOLE, "{which:?}: it is hung up on after {took:?}");
        assert!(took > 2 * write_timeout, "{which:?}: {took:?}");
    }
}

#[test]
fn calls_that_wait_are_made_by_so_many_helpers() {
    let _alone = ALONE.lock();
    // Three quarters are for one principal, and two thirds of these for one process.
    let limits = ServerLimits { blocking_max: 4, ..ServerLimits::default() };
    let served = Served::by(Threads::Loop, limits);
    let other = served.client();
    let mut waiting: Vec<Raw> = (0..5).map(|_| served.raw()).collect();
    for socket in &mut waiting {
        socket.write_all(&[raw::hello(), raw::call(op::WAIT, 1, 1, &[])].concat()).unwrap();
    }
    served.world.wait_for_waiting(2);
    for adds in 1..=20 {
        assert_eq!(other.add(40, 2), Ok(42));
        assert_eq!(served.world.calls.load(Ordering::SeqCst), 2 + adds, "the others wait for their turn");
    }
    served.world.open_gate();
    for socket in &mut waiting {
        socket.read_exact(&mut [0; HEADER_BYTES]).unwrap();
    }
}

#[test]
fn one_loop_shares_memory_with_so_many_clients() {
    let _alone = ALONE.lock();
    let served = Served::by(Threads::Loop, ServerLimits::default());
    let connect = || match served.raw() {
        Raw::Unix(socket) => socket,
        Raw::Tls(_) => panic!("it is a socket"),
    };
    // Two thirds of the three quarters of 127 that its user has: the rest is for others.
    let peers: Vec<Peer> = (0..64).map(|_| Peer::connect(connect())).collect();
    let shared = || RemoteSession::connect(&Address::Shared(served.path()), ConnectOptions::default());
    let refused = BoxClient(shared().unwrap().root()).add(1, 2).unwrap_err();
    let message = &refused.details().message;
    let text = "share memory with this server, as many as one process's may; a socket alone serves more";
    assert!(message.starts_with("64 clients of this process ") && message.ends_with(text), "{message}");
    assert_eq!(refused.kind(), Kind::Refused);
    assert_eq!(served.client().add(40, 2), Ok(42));
    drop(peers);
    until("their places are free", || served.server.as_ref().unwrap().sessions() == 0);
    assert_eq!(BoxClient(shared().unwrap().root()).add(40, 2), Ok(42));
}

/// Server and client are one process: neither can open anything, and what is open goes on.
#[test]
fn a_client_without_a_descriptor_for_memory_does_not_blame_the_server() {
    let _alone = ALONE.lock();
    let fixture = sums::fixture(|_| {});
    let address = Address::Shared(fixture.path());
    let session = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
    let theirs = Sums::from_portal(session.root()).counted(10).unwrap();
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(1), maximum: limit.maximum }).unwrap();
    let failure = Memory::map::<CarnetMemory>(theirs.portal(), 10);
    setrlimit(Resource::Nofile, limit).unwrap();
    let failure = failure.unwrap_err();
    assert_eq!(failure.kind(), Kind::Refused);
    assert!(failure.details().message.contains("Too many open files"), "{failure:?}");
    assert!(*Memory::map::<CarnetMemory>(theirs.portal(), 10).unwrap() == sums::counted(10));
}
