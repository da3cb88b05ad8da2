//! What a call gives that no value holds: several results, portals or lists among them. Each goes into a variable of its own;
//! a `let` gives all of them one name, in front of the names that the interface has for them: `found.value`, `found.more`.

use std::sync::Arc;

use super::super::ast::{Expr, ExprKind as Ast, Name};
use super::super::faults::{Reported, meant};
use super::calls::OpCall;
use super::groups::Group;
use super::scope::{Held, Local};
use super::tables::Groups;
use super::values::Worth;
use super::{Checked, Checker, Typed};
use crate::import::{Input, within};
use crate::tree::{self, Block, ExprKind, Inline, Mutability, Stmt, StmtKind, Ty, VarId};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// What an expression gives.
pub(super) enum Given {
    /// A value, or nothing.
    Worth(Worth),
    /// Several results of a call.
    Parts(OpCall),
    /// A struct that holds portals.
    Group(Group),
}

/// The results of a call under one name, or what a struct holds.
#[derive(Debug)]
pub(super) struct Parts {
    /// What was called, or the struct.
    pub(super) callee: String,
    pub(super) names: Arc<[Input]>,
    pub(super) groups: Groups,
    /// One for each of the names.
    pub(super) vars: Vec<VarId>,
}

impl Parts {
    /// The variable of this name.
    pub(super) fn var(&self, name: &str) -> Option<VarId> {
        self.names.iter().position(|part| part.name == name).map(|at| self.vars[at])
    }

    /// Those of the group of this name, which is all of them if it has none: each part, the rest of its name and its variable.
    pub(super) fn of_group(&self, group: &str) -> impl Iterator<Item = (&Input, &str, VarId)> {
        let rest = move |name: &'_ str| match group {
            "" => Some(0),
            _ => name.strip_prefix(group)?.starts_with('.').then_some(group.len() + 1),
        };
        let all = self.names.iter().zip(&self.vars);
        all.filter_map(move |(part, var)| Some((part, &part.name[rest(&part.name)?..], *var)))
    }

    /// The variables of these.
    pub(super) fn vars_of(&self, group: &str) -> Vec<VarId> {
        self.of_group(group).map(|(_, _, var)| var).collect()
    }
}

/// Longest name of a variable, in bytes.
const NAME_BYTES_MAX: usize = 255;

