//! Structures of the interface as C lays them out, and back.
//!
//! Each scalar stands at a multiple of its size, in order; a string of at most N bytes is an array of N + 1. So the fields of the
//! interface are those of the kernel's header, and padding follows by itself. What has another form there has a function here:
//! addresses, whose form their family says, and directory entries, which are as long as their names.

use carnet_idl::descriptor::{Module, StructId, Type};
use carnet_portal::call::Area;

/// A value that the interface has no number for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

/// A scalar or text of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// Where it begins.
    pub(crate) offset: usize,
    /// Its bytes.
    pub(crate) size: usize,
    /// What it is.
    pub(crate) kind: FieldKind,
}

/// What a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// An integer without a sign.
    Unsigned,
    /// An integer with a sign.
    Signed,
    /// Text that ends with a NUL.
    Text,
}

/// A structure: its fields, in the order of their words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Its fields.
    pub(crate) fields: Vec<Field>,
    /// Its bytes.
    pub(crate) size: usize,
    align: usize,
}

impl Layout {
    /// The layout of a struct of `module`; `None` if it has fields that C has no word for here.
    #[must_use]
    pub(crate) fn of(module: &Module, id: StructId) -> Option<Layout> {
        let mut layout = Layout { align: 1, ..Layout::default() };
        for field in &module.structs.get(id.index())?.fields {
            layout.add(module, &field.ty)?;
        }
        layout.size = layout.size.next_multiple_of(layout.align);
        Some(layout)
    }

    fn add(&mut self, module: &Module, ty: &Type) -> Option<()> {
        let (size, align, kind) = match ty {
            Type::Int { bits, signed } => {
                let bytes = usize::from(*bits / 8);
                (bytes, bytes, if *signed { FieldKind::Signed } else { FieldKind::Unsigned })
            }
            Type::String { max } => (*max as usize + 1, 1, FieldKind::Text),
            Type::Struct(id) => {
                let inner = Layout::of(module, *id)?;
                let begins = self.size.next_multiple_of(inner.align);
                let moved = inner.fields.iter().map(|f| Field { offset: begins + f.offset, ..*f });
                self.fields.extend(moved);
                self.size = begins + inner.size;
                self.align = self.align.max(inner.align);
                return Some(());
            }
            _ => return None,
        };
        let offset = self.size.next_multiple_of(align);
        self.fields.push(Field { offset, size, kind });
        self.size = offset + size;
        self.align = self.align.max(align);
        Some(())
    }

    /// Whether each number has room in its field.
    pub(crate) fn has_room_for(&self, words: &[u64]) -> bool {
        self.fields.iter().zip(words).all(|(field, word)| {
            let bits = 8 * field.size as u32;
            let number = word.cast_signed();
            match field.kind {
                FieldKind::Text => true,
                FieldKind::Unsigned => number >= 0 && (bits >= 64 || number >> bits == 0),
                FieldKind::Signed => {
                    let unused = 64_u32.saturating_sub(bits);
                    (number << unused) >> unused == number
                }
            }
        })
    }

    /// Writes the fields' words behind `out`, which must begin at a multiple of what the structure needs.
    pub(crate) fn write(&self, words: &[u64], out: &mut Vec<u8>) {
        let begins = out.len();
        out.resize(begins + self.size, 0);
        for (field, word) in self.fields.iter().zip(words) {
            let at = begins + field.offset;
            let bytes = word.to_le_bytes();
            if let (Some(place), Some(bytes)) = (out.get_mut(at..at + field.size), bytes.get(..field.size)) {
                place.copy_from_slice(bytes);
            }
        }
    }

