//! Constructors of values and commands.

use std::ops::{Add, Div, Mul, Neg, Not, Rem, Sub};

use super::Var;
use crate::float::{Float, Precision};
use crate::tree::{ArithOp, Limit, Rel, TextTest};

/// An expression, not checked yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Value(pub(super) Node);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Int(i64),
    Bool(bool),
    Float(Float),
    Text(Vec<u8>),
    Enum(String, String),
    Var(Var),
    Field(Box<Value>, String),
    Index(Box<Value>, Box<Value>),
    Len(Box<Value>),
    Neg(Box<Value>),
    Not(Box<Value>),
    Convert(Precision, Box<Value>),
    Arith(Box<Value>, Vec<(ArithOp, Value)>),
    Compare(Rel, Box<Value>, Box<Value>),
    And(Vec<Value>),
    Or(Vec<Value>),
    Test(TextTest, Box<Value>, Box<Value>),
    Tail(Box<Value>, Box<Value>),
    Join(Vec<Value>),
    Record(String, Vec<(String, Value)>),
    Call(Box<Call>),
    Strided(Box<Strided>),
}

/// Scalars that lie in one record variable, the same number of words apart: see [`strided`].
#[derive(Clone, Debug, PartialEq)]
pub struct Strided {
    pub(super) first: Value,
    pub(super) step: u16,
}

/// A call of an operation, not checked yet: a value, or a command of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub(super) target: Value,
    pub(super) op: String,
    pub(super) args: Vec<Value>,
}

/// Several values: a tuple, array or vector.
pub trait Values {
    /// As a vector.
    fn into_values(self) -> Vec<Value>;
}

/// Several commands: one, or a tuple, array or vector of them.
pub trait Commands {
    /// As a vector.
    fn into_commands(self) -> Vec<Command>;
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Into<Value>),*> Values for ($($name,)*) {
            #[allow(non_snake_case, reason = "type parameters name the parts of the tuple too")]
            fn into_values(self) -> Vec<Value> {
                let ($($name,)*) = self;
                vec![$($name.into()),*]
            }
        }

        impl<$($name: Into<Command>),*> Commands for ($($name,)*) {
            #[allow(non_snake_case, reason = "type parameters name the parts of the tuple too")]
            fn into_commands(self) -> Vec<Command> {
                let ($($name,)*) = self;
                vec![$($name.into()),*]
            }
        }
    )*};
}

tuples! { () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }

impl<V: Into<Value>, const N: usize> Values for [V; N] {
    fn into_values(self) -> Vec<Value> {
        self.into_iter().map(Into::into).collect()
    }
}

impl Values for Vec<Value> {
    fn into_values(self) -> Vec<Value> {
        self
    }
}

impl<C: Into<Command>, const N: usize> Commands for [C; N] {
    fn into_commands(self) -> Vec<Command> {
        self.into_iter().map(Into::into).collect()
    }
}

impl Commands for Vec<Command> {
    fn into_commands(self) -> Vec<Command> {
        self
    }
}

impl Commands for Command {
    fn into_commands(self) -> Vec<Command> {
        vec![self]
    }
}

impl Commands for Call {
    fn into_commands(self) -> Vec<Command> {
        vec![self.into()]
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value(Node::Int(value))
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Value {
        Value(Node::Int(value.into()))
    }
}

/// A `float`.
impl From<f32> for Value {
    fn from(value: f32) -> Value {
        Value(Node::Float(Float { precision: Precision::Single, word: value.to_bits().into() }))
    }
}

/// A `double`.
impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value(Node::Float(Float { precision: Precision::Double, word: value.to_bits() }))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value(Node::Bool(value))
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value(Node::Text(value.as_bytes().to_vec()))
    }
}

impl From<Var> for Value {
    fn from(value: Var) -> Value {
        Value(Node::Var(value))
    }
}

impl From<Call> for Value {
    fn from(value: Call) -> Value {
        Value(Node::Call(Box::new(value)))
    }
}

