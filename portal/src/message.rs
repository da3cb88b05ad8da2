//! Between argument blocks and frames: both ends of a request and of a reply.
//!
//! What a frame looks like is said in [`wire`](crate::wire); here blocks, areas and layouts are turned into frames
//! and back. No input or output here: what goes wrong is a [`Failure`] that names whoever built the bytes.
//!
//! ```text
//! caller:  Block ──begin, put_words──► frame ──► session:  read_request ──► words, areas ──► dispatch
//!          Block ◄──── read_reply ──── frame ◄── session:  begin, put_words ◄── words, areas ◄──┘
//! ```
//!
//! On the session's side the receive buffer itself is area 0, so that strings and buffers of a request are used
//! where they arrived; lists, inouts and results have the areas after it. Long data leaves without a copy: a
//! [`Frame`] lends it to the system call that gathers it ([`Frame::slices`]).

mod lists;
mod replies;
mod turned;

use std::io::IoSlice;
use std::ops::Range;

use carnet_idl::descriptor::{Layout, SHORT_WORDS, Short, Word};

pub(crate) use self::lists::check_strings;
use self::lists::{Named, read_list};
pub(crate) use self::replies::{Landed, data_in_order, read_reply};
pub(crate) use self::turned::{
    read_turned_reply, read_turned_request, turned_max, turned_reply, turned_request,
};
use crate::call::{Area, Areas, Details, Failure, Kind, MEMBERS, Ref, ShortWords};
use crate::portal::Input;
use crate::wire::{HEADER_BYTES, Reply, Request, Sections, portal_bytes, u32_at, u64_at};

/// Data of at least this many bytes is lent to the link; less is cheaper to copy.
const LEND_BYTES_MIN: usize = 2 << 10;

/// Pieces that one frame may lend.
const LENT_MAX: usize = 7;

/// Most pieces that a frame is gathered from: what is lent, and the buffer before, between and after.
pub(crate) const SLICES_MAX: usize = 2 * LENT_MAX + 1;

/// Longest message of a failure that is sent.
const MESSAGE_BYTES_MAX: usize = 8 << 10;

/// A frame that is being built at the end of `buffer`, with pieces lent by whoever owns them.
pub(crate) struct Frame<'b, 'a> {
    buffer: &'b mut Vec<u8>,
    start: usize,
    /// Start of the data section, counted from the start of the frame.
    data: usize,
    lent: Lent<'a>,
    lent_bytes: usize,
}

impl<'b, 'a> Frame<'b, 'a> {
    /// Appends header, words and portal ids, all zero, to `buffer`.
    #[inline]
    pub(crate) fn begin(buffer: &'b mut Vec<u8>, words: usize, portals: usize) -> Frame<'b, 'a> {
        let start = buffer.len();
        let data = HEADER_BYTES + words * 8 + portal_bytes(portals);
        buffer.resize(start + data, 0);
        Frame { buffer, start, data, lent: Lent::Nothing, lent_bytes: 0 }
    }

    /// The same, of these words of a short call and no portals.
    #[inline]
    fn of_words(buffer: &'b mut Vec<u8>, words: &[u64]) -> Frame<'b, 'a> {
        let (start, data) = (buffer.len(), HEADER_BYTES + words.len() * 8);
        // As much as the longest has: a length that is known is cleared in line.
        buffer.extend_from_slice(&[0; HEADER_BYTES + SHORT_WORDS * 8]);
        buffer.truncate(start + data);
        let (places, _) = buffer[start + HEADER_BYTES..].as_chunks_mut();
        for (place, word) in places.iter_mut().zip(words) {
            *place = word.to_le_bytes();
        }
        Frame { buffer, start, data, lent: Lent::Nothing, lent_bytes: 0 }
    }

    /// Bytes of the frame so far.
    #[inline]
    fn len(&self) -> usize {
        self.buffer.len() - self.start + self.lent_bytes
    }

