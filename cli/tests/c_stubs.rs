//! C and Rust through a Unix socket: the C client of `examples/c` with the files service, and `carnet call` with the C
//! server, which hostile clients then try to bring down. `make` builds both, as a user would, with gcc and with clang.

mod support;

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::c::{
    Board, ECHO, NOTES, SANITIZED, built, built_by_all, frame, hello, is_called_from_rust, reply, shown,
    works_on_files,
};
use support::{PATIENCE, Place};

#[test]
fn a_client_in_c_works_on_files() {
    built_by_all(&[]).iter().for_each(|build| works_on_files(build, "unix"));
}

#[test]
fn the_rust_client_calls_a_server_in_c() {
    built_by_all(&[]).iter().for_each(|build| is_called_from_rust(build, "unix"));
}

#[test]
fn a_client_in_c_calls_a_board_of_its_own_process() {
    for build in built_by_all(&[]) {
        let here = |words: &[&str]| Command::new(build.join("here")).args(words).output().expect("it runs");
        assert_eq!(shown(&here(&["milk", "bread"])), "2 notes\nthe last one had 5 bytes\n");
        assert_eq!(shown(&here(&[])), "0 notes\n");
        let full = here(&vec!["x"; 101]);
        assert_eq!(full.status.code(), Some(1));
        assert!(shown(&full).contains("the board is full"), "{}", shown(&full));
    }
}

/// The hash of an interface of the board.
fn hash_of(interface: &str) -> u64 {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/c/board.idl");
    let text = std::fs::read_to_string(path).expect("the interface file");
    let module = carnet_idl::compile_str("board.idl", &text).expect("no faults");
    let id = module.interface(interface).expect("it is there");
    module.interfaces[id.index()].hash.0
}

