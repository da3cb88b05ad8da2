//! The driver of the stubs in Rust: `carnet-bench-stubs OPERATION N` makes N calls, checks all results, and prints
//! nanoseconds per call. With `socket` or `memory` before the operation they go through a server with a thread of its own, as
//! between processes: by a Unix socket, or shared memory. With `program` a program of this process makes them;
//! `add` and `branch` are loops of it that make none.
//!
//! The client's stubs and the service's functions are kept out of line, so that they can be told apart, and the functions
//! answer in a way that no compiler can foresee. It counts nothing itself: the benchmark `stubs` does.

mod composed;
mod near;
mod service;

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use carnet_portal::address::Address;
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::portal::Portal;
use carnet_portal::remote::{ConnectOptions, RemoteSession, WaitMode};
use carnet_portal::server::{Server, ServerOptions};

use service::User;

/// The paper's integers.
type Int = i64;

#[allow(dead_code, missing_docs, unreachable_pub, reason = "generated, and not all of it is called")]
mod pfs {
    include!(concat!(env!("OUT_DIR"), "/pfs.rs"));
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

/// All calls by one program.
fn composed(right: Capability, operation: &str, calls: i64) {
    let start = Instant::now();
    composed::run(right, operation, calls, &service::written());
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
    let time = near::drive(&fs, &operation, calls);
    println!("{:.2}", time.as_nanos() as f64 / calls as f64);
}
