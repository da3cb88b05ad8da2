//! Expressions: names, fields, elements.

use super::super::ast::{Expr, ExprKind as Ast, Name};
use super::super::faults::{Reported, meant};
use super::chosen::At;
use super::globals::{Foreign, Global};
use super::growth::Growth;
use super::parts::Given;
use super::types::STRING_MAX;
use super::{Checked, Checker, Typed, UnitKind};
use crate::tree::{self, ExprKind, Inline, Mutability, Stmt, StmtKind, Ty, VarId};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// An expression, and its type if it has a value.
pub(super) type Worth = (tree::Expr, Option<Ty>);

/// What can be done with texts.
const TEXTS: &str = "texts are joined, compared, and tested with starts_with, ends_with and contains; \
                     x.from(n) is what stands in x from byte n on";

impl<'a> Checker<'a, '_> {
    /// An expression that fits where `to` is wanted.
    pub(super) fn expect(&mut self, expr: &Expr<'a>, to: &Ty) -> Checked<tree::Expr> {
        let value = self.value(expr)?;
        self.check_fits(value, to, expr.span)
    }

    /// An expression with a value.
    pub(super) fn value(&mut self, expr: &Expr<'a>) -> Checked<Typed> {
        let worth = self.worth(expr)?;
        self.with_value(worth, expr.span)
    }

    /// The same of one that is checked.
    pub(super) fn with_value(&mut self, worth: Worth, span: Span) -> Checked<Typed> {
        match worth {
            (expr, Some(ty)) => Ok(Typed { expr, ty }),
            (_, None) => {
                let fault = Diagnostic::error("no-value", span, "this call returns nothing");
                Err(self.faults.report(fault.label("expected a value")))
            }
        }
    }

    /// An expression, which may be a call without a value.
    pub(super) fn worth(&mut self, expr: &Expr<'a>) -> Checked<Worth> {
        match self.given(expr)? {
            Given::Worth(worth) => Ok(worth),
            Given::Parts(call) => Err(self.several(&call, expr.span)),
            Given::Group(group) => Err(self.group_alone(&group, expr.span)),
        }
    }

    /// An expression that is no call.
    pub(super) fn plain(&mut self, expr: &Expr<'a>) -> Checked<Typed> {
        let span = expr.span;
        match &expr.kind {
            Ast::Int(value) => match i64::try_from(*value) {
                Ok(value) => Ok(self.typed(ExprKind::Int(value), Ty::Int, span)),
                Err(_) => Err(self.overflow(span)),
            },
            Ast::Text(text) => Ok(self.typed(ExprKind::Text(text.clone()), Ty::Str(STRING_MAX), span)),
            Ast::Float(value) => Ok(self.typed(ExprKind::Float(*value), Ty::Float(value.precision), span)),
            Ast::Bool(value) => Ok(self.typed(ExprKind::Bool(*value), Ty::Bool, span)),
            Ast::Name(text) => self.name(Name { text, span }),
            Ast::Unary(op, operand) => self.unary(*op, operand, span),
            Ast::Chain(first, rest) => self.chain(first, rest, span),
            Ast::Dot(base, name) => self.dot(base, *name, span),
            Ast::Index(base, index) => self.element(base, index, span),
            Ast::Call(..) => self.value(expr),
        }
    }

    /// A node of the tree with its type.
    pub(super) fn typed(&self, kind: ExprKind, ty: Ty, span: Span) -> Typed {
        Typed { expr: tree::Expr { pos: self.pos(span), kind }, ty }
    }

    /// The value of a variable.
    pub(super) fn var(&self, var: VarId, span: Span) -> Typed {
        self.typed(ExprKind::Var(var), self.unit.vars[var.index()].ty.clone(), span)
    }

    // Names.

    fn name(&mut self, name: Name<'a>) -> Checked<Typed> {
        if let Some(local) = self.unit.scope.get(name.text) {
            return match (local.var, local.parts) {
                (_, Some(parts)) => Err(self.several_named(name, parts)),
                (var, None) => var.map(|var| self.unpacked(self.var(var, name.span))).ok_or(Reported),
            };
        }
        if name.text == "started" {
            let var = self.started(name.span)?;
            return Ok(self.var(var, name.span));
        }
        let what = match self.globals.get(name.text).cloned() {
            Some(Global::Const(value)) => {
                if let ExprKind::Text(text) = &value.expr.kind {
                    self.charge(Growth::Texts, text.len() / 16, name.span)?;
                }
                return Ok(self.typed(value.expr.kind.clone(), value.ty.clone(), name.span));
            }
            Some(Global::Poisoned) => return Err(Reported),
            Some(Global::Fn(_) | Global::OpeningFn) => "a function",
            Some(Global::Record(..) | Global::OpeningRecord | Global::Foreign(_) | Global::Ambiguous(..)) => {
                "a type"
            }
            None if self.is_module(name.text) => "an interface file",
            None if name.text == "error" => return Err(self.misplaced_error(name.span)),
            None => {
                let fault = self.unknown_name(name);
                return Err(self.faults.report(fault));
            }
        };
        let fault = Diagnostic::error("type", name.span, format!("`{}` is {what}, not a value", name.text));
        let fault = fault.label(format!("found {what}, expected a value"));
        Err(self.faults.report(match what {
            "a function" => fault.help(format!("call it: `{}(…)`", name.text)),
            _ => fault,
        }))
    }

    /// The variable that holds the time at which the run began.
    pub(super) fn started(&mut self, span: Span) -> Checked<VarId> {
        if let Some(var) = self.unit.started {
            return Ok(var);
        }
        if self.unit.kind == UnitKind::Constant {
            return Err(self.not_constant(span));
        }
        let var = self.new_var("started", Ty::Int, Mutability::Fixed, span)?;
        self.unit.started = Some(var);
        Ok(var)
    }

    /// Something that is known only when the program runs.
    pub(super) fn not_constant(&mut self, span: Span) -> Reported {
        let fault = Diagnostic::error("constant", span, "this is known only when the program runs")
            .label("expected a number, text, truth value or enum, or a constant made of these");
        self.faults.report(fault)
    }

    fn misplaced_error(&mut self, span: Span) -> Reported {
        let fault = if self.unit.errors.is_empty() {
            Diagnostic::error("try", span, "`error` is known only in the block of `try … else`")
                .label("no `try … else` is around this")
        } else {
            Diagnostic::error("try", span, "`error` is no value by itself")
                .label("expected `error.kind` or `error.message`")
        };
        self.faults.report(fault)
    }

    /// A name that means nothing here.
    pub(super) fn unknown_name(&mut self, name: Name<'a>) -> Diagnostic {
        let text = name.text;
        let fault = Diagnostic::error("unknown-name", name.span, format!("there is no `{text}` here"))
            .label(format!("found `{text}`, expected a name that was declared before"));
        if let Some(later) = self.globals.later(text) {
            return fault
                .help(format!("it is declared in line {}: move that up, before its use", self.line(later)));
        }
        if let Some(ended) = self.unit.scope.ended(text) {
            let line = self.line(ended);
            return fault.help(format!(
                "the `{text}` of line {line} ended with its block: declare it before that block"
            ));
        }
        if let Some(module) = self.unused_module_with(text) {
            return fault.help(format!("{module} has it: begin the file with `use {module}`"));
        }
        let mut enums = self.tables.enums.iter();
        if let Some(owner) = enums.find(|of| of.values.iter().any(|value| value == text)) {
            return fault.help(format!("did you mean `{}.{text}`?", owner.name));
        }
        let mut globals: Vec<_> = self.globals.names().collect();
        globals.sort_unstable();
        match meant(text, self.unit.scope.names().chain(["started"]).chain(globals)) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => fault,
        }
    }

    // Parts of values.

    /// What a name, or a name behind that of an interface file, means in the whole file.
    pub(super) fn global(&self, expr: &Expr<'a>) -> Option<Global> {
        match &expr.kind {
            Ast::Name(name) if self.unit.scope.get(name).is_none() => self.globals.get(name).cloned(),
            Ast::Dot(base, name) => match &base.kind {
                Ast::Name(module)
                    if self.unit.scope.get(module).is_none() && self.globals.get(module).is_none() =>
                {
                    self.foreign(module, name.text).map(Global::Foreign)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn dot(&mut self, base: &Expr<'a>, name: Name<'a>, span: Span) -> Checked<Typed> {
        match self.global(base) {
            Some(Global::Foreign(foreign @ Foreign::Enum(..))) => {
                let ty = self.foreign_type(foreign, base.span)?;
                return self.enum_value(ty, name, span);
            }
            Some(Global::Ambiguous(one, other)) => {
                let Ast::Name(text) = base.kind else { return Err(Reported) };
                return Err(self.ambiguous(Name { text, span: base.span }, one, other));
            }
            _ => {}
        }
        if matches!(base.kind, Ast::Name("error")) && !self.unit.errors.is_empty() {
            return self.error_part(name);
        }
        if let Some(parts) = self.parts_path(base) {
            return self.part_of_name(parts, name, span);
        }
        match self.given(base)? {
            Given::Parts(call) => self.part_of_call(call, name, span),
            Given::Group(group) => Err(self.group_alone(&group, base.span)),
            Given::Worth(worth) => {
                let value = self.with_value(worth, base.span)?;
                self.part(value, name, span)
            }
        }
    }

    /// Results of a call that have this name.
    pub(super) fn parts_named(&self, expr: &Expr<'a>) -> Option<usize> {
        let Ast::Name(text) = expr.kind else { return None };
        self.unit.scope.get(text)?.parts
    }

    fn enum_value(&mut self, ty: Ty, name: Name<'a>, span: Span) -> Checked<Typed> {
        let Ty::Enum(id) = ty else { return Err(Reported) };
        let used = &self.tables.enums[id.index()];
        if let Some(at) = used.values.iter().position(|value| value == name.text) {
            // A descriptor's enum has at most 65,536 values.
            return Ok(self.typed(ExprKind::Enum(id, at as u16), ty, span));
        }
        let shown: Vec<_> = used.values.iter().take(12).map(String::as_str).collect();
        let fault = Diagnostic::error(
            "unknown-value",
            name.span,
            format!("{} has no value `{}`", used.name, name.text),
        )
        .label(format!("found `{}`, expected one of {}", name.text, shown.join(", ")));
        let fault = match meant(name.text, used.values.iter().map(String::as_str)) {
            Some(meant) => fault.help(format!("did you mean `{}.{meant}`?", used.name)),
            None => fault,
        };
        Err(self.faults.report(fault))
    }

    fn error_part(&mut self, name: Name<'a>) -> Checked<Typed> {
        let Some((kind, message)) = self.unit.errors.last().copied() else { return Err(Reported) };
        match name.text {
            "kind" => Ok(self.var(kind, name.span)),
            "message" => Ok(self.var(message, name.span)),
            _ => {
                let fault =
                    Diagnostic::error("unknown-field", name.span, format!("`error` has no `{}`", name.text));
                Err(self
                    .faults
                    .report(fault.label(format!("found `{}`, expected `kind` or `message`", name.text))))
            }
        }
    }

    /// A part of a value.
    pub(super) fn part(&mut self, value: Typed, name: Name<'a>, span: Span) -> Checked<Typed> {
        match &value.ty {
            Ty::Record(id) => {
                let fields = &self.tables.records[id.index()].fields;
                let Some(at) = fields.iter().position(|(field, _)| field == name.text) else {
                    return Err(self.unknown_field(&value.ty, name));
                };
                let ty = fields[at].1.clone();
                // A record has at most 1024 fields.
                let field = self.typed(ExprKind::Field(Box::new(value.expr), at as u16), ty, span);
                Ok(self.unpacked(field))
            }
            Ty::Str(_) | Ty::Bytes(_) if name.text == "len" => {
                let kind = match value.expr.kind {
                    ExprKind::Text(text) => ExprKind::Int(text.len() as i64),
                    _ => ExprKind::Len(Box::new(value.expr)),
                };
                Ok(self.typed(kind, Ty::Int, span))
            }
            Ty::List(..) if name.text == "len" => self.with_list(value, span, |checker, list| {
                let list = checker.var(list, span);
                Ok(checker.typed(ExprKind::Len(Box::new(list.expr)), Ty::Int, span))
            }),
            _ => Err(self.unknown_field(&value.ty, name)),
        }
    }

    /// A part that values of this type do not have.
    pub(super) fn unknown_field(&mut self, ty: &Ty, name: Name<'a>) -> Reported {
        let text = name.text;
        let message = match ty {
            Ty::Record(_) => format!("{} has no field `{text}`", self.type_text(ty)),
            _ => format!("{} has no `{text}`", self.a_noun(ty)),
        };
        let fault = Diagnostic::error("unknown-field", name.span, message);
        let fault = match ty {
            Ty::Record(_) if let Some((_, union)) = self.union_of(ty) => {
                let fault =
                    fault.label(format!("found `{text}`, expected `case`, or a `match` of the union"));
                match union.arms.iter().find(|arm| arm.name == text) {
                    Some(_) => fault
                        .help(format!("an arm is read by `match x {{ {text}(value) {{ … }} else {{ }} }}`")),
                    None => fault,
                }
            }
            Ty::Record(id) => {
                let fields = &self.tables.records[id.index()].fields;
                let shown: Vec<_> = fields.iter().take(12).map(|(field, _)| field.as_str()).collect();
                let fault = fault.label(format!("found `{text}`, expected one of {}", shown.join(", ")));
                match meant(text, fields.iter().map(|(field, _)| field.as_str())) {
                    Some(meant) => fault.help(format!("did you mean `{meant}`?")),
                    None => fault,
                }
            }
            Ty::Portal(id) => {
                let interface = self.descriptor(*id);
                let fault = fault.label("a portal has operations, and no fields");
                match meant(text, interface.operations.iter().map(|op| op.name.as_str())) {
                    _ if interface.operation(text).is_some() => {
                        fault.help(format!("to call it, write `{text}(…)`"))
                    }
                    Some(meant) => fault.help(format!("did you mean `{meant}(…)`?")),
                    None => fault,
                }
            }
            Ty::List(..) | Ty::Str(_) | Ty::Bytes(_) => {
                let known = self.members(ty);
                let fault = fault.label(format!("found `{text}`, expected {}", known.join(", ")));
                match meant(text, known.iter().map(|known| known.trim_end_matches("(…)"))) {
                    Some(meant) => fault.help(format!("did you mean `{meant}`?")),
                    None if known.iter().any(|known| known.trim_end_matches("(…)") == text) => {
                        fault.help(format!("to call it, write `{text}(…)`"))
                    }
                    None if matches!(ty, Ty::Str(_) | Ty::Bytes(_)) => fault.help(TEXTS),
                    None => fault,
                }
            }
            _ => fault.label(format!("{} has no parts", self.a_noun(ty))),
        };
        self.faults.report(fault)
    }

    /// What the language gives to values of this type.
    fn members(&self, ty: &Ty) -> &'static [&'static str] {
        match ty {
            Ty::List(..) => &["len", "add(…)"],
            Ty::Str(_) | Ty::Bytes(_) => &["len", "starts_with(…)", "ends_with(…)", "contains(…)", "from(…)"],
            _ => &[],
        }
    }

    fn element(&mut self, base: &Expr<'a>, index: &Expr<'a>, span: Span) -> Checked<Typed> {
        if let Some(parts) = self.parts_path(base) {
            return self.portal_element(parts, index, span);
        }
        let list = match self.given(base)? {
            Given::Parts(call) => return self.portal_of_call(call, index, (base.span, span)),
            Given::Group(group) => return Err(self.group_alone(&group, base.span)),
            Given::Worth(worth) => self.with_value(worth, base.span)?,
        };
        if let Some((of, len)) = self.elements_of(&list.ty) {
            let at = self.array_index(index, len)?;
            if matches!(at, At::Chosen(_)) && self.tables.is_apart(&of) {
                return Err(self.chosen_struct(span));
            }
            let element = self.array_element(list, at, (of, len), span)?;
            return Ok(self.unpacked(element));
        }
        let Ty::List(of, _) = list.ty.clone() else {
            let message = format!("{} has no elements", self.a_noun(&list.ty));
            let fault = Diagnostic::error("type", base.span, message);
            let fault = fault.label(format!("found {}, expected a list", self.type_text(&list.ty)));
            return Err(self.faults.report(match list.ty {
                Ty::Str(_) | Ty::Bytes(_) => fault.help(TEXTS),
                _ => fault,
            }));
        };
        self.with_list(list, span, |checker, list| {
            let index = checker.expect(index, &Ty::Int)?;
            let element = checker.typed(ExprKind::Index(list, Box::new(index)), *of, span);
            Ok(checker.unpacked(element))
        })
    }

    /// Does something with a list variable; a list that is none gets one for the purpose.
    fn with_list(
        &mut self,
        list: Typed,
        span: Span,
        make: impl FnOnce(&mut Self, VarId) -> Checked<Typed>,
    ) -> Checked<Typed> {
        if let ExprKind::Var(list) = list.expr.kind {
            return make(self, list);
        }
        let var = self.new_var("(list)", list.ty, Mutability::Fixed, span)?;
        let first = Stmt { pos: self.pos(span), kind: StmtKind::Let { var, value: list.expr } };
        let value = make(self, var)?;
        self.inline(vec![first], value, span)
    }

    /// A value after some statements.
    pub(super) fn inline(&mut self, mut stmts: Vec<Stmt>, value: Typed, span: Span) -> Checked<Typed> {
        let result = self.new_var("(value)", value.ty.clone(), Mutability::Changes, span)?;
        stmts.push(Stmt { pos: self.pos(span), kind: StmtKind::Leave(Some(value.expr)) });
        let inline = Inline { result: Some(result), body: tree::Block { stmts } };
        Ok(self.typed(ExprKind::Inline(Box::new(inline)), value.ty, span))
    }
}
