//! A service that only this test knows: its descriptor is compiled of a text, its dispatch is written by hand.

use std::any::Any;
use std::panic::panic_any;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::time::{Duration, Instant};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Area, Call, Caller, Failure, Kind, Object, Ref};
use carnet_portal::capability::{Capability, Grant};
use carnet_portal::entry::{EntryPoint, EntryRequest};
use carnet_portal::meter::Meter;
use carnet_portal::portal::{Block, Input, OpNumber, Portal};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions, Threads};
use carnet_portal::session::{ServerLimits, Session};
use carnet_portal::sturdy::Sturdy;
use carnet_program::bytecode::Program;
use carnet_program::client::Client;
use carnet_program::compile::compile;
use carnet_program::host::{Clock, HOP_AFTER, JournalError, Policy, Programs};
use carnet_program::source::parse;
use rustix::thread::gettid;

const INTERFACE: &str = r#"
module probe {
  enum Reason { no };
  exception Error { Reason kind; string<100> message; };
  interface Probe {
    @reads @argument Probe named(in string<100> text) raises (Error);
    @reads long long get(in long long a, in long long b, in long long c);
    long long add(in long long n);
    @reads @blocks long long wait();
    @reads long long panics();
    @reads long long same(in Probe other);
    @reads long long stall(in long long n) raises (Error);
    @reads @blocks long long block(in long long n) raises (Error);
    @cost(bytes = n) long long copy(in long long n);
    @blocks long long put(in string<100> text, in long long how) raises (Error);
    @idempotent long long set(in long long n);
    @blocks void mark(inout string<40> text, inout long long how) raises (Error);
    /// So many bytes.
    @reads sequence<octet, 40000> data(in long long n) raises (Error);
    /// The same, and no numbers.
    @reads sequence<octet, 40000> piece(in long long n, out sequence<long long, 8> numbers) raises (Error);
    @reads @once long long next(in long long n);
  };
};
"#;

pub(crate) static MODULE: LazyLock<Module> =
    LazyLock::new(|| carnet_idl::compile_str("probe.idl", INTERFACE).expect("the interface compiles"));

/// Counts what is done to it.
#[derive(Debug, Default)]
pub(crate) struct Probe {
    reads: AtomicU64,
    /// The thread that called `get` last.
    reader: AtomicI32,
    writes: AtomicU64,
    waiting: AtomicBool,
    stalling: AtomicBool,
    sticking: AtomicBool,
    /// Calls of `block` that do nothing do not wait, as far as it says.
    ready: AtomicBool,
    gone: AtomicU64,
    /// How often it was said that a kept run holds it.
    kept: AtomicU64,
    /// What tells it from others.
    identity: AtomicU64,
    /// Nobody has its objects again.
    is_gone: AtomicBool,
    /// Finding an object of its takes until it is let go.
    finds_slowly: AtomicBool,
    gate: Mutex<bool>,
    opened: Condvar,
    /// Why the answers of the next calls of `get`, `add`, `set` and `mark` are lost, the first one last.
    lost: Mutex<Vec<Option<Kind>>>,
    /// Of the thread of each call of `stall`.
    threads: Mutex<Vec<String>>,
}

impl Probe {
    pub(crate) fn writes(&self) -> u64 {
        self.writes.load(Ordering::SeqCst)
    }

    pub(crate) fn kept(&self) -> u64 {
        self.kept.load(Ordering::SeqCst)
    }

    /// Whether a program has called `get`: it is past everything that could refuse it.
    pub(crate) fn was_read(&self) -> bool {
        self.reads.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn reads(&self) -> u64 {
        self.reads.load(Ordering::Relaxed)
    }

    /// Whether the thread that called `get` last sleeps: it waits for something, and not only for its turn.
    pub(crate) fn reader_sleeps(&self) -> bool {
        let thread = self.reader.load(Ordering::Relaxed);
        let stat =
            std::fs::read_to_string(format!("/proc/self/task/{thread}/stat")).expect("the thread is there");
        stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('S'))
    }

