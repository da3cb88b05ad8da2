//! Reading: all that is stored at one moment, whatever is written meanwhile.

use std::ops::Bound;
use std::sync::Arc;

use redb::{AccessGuard, ReadOnlyTable, ReadableTable, StorageError};

use crate::Fault;
use crate::gate::Opened;
use crate::open::{FromAny, Handle, Layout, SEQUENCE};

/// A range of keys.
pub type Bounds<'k> = (Bound<&'k [u8]>, Bound<&'k [u8]>);

type Bytes = &'static [u8];

/// All that is stored at one moment.
pub struct View {
    entries: ReadOnlyTable<Bytes, Bytes>,
    /// The last change that it shows.
    pub sequence: u64,
    /// Behind what is read from it: it is closed when the last of these is gone.
    _opened: Option<Arc<Opened>>,
}

impl View {
    pub(crate) fn of(handle: &Handle, layout: &Layout) -> Result<View, StorageError> {
        let read = handle.begin_read().map_err(StorageError::from_any)?;
        let counts = read.open_table(layout.counts()).map_err(StorageError::from_any)?;
        let sequence = ReadableTable::get(&counts, SEQUENCE)?.map_or(0, |count| count.value());
        let entries = read.open_table(layout.entries()).map_err(StorageError::from_any)?;
        Ok(View { entries, sequence, _opened: None })
    }

    /// All that is stored now; it stays open as long as somebody looks at it.
    pub(crate) fn held(opened: &Arc<Opened>, layout: &Layout) -> Result<View, StorageError> {
        Ok(View { _opened: Some(Arc::clone(opened)), ..View::of(opened.handle()?, layout)? })
    }

    /// What `show` makes of the value of `key`, if there is one.
    ///
    /// # Errors
    /// If it cannot be read, or `show` fails.
    pub fn get<T, E: From<Fault>>(
        &self,
        key: &[u8],
        show: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        let found = ReadableTable::get(&self.entries, key).map_err(|error| Fault::from(&error))?;
        found.map(|value| show(value.value())).transpose()
    }

    /// The entries of a range, sorted. It must not end before it begins.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn entries(&self, keys: Bounds<'_>) -> Result<Entries<'_>, Fault> {
        ReadableTable::range::<&[u8]>(&self.entries, keys).map(Entries).map_err(|error| Fault::from(&error))
    }
}

/// Entries, one after the other.
pub struct Entries<'v>(redb::Range<'v, Bytes, Bytes>);

impl<'v> Iterator for Entries<'v> {
    type Item = Result<Entry<'v>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.0.next()?;
        Some(next.map(|(key, value)| Entry(key, value)).map_err(|error| Fault::from(&error)))
    }
}

/// An entry of a listing.
pub struct Entry<'v>(AccessGuard<'v, Bytes>, AccessGuard<'v, Bytes>);

impl Entry<'_> {
    /// Its key.
    #[must_use]
    pub fn key(&self) -> &[u8] {
        self.0.value()
    }

    /// Its value.
    #[must_use]
    pub fn value(&self) -> &[u8] {
        self.1.value()
    }
}
