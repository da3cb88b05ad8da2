//! How many words types take, known before anything is flattened: structs that hold others twice would
//! otherwise grow without bound. A list is measured as a part of a value, where it is packed.

use crate::descriptor::{Arm, Field, Module, Type, UnionShape};
use crate::limits;

/// Size of a value in a block. Sums saturate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Size {
    /// All words.
    pub(crate) words: usize,
    /// Those of them that refer to strings and bytes.
    pub(crate) references: usize,
    /// Those of them that name portals.
    pub(crate) portals: usize,
    /// Largest bound of its strings and bytes.
    pub(crate) bytes_max: u32,
    /// Bytes of all its strings and bytes at most.
    pub(crate) bytes_sum: usize,
    /// Bytes of all its strings and bytes at least.
    pub(crate) bytes_min: usize,
    /// Bytes that stubs hold it by, without what is elsewhere in memory.
    pub(crate) held: usize,
    /// Structs, unions, arrays and lists in each other.
    pub(crate) depth: usize,
    /// Parts that stubs write out where they read or write it, those of lists in it with them. What has a function of its
    /// own, as a struct in a list has, is one.
    pub(crate) written_out: usize,
}

/// Bytes of a word, and of a vector that holds what a word refers to.
const WORD_BYTES: usize = 8;
const VECTOR_BYTES: usize = 24;

impl Size {
    const WORD: Size = Size {
        words: 1,
        references: 0,
        portals: 0,
        bytes_max: 0,
        bytes_sum: 0,
        bytes_min: 0,
        held: WORD_BYTES,
        depth: 0,
        written_out: 1,
    };

    fn bytes(max: u32) -> Size {
        Size { references: 1, bytes_max: max, bytes_sum: max as usize, held: VECTOR_BYTES, ..Size::WORD }
    }

    /// A list of at most `max` elements of this size, of each of which stubs write out so many parts, within another value.
    fn packed(self, max: u32, written_out: usize) -> Size {
        let element = self.words.saturating_mul(WORD_BYTES).saturating_add(self.bytes_sum);
        let elements = element.saturating_mul(max as usize).min(limits::PACKED_BYTES_MAX);
        // The number of elements stands before them.
        let bytes = u32::try_from(WORD_BYTES + elements).unwrap_or(u32::MAX);
        let (depth, written_out) = (self.depth + 1, written_out.saturating_add(1));
        Size { portals: self.portals, depth, written_out, ..Size::bytes(bytes) }
    }

    /// Bytes that it takes in a message at least.
    pub(crate) fn sent_min(self) -> usize {
        self.words.saturating_mul(WORD_BYTES).saturating_add(self.bytes_min)
    }

    /// Whether it takes a bounded number of times the memory that it takes in a message.
    pub(crate) fn grows_little(self) -> bool {
        self.held <= self.sent_min().saturating_mul(limits::GROWTH_MAX)
    }

    /// This and, behind it, a part.
    fn and(self, part: Size) -> Size {
        Size {
            words: self.words.saturating_add(part.words),
            references: self.references.saturating_add(part.references),
            portals: self.portals.saturating_add(part.portals),
            bytes_max: self.bytes_max.max(part.bytes_max),
            bytes_sum: self.bytes_sum.saturating_add(part.bytes_sum),
            bytes_min: self.bytes_min.saturating_add(part.bytes_min),
            held: self.held.saturating_add(part.held),
            depth: self.depth.max(part.depth + 1),
            written_out: self.written_out.saturating_add(part.written_out),
        }
    }

    fn times(self, len: usize) -> Size {
        Size {
            words: self.words.saturating_mul(len),
            references: self.references.saturating_mul(len),
            portals: self.portals.saturating_mul(len),
            bytes_max: self.bytes_max,
            bytes_sum: self.bytes_sum.saturating_mul(len),
            bytes_min: self.bytes_min.saturating_mul(len),
            held: self.held.saturating_mul(len),
            depth: self.depth + 1,
            written_out: self.written_out.saturating_mul(len),
        }
    }
}

