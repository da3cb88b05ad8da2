//! Each program that ships for Linux calls is stopped after every single call, by every cause, beside the descriptors of its session, and
//! goes on: each call is made once, and what comes of it is what comes of an undisturbed run.

mod support;

use std::any::Any;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use carnet_idl::descriptor::{Effect, InterfaceId, Module};
use carnet_linux::linux::{self, System};
use carnet_linux::{Linux, SturdyLinux};
use carnet_portal::address::Address;
use carnet_portal::call::{Call, Caller, Failure, Kind, Object};
use carnet_portal::capability::Capability;
use carnet_portal::entry::{EntryPoint, EntryRequest};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::session::Session;
use carnet_program::beside::{Beside, Lost, Program, Runner};
use carnet_program::bill::Hash;
use carnet_program::client::{Asked, Client, Running};
use carnet_program::compile::compile;
use carnet_program::host::{Policy, Programs, Trees};
use carnet_program::limits::{LimitKind, LimitSource, Limits};
use carnet_program::protocol::{
    Argument, End, Engine, Outcome, Raise, Refusal, ResumeRequest, RunId, RunOptions, RunProgram, RunRequest,
};
use carnet_program::source::args::args;
use carnet_program::source::parse;
use carnet_program::tree::CapKind;
use carnet_programs::{ALL, ASK_UDP, Shipped};
use rustix::process::{Pid, Signal, kill_process};
use support::peer::{PATIENCE, Peer, peer};
use support::*;
use tempfile::TempDir;

const ID: RunId = RunId(77);

/// What happens around a slice in which one call is made: before it, which may keep it from being made, and behind it.
trait Around: Send + Sync + 'static {
    fn before(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn behind(&self) {}

    /// The process in which a session's runs are advanced; its root is `object`.
    fn beside(&self, _object: &Arc<dyn Object>, process: Arc<dyn Beside>) -> Arc<dyn Beside> {
        process
    }

    /// Told before the run.
    fn connect(&self, _served: &Served) {}
}

/// A session, with what happens around the slices that are advanced beside its descriptors.
struct Watched {
    object: Arc<dyn Object>,
    watch: Arc<Watch>,
}

/// What all sessions of a server have in common.
struct Watch {
    around: Arc<dyn Around>,
    /// The next slice is the first one since a run began or went on: no call is made in that.
    is_first: AtomicBool,
    /// The server writes down what runs do, or walks a tree: then they call from there, call by call, and are not advanced in slices.
    is_called_from_there: AtomicBool,
}

impl Object for Watched {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        self.object.interface()
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        if !self.watch.is_called_from_there.load(Ordering::SeqCst) {
            return self.object.dispatch(op, call);
        }
        self.watch.around.before()?;
        let dispatched = self.object.dispatch(op, call);
        self.watch.around.behind();
        dispatched
    }

    fn lend(&self, place: &mut dyn Any) {
        let Some(place) = place.downcast_mut::<Option<Arc<dyn Beside>>>() else {
            return self.object.lend(place);
        };
        self.object.lend(place);
        *place = place.take().map(|beside| {
            let beside = self.watch.around.beside(&self.object, beside);
            let watch = Arc::clone(&self.watch);
            Arc::new(Watching { beside, watch }) as Arc<dyn Beside>
        });
    }

    fn service(&self) -> &dyn Any {
        self.object.service()
    }
}

struct Watching {
    beside: Arc<dyn Beside>,
    watch: Arc<Watch>,
}

impl Beside for Watching {
    fn advance(&self, program: &Program<'_>, request: &[u8], interrupt: &AtomicU32) -> Result<Vec<u8>, Lost> {
        if self.watch.is_first.swap(false, Ordering::SeqCst) {
            return self.beside.advance(program, request, interrupt);
        }
        self.watch.around.before()?;
        let advanced = self.beside.advance(program, request, interrupt);
        self.watch.around.behind();
        advanced
    }
}

/// Leaves them alone.
struct Nothing;

impl Around for Nothing {}

/// Each call is refused once.
#[derive(Default)]
struct Refusing(AtomicBool);

impl Around for Refusing {
    fn before(&self) -> Result<(), Failure> {
        if self.0.fetch_not(Ordering::SeqCst) { Ok(()) } else { Err(Failure::new(Kind::Refused, "not now")) }
    }
}

/// Each call fails once, where it is made: its run is advanced by a runner of the same kind that the process has, which calls the
/// process call by call.
#[derive(Default)]
struct Failing(Arc<Refusing>);

