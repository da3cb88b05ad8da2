//! What was null, for the message of a `NullPointerException` (JEP 358), in HotSpot's words:
//!
//! ```text
//! Cannot load from int array   because   "<parameter1>.rows[3]"   is null
//! what failed: [`action`]                where it came from: [`Words::source`]
//! ```
//!
//! Where a value came from is found by going over the code with, for each slot of the operand stack, the offset of the instruction
//! that pushed it. Where two ways meet that pushed it at different places, nothing is known. This is
//! done when somebody asks for the message; a method that is too much work has none.

use std::collections::{BTreeMap, BTreeSet};

use carnet_classes::class::{Code, flags, shown};
use carnet_classes::descriptor;
use carnet_classes::instruction::{Instruction, Operands, decode};
use carnet_classes::opcode::{self, Effect};

use crate::account;
use crate::class::{Class, Constant, Method, Signature};
use crate::universe::type_name;

/// How deep an expression is told: as HotSpot.
const DETAILS: u32 = 5;
/// Most parts of an expression.
const PARTS_MAX: u32 = 64;
/// Most instructions and slots that are looked at.
const WORK_MAX: usize = 1 << 22;
/// What a piece of work is charged as, in bytes that are read.
const WORK_BYTES: usize = 8;

/// Says what failed at an offset because of null, and what was null as far as that is known; none if nothing there
/// fails because of null.
pub(super) fn null_message(
    class: &Class,
    method: &Method,
    signature: &Signature,
    offset: u16,
) -> Option<String> {
    let code = Code::read(class.file.get(method.code.clone())?)?;
    let sources = Sources::find(class, &code)?;
    let offset = u32::from(offset);
    let instruction = decode(code.bytes, offset).ok()?;
    let mut words =
        Words { class, method, signature, code: &code, sources: &sources, text: String::new(), parts: 0 };
    let slot = words.action(&instruction)?;
    let failed = words.text.len();
    if words.cause(offset, slot) {
        words.text += "\" is null";
    } else {
        words.text.truncate(failed);
    }
    Some(words.text)
}

/// Where the value of a slot was pushed, if that is one place.
type Slot = Option<u32>;

/// What is known where an instruction begins.
#[derive(Clone, PartialEq)]
struct State {
    stack: Vec<Slot>,
    /// Variables that were assigned.
    written: BTreeSet<u16>,
}

impl State {
    fn pop(&mut self, slots: usize) {
        self.stack.truncate(self.stack.len().saturating_sub(slots));
    }

    fn push(&mut self, at: u32, slots: usize) {
        self.stack.extend(std::iter::repeat_n(Some(at), slots));
    }

    fn write(&mut self, local: u16, slots: usize) {
        self.written.extend((0..slots as u16).map(|slot| local.saturating_add(slot)));
    }

    /// Also what another way leads to; whether that is more than was known.
    fn merge(&mut self, other: &State) -> bool {
        let before = (self.stack.iter().flatten().count(), self.written.len());
        for (slot, other) in self.stack.iter_mut().zip(&other.stack) {
            if *slot != *other {
                *slot = None;
            }
        }
        self.written.extend(&other.written);
        before != (self.stack.iter().flatten().count(), self.written.len())
    }
}

/// Slots of values by the letters of their descriptors.
fn slots(letters: &str) -> usize {
    letters.bytes().map(|letter| if matches!(letter, b'J' | b'D') { 2 } else { 1 }).sum()
}

fn letter_slots(letter: u8) -> usize {
    if matches!(letter, b'J' | b'D') { 2 } else { 1 }
}

/// States where blocks begin.
struct Sources<'c> {
    class: &'c Class,
    code: &'c Code<'c>,
    begins: BTreeMap<u32, State>,
}

