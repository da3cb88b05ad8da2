//! A mapped segment that others write. Most unsafe code of this crate is here.
//!
//! The memory may change at any moment, by a process that we do not trust. So no reference to plain bytes of it ever
//! exists: words are reached as atomics, bytes by copies that the compiler knows nothing of and can neither repeat,
//! split nor leave out. What was copied is ours; what is read twice may differ.
//!
//! ```text
//! base ┌──────────────────────────────┐ base + len        at + bytes <= len, at a multiple of the word's size:
//!      │ segment, mapped shared       │                   checked at each access, panics like a slice's index
//!      └──────────────────────────────┘
//! ```

use std::fmt;
use std::fs::File;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64};

use rustix::fs::fstat;
use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, munmap};

use crate::segment::Segment;

/// Copies of at least so many bytes are left to the system's own function.
const BULK_BYTES_MIN: usize = 256;

/// A segment in this process's memory, readable and writable, until it is dropped.
pub struct Mapping {
    base: NonNull<u8>,
    len: usize,
    /// Where no 64-bit word begins any more.
    words_end: usize,
    /// Where no 32-bit word begins any more.
    halves_end: usize,
}

// SAFETY: the mapping belongs to this value alone (it is unmapped by its drop and nowhere else), no thread is bound
// to it, and all access through a shared reference is by atomics or by copies that may race (see `copy_out`).
unsafe impl Send for Mapping {}
// SAFETY: as above; nothing of it is reached but through these.
unsafe impl Sync for Mapping {}

impl fmt::Debug for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mapping").field("len", &self.len).finish_non_exhaustive()
    }
}

impl Mapping {
    /// Maps a whole segment.
    ///
    /// # Errors
    /// The system's; [`Errno::ACCESS`] or [`Errno::PERM`] if its content is sealed.
    pub fn new(segment: &Segment) -> Result<Mapping, Errno> {
        Mapping::of(segment.as_fd(), segment.len())
    }

    /// Maps the first `len` bytes of a file of this process's own: what is written stays in it when the process is killed, whatever
    /// it was doing. The file has to stay so long and to have its blocks on the disk already: whoever shortens it, or a disk
    /// that is full, ends the process by SIGBUS.
    ///
    /// # Errors
    /// The system's; [`Errno::INVAL`] for no bytes, or more than the file has.
    pub fn of_file(file: &File, len: usize) -> Result<Mapping, Errno> {
        let has = u64::try_from(fstat(file)?.st_size).unwrap_or(0);
        if usize::try_from(has).is_ok_and(|has| has < len) {
            return Err(Errno::INVAL);
        }
        Mapping::of(file.as_fd(), len)
    }

