//! The low-level program: bytecode. This file is its specification.
//!
//! A program is a list of fixed-size instructions over one table of 64-bit slots (the paper's VarTable) and a
//! few portal registers. There are no pointers: an argument of variable size is a [`Ref`](carnet_portal::call::Ref)
//! word (area, offset, length). Three index spaces keep apart what must not be mixed up:
//!
//! | space | holds | named by |
//! | --- | --- | --- |
//! | slots | scalars, references, counters | 16-bit index, type in the slot table |
//! | areas | bytes of texts and lists; area 0 is the literals | owned by a `Text`/`List` slot, in order of slots |
//! | portal registers | capabilities | 16-bit index, interface in the register table |
//!
//! Every slot has one declared type and starts as zero, an owner's slot as the reference to its empty area;
//! registers start as the null portal. A slot of an owner always refers to the whole of its area.
//!
//! A list of portals is registers one behind the other, and a slot that says how many of them count
//! ([why](../../docs/decisions/0057-lists-of-portals.md)). A list whose elements are one word, of portals that are lent or made,
//! holds their numbers for a call, and no instruction but [`Op::TakeAll`] and [`Op::LendAll`] reads or writes it. Of elements of
//! several words with portals among them [`Op::Get`] reads the others, and [`Op::Count`] counts them. Where they are lent, [`Op::Push`] and
//! [`Op::Set`] make such a list, whose numbers are of no use before [`Op::LendAll`] ([why](../../docs/decisions/0062-lists-of-structs-with-portals.md)).
//!
//! `bytecode/encode.rs` writes it, `bytecode/view.rs` reads it.
//!
//! # Encoding (little-endian; sections follow each other without gaps, in this order)
//!
//! | section | entry |
//! | --- | --- |
//! | header | 48 bytes, [`Header`] |
//! | code | 16 bytes: op u8, flags u8, a u16, b u16, c u16, d u64 |
//! | ops | 16 bytes: hash u64, interface u16, 0 u16, 0 u32 |
//! | loops | 32 bytes: head u16, test u16, end u16, counter u16, own u64, limit u64, line u32, inner u16, flags u16 |
//! | enums | 8 bytes: hash u64 |
//! | slots | 8 bytes: [`SlotType`]: kind u8, 0 u8, x u16, y u32 |
//! | layout words | 8 bytes: [`SlotType`], the words of all list elements |
//! | result | 8 bytes: [`SlotType`], the words of the result (of an element, for a list) |
//! | caps | 16 bytes: kind u32, line u32, limit u64 |
//! | lines | 12 bytes: instruction u32, line u32, column u32; ascending |
//! | layouts | 4 bytes: first word u16, words u16 |
//! | registers | 2 bytes: interface u16 |
//! | params | 4 bytes: space u16 (0 slot, 1 register), index u16 |
//! | literals | bytes, none of them 0 |
//! | names | for the program, then module and name of each interface: length u8, bytes |
//!
//! # Control flow
//!
//! Backward branches go only to the heads of loops. A loop is `[head, end)`; at `head` stands the instruction
//! `loop`, which counts entries to the body over the whole run; `[test, end)` is its test. From outside a loop
//! is entered by falling into its head, or by a branch from `head - 1` to `test`. So each instruction of the
//! body is executed at most as often as `loop` counts, one of the test at most once more for each time the loop
//! is reached, and everything has a bound before it runs. (Figure 6 of the paper jumps through a variable; this
//! bytecode does not, on purpose: a bound must be provable.)

mod encode;
mod view;

pub use view::{NotAProgram, View};

use crate::float::Precision;
use crate::tree::{Cap, CapKind, Pos};

/// First bytes of every program.
pub const MAGIC: [u8; 4] = *b"CNB1";
/// Version of the encoding.
pub const VERSION: u16 = 1;
/// Largest number of instructions.
pub const CODE_MAX: usize = 65_536;
/// Largest number of slots.
pub const SLOTS_MAX: usize = 65_535;
/// Largest number of portal registers.
pub const REGISTERS_MAX: usize = 4_096;
/// Largest number of loops.
pub const LOOPS_MAX: usize = 4_096;
/// Largest number of interfaces and of enums.
pub const INTERFACES_MAX: usize = 64;
/// Largest number of operations, parameters and kinds of list (each).
pub const TABLE_MAX: usize = 1_024;
/// Largest number of words of a list element, of the result and of an argument block.
pub const WORDS_MAX: usize = 64;
/// Most slots and calls that the strided moves and repeats of a program name together, so that checking them
/// costs no more than the program's size allows.
pub const SPREAD_MAX: u64 = 65_536;
/// Largest size of a program, in bytes.
pub const BYTES_MAX: usize = 4 << 20;
/// Most portals in a list.
pub const PORTALS_MAX: u32 = 64;
/// In an operand: no slot, no register, no handler.
pub const NONE: u16 = u16::MAX;
/// "No bound" in [`Loop::own`] and [`Loop::limit`].
pub const UNBOUNDED: u64 = u64::MAX;

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident = $number:literal,)*) => {
        /// Operations. Operands not named must be zero.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Op {
            $($(#[$doc])* $name = $number,)*
        }

        impl Op {
            /// All operations, by number.
            pub const ALL: [Op; [$($number),*].len()] = [$(Op::$name),*];
        }
    };
}

