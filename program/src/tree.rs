//! The high-level program: a typed tree.
//!
//! The parser makes it of source text, the [`builder`](crate::builder) of Rust calls; [`compile`](crate::compile)
//! lowers it to bytecode, and [`eval`](crate::eval) interprets it recursively, as the oracle that the bytecode
//! interpreter is held against (CompositeCall, section "The CompositeCall pattern": HighLevelProgram).
//!
//! A tree is closed: names are resolved, functions are expanded in line, defaults are filled in, units are
//! gone. It carries what it needs of the interfaces that it uses, so that compiling needs nothing else.
//!
//! Meaning, where the names do not say it: evaluation is left to right; values are copied; a [`Stmt::Let`] or
//! [`Stmt::Declare`] that is reached again starts afresh; a portal is released at the end of the block that
//! declared it, or when its variable is assigned again.
//!
//! | file | what it does |
//! | --- | --- |
//! | `tree.rs` | what a tree is |
//! | `tree/encode.rs` | trees in bytes: what that looks like |
//! | `tree/decode.rs` | trees from bytes |
//! | `tree/check.rs` | the rules that a tree keeps |
//! | `tree/file.rs` | trees in files |
//! | `tree/portals.rs` | types that portals are in |

mod check;
mod decode;
mod encode;
mod file;
mod portals;
mod unions;

use carnet_idl::descriptor::{Effect, OpHash, TypeHash};

pub use crate::float::{Float, Precision};

pub use check::IllFormed;
pub use decode::NotATree;
pub use encode::{BYTES_MAX, MAGIC, VERSION};
pub use file::{FILE_MAGIC, NotATreeFile};
pub use unions::{Arm, Union, Words};

/// A place in source text; line and column count from 1 and are 0 for built programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pos {
    /// Line.
    pub line: u32,
    /// Column, in bytes.
    pub col: u32,
}

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
    /// Index into [`Tree::vars`].
    VarId
);
index!(
    /// Index into [`Tree::ops`].
    OpId
);
index!(
    /// Index into [`Tree::records`].
    RecordId
);
index!(
    /// Index into [`Tree::enums`].
    EnumId
);
index!(
    /// Index into [`Tree::interfaces`].
    InterfaceId
);

/// A whole program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Name, from the header.
    pub name: String,
    /// Interfaces that occur in it.
    pub interfaces: Vec<InterfaceUse>,
    /// Enums that occur in it.
    pub enums: Vec<EnumUse>,
    /// Records: the program's own, and structs of interfaces.
    pub records: Vec<Record>,
    /// Operations that it calls.
    pub ops: Vec<Op>,
    /// All variables, also hidden ones; each is declared at one place.
    pub vars: Vec<Var>,
    /// Parameters of the program, in order.
    pub params: Vec<Param>,
    /// Type of the result.
    pub result: Option<Ty>,
    /// Caps of the header.
    pub caps: Vec<Cap>,
    /// The body.
    pub body: Block,
}

/// An interface that a program uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceUse {
    /// Module, for example `files`.
    pub module: String,
    /// Name, for example `Dir`.
    pub name: String,
    /// What texts on a command line name.
    pub texts: Texts,
}

/// What texts name objects of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    /// It has an `@argument` operation, which makes a portal of a text.
    Any,
    /// It has none. The empty text is the server's root, if that is one of it.
    Root,
}

/// An enum that a program uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumUse {
    /// Name for messages, for example `Kind`.
    pub name: String,
    /// Identity.
    pub hash: TypeHash,
    /// Names of the values.
    pub values: Vec<String>,
}

/// A record type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Name.
    pub name: String,
    /// Names and types of the fields; no lists, which are records of their own there. Those of an [array](Record::is_array) are its elements.
    /// One that holds portals is no value: it is the type of a list's elements alone, and of such a list as a result of a call
    /// ([why](../../docs/decisions/0062-lists-of-structs-with-portals.md)).
    pub fields: Vec<(String, Ty)>,
    /// If it is a union of an interface. Its fields are the words that it has in a message then: `case`, which is the discriminant,
    /// integers, and bytes; no name but that of the first can be written.
    pub union: Option<Union>,
    /// If it is a list within another value: which. Its only field is the bytes that this is in a message
    /// ([why](../../docs/decisions/0056-lists-in-programs.md)); it has a name that cannot be written.
    pub list: Option<Ty>,
}