    fn of(file: BorrowedFd<'_>, len: usize) -> Result<Mapping, Errno> {
        let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED);
        // SAFETY: the address is left to the system, so nothing that exists is replaced.
        let base = unsafe { mmap(std::ptr::null_mut(), len, protection, flags, file, 0) }?;
        let base = NonNull::new(base.cast::<u8>()).ok_or(Errno::NOMEM)?;
        Ok(Mapping { base, len, words_end: len.saturating_sub(7), halves_end: len.saturating_sub(3) })
    }

    /// Its bytes.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "no mapping is empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Where it lies, for the system's tables: nothing is reached by this number.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.base.as_ptr().expose_provenance() as u64
    }

    /// Takes all of its pages now, not each when it is first touched: that would hold its toucher up for microseconds, and
    /// whoever waits for that one. Linux before 5.14 does not do it.
    pub fn populate(&self) {
        // SAFETY: the pages are those of this mapping, and no byte of them changes.
        let _ = unsafe { madvise(self.base.as_ptr().cast(), self.len, Advice::LinuxPopulateWrite) };
    }

    /// The 64-bit word at `at`.
    ///
    /// # Panics
    /// If it is not within the mapping, or `at` is no multiple of 8.
    #[inline(always)]
    #[must_use]
    pub fn word(&self, at: usize) -> &AtomicU64 {
        if at >= self.words_end || !at.is_multiple_of(8) {
            self.outside(at, 8);
        }
        // SAFETY: `at + 8 <= len`, and the mapping's base is aligned to a page, so that the sum is aligned like `at`.
        let place = unsafe { self.base.add(at) };
        // SAFETY: `place` is within the mapping, which lives as long as the reference, and aligned. Any bits are a
        // number. Whoever else writes there, in this process through another `Mapping` or in another one, does it by
        // single machine instructions, which is what an atomic is made for.
        unsafe { AtomicU64::from_ptr(place.as_ptr().cast()) }
    }

    /// The 32-bit word at `at`.
    ///
    /// # Panics
    /// If it is not within the mapping, or `at` is no multiple of 4.
    #[inline]
    #[must_use]
    pub fn half(&self, at: usize) -> &AtomicU32 {
        if at >= self.halves_end || !at.is_multiple_of(4) {
            self.outside(at, 4);
        }
        // SAFETY: as in `word`, with 4 bytes.
        let place = unsafe { self.base.add(at) };
        // SAFETY: as in `word`.
        unsafe { AtomicU32::from_ptr(place.as_ptr().cast()) }
    }

    /// Copies what is at `at` now; it may be changing meanwhile, and is then a mixture.
    ///
    /// # Panics
    /// If it is not all within the mapping.
    #[inline(always)]
    pub fn read(&self, at: usize, into: &mut [u8]) {
        let place = self.place(at, into.len());
        let into: Range<*mut u8> = into.as_mut_ptr_range();
        // SAFETY: `place` has as many bytes as `into`; `into` is ours alone, so they do not overlap.
        unsafe { copy(place.as_ptr(), into) }
    }

    /// As [`Mapping::read`], for `len` bytes behind what `onto` has. They are written once: room for them is not cleared
    /// before.
    ///
    /// # Panics
    /// If it is not all within the mapping.
    #[inline]
    pub fn append(&self, at: usize, len: usize, onto: &mut Vec<u8>) {
        let place = self.place(at, len);
        onto.reserve(len);
        let start: *mut u8 = onto.spare_capacity_mut()[..len].as_mut_ptr().cast();
        // One past the end of what the line before checked.
        let end = start.wrapping_add(len);
        // SAFETY: `place` has `len` bytes, and so has the vector's room, which is ours alone: they do not overlap.
        unsafe { copy(place.as_ptr(), start..end) }
        // SAFETY: there is room for so many, and the copy has written each of them.
        unsafe { onto.set_len(onto.len() + len) }
    }

    /// Copies `from` to `at`.
    ///
    /// # Panics
    /// If it is not all within the mapping.
    #[inline(always)]
    pub fn write(&self, at: usize, from: &[u8]) {
        let place = self.place(at, from.len()).as_ptr();
        // One past the end of what `place` checked.
        let end = place.wrapping_add(from.len());
        // SAFETY: `place` has as many bytes as `from`, which nobody writes while it is lent: they do not overlap.
        unsafe { copy(from.as_ptr(), place..end) }
    }

    /// The place of `bytes` bytes at `at`.
    #[inline]
    fn place(&self, at: usize, bytes: usize) -> NonNull<u8> {
        if at > self.len || bytes > self.len - at {
            self.outside(at, bytes);
        }
        // SAFETY: `at <= len`, so the sum stays within the mapping or just behind it.
        unsafe { self.base.add(at) }
    }

    #[cold]
    fn outside(&self, at: usize, bytes: usize) -> ! {
        panic!("{bytes} bytes at {at} of {} bytes of shared memory", self.len)
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: base and length are those that `mmap` gave, and no reference outlives the value that lent it.
        let unmapped = unsafe { munmap(self.base.as_ptr().cast(), self.len) };
        debug_assert_eq!(unmapped, Ok(()));
    }
}

/// Copies as many bytes as `to` has, which nobody but us can see to happen: the source, or the target, may be written
/// by another process at the same time, so neither is accessed in a way that the compiler reasons about.
///
/// # Safety
/// `from` must be readable for as many bytes as `to` is long, `to` writable, and they must not overlap.
#[inline(always)]
unsafe fn copy(from: *const u8, to: Range<*mut u8>) {
    let len = to.end.addr() - to.start.addr();
    if len >= BULK_BYTES_MIN {
        // SAFETY: the caller's promise is that of this function.
        unsafe { copy_bulk(from, to.start, len) }
        return;
    }
    let mut done = 0;
    while len - done >= 16 {
        // SAFETY: `done + 16 <= len`, within what the caller promised.
        unsafe { copy_16(from, to.start, done) }
        done += 16;
    }
    if len - done >= 8 {
        // SAFETY: `done + 8 <= len`, within what the caller promised.
        unsafe { copy_8(from, to.start, done) }
        done += 8;
    }
    while done < len {
        // SAFETY: `done < len`, within what the caller promised.
        unsafe { copy_one::<u8>(from, to.start, done) }
        done += 1;
    }
}

