//! Lists of a message, and what all of its words name together: no more than it has
//! ([0049](../../../docs/decisions/0049-bytes-of-its-own.md)).

use std::ops::Range;

use carnet_idl::descriptor::Word;

use super::{bytes_range, leaves_data};
use crate::call::{Area, Failure};
use crate::wire::u64_at;

/// Reads `[count][count × stride words][bytes]`; takes no more memory than `item` has bytes. Bytes of its texts together.
pub(super) fn read_list(item: &[u8], element: &[Word], max: u32, area: &mut Area) -> Result<usize, Failure> {
    let (count, rest) = item.split_at_checked(8).ok_or_else(leaves_data)?;
    let count = usize::try_from(u64_at(count, 0)).unwrap_or(usize::MAX);
    if count > max as usize {
        return Err(Failure::bad_argument(&format!(
            "a list of {count} elements where at most {max} are allowed"
        )));
    }
    let words = count.saturating_mul(element.len());
    let (words, bytes) = rest.split_at_checked(words.saturating_mul(8)).ok_or_else(leaves_data)?;
    area.bytes.extend_from_slice(bytes);
    area.words.extend(words.chunks_exact(8).map(|word| u64_at(word, 0)));
    check_strings(area, element)
}

/// What words of a message may still name. Whoever sends one puts bytes of its own there for each word; if many named the same,
/// a receiver would take many times as much memory as a message has bytes, and look at them as often.
pub(super) struct Named {
    /// Bytes of the data section.
    left: usize,
    /// Bytes of texts in lists.
    texts_left: usize,
}

impl Named {
    /// Of a message with so many bytes of data.
    pub(super) fn of(data: usize) -> Named {
        Named { left: data, texts_left: data.max(TEXTS_BYTES_MAX) }
    }

    /// As [`bytes_range`].
    #[inline]
    pub(super) fn range(&mut self, value: u64, len: usize, max: u32) -> Result<Range<usize>, Failure> {
        let range = bytes_range(value, len, max)?;
        self.left = self.left.checked_sub(range.len()).ok_or_else(shares_data)?;
        Ok(range)
    }

    /// A list's texts take so many bytes together.
    pub(super) fn texts(&mut self, bytes: usize) -> Result<(), Failure> {
        self.texts_left = self.texts_left.checked_sub(bytes).ok_or_else(shares_texts)?;
        Ok(())
    }
}

/// Bytes of all texts of a message's lists together, if it has not as many itself: as many as a message has room for. Each is copied,
/// and all might name the same bytes.
const TEXTS_BYTES_MAX: usize = 2 << 20;

/// Checks that the strings of a list lie within its bytes, and take no more together than if each had bytes of its own: that much.
pub(crate) fn check_strings(area: &Area, element: &[Word]) -> Result<usize, Failure> {
    let mut all = 0;
    for (field, word) in element.iter().enumerate() {
        let (Word::String { max } | Word::Bytes { max }) = word else { continue };
        for value in area.words.iter().skip(field).step_by(element.len()) {
            all += bytes_range(*value, area.bytes.len(), *max)?.len();
        }
    }
    if all > TEXTS_BYTES_MAX.max(area.bytes.len()) { Err(shares_texts()) } else { Ok(all) }
}

#[cold]
fn shares_data() -> Failure {
    Failure::bad_argument("words that name the same bytes of a message")
}

#[cold]
fn shares_texts() -> Failure {
    Failure::bad_argument("a list whose texts name the same bytes many times")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Ref;

    /// Each text would be copied: 65,536 of a mebibyte each.
    #[test]
    fn texts_of_a_list_that_all_name_the_same_bytes_are_refused() {
        let element = [Word::Bytes { max: 1 << 20 }, Word::Int { bits: 64, signed: true }];
        let list = |count: u64| {
            let word = Ref::new(0, 0, 1 << 20).expect("a reference").0;
            let words = (0..count).flat_map(|number| [word, number]);
            let words: Vec<u8> = std::iter::once(count).chain(words).flat_map(u64::to_le_bytes).collect();
            let item = [&words[..], &vec![7; 1 << 20]].concat();
            read_list(&item, &element, 65_536, &mut Area::default())
        };
        assert_eq!(list(2).map_err(|failure| failure.kind()), Ok(2 << 20));
        for count in [3, 60_000] {
            let failure = list(count).expect_err("they overlap");
            assert_eq!(failure.details().message, "a list whose texts name the same bytes many times");
        }
    }
}
