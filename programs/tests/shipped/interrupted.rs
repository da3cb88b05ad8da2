//! Each program that ships is stopped after every single call, by every cause, in every engine, and goes on in the same one or in
//! another: each call is made once, and what comes of it is what comes of an undisturbed run.

use std::any::Any;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use carnet_codegen::Translator;
use carnet_idl::descriptor::{Effect, InterfaceId, Module};
use carnet_kv::kv::Store;
use carnet_portal::call::{Call, Failure, Kind, Object};
use carnet_program::client::{Asked, Client, Running};
use carnet_program::host::{Policy, Trees};
use carnet_program::limits::{LimitKind, Limits};
use carnet_program::protocol::{End, Engine, Outcome, ResumeRequest, RunId, RunOptions, RunRequest};
use carnet_programs::{
    ALL, BUMP_ALL, CLOSE_STALE, COPY_TREE, COUNT_BY_PREFIX, DELETE_OLD, DIGEST, EXPIRE, FILE_ISSUE,
    MOVE_PREFIX, OPEN_BY_ASSIGNEE, RELABEL, Shipped, TRIAGE,
};
use carnet_tracker::tracker::{State, Tracker};

use crate::issues;
use crate::keys::{self, fill};
use crate::served::{Before, Served, nothing, send, tool};
use crate::tree::{DAY, age, write};

const ID: RunId = RunId(77);

/// What happens around a call: before it, which may keep it from being made, and behind it.
trait Around: Send + Sync + 'static {
    fn before(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn behind(&self) {}

    /// Told before the run.
    fn connect(&self, _served: &Served) {}
}

/// An object, with what happens around its calls and those of all objects that they make.
struct Watched {
    object: Arc<dyn Object>,
    around: Arc<dyn Around>,
    writes: Arc<AtomicU64>,
}

impl Object for Watched {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        self.object.interface()
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let (module, id) = self.interface();
        let interface = &module.interfaces[id.index()];
        // What makes the arguments comes before the run.
        let is_of_run = interface.argument != Some(op);
        if is_of_run {
            self.around.before()?;
        }
        let made = call.made.len();
        let dispatched = self.object.dispatch(op, call);
        for object in &mut call.made[made..] {
            let Watched { around, writes, .. } = self;
            let (around, writes) = (Arc::clone(around), Arc::clone(writes));
            *object = Arc::new(Watched { object: Arc::clone(object), around, writes });
        }
        if dispatched.is_ok() && interface.operations[usize::from(op)].effect == Effect::Writes {
            self.writes.fetch_add(1, Ordering::SeqCst);
        }
        if is_of_run {
            self.around.behind();
        }
        dispatched
    }

    fn service(&self) -> &dyn Any {
        self.object.service()
    }
}

/// Leaves calls alone.
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

/// The run is cancelled from elsewhere in each of its calls.
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

/// Each call waits until the client is gone.
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
            std::hint::spin_loop();
        }
    }
}

/// A small tree with something to do for each of the programs; the same each time.
fn plant(served: &Served) {
    let tree = served.dir("tree");
    for (name, content) in [
        ("a/one", "the same words"),
        ("a/two", "the same words"),
        ("b/deeper/one", "other words"),
        ("b/empty", ""),
        ("old.tmp", "x"),
        ("b/old.tmp", "xy"),
        ("new.tmp", "xyz"),
    ] {
        let file = write(&tree, name.as_bytes(), content.as_bytes());
        if name.ends_with("old.tmp") {
            age(&file, 30 * DAY);
        }
    }
    served.dir("copy");
}

/// Keys with something to do for each of the programs.
fn plant_keys(store: &Store) {
    let values = ["n.1", "n.2", "m.1", "plain"].map(|key| (key.to_owned(), "7".to_owned()));
    fill(store, values);
}

/// Issues with something to do for each of the programs.
fn plant_issues(tracker: &Tracker) {
    let (web, api) = (tracker.create(b"web"), tracker.create(b"api"));
    let (web, api) = (web.expect("a new one"), api.expect("a new one"));
    for (project, title, labels) in [
        (&web, "Crash at start, slow", &[][..]),
        (&web, "keep me", &["pinned", "defect"]),
        (&web, "done", &["defect"]),
        (&api, "what is this", &[]),
        (&api, "both", &["defect", "bug"]),
    ] {
        let number = project.create(title.as_bytes(), b"words").expect("a new one");
        let issue = project.issue(number).expect("it is there");
        for label in labels {
            issue.add_label(label.as_bytes()).expect("there is room");
        }
        issue.comment(b"seen").expect("there is room");
    }
    web.issue(3).and_then(|issue| issue.set_state(State::Closed, 0)).expect("it is there");
    web.issue(1).and_then(|issue| issue.assign(b"eve")).expect("it is there");
}

