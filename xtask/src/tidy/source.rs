//! Rules for single files: what a reader of Rust must not find, or must find with its reason.

use super::rust::{attributes, code};
use super::tree::{is_data, line_of, words};
use super::{Fault, Tree};

/// Files over [`LINES_MAX`], each with its reason.
const LONG: &[(&str, &str)] = &[];

/// A longer file is usually two.
const LINES_MAX: usize = 800;

/// Tests that sleep, each with its reason.
const SLEEPERS: &[(&str, &str)] = &[];

/// Names that say nothing of what is inside.
const EMPTY_NAMES: [&str; 5] = ["common", "util", "utils", "misc", "stuff"];

/// Sources in Rust that are no data of tests.
fn sources(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.ending(&[".rs"]).filter(|(name, _)| !is_data(name))
}

/// Unsafe code outside of boundary/.
pub(super) fn unsafe_code(tree: &Tree) -> Vec<Fault> {
    let what = "unsafe code stands in boundary/ only: call what is there, or add to it with its argument";
    sources(tree)
        .filter(|(name, _)| !name.starts_with("boundary/"))
        .flat_map(|(name, text)| at_words(name, text, concat!("un", "safe"), "unsafe", what))
        .collect()
}

fn at_words(name: &str, text: &str, word: &str, rule: &'static str, what: &str) -> Vec<Fault> {
    let code = code(text);
    words(&code, word).map(|at| Fault::new(name, line_of(&code, at), rule, what)).collect()
}

/// Attributes that silence a lint or a test without a reason.
pub(super) fn reasons(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (name, text) in sources(tree) {
        let code = code(text);
        for range in attributes(&code) {
            let attribute = &code[range.clone()];
            if let Some(what) = reasonless(attribute) {
                faults.push(Fault::new(name, line_of(&code, range.start), "reason", what));
            }
        }
    }
    faults
}

fn reasonless(attribute: &str) -> Option<&'static str> {
    let has = |word| words(attribute, word).next().is_some();
    if (has("allow") || has("expect")) && attribute.contains('(') && !has("reason") {
        return Some("a lint is silenced without a reason: add `reason = \"…\"`");
    }
    let bare = attribute.trim_start_matches(['#', '[', ' ']).trim_end_matches([']', ' ']) == "ignore";
    bare.then_some("a test is ignored without a reason: write `#[ignore = \"…\"]`")
}

/// What says that work is not done.
pub(super) fn unfinished(tree: &Tree) -> Vec<Fault> {
    const MACROS: [&str; 3] = ["todo", "unimplemented", "dbg"];
    let notes = [concat!("FIX", "ME"), concat!("XX", "X")];
    let mut faults = Vec::new();
    for (name, text) in sources(tree) {
        let code = code(text);
        for at in MACROS.iter().flat_map(|word| words(&code, word).map(|at| at + word.len())) {
            if code[at..].starts_with("!(") || code[at..].starts_with("![") || code[at..].starts_with("!{") {
                faults.push(Fault::new(name, line_of(&code, at), "unfinished", "finish it, or take it out"));
            }
        }
    }
    for (name, text) in tree.texts().filter(|(name, _)| !is_data(name)) {
        for at in notes.iter().flat_map(|note| words(text, note)) {
            let what = "a note to ourselves: do it, or file it where work is listed";
            faults.push(Fault::new(name, line_of(text, at), "unfinished", what));
        }
    }
    faults
}

/// Tests that wait for a fixed time.
pub(super) fn sleeps(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (name, text) in sources(tree).filter(|(name, _)| !excepted(SLEEPERS, name)) {
        let code = code(text);
        let tests = if in_tests(name) { Some(0) } else { code.find("#[cfg(test)]") };
        let found = code.match_indices("thread::sleep").map(|(at, _)| at);
        for at in found.filter(|at| tests.is_some_and(|tests| *at >= tests)) {
            let what = "a test waits for a fixed time: wait for the event, with a time-out";
            faults.push(Fault::new(name, line_of(&code, at), "sleep", what));
        }
    }
    faults
}

