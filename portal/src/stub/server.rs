//! Dispatch: one call's block, areas and portals on the service's side.

use std::mem::take;
use std::sync::Arc;

use super::values::{self, LIST_BYTES_MAX, Wrong, no_nul};
use super::{Interface, PortalIn, Served};
use carnet_idl::descriptor::conforms;

use crate::call::{Area, Areas, Failure, Kind, Object, Ref, ShortWords};
use crate::capability::Capability;
use crate::panics::drop_quietly;

/// The block as an array, so that its words are reached without further checks.
///
/// # Errors
/// [`Kind::Internal`] if it has another length: whoever made the call did not follow the layout.
#[inline]
pub fn block<const N: usize>(words: &mut [u64]) -> Result<&mut [u64; N], Failure> {
    words.try_into().map_err(|_| wrong_length(N))
}

/// The words of a short call that its operation has.
///
/// # Errors
/// Never, if there are as many: that is known when it is compiled.
#[inline]
pub fn head<const N: usize>(words: &mut ShortWords) -> Result<&mut [u64; N], Failure> {
    words.first_chunk_mut().ok_or_else(|| wrong_length(N))
}

/// A word as the number that it is.
#[inline]
pub fn in_place(word: &mut u64) -> &mut i64 {
    zerocopy::transmute_mut!(word)
}

#[cold]
fn wrong_length(words: usize) -> Failure {
    Failure::new(Kind::Internal, &format!("an argument block that has not {words} words"))
}

/// The bytes that a word of the block refers to.
///
/// # Errors
/// [`Wrong::TooLong`], [`Wrong::Reference`].
#[inline]
pub fn bytes(areas: &Areas, word: u64, max: usize) -> Result<&[u8], Wrong> {
    let r = Ref(word);
    if r.len() > max {
        return Err(Wrong::TooLong);
    }
    let range = r.offset()..r.offset() + r.len();
    areas.list.get(r.area()).and_then(|area| area.bytes.get(range)).ok_or(Wrong::Reference)
}

/// The bytes that word `index` of a short operation's block refers to.
///
/// # Errors
/// [`Wrong::Reference`].
#[inline]
pub fn piece<'a>(areas: &'a Areas, words: &[u64], index: usize) -> Result<&'a [u8], Wrong> {
    bytes(areas, *words.get(index).ok_or(Wrong::Reference)?, usize::MAX)
}

/// The string that a word of the block refers to.
///
/// # Errors
/// As [`bytes`]; also [`Wrong::Nul`].
#[inline]
pub fn string(areas: &Areas, word: u64, max: usize) -> Result<&[u8], Wrong> {
    no_nul(bytes(areas, word, max)?)
}

/// The bytes that a word of the block refers to, for a service to change; [`give_bytes`] puts them back. They are the area's own
/// where the word refers to all of it.
///
/// # Errors
/// As [`bytes`].
pub fn take_bytes(areas: &mut Areas, word: u64, max: usize) -> Result<Vec<u8>, Wrong> {
    let len = bytes(areas, word, max)?.len();
    match areas.list.get_mut(Ref(word).area()) {
        Some(area) if area.bytes.len() == len => Ok(take(&mut area.bytes)),
        _ => bytes(areas, word, max).map(<[u8]>::to_vec),
    }
}

/// As [`take_bytes`], for a string; [`give_string`] puts it back.
///
/// # Errors
/// As [`string`].
pub fn take_string(areas: &mut Areas, word: u64, max: usize) -> Result<Vec<u8>, Wrong> {
    string(areas, word, max)?;
    take_bytes(areas, word, max)
}

/// The elements of the list that a word of the block refers to.
///
/// # Errors
/// As [`values::list`]; also [`Wrong::Reference`].
pub fn list_in<T, const N: usize>(
    areas: &Areas,
    word: u64,
    max: usize,
    element: impl Fn(&[u64; N], &Area) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    let area = areas.list.get(Ref(word).area()).ok_or(Wrong::Reference)?;
    values::list(area, max, element)
}

/// The packed list that a word of the block refers to.
///
/// # Errors
/// As [`values::unpacked`]; also [`Wrong::Reference`].
pub fn unpacked_in<T, const N: usize>(
    areas: &Areas,
    word: u64,
    max: usize,
    references: &[usize],
    element: impl Fn(&[u64; N], &Area) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    values::unpacked(bytes(areas, word, usize::MAX)?, max, references, element)
}