operations! {
    /// Ends the program. a = first slot of the result, or its list slot ([`NONE`] if it has none).
    End = 0,
    /// Ends the program as failed; a = text with the message.
    Fail = 1,
    /// Goes to c.
    Jump = 2,
    /// Goes to c if slots a and b are equal. The relations stand in the order of [`Rel`](crate::tree::Rel).
    JumpEq = 3,
    /// … not equal.
    JumpNe = 4,
    /// … a less than b.
    JumpLt = 5,
    /// … a at most b.
    JumpLe = 6,
    /// … a greater than b.
    JumpGt = 7,
    /// … a at least b.
    JumpGe = 8,
    /// Goes to c if slot a is equal to the integer d.
    JumpEqI = 9,
    /// … not equal.
    JumpNeI = 10,
    /// … less.
    JumpLtI = 11,
    /// … at most.
    JumpLeI = 12,
    /// … greater.
    JumpGtI = 13,
    /// … at least.
    JumpGeI = 14,
    /// Head of loop a: counts, and stops the run at its limit.
    Loop = 15,
    /// Calls operation b on the portal in register a with the argument block from slot c. d holds four u16:
    /// result slot (or [`NONE`]: results stay in the block), handler (or [`NONE`]: abort on error), slot for
    /// the error's kind, slot for its message. If an inout is more than scalars, or a union, what is sent of all inouts lies in front, from slot c
    /// on, and the block behind it: there the inouts only come back.
    Call = 16,
    /// Does the following call d.0 times (u32), the argument block moving by d.2 slots and the result slot by
    /// d.3 slots each time (u16 each).
    Repeat = 17,
    /// Copies d.0 (u32) slots from b, step d.2, to a, step d.3.
    MoveStrided = 18,
    /// a = b.
    Move = 19,
    /// a = d.
    Load = 20,
    /// a = b + c.
    Add = 21,
    /// a = b - c.
    Sub = 22,
    /// a = b * c.
    Mul = 23,
    /// a = b / c.
    Div = 24,
    /// a = b % c.
    Rem = 25,
    /// a = b + d.
    AddI = 26,
    /// a = -b.
    Neg = 27,
    /// a = !b, for truth values.
    Not = 28,
    /// a = whether slots b and c are in the relation of flags.
    Compare = 29,
    /// Text or list a = text or list b.
    Set = 30,
    /// Text a = text a followed by text b.
    Append = 31,
    /// Empties text or list a.
    Clear = 32,
    /// a = whether texts b and c are in the relation of flags, byte by byte.
    CompareText = 33,
    /// a = whether text b passes the test of flags with text c.
    TestText = 34,
    /// a = length of text b.
    Len = 35,
    /// a = number of elements of list b.
    Count = 36,
    /// a = word d of element (slot c) of list b.
    Get = 37,
    /// Word d of element (slot b) of list a = slot c. References to texts of list a last until the first instruction behind
    /// it that is no `put` to that list.
    Put = 38,
    /// Adds the element in the slots from b to list a.
    Push = 39,
    /// Sorts list a by word d, stably.
    Sort = 40,
    /// Register a takes the portal that the last call made (slot b), and releases what it held.
    Take = 41,
    /// Register a releases what it holds.
    Drop = 42,
    /// a = the portal of register b, as an argument.
    Lend = 43,
    /// Register a = a copy of the right in register b.
    Share = 44,
    /// a = b and c computed as flags say: 0 to 3 are sum, difference, product and quotient, 4 more if they are doubles. See
    /// [`float`](crate::float).
    FloatArith = 45,
    /// a = whether floats b and c are in the relation of flags, 8 more if they are doubles.
    FloatCompare = 46,
    /// a = the float nearest to integer b, or with flags 1 to the float b of the other precision; 2 more if a is a double.
    Convert = 47,
    /// a = b, as what an arm of a union has there: integer b as a truth value, enum or float, or one of these as an integer, which
    /// is its word; bytes b as a string, or a string as bytes, into the text a; bytes b as the list a that they are
    /// [packed](crate::packed), or a list as these bytes. What a's type cannot hold is a fault.
    As = 48,
    /// Reference a = text b without its first c bytes; a fault if it has not so many.
    Tail = 49,
    /// The registers from a on, as many as list b can hold, take the portals that the last call made and this list names, and release what they
    /// held; c = how many there are. d holds two u16: with 0 first nothing else that the call made is kept, with 1 more of it is taken; and
    /// which word of the elements names them.
    TakeAll = 50,
    /// List a = the portals of the registers from b on, as arguments; slot c says how many. More than list a can hold are a fault. With
    /// elements of several words it has as many as slot c says, else that is a fault, and word d.1 (u16) of each becomes its portal; d.0 is 0.
    LendAll = 51,
    /// Register a = a copy of the right in register b + slot c. d holds two u16: how many registers there are from b on, and the slot that
    /// says how many of them count. Another slot c is a fault.
    Pick = 52,
    /// Register a + slot c = a copy of the right in register b. There are d registers from a on; one more is a fault.
    Keep = 53,
    /// The d registers from a on release what they hold.
    DropAll = 54,
}

