//! The rest of a frame that has begun: until when it must come. Who is slow has as long as it takes, if it is not slower than
//! may be; who drips is ended. And that of a reply, which is taken in parts: until when the client must read on.
//!
//! ```text
//! begun ─── timeout ───┐  so many bytes came before: ─── timeout ───┐  … or fewer: it is over
//!                      └ counted anew from then ─────┘
//! ```

use std::time::{Duration, Instant};

use super::end::{End, farewell};
use crate::call::Kind;

/// How often in a client's time to read it is tried whether there is room again: a socket is not told to have some before
/// most of what lies there is gone, and what the client's system took soon must not count as what the client has read late.
const TRIES: u32 = 8;

/// When to try again to send what waits since `since`, if that was tried last at `tried`.
pub(crate) fn try_again(since: Instant, tried: Instant, timeout: Duration) -> Option<Instant> {
    let soon = tried.checked_add(timeout / TRIES);
    since.checked_add(timeout).map(|due| soon.map_or(due, |soon| soon.min(due)))
}

/// A frame that is there in part, or was taken in part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    since: Instant,
    /// Bytes of it that were there then.
    before: usize,
    /// Bytes of it that are there.
    here: usize,
}

impl Rest {
    pub(crate) fn new(here: usize, now: Instant) -> Rest {
        Rest { since: now, before: here, here }
    }

    /// So many bytes of it are there; if `bytes_min` came, it has all the time for the next ones.
    #[inline]
    pub(crate) fn note(&mut self, here: usize, bytes_min: usize, now: impl FnOnce() -> Instant) {
        self.here = here;
        if self.came() >= bytes_min.max(1) {
            *self = Rest::new(here, now());
        }
    }

    /// Bytes of it that were there last.
    pub(crate) fn here(&self) -> usize {
        self.here
    }

    /// When the present time began.
    pub(crate) fn since(&self) -> Instant {
        self.since
    }

    fn came(&self) -> usize {
        self.here.saturating_sub(self.before)
    }

    /// Until when as many must have come; `None`: for ever.
    pub(crate) fn due(&self, timeout: Duration) -> Option<Instant> {
        self.since.checked_add(timeout)
    }

    /// How a session ends in which that did not happen.
    #[cold]
    pub(super) fn late(&self, timeout: Duration, bytes_min: usize) -> End {
        match self.came() {
            0 => End::half(timeout),
            came => farewell(
                Kind::TimedOut,
                &format!(
                    "half of a message came, and {came} bytes of it within {timeout:?}; {bytes_min} are the least"
                ),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::ServerLimits;

    /// Pieces of a message of 1 MiB, one each so often: how much of it came before it was over.
    fn came_of_a_mebibyte(piece: usize, every: Duration) -> (usize, Option<String>) {
        let (limits, begun) = (ServerLimits::default(), Instant::now());
        let mut rest = Rest::new(piece, begun);
        let (mut here, mut now) = (piece, begun);
        while here < 1 << 20 {
            now += every;
            if now > rest.due(limits.frame_timeout).expect("a time") {
                let End::Farewell(failure) = rest.late(limits.frame_timeout, limits.frame_bytes_min) else {
                    panic!("it says why")
                };
                return (here, Some(failure.details().message.clone()));
            }
            here += piece;
            rest.note(here, limits.frame_bytes_min, || now);
        }
        (here, None)
    }

    #[test]
    fn who_is_slow_has_the_time_that_it_takes_and_who_drips_has_not() {
        let millis = Duration::from_millis;
        for (piece, every) in [(16 << 10, 250), (16 << 10, 3_000), (5 << 10, 1_000), (1 << 20, 9_000)] {
            let (here, why) = came_of_a_mebibyte(piece, millis(every));
            assert!(here >= 1 << 20 && why.is_none(), "{piece} bytes each {every} ms: {here}, {why:?}");
        }
        let least = |bytes| {
            format!("half of a message came, and {bytes} bytes of it within 10s; 32768 are the least")
        };
        assert_eq!(came_of_a_mebibyte(1, millis(100)), (101, Some(least(100))));
        assert_eq!(came_of_a_mebibyte(3 << 10, millis(1_000)), (33 << 10, Some(least(30_720))));
        let silent = came_of_a_mebibyte(1 << 10, millis(10_001));
        assert_eq!(silent, (1 << 10, Some("half of a message came, and no more for 10s".to_owned())));
    }
}
