//! The verifier: one linear pass from bytes to a program that can run. [Call arrays](crate::array) have one of their own, to which
//! it hands them over.
//!
//! It trusts nothing that the client says. Operations, their effects and types come from the server's own
//! descriptors; bounds are computed here. What it promises, and what the interpreter relies on:
//!
//! - every operand names a slot, register, loop or operation that exists and has the right type;
//! - control never leaves the code, and goes backward only to the head of a loop that it is in;
//! - each loop has a bound on how often its body is entered in the whole run, so everything has;
//! - slots of type counter are touched by `loop` only, slots that own areas by text and list operations only;
//! - portals are called with operations of their interface only, with blocks laid out as the service expects.
//!
//! A rejection names instruction and line, rule, what was found and what was expected. All faults are listed,
//! up to [`FAULTS_MAX`], which end the pass; a fault of a loop table does, too, since nothing after it would mean
//! anything.

use std::fmt;

use carnet_idl::descriptor::{Effect, Module, OpHash};
use carnet_portal::call::Ref;

use crate::array::verify::Scratch;
use crate::bytecode::{Ins, NONE, NotAProgram, Op, OpRef, ParamPlace, ResultKind, SlotType, View, WORDS_MAX};
use crate::tree::Pos;

/// No more than so many faults are listed.
pub const FAULTS_MAX: usize = 20;
/// Deepest nesting of loops.
pub const NESTING_MAX: usize = 16;

/// Why a program is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The instruction, unless the fault is in a table.
    pub at: Option<u32>,
    /// Its place in the source.
    pub pos: Pos,
    /// Name of the rule, for example `type`.
    pub rule: &'static str,
    /// Whether the program is unsafe, or only beyond what is supported.
    pub kind: FaultKind,
    /// What is wrong.
    pub message: String,
}

/// Unsafe is told apart from unsupported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Running it could break a promise.
    Unsafe,
    /// This server cannot run it, though it may be fine.
    Unsupported,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            FaultKind::Unsafe => "error",
            FaultKind::Unsupported => "not supported",
        };
        write!(f, "{what}[{}]", self.rule)?;
        if self.pos.line > 0 {
            write!(f, " line {}", self.pos.line)?;
        }
        if let Some(at) = self.at {
            write!(f, " instruction {at}")?;
        }
        write!(f, ": {}", self.message)
    }
}

use loops::runs;

pub use loaded::{AreaCap, BoundLoop, BoundOp, Handler, Loaded, Step, Totals};
pub(crate) use loaded::{IN_LISTS, owns};
pub use registry::Registry;

/// Why bytes were not loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// They are not a program at all.
    #[error(transparent)]
    NotAProgram(#[from] NotAProgram),
    /// The program breaks rules.
    #[error("{}", .0.first().map_or_else(String::new, ToString::to_string))]
    Rejected(Vec<Fault>),
}

/// Verifies the program in `bytes` against the interfaces in `registry`.
///
/// # Errors
/// [`LoadError`], with all faults.
pub fn load(bytes: &[u8], registry: &Registry) -> Result<Loaded, LoadError> {
    let mut loaded = Loaded::default();
    Loader::default().load(bytes, registry, &mut loaded)?;
    Ok(loaded)
}

/// Verifies one program after the other, using the same memory again: for whoever loads a program at every call.
#[derive(Debug, Default)]
pub struct Loader {
    enums: Vec<u64>,
    /// Number of values of each enum, 0 if no interface in use defines it.
    enum_values: Vec<u64>,
    /// Numbers of the interfaces in the registry.
    interfaces: Vec<u16>,
    /// Of each instruction.
    inner: Vec<Inner>,
}

/// What is known of an instruction before it is checked.
#[derive(Clone, Copy, Debug)]
struct Inner {
    /// Innermost loop, or [`NONE`].
    of: u16,
    /// A basic block begins here.
    leader: bool,
}

