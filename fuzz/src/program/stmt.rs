//! Statements.

use carnet_program::tree::{
    ArithOp, Bind, Block, CallExpr, Expr, ExprKind, InterfaceId, Limit, Mutability, OpId, Place, RecordId,
    Stmt, StmtKind, Ty, VarId,
};

use super::Gen;

/// Depth of the expressions in statements.
const DEPTH: usize = 3;

/// The variable that a statement changes.
fn changed(stmt: &Stmt) -> Option<VarId> {
    match &stmt.kind {
        StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => Some(place.var),
        StmtKind::Move { to, .. } => Some(to.var),
        StmtKind::Repeat(repeat) => repeat.into.map(|into| into.var),
        StmtKind::Try { bind: Bind::Assign(place), .. } => Some(place.var),
        _ => None,
    }
}

impl Gen<'_, '_> {
    pub(super) fn block(&mut self, depth: usize) -> Block {
        let (before, count) = (self.visible.len(), 1 + self.entropy.below(6));
        let mut stmts = Vec::new();
        for _ in 0..count {
            stmts.extend(self.stmt(depth));
            let changed = stmts.last().and_then(changed);
            let tried = matches!(stmts.last().map(|stmt| &stmt.kind), Some(StmtKind::Try { .. }));
            if let Some(var) = changed.filter(|_| tried || self.entropy.one_in(3)) {
                stmts.extend(self.witness(var));
            }
        }
        if self.entropy.one_in(7) {
            stmts.push(self.leaving());
        }
        self.visible.truncate(before);
        Block { stmts }
    }

    /// A call that shows a variable to the service.
    pub(super) fn witness(&mut self, var: VarId) -> Option<Stmt> {
        let see = self.tree.ops.iter().position(|op| op.name == "see")?;
        let mut seen = self.make(ExprKind::Var(var));
        let mut ty = self.ty(var).clone();
        while let Ty::Record(id) = ty {
            let field = self.entropy.below(self.tree.records[id.index()].fields.len());
            ty = self.tree.records[id.index()].fields[field].1.clone();
            seen = self.make(ExprKind::Field(Box::new(seen), field as u16));
        }
        let place = match ty {
            Ty::Str(_) => 0,
            Ty::Bytes(_) => 1,
            Ty::Int => 2,
            _ => return None,
        };
        let mut call = self.call(OpId(see as u16), 1);
        call.args[place] = seen;
        let value = self.make(ExprKind::Call(Box::new(call)));
        Some(Stmt { pos: self.pos(), kind: StmtKind::Do(value) })
    }

    /// A block that never ends normally.
    fn leaving_block(&mut self, depth: usize) -> Block {
        let mut block = self.block(depth);
        let leaves = |stmt: &Stmt| {
            matches!(
                stmt.kind,
                StmtKind::Return(_)
                    | StmtKind::Break
                    | StmtKind::Continue
                    | StmtKind::Fail(_)
                    | StmtKind::Leave(_)
            )
        };
        if !block.stmts.last().is_some_and(leaves) {
            block.stmts.push(self.leaving());
        }
        block
    }

    fn leaving(&mut self) -> Stmt {
        let frame = self.frames.last().cloned();
        let (loops, leaves) = frame.map_or((0, None), |frame| (frame.loops, frame.leaves));
        let kind = match (self.entropy.below(8), leaves) {
            (0..=3, _) if loops > 0 => StmtKind::Continue,
            (4 | 5, _) if loops > 0 => StmtKind::Break,
            (6, _) if self.entropy.one_in(4) => StmtKind::Fail(self.expr(&Ty::Str(100), 2)),
            (_, Some(None)) => StmtKind::Leave(None),
            (_, Some(Some(ty))) if self.can(&ty) => StmtKind::Leave(Some(self.expr(&ty, 2))),
            (_, None) => match self.tree.result.clone() {
                None => StmtKind::Return(None),
                Some(ty) if self.can(&ty) => StmtKind::Return(Some(self.expr(&ty, DEPTH))),
                Some(_) => StmtKind::Fail(self.leaf(&Ty::Str(9))),
            },
            _ => StmtKind::Fail(self.leaf(&Ty::Str(9))),
        };
        Stmt { pos: self.pos(), kind }
    }

    /// A type of variables.
    pub(super) fn data_or_portal(&mut self) -> Ty {
        if self.entropy.one_in(4) {
            Ty::Portal(InterfaceId(self.entropy.below(self.tree.interfaces.len()) as u16))
        } else {
            self.data_type()
        }
    }

    /// A list of portals.
    pub(super) fn portals_type(&mut self) -> Ty {
        let of = InterfaceId(self.entropy.below(self.tree.interfaces.len()) as u16);
        Ty::List(Box::new(Ty::Portal(of)), *self.entropy.pick(&[1, 3, 64]))
    }

