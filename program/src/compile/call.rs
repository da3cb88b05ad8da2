//! Calls: each has an argument block of its own in the variable table.

use super::{CompileError, Compiler, Flat, Point, Portals, Storage, Val, node};
use crate::bytecode::{NONE, Op, SlotType, WORDS_MAX, pack};
use crate::tree::{
    CallExpr, Expr, ExprKind, Mutability, Op as TreeOp, OpId, Repeat, RepeatArg, Strided, Ty, VarId,
};

type Result<T> = std::result::Result<T, CompileError>;

/// Where the parts of a call's argument block are.
#[derive(Clone, Copy)]
pub(super) struct Site {
    /// First slot.
    pub(super) first: u16,
    /// Where the first slots of [`TreeOp::args`] stand in [`Compiler::places`].
    args: usize,
    /// Where those of [`TreeOp::results`] do; they share what is inout, unless that is sent apart.
    results: usize,
    register: u16,
}

/// The argument blocks of a repeat, one behind the other.
#[derive(Clone, Copy)]
struct Blocks {
    count: u16,
    words: u16,
}

/// How long the arguments of a call must last.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Lasts {
    /// Until the call.
    Once,
    /// Until the last page, while a loop's body may change the variables that they came from.
    Pages,
}

/// Whether the first of these arguments is better evaluated straight into its slot, behind the others, and nobody
/// can tell: what is evaluated before it is out of turn neither calls nor fails.
fn waits(args: &[Expr]) -> bool {
    let straight = |arg: &Expr| {
        matches!(
            arg.kind,
            ExprKind::Arith(..)
                | ExprKind::Neg(_)
                | ExprKind::Convert(..)
                | ExprKind::Not(_)
                | ExprKind::Compare(..)
                | ExprKind::Test(..)
                | ExprKind::Record(..)
        )
    };
    match args {
        [first, rest @ ..] => straight(first) && rest.iter().all(|arg| straight(arg) || is_plain(arg)),
        [] => false,
    }
}

/// Whether evaluating an expression has no effect, cannot fail and charges nothing but its instructions.
fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Float(_) | ExprKind::Enum(..) => true,
        ExprKind::Text(_) | ExprKind::Var(_) => true,
        ExprKind::Field(of, _) | ExprKind::Len(of) => is_plain(of),
        _ => false,
    }
}

/// The variable that a chain of fields begins with.
fn base(expr: &Expr) -> Option<VarId> {
    match &expr.kind {
        ExprKind::Var(var) => Some(*var),
        ExprKind::Field(record, _) => base(record),
        _ => None,
    }
}

