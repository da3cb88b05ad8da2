//! The paper's interface, and what a user writes on the server's side. Its functions do next to nothing, and are not counted.

use std::hint::black_box;

use carnet_portal::call::{Caller, Failure};
use carnet_portal::stub::BytesOut;

#[allow(dead_code, missing_docs, unreachable_pub, reason = "generated, and not all of it is called")]
pub(crate) mod pfs {
    include!(concat!(env!("OUT_DIR"), "/pfs.rs"));
}

pub(crate) const WRITE_BYTES: usize = 4096;
pub(crate) const DIRECTORY_BYTES: usize = 1024;

/// What it lists.
pub(crate) fn directory() -> [u8; DIRECTORY_BYTES] {
    std::array::from_fn(|at| at as u8)
}

/// The service.
pub(crate) struct User {
    directory: [u8; DIRECTORY_BYTES],
    /// The session that it refuses; none has this number.
    refused: u64,
}

impl User {
    pub(crate) fn new() -> User {
        User { directory: directory(), refused: black_box(u64::MAX) }
    }

    /// It may fail, and looks at who calls: no compiler can leave that out of a stub.
    #[inline(always)]
    fn answer<T>(&self, caller: &Caller, result: T) -> Result<T, Failure> {
        if black_box(caller).session == black_box(self).refused {
            return Err(Failure::bad_argument("refused"));
        }
        Ok(result)
    }
}

impl pfs::FSService for User {
    #[inline(never)]
    fn open(
        &self,
        caller: &Caller,
        client: i64,
        fobj: i64,
        flags: i64,
        mode: i64,
    ) -> Result<(i64, i64), Failure> {
        self.answer(caller, (flags + 1, client + fobj + mode))
    }

    #[inline(never)]
    fn write(
        &self,
        caller: &Caller,
        handle: i64,
        pos: &mut i64,
        len: i64,
        data: &[u8],
    ) -> Result<i64, Failure> {
        *pos += data.len() as i64;
        self.answer(caller, handle + len + i64::from(data[0]) + i64::from(data[data.len() - 1]) + 1)
    }

    #[inline(never)]
    fn get_direntries(
        &self,
        caller: &Caller,
        handle: i64,
        pos: &mut i64,
        count: i64,
        data: &mut BytesOut<'_>,
    ) -> Result<i64, Failure> {
        *pos += count;
        data.extend(&self.directory);
        self.answer(caller, handle + 1)
    }
}
