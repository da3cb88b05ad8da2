//! A table that only grows, and is read without locks.

use std::sync::{Mutex, OnceLock, PoisonError};

/// Entries of the first chunk; each further chunk has twice as many.
const FIRST: u32 = 64;
const CHUNKS: usize = 24;

type Chunk<T> = OnceLock<Box<[OnceLock<T>]>>;

/// Entries by number, in the order in which they came. What was put in stays, at its place, as long as the table does.
pub struct Table<T> {
    chunks: [Chunk<T>; CHUNKS],
    count: Mutex<u32>,
}

/// The table is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than a thousand million entries of a table")]
pub struct Full;

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { chunks: [const { OnceLock::new() }; CHUNKS], count: Mutex::new(0) }
    }
}

fn place(number: u32) -> (usize, usize) {
    let shifted = number.saturating_add(FIRST);
    let chunk = shifted.ilog2() - FIRST.ilog2();
    (chunk as usize, (shifted - (FIRST << chunk)) as usize)
}

impl<T> Table<T> {
    /// The entry of a number.
    #[inline]
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&T> {
        let (chunk, at) = place(number);
        self.chunks.get(chunk)?.get()?.get(at)?.get()
    }

    /// Adds an entry that may depend on its number.
    ///
    /// # Errors
    /// [`Full`].
    pub fn add(&self, entry: impl FnOnce(u32) -> T) -> Result<u32, Full> {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let number = *count;
        let (chunk, at) = place(number);
        let chunk_of = self.chunks.get(chunk).ok_or(Full)?;
        let entries =
            chunk_of.get_or_init(|| (0..FIRST << chunk).map(|_| OnceLock::new()).collect::<Vec<_>>().into());
        entries.get(at).ok_or(Full)?.set(entry(number)).map_err(|_| Full)?;
        *count = number + 1;
        Ok(number)
    }

    /// How many entries there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_where_they_are() {
        let table = Table::default();
        for number in 0..5000 {
            assert_eq!(table.add(|at| at * 3), Ok(number));
        }
        assert!((0..5000).all(|number| table.get(number) == Some(&(number * 3))));
        assert_eq!(table.get(5000), None);
        assert_eq!(table.get(u32::MAX), None);
    }
}
