//! Work that one case does, counted in steps, so that none can go on without end.
//!
//! A step is a slice of a run, an instruction that a run used, a call that the probe saw, or 64 bytes of what a call
//! carried or a compiler read. A case that takes more than [`STEPS_MAX`] breaks its promise to end.

use std::cell::Cell;

/// Most steps of one case: some twenty times what the dearest of many took.
pub const STEPS_MAX: u64 = 10_000_000;

thread_local! {
    /// Steps of the case of this thread; nothing outside of a case, as on the threads of a server.
    static STEPS: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Runs one case; what it returns, and the steps that it took.
///
/// # Panics
/// If the case does, or takes more than [`STEPS_MAX`].
pub fn counted<T>(case: impl FnOnce() -> T) -> (T, u64) {
    STEPS.set(Some(0));
    let made = case();
    (made, STEPS.take().unwrap_or(0))
}

/// Counts `steps`, if this thread is in a case.
///
/// # Panics
/// If the case took too many.
pub fn add(steps: u64) {
    let Some(before) = STEPS.get() else { return };
    let now = before.saturating_add(steps);
    STEPS.set(Some(now));
    assert!(now <= STEPS_MAX, "a case takes more than {STEPS_MAX} steps");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_one_case() {
        add(STEPS_MAX + 1);
        assert_eq!(counted(|| add(3)), ((), 3));
        assert_eq!(counted(|| add(4)), ((), 4));
        assert!(std::panic::catch_unwind(|| counted(|| add(STEPS_MAX + 1))).is_err());
    }
}
