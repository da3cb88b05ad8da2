//! Constant expressions: 128-bit while computing, so that only the result can be out of range.

use super::{Checker, Meaning, Wanted};
use crate::descriptor::Type;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Expr, ExprKind, Operator, TypeSpec};

impl<'a> Checker<'a> {
    /// The value of a constant of type `ty`.
    pub(super) fn constant(&mut self, ty: &'a TypeSpec, value: &'a Expr) -> Option<i128> {
        let Type::Int { bits, signed } = self.ty(ty)? else {
            let fault = Diagnostic::unsupported("constant", ty.span, "constants other than integers");
            self.faults.push(fault);
            return None;
        };
        let bits = u32::from(bits);
        let number = self.value(value)?;
        let (least, most) =
            if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
        if (least..=most).contains(&number) {
            return Some(number);
        }
        let fault = Diagnostic::error("constant-range", value.span, "this does not fit the constant's type");
        self.faults.push(fault.label(format!("found {number}, expected {least} to {most}")));
        None
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, expr: &'a Expr) -> Option<i128> {
        match &expr.kind {
            ExprKind::Int(value) => Some(i128::from(*value)),
            ExprKind::Negative(inner) => Some(-self.value(inner)?),
            ExprKind::Name(name) => match self.lookup(name, "unknown-constant", Wanted::Constant) {
                Meaning::Const(value) => Some(value),
                Meaning::Failed => None,
                _ => {
                    let message = format!("`{}` is no constant", name.text);
                    let fault = Diagnostic::error("not-a-constant", name.span, message);
                    self.faults.push(fault.label("expected a number or the name of a constant"));
                    None
                }
            },
            ExprKind::Binary { operator, left, right } => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let value = calculate(*operator, left, right).filter(|v| in_range(*v));
                if value.is_none() {
                    let message = "this cannot be computed in 64 bits";
                    self.faults.push(Diagnostic::error("constant-range", expr.span, message));
                }
                value
            }
        }
    }
}

/// Every 64-bit number, signed or not. Keeps what comes before it in bounds, too.
fn in_range(value: i128) -> bool {
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value)
}

fn calculate(operator: Operator, left: i128, right: i128) -> Option<i128> {
    let shift = u32::try_from(right).ok().filter(|shift| *shift < 64);
    match operator {
        Operator::Or => Some(left | right),
        Operator::ShiftLeft => left.checked_mul(1_i128 << shift?),
        Operator::ShiftRight => Some(left >> shift?),
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide => left.checked_div(right),
    }
}
