//! The verifier: one linear pass from bytes to a program that can run.
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
//! up to [`FAULTS_MAX`]; a fault of a loop table ends the pass, since nothing after it would mean anything.

use std::collections::HashMap;
use std::fmt;

use carnet_idl::descriptor::{Effect, InterfaceId, Mode, Module, Operation, WORK_BYTES_MAX, Word};

use crate::bytecode::{
    Ins, Loop, NONE, NotAProgram, Op, OpRef, ParamPlace, ResultKind, SlotType, UNBOUNDED, View, WORDS_MAX,
    pack,
};
use crate::tree::{Cap, Pos};

/// No more than so many faults are listed.
pub const FAULTS_MAX: usize = 20;
/// Deepest nesting of loops.
pub const NESTING_MAX: usize = 16;

/// The interfaces that a server knows, found by the names and hashes that programs use.
#[derive(Debug, Default)]
pub struct Registry {
    interfaces: HashMap<(&'static str, &'static str), (&'static Module, InterfaceId)>,
}

impl Registry {
    /// A registry of all interfaces of these modules.
    #[must_use]
    pub fn new(modules: &[&'static Module]) -> Registry {
        let mut interfaces = HashMap::new();
        for module in modules {
            for (k, interface) in module.interfaces.iter().enumerate() {
                let name = (module.name.as_str(), interface.name.as_str());
                interfaces.insert(name, (*module, InterfaceId(k as u16)));
            }
        }
        Registry { interfaces }
    }

    /// Looks an interface up.
    #[must_use]
    pub fn interface(&self, module: &str, name: &str) -> Option<(&'static Module, InterfaceId)> {
        self.interfaces.get(&(module, name)).copied()
    }
}

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

/// An operation of the program, bound to the server's descriptor.
#[derive(Clone, Copy, Debug)]
pub struct BoundOp {
    /// The descriptor.
    pub module: &'static Module,
    /// The interface.
    pub interface: InterfaceId,
    /// Number of the operation.
    pub number: u16,
    /// Its description.
    pub operation: &'static Operation,
    /// Word of the block that says how many bytes of work the call may do, or [`NONE`].
    pub cost_word: u16,
}

impl BoundOp {
    /// `Dir.open`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}.{}", self.module.interfaces[self.interface.index()].name, self.operation.name)
    }

    /// Most bytes that one call can write: its declared work, or the data in its message.
    #[must_use]
    pub fn written_max(&self) -> u64 {
        if self.operation.effect == Effect::Reads {
            return 0;
        }
        if self.operation.cost.is_some() {
            return u64::from(WORK_BYTES_MAX);
        }
        let data = |word: &Word| match word {
            Word::Bytes { max } => u64::from(*max),
            _ => 0,
        };
        self.operation.layout.ins.iter().map(data).sum()
    }
}

/// A loop with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundLoop {
    /// As the program has it.
    pub table: Loop,
    /// How often its body can be entered in the whole run; enforced.
    pub bound: u64,
    /// How often the loop can be reached.
    pub reached: u64,
}

/// An instruction, ready to run.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Operation.
    pub op: Op,
    /// Relation or test; of a call [`Step::SLOW`], [`Step::WRITES`] and [`Step::CALL`].
    pub flags: u8,
    /// First operand.
    pub a: u16,
    /// Second operand.
    pub b: u16,
    /// Third operand or target.
    pub c: u16,
    /// Charge of the basic block that begins here, or 0.
    pub charge: u32,
    /// Quarters of the immediate, low first; of a loop its bound (and b is its counter), of a call what the methods below
    /// say.
    pub d: [u16; 4],
}

impl Step {
    /// The call needs more than counters: it has a cost, writes data, may block, returns data or portals, repeats.
    pub const SLOW: u8 = 1;
    /// The call counts as a write.
    pub const WRITES: u8 = 2;
    /// Set in every call.
    pub const CALL: u8 = 4;

    /// The immediate.
    #[inline]
    #[must_use]
    pub fn imm(&self) -> u64 {
        pack(self.d)
    }

    /// Of a call: slot of the result, or [`NONE`].
    #[inline]
    #[must_use]
    pub fn result(&self) -> u16 {
        self.d[0]
    }

    /// Of a call: number of the operation.
    #[inline]
    #[must_use]
    pub fn number(&self) -> u16 {
        self.d[1]
    }

