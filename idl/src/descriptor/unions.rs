//! Unions of a descriptor.

use super::Type;

/// A union: one of several arms, and a discriminant that says which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Union {
    /// Name, as [`super::Module`] says.
    pub name: String,
    /// Documentation comment.
    pub doc: String,
    /// Type of the discriminant: boolean, integer, char or enum.
    pub switch: Type,
    /// Arms in order of declaration.
    pub arms: Vec<Arm>,
    /// How many of [`super::Module::structs`] it may refer to. A struct refers to unions that may not refer to it.
    pub structs_before: u16,
    /// What the arms share in a block; computed, never taken from anyone.
    pub shape: UnionShape,
}

impl Union {
    /// The arm that this discriminant chooses.
    #[must_use]
    pub fn arm(&self, case: i64) -> Option<&Arm> {
        let labelled = self.arms.iter().find(|arm| arm.labels.contains(&case));
        labelled.or_else(|| self.arms.iter().find(|arm| arm.labels.is_empty()))
    }

    /// The discriminant that stands for nothing in particular: 0, if that chooses an arm.
    #[must_use]
    pub fn first_case(&self) -> i64 {
        match self.arm(0) {
            Some(_) => 0,
            None => self.arms.iter().find_map(|arm| arm.labels.first()).copied().unwrap_or(0),
        }
    }
}

/// An arm of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Name.
    pub name: String,
    /// Type of its value.
    pub ty: Type,
    /// Values of the discriminant that choose it; without any it is the `default`.
    pub labels: Vec<i64>,
}

/// The words that the arms of a union share, behind the discriminant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct UnionShape {
    /// Words for scalars: `long long`, as many as the arm with the most has.
    pub scalars: usize,
    /// Words for strings, bytes and packed lists: as many as the arm with the most has.
    pub references: usize,
    /// Bound of each of them: the largest that an arm has.
    pub bytes_max: u32,
}
