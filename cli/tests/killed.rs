//! A server with a journal, killed again and again while clients run programs that write.
//!
//! Each run appends to a file of its own, so that the file tells how often that was really done. What the next server says
//! of the run has to agree: exactly, or but for the one call that is in doubt. Runs that stop after each write go on with the next server
//! where they stopped with the one that was killed. Programs over transactions of a database do so, too, in the middle of one.

mod support;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use carnet_idl::descriptor::Module;
use carnet_kv::kv;
use carnet_portal::address::Address;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::stub::CallError;
use carnet_program::client::{Asked, Client};
use carnet_program::compile::compile;
use carnet_program::protocol::{
    Argument, End, Outcome, ResumeRequest, RunId, RunOptions, RunProgram, RunRequest,
};
use rustix::process::Signal;
use support::{PATIENCE, Place, signal};

const SERVE: &[&str] = &["serve", "files", "./files", "--listen", "unix:./c.sock", "--state", "./runs"];
const ROUNDS: u64 = 200;
const CLIENTS: u64 = 3;
const APPENDS: u64 = 12;

const NOTE: &str = "use files
program note(root: Dir, name: string(40), end: int) -> int at most 1_000 writes {
  let source = root.open(\"line\")
  let file = root.create(name)
  for i in 0 .. end limit 100 {
    file.append(source.read(0, 4))
  }
  return end
}";

/// A run as its client knows it.
struct Known {
    id: u64,
    /// What it was told, unless the server was killed before.
    told: Option<Outcome>,
}

struct Caller<'a> {
    place: &'a Place,
    program: &'a [u8],
}

impl Caller<'_> {
    fn connect(&self) -> Client {
        let address = Address::Unix(self.place.path("c.sock"));
        let options = ConnectOptions { call_timeout: Some(PATIENCE), ..ConnectOptions::default() };
        Client::new(RemoteSession::connect(&address, options).expect("it listens"))
    }

    /// Sends a run, for the first time or again.
    fn run(&self, client: &Client, id: u64) -> Option<Outcome> {
        self.run_as(client, id, "")
    }

    /// The same under a name, so that it is kept if it stops.
    fn run_as(&self, client: &Client, id: u64, run: &str) -> Option<Outcome> {
        let name = file_of(id);
        let arguments =
            vec![Argument::Portal(0), Argument::Text(name.as_bytes()), Argument::Scalar(APPENDS as i64)];
        let request = RunRequest {
            id: RunId(u128::from(id)),
            options: RunOptions::default(),
            name: run,
            approval: "",
            arguments,
            program: RunProgram::Whole(self.program),
        };
        client.run(&request, &[&client.transport().root()]).ok()
    }

    /// Runs one after the other until the server is gone.
    fn run_until_it_is_gone(
        &self,
        client: &Client,
        ids: impl Iterator<Item = u64>,
        told: &Sender<()>,
    ) -> Vec<Known> {
        let mut known = Vec::new();
        for id in ids {
            let outcome = self.run(client, id);
            let is_gone = outcome.is_none();
            known.push(Known { id, told: outcome });
            if is_gone {
                break;
            }
            // The other side may have seen enough.
            let _ = told.send(());
        }
        known
    }
}

/// Numbers of the runs of a client.
type Numbers = Box<dyn Iterator<Item = u64>>;

impl Caller<'_> {
    /// Clients run one after the other until the server is killed: so much time after so many answers.
    fn until_it_is_killed(
        &self,
        round: u64,
        told: Sender<()>,
        hears: &Receiver<()>,
        (answers, more): (u64, Duration),
        run: impl Fn(&Client, Numbers, &Sender<()>) -> Vec<Known> + Sync,
    ) -> Vec<Known> {
        thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS)
                .map(|k| {
                    let (run, client, told) = (&run, self.connect(), told.clone());
                    let ids = (0..).map(move |n| (round * CLIENTS + k) << 32 | n);
                    scope.spawn(move || run(&client, Box::new(ids), &told))
                })
                .collect();
            for _ in 0..answers {
                hears.recv_timeout(PATIENCE).expect("clients go on");
            }
            let until = Instant::now() + more;
            while Instant::now() < until {
                thread::yield_now();
            }
            signal(self.place.running(), Signal::KILL);
            clients.into_iter().flat_map(|client| client.join().expect("it ends")).collect()
        })
    }
}

