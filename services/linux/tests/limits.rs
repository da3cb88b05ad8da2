//! What a session may not do, what it may not have, and what is left when its process ends.

mod support;

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::time::{Duration, Instant};

use carnet_linux::linux::{Address, Errno, Poll, Times, Timespec};
use carnet_linux::{Linux, NotServed, Rights, Rules};
use carnet_portal::call::{Caller, Origin};
use carnet_program::host::Policy;
use carnet_program::limits::Limits;
use carnet_program::protocol::{Argument, End};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Signal, kill_process};
use support::peer::free_port;
use support::served::{bytes, request, served};
use support::*;

#[test]
fn nothing_outside_of_the_directories_is_reached() {
    let outside = tempfile::tempdir().expect("a directory");
    fs::write(outside.path().join("secret"), b"x").expect("it is written");
    let open = open();
    let (system, dir) = (&open.system, open.dir.path());
    let secret = outside.path().join("secret");
    let up = format!("../{}/secret", outside.path().file_name().expect("a name").to_string_lossy());
    symlink(&secret, dir.join("link")).expect("a link");
    symlink("..", dir.join("up")).expect("a link");
    let through = format!("up/{}/secret", outside.path().file_name().expect("a name").to_string_lossy());
    let paths = [secret.to_string_lossy().into_owned(), up, "link".into(), through];
    for path in &paths {
        let path = path.as_bytes();
        assert_eq!(refused(system.open(path, 0)), Errno::EACCES);
        assert_eq!(refused(system.open_write(path, O_WRONLY, 0)), Errno::EACCES);
        assert_eq!(refused(system.stat(path)), Errno::EACCES);
        assert_eq!(refused(system.statx(AT_FDCWD, path, 0, 0x7ff)), Errno::EACCES);
        assert_eq!(refused(system.faccessat2(AT_FDCWD, path, 0, 0)), Errno::EACCES);
        assert_eq!(refused(system.statfs(path)), Errno::EACCES);
    }
    for path in &paths[..2] {
        let path = path.as_bytes();
        assert_eq!(refused(system.unlink(path)), Errno::EACCES);
        assert_eq!(refused(system.lstat(path)), Errno::EACCES);
        assert_eq!(refused(system.readlink(path)), Errno::EACCES);
        for refused in [refused(system.rename(path, b"mine")), refused(system.link(path, b"mine"))] {
            assert!([Errno::EACCES, Errno::EXDEV].contains(&refused), "{refused:?}");
        }
    }
    let made = outside.path().join("made").to_string_lossy().into_owned();
    assert_eq!(refused(system.mkdir(made.as_bytes(), 0o700)), Errno::EACCES);
    assert_eq!(refused(system.creat(made.as_bytes(), 0o600)), Errno::EACCES);
    assert_eq!(refused(system.symlink(b"x", made.as_bytes())), Errno::EACCES);
    assert_eq!(
        refused(system.open(b"/no/such/place", 0)),
        Errno::EACCES,
        "whether there is something is not told"
    );
    assert_eq!(refused(system.open_write(b"/proc/self/mem", O_RDWR, 0)), Errno::EACCES);
    assert_eq!(fs::read_dir(outside.path()).expect("it is there").count(), 1);
}

/// The fourth access mode of open(2) asks Landlock for nothing, and gives a descriptor whose mode and times can be changed.
#[test]
fn nothing_is_opened_for_nothing() {
    let outside = tempfile::tempdir().expect("a directory");
    let victim = outside.path().join("victim");
    fs::write(&victim, b"text").expect("it is written");
    let before = fs::metadata(&victim).expect("it is there");
    let open = open();
    let system = &open.system;
    fs::write(open.dir.path().join("mine"), b"text").expect("it is written");
    let up = format!("../{}/victim", outside.path().file_name().expect("a name").to_string_lossy());
    let times = Times { accessed: 1, accessed_nsec: 0, modified: 1, modified_nsec: 0 };
    for path in [up.as_bytes(), b"mine"] {
        for flags in [3, 3 | O_CREAT, 3 | O_TRUNC, O_TRUNC] {
            let by_path = system.open_write(path, flags, 0o600);
            let opened = [by_path, system.openat_write(AT_FDCWD, path, flags, 0o600)];
            if let Some(fd) = opened.into_iter().flatten().next() {
                let changed = (system.fchmod(fd, 0o777).is_ok(), system.utimensat(fd, &times).is_ok());
                panic!("{flags:#x} opens {}: {changed:?}", String::from_utf8_lossy(path));
            }
        }
        assert_eq!(refused(system.open_write(path, 3, 0)), Errno::EINVAL);
    }
    let after = fs::metadata(&victim).expect("it is there");
    assert_eq!((before.mode(), before.mtime(), 4), (after.mode(), after.mtime(), after.len()));
    system.open_write(b"mine", O_RDWR | O_TRUNC, 0).expect("it is opened for writing");
}

