//! The keys of the database.
//!
//! ```text
//! n                                          how many projects there are
//! p name                                     a project
//! i name 0 number                            what is known of an issue
//! b name 0 number                            its body
//! c name 0 number comment                    a comment
//! x name 0 list who 0 state number           the issue is in this listing; it holds nothing
//! ```
//! Names hold no NUL. Numbers are 8 bytes, the largest digit first, so that keys are in the order of numbers. `list` is `a` for all
//! issues, `l` for those of the label `who`, `u` for those of the user `who`.

use std::ops::Bound;

use carnet_database::Bounds;

use crate::tracker::State;

pub(crate) const PROJECTS: &[u8] = b"n";

/// A listing of a project's issues.
#[derive(Clone, Copy, Debug)]
pub(crate) enum List<'a> {
    All,
    Label(&'a [u8]),
    User(&'a [u8]),
}

pub(crate) fn project(name: &[u8]) -> Vec<u8> {
    [b"p", name].concat()
}

pub(crate) fn issue(project: &[u8], number: u64) -> Vec<u8> {
    [b"i", project, &[0], &number.to_be_bytes()].concat()
}

pub(crate) fn body(project: &[u8], number: u64) -> Vec<u8> {
    [b"b", project, &[0], &number.to_be_bytes()].concat()
}

pub(crate) fn comment(project: &[u8], number: u64, comment: u64) -> Vec<u8> {
    [b"c", project, &[0], &number.to_be_bytes(), &comment.to_be_bytes()].concat()
}

pub(crate) fn listed(project: &[u8], list: List<'_>, state: State, number: u64) -> Vec<u8> {
    let (tag, who): (&[u8], &[u8]) = match list {
        List::All => (b"a", b""),
        List::Label(name) => (b"l", name),
        List::User(name) => (b"u", name),
    };
    let state: &[u8] = match state {
        State::Open => b"o",
        State::Closed => b"c",
    };
    [b"x", project, &[0], tag, who, &[0], state, &number.to_be_bytes()].concat()
}

/// The number at the end of a key.
pub(crate) fn number(key: &[u8]) -> u64 {
    key.last_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

/// The keys behind `after` up to `last`, which is among them and not before it.
pub(crate) fn behind<'k>(after: &'k [u8], last: &'k [u8]) -> Option<Bounds<'k>> {
    (after < last).then_some((Bound::Excluded(after), Bound::Included(last)))
}
