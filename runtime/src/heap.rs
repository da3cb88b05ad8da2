//! The memory of a domain's objects.
//!
//! ```text
//! reference   32 bits: number of a granule of 8 bytes, counted from the space's origin; 0 is null
//! object      header, then fields where the class says
//! array       header, length (4 bytes), 4 bytes unused, elements
//! header      class: 24 bits │ lock: 8 bits │ identity hash: 32 bits, 0 for none
//! ```
//!
//! References are relative to the space, so that a space can grow and move as a whole; machine code adds one base register.
//! Every access is checked against the space's end. A reference that does not lead to an object cannot be made by verified
//! code; if one came to be by a mistake of ours, it reaches nothing outside of the heap.
//!
//! Objects lie one behind the other. Allocation takes from the end; [collection](crate::collect) copies what is reached into a
//! fresh space.

use zerocopy::{FromZeros as _, IntoBytes as _};

use crate::class::ClassId;

/// A reference to an object; 0 is null.
pub type Ref = u32;

/// Null.
pub const NULL: Ref = 0;

/// Bytes of a granule.
pub const GRANULE: usize = 8;
/// Where an object's lock bits stand.
pub const LOCK: u32 = CLASS_BITS / 8;
/// Where the fields of an object begin.
pub const FIELDS: u32 = 8;
/// Where an array's length stands.
pub const LENGTH: u32 = 8;
/// Where an array's elements begin.
pub const ELEMENTS: u32 = 16;
/// No heap has more bytes: references reach so far.
pub const HEAP_BYTES_MAX: u64 = (u32::MAX as u64 - 1) * GRANULE as u64;

/// No object or array has more bytes: offsets within one have 32 bits.
pub const OBJECT_BYTES_MAX: usize = (u32::MAX as usize) / GRANULE * GRANULE;

const CLASS_BITS: u32 = 24;
const HASH_SHIFT: u32 = 32;
/// In a header of a space that was left: the object moved to where the hash was.
const MOVED: u64 = (1 << CLASS_BITS) - 1;

/// A reference led outside of the heap: a mistake of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a reference leads outside of the heap")]
pub struct Stray;

/// There is no room left in the space as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom;

/// Objects, one behind the other.
pub struct Space {
    words: Vec<u64>,
    /// The reference of the first word.
    origin: Ref,
    /// Words in use.
    top: usize,
}

/// The objects of a space, while nothing else happens to it: what the interpreter's loop keeps at hand.
pub struct Objects<'s> {
    bytes: &'s mut [u8],
    origin: Ref,
    /// Words in use.
    top: &'s mut usize,
}

macro_rules! access {
    ($($load:ident $store:ident $ty:ty,)*) => {
        $(#[doc = concat!("The ", stringify!($ty), " at an offset in bytes from an object.\n\n# Errors\n[`Stray`].")]
        #[inline]
        pub fn $load(&self, object: Ref, offset: u32) -> Result<$ty, Stray> {
            let bytes = self.bytes.get(at(self.origin, object, offset)..);
            bytes.and_then(|bytes| bytes.first_chunk()).map(|bytes| <$ty>::from_le_bytes(*bytes)).ok_or(Stray)
        }

        #[doc = concat!("Sets the ", stringify!($ty), " at an offset in bytes from an object.\n\n# Errors\n[`Stray`].")]
        #[inline]
        pub fn $store(&mut self, object: Ref, offset: u32, value: $ty) -> Result<(), Stray> {
            let bytes = self.bytes.get_mut(at(self.origin, object, offset)..);
            *bytes.and_then(|bytes| bytes.first_chunk_mut()).ok_or(Stray)? = value.to_le_bytes();
            Ok(())
        }
        )*
    };
}

macro_rules! of_space {
    ($($load:ident $store:ident $ty:ty,)*) => {
        $(#[doc = concat!("The ", stringify!($ty), " at an offset in bytes from an object.\n\n# Errors\n[`Stray`].")]
        pub fn $load(&self, object: Ref, offset: u32) -> Result<$ty, Stray> {
            let bytes = self.words.as_bytes().get(at(self.origin, object, offset)..);
            bytes.and_then(|bytes| bytes.first_chunk()).map(|bytes| <$ty>::from_le_bytes(*bytes)).ok_or(Stray)
        }

        #[doc = concat!("Sets the ", stringify!($ty), " at an offset in bytes from an object.\n\n# Errors\n[`Stray`].")]
        pub fn $store(&mut self, object: Ref, offset: u32, value: $ty) -> Result<(), Stray> {
            self.objects().$store(object, offset, value)
        }
        )*
    };
}