#[test]
fn whether_there_is_something_outside_is_not_told() {
    let outside = tempfile::tempdir().expect("a directory");
    fs::write(outside.path().join("file"), b"x").expect("it is written");
    fs::create_dir(outside.path().join("dir")).expect("it is made");
    let open = open();
    let (system, dir) = (&open.system, open.dir.path());
    symlink(outside.path(), dir.join("link")).expect("a link");
    symlink(outside.path().join("none"), dir.join("nowhere")).expect("a link");
    symlink(outside.path().join("file"), dir.join("somewhere")).expect("a link");
    fs::write(dir.join("mine"), b"x").expect("it is written");
    let name = outside.path().file_name().expect("a name").to_string_lossy().into_owned();
    let inner = system.open(b".", O_DIRECTORY).expect("it is there");
    for begin in [format!("../{name}"), "link".to_owned()] {
        for what in ["file", "dir", "none", "none/none", "file/none"] {
            let path = format!("{begin}/{what}");
            let path = path.as_bytes();
            let all = [
                refused(system.open(path, 0)),
                refused(system.open(path, O_DIRECTORY)),
                refused(system.openat(inner, path, 0)),
                refused(system.open_write(path, O_WRONLY, 0)),
                refused(system.open_write(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)),
                refused(system.creat(path, 0o600)),
                refused(system.mkdir(path, 0o700)),
                refused(system.mkdirat(inner, path, 0o700)),
                refused(system.rmdir(path)),
                refused(system.unlink(path)),
                refused(system.unlinkat(inner, path, 0x200)),
                refused(system.rename(path, b"new")),
                refused(system.rename(b"mine", path)),
                refused(system.renameat2(inner, path, inner, b"new", 1)),
                refused(system.renameat2(inner, b"mine", inner, path, 2)),
                refused(system.link(path, b"new")),
                refused(system.link(b"mine", path)),
                refused(system.linkat(inner, b"mine", inner, path, 0)),
                refused(system.symlink(b"x", path)),
                refused(system.symlinkat(b"x", inner, path)),
            ];
            assert!(all.iter().all(|errno| *errno == Errno::EACCES), "{begin} {what}: {all:?}");
        }
    }
    for path in [&b"nowhere"[..], b"somewhere"] {
        let all =
            [refused(system.open(path, 0)), refused(system.open_write(path, O_WRONLY | O_CREAT, 0o600))];
        assert_eq!(all, [Errno::EACCES; 2]);
    }
    // Of what is below, the kernel's own answers.
    assert_eq!(refused(system.open(b"none", 0)), Errno::ENOENT);
    assert_eq!(refused(system.open(b"mine/x", 0)), Errno::ENOTDIR);
    assert_eq!(refused(system.mkdir(b"nowhere", 0o700)), Errno::EEXIST);
    assert_eq!(refused(system.open(b"nowhere", O_NOFOLLOW)), Errno::ELOOP);
    assert_eq!(refused(system.rename(b"none", b"mine")), Errno::ENOENT);
    system.unlink(b"nowhere").expect("the link is below");
    assert_eq!(fs::read_dir(outside.path()).expect("it is there").count(), 2);
}

#[test]
fn directories_that_are_read_are_not_changed() {
    let readable = tempfile::tempdir().expect("a directory");
    fs::write(readable.path().join("f"), b"text").expect("it is written");
    let path = readable.path().to_owned();
    let open = open_with(|rules| rules.directories.push((path, Rights::Read)));
    let system = &open.system;
    let of = |name: &str| readable.path().join(name).to_string_lossy().into_owned().into_bytes();
    let fd = system.open(&of("f"), 0).expect("it may be read");
    assert_eq!(system.read(fd, 9).expect("it is read"), b"text");
    assert_eq!(system.stat(&of("f")).expect("it is there").size, 4);
    assert_eq!(refused(system.open_write(&of("f"), O_WRONLY, 0)), Errno::EACCES);
    assert_eq!(refused(system.creat(&of("g"), 0o600)), Errno::EACCES);
    assert_eq!(refused(system.unlink(&of("f"))), Errno::EACCES);
    assert_eq!(refused(system.mkdir(&of("d"), 0o700)), Errno::EACCES);
    assert_eq!(refused(system.fchmod(fd, 0o777)), Errno::EACCES);
    assert_eq!(refused(system.ftruncate(fd, 0)), Errno::EINVAL, "as of any descriptor that is read");
}

