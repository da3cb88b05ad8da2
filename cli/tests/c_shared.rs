//! C and Rust through shared memory: each side calls the other, and a hostile one costs nobody else anything. What is
//! built with sanitizers ends when it touches what it must not.

mod support;

use std::fs;
use std::io::{IoSlice, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use carnet_memory::{Mapping, Segment, pass};
use carnet_portal::call::Kind;
use carnet_portal::memory::Memory;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_queue::layout::{CONTROL_BYTES, WHOLE, memory_bytes};
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::io::Errno;
use rustix::net::sockopt::set_socket_linger;
use support::c::{
    Board, ECHO, NOTES, SANITIZED, built, built_by_all, files, frame, hello, is_called_from_rust, reply,
    shown, works_on_files,
};
use support::peer::{Peer, echo, share};
use support::{PATIENCE, Place};

/// How long closing takes if nobody reads.
const LINGER: Duration = Duration::from_secs(60);

#[test]
fn a_client_in_c_works_on_files() {
    built_by_all(&[]).iter().chain(&built(&SANITIZED)).for_each(|build| works_on_files(build, "shm"));
}

#[test]
fn the_rust_client_calls_a_server_in_c() {
    built_by_all(&[]).iter().chain(&built(&SANITIZED)).for_each(|build| is_called_from_rust(build, "shm"));
}

/// It has the interface of memory like any other, and maps none.
#[test]
fn a_server_in_c_takes_no_memory_and_goes_on() {
    let place = Place::new();
    let Some(build) = built(&SANITIZED) else { return };
    let board = Board::start(&place, &build);
    let address = board.address("shm").parse().expect("an address");
    let session = RemoteSession::connect(&address, ConnectOptions::default()).expect("to connect");
    for _ in 0..3 {
        let refused = session.hand_over(&Memory::of(b"pages").expect("memory")).expect_err("in C");
        assert_eq!(refused.kind(), Kind::Refused);
        // By its socket, if the system has such; or by its answer.
        let text = &*refused.details().message;
        assert!(["this server takes no memory", "this server only serves calls"].contains(&text), "{text}");
    }
    let peer = Peer::connect(&board, 4096);
    peer.send(&hello());
    peer.ask();
    session.describe().expect("the session goes on");
}

/// Through rings of all lengths, frames that fit and that do not, one after the other.
#[test]
fn frames_of_every_length_come_back() {
    let place = Place::new();
    let Some(build) = built(&SANITIZED) else { return };
    let board = Board::start(&place, &build);
    for (wished, ring) in [(0, 4096), (4096, 4096), (5000, 4096), (64 << 10, 64 << 10), (u32::MAX, 256 << 10)]
    {
        let peer = Peer::connect(&board, wished);
        assert_eq!(peer.ring, ring);
        peer.send(&hello());
        let data: Vec<u8> = (0..1_000_000_u32).map(|n| (n % 251) as u8).collect();
        for len in
            (0..300).chain([3000, 4000, 4040, 4048, 4072, 4073, 4200, 20_000, 70_000, 300_000, 1_000_000])
        {
            let (status, body) = peer.call(ECHO, &echo(&data[..len])).expect("an answer");
            assert_eq!((status, body.len()), (0, 8 + len), "{len} bytes through {ring}");
            assert!(body[8..] == data[..len], "{len} bytes through {ring}");
        }
    }
}

/// The loop sleeps on memory, and what happens on sockets wakes it: calls would take half a second otherwise.
#[test]
fn clients_of_both_kinds_are_served() {
    let place = Place::new();
    let Some(build) = built(&SANITIZED) else { return };
    let board = Board::start(&place, &build);
    let mut early = board.connect();
    early.write_all(&hello()).expect("to send");
    // While it works elsewhere, as starting a program does, the server falls asleep.
    let calls = || {
        let begun = Instant::now();
        (0..50).for_each(|_| assert_eq!(board.call(&place, "unix", &["Board.notes"]), "done  0\n"));
        begun.elapsed()
    };
    let alone = calls();
    let peer = Peer::greeted(&board);
    peer.ask();
    let beside = calls();
    assert!(
        beside < 4 * alone + Duration::from_secs(5),
        "{beside:?}, and {alone:?} before memory was shared"
    );
    let mut late = board.connect();
    late.write_all(&hello()).expect("to send");
    let begun = Instant::now();
    for _ in 0..100 {
        for stream in [&mut early, &mut late] {
            stream.write_all(&frame(2, NOTES, 1, 7, &[])).expect("to send");
            assert_eq!(reply(stream), Some((0, vec![0; 8])));
        }
    }
    for _ in 0..100 {
        let mut new = board.connect();
        new.write_all(&[hello(), frame(2, NOTES, 1, 7, &[])].concat()).expect("to send");
        assert_eq!(reply(&mut new), Some((0, vec![0; 8])));
    }
    assert!(begun.elapsed() < PATIENCE / 2, "sockets are not told of");
    // Calls without a pause through memory keep nobody out.
    std::thread::scope(|scope| {
        let busy = scope.spawn(|| (0..20_000).for_each(|_| peer.ask()));
        for _ in 0..20 {
            assert_eq!(board.call(&place, "unix", &["Board.notes"]), "done  0\n");
        }
        busy.join().expect("all is answered");
    });
}

/// Descriptors and stretches of memory are as they were, and a good client is served.
fn settled(board: &Board, good: &Peer, before: (usize, usize)) {
    let begun = Instant::now();
    loop {
        good.ask();
        let now = (board.entries("fd"), board.entries("map_files"));
        if now.0 <= before.0 && now.1 <= before.1 {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{now:?} descriptors and stretches, {before:?} were");
    }
}

/// What the sanitizer finds lost when the server ends fails this, too.
#[test]
fn hostile_clients_cost_a_server_in_c_nothing() {
    let place = Place::new();
    let Some(build) = built(&SANITIZED) else { return };
    let board = Board::start(&place, &build);
    let good = Peer::greeted(&board);
    good.ask();
    // Once, so that memory that the sanitizer keeps is there before.
    drop(Peer::greeted(&board));
    good.ask();
    attack(&board, &good);
    good.ask();
    board.end();
}

/// What thousands of hostile sessions may leave behind in the allocator.
const KEPT_KIB: u64 = 128;

/// Without a sanitizer, which keeps memory for itself.
#[test]
fn hostile_clients_leave_no_memory_behind_in_a_server_in_c() {
    let place = Place::new();
    let Some(build) = built(&[]) else { return };
    let board = Board::start(&place, &build);
    let good = Peer::greeted(&board);
    attack(&board, &good);
    let mut before = board.private_kib();
    // What is lost is lost each time; how much of what was freed the allocator keeps is not the same each time.
    let all_given_back = (0..3).any(|_| {
        attack(&board, &good);
        let after = board.private_kib();
        println!("{before} KiB, and {after} after as many hostile sessions again");
        std::mem::replace(&mut before, after) + KEPT_KIB >= after
    });
    assert!(all_given_back, "each time more than {KEPT_KIB} KiB are left behind");
    board.end();
}

/// All that one can do to it; descriptors and stretches of memory are as before after each.
fn attack(board: &Board, good: &Peer) {
    let echoed = echo(&[7; 100]);
    let before = (board.entries("fd"), board.entries("map_files"));

    // Lengths that lie end the liar's session.
    for mark in
        [1, 15 | WHOLE, u64::MAX, 0x7fff_ffff, 0x7fff_ffff | WHOLE, 4096 | WHOLE, 1 << 20 | WHOLE, 3 << 20]
    {
        let peer = Peer::connect(board, 4096);
        peer.memory.word(CONTROL_BYTES).store(mark, Relaxed);
        peer.wake_server();
        while !peer.end.has_other_hung_up() {
            good.ask();
        }
    }
    settled(board, good, before);

    // Every bit of positions, bells and hang-ups, and of a frame.
    for at in [0, 128, 256, 384, 512, 640, 768, 772, 896, 900] {
        for bit in 0..32 {
            let peer = Peer::greeted(board);
            let _ = peer.end.send(&[IoSlice::new(&frame(2, ECHO, 1, 1, &echoed))]);
            peer.memory.half(at).fetch_xor(1 << bit, Relaxed);
            let _ = peer.end.send(&[IoSlice::new(&frame(2, ECHO, 1, 2, &echoed))]);
        }
        settled(board, good, before);
    }
    let call = frame(2, ECHO, 1, 1, &echoed);
    for bit in 0..call.len() * 8 {
        let peer = Peer::greeted(board);
        let mut wrong = call.clone();
        wrong[bit / 8] ^= 1 << (bit % 8);
        let place = CONTROL_BYTES + 64;
        peer.memory.write(place + 8, &wrong[8..]);
        let mark = wrong.first_chunk().map_or(0, |mark| u64::from_le_bytes(*mark));
        peer.memory.word(place).store(mark | WHOLE, Relaxed);
        peer.wake_server();
    }
    settled(board, good, before);

    // Dies at each step, and with the memory in its hands.
    for len in 0..=share(4096).len() {
        board.connect().write_all(&share(4096)[..len]).expect("to send");
    }
    for act in [0, 1, 2] {
        let peer = Peer::connect(board, 4096);
        match act {
            0 => {}
            1 => peer.send(&hello()),
            _ => peer.memory.word(CONTROL_BYTES).store(1 << 10, Relaxed),
        }
        peer.socket.shutdown(std::net::Shutdown::Both).expect("to die");
        std::mem::forget(peer.end);
    }
    settled(board, good, before);

    // What is asked twice, asked wrongly, or asked too late.
    for bytes in [
        frame(6, 0, 0, 1, b"\x89carnet\n\x02\0\0\0\0\x10\0\0"),
        frame(6, 0, 0, 1, b"no Share"),
        frame(6, 0, 0, 0, b"\x89carnet\n\x01\0\0\0\0\x10\0\0"),
        [hello(), share(4096)].concat(),
    ] {
        let mut stream = board.connect();
        stream.write_all(&bytes).expect("to send");
        assert!(matches!(reply(&mut stream), Some((6 | 10, _))), "{bytes:?}");
    }
    let peer = Peer::connect(board, 4096);
    peer.send(&share(4096));
    assert_eq!(peer.reply().map(|(status, _)| status), Some(10));
    let mut behind = board.connect();
    behind.write_all(&[share(4096), hello()].concat()).expect("to send");
    let _ = behind.read_to_end(&mut Vec::new());
    settled(board, good, before);
}

/// Everything that the server reads of a call changes while it is read.
#[test]
fn memory_that_changes_between_check_and_use_is_used_as_it_was_checked() {
    let place = Place::new();
    let Some(build) = built(&SANITIZED) else { return };
    let board = Board::start(&place, &build);
    let good = Peer::greeted(&board);
    good.ask();
    let before = (board.entries("fd"), board.entries("map_files"));
    let mut random = 1_u64;
    for session in 0..100_u64 {
        let peer = Peer::greeted(&board);
        random ^= session.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for call in 1..60 {
            if peer.end.send(&[IoSlice::new(&frame(2, ECHO, 1, call, &echo(&[b'x'; 60])))]).is_err() {
                break;
            }
            for _ in 0..50 {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                // Mostly what lies in the ring; sometimes positions and bells.
                let at = if random >> 60 == 0 { random >> 32 & 0x3f8 } else { 4096 + (random >> 32 & 0x7f8) };
                peer.memory.word(at as usize).store(random >> (random & 63), Relaxed);
            }
        }
        good.ask();
    }
    settled(&board, &good, before);
}

/// One that reads nothing is not served, keeps no more than one reply, and others are served.
#[test]
fn whoever_reads_nothing_waits_alone() {
    let place = Place::new();
    let bounds = ["-DCARNET_PATIENCE_MS=300", "-DCARNET_IDLE_MS=400"];
    let Some(build) = built(&[&SANITIZED[..], &bounds].concat()) else { return };
    let board = Board::start(&place, &build);
    let (good, deaf) = (Peer::greeted(&board), Peer::greeted(&board));
    let begun = Instant::now();
    deaf.send(&frame(2, ECHO, 1, 1, &echo(&[7; 100_000])));
    while !deaf.end.has_other_hung_up() {
        assert!(begun.elapsed() < PATIENCE, "it is not hung up on");
        good.ask();
    }
    // So is one that never says the rest of a frame, one that never says Hello, and one that says nothing more.
    let idle = Peer::greeted(&board);
    idle.ask();
    let slow = Peer::greeted(&board);
    slow.memory.word(CONTROL_BYTES + 64).store(1000 | 2 << 32, Relaxed);
    let silent = Peer::connect(&board, 4096);
    let mut mute = board.connect();
    while [&slow, &silent, &idle].iter().any(|peer| !peer.end.has_other_hung_up()) {
        assert!(begun.elapsed() < PATIENCE, "they are not hung up on");
        good.ask();
    }
    let mut told = Vec::new();
    mute.read_to_end(&mut told).expect("it is hung up on");
    assert!(told.ends_with(b"the client did not say Hello in time"), "{}", String::from_utf8_lossy(&told));
    good.ask();
}

#[test]
fn a_server_in_c_may_share_no_memory() {
    let place = Place::new();
    let Some(build) = built(&["-DCARNET_SHARED_RING_MAX=0"]) else { return };
    let board = Board::start(&place, &build);
    let refused = board.call(&place, "shm", &["Board.notes"]);
    assert!(refused.contains("this server shares no memory"), "{refused}");
    assert_eq!(board.call(&place, "unix", &["Board.notes"]), "done  0\n");
    let in_c = files(&build, "shm", &board.socket, &["list", "."]);
    assert!(shown(&in_c).contains("this server shares no memory"), "{}", shown(&in_c));
}

/// The answer to Share of a server that sends `files` with it, each with a byte of its own.
fn answer(mut socket: &UnixStream, ring: u32, files: &[BorrowedFd<'_>]) {
    let mut request = vec![0; share(0).len()];
    socket.read_exact(&mut request).expect("a request");
    let mut frame = vec![20, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    frame.extend(ring.to_le_bytes());
    for (at, file) in files.iter().enumerate() {
        pass::send(socket.as_fd(), &frame[at..=at], file).expect("to send");
    }
    // Whoever saw enough has hung up.
    let _ = socket.write_all(&frame[files.len()..]);
}

/// A socket whose closing waits for a minute as long as the other end is there, which is to go first. A process that is started
/// has it until it runs: who closes it meanwhile leaves the waiting to that.
fn lingering() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut one = TcpStream::connect(listener.local_addr().expect("it has one")).expect("it listens");
    let other = listener.accept().expect("it connected").0;
    one.set_nonblocking(true).expect("it can");
    while one.write(&[7; 1 << 16]).is_ok() {}
    set_socket_linger(&one, Some(LINGER)).expect("it can");
    (one, other)
}

/// What a client in C leaves open it need not wait for; and its server takes no descriptors at all.
#[test]
fn descriptors_hold_up_neither_a_client_nor_a_server_in_c() {
    let place = Place::new();
    let Some(build) = built(&SANITIZED) else { return };
    let begun = Instant::now();
    for before in [None, Some(Segment::create(memory_bytes(4096).expect("a ring")).expect("memory"))] {
        let (file, _other) = lingering();
        let said = said_of(&place, &build, |mut socket| {
            let files: Vec<_> = before.iter().map(|memory| memory.as_fd()).chain([file.as_fd()]).collect();
            answer(&socket, 4096, &files);
            drop(files);
            // Whoever is last closes it; if that is this end, nobody is to wait for it here.
            std::thread::spawn(move || drop(file));
            let _ = socket.read_to_end(&mut Vec::new());
        });
        assert!(said.contains("passed something that is no memory"), "{said}");
    }
    let (file, _other) = lingering();
    let board = Board::start(&place, &build);
    let socket = board.connect();
    match pass::send(socket.as_fd(), &[16], &file) {
        Ok(_) => println!("skipped: this Linux has no sockets that refuse descriptors, 6.16 has"),
        passed => assert_eq!(passed, Err(Errno::PERM)),
    }
    let peer = Peer::greeted(&board);
    assert!(pass::send(peer.socket.as_fd(), &[16], &file).is_err());
    peer.ask();
    assert_eq!(board.call(&place, "unix", &["Board.notes"]), "done  0\n");
    assert!(begun.elapsed() < LINGER / 2, "{:?}", begun.elapsed());
}

/// What a client in C says of a server that does `serve` with its connection.
fn said_of(place: &Place, build: &Path, serve: impl FnOnce(UnixStream) + Send) -> String {
    let path = place.path("bad.sock");
    let _ = fs::remove_file(&path);
    let listener = UnixListener::bind(&path).expect("to listen");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (socket, _) = listener.accept().expect("it connects");
            socket.set_read_timeout(Some(PATIENCE)).expect("a time-out");
            serve(socket);
        });
        let output = files(build, "shm", &path, &["list", "."]);
        assert!(matches!(output.status.code(), Some(1 | 7)), "{}", shown(&output));
        shown(&output)
    })
}

