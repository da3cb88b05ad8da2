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
//! Scalars are extended to a word, structs are flattened into the words of their fields, and each
//! string, byte sequence or list is one word that refers to data outside of the block (IDL4's
//! indirect strings). Portals travel in a list of their own; their word is an index into it.
//! The same block, without header, is what a program's call instruction names in its variable table.

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

/// One compiled interface file.
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
    /// All enums, in order of declaration.
    pub enums: Vec<Enum>,
    /// All structs, in order of declaration; a struct refers only to earlier ones.
    pub structs: Vec<Struct>,
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

/// An exception: a kind, which programs can test, and a text for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Name without the module.
    pub name: String,
    /// Documentation comment.
    pub doc: String,
    /// Type of its member `kind`.
    pub kind: EnumId,
    /// Bound of its member `message`, in bytes.
    pub message_max: u32,
}

/// An interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Name without the module, for example `Dir`.
    pub name: String,
    /// Documentation comment.
    pub doc: String,
    /// Operations in order of declaration; the index is the operation number of messages.
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
    /// `@blocks`: may wait for something other than the disk or the processor.
    pub blocks: bool,
    /// `@paged`: returns a list page by page (see [`Paged`]).
    pub paged: Option<Paged>,
    /// `@cost(bytes = n)`: index in `params` of the `in` parameter that says how many bytes of work
    /// the call may do (at most [`WORK_BYTES_MAX`]).
    pub cost: Option<u16>,
    /// `@does("remove", "file", "files")`: verb, one, many; used in texts such as "would remove 3 files".
    pub does: Option<[String; 3]>,
    /// From `@note("Never overwrites.")`: said in the bill of programs that call it. May be empty.
    pub note: String,
    /// Parameters in order of declaration (not of the message: see [`Operation::layout`]).
    pub params: Vec<Param>,
    /// Return type, if it has one.
    pub result: Option<Type>,
    /// The exception it may raise.
    pub raises: Option<ExceptionId>,
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
    /// `octet`, `short`, `long`, `long long` and their unsigned forms. Unsigned 64-bit values above
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
    /// `sequence<T, max>` of anything else; elements hold scalars, strings and bytes.
    List {
        /// Type of the elements.
        of: Box<Type>,
        /// Bound in elements.
        max: u32,
    },
    /// An interface reference.
    Portal(InterfaceId),
}

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
        /// Words of one element: scalars, strings and bytes only.
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
}

impl Module {
    /// Appends the words that a value of `ty` takes in a block.
    ///
    /// # Panics
    /// Never for types of this module.
    pub fn flatten(&self, ty: &Type, words: &mut Vec<Word>) {
        match ty {
            Type::Bool => words.push(Word::Bool),
            Type::Int { bits, signed } => words.push(Word::Int { bits: *bits, signed: *signed }),
            Type::Enum(id) => words.push(Word::Enum(*id)),
            Type::String { max } => words.push(Word::String { max: *max }),
            Type::Bytes { max } => words.push(Word::Bytes { max: *max }),
            Type::Struct(id) => {
                for field in &self.structs[id.index()].fields {
                    self.flatten(&field.ty, words);
                }
            }
            Type::List { of, max } => {
                let mut element = Vec::new();
                self.flatten(of, &mut element);
                words.push(Word::List { element, max: *max });
            }
            Type::Portal(id) => words.push(Word::Portal(*id)),
        }
    }

    /// The words of an operation with these parameters and this result.
    #[must_use]
    pub fn layout(&self, params: &[Param], result: Option<&Type>) -> Layout {
        let mut layout = Layout::default();
        if let Some(ty) = result {
            self.flatten(ty, &mut layout.outs);
        }
        for param in params {
            let words = match param.mode {
                Mode::In => &mut layout.ins,
                Mode::InOut => &mut layout.inouts,
                Mode::Out => &mut layout.outs,
            };
            self.flatten(&param.ty, words);
        }
        layout
    }

    /// Looks an interface up by name.
    #[must_use]
    pub fn interface(&self, name: &str) -> Option<InterfaceId> {
        let index = self.interfaces.iter().position(|i| i.name == name)?;
        Some(InterfaceId(u16::try_from(index).ok()?))
    }
}

impl Interface {
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
