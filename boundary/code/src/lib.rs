//! Memory for machine code that is made while Carnet runs, and the way into it.
//!
//! ```text
//! bytes + Proof ─ Code::new ─► mapped writable ─ copied ─► executable, no longer writable ── Code::run(entry, Frame)
//! ```
//!
//! No memory is writable and executable at once, and what is executable is never written again; it is given back when its
//! [`Code`] is dropped. What the bytes are is not looked at. So they come with a [`Proof`], the promise that they keep the
//! contract below. Only the one file that makes them may make one: `cargo xtask tidy` knows its name, and it belongs to what
//! must be right for all else to be safe (`cargo xtask tcb`).
//!
//! The contract. Code begins at its first byte as a function of C, `u64 code(frame *, u64 entry)`, of the machine it runs on, and
//!
//! - reads and writes nothing but its stack, the fields of [`Frame`] at the offsets of [`layout`], the first
//!   `words` words of the variable table, and the interrupt word, which it only reads;
//! - calls nothing, and returns for every number of `entry`, or goes on until the interrupt word or `fuel` ends it;
//! - takes no more of the stack than a function of a few variables does.
//!
//! It is part of the floor: the only code that may be unsafe, each time with its argument beside it.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU32;

use rustix::io::Errno;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

/// The promise that bytes are code which keeps the [contract](crate).
#[derive(Debug)]
pub struct Proof(());

impl Proof {
    /// Whoever calls this promises it of the bytes that are then given to [`Code::new`].
    #[must_use]
    pub const fn of_translation() -> Proof {
        Proof(())
    }
}

/// What code works on, in the order that it knows.
#[derive(Debug)]
#[repr(C)]
pub struct Frame<'a> {
    slots: *mut u64,
    interrupt: *const u32,
    /// Instructions that are left.
    pub fuel: i64,
    len: usize,
    lent: PhantomData<(&'a mut [u64], &'a AtomicU32)>,
}

/// Offsets in [`Frame`].
pub mod layout {
    use super::Frame;

    /// Address of the variable table.
    pub const SLOTS: usize = std::mem::offset_of!(Frame<'_>, slots);
    /// Address of the interrupt word.
    pub const INTERRUPT: usize = std::mem::offset_of!(Frame<'_>, interrupt);
    /// See [`Frame::fuel`].
    pub const FUEL: usize = std::mem::offset_of!(Frame<'_>, fuel);
}

impl<'a> Frame<'a> {
    /// Lends the variable table and the interrupt word.
    #[inline]
    pub fn new(slots: &'a mut [u64], interrupt: &'a AtomicU32, fuel: i64) -> Frame<'a> {
        Frame {
            len: slots.len(),
            slots: slots.as_mut_ptr(),
            interrupt: interrupt.as_ptr(),
            fuel,
            lent: PhantomData,
        }
    }
}

/// Machine code, until it is dropped.
pub struct Code {
    base: NonNull<u8>,
    len: usize,
    words: usize,
}

// SAFETY: the mapping belongs to this value alone (it is unmapped by its drop and nowhere else), no thread is bound to it, and
// nobody writes it after `new`.
unsafe impl Send for Code {}
// SAFETY: as above; what code changes is in the frame, which is lent to it alone.
unsafe impl Sync for Code {}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").field("len", &self.len).finish_non_exhaustive()
    }
}

impl Code {
    /// Makes `bytes` executable, which reach the first `words` words of a variable table.
    ///
    /// # Errors
    /// The system's; [`Errno::NOTSUP`] on machines that this file does not know.
    pub fn new(_proof: Proof, bytes: &[u8], words: usize) -> Result<Code, Errno> {
        // Others must be told, too, that there are new instructions.
        if !cfg!(target_arch = "x86_64") {
            return Err(Errno::NOTSUP);
        }
        let (len, protection) = (bytes.len(), ProtFlags::READ | ProtFlags::WRITE);
        // SAFETY: the address is left to the system, so nothing that exists is replaced.
        let base = unsafe { mmap_anonymous(std::ptr::null_mut(), len, protection, MapFlags::PRIVATE) }?;
        // From here on it is unmapped by the value's drop.
        let code = Code { base: NonNull::new(base.cast()).ok_or(Errno::NOMEM)?, len, words };
        // SAFETY: the mapping has `len` bytes, is writable, and new, so that `bytes` does not overlap it.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), code.base.as_ptr(), len) };
        // SAFETY: the pages are those of this mapping, to which nothing refers.
        unsafe { mprotect(base, len, MprotectFlags::READ | MprotectFlags::EXEC) }?;
        Ok(code)
    }

    /// Bytes of code.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "the system maps nothing of no length")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Runs the code from its entry of this number; what it returns.
    ///
    /// # Panics
    /// If the frame's variable table has fewer words than the code reaches.
    #[inline]
    pub fn run(&self, entry: u32, frame: &mut Frame<'_>) -> u64 {
        assert!(frame.len >= self.words, "a variable table of {} words", frame.len);
        // SAFETY: a pointer to executable memory that lives as long as `self`, whose first byte begins a function of this
        // type: that is what the proof that `new` was given says.
        let code = unsafe {
            std::mem::transmute::<NonNull<u8>, unsafe extern "C" fn(*mut Frame<'_>, u64) -> u64>(self.base)
        };
        // SAFETY: by its contract it touches nothing but the frame, which is lent to us alone, and what its two pointers lead to:
        // a table that is as long as was just checked, lent to the frame alone, and a word that is only read, which an aligned
        // load of this machine does as an atomic does. All of it is borrowed for longer than the call.
        unsafe { code(frame, u64::from(entry)) }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own, with this base and length; nobody runs in it, since `run` borrows the value.
        // That unmapping fails would be a bug of ours; nothing could be done about it.
        let _ = unsafe { munmap(self.base.as_ptr().cast(), self.len) };
    }
}