impl Around for Failing {
    fn beside(&self, object: &Arc<dyn Object>, _process: Arc<dyn Beside>) -> Arc<dyn Beside> {
        let failing = FailingOnce { object: Arc::clone(object), refusing: Arc::clone(&self.0) };
        let runner = Runner::new(&[linux::module()], Arc::new(failing));
        Arc::new(Here(Mutex::new((runner, Vec::new()))))
    }
}

struct FailingOnce {
    object: Arc<dyn Object>,
    refusing: Arc<Refusing>,
}

impl Object for FailingOnce {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        self.object.interface()
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        self.refusing.before()?;
        self.object.dispatch(op, call)
    }

    fn service(&self) -> &dyn Any {
        self.object.service()
    }
}

/// A runner, and the programs that it has.
struct Here(Mutex<(Runner, Vec<Hash>)>);

impl Beside for Here {
    fn advance(&self, program: &Program<'_>, request: &[u8], interrupt: &AtomicU32) -> Result<Vec<u8>, Lost> {
        let (runner, programs) = &mut *self.0.lock().expect("nobody panics with it");
        if !programs.contains(program.hash) {
            runner.take(program.bytes).expect("it is verified");
            programs.push(*program.hash);
        }
        Ok(runner.advance(program.hash, request, interrupt, |_| false).expect("a request"))
    }
}

/// The run is cancelled from elsewhere behind each of its calls.
#[derive(Default)]
struct Cancelling(Mutex<Option<Client>>);

impl Around for Cancelling {
    fn behind(&self) {
        let client = self.0.lock().expect("nobody panics with it");
        assert!(client.as_ref().expect("it is connected").cancel(ID).expect("the server answers"));
    }

    fn connect(&self, served: &Served) {
        *self.0.lock().expect("nobody panics with it") = Some(served.client());
    }
}

/// Each call waits until it may return.
struct Waiting(SyncSender<()>, Mutex<Receiver<()>>);

impl Around for Waiting {
    fn behind(&self) {
        let Waiting(in_call, gone) = self;
        in_call.send(()).expect("the test waits");
        gone.lock().expect("nobody panics with it").recv().expect("the test goes on");
    }
}

/// Each call lasts until the time of the run is over.
struct Lasting(Duration);

impl Around for Lasting {
    fn behind(&self) {
        let began = Instant::now();
        while began.elapsed() < self.0 {
            thread::yield_now();
        }
    }
}

/// Behind its so many-th call the process of the session is killed.
struct Killing {
    calls_left: AtomicU64,
    process: AtomicU32,
}

impl Around for Killing {
    fn behind(&self) {
        if self.calls_left.fetch_sub(1, Ordering::SeqCst) == 1 {
            let process = Pid::from_raw(self.process.load(Ordering::SeqCst) as i32);
            kill_process(process.expect("a number"), Signal::KILL).expect("it is ours");
        }
    }
}

/// Programs, and how many sessions have ended for them.
struct Counted(Programs, Arc<AtomicU64>);

impl EntryPoint for Counted {
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

/// A server with Linux calls at a socket.
struct Served {
    dir: TempDir,
    policy: Policy,
    connect: Vec<u16>,
    bind: Vec<u16>,
    watch: Arc<Watch>,
    closed: Arc<AtomicU64>,
    /// How many servers were told to end.
    ending: Arc<AtomicU64>,
    service: Option<Linux>,
    programs: Option<Arc<Counted>>,
    server: Option<Server>,
}

impl Served {
    fn new(policy: Policy, program: Shipped, around: Arc<dyn Around>) -> (Served, Peer) {
        let dir = tempfile::tempdir().expect("a directory");
        let files = dir.path().join("files");
        std::fs::create_dir(&files).expect("it is made");
        let peer = peer(program, &files);
        let (is_first, is_called_from_there) = (AtomicBool::new(true), AtomicBool::new(false));
        let watch = Arc::new(Watch { around, is_first, is_called_from_there });
        let (connect, bind) = (peer.connect.clone(), peer.bind.clone());
        let (closed, ending) = (Arc::default(), Arc::default());
        let (service, programs, server) = (None, None, None);
        let mut served =
            Served { dir, policy, connect, bind, watch, closed, ending, service, programs, server };
        served.policy.trees = Trees::Taken;
        let programs = Programs::new(&[linux::module()], served.policy.clone());
        served.listen(programs);
        served.watch.around.connect(&served);
        (served, peer)
    }

    fn address(&self) -> Address {
        Address::Unix(self.dir.path().join("s"))
    }

