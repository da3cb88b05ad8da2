//! What neither Landlock nor seccomp can be told, and is looked at here before a call is made.
//!
//! * A path that is not below one of the directories is refused with EACCES, whether there is something or not. Landlock refuses what is
//!   opened, made and removed through links and `..`, but some calls fail before it is asked, so that of those that failed the path is looked
//!   at again; calls that only ask of a path (stat, access, readlink, statfs) it does not restrict, and these are made on a descriptor that
//!   was found below the directory, without leaving it (openat2(2), RESOLVE_BENEATH).
//! * Files are opened to be read, written, or both. The fourth access mode of open(2) opens for neither, which Landlock grants anywhere, and
//!   whoever cuts a file to nothing without opening it for writing is asked for nothing by the first versions of Landlock.
//! * Modes and times are changed of files that are open for writing alone: those are below a directory that may be changed.
//! * Ports of UDP are those of TCP, and addresses are of IPv4 and IPv6 only. Sockets are TCP's and UDP's. A socket that is bound to a port
//!   that is allowed may answer whoever sent to it, at whatever port: of those the last are remembered.
//! * Options of sockets are those that concern the socket alone.

use std::collections::VecDeque;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use carnet_sandbox::Network;
use carnet_syscalls::{ARGUMENTS_MAX, AT_FDCWD, Arg, Descriptors, Dir, Links};
use rustix::io::Errno;

use crate::plan::{Plan, Source};

const AT_SYMLINK_NOFOLLOW: i64 = 0x100;
const AT_EMPTY_PATH: i64 = 0x1000;
const O_ACCMODE: i64 = 3;
const O_RDONLY: i64 = 0;
const O_WRONLY: i64 = 1;
const O_RDWR: i64 = 2;
const O_EXCL: i64 = 0x80;
const O_TRUNC: i64 = 0x200;
const O_NOFOLLOW: i64 = 0x2_0000;
/// Bytes of the largest address (`struct sockaddr_storage`).
pub(crate) const ADDRESS_BYTES: usize = 128;
/// No path: the descriptor itself is meant.
const EMPTY: &[u8] = &[0];

/// The rules of a session.
pub(crate) struct Guard {
    /// Where directories are, and descriptors of them that are nobody else's.
    pub(crate) roots: Vec<(PathBuf, OwnedFd)>,
    pub(crate) network: Network,
    /// From where datagrams came last to ports that are bound, by rules.
    pub(crate) heard: Mutex<VecDeque<Vec<u8>>>,
}

/// How many senders of datagrams may be answered.
const HEARD_MAX: usize = 256;

/// Numbers of system calls that are looked at here.
mod number {
    pub(super) const OPEN: u16 = 2;
    pub(super) const STAT: u16 = 4;
    pub(super) const LSTAT: u16 = 6;
    pub(super) const SOCKET: u16 = 41;
    pub(super) const CONNECT: u16 = 42;
    pub(super) const SENDTO: u16 = 44;
    pub(super) const RECVFROM: u16 = 45;
    pub(super) const BIND: u16 = 49;
    pub(super) const LISTEN: u16 = 50;
    pub(super) const GETSOCKNAME: u16 = 51;
    pub(super) const SETSOCKOPT: u16 = 54;
    pub(super) const GETSOCKOPT: u16 = 55;
    pub(super) const CREAT: u16 = 85;
    pub(super) const SYMLINK: u16 = 88;
    pub(super) const READLINK: u16 = 89;
    pub(super) const FCHMOD: u16 = 91;
    pub(super) const STATFS: u16 = 137;
    pub(super) const FSTATFS: u16 = 138;
    pub(super) const OPENAT: u16 = 257;
    pub(super) const NEWFSTATAT: u16 = 262;
    pub(super) const SYMLINKAT: u16 = 266;
    pub(super) const READLINKAT: u16 = 267;
    pub(super) const UTIMENSAT: u16 = 280;
    pub(super) const STATX: u16 = 332;
    pub(super) const FACCESSAT2: u16 = 439;
}

