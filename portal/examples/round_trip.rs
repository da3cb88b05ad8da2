//! What a call costs beside a bare round trip of as many bytes over a pair of sockets.
//!
//! Both ends on one processor, batches of the two interleaved, the median of the ratios printed:
//! `cargo run --release -p carnet-portal --example round_trip`.

use std::any::Any;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Call, Failure, Object};
use carnet_portal::capability::Capability;
use carnet_portal::entry::{EntryPoint, EntryRequest};
use carnet_portal::portal::{Block, OpNumber, Portal};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::session::Session;

const BATCHES: usize = 60;
const CALLS: u32 = 5_000;

/// Bytes of `add`'s messages: header and two words; header and one word.
const REQUEST_BYTES: usize = 32;
const REPLY_BYTES: usize = 24;

fn module() -> &'static Module {
    static MODULE: LazyLock<Module> = LazyLock::new(|| {
        let text =
            "module sums { interface Sum { @reads long long add(in long long a, in long long b); }; };";
        match carnet_idl::compile_str("sums.idl", text) {
            Ok(module) => module,
            Err(faults) => panic!("{faults:?}"),
        }
    });
    &MODULE
}

struct Sum;

impl Object for Sum {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (module(), InterfaceId(0))
    }

    fn dispatch(&self, _op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        call.words[2] = call.words[0].wrapping_add(call.words[1]);
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// Answers with what it was sent.
struct Echo;

impl EntryPoint for Echo {
    fn handle(&self, request: EntryRequest<'_>) {
        request.responder.reply(request.data, Vec::new());
    }

    fn closed(&self, _session: &Session) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    pin()?;
    let directory = std::env::temp_dir().join(format!("carnet-round-trip-{}", std::process::id()));
    let address = Address::Unix(directory.clone());
    let options = ServerOptions { entry: Some(Arc::new(Echo)), ..ServerOptions::default() };
    let root: Arc<dyn Object> = Arc::new(Sum);
    let server = Server::listen(&address, options, move |_| Ok(Capability::new(Arc::clone(&root))))?;
    let transport = RemoteSession::connect(&address, ConnectOptions::default())?;
    let portal = transport.root();
    let mut bare = bare_pair()?;
    let (mut calls, mut entries, mut bares) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..BATCHES {
        bares.push(time(|| round_trip(&mut bare)));
        calls.push(time(|| call(&portal)));
        entries.push(time(|| entry(&transport)));
    }
    print("bare socket pair", &bares, &bares);
    print("call", &calls, &bares);
    print("entry point", &entries, &bares);
    drop((portal, transport));
    server.shutdown(Instant::now() + Duration::from_secs(1));
    Ok(())
}

fn pin() -> Result<(), rustix::io::Errno> {
    let mut processors = rustix::thread::CpuSet::new();
    processors.set(0);
    rustix::thread::sched_setaffinity(None, &processors)
}

fn bare_pair() -> std::io::Result<UnixStream> {
    let (client, mut server) = UnixStream::pair()?;
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(1..) = server.read(&mut buffer) {
            if server.write_all(&buffer[..REPLY_BYTES]).is_err() {
                return;
            }
        }
    });
    Ok(client)
}

fn round_trip(socket: &mut UnixStream) {
    let mut buffer = [0; 4096];
    socket.write_all(&buffer[..REQUEST_BYTES]).expect("the other end lives");
    let read = socket.read(&mut buffer).expect("the other end lives");
    assert_eq!(read, REPLY_BYTES);
}

fn call(portal: &Portal) {
    let mut words = [40, 2, 0];
    let mut block =
        Block { words: &mut words, inputs: &[], outputs: &mut [], portals: &[], made: Vec::new() };
    let op = OpNumber { module: module(), interface: InterfaceId(0), op: 0 };
    portal.call(op, &mut block).expect("the service adds");
    assert_eq!(words[2], 42);
}

fn entry(transport: &Arc<RemoteSession>) {
    let reply = transport.control(16, &[1; 16], &[], &mut |_| {}).expect("the entry point echoes");
    assert_eq!(reply.data.len(), 16);
}

fn time(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..CALLS {
        work();
    }
    start.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

fn print(name: &str, times: &[f64], bares: &[f64]) {
    let ratios: Vec<f64> = times.iter().zip(bares).map(|(time, bare)| time / bare).collect();
    println!("{name:18} {:8.0} ns   {:.3} of the bare round trip", median(times), median(&ratios));
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
