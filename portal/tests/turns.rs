//! One answer for several: clients that read nothing, a byte at a time, or die in the middle keep it from nobody else,
//! and each gets it once.

mod support;

use std::io::{Read, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use carnet_portal::call::Kind;
use carnet_portal::entry::{EntryPoint, EntryRequest, Responder, reply_to_all};
use carnet_portal::server::ServerOptions;
use carnet_portal::session::Session;
use carnet_portal::wire::{HEADER_BYTES, Reply, kind};
use support::{Fixture, Raw, raw, until};

/// Keeps the request.
const KEEP: u8 = 16;
/// Is answered at once.
const ECHO: u8 = 17;

/// More than a socket takes by itself.
const LONG_BYTES: usize = 1_000_000;

#[derive(Default)]
struct Desk(Mutex<Vec<Responder>>);

impl EntryPoint for Desk {
    fn handle(&self, request: EntryRequest<'_>) {
        match request.kind {
            KEEP => self.0.lock().unwrap().push(request.responder),
            _ => request.responder.reply(request.data, Vec::new()),
        }
    }

    fn closed(&self, _session: &Session) {}
}

fn fixture(write_timeout: Duration) -> (Arc<Desk>, Fixture) {
    let desk: Arc<Desk> = Arc::default();
    let mut options = ServerOptions { entry: Some(desk.clone()), ..ServerOptions::default() };
    options.limits.write_timeout = write_timeout;
    (desk, Fixture::new(options))
}

/// Longer than any test.
const NEVER: Duration = Duration::from_secs(600);

/// A client whose requests of these numbers are kept.
fn keeps(desk: &Desk, fixture: &Fixture, calls: &[u32]) -> Raw {
    let before = desk.0.lock().unwrap().len();
    let mut socket = fixture.raw();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut frames = raw::hello();
    calls.iter().for_each(|call| frames.extend(raw::frame(KEEP, &[], 0, 0, *call, b"")));
    socket.write_all(&frames).unwrap();
    until("all are kept", || desk.0.lock().unwrap().len() == before + calls.len());
    socket
}

/// Answers all that is kept, on a thread of its own; counts how often it was held up.
fn answers(desk: &Desk, bytes: usize) -> (JoinHandle<()>, Arc<AtomicU32>) {
    let kept = std::mem::take(&mut *desk.0.lock().unwrap());
    let held_up: Arc<AtomicU32> = Arc::default();
    let counted = Arc::clone(&held_up);
    let answering = std::thread::spawn(move || {
        let mut held_up = || {
            counted.fetch_add(1, Ordering::SeqCst);
        };
        reply_to_all(kept.into_iter(), &vec![7; bytes], &mut held_up);
    });
    (answering, held_up)
}

/// The next reply, read by so many bytes at a time.
fn reply(socket: &mut Raw, piece: usize) -> (Reply, Vec<u8>) {
    let mut frame = Vec::new();
    let mut len = HEADER_BYTES;
    while frame.len() < len {
        let mut bytes = vec![0; piece.min(len - frame.len())];
        let read = socket.read(&mut bytes).unwrap();
        assert_ne!(read, 0, "the server hung up after {} bytes", frame.len());
        frame.extend_from_slice(&bytes[..read]);
        if frame.len() >= HEADER_BYTES {
            len = Reply::decode(&frame).expect("a reply").len as usize;
        }
    }
    (Reply::decode(&frame).expect("a reply"), frame.split_off(HEADER_BYTES))
}

fn is_the_answer(socket: &mut Raw, piece: usize) -> u32 {
    let (header, data) = reply(socket, piece);
    assert_eq!((header.kind, header.status), (kind::REPLY, 0));
    assert!(data.len() == LONG_BYTES && data.iter().all(|byte| *byte == 7), "{} bytes", data.len());
    header.call
}

/// Nothing came behind the answers: what is asked next is answered next.
fn is_of_use(socket: &mut Raw) {
    socket.write_all(&raw::frame(ECHO, &[], 0, 0, 99, b"echo")).unwrap();
    let (header, data) = reply(socket, 4096);
    assert_eq!((header.call, header.status, data.as_slice()), (99, 0, &b"echo"[..]));
}

#[test]
fn clients_that_read_otherwise_all_get_their_answers_once() {
    let (desk, fixture) = fixture(NEVER);
    let mut silent = keeps(&desk, &fixture, &[1]);
    let mut slow = keeps(&desk, &fixture, &[1]);
    let mut twice = keeps(&desk, &fixture, &[1, 2, 3]);
    let mut dying = keeps(&desk, &fixture, &[1]);
    let (answering, held_up) = answers(&desk, LONG_BYTES);
    until("some do not read", || held_up.load(Ordering::SeqCst) > 0);
    dying.read_exact(&mut [0; 1000]).unwrap();
    drop(dying);
    let mut calls: Vec<u32> = (0..3).map(|_| is_the_answer(&mut twice, 4096)).collect();
    calls.sort_unstable();
    assert_eq!(calls, [1, 2, 3]);
    is_of_use(&mut twice);
    assert_eq!(is_the_answer(&mut slow, 1), 1);
    is_of_use(&mut slow);
    assert!(!answering.is_finished(), "one has not read anything");
    assert_eq!(is_the_answer(&mut silent, 4096), 1);
    is_of_use(&mut silent);
    answering.join().unwrap();
    until("only the others are there", || fixture.sessions() == 3);
}

/// The session's own thread sends what is left of an answer before it answers something else.
#[test]
fn a_call_in_the_middle_of_an_answer_comes_behind_it() {
    let (desk, fixture) = fixture(NEVER);
    let mut both = [keeps(&desk, &fixture, &[1]), keeps(&desk, &fixture, &[1])];
    let (answering, held_up) = answers(&desk, LONG_BYTES);
    until("both do not read", || held_up.load(Ordering::SeqCst) > 0);
    for socket in &mut both {
        socket.write_all(&raw::frame(ECHO, &[], 0, 0, 2, b"")).unwrap();
    }
    for socket in &mut both {
        assert_eq!(is_the_answer(socket, 4096), 1);
        assert_eq!(reply(socket, 4096).0.call, 2);
        is_of_use(socket);
    }
    answering.join().unwrap();
}

/// What fits into no frame cannot be sent, however long is waited. Each is told so, and goes on.
#[test]
fn an_answer_that_is_too_long_is_told_to_all() {
    let (desk, fixture) = fixture(NEVER);
    for clients in 1..=3 {
        let mut sockets: Vec<Raw> = (0..clients).map(|_| keeps(&desk, &fixture, &[1])).collect();
        let (answering, held_up) = answers(&desk, 3 << 20);
        for socket in &mut sockets {
            let (header, message) = reply(socket, 4096);
            assert_eq!((header.call, header.status), (1, Kind::Service as u16));
            assert!(message.starts_with(b"the reply is longer than "), "{}", message.escape_ascii());
            is_of_use(socket);
        }
        answering.join().unwrap();
        assert_eq!(held_up.load(Ordering::SeqCst), 0, "nobody had to be waited for");
    }
}

/// Those who never read are given up when their time is over, all at once, and the thread is free.
#[test]
fn clients_that_never_read_are_given_up_together() {
    let (desk, fixture) = fixture(Duration::from_millis(200));
    let silent: Vec<Raw> = (0..8).map(|_| keeps(&desk, &fixture, &[1, 2])).collect();
    let (answering, held_up) = answers(&desk, LONG_BYTES);
    answering.join().unwrap();
    assert_ne!(held_up.load(Ordering::SeqCst), 0);
    until("their sessions have ended", || fixture.sessions() == 0);
    drop(silent);
}