    /// Of a call: words of the block. At most 255, and the interpreter's table is so much longer than its slots.
    #[inline]
    #[must_use]
    pub fn words(&self) -> usize {
        self.d[2] as usize & 0xff
    }

    /// Of a call: words before the reply.
    #[inline]
    #[must_use]
    pub fn reply_at(&self) -> usize {
        self.d[3] as usize
    }
}

/// Where a failed call goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The call.
    pub at: u16,
    /// Where the program goes on.
    pub target: u16,
    /// Slot for the kind.
    pub kind: u16,
    /// Slot for the message.
    pub message: u16,
}

/// Capacity of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AreaCap {
    /// The slot that owns it.
    pub slot: u16,
    /// For texts: bytes. For lists: elements.
    pub max: u32,
    /// For lists: layout. For texts: [`NONE`].
    pub layout: u16,
}

/// A verified program.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The instructions.
    pub code: Vec<Step>,
    /// Operations.
    pub ops: Vec<BoundOp>,
    /// Loops.
    pub loops: Vec<BoundLoop>,
    /// Types of slots.
    pub slots: Vec<SlotType>,
    /// Areas; number 0 is the literals'.
    pub areas: Vec<AreaCap>,
    /// Words of list elements.
    pub layout_words: Vec<SlotType>,
    /// First word and number of words of each kind of list.
    pub layouts: Vec<(u16, u16)>,
    /// Interfaces of the portal registers.
    pub registers: Vec<(&'static Module, InterfaceId)>,
    /// Handlers, by instruction.
    pub handlers: Vec<Handler>,
    /// Where arguments go.
    pub params: Vec<ParamPlace>,
    /// Kind of result.
    pub result: ResultKind,
    /// Types of the result's words, or of its elements'.
    pub result_words: Vec<SlotType>,
    /// Slot with the result so far, or [`NONE`].
    pub so_far: u16,
    /// Slot of the start time, or [`NONE`].
    pub started: u16,
    /// Caps of the header.
    pub caps: Vec<Cap>,
    /// Content of area 0.
    pub literals: Vec<u8>,
    /// Upper bounds of the whole.
    pub totals: Totals,
}

/// Upper bounds of a run, without caps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Calls.
    pub calls: u64,
    /// Calls of writing operations.
    pub writes: u64,
    /// Bytes written.
    pub written: u64,
    /// Instructions, with what data instructions charge on top.
    pub instructions: u64,
    /// Loops whose limit is the language's default.
    pub defaults: u64,
}

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
    let view = View::new(bytes)?;
    let mut verifier = Verifier::new(view);
    match verifier.run(registry) {
        Some(loaded) if verifier.faults.is_empty() => Ok(loaded),
        _ => Err(LoadError::Rejected(verifier.faults)),
    }
}

struct Verifier<'a> {
    view: View<'a>,
    faults: Vec<Fault>,
    slots: Vec<SlotType>,
    enums: Vec<u64>,
    interfaces: Vec<(&'static Module, InterfaceId)>,
    ops: Vec<BoundOp>,
    loops: Vec<BoundLoop>,
    layout_words: Vec<SlotType>,
    layouts: Vec<(u16, u16)>,
    result_words: Vec<SlotType>,
    handlers: Vec<Handler>,
    /// Number of values of each enum, 0 if no interface in use defines it.
    enum_values: Vec<u64>,
    /// Slots and blocks looked at for strided moves and repeats, bounded as a whole.
    spread: u64,
    /// Innermost loop of each instruction.
    inner: Vec<u16>,
    code: Vec<Step>,
    totals: Totals,
    /// The instruction being checked.
    at: u32,
}