#[test]
fn a_directory_with_proc_is_not_served() {
    for path in ["/", "/proc"] {
        match Linux::serve(Rules::new(path, Rights::Read), starter()) {
            Err(NotServed::Proc(_)) => {}
            other => panic!("{path}: {other:?}"),
        }
    }
    let none = Linux::serve(Rules::new("/no/such/place", Rights::Read), starter());
    assert!(matches!(none, Err(NotServed::Directory { .. })));
}

#[test]
fn ports_that_are_not_allowed_are_not_reached() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    let without = open();
    assert_eq!(refused(without.system.socket(2, 1, 0)), Errno::EACCES);
    let other = if port == 1 { 2 } else { 1 };
    let open = open_with(|rules| rules.network.connect = vec![other]);
    let system = &open.system;
    let fd = system.socket(2, 1, 0).expect("some port may be reached");
    assert_eq!(refused(system.connect(fd, &loopback(port))), Errno::EACCES);
    assert_eq!(refused(system.bind(fd, &loopback(0))), Errno::EACCES);
    assert_eq!(refused(system.listen(fd, 1)), Errno::EACCES);
    let datagrams = system.socket(2, 2, 0).expect("some port may be reached");
    assert_eq!(refused(system.sendto(datagrams, b"x", 0, &loopback(port))), Errno::EACCES);
    let family = Address { family: 1, ..loopback(other) };
    assert_eq!(refused(system.connect(fd, &family)), Errno::EAFNOSUPPORT);
    assert_eq!(refused(system.socket(1, 1, 0)), Errno::EAFNOSUPPORT, "no Unix sockets");
    assert_eq!(refused(system.socket(2, 3, 0)), Errno::ESOCKTNOSUPPORT, "no raw ones");
    assert_eq!(refused(system.socket(16, 3, 0)), Errno::EAFNOSUPPORT, "no netlink");
    assert_eq!(refused(system.socket(2, 1, 132)), Errno::EPROTONOSUPPORT);
    assert_eq!(refused(system.setsockopt(fd, 1, 50, 1)), Errno::ENOPROTOOPT, "SO_ATTACH_BPF");
}

/// listen(2) binds a socket that is not bound to a port that is free.
#[test]
fn nobody_listens_at_a_port_that_is_not_allowed() {
    let port = |listener: &TcpListener| listener.local_addr().expect("it is bound").port();
    let free = port(&TcpListener::bind("127.0.0.1:0").expect("a port"));
    let at = loopback(free);
    let open = open_with(|rules| rules.network.bind = vec![free]);
    let system = &open.system;
    for family in [2, 10] {
        let fd = system.socket(family, 1, 0).expect("some port may be listened at");
        assert_eq!(refused(system.listen(fd, 1)), Errno::EACCES);
        assert_eq!(system.getsockname(fd).expect("a socket").number, 0, "it is not bound");
    }
    let fd = system.socket(2, 1, 0).expect("it is allowed");
    system.setsockopt(fd, 1, 2, 1).expect("SO_REUSEADDR");
    system.bind(fd, &at).expect("it is free");
    system.listen(fd, 1).expect("it is bound to a port that is allowed");
    assert_eq!(refused(system.listen(0, 1)), Errno::ENOTSOCK);
    let any = open_with(|rules| rules.network.bind = vec![0]);
    let fd = any.system.socket(2, 1, 0).expect("any port that is free may be listened at");
    any.system.listen(fd, 1).expect("any is allowed");
}

