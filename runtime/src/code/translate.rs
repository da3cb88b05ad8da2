//! From bytecode to operations on registers, one method at a time.
//!
//! One pass over the instructions that control can reach, block by block. While it goes over a block, it keeps in mind
//! where each value of the operand stack is: in its own register, in a local variable that nobody has changed since, or
//! nowhere yet because it is a constant. At the end of a block all are put into their own registers, so that blocks fit
//! together whatever way they are reached.
//!
//! What was verified is not verified again, and classes of the library were never verified: whatever does not fit, too many or too few
//! values on the stack for example, ends with an error and not with code.

mod control;
mod forms;
mod own;

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

use carnet_classes::class::{self, Code as Bytes};
use carnet_classes::instruction::{Instruction, Operands, decode};
use carnet_classes::opcode::Effect;

use super::{Code, Handler, Switch, Word, op};
use crate::account;
use crate::class::{Class, Constant, Kind, Method, Origin, Signature};
use crate::symbol::Symbol;
use forms::{binary, class_of, kind_of, local_of, number_form, number_form_long, unary};

/// No frame has more registers: operations name them in 8 bits, and some are kept to move values around.
pub const REGISTERS_MAX: u32 = 252;
/// Registers beside variables and stack.
const SPARE: u32 = 4;

/// Most slots of a stack whose registers operations can name.
const STACK_MAX: u16 = (REGISTERS_MAX - SPARE) as u16;
/// Most local variables that are registers beside a deeper stack.
const LOCALS_DEEP: u16 = 120;
/// Spare registers beside a deeper stack: operands that cannot be named are copied to the last of them.
const SPARE_DEEP: u16 = 2 * SPARE as u16;
/// Most slots of the stack: calls name registers in 16 bits.
const STACK_DEEP_MAX: u16 = u16::MAX - LOCALS_DEEP - SPARE_DEEP;

/// Why a method cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untranslatable {
    /// It has no code that can be read, or code that does not fit together.
    #[error("code that does not fit together: {0} at {1}")]
    Broken(&'static str, u32),
    /// It has too many values on the stack.
    #[error("{0} slots of values on the stack; at most {STACK_DEEP_MAX} are supported")]
    Stack(u16),
}

/// Where a value of the operand stack is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    /// In its own register.
    Own,
    /// In this local variable.
    Local(u8),
    /// An int, or the bits of a float.
    Int(i32),
    /// A long, or the bits of a double.
    Long(u64),
    /// Null.
    Null,
}

/// Where a local variable is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Local {
    /// In this register.
    Near(u8),
    /// So many below the first register.
    Far(u32),
}

/// An entry of the operand stack.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    value: Value,
    kind: Kind,
    /// Its slot of the operand stack.
    slot: u16,
}

struct Translator<'t> {
    class: &'t Class,
    signature: &'t Signature,
    caught: &'t HashMap<u16, Symbol>,
    code: Bytes<'t>,
    words: Vec<u64>,
    offsets: Vec<u16>,
    wide: Vec<u64>,
    /// Switches, with targets as offsets until the end.
    switches: Vec<Switch>,
    sites: usize,
    stack: Vec<Entry>,
    /// The offset of the instruction that is looked at.
    at: u32,
    /// Instructions since the block began that were not counted yet.
    count: u32,
    /// The last word, if it does nothing but set this register.
    defined: Option<u8>,
    /// What is on the stack where blocks begin.
    entries: HashMap<u32, Vec<Kind>>,
    /// Blocks to be translated.
    waiting: BTreeSet<u32>,
    /// Where blocks that are translated begin.
    begins: HashMap<u32, u32>,
    /// Where blocks begin, translated or not.
    leaders: Vec<bool>,
    /// Words whose target is known as a word already.
    turned: Vec<usize>,
    /// Variables that are registers.
    near: u16,
    /// Those that are not.
    far: u32,
    /// The first spare register.
    spares: u16,
    /// The first register of the stack.
    base: u16,
    /// Operands of the instruction that were copied to spare registers.
    copied: u16,
    /// Whether what the instruction leaves on the stack is in the last spare register.
    has_result: bool,
}

