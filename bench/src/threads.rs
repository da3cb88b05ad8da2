//! What serves a server's clients: a thread for each, or one loop over all. An empty call there and back, client and
//! server in this process, on one processor.
//!
//! What a client that is idle costs in memory and threads is counted by a test, not here (`portal/tests/threads.rs`).

use std::path::PathBuf;
use std::time::Duration;

use carnet_portal::address::Address;
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions, Threads};

use crate::channels::channel::Channel;
use crate::channels::root;
use crate::measure::{Contender, Scale, measure, time_trips};
use crate::report::{Figure, Judged};

/// A sample goes on for so long.
const SAMPLE: Duration = Duration::from_millis(4);

/// Measures.
///
/// # Errors
/// A server that cannot listen, or a call that fails.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    Ok(vec![
        figure(scale, "Unix socket", Address::Unix, pinned)?,
        figure(scale, "shared memory", Address::Shared, pinned)?,
    ])
}

fn figure(scale: Scale, way: &str, address: fn(PathBuf) -> Address, pinned: &str) -> Result<Figure, String> {
    let contender = |name: &str, threads: Threads| {
        let address =
            address(std::env::temp_dir().join(format!("carnet-{}-{threads:?}", std::process::id())));
        Contender::new(name, move || {
            let (client, _server) = serve(&address, threads)?;
            time_trips(scale, SAMPLE, || client.nothing().map_err(|failure| failure.to_string()))
        })
    };
    let mut contenders =
        [contender("one loop", Threads::Loop), contender("a thread for each client", Threads::PerClient)];
    let mut measured = measure(scale, &mut contenders)?;
    let rivals = measured.split_off(1);
    let ours = measured.pop().ok_or("nothing was measured")?;
    let (name, how) =
        (format!("threads: an empty call, {way}"), format!("both sides in one process; {pinned}"));
    Ok(Figure {
        name,
        unit: "ns per round trip",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "≤ 1.15 × a thread for each",
        ours,
        rivals,
        how,
    })
}

/// A client of a server of its own, which ends with it.
fn serve(address: &Address, threads: Threads) -> Result<(Channel, Server), String> {
    let options = ServerOptions { threads, ..ServerOptions::default() };
    let roots = |_: &Caller| Ok(Capability::new(root()));
    let server = Server::listen(address, options, roots).map_err(|error| error.to_string())?;
    let session =
        RemoteSession::connect(address, ConnectOptions::default()).map_err(|error| error.to_string())?;
    Ok((Channel::from_portal(session.root()), server))
}