    pub(crate) fn waiting(&self) -> bool {
        self.waiting.load(Ordering::SeqCst)
    }

    /// Whether a call of `stall` or `block` waits.
    pub(crate) fn stalling(&self) -> bool {
        self.stalling.load(Ordering::SeqCst)
    }

    /// Whether a thread that lets a sticky object go is held.
    pub(crate) fn sticking(&self) -> bool {
        self.sticking.load(Ordering::SeqCst)
    }

    /// How many sticky objects are gone.
    pub(crate) fn gone(&self) -> u64 {
        self.gone.load(Ordering::SeqCst)
    }

    /// From now on it says that calls of `block` that do nothing do not wait.
    pub(crate) fn is_ready(&self) {
        self.ready.store(true, Ordering::SeqCst);
    }

    /// The threads that called `stall` or `block`, in order.
    pub(crate) fn threads(&self) -> Vec<String> {
        self.threads.lock().expect("nobody panics with it").clone()
    }

    /// The call of `get`, `next`, `add`, `set` or `mark` after the next one is done, and its answer lost.
    pub(crate) fn lose_second(&self, why: Kind) {
        *self.lost.lock().expect("nobody panics with it") = vec![Some(why), None];
    }

    /// The same of each of the next calls, in their order.
    pub(crate) fn lose(&self, why: &[Option<Kind>]) {
        *self.lost.lock().expect("nobody panics with it") = why.iter().rev().copied().collect();
    }

    fn answer(&self) -> Result<(), Failure> {
        match self.lost.lock().expect("nobody panics with it").pop().flatten() {
            Some(why) => Err(Failure::new(why, "nobody answered")),
            None => Ok(()),
        }
    }

    /// From now on it is another one.
    pub(crate) fn is_now(&self, identity: u64) {
        self.identity.store(identity, Ordering::SeqCst);
    }

    /// From now on it is gone, as far as it says itself.
    pub(crate) fn is_gone(&self) {
        self.is_gone.store(true, Ordering::SeqCst);
    }

    /// From now on its objects are found only when it is let go.
    pub(crate) fn finds_slowly(&self) {
        self.finds_slowly.store(true, Ordering::SeqCst);
    }

    pub(crate) fn let_go(&self) {
        *self.gate.lock().expect("nobody panics with it") = true;
        self.opened.notify_all();
    }

    fn wait(&self, waiting: &AtomicBool) {
        waiting.store(true, Ordering::SeqCst);
        let gate = self.gate.lock().expect("nobody panics with it");
        let waited = self.opened.wait_timeout_while(gate, Duration::from_secs(30), |open| !*open);
        assert!(*waited.expect("nobody panics with it").0, "nobody let the call go");
    }
}

/// What a call of `stall` or `block` does.
pub(crate) mod stall {
    /// Takes longer than a run may stay on its session's thread.
    pub(crate) const SLOW: u64 = 1;
    /// Waits until it is let go.
    pub(crate) const WAIT: u64 = 2;
    /// Waits until it is let go, then raises.
    pub(crate) const FAIL: u64 = 3;
}

impl Probe {
    fn stall(&self, how: u64) -> Result<(), Failure> {
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        self.threads.lock().expect("nobody panics with it").push(name);
        match how {
            stall::SLOW => {
                let began = Instant::now();
                while began.elapsed() <= HOP_AFTER {
                    std::hint::spin_loop();
                }
            }
            stall::WAIT => self.wait(&self.stalling),
            stall::FAIL => {
                self.wait(&self.stalling);
                return Err(Failure::raised(0, "as the test asked it to".into()));
            }
            _ => {}
        }
        Ok(())
    }
}

struct Root(Arc<Probe>);

fn root(probe: &Arc<Probe>) -> Capability {
    Capability::new(Arc::new(Root(Arc::clone(probe))))
}

