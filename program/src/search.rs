//! Searching a text for another one in steps, so that a run that is to end, or to give way, does so whatever it searches for; and what that
//! costs, in steps of the interpreter.
//!
//! Where the rarest byte of the part is found, the part may lie: most texts have few such places, and are passed as fast as a byte is found in
//! memory. If there are many, or much of the part fits in some, the rest is for the two-way algorithm (Crochemore and Perrin, "Two-way
//! string-matching", Journal of the ACM 38, 1991): time proportional to both texts, no memory, and little to remember between two steps.
//!
//! The cost is that of what was done, and the same however often the search gave way. It is known at the end; before, [`most`] is. A search
//! goes on for as long as what it has cost by now can be paid. Then what is left is taken for it: nobody searches for nothing. It goes on with
//! more, and that counts.
//!
//! | what | time | charged with |
//! | --- | --- | --- |
//! | a step of the interpreter of bytecode | 2.6 ns | 1 |
//! | a byte of the part, of which the rarest is sought | 2 ns | 1 |
//! | 64 bytes that are passed or compared | 1 to 4 ns | 1 |
//! | a place where the part may lie | 5 to 10 ns | 3 |
//! | the two-way algorithm, each byte of both texts | up to 2.8 ns | 1 |

use std::ops::ControlFlow;

use memchr::memchr;

/// Bytes that are looked at between two steps: less than a millisecond, in any text.
const STEP: usize = 1 << 18;
/// What a step may cost besides, but for one place: a part that lies there but for its end.
const STEP_COST: u64 = 1 << 17;
/// Bytes that one step of the interpreter passes.
const PASSED: u64 = 64;
/// What a place costs where the part may lie.
const PLACE: u64 = 3;
/// Bytes of the part of which one is looked for.
const BEGINNING: usize = 32;

/// What looking for a part in a text costs at most, for so many bytes of each.
#[must_use]
pub(crate) fn most(text: u64, part: u64) -> u64 {
    text.saturating_add(part).saturating_mul(2).saturating_add(worth(0) + PLACE)
}

/// What places may cost in the first so many bytes before the two-way algorithm goes on.
fn worth(bytes: u64) -> u64 {
    48 + bytes / 2
}

/// Whether a part is in a text, and what is to be paid for knowing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) holds: bool,
    pub(crate) cost: u64,
}

/// What came of searching on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Searched {
    Found(Found),
    /// It has cost more than can be paid. All that was left is taken for it.
    Beyond,
    /// It was to give way. So much is to be paid if it ends here.
    GaveWay(u64),
}

/// Looks for `part` in `text`, until that is known, costs more than `left`, or `goes_on` says no. What is `under_way` then goes on with the
/// next call; at the beginning nothing is. Short texts are never left so.
pub(crate) fn find(
    under_way: &mut Option<Box<Search>>,
    (text, part): (&[u8], &[u8]),
    left: u64,
    goes_on: impl Fn() -> bool,
) -> Searched {
    if let Some(search) = under_way {
        return search.advance(text, part, left, goes_on);
    }
    let mut search = Search::new(part);
    let searched = search.advance(text, part, left, goes_on);
    if !matches!(searched, Searched::Found(_)) {
        *under_way = Some(Box::new(search));
    }
    searched
}

/// A search that is under way. It is of two texts that stay as they are.
#[derive(Debug)]
pub(crate) struct Search {
    /// The byte that is looked for, and where it is in the part.
    rare: (usize, u8),
    /// Where the part may begin, at the earliest.
    at: usize,
    /// What was done besides passing bytes.
    cost: u64,
    /// What was paid by now.
    paid: u64,
    rest: Option<TwoWay>,
    /// What it has found.
    holds: Option<bool>,
}

impl Search {
    fn new(part: &[u8]) -> Search {
        let beginning = part.iter().take(BEGINNING).copied().enumerate();
        let rare = beginning.min_by_key(|(_, byte)| COMMON[usize::from(*byte)]).unwrap_or_default();
        Search { rare, at: 0, cost: part.len().min(BEGINNING) as u64, paid: 0, rest: None, holds: None }
    }

