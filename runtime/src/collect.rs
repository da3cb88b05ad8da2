//! The collector: exact, copying, one domain at a time (Cheney's algorithm).
//!
//! What the roots reach is copied into a fresh space, each object once; a copied object leaves behind where it went. The
//! copies are then gone through in order, and what they refer to is copied in turn. Others run on meanwhile: nothing of another
//! domain is touched.
//!
//! Referents of weak and phantom references are no roots; those of soft ones are unless memory is short. Where a
//! referent was not reached by others, its reference is cleared and handed to its queue.

use crate::class::{ClassId, Shape};
use crate::heap::{ELEMENTS, NULL, Ref, Space, Stray};
use crate::universe::Universe;

/// What is done with soft references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Soft {
    /// They keep what they refer to.
    Keep,
    /// They do not: memory is short.
    Clear,
}

/// Classes and places of references.
#[derive(Clone, Copy, Debug)]
pub struct References {
    /// `java/lang/ref/Reference`
    pub class: ClassId,
    /// `java/lang/ref/SoftReference`, if it is loaded
    pub soft: Option<ClassId>,
    /// `java/lang/ref/FinalReference`, if it is loaded: nothing is finalized, and its referents are kept.
    pub last: Option<ClassId>,
    /// The offset of the referent.
    pub referent: u32,
}

/// A collection.
pub(crate) struct Collection<'c> {
    universe: &'c Universe,
    references: References,
    soft: Soft,
    from: &'c mut Space,
    to: Space,
    /// References, in the new space, whose referents were not followed.
    found: Vec<Ref>,
    /// How many objects were copied.
    objects: usize,
    wrong: Result<(), Stray>,
}

impl<'c> Collection<'c> {
    pub(crate) fn new(
        universe: &'c Universe,
        references: References,
        soft: Soft,
        from: &'c mut Space,
        to: Space,
    ) -> Collection<'c> {
        Collection { universe, references, soft, from, to, found: Vec::new(), objects: 0, wrong: Ok(()) }
    }

    /// Copies what a root refers to.
    pub(crate) fn root(&mut self, root: &mut Ref) {
        match self.copy(*root) {
            Ok(copy) => *root = copy,
            Err(stray) => self.wrong = Err(stray),
        }
    }

    fn copy(&mut self, object: Ref) -> Result<Ref, Stray> {
        if object == NULL {
            return Ok(NULL);
        }
        if let Some(copy) = self.from.moved(object)? {
            return Ok(copy);
        }
        let bytes = size(self.universe, self.from, object)?;
        let copy = self.to.take(self.from, object, bytes)?;
        self.from.set_moved(object, copy)?;
        self.objects += 1;
        Ok(copy)
    }

    /// Goes through what was copied from `scanned` on, until nothing is left.
    fn scan(&mut self, mut scanned: Ref) -> Result<Ref, Stray> {
        while scanned < self.to.end() {
            let object = scanned;
            let bytes = size(self.universe, &self.to, object)?;
            scanned += bytes.div_ceil(crate::heap::GRANULE) as u32;
            let class = self.universe.class(self.to.class_of(object)?).ok_or(Stray)?;
            match class.shape {
                Shape::References { .. } => {
                    for at in 0..self.to.length(object)? {
                        self.field(object, ELEMENTS + 4 * at)?;
                    }
                }
                Shape::Object => {
                    let weak = self.is_weak(&class.line);
                    for offset in &class.references {
                        if weak && *offset == self.references.referent {
                            self.found.push(object);
                        } else {
                            self.field(object, *offset)?;
                        }
                    }
                }
                Shape::Primitives(_) | Shape::Primitive => {}
            }
        }
        Ok(scanned)
    }

    fn field(&mut self, object: Ref, offset: u32) -> Result<(), Stray> {
        let value = self.to.u32(object, offset)?;
        if value != NULL {
            let copy = self.copy(value)?;
            self.to.set_u32(object, offset, copy)?;
        }
        Ok(())
    }

    fn is_weak(&self, line: &[ClassId]) -> bool {
        let is = |class: Option<ClassId>| class.is_some_and(|class| line.contains(&class));
        is(Some(self.references.class))
            && !is(self.references.last)
            && !(self.soft == Soft::Keep && is(self.references.soft))
    }

    /// Where an object went, if it was reached.
    ///
    /// # Errors
    /// [`Stray`], a mistake of ours.
    pub(crate) fn survivor(&self, object: Ref) -> Result<Option<Ref>, Stray> {
        self.from.moved(object)
    }

    /// Follows everything. Returns the references that were cleared.
    ///
    /// # Errors
    /// [`Stray`], a mistake of ours.
    pub(crate) fn follow(&mut self) -> Result<Vec<Ref>, Stray> {
        std::mem::replace(&mut self.wrong, Ok(()))?;
        self.scan(self.to.origin())?;
        let mut cleared = Vec::new();
        for reference in std::mem::take(&mut self.found) {
            let referent = self.to.u32(reference, self.references.referent)?;
            if referent == NULL {
                continue;
            }
            let moved = self.from.moved(referent)?;
            self.to.set_u32(reference, self.references.referent, moved.unwrap_or(NULL))?;
            if moved.is_none() {
                cleared.push(reference);
            }
        }
        Ok(cleared)
    }

    /// How many objects were copied.
    pub(crate) fn objects(&self) -> usize {
        self.objects
    }

    /// The new space.
    pub(crate) fn finish(self) -> Space {
        self.to
    }
}

/// Bytes of an object or array.
///
/// # Errors
/// [`Stray`].
pub(crate) fn size(universe: &Universe, space: &Space, object: Ref) -> Result<usize, Stray> {
    let class = universe.class(space.class_of(object)?).ok_or(Stray)?;
    match class.elements() {
        Some(kind) => Ok(ELEMENTS as usize + kind.bytes() as usize * space.length(object)? as usize),
        None => Ok(class.bytes as usize),
    }
}