impl Op {
    /// The operation with this number.
    #[inline]
    #[must_use]
    pub fn from_number(number: u8) -> Option<Op> {
        Op::ALL.get(number as usize).copied()
    }

    /// Whether `c` is the target of a branch.
    #[inline]
    #[must_use]
    pub fn branches(self) -> bool {
        (Op::Jump as u8..=Op::JumpGeI as u8).contains(&(self as u8))
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ins {
    /// What it does.
    pub op: Op,
    /// Relation or test.
    pub flags: u8,
    /// First operand.
    pub a: u16,
    /// Second operand.
    pub b: u16,
    /// Third operand, or target.
    pub c: u16,
    /// Immediate, or four u16 from low to high.
    pub d: u64,
}

/// The four u16 of [`Ins::d`], low first.
#[inline]
#[must_use]
pub fn quarters(d: u64) -> [u16; 4] {
    [d as u16, (d >> 16) as u16, (d >> 32) as u16, (d >> 48) as u16]
}

/// Packs four u16, low first.
#[inline]
#[must_use]
pub fn pack(q: [u16; 4]) -> u64 {
    u64::from(q[0]) | u64::from(q[1]) << 16 | u64::from(q[2]) << 32 | u64::from(q[3]) << 48
}

impl Ins {
    /// Size in the encoding.
    pub const BYTES: usize = 16;

    fn encode(self) -> [u8; 16] {
        let low = u64::from(self.op as u8) | u64::from(self.flags) << 8;
        let low = low | pack([0, self.a, self.b, self.c]);
        (u128::from(low) | u128::from(self.d) << 64).to_le_bytes()
    }

    /// Reads one instruction; the number of an unknown operation is the error.
    ///
    /// # Errors
    /// The operation's number, if there is no such operation.
    #[inline]
    pub fn decode(bytes: &[u8; 16]) -> Result<Ins, u8> {
        let op = Op::from_number(bytes[0]).ok_or(bytes[0])?;
        let word = u128::from_le_bytes(*bytes);
        let (low, d) = (word as u64, (word >> 64) as u64);
        Ok(Ins {
            op,
            flags: (low >> 8) as u8,
            a: (low >> 16) as u16,
            b: (low >> 32) as u16,
            c: (low >> 48) as u16,
            d,
        })
    }
}

/// Type of a slot, of a word of a list element, or of a word of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SlotType {
    /// Signed integer.
    Int,
    /// 0 or 1.
    Bool,
    /// Value of enum x.
    Enum(u16),
    /// Counter of a loop; only `loop` touches it.
    Counter,
    /// A string variable with an area of its own of at most so many bytes.
    Str(u32),
    /// A bytes variable with an area of its own of at most so many bytes.
    Bytes(u32),
    /// A list variable with an area of its own: layout, capacity in elements.
    List(u16, u32),
    /// Reference to a string of at most so many bytes.
    StrRef(u32),
    /// Reference to bytes, at most so many.
    BytesRef(u32),
    /// A literal: x bytes from y of the literals.
    Literal {
        /// Length.
        len: u16,
        /// First byte.
        offset: u32,
    },
    /// A portal of interface x, as an argument.
    Lent(u16),
    /// A portal of interface x that a call has just made.
    Made(u16),
    /// Reference to all of a list, as an argument: layout, most elements.
    ListRef(u16, u32),
    /// The bits of a float. No instruction takes them for an integer, so that nothing depends on them as a bound, index or count.
    Float(Precision),
}

impl SlotType {
    fn encode(self) -> [u8; 8] {
        let (kind, x, y) = match self {
            SlotType::Int => (0, 0, 0),
            SlotType::Bool => (1, 0, 0),
            SlotType::Enum(x) => (2, x, 0),
            SlotType::Counter => (3, 0, 0),
            SlotType::Str(cap) => (4, 0, cap),
            SlotType::Bytes(cap) => (5, 0, cap),
            SlotType::List(layout, cap) => (6, layout, cap),
            SlotType::StrRef(cap) => (7, 0, cap),
            SlotType::BytesRef(cap) => (8, 0, cap),
            SlotType::Literal { len, offset } => (9, len, offset),
            SlotType::Lent(x) => (10, x, 0),
            SlotType::Made(x) => (11, x, 0),
            SlotType::ListRef(layout, max) => (12, layout, max),
            SlotType::Float(Precision::Single) => (13, 0, 0),
            SlotType::Float(Precision::Double) => (14, 0, 0),
        };
        (kind | u64::from(x) << 16 | u64::from(y) << 32).to_le_bytes()
    }

