//! `disk_usage` against `du`.

use std::path::Path;

use carnet_programs::DISK_USAGE;

use crate::served::{Result, Served, calls, ended_by_nul, result, tool, tool_on};
use crate::tree::{awkward, noise, os, write};

/// Bytes, files, name.
type Usage = (i64, i64, Vec<u8>);

fn usage(result: &mut Result<'_>) -> Vec<Usage> {
    result.list(|line| (line.int(), line.int(), line.text()))
}

/// What `du` says of the regular files of an entry; `-l` counts a file with two names twice.
fn by_du(root: &Path, name: &[u8]) -> Usage {
    let number = |command: &str| {
        let printed = tool_on(root, command, os(name));
        let number = String::from_utf8(printed).expect("digits");
        number.trim().parse::<i64>().expect("a number")
    };
    let files = number(r#"find "./$1" -type f -printf x | wc -c"#);
    let bytes = number(r#"find "./$1" -type f -print0 | du -bcl --files0-from=- | tail -n 1 | cut -f 1"#);
    (bytes, files, name.to_vec())
}

fn all_by_du(root: &Path) -> Vec<Usage> {
    let names = ended_by_nul(&tool(root, r"find . -mindepth 1 -maxdepth 1 -printf '%f\0'"));
    let mut all: Vec<Usage> = names.iter().map(|name| by_du(root, name)).collect();
    all.sort_by(|one, other| (one.0, &one.2).cmp(&(other.0, &other.2)));
    all.push(by_du(root, b"."));
    all
}

#[test]
fn an_awkward_tree_is_counted_as_du_does() {
    let served = Served::new();
    awkward(&served.root());
    assert_eq!(served.done(DISK_USAGE, &["root=/:ro"], usage), all_by_du(&served.root()));
}

#[test]
fn an_empty_tree_has_nothing_but_itself() {
    let served = Served::new();
    assert_eq!(served.done(DISK_USAGE, &["root=/"], usage), [(0, 0, b".".to_vec())]);
}

#[test]
fn a_directory_below_the_root_can_be_named() {
    let served = Served::new();
    write(&served.dir("a/b c"), b"file", &noise(12_345));
    write(&served.root(), b"not counted", b"not counted");
    assert_eq!(served.done(DISK_USAGE, &["root=/a"], usage), all_by_du(&served.root().join("a")));
}

#[test]
fn directories_of_several_pages_are_counted() {
    let served = Served::new();
    for number in 0..1_100 {
        write(&served.root(), format!("file {number}").as_bytes(), &vec![b'x'; number]);
        write(&served.dir("dir"), format!("file {number}").as_bytes(), b"12345");
    }
    let outcome = served.run(DISK_USAGE, &["root=/:ro"]);
    let usage = result(&outcome, usage);
    let sum = (0..1_100).sum::<i64>();
    assert_eq!(usage.last(), Some(&(sum + 5_500, 2_200, b".".to_vec())));
    assert!(usage.contains(&(5_500, 1_100, b"dir".to_vec())), "{usage:?}");
    assert!(usage.is_sorted_by_key(|line| line.0), "smallest first, the whole at the end");
    assert_eq!(calls(&outcome, "list"), 4);
}
