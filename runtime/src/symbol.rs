//! Names as numbers: equal names have equal numbers.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use foldhash::fast::RandomState;

use crate::table::{Full, Table};

/// A name or descriptor, in modified UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// All symbols of a universe.
#[derive(Default)]
pub struct Symbols {
    /// Hashes have a key of the table's own: names are those of guests, who could choose some that collide otherwise.
    numbers: RwLock<HashMap<Arc<[u8]>, Symbol, RandomState>>,
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
