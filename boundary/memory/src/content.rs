//! Content that nobody can change any more, read where it is mapped; and memory that is filled to become such content.
//!
//! ```text
//! Draft::new ─ filled in place ─ Draft::seal ─┐
//! Segment::of ────────────────────────────────┼─► Segment, sealed ─► Content::new ─► &[u8]
//! Segment::accept (seals, holes, length) ─────┘
//! ```
//! Here, and nowhere else, memory that another process has mapped is lent as plain bytes. That is sound because the system
//! itself forbids the change: a memory file is sealed against writing only if nobody has it mapped for writing or has pages
//! of it pinned, and from then on nobody can write to it, map it for writing or punch holes into it. Seals are never taken
//! away. Nor can it shrink, and a file that has no holes and no huge pages gives each of its pages without taking new
//! memory, so that reading is not what kills us.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, munmap};

use crate::segment::{Sealed, Segment};

/// The content of a segment, readable like any bytes of this process until it is dropped. It needs the segment no more.
pub struct Content(Pages);

impl Content {
    /// Maps a whole segment.
    ///
    /// # Errors
    /// [`Errno::PERM`] if its content could still change; the system's.
    pub fn new(segment: &Segment) -> Result<Content, Errno> {
        if segment.sealed() != Sealed::Content {
            return Err(Errno::PERM);
        }
        // Private, since older systems take any shared mapping for one that could be written. Nothing is copied before
        // somebody writes, and nobody does.
        Pages::map(segment, ProtFlags::READ, MapFlags::PRIVATE).map(Content)
    }
}

impl Deref for Content {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // SAFETY: the mapping has `len` readable bytes and lives as long as the reference. They do not change: see above.
        unsafe { std::slice::from_raw_parts(self.0.base.as_ptr(), self.0.len) }
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Content({} bytes)", self.len())
    }
}

/// Memory that only this process has, to be filled where it lies, and sealed.
pub struct Draft {
    segment: Segment,
    pages: Pages,
}

impl Draft {
    /// `len` zero bytes. Pages are taken when they are first written.
    ///
    /// # Errors
    /// The system's; [`Errno::INVAL`] for no bytes at all.
    pub fn new(len: usize) -> Result<Draft, Errno> {
        let segment = Segment::create_draft(len)?;
        let pages = Pages::map(&segment, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED)?;
        // A child would have it mapped for writing as well, if only for a moment, and nothing could be sealed meanwhile.
        pages.advise(Advice::LinuxDontFork)?;
        Ok(Draft { segment, pages })
    }

    /// From now on nobody can change it.
    ///
    /// # Errors
    /// The system's: there is no memory for what was not written, or somebody has pages of it pinned.
    pub fn seal(self) -> Result<Segment, Errno> {
        // What was never written would be a hole, and accepted by nobody.
        self.pages.advise(Advice::LinuxPopulateWrite)?;
        drop(self.pages);
        self.segment.seal()
    }
}

impl Deref for Draft {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: as in `deref_mut`.
        unsafe { std::slice::from_raw_parts(self.pages.base.as_ptr(), self.pages.len) }
    }
}

impl DerefMut for Draft {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: the mapping has `len` bytes, readable and writable, which no seal lets anybody take away, and lives as long
        // as the reference. It is the only one: the descriptor is in this value alone, closed on exec, and lent to nobody
        // before it is sealed, which takes the value; children do not have the mapping.
        unsafe { std::slice::from_raw_parts_mut(self.pages.base.as_ptr(), self.pages.len) }
    }
}

impl fmt::Debug for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Draft({} bytes)", self.len())
    }
}

/// A mapping of a whole segment, until it is dropped.
struct Pages {
    base: NonNull<u8>,
    len: usize,
}

// SAFETY: the mapping belongs to this value alone (it is unmapped by its drop and nowhere else), and no thread is bound to it.
unsafe impl Send for Pages {}
// SAFETY: through a shared reference nothing but reading is possible, of bytes that change only through a unique one.
unsafe impl Sync for Pages {}

impl Pages {
    fn map(segment: &Segment, protection: ProtFlags, flags: MapFlags) -> Result<Pages, Errno> {
        // SAFETY: the address is left to the system, so nothing that exists is replaced.
        let base = unsafe { mmap(std::ptr::null_mut(), segment.len(), protection, flags, segment, 0) }?;
        let base = NonNull::new(base.cast()).ok_or(Errno::NOMEM)?;
        Ok(Pages { base, len: segment.len() })
    }

    fn advise(&self, advice: Advice) -> Result<(), Errno> {
        // SAFETY: base and length are those of the mapping. Neither of the two kinds of advice that are given changes bytes.
        unsafe { madvise(self.base.as_ptr().cast(), self.len, advice) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: base and length are those that `mmap` gave, and no reference outlives the value that lent it.
        let unmapped = unsafe { munmap(self.base.as_ptr().cast(), self.len) };
        debug_assert_eq!(unmapped, Ok(()));
    }
}
