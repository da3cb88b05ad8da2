//! The Java programs of `programs/` do what HotSpot's `java` does: output, errors and exit code.
//!
//! `pending.txt` names those that do not yet, each with what is missing. One that is there and passes is a fault as well.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::java_programs::{Case, cases, compile, not_possible, transcript};
use carnet_runtime::domain::{Collecting, Domain, Limits};
use carnet_runtime::io::{Io, Output, Written};
use carnet_runtime::universe::Universe;

/// As many programs at a time.
const AT_A_TIME: usize = 2;

/// No program may take longer; one that waits for nobody would. Objects that move all the time take theirs.
fn limits(collecting: Collecting) -> Limits {
    let seconds = if collecting == Collecting::WhenFull { 60 } else { 1200 };
    let time = Duration::from_secs(seconds);
    Limits { instructions: 3_000_000_000, time, heap: 64 << 20, ..Limits::default() }
}

fn run(case: &Case, universe: &Arc<Universe>, collecting: Collecting) -> String {
    let (output, error) = (Written::default(), Written::default());
    let io = Io {
        input: Box::new(std::io::Cursor::new(case.stdin.clone())),
        output: Output::memory(output.clone()),
        error: Output::memory(error.clone()),
    };
    let mut domain = Domain::new(Arc::clone(universe), limits(collecting), io).expect("a class library");
    domain.heap.collecting = collecting;
    let exit = match domain.run_main(&case.name, &case.args) {
        Ok(code) => code,
        Err(ended) => return format!("not run to its end: {ended}\n"),
    };
    transcript(&output.take(), &error.take(), exit)
}

/// Programs that are not run as HotSpot runs them yet.
fn pending() -> BTreeMap<String, String> {
    let text = include_str!("pending.txt");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(' '))
        .map(|(name, why)| (name.to_owned(), why.to_owned()))
        .collect()
}

/// The first line of two texts that differs.
fn difference(found: &str, expected: &str) -> String {
    let mut lines = found.lines().zip(expected.lines()).enumerate();
    match lines.find(|(_, (found, expected))| found != expected) {
        Some((at, (found, expected))) => format!("line {}: `{found}` where HotSpot has `{expected}`", at + 1),
        None => format!("{} lines where HotSpot has {}", found.lines().count(), expected.lines().count()),
    }
}

fn check(collecting: Collecting, of: &dyn Fn(&Case) -> bool) {
    if let Some(reason) = not_possible() {
        eprintln!("skipped: {reason}");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    compile(folder.path()).expect("the programs compile");
    let universe = || {
        let places = [Path::to_owned(folder.path())];
        let library = Library::open(installed_jdk().as_deref(), &places).expect("a JDK");
        Universe::new(library).expect("core classes")
    };
    // All share their classes, each with a heap of its own.
    let universe = universe();
    let all: Vec<Case> = cases().into_iter().filter(|case| of(case)).collect();
    let only = std::env::var("PROGRAM").ok();
    let all: Vec<Case> =
        all.into_iter().filter(|case| only.as_ref().is_none_or(|name| *name == case.name)).collect();
    let pending = pending();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(case) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = run(case, &universe, collecting);
                    if only.is_some() {
                        println!("{found}");
                    }
                    let told = match (found == case.expected, pending.get(&case.name)) {
                        (true, None) | (false, Some(_)) => continue,
                        (true, Some(_)) => "is as it should be: take it out of pending.txt".to_owned(),
                        (false, None) => difference(&found, &case.expected),
                    };
                    wrong.lock().expect("no thread panics").push(format!("{}: {told}", case.name));
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no thread panics");
    wrong.sort();
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
}

/// `PROGRAM=Name` runs one and prints what it writes.
#[test]
fn programs_do_what_they_do_on_hotspot() {
    check(Collecting::WhenFull, &|_| true);
}

/// Those that allocate much would take minutes.
const QUICK: &[&str] = &["Lang", "Error"];

#[test]
fn programs_do_the_same_while_objects_move() {
    check(Collecting::Always, &|case| QUICK.iter().any(|begin| case.name.starts_with(begin)));
}

#[test]
#[ignore = "the long form: make verify-long"]
fn all_programs_do_the_same_while_objects_move() {
    check(Collecting::Always, &|_| true);
}
