//! The database as keys and values: what an entry holds, and pages of entries.
//!
//! ```text
//! key ──► version (8 bytes) · written at, ns since 1970 (8 bytes) · the value
//! ```
//!
//! The version of what is written is the number of the change. When the file fails, the transactions that were open are over.

use std::sync::Arc;

use carnet_database::{self as database, Database, Durability, Layout, OpenError, Opener};

use crate::Clock;
use crate::fault;
use crate::kv::{Error, Info, Reason};
use crate::running::Running;
use crate::span::Span;

/// Bytes that one call goes over at most.
pub(crate) const STEP_BYTES: usize = 1 << 20;
/// What an entry counts beside its key and value.
pub(crate) const ENTRY_BYTES: usize = 64;
/// Bytes before the value.
const HEAD_BYTES: usize = 16;

pub(crate) const LAYOUT: Layout = Layout {
    entries: "carnet.kv.values",
    counts: "carnet.kv.counts",
    format: 1,
    entry_bytes: (ENTRY_BYTES - HEAD_BYTES) as u64,
};

/// All that is stored at one moment.
pub(crate) struct View(database::View);

impl View {
    /// The last change that it shows.
    pub(crate) fn sequence(&self) -> u64 {
        self.0.sequence
    }

    /// The entry of `key`, if there is one.
    pub(crate) fn get<T>(
        &self,
        key: &[u8],
        show: impl FnOnce(Stored<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        self.0.get(key, |value| Stored::read(key, value).and_then(show))
    }

    /// Shows the entries of `span` to `each`, until that wants no more or a call has done enough; whether those were all.
    pub(crate) fn page(
        &self,
        span: &Span,
        mut each: impl FnMut(&[u8], Stored<'_>) -> Went,
    ) -> Result<bool, Error> {
        let Some(bounds) = span.bounds() else { return Ok(true) };
        let mut passed = 0;
        for entry in self.0.entries(bounds)? {
            let entry = entry?;
            let (key, value) = (entry.key(), entry.value());
            if passed >= STEP_BYTES || each(key, Stored::read(key, value)?) == Went::Full {
                return Ok(false);
            }
            passed += key.len() + value.len() + ENTRY_BYTES;
        }
        Ok(true)
    }

    /// The first entry of `span`: its key, and the bytes that were gone over.
    pub(crate) fn first(&self, span: &Span) -> Result<Option<(Vec<u8>, usize)>, Error> {
        let mut first = None;
        self.page(span, |key, stored| {
            if first.is_some() {
                return Went::Full;
            }
            first = Some((key.to_vec(), key.len() + stored.value.len() + ENTRY_BYTES));
            Went::On
        })?;
        Ok(first)
    }
}

/// Whether a page takes more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Went {
    On,
    Full,
}

/// An entry as it is stored.
#[derive(Clone, Copy)]
pub(crate) struct Stored<'a> {
    pub(crate) version: u64,
    pub(crate) modified: i64,
    pub(crate) value: &'a [u8],
}

impl<'a> Stored<'a> {
    fn read(key: &[u8], bytes: &'a [u8]) -> Result<Stored<'a>, Error> {
        let damaged = || fault::of_key(Reason::Damaged, key, "is damaged in the database");
        let (version, rest) = bytes.split_first_chunk().ok_or_else(damaged)?;
        let (modified, value) = rest.split_first_chunk().ok_or_else(damaged)?;
        Ok(Stored { version: u64::from_le_bytes(*version), modified: i64::from_le_bytes(*modified), value })
    }

    pub(crate) fn info(&self) -> Info {
        let (size, version) = (self.value.len() as i64, self.version.cast_signed());
        Info { size, modified: self.modified, version }
    }
}

/// A write to the database, while it is made.
pub(crate) struct Change<'c, 't>(&'c mut database::Change<'t>);

impl Change<'_, '_> {
    /// The version of what it writes.
    pub(crate) fn sequence(&self) -> u64 {
        self.0.sequence
    }

    /// The entry of `key`, if there is one.
    pub(crate) fn get<T>(
        &self,
        key: &[u8],
        show: impl FnOnce(Stored<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        self.0.get(key, |value| Stored::read(key, value).and_then(show))
    }

    /// The version of `key`, 0 if it is not there.
    pub(crate) fn version(&self, key: &[u8]) -> Result<u64, Error> {
        Ok(self.get(key, |stored| Ok(stored.version))?.unwrap_or(0))
    }

    /// Puts or deletes; whether there was such a key.
    pub(crate) fn set(&mut self, key: &[u8], value: Option<&[u8]>) -> Result<bool, Error> {
        let Some(value) = value else { return Ok(self.0.set(key, None)?) };
        let mut bytes = Vec::with_capacity(HEAD_BYTES + value.len());
        bytes.extend(self.0.sequence.to_le_bytes());
        bytes.extend(self.0.now.to_le_bytes());
        bytes.extend(value);
        Ok(self.0.set(key, Some(&bytes))?)
    }
}

/// One database, for all portals on it.
pub(crate) struct Engine {
    database: Database,
    pub(crate) running: Arc<Running>,
}

impl Engine {
    pub(crate) fn new(
        open: Opener,
        quota: u64,
        durability: Durability,
        clock: Clock,
        running: Running,
    ) -> Result<Engine, OpenError> {
        let running = Arc::new(running);
        let open_ones = Arc::clone(&running);
        // What they have seen holds the file.
        let database = Database::new(open, LAYOUT, quota, clock)?.durability(durability);
        let database = database.before_close(move || open_ones.end_all());
        Ok(Engine { database, running })
    }

    /// Has all on the disk that was answered.
    pub(crate) fn flush(&self) -> Result<(), String> {
        self.database.flush().map_err(|fault| fault.to_string())
    }

    /// What tells the database from others.
    pub(crate) fn identity(&self) -> Result<u64, String> {
        self.database.identity()
    }

    /// What is stored now.
    pub(crate) fn view(&self) -> Result<View, Error> {
        Ok(View(self.database.view()?))
    }

    /// Makes a change, or none of it if `change` fails. It is as durable afterwards as the database is.
    pub(crate) fn write<T>(
        &self,
        change: impl FnOnce(&mut Change<'_, '_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.running.end_expired();
        self.database.write(|made| change(&mut Change(made)))
    }
}
