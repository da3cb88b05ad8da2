//! Expressions with operators.

use super::super::ast::{BinaryOp, Expr, ExprKind as Ast, UnaryOp};
use super::fold;
use super::types::STRING_MAX;
use super::{Checked, Checker, Reported, Typed};
use crate::tree::{self, ArithOp, ExprKind, Precision, Rel, Ty};
use carnet_idl::diagnostic::{Diagnostic, Span};
use carnet_portal::call::Ref;

/// What stands on one side of an operator.
struct Side {
    value: Checked<Typed>,
    span: Span,
}

impl<'a> Checker<'a, '_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &Expr<'a>, span: Span) -> Checked<Typed> {
        match op {
            UnaryOp::Not => {
                let inner = self.expect(operand, &Ty::Bool)?;
                let kind = match inner.kind {
                    ExprKind::Bool(value) => ExprKind::Bool(!value),
                    _ => ExprKind::Not(Box::new(inner)),
                };
                Ok(self.typed(kind, Ty::Bool, span))
            }
            UnaryOp::Neg => {
                // The least int is written as the negation of a number that is none.
                if matches!(operand.kind, Ast::Int(value) if value == 1 << 63) {
                    return Ok(self.typed(ExprKind::Int(i64::MIN), Ty::Int, span));
                }
                let inner = self.value(operand)?;
                if !matches!(inner.ty, Ty::Int | Ty::Float(_)) {
                    return Err(self.mismatch(&inner, &Ty::Int, operand.span));
                }
                let kind = match inner.expr.kind {
                    ExprKind::Int(value) => {
                        ExprKind::Int(value.checked_neg().ok_or_else(|| self.overflow(span))?)
                    }
                    ExprKind::Float(value) => ExprKind::Float(value.negated()),
                    _ => ExprKind::Neg(Box::new(inner.expr)),
                };
                Ok(self.typed(kind, inner.ty, span))
            }
        }
    }

    /// Operators from the left; `span` is all of it.
    pub(super) fn chain(
        &mut self,
        first: &Expr<'a>,
        rest: &[(BinaryOp, Expr<'a>)],
        span: Span,
    ) -> Checked<Typed> {
        let mut left = Side { value: self.value(first), span: first.span };
        for (at, (op, right)) in rest.iter().enumerate() {
            if self.faults.is_full() {
                return Err(Reported);
            }
            let right = Side { value: self.value(right), span: right.span };
            let span = if at + 1 == rest.len() { span } else { first.span.to(right.span) };
            left = Side { value: self.binary(*op, left, right, span), span };
        }
        left.value
    }

    fn binary(&mut self, op: BinaryOp, left: Side, right: Side, span: Span) -> Checked<Typed> {
        match op {
            BinaryOp::And | BinaryOp::Or => self.logic(op, left, right, span),
            BinaryOp::Compare(rel) => self.comparison(rel, left, right, span),
            BinaryOp::Arith(ArithOp::Add) => self.sum(left, right, span),
            BinaryOp::Arith(op) => match (&left.value, &right.value) {
                (Ok(Typed { ty: Ty::Float(_), .. }), Ok(_)) | (Ok(_), Ok(Typed { ty: Ty::Float(_), .. })) => {
                    let (a, b) = self.alike(left, right)?;
                    self.float_arithmetic(op, a, b, span)
                }
                _ => {
                    let (a, b) = (self.side(left, &Ty::Int), self.side(right, &Ty::Int));
                    self.arithmetic(op, a?, b?, span)
                }
            },
        }
    }

    /// Both sides of an operator on floats, of one precision: a constant takes that of the other side.
    fn alike(&mut self, left: Side, right: Side) -> Checked<(Typed, Typed)> {
        let (a, b) = (left.value?, right.value?);
        let ty = match (&a.ty, &b.ty) {
            (Ty::Float(Precision::Single), _) | (_, Ty::Float(Precision::Single)) => {
                Ty::Float(Precision::Single)
            }
            _ => Ty::Float(Precision::Double),
        };
        let a = Typed { expr: self.check_fits(a, &ty, left.span)?, ty: ty.clone() };
        let b = Typed { expr: self.check_fits(b, &ty, right.span)?, ty };
        Ok((a, b))
    }

    fn float_arithmetic(&mut self, op: ArithOp, a: Typed, b: Typed, span: Span) -> Checked<Typed> {
        if op == ArithOp::Rem {
            let message = format!("`%` does not work on {}", self.a_noun(&a.ty));
            let fault = Diagnostic::error("type", span, message);
            return Err(self.faults.report(fault.label("the remainder is one of integers")));
        }
        let kind = match (&a.expr.kind, &b.expr.kind) {
            (ExprKind::Float(a), ExprKind::Float(b)) => ExprKind::Float(a.arith(op, *b)),
            _ => ExprKind::arith(op, a.expr, b.expr),
        };
        Ok(self.typed(kind, a.ty, span))
    }

    /// A side of an operator that takes only this type.
    fn side(&mut self, side: Side, ty: &Ty) -> Checked<tree::Expr> {
        self.check_fits(side.value?, ty, side.span)
    }

    fn logic(&mut self, op: BinaryOp, left: Side, right: Side, span: Span) -> Checked<Typed> {
        let (a, b) = (self.side(left, &Ty::Bool), self.side(right, &Ty::Bool));
        let (a, b) = (a?, b?);
        let kind = match (op, &a.kind, &b.kind) {
            (BinaryOp::And, ExprKind::Bool(a), ExprKind::Bool(b)) => ExprKind::Bool(*a && *b),
            (_, ExprKind::Bool(a), ExprKind::Bool(b)) => ExprKind::Bool(*a || *b),
            (BinaryOp::And, ..) => ExprKind::and(a, b),
            _ => ExprKind::or(a, b),
        };
        Ok(self.typed(kind, Ty::Bool, span))
    }

    fn arithmetic(&mut self, op: ArithOp, a: tree::Expr, b: tree::Expr, span: Span) -> Checked<Typed> {
        let kind = match self.fold(op, &a, &b, span)? {
            Some(value) => ExprKind::Int(value),
            None => ExprKind::arith(op, a, b),
        };
        Ok(self.typed(kind, Ty::Int, span))
    }

    /// `+` adds numbers, and joins strings or bytes.
    fn sum(&mut self, left: Side, right: Side, span: Span) -> Checked<Typed> {
        let is_number = |side: &Side, float: bool| match &side.value {
            Ok(value) => matches!(value.ty, Ty::Float(_)) || !float && value.ty == Ty::Int,
            Err(_) => false,
        };
        if is_number(&left, true) && is_number(&right, false)
            || is_number(&left, false) && is_number(&right, true)
        {
            let (a, b) = self.alike(left, right)?;
            return self.float_arithmetic(ArithOp::Add, a, b, span);
        }
        let (a, b) = (left.value?, right.value?);
        match (&a.ty, &b.ty) {
            (Ty::Int, Ty::Int) => self.arithmetic(ArithOp::Add, a.expr, b.expr, span),
            (Ty::Str(m), Ty::Str(n)) => {
                let ty = Ty::Str(STRING_MAX.max(*m).max(*n));
                self.joined(a.expr, b.expr, ty, span)
            }
            (Ty::Bytes(m), Ty::Bytes(n)) => {
                let ty = Ty::Bytes(m.saturating_add(*n).min(Ref::LEN_MAX as u32));
                self.joined(a.expr, b.expr, ty, span)
            }
            (Ty::Str(_), other) | (other, Ty::Str(_)) => {
                let at = if matches!(a.ty, Ty::Str(_)) { right.span } else { left.span };
                let message = format!("{} joined to a string", self.noun(other));
                let fault = Diagnostic::error("type", at, message)
                    .label(format!("found {}, expected string", self.type_text(other)))
                    .help("nothing is converted to text: return numbers in a record, and they are shown as numbers");
                Err(self.faults.report(fault))
            }
            (Ty::Int, _) => Err(self.mismatch(&b, &Ty::Int, right.span)),
            _ => Err(self.mismatch(&a, &Ty::Int, left.span)),
        }
    }

    /// Two texts behind each other; literals side by side become one.
    fn joined(&mut self, a: tree::Expr, b: tree::Expr, ty: Ty, span: Span) -> Checked<Typed> {
        let pieces = |side: tree::Expr| match side.kind {
            ExprKind::Concat(pieces) => pieces,
            _ => vec![side],
        };
        let mut parts = pieces(a);
        // Those before were looked at when they were joined.
        let changed = parts.len() - 1;
        for piece in pieces(b) {
            match (parts.last_mut().map(|last| &mut last.kind), &piece.kind) {
                (Some(ExprKind::Text(last)), ExprKind::Text(more)) => last.extend_from_slice(more),
                _ => parts.push(piece),
            }
        }
        if let Some(ExprKind::Text(text)) = parts[changed..]
            .iter()
            .map(|part| &part.kind)
            .find(|kind| matches!(kind, ExprKind::Text(text) if text.len() > STRING_MAX as usize))
        {
            let fault = Diagnostic::error("too-long", span, "this text is longer than a string may be");
            return Err(self
                .faults
                .report(fault.label(format!("found {} bytes, expected at most {STRING_MAX}", text.len()))));
        }
        let kind = match parts.len() {
            1 => parts.remove(0).kind,
            _ => ExprKind::Concat(parts),
        };
        Ok(self.typed(kind, ty, span))
    }

    fn comparison(&mut self, rel: Rel, left: Side, right: Side, span: Span) -> Checked<Typed> {
        let (left_span, right_span) = (left.span, right.span);
        let is_float = |side: &Side| matches!(&side.value, Ok(Typed { ty: Ty::Float(_), .. }));
        let (a, b) = if is_float(&left) && is_float(&right) {
            self.alike(left, right)?
        } else {
            (left.value?, right.value?)
        };
        let ordered = match (&a.ty, &b.ty) {
            (Ty::Int, Ty::Int) | (Ty::Str(_), Ty::Str(_)) | (Ty::Bytes(_), Ty::Bytes(_)) => true,
            (Ty::Float(a), Ty::Float(b)) if a == b => true,
            (Ty::Bool, Ty::Bool) => false,
            (Ty::Enum(a), Ty::Enum(b)) if a == b => false,
            _ => return Err(self.incomparable(&a, &b, left_span, right_span)),
        };
        if !ordered && !matches!(rel, Rel::Eq | Rel::Ne) {
            let message = format!("{} has no order", self.a_noun(&a.ty));
            let fault = Diagnostic::error("type", span, message);
            return Err(self.faults.report(fault.label("expected `==` or `!=`")));
        }
        let kind = match fold::compare(rel, &a.expr, &b.expr) {
            Some(value) => ExprKind::Bool(value),
            None => ExprKind::Compare(rel, Box::new(a.expr), Box::new(b.expr)),
        };
        Ok(self.typed(kind, Ty::Bool, span))
    }

    fn incomparable(
        &mut self,
        left: &Typed,
        right: &Typed,
        left_span: Span,
        right_span: Span,
    ) -> super::Reported {
        let (a, b) = (&left.ty, &right.ty);
        let fault = match (a, b) {
            (Ty::Portal(_), _) | (_, Ty::Portal(_)) => {
                let span = if matches!(a, Ty::Portal(_)) { left_span } else { right_span };
                Diagnostic::error("portal", span, "portals are never compared")
                    .label("found a portal, expected a value")
            }
            (Ty::List(..), _) | (Ty::Record(_), _) if a == b => {
                let message = format!("{} cannot be compared as a whole", self.a_noun(a));
                let fault = Diagnostic::error("type", left_span.to(right_span), message);
                match a {
                    ty if self.elements_of(ty).is_some() => fault.help("compare its elements, one by one"),
                    ty if self.is_union(ty) => {
                        fault.help("compare `.case` of both, and what their arms hold, each read by `match`")
                    }
                    Ty::Record(_) => fault.help("compare its fields"),
                    _ => fault.help("compare its elements in a loop"),
                }
            }
            _ => {
                let message = format!("{} compared with {}", self.noun(b), self.a_noun(a));
                let label = format!("found {}, expected {}", self.type_text(b), self.type_text(a));
                let fault = Diagnostic::error("type", right_span, message).label(label);
                match self.comparison_help(left, right) {
                    Some(help) => fault.help(help),
                    None => fault,
                }
            }
        };
        self.faults.report(fault)
    }

    fn comparison_help(&self, left: &Typed, b: &Typed) -> Option<String> {
        let a = &left.ty;
        match (a, &b.ty) {
            (Ty::Int, Ty::Float(_)) => self.mismatch_help(left, &b.ty),
            (Ty::Str(_), Ty::Int) | (Ty::List(..), Ty::Int) => Some("its length is `.len`".to_owned()),
            (Ty::Str(_), Ty::Bytes(_)) | (Ty::Bytes(_), Ty::Str(_)) => {
                Some("string and bytes are different types, and nothing is converted".to_owned())
            }
            _ => self.mismatch_help(b, a),
        }
    }
}
