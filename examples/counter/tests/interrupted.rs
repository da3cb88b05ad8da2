//! The example's program is stopped after every single call, by every cause, in every engine, and goes on: each counter is raised once.
//!
//! Counters cannot be found again by the next server, which keeps nothing of them: there the run is refused, with the reason.

#[path = "../src/service.rs"]
mod service;

/// Stubs of the interface `counter.idl`.
pub mod counter {
    include!(concat!(env!("OUT_DIR"), "/counter.rs"));
}

use std::any::Any;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use carnet_codegen::Translator;
use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Call, Caller, Failure, Kind, Object};
use carnet_portal::capability::Capability;
use carnet_portal::entry::{EntryPoint, EntryRequest};
use carnet_portal::local::LocalSession;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::session::Session;
use carnet_program::client::{Asked, Client, Running};
use carnet_program::host::{Policy, Programs, Trees};
use carnet_program::limits::{LimitKind, Limits};
use carnet_program::protocol::{
    Argument, End, Engine, Outcome, Refusal, ResumeRequest, RunId, RunOptions, RunProgram, RunRequest,
};
use carnet_program::{compile, source};
use tempfile::TempDir;

const ID: RunId = RunId(7);
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the run may take in [`Cause::Deadline`].
const TIME: Duration = Duration::from_millis(10);
/// A list, and two calls for each of the three counters.
const CALLS: u64 = 7;
const NAMES: [&str; 3] = ["mail.sent", "web.errors", "web.hits"];

/// What stops the run in, or behind, each of its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Limit,
    Failure,
    Cancelled,
    Deadline,
    LostConnection,
    Shutdown,
}

/// A call is under way, and waits until it may return.
struct Waits {
    called: Sender<()>,
    leave: Mutex<Receiver<()>>,
}

/// An object, with what happens around its calls and those of all objects that they make.
struct Watched {
    object: Arc<dyn Object>,
    cause: Cause,
    waits: Arc<Waits>,
    /// Each call fails once.
    fails: Arc<AtomicBool>,
}

impl Object for Watched {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        self.object.interface()
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        if self.cause == Cause::Failure && !self.fails.fetch_not(Ordering::SeqCst) {
            return Err(Failure::new(Kind::Refused, "not now"));
        }
        let made = call.made.len();
        let dispatched = self.object.dispatch(op, call);
        for object in &mut call.made[made..] {
            let Watched { cause, waits, fails, .. } = self;
            let (waits, fails) = (Arc::clone(waits), Arc::clone(fails));
            *object = Arc::new(Watched { object: Arc::clone(object), cause: *cause, waits, fails });
        }
        match self.cause {
            Cause::Limit | Cause::Failure => {}
            Cause::Deadline => {
                let began = Instant::now();
                while began.elapsed() < TIME {
                    thread::yield_now();
                }
            }
            Cause::Cancelled | Cause::LostConnection | Cause::Shutdown => {
                self.waits.called.send(()).expect("the test waits");
                let leave = self.waits.leave.lock().expect("nobody panics with it");
                leave.recv_timeout(PATIENCE).expect("the test goes on");
            }
        }
        dispatched
    }

    fn service(&self) -> &dyn Any {
        self.object.service()
    }
}

/// Counters at a socket.
struct Served {
    dir: TempDir,
    bank: Arc<dyn Object>,
    cause: Cause,
    waits: Arc<Waits>,
    called: Receiver<()>,
    leave: Sender<()>,
    told_to_end: Arc<AtomicU64>,
    /// Sessions of which the programs know that they have ended.
    closed: Arc<AtomicU64>,
    serving: Option<(Arc<Counted>, Server)>,
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

impl Served {
    fn new(cause: Cause) -> Served {
        let bank = service::all().into_object();
        let own = LocalSession::new(Capability::new(Arc::clone(&bank)), Caller::local()).root();
        let all = counter::Bank::from_portal(own);
        NAMES.iter().for_each(|name| drop(all.make(name.as_bytes()).expect("it is new")));
        let ((called_by, called), (leave, left)) = (channel(), channel());
        let waits = Arc::new(Waits { called: called_by, leave: Mutex::new(left) });
        let dir = tempfile::tempdir().expect("a directory");
        let (told_to_end, closed, serving) = (Arc::default(), Arc::default(), None);
        let mut served = Served { dir, bank, cause, waits, called, leave, told_to_end, closed, serving };
        served.listen();
        served
    }

    fn address(&self) -> Address {
        Address::Unix(self.dir.path().join("s"))
    }

    fn state(&self) -> std::path::PathBuf {
        self.dir.path().join("state")
    }

