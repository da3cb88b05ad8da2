//! The interface compiler (in work).
mod build;
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
pub use encoding::{DecodeError, decode, encode};
pub use rust::generate_rust;

use descriptor::Module;
use diagnostic::{Diagnostic, Span};

/// Compiles the text of an interface file.
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
