//! Code memory on the machine that it is made for. The promise that comes with its bytes is kept here by hand.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::sync::atomic::AtomicU32;

use carnet_code::{Code, Frame, Left, Proof, Reach, Sites, layout};

/// `mov rax, [rdi + SLOTS]; mov rax, [rax]; lea rax, [rax + rsi]; ret`: the first word of the table, and the number of the entry.
const FIRST_AND_ENTRY: [u8; 12] =
    [0x48, 0x8b, 0x47, layout::SLOTS as u8, 0x48, 0x8b, 0x00, 0x48, 0x8d, 0x04, 0x30, 0xc3];

/// Mappings of nothing that is named, with these rights.
fn anonymous(rights: &str) -> usize {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the system lists our mappings");
    maps.lines().filter(|line| line.split_whitespace().count() == 5 && line.contains(rights)).count()
}

/// One test, since mappings are those of all threads.
#[test]
fn code_is_executable_and_not_writable_until_it_is_dropped() {
    assert_eq!(anonymous(" r-xp "), 0);
    let code = Code::new(Proof::of_translation(), &FIRST_AND_ENTRY, Reach { words: 1, sites: 0 })
        .expect("memory for code");
    assert_eq!((anonymous(" r-xp "), anonymous(" rwxp ")), (1, 0));
    assert_eq!(code.len(), FIRST_AND_ENTRY.len());
    let interrupt = AtomicU32::new(0);
    let (sites, left) = (Sites::<(), (), ()>::default(), Left { fuel: 9, calls: 9, writes: 9, rounds: 9 });
    let run = |slots: &mut [u64]| code.run(2, &mut Frame::new(slots, &interrupt, &(), &sites, left));
    assert_eq!(run(&mut [40, 7]), 42);
    let short = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&mut [])));
    assert!(short.is_err(), "a variable table that is too short");
    drop(code);
    assert_eq!(anonymous(" r-xp "), 0);
    assert!(Code::new(Proof::of_translation(), &[], Reach::default()).is_err(), "no code at all");
}
