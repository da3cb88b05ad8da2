//! Calls: each has an argument block of its own in the variable table.

use super::{CompileError, Compiler, Flat, Point, Storage, Val};
use crate::bytecode::{NONE, Op, SlotType, WORDS_MAX, pack};
use crate::tree::{CallExpr, Expr, ExprKind, Mutability, Op as TreeOp, Ty};

type Result<T> = std::result::Result<T, CompileError>;

/// Where the parts of a call's argument block are.
pub(super) struct Site {
    /// First slot.
    pub(super) first: u16,
    /// First slot of each of [`TreeOp::args`].
    pub(super) args: Vec<u16>,
    /// First slot of each of [`TreeOp::results`].
    pub(super) results: Vec<u16>,
    register: u16,
}

impl Compiler<'_> {
    /// Makes a call. A scalar result goes to slot `wanted`, if one is given.
    pub(super) fn call(&mut self, call: &CallExpr, wanted: Option<u16>) -> Result<Val> {
        let site = self.call_site(call)?;
        let op = &self.tree.ops[call.op.index()];
        let scalar = matches!(op.value, Some(Ty::Int | Ty::Bool | Ty::Enum(_))) && op.results.len() == 1;
        let direct = wanted.filter(|_| scalar && op.inouts == 0);
        self.emit_call(call, &site, direct);
        match (direct, &op.value) {
            (Some(slot), _) => Ok(Storage::Slot(slot)),
            (None, None) => Ok(Storage::Nowhere),
            (None, Some(Ty::Portal(interface))) => {
                let register = self.scoped_register(*interface)?;
                self.emit(Op::Take, register, site.results[0], 0, 0);
                Ok(Storage::Register(register))
            }
            (None, Some(Ty::Record(_))) => Ok(Storage::Record(site.results[0])),
            (None, Some(_)) => Ok(Storage::Slot(site.results[0])),
        }
    }

    /// Makes a call whose portal goes into a register that exists.
    pub(super) fn call_into_register(&mut self, call: &CallExpr, register: u16) -> Result<()> {
        let site = self.call_site(call)?;
        self.emit_call(call, &site, None);
        self.emit(Op::Take, register, site.results[0], 0, 0);
        Ok(())
    }

    /// Evaluates target and arguments into a new argument block.
    pub(super) fn call_site(&mut self, call: &CallExpr) -> Result<Site> {
        let Storage::Register(register) = self.expr(&call.target)? else {
            return Err(CompileError::Unsupported("this as a portal"));
        };
        let tree = self.tree;
        let op = &tree.ops[call.op.index()];
        let values = call.args.iter().map(|arg| self.argument(arg)).collect::<Result<Vec<_>>>()?;
        let mut site = self.block_of(op, &values)?;
        site.register = register;
        for ((value, arg), slot) in values.into_iter().zip(&call.args).zip(&site.args) {
            self.place_argument(*slot, value, arg)?;
        }
        Ok(site)
    }

    /// Evaluates an argument, but leaves what is evaluated straight into its slot for later.
    fn argument(&mut self, arg: &Expr) -> Result<Option<Val>> {
        match &arg.kind {
            ExprKind::Arith(..)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Compare(..)
            | ExprKind::Test(..)
            | ExprKind::Record(..) => Ok(None),
            _ => self.expr(arg).map(Some),
        }
    }

    fn place_argument(&mut self, slot: u16, value: Option<Val>, arg: &Expr) -> Result<()> {
        let Some(value) = value else { return self.words_into(slot, arg) };
        match value {
            Storage::Imm(n) => self.emit_once(Op::Load, slot, 0, n as u64),
            Storage::Register(register) => self.emit_once(Op::Lend, slot, register, 0),
            Storage::Slot(from) if self.is_constant(from, arg) => self.emit_once(Op::Move, slot, from, 0),
            Storage::Record(_) | Storage::Element(..) if matches!(arg.kind, ExprKind::Var(_)) => {
                self.words_into(slot, arg)?;
            }
            Storage::Record(from) => {
                let count = self.block_words_from(slot, from);
                for k in 0..count {
                    self.emit(Op::Move, slot + k, from + k, 0, 0);
                }
            }
            value => self.move_into(slot, value),
        }
        Ok(())
    }

    /// How many words of a record lie at `from`: as many as are of the same kind at `to`, which is an argument.
    fn block_words_from(&self, to: u16, from: u16) -> u16 {
        let slots = &self.out.slots;
        let mut count = 0;
        while let (Some(a), Some(b)) = (slots.get((to + count) as usize), slots.get((from + count) as usize))
        {
            let texts = a.string_max().is_some() && b.string_max().is_some()
                || a.bytes_max().is_some() && b.bytes_max().is_some();
            if a != b && !texts {
                break;
            }
            count += 1;
        }
        count
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

    /// Reserves the slots of an argument block: args, then results; inout words are both.
    fn block_of(&mut self, op: &TreeOp, values: &[Option<Val>]) -> Result<Site> {
        let first = self.out.slots.len() as u16;
        let mut args = Vec::with_capacity(op.args.len());
        let mut results = Vec::with_capacity(op.results.len());
        let inouts_from = op.args.len() - op.inouts as usize;
        for (k, ty) in op.args.iter().enumerate() {
            let slot = self.out.slots.len() as u16;
            args.push(slot);
            if k >= inouts_from {
                results.push(slot);
            }
            self.argument_slots(ty, values.get(k).copied().flatten())?;
        }
        for ty in &op.results[op.inouts as usize..] {
            results.push(self.out.slots.len() as u16);
            let mut words = Vec::new();
            match ty {
                Ty::Portal(id) => words.push(SlotType::Made(id.0)),
                ty => self.flatten(ty, Flat::Owned, &mut words)?,
            }
            words.into_iter().try_for_each(|word| self.new_slot(word).map(drop))?;
        }
        if self.out.slots.len() - first as usize > WORDS_MAX {
            return Err(CompileError::TooLarge("words in one call", WORDS_MAX));
        }
        Ok(Site { first, args, results, register: NONE })
    }

    /// Slots of one argument. A reference is as long as what it will refer to: the callee checks its own bound.
    fn argument_slots(&mut self, ty: &Ty, value: Option<Val>) -> Result<()> {
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
        let mut words = Vec::new();
        match (ty, text_max) {
            (Ty::Str(cap), Some(max)) => words.push(SlotType::StrRef(max.max(*cap))),
            (Ty::Bytes(cap), Some(max)) => words.push(SlotType::BytesRef(max.max(*cap))),
            (Ty::List(..), _) => return Err(CompileError::Unsupported("a list as an argument of a call")),
            _ => self.flatten(ty, Flat::Value, &mut words)?,
        }
        words.into_iter().try_for_each(|word| self.new_slot(word).map(drop))
    }

    /// Emits the call instruction itself.
    pub(super) fn emit_call(&mut self, call: &CallExpr, site: &Site, result: Option<u16>) {
        let (handler, kind, message) = match self.handler {
            Some(handler) => (handler.label, handler.kind, handler.message),
            None => (NONE, 0, 0),
        };
        let d = pack([result.unwrap_or(NONE), handler, kind, message]);
        self.pos = if call.target.pos.line == 0 { self.pos } else { call.target.pos };
        self.emit(Op::Call, site.register, call.op.0, site.first, d);
        self.mark(call, Point::After);
    }
}
