//! Rights, quota, space: what a portal does not allow, and what it does not use up.

mod support;

use std::fs;
use std::path::Path;

use carnet_files::Access;
use carnet_files::files::{Dir, Error, File, Reason};
use carnet_portal::stub::CallError;
use support::{Tree, assert_raised, raised, reason, system_dir};

/// Every operation that would change something.
fn writes(dir: &Dir) -> Vec<(&'static str, Result<(), CallError<Error>>)> {
    vec![
        ("edit", dir.edit(b"file").map(drop)),
        ("create", dir.create(b"new").map(drop)),
        ("replace", dir.replace(b"file").map(drop)),
        ("set_mode", dir.set_mode(b"file", 0o600)),
        ("set_modified", dir.set_modified(b"file", 0)),
        ("set_accessed", dir.set_accessed(b"file", 0)),
        ("rename", dir.rename(b"file", b"other")),
        ("remove", dir.remove(b"file")),
        ("remove_dir", dir.remove_dir(b"empty")),
        ("make_dir", dir.make_dir(b"new")),
    ]
}

fn writes_to(file: &File, source: &File) -> Vec<(&'static str, Result<(), CallError<Error>>)> {
    vec![
        ("write", file.write(0, b"x").map(drop)),
        ("append", file.append(b"x").map(drop)),
        ("copy_from", file.copy_from(source, 0, 1).map(drop)),
        ("truncate", file.truncate(0)),
        ("sync", file.sync()),
    ]
}

fn assert_reads_only(dir: &Dir) {
    for (operation, outcome) in writes(dir) {
        assert_eq!(reason(outcome), Reason::ReadOnly, "{operation}");
    }
    let file = dir.open(b"file").unwrap();
    assert_eq!(file.read(0, 10).unwrap(), b"file");
    for (operation, outcome) in writes_to(&file, &file) {
        assert_eq!(reason(outcome), Reason::ReadOnly, "{operation}");
    }
}

fn tree_with_a_file(change: impl FnOnce(&mut carnet_files::Options)) -> Tree {
    let tree = Tree::with(change);
    tree.put("file", "file");
    fs::create_dir_all(tree.path("empty")).unwrap();
    fs::create_dir_all(tree.path("sub/empty")).unwrap();
    tree.put("sub/file", "file");
    tree
}

#[test]
fn a_read_only_service_changes_nothing() {
    let tree = tree_with_a_file(|options| options.access = Access::ReadOnly);
    let dir = tree.client();
    assert_reads_only(&dir);
    assert_raised(
        dir.remove(b"file"),
        Reason::ReadOnly,
        "\"file\" cannot be changed: this directory is served for reading only",
    );
    assert_raised(
        dir.at(b"/sub:rw"),
        Reason::ReadOnly,
        "\"/sub:rw\" asks for writing, but this directory is served for reading only",
    );
    assert_reads_only(&dir.at(b"/sub").unwrap());
    assert_eq!(tree.names(), [&b"empty"[..], b"file", b"sub"]);
}

#[test]
fn what_was_narrowed_is_never_widened() {
    let tree = tree_with_a_file(|options| options.access = Access::ReadWrite);
    let dir = tree.client();
    for narrow in [
        dir.narrow(b".", true).unwrap(),
        dir.narrow(b"sub", true).unwrap(),
        dir.at(b"/:ro").unwrap(),
        dir.at(b"/sub:ro").unwrap(),
        dir.at(b"/sub").unwrap().at(b"/:ro").unwrap(),
    ] {
        assert_reads_only(&narrow);
        assert_reads_only(&narrow.narrow(b".", false).unwrap());
        assert_reads_only(&narrow.at(b"/").unwrap());
        assert_reads_only(&narrow.at(b"/:ro").unwrap());
        assert_eq!(reason(narrow.at(b"/:rw")), Reason::ReadOnly);
        assert_eq!(reason(narrow.narrow(b"..", false)), Reason::Outside);
    }
    let file = dir.open(b"file").unwrap();
    for (operation, outcome) in writes_to(&file, &dir.edit(b"sub/file").unwrap()) {
        assert_eq!(reason(outcome), Reason::ReadOnly, "{operation}");
    }
    for wide in [dir.at(b"/sub:rw").unwrap(), dir.at(b"/sub").unwrap(), dir.narrow(b"sub", false).unwrap()] {
        wide.replace(b"file").unwrap();
    }
    assert_eq!((tree.get("file"), tree.get("sub/file")), (b"file".to_vec(), b"".to_vec()));
}

