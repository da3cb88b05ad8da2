//! `delete_old` against `find -name -mtime -delete`.

use std::path::Path;
use std::time::Duration;

use carnet_program::limits::{LimitKind, LimitSource};
use carnet_program::protocol::{End, RunOptions};
use carnet_programs::DELETE_OLD;

use crate::served::{Result, Served, calls, ended_by_nul, result, tool};
use crate::tree::{DAY, age, awkward, awkward_names, write};

/// What is gone.
fn gone(result: &mut Result<'_>) -> Vec<Vec<u8>> {
    result.list(Result::text)
}

/// Everything below `root`, sorted.
fn all(root: &Path) -> Vec<Vec<u8>> {
    ended_by_nul(&tool(root, "find . -print0 | sort -z"))
}

/// Two equal trees, for the program and for `find`: awkward names with and without suffix, old and new.
fn two_trees(served: &Served) {
    let root = served.dir("ours");
    awkward(&root);
    for (number, name) in awkward_names().iter().enumerate() {
        let short = &name[..name.len().min(251)];
        let dir = served.dir(if number % 2 == 0 { "ours" } else { "ours/tmp/further below" });
        for (suffix, days) in [(".tmp", 30), (".tmp~", 30), (".new.tmp", 6), (".older.tmp", 8)] {
            let name = [&short[..short.len().min(255 - suffix.len())], suffix.as_bytes()].concat();
            age(&write(&dir, &name, b"x"), days * DAY + Duration::from_secs(3600));
        }
    }
    age(&write(&root, b".tmp", b""), 30 * DAY);
    age(&served.dir("ours/directory.tmp"), 30 * DAY);
    tool(
        &root,
        "ln -s /etc/hostname link.tmp && touch -h -d '30 days ago' link.tmp && mkfifo -m 600 pipe.tmp",
    );
    tool(&root, "touch -d '30 days ago' pipe.tmp && cp -a . ../theirs");
}

#[test]
fn what_find_deletes_is_gone_and_nothing_else() {
    let served = Served::new();
    two_trees(&served);
    let before = all(&served.dir("ours"));
    // Age in whole days is more than 6: at least 7 days.
    tool(&served.dir("theirs"), "find . -type f -name '*.tmp' -mtime +6 -delete");
    let mut gone = served.done(DELETE_OLD, &["root=/ours", "suffix=.tmp", "age=7d"], gone);
    let after = all(&served.dir("ours"));
    assert_eq!(after, all(&served.dir("theirs")));
    gone.sort();
    let missing: Vec<_> = before.into_iter().filter(|path| !after.contains(path)).collect();
    assert_eq!(gone, missing);
    assert!(gone.len() > 20, "only {} files were old", gone.len());
}

#[test]
fn an_empty_tree_loses_nothing() {
    assert_eq!(Served::new().done(DELETE_OLD, &["root=/", "age=0"], gone), Vec::<Vec<u8>>::new());
}

#[test]
fn a_dry_run_says_what_would_go_and_removes_nothing() {
    let served = Served::new();
    two_trees(&served);
    let dry = RunOptions { dry: true, ..RunOptions::default() };
    let would = served.run_with(DELETE_OLD, &["root=/ours"], dry);
    assert_eq!(all(&served.dir("ours")), all(&served.dir("theirs")));
    let does = served.run(DELETE_OLD, &["root=/ours"]);
    assert_eq!((would.end.clone(), would.calls.clone()), (End::Done, does.calls.clone()));
    assert_eq!(result(&would, gone), result(&does, gone));
}

#[test]
fn removing_while_walking_skips_nothing_across_pages() {
    let served = Served::new();
    for number in 0..1_500 {
        let name = if number % 8 == 0 { format!("{number:04}.tmp") } else { format!("{number:04}") };
        age(&write(&served.root(), name.as_bytes(), b""), 30 * DAY);
    }
    let outcome = served.run(DELETE_OLD, &["root=/"]);
    assert_eq!(result(&outcome, gone).len(), 188);
    assert_eq!((calls(&outcome, "list"), calls(&outcome, "remove")), (2, 188));
    assert_eq!(std::fs::read_dir(served.root()).expect("it is there").count(), 1_500 - 188);
}

#[test]
fn two_hundred_files_are_the_limit() {
    let served = Served::new();
    for number in 0..230 {
        age(&write(&served.root(), format!("{number:03}.tmp").as_bytes(), b""), 30 * DAY);
    }
    let outcome = served.run(DELETE_OLD, &["root=/"]);
    let End::Limit { kind: LimitKind::Writes, limit: 200, used: 200, source: LimitSource::Header(_) } =
        outcome.end
    else {
        panic!("it ended so: {:?}", outcome.end);
    };
    assert_eq!(outcome.call.as_ref().map(|call| call.operation.as_str()), Some("Dir.remove"));
    let gone = result(&outcome, gone);
    let expected: Vec<Vec<u8>> = (0..200).map(|number| format!("./{number:03}.tmp").into_bytes()).collect();
    assert_eq!(gone, expected);
    assert_eq!(std::fs::read_dir(served.root()).expect("it is there").count(), 30);
    // Once more, and the rest is gone too.
    assert_eq!(served.run(DELETE_OLD, &["root=/"]).end, End::Done);
    assert_eq!(std::fs::read_dir(served.root()).expect("it is there").count(), 0);
}
