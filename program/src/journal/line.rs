//! How far back the servers of one journal remember, so that a client whose run is unknown can be told that it never began.
//!
//! Runs are counted, on from server to server: the number of servers, and of runs that this one began. Of what was forgotten the
//! highest count is written down before it goes. If that is not as it was written, or another program wrote these words, a new line
//! of servers begins, of which nobody knows anything.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::Ordering;

use carnet_memory::Mapping;

use super::check;

/// Where its words are.
const AT: [usize; 4] = [40, 48, 56, 64];
/// Bits of the number of runs of one server.
const RUNS_BITS: u32 = 40;

/// What a server begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Which one it is.
    pub(crate) of: u64,
    /// Runs are counted from here.
    pub(crate) clock: u64,
    /// Of those that began later none was forgotten before.
    pub(crate) forgotten: u64,
}

/// Another server begins.
pub(super) fn begin(mapping: &Mapping, key: u64) -> Line {
    let words = AT.map(|at| mapping.word(at).load(Ordering::Relaxed));
    let [of, starts, forgotten, found] = words;
    let is_whole = of != 0 && found == sum(key, [of, starts, forgotten]);
    let starts = if is_whole { starts + 1 } else { 1 };
    let clock = starts << RUNS_BITS;
    let line = match is_whole {
        true => Line { of, clock, forgotten },
        false => Line { of: RandomState::new().hash_one(0) | 1, clock, forgotten: clock },
    };
    store(mapping, key, [line.of, starts, line.forgotten]);
    line
}

/// Runs until there are about to be forgotten.
pub(super) fn forget(mapping: &Mapping, key: u64, until: u64) {
    let [of, starts, forgotten] = [0, 1, 2].map(|n| mapping.word(AT[n]).load(Ordering::Relaxed));
    store(mapping, key, [of, starts, forgotten.max(until)]);
}

/// Whoever is killed between two of these begins a new line the next time.
fn store(mapping: &Mapping, key: u64, words: [u64; 3]) {
    let sum = sum(key, words);
    AT.into_iter().zip([words[0], words[1], words[2], sum]).for_each(|(at, word)| {
        mapping.word(at).store(word, Ordering::Release);
    });
}

fn sum(key: u64, words: [u64; 3]) -> u64 {
    check(key, words.map(u64::to_le_bytes).as_flattened())
}
