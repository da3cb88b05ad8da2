//! `carnet serve --wait`: how a server waits for clients through shared memory, told by how often it sleeps.

mod support;

use std::fs;

use carnet_files::files::Dir;
use carnet_portal::address::Address;
use carnet_portal::remote::{ConnectOptions, RemoteSession, WaitMode};
use support::Place;

const CALLS: u64 = 400;

/// How often threads of a process went to sleep by themselves.
fn sleeps(process: u32) -> u64 {
    let threads = fs::read_dir(format!("/proc/{process}/task")).expect("a process");
    let statuses = threads.map(|thread| fs::read_to_string(thread.expect("a thread").path().join("status")));
    let switches = statuses.map(|status| {
        let status = status.expect("what the system says of a thread");
        let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        line.and_then(|number| number.trim().parse::<u64>().ok()).expect("a number")
    });
    switches.sum()
}

/// How often a server slept during some calls, whose client sleeps between them.
fn slept(how: &str) -> u64 {
    let mut place = Place::new();
    place.serve(&["serve", "files", "./data", "--listen", "unix:./c.sock", "--wait", how]);
    let options = ConnectOptions { waiting: WaitMode::Sleeping, ..ConnectOptions::default() };
    let session = RemoteSession::connect(&Address::Shared(place.path("c.sock")), options).expect("a session");
    let root = Dir::from_portal(session.root());
    root.stat(b"src/README").expect("a first call");
    let before = sleeps(place.running().id());
    for _ in 0..CALLS {
        root.stat(b"src/README").expect("a call");
    }
    sleeps(place.running().id()) - before
}

#[test]
fn who_spins_does_not_sleep_and_who_sleeps_does_so_for_each_call() {
    let (spinning, sleeping) = (slept("spin"), slept("sleep"));
    assert!(sleeping >= CALLS / 2, "asleep {sleeping} times in {CALLS} calls");
    assert!(spinning < CALLS / 4, "spinning, and asleep {spinning} times in {CALLS} calls");
}
