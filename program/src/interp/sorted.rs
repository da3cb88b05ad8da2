//! Sorting that can be stopped: of both interpreters, so that a run that is to end ends soon whatever it sorts.
//!
//! Comparing two texts takes as long as they are. So pieces of a list are sorted, and merged, that are the shorter the longer its
//! texts may be, and between two of them there is a look whether to go on. Whoever gives way goes on where it was.

use std::cmp::Ordering;

/// What is done between two looks, in comparisons of 64 bytes: a millisecond at most.
const UNITS_AT_ONCE: u64 = 1 << 17;

/// How many elements are sorted between two looks if a comparison is so many units.
fn at_once(each: u64) -> usize {
    let mut piece = 1_usize << 15;
    while piece > 1 && (piece as u64 * u64::from(piece.trailing_zeros())).saturating_mul(each) > UNITS_AT_ONCE
    {
        piece /= 2;
    }
    piece
}

/// Elements of a list that are put in their places between two looks, if they are words: each may lie anywhere.
const MOVED_AT_ONCE: usize = 1 << 14;

/// How many elements of so many words are put in their places between two looks.
pub(crate) fn moved_at_once(words: usize) -> usize {
    (MOVED_AT_ONCE / (1 + words / 8)).max(1)
}

/// The stable order of elements 0 to `count` as it is found, step by step: pieces are sorted, then merged in turns. It is of a list that
/// stays as it is.
#[derive(Debug)]
pub(crate) struct Sorting {
    count: usize,
    at_once: usize,
    /// Those that are listed yet; all, and in order as far as `phase` says.
    order: Vec<u32>,
    /// What they are merged into.
    merged: Vec<u32>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The elements from here on are in no order yet.
    Pieces(usize),
    /// Each `width` of them are in order. Of the pair that is merged into the end of `merged`, these come next.
    Merge {
        width: usize,
        left: usize,
        right: usize,
    },
    Done,
}

impl Sorting {
    /// A comparison is `each` units of 64 bytes at most.
    pub(crate) fn new(count: u32, each: u64) -> Sorting {
        let count = count as usize;
        let order = Vec::with_capacity(count);
        Sorting { count, at_once: at_once(each), order, merged: Vec::new(), phase: Phase::Pieces(0) }
    }

    /// Sorts on: a step, and another as long as `goes_on`; the order, if it is known then.
    pub(crate) fn advance(
        &mut self,
        compare: impl Fn(&u32, &u32) -> Ordering,
        goes_on: impl Fn() -> bool,
    ) -> Option<&[u32]> {
        while !matches!(self.phase, Phase::Done) {
            self.step(&compare);
            if !matches!(self.phase, Phase::Done) && !goes_on() {
                return None;
            }
        }
        Some(&self.order)
    }

    fn step(&mut self, compare: &impl Fn(&u32, &u32) -> Ordering) {
        match self.phase {
            Phase::Pieces(from) => {
                let end = self.count.min(from + self.at_once);
                self.order.extend(from as u32..end as u32);
                self.order[from..end].sort_by(compare);
                self.phase = match end == self.count {
                    true => self.merging(self.at_once),
                    false => Phase::Pieces(end),
                };
            }
            Phase::Merge { width, left, right } => self.phase = self.merge(width, (left, right), compare),
            Phase::Done => {}
        }
    }

    /// What there is to do when each `width` elements are in order.
    fn merging(&mut self, width: usize) -> Phase {
        if width >= self.count {
            self.merged = Vec::new();
            return Phase::Done;
        }
        self.merged.reserve(self.count);
        Phase::Merge { width, left: 0, right: 0 }
    }

    fn merge(
        &mut self,
        width: usize,
        (mut left, mut right): (usize, usize),
        compare: &impl Fn(&u32, &u32) -> Ordering,
    ) -> Phase {
        for _ in 0..self.at_once.min(self.count - self.merged.len()) {
            let at = self.merged.len();
            // Widths are powers of two.
            let pair = at & !(2 * width - 1);
            let (middle, end) = (self.count.min(pair + width), self.count.min(pair + 2 * width));
            if at == pair {
                (left, right) = (pair, middle);
            }
            // Of equals the left one comes first.
            let is_right =
                left == middle || right < end && compare(&self.order[right], &self.order[left]).is_lt();
            let next = if is_right { &mut right } else { &mut left };
            self.merged.push(self.order[*next]);
            *next += 1;
        }
        if self.merged.len() < self.count {
            return Phase::Merge { width, left, right };
        }
        std::mem::swap(&mut self.order, &mut self.merged);
        self.merged.clear();
        self.merging(2 * width)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Units of texts of so many bytes at most.
    const LENGTHS: [u64; 4] = [0, 100, 4_096, 1 << 20];

    /// Long enough to be merged three times; many equals, so that an unstable merge would show.
    #[test]
    fn long_lists_are_sorted_stably_and_can_be_stopped() {
        let key = |k: u32| k.wrapping_mul(2_654_435_761) >> 22;
        let compare = |a: &u32, b: &u32| key(*a).cmp(&key(*b));
        let whole = at_once(1) as u32;
        for each in LENGTHS.map(|bytes| 1 + bytes / 64) {
            for count in [0, 1, 2, whole, whole + 1, 200_000] {
                let mut expected: Vec<u32> = (0..count).collect();
                expected.sort_by(compare);
                assert_eq!(
                    Sorting::new(count, each).advance(compare, || true),
                    Some(&expected[..]),
                    "{count}"
                );
                // One step at a time.
                let (mut sorting, mut steps) = (Sorting::new(count, each), 1);
                while sorting.advance(compare, || false).is_none() {
                    steps += 1;
                }
                assert_eq!(sorting.advance(compare, || false), Some(&expected[..]), "{count}");
                assert_eq!(steps > 1, count as usize > at_once(each), "{count}: {steps}");
            }
        }
        let looks = Cell::new(0);
        let mut sorting = Sorting::new(200_000, 1);
        let stopped = sorting.advance(compare, || {
            looks.set(looks.get() + 1);
            looks.get() < 9
        });
        assert_eq!((stopped, looks.get()), (None, 9));
    }

    /// However long texts are, and whatever order they are in.
    #[test]
    fn between_two_looks_there_is_no_more_work_than_is_meant() {
        for each in LENGTHS.map(|bytes| 1 + bytes / 64) {
            let (since, most) = (Cell::new(0), Cell::new(0));
            let compare = |a: &u32, b: &u32| {
                since.set(since.get() + each);
                most.set(most.get().max(since.get()));
                let key = |k: u32| k.wrapping_mul(2_654_435_761) >> 12;
                key(*a).cmp(&key(*b))
            };
            let mut sorting = Sorting::new(100_000, each);
            let order = sorting.advance(compare, || {
                since.set(0);
                true
            });
            assert!(order.is_some());
            assert!(most.get() <= 2 * UNITS_AT_ONCE.max(each), "{each}: {}", most.get());
        }
    }
}
