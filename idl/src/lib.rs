//! The interface compiler: OMG IDL in, descriptors and stubs out.
//!
//! An interface file says what a service can do. Everything else about it (client, service trait,
//! dispatch, what a program may call, what `describe` shows) is made from it here, so that nobody writes a second
//! description by hand.
//!
//! ```text
//! text ─ lexer ─ parser ─► syntax ─ check ─► descriptor::Module ─┬─ rust ─────► client, trait, dispatch
//!                  │                  │         ▲                └─ encoding ─► bytes
//!                  └──── faults ──────┘         └── decode, verify ── bytes of a peer
//!                          └─► diagnostic::render
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`compile_str`] | text to module, or all its faults |
//! | [`Sources`], [`compile`] | a file with all that it includes, to its modules |
//! | [`descriptor`] | the module: names, types, modes, effects, layouts, hashes |
//! | [`encode`], [`decode`] | modules as bytes; those of a peer are hostile |
//! | [`generate_rust`], [`build`] | the Rust back end, and its door for build scripts |
//! | [`generate_c`], [`generate_java`] | the C and the Java back end |
//! | `backend` | what the back ends have in common |
//! | [`MEMORY_IDL`] | an interface that ships with the compiler |
//! | [`format`](format()) | one way to lay a file out |
//! | [`document`](document()) | pages for people |
//! | [`compare`] | which changes keep old callers and programs working |
//! | [`diagnostic`] | faults for people; the program compiler uses it, too |
//! | [`limits`] | how large things may be |
//! | `lexer`, `parser`, `syntax` | the front end; `parser.rs` has the grammar |
//! | `check` | the rules, each with a code and a case in `tests/cases/faults` |
//! | `verify` | the same rules for modules that come as bytes |
//! | `hash`, `size`, `cost` | stable hashes; words of types; what calls have done |
//!
//! The language is OMG IDL 4.2 as interfaces need it; `docs/support/interfaces.md` has the table. What is known but
//! missing is reported as "not supported yet", which is not an error of the text. Stub model: IDL4, section 3.
//!
//! ```
//! let text = "module m { interface Counter { @reads long long value(); }; };";
//! let module = carnet_idl::compile_str("m.idl", text).expect("no faults");
//! assert_eq!(module.interfaces[0].operations[0].layout.words(), 1);
//!
//! let text = "module m { interface Counter { lung value(); }; };";
//! let faults = carnet_idl::compile_str("m.idl", text).expect_err("a fault");
//! let shown = carnet_idl::diagnostic::render("m.idl", text, &faults);
//! assert!(shown.starts_with("error[unknown-type]: there is no type `lung`\n  --> m.idl:1:32\n"));
//! assert!(shown.ends_with("help: did you mean `long`?\n"));
//! ```

mod against;
mod backend;
mod build;
mod c;
mod check;
pub mod cost;
pub mod descriptor;
pub mod diagnostic;
mod document;
mod encoding;
mod faults;
mod format;
mod hash;
mod java;
mod lexer;
pub mod limits;
mod markdown;
mod parser;
mod regular;
mod rust;
mod show;
mod size;
mod sources;
mod syntax;
pub mod syscall;
mod verify;

pub use against::{Change, Files, Verdict, compare, compare_all};
pub use build::build;
pub use c::{C_RUNTIME, generate_c, generate_c_of, is_header_of_others};
pub use document::{Page, document};
pub use encoding::{DecodeError, decode, encode};
pub use format::format;
pub use java::{JAVA_RUNTIME, generate_java};
pub use regular::{open_regular, read_at_most, read_regular};
pub use rust::{generate_rust, generate_rust_of};
pub use sources::{MEMORY_IDL, Sources, is_shipped};

use check::Of;
use descriptor::Module;
use diagnostic::{Diagnostic, Span};

/// Compiles the text of an interface file with one module; `name` is used in messages only.
///
/// Costs no more than the text is long, whatever it holds.
///
/// # Errors
/// All faults of the text, in order of their places; at most [`limits::FAULTS_MAX`].
pub fn compile_str(name: &str, text: &str) -> Result<Module, Vec<Diagnostic>> {
    let mut modules = compile(&Sources::of_text(name, text))?;
    if modules.len() > 1 {
        let message = format!("{name} has {} modules where one is expected", modules.len());
        let fault = Diagnostic::error("several-modules", Span::new(0, 0), message);
        return Err(vec![fault.help("give each a file of its own")]);
    }
    modules.pop().ok_or_else(Vec::new)
}

/// Compiles a file with all that it includes: one descriptor for each module of the file itself, in order. What they
/// use of other modules is in each of them.
///
/// # Errors
/// As [`compile_str`]; [`Sources::render`] shows them.
pub fn compile(sources: &Sources) -> Result<Vec<Module>, Vec<Diagnostic>> {
    compile_of(sources, &Of::Named)
}

/// The same for those modules of the files that it includes which have one of these names.
///
/// # Errors
/// As [`compile_str`]; [`Sources::render`] shows them.
pub fn compile_included(sources: &Sources, names: &[&str]) -> Result<Vec<Module>, Vec<Diagnostic>> {
    compile_of(sources, &Of::Included(names))
}

fn compile_of(sources: &Sources, of: &Of<'_>) -> Result<Vec<Module>, Vec<Diagnostic>> {
    let len = sources.named_bytes();
    if len > limits::TEXT_MAX {
        let name = sources.names().next().unwrap_or_default();
        return Err(vec![sources::too_large(name, len, Span::new(0, 0))]);
    }
    let (tree, mut faults) = parser::parse(sources);
    // What could not be read to the end still says something about the rest.
    let modules = check::check(&tree, of, &mut faults);
    if faults.is_empty() { Ok(modules) } else { Err(faults.into_list()) }
}
