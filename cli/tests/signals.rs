//! Ctrl-C during a run, and servers that are told to end.

mod support;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStderr, Stdio};

use rustix::process::Signal;
use serde_json::Value;
use support::{Place, ended, rest, signal};

const SERVE: &[&str] = &["serve", "files", "./data", "--listen", "unix:./c.sock", "--policy", "patient.toml"];

/// A place with a server.
fn served() -> Place {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    assert_eq!(place.serve(SERVE), "serving ./data as files (read, write) on unix:./c.sock\n");
    place
}

/// Starts a run that does not end by itself, and waits until it makes calls.
fn running(place: &Place, more: &[&str]) -> (Child, BufReader<ChildStderr>) {
    let arguments = [&["run", "forever.carnet", "root=/", "--trace", "--id", "long"], more].concat();
    let mut child =
        place.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let mut err = BufReader::new(child.stderr.take().expect("its errors"));
    // A call is told before it is made: with the second line, the first was.
    for _ in 0..2 {
        let mut line = String::new();
        err.read_line(&mut line).expect("a line");
        assert_eq!(line, "8:16 root.stat(\".\")\n");
    }
    (child, err)
}

/// What it says without the calls that it traced.
fn without_trace(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with("8:16 ")).collect()
}

#[test]
fn ctrl_c_cancels_a_run_and_reports_what_took_effect() {
    let place = served();
    let (mut child, err) = running(&place, &[]);
    signal(&child, Signal::INT);
    let said = rest(err);
    assert_eq!(ended(&mut child), Some(4));
    let lines = without_trace(&said);
    assert_eq!(lines[0], "cancelling; once more leaves without waiting for the outcome");
    assert_eq!(lines[1], "stopped: cancelled");
    assert!(lines[2].starts_with("  at forever.carnet:"), "{said}");
    assert!(lines[3].starts_with("  took effect: Dir.stat "), "{said}");
    assert!(lines[3].ends_with(". Nothing was undone; 1 handle is kept."), "{said}");
    assert_eq!(lines[5], "  continue within 10 min: carnet resume long");
    let told = place.carnet(&["status", "--run", "long", "--json"]);
    let told: Value = serde_json::from_slice(&told.stdout).expect("JSON");
    assert_eq!(told["end"], "cancelled");
}

/// Whoever did not begin it can stop it, and it goes on from there.
#[test]
fn a_run_is_cancelled_by_its_name() {
    let place = served();
    let (mut child, err) = running(&place, &[]);
    let cancelled = place.carnet(&["cancel", "long"]);
    let told = String::from_utf8(cancelled.stdout).expect("text");
    assert_eq!(
        told,
        "long is told to stop, at its next call or round of a loop\nwhat became of it: carnet status --run long\n"
    );
    let said = rest(err);
    assert_eq!(ended(&mut child), Some(4));
    let lines = without_trace(&said);
    assert_eq!(lines[0], "stopped: cancelled");
    assert_eq!(lines[4], "  continue within 10 min: carnet resume long");
    assert_eq!(place.carnet(&["cancel", "long"]).status.code(), Some(6), "it stopped");
    assert_eq!(place.carnet(&["cancel", "none"]).status.code(), Some(6));
}

#[test]
fn a_cancelled_run_shows_its_result_so_far_as_json() {
    let place = served();
    let (mut child, mut err) = running(&place, &["--json"]);
    for _ in 0..10 {
        let mut line = String::new();
        err.read_line(&mut line).expect("a line");
    }
    signal(&child, Signal::INT);
    let said = rest(err);
    let out = rest(child.stdout.take().expect("its output"));
    assert_eq!(ended(&mut child), Some(4), "{said}");
    let outcome: Value = serde_json::from_str(&out).expect("one JSON object");
    assert_eq!(outcome["end"], "cancelled");
    assert_eq!(outcome["exit"], 4);
    assert_eq!(outcome["result"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_server_that_is_told_to_end_cancels_runs_and_tells_their_clients() {
    let mut place = served();
    let (mut child, err) = running(&place, &[]);
    signal(place.server(), Signal::TERM);
    assert_eq!(ended(place.server()), Some(0));
    assert!(!place.path("c.sock").exists(), "the socket is removed");
    let said = rest(err);
    assert_eq!(ended(&mut child), Some(4), "{said}");
    assert_eq!(without_trace(&said)[0], "stopped: cancelled");
}

#[test]
fn a_server_without_clients_ends_at_once_on_ctrl_c() {
    let mut place = served();
    signal(place.server(), Signal::INT);
    assert_eq!(ended(place.server()), Some(0));
    assert!(!place.path("c.sock").exists(), "the socket is removed");
    let status = place.carnet(&["status"]);
    assert_eq!(status.status.code(), Some(7));
}

#[test]
fn a_server_that_dies_leaves_the_outcome_unknown() {
    let mut place = served();
    let (mut child, err) = running(&place, &[]);
    signal(place.server(), Signal::KILL);
    let said = rest(err);
    assert_eq!(ended(&mut child), Some(5), "{said}");
    let lines = without_trace(&said);
    assert!(lines[0].starts_with("outcome unknown: the server closed the connection"), "{said}");
    assert_eq!(lines[1], "some of it may have taken effect. Ask what did: carnet status --run long");
}

/// The server's own user is the only one here, and meets the bound that is reached first.
#[test]
fn a_run_too_many_is_refused_and_says_whose_bound_that_is() {
    for (runs, refusal, said) in [
        ("max = 1\nper_principal = 1\n", "busy", "refused: the server runs 1 program, as many as it may\n"),
        (
            "max = 9\nper_principal = 1\n",
            "principal_busy",
            "refused: you run 1 program, as many as one user may at the same time\n",
        ),
    ] {
        let mut place = Place::new();
        place.export("CARNET_SERVER", "unix:./c.sock");
        place.write("few.toml", format!("[limits]\ncalls = 1_000_000_000\n[runs]\n{runs}[end]\n").as_bytes());
        place.serve(&["serve", "files", "./data", "--listen", "unix:./c.sock", "--policy", "few.toml"]);
        let (mut child, err) = running(&place, &[]);
        let refused = place.carnet(&["run", "disk_usage.carnet", "root=/", "--json"]);
        assert_eq!(refused.status.code(), Some(6));
        let json: Value = serde_json::from_slice(&refused.stdout).expect("one JSON object");
        assert_eq!(json["refusal"], refusal);
        let text = place.carnet(&["run", "disk_usage.carnet", "root=/"]);
        let text = String::from_utf8(text.stderr).expect("text");
        assert!(text.starts_with(said), "{text}");
        signal(&child, Signal::INT);
        rest(err);
        assert_eq!(ended(&mut child), Some(4));
    }
}