    fn mutability(&mut self) -> Mutability {
        if self.entropy.one_in(2) { Mutability::Changes } else { Mutability::Fixed }
    }

    /// `let` or `var` with a value, in scope behind it.
    pub(super) fn bind(&mut self, ty: Ty, depth: usize) -> Stmt {
        let pos = self.pos();
        let value = self.expr(&ty, depth.min(DEPTH));
        let mutability = self.mutability();
        let var = self.declare("v", ty, mutability);
        Stmt { pos, kind: StmtKind::Let { var, value } }
    }

    pub(super) fn stmt(&mut self, depth: usize) -> Option<Stmt> {
        if !self.spend(1) {
            return None;
        }
        let pos = self.pos();
        let kind = match self.entropy.below(30) {
            0..=3 => {
                let ty = self.data_or_portal();
                return self.can(&ty).then(|| self.bind(ty, DEPTH));
            }
            4 | 5 => {
                let mut ty = self.data_type();
                if self.entropy.one_in(3) {
                    ty = Ty::List(Box::new(self.element_type()), *self.entropy.pick(&[2, 6, 40]));
                } else if self.entropy.one_in(12) {
                    ty = Ty::Portal(InterfaceId(0));
                } else if self.entropy.one_in(4) {
                    ty = self.portals_type();
                } else if self.entropy.one_in(4) {
                    // Of any record, also of one that holds portals.
                    let of = RecordId(self.entropy.below(self.tree.records.len()) as u16);
                    ty = Ty::List(Box::new(Ty::Record(of)), *self.entropy.pick(&[1, 3, 20]));
                }
                if self.tree.holds_union(&ty) {
                    // It has no zero.
                    return self.can(&ty).then(|| self.bind(ty, DEPTH));
                }
                StmtKind::Declare(self.declare("v", ty, Mutability::Changes))
            }
            6 | 7 => {
                let (place, ty) = self.place()?;
                let value = self.can(&ty).then(|| self.expr(&ty, DEPTH))?;
                StmtKind::Assign { place, value }
            }
            8 | 9 => self.update()?,
            10 | 11 => self.add()?,
            12 => self.sort()?,
            13 => StmtKind::Do(self.effect()),
            14 | 15 if depth > 0 => self.if_else(depth),
            16..=19 if depth > 0 && self.frames.iter().map(|f| f.loops).sum::<usize>() < 5 => {
                self.a_loop(depth)?
            }
            20..=22 if depth > 0 => self.try_else(depth),
            23 | 24 => self.repeat(DEPTH)?,
            25 => self.a_move()?,
            26 => self.let_parts()?,
            27 | 28 if depth > 0 => self.by_case(depth)?,
            _ => StmtKind::Do(self.effect()),
        };
        Some(Stmt { pos, kind })
    }

    /// An expression for its effect.
    fn effect(&mut self) -> Expr {
        if self.spend(5) && self.entropy.one_in(6) {
            let inline = self.inline(None, 2);
            return self.make(ExprKind::Inline(Box::new(inline)));
        }
        let ops: Vec<OpId> = (0..self.tree.ops.len())
            .filter(|k| self.tree.ops[*k].paged.is_none() && !self.tree.ops[*k].gives_parts())
            .map(|k| OpId(k as u16))
            .collect();
        let op = *self.entropy.pick(&ops);
        let call = self.call(op, DEPTH);
        self.make(ExprKind::Call(Box::new(call)))
    }

    /// A call of several results that no value holds, and variables for them, which are not in scope yet.
    fn parts(&mut self) -> Option<(CallExpr, Vec<VarId>)> {
        let ops: Vec<usize> = (0..self.tree.ops.len()).filter(|k| self.tree.ops[*k].gives_parts()).collect();
        let op = OpId(*ops.get(self.entropy.below(ops.len()))? as u16);
        let call = self.call(op, DEPTH);
        let results = self.tree.ops[op.index()].results.clone();
        let vars = results.into_iter().map(|ty| self.new_var("part", ty, Mutability::Fixed)).collect();
        Some((call, vars))
    }

    fn let_parts(&mut self) -> Option<StmtKind> {
        let (call, vars) = self.parts()?;
        vars.iter().for_each(|var| self.see(*var));
        Some(StmtKind::LetParts { vars, call: Box::new(call) })
    }

    /// Something that may be changed, and its type.
    fn place(&mut self) -> Option<(Place, Ty)> {
        let locked = self.locked.clone();
        let vars = self.changeable(|ty| !self.tree.lists_portals(ty));
        let vars: Vec<VarId> = vars.into_iter().filter(|var| !locked.contains(var)).collect();
        let var = *vars.get(self.entropy.below(vars.len()))?;
        let mut ty = self.ty(var).clone();
        let mut index = None;
        if let Ty::List(element, _) = &ty
            && !self.entropy.one_in(3)
        {
            ty = (**element).clone();
            index = Some(self.small(2));
        }
        let mut fields = Vec::new();
        while let Ty::Record(id) = ty
            && !self.entropy.one_in(4)
        {
            let record = &self.tree.records[id.index()].fields;
            let field = self.entropy.below(record.len());
            ty = record[field].1.clone();
            fields.push(field as u16);
        }
        Some((Place { var, index, fields }, ty))
    }

