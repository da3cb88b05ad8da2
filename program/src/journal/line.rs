//! How far back the servers of one journal remember, so that a client whose run is unknown can be told that it never began.
//!
//! Runs are counted, on from server to server: the number of servers, and of runs that this one began. Of what was forgotten the
//! highest count is written down before it goes.
//!
//! ```text
//! header: one half: line, servers, forgotten, digest │ the other half │ which of them counts
//! ```
//! The half that does not count is written, and counts then: whenever the process is killed, the one that counts is whole. If it is not, it
//! was edited, and is refused.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::Ordering;

use carnet_memory::Mapping;

use super::{check, sealed, unsealed, wrote};

/// Where its words are, in each half.
const HALVES: [[usize; 4]; 2] = [[40, 48, 56, 64], [72, 80, 88, 96]];
/// Which half counts.
const WHICH: usize = 104;
const WHICH_BITS: u32 = 1;
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

/// What counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    half: usize,
    of: u64,
    starts: u64,
    forgotten: u64,
}

/// No server has begun yet.
pub(super) fn first() -> Words {
    // What is forgotten counts from the first server on.
    Words { half: 1, of: RandomState::new().hash_one(0) | 1, starts: 0, forgotten: 1 << RUNS_BITS }
}

/// What counts, if it is as it was written.
pub(super) fn found(mapping: &Mapping, key: u64) -> Option<Words> {
    let word = |at: usize| mapping.word(at).load(Ordering::Relaxed);
    let half = unsealed(key ^ WHICH as u64, word(WHICH), WHICH_BITS)? as usize;
    let [of, starts, forgotten, digest] = HALVES[half].map(word);
    (digest == sum(key, half, [of, starts, forgotten])).then_some(Words { half, of, starts, forgotten })
}

impl Words {
    /// What counts when the next server has begun.
    pub(super) fn next(self) -> Words {
        Words { starts: self.starts + 1, ..self }
    }

    /// What the server begins with that has begun last.
    pub(super) fn line(self) -> Line {
        Line { of: self.of, clock: self.starts << RUNS_BITS, forgotten: self.forgotten }
    }
}

/// Runs until there are about to be forgotten.
pub(super) fn forget(mapping: &Mapping, key: u64, until: u64) {
    // It was as it was written when this server began.
    if let Some(words) = found(mapping, key) {
        store(mapping, key, Words { forgotten: words.forgotten.max(until), ..words });
    }
}

/// In the other half.
pub(super) fn store(mapping: &Mapping, key: u64, words: Words) {
    let Words { half, of, starts, forgotten } = words;
    let half = 1 - half;
    let digest = sum(key, half, [of, starts, forgotten]);
    HALVES[half].into_iter().zip([of, starts, forgotten, digest]).for_each(|(at, word)| {
        mapping.word(at).store(word, Ordering::Release);
        wrote();
    });
    mapping.word(WHICH).store(sealed(key ^ WHICH as u64, half as u64, WHICH_BITS), Ordering::Release);
    wrote();
}

fn sum(key: u64, half: usize, words: [u64; 3]) -> u64 {
    check(key ^ half as u64, words.map(u64::to_le_bytes).as_flattened())
}
