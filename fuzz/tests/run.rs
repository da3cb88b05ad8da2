//! The generators, for a moment: from fixed seeds, and from one that is new each time and printed.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use carnet_fuzz::linux;
use carnet_fuzz::targets::{ALL, once, run};
use carnet_fuzz::watch::Watch;

/// What is started for a session of Linux calls.
const SESSIONS: &str = env!("CARGO_BIN_EXE_carnet-fuzz");

#[test]
fn fixed_seeds() {
    linux::sessions_are(SESSIONS);
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
    linux::sessions_are(SESSIONS);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set");
    let seed = now.as_nanos() as u64;
    println!("seed {seed}");
    let tallies = run(Duration::from_secs(3), seed, &Watch::printing());
    assert!(tallies.iter().all(|tally| tally.made > 0));
}

#[test]
fn bytes_of_a_fuzzer() {
    use carnet_fuzz::entropy::Entropy;
    use carnet_fuzz::targets::{
        applet_bytes, array_bytes, bytecode_bytes, class_bytes, encoded_tree_bytes, interface_bytes,
        kernel_bytes, linux_bytes, message_bytes, program_bytes, stub_bytes, tree_bytes,
    };

    linux::sessions_are(SESSIONS);
    for seed in 0..200 {
        let mut entropy = Entropy::of_seed(seed);
        let bytes: Vec<u8> = (0..seed * 4).map(|_| entropy.bits() as u8).collect();
        for target in [
            array_bytes,
            tree_bytes,
            encoded_tree_bytes,
            bytecode_bytes,
            message_bytes,
            stub_bytes,
            interface_bytes,
            program_bytes,
            class_bytes,
            kernel_bytes,
            applet_bytes,
        ] {
            target(&bytes);
        }
        // Each starts two processes.
        if seed % 20 == 0 {
            linux_bytes(&bytes);
        }
    }
}