    /// Sets a word.
    #[inline]
    fn set_word(&mut self, index: usize, value: u64) {
        let at = self.start + HEADER_BYTES + index * 8;
        self.buffer[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }

    /// Sets a portal id; `words` as in [`Frame::begin`].
    #[inline]
    pub(crate) fn set_portal(&mut self, words: usize, index: usize, id: u32) {
        let at = self.start + HEADER_BYTES + words * 8 + index * 4;
        self.buffer[at..at + 4].copy_from_slice(&id.to_le_bytes());
    }

    /// Appends data; long data is lent instead.
    pub(crate) fn put(&mut self, bytes: &'a [u8]) {
        if bytes.len() >= LEND_BYTES_MIN && self.lent.add(self.buffer.len(), bytes) {
            self.lent_bytes += bytes.len();
        } else {
            self.buffer.extend_from_slice(bytes);
        }
    }

    /// Puts the piece of a short call behind its words, where all data begin; word `index` refers to it.
    #[inline(always)]
    fn put_piece<S: Source<'a>>(&mut self, index: usize, piece: &'a [u8]) -> Result<(), Failure> {
        let word = reference::<S>(0, piece.len())?;
        if piece.len() < LEND_BYTES_MIN {
            self.buffer.extend_from_slice(piece);
        } else {
            self.put(piece);
        }
        self.set_word(index, word);
        Ok(())
    }

    /// Appends data that does not live as long as the frame.
    pub(crate) fn put_copied(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Begins an item of the data section; returns its offset in that.
    #[inline]
    fn begin_item(&mut self) -> usize {
        let padding = self.len().next_multiple_of(8) - self.len();
        if padding > 0 {
            self.buffer.extend_from_slice(&[0; 8][..padding]);
        }
        self.len() - self.data
    }

    fn put_list(&mut self, area: &'a Area, stride: usize) {
        let count = area.words.len().checked_div(stride).unwrap_or(0);
        self.buffer.extend_from_slice(&(count as u64).to_le_bytes());
        for word in &area.words[..count * stride] {
            self.buffer.extend_from_slice(&word.to_le_bytes());
        }
        self.put(&area.bytes);
    }

    /// Writes a request's header, its length taken from the frame. `None`: longer than `frame_bytes_max`; the buffer holds no frame then.
    pub(crate) fn finish_request(self, header: Request, frame_bytes_max: u32) -> Option<Lent<'a>> {
        let len = self.checked_len(frame_bytes_max)?;
        Some(self.finish(Request { len, ..header }.encode()))
    }

    /// As [`Frame::finish_request`], for a reply.
    pub(crate) fn finish_reply(self, header: Reply, frame_bytes_max: u32) -> Option<Lent<'a>> {
        let len = self.checked_len(frame_bytes_max)?;
        Some(self.finish(Reply { len, ..header }.encode()))
    }

    fn checked_len(&self, frame_bytes_max: u32) -> Option<u32> {
        u32::try_from(self.len()).ok().filter(|len| *len <= frame_bytes_max)
    }

    fn finish(self, header: [u8; HEADER_BYTES]) -> Lent<'a> {
        self.buffer[self.start..self.start + HEADER_BYTES].copy_from_slice(&header);
        self.lent
    }
}

