//! A server: listens, admits, keeps one thread per session or one for all, shuts down in order.
//!
//! ```text
//! accept ─► too many? another user? ─► farewell          shutdown(deadline):
//!    ├─ from afar: thread: `door` ─┐                         1 accept no more, remove the socket file
//!    └─► thread: Worker::run, ─► closed() ─► drop portals
//!        or `one_loop`
//!                                                           2 each session ends its call, says farewell
//!                                                           3 at the deadline: cancel programs, wait a
//!                                                             second for their answers, hang up on the rest
//! ```

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use carnet_idl::descriptor::{Effect, Operation};
use rustix::io::Errno;
use rustix::net::{Shutdown, SocketFlags};

use crate::address::{Address, Place};
use crate::admission::Shown;
use crate::call::{Caller, Failure, Kind, Labelled, Origin};
use crate::capability::Capability;
use crate::door::{Door, Guest, Guests};
use crate::entry::EntryPoint;
use crate::link::{Link, Socket};
use crate::listener::Listener;
use crate::meter::Meter;
use crate::one_loop::{Host, Notice, Notices, OneLoop};
use crate::panics::{drop_quietly, survived};
use crate::peer::{name_of, peer_of};
use crate::seats::{Bounds, Full, Seat, Seats};
use crate::session::{CANCEL_GRACE, ServerLimits, Session, lock, refuse};
use crate::worker::{Quotas, Worker};

pub use crate::link::WaitMode;
pub use crate::listener::ListenError;
pub use crate::peer::Admit;

/// How long the server waits when the system has no descriptor or thread left for one more session.
const EXHAUSTED_PAUSE: Duration = Duration::from_millis(50);

/// What a server is, apart from its objects.
#[derive(Clone, Default)]
pub struct ServerOptions {
    /// Name, for people.
    pub name: String,
    /// Version of the program that serves.
    pub version: String,
    /// What sessions may take.
    pub limits: ServerLimits,
    /// Who may connect.
    pub admit: Admit,
    /// Sent to clients as it is when they ask what the server is.
    pub policy: Vec<u8>,
    /// Handles frames of kind 16 and above.
    pub entry: Option<Arc<dyn EntryPoint>>,
    /// Which calls it takes one by one.
    pub single_calls: SingleCalls,
    /// What they are charged to; without it they are not charged.
    pub meter: Option<Arc<dyn Meter>>,
    /// Which threads serve the sessions.
    pub threads: Threads,
    /// How sessions wait for their clients through shared memory.
    pub waiting: WaitMode,
    /// How clients from afar are let in; without it, it does not listen on TCP.
    pub door: Option<Door>,
}

/// Which threads serve the sessions of a server. What clients see is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// One for each client: a call that takes long holds nobody else up.
    #[default]
    PerClient,
    /// One for all: a client that is idle costs little. A call holds up all others, unless its operation is marked
    /// `@blocks`; those go to threads that come and go, [`ServerLimits::blocking_max`] at most.
    Loop,
}

/// Which calls a server takes one by one. What an entry point calls is its own matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SingleCalls {
    /// All.
    #[default]
    All,
    /// Those that read. One that writes is refused, and this says what to do instead.
    Reads(String),
}