fn arguments(program: Shipped) -> &'static [&'static str] {
    match program {
        COPY_TREE => &["from=/tree", "to=/copy"],
        DELETE_OLD => &["root=/tree", "suffix=.tmp", "age=7d"],
        BUMP_ALL => &["store=n.", "by=5"],
        MOVE_PREFIX => &["store=", "old=n.", "new=o."],
        EXPIRE => &["store=n.", "age=0"],
        COUNT_BY_PREFIX => &["store="],
        CLOSE_STALE => &["tracker=", "age=0"],
        FILE_ISSUE => &["tracker=web", "project=web", "title=new", "label=bug", "assignee=ann"],
        TRIAGE | OPEN_BY_ASSIGNEE => &["tracker="],
        RELABEL => &["tracker=", "old=defect", "new=bug"],
        DIGEST => &["tracker=", "age=100000d"],
        _ => &["root=/tree"],
    }
}

/// All that lies below a directory, with content.
fn all(root: &Path) -> String {
    let listed = tool(root, "find . | sort; find . -type f -exec sha256sum {} + | sort");
    String::from_utf8(listed).expect("the names are plain")
}

/// What a program is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Files,
    Keys,
    Issues,
}

fn of(program: Shipped) -> Of {
    match program {
        BUMP_ALL | MOVE_PREFIX | EXPIRE | COUNT_BY_PREFIX => Of::Keys,
        FILE_ISSUE | CLOSE_STALE | TRIAGE | OPEN_BY_ASSIGNEE | RELABEL | DIGEST => Of::Issues,
        _ => Of::Files,
    }
}

/// All that is served, with content.
fn all_of(program: Shipped, served: &Served) -> String {
    match of(program) {
        Of::Files => all(&served.root()),
        Of::Keys => format!("{:?}", keys::all(&served.store())),
        Of::Issues => format!("{:?}", issues::all(&served.tracker())),
    }
}

/// What a run came to, in itself and in the tree.
#[derive(Debug, PartialEq)]
struct Came {
    result: Option<Vec<u8>>,
    took_effect: Vec<(String, u64)>,
    written: u64,
    writes: u64,
    tree: String,
}

fn came(program: Shipped, served: &Served, outcome: &Outcome, writes: &AtomicU64) -> Came {
    Came {
        result: outcome.result.clone(),
        took_effect: outcome.calls.iter().map(|call| (call.name(), call.took_effect())).collect(),
        written: outcome.receipt.written,
        writes: writes.load(Ordering::SeqCst),
        tree: all_of(program, served),
    }
}

/// A server whose calls have this around them, and the number of writes that were made.
fn watched(program: Shipped, policy: Policy, around: Arc<dyn Around>) -> (Served, Arc<AtomicU64>) {
    let writes = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&writes);
    let before: Before = Arc::new(move |object| {
        let (around, writes) = (Arc::clone(&around), Arc::clone(&counted));
        Arc::new(Watched { object, around, writes })
    });
    let clock = Arc::new(|| SystemTime::UNIX_EPOCH);
    let policy = Policy { trees: Trees::Taken, ..policy };
    let served = match of(program) {
        Of::Keys => Served::keys(policy, clock, plant_keys, before),
        Of::Issues => Served::issues(policy, clock, plant_issues, before),
        Of::Files => {
            let served = Served::behind(policy, before);
            plant(&served);
            served
        }
    };
    (served, writes)
}

/// How it is asked for: on its session's thread as far as it goes, or, with each call told, on a program thread at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    AtTheEnd,
    CallByCall,
}

use Told::{AtTheEnd, CallByCall};

/// The engine that begins a run, for how many stops it goes on with it, and those that carry it out then, each from a stop to the
/// next.
#[derive(Clone, Copy, Debug)]
struct Way {
    first: Engine,
    stops: u32,
    then: &'static [Engine],
}

const ANY: Way = Way { first: Engine::Any, stops: u32::MAX, then: &[Engine::Any] };
const NATIVE: Way = Way { first: Engine::Native, ..ANY };
const TREE: Way = Way { first: Engine::Tree, ..ANY };
/// They take turns.
const NATIVE_FIRST: Way = Way { first: Engine::Native, stops: 0, then: &[Engine::Bytecode, Engine::Native] };
/// What was begun as a tree goes on with the next server, but not as one.
const TREE_FIRST: Way = Way { first: Engine::Tree, stops: 0, then: &[Engine::Native, Engine::Bytecode] };

