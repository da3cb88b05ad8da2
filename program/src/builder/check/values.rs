//! Values: their types, and calls.

use super::{ArithOp, BuildError, Checker, Expr, ExprKind, Result, Ty, Value, expr};
use crate::builder::nodes::{Call, Node};
use crate::float::Float;
use crate::import::Input;
use crate::tree::{CallExpr, OpId, RecordId, Rel, TextTest};

impl Checker<'_> {
    /// A value and its type: of a list within another value, that of a list.
    pub(super) fn value(&mut self, value: &Value) -> Result<(Expr, Ty)> {
        let (value, ty) = self.whole(value)?;
        Ok(match self.tables.list_of(&ty) {
            Some(list) => {
                let bytes = expr(ExprKind::Field(Box::new(value), 0));
                (expr(ExprKind::As(list.clone(), Box::new(bytes))), list.clone())
            }
            None => (value, ty),
        })
    }

    fn whole(&mut self, value: &Value) -> Result<(Expr, Ty)> {
        let (kind, ty) = match &value.0 {
            Node::Int(n) => (ExprKind::Int(*n), Ty::Int),
            Node::Bool(b) => (ExprKind::Bool(*b), Ty::Bool),
            Node::Float(float) => (ExprKind::Float(*float), Ty::Float(float.precision)),
            Node::Text(text) if text.contains(&0) => {
                let found = "a NUL byte".to_owned();
                let (place, expected) = ("a string".to_owned(), "bytes without NUL".to_owned());
                return Err(BuildError::Type { place, found, expected });
            }
            Node::Text(text) => {
                let max = u32::try_from(text.len()).map_err(|_| BuildError::TooMany("bytes in a text"))?;
                (ExprKind::Text(text.clone()), Ty::Str(max))
            }
            Node::Enum(of, name) => self.enum_value(of, name)?,
            Node::Var(var) => {
                let (id, ty) = self.var(*var)?;
                (ExprKind::Var(id), ty.clone())
            }
            Node::Field(of, name) => {
                let (of, ty) = self.value(of)?;
                let (field, ty) = self.field_of(&ty, name)?;
                (ExprKind::Field(Box::new(of), field), ty)
            }
            Node::Index(list, index) => {
                let Node::Var(list) = list.0 else { return Err(BuildError::NoPlace) };
                let (list, of) = self.any_list(list)?;
                (ExprKind::Index(list, Box::new(self.wanted(index, &Ty::Int, "an index")?)), of)
            }
            Node::Len(of) => (ExprKind::Len(Box::new(self.measured(of)?)), Ty::Int),
            Node::Neg(of) => {
                let (of, ty) = self.number(of, "an operand of -")?;
                (ExprKind::Neg(Box::new(of)), ty)
            }
            Node::Convert(precision, of) => {
                let ty = Ty::Float(*precision);
                let (of, found) = self.number(of, "what is converted")?;
                if found == ty {
                    return Ok((of, ty));
                }
                (ExprKind::Convert(*precision, Box::new(of)), ty)
            }
            Node::Not(of) => {
                (ExprKind::Not(Box::new(self.wanted(of, &Ty::Bool, "an operand of !")?)), Ty::Bool)
            }
            Node::Arith(first, rest) => self.arith(first, rest)?,
            Node::Compare(rel, a, b) => (self.compare(*rel, a, b)?, Ty::Bool),
            Node::And(parts) => (ExprKind::And(self.truths(parts, "an operand of and")?), Ty::Bool),
            Node::Or(parts) => (ExprKind::Or(self.truths(parts, "an operand of or")?), Ty::Bool),
            Node::Test(test, a, b) => (self.test(*test, a, b)?, Ty::Bool),
            Node::Tail(text, at) => self.tail(text, at)?,
            Node::Join(parts) => self.join(parts)?,
            Node::Record(ty, fields) => self.record(ty, fields)?,
            Node::Call(call) => {
                let (call, ty) = self.call(call)?;
                let nothing = |checker: &Self| match &call.kind {
                    ExprKind::Call(call) => BuildError::NothingBack(checker.tables.op_name(call.op)),
                    _ => BuildError::NoPlace,
                };
                let ty = ty.ok_or_else(|| nothing(self))?;
                return Ok((call, ty));
            }
            Node::Strided(_) => return Err(BuildError::NotRepeated),
        };
        Ok((expr(kind), ty))
    }

    /// A value where one of type `ty` is wanted.
    pub(super) fn wanted(&mut self, value: &Value, ty: &Ty, place: &str) -> Result<Expr> {
        let (value, found) = self.value(value)?;
        if fits(&found, ty) {
            return Ok(value);
        }
        match (ty, self.tables.list_of(ty)) {
            // Within another value it is bytes.
            (Ty::Record(id), Some(list)) if fits(&found, list) => {
                let bytes = self.tables.records[id.index()].fields[0].1.clone();
                Ok(expr(ExprKind::Record(*id, vec![expr(ExprKind::As(bytes, Box::new(value)))])))
            }
            _ => Err(self.wrong(place, &found, &self.show(ty))),
        }
    }

    pub(super) fn wrong(&self, place: &str, found: &Ty, expected: &str) -> BuildError {
        let (place, expected) = (place.to_owned(), expected.to_owned());
        BuildError::Type { place, found: self.show(found), expected }
    }

    /// A type as people read it.
    pub(super) fn show(&self, ty: &Ty) -> String {
        match ty {
            Ty::Int => "int".to_owned(),
            Ty::Bool => "bool".to_owned(),
            Ty::Float(precision) => precision.name().to_owned(),
            Ty::Str(_) => "string".to_owned(),
            Ty::Bytes(_) => "bytes".to_owned(),
            Ty::Enum(id) => self.tables.enums[id.index()].name.clone(),
            Ty::Record(_) if let Some(list) = self.tables.list_of(ty) => self.show(list),
            Ty::Record(id) => self.tables.records[id.index()].name.clone(),
            Ty::List(of, _) => format!("list of {}", self.show(of)),
            Ty::Portal(id) => {
                let interface = &self.tables.interfaces[id.index()];
                format!("portal {}.{}", interface.module, interface.name)
            }
        }
    }

    /// Index and type of a field.
    pub(super) fn field_of(&self, ty: &Ty, name: &str) -> Result<(u16, Ty)> {
        let Ty::Record(id) = ty else { return Err(self.wrong(&format!("before `.{name}`"), ty, "a record")) };
        let record = &self.tables.records[id.index()];
        match record.fields.iter().position(|(field, _)| field == name) {
            Some(k) => Ok((k as u16, record.fields[k].1.clone())),
            None => Err(BuildError::NoSuchField { record: record.name.clone(), field: name.to_owned() }),
        }
    }

    fn enum_value(&mut self, of: &str, name: &str) -> Result<(ExprKind, Ty)> {
        let ty = self.named(of)?;
        let Ty::Enum(id) = ty else { return Err(self.wrong(&format!("{of}.{name}"), &ty, "an enum")) };
        let found = self.tables.enums[id.index()].values.iter().position(|value| value == name);
        let missing = || BuildError::NoSuchValue { of: of.to_owned(), value: name.to_owned() };
        Ok((ExprKind::Enum(id, found.ok_or_else(missing)? as u16), ty))
    }

    fn measured(&mut self, of: &Value) -> Result<Expr> {
        let (value, ty) = self.value(of)?;
        let var = matches!(value.kind, ExprKind::Var(_));
        match ty {
            Ty::Str(_) | Ty::Bytes(_) => Ok(value),
            Ty::List(..) if var => Ok(value),
            ty => Err(self.wrong("the operand of len", &ty, "a text or a list variable")),
        }
    }

    fn test(&mut self, test: TextTest, a: &Value, b: &Value) -> Result<ExprKind> {
        let place = "a text that is tested";
        let (a, ty) = self.value(a)?;
        if !matches!(ty, Ty::Str(_) | Ty::Bytes(_)) {
            return Err(self.wrong(place, &ty, "string or bytes"));
        }
        let b = self.wanted(b, &ty, place)?;
        Ok(ExprKind::Test(test, Box::new(a), Box::new(b)))
    }

    fn tail(&mut self, text: &Value, at: &Value) -> Result<(ExprKind, Ty)> {
        let (text, ty) = self.value(text)?;
        if !matches!(ty, Ty::Str(_) | Ty::Bytes(_)) {
            return Err(self.wrong("a text that is cut", &ty, "string or bytes"));
        }
        let at = self.wanted(at, &Ty::Int, "where a text is cut")?;
        Ok((ExprKind::Tail(Box::new(text), Box::new(at)), ty))
    }

    fn truths(&mut self, parts: &[Value], place: &str) -> Result<Vec<Expr>> {
        parts.iter().map(|part| self.wanted(part, &Ty::Bool, place)).collect()
    }

    /// An integer or float.
    fn number(&mut self, value: &Value, place: &str) -> Result<(Expr, Ty)> {
        let (value, ty) = self.value(value)?;
        match ty {
            Ty::Int | Ty::Float(_) => Ok((value, ty)),
            ty => Err(self.wrong(place, &ty, "a number")),
        }
    }

    fn arith(&mut self, first: &Value, rest: &[(ArithOp, Value)]) -> Result<(ExprKind, Ty)> {
        let place = "an operand of arithmetic";
        let (first, ty) = self.number(first, place)?;
        let operand = |(op, value): &(ArithOp, Value)| {
            if ty != Ty::Int && *op == ArithOp::Rem {
                return Err(self.wrong("an operand of %", &ty, "int"));
            }
            Ok((*op, self.wanted(value, &ty, place)?))
        };
        let rest = rest.iter().map(operand).collect::<Result<_>>()?;
        Ok((ExprKind::Arith(Box::new(first), rest), ty))
    }

    fn compare(&mut self, rel: Rel, a: &Value, b: &Value) -> Result<ExprKind> {
        let (a, ty) = self.value(a)?;
        let expected = match (&ty, rel) {
            (Ty::Int | Ty::Float(_) | Ty::Str(_) | Ty::Bytes(_), _) => None,
            (Ty::Bool | Ty::Enum(_), Rel::Eq | Rel::Ne) => None,
            (Ty::Bool | Ty::Enum(_), _) => Some("integers or texts, since these have no order"),
            _ => Some("scalars or texts"),
        };
        if let Some(expected) = expected {
            return Err(self.wrong("an operand of a comparison", &ty, expected));
        }
        let b = self.wanted(b, &ty, "an operand of a comparison")?;
        Ok(ExprKind::Compare(rel, Box::new(a), Box::new(b)))
    }

    fn join(&mut self, parts: &[Value]) -> Result<(ExprKind, Ty)> {
        let (mut flat, mut max) = (Vec::with_capacity(parts.len()), 0u32);
        for part in parts {
            let (part, ty) = self.value(part)?;
            let Ty::Str(most) = ty else { return Err(self.wrong("a part of join", &ty, "string")) };
            max = max.saturating_add(most);
            match part.kind {
                ExprKind::Concat(inner) => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        match flat.len() {
            0 | 1 => {
                let expected = "at least two texts".to_owned();
                Err(BuildError::Type { place: "join".to_owned(), found: format!("{}", flat.len()), expected })
            }
            _ => Ok((ExprKind::Concat(flat), Ty::Str(max))),
        }
    }

    fn record(&mut self, name: &str, given: &[(String, Value)]) -> Result<(ExprKind, Ty)> {
        let ty = self.named(name)?;
        self.record_of(ty, name, given)
    }

    /// A struct that holds portals, where it is added to a list: made of what it holds, or what a loop over such a list has.
    pub(super) fn made(&mut self, value: &Value, ty: &Ty) -> Result<Expr> {
        if let Node::Record(name, given) = &value.0
            && self.any_named(name)? == *ty
        {
            return self.record_of(ty.clone(), name, given).map(|(made, _)| expr(made));
        }
        match self.value(value)? {
            (of @ Expr { kind: ExprKind::Var(_), .. }, found) if found == *ty => Ok(self.parts_of(of, ty)),
            (_, found) => Err(self.wrong("an element with portals", &found, "a record, or a loop's element")),
        }
    }

    fn parts_of(&self, of: Expr, ty: &Ty) -> Expr {
        let Ty::Record(id) = *ty else { return of };
        if !self.tables.is_apart(ty) {
            return of;
        }
        let fields = self.tables.records[id.index()].fields.iter().enumerate();
        let fields = fields
            .map(|(k, (_, ty))| self.parts_of(expr(ExprKind::Field(Box::new(of.clone()), k as u16)), ty));
        expr(ExprKind::Record(id, fields.collect()))
    }

    fn record_of(&mut self, ty: Ty, name: &str, given: &[(String, Value)]) -> Result<(ExprKind, Ty)> {
        let Ty::Record(id) = ty else { return Err(self.wrong(name, &ty, "a record")) };
        for (field, _) in given {
            self.field_of(&ty, field)?;
        }
        let mut values = Vec::with_capacity(given.len());
        for (field, wanted) in self.tables.records[id.index()].fields.clone() {
            values.push(match given.iter().find(|(name, _)| *name == field) {
                Some((_, value)) if self.tables.is_apart(&wanted) => self.made(value, &wanted)?,
                Some((_, value)) => self.wanted(value, &wanted, &format!("{name}.{field}"))?,
                None => self.zero(id, &field, &wanted)?,
            });
        }
        Ok((ExprKind::Record(id, values), ty))
    }

    /// The value of a field that is left out.
    fn zero(&self, of: RecordId, field: &str, ty: &Ty) -> Result<Expr> {
        Ok(expr(match ty {
            Ty::Int => ExprKind::Int(0),
            Ty::Bool => ExprKind::Bool(false),
            Ty::Float(precision) => ExprKind::Float(Float { precision: *precision, word: 0 }),
            Ty::Str(_) | Ty::Bytes(_) => ExprKind::Text(Vec::new()),
            Ty::Record(id) => {
                let fields = &self.tables.records[id.index()].fields;
                let zeros = fields.iter().map(|(field, ty)| self.zero(*id, field, ty));
                ExprKind::Record(*id, zeros.collect::<Result<_>>()?)
            }
            Ty::Enum(_) | Ty::List(..) | Ty::Portal(_) => {
                let record = self.tables.records[of.index()].name.clone();
                return Err(BuildError::FieldMissing { record, field: field.to_owned() });
            }
        }))
    }

    /// A call, and what it is worth.
    pub(super) fn call(&mut self, call: &Call) -> Result<(Expr, Option<Ty>)> {
        let call = self.plain_call(call)?;
        let op = &self.tables.ops[call.op.index()];
        if op.paged.is_some() {
            return Err(BuildError::Paged(self.tables.op_name(call.op)));
        }
        if op.gives_parts() {
            return Err(BuildError::Parts(self.tables.op_name(call.op)));
        }
        let ty = op.value.clone();
        Ok((expr(ExprKind::Call(Box::new(call))), ty))
    }

    /// A call of so many results that no value holds together.
    pub(super) fn parts_call(&mut self, call: &Call, found: usize) -> Result<CallExpr> {
        let call = self.plain_call(call)?;
        let op = &self.tables.ops[call.op.index()];
        let expected = if op.gives_parts() { op.results.len() } else { 0 };
        if found == expected && expected > 0 {
            return Ok(call);
        }
        let operation = self.tables.op_name(call.op);
        Err(BuildError::Names { operation, found, expected })
    }

    /// A call of a paged operation, and the type of its elements.
    pub(super) fn pages(&mut self, call: &Call) -> Result<(CallExpr, Ty)> {
        let call = self.plain_call(call)?;
        let op = &self.tables.ops[call.op.index()];
        match op.paged.map(|paged| &op.results[usize::from(paged.page)]) {
            Some(Ty::List(of, _)) => Ok((call, (**of).clone())),
            _ => Err(BuildError::NotPaged(self.tables.op_name(call.op))),
        }
    }

    fn plain_call(&mut self, call: &Call) -> Result<CallExpr> {
        let (target, op, args) = self.any_call(call, Self::argument)?;
        // The cursor of a paged operation begins empty.
        let empty = || expr(ExprKind::Text(Vec::new()));
        Ok(CallExpr { target, op, args: args.into_iter().map(|arg| arg.unwrap_or_else(empty)).collect() })
    }

    /// Target, operation and arguments of a call, as `argument` makes each of them; none for a cursor.
    pub(super) fn any_call<A>(
        &mut self,
        call: &Call,
        mut argument: impl FnMut(&mut Self, &Value, &Input, &str) -> Result<A>,
    ) -> Result<(Expr, OpId, Vec<Option<A>>)> {
        let (target, ty) = self.value(&call.target)?;
        let Ty::Portal(interface) = ty else {
            return Err(self.wrong(&format!("before `.{}`", call.op), &ty, "a portal"));
        };
        let described = self.tables.descriptor(interface);
        let Some((number, _)) = described.operation(&call.op) else {
            let (interface, operation) = (described.name.clone(), call.op.clone());
            return Err(BuildError::NoSuchOperation { interface, operation });
        };
        let imported = self.tables.operation(interface, number)?;
        let operation = self.tables.op_name(imported.id);
        if call.args.len() != imported.inputs.len() {
            let (found, expected) = (call.args.len(), imported.inputs.len());
            return Err(BuildError::ArgumentCount { operation, found, expected });
        }
        let mut given = Vec::with_capacity(call.args.len());
        for (value, input) in call.args.iter().zip(&*imported.inputs) {
            let place = format!("argument `{}` of {operation}", input.name);
            given.push(Some(argument(self, value, input, &place)?));
        }
        let args = imported.order.iter().map(|input| input.and_then(|k| given[k].take())).collect();
        if let Some(kind) = self.tables.ops[imported.id.index()].raises
            && let Some(raised) = self.raised.last_mut()
        {
            raised.push((kind, imported.message_max));
        }
        Ok((target, imported.id, args))
    }

    pub(super) fn argument(&mut self, value: &Value, input: &Input, place: &str) -> Result<Expr> {
        let value = self.wanted(value, &input.ty, place)?;
        match (&value.kind, input.range) {
            (ExprKind::Int(n), Some((min, max))) if !(min..=max).contains(n) => {
                Err(BuildError::Range { place: place.to_owned(), value: *n, min, max })
            }
            _ => Ok(value),
        }
    }
}

/// Whether a value of type `found` can stand where `wanted` is. Texts and lists of all capacities can: what is too long
/// stops the run.
fn fits(found: &Ty, wanted: &Ty) -> bool {
    match (found, wanted) {
        (Ty::Str(_), Ty::Str(_)) | (Ty::Bytes(_), Ty::Bytes(_)) => true,
        (Ty::List(a, _), Ty::List(b, _)) => a == b,
        (found, wanted) => found == wanted,
    }
}
