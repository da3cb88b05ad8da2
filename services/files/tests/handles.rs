//! Descriptors: how many a service holds, and that it gives them back. Nothing else may run in this process.

mod support;

use std::fs;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use carnet_files::Access;
use carnet_files::files::Reason;
use support::{Tree, assert_raised, reason};

/// Tests that count the descriptors of the process run one at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

fn tree_with_a_file(change: impl FnOnce(&mut carnet_files::Options)) -> Tree {
    let tree = Tree::with(change);
    tree.put("file", "file");
    fs::create_dir_all(tree.path("sub")).unwrap();
    tree.put("sub/file", "file");
    tree
}

#[test]
fn handles_are_bounded_and_one_session_and_one_principal_leave_some_to_others() {
    let _alone = alone();
    let tree = tree_with_a_file(|options| {
        options.access = Access::ReadWrite;
        options.handles_max = 6;
    });
    let before = descriptors();
    let (one, two) = (tree.client_as("alice", 1), tree.client_as("alice", 2));
    let three = tree.client_as("bob", 3);
    let file = one.open(b"file").unwrap();
    let hasher = one.open_hash(b"file").unwrap();
    let sub = one.narrow(b"sub", true).unwrap();
    assert_raised(
        one.open(b"file"),
        Reason::Busy,
        "\"file\" cannot be opened now: this session holds 3 files and directories, as many as it may",
    );
    assert_eq!(reason(one.at(b"/")), Reason::Busy);
    assert_eq!(reason(one.open_hash(b"file")), Reason::Busy);
    assert_eq!(reason(one.create(b"new")), Reason::Busy);
    let mut others: Vec<_> = (0..2).map(|_| two.open(b"file").unwrap()).collect();
    assert_raised(
        two.open(b"file"),
        Reason::Busy,
        "\"file\" cannot be opened now: your sessions hold 5 files and directories, as many as they may",
    );
    others.push(three.open(b"file").unwrap());
    assert_raised(
        three.open(b"file"),
        Reason::Busy,
        "\"file\" cannot be opened now: this service holds 6 files and directories, as many as it may",
    );
    assert_eq!(descriptors(), before + 6);
    assert_eq!(one.stat(b"file").unwrap().size, 4, "what opens nothing goes on");
    drop(file);
    three.open(b"file").unwrap();
    assert_eq!(reason(one.open(b"missing")), Reason::NotFound);
    drop(one.open(b"file").unwrap());
    drop((hasher, sub, others));
    assert_eq!(descriptors(), before);
    assert_eq!(tree.names(), [&b"file"[..], b"sub"], "what was refused was not made");
}

#[test]
fn nothing_stays_open() {
    let _alone = alone();
    let tree = tree_with_a_file(|options| options.access = Access::ReadWrite);
    tree.link("../secret", "out");
    let dir = tree.client();
    let before = descriptors();
    for _ in 0..50 {
        dir.create(b"new").unwrap().write(0, b"new").unwrap();
        dir.replace(b"new").unwrap().copy_from(&dir.open(b"file").unwrap(), 0, 10).unwrap();
        dir.set_mode(b"./new", 0o600).unwrap();
        dir.set_modified(b"sub/../new", 0).unwrap();
        dir.rename(b"new", b"sub/other").unwrap();
        dir.remove(b"sub/other").unwrap();
        dir.make_dir(b"sub/new").unwrap();
        dir.remove_dir(b"sub/new").unwrap();
        assert!(dir.at(b"/sub").unwrap().open(b"../sub/file").is_err());
        dir.list(b"sub", b"").unwrap();
        dir.open_hash(b"sub/file").unwrap().step(10).unwrap();
        for path in ["out", "missing", "sub", "..", "", "file/x", "sub/missing"] {
            assert!(dir.open(path.as_bytes()).is_err());
            assert!(dir.create(b"missing/x").is_err());
        }
    }
    assert_eq!(descriptors(), before);
    let files: Vec<_> = (0..20).map(|_| dir.open(b"file").unwrap()).collect();
    assert_eq!(descriptors(), before + 20);
    drop(dir);
    drop(files);
    let object = Arc::downgrade(tree.object());
    drop(tree);
    assert!(object.upgrade().is_none());
    assert_eq!(descriptors(), before - 1, "the root is closed with the last portal");
}
