//! Reads that go to the kernel together: io_uring(7), with nothing but reads at an offset.
//!
//! ```text
//! Ring::new ─ setup, restricted to IORING_OP_READ, enabled        before the process gives up io_uring_setup(2) and _register(2)
//!   └─► read([fd, offset, len] …) ─ one io_uring_enter(2), or more if a signal comes ─► all done ─► take(k): value, or error number
//! ```
//!
//! * **Memory** that the kernel writes to is the ring's own, and stays with it until the kernel has said that it is done. If that can no
//!   longer be waited for, it is left to the kernel for good.
//! * **Restrictions** are the kernel's: a ring takes no operation but the read, no flags of requests, and no further registering
//!   (IORING_REGISTER_RESTRICTIONS), whoever submits to it.
//! * **Descriptors** are those of [`Descriptors`], as for each call.
//!
//! Linux from 5.10 on; where it is forbidden (`kernel.io_uring_disabled`, a filter of a container), [`Ring::new`] says so.

use std::ffi::c_void;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::io::Errno;
use rustix::io_uring::{
    IORING_OFF_SQ_RING, IORING_OFF_SQES, IoringEnterFlags, IoringFeatureFlags, IoringOp, IoringRegisterOp,
    IoringRestrictionOp, IoringSetupFlags, addr_or_splice_off_in_union, io_uring_enter, io_uring_params,
    io_uring_ptr, io_uring_register, io_uring_restriction, io_uring_setup, io_uring_sqe, io_uring_user_data,
    len_union, off_or_addr2_union, register_or_sqe_op_or_sqe_flags_union,
};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use crate::Descriptors;

/// Most reads of one submission.
pub const READS_MAX: usize = 64;

/// Longest read.
const LEN_MAX: usize = 1 << 20;

/// A buffer that is larger is not kept for the next submission.
const KEPT_BYTES_MAX: usize = 16 << 10;

/// How often in a row the kernel may say that it has no room just now.
const REFUSALS_MAX: u32 = 1_000;

/// A read that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadAt {
    /// From this descriptor.
    pub fd: i64,
    /// So many bytes.
    pub len: usize,
    /// From this byte on.
    pub offset: i64,
}

/// A ring of reads.
#[derive(Debug)]
pub struct Ring {
    fd: OwnedFd,
    queues: Mapping,
    entries: Mapping,
    places: Places,
    /// Where results go.
    buffers: Vec<Vec<u8>>,
    results: Vec<i32>,
    /// Nothing of what was submitted last is under way.
    is_idle: bool,
}

/// Bytes from the beginning of the queues, as the kernel laid them out.
#[derive(Clone, Copy, Debug)]
struct Places {
    submitted: usize,
    submission_mask: u32,
    completion_head: usize,
    completion_tail: usize,
    completion_mask: u32,
    completions: usize,
}

/// Memory that is shared with the kernel.
#[derive(Debug)]
struct Mapping {
    begins: *mut c_void,
    len: usize,
}

// SAFETY: the mapping belongs to the process and not to a thread, and nobody else has its address.
unsafe impl Send for Mapping {}

