//! Searching a text for another one in steps, so that a run that is to end, or to give way, does so whatever it searches for.
//!
//! Short texts, and short parts of long ones, are searched for by a library, a window at a time. For a long part, of which the library would
//! look at all in one go, this is the two-way algorithm (Crochemore and Perrin, "Two-way string-matching", Journal of the ACM 38,
//! 1991): time proportional to both texts, no memory, and little to remember between two steps.

use std::ops::ControlFlow;

use memchr::memmem::{self, Finder};

/// Longer parts are searched for by steps of our own.
const PART_MAX: usize = 16 << 10;
/// Bytes that are looked at between two steps: less than a millisecond, in any text.
const STEP: usize = 1 << 18;

/// A search that is under way. It is of two texts that stay as they are.
#[derive(Debug)]
pub(crate) enum Search {
    /// For a short part: where it may begin, at the earliest.
    Windows(usize),
    /// For a long one.
    TwoWay(TwoWay),
}

/// Whether `part` is in `text`, if that is known before `goes_on` says no. What is `under_way` then goes on with the next call; at the
/// beginning nothing is. Short texts are never left so.
pub(crate) fn holds(
    under_way: &mut Option<Box<Search>>,
    text: &[u8],
    part: &[u8],
    goes_on: impl Fn() -> bool,
) -> Option<bool> {
    match text.len() {
        len if len < part.len() => Some(false),
        len if len <= STEP => Some(memmem::find(text, part).is_some()),
        _ => {
            let search = under_way.get_or_insert_with(|| Box::new(Search::new(part)));
            search.advance(text, part, goes_on)
        }
    }
}

impl Search {
    fn new(part: &[u8]) -> Search {
        if part.len() <= PART_MAX { Search::Windows(0) } else { Search::TwoWay(TwoWay::new()) }
    }

    /// Searches on: a step, and another as long as `goes_on`; whether `part` is in `text`, if that is known then.
    fn advance(&mut self, text: &[u8], part: &[u8], goes_on: impl Fn() -> bool) -> Option<bool> {
        match self {
            Search::Windows(from) => {
                let finder = Finder::new(part);
                loop {
                    let window = text.get(*from..).unwrap_or_default();
                    let len = window.len().min(STEP + part.len());
                    if finder.find(&window[..len]).is_some() {
                        return Some(true);
                    }
                    if len == window.len() {
                        return Some(false);
                    }
                    *from += STEP;
                    if !goes_on() {
                        return None;
                    }
                }
            }
            Search::TwoWay(search) => loop {
                if let ControlFlow::Break(found) = search.step(text, part) {
                    return Some(found);
                }
                if !goes_on() {
                    return None;
                }
            },
        }
    }
}

/// The two-way algorithm. Each part has a critical factorization: it is cut in two so that, where the right half fits and the left does not,
/// it can be moved on by its period.
#[derive(Debug)]
pub(crate) struct TwoWay {
    phase: Phase,
    /// The greatest suffix, by each order of the bytes, as far as it is known.
    suffixes: [Suffix; 2],
    /// Where the right half begins.
    cut: usize,
    /// How far the part moves on when the right half fits.
    period: usize,
    /// Whether it repeats with that period, so that what fitted need not be looked at again.
    repeats: bool,
    /// Where the part lies now.
    at: usize,
    /// How much of its beginning is known to fit there.
    known: usize,
    /// How much of what is compared now is known to be equal.
    equal: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The greatest suffix by the first order is looked for, then by the second.
    Suffix(bool),
    /// Whether the left half comes again after a period.
    Repeats,
    Right,
    Left,
}

/// The greatest suffix of what was looked at: where it begins, and its period; what is compared with it begins at `next`, and is equal in its
/// first `equal` bytes.
#[derive(Clone, Copy, Debug)]
struct Suffix {
    begin: usize,
    period: usize,
    next: usize,
    equal: usize,
}

