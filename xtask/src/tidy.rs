//! A test of the source itself: what a reviewer would otherwise have to see each time.
//!
//! It reads the files that git tracks or would track, so that it sees what will land. Each rule is a function
//! from the [`Tree`] to faults; a fault says file, line, rule and what to do. It knows Rust only as far as a
//! lexer does (`rust`), and never compiles anything.
//!
//! | file | rules |
//! | --- | --- |
//! | `arrows` | direction of dependencies between crates; lints inherited by all |
//! | `source` | unsafe, reasons, unfinished work, sleeps in tests, descriptors that are inherited, length, names, headers, blank space |
//! | `dead` | files that nothing reaches, folders with nothing in them |
//! | `links` | links and anchors in the documents |
//! | `commands` | commands and tests that the documents name |
//! | `arguments` | arguments for soundness name tests |
//! | `proofs` | who may promise what the floor relies on |
//! | `places` | names of places that must not stand in the repository |

mod arguments;
mod arrows;
mod commands;
mod dead;
mod links;
mod markdown;
mod places;
mod proofs;
mod rust;
mod source;
mod tree;

use std::fmt;
use std::path::Path;

use crate::table;
pub(crate) use proofs::PROOFS;
use tree::Tree;

/// Something that must be mended.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fault {
    file: String,
    /// From 1; 1 also where a fault concerns the whole file.
    line: usize,
    rule: &'static str,
    /// What was found, and what to do.
    what: String,
}

impl Fault {
    fn new(file: &str, line: usize, rule: &'static str, what: impl Into<String>) -> Fault {
        Fault { file: file.to_owned(), line, rule, what: what.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: [{}] {}", self.file, self.line, self.rule, self.what)
    }
}

/// All rules.
const RULES: &[fn(&Tree) -> Vec<Fault>] = &[
    arrows::check,
    source::unsafe_code,
    source::reasons,
    source::unfinished,
    source::sleeps,
    source::inherited,
    source::lengths,
    source::names,
    source::headers,
    source::blanks,
    dead::check,
    links::check,
    commands::check,
    arguments::check,
    places::check,
    proofs::check,
];

/// Checks the repository at `root`, and prints all faults.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let tree = Tree::load(root)?;
    let mut faults: Vec<Fault> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
    if let Err(what) = table::check(root) {
        faults.push(Fault::new("README.md", 1, "table", what));
    }
    faults.sort();
    for fault in &faults {
        println!("{fault}");
    }
    match faults.len() {
        0 => Ok(()),
        1 => Err("tidy found 1 fault".to_owned()),
        n => Err(format!("tidy found {n} faults")),
    }
}

/// What the rules' own tests share.
#[cfg(test)]
mod testing {
    use super::{Fault, Tree};

    /// The faults of `rule` in a repository of these files, as `file:line`.
    pub(super) fn places(rule: fn(&Tree) -> Vec<Fault>, files: &[(&str, &str)]) -> Vec<String> {
        let mut faults = rule(&Tree::of(files));
        faults.sort();
        faults.iter().map(|fault| format!("{}:{}", fault.file, fault.line)).collect()
    }
}
