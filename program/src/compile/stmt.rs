//! Statements, apart from loops.

use super::condition::When;
use super::{CompileError, Compiler, Flat, Handler, Held, Point, Portals, Storage, TEXT_IN_LIST, Whole};
use crate::bytecode::{CODE_MAX, NONE, Op, ResultKind, SlotType};
use crate::tree::{ArithOp, Bind, Block, Expr, ExprKind, Mutability, Place, Stmt, StmtKind, Ty, VarId};

type Result<T> = std::result::Result<T, CompileError>;

/// So many instructions are far too many, and it is not worth to go on: a tree that was received may be made so that each of
/// its statements has thousands.
const CODE_SO_FAR_MAX: usize = 4 * CODE_MAX;

impl Compiler<'_> {
    pub(super) fn block(&mut self, block: &Block) -> Result<()> {
        self.block_from(block, |_| Ok(()))
    }

    /// A block that begins with something else than a statement.
    pub(super) fn block_from(
        &mut self,
        block: &Block,
        begin: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let held = self.held.len();
        self.blocks += 1;
        begin(self)?;
        for stmt in &block.stmts {
            let temps = self.live.len();
            self.pos = if stmt.pos.line == 0 { self.pos } else { stmt.pos };
            self.stmt(stmt)?;
            self.free_temps(temps);
            if self.out.code.len() > CODE_SO_FAR_MAX {
                return Err(CompileError::TooLarge("instructions", CODE_MAX));
            }
        }
        self.blocks -= 1;
        if self.handler.is_some() {
            self.inner_registers.extend_from_slice(&self.held[held..]);
        }
        // The outermost block needs no releases: the end of the run releases everything.
        if !leaves(block) && self.blocks > 0 {
            self.release_held(held);
        }
        self.held.truncate(held);
        Ok(())
    }

    fn release(&mut self, held: Held) {
        match held {
            Held { first, most, is_list: true } => self.emit(Op::DropAll, first, 0, 0, most.into()),
            Held { first, .. } => self.emit(Op::Drop, first, 0, 0, 0),
        }
    }

    /// Releases what is held since `from` registers were, for the end of a block or a jump out of blocks.
    pub(super) fn release_held(&mut self, from: usize) {
        for k in (from..self.held.len()).rev() {
            self.release(self.held[k]);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<()> {
        match &stmt.kind {
            StmtKind::Let { var, value } => self.bind_let(*var, value),
            StmtKind::Declare(var) => self.declare_fresh(*var),
            StmtKind::Assign { place, value } => self.assign(place, value),
            StmtKind::Update { place, op, value } => self.update(place, *op, value),
            StmtKind::Add { list, value } => self.add(*list, value),
            StmtKind::Sort { list, keys } => self.sort(*list, keys),
            StmtKind::Do(expr) => self.expr(expr).map(drop),
            StmtKind::Repeat(repeat) => self.repeat(repeat),
            StmtKind::Move { from, to, count } => {
                let (from_slot, to_slot) = (self.strided(*from)?, self.strided(*to)?);
                self.move_strided((from_slot, from.step), (to_slot, to.step), *count)
            }
            StmtKind::If { arms, otherwise } => self.if_else(stmt, arms, otherwise),
            StmtKind::While { cond, limit, body } => self.while_loop(stmt, cond, *limit, body),
            StmtKind::ForRange { var, from, to, limit, body } => {
                self.for_range(stmt, *var, (from, to), *limit, body)
            }
            StmtKind::ForList { var, index, list, limit, body } => {
                self.for_list(stmt, (*var, *index), *list, *limit, body)
            }
            StmtKind::ForPaged { var, index, call, limit, body } => {
                self.for_paged(stmt, (*var, *index), call, *limit, body)
            }
            StmtKind::Try { bind, value, kind, message, otherwise } => {
                self.try_else(stmt, bind, value, (*kind, *message), otherwise)
            }
            StmtKind::Return(value) => self.return_value(value.as_ref()),
            StmtKind::Break => self.leave_body(|open| open.end),
            StmtKind::Continue => self.leave_body(|open| open.next),
            StmtKind::Fail(message) => {
                let value = self.expr(message)?;
                let slot = self.in_slot(value, SlotType::Int)?;
                self.emit(Op::Fail, slot, 0, 0, 0);
                Ok(())
            }
            StmtKind::Leave(value) => self.leave(value.as_ref()),
            StmtKind::LetParts { vars, call } => self.call_for_parts(call, vars),
        }
    }

    /// Declares a variable that starts as zero or empty, also when it is reached again.
    pub(super) fn declare_fresh(&mut self, var: VarId) -> Result<()> {
        if self.vars[var.index()] == Storage::Nowhere {
            self.declare(var)?;
        }
        match self.vars[var.index()] {
            Storage::Slot(slot) => {
                self.reset(slot);
                if let Some(count) = self.counted(slot) {
                    self.reset(count);
                }
            }
            Storage::Record(first) => {
                let ty = &self.tree.vars[var.index()].ty;
                (0..self.tree.words(ty) as u16).for_each(|k| self.reset(first + k));
            }
            Storage::Portals(portals) => self.reset(portals.count),
            // A null register needs nothing; one that is reached again was released at the end of its block.
            _ => {}
        }
        Ok(())
    }

    pub(super) fn reset(&mut self, slot: u16) {
        if self.innermost.is_none() {
            return;
        }
        if self.out.slots[slot as usize].owns_area() {
            self.emit(Op::Clear, slot, 0, 0, 0);
        } else {
            self.emit(Op::Load, slot, 0, 0, 0);
        }
    }

    fn bind_let(&mut self, var: VarId, value: &Expr) -> Result<()> {
        let mutability = self.tree.vars[var.index()].mutability;
        match &self.tree.vars[var.index()].ty {
            Ty::Portal(_) => self.bind_portal(var, value, mutability),
            ty if mutability == Mutability::Fixed && !matches!(ty, Ty::Record(_) | Ty::List(..)) => {
                self.bind_fixed(var, ty, value)
            }
            _ => {
                self.declare_if_new(var)?;
                self.store(var, value)
            }
        }
    }

    pub(super) fn declare_if_new(&mut self, var: VarId) -> Result<()> {
        if self.vars[var.index()] == Storage::Nowhere { self.declare(var) } else { Ok(()) }
    }

    /// A scalar or text that never changes shares the place of its value, where that does not change either and is
    /// no longer than the variable may be.
    fn bind_fixed(&mut self, var: VarId, ty: &Ty, value: &Expr) -> Result<()> {
        let unchanged = match &value.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Float(_) => true,
            ExprKind::Enum(..) | ExprKind::Text(_) => true,
            ExprKind::Var(from) => self.tree.vars[from.index()].mutability == Mutability::Fixed,
            ExprKind::Call(_) => true,
            _ => false,
        };
        let fits = match (ty, self.type_of(value)) {
            (Ty::Str(max) | Ty::Bytes(max), Ty::Str(len) | Ty::Bytes(len)) => len <= *max,
            _ => true,
        };
        if unchanged && fits {
            self.vars[var.index()] = self.expr(value)?;
            return Ok(());
        }
        self.declare_if_new(var)?;
        self.store(var, value)
    }

    fn bind_portal(&mut self, var: VarId, value: &Expr, mutability: Mutability) -> Result<()> {
        let fixed = mutability == Mutability::Fixed;
        let share = match &value.kind {
            ExprKind::Var(from) => !(fixed && self.tree.vars[from.index()].mutability == Mutability::Fixed),
            _ => false,
        };
        if fixed && !share {
            self.vars[var.index()] = self.expr(value)?;
            return Ok(());
        }
        self.declare_if_new(var)?;
        self.store(var, value)
    }

    /// Evaluates into a variable that has its storage.
    fn store(&mut self, var: VarId, value: &Expr) -> Result<()> {
        match self.vars[var.index()] {
            Storage::Slot(slot) if self.out.slots[slot as usize].owns_area() => {
                self.text_into(slot, value, Some(var))
            }
            Storage::Slot(slot) => self.scalar_into(slot, value),
            Storage::Record(first) if self.whole == Whole::Must || super::mentions(value, var) => {
                let tree = self.tree;
                self.store_record(first, &tree.vars[var.index()].ty, value)
            }
            Storage::Record(first) => self.words_into(first, value),
            Storage::Register(register) => self.store_portal(register, value),
            _ => Err(CompileError::Unsupported("a change of this")),
        }
    }

    /// A record whose new value reads the old one: by way of a copy.
    fn store_record(&mut self, first: u16, ty: &Ty, value: &Expr) -> Result<()> {
        let copy = self.new_slots(ty, Flat::Owned)?;
        self.words_into(copy, value)?;
        self.mark(value, Point::CopiedTwice);
        for k in 0..self.tree.words(ty) as u16 {
            let owner = self.out.slots[(copy + k) as usize].owns_area();
            self.emit(if owner { Op::Set } else { Op::Move }, first + k, copy + k, 0, 0);
        }
        Ok(())
    }

    fn store_portal(&mut self, register: u16, value: &Expr) -> Result<()> {
        if let ExprKind::Call(call) = &value.kind {
            return self.call_into_register(call, register);
        }
        if let ExprKind::Index(list, index) = &value.kind {
            let (portals, at) = self.picked(*list, index)?;
            self.pick(register, portals, at);
            return Ok(());
        }
        if let ExprKind::Field(..) = value.kind {
            let (portals, at) = self.picked_field(value)?;
            self.pick(register, portals, at);
            return Ok(());
        }
        if let Storage::Register(from) = self.expr(value)?
            && from != register
        {
            self.emit(Op::Share, register, from, 0, 0);
        }
        Ok(())
    }

    fn assign(&mut self, place: &Place, value: &Expr) -> Result<()> {
        if place.index.is_none() && place.fields.is_empty() {
            return self.store(place.var, value);
        }
        let (word, ty) = self.place_word(place);
        match (&place.index, self.vars[place.var.index()]) {
            (None, Storage::Record(first)) if matches!(ty, Ty::Record(_)) => {
                self.store_record(first + word, &ty, value)
            }
            (None, Storage::Record(first)) => {
                let to = first + word;
                if self.out.slots[to as usize].owns_area() {
                    self.text_into(to, value, Some(place.var))
                } else {
                    self.words_into(to, value)
                }
            }
            (Some(index), Storage::Slot(list)) => self.put(list, index, word, &ty, value),
            _ => Err(CompileError::Unsupported("a change of this")),
        }
    }

    /// Offset in words, and type, of the part of a variable or element that a place names.
    fn place_word(&self, place: &Place) -> (u16, Ty) {
        let tree = self.tree;
        let mut ty = match (&tree.vars[place.var.index()].ty, &place.index) {
            (Ty::List(element, _), Some(_)) => element,
            (ty, _) => ty,
        };
        let mut word = 0;
        for field in &place.fields {
            if let Ty::Record(id) = ty {
                let (offset, inner) = tree.field(*id, *field);
                word += offset as u16;
                ty = inner;
            }
        }
        (word, ty.clone())
    }

    /// Evaluates index, then value, then changes the element.
    fn put(&mut self, list: u16, index: &Expr, word: u16, ty: &Ty, value: &Expr) -> Result<()> {
        let at = self.expr(index)?;
        let index = self.in_slot(at, SlotType::Int)?;
        let first = self.new_slots(ty, Flat::Value)?;
        self.words_into(first, value)?;
        for k in 0..self.tree.words(ty) as u16 {
            self.emit(Op::Put, list, index, first + k, u64::from(word + k));
        }
        Ok(())
    }

    fn update(&mut self, place: &Place, op: ArithOp, value: &Expr) -> Result<()> {
        let (word, ty) = self.place_word(place);
        let base = self.vars[place.var.index()];
        let target = match (&place.index, base) {
            (None, Storage::Record(first)) => Some(first + word),
            (None, Storage::Slot(slot)) => Some(slot),
            _ => None,
        };
        if matches!(ty, Ty::Str(_) | Ty::Bytes(_)) {
            let to = target.ok_or(CompileError::Unsupported(TEXT_IN_LIST))?;
            let value = self.expr(value)?;
            let from = self.in_slot(value, SlotType::Int)?;
            self.emit(Op::Append, to, from, 0, 0);
            return Ok(());
        }
        if let Some(slot) = target {
            let value = self.expr(value)?;
            return self.arith(slot, op, Storage::Slot(slot), value);
        }
        let (Some(index), Storage::Slot(list)) = (&place.index, base) else {
            return Err(CompileError::Unsupported("a change of this"));
        };
        let at = self.expr(index)?;
        let index = self.in_slot(at, SlotType::Int)?;
        let held = self.slot_type(&ty)?;
        let old = self.temp(held)?;
        self.emit(Op::Get, old, list, index, u64::from(word));
        let value = self.expr(value)?;
        self.arith(old, op, Storage::Slot(old), value)?;
        self.emit(Op::Put, list, index, old, u64::from(word));
        Ok(())
    }

    fn add(&mut self, list: VarId, value: &Expr) -> Result<()> {
        if let Storage::Portals(Portals { registers, count }) = self.vars[list.index()] {
            let Storage::Register(from) = self.expr(value)? else {
                return Err(CompileError::Unsupported("this as a portal"));
            };
            self.emit(Op::Keep, registers.first, from, count, registers.most.into());
            self.emit(Op::AddI, count, count, 0, 1);
            return Ok(());
        }
        let slot = self.list_slot(list)?;
        if let (Some(columns), Ty::List(of, _)) =
            (self.columns.get(&slot).cloned(), &self.tree.vars[list.index()].ty)
        {
            return self.add_struct(slot, &columns, value, of);
        }
        let list = slot;
        let first = match self.expr_words(list, value)? {
            Some(first) => first,
            None => return Err(CompileError::Unsupported("this as an element")),
        };
        self.emit(Op::Push, list, first, 0, 0);
        Ok(())
    }

    /// Adds a struct that holds portals: these to the registers of the list, and its words to that.
    fn add_struct(&mut self, list: u16, columns: &[(u16, Portals)], value: &Expr, of: &Ty) -> Result<()> {
        let first = self.new_slots(of, Flat::Value)?;
        let mut portals = Vec::new();
        self.struct_words(first, value, &mut portals)?;
        for ((_, Portals { registers, count }), from) in columns.iter().zip(portals) {
            self.emit(Op::Keep, registers.first, from, *count, registers.most.into());
        }
        if self.words_of_elements(list) > 1 {
            self.emit(Op::Push, list, first, 0, 0);
        }
        if let Some(count) = self.counted(list) {
            self.emit(Op::AddI, count, count, 0, 1);
        }
        Ok(())
    }

    /// The words of such a struct, and the registers of its portals. Which these are, the list does not say before a call takes it.
    fn struct_words(&mut self, first: u16, value: &Expr, portals: &mut Vec<u16>) -> Result<()> {
        match (self.type_of(value), &value.kind) {
            (Ty::Portal(_), _) => match self.expr(value)? {
                Storage::Register(register) => portals.push(register),
                _ => return Err(CompileError::Unsupported("this as a portal")),
            },
            (ty, ExprKind::Record(id, fields)) if self.tree.holds_portals(&ty) => {
                for (k, field) in fields.iter().enumerate() {
                    let at = self.tree.field(*id, k as u16).0 as u16;
                    self.struct_words(first + at, field, portals)?;
                }
            }
            _ => self.words_into(first, value)?,
        }
        Ok(())
    }

    /// The words of a list element, in consecutive slots.
    fn expr_words(&mut self, list: u16, value: &Expr) -> Result<Option<u16>> {
        let SlotType::List(layout, _) = self.out.slots[list as usize] else { return Ok(None) };
        let (first, count) = self.out.layouts[layout as usize];
        let words = self.out.layout_words[first as usize..(first + count) as usize].to_vec();
        if count == 1 && !matches!(value.kind, ExprKind::Record(..)) {
            let value = self.expr(value)?;
            return match value {
                Storage::Record(first) => Ok(Some(first)),
                value => self.in_slot(value, words[0]).map(Some),
            };
        }
        let to = self.out.slots.len() as u16;
        for word in words {
            self.new_slot(word)?;
        }
        self.words_into(to, value)?;
        Ok(Some(to))
    }

    fn sort(&mut self, list: VarId, keys: &[u16]) -> Result<()> {
        let slot = self.list_slot(list)?;
        let Ty::List(element, _) = &self.tree.vars[list.index()].ty else {
            return Err(CompileError::Unsupported("sorting this"));
        };
        // Stable sorts by one key each, the last key first, are one sort by all of them.
        for key in keys.iter().rev() {
            let word = match &**element {
                Ty::Record(id) => self.tree.field(*id, *key).0,
                _ => 0,
            };
            self.emit(Op::Sort, slot, 0, 0, word as u64);
        }
        Ok(())
    }

    fn if_else(&mut self, stmt: &Stmt, arms: &[(Expr, Block)], otherwise: &Block) -> Result<()> {
        let end = self.new_label()?;
        for (at, (cond, then)) in arms.iter().enumerate() {
            let is_last = at + 1 == arms.len() && otherwise.stmts.is_empty();
            let other = if is_last { end } else { self.new_label()? };
            if at > 0 && cond.pos.line > 0 {
                self.pos = cond.pos;
            }
            self.branch(cond, other, When::Fails)?;
            self.mark(cond, Point::Then);
            self.block(then)?;
            if !leaves(then) && !is_last {
                self.jump(end);
            }
            self.bind(other);
            self.mark(cond, Point::Else);
        }
        self.block(otherwise)?;
        self.bind(end);
        self.mark(stmt, Point::End);
        Ok(())
    }

    fn try_else(
        &mut self,
        stmt: &Stmt,
        bind: &Bind,
        value: &Expr,
        (kind, message): (VarId, VarId),
        otherwise: &Block,
    ) -> Result<()> {
        let label = self.new_label()?;
        let end = self.new_label()?;
        self.declare_if_new(kind)?;
        self.declare_if_new(message)?;
        let (Storage::Slot(kind), Storage::Slot(message)) =
            (self.vars[kind.index()], self.vars[message.index()])
        else {
            return Err(CompileError::Unsupported("this as an error"));
        };
        let outer = self.handler.replace(Handler { label, kind, message });
        let before = std::mem::take(&mut self.inner_registers);
        match bind {
            Bind::None => {
                self.expr(value)?;
            }
            Bind::Let(var) => self.bind_let(*var, value)?,
            Bind::Assign(place) => {
                let whole = std::mem::replace(&mut self.whole, Whole::Must);
                self.assign(place, value)?;
                self.whole = whole;
            }
            Bind::Parts(vars) => match &value.kind {
                ExprKind::Call(call) => self.call_for_parts(call, vars)?,
                _ => return Err(CompileError::Unsupported("this as the results of a call")),
            },
        }
        self.handler = outer;
        self.jump(end);
        self.bind(label);
        self.mark(stmt, Point::Handler);
        // The failed call left the blocks that were open around it: what they held is released, the last first.
        let mut left = std::mem::replace(&mut self.inner_registers, before);
        left.sort_unstable();
        left.iter().rev().for_each(|held| self.release(*held));
        if self.handler.is_some() {
            self.inner_registers.extend_from_slice(&left);
        }
        self.block(otherwise)?;
        self.bind(end);
        self.mark(stmt, Point::End);
        Ok(())
    }

    fn return_value(&mut self, value: Option<&Expr>) -> Result<()> {
        let Some(value) = value else {
            self.emit(Op::End, NONE, 0, 0, 0);
            return Ok(());
        };
        let slot = match (self.in_place(value), self.out.result) {
            (Some(slot), ResultKind::List) => self.result_list(slot, value)?,
            (Some(slot), _) => slot,
            (None, ResultKind::List) => match self.expr(value)? {
                Storage::Slot(slot) => self.result_list(slot, value)?,
                _ => return Err(CompileError::Unsupported("this as a result")),
            },
            (None, _) => self.result_words(value)?,
        };
        self.emit(Op::End, slot, 0, 0, 0);
        Ok(())
    }

    /// Where the result already is: in the variable that every `return` names. The variable of a loop is no such
    /// place, since it is an element of a list.
    fn in_place(&mut self, value: &Expr) -> Option<u16> {
        let var = self.result_var.filter(|var| value.kind == ExprKind::Var(*var))?;
        match self.vars[var.index()] {
            Storage::Slot(slot) | Storage::Record(slot) => Some(slot),
            _ => {
                self.out.so_far = NONE;
                None
            }
        }
    }

    /// A list that can hold more than the result goes through one that cannot.
    fn result_list(&mut self, from: u16, value: &Expr) -> Result<u16> {
        let Some(ty @ Ty::List(_, max)) = &self.tree.result else { return Ok(from) };
        if matches!(self.out.slots[from as usize], SlotType::List(_, held) if held <= *max) {
            return Ok(from);
        }
        if self.result_slots == NONE {
            let ty = self.slot_type(ty)?;
            self.result_slots = self.new_slot(ty)?;
        }
        self.mark(value, Point::Copied);
        self.emit(Op::Set, self.result_slots, from, 0, 0);
        Ok(self.result_slots)
    }

    /// Evaluates the result into its slots.
    fn result_words(&mut self, value: &Expr) -> Result<u16> {
        if self.result_slots == NONE {
            self.result_slots = self.out.slots.len() as u16;
            for word in self.out.result_words.clone() {
                self.new_slot(word)?;
            }
        }
        self.words_into(self.result_slots, value)?;
        Ok(self.result_slots)
    }

    /// The end of a program that returns nothing; one that must return ends earlier, and this is never reached.
    pub(super) fn end_without_value(&mut self) -> Result<()> {
        if self.out.result == ResultKind::None {
            self.emit(Op::End, NONE, 0, 0, 0);
            return Ok(());
        }
        let message =
            Expr { pos: self.pos, kind: ExprKind::Text(b"the program ended without a result".to_vec()) };
        let value = self.expr(&message)?;
        let slot = self.in_slot(value, SlotType::Int)?;
        self.emit(Op::Fail, slot, 0, 0, 0);
        Ok(())
    }

    fn leave(&mut self, value: Option<&Expr>) -> Result<()> {
        let (result, end, held) = match self.leaves.last() {
            Some(leave) => (leave.result, leave.end, leave.held),
            None => return Err(CompileError::Unsupported("leaving no function")),
        };
        if let (Some(value), Some(result)) = (value, result) {
            self.store(result, value)?;
        }
        self.release_held(held);
        self.jump(end);
        Ok(())
    }
}

/// Whether control never goes on behind a block.
fn leaves(block: &Block) -> bool {
    matches!(
        block.stmts.last().map(|stmt| &stmt.kind),
        Some(
            StmtKind::Return(_)
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Fail(_)
                | StmtKind::Leave(_)
        )
    )
}
