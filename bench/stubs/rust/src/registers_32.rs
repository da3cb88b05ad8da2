//! As `registers.rs`, with integers of 32 bits: `carnet-bench-stubs-registers-32 open N`. The other two functions have a parameter that goes
//! both ways, which in a plain session has 64 bits.

mod jump;
#[allow(dead_code, reason = "nothing is written here")]
mod service;

use std::hint::black_box;
use std::time::Instant;

use carnet_portal::call::Failure;

/// Integers of 32 bits.
type Int = i32;

#[allow(dead_code, missing_docs, unreachable_pub, reason = "generated, and not all of it is called")]
mod pfs {
    include!(concat!(env!("OUT_DIR"), "/narrow.rs"));
}

#[inline(never)]
fn stub_open(
    fs: pfs::FSAt,
    channel: &mut jump::Jump,
    client: Int,
    fobj: Int,
    flags: Int,
    mode: Int,
) -> Result<(Int, Int), Failure> {
    fs.open(channel, client, fobj, flags, mode)
}

fn main() {
    let mut args = std::env::args().skip(1);
    assert_eq!(args.next().as_deref(), Some("open"));
    let calls: Int = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let (jump, fs) = jump::Jump::to_new();
    let mut channel = Box::new(jump);
    let start = Instant::now();
    for i in 0..calls {
        let channel = black_box(&mut *channel);
        let opened = stub_open(fs, channel, i, black_box(2), black_box(3), black_box(4));
        assert_eq!(opened.unwrap(), (4, i + 6));
    }
    println!("{:.2}", start.elapsed().as_nanos() as f64 / f64::from(calls));
}
