//! The source as it was written: names unresolved, types unchecked.
//!
//! The parser makes it, the checker turns it into a [`tree`](crate::tree). It borrows from the text.
//! Expressions and blocks nest at most [`NESTING_MAX`] deep, so that walking them recursively is safe. Chains of operators
//! and of `else if` are lists: however long, they are one level.

use super::lexer::Unit;
use crate::float::Float;
use carnet_idl::diagnostic::Span;

/// How deep blocks and expressions nest at most, and how long a chain of `.`, `[…]` and `(…)` is.
pub(super) const NESTING_MAX: u16 = 100;

/// A name, with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'a> {
    /// As written.
    pub(super) text: &'a str,
    /// Where.
    pub(super) span: Span,
}

/// A whole source file.
#[derive(Debug)]
pub(super) struct File<'a> {
    /// `use NAME`.
    pub(super) uses: Vec<Name<'a>>,
    /// Constants, records and functions in order.
    pub(super) items: Vec<Item<'a>>,
    /// The program, or what of a call array is like one.
    pub(super) program: Program<'a>,
    /// The commands, if it is a call array.
    pub(super) commands: Option<Vec<Command<'a>>>,
}

/// A declaration before the program.
#[derive(Debug)]
pub(super) enum Item<'a> {
    /// `const N = expr`.
    Const(Name<'a>, Expr<'a>),
    /// `record N { … }`.
    Record(Name<'a>, Vec<Param<'a>>),
    /// `fn N(…) -> type { … }`.
    Fn(Function<'a>),
}

impl<'a> Item<'a> {
    /// The name that it declares.
    pub(super) fn name(&self) -> Name<'a> {
        match self {
            Item::Const(name, _) | Item::Record(name, _) => *name,
            Item::Fn(function) => function.name,
        }
    }
}

/// A function; also the part of a program that is like one.
#[derive(Debug)]
pub(super) struct Function<'a> {
    /// Its name.
    pub(super) name: Name<'a>,
    /// Its parameters.
    pub(super) params: Vec<Param<'a>>,
    /// Type of the result.
    pub(super) result: Option<TypeRef<'a>>,
    /// The body.
    pub(super) body: Block<'a>,
}

/// The program.
#[derive(Debug)]
pub(super) struct Program<'a> {
    /// Name, parameters, result, body.
    pub(super) function: Function<'a>,
    /// `at most …`.
    pub(super) caps: Vec<Cap<'a>>,
}

/// A cap of the header.
#[derive(Debug)]
pub(super) struct Cap<'a> {
    /// How many.
    pub(super) limit: Amount<'a>,
    /// Of what.
    pub(super) kind: crate::tree::CapKind,
    /// From the number to the word.
    pub(super) span: Span,
}

/// A parameter, or a field of a record.
#[derive(Debug)]
pub(super) struct Param<'a> {
    /// Its name.
    pub(super) name: Name<'a>,
    /// Its type.
    pub(super) ty: TypeRef<'a>,
    /// Used if it is omitted.
    pub(super) default: Option<Expr<'a>>,
}

/// A type as written: `int`, `files.Dir`, `list(string(255), MAX)`.
#[derive(Debug)]
pub(super) struct TypeRef<'a> {
    /// Before the dot.
    pub(super) module: Option<Name<'a>>,
    /// The name.
    pub(super) name: Name<'a>,
    /// In parentheses, if there are any.
    pub(super) args: Option<Vec<TypeArg<'a>>>,
    /// All of it.
    pub(super) span: Span,
}

/// What stands in the parentheses of a type.
#[derive(Debug)]
pub(super) enum TypeArg<'a> {
    /// A type, or the name of a constant.
    Type(TypeRef<'a>),
    /// A number.
    Int(u64, Span),
}

/// A number, or the name of a constant that is one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Amount<'a> {
    /// A number.
    Int(u64, Unit, Span),
    /// A constant.
    Const(Name<'a>),
}

/// Statements in braces.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// The statements.
    pub(super) stmts: Vec<Stmt<'a>>,
    /// The closing brace.
    pub(super) close: Span,
}

