//! Names of variables, from their declaration to the end of their block.
//!
//! Since nothing shadows, one map holds all that are visible. Names that ended are remembered for messages.

use super::super::ast::Name;
use super::{Checked, Checker};
use crate::tree::{Mutability, Ty, VarId};
use carnet_idl::diagnostic::{Diagnostic, Span};
use std::collections::HashMap;

/// What declared a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// `let`.
    Let,
    /// `var`.
    Var,
    /// A parameter.
    Param,
    /// A loop.
    Loop,
}

impl Held {
    fn mutability(self) -> Mutability {
        match self {
            Held::Var => Mutability::Changes,
            Held::Let | Held::Param | Held::Loop => Mutability::Fixed,
        }
    }
}

/// A visible name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    /// The variable; `None` if its declaration has a fault, or it stands for several.
    pub(super) var: Option<VarId>,
    /// Where the results of a call stand that it is the name of, in [`Unit::parts`](super::Unit::parts).
    pub(super) parts: Option<usize>,
    /// What declared it.
    pub(super) held: Held,
    /// Where.
    pub(super) span: Span,
}

/// Where a block began, for [`Scope::leave`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

/// The visible names.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    locals: HashMap<&'a str, Local>,
    order: Vec<&'a str>,
    ended: HashMap<&'a str, Span>,
}

impl<'a> Scope<'a> {
    /// A block begins.
    pub(super) fn enter(&self) -> Mark {
        Mark(self.order.len())
    }

    /// The block ends, and with it all names since.
    pub(super) fn leave(&mut self, mark: Mark) {
        for name in self.order.drain(mark.0..) {
            if let Some(local) = self.locals.remove(name) {
                self.ended.insert(name, local.span);
            }
        }
    }

    /// Looks a name up.
    pub(super) fn get(&self, name: &str) -> Option<Local> {
        self.locals.get(name).copied()
    }

    /// The declaration of a name that ended.
    pub(super) fn ended(&self, name: &str) -> Option<Span> {
        self.ended.get(name).copied()
    }

    /// The visible names, in order of declaration.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.order.iter().copied()
    }

    /// Makes a name visible.
    pub(super) fn insert(&mut self, name: &'a str, local: Local) {
        if self.locals.insert(name, local).is_none() {
            self.order.push(name);
        }
    }
}

impl<'a> Checker<'a, '_> {
    /// Makes a name visible; with a faulty type it is poisoned.
    pub(super) fn declare(&mut self, name: Name<'a>, ty: Checked<Ty>, held: Held) -> Checked<VarId> {
        if self.check_free(name).is_err() {
            return ty.and_then(|ty| self.new_var(name.text, ty, held.mutability(), name.span));
        }
        let var = ty.and_then(|ty| self.new_var(name.text, ty, held.mutability(), name.span));
        self.unit.scope.insert(name.text, Local { var: var.ok(), parts: None, held, span: name.span });
        var
    }

    /// Reports a name that means something already.
    pub(super) fn check_free(&mut self, name: Name<'a>) -> Checked<()> {
        if let Some(meaning) = match name.text {
            "started" => Some("the time at which the run began"),
            "error" => Some("what failed, in the block of `try … else`"),
            _ => None,
        } {
            let fault =
                Diagnostic::error("shadowing", name.span, format!("`{}` has a meaning already", name.text));
            return Err(self
                .faults
                .report(fault.label(format!("it is {meaning}")).help("choose another name")));
        }
        if let Some(local) = self.unit.scope.get(name.text) {
            let line = self.line(local.span);
            let what = match local.held {
                Held::Param => "parameter",
                Held::Let | Held::Var | Held::Loop => "variable",
            };
            let message = format!("`{}` is a {what} already", name.text);
            let fault = Diagnostic::error("shadowing", name.span, message)
                .label(format!("found a second `{}`, the first is in line {line}", name.text));
            let fault = match local.held {
                Held::Var => fault.help(format!("to change it, write `{} = …`", name.text)),
                _ => fault.help("nothing is shadowed: choose another name"),
            };
            return Err(self.faults.report(fault));
        }
        if self.globals.get(name.text).is_some() {
            return Err(self.shadows(name));
        }
        Ok(())
    }
}
