//! Runs the real command in a directory of its own, against real servers, and compares what it says with golden
//! texts.
//!
//! A golden file is a transcript: commands behind `$ `, what they printed (standard output, then standard error),
//! and `? N` if the exit code was not 0. Only the commands are input; `BLESS=1` writes the rest anew.
//!
//! | in a command | means |
//! | --- | --- |
//! | `carnet …` | runs it |
//! | `carnet serve … &` | starts it, waits until it serves, stops it at the end of the file |
//! | `quiet carnet …` | runs it and shows nothing, for its approval |
//! | `export NAME=VALUE` | for the commands that follow |
//! | `APPROVAL` | the hash that the last output showed behind `approve:` |
//! | `ADDRESS` | the `carnet://` address that the last server printed |
//! | `PORT` | its port |
//!
//! What differs from run to run is replaced: hashes, names of runs, times, the user's name, numbers of instructions.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

pub mod c;
pub mod peer;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, SystemTime};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use tempfile::TempDir;

/// How long anything may take before a test fails; no test waits for it to pass.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A directory with the fixtures, some data to serve, and what runs in it.
pub struct Place {
    dir: TempDir,
    vars: Vec<(String, String)>,
    servers: Vec<Child>,
    /// The hash that the last bill showed.
    pub approval: String,
    address: String,
}

impl Place {
    /// The fixtures, and a small tree in `data`.
    pub fn new() -> Place {
        let place = Place::empty();
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs");
        for from in [programs, fixtures] {
            for entry in fs::read_dir(from).expect("fixtures") {
                let path = entry.expect("an entry").path();
                if path.is_file() && path.extension().is_some() && !path.ends_with("Cargo.toml") {
                    fs::copy(&path, place.dir.path().join(path.file_name().expect("a name")))
                        .expect("a copy");
                }
            }
        }
        place.data();
        place
    }

    /// Nothing but a directory.
    pub fn empty() -> Place {
        Place {
            dir: tempfile::tempdir().expect("a temporary directory"),
            vars: Vec::new(),
            servers: Vec::new(),
            approval: String::new(),
            address: String::new(),
        }
    }

    fn data(&self) {
        self.write("data/src/LICENSE", b"license\n");
        self.write("data/src/a/LICENSE", b"license\n");
        self.write("data/src/README", &[b'r'; 2000]);
        fs::create_dir(self.path("data/backup")).expect("a directory");
        let old = SystemTime::now() - Duration::from_secs(100 * 86_400);
        for name in ["1.tmp", "2.tmp", "3.tmp", "young.tmp", "keep.txt"] {
            let path = format!("data/scratch/{name}");
            self.write(&path, name.as_bytes());
            if name != "young.tmp" {
                let file = fs::File::options().write(true).open(self.path(&path)).expect("a file");
                file.set_modified(old).expect("its time set");
            }
        }
    }

    /// Writes a file, and the directories above it.
    pub fn write(&self, path: &str, content: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        fs::write(path, content).expect("a file");
    }

    /// A path in the directory.
    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// Sets a variable for commands that follow.
    pub fn export(&mut self, name: &str, value: &str) {
        self.vars.push((name.to_owned(), value.to_owned()));
    }

