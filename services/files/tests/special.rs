//! Devices, pipes and sockets are refused, without waiting and without being opened.

mod support;

use std::os::unix::net::UnixListener;

use carnet_files::files::{Dir, Kind, Reason};
use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
use support::{Tree, assert_raised, in_time, reason, system_dir, walk};

/// Every way to open `path` is refused in time, by name and through a link.
fn assert_refused(dir: &Dir, path: &'static str) {
    let (dir, name) = (dir.clone(), path.as_bytes());
    in_time(path, move || {
        let text = format!("\"{path}\" is a device, pipe or socket, which are not served");
        assert_raised(dir.open(name), Reason::NotRegular, &text);
        assert_raised(dir.edit(name), Reason::NotRegular, &text);
        assert_raised(dir.replace(name), Reason::NotRegular, &text);
        assert_raised(dir.open_hash(name), Reason::NotRegular, &text);
        assert_raised(dir.remove(name), Reason::NotRegular, &text);
        assert_raised(dir.set_mode(name, 0o600), Reason::NotRegular, &text);
        assert_raised(dir.set_modified(name, 0), Reason::NotRegular, &text);
        assert_eq!(reason(dir.create(name)), Reason::Exists);
        assert_eq!(reason(dir.list(name, b"")), Reason::NotADirectory);
        assert_eq!(reason(dir.narrow(name, false)), Reason::NotADirectory);
        assert_eq!(dir.stat(name).unwrap().kind, Kind::Other);
    });
}

#[test]
fn pipes_and_sockets_are_refused_without_waiting() {
    let tree = Tree::new();
    mknodat(CWD, tree.path("pipe"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    let _listening = UnixListener::bind(tree.path("socket")).unwrap();
    tree.link("pipe", "link");
    let dir = tree.client();
    assert_refused(&dir, "pipe");
    assert_refused(&dir, "socket");
    let through = dir.clone();
    assert_eq!(in_time("link", move || reason(through.open(b"link"))), Reason::NotRegular);
    let (entries, _) = dir.list(b".", b"").unwrap();
    let kinds: Vec<_> = entries.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [Kind::Symlink, Kind::Other, Kind::Other]);
    assert_eq!(walk(&dir, b".", |_| {}).len(), 3, "none was removed");
}

#[test]
fn devices_are_refused() {
    let devices = system_dir("/dev");
    assert_eq!(in_time("/dev/zero", move || reason(devices.open(b"zero"))), Reason::NotRegular);
    let tree = Tree::new();
    // Anybody may make the device 0:0, which stands for nothing; some file systems keep that one for themselves, and
    // who has privileges may make others.
    let make = |device| {
        mknodat(CWD, tree.path("null"), FileType::CharacterDevice, Mode::from_raw_mode(0o600), device)
    };
    make(makedev(1, 3)).or_else(|_| make(makedev(0, 0))).expect("a device");
    assert_refused(&tree.client(), "null");
}
