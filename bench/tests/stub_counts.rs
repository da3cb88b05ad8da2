//! The instructions of stubs are exactly those of `stubs/counts.txt`, which holds for one compiler: with another the test
//! says so and counts nothing. `BLESS=1` writes the file anew; review the diff.

use std::path::Path;

use carnet_bench::stubs::{Built, Form, operations, tools};

#[test]
fn stubs_take_exactly_as_many_instructions_as_before() {
    let tools = match tools() {
        Ok(tools) => tools,
        Err(missing) => return println!("skipped: {missing}"),
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("stubs/counts.txt");
    let expected = std::fs::read_to_string(&path).expect("the counts are kept");
    let is_blessed = std::env::var_os("BLESS").is_some();
    let known = expected.lines().next().unwrap_or_default();
    if !is_blessed && known != tools {
        return println!("skipped: the counts are those of {known}, and here is {tools}");
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stubs");
    let mut found = format!("{tools}\n");
    for form in Form::ALL {
        let built = Built::new(&folder, form).expect("the parts are compiled");
        for operation in operations() {
            let count = built.count(operation).expect("the calls are counted");
            found.push_str(&format!("{}: {count}\n", form.name()));
        }
    }
    if is_blessed {
        std::fs::write(&path, &found).expect("the counts are written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "{}: BLESS=1 takes the left for right", path.display());
}

#[test]
fn calls_between_processes_are_counted() {
    if let Err(missing) = tools() {
        return println!("skipped: {missing}");
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("served");
    let near = Built::new(&folder, Form::Rust).expect("the parts are compiled");
    let served = Built::new(&folder, Form::Served).expect("the parts are compiled");
    for operation in operations() {
        let (near, served) = (near.count(operation), served.count(operation));
        let (near, served) = (near.expect("a count"), served.expect("a count"));
        // Frames, a session and a table on both sides; what it took before short calls had a way of their own was more.
        assert!(served.total > 10 * near.total && served.total < 4000, "{near}, {served}");
    }
}

/// Single calls come from another process, by a Unix socket; the program's are made beside the service.
#[test]
fn a_program_s_calls_go_through_the_same_dispatch_and_copy_no_more() {
    if let Err(missing) = tools() {
        return println!("skipped: {missing}");
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
