//! Repeats and strided moves.

use carnet_program::tree::{OpId, Repeat, RepeatArg, StmtKind, Strided, Ty};

use super::Gen;

impl Gen<'_, '_> {
    /// A call made several times, of an operation that makes no portals.
    pub(super) fn repeat(&mut self, depth: usize) -> Option<StmtKind> {
        let plain = |op: &carnet_program::tree::Op| {
            op.paged.is_none()
                && !op.results.iter().any(|ty| matches!(ty, Ty::Portal(_)))
                && !op.args.iter().chain(&op.results).any(|ty| self.tree.lists_portals(ty))
        };
        let ops: Vec<usize> = (0..self.tree.ops.len()).filter(|k| plain(&self.tree.ops[*k])).collect();
        let op = OpId(*ops.get(self.entropy.below(ops.len()))? as u16);
        let times = 1 + self.entropy.below(4) as u16;
        let call = self.call(op, depth);
        let (types, value) =
            (self.tree.ops[op.index()].args.clone(), self.tree.ops[op.index()].value.clone());
        let mut args = Vec::new();
        for (arg, ty) in call.args.into_iter().zip(&types) {
            let items = if self.entropy.one_in(2) { self.strided(ty, times) } else { None };
            args.push(items.map_or(RepeatArg::Same(arg), RepeatArg::Each));
        }
        let into = value.filter(|_| !self.entropy.one_in(3)).and_then(|ty| self.strided(&ty, times));
        Some(StmtKind::Repeat(Box::new(Repeat { target: call.target, op, args, times, into })))
    }

    pub(super) fn a_move(&mut self) -> Option<StmtKind> {
        let (ty, count) = (self.scalar_type(), 1 + self.entropy.below(4) as u16);
        Some(StmtKind::Move { from: self.strided(&ty, count)?, to: self.strided(&ty, count)?, count })
    }

    /// Scalars of type `ty` in some variable that may change.
    fn strided(&mut self, ty: &Ty, count: u16) -> Option<Strided> {
        if !matches!(ty, Ty::Int | Ty::Bool | Ty::Float(_) | Ty::Enum(_)) {
            return None;
        }
        let vars = self.changeable(|of| self.words(of).contains(ty));
        let var = *vars.get(self.entropy.below(vars.len()))?;
        let words = self.words(self.ty(var));
        let firsts: Vec<usize> = (0..words.len()).filter(|k| words[*k] == *ty).collect();
        let first = *self.entropy.pick(&firsts);
        let good = |step: &usize| (0..usize::from(count)).all(|k| words.get(first + k * step) == Some(ty));
        let steps: Vec<usize> = (0..words.len()).filter(good).collect();
        let step = *self.entropy.pick(&steps);
        Some(Strided { var, first: first as u16, step: step as u16 })
    }

    /// The types of the words of a value.
    fn words(&self, ty: &Ty) -> Vec<Ty> {
        match ty {
            Ty::Record(id) => {
                self.tree.records[id.index()].fields.iter().flat_map(|(_, ty)| self.words(ty)).collect()
            }
            ty => vec![ty.clone()],
        }
    }
}