impl Object for Root {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (&MODULE, InterfaceId(0))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let probe = &self.0;
        match op {
            0 if matches!(call.areas.string(call.words[0], 100)?, b"me" | b"myself") => {
                call.words[1] = call.make(Arc::new(Root(Arc::clone(probe))));
            }
            0 if call.areas.string(call.words[0], 100)? == b"brittle" => {
                call.words[1] = call.make(Arc::new(Brittle));
            }
            0 if call.areas.string(call.words[0], 100)? == b"many brittle" => {
                (0..3).for_each(|_| call.words[1] = call.make(Arc::new(Brittle)));
            }
            0 if call.areas.string(call.words[0], 100)? == b"sticky" => {
                call.words[1] = call.make(Arc::new(Sticky(Arc::clone(probe))));
            }
            0 if call.areas.string(call.words[0], 100)? == b"explosive" => {
                call.words[1] = call.make(Arc::new(Explosive));
            }
            // The first time it waits until it is let go, and then there is nobody.
            0 if call.areas.string(call.words[0], 100)? == b"later" && probe.stalling() => {
                call.words[1] = call.make(Arc::new(Root(Arc::clone(probe))));
            }
            0 if call.areas.string(call.words[0], 100)? == b"later" => probe.stall(stall::FAIL)?,
            0 if call.areas.string(call.words[0], 100)? == b"explode" => panic_any(Bomb(2)),
            0 if call.areas.string(call.words[0], 100)? == b"panic" => panic!("as the test asked it to"),
            0 => return Err(Failure::raised(0, "there is nobody of that name".into())),
            1 => {
                probe.reader.store(gettid().as_raw_nonzero().get(), Ordering::Relaxed);
                probe.reads.fetch_add(1, Ordering::Relaxed);
                call.words[3] = 0;
                probe.answer()?;
            }
            14 => {
                probe.reads.fetch_add(1, Ordering::Relaxed);
                call.words[1] = call.words[0];
                probe.answer()?;
            }
            2 | 10 => {
                probe.writes.fetch_add(1, Ordering::SeqCst);
                call.words[1] = call.words[0];
                probe.answer()?;
            }
            3 => {
                probe.wait(&probe.waiting);
                call.words[0] = 7;
            }
            4 => panic!("the test's service panics, as it was asked to"),
            5 => {
                call.portal(call.words[0], "probe", "Probe")?;
                call.words[1] = 1;
            }
            6 | 7 => {
                probe.stall(call.words[0])?;
                call.words[1] = call.words[0];
            }
            8 => {
                probe.writes.fetch_add(1, Ordering::SeqCst);
                call.words[1] = call.words[0];
            }
            9 => {
                probe.stall(call.words[1])?;
                call.words[2] = probe.writes.fetch_add(1, Ordering::SeqCst) + 1;
            }
            11 => {
                // What was sent is gone from its area before anything can fail.
                let mut text = call.areas.string(call.words[0], 40)?.to_vec();
                let area = call.areas.take(call.words[0])?;
                probe.writes.fetch_add(1, Ordering::SeqCst);
                probe.stall(call.words[1])?;
                probe.answer()?;
                text.push(b'!');
                call.words[0] = call.areas.put(call.words[0], Area { bytes: text, ..area })?;
                call.words[1] = 0;
            }
            12 | 13 => {
                let mut area = call.areas.take(call.words[1])?;
                area.bytes.resize(call.words[0] as usize, b'x');
                call.words[1] = call.areas.put(call.words[1], area)?;
            }
            _ => return Err(Failure::bad_argument("no such operation")),
        }
        Ok(())
    }

    fn is_ready(&self, op: u16, _: &Caller, words: &[u64], within: Duration) -> bool {
        op == 7 && words == [0] && within <= HOP_AFTER && self.0.ready.load(Ordering::SeqCst)
    }

    fn service(&self) -> &dyn Any {
        &self.0
    }
}