impl Mapping {
    fn of(fd: &OwnedFd, len: usize, offset: u64) -> io::Result<Mapping> {
        let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED | MapFlags::POPULATE);
        // SAFETY: a new mapping, wherever the kernel puts it.
        let begins = unsafe { mmap(ptr::null_mut(), len, access, flags, fd, offset) }?;
        Ok(Mapping { begins, len })
    }

    /// The word at a place.
    ///
    /// # Panics
    /// If it is outside, or not at a multiple of its size.
    fn word(&self, at: usize) -> &AtomicU32 {
        assert!(at.is_multiple_of(4) && at + 4 <= self.len, "a word of the ring");
        // SAFETY: within the mapping, as the line above says.
        let place = unsafe { self.begins.cast::<u8>().add(at) };
        // SAFETY: the mapping lives as long as `self`, begins at a page, and both sides reach its words by atomic instructions alone.
        unsafe { AtomicU32::from_ptr(place.cast()) }
    }

    /// Puts a submission at its place.
    ///
    /// # Panics
    /// If it is outside.
    fn put(&self, at: usize, entry: io_uring_sqe) {
        assert!((at + 1) * size_of::<io_uring_sqe>() <= self.len, "an entry of the ring");
        // SAFETY: within the mapping, as the line above says.
        let place = unsafe { self.begins.cast::<io_uring_sqe>().add(at) };
        // SAFETY: the mapping begins at a page; the kernel reads an entry only after the tail has moved behind it, and not after it
        // was submitted, which each call of `read` waits for.
        unsafe { place.write(entry) };
    }

    /// What a completion says: whose, and the result.
    ///
    /// # Panics
    /// If it is outside.
    fn completion(&self, at: usize) -> (u64, i32) {
        assert!(at.is_multiple_of(8) && at + 16 <= self.len, "a completion of the ring");
        // SAFETY: within the mapping, as the line above says.
        let place = unsafe { self.begins.cast::<u8>().add(at) };
        // SAFETY: two words of eight bytes each, which the kernel wrote before it moved the tail behind them, and writes to again only
        // when the head has moved.
        let [whose, result] = unsafe { place.cast::<[u64; 2]>().read() };
        (whose, result as i32)
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is `self`'s, and nobody refers to it any more.
        let _ = unsafe { munmap(self.begins, self.len) };
    }
}

/// What makes a ring cheaper, as far as the kernel knows it: all of it from 6.6 on, nothing before 6.1.
fn ways() -> [IoringSetupFlags; 3] {
    let one_thread = IoringSetupFlags::SINGLE_ISSUER | IoringSetupFlags::DEFER_TASKRUN;
    [one_thread | IoringSetupFlags::NO_SQARRAY, one_thread, IoringSetupFlags::empty()]
}

impl Ring {
    /// A ring. What it opens gets another number by `keep`: none that is anybody's to call on.
    ///
    /// # Errors
    /// If the kernel has no io_uring, forbids it, or cannot restrict it.
    pub fn new(keep: impl FnOnce(OwnedFd) -> io::Result<OwnedFd>) -> io::Result<Ring> {
        let mut refused = io::Error::from(Errno::NOSYS);
        let mut made = None;
        for way in ways() {
            let mut params = io_uring_params::default();
            params.flags = way | IoringSetupFlags::R_DISABLED;
            // SAFETY: the kernel reads and writes `params` alone, and makes a descriptor.
            match unsafe { io_uring_setup(READS_MAX as u32, &mut params) } {
                Ok(fd) => {
                    made = Some((fd, params));
                    break;
                }
                Err(error) => refused = error.into(),
            }
            if refused.raw_os_error() != Some(Errno::INVAL.raw_os_error()) {
                break;
            }
        }
        let (fd, params) = made.ok_or(refused)?;
        let fd = keep(fd)?;
        if !params.features.contains(IoringFeatureFlags::SINGLE_MMAP | IoringFeatureFlags::NODROP) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let (sq, cq) = (params.sq_off, params.cq_off);
        let submissions = sq.array as usize + 4 * params.sq_entries as usize;
        let completions = cq.cqes as usize + 16 * params.cq_entries as usize;
        let queues = Mapping::of(&fd, submissions.max(completions), IORING_OFF_SQ_RING)?;
        let entries =
            Mapping::of(&fd, params.sq_entries as usize * size_of::<io_uring_sqe>(), IORING_OFF_SQES)?;
        if !params.flags.contains(IoringSetupFlags::NO_SQARRAY) {
            for entry in 0..params.sq_entries {
                queues.word(sq.array as usize + 4 * entry as usize).store(entry, Ordering::Relaxed);
            }
        }
        let places = Places {
            submitted: sq.tail as usize,
            submission_mask: params.sq_entries - 1,
            completion_head: cq.head as usize,
            completion_tail: cq.tail as usize,
            completion_mask: params.cq_entries - 1,
            completions: cq.cqes as usize,
        };
        restrict(&fd)?;
        let buffers = vec![Vec::new(); READS_MAX];
        Ok(Ring { fd, queues, entries, places, buffers, results: Vec::new(), is_idle: true })
    }