#[test]
fn the_descriptors_of_the_process_itself_are_nobodys() {
    let open = open_with(|rules| rules.limits.descriptors = 16);
    let system = &open.system;
    for fd in (16..100).chain([-1, i32::MIN, i32::MAX, 1023, 65_535]) {
        assert_eq!(refused(system.close(fd)), Errno::EBADF, "{fd}");
        assert_eq!(refused(system.write(fd, b"x")), Errno::EBADF, "{fd}");
        assert_eq!(refused(system.dup2(0, fd)), Errno::EBADF, "{fd}");
        assert_eq!(refused(system.openat(if fd == -100 { 99 } else { fd }, b"x", 0)), Errno::EBADF, "{fd}");
    }
    let pid = system.getpid().expect("it lives");
    let mut held = Vec::new();
    while let Ok(fd) = system.dup(0) {
        held.push(fd);
    }
    assert_eq!(held, (3..16).collect::<Vec<i32>>());
    assert_eq!(refused(system.open(b".", 0)), Errno::EMFILE);
    // Nothing of the server is there: its own ends, /dev/null, the directory, and its own ring.
    for entry in fs::read_dir(format!("/proc/{pid}/fd")).expect("it is there") {
        let path = entry.expect("an entry").path();
        let number: i32 = path.file_name().expect("a number").to_string_lossy().parse().expect("a number");
        let target = fs::read_link(&path).expect("it is open").to_string_lossy().into_owned();
        let is_known = target == "/dev/null" && number < 16
            || number >= 16
                && (target.starts_with("socket:")
                    || target == "anon_inode:[io_uring]"
                    || target == open.dir.path().to_string_lossy());
        assert!(is_known, "{number} is {target}");
    }
    assert_eq!(fs::read(format!("/proc/{pid}/environ")).expect("it is there"), b"", "no environment");
}

#[test]
fn files_and_what_is_written_have_limits() {
    let open = open_with(|rules| {
        rules.limits.file = 1_000;
        // Two names count 256 each.
        rules.limits.written = Some(3_000 + 2 * 256);
    });
    let system = &open.system;
    let fd = system.creat(b"f", 0o600).expect("it is made");
    assert_eq!(system.write(fd, &[7; 1_500]).expect("a short count"), 1_000);
    assert_eq!(refused(system.write(fd, b"x")), Errno::EFBIG);
    assert_eq!(refused(system.ftruncate(fd, 2_000)), Errno::EFBIG);
    let other = system.creat(b"g", 0o600).expect("it is made");
    for _ in 0..2 {
        assert_eq!(system.pwrite64(other, &[7; 1_000], 0).expect("there is room"), 1_000);
    }
    assert_eq!(refused(system.write(other, b"x")), Errno::EDQUOT);
}

/// Room that is taken on the disk is written, as far as the session's amount goes.
#[test]
fn what_is_allocated_counts_as_written() {
    let open = open_with(|rules| rules.limits.written = Some(100_000 + 256));
    let system = &open.system;
    let fd = system.creat(b"f", 0o600).expect("it is made");
    system.fallocate(fd, 0, 0, 60_000).expect("there is room");
    assert_eq!(refused(system.fallocate(fd, 0, 60_000, 60_000)), Errno::EDQUOT);
    assert_eq!(refused(system.fallocate(0, 0, 0, 40_000)), Errno::ENODEV, "and nothing is counted");
    system.fallocate(fd, 3, 0, 60_000).expect("a hole takes none");
    system.fallocate(fd, 0, 0, 40_000).expect("there is room");
    assert_eq!(refused(system.write(fd, b"x")), Errno::EDQUOT);
}

#[test]
fn a_call_that_waits_too_long_is_interrupted() {
    let open = open_with(|rules| rules.limits.call = Duration::from_millis(50));
    let began = Instant::now();
    let long = Timespec { sec: 60, nsec: 0 };
    assert_eq!(refused(open.system.nanosleep(&long)), Errno::EINTR);
    let pipe = open.system.pipe2(0).expect("it is made");
    assert_eq!(refused(open.system.read(pipe.reader, 1)), Errno::EINTR);
    let of = Poll { fd: pipe.reader, events: 1, revents: 0 };
    assert_eq!(refused(open.system.poll(&of, -1)), Errno::EINTR);
    assert_eq!(refused(open.system.poll_several(&[of], i32::MAX)), Errno::EINTR);
    // A pipe with a name that nobody opens for the other side, and a lock that another session has.
    let mode = Mode::from_raw_mode(0o600);
    mknodat(CWD, open.dir.path().join("fifo"), FileType::Fifo, mode, 0).expect("it is made");
    assert_eq!(refused(open.system.open(b"fifo", 0)), Errno::EINTR);
    assert_eq!(refused(open.system.open_write(b"fifo", O_WRONLY, 0)), Errno::EINTR);
    let (_session, other) = session_of(&open.service, "alice");
    let fd = open.system.creat(b"locked", 0o600).expect("it is made");
    open.system.flock(fd, 2).expect("nobody has it");
    let theirs = other.open(b"locked", 0).expect("it is there");
    assert_eq!(refused(other.flock(theirs, 2)), Errno::EINTR);
    assert!(began.elapsed() < Duration::from_secs(30));
    open.system.getpid().expect("it lives");
}