impl<'a> Verifier<'a> {
    fn new(view: View<'a>) -> Verifier<'a> {
        Verifier {
            view,
            faults: Vec::new(),
            slots: Vec::new(),
            enums: Vec::new(),
            interfaces: Vec::new(),
            ops: Vec::new(),
            loops: Vec::new(),
            layout_words: Vec::new(),
            layouts: Vec::new(),
            result_words: Vec::new(),
            handlers: Vec::new(),
            enum_values: Vec::new(),
            spread: 0,
            inner: Vec::new(),
            code: Vec::new(),
            totals: Totals::default(),
            at: 0,
        }
    }

    fn run(&mut self, registry: &Registry) -> Option<Loaded> {
        self.tables(registry)?;
        self.result_words = self.result()?;
        self.loop_table()?;
        self.code_pass()?;
        self.charges();
        let areas = self.areas();
        let registers = self.registers()?;
        let (params, caps) = (self.params()?, self.caps()?);
        Some(Loaded {
            code: std::mem::take(&mut self.code),
            ops: std::mem::take(&mut self.ops),
            loops: std::mem::take(&mut self.loops),
            slots: std::mem::take(&mut self.slots),
            areas,
            layout_words: std::mem::take(&mut self.layout_words),
            layouts: std::mem::take(&mut self.layouts),
            registers,
            handlers: std::mem::take(&mut self.handlers),
            params,
            result: self.view.header.result,
            result_words: std::mem::take(&mut self.result_words),
            so_far: self.view.header.so_far,
            started: self.view.header.started,
            caps,
            literals: self.view.literals.to_vec(),
            totals: self.totals,
        })
    }

    #[cold]
    fn fault(&mut self, at: Option<u32>, rule: &'static str, kind: FaultKind, message: String) {
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

    fn types(&mut self, bytes: &[[u8; 8]], what: &str) -> Option<Vec<SlotType>> {
        let mut types = Vec::with_capacity(bytes.len());
        for (k, entry) in bytes.iter().enumerate() {
            match SlotType::decode(entry) {
                Some(ty) => types.push(ty),
                None => return self.table_fault("table", format!("{what} {k} has no known type")),
            }
        }
        Some(types)
    }

    fn tables(&mut self, registry: &Registry) -> Option<()> {
        let view = self.view;
        self.slots = self.types(view.slots, "slot")?;
        self.layout_words = self.types(view.layout_words, "list word")?;
        self.layouts = Vec::with_capacity(view.layouts.len());
        for k in 0..view.layouts.len() {
            let (first, count) = view.layout(k)?;
            let words = self.layout_words.get(first..first + count);
            let scalar = |ty: &SlotType| {
                matches!(
                    ty,
                    SlotType::Int
                        | SlotType::Bool
                        | SlotType::Enum(_)
                        | SlotType::StrRef(_)
                        | SlotType::BytesRef(_)
                )
            };
            if count == 0 || count > WORDS_MAX || !words.is_some_and(|words| words.iter().all(scalar)) {
                return self
                    .table_fault("table", format!("kind of list {k} is not made of scalars and texts"));
            }
            self.layouts.push((first as u16, count as u16));
        }
        self.enums = view.enums.iter().map(|hash| u64::from_le_bytes(*hash)).collect();
        self.bind_interfaces(registry)?;
        self.enum_values = self.enums.iter().map(|hash| self.values_of(*hash)).collect();
        self.bind_ops()?;
        self.check_slots()
    }

    fn bind_interfaces(&mut self, registry: &Registry) -> Option<()> {
        let count = usize::from(self.view.header.counts[0]);
        self.interfaces = Vec::with_capacity(count);
        let mut names = self.view.names().skip(1);
        for _ in 0..count {
            let (module, name) = (names.next()?, names.next()?);
            let found = std::str::from_utf8(module)
                .ok()
                .zip(std::str::from_utf8(name).ok())
                .and_then(|(module, name)| registry.interface(module, name));
            match found {
                Some(found) => self.interfaces.push(found),
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

    fn values_of(&self, hash: u64) -> u64 {
        let defined = |(module, _): &(&'static Module, InterfaceId)| {
            module.enums.iter().find(|e| e.hash.0 == hash).map(|e| e.values.len() as u64)
        };
        self.interfaces.iter().find_map(defined).unwrap_or(0)
    }

    fn bind_ops(&mut self) -> Option<()> {
        self.ops = Vec::with_capacity(self.view.ops.len());
        for k in 0..self.view.ops.len() {
            let Some(OpRef { hash, interface }) = self.view.op(k) else {
                return self.table_fault("table", format!("operation {k} is damaged"));
            };
            let Some(&(module, id)) = self.interfaces.get(interface as usize) else {
                return self.table_fault("table", format!("operation {k} is of no interface"));
            };
            let described = &module.interfaces[id.index()];
            match described.operation_by_hash(carnet_idl::descriptor::OpHash(hash)) {
                Some((number, operation)) => {
                    let cost_word = cost_word(module, operation);
                    self.ops.push(BoundOp { module, interface: id, number, operation, cost_word });
                }
                None => {
                    let message = format!(
                        "{} of this server has no operation {hash:016x}: it was made for another version of {}",
                        described.name, module.name
                    );
                    self.fault(None, "unknown-operation", FaultKind::Unsupported, message);
                    return None;
                }
            }
        }
        Some(())
    }

    /// Types of slots refer to tables that exist, and areas fit the numbers that a reference has.
    fn check_slots(&mut self) -> Option<()> {
        let mut areas = 1;
        for k in 0..self.slots.len() {
            let ty = self.slots[k];
            let good = match ty {
                SlotType::Enum(x) => (x as usize) < self.enums.len(),
                SlotType::Lent(x) | SlotType::Made(x) => (x as usize) < self.interfaces.len(),
                SlotType::List(layout, _) => (layout as usize) < self.layouts.len(),
                SlotType::Str(max) | SlotType::Bytes(max) => {
                    max as usize <= carnet_portal::call::Ref::LEN_MAX
                }
                SlotType::Literal { len, offset } => self
                    .view
                    .literals
                    .get(offset as usize..offset as usize + len as usize)
                    .is_some_and(|text| !text.contains(&0)),
                _ => true,
            };
            areas += usize::from(ty.owns_area());
            if !good {
                return self.table_fault("table", format!("slot {k} has a type that refers to nothing"));
            }
        }
        let enum_of = |ty: &SlotType| matches!(ty, SlotType::Enum(x) if *x as usize >= self.enums.len());
        if self.layout_words.iter().any(enum_of) {
            return self.table_fault("table", "a list word is of no enum".to_owned());
        }
        if areas > carnet_portal::call::Ref::AREAS_MAX {
            let max = carnet_portal::call::Ref::AREAS_MAX;
            return self
                .table_fault("table", format!("{areas} texts and lists where at most {max} are allowed"));
        }
        Some(())
    }

    fn areas(&self) -> Vec<AreaCap> {
        let mut areas = Vec::with_capacity(8);
        areas.push(AreaCap { slot: NONE, max: 0, layout: NONE });
        for (k, ty) in self.slots.iter().enumerate() {
            match *ty {
                SlotType::Str(max) | SlotType::Bytes(max) => {
                    areas.push(AreaCap { slot: k as u16, max, layout: NONE });
                }
                SlotType::List(layout, max) => areas.push(AreaCap { slot: k as u16, max, layout }),
                _ => {}
            }
        }
        areas
    }

    /// Checks that loops nest, computes their bounds, and notes the innermost loop of each instruction.
    fn loop_table(&mut self) -> Option<()> {
        let view = self.view;
        let n = view.code.len();
        self.inner = vec![NONE; n];
        self.loops = Vec::with_capacity(view.loops.len());
        let mut open: Vec<usize> = Vec::new();
        for k in 0..view.loops.len() {
            let Some(l) = view.loop_at(k) else {
                return self.table_fault("loop", format!("loop {k} is damaged"));
            };
            while open.last().is_some_and(|o| self.loops[*o].table.end <= l.head) {
                open.pop();
            }
            if let Some(problem) = self.loop_problem(k, &l, &open) {
                return self.table_fault("loop", format!("loop {k} (line {}): {problem}", l.line));
            }
            let reached = match open.last() {
                None => 1,
                Some(o) => runs(&self.loops[*o], l.head),
            };
            let bound = self.loop_bound(k, &l, reached)?;
            self.totals.defaults += u64::from(l.default);
            self.inner[l.head as usize..l.end as usize].fill(k as u16);
            self.loops.push(BoundLoop { table: l, bound, reached });
            open.push(k);
        }
        Some(())
    }

    fn loop_problem(&self, k: usize, l: &Loop, open: &[usize]) -> Option<String> {
        let n = self.view.code.len();
        if l.head == 0 || l.head >= l.test || l.test > l.end || l.end as usize >= n {
            return Some(format!("its places {}, {}, {} are not in order", l.head, l.test, l.end));
        }
        if k > 0 && l.head <= self.loops[k - 1].table.head {
            return Some("it does not come after the loop before it".to_owned());
        }
        if open.len() >= NESTING_MAX {
            return Some(format!("loops are nested deeper than {NESTING_MAX}"));
        }
        if let Some(o) = open.last() {
            let outer = &self.loops[*o].table;
            let edge = if l.head < outer.test { outer.test } else { outer.end };
            if l.end > edge {
                return Some("it overlaps the loop around it".to_owned());
            }
        }
        if self.slots.get(l.counter as usize) != Some(&SlotType::Counter) {
            return Some("its counter is no counter".to_owned());
        }
        match Ins::decode(&self.view.code[l.head as usize]) {
            Ok(Ins { op: Op::Loop, a, .. }) if a as usize == k => None,
            _ => Some("at its head stands another instruction".to_owned()),
        }
    }

    fn loop_bound(&mut self, k: usize, l: &Loop, reached: u64) -> Option<u64> {
        let mut bound = l.limit;
        if l.own != UNBOUNDED {
            bound = bound.min(reached.saturating_mul(l.own));
        }
        if l.inner != NONE {
            let inside = self.view.loop_at(l.inner as usize);
            match inside {
                Some(i) if l.inner as usize > k && i.head < l.end && i.limit != UNBOUNDED => {
                    bound = bound.min(reached.saturating_add(i.limit));
                }
                _ => return self.table_fault("loop", format!("loop {k} goes over pages without entries")),
            }
        }
        if bound == UNBOUNDED {
            return self.table_fault("no-limit", format!("loop {k} (line {}) has no bound", l.line));
        }
        Some(bound)
    }

    fn code_pass(&mut self) -> Option<()> {
        let view = self.view;
        let n = view.code.len();
        if n == 0 {
            return self.table_fault("end", "the program has no instructions".to_owned());
        }
        self.code = Vec::with_capacity(n);
        let mut leader = true;
        let mut repeats = 1;
        for (k, bytes) in view.code.iter().enumerate() {
            self.at = k as u32;
            let ins = match Ins::decode(bytes) {
                Ok(ins) => ins,
                Err(number) => {
                    self.reject("operation", format!("there is no operation {number}"));
                    return None;
                }
            };
            let count = match self.inner[k] {
                NONE => 1,
                l => runs(&self.loops[l as usize], k as u16),
            };
            let step = self.instruction(&ins, count, repeats);
            repeats = if ins.op == Op::Repeat { u64::from(ins.d as u32) } else { 1 };
            self.code.push(Step { charge: u32::from(leader), ..step });
            leader = ins.op.branches() || ins.op == Op::Call;
        }
        match self.code.last().map(|step| step.op) {
            Some(Op::End | Op::Fail | Op::Jump) => Some(()),
            _ => {
                self.reject("end", "control runs off the end of the program".to_owned());
                Some(())
            }
        }
    }

    /// Marks the targets of branches as leaders, then turns the marks into charges.
    fn charges(&mut self) {
        for k in 0..self.code.len() {
            let step = self.code[k];
            if step.op.branches()
                && let Some(target) = self.code.get_mut(step.c as usize)
            {
                target.charge = 1;
            }
        }
        for handler in &self.handlers {
            if let Some(target) = self.code.get_mut(handler.target as usize) {
                target.charge = 1;
            }
        }
        let mut length = 0;
        for step in self.code.iter_mut().rev() {
            length += 1;
            if step.charge == 1 {
                step.charge = length;
                length = 0;
            }
        }
        self.last_block();
    }

    /// A run that ends at the limit of a loop was charged for the block that the loop's head is in once more than
    /// its instructions can be executed.
    fn last_block(&mut self) {
        let (mut most, mut charge, mut loops) = (0, 0, self.loops.iter().peekable());
        for (k, step) in self.code.iter().enumerate() {
            if step.charge > 0 {
                charge = step.charge;
            }
            if loops.next_if(|l| l.table.head as usize == k).is_some() {
                most = most.max(charge);
            }
        }
        self.totals.instructions = self.totals.instructions.saturating_add(u64::from(most));
    }

    fn registers(&mut self) -> Option<Vec<(&'static Module, InterfaceId)>> {
        let view = self.view;
        let mut registers = Vec::with_capacity(view.registers.len());
        for k in 0..view.registers.len() {
            match view.register(k).and_then(|i| self.interfaces.get(i as usize)) {
                Some(interface) => registers.push(*interface),
                None => return self.table_fault("table", format!("portal register {k} is of no interface")),
            }
        }
        Some(registers)
    }

    fn params(&mut self) -> Option<Vec<ParamPlace>> {
        let view = self.view;
        let mut params = Vec::with_capacity(view.params.len());
        for k in 0..view.params.len() {
            let place = view.param(k);
            let good = match place {
                Some(ParamPlace::Slot(slot)) => matches!(
                    self.slots.get(slot as usize),
                    Some(
                        SlotType::Int
                            | SlotType::Bool
                            | SlotType::Enum(_)
                            | SlotType::Str(_)
                            | SlotType::Bytes(_)
                    )
                ),
                Some(ParamPlace::Register(register)) => (register as usize) < view.registers.len(),
                None => false,
            };
            match place {
                Some(place) if good => params.push(place),
                _ => return self.table_fault("table", format!("parameter {k} has no place")),
            }
        }
        Some(params)
    }

    fn result(&mut self) -> Option<Vec<SlotType>> {
        let view = self.view;
        let words = self.types(view.result_words, "result word")?;
        let header = view.header;
        if header.started != NONE && self.slots.get(header.started as usize) != Some(&SlotType::Int) {
            return self.table_fault("table", "the slot of the start time is no integer".to_owned());
        }
        if words.is_empty() != (header.result == ResultKind::None) {
            return self.table_fault("table", "the result has no type".to_owned());
        }
        let bad = |ty: &SlotType| match ty {
            SlotType::Int | SlotType::Bool | SlotType::StrRef(_) | SlotType::BytesRef(_) => false,
            SlotType::Enum(x) => *x as usize >= self.enums.len(),
            _ => true,
        };
        if words.iter().any(bad) {
            return self.table_fault("table", "the result is not made of scalars and texts".to_owned());
        }
        if header.so_far != NONE && !self.is_result(header.so_far, &words) {
            return self.table_fault("table", "the result so far is not of the result's type".to_owned());
        }
        Some(words)
    }

    fn caps(&mut self) -> Option<Vec<Cap>> {
        let mut caps = Vec::with_capacity(self.view.caps.len());
        for k in 0..self.view.caps.len() {
            match self.view.cap(k) {
                Some(cap) => caps.push(cap),
                None => return self.table_fault("table", format!("cap {k} is of no known kind")),
            }
        }
        Some(caps)
    }

    /// Whether the slots from `first` (or the list there) are of the result's type.
    fn is_result(&self, first: u16, words: &[SlotType]) -> bool {
        match self.view.header.result {
            ResultKind::None => first == NONE,
            ResultKind::Words => self
                .slots
                .get(first as usize..first as usize + words.len())
                .is_some_and(|slots| slots.iter().zip(words).all(|(slot, word)| same_value(*slot, *word))),
            ResultKind::List => match self.slots.get(first as usize) {
                Some(SlotType::List(layout, _)) => {
                    let (at, count) = self.layouts[*layout as usize];
                    let all = &self.layout_words[at as usize..(at + count) as usize];
                    all.len() == words.len() && all.iter().zip(words).all(|(a, b)| same_value(*a, *b))
                }
                _ => false,
            },
        }
    }
}

/// Where in the block the `in` parameter of `@cost` is.
fn cost_word(module: &Module, operation: &Operation) -> u16 {
    let Some(param) = operation.cost else { return NONE };
    let mut before = Vec::new();
    for param in operation.params[..param as usize].iter().filter(|param| param.mode == Mode::In) {
        module.flatten(&param.ty, &mut before);
    }
    before.len() as u16
}

/// How often instruction `at` of a loop can run.
fn runs(l: &BoundLoop, at: u16) -> u64 {
    if at < l.table.test { l.bound } else { l.bound.saturating_add(l.reached) }
}

/// Whether a slot can stand where a value of type `word` is wanted: the same scalar, or a text of the same kind.
fn same_value(slot: SlotType, word: SlotType) -> bool {
    match word {
        SlotType::StrRef(_) => slot.string_max().is_some(),
        SlotType::BytesRef(_) => slot.bytes_max().is_some(),
        SlotType::Int | SlotType::Bool | SlotType::Enum(_) | SlotType::Lent(_) => slot == word,
        _ => false,
    }
}

mod operands;
pub(crate) use operands::{sort_charge, test_charge};
