//! Hand-written cases, each run by every engine: results, effects, errors and budgets.
//!
//! A file in `cases/` holds cases one after the other; `BLESS=1` writes what the engines do into it.
//!
//! ```text
//! == name of the case
//! #! calls=3 dry n=7            limits, mode and arguments, if any
//! program p(desk: Desk) …       source text, its `use` is added
//! -- …                          what is expected: end, result, what the service saw
//!    used …                     the receipt: instructions, calls (writes, bytes written), failed calls, bytes of texts
//!                               and lists held at the end, entries to the body of each loop and its bound
//!    bill …                     at most so much, and whether that rests on the default limit of a loop
//! ```
//!
//! Whatever engine ran it, and however it was cut short, what was used is held against the bill.
//!
//! Every case that ends by itself is run again with a budget of exactly what it used, where it must end the same,
//! and with one instruction, call or write less, where it must be stopped; and in the smallest slices. Translated code is
//! stopped after each instruction, where the interpreter must stop as well, and each goes on where the other stopped. And it is
//! run with all variables set to what they hold wherever it can stop, which must change nothing.
//! At last a server runs it, to which it is sent as a tree, and which stops it again and again.

mod cancelled;
mod chains;
mod code;
mod desk;
mod elsewhere;
mod engines;
mod inouts;
mod list_structs;
mod parts;
mod portals;
mod repeats;
mod rules;
mod served;
mod translated;

use std::fmt::Write as _;
use std::path::Path;

use engines::{Case, Ended, Engine};

fn check(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/cases").join(file);
    let text = std::fs::read_to_string(&path).expect("the case file is there");
    let mut actual = String::new();
    let mut count = 0;
    for block in format!("\n{text}").split("\n== ").skip(1) {
        let (name, rest) = block.split_once('\n').expect("a case has a name");
        let source = rest.split("\n--").next().unwrap_or_default();
        let report = run_case(name, source);
        let _ = write!(actual, "== {name}\n{}\n{report}\n", source.trim_end());
        count += 1;
    }
    assert!(count > 0, "{file} has no cases");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &actual).expect("the cases are written");
        return;
    }
    let differs = actual.lines().zip(text.lines()).position(|(a, b)| a != b);
    assert!(
        actual == text,
        "{file} differs from line {}; BLESS=1 writes what the engines do:\n{actual}",
        differs.unwrap_or(0) + 1
    );
}

/// Runs a case on all engines, whose reports must be equal; that report.
fn run_case(name: &str, source: &str) -> String {
    match Case::parse(source) {
        Ok(case) => run_engines(name, &case),
        Err(faults) => format!("-- rejected\n{}\n", faults.trim_end()),
    }
}

fn run_engines(name: &str, case: &Case) -> String {
    let ended = case.run(Engine::Bytecode, &case.setting);
    let translated = [Engine::Translated, Engine::Whole, Engine::LoopsInTurns, Engine::Turns, Engine::Kept];
    for engine in [Engine::Tree, Engine::Slices].into_iter().chain(translated) {
        let other = case.run(engine, &case.setting).holding_as(&ended);
        if ended.by_memory() && matches!(engine, Engine::Tree) {
            assert!(other.goes_on_as(&ended), "{name}: the tree does not do first what the bytecode did");
            continue;
        }
        assert_eq!(ended.report(case), other.report(case), "{name}: bytecode and {engine:?} differ");
        assert_eq!(
            ended.counts, other.counts,
            "{name}: bytecode and {engine:?} differ in calls of operations"
        );
    }
    if ended.by_itself() {
        at_the_edge(name, case, &ended);
    }
    at_every_instruction(name, case, &ended);
    let set = case.run(Engine::Set, &case.setting).holding_as(&ended);
    // A limit may stop it earlier.
    if case.setting.budget.instructions_left == u64::MAX {
        assert!(set.used[0] >= ended.used[0], "{name}: {}", set.report(case));
        let mut set = set;
        set.used[0] = ended.used[0];
        assert_eq!(ended.report(case), set.report(case), "{name}: with variables set to what they hold");
    }
    served::check(name, case);
    ended.report(case)
}

