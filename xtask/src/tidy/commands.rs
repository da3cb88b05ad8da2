//! Commands and tests that the documents name: they are there.
//!
//! In every document, in spans of code and at the start of lines of fenced code: `make X` and `cargo xtask X`, and `cargo xtask bench NAME`. In docs/support/ and
//! docs/soundness/, which say what shows a claim: also paths of files, `path.rs::name` of tests, and
//! `cargo test -p PACKAGE --test FILE`.

use super::markdown::{Kind, lines, spans};
use super::tree::words;
use super::{Fault, Tree};
use crate::commands;

/// Documents in which a span of code with a path in it must name a file.
const EVIDENCE: [&str; 2] = ["docs/support/", "docs/soundness/"];

/// Commands and tests that are not there.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (name, text) in tree.ending(&[".md"]) {
        let evidence = EVIDENCE.iter().any(|folder| name.starts_with(folder));
        for (line, kind, content) in lines(text) {
            let found = match kind {
                Kind::Prose => spans(content).1,
                Kind::Code => vec![content.trim_start().trim_start_matches("$ ")],
            };
            for text in found {
                let what = command(tree, text).or_else(|| path(tree, text).filter(|_| evidence));
                faults.extend(what.map(|what| Fault::new(name, line, "command", what)));
            }
        }
    }
    faults
}

fn command(tree: &Tree, span: &str) -> Option<String> {
    let words: Vec<&str> = span.split_whitespace().collect();
    match words.as_slice() {
        ["make", target, ..] => make(tree, target),
        ["cargo", "xtask", "bench", names @ ..] => names
            .iter()
            .take_while(|name| !matches!(**name, "|" | "#" | ">"))
            .find_map(|name| bench(tree, name)),
        ["cargo", "xtask", name, ..] => xtask(name),
        ["cargo", "test", rest @ ..] => test(tree, rest),
        _ => None,
    }
}

/// `NAME` and `…` stand for something else.
fn stands_for_another(word: &str) -> bool {
    word.starts_with('-') || !word.contains(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
}

fn make(tree: &Tree, target: &str) -> Option<String> {
    let rule = format!("{target}:");
    let known = tree.text("Makefile").is_some_and(|text| text.lines().any(|line| line.starts_with(&rule)));
    (!known && !stands_for_another(target)).then(|| format!("the Makefile has no target `{target}`"))
}

fn xtask(name: &str) -> Option<String> {
    let known = matches!(name, "help") || commands::find(name).is_some();
    (!known && !stands_for_another(name)).then(|| format!("xtask has no command `{name}`"))
}

/// A benchmark is known if a source of bench/ has its name as a text.
fn bench(tree: &Tree, name: &str) -> Option<String> {
    let quoted = format!("\"{name}\"");
    let known =
        tree.ending(&[".rs"]).any(|(file, text)| file.starts_with("bench/src/") && text.contains(&quoted));
    (!known && !stands_for_another(name)).then(|| format!("bench/src has no benchmark `{name}`"))
}

fn test(tree: &Tree, rest: &[&str]) -> Option<String> {
    let after = |flag| rest.iter().position(|word| *word == flag).and_then(|at| rest.get(at + 1));
    if let Some(package) = after("-p") {
        let line = format!("name = \"{package}\"");
        if !tree.ending(&["Cargo.toml"]).any(|(_, text)| text.lines().any(|found| found == line)) {
            return Some(format!("there is no package `{package}`"));
        }
    }
    let file = after("--test")?;
    let endings = [format!("/tests/{file}.rs"), format!("/tests/{file}/main.rs")];
    let known = tree.all().any(|name| endings.iter().any(|ending| name.ends_with(ending)));
    (!known).then(|| format!("there is no test file tests/{file}.rs"))
}

/// A span such as `portal/tests/frames.rs::truncated`: it begins with a folder of the repository.
fn path(tree: &Tree, span: &str) -> Option<String> {
    let (first, _) = span.split_once('/')?;
    if span.contains(char::is_whitespace) || first.is_empty() || !tree.has(first) || tree.has_file(first) {
        return None;
    }
    let (path, test) = span.split_once("::").map_or((span, None), |(path, test)| (path, Some(test)));
    if !tree.has(path) {
        return Some(format!("there is no `{path}`"));
    }
    let name = test?.rsplit("::").next()?;
    let text = tree.text(path).unwrap_or_default();
    let known = words(text, name).any(|at| is_test(&text[..at]));
    (!known).then(|| format!("`{path}` has no test `{name}`"))
}

/// Whether the name behind `before` is that of a test: a function, below attributes of which one says so.
fn is_test(before: &str) -> bool {
    let Some(above) = before.strip_suffix("fn ") else { return false };
    let attributes = above
        .trim_end()
        .lines()
        .rev()
        .map(str::trim)
        .take_while(|line| line.starts_with("#[") || line.starts_with("//"));
    attributes.into_iter().any(|line| line == "#[test]")
}

#[cfg(test)]
mod tests {
    use super::super::testing::places;
    use super::*;

    const FILES: [(&str, &str); 4] = [
        ("Makefile", "test:  ## x\n"),
        ("portal/Cargo.toml", "[package]\nname = \"carnet-portal\"\n"),
        (
            "portal/tests/frames.rs",
            "#[test]\n// Why.\n#[expect(x)]\nfn truncated() {}\n\n#[test]\nfn x() {}\nfn helper() {}\n",
        ),
        ("bench/src/main.rs", "\"interp\" => x,\n"),
    ];

    fn faults_in(text: &str) -> Vec<String> {
        let files = [&FILES[..], &[("docs/support/papers.md", text)]].concat();
        places(check, &files)
    }

    #[test]
    fn what_is_there_passes() {
        let spans = [
            "make test",
            "make X",
            "cargo xtask tidy",
            "cargo xtask bench interp --json",
            "cargo xtask bench NAME",
            "cargo test -p carnet-portal --test frames",
            "portal/tests/frames.rs::truncated",
            "portal/tests/",
            "a/b",
        ];
        for span in spans {
            assert!(faults_in(&format!("| `{span}` |\n")).is_empty(), "{span}");
        }
    }

    #[test]
    fn what_is_not_there_fails() {
        let spans = [
            "make tset",
            "cargo xtask tidyy",
            "cargo xtask bench interp compile",
            "cargo test -p carnet-protal",
            "cargo test -p carnet-portal --test framse",
            "portal/tests/frames.rs::trunc",
            "portal/tests/frames.rs::helper",
            "portal/tests/none.rs",
        ];
        for span in spans {
            assert_eq!(faults_in(&format!("\n| `{span}` |\n")), ["docs/support/papers.md:2"], "{span}");
        }
    }

    #[test]
    fn fenced_commands_are_checked() {
        let text = "```\n$ make test  # all\ncargo xtask bench interp > out\n$ make none\nmade of `make none`\n```\n";
        assert_eq!(faults_in(text), ["docs/support/papers.md:4"]);
    }

    #[test]
    fn paths_are_checked_only_where_they_are_evidence() {
        let files = [&FILES[..], &[("docs/book/a.md", "`portal/none.rs` `make none`\n")]].concat();
        assert_eq!(places(check, &files), ["docs/book/a.md:1"]);
    }
}
