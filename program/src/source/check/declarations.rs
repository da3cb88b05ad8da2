//! Constants, records, functions and parameters.

use super::super::ast::{Expr, Function, Item, Name, Param};
use super::super::faults::Reported;
use super::expand::Template;
use super::globals::Global;
use super::scope::Held;
use super::tables::{Slot, Slots};
use super::types::BUILT_IN;
use super::{Checked, Checker, Typed, Unit, UnitKind, fold};
use crate::tree::{self, Const, ExprKind, RecordId, Ty};
use carnet_idl::diagnostic::Diagnostic;
use std::collections::HashSet;
use std::rc::Rc;

impl<'a> Checker<'a, '_> {
    /// A declaration before the program.
    pub(super) fn item(&mut self, item: &Item<'a>) {
        let name = item.name();
        self.unit = Unit::new(UnitKind::Constant, None);
        let free = self.check_free(name);
        let global = match item {
            Item::Const(_, value) => self.constant(value).map(|value| Global::Const(Rc::new(value))),
            Item::Record(_, fields) => {
                if free.is_ok() {
                    self.globals.set(name.text, Global::OpeningRecord, Some(name.span));
                }
                self.record_declaration(name, fields).map(|(id, slots)| Global::Record(id, slots))
            }
            Item::Fn(function) => {
                if free.is_ok() {
                    self.globals.set(name.text, Global::OpeningFn, Some(name.span));
                }
                self.function(function).map(|template| Global::Fn(Rc::new(template)))
            }
        };
        if free.is_ok() {
            self.globals.set(name.text, global.unwrap_or(Global::Poisoned), Some(name.span));
        }
    }

    /// A value that is known beforehand.
    pub(super) fn constant(&mut self, value: &Expr<'a>) -> Checked<Typed> {
        let kind = std::mem::replace(&mut self.unit.kind, UnitKind::Constant);
        let checked = self.value(value);
        self.unit.kind = kind;
        let checked = checked?;
        if fold::is_constant(&checked.expr) { Ok(checked) } else { Err(self.not_constant(value.span)) }
    }

    fn default(&mut self, value: &Expr<'a>, ty: &Ty) -> Checked<Typed> {
        let constant = self.constant(value)?;
        let expr = self.check_fits(constant, ty, value.span)?;
        Ok(Typed { expr, ty: ty.clone() })
    }

    fn record_declaration(&mut self, name: Name<'a>, fields: &[Param<'a>]) -> Checked<(RecordId, Slots)> {
        if BUILT_IN.contains(&name.text) {
            let fault =
                Diagnostic::error("shadowing", name.span, format!("`{}` is a type already", name.text));
            self.faults.push(fault.label("found a type of the language").help("choose another name"));
        }
        if fields.is_empty() {
            let fault =
                Diagnostic::error("syntax", name.span, format!("the record `{}` has no fields", name.text));
            self.faults.push(fault.label("expected at least one, e.g. `{ name: string, size: int }`"));
        }
        let mut seen = HashSet::new();
        let mut slots = vec![];
        let mut faulty = None;
        for field in fields {
            if !seen.insert(field.name.text) {
                let message = format!("{} has two fields `{}`", name.text, field.name.text);
                let fault = Diagnostic::error("duplicate", field.name.span, message);
                self.faults.push(fault.label("found it a second time"));
            }
            match self.field(field) {
                Ok(slot) => slots.push(slot),
                Err(reported) => faulty = Some(reported),
            }
        }
        if let Some(reported) = faulty {
            return Err(reported);
        }
        let slots: Slots = slots.into();
        let id = self.new_record(name.text, &slots, name.span)?;
        Ok((id, slots))
    }

    fn field(&mut self, field: &Param<'a>) -> Checked<Slot> {
        let ty = self.type_of(&field.ty)?;
        if let Ty::Portal(_) = ty {
            return Err(self.portal_inside(field.ty.span, "record"));
        }
        let ty = self.part_type(ty, field.ty.span)?;
        let default = field.default.as_ref().map(|value| self.default(value, &ty)).transpose()?;
        Ok(Slot { name: field.name.text.to_owned(), ty, default, range: None })
    }

    fn function(&mut self, function: &Function<'a>) -> Checked<Template> {
        let result = function.result.as_ref().map(|ty| self.type_of(ty)).transpose();
        self.unit =
            Unit::new(UnitKind::Function(function.name.text), result.as_ref().ok().cloned().flatten());
        let slots = self.fn_params(&function.params);
        let (body, end) = self.body(&function.body);
        if let (Ok(Some(_)), Err(close)) = (&result, end) {
            self.missing_return(close);
        }
        let unit = std::mem::replace(&mut self.unit, Unit::new(UnitKind::Constant, None));
        Ok(Template::new(function.name.text, unit, slots?, result?, body))
    }

    /// Parameters of a function, which are its first variables.
    fn fn_params(&mut self, params: &[Param<'a>]) -> Checked<Slots> {
        let mut slots = vec![];
        let mut faulty = None;
        for param in params {
            match self.param(param) {
                Ok((_, slot)) => slots.push(slot),
                Err(reported) => faulty = Some(reported),
            }
        }
        faulty.map_or(Ok(slots.into()), Err)
    }

    fn param(&mut self, param: &Param<'a>) -> Checked<(tree::VarId, Slot)> {
        let ty = self.type_of(&param.ty);
        let var = self.declare(param.name, ty.clone(), Held::Param);
        let ty = ty?;
        let default = match &param.default {
            Some(value) if matches!(ty, Ty::Portal(_)) => {
                let fault = Diagnostic::error("portal", value.span, "a portal has no default value");
                return Err(self.faults.report(fault.label("found a value, expected none")));
            }
            Some(value) => Some(self.default(value, &ty)?),
            None => None,
        };
        Ok((var?, Slot { name: param.name.text.to_owned(), ty, default, range: None }))
    }

    /// Parameters of the program, which a command line gives.
    pub(super) fn program_params(&mut self, params: &[Param<'a>]) -> Checked<Vec<tree::Param>> {
        let mut checked = vec![];
        let mut faulty = None;
        for param in params {
            match self.param(param) {
                Ok((_, slot)) if matches!(slot.ty, Ty::Record(_) | Ty::List(..)) => {
                    let message = format!("a program cannot take {}", self.a_noun(&slot.ty));
                    let label = format!(
                        "found {}, expected a number, text, truth value, enum or portal",
                        self.type_text(&slot.ty)
                    );
                    let fault = Diagnostic::error("type", param.ty.span, message).label(label);
                    faulty = Some(self.faults.report(fault));
                }
                Ok((var, slot)) => {
                    let default = slot.default.and_then(|default| constant_of(default.expr.kind));
                    checked.push(tree::Param { var, default });
                }
                Err(reported) => faulty = Some(reported),
            }
        }
        faulty.map_or(Ok(checked), Err::<_, Reported>)
    }
}

fn constant_of(kind: ExprKind) -> Option<Const> {
    match kind {
        ExprKind::Int(value) => Some(Const::Int(value)),
        ExprKind::Bool(value) => Some(Const::Bool(value)),
        ExprKind::Float(value) => Some(Const::Float(value)),
        ExprKind::Enum(_, value) => Some(Const::Enum(value)),
        ExprKind::Text(text) => Some(Const::Text(text)),
        _ => None,
    }
}