#[test]
fn a_server_cannot_give_a_client_in_c_memory_that_could_vanish() {
    let place = Place::new();
    let Some(build) = built(&SANITIZED) else { return };
    let bytes = memory_bytes(4096).expect("a ring that can be");
    let good = Segment::create(bytes).expect("memory");
    let sealed = Segment::of(&vec![0; bytes]).expect("memory");
    let short = Segment::create(bytes - 1).expect("memory");
    let file = tempfile::tempfile().expect("a file");
    file.set_len(bytes as u64).expect("a length");
    let unsealed = memfd_create("test", MemfdFlags::ALLOW_SEALING).expect("memory");
    ftruncate(&unsealed, bytes as u64).expect("a length");
    let (lingering, _other) = lingering();
    let wrong: [(&str, u32, &[BorrowedFd<'_>]); 9] = [
        ("the server sent no memory", 4096, &[]),
        ("whose size could still change", 4096, &[unsealed.as_fd()]),
        ("passed something that is no memory", 4096, &[file.as_fd()]),
        ("passed something that is no memory", 4096, &[lingering.as_fd()]),
        ("of another length than was agreed", 4096, &[short.as_fd()]),
        ("of another length than was agreed", 8192, &[good.as_fd()]),
        ("a ring that cannot be so long", 5000, &[good.as_fd()]),
        ("a ring that cannot be so long", 32 << 20, &[good.as_fd()]),
        ("cannot be mapped", 4096, &[sealed.as_fd()]),
    ];
    for (expected, ring, files) in wrong {
        let said = said_of(&place, &build, |socket| answer(&socket, ring, files));
        assert!(said.contains(expected), "{expected}: {said}");
    }
    // One is enough, and others are closed.
    let said = said_of(&place, &build, |socket| answer(&socket, 4096, &[good.as_fd(), short.as_fd()]));
    assert!(said.contains("the server closed the connection"), "{said}");
    for (expected, bytes) in [
        ("the server closed the connection before", vec![]),
        ("the server sent something that is no reply", vec![0xff; 64]),
        ("the server sent something that is no reply", vec![8, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
        ("the server sent something that is no reply", frame(3, 0, 1, 0, &[0; 8])),
        ("not for you", frame(3, 6, 1, 0, b"not for you")),
    ] {
        let said = said_of(&place, &build, |mut socket| {
            let mut request = vec![0; share(0).len()];
            socket.read_exact(&mut request).expect("a request");
            socket.write_all(&bytes).expect("to send");
        });
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn a_server_that_scribbles_or_dies_costs_a_client_in_c_its_call() {
    let place = Place::new();
    let Some(build) = built(&SANITIZED) else { return };
    let bytes = memory_bytes(4096).expect("a ring that can be");
    let lies: [fn(&Mapping); 5] = [
        |memory| memory.word(CONTROL_BYTES + 4096).store(3, Relaxed),
        |memory| memory.word(CONTROL_BYTES + 4096).store(u64::MAX, Relaxed),
        |memory| memory.word(CONTROL_BYTES + 4096).store(100 | 3 << 32, Relaxed),
        |memory| memory.word(128).store(u64::MAX, Relaxed),
        |_| {},
    ];
    for lie in lies {
        let said = said_of(&place, &build, |socket| {
            let segment = Segment::create(bytes).expect("memory");
            let memory = Mapping::new(&segment).expect("a mapping");
            answer(&socket, 4096, &[segment.as_fd()]);
            let begun = Instant::now();
            while memory.word(0).load(Relaxed) < 2 * 64 {
                assert!(begun.elapsed() < PATIENCE, "the client has sent no call");
                std::thread::yield_now();
            }
            lie(&memory);
        });
        assert!(said.contains("the server closed the connection"), "{said}");
    }
}
