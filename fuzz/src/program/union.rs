//! Unions: made of one of their arms, gone by their case, and read as what an arm holds. Now and then the words are of no arm, or another
//! arm is read than the one that is there.

use carnet_program::tree::{
    Arm, Expr, ExprKind, Mutability, RecordId, Rel, Stmt, StmtKind, Ty, Union, Words,
};

use super::Gen;

/// What makes a value of a type.
type Make<'m> = dyn FnMut(&mut Gen<'_, '_>, &Ty) -> Expr + 'm;

impl Gen<'_, '_> {
    /// A record whose values are made so. Of a union they are mostly those of an arm.
    pub(super) fn record(&mut self, id: RecordId, make: &mut Make<'_>) -> Expr {
        let record = self.tree.records[id.index()].clone();
        let arms = record.union.as_ref().map(|union| (union, self.arms(union)));
        let fields = match arms {
            Some((union, arms)) if !arms.is_empty() && !self.entropy.one_in(16) => {
                let arm = self.entropy.pick(&arms).clone();
                let empty = |(_, ty): &(String, Ty)| match ty {
                    Ty::Bytes(_) => ExprKind::Text(Vec::new()),
                    _ => ExprKind::Int(0),
                };
                let mut words: Vec<Expr> =
                    record.fields.iter().map(|field| self.make(empty(field))).collect();
                words[0] = self.case(&record.fields[0].1, union, &arm);
                // A list is packed into as many as its union can have.
                let packed = record.fields.last().map_or(Ty::Bytes(0), |(_, ty)| ty.clone());
                self.put_words((&arm.ty, &packed), &mut Words::of(union), &mut words, make);
                words
            }
            _ => record.fields.iter().map(|(_, ty)| make(self, ty)).collect(),
        };
        self.make(ExprKind::Record(id, fields))
    }

    /// The arms of which there can be values.
    fn arms(&self, union: &Union) -> Vec<Arm> {
        union.arms.iter().filter(|arm| self.can(&arm.ty)).cloned().collect()
    }

    /// A case that chooses an arm.
    fn case(&mut self, ty: &Ty, union: &Union, arm: &Arm) -> Expr {
        let others = (0..100).find(|n| union.arm(*n) == Some(arm)).unwrap_or(0);
        let case = if arm.labels.is_empty() { others } else { *self.entropy.pick(&arm.labels) };
        self.make(match ty {
            Ty::Bool => ExprKind::Bool(case != 0),
            Ty::Enum(id) => ExprKind::Enum(*id, case as u16),
            _ => ExprKind::Int(case),
        })
    }

    /// Puts a value of an arm into the words of its union.
    fn put_words(
        &mut self,
        (ty, packed): (&Ty, &Ty),
        left: &mut Words,
        words: &mut [Expr],
        make: &mut Make<'_>,
    ) {
        if let Ty::Record(id) = ty {
            let types = self.types_of(*id);
            return types.iter().for_each(|ty| self.put_words((ty, packed), left, words, make));
        }
        let value = make(self, ty);
        let as_what = match ty {
            Ty::Int | Ty::Bytes(_) => None,
            Ty::Str(max) => Some(Ty::Bytes(*max)),
            Ty::List(..) => Some(packed.clone()),
            _ => Some(Ty::Int),
        };
        words[usize::from(left.next(ty))] = match as_what {
            Some(ty) => self.make(ExprKind::As(ty, Box::new(value))),
            None => value,
        };
    }

    /// What an arm holds, of the words of its union.
    fn held_by(&self, of: &Expr, ty: &Ty, left: &mut Words) -> Expr {
        if let Ty::Record(id) = ty {
            let fields = self.types_of(*id).iter().map(|ty| self.held_by(of, ty, left)).collect();
            return self.make(ExprKind::Record(*id, fields));
        }
        let word = self.make(ExprKind::Field(Box::new(of.clone()), left.next(ty)));
        match ty {
            Ty::Int | Ty::Bytes(_) => word,
            ty => self.make(ExprKind::As(ty.clone(), Box::new(word))),
        }
    }

    /// What a variable holds that is a union, by its case.
    pub(super) fn by_case(&mut self, depth: usize) -> Option<StmtKind> {
        let vars = self.vars(|_, var| self.union_of(&var.ty).is_some());
        let var = *vars.get(self.entropy.below(vars.len()))?;
        let union = self.union_of(self.ty(var))?.clone();
        let Ty::Record(id) = *self.ty(var) else { return None };
        let switch = self.types_of(id).swap_remove(0);
        let of = self.make(ExprKind::Var(var));
        let mut arms = Vec::new();
        for _ in 0..1 + self.entropy.below(3) {
            let arm = self.entropy.pick(&union.arms).clone();
            let found = self.make(ExprKind::Field(Box::new(of.clone()), 0));
            let case = self.case(&switch, &union, &arm);
            let rel = if self.entropy.one_in(12) { Rel::Ne } else { Rel::Eq };
            let is_it = self.make(ExprKind::Compare(rel, Box::new(found), Box::new(case)));
            let before = self.visible.len();
            let value = self.held_by(&of, &arm.ty, &mut Words::of(&union));
            let held = self.declare("held", arm.ty.clone(), Mutability::Fixed);
            let bound = Stmt { pos: self.pos(), kind: StmtKind::Let { var: held, value } };
            let mut block = self.block(depth - 1);
            let seen = if self.entropy.one_in(2) { self.witness(held) } else { None };
            block.stmts.splice(0..0, std::iter::once(bound).chain(seen));
            self.visible.truncate(before);
            arms.push((is_it, block));
        }
        let otherwise = self.block(depth - 1);
        Some(StmtKind::If { arms, otherwise })
    }

    fn types_of(&self, id: RecordId) -> Vec<Ty> {
        self.tree.records[id.index()].fields.iter().map(|(_, ty)| ty.clone()).collect()
    }

    fn union_of(&self, ty: &Ty) -> Option<&Union> {
        let Ty::Record(id) = ty else { return None };
        self.tree.records[id.index()].union.as_ref()
    }
}
