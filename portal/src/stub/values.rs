//! Words to values and back, the same on both sides.

use std::cmp::Ordering;

use super::client::list_area;
use crate::call::{Area, Failure, Kind, Ref};

/// A list is full when its elements and their strings take this many bytes.
pub const LIST_BYTES_MAX: usize = 1 << 20;

/// How a word is not of its type. Says nothing of who is to blame: see [`Check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Not a value of the type.
    Value,
    /// Above `i64::MAX`.
    TooLarge,
    /// More bytes or elements than the bound.
    TooLong,
    /// An array of another length.
    Length,
    /// A string with a NUL byte.
    Nul,
    /// A reference that leaves its area.
    Reference,
    /// A list whose words are no whole number of elements.
    Shape,
    /// A list in which two words refer to the same bytes.
    Shared,
    /// A portal that is not there.
    Portal,
    /// A portal on an object with another interface.
    Interface,
    /// A portal that was revoked.
    Revoked,
}

impl Wrong {
    fn text(self) -> &'static str {
        match self {
            Wrong::Value => "is not a value of its type",
            Wrong::TooLarge => "is more than the largest signed 64-bit number",
            Wrong::TooLong => "is longer than its bound",
            Wrong::Length => "has another length than its array",
            Wrong::Nul => "contains a NUL byte",
            Wrong::Reference => "refers to something outside of its area",
            Wrong::Shape => "is not a list of whole elements",
            Wrong::Shared => "names the same bytes more than once",
            Wrong::Portal => "is a portal that is missing",
            Wrong::Interface => "is a portal on another interface",
            Wrong::Revoked => "is a portal that was revoked",
        }
    }
}

/// Turns "this is not such a value" into a failure that says where, and who is to blame.
pub trait Check<T> {
    /// The caller's argument `name` of `operation` is wrong.
    ///
    /// # Errors
    /// [`Kind::BadArgument`] if there is no value.
    fn argument(self, operation: &'static str, name: &'static str) -> Result<T, Failure>;