impl SingleCalls {
    /// Lets a call of `operation` pass.
    ///
    /// # Errors
    /// [`Kind::Refused`].
    #[inline]
    pub(crate) fn admit(&self, operation: &Operation) -> Result<(), Failure> {
        match (operation.effect, self) {
            (Effect::Writes, SingleCalls::Reads(why)) => Err(Failure::new(Kind::Refused, why)),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for ServerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerOptions")
            .field("name", &self.name)
            .field("version", &self.version)
            .field("limits", &self.limits)
            .field("admit", &self.admit)
            .field("single_calls", &self.single_calls)
            .field("threads", &self.threads)
            .field("waiting", &self.waiting)
            .field("door", &self.door)
            .finish_non_exhaustive()
    }
}

/// Gives each session its root object, or refuses it.
pub type Roots = dyn Fn(&Caller) -> Result<Capability, Failure> + Send + Sync;

/// A running server. Dropping it shuts it down without waiting.
#[derive(Debug)]
pub struct Server {
    inner: Arc<Inner>,
    acceptor: Option<JoinHandle<()>>,
    /// Asks whether those from afar are still admitted.
    porter: Option<JoinHandle<()>>,
    /// Serves all sessions, if one thread does.
    one_loop: Option<JoinHandle<()>>,
}

struct Inner {
    listener: Listener,
    inside: Inside,
    stopping: AtomicBool,
    sessions: Mutex<Sessions>,
    changed: Condvar,
    /// For the loop that serves all sessions.
    notices: Option<Arc<Notices>>,
}

/// What servers have in common that listen on several addresses as one.
#[derive(Clone)]
struct Inside {
    options: Arc<ServerOptions>,
    roots: Arc<Roots>,
    /// For sessions, also those that are about to begin.
    seats: Arc<Seats>,
    guests: Arc<Guests>,
    /// Memory that sessions take.
    quotas: Quotas,
}

#[derive(Default)]
struct Sessions {
    live: HashMap<u64, Live>,
    /// Connections from afar that are no sessions yet.
    strangers: HashMap<u64, Stranger>,
    /// Threads that are done and not joined.
    finished: Vec<JoinHandle<()>>,
}

impl Sessions {
    fn is_empty(&self) -> bool {
        self.live.is_empty() && self.strangers.is_empty()
    }
}

struct Live {
    session: Arc<Session>,
    thread: Option<JoinHandle<()>>,
    /// By what its client was admitted from afar.
    shown: Option<Shown>,
    seat: Seat,
}

struct Stranger {
    socket: Arc<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({})", self.listener.address())
    }
}

/// How a shutdown went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Every session ended by itself, or when its programs were cancelled.
    Ended,
    /// So many sessions were hung up on; their calls may still be running.
    HungUp(usize),
}

impl Server {
    /// Listens on `address` and serves from now on; `roots` gives each session its root object.
    ///
    /// # Errors
    /// [`ListenError`].
    pub fn listen(
        address: &Address,
        options: ServerOptions,
        roots: impl Fn(&Caller) -> Result<Capability, Failure> + Send + Sync + 'static,
    ) -> Result<Server, ListenError> {
        let options = ServerOptions { limits: options.limits.checked(), ..options };
        let limits = &options.limits;
        Server::begin(
            address,
            Inside {
                seats: Seats::new(Bounds {
                    all: limits.sessions_max,
                    principal: limits.sessions_per_principal_max,
                    process: limits.sessions_per_process_max,
                    session: usize::MAX,
                }),
                guests: Arc::default(),
                quotas: Quotas::new(limits),
                options: Arc::new(options),
                roots: Arc::new(roots),
            },
        )
    }

    /// Listens on another address, too: the same objects with the same options. Its sessions, strangers and the memory that
    /// they take count together with those of this one; all else of it ends by itself.
    ///
    /// # Errors
    /// [`ListenError`].
    pub fn listen_also(&self, address: &Address) -> Result<Server, ListenError> {
        Server::begin(address, self.inner.inside.clone())
    }

    fn begin(address: &Address, inside: Inside) -> Result<Server, ListenError> {
        if matches!(address, Address::Tcp(_)) && inside.options.door.is_none() {
            return Err(ListenError::NoDoor(address.clone()));
        }
        let system = |error: std::io::Error| ListenError::System(address.clone(), error);
        let notices = match inside.options.threads {
            Threads::PerClient => None,
            Threads::Loop => Some(Arc::new(Notices::new().map_err(|errno| system(errno.into()))?)),
        };
        let inner = Arc::new(Inner {
            listener: Listener::bind(address)?,
            inside,
            stopping: AtomicBool::new(false),
            sessions: Mutex::default(),
            changed: Condvar::new(),
            notices,
        });
        let mut server = Server { inner, acceptor: None, porter: None, one_loop: None };
        server.start_threads().map_err(|error| {
            server.stop_accepting();
            system(error)
        })?;
        Ok(server)
    }

