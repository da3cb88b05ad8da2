//! Programs that wait for the server: kept, approved, delivered once whoever is killed, and decided about.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::process::{Output, Stdio};
use std::time::Instant;

use rustix::process::Signal;
use serde_json::Value;
use support::{PATIENCE, Place, ended, signal};

const SERVE: &[&str] = &["serve", "files", "./data", "--listen", "unix:./c.sock", "--state", "./runs"];

/// Fails if the file is there.
const NOTE: &str = "use files
program note(root: Dir, name: string(40), data: bytes(100)) at most 2 writes {
  let file = root.create(name)
  file.append(data)
}";

/// Adds to the file that is there.
const JOIN: &str = "use files
program join(root: Dir, name: string(40), data: bytes(100)) at most 2 writes {
  root.edit(name).append(data)
}";

fn place() -> Place {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    place.export("CARNET_DEFERRED", "./deferred");
    place.write("note.carnet", NOTE.as_bytes());
    place.write("join.carnet", JOIN.as_bytes());
    place
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// What a command answers, and how it ends.
fn asked(place: &Place, arguments: &[&str]) -> (Value, i32) {
    let output = place.carnet(&[arguments, &["--json"]].concat());
    let json = serde_json::from_slice(&output.stdout);
    let json = json.unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", text(&output)));
    (json, output.status.code().unwrap_or(-1))
}

/// Defers a note, as whoever has seen its bill.
fn deferred(place: &Place, name: &str, data: &str, more: &[&str]) -> u64 {
    let (name, data) = (format!("name={name}"), format!("data={data}"));
    let words = [&["defer", "note.carnet", "root=/", &name, &data], more].concat();
    let (refused, exit) = asked(place, &words);
    assert_eq!((exit, &refused["refusal"]), (6, &Value::from("not_approved")), "{refused}");
    let approval = refused["approval"].as_str().expect("it says what approves it");
    let (done, exit) = asked(place, &[&words[..], &["--approve", &approval[..32]]].concat());
    assert_eq!(exit, 0, "{done}");
    done["number"].as_u64().expect("a number")
}

/// Numbers and states of what is open.
fn open(place: &Place) -> Vec<(u64, String)> {
    let (listed, exit) = asked(place, &["deferred", "list"]);
    assert_eq!(exit, 0, "{listed}");
    let entries = listed["deferred"].as_array().expect("a list").iter();
    let entries = entries.map(|entry| (entry["number"].as_u64(), entry["state"].as_str()));
    entries.map(|(number, state)| (number.expect("a number"), state.expect("a state").to_owned())).collect()
}

fn notes(place: &Place) -> usize {
    let names = fs::read_dir(place.path("data")).expect("it is there").flatten();
    names.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"note-")).count()
}

