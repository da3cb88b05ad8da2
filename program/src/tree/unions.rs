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

/// The words of a union that an arm has not taken yet: each arm begins with the first.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    scalar: u16,
    text: u16,
}

impl Words {
    /// All of a union's.
    #[must_use]
    pub fn of(union: &Union) -> Words {
        Words { scalar: 1, text: 1 + union.scalars }
    }

    /// The field of the next one for a type that has one.
    pub fn next(&mut self, ty: &Ty) -> u16 {
        let is_text = matches!(ty, Ty::Str(_) | Ty::Bytes(_) | Ty::List(..));
        let next = if is_text { &mut self.text } else { &mut self.scalar };
        *next += 1;
        *next - 1
    }
}
