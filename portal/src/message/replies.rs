//! Replies into blocks: the words, and data that go to the block's outputs or are there already
//! ([0055](../../../docs/decisions/0055-what-is-scattered-and-what-stays.md)).
//!
//! ```text
//! as sent    │ header, words, portals │ a a a a a a a │ list │ b b b b b │
//! begun      │ header, words, portals │ a a │
//! as read    │ header, words, portals │ a a │ list │                        output of a: all of it; of b: all of it
//! ```

use std::ops::Range;

use carnet_idl::descriptor::{Layout, Word};

use super::lists::{Named, read_list};
use super::{bound, bytes_range, is_list, is_variable, leaves_data, nonsense, too_many_areas, word_of};
use crate::call::{Area, Failure, Ref};
use crate::wire::{Reply, Sections};

/// The data of a good reply, if they lie one behind the other in the order of the words that refer to them, and none is longer than
/// it may be: of each such word, and where in the frame they are. `begun` is what there is of it.
pub(crate) fn data_in_order<'f>(
    header: &Reply,
    begun: &'f [u8],
    layout: &'f Layout,
) -> Option<impl Iterator<Item = (&'f Word, Range<usize>)>> {
    let start = Sections::of(begun.len(), layout.reply_words(), usize::from(header.portals))?.data;
    let len = (header.len as usize).checked_sub(start)?;
    let words = layout.inouts.iter().chain(&layout.outs).enumerate().filter(|(_, word)| is_variable(word));
    let data = words.map(move |(index, word)| {
        let max = if is_list(word) { u32::MAX } else { bound(word) };
        let range = bytes_range(word_of(begun, index), len, max).ok()?;
        Some((word, start + range.start..start + range.end))
    });
    let mut end = 0;
    for each in data.clone() {
        let (_, range) = each?;
        if !range.is_empty() {
            if range.start < end {
                return None;
            }
            end = range.end;
        }
    }
    Some(data.flatten())
}

/// Data of a reply in order that are where they belong before it is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Landed {
    /// A bit for each of the first outputs: its are.
    outputs: u64,
    /// Bytes of the frame that were there before: of what landed only what is behind them is missing in it.
    begun: usize,
}

impl Landed {
    /// Nothing of a frame, of which so many bytes are there.
    pub(crate) fn nothing_of(begun: usize) -> Landed {
        Landed { outputs: 0, begun }
    }

    /// Whether there is a bit for it.
    pub(crate) fn can_have(output: usize) -> bool {
        output < u64::BITS as usize
    }

    /// Those of `output` are where they belong.
    pub(crate) fn add(&mut self, output: usize) {
        self.outputs |= 1 << output;
    }

    #[inline]
    fn has(self, output: usize) -> bool {
        Landed::can_have(output) && self.outputs >> output & 1 != 0
    }

    /// How many bytes of what lay there are missing in the frame.
    fn missing(self, place: Range<usize>) -> usize {
        place.end - place.start.max(self.begun).min(place.end)
    }
}

/// Reads a good reply into the suffix of a block's words and into its outputs. `inputs` is the number of the block's
/// inputs. What `landed` is not in `frame` any more.
///
/// # Errors
/// [`Kind::Protocol`] if the frame is not a reply to this operation; [`Kind::BadArgument`] if the block is not a
/// block of it.
pub(crate) fn read_reply(
    header: &Reply,
    frame: &[u8],
    layout: &Layout,
    words: &mut [u64],
    (inputs, outputs): (usize, &mut [Area]),
    landed: Landed,
) -> Result<(), Failure> {
    let portals = usize::from(header.portals);
    let sections = Sections::of(frame.len(), layout.reply_words(), portals)
        .ok_or_else(|| nonsense("it is too short"))?;
    let mut data = Data {
        left: &frame[sections.data..],
        missing: 0,
        len: (header.len as usize).saturating_sub(sections.data),
    };
    let suffix = words
        .get_mut(layout.ins.len()..layout.words())
        .ok_or_else(|| Failure::bad_argument("an argument block has fewer words than its operation"))?;
    let mut named = Named::of(data.len);
    let mut next = 0;
    for (index, (word, place)) in layout.inouts.iter().chain(&layout.outs).zip(suffix).enumerate() {
        let value = word_of(frame, index);
        *place = match word {
            Word::Portal(_) if value >= portals as u64 => return Err(nonsense("a portal is missing")),
            Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_) | Word::Portal(_) => value,
            Word::String { .. } | Word::Bytes { .. } | Word::List { .. } => {
                let output = outputs
                    .get_mut(next)
                    .ok_or_else(|| Failure::bad_argument("an argument block lacks an output"))?;
                if landed.has(next) {
                    let range = named.range(value, data.len, bound(word)).map_err(|f| lies(&f))?;
                    data.missing += landed.missing(sections.data + range.start..sections.data + range.end);
                } else {
                    read_output(value, &data, word, &mut named, output).map_err(|f| lies(&f))?;
                }
                next += 1;
                let len = if is_list(word) { 0 } else { output.bytes.len() };
                Ref::new(inputs + next - 1, 0, len).ok_or_else(too_many_areas)?.0
            }
        };
    }
    Ok(())
}

/// The data of a reply, of which some may have landed.
struct Data<'f> {
    /// The others.
    left: &'f [u8],
    /// How many bytes are missing of those that lay before what is read next.
    missing: usize,
    /// Bytes of all.
    len: usize,
}

impl<'f> Data<'f> {
    /// What lay there, and did not land.
    #[inline]
    fn get(&self, range: Range<usize>) -> Result<&'f [u8], Failure> {
        if range.is_empty() {
            return Ok(&[]);
        }
        let start = range.start.checked_sub(self.missing).ok_or_else(leaves_data)?;
        self.left.get(start..start + range.len()).ok_or_else(leaves_data)
    }
}

/// A reply that does not hold to its own layout.
#[cold]
fn lies(failure: &Failure) -> Failure {
    nonsense(&failure.details().message)
}

fn read_output(
    value: u64,
    data: &Data<'_>,
    word: &Word,
    named: &mut Named,
    output: &mut Area,
) -> Result<(), Failure> {
    output.clear();
    match word {
        Word::List { element, max } => {
            let range = named.range(value, data.len, u32::MAX)?;
            named.texts(read_list(data.get(range)?, element, *max, output)?)
        }
        Word::String { max } | Word::Bytes { max } => {
            let range = named.range(value, data.len, *max)?;
            output.bytes.extend_from_slice(data.get(range)?);
            Ok(())
        }
        Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_) | Word::Portal(_) => Ok(()),
    }
}
