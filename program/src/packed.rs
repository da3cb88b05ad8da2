//! Packed lists: the bytes that a list is within another value of an interface
//! ([what they are](../../docs/decisions/0044-packed-lists.md)).
//!
//! ```text
//! | count | words of the elements | what these refer to |
//! ```

use std::convert::Infallible;

use carnet_portal::call::{Area, Ref};

/// Words that are read or written between two looks.
const WORDS_AT_ONCE: usize = 1 << 15;
/// Bytes of texts.
const BYTES_AT_ONCE: usize = 8 * WORDS_AT_ONCE;

/// A packed list of elements of so many words, of which `is_text` says whether word k, of all of them, refers to bytes. Nothing if it is not
/// exact: all words are there, and what they refer to lies one behind the other, to the last byte.
#[must_use]
pub fn opened(bytes: &[u8], stride: usize, is_text: impl Fn(usize) -> bool) -> Option<Area> {
    let Ok(list) = opened_while(bytes, stride, is_text, || Ok::<(), Infallible>(()));
    list
}

/// As [`opened`], with a look between pieces.
///
/// # Errors
/// Those of `look`.
pub(crate) fn opened_while<E>(
    bytes: &[u8],
    stride: usize,
    is_text: impl Fn(usize) -> bool,
    look: impl Fn() -> Result<(), E>,
) -> Result<Option<Area>, E> {
    if bytes.is_empty() {
        return Ok(Some(Area::default()));
    }
    let Some((words, texts)) = parts(bytes, stride) else { return Ok(None) };
    let mut list = Area { bytes: Vec::new(), words: Vec::with_capacity(words.len()) };
    let mut end = 0;
    for (n, piece) in words.chunks(WORDS_AT_ONCE).enumerate() {
        if n > 0 {
            look()?;
        }
        for (k, word) in piece.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            list.words.push(word);
            let r = Ref(word);
            if !is_text(n * WORDS_AT_ONCE + k) {
                continue;
            }
            if r.area() != 0 || (r.offset() != end && !r.is_empty()) || r.offset() + r.len() > texts.len() {
                return Ok(None);
            }
            end += r.len();
        }
    }
    if end != texts.len() {
        return Ok(None);
    }
    list.bytes.reserve_exact(texts.len());
    add_texts(&mut list.bytes, texts, &look)?;
    Ok(Some(list))
}

/// The words of a packed list, and what they refer to.
fn parts(bytes: &[u8], stride: usize) -> Option<(&[[u8; 8]], &[u8])> {
    let (count, rest) = bytes.split_first_chunk()?;
    let len = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(stride)?.checked_mul(8)?;
    let (words, texts) = rest.split_at_checked(len)?;
    Some((words.as_chunks().0, texts))
}

/// The bytes of a list whose texts lie one behind the other, and all of whose bytes are such texts.
#[must_use]
pub fn closed(list: &Area, stride: usize) -> Vec<u8> {
    let Ok(bytes) = closed_while(list, stride, || Ok::<(), Infallible>(()));
    bytes
}

/// As [`closed`], with a look between pieces.
///
/// # Errors
/// Those of `look`.
pub(crate) fn closed_while<E>(
    list: &Area,
    stride: usize,
    look: impl Fn() -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let mut bytes = Vec::with_capacity(8 + 8 * list.words.len() + list.bytes.len());
    bytes.extend_from_slice(&((list.words.len() / stride.max(1)) as u64).to_le_bytes());
    for (n, piece) in list.words.chunks(WORDS_AT_ONCE).enumerate() {
        if n > 0 {
            look()?;
        }
        piece.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    }
    add_texts(&mut bytes, &list.bytes, &look)?;
    Ok(bytes)
}

fn add_texts<E>(to: &mut Vec<u8>, texts: &[u8], look: &impl Fn() -> Result<(), E>) -> Result<(), E> {
    for (n, piece) in texts.chunks(BYTES_AT_ONCE).enumerate() {
        if n > 0 {
            look()?;
        }
        to.extend_from_slice(piece);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn list() -> Area {
        let mut area = Area::default();
        for (n, text) in [(7, &b"one"[..]), (8, b""), (9, b"three")] {
            let text = area.add_string(text).expect("it is short");
            area.words.extend([n, text]);
        }
        area
    }

    fn read(bytes: &[u8]) -> Option<Area> {
        opened(bytes, 2, |k| k % 2 == 1)
    }

    #[test]
    fn what_is_closed_is_opened() {
        let bytes = closed(&list(), 2);
        assert_eq!((bytes.len(), read(&bytes)), (8 + 6 * 8 + 8, Some(list())));
        assert_eq!((read(b""), read(&[0; 8])), (Some(Area::default()), Some(Area::default())));
    }

    /// Fewer and more bytes, other counts, and texts that overlap, leave gaps or are elsewhere.
    #[test]
    fn what_is_not_exact_is_none() {
        let bytes = closed(&list(), 2);
        for len in 1..bytes.len() {
            assert_eq!(read(&bytes[..len]), None, "{len}");
        }
        assert_eq!(read(&[&bytes[..], b"x"].concat()), None);
        for count in [0, 1, 2, 4, 1 << 60, u64::MAX] {
            assert_eq!(read(&[&count.to_le_bytes()[..], &bytes[8..]].concat()), None, "{count}");
        }
        for (area, offset, len) in [(0, 2, 5), (0, 4, 5), (0, 3, 4), (0, 3, 6), (1, 3, 5), (0, 0, 5)] {
            let word = Ref::new(area, offset, len).expect("it is small").0;
            let mut other = list();
            other.words[5] = word;
            assert_eq!(read(&closed(&other, 2)), None, "{area} {offset} {len}");
        }
    }

    /// Counted: no piece is more work than is meant.
    #[test]
    fn long_lists_are_opened_and_closed_in_pieces() {
        let mut area = Area::default();
        for n in 0..100_000 {
            let text = area.add_string(&[1; 9]).expect("it is short");
            area.words.extend([n, text]);
        }
        let pieces = area.words.len() / WORDS_AT_ONCE + area.bytes.len() / BYTES_AT_ONCE;
        let looks = Cell::new(0);
        let look = |end: usize| {
            looks.set(0);
            let looks = &looks;
            move || {
                looks.set(looks.get() + 1);
                if looks.get() == end { Err("ends") } else { Ok(()) }
            }
        };
        let is_text = |k| k % 2 == 1;
        let bytes = closed_while(&area, 2, look(0)).expect("it goes on");
        assert!(looks.get() >= pieces, "{}", looks.get());
        assert_eq!(closed_while(&area, 2, look(pieces)), Err("ends"));
        assert_eq!(opened_while(&bytes, 2, is_text, look(0)), Ok(Some(area)));
        assert!(looks.get() >= pieces, "{}", looks.get());
        assert_eq!(opened_while(&bytes, 2, is_text, look(pieces)), Err("ends"));
    }
}
