//! What is done to long texts and lists, in pieces: between two of them there is a look whether the run is to end. Whoever looks and is
//! told so has changed nothing that lasts.

use std::cmp::Ordering;
use std::ops::Range;

use carnet_portal::call::{Area, Ref};

use super::Stop;
use crate::limits::LimitKind;

/// Bytes that are copied, compared or looked through between two looks, about.
pub(super) const AT_ONCE: usize = 1 << 18;

/// Words of a list that are looked through.
pub(super) const WORDS_AT_ONCE: usize = AT_ONCE / 8;

/// Appends a text.
///
/// # Errors
/// Those of `look`, with nothing appended.
#[inline]
pub(super) fn append<E>(to: &mut Vec<u8>, text: &[u8], look: impl Fn() -> Result<(), E>) -> Result<(), E> {
    if text.len() <= AT_ONCE {
        to.extend_from_slice(text);
        return Ok(());
    }
    let before = to.len();
    to.reserve(text.len());
    for piece in text.chunks(AT_ONCE) {
        if let Err(stop) = look() {
            to.truncate(before);
            return Err(stop);
        }
        to.extend_from_slice(piece);
    }
    Ok(())
}

/// Appends a part of a text to it, which is in it.
///
/// # Errors
/// Those of `look`, with nothing appended.
pub(super) fn append_within<E>(
    to: &mut Vec<u8>,
    part: Range<usize>,
    look: impl Fn() -> Result<(), E>,
) -> Result<(), E> {
    let before = to.len();
    to.reserve(part.len());
    for from in part.clone().step_by(AT_ONCE) {
        if from > part.start
            && let Err(stop) = look()
        {
            to.truncate(before);
            return Err(stop);
        }
        to.extend_from_within(from..part.end.min(from + AT_ONCE));
    }
    Ok(())
}

/// Compares two texts.
///
/// # Errors
/// Those of `look`.
#[inline]
pub(super) fn compare<E>(a: &[u8], b: &[u8], look: impl Fn() -> Result<(), E>) -> Result<Ordering, E> {
    if a.len().min(b.len()) <= AT_ONCE {
        return Ok(a.cmp(b));
    }
    for (a, b) in a.chunks_exact(AT_ONCE).zip(b.chunks_exact(AT_ONCE)) {
        look()?;
        let order = a.cmp(b);
        if order.is_ne() {
            return Ok(order);
        }
    }
    // At most one of them has another piece of the full length.
    let alike = a.len().min(b.len()) / AT_ONCE * AT_ONCE;
    Ok(a[alike..].cmp(&b[alike..]))
}

