//! `copy_tree` against `cp -r` and `diff -r`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use carnet_program::host::Policy;
use carnet_program::interp::FaultKind;
use carnet_program::limits::{LimitKind, LimitSource, Limits};
use carnet_program::protocol::{End, Outcome, RunOptions};
use carnet_programs::COPY_TREE;

use crate::served::{Result, Served, calls, obey_permissions, result, tool};
use crate::tree::{STEP, awkward, deeper_than, noise, write};

const FROM_TO: [&str; 2] = ["from=/from", "to=/to"];

/// Files and bytes.
fn copied(result: &mut Result<'_>) -> (i64, i64) {
    (result.int(), result.int())
}

/// Copies `from` with `cp -r`, takes away what `copy_tree` skips, and holds `to` against it.
fn same_as_cp(served: &Served) {
    let folder = served.beside("");
    tool(&folder, "cp -r root/from expected && find expected ! -type f ! -type d -delete");
    tool(&folder, "diff -r --no-dereference expected root/to");
    // `diff` does not look at modes, and follows what is no link; `find` lists what there is.
    let list = |dir| tool(&folder.join(dir), r"find . -printf '%y %P\0' | sort -z");
    assert_eq!(list("expected"), list("root/to"));
}

/// Files and bytes below `from`, as `find` has them.
fn counted(served: &Served) -> (i64, i64) {
    let sizes = tool(&served.dir("from"), r"find . -type f -printf '%s\n'");
    let sizes = String::from_utf8(sizes).expect("digits");
    (sizes.lines().count() as i64, sizes.lines().map(|size| size.parse::<i64>().expect("a size")).sum())
}

#[test]
fn an_awkward_tree_is_copied_as_cp_does() {
    let served = Served::new();
    awkward(&served.dir("from"));
    served.dir("to");
    assert_eq!(served.done(COPY_TREE, &FROM_TO, copied), counted(&served));
    same_as_cp(&served);
}

#[test]
fn an_empty_tree_is_copied() {
    let served = Served::new();
    served.dir("from");
    served.dir("to");
    assert_eq!(served.done(COPY_TREE, &FROM_TO, copied), (0, 0));
    same_as_cp(&served);
}

#[test]
fn a_directory_of_several_pages_is_copied() {
    let served = Served::new();
    for number in 0..2_500 {
        write(&served.dir("from"), format!("file {number}").as_bytes(), b"");
    }
    served.dir("to");
    let outcome = served.run(COPY_TREE, &FROM_TO);
    assert_eq!(result(&outcome, copied), (2_500, 0));
    assert_eq!(calls(&outcome, "list"), 3);
    same_as_cp(&served);
}

#[test]
fn a_large_file_is_copied_in_steps() {
    let served = Served::new();
    write(&served.dir("from"), b"large", &noise(5 * STEP + 1));
    served.dir("to");
    let outcome = served.run(COPY_TREE, &FROM_TO);
    assert_eq!(result(&outcome, copied), (1, 5 * STEP as i64 + 1));
    assert_eq!(calls(&outcome, "copy_from"), 6);
    assert_eq!(outcome.receipt.written, 5 * STEP as u64 + 1);
    same_as_cp(&served);
}

/// What `End::CallFailed` says.
fn failed(outcome: &Outcome) -> &str {
    match &outcome.end {
        End::CallFailed { message, raised: true } => message,
        end => panic!("it ended so: {end:?}"),
    }
}

#[test]
fn what_is_there_is_never_overwritten() {
    let served = Served::new();
    for name in ["a", "b", "c"] {
        write(&served.dir("from"), name.as_bytes(), b"new");
    }
    let there = write(&served.dir("to"), b"b", b"old");
    let outcome = served.run(COPY_TREE, &FROM_TO);
    assert_eq!(failed(&outcome), r#""./b" exists already"#);
    assert_eq!(result(&outcome, copied), (1, 3));
    assert_eq!(fs::read(there).expect("it is there"), b"old");
    assert!(!served.root().join("to/c").exists(), "it went on after a failed call");
}

#[test]
fn an_unreadable_file_ends_it_with_its_name() {
    obey_permissions();
    let served = Served::new();
    let secret = write(&served.dir("from"), b"secret", b"secret");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).expect("it is ours");
    served.dir("to");
    let outcome = served.run(COPY_TREE, &FROM_TO);
    assert!(failed(&outcome).starts_with(r#""./secret""#), "{:?}", outcome.end);
    assert!(!served.root().join("to/secret").exists(), "it made what it could not fill");
}

#[test]
fn links_lead_nowhere() {
    let served = Served::new();
    write(&served.dir("outside"), b"secret", b"secret");
    symlink("../outside", served.dir("from").join("link")).expect("a link");
    served.dir("to");
    assert_eq!(served.done(COPY_TREE, &FROM_TO, copied), (0, 0));
    same_as_cp(&served);
}

#[test]
fn more_directories_than_its_list_holds_end_it_with_what_was_done() {
    let served = Served::new();
    for number in 0..1_001 {
        served.dir(&format!("from/{number:04}"));
    }
    served.dir("to");
    let outcome = served.run(COPY_TREE, &FROM_TO);
    assert_eq!(outcome.end, End::Fault(FaultKind::ListFull));
    // The list holds "." too, so the thousandth directory was made and could not be noted.
    assert_eq!(calls(&outcome, "make_dir"), 1_000);
    assert_eq!(fs::read_dir(served.dir("to")).expect("it is there").count(), 1_000);
}

#[test]
fn a_path_longer_than_its_text_holds_ends_it() {
    let served = Served::new();
    deeper_than(&served.dir("from"), 4_096);
    served.dir("to");
    let outcome = served.run(COPY_TREE, &FROM_TO);
    assert_eq!(outcome.end, End::Fault(FaultKind::TextTooLong));
    // Of 16 levels with 256 bytes each and the "." before them, 15 fit into 4,096 bytes.
    assert_eq!(calls(&outcome, "make_dir"), 15);
}

#[test]
fn a_limit_of_the_server_stops_it_before_the_step_that_would_pass_it() {
    let limits = Limits { written: 3 * STEP as u64, ..Limits::default() };
    let served = Served::with_policy(Policy { limits, ..Policy::default() });
    write(&served.dir("from"), b"large", &noise(5 * STEP));
    served.dir("to");
    let outcome = served.run(COPY_TREE, &FROM_TO);
    let limit = 3 * STEP as u64;
    let source = LimitSource::Server;
    assert_eq!(outcome.end, End::Limit { kind: LimitKind::Written, limit, used: limit, source });
    assert_eq!(fs::read(served.root().join("to/large")).expect("a part"), noise(5 * STEP)[..3 * STEP]);
}

#[test]
fn a_dry_run_changes_nothing() {
    let served = Served::new();
    awkward(&served.dir("from"));
    served.dir("to");
    let dry = RunOptions { dry: true, ..RunOptions::default() };
    let outcome = served.run_with(COPY_TREE, &FROM_TO, dry);
    assert!(outcome.dry);
    assert!(fs::read_dir(served.dir("to")).expect("it is there").next().is_none(), "a dry run wrote");
}