    /// Reads a type; `None` if there is no such type or an unused part is not zero.
    #[inline]
    #[must_use]
    pub fn decode(bytes: &[u8; 8]) -> Option<SlotType> {
        let word = u64::from_le_bytes(*bytes);
        let (x, y) = ((word >> 16) as u16, (word >> 32) as u32);
        const X: u64 = 0xffff << 16;
        const Y: u64 = 0xffff_ffff << 32;
        let (ty, used) = match bytes[0] {
            0 => (SlotType::Int, 0),
            1 => (SlotType::Bool, 0),
            2 => (SlotType::Enum(x), X),
            3 => (SlotType::Counter, 0),
            4 => (SlotType::Str(y), Y),
            5 => (SlotType::Bytes(y), Y),
            6 => (SlotType::List(x, y), X | Y),
            7 => (SlotType::StrRef(y), Y),
            8 => (SlotType::BytesRef(y), Y),
            9 => (SlotType::Literal { len: x, offset: y }, X | Y),
            10 => (SlotType::Lent(x), X),
            11 => (SlotType::Made(x), X),
            12 => (SlotType::ListRef(x, y), X | Y),
            13 => (SlotType::Float(Precision::Single), 0),
            14 => (SlotType::Float(Precision::Double), 0),
            _ => return None,
        };
        (word & !(used | 0xff) == 0).then_some(ty)
    }

    /// Whether a slot of this type owns an area.
    #[inline]
    #[must_use]
    pub fn owns_area(self) -> bool {
        matches!(self, SlotType::Str(_) | SlotType::Bytes(_) | SlotType::List(..))
    }

    /// For strings: the longest that it can be.
    #[inline]
    #[must_use]
    pub fn string_max(self) -> Option<u32> {
        match self {
            SlotType::Str(cap) | SlotType::StrRef(cap) => Some(cap),
            SlotType::Literal { len, .. } => Some(u32::from(len)),
            _ => None,
        }
    }

    /// For bytes: the longest that they can be.
    #[inline]
    #[must_use]
    pub fn bytes_max(self) -> Option<u32> {
        match self {
            SlotType::Bytes(cap) | SlotType::BytesRef(cap) => Some(cap),
            _ => None,
        }
    }

    /// For texts of both kinds: the longest that they can be.
    #[inline]
    #[must_use]
    pub fn text_max(self) -> Option<u32> {
        self.string_max().or(self.bytes_max())
    }
}

/// An operation that the program calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpRef {
    /// Stable hash.
    pub hash: u64,
    /// Interface that it belongs to.
    pub interface: u16,
}

/// A loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Its `loop` instruction.
    pub head: u16,
    /// First instruction of its test, or `end`.
    pub test: u16,
    /// First instruction behind it.
    pub end: u16,
    /// Slot of its counter.
    pub counter: u16,
    /// How often one entry to the loop can enter the body, or [`UNBOUNDED`].
    pub own: u64,
    /// How often the body can be entered over the whole run, or [`UNBOUNDED`].
    pub limit: u64,
    /// Line of the source.
    pub line: u32,
    /// For a loop over pages: the loop within it over the entries of a page; else [`NONE`].
    pub inner: u16,
    /// The limit is the language's default, not the program's.
    pub default: bool,
}

