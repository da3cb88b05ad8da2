//! Packed lists: the bytes that a list is within another value of an interface
//! ([what they are](../../docs/decisions/0044-packed-lists.md)).
//!
//! ```text
//! | count | words of the elements | what these refer to |
//! ```

use carnet_portal::call::{Area, Ref};

/// A packed list of elements of so many words, of which `is_text` says whether word k, of all of them, refers to bytes. Nothing if it is not
/// exact: all words are there, and what they refer to lies one behind the other, to the last byte.
#[must_use]
pub fn opened(bytes: &[u8], stride: usize, is_text: impl Fn(usize) -> bool) -> Option<Area> {
    if bytes.is_empty() {
        return Some(Area::default());
    }
    let (count, rest) = bytes.split_first_chunk()?;
    let len = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(stride)?.checked_mul(8)?;
    let (words, texts) = rest.split_at_checked(len)?;
    let words: Vec<u64> = words.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let mut end = 0;
    for (_, word) in words.iter().enumerate().filter(|(k, _)| is_text(*k)) {
        let r = Ref(*word);
        if r.area() != 0 || (r.offset() != end && !r.is_empty()) || r.offset() + r.len() > texts.len() {
            return None;
        }
        end += r.len();
    }
    (end == texts.len()).then(|| Area { bytes: texts.to_vec(), words })
}

/// The bytes of a list whose texts lie one behind the other, and all of whose bytes are such texts.
#[must_use]
pub fn closed(list: &Area, stride: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + 8 * list.words.len() + list.bytes.len());
    bytes.extend_from_slice(&((list.words.len() / stride.max(1)) as u64).to_le_bytes());
    list.words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    bytes.extend_from_slice(&list.bytes);
    bytes
}

#[cfg(test)]
mod tests {
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
}
