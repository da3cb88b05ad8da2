//! Long data that clients and servers in C send from where they lie: several at once, in lists, beside short ones. The programs
//! count copies.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::BytesOut;
use gathering::*;
use server_in_c::ServerInC;

#[path = "support/in_c.rs"]
mod in_c;
#[path = "support/server_in_c.rs"]
mod server_in_c;

mod gathering {
    #![allow(unreachable_pub, dead_code, reason = "generated for a public module")]
    include!("../../idl/tests/cases/modules/gathering.rs");
}

const WRAPPED: &str = "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=recv,--wrap=recvmsg";

/// As `c/gathering_values.h`.
fn mixed(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3) & i64::MAX.cast_unsigned()
    })
}

/// As `c/gathering_server.c`.
struct Data;

impl StoreService for Data {
    fn sum(&self, _: &Caller, a: &[u8], b: &[u8], c: i64, d: &[u8], e: &[u8]) -> Result<i64, Failure> {
        let sum = [a, b, &c.to_le_bytes(), d, e].iter().fold(0, |sum, bytes| mixed(sum, bytes));
        Ok(sum.cast_signed())
    }

    fn text(&self, _: &Caller, a: &[u8]) -> Result<i64, Failure> {
        Ok(mixed(0, a).cast_signed())
    }

    fn back(
        &self,
        _: &Caller,
        _: &mut Vec<u8>,
        _: &mut Vec<u8>,
        _: &mut Vec<Pair>,
        _: &mut Vec<Vec<u8>>,
        _: &mut Shelf,
    ) -> Result<(), Failure> {
        Ok(())
    }

    fn given(
        &self,
        _: &Caller,
        len: i64,
        a: &mut BytesOut<'_>,
        b: &mut BytesOut<'_>,
        c: &mut BytesOut<'_>,
        d: &mut BytesOut<'_>,
    ) -> Result<(), Failure> {
        let len = len as usize;
        let bytes: Vec<u8> = (0..len).map(|at| (at % 251) as u8).collect();
        assert!(a.extend(&vec![b'x'; len.min(100_000)]) && b.extend(&bytes));
        assert!(c.extend(&vec![b'x'; len.min(100)]) && d.extend(&bytes[..len.min(5000)]));
        Ok(())
    }

    fn copied(&self, _: &Caller) -> Result<i64, Failure> {
        Ok(0)
    }

    fn turned(&self, _: &Caller, it: &Box) -> Result<Box, Failure> {
        Ok(Box { raw: it.raw.map(|byte| !byte) })
    }
}

fn clients(whose: &str, options: &[&str]) -> Vec<PathBuf> {
    in_c::built(whose, module(), &["gathering"], &[&[WRAPPED], options].concat())
}

fn run(program: &Path, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// By a socket and by shared memory, at a server in Rust and at servers in C.
fn everywhere(whose: &str, options: &[&str], each: impl Fn(&str)) {
    let ways = |path: &Path| ["unix", "shm"].map(|scheme| format!("{scheme}:{}", path.display()));
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let serve = |_: &Caller| Ok(Capability::new(Store::serve(Data).into_object()));
    let server = Server::listen(&Address::Unix(path.clone()), ServerOptions::default(), serve).unwrap();
    ways(&path).iter().for_each(|address| each(address));
    server.shutdown(Instant::now() + Duration::from_secs(10));
    let own = [WRAPPED, "-DCARNET_STUBS=\"gathering.h\"", "-DCARNET_ROOT=gathering_Store", "carnet_main.c"];
    for program in in_c::built(whose, module(), &["gathering_server"], &[&own, options].concat()) {
        let server = ServerInC::start(&program);
        ways(&server.path).iter().for_each(|address| each(address));
    }
}

#[test]
fn long_data_arrive_from_where_they_lie() {
    let programs = clients("gathers", &[]);
    everywhere("gathers_served", &[], |address| programs.iter().for_each(|client| run(client, &[address])));
}

/// Stubs that copy send the same.
#[test]
fn data_that_are_copied_arrive_too() {
    let programs = clients("copies", &["-DCARNET_COPY"]);
    let each = |address: &str| programs.iter().for_each(|client| run(client, &[address]));
    everywhere("copies_served", &["-DCARNET_COPY"], each);
}

/// Nothing but short data is copied into a message, by whoever sends it.
#[test]
fn long_data_are_copied_by_nobody() {
    let programs = clients("gathers_counted", &[]);
    let each = |address: &str| programs.iter().for_each(|client| run(client, &["counts", address]));
    everywhere("gathers_counted_served", &[], each);
}
