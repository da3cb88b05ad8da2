//! The paper's interface, and what a user writes on the server's side. Its functions do next to nothing, and are not counted.

use std::hint::black_box;

use carnet_portal::call::{Caller, Failure};
use carnet_portal::stub::BytesOut;

use crate::{Int, pfs};

pub(crate) const WRITE_BYTES: usize = 4096;
pub(crate) const DIRECTORY_BYTES: usize = 1024;

/// What it lists.
pub(crate) fn directory() -> [u8; DIRECTORY_BYTES] {
    std::array::from_fn(|at| at as u8)
}

/// What is written.
pub(crate) fn written() -> [u8; WRITE_BYTES] {
    let mut data = [0; WRITE_BYTES];
    data[0] = 1;
    data[WRITE_BYTES - 1] = 2;
    data
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
        client: Int,
        fobj: Int,
        flags: Int,
        mode: Int,
    ) -> Result<(Int, Int), Failure> {
        self.answer(caller, (flags + 1, client + fobj + mode))
    }

    #[inline(never)]
    fn write(
        &self,
        caller: &Caller,
        handle: Int,
        pos: &mut Int,
        len: Int,
        data: &[u8],
    ) -> Result<Int, Failure> {
        *pos += data.len() as Int;
        self.answer(caller, handle + len + Int::from(data[0]) + Int::from(data[data.len() - 1]) + 1)
    }

    #[inline(never)]
    fn get_direntries(
        &self,
        caller: &Caller,
        handle: Int,
        pos: &mut Int,
        count: Int,
        data: &mut BytesOut<'_>,
    ) -> Result<Int, Failure> {
        *pos += count;
        data.extend(&self.directory);
        self.answer(caller, handle + 1)
    }
}
