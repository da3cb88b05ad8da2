//! Peers that lie about the memory that they hand over: they harm themselves, and others are served meanwhile.

mod support;

use std::io::{IoSlice, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use carnet_memory::{Draft, Mapping, Segment, pass};
use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::memory::Memory;
use carnet_portal::portal::Portal;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::stub::{PortalIn, Served};
use carnet_portal::wire::{CALL_SESSION, HEADER_BYTES, Reply, Request, Shared, kind};
use carnet_queue::layout::{Side, memory_bytes};
use carnet_queue::{End, Wanted};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use support::shared::{Peer, request};
use support::sums::generated::{CarnetMemory, Sums, SumsService};
use support::sums::{counted, fixture, sum, with_root};
use support::{Fixture, raw, until};

const LEN: usize = 10_000;

fn peer(fixture: &Fixture) -> Peer {
    let peer = Peer::connect(fixture.socket().unwrap());
    peer.send(&raw::hello());
    peer
}

fn memory(call: u32, len: u64) -> Vec<u8> {
    raw::frame(kind::MEMORY, &[], 0, 0, call, &len.to_le_bytes())
}

/// What the server answers to all that was sent, before it says farewell to what is no message.
fn answers(peer: &Peer) -> Vec<(Reply, Vec<u8>)> {
    peer.send(&raw::frame(200, &[], 0, 0, 1, &[]));
    let mut replies = peer.rest();
    assert_eq!(replies.pop().unwrap().0.call, CALL_SESSION);
    replies
}

fn pass_to(peer: &Peer, call: u32, file: impl AsFd) {
    assert_eq!(pass::send(peer.socket.as_fd(), &call.to_le_bytes(), file), Ok(4));
}

/// A good client that shares memory, and uses what it hands over.
fn good(fixture: &Fixture) {
    let address = Address::Shared(fixture.path());
    let session = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
    let handed = session.hand_over(&Memory::of(&counted(LEN)).unwrap()).unwrap();
    let sums = Sums::from_portal(session.root());
    assert_eq!(sums.sum(&CarnetMemory::from_portal(handed)), Ok(sum(&counted(LEN))));
}

fn sealed(len: u64, flags: MemfdFlags) -> OwnedFd {
    let file = memfd_create("test", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING | flags).unwrap();
    ftruncate(&file, len).unwrap();
    fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE).unwrap();
    file
}

#[test]
fn what_is_no_sealed_memory_is_refused() {
    let fixture = fixture(|_| {});
    let refuse = |file: BorrowedFd<'_>, len: u64, kind: Kind, text: &str| {
        let peer = peer(&fixture);
        pass_to(&peer, 7, file);
        peer.send(&memory(7, len));
        let [(reply, message)] = &answers(&peer)[..] else { panic!("one answer: {text}") };
        assert_eq!((reply.call, reply.status), (7, kind as u16), "{text}");
        let message = String::from_utf8_lossy(message);
        assert!(message.contains(text), "{message}");
    };
    let good_one = Segment::of(&counted(LEN)).unwrap();
    let unsealed = Segment::create(LEN).unwrap();
    let file = tempfile::tempfile().unwrap();
    file.set_len(LEN as u64).unwrap();
    let bad = Kind::BadArgument;
    refuse(unsealed.as_fd(), LEN as u64, bad, "memory that could still be written");
    refuse(file.as_fd(), LEN as u64, Kind::Refused, "no descriptor of memory came with it");
    for len in [LEN as u64 - 1, LEN as u64 + 1] {
        refuse(good_one.as_fd(), len, bad, "memory of 10000 bytes, where another length was agreed");
    }
    refuse(sealed(0, MemfdFlags::empty()).as_fd(), 0, bad, "memory of 0 bytes");
    refuse(sealed(2 << 20, MemfdFlags::HUGETLB).as_fd(), 2 << 20, bad, "memory in huge pages");
    refuse(sealed(1 << 20, MemfdFlags::empty()).as_fd(), 1 << 20, bad, "a part was never written");
    for len in [1 << 40, u64::MAX] {
        let bytes = sealed(1 << 40, MemfdFlags::empty());
        refuse(bytes.as_fd(), len, Kind::Refused, "bytes more than a session may hand over: 268435456");
    }
    good(&fixture);
}

