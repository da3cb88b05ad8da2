//! Bytes to call arrays: sections found and sizes checked, nothing copied, nothing else believed yet.

use super::{
    COMMANDS_MAX, HEADER_BYTES, MAGIC, MESSAGES_MAX, Messages, Preset, Returns, Text, TextKind, VERSION,
};
use crate::bytecode::{BYTES_MAX, INTERFACES_MAX, NotAProgram, OpRef, ParamPlace, REGISTERS_MAX, TABLE_MAX};
use crate::tree::{Cap, CapKind, Pos};

/// An array's bytes with their sections found.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Commands, [`Command::decode`](super::Command::decode) each.
    pub commands: &'a [[u8; 32]],
    /// See [`View::op`].
    pub ops: &'a [[u8; 16]],
    /// See [`View::messages`].
    pub messages: &'a [[u8; 8]],
    /// See [`View::preset`].
    pub presets: &'a [[u8; 24]],
    /// See [`View::text`].
    pub texts: &'a [[u8; 16]],
    /// See [`View::cap`].
    pub caps: &'a [[u8; 16]],
    /// Interfaces of registers.
    pub registers: &'a [[u8; 2]],
    /// See [`View::param`].
    pub params: &'a [[u8; 4]],
    /// Content of area 0.
    pub literals: &'a [u8],
    /// Number of interfaces.
    pub interfaces: u16,
    /// What it gives back.
    pub returns: Option<Returns>,
    names: &'a [u8],
}

fn section<'a, const N: usize>(rest: &mut &'a [u8], count: u16) -> Option<&'a [[u8; N]]> {
    let (bytes, behind) = rest.split_at_checked(usize::from(count) * N)?;
    *rest = behind;
    Some(bytes.as_chunks::<N>().0)
}

#[inline]
fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

#[inline]
fn full(bytes: &[u8], at: usize) -> u32 {
    u32::from(half(bytes, at)) | u32::from(half(bytes, at + 2)) << 16
}

#[inline]
fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from(full(bytes, at)) | u64::from(full(bytes, at + 4)) << 32
}

impl<'a> View<'a> {
    /// Finds the sections.
    ///
    /// # Errors
    /// If `bytes` is not exactly one call array of this version within the limits of [`array`](super).
    pub fn new(bytes: &'a [u8]) -> Result<View<'a>, NotAProgram> {
        let size = NotAProgram::Size(bytes.len());
        if bytes.get(..4) != Some(&MAGIC[..]) {
            return Err(NotAProgram::Magic);
        }
        let (head, mut rest) = bytes.split_at_checked(HEADER_BYTES).ok_or(size)?;
        if half(head, 4) != VERSION {
            return Err(NotAProgram::Version(half(head, 4)));
        }
        let mut counts = [0; 9];
        counts.iter_mut().enumerate().for_each(|(k, count)| *count = half(head, 8 + 2 * k));
        let [interfaces, ops, messages, registers, params, presets, texts, commands, caps] = counts;
        let literals = full(head, 36) as usize;
        for (count, max, what) in [
            (usize::from(interfaces), INTERFACES_MAX, "interfaces"),
            (ops.into(), TABLE_MAX, "operations"),
            (messages.into(), MESSAGES_MAX, "arrays of messages"),
            (registers.into(), REGISTERS_MAX, "portal registers"),
            (params.into(), TABLE_MAX, "parameters"),
            (presets.into(), MESSAGES_MAX, "presets"),
            (texts.into(), MESSAGES_MAX, "texts"),
            (commands.into(), COMMANDS_MAX, "commands"),
            (caps.into(), 16, "caps"),
            (literals, BYTES_MAX, "bytes of literals"),
        ] {
            if count > max {
                return Err(NotAProgram::TooMany(what));
            }
        }
        let [first, stride, items, words] = [26, 28, 30, 32].map(|at| half(head, at));
        let returns = match head[6] {
            0 if first | stride | items | words == 0 => None,
            1 => Some(Returns { first, stride, items, words, list: false }),
            2 => Some(Returns { first, stride, items, words, list: true }),
            _ => return Err(NotAProgram::Header),
        };
        if head[7] != 0 || half(head, 34) != 0 {
            return Err(NotAProgram::Header);
        }
        let r = &mut rest;
        let mut view = View {
            commands: section(r, commands).ok_or(size)?,
            ops: section(r, ops).ok_or(size)?,
            messages: section(r, messages).ok_or(size)?,
            presets: section(r, presets).ok_or(size)?,
            texts: section(r, texts).ok_or(size)?,
            caps: section(r, caps).ok_or(size)?,
            registers: section(r, registers).ok_or(size)?,
            params: section(r, params).ok_or(size)?,
            literals: &[],
            interfaces,
            returns,
            names: &[],
        };
        (view.literals, view.names) = rest.split_at_checked(literals).ok_or(size)?;
        let mut names = view.names;
        for _ in 0..1 + 2 * usize::from(interfaces) {
            let (len, behind) = names.split_first().ok_or(size)?;
            names = behind.get(usize::from(*len)..).ok_or(size)?;
        }
        if names.is_empty() { Ok(view) } else { Err(size) }
    }

    /// The array's name, then module and name of each interface.
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
        let bytes = self.ops.get(index)?;
        let interface = u16::try_from(long(bytes, 8)).ok()?;
        Some(OpRef { hash: long(bytes, 0), interface })
    }

