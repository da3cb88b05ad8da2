//! Constant expressions: 128-bit while computing, so that only the result can be out of range.

use super::{Checker, Meaning, Wanted};
use crate::descriptor::{Type, Value};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::{Expr, ExprKind, Operator, Path, TypeSpec, Unary};

/// What an expression comes to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Result {
    Int(i128),
    Float(f64),
    Bool(bool),
    Char(u8),
    Text(String),
    /// A value of an enum: type and number.
    Enum(Type, u16),
}

impl Result {
    fn noun(&self) -> &'static str {
        match self {
            Result::Int(_) => "an integer",
            Result::Float(_) => "a number with a decimal point",
            Result::Bool(_) => "a boolean",
            Result::Char(_) => "a character",
            Result::Text(_) => "a text",
            Result::Enum(..) => "a value of an enum",
        }
    }
}

/// An integer: as large as a bound may be, which is where expressions stand besides constants.
const BOUND: Type = Type::Int { bits: 32, signed: false };

impl<'a> Checker<'a> {
    /// Type and value of a constant.
    pub(super) fn constant(&mut self, spec: &'a TypeSpec, expr: &'a Expr) -> Option<(Type, Value)> {
        let ty = self.ty(spec)?;
        if !matches!(
            ty,
            Type::Bool
                | Type::Char
                | Type::Int { .. }
                | Type::Float { .. }
                | Type::Enum(_)
                | Type::String { .. }
        ) {
            let message = "a constant is a scalar or a string";
            self.faults.push(Diagnostic::error("constant-type", spec.span, message));
            return None;
        }
        let value = self.value_of(expr, &ty)?;
        Some((ty, value))
    }

    /// The value of `expr` as one of type `ty`.
    pub(super) fn value_of(&mut self, expr: &'a Expr, ty: &Type) -> Option<Value> {
        let result = self.evaluate(expr, ty)?;
        let value = match (ty, &result) {
            (Type::Int { bits, signed }, Result::Int(number)) => {
                return self.integer(expr.span, *number, *bits, *signed).map(Value::Word);
            }
            (Type::Float { bits }, Result::Int(_) | Result::Float(_)) => {
                return self.float(expr.span, &result, *bits).map(Value::Word);
            }
            (Type::Bool, Result::Bool(value)) => Value::Word(u64::from(*value)),
            (Type::Char, Result::Char(value)) => Value::Word(u64::from(*value)),
            (Type::Enum(_), Result::Enum(of, value)) if of == ty => Value::Word(u64::from(*value)),
            (Type::String { max }, Result::Text(text)) if text.len() <= *max as usize => {
                Value::Text(text.clone())
            }
            (Type::String { max }, Result::Text(text)) => {
                let fault =
                    Diagnostic::error("constant-range", expr.span, "this does not fit the constant's type");
                let label = format!("found {} bytes, expected at most {max}", text.len());
                self.faults.push(fault.label(label));
                return None;
            }
            _ => return self.wrong_type(expr.span, &result, &format!("expected {}", noun(ty))),
        };
        Some(value)
    }

    fn integer(&mut self, span: Span, number: i128, bits: u8, signed: bool) -> Option<u64> {
        let bits = u32::from(bits);
        let (least, most) =
            if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
        if !(least..=most).contains(&number) {
            let fault = Diagnostic::error("constant-range", span, "this does not fit the constant's type");
            self.faults.push(fault.label(format!("found {number}, expected {least} to {most}")));
            return None;
        }
        i64::try_from(number).map(i64::cast_unsigned).or(u64::try_from(number)).ok()
    }

    /// The bits of a number as a float.
    fn float(&mut self, span: Span, number: &Result, bits: u8) -> Option<u64> {
        let wide = match number {
            Result::Float(number) => *number,
            // Rounded, as the literal with a decimal point would be.
            Result::Int(number) => *number as f64,
            _ => return None,
        };
        let narrow = wide as f32;
        if bits == 64 {
            return Some(wide.to_bits());
        }
        if !narrow.is_finite() {
            let fault = Diagnostic::error("constant-range", span, "this does not fit the constant's type");
            self.faults.push(fault.label("expected a number that fits in a `float`"));
            return None;
        }
        Some(u64::from(narrow.to_bits()))
    }

    /// The value of an expression that is a bound: an integer.
    pub(super) fn value(&mut self, expr: &'a Expr) -> Option<i128> {
        match self.evaluate(expr, &BOUND)? {
            Result::Int(value) => Some(value),
            other => self.wrong_type(expr.span, &other, "expected an integer"),
        }
    }

    fn wrong_type<T>(&mut self, span: Span, found: &Result, expected: &str) -> Option<T> {
        let fault = Diagnostic::error("constant-type", span, "this is of another type");
        self.faults.push(fault.label(format!("found {}, {expected}", found.noun())));
        None
    }

    /// What `expr` comes to, where a `ty` is wanted: names of enum values and `~` depend on that.
    fn evaluate(&mut self, expr: &'a Expr, ty: &Type) -> Option<Result> {
        match &expr.kind {
            ExprKind::Int(value) => Some(Result::Int(i128::from(*value))),
            ExprKind::Float(value) => Some(Result::Float(*value)),
            ExprKind::Bool(value) => Some(Result::Bool(*value)),
            ExprKind::Char(value) => Some(Result::Char(*value)),
            ExprKind::Text(value) => Some(Result::Text(value.clone())),
            ExprKind::Name(path) => self.constant_named(path, ty),
            ExprKind::Unary { operator, inner } => {
                let value = self.evaluate(inner, ty)?;
                self.unary(*operator, value, ty, expr.span)
            }
            ExprKind::Binary { operator, left, right } => {
                let (left, right) = (self.evaluate(left, ty)?, self.evaluate(right, ty)?);
                self.binary(*operator, &left, &right, expr.span)
            }
        }
    }

