//! Expressions.

use carnet_program::tree::{
    ArithOp, Block, CallExpr, EnumId, Expr, ExprKind, Inline, Mutability, OpId, Precision, Record, RecordId,
    Rel, Stmt, StmtKind, TextTest, Ty, VarId,
};

use super::{Frame, Gen, fits};

const RELS: [Rel; 6] = [Rel::Eq, Rel::Ne, Rel::Lt, Rel::Le, Rel::Gt, Rel::Ge];
const OPS: [ArithOp; 5] = [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div, ArithOp::Rem];
const TESTS: [TextTest; 3] = [TextTest::StartsWith, TextTest::EndsWith, TextTest::Contains];

fn max(ty: &Ty) -> u32 {
    match ty {
        Ty::Str(max) | Ty::Bytes(max) | Ty::List(_, max) => *max,
        _ => 0,
    }
}

impl Gen<'_, '_> {
    /// Whether there is an expression of type `ty` at all.
    pub(super) fn can(&self, ty: &Ty) -> bool {
        !matches!(ty, Ty::List(..))
            || !self.vars(|_, var| fits(&var.ty, ty)).is_empty()
            || !self.ops_for(ty).is_empty()
    }

    pub(super) fn expr(&mut self, ty: &Ty, depth: usize) -> Expr {
        if depth == 0 || !self.spend(1) || self.tree.lists_portals(ty) {
            return self.leaf(ty);
        }
        match self.entropy.below(12) {
            0 | 1 => self.leaf(ty),
            2 | 3 => self.call_for(ty, depth).unwrap_or_else(|| self.leaf(ty)),
            4 if self.spend(4) => self.inline_for(ty, depth),
            5 | 6 => self.field_for(ty, depth).unwrap_or_else(|| self.leaf(ty)),
            7 => self.index_for(ty, depth).unwrap_or_else(|| self.leaf(ty)),
            _ => self.own_form(ty, depth),
        }
    }

    /// A form that only values of such a type have.
    pub(super) fn own_form(&mut self, ty: &Ty, depth: usize) -> Expr {
        let d = depth - 1;
        let kind = match ty {
            Ty::Int => match self.entropy.below(6) {
                5 => {
                    let of = match self.entropy.below(3) {
                        0 => Ty::Bool,
                        1 => Ty::Float(*self.entropy.pick(&Precision::ALL)),
                        _ => Ty::Enum(EnumId(0)),
                    };
                    ExprKind::As(Ty::Int, Box::new(self.expr(&of, d)))
                }
                0 => ExprKind::Neg(Box::new(self.expr(&Ty::Int, d))),
                1 => return self.len(d),
                _ => {
                    let mut kind = self.expr(&Ty::Int, d).kind;
                    for _ in 0..1 + self.entropy.below(2) {
                        let (op, left) = (*self.entropy.pick(&OPS), self.make(kind));
                        kind = ExprKind::arith(op, left, self.expr(&Ty::Int, d));
                    }
                    kind
                }
            },
            Ty::Bool => return self.truth(d),
            Ty::Float(precision) => match self.entropy.below(7) {
                6 => ExprKind::As(ty.clone(), Box::new(self.word_of(ty, d))),
                0 => ExprKind::Neg(Box::new(self.expr(ty, d))),
                1 => ExprKind::Convert(*precision, Box::new(self.expr(&Ty::Int, d))),
                2 => ExprKind::Convert(*precision, Box::new(self.expr(&Ty::Float(precision.other()), d))),
                _ => {
                    let mut kind = self.expr(ty, d).kind;
                    for _ in 0..1 + self.entropy.below(2) {
                        let (op, left) = (*self.entropy.pick(&OPS[..4]), self.make(kind));
                        kind = ExprKind::arith(op, left, self.expr(ty, d));
                    }
                    kind
                }
            },
            Ty::Enum(_) => ExprKind::As(ty.clone(), Box::new(self.word_of(ty, d))),
            Ty::Str(max) if self.entropy.one_in(6) => {
                let of = self.expr(&Ty::Bytes(*max), d);
                ExprKind::As(ty.clone(), Box::new(of))
            }
            // Mostly as short a beginning as is there.
            Ty::Str(_) | Ty::Bytes(_) if self.entropy.one_in(8) => {
                let of = self.expr(ty, d);
                let at = ExprKind::Int(self.entropy.below(3) as i64);
                ExprKind::Tail(Box::new(of), Box::new(self.make(at)))
            }
            Ty::Bytes(max) => {
                let of = self.expr(&Ty::Str(*max), d);
                ExprKind::As(ty.clone(), Box::new(of))
            }
            Ty::Str(max) => {
                let count = 2 + self.entropy.below(2);
                ExprKind::Concat((0..count).map(|_| self.part(*max, d)).collect())
            }
            Ty::Record(id) => {
                // Bytes of its own are mostly no list, and end the run where they are read.
                let list = self.tree.records[id.index()].list.clone();
                match list.filter(|list| self.can(list)) {
                    Some(list) if !self.entropy.one_in(16) => {
                        let bytes = self.tree.records[id.index()].fields[0].1.clone();
                        let list = self.expr(&list, d);
                        let bytes = self.make(ExprKind::As(bytes, Box::new(list)));
                        ExprKind::Record(*id, vec![bytes])
                    }
                    _ => return self.record(*id, &mut |making, ty| making.expr(ty, d)),
                }
            }
            Ty::List(..) => {
                let of = |record: &Record| record.list.as_ref().is_some_and(|list| fits(list, ty));
                let Some(at) = self.tree.records.iter().position(of) else { return self.leaf(ty) };
                let Some(list) = self.tree.records[at].list.clone() else { return self.leaf(ty) };
                let part = self.expr(&Ty::Record(RecordId(at as u16)), d);
                let bytes = self.make(ExprKind::Field(Box::new(part), 0));
                ExprKind::As(list, Box::new(bytes))
            }
            _ => return self.leaf(ty),
        };
        self.make(kind)
    }