    /// With what runs come to written down, if another server is to know of it.
    fn listen(&mut self) {
        let limits = match self.cause {
            Cause::Limit => Limits { calls: 1, ..Limits::default() },
            Cause::Deadline => Limits { time_ns: TIME.as_nanos() as u64, ..Limits::default() },
            _ => Limits::default(),
        };
        let policy = Policy { limits, trees: Trees::Taken, ..Policy::default() };
        let programs = match self.cause {
            Cause::Shutdown => journalled(&policy, &self.state()),
            _ => Programs::new(&[counter::module()], policy),
        };
        if let Ok(translator) = Translator::new() {
            programs.translate_with(Box::new(translator));
        }
        let programs = Arc::new(Counted(programs, Arc::clone(&self.closed)));
        let options =
            ServerOptions { entry: Some(Arc::<Counted>::clone(&programs)), ..ServerOptions::default() };
        let (object, cause, waits) = (Arc::clone(&self.bank), self.cause, Arc::clone(&self.waits));
        let root = Arc::new(Watched { object, cause, waits, fails: Arc::default() });
        let root = move |_: &Caller| Ok(Capability::new(Arc::<Watched>::clone(&root)));
        self.serving = Some((programs, Server::listen(&self.address(), options, root).expect("it listens")));
    }

    fn end(&mut self) {
        let Some((programs, server)) = self.serving.take() else { return };
        programs.0.close();
        self.told_to_end.fetch_add(1, Ordering::SeqCst);
        server.shutdown(Instant::now() + Duration::from_secs(5));
    }

    fn client(&self) -> Client {
        Client::new(RemoteSession::connect(&self.address(), ConnectOptions::default()).expect("it is there"))
    }

    /// What the counters are.
    fn values(&self) -> Vec<i64> {
        let own = LocalSession::new(Capability::new(Arc::clone(&self.bank)), Caller::local()).root();
        let all = counter::Bank::from_portal(own);
        let value =
            |name: &&str| all.open(name.as_bytes()).expect("it is there").value().expect("it is told");
        NAMES.iter().map(value).collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.end();
    }
}

/// As soon as the server before has let go of its files.
fn journalled(policy: &Policy, state: &Path) -> Programs {
    let began = Instant::now();
    loop {
        match Programs::journalled(&[counter::module()], policy.clone(), state) {
            Ok(programs) => return programs,
            Err(error) => assert!(began.elapsed() < PATIENCE, "{error}"),
        }
        thread::yield_now();
    }
}

fn begin(client: &Client, options: RunOptions) -> Running {
    let interfaces = [Arc::new(counter::module().clone())];
    let tree = source::parse(include_str!("../raise_all.carnet"), &interfaces).expect("it parses");
    let (tree, bytes) = (tree.encode(), compile::compile_to_bytes(&tree).expect("it compiles"));
    let program = match options.engine {
        Engine::Tree => RunProgram::Tree(&tree),
        _ => RunProgram::Whole(&bytes),
    };
    let arguments = vec![Argument::Portal(0), Argument::Scalar(2)];
    let request = RunRequest { id: ID, options, name: "raise", approval: "", arguments, program };
    client.start(&request, &[&client.transport().root()]).expect("it is sent")
}

fn go_on(client: &Client, stop: u32, options: RunOptions) -> Running {
    client.resume(&ResumeRequest { options, ..ResumeRequest::new(ID, stop) }).expect("it is sent")
}

fn options(engine: Engine) -> RunOptions {
    // Each call is told of, so that the clock is looked at between any two.
    RunOptions { trace: true, engine, dry: false }
}

/// The engine that begins, and the one that goes on after its first stops.
fn engines() -> Vec<[Engine; 2]> {
    let by_itself = [[Engine::Bytecode; 2], [Engine::Tree; 2], [Engine::Tree, Engine::Bytecode]];
    let native = [[Engine::Native; 2], [Engine::Tree, Engine::Native], [Engine::Native, Engine::Bytecode]];
    let native = if Translator::new().is_ok() { &native[..] } else { &[] };
    by_itself.iter().chain(native).copied().collect()
}

/// Has the run stopped by its cause, and waits for that.
fn stopped(served: &Served, client: &Client, running: Running) -> Outcome {
    if served.cause == Cause::Cancelled && served.called.recv_timeout(PATIENCE).is_ok() {
        assert!(client.cancel(ID).expect("the server answers"));
        served.leave.send(()).expect("the call waits");
    }
    running.wait(&mut |_| {}).expect("the server answers")
}

/// The same by who leaves while a call is under way; another client hears what becomes of the run.
fn left(served: &Served, client: Client, running: Running) -> Outcome {
    served.called.recv_timeout(PATIENCE).expect("a call is made");
    let (asking, before) = (served.client(), served.closed.load(Ordering::SeqCst));
    drop((running, client));
    wait_until(|| served.closed.load(Ordering::SeqCst) > before);
    served.leave.send(()).expect("the call waits");
    wait_until(|| asking.ask(ID).expect("the server answers") != Asked::Running);
    let Asked::Ended(outcome) = asking.ask(ID).expect("the server answers") else { panic!("it is known") };
    *outcome
}

fn wait_until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "it does not come true");
        thread::yield_now();
    }
}

