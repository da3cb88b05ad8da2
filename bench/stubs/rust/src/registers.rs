//! The driver of register messages, through a plain session: `carnet-bench-stubs-registers OPERATION N`.

mod jump;
mod plain;
mod service;

/// The paper's integers.
type Int = i64;

#[allow(dead_code, missing_docs, unreachable_pub, reason = "generated, and not all of it is called")]
mod pfs {
    include!(concat!(env!("OUT_DIR"), "/pfs.rs"));
}

type Form = jump::Jump;

fn main() {
    plain::drive(|session| session);
}