/// Copies 16 bytes, `at` bytes behind both. Each byte is read once and written once, by a block of instructions of which the
/// compiler knows no more than that memory changes; a volatile copy of so much would go by way of the stack.
///
/// # Safety
/// Both must have as many bytes there.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn copy_16(from: *const u8, to: *mut u8, at: usize) {
    // SAFETY: the two instructions read and write the bytes of which the caller says that they are there, at any address.
    unsafe {
        std::arch::asm!(
            "movups {block}, [{from} + {at}]",
            "movups [{to} + {at}], {block}",
            block = out(xmm_reg) _,
            from = in(reg) from,
            to = in(reg) to,
            at = in(reg) at,
            options(nostack, preserves_flags),
        );
    }
}

/// As there.
///
/// # Safety
/// As there.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
unsafe fn copy_16(from: *const u8, to: *mut u8, at: usize) {
    // SAFETY: the caller says that the bytes are there.
    unsafe { copy_8(from, to, at) }
    // SAFETY: as above.
    unsafe { copy_8(from, to, at + 8) }
}

/// As [`copy_16`], 8 bytes.
///
/// # Safety
/// Both must have as many bytes there.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn copy_8(from: *const u8, to: *mut u8, at: usize) {
    // SAFETY: as in `copy_16`.
    unsafe {
        std::arch::asm!(
            "mov {word}, [{from} + {at}]",
            "mov [{to} + {at}], {word}",
            word = out(reg) _,
            from = in(reg) from,
            to = in(reg) to,
            at = in(reg) at,
            options(nostack, preserves_flags),
        );
    }
}

/// As [`copy_16`], 8 bytes.
///
/// # Safety
/// Both must have as many bytes there.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
unsafe fn copy_8(from: *const u8, to: *mut u8, at: usize) {
    // SAFETY: the caller says that the bytes are there.
    unsafe { copy_one::<u64>(from, to, at) }
}

/// Copies one `T`, a number, `at` bytes behind both.
///
/// # Safety
/// Both must have a `T`'s size of bytes there.
#[inline(always)]
unsafe fn copy_one<T: Copy>(from: *const u8, to: *mut u8, at: usize) {
    let from = from.wrapping_add(at).cast::<Unaligned<T>>();
    let to = to.wrapping_add(at).cast::<Unaligned<T>>();
    // SAFETY: the caller says that the bytes are there, the type has no alignment, and any bytes are a number. Being
    // volatile, it happens exactly once.
    let value = unsafe { from.read_volatile() };
    // SAFETY: as above.
    unsafe { to.write_volatile(value) }
}

/// A number at any address.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Unaligned<T>(T);

/// The system's `memcpy`, which knows the processor: its own instruction for copies is some 20 times slower on several of
/// them, if the target is no multiple of 64.
///
/// # Safety
/// As [`copy`], for `len` bytes.
#[cfg(target_arch = "x86_64")]
#[inline]
unsafe fn copy_bulk(from: *const u8, to: *mut u8, len: usize) {
    unsafe extern "C" {
        fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8;
    }
    // SAFETY: the call reads and writes the bytes that the caller promised; it is made as the calling convention says, with
    // the stack aligned (the block may use it) and every register that a function may change named as such. Being a block
    // of instructions, it is no call of `memcpy` to the compiler, which knows no more than that memory changes.
    unsafe {
        std::arch::asm!(
            "call {memcpy}@PLT",
            memcpy = sym memcpy,
            inout("rdi") to => _,
            inout("rsi") from => _,
            inout("rdx") len => _,
            clobber_abi("C"),
        );
    }
}

/// # Safety
/// As [`copy`], for `len` bytes.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn copy_bulk(from: *const u8, to: *mut u8, len: usize) {
    let words = len / 8 * 8;
    for at in (0..words).step_by(8) {
        // SAFETY: `at + 8 <= len`.
        unsafe { copy_one::<u64>(from, to, at) }
    }
    for at in words..len {
        // SAFETY: `at < len`.
        unsafe { copy_one::<u8>(from, to, at) }
    }
}
