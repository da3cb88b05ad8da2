//! Turned calls: a few words that are sent, and bytes that go both ways ([`Layout::turned`]).

use std::ops::Range;

use carnet_idl::descriptor::{Layout, SHORT_WORDS};

use super::{
    Frame, Given, Inputs, Source, bound, bytes_range, leaves_data, nonsense, read_words, too_many_areas,
    word_of,
};
use crate::call::{Area, Areas, Failure, Ref, ShortWords};
use crate::wire::{Reply, Sections};

/// Most bytes that a [turned](Layout::turned) call is about.
#[inline]
pub(crate) fn turned_max(layout: &Layout) -> u32 {
    layout.inouts.first().map_or(0, bound)
}

/// Begins the request of a [turned](Layout::turned) call about `data`, which its word `at` refers to.
///
/// # Errors
/// [`Kind::BadArgument`], if they are longer than a message can say.
#[inline]
pub(crate) fn turned_request<'b, 'a>(
    buffer: &'b mut Vec<u8>,
    layout: &Layout,
    at: usize,
    words: &ShortWords,
    data: &'a [u8],
) -> Result<Frame<'b, 'a>, Failure> {
    let mut frame = Frame::of_words(buffer, &words[..layout.request_words()]);
    frame.put_piece::<Inputs<'_>>(at, data)?;
    Ok(frame)
}

/// Reads the words of a turned request, which hands no portals over; the data are put into area 1, to which word `at` refers then.
///
/// # Errors
/// [`Kind::BadArgument`], if they are not there, or too long.
#[inline]
pub(crate) fn read_turned_request(
    areas: &mut Areas,
    frame: &Range<usize>,
    sections: Sections,
    layout: &Layout,
    at: usize,
) -> Result<ShortWords, Failure> {
    if areas.list.len() < 2 {
        areas.list.push(Area::default());
    }
    let [buffer, area, ..] = areas.list.as_mut_slice() else { return Err(too_many_areas()) };
    let frame = &buffer.bytes[frame.clone()];
    let mut words = [0; SHORT_WORDS];
    read_words(frame, words.iter_mut().take(layout.request_words()));
    let data = &frame[sections.data..];
    let range = bytes_range(words[at], data.len(), turned_max(layout))?;
    area.clear();
    area.bytes.extend_from_slice(&data[range]);
    words[at] = Ref::new(1, 0, area.bytes.len()).ok_or_else(leaves_data)?.0;
    Ok(words)
}

/// Begins the reply of a turned call; `word` refers to the data.
///
/// # Errors
/// [`Kind::Service`], if they are not there, or longer than they may be.
#[inline]
pub(crate) fn turned_reply<'b, 'a>(
    buffer: &'b mut Vec<u8>,
    layout: &Layout,
    word: u64,
    areas: &'a Areas,
) -> Result<Frame<'b, 'a>, Failure> {
    let data = Given(areas).bytes(word).ok_or_else(|| Given::fault("a reference names no data"))?;
    let max = turned_max(layout);
    if data.len() > max as usize {
        return Err(Given::fault(&format!("{} bytes where at most {max} are allowed", data.len())));
    }
    let mut frame = Frame::of_words(buffer, &[word]);
    frame.put_piece::<Given<'_>>(0, data)?;
    Ok(frame)
}

