//! Round trips between two processes: an empty call, and calls that carry data there and back, through generated stubs.
//!
//! Each way is measured with both processes on one processor and on two, beside its floor: the barest thing that the
//! two could do without us, made here by hand and with nothing checked. The server is this program again.
//!
//! ```text
//! this process                       carnet-bench --peer WHAT PROCESSOR
//! a client, or half of a floor ════► a server, or the other half of a floor
//!        └── standard input of the peer: a socket, for what the floors share, and its end ends the peer
//! ```

mod floors;
mod peer;

use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::remote::{ConnectOptions, RemoteSession, WaitMode};

use crate::measure::{Contender, Measured, Scale, measure, processors};
use crate::report::Figure;
use floors::{Floor, Kind};
use peer::Peer;

pub use peer::serve;

/// Stubs of `channel.idl`.
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]
pub mod channel {
    include!(concat!(env!("OUT_DIR"), "/channel.rs"));
}

/// A sample goes on for so long.
const SAMPLE: Duration = Duration::from_millis(4);

/// Bytes there and back; `None`: an empty call.
const SIZES: [(&str, Option<usize>); 5] = [
    ("an empty call", None),
    ("64 B", Some(64)),
    ("4 KiB", Some(4 << 10)),
    ("64 KiB", Some(64 << 10)),
    ("1 MiB", Some(1 << 20)),
];

/// Ours, what it is called, and its floor.
const WAYS: [(Way, &str, Kind); 4] = [
    (Way::Shared(WaitMode::Spinning), "shared memory, spinning", Kind::Ring),
    (Way::Shared(WaitMode::Adaptive), "shared memory, adaptive", Kind::Ring),
    (Way::Shared(WaitMode::Sleeping), "shared memory, sleeping", Kind::Futex),
    (Way::Socket, "Unix socket", Kind::Pipe),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Shared(WaitMode),
    Socket,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Both on the processor that this process is on.
    Same,
    /// The peer on the first one.
    Cross,
}

/// Measures.
///
/// # Errors
/// A peer that cannot be started, or a wrong answer.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for place in [Place::Same, Place::Cross] {
        if place == Place::Same || processors() > 1 {
            figures.extend(at(scale, place, pinned)?);
        }
    }
    Ok(figures)
}

/// Each sample has a peer of its own, since one that looks for what comes would take the processor from others.
fn at(scale: Scale, place: Place, pinned: &str) -> Result<Vec<Figure>, String> {
    let processor = if place == Place::Same { processors() - 1 } else { 0 };
    let mut figures = Vec::new();
    for (size_name, size) in SIZES {
        let ours = WAYS.iter().map(|(way, name, _)| {
            Contender::new(name, move || {
                let client = Client::start(*way, processor)?;
                sample(scale, || client.call(size))
            })
        });
        let floors = Kind::ALL.into_iter().map(|kind| {
            Contender::new(kind.name(), move || {
                let floor = Floor::start(kind, processor)?;
                sample(scale, || floor.round_trip(size.unwrap_or(1)))
            })
        });
        let measured = measure(scale, &mut ours.chain(floors).collect::<Vec<_>>())?;
        figures.extend(WAYS.iter().enumerate().map(|(index, way)| {
            figure(place, size_name, way, &measured[index], &measured[WAYS.len()..], pinned)
        }));
    }
    Ok(figures)
}

fn figure(
    place: Place,
    size: &str,
    (way, name, floor): &(Way, &str, Kind),
    ours: &Measured,
    floors: &[Measured],
    pinned: &str,
) -> Figure {
    let (where_, wanted) = match (place, way) {
        (Place::Cross, Way::Shared(WaitMode::Spinning)) => ("cross core", "≤ 1.3 × the bare ring"),
        (Place::Same, Way::Shared(WaitMode::Sleeping)) => ("same core", "≤ 1.15 × the bare futex hand-off"),
        (Place::Cross, _) => ("cross core", "–"),
        (Place::Same, _) => ("same core", "–"),
    };
    let peer = if place == Place::Same { "the peer too" } else { "the peer on processor 0" };
    Figure {
        name: format!("channels: {where_}, {size}, {name}"),
        unit: "ns per round trip",
        paper: None,
        wanted,
        ours: ours.clone(),
        rivals: floors.iter().filter(|measured| measured.name == floor.name()).cloned().collect(),
        how: format!("through generated stubs; the client {pinned}, {peer}; the floor checks nothing"),
    }
}

/// Nanoseconds per round trip, after some that are not counted.
fn sample(scale: Scale, mut trip: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let warm = Instant::now();
    while scale == Scale::Full && warm.elapsed() < SAMPLE / 2 {
        trip()?;
    }
    let begun = Instant::now();
    let mut trips = 0_u32;
    loop {
        for _ in 0..scale.work(16) {
            trip()?;
            trips += 1;
        }
        let elapsed = begun.elapsed();
        if scale == Scale::Tiny || elapsed >= SAMPLE {
            return Ok(elapsed.as_nanos() as f64 / f64::from(trips));
        }
    }
}

/// A client of a server of its own.
struct Client {
    channel: channel::Channel,
    data: Vec<u8>,
    _peer: Peer,
}

impl Client {
    fn start(way: Way, processor: usize) -> Result<Client, String> {
        let what = match way {
            Way::Socket | Way::Shared(WaitMode::Adaptive) => "adaptive",
            Way::Shared(WaitMode::Spinning) => "spinning",
            Way::Shared(WaitMode::Sleeping) => "sleeping",
        };
        let peer = Peer::start(what, processor)?;
        let path = peer.ready()?;
        let (address, waiting) = match way {
            Way::Socket => (Address::Unix(path), WaitMode::default()),
            Way::Shared(mode) => (Address::Shared(path), mode),
        };
        let options = ConnectOptions { waiting, ..ConnectOptions::default() };
        let transport = RemoteSession::connect(&address, options).map_err(|failure| failure.to_string())?;
        let channel = channel::Channel::from_portal(transport.root());
        let data = (0..1 << 20).map(|index: u32| (index % 251) as u8).collect();
        Ok(Client { channel, data, _peer: peer })
    }

    fn call(&self, size: Option<usize>) -> Result<(), String> {
        let Some(size) = size else { return self.channel.nothing().map_err(|failure| failure.to_string()) };
        let data = &self.data[..size];
        let back = self.channel.echo(data).map_err(|failure| failure.to_string())?;
        // Both ends of it: comparing all would be measured, too.
        let same = back.len() == size && back[0] == data[0] && back[size - 1] == data[size - 1];
        if same { Ok(()) } else { Err("other data came back".to_owned()) }
    }
}
