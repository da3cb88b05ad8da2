//! Bytes to programs: sections found and sizes checked, nothing copied, nothing else believed yet.
//!
//! Reading costs no more than the bytes are long. What the parts mean is for the verifier to say.

use super::*;

/// A program's bytes with their sections found: nothing is copied, nothing but sizes is checked yet.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The header.
    pub header: Header,
    /// Instructions, [`Ins::decode`] each.
    pub code: &'a [[u8; 16]],
    /// See [`View::op`].
    pub ops: &'a [[u8; 16]],
    /// See [`View::loop_at`].
    pub loops: &'a [[u8; 32]],
    /// Identities of enums.
    pub enums: &'a [[u8; 8]],
    /// Types of slots, [`SlotType::decode`] each.
    pub slots: &'a [[u8; 8]],
    /// Words of list elements.
    pub layout_words: &'a [[u8; 8]],
    /// Words of the result.
    pub result_words: &'a [[u8; 8]],
    /// See [`View::cap`].
    pub caps: &'a [[u8; 16]],
    /// See [`View::pos`].
    pub lines: &'a [[u8; 12]],
    /// See [`View::layout`].
    pub layouts: &'a [[u8; 4]],
    /// Interfaces of registers.
    pub registers: &'a [[u8; 2]],
    /// See [`View::param`].
    pub params: &'a [[u8; 4]],
    /// Content of area 0.
    pub literals: &'a [u8],
    /// See [`View::names`].
    pub names: &'a [u8],
}

/// Why bytes are not a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAProgram {
    /// The first bytes are wrong.
    #[error("these bytes are not a Carnet program (they begin neither with CNB1 nor with CNA1)")]
    Magic,
    /// Made for another version of the encoding.
    #[error("the program is in version {0} of the encoding; this server reads version {VERSION}")]
    Version(u16),
    /// The sections do not fill the bytes exactly.
    #[error("the program is cut off or damaged: its sections do not fit its {0} bytes")]
    Size(usize),
    /// A number in the header is larger than allowed.
    #[error("the program has too many {0}")]
    TooMany(&'static str),
    /// A field that must be zero is not, or a value is none of those defined.
    #[error("the program's header is damaged")]
    Header,
}

/// The next `count` entries; [`Header::check`] bounds the count.
fn section<'a, const N: usize>(rest: &mut &'a [u8], count: usize) -> Option<&'a [[u8; N]]> {
    let (bytes, behind) = rest.split_at_checked(count * N)?;
    *rest = behind;
    Some(bytes.as_chunks::<N>().0)
}

impl<'a> View<'a> {
    /// Finds the sections.
    ///
    /// # Errors
    /// If `bytes` is not exactly one program of this version within the limits of this file.
    pub fn new(bytes: &'a [u8]) -> Result<View<'a>, NotAProgram> {
        let size = NotAProgram::Size(bytes.len());
        if bytes.get(..4) != Some(&MAGIC[..]) {
            return Err(NotAProgram::Magic);
        }
        let head = bytes.get(..HEADER_BYTES).ok_or(size)?;
        let header = Header::decode(head)?;
        header.check()?;
        let counts = header.counts;
        let mut rest = &bytes[HEADER_BYTES..];
        let r = &mut rest;
        let view = View {
            header,
            code: section(r, header.code as usize).ok_or(size)?,
            ops: section(r, counts.ops.into()).ok_or(size)?,
            loops: section(r, counts.loops.into()).ok_or(size)?,
            enums: section(r, counts.enums.into()).ok_or(size)?,
            slots: section(r, counts.slots.into()).ok_or(size)?,
            layout_words: section(r, counts.layout_words.into()).ok_or(size)?,
            result_words: section(r, counts.result_words.into()).ok_or(size)?,
            caps: section(r, counts.caps.into()).ok_or(size)?,
            lines: section(r, header.lines as usize).ok_or(size)?,
            layouts: section(r, counts.layouts.into()).ok_or(size)?,
            registers: section(r, counts.registers.into()).ok_or(size)?,
            params: section(r, counts.params.into()).ok_or(size)?,
            literals: section::<1>(r, header.literals as usize).ok_or(size)?.as_flattened(),
            names: r,
        };
        let mut names = view.names;
        for _ in 0..1 + 2 * usize::from(counts.interfaces) {
            let (len, behind) = names.split_first().ok_or(size)?;
            names = behind.get(usize::from(*len)..).ok_or(size)?;
        }
        if names.is_empty() { Ok(view) } else { Err(size) }
    }

    /// The program's name, then module and name of each interface.
    pub fn names(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let mut rest = self.names;
        std::iter::from_fn(move || {
            let (len, tail) = rest.split_first()?;
            let name = tail.get(..usize::from(*len))?;
            rest = &tail[name.len()..];
            Some(name)
        })
    }

    /// Operation `index`; `None` if a part that must be zero is not.
    #[inline]
    #[must_use]
    pub fn op(&self, index: usize) -> Option<OpRef> {
        let (hash, interface) = self.ops.get(index)?.split_at(8);
        let interface = u64::from_le_bytes(interface.try_into().ok()?);
        Some(OpRef {
            hash: u64::from_le_bytes(hash.try_into().ok()?),
            interface: u16::try_from(interface).ok()?,
        })
    }

    /// Loop `index`; `None` if its flags are unknown.
    #[inline]
    #[must_use]
    pub fn loop_at(&self, index: usize) -> Option<Loop> {
        let bytes = self.loops.get(index)?;
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let long = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let default = match half(30) {
            0 => false,
            1 => true,
            _ => return None,
        };
        Some(Loop {
            head: half(0),
            test: half(2),
            end: half(4),
            counter: half(6),
            own: long(8),
            limit: long(16),
            line: u32::from(half(24)) | u32::from(half(26)) << 16,
            inner: half(28),
            default,
        })
    }

    /// Cap `index`; `None` if its kind is unknown.
    #[must_use]
    pub fn cap(&self, index: usize) -> Option<Cap> {
        let bytes = self.caps.get(index)?;
        let kind = CapKind::from_number(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))?;
        let line = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
        let mut limit = [0; 8];
        limit.copy_from_slice(&bytes[8..]);
        Some(Cap { kind, limit: u64::from_le_bytes(limit), pos: Pos { line, col: 0 } })
    }

