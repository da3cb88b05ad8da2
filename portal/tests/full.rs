//! As much as sequences without a bound hold goes through a server in C both ways: its room follows from its interface. No frame is
//! longer than before.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

use carnet_portal::address::Address;
use carnet_portal::call::Kind;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::wire::Reply;
use full::*;
use server_in_c::ServerInC;

#[path = "support/in_c.rs"]
mod in_c;
#[path = "support/server_in_c.rs"]
mod server_in_c;

mod full {
    include!("../../idl/tests/cases/modules/full.rs");
}

const BYTES_MAX: usize = 1 << 20;
const PAIRS_MAX: usize = BYTES_MAX / 16;

/// Servers, one by each compiler that is there.
fn servers(whose: &str, options: &[&str]) -> impl Iterator<Item = ServerInC> {
    let loop_options = ["-DCARNET_STUBS=\"full.h\"", "-DCARNET_ROOT=full_Full", "carnet_main.c"];
    let programs = in_c::built(whose, module(), &["full_server"], &[options, &loop_options].concat());
    programs.into_iter().map(|program| ServerInC::start(&program))
}

fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at % 251) as u8).collect()
}

fn turned(len: usize) -> Vec<u8> {
    bytes(len).into_iter().rev().collect()
}

fn exercise(full: &Full) {
    for len in [0, 1, BYTES_MAX / 2, BYTES_MAX - 1, BYTES_MAX] {
        let mut a = bytes(len);
        full.turn(&mut a).unwrap();
        assert!(a == turned(len), "{len}");
        assert!(full.echo(&bytes(len)).unwrap() == turned(len), "{len}");
    }
    let pairs = |by: i64| (0..PAIRS_MAX as i64).map(move |at| Pair { a: at * by, b: at * (1 - by) });
    let mut a: Vec<Pair> = pairs(1).collect();
    full.swap(&mut a).unwrap();
    assert!(a == pairs(0).collect::<Vec<Pair>>());
    assert_eq!(full.turn(&mut bytes(BYTES_MAX + 1)).unwrap_err().kind(), Kind::BadArgument);
}

#[test]
fn a_server_in_c_has_room_for_as_much_as_its_operations_take_and_give() {
    for server in servers("full", &[]) {
        for address in [Address::Unix(server.path.clone()), Address::Shared(server.path.clone())] {
            let session = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
            exercise(&Full::from_portal(session.root()));
        }
    }
}

/// The room is for a request and its reply, each no longer than a frame.
#[test]
fn a_server_in_c_takes_no_longer_frame_for_it() {
    for server in servers("long_frame", &[]) {
        for len in [(2_u32 << 20) + 1, (2 << 20) + 64, u32::MAX] {
            let mut stream = UnixStream::connect(&server.path).unwrap();
            stream
                .write_all(&[&len.to_le_bytes()[..], &[2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]].concat())
                .unwrap();
            let mut answer = vec![];
            stream.read_to_end(&mut answer).unwrap();
            assert_eq!(Reply::decode(&answer).unwrap().status, Kind::Protocol as u16, "{len}");
        }
    }
}

/// One that is built with shorter frames has room for two of them, and fails what is longer; it says no more than a frame holds.
#[test]
fn a_server_in_c_with_shorter_frames_has_room_for_two_of_them() {
    for server in servers("short_frames", &["-DCARNET_FRAME_BYTES_MAX=65536"]) {
        let session = RemoteSession::connect(&Address::Unix(server.path.clone()), ConnectOptions::default());
        let full = Full::from_portal(session.unwrap().root());
        let len = 65536 - 24;
        let mut a = bytes(len);
        full.turn(&mut a).unwrap();
        assert!(a == turned(len));
        assert_eq!(full.turn(&mut bytes(len + 1)).unwrap_err().kind(), Kind::Protocol);
    }
}
