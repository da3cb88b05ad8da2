//! A process that has given everything up tries to get out: of its directory, to a port, to another program, to another process.

use std::fs::{self, File};
use std::io::Write;
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::process::{Command, exit};

use carnet_sandbox::{Calls, Condition, Network, Paths, Rights, keep_apart};

const WITHIN: &str = "CARNET_SANDBOX_TEST";

/// The other end of the test below: not a test by itself.
#[test]
fn escape() {
    let Some(dir) = std::env::var_os(WITHIN) else { return };
    let dir = std::path::PathBuf::from(dir);
    let mut paths = Paths::new(Network::default());
    paths.allow(OwnedFd::from(File::open(dir.join("write")).expect("it is there")), Rights::Write);
    paths.allow(OwnedFd::from(File::open(dir.join("read")).expect("it is there")), Rights::Read);
    keep_apart().expect("it needs no privilege");
    paths.restrict().expect("the kernel has Landlock");
    let mut said = Vec::new();
    let mut say = |what: &str, done: std::io::Result<()>| {
        let how =
            done.map_or_else(|error| format!("{}", error.raw_os_error().unwrap_or(-1)), |()| "done".into());
        said.push(format!("{what} {how}"));
    };
    say("read-within", File::open(dir.join("read/f")).map(drop));
    say("write-within", File::create(dir.join("write/g")).map(drop));
    say("write-read-only", File::create(dir.join("read/g")).map(drop));
    say("remove-read-only", fs::remove_file(dir.join("read/f")));
    say("read-outside", File::open(dir.join("secret")).map(drop));
    say("list-outside", fs::read_dir(&dir).map(drop));
    say("etc", File::open("/etc/passwd").map(drop));
    say("move-out", fs::rename(dir.join("write/g"), dir.join("g")));
    say("link-in", fs::hard_link(dir.join("secret"), dir.join("write/h")));
    say("connect-tcp", TcpStream::connect("127.0.0.1:9").map(drop));
    // write, close, exit_group, mmap of memory that is no code, and what panics and locks need.
    let data = Condition { argument: 2, one_of: &[0, 1, 3] };
    let calls =
        Calls::new().allow([0, 1, 3, 60, 231, 202, 13, 14, 131, 11, 12, 28, 24, 257]).allow_if(9, data);
    calls.restrict().expect("the kernel has seccomp");
    say("run", Command::new("/bin/true").status().map(drop));
    say("socket", TcpStream::connect("127.0.0.1:9").map(drop));
    // SAFETY: these calls touch no memory; each is to be refused.
    let refused = |number: i64, a: i64, b: i64, c: i64| match unsafe { libc::syscall(number, a, b, c) } {
        -1 => Err(std::io::Error::last_os_error()),
        _ => Ok(()),
    };
    say("kill", refused(libc::SYS_kill, 1, 0, 0));
    say("ptrace", refused(libc::SYS_ptrace, 16, 1, 0));
    say("unshare", refused(libc::SYS_unshare, 0, 0, 0));
    say("mount", refused(libc::SYS_mount, 0, 0, 0));
    say("code", refused(libc::SYS_mmap, 0, 4096, 7));
    say("io_uring", refused(libc::SYS_io_uring_setup, 1, 0, 0));
    say("seccomp", refused(libc::SYS_seccomp, 0, 0, 0));
    let text = said.join("\n") + "\n";
    std::io::stdout().write_all(text.as_bytes()).expect("it is open");
    exit(0);
}

#[test]
fn nothing_gets_out() {
    let Some(version) = carnet_sandbox::landlock_version() else {
        eprintln!("skipped: this kernel has no Landlock");
        return;
    };
    let dir = tempfile::tempdir().expect("a directory");
    for name in ["read", "write"] {
        fs::create_dir(dir.path().join(name)).expect("it is made");
    }
    for name in ["secret", "read/f"] {
        fs::write(dir.path().join(name), b"x").expect("it is written");
    }
    let me = std::env::current_exe().expect("it has a name");
    let output = Command::new(me).args(["escape", "--exact", "--nocapture"]).env(WITHIN, dir.path()).output();
    let output = output.expect("it starts");
    let said = String::from_utf8(output.stdout).expect("text");
    let (denied, not_permitted, cross) = ("13", "1", "18");
    let of = |what: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(&format!("{what} ")));
        line.unwrap_or_else(|| panic!("{what}: {said}{}", String::from_utf8_lossy(&output.stderr)))
    };
    for (what, expected) in [("read-within", "done"), ("write-within", "done")] {
        assert_eq!(of(what), expected, "{what}");
    }
    for what in ["write-read-only", "remove-read-only", "read-outside", "list-outside", "etc"] {
        assert_eq!(of(what), denied, "{what}");
    }
    for what in ["move-out", "link-in"] {
        assert!([denied, cross].contains(&of(what)), "{what}: {}", of(what));
    }
    if version >= 4 {
        assert_eq!(of("connect-tcp"), denied);
    }
    for what in ["run", "socket", "kill", "ptrace", "unshare", "mount", "code", "io_uring", "seccomp"] {
        assert_eq!(of(what), not_permitted, "{what}");
    }
    assert!(fs::exists(dir.path().join("secret")).expect("it is there"));
}
