//! The orders in which two sides may see each other's writes, tried by a model checker, with bounds: frames, and how often a side is
//! interrupted while it could go on.
//!
//! | frames | interrupted |
//! | --- | --- |
//! | one, of one line or of several | as often as can be |
//! | two | 3 times |
//! | three | 2 times |
//! | one longer than the ring | 3 times |
//! | four or five, most by the short path, round a ring of eight lines | 3 times |
//!
//! Beyond these each step takes some ten times as long. `set_half_and_fence` is the provided one, a change and then a fence, not that of x86
//! processors, whose argument is beside it.
//!
//! The memory is the checker's: words as its atomics, the bytes of frames as cells in which it finds any access that
//! is not ordered with another one, and sleeping that ends by a wake alone, so that a lost wake-up is a deadlock. To
//! show that the tests can fail, each of the orders that the queue relies on is weakened in turn, and must be found out.
//! It stands here and not beside the queue because such cells need unsafe code.

use std::io::IoSlice;
use std::ops::Range;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;

use carnet_queue::layout::{CONTROL_BYTES, LINE, Side};
use carnet_queue::{End, Memory, Slept, Wanted};
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
use loom::sync::{Condvar, Mutex};

/// What is weaker than it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weak {
    Nothing,
    /// Marks, tails and heads are stored in no order.
    Stores,
    /// They are loaded in no order.
    Loads,
    /// There is no fence between storing and looking at the bell, nor between announcing a sleep and looking again.
    Fences,
    /// Marks ahead are not cleared.
    Clears,
}

/// The words that a test uses; the model checker allows few.
struct Words {
    weak: Weak,
    /// Tails, heads and marks.
    words: Vec<(usize, AtomicU64)>,
    /// Bells.
    halves: Vec<(usize, AtomicU32)>,
    /// One cell for the bytes of each line behind its mark.
    cells: Vec<(usize, UnsafeCell<u8>)>,
    asleep: Mutex<()>,
    woken: Condvar,
}

// SAFETY: the atomics and locks are the checker's, which runs one thread at a time; of the cells it finds each access
// that another thread could see half done, and ends the test.
unsafe impl Sync for Words {}
// SAFETY: as above; no thread is bound to it.
unsafe impl Send for Words {}

/// Both sides' view of it.
#[derive(Clone)]
struct Model(Arc<Words>);

/// As small as can be: one line is used at a time, the other stays free.
const SMALL: usize = 2 * LINE as usize;

/// For frames of several lines.
const LARGER: usize = 4 * LINE as usize;

/// So large that the short path clears marks ahead, and so small that some frames go round it.
const ROUND: usize = 8 * LINE as usize;

impl Model {
    fn new(weak: Weak, ring: usize) -> Model {
        let marks = (0..ring).step_by(LINE as usize).map(|at| CONTROL_BYTES + at);
        let words = [0, 128].into_iter().chain(marks.clone());
        Model(Arc::new(Words {
            weak,
            words: words.map(|at| (at, AtomicU64::new(0))).collect(),
            halves: [Side::Client.bell(), Side::Server.bell()].map(|at| (at, AtomicU32::new(0))).into(),
            cells: marks.map(|at| (at, UnsafeCell::new(0))).collect(),
            asleep: Mutex::new(()),
            woken: Condvar::new(),
        }))
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        &self.0.words.iter().find(|(place, _)| *place == at).expect("a word of the model").1
    }

    fn half(&self, at: usize) -> Option<&AtomicU32> {
        self.0.halves.iter().find(|(place, _)| *place == at).map(|(_, half)| half)
    }

    fn cell(&self, at: usize) -> &UnsafeCell<u8> {
        let line = at / LINE as usize * LINE as usize;
        &self.0.cells.iter().find(|(place, _)| *place == line).expect("a line of the model").1
    }
}