    /// The service's reply to `operation` is wrong.
    ///
    /// # Errors
    /// [`Kind::Protocol`] if there is no value.
    fn reply(self, operation: &'static str) -> Result<T, Failure>;

    /// What the service gave as a result of `operation` is wrong.
    ///
    /// # Errors
    /// [`Kind::Service`] if there is no value.
    fn given(self, operation: &'static str) -> Result<T, Failure>;
}

impl<T> Check<T> for Result<T, Wrong> {
    #[inline]
    fn argument(self, operation: &'static str, name: &'static str) -> Result<T, Failure> {
        self.map_err(|wrong| bad_argument(operation, name, wrong))
    }

    #[inline]
    fn reply(self, operation: &'static str) -> Result<T, Failure> {
        self.map_err(|wrong| bad_reply(operation, wrong))
    }

    #[inline]
    fn given(self, operation: &'static str) -> Result<T, Failure> {
        self.map_err(|wrong| super::server::broken(operation, wrong))
    }
}

impl<T> Check<T> for Option<T> {
    #[inline]
    fn argument(self, operation: &'static str, name: &'static str) -> Result<T, Failure> {
        self.ok_or(Wrong::Value).argument(operation, name)
    }

    #[inline]
    fn reply(self, operation: &'static str) -> Result<T, Failure> {
        self.ok_or(Wrong::Value).reply(operation)
    }

    #[inline]
    fn given(self, operation: &'static str) -> Result<T, Failure> {
        self.ok_or(Wrong::Value).given(operation)
    }
}

#[cold]
fn bad_argument(operation: &str, name: &str, wrong: Wrong) -> Failure {
    let kind = if wrong == Wrong::Revoked { Kind::Revoked } else { Kind::BadArgument };
    Failure::new(kind, &format!("{operation}: argument `{name}` {}", wrong.text()))
}

#[cold]
fn bad_reply(operation: &str, wrong: Wrong) -> Failure {
    Failure::new(Kind::Protocol, &format!("{operation}: a result of the reply {}", wrong.text()))
}

/// Bytes of at most `max`.
///
/// # Errors
/// [`Wrong::TooLong`] if there are more.
#[inline]
pub fn bounded(bytes: &[u8], max: usize) -> Result<&[u8], Wrong> {
    if bytes.len() <= max { Ok(bytes) } else { Err(Wrong::TooLong) }
}

/// A string of at most `max` bytes.
///
/// # Errors
/// As [`bounded`]; also [`Wrong::Nul`].
#[inline]
pub fn bounded_string(text: &[u8], max: usize) -> Result<&[u8], Wrong> {
    no_nul(bounded(text, max)?)
}

/// A boolean: 0 or 1.
///
/// # Errors
/// [`Wrong::Value`] for anything else.
#[inline]
pub fn bool(word: u64) -> Result<bool, Wrong> {
    match word {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Wrong::Value),
    }
}

/// An integer that stands sign- or zero-extended in a word.
pub trait WordInt: TryFrom<i64> + Into<i64> {}

impl WordInt for i8 {}
impl WordInt for u8 {}
impl WordInt for i16 {}
impl WordInt for u16 {}
impl WordInt for i32 {}
impl WordInt for u32 {}
impl WordInt for i64 {}

/// An integer of less than 64 bits.
///
/// # Errors
/// [`Wrong::Value`] if it does not fit.
#[inline]
pub fn int<T: WordInt>(word: u64) -> Result<T, Wrong> {
    T::try_from(word.cast_signed()).map_err(|_| Wrong::Value)
}

/// A float of 32 bits.
///
/// # Errors
/// [`Wrong::Value`] if more bits are set.
#[inline]
pub fn f32(word: u64) -> Result<f32, Wrong> {
    u32::try_from(word).map(f32::from_bits).map_err(|_| Wrong::Value)
}

/// An array of bytes, of exactly its length.
///
/// # Errors
/// [`Wrong::Length`]; what `bytes` says.
#[inline]
pub fn array<const N: usize>(bytes: Result<impl AsRef<[u8]>, Wrong>) -> Result<[u8; N], Wrong> {
    bytes?.as_ref().try_into().map_err(|_| Wrong::Length)
}

/// Bytes of a union's arm.
///
/// # Errors
/// [`Wrong::TooLong`] if there are more than `max`.
#[inline]
pub fn bytes_part(part: Vec<u8>, max: usize) -> Result<Vec<u8>, Wrong> {
    if part.len() > max { Err(Wrong::TooLong) } else { Ok(part) }
}

/// A string of a union's arm.
///
/// # Errors
/// As [`bytes_part`]; also [`Wrong::Nul`].
#[inline]
pub fn string_part(part: Vec<u8>, max: usize) -> Result<Vec<u8>, Wrong> {
    no_nul(bytes_part(part, max)?)
}

/// An unsigned 64-bit integer, of which the upper half does not exist: programs have signed integers only.
///
/// # Errors
/// [`Wrong::TooLarge`] for the upper half.
#[inline]
pub fn u64(word: u64) -> Result<u64, Wrong> {
    if word.cast_signed() < 0 { Err(Wrong::TooLarge) } else { Ok(word) }
}

/// The word of an integer.
#[inline]
#[must_use]
pub fn word<T: WordInt>(value: T) -> u64 {
    let value: i64 = value.into();
    value.cast_unsigned()
}

/// The elements of a list of at most `max`, each made of `N` words by `element`.
///
/// # Errors
/// [`Wrong`] if the list or an element is wrong.
pub fn list<T, const N: usize>(
    area: &Area,
    max: usize,
    element: impl Fn(&[u64; N], &Area) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    elements(area, max)?.iter().map(|words| element(words, area)).collect()
}

/// The same elements, put into `into` instead of what it has.
///
/// # Errors
/// As [`list`]; what `into` has then means nothing.
pub fn list_into<T, const N: usize>(
    area: &Area,
    max: usize,
    element: impl Fn(&[u64; N], &Area) -> Result<T, Wrong>,
    into: &mut Vec<T>,
) -> Result<(), Wrong> {
    into.clear();
    let elements = elements(area, max)?;
    into.reserve_exact(elements.len());
    elements.iter().try_for_each(|words| {
        into.push(element(words, area)?);
        Ok(())
    })
}

/// The words of a list's elements, each of `N`.
#[inline(always)]
fn elements<const N: usize>(area: &Area, max: usize) -> Result<&[[u64; N]], Wrong> {
    let (elements, rest) = area.words.as_chunks();
    if !rest.is_empty() {
        return Err(Wrong::Shape);
    }
    if elements.len() > max {
        return Err(Wrong::TooLong);
    }
    Ok(elements)
}

/// The bytes that a word of a list's element refers to.
///
/// # Errors
/// [`Wrong::TooLong`], [`Wrong::Reference`].
#[inline]
pub fn field_bytes(area: &Area, word: u64, max: usize) -> Result<Vec<u8>, Wrong> {
    let r = Ref(word);
    if r.len() > max {
        return Err(Wrong::TooLong);
    }
    let range = r.offset()..r.offset() + r.len();
    area.bytes.get(range).map(<[u8]>::to_vec).ok_or(Wrong::Reference)
}

/// The string that a word of a list's element refers to.
///
/// # Errors
/// As [`field_bytes`]; also [`Wrong::Nul`].
#[inline]
pub fn field_string(area: &Area, word: u64, max: usize) -> Result<Vec<u8>, Wrong> {
    no_nul(field_bytes(area, word, max)?)
}

/// The packed list that a word of a list's element refers to: see [`unpacked`].
///
/// # Errors
/// As [`unpacked`]; also [`Wrong::Reference`].
pub fn field_list<T, const N: usize>(
    area: &Area,
    word: u64,
    max: usize,
    references: &[usize],
    element: impl Fn(&[u64; N], &Area) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    let r = Ref(word);
    let bytes = area.bytes.get(r.offset()..r.offset() + r.len()).ok_or(Wrong::Reference)?;
    unpacked(bytes, max, references, element)
}

/// The elements of a list that is a part of another value: at most `max`, each made of `N` words by `element`. The words
/// `references` of an element refer to bytes behind all words. No bytes at all are no elements.
///
/// Nothing is taken for a number that is only claimed: words must be there, and what they refer to must be, too, one behind the other
/// in the order of the words, and no bytes may be between or left. So what is copied is never more than what came, once for each level of lists.
///
/// # Errors
/// [`Wrong`] if the list or an element is wrong.
pub fn unpacked<T, const N: usize>(
    bytes: &[u8],
    max: usize,
    references: &[usize],
    element: impl Fn(&[u64; N], &Area) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    if bytes.len() > 8 + LIST_BYTES_MAX {
        return Err(Wrong::TooLong);
    }
    let (count, rest) = bytes.split_first_chunk().ok_or(Wrong::Shape)?;
    let count = usize::try_from(u64::from_le_bytes(*count)).map_err(|_| Wrong::TooLong)?;
    if count > max {
        return Err(Wrong::TooLong);
    }
    let len = count.checked_mul(N * 8).ok_or(Wrong::Shape)?;
    let (words, bytes) = rest.split_at_checked(len).ok_or(Wrong::Shape)?;
    let (words, _) = words.as_chunks();
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let mut end = 0;
    let (elements, _) = words.as_chunks::<N>();
    for reference in elements.iter().flat_map(|element| references.iter().map(|at| Ref(element[*at]))) {
        if reference.area() != 0 || reference.offset() + reference.len() > bytes.len() {
            return Err(Wrong::Reference);
        }
        match reference.offset().cmp(&end) {
            _ if reference.is_empty() => {}
            Ordering::Less => return Err(Wrong::Shared),
            Ordering::Equal => end += reference.len(),
            Ordering::Greater => return Err(Wrong::Shape),
        }
    }
    if end < bytes.len() {
        return Err(Wrong::Shape);
    }
    list(&Area { bytes: bytes.to_vec(), words }, max, element)
}

/// The bytes of a list that is a part of another value: see [`unpacked`].
///
/// # Errors
/// [`Wrong::TooLong`] if there are more elements than `max`, or they take more than [`LIST_BYTES_MAX`]; what `element` says.
pub fn packed<'a, T, const N: usize>(
    elements: &'a [T],
    max: usize,
    element: impl FnMut(&'a T, &mut Area) -> Result<[u64; N], Wrong>,
) -> Result<Vec<u8>, Wrong> {
    let area = list_area(elements, max, element)?;
    let mut bytes = Vec::with_capacity(8 + area.words.len() * 8 + area.bytes.len());
    bytes.extend_from_slice(&(elements.len() as u64).to_le_bytes());
    area.words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    bytes.extend_from_slice(&area.bytes);
    Ok(bytes)
}

/// Appends bytes to a list's area; the word that refers to them.
///
/// # Errors
/// [`Wrong::TooLong`] if they are longer than `max`, or the area is full.
#[inline]
pub fn add_bytes(area: &mut Area, bytes: &[u8], max: usize) -> Result<u64, Wrong> {
    if bytes.len() > max {
        return Err(Wrong::TooLong);
    }
    area.add_string(bytes).ok_or(Wrong::TooLong)
}

/// Appends a string to a list's area; the word that refers to it.
///
/// # Errors
/// As [`add_bytes`]; also [`Wrong::Nul`].
#[inline]
pub fn add_string(area: &mut Area, text: &[u8], max: usize) -> Result<u64, Wrong> {
    add_bytes(area, no_nul(text)?, max)
}

/// `text`, unless it contains a NUL byte.
#[inline]
pub(super) fn no_nul<T: AsRef<[u8]>>(text: T) -> Result<T, Wrong> {
    if text.as_ref().contains(&0) { Err(Wrong::Nul) } else { Ok(text) }
}
