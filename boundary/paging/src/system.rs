//! userfaultfd(2) and its requests. All unsafe code of this crate is here.
//!
//! What makes them safe: a request changes page tables, and page tables say what memory holds. All requests of this crate put pages
//! where none are, or take the right to write away, within memory of a [`Pages`](crate::Pages) of the process that the
//! descriptor is of, which is reached by atomics alone. So what a page holds may change at any moment anyhow, and no
//! reference to plain bytes of it ever exists. The kernel keeps requests within the ranges that were registered: for a
//! descriptor of another process, its own business and nobody else's.

use std::ffi::{c_int, c_ulong, c_void};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::mm::{UserfaultfdFlags, userfaultfd};

unsafe extern "C" {
    /// ioctl(2)
    fn ioctl(fd: c_int, request: c_ulong, argument: *mut c_void) -> c_int;
}

/// `UFFD_USER_MODE_ONLY` (linux/userfaultfd.h).
const USER_MODE_ONLY: u32 = 1;
/// `UFFD_API`, and the features that are needed: missing pages, and pages without the right to write, of memory files.
const API: u64 = 0xaa;
pub(crate) const FEATURES: u64 = FEATURE_MISSING_SHMEM | FEATURE_WP_HUGETLBFS_SHMEM;
/// Pages that are taken out of a page table are told of; whoever does that waits until it was read.
pub(crate) const FEATURE_EVENT_REMOVE: u64 = 1 << 3;
const FEATURE_MISSING_SHMEM: u64 = 1 << 5;
const FEATURE_WP_HUGETLBFS_SHMEM: u64 = 1 << 12;

/// Requests: direction, size of the argument, 0xaa, number.
const API_REQUEST: c_ulong = 0xc018_aa3f;
const REGISTER: c_ulong = 0xc020_aa00;
const COPY: c_ulong = 0xc028_aa03;
const WRITE_PROTECT: c_ulong = 0xc018_aa06;

const REGISTER_MISSING: u64 = 1;
const REGISTER_WP: u64 = 2;
const COPY_WP: u64 = 2;

/// Makes a request whose argument is words that the system reads and writes.
fn request<const N: usize>(fd: BorrowedFd<'_>, number: c_ulong, words: &mut [u64; N]) -> Result<(), Errno> {
    let argument = words.as_mut_ptr().cast();
    // SAFETY: the descriptor is open. The size that `number` says is that of `words` for all requests of this file, so the
    // system reads and writes no more than these; and see the top of this file for what the requests do.
    let done = unsafe { ioctl(fd.as_raw_fd(), number, argument) };
    if done == 0 {
        return Ok(());
    }
    Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO))
}

/// A descriptor for faults of this process.
pub(crate) fn open(features: u64) -> Result<OwnedFd, Errno> {
    let flags = UserfaultfdFlags::CLOEXEC | UserfaultfdFlags::NONBLOCK;
    let flags = flags | UserfaultfdFlags::from_bits_retain(USER_MODE_ONLY);
    // SAFETY: the descriptor stays within this crate, which makes only the requests of this file with it.
    let faults = unsafe { userfaultfd(flags) }?;
    let mut api = [API, features, 0];
    request(faults.as_fd(), API_REQUEST, &mut api)?;
    Ok(faults)
}

/// Has faults of missing pages, and of writes to protected ones, in this memory of this process told of.
pub(crate) fn register(faults: BorrowedFd<'_>, start: u64, len: u64) -> Result<(), Errno> {
    request(faults, REGISTER, &mut [start, len, REGISTER_MISSING | REGISTER_WP, 0])
}

/// Takes pages out of this process's page table; what they hold stays in the file.
pub(crate) fn remove(start: u64, len: usize) -> Result<(), Errno> {
    let at = std::ptr::with_exposed_provenance_mut::<c_void>(start as usize);
    // SAFETY: the only caller names memory of its own mapping of a file, which is shared: nothing that was stored is lost, and it is reached
    // by atomics alone.
    unsafe { rustix::mm::madvise(at, len, rustix::mm::Advice::LinuxDontNeed) }
}

/// Puts a page where none is, and wakes who waits for it.
pub(crate) fn copy(
    faults: BorrowedFd<'_>,
    to: u64,
    content: &[u8; crate::PAGE],
    protected: bool,
) -> Result<(), Errno> {
    let mode = if protected { COPY_WP } else { 0 };
    request(faults, COPY, &mut [to, content.as_ptr() as u64, crate::PAGE as u64, mode, 0])
}

/// Takes the right to write a page away, or gives it back and wakes who waits for it.
pub(crate) fn protect(faults: BorrowedFd<'_>, page: u64, protected: bool) -> Result<(), Errno> {
    request(faults, WRITE_PROTECT, &mut [page, crate::PAGE as u64, u64::from(protected)])
}