/// The pieces that a frame lends, each with the place in the buffer that it goes before.
pub(crate) enum Lent<'a> {
    /// None: all of it is in its buffer.
    Nothing,
    /// One.
    One(usize, &'a [u8]),
    /// These; apart, so that there is little to move of all other frames.
    Pieces(Vec<(usize, &'a [u8])>),
}

impl<'a> Lent<'a> {
    /// Adds a piece that goes before `at`, if there is room for it.
    fn add(&mut self, at: usize, piece: &'a [u8]) -> bool {
        match self {
            Lent::Nothing => *self = Lent::One(at, piece),
            Lent::One(..) => self.add_second((at, piece)),
            Lent::Pieces(pieces) if pieces.len() < LENT_MAX => pieces.push((at, piece)),
            Lent::Pieces(_) => return false,
        }
        true
    }

    #[cold]
    fn add_second(&mut self, second: (usize, &'a [u8])) {
        if let Lent::One(at, piece) = *self {
            *self = Lent::Pieces(vec![(at, piece), second]);
        }
    }

    /// The pieces that `buffer` and what is lent make together, in order; returns their number.
    pub(crate) fn slices<'s>(&self, buffer: &'s [u8], slices: &mut [IoSlice<'s>; SLICES_MAX]) -> usize
    where
        'a: 's,
    {
        let one;
        let pieces = match self {
            Lent::Nothing => &[][..],
            Lent::One(at, piece) => {
                one = [(*at, *piece)];
                &one
            }
            Lent::Pieces(pieces) => pieces,
        };
        let mut count = 0;
        let mut from = 0;
        for (at, piece) in pieces {
            slices[count] = IoSlice::new(&buffer[from..*at]);
            slices[count + 1] = IoSlice::new(piece);
            count += 2;
            from = *at;
        }
        slices[count] = IoSlice::new(&buffer[from..]);
        count + 1
    }

    /// Puts the pieces into the buffer, where they go.
    pub(crate) fn put_into(self, buffer: &mut Vec<u8>) {
        let mut put = |(at, piece): (usize, &[u8])| {
            buffer.extend_from_slice(piece);
            buffer[at..].rotate_right(piece.len());
        };
        match self {
            Lent::Nothing => {}
            Lent::One(at, piece) => put((at, piece)),
            Lent::Pieces(pieces) => pieces.into_iter().rev().for_each(put),
        }
    }

    /// Bytes of a frame of which this is lent, and `buffer` bytes are in its buffer.
    #[inline]
    pub(crate) fn frame_bytes(&self, buffer: usize) -> usize {
        match self {
            Lent::Nothing => buffer,
            Lent::One(_, piece) => buffer + piece.len(),
            Lent::Pieces(pieces) => buffer + pieces.iter().map(|(_, piece)| piece.len()).sum::<usize>(),
        }
    }
}

/// Where the data of outgoing words lies, and who is to blame if it is not there.
pub(crate) trait Source<'a> {
    /// The string or bytes that `word` refers to.
    fn bytes(&self, word: u64) -> Option<&'a [u8]>;
    /// The list that `word` refers to.
    fn list(&self, word: u64) -> Option<&'a Area>;
    /// The failure for a block that breaks its own layout.
    fn fault(text: &str) -> Failure;
}

/// Inputs of a caller.
pub(crate) struct Inputs<'a>(pub(crate) &'a [Input<'a>]);

impl<'a> Source<'a> for Inputs<'a> {
    #[inline]
    fn bytes(&self, word: u64) -> Option<&'a [u8]> {
        let reference = Ref(word);
        match self.0.get(reference.area())? {
            Input::Bytes(bytes) => bytes.get(reference.offset()..reference.offset() + reference.len()),
            Input::List(_) => None,
        }
    }

    fn list(&self, word: u64) -> Option<&'a Area> {
        match self.0.get(Ref(word).area())? {
            Input::List(area) => Some(area),
            Input::Bytes(_) => None,
        }
    }

    #[cold]
    fn fault(text: &str) -> Failure {
        Failure::bad_argument(text)
    }
}

/// Results of a service.
pub(crate) struct Given<'a>(pub(crate) &'a Areas);

impl<'a> Source<'a> for Given<'a> {
    #[inline]
    fn bytes(&self, word: u64) -> Option<&'a [u8]> {
        let reference = Ref(word);
        let area = self.0.list.get(reference.area())?;
        area.bytes.get(reference.offset()..reference.offset() + reference.len())
    }

    fn list(&self, word: u64) -> Option<&'a Area> {
        self.0.list.get(Ref(word).area())
    }

    #[cold]
    fn fault(text: &str) -> Failure {
        Failure::service(text)
    }
}