/// Where in the bytes something is. A reference below the origin wraps around, and is beyond every end.
#[inline]
fn at(origin: Ref, object: Ref, offset: u32) -> usize {
    (object.wrapping_sub(origin) as usize) * GRANULE + offset as usize
}

impl Objects<'_> {
    access! {
        u8 set_u8 u8,
        u16 set_u16 u16,
        u32 set_u32 u32,
        u64 set_u64 u64,
    }

    /// The class of an object.
    ///
    /// # Errors
    /// [`Stray`].
    #[inline]
    pub fn class_of(&self, object: Ref) -> Result<ClassId, Stray> {
        Ok(ClassId(self.u32(object, 0)? & MOVED as u32))
    }

    /// The length of an array.
    ///
    /// # Errors
    /// [`Stray`].
    #[inline]
    pub fn length(&self, array: Ref) -> Result<u32, Stray> {
        self.u32(array, LENGTH)
    }

    /// A new object or array, all zeros, of so many bytes with its header.
    ///
    /// # Errors
    /// [`NoRoom`], and always for more than [`OBJECT_BYTES_MAX`].
    #[inline]
    pub fn allocate(&mut self, class: ClassId, bytes: usize) -> Result<Ref, NoRoom> {
        if bytes > OBJECT_BYTES_MAX {
            return Err(NoRoom);
        }
        let words = bytes.div_ceil(GRANULE);
        let top =
            self.top.checked_add(words).filter(|top| *top <= self.bytes.len() / GRANULE).ok_or(NoRoom)?;
        let object = self.origin + *self.top as u32;
        self.set_u64(object, 0, u64::from(class.0)).map_err(|_| NoRoom)?;
        *self.top = top;
        Ok(object)
    }
}

impl Space {
    /// A space with room for so many words; its first reference is `origin`, which is not null.
    ///
    /// # Errors
    /// [`NoRoom`] if the machine has no memory left.
    pub fn new(words: usize, origin: Ref) -> Result<Space, NoRoom> {
        let words = u64::new_vec_zeroed(words).map_err(|_| NoRoom)?;
        Ok(Space { words, origin: origin.max(1), top: 0 })
    }

