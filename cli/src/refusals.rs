//! How many refusals are told one by one, so that who guesses tokens does not fill the log: those that come first in a second,
//! and of the others how many there were.

use std::time::{Duration, Instant};

/// Refusals of one second that are told each.
const EACH_MAX: u64 = 10;

const SECOND: Duration = Duration::from_secs(1);

/// The refusals of the second that began with the first of them.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    since: Option<Instant>,
    count: u64,
}

impl Refusals {
    /// Counts one; whether it is told.
    pub(crate) fn count(&mut self, now: Instant) -> bool {
        self.since.get_or_insert(now);
        self.count += 1;
        self.count <= EACH_MAX
    }

    /// How many were not told, if there are some and their second is over. Asked before each is counted, and now and then.
    pub(crate) fn untold(&mut self, now: Instant) -> Option<u64> {
        self.since.filter(|since| now.saturating_duration_since(*since) >= SECOND)?;
        let Refusals { count, .. } = std::mem::take(self);
        count.checked_sub(EACH_MAX).filter(|more| *more > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_second_are_told_and_the_others_counted() {
        let (mut refusals, begun) = (Refusals::default(), Instant::now());
        let (mut lines, mut told, mut counted) = (0, 0, 0);
        // A thousand a second, for ten seconds.
        for number in 0..10_000 {
            let now = begun + Duration::from_millis(number);
            if let Some(more) = refusals.untold(now) {
                (lines, counted) = (lines + 1, counted + more);
            }
            if refusals.count(now) {
                (lines, told) = (lines + 1, told + 1);
            }
        }
        assert_eq!((lines, told, counted), (109, 100, 9 * 990));
        let later = begun + Duration::from_secs(60);
        assert_eq!((refusals.untold(later), refusals.untold(later)), (Some(990), None));
        assert!(refusals.count(later) && refusals.untold(later + SECOND).is_none());
    }
}
