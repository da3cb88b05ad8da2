//! What is refused before the kernel sees it, and what it answers. The process of the tests has descriptors of its own, so that
//! only calls without one are made here; the others are tested where a process has them to give away.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsRawFd;

use rustix::io::Errno;
use rustix::io_uring::{
    IoringOp, IoringRegisterOp, IoringSqeFlags, addr_or_splice_off_in_union, io_uring_ptr, io_uring_register,
    io_uring_sqe,
};

use super::{Arg, Descriptors, READS_MAX, ReadAt, Ring, opened_here, shape};

const NONE: Descriptors = Descriptors { below: 0 };

#[test]
fn a_call_that_is_not_offered_is_not_made() {
    // fork, execve, kill, mmap, ptrace, prctl; and beyond the table.
    for number in [57, 59, 62, 9, 101, 157, 1023] {
        assert!(shape(number).is_none());
        assert_eq!(NONE.call(number, &mut []), Err(Errno::NOSYS));
    }
}

#[test]
fn descriptors_of_others_are_not_touched() {
    assert_eq!(NONE.call(3, &mut [Arg::Number(0)]), Err(Errno::BADF));
    let five = Descriptors { below: 5 };
    for fd in [-1, 5, 6, i64::MAX, i64::MIN] {
        assert_eq!(five.call(3, &mut [Arg::Number(fd)]), Err(Errno::BADF), "{fd}");
    }
    let mut polls = [9, 0, 0, 0, 1, 0, 0, 0];
    let mut args = [Arg::Changed(&mut polls), Arg::Number(1), Arg::Number(0)];
    // To the kernel it is none, and to the caller what it was: POLLNVAL.
    assert_eq!(five.call(7, &mut args), Ok(1));
    assert_eq!(polls, [9, 0, 0, 0, 1, 0, 0x20, 0]);
}

#[test]
fn what_was_opened_here_is_owned_and_what_was_given_is_not() {
    let own = File::open("/dev/null").expect("there is one");
    let given = rustix::io::dup(&own).expect("there is room");
    let opened = opened_here().expect("they can be listed");
    assert!(opened.contains(&own.as_raw_fd()));
    assert!(!opened.contains(&given.as_raw_fd()));
    let refused = Descriptors::claim(1 << 14).map(drop).map_err(|error| error.kind());
    assert_eq!(refused, Err(io::ErrorKind::ResourceBusy));
}

#[test]
fn a_number_is_never_taken_for_an_address() {
    let number = || Arg::Number(0x1000);
    assert_eq!(NONE.call(79, &mut [number(), Arg::Number(8)]), Err(Errno::FAULT));
    assert_eq!(NONE.call(228, &mut [Arg::Number(0), number()]), Err(Errno::FAULT));
    assert_eq!(NONE.call(35, &mut [Arg::Bytes(&[0; 16]), number()]), Err(Errno::FAULT));
    assert_eq!(NONE.call(2, &mut [number(), Arg::Number(0), Arg::Number(0)]), Err(Errno::FAULT));
}

#[test]
fn no_size_is_larger_than_what_is_there() {
    let mut room = vec![7];
    for size in [9, -1, i64::MAX] {
        let mut args = [Arg::Room(&mut room, 8), Arg::Number(size), Arg::Number(0)];
        assert_eq!(NONE.call(318, &mut args), Err(Errno::FAULT));
    }
    assert_eq!(room, [7], "nothing was done");
    assert_eq!(NONE.call(228, &mut [Arg::Number(0), Arg::Changed(&mut [0; 15])]), Err(Errno::FAULT));
    assert_eq!(NONE.call(35, &mut [Arg::Bytes(&[0; 15]), Arg::Number(0)]), Err(Errno::FAULT));
    let open = |text| NONE.call(2, &mut [Arg::Bytes(text), Arg::Number(0), Arg::Number(0)]);
    assert_eq!(open(b""), Err(Errno::FAULT), "no NUL");
    assert_eq!(open(b"/dev/null"), Err(Errno::FAULT), "no NUL");
}

#[test]
fn what_comes_back_is_what_the_kernel_wrote() {
    let mut room = vec![7];
    let mut args = [Arg::Room(&mut room, 8), Arg::Number(5), Arg::Number(0)];
    assert_eq!(NONE.call(318, &mut args), Ok(5));
    assert_eq!((room.len(), room[0]), (6, 7));
    let pid = NONE.call(39, &mut []).expect("it is offered");
    assert_eq!(pid, i64::from(std::process::id()));
    let mut args = [Arg::Bytes(b"/no/such/file\0"), Arg::Number(0), Arg::Number(0)];
    assert_eq!(NONE.call(2, &mut args), Err(Errno::NOENT));
}

/// A ring, or why the system has none.
fn ring() -> Option<Ring> {
    let made = Ring::new(Ok);
    if let Err(error) = &made {
        eprintln!("skipped: there is no io_uring here: {error}");
    }
    made.ok()
}

const SOME: Descriptors = Descriptors { below: 1 << 16 };

fn read_at(fd: &impl AsRawFd, offset: i64, len: usize) -> ReadAt {
    ReadAt { fd: fd.as_raw_fd().into(), len, offset }
}

