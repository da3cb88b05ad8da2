//! Decoders that were generated take no memory that a message only names: with an address space that has little room left,
//! the same generators run, and whoever believes a count before it looks ends the process. One test, since the bound is
//! that of the process.

use carnet_fuzz::mirror;
use carnet_fuzz::targets::once;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What sessions may take beside what they have when all is warm: some threads and their allocators' regions.
const ROOM_BYTES: u64 = 512 << 20;

/// Bytes of this process's address space.
fn mapped_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text.lines().find_map(|line| line.strip_prefix("VmSize:")).expect("a size");
    line.trim().strip_suffix(" kB").and_then(|size| size.parse::<u64>().ok()).expect("a number") << 10
}

#[test]
fn what_a_message_only_names_takes_no_memory() {
    // What is written in C has its own bounds, and sanitizers map far more than they use.
    mirror::start();
    (0..200).for_each(|seed| {
        once(mirror::check_request, seed);
        once(mirror::check_reply, seed);
    });
    let bound =
        Rlimit { current: Some(mapped_bytes() + ROOM_BYTES), maximum: getrlimit(Resource::As).maximum };
    setrlimit(Resource::As, bound).expect("a bound");
    (200..6_000).for_each(|seed| {
        once(mirror::check_request, seed);
        once(mirror::check_reply, seed);
    });
}
