//! System calls of Linux as a service (CompositeCall, "Applying CompositeCall on Linux" and "Distributed systems").
//!
//! ```text
//! client ──► server: session, host of programs ──socket──► process of the session: Landlock, seccomp, limits
//!                    single call ────────────────────────► one system call
//!                    program: bytecode, memento ─────────► many system calls, interpreted there
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Linux`], [`Rules`], [`Starter`] | the way in |
//! | [`linux`] | the stubs of the interface, which says which system call each operation is |
//! | [`process`] | the process of a session |
//! | `session` | the server's side of it |
//! | `calls`, `plan` | an operation's block as a system call's arguments, and back |
//! | `layout` | structures as C lays them out |
//! | `ahead`, `pays` | reads of a repeat that are begun together, by io_uring |
//! | `guard` | what the kernel cannot be told to refuse |
//! | [`errno`] | what error numbers mean |
//! | `wire` | what server and process say to each other |
//!
//! * **Descriptors are integers**, and real: those of a process that the session has for itself. It begins with the first call, and ends
//!   when the session has ended and none of its runs is kept.
//! * **A program goes to the process**: its loops cost no crossing but those into the kernel (decision 0030 says why so).
//! * **What a session may do** is said by [`Rules`] and kept by the kernel: directories by Landlock, calls by seccomp, amounts by
//!   limits of the process.
//!
//! What it does not do: processes, signals, mapped memory, Unix sockets, and changing of modes and times by path.

mod ahead;
mod calls;
pub mod errno;
mod guard;
mod layout;
mod pays;
mod plan;
mod policy;
pub mod process;
mod service;
mod session;
mod wire;

pub use carnet_sandbox::{Network, Port, Rights, landlock_version};
pub use policy::{Limits, Rules, Together, WithoutLandlock};
pub use service::{Linux, NotServed, Starter, SturdyLinux};

/// Stubs of the interface `linux.idl`.
pub mod linux {
    include!(concat!(env!("OUT_DIR"), "/linux.rs"));
}
