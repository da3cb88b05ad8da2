//! Open files.

use std::fs::File;
use std::io::IoSlice;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Mutex};

use carnet_portal::stub::{BytesOut, Caller, PortalIn};
use rustix::fs::{copy_file_range, fstat, fsync, ftruncate};
use rustix::io::{Errno, ReadWriteFlags, pread, pwrite, pwritev2, retry_on_intr};

use crate::confine::info_of_open;
use crate::fault;
use crate::files::{self, Error, FileService, Info, Reason};
use crate::instance::{Instance, Permit, lock};
use crate::{Access, STEP_BYTES};

/// Bytes that pass through memory at once where the system cannot copy by itself.
const COPY_BYTES: usize = 64 << 10;

/// A regular file that a portal stands on.
pub(crate) struct OpenFile {
    file: File,
    /// As the caller gave it, for messages.
    path: Box<[u8]>,
    pub(crate) access: Access,
    /// Where the last `next` ended.
    next: Mutex<u64>,
    instance: Arc<Instance>,
    /// After `file`: see [`Permit`].
    _permit: Permit,
}

impl OpenFile {
    pub(crate) fn new(
        file: File,
        path: &[u8],
        access: Access,
        instance: Arc<Instance>,
        permit: Permit,
    ) -> OpenFile {
        OpenFile { file, path: path.into(), access, next: Mutex::new(0), instance, _permit: permit }
    }

    /// Where the next `next` begins.
    pub(crate) fn next_at(&self) -> u64 {
        *lock(&self.next)
    }

    /// It begins there.
    pub(crate) fn go_to(&self, next: u64) {
        *lock(&self.next) = next;
    }

    /// The open file.
    pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    fn writable(&self) -> Result<(), Error> {
        match self.access {
            Access::ReadWrite => Ok(()),
            Access::ReadOnly => {
                let text = "cannot be written: it was opened for reading only";
                Err(fault::error(Reason::ReadOnly, &self.path, text))
            }
        }
    }

    fn errno(&self, errno: Errno) -> Error {
        fault::errno(&self.path, errno)
    }

    /// A range of at most 1 MiB from `pos`.
    fn range(&self, pos: i64, n: i64) -> Result<(u64, usize), Error> {
        let pos = not_negative(&self.path, "position", pos)?;
        let n = length(&self.path, n)?;
        if pos.saturating_add(n as u64) > i64::MAX as u64 {
            // There is nothing to read so far out; what is written there is refused.
            return Ok((pos, (i64::MAX as u64 - pos) as usize));
        }
        Ok((pos, n))
    }

    /// Runs `write` until all of `data` is written, behind a hole of so many bytes; counts what was, and gives the rest of
    /// the quota back. An error after the first bytes is left for the next call to meet.
    fn write_all(
        &self,
        hole: u64,
        data: &[u8],
        mut write: impl FnMut(&[u8], usize) -> Result<usize, Errno>,
    ) -> Result<i64, Error> {
        let taken = hole + data.len() as u64;
        self.instance.quota.take(taken, &self.path)?;
        let mut done = 0;
        let mut outcome = Ok(());
        while done < data.len() {
            match retry_on_intr(|| write(&data[done..], done)) {
                Ok(0) => break,
                Ok(n) => done += n,
                Err(errno) => {
                    outcome = Err(errno);
                    break;
                }
            }
        }
        self.instance.quota.refund(taken - used(hole, done));
        match outcome {
            Err(errno) if done == 0 => Err(self.errno(errno)),
            _ => Ok(done as i64),
        }
    }

    fn same_file(&self, other: &OpenFile) -> Result<bool, Error> {
        let own = fstat(&self.file).map_err(|errno| self.errno(errno))?;
        let other = fstat(&other.file).map_err(|errno| other.errno(errno))?;
        Ok((own.st_dev, own.st_ino) == (other.st_dev, other.st_ino))
    }

    /// By how many bytes the file grows, without one being written, if it reaches to `end`. Only a quota asks for it. If
    /// another shortens the file meanwhile, it grows again for nothing, but is never longer than it was.
    fn hole_before(&self, end: u64) -> Result<u64, Error> {
        if !self.instance.quota.is_bounded() {
            return Ok(0);
        }
        Ok(end.saturating_sub(self.length_of()?))
    }

