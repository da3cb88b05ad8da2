//! The instructions of stubs are exactly those of `stubs/counts.txt`. Those of the interpreter's loop are those of `stubs/loops.txt`,
//! exactly where it calls nothing, and those of calls between processes, whose time-outs are looked at now and then, about those of
//! `stubs/served.txt`. They hold for one compiler: with another the tests say so and count nothing. `BLESS=1` writes the files anew;
//! review the diff. What the project wants at most is asserted beside, whatever the files say.

use std::io::Write as _;
use std::path::Path;

use carnet_bench::stubs::{Built, Form, count_loops, operations, tools};

/// Said also where the tests pass.
fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: instructions are not counted: {why}");
}

/// The tools, or why nothing is counted.
fn known_tools() -> Option<String> {
    tools().inspect_err(|missing| skipped(missing)).ok()
}

/// Holds what is counted in `folder`, a line each, against the file.
fn as_before(file: &str, is_same: fn(&str, &str) -> bool, count: impl FnOnce(&Path) -> Vec<String>) {
    let Some(tools) = known_tools() else { return };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("stubs").join(file);
    let is_blessed = std::env::var_os("BLESS").is_some();
    let expected = if is_blessed { Ok(String::new()) } else { std::fs::read_to_string(&path) };
    let expected = expected.expect("the counts are kept");
    let known = expected.lines().next().unwrap_or_default();
    if !is_blessed && known != tools {
        assert!(known.starts_with("gcc"), "{}: no tools are named", path.display());
        return skipped(&format!("they are those of {known}, and here is {tools}"));
    }
    let lines = count(&Path::new(env!("CARGO_TARGET_TMPDIR")).join(file));
    let found = format!("{tools}\n{}\n", lines.join("\n"));
    if is_blessed {
        std::fs::write(&path, &found).expect("the counts are written");
        return;
    }
    let are_same = expected.lines().count() == found.lines().count()
        && expected.lines().zip(found.lines()).all(|(before, now)| is_same(before, now));
    assert!(are_same, "{}: BLESS=1 takes this for right:\n{found}", path.display());
}

/// Whether two lines say the same of the same, of calls a few of which look at the time.
fn is_about(before: &str, now: &str) -> bool {
    let counted =
        |line| str::rsplit_once(line, ' ').and_then(|(what, count)| Some((what, count.parse::<u64>().ok()?)));
    match (counted(before), counted(now)) {
        (Some((what, before)), Some((known, now))) => what == known && now.abs_diff(before) <= before / 50,
        _ => before == now,
    }
}

/// As [`is_about`] of loops that call: where their memory lies makes a difference of some instructions. Without calls to the instruction.
fn is_same_loop(before: &str, now: &str) -> bool {
    before == now || !before.starts_with(['a', 'b']) && is_about(before, now)
}

#[test]
fn stubs_take_exactly_as_many_instructions_as_before() {
    as_before(
        "counts.txt",
        |before, now| before == now,
        |folder| {
            let of = |form: Form| {
                let built = Built::new(folder, form).expect("the parts are compiled");
                form.operations().iter().map(move |operation| {
                    let count = built.count(operation).expect("the calls are counted");
                    // Nobody blesses these away.
                    let is_met = form.aim(operation).is_none_or(|aim| count.total <= aim);
                    assert!(
                        is_met,
                        "{}: {count}, and at most {:?} are wanted",
                        form.name(),
                        form.aim(operation)
                    );
                    format!("{}: {count}", form.name())
                })
            };
            Form::ALL.into_iter().flat_map(of).collect()
        },
    );
}

/// In C and in Rust alike. These numbers are not written by anything.
#[test]
fn the_aims_are_those_of_the_project() {
    let aims: [(&str, &[Form], [u64; 3]); 3] = [
        ("registers", &[Form::Registers, Form::NarrowRegisters, Form::RustRegisters], [30, 32, 44]),
        ("descriptors", &[Form::Descriptors, Form::NarrowDescriptors, Form::RustDescriptors], [40, 45, 50]),
        ("copied", &[Form::Copied, Form::NarrowCopied, Form::RustCopied], [51, 55, 60]),
    ];
    for (what, forms, wanted) in aims {
        for form in forms {
            assert!(Form::ALL.contains(form));
            assert_eq!(operations().map(|operation| form.aim(operation)), wanted.map(Some), "{what}");
        }
    }
}

#[test]
fn the_interpreter_s_loop_takes_as_many_instructions_as_before() {
    as_before("loops.txt", is_same_loop, |folder| {
        let counted = count_loops(folder).expect("the loops are counted");
        counted.into_iter().map(|(what, count)| format!("{what} {count}")).collect()
    });
}

#[test]
fn calls_between_processes_are_counted() {
    if known_tools().is_none() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("served");
    let near = Built::new(&folder, Form::Rust).expect("the parts are compiled");
    let served = Built::new(&folder, Form::Served).expect("the parts are compiled");
    let lines = operations().map(|operation| {
        let (near, served) = (near.count(operation), served.count(operation));
        let (near, served) = (near.expect("a count"), served.expect("a count"));
        // With whatever tools: what it took before short calls had a way of their own was more.
        assert!(served.total > 10 * near.total && served.total < 4000, "{near}, {served}");
        format!("{operation} {}", served.total)
    });
    as_before("served.txt", is_about, |_| lines.into());
}

/// Single calls come from another process, by a Unix socket; the program's are made beside the service.
#[test]
fn a_program_s_calls_go_through_the_same_dispatch_and_copy_no_more() {
    if known_tools().is_none() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("composed");
    let built = |form| Built::new(&folder, form).expect("the parts are compiled");
    let (near, single, composed) = (built(Form::Rust), built(Form::Served), built(Form::Composed));
    for operation in operations() {
        let of = |built: &Built| built.passed_on(operation).expect("a count");
        let (near, single, composed) = (of(&near), of(&single), of(&composed));
        println!("{operation}: {single:?}, by a program {composed:?}, within a process {near:?}");
        assert_eq!(single.dispatch, composed.dispatch, "{operation}");
        assert!(
            single.dispatch > 0 && composed.block <= single.block,
            "{operation}: {single:?}, {composed:?}"
        );
        if operation == "write" {
            // Not one of the 4096 bytes.
            assert_eq!((composed.block, near.block), (0, 0));
        }
    }
}