    /// Searches on: a step, and another as long as `goes_on`.
    fn advance(&mut self, text: &[u8], part: &[u8], left: u64, goes_on: impl Fn() -> bool) -> Searched {
        if part.len() > text.len() {
            return Searched::Found(Found { holds: false, cost: 0 });
        }
        loop {
            let owes = self.owes(text, part);
            if owes > left {
                self.paid += left;
                return Searched::Beyond;
            }
            if let Some(holds) = self.holds {
                return Searched::Found(Found { holds, cost: owes });
            }
            let step = match &mut self.rest {
                None => self.step(text, part),
                Some(rest) => rest.step(text, part),
            };
            if let ControlFlow::Break(holds) = step {
                self.holds = Some(holds);
                continue;
            }
            if !goes_on() {
                return Searched::GaveWay(self.did(text, part).saturating_sub(self.paid));
            }
        }
    }

    /// So much was paid.
    pub(crate) fn pays(&mut self, paid: u64) {
        self.paid += paid;
    }

    fn owes(&self, text: &[u8], part: &[u8]) -> u64 {
        self.cost_by_now(text, part).saturating_sub(self.paid)
    }

    fn cost_by_now(&self, text: &[u8], part: &[u8]) -> u64 {
        // Once it has begun the two-way algorithm is paid for as a whole.
        let rest = if self.rest.is_some() { text.len() + part.len() } else { 0 };
        self.before_rest(text, part) + rest as u64
    }

    /// What it would cost if it ended here.
    fn did(&self, text: &[u8], part: &[u8]) -> u64 {
        let rest = self.rest.as_ref().map_or(0, |rest| rest.looked_at.min(text.len() + part.len()));
        self.before_rest(text, part) + rest as u64
    }

    fn before_rest(&self, text: &[u8], part: &[u8]) -> u64 {
        (self.at + part.len()).min(text.len()) as u64 / PASSED + self.cost
    }

    /// Passes [`STEP`] bytes, or fewer if there is much to compare.
    fn step(&mut self, text: &[u8], part: &[u8]) -> ControlFlow<bool> {
        // Behind that the part has no room.
        let Some(places) = (text.len() + 1).checked_sub(part.len()) else { return ControlFlow::Break(false) };
        let (before, byte) = self.rare;
        let (end, began) = (places.min(self.at + STEP), self.cost);
        while self.at < end {
            let there = text.get(self.at + before..end + before).unwrap_or_default();
            // An empty part is there at once.
            let next = if part.is_empty() { Some(0) } else { memchr(byte, there) };
            self.at = next.map_or(end, |next| self.at + next);
            if next.is_none() {
                break;
            }
            let mut equal = 0;
            let mut left = usize::MAX;
            let is_it = compare(&mut equal, part, &text[self.at..], &mut left);
            self.cost += PLACE + equal as u64 / PASSED;
            if is_it == Some(true) {
                return ControlFlow::Break(true);
            }
            self.at += 1;
            if self.cost > worth(self.at as u64) {
                self.rest = Some(TwoWay::from(self.at));
                return ControlFlow::Continue(());
            }
            if self.cost - began > STEP_COST && self.at < places {
                return ControlFlow::Continue(());
            }
        }
        if self.at >= places { ControlFlow::Break(false) } else { ControlFlow::Continue(()) }
    }
}

/// How often each byte is met in texts: of no importance but for the time that a search takes.
const COMMON: [u8; 256] = {
    let (mut all, mut byte) = ([0; 256], 0);
    while byte < all.len() {
        all[byte] = how_common(byte as u8);
        byte += 1;
    }
    all
};

