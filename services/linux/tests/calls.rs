//! Each operation, against what the real system call does: files, directories, pipes and sockets on loopback.

mod support;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::{SystemTime, UNIX_EPOCH};

use carnet_linux::linux::{Address, Errno, Poll, System, Times, Timespec};
use support::*;

fn loopback6(port: u16) -> Address {
    Address { family: 10, number: port, ip: 0, high: 0, low: 1, scope: 0, flow: 0 }
}

fn create(system: &System, path: &[u8]) -> i32 {
    system.open_write(path, O_RDWR | O_CREAT | O_EXCL, 0o640).expect("it is made")
}

#[test]
fn files_are_read_and_written_as_the_kernel_does() {
    let open = open();
    let (system, dir) = (&open.system, open.dir.path());
    let fd = create(system, b"a");
    assert_eq!(fd, 3, "the lowest number that is free");
    assert_eq!(system.write(fd, b"hello, world").expect("it is written"), 12);
    assert_eq!(system.pwrite64(fd, b"H", 0).expect("it is written"), 1);
    assert_eq!(fs::read(dir.join("a")).expect("it is there"), b"Hello, world");
    assert_eq!(system.lseek(fd, 7, 0).expect("it is a file"), 7);
    assert_eq!(system.read(fd, 100).expect("it is read"), b"world");
    assert_eq!(system.read(fd, 100).expect("it is read"), b"");
    assert_eq!(system.pread64(fd, 4, 1).expect("it is read"), b"ello");
    assert_eq!(refused(system.pread64(fd, 4, -1)), Errno::EINVAL);
    assert_eq!(refused(system.read(fd, -1)), Errno::EINVAL);
    assert_eq!(system.read(fd, i64::MAX).expect("a short count"), b"");
    system.ftruncate(fd, 5).expect("it is cut");
    system.fsync(fd).expect("it is synced");
    system.fdatasync(fd).expect("it is synced");
    system.fallocate(fd, 0, 0, 8192).expect("there is room");
    assert_eq!(fs::metadata(dir.join("a")).expect("it is there").len(), 8192);
    system.fadvise64(fd, 0, 0, 0).expect("it is advice");
    system.fchmod(fd, 0o600).expect("it is open for writing");
    assert_eq!(fs::metadata(dir.join("a")).expect("it is there").permissions().mode() & 0o777, 0o600);
    system.flock(fd, 2).expect("nobody has it");
    system.close(fd).expect("it is open");
    assert_eq!(refused(system.read(fd, 1)), Errno::EBADF);
    assert_eq!(refused(system.close(fd)), Errno::EBADF);
}

#[test]
fn what_is_known_of_files_is_what_the_kernel_says() {
    let open = open();
    let (system, dir) = (&open.system, open.dir.path());
    fs::write(dir.join("f"), b"12345").expect("it is written");
    std::os::unix::fs::symlink("f", dir.join("l")).expect("a link");
    let real = fs::metadata(dir.join("f")).expect("it is there");
    let link = fs::symlink_metadata(dir.join("l")).expect("it is there");
    let fd = system.open(b"f", 0).expect("it is there");
    let absolute = [dir.as_os_str().as_encoded_bytes(), b"/f"].concat();
    for stat in [
        system.stat(b"f"),
        system.stat(b"l"),
        system.stat(&absolute),
        system.fstat(fd),
        system.newfstatat(AT_FDCWD, b"l", 0),
        system.newfstatat(fd, b"", 0x1000),
    ] {
        let stat = stat.expect("it is there");
        let found =
            (stat.ino, stat.size, stat.mode, stat.nlink, stat.dev, stat.uid, stat.mtime, stat.mtime_nsec);
        let of = (
            real.ino(),
            5,
            real.mode(),
            real.nlink(),
            real.dev(),
            real.uid(),
            real.mtime(),
            real.mtime_nsec(),
        );
        assert_eq!(found, of);
        assert_eq!((stat.blocks, stat.blksize), (real.blocks() as i64, real.blksize() as i64));
    }
    for stat in [system.lstat(b"l"), system.newfstatat(AT_FDCWD, b"l", 0x100)] {
        assert_eq!(stat.expect("it is there").ino, link.ino());
    }
    let statx = system.statx(AT_FDCWD, b"f", 0, 0x7ff).expect("it is there");
    assert_eq!((statx.ino, statx.size, u32::from(statx.mode)), (real.ino(), 5, real.mode()));
    assert_eq!((statx.mtime.sec, i64::from(statx.mtime.nsec)), (real.mtime(), real.mtime_nsec()));
    let mine = rustix::fs::statvfs(dir).expect("it is there");
    for found in [system.statfs(b"."), system.fstatfs(fd)] {
        let found = found.expect("it is there");
        assert_eq!(
            (found.blocks, found.files, found.namelen as u64),
            (mine.f_blocks, mine.f_files, mine.f_namemax)
        );
    }
    system.faccessat2(AT_FDCWD, b"f", 4, 0).expect("it may be read");
    assert_eq!(refused(system.faccessat2(AT_FDCWD, b"g", 0, 0)), Errno::ENOENT);
    assert_eq!(system.readlink(b"l").expect("it is a link"), b"f");
    assert_eq!(system.readlinkat(AT_FDCWD, b"l").expect("it is a link"), b"f");
    assert_eq!(refused(system.readlink(b"f")), Errno::EINVAL);
    let cwd = fs::canonicalize(dir).expect("it is there");
    assert_eq!(system.getcwd().expect("it has one"), cwd.as_os_str().as_encoded_bytes());
}

