//! The syntax tree of an interface file, with the place of everything that a diagnostic may point at.
//!
//! It says what was written, not whether it makes sense; that is `check`'s.

use std::collections::HashSet;
use std::rc::Rc;

use crate::descriptor::Mode;
use crate::diagnostic::Span;

/// A name where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A name as it is used: `N`, `A::N`, `::A::N`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// Begins with `::`.
    pub(crate) is_absolute: bool,
    /// At least one.
    pub(crate) parts: Vec<Name>,
    pub(crate) span: Span,
}

impl Path {
    /// The last part.
    pub(crate) fn last(&self) -> &str {
        self.parts.last().map_or("", |name| &name.text)
    }

    /// As written.
    pub(crate) fn text(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|name| name.text.as_str()).collect();
        format!("{}{}", if self.is_absolute { "::" } else { "" }, names.join("::"))
    }
}

/// Index into [`Tree::scopes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ScopeId(pub(crate) usize);

/// What all files hold together.
#[derive(Debug)]
pub(crate) struct Tree {
    /// The first is that of the files themselves; a scope stands behind the one it is in.
    pub(crate) scopes: Vec<Scope>,
    pub(crate) definitions: Vec<Definition>,
    /// Names of definitions of which no member was understood.
    pub(crate) lost: HashSet<Span>,
}

impl Tree {
    /// With nothing in it.
    pub(crate) fn new() -> Tree {
        let name = Name { text: String::new(), span: Span::default() };
        let files = Scope {
            name,
            within: ScopeId::FILES,
            kind: ScopeKind::Files,
            lead: Lead::default(),
            is_named: true,
        };
        Tree { scopes: vec![files], definitions: vec![], lost: HashSet::new() }
    }
}

impl ScopeId {
    /// The scope of the files themselves.
    pub(crate) const FILES: ScopeId = ScopeId(0);
}

/// Something that names are declared in.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) name: Name,
    pub(crate) within: ScopeId,
    pub(crate) kind: ScopeKind,
    pub(crate) lead: Lead,
    /// Whether (some of) it stands in the file that was named, not in an included one.
    pub(crate) is_named: bool,
}

/// What has a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Files,
    Module,
    Interface,
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
    Number,
}

/// One definition of a module or interface.
#[derive(Debug)]
pub(crate) struct Definition {
    /// Where it stands.
    pub(crate) scope: ScopeId,
    /// Shared by all that one declaration defines.
    pub(crate) lead: Rc<Lead>,
    pub(crate) name: Name,
    pub(crate) kind: DefinitionKind,
}

/// What is defined.
#[derive(Debug)]
pub(crate) enum DefinitionKind {
    Const {
        ty: TypeSpec,
        value: Expr,
    },
    Enum {
        values: Vec<Name>,
    },
    Struct {
        fields: Vec<Field>,
    },
    Union {
        switch: TypeSpec,
        arms: Vec<Arm>,
    },
    Exception {
        members: Vec<Field>,
    },
    Typedef {
        ty: TypeSpec,
    },
    /// `scope` is that of its body.
    Interface {
        base: Option<Path>,
        operations: Vec<Operation>,
        scope: ScopeId,
    },
    /// `interface N;`.
    Forward,
}

impl DefinitionKind {
    /// What to call it in a message.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            DefinitionKind::Const { .. } => "constant",
            DefinitionKind::Enum { .. } => "enum",
            DefinitionKind::Struct { .. } => "struct",
            DefinitionKind::Union { .. } => "union",
            DefinitionKind::Exception { .. } => "exception",
            DefinitionKind::Typedef { .. } => "typedef",
            DefinitionKind::Interface { .. } | DefinitionKind::Forward => "interface",
        }
    }
}

/// A field of a struct or a member of an exception.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) ty: TypeSpec,
}

/// An arm of a union.
#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) labels: Vec<Label>,
    pub(crate) field: Field,
}

/// What chooses an arm.
#[derive(Debug)]
pub(crate) enum Label {
    Case(Expr),
    Default(Span),
}

/// An operation of an interface.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) lead: Rc<Lead>,
    pub(crate) name: Name,
    pub(crate) origin: Origin,
    /// Where `oneway` stands.
    pub(crate) oneway: Option<Span>,
    /// `None` for `void`.
    pub(crate) result: Option<TypeSpec>,
    pub(crate) params: Vec<Param>,
    pub(crate) raises: Vec<Path>,
}

/// What an operation was written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Operation,
    /// Reads an attribute.
    Getter,
    /// Writes an attribute.
    Setter,
}

/// A parameter of an operation.
#[derive(Debug)]
pub(crate) struct Param {
    pub(crate) mode: Mode,
    pub(crate) ty: TypeSpec,
    pub(crate) name: Name,
    /// The name in `[size_is(name)]`.
    pub(crate) size_is: Option<Name>,
}

/// A type where it stands.
#[derive(Clone, Debug)]
pub(crate) struct TypeSpec {
    pub(crate) kind: TypeKind,
    pub(crate) span: Span,
}

/// A type as written.
#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    Bool,
    Char,
    Float {
        bits: u8,
    },
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
    Array {
        of: Box<TypeSpec>,
        len: Expr,
    },
    Named(Path),
    /// What was written has been complained about already.
    Wrong,
}

/// A constant expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

/// A constant expression, without its place.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Int(u64),
    Float(f64),
    Bool(bool),
    Char(u8),
    Text(String),
    Name(Path),
    Unary { operator: Unary, inner: Box<Expr> },
    Binary { operator: Operator, left: Box<Expr>, right: Box<Expr> },
}

/// An operator before a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Plus,
    Negative,
    Complement,
}

/// An operator between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    Xor,
    And,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
