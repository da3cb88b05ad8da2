//! Nothing outside of the served directory is read, written or even told of.

mod support;

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use carnet_files::files::{Dir, Error, Kind, Reason};
use carnet_portal::stub::CallError;
use support::{Tree, assert_raised, in_time, raised, reason, system_dir, walk};

/// Every operation on `path`; what each said.
fn try_all(dir: &Dir, path: &[u8]) -> Vec<(&'static str, Result<(), CallError<Error>>)> {
    vec![
        ("at", dir.at(&[b"/", path].concat()).map(drop)),
        ("list", dir.list(path, b"").map(drop)),
        ("open", dir.open(path).map(drop)),
        ("edit", dir.edit(path).map(drop)),
        ("create", dir.create(path).map(drop)),
        ("replace", dir.replace(path).map(drop)),
        ("open_hash", dir.open_hash(path).map(drop)),
        ("stat", dir.stat(path).map(drop)),
        ("set_mode", dir.set_mode(path, 0o777)),
        ("set_modified", dir.set_modified(path, 0)),
        ("set_accessed", dir.set_accessed(path, 0)),
        ("rename from", dir.rename(path, b"taken")),
        ("rename to", dir.rename(b"own", path)),
        ("remove", dir.remove(path)),
        ("remove_dir", dir.remove_dir(path)),
        ("make_dir", dir.make_dir(path)),
        ("narrow", dir.narrow(path, false).map(drop)),
    ]
}

#[test]
fn paths_that_leave_are_refused_by_every_operation() {
    let tree = Tree::new();
    let dir = tree.client();
    tree.put("own", "own");
    fs::create_dir_all(tree.path("a/b")).unwrap();
    tree.link("..", "up");
    tree.link("../private", "private");
    tree.link(tree.outside("private"), "absolute");
    tree.link("private", "chain");
    tree.link("a/b/../../..", "winding");
    let leaving = [
        "../secret",
        "../private/secret",
        "a/../../secret",
        "a/b/../../../private/new",
        "./../secret",
        "up/secret",
        "up/new",
        "private/secret",
        "private/new",
        "absolute/secret",
        "absolute/new",
        "chain/secret",
        "winding/secret",
        "../served/own",
    ];
    for path in leaving {
        for (operation, outcome) in try_all(&dir, path.as_bytes()) {
            let error = raised(outcome);
            assert_eq!(error.kind, Reason::Outside, "{operation} {path}: {}", error.message);
            let shown = if operation == "at" { format!("/{path}") } else { path.to_owned() };
            assert_eq!(error.message, format!("\"{shown}\" leaves the served directory"), "{operation}");
        }
    }
    assert_eq!(tree.get("own"), b"own");
    tree.assert_outside_untouched();
}

#[test]
fn absolute_names_are_refused_by_every_operation() {
    let tree = Tree::new();
    let dir = tree.client();
    tree.put("own", "own");
    let inside = tree.path("own");
    let outside = tree.outside("secret");
    for path in [inside.as_os_str().as_bytes(), outside.as_os_str().as_bytes(), b"/", b"//", b"/etc/passwd"] {
        for (operation, outcome) in try_all(&dir, path) {
            // For `at` they are paths from this directory.
            if operation != "at" {
                let error = raised(outcome);
                assert_eq!(error.kind, Reason::Outside, "{operation}: {}", error.message);
            }
        }
    }
    assert_eq!(reason(dir.at(b"/etc/passwd")), Reason::NotFound);
    assert_eq!(tree.get("own"), b"own");
    tree.assert_outside_untouched();
}

#[test]
fn parents_of_the_root_are_refused() {
    let tree = Tree::new();
    let dir = tree.client();
    fs::create_dir(tree.path("a")).unwrap();
    tree.link("..", "up");
    for path in ["..", "../", "../..", "a/../..", "up/", "up/."] {
        let path = path.as_bytes();
        assert!(matches!(reason(dir.list(path, b"")), Reason::Outside | Reason::NotADirectory));
        assert_eq!(reason(dir.narrow(path, false)), Reason::Outside);
        assert_eq!(reason(dir.open(path)), Reason::Outside);
        assert!(dir.remove_dir(path).is_err() && dir.make_dir(path).is_err());
    }
    let narrow = dir.narrow(b"a", false).unwrap();
    assert_raised(narrow.stat(b"../up"), Reason::Outside, "\"../up\" leaves the served directory");
    assert_raised(narrow.at(b"/.."), Reason::Outside, "\"/..\" leaves the served directory");
}