    /// First word and number of words of layout `index`.
    #[inline]
    #[must_use]
    pub fn layout(&self, index: usize) -> Option<(usize, usize)> {
        let bytes = self.layouts.get(index)?;
        Some((
            usize::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            usize::from(u16::from_le_bytes([bytes[2], bytes[3]])),
        ))
    }

    /// Interface of register `index`.
    #[inline]
    #[must_use]
    pub fn register(&self, index: usize) -> Option<u16> {
        self.registers.get(index).map(|bytes| u16::from_le_bytes(*bytes))
    }

    /// Parameter `index`; `None` if its space is unknown.
    #[must_use]
    pub fn param(&self, index: usize) -> Option<ParamPlace> {
        let bytes = self.params.get(index)?;
        let place = u16::from_le_bytes([bytes[2], bytes[3]]);
        match u16::from_le_bytes([bytes[0], bytes[1]]) {
            0 => Some(ParamPlace::Slot(place)),
            1 => Some(ParamPlace::Register(place)),
            _ => None,
        }
    }

    /// Source place of an instruction: of the last entry at or before it.
    #[must_use]
    pub fn pos(&self, at: u32) -> Pos {
        let number = |entry: &[u8; 12], k: usize| {
            u32::from_le_bytes([entry[4 * k], entry[4 * k + 1], entry[4 * k + 2], entry[4 * k + 3]])
        };
        let behind = self.lines.partition_point(|entry| number(entry, 0) <= at);
        match behind.checked_sub(1).map(|k| &self.lines[k]) {
            Some(entry) => Pos { line: number(entry, 1), col: number(entry, 2) },
            None => Pos::default(),
        }
    }
}

impl Header {
    fn decode(head: &[u8]) -> Result<Header, NotAProgram> {
        let half = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let full = |at: usize| u32::from(half(at)) | u32::from(half(at + 2)) << 16;
        if half(4) != VERSION {
            return Err(NotAProgram::Version(half(4)));
        }
        let result = match head[6] {
            0 => ResultKind::None,
            1 => ResultKind::Words,
            2 => ResultKind::List,
            _ => return Err(NotAProgram::Header),
        };
        if head[7] != 0 || half(34) != 0 {
            return Err(NotAProgram::Header);
        }
        let counts = Counts {
            interfaces: half(8),
            ops: half(10),
            loops: half(12),
            enums: half(14),
            slots: half(16),
            layout_words: half(18),
            result_words: half(20),
            caps: half(22),
            layouts: half(24),
            registers: half(26),
            params: half(28),
        };
        Ok(Header {
            result,
            counts,
            so_far: half(30),
            started: half(32),
            code: full(36),
            lines: full(40),
            literals: full(44),
        })
    }

    fn check(&self) -> Result<(), NotAProgram> {
        let counts = self.counts;
        let limits = [
            (self.code as usize, CODE_MAX, "instructions"),
            (self.lines as usize, CODE_MAX, "line entries"),
            (self.literals as usize, BYTES_MAX, "bytes of literals"),
            (counts.interfaces.into(), INTERFACES_MAX, "interfaces"),
            (counts.ops.into(), TABLE_MAX, "operations"),
            (counts.loops.into(), LOOPS_MAX, "loops"),
            (counts.enums.into(), INTERFACES_MAX, "enums"),
            (counts.slots.into(), SLOTS_MAX, "slots"),
            (counts.layout_words.into(), SLOTS_MAX, "words of list elements"),
            (counts.result_words.into(), WORDS_MAX, "words of result"),
            (counts.caps.into(), 16, "caps"),
            (counts.layouts.into(), TABLE_MAX, "kinds of list"),
            (counts.registers.into(), REGISTERS_MAX, "portal registers"),
            (counts.params.into(), TABLE_MAX, "parameters"),
        ];
        for (count, max, what) in limits {
            if count > max {
                return Err(NotAProgram::TooMany(what));
            }
        }
        Ok(())
    }
}
