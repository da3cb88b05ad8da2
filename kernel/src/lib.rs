//! Programs that the Linux kernel runs (CompositeCall, "Applying CompositeCall on Linux"): the module's other half.
//!
//! ```text
//! services/linux/linux.idl ── table ──► carnet_operations.c ─┐
//! bytecode ─────────────────────────────────────────────────┼─► /dev/carnet: carnet_verify.c, carnet_interp.c, carnet_main.c
//! arguments ── Memory: variables, arena ─────────────────────┘          │
//! result, receipt ◄── Outcome ◄─────────────────────────────────────────┘
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`table()`] | the interface, as verifier and interpreter in C read it |
//! | [`Memory`] | what a program needs of its caller: variables, and the arena with its texts |
//! | [`Outcome`], [`End`] | what became of a run |
//! | [`here`] | the same program run in the kernel, or where that has no module by the interpreter of this process |
//! | [`messages`] | what is said of error numbers, here and in the kernel |
//!
//! `carnet.h` beside is what kernel and callers agree on; `carnet_user.h` is this library for C.

pub mod here;
mod memory;
mod outcome;
mod table;

pub use memory::{Memory, Misfit};
pub use outcome::{End, FaultKind, Outcome};
pub use table::table;

/// The device of the module.
pub mod device {
    pub use carnet_device::{Answer, Device, Fault, Name, Raw, give};
}

/// The rule that a rejected program breaks, in a word: `enum carnet_rule`.
#[must_use]
pub fn rule(number: u16) -> &'static str {
    const RULES: [&str; 15] = [
        "none",
        "format",
        "table",
        "end",
        "operation",
        "operands",
        "type",
        "branch",
        "loop",
        "no-limit",
        "register",
        "repeat",
        "block",
        "interface",
        "size",
    ];
    RULES.get(usize::from(number)).copied().unwrap_or("unknown")
}

/// What is said of each error number.
#[must_use]
pub fn messages() -> &'static [&'static str] {
    &carnet_linux::errno::TEXTS
}