fn file_of(id: u64) -> String {
    format!("note-{id}")
}

fn program() -> Vec<u8> {
    compiled(NOTE, carnet_files::files::module())
}

fn compiled(text: &str, module: &Module) -> Vec<u8> {
    let tree = carnet_program::source::parse(text, &[Arc::new(module.clone())]).expect("it is right");
    compile(&tree).expect("it fits").encode()
}

/// How often an operation took effect.
fn count(outcome: &Outcome, operation: &str) -> u64 {
    outcome.calls.iter().filter(|call| call.operation == operation).map(|call| call.took_effect()).sum()
}

/// Holds what the next server says of a run against what it did; how it ended.
fn check(caller: &Caller<'_>, client: &Client, run: &Known) -> Option<End> {
    let done = std::fs::metadata(caller.place.path("files").join(file_of(run.id)));
    let (created, appended) = done.map_or((0, 0), |data| (1, data.len() / 4));
    let asked = client.ask(RunId(u128::from(run.id))).expect("the server answers");
    let Asked::Ended(outcome) = asked else {
        assert!(run.told.is_none(), "what was told is forgotten");
        assert_eq!((asked, created), (Asked::Unknown, 0), "run {}: it never began", run.id);
        return None;
    };
    if let Some(told) = &run.told {
        assert_eq!(&*outcome, told, "run {}: it was told otherwise", run.id);
    }
    let said = (count(&outcome, "create"), count(&outcome, "append"));
    let doubted = match &outcome.end {
        End::Done => None,
        End::ServerEnded { in_doubt } => {
            assert_eq!(*in_doubt, outcome.call.is_some());
            outcome.call.as_ref().map(|call| call.operation.as_str())
        }
        other => panic!("run {}: {other:?}", run.id),
    };
    let agrees = match doubted {
        None => said == (created, appended),
        Some("Dir.create") => said == (0, 0) && appended == 0,
        Some("File.append") => said.0 == created && (said.1 == appended || said.1 + 1 == appended),
        Some(other) => panic!("run {}: {other} is in doubt", run.id),
    };
    assert!(agrees, "run {}: {said:?} was said, {created} and {appended} was done: {outcome:?}", run.id);
    // Whoever sends it again hears the same, and nothing is done again.
    assert_eq!(caller.run(client, run.id).as_ref(), Some(&*outcome));
    let after = std::fs::metadata(caller.place.path("files").join(file_of(run.id)));
    assert_eq!(after.map_or((0, 0), |data| (1, data.len() / 4)), (created, appended));
    Some(outcome.end)
}

#[test]
fn nothing_that_was_told_is_lost_and_nothing_is_done_twice() {
    let mut place = Place::new();
    place.write("files/line", b"line");
    let program = program();
    let (mut in_doubt, mut certain, mut told_of) = (0, 0, 0);
    let mut left: Vec<Known> = Vec::new();
    for round in 0..=ROUNDS {
        assert!(place.serve(SERVE).starts_with("serving ./files as files "), "round {round}");
        let caller = Caller { place: &place, program: &program };
        let client = caller.connect();
        for run in &left {
            match check(&caller, &client, run) {
                Some(End::ServerEnded { in_doubt: true }) => in_doubt += 1,
                Some(End::ServerEnded { in_doubt: false }) => certain += 1,
                _ => {}
            }
        }
        if round == ROUNDS {
            break;
        }
        let (told, hears) = channel();
        // At another point each time, after none, one or a few were answered.
        let (answers, more) = (round % 7, Duration::from_micros(round * 37 % 1_000));
        left = caller.until_it_is_killed(round, told, &hears, (answers, more), |client, ids, told| {
            caller.run_until_it_is_gone(client, ids, told)
        });
        told_of += left.iter().filter(|run| run.told.is_some()).count();
        place.server().wait().expect("it ends");
    }
    assert!(told_of > 100, "{told_of} runs were answered");
    assert!(in_doubt > 0 && certain > 0, "of those under way {in_doubt} are in doubt, {certain} are not");
}