#[test]
fn links_themselves_are_not_followed_out_of_place() {
    let tree = Tree::new();
    let dir = tree.client();
    tree.put("file", "inside");
    fs::create_dir(tree.path("real")).unwrap();
    tree.put("real/file", "inside");
    tree.link("file", "link");
    tree.link("real", "dirlink");
    tree.link("../secret", "out");
    tree.link("loop", "loop");
    // Opening follows what stays inside.
    assert_eq!(dir.open(b"link").unwrap().read(0, 10).unwrap(), b"inside");
    assert_eq!(dir.open(b"dirlink/file").unwrap().read(0, 10).unwrap(), b"inside");
    assert_eq!(walk(&dir.narrow(b"dirlink", true).unwrap(), b".", |_| {}), [b"file"]);
    assert_eq!(reason(dir.open(b"out")), Reason::Outside);
    assert_eq!(reason(dir.replace(b"out")), Reason::Outside);
    assert_eq!(reason(dir.open(b"loop")), Reason::BadName);
    // Everything else is about the link.
    assert_eq!(dir.stat(b"out").unwrap().kind, Kind::Symlink);
    assert_raised(
        dir.list(b"dirlink", b""),
        Reason::NotADirectory,
        "\"dirlink\" is a symbolic link, which listing does not follow",
    );
    for link in [&b"link"[..], b"dirlink", b"out"] {
        assert_eq!(reason(dir.set_mode(link, 0o600)), Reason::NotRegular);
        assert_eq!(reason(dir.set_modified(link, 0)), Reason::NotRegular);
        assert_eq!(reason(dir.set_accessed(link, 0)), Reason::NotRegular);
        assert_eq!(reason(dir.remove_dir(link)), Reason::NotADirectory);
        dir.rename(link, b"moved").unwrap();
        dir.remove(b"moved").unwrap();
    }
    assert_eq!(tree.get("file"), b"inside");
    assert_eq!(tree.get("real/file"), b"inside");
    tree.assert_outside_untouched();
}

#[test]
fn a_link_that_leads_nowhere_is_made_good_only_inside() {
    let tree = Tree::new();
    let dir = tree.client();
    tree.link("new", "inside");
    tree.link("../new", "outside");
    dir.replace(b"inside").unwrap().write(0, b"x").unwrap();
    assert_eq!(tree.get("new"), b"x");
    assert_eq!(reason(dir.replace(b"outside")), Reason::Outside);
    assert_eq!(reason(dir.create(b"outside")), Reason::Exists);
    tree.assert_outside_untouched();
}

#[test]
fn links_of_the_system_that_are_no_links_lead_nowhere() {
    let own = system_dir("/proc/self");
    for path in ["root/etc/passwd", "cwd/Cargo.toml", "exe", "fd/0"] {
        let refused = reason(own.open(path.as_bytes()));
        assert!(matches!(refused, Reason::Outside | Reason::BadName), "{path}: {refused:?}");
    }
}

/// While a thread exchanges a directory for a link that leads out, as fast as it can, no operation gets out.
#[test]
fn a_link_that_is_exchanged_meanwhile_leads_nowhere() {
    let tree = Arc::new(Tree::new());
    fs::create_dir(tree.path("dir")).unwrap();
    tree.put("dir/secret", "from inside");
    symlink(tree.outside("private"), tree.path("link")).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let flipper = {
        let (stop, a, b) = (Arc::clone(&stop), tree.path("dir"), tree.path("link"));
        let exchange = rustix::fs::RenameFlags::EXCHANGE;
        std::thread::spawn(move || {
            let mut flips = 0_u64;
            while !stop.load(Ordering::Relaxed) {
                rustix::fs::renameat_with(rustix::fs::CWD, &a, rustix::fs::CWD, &b, exchange).unwrap();
                flips += 1;
            }
            flips
        })
    };
    let (mut inside, mut refused) = (0, 0);
    let dir = tree.client();
    for round in 0..4000 {
        match dir.open(b"dir/secret").map(|file| file.read(0, 100).unwrap()) {
            Ok(content) => {
                assert_eq!(content, b"from inside");
                inside += 1;
            }
            Err(_) => refused += 1,
        }
        if let Ok((entries, _)) = dir.list(b"dir", b"") {
            assert!(entries.iter().all(|entry| entry.name != b"secret" || entry.size == 11));
        }
        if let Ok(info) = dir.stat(b"dir/secret") {
            assert_eq!(info.size, 11);
        }
        let new = format!("dir/new{round}");
        if dir.create(new.as_bytes()).is_ok() {
            // It may have moved away with its directory: not removed then, but never outside.
            let _ = dir.remove(new.as_bytes());
        }
        let _ = dir.set_modified(b"dir/secret", 1_000_000_000);
        let _ = dir.set_mode(b"dir/secret", 0o600);
    }
    stop.store(true, Ordering::Relaxed);
    let flips = in_time("exchanging", move || flipper.join().unwrap());
    assert!(flips > 100 && inside > 0 && refused > 0, "{flips} flips, {inside} inside, {refused} refused");
    tree.assert_outside_untouched();
    let private = fs::metadata(tree.outside("private/secret")).unwrap();
    assert_ne!(private.modified().unwrap(), std::time::UNIX_EPOCH + std::time::Duration::from_secs(1));
}
