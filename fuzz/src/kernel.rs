//! Verifier and interpreter of the kernel module, held against those in Rust.
//!
//! The C code is built once, with gcc's AddressSanitizer and UBSan, and runs in a process of its own behind pipes; without gcc it is
//! said loudly that nothing is checked. A fuzzer that is guided by coverage sees the Rust side's alone.

use std::sync::{LazyLock, Mutex, PoisonError};

use carnet_kernel_bed::agree::{Chance, PROGRAMS, Tally, check, compile, mutate};
use carnet_kernel_bed::host::Host;
use carnet_program::bytecode::Program;

use crate::entropy::Entropy;

impl Chance for Entropy<'_> {
    fn bits(&mut self) -> u64 {
        Entropy::bits(self)
    }
}

fn with_host<R>(run: impl FnOnce(&mut Host) -> R) -> Option<R> {
    static HOST: LazyLock<Option<Mutex<Host>>> = LazyLock::new(|| {
        let said =
            |why: &String| eprintln!("SKIPPED: the kernel's verifier and interpreter are not fuzzed: {why}");
        Host::start().inspect_err(said).ok().map(Mutex::new)
    });
    let host = HOST.as_ref()?;
    Some(run(&mut host.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// Builds and starts the process, unless that is done.
pub fn start() {
    with_host(|_| ());
}

/// The programs that are changed, in bytecode.
#[must_use]
pub fn programs() -> &'static [Program] {
    static COMPILED: LazyLock<Vec<Program>> =
        LazyLock::new(|| PROGRAMS.iter().map(|source| compile(source)).collect());
    &COMPILED
}

/// Changes a program of system calls in some places; whether both verifiers took it.
///
/// # Panics
/// If the kernel's verifier or interpreter does what that in Rust does not, or a sanitizer finds a fault.
pub fn check_mutant(entropy: &mut Entropy<'_>) -> bool {
    let mut program = programs()[entropy.below(programs().len())].clone();
    for _ in 0..entropy.below(4) {
        mutate(&mut program, entropy);
    }
    let mut bytes = program.encode();
    if entropy.below(4) == 0 {
        let at = entropy.below(bytes.len());
        bytes[at] ^= 1 << entropy.below(8);
    }
    is_accepted(&bytes, entropy)
}

/// The same of any bytes.
///
/// # Panics
/// As above.
pub fn check_bytes(bytes: &[u8]) -> bool {
    is_accepted(bytes, &mut Entropy::of_seed(bytes.len() as u64))
}

fn is_accepted(bytes: &[u8], entropy: &mut Entropy<'_>) -> bool {
    let mut tally = Tally::default();
    with_host(|host| check(host, bytes, entropy, &mut tally));
    tally.accepted > 0
}
