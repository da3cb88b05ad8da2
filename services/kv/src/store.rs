//! The keys that begin with a prefix.

use std::sync::Arc;

use carnet_portal::stub::{BytesOut, Caller, Served};

use crate::engine::{Change, Engine, STEP_BYTES, Stored, Went};
use crate::fault;
use crate::kv::{self, EntryList, Error, GroupList, Info, Reason, StoreService};
use crate::span::{Prefix, Span};
use crate::transaction::{Transaction, Work};
use crate::{Access, int_of, may_write};

/// A portal's store.
pub(crate) struct Store {
    pub(crate) engine: Arc<Engine>,
    pub(crate) keys: Prefix,
    pub(crate) access: Access,
}

impl Store {
    pub(crate) fn part(&self, prefix: &[u8], access: Access) -> Result<Served<kv::Store>, Error> {
        let keys = self.keys.narrow(prefix)?;
        Ok(kv::Store::serve(Store { engine: Arc::clone(&self.engine), keys, access }))
    }

    fn read<T>(&self, key: &[u8], show: impl FnOnce(Stored<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let full = self.keys.key(key)?;
        self.engine.view()?.get(&full, show)?.ok_or_else(|| fault::missing(key))
    }

    /// `change` gets what `key` is called in the database.
    fn write<T>(
        &self,
        key: &[u8],
        change: impl FnOnce(&mut Change<'_, '_>, &[u8]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        may_write(self.access)?;
        let full = self.keys.key(key)?;
        self.engine.write(|changes| change(changes, &full))
    }

    fn list(&self, span: &Span, result: &mut EntryList<'_>) -> Result<bool, Error> {
        self.engine.view()?.page(span, |key, stored| {
            let Info { size, modified, version } = stored.info();
            if result.push(self.keys.own(key), size, modified, version) { Went::On } else { Went::Full }
        })
    }
}

/// A value as a result. The interface allows all that can be put; a file that others made may hold more.
pub(crate) fn show(key: &[u8], value: &[u8], result: &mut BytesOut<'_>) -> Result<(), Error> {
    if result.extend(value) {
        return Ok(());
    }
    Err(fault::of_key(Reason::Damaged, key, "is damaged in the database: it is too long"))
}

impl StoreService for Store {
    fn at(&self, _: &Caller, text: &[u8]) -> Result<Served<kv::Store>, Error> {
        match text.strip_suffix(b":ro") {
            Some(prefix) => self.part(prefix, Access::ReadOnly),
            None => self.part(text.strip_suffix(b":rw").unwrap_or(text), self.access),
        }
    }

    fn narrow(&self, _: &Caller, prefix: &[u8], read_only: bool) -> Result<Served<kv::Store>, Error> {
        self.part(prefix, if read_only { Access::ReadOnly } else { self.access })
    }

    fn get(&self, _: &Caller, key: &[u8], result: &mut BytesOut<'_>) -> Result<(), Error> {
        self.read(key, |stored| show(key, stored.value, result))
    }

    fn get_int(&self, _: &Caller, key: &[u8]) -> Result<i64, Error> {
        self.read(key, |stored| int_of(key, stored.value))
    }

    fn fetch(&self, _: &Caller, key: &[u8], result: &mut BytesOut<'_>) -> Result<i64, Error> {
        self.read(key, |stored| show(key, stored.value, result).map(|()| stored.version.cast_signed()))
    }

    fn stat(&self, _: &Caller, key: &[u8]) -> Result<Info, Error> {
        self.read(key, |stored| Ok(stored.info()))
    }

    fn scan(
        &self,
        _: &Caller,
        prefix: &[u8],
        after: &[u8],
        result: &mut EntryList<'_>,
    ) -> Result<bool, Error> {
        self.list(&self.keys.listed(prefix, after)?, result)
    }

    fn range(
        &self,
        _: &Caller,
        first: &[u8],
        end: &[u8],
        after: &[u8],
        result: &mut EntryList<'_>,
    ) -> Result<bool, Error> {
        self.list(&self.keys.between(first, end, after)?, result)
    }

    fn prefixes(
        &self,
        _: &Caller,
        prefix: &[u8],
        separator: &[u8],
        after: &[u8],
        result: &mut GroupList<'_>,
    ) -> Result<bool, Error> {
        let within = self.keys.narrow(prefix)?;
        let behind = |span: Span, key: &[u8]| match group(key, &within, separator) {
            Some(group) => span.behind_all(group),
            None => span.behind(key),
        };
        let view = self.engine.view()?;
        let all = self.keys.listed(prefix, b"")?;
        let (mut rest, mut passed) =
            (if after.is_empty() { all } else { behind(all, &self.keys.key(after)?) }, 0);
        while let Some((key, bytes)) = view.first(&rest)? {
            let shown = group(&key, &within, separator).unwrap_or(&key);
            if passed >= STEP_BYTES || !result.push(self.keys.own(shown)) {
                return Ok(false);
            }
            passed += bytes;
            rest = behind(rest, &key);
        }
        Ok(true)
    }

    fn put(&self, _: &Caller, key: &[u8], value: &[u8]) -> Result<(), Error> {
        self.write(key, |change, full| change.set(full, Some(value)).map(drop))
    }

    fn put_int(&self, caller: &Caller, key: &[u8], value: i64) -> Result<(), Error> {
        self.put(caller, key, value.to_string().as_bytes())
    }

    fn delete(&self, _: &Caller, key: &[u8]) -> Result<bool, Error> {
        self.write(key, |change, full| change.set(full, None))
    }

    fn swap(&self, _: &Caller, key: &[u8], version: i64, value: &[u8]) -> Result<i64, Error> {
        self.write(key, |change, full| {
            let found = change.version(full)?.cast_signed();
            if found != version {
                let text = format!("was not changed: its version is {found}, not {version}");
                return Err(fault::of_key(Reason::Conflict, key, text));
            }
            change.set(full, Some(value))?;
            Ok(change.sequence().cast_signed())
        })
    }

    fn add(&self, _: &Caller, key: &[u8], by: i64) -> Result<i64, Error> {
        self.write(key, |change, full| {
            let value = change.get(full, |stored| int_of(key, stored.value))?.unwrap_or(0);
            let sum = value.checked_add(by);
            let sum = sum.ok_or_else(|| fault::of_key(Reason::Overflow, key, "would leave 64 bits"))?;
            change.set(full, Some(sum.to_string().as_bytes()))?;
            Ok(sum)
        })
    }

    fn begin(&self, caller: &Caller) -> Result<Served<kv::Transaction>, Error> {
        let engine = Arc::clone(&self.engine);
        let slot = engine.running.begin(caller, Work::new(engine.view()?))?;
        Ok(kv::Transaction::serve(Transaction { engine, keys: self.keys.clone(), access: self.access, slot }))
    }
}

/// The beginning of `key` up to the first separator behind the prefix of `within`, if there is one.
fn group<'k>(key: &'k [u8], within: &Prefix, separator: &[u8]) -> Option<&'k [u8]> {
    let rest = within.own(key);
    let found = rest.windows(separator.len().max(1)).position(|part| part == separator)?;
    Some(&key[..key.len() - rest.len() + found + separator.len()])
}
