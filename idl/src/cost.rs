//! What a writing call may write, which is reserved for it: the work of its `@cost`, or its data; and what it did of that.

use crate::descriptor::{Mode, Module, Operation, Param, Type, WORK_BYTES_MAX, Word};

/// What an integer says as a `@cost`.
#[inline]
#[must_use]
pub const fn work(n: i64) -> u64 {
    match n {
        n if n < 0 => 0,
        n if n > WORK_BYTES_MAX as i64 => WORK_BYTES_MAX as u64,
        n => n as u64,
    }
}

impl Word {
    /// Bytes that a call writes with this word, if that refers to so many: as many of them as the operation takes. Of strings, which are names,
    /// it writes none.
    #[inline(always)]
    #[must_use]
    pub fn data(&self, len: usize) -> u64 {
        match self {
            Word::Bytes { max } => u64::from(*max).min(len as u64),
            _ => 0,
        }
    }

    /// Bytes that a call may write of which this is the word of the `@cost`, with that value; if it refers to data, to so many bytes.
    #[inline(always)]
    #[must_use]
    pub fn work(&self, value: u64, len: impl FnOnce(u64) -> usize) -> u64 {
        match self {
            Word::Bytes { .. } => self.data(len(value)),
            _ => work(value.cast_signed()),
        }
    }
}

impl Module {
    /// The word of a request that is the parameter of the operation's `@cost`.
    #[must_use]
    pub fn cost_word(&self, operation: &Operation) -> Option<usize> {
        let before = operation.params.get(..usize::from(operation.cost?))?.iter();
        let before = before.filter(|param| param.mode == Mode::In);
        Some(before.map(|param| self.word_count(&param.ty)).sum())
    }
}

impl Operation {
    /// The parameter of `@cost`.
    #[inline]
    #[must_use]
    pub fn cost_param(&self) -> Option<&Param> {
        self.cost.and_then(|at| self.params.get(usize::from(at)))
    }

    /// What a call did of its work, for which so many bytes were reserved: with a `@cost`, a result that is an integer says
    /// so, and no more than that is believed. It is the word behind the request in the [`Layout`](crate::descriptor::Layout).
    #[inline]
    #[must_use]
    pub fn did(&self, reserved: u64, result: impl FnOnce() -> u64) -> u64 {
        match (self.cost, &self.result) {
            (Some(_), Some(Type::Int { signed, .. })) => match result() {
                word if *signed && word.cast_signed() < 0 => 0,
                word => word.min(reserved),
            },
            _ => reserved,
        }
    }
}
