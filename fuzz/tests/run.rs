//! The generators, for a moment: from fixed seeds, and from one that is new each time and printed.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use carnet_fuzz::targets::{ALL, once, run};
use carnet_fuzz::watch::Watch;

#[test]
fn fixed_seeds() {
    for (name, check) in ALL {
        let made: Vec<(bool, u64)> = (0..150).map(|seed| once(check, seed)).collect();
        let accepted = made.iter().filter(|(accepted, _)| *accepted).count();
        let steps = made.iter().map(|(_, steps)| steps).max();
        println!("{name}: {accepted} of 150 accepted, at most {steps:?} steps");
        // Noise is never a program; of all else a part must get past the front door, or nothing is tested behind it.
        assert!(accepted > 0 || name == "noise", "none of what {name} makes is accepted");
    }
}

#[test]
fn a_new_seed() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set");
    let seed = now.as_nanos() as u64;
    println!("seed {seed}");
    let tallies = run(Duration::from_secs(3), seed, &Watch::printing());
    assert!(tallies.iter().all(|tally| tally.made > 0));
}

/// Input of the greatest length costs no more than reading it. What else runs on the machine makes no difference: the
/// clock is that of this thread's own work, and only how it grows is judged. Sixteen times as much input costs sixteen
/// times as much if the cost is linear, and 256 times if it is quadratic.
#[test]
fn large_rejected_input_costs_its_size() {
    use carnet_fuzz::probe::registry;
    use carnet_program::bytecode::{BYTES_MAX, MAGIC};
    use carnet_program::verify::load;
    use rustix::time::{ClockId, clock_gettime};

    let worked = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("a time");
    let cost = |fill: u8, len: usize| {
        let mut bytes = vec![fill; len];
        let begin = worked();
        assert!(load(&bytes, registry()).is_err());
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..8].copy_from_slice(&[1, 0, 0, 0]);
        assert!(load(&bytes, registry()).is_err());
        worked() - begin
    };
    for fill in [0u8, 1, 2, 15, 16, 0x7f, 0xff] {
        let (part, whole) = (cost(fill, BYTES_MAX / 16), cost(fill, BYTES_MAX));
        // What costs next to nothing says nothing about growth.
        let floor = Duration::from_millis(1);
        assert!(whole < part.max(floor) * 100, "{fill:#x}: {part:?} for a sixteenth, {whole:?} for all");
    }
}

#[test]
fn bytes_of_a_fuzzer() {
    use carnet_fuzz::entropy::Entropy;
    use carnet_fuzz::targets::{
        bytecode_bytes, interface_bytes, message_bytes, program_bytes, stub_bytes, tree_bytes,
    };

    for seed in 0..200 {
        let mut entropy = Entropy::of_seed(seed);
        let bytes: Vec<u8> = (0..seed * 4).map(|_| entropy.bits() as u8).collect();
        for target in [tree_bytes, bytecode_bytes, message_bytes, stub_bytes, interface_bytes, program_bytes]
        {
            target(&bytes);
        }
    }
}
