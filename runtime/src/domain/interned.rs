//! Interned strings: one of each text, the same each time (JLS 3.10.5).
//!
//! The table has references only, so that what a program interns is in its heap, where it counts; and none keeps its string alive: a
//! collection drops those that nobody has any more. Hashes are seeded, since texts are the program's choice, and kept: what is
//! counted would else depend on the seed, since two texts with the same few bits in the table are compared.

use std::hash::{BuildHasher as _, RandomState};

use hashbrown::HashTable;

use super::objects::encode;
use super::{Domain, Heap, Places};
use crate::collect::Collection;
use crate::heap::{ELEMENTS, NULL, Ref, Stray};
use crate::native::Trap;

/// Interned strings, by their texts.
#[derive(Default)]
pub(crate) struct Interned {
    strings: HashTable<Known>,
    seed: RandomState,
}

/// An interned string.
struct Known {
    hash: Hash,
    string: Ref,
}

/// Half of a hash.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Hash(u32);

impl Hash {
    /// As the table wants it: it looks at either end.
    fn both(self) -> u64 {
        u64::from(self.0) << 32 | u64::from(self.0)
    }
}

impl Interned {
    fn hash(&self, (coder, bytes): Encoded<'_>) -> Hash {
        Hash(self.seed.hash_one((coder, bytes)) as u32)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.strings.len()
    }

    /// Lets go of those that a collection did not reach.
    ///
    /// # Errors
    /// [`Stray`], a mistake of ours.
    pub(super) fn follow(&mut self, collection: &Collection) -> Result<(), Stray> {
        let mut wrong = Ok(());
        self.strings.retain(|known| match collection.survivor(known.string) {
            Ok(copy) => {
                known.string = copy.unwrap_or(NULL);
                copy.is_some()
            }
            Err(stray) => {
                wrong = Err(stray);
                false
            }
        });
        wrong
    }
}

impl Domain {
    /// A hash of a text, which no program can foresee.
    pub(crate) fn hash_of(&self, text: &[u8]) -> u64 {
        self.interned.seed.hash_one(text)
    }
}

/// A text as strings have it: a coder, and bytes.
type Encoded<'t> = (u8, &'t [u8]);

fn encoded<'h>(heap: &'h Heap, places: &Places, string: Ref) -> Result<Encoded<'h>, Stray> {
    let value = heap.space.u32(string, places.value)?;
    if value == NULL {
        return Ok((0, &[]));
    }
    let bytes = heap.space.bytes(value, ELEMENTS, heap.space.length(value)? as usize)?;
    heap.read(bytes.len());
    Ok((heap.space.u8(string, places.coder)?, bytes))
}

impl Domain {
    fn interned(&self, hash: Hash, text: Encoded<'_>) -> Option<Ref> {
        let is_it =
            |known: &Known| known.hash == hash && encoded(&self.heap, &self.places, known.string) == Ok(text);
        self.interned.strings.find(hash.both(), is_it).map(|known| known.string)
    }

    fn add_interned(&mut self, hash: Hash, string: Ref) {
        self.interned.strings.insert_unique(hash.both(), Known { hash, string }, |known| known.hash.both());
    }

    /// The string of a text that is the same each time.
    ///
    /// # Errors
    /// [`Trap::Collect`].
    pub(crate) fn intern(&mut self, units: &[u16]) -> Result<Ref, Trap> {
        let (coder, bytes) = encode(units);
        let hash = self.interned.hash((coder, &bytes));
        if let Some(known) = self.interned(hash, (coder, &bytes)) {
            return Ok(known);
        }
        let string = self.new_encoded(coder, &bytes)?;
        self.add_interned(hash, string);
        Ok(string)
    }

    /// The interned string of a string's text: itself if there was none.
    ///
    /// # Errors
    /// [`Stray`].
    pub(crate) fn intern_string(&mut self, string: Ref) -> Result<Ref, Stray> {
        let text = encoded(&self.heap, &self.places, string)?;
        let hash = self.interned.hash(text);
        if let Some(known) = self.interned(hash, text) {
            return Ok(known);
        }
        self.add_interned(hash, string);
        Ok(string)
    }
}