impl Memory for Model {
    fn load(&self, at: usize) -> u64 {
        let order = if self.0.weak == Weak::Loads { Ordering::Relaxed } else { Ordering::Acquire };
        self.word(at).load(order)
    }

    fn store(&self, at: usize, value: u64) {
        let order = if self.0.weak == Weak::Stores { Ordering::Relaxed } else { Ordering::Release };
        self.word(at).store(value, order);
    }

    fn store_relaxed(&self, at: usize, value: u64) {
        if self.0.weak != Weak::Clears {
            self.word(at).store(value, Ordering::Relaxed);
        }
    }

    fn load_half(&self, at: usize) -> u32 {
        self.half(at).map_or(0, |half| half.load(Ordering::Relaxed))
    }

    fn store_half(&self, at: usize, value: u32) {
        if let Some(half) = self.half(at) {
            half.store(value, Ordering::Release);
        }
    }

    fn set_half(&self, at: usize, bits: u32) -> u32 {
        self.half(at).map_or(0, |half| half.fetch_or(bits, Ordering::Relaxed))
    }

    fn clear_half(&self, at: usize, bits: u32) {
        if let Some(half) = self.half(at) {
            half.fetch_and(!bits, Ordering::Relaxed);
        }
    }

    fn read(&self, at: usize, into: &mut [u8]) {
        for (line, bytes) in lines(at, into.len()) {
            // SAFETY: the checker allows it only if no write can happen at the same time.
            let value = self.cell(line).with(|cell| unsafe { *cell });
            into[bytes].fill(value);
        }
    }

    fn write(&self, at: usize, from: &[u8]) {
        for (line, bytes) in lines(at, from.len()) {
            let value = from[bytes].last().copied().unwrap_or(0);
            // SAFETY: the checker allows it only if nothing else can happen there at the same time.
            self.cell(line).with_mut(|cell| unsafe { *cell = value });
        }
    }

    fn fence(&self) {
        if self.0.weak != Weak::Fences {
            fence(Ordering::SeqCst);
        }
    }

    fn sleep(&self, at: usize, value: u32, _at_most: Duration) -> Slept {
        let asleep = self.0.asleep.lock().unwrap();
        // The system compares under the lock that a waker takes, too.
        if self.half(at).is_some_and(|half| half.load(Ordering::Relaxed) == value) {
            drop(self.0.woken.wait(asleep).unwrap());
        }
        Slept::Woken
    }

    fn wake(&self, _at: usize) {
        let _asleep = self.0.asleep.lock().unwrap();
        self.0.woken.notify_all();
    }
}

/// A place in each line of `len` bytes at `at`, and which of the bytes lie there.
fn lines(at: usize, len: usize) -> impl Iterator<Item = (usize, Range<usize>)> {
    let line = LINE as usize;
    (at / line..(at + len).div_ceil(line)).map(move |index| {
        let start = (index * line).max(at);
        (start, start - at..((index + 1) * line).min(at + len) - at)
    })
}

/// The frame `number`: one line.
fn frame(number: u8) -> Vec<u8> {
    let mut frame = vec![number; LINE as usize];
    frame[..4].copy_from_slice(&(LINE as u32).to_le_bytes());
    frame
}

const FRAMES: Wanted = Wanted { frames: true, room: false };
const LONG: Duration = Duration::from_secs(3600);

const ROOM: Wanted = Wanted { frames: false, room: true };

/// Sends a frame, and sleeps until there is room for it.
fn send(end: &End<Model>, number: u8) {
    loop {
        match end.send(&[IoSlice::new(&frame(number))]) {
            Ok(0) => assert_eq!(end.sleep(ROOM, LONG, || false), Slept::Woken),
            sent => return assert_eq!(sent, Ok(LINE as usize)),
        }
    }
}

