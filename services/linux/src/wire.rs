//! What a server and the process of a session say to each other, over a socket that nobody else has.
//!
//! ```text
//! message    length u32, content                            (little-endian; at most MESSAGE_MAX)
//! first      rules: what the process may do                  answer: 0, or 1 and a text
//! request    0 call: operation u16, words, data of what is sent
//!            1 program: bytecode                             (no answer)
//!            2 run: hash of the program, request of the runner
//! answer     0 and: words and data of what comes back, or the runner's answer
//!            1 the exception: number u16, text
//!            2 another failure: kind u16, text
//! ```
//! Both are this program; but what a session's process says is checked all the same, since it works for somebody who is not trusted.

use std::io::{self, Read, Write};

use carnet_idl::descriptor::{Operation, Word};
use carnet_portal::call::{Area, Areas, Call, Failure, Kind, Ref};

/// Longest message.
pub(crate) const MESSAGE_MAX: usize = 256 << 20;

/// Kinds of requests.
pub(crate) const CALL: u8 = 0;
pub(crate) const PROGRAM: u8 = 1;
pub(crate) const RUN: u8 = 2;

/// Kinds of answers.
pub(crate) const GOOD: u8 = 0;
pub(crate) const RAISED: u8 = 1;
pub(crate) const FAILED: u8 = 2;

/// Sends a message.
pub(crate) fn send(to: &mut impl Write, content: &[u8]) -> io::Result<()> {
    let len = u32::try_from(content.len()).ok().filter(|_| content.len() <= MESSAGE_MAX);
    let len = len.ok_or(io::ErrorKind::InvalidInput)?.to_le_bytes();
    if content.len() <= 4096 {
        // One system call for what most messages are.
        let mut whole = [0; 4100];
        whole[..4].copy_from_slice(&len);
        whole[4..4 + content.len()].copy_from_slice(content);
        return to.write_all(&whole[..4 + content.len()]);
    }
    to.write_all(&len)?;
    to.write_all(content)
}

/// Receives a message; `wait` is asked whether to go on when the socket's time is over before there is one.
pub(crate) fn receive(
    from: &mut impl Read,
    content: &mut Vec<u8>,
    wait: &mut dyn FnMut() -> io::Result<()>,
) -> io::Result<()> {
    let mut head = [0; 4];
    fill(from, &mut head, wait)?;
    let len = u32::from_le_bytes(head) as usize;
    if len > MESSAGE_MAX {
        return Err(io::ErrorKind::InvalidData.into());
    }
    content.clear();
    // Memory is taken as the content comes.
    while content.len() < len {
        let begins = content.len();
        content.resize(len.min(begins + (1 << 20)), 0);
        fill(from, &mut content[begins..], wait)?;
    }
    Ok(())
}

fn fill(
    from: &mut impl Read,
    mut rest: &mut [u8],
    wait: &mut dyn FnMut() -> io::Result<()>,
) -> io::Result<()> {
    while !rest.is_empty() {
        match from.read(rest) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => rest = &mut rest[n..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => wait()?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads numbers and bytes of a message.
pub(crate) struct Parts<'a>(pub(crate) &'a [u8]);

/// The message is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

impl<'a> Parts<'a> {
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (array, rest) = self.0.split_first_chunk().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*array)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Malformed> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let len = usize::try_from(self.u64()?).map_err(|_| Malformed)?;
        let (bytes, rest) = self.0.split_at_checked(len).ok_or(Malformed)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(crate) fn list(&mut self) -> Result<Vec<u64>, Malformed> {
        let bytes = self.bytes()?;
        let words = bytes.chunks_exact(8);
        if !words.remainder().is_empty() {
            return Err(Malformed);
        }
        Ok(words.filter_map(|word| word.first_chunk()).map(|word| u64::from_le_bytes(*word)).collect())
    }

    pub(crate) fn end(&self) -> Result<(), Malformed> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed) }
    }
}

pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend_from_slice(bytes);
}

fn put_words(out: &mut Vec<u8>, words: &[u64]) {
    words.iter().for_each(|word| out.extend(word.to_le_bytes()));
}

fn put_list(out: &mut Vec<u8>, words: &[u64]) {
    out.extend((8 * words.len() as u64).to_le_bytes());
    put_words(out, words);
}

/// Writes the words and the data of one side of a call.
fn put_side(out: &mut Vec<u8>, side: &[Word], words: &[u64], areas: &Areas) -> Result<(), Failure> {
    put_words(out, words);
    for (word, value) in side.iter().zip(words) {
        match word {
            Word::String { max } => put_bytes(out, areas.string(*value, *max)?),
            Word::Bytes { max } => put_bytes(out, areas.bytes(*value, *max)?),
            Word::List { .. } => {
                let area = areas.list.get(Ref(*value).area());
                let area = area.ok_or_else(|| Failure::bad_argument("a reference names no list"))?;
                put_list(out, &area.words);
                put_bytes(out, &area.bytes);
            }
            _ => {}
        }
    }
    Ok(())
}

/// The request of a call.
pub(crate) fn put_call(op: u16, operation: &Operation, call: &Call<'_>) -> Result<Vec<u8>, Failure> {
    let ins = &operation.layout.ins;
    let words =
        call.words.get(..ins.len()).ok_or_else(|| Failure::bad_argument("a block that is too short"))?;
    let mut out = vec![CALL];
    out.extend(op.to_le_bytes());
    put_side(&mut out, ins, words, call.areas)?;
    Ok(out)
}