#[test]
fn a_process_that_is_killed_is_told_of_and_leaves_nothing() {
    let open = open();
    let pid = open.system.getpid().expect("it lives");
    kill_process(Pid::from_raw(pid).expect("a number"), Signal::KILL).expect("it is ours");
    let first = failed(open.system.getpid());
    assert!(first.contains("was killed by signal 9"), "{first}");
    let second = failed(open.system.getpid());
    assert!(second.contains("was killed by signal 9, and its descriptors with it"), "{second}");
    let (session, system) = session_of(&open.service, "alice");
    let other = system.getpid().expect("another session has another process");
    drop((session, system));
    wait_until(|| !fs::exists(format!("/proc/{other}")).expect("proc is there"));
    wait_until(|| open.service.processes() == 0);
}

#[test]
fn sessions_share_nothing() {
    let open = open();
    let (_session, other) = session_of(&open.service, "alice");
    assert_ne!(open.system.getpid().expect("it lives"), other.getpid().expect("it lives"));
    let fd = open.system.creat(b"mine", 0o600).expect("it is made");
    assert_eq!(refused(other.fstat(fd)), Errno::EBADF);
    open.system.umask(0o77).expect("a mask");
    assert_ne!(other.umask(0).expect("a mask"), 0o77);
}

#[test]
fn there_are_so_many_processes_and_fewer_of_one_user() {
    let open = open_with(|rules| rules.limits.processes = 4);
    open.system.getpid().expect("it lives");
    let more: Vec<_> = (0..2).map(|_| session_of(&open.service, "alice")).collect();
    for (_, system) in &more {
        system.getpid().expect("it lives");
    }
    let (_session, fourth) = session_of(&open.service, "alice");
    assert!(failed(fourth.getpid()).contains("alice has 3 sessions or kept runs with a process"));
    let (_bobs, bob) = session_of(&open.service, "bob");
    bob.getpid().expect("it lives");
    let (_carols, carol) = session_of(&open.service, "carol");
    assert!(failed(carol.getpid()).contains("there are 4 sessions with a process"));
    drop(more);
    carol.getpid().expect("there is room again");
    fourth.getpid().expect("there is room again");
}

#[test]
fn one_process_has_not_all_that_its_user_may() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut rules = rules(dir.path());
    rules.limits.processes = 4;
    let service = Linux::serve(rules, starter()).expect("it is served");
    let of =
        |process| session_of_caller(&service, Caller { origin: Origin::Process(process), ..caller("alice") });
    let held = [of(7), of(7)];
    for (_, system) in &held {
        system.getpid().expect("it lives");
    }
    let (_session, third) = of(7);
    assert!(failed(third.getpid()).contains("this process has 2 sessions or kept runs with a process"));
    let (_other_session, other) = of(8);
    other.getpid().expect("it lives");
}

#[test]
fn a_process_that_cannot_begin_is_told_of() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut none = starter();
    none.program = "/no/such/program".into();
    let service = Linux::serve(rules(dir.path()), none).expect("it is served");
    let (_session, system) = session_of(&service, "alice");
    assert!(failed(system.getpid()).starts_with("cannot start the process of the session: No such file"));
    let gone = tempfile::tempdir().expect("a directory");
    let service = Linux::serve(rules(gone.path()), starter()).expect("it is served");
    drop(gone);
    let (_session, system) = session_of(&service, "alice");
    assert!(failed(system.getpid()).starts_with("cannot confine the process of the session"));
    assert_eq!(service.processes(), 0);
}

