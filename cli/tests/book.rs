//! Policy files that the users' book shows are read, and the one that lists all keys has the defaults. A page with commands
//! that are run is typed as it stands, in an empty directory.
//!
//! | fence of such a page | done |
//! | --- | --- |
//! | `console run` | its commands are run, one after the other, and say what is shown; `BLESS=1` writes that anew |
//! | `carnet NAME`, `toml NAME` | the file NAME from there on; some command must run the program to its end |
//! | `rust PATH` | nothing: it stands in that file, which is a test |
//!
//! Any other listing is a fault there. In what is shown, `…` stands for what differs from run to run; the time of a receipt need
//! not be the same. Commands are those of [`support`], and besides `kill -KILL %1`, for the server, and what a shell knows.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::str::Lines;

use carnet_cli::policy::parse;
use carnet_program::host::{Accepts, Policy};
use rustix::process::Signal;
use support::{Place, ended, settle_line, signal, step, with_approval};

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
    /// Programs that no command has run to their end.
    not_run: BTreeSet<&'a str>,
}

impl<'a> Tour<'a> {
    fn of(page: &'a str) -> Tour<'a> {
        Tour {
            lines: page.lines().peekable(),
            place: Place::empty(),
            now: String::new(),
            not_run: BTreeSet::new(),
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
                ["carnet", name] => {
                    self.not_run.insert(name);
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
                let is_done = said.contains("receipt: ") && !command.contains("--dry-run");
                self.not_run.retain(|name| !(is_done && command.split(' ').any(|word| word == *name)));
            }
            self.put(&format!("$ {command}"));
            self.now.push_str(if is_what_comes(&shown, &said) { &shown } else { &said });
        }
    }

    fn said(&mut self, command: &str) -> String {
        if command == "kill -KILL %1" {
            signal(self.place.running(), Signal::KILL);
            ended(self.place.server());
            return String::new();
        }
        if ["carnet ", "export "].iter().any(|ours| command.starts_with(ours)) {
            return step(&mut self.place, command);
        }
        let output = self.place.shell(command);
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }
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
