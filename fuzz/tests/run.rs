//! The generators, for a moment: from fixed seeds, and from one that is new each time and printed.

use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use carnet_fuzz::linux;
use carnet_fuzz::targets::{ALL, once, run};
use carnet_fuzz::watch::Watch;

/// The process of a session, when this program is started to be one.
#[test]
fn a_session_of_linux_calls() {
    if linux::is_session() {
        std::process::exit(i32::from(linux::serve() != ExitCode::SUCCESS));
    }
}

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

#[test]
fn bytes_of_a_fuzzer() {
    use carnet_fuzz::entropy::Entropy;
    use carnet_fuzz::targets::{
        applet_bytes, array_bytes, bytecode_bytes, class_bytes, encoded_tree_bytes, interface_bytes,
        message_bytes, program_bytes, stub_bytes, tree_bytes,
    };

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
            applet_bytes,
        ] {
            target(&bytes);
        }
    }
}