/// Puts the words `values`, laid out as `layout` says, and their data into `frame`; the first is word `first`.
pub(crate) fn put_words<'a, S: Source<'a>>(
    frame: &mut Frame<'_, 'a>,
    first: usize,
    layout: &[Word],
    values: &[u64],
    source: &S,
) -> Result<(), Failure> {
    if layout.len() != values.len() {
        return Err(S::fault("an argument block has another number of words than its operation"));
    }
    for (index, (word, value)) in layout.iter().zip(values).enumerate() {
        let sent = match word {
            Word::String { max } | Word::Bytes { max } => put_bytes(frame, *value, *max, source)?,
            Word::List { element, max } => put_list(frame, *value, element.len(), *max, source)?,
            Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_) | Word::Portal(_) => *value,
        };
        frame.set_word(first + index, sent);
    }
    Ok(())
}

fn put_bytes<'a, S: Source<'a>>(
    frame: &mut Frame<'_, 'a>,
    value: u64,
    max: u32,
    source: &S,
) -> Result<u64, Failure> {
    let bytes = source.bytes(value).ok_or_else(|| S::fault("a reference names no data"))?;
    if bytes.len() > max as usize {
        return Err(S::fault(&format!("{} bytes where at most {max} are allowed", bytes.len())));
    }
    let offset = frame.begin_item();
    frame.put(bytes);
    reference::<S>(offset, bytes.len())
}

fn put_list<'a, S: Source<'a>>(
    frame: &mut Frame<'_, 'a>,
    value: u64,
    stride: usize,
    max: u32,
    source: &S,
) -> Result<u64, Failure> {
    let area = source.list(value).ok_or_else(|| S::fault("a reference names no list"))?;
    let count = area.words.len().checked_div(stride).unwrap_or(0);
    if count > max as usize {
        return Err(S::fault(&format!("a list of {count} elements where at most {max} are allowed")));
    }
    let offset = frame.begin_item();
    frame.put_list(area, stride);
    reference::<S>(offset, frame.len() - frame.data - offset)
}

fn reference<'a, S: Source<'a>>(offset: usize, len: usize) -> Result<u64, Failure> {
    let reference = Ref::new(0, offset, len);
    reference.map(|r| r.0).ok_or_else(|| S::fault("more data than a reference can name"))
}

/// Reads the words of a request: `frame` is its place in area 0. Fills `words` with the whole block; lists,
/// inouts and results have the areas from 1. The data of a frame that are [`moved_data`] are in area 1 already; `moved` says
/// how many bytes they are.
///
/// # Errors
/// [`Kind::BadArgument`], if a word leaves its bounds.
pub(crate) fn read_request(
    areas: &mut Areas,
    frame: Range<usize>,
    sections: Sections,
    layout: &Layout,
    words: &mut Vec<u64>,
    moved: Option<usize>,
) -> Result<(), Failure> {
    words.clear();
    words.resize(layout.words(), 0);
    if areas.list.len() <= words.len() {
        areas.list.resize_with(words.len() + 1, Area::default);
    }
    let Some((buffer, spare)) = areas.list.split_first_mut() else { return Ok(()) };
    let mut reader = RequestReader {
        frame: &buffer.bytes[frame.clone()],
        start: frame.start,
        data: sections.data,
        named: Named::of(frame.len() - sections.data),
        spare: spare.iter_mut(),
        next: 0,
        moved,
    };
    let mut at = 0;
    for word in &layout.ins {
        words[at] = reader.in_word(word, at)?;
        at += 1;
    }
    for word in &layout.inouts {
        words[at] = reader.inout_word(word, at)?;
        at += 1;
    }
    for word in &layout.outs {
        if is_variable(word) {
            words[at] = reader.area()?.1;
        }
        at += 1;
    }
    Ok(())
}