/// Reads the reply of a turned call into `data`, which are as they were if it is none. If its [`last_data`] are in `long` already,
/// `frame` is what is before them.
///
/// # Errors
/// [`Kind::Protocol`], if it is none.
#[inline]
pub(crate) fn read_turned_reply(
    header: &Reply,
    frame: &[u8],
    layout: &Layout,
    data: &mut Vec<u8>,
    long: &mut Vec<u8>,
) -> Result<(), Failure> {
    let sections = Sections::of(frame.len(), layout.reply_words(), usize::from(header.portals))
        .ok_or_else(|| nonsense("it is too short"))?;
    if frame.len() != header.len as usize {
        *data = std::mem::take(long);
        return Ok(());
    }
    let found = &frame[sections.data..];
    let max = turned_max(layout);
    let range = bytes_range(word_of(frame, 0), found.len(), max)
        .map_err(|failure| nonsense(&failure.details().message))?;
    data.clear();
    data.extend_from_slice(&found[range]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Kind;
    use crate::wire::{HEADER_BYTES, kind};

    /// Of `void f(in long a, inout sequence<octet, 8> data)`.
    fn layout() -> Layout {
        let text = "module t { interface T { void f(in long a, inout sequence<octet, 8> data); }; };";
        let module = carnet_idl::compile_str("t.idl", text).expect("it compiles");
        let layout = module.interfaces[0].operations[0].layout.clone();
        assert_eq!((layout.turned, layout.short), (Some(1), None));
        layout
    }

    fn reply(word: u64, data: &[u8], len_more: usize) -> (Reply, Vec<u8>) {
        let len = (HEADER_BYTES + 8 + data.len() + len_more) as u32;
        let header = Reply { len, kind: kind::REPLY, portals: 0, status: 0, call: 1, raised: 0 };
        (header, [&header.encode()[..], &word.to_le_bytes(), data].concat())
    }

    fn word(offset: usize, len: usize) -> u64 {
        Ref::new(0, offset, len).expect("a reference").0
    }

    #[test]
    fn what_is_turned_comes_back_whatever_length_it_has() {
        let layout = layout();
        let mut buffer = Vec::new();
        let sent = turned_request(&mut buffer, &layout, 1, &[7, 0, 0, 0, 0, 0], b"abc").expect("a frame");
        let header = crate::wire::Request { len: 0, kind: kind::CALL, portals: 0, op: 0, target: 1, call: 1 };
        assert!(sent.finish_request(header, u32::MAX).is_some());
        let frame = 0..buffer.len();
        let mut areas = Areas { list: vec![Area { bytes: buffer, words: vec![] }] };
        let sections = Sections::of(frame.len(), 2, 0).expect("they fit");
        let words = read_turned_request(&mut areas, &frame, sections, &layout, 1).expect("a request");
        assert_eq!((words[0], &areas.list[1].bytes[..]), (7, &b"abc"[..]));
        areas.list[1].bytes = b"changed!".to_vec();
        let given = Ref::new(1, 0, 8).expect("a reference").0;
        let mut buffer = Vec::new();
        let back = turned_reply(&mut buffer, &layout, given, &areas).expect("a frame");
        let header = Reply { len: 0, kind: kind::REPLY, portals: 0, status: 0, call: 1, raised: 0 };
        assert!(back.finish_reply(header, u32::MAX).is_some());
        let header = Reply::decode(&buffer).expect("a header");
        let mut data = b"abc".to_vec();
        read_turned_reply(&header, &buffer, &layout, &mut data, &mut Vec::new()).expect("a reply");
        assert_eq!(data, b"changed!");
    }

    #[test]
    fn a_reply_that_is_none_changes_nothing() {
        let layout = layout();
        let lies = [
            (word(0, 4), &b"abc"[..]),
            (word(4, 1), b"abc"),
            (word(0, 9), b"abcdefghi"),
            (word(0, 3) | 1 << 63, b"abc"),
            (u64::MAX, b"abc"),
        ];
        for (word, bytes) in lies {
            let (header, frame) = reply(word, bytes, 0);
            let mut data = b"before".to_vec();
            let read = read_turned_reply(&header, &frame, &layout, &mut data, &mut Vec::new());
            assert_eq!(read.expect_err("it lies").kind(), Kind::Protocol, "{word:x}");
            assert_eq!(data, b"before");
        }
        let (header, frame) = reply(0, b"", 0);
        let short = &frame[..HEADER_BYTES + 4];
        let mut data = b"before".to_vec();
        let read = read_turned_reply(&header, short, &layout, &mut data, &mut Vec::new());
        assert_eq!((read.expect_err("it is short").kind(), &data[..]), (Kind::Protocol, &b"before"[..]));
    }

    #[test]
    fn a_request_or_a_result_that_lies_is_its_maker_s_fault() {
        let layout = layout();
        for lie in [word(0, 4), word(1, 3), word(0, 9), u64::MAX] {
            let bytes = [&[0; HEADER_BYTES][..], &7_u64.to_le_bytes(), &lie.to_le_bytes(), b"abc"].concat();
            let frame = 0..bytes.len();
            let mut areas = Areas { list: vec![Area { bytes, words: vec![] }] };
            let sections = Sections::of(frame.len(), 2, 0).expect("they fit");
            let read = read_turned_request(&mut areas, &frame, sections, &layout, 1);
            assert_eq!(read.expect_err("it lies").kind(), Kind::BadArgument, "{lie:x}");
        }
        let areas = Areas { list: vec![Area::default(), Area { bytes: vec![1; 9], words: vec![] }] };
        for (area, len) in [(1, 9), (1, 10), (2, 0)] {
            let given = Ref::new(area, 0, len).expect("a reference").0;
            let refused = turned_reply(&mut Vec::new(), &layout, given, &areas).map(drop);
            assert_eq!(refused.expect_err("it lies").kind(), Kind::Service, "{area} {len}");
        }
    }
}