impl Record {
    /// Whether it is an array of an interface: its fields are its elements, named by their numbers.
    #[must_use]
    pub fn is_array(&self) -> bool {
        self.fields.first().is_some_and(|(name, _)| name == "0")
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// Signed 64-bit integer.
    Int,
    /// Truth value.
    Bool,
    /// Number with a fraction.
    Float(Precision),
    /// Value of an enum.
    Enum(EnumId),
    /// Bytes without NUL, at most so many.
    Str(u32),
    /// Bytes, at most so many.
    Bytes(u32),
    /// A record.
    Record(RecordId),
    /// A list of scalars, strings, bytes or records of these: element type and capacity. Within another value it is a [record](Record::list).
    /// One of portals is in a variable alone ([why](../../docs/decisions/0057-lists-of-portals.md)): the result of a call, or one that begins empty.
    /// It is added to, gone over and sent, its length is asked for, and an element is a portal. Of one of records that hold portals
    /// an element is what its fields are read of.
    List(Box<Ty>, u32),
    /// A portal.
    Portal(InterfaceId),
}

/// An operation that a program calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// Its interface.
    pub interface: InterfaceId,
    /// Name, for messages.
    pub name: String,
    /// Identity.
    pub hash: OpHash,
    /// Reads or writes.
    pub effect: Effect,
    /// Types of the values sent, in the order of the message: `in`, then `inout` parameters.
    pub args: Vec<Ty>,
    /// How many of `args`, at the end, are `inout`.
    pub inouts: u16,
    /// Types of the values that come back, in the order of the message: `inout`, return value, `out`.
    pub results: Vec<Ty>,
    /// What a call of it is worth in an expression: nothing, the only result, or a record of all. Nothing, too, if portals or
    /// lists are among several results, or a struct that holds a portal or a list with portals is one: then its call occurs in [`StmtKind::LetParts`] and [`Bind::Parts`] only.
    pub value: Option<Ty>,
    /// Index in `args` of the parameter that says how many bytes of work the call may do.
    pub cost: Option<u16>,
    /// How a paged operation goes on; its call occurs in [`Stmt::ForPaged`] only.
    pub paged: Option<Paged>,
    /// The enum of its exception's kinds, if it raises.
    pub raises: Option<EnumId>,
}

impl Op {
    /// Whether its call gives results that no record can hold, portals or lists among them, so that each of them goes into a
    /// variable of its own: several, or the parts of a struct.
    #[must_use]
    pub fn gives_parts(&self) -> bool {
        self.value.is_none() && self.paged.is_none() && !self.results.is_empty()
    }
}

/// A paged operation: `list(…, cursor) -> page, last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paged {
    /// Index in [`Op::args`] of the cursor. [`CallExpr::args`] holds an empty text there.
    pub cursor: u16,
    /// Index in [`Op::results`] of the page, a list of records.
    pub page: u16,
    /// Index in [`Op::results`] of the end mark.
    pub last: u16,
    /// Index of the field of the page's record that is the next cursor.
    pub key: u16,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    /// Name, for messages.
    pub name: String,
    /// Type.
    pub ty: Ty,
    /// Whether anything after its declaration may change it.
    pub mutability: Mutability,
}

/// Whether a variable changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutability {
    /// `let`, parameters, loop variables, `error`.
    Fixed,
    /// `var`.
    Changes,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// The variable that holds it.
    pub var: VarId,
    /// Used when the run gives no value.
    pub default: Option<Const>,
}

/// A constant value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Const {
    /// Integer.
    Int(i64),
    /// Truth value.
    Bool(bool),
    /// Number with a fraction.
    Float(Float),
    /// Number of an enum's value.
    Enum(u16),
    /// String or bytes.
    Text(Vec<u8>),
}

/// A cap of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    /// What is capped.
    pub kind: CapKind,
    /// By how much: a number, bytes, or nanoseconds.
    pub limit: u64,
    /// Where it stands.
    pub pos: Pos,
}

/// What a cap limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum CapKind {
    /// Calls of writing operations.
    Writes = 0,
    /// Calls.
    Calls = 1,
    /// Bytes written.
    Written = 2,
    /// Bytes of the result.
    Returned = 3,
    /// Wall time, in ns.
    Time = 4,
}

