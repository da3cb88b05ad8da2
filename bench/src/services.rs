//! Services whose calls do nothing: what is measured is the way there and back.
//!
//! `read` counts down and gives what is left, so that a loop over it ends; `write` adds its arguments up, so
//! that nobody can leave it out, and so that it can be checked afterwards that all calls were made with the
//! arguments that they should have. Rivals call functions that do the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use carnet_portal::call::Object;
use carnet_portal::stub::{Caller, Failure};

/// Stubs of `null.idl`.
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]
pub mod null {
    include!(concat!(env!("OUT_DIR"), "/null.rs"));
}

/// Stubs of `other.idl`.
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]
pub mod other {
    include!(concat!(env!("OUT_DIR"), "/other.rs"));
}

/// What a service counts. One thread uses it at a time, so that a load and a store make an update.
#[derive(Debug, Default)]
pub struct Counters {
    left: AtomicI64,
    sum: AtomicI64,
}

impl Counters {
    /// Makes `read` give more than 0 `left` times, and the sum 0.
    pub fn start(&self, left: i64) {
        self.left.store(left, Ordering::Relaxed);
        self.sum.store(0, Ordering::Relaxed);
    }

    /// Sum of the arguments of all calls of `write`, the second counting twice and the third three times.
    #[must_use]
    pub fn sum(&self) -> i64 {
        self.sum.load(Ordering::Relaxed)
    }

    #[inline]
    fn read(&self) -> i64 {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left - 1, Ordering::Relaxed);
        left
    }

    #[inline]
    fn write(&self, i: i64, j: i64, k: i64) -> i64 {
        let sum = self.sum.load(Ordering::Relaxed);
        self.sum.store(sum.wrapping_add(i).wrapping_add(2 * j).wrapping_add(3 * k), Ordering::Relaxed);
        k
    }
}

struct Null(Arc<Counters>);

impl null::NullService for Null {
    fn read(&self, _caller: &Caller, _i: i64, _j: i64, _k: i64) -> Result<i64, Failure> {
        Ok(self.0.read())
    }

    fn write(&self, _caller: &Caller, i: i64, j: i64, k: i64) -> Result<i64, Failure> {
        Ok(self.0.write(i, j, k))
    }

    fn again(&self, _caller: &Caller, i: i64, j: i64, k: i64) -> Result<i64, Failure> {
        Ok(self.0.write(i, j, k))
    }
}

struct Tape(Arc<Counters>);

impl other::TapeService for Tape {
    fn position(&self, _caller: &Caller) -> Result<i64, Failure> {
        Ok(self.0.left.load(Ordering::Relaxed))
    }

    fn ended(&self, _caller: &Caller) -> Result<bool, Failure> {
        Ok(self.0.left.load(Ordering::Relaxed) <= 0)
    }

    fn punch(&self, _caller: &Caller, i: i64, j: i64, k: i64) -> Result<i64, Failure> {
        Ok(self.0.write(i, j, k))
    }

    fn scan(&self, _caller: &Caller, _i: i64, _j: i64, _k: i64) -> Result<i64, Failure> {
        Ok(self.0.read())
    }
}

/// An object with the interface `null.Null` on these counters.
#[must_use]
pub fn null_object(counters: &Arc<Counters>) -> Arc<dyn Object> {
    null::Null::serve(Null(Arc::clone(counters))).into_object()
}

/// An object with the interface `other.Tape` on these counters.
#[must_use]
pub fn tape_object(counters: &Arc<Counters>) -> Arc<dyn Object> {
    other::Tape::serve(Tape(Arc::clone(counters))).into_object()
}
