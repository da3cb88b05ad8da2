//! Sorting that can be stopped: of both interpreters, so that a run that is to end ends soon whatever it sorts.
//!
//! Comparing two texts takes as long as they are. So pieces of a list are sorted, and merged, that are the shorter the longer its
//! texts may be, and between two of them there is a look whether to go on.

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

/// The stable order of elements 0 to `count`, of which each comparison is `each` units of 64 bytes at most; `None` if it should not
/// go on. Pieces are sorted, then merged in turns.
pub(crate) fn sorted(
    count: u32,
    each: u64,
    compare: impl Fn(&u32, &u32) -> Ordering,
    go_on: impl Fn() -> bool,
) -> Option<Vec<u32>> {
    let at_once = at_once(each);
    let mut order: Vec<u32> = (0..count).collect();
    for piece in order.chunks_mut(at_once) {
        if !go_on() {
            return None;
        }
        piece.sort_by(&compare);
    }
    let mut width = at_once;
    let mut merged = Vec::with_capacity(if order.len() > width { order.len() } else { 0 });
    while width < order.len() {
        merged.clear();
        for pair in order.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let ([a, ..], [b, ..]) = (left, right) {
                // Of equals the left one comes first.
                let from = if compare(b, a).is_lt() { &mut right } else { &mut left };
                merged.push(from[0]);
                *from = &from[1..];
                if merged.len().is_multiple_of(at_once) && !go_on() {
                    return None;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    Some(order)
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
                assert_eq!(sorted(count, each, compare, || true), Some(expected), "{count}");
            }
        }
        let looks = Cell::new(0);
        let stopped = sorted(200_000, 1, compare, || {
            looks.set(looks.get() + 1);
            looks.get() < 9
        });
        assert_eq!(stopped, None);
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
            sorted(100_000, each, compare, || {
                since.set(0);
                true
            });
            assert!(most.get() <= 2 * UNITS_AT_ONCE.max(each), "{each}: {}", most.get());
        }
    }
}
