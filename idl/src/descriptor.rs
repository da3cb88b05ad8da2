//! The descriptor: what a compiled interface is at run time.
//!
//! The compiler makes one [`Module`] of each interface file. Everything that must know an interface
//! reads it from here: the generated stubs carry it, the server sends it to dynamic clients, the
//! program compiler resolves names against it, the verifier checks programs with it. Nobody writes a
//! second description by hand.
//!
//! # Message layout (IDL4, section 3.2: direct stack transfer, in today's words)
//!
//! A message is the callee's argument block: 64-bit little-endian words, one for each scalar,
//! parameters sorted **in, inout, out**; the return value is the first of the outs.
//!
//! ```text
//!        request: a prefix                     reply: a suffix
//! ┌────────┬──────────┬──────────┐
//! │ header │ in words │  inout   │                     (then the request's data)
//! └────────┴──────────┼──────────┼──────────┐
//!             header →│  inout   │   outs   │          (then the reply's data)
//!                     └──────────┴──────────┘
//! ```
//!
//! Scalars are extended to a word, structs and arrays are flattened into the words of their parts, and each
//! string, byte sequence or list is one word that refers to data outside of the block (IDL4's
//! indirect strings). Portals travel in a list of their own; their word is an index into it.
//! The same block, without header, is what a program's call instruction names in its variable table.
//!
//! | type | words |
//! | --- | --- |
//! | `char` | as `octet` |
//! | `float`, `double` | the bits of IEEE 754: as `unsigned long`, as `long long` |
//! | array of `octet` or `char` | one word that refers to exactly so many bytes |
//! | array of anything else | the words of its elements, one after the other |
//! | union | the discriminant; words for the most scalars that an arm has; words for the most strings and bytes that one has |
//! | list within a struct, array, union, exception or list | one word that refers to bytes: the packed list |
//!
//! What an arm of a union does not need is 0 or empty. A packed list is what a list is in a message: the number of its
//! elements as a word, their words, then the bytes that these refer to, counted from the first of them. Lists in it are
//! packed again. Its words refer to all of the bytes, one behind the other: no two words share any.
//!
//! # Raised exceptions
//!
//! An operation that raises one exception alone, whose members are an enum `kind` and a string `message`, sends
//! these two in the reply's header and text: programs test the one, people read the other. In all other cases the
//! header says `0x8000` plus the exception's place in `raises (…)`, and the reply's data are its members as one
//! element of a list: their words, then the bytes that strings refer to.

mod brings;
mod unions;

use std::cell::LazyCell;

use crate::size::Sizes;

pub use self::brings::{Brings, REPLY_PORTALS_MAX};
pub use self::unions::{Arm, Union, UnionShape};

/// Declares an index type of its own, so that indices of different tables cannot be mixed up.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u16);
        impl $name {
            /// The index as a `usize`.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// Index into [`Module::enums`].
    EnumId
);
index!(
    /// Index into [`Module::structs`].
    StructId
);
index!(
    /// Index into [`Module::unions`].
    UnionId
);
index!(
    /// Index into [`Module::exceptions`].
    ExceptionId
);
index!(
    /// Index into [`Module::interfaces`].
    InterfaceId
);

/// Stable name of an operation: the first 64 bits of the SHA-256 of its canonical signature, in
/// which every named type stands with its structure. Adding an operation changes no other's hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpHash(pub u64);

/// Stable name of a whole interface or of an enum: SHA-256 over its parts' hashes, first 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeHash(pub u64);

/// One compiled module with everything of other modules that it uses.
///
/// Names of definitions are without the module (`Dir`); those of a module or interface within it have its name before
/// them (`inner::Dir`); those of other modules begin with `::` (`::other::Dir`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Name of the IDL module, for example `files`.
    pub name: String,
    /// From `@version("1.0")`; empty if the file gives none.
    pub version: String,
    /// Documentation comment of the module.
    pub doc: String,
    /// From `@unknown("names and sizes of files")`: what a program's bill cannot know before it runs. May be empty.
    pub unknown: String,
    /// All constants, in order of declaration.
    pub constants: Vec<Constant>,
    /// All enums, in order of declaration.
    pub enums: Vec<Enum>,
    /// All structs, in order of declaration; a struct refers only to earlier ones.
    pub structs: Vec<Struct>,
    /// All unions, in order of declaration; a union refers only to earlier ones.
    pub unions: Vec<Union>,
    /// All exceptions.
    pub exceptions: Vec<Exception>,
    /// All interfaces.
    pub interfaces: Vec<Interface>,
}