#[test]
fn names_are_made_and_removed() {
    let open = open();
    let (system, dir) = (&open.system, open.dir.path());
    system.mkdir(b"d", 0o755).expect("it is made");
    assert_eq!(refused(system.mkdir(b"d", 0o755)), Errno::EEXIST);
    let d = system.open(b"d", O_DIRECTORY).expect("it is a directory");
    system.mkdirat(d, b"e", 0o700).expect("it is made");
    assert!(dir.join("d/e").is_dir());
    let fd = system.openat_write(d, b"f", O_WRONLY | O_CREAT, 0o600).expect("it is made");
    system.close(fd).expect("it is open");
    system.close(system.openat(d, b"f", 0).expect("it is there")).expect("it is open");
    system.close(system.creat(b"c", 0o600).expect("it is made")).expect("it is open");
    system.rename(b"c", b"r").expect("it is renamed");
    assert_eq!(refused(system.renameat2(d, b"f", AT_FDCWD, b"r", 1)), Errno::EEXIST);
    system.renameat2(d, b"f", AT_FDCWD, b"r", 0).expect("it is renamed");
    system.link(b"r", b"h").expect("it is linked");
    system.linkat(AT_FDCWD, b"r", d, b"h", 0).expect("it is linked");
    assert_eq!(fs::metadata(dir.join("r")).expect("it is there").nlink(), 3);
    system.symlink(b"/nowhere", b"s").expect("it is made");
    system.symlinkat(b"x", d, b"s").expect("it is made");
    assert_eq!(fs::read_link(dir.join("d/s")).expect("a link").as_os_str(), "x");
    for name in [&b"r"[..], b"h", b"s"] {
        system.unlink(name).expect("it is removed");
    }
    system.unlinkat(d, b"h", 0).expect("it is removed");
    system.unlinkat(d, b"s", 0).expect("it is removed");
    system.unlinkat(d, b"e", 0x200).expect("it is removed");
    system.rmdir(b"d").expect("it is removed");
    assert_eq!(refused(system.unlink(b"r")), Errno::ENOENT);
    assert_eq!(fs::read_dir(dir).expect("it is there").count(), 0);
}

#[test]
fn directories_are_listed_to_their_end() {
    let open = open();
    let (system, dir) = (&open.system, open.dir.path());
    let names: Vec<String> = (0..700).map(|k| format!("{k:0width$}", width = 1 + k % 200)).collect();
    let names: std::collections::BTreeSet<String> = names.into_iter().collect();
    for name in &names {
        File::create(dir.join(name)).expect("it is made");
    }
    let fd = system.open(b".", O_DIRECTORY).expect("it is there");
    let mut found = std::collections::BTreeSet::new();
    loop {
        let entries = system.getdents64(fd, 4096).expect("it is a directory");
        if entries.is_empty() {
            break;
        }
        for entry in entries {
            let name = String::from_utf8(entry.name).expect("as it was made");
            if name != "." && name != ".." {
                assert_eq!(entry.kind, 8);
                assert_eq!(entry.ino, fs::metadata(dir.join(&name)).expect("it is there").ino());
                assert!(found.insert(name), "once");
            }
        }
    }
    assert_eq!(found, names);
    let again = system.open(b".", O_DIRECTORY).expect("it is there");
    assert_eq!(refused(system.getdents64(again, 10)), Errno::EINVAL, "too small for one");
    assert_eq!(refused(system.getdents64(again, -1)), Errno::EINVAL);
}