impl CapKind {
    /// The kind with this number.
    pub(crate) fn from_number(number: u32) -> Option<CapKind> {
        let all = [CapKind::Writes, CapKind::Calls, CapKind::Written, CapKind::Returned, CapKind::Time];
        all.into_iter().find(|kind| *kind as u32 == number)
    }
}

/// Statements, with the scope of their declarations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
}

/// How often a loop's body may be entered over the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The text gives none: the bound comes from the list or range, or is the language's default.
    None,
    /// `limit N`.
    At(u64),
}

/// The language's limit for a loop that has no bound, marked as a default in the bytecode.
pub const DEFAULT_LIMIT: u64 = 100_000;

/// A statement, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// Where it stands.
    pub pos: Pos,
    /// What it is.
    pub kind: StmtKind,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// Declares a variable with a value.
    Let {
        /// The variable.
        var: VarId,
        /// Its value.
        value: Expr,
    },
    /// Declares a variable that starts as zero or empty.
    Declare(VarId),
    /// Changes a variable, field or element.
    Assign {
        /// What is changed.
        place: Place,
        /// The new value.
        value: Expr,
    },
    /// `+=` and `-=` on a number; `+=` on a string appends.
    Update {
        /// What is changed; an index in it is evaluated once.
        place: Place,
        /// `Add` or `Sub`.
        op: ArithOp,
        /// By what.
        value: Expr,
    },
    /// `list.add(value)`.
    Add {
        /// A list variable.
        list: VarId,
        /// The element.
        value: Expr,
    },
    /// Sorts a list of records, stably, by these fields (top level, scalar or text), the first counting most.
    Sort {
        /// A list variable.
        list: VarId,
        /// Indices of the fields.
        keys: Vec<u16>,
    },
    /// A call, or an inlined function, for its effect.
    Do(Expr),
    /// A call made several times in a row.
    Repeat(Box<Repeat>),
    /// Copies so many scalars one after the other, the first first: what a copy writes, a later one may read.
    Move {
        /// Where they are.
        from: Strided,
        /// Where they go.
        to: Strided,
        /// How many, at least one.
        count: u16,
    },
    /// A choice.
    If {
        /// Truth values, and what is done for the first that holds; at least one.
        arms: Vec<(Expr, Block)>,
        /// If none holds.
        otherwise: Block,
    },
    /// A loop.
    While {
        /// Goes on while true.
        cond: Expr,
        /// How often at most.
        limit: Limit,
        /// The body.
        body: Block,
    },
    /// `for i in from .. to`: `to` is evaluated once and does not belong to the range.
    ForRange {
        /// The loop variable, an integer.
        var: VarId,
        /// First value.
        from: Expr,
        /// First value that is not taken.
        to: Expr,
        /// How often at most.
        limit: Limit,
        /// The body.
        body: Block,
    },
    /// `for x in list`, `for i, x in list`: reads the length anew each time. The body adds to the list, but
    /// changes no element of it and does not sort it.
    ForList {
        /// The element.
        var: VarId,
        /// Its index.
        index: Option<VarId>,
        /// A list variable.
        list: VarId,
        /// How often at most.
        limit: Limit,
        /// The body.
        body: Block,
    },
    /// `for e in portal.list(…)` over a paged operation. Target and arguments are evaluated once.
    ForPaged {
        /// The element.
        var: VarId,
        /// Its index over all pages.
        index: Option<VarId>,
        /// The call.
        call: Box<CallExpr>,
        /// How often at most the body is entered.
        limit: Limit,
        /// The body.
        body: Block,
    },
    /// `try value else { … }`: if a call in `value` fails, `otherwise` runs instead of the binding.
    Try {
        /// What is done with the value.
        bind: Bind,
        /// Holds the calls.
        value: Expr,
        /// `error.kind` in the block.
        kind: VarId,
        /// `error.message` in the block.
        message: VarId,
        /// For [`Bind::Let`] and [`Bind::Parts`] it never ends normally.
        otherwise: Block,
    },
    /// Ends the program with its result.
    Return(Option<Expr>),
    /// Leaves the innermost loop.
    Break,
    /// Goes to the innermost loop's next round.
    Continue,
    /// Ends the program as failed, with a message.
    Fail(Expr),
    /// `return` in an inlined function: sets the innermost [`Inline::result`] and leaves its body.
    Leave(Option<Expr>),
    /// Declares a variable for each of the results of a call that [gives parts](Op::gives_parts).
    LetParts {
        /// One for each of [`Op::results`]; none of them changes.
        vars: Vec<VarId>,
        /// The call.
        call: Box<CallExpr>,
    },
}