impl Way {
    /// How it is asked for after so many stops.
    fn after(self, stops: u32, told: Told) -> RunOptions {
        let engine = match stops.checked_sub(self.stops.saturating_add(1)) {
            None => self.first,
            Some(later) => self.then[later as usize % self.then.len()],
        };
        RunOptions { dry: false, trace: told == CallByCall, engine }
    }
}

/// Those of these that this machine has the engines for.
fn there_are(ways: &'static [Way]) -> impl Iterator<Item = Way> {
    let has_native = Translator::new().is_ok();
    let is_native = |way: &Way| way.first == Engine::Native;
    ways.iter().copied().filter(move |way| has_native || !is_native(way))
}

fn begin(client: &Client, program: Shipped, options: RunOptions) -> Running {
    let request = RunRequest { id: ID, name: "mine", options, ..nothing() };
    send(client, program, arguments(program), request)
}

fn go_on(client: &Client, stop: u32, options: RunOptions) -> Running {
    let request = ResumeRequest { options, ..ResumeRequest::new(ID, stop) };
    client.resume(&request).expect("it is sent")
}

/// Runs a program to its end, however often it stops; what it came to, and how each stop came about.
fn to_the_end(program: Shipped, policy: Policy, around: Arc<dyn Around>, way: Way) -> (Came, Vec<End>) {
    let (served, writes) = watched(program, policy, Arc::clone(&around));
    around.connect(&served);
    let client = served.client();
    let (mut running, mut stops) = (begin(&client, program, way.after(0, AtTheEnd)), Vec::new());
    loop {
        let outcome = running.wait(&mut |_| {}).expect("the server answers");
        let Some(kept) = outcome.kept else {
            assert_eq!(outcome.end, End::Done, "{}", program.file);
            return (came(program, &served, &outcome, &writes), stops);
        };
        stops.push(outcome.end);
        assert!(stops.len() < 1_000, "{} does not get on: {:?}", program.file, stops.last());
        assert_eq!(kept.stop as usize, stops.len(), "{}", program.file);
        running = go_on(&client, kept.stop, way.after(kept.stop, AtTheEnd));
    }
}

fn wait_until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(30), "it never happened");
        std::thread::yield_now();
    }
}

fn undisturbed(program: Shipped) -> (Came, u64) {
    let (served, writes) = watched(program, Policy::default(), Arc::new(Nothing));
    let outcome = begin(&served.client(), program, ANY.after(0, AtTheEnd))
        .wait(&mut |_| {})
        .expect("the server answers");
    assert_eq!((&outcome.end, outcome.kept.is_none()), (&End::Done, true), "{}", program.file);
    // One that the program expects to fail is a call, too.
    let calls = outcome.calls.iter().map(|call| call.count).sum();
    (came(program, &served, &outcome, &writes), calls)
}

fn each(check: impl Fn(Shipped, &Came, u64)) {
    // Programs for Linux calls have no service here: the same is done beside the process of their session
    // (`services/linux/tests/interrupted.rs`).
    let is_here = |program: &&Shipped| !program.source.contains("\nuse linux\n");
    assert!(
        ALL.iter().filter(is_here).count() >= 14,
        "most programs that ship are for services of this test"
    );
    for &program in ALL.iter().filter(is_here) {
        let (came, calls) = undisturbed(program);
        assert!(calls >= 4, "{} makes {calls} calls", program.file);
        check(program, &came, calls);
    }
}

#[test]
fn a_limit_after_each_call() {
    each(|program, expected, calls| {
        for way in there_are(&[ANY, NATIVE, NATIVE_FIRST, TREE]) {
            stops_behind_each_call(program, expected, calls, way);
        }
    });
}

/// Whatever call it stops behind as a tree, it goes on from there in the other engines.
#[test]
fn what_stopped_as_a_tree_goes_on_otherwise_after_each_call() {
    each(|program, expected, calls| {
        for stops in 0..calls as u32 - 1 {
            stops_behind_each_call(program, expected, calls, Way { stops, ..TREE_FIRST });
        }
    });
}

fn stops_behind_each_call(program: Shipped, expected: &Came, calls: u64, way: Way) {
    let policy = Policy { limits: Limits { calls: 1, ..Limits::default() }, ..Policy::default() };
    let (came, stops) = to_the_end(program, policy, Arc::new(Nothing), way);
    assert_eq!(came, *expected, "{}, {way:?}", program.file);
    assert_eq!(stops.len() as u64, calls - 1, "{}, {way:?}", program.file);
    assert!(stops.iter().all(|end| matches!(end, End::Limit { kind: LimitKind::Calls, .. })));
}

