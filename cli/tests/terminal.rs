//! On a terminal: the question before a program that writes, and the line that shows progress.

mod support;

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::Child;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use support::{PATIENCE, Place, ended, signal};

/// A terminal, and the command on it.
struct Terminal {
    ours: File,
    child: Child,
    seen: String,
}

impl Terminal {
    fn start(place: &Place, arguments: &[&str]) -> Terminal {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("its other end");
        let name = ptsname(&ours, Vec::new()).expect("its name");
        let theirs =
            rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("its other end");
        let theirs = File::from(theirs);
        let copy = || theirs.try_clone().expect("a copy");
        let mut command = place.command(arguments);
        command.stdin(copy()).stdout(copy()).stderr(copy());
        let child = command.spawn().expect("it runs");
        Terminal { ours: File::from(ours), child, seen: String::new() }
    }

    /// Reads until `text` is there.
    fn expect(&mut self, text: &str) {
        while !self.seen.contains(text) {
            assert!(self.read(), "`{text}` does not come: {}", self.seen);
        }
    }

    /// Reads once; whether there was anything.
    fn read(&mut self) -> bool {
        let patience = Timespec::try_from(PATIENCE).expect("a time");
        let ready =
            poll(&mut [PollFd::new(&self.ours, PollFlags::IN)], Some(&patience)).expect("a descriptor");
        assert_eq!(ready, 1, "nothing comes any more: {}", self.seen);
        let mut buffer = [0; 4096];
        match self.ours.read(&mut buffer) {
            Ok(n) => {
                self.seen.push_str(&String::from_utf8_lossy(&buffer[..n]));
                n > 0
            }
            // The other end was closed.
            Err(_) => false,
        }
    }

    fn end(&mut self) -> Option<i32> {
        while self.read() {}
        ended(&mut self.child)
    }
}

fn served() -> Place {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    place.serve(&["serve", "files", "./data", "--listen", "unix:./c.sock", "--policy", "patient.toml"]);
    place
}

#[test]
fn a_program_that_writes_is_run_after_yes() {
    let place = served();
    let mut terminal = Terminal::start(&place, &["run", "delete_old.carnet", "root=/"]);
    terminal.expect("Run it? [y/N] ");
    assert!(terminal.seen.contains("Dir.remove    W       200   line 18"), "{}", terminal.seen);
    assert!(place.path("data/scratch/1.tmp").exists(), "nothing is removed before the answer");
    terminal.ours.write_all(b"y\n").expect("an answer");
    assert_eq!(terminal.end(), Some(0), "{}", terminal.seen);
    assert!(terminal.seen.contains("./scratch/1.tmp"), "{}", terminal.seen);
    assert!(!place.path("data/scratch/1.tmp").exists());
}

#[test]
fn anything_else_is_no() {
    let place = served();
    for answer in ["\n", "n\n", "yess\n"] {
        let mut terminal = Terminal::start(&place, &["run", "delete_old.carnet", "root=/"]);
        terminal.expect("Run it? [y/N] ");
        terminal.ours.write_all(answer.as_bytes()).expect("an answer");
        assert_eq!(terminal.end(), Some(6), "{}", terminal.seen);
        assert!(terminal.seen.contains("nothing was run."), "{}", terminal.seen);
    }
    assert!(place.path("data/scratch/1.tmp").exists());
}

#[test]
fn a_program_that_only_reads_is_not_asked_about() {
    let place = served();
    let mut terminal = Terminal::start(&place, &["run", "disk_usage.carnet", "root=/"]);
    assert_eq!(terminal.end(), Some(0), "{}", terminal.seen);
    assert!(!terminal.seen.contains("Run it?"), "{}", terminal.seen);
}

#[test]
fn a_long_run_shows_how_it_goes() {
    let place = served();
    let mut terminal = Terminal::start(&place, &["run", "forever.carnet", "root=/"]);
    terminal.expect("(Ctrl-C cancels)");
    assert!(terminal.seen.contains(" calls "), "{}", terminal.seen);
    signal(&terminal.child, Signal::INT);
    assert_eq!(terminal.end(), Some(4), "{}", terminal.seen);
}
