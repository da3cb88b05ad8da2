//! Runs that stopped go on with the next server, whether the one before was told to end or killed.

mod support;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use rustix::process::Signal;
use support::{Place, ended, rest, signal};

const SERVE: &[&str] = &[
    "serve",
    "files",
    "./data",
    "--listen",
    "unix:./c.sock",
    "--state",
    "./runs",
    "--policy",
    "patient.toml",
];

/// Removes what it finds, one after the other.
const REMOVE: &[&str] = &["run", "remove_two.carnet", "root=/", "dir=scratch", "--id", "mine", "--approve"];

fn served() -> Place {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    place.serve(SERVE);
    place
}

/// Ends the server, and starts the next one.
fn restart(place: &mut Place, how: Signal) {
    signal(place.server(), how);
    ended(place.server());
    place.serve(SERVE);
}

/// What a command says, on both streams.
fn said(place: &Place, arguments: &[&str]) -> String {
    let output = place.carnet(arguments);
    String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
}

/// A server with a run `reading` that has opened a file, asked for its size once, and stopped.
fn stopped_reading() -> Place {
    let place = served();
    place.write(
        "reads.carnet",
        b"use files\nprogram reads(root: Dir) -> int at most 2 calls {\n  let file = root.open(\"src/README\")\n  \
          let size = file.size()\n  return size + file.size()\n}\n",
    );
    let stopped = said(&place, &["run", "reads.carnet", "root=/", "--id", "reading"]);
    assert!(stopped.contains("limit reached: 2 of 2 calls"), "{stopped}");
    place
}

/// Whoever gives the file of another program has mistaken the run.
#[test]
fn a_run_does_not_go_on_as_another_program() {
    let place = stopped_reading();
    place.write("other.carnet", b"use files\nprogram other(root: Dir) -> int {\n  return 1\n}\n");
    for more in [&[][..], &["--json"]] {
        let resume = ["resume", "reading", "other.carnet", "--more", "2 calls"];
        let refused = place.carnet(&[&resume[..], more].concat());
        assert_eq!(refused.status.code(), Some(6));
        let said = String::from_utf8([refused.stdout, refused.stderr].concat()).expect("text");
        assert!(
            said.contains("other_program") || said.contains("the run `reading` is of another program"),
            "{said}"
        );
        assert!(!said.contains("took effect"), "{said}");
    }
    let listed = said(&place, &["runs"]);
    assert!(listed.starts_with("reading  reads, stopped: limit reached"), "{listed}");
    let done = said(&place, &["resume", "reading", "reads.carnet", "--more", "2 calls"]);
    assert!(done.contains("receipt: 3 calls"), "{done}");
    // What it came to is told to whoever asks again, with the file or without.
    assert_eq!(
        said(&place, &["resume", "reading", "--more", "2 calls"]),
        said(&place, &["resume", "reading", "reads.carnet", "--more", "2 calls"])
            .replace("reads.carnet", "program")
    );
}

fn left(place: &Place) -> usize {
    fs::read_dir(place.path("data/scratch")).expect("it is there").count()
}

#[test]
fn what_stopped_goes_on_with_the_next_server() {
    for how in [Signal::KILL, Signal::TERM] {
        let mut place = served();
        let bill = said(&place, &["bill", "remove_two.carnet", "root=/", "dir=scratch"]);
        let approval: String = bill
            .split_once("approve:")
            .map(|(_, rest)| rest.chars().take_while(char::is_ascii_hexdigit).collect())
            .unwrap_or_default();
        let stopped = said(&place, &[REMOVE, &[&approval]].concat());
        assert!(stopped.contains("limit reached: 2 of 2 writes"), "{stopped}");
        assert_eq!(left(&place), 3);
        for writes in [3, 4] {
            restart(&mut place, how);
            let listed = said(&place, &["runs"]);
            assert!(listed.starts_with("mine  remove_two, stopped: limit reached"), "{listed}");
            let resumed = said(&place, &["resume", "mine", "remove_two.carnet", "--more", "1 writes"]);
            assert!(resumed.contains(&format!("{writes} of {writes} writes")), "{how:?}: {resumed}");
            assert!(resumed.contains(&format!("took effect: Dir.list 1, Dir.remove {writes}.")), "{resumed}");
            assert_eq!(left(&place), 5 - writes);
        }
        restart(&mut place, how);
        let done = said(&place, &["resume", "mine", "remove_two.carnet", "--more", "9 writes"]);
        assert!(done.contains("receipt: 6 calls (5 writes)"), "{done}");
        assert_eq!(left(&place), 0);
        assert_eq!(fs::read_dir(place.path("runs/kept")).expect("it is there").count(), 0);
    }
}

