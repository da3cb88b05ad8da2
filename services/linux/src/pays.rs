//! Whether reads of what the page cache has take less time together than one by one: measured, and measured again.
//!
//! ```text
//! bout: pairs of batches, one together and one plain ─► the quicker way, for some batches ─► bout …
//! ```
//! Which is quicker differs between processors by more than it gains (decision 0031), and on one with the number of calls. So both ways are tried
//! side by side, on what the session reads, and the least of each decides. Which of a pair comes first is drawn by lot, and how long a bout is waited for,
//! too, so that batches of which every second one is longer do not all fall to one way. A bout that comes to the same as the one before makes the
//! next one later.

/// Batches of a bout.
const BOUT: u32 = 8;
/// Batches until the next bout, and some more: so many at first, and at most.
const HOLD: u32 = 32;
const HOLD_MAX: u32 = 256;

/// How calls are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Together,
    Plain,
}

/// What was learnt, of batches of about so many calls.
#[derive(Clone, Copy, Debug)]
struct Learnt {
    quicker: Way,
    /// The least of this bout, in picoseconds of a call: together, and plain.
    least: [u64; 2],
    /// The least of the last bout, made plain; at most twice that of the one before.
    plain: u64,
    /// Batches of the bout that are still to come.
    bout: u32,
    /// The way of the first of a pair.
    first: Way,
    /// Batches until the next bout.
    hold: u32,
    /// What that was to be before this bout.
    last_hold: u32,
}

impl Default for Learnt {
    fn default() -> Learnt {
        Learnt {
            quicker: Way::Together,
            least: [u64::MAX; 2],
            plain: 0,
            bout: BOUT,
            first: Way::Together,
            hold: 0,
            last_hold: HOLD / 2,
        }
    }
}

impl Learnt {
    fn end_bout(&mut self, lot: u32) {
        let [together, plain] = std::mem::replace(&mut self.least, [u64::MAX; 2]);
        let quicker = if plain < together { Way::Plain } else { Way::Together };
        self.last_hold = if quicker == self.quicker { (self.last_hold * 2).min(HOLD_MAX) } else { HOLD };
        // A bout of what had to wait for a disk says nothing of what had not.
        self.plain = if self.plain == 0 { plain } else { plain.min(self.plain.saturating_mul(2)) };
        (self.quicker, self.bout) = (quicker, BOUT);
        self.hold = self.last_hold + lot % 8;
    }
}

/// Which of these a batch is of: by the number of its calls, and by what each reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind(usize);

impl Kind {
    const ALL: usize = 9;

    pub(crate) fn of(calls: usize, len: usize) -> Kind {
        let class = |value: usize, first: usize, second: usize| {
            usize::from(value >= first) + usize::from(value >= second)
        };
        Kind(3 * class(calls, 16, 48) + class(len, 2 << 10, 32 << 10))
    }
}

/// What was learnt.
#[derive(Debug, Default)]
pub(crate) struct Pays {
    learnt: [Learnt; Kind::ALL],
    lots: Lots,
}

/// Numbers that look drawn by lot (xorshift, Marsaglia 2003).
#[derive(Debug)]
struct Lots(u32);

impl Default for Lots {
    fn default() -> Lots {
        Lots(0x9e37_79b9)
    }
}

impl Lots {
    fn draw(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}

impl Pays {
    /// How the next batch is to be made; whether it is one of a bout, which [`Pays::took`] is to be told of.
    pub(crate) fn way(&mut self, kind: Kind) -> (Way, bool) {
        let learnt = &mut self.learnt[kind.0];
        if learnt.hold > 0 {
            learnt.hold -= 1;
            return (learnt.quicker, false);
        }
        let is_second = !learnt.bout.is_multiple_of(2);
        if !is_second {
            learnt.first = if self.lots.draw() & 16 == 0 { Way::Together } else { Way::Plain };
        }
        let is_together = (learnt.first == Way::Together) != is_second;
        (if is_together { Way::Together } else { Way::Plain }, true)
    }

    /// The least time of a plain call in the last bout, in nanoseconds; 0 if there was none.
    pub(crate) fn plain_ns(&self, kind: Kind) -> u64 {
        self.learnt[kind.0].plain / 1_000
    }

    /// A batch of a bout took so many nanoseconds for so many calls.
    pub(crate) fn took(&mut self, kind: Kind, way: Way, ns: u64, calls: usize) {
        let learnt = &mut self.learnt[kind.0];
        let each = ns.saturating_mul(1_000) / calls.max(1) as u64;
        let least = &mut learnt.least[usize::from(way == Way::Plain)];
        *least = each.min(*least);
        learnt.bout = learnt.bout.saturating_sub(1);
        if learnt.bout == 0 {
            learnt.end_bout(self.lots.draw());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of `batches` are made together, if a call takes so long that way and so long plain, and every fifth batch is interrupted.
    fn together_of(pays: &mut Pays, kind: Kind, batches: u32, together: u64, plain: u64) -> u32 {
        let mut count = 0;
        for batch in 0..batches {
            let (way, is_bout) = pays.way(kind);
            count += u32::from(way == Way::Together);
            let each = if way == Way::Together { together } else { plain };
            if is_bout {
                pays.took(kind, way, each * 10 + if batch % 5 == 0 { 100_000 } else { 0 }, 10);
            }
        }
        count
    }

    #[test]
    fn the_quicker_way_is_taken() {
        let kind = Kind::of(10, 4096);
        let mut pays = Pays::default();
        let together = together_of(&mut pays, kind, 2_000, 650, 530);
        assert!((20..60).contains(&together), "{together} of 2000 the slower way");
        let together = together_of(&mut Pays::default(), kind, 2_000, 400, 530);
        assert!((1_940..1_980).contains(&together), "{together} of 2000 the quicker way");
    }

    /// Batches that are alike but for every second one, which is far longer: neither way gets all of those.
    #[test]
    fn batches_in_turns_mislead_nobody() {
        for (together, plain, is_together) in [(650, 530, false), (400, 530, true)] {
            let kind = Kind::of(64, 4096);
            let mut pays = Pays::default();
            let mut right = 0;
            for batch in 0..100_000_u64 {
                let (way, is_bout) = pays.way(kind);
                right += u32::from((way == Way::Together) == is_together);
                let each = if way == Way::Together { together } else { plain } * (1 + 9 * (batch % 2));
                if is_bout {
                    pays.took(kind, way, each * 64, 64);
                }
            }
            assert!(right > 80_000, "{right} of 100000 the quicker way, which is together: {is_together}");
        }
    }

    #[test]
    fn what_changes_is_learnt_again() {
        let kind = Kind::of(64, 4096);
        let mut pays = Pays::default();
        together_of(&mut pays, kind, 5_000, 650, 530);
        let together = together_of(&mut pays, kind, 1_000, 400, 530);
        assert!(together > 700, "{together} of 1000 the way that is quicker now");
    }

    #[test]
    fn kinds_learn_apart() {
        let (few, many, long) = (Kind::of(10, 4096), Kind::of(64, 4096), Kind::of(10, 1 << 16));
        let mut pays = Pays::default();
        together_of(&mut pays, few, 20, 650, 530);
        assert_eq!(pays.way(few), (Way::Plain, false));
        assert_eq!([many, long].map(|kind| pays.way(kind).1), [true; 2]);
    }
}