/// Options of sockets: level and option.
const READ_AND_SET: &[(i64, i64)] = &[
    // SO_REUSEADDR, SO_SNDBUF, SO_RCVBUF, SO_KEEPALIVE, SO_REUSEPORT
    (1, 2),
    (1, 7),
    (1, 8),
    (1, 9),
    (1, 15),
    // TCP_NODELAY, TCP_CORK, TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT, TCP_QUICKACK, TCP_USER_TIMEOUT
    (6, 1),
    (6, 3),
    (6, 4),
    (6, 5),
    (6, 6),
    (6, 12),
    (6, 18),
    // IPV6_V6ONLY
    (41, 26),
];
/// SO_TYPE, SO_ERROR, SO_ACCEPTCONN, SO_PROTOCOL, SO_DOMAIN.
const READ: &[(i64, i64)] = &[(1, 3), (1, 4), (1, 30), (1, 38), (1, 39)];

impl Guard {
    /// Refuses what the session may not do. Texts and addresses are in `pieces` as the kernel gets them.
    pub(crate) fn look(
        &self,
        descriptors: Descriptors,
        plan: &Plan,
        words: &[u64],
        pieces: &[Vec<u8>; ARGUMENTS_MAX],
    ) -> Result<(), Errno> {
        let mut texts = plan.sources.iter().zip(pieces).filter(|(s, _)| matches!(s, Source::Text { .. }));
        if matches!(plan.number, number::SYMLINK | number::SYMLINKAT) {
            // What the link says leads nowhere by itself.
            texts.next();
        }
        for (_, path) in texts {
            self.is_below(path)?;
        }
        let word = |at: usize| words.get(at).map_or(0, |word| word.cast_signed());
        match plan.number {
            number::OPEN => opens(word(1)),
            number::OPENAT => opens(word(2)),
            number::FCHMOD | number::UTIMENSAT if !descriptors.is_writable(word(0))? => Err(Errno::ACCESS),
            number::SOCKET => self.socket(word(0), word(1), word(2)),
            number::SENDTO if self.answers(descriptors, word(0), pieces) => Ok(()),
            number::CONNECT | number::SENDTO => self.ports(plan, words, &self.network.connect),
            number::BIND => self.ports(plan, words, &self.network.bind),
            number::LISTEN => self.bound(descriptors, word(0)),
            number::SETSOCKOPT | number::GETSOCKOPT => {
                let option = (word(1), word(2));
                let is_read = plan.number == number::GETSOCKOPT && READ.contains(&option);
                let is_known = is_read || READ_AND_SET.contains(&option);
                if is_known { Ok(()) } else { Err(Errno::NOPROTOOPT) }
            }
            _ => Ok(()),
        }
    }

