//! Runs Java class files: interpreter, heaps, threads and limits.
//!
//! ```text
//! class path ─ classes ─► Universe ── shared: classes, methods, operations, translated once ──┐
//!                                                                                            ▼
//!                       Domain ── heap, statics, strings, monitors, threads, limits ──► interpret
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`universe`] | classes by name; resolution and access |
//! | [`class`] | classes, fields and methods as they are linked |
//! | [`code`] | operations on registers, and the translation to them |
//! | [`interpret`] | the loop that runs them |
//! | [`domain`] | what runs: heap, threads, monitors, initialization, limits |
//! | [`heap`], [`collect`] | objects, and the collector |
//! | [`thread`] | registers, frames, what is waited for |
//! | [`native`] | methods that are ours |
//! | [`dynamic`] | call sites of `invokedynamic` |
//! | [`boot`] | from nothing to `main` |
//! | `account` | who pays for classes |
//! | [`io`] | standard input, output and error |
//!
//! A reference is a number that the heap checks; nothing here is unsafe code, and a mistake in this crate ends a domain with
//! [`Ended::Internal`](domain::Ended::Internal) and reaches no other.

mod account;
pub mod boot;
pub mod class;
pub mod code;
pub mod collect;
pub mod domain;
mod dynamic;
pub mod heap;
pub mod interpret;
pub mod io;
pub mod native;
mod sparse;
pub mod symbol;
pub mod table;
pub mod thread;
pub mod universe;