/// A statement, with its place.
#[derive(Debug)]
pub(super) struct Stmt<'a> {
    /// What it is.
    pub(super) kind: StmtKind<'a>,
    /// The whole statement, but for blocks only what stands before the first of them.
    pub(super) span: Span,
}

/// What a statement is.
#[derive(Debug)]
pub(super) enum StmtKind<'a> {
    /// `let` and `var`.
    Declare {
        /// Which of them.
        word: Declarator,
        /// The new name.
        name: Name<'a>,
        /// Its type, if it is given.
        ty: Option<TypeRef<'a>>,
        /// Its value, if it is given.
        value: Option<Rhs<'a>>,
    },
    /// `if`, with all its `else if`.
    If {
        /// Conditions and their blocks.
        arms: Vec<(Expr<'a>, Block<'a>)>,
        /// `else`.
        otherwise: Option<Block<'a>>,
    },
    /// `match`.
    Match {
        /// A union.
        value: Expr<'a>,
        /// Blocks for its arms.
        arms: Vec<MatchArm<'a>>,
        /// `else`.
        otherwise: Option<Block<'a>>,
    },
    /// `while`.
    While {
        /// Its condition.
        cond: Expr<'a>,
        /// `limit N`.
        limit: Option<Amount<'a>>,
        /// Its body.
        body: Block<'a>,
    },
    /// `for`.
    For {
        /// One name, or two.
        names: (Name<'a>, Option<Name<'a>>),
        /// A list, a call, or the first number.
        from: Expr<'a>,
        /// After `..`.
        to: Option<Expr<'a>>,
        /// `limit N`.
        limit: Option<Amount<'a>>,
        /// Its body.
        body: Block<'a>,
    },
    /// `sort`.
    Sort {
        /// The list.
        list: Name<'a>,
        /// The fields.
        keys: Vec<Name<'a>>,
    },
    /// `try expr else { … }`.
    Try(Expr<'a>, Block<'a>),
    /// A place alone.
    Place(Expr<'a>),
    /// `place = rhs` and its like.
    Assign {
        /// What changes.
        place: Expr<'a>,
        /// How.
        op: AssignOp,
        /// Place of the operator.
        op_span: Span,
        /// The value.
        value: Rhs<'a>,
    },
    /// `return`.
    Return(Option<Expr<'a>>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `fail`.
    Fail(Expr<'a>),
}

/// A block of a `match`.
#[derive(Debug)]
pub(super) struct MatchArm<'a> {
    /// The arms that it is for, at least one.
    pub(super) names: Vec<Name<'a>>,
    /// What the arm holds is called so.
    pub(super) bound: Option<Name<'a>>,
    /// What is done.
    pub(super) body: Block<'a>,
}

/// `let` or `var`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declarator {
    /// It stays.
    Let,
    /// It may change.
    Var,
}

/// How an assignment changes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AssignOp {
    /// `=`.
    Set,
    /// `+=`.
    Add,
    /// `-=`.
    Sub,
}

/// The right side of a declaration or assignment.
#[derive(Debug)]
pub(super) enum Rhs<'a> {
    /// A value.
    Expr(Expr<'a>),
    /// `try expr else { … }`.
    Try(Expr<'a>, Block<'a>),
}

/// An expression, with its place.
#[derive(Debug)]
pub(super) struct Expr<'a> {
    /// What it is.
    pub(super) kind: ExprKind<'a>,
    /// All of it.
    pub(super) span: Span,
    /// How deep it nests; 1 for an atom.
    pub(super) depth: u16,
}

impl Expr<'_> {
    /// How `text` writes it, if it is an integer, perhaps with a minus, and nothing else.
    pub(super) fn written_integer<'t>(&self, text: &'t str) -> Option<&'t str> {
        let number = match &self.kind {
            ExprKind::Unary(UnaryOp::Neg, number) => number,
            _ => self,
        };
        let written = &text[self.span.start..self.span.end];
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        (matches!(number.kind, ExprKind::Int(_)) && written.bytes().all(is_plain)).then_some(written)
    }
}

