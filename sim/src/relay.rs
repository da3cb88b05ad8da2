//! The relay: accepts connections, connects each onward, and counts what crosses.

use std::collections::HashMap;
use std::fs;
use std::net::{Shutdown, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::link::{Direction, Fault, Link};
use crate::stream::{Listener, Place, Stream};

/// How a link behaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelayOptions {
    /// Time that a request and its reply spend on the link together.
    pub round_trip: Duration,
    /// What goes wrong on each connection.
    pub faults: Vec<Fault>,
}

/// What has crossed a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Connections.
    pub connections: u64,
    /// Bytes from clients.
    pub to_server_bytes: u64,
    /// Bytes from servers.
    pub to_client_bytes: u64,
    /// How often a server's bytes followed a client's: turns of direction.
    pub round_trips: u64,
}

/// What the threads of a relay share.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    connections: AtomicU64,
    to_server_bytes: AtomicU64,
    to_client_bytes: AtomicU64,
    round_trips: AtomicU64,
    /// Half of the round-trip time.
    delay_ns: AtomicU64,
}

impl Counters {
    pub(crate) fn delay(&self) -> Duration {
        Duration::from_nanos(self.delay_ns.load(Ordering::Relaxed))
    }

    /// Counts `read` bytes in `direction`, which follow bytes in `last`.
    pub(crate) fn count(&self, direction: Direction, read: usize, last: Option<Direction>) {
        let bytes = match direction {
            Direction::ToServer => &self.to_server_bytes,
            Direction::ToClient => &self.to_client_bytes,
        };
        bytes.fetch_add(read as u64, Ordering::Relaxed);
        if direction == Direction::ToClient && last == Some(Direction::ToServer) {
            self.round_trips.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A link between clients and a server. Dropping it ends its connections and removes its socket file.
#[derive(Debug)]
pub struct Relay {
    place: Place,
    listener: Listener,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    target: Place,
    faults: Vec<Fault>,
    counters: Arc<Counters>,
    stopping: Arc<AtomicBool>,
    links: Mutex<Links>,
}

#[derive(Debug, Default)]
struct Links {
    next: u64,
    /// A handle on each live connection's client, to end it, and its thread.
    live: HashMap<u64, (Stream, JoinHandle<()>)>,
}

impl Relay {
    /// Listens on the socket file `path`, which must not exist, and connects each client to the server at `target`.
    ///
    /// # Errors
    /// What the system says to `path`.
    pub fn start(path: &Path, target: &Path, options: RelayOptions) -> std::io::Result<Relay> {
        Relay::between(Some(path), Place::Unix(target.to_owned()), options)
    }

    /// Listens on a port of the loopback interface that the system chooses, and connects each client to the server at `target`, by TCP.
    ///
    /// # Errors
    /// The system's.
    pub fn tcp(target: SocketAddr, options: RelayOptions) -> std::io::Result<Relay> {
        Relay::between(None, Place::Tcp(target), options)
    }

    fn between(path: Option<&Path>, target: Place, options: RelayOptions) -> std::io::Result<Relay> {
        let (listener, place) = Listener::bind(path)?;
        let shared = Arc::new(Shared {
            target,
            faults: options.faults,
            counters: Arc::default(),
            stopping: Arc::default(),
            links: Mutex::default(),
        });
        let accepting = listener.try_clone()?;
        let for_acceptor = Arc::clone(&shared);
        let acceptor = std::thread::Builder::new()
            .name("relay".to_owned())
            .spawn(move || for_acceptor.run(&accepting))?;
        let relay = Relay { place, listener, shared, acceptor: Some(acceptor) };
        relay.set_round_trip(options.round_trip);
        Ok(relay)
    }

    /// The socket file that it listens on, if it is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Unix(path) => Some(path),
            Place::Tcp(_) => None,
        }
    }

    /// The address that it listens on, by TCP.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        match &self.place {
            Place::Unix(_) => None,
            Place::Tcp(address) => Some(*address),
        }
    }

    /// Changes the round-trip time for what comes from now on.
    pub fn set_round_trip(&self, round_trip: Duration) {
        let delay_ns = u64::try_from(round_trip.as_nanos() / 2).unwrap_or(u64::MAX);
        self.shared.counters.delay_ns.store(delay_ns, Ordering::Relaxed);
    }

    /// What has crossed since the start or the last [`Relay::reset`].
    #[must_use]
    pub fn counts(&self) -> Counts {
        let counters = &self.shared.counters;
        Counts {
            connections: counters.connections.load(Ordering::Relaxed),
            to_server_bytes: counters.to_server_bytes.load(Ordering::Relaxed),
            to_client_bytes: counters.to_client_bytes.load(Ordering::Relaxed),
            round_trips: counters.round_trips.load(Ordering::Relaxed),
        }
    }

    /// Counts from zero again.
    pub fn reset(&self) {
        let counters = &self.shared.counters;
        counters.connections.store(0, Ordering::Relaxed);
        counters.to_server_bytes.store(0, Ordering::Relaxed);
        counters.to_client_bytes.store(0, Ordering::Relaxed);
        counters.round_trips.store(0, Ordering::Relaxed);
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::Release);
        // Wakes the thread that accepts.
        let _ = rustix::net::shutdown(&self.listener, rustix::net::Shutdown::Both);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
        let live = std::mem::take(&mut self.shared.links().live);
        for (client, thread) in live.into_values() {
            let _ = client.shutdown(Shutdown::Both);
            let _ = thread.join();
        }
        if let Some(path) = self.path() {
            // Whoever removed it meanwhile has done our work.
            let _ = fs::remove_file(path);
        }
    }
}

impl Shared {
    fn links(&self) -> MutexGuard<'_, Links> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(self: &Arc<Self>, listener: &Listener) {
        while !self.stopping.load(Ordering::Acquire) {
            let Ok(client) = listener.accept() else {
                if self.stopping.load(Ordering::Acquire) {
                    return;
                }
                std::thread::yield_now();
                continue;
            };
            // A client whose connection cannot be made onward sees it closed.
            let _ = self.connect(client);
        }
    }

    fn connect(self: &Arc<Self>, client: Stream) -> std::io::Result<()> {
        let server = Stream::connect(&self.target)?;
        self.counters.connections.fetch_add(1, Ordering::Relaxed);
        let handle = client.try_clone()?;
        let (counters, stopping) = (Arc::clone(&self.counters), Arc::clone(&self.stopping));
        let link = Link::new(client, server, self.faults.clone(), counters, stopping)?;
        let mut links = self.links();
        let number = links.next;
        links.next += 1;
        let shared = Arc::clone(self);
        let thread = std::thread::Builder::new().name("link".to_owned()).spawn(move || {
            link.run();
            shared.links().live.remove(&number);
        })?;
        // It cannot have removed itself yet: the lock is ours.
        links.live.insert(number, (handle, thread));
        Ok(())
    }
}
