//! Objects of a session: what finds an operation by its number, and its values where they travelled.

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use carnet_idl::descriptor::Operation;

use crate::call::{Caller, Failure, Kind};
use crate::invoke::panicked;
use crate::stub::{Dispatch, Interface, in_place, no_plain_operation};

use super::{Line, Narrow, One, Two};

/// An object of a session: eight ways to one of its operations. Generated code makes them, by way of
/// [`Dispatch`]: four functions of an interface. All fail with why the call failed.
#[allow(clippy::missing_errors_doc, reason = "the trait's own text says it of all")]
pub trait Serves: Send + Sync {
    /// The operation of this number, if there is one.
    fn operation(&self, op: u16) -> Option<&'static Operation>;

    /// The line's operation, which has up to four words and no data.
    fn few(&self, line: &mut Line, w0: u64, w1: u64, w2: u64, w3: u64) -> Two;

    /// The line's operation, whose values are integers of 32 bits: up to four.
    fn few_narrow(&self, line: &mut Line, w0: i32, w1: i32, w2: i32, w3: i32) -> Narrow;

    /// Operation `op`, whose words are the line's.
    fn few_in_line(&self, line: &mut Line, op: u32) -> Two;

    /// The line's operation, which has up to two words and one that comes back, and is sent `piece`.
    fn sent(&self, line: &mut Line, w0: u64, place: &mut i64, w1: u64, piece: &[u8]) -> One;

    /// Operation `op`, whose words are the line's.
    fn sent_in_line(&self, line: &mut Line, op: u32, piece: &[u8]) -> One;

    /// The line's operation, whose words and data are the line's.
    fn sent_copied(&self, line: &mut Line) -> One;

    /// The line's operation, which has up to two words and one that comes back, and fills the line's data.
    fn replied(&self, line: &mut Line, w0: u64, place: &mut i64, w1: u64) -> One;

    /// Operation `op`, whose words are the line's.
    fn replied_in_line(&self, line: &mut Line, op: u32) -> One;
}

/// Values of an operation that is sent data, wherever they travelled. Each has a place in the operation's block, where its line
/// has it.
pub trait SentFrom<'a> {
    /// The caller, and the values of these places: two words, one that comes back, and the data.
    ///
    /// # Errors
    /// [`Kind::BadArgument`] if the data leave the message.
    fn take<const W0: usize, const PLACE: usize, const W1: usize, const PIECE: usize>(
        self,
    ) -> Result<(&'a Caller, u64, &'a mut i64, u64, &'a [u8]), Failure>;

    /// Why nothing was taken: the interface `I` has no operation `op`, or none like this.
    fn unknown<I: Interface>(self, op: u32) -> Failure;
}

/// As [`SentFrom`], of an operation whose data come back.
pub trait ReplyFrom<'a> {
    /// The caller, the values of these places, and the data that are to be filled.
    fn take<const W0: usize, const PLACE: usize, const W1: usize>(
        self,
    ) -> (&'a Caller, u64, &'a mut i64, u64, &'a mut Vec<u8>);

    /// As [`SentFrom::unknown`].
    fn unknown<I: Interface>(self, op: u32) -> Failure;
}

struct Sent<'a> {
    line: &'a Line,
    w0: u64,
    place: &'a mut i64,
    w1: u64,
    piece: &'a [u8],
}

impl<'a> SentFrom<'a> for Sent<'a> {
    #[inline(always)]
    fn take<const W0: usize, const PLACE: usize, const W1: usize, const PIECE: usize>(
        self,
    ) -> Result<(&'a Caller, u64, &'a mut i64, u64, &'a [u8]), Failure> {
        Ok((&self.line.caller, self.w0, self.place, self.w1, self.piece))
    }

    // Fetched anew: so whoever compares it leaves it where it is.
    #[inline(always)]
    fn unknown<I: Interface>(self, _: u32) -> Failure {
        unknown_again::<I>(&self.line.op)
    }
}