    fn start_threads(&mut self) -> std::io::Result<()> {
        let inner = || Arc::clone(&self.inner);
        if let Some(notices) = &self.inner.notices {
            let (options, quotas) =
                (Arc::clone(&self.inner.inside.options), self.inner.inside.quotas.clone());
            let one_loop = OneLoop::new(inner(), options, quotas, Arc::clone(notices))?;
            self.one_loop = Some(spawn("carnet-loop", move || one_loop.run())?);
        }
        let accepting = inner();
        self.acceptor = Some(spawn("carnet-accept", move || accepting.accept_all())?);
        if self.inner.listens_afar() {
            let asking = inner();
            self.porter = Some(spawn("carnet-door", move || asking.recheck_all())?);
        }
        Ok(())
    }

    /// Where clients find it. One that listens on all addresses of its machine is found by the machine's name.
    #[must_use]
    pub fn address(&self) -> Address {
        let listening = self.inner.listener.address();
        match (listening, &self.inner.inside.options.door) {
            (Address::Tcp(place), Some(door)) => Address::Carnet(reachable(place), door.fingerprint()),
            _ => listening.clone(),
        }
    }

    /// Number of sessions.
    #[must_use]
    pub fn sessions(&self) -> usize {
        lock(&self.inner.sessions).live.len()
    }

    /// Stops accepting, lets calls in flight end, tells the clients, and ends. At `deadline` requests to the entry
    /// point are cancelled ([`EntryPoint::cancel`]) and have a second to answer; then it hangs up on the rest.
    pub fn shutdown(mut self, deadline: Instant) -> Stopped {
        self.stop_accepting();
        for session in self.inner.live_sessions() {
            session.close_by(deadline);
        }
        if self.inner.wait_until_empty(deadline) {
            self.join();
            return Stopped::Ended;
        }
        self.inner.cancel_entries();
        let left = self.inner.live_sessions();
        for session in &left {
            session.hang_up();
        }
        if left.is_empty() {
            self.join();
            return Stopped::Ended;
        }
        // Most end at once now; a service that does not return keeps its thread.
        if self.inner.wait_until_empty(Instant::now() + EXHAUSTED_PAUSE) {
            self.join();
        } else {
            self.inner.join_finished();
        }
        Stopped::HungUp(left.len())
    }

    /// Waits for the threads of a server without sessions.
    fn join(&mut self) {
        join(self.one_loop.take().into_iter().collect());
        self.inner.join_finished();
    }

    fn stop_accepting(&mut self) {
        self.inner.stopping.store(true, Ordering::Release);
        self.inner.listener.remove_file();
        // Wakes the thread that accepts.
        let _ = rustix::net::shutdown(self.inner.listener.socket(), Shutdown::Both);
        if let Some(acceptor) = self.acceptor.take() {
            // It catches panics of the host; there is nothing to do about another.
            let _ = acceptor.join();
        }
        // Whoever looked at `stopping` before has the lock until it waits.
        drop(lock(&self.inner.sessions));
        self.inner.tell_changed();
        if let Some(porter) = self.porter.take() {
            let _ = porter.join();
        }
        for stranger in lock(&self.inner.sessions).strangers.values() {
            // Wakes its thread, which ends then.
            let _ = rustix::net::shutdown(&*stranger.socket, Shutdown::Both);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.acceptor.is_some() {
            self.stop_accepting();
            for session in self.inner.live_sessions() {
                session.close_by(Instant::now());
            }
        }
    }
}

impl Inner {
    fn accept_all(self: &Arc<Self>) {
        while !self.stopping.load(Ordering::Acquire) {
            match rustix::net::accept_with(self.listener.socket(), SocketFlags::CLOEXEC) {
                Ok(socket) => match &self.inside.options.door {
                    Some(door) if self.listens_afar() => self.meet(door, socket),
                    _ => self.admit(Socket::from(socket)),
                },
                Err(Errno::INTR | Errno::CONNABORTED) => {}
                Err(Errno::INVAL) => return,
                Err(_) => self.pause(),
            }
            self.join_finished();
        }
    }

