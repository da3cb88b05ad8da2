//! Ranges of keys: what a portal may name, and what a listing goes over.

use std::ops::Bound;

use carnet_database::Bounds;

use crate::fault;
use crate::kv::{Error, Reason};

/// Bytes of a key, with the prefix of its store, at most: those of `Key` in the interface.
const KEY_BYTES_MAX: usize = 512;

/// The keys that begin with a prefix: all that a store portal can name. It names them by what follows.
#[derive(Clone, Debug)]
pub(crate) struct Prefix(Box<[u8]>);

impl Prefix {
    /// All keys.
    pub(crate) fn all() -> Prefix {
        Prefix(Box::default())
    }

    /// The keys of these that begin with `prefix`.
    ///
    /// # Errors
    /// `bad_key` if it is too long.
    pub(crate) fn narrow(&self, prefix: &[u8]) -> Result<Prefix, Error> {
        self.full(prefix).map(|full| Prefix(full.into()))
    }

    /// What `key` is called in the database.
    ///
    /// # Errors
    /// `bad_key` if it is empty or too long.
    pub(crate) fn key(&self, key: &[u8]) -> Result<Vec<u8>, Error> {
        if key.is_empty() {
            return Err(fault::of_key(Reason::BadKey, key, "is no key: one has at least one byte"));
        }
        self.full(key)
    }

    fn full(&self, key: &[u8]) -> Result<Vec<u8>, Error> {
        let len = self.0.len() + key.len();
        if len > KEY_BYTES_MAX {
            let text = format!(
                "is too long: with the {} bytes before it, it has {len}, of {KEY_BYTES_MAX}",
                self.0.len()
            );
            return Err(fault::of_key(Reason::BadKey, key, text));
        }
        Ok([&self.0, key].concat())
    }

    /// What the portal calls the database's `key`, which is one of these.
    pub(crate) fn own<'k>(&self, key: &'k [u8]) -> &'k [u8] {
        key.get(self.0.len()..).unwrap_or_default()
    }

    /// It.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// What of this prefix follows that of `all`, if it is among those.
    pub(crate) fn below(&self, all: &Prefix) -> Option<&[u8]> {
        self.0.strip_prefix(&*all.0)
    }

    /// What a listing of `prefix` goes over, behind `after`.
    pub(crate) fn listed(&self, prefix: &[u8], after: &[u8]) -> Result<Span, Error> {
        let prefix = self.full(prefix)?;
        let to = after_prefix(&prefix);
        Ok(Span { from: Bound::Included(prefix.into()), to }.behind(&self.full(after)?))
    }

    /// The keys of these from `first` up to `end`, which is not among them, behind `after`; to the last if `end` is empty.
    pub(crate) fn between(&self, first: &[u8], end: &[u8], after: &[u8]) -> Result<Span, Error> {
        let to = if end.is_empty() { after_prefix(&self.0) } else { Bound::Excluded(self.full(end)?.into()) };
        Ok(Span { from: Bound::Included(self.full(first)?.into()), to }.behind(&self.full(after)?))
    }
}

/// A range of keys.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    from: Bound<Box<[u8]>>,
    to: Bound<Box<[u8]>>,
}

impl Span {
    /// What of it is behind `key`.
    pub(crate) fn behind(self, key: &[u8]) -> Span {
        self.later(Bound::Excluded(key.into()))
    }

    /// What of it is behind all keys that begin with `prefix`.
    pub(crate) fn behind_all(self, prefix: &[u8]) -> Span {
        match after_prefix(prefix) {
            Bound::Excluded(next) => self.later(Bound::Included(next)),
            // No key is larger than all of these.
            _ => Span { to: Bound::Excluded(Box::default()), ..self },
        }
    }

    fn later(self, from: Bound<Box<[u8]>>) -> Span {
        let own = start(&self.from);
        if start(&from) >= own { Span { from, ..self } } else { self }
    }

    /// For the database, unless there can be nothing in it: it takes no range that ends before it begins.
    pub(crate) fn bounds(&self) -> Option<Bounds<'_>> {
        match &self.to {
            Bound::Excluded(to) if **to <= *start(&self.from) => None,
            _ => Some((as_slice(&self.from), as_slice(&self.to))),
        }
    }
}

fn start(bound: &Bound<Box<[u8]>>) -> &[u8] {
    match bound {
        Bound::Included(key) | Bound::Excluded(key) => key,
        Bound::Unbounded => &[],
    }
}

fn as_slice(bound: &Bound<Box<[u8]>>) -> Bound<&[u8]> {
    bound.as_ref().map(|key| &**key)
}

/// The smallest key that is larger than all that begin with `prefix`.
fn after_prefix(prefix: &[u8]) -> Bound<Box<[u8]>> {
    match prefix.iter().rposition(|byte| *byte < 0xFF) {
        Some(last) => {
            let mut next = prefix[..=last].to_vec();
            next[last] += 1;
            Bound::Excluded(next.into())
        }
        None => Bound::Unbounded,
    }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeBounds;

    use super::*;

    const KEYS: [&[u8]; 11] =
        [b"a", b"a\xff", b"a\xff\xff", b"b", b"b.", b"b.c", b"b.c1", b"b.d", b"c", b"\xff", b"\xff\xffx"];

    fn has(span: &Span, key: &[u8]) -> bool {
        span.bounds().is_some_and(|bounds| RangeBounds::<[u8]>::contains(&bounds, key))
    }

    #[test]
    fn a_listing_has_the_keys_that_begin_so_behind_the_last() {
        for own in [&b""[..], b"b.", b"\xff"] {
            let all = Prefix::all().narrow(own).unwrap();
            for prefix in [&b""[..], b"a", b"a\xff", b"c", b"\xff", b"\xff\xff"] {
                for after in [&b""[..], b"a", b"a\xff", b"c", b"c1", b"\xff"] {
                    let span = all.listed(prefix, after).unwrap();
                    let (begin, last) = ([own, prefix].concat(), [own, after].concat());
                    for key in KEYS {
                        let wanted = key.starts_with(&begin) && key > &last;
                        assert_eq!(has(&span, key), wanted, "{own:?} {prefix:?} {after:?} {key:?}");
                        let groups = span.clone().behind_all(b"b.c");
                        let wanted = wanted && key > &b"b.c"[..] && !key.starts_with(b"b.c");
                        assert_eq!(has(&groups, key), wanted, "{own:?} {prefix:?} {after:?} {key:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_range_never_leaves_its_prefix() {
        let own = Prefix::all().narrow(b"b.").unwrap();
        for first in [&b""[..], b"a", b"c", b"\xff"] {
            for end in [&b""[..], b"a", b"c1", b"\xff"] {
                let span = own.between(first, end, b"").unwrap();
                for key in KEYS {
                    let wanted = key
                        .strip_prefix(b"b.")
                        .is_some_and(|key| !key.is_empty() && key >= first && (end.is_empty() || key < end));
                    assert_eq!(has(&span, key), wanted, "{first:?} {end:?} {key:?}");
                }
            }
        }
    }

    #[test]
    fn keys_are_bounded_with_what_stands_before_them() {
        let own = Prefix::all().narrow(&[b'p'; 500]).unwrap();
        assert_eq!(own.key(&[b'k'; 12]).unwrap().len(), 512);
        for bad in [&[b'k'; 13][..], b""] {
            assert_eq!(own.key(bad).unwrap_err().kind, Reason::BadKey);
        }
        assert!(own.narrow(&[b'k'; 13]).is_err() && own.listed(b"", &[b'k'; 13]).is_err());
    }
}
