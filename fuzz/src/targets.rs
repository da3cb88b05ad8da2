//! The fuzz targets: one function each from bytes, and the same generators from seeds.

use std::time::{Duration, Instant};

use crate::entropy::{Entropy, mixed};
use crate::probe::module;
use crate::watch::Watch;
use crate::{arrays, classes, engines, frames, kernel, linux, mirror, mutate, program, steps, texts, trees};

/// A generator with its oracle. It returns whether what it made was accepted.
pub type Check = fn(&mut Entropy<'_>) -> bool;

/// All generators, by name.
pub const ALL: [(&str, Check); 18] = [
    ("programs", check_program),
    ("mutated", check_mutated),
    ("damaged", check_damaged),
    ("noise", check_noise),
    ("arrays", arrays::check_array),
    ("linux-calls", linux::check_calls),
    ("linux-arrays", linux::check_arrays),
    ("encoded-trees", trees::check_damaged),
    ("program-texts", texts::check_programs),
    ("interface-texts", texts::check_interfaces),
    ("sessions", frames::check_session),
    ("decoders", frames::check_decoders),
    ("classes", classes::check_mutant),
    ("translated", classes::check_translated),
    ("applets", classes::applet::check_applet),
    ("kernel", kernel::check_mutant),
    ("requests", mirror::check_request),
    ("replies", mirror::check_reply),
];

/// Builds what a generator needs: a compiler's time is none of its own.
fn build(name: &str) {
    match name {
        "classes" | "translated" => classes::start(),
        "kernel" => kernel::start(),
        "requests" | "replies" => mirror::start(),
        _ => {}
    }
}

fn check_program(entropy: &mut Entropy<'_>) -> bool {
    let tree = program::program(module(), entropy);
    engines::check_tree(&tree, entropy);
    true
}

fn check_mutated(entropy: &mut Entropy<'_>) -> bool {
    let tree = program::program(module(), entropy);
    (0..8).fold(false, |accepted, _| mutate::check_mutated(&tree, entropy) | accepted)
}

fn check_damaged(entropy: &mut Entropy<'_>) -> bool {
    let tree = program::program(module(), entropy);
    (0..8).fold(false, |accepted, _| mutate::check_damaged(&tree, entropy) | accepted)
}

/// Bytes that only begin as a program does.
fn check_noise(entropy: &mut Entropy<'_>) -> bool {
    let mut bytes = b"CNB1\x01\0".to_vec();
    bytes.extend((0..entropy.below(300)).map(|_| entropy.below(4) as u8));
    mutate::check_bytes(&bytes, entropy)
}

/// What a run of the generators came to.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Name of the generator.
    pub name: &'static str,
    /// How many things it made.
    pub made: u64,
    /// How many of them were accepted.
    pub accepted: u64,
    /// Most steps that one took, and its seed.
    pub dearest: (u64, u64),
}

/// Runs one generator from one seed: whether what it made was accepted, and how many steps it took. A failure is a
/// panic.
///
/// # Panics
/// If a promise is broken.
pub fn once(check: Check, seed: u64) -> (bool, u64) {
    steps::counted(|| check(&mut Entropy::of_seed(mixed(seed))))
}

/// Runs every generator for its share of `time`, from `seed` on. Each thing made has a seed of its own, which is
/// printed if it breaks a promise.
///
/// # Panics
/// If a promise is broken.
#[must_use]
pub fn run(time: Duration, seed: u64, watch: &Watch) -> Vec<Tally> {
    let share = time / ALL.len() as u32;
    ALL.iter().map(|(name, check)| run_one(name, *check, share, seed, watch)).collect()
}

/// Runs one generator for `time`, from `seed` on.
///
/// # Panics
/// If a promise is broken.
#[must_use]
pub fn run_one(name: &'static str, check: Check, time: Duration, seed: u64, watch: &Watch) -> Tally {
    struct Announce(&'static str, u64);
    impl Drop for Announce {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("replay with: cargo run -p carnet-fuzz -- --only {} --seed {}", self.0, self.1);
            }
        }
    }
    build(name);
    let mut tally = Tally { name, made: 0, accepted: 0, dearest: (0, seed) };
    let end = Instant::now() + time;
    while tally.made == 0 || Instant::now() < end {
        let announce = Announce(name, seed.wrapping_add(tally.made));
        let (accepted, steps) = watch.case(name, announce.1, || once(check, announce.1));
        tally.accepted += u64::from(accepted);
        tally.dearest = tally.dearest.max((steps, announce.1));
        tally.made += 1;
    }
    tally
}

// From the bytes of a fuzzer.

/// The interface compiler.
pub fn interface_bytes(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        steps::counted(|| texts::check_interface_text(text));
    }
}

/// The program compiler, and both engines.
pub fn program_bytes(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        steps::counted(|| texts::check_program_text(text, &mut Entropy::of_seed(bytes.len() as u64)));
    }
}

/// The bytecode decoder, the verifier, and the interpreter.
pub fn bytecode_bytes(bytes: &[u8]) {
    steps::counted(|| mutate::check_bytes(bytes, &mut Entropy::of_seed(bytes.len() as u64)));
}

/// The decoder of call arrays, their verifier and interpreter; and arrays that are made of the bytes.
pub fn array_bytes(bytes: &[u8]) {
    steps::counted(|| mutate::check_bytes(bytes, &mut Entropy::of_seed(bytes.len() as u64)));
    steps::counted(|| arrays::check_array(&mut Entropy::of_bytes(bytes)));
}

/// Calls and call arrays for sessions of Linux calls. The target's program serves them, too: see [`linux::is_session`].
pub fn linux_bytes(bytes: &[u8]) {
    linux::check_calls(&mut Entropy::of_bytes(bytes));
    linux::check_arrays(&mut Entropy::of_bytes(bytes));
}

/// The message decoders, and a server.
pub fn message_bytes(bytes: &[u8]) {
    frames::check_decoder_bytes(bytes);
    frames::check_session_bytes(bytes);
}

/// Decoders of servers and clients that were generated, in Rust and in C.
pub fn stub_bytes(bytes: &[u8]) {
    mirror::check_bytes(bytes);
}

/// Verifier and interpreter of the kernel module: of the bytes, and of a program that is changed as they say.
pub fn kernel_bytes(bytes: &[u8]) {
    kernel::check_bytes(bytes);
    kernel::check_mutant(&mut Entropy::of_bytes(bytes));
}

/// The reader and verifier of class files.
pub fn class_bytes(bytes: &[u8]) {
    classes::check_bytes(bytes);
}

/// What reads, verifies and runs applets alone.
pub fn applet_bytes(bytes: &[u8]) {
    classes::applet::check_bytes(bytes);
}

/// The translator of Java methods, of classes that were changed and not verified.
pub fn translator_bytes(bytes: &[u8]) {
    steps::counted(|| classes::check_translated(&mut Entropy::of_bytes(bytes)));
}

/// Generated programs on both engines.
pub fn tree_bytes(bytes: &[u8]) {
    steps::counted(|| check_program(&mut Entropy::of_bytes(bytes)));
}

/// The decoder of trees, the rules that they keep, the compiler, and all engines.
pub fn encoded_tree_bytes(bytes: &[u8]) {
    steps::counted(|| trees::check_bytes(bytes, &mut Entropy::of_seed(bytes.len() as u64)));
}