/// Names probes, and nothing else.
struct Probes;

impl Sturdy for Probes {
    fn module(&self) -> &'static Module {
        &MODULE
    }

    fn identity(&self, root: &dyn Object) -> Result<Vec<u8>, String> {
        let probe = root.service().downcast_ref::<Arc<Probe>>().ok_or("is no probe")?;
        Ok(probe.identity.load(Ordering::SeqCst).to_le_bytes().to_vec())
    }

    fn name(&self, _: &dyn Object, object: &dyn Object) -> Result<Vec<u8>, String> {
        match object.service().downcast_ref::<Arc<Probe>>() {
            Some(_) => Ok(b"a probe".to_vec()),
            None => Err("is brittle".to_owned()),
        }
    }

    fn keep(&self, object: &dyn Object, _at_most: Duration) {
        if let Some(probe) = object.service().downcast_ref::<Arc<Probe>>() {
            probe.kept.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn gone(&self, object: &dyn Object) -> Option<String> {
        let probe = object.service().downcast_ref::<Arc<Probe>>()?;
        probe.is_gone.load(Ordering::SeqCst).then(|| "is gone with its process".to_owned())
    }

    fn find(&self, root: &dyn Object, name: &[u8], _: &Caller) -> Result<Arc<dyn Object>, String> {
        let probe = root.service().downcast_ref::<Arc<Probe>>().ok_or("is no root")?;
        if probe.finds_slowly.load(Ordering::SeqCst) {
            probe.wait(&probe.stalling);
        }
        if name == b"a probe" { Ok(Arc::new(Root(Arc::clone(probe)))) } else { Err("is nobody".to_owned()) }
    }
}

/// Thrown by a service; throws so many more at its end.
struct Bomb(u8);

impl Drop for Bomb {
    fn drop(&mut self) {
        if self.0 > 0 {
            panic_any(Bomb(self.0 - 1));
        }
    }
}

/// Throws what throws again, in each call.
struct Explosive;

impl Object for Explosive {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (&MODULE, InterfaceId(0))
    }

    fn dispatch(&self, _op: u16, _call: &mut Call<'_>) -> Result<(), Failure> {
        panic_any(Bomb(2));
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// Panics when it is let go, with what throws again.
struct Brittle;

impl Drop for Brittle {
    fn drop(&mut self) {
        panic_any(Bomb(2));
    }
}

impl Object for Brittle {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (&MODULE, InterfaceId(0))
    }

    fn dispatch(&self, _op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        call.words[0] = 7;
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// Holds the thread that lets it go until it is told, or for 30 s.
struct Sticky(Arc<Probe>);

impl Drop for Sticky {
    fn drop(&mut self) {
        let Sticky(probe) = self;
        probe.sticking.store(true, Ordering::SeqCst);
        let gate = probe.gate.lock().expect("nobody panics with it");
        let held = probe.opened.wait_timeout_while(gate, Duration::from_secs(30), |open| !*open);
        probe.sticking.store(false, Ordering::SeqCst);
        probe.gone.fetch_add(1, Ordering::SeqCst);
        drop(held);
    }
}

impl Object for Sticky {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (&MODULE, InterfaceId(0))
    }

    fn dispatch(&self, _op: u16, _call: &mut Call<'_>) -> Result<(), Failure> {
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// The host, kept by the test, too, and how many sessions have ended for it.
struct Shared(Arc<Programs>, Arc<AtomicU64>);

impl EntryPoint for Shared {
    fn handle(&self, request: EntryRequest<'_>) {
        self.0.handle(request);
    }

    fn closed(&self, session: &Session) {
        self.0.closed(session);
        self.1.fetch_add(1, Ordering::SeqCst);
    }

    fn cancel(&self, session: &Session) {
        self.0.cancel(session);
    }
}

/// A server in a directory of its own.
pub(crate) struct Fixture {
    pub(crate) probe: Arc<Probe>,
    pub(crate) programs: Arc<Programs>,
    closed: Arc<AtomicU64>,
    grant: Grant,
    seconds: Arc<AtomicU64>,
    pace: Arc<AtomicU64>,
    _server: Server,
    address: Address,
    directory: PathBuf,
}

/// The tests of `host_shared` are the same, with clients that share memory with the server.
fn address(path: std::path::PathBuf) -> Address {
    if env!("CARGO_CRATE_NAME").ends_with("_shared") { Address::Shared(path) } else { Address::Unix(path) }
}

static FIXTURES: AtomicU64 = AtomicU64::new(0);

impl Fixture {
    pub(crate) fn new(policy: Policy) -> Fixture {
        Fixture::with_limits(policy, ServerLimits::default())
    }

    pub(crate) fn with_limits(policy: Policy, limits: ServerLimits) -> Fixture {
        Fixture::make(limits, |clock| Programs::with_clock(&[&MODULE], policy, clock))
    }

    /// A server with one loop over all clients.
    pub(crate) fn with_one_loop(policy: Policy) -> Fixture {
        let programs = |clock| Programs::with_clock(&[&MODULE], policy, clock);
        Fixture::on(Threads::Loop, ServerLimits::default(), programs)
    }

    /// A server that writes down in this directory what runs do. One before it lets go of the directory when the last of its threads
    /// has ended, which is waited for.
    pub(crate) fn journalled(policy: Policy, dir: &Path) -> Fixture {
        let deadline = Instant::now() + Duration::from_secs(20);
        let programs = loop {
            match Fixture::try_journalled(policy.clone(), dir) {
                Err(JournalError::InUse) if Instant::now() < deadline => std::thread::yield_now(),
                made => break made.expect("its files are as they were left"),
            }
        };
        Fixture::make(ServerLimits::default(), |_| programs)
    }

    /// The same, and its probes are found again by the next one.
    pub(crate) fn sturdy(policy: Policy, dir: &Path) -> Fixture {
        let fixture = Fixture::journalled(policy, dir);
        fixture.programs.sturdy_by(vec![Box::new(Probes)]);
        fixture
    }

    /// One that writes nothing down, and could find its probes.
    pub(crate) fn plain_sturdy() -> Fixture {
        Fixture::plain_sturdy_with(Policy::default())
    }

    pub(crate) fn plain_sturdy_with(policy: Policy) -> Fixture {
        let fixture = Fixture::new(policy);
        fixture.programs.sturdy_by(vec![Box::new(Probes)]);
        fixture
    }

    pub(crate) fn try_journalled(policy: Policy, dir: &Path) -> Result<Programs, JournalError> {
        Programs::journalled(&[&MODULE], policy, dir)
    }

    fn make(limits: ServerLimits, programs: impl FnOnce(Clock) -> Programs) -> Fixture {
        Fixture::on(Threads::default(), limits, programs)
    }

    /// A server whose root is made of the probe's.
    pub(crate) fn behind(policy: Policy, wrap: impl FnOnce(Capability) -> Capability) -> Fixture {
        let programs = |clock| Programs::with_clock(&[&MODULE], policy, clock);
        Fixture::of(Threads::default(), ServerLimits::default(), programs, wrap)
    }

    fn on(threads: Threads, limits: ServerLimits, programs: impl FnOnce(Clock) -> Programs) -> Fixture {
        Fixture::of(threads, limits, programs, |root| root)
    }

    fn of(
        threads: Threads,
        limits: ServerLimits,
        programs: impl FnOnce(Clock) -> Programs,
        wrap: impl FnOnce(Capability) -> Capability,
    ) -> Fixture {
        let number = FIXTURES.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("carnet-host-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a directory of our own");
        let address = address(directory.join("s"));
        let probe = Arc::new(Probe::default());
        let (began, seconds) = (Instant::now(), Arc::new(AtomicU64::new(0)));
        let (told, pace) = (Arc::clone(&seconds), Arc::new(AtomicU64::new(0)));
        let step = Arc::clone(&pace);
        let clock = Arc::new(move || {
            let seconds = told.fetch_add(step.load(Ordering::SeqCst), Ordering::SeqCst);
            began + Duration::from_secs(seconds)
        });
        let programs = Arc::new(programs(clock));
        let closed = Arc::new(AtomicU64::new(0));
        let root = wrap(root(&probe));
        let grant = root.grant().clone();
        let options = ServerOptions {
            name: "probe".into(),
            limits,
            threads,
            entry: Some(Arc::new(Shared(Arc::clone(&programs), Arc::clone(&closed)))),
            meter: Some(Arc::clone(&programs) as Arc<dyn Meter>),
            ..ServerOptions::default()
        };
        let server = Server::listen(&address, options, move |_| Ok(root.clone())).expect("it listens");
        Fixture { probe, programs, closed, grant, seconds, pace, _server: server, address, directory }
    }

    /// Sessions whose end the host has heard of.
    pub(crate) fn closed(&self) -> u64 {
        self.closed.load(Ordering::SeqCst)
    }

    /// From now on the clock of allowances goes on by so much whenever somebody looks at it.
    pub(crate) fn pace(&self, seconds: u64) {
        self.pace.store(seconds, Ordering::SeqCst);
    }

    /// The clock of allowances stands until this is called.
    pub(crate) fn pass(&self, seconds: u64) {
        self.seconds.fetch_add(seconds, Ordering::SeqCst);
    }

    pub(crate) fn client(&self) -> Client {
        let options =
            ConnectOptions { call_timeout: Some(Duration::from_secs(60)), ..ConnectOptions::default() };
        self.client_with(options)
    }

    pub(crate) fn client_with(&self, options: ConnectOptions) -> Client {
        Client::new(RemoteSession::connect(&self.address, options).expect("the server is there"))
    }

    /// The root object, for another server.
    pub(crate) fn root(&self) -> Capability {
        root(&self.probe)
    }

    /// A portal that a call made.
    pub(crate) fn made(&self, root: &Portal) -> Portal {
        let text = b"me";
        let mut words = [Ref::new(0, 0, text.len()).expect("it is short").0, 0];
        let inputs = [Input::Bytes(text)];
        let mut block =
            Block { words: &mut words, inputs: &inputs, outputs: &mut [], portals: &[], made: Vec::new() };
        let number = OpNumber { module: &MODULE, interface: InterfaceId(0), op: 0 };
        root.call(number, &mut block).expect("the server answers");
        block.made.remove(0)
    }

    /// One call of an operation with a number and a result.
    pub(crate) fn call(&self, client: &Client, op: u16, n: u64) -> Result<u64, Failure> {
        let mut words = [n, 0];
        let mut block =
            Block { words: &mut words, inputs: &[], outputs: &mut [], portals: &[], made: Vec::new() };
        let number = OpNumber { module: &MODULE, interface: InterfaceId(0), op };
        client.transport().root().call(number, &mut block)?;
        Ok(words[1])
    }

    pub(crate) fn revoke(&self) {
        self.grant.revoke();
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        self.programs.close();
        // The socket is the server's to remove; what is left goes with the directory.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// A program's source, compiled.
pub(crate) fn parsed(source: &str) -> Program {
    let text = format!("use probe\n{}", source.trim_start());
    let tree = match parse(&text, &[Arc::new(MODULE.clone())]) {
        Ok(tree) => tree,
        Err(faults) => panic!("{}", carnet_idl::diagnostic::render("test", &text, &faults)),
    };
    compile(&tree).expect("it fits")
}

pub(crate) fn program(source: &str) -> Vec<u8> {
    parsed(source).encode()
}

/// Waits for something that another thread does, for 30 s at most.
pub(crate) fn wait_until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(30), "it never happened");
        std::thread::yield_now();
    }
}
