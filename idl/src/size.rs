//! How many words types take, known before anything is flattened: structs that hold others twice would
//! otherwise grow without bound.

use crate::descriptor::{Field, Type};

/// Size of a value in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// Words, saturating.
    pub(crate) words: usize,
    /// Structs in structs.
    pub(crate) depth: usize,
}

/// Sizes of the structs of a module, by [`StructId`](crate::descriptor::StructId).
#[derive(Debug, Default)]
pub(crate) struct Sizes(Vec<Size>);

impl Sizes {
    /// Measures a struct whose fields hold only structs that were added before.
    pub(crate) fn measure(&self, fields: &[Field]) -> Size {
        fields.iter().fold(Size { words: 0, depth: 1 }, |sum, field| {
            let size = self.of(&field.ty);
            Size { words: sum.words.saturating_add(size.words), depth: sum.depth.max(size.depth + 1) }
        })
    }

    /// How many structs were added.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds the next struct.
    pub(crate) fn push(&mut self, size: Size) {
        self.0.push(size);
    }

    /// The size of a value of `ty`; a struct that is not known takes nothing.
    pub(crate) fn of(&self, ty: &Type) -> Size {
        match ty {
            Type::Struct(id) => self.0.get(id.index()).copied().unwrap_or(Size { words: 0, depth: 0 }),
            _ => Size { words: 1, depth: 0 },
        }
    }
}