    /// Messages `index`; `None` if they have unknown flags.
    #[inline]
    #[must_use]
    pub fn messages(&self, index: usize) -> Option<Messages> {
        let bytes = self.messages.get(index)?;
        let status = match (half(bytes, 4), half(bytes, 6)) {
            (flag @ (0 | 1), 0) => flag == 1,
            _ => return None,
        };
        Some(Messages { op: half(bytes, 0), count: half(bytes, 2), status })
    }

    /// Preset `index`; `None` if a part that must be zero is not.
    #[inline]
    #[must_use]
    pub fn preset(&self, index: usize) -> Option<Preset> {
        let bytes = self.presets.get(index)?;
        (half(bytes, 6) == 0).then(|| Preset {
            slot: half(bytes, 0),
            stride: half(bytes, 2),
            count: half(bytes, 4),
            value: long(bytes, 8) as i64,
            add: long(bytes, 16) as i64,
        })
    }

    /// Text `index`; `None` if there is no such kind of text.
    #[inline]
    #[must_use]
    pub fn text(&self, index: usize) -> Option<Text> {
        let bytes = self.texts.get(index)?;
        let (len, offset) = (full(bytes, 8), full(bytes, 12));
        let kind = match half(bytes, 6) {
            0 if offset == 0 => TextKind::Held(len),
            1 => TextKind::Literal { len, offset },
            _ => return None,
        };
        Some(Text { slot: half(bytes, 0), stride: half(bytes, 2), count: half(bytes, 4), kind })
    }

    /// Cap `index`; `None` if its kind is unknown.
    #[must_use]
    pub fn cap(&self, index: usize) -> Option<Cap> {
        let bytes = self.caps.get(index)?;
        let kind = CapKind::from_number(full(bytes, 0))?;
        Some(Cap { kind, limit: long(bytes, 8), pos: Pos { line: full(bytes, 4), col: 0 } })
    }

    /// Parameter `index`; `None` if its space is unknown.
    #[must_use]
    pub fn param(&self, index: usize) -> Option<ParamPlace> {
        let bytes = self.params.get(index)?;
        match half(bytes, 0) {
            0 => Some(ParamPlace::Slot(half(bytes, 2))),
            1 => Some(ParamPlace::Register(half(bytes, 2))),
            _ => None,
        }
    }

    /// Source place of a command.
    #[must_use]
    pub fn pos(&self, at: u32) -> Pos {
        let command = self.commands.get(at as usize);
        let line = command.map_or(0, |bytes| half(bytes, 2));
        Pos { line: line.into(), col: u32::from(line > 0) }
    }
}
