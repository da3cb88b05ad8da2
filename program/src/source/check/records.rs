//! Records: made of their fields, and what a field is that was left out.

use super::super::ast::Arg;
use super::growth::Growth;
use super::tables::{Slot, Slots};
use super::{Checked, Checker, Typed};
use crate::tree::{self, ExprKind, Float, RecordId, Ty};
use carnet_idl::diagnostic::{Diagnostic, Span};

impl<'a> Checker<'a, '_> {
    /// A record with the given fields; those left out have their default, or are zero or empty.
    pub(super) fn record(
        &mut self,
        id: RecordId,
        slots: &Slots,
        args: &[Arg<'a>],
        span: Span,
    ) -> Checked<Typed> {
        let name = self.tables.records[id.index()].name.clone();
        let bound = self.bind(&name, slots, args, span)?;
        let values = self.evaluate(slots, &bound)?;
        let mut before = vec![];
        let given = self.arranged(slots, values, None, &mut before, span)?;
        self.charge(Growth::Fields, given.iter().filter(|field| field.is_none()).count(), span)?;
        let mut fields = vec![];
        for (slot, value) in slots.iter().zip(given) {
            fields.push(match (value, &slot.default) {
                (Some(value), _) => value,
                (None, Some(default)) => {
                    self.charge_value(&default.expr, span)?;
                    tree::Expr { pos: self.pos(span), kind: default.expr.kind.clone() }
                }
                (None, None) => self.zero(&name, slot, span)?,
            });
        }
        let value = self.typed(ExprKind::Record(id, fields), Ty::Record(id), span);
        if before.is_empty() { Ok(value) } else { self.inline(before, value, span) }
    }

    /// The value of a field that was left out.
    pub(super) fn zero(&mut self, record: &str, slot: &Slot, span: Span) -> Checked<tree::Expr> {
        if let Some(kind) = self.zero_of(&slot.ty, span)? {
            return Ok(tree::Expr { pos: self.pos(span), kind });
        }
        let fault = Diagnostic::error("arguments", span, format!("{record} needs `{}`", slot.name))
            .label(format!("expected `{}: …`, {}", slot.name, self.type_text(&slot.ty)))
            .help(if self.is_union(&slot.ty) {
                "a union has no zero, so it cannot be left out".to_owned()
            } else if let Ty::Portal(_) = slot.ty {
                self.portal_help(&slot.ty)
            } else {
                "an enum has no zero, so it cannot be left out".to_owned()
            });
        Err(self.faults.report(fault))
    }

    fn zero_of(&mut self, ty: &Ty, span: Span) -> Checked<Option<ExprKind>> {
        Ok(Some(match ty {
            Ty::Int => ExprKind::Int(0),
            Ty::Bool => ExprKind::Bool(false),
            Ty::Float(precision) => ExprKind::Float(Float { precision: *precision, word: 0 }),
            Ty::Str(_) | Ty::Bytes(_) => ExprKind::Text(vec![]),
            Ty::Enum(_) | Ty::Portal(_) | Ty::List(..) => return Ok(None),
            ty if self.is_union(ty) => return Ok(None),
            Ty::Record(id) => {
                let slots = self.slots_of(*id);
                self.charge(Growth::Fields, slots.len(), span)?;
                let mut fields = vec![];
                for slot in slots.iter() {
                    let kind = match &slot.default {
                        Some(default) => {
                            self.charge_value(&default.expr, span)?;
                            Some(default.expr.kind.clone())
                        }
                        None => self.zero_of(&slot.ty, span)?,
                    };
                    let Some(kind) = kind else { return Ok(None) };
                    fields.push(tree::Expr { pos: self.pos(span), kind });
                }
                ExprKind::Record(*id, fields)
            }
        }))
    }

    /// Whether a variable of this type can start as zero or empty.
    pub(super) fn has_zero(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Enum(_) | Ty::Portal(_) => false,
            ty if self.is_union(ty) => false,
            Ty::Record(id) => self.tables.records[id.index()].fields.iter().all(|(_, ty)| self.has_zero(ty)),
            _ => true,
        }
    }

    fn charge_value(&mut self, value: &tree::Expr, span: Span) -> Checked<()> {
        match &value.kind {
            ExprKind::Text(text) => self.charge(Growth::Texts, text.len() / 16, span),
            _ => Ok(()),
        }
    }
}
