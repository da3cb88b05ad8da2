//! What this process holds of the system, counted.

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

    /// Waits until all is as it was.
    pub fn come_back(self, when: &str) {
        super::until(&format!("{when}: as before, {self:?}"), || Counts::now() == self);
    }
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