/// Takes one frame out, and sleeps until it is there.
fn receive(end: &End<Model>) -> u8 {
    let mut buffer = [0; LINE as usize];
    loop {
        match end.receive(&mut buffer) {
            Ok(0) => assert_eq!(end.sleep(FRAMES, LONG, || false), Slept::Woken),
            received => {
                assert_eq!(received, Ok(LINE as usize));
                return buffer[63];
            }
        }
    }
}

/// How often a side is interrupted while it could go on, at most.
const TWICE: Option<usize> = Some(2);
const THRICE: Option<usize> = Some(3);
const ALWAYS: Option<usize> = None;

/// A client that sends `count` frames, sleeping for room, and a server that takes them out, sleeping for them.
fn exchange(weak: Weak, count: u8, interrupted: Option<usize>) {
    let mut checker = loom::model::Builder::new();
    checker.preemption_bound = interrupted;
    checker.check(move || {
        let model = Model::new(weak, SMALL);
        let client = End::new(model.clone(), Side::Client, SMALL);
        let server = End::new(model, Side::Server, SMALL);
        let sender = loom::thread::spawn(move || (1..=count).for_each(|number| send(&client, number)));
        for number in 1..=count {
            assert_eq!(receive(&server), number);
        }
        server.tell_of_room();
        sender.join().unwrap();
    });
}

/// A client that sends one frame of several lines, and a server that takes out what is there.
fn long_frame(weak: Weak, len: usize, interrupted: Option<usize>) {
    let mut checker = loom::model::Builder::new();
    checker.preemption_bound = interrupted;
    checker.check(move || {
        let model = Model::new(weak, LARGER);
        let client = End::new(model.clone(), Side::Client, LARGER);
        let server = End::new(model, Side::Server, LARGER);
        let sender = loom::thread::spawn(move || {
            let mut frame = vec![7; len];
            frame[..4].copy_from_slice(&(len as u32).to_le_bytes());
            let mut sent = 0;
            while sent < len {
                match client.send(&[IoSlice::new(&frame[sent..])]) {
                    Ok(0) => assert_eq!(client.sleep(ROOM, LONG, || false), Slept::Woken),
                    more => sent += more.unwrap(),
                }
            }
        });
        let (mut arrived, mut buffer) = (Vec::new(), [0; 512]);
        while arrived.len() < len {
            match server.receive(&mut buffer) {
                Ok(0) => assert_eq!(server.sleep(FRAMES, LONG, || false), Slept::Woken),
                received => arrived.extend_from_slice(&buffer[..received.unwrap()]),
            }
        }
        assert_eq!(arrived.len(), len);
        assert!(arrived[8..].iter().all(|byte| *byte == 7));
        sender.join().unwrap();
    });
}

/// How a frame is sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By `send`, in so many lines.
    Any(u8),
    /// By `send_ahead`, in so many lines; it must go that way.
    Ahead(u8),
    /// By `send`, since `send_ahead` refuses it: no line behind it is known to be free.
    Refused(u8),
}

/// A client that sends frames by these ways, and a server that takes them out. The first `before` are out before the two
/// run at once: they bring the ring to where its lines are used again.
fn send_by(weak: Weak, ways: &'static [Way], before: usize, interrupted: Option<usize>) {
    let mut checker = loom::model::Builder::new();
    checker.preemption_bound = interrupted;
    checker.check(move || {
        let model = Model::new(weak, ROUND);
        let client = End::new(model.clone(), Side::Client, ROUND);
        let server = End::new(model, Side::Server, ROUND);
        let send = |client: &End<Model>, number: usize| {
            let lines = match ways[number] {
                Way::Any(lines) | Way::Ahead(lines) | Way::Refused(lines) => usize::from(lines),
            };
            let mut frame = vec![number as u8 + 1; lines * LINE as usize];
            let len = frame.len();
            frame[..4].copy_from_slice(&(len as u32).to_le_bytes());
            match ways[number] {
                Way::Ahead(_) => assert!(client.send_ahead(&frame), "frame {number} goes ahead"),
                Way::Refused(_) if client.send_ahead(&frame) => panic!("frame {number} went ahead"),
                Way::Any(_) | Way::Refused(_) => assert_eq!(client.send(&[IoSlice::new(&frame)]), Ok(len)),
            }
        };
        let receive = |server: &End<Model>, number: usize| {
            let mut buffer = [0; 256];
            let received = loop {
                match server.receive(&mut buffer).expect("the queue is right") {
                    0 => assert_eq!(server.sleep(FRAMES, LONG, || false), Slept::Woken),
                    received => break received,
                }
            };
            assert!(buffer[8..received].iter().all(|byte| usize::from(*byte) == number + 1));
        };
        for number in 0..before {
            send(&client, number);
            receive(&server, number);
        }
        let sender =
            loom::thread::spawn(move || (before..ways.len()).for_each(|number| send(&client, number)));
        (before..ways.len()).for_each(|number| receive(&server, number));
        sender.join().unwrap();
    });
}