impl TwoWay {
    fn new() -> TwoWay {
        TwoWay {
            phase: Phase::Suffix(false),
            suffixes: [Suffix { begin: 0, period: 1, next: 1, equal: 0 }; 2],
            cut: 0,
            period: 1,
            repeats: false,
            at: 0,
            known: 0,
            equal: 0,
        }
    }

    /// Looks at [`STEP`] bytes or a little more; whether `part` is in `text`, once it is known.
    fn step(&mut self, text: &[u8], part: &[u8]) -> ControlFlow<bool> {
        let mut left = STEP;
        while left > 0 {
            match self.phase {
                Phase::Suffix(greater) => {
                    if self.suffixes[usize::from(greater)].grow(part, greater, &mut left) {
                        self.phase = if greater { self.factorized() } else { Phase::Suffix(true) };
                    }
                }
                Phase::Repeats => {
                    let again = part.get(self.period..).unwrap_or_default();
                    match compare(&mut self.equal, &part[..self.cut], again, &mut left) {
                        None => {}
                        Some(repeats) => {
                            self.repeats = repeats;
                            if !repeats {
                                self.period = self.cut.max(part.len() - self.cut) + 1;
                            }
                            self.align(0, 0);
                        }
                    }
                }
                Phase::Right => {
                    let Some(there) = text.get(self.at..).filter(|there| there.len() >= part.len()) else {
                        return ControlFlow::Break(false);
                    };
                    let from = self.cut.max(self.known);
                    match compare(&mut self.equal, &part[from..], &there[from..], &mut left) {
                        None => {}
                        Some(true) => (self.phase, self.equal) = (Phase::Left, 0),
                        Some(false) => self.align(self.at + from - self.cut + self.equal + 1, 0),
                    }
                }
                Phase::Left => {
                    // What is known to fit need not be looked at.
                    let halves = (part.get(self.known..self.cut), text.get(self.at + self.known..));
                    let (here, there) = (halves.0.unwrap_or_default(), halves.1.unwrap_or_default());
                    match compare(&mut self.equal, here, there, &mut left) {
                        None => {}
                        Some(true) => return ControlFlow::Break(true),
                        Some(false) => {
                            let known = if self.repeats { part.len() - self.period } else { 0 };
                            self.align(self.at + self.period, known);
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Lays the part there, with so much of its beginning known to fit.
    fn align(&mut self, at: usize, known: usize) {
        (self.phase, self.at, self.known, self.equal) = (Phase::Right, at, known, 0);
    }

    /// The greatest suffix that is shorter is where the part is cut.
    fn factorized(&mut self) -> Phase {
        let [less, greater] = self.suffixes;
        let suffix = if less.begin > greater.begin { less } else { greater };
        (self.cut, self.period, self.equal) = (suffix.begin, suffix.period, 0);
        Phase::Repeats
    }
}

impl Suffix {
    /// Looks at more of `part`; whether that was all.
    fn grow(&mut self, part: &[u8], greater: bool, left: &mut usize) -> bool {
        let Suffix { mut begin, mut period, mut next, mut equal } = *self;
        while *left > 0 && next + equal < part.len() {
            let (of_suffix, here) = (part[begin + equal], part[next + equal]);
            if of_suffix == here {
                equal += 1;
                if equal == period {
                    (next, equal) = (next + period, 0);
                }
            } else if (here < of_suffix) != greater {
                (next, equal) = (next + equal + 1, 0);
                period = next - begin;
            } else {
                // It is greater: it begins there.
                (begin, next, equal, period) = (next, next + 1, 0, 1);
            }
            *left -= 1;
        }
        *self = Suffix { begin, period, next, equal };
        next + equal >= part.len()
    }
}

/// Compares `here` with the beginning of `there`, of which the first `equal` bytes are known to be the same; whether all are, if that
/// is known by now. If not, `equal` says how many are.
fn compare(equal: &mut usize, here: &[u8], there: &[u8], left: &mut usize) -> Option<bool> {
    const CHUNK: usize = 64;
    let (rest, other) = (here.get(*equal..).unwrap_or_default(), there.get(*equal..).unwrap_or_default());
    let most = rest.len().min(*left);
    let chunks = rest[..most].chunks(CHUNK).zip(other.chunks(CHUNK));
    let mut same = 0;
    for (a, b) in chunks {
        if b.get(..a.len()) != Some(a) {
            same += a.iter().zip(b).take_while(|(a, b)| a == b).count();
            *left = left.saturating_sub(same + 1);
            *equal += same;
            return Some(false);
        }
        same += a.len();
    }
    *left = left.saturating_sub(same.max(1));
    *equal += same;
    match *equal == here.len() {
        true => Some(true),
        false if same < most => Some(false),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// What two steps at a time find, as a search that is interrupted does.
    fn in_steps(text: &[u8], part: &[u8], mut search: Search) -> bool {
        loop {
            let steps = Cell::new(0);
            let goes_on = || steps.replace(steps.get() + 1) < 1;
            if let Some(found) = search.advance(text, part, goes_on) {
                return found;
            }
        }
    }

    /// Few different bytes, and periods, so that much fits and little is found.
    #[test]
    fn the_two_way_algorithm_finds_what_the_library_finds() {
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let (mut found, mut not_found) = (0, 0);
        for _ in 0..60_000 {
            let letters = 1 + random(3);
            let mut text: Vec<u8> = (0..random(60)).map(|_| b'a' + random(letters) as u8).collect();
            if random(2) == 0 && !text.is_empty() {
                let period = 1 + random(text.len());
                text = (0..random(80)).map(|at| text[at % period]).collect();
            }
            let mut part: Vec<u8> = (0..random(12)).map(|_| b'a' + random(letters) as u8).collect();
            if random(2) == 0 && !text.is_empty() {
                let from = random(text.len());
                part = text[from..from + random(text.len() - from + 1)].to_vec();
                if let (1, Some(last)) = (random(3), part.last_mut()) {
                    *last ^= 1;
                }
            }
            let expected = memmem::find(&text, &part).is_some();
            let ours = in_steps(&text, &part, Search::TwoWay(TwoWay::new()));
            assert_eq!(ours, expected, "{part:?} in {text:?}");
            *(if expected { &mut found } else { &mut not_found }) += 1;
        }
        assert!(found > 10_000 && not_found > 10_000, "{found} {not_found}");
    }

    /// Long ones, in windows and in steps: where the part lies across the end of a window, and nowhere.
    #[test]
    fn long_texts_are_searched_in_steps() {
        for len in [1, 2, PART_MAX, PART_MAX + 1, 3 * STEP] {
            let part: Vec<u8> = (0..len).map(|at| if at + 1 == len { b'b' } else { b'a' }).collect();
            for before in [0, 1, STEP - 1, STEP, STEP + 1, 2 * STEP] {
                let mut text = vec![b'a'; before + len + 1];
                let found = in_steps(&text, &part, Search::new(&part));
                assert!(!found, "{len} {before}");
                text[before + len - 1] = b'b';
                assert!(in_steps(&text, &part, Search::new(&part)), "{len} {before}");
            }
        }
    }

    /// The worst that is known of the algorithm: all steps together look at no more than a few times both texts.
    #[test]
    fn a_search_takes_time_in_proportion_to_the_texts() {
        let len = 2 << 20;
        let text = vec![b'a'; 2 * len];
        let with = |places: &[usize]| {
            let mut part = vec![b'a'; len];
            places.iter().for_each(|&place| part[place] = b'b');
            part
        };
        for part in [with(&[len - 1]), with(&[0]), with(&[len / 2]), with(&[len / 3, len - 1])] {
            let steps = Cell::new(0);
            let counted = || steps.replace(steps.get() + 1) < usize::MAX;
            assert_eq!(Search::new(&part).advance(&text, &part, counted), Some(false));
            assert!(steps.get() <= 6 * (text.len() + part.len()) / STEP, "{}", steps.get());
        }
    }
}