/// An enum; its values are numbered from 0 in order of declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// Name without the module.
    pub name: String,
    /// Documentation comment.
    pub doc: String,
    /// Names of the values.
    pub values: Vec<String>,
    /// Over name and values.
    pub hash: TypeHash,
}

/// A struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Struct {
    /// Name without the module.
    pub name: String,
    /// Documentation comment.
    pub doc: String,
    /// Fields in order of declaration.
    pub fields: Vec<Field>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name of the field.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Name, as [`Module`] says.
    pub name: String,
    /// Documentation comment.
    pub doc: String,
    /// Its type: scalar or string.
    pub ty: Type,
    /// Its value, which is one of the type.
    pub value: Value,
}

/// Value of a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Booleans (0 or 1), integers, characters, enums, and the bits of floats: as a word of a block.
    Word(u64),
    /// A string.
    Text(String),
}

/// An exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Name without the module.
    pub name: String,
    /// Documentation comment.
    pub doc: String,
    /// Its members, in order of declaration; there may be none.
    pub members: Vec<Field>,
}

impl Exception {
    /// The enum of `kind` and the bound of `message`, if these are its members: programs can test the one, people
    /// read the other.
    #[must_use]
    pub fn plain(&self) -> Option<(EnumId, u32)> {
        match &self.members[..] {
            [Field { name: kind, ty: Type::Enum(id) }, Field { name: message, ty: Type::String { max } }]
                if kind == "kind" && message == "message" =>
            {
                Some((*id, *max))
            }
            _ => None,
        }
    }
}

/// An interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Name without the module, for example `Dir`.
    pub name: String,
    /// Documentation comment.
    pub doc: String,
    /// The interface that it inherits from, which stands before it.
    pub base: Option<InterfaceId>,
    /// How many of `operations` are inherited: the first, as they are in the base.
    pub inherited: u16,
    /// Operations, those of the base first, then in order of declaration; the index is the operation number of
    /// messages, so that it is the same in a base and in what inherits from it. An attribute `x` is an operation `_get_x`
    /// and, if it is not `readonly`, one `_set_x`.
    pub operations: Vec<Operation>,
    /// The operation marked `@argument`: it makes a portal of this interface from a text, so that
    /// a command line can name one (`root=/docs:ro`).
    pub argument: Option<u16>,
    /// Over the hashes of all operations.
    pub hash: TypeHash,
}

/// What an operation does to the service's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// `@reads`: changes nothing that others can see.
    Reads,
    /// `@writes`, the default.
    Writes,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Name, for example `open`.
    pub name: String,
    /// Documentation comment.
    pub doc: String,
    /// Stable hash of the signature.
    pub hash: OpHash,
    /// Reads or writes.
    pub effect: Effect,
    /// `@idempotent`: doing it twice is doing it once.
    pub idempotent: bool,
    /// `@once`: it reads, but made again it answers otherwise: it reads on from where it stood, or takes what it reads.
    pub once: bool,
    /// `@blocks`: may wait for something other than the disk or the processor.
    pub blocks: bool,
    /// `@paged`: returns a list page by page (see [`Paged`]).
    pub paged: Option<Paged>,
    /// `@cost(bytes = n)`: index in `params` of the `in` parameter that says how many bytes of work
    /// the call may do: an integer (at most [`WORK_BYTES_MAX`]), or bytes, which are as many as there are of them.
    pub cost: Option<u16>,
    /// `@does("remove", "file", "files")`: verb, one, many; used in texts such as "would remove 3 files".
    pub does: Option<[String; 3]>,
    /// From `@note("Never overwrites.")`: said in the bill of programs that call it. May be empty.
    pub note: String,
    /// From `@syscall("0 fd *return n")`: which system call it is ([`Syscall::of`](crate::syscall::Syscall::of)).
    pub syscall: Option<String>,
    /// Parameters in order of declaration (not of the message: see [`Operation::layout`]).
    pub params: Vec<Param>,
    /// Return type, if it has one.
    pub result: Option<Type>,
    /// The exceptions it may raise.
    pub raises: Vec<ExceptionId>,
    /// `oneway`: there is no reply to wait for.
    pub oneway: bool,
    /// Words of the argument block.
    pub layout: Layout,
}

/// One call does at most this much work that is not in its message (DESIGN section 3).
pub const WORK_BYTES_MAX: u32 = 1 << 20;

