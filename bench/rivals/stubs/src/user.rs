//! What a user writes on the server's side. It does next to nothing, and is not counted.

use std::hint::black_box;

use crate::harness::DIRECTORY_BYTES;

/// A file system.
pub struct Object {
    directory: Vec<u8>,
}

impl Object {
    pub fn new() -> Object {
        Object { directory: (0..DIRECTORY_BYTES).map(|i| i as u8).collect() }
    }
}

#[inline(never)]
pub fn pfs_open(_: &Object, client: i64, fobj: i64, flags: i64, mode: i64, handle: &mut i64) -> i64 {
    *handle = client + fobj + mode;
    black_box(flags + 1)
}

#[inline(never)]
pub fn pfs_write(_: &Object, handle: i64, len: i64, data: &[u8], pos: &mut i64) -> i64 {
    *pos += data.len() as i64;
    let ends = [data.first(), data.last()].map(|byte| byte.map_or(0, |byte| i64::from(*byte)));
    black_box(handle + len + ends[0] + ends[1] + 1)
}

#[inline(never)]
pub fn pfs_get_direntries<'a>(object: &'a Object, handle: i64, count: i64, pos: &mut i64) -> (i64, &'a [u8]) {
    *pos += count;
    (black_box(handle + 1), &object.directory)
}
