//! Descriptors, threads, mapped memory and objects after many sessions are as before. One test, so that nothing else runs meanwhile.

mod support;

use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering;

use carnet_queue::layout::CONTROL_BYTES;
use support::counts::Counts;
use support::shared::Peer;
use support::{Fixture, op, raw, until};

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
    first.come_back("without it");
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
