//! Clients that do not read: what they are told on the way is dropped at once, what they are answered is not.

mod support;

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use carnet_portal::entry::{EntryPoint, EntryRequest, Responder, Told};
use carnet_portal::server::ServerOptions;
use carnet_portal::session::Session;
use carnet_portal::wire::{HEADER_BYTES, kind};
use support::{Fixture, Raw, raw, until};

/// Tells until something is dropped, then answers.
const TELL: u8 = 16;
/// Keeps the request, to tell of it later.
const KEEP: u8 = 17;
/// Is answered with so much that it takes a client that reads.
const LONG: u8 = 18;
/// Is answered, and then told of.
const LATE: u8 = 19;

const LONG_BYTES: usize = 900_000;

#[derive(Default)]
struct Teller {
    sent: AtomicU64,
    dropped: AtomicBool,
    kept: Mutex<Option<Responder>>,
    answering: AtomicBool,
}

/// Number `n` in `len` bytes.
fn numbered(n: u64, len: usize) -> Vec<u8> {
    let mut data = vec![n as u8; len];
    data[..8].copy_from_slice(&n.to_le_bytes());
    data
}

impl Teller {
    fn tell(&self, responder: Responder, len: usize) {
        let mut sent = 0;
        while responder.progress(&numbered(sent, len)) == Told::Sent {
            sent += 1;
        }
        self.sent.store(sent, Ordering::SeqCst);
        self.dropped.store(true, Ordering::SeqCst);
        responder.reply(b"the answer", Vec::new());
    }
}

struct Entry(Arc<Teller>);

impl EntryPoint for Entry {
    fn handle(&self, request: EntryRequest<'_>) {
        let teller = Arc::clone(&self.0);
        match request.kind {
            TELL => {
                let len = usize::from(u16::from_le_bytes([request.data[0], request.data[1]])) * 8;
                let responder = request.responder;
                std::thread::spawn(move || teller.tell(responder, len));
            }
            LATE => {
                let late = request.responder.teller();
                assert_eq!(late.progress(b"in time"), Told::Sent);
                request.responder.reply(b"the answer", Vec::new());
                late.progress(b"too late");
            }
            KEEP => *teller.kept.lock().unwrap() = Some(request.responder),
            _ => {
                teller.answering.store(true, Ordering::SeqCst);
                request.responder.reply(&vec![7; LONG_BYTES], Vec::new());
            }
        }
    }

    fn closed(&self, _session: &Session) {}
}

/// A server that would wait longer than any test for a client to read.
fn fixture() -> (Arc<Teller>, Fixture) {
    let teller: Arc<Teller> = Arc::default();
    let entry = Arc::new(Entry(Arc::clone(&teller)));
    let mut options = ServerOptions { entry: Some(entry), ..ServerOptions::default() };
    options.limits.write_timeout = Duration::from_secs(600);
    (teller, Fixture::new(options))
}

/// Exactly so many bytes.
fn read(socket: &mut Raw, len: usize) -> Vec<u8> {
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut bytes = vec![0; len];
    socket.read_exact(&mut bytes).unwrap();
    bytes
}

/// Short frames are taken whole or not at all; long ones may be taken in part, and their rest comes with what is next.
#[test]
fn what_was_told_is_whole_and_in_order_and_the_answer_is_never_dropped() {
    for len in [8, 4_000, 300_000] {
        let (teller, fixture) = fixture();
        let mut socket = fixture.raw();
        let units = u16::try_from(len / 8).unwrap().to_le_bytes();
        socket.write_all(&[raw::hello(), raw::frame(TELL, &[], 0, 0, 1, &units)].concat()).unwrap();
        until("nothing more is taken", || teller.dropped.load(Ordering::SeqCst));
        let sent = teller.sent.load(Ordering::SeqCst) as usize;
        let answer = HEADER_BYTES + b"the answer".len();
        let bytes = read(&mut socket, sent * (HEADER_BYTES + len) + answer);
        let replies = raw::replies(&bytes);
        let (last, told) = replies.split_last().unwrap();
        assert!(!told.is_empty(), "something was told");
        for (n, (header, data)) in told.iter().enumerate() {
            assert_eq!(header.kind, kind::REPLY | kind::PROGRESS);
            assert!(*data == numbered(n as u64, len), "number {n} of {len} bytes");
        }
        assert_eq!((last.0.kind, last.1.as_slice()), (kind::REPLY, &b"the answer"[..]));
    }
}

/// Another thread has the way to the client and waits there: whoever tells does not wait for that thread.
#[test]
fn whoever_tells_does_not_wait_for_an_answer_that_is_stuck() {
    let (teller, fixture) = fixture();
    let mut socket = fixture.raw();
    let frames = [raw::hello(), raw::frame(KEEP, &[], 0, 0, 1, b""), raw::frame(LONG, &[], 0, 0, 2, b"")];
    socket.write_all(&frames.concat()).unwrap();
    until("the answer is on its way", || teller.answering.load(Ordering::SeqCst));
    let kept = teller.kept.lock().unwrap().take().unwrap();
    let telling = Arc::clone(&teller);
    std::thread::spawn(move || {
        let (mut sent, mut dropped) = (0, 0);
        while dropped < 10_000 {
            match kept.progress(&[0; 64]) {
                Told::Sent => sent += 1,
                Told::Dropped => dropped += 1,
            }
        }
        telling.sent.store(sent, Ordering::SeqCst);
        telling.dropped.store(true, Ordering::SeqCst);
        kept.reply(b"kept", Vec::new());
    });
    until("all was told or dropped", || teller.dropped.load(Ordering::SeqCst));
    let sent = teller.sent.load(Ordering::SeqCst) as usize;
    let answers = 2 * HEADER_BYTES + LONG_BYTES + b"kept".len();
    let bytes = read(&mut socket, sent * (HEADER_BYTES + 64) + answers);
    let mut answers: Vec<(u32, usize)> = raw::replies(&bytes)
        .iter()
        .filter(|(header, _)| header.kind == kind::REPLY)
        .map(|(header, data)| (header.call, data.len()))
        .collect();
    answers.sort_unstable();
    assert_eq!(answers, [(1, 4), (2, LONG_BYTES)]);
}

/// Who is told of what was answered, for example because it asked for a run that ended in that very moment, would take its server for
/// one that lies.
#[test]
fn nothing_is_told_behind_the_answer() {
    let (_, fixture) = fixture();
    let session = fixture.connect();
    for _ in 0..3 {
        let mut told = Vec::new();
        let reply = session.control(LATE, &[], &[], &mut |data| told.push(data.to_vec()));
        assert_eq!(reply.expect("the server answers").data, b"the answer");
        assert_eq!(told, [b"in time"]);
    }
}