impl Loader {
    /// As [`load`], into `loaded`, whose memory is used again. After an error its content means nothing.
    ///
    /// # Errors
    /// As [`load`].
    pub fn load(&mut self, bytes: &[u8], registry: &Registry, loaded: &mut Loaded) -> Result<(), LoadError> {
        loaded.clear();
        if crate::array::is_array(bytes) {
            let Loader { interfaces, enums, .. } = self;
            return crate::array::verify::load(bytes, registry, loaded, Scratch { interfaces, enums });
        }
        let view = &View::new(bytes)?;
        let (out, scratch, faults) = (loaded, self, Vec::new());
        let mut verifier =
            Verifier { view, registry, faults, found: 0, out, scratch, spread: 0, alike: Vec::new(), at: 0 };
        match verifier.run() {
            Some(()) if verifier.faults.is_empty() => Ok(()),
            _ => Err(LoadError::Rejected(verifier.faults)),
        }
    }
}

struct Verifier<'a> {
    view: &'a View<'a>,
    registry: &'a Registry,
    faults: Vec<Fault>,
    /// Faults that were found, listed or not.
    found: usize,
    out: &'a mut Loaded,
    scratch: &'a mut Loader,
    /// Slots and blocks looked at for strided moves and repeats, bounded as a whole.
    spread: u64,
    /// Of each portal register how many there are from it on of its interface. Made when it is asked for.
    alike: Vec<u16>,
    /// The instruction being checked.
    at: u32,
}