/// Whether there are the areas that the call fills, which is looked at before it is made.
pub(crate) fn has_room(operation: &Operation, call: &Call<'_>) -> bool {
    let layout = &operation.layout;
    let words = layout.outs.iter().zip(call.words.get(layout.request_words()..).unwrap_or_default());
    call.words.len() == layout.words()
        && words.into_iter().all(|(word, value)| {
            let is_filled = matches!(word, Word::String { .. } | Word::Bytes { .. } | Word::List { .. });
            !is_filled || call.areas.list.len() > Ref(*value).area()
        })
}

/// A block and its areas, as the process of a session makes them of a request.
pub(crate) fn read_call(
    parts: &mut Parts<'_>,
    operation: &Operation,
    words: &mut Vec<u64>,
    areas: &mut Areas,
) -> Result<(), Malformed> {
    let layout = &operation.layout;
    words.clear();
    for _ in &layout.ins {
        words.push(parts.u64()?);
    }
    words.resize(layout.words(), 0);
    let mut used = 0;
    for (at, word) in layout.ins.iter().chain(&layout.outs).enumerate() {
        if !matches!(word, Word::String { .. } | Word::Bytes { .. } | Word::List { .. }) {
            continue;
        }
        if areas.list.len() == used {
            areas.list.push(Area::default());
        }
        let area = &mut areas.list[used];
        area.clear();
        let mut len = 0;
        if at < layout.ins.len() {
            if matches!(word, Word::List { .. }) {
                area.words = parts.list()?;
                area.bytes.extend_from_slice(parts.bytes()?);
            } else {
                area.bytes.extend_from_slice(parts.bytes()?);
                len = area.bytes.len();
            }
        }
        words[at] = Ref::new(used, 0, len).ok_or(Malformed)?.0;
        used += 1;
    }
    parts.end()
}

/// The answer to a call.
pub(crate) fn put_answer(
    out: &mut Vec<u8>,
    operation: &Operation,
    words: &[u64],
    areas: &Areas,
) -> Result<(), Failure> {
    out.push(GOOD);
    let outs = &operation.layout.outs;
    put_side(out, outs, &words[words.len() - outs.len()..], areas)
}

/// The answer that something failed.
pub(crate) fn put_failure(out: &mut Vec<u8>, failure: &Failure) {
    let details = failure.details();
    let (kind, number) = match details.kind {
        Kind::Raised => (RAISED, details.raised),
        kind => (FAILED, kind as u16),
    };
    out.clear();
    out.push(kind);
    out.extend(number.to_le_bytes());
    out.extend_from_slice(details.message.as_bytes());
}

/// What an answer says, if it is not a good one.
pub(crate) fn read_failure(kind: u8, parts: &mut Parts<'_>, numbers: usize) -> Result<Failure, Malformed> {
    let number = parts.u16()?;
    let text =
        String::from_utf8_lossy(parts.0.get(..parts.0.len().min(400)).unwrap_or_default()).into_owned();
    match kind {
        RAISED if usize::from(number) < numbers => Ok(Failure::raised(number, text)),
        FAILED => Ok(Failure::new(Kind::from_number(number).ok_or(Malformed)?, &text)),
        _ => Err(Malformed),
    }
}

/// Puts what came back where the caller looks for it.
pub(crate) fn read_answer(
    parts: &mut Parts<'_>,
    operation: &Operation,
    call: &mut Call<'_>,
) -> Result<(), Malformed> {
    let outs = &operation.layout.outs;
    let begins = operation.layout.request_words();
    let mut found = Vec::with_capacity(outs.len());
    for word in outs {
        let value = parts.u64()?;
        if !is_value(word, value) {
            return Err(Malformed);
        }
        found.push(value);
    }
    for (at, (word, value)) in outs.iter().zip(found).enumerate() {
        let at = begins + at;
        let mut area = match word {
            Word::String { .. } | Word::Bytes { .. } | Word::List { .. } => {
                call.take(at).map_err(|_| Malformed)?
            }
            _ => {
                call.words[at] = value;
                continue;
            }
        };
        if let Word::List { element, .. } = word {
            area.words = parts.list()?;
            if area.words.len() % element.len() != 0 {
                return Err(Malformed);
            }
        }
        area.bytes.extend_from_slice(parts.bytes()?);
        if !fits(word, &area) {
            return Err(Malformed);
        }
        call.put(at, area).map_err(|_| Malformed)?;
    }
    parts.end()
}

/// Whether a word is one of its type.
fn is_value(word: &Word, value: u64) -> bool {
    match word {
        Word::Int { bits: 64, .. } => true,
        Word::Int { bits, signed: false } => value >> bits == 0,
        Word::Float { bits: 32 } => value >> 32 == 0,
        Word::Int { bits, signed: true } => {
            let unused = 64 - u32::from(*bits);
            (value << unused).cast_signed() >> unused == value.cast_signed()
        }
        Word::Bool => value <= 1,
        _ => true,
    }
}

fn fits(word: &Word, area: &Area) -> bool {
    match word {
        Word::String { max } => area.bytes.len() <= *max as usize && !area.bytes.contains(&0),
        Word::Bytes { max } => area.bytes.len() <= *max as usize,
        Word::List { element, max } => {
            let mut elements = area.words.chunks_exact(element.len());
            elements.len() <= *max as usize
                && elements.all(|words| {
                    element.iter().zip(words).all(|(word, value)| match word {
                        Word::String { max } => {
                            let text = area.string(*value);
                            text.len() <= *max as usize && !text.contains(&0)
                        }
                        word => is_value(word, *value),
                    })
                })
        }
        _ => true,
    }
}