    /// The command, ready to run with these arguments.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carnet"));
        self.surround(command.args(arguments));
        command
    }

    /// Gives a command the directory and the variables.
    fn surround(&self, command: &mut Command) {
        command
            .current_dir(self.dir.path())
            .env_remove("CARNET_SERVER")
            .env_remove("CARNET_TOKEN_FILE")
            .env_remove("CARNET_LOG")
            .env("XDG_STATE_HOME", self.path("state"))
            .envs(self.vars.iter().cloned())
            .stdin(Stdio::null());
    }

    /// Runs a line of a shell, which knows the command.
    pub fn shell(&self, line: &str) -> Output {
        let folder = Path::new(env!("CARGO_BIN_EXE_carnet")).parent().expect("a folder");
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("sh");
        self.surround(command.args(["-c", line]).env("PATH", path));
        command.output().expect("a shell")
    }

    /// Runs the command.
    pub fn carnet(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the command runs")
    }

    /// Starts a server; what it printed when it was ready.
    pub fn serve(&mut self, arguments: &[&str]) -> String {
        let mut child = self.command(arguments).stdout(Stdio::piped()).spawn().expect("the command runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        self.servers.push(child);
        line
    }

    /// The server that was started last, to send it a signal.
    pub fn running(&self) -> &Child {
        self.servers.last().expect("a server")
    }

    /// The server that was started first, to send it a signal.
    pub fn first(&self) -> &Child {
        self.servers.first().expect("a server")
    }

    /// Ends the server that was started first, and waits for that.
    pub fn end_first(&mut self, how: Signal) {
        let first = self.servers.first_mut().expect("a server");
        signal(first, how);
        ended(first);
    }

    /// The same of the second.
    pub fn end_second(&mut self, how: Signal) {
        let second = self.servers.get_mut(1).expect("two servers");
        signal(second, how);
        ended(second);
    }

    /// The server that was started last.
    pub fn server(&mut self) -> &mut Child {
        self.servers.last_mut().expect("a server")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        for child in &mut self.servers {
            // One that has ended by itself is what some tests want.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A port that was free a moment ago, and that the system gives to nobody by itself: whoever connects to one of those before somebody
/// listens may find himself at the other end.
pub fn free_port() -> u16 {
    free_ports(1)
}

/// The first of so many such ports, one behind the other.
pub fn free_ports(count: u16) -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let is_free =
        |at: u16| TcpListener::bind(("127.0.0.1", at)).is_ok() && UdpSocket::bind(("127.0.0.1", at)).is_ok();
    loop {
        let next = u32::from(NEXT.fetch_add(count, Ordering::Relaxed)) + 97 * std::process::id();
        let first = 10_000 + (next % 10_000) as u16;
        if (first..first + count).all(is_free) {
            return first;
        }
    }
}

/// Sends a signal to a child.
pub fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("the child is there");
}

/// Waits until a child ends; its exit code, unless a signal ended it.
pub fn ended(child: &mut Child) -> Option<i32> {
    let process = pidfd_open(Pid::from_child(child), PidfdFlags::empty()).expect("the child is there");
    let patience = Timespec::try_from(PATIENCE).expect("a time");
    let ready = poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&patience)).expect("a descriptor");
    assert_eq!(ready, 1, "it does not end");
    child.wait().expect("a child").code()
}

/// All that is left to read.
pub fn rest(mut from: impl std::io::Read) -> String {
    let mut text = String::new();
    from.read_to_string(&mut text).expect("text");
    text
}

/// Runs the commands of a golden file and compares what they say.
pub fn golden(place: &mut Place, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    let expected = fs::read_to_string(&path).expect("a golden file");
    let mut found = String::new();
    let mut head = expected.lines().take_while(|line| !line.starts_with("$ ")).collect::<Vec<_>>().join("\n");
    if !head.is_empty() {
        head.push('\n');
    }
    found.push_str(&head);
    for line in expected.lines().filter(|line| line.starts_with("$ ")) {
        found.push_str(line);
        found.push('\n');
        found.push_str(&settle(&step(place, &line[2..])));
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, found).expect("a golden file");
    } else {
        assert!(
            found == expected,
            "{name}.txt differs (BLESS=1 writes it anew):\n{}",
            difference(&expected, &found)
        );
    }
}

/// The lines of two texts that are not the same.
pub fn difference(expected: &str, found: &str) -> String {
    let (mut old, mut new) = (expected.lines(), found.lines());
    let mut text = String::new();
    loop {
        match (old.next(), new.next()) {
            (None, None) => return text,
            (old, new) if old == new => {}
            (old, new) => {
                text.push_str(&format!("- {}\n+ {}\n", old.unwrap_or("(end)"), new.unwrap_or("(end)")));
            }
        }
    }
}

