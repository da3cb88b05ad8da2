//! As `main.rs` without a server, with integers of 32 bits: `carnet-bench-stubs-near-32 OPERATION N`.

mod service;

use std::hint::black_box;
use std::time::Instant;

use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;

use service::{DIRECTORY_BYTES, User, WRITE_BYTES, directory};

/// Integers of 32 bits.
type Int = i32;

#[allow(dead_code, missing_docs, unreachable_pub, reason = "generated, and not all of it is called")]
mod pfs {
    include!(concat!(env!("OUT_DIR"), "/narrow.rs"));
}

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

fn main() {
    let mut args = std::env::args().skip(1);
    let operation = args.next().unwrap_or_default();
    let calls: Int = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let directory = directory();
    let right = Capability::new(pfs::FS::serve(User::new()).into_object());
    let root = LocalSession::new(right, Caller::local()).root();
    let fs = black_box(pfs::FS::from_portal(root));
    let mut data = vec![0; WRITE_BYTES];
    data[0] = 1;
    data[WRITE_BYTES - 1] = 2;
    let mut found = Vec::new();
    let start = Instant::now();
    for i in 0..calls {
        match operation.as_str() {
            "open" => {
                let mut handle = 0;
                assert_eq!(
                    stub_open(black_box(&fs), i, black_box(2), black_box(3), black_box(4), &mut handle)
                        .unwrap(),
                    4
                );
                assert_eq!(handle, i + 6);
            }
            "write" => {
                let mut pos = i;
                assert_eq!(
                    stub_write(black_box(&fs), i, &mut pos, black_box(7), black_box(&data)).unwrap(),
                    i + 7 + 1 + 2 + 1
                );
                assert_eq!(pos, i + WRITE_BYTES as Int);
            }
            _ => {
                let mut pos = i;
                let result =
                    stub_get_direntries(black_box(&fs), i, &mut pos, black_box(5), &mut found).unwrap();
                assert_eq!((result, pos, found.len()), (i + 1, i + 5, DIRECTORY_BYTES));
                assert_eq!(found[..16], directory[..16]);
            }
        }
    }
    println!("{:.2}", start.elapsed().as_nanos() as f64 / f64::from(calls));
}
