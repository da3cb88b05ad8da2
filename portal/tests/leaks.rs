//! Descriptors, threads, mapped memory and objects after many sessions are as before. One test, so that nothing else runs meanwhile.

mod support;

use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering;

use carnet_memory::{Segment, pass};
use carnet_portal::memory::Memory;
use carnet_portal::wire::kind;
use carnet_queue::layout::CONTROL_BYTES;
use support::counts::Counts;
use support::shared::Peer;
use support::sums::generated::CarnetMemory;
use support::{Fixture, op, raw, sums, until};

#[test]
fn nothing_stays_behind() {
    let first = Counts::now();
    {
        let fixture = Fixture::plain();
        let before = Counts::now();
        for round in 0..60 {
            one_round(&fixture, round);
        }
        until("all sessions are gone", || fixture.sessions() == 0);
        until("all objects are gone", || fixture.world.live() == 0);
        before.come_back("with the server");
    }
    {
        let fixture = sums::fixture(|_| {});
        let before = Counts::now();
        for round in 0..60 {
            hand_over(&fixture, round);
        }
        until("all sessions are gone", || fixture.sessions() == 0);
        // The service itself keeps one.
        let kept = Counts { mapped: before.mapped + 1, ..before };
        kept.come_back("with the server of memory");
    }
    first.come_back("without it");
}

/// Clients that hand memory over and get some: one that ends well, and others that do not.
fn hand_over(fixture: &Fixture, round: usize) {
    let (session, sums) = sums::client(fixture);
    let memory = Memory::of(&sums::counted(100_000)).unwrap();
    let handed = CarnetMemory::from_portal(session.hand_over(&memory).unwrap());
    sums.keep(&handed).unwrap();
    let theirs = sums.counted(70_000).unwrap();
    let mapped = Memory::map::<CarnetMemory>(theirs.portal(), 70_000).unwrap();
    assert_eq!(sums.sum(&theirs), Ok(sums::sum(&mapped)));
    let Some(socket) = fixture.socket() else { return };
    let peer = Peer::connect(socket);
    peer.send(&raw::hello());
    let (segment, bad) = (Segment::of(b"sealed").unwrap(), Segment::create(6).unwrap());
    let pass = |call: u32, segment| pass::send(peer.socket.as_fd(), &call.to_le_bytes(), segment).unwrap();
    let frame = |call| peer.send(&raw::frame(kind::MEMORY, &[], 0, 0, call, &6_u64.to_le_bytes()));
    match round % 4 {
        0 => _ = (pass(1, &segment), frame(1), pass(2, &bad), frame(2)),
        1 => _ = (pass(1, &segment), pass(2, &segment), pass(3, &bad), frame(3)),
        2 => _ = pass(1, &segment),
        _ => _ = frame(1),
    }
    let _ = peer.socket.shutdown(std::net::Shutdown::Both);
}

/// A client that ends well, and others that do not.
fn one_round(fixture: &Fixture, round: usize) {
    let client = fixture.client();
    let opened = client.open("x").unwrap();
    if round.is_multiple_of(2) {
        drop(opened);
    }
    if let Some(socket) = fixture.socket() {
        share_and_misbehave(socket, round);
    }
    let mut socket = fixture.raw();
    socket.write_all(&raw::hello()).unwrap();
    socket.write_all(&raw::open(1, b"never released")).unwrap();
    match round % 3 {
        0 => socket.write_all(&raw::call(op::PANIC, 1, 2, &[])).unwrap(),
        1 => socket.write_all(&[1, 2, 3]).unwrap(),
        _ => socket.write_all(&[0xff; 100]).unwrap(),
    }
}

/// A client that shares memory, and does with it what it should not.
fn share_and_misbehave(socket: UnixStream, round: usize) {
    let peer = Peer::connect(socket);
    assert!(Counts::now().mapped > 0);
    peer.send(&raw::hello());
    peer.send(&raw::open(1, b"never released"));
    match round % 4 {
        0 => peer.memory.word(CONTROL_BYTES + 64 * (round + 3)).store(u64::MAX, Ordering::Relaxed),
        1 => peer.memory.word(128).store(u64::MAX, Ordering::Relaxed),
        2 => peer.memory.half(768).store(1, Ordering::Relaxed),
        _ => drop(peer),
    }
}