    fn constant_named(&mut self, path: &Path, ty: &Type) -> Option<Result> {
        if self.find(path, self.scope).is_none()
            && let Type::Enum(id) = ty
        {
            let named = &self.module.enums[id.index()];
            if let Some(value) = named.values.iter().position(|value| value == path.last()) {
                return Some(Result::Enum(ty.clone(), super::id(value)));
            }
            let values = named.values.clone();
            let message = format!("there is no value `{}`", path.text());
            let fault = Diagnostic::error("unknown-constant", path.span, message);
            let fault = fault.label("expected a value of the enum, or a constant");
            self.faults.push(fault.suggest(path.last(), values.iter().map(String::as_str)));
            return None;
        }
        match self.lookup(path, "unknown-constant", Wanted::Constant) {
            Meaning::Const(ty, value) => Some(result_of(&ty, &value)),
            Meaning::Failed => None,
            _ => {
                let message = format!("`{}` is no constant", path.text());
                let fault = Diagnostic::error("not-a-constant", path.span, message);
                self.faults.push(fault.label("expected a number or the name of a constant"));
                None
            }
        }
    }

    fn unary(&mut self, operator: Unary, value: Result, ty: &Type, span: Span) -> Option<Result> {
        let result = match (operator, &value) {
            (Unary::Plus, Result::Int(_) | Result::Float(_)) => return Some(value),
            (Unary::Negative, Result::Float(value)) => return Some(Result::Float(-value)),
            (Unary::Negative, Result::Int(value)) => -value,
            // All bits of the wanted type: `~0` is the largest unsigned number of it.
            (Unary::Complement, Result::Int(value)) => match ty {
                Type::Int { bits, signed: false } if *value >= 0 => ((1_i128 << bits) - 1) ^ value,
                _ => !value,
            },
            _ => return self.wrong_type(span, &value, "expected a number that this can be done to"),
        };
        self.in_range(Some(result), span)
    }

    fn binary(&mut self, operator: Operator, left: &Result, right: &Result, span: Span) -> Option<Result> {
        let is_division = matches!(operator, Operator::Divide | Operator::Remainder);
        if is_division && matches!(right, Result::Int(0) | Result::Float(0.0)) {
            self.faults.push(Diagnostic::error("division-by-zero", span, "this divides by zero"));
            return None;
        }
        let (left, right) = match (left, right) {
            (Result::Int(left), Result::Int(right)) => {
                return self.in_range(calculate(operator, *left, *right), span);
            }
            (Result::Float(left), Result::Float(right)) => (*left, *right),
            (Result::Int(left), Result::Float(right)) => (*left as f64, *right),
            (Result::Float(left), Result::Int(right)) => (*left, *right as f64),
            (Result::Int(_) | Result::Float(_), other) | (other, _) => {
                return self.wrong_type(span, other, "expected numbers on both sides");
            }
        };
        let value = match operator {
            Operator::Add => left + right,
            Operator::Subtract => left - right,
            Operator::Multiply => left * right,
            Operator::Divide => left / right,
            _ => return self.wrong_type(span, &Result::Float(left), "expected integers on both sides"),
        };
        if !value.is_finite() {
            let message = "this is more than a `double` holds";
            self.faults.push(Diagnostic::error("constant-range", span, message));
            return None;
        }
        Some(Result::Float(value))
    }

    fn in_range(&mut self, value: Option<i128>, span: Span) -> Option<Result> {
        // Every 64-bit number, signed or not. Keeps what comes after it in bounds, too.
        let range = i128::from(i64::MIN)..=i128::from(u64::MAX);
        let value = value.filter(|value| range.contains(value));
        if value.is_none() {
            let message = "this cannot be computed in 64 bits";
            self.faults.push(Diagnostic::error("constant-range", span, message));
        }
        value.map(Result::Int)
    }
}

fn noun(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "a boolean: TRUE or FALSE",
        Type::Char => "a character",
        Type::Enum(_) => "a value of the enum",
        Type::String { .. } => "a text",
        _ => "a number",
    }
}

/// A constant's value, to compute with.
fn result_of(ty: &Type, value: &Value) -> Result {
    let word = match value {
        Value::Text(text) => return Result::Text(text.clone()),
        Value::Word(word) => *word,
    };
    match ty {
        Type::Bool => Result::Bool(word != 0),
        Type::Char => Result::Char(word.to_le_bytes()[0]),
        Type::Float { bits: 32 } => Result::Float(f64::from(f32::from_bits(word as u32))),
        Type::Float { .. } => Result::Float(f64::from_bits(word)),
        Type::Enum(_) => Result::Enum(ty.clone(), word as u16),
        Type::Int { bits: 64, signed: false } => Result::Int(i128::from(word)),
        _ => Result::Int(i128::from(word.cast_signed())),
    }
}

fn calculate(operator: Operator, left: i128, right: i128) -> Option<i128> {
    let shift = u32::try_from(right).ok().filter(|shift| *shift < 64);
    match operator {
        Operator::Or => Some(left | right),
        Operator::Xor => Some(left ^ right),
        Operator::And => Some(left & right),
        Operator::ShiftLeft => left.checked_mul(1_i128 << shift?),
        Operator::ShiftRight => Some(left >> shift?),
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide => left.checked_div(right),
        Operator::Remainder => left.checked_rem(right),
    }
}