/// Every so many words of a variable: item k is word `first + k × step`. A record's words are those of its fields,
/// one after the other; a scalar has one. All words that are named are scalars of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strided {
    /// A record or scalar that changes.
    pub var: VarId,
    /// Its first word.
    pub first: u16,
    /// Words from one item to the next.
    pub step: u16,
}

/// A call that is made several times. Target and arguments are evaluated once, before the first call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The portal.
    pub target: Expr,
    /// The operation, which is not paged and makes no portals.
    pub op: OpId,
    /// One for each of [`Op::args`].
    pub args: Vec<RepeatArg>,
    /// How often, at least once.
    pub times: u16,
    /// Where the results go, if each is one scalar and wanted.
    pub into: Option<Strided>,
}

/// An argument of a call that is made several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepeatArg {
    /// The same each time.
    Same(Expr),
    /// The next item each time, of scalars as they are before the first call.
    Each(Strided),
}

/// What `try` does with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bind {
    /// Nothing.
    None,
    /// Declares a variable.
    Let(VarId),
    /// Changes a place.
    Assign(Place),
    /// Declares a variable for each result of the call that the value is, as [`StmtKind::LetParts`] does.
    Parts(Vec<VarId>),
}

/// Something that can be changed: a variable, an element of a list, a field of either.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The variable.
    pub var: VarId,
    /// Index, if it is an element of the list `var`.
    pub index: Option<Expr>,
    /// Fields from there on, outermost first.
    pub fields: Vec<u16>,
}

impl Place {
    /// The whole variable.
    #[must_use]
    pub fn var(var: VarId) -> Place {
        Place { var, index: None, fields: Vec::new() }
    }
}

/// An expression, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// Where it stands.
    pub pos: Pos,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// Integer.
    Int(i64),
    /// Truth value.
    Bool(bool),
    /// Number with a fraction.
    Float(Float),
    /// Value of an enum.
    Enum(EnumId, u16),
    /// String literal.
    Text(Vec<u8>),
    /// A variable: its value, or the portal it holds.
    Var(VarId),
    /// Field of a record.
    Field(Box<Expr>, u16),
    /// Element of a list variable.
    Index(VarId, Box<Expr>),
    /// Length of a string, bytes or list variable.
    Len(Box<Expr>),
    /// `-x`.
    Neg(Box<Expr>),
    /// `!x`.
    Not(Box<Expr>),
    /// Arithmetic on integers or on floats of one precision, one operator after the other from the left, at least one; overflow and
    /// division by zero of integers are faults, and floats have no remainder. However long it is, it is one level: [`ExprKind::arith`] makes no others.
    Arith(Box<Expr>, Vec<(ArithOp, Expr)>),
    /// Comparison of integers, of floats of one precision, or of texts (byte by byte); of truth values and enums for equality only.
    Compare(Rel, Box<Expr>, Box<Expr>),
    /// `&&` between at least two operands, which are evaluated up to the first that does not hold.
    And(Vec<Expr>),
    /// `||` between at least two operands, which are evaluated up to the first that holds.
    Or(Vec<Expr>),
    /// `a.starts_with(b)` and its like.
    Test(TextTest, Box<Expr>, Box<Expr>),
    /// Texts joined; at least two, none of them a concatenation.
    Concat(Vec<Expr>),
    /// A record with all its fields, in the record's order.
    Record(RecordId, Vec<Expr>),
    /// A call.
    Call(Box<CallExpr>),
    /// An expanded function.
    Inline(Box<Inline>),
    /// The float of this precision that is nearest to an integer, or to a float of the other precision.
    Convert(Precision, Box<Expr>),
    /// A word of a union as what an arm has there, or the other way: an integer as a truth value, enum or float; bytes as a string, or as the
    /// list that they are [packed](crate::packed). What its type cannot hold is a fault.
    As(Ty, Box<Expr>),
    /// `a.from(n)`: a text without its first bytes. It is a fault if it has not so many.
    Tail(Box<Expr>, Box<Expr>),
}

impl ExprKind {
    /// `left op right`: one operand more, if `left` is such a chain.
    #[must_use]
    pub fn arith(op: ArithOp, left: Expr, right: Expr) -> ExprKind {
        match left.kind {
            ExprKind::Arith(first, mut rest) => {
                rest.push((op, right));
                ExprKind::Arith(first, rest)
            }
            _ => ExprKind::Arith(Box::new(left), vec![(op, right)]),
        }
    }