/// The portal that a word of the block refers to.
///
/// # Errors
/// [`Kind::BadArgument`] if there is none, or it is on another interface; [`Kind::Revoked`].
pub fn portal<'a, I: Interface>(
    portals: &'a [Option<Capability>],
    word: u64,
    operation: &'static str,
    name: &'static str,
) -> Result<PortalIn<'a, I>, Failure> {
    let index = usize::try_from(word).unwrap_or(usize::MAX);
    let Some(Some(capability)) = portals.get(index) else {
        return values::Check::argument(Err(Wrong::Portal), operation, name);
    };
    if capability.is_revoked() {
        let text = format!("{operation}: the portal `{name}` was revoked");
        return Err(Failure::new(Kind::Revoked, &text));
    }
    if !conforms(capability.object().interface(), (I::module(), I::ID)) {
        return Err(wrong_interface::<I>(capability, operation, name));
    }
    Ok(PortalIn::new(capability))
}

/// The portal that a word within a struct or list refers to.
///
/// # Errors
/// [`Wrong::Portal`], [`Wrong::Interface`], [`Wrong::Revoked`].
pub fn portal_in<I: Interface>(portals: &[Option<Capability>], word: u64) -> Result<PortalIn<'_, I>, Wrong> {
    let index = usize::try_from(word).unwrap_or(usize::MAX);
    let Some(Some(capability)) = portals.get(index) else { return Err(Wrong::Portal) };
    if capability.is_revoked() {
        return Err(Wrong::Revoked);
    }
    if !conforms(capability.object().interface(), (I::module(), I::ID)) {
        return Err(Wrong::Interface);
    }
    Ok(PortalIn::new(capability))
}

#[cold]
fn wrong_interface<I: Interface>(capability: &Capability, operation: &str, name: &str) -> Failure {
    let (module, interface) = (I::module(), &I::module().interfaces[I::ID.index()].name);
    let text = format!(
        "{operation}: argument `{name}` is a portal on {:?} where {}.{interface} is expected",
        capability.object(),
        module.name
    );
    Failure::bad_argument(&text)
}

/// Adds an object to the portals that the call makes; its word.
#[inline]
pub fn make<I>(made: &mut Vec<Arc<dyn Object>>, served: Served<I>) -> u64 {
    made.push(served.into_object());
    made.len() as u64 - 1
}

/// Puts `bytes` into the area that `word` names; the word that refers to them.
///
/// # Errors
/// [`Kind::Service`] if they are longer than `max`; [`Kind::BadArgument`] if there is no such area.
pub fn put_bytes(
    areas: &mut Areas,
    word: u64,
    bytes: &[u8],
    max: usize,
    operation: &'static str,
) -> Result<u64, Failure> {
    if bytes.len() > max {
        return Err(broken(operation, Wrong::TooLong));
    }
    let mut area = areas.take(word)?;
    area.bytes.extend_from_slice(bytes);
    areas.put(word, area)
}

/// As [`put_bytes`], of bytes that become the area's own.
///
/// # Errors
/// As [`put_bytes`].
pub fn give_bytes(
    areas: &mut Areas,
    word: u64,
    bytes: Vec<u8>,
    max: usize,
    operation: &'static str,
) -> Result<u64, Failure> {
    if bytes.len() > max {
        return Err(broken(operation, Wrong::TooLong));
    }
    let area = areas.take(word)?;
    areas.put(word, Area { bytes, ..area })
}

/// As [`give_bytes`], for a string.
///
/// # Errors
/// As [`put_string`].
pub fn give_string(
    areas: &mut Areas,
    word: u64,
    text: Vec<u8>,
    max: usize,
    operation: &'static str,
) -> Result<u64, Failure> {
    no_nul(&text).map_err(|wrong| broken(operation, wrong))?;
    give_bytes(areas, word, text, max, operation)
}

/// As [`put_bytes`], for a string.
///
/// # Errors
/// As [`put_bytes`]; also [`Kind::Service`] if it contains a NUL byte.
pub fn put_string(
    areas: &mut Areas,
    word: u64,
    text: &[u8],
    max: usize,
    operation: &'static str,
) -> Result<u64, Failure> {
    let text = no_nul(text).map_err(|wrong| broken(operation, wrong))?;
    put_bytes(areas, word, text, max, operation)
}