#[test]
fn a_frame_without_its_descriptor_is_refused() {
    let fixture = fixture(|_| {});
    let segment = Segment::of(&counted(LEN)).unwrap();
    let peer = peer(&fixture);
    peer.send(&memory(1, LEN as u64));
    // One of another number is closed; so is what comes in pieces.
    pass_to(&peer, 3, &segment);
    pass::send(peer.socket.as_fd(), &[0], &segment).unwrap();
    peer.send(&memory(2, LEN as u64));
    let told =
        |peer: &Peer| answers(peer).iter().map(|(reply, _)| (reply.call, reply.status)).collect::<Vec<_>>();
    assert_eq!(told(&peer), [(1, Kind::Refused as u16), (2, Kind::Refused as u16)]);
    // Several at once: none is taken, and nothing behind them.
    let peer = self::peer(&fixture);
    let files = [segment.as_fd(), segment.as_fd(), segment.as_fd()];
    let mut space = vec![std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    assert!(control.push(SendAncillaryMessage::ScmRights(&files)));
    let number = 4_u32.to_le_bytes();
    sendmsg(&peer.socket, &[IoSlice::new(&number)], &mut control, SendFlags::empty()).unwrap();
    peer.send(&memory(4, LEN as u64));
    pass_to(&peer, 5, &segment);
    peer.send(&memory(5, LEN as u64));
    assert_eq!(told(&peer), [(4, Kind::Refused as u16), (5, Kind::Refused as u16)]);
    good(&fixture);
}

#[test]
fn frames_that_are_wrong_end_their_session() {
    let fixture = fixture(|_| {});
    let root = 1;
    let short = raw::frame(kind::MEMORY, &[], 0, 0, 1, &[0; 7]);
    let long = raw::frame(kind::MEMORY, &[], 0, 0, 1, &[0; 9]);
    let of_nothing = raw::frame(kind::MAP, &[], 0, 0, 1, &[]);
    let of_two = raw::frame(kind::MAP, &[root, root], 0, 0, 1, &[0; 8]);
    let named = raw::frame(kind::MEMORY, &[root], 0, 0, 1, &[0; 8]);
    let wrong =
        [short, long, of_nothing, of_two, named, memory(CALL_SESSION, 1), raw::map(CALL_SESSION, root)];
    for frame in wrong {
        let peer = peer(&fixture);
        peer.send(&frame);
        let replies = peer.rest();
        assert_eq!((replies[0].0.call, replies[0].0.status), (CALL_SESSION, Kind::Protocol as u16));
    }
    // Portals that are none, or on something else, are no nonsense.
    let peer = peer(&fixture);
    peer.send(&raw::map(1, 77));
    peer.send(&raw::map(2, root));
    let told: Vec<_> = answers(&peer).into_iter().map(|(reply, data)| (reply.status, data.len())).collect();
    assert_eq!((told[0].0, told[1]), (Kind::NoSuchPortal as u16, (0, 0)));
    good(&fixture);
}

#[test]
fn descriptors_without_frames_and_death_between_the_two_cost_nobody_anything() {
    let fixture = fixture(|_| {});
    let segment = Segment::of(&counted(LEN)).unwrap();
    for round in 0..20 {
        let peer = peer(&fixture);
        // As many as the system takes.
        while pass::send(peer.socket.as_fd(), &[0; 4], &segment).is_ok() {}
        if round % 2 == 0 {
            peer.send(&raw::call(0, 1, 1, &[]));
        }
        // It dies: nothing but the socket tells.
        let _ = peer.socket.shutdown(std::net::Shutdown::Both);
        std::mem::forget(peer.end);
    }
    good(&fixture);
    until("they are gone", || fixture.sessions() == 0);
}

#[test]
fn a_descriptor_that_nobody_asks_for_ends_no_session() {
    let fixture = fixture(|limits| limits.hello_timeout = Duration::from_millis(100));
    let patient = peer(&fixture);
    pass_to(&patient, 9, Segment::of(b"nobody asks").unwrap());
    // Its end is a clock: meanwhile the server has looked at the socket of the other.
    let silent = Peer::connect(fixture.socket().unwrap());
    assert_eq!(silent.rest()[0].0.status, Kind::TimedOut as u16);
    patient.send(&raw::map(1, 1));
    let [(reply, _)] = &answers(&patient)[..] else { panic!("one answer") };
    assert_eq!((reply.call, reply.status), (1, 0));
}

/// Says so, however the test ends: the others wait for it.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// While its pages are looked for, memory that has none takes nothing from what others may hand over.
#[test]
fn memory_that_has_holes_takes_no_share() {
    const LONG: u64 = 256 << 20;
    let fixture = fixture(|_| {});
    let (is_over, asked) = (AtomicBool::new(false), AtomicU64::new(0));
    let file = sealed(LONG, MemfdFlags::empty());
    let lie = |number: u64| {
        let peer = peer(&fixture);
        let mut buffer = vec![0; 4096];
        for call in 1.. {
            pass_to(&peer, call, &file);
            peer.send(&memory(call, LONG));
            asked.fetch_or(1 << number, Ordering::SeqCst);
            while peer.end.receive(&mut buffer).expect("the queue is right") == 0 {
                if is_over.load(Ordering::SeqCst) {
                    return;
                }
                peer.end.sleep(Wanted { frames: true, room: false }, Duration::from_millis(10), || false);
            }
        }
    };
    std::thread::scope(|scope| {
        (0..4).for_each(|number| {
            drop(scope.spawn({
                let lie = &lie;
                move || lie(number)
            }))
        });
        let _over = Over(&is_over);
        until("all lie", || asked.load(Ordering::SeqCst) == 0b1111);
        (0..50).for_each(|_| good(&fixture));
    });
}

#[test]
fn a_client_that_takes_no_descriptors_holds_few() {
    let fixture = fixture(|_| {});
    let peer = peer(&fixture);
    // Whoever asks again and again is told at last to read by calls.
    peer.send(&raw::call(1, 1, 1, &raw::words(&[10])));
    for call in 2..30 {
        peer.send(&raw::map(call, 2));
    }
    let passed = answers(&peer).iter().filter(|(reply, data)| reply.call > 1 && data.len() == 8).count();
    assert!((1..10).contains(&passed), "{passed}");
    good(&fixture);
}

/// Has memory, and takes the time to add until the gate is open.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl SumsService for Gate {
    fn sum(&self, _: &Caller, _: PortalIn<'_, CarnetMemory>) -> Result<u64, Failure> {
        let (is_open, changed) = &*self.0;
        drop(changed.wait_while(is_open.lock().unwrap(), |is_open| !*is_open).unwrap());
        Ok(0)
    }

    fn counted(&self, _: &Caller, bytes: i64) -> Result<Served<CarnetMemory>, Failure> {
        Memory::of(&counted(bytes as usize))?.serve()
    }

    fn keep(&self, _: &Caller, _: PortalIn<'_, CarnetMemory>) -> Result<(), Failure> {
        Ok(())
    }

    fn kept(&self, _: &Caller) -> Result<Served<CarnetMemory>, Failure> {
        Err(Failure::service("nothing is kept"))
    }
}

