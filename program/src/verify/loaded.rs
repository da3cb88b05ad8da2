//! A verified program, ready to run.

use carnet_idl::descriptor::{
    Effect, InterfaceId, Module, Operation, SHORT_WORDS, Type, WORK_BYTES_MAX, Word,
};

use crate::array::Returns;
use crate::array::verify::{Action, Block};
use crate::bytecode::{Loop, Op, ParamPlace, ResultKind, SlotType, pack};
use crate::limits::Amounts;
use crate::tree::Cap;

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
    /// Word of the block that says how many bytes of work the call may do, or refers to them; [`NONE`] if there is none, or `NONE - 1` if lists hold
    /// what it writes.
    pub cost_word: u16,
    /// Number of the interface in the registry.
    pub(crate) known: u16,
    /// Words of its block that come back and refer to areas, a bit each: a block has at most 64.
    pub(crate) owners: u64,
    /// Unions are among what comes back: which arm is there is looked at when it does.
    pub(crate) gives_unions: bool,
}

/// As [`BoundOp::cost_word`]: what a call writes is in lists, too.
pub(crate) const IN_LISTS: u16 = crate::bytecode::NONE - 1;

/// Whether a word of a reply refers to an area.
pub(crate) fn owns(word: &Word) -> bool {
    matches!(word, Word::String { .. } | Word::Bytes { .. } | Word::List { .. })
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
        match self.operation.cost_param().map(|param| &param.ty) {
            Some(Type::Bytes { max }) => return u64::from(*max),
            Some(_) => return u64::from(WORK_BYTES_MAX),
            None => {}
        }
        let of = |word: &Word| match word {
            Word::Bytes { max } => u64::from(*max),
            _ => 0,
        };
        let all = |word: &Word| match word {
            Word::List { element, max } => {
                element.iter().map(of).sum::<u64>().saturating_mul(u64::from(*max))
            }
            word => of(word),
        };
        let layout = &self.operation.layout;
        layout.ins.iter().chain(&layout.inouts).map(all).fold(0, u64::saturating_add)
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
    /// Relation or test; of a call those from [`Step::SLOW`] on.
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
    /// The call is a short one that has nothing but words.
    pub const SHORT: u8 = 8;
    /// The call is a short one that carries a string or bytes.
    pub const PIECE: u8 = 16;
    /// These come back.
    pub const FILLS: u8 = 32;
    /// What is sent of the inouts lies in front of the block, since one of them is more than scalars; c is the block's first slot.
    pub const APART: u8 = 64;

    /// The immediate.
    #[inline]
    #[must_use]
    pub fn imm(&self) -> u64 {
        pack(self.d)
    }

    /// How many portal registers it reaches, if that is all of a list: its block is charged for each.
    #[must_use]
    pub fn reaches(&self) -> u16 {
        match self.op {
            Op::TakeAll | Op::LendAll => self.d[1],
            Op::DropAll => self.d[0],
            _ => 0,
        }
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

    /// Of a short call that carries a piece: the number of its word.
    #[inline]
    #[must_use]
    pub fn piece_at(&self) -> usize {
        (self.d[2] as usize >> 8) % SHORT_WORDS
    }

    /// Of a call: words before the reply, no more than those of the block.
    #[inline]
    #[must_use]
    pub fn reply_at(&self) -> usize {
        self.d[3] as usize & 0xff
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
#[derive(Clone, Debug, Default)]
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
    /// Number of values of each enum.
    pub enum_values: Vec<u64>,
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
    /// Of a call array: its commands, one for each of [`Loaded::code`], which says what of them is a call. Else empty.
    pub actions: Vec<Action>,
    /// Of a call array: its messages.
    pub messages: Vec<Block>,
    /// Of a call array: the words of its messages before the first command.
    pub image: Vec<u64>,
    /// Of a call array: where its result is.
    pub returns: Option<Returns>,
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

impl Totals {
    /// Those of what is counted for principals.
    pub(crate) fn amounts(&self) -> Amounts {
        let Totals { calls, writes, written, instructions, .. } = *self;
        Amounts { calls, writes, written, instructions }
    }
}

impl Loaded {
    /// Whether it is a call array, or else bytecode. It decides which interpreter runs it.
    #[inline]
    #[must_use]
    pub fn is_array(&self) -> bool {
        !self.actions.is_empty()
    }

    /// How often the call at `at` is made each time that it is reached: as often as a repeat says.
    #[must_use]
    pub fn repeats(&self, at: usize) -> u64 {
        if let Some(action) = self.actions.get(at) {
            return action.times.into();
        }
        match at.checked_sub(1).map(|before| self.code[before]) {
            Some(before) if before.op == Op::Repeat => u64::from(before.imm() as u32),
            _ => 1,
        }
    }

    /// Empties every table, keeping its memory.
    pub(super) fn clear(&mut self) {
        macro_rules! cleared {
            ($($table:ident),*; $($value:ident),*) => {
                let Loaded { $($table,)* $($value: _,)* } = self;
                $($table.clear();)*
            };
        }
        // All fields are named, so that no new one is forgotten; the verifier sets those behind the semicolon.
        cleared!(
            code, ops, loops, slots, areas, layout_words, enum_values, layouts, registers, handlers, params, result_words, caps,
            literals, actions, messages, image; result, so_far, started, totals, returns
        );
        self.returns = None;
        self.totals = Totals::default();
    }
}