#[test]
fn hostile_clients_cost_a_server_in_c_nothing() {
    let place = Place::new();
    let Some(build) = built(&SANITIZED) else { return };
    let board = Board::start(&place, &build);
    let mut good = board.connect();
    good.write_all(&hello()).expect("to send");
    let mut ask = || {
        good.write_all(&frame(2, NOTES, 1, 7, &[])).expect("to send");
        assert_eq!(reply(&mut good), Some((0, vec![0; 8])));
    };
    ask();
    let before = board.entries("fd");

    // Each is sent in a connection of its own, by itself and behind a Hello; whatever comes back is read to the end.
    let call = |op, target, body: &[u8]| frame(2, op, target, 1, body);
    let bad: Vec<Vec<u8>> = vec![
        vec![0; 4],
        vec![0xff; 64],
        b"GET / HTTP/1.0\r\n\r\n".to_vec(),
        frame(1, 0, 0, 0, b"no Hello"),
        frame(1, 0, 0, 0, &[&b"\x89carnet\n\x01\0\0\0"[..], &[0xff; 40]].concat()),
        frame(0, 0, 0, 1, &[]),
        frame(4, 0, 0, 0, &[0xff; 80]),
        frame(4, 0, 0, 0, &[1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]),
        frame(99, 0, 0, 3, &[1; 100]),
        frame(2, 0, 1, 0, &[]),
        call(0xffff, 1, &[]),
        call(0x8003, 1, &[0xff; 24]),
        call(NOTES, 0, &[]),
        call(NOTES, 0xffff_ffff, &[]),
        call(NOTES, 256, &[]),
        call(NOTES, 3, &[]),
        call(NOTES, 1, &[0; 8]),
        call(0, 1, &[0xff; 8]),
        call(ECHO, 1, &[0xff; 8]),
        call(ECHO, 1, &[&[5, 0, 0, 0, 0, 0, 0, 0][..], b"shor"].concat()),
        call(5, 1, &[0xff; 24]),
    ];
    for (first, bytes) in bad.iter().flat_map(|bytes| [(Vec::new(), bytes), (hello(), bytes)]) {
        let mut stream = board.connect();
        stream.write_all(&first).expect("to send");
        // The server may have hung up by now.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        ask();
    }

    // A length that cannot be ends the session at once, with a farewell.
    for len in [0_u32, 15, (2 << 20) + 1, u32::MAX] {
        let mut stream = board.connect();
        stream.write_all(&[hello(), len.to_le_bytes().to_vec(), vec![2; 60]].concat()).expect("to send");
        assert_eq!(reply(&mut stream).map(|(status, _)| status), Some(10), "{len} bytes");
    }
    ask();

    // So does a frame that would take others long.
    let released = frame(4, 0, 0, 0, &[7; 8 * 1025]);
    let introduced = frame(1, 0, 0, 0, &vec![0; (64 << 10) + 1]);
    for (bytes, status) in [(released, 10), (introduced, 6)] {
        let mut stream = board.connect();
        stream.write_all(&[hello(), bytes].concat()).expect("to send");
        assert_eq!(reply(&mut stream).map(|(status, _)| status), Some(status));
    }
    ask();

    // Says that an interface has more operations than follow: no memory is taken for them.
    let peak = || {
        let status = board.status();
        let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:")).expect("it lives");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number")
    };
    let before_lies = peak();
    for count in [9_u32, 1 << 20, 1 << 28, u32::MAX] {
        let text = |text: &[u8]| [&(text.len() as u32).to_le_bytes(), text].concat();
        let body = [
            b"\x89carnet\n\x01\0\0\0".to_vec(),
            text(b"board"),
            text(b"Board"),
            1_u32.to_le_bytes().to_vec(),
            text(b"Board"),
            1234_u64.to_le_bytes().to_vec(),
            count.to_le_bytes().to_vec(),
            vec![5; 64],
        ]
        .concat();
        let mut stream = board.connect();
        stream.write_all(&frame(1, 0, 0, 0, &body)).expect("to send");
        let (status, why) = reply(&mut stream).expect("it is told why");
        assert_eq!((status, &*why), (6, &b"its Hello is shorter than it says"[..]), "{count}");
        ask();
    }
    assert!(peak() < before_lies + (16 << 10), "{} kB, before {before_lies}", peak());

    // Names an interface several times, with other operations each time: the first counts.
    let text = |text: &[u8]| [&(text.len() as u32).to_le_bytes(), text].concat();
    for counts in [[1_u32, 6, 0], [0, 1, 6], [6, 0, 1], [0, 0, 0]] {
        for ours in 0..4 {
            let mut body = [b"\x89carnet\n\x01\0\0\0".to_vec(), text(b"board"), text(b"Board")].concat();
            body.extend(3_u32.to_le_bytes());
            for (at, count) in counts.into_iter().enumerate() {
                let hash = if at == ours { hash_of("Board") } else { 1234 };
                body.extend(
                    [text(b"Board"), hash.to_le_bytes().to_vec(), count.to_le_bytes().to_vec()].concat(),
                );
                body.extend((0..count).flat_map(|op| u64::from(op).to_le_bytes()));
            }
            let mut stream = board.connect();
            stream.write_all(&frame(1, 0, 0, 0, &body)).expect("to send");
            for op in [0, 1, 2, 5, 6, 7, 1000, u16::MAX] {
                stream.write_all(&call(op, 1, &[])).expect("to send");
                let (status, _) = reply(&mut stream).expect("it is answered");
                assert!(op == NOTES || status != 0, "{op} of {counts:?}");
            }
            ask();
        }
    }

    // Dies at each step of a good conversation.
    let whole = [hello(), call(0, 1, &[&[4, 0, 0, 0, 0, 0, 0, 0][..], b"note"].concat())].concat();
    for len in 0..whole.len() {
        board.connect().write_all(&whole[..len]).expect("to send");
    }
    ask();

    // Does not read its replies: it is not served, and others are.
    let mut deaf = board.connect();
    let megabyte = vec![b'x'; 1_000_000];
    let word = 1_000_000_u64.to_le_bytes();
    let echo = call(ECHO, 1, &[&word[..], &megabyte].concat());
    deaf.write_all(&hello()).expect("to send");
    let mut writer = deaf.try_clone().expect("a second handle");
    let sender = thread::spawn(move || while writer.write_all(&echo).is_ok() {});
    for _ in 0..100 {
        ask();
    }
    deaf.shutdown(std::net::Shutdown::Both).expect("to hang up");
    sender.join().expect("it ended");

    // More clients than one process may have; another has its own.
    let mut crowd: Vec<UnixStream> = (0..100).map(|_| board.connect()).collect();
    let turned_away = crowd.last_mut().and_then(reply);
    let told = b"this process has as many clients of this server as one may".to_vec();
    assert_eq!(turned_away, Some((6, told)));
    assert_eq!(board.call(&place, "unix", &["Board.notes"]), "done  0\n");
    ask();
    drop(crowd);
    let mut tries = 0;
    while board.entries("fd") > before {
        ask();
        tries += 1;
        assert!(tries < 100_000, "{} descriptors are open, {before} were", board.entries("fd"));
    }
    assert_eq!(board.call(&place, "unix", &["Board.notes"]), "done  0\n");
}