const ONE_AT_A_TIME: &[&str] =
    &["serve", "files", "./files", "--listen", "unix:./c.sock", "--state", "./runs", "--policy", "one.toml"];
const ROUNDS_OF_STOPS: u64 = 60;

impl Caller<'_> {
    /// Lets a run go on until it ends, from stop to stop; what was told last, and whether that is the end.
    fn to_the_end(
        &self,
        client: &Client,
        id: u64,
        mut outcome: Outcome,
        told: &Sender<()>,
    ) -> (Outcome, bool) {
        while let Some(kept) = outcome.kept
            && !matches!(outcome.end, End::Refused(_))
        {
            let request = ResumeRequest::new(RunId(u128::from(id)), kept.stop);
            let resumed = client.resume(&request).and_then(|running| running.wait(&mut |_| {}));
            match resumed {
                Ok(next) => outcome = next,
                Err(_) => return (outcome, false),
            }
            // The other side may have seen enough.
            let _ = told.send(());
        }
        (outcome, true)
    }

    /// Runs one after the other, each from stop to stop, until the server is gone.
    fn stop_until_it_is_gone(
        &self,
        client: &Client,
        ids: impl Iterator<Item = u64>,
        told: &Sender<()>,
    ) -> Vec<Known> {
        let mut known = Vec::new();
        for id in ids {
            let Some(first) = self.run_as(client, id, &format!("r-{id}")) else {
                known.push(Known { id, told: None });
                break;
            };
            let (outcome, is_over) = self.to_the_end(client, id, first, told);
            known.push(Known { id, told: Some(outcome) });
            if !is_over {
                break;
            }
        }
        known
    }
}

fn done(caller: &Caller<'_>, id: u64) -> (u64, u64) {
    let done = std::fs::metadata(caller.place.path("files").join(file_of(id)));
    done.map_or((0, 0), |data| (1, data.len() / 4))
}

fn writes(outcome: &Outcome) -> u64 {
    count(outcome, "create") + count(outcome, "append")
}

/// What became of a run that may have stopped: what was told of it is not lost, and if it is kept, it goes on to its end.
fn check_stopped(caller: &Caller<'_>, client: &Client, run: &Known, told: &Sender<()>) -> Option<End> {
    let before = run.told.as_ref().map_or(0, writes);
    let asked = client.ask(RunId(u128::from(run.id))).expect("the server answers");
    let Asked::Ended(outcome) = asked else {
        assert!(run.told.is_none(), "what was told is forgotten");
        assert_eq!((asked, done(caller, run.id)), (Asked::Unknown, (0, 0)), "run {}: it never began", run.id);
        return None;
    };
    assert!(writes(&outcome) >= before, "run {}: {before} writes were told: {outcome:?}", run.id);
    let said = (count(&outcome, "create"), count(&outcome, "append"));
    if let End::ServerEnded { .. } = outcome.end {
        return check(caller, client, &Known { id: run.id, told: None });
    }
    // Nothing was under way.
    assert_eq!(said, done(caller, run.id), "run {}: {outcome:?}", run.id);
    let (was_kept, stopped) = (outcome.kept.is_some(), outcome.end.clone());
    let (ended, is_over) = caller.to_the_end(client, run.id, *outcome, told);
    assert!(is_over, "run {}: it goes on", run.id);
    assert_eq!((&ended.end, writes(&ended)), (&End::Done, 1 + APPENDS), "run {}", run.id);
    assert_eq!(done(caller, run.id), (1, APPENDS), "run {}", run.id);
    was_kept.then_some(stopped)
}