    fn listen(&mut self, programs: Programs) {
        let mut rules = rules(&self.dir.path().join("files"));
        (rules.network.connect, rules.network.bind) = (self.connect.clone(), self.bind.clone());
        let service = Linux::serve(rules, starter()).expect("it is served");
        let entry = Arc::new(Counted(programs, Arc::clone(&self.closed)));
        let options = ServerOptions { entry: Some(Arc::clone(&entry) as _), ..ServerOptions::default() };
        let (sessions, watch) = (service.clone(), Arc::clone(&self.watch));
        let root = move |caller: &Caller| {
            let object = Watched { object: sessions.session(caller), watch: Arc::clone(&watch) };
            Ok(Capability::new(Arc::new(object)))
        };
        self.server = Some(Server::listen(&self.address(), options, root).expect("it listens"));
        (self.service, self.programs) = (Some(service), Some(entry));
    }

    fn client(&self) -> Client {
        Client::new(RemoteSession::connect(&self.address(), ConnectOptions::default()).expect("it is there"))
    }

    /// Processes of sessions.
    fn processes(&self) -> usize {
        self.service.as_ref().map_or(0, Linux::processes)
    }

    /// As `carnet serve` does when it is told to end; all processes end with it.
    fn end(&mut self) {
        self.programs.take().into_iter().for_each(|programs| programs.0.close());
        self.ending.fetch_add(1, Ordering::SeqCst);
        if let Some(server) = self.server.take() {
            server.shutdown(Instant::now() + Duration::from_secs(5));
        }
        let service = self.service.take();
        wait_until(|| service.as_ref().is_none_or(|service| service.processes() == 0));
    }

    /// Ends the server, and serves the same again, with what runs come to written down in `state`.
    fn restart(&mut self, state: &Path) {
        self.end();
        let modules = [linux::module()];
        // Threads of the one before may have its files for a moment longer.
        let programs = OnceCell::new();
        wait_until(|| {
            Programs::journalled(&modules, self.policy.clone(), state)
                .is_ok_and(|made| programs.set(made).is_ok())
        });
        let programs = programs.into_inner().expect("its files are as they were left");
        programs.sturdy_by(vec![Box::new(SturdyLinux)]);
        self.watch.is_called_from_there.store(true, Ordering::SeqCst);
        self.listen(programs);
    }

    fn begin(&self, client: &Client, program: Shipped, arguments: &[String], options: RunOptions) -> Running {
        self.watch.is_first.store(true, Ordering::SeqCst);
        let tree = parse(program.source, &[Arc::new(linux::module().clone())]).expect("it parses");
        let values = args(&tree, arguments).expect("good arguments");
        let bytes = compile(&tree).expect("it compiles").encode();
        let sent = tree.encode();
        let program = if options.engine == Engine::Tree {
            self.watch.is_called_from_there.store(true, Ordering::SeqCst);
            RunProgram::Tree(&sent)
        } else {
            RunProgram::Whole(&bytes)
        };
        let request = RunRequest {
            id: ID,
            options,
            name: "mine",
            approval: "",
            arguments: values.iter().map(Argument::from).collect(),
            program,
        };
        client.start(&request, &[]).expect("it is sent")
    }

