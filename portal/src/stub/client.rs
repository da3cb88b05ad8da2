//! Clients: one call's block and its reply on the caller's side.

use super::values::{LIST_BYTES_MAX, Wrong, no_nul};
use crate::call::{Area, Ref};
use crate::portal::Portal;

/// The word of input `area`, which is `bytes`.
///
/// # Errors
/// [`Wrong::TooLong`] if there are more than `max`.
#[inline]
pub fn bytes_word(area: usize, bytes: &[u8], max: usize) -> Result<u64, Wrong> {
    if bytes.len() > max {
        return Err(Wrong::TooLong);
    }
    Ref::new(area, 0, bytes.len()).map(|r| r.0).ok_or(Wrong::TooLong)
}

/// The word of input `area`, which is the string `text`.
///
/// # Errors
/// As [`bytes_word`]; also [`Wrong::Nul`].
#[inline]
pub fn string_word(area: usize, text: &[u8], max: usize) -> Result<u64, Wrong> {
    bytes_word(area, no_nul(text)?, max)
}

/// An input that holds a list of at most `max` elements, each turned into `N` words by `element`.
///
/// # Errors
/// [`Wrong::TooLong`] if there are more, or they take more than [`LIST_BYTES_MAX`]; what `element` says.
pub fn list_area<'a, T, const N: usize>(
    elements: &'a [T],
    max: usize,
    mut element: impl FnMut(&'a T, &mut Area) -> Result<[u64; N], Wrong>,
) -> Result<Area, Wrong> {
    if elements.len() > max {
        return Err(Wrong::TooLong);
    }
    let mut area = Area::default();
    for each in elements {
        let words = element(each, &mut area)?;
        area.words.extend_from_slice(&words);
        if area.words.len() * 8 + area.bytes.len() > LIST_BYTES_MAX {
            return Err(Wrong::TooLong);
        }
    }
    Ok(area)
}

/// The word that names all of area `area`: a list, or an output to be filled.
#[inline]
#[must_use]
pub fn area(area: usize) -> u64 {
    Ref::new(area, 0, 0).unwrap_or_default().0
}

/// The word of an unsigned 64-bit integer.
///
/// # Errors
/// [`Wrong::TooLarge`] above `i64::MAX`.
#[inline]
pub fn u64_word(value: u64) -> Result<u64, Wrong> {
    super::values::u64(value)
}

/// The bytes that came back, without a copy.
///
/// # Errors
/// [`Wrong::TooLong`] if there are more than `max`.
pub fn bytes_output(output: &mut Area, max: usize) -> Result<Vec<u8>, Wrong> {
    if output.bytes.len() > max {
        return Err(Wrong::TooLong);
    }
    Ok(std::mem::take(&mut output.bytes))
}

/// The string that came back, without a copy.
///
/// # Errors
/// As [`bytes_output`]; also [`Wrong::Nul`].
pub fn string_output(output: &mut Area, max: usize) -> Result<Vec<u8>, Wrong> {
    no_nul(bytes_output(output, max)?)
}

/// An output whose bytes are put into `buffer`, which gets them with [`put_back`] when the call has been made.
#[must_use]
pub fn room(buffer: &mut Vec<u8>) -> Area {
    Area { bytes: std::mem::take(buffer), words: Vec::new() }
}

/// Gives each buffer the bytes of its output, whatever became of the call.
pub fn put_back<const N: usize>(outputs: &mut [Area], buffers: [(usize, &mut Vec<u8>); N]) {
    for (output, buffer) in buffers {
        if let Some(output) = outputs.get_mut(output) {
            *buffer = std::mem::take(&mut output.bytes);
        }
    }
}

/// Hands a portal over, beside those that are handed over already; its word.
#[inline]
pub fn hand<'a>(portals: &mut Vec<&'a Portal>, portal: &'a Portal) -> u64 {
    portals.push(portal);
    portals.len() as u64 - 1
}

/// The discriminant of a union's arm: one of `own`, or of an arm that is the default none of `others`.
///
/// # Errors
/// [`Wrong::Value`] if it chooses another arm.
pub fn label(word: u64, own: &[i64], others: &[i64]) -> Result<u64, Wrong> {
    let label = word.cast_signed();
    let is_right = if own.is_empty() { !others.contains(&label) } else { own.contains(&label) };
    if is_right { Ok(word) } else { Err(Wrong::Value) }
}

/// The portal that a word of the reply names.
///
/// # Errors
/// [`Wrong::Portal`] if it did not come.
pub fn made(made: &[Portal], word: u64) -> Result<Portal, Wrong> {
    usize::try_from(word).ok().and_then(|index| made.get(index)).cloned().ok_or(Wrong::Portal)
}