/// As an argument of a call that is [repeated](repeat): another item each time.
impl From<Strided> for Value {
    fn from(value: Strided) -> Value {
        Value(Node::Strided(Box::new(value)))
    }
}

fn boxed(value: impl Into<Value>) -> Box<Value> {
    Box::new(value.into())
}

impl Value {
    /// A call on the portal that this is.
    #[must_use]
    pub fn call(self, op: &str, args: impl Values) -> Call {
        Call { target: self, op: op.to_owned(), args: args.into_values() }
    }

    /// A field of the record that this is.
    #[must_use]
    pub fn field(self, name: &str) -> Value {
        Value(Node::Field(Box::new(self), name.to_owned()))
    }
}

impl Var {
    /// A call on the portal in this variable.
    #[must_use]
    pub fn call(self, op: &str, args: impl Values) -> Call {
        Value::from(self).call(op, args)
    }

    /// A field of the record in this variable.
    #[must_use]
    pub fn field(self, name: &str) -> Value {
        Value::from(self).field(name)
    }

    /// An element of the list in this variable.
    #[must_use]
    pub fn at(self, index: impl Into<Value>) -> Value {
        Value(Node::Index(boxed(self), boxed(index)))
    }
}

impl Call {
    /// A call of `op` on the portal that this call gives.
    #[must_use]
    pub fn call(self, op: &str, args: impl Values) -> Call {
        Value::from(self).call(op, args)
    }

    /// A field of the record that the call gives back.
    #[must_use]
    pub fn field(self, name: &str) -> Value {
        Value::from(self).field(name)
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident),*) => {$(
        impl<T: Into<Value>> $operator<T> for Value {
            type Output = Value;
            fn $method(self, other: T) -> Value {
                arith(ArithOp::$operator, self, other.into())
            }
        }

        impl<T: Into<Value>> $operator<T> for Var {
            type Output = Value;
            fn $method(self, other: T) -> Value {
                arith(ArithOp::$operator, self.into(), other.into())
            }
        }
    )*};
}

operators! { Add add, Sub sub, Mul mul, Div div, Rem rem }

/// One operand more, if `left` is a chain.
fn arith(op: ArithOp, left: Value, right: Value) -> Value {
    Value(match left.0 {
        Node::Arith(first, mut rest) => {
            rest.push((op, right));
            Node::Arith(first, rest)
        }
        _ => Node::Arith(Box::new(left), vec![(op, right)]),
    })
}

impl Neg for Value {
    type Output = Value;
    fn neg(self) -> Value {
        Value(Node::Neg(Box::new(self)))
    }
}

impl Not for Value {
    type Output = Value;
    fn not(self) -> Value {
        Value(Node::Not(Box::new(self)))
    }
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $rel:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(a: impl Into<Value>, b: impl Into<Value>) -> Value {
            Value(Node::Compare(Rel::$rel, boxed(a), boxed(b)))
        }
    )*};
}

comparisons! {
    /// Whether they are equal.
    equal Eq,
    /// Whether they differ.
    unequal Ne,
    /// Whether the first is less: of integers, or of texts byte by byte.
    less Lt,
    /// Whether the first is less or equal.
    at_most Le,
    /// Whether the first is greater.
    greater Gt,
    /// Whether the first is greater or equal.
    at_least Ge,
}

/// Whether both hold; the second is evaluated only if needed.
#[must_use]
pub fn and(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    Value(match a.into().0 {
        Node::And(parts) => Node::And(with(parts, b)),
        first => Node::And(with(vec![Value(first)], b)),
    })
}

/// Whether one holds; the second is evaluated only if needed.
#[must_use]
pub fn or(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    Value(match a.into().0 {
        Node::Or(parts) => Node::Or(with(parts, b)),
        first => Node::Or(with(vec![Value(first)], b)),
    })
}

fn with(mut parts: Vec<Value>, last: impl Into<Value>) -> Vec<Value> {
    parts.push(last.into());
    parts
}

