//! `carnet serve linux`: what it refuses to serve, and what is left when it is killed.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn carnet(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carnet"));
    command.current_dir(folder).args(words).env_remove("CARNET_SERVER");
    command
}

fn refused(folder: &Path, words: &[&str]) -> String {
    let Output { status, stderr, .. } = carnet(folder, words).output().expect("it starts");
    assert_eq!(status.code(), Some(2), "{words:?}");
    String::from_utf8(stderr).expect("text")
}

fn server(folder: &Path) -> Child {
    let mut command = carnet(folder, &["serve", "linux", "data", "--listen", "unix:./c.sock"]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("it speaks");
    assert_eq!(line, "serving data as linux (read, write) on unix:./c.sock\n");
    child
}

/// Processes whose parent is `pid`.
fn children(pid: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok());
    let text: String = lists.collect();
    text.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::yield_now();
    }
}

const WAITS: &str =
    "use linux\n\nprogram waits(sys: System) {\n  let pipe = sys.pipe2(0)\n  sys.read(pipe.reader, 1)\n}\n";

#[test]
fn a_server_that_is_killed_leaves_no_process() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("data")).expect("it is made");
    fs::write(folder.path().join("waits.carnet"), WAITS).expect("it is written");
    let mut server = server(folder.path());
    let words = ["run", "waits.carnet", "sys=", "--server", "unix:./c.sock"];
    let mut client = carnet(folder.path(), &words).stderr(Stdio::null()).spawn().expect("it starts");
    wait_until("the session has a process", || !children(server.id()).is_empty());
    let processes = children(server.id());
    server.kill().expect("it is ours");
    server.wait().expect("it ends");
    // It waits for a pipe that nobody writes to.
    for pid in processes {
        wait_until("it ends with its server", || {
            let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            state.is_empty() || state.contains(") Z ")
        });
    }
    client.wait().expect("it ends");
}

#[test]
fn what_cannot_be_served_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let serve = |more: &[&str]| {
        let words = [&["serve"], more, &["--listen", "unix:./c.sock"]].concat();
        refused(folder.path(), &words)
    };
    assert!(serve(&["linux", "none"]).contains("there is no such directory"));
    assert!(serve(&["linux", "/"]).contains("/proc is below it"));
    assert!(serve(&["linux", ".", "--threads", "loop"]).contains("one loop cannot serve Linux calls"));
    assert!(serve(&["linux", ".", "--process-memory", "much"]).contains("is no size"));
    assert!(serve(&["files", ".", "--connect", "80"]).contains("are for linux"));
    assert!(serve(&["files", ".", "--also", "linux=."]).contains("--also takes no linux"));
}
