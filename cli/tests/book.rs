//! Policy files that the users' book shows are read, and the one that lists all keys has the defaults. A page with commands
//! that are run is typed as it stands, in an empty directory.
//!
//! | fence of such a page | done |
//! | --- | --- |
//! | `console run` | its commands are run, one after the other, and say what is shown; `BLESS=1` writes that anew |
//! | `carnet NAME`, `toml NAME` | the file NAME from there on; some command must run the program to its end |
//! | `carnet programs/NAME.carnet` | nothing: it ships; some command must run `+NAME` to its end |
//! | `rust PATH` | nothing: it stands in that file, which is a test |
//!
//! Any other listing is a fault there. In what is shown, `…` stands for what differs from run to run; the time of a receipt need
//! not be the same. Commands are those of [`support`], and besides what a shell knows, and
//!
//! | command | done |
//! | --- | --- |
//! | `kill -KILL %1` | that, to the server |
//! | `carnet run … &` | run in the background; if it has a `port`, nothing else happens before somebody listens there |
//! | `wait %2` | waits for what was run so, which a shell calls `%2` if there is one server; what it says |
//!
//! Ports are those of the page in bills, and in what is run and served others that are free and as far apart, so that no test takes
//! another's.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::iter::Peekable;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::str::Lines;
use std::time::Instant;

use carnet_cli::policy::parse;
use carnet_program::host::{Accepts, Policy};
use rustix::process::Signal;
use support::{PATIENCE, Place, ended, free_ports, rest, settle_line, signal, step, with_approval, words};

/// The listings of the page on serving that are policy files.
fn policies() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book/serving.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let after_fences = page.split("```toml\n").skip(1);
    after_fences.map(|after| after.split("```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn policies_of_the_book_are_read() {
    let policies = policies();
    assert!(policies.len() >= 2, "only {} were found", policies.len());
    for text in policies {
        if let Err(problem) = parse("serving.md", "strict", &text) {
            panic!("{}", problem.text);
        }
    }
}

#[test]
fn the_policy_with_all_keys_has_the_defaults() {
    let policy = parse("serving.md", "default", &policies()[0]).expect("it is read").policy;
    // What is accepted has no defaults; the listing repeats the limits.
    let limits = policy.limits;
    let accepts = Accepts {
        calls: Some(limits.calls),
        writes: Some(limits.writes),
        written: Some(limits.written),
        instructions: Some(limits.instructions),
    };
    assert_eq!(policy, Policy { accepts, ..Policy::default() });
}

/// A page while it is typed.
struct Tour<'a> {
    lines: Peekable<Lines<'a>>,
    place: Place,
    /// The page with what comes now.
    now: String,
    /// Programs that no command has run to their end, as commands name them.
    not_run: BTreeSet<String>,
    /// What is used instead of the first of [`PORTS`], once one of them is named.
    first_port: Option<u16>,
    /// What runs in the background: its number, its command and itself.
    jobs: Vec<(usize, String, Child)>,
}