impl Compiler<'_> {
    /// Makes a call. A scalar result goes to slot `wanted`, if one is given.
    pub(super) fn call(&mut self, call: &CallExpr, wanted: Option<u16>) -> Result<Val> {
        let site = self.call_site(call, Lasts::Once)?;
        let op = &self.tree.ops[call.op.index()];
        let scalar = op.results.len() == 1
            && matches!(op.value, Some(Ty::Int | Ty::Bool | Ty::Float(_) | Ty::Enum(_)));
        let direct = wanted.filter(|_| scalar && op.inouts == 0);
        self.emit_call(&call.target, call.op, &site, direct);
        self.mark(call, Point::After);
        match (direct, &op.value) {
            (Some(slot), _) => Ok(Storage::Slot(slot)),
            (None, None) => Ok(Storage::Nowhere),
            (None, Some(Ty::Portal(interface))) => {
                let register = match self.reserved.get(&node(call)) {
                    Some(register) => *register,
                    None => self.scoped_register(*interface)?,
                };
                self.emit(Op::Take, register, self.outcome(&site, 0), 0, 0);
                Ok(Storage::Register(register))
            }
            (None, Some(Ty::Record(_))) => Ok(Storage::Record(self.outcome(&site, 0))),
            (None, Some(_)) => Ok(Storage::Slot(self.outcome(&site, 0))),
        }
    }

    /// Makes a call whose portal goes into a register that exists.
    pub(super) fn call_into_register(&mut self, call: &CallExpr, register: u16) -> Result<()> {
        let site = self.call_site(call, Lasts::Once)?;
        self.emit_call(&call.target, call.op, &site, None);
        self.mark(call, Point::After);
        self.emit(Op::Take, register, self.outcome(&site, 0), 0, 0);
        Ok(())
    }

    /// Makes a call whose results go into variables of their own. What the call left stays there as long as the variable, which
    /// never changes; the place of the program's result gets a copy.
    pub(super) fn call_for_parts(&mut self, call: &CallExpr, vars: &[VarId]) -> Result<()> {
        let site = self.call_site(call, Lasts::Once)?;
        self.emit_call(&call.target, call.op, &site, None);
        self.mark(call, Point::After);
        let tree = self.tree;
        let results = || vars.iter().zip(&tree.ops[call.op.index()].results).enumerate();
        let (mut taken, mut lists) = (Vec::new(), Vec::new());
        for (k, (var, ty)) in results() {
            if let Ty::Portal(interface) = ty {
                let register = self.scoped_register(*interface)?;
                self.vars[var.index()] = Storage::Register(register);
                taken.push((register, self.outcome(&site, k)));
            } else if ty.is_of_portals() {
                self.declare(*var)?;
                if let Storage::Portals(portals) = self.vars[var.index()] {
                    lists.push((vec![(0, portals)], self.outcome(&site, k)));
                }
            } else if tree.lists_portals(ty) {
                let from = self.outcome(&site, k);
                lists.push((self.columns(from, ty)?, from));
            }
        }
        // The last first: so each is the last of what the call made, and nothing of that is left.
        taken.into_iter().rev().for_each(|(register, from)| self.emit(Op::Take, register, from, 0, 0));
        for (k, (columns, from)) in lists.iter().enumerate() {
            self.take_columns(*from, columns, k + 1 == lists.len());
        }
        let is_portal = |ty: &Ty| matches!(ty, Ty::Portal(_)) || ty.is_of_portals();
        for (k, (var, ty)) in results().filter(|(_, (_, ty))| !is_portal(ty)) {
            let from = self.outcome(&site, k);
            let value = if let Ty::Record(_) = ty { Storage::Record(from) } else { Storage::Slot(from) };
            match self.vars[var.index()] {
                Storage::Nowhere => self.vars[var.index()] = value,
                Storage::Record(to) => self.record_words(to, value, var, ty)?,
                Storage::Slot(to) => {
                    self.mark(var, Point::Copied);
                    self.emit(Op::Set, to, from, 0, 0);
                }
                _ => return Err(CompileError::Unsupported("this as a result")),
            }
        }
        Ok(())
    }

    /// Evaluates target and arguments into a new argument block.
    pub(super) fn call_site(&mut self, call: &CallExpr, lasts: Lasts) -> Result<Site> {
        let register = self.target(&call.target, lasts)?;
        let tree = self.tree;
        let op = &tree.ops[call.op.index()];
        let values = self.values.len();
        for (k, arg) in call.args.iter().enumerate() {
            let value = match lasts {
                Lasts::Once if waits(&call.args[k..]) => None,
                Lasts::Once => Some(self.in_turn(arg)?),
                Lasts::Pages => Some(self.kept(arg)?),
            };
            self.values.push(value);
        }
        let site = Site { register, ..self.block_of(op, values)? };
        let shared_from = op.args.len() - self.shared(op);
        for (k, arg) in call.args.iter().enumerate() {
            let slot = self.argument(&site, k);
            match self.values[values + k] {
                None => self.words_into(slot, arg)?,
                // The call changes it, so it must be set anew each time.
                Some(value) if k >= shared_from => self.place(slot, value, arg, &op.args[k])?,
                Some(value) => self.place_once(slot, value, arg, &op.args[k])?,
            }
        }
        self.values.truncate(values);
        Ok(site)
    }

    /// First slot of argument `k`.
    pub(super) fn argument(&self, site: &Site, k: usize) -> u16 {
        self.places[site.args + k]
    }

    /// First slot of result `k`.
    pub(super) fn outcome(&self, site: &Site, k: usize) -> u16 {
        self.places[site.results + k]
    }

    fn target(&mut self, target: &Expr, lasts: Lasts) -> Result<u16> {
        let Storage::Register(register) = self.expr(target)? else {
            return Err(CompileError::Unsupported("this as a portal"));
        };
        match &target.kind {
            ExprKind::Var(var) if lasts == Lasts::Pages && self.changes(*var) => {
                let Ty::Portal(interface) = self.tree.vars[var.index()].ty else { return Ok(register) };
                let copy = self.scoped_register(interface)?;
                self.emit(Op::Share, copy, register, 0, 0);
                Ok(copy)
            }
            _ => Ok(register),
        }
    }

    fn changes(&self, var: VarId) -> bool {
        self.tree.vars[var.index()].mutability == Mutability::Changes
    }

    /// Evaluates an argument before the later ones: an element's index is checked in its turn.
    fn in_turn(&mut self, arg: &Expr) -> Result<Val> {
        let value = self.expr(arg)?;
        let (Storage::Element(..), ExprKind::Index(..)) = (value, &arg.kind) else { return Ok(value) };
        let ty = self.type_of(arg);
        if !matches!(ty, Ty::Record(_)) {
            return Ok(value);
        }
        let first = self.new_slots(&ty, Flat::Value)?;
        self.record_words(first, value, arg, &ty)?;
        Ok(Storage::Record(first))
    }

    /// Evaluates an argument that is used again after the variables in it may have changed.
    fn kept(&mut self, arg: &Expr) -> Result<Val> {
        let ty = self.type_of(arg);
        if let Ty::Record(_) = ty {
            let first = self.new_slots(&ty, Flat::Owned)?;
            self.words_into(first, arg)?;
            return Ok(Storage::Record(first));
        }
        let copied = match &arg.kind {
            ExprKind::Index(..) => true,
            // What is handed over are the registers, which stay as they are while it grows.
            ExprKind::Var(_) if self.tree.lists_portals(&ty) => false,
            // It grows while it is the same variable.
            ExprKind::Var(_) if matches!(ty, Ty::List(..)) => true,
            ExprKind::Var(var) => self.changes(*var),
            ExprKind::Field(..) => base(arg).is_none_or(|var| self.changes(var)),
            _ => false,
        };
        match ty {
            _ if !copied => self.expr(arg),
            Ty::Str(_) | Ty::Bytes(_) | Ty::List(..) => {
                let value = self.expr(arg)?;
                let from = self.in_slot(value, SlotType::Int)?;
                let to = self.temp(match ty {
                    Ty::Bytes(max) => SlotType::Bytes(max),
                    Ty::List(..) => self.out.slots[from as usize],
                    _ => SlotType::Str(self.out.slots[from as usize].text_max().unwrap_or(0)),
                })?;
                self.mark(arg, Point::Copied);
                self.emit(Op::Set, to, from, 0, 0);
                Ok(Storage::Slot(to))
            }
            _ => self.expr(arg),
        }
    }

    /// Places an argument, once for the whole run if it is the same each time.
    fn place_once(&mut self, slot: u16, value: Val, arg: &Expr, ty: &Ty) -> Result<()> {
        match value {
            Storage::Imm(n) => self.emit_once(Op::Load, slot, 0, n as u64),
            Storage::Register(register) => self.emit_once(Op::Lend, slot, register, 0),
            Storage::Slot(from) if self.is_constant(from, arg) => self.emit_once(Op::Move, slot, from, 0),
            value => self.place(slot, value, arg, ty)?,
        }
        Ok(())
    }

    fn place(&mut self, slot: u16, value: Val, arg: &Expr, ty: &Ty) -> Result<()> {
        match ty {
            Ty::Record(_) => self.record_words(slot, value, arg, ty),
            _ => match value {
                Storage::Slot(from) if let Some(columns) = self.columns.get(&from).cloned() => {
                    // Of nothing but a portal there are the numbers alone.
                    if self.words_of_elements(from) > 1 {
                        self.mark(arg, Point::Copied);
                        self.emit(Op::Set, slot, from, 0, 0);
                    }
                    for (word, Portals { registers, count }) in columns {
                        self.emit(Op::LendAll, slot, registers.first, count, pack([0, word, 0, 0]));
                    }
                    Ok(())
                }
                value => self.move_into(slot, value, arg),
            },
        }
    }

    /// Slots of the block that both send and give something, and are to be set anew for each call.
    pub(super) fn shared_slots(&self, site: &Site, op: &TreeOp) -> std::ops::Range<u16> {
        let args = op.args.len() - self.shared(op)..op.args.len();
        let words = op.args[args.clone()].iter().map(|ty| self.tree.words(ty) as u16).sum::<u16>();
        let first = if args.is_empty() { 0 } else { self.argument(site, args.start) };
        first..first + words
    }

    /// Whether a slot has its value before the program begins and keeps it: parameters and literals.
    fn is_constant(&self, slot: u16, arg: &Expr) -> bool {
        match &arg.kind {
            ExprKind::Text(_) => true,
            ExprKind::Var(var) => {
                self.tree.vars[var.index()].mutability == Mutability::Fixed
                    && (self.tree.params.iter().any(|param| param.var == *var) || self.out.started == slot)
            }
            _ => false,
        }
    }

    /// How many inouts of an operation come back where they were sent: all, or none if one of them is more than scalars, or a union.
    fn shared(&self, op: &TreeOp) -> usize {
        let inouts = usize::from(op.inouts);
        let scalars = |ty: &Ty| self.tree.is_scalars(ty) && !self.tree.holds_union(ty);
        if op.results.iter().take(inouts).all(scalars) { inouts } else { 0 }
    }

    /// Reserves the slots of an argument block: args, then results; inout words are both, or what is sent of them lies in
    /// front. The values of the arguments stand in [`Compiler::values`], from `values` on.
    fn block_of(&mut self, op: &TreeOp, values: usize) -> Result<Site> {
        let (first, args) = (self.out.slots.len() as u16, self.places.len());
        let shared = self.shared(op);
        let apart = op.inouts as usize - shared;
        let ins = op.args.len() - apart;
        self.places.resize(args + op.args.len(), 0);
        (ins..op.args.len()).try_for_each(|k| self.place_for(op, (args, values), k))?;
        let block = self.out.slots.len();
        (0..ins).try_for_each(|k| self.place_for(op, (args, values), k))?;
        for ty in &op.results[shared..] {
            let place = match ty {
                Ty::Portal(id) => self.new_slot(SlotType::Made(id.0))?,
                Ty::List(of, most) if self.tree.holds_portals(of) => {
                    self.structs_slot(of, *most, SlotType::Made)?
                }
                ty => self.new_slots(ty, Flat::Owned)?,
            };
            self.places.push(place);
        }
        if self.out.slots.len() - block > WORDS_MAX {
            return Err(CompileError::TooLarge("words in one call", WORDS_MAX));
        }
        let results = args + op.args.len() - shared;
        Ok(Site { first, args, results, register: NONE })
    }

    /// Reserves the slots of argument `k`; the first places and values of the call are these.
    fn place_for(&mut self, op: &TreeOp, (places, values): (usize, usize), k: usize) -> Result<()> {
        self.places[places + k] = self.out.slots.len() as u16;
        self.argument_slots(&op.args[k], self.values.get(values + k).copied().flatten())
    }

    /// Slots of one argument. A reference is as long as what it will refer to: the callee checks its own bound.
    fn argument_slots(&mut self, ty: &Ty, value: Option<Val>) -> Result<()> {
        if let Ty::Int | Ty::Bool | Ty::Float(_) | Ty::Enum(_) = ty {
            return self.new_slots(ty, Flat::Value).map(drop);
        }
        if let (Some(Storage::Portals(Portals { registers, .. })), Some((id, _))) = (value, ty.portals()) {
            return self.portals_slot(SlotType::Lent(id.0), registers.most).map(drop);
        }
        // What lies there names registers, and these are other ones than what is made or kept has.
        if let (Ty::List(of, _), Some(Storage::Slot(slot))) = (ty, value)
            && self.tree.holds_portals(of)
            && let SlotType::List(_, max) = self.out.slots[slot as usize]
        {
            return self.structs_slot(of, max, SlotType::Lent).map(drop);
        }
        if let (Ty::List(..), Some(Storage::Slot(slot))) = (ty, value)
            && let SlotType::List(layout, max) = self.out.slots[slot as usize]
        {
            return self.new_slot(SlotType::ListRef(layout, max)).map(drop);
        }
        let text_max = match value {
            Some(Storage::Slot(slot)) => self.out.slots[slot as usize].text_max(),
            Some(Storage::Element(list, _)) => match self.out.slots[list as usize] {
                SlotType::List(layout, _) => {
                    let (first, _) = self.out.layouts[layout as usize];
                    self.out.layout_words[first as usize].text_max()
                }
                _ => None,
            },
            _ => None,
        };
        match (ty, text_max) {
            (Ty::Str(cap), Some(max)) => self.new_slot(SlotType::StrRef(max.max(*cap))).map(drop),
            (Ty::Bytes(cap), Some(max)) => self.new_slot(SlotType::BytesRef(max.max(*cap))).map(drop),
            _ => self.new_slots(ty, Flat::Value).map(drop),
        }
    }

    /// Makes a call several times. Each has a block of its own if some argument is another each time, or the call
    /// changes it; else one serves all.
    pub(super) fn repeat(&mut self, repeat: &Repeat) -> Result<()> {
        let register = self.target(&repeat.target, Lasts::Once)?;
        let tree = self.tree;
        let op = &tree.ops[repeat.op.index()];
        if op.results.iter().any(|ty| matches!(ty, Ty::Portal(_)) || tree.lists_portals(ty)) {
            return Err(CompileError::Unsupported("repeating a call that makes a portal"));
        }
        let values = self.values.len();
        for arg in &repeat.args {
            let value = match arg {
                RepeatArg::Same(arg) => Some(self.in_turn(arg)?),
                RepeatArg::Each(_) => None,
            };
            self.values.push(value);
        }
        let shared = self.shared(op);
        let alike = shared == 0 && self.values[values..].iter().all(Option::is_some);
        let count = if alike { 1 } else { repeat.times };
        let site = Site { register, ..self.block_of(op, values)? };
        let words = self.out.slots.len() as u16 - site.first;
        (1..count).try_for_each(|_| self.block_of(op, values).map(drop))?;
        let blocks = Blocks { count, words };
        for (k, arg) in repeat.args.iter().enumerate() {
            if let (RepeatArg::Same(arg), Some(value)) = (arg, self.values[values + k]) {
                let once = k < op.args.len() - shared;
                self.place_in_all(blocks, self.argument(&site, k), (value, arg, &op.args[k]), once)?;
            }
        }
        self.values.truncate(values);
        for (k, arg) in repeat.args.iter().enumerate() {
            if let RepeatArg::Each(items) = arg {
                let from = self.strided(*items)?;
                self.move_strided((from, items.step), (self.argument(&site, k), words), count)?;
            }
        }
        let into = repeat.into.map(|into| Ok((self.strided(into)?, into.step))).transpose()?;
        self.spread(repeat.times)?;
        let steps = [if alike { 0 } else { words }, into.map_or(0, |(_, step)| step)];
        self.emit(Op::Repeat, 0, 0, 0, pack([repeat.times, 0, steps[0], steps[1]]));
        self.emit_call(&repeat.target, repeat.op, &site, into.map(|(slot, _)| slot));
        self.mark(repeat, Point::After);
        Ok(())
    }

    /// Places an argument that is the same in all blocks; `slot` is its first slot in the first block. With `once` it
    /// need not be set anew when the program comes here again.
    fn place_in_all(
        &mut self,
        blocks: Blocks,
        slot: u16,
        (value, arg, ty): (Val, &Expr, &Ty),
        once: bool,
    ) -> Result<()> {
        let lasts = once
            && match value {
                Storage::Imm(_) | Storage::Register(_) => true,
                Storage::Slot(from) => self.is_constant(from, arg),
                _ => false,
            };
        for block in 0..blocks.count {
            let to = slot + block * blocks.words;
            if lasts {
                self.place_once(to, value, arg, ty)?;
            } else if block == 0 {
                self.place(to, value, arg, ty)?;
            } else {
                (0..self.tree.words(ty) as u16).for_each(|k| self.emit(Op::Move, to + k, slot + k, 0, 0));
            }
        }
        Ok(())
    }

    /// The first slot of these items.
    pub(super) fn strided(&self, items: Strided) -> Result<u16> {
        match self.vars[items.var.index()] {
            Storage::Record(slot) | Storage::Slot(slot) => Ok(slot + items.first),
            _ => Err(CompileError::Unsupported("moving words of this")),
        }
    }

    /// Emits the call instruction itself.
    pub(super) fn emit_call(&mut self, target: &Expr, op: OpId, site: &Site, result: Option<u16>) {
        let (handler, kind, message) = match self.handler {
            Some(handler) => (handler.label, handler.kind, handler.message),
            None => (NONE, 0, 0),
        };
        let d = pack([result.unwrap_or(NONE), handler, kind, message]);
        self.pos = if target.pos.line == 0 { self.pos } else { target.pos };
        self.emit(Op::Call, site.register, op.0, site.first, d);
    }
}