struct RequestReader<'a> {
    frame: &'a [u8],
    /// Start of the frame in area 0.
    start: usize,
    /// Start of the data section in the frame.
    data: usize,
    named: Named,
    spare: std::slice::IterMut<'a, Area>,
    /// Number of areas taken from `spare`.
    next: usize,
    /// Bytes of data that are in the first area.
    moved: Option<usize>,
}

impl<'a> RequestReader<'a> {
    #[inline]
    fn in_word(&mut self, word: &Word, index: usize) -> Result<u64, Failure> {
        let value = word_of(self.frame, index);
        match word {
            Word::String { max } | Word::Bytes { max } => {
                let range = self.named.range(value, self.frame.len() - self.data, *max)?;
                let offset = self.start + self.data + range.start;
                Ref::new(0, offset, range.len()).map(|r| r.0).ok_or_else(leaves_data)
            }
            Word::List { element, max } => self.list(value, element, *max),
            Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_) | Word::Portal(_) => Ok(value),
        }
    }

    /// An inout's area is filled as a result later, so it must be one of its own.
    fn inout_word(&mut self, word: &Word, index: usize) -> Result<u64, Failure> {
        let (Word::String { max } | Word::Bytes { max }) = word else {
            return self.in_word(word, index);
        };
        if let Some(moved) = self.moved.take() {
            let all = Ref::new(1, 0, moved).ok_or_else(leaves_data)?;
            let range = bytes_range(word_of(self.frame, index), moved, *max)?;
            self.spare.next();
            self.next = 1;
            return if range == (0..moved) { Ok(all.0) } else { Err(leaves_data()) };
        }
        let data = &self.frame[self.data..];
        let range = self.named.range(word_of(self.frame, index), data.len(), *max)?;
        let bytes = &data[range];
        let (area, word) = self.area()?;
        area.bytes.extend_from_slice(bytes);
        Ok(word | bytes.len() as u64)
    }

    fn list(&mut self, value: u64, element: &[Word], max: u32) -> Result<u64, Failure> {
        let data = &self.frame[self.data..];
        let range = self.named.range(value, data.len(), u32::MAX)?;
        let (area, word) = self.area()?;
        let texts = read_list(&data[range], element, max, area)?;
        self.named.texts(texts)?;
        Ok(word)
    }

    /// The next area, emptied, and the word that names it.
    fn area(&mut self) -> Result<(&'a mut Area, u64), Failure> {
        let area = self.spare.next().ok_or_else(too_many_areas)?;
        area.clear();
        self.next += 1;
        let word = Ref::new(self.next, 0, 0).ok_or_else(too_many_areas)?;
        Ok((area, word.0))
    }
}

/// Reads the words of a short request, which hands no portals over: those that it has, and zeros; and its piece.
///
/// # Errors
/// [`Kind::BadArgument`], if the piece is not there, or too long.
#[inline]
pub(crate) fn read_short_request<'a>(
    frame: &'a [u8],
    sections: Sections,
    layout: &Layout,
    short: Short,
) -> Result<(ShortWords, &'a [u8]), Failure> {
    let mut words = [0; SHORT_WORDS];
    read_words(frame, words.iter_mut().take(layout.request_words()));
    let Some(at) = short.sent() else { return Ok((words, &[])) };
    let data = &frame[sections.data..];
    let range = bytes_range(words[at], data.len(), bound(&layout.ins[at]))?;
    Ok((words, &data[range]))
}

/// Begins the reply of a short call whose results are in `words` and `out`.
///
/// # Errors
/// [`Kind::Service`], if `out` is longer than it may be.
#[inline]
pub(crate) fn short_reply<'b, 'a>(
    buffer: &'b mut Vec<u8>,
    layout: &Layout,
    words: &ShortWords,
    out: &'a [u8],
) -> Result<Frame<'b, 'a>, Failure> {
    let mut frame = Frame::of_words(buffer, &words[layout.ins.len()..layout.words()]);
    if let Some(at) = layout.short.and_then(Short::returned) {
        let max = bound(&layout.outs[at - layout.request_words()]);
        if out.len() > max as usize {
            return Err(Given::fault(&format!("{} bytes where at most {max} are allowed", out.len())));
        }
        frame.put_piece::<Given<'_>>(at - layout.ins.len(), out)?;
    }
    Ok(frame)
}

