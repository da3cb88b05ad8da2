//! Tables by numbers that all domains of a universe share, with room for what one of them uses.
//!
//! ```text
//! number: 13 bits and more │ 7 bits │ 6 bits
//!          root ───────────► middle ─► page ──► entry
//! ```
//! Fields, classes and strings are numbered as any domain brings them into being. What a domain pays for its tables, in memory as in
//! collections, is for the pages that it uses, whatever others have.

use std::array::from_fn;

/// Entries of a page.
const PAGE: usize = 64;
/// Pages of a middle.
const MIDDLE: usize = 128;

type Page<T> = Box<[T; PAGE]>;
type Middle<T> = Box<[Option<Page<T>>; MIDDLE]>;

/// A table.
pub(crate) struct Sparse<T> {
    root: Vec<Option<Middle<T>>>,
    pages: usize,
}

impl<T> Default for Sparse<T> {
    fn default() -> Sparse<T> {
        Sparse { root: Vec::new(), pages: 0 }
    }
}

impl<T: Copy + Default> Sparse<T> {
    /// The entry with this number, if its page is used.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        let middle = self.root.get(at / (PAGE * MIDDLE))?.as_ref()?;
        let page = middle[at / PAGE % MIDDLE].as_ref()?;
        Some(&page[at % PAGE])
    }

    /// The entry with this number, to change it, if its page is used.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        let middle = self.root.get_mut(at / (PAGE * MIDDLE))?.as_mut()?;
        let page = middle[at / PAGE % MIDDLE].as_mut()?;
        Some(&mut page[at % PAGE])
    }

    /// The entry with this number, whose page is used from now on. What is new is the default.
    pub(crate) fn entry(&mut self, at: usize) -> &mut T {
        let place = at / (PAGE * MIDDLE);
        if self.root.len() <= place {
            self.root.resize_with(place + 1, || None);
        }
        let middle = self.root[place].get_or_insert_with(|| Box::new(from_fn(|_| None)));
        let page = middle[at / PAGE % MIDDLE].get_or_insert_with(|| {
            self.pages += 1;
            Box::new([T::default(); PAGE])
        });
        &mut page[at % PAGE]
    }

    /// How many entries its pages have: as many as a look at all of them sees.
    pub(crate) fn len(&self) -> usize {
        self.pages * PAGE
    }

    /// The entries of its pages with their numbers, in order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (usize, &mut T)> {
        let middles = self.root.iter_mut().enumerate();
        let middles = middles.filter_map(|(place, middle)| Some((place, middle.as_mut()?)));
        let pages = middles.flat_map(|(place, middle)| {
            let pages = middle.iter_mut().enumerate();
            pages.filter_map(move |(page, entries)| Some((place * MIDDLE + page, entries.as_mut()?)))
        });
        pages.flat_map(|(page, entries)| {
            entries.iter_mut().enumerate().map(move |(at, entry)| (page * PAGE + at, entry))
        })
    }

    /// The entries of its pages with their numbers, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        let middles = self.root.iter().enumerate();
        let middles = middles.filter_map(|(place, middle)| Some((place, middle.as_ref()?)));
        let pages = middles.flat_map(|(place, middle)| {
            let pages = middle.iter().enumerate();
            pages.filter_map(move |(page, entries)| Some((place * MIDDLE + page, entries.as_ref()?)))
        });
        pages.flat_map(|(page, entries)| {
            entries.iter().enumerate().map(move |(at, entry)| (page * PAGE + at, entry))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_where_they_were_put_and_nowhere_else() {
        let mut table = Sparse::default();
        let numbers = [0, 1, 63, 64, 8191, 8192, 8193, 1_000_000, 70];
        for number in numbers {
            *table.entry(number) = number + 7;
        }
        for number in (0..20_000).chain([999_999, 1_000_000, 1_000_001, usize::MAX]) {
            let expected = if numbers.contains(&number) { number + 7 } else { 0 };
            assert_eq!(table.get(number).copied().unwrap_or(0), expected, "{number}");
        }
        assert_eq!(table.len(), 5 * PAGE);
        let mut found: Vec<(usize, usize)> =
            table.iter().filter(|(_, entry)| **entry != 0).map(|(number, entry)| (number, *entry)).collect();
        assert!(found.is_sorted());
        assert_eq!(found.iter().map(|(number, _)| *number).collect::<Vec<_>>().len(), numbers.len());
        assert!(found.iter().all(|(number, entry)| *entry == number + 7));
        let changed =
            table.iter_mut().filter(|(_, entry)| **entry != 0).map(|(number, entry)| (number, *entry));
        assert_eq!(changed.collect::<Vec<_>>(), std::mem::take(&mut found));
        assert_eq!(table.get_mut(5_000_000), None);
        assert_eq!(table.get_mut(64).copied(), Some(71));
    }
}