    fn listens_afar(&self) -> bool {
        matches!(self.listener.address(), Address::Tcp(_))
    }

    /// Descriptors have run out: waits until a session ends, or a moment.
    fn pause(&self) {
        let sessions = lock(&self.sessions);
        // What woke it does not matter.
        drop(self.changed.wait_timeout(sessions, EXHAUSTED_PAUSE));
    }

    fn admit(self: &Arc<Self>, socket: Socket) {
        let limits = &self.inside.options.limits;
        let Ok(peer) = peer_of(socket.as_fd()) else { return };
        let link = Link::Socket(Arc::new(socket));
        // Without time-outs a peer could hold the thread for ever: then it is not admitted.
        if link.set_timeouts(limits.idle_timeout, Some(limits.write_timeout)).is_err() {
            return;
        }
        let number = next_session();
        let caller = Caller {
            principal: name_of(peer.user),
            session: number,
            origin: peer.origin(),
            label: Labelled::not_yet(),
        };
        let seat = self.check_user(peer.user, &caller).and_then(|()| self.take_seat(&caller));
        match seat.and_then(|seat| Ok((self.root_for(&caller)?, seat))) {
            Ok((root, seat)) => {
                self.start(Session::new(link, caller, root, *limits, self.notices.clone()), seat)
            }
            Err(refusal) => refuse(&link, &refusal),
        }
    }

    fn check_user(&self, user: u32, caller: &Caller) -> Result<(), Failure> {
        if self.inside.options.admit.admits(user) {
            return Ok(());
        }
        let text = format!("this server does not admit {}; it admits its own user", caller.principal);
        Err(Failure::new(Kind::Refused, &text))
    }

    /// A place among the sessions.
    fn take_seat(&self, caller: &Caller) -> Result<Seat, Failure> {
        let principal = &caller.principal;
        self.inside.seats.take(caller).map_err(|full| {
            let text = match full {
                Full::All(max) => {
                    format!("the server has {max} sessions, as many as it may; try again later")
                }
                Full::Principal(max) => {
                    format!("{principal} has {max} sessions, as many as one user may; end one first")
                }
                Full::Process(Origin::User(_), max) => format!(
                    "the processes of {principal} that this server cannot see have {max} sessions, as many as one process may; \
                     end one first"
                ),
                Full::Process(_, max)
                | Full::Relay(max)
                | Full::RelayPrincipal(max)
                | Full::RelayProcess(max)
                | Full::Session(max) => {
                    format!("this process has {max} sessions, as many as one may; end one first")
                }
            };
            Failure::new(Kind::Refused, &text)
        })
    }

    fn root_for(&self, caller: &Caller) -> Result<Capability, Failure> {
        survived(|| (self.inside.roots)(caller))
            .unwrap_or_else(|| Err(Failure::new(Kind::Internal, "the server failed to open a session")))
    }

    fn start(self: &Arc<Self>, session: Session, seat: Seat) {
        let session = Arc::new(session);
        let number = session.caller().session;
        // The thread ends by removing its entry, so the entry must be there, with the thread, before that.
        let mut sessions = lock(&self.sessions);
        if let Some(notices) = &self.notices {
            let live = Live { session: Arc::clone(&session), thread: None, shown: None, seat };
            sessions.live.insert(number, live);
            return notices.tell(Notice::Arrived(session, None));
        }
        let inner = Arc::clone(self);
        let served = Arc::clone(&session);
        let thread =
            std::thread::Builder::new().name(format!("carnet-{number}")).spawn(move || inner.serve(served));
        match thread {
            Ok(thread) => {
                sessions.live.insert(number, Live { session, thread: Some(thread), shown: None, seat });
            }
            Err(_) => {
                drop(sessions);
                session.farewell(&Failure::new(Kind::Refused, "the server has no thread left"));
            }
        }
    }