/// A process that may have 16 descriptors, fewer than it could have clients: it serves those for whom there are some, waits
/// for one of them to leave, and has the processor meanwhile.
#[test]
fn a_server_in_c_without_descriptors_waits() {
    let place = Place::new();
    let Some(build) = built(&[]) else { return };
    let board = Board::start_within(&place, &build, 16);
    let mut crowd: Vec<UnixStream> = (0..30).map(|_| board.connect()).collect();
    let ask = |stream: &mut UnixStream| {
        stream.write_all(&[hello(), frame(2, NOTES, 1, 7, &[])].concat()).expect("to send");
        reply(stream)
    };
    assert_eq!(ask(&mut crowd[0]), Some((0, vec![0; 8])));
    let mut last = crowd.pop().expect("the last");
    last.set_read_timeout(Some(Duration::from_secs(1))).expect("a time-out");
    let before = board.processor_time();
    assert_eq!(ask(&mut last), None, "there is no descriptor for it");
    let spent = board.processor_time() - before;
    assert!(spent < Duration::from_millis(300), "it spins: {spent:?} of a second");
    drop(crowd);
    last.set_read_timeout(Some(PATIENCE)).expect("a time-out");
    assert_eq!(reply(&mut last), Some((0, vec![0; 8])));
}

/// A time-out of 300 ms: who never says Hello, who stops within a frame, who reads no reply.
#[test]
fn slow_clients_of_a_server_in_c_are_hung_up_on() {
    let place = Place::new();
    let Some(build) = built(&["-DCARNET_PATIENCE_MS=300"]) else { return };
    let board = Board::start(&place, &build);
    let mut good = board.connect();
    good.write_all(&hello()).expect("to send");
    let mute = board.connect();
    let mut halting = board.connect();
    halting.write_all(&[hello(), frame(2, NOTES, 1, 1, &[])[..15].to_vec()].concat()).expect("to send");
    let mut deaf = board.connect();
    let echo = [&1_000_000_u64.to_le_bytes()[..], &vec![b'x'; 1_000_000]].concat();
    deaf.write_all(&[hello(), frame(2, ECHO, 1, 1, &echo)].concat()).expect("to send");
    let before = board.entries("fd");
    let begun = Instant::now();
    while board.entries("fd") > before - 3 {
        assert!(begun.elapsed() < PATIENCE, "they are not hung up on");
        good.write_all(&frame(2, NOTES, 1, 7, &[])).expect("to send");
        assert_eq!(reply(&mut good), Some((0, vec![0; 8])));
    }
    let (unsaid, half) = (
        "the client did not say Hello in time",
        "half of a message came, and too little of the rest in time",
    );
    for (mut stream, why) in [(mute, unsaid), (halting, half)] {
        let mut told = Vec::new();
        stream.read_to_end(&mut told).expect("the end");
        assert_eq!(told, answer(3, 0, 9, 0, why.as_bytes()), "{}", String::from_utf8_lossy(&told));
    }
    let mut part = Vec::new();
    let _ = deaf.read_to_end(&mut part);
    assert!(part.len() < 1_000_000, "it was given the whole reply");
}

