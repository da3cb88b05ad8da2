//! Hashing in steps.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Mutex;

use carnet_portal::stub::{BytesOut, Caller};
use rustix::io::{pread, retry_on_intr};
use sha2::{Digest, Sha256};

use crate::STEP_BYTES;
use crate::fault;
use crate::file::length;
use crate::files::{Error, HasherService};
use crate::instance::{Permit, lock};

/// Bytes that are read at once.
const BUFFER_BYTES: usize = 64 << 10;

/// A file and the hash of its beginning.
pub(crate) struct FileHasher {
    file: File,
    /// As the caller gave it, for messages.
    path: Box<[u8]>,
    taken: Mutex<Taken>,
    /// After `file`: see [`Permit`].
    _permit: Permit,
}

/// What was taken in.
struct Taken {
    hash: Sha256,
    bytes: u64,
}

impl FileHasher {
    pub(crate) fn new(file: File, path: &[u8], permit: Permit) -> FileHasher {
        let taken = Mutex::new(Taken { hash: Sha256::new(), bytes: 0 });
        FileHasher { file, path: path.into(), taken, _permit: permit }
    }
}

impl FileHasher {
    /// How much was taken in, and its hash.
    pub(crate) fn so_far(&self) -> (u64, [u8; 32]) {
        let taken = lock(&self.taken);
        (taken.bytes, taken.hash.clone().finalize().into())
    }

    /// Takes the beginning of the file in, which another has taken in before, in one go; whether it is as it was then.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn go_to(&self, (bytes, hash): (u64, [u8; 32])) -> Result<bool, Error> {
        while lock(&self.taken).bytes < bytes {
            let left = bytes - lock(&self.taken).bytes;
            if self.take_in(i64::try_from(left.min(STEP_BYTES as u64)).unwrap_or(0))? == 0 {
                return Ok(false);
            }
        }
        Ok(self.so_far() == (bytes, hash))
    }

    /// The open file.
    pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    fn take_in(&self, n: i64) -> Result<i64, Error> {
        let n = length(&self.path, n)?;
        let mut buffer = vec![0; n.min(BUFFER_BYTES)];
        let mut taken = lock(&self.taken);
        let mut done = 0;
        while done < n {
            let room = buffer.len().min(n - done);
            let read = match retry_on_intr(|| pread(&self.file, &mut buffer[..room], taken.bytes)) {
                Ok(0) => break,
                Ok(read) => read,
                // What was read before is taken in; the next step meets the error.
                Err(_) if done > 0 => break,
                Err(errno) => return Err(fault::errno(&self.path, errno)),
            };
            taken.hash.update(&buffer[..read]);
            taken.bytes += read as u64;
            done += read;
        }
        Ok(done as i64)
    }
}

impl HasherService for FileHasher {
    fn step(&self, _: &Caller, n: i64) -> Result<i64, Error> {
        self.take_in(n)
    }

    fn value(&self, _: &Caller, result: &mut BytesOut<'_>) -> Result<(), Error> {
        let hash = lock(&self.taken).hash.clone().finalize();
        // The bound of the result is the length of the hash.
        result.extend(&hash);
        Ok(())
    }
}
