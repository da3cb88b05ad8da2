//! Numbers, texts, options and lists in bytes. Reading is checked: nothing is taken on trust, and no memory is
//! reserved for more elements than the bytes can hold.

use crate::bill::Hash;
use crate::limits::{Amounts, LimitKind, LimitSource, Standing};
use crate::tree::Pos;

/// The bytes are not what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the message is cut off or damaged")]
pub struct Malformed;

type Read<T> = Result<T, Malformed>;

pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn with_capacity(bytes: usize) -> Writer {
        Writer(Vec::with_capacity(bytes))
    }

    /// Goes on behind `bytes`.
    pub(crate) fn onto(bytes: Vec<u8>) -> Writer {
        Writer(bytes)
    }

    /// What `write` writes, preceded by its length.
    pub(crate) fn counted(&mut self, write: impl FnOnce(&mut Writer)) {
        let at = self.0.len();
        self.u32(0);
        write(self);
        let len = u32::try_from(self.0.len() - at - 4).unwrap_or(u32::MAX);
        self.0[at..at + 4].copy_from_slice(&len.to_le_bytes());
    }

    /// How many bytes there are so far.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }

    pub(crate) fn u8(&mut self, n: u8) {
        self.0.push(n);
    }

    pub(crate) fn u32(&mut self, n: u32) {
        self.raw(&n.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, n: u64) {
        self.raw(&n.to_le_bytes());
    }

    pub(crate) fn u128(&mut self, n: u128) {
        self.raw(&n.to_le_bytes());
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Lengths are bounded by the size of a frame, far below 32 bits.
    pub(crate) fn count(&mut self, n: usize) {
        self.u32(u32::try_from(n).unwrap_or(u32::MAX));
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.raw(bytes);
    }

    pub(crate) fn pos(&mut self, pos: Pos) {
        self.u32(pos.line);
        self.u32(pos.col);
    }

    pub(crate) fn option<T>(&mut self, value: Option<&T>, write: impl FnOnce(&mut Writer, &T)) {
        self.u8(u8::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    pub(crate) fn limit_kind(&mut self, kind: LimitKind) {
        let (number, of) = match kind {
            LimitKind::Instructions => (0, 0),
            LimitKind::Calls => (1, 0),
            LimitKind::Writes => (2, 0),
            LimitKind::Written => (3, 0),
            LimitKind::Returned => (4, 0),
            LimitKind::Memory => (5, 0),
            LimitKind::Time => (6, 0),
            LimitKind::Loop(of) => (7, u32::from(of)),
        };
        self.u8(number);
        self.u32(of);
    }

    pub(crate) fn limit_source(&mut self, source: LimitSource) {
        let (number, line) = match source {
            LimitSource::Server => (0, 0),
            LimitSource::Header(line) => (1, line),
            LimitSource::Loop(line) => (2, line),
            LimitSource::Default(line) => (3, line),
            LimitSource::Allowance { .. } => (4, 0),
        };
        self.u8(number);
        self.u32(line);
        if let LimitSource::Allowance { period_s, again_s, held } = source {
            [period_s, again_s, held].into_iter().for_each(|n| self.u64(n));
        }
    }

    pub(crate) fn standing(&mut self, standing: &Standing) {
        self.u64(standing.period_s);
        self.u64(standing.again_s);
        for amounts in [standing.allowance, standing.used, standing.held] {
            let Amounts { calls, writes, written, instructions } = amounts;
            [calls, writes, written, instructions].into_iter().for_each(|n| self.u64(n));
        }
    }
}

/// A message that is a list.
pub(super) fn encode_list<T>(items: &[T], write: impl Fn(&mut Writer, &T)) -> Vec<u8> {
    let mut w = Writer::with_capacity(128);
    w.count(items.len());
    items.iter().for_each(|item| write(&mut w, item));
    w.finish()
}

/// The items of a message that is a list, each of which takes `each` bytes at least.
pub(super) fn decode_list<'a, T>(
    bytes: &'a [u8],
    each: usize,
    read: impl Fn(&mut Reader<'a>) -> Read<T>,
) -> Read<Vec<T>> {
    let mut r = Reader::new(bytes);
    let items = r.list(each, read)?;
    r.end()?;
    Ok(items)
}

pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader(bytes)
    }

    pub(crate) fn raw(&mut self, len: usize) -> Read<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(len).ok_or(Malformed)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk::<N>().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*bytes)
    }

    pub(crate) fn u8(&mut self) -> Read<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn bool(&mut self) -> Read<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed),
        }
    }

    pub(crate) fn u32(&mut self) -> Read<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Read<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(crate) fn u128(&mut self) -> Read<u128> {
        Ok(u128::from_le_bytes(self.array()?))
    }

    pub(crate) fn hash(&mut self) -> Read<Hash> {
        self.array()
    }

    /// A number of elements of at least `each` bytes, which must be there.
    pub(crate) fn count(&mut self, each: usize) -> Read<usize> {
        let count = self.u32()? as usize;
        if count.saturating_mul(each) > self.0.len() { Err(Malformed) } else { Ok(count) }
    }

    pub(crate) fn bytes(&mut self) -> Read<&'a [u8]> {
        let len = self.count(1)?;
        self.raw(len)
    }

    pub(crate) fn str(&mut self) -> Read<&'a str> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Malformed)
    }

    pub(crate) fn string(&mut self) -> Read<String> {
        self.str().map(str::to_owned)
    }

    pub(crate) fn pos(&mut self) -> Read<Pos> {
        Ok(Pos { line: self.u32()?, col: self.u32()? })
    }

    pub(crate) fn option<T>(&mut self, read: impl FnOnce(&mut Reader<'a>) -> Read<T>) -> Read<Option<T>> {
        if self.bool()? { read(self).map(Some) } else { Ok(None) }
    }

    pub(crate) fn list<T>(&mut self, each: usize, read: impl Fn(&mut Reader<'a>) -> Read<T>) -> Read<Vec<T>> {
        let count = self.count(each)?;
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(read(self)?);
        }
        Ok(list)
    }

    pub(crate) fn limit_kind(&mut self) -> Read<LimitKind> {
        let (number, of) = (self.u8()?, self.u32()?);
        Ok(match number {
            0 => LimitKind::Instructions,
            1 => LimitKind::Calls,
            2 => LimitKind::Writes,
            3 => LimitKind::Written,
            4 => LimitKind::Returned,
            5 => LimitKind::Memory,
            6 => LimitKind::Time,
            7 => LimitKind::Loop(u16::try_from(of).map_err(|_| Malformed)?),
            _ => return Err(Malformed),
        })
    }

    pub(crate) fn limit_source(&mut self) -> Read<LimitSource> {
        let (number, line) = (self.u8()?, self.u32()?);
        Ok(match number {
            0 => LimitSource::Server,
            1 => LimitSource::Header(line),
            2 => LimitSource::Loop(line),
            3 => LimitSource::Default(line),
            4 => LimitSource::Allowance { period_s: self.u64()?, again_s: self.u64()?, held: self.u64()? },
            _ => return Err(Malformed),
        })
    }

    pub(crate) fn standing(&mut self) -> Read<Standing> {
        Ok(Standing {
            period_s: self.u64()?,
            again_s: self.u64()?,
            allowance: self.amounts()?,
            used: self.amounts()?,
            held: self.amounts()?,
        })
    }

    fn amounts(&mut self) -> Read<Amounts> {
        Ok(Amounts {
            calls: self.u64()?,
            writes: self.u64()?,
            written: self.u64()?,
            instructions: self.u64()?,
        })
    }

    pub(crate) fn end(&self) -> Read<()> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed) }
    }
}