    /// The directory that an absolute path is below, and the rest of the path with its NUL.
    fn is_below<'p>(&self, path: &'p [u8]) -> Result<Option<(&OwnedFd, &'p [u8])>, Errno> {
        if path.first() != Some(&b'/') {
            return Ok(None);
        }
        let best = self.roots.iter().filter_map(|(root, fd)| Some((fd, rest(root, path)?)));
        best.min_by_key(|(_, rest)| rest.len()).map(Some).ok_or(Errno::ACCESS)
    }

    fn socket(&self, family: i64, kind: i64, protocol: i64) -> Result<(), Errno> {
        if self.network == Network::default() {
            return Err(Errno::ACCESS);
        }
        match (family, kind & 3, protocol) {
            (2 | 10, 1, 0 | 6) | (2 | 10, 2, 0 | 17) => Ok(()),
            (2 | 10, 1 | 2, _) => Err(Errno::PROTONOSUPPORT),
            (2 | 10, ..) => Err(Errno::SOCKTNOSUPPORT),
            _ => Err(Errno::AFNOSUPPORT),
        }
    }

    fn ports(&self, plan: &Plan, words: &[u64], allowed: &[u16]) -> Result<(), Errno> {
        for source in &plan.sources {
            if let Source::Address { word } = source {
                let port = words.get(word + 1).copied().unwrap_or(0);
                if !allowed.iter().any(|allowed| u64::from(*allowed) == port) {
                    return Err(Errno::ACCESS);
                }
            }
        }
        Ok(())
    }

    /// Whether this socket sends to who has sent to a port that may be bound.
    fn answers(&self, descriptors: Descriptors, fd: i64, pieces: &[Vec<u8>; ARGUMENTS_MAX]) -> bool {
        // sendto(socket, bytes, size, flags, address, its size)
        let to = &pieces[4];
        !to.is_empty() && self.heard().iter().any(|heard| heard == to) && self.bound(descriptors, fd).is_ok()
    }

    /// Remembers where a datagram came from, if its socket is bound to a port that may be.
    fn hear(&self, descriptors: Descriptors, args: &[Arg<'_>]) {
        let [Arg::Number(fd), .., Arg::Changed(from), _] = args else { return };
        let length = match from.first_chunk().map(|family| u16::from_ne_bytes(*family)) {
            Some(2) => 16,
            Some(10) => 28,
            _ => return,
        };
        let Some(from) = from.get(..length).map(<[u8]>::to_vec) else { return };
        if self.bound(descriptors, *fd).is_err() {
            return;
        }
        let mut heard = self.heard();
        heard.retain(|known| *known != from);
        if heard.len() >= HEARD_MAX {
            heard.pop_front();
        }
        heard.push_back(from);
    }

    fn heard(&self) -> MutexGuard<'_, VecDeque<Vec<u8>>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A socket that is bound to no port would be bound to any that is free: it may listen only if any may.
    fn bound(&self, descriptors: Descriptors, fd: i64) -> Result<(), Errno> {
        let any_port = self.network.bind.contains(&0);
        let mut address = [0; ADDRESS_BYTES];
        let size = Arg::Number(i64::try_from(ADDRESS_BYTES).unwrap_or(0));
        descriptors.call(number::GETSOCKNAME, &mut [Arg::Number(fd), Arg::Changed(&mut address), size])?;
        let port = u16::from_be_bytes([address[2], address[3]]);
        if any_port || self.network.bind.contains(&port) { Ok(()) } else { Err(Errno::ACCESS) }
    }

    /// Makes the call; one that asks of a path is made on what was found there.
    pub(crate) fn call(
        &self,
        descriptors: Descriptors,
        plan: &Plan,
        args: &mut Vec<Arg<'_>>,
    ) -> Result<i64, Errno> {
        let Some((at, links)) = asks(plan.number, args) else {
            let called = descriptors.call(plan.number, args);
            if plan.number == number::RECVFROM && called.is_ok() {
                self.hear(descriptors, args);
            }
            return called.map_err(|errno| self.told(descriptors, plan, args, errno));
        };
        let Some(Arg::Bytes(path)) = args.get(at) else { return Err(Errno::FAULT) };
        if at == 1 && *path == EMPTY {
            return descriptors.call(plan.number, args);
        }
        let dir = match args.first() {
            Some(Arg::Number(dir)) => *dir,
            _ => AT_FDCWD,
        };
        let found = self.find(descriptors, dir, path, links)?;
        let fd = Arg::Number(i64::from(found.as_raw_fd()));
        let number = match plan.number {
            number::STAT | number::LSTAT => {
                args.splice(..1, [fd, Arg::Bytes(EMPTY)]);
                args.push(Arg::Number(AT_EMPTY_PATH));
                number::NEWFSTATAT
            }
            number::READLINK => {
                args.splice(..1, [fd, Arg::Bytes(EMPTY)]);
                number::READLINKAT
            }
            number::STATFS => {
                args[0] = fd;
                number::FSTATFS
            }
            number => {
                (args[0], args[1]) = (fd, Arg::Bytes(EMPTY));
                let flags = if number == number::STATX { 2 } else { 3 };
                if let (true, Some(Arg::Number(flags))) = (number != number::READLINKAT, args.get_mut(flags))
                {
                    *flags |= AT_EMPTY_PATH;
                }
                number
            }
        };
        // Of a descriptor that is no link, the kernel has another answer than of a path that leads to none.
        let is_link = matches!(number, number::READLINKAT);
        descriptors.call(number, args).map_err(|errno| match errno {
            Errno::NOENT if is_link => Errno::INVAL,
            errno => errno,
        })
    }

    /// What is told of a failure. Whether there is something outside, and what, is not: of a path that leads there EACCES alone.
    #[cold]
    fn told(&self, descriptors: Descriptors, plan: &Plan, args: &[Arg<'_>], errno: Errno) -> Errno {
        let paths = plan.sources.iter().zip(args).enumerate();
        let paths = paths.filter(|(_, (source, _))| matches!(source, Source::Text { .. }));
        // What a symbolic link says is no path that anybody follows.
        let skipped = usize::from(matches!(plan.number, number::SYMLINK | number::SYMLINKAT));
        for (at, (_, path)) in paths.skip(skipped) {
            let Arg::Bytes(path) = path else { continue };
            let dir = match at.checked_sub(1).and_then(|before| args.get(before)) {
                Some(Arg::Number(dir)) => *dir,
                _ => AT_FDCWD,
            };
            let found = self.find(descriptors, dir, path, follows(plan.number, args));
            // Without a descriptor for it there is no telling.
            if let Err(why @ (Errno::ACCESS | Errno::MFILE | Errno::NFILE)) = found {
                return why;
            }
        }
        errno
    }

    fn find(&self, descriptors: Descriptors, dir: i64, path: &[u8], links: Links) -> Result<OwnedFd, Errno> {
        let first = self.roots.first().ok_or(Errno::ACCESS)?;
        let found = match (self.is_below(path)?, dir) {
            (Some((root, rest)), _) => descriptors.find_beneath(Dir::Of(root.as_fd()), rest, links),
            (None, AT_FDCWD) => descriptors.find_beneath(Dir::Of(first.1.as_fd()), path, links),
            (None, dir) => descriptors.find_beneath(Dir::Own(dir), path, links),
        };
        found.map_err(|errno| if errno == Errno::XDEV { Errno::ACCESS } else { errno })
    }
}

/// What becomes of a link at the end of a path that a call opens, makes or removes something at.
fn follows(number: u16, args: &[Arg<'_>]) -> Links {
    let flags = match number {
        number::OPEN => args.get(1),
        number::OPENAT => args.get(2),
        number::CREAT => Some(&Arg::Number(0)),
        _ => None,
    };
    match flags {
        Some(Arg::Number(flags)) if flags & (O_NOFOLLOW | O_EXCL) == 0 => Links::Followed,
        _ => Links::Meant,
    }
}

/// Refuses flags of open(2) that open a file for nothing, or change what they do not open for writing.
fn opens(flags: i64) -> Result<(), Errno> {
    let access = flags & O_ACCMODE;
    let is_one = access == O_RDONLY || access == O_WRONLY || access == O_RDWR;
    if is_one && (access != O_RDONLY || flags & O_TRUNC == 0) { Ok(()) } else { Err(Errno::INVAL) }
}

/// Whether a call asks of a path: which argument that is, and what becomes of a link at its end.
fn asks(number: u16, args: &[Arg<'_>]) -> Option<(usize, Links)> {
    let flags = |at: usize| match args.get(at) {
        Some(Arg::Number(flags)) if flags & AT_SYMLINK_NOFOLLOW != 0 => Links::Meant,
        _ => Links::Followed,
    };
    match number {
        number::STAT | number::STATFS => Some((0, Links::Followed)),
        number::LSTAT | number::READLINK => Some((0, Links::Meant)),
        number::NEWFSTATAT | number::FACCESSAT2 => Some((1, flags(3))),
        number::STATX => Some((1, flags(2))),
        number::READLINKAT => Some((1, Links::Meant)),
        _ => None,
    }
}

/// What is left of `path`, which ends with a NUL, below `root`.
fn rest<'p>(root: &Path, path: &'p [u8]) -> Option<&'p [u8]> {
    let rest = path.strip_prefix(root.as_os_str().as_bytes())?;
    match rest {
        [0] => Some(b".\0"),
        [b'/', ..] => {
            let begins = rest.iter().position(|byte| *byte != b'/')?;
            Some(if rest[begins..] == *EMPTY { b".\0" } else { &rest[begins..] })
        }
        _ if root.as_os_str().as_bytes().ends_with(b"/") => Some(rest),
        _ => None,
    }
}