/// A run that was cancelled because its server was told to end.
#[test]
fn what_a_server_cancels_at_its_end_goes_on_with_the_next() {
    let mut place = served();
    let arguments = ["run", "forever.carnet", "root=/", "--trace", "--id", "long"];
    let child = place.command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("it runs");
    let mut err = std::io::BufReader::new(child.stderr.take().expect("its errors"));
    let mut line = String::new();
    std::io::BufRead::read_line(&mut err, &mut line).expect("a line");
    restart(&mut place, Signal::TERM);
    let told = rest(err);
    assert_eq!(ended(&mut child), Some(4), "{told}");
    assert!(told.contains("stopped: cancelled") && told.contains("carnet resume long"), "{told}");
    let listed = said(&place, &["runs"]);
    assert!(listed.starts_with("long  forever, stopped: cancelled"), "{listed}");
    // It does not end by itself: another command lets it stop.
    let resuming = place.command(&["resume", "long"]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn();
    let mut resuming = resuming.expect("it runs");
    while !said(&place, &["cancel", "long"]).contains("is told to stop") {}
    let told = rest(resuming.stderr.take().expect("its errors"));
    assert_eq!(ended(&mut resuming), Some(4), "{told}");
    assert!(told.contains("stopped: cancelled"), "{told}");
}

/// What is not there any more is told, and the run stays as it was.
#[test]
fn it_is_told_what_cannot_be_had_again() {
    let mut place = stopped_reading();
    let kept = fs::read(place.path("data/src/README")).expect("it is there");
    fs::rename(place.path("data/src/README"), place.path("data/src/OLD")).expect("it is moved");
    place.write("data/src/README", &kept);
    restart(&mut place, Signal::KILL);
    let resumed = said(&place, &["resume", "reading", "--more", "2 calls"]);
    let expected = "refused: the run `reading` cannot go on: \"src/README\" is another one now\n\
                    nothing was run. What it did: carnet status --run reading\n  \
                    it is kept; if that changes, continue within 10 min: carnet resume reading --more '2 calls'\n";
    assert_eq!(resumed, expected);
    fs::rename(place.path("data/src/OLD"), place.path("data/src/README")).expect("it is moved back");
    let done = said(&place, &["resume", "reading", "reads.carnet", "--more", "2 calls"]);
    assert!(done.starts_with("done  4,000\n"), "{done}");
}

/// A server of another directory has other files of the same names.
#[test]
fn what_stopped_goes_on_below_no_other_root() {
    let mut place = stopped_reading();
    signal(place.server(), Signal::KILL);
    ended(place.server());
    fs::rename(place.path("data"), place.path("elsewhere")).expect("it is moved");
    fs::create_dir_all(place.path("data/src")).expect("its name is free");
    fs::copy(place.path("elsewhere/src/README"), place.path("data/src/README")).expect("it is copied");
    place.serve(SERVE);
    let expected = "refused: the run `reading` cannot go on: it began below another root of files than \
                    this server has\nnothing was run. What it did: carnet status --run reading\n  \
                    it is kept; if that changes, continue within 10 min: carnet resume reading --more '2 calls'\n";
    assert_eq!(said(&place, &["resume", "reading", "--more", "2 calls"]), expected);
    // The one that it began with, wherever it is now.
    signal(place.server(), Signal::TERM);
    ended(place.server());
    let elsewhere: Vec<&str> =
        SERVE.iter().map(|word| if *word == "./data" { "./elsewhere" } else { word }).collect();
    place.serve(&elsewhere);
    let done = said(&place, &["resume", "reading", "reads.carnet", "--more", "2 calls"]);
    assert!(done.starts_with("done  4,000\n"), "{done}");
}

/// Another service of the same interface has come: what began before goes on below its own root. What holds objects while there are
/// several does not, and says why.
#[test]
fn what_stopped_goes_on_beside_another_service_of_its_interface() {
    let mut place = stopped_reading();
    signal(place.server(), Signal::TERM);
    ended(place.server());
    // It has files of the same names.
    fs::create_dir_all(place.path("near/src")).expect("its name is free");
    place.write("near/src/README", b"near");
    let several = [SERVE, &["--also", "near:files=./near"]].concat();
    place.serve(&several);
    let stopped = said(&place, &["run", "reads.carnet", "root=near:/", "--id", "near", "--json"]);
    assert!(stopped.contains("limit"), "{stopped}");
    let done = said(&place, &["resume", "reading", "reads.carnet", "--more", "2 calls"]);
    assert!(done.starts_with("done  4,000\n"), "{done}");
    signal(place.server(), Signal::TERM);
    ended(place.server());
    place.serve(&several);
    let resumed = said(&place, &["resume", "near", "--more", "2 calls"]);
    assert!(
        resumed.contains("it holds a files.Dir that is of one of several services with that interface"),
        "{resumed}"
    );
}

/// What a server of a database in memory has answered is there after its end, and a run that holds something of it does not go on.
#[test]
fn a_database_in_memory_is_on_the_disk_when_its_server_ends() {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    let serve: Vec<&str> =
        ["serve", "kv", "./m.db", "--listen", "unix:./c.sock", "--state", "./runs", "--durability", "memory"]
            .to_vec();
    place.serve(&serve);
    assert_eq!(said(&place, &["call", "Store.put", "key=one", "value=1"]), "done\n");
    place.write(
        "two.carnet",
        b"use kv\nprogram two(all: Store) at most 1 writes {\n  all.put_int(\"two\", 2)\n  all.put_int(\"three\", 3)\n}\n",
    );
    let bill = said(&place, &["bill", "two.carnet", "all=/"]);
    let approval = bill.split_once("approve:").map_or("", |(_, rest)| &rest[..32]);
    let stopped = said(&place, &["run", "two.carnet", "all=/", "--id", "mine", "--approve", approval]);
    assert!(stopped.contains("limit reached: 1 of 1 writes"), "{stopped}");
    signal(place.server(), Signal::TERM);
    assert_eq!(ended(place.server()), Some(0));
    place.serve(&serve);
    let got = ["one", "/two"].map(|key| said(&place, &["call", "Store.get_int", &format!("key={key}")]));
    assert_eq!(got, ["done  1\n", "done  2\n"]);
    let resumed = said(&place, &["resume", "mine", "--more", "1 writes"]);
    assert!(resumed.contains("a root of kv that keeps changes in memory, which may be lost"), "{resumed}");
    let wrong =
        said(&place, &["serve", "files", "./data", "--listen", "unix:./d.sock", "--durability", "memory"]);
    assert!(wrong.starts_with("error: --durability is for kv and tracker"), "{wrong}");
}

/// The file of a kept run is lost, or is that of an earlier stop: whoever runs the server is told, and so is whoever asks for the run.
#[test]
fn a_run_whose_file_is_missing_or_old_is_told() {
    let mut place = stopped_reading();
    signal(place.server(), Signal::TERM);
    ended(place.server());
    fs::remove_file(place.path("runs/kept/0")).expect("it is there");
    lost_is_told(&place, "reading", "kept/0 is missing, what was kept of it");

    let mut place = served();
    place.write(
        "sizes_of.carnet",
        b"use files\nprogram sizes_of(root: Dir) -> int at most 2 calls {\n  let file = root.open(\"src/README\")\n  \
          var sum = 0\n  for i in 0 .. 9 { sum += file.size() }\n  return sum\n}\n",
    );
    let stopped = said(&place, &["run", "sizes_of.carnet", "root=/", "--id", "sizes"]);
    assert!(stopped.contains("limit reached: 2 of 2 calls"), "{stopped}");
    let old = fs::read(place.path("runs/kept/0")).expect("it is kept");
    let stopped = said(&place, &["resume", "sizes", "--more", "3 calls"]);
    assert!(stopped.contains("limit reached: 5 of 5 calls"), "{stopped}");
    signal(place.server(), Signal::KILL);
    ended(place.server());
    fs::write(place.path("runs/kept/0"), old).expect("there is room");
    lost_is_told(&place, "sizes", "kept/0 is of another stop than its last, an old copy");
}

/// The next server says why a run cannot go on.
fn lost_is_told(place: &Place, run: &str, why: &str) {
    let mut server =
        place.command(SERVE).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let mut line = String::new();
    let mut ready = BufReader::new(server.stdout.take().expect("its output"));
    ready.read_line(&mut line).expect("a line");
    let status = place.carnet(&["status", "--run", run]);
    let told = String::from_utf8_lossy(&status.stderr).into_owned();
    assert!(told.ends_with(&format!("all handles closed.\n  cannot go on: {why}\n")), "{told}");
    let resumed = place.carnet(&["resume", run, "--more", "2 calls"]);
    let told = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert_eq!(resumed.status.code(), Some(6), "{told}");
    assert!(told.starts_with(&format!("refused: the run `{run}` cannot go on: {why}\n")), "{told}");
    signal(&server, Signal::TERM);
    ended(&mut server);
    let told = rest(BufReader::new(server.stderr.take().expect("its errors")));
    assert!(
        told.starts_with(&format!("the run `{run}` of ")) && told.contains(&format!(" server: {why}\n")),
        "{told}"
    );
}

/// Whether the first of them was under way already when the second one asked.
#[test]
fn who_resumes_what_is_being_resumed_waits_for_it() {
    let place = served();
    let run = ["run", "forever.carnet", "root=/", "--trace", "--id", "long"];
    let resume = ["resume", "long", "--trace"];
    // Each has begun when it has said something: it hears of calls.
    let begin = |arguments: &[&str]| {
        let child = place.command(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("it runs");
        let mut err = std::io::BufReader::new(child.stderr.take().expect("its errors"));
        let mut line = String::new();
        std::io::BufRead::read_line(&mut err, &mut line).expect("a line");
        (child, err)
    };
    let (mut child, err) = begin(&run);
    // It did not stop yet, so nothing of it is gone on with.
    let early = place.carnet(&["resume", "long"]);
    assert_eq!(early.status.code(), Some(6));
    assert!(String::from_utf8_lossy(&early.stderr).contains("the run `long` is running"));
    assert!(said(&place, &["cancel", "long"]).contains("is told to stop"));
    rest(err);
    assert_eq!(ended(&mut child), Some(4));
    let (mut first, first_err) = begin(&resume);
    let (mut second, second_err) = begin(&resume);
    let other = place.carnet(&["resume", "long", "--more", "5 calls"]);
    assert_eq!(other.status.code(), Some(6));
    assert!(
        String::from_utf8_lossy(&other.stderr)
            .contains("the run `long` went on meanwhile, and not as you ask for")
    );
    let other = place.carnet(&["resume", "long", "--engine", "bytecode"]);
    assert_eq!(other.status.code(), Some(6));
    assert!(String::from_utf8_lossy(&other.stderr).contains("nothing of it was changed"));
    assert!(said(&place, &["cancel", "long"]).contains("is told to stop"));
    let told = [rest(first_err), rest(second_err)];
    assert_eq!([ended(&mut first), ended(&mut second)], [Some(4), Some(4)], "{told:?}");
    assert!(told.iter().all(|told| told.contains("stopped: cancelled")), "{told:?}");
    assert!(told[1].contains("the run `long` was running already"), "{told:?}");
}