#[test]
fn descriptors_are_copied_and_waited_for() {
    let open = open();
    let system = &open.system;
    let pipe = system.pipe2(O_NONBLOCK).expect("it is made");
    assert_eq!((pipe.reader, pipe.writer), (3, 4));
    let ask = |fd, events| system.poll(&Poll { fd, events, revents: 0 }, 0).expect("it is asked").revents;
    assert_eq!(ask(pipe.reader, 1), 0);
    assert_eq!(refused(system.read(pipe.reader, 1)), Errno::EAGAIN);
    assert_eq!(system.write(pipe.writer, b"abc").expect("there is room"), 3);
    assert_eq!(ask(pipe.reader, 1), 1);
    let all = [Poll { fd: -1, events: 1, revents: 0 }, Poll { fd: pipe.writer, events: 4, revents: 0 }];
    let found = system.poll_several(&all, 0).expect("it is asked");
    assert_eq!((found[0].revents, found[1].revents, found[1].fd), (0, 4, pipe.writer));
    // Descriptors of the process itself are none: POLLNVAL.
    let own = [Poll { fd: 9_000, events: 1, revents: 0 }, Poll { fd: 256, events: 1, revents: 0 }];
    let found = system.poll_several(&own, 0).expect("it is asked");
    assert_eq!([0, 1].map(|k| (found[k].fd, found[k].revents)), [(9_000, 0x20), (256, 0x20)]);
    assert_eq!(system.dup(pipe.reader).expect("it is open"), 5);
    assert_eq!(system.dup2(pipe.reader, 9).expect("it is open"), 9);
    assert_eq!(system.dup3(pipe.reader, 10, 0x80000).expect("it is open"), 10);
    assert_eq!(system.read(9, 2).expect("it is read"), b"ab");
    assert_eq!(system.read(10, 2).expect("it is read"), b"c");
    for fd in [3, 5, 9, 10] {
        system.close(fd).expect("it is open");
    }
    assert_eq!(refused(system.write(pipe.writer, b"x")), Errno::EPIPE, "and no signal");
    let counter = system.eventfd2(3, 0).expect("it is made");
    assert_eq!(system.read(counter, 8).expect("it is read"), 3_u64.to_le_bytes());
}

#[test]
fn data_move_within_the_kernel() {
    let open = open();
    let (system, dir) = (&open.system, open.dir.path());
    let data: Vec<u8> = (0..200_000_u32).map(|k| (k % 251) as u8).collect();
    fs::write(dir.join("from"), &data).expect("it is written");
    let from = system.open(b"from", 0).expect("it is there");
    let to = create(system, b"to");
    while system.sendfile(to, from, 1 << 30).expect("it is copied") > 0 {}
    assert_eq!(fs::read(dir.join("to")).expect("it is there"), data);
    system.lseek(from, 100_000, 0).expect("a file");
    system.lseek(to, 0, 0).expect("a file");
    assert_eq!(system.copy_file_range(from, to, 1 << 20).expect("it is copied"), 100_000);
    assert_eq!(fs::read(dir.join("to")).expect("it is there")[..100_000], data[100_000..]);
    let pipe = system.pipe2(0).expect("it is made");
    system.lseek(from, 0, 0).expect("a file");
    assert_eq!(system.splice(from, pipe.writer, 4096, 0).expect("there is room"), 4096);
    assert_eq!(system.read(pipe.reader, 5000).expect("it is read"), data[..4096]);
}

#[test]
fn sockets_speak_on_loopback() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    let open = open_with(|rules| {
        rules.network.connect = vec![port];
        rules.network.bind = vec![0];
    });
    let system = &open.system;
    let fd = system.socket(2, 1, 0).expect("it is allowed");
    system.setsockopt(fd, 6, 1, 1).expect("TCP_NODELAY");
    assert_eq!(system.getsockopt(fd, 6, 1).expect("TCP_NODELAY"), 1);
    assert_eq!(system.getsockopt(fd, 1, 3).expect("SO_TYPE"), 1);
    system.connect(fd, &loopback(port)).expect("somebody listens");
    let (mut peer, _) = listener.accept().expect("it has connected");
    assert_eq!(system.getpeername(fd).expect("it is connected"), loopback(port));
    assert_eq!(system.getsockname(fd).expect("it is bound").number, peer.peer_addr().expect("it is").port());
    assert_eq!(system.send(fd, b"question", 0).expect("it is sent"), 8);
    let mut question = [0; 8];
    peer.read_exact(&mut question).expect("it comes");
    peer.write_all(b"answer").expect("it is sent");
    assert_eq!(system.recv(fd, 100, 2).expect("MSG_PEEK"), b"answer");
    assert_eq!(system.recvfrom(fd, 100, 0).expect("it comes").0, b"answer");
    system.shutdown(fd, 1).expect("it is connected");
    assert_eq!(peer.read(&mut question).expect("it ends"), 0);
    // The other way round.
    let server = system.socket(2, 1 | 0x80000, 6).expect("it is allowed");
    system.setsockopt(server, 1, 2, 1).expect("SO_REUSEADDR");
    system.bind(server, &loopback(0)).expect("a port that is free");
    system.listen(server, 4).expect("it is bound");
    let mine = system.getsockname(server).expect("it is bound");
    let mut client = TcpStream::connect(("127.0.0.1", mine.number)).expect("it listens");
    let (accepted, from) = system.accept4(server, 0).expect("it has connected");
    assert_eq!(from, loopback(client.local_addr().expect("it is bound").port()));
    client.write_all(b"x").expect("it is sent");
    assert_eq!(system.read(accepted, 9).expect("it comes"), b"x");
}

