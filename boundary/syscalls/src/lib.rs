//! System calls by number, for a process that has descriptors to give away.
//!
//! ```text
//! Descriptors::claim(64): descriptors 0 to 63 are owned by nobody in this program from now on
//!     │
//!     └─► call(number, [Number(3), Room(&mut vec, 4096), Number(4096)]) ─ shape of the call ─► syscall(2) ─► value, or error number
//! ```
//!
//! What makes this safe is the table of shapes in `shapes`: for each system call that is offered, what the kernel takes each
//! argument for. A number goes only where the kernel takes a number; an address is that of memory which was handed in, as
//! large as the size that stands beside it or as the kernel's own structure. Calls that change memory, threads, signals or the
//! program itself are not in the table.
//!
//! Descriptors are part of that: what Rust owns must not be closed or written to by number. [`Descriptors::claim`] leaves
//! the process the numbers below a limit, none of which was opened here; a descriptor argument must be one of them.
//!
//! Reads that do not need each other's answers can be made together, by a [`Ring`].
//!
//! It is of x86-64 Linux: numbers and structures are that system's.

mod ring;
mod shapes;
#[cfg(test)]
mod tests;

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use rustix::fs::{Dir as Listing, Mode, OFlags};
use rustix::io::{Errno, FdFlags};
use rustix::process::{Resource, Rlimit};

pub use ring::{READS_MAX, ReadAt, Ring};
pub use shapes::{Shape, shape};

/// Arguments of a system call.
pub const ARGUMENTS_MAX: usize = 6;

/// Means the working directory where a directory's descriptor is expected.
pub const AT_FDCWD: i64 = -100;

const GET_FLAGS: i64 = 3;
const ACCESS_MODE: i64 = 3;
const WRITE_ONLY: i64 = 1;
const READ_WRITE: i64 = 2;
const PATH_ONLY: i64 = 0x20_0000;
const NO_FOLLOW: u64 = 0x2_0000;
const CLOSE_ON_EXEC: u64 = 0x8_0000;
/// RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS of openat2(2).
const BENEATH: u64 = 8;
const NO_MAGIC_LINKS: u64 = 2;

/// A directory.
#[derive(Clone, Copy, Debug)]
pub enum Dir<'a> {
    /// One of the descriptors that may be called on.
    Own(i64),
    /// One of somebody's.
    Of(BorrowedFd<'a>),
}

/// What becomes of a symbolic link at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// It is what is meant.
    Meant,
    /// It is followed.
    Followed,
}

