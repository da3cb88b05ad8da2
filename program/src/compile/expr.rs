//! Expressions.

use super::condition::When;
use super::{CompileError, Compiler, Flat, Leave, Point, Portals, Storage, Val, Whole, mentions};
use crate::bytecode::{Op, SlotType, pack};
use crate::float::{Float, Precision};
use carnet_portal::call::Ref;

use crate::tree::{ArithOp, Expr, ExprKind, Inline, InterfaceId, Rel, Ty, VarId};

type Result<T> = std::result::Result<T, CompileError>;

impl Compiler<'_> {
    /// Evaluates an expression to wherever its value is cheapest.
    pub(super) fn expr(&mut self, expr: &Expr) -> Result<Val> {
        self.pos = if expr.pos.line == 0 { self.pos } else { expr.pos };
        match &expr.kind {
            ExprKind::Int(n) => Ok(Storage::Imm(*n)),
            ExprKind::Bool(b) => Ok(Storage::Imm(i64::from(*b))),
            ExprKind::Float(float) => Ok(Storage::Imm(float.word.cast_signed())),
            ExprKind::Enum(_, n) => Ok(Storage::Imm(i64::from(*n))),
            ExprKind::Text(text) => Ok(Storage::Slot(self.literal(text)?)),
            ExprKind::Var(var) => Ok(self.vars[var.index()]),
            ExprKind::Field(of, _) => {
                let ty = self.type_of(expr);
                if let Ty::Portal(interface) = ty {
                    let (portals, at) = self.picked_field(expr)?;
                    return self.picked_apart(super::node(&**of), interface, portals, at);
                }
                let (base, word) = self.field_chain(expr)?;
                self.word_of(base, word, &ty)
            }
            ExprKind::Index(list, index) => match self.tree.vars[list.index()].ty.portals() {
                Some((interface, _)) => {
                    let (portals, at) = self.picked(*list, index)?;
                    self.picked_apart(super::node(&**index), interface, portals, at)
                }
                None => self.index(*list, index),
            },
            ExprKind::Len(of) => self.len(of),
            ExprKind::Call(call) => self.call(call, None),
            ExprKind::Inline(inline) => self.inline(inline),
            ExprKind::Concat(parts) => {
                let ty = self.joined(parts);
                let ty = self.slot_type(&ty)?;
                let to = self.temp(ty)?;
                self.concat_into(to, parts)?;
                Ok(Storage::Slot(to))
            }
            ExprKind::As(ty @ (Ty::Str(_) | Ty::Bytes(_) | Ty::List(..)), of) => {
                let ty = self.slot_type(ty)?;
                let to = self.temp(ty)?;
                self.read_as(to, of)?;
                Ok(Storage::Slot(to))
            }
            ExprKind::Tail(of, at) => self.tail(of, at),
            ExprKind::Record(id, _) => {
                let first = self.new_slots(&Ty::Record(*id), Flat::Value)?;
                self.words_into(first, expr)?;
                Ok(Storage::Record(first))
            }
            _ => {
                let ty = self.scalar_type(expr);
                let to = self.temp(ty)?;
                self.scalar_into(to, expr)?;
                Ok(Storage::Slot(to))
            }
        }
    }

    /// The literal's slot; equal literals share one.
    fn literal(&mut self, text: &[u8]) -> Result<u16> {
        let len =
            u16::try_from(text.len()).map_err(|_| CompileError::TooLarge("bytes in a literal", 65_535))?;
        if let Some(slot) = self.literals.get(text) {
            return Ok(*slot);
        }
        let offset = self.out.literals.len() as u32;
        self.out.literals.extend_from_slice(text);
        let slot = self.new_slot(SlotType::Literal { len, offset })?;
        self.literals.insert(text.to_vec(), slot);
        Ok(slot)
    }

    /// The type of an expression that is a record or an element, as far as fields of it need it.
    pub(super) fn type_of(&self, expr: &Expr) -> Ty {
        let tree = self.tree;
        match &expr.kind {
            ExprKind::Var(var) => tree.vars[var.index()].ty.clone(),
            ExprKind::Index(list, _) => match &tree.vars[list.index()].ty {
                Ty::List(element, _) => (**element).clone(),
                other => other.clone(),
            },
            ExprKind::Field(record, field) => match self.type_of(record) {
                Ty::Record(id) => tree.field(id, *field).1.clone(),
                other => other,
            },
            ExprKind::Record(id, _) => Ty::Record(*id),
            ExprKind::Call(call) => tree.ops[call.op.index()].value.clone().unwrap_or(Ty::Int),
            ExprKind::Inline(inline) => match inline.result {
                Some(var) => tree.vars[var.index()].ty.clone(),
                None => Ty::Int,
            },
            ExprKind::Text(text) => Ty::Str(text.len() as u32),
            ExprKind::Concat(parts) => self.joined(parts),
            ExprKind::Enum(id, _) => Ty::Enum(*id),
            ExprKind::Int(_) | ExprKind::Len(_) => Ty::Int,
            ExprKind::Float(Float { precision, .. }) | ExprKind::Convert(precision, _) => {
                Ty::Float(*precision)
            }
            ExprKind::Neg(of) | ExprKind::Arith(of, _) => self.type_of(of),
            ExprKind::As(ty, _) => ty.clone(),
            ExprKind::Tail(of, _) => self.type_of(of),
            _ => Ty::Bool,
        }
    }

    /// The type of texts joined: as long as all of them, so that only what it is put into limits it.
    fn joined(&self, parts: &[Expr]) -> Ty {
        let max = |ty: &Ty| match ty {
            Ty::Str(max) | Ty::Bytes(max) => *max,
            _ => 0,
        };
        let types: Vec<Ty> = parts.iter().map(|part| self.type_of(part)).collect();
        let sum = types.iter().fold(0u32, |sum, ty| sum.saturating_add(max(ty)));
        let sum = sum.min(Ref::LEN_MAX as u32);
        if matches!(types.first(), Some(Ty::Bytes(_))) { Ty::Bytes(sum) } else { Ty::Str(sum) }
    }

    /// Whether a comparison is one of numbers that branches compare: neither texts nor floats.
    pub(super) fn is_integral(&self, expr: &Expr) -> bool {
        !matches!(self.type_of(expr), Ty::Str(_) | Ty::Bytes(_) | Ty::Float(_))
    }

    pub(super) fn is_text(&self, expr: &Expr) -> bool {
        matches!(self.type_of(expr), Ty::Str(_) | Ty::Bytes(_))
    }

    /// The value that a chain of fields begins with, and the word of it at which the last field begins.
    fn field_chain(&mut self, expr: &Expr) -> Result<(Val, u16)> {
        let ExprKind::Field(record, field) = &expr.kind else { return Ok((self.expr(expr)?, 0)) };
        let Ty::Record(id) = self.type_of(record) else {
            return Err(CompileError::Unsupported("a field of this"));
        };
        let (base, offset) = self.field_chain(record)?;
        Ok((base, offset + self.tree.field(id, *field).0 as u16))
    }

    /// Word `word` of a record that is in slots or in a list; `ty` is the type of the field there.
    fn word_of(&mut self, base: Val, word: u16, ty: &Ty) -> Result<Val> {
        match base {
            Storage::Record(first) if matches!(ty, Ty::Record(_)) => Ok(Storage::Record(first + word)),
            Storage::Record(first) => Ok(Storage::Slot(first + word)),
            Storage::Element(list, index) => {
                let mut words = Vec::new();
                self.flatten(ty, Flat::Value, &mut words)?;
                if let Ty::Record(_) = ty {
                    let first = self.out.slots.len() as u16;
                    for (k, ty) in words.into_iter().enumerate() {
                        let to = self.new_slot(ty)?;
                        self.emit(Op::Get, to, list, index, u64::from(word) + k as u64);
                    }
                    return Ok(Storage::Record(first));
                }
                let to = self.temp(words[0])?;
                self.emit(Op::Get, to, list, index, u64::from(word));
                Ok(Storage::Slot(to))
            }
            other => Ok(other),
        }
    }

    fn index(&mut self, list: VarId, index: &Expr) -> Result<Val> {
        let value = self.expr(index)?;
        let index = self.in_slot(value, SlotType::Int)?;
        let list_slot = self.list_slot(list)?;
        let Ty::List(element, _) = self.tree.vars[list.index()].ty.clone() else {
            return Err(CompileError::Unsupported("an index into this"));
        };
        let element_at = Storage::Element(list_slot, index);
        if matches!(*element, Ty::Record(_)) { Ok(element_at) } else { self.word_of(element_at, 0, &element) }
    }

    /// A list of portals, and the slot of an index into it.
    pub(super) fn picked(&mut self, list: VarId, index: &Expr) -> Result<(Portals, u16)> {
        let value = self.expr(index)?;
        let index = self.in_slot(value, SlotType::Int)?;
        match self.vars[list.index()] {
            Storage::Portals(portals) => Ok((portals, index)),
            _ => Err(CompileError::Unsupported("this as a list of portals")),
        }
    }

    /// How many words an element of a list has.
    pub(super) fn words_of_elements(&self, list: u16) -> u16 {
        match self.out.slots[usize::from(list)] {
            SlotType::List(layout, _) => self.out.layouts[usize::from(layout)].1,
            _ => 1,
        }
    }

    /// The slot that says how many elements a list of structs with portals has.
    pub(super) fn counted(&self, list: u16) -> Option<u16> {
        self.columns.get(&list)?.first().map(|(_, portals)| portals.count)
    }

    /// The portals of a word of the elements of a list, and the slot of the index of one of them.
    pub(super) fn picked_field(&mut self, field: &Expr) -> Result<(Portals, u16)> {
        let (base, word) = self.field_chain(field)?;
        let Storage::Element(list, at) = base else {
            return Err(CompileError::Unsupported("this as a struct with portals"));
        };
        let columns = self.columns.get(&list).into_iter().flatten();
        let of_word = columns.clone().find(|(at, _)| *at == word);
        of_word.map(|(_, portals)| (*portals, at)).ok_or(CompileError::Unsupported("this as a portal"))
    }

    /// An element of a list of portals into a register of its own, which may have been reserved for this node of the tree.
    fn picked_apart(
        &mut self,
        node: usize,
        interface: InterfaceId,
        portals: Portals,
        at: u16,
    ) -> Result<Val> {
        let register = match self.reserved.get(&node) {
            Some(register) => *register,
            None => self.scoped_register(interface)?,
        };
        self.pick(register, portals, at);
        Ok(Storage::Register(register))
    }

    /// An element of a list of portals into a register.
    pub(super) fn pick(&mut self, register: u16, Portals { registers, count }: Portals, index: u16) {
        let of = pack([registers.most, count, 0, 0]);
        self.emit(Op::Pick, register, registers.first, index, of);
    }

    pub(super) fn list_slot(&self, list: VarId) -> Result<u16> {
        match self.vars[list.index()] {
            Storage::Slot(slot) => Ok(slot),
            _ => Err(CompileError::Unsupported("this as a list")),
        }
    }

    fn len(&mut self, of: &Expr) -> Result<Val> {
        let list = matches!(self.type_of(of), Ty::List(..));
        let value = self.expr(of)?;
        if let Storage::Portals(portals) = value {
            return Ok(Storage::Slot(portals.count));
        }
        if let Storage::Slot(slot) = value
            && let Some(count) = self.counted(slot)
        {
            return Ok(Storage::Slot(count));
        }
        let slot = self.in_slot(value, SlotType::Int)?;
        let to = self.temp(SlotType::Int)?;
        self.emit(if list { Op::Count } else { Op::Len }, to, slot, 0, 0);
        Ok(Storage::Slot(to))
    }

    /// The slot of a scalar or text; a constant is loaded into a temporary of type `ty`.
    pub(super) fn in_slot(&mut self, value: Val, ty: SlotType) -> Result<u16> {
        match value {
            Storage::Slot(slot) => Ok(slot),
            Storage::Imm(n) => {
                let to = self.temp(ty)?;
                self.emit(Op::Load, to, 0, 0, n as u64);
                Ok(to)
            }
            Storage::Element(list, index) => {
                let ty = self.element_word(list);
                let to = self.temp(ty)?;
                self.emit(Op::Get, to, list, index, 0);
                Ok(to)
            }
            _ => Err(CompileError::Unsupported("this as a scalar")),
        }
    }

    /// Type of the first word of a list's elements.
    fn element_word(&self, list: u16) -> SlotType {
        match self.out.slots[list as usize] {
            SlotType::List(layout, _) => {
                let (first, _) = self.out.layouts[layout as usize];
                self.out.layout_words[first as usize]
            }
            other => other,
        }
    }

    /// The type of slot that holds a scalar expression.
    pub(super) fn scalar_type(&self, expr: &Expr) -> SlotType {
        match self.type_of(expr) {
            Ty::Bool => SlotType::Bool,
            Ty::Float(precision) => SlotType::Float(precision),
            Ty::Enum(id) => SlotType::Enum(id.0),
            _ => SlotType::Int,
        }
    }

    /// Evaluates a scalar into slot `to`.
    pub(super) fn scalar_into(&mut self, to: u16, expr: &Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Neg(of) => {
                let value = self.expr(of)?;
                if let ty @ SlotType::Float(precision) = self.scalar_type(of) {
                    let b = self.in_slot(value, ty)?;
                    let minus = Storage::Imm(precision.of(-1.0).word.cast_signed());
                    return self.arith(to, ArithOp::Mul, Storage::Slot(b), minus);
                }
                let b = self.in_slot(value, SlotType::Int)?;
                self.emit(Op::Neg, to, b, 0, 0);
            }
            ExprKind::Convert(precision, of) => {
                let from = self.scalar_type(of);
                let value = self.expr(of)?;
                let b = self.in_slot(value, from)?;
                let flags = u8::from(from != SlotType::Int) | u8::from(*precision == Precision::Double) << 1;
                self.emit_flags(Op::Convert, flags, to, b, 0, 0);
            }
            ExprKind::As(ty, of) if !matches!(ty, Ty::Str(_) | Ty::Bytes(_) | Ty::List(..)) => {
                self.read_as(to, of)?;
            }
            ExprKind::Not(of) => {
                let value = self.expr(of)?;
                let b = self.in_slot(value, SlotType::Bool)?;
                self.emit(Op::Not, to, b, 0, 0);
            }
            ExprKind::Arith(first, rest) => {
                // Operands may name `to`, so that only the last result goes there.
                let so_far = if rest.len() > 1 { self.temp(self.out.slots[to as usize])? } else { to };
                let mut a = self.expr(first)?;
                for (at, (op, operand)) in rest.iter().enumerate() {
                    let b = self.expr(operand)?;
                    let into = if at + 1 == rest.len() { to } else { so_far };
                    self.arith(into, *op, a, b)?;
                    a = Storage::Slot(into);
                }
            }
            ExprKind::Compare(rel, left, right) => self.compare(to, *rel, left, right)?,
            ExprKind::Test(test, left, right) => {
                let (b, c) = self.two_texts(left, right)?;
                self.emit_flags(Op::TestText, *test as u8, to, b, c, 0);
            }
            ExprKind::And(_) | ExprKind::Or(_) => {
                let end = self.new_label()?;
                let truth = self.temp(SlotType::Bool)?;
                self.emit(Op::Load, truth, 0, 0, 1);
                self.branch(expr, end, When::Holds)?;
                self.mark(expr, Point::False);
                self.emit(Op::Load, truth, 0, 0, 0);
                self.bind(end);
                self.mark(expr, Point::Value);
                self.emit(Op::Move, to, truth, 0, 0);
            }
            ExprKind::Call(call) => match self.call(call, Some(to))? {
                Storage::Slot(slot) if slot == to => {}
                value => self.move_into(to, value, expr)?,
            },
            _ => {
                let value = self.expr(expr)?;
                self.move_into(to, value, expr)?;
            }
        }
        Ok(())
    }

    /// A word of a union into slot `to`, whose type says as what.
    fn read_as(&mut self, to: u16, of: &Expr) -> Result<()> {
        let from = self.scalar_type(of);
        let value = self.expr(of)?;
        let from = self.in_slot(value, from)?;
        self.emit(Op::As, to, from, 0, 0);
        Ok(())
    }

    /// Copies a scalar, or makes a reference to a text; `expr` is where the value comes from.
    pub(super) fn move_into(&mut self, to: u16, value: Val, expr: &Expr) -> Result<()> {
        if let Some(narrow) = self.narrower(to, value) {
            let from = self.in_slot(value, SlotType::Int)?;
            let copy = self.temp(narrow)?;
            self.mark(expr, Point::Copied);
            self.emit(Op::Set, copy, from, 0, 0);
            self.emit(Op::Move, to, copy, 0, 0);
            return Ok(());
        }
        match value {
            Storage::Slot(from) if from == to => {}
            Storage::Slot(from) => self.emit(Op::Move, to, from, 0, 0),
            Storage::Imm(n) => self.emit(Op::Load, to, 0, 0, n as u64),
            Storage::Element(list, index) => self.emit(Op::Get, to, list, index, 0),
            Storage::Register(register) => self.emit(Op::Lend, to, register, 0, 0),
            Storage::Portals(Portals { registers, count }) => {
                self.emit(Op::LendAll, to, registers.first, count, 0);
            }
            Storage::Nowhere | Storage::Record(_) => {}
        }
        Ok(())
    }

    /// If slot `to` refers to shorter texts than `value` may be: the type of a variable that checks the length.
    fn narrower(&self, to: u16, value: Val) -> Option<SlotType> {
        let max = match value {
            Storage::Slot(slot) => self.out.slots[slot as usize].text_max()?,
            Storage::Element(list, _) => self.element_word(list).text_max()?,
            _ => return None,
        };
        match self.out.slots[to as usize] {
            SlotType::StrRef(cap) if cap < max => Some(SlotType::Str(cap)),
            SlotType::BytesRef(cap) if cap < max => Some(SlotType::Bytes(cap)),
            _ => None,
        }
    }

    /// Slot `to` = `a` op `b`; all three are of one type.
    pub(super) fn arith(&mut self, to: u16, op: ArithOp, a: Val, b: Val) -> Result<()> {
        if let ty @ SlotType::Float(precision) = self.out.slots[to as usize] {
            let (a, b) = (self.in_slot(a, ty)?, self.in_slot(b, ty)?);
            let flags = op as u8 | u8::from(precision == Precision::Double) << 2;
            self.emit_flags(Op::FloatArith, flags, to, a, b, 0);
            return Ok(());
        }
        match (op, a, b) {
            (ArithOp::Add, Storage::Slot(a), Storage::Imm(n))
            | (ArithOp::Add, Storage::Imm(n), Storage::Slot(a)) => {
                self.emit(Op::AddI, to, a, 0, n as u64);
            }
            (ArithOp::Sub, Storage::Slot(a), Storage::Imm(n)) if n != i64::MIN => {
                self.emit(Op::AddI, to, a, 0, n.wrapping_neg() as u64);
            }
            _ => {
                let a = self.in_slot(a, SlotType::Int)?;
                let b = self.in_slot(b, SlotType::Int)?;
                self.emit(arith_op(op), to, a, b, 0);
            }
        }
        Ok(())
    }

    /// A reference to what is left of a text behind its first bytes.
    fn tail(&mut self, of: &Expr, at: &Expr) -> Result<Val> {
        let (text, at) = (self.expr(of)?, self.expr(at)?);
        let (b, c) = (self.in_slot(text, SlotType::Int)?, self.in_slot(at, SlotType::Int)?);
        let ty = self.out.slots[usize::from(b)];
        let to = self.temp(match ty.bytes_max() {
            Some(max) => SlotType::BytesRef(max),
            None => SlotType::StrRef(ty.text_max().unwrap_or(0)),
        })?;
        self.emit(Op::Tail, to, b, c, 0);
        Ok(Storage::Slot(to))
    }

    fn two_texts(&mut self, left: &Expr, right: &Expr) -> Result<(u16, u16)> {
        let (a, b) = (self.expr(left)?, self.expr(right)?);
        Ok((self.in_slot(a, SlotType::Int)?, self.in_slot(b, SlotType::Int)?))
    }

    fn compare(&mut self, to: u16, rel: Rel, left: &Expr, right: &Expr) -> Result<()> {
        if self.is_text(left) {
            let (b, c) = self.two_texts(left, right)?;
            self.emit_flags(Op::CompareText, rel as u8, to, b, c, 0);
            return Ok(());
        }
        let ty = self.scalar_type(left);
        let (a, b) = (self.expr(left)?, self.expr(right)?);
        let (b, c) = (self.in_slot(a, ty)?, self.in_slot(b, ty)?);
        match ty {
            SlotType::Float(precision) => {
                let flags = rel as u8 | u8::from(precision == Precision::Double) << 3;
                self.emit_flags(Op::FloatCompare, flags, to, b, c, 0);
            }
            _ => self.emit_flags(Op::Compare, rel as u8, to, b, c, 0),
        }
        Ok(())
    }

    /// Joins texts in the text slot `to`, which none but the first of them may mention.
    pub(super) fn concat_into(&mut self, to: u16, parts: &[Expr]) -> Result<()> {
        for (k, part) in parts.iter().enumerate() {
            let value = self.expr(part)?;
            let from = self.in_slot(value, SlotType::Int)?;
            match k {
                0 if from == to => {}
                0 => {
                    self.mark(part, Point::Copied);
                    self.emit(Op::Set, to, from, 0, 0);
                }
                _ => self.emit(Op::Append, to, from, 0, 0),
            }
        }
        Ok(())
    }

    /// Evaluates a text or list into the slot `to` that owns an area; `var` is the variable it belongs to.
    pub(super) fn text_into(&mut self, to: u16, expr: &Expr, var: Option<VarId>) -> Result<()> {
        if let ExprKind::Concat(parts) = &expr.kind
            && self.whole == Whole::Any
            && !parts[1..].iter().any(|part| var.is_some_and(|var| mentions(part, var)))
        {
            return self.concat_into(to, parts);
        }
        if let ExprKind::As(ty @ (Ty::Str(_) | Ty::Bytes(_) | Ty::List(..)), of) = &expr.kind
            && self.whole == Whole::Any
        {
            let wanted = self.slot_type(ty)?;
            if self.out.slots[to as usize] == wanted {
                return self.read_as(to, of);
            }
        }
        let value = self.expr(expr)?;
        let from = self.in_slot(value, SlotType::Int)?;
        if from != to {
            self.mark(expr, Point::Copied);
            self.emit(Op::Set, to, from, 0, 0);
        }
        Ok(())
    }

    /// Evaluates a value into consecutive slots: scalars and references, or texts that own areas.
    pub(super) fn words_into(&mut self, first: u16, expr: &Expr) -> Result<()> {
        if let ExprKind::Record(id, fields) = &expr.kind {
            let mut at = first;
            for (k, field) in fields.iter().enumerate() {
                self.words_into(at, field)?;
                at += self.tree.words(&self.tree.records[id.index()].fields[k].1) as u16;
            }
            return Ok(());
        }
        if let ty @ Ty::Record(_) = self.type_of(expr) {
            let value = self.expr(expr)?;
            return self.record_words(first, value, expr, &ty);
        }
        match self.out.slots[first as usize] {
            // Bytes have no literals: an omitted field is an empty text.
            SlotType::BytesRef(_) if matches!(expr.kind, ExprKind::Text(_)) => {
                self.emit(Op::Load, first, 0, 0, 0);
                Ok(())
            }
            SlotType::Bytes(_) if matches!(expr.kind, ExprKind::Text(_)) => {
                self.emit(Op::Clear, first, 0, 0, 0);
                Ok(())
            }
            SlotType::Str(_) | SlotType::Bytes(_) | SlotType::List(..) => self.text_into(first, expr, None),
            _ => self.scalar_into(first, expr),
        }
    }

    /// Copies the words of a record; `node` is where it comes from.
    pub(super) fn record_words<T>(&mut self, first: u16, value: Val, node: &T, ty: &Ty) -> Result<()> {
        for k in 0..self.tree.words(ty) as u16 {
            let to = first + k;
            let owner = self.out.slots[to as usize].owns_area();
            if owner && value != Storage::Record(first) {
                self.mark(node, Point::Copied);
            }
            match value {
                Storage::Record(from) if from == first => {}
                Storage::Record(from) if owner => self.emit(Op::Set, to, from + k, 0, 0),
                Storage::Record(from) => self.emit(Op::Move, to, from + k, 0, 0),
                Storage::Element(list, index) if owner => {
                    let word = match self.out.slots[to as usize] {
                        SlotType::Bytes(cap) => SlotType::BytesRef(cap),
                        other => SlotType::StrRef(other.string_max().unwrap_or(0)),
                    };
                    let reference = self.temp(word)?;
                    self.emit(Op::Get, reference, list, index, u64::from(k));
                    self.emit(Op::Set, to, reference, 0, 0);
                }
                Storage::Element(list, index) => self.emit(Op::Get, to, list, index, u64::from(k)),
                _ => return Err(CompileError::Unsupported("this as a record")),
            }
        }
        Ok(())
    }

    /// Gives registers to the portals of a condition that is compiled behind a body which may leave: they end with
    /// the block that is open now, and whoever leaves it must know them.
    pub(super) fn reserve(&mut self, expr: &Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Call(call) => {
                self.reserve(&call.target)?;
                call.args.iter().try_for_each(|arg| self.reserve(arg))?;
                if let Some(Ty::Portal(interface)) = self.tree.ops[call.op.index()].value {
                    let register = self.scoped_register(interface)?;
                    self.reserved.insert(super::node(&**call), register);
                }
                Ok(())
            }
            ExprKind::Inline(inline) => match inline.result {
                Some(var) if matches!(self.tree.vars[var.index()].ty, Ty::Portal(_)) => {
                    self.declare_if_new(var)
                }
                _ => Ok(()),
            },
            ExprKind::Index(list, index) => {
                self.reserve(index)?;
                if let Some((interface, _)) = self.tree.vars[list.index()].ty.portals() {
                    let register = self.scoped_register(interface)?;
                    self.reserved.insert(super::node(&**index), register);
                }
                Ok(())
            }
            ExprKind::Field(of, _) => {
                self.reserve(of)?;
                if let Some(interface) = self.tree.portal_field(expr) {
                    let register = self.scoped_register(interface)?;
                    self.reserved.insert(super::node(&**of), register);
                }
                Ok(())
            }
            ExprKind::Len(of)
            | ExprKind::Neg(of)
            | ExprKind::Not(of)
            | ExprKind::Convert(_, of)
            | ExprKind::As(_, of) => self.reserve(of),
            ExprKind::Arith(first, rest) => {
                self.reserve(first)?;
                rest.iter().try_for_each(|(_, operand)| self.reserve(operand))
            }
            ExprKind::Compare(_, a, b) | ExprKind::Test(_, a, b) | ExprKind::Tail(a, b) => {
                self.reserve(a)?;
                self.reserve(b)
            }
            ExprKind::And(parts)
            | ExprKind::Or(parts)
            | ExprKind::Concat(parts)
            | ExprKind::Record(_, parts) => parts.iter().try_for_each(|part| self.reserve(part)),
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Float(_)
            | ExprKind::Enum(..)
            | ExprKind::Text(_)
            | ExprKind::Var(_) => Ok(()),
        }
    }

    /// Expands a function.
    pub(super) fn inline(&mut self, inline: &Inline) -> Result<Val> {
        let end = self.new_label()?;
        if let Some(result) = inline.result {
            self.declare_fresh(result)?;
        }
        let handler = self.handler;
        self.leaves.push(Leave { result: inline.result, end, held: self.held.len() });
        self.block(&inline.body)?;
        self.leaves.pop();
        self.handler = handler;
        self.bind(end);
        self.mark(inline, Point::Left);
        Ok(inline.result.map_or(Storage::Nowhere, |var| self.vars[var.index()]))
    }
}

fn arith_op(op: ArithOp) -> Op {
    match op {
        ArithOp::Add => Op::Add,
        ArithOp::Sub => Op::Sub,
        ArithOp::Mul => Op::Mul,
        ArithOp::Div => Op::Div,
        ArithOp::Rem => Op::Rem,
    }
}