    fn update(&mut self) -> Option<StmtKind> {
        let (place, ty) = self.place()?;
        match ty {
            Ty::Int => {
                let op = if self.entropy.one_in(3) { ArithOp::Sub } else { ArithOp::Add };
                let value = self.small(DEPTH);
                Some(StmtKind::Update { place, op, value })
            }
            Ty::Float(_) => {
                let op = if self.entropy.one_in(3) { ArithOp::Sub } else { ArithOp::Add };
                let value = self.expr(&ty, DEPTH);
                Some(StmtKind::Update { place, op, value })
            }
            Ty::Str(_) | Ty::Bytes(_) if place.index.is_none() => {
                let value = self.expr(&ty, DEPTH);
                Some(StmtKind::Update { place, op: ArithOp::Add, value })
            }
            _ => None,
        }
    }

    fn add(&mut self) -> Option<StmtKind> {
        let lists = self.changeable(|ty| matches!(ty, Ty::List(..)));
        let list = *lists.get(self.entropy.below(lists.len()))?;
        let Ty::List(element, _) = self.ty(list).clone() else { return None };
        Some(StmtKind::Add { list, value: self.made(&element, DEPTH) })
    }

    fn sort(&mut self) -> Option<StmtKind> {
        let locked = self.locked.clone();
        let lists =
            self.changeable(|ty| matches!(ty, Ty::List(element, _) if matches!(**element, Ty::Record(_))));
        let sorts = |var: &VarId| !locked.contains(var) && !self.tree.lists_portals(self.ty(*var));
        let lists: Vec<VarId> = lists.into_iter().filter(sorts).collect();
        let list = *lists.get(self.entropy.below(lists.len()))?;
        let Ty::List(element, _) = self.ty(list).clone() else { return None };
        let Ty::Record(id) = *element else { return None };
        let fields = &self.tree.records[id.index()].fields;
        let sorts = |k: &u16| !matches!(fields[usize::from(*k)].1, Ty::Record(_) | Ty::Float(_));
        let plain: Vec<u16> = (0..fields.len() as u16).filter(sorts).collect();
        if plain.is_empty() {
            return None;
        }
        let count = 1 + self.entropy.below(2);
        let keys = (0..count).map(|_| *self.entropy.pick(&plain)).collect();
        Some(StmtKind::Sort { list, keys })
    }

    fn if_else(&mut self, depth: usize) -> StmtKind {
        let count = 1 + self.entropy.below(2);
        let arms = (0..count).map(|_| (self.expr(&Ty::Bool, DEPTH), self.block(depth - 1))).collect();
        let otherwise = if self.entropy.one_in(2) { self.block(depth - 1) } else { Block::default() };
        StmtKind::If { arms, otherwise }
    }

    fn limit(&mut self) -> Limit {
        match self.entropy.below(6) {
            0 => Limit::None,
            1 => Limit::At(self.entropy.below(3) as u64),
            // Two calls in it are more than a bill can count.
            2 => Limit::At(u64::MAX - 1),
            _ => Limit::At(self.entropy.below(30) as u64),
        }
    }

    /// The body of a loop that declares `vars`.
    fn body(&mut self, depth: usize) -> Block {
        let frame = self.frames.len() - 1;
        self.frames[frame].loops += 1;
        let body = self.block(depth - 1);
        self.frames[frame].loops -= 1;
        body
    }

