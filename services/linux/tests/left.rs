//! What sessions leave in the server's process, whatever they end by: nothing. Alone in its file, since descriptors, children and mappings
//! are counted for the whole process.

mod support;

use std::fs;
use std::time::Duration;

use carnet_linux::linux::Timespec;
use rustix::process::{Pid, Signal, kill_process};
use support::*;

/// Descriptors, mappings and children of this process.
fn counts() -> [usize; 3] {
    let fds = fs::read_dir("/proc/self/fd").expect("proc is there").count();
    let maps = fs::read_to_string("/proc/self/maps").expect("proc is there").lines().count();
    let tasks = fs::read_dir("/proc/self/task").expect("proc is there");
    // A thread may end meanwhile.
    let children = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    [fds, maps, children.map(|children| children.split_whitespace().count()).sum()]
}

#[test]
fn sessions_leave_nothing() {
    let open = open_with(|rules| rules.limits.call = Duration::from_millis(5));
    open.system.getpid().expect("it lives");
    let round = |count: usize| {
        let sessions: Vec<_> = (0..count).map(|_| session_of(&open.service, "alice")).collect();
        for (k, (_, system)) in sessions.iter().enumerate() {
            let pid = system.getpid().expect("it lives");
            let pipe = system.pipe2(0).expect("it is made");
            match k % 4 {
                0 => refused(system.read(pipe.reader, 1)),
                1 => refused(system.nanosleep(&Timespec { sec: 9, nsec: 0 })),
                2 => {
                    kill_process(Pid::from_raw(pid).expect("a number"), Signal::KILL).expect("it is ours");
                    failed(system.getpid());
                    continue;
                }
                _ => continue,
            };
        }
    };
    // What is taken once is taken by these.
    round(8);
    wait_until(|| open.service.processes() == 1);
    let before = counts();
    for _ in 0..10 {
        round(8);
    }
    wait_until(|| open.service.processes() == 1);
    let [fds, maps, children] = counts();
    assert_eq!([fds, children], [before[0], before[2]], "descriptors and children");
    // Memory that is freed may be kept in a mapping of its own; one for each session would be 80.
    assert!(maps <= before[1] + 8, "{maps} mappings, {} before", before[1]);
}
