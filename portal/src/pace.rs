//! Pace: how fast the server looks at memory that one principal hands over.
//!
//! Looking for holes goes over all pages within one system call, a millisecond for 256 MiB, and where the system preempts none
//! whoever wakes up on that processor waits for its end. To hand the same memory over again costs a client nothing. So the memory
//! of each principal is looked at piece by piece, and each piece has ten times the time that it takes: a principal has a tenth of a
//! processor, however many sessions it has. Whoever fills memory before it is handed over takes longer for that, and waits
//! for other sessions of the same principal alone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::session::lock;

/// Bytes of one principal for each nanosecond: a tenth of what is looked at in that time.
const BYTES_PER_NS: u64 = 25;

/// Until when each principal's time is taken. Those whose time is free are forgotten.
#[derive(Debug, Default)]
pub(crate) struct Pace(Mutex<HashMap<Arc<str>, Instant>>);

impl Pace {
    /// How long to wait from `now` before so many bytes of a principal are looked at. They have their time then, and others of
    /// the same principal come after them.
    pub(crate) fn take(&self, principal: &Arc<str>, bytes: usize, now: Instant) -> Duration {
        let mut taken = lock(&self.0);
        taken.retain(|_, until| *until > now);
        let until = taken.entry(Arc::clone(principal)).or_insert(now);
        let wait = until.duration_since(now);
        *until += Duration::from_nanos(bytes as u64 / BYTES_PER_NS);
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_hands_much_over_waits_for_what_it_did_and_for_nobody_else() {
        let (pace, now) = (Pace::default(), Instant::now());
        let (alice, bob) = (Arc::from("alice"), Arc::from("bob"));
        let bytes = 25_000_000;
        let waits =
            |principal, after| pace.take(principal, bytes, now + Duration::from_millis(after)).as_millis();
        assert_eq!([waits(&alice, 0), waits(&alice, 0), waits(&bob, 0), waits(&alice, 0)], [0, 1, 0, 2]);
        assert_eq!(
            [waits(&alice, 2), waits(&alice, 4)],
            [1, 0],
            "time that has passed counts, and is not saved up"
        );
        assert_eq!([waits(&alice, 9), waits(&alice, 9)], [0, 1]);
        assert!(!lock(&pace.0).contains_key(&bob), "whose time is free is forgotten");
    }
}
