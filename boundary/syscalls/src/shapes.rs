//! What the kernel takes each argument of a system call for. This table is the argument why [`call`](crate::Descriptors::call) is safe.
//!
//! A row is a promise about Linux on x86-64: the call does not read or write other memory of the process than its shape says,
//! starts no thread or program, and delivers no signal to a handler of anybody's. Flags may be any number: those that would make the
//! call take an argument for something else do not exist for the calls of this table.

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number without a meaning for memory or descriptors.
    Value,
    /// A descriptor.
    Fd,
    /// A directory's descriptor, or AT_FDCWD.
    Dir,
    /// No address.
    Null,
    /// A text that ends with its first NUL.
    Text,
    /// Bytes that are read, as many as the next argument says; or no address.
    Sent,
    /// How many.
    SentSize,
    /// A structure of so many bytes that is read.
    In(usize),
    /// Room that is filled, at most as much as the next argument says; the call returns how much was.
    Room,
    /// How much.
    RoomSize,
    /// A structure of at most so many bytes that is written; or no address.
    Out(usize),
    /// The address of a `socklen_t` with the size of the structure before it.
    OutSize,
    /// `struct pollfd`s, as many as the next argument says.
    Polls,
    /// How many.
    PollCount,
}

use Shape::{Dir, Fd, In, Null, Out, OutSize, PollCount, Polls, Room, RoomSize, Sent, SentSize, Text, Value};

/// Bytes of `struct stat`, `struct statx`, `struct statfs`, `struct utsname`, `struct sockaddr_storage`, `struct timespec`.
const STAT: usize = 144;
const STATX: usize = 256;
const STATFS: usize = 120;
const UTSNAME: usize = 390;
const ADDRESS: usize = 128;
const TIMESPEC: usize = 16;

/// The shape of a system call; `None` if it is not offered.
#[inline]
#[must_use]
pub fn shape(number: u16) -> Option<&'static [Shape]> {
    Some(match number {
        // read, write
        0 => &[Fd, Room, RoomSize],
        1 => &[Fd, Sent, SentSize],
        // open, close
        2 => &[Text, Value, Value],
        3 => &[Fd],
        // stat, fstat, lstat
        4 | 6 => &[Text, Out(STAT)],
        5 => &[Fd, Out(STAT)],
        // poll
        7 => &[Polls, PollCount, Value],
        // lseek, pread64, pwrite64
        8 => &[Fd, Value, Value],
        17 => &[Fd, Room, RoomSize, Value],
        18 => &[Fd, Sent, SentSize, Value],
        // sched_yield, getpid, getuid, getgid, geteuid, getegid
        24 | 39 | 102 | 104 | 107 | 108 => &[],
        // dup, dup2, nanosleep
        32 => &[Fd],
        33 => &[Fd, Fd],
        35 => &[In(TIMESPEC), Null],
        // sendfile
        40 => &[Fd, Fd, Null, Value],
        // socket, connect, sendto, recvfrom, shutdown, bind, listen
        41 => &[Value, Value, Value],
        42 | 49 => &[Fd, Sent, SentSize],
        44 => &[Fd, Sent, SentSize, Value, Sent, SentSize],
        45 => &[Fd, Room, RoomSize, Value, Out(ADDRESS), OutSize],
        48 | 50 => &[Fd, Value],
        // getsockname, getpeername, setsockopt, getsockopt
        51 | 52 => &[Fd, Out(ADDRESS), OutSize],
        54 => &[Fd, Value, Value, Sent, SentSize],
        55 => &[Fd, Value, Value, Out(4), OutSize],
        // uname, flock, fsync, fdatasync, ftruncate, getcwd
        63 => &[Out(UTSNAME)],
        73 => &[Fd, Value],
        74 | 75 => &[Fd],
        77 => &[Fd, Value],
        79 => &[Room, RoomSize],
        // rename, mkdir, rmdir, creat, link, unlink, symlink, readlink
        82 | 86 | 88 => &[Text, Text],
        83 | 85 => &[Text, Value],
        84 | 87 => &[Text],
        89 => &[Text, Room, RoomSize],
        // fchmod, umask, statfs, fstatfs
        91 => &[Fd, Value],
        95 => &[Value],
        137 => &[Text, Out(STATFS)],
        138 => &[Fd, Out(STATFS)],
        // getdents64, fadvise64, clock_gettime, clock_getres
        217 => &[Fd, Room, RoomSize],
        221 => &[Fd, Value, Value, Value],
        228 | 229 => &[Value, Out(TIMESPEC)],
        // openat, mkdirat, newfstatat, unlinkat, linkat, symlinkat, readlinkat
        257 => &[Dir, Text, Value, Value],
        258 => &[Dir, Text, Value],
        262 => &[Dir, Text, Out(STAT), Value],
        263 => &[Dir, Text, Value],
        265 => &[Dir, Text, Dir, Text, Value],
        266 => &[Text, Dir, Text],
        267 => &[Dir, Text, Room, RoomSize],
        // splice, utimensat, fallocate, accept4, eventfd2, dup3, pipe2
        275 => &[Fd, Null, Fd, Null, Value, Value],
        280 => &[Fd, Null, In(2 * TIMESPEC), Value],
        285 => &[Fd, Value, Value, Value],
        288 => &[Fd, Out(ADDRESS), OutSize, Value],
        290 => &[Value, Value],
        292 => &[Fd, Fd, Value],
        293 => &[Out(8), Value],
        // renameat2, getrandom, copy_file_range, statx, faccessat2
        316 => &[Dir, Text, Dir, Text, Value],
        318 => &[Room, RoomSize, Value],
        326 => &[Fd, Null, Fd, Null, Value, Value],
        332 => &[Dir, Text, Value, Value, Out(STATX)],
        439 => &[Dir, Text, Value, Value],
        _ => return None,
    })
}
