//! `carnet serve relay`: programs beside a service of another process that knows nothing of them.

mod support;

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use carnet_cli::identity::RunName;
use carnet_idl::descriptor::Module;
use carnet_kv::kv;
use carnet_portal::address::Address;
use carnet_portal::call::Kind;
use carnet_portal::identity::{Credentials, Token};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::stub::CallError;
use carnet_program::client::Client;
use carnet_program::compile::compile;
use carnet_program::protocol::{
    Argument, End, InDoubt, Kept, Outcome, Refusal, ResumeRequest, RunId, RunOptions, RunProgram, RunRequest,
};
use rustix::process::Signal;
use support::approval;
use support::c::{Board, built_by_all, shown};
use support::{PATIENCE, Place, ended, free_port, signal};

/// Puts notes, finds each again, and hands two of them to a call: portals that calls returned go back where they are from.
const NOTES: &str = "use board
program notes(board: Board) -> list(string(4096), 10) at most 10 writes {
  var texts: list(string(4096), 10)
  board.put(\"short\")
  let long = board.put(\"a longer one\")
  for i in 0 .. board.notes() limit 10 {
    let note = board.find(i)
    if board.is_longer(long, note) { texts.add(note.text()) }
  }
  let missing = try board.find(99) else { texts.add(error.message) return texts }
  texts.add(missing.text())
  return texts
}";

#[test]
fn a_server_in_c_gets_programs() {
    for build in built_by_all(&[]) {
        let mut place = Place::new();
        let board = Board::start(&place, &build);
        let serving =
            place.serve(&["serve", "relay", &board.address("shm"), "--listen", "unix:./relay.sock"]);
        assert!(serving.contains("as relay (board.Board of "), "{serving}");
        place.export("CARNET_SERVER", "unix:./relay.sock");
        place.write("notes.carnet", NOTES.as_bytes());
        let bill = shown(&place.carnet(&["bill", "notes.carnet"]));
        assert!(bill.contains("Board.put ") && bill.contains("service board 1.0"), "{bill}");
        let text = shown(&place.carnet(&["run", "notes.carnet", "--approve", approval(&bill)]));
        assert!(text.starts_with("short\nthere is no such note\n"), "{text}");
        assert!(text.contains("receipt: 9 calls (2 writes; 1 failed), 1 round trip"), "{text}");
        assert_eq!(board.call(&place, "unix", &["Board.notes"]), "done  2\n");
        // Single calls go through as well, and each session has its own behind it.
        assert_eq!(shown(&place.carnet(&["call", "Board.notes"])), "done  2\n");
        drop(board);
        let run = place.carnet(&["run", "notes.carnet", "--approve", approval(&bill)]);
        assert_eq!(run.status.code(), Some(1), "{}", shown(&run));
        assert!(shown(&run).contains("failed: cannot reach shm:"), "{}", shown(&run));
    }
}

const SERVE: &[&str] = &["serve", "files", "./data", "--listen", "unix:./behind.sock"];
const RELAY: &[&str] =
    &["serve", "relay", "unix:./behind.sock", "--listen", "unix:./relay.sock", "--timeout", "300ms"];

const CREATES: &str = "use files
program creates(root: Dir) at most 10 writes {
  root.make_dir(\"first\")
  let file = root.create(\"second\")
  root.make_dir(\"third\")
}";

fn connect(place: &Place) -> Client {
    let options = ConnectOptions { call_timeout: Some(PATIENCE), ..ConnectOptions::default() };
    let address = Address::Unix(place.path("relay.sock"));
    Client::new(RemoteSession::connect(&address, options).expect("it listens"))
}

/// Waits until something is so.
fn until(is_so: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "it is not so");
        std::thread::yield_now();
    }
}

/// Whether all threads of a process stand still: the signal that stops them is not waited for by whoever sends it.
fn is_stopped(process: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).expect("it lives");
    threads.flatten().all(|thread| {
        let text = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // Behind the name, which may have any letters.
        text.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('T'))
    })
}

/// The identity of a run of this name.
fn id(name: &str) -> RunId {
    RunName::chosen(name).expect("a name").id()
}

fn run(client: &Client, name: &str, source: &str) -> Outcome {
    let module: Arc<Module> = Arc::new(carnet_files::files::module().clone());
    let tree = carnet_program::source::parse(source, &[module]).expect("it is right");
    let program = compile(&tree).expect("it fits").encode();
    let request = RunRequest {
        id: id(name),
        options: RunOptions::default(),
        name,
        approval: "",
        arguments: vec![Argument::Portal(0)],
        program: RunProgram::Whole(&program),
    };
    client.run(&request, &[&client.transport().root()]).expect("the relay answers")
}

fn resume(client: &Client, name: &str, in_doubt: InDoubt) -> Outcome {
    let request = ResumeRequest { in_doubt, ..ResumeRequest::new(id(name), 1) };
    client.resume(&request).expect("it is sent").wait(&mut |_| {}).expect("the relay answers")
}

/// A service behind that hangs leaves one call in doubt, and the run goes on when it does.
#[test]
fn a_service_that_hangs_leaves_one_call_in_doubt() {
    let mut place = Place::new();
    place.serve(SERVE);
    place.serve(RELAY);
    let client = connect(&place);
    // The session behind begins with the first call.
    assert_eq!(
        run(&client, "first", "use files\nprogram p(root: Dir) { root.make_dir(\"0\") }").end,
        End::Done
    );
    signal(place.first(), Signal::STOP);
    until(|| is_stopped(place.first().id()));
    let hung = run(&client, "mine", CREATES);
    assert!(matches!(hung.end, End::CallInDoubt { .. }), "{:?}", hung.end);
    assert_eq!(
        (hung.call.expect("it is known which").operation, hung.receipt.calls),
        ("Dir.make_dir".to_owned(), 1)
    );
    let text = shown(&place.carnet(&["status", "--run", "mine", "--server", "unix:./relay.sock"]));
    assert!(text.contains("in doubt"), "{text}");
    signal(place.first(), Signal::CONT);
    let again = ["resume", "mine", "--server", "unix:./relay.sock"];
    let refused = place.carnet(&again);
    assert_eq!(refused.status.code(), Some(6));
    assert!(
        shown(&refused).contains("would repeat a call that may have taken effect"),
        "{}",
        shown(&refused)
    );
    // It had: the service did what it was asked when it went on. Without it the call can be made again.
    until(|| place.path("data/first").is_dir());
    std::fs::remove_dir(place.path("data/first")).expect("it is there");
    let done = place.carnet(&[&again[..], &["--repeat"]].concat());
    assert!(done.status.success(), "{}", shown(&done));
    assert!(place.path("data/first").is_dir());
    assert!(place.path("data/third").is_dir());
}

#[test]
fn a_service_that_dies_stops_its_runs_and_another_takes_its_place() {
    let mut place = Place::new();
    place.serve(SERVE);
    place.serve(RELAY);
    let client = connect(&place);
    assert_eq!(
        run(&client, "first", "use files\nprogram p(root: Dir) { root.make_dir(\"x\") }").end,
        End::Done
    );
    place.end_first(Signal::KILL);
    // Nothing was sent, so that nothing is in doubt.
    let dead = run(&client, "mine", CREATES);
    let End::CallFailed { message, .. } = &dead.end else { panic!("{:?}", dead.end) };
    assert_eq!(message, "the connection was lost earlier; this call was not sent");
    assert!(dead.kept.is_some());
    let refused = resume(&client, "mine", InDoubt::Leave);
    let End::Refused(Refusal::CannotGoOn(why)) = refused.end else { panic!("nobody is there") };
    // It is told how it is kept, for what is left of its time.
    let (now, before) = (refused.kept.expect("it is kept"), dead.kept.expect("it was kept"));
    assert!(now.for_s <= before.for_s);
    assert_eq!(Kept { for_s: before.for_s, ..now }, before);
    assert!(why.starts_with("it holds a files.Dir that cannot be had again now: cannot reach "), "{why}");
    let call = ["call", "Dir.stat", "path=x", "--server", "unix:./relay.sock"];
    let failed = place.carnet(&call);
    assert_eq!(failed.status.code(), Some(1), "{}", shown(&failed));
    assert!(shown(&failed).contains("cannot reach unix:./behind.sock"), "{}", shown(&failed));
    // Another one takes its place, and whoever was connected reaches that.
    std::fs::remove_file(place.path("behind.sock")).expect("it was killed");
    place.serve(SERVE);
    assert_eq!(resume(&client, "mine", InDoubt::Leave).end, End::Done);
    assert!(place.carnet(&call).status.success());
}

/// What the empty text names is had again as a root is, from the service behind; what another text names is not.
#[test]
fn a_run_beside_a_relay_goes_on_with_the_next_relay() {
    let mut place = Place::new();
    place.serve(&["serve", "kv", "./behind.db", "--listen", "unix:./behind.sock"]);
    let relay =
        ["serve", "relay", "unix:./behind.sock", "--listen", "unix:./relay.sock", "--state", "./runs"];
    place.serve(&relay);
    place.export("CARNET_SERVER", "unix:./relay.sock");
    place.write(
        "adds.carnet",
        b"use kv
program adds(store: Store) -> int at most 2 writes {
  var sum = 0
  for i in 0 .. 4 { sum = store.add(\"n\", 1) }
  return sum
}",
    );
    for (run, argument) in [("whole", "store="), ("part", "store=sizes.")] {
        let approved = shown(&place.carnet(&["bill", "adds.carnet", argument]));
        let stopped =
            place.carnet(&["run", "adds.carnet", argument, "--id", run, "--approve", approval(&approved)]);
        assert_eq!(stopped.status.code(), Some(4), "{}", shown(&stopped));
    }
    signal(place.server(), Signal::KILL);
    ended(place.server());
    place.serve(&relay);
    let runs = shown(&place.carnet(&["runs"]));
    assert!(runs.contains("whole") && !runs.contains("part"), "{runs}");
    let told = shown(&place.carnet(&["status", "--run", "part"]));
    assert!(told.contains("cannot go on: it holds a kv.Store that is of another server"), "{told}");
    let done = place.carnet(&["resume", "whole", "--more", "2 writes"]);
    assert!(done.status.success(), "{}", shown(&done));
    let read = ["call", "Store.get_int", "key=n", "--server", "unix:./behind.sock"];
    assert_eq!(shown(&place.carnet(&read)), "done  4\n");
}

/// How a relay may reach the service behind.
const WAYS: [&str; 3] = ["unix", "shm", "tcp"];

/// Ways to a database that is served again and again: its arguments, and its address for who connects in that way.
fn behind(place: &Place, way: &str) -> (Vec<String>, impl Fn(&str) -> String + use<>) {
    let mut serve =
        vec!["serve", "kv", "./behind.db", "--listen"].into_iter().map(String::from).collect::<Vec<_>>();
    if way == "tcp" {
        let made = place.carnet(&["token", "new", "relay", "--tokens", "./tokens", "--output", "./mine"]);
        assert!(made.status.success(), "{}", shown(&made));
        let listen = format!("tcp://127.0.0.1:{}", free_port());
        serve.extend([&listen, "--tokens", "./tokens"].map(String::from));
    } else {
        serve.push("unix:./behind.sock".to_owned());
    }
    let is_shared = way == "shm";
    let address = move |serving: &str| match serving.split_whitespace().last() {
        Some(address) if is_shared => address.replacen("unix:", "shm:", 1),
        address => address.unwrap_or_default().to_owned(),
    };
    (serve, address)
}

/// Adds 1 once more than it may write at first.
const ADDS: &str = "use kv
program adds(store: Store, times: int) -> int at most 5 writes {
  var sum = 0
  for i in 0 .. times limit 20 { sum = store.add(\"n\", 1) }
  return sum
}";

/// The JSON that a command prints.
fn json_of(output: &std::process::Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", shown(output)))
}

/// A run `one` that has added 5 of 6 by way of the relay, and stopped there.
fn stopped_adding(place: &mut Place) {
    place.export("CARNET_SERVER", "unix:./relay.sock");
    place.write("adds.carnet", ADDS.as_bytes());
    let arguments = ["adds.carnet", "store=", "times=7"];
    let bill = shown(&place.carnet(&[&["bill"], &arguments[..]].concat()));
    let stopped =
        place.carnet(&[&["run"], &arguments[..], &["--id", "one", "--approve", approval(&bill)]].concat());
    assert_eq!(stopped.status.code(), Some(4), "{}", shown(&stopped));
}

fn borrowed(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

/// Nothing is sent to a service that died while nobody called it: the run is as it was, and goes on with the next one.
#[test]
fn a_run_goes_on_when_the_service_behind_began_anew() {
    for way in WAYS {
        for (how, relays) in [(Signal::KILL, 1), (Signal::TERM, 1), (Signal::KILL, 2)] {
            if (way, relays) == ("shm", 2) {
                // The first relay puts the call of the second into memory of who died: whether it was taken from there nobody says.
                continue;
            }
            let mut place = Place::new();
            let (serve, address) = behind(&place, way);
            let address = address(&place.serve(&borrowed(&serve)));
            let token: &[&str] = if way == "tcp" { &["--token-file", "./mine"] } else { &[] };
            if relays == 2 {
                place.serve(&[&["serve", "relay", &address, "--listen", "unix:./mid.sock"], token].concat());
                place.serve(&["serve", "relay", "unix:./mid.sock", "--listen", "unix:./relay.sock"]);
            } else {
                place
                    .serve(&[&["serve", "relay", &address, "--listen", "unix:./relay.sock"], token].concat());
            }
            stopped_adding(&mut place);
            let before = json_of(&place.carnet(&["status", "--run", "one", "--json"]));
            place.end_first(how);
            for _ in 0..2 {
                let refused = place.carnet(&["resume", "one", "--more", "1 writes"]);
                let told = shown(&refused);
                assert!(!told.contains("unknown") && !told.contains("in doubt"), "{way} {how:?}: {told}");
                if relays == 1 {
                    assert_eq!(refused.status.code(), Some(6), "{way} {how:?}: {told}");
                    let why = "refused: the run `one` cannot go on: it holds a kv.Store that cannot be had again now: cannot reach ";
                    assert!(told.starts_with(why), "{way} {how:?}: {told}");
                    let kept = "\n  it is kept; if that changes, continue within 10 min: carnet resume one --more '5 writes'\n";
                    assert!(told.ends_with(kept), "{way} {how:?}: {told}");
                    let told = json_of(&place.carnet(&["resume", "one", "--more", "1 writes", "--json"]));
                    assert_eq!(
                        (&told["end"], &told["kept"]["stop"]),
                        (&"refused".into(), &1.into()),
                        "{told}"
                    );
                    let after = json_of(&place.carnet(&["status", "--run", "one", "--json"]));
                    assert_eq!(after["receipt"], before["receipt"], "{way} {how:?}");
                }
            }
            let _ = std::fs::remove_file(place.path("behind.sock"));
            place.serve(&borrowed(&serve));
            let resumed = place.carnet(&["resume", "one", "--more", "2 writes"]);
            assert!(resumed.status.success(), "{way} {how:?} {relays}: {}", shown(&resumed));
            assert_eq!(shown(&place.carnet(&["call", "Store.get_int", "key=n"])), "done  7\n");
        }
    }
}

/// Stands between a relay and the service behind, as a server that dies in a call: when a message has `sign` in it, the connection ends, once for each
/// time that it is told to.
struct Between {
    sign: &'static [u8],
    dies: Mutex<Option<Dies>>,
}

/// When it dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dies {
    /// The service behind has nothing of the call.
    Before,
    /// The call was made, and its answer is lost.
    Behind,
}

impl Between {
    fn new(place: &Place, sign: &'static [u8]) -> Arc<Between> {
        let between = Arc::new(Between { sign, dies: Mutex::new(None) });
        let listener = UnixListener::bind(place.path("behind.sock")).expect("a new socket");
        let (ours, service) = (Arc::clone(&between), place.path("service.sock"));
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, ours) = (client.expect("a relay"), Arc::clone(&ours));
                let server = UnixStream::connect(&service).expect("the service listens");
                thread::spawn(move || ours.serve(&client, &server));
            }
        });
        between
    }

    fn dies(&self, when: Dies) {
        *self.dies.lock().expect("nobody panics with it") = Some(when);
    }

    /// A client's messages are answered one by one, so that none is cut up.
    fn serve(&self, client: &UnixStream, server: &UnixStream) {
        let over = || [client, server].map(|stream| _ = stream.shutdown(Shutdown::Both));
        let has_died = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                pass(client, server, |message| {
                    if !message.windows(self.sign.len()).any(|part| part == self.sign) {
                        return true;
                    }
                    let dies = self.dies.lock().expect("nobody panics with it").take();
                    has_died.store(dies.is_some(), Ordering::SeqCst);
                    dies != Some(Dies::Before)
                });
                over();
            });
            pass(server, client, |_| !has_died.load(Ordering::SeqCst));
            over();
        });
    }
}

