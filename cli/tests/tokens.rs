//! The file of tokens: commands that change it side by side, links to it, whose it is, and who can write it.

mod support;

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use support::Place;

/// Runs it; its exit code, and what it says of errors.
fn told(place: &Place, args: &[&str]) -> (Option<i32>, String) {
    let output = place.carnet(args);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn done(place: &Place, args: &[&str]) {
    let (exit, said) = told(place, args);
    assert_eq!(exit, Some(0), "{said}");
}

/// Names whose tokens are revoked.
fn revoked(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("it is there");
    let lines = text.lines().filter_map(|line| line.strip_suffix(" revoked"));
    lines.map(|line| line.split(' ').next().expect("a name").to_owned()).collect()
}

#[test]
fn commands_side_by_side_lose_nothing() {
    let place = Place::new();
    for round in 0..10 {
        let (a, b, new) = (format!("a{round}"), format!("b{round}"), format!("new{round}"));
        for name in [&a, &b] {
            done(&place, &["token", "new", name, "--tokens", "tokens"]);
        }
        std::thread::scope(|scope| {
            for args in [["revoke", &a], ["revoke", &b], ["new", &new]] {
                let place = &place;
                scope.spawn(move || {
                    done(place, &["token", args[0], args[1], "--tokens", "tokens"]);
                });
            }
        });
        let path = place.path("tokens");
        let text = fs::read_to_string(&path).expect("it is there");
        let gone = revoked(&path);
        assert!(gone.contains(&a) && gone.contains(&b) && text.contains(&format!("{new} ")), "{text}");
        assert_eq!(text.lines().count(), 3 * (round + 1));
    }
}

#[test]
fn a_link_stays_one_and_what_it_leads_to_is_changed() {
    let place = Place::new();
    fs::create_dir(place.path("etc")).expect("it is made");
    done(&place, &["token", "new", "alice", "--tokens", "etc/tokens"]);
    symlink("etc/tokens", place.path("tokens")).expect("it is made");
    let before = fs::metadata(place.path("etc/tokens")).expect("it is there");
    done(&place, &["token", "revoke", "alice", "--tokens", "tokens"]);
    assert!(place.path("tokens").is_symlink());
    assert_eq!(revoked(&place.path("etc/tokens")), ["alice"]);
    let after = fs::metadata(place.path("etc/tokens")).expect("it is there");
    assert_eq!((after.uid(), after.gid(), after.mode()), (before.uid(), before.gid(), before.mode()));
    let left: Vec<_> = fs::read_dir(place.path("etc")).expect("it is there").collect();
    assert_eq!(left.len(), 1, "no draft is left");
}

#[test]
fn a_file_that_others_can_write_lets_nobody_in() {
    let place = Place::new();
    done(&place, &["token", "new", "alice", "--tokens", "tokens"]);
    let path = place.path("tokens");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o620)).expect("it is mine");
    let serve =
        ["serve", "files", ".", "--listen", "tcp://127.0.0.1:0", "--tokens", "tokens", "--key", "key"];
    assert_eq!(
        told(&place, &serve),
        (Some(2), "error: others than its owner can write tokens, and so let in whom they like\nmend it: chmod go-w tokens\n".to_owned())
    );
}