/// Descriptors that programs which are started would inherit: by that others are told from those that this process owns
/// (`boundary/syscalls`).
pub(super) fn inherited(tree: &Tree) -> Vec<Fault> {
    let what = "this descriptor would be inherited: open it with CLOEXEC (fcntl_dupfd_cloexec, pipe_with, …)";
    let mut faults = Vec::new();
    for (name, text) in sources(tree).filter(|(name, _)| !in_tests(name)) {
        let code = code(text);
        for call in ["io::dup(", "dup(&", "pipe::pipe()", "net::socket(", "net::accept("] {
            // A longer name that ends so is another call.
            let whole = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let found = code.match_indices(call).filter(|(at, _)| whole(*at));
            faults.extend(found.map(|(at, _)| Fault::new(name, line_of(&code, at), "inherited", what)));
        }
    }
    faults
}

fn in_tests(name: &str) -> bool {
    name.contains("/tests/") || name.ends_with("/tests.rs") || name.ends_with("_tests.rs")
}

fn excepted(list: &[(&str, &str)], name: &str) -> bool {
    list.iter().any(|(file, _)| *file == name)
}

/// Files that are too long, and exceptions that are no longer needed.
pub(super) fn lengths(tree: &Tree) -> Vec<Fault> {
    let long = |text: &str| text.lines().count() > LINES_MAX;
    let mut faults = Vec::new();
    for (name, text) in sources(tree).filter(|(name, text)| long(text) && !excepted(LONG, name)) {
        let what =
            format!("{} lines: split it, or give a reason in LONG of tidy/source.rs", text.lines().count());
        faults.push(Fault::new(name, LINES_MAX + 1, "length", what));
    }
    for (name, _) in LONG.iter().filter(|(name, _)| !tree.text(name).is_some_and(long)) {
        faults.push(Fault::new(
            name,
            1,
            "length",
            "needs no exception any more: take it out of LONG in tidy/source.rs",
        ));
    }
    faults
}

/// Files and folders whose names say nothing.
pub(super) fn names(tree: &Tree) -> Vec<Fault> {
    let empty = |part: &str| EMPTY_NAMES.contains(&part.split('.').next().unwrap_or_default());
    tree.all()
        .filter(|name| name.split('/').any(empty))
        .map(|name| {
            Fault::new(name, 1, "name", "the name says nothing: call it after the part or stage that it is")
        })
        .collect()
}

/// Crates that do not say what they are for, or have nothing in them.
pub(super) fn headers(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (name, text) in sources(tree) {
        if !name.ends_with("src/lib.rs") && !name.ends_with("src/main.rs") {
            continue;
        }
        if text.lines().take_while(|line| line.starts_with("//!")).count() < 3 {
            let what = "begin with at least 3 lines of `//!`: what it is for, what it does not do, its parts";
            faults.push(Fault::new(name, 1, "header", what));
        }
        if code(text).trim().is_empty() {
            faults.push(Fault::new(name, 1, "empty", "a crate with nothing in it: fill it or remove it"));
        }
    }
    faults
}

