//! What a good client of a server in C, whose one loop serves all, notices of hostile ones: its median latency stays.
//!
//! As `portal/tests/neighbours.rs` does, it calls in turns, undisturbed, while they are at its server, and while they are at another one, where
//! they cost it the processors that they take and nothing else. The medians of each turn are compared, and of several turns most must be good.
//! One test, so that nothing else runs meanwhile. It prints what it measured.

mod support;

use std::collections::HashSet;
use std::io::{IoSlice, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Condvar, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use carnet_queue::layout::CONTROL_BYTES;
use support::c::{Board, ECHO, NOTES, built, frame, hello, reply};
use support::peer::{Peer, echo};
use support::{PATIENCE, Place};

/// Turns, of which more than half must be good: as soon as that is sure, or can no longer be, they end.
const TURNS: usize = 9;
/// Calls of the good client in each third of a turn.
const CALLS: usize = 300;
/// What passes between them: who calls again at once has no share in what happens between its calls.
const BETWEEN: Duration = Duration::from_micros(200);
/// How much slower its calls may be than while another server is attacked, which is measured beside the same load, or undisturbed if that
/// took longer: on which processors threads wake makes a difference of three or four times, in any of the three.
const SLOWER_MAX: u32 = 2;
/// Calls of the good client for each act of those whose acts cost the processor more than its calls.
const ACTS_EVERY: usize = 16;

/// Lets acts happen for each so many calls only, so that a slow machine has fewer of both.
#[derive(Default)]
struct Pace {
    now: Mutex<Now>,
    changed: Condvar,
}

#[derive(Default)]
struct Now {
    calls: usize,
    begun: HashSet<ThreadId>,
    is_over: bool,
}

impl Pace {
    fn change(&self, change: impl FnOnce(&mut Now)) {
        change(&mut self.now.lock().expect("nobody panicked"));
        self.changed.notify_all();
    }

    fn is_over(&self) -> bool {
        self.now.lock().expect("nobody panicked").is_over
    }

    fn has_begun(&self) {
        self.change(|now| _ = now.begun.insert(thread::current().id()));
    }

    /// Waits until the good client has made some calls more.
    fn wait(&self) {
        let now = self.now.lock().expect("nobody panicked");
        let wanted = now.calls + ACTS_EVERY;
        drop(
            self.changed.wait_while(now, |now| now.calls < wanted && !now.is_over).expect("nobody panicked"),
        );
    }

    fn wait_for_attack(&self, peers: usize) {
        let now = self.now.lock().expect("nobody panicked");
        let waited = self.changed.wait_timeout_while(now, PATIENCE, |now| now.begun.len() < peers);
        assert!(!waited.expect("nobody panicked").1.timed_out(), "not all hostile clients have begun");
    }
}

/// A client that keeps to the rules.
enum Good {
    Socket(UnixStream),
    Shared(Box<Peer>),
}

impl Good {
    fn ask(&mut self) {
        match self {
            Good::Socket(stream) => {
                stream.write_all(&frame(2, NOTES, 1, 7, &[])).expect("to send");
                assert_eq!(reply(stream), Some((0, vec![0; 8])));
            }
            Good::Shared(peer) => peer.ask(),
        }
    }

    /// The median of so many calls.
    fn median(&mut self, pace: &Pace) -> Duration {
        let mut times: Vec<Duration> = (0..CALLS)
            .map(|_| {
                let (nobody, never) = (Mutex::new(()), Condvar::new());
                drop(never.wait_timeout(nobody.lock().expect("ours"), BETWEEN).expect("ours"));
                let begun = Instant::now();
                self.ask();
                let time = begun.elapsed();
                pace.change(|now| now.calls += 1);
                time
            })
            .collect();
        *times.select_nth_unstable(CALLS / 2).1
    }

    /// The median while these are at a server.
    fn median_while(&mut self, at: &Board, peers: &[Hostile]) -> Duration {
        let pace = Pace::default();
        thread::scope(|scope| {
            for peer in peers {
                let pace = &pace;
                scope.spawn(move || {
                    while !pace.is_over() {
                        peer(at, pace);
                    }
                });
            }
            pace.wait_for_attack(peers.len());
            let median = self.median(&pace);
            pace.change(|now| now.is_over = true);
            median
        })
    }
}

/// Does something bad, once.
type Hostile = fn(&Board, &Pace);

const HOSTILE: [Hostile; 9] =
    [floods, lies, dies, stalls, stalls, reads_nothing, stalls_in_memory, scribbles, reads_no_memory];

fn greeted(board: &Board) -> UnixStream {
    let mut stream = board.connect();
    stream.write_all(&hello()).expect("to send");
    stream
}

/// Calls as fast as it can.
fn floods(board: &Board, pace: &Pace) {
    let mut stream = greeted(board);
    let burst: Vec<u8> = (1..33).flat_map(|call| frame(2, NOTES, 1, call, &[])).collect();
    pace.has_begun();
    while !pace.is_over() {
        stream.write_all(&burst).expect("to send");
        (0..32).for_each(|_| assert_eq!(reply(&mut stream), Some((0, vec![0; 8]))));
    }
}

/// Announces what never comes.
fn lies(board: &Board, pace: &Pace) {
    pace.has_begun();
    pace.wait();
    let mut stream = greeted(board);
    let _ = stream.write_all(&[0xff; 40]);
    let _ = stream.read_to_end(&mut Vec::new());
}

/// Dies in the middle of a message.
fn dies(board: &Board, pace: &Pace) {
    pace.has_begun();
    pace.wait();
    let _ = greeted(board).write_all(&frame(2, ECHO, 1, 1, &echo(&[7; 100]))[..30]);
}

/// Half a message, and nothing more.
fn stalls(board: &Board, pace: &Pace) {
    let mut stream = greeted(board);
    let _ = stream.write_all(&frame(2, ECHO, 1, 1, &echo(&[7; 100]))[..30]);
    pace.has_begun();
    let _ = stream.read_to_end(&mut Vec::new());
}

/// Asks for much, and takes nothing, until the server takes nothing, either, and hangs up.
fn reads_nothing(board: &Board, pace: &Pace) {
    let mut stream = greeted(board);
    let request = frame(2, ECHO, 1, 1, &echo(&[7; 20_000]));
    pace.has_begun();
    pace.wait();
    while stream.write_all(&request).is_ok() && !pace.is_over() {}
}

/// Half a message in memory, and nothing more.
fn stalls_in_memory(board: &Board, pace: &Pace) {
    let peer = Peer::connect(board, 4096);
    peer.memory.word(CONTROL_BYTES).store(1000 | 1 << 32, Relaxed);
    peer.wake_server();
    pace.has_begun();
    while !peer.end.has_other_hung_up() && !pace.is_over() {
        pace.wait();
    }
}

/// Changes memory while the server reads it.
fn scribbles(board: &Board, pace: &Pace) {
    pace.has_begun();
    pace.wait();
    let peer = Peer::greeted(board);
    for call in 1..20 {
        if peer.end.send(&[IoSlice::new(&frame(2, ECHO, 1, call, &echo(&[b'x'; 60])))]).is_err() {
            return;
        }
        (4096..6144).step_by(8 * call as usize).for_each(|at| {
            peer.memory.word(at).store(u64::MAX / u64::from(call), Relaxed);
        });
    }
}

/// As [`reads_nothing`], in memory.
fn reads_no_memory(board: &Board, pace: &Pace) {
    let peer = Peer::greeted(board);
    let request = frame(2, ECHO, 1, 1, &echo(&[7; 3000]));
    pace.has_begun();
    while !peer.end.has_other_hung_up() && !pace.is_over() {
        if peer.end.send(&[IoSlice::new(&request)]).is_err() {
            return;
        }
        pace.wait();
    }
}

/// Whether the medians differ as little as they may in most turns, and so the median of their ratios, too.
fn stays_in_most(what: &str, good: &mut Good, at: &Board, elsewhere: &Board) -> bool {
    let (mut turns, mut stay) = (Vec::new(), 0);
    while stay <= TURNS / 2 && turns.len() - stay <= TURNS / 2 {
        let quiet = good.median(&Pace::default());
        let attacked = good.median_while(at, &HOSTILE);
        let beside = good.median_while(elsewhere, &HOSTILE);
        stay += usize::from(attacked <= beside.max(quiet) * SLOWER_MAX);
        turns.push((quiet, attacked, beside));
    }
    println!("{what}, undisturbed, attacked, and while another server is: {turns:?}");
    stay > TURNS / 2
}

#[test]
fn median_latency_stays_in_one_loop_in_c() {
    let (place, other) = (Place::new(), Place::new());
    let Some(build) = built(&["-DCARNET_PATIENCE_MS=25"]) else { return };
    let (board, elsewhere) = (Board::start(&place, &build), Board::start(&other, &build));
    for (what, mut good) in [
        ("by a socket", Good::Socket(greeted(&board))),
        ("through shared memory", Good::Shared(Box::new(Peer::greeted(&board)))),
    ] {
        good.ask();
        assert!(stays_in_most(what, &mut good, &board, &elsewhere), "{what}: it does not stay");
    }
}
