//! Each service that ships works over TCP as it does over a Unix socket: served by the command with a token, called, and a program run.

mod support;

use std::process::Output;

use support::{Place, approval};

fn text(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr].concat()).expect("text")
}

/// Serves this with a token, on TCP alone; the variables for clients are set.
fn served(kind: &str, what: &str) -> Place {
    let mut place = Place::new();
    let made = place.carnet(&["token", "new", "alice", "--tokens", "tokens", "--output", "my.token"]);
    assert!(made.status.success(), "{}", text(&made));
    let line = place.serve(&[
        "serve",
        kind,
        what,
        "--listen",
        "tcp://127.0.0.1:0",
        "--tokens",
        "tokens",
        "--key",
        "key",
    ]);
    let start = line.find("carnet://").expect("an address");
    place.export("CARNET_SERVER", line[start..].split_whitespace().next().expect("an address"));
    // Without its token it lets nobody in.
    let stranger = place.carnet(&["describe"]);
    assert_eq!(stranger.status.code(), Some(2), "{}", text(&stranger));
    place.export("CARNET_TOKEN_FILE", "my.token");
    let described = text(&place.carnet(&["describe"]));
    assert!(described.starts_with(&format!("{kind} 1.0, server carnet")), "{described}");
    place
}

fn said(place: &Place, words: &[&str]) -> String {
    let output = place.carnet(words);
    assert!(output.status.success(), "{words:?}: {}", text(&output));
    text(&output)
}

/// Runs a program as its bill was approved.
fn run(place: &Place, words: &[&str]) -> String {
    let bill = said(place, &[&["bill"], words].concat());
    let approve = ["--approve", approval(&bill)];
    said(place, &[&["run"], words, &approve].concat())
}

#[test]
fn a_key_value_store() {
    let place = served("kv", "./k.db");
    for key in ["a", "b"] {
        assert_eq!(
            said(&place, &["call", "Store.add", &format!("key=hits.{key}"), "by=3", "--on", ""]),
            "done  3\n"
        );
    }
    let ran = run(&place, &["bump_all.carnet", "store=hits.", "by=10"]);
    assert!(ran.starts_with("done  keys=2 total=26\n"), "{ran}");
    let counted = said(&place, &["run", "count_by_prefix.carnet", "store="]);
    assert!(counted.contains("hits."), "{counted}");
}

#[test]
fn an_issue_tracker() {
    let place = served("tracker", "./t.db");
    said(&place, &["call", "Tracker.create", "name=web", "--on", ""]);
    let filed = run(
        &place,
        &[
            "file_issue.carnet",
            "tracker=web",
            "project=web",
            "title=Crash at start",
            "label=defect",
            "assignee=eve",
        ],
    );
    assert!(filed.starts_with("done  "), "{filed}");
    let listed = said(&place, &["run", "open_by_assignee.carnet", "tracker=:ro"]);
    assert!(listed.contains("eve"), "{listed}");
}

/// The process that makes the calls is the server's, whoever asks for them.
#[test]
fn linux_calls() {
    let place = served("linux", "./data");
    let ran = run(&place, &["+file_copy", "system=", "from=src/LICENSE", "to=copied"]);
    assert!(ran.starts_with("done  8\n"), "{ran}");
    assert_eq!(std::fs::read(place.path("data/copied")).expect("the copy"), b"license\n");
}

/// Its applications are processes of its own machine; who decides about their pages may be elsewhere.
#[test]
fn a_memory_bank() {
    let place = served("bank", "./applications.sock");
    assert_eq!(said(&place, &["call", "Machine.waiting"]), "done  0\n");
    place.write(
        "take.carnet",
        b"use bank\n\nprogram take(machine: Machine) -> int\n  at most 3 writes\n{\n  let frames = machine.frames()\n  \
          let before = frames.left()\n  let first = frames.alloc_run(3)\n  return before - frames.left()\n}\n",
    );
    let ran = run(&place, &["take.carnet", "machine="]);
    assert!(ran.starts_with("done  3\n"), "{ran}");
    // What it took went with it.
    let again = run(&place, &["take.carnet", "machine="]);
    assert!(again.starts_with("done  3\n"), "{again}");
}
