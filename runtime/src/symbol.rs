//! Names as numbers: equal names have equal numbers.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, PoisonError, RwLock};

use crate::table::{Full, Table};

/// A name or descriptor, in modified UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// All symbols of a universe.
#[derive(Default)]
pub struct Symbols {
    numbers: RwLock<HashMap<Arc<[u8]>, Symbol, Keyed>>,
    texts: Table<Arc<[u8]>>,
}

impl Symbols {
    /// The symbol of a text.
    ///
    /// # Errors
    /// [`Full`].
    pub fn of(&self, text: &[u8]) -> Result<Symbol, Full> {
        if let Some(symbol) = self.known(text) {
            return Ok(symbol);
        }
        let mut numbers = self.numbers.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(symbol) = numbers.get(text) {
            return Ok(*symbol);
        }
        let text: Arc<[u8]> = text.into();
        let symbol = Symbol(self.texts.add(|_| Arc::clone(&text))?);
        numbers.insert(text, symbol);
        Ok(symbol)
    }

    /// The symbol of a text, if there is one already.
    #[must_use]
    pub fn known(&self, text: &[u8]) -> Option<Symbol> {
        self.numbers.read().unwrap_or_else(PoisonError::into_inner).get(text).copied()
    }

    /// The text of a symbol.
    #[must_use]
    pub fn text(&self, symbol: Symbol) -> &[u8] {
        self.texts.get(symbol.0).map_or(&[], |text| text)
    }
}

/// Hashes with a key of the table's own: names are those of guests, who could choose some that collide otherwise.
#[derive(Clone, Copy)]
pub(crate) struct Keyed(u64);

impl Default for Keyed {
    fn default() -> Keyed {
        Keyed(RandomState::new().hash_one(0) | 1)
    }
}

impl BuildHasher for Keyed {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

/// Multiplies what came so far by what comes, and folds the product.
pub(crate) struct Folded(u64);

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.write_u64(u64::from_le_bytes(*word)));
        // How long a text is comes before its bytes.
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.write_u64(u64::from_le_bytes(last));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0) * u128::from(word ^ self.0.rotate_left(32));
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