    /// `left && right`: one operand more, if `left` is such a chain.
    #[must_use]
    pub fn and(left: Expr, right: Expr) -> ExprKind {
        match left.kind {
            ExprKind::And(mut parts) => {
                parts.push(right);
                ExprKind::And(parts)
            }
            _ => ExprKind::And(vec![left, right]),
        }
    }

    /// `left || right`: one operand more, if `left` is such a chain.
    #[must_use]
    pub fn or(left: Expr, right: Expr) -> ExprKind {
        match left.kind {
            ExprKind::Or(mut parts) => {
                parts.push(right);
                ExprKind::Or(parts)
            }
            _ => ExprKind::Or(vec![left, right]),
        }
    }
}

/// A call of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallExpr {
    /// The portal: a variable, call or inlined function.
    pub target: Expr,
    /// The operation.
    pub op: OpId,
    /// One for each of [`Op::args`].
    pub args: Vec<Expr>,
}

/// An expanded function: parameters are bound by [`StmtKind::Let`] at the start of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// Holds the result; declared by the expansion itself, starts afresh each time.
    pub result: Option<VarId>,
    /// The body; its end is reached only if there is no result.
    pub body: Block,
}

/// Arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ArithOp {
    /// Sum.
    Add = 0,
    /// Difference.
    Sub = 1,
    /// Product.
    Mul = 2,
    /// Quotient, towards zero.
    Div = 3,
    /// Remainder, with the sign of the dividend.
    Rem = 4,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Rel {
    /// Equal.
    Eq = 0,
    /// Not equal.
    Ne = 1,
    /// Less.
    Lt = 2,
    /// At most.
    Le = 3,
    /// Greater.
    Gt = 4,
    /// At least.
    Ge = 5,
}

impl Rel {
    /// The relation that holds exactly when this one does not.
    #[must_use]
    pub fn negated(self) -> Rel {
        match self {
            Rel::Eq => Rel::Ne,
            Rel::Ne => Rel::Eq,
            Rel::Lt => Rel::Ge,
            Rel::Le => Rel::Gt,
            Rel::Gt => Rel::Le,
            Rel::Ge => Rel::Lt,
        }
    }

    /// Whether it holds for values ordered so.
    #[inline]
    #[must_use]
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Rel::Eq => order.is_eq(),
            Rel::Ne => order.is_ne(),
            Rel::Lt => order.is_lt(),
            Rel::Le => order.is_le(),
            Rel::Gt => order.is_gt(),
            Rel::Ge => order.is_ge(),
        }
    }
}

/// A test of one text against another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum TextTest {
    /// Begins with it.
    StartsWith = 0,
    /// Ends with it.
    EndsWith = 1,
    /// Has it somewhere.
    Contains = 2,
}

impl Tree {
    /// The words that a value of `ty` takes: records are flattened, all else is one word.
    #[must_use]
    pub fn words(&self, ty: &Ty) -> usize {
        match ty {
            Ty::Record(id) => self.records[id.index()].fields.iter().map(|(_, ty)| self.words(ty)).sum(),
            _ => 1,
        }
    }

    /// Whether a value of `ty` is nothing but numbers, enums and truth values.
    #[must_use]
    pub fn is_scalars(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Int | Ty::Bool | Ty::Float(_) | Ty::Enum(_) => true,
            Ty::Record(id) => self.records[id.index()].fields.iter().all(|(_, ty)| self.is_scalars(ty)),
            Ty::Str(_) | Ty::Bytes(_) | Ty::List(..) | Ty::Portal(_) => false,
        }
    }

    /// Whether a value of `ty` is a union, or a record that holds one.
    #[must_use]
    pub fn holds_union(&self, ty: &Ty) -> bool {
        let Ty::Record(id) = ty else { return false };
        let record = &self.records[id.index()];
        record.union.is_some() || record.fields.iter().any(|(_, ty)| self.holds_union(ty))
    }

    /// Where field `field` of a record begins, in words, and its type.
    #[must_use]
    pub fn field(&self, record: RecordId, field: u16) -> (usize, &Ty) {
        let fields = &self.records[record.index()].fields;
        let before = fields[..field as usize].iter().map(|(_, ty)| self.words(ty)).sum();
        (before, &fields[field as usize].1)
    }
}
