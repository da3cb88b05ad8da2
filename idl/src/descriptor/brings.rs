//! Portals that a reply may bring: what a session must have room for before an operation is called.

use super::Word;

/// Portals that a reply may bring, at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Brings {
    /// Those that are not of sequences.
    pub alone: usize,
    /// All, if that is bounded by no more than [`REPLY_PORTALS_MAX`]; else `alone`.
    pub most: usize,
}

/// Portals that a message can carry.
pub const REPLY_PORTALS_MAX: usize = 255;

impl Brings {
    /// Of a reply with these words.
    pub(super) fn of(inouts: &[Word], outs: &[Word]) -> Brings {
        let portals = |words: &[Word]| words.iter().filter(|word| matches!(word, Word::Portal(_))).count();
        let in_lists = inouts.iter().chain(outs).map(|word| match word {
            Word::List { element, max } => portals(element).saturating_mul(*max as usize),
            _ => 0,
        });
        let alone = portals(inouts) + portals(outs);
        let all = in_lists.fold(alone, usize::saturating_add);
        Brings { alone, most: if all <= REPLY_PORTALS_MAX { all } else { alone } }
    }

    /// For how many a session must have room that may hold so many beside its root. A bound above that says nothing of how many they
    /// will be.
    #[inline]
    #[must_use]
    pub fn wanted(self, max: usize) -> usize {
        if self.most <= max { self.most } else { self.alone }
    }
}
