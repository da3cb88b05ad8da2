//! One test for each argument of the floor: what could go wrong if it did not hold.

use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use carnet_memory::pass::{Passing, Unreceived};
use carnet_memory::{Content, Draft, Mapping, Refused, Sealed, Segment, pass};
use rustix::fs::{
    FallocateFlags, MemfdFlags, SealFlags, fallocate, fcntl_add_seals, ftruncate, memfd_create,
};
use rustix::io::{Errno, FdFlags, fcntl_getfd, pwrite};
use rustix::net::RecvFlags;

const LEN: usize = 8192;

fn file(len: u64, seals: SealFlags) -> OwnedFd {
    let file = memfd_create("test", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap();
    ftruncate(&file, len).unwrap();
    fcntl_add_seals(&file, seals).unwrap();
    file
}

#[test]
fn a_segment_keeps_its_size_whatever_anybody_does() {
    let segment = Segment::create(LEN).unwrap();
    for len in [0, LEN as u64 - 1, LEN as u64 + 1] {
        assert_eq!(ftruncate(&segment, len), Err(Errno::PERM), "{len}");
    }
    assert_eq!(fcntl_add_seals(&segment, SealFlags::WRITE), Err(Errno::PERM));
    assert_eq!(segment.len(), LEN);
    assert_eq!(Segment::create(0).unwrap_err(), Errno::INVAL);
}

#[test]
fn what_could_still_change_is_not_accepted() {
    let size = SealFlags::SHRINK | SealFlags::GROW;
    let accept = |seals, sealed| Segment::accept(file(LEN as u64, seals), sealed, LEN).map(|s| s.len());
    assert_eq!(accept(size, Sealed::Size), Ok(LEN));
    assert_eq!(accept(size | SealFlags::WRITE, Sealed::Content), Err(Refused::Holes), "but it is sealed");
    for missing in [SealFlags::SHRINK, SealFlags::GROW] {
        assert_eq!(accept(size - missing, Sealed::Size), Err(Refused::NotSealed(Sealed::Size)));
    }
    assert_eq!(accept(size, Sealed::Content), Err(Refused::NotSealed(Sealed::Content)));
    let null: OwnedFd = File::open("/dev/null").unwrap().into();
    assert_eq!(Segment::accept(null, Sealed::Size, LEN).unwrap_err(), Refused::NotSealed(Sealed::Size));
}

#[test]
fn another_length_is_not_accepted() {
    let size = SealFlags::SHRINK | SealFlags::GROW;
    for len in [0, LEN as u64 - 1, LEN as u64 + 1] {
        let refused = Segment::accept(file(len, size), Sealed::Size, LEN).unwrap_err();
        assert_eq!(refused, Refused::Length(len));
    }
}

#[test]
fn sealed_content_is_there_and_cannot_be_mapped_for_writing() {
    let segment = Segment::of(b"content").unwrap();
    assert_eq!(std::fs::read(format!("/proc/self/fd/{}", raw(&segment))).unwrap(), b"content");
    assert!(matches!(Mapping::new(&segment), Err(Errno::PERM | Errno::ACCESS)));
}

/// A memory file as a peer makes it, sealed against everything.
fn sealed_content(flags: MemfdFlags, fill: impl FnOnce(&OwnedFd)) -> OwnedFd {
    let file = memfd_create("test", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING | flags).unwrap();
    fill(&file);
    let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE;
    fcntl_add_seals(&file, seals).unwrap();
    file
}

#[test]
fn content_is_read_where_it_is_mapped_and_outlives_its_segment() {
    let data: Vec<u8> = (0..LEN + 5).map(|index| index as u8 | 1).collect();
    let mut draft = Draft::new(data.len()).unwrap();
    assert!(draft.iter().all(|byte| *byte == 0));
    draft.copy_from_slice(&data);
    for segment in [Segment::of(&data).unwrap(), draft.seal().unwrap()] {
        let file = segment.as_fd().try_clone_to_owned().unwrap();
        let theirs = Segment::accept(file, Sealed::Content, data.len()).unwrap();
        let (ours, theirs) = (Content::new(&segment).unwrap(), Content::new(&theirs).unwrap());
        drop(segment);
        assert!(*ours == data[..] && *theirs == data[..]);
    }
    assert_eq!(Draft::new(0).unwrap_err(), Errno::INVAL);
}

#[test]
fn content_cannot_be_changed_by_whoever_has_the_descriptor() {
    let segment = Draft::new(LEN).unwrap().seal().unwrap();
    let content = Content::new(&segment).unwrap();
    let punch = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    assert_eq!(fallocate(&segment, punch, 0, LEN as u64), Err(Errno::PERM));
    assert_eq!(pwrite(&segment, b"x", 0), Err(Errno::PERM));
    assert_eq!(ftruncate(&segment, 1), Err(Errno::PERM));
    assert!(matches!(Mapping::new(&segment), Err(Errno::PERM | Errno::ACCESS)));
    assert!(content.iter().all(|byte| *byte == 0));
}

#[test]
fn what_could_still_change_is_not_lent_as_bytes() {
    let segment = Segment::create(LEN).unwrap();
    assert_eq!(Content::new(&segment).unwrap_err(), Errno::PERM);
    // While somebody has it mapped for writing, it cannot be sealed at all.
    let file = file(LEN as u64, SealFlags::SHRINK | SealFlags::GROW);
    let theirs = Segment::accept(file.try_clone().unwrap(), Sealed::Size, LEN).unwrap();
    let mapping = Mapping::new(&theirs).unwrap();
    assert_eq!(fcntl_add_seals(&file, SealFlags::WRITE), Err(Errno::BUSY));
    drop(mapping);
    assert_eq!(fcntl_add_seals(&file, SealFlags::WRITE), Ok(()));
    assert!(Segment::accept(file, Sealed::Content, LEN).is_err(), "it was never written");
}

#[test]
fn all_pages_can_be_taken_at_once() {
    let file = file(LEN as u64, SealFlags::SHRINK | SealFlags::GROW);
    let segment = Segment::accept(file.try_clone().unwrap(), Sealed::Size, LEN).unwrap();
    Mapping::new(&segment).unwrap().populate();
    assert_eq!(fcntl_add_seals(&file, SealFlags::WRITE), Ok(()));
    assert!(Segment::accept(file, Sealed::Content, LEN).is_ok(), "no page is missing");
}

#[test]
fn content_with_holes_or_huge_pages_is_not_accepted() {
    let accept = |file, len| Segment::accept(file, Sealed::Content, len).map(|segment| segment.len());
    let whole = sealed_content(MemfdFlags::empty(), |file| _ = pwrite(file, &[1; LEN], 0).unwrap());
    assert_eq!(accept(whole, LEN), Ok(LEN));
    let sparse = sealed_content(MemfdFlags::empty(), |file| ftruncate(file, 1 << 40).unwrap());
    assert_eq!(accept(sparse, 1 << 40), Err(Refused::Holes));
    let hole_at_the_end = sealed_content(MemfdFlags::empty(), |file| {
        pwrite(file, &[1; LEN], 0).unwrap();
        ftruncate(file, LEN as u64 + 1).unwrap();
    });
    assert_eq!(accept(hole_at_the_end, LEN + 1), Err(Refused::Holes));
    let huge = sealed_content(MemfdFlags::HUGETLB, |file| ftruncate(file, 2 << 20).unwrap());
    assert_eq!(accept(huge, 2 << 20), Err(Refused::HugePages));
    assert_eq!(accept(sealed_content(MemfdFlags::empty(), drop_it), 0), Err(Refused::Length(0)));
}

fn drop_it(_: &OwnedFd) {}

#[test]
fn a_draft_and_content_that_are_dropped_are_gone() {
    let segment = Draft::new(5 * LEN).unwrap().seal().unwrap();
    let content = Content::new(&segment).unwrap();
    assert_eq!(mapped(5 * LEN), 1, "the draft is not mapped any more");
    drop(content);
    assert_eq!(mapped(5 * LEN), 0);
}

/// Otherwise nothing could be sealed while a child has it mapped for writing.
#[test]
fn a_child_has_no_mapping_of_a_draft() {
    let draft = Draft::new(LEN).unwrap();
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let from = format!("{:08x}-", draft.as_ptr().addr());
    let mapping = maps.split_once(&from).unwrap().1;
    let flags = mapping.lines().find_map(|line| line.strip_prefix("VmFlags:")).unwrap();
    assert!(flags.split_whitespace().any(|flag| flag == "dc"), "it is copied on fork: {flags}");
}

fn raw(file: &impl AsFd) -> i32 {
    use std::os::fd::AsRawFd;
    file.as_fd().as_raw_fd()
}

#[test]
fn nothing_outside_of_a_mapping_is_reached() {
    let mapping = Mapping::new(&Segment::create(LEN).unwrap()).unwrap();
    let refused = |access: &dyn Fn(&Mapping)| catch_unwind(AssertUnwindSafe(|| access(&mapping))).is_err();
    assert!(refused(&|m| _ = m.word(LEN)));
    assert!(refused(&|m| _ = m.word(LEN - 4)));
    assert!(refused(&|m| _ = m.word(4)), "a word that is not aligned");
    assert!(refused(&|m| _ = m.half(2)));
    assert!(refused(&|m| _ = m.half(LEN)));
    assert!(refused(&|m| _ = m.word(usize::MAX - 7)), "a sum that overflows");
    assert!(refused(&|m| m.read(LEN - 7, &mut [0; 8])));
    assert!(refused(&|m| m.write(LEN + 1, &[])));
    assert!(refused(&|m| m.write(1, &vec![0; LEN])));
    assert!(refused(&|m| m.append(LEN - 7, 8, &mut Vec::new())));
    assert!(refused(&|m| m.append(usize::MAX, 1, &mut Vec::new())));
    mapping.write(LEN, &[]);
    mapping.read(LEN - 8, &mut [0; 8]);
    mapping.append(LEN - 8, 8, &mut Vec::new());
    _ = mapping.word(LEN - 8);
    _ = mapping.half(LEN - 4);
}

#[test]
fn bytes_come_behind_those_of_a_vector() {
    let mapping = Mapping::new(&Segment::create(LEN).unwrap()).unwrap();
    let data: Vec<u8> = (0..LEN).map(|index| (index * 7) as u8 | 1).collect();
    mapping.write(0, &data);
    for (at, len) in [(0, 0), (0, 1), (3, 63), (5, 64), (1, LEN - 1)] {
        let mut onto = b"before".to_vec();
        mapping.append(at, len, &mut onto);
        assert!(onto[..6] == *b"before" && onto[6..] == data[at..at + len], "{len} bytes at {at}");
    }
}

#[test]
fn what_a_socket_has_comes_behind_a_vector_and_no_more_than_is_wanted() {
    let (ours, mut theirs) = UnixStream::pair().unwrap();
    theirs.write_all(b"0123456789").unwrap();
    let mut onto = Vec::with_capacity(100);
    onto.extend_from_slice(b"before");
    let mut receive = |at_most| pass::receive_onto(ours.as_fd(), &mut onto, at_most, RecvFlags::DONTWAIT);
    assert_eq!((receive(4), receive(100)), (Ok(4), Ok(6)));
    assert_eq!(receive(1), Err(Errno::AGAIN));
    drop(theirs);
    assert_eq!(receive(1), Ok(0));
    assert_eq!(onto, b"before0123456789");
}

#[test]
fn two_mappings_of_a_segment_are_the_same_memory() {
    let segment = Segment::create(LEN).unwrap();
    let (one, other) = (Mapping::new(&segment).unwrap(), Mapping::new(&segment).unwrap());
    one.word(8).store(7, Ordering::Release);
    one.half(20).store(9, Ordering::Release);
    assert_eq!((other.word(8).load(Ordering::Acquire), other.half(20).load(Ordering::Acquire)), (7, 9));
    // All lengths and places around those at which the way of copying changes.
    for (at, len) in (0..9).flat_map(|at| (0..70).chain(500..530).chain([4096]).map(move |len| (at, len))) {
        let data: Vec<u8> = (0..len).map(|index| (index * 7 + at) as u8 | 1).collect();
        one.write(64 + at, &data);
        let mut back = vec![0; len + 2];
        other.read(64 + at, &mut back[1..=len]);
        assert_eq!((back[0], back[len + 1]), (0, 0));
        assert!(back[1..=len] == data, "{len} bytes at {at}");
    }
}

fn mapped(bytes: usize) -> usize {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    maps.lines().filter(|line| line.contains("memfd:carnet") && has_bytes(line, bytes)).count()
}

/// Whether a line of the table of mappings is one of so many bytes, which no other test makes.
fn has_bytes(line: &str, bytes: usize) -> bool {
    let range = line.split(' ').next().and_then(|range| range.split_once('-'));
    let number = |text| usize::from_str_radix(text, 16).ok();
    range.and_then(|(from, to)| Some(number(to)? - number(from)?)) == Some(bytes)
}

#[test]
fn a_dropped_mapping_is_gone() {
    let segment = Segment::create(3 * LEN).unwrap();
    let mapping = Mapping::new(&segment).unwrap();
    assert_eq!(mapped(3 * LEN), 1);
    drop(segment);
    mapping.word(0).store(1, Ordering::Relaxed);
    drop(mapping);
    assert_eq!(mapped(3 * LEN), 0);
}

#[test]
fn memory_arrives_closed_on_exec_and_nothing_else_does() {
    let (one, other) = UnixStream::pair().unwrap();
    let segment = Segment::create(LEN).unwrap();
    assert_eq!(pass::send(one.as_fd(), b"abc", &segment), Ok(3));
    let mut bytes = [0; 8];
    let (count, file) = pass::receive(other.as_fd(), &mut bytes, RecvFlags::empty()).unwrap();
    let file = file.unwrap();
    assert_eq!((count, &bytes[..3]), (3, &b"abc"[..]));
    assert_eq!(fcntl_getfd(&file), Ok(FdFlags::CLOEXEC));
    drop(file);
    // What is no memory, or more than one, stays there, whatever comes behind it.
    let (null, end) = (File::open("/dev/null").unwrap(), UnixStream::pair().unwrap().0);
    let segment = segment.as_fd();
    for files in [&[null.as_fd()][..], &[end.as_fd()], &[segment, segment], &[segment, end.as_fd(), segment]]
    {
        let (one, other) = UnixStream::pair().unwrap();
        send_many(&one, files);
        assert_eq!(pass::send(one.as_fd(), b"abc", segment), Ok(3));
        for _ in 0..2 {
            let unfit = pass::receive(other.as_fd(), &mut bytes, RecvFlags::DONTWAIT).unwrap_err();
            assert!(matches!(unfit, Unreceived::Unfit(copies) if !copies.is_empty()));
        }
    }
    drop(one);
    assert_eq!(pass::receive(other.as_fd(), &mut bytes, RecvFlags::empty()).unwrap().0, 0);
}

#[test]
fn a_socket_may_refuse_descriptors() {
    let (one, other) = UnixStream::pair().unwrap();
    let segment = Segment::create(LEN).unwrap();
    pass::set_passing(other.as_fd(), Passing::Refused);
    match pass::send(one.as_fd(), b"a", &segment) {
        Ok(1) => println!("skipped: this Linux has no sockets that refuse descriptors, 6.16 has"),
        sent => assert_eq!(sent, Err(Errno::PERM)),
    }
    pass::set_passing(other.as_fd(), Passing::Allowed);
    assert_eq!(pass::send(one.as_fd(), b"a", &segment), Ok(1));
}

fn send_many(socket: &UnixStream, files: &[BorrowedFd<'_>]) {
    use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(8))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    assert!(control.push(SendAncillaryMessage::ScmRights(files)));
    sendmsg(socket, &[std::io::IoSlice::new(b"x")], &mut control, SendFlags::empty()).unwrap();
}

#[test]
fn a_mapped_file_is_as_long_as_it_is_mapped() {
    let dir = std::env::temp_dir().join(format!("carnet-mapped-{}", std::process::id()));
    let mut file = File::options().read(true).write(true).create(true).truncate(true).open(&dir).unwrap();
    std::fs::remove_file(&dir).unwrap();
    assert_eq!(Mapping::of_file(&file, 1).unwrap_err(), Errno::INVAL, "an empty file");
    file.write_all(&[7; LEN]).unwrap();
    assert_eq!(Mapping::of_file(&file, LEN + 1).unwrap_err(), Errno::INVAL, "behind its end");
    assert_eq!(Mapping::of_file(&file, 0).unwrap_err(), Errno::INVAL);
    let mapping = Mapping::of_file(&file, LEN).unwrap();
    mapping.word(LEN - 8).store(3, Ordering::Relaxed);
    let mut found = [0; 16];
    std::os::unix::fs::FileExt::read_exact_at(&file, &mut found, LEN as u64 - 16).unwrap();
    assert_eq!(found, [[7; 8], 3u64.to_le_bytes()].concat()[..], "what was stored is in the file");
    let read_only = File::open("/dev/null").unwrap();
    assert!(Mapping::of_file(&read_only, LEN).is_err());
}
