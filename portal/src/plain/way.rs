//! How the values of a call travel: what a client's stub has of it, and what carries them.

use crate::call::{Failure, Kind};
use crate::message::nonsense;
use crate::stub::{Interface, word};

use super::session::Number;
use super::{Line, Narrow, One, Two};

/// Carries a call to an object of the other end, in one of eight ways; [`Session`](super::Session) does so by calling it.
/// Write one of your own that counts calls, or lets some of them pass, and hand on what you are given.
///
/// What is carried is first, then where to: a session finds its arguments where it is called with them.
#[allow(clippy::missing_errors_doc, reason = "all fail with why the call failed")]
pub trait Carry {
    /// The message.
    fn line(&self) -> &Line;

    /// The message, to be filled.
    fn line_mut(&mut self) -> &mut Line;

    /// The line's operation, which has up to four words and no data.
    fn few(target: u32, to: &mut Self, w0: u64, w1: u64, w2: u64, w3: u64) -> Two;

    /// The line's operation, whose values are integers of 32 bits: up to four. Unless said otherwise it is carried as others are.
    #[inline]
    fn few_narrow(target: u32, to: &mut Self, w0: i32, w1: i32, w2: i32, w3: i32) -> Narrow {
        let [w0, w1, w2, w3] = [w0, w1, w2, w3].map(word);
        narrowed(Self::few(target, to, w0, w1, w2, w3))
    }

    /// Operation `op`, whose words are the line's.
    fn few_in_line(target: u32, to: &mut Self, op: u32) -> Two;

    /// The line's operation, which has up to two words and one that comes back, and is sent `piece`.
    fn sent(target: u32, to: &mut Self, w0: u64, place: &mut i64, w1: u64, piece: &[u8]) -> One;

    /// Operation `op`, whose words are the line's.
    fn sent_in_line(target: u32, to: &mut Self, op: u32, piece: &[u8]) -> One;

    /// The line's operation of the line's object, whose words and data are the line's.
    fn sent_copied(to: &mut Self) -> One;

    /// The line's operation, which has up to two words and one that comes back, and fills the line's data.
    fn replied(target: u32, to: &mut Self, w0: u64, place: &mut i64, w1: u64) -> One;

    /// Operation `op`, whose words are the line's.
    fn replied_in_line(target: u32, to: &mut Self, op: u32) -> One;
}

/// What a generated client calls through. Numbers behind a function's name are places in the operation's block.
#[allow(clippy::missing_errors_doc, reason = "all fail with why the call failed")]
pub trait Channel {
    /// An operation of up to four words, without data.
    fn call<I: Interface, const N: usize>(target: u32, channel: &mut Self, op: u32, words: [u64; N]) -> Two;

    /// An operation whose values are integers of 32 bits: up to four. Unless said otherwise each of them is a word.
    #[inline]
    fn call_narrow<I: Interface, const N: usize>(
        target: u32,
        channel: &mut Self,
        op: u32,
        values: [i32; N],
    ) -> Narrow {
        narrowed(Self::call::<I, N>(target, channel, op, values.map(word)))
    }

    /// One that has up to two words and one that comes back, and is sent `piece`.
    fn call_in<I: Interface, const W0: usize, const PLACE: usize, const W1: usize, const PIECE: usize>(
        target: u32,
        channel: &mut Self,
        op: u32,
        w0: u64,
        place: &mut i64,
        w1: u64,
        piece: &[u8],
    ) -> One;

    /// One that has up to two words and one that comes back, and whose data are [`Channel::reply`] then.
    fn call_out<I: Interface, const W0: usize, const PLACE: usize, const W1: usize>(
        target: u32,
        channel: &mut Self,
        op: u32,
        w0: u64,
        place: &mut i64,
        w1: u64,
    ) -> One;

    /// Data that came back, until the next call.
    fn reply(&self) -> &[u8];
}

/// [`Channel::call`], by what an object is called by.
#[allow(clippy::missing_errors_doc, reason = "as the trait's")]
#[inline(always)]
pub fn call<I: Interface, const N: usize>(
    target: Number,
    channel: &mut impl Channel,
    op: u32,
    words: [u64; N],
) -> Two {
    Channel::call::<I, N>(target.0, channel, op, words)
}