    fn go_on(&self, client: &Client, stop: u32, options: RunOptions) -> Running {
        self.watch.is_first.store(true, Ordering::SeqCst);
        let request = ResumeRequest { options, ..ResumeRequest::new(ID, stop) };
        client.resume(&request).expect("it is sent")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.end();
    }
}

/// On its session's thread as far as it goes, or, with each call told, one call at a time.
const ASKED: RunOptions = RunOptions { dry: false, trace: false, engine: Engine::Any };
const TOLD: RunOptions = RunOptions { trace: true, ..ASKED };
/// The same as a tree, which is not advanced beside the descriptors.
const TREE: RunOptions = RunOptions { engine: Engine::Tree, ..TOLD };

/// What a run came to, in itself and on the other side.
#[derive(Debug, PartialEq)]
struct Came {
    result: Option<Vec<u8>>,
    wrote: BTreeMap<String, u64>,
    seen: Vec<String>,
}

/// Writing calls that took effect.
fn wrote(outcome: &Outcome) -> BTreeMap<String, u64> {
    let interface = &linux::module().interfaces[0];
    let writes = |name: &str| interface.operation(name).is_some_and(|(_, op)| op.effect == Effect::Writes);
    let calls = outcome.calls.iter().filter(|call| writes(&call.operation));
    calls.map(|call| (call.operation.to_string(), call.took_effect())).collect()
}

fn came(outcome: &Outcome, peer: Peer) -> Came {
    assert_eq!(outcome.end, End::Done);
    Came { result: outcome.result.clone(), wrote: wrote(outcome), seen: (peer.seen)() }
}

fn undisturbed(program: Shipped) -> (Came, u64) {
    let (served, peer) = Served::new(Policy::default(), program, Arc::new(Nothing));
    let client = served.client();
    let outcome = served.begin(&client, program, &peer.arguments, ASKED).wait(&mut |_| {});
    let outcome = outcome.expect("the server answers");
    let calls = outcome.receipt.calls;
    (came(&outcome, peer), calls)
}

/// Each program, what it comes to, and how many calls it makes; of one that asks again until there is an answer, at least.
fn each(check: impl Fn(Shipped, &Came, u64)) {
    let all: Vec<Shipped> =
        ALL.iter().copied().filter(|program| program.source.contains("\nuse linux\n")).collect();
    assert!(all.len() >= 8, "there are programs for Linux calls");
    for program in all {
        let (came, calls) = undisturbed(program);
        assert!(calls >= 4, "{} makes {calls} calls", program.file);
        check(program, &came, if program == ASK_UDP { 5 } else { calls });
    }
}

/// Runs a program to its end, however often it stops; what it came to, how each stop came about, and how many calls were made.
fn to_the_end(
    program: Shipped,
    policy: Policy,
    around: Arc<dyn Around>,
    options: RunOptions,
) -> (Came, Vec<End>, u64) {
    let (served, peer) = Served::new(policy, program, around);
    let client = served.client();
    let (mut running, mut stops) = (served.begin(&client, program, &peer.arguments, options), Vec::new());
    let mut asked = 0;
    loop {
        let outcome = running.wait(&mut |_| {}).expect("the server answers");
        let Some(kept) = outcome.kept else {
            assert_eq!(served.processes(), 1, "{}: that of its session", program.file);
            return (came(&outcome, peer), stops, outcome.receipt.calls);
        };
        asked += 1;
        assert!(asked < 5_000, "{} does not get on: {:?}", program.file, outcome.end);
        assert_eq!(kept.stop, asked, "{}", program.file);
        let mut request = ResumeRequest { options, ..ResumeRequest::new(ID, asked) };
        match outcome.end {
            // Calls that failed have used it up.
            End::Limit { kind, source: LimitSource::Header(_), .. } => request.raises.push(more_of(kind)),
            end => stops.push(end),
        }
        served.watch.is_first.store(true, Ordering::SeqCst);
        running = client.resume(&request).expect("it is sent");
    }
}

fn more_of(kind: LimitKind) -> Raise {
    let (kind, by) = match kind {
        LimitKind::Calls => (CapKind::Calls, 1),
        LimitKind::Writes => (CapKind::Writes, 1),
        LimitKind::Written => (CapKind::Written, 1 << 16),
        kind => panic!("nothing more of {kind:?}"),
    };
    Raise { kind, by }
}

#[test]
fn a_limit_after_each_call() {
    each(|program, expected, least| {
        for options in [ASKED, TREE] {
            let policy = Policy { limits: Limits { calls: 1, ..Limits::default() }, ..Policy::default() };
            let (came, stops, calls) = to_the_end(program, policy, Arc::new(Nothing), options);
            assert_eq!(came, *expected, "{}, {options:?}", program.file);
            assert!(calls >= least && stops.len() as u64 == calls - 1, "{}: {calls}", program.file);
            assert!(stops.iter().all(|end| matches!(end, End::Limit { kind: LimitKind::Calls, .. })));
        }
    });
}

#[test]
fn a_failure_before_each_call() {
    each(|program, expected, least| {
        let (came, stops, calls) =
            to_the_end(program, Policy::default(), Arc::new(Refusing::default()), TOLD);
        assert_eq!(came, *expected, "{}", program.file);
        let failed = End::CallFailed { message: "not now".to_owned(), raised: false };
        assert!(calls >= least && stops == vec![failed; calls as usize], "{}: {stops:?}", program.file);
    });
}

#[test]
fn a_failure_in_each_call() {
    each(|program, expected, least| {
        let around = Arc::new(Failing::default());
        let (came, stops, calls) = to_the_end(program, Policy::default(), around, ASKED);
        assert_eq!(came, *expected, "{}", program.file);
        let failed = End::CallFailed { message: "not now".to_owned(), raised: false };
        // One that failed is counted, and so is the one that was made then.
        assert!(
            calls >= 2 * least && stops == vec![failed; calls as usize / 2],
            "{}: {stops:?}",
            program.file
        );
    });
}

#[test]
fn a_cancellation_in_each_call() {
    each(|program, expected, least| {
        for options in [TOLD, TREE] {
            let around = Arc::new(Cancelling::default());
            let (came, stops, calls) = to_the_end(program, Policy::default(), around, options);
            assert_eq!(came, *expected, "{}, {options:?}", program.file);
            assert!(calls >= least && stops.iter().all(|end| *end == End::Cancelled), "{stops:?}");
            assert!(stops.len() as u64 + 1 >= calls, "{}: {} stops", program.file, stops.len());
        }
    });
}

/// The client that waits is gone before the call returns, and its session with it; another lets the run go on.
#[test]
fn a_lost_connection_in_each_call() {
    each(|program, expected, _| {
        let ((in_call, called), (leave, gone)) = (sync_channel(1), sync_channel(1));
        let around = Waiting(in_call, Mutex::new(gone));
        let (served, peer) = Served::new(Policy::default(), program, Arc::new(around));
        let asking = served.client();
        let mut stops = 0;
        let outcome = loop {
            let client = served.client();
            let running = match stops {
                0 => served.begin(&client, program, &peer.arguments, TOLD),
                stop => served.go_on(&client, stop, TOLD),
            };
            // Behind the last call nothing is interrupted.
            let Ok(()) = called.recv_timeout(PATIENCE) else { panic!("{}: no call is made", program.file) };
            let before = served.closed.load(Ordering::SeqCst);
            drop((running, client));
            wait_until(|| served.closed.load(Ordering::SeqCst) > before);
            leave.send(()).expect("the call waits");
            let asked = || asking.ask(ID).expect("the server answers");
            wait_until(|| asked() != Asked::Running);
            let Asked::Ended(outcome) = asked() else { panic!("{}: it is known", program.file) };
            match outcome.kept {
                Some(kept) => stops = kept.stop,
                None => break outcome,
            }
            assert_eq!(outcome.end, End::Cancelled, "{}", program.file);
            assert_eq!(served.processes(), 1, "{}: that which the run holds", program.file);
        };
        assert_eq!(came(&outcome, peer), *expected, "{}", program.file);
        wait_until(|| served.processes() == 0);
    });
}

/// Each call lasts until the time of the run is over, or is interrupted by that where it waits.
#[test]
fn a_deadline_in_each_call() {
    each(|program, expected, least| {
        let time = Duration::from_millis(20);
        let limits = Limits { time_ns: time.as_nanos() as u64, ..Limits::default() };
        let policy = Policy { limits, ..Policy::default() };
        let (came, stops, calls) = to_the_end(program, policy, Arc::new(Lasting(time)), TOLD);
        assert!(stops.iter().all(|end| matches!(end, End::Limit { kind: LimitKind::Time, .. })), "{stops:?}");
        assert_eq!(came, *expected, "{}", program.file);
        assert!(calls >= least && stops.len() as u64 + 1 >= least, "{}: {} stops", program.file, stops.len());
    });
}

/// The process of the session is killed behind each call: what is said was done is what was, and the run is over.
#[test]
fn a_process_that_dies_behind_each_call() {
    each(|program, expected, calls| {
        for call in 1..calls {
            let around = Arc::new(Killing { calls_left: AtomicU64::new(call), process: AtomicU32::new(0) });
            let (served, peer) = Served::new(Policy::default(), program, Arc::clone(&around) as _);
            let client = served.client();
            let system = System::from_portal(client.transport().root());
            around.process.store(system.getpid().expect("it lives") as u32, Ordering::SeqCst);
            let running = served.begin(&client, program, &peer.arguments, TOLD);
            let outcome = running.wait(&mut |_| {}).expect("the server answers");
            let (End::CallInDoubt { message } | End::CallFailed { message, .. }) = &outcome.end else {
                panic!("{}, {call}: {:?}", program.file, outcome.end);
            };
            assert!(message.contains("was killed by signal 9"), "{}, {call}: {message}", program.file);
            assert_eq!(outcome.receipt.calls, call, "{}", program.file);
            let wrote = wrote(&outcome);
            assert!(wrote.iter().all(|(name, count)| *count <= expected.wrote[name]), "{}", program.file);
            assert_eq!(served.processes(), 0, "{}", program.file);
        }
    });
}

/// The server is told to end while each call is under way: the call is done, the run is stopped behind it, and the next server says
/// why it does not go on: its descriptors were in a process that has ended. Nothing is begun for it, and nothing is done again.
#[test]
fn a_shutdown_in_each_call() {
    each(|program, expected, calls| {
        // Behind the last call nothing is interrupted.
        for call in 1..calls {
            let ((in_call, called), (leave, gone)) = (sync_channel(1), sync_channel(1));
            let around = Waiting(in_call, Mutex::new(gone));
            let (mut served, peer) = Served::new(Policy::default(), program, Arc::new(around));
            let state = served.dir.path().join("state");
            served.restart(&state);
            let client = served.client();
            let running = served.begin(&client, program, &peer.arguments, TOLD);
            for _ in 1..call {
                called
                    .recv_timeout(PATIENCE)
                    .unwrap_or_else(|_| panic!("{}: call {call} is not made", program.file));
                leave.send(()).expect("the call waits");
            }
            called
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|_| panic!("{}: call {call} is not made", program.file));
            let ending = Arc::clone(&served.ending);
            let before = ending.load(Ordering::SeqCst);
            let outcome = thread::scope(|scope| {
                let told = scope.spawn(|| {
                    wait_until(|| ending.load(Ordering::SeqCst) > before);
                    leave.send(()).expect("the call waits");
                    let outcome = running.wait(&mut |_| {}).expect("it is told before the server is gone");
                    drop(client);
                    outcome
                });
                served.restart(&state);
                told.join().expect("nobody panics")
            });
            assert_eq!((&outcome.end, outcome.receipt.calls), (&End::Cancelled, call), "{}", program.file);
            let wrote = wrote(&outcome);
            assert!(wrote.iter().all(|(name, count)| *count <= expected.wrote[name]), "{}", program.file);
            says_why_it_does_not_go_on(&served, program, &outcome, 1);
            assert!(called.try_recv().is_err(), "{}: no call is made again", program.file);
        }
    });
}

