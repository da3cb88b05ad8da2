//! Repeats and strided moves, which programs of source text have none of, on every engine.

use carnet_program::builder::*;
use carnet_program::tree::{CapKind, Tree};

use crate::desk::module;
use crate::engines::Case;
use crate::run_engines;

/// What all programs here work with.
struct Parts {
    desk: Var,
    /// A record of six integers a to f, and one of two of these with a truth value between.
    six: Var,
    pair: Var,
}

fn built<C: Commands>(program: impl FnOnce(&mut Builder<'_>, &Parts) -> C) -> Result<Tree, BuildError> {
    let mut b = Builder::new("p", &[module()]);
    let six = ["a", "b", "c", "d", "e", "f"].map(|name| (name, Type::Int));
    b.record("Six", &six);
    b.record("Pair", &[("one", named("Six")), ("between", Type::Bool), ("two", named("Six"))]);
    b.returns(named("Six"));
    let desk = b.param("desk", named("desk.Desk"));
    let parts = Parts { desk, six: b.var("six", named("Six")), pair: b.var("pair", named("Pair")) };
    let body = program(&mut b, &parts);
    b.build(sequence((sequence(body), give(parts.six))))
}

/// Runs a program on all engines: how it ends, what the service saw, what was used.
fn run<C: Commands>(setting: &str, program: impl FnOnce(&mut Builder<'_>, &Parts) -> C) -> Vec<String> {
    let tree = built(program).expect("the program is good");
    let report = run_engines("a repeat", &Case::of(tree, setting).expect("it compiles"));
    let lines = report.lines().map(|line| line.trim_start_matches("-- ").trim());
    lines.filter(|line| !line.starts_with("bill ")).map(str::to_owned).collect()
}

fn counted(six: Var) -> Command {
    let values = ["a", "b", "c", "d", "e", "f"].into_iter().zip(1..);
    set(six, record("Six", values.map(|(name, n)| (name, (10 * n).into())).collect()))
}

#[test]
fn a_move_takes_every_second_to_every_third() {
    let report = run("", |_, p| {
        (
            counted(p.six),
            move_(strided(p.six.field("b"), 2), strided(p.pair.field("one").field("a"), 3), 2),
            move_(strided(p.pair.field("one").field("a"), 3), strided(p.six.field("a"), 1), 2),
        )
    });
    assert_eq!(report, ["done (20, 40, 30, 40, 50, 60)", "used 13 instructions, 0 calls"]);
}

#[test]
fn a_move_onto_itself_reads_what_it_wrote() {
    let report = run("", |_, p| {
        (set(p.six.field("a"), 7), move_(strided(p.six.field("a"), 1), strided(p.six.field("b"), 1), 4))
    });
    assert_eq!(report, ["done (7, 7, 7, 7, 7, 0)", "used 7 instructions, 0 calls"]);
}

#[test]
fn a_move_fills_with_one_variable() {
    let report = run("", |b, p| {
        let n = b.var("n", Type::Int);
        (set(n, 9), move_(strided(n, 0), strided(p.six.field("a"), 2), 3))
    });
    assert_eq!(report, ["done (9, 0, 9, 0, 9, 0)", "used 6 instructions, 0 calls"]);
}

#[test]
fn a_move_in_a_loop_is_charged_each_time() {
    let report = run("", |b, p| {
        let k = b.name("k");
        let shift = move_(strided(p.six.field("a"), 1), strided(p.pair.field("two").field("a"), 1), 6);
        (counted(p.six), for_range(k, 0, 3, shift))
    });
    assert_eq!(report, ["done (10, 20, 30, 40, 50, 60)", "used 41 instructions, 0 calls; loops 3 of 3"]);
}

#[test]
fn a_repeat_of_one_block_for_all() {
    let report = run("", |_, p| (repeat(p.desk.call("note", ["again"]), 3),));
    assert_eq!(
        report,
        [
            "done (0, 0, 0, 0, 0, 0)",
            r#"note "again""#,
            r#"note "again""#,
            r#"note "again""#,
            "used 4 instructions, 3 calls (3 writes, 0 bytes)",
        ]
    );
}

#[test]
fn a_repeat_sends_what_goes_both_ways_as_it_was() {
    let report = run("", |_, p| {
        let log = p.desk.call("log", (strided(p.six.field("a"), 2), "x"));
        (counted(p.six), repeat(log, 3), repeat(p.desk.call("turn", ["ab"]), 2))
    });
    assert_eq!(
        report,
        [
            "done (10, 20, 30, 40, 50, 60)",
            r#"log 10 "x""#,
            r#"log 30 "x""#,
            r#"log 50 "x""#,
            r#"turn "ab""#,
            r#"turn "ab""#,
            "used 19 instructions, 5 calls (5 writes, 45 bytes), 13 bytes held",
        ]
    );
}

#[test]
fn a_repeat_takes_arguments_and_puts_results() {
    let report = run("", |_, p| {
        let echo = p.desk.call("echo", (strided(p.six.field("a"), 2),));
        (counted(p.six), repeat_into(strided(p.six.field("b"), 2), echo, 3))
    });
    assert_eq!(
        report,
        ["done (10, 10, 30, 30, 50, 50)", "echo 10", "echo 30", "echo 50", "used 13 instructions, 3 calls",]
    );
}

#[test]
fn a_repeat_with_arguments_of_both_kinds() {
    let report = run("", |b, p| {
        let name = b.var("name", Type::Str(10));
        let item = record(
            "desk.Item",
            vec![("name", name.into()), ("size", 5.into()), ("color", value_of("desk.Color", "blue"))],
        );
        let weigh = p.desk.call("weigh", (item, strided(p.six.field("a"), 1)));
        let k = b.name("k");
        (
            counted(p.six),
            set(name, "x"),
            for_range(k, 0, 2, repeat_into(strided(p.six.field("c"), 1), weigh, 2)),
        )
    });
    assert_eq!(
        report,
        [
            "done (10, 20, 15, 25, 50, 60)",
            "weigh x 5 2 10",
            "weigh x 5 2 20",
            "weigh x 5 2 10",
            "weigh x 5 2 20",
            "used 46 instructions, 4 calls, 1 bytes held; loops 2 of 2",
        ]
    );
}

#[test]
fn a_repeat_sets_what_the_call_changes_anew() {
    let report = run("", |b, p| {
        let made = b.name("made");
        (
            let_(made, p.desk.call("make", ["box"])),
            repeat(made.call("bump", [20]), 2),
            counted(p.six),
            repeat_into(strided(p.six.field("e"), 1), made.call("bump", (strided(p.six.field("a"), 1),)), 2),
        )
    });
    assert_eq!(
        report,
        [
            "done (10, 20, 30, 40, 21, 41)",
            r#"make "box""#,
            "box.bump 20",
            "box.bump 20",
            "box.bump 10",
            "box.bump 20",
            "used 19 instructions, 5 calls (5 writes, 0 bytes)",
        ]
    );
}

#[test]
fn a_repeat_lends_a_portal_and_counts_what_it_writes() {
    let report = run("written=22", |b, p| {
        let made = b.name("made");
        (
            let_(made, p.desk.call("make", ["box"])),
            repeat_into(strided(p.six.field("a"), 1), made.call("copy", (made, 8)), 4),
        )
    });
    assert_eq!(
        report,
        [
            "done (4, 4, 4, 4, 0, 0)",
            r#"make "box""#,
            "box.copy from box 8",
            "box.copy from box 8",
            "box.copy from box 8",
            "box.copy from box 8",
            "used 8 instructions, 5 calls (5 writes, 16 bytes)",
        ]
    );
}

#[test]
fn a_repeat_that_fails_in_its_middle_ends_the_program() {
    let report = run("", |_, p| {
        let echo = p.desk.call("echo", (strided(p.six.field("a"), 1),));
        (set(p.six.field("b"), -1), repeat(echo, 3))
    });
    assert_eq!(
        report,
        [
            "call failed: Raised: it is not there",
            "echo 0",
            "echo -1",
            "used 7 instructions, 2 calls, 1 failed"
        ]
    );
}

#[test]
fn a_repeat_that_is_attempted_keeps_the_results_before_the_failure() {
    let report = run("", |b, p| {
        let (kind, message) = (b.name("kind"), b.name("message"));
        let echo = p.desk.call("echo", (strided(p.six.field("a"), 1),));
        let repeat = repeat_into(strided(p.six.field("d"), 1), echo, 3);
        (
            set(p.six, record("Six", vec![("a", 5.into()), ("b", 6.into()), ("c", Value::from(-1))])),
            attempt(repeat, kind, message, p.desk.call("note", [message])),
        )
    });
    assert_eq!(
        report,
        [
            "done (5, 6, -1, 5, 6, 0)",
            "echo 5",
            "echo 6",
            "echo -1",
            r#"note "it is not there""#,
            "used 15 instructions, 4 calls (1 writes, 0 bytes), 1 failed, 15 bytes held",
        ]
    );
}

#[test]
fn a_repeat_stops_in_its_middle_when_its_budget_is_used_up() {
    let calls = run("calls=2", |_, p| {
        let echo = p.desk.call("echo", (strided(p.six.field("a"), 1),));
        (counted(p.six), repeat(echo, 3))
    });
    assert_eq!(calls, ["limit: Calls", "echo 10", "echo 20", "used 12 instructions, 2 calls"]);
    let writes = run("writes=2", |_, p| (repeat(p.desk.call("note", ["again"]), 3),));
    assert_eq!(
        writes,
        [
            "limit: Writes",
            r#"note "again""#,
            r#"note "again""#,
            "used 3 instructions, 2 calls (2 writes, 0 bytes)"
        ]
    );
    // Each may write 8 bytes and writes 4.
    let written = run("written=18", |b, p| {
        let made = b.name("made");
        (let_(made, p.desk.call("make", ["box"])), repeat(made.call("copy", (made, 8)), 4))
    });
    assert_eq!(
        written,
        [
            "limit: Written",
            r#"make "box""#,
            "box.copy from box 8",
            "box.copy from box 8",
            "box.copy from box 8",
            "used 7 instructions, 4 calls (4 writes, 12 bytes)",
        ]
    );
}

#[test]
fn a_repeat_under_a_revoked_portal() {
    let report = run("", |_, p| (repeat(p.desk.call("seal", ()), 2),));
    assert_eq!(report, ["Revoked", "seal", "used 2 instructions, 1 calls"]);
}

#[test]
fn a_dry_repeat() {
    let report = run("dry", |b, p| {
        let made = b.name("made");
        (
            let_(made, p.desk.call("make", ["box"])),
            counted(p.six),
            repeat_into(strided(p.six.field("a"), 1), made.call("copy", (made, 8)), 2),
        )
    });
    assert_eq!(report, ["done (0, 0, 30, 40, 50, 60)", "used 14 instructions, 3 calls (3 writes, 0 bytes)"]);
}

#[test]
fn the_bill_counts_every_call_of_a_repeat() {
    let tree = built(|b, p| {
        b.at_most(CapKind::Calls, 100);
        let k = b.name("k");
        (for_range(k, 0, 5, repeat(p.desk.call("note", ["again"]), 3)),)
    });
    let case = Case::of(tree.expect("the program is good"), "").expect("it compiles");
    assert_eq!((case.loaded.totals.calls, case.loaded.totals.writes), (15, 15));
}

#[test]
fn more_than_a_program_may_name_is_refused() {
    let tree = built(|_, p| {
        let all = || repeat(p.desk.call("is", [true]), 40_000);
        (all(), all())
    });
    let refused = Case::of(tree.expect("the program is good"), "").err();
    let expected = "the program is too large: more than 65536 moves and repeats, all counts together";
    assert_eq!(refused.as_deref(), Some(expected));
}