/// A process that has no memory left, or no time of the processor, ends at once, and is told of.
#[test]
fn a_process_that_has_used_up_what_it_has_is_told_of() {
    let hoard = bytes(
        "use linux
        program hoard(sys: System) -> int {
          let fd = sys.open(\"zeros\", 0)
          var all: list(bytes(1MiB), 200)
          for k in 0 .. 200 limit 200 { all.add(sys.pread64(fd, 1MiB, 0)) }
          return all.len
        }",
    );
    let spin = bytes(
        "use linux
        program spin(sys: System) -> int {
          var n = sys.getpid()
          for k in 0 .. 10_000_000_000 limit 10_000_000_000 { n = (n * 3 + k) % 1_000 }
          return n
        }",
    );
    let limits = Limits { time_ns: 120_000_000_000, ..Limits::UNLIMITED };
    // SIGSEGV: there is no signal by which the process may end itself, so that the system's library faults.
    for (program, signal) in [(&hoard, "11"), (&spin, "9")] {
        let served = served(false, Policy { limits, ..Policy::default() }, |rules| {
            rules.limits.memory = 220 << 20;
            rules.limits.processor = 1;
        });
        let zeros = fs::File::create(served.dir.path().join("files/zeros")).expect("it is made");
        zeros.set_len(1 << 20).expect("it is made longer");
        let (client, system) = served.client();
        let outcome = client.run(&request(1, program, vec![Argument::Portal(0)]), &[system.portal()]);
        let outcome = outcome.expect("the server answers");
        let (End::CallInDoubt { message } | End::CallFailed { message, .. }) = &outcome.end else {
            panic!("{:?}", outcome.end)
        };
        assert!(message.contains(&format!("was killed by signal {signal}")), "{message}");
        let again = failed(system.getpid());
        assert!(again.contains(&format!("signal {signal}")), "{again}");
    }
}

#[test]
fn what_is_too_little_for_a_process_is_told_when_serving_begins() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut rules = rules(dir.path());
    rules.limits.memory = 1 << 20;
    let service = Linux::serve(rules, starter()).expect("the rules are good");
    let why = service.begins().expect_err("a process needs more");
    assert!(matches!(&why, NotServed::Process(_)), "{why}");
    assert_eq!(service.processes(), 0);
    let open = open();
    open.service.begins().expect("it begins");
}

/// Names take room on the disk, too.
#[test]
fn names_count_as_written() {
    let open = open_with(|rules| rules.limits.written = Some(2_000));
    let system = &open.system;
    system.symlink(&[b'x'; 1_000], b"long").expect("there is room");
    assert_eq!(refused(system.symlink(&[b'x'; 1_000], b"longer")), Errno::EDQUOT);
    assert_eq!(refused(system.symlink(b"x", b"long")), Errno::EEXIST, "and nothing is counted");
    system.mkdir(b"d", 0o700).expect("there is room");
    system.creat(b"f", 0o600).expect("there is room");
    for refused in [
        refused(system.mkdir(b"e", 0o700)),
        refused(system.link(b"f", b"g")),
        refused(system.open_write(b"g", O_WRONLY | O_CREAT, 0o600)),
    ] {
        assert_eq!(refused, Errno::EDQUOT);
    }
    system.open(b"f", 0).expect("what is there is opened");
}

/// Whoever is bound to a port answers who has sent to it, from whatever port.
#[test]
fn datagrams_are_answered_and_nobody_else_is_sent_to() {
    let there = std::net::UdpSocket::bind("127.0.0.1:0").expect("a port");
    let other = std::net::UdpSocket::bind("127.0.0.1:0").expect("a port");
    there.set_read_timeout(Some(Duration::from_secs(30))).expect("a time");
    let at = free_port();
    let open = open_with(|rules| rules.network.bind = vec![at]);
    let system = &open.system;
    let port = |socket: &std::net::UdpSocket| socket.local_addr().expect("it is bound").port();
    let socket = system.socket(2, 2, 0).expect("a socket");
    system.bind(socket, &loopback(at)).expect("it may");
    assert_eq!(refused(system.sendto(socket, b"x", 0, &loopback(port(&there)))), Errno::EACCES);
    there.send_to(b"hello", ("127.0.0.1", at)).expect("it is sent");
    let (data, from) = system.recvfrom(socket, 100, 0).expect("it came");
    assert_eq!((&data[..], from.number), (&b"hello"[..], port(&there)));
    assert_eq!(system.sendto(socket, b"back", 0, &from).expect("it asked"), 4);
    let mut got = [0; 10];
    assert_eq!(there.recv(&mut got).expect("it came"), 4);
    assert_eq!(refused(system.sendto(socket, b"x", 0, &loopback(port(&other)))), Errno::EACCES);
    // Nor from a socket that is bound nowhere.
    let loose = system.socket(2, 2, 0).expect("a socket");
    assert_eq!(refused(system.sendto(loose, b"x", 0, &from)), Errno::EACCES);
}
