//! Drives the stubs of a client that calls a portal: of an object of this process, or through a server.

use std::hint::black_box;
use std::time::{Duration, Instant};

use carnet_portal::call::Failure;

use crate::service::{DIRECTORY_BYTES, WRITE_BYTES, directory, written};
use crate::{Int, pfs};

#[inline(never)]
fn stub_open(
    fs: &pfs::FS,
    client: Int,
    fobj: Int,
    flags: Int,
    mode: Int,
    handle: &mut Int,
) -> Result<Int, Failure> {
    let (result, opened) = fs.open(client, fobj, flags, mode)?;
    *handle = opened;
    Ok(result)
}

#[inline(never)]
fn stub_write(fs: &pfs::FS, handle: Int, pos: &mut Int, len: Int, data: &[u8]) -> Result<Int, Failure> {
    fs.write(handle, pos, len, data)
}

#[inline(never)]
fn stub_get_direntries(
    fs: &pfs::FS,
    handle: Int,
    pos: &mut Int,
    count: Int,
    data: &mut Vec<u8>,
) -> Result<Int, Failure> {
    fs.get_direntries_into(handle, pos, count, data)
}

/// Makes so many calls of an operation, and checks all results; how long it took. In line: what is in `main` is not counted.
#[inline(always)]
pub(crate) fn drive(fs: &pfs::FS, operation: &str, calls: Int) -> Duration {
    let directory = directory();
    let data = written().to_vec();
    let mut found = Vec::new();
    let start = Instant::now();
    for i in 0..calls {
        match operation {
            "open" => {
                let mut handle = 0;
                assert_eq!(
                    stub_open(black_box(fs), i, black_box(2), black_box(3), black_box(4), &mut handle)
                        .unwrap(),
                    4
                );
                assert_eq!(handle, i + 6);
            }
            "write" => {
                let mut pos = i;
                assert_eq!(
                    stub_write(black_box(fs), i, &mut pos, black_box(7), black_box(&data)).unwrap(),
                    i + 7 + 1 + 2 + 1
                );
                assert_eq!(pos, i + WRITE_BYTES as Int);
            }
            _ => {
                let mut pos = i;
                let result =
                    stub_get_direntries(black_box(fs), i, &mut pos, black_box(5), &mut found).unwrap();
                assert_eq!((result, pos, found.len()), (i + 1, i + 5, DIRECTORY_BYTES));
                assert_eq!(found[..16], directory[..16]);
            }
        }
    }
    start.elapsed()
}