type Done<T = ()> = Result<T, Untranslatable>;

/// Translates a method of a class. Those that its handlers catch are known by the number of their text.
///
/// # Errors
/// [`Untranslatable`].
pub fn translate(
    class: &Class,
    method: &Method,
    signature: &Signature,
    caught: &HashMap<u16, Symbol>,
) -> Result<Code, Untranslatable> {
    let content = class.file.get(method.code.clone()).unwrap_or_default();
    let code = Bytes::read(content).ok_or(Untranslatable::Broken("a Code that cannot be read", 0))?;
    if code.max_stack > STACK_DEEP_MAX {
        return Err(Untranslatable::Stack(code.max_stack));
    }
    let is_deep = code.max_stack > STACK_MAX;
    let near = code.max_locals.min(STACK_MAX.checked_sub(code.max_stack).unwrap_or(LOCALS_DEEP));
    let far = u32::from(code.max_locals - near);
    // A deep stack comes last, so that all else can be named.
    let (base, spares) = if is_deep { (near + SPARE_DEEP, near) } else { (near, near + code.max_stack) };
    let registers = u32::from(base.max(spares)) + if is_deep { u32::from(code.max_stack) } else { SPARE };
    let leaders = leaders(&code)?;
    let mut translator = Translator {
        class,
        signature,
        caught,
        words: Vec::with_capacity(code.bytes.len()),
        offsets: Vec::with_capacity(code.bytes.len()),
        wide: Vec::new(),
        switches: Vec::new(),
        sites: 0,
        stack: Vec::new(),
        at: 0,
        count: 0,
        defined: None,
        entries: HashMap::from([(0, Vec::new())]),
        waiting: BTreeSet::from([0]),
        begins: HashMap::new(),
        leaders,
        turned: Vec::new(),
        near,
        far,
        spares,
        base,
        copied: 0,
        has_result: false,
        code,
    };
    if far > 0 || is_deep {
        translator.emit_beside(Word::new(op::FAR_ENTER, (0, 0, 0), far));
    }
    for handler in translator.code.handlers.clone() {
        let target = u32::from(handler.target);
        translator.entries.insert(target, vec![Kind::Reference]);
        translator.waiting.insert(target);
    }
    while let Some(begin) = translator.waiting.pop_first() {
        translator.blocks(begin)?;
    }
    translator.finish(registers)
}

/// Marks the offsets where blocks begin.
fn leaders(code: &Bytes<'_>) -> Done<Vec<bool>> {
    let mut leaders = vec![false; code.bytes.len()];
    let mut mark = |target: i64| {
        let place = usize::try_from(target).ok().and_then(|target| leaders.get_mut(target));
        place.map(|leader| *leader = true).ok_or(Untranslatable::Broken("a target outside of the code", 0))
    };
    let mut at = 0;
    while (at as usize) < code.bytes.len() {
        let instruction = decode(code.bytes, at).map_err(|_| Untranslatable::Broken("no instruction", at))?;
        match instruction.operands {
            Operands::Target(target) => mark(target)?,
            Operands::Switch(switch) => {
                mark(switch.default)?;
                switch.cases().try_for_each(|(_, target)| mark(target))?;
            }
            _ => {}
        }
        at += instruction.length;
    }
    for handler in &code.handlers {
        mark(i64::from(handler.target))?;
    }
    Ok(leaders)
}

/// The condition of a comparison, in the order of the opcodes.
const CONDITIONS: u8 = 6;

