//! What is short in a text and long in its tree. It is counted by what it is, since that is what a message speaks of.

use carnet_idl::diagnostic::{Diagnostic, Span};

use super::super::faults::Reported;
use super::{Checked, Checker};

/// Nodes that all of it may add to a program.
const NODES_MAX: usize = 100_000;

/// What is written out.
#[derive(Clone, Copy)]
pub(super) enum Growth {
    /// Bodies of functions.
    Functions,
    /// Texts of constants.
    Texts,
    /// Fields that are left out.
    Fields,
    /// Words of unions, and cases of their arms.
    Unions,
    /// Elements of arrays.
    Elements,
}

impl Growth {
    const ALL: [Growth; 5] =
        [Growth::Functions, Growth::Texts, Growth::Fields, Growth::Unions, Growth::Elements];

    /// When a program grows by it, and what is to be done.
    fn told(self) -> (&'static str, &'static str) {
        match self {
            Growth::Functions => (
                "its functions are expanded",
                "every call of a `fn` copies its body: call it in a loop, or at fewer places",
            ),
            Growth::Texts => (
                "the texts of its constants are put where they are named",
                "every use of a `const` copies its text: give it to a variable with `let`, and name that",
            ),
            Growth::Fields => (
                "fields that are left out are filled in",
                "every record that is made gets all its fields: make it once, or in a loop",
            ),
            Growth::Unions => (
                "its unions are written out",
                "every `match` asks for the cases of its arms, and what it reads or makes of a union has all words of that: \
                 do it in a loop, or at fewer places",
            ),
            Growth::Elements => (
                "elements of its arrays are chosen",
                "an element whose number is computed is a choice among all of them: choose in a loop, or at fewer places",
            ),
        }
    }
}

/// Nodes that were added so far, of each kind.
#[derive(Default)]
pub(super) struct Grown([usize; Growth::ALL.len()]);

impl Grown {
    fn nodes(&self) -> usize {
        self.0.iter().fold(0, |sum, nodes| sum.saturating_add(*nodes))
    }

    pub(super) fn is_too_much(&self) -> bool {
        self.nodes() > NODES_MAX
    }

    /// What most of it is.
    fn most(&self) -> Growth {
        Growth::ALL.into_iter().rev().max_by_key(|of| self.0[*of as usize]).unwrap_or(Growth::Functions)
    }
}

impl Checker<'_, '_> {
    /// Counts what is copied into the tree from elsewhere.
    pub(super) fn charge(&mut self, of: Growth, nodes: usize, span: Span) -> Checked<()> {
        let was_too_much = self.grown.is_too_much();
        let count = &mut self.grown.0[of as usize];
        *count = count.saturating_add(nodes);
        if !self.grown.is_too_much() {
            return Ok(());
        }
        if was_too_much {
            return Err(Reported);
        }
        let (when, help) = self.grown.most().told();
        let fault = Diagnostic::error("too-large", span, format!("the program grows too large when {when}"));
        Err(self.faults.report(fault.label("the limit is reached here").help(help)))
    }
}
