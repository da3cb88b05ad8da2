//! As `main.rs` without a server, with integers of 32 bits: `carnet-bench-stubs-near-32 OPERATION N`.

mod near;
mod service;

use std::hint::black_box;

use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;

use service::User;

/// Integers of 32 bits.
type Int = i32;

#[allow(dead_code, missing_docs, unreachable_pub, reason = "generated, and not all of it is called")]
mod pfs {
    include!(concat!(env!("OUT_DIR"), "/narrow.rs"));
}

fn main() {
    let mut args = std::env::args().skip(1);
    let operation = args.next().unwrap_or_default();
    let calls: Int = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let right = Capability::new(pfs::FS::serve(User::new()).into_object());
    let root = LocalSession::new(right, Caller::local()).root();
    let fs = black_box(pfs::FS::from_portal(root));
    let time = near::drive(&fs, &operation, calls);
    println!("{:.2}", time.as_nanos() as f64 / f64::from(calls));
}