#[test]
fn runs_that_stop_go_on_after_each_kill() {
    let mut place = Place::new();
    place.write("files/line", b"line");
    place.write("one.toml", b"[limits]\nwrites = 1\n[end]\n");
    let program = program();
    let (mut went_on, mut broken_off) = (0, 0);
    let mut left: Vec<Known> = Vec::new();
    for round in 0..=ROUNDS_OF_STOPS {
        assert!(place.serve(ONE_AT_A_TIME).starts_with("serving ./files as files "), "round {round}");
        let caller = Caller { place: &place, program: &program };
        let client = caller.connect();
        let (told, hears) = channel();
        for run in &left {
            match check_stopped(&caller, &client, run, &told) {
                Some(End::Limit { .. }) => went_on += 1,
                Some(End::ServerEnded { .. }) => broken_off += 1,
                _ => {}
            }
        }
        if round == ROUNDS_OF_STOPS {
            break;
        }
        while hears.try_recv().is_ok() {}
        let (answers, more) = (round % 11, Duration::from_micros(round * 41 % 700));
        left = caller.until_it_is_killed(round, told, &hears, (answers, more), |client, ids, told| {
            caller.stop_until_it_is_gone(client, ids, told)
        });
        place.server().wait().expect("it ends");
    }
    assert!(went_on > 10 && broken_off > 0, "{went_on} went on, {broken_off} were under way");
}

const SERVE_KV: &[&str] =
    &["serve", "kv", "./kv.db", "--listen", "unix:./c.sock", "--state", "./runs", "--policy", "five.toml"];
const ROUNDS_OF_TRANSACTIONS: u64 = 40;

