//! How calls of a client in C wait through one portal, where that is not as its connection waits.

mod support;

use std::fs;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::Duration;

use carnet_portal::wire::{HEADER_BYTES, Reply, kind};
use support::by_hand::{By, ByHand, reply};
use support::sums::generated::module;
use support::until;

#[path = "support/in_c.rs"]
mod in_c;

/// What who looks has used of a processor before long, and who sleeps has not.
const MUCH: Duration = Duration::from_millis(40);
/// After so many sleeps of at least 20 ms each it is sure that who waits sleeps.
const SLEEPS: u64 = 4;

/// As `enum carnet_waiting`.
#[derive(Clone, Copy, Debug)]
enum Waiting {
    Sleeping = 1,
    Spinning = 2,
}

/// A process's time on processors, in hundredths of a second.
fn time(process: u32) -> Duration {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // Behind the name, which may have spaces.
    let fields = text.rsplit(')').next().unwrap().split(' ').skip(12);
    fields.take(2).map(|ticks| Duration::from_millis(10 * ticks.parse::<u64>().unwrap())).sum()
}

/// How often it slept.
fn sleeps(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    line.unwrap().trim().parse().unwrap()
}

/// The process waits like that, for an answer that does not come.
fn waits(process: u32, how: Waiting) {
    let (time_before, sleeps_before) = (time(process), sleeps(process));
    match how {
        Waiting::Spinning => until("it looks all the time", || time(process) - time_before > MUCH),
        Waiting::Sleeping => {
            until("it sleeps", || sleeps(process) - sleeps_before >= SLEEPS);
            let used = time(process) - time_before;
            assert!(used < MUCH, "it took {used:?} of a processor");
        }
    }
}

fn answer(call: u32, portals: u8, words: &[u64]) -> Vec<u8> {
    let body: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let header = Reply { portals, ..reply(HEADER_BYTES + body.len(), call) };
    [&header.encode()[..], &body].concat()
}

#[test]
fn one_portal_waits_as_it_was_told_and_the_others_as_their_connection() {
    use Waiting::{Sleeping, Spinning};
    for program in in_c::built("waits", module(), &["waits"], &[]) {
        for (of_all, of_one) in [(Spinning, Sleeping), (Sleeping, Spinning)] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("s");
            let listener = UnixListener::bind(&path).unwrap();
            let (all, one) = ((of_all as u32).to_string(), (of_one as u32).to_string());
            let mut client = Command::new(&program)
                .args([&format!("shm:{}", path.display()), &all, &one])
                .spawn()
                .unwrap();
            let mut server = ByHand::accept(By::Memory, &listener);
            // What was asked for is a portal, or how long the memory behind it is.
            for (how, portal) in
                [(None, 7), (Some(of_one), 0), (Some(of_all), 8), (Some(of_one), 0), (Some(of_all), 0)]
            {
                let request = server.request();
                assert_eq!((request.kind, request.target), (kind::CALL, if portal == 0 { 7 } else { 1 }));
                if let Some(how) = how {
                    waits(client.id(), how);
                }
                server.send(&match portal {
                    0 => answer(request.call, 0, &[5]),
                    portal => answer(request.call, 1, &[0, portal]),
                });
            }
            assert!(client.wait().unwrap().success());
        }
    }
}
