//! The kernel's verifier and interpreter do what those in Rust do: on programs that compilers make, and on thousands that are nearly so.

use carnet_kernel_bed::agree::{Chance, PROGRAMS, Tally, UNSUPPORTED, check, compile, mutate, registry};
use carnet_kernel_bed::host::Host;
use carnet_program::bytecode::Program;
use carnet_program::verify::{FaultKind as Unfit, LoadError, load};

/// A generator of numbers: xorshift.
struct Random(u64);

impl Chance for Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn host() -> Option<Host> {
    Host::start().inspect_err(|why| println!("skipped: {why}")).ok()
}

fn is_unsafe(error: &LoadError) -> bool {
    !matches!(error, LoadError::Rejected(faults) if faults.iter().all(|fault| fault.kind == Unfit::Unsupported))
}

#[test]
fn compiled_programs_do_the_same() {
    let Some(mut host) = host() else { return };
    let mut tally = Tally::default();
    let mut random = Random(5);
    for source in PROGRAMS {
        let bytes = compile(source).encode();
        assert!(load(&bytes, registry()).is_ok_and(|loaded| !loaded.code.is_empty()));
        for _ in 0..40 {
            check(&mut host, &bytes, &mut random, &mut tally);
        }
    }
    assert_eq!(tally.unsupported + tally.rejected, 0, "all of it is supported");
    assert!(tally.signals > 100, "{} signals", tally.signals);
}

#[test]
fn safe_programs_that_the_kernel_has_not_are_no_unsafe_ones() {
    let Some(mut host) = host() else { return };
    let mut random = Random(7);
    for source in UNSUPPORTED {
        let bytes = compile(source).encode();
        assert!(load(&bytes, registry()).is_ok(), "{source}");
        let mut tally = Tally::default();
        check(&mut host, &bytes, &mut random, &mut tally);
        assert_eq!((tally.unsupported, tally.rejected, tally.accepted), (1, 0, 0), "{source}");
    }
}

#[test]
fn changed_programs_are_judged_and_run_alike() {
    let Some(mut host) = host() else { return };
    let mut tally = Tally::default();
    let programs: Vec<Program> = PROGRAMS.iter().map(|source| compile(source)).collect();
    let mut random = Random(0x1234_5678_9abc_def1);
    for round in 0..20_000 {
        let mut program = programs[round % programs.len()].clone();
        for _ in 0..1 + random.below(3) {
            mutate(&mut program, &mut random);
        }
        let bytes = program.encode();
        check(&mut host, &bytes, &mut random, &mut tally);
    }
    assert!(tally.accepted > 2_000, "only {} of 20,000 were accepted", tally.accepted);
    assert!(tally.rejected > 2_000, "only {} of 20,000 were rejected", tally.rejected);
}

#[test]
fn changed_bytes_are_judged_alike() {
    let Some(mut host) = host() else { return };
    let mut tally = Tally::default();
    let mut unsafe_ones = 0;
    let programs: Vec<Vec<u8>> = PROGRAMS.iter().map(|source| compile(source).encode()).collect();
    let mut random = Random(0xfeed_f00d_1234_5671);
    for round in 0..20_000 {
        let mut bytes = programs[round % programs.len()].clone();
        for _ in 0..1 + random.below(2) {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        if random.below(20) == 0 {
            bytes.truncate(random.below(bytes.len()));
        }
        unsafe_ones += u32::from(load(&bytes, registry()).is_err_and(|error| is_unsafe(&error)));
        check(&mut host, &bytes, &mut random, &mut tally);
    }
    assert!(unsafe_ones > 2_000 && tally.accepted > 500, "{unsafe_ones} unsafe, {} accepted", tally.accepted);
}
