//! Systems that refuse what sharing memory needs, as old ones and those of containers do: whoever asks for it is told why, and a
//! socket alone serves.
//!
//! Each test runs itself again under a program of `tests/c` that has the system refuse one of its calls.

mod support;

use std::path::Path;
use std::process::Command;

use carnet_portal::address::Address;
use carnet_portal::call::{Failure, Kind};
use carnet_portal::memory::Memory;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{ServerOptions, Threads};
use rustix::io::Errno;
use support::process::{WORDS, words};
use support::{BoxClient, Fixture, threads};

/// Runs a test of this file again, without a call of the system.
fn again_without(call: &str, test: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/without.c");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(concat!("withheld_", env!("CARGO_CRATE_NAME")));
    std::fs::create_dir_all(&folder).unwrap();
    let without = folder.join(test);
    // Whoever links Rust programs has it.
    let mut compiler = Command::new("cc");
    compiler.args(["-Wall", "-Wextra", "-Werror", "-o"]).arg(&without).arg(source);
    assert!(compiler.status().unwrap().success());
    for error in [Errno::NOSYS, Errno::PERM] {
        let mut command = Command::new(&without);
        command.args([call, &error.raw_os_error().to_string()]).arg(std::env::current_exe().unwrap());
        let output = command.arg(test).env(WORDS, error.raw_os_error().to_string()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{call}, {error}: {said}");
    }
}

/// What the system says, if it withholds something from this process.
fn withheld() -> Option<std::io::Error> {
    Some(std::io::Error::from_raw_os_error(words()?[0].parse().unwrap()))
}

/// What a client is told that asks for shared memory; through the socket alone it is served.
fn refusal(fixture: &Fixture) -> Failure {
    let session = RemoteSession::connect(&Address::Shared(fixture.path()), ConnectOptions::default());
    let refusal = BoxClient(session.unwrap().root()).add(40, 2).unwrap_err();
    assert_eq!(refusal.kind(), Kind::Refused);
    assert_eq!(fixture.client().add(40, 2), Ok(42));
    refusal
}

#[test]
fn without_memory_files_a_socket_serves() {
    let Some(error) = withheld() else {
        return again_without("memfd_create", "without_memory_files_a_socket_serves");
    };
    let fixture = Fixture::plain();
    let text = refusal(&fixture).details().message.clone();
    assert!(text.starts_with(&format!("the server has no memory to share: {error}")), "{text}");
    let failure = Memory::of(b"memory").unwrap_err();
    assert_eq!(failure.kind(), Kind::Refused);
    assert!(
        failure.details().message.starts_with(&format!("no memory to hand over: {error}")),
        "{failure:?}"
    );
}

/// Linux before 5.16 has no such call.
#[test]
fn a_loop_that_cannot_wait_for_many_words_serves_sockets() {
    if withheld().is_none() {
        return again_without("futex_waitv", "a_loop_that_cannot_wait_for_many_words_serves_sockets");
    }
    let fixture = Fixture::plain();
    if threads() == Threads::Loop {
        let text = "this server cannot wait for memory and sockets at once: that needs Linux 5.16";
        assert_eq!(refusal(&fixture).details().message, text);
    } else {
        let session = RemoteSession::connect(&Address::Shared(fixture.path()), ConnectOptions::default());
        assert_eq!(BoxClient(session.unwrap().root()).add(40, 2), Ok(42));
    }
}

#[test]
fn a_loop_that_cannot_be_woken_does_not_begin() {
    let Some(error) = withheld() else {
        return again_without("eventfd2", "a_loop_that_cannot_be_woken_does_not_begin");
    };
    let directory = tempfile::tempdir().unwrap();
    let address = Address::Unix(directory.path().join("s"));
    let options = ServerOptions { threads: Threads::Loop, ..ServerOptions::default() };
    let root = |_: &_| Err(Failure::service("nobody connects"));
    let refused = carnet_portal::server::Server::listen(&address, options, root).unwrap_err();
    assert_eq!(refused.to_string(), format!("cannot listen on {address}: {error}"));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "nothing stays of it");
}