/// How a `@paged` operation goes on: the client calls again with the cursor set to the key of the last
/// element, until `last` comes back true. Keys are by name, so that removing while walking skips nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paged {
    /// Index in `params` of the `in string` parameter that is the cursor; empty at first.
    pub cursor: u16,
    /// Index in `params` of the `out boolean` parameter that marks the last page.
    pub last: u16,
    /// Index of the string field of the element struct that is the key.
    pub key: u16,
}

/// Direction of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// From caller to service.
    In,
    /// Both ways.
    InOut,
    /// From service to caller.
    Out,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name.
    pub name: String,
    /// Direction.
    pub mode: Mode,
    /// Type.
    pub ty: Type,
}

/// A type of the interface language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `boolean`.
    Bool,
    /// `char`: one byte.
    Char,
    /// `float` or `double`.
    Float {
        /// 32 or 64.
        bits: u8,
    },
    /// `octet`, `int8`, `short`, `long`, `long long` and their unsigned forms. Unsigned 64-bit values above
    /// `i64::MAX` do not exist: they are refused as bad arguments, since programs have signed integers only.
    Int {
        /// 8, 16, 32 or 64.
        bits: u8,
        /// Signed.
        signed: bool,
    },
    /// An enum.
    Enum(EnumId),
    /// `string<max>`: bytes without NUL, not necessarily UTF-8.
    String {
        /// Bound in bytes.
        max: u32,
    },
    /// `sequence<octet, max>`.
    Bytes {
        /// Bound in bytes.
        max: u32,
    },
    /// A struct.
    Struct(StructId),
    /// A union.
    Union(UnionId),
    /// `T name[len]`.
    Array {
        /// Type of the elements.
        of: Box<Type>,
        /// Number of elements.
        len: u32,
    },
    /// `sequence<T, max>` of anything else. Within another value it is packed, and holds no portals.
    List {
        /// Type of the elements.
        of: Box<Type>,
        /// Bound in elements.
        max: u32,
    },
    /// An interface reference.
    Portal(InterfaceId),
}

impl Type {
    /// The number of bytes of an array that travels as such.
    #[must_use]
    pub fn octets(&self) -> Option<u32> {
        match self {
            Type::Array { of, len } if matches!(**of, Type::Char | Type::Int { bits: 8, signed: false }) => {
                Some(*len)
            }
            _ => None,
        }
    }

    /// Whether a value is one word that refers to nothing.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        matches!(self, Type::Bool | Type::Char | Type::Float { .. } | Type::Int { .. } | Type::Enum(_))
    }
}

/// Any bits: what is the arms' own business in a union.
const RAW: Word = Word::Int { bits: 64, signed: true };

/// What one word of an argument block is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// A boolean: 0 or 1.
    Bool,
    /// An integer, sign- or zero-extended.
    Int {
        /// 8, 16, 32 or 64.
        bits: u8,
        /// Signed.
        signed: bool,
    },
    /// A `float` or `double`: its bits.
    Float {
        /// 32 or 64.
        bits: u8,
    },
    /// An enum: less than its number of values.
    Enum(EnumId),
    /// Reference to a string.
    String {
        /// Bound in bytes.
        max: u32,
    },
    /// Reference to bytes.
    Bytes {
        /// Bound in bytes.
        max: u32,
    },
    /// Reference to a list.
    List {
        /// Words of one element: scalars, strings, bytes and portals only.
        element: Vec<Word>,
        /// Bound in elements.
        max: u32,
    },
    /// Index into the message's list of portals.
    Portal(InterfaceId),
}

/// The argument block of an operation: its words, sorted in, inout, out.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Layout {
    /// Words of the `in` parameters.
    pub ins: Vec<Word>,
    /// Words of the `inout` parameters.
    pub inouts: Vec<Word>,
    /// Words of the return value, then of the `out` parameters.
    pub outs: Vec<Word>,
    /// Set if the call is a short one.
    pub short: Option<Short>,
    /// The word of the bytes that the call is about, if they go both ways and nothing else comes back: at most [`SHORT_WORDS`] words, the
    /// others of which are scalars that are sent.
    pub turned: Option<usize>,
    /// Portals that a reply may bring.
    pub brings: Brings,
}

/// Words of a short call's block: with a head of two they fill a cache line, as a register message of IDL4 fills registers.
pub const SHORT_WORDS: usize = 6;