/// Whether a text has a NUL byte.
///
/// # Errors
/// Those of `look`.
pub(super) fn has_nul<E>(text: &[u8], look: impl Fn() -> Result<(), E>) -> Result<bool, E> {
    for (n, piece) in text.chunks(AT_ONCE).enumerate() {
        if n > 0 {
            look()?;
        }
        if piece.contains(&0) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Bytes of the texts of a list; `is_text` says which of its words refer to one.
///
/// # Errors
/// Those of `look`.
pub(super) fn text_bytes<E>(
    list: &Area,
    is_text: impl Fn(usize) -> bool,
    look: impl Fn() -> Result<(), E>,
) -> Result<usize, E> {
    let mut sum = 0;
    for (n, piece) in list.words.chunks(WORDS_AT_ONCE).enumerate() {
        if n > 0 {
            look()?;
        }
        let texts = piece.iter().enumerate().filter(|(k, _)| is_text(n * WORDS_AT_ONCE + k));
        sum += texts.map(|(_, word)| Ref(*word).len()).sum::<usize>();
    }
    Ok(sum)
}

/// A copy of a list whose texts have `live` bytes, and of nothing else that lies in it.
///
/// # Errors
/// Those of `look`; [`LimitKind::Memory`] if its texts are more than can be referred to.
pub(super) fn copied(
    list: &Area,
    live: usize,
    is_text: impl Fn(usize) -> bool,
    look: impl Fn() -> Result<(), Stop>,
) -> Result<Area, Stop> {
    let mut copy = Area { bytes: Vec::with_capacity(live), words: Vec::with_capacity(list.words.len()) };
    let mut since = 0;
    for (k, word) in list.words.iter().enumerate() {
        if since >= AT_ONCE {
            since = 0;
            look()?;
        }
        since += 8;
        let word = if is_text(k) {
            let text = list.string(*word);
            let copy_of = Ref::new(0, copy.bytes.len(), text.len()).ok_or(Stop::Limit(LimitKind::Memory))?;
            append(&mut copy.bytes, text, &look)?;
            since += text.len();
            copy_of.0
        } else {
            *word
        };
        copy.words.push(word);
    }
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Some MiB in which nothing repeats soon.
    fn text(len: usize) -> Vec<u8> {
        (0..len as u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 24) as u8 | 1).collect()
    }

    /// Carries something out; how often it looked. Whenever it looks, it may as well end there.
    fn looks<T>(act: impl Fn(&dyn Fn() -> Result<(), Stop>) -> Result<T, Stop>) -> usize {
        let run = |end: usize| {
            let count = Cell::new(0);
            let look = || {
                count.set(count.get() + 1);
                if count.get() == end { Err(Stop::Cancelled) } else { Ok(()) }
            };
            (act(&look).err(), count.get())
        };
        let (ended, count) = run(0);
        assert_eq!(ended, None);
        for end in 1..=count {
            assert_eq!(run(end), (Some(Stop::Cancelled), end));
        }
        count
    }

    const PIECES: usize = 12;

    #[test]
    fn long_texts_are_done_in_pieces() {
        let long = text(PIECES * AT_ONCE + 77);
        for len in [0, 1, AT_ONCE] {
            let short = &long[..len];
            let within =
                |look: &dyn Fn() -> Result<(), Stop>| append_within(&mut short.to_vec(), 0..len, look);
            let all = [
                looks(|look| append(&mut Vec::new(), short, look)),
                looks(within),
                looks(|look| compare(short, &long, look)),
                looks(|look| has_nul(short, look)),
            ];
            assert_eq!(all, [0; 4], "{len}");
        }
        let appended = looks(|look| {
            let mut to = b"before".to_vec();
            let done = append(&mut to, &long, look);
            assert_eq!(to, if done.is_ok() { [b"before", &long[..]].concat() } else { b"before".to_vec() });
            done
        });
        let within = looks(|look| {
            let mut to = long.clone();
            let done = append_within(&mut to, 5..long.len(), look);
            assert_eq!(to, if done.is_ok() { [&long[..], &long[5..]].concat() } else { long.clone() });
            done
        });
        let compared = looks(|look| {
            assert_eq!(compare(&long, &long, look)?, Ordering::Equal);
            Ok(())
        });
        let seen = looks(|look| {
            assert!(!has_nul(&long, look)?);
            Ok(())
        });
        for count in [appended, within, compared, seen] {
            assert!(count >= PIECES, "{count}");
        }
    }

    #[test]
    fn texts_are_compared_as_they_are_at_once() {
        let look = || Ok::<(), Stop>(());
        let long = text(2 * AT_ONCE + 5);
        for cut in [0, 1, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 2 * AT_ONCE, long.len() - 1, long.len()] {
            assert_eq!(compare(&long, &long[..cut], look), Ok(long[..].cmp(&long[..cut])), "{cut}");
            assert_eq!(compare(&long[..cut], &long, look), Ok(long[..cut].cmp(&long)), "{cut}");
            let mut other = long.clone();
            if let Some(byte) = other.get_mut(cut) {
                *byte = byte.wrapping_add(1);
            }
            assert_eq!(compare(&long, &other, look), Ok(long.cmp(&other)), "{cut}");
            if let Some(byte) = other.get_mut(cut) {
                *byte = 0;
            }
            assert_eq!(has_nul(&other, look), Ok(other.contains(&0)), "{cut}");
        }
    }

    /// Numbers first, then some texts that are long together, and one that is longer than a piece: each piece is about as much work.
    #[test]
    fn lists_are_copied_in_pieces_of_the_same_work() {
        let is_text = |k: usize| k % 2 == 1;
        let mut list = Area::default();
        for n in 0..200_000 {
            let len = if n < 199_900 { 0 } else { 50_000 };
            let len = if n == 199_999 { 3 * AT_ONCE } else { len };
            let text = list.add_string(&text(len)).expect("it is short");
            list.words.extend([n, text]);
        }
        let live = list.text_bytes(is_text);
        assert_eq!(text_bytes(&list, is_text, || Ok::<(), Stop>(())), Ok(live));
        assert_eq!(copied(&list, live, is_text, || Ok(())), Ok(list.clone()));
        assert!(looks(|look| text_bytes(&list, is_text, look)) >= list.words.len() / WORDS_AT_ONCE);
        let all = live + 8 * list.words.len();
        let count = looks(|look| copied(&list, live, is_text, look));
        // A piece ends behind what makes it full.
        assert!(count >= all / (AT_ONCE + 50_000) - 1 && count <= all / AT_ONCE + 4, "{count}");
    }
}
