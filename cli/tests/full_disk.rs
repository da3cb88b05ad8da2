//! Standard output that takes nothing: what was asked for is lost, which no command may hide.

mod support;

use std::fs::File;
use std::io::Read as _;
use std::process::Stdio;

use rustix::process::Signal;
use support::{Place, ended, rest, signal};

/// Exit code and standard error of a command whose output goes to a full device.
fn to_a_full_disk(place: &Place, arguments: &[&str]) -> (Option<i32>, String) {
    let full = File::options().write(true).open("/dev/full").expect("the device");
    let output = place.command(arguments).stdout(full).output().expect("it runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn served() -> Place {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    place.serve(&["serve", "files", "./data", "--listen", "unix:./c.sock"]);
    place.write("m.idl", b"module m { interface I { void f(); }; };\n");
    place
}

const LOST: &str = "error: cannot write to standard output: No space left on device (os error 28)\n";

#[test]
fn every_command_that_prints_says_that_it_could_not() {
    let place = served();
    let ways: [&[&str]; 13] = [
        &["run", "disk_usage.carnet", "root=/"],
        &["run", "disk_usage.carnet", "root=/", "--json"],
        &["describe"],
        &["bill", "disk_usage.carnet", "root=/"],
        &["check", "disk_usage.carnet"],
        &["status"],
        &["call", "Dir.stat", "path=src"],
        &["token", "new", "alice", "--tokens", "tokens"],
        &["idl", "build", "m.idl", "--lang", "c"],
        &["idl", "check", "m.idl"],
        &["idl", "doc", "m.idl"],
        &["debug", "disasm", "disk_usage.carnet"],
        &["help", "run"],
    ];
    for way in ways {
        let (exit, said) = to_a_full_disk(&place, way);
        assert_eq!(exit, Some(8), "{way:?}: {said}");
        assert!(said.contains(LOST), "{way:?}: {said}");
    }
}

#[test]
fn the_outcome_of_a_run_can_be_asked_for() {
    let place = served();
    let run = ["run", "disk_usage.carnet", "root=/", "--id", "counted"];
    let (_, said) = to_a_full_disk(&place, &run);
    let kept = "the server keeps the outcome for a while: carnet status --run counted\n";
    assert_eq!(said, format!("{LOST}{kept}"));
    assert_eq!(place.carnet(&["status", "--run", "counted"]).status.code(), Some(0));
}

#[test]
fn what_failed_keeps_its_own_exit_code() {
    let place = served();
    for (exit, way) in [(2, ["check", "nothing.carnet"]), (3, ["check", "m.idl"])] {
        let (found, said) = to_a_full_disk(&place, &[&way[..], &["--json"]].concat());
        assert_eq!(found, Some(exit), "{way:?}: {said}");
        assert!(said.contains(LOST), "{way:?}: {said}");
    }
}

#[test]
fn a_descriptor_that_cannot_be_written_to_is_no_success() {
    let place = served();
    let reading = File::open("/dev/null").expect("the device");
    let output = place.command(&["status"]).stdout(reading).output().expect("it runs");
    assert_eq!(output.status.code(), Some(8), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let place = served();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = place.command(&["describe"]).stdout(writer).output().expect("it runs");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn a_server_says_where_it_listens_on_standard_error_then() {
    let place = Place::new();
    let full = File::options().write(true).open("/dev/full").expect("the device");
    let serve = ["serve", "files", "./data", "--listen", "unix:./c.sock"];
    let mut child =
        place.command(&serve).stdout(full).stderr(Stdio::piped()).spawn().expect("the command runs");
    let mut err = child.stderr.take().expect("its errors");
    let mut said = Vec::new();
    while !said.ends_with(b"unix:./c.sock\n") {
        let mut byte = [0];
        assert_eq!(err.read(&mut byte).expect("a byte"), 1, "{}", String::from_utf8_lossy(&said));
        said.extend(byte);
    }
    signal(&child, Signal::TERM);
    assert_eq!(ended(&mut child), Some(8), "{}", rest(err));
}
