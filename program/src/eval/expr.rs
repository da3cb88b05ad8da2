//! Expressions and conditions.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use carnet_portal::panics::drop_quietly;

use super::{Eval, Exit, INTERNAL, Owner, Register, Run, Value, fault, stop};
use crate::compile::{Point, node};
use crate::float::Float;
use crate::interp::{FaultKind, Stop};
use crate::packed;
use crate::search::{self, Searched};
use crate::tree::{ArithOp, CallExpr, Expr, ExprKind, Inline, Mutability, Place, Rel, TextTest, Ty, VarId};

impl Run<'_> {
    /// The value of an expression that is no portal.
    pub(super) fn value(&mut self, expr: &Expr) -> Eval<Value> {
        self.comes_to(expr);
        let value = self.evaluate(expr)?;
        self.pass_on(&value);
        // What is made here takes memory at once; of the rest it is taken where it goes, once that is charged.
        if matches!(expr.kind, ExprKind::Call(_) | ExprKind::As(..)) {
            self.has_room_for(0)?;
        }
        Ok(value)
    }

    fn comes_to(&mut self, expr: &Expr) {
        self.here = if expr.pos.line == 0 { self.here } else { expr.pos };
    }

    fn evaluate(&mut self, expr: &Expr) -> Eval<Value> {
        Ok(match &expr.kind {
            ExprKind::Int(n) => Value::Int(*n),
            ExprKind::Bool(b) => Value::Bool(*b),
            ExprKind::Float(float) => Value::Float(*float),
            ExprKind::Enum(_, n) => Value::Enum(*n),
            ExprKind::Text(text) => self.literal(expr, text),
            ExprKind::Var(var) => self.var(*var)?.clone(),
            ExprKind::Field(record, field) => match self.held(expr) {
                Some(value) => value.clone(),
                None => match self.element(expr)? {
                    Some(value) => value.clone(),
                    None => match self.value(record)? {
                        Value::Record(mut fields) => fields.swap_remove(*field as usize),
                        _ => return stop(INTERNAL),
                    },
                },
            },
            ExprKind::Index(..) => self.element(expr)?.ok_or(Exit::Stop(INTERNAL))?.clone(),
            ExprKind::Len(of) => {
                let len = match self.held(of) {
                    Some(value) => value.count(),
                    None => match self.element(of)? {
                        Some(value) => value.count(),
                        None => self.value(of)?.count(),
                    },
                };
                Value::Int(len.ok_or(Exit::Stop(INTERNAL))? as i64)
            }
            ExprKind::Neg(of) => match self.value(of)? {
                Value::Float(float) => Value::Float(float.negated()),
                value => match value.int().checked_neg() {
                    Some(n) => Value::Int(n),
                    None => return fault(FaultKind::Overflow),
                },
            },
            ExprKind::Convert(precision, of) => Value::Float(match self.value(of)? {
                Value::Float(float) => float.to(*precision),
                value => precision.of_int(value.int()),
            }),
            ExprKind::As(ty, of) => {
                let value = self.value(of)?;
                match (ty, &value) {
                    (Ty::Bytes(max), Value::List(_)) => self.packed(of, &value, *max)?,
                    _ => self.read_as(ty, value)?,
                }
            }
            ExprKind::Not(of) => Value::Bool(!self.value(of)?.bool()),
            ExprKind::Arith(first, rest) => {
                let mut left = self.value(first)?;
                for (op, right) in rest {
                    left = computed(*op, &left, &self.value(right)?)?;
                }
                left
            }
            ExprKind::Compare(rel, left, right) => {
                if let (Some(a), Some(b)) = (self.text(left), self.text(right)) {
                    let (charge, order) = (compared(a, b), a.cmp(b));
                    self.comes_to(left);
                    self.comes_to(right);
                    self.charge(charge)?;
                    return Ok(Value::Bool(rel.holds(order)));
                }
                let (left, right) = (self.value(left)?, self.value(right)?);
                Value::Bool(self.compare(*rel, &left, &right)?)
            }
            ExprKind::And(_) | ExprKind::Or(_) => {
                let holds = self.holds(expr)?;
                if !holds {
                    self.at(expr, Point::False)?;
                }
                self.at(expr, Point::Value)?;
                Value::Bool(holds)
            }
            ExprKind::Test(test, left, right) => {
                if self.text(left).is_some() && self.text(right).is_some() {
                    self.comes_to(left);
                    self.comes_to(right);
                    return self.passes(*test, [Operand::There(left), Operand::There(right)]);
                }
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.passes(*test, [Operand::Made(&left), Operand::Made(&right)])?
            }
            ExprKind::Tail(of, at) => self.tail(of, at)?,
            ExprKind::Concat(parts) => self.join(parts, usize::MAX)?,
            ExprKind::Record(id, fields) => {
                let types = &self.tree.records[id.index()].fields;
                let fields = fields.iter().zip(types).map(|(field, (_, ty))| self.into(field, ty));
                Value::Record(fields.collect::<Eval<_>>()?)
            }
            ExprKind::Call(call) => self.call(call)?,
            ExprKind::Inline(inline) => {
                self.inline(inline)?;
                match inline.result {
                    Some(var) => self.var(var)?.clone(),
                    None => Value::Record(Vec::new()),
                }
            }
        })
    }

    /// What is left of a text behind its first bytes.
    fn tail(&mut self, of: &Expr, at: &Expr) -> Eval<Value> {
        let passing = self.passing();
        let (text, at) = (self.value(of)?, self.value(at)?.int());
        let tail = usize::try_from(at).ok().and_then(|at| text.text().get(at..));
        let Some(tail) = tail else { return fault(FaultKind::Cut) };
        self.charge(tail.len() as u64 / 64)?;
        // It is a copy here, and a reference in bytecode. What it is of has its place, or goes.
        self.let_pass(passing);
        self.has_room_for(tail.len() as u64)?;
        Ok(Value::Text(Arc::new(tail.to_vec())))
    }

    /// A word of a union as what an arm has there.
    fn read_as(&mut self, ty: &Ty, value: Value) -> Eval<Value> {
        let word = value.int().cast_unsigned();
        Ok(match ty {
            Ty::Str(max) | Ty::Bytes(max) => {
                let text = value.text();
                if matches!(ty, Ty::Str(_)) && text.contains(&0) {
                    return fault(FaultKind::Arm);
                }
                self.charge(text.len() as u64 / 64)?;
                if text.len() > *max as usize {
                    return fault(FaultKind::TextTooLong);
                }
                value
            }
            Ty::List(of, max) => {
                self.charge(value.text().len() as u64 / 64)?;
                let Some(list) = Value::unpacked(self.tree, of, value.text()) else {
                    return fault(FaultKind::Arm);
                };
                if list.len() > *max as usize {
                    return fault(FaultKind::ListFull);
                }
                Value::List(Arc::new(list))
            }
            Ty::Int => Value::Int(word.cast_signed()),
            Ty::Bool if word <= 1 => Value::Bool(word == 1),
            Ty::Enum(id) if word < self.tree.enums[id.index()].values.len() as u64 => {
                Value::Enum(word as u16)
            }
            Ty::Float(precision) if precision.holds(word) => {
                Value::Float(Float { precision: *precision, word })
            }
            _ => return fault(FaultKind::Arm),
        })
    }

    /// The type of the elements of a list.
    fn element_type(&self, list: &Expr) -> Option<Ty> {
        let var = |var: VarId| Some(self.tree.vars[var.index()].ty.clone());
        let ty = match &list.kind {
            ExprKind::Var(id) => var(*id),
            ExprKind::Inline(inline) => var(inline.result?),
            ExprKind::Call(call) => self.tree.ops[call.op.index()].value.clone(),
            ExprKind::As(ty, _) => Some(ty.clone()),
            _ => None,
        };
        match ty {
            Some(Ty::List(of, _)) => Some(*of),
            _ => None,
        }
    }

    /// A list as the bytes that it is in an arm of a union.
    fn packed(&mut self, of: &Expr, list: &Value, max: u32) -> Eval<Value> {
        let Some(element) = self.element_type(of) else { return stop(INTERNAL) };
        let len = 8 + list.size(self.tree, &element);
        if len > u64::from(max) {
            return fault(FaultKind::ListTooLong);
        }
        self.charge(len / 64)?;
        let area = self.encode_list(list.elements(), &element);
        Ok(Value::Text(Arc::new(packed::closed(&area, self.tree.words(&element)))))
    }

    /// What a variable, or a field of one, holds: looked at where it is, since a copy of a long list at each round of
    /// a loop is far more work than the loop is charged for.
    fn held(&self, expr: &Expr) -> Option<&Value> {
        match &expr.kind {
            ExprKind::Var(var) => self.values[var.index()].as_ref(),
            ExprKind::Field(record, field) => match self.held(record)? {
                Value::Record(fields) => fields.get(*field as usize),
                _ => None,
            },
            _ => None,
        }
    }

    /// An element of a list, or a field of one, looked at where it is once its index is known; nothing of other expressions.
    fn element(&mut self, expr: &Expr) -> Eval<Option<&Value>> {
        let (mut fields, mut of) = (Vec::new(), expr);
        while let ExprKind::Field(record, field) = &of.kind {
            fields.push(*field);
            of = record;
        }
        let ExprKind::Index(list, index) = &of.kind else { return Ok(None) };
        self.comes_to(of);
        let index = self.value(index)?.int();
        let element = usize::try_from(index).ok().and_then(|k| self.var(*list).ok()?.elements().get(k));
        let Some(element) = element else { return fault(FaultKind::Index) };
        let found = fields.iter().rev().try_fold(element, |found, field| match found {
            Value::Record(fields) => fields.get(*field as usize),
            _ => None,
        });
        found.ok_or(Exit::Stop(INTERNAL)).map(Some)
    }

    /// A text that is there without anything being done for it.
    fn text<'e>(&'e self, expr: &'e Expr) -> Option<&'e [u8]> {
        match (&expr.kind, self.held(expr)) {
            (ExprKind::Text(text), _) => Some(text),
            (_, Some(Value::Text(text))) => Some(text),
            _ => None,
        }
    }

    fn operand<'e>(&'e self, operand: Operand<'e>) -> Option<&'e [u8]> {
        match operand {
            Operand::There(expr) => self.text(expr),
            Operand::Made(value) => Some(value.text()),
        }
    }

    /// Whether a text passes a test.
    fn passes(&mut self, test: TextTest, [text, part]: [Operand<'_>; 2]) -> Eval<Value> {
        let (Some(there), Some(wanted)) = (self.operand(text), self.operand(part)) else {
            return stop(INTERNAL);
        };
        let passes = match test {
            TextTest::StartsWith => there.starts_with(wanted),
            TextTest::EndsWith => there.ends_with(wanted),
            TextTest::Contains => return self.contains([text, part]),
        };
        self.charge(compared(there, wanted))?;
        Ok(Value::Bool(passes))
    }

    /// Whether a text is in another. It gives way as often as a loop does, and is charged for once that is known, or where the run stops.
    fn contains(&mut self, [text, part]: [Operand<'_>; 2]) -> Eval<Value> {
        let mut under_way = None;
        loop {
            let (Some(text), Some(part)) = (self.operand(text), self.operand(part)) else {
                return stop(INTERNAL);
            };
            let goes_on = || self.env.interrupt.load(Ordering::Relaxed) == 0;
            match search::find(&mut under_way, (text, part), self.budget.instructions_left, goes_on) {
                Searched::Found(found) => {
                    self.charge(found.cost)?;
                    return Ok(Value::Bool(found.holds));
                }
                Searched::Beyond => {
                    self.budget.instructions_left = 0;
                    self.affords(1)?;
                }
                Searched::GaveWay(owes) => {
                    if let Err(stop) = self.interrupted() {
                        self.budget.instructions_left = self.budget.instructions_left.saturating_sub(owes);
                        return Err(stop);
                    }
                }
            }
        }
    }

    pub(super) fn var(&self, var: VarId) -> Eval<&Value> {
        self.values[var.index()].as_ref().ok_or(Exit::Stop(INTERNAL))
    }

    /// Whether a condition holds that control depends on.
    pub(super) fn holds(&mut self, cond: &Expr) -> Eval<bool> {
        match &cond.kind {
            ExprKind::Not(of) => Ok(!self.holds(of)?),
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                let decides = matches!(cond.kind, ExprKind::Or(_));
                for (at, part) in parts.iter().enumerate() {
                    if at > 0 {
                        self.at(part, Point::Right)?;
                    }
                    if self.holds(part)? == decides {
                        return Ok(decides);
                    }
                }
                Ok(!decides)
            }
            _ => Ok(self.value(cond)?.bool()),
        }
    }

    fn compare(&mut self, rel: Rel, left: &Value, right: &Value) -> Eval<bool> {
        match (left, right) {
            (Value::Text(left), Value::Text(right)) => {
                self.charge(compared(left, right))?;
                Ok(rel.holds(left.cmp(right)))
            }
            (Value::Float(left), Value::Float(right)) => Ok(left.compares(rel, *right)),
            _ => Ok(rel.holds(left.int().cmp(&right.int()))),
        }
    }

    /// Texts joined, in a place that holds `max` bytes.
    fn join(&mut self, parts: &[Expr], max: usize) -> Eval<Value> {
        let mut joined = Vec::new();
        for (k, part) in parts.iter().enumerate() {
            let text = self.value(part)?;
            // The first part may be the place itself, which is not copied.
            if k > 0 || self.has(part, Point::Copied) {
                self.charge(text.text().len() as u64 / 64)?;
            }
            self.has_room_for((joined.len() + text.text().len()) as u64)?;
            joined.extend_from_slice(text.text());
            if joined.len() > max {
                return fault(FaultKind::TextTooLong);
            }
        }
        Ok(Value::Text(Arc::new(joined)))
    }

    /// A literal: it is the same whenever it is reached.
    fn literal(&mut self, expr: &Expr, text: &[u8]) -> Value {
        let literal = self.literals.entry(node(expr)).or_insert_with(|| Arc::new(text.to_vec()));
        Value::Text(Arc::clone(literal))
    }

    /// Whether these are texts joined in the place of the first one, which is what they are put into: only the others are appended.
    pub(super) fn appended<'e>(&self, place: &Place, expr: &'e Expr) -> Option<&'e [Expr]> {
        let ExprKind::Concat(parts) = &expr.kind else { return None };
        let first = parts.first()?;
        let is_copied = self.has(expr, Point::Copied) || self.has(first, Point::Copied);
        let (mut of, mut fields) = (first, place.fields.iter().rev());
        while let ExprKind::Field(record, field) = &of.kind {
            if fields.next() != Some(field) {
                return None;
            }
            of = record;
        }
        let is_place = matches!(of.kind, ExprKind::Var(var) if var == place.var) && fields.next().is_none();
        (!is_copied && is_place && place.index.is_none()).then_some(parts)
    }

    /// Appends texts to one, in its place.
    pub(super) fn append(&mut self, place: &Place, ty: &Ty, parts: &[Expr]) -> Eval<()> {
        let (Ty::Str(max) | Ty::Bytes(max)) = *ty else { return stop(INTERNAL) };
        parts.first().into_iter().for_each(|first| self.comes_to(first));
        let passing = self.passing();
        for part in parts.iter().skip(1) {
            let text = self.value(part)?;
            self.charge(text.text().len() as u64 / 64)?;
            let Value::Text(whole) = self.find(place, None)? else { return stop(INTERNAL) };
            if whole.len() + text.text().len() > max as usize {
                return fault(FaultKind::TextTooLong);
            }
            Arc::make_mut(whole).extend_from_slice(text.text());
            self.let_pass(passing);
            self.grow(place.var, 0, text.text().len() as u64)?;
        }
        Ok(())
    }

    /// The value of an expression, for a place of type `ty`.
    pub(super) fn into(&mut self, expr: &Expr, ty: &Ty) -> Eval<Value> {
        // In a struct that is added to a list: where it is.
        if let Ty::Portal(_) = ty {
            return Ok(Value::Int(self.portal(expr)? as i64));
        }
        let value = match (&expr.kind, ty) {
            (ExprKind::Concat(parts), Ty::Str(max) | Ty::Bytes(max)) if !self.has(expr, Point::Copied) => {
                self.join(parts, *max as usize)?
            }
            _ => self.value(expr)?,
        };
        if self.has(expr, Point::Copied) {
            self.copy(&value, ty)?;
            self.has_room_for(0)?;
        }
        if self.has(expr, Point::CopiedTwice) {
            self.copy(&value, ty)?;
        }
        Ok(value)
    }

    /// Charges and checks the copying of a value to a place of type `ty`.
    pub(super) fn copy(&mut self, value: &Value, ty: &Ty) -> Eval<()> {
        if let Ty::List(element, max) = ty {
            self.charge(value.size(self.tree, element) / 64)?;
            if value.elements().len() > *max as usize {
                return fault(FaultKind::ListFull);
            }
            return Ok(());
        }
        let mut texts = Vec::new();
        value.texts(self.tree, ty, &mut texts);
        for (text, max) in texts {
            self.charge(text.len() as u64 / 64)?;
            if text.len() > max {
                return fault(FaultKind::TextTooLong);
            }
        }
        Ok(())
    }

    /// Where the portal is that an expression means.
    pub(super) fn portal(&mut self, expr: &Expr) -> Eval<Register> {
        match &expr.kind {
            ExprKind::Var(var) => self.portal_of(*var),
            ExprKind::Call(call) => self.call_for_portal(call, None),
            ExprKind::Index(list, index) => {
                let from = self.picked(*list, index)?;
                let to = self.place_of(Owner::Call(node(&**index)));
                self.share(to, from);
                Ok(to)
            }
            ExprKind::Field(of, _) => {
                let from = self.picked_field(expr)?;
                let to = self.place_of(Owner::Call(node(&**of)));
                self.share(to, from);
                Ok(to)
            }
            ExprKind::Inline(inline) => {
                self.inline(inline)?;
                inline.result.map_or(stop(INTERNAL), |var| self.portal_of(var))
            }
            _ => stop(INTERNAL),
        }
    }

    /// Where the element of a list of portals is.
    pub(super) fn picked(&mut self, list: VarId, index: &Expr) -> Eval<Register> {
        let index = self.value(index)?.int();
        let mut all = self.portals_of(list)?;
        match usize::try_from(index).ok().and_then(|at| all.nth(at)) {
            Some(register) => Ok(register),
            None => fault(FaultKind::Index),
        }
    }

    /// Where the portal is that is a field of an element of a list: its value says so.
    pub(super) fn picked_field(&mut self, field: &Expr) -> Eval<Register> {
        Ok(self.value(field)?.int() as Register)
    }

    /// A place gets a copy of the right in another.
    pub(super) fn share(&mut self, to: Register, from: Register) {
        let copy = self.registers[from].clone();
        drop_quietly(std::mem::replace(&mut self.registers[to], copy));
    }

    pub(super) fn portal_of(&self, var: VarId) -> Eval<Register> {
        self.portals[var.index()].ok_or(Exit::Stop(INTERNAL))
    }

    /// Whether the portal of this variable may be another one later.
    pub(super) fn changes(&self, var: VarId) -> bool {
        self.tree.vars[var.index()].mutability == Mutability::Changes
    }

    /// Runs an expanded function; its result is then in its variable.
    pub(super) fn inline(&mut self, inline: &Inline) -> Eval<()> {
        if let Some(var) = inline.result {
            self.declare(var)?;
        }
        self.inlines.push(inline.result);
        let how = self.block(&inline.body);
        self.inlines.pop();
        match how {
            Ok(()) | Err(Exit::Leave) => self.at(inline, Point::Left).map(drop),
            other => other,
        }
    }

    /// Gives the portals that a loop's condition makes their places in the block around the loop, in the order of
    /// the text, which the order of evaluation may not be.
    pub(super) fn reserve(&mut self, expr: &Expr) -> Eval<()> {
        match &expr.kind {
            ExprKind::Call(call) => {
                let CallExpr { target, op, args } = &**call;
                self.reserve(target)?;
                args.iter().try_for_each(|arg| self.reserve(arg))?;
                if matches!(self.tree.ops[op.index()].value, Some(Ty::Portal(_))) {
                    self.place_of(Owner::Call(node(&**call)));
                }
                Ok(())
            }
            ExprKind::Inline(inline) => {
                let portal = |var: &VarId| matches!(self.tree.vars[var.index()].ty, Ty::Portal(_));
                inline.result.filter(portal).map_or(Ok(()), |var| self.declare(var))
            }
            ExprKind::Index(list, index) => {
                self.reserve(index)?;
                if self.portals_in(*list).is_some() {
                    self.place_of(Owner::Call(node(&**index)));
                }
                Ok(())
            }
            ExprKind::Field(of, _) => {
                self.reserve(of)?;
                if self.tree.portal_field(expr).is_some() {
                    self.place_of(Owner::Call(node(&**of)));
                }
                Ok(())
            }
            ExprKind::Len(a)
            | ExprKind::Neg(a)
            | ExprKind::Not(a)
            | ExprKind::Convert(_, a)
            | ExprKind::As(_, a) => self.reserve(a),
            ExprKind::Arith(first, rest) => {
                self.reserve(first)?;
                rest.iter().try_for_each(|(_, operand)| self.reserve(operand))
            }
            ExprKind::Compare(_, a, b) | ExprKind::Test(_, a, b) | ExprKind::Tail(a, b) => {
                self.reserve(a)?;
                self.reserve(b)
            }
            ExprKind::And(parts)
            | ExprKind::Or(parts)
            | ExprKind::Concat(parts)
            | ExprKind::Record(_, parts) => parts.iter().try_for_each(|part| self.reserve(part)),
            _ => Ok(()),
        }
    }
}