/// Whether the checker finds fault with it.
fn is_found(weak: Weak, count: u8) -> bool {
    catch_unwind(|| exchange(weak, count, TWICE)).is_err()
}

#[test]
fn a_frame_of_several_lines_is_there_when_its_mark_is() {
    long_frame(Weak::Nothing, 130, ALWAYS);
    assert!(catch_unwind(|| long_frame(Weak::Stores, 130, TWICE)).is_err());
}

#[test]
fn a_frame_longer_than_the_ring_is_received_while_it_is_sent() {
    long_frame(Weak::Nothing, 5 * LINE as usize, THRICE);
    assert!(catch_unwind(|| long_frame(Weak::Stores, 5 * LINE as usize, TWICE)).is_err());
    assert!(catch_unwind(|| long_frame(Weak::Fences, 5 * LINE as usize, TWICE)).is_err());
}

#[test]
fn a_frame_is_received_as_it_was_sent_and_nobody_sleeps_on() {
    exchange(Weak::Nothing, 1, ALWAYS);
}

#[test]
fn lines_are_used_again_only_when_they_are_free() {
    exchange(Weak::Nothing, 2, THRICE);
    exchange(Weak::Nothing, 3, TWICE);
}

/// The short path goes round the ring. It never looks at the head: a `send` finds the room, and clears marks ahead while the
/// receiver is still at what was sent before.
const ROUND_AHEAD: &[Way] =
    &[Way::Ahead(4), Way::Ahead(2), Way::Ahead(1), Way::Refused(1), Way::Ahead(2), Way::Ahead(1)];

/// What `send` clears ends right before the lines that the receiver may be reading, as far as it is known.
const UP_TO_THE_READER: &[Way] = &[Way::Ahead(2), Way::Ahead(4), Way::Any(1), Way::Any(1), Way::Ahead(1)];

#[test]
fn short_frames_go_round_the_ring_behind_marks_cleared_ahead() {
    send_by(Weak::Nothing, ROUND_AHEAD, 2, THRICE);
    for weak in [Weak::Stores, Weak::Loads, Weak::Clears] {
        assert!(catch_unwind(|| send_by(weak, ROUND_AHEAD, 2, TWICE)).is_err(), "{weak:?}");
    }
}

#[test]
fn short_frames_and_others_are_received_in_turns() {
    send_by(Weak::Nothing, UP_TO_THE_READER, 1, THRICE);
    for weak in [Weak::Stores, Weak::Loads, Weak::Clears] {
        assert!(catch_unwind(|| send_by(weak, UP_TO_THE_READER, 1, TWICE)).is_err(), "{weak:?}");
    }
}

#[test]
fn stores_in_no_order_are_found() {
    assert!(is_found(Weak::Stores, 1));
}

#[test]
fn loads_in_no_order_are_found() {
    assert!(is_found(Weak::Loads, 1));
}

#[test]
fn a_missing_fence_is_found() {
    assert!(is_found(Weak::Fences, 1));
}