/// A test of the first text with the second.
#[must_use]
pub fn test(test: TextTest, text: impl Into<Value>, part: impl Into<Value>) -> Value {
    Value(Node::Test(test, boxed(text), boxed(part)))
}

/// A text without its first bytes.
#[must_use]
pub fn tail(text: impl Into<Value>, at: impl Into<Value>) -> Value {
    Value(Node::Tail(boxed(text), boxed(at)))
}

/// The float of a precision that is nearest to an integer, or to one of the other precision.
#[must_use]
pub fn converted(to: Precision, value: impl Into<Value>) -> Value {
    Value(Node::Convert(to, boxed(value)))
}

/// Length of a string, bytes or list variable.
#[must_use]
pub fn len(of: impl Into<Value>) -> Value {
    Value(Node::Len(boxed(of)))
}

/// Strings one after the other; at least two.
#[must_use]
pub fn join(parts: impl Values) -> Value {
    Value(Node::Join(parts.into_values()))
}

/// The value `value` of the enum `of`, for example `files.Kind`.
#[must_use]
pub fn value_of(of: &str, value: &str) -> Value {
    Value(Node::Enum(of.to_owned(), value.to_owned()))
}

/// A record of type `ty`; fields left out are zero or empty.
#[must_use]
pub fn record(ty: &str, fields: Vec<(&str, Value)>) -> Value {
    let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Value(Node::Record(ty.to_owned(), fields))
}

/// A statement, not checked yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Command(pub(super) Action);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    Sequence(Vec<Command>),
    Let(Var, Value),
    LetParts(Vec<Var>, Call),
    Set(Value, Value),
    Add(Var, Value),
    Sort(Var, Vec<String>),
    Do(Call),
    Repeat(Call, u16, Option<Strided>),
    Move(Strided, Strided, u16),
    If(Vec<(Value, Vec<Command>)>, Vec<Command>),
    Loop(Over, Limit, Vec<Command>),
    Attempt(Box<Command>, Var, Var, Vec<Command>),
    Return(Option<Value>),
    Break,
    Continue,
    Fail(Value),
}

/// What a loop goes over.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Over {
    While(Value),
    Range(Var, Value, Value),
    List(Var, Var),
    Pages(Var, Call),
}

impl From<Call> for Command {
    fn from(call: Call) -> Command {
        Command(Action::Do(call))
    }
}

/// Commands one after the other.
#[must_use]
pub fn sequence(commands: impl Commands) -> Command {
    Command(Action::Sequence(commands.into_commands()))
}

/// Gives a [name](super::Builder::name) its value, to the end of this block. With [`let_parts`] the only way to keep a portal.
#[must_use]
pub fn let_(name: Var, value: impl Into<Value>) -> Command {
    Command(Action::Let(name, value.into()))
}

/// Gives [names](super::Builder::name) the results of a call that no value holds, since there are portals or lists among several: one
/// for each, in the order of the message, which is that of `inout` parameters, return value, `out` parameters.
#[must_use]
pub fn let_parts(names: impl IntoIterator<Item = Var>, call: Call) -> Command {
    Command(Action::LetParts(names.into_iter().collect(), call))
}

/// Changes a variable, an element of a list, or a field of these.
#[must_use]
pub fn set(place: impl Into<Value>, value: impl Into<Value>) -> Command {
    Command(Action::Set(place.into(), value.into()))
}

/// Adds an element to a list variable.
#[must_use]
pub fn add(list: Var, element: impl Into<Value>) -> Command {
    Command(Action::Add(list, element.into()))
}

/// Sorts a list of records, stably, by these fields, the first counting most.
#[must_use]
pub fn sort(list: Var, by: &[&str]) -> Command {
    Command(Action::Sort(list, by.iter().map(|name| (*name).to_owned()).collect()))
}

/// The scalar `first`, the one `step` words behind it, and so on. `first` is a field of a record variable, whose words
/// are those of its fields one after the other, or an integer, truth value or enum variable. With `step` 0 it is the
/// same scalar each time.
#[must_use]
pub fn strided(first: impl Into<Value>, step: u16) -> Strided {
    Strided { first: first.into(), step }
}