/// One argument.
#[derive(Debug)]
pub enum Arg<'a> {
    /// A value, or the size of what the argument before it is.
    Number(i64),
    /// The address of these bytes, which the kernel reads.
    Bytes(&'a [u8]),
    /// The address of these bytes, which the kernel reads and writes.
    Changed(&'a mut [u8]),
    /// The address of room for so many bytes behind what the vector holds; what the call returns is how many there are then.
    Room(&'a mut Vec<u8>, usize),
}

/// The right to make system calls on the descriptors below a limit.
#[derive(Clone, Copy, Debug)]
pub struct Descriptors {
    below: i64,
}

impl Descriptors {
    /// From now on this process gets descriptors below `limit` only, and those are open to [`Descriptors::call`]. Whoever
    /// keeps others must have them above the limit already.
    ///
    /// # Errors
    /// If one of them was opened here, or the limit cannot be set.
    pub fn claim(limit: u16) -> io::Result<Descriptors> {
        if let Some(number) = opened_here()?.into_iter().find(|number| (3..i32::from(limit)).contains(number))
        {
            let message = format!("descriptor {number} is open, and somebody's");
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, message));
        }
        let both = Some(u64::from(limit));
        rustix::process::setrlimit(Resource::Nofile, Rlimit { current: both, maximum: both })?;
        Ok(Descriptors { below: i64::from(limit) })
    }

    /// The first number that is not offered.
    #[must_use]
    pub fn limit(self) -> i64 {
        self.below
    }

    /// Whether a descriptor is one of these.
    #[inline]
    #[must_use]
    pub fn contains(self, fd: i64) -> bool {
        (0..self.below).contains(&fd)
    }

    /// Makes a system call. What comes back is the kernel's value; for a call with room, the vector has that many bytes more.
    ///
    /// # Errors
    /// The kernel's error; ENOSYS if the call is not offered, EBADF for a descriptor that is not, and EFAULT if an argument is not
    /// what the call takes there. Nothing was done in these three cases.
    #[inline]
    pub fn call(self, number: u16, args: &mut [Arg<'_>]) -> Result<i64, Errno> {
        let shapes = shape(number).ok_or(Errno::NOSYS)?;
        if shapes.len() != args.len() {
            return Err(Errno::FAULT);
        }
        let foreign = match (shapes.first(), args.first_mut()) {
            (Some(Shape::Polls), Some(Arg::Changed(polls))) => self.put_aside(polls),
            _ => Vec::new(),
        };
        let mut registers = [0_i64; ARGUMENTS_MAX];
        // The kernel changes it; what it says is not needed.
        let socket_size = std::cell::Cell::new(0_i32);
        for at in 0..shapes.len() {
            let before = at.checked_sub(1).and_then(|before| args.get(before));
            let register = match (&args[at], shapes[at], before) {
                (Arg::Number(n), Shape::Value, _) => *n,
                (Arg::Number(fd), Shape::Fd, _) => self.own(*fd)?,
                (Arg::Number(AT_FDCWD), Shape::Dir, _) => AT_FDCWD,
                // Of an absolute path the kernel does not look at it.
                (Arg::Number(_), Shape::Dir, _)
                    if matches!(args.get(at + 1), Some(Arg::Bytes([b'/', ..]))) =>
                {
                    AT_FDCWD
                }
                (Arg::Number(fd), Shape::Dir, _) => self.own(*fd)?,
                (Arg::Number(0), Shape::Null, _) => 0,
                (Arg::Bytes(text), Shape::Text, _) if text.last() == Some(&0) => text.as_ptr() as i64,
                (Arg::Bytes(bytes), Shape::Sent, _) => bytes.as_ptr() as i64,
                (Arg::Number(0), Shape::Sent, _) => 0,
                (Arg::Number(n), Shape::SentSize, Some(Arg::Bytes(b))) if fits(*n, b.len()) => *n,
                (Arg::Number(0), Shape::SentSize, Some(Arg::Number(0))) => 0,
                (Arg::Bytes(bytes), Shape::In(size), _) if bytes.len() >= size => bytes.as_ptr() as i64,
                (Arg::Changed(bytes), Shape::Out(size), _) if bytes.len() >= size => bytes.as_ptr() as i64,
                (Arg::Number(0), Shape::Out(_), _) => 0,
                (Arg::Number(n), Shape::OutSize, Some(Arg::Changed(b))) if fits(*n, b.len()) => {
                    socket_size.set(i32::try_from(*n).map_err(|_| Errno::FAULT)?);
                    socket_size.as_ptr() as i64
                }
                (Arg::Number(0), Shape::OutSize, Some(Arg::Number(0))) => 0,
                (Arg::Changed(polls), Shape::Polls, _) => polls.as_ptr() as i64,
                (Arg::Number(n), Shape::PollCount, Some(Arg::Changed(b))) if fits(*n, b.len() / 8) => *n,
                (Arg::Number(n), Shape::RoomSize, Some(Arg::Room(_, room))) if fits(*n, *room) => *n,
                (Arg::Room(..), Shape::Room, _) => 0,
                _ => return Err(Errno::FAULT),
            };
            registers[at] = register;
        }
        // Last, so that no vector is touched unless the call is made.
        let mut filled = None;
        for (at, arg) in args.iter_mut().enumerate() {
            match arg {
                Arg::Room(vec, room) => {
                    vec.reserve(*room);
                    registers[at] = vec.spare_capacity_mut().as_mut_ptr() as i64;
                    // The size that the kernel is told; a datagram's own length may be larger.
                    let told = registers.get(at + 1).copied().unwrap_or(0);
                    filled = Some((vec, usize::try_from(told).unwrap_or(0)));
                }
                Arg::Changed(bytes) => registers[at] = bytes.as_mut_ptr() as i64,
                Arg::Number(_) | Arg::Bytes(_) => {}
            }
        }
        // SAFETY: the shape of `number` was kept, which says for each argument what the kernel does with it. Addresses are
        // those of memory that `args` borrows until this returns, as large as the kernel was told or as its structure, and
        // not shared if it writes; the calls of the table touch no other memory of this process.
        let value = unsafe { syscall(number, registers) };
        if (-4095..0).contains(&value) {
            return Err(Errno::from_raw_os_error(-(value as i32)));
        }
        if let Some((vec, told)) = filled {
            let more = usize::try_from(value).unwrap_or(0).min(told);
            let len = vec.len() + more;
            // SAFETY: the kernel wrote so many bytes of the room, as all calls with a shape of `Room` do: as many as it returned, and
            // no more than it was told, which is no more than was reserved.
            unsafe { vec.set_len(len) };
        }
        if let (false, Some(Arg::Changed(polls))) = (foreign.is_empty(), args.first_mut()) {
            foreign.iter().for_each(|(at, fd)| polls[*at..*at + 4].copy_from_slice(fd));
        }
        Ok(value)
    }

    /// Whether one of them is open for writing. One that is open for nothing, with the fourth access mode of open(2) or O_PATH, is not.
    ///
    /// # Errors
    /// EBADF.
    pub fn is_writable(self, fd: i64) -> Result<bool, Errno> {
        const FCNTL: u16 = 72;
        let registers = [self.own(fd)?, GET_FLAGS, 0, 0, 0, 0];
        // SAFETY: F_GETFL takes nothing and returns a number.
        let flags = unsafe { syscall(FCNTL, registers) };
        let writes = matches!(flags & ACCESS_MODE, WRITE_ONLY | READ_WRITE);
        if flags < 0 { Err(Errno::BADF) } else { Ok(writes && flags & PATH_ONLY == 0) }
    }

    /// Whether one of them is a regular file.
    fn is_regular(self, fd: i64) -> bool {
        const FSTAT: u16 = 5;
        const FORMAT: u32 = 0o170_000;
        const REGULAR: u32 = 0o100_000;
        // `st_mode` of `struct stat`.
        const MODE: usize = 24;
        let mut stat = [0; 144];
        let done = self.call(FSTAT, &mut [Arg::Number(fd), Arg::Changed(&mut stat)]);
        let mode = stat[MODE..].first_chunk().map_or(0, |mode| u32::from_ne_bytes(*mode));
        done.is_ok() && mode & FORMAT == REGULAR
    }

    /// Reads up to `len` bytes at an offset, behind what `into` holds, as far as that is done without waiting for a disk (preadv2(2),
    /// `RWF_NOWAIT`).
    ///
    /// # Errors
    /// EAGAIN if it would wait; else as `pread64`, or EOPNOTSUPP of files that cannot tell.
    pub fn read_cached(self, fd: i64, offset: i64, len: usize, into: &mut Vec<u8>) -> Result<usize, Errno> {
        const PREADV2: u16 = 327;
        const NOWAIT: i64 = 8;
        let fd = self.own(fd)?;
        if offset < 0 {
            return Err(Errno::INVAL);
        }
        into.reserve(len);
        let place: [usize; 2] = [into.spare_capacity_mut().as_mut_ptr() as usize, len];
        let registers = [fd, place.as_ptr() as i64, 1, offset, 0, NOWAIT];
        // SAFETY: one `struct iovec`, which outlives the call, with room for `len` bytes that `into` has and nobody else reaches.
        let value = unsafe { syscall(PREADV2, registers) };
        if value < 0 {
            return Err(Errno::from_raw_os_error(-(value as i32)));
        }
        let more = usize::try_from(value).unwrap_or(0).min(len);
        let all = into.len() + more;
        // SAFETY: the kernel wrote so many bytes of the room.
        unsafe { into.set_len(all) };
        Ok(more)
    }

    /// Finds what has a path, without opening it: below `dir`, and nowhere else whatever the path and links on it say. A link at the
    /// end of it is followed if `links` says so.
    ///
    /// # Errors
    /// The kernel's; EXDEV if it leads outside.
    pub fn find_beneath(self, dir: Dir<'_>, path: &[u8], links: Links) -> Result<OwnedFd, Errno> {
        const OPENAT2: u16 = 437;
        let dir = match dir {
            Dir::Own(fd) => self.own(fd)?,
            Dir::Of(fd) => i64::from(fd.as_raw_fd()),
        };
        if path.last() != Some(&0) {
            return Err(Errno::FAULT);
        }
        let nofollow = if links == Links::Followed { 0 } else { NO_FOLLOW };
        let how: [u64; 3] = [PATH_ONLY as u64 | CLOSE_ON_EXEC | nofollow, 0, BENEATH | NO_MAGIC_LINKS];
        let registers = [
            dir,
            path.as_ptr() as i64,
            how.as_ptr() as i64,
            i64::try_from(size_of_val(&how)).unwrap_or(0),
            0,
            0,
        ];
        // SAFETY: the path ends with a NUL, and `how` is a `struct open_how` of the size that is told; both outlive the call.
        let fd = unsafe { syscall(OPENAT2, registers) };
        if fd < 0 {
            return Err(Errno::from_raw_os_error(-(fd as i32)));
        }
        // SAFETY: the kernel has just made this descriptor for this function.
        Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
    }

    fn own(self, fd: i64) -> Result<i64, Errno> {
        if self.contains(fd) { Ok(fd) } else { Err(Errno::BADF) }
    }

    /// Puts a number that nobody has in the place of descriptors that are not these: to the kernel they are none. What stood where.
    /// Negative ones are passed over by the kernel.
    fn put_aside(self, polls: &mut [u8]) -> Vec<(usize, [u8; 4])> {
        let mut foreign = Vec::new();
        for (at, poll) in polls.chunks_mut(8).enumerate() {
            let Some(fd) = poll.first_chunk_mut::<4>() else { continue };
            if i64::from(i32::from_ne_bytes(*fd)) >= self.below {
                foreign.push((8 * at, std::mem::replace(fd, i32::MAX.to_ne_bytes())));
            }
        }
        foreign
    }
}

fn fits(n: i64, len: usize) -> bool {
    usize::try_from(n).is_ok_and(|n| n <= len)
}

/// Descriptors that this process opened by itself: those that another program would not inherit from it, since Rust's library and every
/// other of this workspace opens what it opens with `FD_CLOEXEC` (`cargo xtask tidy` looks for calls that do not). All others were given to it
/// by whoever started it, and nobody here owns them.
///
/// # Errors
/// If they cannot be listed.
pub fn opened_here() -> io::Result<Vec<RawFd>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let listing = rustix::fs::open("/proc/self/fd", flags, Mode::empty())?;
    let own = listing.as_raw_fd();
    let mut opened = Vec::new();
    for entry in Listing::new(listing)? {
        let number = entry?.file_name().to_str().ok().and_then(|name| name.parse::<RawFd>().ok());
        let Some(number) = number.filter(|number| *number != own) else { continue };
        // SAFETY: its flags are read, while it is open or by a number that is an error.
        let flags = rustix::io::fcntl_getfd(unsafe { BorrowedFd::borrow_raw(number) });
        if flags.is_ok_and(|flags| flags.contains(FdFlags::CLOEXEC)) {
            opened.push(number);
        }
    }
    Ok(opened)
}