/// The server knows the outcome, but does not let the run go on; it says why.
fn says_why_it_does_not_go_on(served: &Served, program: Shipped, outcome: &Outcome, stop: u32) {
    let client = served.client();
    for _ in 0..2 {
        let Asked::Ended(told) = client.ask(ID).expect("the server answers") else {
            panic!("{}: it is known", program.file);
        };
        // A server that began since has tried to find again what it holds.
        let why = told.cannot_go_on.clone();
        let is_told =
            why.as_ref().is_some_and(|why| why.contains("a session's process, which ends with the server"));
        assert!(is_told || outcome.kept.is_some(), "{}: {why:?}", program.file);
        let kept = if is_told { None } else { outcome.kept };
        assert_eq!(*told, Outcome { kept, cannot_go_on: why, ..outcome.clone() }, "{}", program.file);
        let listed = client.runs().expect("the server answers").len();
        assert_eq!(listed, usize::from(kept.is_some()), "{}: what was said", program.file);
        let resumed = served.go_on(&client, stop, ASKED).wait(&mut |_| {});
        let End::Refused(Refusal::CannotGoOn(why)) = resumed.expect("the server answers").end else {
            panic!("{}: its descriptors are gone", program.file);
        };
        assert!(why.contains("a session's process, which ends with the server"), "{why}");
        assert_eq!(served.processes(), 0, "{}: nothing was begun for it", program.file);
    }
}

/// After each call the server is another one: the run's outcome is known there, and it says why the run does not go on.
#[test]
fn another_server_after_each_call() {
    each(|program, _, calls| {
        let policy = Policy { limits: Limits { calls: 1, ..Limits::default() }, ..Policy::default() };
        for stop in 1..calls {
            let (mut served, peer) = Served::new(policy.clone(), program, Arc::new(Nothing));
            let state = served.dir.path().join("state");
            served.restart(&state);
            let client = served.client();
            let mut running = served.begin(&client, program, &peer.arguments, ASKED);
            for before in 1..stop {
                let outcome = running.wait(&mut |_| {}).expect("the server answers");
                assert_eq!(outcome.kept.map(|kept| u64::from(kept.stop)), Some(before), "{}", program.file);
                running = served.go_on(&client, before as u32, ASKED);
            }
            let outcome = running.wait(&mut |_| {}).expect("the server answers");
            assert_eq!(outcome.receipt.calls, stop, "{}", program.file);
            drop(client);
            served.restart(&state);
            says_why_it_does_not_go_on(&served, program, &outcome, stop as u32);
        }
    });
}