const fn how_common(byte: u8) -> u8 {
    match byte {
        0 | b' ' => 9,
        b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 8,
        b'j' | b'q' | b'x' | b'z' | b'k' | b'v' => 4,
        b'a'..=b'z' | 0xff => 7,
        b'0'..=b'9' | b'\n' => 6,
        b'A'..=b'Z' | b'.' | b',' | b'_' | b'/' | b'-' => 3,
        _ if byte.is_ascii_graphic() => 2,
        _ => 1,
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
    /// Where the part may begin, at the earliest.
    from: usize,
    /// Where the part lies now.
    at: usize,
    /// How much of its beginning is known to fit there.
    known: usize,
    /// How much of what is compared now is known to be equal.
    equal: usize,
    /// Bytes that were looked at in all steps.
    looked_at: usize,
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
    fn from(from: usize) -> TwoWay {
        TwoWay {
            from,
            phase: Phase::Suffix(false),
            suffixes: [Suffix { begin: 0, period: 1, next: 1, equal: 0 }; 2],
            cut: 0,
            period: 1,
            repeats: false,
            at: 0,
            known: 0,
            equal: 0,
            looked_at: 0,
        }
    }

    /// Looks at [`STEP`] bytes or a little more; whether `part` is in `text`, once it is known.
    fn step(&mut self, text: &[u8], part: &[u8]) -> ControlFlow<bool> {
        let mut left = STEP;
        self.looked_at += STEP;
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
                            self.align(self.from, 0);
                        }
                    }
                }
                Phase::Right => {
                    if self.known == 0 && self.equal == 0 {
                        self.skip(text, part, &mut left);
                    }
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

    /// Goes on to where the first bytes of the right half fit. Most places are passed here.
    fn skip(&mut self, text: &[u8], part: &[u8], left: &mut usize) {
        const FIRST: usize = size_of::<u64>();
        let last = text.len().saturating_sub(part.len());
        let right = part.get(self.cut..).unwrap_or_default();
        let mut first = [0; FIRST];
        let len = right.len().min(FIRST);
        first[..len].copy_from_slice(&right[..len]);
        let (first, mask) = (u64::from_le_bytes(first), u64::MAX >> (8 * (FIRST - len.max(1))));
        while *left > 0 && self.at <= last {
            let there = text.get(self.at + self.cut..).and_then(|there| there.first_chunk::<FIRST>());
            let Some(there) = there else { return };
            let different = (first ^ u64::from_le_bytes(*there)) & mask;
            if different == 0 {
                return;
            }
            let looked_at = different.trailing_zeros() as usize / 8 + 1;
            self.at += looked_at;
            *left = left.saturating_sub(looked_at);
        }
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

    use memchr::memmem;

    use super::*;

    /// What so many steps at a time find, as a search that is interrupted does.
    fn in_steps(text: &[u8], part: &[u8], mut under_way: Option<Box<Search>>, steps_max: usize) -> Found {
        loop {
            let steps = Cell::new(1);
            let goes_on = || steps.replace(steps.get() + 1) < steps_max;
            match find(&mut under_way, (text, part), u64::MAX, goes_on) {
                Searched::Found(found) => return found,
                searched => assert!(matches!(searched, Searched::GaveWay(_)), "{searched:?}"),
            }
        }
    }

    /// One that goes by the two-way algorithm from its beginning.
    fn two_way(part: &[u8]) -> Option<Box<Search>> {
        Some(Box::new(Search { rest: Some(TwoWay::from(0)), ..Search::new(part) }))
    }

    /// Few different bytes, and periods, so that much fits and little is found.
    #[test]
    fn what_is_there_is_found() {
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let (mut found, mut not_found, mut long) = (0, 0, 0);
        for _ in 0..60_000 {
            let letters = 1 + random(3);
            let mut text: Vec<u8> = (0..random(60)).map(|_| b'a' + random(letters) as u8).collect();
            if random(2) == 0 && !text.is_empty() {
                let period = 1 + random(text.len());
                text = (0..random(400)).map(|at| text[at % period]).collect();
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
            let ours = in_steps(&text, &part, None, 1);
            assert_eq!(ours.holds, expected, "{part:?} in {text:?}");
            assert!(ours.cost <= most(text.len() as u64, part.len() as u64), "{part:?} in {text:?}");
            long += u32::from(ours.cost > text.len() as u64 && text.len() > 100);
            let ours = in_steps(&text, &part, two_way(&part), 1);
            assert_eq!(ours.holds, expected, "{part:?} in {text:?}");
            *(if expected { &mut found } else { &mut not_found }) += 1;
        }
        assert!(found > 10_000 && not_found > 10_000 && long > 100, "{found} {not_found} {long}");
    }

    /// Long ones: where the part lies across the end of a step, and nowhere. How often it gives way makes no difference.
    #[test]
    fn long_texts_are_searched_in_steps() {
        for len in [1, 2, 1_000, 3 * STEP] {
            for byte in [b'a', b'b'] {
                // The other one is rarer to us.
                let part: Vec<u8> = (0..len).map(|at| if at + 1 == len { b'b' } else { byte }).collect();
                for before in [0, 1, STEP - 1, STEP, STEP + 1, 2 * STEP] {
                    let mut text = vec![b'a'; before + len + 1];
                    text[before..before + len - 1].fill(byte);
                    let found = in_steps(&text, &part, None, 1);
                    assert_eq!((found.holds, found), (false, in_steps(&text, &part, None, usize::MAX)));
                    text[before + len - 1] = b'b';
                    let found = in_steps(&text, &part, None, 1);
                    assert_eq!((found.holds, found), (true, in_steps(&text, &part, None, usize::MAX)));
                    assert!(in_steps(&text, &part, two_way(&part), 2).holds, "{len} {before}");
                }
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
            for mut under_way in [None, two_way(&part)] {
                let steps = Cell::new(0);
                let counted = || steps.replace(steps.get() + 1) < usize::MAX;
                let searched = find(&mut under_way, (&text, &part), u64::MAX, counted);
                let Searched::Found(found) = searched else { panic!("{searched:?}") };
                assert!(!found.holds && found.cost <= most(text.len() as u64, part.len() as u64));
                assert!(steps.get() <= 6 * (text.len() + part.len()) / STEP, "{}", steps.get());
            }
        }
    }

    /// What nearly fits everywhere costs a step for each byte and more, and what hardly does a step for 64 bytes.
    #[test]
    fn what_takes_long_costs_much() {
        let text = b"0123456789abcdef".repeat(1 << 14);
        let cost = |part: &[u8]| in_steps(&text, part, None, 1).cost;
        let bytes = text.len() as u64;
        assert!((bytes / 64..bytes / 60).contains(&cost(b"no such word")), "{}", cost(b"no such word"));
        let nearly = [b"!", &text[..1_000]].concat();
        assert!((bytes / 64..bytes / 60).contains(&cost(&nearly)), "{}", cost(&nearly));
        let mut other = text[..1_000].to_vec();
        other[500] = b'0';
        assert!(cost(&other) > bytes, "{}", cost(&other));
        assert_eq!(cost(&[b'a'; 1 << 19]), 0, "it has no room");
    }

    /// It ends with what it costs, and with less it goes no farther than that.
    #[test]
    fn a_search_goes_as_far_as_it_is_paid_for() {
        let text = vec![b'a'; 1 << 20];
        let (long, mut near) = (vec![b'a'; 40_000], vec![b'a'; 201]);
        near[100] = b'b';
        let parts = [
            (&b"aab"[..], false),
            (&b"abab"[..], false),
            (&b"xa"[..], false),
            (&long[..], false),
            (&near[..], true),
        ];
        for (part, is_dear) in parts {
            let found = in_steps(&text, part, None, 1);
            assert_eq!(found.cost > text.len() as u64, is_dear, "{found:?}");
            let search = |left| find(&mut None, (&text, part), left, || true);
            assert_eq!(search(found.cost), Searched::Found(found));
            let mut begun = None;
            assert_eq!(find(&mut begun, (&text, part), 0, || true), Searched::Beyond);
            assert!(begun.is_some_and(|search| search.at == 0), "nothing was done but to begin");
            for left in [found.cost - 1, found.cost / 2, 1, 0] {
                let mut under_way = None;
                let mut go_on = |left| find(&mut under_way, (&text, part), left, || true);
                assert_eq!(go_on(left), Searched::Beyond);
                // What was paid counts, whenever more comes.
                assert_eq!(go_on(0), Searched::Beyond);
                let rest = found.cost - left;
                assert_eq!(go_on(rest - 1), Searched::Beyond);
                assert_eq!(go_on(1), Searched::Found(Found { cost: 1, ..found }));
            }
        }
    }

    /// It owes what it did when it gives way, and no more when it ends.
    #[test]
    fn a_search_that_gives_way_owes_what_it_did() {
        let (text, part) = (vec![b'a'; 4 * STEP], [vec![b'a'; 200], vec![b'b'], vec![b'a'; 200]].concat());
        let whole = in_steps(&text, &part, None, 1);
        let (mut under_way, mut paid, mut ways) = (None, 0, 0);
        let found = loop {
            match find(&mut under_way, (&text, &part), u64::MAX, || false) {
                Searched::GaveWay(owes) => {
                    under_way.iter_mut().for_each(|search| search.pays(owes));
                    (paid, ways) = (paid + owes, ways + 1);
                }
                searched => break searched,
            }
        };
        assert!(ways > 3 && paid > text.len() as u64 / 2, "{ways} {paid}");
        assert_eq!(found, Searched::Found(Found { cost: whole.cost - paid, ..whole }));
    }
}
