//! What statements change: variables, elements and fields; `add` and `sort`.

use super::super::ast::{Arg, Expr, ExprKind as Ast, Name};
use super::super::faults::Reported;
use super::chosen::Spot;
use super::globals::Global;
use super::scope::Held;
use super::tables::{Slot, Slots};
use super::{Checked, Checker};
use crate::tree::{self, Block, ExprKind, Inline, Place, Stmt, StmtKind, Ty, VarId};
use carnet_idl::diagnostic::{Diagnostic, Span};

impl<'a> Checker<'a, '_> {
    /// Something that an assignment changes, and its type.
    pub(super) fn place(&mut self, expr: &Expr<'a>) -> Checked<Spot> {
        let spot = self.any_place(expr)?;
        let of = &self.unit.vars[spot.place.var.index()].ty;
        let is_element = spot.place.index.is_some() && self.tables.lists_portals(of);
        if is_element || self.tables.lists_portals(&spot.ty) {
            let fault = Diagnostic::error("fixed", expr.span, "a list of portals is only added to")
                .label("found a change, expected `add`");
            return Err(self.faults.report(fault));
        }
        Ok(spot)
    }

    fn any_place(&mut self, expr: &Expr<'a>) -> Checked<Spot> {
        match &expr.kind {
            Ast::Name(text) => {
                let var = self.changeable(Name { text, span: expr.span })?;
                let ty = self.unit.vars[var.index()].ty.clone();
                self.check_not_walked(var, &ty, expr.span)?;
                Ok(Spot::new(Place::var(var), ty))
            }
            Ast::Index(base, index) => self.element_place(base, index, expr.span),
            Ast::Dot(base, name) => self.field_place(base, *name, expr.span),
            _ => Err(self.no_place(expr.span)),
        }
    }

    fn element_place(&mut self, base: &Expr<'a>, index: &Expr<'a>, span: Span) -> Checked<Spot> {
        let Ast::Name(text) = base.kind else {
            let spot = self.place(base)?;
            if self.tables.list_of(&spot.ty).is_some() {
                return Err(self.list_changed(span));
            }
            let Some((of, len)) = self.elements_of(&spot.ty) else { return Err(self.no_place(span)) };
            return Ok(spot.element(self.array_index(index, len)?, of, len, index.span));
        };
        let var = self.changeable(Name { text, span: base.span })?;
        let ty = self.unit.vars[var.index()].ty.clone();
        if let Some((of, len)) = self.elements_of(&ty) {
            let at = self.array_index(index, len)?;
            return Ok(Spot::new(Place::var(var), ty).element(at, of, len, index.span));
        }
        let index = self.expect(index, &Ty::Int);
        let Ty::List(of, _) = ty.clone() else {
            let message = format!("{} has no elements", self.a_noun(&ty));
            let label = format!("found {}, expected a list", self.type_text(&ty));
            return Err(self.faults.report(Diagnostic::error("type", base.span, message).label(label)));
        };
        self.check_not_walked(var, &ty, span)?;
        Ok(Spot::new(Place { var, index: Some(index?), fields: vec![] }, *of))
    }

    fn field_place(&mut self, base: &Expr<'a>, name: Name<'a>, span: Span) -> Checked<Spot> {
        if matches!(base.kind, Ast::Name("error")) && !self.unit.errors.is_empty() {
            let fault = Diagnostic::error("fixed", span, "`error` cannot be changed");
            return Err(self.faults.report(fault.label("found a value, expected a variable")));
        }
        let mut spot = self.place(base)?;
        let ty = spot.ty.clone();
        if name.text == "len" && matches!(ty, Ty::List(..) | Ty::Str(_) | Ty::Bytes(_)) {
            let fault = Diagnostic::error("fixed", name.span, "a length cannot be changed");
            return Err(self
                .faults
                .report(fault.label("found `len`, expected a variable, element or field")));
        }
        let Ty::Record(id) = ty else { return Err(self.unknown_field(&ty, name)) };
        if self.tables.list_of(&ty).is_some() {
            return Err(self.list_changed(name.span));
        }
        if self.is_union(&ty) {
            let fault = Diagnostic::error("fixed", name.span, "a union changes as a whole")
                .label("found a part of it, expected the variable or field that it is in")
                .help(format!("make a new one: `… = {}(…)`", self.type_text(&ty)));
            return Err(self.faults.report(fault));
        }
        let fields = &self.tables.records[id.index()].fields;
        let Some(at) = fields.iter().position(|(field, _)| field == name.text) else {
            return Err(self.unknown_field(&ty, name));
        };
        // A record has at most 1024 fields.
        spot.place.fields.push(at as u16);
        Ok(Spot { ty: fields[at].1.clone(), ..spot })
    }

    fn no_place(&mut self, span: Span) -> Reported {
        let fault = Diagnostic::error("fixed", span, "this cannot be changed");
        self.faults
            .report(fault.label("found a value, expected a variable, an element of a list, or a field"))
    }

    /// A variable that may change.
    fn changeable(&mut self, name: Name<'a>) -> Checked<VarId> {
        let text = name.text;
        let fault = |what: &str| {
            Diagnostic::error("fixed", name.span, format!("`{text}` cannot be changed"))
                .label(what.to_owned())
        };
        let fault = match self.unit.scope.get(text) {
            Some(local) => {
                if local.var.is_none() && local.parts.is_none() {
                    return Err(Reported);
                }
                let line = self.line(local.span);
                match local.held {
                    Held::Var => return local.var.ok_or(Reported),
                    Held::Let if local.parts.is_some() => {
                        fault(&format!("it was declared with `let` in line {line}"))
                            .help("copy the result that is to change into a variable: `var copy = …`")
                    }
                    Held::Let
                        if local.var.is_some_and(|var| {
                            self.tables.lists_portals(&self.unit.vars[var.index()].ty)
                        }) =>
                    {
                        fault(&format!("it was declared with `let` in line {line}"))
                            .help("begin a list that is added to by `var more: list(…)`")
                    }
                    Held::Let => fault(&format!("it was declared with `let` in line {line}"))
                        .help(format!("declare it with `var {text} = …`")),
                    Held::Param => fault("it is a parameter")
                        .help(format!("copy it into a variable: `var my_{text} = {text}`")),
                    Held::Loop => fault("the loop sets it")
                        .help(format!("copy it into a variable: `var my_{text} = {text}`")),
                }
            }
            None => match self.globals.get(text) {
                Some(Global::Const(_)) => fault("it is a constant"),
                Some(Global::Poisoned) => return Err(Reported),
                Some(_) => fault("it is no variable"),
                None if text == "started" => fault("it is the time at which the run began"),
                None => self.undeclared(name),
            },
        };
        Err(self.faults.report(fault))
    }

    fn undeclared(&mut self, name: Name<'a>) -> Diagnostic {
        let fault = self.unknown_name(name);
        match fault.help {
            Some(_) => fault,
            None => fault.help(format!("a new variable is declared by `var {} = …`", name.text)),
        }
    }

    /// A list changes by nothing but `add` while a `for` walks over it.
    fn check_not_walked(&mut self, var: VarId, ty: &Ty, span: Span) -> Checked<()> {
        if !matches!(ty, Ty::List(..)) || !self.unit.loops.contains(&Some(var)) {
            return Ok(());
        }
        let name = self.unit.vars[var.index()].name.clone();
        let fault =
            Diagnostic::error("loop-list", span, format!("`{name}` changes while a `for` walks over it"))
                .label("found a change, expected at most `add`")
                .help("collect the changes in a second list, and make them after the loop");
        Err(self.faults.report(fault))
    }

    /// `list.add(value)`.
    pub(super) fn add(&mut self, list: Name<'a>, args: &[Arg<'a>], span: Span) -> Checked<StmtKind> {
        let var = self.changeable(list)?;
        let Ty::List(of, _) = self.unit.vars[var.index()].ty.clone() else { return Err(Reported) };
        let slots: Slots = [Slot { name: "element".to_owned(), ty: *of, default: None, range: None }].into();
        let bound = self.bind("add", &slots, args, span)?;
        self.check_all_given("add", &slots, &bound, span)?;
        if !self.tables.is_apart(&slots[0].ty) {
            let value = self.expect(&bound[0].1.value, &slots[0].ty)?;
            return Ok(StmtKind::Add { list: var, value });
        }
        let mut stmts = vec![];
        let value = self.added(&bound[0].1.value, &slots[0].ty, &mut stmts)?;
        let add = StmtKind::Add { list: var, value };
        if stmts.is_empty() {
            return Ok(add);
        }
        // What a call gave for it is released at once.
        stmts.push(Stmt { pos: self.pos(span), kind: add });
        let inline = Inline { result: None, body: Block { stmts } };
        let kind = ExprKind::Inline(Box::new(inline));
        Ok(StmtKind::Do(tree::Expr { pos: self.pos(span), kind }))
    }

    /// `sort list by field, …`.
    pub(super) fn sort(&mut self, list: Name<'a>, keys: &[Name<'a>]) -> Checked<StmtKind> {
        let var = self.changeable(list)?;
        let ty = self.unit.vars[var.index()].ty.clone();
        let Ty::List(of, _) = &ty else {
            let fault =
                Diagnostic::error("type", list.span, format!("{} cannot be sorted", self.a_noun(&ty)));
            let label = format!("found {}, expected a list of records", self.type_text(&ty));
            return Err(self.faults.report(fault.label(label)));
        };
        let Ty::Record(record) = **of else {
            let fault = Diagnostic::error("type", list.span, "only lists of records are sorted");
            let label = format!("found {}, expected a list of records", self.type_text(&ty));
            let help =
                "declare a record with one field, e.g. `record Name { text: string }`, and a list of it";
            return Err(self.faults.report(fault.label(label).help(help)));
        };
        if self.tables.lists_portals(&ty) {
            let fault = Diagnostic::error("fixed", list.span, "a list of portals is only added to")
                .label("found `sort`, expected `add`");
            return Err(self.faults.report(fault));
        }
        self.check_not_walked(var, &ty, list.span)?;
        let mut indices = vec![];
        for key in keys {
            let fields = &self.tables.records[record.index()].fields;
            let Some(at) = fields.iter().position(|(field, _)| field == key.text) else {
                return Err(self.unknown_field(of, *key));
            };
            let field = fields[at].1.clone();
            if matches!(field, Ty::Record(_)) {
                let what = if self.tables.list_of(&field).is_some() { "lists" } else { "whole records" };
                let fault = Diagnostic::error("type", key.span, format!("a list is not sorted by {what}"));
                let label =
                    format!("found {}, expected a number, text, truth value or enum", self.type_text(&field));
                return Err(self.faults.report(fault.label(label)));
            }
            if matches!(field, Ty::Float(_)) {
                let fault = Diagnostic::error("type", key.span, "a list is not sorted by floats");
                let label = format!("found {}, which may be no number", self.type_text(&field));
                return Err(self.faults.report(fault.label(label)));
            }
            // A record has at most 1024 fields.
            if indices.contains(&(at as u16)) {
                let fault =
                    Diagnostic::error("duplicate", key.span, format!("`{}` is given twice", key.text));
                return Err(self.faults.report(fault));
            }
            indices.push(at as u16);
        }
        Ok(StmtKind::Sort { list: var, keys: indices })
    }
}