    /// The ring's own descriptor.
    #[must_use]
    pub fn fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }

    /// Makes these reads, at most [`READS_MAX`], and comes back when all are done. In which order they are done is not said; none has an
    /// effect, because it is made of regular files alone: what would be a read from a pipe is answered by EBADF, as is one of more than
    /// 1 MiB.
    ///
    /// # Errors
    /// If they cannot be submitted or waited for; the ring is of no use any more then, and nothing may be taken of it.
    pub fn read(&mut self, descriptors: Descriptors, reads: &[ReadAt]) -> Result<(), Errno> {
        if !self.is_idle || reads.len() > READS_MAX {
            return Err(Errno::BUSY);
        }
        self.results.clear();
        self.buffers.iter_mut().for_each(release);
        let mut submitted = 0;
        // Calls of a repeat are often on one descriptor.
        let mut last = None;
        for (k, read) in reads.iter().enumerate() {
            self.results.push(-Errno::BADF.raw_os_error());
            let is_regular = match last {
                Some((fd, is_regular)) if fd == read.fd => is_regular,
                _ => descriptors.is_regular(read.fd),
            };
            last = Some((read.fd, is_regular));
            if is_regular && read.offset >= 0 && read.len <= LEN_MAX {
                self.prepare(submitted, k, read.fd as RawFd, read);
                submitted += 1;
            }
        }
        self.is_idle = false;
        let done = self.submit(submitted);
        self.is_idle = done.is_ok();
        done
    }

    /// Writes entry `number` of this submission, which is read `k`.
    fn prepare(&mut self, number: u32, k: usize, fd: RawFd, read: &ReadAt) {
        let buffer = &mut self.buffers[k];
        buffer.clear();
        buffer.reserve(read.len);
        let place = buffer.spare_capacity_mut().as_mut_ptr();
        let entry = io_uring_sqe {
            opcode: IoringOp::Read,
            fd,
            off_or_addr2: off_or_addr2_union { off: read.offset.cast_unsigned() },
            addr_or_splice_off_in: addr_or_splice_off_in_union { addr: io_uring_ptr::new(place.cast()) },
            len: len_union { len: u32::try_from(read.len).unwrap_or(0) },
            user_data: io_uring_user_data::from_u64(k as u64),
            ..io_uring_sqe::default()
        };
        let tail = self.queues.word(self.places.submitted).load(Ordering::Relaxed);
        self.entries.put((tail.wrapping_add(number) & self.places.submission_mask) as usize, entry);
    }

    fn submit(&mut self, count: u32) -> Result<(), Errno> {
        let tail = self.queues.word(self.places.submitted);
        tail.store(tail.load(Ordering::Relaxed).wrapping_add(count), Ordering::Release);
        let (mut not_submitted, mut under_way, mut refusals) = (count, count, 0);
        while under_way > 0 {
            // SAFETY: what was submitted names buffers of `self` that are as large as their entries say. They are neither moved, nor
            // freed, nor reached before their completions have come: this function comes back only then, or with an error, after
            // which nobody reaches them and `drop` leaves them where they are. Without a set of signals, no memory is read.
            let entered =
                unsafe { io_uring_enter(&self.fd, not_submitted, under_way, IoringEnterFlags::GETEVENTS) };
            match entered {
                Ok(more) if more > 0 || not_submitted == 0 => {
                    not_submitted -= more.min(not_submitted);
                    refusals = 0;
                }
                Err(Errno::INTR) => {}
                Ok(_) | Err(Errno::AGAIN | Errno::BUSY) if refusals < REFUSALS_MAX => refusals += 1,
                Ok(_) => return Err(Errno::IO),
                Err(error) => return Err(error),
            }
            under_way -= self.reap().min(under_way);
        }
        Ok(())
    }

    /// Takes the completions that there are; how many.
    fn reap(&mut self) -> u32 {
        let places = self.places;
        let head = self.queues.word(places.completion_head);
        let begins = head.load(Ordering::Relaxed);
        let ends = self.queues.word(places.completion_tail).load(Ordering::Acquire);
        let mut at = begins;
        while at != ends {
            let place = places.completions + 16 * (at & places.completion_mask) as usize;
            let (whose, result) = self.queues.completion(place);
            if let Some(slot) = usize::try_from(whose).ok().and_then(|whose| self.results.get_mut(whose)) {
                *slot = result;
            }
            at = at.wrapping_add(1);
        }
        head.store(ends, Ordering::Release);
        ends.wrapping_sub(begins)
    }

    /// Whether a read of the last submission was made.
    #[must_use]
    pub fn any_done(&self) -> bool {
        self.results.iter().any(|result| *result >= 0)
    }

    /// Whether a read of the last submission was neither made nor refused for what it asks: the plain call would have done something.
    #[must_use]
    pub fn any_left(&self) -> bool {
        let is_refused = |error: Errno| matches!(error, Errno::BADF | Errno::INVAL);
        self.results.iter().any(|result| *result < 0 && !is_refused(Errno::from_raw_os_error(-*result)))
    }

    /// What read `k` of the last submission came to: how many bytes are `into` now, whose own memory is the ring's then.
    ///
    /// # Errors
    /// The kernel's, or EBADF for a descriptor that is not offered.
    pub fn take(&mut self, k: usize, into: &mut Vec<u8>) -> Result<usize, Errno> {
        if !self.is_idle {
            return Err(Errno::BUSY);
        }
        let result = self.results.get(k).copied().unwrap_or(-Errno::BADF.raw_os_error());
        let Ok(len) = usize::try_from(result) else { return Err(Errno::from_raw_os_error(-result)) };
        let buffer = &mut self.buffers[k];
        if len > buffer.capacity() - buffer.len() || !buffer.is_empty() {
            return Err(Errno::BUSY);
        }
        // SAFETY: the kernel has written so many bytes, which is what its completion says, and the buffer has room for them.
        unsafe { buffer.set_len(len) };
        std::mem::swap(buffer, into);
        release(buffer);
        self.results[k] = -Errno::BUSY.raw_os_error();
        Ok(len)
    }
}

