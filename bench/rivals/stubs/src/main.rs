//! Stubs of other interface compilers and serialisers, driven as Carnet's own in `bench/stubs/`.
//!
//! `carnet-rivals-stubs RIVAL OPERATION CALLS` makes calls, checks every result, and prints nanoseconds per
//! call. Instructions are counted from outside (`bench/src/stubs/`).
//!
//! | file | what it is |
//! | --- | --- |
//! | `harness.rs` | what all have in common: client, transport, server's loop |
//! | `driver.rs` | calls, with their results checked |
//! | `user.rs` | the functions that are called |
//! | `bincode.rs`, `capnp.rs`, `flatbuffers.rs`, `prost.rs`, `rkyv.rs` | the stubs |
//!
//! The interface is that of `bench/stubs/pfs.idl`, once more for each compiler in `schema/`. What was generated there by
//! tools that are not Rust is checked in, so that building needs no more than cargo:
//!
//! | file | made by |
//! | --- | --- |
//! | `schema/pfs_generated.rs` | `flatc --rust pfs.fbs`, flatc 2.0.8, without its `allow` attributes |
//! | `schema/pfs.capnp.request` | `capnp compile -o- pfs.capnp`, capnp 0.9.2: the parsed schema; `build.rs` makes Rust of it |
//!
//! rpcgen, a rival in C, is in `c/`: what counts builds it there, without cargo.

mod bincode;
mod capnp;
mod driver;
mod flatbuffers;
mod harness;
mod prost;
mod rkyv;
mod user;

use std::process::ExitCode;

type Drive = fn(&str, i64) -> Result<f64, String>;

const RIVALS: &[(&str, Drive)] = &[
    ("bincode", driver::drive::<bincode::Bincode>),
    ("capnp-scratch", driver::drive::<capnp::Capnp<capnp::Scratch>>),
    ("capnp-small", driver::drive::<capnp::Capnp<capnp::Small>>),
    ("capnp-usual", driver::drive::<capnp::Capnp<capnp::Usual>>),
    ("flatbuffers", driver::drive::<flatbuffers::FlatBuffers>),
    ("prost", driver::drive::<prost::Prost>),
    ("rkyv", driver::drive::<rkyv::Rkyv>),
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(ns) => {
            println!("{ns:.2}");
            ExitCode::SUCCESS
        }
        Err(what) => {
            eprintln!("{what}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[String]) -> Result<f64, String> {
    let [rival, operation, calls] = words else { return Err("RIVAL OPERATION CALLS".to_owned()) };
    let known = RIVALS.iter().find(|(name, _)| name == rival);
    let (_, drive) = known.ok_or_else(|| format!("there is no rival `{rival}`"))?;
    drive(operation, calls.parse().map_err(|_| format!("`{calls}` is not a number"))?)
}