    /// An integer that is read as a scalar of this type: mostly the word of one.
    fn word_of(&mut self, ty: &Ty, d: usize) -> Expr {
        if self.entropy.one_in(16) {
            return self.expr(&Ty::Int, d);
        }
        let of = self.expr(ty, d);
        self.make(ExprKind::As(Ty::Int, Box::new(of)))
    }

    /// A part of a concatenation, which is none itself.
    fn part(&mut self, max: u32, depth: usize) -> Expr {
        let part = self.expr(&Ty::Str(max), depth);
        if matches!(part.kind, ExprKind::Concat(_)) { self.leaf(&Ty::Str(max)) } else { part }
    }

    /// Two or three of them.
    fn truths(&mut self, d: usize) -> Vec<Expr> {
        (0..2 + self.entropy.below(2)).map(|_| self.expr(&Ty::Bool, d)).collect()
    }

    fn truth(&mut self, d: usize) -> Expr {
        let kind = match self.entropy.below(7) {
            6 => ExprKind::As(Ty::Bool, Box::new(self.word_of(&Ty::Bool, d))),
            0 => ExprKind::Not(Box::new(self.expr(&Ty::Bool, d))),
            1 => ExprKind::And(self.truths(d)),
            2 => ExprKind::Or(self.truths(d)),
            3 => {
                let ty = self.text_type();
                let test = *self.entropy.pick(&TESTS);
                ExprKind::Test(test, Box::new(self.expr(&ty, d)), Box::new(self.expr(&ty, d)))
            }
            _ => {
                let ty = if self.entropy.one_in(3) { self.text_type() } else { self.scalar_type() };
                let rels = if matches!(ty, Ty::Bool | Ty::Enum(_)) { &RELS[..2] } else { &RELS[..] };
                let rel = *self.entropy.pick(rels);
                ExprKind::Compare(rel, Box::new(self.expr(&ty, d)), Box::new(self.expr(&ty, d)))
            }
        };
        self.make(kind)
    }

    fn text_type(&mut self) -> Ty {
        if self.entropy.one_in(4) { Ty::Bytes(64) } else { Ty::Str(40) }
    }

    fn len(&mut self, d: usize) -> Expr {
        let lists = self.vars(|_, var| matches!(var.ty, Ty::List(..)));
        let of = if !lists.is_empty() && self.entropy.one_in(2) {
            let list = *self.entropy.pick(&lists);
            self.make(ExprKind::Var(list))
        } else {
            let ty = self.text_type();
            self.expr(&ty, d)
        };
        self.make(ExprKind::Len(Box::new(of)))
    }

    /// A variable or constant.
    pub(super) fn leaf(&mut self, ty: &Ty) -> Expr {
        let mut vars = self.vars(|_, var| fits(&var.ty, ty));
        if !self.entropy.one_in(12) {
            // What is surely no longer than its place, if there is any.
            let short = self.vars(|_, var| fits(&var.ty, ty) && max(&var.ty) <= max(ty));
            vars = if short.is_empty() { vars } else { short };
        }
        let constant = matches!(ty, Ty::Int | Ty::Bool | Ty::Float(_) | Ty::Enum(_) | Ty::Str(_))
            && self.entropy.one_in(3);
        if !vars.is_empty() && !constant {
            let var = *self.entropy.pick(&vars);
            return self.make(ExprKind::Var(var));
        }
        let kind = match ty {
            Ty::Int => ExprKind::Int(self.entropy.int()),
            Ty::Bool => ExprKind::Bool(self.entropy.one_in(2)),
            Ty::Float(precision) => ExprKind::Float(self.entropy.float(*precision)),
            Ty::Enum(id) => {
                let values = self.tree.enums[id.index()].values.len();
                ExprKind::Enum(*id, self.entropy.below(values) as u16)
            }
            Ty::Str(max) => {
                let max = if self.entropy.one_in(12) { 300 } else { *max as usize };
                ExprKind::Text(self.entropy.text(max.min(300)))
            }
            Ty::Record(id) => return self.record(*id, &mut |making, ty| making.leaf(ty)),
            _ => return self.call_for(ty, 1).unwrap_or_else(|| panic!("no expression of type {ty:?}")),
        };
        self.make(kind)
    }

