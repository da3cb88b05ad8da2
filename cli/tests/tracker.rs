//! `carnet serve tracker`: what it says, beside other services, and a server that is killed while it writes.

mod support;

use std::sync::mpsc::{Sender, channel};
use std::thread;

use carnet_portal::address::Address;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_tracker::tracker::{Project, State, Tracker, Which};
use rustix::process::Signal;
use support::{PATIENCE, Place, approval, golden, signal};

#[test]
fn a_tracker_from_serving_to_programs() {
    let mut place = Place::new();
    place.write("text.db", &[b'x'; 9_000]);
    golden(&mut place, "tracker");
}

/// Writes down when each open issue was updated, in another service.
const EXPORT: &str = "use tracker
use kv
program export(tracker: Tracker, store: Store) -> int at most 100 writes {
  var count = 0
  for p in tracker.projects() limit 10 {
    for e in tracker.project(p.name).list(Which.open) limit 100 {
      store.put_int(p.name + \"/\" + e.id, e.updated)
      count += 1
    }
  }
  return count
}";

fn text(output: std::process::Output) -> String {
    String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
}

#[test]
fn a_program_uses_issues_and_keys() {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    place.write("export.carnet", EXPORT.as_bytes());
    for serve in [
        ["serve", "tracker", "./issues.db", "--also", "kv=./index.db", "--listen", "unix:./c.sock"],
        ["serve", "kv", "./index.db", "--also", "tracker=./issues.db", "--listen", "unix:./c.sock"],
    ] {
        let serving = place.serve(&serve);
        assert!(
            serving.contains(&format!("also {} (read, write, at most 1.0 GiB) on", serve[4])),
            "{serving}"
        );
        if serve[1] == "tracker" {
            place.carnet(&["call", "Tracker.create", "name=web"]);
            let filed = approved(&place, &["file_issue.carnet", "tracker=web", "project=web", "title=one"]);
            assert!(filed.contains("done  1\nreceipt: 3 calls (1 write)"), "{filed}");
        }
        let ran = approved(&place, &["export.carnet", "tracker=web", "store="]);
        assert!(ran.contains("done  1\nreceipt: 4 calls (1 write)"), "{ran}");
        signal(place.running(), Signal::TERM);
        support::ended(place.server());
    }
}

#[test]
fn read_only_is_said_and_kept() {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    let serve = ["serve", "tracker", "./issues.db", "--listen", "unix:./c.sock"];
    place.serve(&serve);
    place.carnet(&["call", "Tracker.create", "name=web"]);
    signal(place.running(), Signal::TERM);
    support::ended(place.server());
    let serving = place.serve(&[&serve[..], &["--read-only"]].concat());
    assert!(serving.starts_with("serving ./issues.db as tracker (read) on"), "{serving}");
    assert!(text(place.carnet(&["call", "Tracker.projects"])).contains("web"));
    let refused = text(place.carnet(&["call", "Tracker.create", "name=api"]));
    assert!(
        refused.starts_with("failed: the tracker cannot be changed: it is served for reading only"),
        "{refused}"
    );
    let run = approved(&place, &["file_issue.carnet", "tracker=", "project=web", "title=one"]);
    assert!(run.contains("reading only") && run.contains("Project.create"), "{run}");
}

/// Runs a program as its bill says.
fn approved(place: &Place, program: &[&str]) -> String {
    let bill = text(place.carnet(&[&["bill"][..], program].concat()));
    text(place.carnet(&[&["run"][..], program, &["--approve", approval(&bill)]].concat()))
}

const SERVE: &[&str] = &["serve", "tracker", "./t.db", "--listen", "unix:./t.sock"];
const ROUNDS: usize = 4;
const ACKNOWLEDGED: usize = 30;

fn connect(place: &Place) -> Project {
    let address = Address::Unix(place.path("t.sock"));
    let session = RemoteSession::connect(&address, ConnectOptions::default()).expect("it listens");
    let tracker = Tracker::from_portal(session.root());
    tracker.project(b"web").or_else(|_| tracker.create(b"web")).expect("it is there or made")
}

/// Creates issues, and closes each, until the server is gone; the number that was answered last, and whether its closing was.
fn create_until_it_is_gone(project: &Project, told: &Sender<()>) -> (i64, bool) {
    let mut last = (0, false);
    loop {
        let Ok(number) = project.create(b"title", b"body") else { return last };
        last = (number, false);
        // The other side may have seen enough.
        let _ = told.send(());
        let closed = project.issue(number).and_then(|issue| issue.set_state(State::Closed, 0));
        if closed.is_err() {
            return last;
        }
        last = (number, true);
    }
}

/// Comments on the first issue until the server is gone; the number that was answered last.
fn comment_until_it_is_gone(project: &Project, told: &Sender<()>) -> i64 {
    let issue = project.issue(1).expect("it is there");
    let mut last = issue.get().expect("it is there").comments;
    while let Ok(number) = issue.comment(b"text") {
        assert_eq!(number, last + 1);
        last = number;
        let _ = told.send(());
    }
    last
}

/// What was acknowledged is there after the server was killed, what was not is there whole or not at all.
#[test]
fn a_server_that_is_killed_loses_nothing_that_it_acknowledged() {
    let mut place = Place::new();
    for round in 0..ROUNDS {
        assert!(place.serve(SERVE).starts_with("serving ./t.db as tracker "), "round {round}");
        let (told, acknowledged) = channel();
        if round == 0 {
            connect(&place).create(b"first", b"").expect("a new one");
        }
        let (creating, commenting) = (connect(&place), connect(&place));
        let of_comments = told.clone();
        let creator = thread::spawn(move || create_until_it_is_gone(&creating, &told));
        let commenter = thread::spawn(move || comment_until_it_is_gone(&commenting, &of_comments));
        for _ in 0..ACKNOWLEDGED {
            acknowledged.recv_timeout(PATIENCE).expect("writers go on");
        }
        signal(place.server(), Signal::KILL);
        place.server().wait().expect("it ends");
        let (last, was_closed) = creator.join().expect("it ends");
        let commented = commenter.join().expect("it ends");
        assert!(place.serve(SERVE).starts_with("serving ./t.db as tracker "), "after round {round}");
        let project = connect(&place);
        let info = project.get().expect("it is there");
        let (all, comments) = (info.open + info.closed, project.issue(1).and_then(|issue| issue.get()));
        let comments = comments.expect("it is there").comments;
        assert!(all == last || all == last + 1, "{all} are there, {last} were acknowledged");
        assert!(comments == commented || comments == commented + 1, "{comments} for {commented}");
        if was_closed {
            assert_eq!(
                project.issue(last).and_then(|issue| issue.get()).expect("it is there").state,
                State::Closed
            );
        }
        for (which, count) in [(Which::Open, info.open), (Which::Closed, info.closed), (Which::All, all)] {
            assert_eq!(listed(&project, which), count, "a change is there in part");
        }
        signal(place.server(), Signal::TERM);
        assert_eq!(support::ended(place.server()), Some(0), "round {round}");
    }
}

fn listed(project: &Project, which: Which) -> i64 {
    let (mut count, mut after) = (0, Vec::new());
    loop {
        let (page, last) = project.list(which, &after).expect("a page");
        count += page.len() as i64;
        after = page.last().map_or(after, |entry| entry.id.clone());
        if last {
            return count;
        }
    }
}