    fn a_loop(&mut self, depth: usize) -> Option<StmtKind> {
        let before = self.visible.len();
        let kind = match self.entropy.below(6) {
            0 => {
                let (cond, limit) = (self.expr(&Ty::Bool, DEPTH), self.limit());
                StmtKind::While { cond, limit, body: self.body(depth) }
            }
            1 => {
                let (from, to, limit) = (self.small(2), self.small(2), self.limit());
                let var = self.declare("i", Ty::Int, Mutability::Fixed);
                StmtKind::ForRange { var, from, to, limit, body: self.body(depth) }
            }
            2 | 3 => {
                let lists = self.vars(|_, var| matches!(var.ty, Ty::List(..)));
                let list = *lists.get(self.entropy.below(lists.len()))?;
                let Ty::List(element, _) = self.ty(list).clone() else { return None };
                let limit = self.limit();
                let var = self.declare("e", *element, Mutability::Fixed);
                let index = self.entropy.one_in(3).then(|| self.declare("k", Ty::Int, Mutability::Fixed));
                self.locked.push(list);
                let body = self.body(depth);
                self.locked.pop();
                StmtKind::ForList { var, index, list, limit, body }
            }
            _ => {
                let paged: Vec<usize> =
                    (0..self.tree.ops.len()).filter(|k| self.tree.ops[*k].paged.is_some()).collect();
                let op = *paged.get(self.entropy.below(paged.len()))?;
                let mut call = Box::new(self.call(OpId(op as u16), DEPTH));
                let argument = self.changing_argument(&mut call);
                let Some(Ty::List(element, _)) = self.tree.ops[op].results.first().cloned() else {
                    return None;
                };
                let limit = self.limit();
                let var = self.declare("e", *element, Mutability::Fixed);
                let index = self.entropy.one_in(3).then(|| self.declare("k", Ty::Int, Mutability::Fixed));
                let mut body = self.body(depth);
                body.stmts.splice(0..0, argument.and_then(|var| self.change(var)));
                StmtKind::ForPaged { var, index, call, limit, body }
            }
        };
        self.visible.truncate(before);
        Some(kind)
    }

    /// Sometimes an argument, or the target, becomes a variable that the body of the loop will change.
    fn changing_argument(&mut self, call: &mut CallExpr) -> Option<VarId> {
        let op = &self.tree.ops[call.op.index()];
        let types: Vec<Ty> = std::iter::once(Ty::Portal(op.interface)).chain(op.args.clone()).collect();
        let cursor = op.paged.map_or(0, |paged| usize::from(paged.cursor));
        let at = self.entropy.below(types.len());
        let vars = self.changeable(|ty| super::fits(ty, &types[at]) && !self.tree.lists_portals(ty));
        if at == cursor + 1 || vars.is_empty() {
            return None;
        }
        let var = *self.entropy.pick(&vars);
        let value = self.make(ExprKind::Var(var));
        *if at == 0 { &mut call.target } else { &mut call.args[at - 1] } = value;
        Some(var)
    }

    /// A statement that changes a variable as a whole.
    fn change(&mut self, var: VarId) -> Option<Stmt> {
        let ty = self.ty(var).clone();
        let value = if let Ty::Portal(_) = ty { self.call_for(&ty, 1)? } else { self.expr(&ty, 2) };
        Some(Stmt { pos: self.pos(), kind: StmtKind::Assign { place: Place::var(var), value } })
    }

    fn try_else(&mut self, depth: usize) -> StmtKind {
        let (mut ty, mut bind) = (None, Bind::None);
        let mut parts = None;
        match self.entropy.below(4) {
            0 => {
                if let Some((place, of)) = self.place().filter(|(_, ty)| self.can(ty)) {
                    (ty, bind) = (Some(of), Bind::Assign(place));
                }
            }
            1 => {
                let of = self.data_or_portal();
                if self.can(&of) {
                    let mutability = self.mutability();
                    (ty, bind) = (Some(of.clone()), Bind::Let(self.new_var("v", of, mutability)));
                }
            }
            2 => {
                if let Some((call, vars)) = self.parts() {
                    parts = Some(call);
                    bind = Bind::Parts(vars);
                }
            }
            _ => {}
        }
        let value = match &ty {
            _ if let Some(call) = parts => self.make(ExprKind::Call(Box::new(call))),
            None => self.effect(),
            Some(ty @ Ty::Str(_)) if self.entropy.one_in(2) => {
                let parts = vec![self.leaf(ty), self.call_for(ty, 1).unwrap_or_else(|| self.leaf(ty))];
                self.make(ExprKind::Concat(parts))
            }
            Some(ty @ (Ty::Record(_) | Ty::Str(_))) => self.own_form(ty, DEPTH),
            Some(ty) if self.entropy.one_in(2) => self.expr(ty, DEPTH),
            Some(ty) => self.call_for(ty, DEPTH).unwrap_or_else(|| self.expr(ty, DEPTH)),
        };
        let before = self.visible.len();
        let reason =
            carnet_program::tree::EnumId(self.tree.ops.iter().find_map(|op| op.raises).map_or(0, |id| id.0));
        let kind = self.declare("kind", Ty::Enum(reason), Mutability::Fixed);
        let max = *self.entropy.pick(&[5, 40, 100]);
        let message = self.declare("message", Ty::Str(max), Mutability::Fixed);
        let otherwise = match bind {
            Bind::Let(_) | Bind::Parts(_) => self.leaving_block(depth - 1),
            _ => self.block(depth - 1),
        };
        self.visible.truncate(before);
        match &bind {
            Bind::Let(var) => self.see(*var),
            Bind::Parts(vars) => vars.iter().for_each(|var| self.see(*var)),
            Bind::None | Bind::Assign(_) => {}
        }
        StmtKind::Try { bind, value, kind, message, otherwise }
    }
}
