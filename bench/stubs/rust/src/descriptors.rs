//! The driver of messages whose data are lent, through a plain session: `carnet-bench-stubs-descriptors OPERATION N`.

mod jump;
mod plain;
mod service;

/// The paper's integers.
type Int = i64;

#[allow(dead_code, missing_docs, unreachable_pub, reason = "generated, and not all of it is called")]
mod pfs {
    include!(concat!(env!("OUT_DIR"), "/pfs.rs"));
}

type Form = carnet_portal::plain::InMemory<jump::Jump>;

fn main() {
    plain::drive(carnet_portal::plain::InMemory);
}