    /// Somebody from afar: a thread finds out who it is, and serves the session then.
    fn meet(self: &Arc<Self>, door: &Door, socket: OwnedFd) {
        let Ok(from) = address_of(&socket) else { return };
        let socket = Arc::new(socket);
        let Some(guest) = self.inside.guests.arrive(from, &socket, door.limits()) else {
            door.turned_away("there are too many strangers", from);
            return;
        };
        let number = next_session();
        let (inner, shared) = (Arc::clone(self), Arc::clone(&socket));
        // As in `start`: the entry must be there before its thread ends.
        let mut sessions = lock(&self.sessions);
        let thread = std::thread::Builder::new()
            .name(format!("carnet-{number}"))
            .spawn(move || inner.serve_stranger(number, shared, from, guest));
        if let Ok(thread) = thread {
            sessions.strangers.insert(number, Stranger { socket, thread: Some(thread) });
        }
    }

    fn serve_stranger(&self, number: u64, socket: Arc<OwnedFd>, from: IpAddr, mut guest: Guest) {
        // A panic of the host's, when it is asked who this is, ends this connection alone.
        let session = survived(|| self.let_in(number, socket, from, &mut guest)).flatten();
        let mut sessions = lock(&self.sessions);
        let thread = sessions.strangers.remove(&number).and_then(|stranger| stranger.thread);
        match session {
            // After this it would not be found by a shutdown.
            Some((session, shown, seat)) if !self.stopping.load(Ordering::Acquire) => {
                let shown = Some(shown);
                if let Some(notices) = &self.notices {
                    sessions.finished.extend(thread);
                    let live = Live { session: Arc::clone(&session), thread: None, shown, seat };
                    sessions.live.insert(number, live);
                    return notices.tell(Notice::Arrived(session, Some(guest)));
                }
                let live = Live { session: Arc::clone(&session), thread, shown, seat };
                sessions.live.insert(number, live);
                drop(sessions);
                self.serve(session);
            }
            session => {
                sessions.finished.extend(thread);
                drop(sessions);
                drop_quietly(session);
                drop(guest);
                self.tell_changed();
            }
        }
    }

    /// A session has ended, or the server ends.
    fn tell_changed(&self) {
        self.changed.notify_all();
        if let Some(notices) = self.notices.as_ref().filter(|_| self.stopping.load(Ordering::Acquire)) {
            notices.tell(Notice::Look);
        }
    }

    /// Ends sessions from afar whose clients are not admitted any more, until the server stops.
    fn recheck_all(&self) {
        let Some(door) = &self.inside.options.door else { return };
        let mut next = Instant::now() + door.limits().recheck;
        while !self.stopping.load(Ordering::Acquire) {
            let left = next.saturating_duration_since(Instant::now());
            if left.is_zero() {
                // A panic of the host's, when it is asked, ends nothing.
                survived(|| self.recheck(door));
                next = Instant::now() + door.limits().recheck;
                continue;
            }
            let sessions = lock(&self.sessions);
            if !self.stopping.load(Ordering::Acquire) {
                drop(self.changed.wait_timeout(sessions, left));
            }
        }
    }

    fn recheck(&self, door: &Door) {
        door.meanwhile();
        let shown: Vec<Shown> = lock(&self.sessions).live.values().filter_map(|live| live.shown).collect();
        if shown.is_empty() {
            return;
        }
        let withdrawn = door.withdrawn(&shown);
        let is_over = |live: &&Live| live.shown.is_some_and(|shown| withdrawn.contains(&shown));
        let over: Vec<Arc<Session>> = {
            let sessions = lock(&self.sessions);
            sessions.live.values().filter(is_over).map(|live| Arc::clone(&live.session)).collect()
        };
        // Without the lock: nobody is let in while it is held.
        over.iter().for_each(|session| session.hang_up());
    }

