//! Calls that are repeated, and moves, over strided scalars of records.

use super::{BuildError, Checker, Result, Ty};
use crate::builder::nodes::{Call, Node, Strided};
use crate::tree::{self, Repeat, RepeatArg, StmtKind};

impl Checker<'_> {
    pub(super) fn repeat(&mut self, call: &Call, times: u16, into: Option<&Strided>) -> Result<StmtKind> {
        let (target, op, args) = self.any_call(call, |checker, value, input, place| match &value.0 {
            Node::Strided(items) => checker.strided_of(items, times, &input.ty, place).map(RepeatArg::Each),
            _ => checker.argument(value, input, place).map(RepeatArg::Same),
        })?;
        let described = &self.tables.ops[op.index()];
        if described.paged.is_some() {
            return Err(BuildError::Paged(self.tables.op_name(op)));
        }
        let makes_portals =
            described.results.iter().any(|ty| matches!(ty, Ty::Portal(_)) || self.tables.lists_portals(ty));
        if makes_portals || described.args.iter().any(|ty| self.tables.lists_portals(ty)) {
            return Err(BuildError::MakesPortals(self.tables.op_name(op)));
        }
        let back = described.value.clone();
        let into = match (into, back) {
            (None, _) => None,
            (Some(_), None) => return Err(BuildError::NothingBack(self.tables.op_name(op))),
            (Some(into), Some(ty)) => Some(self.strided_of(into, times, &ty, "where the results go")?),
        };
        if times == 0 {
            return Err(BuildError::NoTimes);
        }
        let args = args.into_iter().flatten().collect();
        Ok(StmtKind::Repeat(Box::new(Repeat { target, op, args, times, into })))
    }

    /// Items of type `wanted`.
    pub(super) fn strided_of(
        &mut self,
        items: &Strided,
        count: u16,
        wanted: &Ty,
        place: &str,
    ) -> Result<tree::Strided> {
        let (items, ty) = self.strided(items, count)?;
        if ty == *wanted { Ok(items) } else { Err(self.wrong(place, &ty, &self.show(wanted))) }
    }

    /// The first `count` items and their type.
    pub(super) fn strided(&mut self, items: &Strided, count: u16) -> Result<(tree::Strided, Ty)> {
        if count == 0 {
            return Err(BuildError::NoTimes);
        }
        let (place, ty) = self.place(&items.first)?;
        if place.index.is_some() {
            return Err(BuildError::NoPlace);
        }
        if !matches!(ty, Ty::Int | Ty::Bool | Ty::Float(_) | Ty::Enum(_)) {
            return Err(self.wrong("the first of strided items", &ty, "a scalar"));
        }
        let (mut before, mut words) = (Vec::new(), Vec::new());
        let mut of = self.vars[place.var.index()].ty.clone();
        self.words(&of, &mut words);
        for field in place.fields {
            let Ty::Record(id) = of else { return Err(BuildError::NoPlace) };
            let fields = &self.tables.records[id.index()].fields;
            fields[..usize::from(field)].iter().for_each(|(_, ty)| self.words(ty, &mut before));
            of = fields[usize::from(field)].1.clone();
        }
        let first = before.len();
        let mut all = (0..usize::from(count)).map(|k| first + k * usize::from(items.step));
        if let Some(word) = all.find(|word| words.get(*word) != Some(&ty)) {
            let var = self.made[place.var.index()].name.clone();
            return Err(BuildError::Items { var, first, word });
        }
        Ok((tree::Strided { var: place.var, first: first as u16, step: items.step }, ty))
    }

    /// Appends the types of the words of a value.
    fn words(&self, ty: &Ty, words: &mut Vec<Ty>) {
        match ty {
            Ty::Record(id) => {
                self.tables.records[id.index()].fields.iter().for_each(|(_, ty)| self.words(ty, words))
            }
            ty => words.push(ty.clone()),
        }
    }
}
