//! The syntax tree of an interface file, with the place of everything that a diagnostic may point at.
//!
//! It says what was written, not whether it makes sense; that is `check`'s.

use crate::descriptor::Mode;
use crate::diagnostic::Span;

/// A name where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A module: the whole file.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) name: Name,
    pub(crate) lead: Lead,
    pub(crate) definitions: Vec<Definition>,
}

/// What stands before a definition: documentation and annotations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lead {
    pub(crate) doc: String,
    pub(crate) annotations: Vec<Annotation>,
}

/// `@name(arguments)`.
#[derive(Clone, Debug)]
pub(crate) struct Annotation {
    pub(crate) name: Name,
    pub(crate) arguments: Vec<Argument>,
    /// From `@` to the closing bracket.
    pub(crate) span: Span,
}

/// `value` or `name = value`.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: Option<Name>,
    pub(crate) value: ArgumentValue,
}

/// What an annotation is given.
#[derive(Clone, Debug)]
pub(crate) enum ArgumentValue {
    Name(Name),
    Text(String),
    Int,
}

/// One definition of a module.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) lead: Lead,
    pub(crate) name: Name,
    pub(crate) kind: DefinitionKind,
}

/// What is defined.
#[derive(Debug)]
pub(crate) enum DefinitionKind {
    Const { ty: TypeSpec, value: Expr },
    Enum { values: Vec<Name> },
    Struct { fields: Vec<Field> },
    Exception { members: Vec<Field> },
    Typedef { ty: TypeSpec },
    Interface { operations: Vec<Operation> },
}

impl DefinitionKind {
    /// What to call it in a message.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            DefinitionKind::Const { .. } => "constant",
            DefinitionKind::Enum { .. } => "enum",
            DefinitionKind::Struct { .. } => "struct",
            DefinitionKind::Exception { .. } => "exception",
            DefinitionKind::Typedef { .. } => "typedef",
            DefinitionKind::Interface { .. } => "interface",
        }
    }
}

/// A field of a struct or a member of an exception.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) ty: TypeSpec,
}

/// An operation of an interface.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) lead: Lead,
    pub(crate) name: Name,
    /// `None` for `void`.
    pub(crate) result: Option<TypeSpec>,
    pub(crate) params: Vec<Param>,
    pub(crate) raises: Option<Name>,
}

/// A parameter of an operation.
#[derive(Debug)]
pub(crate) struct Param {
    pub(crate) mode: Mode,
    pub(crate) ty: TypeSpec,
    pub(crate) name: Name,
}

/// A type where it stands.
#[derive(Debug)]
pub(crate) struct TypeSpec {
    pub(crate) kind: TypeKind,
    pub(crate) span: Span,
}

/// A type as written.
#[derive(Debug)]
pub(crate) enum TypeKind {
    Bool,
    Int {
        bits: u8,
        signed: bool,
    },
    String {
        max: Option<Expr>,
    },
    Sequence {
        of: Box<TypeSpec>,
        max: Option<Expr>,
    },
    Named(Name),
    /// What was written has been complained about already.
    Wrong,
}

/// A constant expression.
#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

/// A constant expression, without its place.
#[derive(Debug)]
pub(crate) enum ExprKind {
    Int(u64),
    Name(Name),
    Negative(Box<Expr>),
    Binary { operator: Operator, left: Box<Expr>, right: Box<Expr> },
}

/// An operator between two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
}
