//! The file of tokens: commands that change it side by side, links to it, whose it is, and who can write it.

mod support;

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use support::Place;

/// Runs it; its exit code, and what it says of errors.
fn told(place: &Place, args: &[&str]) -> (Option<i32>, String) {
    let output = place.carnet(args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // A file that is replaced is named by where it really is.
    let tokens = fs::canonicalize(place.path("tokens")).unwrap_or_else(|_| place.path("tokens"));
    (output.status.code(), said.replace(&*tokens.to_string_lossy(), "tokens"))
}

fn done(place: &Place, args: &[&str]) {
    let (exit, said) = told(place, args);
    assert_eq!(exit, Some(0), "{said}");
}

/// Names whose tokens are revoked.
fn revoked(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("it is there");
    let words = text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    words.filter(|words| words[0] != "#" && words[1] == "revoked").map(|words| words[0].to_owned()).collect()
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
    let before = fs::read(&path).expect("it is there");
    let serve =
        ["serve", "files", ".", "--listen", "tcp://127.0.0.1:0", "--tokens", "tokens", "--key", "key"];
    let (new, revoke) =
        (["token", "new", "bob", "--tokens", "tokens"], ["token", "revoke", "alice", "--tokens", "tokens"]);
    for command in [&serve[..], &new, &revoke] {
        assert_eq!(
            told(&place, command),
            (Some(2), "error: others than its owner can write tokens, and so let in whom they like\nmend it: chmod go-w tokens\n".to_owned())
        );
    }
    assert_eq!(fs::read(&path).expect("it is there"), before);
}

#[test]
fn a_file_that_was_cut_is_refused_and_nothing_is_added_to_it() {
    let place = Place::new();
    for name in ["alice", "bob"] {
        done(&place, &["token", "new", name, "--tokens", "tokens"]);
    }
    done(&place, &["token", "revoke", "bob", "--tokens", "tokens"]);
    let path = place.path("tokens");
    let whole = fs::read(&path).expect("it is there");
    fs::write(&path, &whole[..whole.len() - 1]).expect("it is mine");
    let serve =
        ["serve", "files", ".", "--listen", "tcp://127.0.0.1:0", "--tokens", "tokens", "--key", "key"];
    let (new, revoke) =
        (["token", "new", "eve", "--tokens", "tokens"], ["token", "revoke", "alice", "--tokens", "tokens"]);
    for command in [&serve[..], &new, &revoke] {
        let (exit, said) = told(&place, command);
        assert_eq!(exit, Some(2), "{said}");
        assert!(
            said.starts_with("error: tokens was cut: its last line does not end with a newline\n"),
            "{said}"
        );
    }
    assert_eq!(fs::read(&path).expect("it is there"), whole[..whole.len() - 1]);
}

/// As earlier versions wrote it.
#[test]
fn what_was_revoked_before_is_written_as_it_is_written_now() {
    let place = Place::new();
    for name in ["alice", "bob"] {
        done(&place, &["token", "new", name, "--tokens", "tokens"]);
    }
    let path = place.path("tokens");
    let text = fs::read_to_string(&path).expect("it is there");
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&path, format!("# {}\n{} revoked\n{}\n", "x revoked", lines[0], lines[1])).expect("it is mine");
    done(&place, &["token", "revoke", "bob", "--tokens", "tokens"]);
    assert_eq!(revoked(&path), ["alice", "bob"]);
    assert!(fs::read_to_string(&path).expect("it is there").starts_with("# x revoked\n"));
}

#[test]
fn a_server_that_nobody_could_come_to_does_not_listen() {
    let place = Place::new();
    place.write("tokens", b"");
    place.write("keys", b"");
    let serve = ["serve", "files", ".", "--listen", "tcp://127.0.0.1:0", "--key", "key"];
    let refused = |more: &[&str]| {
        let output = place.carnet(&[&serve, more].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).expect("a text")
    };
    let said = refused(&["--tokens", "tokens"]);
    assert!(said.contains("what is in tokens lets nobody in"), "{said}");
    assert!(said.contains("make a token: carnet token new NAME --tokens tokens;"), "{said}");
    let said = refused(&["--client-keys", "keys"]);
    assert!(said.contains("--tokens FILE, and add --tokens FILE;"), "{said}");
    let said = refused(&["--tokens", "tokens", "--client-keys", "keys"]);
    assert!(said.contains("what is in tokens and keys lets nobody in"), "{said}");
    // Those that are revoked do not count.
    done(&place, &["token", "new", "alice", "--tokens", "tokens"]);
    done(&place, &["token", "revoke", "alice", "--tokens", "tokens"]);
    refused(&["--tokens", "tokens"]);
}
