//! Constants computed beforehand, exactly as they would be while running.

use super::{Checked, Checker};
use crate::tree::{ArithOp, Expr, ExprKind, Rel};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// Whether nothing is left to compute.
pub(super) fn is_constant(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Float(_) | ExprKind::Enum(..) | ExprKind::Text(_)
    )
}

/// A comparison of two constants.
pub(super) fn compare(rel: Rel, left: &Expr, right: &Expr) -> Option<bool> {
    let order = match (&left.kind, &right.kind) {
        (ExprKind::Int(a), ExprKind::Int(b)) => a.cmp(b),
        (ExprKind::Bool(a), ExprKind::Bool(b)) => a.cmp(b),
        (ExprKind::Enum(_, a), ExprKind::Enum(_, b)) => a.cmp(b),
        (ExprKind::Text(a), ExprKind::Text(b)) => a.cmp(b),
        (ExprKind::Float(a), ExprKind::Float(b)) => return Some(a.compares(rel, *b)),
        _ => return None,
    };
    Some(rel.holds(order))
}

impl Checker<'_, '_> {
    /// Arithmetic on two constants.
    pub(super) fn fold(
        &mut self,
        op: ArithOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Checked<Option<i64>> {
        let (ExprKind::Int(a), ExprKind::Int(b)) = (&left.kind, &right.kind) else {
            if matches!(op, ArithOp::Div | ArithOp::Rem) && matches!(right.kind, ExprKind::Int(0)) {
                return Err(self.division(span));
            }
            return Ok(None);
        };
        let (a, b) = (*a, *b);
        if matches!(op, ArithOp::Div | ArithOp::Rem) && b == 0 {
            return Err(self.division(span));
        }
        let value = match op {
            ArithOp::Add => a.checked_add(b),
            ArithOp::Sub => a.checked_sub(b),
            ArithOp::Mul => a.checked_mul(b),
            ArithOp::Div => a.checked_div(b),
            ArithOp::Rem => a.checked_rem(b),
        };
        value.map(Some).ok_or_else(|| self.overflow(span))
    }

    fn division(&mut self, span: Span) -> super::Reported {
        let fault = Diagnostic::error("overflow", span, "division by zero");
        self.faults.report(fault.label("the divisor is 0"))
    }

    /// A constant that is no `int`.
    pub(super) fn overflow(&mut self, span: Span) -> super::Reported {
        let fault = Diagnostic::error("overflow", span, "this number does not fit into an int");
        self.faults.report(fault.label("an int has 64 bits and a sign: at most 9_223_372_036_854_775_807"))
    }
}
