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
//! | [`descriptor`] | the module: names, types, modes, effects, layouts, hashes |
//! | [`encode`], [`decode`] | modules as bytes; those of a peer are hostile |
//! | [`generate_rust`], [`build`] | the Rust back end, and its door for build scripts |
//! | [`diagnostic`] | faults for people; the program compiler uses it, too |
//! | [`limits`] | how large things may be |
//! | `lexer`, `parser`, `syntax` | the front end; `parser.rs` has the grammar |
//! | `check` | the rules, each with a code and a case in `tests/cases/faults` |
//! | `verify` | the same rules for modules that come as bytes |
//! | `hash`, `size` | stable hashes; words of types |
//!
//! The language is so much of OMG IDL 4.2 as files need: module, interface without inheritance, operations, enum,
//! struct, exception, typedef, const, bounded strings and sequences, annotations. What is known but missing is
//! reported as "not supported yet", which is not an error of the text. Stub model: IDL4, section 3.
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

mod build;
mod c;
mod check;
pub mod descriptor;
pub mod diagnostic;
mod encoding;
mod faults;
mod hash;
mod lexer;
pub mod limits;
mod parser;
mod rust;
mod size;
mod syntax;
mod verify;

pub use build::build;
pub use c::{C_RUNTIME, CUnsupported, generate_c};
pub use encoding::{DecodeError, decode, encode};
pub use rust::generate_rust;

use descriptor::Module;
use diagnostic::{Diagnostic, Span};

/// Compiles the text of an interface file; `name` is used in messages only.
///
/// Costs no more than the text is long, whatever it holds.
///
/// # Errors
/// All faults of the text, in order of their places; at most [`limits::FAULTS_MAX`].
pub fn compile_str(name: &str, text: &str) -> Result<Module, Vec<Diagnostic>> {
    if text.len() > limits::TEXT_MAX {
        let message = format!("{name} is too large");
        let label = format!("found {} bytes, expected at most {}", text.len(), limits::TEXT_MAX);
        return Err(vec![Diagnostic::error("file-size", Span::new(0, 0), message).label(label)]);
    }
    let (file, mut faults) = parser::parse(text);
    let module = file.map(|file| check::check(&file, &mut faults));
    match module {
        Some(module) if faults.is_empty() => Ok(module),
        _ => Err(faults.into_list()),
    }
}