    /// Reads the words of a structure. Texts are for [`Layout::texts`]; their words are left as they are.
    ///
    /// # Errors
    /// [`Overflow`]: one has an unsigned number of 64 bits that no program has.
    pub(crate) fn read(&self, bytes: &[u8], words: &mut [u64]) -> Result<(), Overflow> {
        for (field, word) in self.fields.iter().zip(words) {
            let Some(found) = bytes.get(field.offset..field.offset + field.size) else { continue };
            match field.kind {
                FieldKind::Text => {}
                FieldKind::Unsigned => *word = unsigned(found)?,
                FieldKind::Signed => {
                    let unused = 64 - 8 * u32::try_from(field.size).unwrap_or(8);
                    *word = ((raw(found) << unused).cast_signed() >> unused).cast_unsigned();
                }
            }
        }
        Ok(())
    }

    /// The texts of a structure, each up to its NUL, and which word they belong to.
    pub(crate) fn texts<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = (usize, &'a [u8])> {
        self.fields.iter().enumerate().filter(|(_, field)| field.kind == FieldKind::Text).filter_map(
            |(at, field)| Some((at, until_nul(bytes.get(field.offset..field.offset + field.size)?))),
        )
    }
}

/// What stands before the first NUL.
#[must_use]
pub(crate) fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

fn raw(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn unsigned(bytes: &[u8]) -> Result<u64, Overflow> {
    Some(raw(bytes)).filter(|number| *number <= i64::MAX.cast_unsigned()).ok_or(Overflow)
}

const AF_INET: u64 = 2;
const AF_INET6: u64 = 10;

/// Words of an `Address`: family, number (the port), ip, high, low, scope, flow.
pub(crate) const ADDRESS_WORDS: usize = 7;

/// Writes an `Address` as `sockaddr_in` or `sockaddr_in6`; `None` for another family.
pub(crate) fn write_address(words: &[u64], out: &mut Vec<u8>) -> Option<()> {
    let [family, number, ip, high, low, scope, flow] = *words.first_chunk::<ADDRESS_WORDS>()?;
    out.extend(u16::try_from(family).ok()?.to_le_bytes());
    out.extend((number as u16).to_be_bytes());
    match family {
        AF_INET => {
            out.extend((ip as u32).to_be_bytes());
            out.extend([0; 8]);
        }
        AF_INET6 => {
            out.extend((flow as u32).to_be_bytes());
            out.extend(high.to_be_bytes());
            out.extend(low.to_be_bytes());
            out.extend((scope as u32).to_le_bytes());
        }
        _ => return None,
    }
    Some(())
}

/// Reads what [`write_address`] writes; all zeros for another family.
pub(crate) fn read_address(bytes: &[u8], words: &mut [u64]) {
    let part = |from: usize, len: usize| bytes.get(from..from + len).unwrap_or(&[]);
    let big =
        |from: usize, len: usize| part(from, len).iter().fold(0, |n: u64, byte| n << 8 | u64::from(*byte));
    let family = raw(part(0, 2));
    let read = match family {
        AF_INET => [family, big(2, 2), big(4, 4), 0, 0, 0, 0],
        AF_INET6 => [family, big(2, 2), 0, big(8, 8), big(16, 8), raw(part(24, 4)), big(4, 4)],
        _ => [0; ADDRESS_WORDS],
    };
    words.iter_mut().zip(read).for_each(|(word, read)| *word = read);
}

/// The bytes of `struct linux_dirent64` before its name.
const ENTRY_HEAD: usize = 19;

/// Reads directory entries as `Entry`s: ino, off, kind, name.
///
/// # Errors
/// [`Overflow`].
pub(crate) fn read_entries(mut bytes: &[u8], area: &mut Area) -> Result<(), Overflow> {
    while let Some(head) = bytes.first_chunk::<ENTRY_HEAD>() {
        let len = usize::from(u16::from_le_bytes([head[16], head[17]]));
        let Some((entry, rest)) = bytes.split_at_checked(len.max(ENTRY_HEAD)) else { break };
        let name = area.add_string(until_nul(&entry[ENTRY_HEAD..])).ok_or(Overflow)?;
        area.words.extend([unsigned(&head[..8])?, raw(&head[8..16]), u64::from(head[18]), name]);
        bytes = rest;
    }
    Ok(())
}