#[test]
fn a_failure_of_each_call() {
    each(|program, expected, calls| {
        for way in there_are(&[ANY, NATIVE, TREE]) {
            let around = Arc::new(Refusing::default());
            let (came, stops) = to_the_end(program, Policy::default(), around, way);
            // Nobody knows what a call wrote that failed: all that it might have is charged.
            assert!(came.written >= expected.written, "{}, {way:?}", program.file);
            assert_eq!(Came { written: expected.written, ..came }, *expected, "{}, {way:?}", program.file);
            let failed = End::CallFailed { message: "not now".to_owned(), raised: false };
            assert_eq!(stops, vec![failed; calls as usize], "{}, {way:?}", program.file);
        }
    });
}

#[test]
fn a_cancellation_in_each_call() {
    each(|program, expected, calls| {
        for way in there_are(&[ANY, NATIVE, TREE]) {
            let around = Arc::new(Cancelling::default());
            let (came, stops) = to_the_end(program, Policy::default(), around, way);
            assert_eq!(came, *expected, "{}, {way:?}", program.file);
            assert_eq!(stops, vec![End::Cancelled; calls as usize], "{}, {way:?}", program.file);
        }
    });
}

/// The client that waits is gone before the call returns; another lets the run go on.
#[test]
fn a_lost_connection_in_each_call() {
    each(|program, expected, calls| {
        for way in there_are(&[ANY, NATIVE, TREE]) {
            lost_in_each_call(program, expected, calls, way);
        }
    });
}

fn lost_in_each_call(program: Shipped, expected: &Came, calls: u64, way: Way) {
    let ((in_call, called), (leave, gone)) = (sync_channel(1), sync_channel(1));
    let (served, writes) = watched(program, Policy::default(), Arc::new(Waiting(in_call, Mutex::new(gone))));
    let asking = served.client();
    let mut stops = 0;
    let outcome = loop {
        let client = served.client();
        let running = match stops {
            0 => begin(&client, program, way.after(0, CallByCall)),
            stop => go_on(&client, stop, way.after(stop, CallByCall)),
        };
        if u64::from(stops) == calls {
            break running.wait(&mut |_| {}).expect("the server answers");
        }
        called.recv_timeout(Duration::from_secs(30)).expect("a call is made");
        let before = served.closed();
        drop((running, client));
        wait_until(|| served.closed() > before);
        leave.send(()).expect("the call waits");
        let asked = || asking.ask(ID).expect("the server answers");
        wait_until(|| asked() != Asked::Running);
        let Asked::Ended(outcome) = asked() else { panic!("{}: it is known", program.file) };
        stops += 1;
        assert_eq!((&outcome.end, outcome.kept.map(|kept| kept.stop)), (&End::Cancelled, Some(stops)));
    };
    assert_eq!(outcome.end, End::Done, "{}, {way:?}", program.file);
    assert_eq!(came(program, &served, &outcome, &writes), *expected, "{}, {way:?}", program.file);
}

/// Each call lasts until the time of the run is over. The clock is looked at before each call that is told of, so that none is made
/// behind it.
#[test]
fn a_deadline_in_each_call() {
    each(|program, expected, calls| {
        for way in there_are(&[ANY, NATIVE, TREE]) {
            late_in_each_call(program, expected, calls, way);
        }
    });
}

fn late_in_each_call(program: Shipped, expected: &Came, calls: u64, way: Way) {
    let time = Duration::from_millis(4);
    let limits = Limits { time_ns: time.as_nanos() as u64, ..Limits::default() };
    let policy = Policy { limits, ..Policy::default() };
    let (served, writes) = watched(program, policy, Arc::new(Lasting(time)));
    let client = served.client();
    let (mut running, mut stops, mut made) =
        (begin(&client, program, way.after(0, CallByCall)), 0, Vec::new());
    let outcome = loop {
        let outcome = running.wait(&mut |_| {}).expect("the server answers");
        let Some(kept) = outcome.kept else { break outcome };
        assert!(matches!(outcome.end, End::Limit { kind: LimitKind::Time, .. }), "{:?}", outcome.end);
        made.push(outcome.receipt.calls);
        stops += 1;
        assert!(stops < 1_000 && kept.stop == stops, "{} does not get on, {way:?}", program.file);
        running = go_on(&client, stops, way.after(stops, CallByCall));
    };
    assert_eq!(outcome.end, End::Done, "{}, {way:?}", program.file);
    // Once behind each call; and before one again, if the system gave the run no processor for all of its time.
    made.dedup();
    made.retain(|calls| *calls > 0);
    assert!((1..calls).all(|call| made.contains(&call)), "{}: {made:?} of {calls}", program.file);
    assert_eq!(came(program, &served, &outcome, &writes), *expected, "{}, {way:?}", program.file);
}