/// Where an argument of the run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamPlace {
    /// A slot: scalar, string or bytes.
    Slot(u16),
    /// A portal register.
    Register(u16),
}

/// What a program returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultKind {
    /// Nothing.
    #[default]
    None,
    /// The words of a scalar, text or record, in consecutive slots.
    Words,
    /// A list.
    List,
}

/// A program in the form that the compiler fills and the encoder writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Name.
    pub name: String,
    /// Instructions.
    pub code: Vec<Ins>,
    /// Operations called.
    pub ops: Vec<OpRef>,
    /// Loops, by head; of loops with the same head there is one.
    pub loops: Vec<Loop>,
    /// Identities of enums.
    pub enums: Vec<u64>,
    /// Types of slots.
    pub slots: Vec<SlotType>,
    /// Words of the elements of lists: first and number in `layout_words`.
    pub layouts: Vec<(u16, u16)>,
    /// See `layouts`.
    pub layout_words: Vec<SlotType>,
    /// Kind of result.
    pub result: ResultKind,
    /// Slot that holds the result so far, while running; [`NONE`] if there is none.
    pub so_far: u16,
    /// Types of the result's words (of an element, for a list).
    pub result_words: Vec<SlotType>,
    /// Caps of the header.
    pub caps: Vec<Cap>,
    /// Source places of instructions, ascending.
    pub lines: Vec<(u32, Pos)>,
    /// Interfaces of portal registers.
    pub registers: Vec<u16>,
    /// Where the arguments go.
    pub params: Vec<ParamPlace>,
    /// Slot that gets the time at which the run began, or [`NONE`].
    pub started: u16,
    /// Content of area 0.
    pub literals: Vec<u8>,
    /// Module and name of each interface.
    pub interfaces: Vec<(String, String)>,
}

/// The first 48 bytes.
///
/// magic 4, version u16, result kind u8, 0 u8; u16 each: interfaces, ops, loops, enums, slots, layout words,
/// result words, caps, layouts, registers, params, so_far, started, 0; u32 each: instructions − 1 + 1 (a count),
/// lines, literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Kind of the result.
    pub result: ResultKind,
    /// Lengths of the tables.
    pub counts: Counts,
    /// See [`Program::so_far`].
    pub so_far: u16,
    /// See [`Program::started`].
    pub started: u16,
    /// Number of instructions.
    pub code: u32,
    /// Number of line entries.
    pub lines: u32,
    /// Bytes of literals.
    pub literals: u32,
}

/// Lengths of the tables, in the order of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Interfaces named.
    pub interfaces: u16,
    /// Operations called.
    pub ops: u16,
    /// Loops.
    pub loops: u16,
    /// Enums.
    pub enums: u16,
    /// Slots.
    pub slots: u16,
    /// Words of all list elements.
    pub layout_words: u16,
    /// Words of the result.
    pub result_words: u16,
    /// Caps.
    pub caps: u16,
    /// Kinds of list.
    pub layouts: u16,
    /// Portal registers.
    pub registers: u16,
    /// Parameters.
    pub params: u16,
}

/// Bytes of the header.
const HEADER_BYTES: usize = 48;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_its_own_number() {
        for (number, op) in Op::ALL.into_iter().enumerate() {
            assert_eq!(op as usize, number);
        }
    }

    /// Bytes that were written before are read for ever: operation, flags, a, b, c and d of each instruction, lowest byte first.
    #[test]
    fn each_instruction_has_the_bytes_that_it_had() {
        let lines = include_str!("../tests/golden/instructions.txt").lines();
        assert_eq!(lines.clone().count(), Op::ALL.len(), "a line for each");
        for (line, op) in lines.zip(Op::ALL) {
            let (name, hex) = line.split_once(' ').expect("a name and bytes");
            assert_eq!(name, format!("{op:?}"));
            let digits: Vec<u8> = hex.bytes().filter(|byte| *byte != b' ').collect();
            let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16);
            let bytes: Vec<u8> = digits.chunks(2).map(|pair| byte(pair).expect("digits")).collect();
            let bytes: [u8; 16] = bytes.try_into().expect("sixteen");
            let ins = Ins { op, flags: 0x21, a: 0x6543, b: 0x0987, c: 0xadcb, d: 0xefcd_ab89_6745_2301 };
            assert_eq!((Ins::decode(&bytes), ins.encode()), (Ok(ins), bytes), "{name}");
        }
    }

    #[test]
    fn quarters_and_pack_are_inverse() {
        assert_eq!(quarters(pack([1, 2, 3, NONE])), [1, 2, 3, NONE]);
    }
}
