//! The driver of stubs for plain sessions: as `main.rs`, of the crate's own `Form` of a channel.

use std::hint::black_box;
use std::time::Instant;

use carnet_portal::call::Failure;

use crate::jump::Jump;
use crate::pfs::FSAt;
use crate::service::{DIRECTORY_BYTES, WRITE_BYTES, directory, written};
use crate::{Form, Int};

#[inline(never)]
fn stub_open(
    fs: FSAt,
    channel: &mut Form,
    client: Int,
    fobj: Int,
    flags: Int,
    mode: Int,
) -> Result<(Int, Int), Failure> {
    fs.open(channel, client, fobj, flags, mode)
}

#[inline(never)]
fn stub_write(
    fs: FSAt,
    channel: &mut Form,
    handle: Int,
    pos: &mut Int,
    len: Int,
    data: &[u8],
) -> Result<Int, Failure> {
    fs.write(channel, handle, pos, len, data)
}

#[inline(never)]
fn stub_get_direntries<'c>(
    fs: FSAt,
    channel: &'c mut Form,
    handle: Int,
    pos: &mut Int,
    count: Int,
) -> Result<(Int, &'c [u8]), Failure> {
    fs.get_direntries(channel, handle, pos, count)
}

/// Makes the calls that the arguments say through the channel that `form` makes.
pub(crate) fn drive(form: impl FnOnce(Jump) -> Form) {
    let mut args = std::env::args().skip(1);
    let operation = args.next().unwrap_or_default();
    let calls: Int = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let (jump, fs) = Jump::to_new();
    let mut channel = Box::new(form(jump));
    let directory = directory();
    let data = written().to_vec();
    let start = Instant::now();
    for i in 0..calls {
        let channel = black_box(&mut *channel);
        match operation.as_str() {
            "open" => {
                let opened = stub_open(fs, channel, i, black_box(2), black_box(3), black_box(4));
                assert_eq!(opened.unwrap(), (4, i + 6));
            }
            "write" => {
                let mut pos = i;
                let written = stub_write(fs, channel, i, &mut pos, black_box(7), black_box(&data));
                assert_eq!((written.unwrap(), pos), (i + 7 + 1 + 2 + 1, i + WRITE_BYTES as Int));
            }
            _ => {
                let mut pos = i;
                let (result, found) = stub_get_direntries(fs, channel, i, &mut pos, black_box(5)).unwrap();
                assert_eq!((result, found.len()), (i + 1, DIRECTORY_BYTES));
                assert_eq!(found[..16], directory[..16]);
                assert_eq!(pos, i + 5);
            }
        }
    }
    println!("{:.2}", start.elapsed().as_nanos() as f64 / calls as f64);
}