#[test]
fn what_writes_is_approved_when_it_is_deferred() {
    let place = place();
    let refused = place.carnet(&["defer", "note.carnet", "root=/", "name=note-1", "data=hello"]);
    let said = text(&refused);
    assert_eq!(refused.status.code(), Some(6), "{said}");
    for part in [
        "File.append",
        "approve:",
        "nothing was deferred. If that is what you want: carnet defer note.carnet",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let wrong =
        place.carnet(&["defer", "note.carnet", "root=/", "name=x", "data=y", "--approve", &"0".repeat(32)]);
    assert!(
        text(&wrong).contains("the approval is for another program, bill or arguments"),
        "{}",
        text(&wrong)
    );
    assert_eq!(open(&place), []);
    // What only reads needs none.
    let reads = place.carnet(&["defer", "hello.carnet", "loud=true"]);
    assert_eq!(text(&reads), "deferred as 1; 1 is to be delivered: carnet deliver\n");
    let unreachable = place.carnet(&["deliver"]);
    assert_eq!(unreachable.status.code(), Some(7), "{}", text(&unreachable));
    let installed = place.carnet(&["defer", "@nightly"]);
    assert!(text(&installed).contains("give the program's file"), "{}", text(&installed));
}

#[test]
fn a_conflict_goes_to_the_resolver_and_then_to_the_user() {
    let mut place = place();
    for (data, more) in [("one ", &[][..]), ("two", &["--resolver", "join.carnet"]), ("three", &[])] {
        deferred(&place, "note-1", data, more);
    }
    deferred(&place, "note-2", "later", &[]);
    place.serve(SERVE);
    let held = place.carnet(&["deliver"]);
    let said = text(&held);
    assert_eq!(held.status.code(), Some(1), "{said}");
    assert_eq!(fs::read_to_string(place.path("data/note-1")).expect("it is there"), "one two");
    for part in ["1  delivered,", "2  delivered by its resolver,", "3  conflict,", "it holds up 1 behind it"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(notes(&place), 1);
    assert_eq!(open(&place), [(3, "conflict".to_owned()), (4, "pending".to_owned())]);
    // The user has made room.
    fs::remove_file(place.path("data/note-1")).expect("it is there");
    assert_eq!(place.carnet(&["deferred", "again", "3"]).status.code(), Some(0));
    let done = place.carnet(&["deliver"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done));
    assert_eq!(fs::read_to_string(place.path("data/note-1")).expect("it is there"), "three");
    assert_eq!((notes(&place), open(&place)), (2, vec![]));
    let gone = place.carnet(&["deferred", "withdraw", "4"]);
    assert!(
        text(&gone).starts_with("error: 4 was delivered\nwhat there is: carnet deferred list"),
        "{}",
        text(&gone)
    );
    assert_eq!(gone.status.code(), Some(2));
}

/// A call waits as the program of that call.
#[test]
fn calls_are_deferred_too() {
    let mut place = place();
    let words = ["defer", "--call", "Dir.make_dir", "path=made", "--on", "/scratch"];
    let (refused, exit) = asked(&place, &words);
    assert_eq!(exit, 6, "{refused}");
    assert_eq!(refused["bills"][0]["calls"]["at_most"], 1, "{refused}");
    let approval = refused["approval"].as_str().expect("it says what approves it");
    assert_eq!(asked(&place, &[&words[..], &["--approve", approval]].concat()).1, 0);
    place.serve(SERVE);
    let done = place.carnet(&["deliver"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done));
    assert!(place.path("data/scratch/made").is_dir());
    for (words, part) in [
        (&["Dir.remove", "path=x"][..], "on which Dir?"),
        (&["Dir.remov", "path=x", "--on", "/"], "did you mean `remove`?"),
        (&["Dir.list", "path=x", "after=", "--on", "/"], "its answer comes in pages"),
        (&["Store.nothing"], "has no operation `nothing`"),
        (&["nothing"], "no known interface has an operation `nothing`"),
        (&["Dir"], "Dir is an interface"),
        (&["Dir.remove", "--on", "/"], "remove needs path="),
        (&["File.copy_from"], "`source` cannot be written on a command line"),
    ] {
        let refused = place.carnet(&[&["defer", "--call"], words].concat());
        let said = text(&refused);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_damaged_journal_is_told_of_and_can_be_salvaged() {
    let mut place = place();
    deferred(&place, "note-1", "one", &[]);
    let before = fs::read(place.path("deferred/deferred")).expect("it is there");
    deferred(&place, "note-2", "two", &[]);
    let whole = fs::read(place.path("deferred/deferred")).expect("it is there");
    fs::write(place.path("deferred/deferred"), &whole[..before.len() + 20]).expect("there is room");
    for verb in [&["deferred", "list"][..], &["deliver"], &["defer", "hello.carnet", "loud=true"]] {
        let refused = place.carnet(verb);
        let said = text(&refused);
        assert_eq!(refused.status.code(), Some(1), "{said}");
        assert!(said.contains("it is cut off") && said.contains("carnet deferred salvage"), "{said}");
    }
    let salvaged = place.carnet(&["deferred", "salvage"]);
    assert_eq!(salvaged.status.code(), Some(0), "{}", text(&salvaged));
    assert_eq!(open(&place), [(1, "in doubt".to_owned())]);
    assert!(place.path("deferred/deferred.damaged.1").exists());
    // It may have been delivered, for all that is known: whoever knows better says so.
    place.serve(SERVE);
    let held = place.carnet(&["deliver"]);
    assert_ne!(held.status.code(), Some(0), "{}", text(&held));
    assert_eq!(notes(&place), 0);
    assert_eq!(place.carnet(&["deferred", "again", "1"]).status.code(), Some(0));
    let done = place.carnet(&["deliver"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done));
    assert_eq!(notes(&place), 1);
}

/// Each note makes its file, so that the same note twice would be a conflict.
#[test]
fn whoever_delivers_can_be_killed_at_any_moment() {
    const NOTES: usize = 24;
    let mut place = place();
    for n in 0..NOTES {
        deferred(&place, &format!("note-{n:02}"), "once", &[]);
    }
    place.serve(SERVE);
    for stop_at in (0..NOTES).step_by(3) {
        let mut client = place.command(&["deliver"]);
        let client = client.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut client = client.expect("the command runs");
        let began = Instant::now();
        while notes(&place) < stop_at && client.try_wait().expect("it is ours").is_none() {
            assert!(began.elapsed() < PATIENCE, "nothing is delivered");
            std::thread::yield_now();
        }
        client.kill().expect("it is ours");
        client.wait().expect("it is ours");
    }
    let done = place.carnet(&["deliver"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done));
    assert_eq!(notes(&place), NOTES);
    for n in 0..NOTES {
        let note = fs::read_to_string(place.path(&format!("data/note-{n:02}"))).expect("it is there");
        assert_eq!(note, "once");
    }
}

/// What the server was at is told, and is never done twice.
#[test]
fn the_server_can_be_killed_too() {
    const NOTES: usize = 24;
    let mut place = place();
    for n in 0..NOTES {
        deferred(&place, &format!("note-{n:02}"), "once", &[]);
    }
    let mut told = BTreeSet::new();
    for stop_at in (1..NOTES).step_by(4) {
        place.serve(SERVE);
        let mut client = place.command(&["deliver", "--timeout", "5s"]);
        let mut client = client.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        let began = Instant::now();
        while notes(&place) < stop_at && client.try_wait().expect("it is ours").is_none() {
            assert!(began.elapsed() < PATIENCE, "nothing is delivered");
            std::thread::yield_now();
        }
        signal(place.server(), Signal::KILL);
        ended(place.server());
        client.wait().expect("it ends when its server is gone");
        for (number, state) in open(&place) {
            if matches!(state.as_str(), "stopped" | "in doubt" | "conflict") {
                told.insert(number);
                assert_eq!(
                    place.carnet(&["deferred", "withdraw", &number.to_string()]).status.code(),
                    Some(0)
                );
            }
        }
    }
    place.serve(SERVE);
    loop {
        let (said, exit) = asked(&place, &["deliver"]);
        if exit == 0 {
            break;
        }
        let number = said["held"]["number"].as_u64().unwrap_or_else(|| panic!("{said}"));
        assert!(["stopped", "in doubt"].contains(&said["held"]["state"].as_str().unwrap_or("")), "{said}");
        assert!(told.insert(number), "each is told of once");
        assert_eq!(place.carnet(&["deferred", "withdraw", &number.to_string()]).status.code(), Some(0));
    }
    assert!(told.len() <= 6, "one for each server that was killed, at most: {told:?}");
    for n in 0..NOTES {
        let note = fs::read_to_string(place.path(&format!("data/note-{n:02}"))).unwrap_or_default();
        assert!(note == "once" || told.contains(&(n as u64 + 1)) && note.is_empty(), "{n}: {note:?}");
    }
}