    fn length_of(&self) -> Result<u64, Error> {
        let stat = fstat(&self.file).map_err(|errno| self.errno(errno))?;
        Ok(u64::try_from(stat.st_size).unwrap_or(0))
    }
}

impl FileService for OpenFile {
    fn read(&self, _: &Caller, pos: i64, n: i64, result: &mut BytesOut<'_>) -> Result<(), Error> {
        let (pos, n) = self.range(pos, n)?;
        read_into(&self.file, pos, n, result).map_err(|errno| self.errno(errno))
    }

    fn write(&self, _: &Caller, pos: i64, data: &[u8]) -> Result<i64, Error> {
        self.writable()?;
        let (pos, n) = self.range(pos, data.len() as i64)?;
        if n < data.len() {
            return Err(self.errno(Errno::FBIG));
        }
        if data.is_empty() {
            return Ok(0);
        }
        self.write_all(self.hole_before(pos)?, data, |rest, done| pwrite(&self.file, rest, pos + done as u64))
    }

    fn next(&self, _: &Caller, n: i64, result: &mut BytesOut<'_>) -> Result<(), Error> {
        let mut next = lock(&self.next);
        let (pos, n) = self.range(next.cast_signed(), n)?;
        read_into(&self.file, pos, n, result).map_err(|errno| self.errno(errno))?;
        *next = pos + result.len() as u64;
        Ok(())
    }

    fn append(&self, _: &Caller, data: &[u8]) -> Result<i64, Error> {
        self.writable()?;
        self.write_all(0, data, |rest, _| append_to(&self.file, rest))
    }

    fn copy_from(
        &self,
        _: &Caller,
        source: PortalIn<'_, files::File>,
        pos: i64,
        n: i64,
    ) -> Result<i64, Error> {
        self.writable()?;
        let (pos, n) = self.range(pos, n)?;
        let Some(source) = source.local::<OpenFile>() else {
            let text = "cannot be copied into from a file of another service";
            return Err(fault::error(Reason::BadArgument, &self.path, text));
        };
        let left = source.length_of()?.saturating_sub(pos);
        let n = usize::try_from(left).unwrap_or(usize::MAX).min(n);
        if n == 0 || self.same_file(source)? {
            // A file is already a copy of itself at the same place.
            return Ok(n as i64);
        }
        let hole = self.hole_before(pos)?;
        let taken = self.instance.quota.take_up_to(hole + n as u64, hole + 1, &self.path)?;
        let outcome = copy(source, self, pos, (taken - hole) as usize);
        self.instance.quota.refund(taken - used(hole, outcome.as_ref().copied().unwrap_or(0)));
        outcome.map(|done| done as i64)
    }

    fn size(&self, _: &Caller) -> Result<i64, Error> {
        self.length_of().map(u64::cast_signed)
    }

    fn truncate(&self, _: &Caller, size: i64) -> Result<(), Error> {
        self.writable()?;
        let size = not_negative(&self.path, "size", size)?;
        let hole = self.hole_before(size)?;
        self.instance.quota.take(hole, &self.path)?;
        retry_on_intr(|| ftruncate(&self.file, size)).map_err(|errno| {
            self.instance.quota.refund(hole);
            match errno {
                // Said by some file systems of what is beyond their largest file.
                Errno::INVAL => self.errno(Errno::FBIG),
                errno => self.errno(errno),
            }
        })
    }

    fn sync(&self, _: &Caller) -> Result<(), Error> {
        self.writable()?;
        retry_on_intr(|| fsync(&self.file)).map_err(|errno| self.errno(errno))
    }

    fn stat(&self, _: &Caller) -> Result<Info, Error> {
        info_of_open(&self.file, &self.path)
    }
}

/// What counts against the quota when so many bytes were written behind a hole.
fn used(hole: u64, written: usize) -> u64 {
    if written == 0 { 0 } else { hole + written as u64 }
}

/// A length as a caller gives it, as far as one call goes.
///
/// # Errors
/// `bad_argument` if it is negative.
pub(crate) fn length(path: &[u8], n: i64) -> Result<usize, Error> {
    let n = not_negative(path, "length", n)?;
    Ok(usize::try_from(n).unwrap_or(usize::MAX).min(STEP_BYTES))
}