struct SentInLine<'a> {
    line: &'a mut Line,
    piece: &'a [u8],
}

impl<'a> SentFrom<'a> for SentInLine<'a> {
    #[inline(always)]
    fn take<const W0: usize, const PLACE: usize, const W1: usize, const PIECE: usize>(
        self,
    ) -> Result<(&'a Caller, u64, &'a mut i64, u64, &'a [u8]), Failure> {
        let Line { caller, words, .. } = self.line;
        let (w0, w1) = (words[W0], words[W1]);
        Ok((caller, w0, in_place(&mut words[PLACE]), w1, self.piece))
    }

    #[inline(always)]
    fn unknown<I: Interface>(self, op: u32) -> Failure {
        no_plain_operation::<I>(op)
    }
}

/// Data that were copied: the word that refers to them is their length, as in a copied message in C.
struct SentCopied<'a>(&'a mut Line);

impl<'a> SentFrom<'a> for SentCopied<'a> {
    #[inline(always)]
    fn take<const W0: usize, const PLACE: usize, const W1: usize, const PIECE: usize>(
        self,
    ) -> Result<(&'a Caller, u64, &'a mut i64, u64, &'a [u8]), Failure> {
        let Line { caller, words, piece, .. } = self.0;
        let (w0, w1, len) = (words[W0], words[W1], words[PIECE]);
        let piece = piece.get(..len as usize).ok_or_else(leaves_message)?;
        Ok((caller, w0, in_place(&mut words[PLACE]), w1, piece))
    }

    // Fetched anew: so whoever compares it leaves it where it is.
    #[inline(always)]
    fn unknown<I: Interface>(self, _: u32) -> Failure {
        unknown_again::<I>(&self.0.op)
    }
}

struct Replied<'a> {
    caller: &'a Caller,
    op: &'a u32,
    w0: u64,
    place: &'a mut i64,
    w1: u64,
    reply: &'a mut Vec<u8>,
}

impl<'a> ReplyFrom<'a> for Replied<'a> {
    #[inline(always)]
    fn take<const W0: usize, const PLACE: usize, const W1: usize>(
        self,
    ) -> (&'a Caller, u64, &'a mut i64, u64, &'a mut Vec<u8>) {
        (self.caller, self.w0, self.place, self.w1, self.reply)
    }

    // Fetched anew: so whoever compares it leaves it where it is.
    #[inline(always)]
    fn unknown<I: Interface>(self, _: u32) -> Failure {
        unknown_again::<I>(self.op)
    }
}

struct RepliedInLine<'a>(&'a mut Line);

impl<'a> ReplyFrom<'a> for RepliedInLine<'a> {
    #[inline(always)]
    fn take<const W0: usize, const PLACE: usize, const W1: usize>(
        self,
    ) -> (&'a Caller, u64, &'a mut i64, u64, &'a mut Vec<u8>) {
        let Line { caller, words, reply, .. } = self.0;
        let (w0, w1) = (words[W0], words[W1]);
        reply.clear();
        (caller, w0, in_place(&mut words[PLACE]), w1, reply)
    }

    #[inline(always)]
    fn unknown<I: Interface>(self, op: u32) -> Failure {
        no_plain_operation::<I>(op)
    }
}

/// Generated code uses this: `I` has no operation of this number, or none like this. It is fetched anew: so whoever compares it leaves it where it is.
#[must_use]
#[cold]
#[inline(never)]
pub fn unknown_again<I: Interface>(op: &u32) -> Failure {
    no_plain_operation::<I>(*std::hint::black_box(op))
}

#[cold]
#[inline(never)]
fn leaves_message() -> Failure {
    Failure::bad_argument("data that leave their message")
}

/// An object for a session; `A` is what it is called by there.
pub struct Kept<A> {
    pub(super) object: Box<dyn Serves>,
    number: PhantomData<fn() -> A>,
}

impl<A> std::fmt::Debug for Kept<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Kept")
    }
}