/// Puts a list of at most `max` elements, each turned into words by `element`, into the area that `word` names; the
/// word that refers to it.
///
/// # Errors
/// [`Kind::Service`] if there are more, or an element breaks its bounds; [`Kind::BadArgument`] if there is no such area.
pub fn put_list<T, const N: usize>(
    areas: &mut Areas,
    word: u64,
    elements: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    max: usize,
    element: impl FnMut(T, &mut Area) -> Result<[u64; N], Wrong>,
    operation: &'static str,
) -> Result<u64, Failure> {
    let mut elements = elements.into_iter();
    let put = put_elements(areas, word, &mut elements, max, element, operation);
    // Those that were not put may be objects.
    elements.for_each(drop_quietly);
    put
}

fn put_elements<T, const N: usize>(
    areas: &mut Areas,
    word: u64,
    elements: &mut impl ExactSizeIterator<Item = T>,
    max: usize,
    mut element: impl FnMut(T, &mut Area) -> Result<[u64; N], Wrong>,
    operation: &'static str,
) -> Result<u64, Failure> {
    if elements.len() > max {
        return Err(broken(operation, Wrong::TooLong));
    }
    let mut area = areas.take(word)?;
    for each in elements {
        let words = element(each, &mut area).map_err(|wrong| broken(operation, wrong))?;
        area.words.extend_from_slice(&words);
        if area.words.len() * 8 + area.bytes.len() > LIST_BYTES_MAX {
            return Err(broken(operation, Wrong::TooLong));
        }
    }
    areas.put(word, area)
}

/// The word of an unsigned 64-bit integer that the service gave.
///
/// # Errors
/// [`Kind::Service`] above `i64::MAX`.
#[inline]
pub fn u64_result(value: u64, operation: &'static str) -> Result<u64, Failure> {
    values::u64(value).map_err(|wrong| broken(operation, wrong))
}

#[cold]
pub(super) fn broken(operation: &str, wrong: Wrong) -> Failure {
    let text = match wrong {
        Wrong::Nul => "with a NUL byte in a string",
        Wrong::Value => "whose discriminant chooses another arm",
        Wrong::TooLarge => "above the largest signed 64-bit number",
        _ => "that is longer than its bound",
    };
    Failure::service(&format!("{operation}: the service gave a result {text}"))
}

/// Writes a string or bytes result, which never grows past its bound.
#[derive(Debug)]
pub struct BytesOut<'a> {
    bytes: &'a mut Vec<u8>,
    max: usize,
}

impl<'a> BytesOut<'a> {
    /// Generated code uses this: a writer into `bytes`, which are none yet.
    #[must_use]
    pub fn new(bytes: &'a mut Vec<u8>, max: usize) -> BytesOut<'a> {
        BytesOut { bytes, max }
    }

    /// Bytes written so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Bytes that may still be written.
    #[must_use]
    pub fn room(&self) -> usize {
        self.max - self.bytes.len()
    }

    /// Appends `bytes`; false, with nothing changed, if there is no room for them.
    pub fn extend(&mut self, bytes: &[u8]) -> bool {
        let fits = bytes.len() <= self.room();
        if fits {
            self.bytes.extend_from_slice(bytes);
        }
        fits
    }

    /// Appends up to `n` zero bytes, as many as there is room for, and lends them to be written over. Give back
    /// what was not needed with [`BytesOut::truncate`].
    pub fn space(&mut self, n: usize) -> &mut [u8] {
        let start = self.bytes.len();
        self.bytes.resize(start + n.min(self.room()), 0);
        &mut self.bytes[start..]
    }

    /// Lends the vector itself, with room for up to `n` bytes more (as many as the bound allows) reserved, to what
    /// fills spare capacity without zeroing it first. What is appended beyond them is cut off.
    pub fn fill<R>(&mut self, n: usize, fill: impl FnOnce(&mut Vec<u8>, usize) -> R) -> R {
        let (start, n) = (self.bytes.len(), n.min(self.room()));
        self.bytes.reserve(n);
        let result = fill(self.bytes, n);
        self.bytes.truncate(start + n);
        result
    }

    /// Cuts what was written to `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
    }

    /// Generated code uses this: ends a string.
    ///
    /// # Errors
    /// [`Kind::Service`] if it contains a NUL byte.
    pub fn finish_string(self, operation: &'static str) -> Result<(), Failure> {
        no_nul(self.bytes).map(|_| ()).map_err(|wrong| broken(operation, wrong))
    }
}

/// Writes a list result, which never grows past its bound nor past [`LIST_BYTES_MAX`].
#[derive(Debug)]
pub struct ListOut<'a> {
    area: &'a mut Area,
    /// Elements.
    len: usize,
    max: usize,
    fault: Option<Wrong>,
}

