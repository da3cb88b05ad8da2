//! Instructions that are charged bound the time that a program takes, whatever it calls.

use std::sync::Arc;
use std::time::Duration;

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::java_programs::javac;
use carnet_runtime::boot::BootError;
use carnet_runtime::domain::{Domain, Ended, Limits};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;
use tempfile::TempDir;

const COSTS: &str = include_str!("charged/Costs.java");

/// As much more processor time than a plain loop another one may take for each instruction that is charged.
const RATIO_MAX: f64 = 32.0;

/// The names of the loops.
fn loops() -> impl Iterator<Item = &'static str> {
    let methods = COSTS.lines().filter_map(|line| line.strip_prefix("    static void ")?.split_once("() "));
    methods.map(|(name, _)| name).filter(|name| *name != "nothing")
}

/// A universe with the loops, and the folder that they are in; `None` where there is no compiler.
fn universe() -> Option<(TempDir, Arc<Universe>)> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("Costs.java"), COSTS).expect("it is written");
    if !javac(folder.path(), &["Costs.java"]) {
        return None;
    }
    let library = Library::open(installed_jdk().as_deref(), &[folder.path().to_owned()]).expect("a JDK");
    let universe = Universe::new(library).expect("core classes");
    Some((folder, universe))
}

/// Time and instructions of a loop, and what ended it.
fn run(universe: &Arc<Universe>, name: &str, instructions: u64) -> (Duration, u64, Result<i32, BootError>) {
    let limits = Limits { instructions, ..Limits::default() };
    let mut domain = Domain::new(Arc::clone(universe), limits, Io::none()).expect("a domain");
    let ended = domain.run_main("Costs", &[name.to_owned()]);
    (domain.time, domain.instructions, ended)
}

/// Instructions that a method takes that returns.
fn taken(universe: &Arc<Universe>, name: &str) -> u64 {
    let (_, instructions, ended) = run(universe, name, u64::MAX);
    assert_eq!(ended, Ok(0), "{name}");
    instructions
}

#[test]
fn small_objects_that_are_collected_are_charged_one_by_one() {
    let Some((_folder, universe)) = universe() else { return };
    taken(&universe, "collectedFew");
    let (few, many) = (taken(&universe, "collectedFew"), taken(&universe, "collectedMany"));
    // A hundred collections of 20,000 objects.
    assert!(many - few > 2 * 100 * 20_000, "{few} {many}");
}

/// The memory of a large array is taken from the system, and given back by the next collection.
#[test]
fn memory_that_is_taken_anew_is_charged() {
    let Some((_folder, universe)) = universe() else { return };
    taken(&universe, "clonedOnce");
    let (once, often) = (taken(&universe, "clonedOnce"), taken(&universe, "clonedOften"));
    // Twenty arrays of 8 MiB, each taken from the system, cleared and copied.
    assert!(often - once >= 20 * 4 * (8 << 20) / 64, "{once} {often}");
}

#[test]
fn random_bytes_of_the_system_are_charged_as_they_are_made() {
    let Some((_folder, universe)) = universe() else { return };
    // The first one has classes read.
    taken(&universe, "seededLittle");
    let (little, much) = (taken(&universe, "seededLittle"), taken(&universe, "seededMuch"));
    assert!(much - little > (1 << 20) / 8, "{little} {much}");
}

#[test]
fn frames_that_may_ask_for_a_class_already_are_charged() {
    let Some((_folder, universe)) = universe() else { return };
    let taken = |name| taken(&universe, name);
    // The first one has classes read.
    taken("asked");
    let (here, deep) = (taken("asked"), taken("askedDeep"));
    // Each of a hundred calls looks at a thousand frames of 24 bytes at least.
    assert!(deep > here + 100 * 1_000 * 24 / 8, "{here} {deep}");
}

#[test]
fn what_is_charged_bounds_the_time() {
    let Some((_folder, universe)) = universe() else { return };
    let run = |name: &str, instructions| run(&universe, name, instructions);
    // The best of some, of which the first one has classes read.
    let best = |name: &str, instructions| {
        let runs = (0..4).map(|_| run(name, instructions));
        runs.min_by_key(|(time, ..)| *time).expect("there are some")
    };
    let (before, begun, ended) = best("nothing", u64::MAX);
    assert_eq!(ended, Ok(0));
    assert_eq!(run("deflaters", u64::MAX).2, Ok(32), "each takes memory outside of the heap");
    assert_eq!(run("garbage", u64::MAX).2, Ok(0));
    let nanoseconds = |name: &str| {
        let (time, used, ended) = best(name, begun + 500_000);
        assert!(matches!(ended, Err(BootError::Ended(Ended::Instructions(_)))), "{name}: {ended:?}");
        time.saturating_sub(before).as_nanos() as f64 / (used - begun) as f64
    };
    let plain = nanoseconds("plain");
    let mut dear: Vec<_> = loops().map(|name| (name, nanoseconds(name) / plain)).collect();
    println!("{plain} {dear:?}");
    dear.retain(|(_, ratio)| *ratio > RATIO_MAX);
    assert_eq!(dear, []);
}