/// A reply to the first call of a connection.
fn answer(kind: u8, portals: u8, status: u16, call: u32, body: &[u8]) -> Vec<u8> {
    let mut frame = (16 + body.len() as u32).to_le_bytes().to_vec();
    frame.extend([kind, portals]);
    frame.extend(status.to_le_bytes());
    frame.extend(call.to_le_bytes());
    frame.extend([0; 4]);
    frame.extend(body);
    frame
}

#[test]
fn hostile_servers_cost_a_client_in_c_its_call_and_no_more() {
    let place = Place::new();
    let Some(build) = built(&SANITIZED) else { return };
    let path = place.path("bad.sock");
    let listener = UnixListener::bind(&path).expect("to listen");
    let list = |reference: u64, last: u64, data: &[u8]| {
        answer(3, 0, 0, 1, &[&reference.to_le_bytes(), &last.to_le_bytes(), data].concat())
    };
    let many = u64::MAX.to_le_bytes();
    let wrong: Vec<(&str, Vec<u8>)> = vec![
        ("the server closed the connection", vec![]),
        ("the server closed the connection", vec![1, 2, 3]),
        ("the server closed the connection", answer(3, 0, 0, 1, &[0; 40])[..30].to_vec()),
        ("the server sent something that is no reply", vec![0; 16]),
        ("the server sent something that is no reply", vec![0xff; 64]),
        ("the server sent something that is no reply", answer(2, 0, 0, 1, &[0; 16])),
        ("the server answered a call that was not made", answer(3, 0, 0, 2, &[0; 16])),
        ("too many of you", answer(3, 0, 6, 0, b"too many of you")),
        ("list: refused: ?[2J? gone\\xc3\\xa9\n", answer(3, 0, 6, 1, "\x1b[2J\x07 goneé".as_bytes())),
        ("the peer sent nonsense", answer(3, 0, 99, 1, b"")),
        ("the peer sent nonsense", answer(3, 0, 0, 1, &[0; 8])),
        ("the peer sent nonsense", answer(3, 1, 0, 1, &[0; 32])),
        ("the reply is not one of this operation", list(8, 2, &[0; 8])),
        ("the reply is not one of this operation", list(0xff_ffff, 1, &[0; 8])),
        ("the reply is not one of this operation", list(8 << 24 | 8, 1, &[0; 8])),
        ("the reply is not one of this operation", list(7, 1, &[0; 8])),
        ("the reply is not one of this operation", list(8, 1, &many)),
        ("the peer sent nonsense", list(48, 1, &[&[1, 0, 0, 0, 0, 0, 0, 0][..], &[0xff; 40]].concat())),
    ];
    for (expected, bytes) in wrong {
        let mut client = Command::new(build.join("files"));
        let client = client.arg(&path).args(["list", "."]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let client = client.spawn().expect("it runs");
        let (mut stream, _) = listener.accept().expect("it connects");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        let mut request = vec![0; 16];
        for _ in ["Hello", "call"] {
            stream.read_exact(&mut request[..16]).expect("a head");
            let len = u32::from_le_bytes([request[0], request[1], request[2], request[3]]) as usize;
            request.resize(len.max(16), 0);
            stream.read_exact(&mut request[16..len]).expect("the rest");
        }
        stream.write_all(&bytes).expect("to send");
        drop(stream);
        let output = client.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{expected}: {}", shown(&output));
        assert!(shown(&output).contains(expected), "{expected}: {}", shown(&output));
    }

    // One that never answers.
    let mut client = Command::new(build.join("files"));
    let client =
        client.env("CARNET_TIMEOUT_MS", "100").arg(&path).args(["list", "."]).output().expect("it runs");
    assert_eq!(client.status.code(), Some(1));
    assert!(shown(&client).contains("no answer in time"), "{}", shown(&client));
}