impl<'a> ListOut<'a> {
    /// Generated code uses this: a writer into an emptied area.
    #[must_use]
    pub fn new(area: &'a mut Area, max: usize) -> ListOut<'a> {
        ListOut { area, len: 0, max, fault: None }
    }

    /// Elements written so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether even the smallest element has no room any more.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.len >= self.max || self.size() >= LIST_BYTES_MAX
    }

    fn size(&self) -> usize {
        self.area.words.len() * 8 + self.area.bytes.len()
    }

    /// Appends the words of one element, whose strings `element` adds to the area. False, with nothing changed, if
    /// there is no room for it.
    pub fn push<const N: usize>(
        &mut self,
        element: impl FnOnce(&mut Area) -> Result<[u64; N], Wrong>,
    ) -> bool {
        if self.is_full() || self.fault.is_some() {
            return false;
        }
        let before = self.area.bytes.len();
        match element(self.area) {
            Ok(words) if self.size() + N * 8 <= LIST_BYTES_MAX => {
                self.area.words.extend_from_slice(&words);
                self.len += 1;
                true
            }
            outcome => {
                self.area.bytes.truncate(before);
                self.fault = outcome.err();
                false
            }
        }
    }

    /// Generated code uses this: ends the list.
    ///
    /// # Errors
    /// [`Kind::Service`] if the service tried to add an element that breaks its bounds.
    pub fn finish(self, operation: &'static str) -> Result<(), Failure> {
        self.fault.map_or(Ok(()), |wrong| Err(broken(operation, wrong)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An element of a list, such as an object, that panics at its end.
    struct Brittle;

    impl Drop for Brittle {
        fn drop(&mut self) {
            panic!("as the test wants it");
        }
    }

    #[test]
    fn elements_that_are_not_put_end_one_by_one() {
        let mut areas = Areas { list: vec![Area::default()] };
        let brittle = || vec![Brittle, Brittle, Brittle];
        let mut put = |max, element: fn(Brittle, &mut Area) -> Result<[u64; 1], Wrong>| {
            put_list(&mut areas, 0, brittle(), max, element, "T.list").expect_err("it breaks a bound").kind()
        };
        let refuse = |each, _: &mut Area| {
            drop_quietly(each);
            Err(Wrong::TooLong)
        };
        assert_eq!((put(2, refuse), put(3, refuse)), (Kind::Service, Kind::Service));
    }

    fn areas() -> Areas {
        Areas { list: vec![Area::default(), Area { bytes: b"changed".to_vec(), words: vec![] }] }
    }

    fn word(offset: usize, len: usize) -> u64 {
        Ref::new(1, offset, len).expect("a reference").0
    }

    #[test]
    fn what_a_service_changes_is_copied_neither_way() {
        let mut areas = areas();
        let place = areas.list[1].bytes.as_ptr();
        let mut text = take_string(&mut areas, word(0, 7), 7).expect("a text");
        assert_eq!((text.as_ptr(), &text[..]), (place, &b"changed"[..]));
        text.truncate(6);
        let given = give_string(&mut areas, word(0, 7), text, 7, "I.f").expect("a text");
        assert_eq!((given, &areas.list[1].bytes[..]), (word(0, 6), &b"change"[..]));
        assert_eq!(areas.list[1].bytes.as_ptr(), place);
    }

    #[test]
    fn what_is_taken_and_given_keeps_its_bounds() {
        let mut areas = areas();
        assert_eq!(take_bytes(&mut areas, word(0, 7), 6), Err(Wrong::TooLong));
        assert_eq!(take_bytes(&mut areas, word(1, 7), 9), Err(Wrong::Reference));
        // A part of an area leaves the rest where it is.
        assert_eq!(take_bytes(&mut areas, word(1, 3), 9), Ok(b"han".to_vec()));
        assert_eq!(areas.list[1].bytes, b"changed");
        areas.list[1].bytes[2] = 0;
        assert_eq!(take_string(&mut areas, word(0, 7), 9), Err(Wrong::Nul));
        assert_eq!(areas.list[1].bytes.len(), 7);
        let failed = |outcome: Result<u64, Failure>| outcome.expect_err("it breaks a bound").kind();
        assert_eq!(failed(give_bytes(&mut areas, word(0, 7), vec![1; 8], 7, "I.f")), Kind::Service);
        assert_eq!(failed(give_string(&mut areas, word(0, 7), vec![0], 7, "I.f")), Kind::Service);
        assert_eq!(give_bytes(&mut areas, word(0, 7), vec![0; 7], 7, "I.f").expect("bytes"), word(0, 7));
    }
}
