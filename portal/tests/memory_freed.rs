//! Freeing much memory takes long, and whoever has its last descriptor does it: a client that passes one and closes its own has the
//! server do it. No thread does that serves somebody, whatever the frame says of the memory.
//!
//! Counted is the processor time of the server's threads, held against that of closing such a file here.

mod support;

use std::collections::HashMap;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::time::Duration;

use carnet_memory::pass;
use carnet_portal::call::Kind;
use carnet_portal::wire::{Reply, kind};
use carnet_queue::Wanted;
use rustix::fs::{
    FallocateFlags, MemfdFlags, SealFlags, fallocate, fcntl_add_seals, ftruncate, memfd_create,
};
use rustix::time::{ClockId, clock_gettime};
use support::shared::Peer;
use support::sums::fixture;
use support::{Fixture, raw, until};

/// So much that freeing it is longer than what else a server does here.
const MUCH: u64 = 512 << 20;
/// What frames say that it is.
const LITTLE: u64 = 4096;
/// Bytes of the names of this test's files alone.
const NAME: &str = "freed-by-whom";
/// Of `/proc/PID/task/TID/stat`.
const TICK: Duration = Duration::from_millis(10);

/// A file of `len` bytes that has the pages of `MUCH`, with these seals.
fn much(len: u64, seals: SealFlags) -> OwnedFd {
    let file = memfd_create(NAME, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap();
    // What is not written is a hole, whether it has pages or not.
    assert_eq!(rustix::io::pwrite(&file, &[7; LITTLE as usize], 0), Ok(LITTLE as usize));
    ftruncate(&file, len).unwrap();
    fallocate(&file, FallocateFlags::KEEP_SIZE, 0, MUCH).unwrap();
    fcntl_add_seals(&file, seals).unwrap();
    file
}

fn sealed() -> SealFlags {
    SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE
}

/// Processor time that closing takes the thread that does it.
fn time_of_closing() -> Duration {
    let file = much(MUCH, SealFlags::empty());
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap();
    let begun = now();
    drop(file);
    now() - begun
}

/// Processor time of each thread of this process that serves: the loop, its helpers, or those of the sessions.
fn times() -> HashMap<PathBuf, Duration> {
    let mut times = HashMap::new();
    for thread in std::fs::read_dir("/proc/self/task").unwrap() {
        let path = thread.unwrap().path();
        // It may have ended meanwhile.
        let Ok(stat) = std::fs::read_to_string(path.join("stat")) else { continue };
        let (name, numbers) = stat.rsplit_once(") ").unwrap();
        let name = name.split_once('(').unwrap().1;
        let is_session = name.strip_prefix("carnet-").is_some_and(|number| number.parse::<u64>().is_ok());
        if is_session || name == "carnet-loop" || name == "carnet-helper" {
            let ticks: u32 =
                numbers.split(' ').skip(11).take(2).map(|word| word.parse::<u32>().unwrap()).sum();
            times.insert(path, TICK * ticks);
        }
    }
    times
}

fn is_open() -> bool {
    let mut files = std::fs::read_dir("/proc/self/fd").unwrap();
    files.any(|file| {
        std::fs::read_link(file.unwrap().path()).is_ok_and(|to| to.to_string_lossy().contains(NAME))
    })
}

/// The status of the answer to a frame.
fn answer(peer: &Peer, frame: &[u8]) -> u16 {
    peer.send(frame);
    let wanted = Wanted { frames: true, room: false };
    until("it is answered", || peer.end.look(wanted).unwrap().frames);
    let mut buffer = vec![0; 4096];
    peer.end.receive(&mut buffer).unwrap();
    Reply::decode(&buffer).unwrap().status
}

fn peer(fixture: &Fixture) -> Peer {
    let peer = Peer::connect(fixture.socket().unwrap());
    peer.send(&raw::hello());
    peer
}

fn pass(peer: &Peer, call: u32, file: OwnedFd) {
    assert_eq!(pass::send(peer.socket.as_fd(), &call.to_le_bytes(), file.as_fd()), Ok(4));
}

fn memory(call: u32, len: u64) -> Vec<u8> {
    raw::frame(kind::MEMORY, &[], 0, 0, call, &len.to_le_bytes())
}

/// One test: another one's memory would count, too.
#[test]
fn memory_that_is_refused_is_freed_by_nobody_who_serves() {
    let closing = time_of_closing();
    assert!(closing > 2 * TICK, "{closing:?} for {MUCH} bytes: too few to tell who frees them");
    let fixture = fixture(|_| {});
    let good = peer(&fixture);
    assert_eq!(answer(&good, &raw::map(1, 1)), 0);
    let refused = |what: &str, number: u32, file: OwnedFd, len: u64, kind: Kind| {
        let peer = peer(&fixture);
        let before = times();
        pass(&peer, number, file);
        assert_eq!(answer(&peer, &memory(7, len)), kind as u16, "{what}");
        assert_eq!(answer(&good, &raw::map(1, 1)), 0, "{what}");
        until("it is closed", || !is_open());
        let after = times();
        assert!(!after.is_empty(), "nobody serves");
        let worked = |(thread, time): (&PathBuf, &Duration)| {
            time.saturating_sub(before.get(thread).copied().unwrap_or_default())
        };
        let took: Duration = after.iter().map(worked).sum();
        assert!(took < closing / 2, "{what}: who serves worked {took:?}, and closing takes {closing:?}");
    };
    let unsealed = SealFlags::empty();
    for len in [LITTLE, MUCH / 4, MUCH] {
        let kind = if len == MUCH { Kind::Refused } else { Kind::BadArgument };
        refused("unsealed", 7, much(MUCH, unsealed), len, kind);
        refused("of another length", 7, much(MUCH + LITTLE, sealed()), len, kind);
    }
    refused("stale", 5, much(MUCH, sealed()), LITTLE, Kind::Refused);
    refused("stale and unsealed", 5, much(MUCH, unsealed), LITTLE, Kind::Refused);
    refused("pages behind the end", 7, much(LITTLE, sealed()), LITTLE, Kind::Refused);
    refused("unsealed, pages behind the end", 7, much(LITTLE, unsealed), LITTLE, Kind::BadArgument);
}