/// Begins the request of a short call.
///
/// # Errors
/// [`Kind::BadArgument`], if `piece` is longer than a message can say.
#[inline]
pub(crate) fn short_request<'b, 'a>(
    buffer: &'b mut Vec<u8>,
    layout: &Layout,
    words: &ShortWords,
    piece: &'a [u8],
) -> Result<Frame<'b, 'a>, Failure> {
    let mut frame = Frame::of_words(buffer, &words[..layout.request_words()]);
    if let Some(at) = layout.short.and_then(Short::sent) {
        frame.put_piece::<Inputs<'_>>(at, piece)?;
    }
    Ok(frame)
}

/// Reads the reply of a short call. If its [`last_data`] are in `out` already, `frame` is what is before them.
///
/// # Errors
/// [`Kind::Protocol`], if it is none.
#[inline]
pub(crate) fn read_short_reply(
    header: &Reply,
    frame: &[u8],
    layout: &Layout,
    words: &mut ShortWords,
    out: &mut Vec<u8>,
) -> Result<(), Failure> {
    let sections = Sections::of(frame.len(), layout.reply_words(), usize::from(header.portals))
        .ok_or_else(|| nonsense("it is too short"))?;
    read_words(frame, words[layout.ins.len()..layout.words()].iter_mut());
    if let (Some(at), true) = (layout.short.and_then(Short::returned), frame.len() == header.len as usize) {
        let data = &frame[sections.data..];
        let max = bound(&layout.outs[at - layout.request_words()]);
        let range = bytes_range(words[at], data.len(), max)
            .map_err(|failure| nonsense(&failure.details().message))?;
        out.extend_from_slice(&data[range]);
    }
    Ok(())
}

/// Most bytes of a string or bytes.
#[inline]
pub(crate) fn bound(word: &Word) -> u32 {
    match word {
        Word::String { max } | Word::Bytes { max } => *max,
        _ => 0,
    }
}

/// Whether a word refers to data outside of the block.
#[inline]
pub(crate) fn is_variable(word: &Word) -> bool {
    matches!(word, Word::String { .. } | Word::Bytes { .. } | Word::List { .. })
}

/// The data of a call, if they are those of one string or bytes that go both ways: where in the frame they begin. `begun` is what
/// there is of the frame.
pub(crate) fn moved_data(header: &Request, begun: &[u8], layout: &Layout) -> Option<usize> {
    let words = layout.ins.iter().chain(&layout.inouts);
    let only = OnlyData::of(words, (header.len, header.portals), begun)?;
    let is_all = only.index >= layout.ins.len() && only.range == (0..only.len);
    is_all.then_some(only.start)
}

/// The data that the last bytes of a good reply are, if it has no other data: where in the frame they begin. `begun` is what
/// there is of the frame, and what the caller does with it.
pub(crate) fn last_data(header: &Reply, begun: &[u8], layout: &Layout) -> Option<usize> {
    let words = layout.inouts.iter().chain(&layout.outs);
    let only = OnlyData::of(words, (header.len, header.portals), begun)?;
    let at = only.start + only.range.start;
    (only.range.end == only.len && at <= begun.len()).then_some(at)
}

/// What the one string or bytes of a frame refers to that has no other data.
struct OnlyData {
    /// Which of the frame's words refers to it.
    index: usize,
    /// Where in the frame the data begin, and how many bytes they are.
    start: usize,
    len: usize,
    /// Which of them are referred to.
    range: Range<usize>,
}