impl<'a> Checker<'a, '_> {
    /// An expression, which may be a call without a value, or one of several results.
    pub(super) fn given(&mut self, expr: &Expr<'a>) -> Checked<Given> {
        self.deeper(|checker| {
            if let Ast::Call(callee, args, open) = &expr.kind {
                return checker.call(callee, args, *open, expr.span);
            }
            if let Some(group) = checker.named_group(expr) {
                return Ok(Given::Group(group));
            }
            checker.plain(expr).map(|typed| Given::Worth((typed.expr, Some(typed.ty))))
        })
    }

    /// What a `let` gives this name to: declared, and the variables.
    pub(super) fn declare_parts(&mut self, name: Name<'a>, call: &OpCall) -> Checked<Vec<VarId>> {
        if let Some(ty) = self.portals_alone(call) {
            return Ok(vec![self.declare(name, Ok(ty.clone()), Held::Let)?]);
        }
        self.check_free(name)?;
        let vars = self.part_vars(name.text, &call.parts, name.span)?;
        let (names, groups) = (Arc::clone(&call.parts), Arc::clone(&call.groups));
        let parts = Parts { callee: self.called(call), names, groups, vars: vars.clone() };
        let local = Local { var: None, parts: Some(self.unit.parts.len()), held: Held::Let, span: name.span };
        self.unit.parts.push(parts);
        self.unit.scope.insert(name.text, local);
        Ok(vars)
    }

    pub(super) fn part_vars(&mut self, prefix: &str, parts: &[Input], span: Span) -> Checked<Vec<VarId>> {
        let var = |part: &Input| {
            let whole = format!("{prefix}.{}", part.name);
            let name = if whole.len() <= NAME_BYTES_MAX { &whole } else { prefix };
            self.new_var(name, part.ty.clone(), Mutability::Fixed, span)
        };
        parts.iter().map(var).collect()
    }

    /// `Dir.find`.
    fn called(&self, call: &OpCall) -> String {
        self.tables.op_name(call.call.op)
    }

    /// The statements of a call whose results nobody has named, and the variables that they are in.
    pub(super) fn taken_apart(&mut self, call: OpCall, span: Span) -> Checked<(Vec<Stmt>, Vec<VarId>)> {
        let vars = self.part_vars("(result)", &call.parts, span)?;
        let mut stmts = call.before;
        let kind = StmtKind::LetParts { vars: vars.clone(), call: Box::new(call.call) };
        stmts.push(Stmt { pos: self.pos(span), kind });
        Ok((stmts, vars))
    }

    /// A call whose results nobody wants.
    pub(super) fn parts_for_effect(&mut self, call: OpCall, span: Span) -> Checked<tree::Expr> {
        let (stmts, _) = self.taken_apart(call, span)?;
        let inline = Inline { result: None, body: Block { stmts } };
        Ok(tree::Expr { pos: self.pos(span), kind: ExprKind::Inline(Box::new(inline)) })
    }

    /// `found.more`, of results that have a name, or of a group among them.
    pub(super) fn part_of_name(
        &mut self,
        (parts, path): (usize, String),
        name: Name<'a>,
        span: Span,
    ) -> Checked<Typed> {
        let Parts { callee, names, .. } = &self.unit.parts[parts];
        let part = within(&path, name.text);
        match self.unit.parts[parts].var(&part) {
            Some(var) => Ok(self.unpacked(self.var(var, span))),
            None => {
                let (callee, names) = (callee.clone(), Arc::clone(names));
                Err(self.unknown_part(&callee, &names, name))
            }
        }
    }

    /// `dir.find(…).more`: one result of a call, the others go.
    pub(super) fn part_of_call(&mut self, call: OpCall, name: Name<'a>, span: Span) -> Checked<Typed> {
        if self.portals_alone(&call).is_some() {
            let (stmts, vars) = self.taken_apart(call, span)?;
            let value = self.part(self.var(vars[0], span), name, span)?;
            return self.inline(stmts, value, span);
        }
        let at = self.part_at(&call, name)?;
        if self.tables.lists_portals(&call.parts[at].ty) {
            return Err(self.portals_copied(span));
        }
        let (stmts, vars) = self.taken_apart(call, span)?;
        let value = self.unpacked(self.var(vars[at], span));
        self.inline(stmts, value, span)
    }

    /// Which of the results of a call this is.
    pub(super) fn part_at(&mut self, call: &OpCall, name: Name<'a>) -> Checked<usize> {
        match call.parts.iter().position(|part| part.name == name.text) {
            Some(at) => Ok(at),
            None => {
                let callee = self.called(call);
                Err(self.unknown_part(&callee, &call.parts, name))
            }
        }
    }

    fn unknown_part(&mut self, callee: &str, names: &[Input], name: Name<'a>) -> Reported {
        let text = name.text;
        let fault = Diagnostic::error("unknown-field", name.span, format!("{callee} gives no `{text}`"))
            .label(format!("found `{text}`, expected one of {}", listed(names)));
        if names.iter().any(|part| part.name.starts_with(&format!("{text}."))) {
            return self
                .faults
                .report(fault.help(format!("name the results first: `let r = …`, then `r.{text}`")));
        }
        self.faults.report(match meant(text, names.iter().map(|part| part.name.as_str())) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => fault,
        })
    }

    /// The type of what a call gives, if that is a list of portals, or of structs that hold some, and nothing else.
    pub(super) fn portals_alone<'c>(&self, call: &'c OpCall) -> Option<&'c Ty> {
        match &call.parts[..] {
            [only] if only.name.is_empty() && self.tables.lists_portals(&only.ty) => Some(&only.ty),
            _ => None,
        }
    }

    /// A list of portals where it is no variable's.
    pub(super) fn portals_copied(&mut self, span: Span) -> Reported {
        let fault = Diagnostic::error("portal", span, "a list of portals is no value that can be copied")
            .label("found all of it, expected an element, its length, a loop over it, or a call that takes it")
            .help("name what a call gives by `let all = …`, or begin a list by `var all: list(…)` and add to it");
        self.faults.report(fault)
    }

    /// What a call gives, where it is wanted as an argument: a list of portals is in a variable that exists before.
    pub(super) fn portals_given(
        &mut self,
        expr: &Expr<'a>,
        to: &Ty,
        out: &mut Vec<Stmt>,
    ) -> Checked<tree::Expr> {
        let value = match self.given(expr)? {
            Given::Parts(call) if self.portals_alone(&call).is_some() => {
                let (stmts, vars) = self.taken_apart(call, expr.span)?;
                out.extend(stmts);
                self.var(vars[0], expr.span)
            }
            Given::Parts(call) => return Err(self.several(&call, expr.span)),
            Given::Group(group) => return Err(self.group_alone(&group, expr.span)),
            Given::Worth(worth) => self.with_value(worth, expr.span)?,
        };
        self.check_fits(value, to, expr.span)
    }

    /// Several results where one value is wanted.
    pub(super) fn several(&mut self, call: &OpCall, span: Span) -> Reported {
        if self.portals_alone(call).is_some() {
            return self.portals_copied(span);
        }
        let first = call.parts.first().map_or("value".to_owned(), |part| spelled("r", &part.name));
        let behind = first.trim_start_matches('r');
        let fault =
            Diagnostic::error("results", span, format!("{} gives several results", self.called(call)))
                .label(format!("expected one of {}", listed(&call.parts)))
                .help(format!(
                    "take one behind the call: `(…){behind}`; or all, with `let r = …`, as `{first}`"
                ));
        self.faults.report(fault)
    }

    /// The same of results that have a name.
    pub(super) fn several_named(&mut self, name: Name<'a>, parts: usize) -> Reported {
        let Parts { callee, names, .. } = &self.unit.parts[parts];
        let text = name.text;
        let fault = Diagnostic::error(
            "results",
            name.span,
            format!("`{text}` is the results of {callee}, not one value"),
        )
        .label(format!("expected one of {}", listed_of(text, names)));
        self.faults.report(fault)
    }

    /// Several results in a variable that may change, or of which a type was written.
    pub(super) fn parts_in_var(&mut self, name: Name<'a>, call: &OpCall) -> Reported {
        if self.portals_alone(call).is_some() {
            return self.portals_copied(name.span);
        }
        let text = name.text;
        let message =
            format!("{} gives several results, which no variable holds together", self.called(call));
        let fault = Diagnostic::error("results", name.span, message)
            .label(format!("expected `let {text} = …`, for {}", listed_of(text, &call.parts)));
        self.faults.report(fault)
    }

    /// A list among results that is added to.
    pub(super) fn part_changed(&mut self, of: &Expr<'a>, span: Span) -> Reported {
        let Ast::Name(text) = of.kind else { return Reported };
        let fault = Diagnostic::error("fixed", span, format!("the results in `{text}` cannot be changed"))
            .label("it was declared with `let`")
            .help("copy the one that is to change into a variable: `var copy = …`");
        self.faults.report(fault)
    }

    /// Arguments in another order than the parameters', in an attempt of several results.
    pub(super) fn parts_out_of_order(&mut self, span: Span) -> Reported {
        let message = "arguments are in another order than the parameters, in an attempt of several results";
        let fault = Diagnostic::unsupported("results", span, message);
        self.faults
            .report(fault.help("write them in the order of the parameters, or name their values before"))
    }
}

/// `value` and `more`
pub(super) fn listed(names: &[Input]) -> String {
    shown(names.iter().map(|part| format!("`{}`", spelled("", &part.name))))
}

/// `found.value` and `found.more`
fn listed_of(of: &str, names: &[Input]) -> String {
    shown(names.iter().map(|part| format!("`{}`", spelled(of, &part.name))))
}

/// The way to a part, behind what it is a part of, as it is written: `found.all[1]`.
fn spelled(of: &str, way: &str) -> String {
    let mut text = of.to_owned();
    for step in way.split('.') {
        match step.parse::<u32>() {
            Ok(index) => text += &format!("[{index}]"),
            Err(_) if text.is_empty() => text += step,
            Err(_) => text += &format!(".{step}"),
        }
    }
    text
}

fn shown(names: impl Iterator<Item = String>) -> String {
    names.take(12).collect::<Vec<_>>().join(", ")
}
