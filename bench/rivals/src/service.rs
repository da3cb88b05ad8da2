//! Calls that do nothing, the same as those of bench/src/services.rs.

use std::sync::atomic::{AtomicI64, Ordering};

static LEFT: AtomicI64 = AtomicI64::new(0);
static SUM: AtomicI64 = AtomicI64::new(0);

pub fn start(left: i64) {
    LEFT.store(left, Ordering::Relaxed);
    SUM.store(0, Ordering::Relaxed);
}

pub fn sum() -> i64 {
    SUM.load(Ordering::Relaxed)
}

pub fn read(_i: i64, _j: i64, _k: i64) -> i64 {
    let left = LEFT.load(Ordering::Relaxed);
    LEFT.store(left - 1, Ordering::Relaxed);
    left
}

pub fn write(i: i64, j: i64, k: i64) -> i64 {
    let sum = SUM.load(Ordering::Relaxed);
    SUM.store(sum + i + 2 * j + 3 * k, Ordering::Relaxed);
    k
}