/// Files that are mapped in `bytes` bytes, which no other test does: once for each mapping.
fn mapped_files(bytes: usize) -> Vec<String> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let number = |text: &str| usize::from_str_radix(text, 16).unwrap();
    let has_bytes = |line: &&str| {
        let (from, to) = line.split(' ').next().and_then(|range| range.split_once('-')).unwrap();
        line.contains("memfd:carnet") && number(to) - number(from) == bytes
    };
    maps.lines().filter(has_bytes).map(|line| line.split_whitespace().nth(4).unwrap().to_owned()).collect()
}

/// A server that takes its time keeps nobody longer than the time of the call, and has its answers taken when they come.
#[test]
fn memory_is_mapped_again_after_a_server_was_slow() {
    const PAGES: usize = 11 * 4096;
    const THREADS: usize = 30;
    let gate = Gate::default();
    let root = Capability::new(Sums::serve(gate.clone()).into_object());
    let fixture = with_root(|_| {}, root);
    let timeout = Duration::from_millis(100);
    let options = ConnectOptions { call_timeout: Some(timeout), ..ConnectOptions::default() };
    let session = RemoteSession::connect(&Address::Shared(fixture.path()), options).unwrap();
    let sums = Sums::from_portal(session.root());
    let theirs = sums.counted(PAGES as i64).unwrap();
    assert_eq!(sums.sum(&theirs).unwrap_err().kind(), Kind::TimedOut);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let map = || Memory::map::<CarnetMemory>(theirs.portal(), PAGES).unwrap_err().kind();
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(map)).collect();
        threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap(), Kind::TimedOut));
    });
    assert!(begun.elapsed() < timeout * THREADS as u32 / 2, "{:?}", begun.elapsed());
    for _ in 0..THREADS {
        assert_eq!(Memory::map::<CarnetMemory>(theirs.portal(), PAGES).unwrap_err().kind(), Kind::TimedOut);
    }
    *gate.0.0.lock().unwrap() = true;
    gate.0.1.notify_all();
    until("memory is mapped", || {
        let mapped = Memory::map::<CarnetMemory>(theirs.portal(), PAGES);
        let files = mapped_files(PAGES);
        mapped.is_ok() && files.len() == 2 && files[0] == files[1]
    });
}

