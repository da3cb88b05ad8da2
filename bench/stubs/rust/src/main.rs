//! The driver of the stubs in Rust: `carnet-bench-stubs OPERATION N` makes N calls, checks all results, and prints
//! nanoseconds per call. With `socket` or `memory` before the operation they go through a server with a thread of its own, as
//! between processes: by a Unix socket, or shared memory. With `program` a program of this process makes them;
//! `add` and `branch` are loops of it that make none.
//!
//! The client's stubs and the service's functions are kept out of line, so that they can be told apart, and the functions
//! answer in a way that no compiler can foresee. It counts nothing itself: the benchmark `stubs` does.

mod composed;

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::portal::Portal;
use carnet_portal::remote::{ConnectOptions, RemoteSession, WaitMode};
use carnet_portal::server::{Server, ServerOptions};

use service::{DIRECTORY_BYTES, User, WRITE_BYTES, directory};

mod service;

/// The paper's integers.
type Int = i64;

#[allow(dead_code, missing_docs, unreachable_pub, reason = "generated, and not all of it is called")]
mod pfs {
    include!(concat!(env!("OUT_DIR"), "/pfs.rs"));
}

#[inline(never)]
fn stub_open(
    fs: &pfs::FS,
    client: i64,
    fobj: i64,
    flags: i64,
    mode: i64,
    handle: &mut i64,
) -> Result<i64, Failure> {
    let (result, opened) = fs.open(client, fobj, flags, mode)?;
    *handle = opened;
    Ok(result)
}

#[inline(never)]
fn stub_write(fs: &pfs::FS, handle: i64, pos: &mut i64, len: i64, data: &[u8]) -> Result<i64, Failure> {
    fs.write(handle, pos, len, data)
}

#[inline(never)]
fn stub_get_direntries(
    fs: &pfs::FS,
    handle: i64,
    pos: &mut i64,
    count: i64,
    data: &mut Vec<u8>,
) -> Result<i64, Failure> {
    fs.get_direntries_into(handle, pos, count, data)
}

/// The root of a service that is reached through a server; the server is there as long as what comes first.
fn served(right: Capability, way: fn(PathBuf) -> Address) -> (Server, Portal) {
    let path = std::env::temp_dir().join(format!("carnet-stubs-{}.sock", std::process::id()));
    let options = ServerOptions { waiting: WaitMode::Sleeping, ..ServerOptions::default() };
    let root = move |_: &Caller| Ok(right.clone());
    let server = Server::listen(&Address::Unix(path.clone()), options, root).unwrap();
    let options = ConnectOptions { waiting: WaitMode::Sleeping, ..ConnectOptions::default() };
    let session = RemoteSession::connect(&way(path), options).unwrap();
    (server, session.root())
}

/// What is written.
fn written() -> [u8; WRITE_BYTES] {
    let mut data = [0; WRITE_BYTES];
    data[0] = 1;
    data[WRITE_BYTES - 1] = 2;
    data
}

/// All calls by one program.
fn composed(right: Capability, operation: &str, calls: i64) {
    let start = Instant::now();
    composed::run(right, operation, calls, &written());
    println!("{:.2}", start.elapsed().as_nanos() as f64 / calls as f64);
}

fn main() {
    let mut args = std::env::args().skip(1).peekable();
    let ways = [("socket", Address::Unix as fn(PathBuf) -> Address), ("memory", Address::Shared)];
    let way = args.peek().and_then(|word| ways.into_iter().find(|(name, _)| name == word));
    let _ = way.and_then(|_| args.next());
    let is_composed = args.next_if(|word| word == "program").is_some();
    let operation = args.next().unwrap_or_default();
    let calls: i64 = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let directory = directory();
    let service = pfs::FS::serve(User::new());
    let right = Capability::new(service.into_object());
    if is_composed {
        return composed(right, &operation, calls);
    }
    let (_server, root) = match way {
        Some((_, way)) => {
            let (server, root) = served(right, way);
            (Some(server), root)
        }
        None => (None, LocalSession::new(right, Caller::local()).root()),
    };
    let fs = black_box(pfs::FS::from_portal(root));
    let data = written().to_vec();
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
                assert_eq!(pos, i + WRITE_BYTES as i64);
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
    println!("{:.2}", start.elapsed().as_nanos() as f64 / calls as f64);
}
