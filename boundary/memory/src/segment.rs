//! Memory files whose size cannot change while they are mapped.
//!
//! A process that touches a mapped page beyond the end of its file is killed by SIGBUS. So a segment is either made
//! here, and sealed before anybody else sees it, or accepted only if its seals say that it cannot shrink; seals can
//! be added to a memory file, never taken away. What is mapped is therefore there until it is unmapped.

use std::fmt;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{
    MemfdFlags, SealFlags, SeekFrom, Stat, fcntl_add_seals, fcntl_get_seals, fstat, fstatfs, ftruncate,
    memfd_create, seek,
};
use rustix::io::Errno;

/// What `fstatfs` says of memory files with pages of the usual size (linux/magic.h).
const TMPFS_MAGIC: u64 = 0x0102_1994;

/// What must be impossible to do to a segment that a peer sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sealed {
    /// Shrinking and growing: memory that both sides write, like queues.
    Size,
    /// Shrinking, growing and writing: data that is handed over.
    Content,
}

impl Sealed {
    fn seals(self) -> SealFlags {
        match self {
            Sealed::Size => SealFlags::SHRINK | SealFlags::GROW,
            Sealed::Content => SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE,
        }
    }
}

/// Why a descriptor is no segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is no memory file, or one that can still be changed.
    NotSealed(Sealed),
    /// It has huge pages, which the system may not have when they are first touched.
    HugePages,
    /// It has this many bytes, and another number was expected.
    Length(u64),
    /// It is to be content, and part of it was never written: whoever reads that would have to give memory for it.
    Holes,
    /// The system's answer.
    System(Errno),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::NotSealed(Sealed::Size) => f.write_str("memory whose size could still change"),
            Refused::NotSealed(Sealed::Content) => f.write_str("memory that could still be written"),
            Refused::HugePages => f.write_str("memory in huge pages"),
            Refused::Holes => f.write_str("memory of which a part was never written"),
            Refused::Length(found) => write!(f, "memory of {found} bytes, where another length was agreed"),
            Refused::System(errno) => errno.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

/// A memory file of fixed size, at least one byte.
#[derive(Debug)]
pub struct Segment {
    file: OwnedFd,
    len: usize,
    sealed: Sealed,
}

impl Segment {
    /// A new one of `len` zero bytes that two processes may write, and nobody resize. Pages are taken when they are
    /// first written.
    ///
    /// # Errors
    /// The system's; [`Errno::INVAL`] for no bytes at all.
    pub fn create(len: usize) -> Result<Segment, Errno> {
        let segment = Segment::create_draft(len)?;
        fcntl_add_seals(&segment, SealFlags::SEAL)?;
        Ok(segment)
    }

    /// As [`Segment::create`], and its content can be sealed later.
    pub(crate) fn create_draft(len: usize) -> Result<Segment, Errno> {
        let file = new_file(len)?;
        fcntl_add_seals(&file, Sealed::Size.seals())?;
        Ok(Segment { file, len, sealed: Sealed::Size })
    }

    /// The same, whose content nobody can change any more. Nobody must have it mapped for writing.
    pub(crate) fn seal(self) -> Result<Segment, Errno> {
        fcntl_add_seals(&self.file, Sealed::Content.seals() | SealFlags::SEAL)?;
        Ok(Segment { sealed: Sealed::Content, ..self })
    }

    /// A new one with this content, which nobody can change any more.
    ///
    /// # Errors
    /// As [`Segment::create`].
    pub fn of(content: &[u8]) -> Result<Segment, Errno> {
        let Segment { file, len, sealed } = Segment::create_draft(content.len())?;
        let file = File::from(file);
        std::os::unix::fs::FileExt::write_all_at(&file, content, 0)
            .map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        Segment { file: file.into(), len, sealed }.seal()
    }