/// What a client gets that asks a server for memory which answers with `data` and passes `files`, each with its number.
fn answered(data: &[u8], files: &[(u32, BorrowedFd<'_>)]) -> Result<Memory, Failure> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| serve_by_hand(&listener.accept().unwrap().0, data, files));
        let session = RemoteSession::connect(&Address::Shared(path), ConnectOptions::default()).unwrap();
        let portal: Portal = session.root();
        Memory::map::<CarnetMemory>(&portal, LEN)
    })
}

fn serve_by_hand(mut socket: &UnixStream, data: &[u8], files: &[(u32, BorrowedFd<'_>)]) {
    const RING: usize = 16 << 10;
    socket.read_exact(&mut vec![0; request().len()]).unwrap();
    let segment = Segment::create(memory_bytes(RING).unwrap()).unwrap();
    let mut body = Vec::new();
    Shared { ring: RING as u32 }.encode(&mut body);
    pass::send(socket.as_fd(), &reply(1, &body), &segment).unwrap();
    let end = End::new(Mapping::new(&segment).unwrap(), Side::Server, RING);
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 4096]);
    while !end.has_other_hung_up() {
        let received = end.receive(&mut buffer).unwrap();
        bytes.extend_from_slice(&buffer[..received]);
        while let Some(header) = Request::decode(&bytes).filter(|header| header.len as usize <= bytes.len()) {
            bytes.drain(..header.len as usize);
            if header.kind == kind::MAP {
                for (number, file) in files {
                    pass::send(socket.as_fd(), &(header.call + number).to_le_bytes(), file).unwrap();
                }
                end.send(&[IoSlice::new(&reply(header.call, data))]).unwrap();
            } else if header.kind == kind::CALL {
                // `size`: more than there is; `read`: nothing.
                end.send(&[IoSlice::new(&reply(header.call, &raw::words(&[u64::from(header.op == 0)])))])
                    .unwrap();
            }
        }
        std::thread::yield_now();
    }
}

fn reply(call: u32, body: &[u8]) -> Vec<u8> {
    let len = (HEADER_BYTES + body.len()) as u32;
    let header = Reply { len, kind: kind::REPLY, portals: 0, status: 0, call, raised: 0 };
    [&header.encode()[..], body].concat()
}

#[test]
fn a_server_cannot_give_memory_that_could_change() {
    let draft = || Draft::new(LEN).unwrap().seal().unwrap();
    let (good, short, unsealed) = (draft(), Segment::of(b"short").unwrap(), Segment::create(LEN).unwrap());
    let len = (LEN as u64).to_le_bytes();
    let told = |data: &[u8], files: &[(u32, BorrowedFd<'_>)]| {
        let failure = answered(data, files).unwrap_err();
        (failure.kind(), failure.details().message.clone())
    };
    let check = |(kind, text): (Kind, String), wanted: Kind, end: &str| {
        assert!(kind == wanted && text.ends_with(end), "{kind:?}: {text}");
    };
    // Those that lie before it, of calls that were given up, are closed.
    let stale = [(5, short.as_fd()), (9, unsealed.as_fd()), (0, good.as_fd())];
    assert_eq!(answered(&len, &stale).unwrap().len(), LEN);
    check(told(&len, &[(0, unsealed.as_fd())]), Kind::Protocol, "memory that could still be written");
    check(told(&len, &[(0, short.as_fd())]), Kind::Protocol, "where another length was agreed");
    check(told(&len, &[]), Kind::Protocol, "it carries no memory");
    check(told(&len, &[(1, good.as_fd())]), Kind::Protocol, "it carries no memory");
    check(told(&[1; 3], &[]), Kind::Protocol, "it is no length");
    let more = (LEN as u64 + 1).to_le_bytes();
    check(told(&more, &[(0, good.as_fd())]), Kind::Refused, "where at most 10000 are wanted");
    // Read by calls, it is no more than it says, and no less.
    check(told(&[], &[]), Kind::Service, "memory of another size than it says");
}
