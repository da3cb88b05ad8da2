//! Programs: calls composed with loops and tests, verified, shipped once, run beside the service (CompositeCall).
//!
//! ```text
//!  source ──► tree ──► compile ──► bytecode ═══ sent ═══► verify ──► interp ──► calls on objects
//!  builder ──┘  └════ sent, if the server takes trees ═══► compile, or eval     host drives runs
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`source`] | text of the program language to a typed tree |
//! | [`builder`] | Rust calls to a typed tree |
//! | [`import`] | descriptors of interfaces to the tables of a tree |
//! | [`tree`] | the high-level program, also in bytes and files |
//! | [`compile`] | tree to bytecode |
//! | [`bytecode`] | the low-level program; the file is its specification |
//! | [`array`] | call arrays, the other kind of low-level program: form, verifier, listing |
//! | [`disasm`] | bytecode as text |
//! | [`verify`] | bytes to a program that can run, or all its faults |
//! | [`float`] | numbers with a fraction, computed the same by all engines |
//! | `form` | which kind of low-level program bytes are |
//! | [`bill`] | upper bounds of what it does, before it runs |
//! | [`limits`] | budgets and where they come from |
//! | [`interp`] | the bytecode interpreter |
//! | [`eval`] | the recursive interpreter of the tree: the oracle, and an engine for trees that were sent |
//! | [`protocol`] | what client and server say about programs |
//! | [`beside`] | runs that go to the process which has their object |
//! | [`host`] | the server's entry point: policy, runs by identity, threads |
//! | [`client`] | the client's side of that |
//! | [`deferred`] | programs that wait until the server can be reached, in files of the client |
//! | `journal` | what runs do and came to, in files that survive the process |
//! | `digest` | a quick hash of bytes |
//! | [`text`] | numbers and names as people read them |
//!
//! What it does not do yet: approval by others.
pub mod array;
pub mod beside;
pub mod bill;
pub mod builder;
pub mod bytecode;
pub mod client;
pub mod compile;
pub mod deferred;
mod digest;
pub mod disasm;
pub mod eval;
pub mod float;
mod form;
pub mod host;
pub mod import;
pub mod interp;
mod journal;
pub mod limits;
pub mod packed;
pub mod protocol;
mod search;
pub mod source;
pub mod text;
pub mod tree;
mod unions;
pub mod verify;
