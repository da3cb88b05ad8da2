//! What methods are translated to before they run: operations on registers.
//!
//! ```text
//! operation   op: 8 bits │ a: 8 │ b: 8 │ c: 8 │ imm: 32
//! registers   local variables, then the operand stack, then a few to move values around; a long or double is in the first of its two.
//!             A stack that is too deep for operations to name all of it comes last
//! ```
//!
//! A frame has each register twice: as a number of 64 bits, and as a reference. Which of the two an operation means is part of
//! it, so a collector finds all references of a thread in one place, and needs no maps. The operand stack is
//! all but gone: loading a variable or constant is no operation; whoever takes it names the register.
//!
//! A method with more variables than operations can name has those that are left over *far*: when it begins, it moves its registers up and
//! keeps them below, and operations of their own move them from and to there. So do they with what is deep in the stack.
//!
//! An operation that names a constant of the class is *unlinked* at first: it is followed to what it means when it is reached for the
//! first time, and replaced by one that says so. What stands there is the same for all domains; what differs between
//! domains (initialization, statics, strings) is looked up by number.
//!
//! Calls copy nothing: arguments are the callee's first registers where they lie, and its result is put into the first.
//!
//! Instructions of the class file are counted where control leaves straight code: each operation that does has in `c`
//! how many there were.

pub mod op;
pub mod translate;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::symbol::Symbol;

/// A translated method.
pub struct Code {
    /// The operations. Those that are linked are replaced.
    pub words: Box<[AtomicU64]>,
    /// For each operation, the offset of the instruction that it is of.
    pub offsets: Box<[u16]>,
    /// Registers of a frame.
    pub registers: u32,
    /// How many of them are local variables.
    pub locals: u16,
    /// The first that is of the operand stack.
    pub stack: u16,
    /// Variables that did not fit: they are below the frame's first register.
    pub far: u32,
    /// Constants of 64 bits.
    pub wide: Box<[u64]>,
    /// Switches.
    pub switches: Box<[Switch]>,
    /// Who handles which exception where, in order of search.
    pub handlers: Box<[Handler]>,
    /// What each call through an interface led to last: class and method.
    pub sites: Box<[AtomicU64]>,
    /// Lines of the source file, by the offset where they begin, once they were asked for.
    pub lines: OnceLock<Box<[(u16, u16)]>>,
}

/// Targets by key.
pub enum Switch {
    /// From a lowest key on.
    Table {
        /// That key.
        low: i32,
        /// Targets of the keys.
        targets: Box<[u32]>,
        /// Target of all other keys.
        default: u32,
    },
    /// Sorted keys with their targets.
    Lookup {
        /// Keys.
        cases: Box<[(i32, u32)]>,
        /// Target of all other keys.
        default: u32,
    },
}

impl Switch {
    /// The target of a key.
    #[must_use]
    pub fn target(&self, key: i32) -> u32 {
        match self {
            Switch::Table { low, targets, default } => {
                let index = i64::from(key) - i64::from(*low);
                usize::try_from(index).ok().and_then(|index| targets.get(index)).copied().unwrap_or(*default)
            }
            Switch::Lookup { cases, default } => {
                cases.binary_search_by_key(&key, |case| case.0).ok().map_or(*default, |at| cases[at].1)
            }
        }
    }
}

/// A range of instructions with who handles their exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// First offset of the range.
    pub start: u16,
    /// Offset behind the range.
    pub end: u16,
    /// The operation where it goes on.
    pub target: u32,
    /// The name of the class that is caught; none for all.
    pub catch: Option<Symbol>,
}

impl Code {
    /// Bytes of memory that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let switch = |switch: &Switch| match switch {
            Switch::Table { targets, .. } => size_of_val(&**targets),
            Switch::Lookup { cases, .. } => size_of_val(&**cases),
        };
        size_of::<Code>()
            + size_of_val(&*self.words)
            + size_of_val(&*self.offsets)
            + size_of_val(&*self.wide)
            + size_of_val(&*self.switches)
            + self.switches.iter().map(switch).sum::<usize>()
            + size_of_val(&*self.handlers)
            + size_of_val(&*self.sites)
    }

    /// The register of a local variable, in a frame with registers from `base` on that has moved them up.
    #[must_use]
    pub fn place(&self, base: usize, local: usize) -> usize {
        match local.checked_sub(usize::from(self.locals)) {
            None => base + local,
            Some(far) => base - self.far as usize + far,
        }
    }

    /// Replaces an operation.
    pub fn set(&self, at: usize, word: u64) {
        if let Some(place) = self.words.get(at) {
            place.store(word, Ordering::Release);
        }
    }

    /// The offset of the instruction that an operation is of.
    #[must_use]
    pub fn offset(&self, at: usize) -> u16 {
        self.offsets.get(at).copied().unwrap_or(0)
    }
}

/// An operation with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word(pub u64);

impl Word {
    /// Of its parts.
    #[must_use]
    pub fn new(op: u8, (a, b, c): (u8, u8, u8), imm: u32) -> Word {
        Word(
            u64::from(op)
                | u64::from(a) << 8
                | u64::from(b) << 16
                | u64::from(c) << 24
                | u64::from(imm) << 32,
        )
    }

    /// Of an operation with one register of 16 bits in place of `a` and `b`.
    #[must_use]
    pub fn based(op: u8, base: u16, c: u8, imm: u32) -> Word {
        let [low, high] = base.to_le_bytes();
        Word::new(op, (low, high, c), imm)
    }

    /// The operation.
    #[inline]
    #[must_use]
    pub fn op(self) -> u8 {
        self.0 as u8
    }

    /// The first register.
    #[inline]
    #[must_use]
    pub fn a(self) -> usize {
        usize::from((self.0 >> 8) as u8)
    }

    /// The second register.
    #[inline]
    #[must_use]
    pub fn b(self) -> usize {
        usize::from((self.0 >> 16) as u8)
    }

    /// The third register.
    #[inline]
    #[must_use]
    pub fn c(self) -> usize {
        usize::from((self.0 >> 24) as u8)
    }

    /// The register of 16 bits.
    #[inline]
    #[must_use]
    pub fn base(self) -> usize {
        usize::from((self.0 >> 8) as u16)
    }

    /// The number.
    #[inline]
    #[must_use]
    pub fn imm(self) -> u32 {
        (self.0 >> 32) as u32
    }
}
