//! The front end of the program language: source text to a typed [`Tree`].
//!
//! It does no more than that: policies, bounds and the bill are the verifier's, which trusts nothing that
//! was found out here. Messages are part of the product; [`carnet_idl::diagnostic::render`] prints them.
//!
//! ```text
//! bytes ─ decode ─▶ text ─ lexer ─▶ tokens ─ parser ─▶ ast ─ check ─▶ Tree
//! ```
//!
//! | part | what it does |
//! | --- | --- |
//! | [`decode`] | bytes of a file to text, if it is one |
//! | [`read`] | text to a tree or a call array, or all faults; [`parse`]: to a tree |
//! | [`not_compiled`] | what cannot be compiled of a text, as a fault of it |
//! | [`args`] | `name=value` of a command line to values of the program's parameters |
//! | `lexer`, `parser`, `ast` | the text as it was written |
//! | `check` | names, types, constants, functions expanded in line |
//!
//! Source texts are hostile: length, nesting, numbers of things and the growth by expansion are bounded, and
//! the cost is that of the text plus that of what is expanded.

pub mod args;
mod ast;
mod check;
mod faults;
mod lexer;
mod misfits;
mod parser;

use crate::array::Array;
use crate::tree::{Pos, Tree};
use carnet_idl::descriptor::Module;
use carnet_idl::diagnostic::{Diagnostic, Span};
use faults::Faults;
use std::sync::Arc;

pub use misfits::not_compiled;

/// Longer sources are refused.
pub const SOURCE_BYTES_MAX: usize = 256 << 10;

/// What a source text has.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every text has a program, and one value is made of a text"
)]
pub enum Read {
    /// A program.
    Program(Tree),
    /// A call array.
    Array(Box<ArrayProgram>),
}

/// A call array from source text.
#[derive(Clone, Debug)]
pub struct ArrayProgram {
    /// What of it is like a program, in a tree that has no body: name, parameters, type of the result, caps, and tables.
    pub tree: Tree,
    /// The array.
    pub array: Array,
    /// Names of its portal registers.
    pub registers: Vec<String>,
}

/// Makes a tree of source text; `modules` are the interfaces that `use` can name.
///
/// # Errors
/// All faults found, in the order of the text; never none. A call array has no tree.
pub fn parse(text: &str, modules: &[Arc<Module>]) -> Result<Tree, Vec<Diagnostic>> {
    match read(text, modules)? {
        Read::Program(tree) => Ok(tree),
        Read::Array(array) => {
            let message = format!("`{}` is a call array, which has no tree", array.tree.name);
            Err(vec![Diagnostic::error("array", Span::default(), message).label("expected a program")])
        }
    }
}

/// Makes a tree or a call array of source text, as [`parse`].
///
/// # Errors
/// All faults found, in the order of the text; never none.
pub fn read(text: &str, modules: &[Arc<Module>]) -> Result<Read, Vec<Diagnostic>> {
    let mut faults = Faults::default();
    if text.len() > SOURCE_BYTES_MAX {
        return Err(vec![too_large(text.len())]);
    }
    let tokens = lexer::tokens(text, &mut faults);
    let found = parser::file(text, tokens, &mut faults)
        .and_then(|file| check::check(&file, text, modules, &mut faults));
    match found {
        Some(found) if faults.is_empty() => Ok(found),
        _ => Err(faults.into_sorted()),
    }
}

/// Where statements of a program begin, in no order; those of functions at each place where they are used.
#[must_use]
pub fn statements(tree: &Tree) -> Vec<Pos> {
    check::statements(tree)
}

/// For each parameter of the program in `text`, in their order, its default as it is written, if that is an integer: `7d`
/// says more than its nanoseconds. Nothing if the text has faults.
#[must_use]
pub fn written_defaults(text: &str) -> Vec<Option<&str>> {
    let mut faults = Faults::default();
    if text.len() > SOURCE_BYTES_MAX {
        return Vec::new();
    }
    let tokens = lexer::tokens(text, &mut faults);
    let params = parser::file(text, tokens, &mut faults).map(|file| file.program.function.params);
    params.iter().flatten().map(|param| param.default.as_ref()?.written_integer(text)).collect()
}

fn too_large(bytes: usize) -> Diagnostic {
    Diagnostic::error("too-large", Span::default(), "a source text has at most 256 KiB")
        .label(format!("found {bytes} bytes"))
}

/// A file that is no text.
#[derive(Debug)]
pub struct NotText {
    /// The file with replacement characters, to show the fault in.
    pub shown: String,
    /// The fault.
    pub fault: Diagnostic,
}

/// What some editors begin a file with.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of a source file, without a byte order mark before it.
///
/// # Errors
/// If it is not UTF-8, with the place of the first wrong byte.
pub fn decode(bytes: &[u8]) -> Result<&str, Box<NotText>> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let good = error.valid_up_to();
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(SOURCE_BYTES_MAX)]).into_owned();
        let span = Span::new(good, good + 3);
        let found = format!("found byte {:#04x}", bytes[good]);
        let fault = Diagnostic::error("character", span, "a source text is UTF-8")
            .label(found)
            .help("a byte that is no text is written `\\xHH` in a text, e.g. `\"caf\\xe9\"`");
        Box::new(NotText { shown, fault })
    })
}
