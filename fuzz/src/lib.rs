//! Generators and oracles for fuzzing.
//!
//! Everything is drawn from an [`Entropy`], which is a seed or the bytes of a fuzzer, so that a failure replays.
//! An oracle panics when a promise is broken; the message says which.
//!
//! ```text
//! seed or bytes ─ Entropy ─┬─ program: a valid typed tree ─ engines: tree, bytecode, bytecode in slices agree
//!                          ├─ mutate: nearly valid bytecode ─ engines: refused, or within its bill
//!                          ├─ arrays: nearly valid call arrays ─ engines: refused, or within their bill
//!                          ├─ linux: calls and arrays of Linux calls ─ a session: an answer, nothing outside, nothing left
//!                          ├─ texts: nearly valid sources ─ compilers: tree or faults
//!                          ├─ frames: nearly valid messages ─ decoders: message or fault
//!                          ├─ kernel: nearly valid programs of system calls ─ the module's verifier and interpreter agree with ours
//!                          ├─ classes: nearly valid class files ─ verifier: accepted, or faults
//!                          └─ mirror: nearly valid arguments and results ─ generated decoders in Rust and C agree
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`entropy`] | where choices come from |
//! | [`probe`] | a service with every kind of operation, that logs what is done to it |
//! | [`tables`] | the tables of a tree for all of an interface file |
//! | [`program`] | random valid programs |
//! | [`engines`] | runs a program on both interpreters, and compares |
//! | [`arrays`] | random call arrays |
//! | [`linux`] | random calls and call arrays for sessions of Linux calls |
//! | [`mutate`] | random changes of bytecode |
//! | [`trees`] | trees in bytes, and random changes of them |
//! | [`texts`] | random source texts |
//! | [`frames`] | random messages |
//! | [`mirror`] | random arguments and results, and what generated stubs make of them |
//! | [`classes`] | changed Java class files |
//! | [`kernel`] | changed programs of system calls, and what the kernel module's C makes of them |
//! | [`java_programs`] | Java programs, and what HotSpot makes of them |
//! | [`targets`] | one function for each fuzz target, and the list of them |
//! | [`corpus`] | what a fuzzer may begin with |
//! | [`steps`] | counts the work of a case, which must end |
//! | [`watch`] | names a case that runs too long |
//!
//! What it does not do: it needs no fuzzer. The targets for one are in `targets/`, a workspace of their own.

pub mod arrays;
pub mod classes;
pub mod corpus;
pub mod engines;
pub mod entropy;
pub mod frames;
pub mod java_programs;
pub mod kernel;
pub mod linux;
pub mod mirror;
pub mod mutate;
pub mod probe;
pub mod program;
pub mod steps;
pub mod tables;
pub mod targets;
pub mod texts;
pub mod trees;
pub mod watch;