impl Translator<'_> {
    fn broken<T>(&self, what: &'static str) -> Done<T> {
        Err(Untranslatable::Broken(what, self.at))
    }

    fn emit(&mut self, word: Word) {
        self.words.push(word.0);
        self.offsets.push(self.at as u16);
        self.defined = None;
    }

    /// Emits what is of no instruction: nobody within the method handles its exceptions.
    fn emit_beside(&mut self, word: Word) {
        self.emit(word);
        if let Some(offset) = self.offsets.last_mut() {
            *offset = u16::MAX;
        }
    }

    /// Emits what sets a register and nothing else, so that the register can still be changed.
    fn define(&mut self, op: u8, a: u8, b: u8, c: u8, imm: u32) {
        self.emit(Word::new(op, (a, b, c), imm));
        self.defined = Some(a);
    }

    /// The register of a slot of the stack.
    fn own(&self, slot: u16) -> u16 {
        self.base + slot
    }

    /// The register of a slot of the stack, if operations can name it.
    fn named(&self, slot: u16) -> Option<u8> {
        u8::try_from(self.own(slot)).ok()
    }

    fn depth(&self) -> u16 {
        self.stack.last().map_or(0, |entry| entry.slot + if entry.kind.is_wide() { 2 } else { 1 })
    }

    /// A register to move values around.
    fn spare(&self, at: u16) -> u8 {
        (self.spares + at) as u8
    }

    /// Puts a value on the stack. One that operations cannot name is in its own register at once.
    fn push(&mut self, value: Value, kind: Kind) -> Done {
        let slot = self.depth();
        if u32::from(slot) + u32::from(kind.is_wide()) >= u32::from(self.code.max_stack) {
            return self.broken("too many values on the stack");
        }
        self.stack.push(Entry { value, kind, slot });
        if self.named(slot).is_none() && value != Value::Own {
            let spare = self.spare(SPARE_DEEP - 1);
            self.put(spare, Entry { value, kind, slot })?;
            self.fill(spare);
            self.stack.last_mut().into_iter().for_each(|entry| entry.value = Value::Own);
        }
        Ok(())
    }

    /// Puts on the stack what the instruction makes. Returns the register where it does.
    fn push_result(&mut self, kind: Kind) -> Done<u8> {
        self.push(Value::Own, kind)?;
        let slot = self.stack.last().map_or(0, |entry| entry.slot);
        Ok(self.named(slot).unwrap_or_else(|| {
            self.has_result = true;
            self.spare(SPARE_DEEP - 1)
        }))
    }

    fn pop(&mut self) -> Done<Entry> {
        self.stack.pop().ok_or(Untranslatable::Broken("too few values on the stack", self.at))
    }

    /// Puts a value into a register.
    fn put(&mut self, register: u8, entry: Entry) -> Done {
        match entry.value {
            Value::Own | Value::Local(_) => {
                let is_reference = entry.kind == Kind::Reference;
                let from = match entry.value {
                    Value::Local(local) => Some(local),
                    _ => self.named(entry.slot),
                };
                match from {
                    Some(from) if from == register => {}
                    Some(from) => {
                        let op = if is_reference { op::MOVE_R } else { op::MOVE };
                        self.define(op, register, from, 0, 0);
                    }
                    None => {
                        let op = if is_reference { op::FAR_GET_R } else { op::FAR_GET };
                        self.emit(Word::new(op, (register, 0, 0), above(self.own(entry.slot))));
                    }
                }
            }
            Value::Int(value) => self.define(op::CONST, register, 0, 0, value as u32),
            Value::Long(value) => match i32::try_from(value as i64) {
                Ok(value) => self.define(op::CONST_LONG, register, 0, 0, value as u32),
                Err(_) => {
                    let number = self.wide.len() as u32;
                    self.wide.push(value);
                    self.define(op::CONST_WIDE, register, 0, 0, number);
                }
            },
            Value::Null => self.define(op::NULL, register, 0, 0, 0),
        }
        Ok(())
    }

    /// The register that a value is in; constants are put into their own, and what cannot be named is copied.
    fn register(&mut self, entry: Entry) -> Done<u8> {
        match (entry.value, self.named(entry.slot)) {
            (Value::Own, Some(own)) => Ok(own),
            (Value::Local(local), _) => Ok(local),
            (_, own) => {
                let register = own.unwrap_or(self.spare(SPARE as u16 + self.copied));
                self.copied += u16::from(own.is_none());
                self.put(register, entry)?;
                Ok(register)
            }
        }
    }

    /// Puts what a register has into the own register of the value that is on top.
    fn fill(&mut self, register: u8) {
        let Some(entry) = self.stack.last().copied() else { return };
        let is_reference = entry.kind == Kind::Reference;
        let word = match self.named(entry.slot) {
            Some(own) => Word::new(if is_reference { op::MOVE_R } else { op::MOVE }, (own, register, 0), 0),
            None => {
                let op = if is_reference { op::FAR_PUT_R } else { op::FAR_PUT };
                Word::new(op, (register, 0, 0), above(self.own(entry.slot)))
            }
        };
        self.emit(word);
    }

    fn take(&mut self) -> Done<u8> {
        let entry = self.pop()?;
        self.register(entry)
    }

    /// Puts the values of the stack, from an entry on, into their own registers.
    fn settle(&mut self, from: usize) -> Done {
        for at in from..self.elsewhere() {
            let entry = self.stack[at];
            if let Some(own) = self.named(entry.slot).filter(|_| entry.value != Value::Own) {
                self.put(own, entry)?;
                self.stack[at].value = Value::Own;
            }
        }
        Ok(())
    }

    /// So many values of the stack may be in other registers than their own.
    fn elsewhere(&self) -> usize {
        self.stack.len().min(usize::from(u8::MAX))
    }

    /// A local variable is about to change: values that are only there are saved.
    fn release(&mut self, local: u8) -> Done {
        for at in 0..self.elsewhere() {
            let entry = self.stack[at];
            if let Some(own) = self.named(entry.slot).filter(|_| entry.value == Value::Local(local)) {
                self.put(own, entry)?;
                self.stack[at].value = Value::Own;
            }
        }
        Ok(())
    }

    fn local(&self, number: u16, kind: Kind) -> Done<Local> {
        if u32::from(number) + u32::from(kind.is_wide()) >= u32::from(self.code.max_locals) {
            return self.broken("a variable that is not there");
        }
        Ok(match u32::from(number).checked_sub(u32::from(self.near)) {
            None => Local::Near(number as u8),
            Some(far) => Local::Far(self.far - far),
        })
    }

    /// Another block may begin with the stack as it is.
    fn reach(&mut self, target: i64) -> Done<u32> {
        let Ok(target) = u32::try_from(target) else { return self.broken("a target outside of the code") };
        account::read(self.stack.len());
        let kinds: Vec<Kind> = self.stack.iter().map(|entry| entry.kind).collect();
        match self.entries.get(&target) {
            Some(known)
                if known.iter().map(|kind| class_of(*kind)).eq(kinds.iter().map(|kind| class_of(*kind))) => {}
            Some(_) => return self.broken("stacks that differ"),
            None => {
                self.entries.insert(target, kinds);
            }
        }
        if !self.begins.contains_key(&target) {
            self.waiting.insert(target);
        }
        Ok(target)
    }

    /// What is counted when control leaves; more than fits is counted before.
    fn counted(&mut self) -> u8 {
        let count = std::mem::take(&mut self.count);
        match u8::try_from(count) {
            Ok(count) => count,
            Err(_) => {
                self.emit(Word::new(op::CHARGE, (0, 0, 0), count));
                0
            }
        }
    }

    /// Translates the block that begins at an offset, and those that follow it until control does not go on.
    fn blocks(&mut self, begin: u32) -> Done {
        let mut at = begin;
        self.stack.clear();
        let kinds = self.entries.get(&begin).cloned().unwrap_or_default();
        self.at = begin;
        for kind in kinds {
            self.push(Value::Own, kind)?;
        }
        loop {
            let is_leader = self.leaders.get(at as usize).copied().unwrap_or(false);
            if is_leader || at == begin {
                if at != begin {
                    self.at = at;
                    self.settle(0)?;
                    self.reach(i64::from(at))?;
                }
                if self.begins.contains_key(&at) {
                    let count = self.counted();
                    self.emit(Word::new(op::GOTO, (0, 0, count), at));
                    return Ok(());
                }
                if self.count > 0 {
                    let count = std::mem::take(&mut self.count);
                    self.emit(Word::new(op::CHARGE, (0, 0, 0), count));
                }
                self.waiting.remove(&at);
                self.begins.insert(at, self.words.len() as u32);
                self.defined = None;
            }
            self.at = at;
            let bytes = self.code.bytes;
            let Ok(instruction) = decode(bytes, at) else { return self.broken("no instruction") };
            self.count += 1;
            self.copied = 0;
            if self.instruction(&instruction)? == Next::Leaves {
                self.count = 0;
                return Ok(());
            }
            if std::mem::take(&mut self.has_result) {
                self.fill(self.spare(SPARE_DEEP - 1));
            }
            at += instruction.length;
        }
    }

    fn instruction(&mut self, instruction: &Instruction<'_>) -> Done<Next> {
        match instruction.row.effect {
            Effect::Plain(pops, pushes) => self.plain(instruction, pops, pushes)?,
            Effect::Load(letter, fixed) => {
                let kind = kind_of(letter);
                let number = fixed.map_or(local_of(instruction.operands), u16::from);
                match self.local(number, kind)? {
                    Local::Near(local) => {
                        self.push(Value::Local(local), kind)?;
                    }
                    Local::Far(below) => {
                        let own = self.push_result(kind)?;
                        let op = if kind == Kind::Reference { op::FAR_GET_R } else { op::FAR_GET };
                        self.emit(Word::new(op, (own, 0, 0), below));
                    }
                }
            }
            Effect::Store(letter, fixed) => {
                let number = fixed.map_or(local_of(instruction.operands), u16::from);
                let local = self.local(number, kind_of(letter))?;
                let entry = self.pop()?;
                match local {
                    Local::Near(local) => self.store(local, entry)?,
                    Local::Far(below) => {
                        let register = self.register(entry)?;
                        let op = if entry.kind == Kind::Reference { op::FAR_PUT_R } else { op::FAR_PUT };
                        self.emit(Word::new(op, (register, 0, 0), below));
                    }
                }
            }
            Effect::ArrayLoad(letter) => {
                let (index, array) = (self.take()?, self.take()?);
                let (op, kind) = match letter {
                    b'B' => (op::LOAD_8, Kind::Int),
                    b'C' => (op::LOAD_CHAR, Kind::Int),
                    b'S' => (op::LOAD_SHORT, Kind::Int),
                    b'I' => (op::LOAD_32, Kind::Int),
                    b'F' => (op::LOAD_32, Kind::Float),
                    b'J' => (op::LOAD_64, Kind::Long),
                    b'D' => (op::LOAD_64, Kind::Double),
                    _ => (op::LOAD_R, Kind::Reference),
                };
                let own = self.push_result(kind)?;
                self.define(op, own, array, index, 0);
            }
            Effect::ArrayStore(letter) => {
                let (value, index, array) = (self.take()?, self.take()?, self.take()?);
                let op = match letter {
                    b'B' => op::STORE_8,
                    b'C' | b'S' => op::STORE_16,
                    b'I' | b'F' => op::STORE_32,
                    b'J' | b'D' => op::STORE_64,
                    _ => op::STORE_R,
                };
                self.emit(Word::new(op, (value, array, index), 0));
            }
            Effect::Permute { take, give, .. } => self.permute(take, give)?,
            Effect::Branch(_) => self.branch(instruction)?,
            Effect::Return(letter) => {
                let (op, register) = match letter {
                    b'V' => (op::RETURN_VOID, 0),
                    b'A' => (op::RETURN_R, self.take()?),
                    _ => {
                        let value = self.take()?;
                        (op::RETURN, self.narrowed(value, self.signature.result))
                    }
                };
                let count = self.counted();
                let op = if self.far > 0 { op::FAR_RETURN } else { op };
                self.emit(Word::new(op, (register, 0, count), self.far));
                return Ok(Next::Leaves);
            }
            Effect::Own => return self.own_instruction(instruction),
        }
        Ok(Next::Follows)
    }

    /// The register of a value as what a variable or result of a kind holds: an int of a guest may have more bits than that.
    fn narrowed(&mut self, value: u8, kind: Option<Kind>) -> u8 {
        let (op, number) = match kind {
            _ if self.class.origin == Origin::Library => return value,
            Some(Kind::Boolean) => (op::AND_N, 1),
            Some(Kind::Byte) => (op::I2B, 0),
            Some(Kind::Char) => (op::I2C, 0),
            Some(Kind::Short) => (op::I2S, 0),
            _ => return value,
        };
        let spare = self.spare(0);
        self.emit(Word::new(op, (spare, value, 0), number));
        spare
    }

    fn store(&mut self, local: u8, entry: Entry) -> Done {
        let before = self.words.len();
        self.release(local)?;
        if before == self.words.len()
            && entry.value == Value::Own
            && self.defined.is_some()
            && self.defined == self.named(entry.slot)
            && let Some(word) = self.words.last_mut()
        {
            *word = (*word & !0xff00) | u64::from(local) << 8;
            self.defined = Some(local);
            return Ok(());
        }
        self.put(local, entry)
    }

    fn plain(&mut self, instruction: &Instruction<'_>, pops: &str, pushes: &str) -> Done {
        let opcode = instruction.opcode;
        match instruction.operands {
            Operands::Number(number) => {
                self.push(Value::Int(number), Kind::Int)?;
                return Ok(());
            }
            _ if pops.is_empty() && opcode != 0 => {
                let (value, kind) = match opcode {
                    2..=8 => (Value::Int(i32::from(opcode) - 3), Kind::Int),
                    9 | 10 => (Value::Long(u64::from(opcode - 9)), Kind::Long),
                    11..=13 => (Value::Int((f32::from(opcode - 11)).to_bits() as i32), Kind::Float),
                    14 | 15 => (Value::Long(f64::from(opcode - 14).to_bits()), Kind::Double),
                    _ => return self.broken("no constant"),
                };
                self.push(value, kind)?;
                return Ok(());
            }
            _ => {}
        }
        match opcode {
            0 => Ok(()),
            194 | 195 => {
                let object = self.take()?;
                let op = if opcode == 194 { op::ENTER } else { op::EXIT };
                self.emit(Word::new(op, (object, 0, 0), 0));
                Ok(())
            }
            _ if pops.len() == 2 => self.binary(opcode, pushes),
            _ => {
                let Some(op) = unary(opcode) else { return self.broken("no operation") };
                let from = self.take()?;
                let own = self.push_result(kind_of(pushes.as_bytes()[0]))?;
                self.define(op, own, from, 0, 0);
                Ok(())
            }
        }
    }

    fn binary(&mut self, opcode: u8, pushes: &str) -> Done {
        let Some(op) = binary(opcode) else { return self.broken("no operation") };
        let (second, first) = (self.pop()?, self.pop()?);
        let kind = kind_of(pushes.as_bytes()[0]);
        let with_number = match second.value {
            Value::Int(number) => number_form(op, number),
            Value::Long(number) => number_form_long(op, number as i64),
            _ => None,
        };
        if let Some((op, number)) = with_number {
            let first = self.register(first)?;
            let own = self.push_result(kind)?;
            self.define(op, own, first, 0, number);
            return Ok(());
        }
        // Of two constants both are put where they belong.
        let (first, second) = (self.register(first)?, self.register(second)?);
        let own = self.push_result(kind)?;
        self.define(op, own, first, second, 0);
        Ok(())
    }

    fn permute(&mut self, take: u8, give: &[u8]) -> Done {
        let mut taken: Vec<Option<Entry>> = Vec::new();
        while taken.len() < usize::from(take) {
            let entry = self.pop()?;
            if entry.kind.is_wide() {
                taken.push(None);
            }
            taken.push(Some(entry));
        }
        if taken.len() > usize::from(take) {
            return self.broken("half of a value");
        }
        if give.is_empty() {
            return Ok(());
        }
        // `dup` of a value in its own register copies it; what else is rearranged goes through the spare registers.
        let is_copy = give.len() > usize::from(take)
            && give.iter().rev().take(usize::from(take)).eq(give.iter().rev().skip(usize::from(take)))
            && give.len() == 2 * usize::from(take);
        let spares: Vec<u8> = (0..taken.len()).map(|at| self.spare(at as u16)).collect();
        let mut moved = Vec::new();
        for (at, entry) in taken.iter().enumerate() {
            let Some(entry) = entry else {
                moved.push(None);
                continue;
            };
            let value = match entry.value {
                Value::Own if let Some(own) = self.named(entry.slot).filter(|_| is_copy) => Moved::Own(own),
                Value::Own => {
                    self.put(spares[at], *entry)?;
                    Moved::Spare(spares[at])
                }
                value => Moved::Value(value),
            };
            moved.push(Some((value, entry.kind)));
        }
        for (place, slot) in give.iter().enumerate() {
            let Some(Some((value, kind))) = moved.get(usize::from(*slot) - 1) else { continue };
            let (value, kind) = (*value, *kind);
            let copies = place >= usize::from(take);
            match value {
                Moved::Value(value) => {
                    self.push(value, kind)?;
                }
                Moved::Own(from) => {
                    self.push(Value::Own, kind)?;
                    if copies {
                        self.fill(from);
                    }
                }
                Moved::Spare(spare) => {
                    self.push(Value::Own, kind)?;
                    self.fill(spare);
                }
            }
        }
        // What was defined may be in two places now.
        self.defined = None;
        Ok(())
    }

    fn finish(mut self, registers: u32) -> Done<Code> {
        let begins = &self.begins;
        let place = |offset: u32| {
            begins
                .get(&offset)
                .copied()
                .ok_or(Untranslatable::Broken("a target that is no instruction", offset))
        };
        for (at, word) in self.words.iter_mut().enumerate() {
            let parts = Word(*word);
            if self.turned.binary_search(&at).is_err() && (op::GOTO..=op::IF_SOME).contains(&parts.op()) {
                *word = (*word & 0xffff_ffff) | u64::from(place(parts.imm())?) << 32;
            }
        }
        for switch in &mut self.switches {
            match switch {
                Switch::Table { targets, default, .. } => {
                    *default = place(*default)?;
                    targets.iter_mut().try_for_each(|target| place(*target).map(|at| *target = at))?;
                }
                Switch::Lookup { cases, default } => {
                    *default = place(*default)?;
                    cases.iter_mut().try_for_each(|case| place(case.1).map(|at| case.1 = at))?;
                }
            }
        }
        let handler = |handler: &class::Handler| {
            let target = place(u32::from(handler.target))?;
            let catch = match self.class.constant(handler.catch.0) {
                Constant::Class(text) => self.caught.get(&text).copied(),
                _ => None,
            };
            let class::Handler { start, end, .. } = *handler;
            Ok(Handler { start, end, target, catch })
        };
        let handlers = self.code.handlers.iter().map(handler).collect::<Done<Vec<Handler>>>()?;
        let parameters = u32::from(self.signature.slots);
        if parameters > u32::from(self.code.max_locals) {
            return Err(Untranslatable::Broken("more parameters than variables", 0));
        }
        Ok(Code {
            words: self.words.into_iter().map(AtomicU64::new).collect(),
            offsets: self.offsets.into(),
            registers,
            locals: self.near,
            stack: self.base,
            far: self.far,
            wide: self.wide.into(),
            switches: self.switches.into(),
            handlers: handlers.into(),
            sites: (0..self.sites.min(usize::from(u8::MAX))).map(|_| AtomicU64::new(0)).collect(),
            lines: OnceLock::new(),
        })
    }
}

/// Where a register of the frame is, for operations that name those that are so many below the first.
fn above(register: u16) -> u32 {
    u32::from(register).wrapping_neg()
}

/// What follows an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// The next one.
    Follows,
    /// Another one, or none.
    Leaves,
}

/// A value that is rearranged.
#[derive(Clone, Copy, Debug)]
enum Moved {
    Own(u8),
    Spare(u8),
    Value(Value),
}