/// [`Channel::call_narrow`], by what an object is called by.
#[allow(clippy::missing_errors_doc, reason = "as the trait's")]
#[inline(always)]
pub fn call_narrow<I: Interface, const N: usize>(
    target: Number,
    channel: &mut impl Channel,
    op: u32,
    values: [i32; N],
) -> Narrow {
    Channel::call_narrow::<I, N>(target.0, channel, op, values)
}

/// [`Channel::call_in`], by what an object is called by.
#[allow(clippy::missing_errors_doc, reason = "as the trait's")]
#[inline(always)]
pub fn call_in<I: Interface, const W0: usize, const PLACE: usize, const W1: usize, const PIECE: usize>(
    target: Number,
    channel: &mut impl Channel,
    op: u32,
    w0: u64,
    place: &mut i64,
    w1: u64,
    piece: &[u8],
) -> One {
    Channel::call_in::<I, W0, PLACE, W1, PIECE>(target.0, channel, op, w0, place, w1, piece)
}

/// [`Channel::call_out`], by what an object is called by.
#[allow(clippy::missing_errors_doc, reason = "as the trait's")]
#[inline(always)]
pub fn call_out<I: Interface, const W0: usize, const PLACE: usize, const W1: usize>(
    target: Number,
    channel: &mut impl Channel,
    op: u32,
    w0: u64,
    place: &mut i64,
    w1: u64,
) -> One {
    Channel::call_out::<I, W0, PLACE, W1>(target.0, channel, op, w0, place, w1)
}

/// In registers.
impl<T: Carry> Channel for T {
    #[inline(always)]
    fn call<I: Interface, const N: usize>(target: u32, channel: &mut T, op: u32, words: [u64; N]) -> Two {
        channel.line_mut().op = op;
        let word = |at| words.get(at).copied().unwrap_or(0);
        T::few(target, channel, word(0), word(1), word(2), word(3))
    }

    #[inline(always)]
    fn call_narrow<I: Interface, const N: usize>(
        target: u32,
        channel: &mut T,
        op: u32,
        values: [i32; N],
    ) -> Narrow {
        channel.line_mut().op = op;
        let value = |at| values.get(at).copied().unwrap_or(0);
        T::few_narrow(target, channel, value(0), value(1), value(2), value(3))
    }

    #[inline(always)]
    fn call_in<I: Interface, const W0: usize, const PLACE: usize, const W1: usize, const PIECE: usize>(
        target: u32,
        channel: &mut T,
        op: u32,
        w0: u64,
        place: &mut i64,
        w1: u64,
        piece: &[u8],
    ) -> One {
        channel.line_mut().op = op;
        T::sent(target, channel, w0, place, w1, piece)
    }

    #[inline(always)]
    fn call_out<I: Interface, const W0: usize, const PLACE: usize, const W1: usize>(
        target: u32,
        channel: &mut T,
        op: u32,
        w0: u64,
        place: &mut i64,
        w1: u64,
    ) -> One {
        channel.line_mut().op = op;
        T::replied(target, channel, w0, place, w1)
    }

    #[inline(always)]
    fn reply(&self) -> &[u8] {
        self.line().reply()
    }
}

/// Calls whose words stand in the line, and whose data are lent.
#[derive(Debug)]
pub struct InMemory<T>(pub T);

impl<T: Carry> Channel for InMemory<T> {
    #[inline(always)]
    fn call<I: Interface, const N: usize>(
        target: u32,
        InMemory(to): &mut InMemory<T>,
        op: u32,
        words: [u64; N],
    ) -> Two {
        put_words(to.line_mut(), words);
        T::few_in_line(target, to, op)
    }

    #[inline(always)]
    fn call_in<I: Interface, const W0: usize, const PLACE: usize, const W1: usize, const PIECE: usize>(
        target: u32,
        InMemory(to): &mut InMemory<T>,
        op: u32,
        w0: u64,
        place: &mut i64,
        w1: u64,
        piece: &[u8],
    ) -> One {
        put::<W0, PLACE, W1>(to.line_mut(), w0, place, w1);
        let done = T::sent_in_line(target, to, op, piece);
        taken::<PLACE>(to.line(), place, done)
    }