/// Whether nothing here owns a descriptor, `besides` these and 0, 1 and 2, and nobody else could open one meanwhile.
///
/// # Errors
/// [`io::ErrorKind::ResourceBusy`] if there are other threads, or descriptors that were opened here.
pub fn alone(besides: &[RawFd]) -> io::Result<()> {
    let busy =
        |what: String| Err(io::Error::new(io::ErrorKind::ResourceBusy, format!("this process has {what}")));
    if std::fs::read_dir("/proc/self/task")?.count() != 1 {
        return busy("other threads".to_owned());
    }
    match opened_here()?.into_iter().find(|number| *number > 2 && !besides.contains(number)) {
        None => Ok(()),
        Some(number) => busy(format!("opened other files: descriptor {number}")),
    }
}

/// syscall(2).
///
/// # Safety
/// Whatever the call does with its arguments must be safe to do.
#[inline]
unsafe fn syscall(number: u16, registers: [i64; ARGUMENTS_MAX]) -> i64 {
    let value: i64;
    // SAFETY: the caller's business; the instruction itself changes the registers that are named, and no others.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") i64::from(number) => value,
            in("rdi") registers[0],
            in("rsi") registers[1],
            in("rdx") registers[2],
            in("r10") registers[3],
            in("r8") registers[4],
            in("r9") registers[5],
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    value
}