/// Blank space at the end of lines, tabs, and files that do not end with a newline.
pub(super) fn blanks(tree: &Tree) -> Vec<Fault> {
    const TABLESS: [&str; 6] = [".rs", ".md", ".idl", ".carnet", ".toml", ".json"];
    const OTHERS: [&str; 3] = ["Makefile", ".sh", ".ci/run"];
    let kinds = [TABLESS.as_slice(), &OTHERS].concat();
    let mut faults = Vec::new();
    for (name, text) in tree.ending(&kinds).filter(|(name, _)| !is_data(name)) {
        let tabless = TABLESS.iter().any(|ending| name.ends_with(ending));
        for (index, line) in text.lines().enumerate() {
            if line.ends_with([' ', '\t', '\r']) {
                faults.push(Fault::new(
                    name,
                    index + 1,
                    "blank",
                    "blank space at the end of the line: remove it",
                ));
            }
            if tabless && line.contains('\t') {
                faults.push(Fault::new(name, index + 1, "blank", "a tab: use spaces"));
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            let last = text.lines().count();
            faults.push(Fault::new(name, last, "blank", "no newline at the end of the file: add one"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::testing::places;
    use super::*;

    #[test]
    fn unsafe_code_is_found_outside_of_the_floor_only() {
        let text =
            concat!("// un", "safe\nlet s = \"un", "safe\";\nun", "safe { f() }\nun", "safe_code();\n");
        let files = [("a/src/lib.rs", text), ("boundary/src/lib.rs", text), ("a/tests/golden/b.rs", text)];
        assert_eq!(places(unsafe_code, &files), ["a/src/lib.rs:3"]);
    }

    #[test]
    fn silence_needs_a_reason() {
        let text = "#[allow(dead_code)]\n#[allow(dead_code, reason = \"x\")]\n#![expect(a,\n  b)]\n#[ignore]\n\
                    #[ignore = \"slow\"]\n#[cfg_attr(test, allow(x))]\n#[doc = \"#[allow(x)]\"]\nfn allow(x: A) {}\n";
        let expected = ["a.rs:1", "a.rs:3", "a.rs:5", "a.rs:7"];
        assert_eq!(places(reasons, &[("a.rs", text)]), expected);
    }

    #[test]
    fn unfinished_work_is_found() {
        let macros =
            concat!("to", "do!();\nlet todo = 1; // to", "do!()\ndb", "g!(x);\nunimple", "mented!(\"a\")\n");
        assert_eq!(places(unfinished, &[("a.rs", macros)]), ["a.rs:1", "a.rs:3", "a.rs:4"]);
        let notes = concat!("a\n FIX", "ME: b\nXX", "X\nmktemp XXXX", "XX\n");
        assert_eq!(places(unfinished, &[("a.md", notes)]), ["a.md:2", "a.md:3"]);
    }

    #[test]
    fn sleeps_are_found_in_tests_only() {
        let sleep = "std::thread::sleep(x);\n#[cfg(test)]\nmod tests { thread::sleep(x) }\n";
        let files = [("a/src/b.rs", sleep), ("a/tests/c.rs", "thread::sleep(x);\n")];
        assert_eq!(places(sleeps, &files), ["a/src/b.rs:3", "a/tests/c.rs:1"]);
    }

    #[test]
    fn descriptors_that_are_inherited_are_found() {
        let text = "let a = dup(&b)?;\nlet c = fcntl_dup(&b);\nrustix::net::socket(x);\nsocket_with(x);\n";
        let files = [("a/src/b.rs", text), ("a/tests/c.rs", text)];
        assert_eq!(places(inherited, &files), ["a/src/b.rs:1", "a/src/b.rs:3"]);
    }

    #[test]
    fn long_files_are_found() {
        let (at_limit, over) = ("\n".repeat(LINES_MAX), "\n".repeat(LINES_MAX + 1));
        let files = [("a.rs", at_limit.as_str()), ("b.rs", &over), ("c.md", &over)];
        assert_eq!(places(lengths, &files), ["b.rs:801"]);
    }

    #[test]
    fn names_that_say_nothing_are_found() {
        let files = [("a/utils/b.rs", ""), ("a/common.rs", ""), ("a/commons.rs", "")];
        assert_eq!(places(names, &files), ["a/common.rs:1", "a/utils/b.rs:1"]);
    }

    #[test]
    fn crates_say_what_they_are_for() {
        let good = "//! a\n//! b\n//! c\nmod x;\n";
        let files = [
            ("a/src/lib.rs", good),
            ("b/src/main.rs", "//! a\nmod x;\n"),
            ("c/src/lib.rs", "//!\n//!\n//!\n"),
        ];
        assert_eq!(places(headers, &files), ["b/src/main.rs:1", "c/src/lib.rs:1"]);
    }

    #[test]
    fn blank_space_is_found() {
        let files = [
            ("a.rs", "a \nb\tc\nd"),
            ("Makefile", "a:\n\tb\n"),
            ("b.md", "good\n"),
            ("a/tests/cases/c.carnet", "bad \t"),
        ];
        assert_eq!(places(blanks, &files), ["a.rs:1", "a.rs:2", "a.rs:3"]);
    }
}