/// Passes messages on until there are no more, or one is not to be passed on.
fn pass(mut from: &UnixStream, mut to: &UnixStream, mut passes: impl FnMut(&[u8]) -> bool) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(len) = from.read(&mut buffer)
        && len > 0
        && passes(&buffer[..len])
        && to.write_all(&buffer[..len]).is_ok()
    {}
}

/// A service that dies in a call leaves the run as one that does not answer in time: what reads or may be made twice is made again, all else if that is said.
#[test]
fn a_run_goes_on_when_the_service_behind_died_in_a_call() {
    let mut place = Place::new();
    place.serve(&["serve", "kv", "./behind.db", "--listen", "unix:./service.sock"]);
    let between = Between::new(&place, b"needle");
    let relay = [
        &["serve", "relay", "unix:./behind.sock", "--listen", "unix:./relay.sock"][..],
        &["--state", "./runs", "--policy", "./trees.toml"],
    ]
    .concat();
    place.write("trees.toml", b"[programs]\ntrees = true\n[end]\n");
    place.serve(&relay);
    place.export("CARNET_SERVER", "unix:./relay.sock");
    let read = ["call", "Store.get_int", "key=needle", "--server", "unix:./service.sock"];
    let put = ["call", "Store.put_int", "key=needle", "value=1", "--server", "unix:./service.sock"];
    let mut run = 0;
    for (call, is_in_doubt, may_repeat) in [
        ("store.get_int(\"needle\")", false, true),
        ("store.put_int(\"needle\", 1)", true, true),
        ("store.add(\"needle\", 1)", true, false),
    ] {
        let source = format!(
            "use kv\nprogram one(store: Store) -> int at most 10 writes {{\n  store.put_int(\"first\", 7)\n  {call}\n  \
             return store.get_int(\"first\")\n}}"
        );
        place.write("one.carnet", source.as_bytes());
        let bill = shown(&place.carnet(&["bill", "one.carnet", "store="]));
        let begin = ["run", "one.carnet", "store=", "--approve", approval(&bill), "--engine"];
        for (dies, engine, restarts) in [
            (Dies::Before, "bytecode", false),
            (Dies::Behind, "bytecode", false),
            (Dies::Behind, "tree", false),
            (Dies::Behind, "native", false),
            (Dies::Before, "bytecode", true),
            (Dies::Behind, "bytecode", true),
        ] {
            assert!(place.carnet(&put).status.success());
            let case = format!("{call} {dies:?} {engine} {restarts}");
            run += 1;
            between.dies(dies);
            let id = format!("run-{run}");
            let stopped = place.carnet(&[&begin[..], &[engine, "--id", &id]].concat());
            let told = shown(&stopped);
            assert_eq!(stopped.status.code(), Some(if is_in_doubt { 5 } else { 1 }), "{case}: {told}");
            assert!(told.contains("it is unknown whether the call was done"), "{case}: {told}");
            assert!(told.contains(&format!("carnet resume {id}")), "{case}: {told}");
            assert_eq!(told.contains("--repeat"), !may_repeat, "{case}: {told}");
            if restarts {
                signal(place.server(), Signal::KILL);
                ended(place.server());
                place.serve(&relay);
            }
            if !may_repeat {
                let refused = place.carnet(&["resume", &id]);
                assert_eq!(refused.status.code(), Some(6), "{case}: {}", shown(&refused));
            }
            let repeat: &[&str] = if may_repeat { &[] } else { &["--repeat"] };
            let done = place.carnet(&[&["resume", &id, "--json"], repeat].concat());
            assert!(done.status.success(), "{case}: {}", shown(&done));
            let json = json_of(&done);
            // The call twice, and those around it.
            assert_eq!(json["receipt"]["calls"], 4, "{case}: {json}");
            let made = 1 + i64::from(dies == Dies::Behind);
            let expected = if may_repeat { 1 } else { 1 + made };
            assert_eq!(shown(&place.carnet(&read)), format!("done  {expected}\n"), "{case}");
        }
    }
}