/// Makes a call `times` times (Off++'s `Repeat`). An argument that is [`strided`] is another item each time, as the
/// items are before the first call; the others are evaluated once. What the calls give back is dropped.
#[must_use]
pub fn repeat(call: Call, times: u16) -> Command {
    Command(Action::Repeat(call, times, None))
}

/// As [`repeat`], and puts what each call gives back, one scalar, into the next item of `into`.
#[must_use]
pub fn repeat_into(into: Strided, call: Call, times: u16) -> Command {
    Command(Action::Repeat(call, times, Some(into)))
}

/// Copies `count` scalars from one place to another, the first first, each with its own step (Off++'s `Move`).
#[must_use]
pub fn move_(from: Strided, to: Strided, count: u16) -> Command {
    Command(Action::Move(from, to, count))
}

/// A choice. With another alone in `otherwise` it is the same as `else if`.
#[must_use]
pub fn if_(cond: impl Into<Value>, then: impl Commands, otherwise: impl Commands) -> Command {
    let (mut arms, mut otherwise) = (vec![(cond.into(), then.into_commands())], otherwise.into_commands());
    if let [Command(Action::If(more, last))] = otherwise.as_mut_slice() {
        arms.append(more);
        otherwise = std::mem::take(last);
    }
    Command(Action::If(arms, otherwise))
}

/// A loop that goes on while `cond` holds.
#[must_use]
pub fn while_(cond: impl Into<Value>, body: impl Commands) -> Command {
    Command(Action::Loop(Over::While(cond.into()), Limit::None, body.into_commands()))
}

/// A loop with `var` from `from` to before `to`, which is evaluated once.
#[must_use]
pub fn for_range(var: Var, from: impl Into<Value>, to: impl Into<Value>, body: impl Commands) -> Command {
    Command(Action::Loop(Over::Range(var, from.into(), to.into()), Limit::None, body.into_commands()))
}

/// A loop with `var` over a list variable; its length is read anew each time.
#[must_use]
pub fn for_each(var: Var, list: Var, body: impl Commands) -> Command {
    Command(Action::Loop(Over::List(var, list), Limit::None, body.into_commands()))
}

/// A loop with `var` over all elements of all pages of a paged operation. Its cursor is not among the arguments.
#[must_use]
pub fn for_pages(var: Var, call: Call, body: impl Commands) -> Command {
    Command(Action::Loop(Over::Pages(var, call), Limit::None, body.into_commands()))
}

/// Does `what`, a call, [`repeat`], [`let_`], [`let_parts`] or [`set`]; if a call in it raises its exception, does `otherwise` instead, in which
/// the names `kind` and `message` are what was raised.
#[must_use]
pub fn attempt(what: impl Into<Command>, kind: Var, message: Var, otherwise: impl Commands) -> Command {
    Command(Action::Attempt(Box::new(what.into()), kind, message, otherwise.into_commands()))
}

/// Ends the program with its result.
#[must_use]
pub fn give(value: impl Into<Value>) -> Command {
    Command(Action::Return(Some(value.into())))
}

/// Ends the program, which has no result.
#[must_use]
pub fn end() -> Command {
    Command(Action::Return(None))
}

/// Leaves the innermost loop.
#[must_use]
pub fn break_() -> Command {
    Command(Action::Break)
}

/// Goes to the innermost loop's next round.
#[must_use]
pub fn continue_() -> Command {
    Command(Action::Continue)
}

/// Ends the program as failed, with a message.
#[must_use]
pub fn fail(message: impl Into<Value>) -> Command {
    Command(Action::Fail(message.into()))
}

impl Command {
    /// For a loop: its body is entered at most `n` times in the whole run. Nothing, for other commands.
    #[must_use]
    pub fn limit(mut self, n: u64) -> Command {
        if let Action::Loop(_, limit, _) = &mut self.0 {
            *limit = Limit::At(n);
        }
        self
    }
}