/// The server is told to end while each call is under way; the next one lets the run go on.
#[test]
fn a_shutdown_in_each_call() {
    each(|program, expected, calls| {
        for way in there_are(&[ANY, TREE_FIRST]) {
            shut_down_in_each_call(program, expected, calls, way);
        }
    });
}

fn shut_down_in_each_call(program: Shipped, expected: &Came, calls: u64, way: Way) {
    let ((in_call, called), (leave, gone)) = (sync_channel(1), sync_channel(1));
    let around = Waiting(in_call, Mutex::new(gone));
    let (mut served, writes) = watched(program, Policy::default(), Arc::new(around));
    let state = tempfile::tempdir().expect("there is room");
    served.restart(state.path());
    let mut stops = 0;
    let outcome = loop {
        let client = served.client();
        let running = match stops {
            0 => begin(&client, program, way.after(0, CallByCall)),
            stop => go_on(&client, stop, way.after(stop, CallByCall)),
        };
        if u64::from(stops) == calls {
            break running.wait(&mut |_| {}).expect("the server answers");
        }
        called.recv_timeout(Duration::from_secs(30)).expect("a call is made");
        let ending = served.ending();
        let before = ending.load(Ordering::SeqCst);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                wait_until(|| ending.load(Ordering::SeqCst) > before);
                leave.send(()).expect("the call waits");
                let outcome = running.wait(&mut |_| {}).expect("it is told before the server is gone");
                assert_eq!(outcome.end, End::Cancelled, "{}, {way:?}", program.file);
                drop(client);
            });
            served.restart(state.path());
        });
        stops += 1;
        let Asked::Ended(outcome) = served.client().ask(ID).expect("the server answers") else {
            panic!("{}: it is known", program.file);
        };
        assert_eq!((&outcome.end, outcome.kept.map(|kept| kept.stop)), (&End::Cancelled, Some(stops)));
        assert_eq!(outcome.receipt.calls, u64::from(stops), "{}, {way:?}", program.file);
    };
    assert_eq!(outcome.end, End::Done, "{}, {way:?}", program.file);
    assert_eq!(came(program, &served, &outcome, &writes), *expected, "{}, {way:?}", program.file);
}

/// A directory as it is at this moment: what a server leaves that is killed.
fn copied(dir: &Path, to: &Path) {
    for below in ["", "programs", "kept"] {
        std::fs::create_dir_all(to.join(below)).expect("there is room");
        for entry in std::fs::read_dir(dir.join(below)).expect("it is there").flatten() {
            if entry.path().is_file() {
                let to = to.join(below).join(entry.file_name());
                std::fs::copy(entry.path(), to).expect("there is room");
            }
        }
    }
}

/// After each call the server is gone, killed or ended in order, and the next one lets the run go on.
#[test]
fn another_server_after_each_call() {
    each(|program, expected, calls| {
        for (way, killed) in [(ANY, true), (TREE_FIRST, true), (NATIVE_FIRST, false)] {
            let policy = Policy { limits: Limits { calls: 1, ..Limits::default() }, ..Policy::default() };
            let (mut served, writes) = watched(program, policy, Arc::new(Nothing));
            let states = tempfile::tempdir().expect("there is room");
            let mut state = states.path().join("0");
            served.restart(&state);
            let mut running = begin(&served.client(), program, way.after(0, AtTheEnd));
            let mut stops = 0;
            let outcome = loop {
                let outcome = running.wait(&mut |_| {}).expect("the server answers");
                let Some(kept) = outcome.kept else { break outcome };
                stops += 1;
                assert_eq!(u64::from(kept.stop), stops, "{}, {way:?}", program.file);
                if killed {
                    let next = states.path().join(stops.to_string());
                    copied(&state, &next);
                    state = next;
                }
                served.restart(&state);
                let client = served.client();
                let Asked::Ended(told) = client.ask(ID).expect("the server answers") else {
                    panic!("{}: it is known", program.file);
                };
                assert_eq!(*told, outcome, "{}, {way:?}", program.file);
                running = go_on(&client, kept.stop, way.after(kept.stop, AtTheEnd));
            };
            assert_eq!(outcome.end, End::Done, "{}, {way:?}", program.file);
            assert_eq!(stops, calls - 1, "{}, {way:?}", program.file);
            assert_eq!(came(program, &served, &outcome, &writes), *expected, "{}, {way:?}", program.file);
        }
    });
}