/// What a short call carries beside its words: at most [`SHORT_WORDS`] of them, none of which stands for portals, lists or
/// parts of a larger value. It is at most one piece of data each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Short {
    /// Nothing.
    Words,
    /// A string or bytes, which the word with this number refers to.
    In(usize),
    /// A string or bytes that come back; the number is that of their word.
    Out(usize),
    /// Both: what the first word refers to is sent, and what the second refers to comes back.
    Both(usize, usize),
}

impl Short {
    /// The word of what is sent.
    #[inline]
    #[must_use]
    pub fn sent(self) -> Option<usize> {
        match self {
            Short::In(at) | Short::Both(at, _) => Some(at),
            Short::Words | Short::Out(_) => None,
        }
    }

    /// The word of what comes back.
    #[inline]
    #[must_use]
    pub fn returned(self) -> Option<usize> {
        match self {
            Short::Out(at) | Short::Both(_, at) => Some(at),
            Short::Words | Short::In(_) => None,
        }
    }
}

impl Layout {
    /// Words of the request: in and inout.
    #[must_use]
    pub fn request_words(&self) -> usize {
        self.ins.len() + self.inouts.len()
    }

    /// Words of the reply: inout and out.
    #[must_use]
    pub fn reply_words(&self) -> usize {
        self.inouts.len() + self.outs.len()
    }

    /// Words of the whole block.
    #[must_use]
    pub fn words(&self) -> usize {
        self.ins.len() + self.inouts.len() + self.outs.len()
    }

    fn as_turned(&self, params: &[Param], result: Option<&Type>) -> Option<usize> {
        let is_turned = |param: &Param| match param.mode {
            Mode::In => param.ty.is_plain(),
            Mode::InOut => matches!(param.ty, Type::Bytes { .. }),
            Mode::Out => false,
        };
        let are_all = result.is_none() && params.iter().all(is_turned);
        let is_one = self.inouts.len() == 1 && self.words() <= SHORT_WORDS;
        (are_all && is_one).then_some(self.ins.len())
    }

    fn as_short(&self, params: &[Param], result: Option<&Type>) -> Option<Short> {
        let modes = params.iter().map(|param| (param.mode, &param.ty));
        for (mode, ty) in modes.chain(result.map(|ty| (Mode::Out, ty))) {
            match ty {
                Type::String { .. } | Type::Bytes { .. } if mode != Mode::InOut => {}
                ty if ty.is_plain() => {}
                _ => return None,
            }
        }
        if self.words() > SHORT_WORDS {
            return None;
        }
        let pieces = |words: &[Word]| {
            let is_piece = |at: &usize| matches!(words[*at], Word::String { .. } | Word::Bytes { .. });
            (0..words.len()).filter(is_piece).collect::<Vec<usize>>()
        };
        match (&pieces(&self.ins)[..], &pieces(&self.outs)[..]) {
            ([], []) => Some(Short::Words),
            ([sent], []) => Some(Short::In(*sent)),
            ([], [returned]) => Some(Short::Out(self.request_words() + returned)),
            ([sent], [returned]) => Some(Short::Both(*sent, self.request_words() + returned)),
            _ => None,
        }
    }
}

impl Module {
    /// Appends the words that a parameter or result of `ty` takes in a block.
    ///
    /// # Panics
    /// Never for types of this module.
    pub fn flatten(&self, ty: &Type, words: &mut Vec<Word>) {
        self.flatten_by(&LazyCell::new(|| Sizes::of_module(self)), ty, words);
    }

    /// As [`Module::flatten`], of a part of another value: a list is bytes there.
    ///
    /// # Panics
    /// Never for types of this module.
    pub fn flatten_part(&self, ty: &Type, words: &mut Vec<Word>) {
        self.part_by(&LazyCell::new(|| Sizes::of_module(self)), ty, words);
    }

    /// How many words [`Module::flatten`] appends. Nothing is made or measured for that.
    ///
    /// # Panics
    /// Never for types of this module.
    #[must_use]
    pub fn word_count(&self, ty: &Type) -> usize {
        match ty {
            Type::Struct(id) => {
                self.structs[id.index()].fields.iter().map(|field| self.word_count(&field.ty)).sum()
            }
            Type::Union(id) => {
                let UnionShape { scalars, references, .. } = self.unions[id.index()].shape;
                1 + scalars + references
            }
            Type::Array { of, len } if ty.octets().is_none() => self.word_count(of) * *len as usize,
            _ => 1,
        }
    }

