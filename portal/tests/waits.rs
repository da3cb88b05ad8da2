//! How calls through one portal wait, where that is not as its session waits.

mod support;

use std::fs;
use std::sync::mpsc::channel;
use std::time::Duration;

use carnet_portal::address::Address;
use carnet_portal::remote::{ConnectOptions, RemoteSession, WaitMode};
use carnet_portal::server::ServerOptions;
use rustix::thread::{Pid, gettid};
use support::{BoxClient, Fixture, World, until};

/// What who looks has used of a processor before long, and who sleeps has not.
const MUCH: Duration = Duration::from_millis(40);
/// After so many sleeps of at least 20 ms each it is sure that who waits sleeps.
const SLEEPS: u64 = 4;

/// A thread's time on processors: user and system, in hundredths of a second.
fn time(thread: Pid) -> Duration {
    let text = fs::read_to_string(format!("/proc/self/task/{}/stat", thread.as_raw_nonzero())).unwrap();
    // Behind the name, which may have spaces.
    let fields = text.rsplit(')').next().unwrap().split(' ').skip(12);
    fields.take(2).map(|ticks| Duration::from_millis(10 * ticks.parse::<u64>().unwrap())).sum()
}

/// How often it slept.
fn sleeps(thread: Pid) -> u64 {
    let text = fs::read_to_string(format!("/proc/self/task/{}/status", thread.as_raw_nonzero())).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    line.unwrap().trim().parse().unwrap()
}

/// A call through this waits like that.
fn waits(fixture: &Fixture, client: &BoxClient, mode: WaitMode) {
    std::thread::scope(|scope| {
        let (tell, told) = channel();
        let waiting = scope.spawn(move || {
            tell.send(gettid()).unwrap();
            client.wait()
        });
        let thread = told.recv().unwrap();
        // Also if what is looked for does not come.
        let open = Open(&fixture.world);
        fixture.world.wait_for_waiting(1);
        let (time_before, sleeps_before) = (time(thread), sleeps(thread));
        match mode {
            WaitMode::Spinning => until("it looks all the time", || time(thread) - time_before > MUCH),
            _ => {
                until("it sleeps", || sleeps(thread) - sleeps_before >= SLEEPS);
                let used = time(thread) - time_before;
                assert!(used < MUCH, "it took {used:?} of a processor");
            }
        }
        drop(open);
        assert_eq!(waiting.join().unwrap(), Ok(()));
    });
}

/// Lets calls return that wait, in the end.
struct Open<'w>(&'w World);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.open_gate();
    }
}

fn session(fixture: &Fixture, waiting: WaitMode) -> BoxClient {
    let options = ConnectOptions { waiting, ..ConnectOptions::default() };
    BoxClient(RemoteSession::connect(&Address::Shared(fixture.path()), options).unwrap().root())
}

#[test]
fn one_portal_waits_as_it_was_told_and_the_others_as_their_session() {
    use WaitMode::{Sleeping, Spinning};
    for (of_all, of_one) in [(Spinning, Sleeping), (Sleeping, Spinning)] {
        for ask_one in [true, false] {
            let fixture = Fixture::new(ServerOptions::default());
            let root = session(&fixture, of_all);
            let one = root.open("one").unwrap();
            one.0.set_waiting(of_one);
            let again = BoxClient(one.0.clone());
            drop(one);
            // Each after the other.
            assert_eq!((again.add(1, 2), root.add(3, 4), again.add(5, 6)), (Ok(3), Ok(7), Ok(11)));
            match ask_one {
                true => waits(&fixture, &again, of_one),
                false => waits(&fixture, &root, of_all),
            }
        }
    }
}

#[test]
fn another_receipt_of_the_same_object_says_nothing() {
    let fixture = Fixture::new(ServerOptions::default());
    let root = session(&fixture, WaitMode::Sleeping);
    let (one, other) = (root.me().unwrap(), root.me().unwrap());
    assert_eq!(one.0.id(), other.0.id());
    one.0.set_waiting(WaitMode::Spinning);
    drop(other);
    waits(&fixture, &one, WaitMode::Spinning);
}

#[test]
fn what_was_said_of_a_portal_is_not_of_the_next_of_its_number() {
    let fixture = Fixture::new(ServerOptions::default());
    let root = session(&fixture, WaitMode::Spinning);
    let one = root.open("one").unwrap();
    let number = one.0.id();
    one.0.set_waiting(WaitMode::Sleeping);
    drop(one);
    let next = (0..1000).map(|_| root.open("one").unwrap()).find(|next| next.0.id() == number);
    // Where numbers are not given again there is nothing to mistake.
    waits(&fixture, &next.unwrap_or(root), WaitMode::Spinning);
}
