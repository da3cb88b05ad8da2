//! Two sides that wait on one processor, through shared memory: neither sleeps for most of its calls.

mod support;

use std::fs;
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession, WaitMode};
use carnet_portal::server::{Server, ServerOptions, Stopped, Threads};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use support::{BoxClient, World};

const CALLS: u64 = 2_000;
/// How long the machine may have other work.
const PATIENCE: Duration = Duration::from_secs(60);

/// From now on this thread, and those that it makes, run on the first processor that it may use.
fn pin() {
    let mut all = sched_getaffinity(None).expect("the processors");
    let first = (0..CpuSet::MAX_CPU).find(|number| all.is_set(*number)).expect("a processor");
    all.clear();
    all.set(first);
    sched_setaffinity(None, &all).expect("one of its own");
}

/// How often all threads of this process slept.
fn sleeps() -> u64 {
    let threads = fs::read_dir("/proc/self/task").expect("the threads");
    let of = |path: std::path::PathBuf| {
        let status = fs::read_to_string(path.join("status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        line.and_then(|count| count.trim().parse::<u64>().ok()).unwrap_or(0)
    };
    threads.map(|thread| of(thread.expect("a thread").path())).sum()
}

/// While nobody else wants the processor, few calls sleep, of both sides together; a call for which both sleep is two.
fn few_calls_sleep(threads: Threads, waiting: WaitMode) {
    let dir = tempfile::tempdir().expect("a directory");
    let address = Address::Shared(dir.path().join("c.sock"));
    let world = World::new();
    let options = ServerOptions { threads, waiting, ..ServerOptions::default() };
    let roots = move |_: &Caller| Ok(Capability::new(world.root()));
    let server = Server::listen(&address, options, roots).expect("a server");
    let begun = Instant::now();
    loop {
        // Both have learnt nothing yet: what others did to the processor before is not for this one.
        let options = ConnectOptions { waiting, ..ConnectOptions::default() };
        let client = BoxClient(RemoteSession::connect(&address, options).expect("a session").root());
        let before = sleeps();
        (0..CALLS).for_each(|number| assert_eq!(client.add(number, 1).expect("a sum"), number + 1));
        // A thread that ends takes its sleeps along.
        let slept = sleeps().saturating_sub(before);
        if (1..CALLS / 4).contains(&slept) {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{threads:?}, {waiting:?}: {slept} sleeps of {CALLS} calls");
    }
    // All of its threads are gone when the next one's are counted.
    assert_eq!(server.shutdown(Instant::now() + PATIENCE), Stopped::Ended);
}

#[test]
fn who_waits_gives_way_to_the_other_side() {
    pin();
    for waiting in [WaitMode::Sleeping, WaitMode::Adaptive] {
        few_calls_sleep(Threads::PerClient, waiting);
        few_calls_sleep(Threads::Loop, waiting);
    }
}