#[test]
fn a_ring_reads_as_one_by_one_and_of_regular_files_alone() {
    let Some(mut ring) = ring() else { return };
    let mut file = tempfile::tempfile().expect("a file");
    let bytes: Vec<u8> = (0..10_000_u32).map(|k| (k % 251) as u8).collect();
    file.write_all(&bytes).expect("it is written");
    let (reader, mut writer) = io::pipe().expect("a pipe");
    writer.write_all(b"kept").expect("there is room");
    let far = ReadAt { fd: 1 << 20, ..read_at(&file, 0, 1) };
    let reads = [
        read_at(&file, 100, 1_000),
        read_at(&file, 9_990, 100),
        read_at(&file, 20_000, 10),
        read_at(&reader, 0, 4),
        far,
        read_at(&file, -1, 10),
        read_at(&file, i64::MAX, 10),
        read_at(&file, 0, 0),
        read_at(&file, 0, 10_000),
        read_at(&file, 0, usize::MAX),
    ];
    for _ in 0..3 {
        ring.read(SOME, &reads).expect("it can be waited for");
        let mut taken = |k: usize| {
            let mut into = b"before".to_vec();
            ring.take(k, &mut into).map(|len| (len, into))
        };
        assert_eq!(taken(0), Ok((1_000, bytes[100..1_100].to_vec())));
        assert_eq!(taken(1), Ok((10, bytes[9_990..].to_vec())));
        assert_eq!(taken(2), Ok((0, Vec::new())));
        for refused in [3, 4, 5] {
            assert_eq!(taken(refused), Err(Errno::BADF), "{refused}");
        }
        assert!(taken(6).is_err() || taken(6) == Ok((0, Vec::new())));
        assert_eq!(taken(7), Ok((0, Vec::new())));
        assert_eq!(taken(8), Ok((10_000, bytes.clone())));
        assert_eq!(taken(8), Err(Errno::BUSY), "it is taken once");
        assert_eq!(taken(9), Err(Errno::BADF), "it is too long");
        assert_eq!(taken(10), Err(Errno::BADF), "there was none");
    }
    let mut left = [0; 4];
    (&reader).read_exact(&mut left).expect("they were not read");
    assert_eq!(&left, b"kept");
    assert_eq!(ring.read(SOME, &[reads[0]; READS_MAX + 1]), Err(Errno::BUSY));
    ring.read(SOME, &[reads[0]; READS_MAX]).expect("so many may be");
    assert!(ring.any_done());
}

/// What no filter of system calls sees, the ring itself refuses.
#[test]
fn a_ring_takes_nothing_but_reads() {
    let Some(mut ring) = ring() else { return };
    let file = tempfile::tempfile().expect("a file");
    let mut refused = |opcode: IoringOp, flags: IoringSqeFlags| {
        let path = c"/etc/passwd";
        let entry = io_uring_sqe {
            opcode,
            flags,
            fd: file.as_raw_fd(),
            addr_or_splice_off_in: addr_or_splice_off_in_union {
                addr: io_uring_ptr::new(path.as_ptr().cast_mut().cast()),
            },
            ..io_uring_sqe::default()
        };
        ring.submit_one(entry)
    };
    for opcode in [
        IoringOp::Nop,
        IoringOp::Openat,
        IoringOp::Openat2,
        IoringOp::Close,
        IoringOp::Write,
        IoringOp::Readv,
        IoringOp::Statx,
        IoringOp::Unlinkat,
        IoringOp::Renameat,
        IoringOp::Connect,
        IoringOp::Sendmsg,
        IoringOp::MsgRing,
    ] {
        assert_eq!(refused(opcode, IoringSqeFlags::empty()), -Errno::ACCESS.raw_os_error(), "{opcode:?}");
    }
    for flags in [IoringSqeFlags::ASYNC, IoringSqeFlags::IO_LINK, IoringSqeFlags::FIXED_FILE] {
        assert_eq!(refused(IoringOp::Read, flags), -Errno::ACCESS.raw_os_error(), "{flags:?}");
    }
    assert_eq!(refused(IoringOp::Read, IoringSqeFlags::empty()), 0);
    for opcode in [IoringRegisterOp::RegisterRestrictions, IoringRegisterOp::RegisterPersonality] {
        // SAFETY: neither takes memory here; both are to be refused.
        let done = unsafe { io_uring_register(ring.descriptor(), opcode, std::ptr::null(), 0) };
        assert!(matches!(done, Err(Errno::ACCESS | Errno::BADFD | Errno::INVAL)), "{opcode:?}: {done:?}");
    }
}

/// Mappings and descriptors are given back.
#[test]
fn a_ring_that_is_dropped_leaves_nothing() {
    let Some(first) = ring() else { return };
    drop(first);
    let held =
        || std::fs::read_to_string("/proc/self/maps").expect("proc is there").matches("[io_uring]").count();
    let before = held();
    for _ in 0..100 {
        let mut ring = Ring::new(Ok).expect("there was one");
        let file = tempfile::tempfile().expect("a file");
        ring.read(SOME, &[read_at(&file, 0, 100); 8]).expect("it can be waited for");
    }
    assert!(held() <= before + 4, "other tests have theirs: {} after {before}", held());
}

#[test]
fn a_read_that_does_not_wait_says_so() {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(b"some text").expect("it is written");
    let fd = i64::from(file.as_raw_fd());
    let mut into = b"<".to_vec();
    assert_eq!(SOME.read_cached(fd, 5, 4, &mut into), Ok(4));
    assert_eq!(into, b"<text");
    assert_eq!(SOME.read_cached(fd, 9, 4, &mut into), Ok(0));
    assert_eq!(SOME.read_cached(fd, -1, 4, &mut into), Err(Errno::INVAL));
    assert_eq!(SOME.read_cached(1 << 20, 0, 4, &mut into), Err(Errno::BADF));
    assert_eq!(into, b"<text");
}