#[cfg(test)]
impl Ring {
    /// What the ring says to an entry, whatever it asks for: one that is not refused reads and writes nothing of this process.
    pub(crate) fn submit_one(&mut self, entry: io_uring_sqe) -> i32 {
        self.results = vec![i32::MIN];
        let tail = self.queues.word(self.places.submitted).load(Ordering::Relaxed);
        self.entries.put((tail & self.places.submission_mask) as usize, entry);
        self.submit(1).expect("it can be waited for");
        self.results[0]
    }

    pub(crate) fn descriptor(&self) -> &OwnedFd {
        &self.fd
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        if !self.is_idle {
            // The kernel may still write there.
            std::mem::take(&mut self.buffers).into_iter().for_each(std::mem::forget);
        }
    }
}

fn release(buffer: &mut Vec<u8>) {
    if buffer.capacity() > KEPT_BYTES_MAX {
        *buffer = Vec::new();
    }
}

/// Restricts a ring to reads without flags, and enables it.
fn restrict(fd: &OwnedFd) -> io::Result<()> {
    let mut only = io_uring_restriction::default();
    only.opcode = IoringRestrictionOp::SqeOp;
    only.register_or_sqe_op_or_sqe_flags = register_or_sqe_op_or_sqe_flags_union { sqe_op: IoringOp::Read };
    let (place, none) = (ptr::from_ref(&only).cast(), ptr::null());
    // SAFETY: one restriction, which the kernel reads, and which outlives the call.
    unsafe { io_uring_register(fd, IoringRegisterOp::RegisterRestrictions, place, 1) }?;
    // SAFETY: this takes nothing.
    unsafe { io_uring_register(fd, IoringRegisterOp::RegisterEnableRings, none, 0) }?;
    Ok(())
}