/// Generated code uses this: an object that `service` carries out the operations of, as `D` calls them.
pub fn keep<D: Dispatch<S>, S: Send + Sync + 'static, A>(service: S) -> Kept<A> {
    Kept { object: Box::new(Serving::<D, S> { service, dispatch: PhantomData }), number: PhantomData }
}

/// Generated code uses this: calls a service's function. A panic of it is a failure of this call only.
///
/// # Errors
/// What the service answered; [`Kind::Internal`] if it panicked.
#[inline(always)]
pub fn carried<T>(operation: &'static str, call: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // As it is: to take an answer apart and put it together again would cost a call some instructions.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| Err(panicked(|| operation, panic)))
}

struct Serving<D, S> {
    service: S,
    dispatch: PhantomData<fn() -> D>,
}

impl<D: Dispatch<S>, S: Send + Sync + 'static> Serves for Serving<D, S> {
    fn operation(&self, op: u16) -> Option<&'static Operation> {
        D::Interface::module().interfaces.get(D::Interface::ID.index())?.operations.get(usize::from(op))
    }

    fn few(&self, line: &mut Line, w0: u64, w1: u64, w2: u64, w3: u64) -> Two {
        D::few(&self.service, line.op, &line.caller, w0, w1, w2, w3)
    }

    fn few_narrow(&self, line: &mut Line, w0: i32, w1: i32, w2: i32, w3: i32) -> Narrow {
        D::few_narrow(&self.service, &line.op, &line.caller, w0, w1, w2, w3)
    }

    fn few_in_line(&self, line: &mut Line, op: u32) -> Two {
        let [w0, w1, w2, w3, ..] = line.words;
        D::few(&self.service, op, &line.caller, w0, w1, w2, w3)
    }

    fn sent(&self, line: &mut Line, w0: u64, place: &mut i64, w1: u64, piece: &[u8]) -> One {
        D::sent(&self.service, line.op, Sent { line, w0, place, w1, piece })
    }

    fn sent_in_line(&self, line: &mut Line, op: u32, piece: &[u8]) -> One {
        D::sent(&self.service, op, SentInLine { line, piece })
    }

    fn sent_copied(&self, line: &mut Line) -> One {
        D::sent(&self.service, line.op, SentCopied(line))
    }

    fn replied(&self, line: &mut Line, w0: u64, place: &mut i64, w1: u64) -> One {
        line.reply.clear();
        let Line { caller, op, reply, .. } = line;
        D::replied(&self.service, *op, Replied { caller, op, w0, place, w1, reply })
    }

    fn replied_in_line(&self, line: &mut Line, op: u32) -> One {
        D::replied(&self.service, op, RepliedInLine(line))
    }
}

/// What stands where there is no object.
pub(super) struct Nothing;

impl Serves for Nothing {
    fn operation(&self, _: u16) -> Option<&'static Operation> {
        None
    }

    fn few(&self, _: &mut Line, _: u64, _: u64, _: u64, _: u64) -> Two {
        Err(nothing())
    }

    fn few_narrow(&self, _: &mut Line, _: i32, _: i32, _: i32, _: i32) -> Narrow {
        Err(nothing())
    }

    fn few_in_line(&self, _: &mut Line, _: u32) -> Two {
        Err(nothing())
    }

    fn sent(&self, _: &mut Line, _: u64, _: &mut i64, _: u64, _: &[u8]) -> One {
        Err(nothing())
    }

    fn sent_in_line(&self, _: &mut Line, _: u32, _: &[u8]) -> One {
        Err(nothing())
    }

    fn sent_copied(&self, _: &mut Line) -> One {
        Err(nothing())
    }

    fn replied(&self, _: &mut Line, _: u64, _: &mut i64, _: u64) -> One {
        Err(nothing())
    }

    fn replied_in_line(&self, _: &mut Line, _: u32) -> One {
        Err(nothing())
    }
}

#[cold]
fn nothing() -> Failure {
    Failure::new(Kind::Internal, "an object that was taken away")
}