impl<'c> Sources<'c> {
    fn find(class: &'c Class, code: &'c Code<'c>) -> Option<Sources<'c>> {
        let start = State { stack: Vec::new(), written: BTreeSet::new() };
        let mut sources = Sources { class, code, begins: BTreeMap::from([(0, start)]) };
        // Where blocks begin is known before states are, so that all is done block by block.
        let mut leaders: BTreeSet<u32> =
            code.handlers.iter().map(|handler| u32::from(handler.target)).collect();
        let mut at = 0;
        while (at as usize) < code.bytes.len() {
            let instruction = decode(code.bytes, at).ok()?;
            leaders.extend(targets(&instruction));
            at += instruction.length;
        }
        let mut work = 0;
        let mut waiting = BTreeSet::from([0]);
        while let Some(begin) = waiting.pop_first() {
            let mut state = sources.begins.get(&begin)?.clone();
            let mut at = begin;
            loop {
                let instruction = decode(code.bytes, at).ok()?;
                work += 1 + code.handlers.len();
                // A handler can be reached from anywhere in its range.
                for handler in &code.handlers {
                    if (u32::from(handler.start)..u32::from(handler.end)).contains(&at) {
                        let target = u32::from(handler.target);
                        let caught = State { stack: vec![None], written: state.written.clone() };
                        work += sources.reach(target, &caught, &mut waiting);
                    }
                }
                sources.step(&mut state, at, &instruction);
                for target in targets(&instruction) {
                    work += sources.reach(target, &state, &mut waiting);
                }
                if work > WORK_MAX {
                    account::read(WORK_BYTES * work);
                    return None;
                }
                at += instruction.length;
                if leaves(&instruction) || at as usize >= code.bytes.len() {
                    break;
                }
                if leaders.contains(&at) {
                    work += sources.reach(at, &state, &mut waiting);
                    break;
                }
            }
        }
        account::read(WORK_BYTES * work);
        Some(sources)
    }

    /// A block can begin with this. Returns how much work that was.
    fn reach(&mut self, target: u32, state: &State, waiting: &mut BTreeSet<u32>) -> usize {
        match self.begins.get_mut(&target) {
            Some(known) => {
                if known.merge(state) {
                    waiting.insert(target);
                }
            }
            None => {
                self.begins.insert(target, state.clone());
                waiting.insert(target);
            }
        }
        state.stack.len() + state.written.len() + 1
    }

    /// What is known at an instruction.
    fn state(&self, offset: u32) -> Option<State> {
        let (begin, state) = self.begins.range(..=offset).next_back()?;
        let (mut at, mut state) = (*begin, state.clone());
        while at < offset {
            let instruction = decode(self.code.bytes, at).ok()?;
            self.step(&mut state, at, &instruction);
            at += instruction.length;
        }
        Some(state)
    }

    fn step(&self, state: &mut State, at: u32, instruction: &Instruction<'_>) {
        let local = |fixed: Option<u8>| match (fixed, instruction.operands) {
            (Some(local), _) => u16::from(local),
            (None, Operands::Local(local)) => local,
            _ => 0,
        };
        match instruction.row.effect {
            Effect::Plain(pops, pushes) => {
                state.pop(slots(pops));
                state.push(at, slots(pushes));
            }
            Effect::Load(letter, _) => state.push(at, letter_slots(letter)),
            Effect::Store(letter, fixed) => {
                state.pop(letter_slots(letter));
                state.write(local(fixed), letter_slots(letter));
            }
            Effect::ArrayLoad(letter) => {
                state.pop(2);
                state.push(at, letter_slots(letter));
            }
            Effect::ArrayStore(letter) => state.pop(2 + letter_slots(letter)),
            Effect::Permute { take, give, .. } => {
                let from = state.stack.len().saturating_sub(usize::from(take));
                let taken = state.stack.split_off(from);
                let given =
                    give.iter().map(|slot| taken.iter().rev().nth(usize::from(*slot) - 1).copied().flatten());
                state.stack.extend(given);
            }
            Effect::Branch(pops) => state.pop(slots(pops)),
            Effect::Return(_) => {}
            Effect::Own => self.own(state, at, instruction),
        }
    }

    fn own(&self, state: &mut State, at: u32, instruction: &Instruction<'_>) {
        let (_, _, text) = member(self.class, instruction);
        match instruction.opcode {
            opcode::ACONST_NULL | opcode::LDC | opcode::LDC_W | opcode::NEW => state.push(at, 1),
            opcode::LDC2_W => state.push(at, 2),
            opcode::IINC => {
                if let Operands::Iinc(local, _) = instruction.operands {
                    state.write(local, 1);
                }
            }
            opcode::GETSTATIC => state.push(at, descriptor::slots(text)),
            opcode::PUTSTATIC => state.pop(descriptor::slots(text)),
            opcode::GETFIELD => {
                state.pop(1);
                state.push(at, descriptor::slots(text));
            }
            opcode::PUTFIELD => state.pop(1 + descriptor::slots(text)),
            opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => {
                let Some(method) = descriptor::method(text) else { return };
                let has_object = !matches!(instruction.opcode, opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC);
                state.pop(method.slots() + usize::from(has_object));
                if method.result != b"V" {
                    state.push(at, descriptor::slots(method.result));
                }
            }
            opcode::NEWARRAY | opcode::ANEWARRAY | opcode::ARRAYLENGTH | opcode::INSTANCEOF => {
                state.pop(1);
                state.push(at, 1);
            }
            opcode::MULTIANEWARRAY => {
                if let Operands::Dimensions(_, dimensions) = instruction.operands {
                    state.pop(usize::from(dimensions));
                }
                state.push(at, 1);
            }
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH | opcode::ATHROW => state.pop(1),
            _ => {}
        }
    }
}

fn leaves(instruction: &Instruction<'_>) -> bool {
    matches!(instruction.row.effect, Effect::Return(_))
        || matches!(
            instruction.opcode,
            opcode::GOTO | opcode::GOTO_W | opcode::TABLESWITCH | opcode::LOOKUPSWITCH | opcode::ATHROW
        )
}

fn targets(instruction: &Instruction<'_>) -> Vec<u32> {
    let targets = match instruction.operands {
        Operands::Target(target) => vec![target],
        Operands::Switch(switch) => {
            switch.cases().map(|(_, target)| target).chain(std::iter::once(switch.default)).collect()
        }
        _ => Vec::new(),
    };
    targets.into_iter().filter_map(|target| u32::try_from(target).ok()).collect()
}

/// Class, name and descriptor that an instruction names.
fn member<'c>(class: &'c Class, instruction: &Instruction<'_>) -> (&'c [u8], &'c [u8], &'c [u8]) {
    let (Operands::Constant(constant) | Operands::Site(constant, _)) = instruction.operands else {
        return (&[], &[], &[]);
    };
    match class.constant(constant.0) {
        Constant::Member(of, both) | Constant::InterfaceMember(of, both) => {
            let (name, descriptor) = class.name_and_type(both);
            (class.class_text(of), name, descriptor)
        }
        Constant::Computed(_, both) => (&[], &[], class.name_and_type(both).1),
        _ => (&[], &[], &[]),
    }
}

