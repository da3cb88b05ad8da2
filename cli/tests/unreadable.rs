//! Files that have no end, or that nobody writes to: each is refused at once, whatever was to be read from it. And files
//! that begin with a byte order mark, which are read.

mod support;

use std::process::Stdio;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use support::{Place, ended, rest};

/// Every way to name a file that the command reads; `FILE` is where it goes.
const WAYS: [&[&str]; 13] = [
    &["check", "FILE"],
    &["check", "hello.carnet", "--idl", "FILE"],
    &["bill", "FILE"],
    &["run", "FILE"],
    &["idl", "check", "FILE"],
    &["idl", "check", "including.idl"],
    &["idl", "build", "FILE", "--lang", "rust"],
    &["idl", "fmt", "FILE"],
    &["idl", "doc", "FILE"],
    &["serve", "files", "./data", "--listen", "unix:./c.sock", "--policy", "FILE"],
    &["token", "new", "alice", "--tokens", "FILE"],
    &["token", "revoke", "alice", "--tokens", "FILE"],
    &["token", "fingerprint", "FILE"],
];

fn refused(file: &str) {
    let place = Place::new();
    std::fs::write(place.path("including.idl"), format!("#include \"{file}\"\n")).expect("a file");
    for way in WAYS {
        let arguments: Vec<&str> =
            way.iter().map(|word| if *word == "FILE" { file } else { *word }).collect();
        let mut child = place.command(&arguments).stderr(Stdio::piped()).spawn().expect("it runs");
        let exit = ended(&mut child);
        let said = rest(child.stderr.take().expect("its errors"));
        assert!(matches!(exit, Some(2 | 3)), "{arguments:?}: {exit:?} {said}");
        assert!(said.contains("it is no regular file"), "{arguments:?}: {said}");
        let whats = ["program", "policy", "interface"];
        let is_read_by_us = whats.iter().any(|what| said.contains(&format!("cannot read the {what} file")));
        assert_eq!(said.contains("put it into a file"), is_read_by_us, "{arguments:?}: {said}");
    }
}

#[test]
fn a_device_without_an_end() {
    refused("/dev/zero");
}

#[test]
fn a_pipe_that_nobody_writes_to() {
    let place = Place::new();
    let path = place.path("pipe");
    mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).expect("a pipe");
    refused(path.to_str().expect("a path"));
}

#[test]
fn files_that_begin_with_a_byte_order_mark_are_read() {
    let place = Place::new();
    let program = std::fs::read(place.path("disk_usage.carnet")).expect("a program");
    let interface = b"module m { interface I { void f(); }; };\n";
    for (name, text) in [("bom.carnet", &program[..]), ("bom.idl", interface)] {
        place.write(name, &[b"\xef\xbb\xbf", text].concat());
    }
    for way in [
        &["check", "bom.carnet"][..],
        &["check", "hello.carnet", "--idl", "bom.idl"],
        &["idl", "check", "bom.idl"],
    ] {
        let output = place.carnet(way);
        assert_eq!(output.status.code(), Some(0), "{way:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    place.write("wrong.carnet", b"\xef\xbb\xbfprogramm p() {}\n");
    let said = place.carnet(&["check", "wrong.carnet"]).stderr;
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("wrong.carnet:1:1\n") && said.contains("`program`"), "{said}");
}
