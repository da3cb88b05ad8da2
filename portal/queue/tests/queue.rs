//! The queue in real memory: all lengths arrive, layout and rules are as written, and whoever breaks them is found out.

use std::io::IoSlice;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::Duration;

use carnet_memory::{Mapping, Segment};
use carnet_queue::layout::{CONTROL_BYTES, LINE, RING_BYTES_MIN, Side, WHOLE, memory_bytes};
use carnet_queue::{Broken, End, Slept, Wanted};

const RING: usize = RING_BYTES_MIN;
const FRAMES: Wanted = Wanted { frames: true, room: false };
const NOTHING: Wanted = Wanted { frames: false, room: false };

struct Pair {
    client: End<Mapping>,
    server: End<Mapping>,
    /// A third view of it, to look and to scribble.
    memory: Mapping,
}

fn pair() -> Pair {
    let segment = Segment::create(memory_bytes(RING).unwrap()).unwrap();
    let map = || Mapping::new(&segment).unwrap();
    let (client, server) = (End::new(map(), Side::Client, RING), End::new(map(), Side::Server, RING));
    Pair { client, server, memory: map() }
}

/// A frame of `len` bytes that can be told from others.
fn frame(len: usize) -> Vec<u8> {
    let mut frame: Vec<u8> = (0..len).map(|index| (index * 31 + len) as u8).collect();
    frame[..4].copy_from_slice(&(len as u32).to_le_bytes());
    frame
}

fn send(end: &End<Mapping>, bytes: &[u8]) -> Result<usize, Broken> {
    end.send(&[IoSlice::new(bytes)])
}

/// Sends all of it in pieces, and takes out what arrives meanwhile.
fn through(from: &End<Mapping>, to: &End<Mapping>, pieces: &[&[u8]], buffer: usize) -> Vec<u8> {
    let (mut rest, mut arrived) = (pieces.concat(), Vec::new());
    let mut slices: Vec<IoSlice<'_>> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
    let mut sent = from.send(&slices).unwrap();
    slices.clear();
    loop {
        rest.drain(..sent);
        let mut into = vec![0; buffer];
        let received = to.receive(&mut into).unwrap();
        arrived.extend_from_slice(&into[..received]);
        if rest.is_empty() && received == 0 {
            return arrived;
        }
        sent = send(from, &rest).unwrap();
    }
}

#[test]
fn frames_of_all_lengths_arrive_as_they_were_sent() {
    let pair = pair();
    let lengths = (16..200).chain([1000, 4032, 4033, 4095, 4096, 4097, 5000, 8192, 20_000, 70_001]);
    for (len, buffer) in lengths.zip([64, 65, 100, 4096, 100_000].into_iter().cycle()) {
        for (from, to) in [(&pair.client, &pair.server), (&pair.server, &pair.client)] {
            let frame = frame(len);
            assert!(through(from, to, &[&frame], buffer) == frame, "{len} bytes");
        }
    }
}

#[test]
fn who_sends_more_than_a_little_takes_all_pages() {
    let ring = 64 << 10;
    let segment = Segment::create(memory_bytes(ring).unwrap()).unwrap();
    let map = || Mapping::new(&segment).unwrap();
    let (client, server) = (End::new(map(), Side::Client, ring), End::new(map(), Side::Server, ring));
    let taken = || rustix::fs::fstat(&segment).unwrap().st_blocks as usize * 512;
    for sent in (64..=4096 + 64).step_by(64) {
        assert!(taken() < ring, "{} bytes, before {sent} were sent", taken());
        assert!(through(&client, &server, &[&frame(64)], 64) == frame(64));
    }
    assert_eq!(taken(), segment.len());
}

#[test]
fn the_rest_of_a_frame_arrives_behind_what_there_is() {
    let pair = pair();
    for (len, at_most) in [(65, 1), (100, 64), (1000, 7), (4032, 4032), (20_000, 4096), (70_001, 100_000)] {
        let frame = frame(len);
        let (mut sent, mut begun, mut rest) =
            (send(&pair.client, &frame).unwrap(), [0; 64], b"before".to_vec());
        assert_eq!(pair.server.receive(&mut begun), Ok(64));
        while rest.len() < 6 + len - 64 {
            let before = rest.len();
            let received = pair.server.receive_onto(&mut rest, at_most).unwrap();
            assert!(received <= at_most && rest.len() == before + received);
            sent += send(&pair.client, &frame[sent..]).unwrap();
        }
        assert!(rest[..6] == *b"before" && begun == frame[..64] && rest[6..] == frame[64..], "{len} bytes");
        // What is behind it is another frame.
        assert_eq!(send(&pair.client, &frame[..0]), Ok(0));
        assert_eq!(pair.server.receive_onto(&mut rest, at_most), Ok(0));
    }
}

#[test]
fn several_frames_in_several_pieces_arrive_in_order() {
    let pair = pair();
    let frames: Vec<Vec<u8>> = (0..300).map(|index| frame(16 + index * 37 % 900)).collect();
    let pieces: Vec<&[u8]> = frames
        .iter()
        .flat_map(|frame| {
            // A header lies within one piece.
            let (head, body) = frame.split_at(16 + (frame.len() - 16) / 2);
            [head, body, &[]]
        })
        .collect();
    assert!(through(&pair.client, &pair.server, &pieces, 4096) == frames.concat());
}