/// A class for people, of its name as constants have it; the two best known without their package.
fn class_words(name: &[u8]) -> String {
    match name {
        b"java/lang/Object" => "Object".to_owned(),
        b"java/lang/String" => "String".to_owned(),
        name => shown(name).replace('/', "."),
    }
}

/// A type for people, of its descriptor. HotSpot shortens whatever begins with one of the two best known names.
fn type_words(descriptor: &[u8]) -> String {
    let name = type_name(descriptor);
    let short = name.strip_prefix("java.lang.").map(str::to_owned);
    short.filter(|short| short.starts_with("Object") || short.starts_with("String")).unwrap_or(name)
}

struct Words<'w> {
    class: &'w Class,
    method: &'w Method,
    signature: &'w Signature,
    code: &'w Code<'w>,
    sources: &'w Sources<'w>,
    text: String,
    parts: u32,
}

impl Words<'_> {
    /// Says what failed; returns how many slots are above what was null.
    fn action(&mut self, instruction: &Instruction<'_>) -> Option<usize> {
        let array = |letter: u8| match letter {
            b'B' => "byte/boolean",
            b'C' => "char",
            b'S' => "short",
            b'I' => "int",
            b'J' => "long",
            b'F' => "float",
            b'D' => "double",
            _ => "object",
        };
        let (of, name, text) = member(self.class, instruction);
        let (said, slot) = match (instruction.row.effect, instruction.opcode) {
            (Effect::ArrayLoad(letter), _) => (format!("Cannot load from {} array", array(letter)), 1),
            (Effect::ArrayStore(letter), _) => {
                (format!("Cannot store to {} array", array(letter)), 1 + letter_slots(letter))
            }
            (_, opcode::ARRAYLENGTH) => ("Cannot read the array length".to_owned(), 0),
            (_, opcode::ATHROW) => ("Cannot throw exception".to_owned(), 0),
            (_, opcode::MONITORENTER) => ("Cannot enter synchronized block".to_owned(), 0),
            (_, opcode::MONITOREXIT) => ("Cannot exit synchronized block".to_owned(), 0),
            (_, opcode::GETFIELD) => (format!("Cannot read field \"{}\"", shown(name)), 0),
            (_, opcode::PUTFIELD) => {
                (format!("Cannot assign field \"{}\"", shown(name)), descriptor::slots(text))
            }
            // A constructor is only called of what `new` made: that exception was made by hand.
            (_, opcode::INVOKEVIRTUAL | opcode::INVOKESPECIAL | opcode::INVOKEINTERFACE)
                if name != b"<init>" =>
            {
                let slots = descriptor::method(text)?.slots();
                (format!("Cannot invoke \"{}\"", method_words(of, name, text)), slots)
            }
            _ => return None,
        };
        self.text += &said;
        Some(slot)
    }

    /// Says where a value came from that is so many slots below the top of the stack; whether that is known.
    fn cause(&mut self, at: u32, slot: usize) -> bool {
        let Some(instruction) = self.pushed(at, slot).and_then(|source| decode(self.code.bytes, source).ok())
        else {
            return false;
        };
        self.text += match instruction.opcode {
            opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE => " because the return value of \"",
            _ => " because \"",
        };
        self.source(at, slot, DETAILS)
    }

    /// The offset at which a value was pushed.
    fn pushed(&self, at: u32, slot: usize) -> Slot {
        let state = self.sources.state(at)?;
        state.stack.iter().rev().nth(slot).copied().flatten()
    }

    /// Says where a value came from. It goes no deeper than [`PARTS_MAX`].
    fn source(&mut self, at: u32, slot: usize, details: u32) -> bool {
        self.parts += 1;
        if details == 0 || self.parts > PARTS_MAX {
            return false;
        }
        let Some(source) = self.pushed(at, slot) else { return false };
        let Ok(instruction) = decode(self.code.bytes, source) else { return false };
        let (of, name, text) = member(self.class, &instruction);
        match (instruction.row.effect, instruction.opcode) {
            (Effect::Load(b'I' | b'A', fixed), _) => {
                let local = match (fixed, instruction.operands) {
                    (Some(local), _) => u16::from(local),
                    (None, Operands::Local(local)) => local,
                    _ => return false,
                };
                let words = self.local(source, local);
                self.text += &words;
            }
            (_, opcode::ACONST_NULL) => self.text += "null",
            (_, code @ 2..=8) => self.text += &(i32::from(code) - 3).to_string(),
            (_, opcode::BIPUSH | opcode::SIPUSH) => {
                let Operands::Number(number) = instruction.operands else { return false };
                self.text += &number.to_string();
            }
            (_, opcode::GETSTATIC) => {
                self.text += &format!("{}.{}", class_words(of), shown(name));
            }
            (_, opcode::GETFIELD) => {
                if self.source(source, 0, details - 1) {
                    self.text.push('.');
                }
                self.text += &shown(name);
            }
            (_, opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE) => {
                self.text += &method_words(of, name, text)
            }
            (Effect::ArrayLoad(b'I' | b'A'), _) => {
                if !self.source(source, 1, details - 1) {
                    self.text += "<array>";
                }
                self.text.push('[');
                if !self.source(source, 0, details) {
                    self.text += "...";
                }
                self.text.push(']');
            }
            _ => return false,
        }
        true
    }

    /// A local variable: by its name if the class file says it, else by its number.
    fn local(&self, at: u32, local: u16) -> String {
        if let Some(name) = self.named(at, local) {
            return name;
        }
        let is_written = self.sources.state(at).is_none_or(|state| state.written.contains(&local));
        let is_static = self.method.has(flags::STATIC);
        if !is_written && !is_static && local == 0 {
            return "this".to_owned();
        }
        let mut first = u16::from(!is_static);
        for (number, kind) in self.signature.parameters.iter().enumerate() {
            let end = first + if kind.is_wide() { 2 } else { 1 };
            if (first..end).contains(&local) && !is_written {
                return format!("<parameter{}>", number + 1);
            }
            first = end;
        }
        format!("<local{local}>")
    }

    fn named(&self, at: u32, local: u16) -> Option<String> {
        let tables = self.code.attributes.iter();
        let tables = tables.filter(|attribute| self.class.text(attribute.name.0) == b"LocalVariableTable");
        let rows = tables.flat_map(|table| table.content.get(2..).unwrap_or_default().chunks_exact(10));
        for row in rows {
            let word = |at: usize| u16::from_be_bytes([row[at], row[at + 1]]);
            let (start, length) = (u32::from(word(0)), u32::from(word(2)));
            if (start..start + length).contains(&at) && word(8) == local {
                return Some(shown(self.class.text(word(4))));
            }
        }
        None
    }
}

fn method_words(of: &[u8], name: &[u8], text: &[u8]) -> String {
    let parameters = descriptor::method(text).map(|method| method.parameters).unwrap_or_default();
    let parameters: Vec<String> = parameters.iter().map(|parameter| type_words(parameter)).collect();
    format!("{}.{}({})", class_words(of), shown(name), parameters.join(", "))
}
