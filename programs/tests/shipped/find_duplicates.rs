//! `find_duplicates` against `sha256sum`, `sort` and `uniq`.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use carnet_program::interp::FaultKind;
use carnet_program::protocol::End;
use carnet_programs::FIND_DUPLICATES;

use crate::served::{Result, Served, calls, ended_by_nul, obey_permissions, result, tool};
use crate::tree::{awkward, write};

/// A copy, and what it is a copy of.
type Same = (Vec<u8>, Vec<u8>);

fn same(result: &mut Result<'_>) -> Vec<Same> {
    result.list(|pair| (pair.text(), pair.text()))
}

/// Files whose hash occurs more than once, by hash and path; each beside the one before it.
fn by_sha256sum(root: &Path) -> Vec<Same> {
    let command = "find . -type f -exec sha256sum -bz {} + | sort -z | uniq -z -w 64 -D";
    let lines = ended_by_nul(&tool(root, command));
    // The hash in 64 digits, " *", the path.
    let files: Vec<(&[u8], &[u8])> = lines.iter().map(|line| (&line[..64], &line[66..])).collect();
    let alike = files.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    alike.map(|pair| (pair[1].1.to_vec(), pair[0].1.to_vec())).collect()
}

#[test]
fn an_awkward_tree_has_the_duplicates_that_sha256sum_finds() {
    let served = Served::new();
    awkward(&served.root());
    let found = served.done(FIND_DUPLICATES, &["root=/:ro"], same);
    assert_eq!(found, by_sha256sum(&served.root()));
    assert!(found.len() > 10, "the tree has more files alike than {}", found.len());
}

#[test]
fn an_empty_tree_has_none() {
    assert_eq!(Served::new().done(FIND_DUPLICATES, &["root=/"], same), []);
}

#[test]
fn files_of_different_size_are_not_read() {
    let served = Served::new();
    for size in 0..50 {
        write(&served.root(), format!("{size}").as_bytes(), &vec![b'x'; size]);
    }
    let outcome = served.run(FIND_DUPLICATES, &["root=/:ro"]);
    assert_eq!(result(&outcome, same), []);
    assert_eq!((calls(&outcome, "list"), outcome.receipt.calls), (1, 1));
}

#[test]
fn an_unreadable_file_of_a_size_of_its_own_is_no_trouble_and_another_ends_it() {
    obey_permissions();
    let served = Served::new();
    let secret = write(&served.root(), b"secret", b"secret");
    set_permissions(&secret, Permissions::from_mode(0o000)).expect("it is ours");
    assert_eq!(served.done(FIND_DUPLICATES, &["root=/:ro"], same), []);
    write(&served.root(), b"as long", b"6bytes");
    let outcome = served.run(FIND_DUPLICATES, &["root=/:ro"]);
    assert!(
        matches!(&outcome.end, End::CallFailed { message, .. } if message.contains("secret")),
        "{:?}",
        outcome.end
    );
}

#[test]
fn more_directories_than_its_list_holds_end_it() {
    let served = Served::new();
    for number in 0..1_000 {
        served.dir(&format!("{number}"));
    }
    let outcome = served.run(FIND_DUPLICATES, &["root=/:ro"]);
    assert_eq!(outcome.end, End::Fault(FaultKind::ListFull));
}