#[test]
fn arguments_name_directories_from_the_portal() {
    let tree = tree_with_a_file(|options| options.access = Access::ReadWrite);
    let dir = tree.client();
    fs::create_dir(tree.path("odd:ro")).unwrap();
    for text in ["/", "//", "/.", "/sub/..", "/:rw"] {
        assert_eq!(dir.at(text.as_bytes()).unwrap().stat(b"sub/file").unwrap().size, 4, "{text}");
    }
    for text in ["/sub", "//sub/", "/./sub", "/empty/../sub"] {
        assert!(dir.at(text.as_bytes()).unwrap().stat(b"sub").is_err(), "{text}");
        assert_eq!(dir.at(text.as_bytes()).unwrap().stat(b"file").unwrap().size, 4, "{text}");
    }
    dir.at(b"/odd:ro:rw").unwrap().create(b"new").unwrap();
    assert_eq!(reason(dir.at(b"/odd:ro")), Reason::NotFound);
    assert_eq!(reason(dir.at(b"/file")), Reason::NotADirectory);
    assert_eq!(reason(dir.at(b"/..")), Reason::Outside);
    assert_raised(
        dir.at(b"sub"),
        Reason::BadName,
        "\"sub\" does not begin with \"/\", which here is the served directory",
    );
    assert_eq!(reason(dir.at(b"")), Reason::BadName);
    assert_eq!(reason(dir.at(b":ro")), Reason::BadName);
}

#[test]
fn the_quota_counts_what_is_written_by_all() {
    let tree = tree_with_a_file(|options| {
        options.access = Access::ReadWrite;
        options.quota = Some(100);
    });
    tree.put("large", [7; 60]);
    let (one, two) = (tree.client_of(1), tree.client_of(2));
    let (a, b) = (one.create(b"a").unwrap(), two.create(b"b").unwrap());
    assert_eq!(a.write(0, &[1; 30]).unwrap(), 30);
    assert_eq!(b.append(&[1; 30]).unwrap(), 30);
    assert_raised(
        a.write(0, &[1; 41]),
        Reason::Quota,
        "\"a\" was not changed: that counts as 41 bytes, but 40 are left of a quota of 100",
    );
    assert_eq!(reason(b.append(&[1; 41])), Reason::Quota);
    assert_eq!(tree.get("a").len(), 30);
    a.truncate(0).unwrap();
    let large = one.open(b"large").unwrap();
    assert_eq!(a.copy_from(&large, 0, 100).unwrap(), 40, "a copy stops at the quota");
    let full = raised(a.copy_from(&large, 0, 60));
    assert_eq!(
        full.message,
        "\"a\" was not changed: that counts as 60 bytes, but 0 are left of a quota of 100"
    );
    let full = raised(a.append(b"x"));
    assert_eq!(
        full.message,
        "\"a\" was not changed: that counts as 1 byte, but 0 are left of a quota of 100"
    );
    assert_eq!(reason(a.copy_from(&large, 40, 100)), Reason::Quota);
    assert_eq!(a.copy_from(&large, 60, 100).unwrap(), 0, "the end is no write");
    assert_eq!(a.write(0, b"").unwrap(), 0);
    assert_eq!(reason(a.write(0, b"x")), Reason::Quota);
    assert_eq!(reason(one.at(b"/").unwrap().edit(b"b").unwrap().append(b"x")), Reason::Quota);
}

#[test]
fn the_quota_counts_by_how_much_a_file_grows_without_being_written() {
    let tree = tree_with_a_file(|options| {
        options.access = Access::ReadWrite;
        options.quota = Some(1000);
    });
    tree.put("sparse", "");
    fs::File::options().write(true).open(tree.path("sparse")).unwrap().set_len(1 << 40).unwrap();
    let dir = tree.client();
    let (a, b, sparse) = (dir.create(b"a").unwrap(), dir.create(b"b").unwrap(), dir.open(b"sparse").unwrap());
    assert_raised(
        a.truncate(i64::MAX),
        Reason::Quota,
        &format!(
            "\"a\" was not changed: that counts as {} bytes, but 1000 are left of a quota of 1000",
            i64::MAX
        ),
    );
    assert_eq!(reason(a.write(1000, b"x")), Reason::Quota);
    assert_eq!(reason(a.copy_from(&sparse, 1000, 1)), Reason::Quota);
    assert_eq!((a.write(1 << 40, b""), a.size()), (Ok(0), Ok(0)), "nothing is written so far out");
    a.truncate(100).unwrap();
    a.truncate(40).unwrap();
    a.truncate(100).unwrap();
    // 840 left.
    assert_eq!(a.write(200, &[1; 10]), Ok(10));
    assert_eq!(a.write(100, &[1; 100]), Ok(100), "the hole counts when it is written, too");
    assert_eq!(a.append(&[1; 10]), Ok(10));
    // 620 left.
    assert_eq!(
        b.copy_from(&sparse, 500, 1000),
        Ok(120),
        "500 for what is before it, and then to the quota's end"
    );
    assert_eq!((b.size(), tree.get("b")), (Ok(620), vec![0; 620]));
    a.truncate(0).unwrap();
    assert_raised(
        a.truncate(1),
        Reason::Quota,
        "\"a\" was not changed: that counts as 1 byte, but 0 are left of a quota of 1000",
    );
}