impl Verifier<'_> {
    fn run(&mut self) -> Option<()> {
        self.tables()?;
        self.result()?;
        self.loop_table()?;
        self.code_pass()?;
        self.charges();
        self.registers()?;
        self.params()?;
        self.caps()?;
        self.out.literals.extend_from_slice(self.view.literals);
        Some(())
    }

    #[cold]
    fn fault(&mut self, at: Option<u32>, rule: &'static str, kind: FaultKind, message: String) {
        self.found += 1;
        if self.faults.len() < FAULTS_MAX {
            let pos = at.map_or_else(Pos::default, |at| self.view.pos(at));
            self.faults.push(Fault { at, pos, rule, kind, message });
        }
    }

    #[cold]
    fn table_fault<T>(&mut self, rule: &'static str, message: String) -> Option<T> {
        self.fault(None, rule, FaultKind::Unsafe, message);
        None
    }

    #[cold]
    fn reject(&mut self, rule: &'static str, message: String) {
        self.fault(Some(self.at), rule, FaultKind::Unsafe, message);
    }

    /// Reads a table of types into the one that `table` chooses.
    fn types(
        &mut self,
        bytes: &[[u8; 8]],
        what: &str,
        table: fn(&mut Loaded) -> &mut Vec<SlotType>,
    ) -> Option<()> {
        let types = table(self.out);
        types.reserve(bytes.len());
        for (k, entry) in bytes.iter().enumerate() {
            match SlotType::decode(entry) {
                Some(ty) => types.push(ty),
                None => return self.table_fault("table", format!("{what} {k} has no known type")),
            }
        }
        Some(())
    }

    /// Reads the types of slots: what they refer to exists, and areas fit the numbers that a reference has.
    fn slots(&mut self) -> Option<()> {
        let (view, counts) = (self.view, self.view.header.counts);
        // Once for all of them: many literals may lie in the same bytes.
        if view.literals.contains(&0) {
            return self.table_fault("table", "the literals hold a zero byte, as no string does".to_owned());
        }
        let Loaded { slots, areas, .. } = &mut *self.out;
        areas.push(AreaCap { slot: NONE, max: 0, layout: NONE });
        slots.resize(view.slots.len(), SlotType::Int);
        for (k, (entry, slot)) in view.slots.iter().zip(slots).enumerate() {
            // Most slots are integers, and these are zeros.
            if u64::from_le_bytes(*entry) == 0 {
                continue;
            }
            let Some(ty) = SlotType::decode(entry) else {
                return self.table_fault("table", format!("slot {k} has no known type"));
            };
            let good = match ty {
                SlotType::Enum(x) => x < counts.enums,
                SlotType::Lent(x) | SlotType::Made(x) => x < counts.interfaces,
                SlotType::List(layout, max) => {
                    areas.push(AreaCap { slot: k as u16, max, layout });
                    layout < counts.layouts
                }
                SlotType::ListRef(layout, _) => layout < counts.layouts,
                SlotType::Str(max) | SlotType::Bytes(max) => {
                    areas.push(AreaCap { slot: k as u16, max, layout: NONE });
                    max as usize <= Ref::LEN_MAX
                }
                SlotType::Literal { len, offset } => offset as usize + len as usize <= view.literals.len(),
                _ => true,
            };
            if !good {
                return self.table_fault("table", format!("slot {k} has a type that refers to nothing"));
            }
            *slot = ty;
        }
        match areas.len() {
            found if found > Ref::AREAS_MAX => {
                let max = Ref::AREAS_MAX;
                self.table_fault("table", format!("{found} texts and lists where at most {max} are allowed"))
            }
            _ => Some(()),
        }
    }

    fn tables(&mut self) -> Option<()> {
        let view = self.view;
        self.slots()?;
        self.types(view.layout_words, "list word", |out| &mut out.layout_words)?;
        for k in 0..view.layouts.len() {
            let (first, count) = view.layout(k)?;
            let words = self.out.layout_words.get(first..first + count);
            let scalar = |ty: &SlotType| {
                matches!(
                    ty,
                    SlotType::Int
                        | SlotType::Bool
                        | SlotType::Float(_)
                        | SlotType::Enum(_)
                        | SlotType::StrRef(_)
                        | SlotType::BytesRef(_)
                )
            };
            let interfaces = view.header.counts.interfaces;
            let made = |ty: &SlotType| matches!(ty, SlotType::Made(x) if *x < interfaces);
            let lent = |ty: &SlotType| matches!(ty, SlotType::Lent(x) if *x < interfaces);
            let good = |words: &[SlotType]| {
                words.iter().all(|ty| scalar(ty) || made(ty)) || words.iter().all(|ty| scalar(ty) || lent(ty))
            };
            if count == 0 || count > WORDS_MAX || !words.is_some_and(good) {
                let message =
                    format!("kind of list {k} is not made of scalars, texts and portals of one way");
                return self.table_fault("table", message);
            }
            self.out.layouts.push((first as u16, count as u16));
        }
        let foreign = |ty: &SlotType| matches!(ty, SlotType::Enum(x) if *x >= view.header.counts.enums);
        if self.out.layout_words.iter().any(foreign) {
            return self.table_fault("table", "a list word is of no enum".to_owned());
        }
        self.bind_interfaces()?;
        self.scratch.enums.clear();
        self.scratch.enum_values.clear();
        for hash in view.enums {
            let hash = u64::from_le_bytes(*hash);
            self.scratch.enums.push(hash);
            let values = self.values_of(hash);
            self.scratch.enum_values.push(values);
            self.out.enum_values.push(values);
        }
        self.bind_ops()
    }

    fn bind_interfaces(&mut self) -> Option<()> {
        let count = usize::from(self.view.header.counts.interfaces);
        self.scratch.interfaces.clear();
        let mut names = self.view.names().skip(1);
        for _ in 0..count {
            let (module, name) = (names.next()?, names.next()?);
            match self.registry.find(module, name) {
                Some(found) => self.scratch.interfaces.push(found),
                None => {
                    let (module, name) = (String::from_utf8_lossy(module), String::from_utf8_lossy(name));
                    let message = format!("this server has no interface {module}.{name}");
                    self.fault(None, "unknown-interface", FaultKind::Unsupported, message);
                    return None;
                }
            }
        }
        Some(())
    }

    /// Number of values of an enum; a program that only holds values of it names no interface that has it.
    fn values_of(&self, hash: u64) -> u64 {
        let defined = |module: &'static Module| {
            module.enums.iter().find(|e| e.hash.0 == hash).map(|e| e.values.len() as u64)
        };
        let mut used = self.scratch.interfaces.iter().map(|number| self.registry.known(*number).module);
        used.find_map(defined).or_else(|| self.registry.modules().find_map(defined)).unwrap_or(0)
    }

    fn bind_ops(&mut self) -> Option<()> {
        for k in 0..self.view.ops.len() {
            let Some(OpRef { hash, interface }) = self.view.op(k) else {
                return self.table_fault("table", format!("operation {k} is damaged"));
            };
            let Some(&number) = self.scratch.interfaces.get(interface as usize) else {
                return self.table_fault("table", format!("operation {k} is of no interface"));
            };
            let known = self.registry.known(number);
            match known.by_hash(OpHash(hash)) {
                Some(signature) if signature.in_programs => self.out.ops.push(signature.op),
                found => {
                    let (rule, message) = known.no_operation(hash, found);
                    self.fault(None, rule, FaultKind::Unsupported, message);
                    return None;
                }
            }
        }
        Some(())
    }

    fn code_pass(&mut self) -> Option<()> {
        let view = self.view;
        let n = view.code.len();
        if n == 0 {
            return self.table_fault("end", "the program has no instructions".to_owned());
        }
        self.out.code.reserve(n);
        let mut repeats = 1;
        self.scratch.inner[0].leader = true;
        for (k, bytes) in view.code.iter().enumerate() {
            self.at = k as u32;
            let ins = match Ins::decode(bytes) {
                Ok(ins) => ins,
                Err(number) => {
                    self.reject("operation", format!("there is no operation {number}"));
                    return None;
                }
            };
            let count = match self.scratch.inner[k].of {
                NONE => 1,
                l => runs(&self.out.loops[l as usize], k as u16),
            };
            self.unused(ins.op, bytes);
            let step = self.instruction(&ins, count, repeats);
            // No more would be listed, and finding words for a fault costs more than an instruction.
            if self.faults.len() >= FAULTS_MAX {
                return None;
            }
            repeats = if ins.op == Op::Repeat { u64::from(ins.d as u32) } else { 1 };
            self.out.code.push(step);
            if (ins.op.branches() || ins.op == Op::Call)
                && let Some(next) = self.scratch.inner.get_mut(k + 1)
            {
                next.leader = true;
            }
        }
        match self.out.code.last().map(|step| step.op) {
            Some(Op::End | Op::Fail | Op::Jump) => Some(()),
            _ => {
                self.reject("end", "control runs off the end of the program".to_owned());
                Some(())
            }
        }
    }

    /// Charges each basic block at its leader.
    ///
    /// A run that ends at the limit of a loop was charged for the block that the loop's head is in once more than its
    /// instructions can be executed, so the largest of these blocks is added to the bound.
    fn charges(&mut self) {
        let (mut length, mut most, mut head) = (0, 0, 0);
        for (step, inner) in self.out.code.iter_mut().zip(&self.scratch.inner).rev() {
            length += 1 + u32::from(step.reaches());
            head |= u32::from(step.op == Op::Loop);
            if inner.leader {
                step.charge = length;
                most = most.max(head * length);
                (length, head) = (0, 0);
            }
        }
        self.out.totals.instructions = self.out.totals.instructions.saturating_add(u64::from(most));
    }

    fn registers(&mut self) -> Option<()> {
        let view = self.view;
        for k in 0..view.registers.len() {
            match view.register(k).and_then(|i| self.scratch.interfaces.get(i as usize)) {
                Some(number) => {
                    let known = self.registry.known(*number);
                    self.out.registers.push((known.module, known.id));
                }
                None => return self.table_fault("table", format!("portal register {k} is of no interface")),
            }
        }
        Some(())
    }

    fn params(&mut self) -> Option<()> {
        let view = self.view;
        for k in 0..view.params.len() {
            let place = view.param(k);
            let good = match place {
                Some(ParamPlace::Slot(slot)) => matches!(
                    self.out.slots.get(slot as usize),
                    Some(
                        SlotType::Int
                            | SlotType::Bool
                            | SlotType::Float(_)
                            | SlotType::Enum(_)
                            | SlotType::Str(_)
                            | SlotType::Bytes(_)
                    )
                ),
                Some(ParamPlace::Register(register)) => (register as usize) < view.registers.len(),
                None => false,
            };
            match place {
                Some(place) if good => self.out.params.push(place),
                _ => return self.table_fault("table", format!("parameter {k} has no place")),
            }
        }
        Some(())
    }

    fn result(&mut self) -> Option<()> {
        let view = self.view;
        self.types(view.result_words, "result word", |out| &mut out.result_words)?;
        let header = view.header;
        (self.out.result, self.out.so_far, self.out.started) = (header.result, header.so_far, header.started);
        if header.started != NONE && self.out.slots.get(header.started as usize) != Some(&SlotType::Int) {
            return self.table_fault("table", "the slot of the start time is no integer".to_owned());
        }
        if self.out.result_words.is_empty() != (header.result == ResultKind::None) {
            return self.table_fault("table", "the result has no type".to_owned());
        }
        let bad = |ty: &SlotType| match ty {
            SlotType::Int | SlotType::Bool | SlotType::Float(_) => false,
            SlotType::StrRef(_) | SlotType::BytesRef(_) => false,
            SlotType::Enum(x) => *x as usize >= self.scratch.enums.len(),
            _ => true,
        };
        if self.out.result_words.iter().any(bad) {
            return self.table_fault("table", "the result is not made of scalars and texts".to_owned());
        }
        if header.so_far != NONE && !self.is_result(header.so_far) {
            return self.table_fault("table", "the result so far is not of the result's type".to_owned());
        }
        Some(())
    }

    fn caps(&mut self) -> Option<()> {
        for k in 0..self.view.caps.len() {
            match self.view.cap(k) {
                Some(cap) => self.out.caps.push(cap),
                None => return self.table_fault("table", format!("cap {k} is of no known kind")),
            }
        }
        Some(())
    }

    /// Whether the slots from `first` (or the list there) are of the result's type.
    fn is_result(&self, first: u16) -> bool {
        let words = self.out.result_words.as_slice();
        match self.view.header.result {
            ResultKind::None => first == NONE,
            ResultKind::Words => self
                .out
                .slots
                .get(first as usize..first as usize + words.len())
                .is_some_and(|slots| slots.iter().zip(words).all(|(slot, word)| same_value(*slot, *word))),
            ResultKind::List => match self.out.slots.get(first as usize) {
                Some(SlotType::List(layout, _)) => {
                    let (at, count) = self.out.layouts[*layout as usize];
                    let all = &self.out.layout_words[at as usize..(at + count) as usize];
                    all.len() == words.len() && all.iter().zip(words).all(|(a, b)| same_value(*a, *b))
                }
                _ => false,
            },
        }
    }
}

/// Whether a slot can stand where a value of type `word` is wanted: the same scalar, or a text of the same kind.
fn same_value(slot: SlotType, word: SlotType) -> bool {
    match word {
        SlotType::StrRef(_) => slot.string_max().is_some(),
        SlotType::BytesRef(_) => slot.bytes_max().is_some(),
        SlotType::Int | SlotType::Bool | SlotType::Float(_) | SlotType::Enum(_) | SlotType::Lent(_) => {
            slot == word
        }
        _ => false,
    }
}

mod calls;
mod loaded;
mod loops;
mod operands;
pub(crate) mod registry;
pub(crate) use operands::{sort_charge, test_charge};