#[test]
fn the_layout_is_the_one_that_is_written_down() {
    let pair = pair();
    send(&pair.client, &frame(40)).unwrap();
    let mark = u64::from_le_bytes(frame(40)[..8].try_into().unwrap());
    assert_eq!(pair.memory.word(CONTROL_BYTES).load(SeqCst), mark | WHOLE);
    assert_eq!(pair.memory.word(0).load(SeqCst), LINE, "tail");
    assert_eq!(pair.memory.word(128).load(SeqCst), 0, "head");
    assert_eq!(pair.memory.word(CONTROL_BYTES + 64).load(SeqCst), 0, "the next mark");
    let mut buffer = [0; 64];
    assert_eq!(pair.server.receive(&mut buffer), Ok(40));
    assert_eq!(buffer[..40], frame(40));
    assert_eq!(pair.memory.word(128).load(SeqCst), LINE, "head");
    send(&pair.server, &frame(100)).unwrap();
    assert_eq!(pair.memory.word(256).load(SeqCst), 2 * LINE, "the other tail");
    assert_ne!(pair.memory.word(CONTROL_BYTES + RING).load(SeqCst) & WHOLE, 0);
    pair.client.hang_up();
    assert_eq!((pair.memory.half(768).load(SeqCst), pair.memory.half(896).load(SeqCst)), (1, 0));
    pair.server.waits_on(3);
    assert_eq!((pair.memory.half(900).load(SeqCst), pair.client.other_waits_on()), (4, Some(3)));
}

#[test]
fn lengths_that_lie_are_found_out() {
    let limit = RING as u64 - LINE;
    for mark in [1, 15, WHOLE, 15 | WHOLE, (limit + 1) | WHOLE, 0x7fff_ffff | WHOLE, 1 << 32, u64::MAX] {
        let pair = pair();
        pair.memory.word(CONTROL_BYTES).store(mark, SeqCst);
        assert_eq!(drain(&pair.server), Err(Broken), "{mark:#x}");
    }
}

/// Receives until nothing is there; how many bytes it were.
fn drain(end: &End<Mapping>) -> Result<usize, Broken> {
    let (mut all, mut buffer) = (0, [0; 4096]);
    loop {
        match end.receive(&mut buffer)? {
            0 => return Ok(all),
            received => all += received,
        }
        assert!(all < 1 << 20, "more comes than was ever there");
    }
}

#[test]
fn positions_that_lie_are_found_out() {
    let long = 100_000;
    for tail in [0, 7, RING as u64 + 1, RING as u64 * 8, u64::MAX, 1 << 63] {
        let pair = pair();
        pair.memory.word(0).store(64, SeqCst);
        pair.memory.word(CONTROL_BYTES).store(long, SeqCst);
        assert_eq!(drain(&pair.server), Ok(64));
        pair.memory.word(0).store(tail, SeqCst);
        assert_eq!(drain(&pair.server), Err(Broken), "tail {tail}");
    }
    for head in [1 << 20, u64::MAX, 1 << 63, RING as u64] {
        let pair = pair();
        pair.memory.word(128).store(head, SeqCst);
        let sent = (0..100).try_for_each(|_| send(&pair.client, &frame(64)).map(|_| ()));
        assert_eq!(sent, Err(Broken), "head {head}");
    }
}

#[test]
fn a_head_that_goes_back_is_found_out() {
    let pair = pair();
    (0..63).for_each(|_| assert_eq!(send(&pair.client, &frame(64)), Ok(64)));
    assert_eq!(drain(&pair.server), Ok(63 * 64));
    assert_eq!(send(&pair.client, &frame(64)), Ok(64));
    pair.memory.word(128).store(0, SeqCst);
    let sent = (0..100).try_for_each(|_| send(&pair.client, &frame(64)).map(|_| ()));
    assert_eq!(sent, Err(Broken));
}

#[test]
fn what_is_sent_must_be_frames() {
    let pair = pair();
    assert_eq!(send(&pair.client, &[15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), Err(Broken));
    assert_eq!(send(&pair.client, &frame(16)[..15]), Err(Broken), "a header in two pieces");
    assert_eq!(pair.server.look(FRAMES), Ok(NOTHING));
}

#[test]
fn a_sleep_ends_by_time_a_wake_or_what_it_waits_for() {
    let pair = pair();
    let moment = Duration::from_millis(1);
    assert_eq!(pair.server.sleep(FRAMES, moment, || false), Slept::TimedOut);
    let hour = Duration::from_secs(3600);
    assert_eq!(pair.server.sleep(FRAMES, hour, || true), Slept::Woken);
    std::thread::scope(|scope| {
        let asleep = scope.spawn(|| {
            while pair.server.look(FRAMES) == Ok(NOTHING) {
                pair.server.sleep(FRAMES, hour, || false);
            }
        });
        // Whatever the bell says before.
        pair.memory.half(640).store(u32::MAX, Relaxed);
        pair.memory.half(640).store(0, Relaxed);
        pair.server.wake();
        send(&pair.client, &frame(64)).unwrap();
        asleep.join().unwrap();
    });
    pair.client.hang_up();
    assert_eq!(drain(&pair.server), Ok(64), "what was sent before the end");
    assert!(pair.server.has_other_hung_up());
    assert_eq!(pair.server.sleep(FRAMES, hour, || false), Slept::Woken);
}
