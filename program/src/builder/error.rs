//! What can be wrong with a program that is built. All of it is the fault of who builds it.

use crate::import::{ImportError, Misdescribed};
use crate::tree::IllFormed;

/// Why a program cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A name that has no or more than 255 bytes, or is the reserved `started`.
    #[error("`{0}` is no name: empty, longer than 255 bytes, or reserved")]
    Name(String),
    /// There is no interface, enum, struct or record of this name.
    #[error("there is no type `{0}`")]
    UnknownType(String),
    /// Two records have this name.
    #[error("there are two records `{0}`")]
    TwoRecords(String),
    /// A variable of another program.
    #[error("a variable is used that belongs to another program")]
    ForeignVariable,
    /// A name is used outside of the block in which it has a value.
    #[error("`{0}` has no value here")]
    NoValueHere(String),
    /// A name gets a value at a second place, or what is no name gets one.
    #[error("`{0}` cannot be given its value here: it has one from elsewhere")]
    ValueElsewhere(String),
    /// Only variables of [`Builder::var`](super::Builder::var) change.
    #[error("`{0}` cannot change")]
    Fixed(String),
    /// Something is changed that is no variable, element of a list variable or field of these.
    #[error("only a variable, an element of a list variable or a field of these can change")]
    NoPlace,
    /// A type does not fit.
    #[error("{place}: found {found}, expected {expected}")]
    Type {
        /// Where.
        place: String,
        /// The type there.
        found: String,
        /// What would fit.
        expected: String,
    },
    /// A number of an argument lies outside of what the interface takes.
    #[error("{place}: {value} is not between {min} and {max}")]
    Range {
        /// Where.
        place: String,
        /// The number.
        value: i64,
        /// Least.
        min: i64,
        /// Greatest.
        max: i64,
    },
    /// The interface has no such operation.
    #[error("{interface} has no operation `{operation}`")]
    NoSuchOperation {
        /// The interface.
        interface: String,
        /// What was called.
        operation: String,
    },
    /// A call with too few or too many arguments.
    #[error("{operation} takes {expected} arguments, found {found}")]
    ArgumentCount {
        /// The operation.
        operation: String,
        /// Given.
        found: usize,
        /// Wanted.
        expected: usize,
    },
    /// The record has no such field.
    #[error("{record} has no field `{field}`")]
    NoSuchField {
        /// The record.
        record: String,
        /// What was named.
        field: String,
    },
    /// A record without a value for an enum, which has no zero.
    #[error("a {record} needs a value for `{field}`")]
    FieldMissing {
        /// The record.
        record: String,
        /// The field.
        field: String,
    },
    /// The enum has no such value.
    #[error("{of} has no value `{value}`")]
    NoSuchValue {
        /// The enum.
        of: String,
        /// What was named.
        value: String,
    },
    /// A call that gives nothing back where a value is needed.
    #[error("{0} gives nothing back")]
    NothingBack(String),
    /// Several results, portals or lists among them, as one value.
    #[error("{0} gives several results that no value holds together: name them with let_parts")]
    Parts(String),
    /// [`let_parts`](super::let_parts) of a call whose results are one value, or with too few or too many names.
    #[error("{operation}: found {found} names, expected {expected}")]
    Names {
        /// The operation.
        operation: String,
        /// Given.
        found: usize,
        /// Wanted: none, if its results are one value.
        expected: usize,
    },
    /// A paged operation is called by [`for_pages`](super::for_pages) only.
    #[error("{0} gives its list page by page: loop over it with for_pages")]
    Paged(String),
    /// [`for_pages`](super::for_pages) over another operation.
    #[error("{0} does not give a list page by page")]
    NotPaged(String),
    /// [`break_`](super::break_) or [`continue_`](super::continue_) outside of a loop.
    #[error("there is no loop to leave here")]
    NoLoop,
    /// The body of a loop over a list changes or sorts that list. It may add to it.
    #[error("`{0}` is looped over here: it may be added to, but not changed or sorted")]
    LoopedOver(String),
    /// [`attempt`](super::attempt) of something that raises no exception.
    #[error("nothing in this attempt raises an exception that can be caught")]
    NothingRaised,
    /// The calls of an attempt raise exceptions of different kinds.
    #[error("the calls of an attempt raise both {0} and {1}: attempt them one by one")]
    RaisedDifferently(String, String),
    /// [`attempt`](super::attempt) of a [`let_`](super::let_) or [`let_parts`](super::let_parts) whose other branch goes on without the value.
    #[error("if the attempt fails `{0}` has no value: the other branch must leave")]
    MustLeave(String),
    /// [`attempt`](super::attempt) of something else than a call, [`repeat`](super::repeat), [`let_`](super::let_),
    /// [`let_parts`](super::let_parts) or [`set`](super::set).
    #[error("only a call, a repeat, a let or a set can be attempted")]
    NoAttempt,
    /// [`strided`](super::strided) items as a value, and not as an argument of a [`repeat`](super::repeat).
    #[error("strided items are arguments of a repeat only")]
    NotRepeated,
    /// An item is of another type than the first, or lies outside of the variable.
    #[error("word {word} of `{var}` is not of the type that its word {first} has")]
    Items {
        /// The variable.
        var: String,
        /// The first item's word.
        first: usize,
        /// The other's.
        word: usize,
    },
    /// [`repeat`](super::repeat) of an operation that makes portals.
    #[error("{0} makes portals, of which a repeat would keep none")]
    MakesPortals(String),
    /// [`repeat`](super::repeat) or [`move_`](super::move_) of nothing.
    #[error("a repeat or move is done at least once")]
    NoTimes,
    /// The program has a result and may end without one.
    #[error("the program may end without its result")]
    NoResult,
    /// More of something than fits.
    #[error("the program has too many {0}")]
    TooMany(&'static str),
    /// The program that is to be extended always ends itself.
    #[error("`{0}` ends itself, so that nothing can be added behind its end")]
    Ended(String),
    /// It has a result of another type.
    #[error("the program that is extended has a result of its own")]
    TwoResults,
    /// It breaks a rule of trees.
    #[error(transparent)]
    IllFormed(#[from] IllFormed),
    /// It is not of the modules that were given.
    #[error(transparent)]
    Misdescribed(#[from] Misdescribed),
    /// What an interface has cannot be used.
    #[error(transparent)]
    Import(#[from] ImportError),
}