fn is_by(end: &End, cause: Cause) -> bool {
    match cause {
        Cause::Limit => matches!(end, End::Limit { kind: LimitKind::Calls, .. }),
        Cause::Deadline => matches!(end, End::Limit { kind: LimitKind::Time, .. }),
        Cause::Failure => matches!(end, End::CallFailed { raised: false, .. }),
        Cause::Cancelled | Cause::LostConnection | Cause::Shutdown => *end == End::Cancelled,
    }
}

/// The calls that took effect, and the counters: each was raised by two, once.
fn is_done_once(served: &Served, outcome: &Outcome, how: &str) {
    assert_eq!(outcome.end, End::Done, "{how}");
    let result: Vec<u8> = [3_i64, 6].iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(outcome.result, Some(result), "{how}");
    let calls: Vec<(String, u64)> =
        outcome.calls.iter().map(|call| (call.name(), call.took_effect())).collect();
    let expected = [("Bank.list", 1), ("Bank.open", 3), ("Counter.add", 3)];
    assert_eq!(calls, expected.map(|(name, count)| (name.to_owned(), count)), "{how}");
    assert_eq!(served.values(), [2, 2, 2], "{how}");
}

#[test]
fn after_each_call_by_every_cause_in_every_engine() {
    let causes = [Cause::Limit, Cause::Failure, Cause::Cancelled, Cause::Deadline, Cause::LostConnection];
    for cause in causes {
        for [first, then] in engines() {
            let how = format!("{cause:?}, {first:?}, {then:?}");
            let served = Served::new(cause);
            let (mut stops, mut made) = (0, Vec::new());
            let outcome = loop {
                let client = served.client();
                let running = match stops {
                    0 => begin(&client, options(first)),
                    stops if stops < 4 => go_on(&client, stops, options(first)),
                    stops => go_on(&client, stops, options(then)),
                };
                let all_made = made.last() == Some(&CALLS);
                let outcome = match cause {
                    Cause::LostConnection if !all_made => left(&served, client, running),
                    Cause::Cancelled if all_made => running.wait(&mut |_| {}).expect("the server answers"),
                    _ => stopped(&served, &client, running),
                };
                let Some(kept) = outcome.kept else { break outcome };
                stops += 1;
                assert!(is_by(&outcome.end, cause) && kept.stop == stops, "{how}: {:?}", outcome.end);
                assert!(stops < 1_000, "{how}: it does not get on");
                made.push(outcome.calls.iter().map(|call| call.took_effect()).sum::<u64>());
            };
            // Before a call, or behind it; once more if the system gave the run no processor for all of its time.
            made.dedup();
            let behind = |call| made.contains(&call) || cause == Cause::Failure && made.contains(&(call - 1));
            assert!((1..CALLS).all(behind), "{how}: {made:?}");
            is_done_once(&served, &outcome, &how);
        }
    }
}

/// The server is told to end in each call. The next one knows the run, and says why it does not go on: nothing is done again.
#[test]
fn the_next_server_says_why_it_does_not_go_on() {
    for engine in [Engine::Bytecode, Engine::Tree] {
        for call in 1..CALLS {
            let mut served = Served::new(Cause::Shutdown);
            let client = served.client();
            let running = begin(&client, options(engine));
            for _ in 1..call {
                served.called.recv_timeout(PATIENCE).expect("a call is made");
                served.leave.send(()).expect("the call waits");
            }
            served.called.recv_timeout(PATIENCE).expect("a call is made");
            let (ending, leave) = (Arc::clone(&served.told_to_end), served.leave.clone());
            let outcome = thread::scope(|scope| {
                let told = scope.spawn(move || {
                    wait_until(|| ending.load(Ordering::SeqCst) > 0);
                    leave.send(()).expect("the call waits");
                    let outcome = running.wait(&mut |_| {}).expect("it is told before the server is gone");
                    drop(client);
                    outcome
                });
                served.end();
                told.join().expect("nobody panics")
            });
            served.listen();
            assert_eq!((&outcome.end, outcome.receipt.calls), (&End::Cancelled, call), "{engine:?}");
            let (values, client) = (served.values(), served.client());
            let Asked::Ended(known) = client.ask(ID).expect("the server answers") else {
                panic!("it is known")
            };
            // The next server alone has tried to find again what it holds.
            let why = known.cannot_go_on.clone();
            assert!(why.as_ref().is_some_and(|why| why.contains("its service cannot find again")), "{why:?}");
            assert_eq!(*known, Outcome { cannot_go_on: why, ..outcome }, "{engine:?}, {call}");
            let resumed = go_on(&client, 1, options(Engine::Any)).wait(&mut |_| {});
            let end = resumed.expect("the server answers").end;
            let End::Refused(Refusal::CannotGoOn(why)) = &end else { panic!("{engine:?}, {call}: {end:?}") };
            assert!(why.contains("its service cannot find again"), "{why}");
            assert_eq!(served.values(), values, "nothing was done");
            assert_eq!(values.iter().sum::<i64>(), 2 * ((call as i64 - 1) / 2), "{call}");
        }
    }
}