/// What an expression is.
#[derive(Debug)]
pub(super) enum ExprKind<'a> {
    /// A number, at most 2^63.
    Int(u64),
    /// A number with a point or an exponent.
    Float(Float),
    /// A text.
    Text(Vec<u8>),
    /// `true`, `false`.
    Bool(bool),
    /// A name.
    Name(&'a str),
    /// `-x`, `!x`.
    Unary(UnaryOp, Box<Expr<'a>>),
    /// `a + b - c`: operators that bind equally strongly, from the left; at least one.
    Chain(Box<Expr<'a>>, Vec<(BinaryOp, Expr<'a>)>),
    /// `a.b`.
    Dot(Box<Expr<'a>>, Name<'a>),
    /// `a[b]`.
    Index(Box<Expr<'a>>, Box<Expr<'a>>),
    /// `a(b, …)`, with the place of the parenthesis.
    Call(Box<Expr<'a>>, Vec<Arg<'a>>, Span),
}

/// An argument.
#[derive(Debug)]
pub(super) struct Arg<'a> {
    /// `name:`.
    pub(super) name: Option<Name<'a>>,
    /// Its value.
    pub(super) value: Expr<'a>,
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnaryOp {
    /// `-`.
    Neg,
    /// `!`.
    Not,
}

/// An operator between operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinaryOp {
    /// `||`.
    Or,
    /// `&&`.
    And,
    /// `==` and its like.
    Compare(crate::tree::Rel),
    /// `+` and its like.
    Arith(crate::tree::ArithOp),
}

/// A command of a call array, with its place.
#[derive(Debug)]
pub(super) struct Command<'a> {
    /// What it is.
    pub(super) kind: CommandKind<'a>,
    /// All of it.
    pub(super) span: Span,
}

/// What a command is; declarations are written like commands.
#[derive(Debug)]
pub(super) enum CommandKind<'a> {
    /// `message NAME[COUNT]: Interface.operation(field: value, …)`.
    Message {
        /// Its name.
        name: Name<'a>,
        /// How many, if it is an array of messages.
        count: Option<Amount<'a>>,
        /// The operation: interface and name, perhaps with the module in front.
        path: Vec<Name<'a>>,
        /// What is in the request.
        fields: Vec<Field<'a>>,
    },
    /// `portal NAME[COUNT]: Interface`.
    Portal {
        /// Its name.
        name: Name<'a>,
        /// How many, if there are several.
        count: Option<Amount<'a>>,
        /// Its interface.
        ty: TypeRef<'a>,
    },
    /// `[try] call PORTAL with MESSAGE [into PORTAL]`.
    Call {
        /// `try`.
        tried: bool,
        /// The object.
        object: Operand<'a>,
        /// The message.
        message: Operand<'a>,
        /// What takes the portal of the reply.
        into: Option<Operand<'a>>,
    },
    /// `move FIELD to FIELD`.
    Move {
        /// What is copied.
        from: Operand<'a>,
        /// Where to.
        to: Operand<'a>,
    },
    /// `repeat N { … }`.
    Repeat {
        /// How often.
        times: Amount<'a>,
        /// What.
        body: Vec<Command<'a>>,
    },
    /// `return FIELD`.
    Return(Operand<'a>),
}

/// What a request has in a field.
#[derive(Debug)]
pub(super) struct Field<'a> {
    /// The parameter, and the field of it, if it is a struct.
    pub(super) path: Vec<Name<'a>>,
    /// A constant, a parameter of the array, or a portal.
    pub(super) value: Expr<'a>,
    /// What each message has more than the one before.
    pub(super) step: Option<Expr<'a>>,
}

/// A message or portal, or a field of a message: `NAME[INDEX].FIELD`.
#[derive(Debug)]
pub(super) struct Operand<'a> {
    /// Its name.
    pub(super) name: Name<'a>,
    /// Which of them.
    pub(super) index: Option<Amount<'a>>,
    /// The field.
    pub(super) path: Vec<Name<'a>>,
    /// All of it.
    pub(super) span: Span,
}