    /// A field of type `ty` of some record.
    fn field_for(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let mut found = Vec::new();
        for (r, record) in self.tree.records.iter().enumerate() {
            for (f, (_, field)) in record.fields.iter().enumerate() {
                if fits(field, ty) {
                    found.push((carnet_program::tree::RecordId(r as u16), f as u16));
                }
            }
        }
        let (record, field) = *found.get(self.entropy.below(found.len()))?;
        let ty = Ty::Record(record);
        let of = match self.tree.holds_portals(&ty) {
            true => self.element_for(&ty, depth)?,
            false => self.expr(&ty, depth - 1),
        };
        Some(self.make(ExprKind::Field(Box::new(of), field)))
    }

    /// What is added to a list of records that hold portals: such a record is made there.
    pub(super) fn made(&mut self, ty: &Ty, depth: usize) -> Expr {
        match ty {
            Ty::Record(id) if self.tree.holds_portals(ty) => {
                let fields = self.tree.records[id.index()].fields.clone();
                let fields = fields.iter().map(|(_, ty)| self.made(ty, depth)).collect();
                self.make(ExprKind::Record(*id, fields))
            }
            ty => self.expr(ty, depth),
        }
    }

    /// An element of a list, of a record that holds portals and is no value; or what such an element holds.
    fn element_for(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if depth == 0 {
            return None;
        }
        match self.entropy.below(3) {
            0 => self.field_for(ty, depth - 1),
            1 => self.index_for(ty, depth),
            _ => {
                let vars = self.vars(|_, var| var.ty == *ty);
                let var = *vars.get(self.entropy.below(vars.len()))?;
                Some(self.make(ExprKind::Var(var)))
            }
        }
    }

    fn index_for(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let lists = self.vars(|_, var| matches!(&var.ty, Ty::List(element, _) if fits(element, ty)));
        let list = *lists.get(self.entropy.below(lists.len()))?;
        let index = self.small(depth - 1);
        Some(self.make(ExprKind::Index(list, Box::new(index))))
    }

    /// An integer that is probably small.
    pub(super) fn small(&mut self, depth: usize) -> Expr {
        if self.entropy.one_in(4) {
            return self.expr(&Ty::Int, depth);
        }
        let n = self.entropy.below(4) as i64;
        self.make(ExprKind::Int(n))
    }

    /// Operations whose calls are worth a value of type `ty`.
    fn ops_for(&self, ty: &Ty) -> Vec<OpId> {
        let worth = |k: &usize| self.tree.ops[*k].value.as_ref().is_some_and(|value| fits(value, ty));
        (0..self.tree.ops.len()).filter(worth).map(|k| OpId(k as u16)).collect()
    }

    pub(super) fn call_for(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let ops = self.ops_for(ty);
        let op = *ops.get(self.entropy.below(ops.len()))?;
        let call = self.call(op, depth);
        Some(self.make(ExprKind::Call(Box::new(call))))
    }

    pub(super) fn call(&mut self, op: OpId, depth: usize) -> CallExpr {
        let d = depth.saturating_sub(1);
        let described = &self.tree.ops[op.index()];
        let (interface, types) = (described.interface, described.args.clone());
        let cursor = described.paged.map(|paged| usize::from(paged.cursor));
        let target = self.expr(&Ty::Portal(interface), d);
        let args = types.iter().enumerate().map(|(k, ty)| match ty {
            _ if cursor == Some(k) => self.make(ExprKind::Text(Vec::new())),
            Ty::Int => self.small(d),
            ty => self.expr(ty, d),
        });
        CallExpr { target, op, args: args.collect() }
    }

    /// An expanded function that is worth a value of type `ty`.
    fn inline_for(&mut self, ty: &Ty, depth: usize) -> Expr {
        if matches!(ty, Ty::List(..)) && !self.can(ty) {
            return self.leaf(ty);
        }
        let result = self.new_var("result", ty.clone(), Mutability::Changes);
        let inline = self.inline(Some((result, ty)), depth);
        self.make(ExprKind::Inline(Box::new(inline)))
    }

    pub(super) fn inline(&mut self, result: Option<(VarId, &Ty)>, depth: usize) -> Inline {
        let before = self.visible.len();
        let leaves = Some(result.map(|(_, ty)| ty.clone()));
        self.frames.push(Frame { loops: 0, leaves });
        let mut stmts = Vec::new();
        for _ in 0..self.entropy.below(3) {
            let ty = self.data_or_portal();
            if self.can(&ty) {
                stmts.push(self.bind(ty, depth));
            }
        }
        for _ in 0..self.entropy.below(3) {
            stmts.extend(self.stmt(depth.min(3)));
        }
        if let Some((_, ty)) = result {
            let value = self.expr(ty, depth - 1);
            stmts.push(Stmt { pos: self.pos(), kind: StmtKind::Leave(Some(value)) });
        }
        self.frames.pop();
        self.visible.truncate(before);
        Inline { result: result.map(|(var, _)| var), body: Block { stmts } }
    }
}
