//! What this process holds of the system, counted.

use carnet_portal::server::Threads;

use super::{Carrier, until};

/// What must be as before when all is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub descriptors: usize,
    pub threads: usize,
    /// Mappings of memory that is shared with somebody.
    pub mapped: usize,
}

impl Counts {
    pub fn now() -> Counts {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        Counts {
            descriptors: entries("/proc/self/fd"),
            threads: entries("/proc/self/task"),
            mapped: maps.lines().filter(|line| line.contains("memfd:carnet")).count(),
        }
    }

    /// When a server has taken its clients in. One loop may answer a client from afar before the thread has ended that let it
    /// in, and the first that shares memory before the thread has begun that waits for sockets.
    pub fn settled() -> Counts {
        let is_loop = super::threads() == Threads::Loop;
        until("the loop has its clients", || {
            let names = thread_names();
            let lets_in =
                |name: &String| name.strip_prefix("carnet-").is_some_and(|n| n.parse::<u64>().is_ok());
            let watches = super::carrier() == Carrier::Shared;
            let is_there = |wanted: &str| names.iter().any(|name| name == wanted);
            // A helper goes when it has been idle for a second: it may be here now, and not when all else has come back.
            !is_loop
                || !names.iter().any(lets_in)
                    && watches == is_there("carnet-watcher")
                    && !is_there("carnet-helper")
        });
        Counts::now()
    }

    /// Waits until all is as it was.
    pub fn come_back(self, when: &str) {
        until(&format!("{when}: as before, {self:?}"), || Counts::now() == self);
    }
}

/// Those that end meanwhile have none.
fn thread_names() -> Vec<String> {
    let threads = std::fs::read_dir("/proc/self/task").unwrap();
    let name = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("comm"));
    threads.filter_map(|thread| Some(name(thread.ok()?).ok()?.trim_end().to_owned())).collect()
}

fn entries(directory: &str) -> usize {
    std::fs::read_dir(directory).unwrap().count()
}

/// Bytes of memory that nobody shares with this process, as far as they are in use.
pub fn private_bytes() -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() << 10
}
