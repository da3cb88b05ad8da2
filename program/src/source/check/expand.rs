//! Functions in line: a call is a copy of the checked body with variables of its own.
//!
//! Growth is bounded by [`charge`](Checker::charge), nesting by [`DEPTH_MAX`].

use super::super::ast::Arg;
use super::growth::Growth;
use super::tables::Slots;
use super::values::Worth;
use super::walk::{Id, walk_block};
use super::{Checked, Checker, DEPTH_MAX, Raise, Unit};
use crate::tree::{Block, Expr, ExprKind, Inline, Mutability, Stmt, StmtKind, Ty, Var, VarId};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// A function that was checked.
#[derive(Debug)]
pub(super) struct Template {
    name: String,
    slots: Slots,
    result: Option<Ty>,
    /// The parameters come first.
    vars: Vec<Var>,
    started: Option<VarId>,
    body: Block,
    raises: Vec<Raise>,
    /// An operation in it that raises what none can catch.
    uncaught: Option<String>,
    /// Size of the body.
    nodes: usize,
    /// How deep the body nests.
    depth: u32,
}

impl Template {
    pub(super) fn new(
        name: &str,
        unit: Unit<'_>,
        slots: Slots,
        result: Option<Ty>,
        mut body: Block,
    ) -> Template {
        let mut nodes = unit.vars.len() + slots.len();
        walk_block(&mut body, &mut |id| {
            if let Id::Node(size) = id {
                nodes += size;
            }
        });
        Template {
            name: name.to_owned(),
            slots,
            result,
            vars: unit.vars,
            started: unit.started,
            body,
            raises: unit.raised,
            uncaught: unit.uncaught,
            nodes,
            depth: unit.deepest,
        }
    }
}

impl<'a> Checker<'a, '_> {
    /// A call of a function.
    pub(super) fn expand(&mut self, template: &Template, args: &[Arg<'a>], span: Span) -> Checked<Worth> {
        let bound = self.bind(&template.name, &template.slots, args, span)?;
        let given = self.check_all_given(&template.name, &template.slots, &bound, span);
        let values = self.evaluate(&template.slots, &bound)?;
        given?;
        self.charge(Growth::Functions, template.nodes, span)?;
        self.check_depth(template, span)?;
        let vars = self.copied_vars(template, span)?;
        let pos = self.pos(span);
        let mut stmts = vec![];
        let mut is_given = vec![false; template.slots.len()];
        for (slot, value) in values {
            is_given[slot] = true;
            stmts.push(Stmt { pos: value.pos, kind: StmtKind::Let { var: vars[slot], value } });
        }
        for (at, slot) in template.slots.iter().enumerate().filter(|(at, _)| !is_given[*at]) {
            let Some(default) = &slot.default else { continue };
            let value = Expr { pos, kind: default.expr.kind.clone() };
            stmts.push(Stmt { pos, kind: StmtKind::Let { var: vars[at], value } });
        }
        let mut body = template.body.clone();
        walk_block(&mut body, &mut |id| {
            if let Id::Var(var) = id {
                *var = vars[var.index()];
            }
        });
        stmts.append(&mut body.stmts);
        for raise in &template.raises {
            self.raise(*raise);
        }
        if template.uncaught.is_some() {
            self.unit.uncaught.clone_from(&template.uncaught);
        }
        let result = match &template.result {
            Some(ty) => Some(self.new_var("(result)", ty.clone(), Mutability::Changes, span)?),
            None => None,
        };
        let inline = Inline { result, body: Block { stmts } };
        Ok((Expr { pos, kind: ExprKind::Inline(Box::new(inline)) }, template.result.clone()))
    }

    fn check_depth(&mut self, template: &Template, span: Span) -> Checked<()> {
        let depth = self.unit.depth + template.depth + 2;
        if depth > DEPTH_MAX {
            let fault = Diagnostic::error(
                "too-deep",
                span,
                "the program nests too deep when its functions are expanded",
            );
            return Err(self.faults.report(fault.help("call the function in a statement of its own")));
        }
        self.unit.deepest = self.unit.deepest.max(depth);
        Ok(())
    }

    /// Variables for a copy: new ones, but `started` is the same everywhere.
    fn copied_vars(&mut self, template: &Template, span: Span) -> Checked<Vec<VarId>> {
        let mut vars = Vec::with_capacity(template.vars.len());
        for (at, var) in template.vars.iter().enumerate() {
            let is_started = template.started.is_some_and(|started| started.index() == at);
            vars.push(if is_started {
                self.started(span)?
            } else {
                self.new_var(&var.name, var.ty.clone(), var.mutability, span)?
            });
        }
        Ok(vars)
    }
}