/// Of longer runs, only the first instructions are tried one by one.
const TRIED_MAX: u64 = 300;

/// A budget stops translated code where it stops the interpreter, and either goes on where the other has stopped.
fn at_every_instruction(name: &str, case: &Case, ended: &Ended) {
    for instructions in 0..ended.used[0].min(TRIED_MAX) {
        let less = case.setting.with_instructions(instructions);
        let (one, two) = (case.run(Engine::Bytecode, &less), case.run(Engine::Translated, &less));
        assert_eq!(one.report(case), two.report(case), "{name}: {instructions} instructions");
        for engine in [Engine::FromTranslated(instructions), Engine::ToTranslated(instructions)] {
            let other = case.run(engine, &case.setting);
            assert_eq!(ended.report(case), other.report(case), "{name}: bytecode and {engine:?} differ");
        }
    }
}

/// Exactly enough is enough, one less is not.
fn at_the_edge(name: &str, case: &Case, ended: &Ended) {
    let exact = case.setting.limited_to(&ended.used);
    let translated = [Engine::Translated, Engine::Whole, Engine::LoopsInTurns, Engine::Turns];
    for engine in [Engine::Bytecode, Engine::Tree, Engine::Slices].into_iter().chain(translated) {
        let again = case.run(engine, &exact).holding_as(ended);
        assert_eq!(ended.report(case), again.report(case), "{name}: {engine:?} with an exact budget");
    }
    for resource in 0..3 {
        let Some(less) = exact.one_less(resource) else { continue };
        let one = case.run(Engine::Bytecode, &less);
        let two = case.run(Engine::Tree, &less).holding_as(&one);
        assert_eq!(one.report(case), two.report(case), "{name}: one less of {resource}");
        assert!(!one.by_itself(), "{name}: ended by itself with one less of {resource}");
    }
}

/// As many as docs/support/language.md says, each with a name of its own in its file.
#[test]
fn cases_are_counted() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/cases");
    let mut count = 0;
    for file in std::fs::read_dir(dir).expect("the cases are there") {
        let path = file.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("the case file is there");
        let mut names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("== ")).collect();
        count += names.len();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None, "{} has two cases of this name", path.display());
    }
    assert!(count >= 600, "{count} cases");
}

#[test]
fn arithmetic() {
    check("arithmetic.cases");
}

#[test]
fn texts() {
    check("texts.cases");
}

#[test]
fn lists() {
    check("lists.cases");
}

#[test]
fn results() {
    check("parts.cases");
}

#[test]
fn values_that_go_both_ways() {
    check("inouts.cases");
}

#[test]
fn loops() {
    check("loops.cases");
}

#[test]
fn calls() {
    check("calls.cases");
}

#[test]
fn portals() {
    check("portals.cases");
}

#[test]
fn budgets() {
    check("budgets.cases");
}

#[test]
fn dry_runs() {
    check("dry.cases");
}

#[test]
fn literals() {
    check("literals.cases");
}

#[test]
fn floats() {
    check("floats.cases");
}

#[test]
fn arrays() {
    check("arrays.cases");
}

#[test]
fn unions() {
    check("unions.cases");
}

#[test]
fn structs_with_portals() {
    check("structs.cases");
}

#[test]
fn lists_of_portals() {
    check("list_portals.cases");
}

#[test]
fn lists_of_structs_with_portals() {
    check("list_structs.cases");
}

#[test]
fn lists_within_values() {
    check("nested.cases");
}

#[test]
fn indices() {
    check("indices.cases");
}

#[test]
fn types() {
    check("types.cases");
}

#[test]
fn attempts() {
    check("try.cases");
}

#[test]
fn functions() {
    check("functions.cases");
}

#[test]
fn rejected() {
    check("rejected.cases");
}