    fn flatten_by<F: FnOnce() -> Sizes>(&self, sizes: &LazyCell<Sizes, F>, ty: &Type, words: &mut Vec<Word>) {
        let Type::List { of, max } = ty else { return self.part_by(sizes, ty, words) };
        let mut element = Vec::new();
        self.part_by(sizes, of, &mut element);
        words.push(Word::List { element, max: *max });
    }

    fn part_by<F: FnOnce() -> Sizes>(&self, sizes: &LazyCell<Sizes, F>, ty: &Type, words: &mut Vec<Word>) {
        match ty {
            Type::Bool => words.push(Word::Bool),
            Type::Int { bits, signed } => words.push(Word::Int { bits: *bits, signed: *signed }),
            Type::Enum(id) => words.push(Word::Enum(*id)),
            Type::String { max } => words.push(Word::String { max: *max }),
            Type::Bytes { max } => words.push(Word::Bytes { max: *max }),
            Type::Char => words.push(Word::Int { bits: 8, signed: false }),
            Type::Float { bits } => words.push(Word::Float { bits: *bits }),
            Type::Struct(id) => {
                for field in &self.structs[id.index()].fields {
                    self.part_by(sizes, &field.ty, words);
                }
            }
            Type::Union(id) => {
                let new = &self.unions[id.index()];
                self.part_by(sizes, &new.switch, words);
                words.extend(std::iter::repeat_n(RAW, new.shape.scalars));
                let bytes = Word::Bytes { max: new.shape.bytes_max };
                words.extend(std::iter::repeat_n(bytes, new.shape.references));
            }
            Type::Array { of, len } => match ty.octets() {
                Some(len) => words.push(Word::Bytes { max: len }),
                None => (0..*len).for_each(|_| self.part_by(sizes, of, words)),
            },
            Type::List { .. } => words.push(Word::Bytes { max: sizes.of(ty).bytes_max }),
            Type::Portal(id) => words.push(Word::Portal(*id)),
        }
    }

    /// The words of an operation with these parameters and this result.
    #[must_use]
    pub fn layout(&self, params: &[Param], result: Option<&Type>) -> Layout {
        self.layout_by(&LazyCell::new(|| Sizes::of_module(self)), params, result)
    }

    /// As [`Module::layout`], if the sizes of all structs and unions are known.
    pub(crate) fn layout_by<F: FnOnce() -> Sizes>(
        &self,
        sizes: &LazyCell<Sizes, F>,
        params: &[Param],
        result: Option<&Type>,
    ) -> Layout {
        let mut layout = Layout::default();
        if let Some(ty) = result {
            self.flatten_by(sizes, ty, &mut layout.outs);
        }
        for param in params {
            let words = match param.mode {
                Mode::In => &mut layout.ins,
                Mode::InOut => &mut layout.inouts,
                Mode::Out => &mut layout.outs,
            };
            self.flatten_by(sizes, &param.ty, words);
        }
        layout.short = layout.as_short(params, result);
        layout.turned = layout.as_turned(params, result);
        layout.brings = Brings::of(&layout.inouts, &layout.outs);
        layout
    }

    /// The enum and the bound of the message of the exception that `operation` raises, if it raises one alone and that is
    /// plain: it travels in the header of a reply then, and programs can test it.
    #[must_use]
    pub fn plain_exception(&self, operation: &Operation) -> Option<(EnumId, u32)> {
        match operation.raises[..] {
            [id] => self.exceptions[id.index()].plain(),
            _ => None,
        }
    }

    /// What of `operation` programs have nothing for, for a message: "parameter `x` is a union". They have booleans,
    /// integers (`char` among them), floats, enums, strings, bytes, structs, arrays, lists and unions of all that, and portals, also in
    /// structs and arrays, and lists of all these.
    #[must_use]
    pub fn not_in_programs(&self, operation: &Operation) -> Option<String> {
        // The verifier asks this of each operation of each program: nothing is written unless it is wanted.
        for param in &operation.params {
            if let Some(found) = self.foreign_as_a_whole(&param.ty) {
                return Some(format!("parameter `{}` is {found}", param.name));
            }
        }
        let found = operation.result.as_ref().and_then(|ty| self.foreign_as_a_whole(ty));
        found.map(|found| format!("the result is {found}"))
    }

