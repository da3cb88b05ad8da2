//! Trees that cannot be compiled, said as faults of their texts.

use crate::compile::{CompileError, Misfit};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// What is said of a text whose tree cannot be compiled: at the word that stands where that shows.
#[must_use]
pub fn not_compiled(text: &str, misfit: &Misfit) -> Diagnostic {
    let Misfit { error, pos } = misfit;
    let line =
        text.split_inclusive('\n').take((pos.line as usize).saturating_sub(1)).map(str::len).sum::<usize>();
    let rest = |at: usize| text.get(at..).unwrap_or_default();
    let at = line + (pos.col as usize).saturating_sub(1);
    let at = at + rest(at).len() - rest(at).trim_start_matches([' ', '\t']).len();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let span = Span::new(at, at + rest(at).find(|c| !is_word(c)).unwrap_or(rest(at).len()).max(1));
    let fault = match error {
        CompileError::TooLarge(..) => {
            Diagnostic::error("too-large", span, error.to_string()).label("the limit is reached here")
        }
        CompileError::Unsupported(what) => Diagnostic::unsupported("unsupported", span, *what),
    };
    fault.help(error.help())
}
