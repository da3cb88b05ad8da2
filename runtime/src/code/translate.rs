//! From bytecode to operations on registers, one method at a time.
//!
//! One pass over the instructions that control can reach, block by block. While it goes over a block, it keeps in mind
//! where each value of the operand stack is: in its own register, in a local variable that nobody has changed since, or
//! nowhere yet because it is a constant. At the end of a block all are put into their own registers, so that blocks fit
//! together whatever way they are reached.
//!
//! What was verified is not verified again, and classes of the library were never verified: whatever does not fit, too many or too few
//! values on the stack for example, ends with an error and not with code.

mod forms;
mod own;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::AtomicU64;

use carnet_classes::class::{self, Code as Bytes};
use carnet_classes::instruction::{Instruction, Operands, decode};
use carnet_classes::opcode::Effect;

use super::{Code, Handler, Switch, Word, op};
use crate::class::{Class, Kind, Method, Origin, Signature};
use forms::{binary, class_of, kind_of, local_of, number_form, number_form_long, opposite, turned, unary};

/// No frame has more registers: operations name them in 8 bits, and some are kept to move values around.
pub const REGISTERS_MAX: u32 = 252;
/// Registers beside variables and stack.
const SPARE: u32 = 4;

/// Most slots of the stack.
const STACK_MAX: u16 = (REGISTERS_MAX - SPARE) as u16;

/// Why a method cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untranslatable {
    /// It has no code that can be read, or code that does not fit together.
    #[error("code that does not fit together: {0} at {1}")]
    Broken(&'static str, u32),
    /// It has too many values on the stack.
    #[error("{0} slots of values on the stack; at most {STACK_MAX} are supported")]
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
}

type Done<T = ()> = Result<T, Untranslatable>;