    /// The same of a type of a parameter or result, which may be a list with portals.
    fn foreign_as_a_whole(&self, ty: &Type) -> Option<&'static str> {
        match ty {
            Type::List { of, .. } => self.foreign_to_programs(of),
            ty => self.foreign_to_programs(ty),
        }
    }

    /// What a value is or holds that programs have not.
    #[must_use]
    pub fn foreign_to_programs(&self, ty: &Type) -> Option<&'static str> {
        match ty {
            Type::Bool | Type::Char | Type::Int { .. } | Type::Enum(_) => None,
            Type::String { .. } | Type::Bytes { .. } | Type::Portal(_) => None,
            Type::Float { .. } => None,
            Type::Union(id) => self.unions[id.index()].arms.iter().find_map(|arm| match arm.ty {
                ref ty if self.holds_portals(ty) => Some("a union with a portal"),
                ref ty => self.foreign_to_programs(ty),
            }),
            Type::Array { of, .. } => self.foreign_to_programs(of),
            Type::List { of, .. } => match **of {
                Type::Portal(_) => Some("a list of portals"),
                ref of if self.holds_portals(of) => Some("a list with portals"),
                ref of => self.foreign_to_programs(of),
            },
            Type::Struct(id) => {
                let fields = &self.structs[id.index()].fields;
                fields.iter().find_map(|field| self.foreign_to_programs(&field.ty))
            }
        }
    }

    /// Whether a type is a portal, or holds one.
    #[must_use]
    pub fn holds_portals(&self, ty: &Type) -> bool {
        match ty {
            Type::Portal(_) => true,
            Type::Array { of, .. } | Type::List { of, .. } => self.holds_portals(of),
            Type::Struct(id) => {
                self.structs[id.index()].fields.iter().any(|field| self.holds_portals(&field.ty))
            }
            _ => false,
        }
    }

    /// Whether a type is a union, or holds one.
    #[must_use]
    pub fn has_union(&self, ty: &Type) -> bool {
        match ty {
            Type::Union(_) => true,
            Type::Array { of, .. } | Type::List { of, .. } => self.has_union(of),
            Type::Struct(id) => self.structs[id.index()].fields.iter().any(|field| self.has_union(&field.ty)),
            _ => false,
        }
    }

    /// Whether a part of a value is a union or a list, or holds one: its words say less than its type.
    #[must_use]
    pub fn has_union_or_list(&self, ty: &Type) -> bool {
        match ty {
            Type::Union(_) | Type::List { .. } => true,
            Type::Array { of, .. } => self.has_union_or_list(of),
            Type::Struct(id) => {
                self.structs[id.index()].fields.iter().any(|field| self.has_union_or_list(&field.ty))
            }
            _ => false,
        }
    }

    /// Whether `derived` is `base` or inherits from it.
    #[must_use]
    pub fn inherits(&self, derived: InterfaceId, base: InterfaceId) -> bool {
        self.bases(derived).any(|id| id == base)
    }

    /// `id`, then the interface that it inherits from, and so on.
    pub fn bases(&self, id: InterfaceId) -> impl Iterator<Item = InterfaceId> {
        std::iter::successors(Some(id), |id| self.interfaces[id.index()].base)
    }

    /// Looks an interface up by name.
    #[must_use]
    pub fn interface(&self, name: &str) -> Option<InterfaceId> {
        let index = self.interfaces.iter().position(|i| i.name == name)?;
        Some(InterfaceId(u16::try_from(index).ok()?))
    }
}

/// Whether an object with the interface `found` can stand where one with `wanted` is expected: it has that interface, or
/// one that inherits from it. Each is named by a module and a number in it.
#[must_use]
pub fn conforms(found: (&Module, InterfaceId), wanted: (&Module, InterfaceId)) -> bool {
    let hash = wanted.0.interfaces[wanted.1.index()].hash;
    found.0.bases(found.1).any(|id| found.0.interfaces[id.index()].hash == hash)
}

impl Interface {
    /// The operations that it does not inherit.
    #[must_use]
    pub fn own(&self) -> &[Operation] {
        self.operations.get(usize::from(self.inherited)..).unwrap_or(&[])
    }

    /// Looks an operation up by name.
    #[must_use]
    pub fn operation(&self, name: &str) -> Option<(u16, &Operation)> {
        let index = self.operations.iter().position(|o| o.name == name)?;
        Some((u16::try_from(index).ok()?, &self.operations[index]))
    }

    /// Looks an operation up by its stable hash.
    #[must_use]
    pub fn operation_by_hash(&self, hash: OpHash) -> Option<(u16, &Operation)> {
        let index = self.operations.iter().position(|o| o.hash == hash)?;
        Some((u16::try_from(index).ok()?, &self.operations[index]))
    }
}