fn not_negative(path: &[u8], what: &str, value: i64) -> Result<u64, Error> {
    u64::try_from(value).map_err(|_| {
        let text = format!("has no {what} {value}: it must not be negative");
        fault::error(Reason::BadArgument, path, text)
    })
}

/// Reads `n` bytes, fewer only at the end of the file, straight into the result.
fn read_into(file: &File, mut pos: u64, n: usize, result: &mut BytesOut<'_>) -> Result<(), Errno> {
    let end = result.len() + n.min(result.room());
    while result.len() < end {
        let read = read_once(file, pos, end - result.len(), result)?;
        if read == 0 {
            break;
        }
        pos += read as u64;
    }
    result.truncate(end);
    Ok(())
}

/// One read of up to `n` bytes, at least 1.
fn read_once(file: &File, pos: u64, n: usize, result: &mut BytesOut<'_>) -> Result<usize, Errno> {
    let before = result.len();
    let filled = result.fill(n, |bytes, n| {
        // All spare room is read into; much more than was asked for would be work that nobody pays for.
        let spare = bytes.capacity() - bytes.len();
        if spare > n + n / 4 {
            return None;
        }
        Some(retry_on_intr(|| pread(file, rustix::buffer::spare_capacity(bytes), pos)))
    });
    match filled {
        Some(outcome) => outcome?,
        None => {
            let read = retry_on_intr(|| pread(file, result.space(n), pos));
            result.truncate(before + read.unwrap_or(0));
            read?
        }
    };
    Ok(result.len() - before)
}

/// Appends in one step, so that two who append do not overwrite each other.
fn append_to(file: &File, data: &[u8]) -> Result<usize, Errno> {
    match pwritev2(file, &[IoSlice::new(data)], 0, ReadWriteFlags::APPEND) {
        // Systems before Linux 4.16 cannot; then two who append through different portals may meet.
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => {
            let end = u64::try_from(fstat(file)?.st_size).unwrap_or(0);
            pwrite(file, data, end)
        }
        outcome => outcome,
    }
}

/// Copies `n` bytes from and to `pos`, by the system as long as it can, then through memory. An error after the
/// first bytes is left for the next call to meet.
fn copy(source: &OpenFile, target: &OpenFile, pos: u64, n: usize) -> Result<usize, Error> {
    let mut done = 0;
    let mut by_system = true;
    while done < n {
        let at = pos + done as u64;
        let step = if by_system {
            copy_by_system(&source.file, &target.file, at, n - done).map_err(|errno| target.errno(errno))
        } else {
            copy_by_memory(source, target, at, n - done).map(Some)
        };
        match step {
            Ok(Some(0)) if !by_system => break,
            // Some file systems of the kernel answer 0 where there is something to read.
            Ok(None | Some(0)) => by_system = false,
            Ok(Some(copied)) => done += copied,
            Err(_) if done > 0 => break,
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// `None` if the system cannot copy between these files.
fn copy_by_system(source: &File, target: &File, pos: u64, n: usize) -> Result<Option<usize>, Errno> {
    let (mut from, mut to) = (pos, pos);
    let copied =
        retry_on_intr(|| copy_file_range(source.as_fd(), Some(&mut from), target.as_fd(), Some(&mut to), n));
    match copied {
        Ok(copied) => Ok(Some(copied)),
        Err(Errno::XDEV | Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::PERM) => Ok(None),
        Err(errno) => Err(errno),
    }
}

fn copy_by_memory(source: &OpenFile, target: &OpenFile, pos: u64, n: usize) -> Result<usize, Error> {
    let mut buffer = vec![0; n.min(COPY_BYTES)];
    let read = retry_on_intr(|| pread(&source.file, &mut buffer[..], pos)).map_err(|e| source.errno(e))?;
    let mut written = 0;
    while written < read {
        let rest = &buffer[written..read];
        match retry_on_intr(|| pwrite(&target.file, rest, pos + written as u64)) {
            Ok(0) => break,
            Ok(n) => written += n,
            Err(_) if written > 0 => break,
            Err(errno) => return Err(target.errno(errno)),
        }
    }
    Ok(written)
}
