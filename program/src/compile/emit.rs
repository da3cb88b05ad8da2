//! Instructions, labels, slots and temporaries.

use super::{CompileError, Compiler, Flat, Held, NESTED_LOOPS, Point, Portals, Storage, node};
use crate::bytecode::{
    CODE_MAX, Ins, LOOPS_MAX, Loop, NONE, Op, PORTALS_MAX, REGISTERS_MAX, SLOTS_MAX, SPREAD_MAX, SlotType,
    TABLE_MAX, WORDS_MAX, pack, quarters,
};
use crate::tree::{InterfaceId, Pos, Ty, VarId};
use crate::verify::NESTING_MAX;

/// A label that is not bound yet.
const UNBOUND: u32 = u32::MAX;

/// How many free temporaries are looked at for one of the right type: a program may have so many that looking at all of
/// them each time would take seconds.
const FREE_LOOKED_AT: usize = 256;

impl Compiler<'_> {
    pub(super) fn emit(&mut self, op: Op, a: u16, b: u16, c: u16, d: u64) {
        self.emit_flags(op, 0, a, b, c, d);
    }

    pub(super) fn emit_flags(&mut self, op: Op, flags: u8, a: u16, b: u16, c: u16, d: u64) {
        self.note_line();
        self.out.code.push(Ins { op, flags, a, b, c, d });
    }

    /// Emits into the prologue if the code is in a loop: its operands are known before the program begins.
    pub(super) fn emit_once(&mut self, op: Op, a: u16, b: u16, d: u64) {
        let ins = Ins { op, flags: 0, a, b, c: 0, d };
        if self.innermost.is_none() {
            self.note_line();
            self.out.code.push(ins);
        } else {
            self.prologue.push(ins);
        }
    }

    /// Copies `count` scalars; places are a first slot and a step.
    pub(super) fn move_strided(
        &mut self,
        from: (u16, u16),
        to: (u16, u16),
        count: u16,
    ) -> Result<(), CompileError> {
        self.spread(count)?;
        self.emit(Op::MoveStrided, to.0, from.0, 0, pack([count, 0, from.1, to.1]));
        Ok(())
    }

    /// Counts slots and calls that one instruction names.
    pub(super) fn spread(&mut self, count: u16) -> Result<(), CompileError> {
        self.spread += u64::from(count);
        if self.spread > SPREAD_MAX {
            return Err(CompileError::TooLarge(
                "moves and repeats, all counts together",
                SPREAD_MAX as usize,
            ));
        }
        Ok(())
    }

    fn note_line(&mut self) {
        let at = self.out.code.len() as u32;
        match self.out.lines.last_mut() {
            Some((_, pos)) if *pos == self.pos => {}
            Some((old, pos)) if *old == at => *pos = self.pos,
            _ if self.pos == Pos::default() => {}
            _ => self.out.lines.push((at, self.pos)),
        }
    }

    pub(super) fn new_label(&mut self) -> Result<u16, CompileError> {
        let label = u16::try_from(self.labels.len())
            .ok()
            .filter(|label| *label != NONE)
            .ok_or(CompileError::TooLarge("branches", CODE_MAX))?;
        self.labels.push(UNBOUND);
        Ok(label)
    }

    pub(super) fn bind(&mut self, label: u16) {
        self.labels[label as usize] = self.out.code.len() as u32;
    }

    pub(super) fn label_at_end(&self) -> bool {
        self.labels.contains(&(self.out.code.len() as u32))
    }

    pub(super) fn jump(&mut self, label: u16) {
        self.emit(Op::Jump, 0, 0, label, 0);
    }

    /// Notes that `point` of a tree node lies here.
    pub(super) fn mark<T>(&mut self, at: &T, point: Point) {
        let pc = self.out.code.len() as u16;
        if let Some(marks) = &mut self.marks {
            marks.points.insert((node(at), point), pc);
        }
    }

    pub(super) fn new_slot(&mut self, ty: SlotType) -> Result<u16, CompileError> {
        if self.out.slots.len() >= SLOTS_MAX {
            return Err(CompileError::TooLarge("variables", SLOTS_MAX));
        }
        self.out.slots.push(ty);
        Ok(self.out.slots.len() as u16 - 1)
    }

    /// A slot that is free again when the current statement ends.
    pub(super) fn temp(&mut self, ty: SlotType) -> Result<u16, CompileError> {
        let mut looked_at = self.free.iter().take(FREE_LOOKED_AT);
        let slot = match looked_at.position(|slot| self.out.slots[*slot as usize] == ty) {
            Some(at) => self.free.swap_remove(at),
            None => self.new_slot(ty)?,
        };
        self.live.push(slot);
        Ok(slot)
    }

    /// Frees the temporaries taken since there were `count` of them.
    pub(super) fn free_temps(&mut self, count: usize) {
        self.free.extend(self.live.drain(count..));
    }

    pub(super) fn new_register(&mut self, interface: InterfaceId) -> Result<u16, CompileError> {
        if self.out.registers.len() >= REGISTERS_MAX {
            return Err(CompileError::TooLarge("portal variables", REGISTERS_MAX));
        }
        self.out.registers.push(self.interface_of(interface));
        Ok(self.out.registers.len() as u16 - 1)
    }

    /// A register that is released at the end of the innermost open block.
    pub(super) fn scoped_register(&mut self, interface: InterfaceId) -> Result<u16, CompileError> {
        let register = self.new_register(interface)?;
        if self.blocks > 0 {
            self.held.push(Held { first: register, most: 1, is_list: false });
        }
        Ok(register)
    }

    /// The same for a list of portals; which of them count, this slot says.
    fn scoped_list(
        &mut self,
        interface: InterfaceId,
        most: u32,
        count: u16,
    ) -> Result<Portals, CompileError> {
        let (first, most) = (self.out.registers.len() as u16, most.min(PORTALS_MAX) as u16);
        (0..most).try_for_each(|_| self.new_register(interface).map(drop))?;
        let registers = Held { first, most, is_list: true };
        if self.blocks > 0 {
            self.held.push(registers);
        }
        Ok(Portals { registers, count })
    }

    /// Registers for the portals in the elements of a list of this type, which is in a slot. They end with the innermost open block.
    pub(super) fn columns(&mut self, slot: u16, list: &Ty) -> Result<Vec<(u16, Portals)>, CompileError> {
        let Some((words, most)) = self.tree.listed_words(list) else { return Ok(Vec::new()) };
        let count = self.new_slot(SlotType::Int)?;
        let mut columns = Vec::new();
        for (word, interface) in words {
            columns.push((word, self.scoped_list(interface, most, count)?));
        }
        self.columns.insert(slot, columns.clone());
        Ok(columns)
    }

    /// Takes what a call made into them.
    pub(super) fn take_columns(&mut self, slot: u16, columns: &[(u16, Portals)], is_last: bool) {
        for (k, (word, Portals { registers, count })) in columns.iter().enumerate() {
            let more = u16::from(!is_last || k + 1 < columns.len());
            self.emit(Op::TakeAll, registers.first, slot, *count, pack([more, *word, 0, 0]));
        }
    }

    /// The slot type of a variable that is one word.
    pub(super) fn slot_type(&mut self, ty: &Ty) -> Result<SlotType, CompileError> {
        Ok(match ty {
            Ty::Int => SlotType::Int,
            Ty::Bool => SlotType::Bool,
            Ty::Float(precision) => SlotType::Float(*precision),
            Ty::Enum(id) => SlotType::Enum(id.0),
            Ty::Str(cap) => SlotType::Str(*cap),
            Ty::Bytes(cap) => SlotType::Bytes(*cap),
            Ty::List(element, cap) => SlotType::List(self.layout(element)?, *cap),
            Ty::Portal(id) => SlotType::Lent(id.0),
            Ty::Record(_) => return Err(CompileError::Unsupported("a record in one word")),
        })
    }

    /// Number of the layout of list elements of this type.
    fn layout(&mut self, element: &Ty) -> Result<u16, CompileError> {
        let mut words = Vec::new();
        self.flatten(element, Flat::Value, &mut words)?;
        self.layout_of(&words)
    }

    /// A slot for a list of portals in a block: those that a call made, or that are handed over.
    pub(super) fn portals_slot(&mut self, portal: SlotType, most: u16) -> Result<u16, CompileError> {
        let layout = self.layout_of(&[portal])?;
        self.new_slot(SlotType::List(layout, most.into()))
    }

    /// A slot for a list of structs with portals in a block: `portal` says which way these go.
    pub(super) fn structs_slot(
        &mut self,
        of: &Ty,
        most: u32,
        portal: impl Fn(u16) -> SlotType,
    ) -> Result<u16, CompileError> {
        let mut words = Vec::new();
        self.flatten(of, Flat::Value, &mut words)?;
        for word in &mut words {
            if let SlotType::Lent(id) = *word {
                *word = portal(id);
            }
        }
        let layout = self.layout_of(&words)?;
        self.new_slot(SlotType::List(layout, most))
    }

    fn layout_of(&mut self, words: &[SlotType]) -> Result<u16, CompileError> {
        let all = &self.out.layout_words;
        let same =
            |(first, count): &(u16, u16)| all[*first as usize..*first as usize + *count as usize] == *words;
        if let Some(at) = self.out.layouts.iter().position(same) {
            return Ok(at as u16);
        }
        if words.len() > WORDS_MAX {
            return Err(CompileError::TooLarge("fields in an element of a list", WORDS_MAX));
        }
        if self.out.layouts.len() >= TABLE_MAX {
            return Err(CompileError::TooLarge("kinds of list", TABLE_MAX));
        }
        if all.len() + words.len() > SLOTS_MAX {
            return Err(CompileError::TooLarge("words of list elements", SLOTS_MAX));
        }
        let first = u16::try_from(all.len()).map_err(|_| CompileError::TooLarge("list words", SLOTS_MAX))?;
        self.out.layout_words.extend_from_slice(words);
        self.out.layouts.push((first, words.len() as u16));
        Ok(self.out.layouts.len() as u16 - 1)
    }

    /// Appends the slot types of a value of type `ty`.
    pub(super) fn flatten(
        &mut self,
        ty: &Ty,
        flat: Flat,
        words: &mut Vec<SlotType>,
    ) -> Result<(), CompileError> {
        let tree = self.tree;
        match (ty, flat) {
            (Ty::Record(id), _) => {
                for (_, ty) in &tree.records[id.index()].fields {
                    self.flatten(ty, flat, words)?;
                }
            }
            (Ty::Str(cap), Flat::Value) => words.push(SlotType::StrRef(*cap)),
            (Ty::Bytes(cap), Flat::Value) => words.push(SlotType::BytesRef(*cap)),
            (ty, _) => {
                let ty = self.slot_type(ty)?;
                words.push(ty);
            }
        }
        Ok(())
    }

    /// New slots for a value of this type; the first of them.
    pub(super) fn new_slots(&mut self, ty: &Ty, flat: Flat) -> Result<u16, CompileError> {
        // One word needs no list of words.
        match ty {
            Ty::Int => return self.new_slot(SlotType::Int),
            Ty::Bool => return self.new_slot(SlotType::Bool),
            Ty::Float(precision) => return self.new_slot(SlotType::Float(*precision)),
            Ty::Enum(id) => return self.new_slot(SlotType::Enum(id.0)),
            _ => {}
        }
        let mut words = Vec::new();
        self.flatten(ty, flat, &mut words)?;
        let first = self.out.slots.len() as u16;
        words.into_iter().try_for_each(|word| self.new_slot(word).map(drop))?;
        Ok(first)
    }

    /// Gives a variable its storage; nothing is emitted.
    pub(super) fn declare(&mut self, var: VarId) -> Result<(), CompileError> {
        let tree = self.tree;
        self.vars[var.index()] = match &tree.vars[var.index()].ty {
            ty @ Ty::Record(_) => Storage::Record(self.new_slots(ty, Flat::Owned)?),
            Ty::Portal(interface) => Storage::Register(self.scoped_register(*interface)?),
            ty => match ty.portals() {
                Some((interface, most)) => {
                    let count = self.new_slot(SlotType::Int)?;
                    Storage::Portals(self.scoped_list(interface, most, count)?)
                }
                None => {
                    let slot_type = self.slot_type(ty)?;
                    let slot = self.new_slot(slot_type)?;
                    if tree.lists_portals(ty) {
                        self.columns(slot, ty)?;
                    }
                    Storage::Slot(slot)
                }
            },
        };
        Ok(())
    }

    /// Puts the prologue in front, turns labels into instruction indices.
    pub(super) fn finish(&mut self) -> Result<(), CompileError> {
        let shift = self.prologue.len();
        if self.out.code.len() + shift > CODE_MAX {
            let last = self.out.lines.partition_point(|(at, _)| *at as usize + shift < CODE_MAX);
            self.pos = self.out.lines.get(last.wrapping_sub(1)).map_or(self.pos, |(_, pos)| *pos);
            return Err(CompileError::TooLarge("instructions", CODE_MAX));
        }
        if let Some(l) = self.out.loops.get(LOOPS_MAX) {
            self.pos = Pos { line: l.line, col: 1 };
            return Err(CompileError::TooLarge("loops", LOOPS_MAX));
        }
        let labels = &self.labels;
        let place = |label: u16| (labels[label as usize] as usize + shift) as u16;
        for ins in &mut self.out.code {
            if ins.op.branches() {
                ins.c = place(ins.c);
            } else if ins.op == Op::Call {
                let mut d = quarters(ins.d);
                if d[1] != NONE {
                    d[1] = place(d[1]);
                    ins.d = pack(d);
                }
            }
        }
        for l in &mut self.out.loops {
            (l.head, l.test, l.end) = (place(l.head), place(l.test), place(l.end));
        }
        if let Some(l) = too_deep(&self.out.loops) {
            self.pos = Pos { line: l.line, col: 1 };
            return Err(CompileError::TooLarge(NESTED_LOOPS, NESTING_MAX));
        }
        if shift > 0 {
            self.out.code.extend_from_slice(&self.prologue);
            self.out.code.rotate_right(shift);
            self.out.lines.iter_mut().for_each(|(at, _)| *at += shift as u32);
        }
        if let Some(marks) = &mut self.marks {
            marks.points.values_mut().for_each(|at| *at += shift as u16);
        }
        Ok(())
    }
}

/// The first loop that is nested deeper than it may be; they stand in the order of their heads.
fn too_deep(loops: &[Loop]) -> Option<&Loop> {
    let (mut ends, mut depth) = ([0; NESTING_MAX], 0);
    for l in loops {
        while depth > 0 && ends[depth - 1] <= l.head {
            depth -= 1;
        }
        if depth == NESTING_MAX {
            return Some(l);
        }
        (ends[depth], depth) = (l.end, depth + 1);
    }
    None
}
