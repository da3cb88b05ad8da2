//! Rules of values.

use super::*;

/// Longest literal, in bytes.
const LITERAL_BYTES_MAX: usize = u16::MAX as usize;

impl<'t> Checker<'t> {
    /// A value where one of type `ty` is wanted.
    pub(super) fn wanted(&mut self, expr: &Expr, ty: &Ty) -> Check {
        let found = self.worth(expr)?;
        self.fits(found.as_ref(), ty)
    }

    /// Texts and lists of all lengths fit: what is too long stops the run.
    pub(super) fn fits(&self, found: Option<&Ty>, wanted: &Ty) -> Check {
        let fits = match (found, wanted) {
            (Some(Ty::Str(_)), Ty::Str(_)) | (Some(Ty::Bytes(_)), Ty::Bytes(_)) => true,
            (Some(Ty::List(a, _)), Ty::List(b, _)) => a == b,
            (found, wanted) => found == Some(wanted),
        };
        if fits {
            return Ok(());
        }
        let found = found.map_or("nothing", noun);
        self.broken(format!("found {found}, expected {}", noun(wanted)))
    }

    /// The type of a value; of a call that gives nothing back, nothing.
    pub(super) fn worth(&mut self, expr: &Expr) -> Check<Option<Ty>> {
        self.pos = if expr.pos.line == 0 { self.pos } else { expr.pos };
        Ok(Some(match &expr.kind {
            ExprKind::Int(_) => Ty::Int,
            ExprKind::Bool(_) => Ty::Bool,
            ExprKind::Float(float) => {
                self.holds(float.precision.holds(float.word), "a float of more bits than it has")?;
                Ty::Float(float.precision)
            }
            ExprKind::Enum(id, n) => {
                let values = self.tree.enums.get(id.index()).map(|of| of.values.len());
                let is_there = values.is_some_and(|values| usize::from(*n) < values);
                self.holds(is_there, "a value of an enum that is not there")?;
                Ty::Enum(*id)
            }
            ExprKind::Text(text) => {
                self.holds(!text.contains(&0), "a string with a NUL byte")?;
                self.holds(text.len() <= LITERAL_BYTES_MAX, "a literal of more than 65,535 bytes")?;
                Ty::Str(text.len() as u32)
            }
            ExprKind::Var(var) => self.usable(*var)?.ty.clone(),
            ExprKind::Field(of, field) => {
                let ty = self.value(of)?;
                self.field(&ty, *field)?.clone()
            }
            ExprKind::Index(list, index) => {
                let Ty::List(of, _) = &self.usable(*list)?.ty else {
                    return self.broken("an element of what is no list");
                };
                self.wanted(index, &Ty::Int)?;
                (**of).clone()
            }
            ExprKind::Len(of) => {
                let is_var = matches!(of.kind, ExprKind::Var(_));
                let measured = match self.value(of)? {
                    Ty::Str(_) | Ty::Bytes(_) => true,
                    Ty::List(..) => is_var,
                    _ => false,
                };
                self.holds(measured, "the length of what is no text and no list variable")?;
                Ty::Int
            }
            ExprKind::Neg(of) => self.number(of)?,
            ExprKind::Not(of) => {
                self.wanted(of, &Ty::Bool)?;
                Ty::Bool
            }
            ExprKind::Arith(first, rest) => {
                self.holds(!rest.is_empty(), "arithmetic without an operator")?;
                let ty = self.number(first)?;
                for (op, operand) in rest {
                    self.holds(ty == Ty::Int || *op != ArithOp::Rem, "the remainder of a float")?;
                    self.wanted(operand, &ty)?;
                }
                ty
            }
            ExprKind::Convert(precision, of) => {
                let found = self.number(of)?;
                let ty = Ty::Float(*precision);
                self.holds(found != ty, "a float converted to what it is")?;
                ty
            }
            ExprKind::As(ty, of) => {
                self.ty(ty)?;
                self.holds(!self.is_apart(ty), "a word read as portals")?;
                let other = |ty: &Ty| matches!(ty, Ty::Bool | Ty::Float(_) | Ty::Enum(_));
                let good = match (ty, self.value(of)?) {
                    (Ty::Str(_) | Ty::List(..), Ty::Bytes(_)) | (Ty::Bytes(_), Ty::Str(_)) => true,
                    (Ty::Bytes(_), from @ Ty::List(..)) => !self.is_apart(&from),
                    (Ty::Int, from) => other(&from),
                    (ty, from) => other(ty) && from == Ty::Int,
                };
                self.holds(good, "a word read as what it cannot be")?;
                ty.clone()
            }
            ExprKind::Compare(rel, left, right) => {
                let ty = self.value(left)?;
                let ordered = match ty {
                    Ty::Int | Ty::Float(_) | Ty::Str(_) | Ty::Bytes(_) => true,
                    Ty::Bool | Ty::Enum(_) => matches!(rel, Rel::Eq | Rel::Ne),
                    _ => false,
                };
                self.holds(ordered, "a comparison of what cannot be compared so")?;
                self.wanted(right, &ty)?;
                Ty::Bool
            }
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                self.holds(parts.len() >= 2, "`&&` or `||` with one operand")?;
                parts.iter().try_for_each(|part| self.wanted(part, &Ty::Bool))?;
                Ty::Bool
            }
            ExprKind::Test(_, left, right) => {
                let ty = self.value(left)?;
                self.holds(matches!(ty, Ty::Str(_) | Ty::Bytes(_)), "a test of what is no text")?;
                self.wanted(right, &ty)?;
                Ty::Bool
            }
            ExprKind::Tail(of, at) => {
                let ty = self.value(of)?;
                self.holds(matches!(ty, Ty::Str(_) | Ty::Bytes(_)), "a part of what is no text")?;
                self.wanted(at, &Ty::Int)?;
                ty
            }
            ExprKind::Concat(parts) => self.concat(parts)?,
            ExprKind::Record(id, fields) => self.record(*id, fields)?,
            ExprKind::Call(call) => {
                let op = self.call(call)?;
                self.holds(op.paged.is_none(), "a call of a paged operation outside of a loop")?;
                self.holds(!op.gives_parts(), "a call as a value whose results no value can hold")?;
                return Ok(op.value.clone());
            }
            ExprKind::Inline(inline) => return self.inline(inline),
        }))
    }

    fn value(&mut self, expr: &Expr) -> Check<Ty> {
        match self.worth(expr)? {
            Some(ty) => Ok(ty),
            None => self.broken("found nothing, expected a value"),
        }
    }

    /// An integer or float.
    fn number(&mut self, expr: &Expr) -> Check<Ty> {
        let ty = self.value(expr)?;
        self.holds(matches!(ty, Ty::Int | Ty::Float(_)), "computing with what is no number")?;
        Ok(ty)
    }

    /// Texts of one kind.
    fn concat(&mut self, parts: &[Expr]) -> Check<Ty> {
        self.holds(parts.len() >= 2, "one text, joined")?;
        let (mut sum, mut kinds) = (0u32, [false; 2]);
        for part in parts {
            self.holds(!matches!(part.kind, ExprKind::Concat(_)), "texts joined within texts joined")?;
            let (kind, max) = match self.value(part)? {
                Ty::Str(max) => (0, max),
                Ty::Bytes(max) => (1, max),
                _ => return self.broken("joining what is no text"),
            };
            kinds[kind] = true;
            sum = sum.saturating_add(max);
        }
        match kinds {
            [true, true] => self.broken("joining a string and bytes"),
            [false, _] => Ok(Ty::Bytes(sum)),
            _ => Ok(Ty::Str(sum)),
        }
    }

    fn record(&mut self, id: RecordId, given: &[Expr]) -> Check<Ty> {
        let Some(record) = self.tree.records.get(id.index()) else {
            return self.broken("a record that is not there");
        };
        self.holds(!self.is_apart(&Ty::Record(id)), "a record that holds portals where a value is wanted")?;
        self.fields(record, given)?;
        Ok(Ty::Record(id))
    }

    fn fields(&mut self, record: &'t Record, given: &[Expr]) -> Check {
        self.holds(given.len() == record.fields.len(), "a record with too few or too many fields")?;
        for (value, (_, ty)) in given.iter().zip(&record.fields) {
            match (&value.kind, ty) {
                // Bytes have no literals: an omitted field is the empty text.
                (ExprKind::Text(text), Ty::Bytes(_)) if text.is_empty() => {}
                _ if matches!(ty, Ty::Record(_)) && self.is_apart(ty) => self.made(value, ty)?,
                _ => self.wanted(value, ty)?,
            }
        }
        Ok(())
    }

    /// What is added to a list whose elements hold portals: such a record is made there, of what it holds.
    pub(super) fn made(&mut self, value: &Expr, ty: &Ty) -> Check {
        match (&value.kind, ty) {
            (ExprKind::Record(id, given), Ty::Record(wanted)) if id == wanted => {
                let tree = self.tree;
                self.fields(&tree.records[id.index()], given)
            }
            _ => self.broken("an element that holds portals and is not made of them"),
        }
    }

    fn operation(&self, op: OpId) -> Check<&'t Op> {
        match self.tree.ops.get(op.index()) {
            Some(op) => Ok(op),
            None => self.broken("an operation that is not there"),
        }
    }

    /// Target, and what is raised.
    fn called(&mut self, target: &Expr, op: OpId) -> Check<&'t Op> {
        let op = self.operation(op)?;
        let is_portal = matches!(
            target.kind,
            ExprKind::Var(_)
                | ExprKind::Call(_)
                | ExprKind::Inline(_)
                | ExprKind::Index(..)
                | ExprKind::Field(..)
        );
        self.holds(is_portal, "a call on what is no portal")?;
        self.wanted(target, &Ty::Portal(op.interface))?;
        if let (Some(raised), Some(caught)) = (op.raises, self.tries.last()) {
            self.holds(raised == *caught, "an attempt of calls that raise different kinds")?;
        }
        Ok(op)
    }

    pub(super) fn call(&mut self, call: &CallExpr) -> Check<&'t Op> {
        let op = self.called(&call.target, call.op)?;
        self.holds(call.args.len() == op.args.len(), "a call with too few or too many arguments")?;
        call.args.iter().zip(&op.args).try_for_each(|(arg, ty)| self.wanted(arg, ty))?;
        Ok(op)
    }

    pub(super) fn repeat(&mut self, repeat: &Repeat) -> Check {
        let op = self.called(&repeat.target, repeat.op)?;
        let makes_portals = op.results.iter().any(|ty| matches!(ty, Ty::Portal(_)) || self.is_apart(ty));
        let takes_lists = op.args.iter().any(|ty| self.is_apart(ty));
        self.holds(!takes_lists, "a repeat of a call that takes lists of portals")?;
        self.holds(
            op.paged.is_none() && !makes_portals,
            "a repeat of a call that is paged or makes portals",
        )?;
        self.holds(repeat.times > 0, "a repeat of no times")?;
        self.holds(repeat.args.len() == op.args.len(), "a call with too few or too many arguments")?;
        for (arg, ty) in repeat.args.iter().zip(&op.args) {
            match arg {
                RepeatArg::Same(arg) => self.wanted(arg, ty)?,
                RepeatArg::Each(items) => {
                    let found = self.strided(items, repeat.times)?;
                    self.fits(Some(&found), ty)?;
                }
            }
        }
        let Some(into) = &repeat.into else { return Ok(()) };
        let found = self.strided(into, repeat.times)?;
        self.fits(op.value.as_ref(), &found)
    }

    fn inline(&mut self, inline: &Inline) -> Check<Option<Ty>> {
        let ty = match inline.result {
            Some(var) => {
                let ty = self.begin(var)?.clone();
                let changes = self.known(var)?.mutability == Mutability::Changes;
                self.holds(changes && !self.is_apart(&ty), "a function whose result cannot be set")?;
                Some(ty)
            }
            None => None,
        };
        self.functions.push(inline.result);
        let loops = std::mem::take(&mut self.loops);
        self.block(&inline.body)?;
        self.loops = loops;
        self.functions.pop();
        Ok(ty)
    }
}

fn noun(ty: &Ty) -> &'static str {
    match ty {
        Ty::Int => "an integer",
        Ty::Bool => "a truth value",
        Ty::Float(Precision::Single) => "a float",
        Ty::Float(Precision::Double) => "a double",
        Ty::Enum(_) => "a value of an enum",
        Ty::Str(_) => "a string",
        Ty::Bytes(_) => "bytes",
        Ty::Record(_) => "a record",
        Ty::List(..) => "a list",
        Ty::Portal(_) => "a portal",
    }
}