#[test]
fn datagrams_have_senders() {
    let other = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let port = other.local_addr().expect("it is bound").port();
    let open = open_with(|rules| {
        rules.network.connect = vec![port];
        rules.network.bind = vec![0];
    });
    let system = &open.system;
    let fd = system.socket(2, 2, 0).expect("it is allowed");
    assert_eq!(system.sendto(fd, b"ping", 0, &loopback(port)).expect("it is sent"), 4);
    let mut ping = [0; 9];
    let (n, from) = other.recv_from(&mut ping).expect("it comes");
    assert_eq!(&ping[..n], b"ping");
    other.send_to(b"a long datagram", from).expect("it is sent");
    let (data, sender) = system.recvfrom(fd, 6, 0).expect("it comes");
    assert_eq!((&data[..], sender), (&b"a long"[..], loopback(port)), "cut off, as the kernel does");
    let six = system.socket(10, 2, 17).expect("it is allowed");
    if system.bind(six, &loopback6(0)).is_ok() {
        let name = system.getsockname(six).expect("it is bound");
        assert_eq!((name.family, name.high, name.low), (10, 0, 1));
    }
}

#[test]
fn the_process_and_the_clock() {
    let open = open();
    let system = &open.system;
    let pid = system.getpid().expect("it has one");
    assert!(fs::exists(format!("/proc/{pid}")).expect("proc is there") && pid != std::process::id() as i32);
    assert_eq!(system.getuid().expect("a number"), rustix::process::getuid().as_raw());
    assert_eq!(system.geteuid().expect("a number"), rustix::process::geteuid().as_raw());
    assert_eq!(system.getgid().expect("a number"), rustix::process::getgid().as_raw());
    assert_eq!(system.getegid().expect("a number"), rustix::process::getegid().as_raw());
    let name = system.uname().expect("it has one");
    assert_eq!(name.sysname, b"Linux");
    assert_eq!(name.release, rustix::system::uname().release().to_bytes());
    system.umask(0o77).expect("a mask");
    assert_eq!(system.umask(0o22).expect("a mask"), 0o77);
    let since = |time: Timespec| time.sec as u128 * 1_000_000_000 + time.nsec as u128;
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).expect("later").as_nanos();
    let before = now();
    let told = since(system.clock_gettime(0).expect("a clock"));
    assert!((before..=now()).contains(&told));
    assert!(since(system.clock_getres(1).expect("a clock")) > 0);
    assert_eq!(refused(system.clock_gettime(99)), Errno::EINVAL);
    let before = now();
    system.nanosleep(&Timespec { sec: 0, nsec: 2_000_000 }).expect("nobody interrupts it");
    assert!(now() - before >= 2_000_000);
    assert_eq!(refused(system.nanosleep(&Timespec { sec: 0, nsec: 1_000_000_000 })), Errno::EINVAL);
    system.sched_yield().expect("it is nothing");
    let (one, other) = (system.getrandom(32, 0).expect("bytes"), system.getrandom(32, 0).expect("bytes"));
    assert!(one.len() == 32 && one != other);
}

#[test]
fn times_are_set_through_a_descriptor() {
    let open = open();
    let (system, dir) = (&open.system, open.dir.path());
    let fd = create(system, b"t");
    let times = Times { accessed: 1_000, accessed_nsec: 5, modified: 2_000, modified_nsec: 6 };
    system.utimensat(fd, &times).expect("it is open for writing");
    let found = fs::metadata(dir.join("t")).expect("it is there");
    assert_eq!((found.atime(), found.atime_nsec(), found.mtime(), found.mtime_nsec()), (1_000, 5, 2_000, 6));
    let reader = system.open(b"t", 0).expect("it is there");
    assert_eq!(refused(system.utimensat(reader, &times)), Errno::EACCES);
    assert_eq!(refused(system.fchmod(reader, 0o777)), Errno::EACCES);
}

#[test]
fn an_error_has_the_kernels_number_and_one_text() {
    let open = open();
    match open.system.open(b"none", 0) {
        Err(carnet_portal::stub::CallError::Raised(error)) => {
            assert_eq!((error.kind as i32, &error.message[..]), (2, "no such file or directory"));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(Errno::EHWPOISON as i32, 133);
    assert_eq!(Errno::ENOTSOCK as i32, 88);
}