    #[inline(always)]
    fn call_out<I: Interface, const W0: usize, const PLACE: usize, const W1: usize>(
        target: u32,
        InMemory(to): &mut InMemory<T>,
        op: u32,
        w0: u64,
        place: &mut i64,
        w1: u64,
    ) -> One {
        put::<W0, PLACE, W1>(to.line_mut(), w0, place, w1);
        let done = T::replied_in_line(target, to, op);
        taken::<PLACE>(to.line(), place, done)
    }

    #[inline(always)]
    fn reply(&self) -> &[u8] {
        self.0.line().reply()
    }
}

/// Calls whose words stand in the line, and whose data are copied into it.
#[derive(Debug)]
pub struct Copied<T>(pub T);

impl<T: Carry> Channel for Copied<T> {
    #[inline(always)]
    fn call<I: Interface, const N: usize>(
        target: u32,
        Copied(to): &mut Copied<T>,
        op: u32,
        words: [u64; N],
    ) -> Two {
        put_words(to.line_mut(), words);
        T::few_in_line(target, to, op)
    }

    #[inline(always)]
    fn call_in<I: Interface, const W0: usize, const PLACE: usize, const W1: usize, const PIECE: usize>(
        target: u32,
        Copied(to): &mut Copied<T>,
        op: u32,
        w0: u64,
        place: &mut i64,
        w1: u64,
        piece: &[u8],
    ) -> One {
        let line = to.line_mut();
        put::<W0, PLACE, W1>(line, w0, place, w1);
        line.words[PIECE] = piece.len() as u64;
        (line.target, line.op) = (target, op);
        // Behind the words: no register has to hold one meanwhile.
        line.piece.get_mut(..piece.len()).ok_or_else(too_long)?.copy_from_slice(piece);
        let done = T::sent_copied(to);
        taken::<PLACE>(to.line(), place, done)
    }

    #[inline(always)]
    fn call_out<I: Interface, const W0: usize, const PLACE: usize, const W1: usize>(
        target: u32,
        Copied(to): &mut Copied<T>,
        op: u32,
        w0: u64,
        place: &mut i64,
        w1: u64,
    ) -> One {
        put::<W0, PLACE, W1>(to.line_mut(), w0, place, w1);
        let done = T::replied_in_line(target, to, op);
        taken::<PLACE>(to.line(), place, done)
    }

    #[inline(always)]
    fn reply(&self) -> &[u8] {
        self.0.line().reply()
    }
}

#[inline(always)]
fn put_words<const N: usize>(line: &mut Line, words: [u64; N]) {
    for (to, word) in line.words.iter_mut().zip(words) {
        *to = word;
    }
}

#[inline(always)]
fn put<const W0: usize, const PLACE: usize, const W1: usize>(line: &mut Line, w0: u64, place: &i64, w1: u64) {
    line.words[W0] = w0;
    line.words[W1] = w1;
    line.words[PLACE] = place.cast_unsigned();
}

/// What the caller holds is changed only if the call has not failed.
#[inline(always)]
fn taken<const PLACE: usize>(line: &Line, place: &mut i64, done: One) -> One {
    if done.is_ok() {
        *place = line.words[PLACE].cast_signed();
    }
    done
}

/// Generated code uses this: the words of results of 32 bits.
#[allow(clippy::missing_errors_doc, reason = "it fails if the call did")]
#[inline(always)]
pub fn widened(answer: Narrow) -> Two {
    answer.map(|(first, second)| (i64::from(first), i64::from(second)))
}

/// Results that came as words, which are as hostile as the other side.
fn narrowed(answer: Two) -> Narrow {
    let (first, second) = answer?;
    let narrow = |word: i64| i32::try_from(word).map_err(|_| nonsense("a result is no integer of 32 bits"));
    Ok((narrow(first)?, narrow(second)?))
}

#[cold]
#[inline(never)]
fn too_long() -> Failure {
    Failure::new(Kind::Refused, "data that are longer than what is copied into a message")
}