impl OnlyData {
    /// Of a frame with these words, of whose bytes and portals its header tells, and that has begun.
    #[inline]
    fn of<'l>(
        words: impl Iterator<Item = &'l Word> + Clone,
        (bytes, portals): (u32, u8),
        begun: &[u8],
    ) -> Option<OnlyData> {
        let mut variable = words.clone().enumerate().filter(|(_, word)| is_variable(word));
        let (Some((index, word)), None) = (variable.next(), variable.next()) else { return None };
        if is_list(word) {
            return None;
        }
        let start = Sections::of(begun.len(), words.count(), usize::from(portals))?.data;
        let len = (bytes as usize).checked_sub(start)?;
        let range = bytes_range(word_of(begun, index), len, bound(word)).ok()?;
        Some(OnlyData { index, start, len, range })
    }
}

pub(crate) fn is_list(word: &Word) -> bool {
    matches!(word, Word::List { .. })
}

/// The range that a word of a message refers to within `len` bytes.
#[inline]
fn bytes_range(value: u64, len: usize, max: u32) -> Result<Range<usize>, Failure> {
    let reference = Ref(value);
    let end = reference.offset() + reference.len();
    if reference.area() != 0 || end > len {
        return Err(leaves_data());
    }
    if reference.len() > max as usize {
        return Err(Failure::bad_argument(&format!(
            "an argument of {} bytes where at most {max} are allowed",
            reference.len()
        )));
    }
    Ok(reference.offset()..end)
}

/// Words of a frame that has room for them, which was checked before.
#[inline]
fn read_words<'w>(frame: &[u8], words: impl Iterator<Item = &'w mut u64>) {
    let (found, _) = frame[HEADER_BYTES..].as_chunks();
    for (word, bytes) in words.zip(found) {
        *word = u64::from_le_bytes(*bytes);
    }
}

#[inline]
fn word_of(frame: &[u8], index: usize) -> u64 {
    u64_at(frame, HEADER_BYTES + index * 8)
}

/// A portal id of a frame.
#[inline]
pub(crate) fn portal_of(frame: &[u8], sections: Sections, index: usize) -> u32 {
    u32_at(frame, sections.portals + index * 4)
}

/// What a reply carries of a failure: its text, or the members of an exception.
pub(crate) fn failure_data(details: &Details) -> &[u8] {
    match details.kind {
        Kind::Raised if details.raised & MEMBERS != 0 => &details.members,
        _ => cut_message(&details.message).as_bytes(),
    }
}

/// The text of a failure as it is sent: cut, so that it fits into any frame.
pub(crate) fn cut_message(message: &str) -> &str {
    let mut end = message.len().min(MESSAGE_BYTES_MAX);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    &message[..end]
}

/// The failure that a reply carries.
#[cold]
pub(crate) fn read_failure(header: &Reply, frame: &[u8]) -> Failure {
    let text = frame.get(HEADER_BYTES..).unwrap_or(&[]);
    let message = String::from_utf8_lossy(text).into_owned();
    match Kind::from_number(header.status) {
        Some(Kind::Raised) if header.raised & MEMBERS != 0 => {
            let place = header.raised & !MEMBERS;
            Failure::raised_members(place, text.to_vec(), "an exception with members".to_owned())
        }
        Some(Kind::Raised) => Failure::raised(header.raised, message),
        Some(kind) => Failure::new(kind, &message),
        None => nonsense(&format!("its status {} is unknown", header.status)),
    }
}

/// A reply that is none.
#[cold]
pub(crate) fn nonsense(what: &str) -> Failure {
    Failure::new(Kind::Protocol, &format!("the server sent a reply that is not valid: {what}"))
}

#[cold]
fn leaves_data() -> Failure {
    Failure::bad_argument("a reference leaves the message's data")
}

#[cold]
fn too_many_areas() -> Failure {
    Failure::bad_argument("an operation with too many strings and lists")
}
