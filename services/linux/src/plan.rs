//! What each operation does with its block: its `@syscall`, worked out once.
//!
//! ```text
//! read(in long fd, in long long n) -> bytes   "0 fd *return n"
//! block:  fd  n  result                       number 0: Number(word 0), Room(word 2), RoomSize(word 1)
//! ```

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use carnet_idl::descriptor::{Mode, Operation, Type, WORK_BYTES_MAX, Word};
use carnet_idl::syscall::{Argument, Place, Syscall};

use crate::layout::Layout;
use crate::linux;

/// Bytes of the smallest directory entry.
const ENTRY_BYTES: u32 = 24;

/// One argument of a system call, by words of the block.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Constant(i64),
    /// A value, with the bits that may be set, and the most that it may be if more is cut.
    Value {
        word: usize,
        allowed: Option<i64>,
        cut: Option<i64>,
    },
    /// A string that is sent.
    Text {
        word: usize,
        max: u32,
    },
    /// Bytes that are sent.
    Bytes {
        word: usize,
        max: u32,
    },
    /// How many the argument before this has.
    SentSize,
    /// A structure that is sent.
    Struct {
        word: usize,
        layout: Layout,
    },
    /// An address that is sent.
    Address {
        word: usize,
    },
    /// An integer that is sent as C's `int`.
    Int {
        word: usize,
    },
    /// A list of structures that is sent, and comes back as the result if `back` names its word.
    List {
        word: usize,
        layout: Layout,
        max: u32,
        back: usize,
    },
    /// A structure that is sent, and comes back in the words from `back`.
    Changed {
        word: usize,
        layout: Layout,
        back: usize,
    },
    /// How many elements the argument before this has.
    Elements,
    /// Room for what comes back.
    Room {
        word: usize,
        holds: Holds,
        max: usize,
    },
    /// A structure that comes back.
    Returned {
        word: usize,
        layout: Layout,
    },
    /// An address that comes back.
    ReturnedAddress {
        word: usize,
    },
    /// An `int` that comes back.
    ReturnedInt {
        word: usize,
    },
    /// The address of the size of the argument before this.
    ReturnedSize,
}

/// What room is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Bytes,
    Text,
    Entries,
}

/// A system call as an operation makes it.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) number: u16,
    pub(crate) sources: Vec<Source>,
    /// The word that the call's own value goes to.
    pub(crate) value: Option<usize>,
    /// Words of the block.
    pub(crate) words: usize,
    /// What the integers among the words that are sent may be.
    pub(crate) ranges: Vec<(usize, RangeInclusive<i64>)>,
    /// It moves data that count as written, or takes room for them.
    pub(crate) writes: bool,
    /// It makes a name, or may.
    pub(crate) names: Names,
}

/// Whether a call makes a name of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// It makes none.
    None,
    /// If this argument has O_CREAT.
    IfCreated(usize),
    /// It makes one.
    One,
    /// It makes one that says what the first argument is.
    Link,
}

impl Names {
    fn of(number: u16) -> Names {
        match number {
            2 => Names::IfCreated(1),
            257 => Names::IfCreated(2),
            // mkdir, creat, link, mkdirat, linkat
            83 | 85 | 86 | 258 | 265 => Names::One,
            // symlink, symlinkat
            88 | 266 => Names::Link,
            _ => Names::None,
        }
    }
}

/// The plans of all operations, in their order; one that is none of the interface's is none.
pub(crate) fn plans() -> &'static [Plan] {
    static PLANS: OnceLock<Vec<Plan>> = OnceLock::new();
    PLANS.get_or_init(|| {
        let module = linux::module();
        let operations = module.interfaces.first().map_or(&[][..], |system| &system.operations);
        operations.iter().map(plan).collect()
    })
}

fn plan(operation: &Operation) -> Plan {
    let syscall = Syscall::of(linux::module(), operation).ok().flatten();
    // A test makes sure that every operation has one.
    let syscall = syscall.unwrap_or(Syscall { number: u16::MAX, arguments: Vec::new() });
    let block = Block { operation };
    let mut sources: Vec<Source> = syscall.arguments.iter().map(|argument| block.source(argument)).collect();
    for at in 1..sources.len() {
        let room = match &sources[at - 1] {
            Source::Room { max, .. } => i64::try_from(*max).ok(),
            _ => None,
        };
        if let (Some(room), Source::Value { cut, .. }) = (room, &mut sources[at]) {
            *cut = Some(cut.map_or(room, |cut| cut.min(room)));
        }
    }
    let is_int = matches!(operation.result, Some(Type::Int { .. }));
    let comes_back = syscall.arguments.contains(&Argument::Returned(Place::Return));
    Plan {
        number: syscall.number,
        sources,
        value: (is_int && !comes_back).then(|| block.word(Place::Return)),
        words: operation.layout.words(),
        ranges: ranges(operation),
        writes: matches!(syscall.number, 1 | 18 | 40 | 44 | 275 | 285 | 326),
        names: Names::of(syscall.number),
    }
}

