//! Round trips between two processes: an empty call, and calls that carry data there and back, through generated stubs.
//!
//! Each way is measured with both processes on one processor and on two, beside its floor: the barest thing that the
//! two could do without us, made here by hand and with nothing checked. The server is this program again.
//!
//! Beside them stand other RPC systems, in the same rounds, from bench/rivals/calls: two processes of their own, placed as
//! ours are. Shared memory and Unix sockets are held against those; TCP with TLS, which none of them uses here, stands
//! beside its floor alone.
//!
//! | rival | how |
//! | --- | --- |
//! | iceoryx2, polling | its request-response wakes nobody, so both sides look again and again; on two processors only |
//! | iceoryx2, events | each side tells the other by an event, on which it sleeps |
//! | gRPC (tonic) | HTTP/2 on a Unix socket, one thread on each side |
//! | Cap'n Proto RPC | the same |

mod floors;
mod rivals;

use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use carnet_portal::call::Object;
use carnet_portal::remote::WaitMode;
use carnet_portal::stub::{BytesOut, Caller, Failure};

use crate::measure::{Contender, Measured, Scale, measure, processors, time_trips};
use crate::peer::{Peer, Way};
use crate::report::{Figure, Judged};
use crate::rival::Calls;
use channel::{Channel, ChannelService};
use floors::{Floor, Half, Kind};
use rivals::OTHERS;

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

/// Ours, and its floor.
const WAYS: [(Way, Kind); 5] = [
    (Way::Shared(WaitMode::Spinning), Kind::Ring),
    (Way::Shared(WaitMode::Adaptive), Kind::Ring),
    (Way::Shared(WaitMode::Sleeping), Kind::Futex),
    (Way::Socket, Kind::Pipe),
    (Way::Tls, Kind::Pipe),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Both on the processor that this process is on.
    Same,
    /// The peer on the first one.
    Cross,
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Place::Same => "same core",
            Place::Cross => "cross core",
        }
    }

    /// Where the peer is.
    fn processor(self) -> usize {
        match self {
            Place::Same => processors() - 1,
            Place::Cross => 0,
        }
    }
}

/// Measures.
///
/// # Errors
/// A peer that cannot be started, or a wrong answer.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let built = if scale == Scale::Full { Some(Calls::new()?) } else { None };
    let mut figures = Vec::new();
    for place in [Place::Same, Place::Cross] {
        if place == Place::Same || processors() > 1 {
            for size in SIZES {
                figures.extend(at(scale, place, size, built.as_ref(), pinned)?);
            }
        }
    }
    Ok(figures)
}

/// Each sample has a peer of its own, since one that looks for what comes would take the processor from others.
fn at(
    scale: Scale,
    place: Place,
    (size_name, size): (&str, Option<usize>),
    built: Option<&Calls>,
    pinned: &str,
) -> Result<Vec<Figure>, String> {
    let processor = place.processor();
    let ours = WAYS.iter().map(|(way, _)| {
        Contender::new(way.name(), move || {
            let client = Client::start(*way, processor)?;
            time_trips(scale, SAMPLE, || client.call(size))
        })
    });
    let floors = Kind::ALL.into_iter().map(|kind| {
        Contender::new(kind.name(), move || {
            let floor = Floor::start(kind, processor)?;
            time_trips(scale, SAMPLE, || floor.round_trip(size.unwrap_or(1)))
        })
    });
    let others = built.into_iter().flat_map(|built| rivals::contenders(built, place, size));
    let measured = measure(scale, &mut ours.chain(floors).chain(others).collect::<Vec<_>>())?;
    let (ours, rest) = measured.split_at(WAYS.len());
    let mut figures = Vec::new();
    for ((way, floor), ours) in WAYS.iter().zip(ours) {
        let name = format!("channels: {}, {size_name}, {}", place.name(), way.name());
        let at = At { place, way: *way, pinned };
        figures.push(at.beside_floor(&name, ours, Measured::named(rest, &[floor.name()])));
        let others: Vec<&str> =
            OTHERS.iter().filter(|other| other.stands_beside(*way)).map(|o| o.name).collect();
        let others = Measured::named(rest, &others);
        if !others.is_empty() {
            figures.push(at.beside_others(&name, ours, others));
        }
    }
    Ok(figures)
}

/// Where and how it was measured.
#[derive(Clone, Copy)]
struct At<'a> {
    place: Place,
    way: Way,
    pinned: &'a str,
}

impl At<'_> {
    fn beside_floor(self, name: &str, ours: &Measured, floor: Vec<Measured>) -> Figure {
        let wanted = match (self.place, self.way) {
            (Place::Cross, Way::Shared(WaitMode::Spinning)) => "≤ 1.3 × the bare ring",
            (Place::Same, Way::Shared(WaitMode::Sleeping)) => "≤ 1.15 × the bare futex hand-off",
            _ => "–",
        };
        self.figure(name.to_owned(), wanted, ours, floor, "the floor checks nothing")
    }

    /// What is wanted is asked of the way that is for this place, and of Unix sockets against those that use them, too.
    fn beside_others(self, name: &str, ours: &Measured, others: Vec<Measured>) -> Figure {
        let wanted = match (self.place, self.way) {
            (_, Way::Socket)
            | (Place::Cross, Way::Shared(WaitMode::Spinning))
            | (Place::Same, Way::Shared(WaitMode::Sleeping)) => "< 1 × every one",
            _ => "–",
        };
        let rest = "the others likewise, two processes each";
        self.figure(format!("{name}, beside other RPC"), wanted, ours, others, rest)
    }

    fn figure(
        self,
        name: String,
        wanted: &'static str,
        ours: &Measured,
        rivals: Vec<Measured>,
        rest: &str,
    ) -> Figure {
        let peer = if self.place == Place::Same { "the peer too" } else { "the peer on processor 0" };
        let how = format!("through generated stubs; the client {}, {peer}; {rest}", self.pinned);
        let (unit, judged) = ("ns per round trip", Judged::LowMedian);
        Figure { name, unit, judged, paper: None, wanted, ours: ours.clone(), rivals, how }
    }
}

/// A client of a server of its own.
struct Client {
    channel: Channel,
    data: Vec<u8>,
    _peer: Peer,
}

impl Client {
    fn start(way: Way, processor: usize) -> Result<Client, String> {
        let (peer, root) = Peer::connect("channel", way, processor)?;
        let data = (0..1 << 20).map(|index: u32| (index % 251) as u8).collect();
        Ok(Client { channel: Channel::from_portal(root), data, _peer: peer })
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

/// The other half of the floor that is called so.
pub(crate) fn serve_floor(name: &str, socket: &UnixStream) -> Result<(), String> {
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
    Half::answering(kind.ok_or_else(|| format!("there is no floor `{name}`"))?, socket)?.answer()
}

/// What a peer serves.
pub(crate) fn root() -> Arc<dyn Object> {
    Channel::serve(Echo).into_object()
}

struct Echo;

impl ChannelService for Echo {
    fn nothing(&self, _caller: &Caller) -> Result<(), Failure> {
        Ok(())
    }

    fn echo(&self, _caller: &Caller, data: &[u8], result: &mut BytesOut<'_>) -> Result<(), Failure> {
        // As many bytes as came are allowed.
        if result.extend(data) { Ok(()) } else { Err(Failure::service("more bytes than an answer holds")) }
    }
}