/// Runs a command of a transcript; what it says.
pub fn step(place: &mut Place, line: &str) -> String {
    let port = place.address.split('#').next().and_then(|place| place.rsplit(':').next()).unwrap_or_default();
    let line = &line.replace("ADDRESS", &place.address).replace("PORT", port);
    if let Some(assignment) = line.strip_prefix("export ") {
        let (name, value) = assignment.split_once('=').expect("NAME=VALUE");
        place.export(name, value);
        return String::new();
    }
    let line = line.replace("APPROVAL", &place.approval);
    let mut words = words(&line);
    let is_quiet = words.first().is_some_and(|word| word == "quiet");
    if is_quiet {
        words.remove(0);
    }
    assert_eq!(words.first().map(String::as_str), Some("carnet"), "a command of ours: {line}");
    words.remove(0);
    let in_background = words.last().is_some_and(|word| word == "&");
    if in_background {
        words.pop();
    }
    let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
    if in_background {
        let line = place.serve(&arguments);
        if let Some((_, address)) = line.split_once("carnet://") {
            let address = address.split_whitespace().next().expect("an address");
            place.address = format!("carnet://{address}");
        }
        return line;
    }
    let output = place.carnet(&arguments);
    let mut text = String::from_utf8(output.stdout).expect("text");
    text.push_str(std::str::from_utf8(&output.stderr).expect("text"));
    if let Some((_, approval)) = text.split_once("approve:") {
        place.approval = approval.chars().take_while(char::is_ascii_hexdigit).collect();
    }
    if is_quiet {
        return String::new();
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match output.status.code() {
        Some(0) => {}
        code => text.push_str(&format!("? {}\n", code.map_or("signal".to_owned(), |code| code.to_string()))),
    }
    text
}

/// What approves a program, as its bill says.
#[track_caller]
pub fn approval(bill: &str) -> &str {
    let approval = bill.split("approve:").nth(1).and_then(|rest| rest.split_whitespace().next());
    approval.unwrap_or_else(|| panic!("no approval: {bill}"))
}

/// A command that approves the bill that was shown last.
pub fn with_approval(command: &str, approval: &str) -> String {
    replace(command, " --approve ", hex, approval)
}

/// The words of a command line; single quotes keep blanks.
pub fn words(line: &str) -> Vec<String> {
    let mut words = vec![];
    let (mut word, mut quoted, mut begun) = (String::new(), false, false);
    for c in line.chars() {
        match c {
            '\'' => (quoted, begun) = (!quoted, true),
            ' ' if !quoted => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            c => {
                word.push(c);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

/// Replaces what differs from run to run.
fn settle(text: &str) -> String {
    let mut settled = text.replace(&format!("`{}` needs", user()), "`alice` needs");
    for (before, keep, with) in [
        ("sha256:", hex as fn(char) -> bool, "HASH"),
        ("approve:", hex, "HASH"),
        ("--approve ", hex, "HASH"),
        ("modified=", number, "T"),
        ("\"left_s\":", number, "T"),
        ("  up ", number, "T"),
        ("--run r-", name, "NAME"),
        ("resume r-", name, "NAME"),
        ("127.0.0.1:", number, "PORT"),
        ("carnet-token-", hex, "SECRET"),
    ] {
        settled = replace(&settled, before, keep, with);
    }
    let settled = replace_long_numbers(&replace_fingerprints(&settled));
    settled.lines().map(|line| format!("{}\n", settle_line(line))).collect()
}

/// Without the time of a receipt and the number of instructions.
pub fn settle_line(line: &str) -> String {
    if line.starts_with("receipt: ") {
        let without = line.rsplit_once(", ").map_or(line, |(start, _)| start);
        return format!("{without}, T s");
    }
    if line.trim_start().starts_with("instructions ") {
        let digits = line.trim_end_matches(|c: char| c.is_ascii_digit() || c == ',').len();
        if digits < line.len() {
            return format!("{}{}", &line[..digits], "N".repeat(line.len() - digits));
        }
    }
    if let Some((start, rest)) = line.split_once(" instructions")
        && let Some((start, _)) = start.rsplit_once(", ")
        && line.starts_with("ok: ")
    {
        return format!("{start}, N instructions{rest}");
    }
    line.to_owned()
}

fn hex(c: char) -> bool {
    c.is_ascii_hexdigit()
}

fn number(c: char) -> bool {
    c.is_ascii_digit() || c == ','
}

fn name(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

/// Fingerprints of keys: 64 digits; one that is all the same is the test's own.
fn replace_fingerprints(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(hex) {
        let len = rest[start..].find(|c| !hex(c)).unwrap_or(rest.len() - start);
        let (before, digits) = (&rest[..start], &rest[start..start + len]);
        out.push_str(before);
        out.push_str(if len == 64 && digits.contains(|c| c != 'e') { "FINGERPRINT" } else { digits });
        rest = &rest[start + len..];
    }
    out + rest
}

/// Times in ns: no other number is as long.
fn replace_long_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let len = rest[start..].find(|c| !number(c)).unwrap_or(rest.len() - start);
        let (before, digits) = (&rest[..start], &rest[start..start + len]);
        out.push_str(before);
        out.push_str(if len >= 25 { "T" } else { digits });
        rest = &rest[start + len..];
    }
    out + rest
}

/// Behind each `before`, what is to be kept is replaced.
fn replace(text: &str, before: &str, is_part: fn(char) -> bool, with: &str) -> String {
    let mut parts = text.split(before);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(is_part);
        out.push_str(before);
        if rest.len() < part.len() {
            out.push_str(with);
        }
        out.push_str(rest);
    }
    out
}

fn user() -> String {
    let output = Command::new("id").arg("-un").output().expect("`id` runs");
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

/// Leaves a test whose subject is missing: a failure, so that it is seen, unless whoever runs the tests said that they
/// may skip.
///
/// # Panics
/// Unless `CARNET_TESTS_MAY_SKIP` is set.
pub fn skip(reason: &str) {
    assert!(
        std::env::var_os("CARNET_TESTS_MAY_SKIP").is_some(),
        "what this test needs is missing (CARNET_TESTS_MAY_SKIP=1 skips it): {reason}"
    );
}
