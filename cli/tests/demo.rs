//! The demonstration in small: that it runs, keeps its promises, clears up, and that what it recommends works.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

fn demo(temporary: &TempDir, round_trip_ms: u32) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carnet-demo"));
    command.args(["--files", "70", "--round-trip-ms", &round_trip_ms.to_string()]);
    command.env("TMPDIR", temporary.path()).stdin(Stdio::null());
    command
}

fn is_empty(dir: &TempDir) -> bool {
    dir.path().read_dir().expect("it is there").next().is_none()
}

fn text(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && err.is_empty(), "{}\n{out}\n{err}", output.status);
    out.into_owned()
}

#[test]
fn it_runs_to_its_end_and_what_it_recommends_works() {
    let temporary = tempfile::tempdir().expect("a temporary directory");
    let shown = text(&demo(&temporary, 1).output().expect("it starts"));
    assert!(is_empty(&temporary), "it left something behind");
    // It fails by itself if answers differ or round trips are not saved; that it shows all of it is seen here.
    for part in [
        "same answer, same files",
        "\ncopy a tree        |",
        "\ndisk usage         |",
        "\nfind duplicates    |",
        "\ndelete old files   |",
        "    Dir.list       R    11,000   line 12: 1,000 + limit 10,000\n",
        "  receipt: ",
        "  refused: backup_often (sha256:",
        "  help: did you mean `remove`?\n",
        "  error[type]: integer used as a file\n",
        "  stopped: limit reached: 10 of 10 writes (header, line 5)\n",
        "took effect: Dir.list ",
    ] {
        assert!(shown.contains(part), "it does not show {part:?}:\n{shown}");
    }
    recommended(&shown);
}

/// Types the commands that it shows last, in a directory where `docs` and `programs` are the repository's.
fn recommended(shown: &str) {
    let here = tempfile::tempdir().expect("a temporary directory");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository");
    for folder in ["docs", "programs"] {
        std::os::unix::fs::symlink(root.join(folder), here.path().join(folder)).expect("a link");
    }
    let (_, last) = shown.split_once("TRY IT").expect("it says what to try");
    let mut commands = last.lines().filter_map(|line| line.strip_prefix("  carnet "));
    let serve = commands.next().and_then(|serve| serve.strip_suffix(" &")).expect("first, a server");
    let mut server = Server::start(carnet(here.path(), serve));
    let commands: Vec<&str> = commands.collect();
    assert!(commands.len() >= 4, "{commands:?}");
    for command in commands {
        let output = carnet(here.path(), command).output().expect("it starts");
        assert!(!text(&output).is_empty(), "`carnet {command}` says nothing");
    }
    server.stop();
}

fn carnet(here: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carnet"));
    command.args(words.split_whitespace()).current_dir(here);
    command.env("CARNET_SERVER", "unix:./c.sock").stdin(Stdio::null());
    command
}

/// A server that ends with its owner.
struct Server(Child);

impl Server {
    fn start(mut command: Command) -> Server {
        let mut server =
            Server(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts"));
        // Its first line says that it listens.
        let out = server.0.stdout.take().expect("it is piped");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("it speaks");
        assert!(line.starts_with("serving docs"), "{line:?}");
        server
    }

    fn stop(&mut self) {
        signal(&self.0, Signal::TERM);
        assert!(self.0.wait().expect("it is ours").success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it is ours");
}

#[test]
fn interrupted_it_clears_up() {
    let temporary = tempfile::tempdir().expect("a temporary directory");
    // So slow that it cannot end before it is interrupted.
    let mut command = demo(&temporary, 1_000);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut shown = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut job = vec![0; "single calls".len()];
    while !job.ends_with(b"single calls") {
        let mut byte = [0];
        shown.read_exact(&mut byte).expect("it gets to the first job");
        job.push(byte[0]);
    }
    assert!(!is_empty(&temporary), "it works somewhere else");
    signal(&child, Signal::INT);
    let status = child.wait().expect("it is ours");
    assert_eq!(status.code(), Some(130));
    assert!(is_empty(&temporary), "it left something behind");
}

#[test]
fn whoever_stops_reading_ends_it_quietly() {
    let temporary = tempfile::tempdir().expect("a temporary directory");
    let mut child =
        demo(&temporary, 1).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it is ours");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    assert!(is_empty(&temporary), "it left something behind");
}