/// A run `one` that stopped behind a relay; its service began anew since, and stands still.
fn stopped_while_the_service_stands_still(place: &mut Place) {
    let (serve, address) = behind(place, "unix");
    let address = address(&place.serve(&borrowed(&serve)));
    let relay = [
        "serve",
        "relay",
        &address,
        "--listen",
        "unix:./relay.sock",
        "--timeout",
        "10m",
        "--state",
        "./runs",
    ];
    place.serve(&relay);
    stopped_adding(place);
    place.end_first(Signal::KILL);
    std::fs::remove_file(place.path("behind.sock")).expect("it was killed");
    place.serve(&borrowed(&serve));
    signal(place.server(), Signal::STOP);
    until(|| is_stopped(place.running().id()));
}

/// A command that runs.
fn begun(place: &Place, arguments: &[&str]) -> Child {
    let mut command = place.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command runs")
}

/// Waits until the run `one` is about to go on.
fn until_it_looks(place: &Place) {
    until(|| shown(&place.carnet(&["status", "--run", "one"])).starts_with("one is running"));
}

/// Who lets a run go on waits for the service that is to be had again no longer than he wants.
#[test]
fn a_resume_that_looks_for_the_service_is_cancelled_at_once() {
    let mut place = Place::new();
    stopped_while_the_service_stands_still(&mut place);
    let before = json_of(&place.carnet(&["status", "--run", "one", "--json"]));
    let resume = ["resume", "one", "--more", "2 writes"];
    for _ in 0..2 {
        let resuming = begun(&place, &resume);
        until_it_looks(&place);
        signal(&resuming, Signal::INT);
        let cancelled = resuming.wait_with_output().expect("it ends");
        let told = shown(&cancelled);
        assert_eq!(cancelled.status.code(), Some(4), "{told}");
        let hint = "carnet resume one --more '5 writes'\n";
        assert!(told.contains("stopped: cancelled\n") && told.ends_with(hint), "{told}");
        assert_eq!(json_of(&place.carnet(&["status", "--run", "one", "--json"])), before);
    }
    signal(place.server(), Signal::CONT);
    until(|| place.carnet(&resume).status.success());
    assert_eq!(shown(&place.carnet(&["call", "Store.get_int", "key=n"])), "done  7\n");
}

