//! Lists within other values: records of their bytes in the tree, and lists wherever a program names one.

use super::{Checked, Checker, Typed};
use crate::tree::{self, ExprKind, Mutability, RecordId, Stmt, StmtKind, Ty};
use carnet_idl::diagnostic::{Diagnostic, Span};

use super::super::faults::Reported;

impl Checker<'_, '_> {
    /// The type of a part of a value: a list is bytes there.
    pub(super) fn part_type(&mut self, ty: Ty, span: Span) -> Checked<Ty> {
        match ty {
            Ty::List(of, max) => {
                let new = self.tables.packed(*of, max);
                self.imported(new, span).map(Ty::Record)
            }
            ty => Ok(ty),
        }
    }

    /// The type that a part of a value has for the program.
    pub(super) fn seen<'t>(&'t self, ty: &'t Ty) -> &'t Ty {
        self.tables.list_of(ty).unwrap_or(ty)
    }

    /// A part of a value, as the program sees it.
    pub(super) fn unpacked(&self, part: Typed) -> Typed {
        let Some(list) = self.tables.list_of(&part.ty) else { return part };
        let pos = part.expr.pos;
        let bytes = tree::Expr { pos, kind: ExprKind::Field(Box::new(part.expr), 0) };
        Typed {
            expr: tree::Expr { pos, kind: ExprKind::As(list.clone(), Box::new(bytes)) },
            ty: list.clone(),
        }
    }

    /// A list that fits as a part of a value, as that has it.
    pub(super) fn packed(&mut self, list: Typed, id: RecordId, span: Span) -> Checked<tree::Expr> {
        let (pos, record) = (list.expr.pos, &self.tables.records[id.index()]);
        let (Some(wanted), Some((_, bytes))) = (record.list.clone(), record.fields.first().cloned()) else {
            return Err(Reported);
        };
        // What is a part already stays the bytes that it is.
        let value = match list.expr.kind {
            ExprKind::As(of, bytes) if of == wanted && matches!(bytes.kind, ExprKind::Field(_, 0)) => {
                let ExprKind::Field(part, _) = bytes.kind else { return Err(Reported) };
                return Ok(*part);
            }
            kind => tree::Expr { pos, kind },
        };
        let pack = |value| {
            let bytes = ExprKind::As(bytes.clone(), Box::new(value));
            ExprKind::Record(id, vec![tree::Expr { pos, kind: bytes }])
        };
        let (Ty::List(_, most), Ty::List(_, max)) = (&list.ty, &wanted) else { return Err(Reported) };
        if most <= max {
            return Ok(tree::Expr { pos, kind: pack(value) });
        }
        // One of more elements ends the run here, as it does where it is copied into such a list.
        let var = self.new_var("(list)", wanted.clone(), Mutability::Fixed, span)?;
        let first = Stmt { pos: self.pos(span), kind: StmtKind::Let { var, value } };
        let value = self.typed(pack(self.var(var, span).expr), Ty::Record(id), span);
        self.inline(vec![first], value, span).map(|value| value.expr)
    }

    /// A part of a list within another value that would be changed.
    pub(super) fn list_changed(&mut self, span: Span) -> Reported {
        let fault = Diagnostic::error("fixed", span, "a list within another value changes as a whole")
            .label("found a part of it, expected the variable, element or field that it is in")
            .help(
                "take it out, change that, and put it back: `var all = x.all`, `all.add(…)`, `x.all = all`",
            );
        self.faults.report(fault)
    }
}
