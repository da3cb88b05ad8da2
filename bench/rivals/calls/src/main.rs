//! Rivals that make calls between two processes: client and server are this program. The client answers the harness as
//! all rivals do: a line `KEY N` on standard input, a line `NANOSECONDS SUM` on standard output, where the sum is that of
//! the bytes that came back.
//!
//! | command | rival | keys |
//! | --- | --- | --- |
//! | `iceoryx2 HOW PROCESSOR` | its request-response, `polling` or by `events` | `empty`, or bytes there and back |
//! | `grpc PROCESSOR` | tonic over a Unix socket | the same |
//! | `capnp-rpc PROCESSOR` | Cap'n Proto's RPC over a Unix socket | the same |
//! | `prost CHANNEL PROCESSOR` | prost's messages on our channel, `socket`, `spinning`, `adaptive` or `sleeping` | `in-place`: records are used where they arrive; `copied`: in the program's buffer |
//! | `capnp CHANNEL PROCESSOR` | Cap'n Proto's messages on the same | the same |
//!
//! The processor is the server's; the client stays where it was started. Each is written as its authors' examples are,
//! on one thread, with limits that 1 MiB fits into, and with no copy that its interface does not ask for.

mod process;
mod reread;
mod rpc;

/// Code that Cap'n Proto makes names its own modules so.
mod echo_capnp {
    include!(concat!(env!("OUT_DIR"), "/echo_capnp.rs"));
}
mod reread_capnp {
    include!(concat!(env!("OUT_DIR"), "/reread_capnp.rs"));
}

use std::io::{BufRead, Write};
use std::time::Instant;

use reread::Client as Reread;
use reread::capnp::Capnp;
use reread::prost::Prost;

/// The client of a rival.
trait Rival {
    /// Makes `n` of the calls that `key` says; how many bytes came back.
    fn calls(&mut self, key: &str, n: u64) -> Result<u64, String>;
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let Err(what) = run(&words) {
        eprintln!("carnet-rivals-calls {}: {what}", words.join(" "));
        std::process::exit(1);
    }
}

fn run(words: &[&str]) -> Result<(), String> {
    match words {
        [process::SERVE, rest @ .., processor] => {
            process::pin(processor)?;
            serve(rest)
        }
        ["iceoryx2", how, _] => answer(rpc::iceoryx::Client::start(how.parse()?, words)?),
        ["grpc", _] => answer(rpc::grpc::Client::start(words)?),
        ["capnp-rpc", _] => answer(rpc::capnp::Client::start(words)?),
        ["prost", channel, processor] => answer(Reread::<Prost>::start(channel, processor, words)?),
        ["capnp", channel, processor] => answer(Reread::<Capnp>::start(channel, processor, words)?),
        _ => Err("there is no such rival".to_owned()),
    }
}

fn serve(words: &[&str]) -> Result<(), String> {
    match words {
        ["iceoryx2", how] => rpc::iceoryx::serve(how.parse()?),
        ["grpc"] => rpc::grpc::serve(),
        ["capnp-rpc"] => rpc::capnp::serve(),
        ["prost", channel] => reread::serve::<Prost>(channel),
        ["capnp", channel] => reread::serve::<Capnp>(channel),
        [reread::VFS, issuer] => reread::serve_files_of(issuer),
        _ => Err("there is no such server".to_owned()),
    }
}

fn answer(mut rival: impl Rival) -> Result<(), String> {
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let asked = line.split_once(' ').and_then(|(key, n)| Some((key, n.trim().parse().ok()?)));
        let (key, n) = asked.ok_or_else(|| format!("what is {line:?}?"))?;
        let begun = Instant::now();
        let sum = rival.calls(key, n)?;
        let time = begun.elapsed();
        println!("{} {sum}", time.as_nanos());
        std::io::stdout().flush().map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The failure of a library, as a text.
fn text(error: impl std::fmt::Debug) -> String {
    format!("{error:?}")
}