    /// Takes what a peer sent, if it is sealed like that and has exactly `len` bytes.
    ///
    /// # Errors
    /// [`Refused`]; the descriptor is closed then.
    pub fn accept(file: OwnedFd, sealed: Sealed, len: usize) -> Result<Segment, Refused> {
        let accepted = Segment::offered(file, sealed, len).and_then(Offered::accept);
        accepted.map_err(|(refused, _)| refused)
    }

    /// The same in two steps: what is found at once, and what is looked for in all of the file.
    ///
    /// # Errors
    /// [`Refused`], and the descriptor: to close it takes long if it is the last of much memory ([`bytes_behind`]).
    pub fn offered(file: OwnedFd, sealed: Sealed, len: usize) -> Result<Offered, (Refused, OwnedFd)> {
        match Segment::look_at(&file, sealed, len) {
            Ok(bytes) => Ok(Offered { segment: Segment { file, len, sealed }, bytes }),
            Err(refused) => Err((refused, file)),
        }
    }

    /// How much memory a file takes that is sealed and as long as it should be.
    fn look_at(file: &OwnedFd, sealed: Sealed, len: usize) -> Result<u64, Refused> {
        // What is no memory file has no seals to ask for.
        let seals = fcntl_get_seals(file).map_err(|_| Refused::NotSealed(sealed))?;
        if !seals.contains(sealed.seals()) {
            return Err(Refused::NotSealed(sealed));
        }
        // Asked after the seals: from then on it cannot change.
        let stat = fstat(file).map_err(Refused::System)?;
        let found = u64::try_from(stat.st_size).unwrap_or(0);
        if found == 0 || usize::try_from(found) != Ok(len) {
            return Err(Refused::Length(found));
        }
        if fstatfs(file).map_err(Refused::System)?.f_type as u64 != TMPFS_MAGIC {
            return Err(Refused::HugePages);
        }
        Ok(bytes_of(&stat))
    }

    /// What cannot be done to it.
    pub(crate) fn sealed(&self) -> Sealed {
        self.sealed
    }

    /// Its bytes.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "no segment is empty")]
    pub fn len(&self) -> usize {
        self.len
    }
}

/// A file that is sealed and as long as it should be, and may have holes.
#[derive(Debug)]
pub struct Offered {
    segment: Segment,
    bytes: u64,
}

impl Offered {
    /// How much memory is freed with it: no less than it has bytes, and more if pages were given to it behind its end. Since it
    /// is sealed it gets no more.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes it if it has none: one system call goes over all of its pages.
    ///
    /// # Errors
    /// [`Refused`], and the descriptor.
    pub fn accept(self) -> Result<Segment, (Refused, OwnedFd)> {
        let Offered { segment, .. } = self;
        if segment.sealed != Sealed::Content {
            return Ok(segment);
        }
        // What has none can get none: that would be writing.
        match seek(&segment.file, SeekFrom::Hole(0)) {
            Ok(hole) if hole == segment.len as u64 => Ok(segment),
            Ok(_) => Err((Refused::Holes, segment.file)),
            Err(errno) => Err((Refused::System(errno), segment.file)),
        }
    }
}

/// How much memory may be freed when this descriptor is closed and is the last of its file: what the file has bytes, or what it has
/// pages if that is more.
#[must_use]
pub fn bytes_behind(file: impl AsFd) -> u64 {
    fstat(file).map_or(u64::MAX, |stat| bytes_of(&stat))
}

fn bytes_of(stat: &Stat) -> u64 {
    let pages = u64::try_from(stat.st_blocks).unwrap_or(0).saturating_mul(512);
    pages.max(u64::try_from(stat.st_size).unwrap_or(0))
}

impl Segment {
    /// Its file, for whoever does not map it.
    #[must_use]
    pub fn into_file(self) -> OwnedFd {
        self.file
    }
}

impl AsFd for Segment {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

fn new_file(len: usize) -> Result<OwnedFd, Errno> {
    if len == 0 {
        return Err(Errno::INVAL);
    }
    let file = memfd_create("carnet", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    ftruncate(&file, len as u64)?;
    Ok(file)
}