fn ranges(operation: &Operation) -> Vec<(usize, RangeInclusive<i64>)> {
    let of = |(at, word): (usize, &Word)| {
        let range = match word {
            Word::Int { bits: 64, signed: true } => return None,
            Word::Int { bits: 64, .. } => 0..=i64::MAX,
            Word::Int { bits, signed: false } => 0..=(1 << bits) - 1,
            Word::Int { bits, signed: true } => -(1 << (bits - 1))..=(1 << (bits - 1)) - 1,
            _ => return None,
        };
        Some((at, range))
    };
    operation.layout.ins.iter().enumerate().filter_map(of).collect()
}

impl Plan {
    /// The word of the bytes or text that come back.
    pub(crate) fn room(&self) -> Option<usize> {
        self.sources.iter().find_map(|source| match source {
            Source::Room { word, holds: Holds::Bytes | Holds::Text, .. } => Some(*word),
            _ => None,
        })
    }

    /// Whether what comes back ends before its first NUL.
    pub(crate) fn is_text(&self) -> bool {
        self.sources.iter().any(|source| matches!(source, Source::Room { holds: Holds::Text, .. }))
    }
}

struct Block<'a> {
    operation: &'a Operation,
}

impl Block<'_> {
    /// The first word of a parameter or of the result.
    fn word(&self, place: Place) -> usize {
        let module = linux::module();
        let words = |ty: &Type| module.word_count(ty);
        let params = &self.operation.params;
        let before = |at: u16, mode: Mode| -> usize {
            params[..usize::from(at)].iter().filter(|p| p.mode == mode).map(|p| words(&p.ty)).sum()
        };
        let ins = self.operation.layout.request_words();
        match place {
            Place::Return => ins,
            Place::Param(at) => match params[usize::from(at)].mode {
                Mode::Out => ins + self.operation.result.as_ref().map_or(0, words) + before(at, Mode::Out),
                mode => before(at, mode),
            },
        }
    }

    fn ty(&self, place: Place) -> Option<&Type> {
        match place {
            Place::Return => self.operation.result.as_ref(),
            Place::Param(at) => self.operation.params.get(usize::from(at)).map(|param| &param.ty),
        }
    }

    fn source(&self, argument: &Argument) -> Source {
        match argument {
            Argument::Constant(number) => Source::Constant(*number),
            Argument::Value { param, allowed } => Source::Value {
                word: self.word(Place::Param(*param)),
                allowed: *allowed,
                cut: (self.operation.cost == Some(*param)).then_some(i64::from(WORK_BYTES_MAX)),
            },
            Argument::Sent { param, changed } => self.sent(Place::Param(*param), *changed),
            Argument::Returned(place) => self.returned(*place),
            Argument::Size { param } => match self.ty(Place::Param(*param)) {
                Some(Type::List { .. }) => Source::Elements,
                _ => Source::SentSize,
            },
            Argument::SizePlace(_) => Source::ReturnedSize,
        }
    }

    fn sent(&self, place: Place, changed: bool) -> Source {
        let word = self.word(place);
        match self.ty(place) {
            Some(Type::String { max }) => Source::Text { word, max: *max },
            Some(Type::Bytes { max }) => Source::Bytes { word, max: *max },
            Some(ty @ Type::Struct(_)) if is_address(ty) => Source::Address { word },
            Some(Type::Struct(id)) if changed => {
                Source::Changed { word, layout: layout(*id), back: self.word(Place::Return) }
            }
            Some(Type::Struct(id)) => Source::Struct { word, layout: layout(*id) },
            Some(Type::List { of, max }) => {
                let layout = if let Type::Struct(id) = **of { layout(id) } else { Layout::default() };
                Source::List { word, layout, max: *max, back: self.word(Place::Return) }
            }
            _ => Source::Int { word },
        }
    }

    fn returned(&self, place: Place) -> Source {
        let word = self.word(place);
        match self.ty(place) {
            Some(Type::Bytes { max }) => Source::Room { word, holds: Holds::Bytes, max: *max as usize },
            Some(Type::String { max }) => Source::Room { word, holds: Holds::Text, max: *max as usize },
            Some(Type::List { max, .. }) => {
                Source::Room { word, holds: Holds::Entries, max: (*max * ENTRY_BYTES) as usize }
            }
            Some(ty @ Type::Struct(_)) if is_address(ty) => Source::ReturnedAddress { word },
            Some(Type::Struct(id)) => Source::Returned { word, layout: layout(*id) },
            _ => Source::ReturnedInt { word },
        }
    }
}

fn layout(id: carnet_idl::descriptor::StructId) -> Layout {
    Layout::of(linux::module(), id).unwrap_or_default()
}

fn is_address(ty: &Type) -> bool {
    matches!(ty, Type::Struct(id) if linux::module().structs[id.index()].name == "Address")
}
