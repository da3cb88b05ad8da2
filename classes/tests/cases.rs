//! One case for each rule: a class as text, and what the verifier says of it, word for word.
//!
//! `cases/*.cases` are written anew with `BLESS=1`; the text is that of `carnet_fuzz::classes::assemble`. What other classes there are
//! stands in `cases/world.txt`. What the verifier accepts of `cases/applet.cases` is held against the applet profile, too.
//!
//! ```text
//! === what it is about
//! class A extends java/lang/Object
//! ---
//! accepted, or the faults
//! ```

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use carnet_classes::class::ClassFile;
use carnet_classes::fault::{Fault, Rule};
use carnet_classes::hierarchy::{Absent, Hierarchy, Outline};
use carnet_classes::{profile, read, verify};
use carnet_fuzz::classes::assemble::assemble;

struct World(HashMap<Vec<u8>, Arc<Outline>>);

impl World {
    fn new() -> World {
        let outline = |text: &str| {
            let bytes = assemble(text).expect("the world is right");
            let outline = Outline::of(&read(&bytes).expect("a class file"));
            (outline.name.to_vec(), Arc::new(outline))
        };
        World(include_str!("cases/world.txt").split("===\n").map(outline).collect())
    }
}

impl Hierarchy for World {
    fn outline(&self, name: &[u8]) -> Result<Arc<Outline>, Absent> {
        let absent =
            || Absent { class: String::from_utf8_lossy(name).into_owned(), reason: "not found".to_owned() };
        self.0.get(name).cloned().ok_or_else(absent)
    }
}

/// What is asked of a class that the verifier accepts.
type Check = fn(&ClassFile<'_>) -> Result<(), Vec<Fault>>;

fn verdict(bytes: &[u8], world: &World, then: Check) -> String {
    let class = match read(bytes) {
        Ok(class) => class,
        Err(error) => return format!("{error}\n"),
    };
    match verify(&class, world).and_then(|()| then(&class)) {
        Ok(()) => "accepted\n".to_owned(),
        Err(faults) => faults.iter().map(|fault| format!("{fault}\n")).collect(),
    }
}

/// The cases with the verdicts of today.
fn judged(text: &str, world: &World, then: Check) -> String {
    let mut out = String::new();
    for case in text.split("=== ").filter(|case| !case.is_empty()) {
        let (title, rest) = case.split_once('\n').expect("a case has a title and a class");
        let source = rest.split_once("---\n").map_or(rest, |(source, _)| source);
        let said = match assemble(source) {
            Ok(bytes) => verdict(&bytes, world, then),
            Err(why) => panic!("{title}: {why}"),
        };
        let _ = write!(out, "=== {title}\n{source}---\n{said}");
    }
    out
}

#[test]
fn cases() {
    let (world, folder) = (World::new(), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"));
    let mut seen = BTreeSet::new();
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the cases") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "cases") {
            continue;
        }
        let expected = std::fs::read_to_string(&path).expect("a file of cases");
        let then: Check = if path.ends_with("applet.cases") { profile::check } else { |_| Ok(()) };
        let found = judged(&expected, &world, then);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &found).expect("the cases are written");
        } else {
            assert_eq!(found, expected, "{}: differs (BLESS=1 writes it anew)", path.display());
        }
        count += found.matches("=== ").count();
        seen.extend(
            Rule::ALL.iter().map(|rule| rule.name()).filter(|name| found.contains(&format!("[{name}]"))),
        );
    }
    let missing: Vec<_> = Rule::ALL.iter().filter(|rule| !seen.contains(rule.name())).collect();
    // One takes a class that is too long for a case, the other one who stops it.
    assert_eq!(missing, [&Rule::Effort, &Rule::Stopped]);
    assert!(count >= 80, "{count} cases");
}

/// A class whose check would take much longer than its length warrants: many branches to a frame of very many variables.
#[test]
fn effort_is_bounded_by_length() {
    let locals = 60_000;
    let mut text =
        format!("class A extends java/lang/Object\nmethod f ()V static\n  stack 1 locals {locals}\n");
    text += "  return\nbegin:\n  frame full";
    text += &" int".repeat(locals);
    text += " /\n";
    for _ in 0..8_000 {
        // A variable changes, so that nothing that was found can be used again.
        text += "  fconst_0\n  fstore_0\n  iconst_0\n  istore_0\n  iload_0\n  ifeq begin\n";
    }
    text += "  return\n";
    let bytes = assemble(&text).expect("the class");
    let said = verdict(&bytes, &World::new(), |_| Ok(()));
    assert!(said.starts_with("not supported[effort] A: method f()V at "), "{said}");
    // Who asked may stop it before.
    let stopped = verify(&read(&bytes).expect("a class file"), &Impatient).expect_err("it is not verified");
    assert_eq!(stopped.iter().map(|fault| fault.rule).collect::<Vec<_>>(), [Rule::Stopped]);
}

/// Who lets nothing be done.
struct Impatient;

impl Hierarchy for Impatient {
    fn outline(&self, name: &[u8]) -> Result<Arc<Outline>, Absent> {
        World::new().outline(name)
    }

    fn goes_on(&self, _work: usize) -> bool {
        false
    }
}