    /// A session for whoever is at the other end; `None` if it is not to have one, which it was told.
    fn let_in(
        &self,
        number: u64,
        socket: Arc<OwnedFd>,
        from: IpAddr,
        guest: &mut Guest,
    ) -> Option<(Arc<Session>, Shown, Seat)> {
        let door = self.inside.options.door.as_ref()?;
        let (link, principal, shown) = door.admit(socket, from)?;
        let (origin, label) = (Origin::Unknown, Labelled::not_yet());
        let caller = Caller { principal, session: number, origin, label };
        let seat = guest.known(door.limits()).and_then(|()| self.take_seat(&caller));
        let root = seat.and_then(|seat| Ok((self.root_for(&caller)?, seat)));
        let limits = ServerLimits {
            idle_timeout: Some(self.inside.options.limits.idle_timeout.unwrap_or(door.limits().idle_timeout)),
            ..self.inside.options.limits
        };
        let bounded = link.set_timeouts(limits.idle_timeout, Some(limits.write_timeout));
        match root {
            Ok((root, seat)) if bounded.is_ok() => {
                let session = Session::new(link, caller, root, limits, self.notices.clone());
                Some((Arc::new(session), shown, seat))
            }
            Ok(_) => None,
            Err(refusal) => {
                refuse(&link, &refusal);
                link.part();
                None
            }
        }
    }

    fn serve(&self, session: Arc<Session>) {
        let served = survived(|| {
            Worker::new(Arc::clone(&session), Arc::clone(&self.inside.options), self.inside.quotas.clone())
                .run();
        });
        if served.is_none() {
            session.farewell(&Failure::new(Kind::Internal, "the session broke: a bug of the server"));
        }
        self.ended(session);
    }

    /// Takes leave of a session.
    fn ended(&self, session: Arc<Session>) {
        // First: what is let go now answers nobody.
        session.hang_up();
        self.tell_entry(&session, |entry, session| entry.closed(session));
        session.drop_portals();
        let mut sessions = lock(&self.sessions);
        let live = sessions.live.remove(&session.caller().session);
        let earlier = std::mem::take(&mut sessions.finished);
        if let Some(Live { thread, seat, .. }) = live {
            sessions.finished.extend(thread);
            session.first_link().keep(seat);
        }
        drop(sessions);
        drop_quietly(session);
        join(earlier);
        self.tell_changed();
    }

    fn tell_entry(&self, session: &Session, tell: impl FnOnce(&dyn EntryPoint, &Session)) {
        if let Some(entry) = &self.inside.options.entry {
            // The session ends whatever the entry point does.
            survived(|| tell(&**entry, session));
        }
    }

    /// Ends what runs for the sessions that are left, and lets it answer what it has done.
    fn cancel_entries(&self) {
        if self.inside.options.entry.is_some() {
            for session in self.live_sessions() {
                self.tell_entry(&session, |entry, session| entry.cancel(session));
            }
            self.wait_until_empty(Instant::now() + CANCEL_GRACE);
        }
    }

    fn live_sessions(&self) -> Vec<Arc<Session>> {
        lock(&self.sessions).live.values().map(|live| Arc::clone(&live.session)).collect()
    }

    fn wait_until_empty(&self, deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        let sessions = lock(&self.sessions);
        let waited = self.changed.wait_timeout_while(sessions, left, |sessions| !sessions.is_empty());
        waited.unwrap_or_else(PoisonError::into_inner).0.is_empty()
    }

    fn join_finished(&self) {
        let finished = std::mem::take(&mut lock(&self.sessions).finished);
        join(finished);
    }
}

impl Host for Arc<Inner> {
    fn ended(&self, session: Arc<Session>) {
        Inner::ended(self, session);
    }

    fn is_over(&self) -> bool {
        self.stopping.load(Ordering::Acquire) && lock(&self.sessions).is_empty()
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> std::io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(run)
}

fn join(threads: Vec<JoinHandle<()>>) {
    for thread in threads {
        // Its panics were caught.
        let _ = thread.join();
    }
}

fn address_of(socket: &OwnedFd) -> Result<IpAddr, Errno> {
    let peer = rustix::net::getpeername(socket)?.ok_or(Errno::NOTCONN)?;
    Ok(SocketAddr::try_from(peer)?.ip())
}

fn reachable(place: &Place) -> Place {
    let is_anywhere = place.host.parse().is_ok_and(|address: IpAddr| address.is_unspecified());
    let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
    if is_anywhere { Place { host: machine, port: place.port } } else { place.clone() }
}

fn next_session() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