/// Sizes of the structs and unions of a module, by their ids.
#[derive(Debug, Default)]
pub(crate) struct Sizes {
    structs: Vec<Size>,
    unions: Vec<Size>,
}

impl Sizes {
    /// Sizes of all structs and unions of a module that keeps the rules.
    pub(crate) fn of_module(module: &Module) -> Sizes {
        let mut sizes = Sizes::default();
        let mut unions = module.unions.iter().peekable();
        for (index, new) in module.structs.iter().enumerate() {
            while let Some(union) = unions.next_if(|union| usize::from(union.structs_before) <= index) {
                sizes.push_union(sizes.union(&union.arms).0);
            }
            sizes.push(sizes.measure(&new.fields));
        }
        for union in unions {
            sizes.push_union(sizes.union(&union.arms).0);
        }
        sizes
    }

    /// Measures a struct whose fields hold only structs that were added before.
    pub(crate) fn measure(&self, fields: &[Field]) -> Size {
        let none = Size { depth: 1, ..Size::default() };
        fields.iter().fold(none, |sum, field| sum.and(self.of(&field.ty)))
    }

    /// Measures a union, and what its arms share.
    pub(crate) fn union(&self, arms: &[Arm]) -> (Size, UnionShape) {
        let mut shape = UnionShape::default();
        let (mut depth, mut portals, mut bytes_sum, mut held) = (1, 0, 0, 0);
        for arm in arms {
            let size = self.of(&arm.ty);
            shape.scalars = shape.scalars.max(size.words - size.references);
            shape.references = shape.references.max(size.references);
            shape.bytes_max = shape.bytes_max.max(size.bytes_max);
            depth = depth.max(size.depth + 1);
            portals = portals.max(size.portals);
            bytes_sum = bytes_sum.max(size.bytes_sum);
            held = held.max(size.held);
        }
        let UnionShape { scalars, references, bytes_max } = shape;
        let words = scalars.saturating_add(references).saturating_add(1);
        let held = held.saturating_add(WORD_BYTES);
        let bytes_min = arms.iter().map(|arm| self.of(&arm.ty).bytes_min).min().unwrap_or(0);
        // Its arms are read and written in functions of its own.
        let written_out = words;
        let size =
            Size { words, references, portals, bytes_max, bytes_sum, bytes_min, held, depth, written_out };
        (size, shape)
    }

    /// How many structs were added.
    pub(crate) fn structs(&self) -> usize {
        self.structs.len()
    }

    /// How many unions were added.
    pub(crate) fn unions(&self) -> usize {
        self.unions.len()
    }

    /// Adds the next struct.
    pub(crate) fn push(&mut self, size: Size) {
        self.structs.push(size);
    }

    /// Adds the next union.
    pub(crate) fn push_union(&mut self, size: Size) {
        self.unions.push(size);
    }

    /// The size of a value of `ty`; a struct or union that is not known takes nothing.
    pub(crate) fn of(&self, ty: &Type) -> Size {
        match ty {
            Type::Struct(id) => self.structs.get(id.index()).copied().unwrap_or_default(),
            Type::Union(id) => self.unions.get(id.index()).copied().unwrap_or_default(),
            Type::String { max } | Type::Bytes { max } => Size::bytes(*max),
            Type::Array { of, len } => match ty.octets() {
                Some(len) => Size { bytes_min: len as usize, held: len as usize, ..Size::bytes(len) },
                None => self.of(of).times(*len as usize),
            },
            Type::Portal(_) => Size { portals: 1, ..Size::WORD },
            Type::Bool | Type::Char | Type::Float { .. } | Type::Int { .. } | Type::Enum(_) => Size::WORD,
            Type::List { of, max } => {
                let element = self.of(of);
                // A struct with portals has no function that reads it: they stand beside the message.
                let is_called = matches!(**of, Type::Struct(_)) && element.portals == 0;
                element.packed(*max, if is_called { 0 } else { element.written_out })
            }
        }
    }
}