#[test]
fn without_a_quota_files_grow_as_they_are_asked_to() {
    let tree = tree_with_a_file(|options| options.access = Access::ReadWrite);
    let file = tree.client().edit(b"file").unwrap();
    file.truncate(1 << 40).unwrap();
    assert_eq!(file.write(1 << 41, b"x"), Ok(1));
    assert_eq!(file.size(), Ok((1 << 41) + 1));
}

#[test]
fn writes_that_fail_cost_no_quota() {
    let tree = tree_with_a_file(|options| {
        options.access = Access::ReadWrite;
        options.quota = Some(10);
    });
    let file = tree.client().edit(b"file").unwrap();
    for _ in 0..10 {
        assert_eq!(reason(file.write(i64::MAX - 1, b"xxx")), Reason::TooLarge);
        assert!(file.write(-1, b"xxx").is_err());
        assert!(file.truncate(-1).is_err());
        assert_eq!(reason(file.truncate(15)), Reason::Quota);
    }
    assert_eq!(file.write(0, &[1; 10]).unwrap(), 10);
}

/// Needs a bound of the system on the length of files, below the quota. With such a one, and the signal for it ignored, this
/// test runs itself again, with a longer file that was made before.
#[test]
fn what_the_system_refuses_costs_no_quota() {
    const BOUND: &str = "CARNET_TEST_BOUND";
    if let Some(large) = std::env::var_os(BOUND) {
        return assert_refusals_cost_nothing(large.as_ref());
    }
    let large = std::env::temp_dir().join(format!("carnet-large-{}", std::process::id()));
    fs::write(&large, [7; 20_000]).unwrap();
    let script = "trap '' XFSZ; ulimit -f 8 && exec \"$1\" --exact what_the_system_refuses_costs_no_quota";
    let program = std::env::current_exe().unwrap();
    let run =
        std::process::Command::new("sh").args(["-c", script, "sh"]).arg(program).env(BOUND, large).output();
    let run = run.unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && said.contains("1 passed"), "{said}");
}

fn assert_refusals_cost_nothing(large: &Path) {
    let tree = tree_with_a_file(|options| {
        options.access = Access::ReadWrite;
        options.quota = Some(10_000);
    });
    fs::rename(large, tree.path("large")).unwrap();
    let dir = tree.client();
    let (file, large) = (dir.edit(b"file").unwrap(), dir.open(b"large").unwrap());
    for _ in 0..2 {
        assert_eq!(reason(file.truncate(10_000)), Reason::TooLarge);
        assert_eq!(reason(file.write(9_999, b"x")), Reason::TooLarge);
        assert_eq!(reason(file.copy_from(&large, 9_000, 1_000)), Reason::TooLarge);
    }
    assert_eq!(tree.get("file"), b"file");
    let copied = file.copy_from(&large, 0, 9_500).unwrap();
    assert!(copied < 9_500, "to the bound: {copied}");
    let left = format!("but {} are left of a quota of 10000", 10_000 - copied);
    assert!(raised(file.truncate(100_000)).message.ends_with(&left), "{left}");
}

/// Needs a file system that is full. An unprivileged user makes one in namespaces of their own, in which this
/// test runs itself again.
#[test]
fn a_full_file_system() {
    const FULL: &str = "CARNET_TEST_FULL";
    if let Some(root) = std::env::var_os(FULL) {
        return fill(&root.into_string().unwrap());
    }
    let place = tempfile::tempdir().unwrap();
    let program = std::env::current_exe().unwrap();
    let script =
        "mount -t tmpfs -o size=256k carnet \"$1\" || exit 77; exec \"$2\" --exact a_full_file_system";
    // Where a container forbids namespaces of users, its root may still have one for mounts.
    let namespaces = [&["--user", "--map-root-user", "--mount"][..], &["--mount"]];
    let mut reasons = String::new();
    for namespace in namespaces {
        let run = std::process::Command::new("unshare")
            .args(namespace)
            .args(["sh", "-c", script, "sh"])
            .args([place.path(), &program])
            .env(FULL, place.path())
            .output();
        match run {
            Ok(run) if run.status.success() => return,
            Ok(run) if run.status.code() == Some(101) => {
                panic!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr))
            }
            Ok(run) => reasons += &String::from_utf8_lossy(&run.stderr),
            Err(fault) => reasons += &format!("no program `unshare`: {fault}\n"),
        }
    }
    support::skip(&format!("no namespace here: {reasons}"));
}

fn fill(root: &str) {
    let dir = system_dir(root);
    let file = dir.create(b"a").unwrap();
    let mut written = 0;
    let full = loop {
        match file.append(&[1; 100_000]) {
            Ok(n) => written += n,
            full => break raised(full),
        }
        assert!(written <= 256 << 10);
    };
    assert_eq!(full.kind, Reason::NoSpace);
    assert_eq!(full.message, "\"a\" finds no space left on its file system");
    assert_eq!(file.size().unwrap(), written, "what was counted is there");
    assert_eq!(reason(file.write(written, b"x")), Reason::NoSpace);
    let copy = dir.create(b"b").unwrap();
    assert_eq!(reason(copy.copy_from(&file, 0, 1000)), Reason::NoSpace);
}
