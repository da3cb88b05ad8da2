//! Who is at the other end: of this process, of one in a PID namespace that this one sees, and of one that it does not see.

use std::io::{Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Command, Stdio};

use carnet_peer::{credentials, process};
use rustix::io::Errno;
use rustix::process::{getpid, getuid};

/// The socket that this test, again, is to listen at in a PID namespace of its own.
const SOCKET: &str = "CARNET_PEER_SOCKET";

/// Where a container forbids namespaces of users, its root may still have others.
const NAMESPACES: [&[&str]; 2] = [&["--user", "--map-root-user", "--pid"], &["--pid"]];

#[test]
fn a_process_of_this_namespace_has_a_number() {
    let (ours, _theirs) = UnixStream::pair().expect("a pair");
    let found = credentials(ours.as_fd()).expect("it is a Unix socket");
    assert_eq!((found.process, found.user), (Some(getpid()), getuid()));
    match process(ours.as_fd()) {
        Ok(_) => {}
        Err(errno) => assert_eq!(errno, Errno::NOPROTOOPT),
    }
}

#[test]
fn what_is_no_socket_is_an_error() {
    let file = std::fs::File::open("/dev/null").expect("it is there");
    assert_eq!(credentials(file.as_fd()), Err(Errno::NOTSOCK));
    assert_eq!(process(file.as_fd()).err(), Some(Errno::NOTSOCK));
}

#[test]
fn a_process_outside_of_the_namespace_has_none() {
    if let Some(path) = std::env::var_os(SOCKET) {
        return listen(path.as_ref());
    }
    let mut reasons = String::new();
    for namespace in NAMESPACES {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("s");
        let mut inside = Command::new("unshare")
            .args(namespace)
            .args(["--fork", "--kill-child"])
            .arg(std::env::current_exe().expect("it is this one"))
            .args(["--exact", "a_process_outside_of_the_namespace_has_none", "--nocapture"])
            .env(SOCKET, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program `unshare` is there");
        let mut said = [0; 4096];
        let mut text = String::new();
        let mut stdout = inside.stdout.take().expect("it is piped");
        while !text.contains("it listens") {
            match stdout.read(&mut said).expect("it can be read") {
                0 => break,
                len => text += &String::from_utf8_lossy(&said[..len]),
            }
        }
        if text.contains("it listens") {
            let _socket = UnixStream::connect(&path).expect("it listens");
            let ended = inside.wait_with_output().expect("it ends");
            assert!(ended.status.success(), "{text}{}", String::from_utf8_lossy(&ended.stderr));
            return;
        }
        let ended = inside.wait_with_output().expect("it ends");
        let reason = String::from_utf8_lossy(&ended.stderr);
        assert_ne!(ended.status.code(), Some(101), "{reason}");
        reasons += &reason;
    }
    eprintln!("skipped: no PID namespace here: {reasons}");
}

fn listen(path: &std::path::Path) {
    assert_eq!(getpid().as_raw_pid(), 1, "this is a namespace of its own");
    let listener = UnixListener::bind(path).expect("it is free");
    std::io::stdout().write_all(b"it listens\n").expect("somebody reads");
    let (socket, _) = listener.accept().expect("it connects");
    let found = credentials(socket.as_fd()).expect("it is a Unix socket");
    assert_eq!((found.process, found.user), (None, getuid()));
    match process(socket.as_fd()) {
        Ok(_) => {}
        Err(errno) => assert_eq!(errno, Errno::NOPROTOOPT),
    }
}
