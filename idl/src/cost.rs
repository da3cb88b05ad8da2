//! What calls of operations with a `@cost` have done, of what was reserved for them.

use crate::descriptor::{Operation, Param, Type};

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
