//! What a tree says of records that are unions.

use super::Ty;

/// What a record is that is a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Union {
    /// Fields that are integers, behind `case`; all others are bytes.
    pub scalars: u16,
    /// Its arms, of which one is there at a time.
    pub arms: Vec<Arm>,
}

/// An arm of a union. Its scalars are the first integers of the record, its texts the first bytes. A list is one of these: packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Name.
    pub name: String,
    /// Type; no portal. A list within it is a record of its bytes.
    pub ty: Ty,
    /// Values of `case` that choose it; without any it is the one that all others choose.
    pub labels: Vec<i64>,
}

impl Union {
    /// The arm that this case chooses.
    #[must_use]
    pub fn arm(&self, case: i64) -> Option<&Arm> {
        let labelled = self.arms.iter().find(|arm| arm.labels.contains(&case));
        labelled.or_else(|| self.arms.iter().find(|arm| arm.labels.is_empty()))
    }

    /// The case that stands for nothing in particular: 0, if that chooses an arm.
    #[must_use]
    pub fn first_case(&self) -> i64 {
        match self.arm(0) {
            Some(_) => 0,
            None => self.arms.iter().find_map(|arm| arm.labels.first()).copied().unwrap_or(0),
        }
    }
}