/// Arithmetic on two integers, or on two floats of one precision.
pub(super) fn computed(op: ArithOp, left: &Value, right: &Value) -> Eval<Value> {
    match (left, right) {
        (Value::Float(left), Value::Float(right)) => Ok(Value::Float(left.arith(op, *right))),
        _ => arith(op, left.int(), right.int()).map(Value::Int),
    }
}

fn arith(op: ArithOp, left: i64, right: i64) -> Eval<i64> {
    if matches!(op, ArithOp::Div | ArithOp::Rem) && right == 0 {
        return fault(FaultKind::DivisionByZero);
    }
    // In 128 bits nothing overflows; the remainder of the smallest integer by -1 is refused with its quotient.
    let (a, b) = (i128::from(left), i128::from(right));
    let exact = match op {
        ArithOp::Add => a + b,
        ArithOp::Sub => a - b,
        ArithOp::Mul => a * b,
        ArithOp::Div => a / b,
        ArithOp::Rem if i64::try_from(a / b).is_err() => return fault(FaultKind::Overflow),
        ArithOp::Rem => a % b,
    };
    i64::try_from(exact).map_err(|_| Exit::Stop(Stop::Fault(FaultKind::Overflow)))
}

/// A text that is tested.
#[derive(Clone, Copy)]
enum Operand<'t> {
    /// It is there without anything being done for it.
    There(&'t Expr),
    Made(&'t Value),
}

/// What comparing texts is charged with.
fn compared(left: &[u8], right: &[u8]) -> u64 {
    left.len().min(right.len()) as u64 / 64
}