/// Nor does the end of the relay wait for the service; the run goes on with the next one.
#[test]
fn a_relay_that_looks_for_its_service_ends_when_it_is_to() {
    let mut place = Place::new();
    stopped_while_the_service_stands_still(&mut place);
    let resume = ["resume", "one", "--more", "2 writes"];
    let resuming = begun(&place, &resume);
    until_it_looks(&place);
    place.end_second(Signal::TERM);
    let told = shown(&resuming.wait_with_output().expect("it ends"));
    assert!(told.contains("carnet resume one"), "{told}");
    signal(place.server(), Signal::CONT);
    let relay =
        ["serve", "relay", "unix:./behind.sock", "--listen", "unix:./relay.sock", "--state", "./runs"];
    place.serve(&relay);
    let done = place.carnet(&resume);
    assert!(done.status.success(), "{}", shown(&done));
    assert_eq!(shown(&place.carnet(&["call", "Store.get_int", "key=n"])), "done  7\n");
}

/// What was of the session that is over, and of nothing else, is gone with it.
#[test]
fn a_run_that_holds_what_is_gone_with_the_service_says_so() {
    let mut place = Place::new();
    let (serve, address) = behind(&place, "unix");
    let address = address(&place.serve(&borrowed(&serve)));
    place.serve(&["serve", "relay", &address, "--listen", "unix:./relay.sock"]);
    place.export("CARNET_SERVER", "unix:./relay.sock");
    let source = "use kv
program puts(store: Store) at most 2 writes {
  let mine = store.begin()
  mine.put_int(\"a\", 1)
  mine.put_int(\"b\", 1)
  mine.commit()
}";
    place.write("puts.carnet", source.as_bytes());
    let bill = shown(&place.carnet(&["bill", "puts.carnet", "store="]));
    let stopped =
        place.carnet(&["run", "puts.carnet", "store=", "--id", "one", "--approve", approval(&bill)]);
    assert_eq!(stopped.status.code(), Some(4), "{}", shown(&stopped));
    place.end_first(Signal::KILL);
    std::fs::remove_file(place.path("behind.sock")).expect("it was killed");
    place.serve(&borrowed(&serve));
    let refused = place.carnet(&["resume", "one", "--more", "5 writes"]);
    assert_eq!(refused.status.code(), Some(6), "{}", shown(&refused));
    let told = shown(&refused);
    assert!(told.contains("that is gone with the session with the service behind that it was of"), "{told}");
    assert!(told.contains("it holds a kv.Txn ") || told.contains("it holds a kv.Transaction "), "{told}");
}

/// Nor does one go on whose call in the session was not answered: it says so at once.
#[test]
fn a_run_that_holds_what_died_with_a_call_is_not_kept() {
    let mut place = Place::new();
    place.serve(&["serve", "kv", "./behind.db", "--listen", "unix:./service.sock"]);
    let between = Between::new(&place, b"needle");
    place.serve(&["serve", "relay", "unix:./behind.sock", "--listen", "unix:./relay.sock"]);
    place.export("CARNET_SERVER", "unix:./relay.sock");
    let source = "use kv
program puts(store: Store) at most 2 writes {
  let mine = store.begin()
  mine.put_int(\"needle\", 1)
  mine.commit()
}";
    place.write("puts.carnet", source.as_bytes());
    let bill = shown(&place.carnet(&["bill", "puts.carnet", "store="]));
    between.dies(Dies::Behind);
    let stopped =
        place.carnet(&["run", "puts.carnet", "store=", "--id", "one", "--approve", approval(&bill)]);
    assert_eq!(stopped.status.code(), Some(5), "{}", shown(&stopped));
    let why = "cannot go on: it holds a kv.Transaction that is gone with the session with the service behind that it was of";
    assert!(shown(&stopped).contains(why), "{}", shown(&stopped));
    let refused = place.carnet(&["resume", "one", "--repeat"]);
    assert_eq!(refused.status.code(), Some(6), "{}", shown(&refused));
    assert!(shown(&refused).contains(why), "{}", shown(&refused));
}

/// Descriptors are of a process, and the next session has another one.
#[test]
fn a_run_of_linux_calls_goes_on_in_no_other_process() {
    let source = "use linux
program opens(system: System) -> int at most 1 writes {
  let first = system.open_write(\"a\", 0x41, 0o644)
  return first + system.open_write(\"b\", 0x41, 0o644)
}";
    for restarts in ["behind", "relay"] {
        let mut place = Place::new();
        let serve = ["serve", "linux", "./data", "--listen", "unix:./behind.sock"];
        let relay =
            ["serve", "relay", "unix:./behind.sock", "--listen", "unix:./relay.sock", "--state", "./state"];
        place.serve(&serve);
        place.serve(&relay);
        place.export("CARNET_SERVER", "unix:./relay.sock");
        place.write("opens.carnet", source.as_bytes());
        let bill = shown(&place.carnet(&["bill", "opens.carnet", "system="]));
        let stopped =
            place.carnet(&["run", "opens.carnet", "system=", "--id", "one", "--approve", approval(&bill)]);
        assert_eq!(stopped.status.code(), Some(4), "{}", shown(&stopped));
        if restarts == "behind" {
            place.end_first(Signal::KILL);
            std::fs::remove_file(place.path("behind.sock")).expect("it was killed");
            place.serve(&serve);
        } else {
            place.server().kill().expect("it runs");
            place.server().wait().expect("it was killed");
            std::fs::remove_file(place.path("relay.sock")).expect("it was killed");
            place.serve(&relay);
        }
        let refused = place.carnet(&["resume", "one", "--more", "5 writes"]);
        let told = shown(&refused);
        assert!(!refused.status.success() && told.contains("cannot go on"), "{restarts}: {told}");
        assert!(told.contains("the session with the service behind"), "{restarts}: {told}");
        assert!(place.path("data/a").exists() && !place.path("data/b").exists(), "{restarts}");
    }
}

/// Nor was it begun by a service that hangs up before there is a session with it.
#[test]
fn a_call_through_a_relay_that_gets_no_session_is_not_sent() {
    for way in ["unix", "shm"] {
        let mut place = Place::new();
        let (serve, address) = behind(&place, way);
        let address = address(&place.serve(&borrowed(&serve)));
        place.serve(&["serve", "relay", &address, "--listen", "unix:./relay.sock"]);
        place.export("CARNET_SERVER", "unix:./relay.sock");
        place.end_first(Signal::KILL);
        std::fs::remove_file(place.path("behind.sock")).expect("it was killed");
        let listener = UnixListener::bind(place.path("behind.sock")).expect("a new socket");
        thread::spawn(move || listener.incoming().for_each(drop));
        let call = place.carnet(&["call", "Store.add", "key=n", "by=1"]);
        assert_eq!(call.status.code(), Some(1), "{way}: {}", shown(&call));
        assert!(!shown(&call).contains("unknown"), "{way}: {}", shown(&call));
    }
}

/// A client whose server was killed while it called nothing knows that its next call was not begun.
#[test]
fn a_single_call_that_a_dead_server_does_not_have_is_not_sent() {
    for way in WAYS {
        let mut place = Place::new();
        let (serve, address) = behind(&place, way);
        let text = address(&place.serve(&borrowed(&serve)));
        let options = ConnectOptions { call_timeout: Some(PATIENCE), ..ConnectOptions::default() };
        let credentials = if way == "tcp" {
            let secret = std::fs::read_to_string(place.path("mine")).expect("it was made");
            Credentials::Token(Token::parse(secret.trim().as_bytes()).expect("a token"))
        } else {
            Credentials::None
        };
        let text = text.replace(":./", &format!(":{}/", place.path("").display()));
        let address = text.parse().expect("an address");
        let session = RemoteSession::connect_as(&address, options, &credentials).expect("it listens");
        let store = kv::Store::from_portal(session.root());
        assert_eq!(store.add(b"n", 1), Ok(1));
        place.end_first(Signal::KILL);
        for is_first in [true, false] {
            let Err(CallError::Failed(failure)) = store.add(b"n", 1) else {
                panic!("{way}: nobody is there")
            };
            if is_first && way == "shm" {
                // It lies in memory that is there, and nobody says whether it was taken from there.
                assert_eq!(failure.kind(), Kind::PeerDied, "{failure}");
                continue;
            }
            assert_eq!(failure.kind(), Kind::Unreachable, "{way}: {failure}");
            let text = "the connection was lost earlier; this call was not sent";
            assert_eq!(failure.details().message, text, "{way}");
        }
    }
}

#[test]
fn what_is_the_services_own_is_no_option_of_a_relay() {
    let place = Place::new();
    for (more, expected) in [
        (&["--read-only"][..], "--read-only is nothing for a relay"),
        (&["--quota", "1MiB"], "--quota is nothing for a relay"),
        (&["--threads", "loop"], "--threads loop is nothing for a relay"),
        (&[], "cannot reach unix:./behind.sock"),
    ] {
        let output = place.carnet(&[RELAY, more].concat());
        assert!(shown(&output).contains(expected), "{}", shown(&output));
        assert!(!output.status.success());
    }
}

/// The other server may be on another machine: the relay proves who it is, as any client does.
#[test]
fn a_service_on_another_machine_gets_programs_here() {
    let mut place = Place::new();
    let made = place.carnet(&["token", "new", "relay", "--tokens", "./tokens", "--output", "./mine"]);
    assert!(made.status.success(), "{}", shown(&made));
    let listen = ["serve", "files", "./data", "--listen", "tcp://127.0.0.1:0", "--tokens", "./tokens"];
    let serving = place.serve(&listen);
    let address = serving.split_whitespace().last().expect("an address");
    let relay = ["serve", "relay", address, "--listen", "unix:./relay.sock"];
    let refused = place.carnet(&relay);
    assert_eq!(refused.status.code(), Some(2), "{}", shown(&refused));
    assert!(shown(&refused).contains("give --token-file FILE"), "{}", shown(&refused));
    place.serve(&[&relay[..], &["--token-file", "./mine"]].concat());
    let run = place.carnet(&["run", "find_duplicates.carnet", "root=/src", "--server", "unix:./relay.sock"]);
    assert!(shown(&run).starts_with("./a/LICENSE = ./LICENSE\n"), "{}", shown(&run));
}