/// Translates a method of a class.
///
/// # Errors
/// [`Untranslatable`].
pub fn translate(class: &Class, method: &Method, signature: &Signature) -> Result<Code, Untranslatable> {
    let content = class.file.get(method.code.clone()).unwrap_or_default();
    let code = Bytes::read(content).ok_or(Untranslatable::Broken("a Code that cannot be read", 0))?;
    if code.max_stack > STACK_MAX {
        return Err(Untranslatable::Stack(code.max_stack));
    }
    let near = code.max_locals.min(STACK_MAX - code.max_stack);
    let far = u32::from(code.max_locals - near);
    let registers = u32::from(near) + u32::from(code.max_stack) + SPARE;
    let leaders = leaders(&code)?;
    let mut translator = Translator {
        class,
        signature,
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
        code,
    };
    if far > 0 {
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

/// So much of the head of a loop is copied to its end.
const HEAD_MAX: usize = 5;

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
    fn own(&self, slot: u16) -> u8 {
        (self.near + slot) as u8
    }

    fn depth(&self) -> u16 {
        self.stack.last().map_or(0, |entry| entry.slot + if entry.kind.is_wide() { 2 } else { 1 })
    }

    /// A register to move values around.
    fn spare(&self, at: u16) -> u8 {
        (self.near + self.code.max_stack + at) as u8
    }

    fn push(&mut self, value: Value, kind: Kind) -> Done<u8> {
        let slot = self.depth();
        if u32::from(slot) + u32::from(kind.is_wide()) >= u32::from(self.code.max_stack) {
            return self.broken("too many values on the stack");
        }
        self.stack.push(Entry { value, kind, slot });
        Ok(self.own(slot))
    }

    fn pop(&mut self) -> Done<Entry> {
        self.stack.pop().ok_or(Untranslatable::Broken("too few values on the stack", self.at))
    }

    /// Puts a value into a register.
    fn put(&mut self, register: u8, entry: Entry) -> Done {
        match entry.value {
            Value::Own | Value::Local(_) => {
                let from = match entry.value {
                    Value::Local(local) => local,
                    _ => self.own(entry.slot),
                };
                let op = if entry.kind == Kind::Reference { op::MOVE_R } else { op::MOVE };
                if from != register {
                    self.define(op, register, from, 0, 0);
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

    /// The register that a value is in; constants are put into their own.
    fn register(&mut self, entry: Entry) -> Done<u8> {
        match entry.value {
            Value::Own => Ok(self.own(entry.slot)),
            Value::Local(local) => Ok(local),
            _ => {
                let own = self.own(entry.slot);
                self.put(own, entry)?;
                Ok(own)
            }
        }
    }

    fn take(&mut self) -> Done<u8> {
        let entry = self.pop()?;
        self.register(entry)
    }

    /// Puts the values of the stack, from an entry on, into their own registers.
    fn settle(&mut self, from: usize) -> Done {
        for at in from..self.stack.len() {
            let entry = self.stack[at];
            if entry.value != Value::Own {
                let own = self.own(entry.slot);
                self.put(own, entry)?;
                self.stack[at].value = Value::Own;
            }
        }
        Ok(())
    }

    /// A local variable is about to change: values that are only there are saved.
    fn release(&mut self, local: u8) -> Done {
        for at in 0..self.stack.len() {
            let entry = self.stack[at];
            if entry.value == Value::Local(local) {
                let own = self.own(entry.slot);
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
            if self.instruction(&instruction)? == Next::Leaves {
                self.count = 0;
                return Ok(());
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
                        let own = self.push(Value::Own, kind)?;
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
                let own = self.push(Value::Own, kind)?;
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
                if self.far > 0 {
                    self.emit_beside(Word::new(op::FAR_LEAVE, (register, 0, 0), self.far));
                    self.emit_beside(Word::new(op, (0, 0, count), 0));
                    return Ok(Next::Leaves);
                }
                self.emit(Word::new(op, (register, 0, count), 0));
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
            && self.defined == Some(self.own(entry.slot))
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
                let own = self.push(Value::Own, kind_of(pushes.as_bytes()[0]))?;
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
            let own = self.push(Value::Own, kind)?;
            self.define(op, own, first, 0, number);
            return Ok(());
        }
        // Of two constants both are put where they belong.
        let (first, second) = (self.register(first)?, self.register(second)?);
        let own = self.push(Value::Own, kind)?;
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
                Value::Own if is_copy => Moved::Own(*entry),
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
                Moved::Own(entry) => {
                    let own = self.push(Value::Own, kind)?;
                    if copies {
                        self.put(own, entry)?;
                    }
                }
                Moved::Spare(spare) => {
                    let own = self.push(Value::Own, kind)?;
                    let op = if kind == Kind::Reference { op::MOVE_R } else { op::MOVE };
                    self.emit(Word::new(op, (own, spare, 0), 0));
                }
            }
        }
        // What was defined may be in two places now.
        self.defined = None;
        Ok(())
    }

    fn branch(&mut self, instruction: &Instruction<'_>) -> Done {
        let Operands::Target(target) = instruction.operands else { return self.broken("no target") };
        let (op, a, b) = match instruction.opcode {
            153..=158 => {
                let entry = self.pop()?;
                let condition = instruction.opcode - 153;
                let own = self.own(entry.slot);
                let compares = entry.value == Value::Own && self.defined == Some(own);
                let last = self.words.last().copied().map(Word);
                match last.filter(|word| compares && word.op() == op::COMPARE_L) {
                    Some(word) => {
                        self.words.pop();
                        self.offsets.pop();
                        self.defined = None;
                        (op::IF_EQ_L + condition, word.b() as u8, word.c() as u8)
                    }
                    None => (op::IF_EQ_N + condition, self.register(entry)?, 0),
                }
            }
            159..=164 => {
                let condition = instruction.opcode - 159;
                let (second, first) = (self.pop()?, self.pop()?);
                let small = |value| match value {
                    Value::Int(number) => i8::try_from(number).ok(),
                    _ => None,
                };
                match (small(first.value), small(second.value)) {
                    (_, Some(number)) => (op::IF_EQ_N + condition, self.register(first)?, number as u8),
                    (Some(number), None) => {
                        (op::IF_EQ_N + turned(condition), self.register(second)?, number as u8)
                    }
                    (None, None) => (op::IF_EQ + condition, self.register(first)?, self.register(second)?),
                }
            }
            165 | 166 => {
                let (second, first) = (self.take()?, self.take()?);
                (op::IF_SAME + (instruction.opcode - 165), first, second)
            }
            198 => (op::IF_NULL, self.take()?, 0),
            199 => (op::IF_SOME, self.take()?, 0),
            _ => return self.broken("no branch"),
        };
        self.settle(0)?;
        let target = self.reach(target)?;
        let count = self.counted();
        self.emit(Word::new(op, (a, b, count), target));
        Ok(())
    }

    /// Goes back to the head of a loop: where that only decides whether the loop goes on, the decision is made here, and a
    /// round has one jump less.
    fn go_back(&mut self, target: u32) -> bool {
        let Some(begin) = self.begins.get(&target).map(|begin| *begin as usize) else { return false };
        let head: Vec<Word> = self.words.iter().skip(begin).take(HEAD_MAX).copied().map(Word).collect();
        let Some(length) = head.iter().position(|word| (op::IF_EQ..=op::IF_SOME).contains(&word.op())) else {
            return false;
        };
        let simple = |word: &Word| word.op() != op::CHARGE && !(op::LOOP..=op::EXIT).contains(&word.op());
        let leaves = head[length];
        let Some(count) = u8::try_from(self.count as usize + leaves.c()).ok() else { return false };
        let again = begin + length + 1;
        if !head[..length].iter().all(simple)
            || self.turned.contains(&(begin + length))
            || again >= self.words.len()
        {
            return false;
        }
        self.count = 0;
        let last = self.words.last().copied().map(Word);
        let steps = last.filter(|last| {
            length == 0
                && last.op() == op::ADD_N
                && last.a() == last.b()
                && leaves.op() == op::IF_GE
                && leaves.a() == last.a()
                && self.defined == Some(last.a() as u8)
                && again < 1 << 24
        });
        let step = steps.and_then(|last| i8::try_from(last.imm() as i32).ok());
        if let Some(step) = step {
            self.words.pop();
            self.offsets.pop();
            let to = (again as u32) << 8 | u32::from(step as u8);
            self.emit(Word::new(op::LOOP, (leaves.a() as u8, leaves.b() as u8, count), to));
        } else {
            // Exceptions are those of the head.
            for (word, at) in head[..length].iter().zip(begin..) {
                self.emit(*word);
                let offset = self.offsets[at];
                self.offsets.last_mut().into_iter().for_each(|last| *last = offset);
            }
            self.turned.push(self.words.len());
            let op = opposite(leaves.op());
            self.emit(Word::new(op, (leaves.a() as u8, leaves.b() as u8, count), again as u32));
        }
        // What is counted was counted before: this leaves the loop.
        self.emit(Word::new(op::GOTO, (0, 0, 0), leaves.imm()));
        true
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
            Ok(Handler { start: handler.start, end: handler.end, target, catch: handler.catch.0 })
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
            far: self.far,
            wide: self.wide.into(),
            switches: self.switches.into(),
            handlers: handlers.into(),
            sites: (0..self.sites.min(usize::from(u8::MAX))).map(|_| AtomicU64::new(0)).collect(),
        })
    }
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
    Own(Entry),
    Spare(u8),
    Value(Value),
}