impl Drop for Tour<'_> {
    fn drop(&mut self) {
        for (_, _, child) in &mut self.jobs {
            // Of a page that differs, whoever was not waited for.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Ports that a page may name, and what stands before one.
const PORTS: Range<u16> = 7000..7004;
const BEFORE_PORTS: [&str; 3] = ["port=", "--connect ", "--bind "];

impl<'a> Tour<'a> {
    fn of(page: &'a str) -> Tour<'a> {
        Tour {
            lines: page.lines().peekable(),
            place: Place::empty(),
            now: String::new(),
            not_run: BTreeSet::new(),
            first_port: None,
            jobs: Vec::new(),
        }
    }

    fn put(&mut self, line: &str) {
        self.now.extend([line, "\n"]);
    }

    fn walk(&mut self) {
        while let Some(line) = self.lines.next() {
            self.put(line);
            let Some(fence) = line.strip_prefix("```") else { continue };
            match fence.split(' ').collect::<Vec<_>>()[..] {
                ["console", "run"] => self.commands(),
                ["carnet", path] if path.starts_with("programs/") => {
                    let name = Path::new(path).file_stem().expect("a name").to_str().expect("text");
                    self.not_run.insert(format!("+{name}"));
                    let text = self.until(|line| line == "```");
                    self.now.push_str(&text);
                }
                ["carnet", name] => {
                    self.not_run.insert(name.to_owned());
                    self.file(name);
                }
                ["toml", name] => self.file(name),
                ["rust", path] if path.contains("/tests/") => {
                    let text = self.until(|line| line == "```");
                    self.now.push_str(&text);
                }
                _ => panic!("a listing that is not run: `{fence}`"),
            }
            assert_eq!(self.lines.next(), Some("```"), "the listing has no end");
            self.put("```");
        }
    }

    /// The lines before the next that is such.
    fn until(&mut self, is_end: fn(&str) -> bool) -> String {
        let mut text = String::new();
        while let Some(line) = self.lines.next_if(|line| !is_end(line)) {
            text.extend([line, "\n"]);
        }
        text
    }

    fn file(&mut self, name: &str) {
        let text = self.until(|line| line == "```");
        self.place.write(name, text.as_bytes());
        self.now.push_str(&text);
    }

    fn commands(&mut self) {
        while let Some(command) = self.lines.next_if(|line| line.starts_with("$ ")) {
            let command = with_approval(&command[2..], &self.place.approval);
            let shown = self.until(|line| line.starts_with("$ ") || line == "```");
            let mut said = self.said(&command);
            if !said.is_empty() && !said.ends_with('\n') {
                said.push('\n');
            }
            if command.starts_with("carnet deliver") {
                let names = |said: &str, name: &str| said.split(' ').any(|word| word == name || word == "by");
                let delivered =
                    |name: &str| said.lines().any(|line| line.contains("  delivered") && names(line, name));
                self.not_run.retain(|name| !delivered(name));
            }
            if command.contains(" run ") || command.contains(" resume ") {
                self.ran(&command, &said);
            }
            self.put(&format!("$ {command}"));
            self.now.push_str(if is_what_comes(&shown, &said) { &shown } else { &said });
        }
    }

    fn ran(&mut self, command: &str, said: &str) {
        let is_done = said.contains("receipt: ") && !command.contains("--dry-run");
        self.not_run.retain(|name| !(is_done && command.split(' ').any(|word| word == name)));
    }

    fn said(&mut self, command: &str) -> String {
        if command == "kill -KILL %1" {
            signal(self.place.running(), Signal::KILL);
            ended(self.place.server());
            return String::new();
        }
        if let Some(job) = command.strip_prefix("wait %") {
            return self.wait(job.parse().expect("the number of a job"));
        }
        let is_ours = ["carnet ", "export "].iter().any(|ours| command.starts_with(ours));
        if is_ours && command.contains(" | ") {
            let said = self.said_by_a_shell(command);
            if let Some((_, approval)) = said.split_once("approve:") {
                self.place.approval = approval.chars().take_while(char::is_ascii_hexdigit).collect();
            }
            return said;
        }
        if is_ours {
            let command = self.with_free_ports(command);
            return match command.strip_suffix(" &") {
                Some(run) if run.starts_with("carnet run ") => self.begin(run),
                serves => {
                    let said = step(&mut self.place, &command);
                    if serves.is_some() { self.with_ports_of_the_page(said) } else { said }
                }
            };
        }
        self.said_by_a_shell(command)
    }

    fn said_by_a_shell(&self, command: &str) -> String {
        let output = self.place.shell(command);
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    /// A command that runs or serves, as it is given here: with ports that are free, and the approval for these.
    fn with_free_ports(&mut self, command: &str) -> String {
        if command.starts_with("carnet bill ") {
            return command.to_owned();
        }
        let mut here = command.to_owned();
        for before in BEFORE_PORTS {
            let mut parts = here.split(before);
            let mut with = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
                let port: u16 = part[..end].parse().expect("a port");
                assert!(PORTS.contains(&port), "a page names a port of {PORTS:?}, not {port}");
                let first = *self.first_port.get_or_insert_with(|| free_ports(PORTS.len() as u16));
                with.push_str(&format!("{before}{}{}", first + port - PORTS.start, &part[end..]));
            }
            here = with;
        }
        match here.strip_prefix("carnet run ").and_then(|run| run.split_once(" --approve ")) {
            Some((run, _)) if here != command => {
                let shown = self.place.approval.clone();
                step(&mut self.place, &format!("quiet carnet bill {run}"));
                let here = with_approval(&here, &self.place.approval);
                self.place.approval = shown;
                here
            }
            _ => here,
        }
    }

    /// What a server says, who names its ports.
    fn with_ports_of_the_page(&self, said: String) -> String {
        let Some(first) = self.first_port else { return said };
        let ports = PORTS.zip(first..);
        ports.fold(said, |said, (page, here)| said.replace(&here.to_string(), &page.to_string()))
    }

    /// Runs a command in the background.
    fn begin(&mut self, command: &str) -> String {
        let words = words(command);
        let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let port = arguments.iter().find_map(|word| word.strip_prefix("port=")?.parse().ok());
        let mut run = self.place.command(&arguments);
        let mut child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let began = Instant::now();
        while port.is_some_and(|port| !has_listener(port)) {
            // Whoever waits for it is told what it said.
            if child.try_wait().expect("a child").is_some() {
                break;
            }
            assert!(began.elapsed() < PATIENCE, "{command}: nobody listens");
            std::thread::yield_now();
        }
        let number = self.jobs.last().map_or(2, |(number, ..)| number + 1);
        self.jobs.push((number, command.to_owned(), child));
        String::new()
    }

    /// Waits for what runs in the background; what it says.
    fn wait(&mut self, job: usize) -> String {
        let at = self.jobs.iter().position(|(number, ..)| *number == job).expect("there is such a job");
        let (_, command, mut child) = self.jobs.remove(at);
        let code = ended(&mut child);
        let said = rest(child.stdout.take().expect("its output")) + &rest(child.stderr.take().expect("it"));
        self.ran(&command, &said);
        if code == Some(0) { said } else { format!("{said}? {code:?}\n") }
    }
}

/// Whether somebody listens at a port of the loopback address, over TCP or UDP.
fn has_listener(port: u16) -> bool {
    let local = format!("0100007F:{port:04X}");
    // What the kernel calls to listen, and to be bound.
    [("/proc/net/tcp", "0A"), ("/proc/net/udp", "07")].iter().any(|(table, state)| {
        let table = fs::read_to_string(table).expect("the system's table");
        let is_it = |line: &str| {
            let cells: Vec<&str> = line.split_whitespace().collect();
            cells.get(1) == Some(&local.as_str()) && cells.get(3) == Some(state)
        };
        table.lines().any(is_it)
    })
}

/// Whether what is shown is what was said, as far as it can be the same each time.
fn is_what_comes(shown: &str, said: &str) -> bool {
    let is_line = |shown: &str, said: &str| {
        let (shown, said) = (settle_line(shown), settle_line(said));
        let mut parts = shown.split('…');
        let mut rest = said.strip_prefix(parts.next().unwrap_or_default());
        for part in parts {
            rest = rest.and_then(|rest| Some(&rest[rest.rfind(part)? + part.len()..]));
        }
        rest == Some("")
    };
    shown.lines().count() == said.lines().count()
        && shown.lines().zip(said.lines()).all(|(shown, said)| is_line(shown, said))
}

#[test]
fn pages_with_commands_are_what_comes() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book");
    let pages = fs::read_dir(book).expect("the book").map(|entry| entry.expect("a page").path());
    let texts = pages.map(|path: PathBuf| (fs::read_to_string(&path).expect("text"), path));
    let mut count = 0;
    for (text, path) in texts.filter(|(text, _)| text.contains("\n```console run\n")) {
        count += 1;
        let mut tour = Tour::of(&text);
        tour.walk();
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &tour.now).expect("a page");
            continue;
        }
        let difference = support::difference(&text, &tour.now);
        assert!(difference.is_empty(), "{} differs (BLESS=1 writes it anew):\n{difference}", path.display());
        assert!(tour.not_run.is_empty(), "{}: {:?} are not run to their end", path.display(), tour.not_run);
    }
    assert!(count > 0, "no page has commands");
}