    /// Its objects.
    #[inline]
    pub fn objects(&mut self) -> Objects<'_> {
        Objects { bytes: self.words.as_mut_bytes(), origin: self.origin, top: &mut self.top }
    }

    #[inline]
    fn at(&self, object: Ref, offset: u32) -> usize {
        at(self.origin, object, offset)
    }

    of_space! {
        u8 set_u8 u8,
        u16 set_u16 u16,
        u32 set_u32 u32,
        u64 set_u64 u64,
    }

    /// The first reference.
    #[must_use]
    pub fn origin(&self) -> Ref {
        self.origin
    }

    /// Bytes in use.
    #[must_use]
    pub fn used(&self) -> usize {
        self.top * GRANULE
    }

    /// Bytes there is room for.
    #[must_use]
    pub fn room(&self) -> usize {
        self.words.len() * GRANULE
    }

    /// The reference behind the last object.
    #[must_use]
    pub fn end(&self) -> Ref {
        self.origin + self.top as u32
    }

    /// Makes room for so many words, keeping all objects where they are; nothing happens if the machine has no memory left.
    pub fn grow(&mut self, words: usize) {
        let more = words.saturating_sub(self.words.len());
        if more > 0 && self.words.try_reserve(more).is_ok() {
            self.words.resize(words, 0);
        }
    }

    /// Leaves room for so many words, or for those that are in use.
    pub(crate) fn cut(&mut self, words: usize) {
        self.words.truncate(words.max(self.top));
    }

    /// A new object or array, all zeros, of so many bytes with its header.
    ///
    /// # Errors
    /// [`NoRoom`], and always for more than [`OBJECT_BYTES_MAX`].
    pub fn allocate(&mut self, class: ClassId, bytes: usize) -> Result<Ref, NoRoom> {
        self.objects().allocate(class, bytes)
    }

    /// The class of an object.
    ///
    /// # Errors
    /// [`Stray`].
    pub fn class_of(&self, object: Ref) -> Result<ClassId, Stray> {
        Ok(ClassId(self.u32(object, 0)? & MOVED as u32))
    }

    /// The length of an array.
    ///
    /// # Errors
    /// [`Stray`].
    pub fn length(&self, array: Ref) -> Result<u32, Stray> {
        self.u32(array, LENGTH)
    }

    /// The lock bits of an object.
    ///
    /// # Errors
    /// [`Stray`].
    pub fn lock(&self, object: Ref) -> Result<u8, Stray> {
        self.u8(object, LOCK)
    }

    /// Sets the lock bits of an object.
    ///
    /// # Errors
    /// [`Stray`].
    pub fn set_lock(&mut self, object: Ref, lock: u8) -> Result<(), Stray> {
        self.set_u8(object, LOCK, lock)
    }

    /// The identity hash of an object, 0 if it has none yet.
    ///
    /// # Errors
    /// [`Stray`].
    pub fn hash(&self, object: Ref) -> Result<u32, Stray> {
        self.u32(object, HASH_SHIFT / 8)
    }

    /// Sets the identity hash of an object.
    ///
    /// # Errors
    /// [`Stray`].
    pub fn set_hash(&mut self, object: Ref, hash: u32) -> Result<(), Stray> {
        self.set_u32(object, HASH_SHIFT / 8, hash)
    }

    /// Where an object went, if it was moved out of this space.
    pub(crate) fn moved(&self, object: Ref) -> Result<Option<Ref>, Stray> {
        let header = self.u64(object, 0)?;
        Ok((header & MOVED == MOVED).then_some((header >> HASH_SHIFT) as Ref))
    }

    pub(crate) fn set_moved(&mut self, object: Ref, to: Ref) -> Result<(), Stray> {
        self.set_u64(object, 0, MOVED | u64::from(to) << HASH_SHIFT)
    }

    /// Bytes of the space, from an offset of an object on.
    ///
    /// # Errors
    /// [`Stray`].
    pub fn bytes(&self, object: Ref, offset: u32, count: usize) -> Result<&[u8], Stray> {
        let at = self.at(object, offset);
        self.words.as_bytes().get(at..).and_then(|bytes| bytes.get(..count)).ok_or(Stray)
    }

    /// Bytes of the space, from an offset of an object on.
    ///
    /// # Errors
    /// [`Stray`].
    pub fn bytes_mut(&mut self, object: Ref, offset: u32, count: usize) -> Result<&mut [u8], Stray> {
        let at = self.at(object, offset);
        self.words.as_mut_bytes().get_mut(at..).and_then(|bytes| bytes.get_mut(..count)).ok_or(Stray)
    }

    /// Moves bytes within the space; both ranges were checked against their arrays.
    ///
    /// # Errors
    /// [`Stray`].
    pub fn copy_within(
        &mut self,
        (from, at): (Ref, u32),
        (to, behind): (Ref, u32),
        count: usize,
    ) -> Result<(), Stray> {
        let (from, to) = (self.at(from, at), self.at(to, behind));
        let bytes = self.words.as_mut_bytes();
        let fits = |begin: usize| begin.checked_add(count).is_some_and(|end| end <= bytes.len());
        if !fits(from) || !fits(to) {
            return Err(Stray);
        }
        bytes.copy_within(from..from + count, to);
        Ok(())
    }

    /// Copies an object of so many bytes out of another space to the end of this one.
    pub(crate) fn take(&mut self, from: &Space, object: Ref, bytes: usize) -> Result<Ref, Stray> {
        let words = bytes.div_ceil(GRANULE);
        let begin = object.wrapping_sub(from.origin) as usize;
        let source = from.words.get(begin..).and_then(|words_of| words_of.get(..words)).ok_or(Stray)?;
        let top = self.top + words;
        self.words.get_mut(self.top..top).ok_or(Stray)?.copy_from_slice(source);
        let copy = self.end();
        self.top = top;
        Ok(copy)
    }
}