/// Each round is a transaction of three calls that write.
const DEPOSIT: &str = "use kv
program deposit(root: Store, name: string(40), end: int) -> int {
  let mine = root.narrow(name, false)
  for i in 0 .. end limit 100 {
    let both = mine.begin()
    both.put_int(\".a\", i + 1)
    both.put_int(\".b\", i + 1)
    both.commit()
  }
  return end
}";

/// How many transactions of a run are in the database; whichever are, are there whole.
fn deposited(client: &Client, id: u64) -> u64 {
    let store = kv::Store::from_portal(client.transport().root());
    let [a, b] = [".a", ".b"].map(|end| {
        let found = store.get_int(format!("{}{end}", file_of(id)).as_bytes());
        match found {
            Ok(number) => u64::try_from(number).expect("it counts"),
            Err(CallError::Raised(error)) if error.kind == kv::Reason::Missing => 0,
            Err(other) => panic!("{other:?}"),
        }
    });
    assert_eq!(a, b, "run {id}: half of a transaction");
    a
}

/// As [`check_stopped`], for runs over transactions; how it had ended.
fn check_deposits(caller: &Caller<'_>, client: &Client, run: &Known, told: &Sender<()>) -> Option<End> {
    let before = run.told.as_ref().map_or(0, |told| count(told, "commit"));
    let there = deposited(client, run.id);
    let asked = client.ask(RunId(u128::from(run.id))).expect("the server answers");
    let Asked::Ended(outcome) = asked else {
        assert!(run.told.is_none(), "what was told is forgotten");
        assert_eq!((asked, there), (Asked::Unknown, 0), "run {}: it never began", run.id);
        return None;
    };
    let (said, ended) = (count(&outcome, "commit"), outcome.end.clone());
    assert!(said >= before, "run {}: {before} commits were told: {outcome:?}", run.id);
    if let End::ServerEnded { in_doubt } = ended {
        assert_eq!(in_doubt, outcome.call.is_some());
        let of_commit = outcome.call.as_ref().is_some_and(|call| call.operation == "Transaction.commit");
        assert!(said == there || of_commit && said + 1 == there, "run {}: {there} of {outcome:?}", run.id);
        // Whoever sends it again hears the same, and nothing is done again.
        assert_eq!(caller.run_as(client, run.id, &format!("r-{}", run.id)).as_ref(), Some(&*outcome));
        assert_eq!(deposited(client, run.id), there);
        return Some(ended);
    }
    assert_eq!(said, there, "run {}: {outcome:?}", run.id);
    let was_kept = outcome.kept.is_some();
    let (outcome, is_over) = caller.to_the_end(client, run.id, *outcome, told);
    assert!(is_over, "run {}: it goes on", run.id);
    assert_eq!((&outcome.end, count(&outcome, "commit")), (&End::Done, APPENDS), "run {}", run.id);
    assert_eq!(deposited(client, run.id), APPENDS, "run {}", run.id);
    was_kept.then_some(ended)
}

#[test]
fn transactions_are_whole_and_made_once_after_each_kill() {
    let mut place = Place::new();
    // A stop is in the middle of a transaction as often as it is not.
    place.write("five.toml", b"[limits]\nwrites = 5\n[end]\n");
    let program = compiled(DEPOSIT, kv::module());
    let (mut went_on, mut broken_off) = (0, 0);
    let mut left: Vec<Known> = Vec::new();
    // Until both were seen often enough; where they are rare since the machine has other work, more rounds are made.
    for round in 0.. {
        assert!(place.serve(SERVE_KV).starts_with("serving ./kv.db as kv "), "round {round}");
        let caller = Caller { place: &place, program: &program };
        let client = caller.connect();
        let (told, hears) = channel();
        for run in &left {
            match check_deposits(&caller, &client, run, &told) {
                Some(End::Limit { .. }) => went_on += 1,
                Some(End::ServerEnded { .. }) => broken_off += 1,
                _ => {}
            }
        }
        let is_enough = went_on > 5 && broken_off > 5;
        if round >= ROUNDS_OF_TRANSACTIONS && is_enough || round == 6 * ROUNDS_OF_TRANSACTIONS {
            break;
        }
        while hears.try_recv().is_ok() {}
        let (answers, more) = (round % 11, Duration::from_micros(round * 193 % 3_000));
        left = caller.until_it_is_killed(round, told, &hears, (answers, more), |client, ids, told| {
            caller.stop_until_it_is_gone(client, ids, told)
        });
        place.server().wait().expect("it ends");
    }
    assert!(went_on > 5 && broken_off > 5, "{went_on} went on, {broken_off} were under way");
}

/// A client could cut the mapped file.
#[test]
fn what_is_written_down_is_not_where_clients_write() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("runs/programs")).expect("there is room");
    std::fs::create_dir(place.path("programs")).expect("there is room");
    for (what, state, is_within) in [
        ("./data", "./data", true),
        ("./data", "./data/of/runs", true),
        ("./data", "./data/../data/runs", true),
        (".", "./runs", true),
        ("./runs/programs", "./runs", true),
        ("./programs", "./new", false),
        ("./data", "./data2", false),
    ] {
        // A socket cannot be made there: what may be served ends as well.
        let serve = ["serve", "files", what, "--state", state, "--listen", "unix:./no/such/c.sock"];
        let refused = place.carnet(&serve);
        let text = String::from_utf8(refused.stderr).expect("text");
        let expected = format!("error: --state {state} is within what is served, {what}\n");
        assert_eq!(text.contains(&expected), is_within, "{what} {state}: {text}");
        assert_eq!(refused.status.code(), Some(2), "{text}");
    }
    let up =
        ["serve", "files", "./data", "--state", "./none/../data/st", "--listen", "unix:./no/such/c.sock"];
    let refused = place.carnet(&up);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("`..` behind a directory that is not there"));
    assert!(!place.path("none").exists() && !place.path("data/st").exists());
    let also = [
        "serve",
        "kv",
        "./a.db",
        "--also",
        "files=./data",
        "--state",
        "./data/runs",
        "--listen",
        "unix:./c.sock",
    ];
    assert!(
        String::from_utf8_lossy(&place.carnet(&also).stderr).contains("is within what is served, ./data")
    );
}
