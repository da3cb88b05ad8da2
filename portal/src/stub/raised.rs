//! Exceptions whose members travel as data: one element of a list, its words before its bytes.

use super::values::Wrong;
use crate::call::{Area, Details, Failure, Kind, MEMBERS};

/// The failure that raises an exception; `place` is its place among those that the operation raises, `write` gives the
/// words of its members.
#[must_use]
#[cold]
pub fn raised_members<E: std::fmt::Display, const N: usize>(
    place: u16,
    name: &str,
    raised: &E,
    write: impl FnOnce(&E, &mut Area) -> Result<[u64; N], Wrong>,
) -> Failure {
    let mut area = Area::default();
    match write(raised, &mut area) {
        Ok(words) => {
            let mut members: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            members.extend(area.bytes);
            Failure::raised_members(place, members, raised.to_string())
        }
        Err(_) => Failure::service(&format!("the service raised {name} with a member that breaks its bound")),
    }
}

/// The place of a raised exception among those of its operation; none has the place that stands for no such thing.
#[must_use]
pub fn place(details: &Details) -> u16 {
    match details.kind {
        Kind::Raised if details.raised & MEMBERS != 0 => details.raised & !MEMBERS,
        _ => u16::MAX,
    }
}

/// The exception whose members came; `None` if they are not of their types.
pub fn members<E, const N: usize>(
    details: &Details,
    read: impl FnOnce(&[u64; N], &Area) -> Result<E, Wrong>,
) -> Option<E> {
    let (chunks, _) = details.members.as_chunks::<8>();
    let (words, _) = chunks.split_first_chunk::<N>()?;
    let bytes = details.members.get(N * 8..)?.to_vec();
    read(&words.map(u64::from_le_bytes), &Area { bytes, words: Vec::new() }).ok()
}

/// A text for people, with replacements for what is not UTF-8.
#[must_use]
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A text for people, cut at its bound and at the first NUL.
#[must_use]
pub fn cut(text: &str, max: usize) -> &[u8] {
    let text = text.split('\0').next().unwrap_or_default();
    &text.as_bytes()[..text.floor_char_boundary(max)]
}
