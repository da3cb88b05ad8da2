//! Round trips between two processes: an empty call, and calls that carry data there and back, through generated stubs.
//!
//! Each way is measured with both processes on one processor and on two, beside its floor: the barest thing that the
//! two could do without us, made here by hand and with nothing checked. The server is this program again.
//!
//! Beside them stand other RPC systems, in the same rounds, from bench/rivals/calls: two processes of their own, placed as
//! ours are. Shared memory and Unix sockets are held against those; TCP with TLS, which none of them uses here, stands
//! beside its floor alone.
//!
//! Data go both ways in one parameter, an `inout`, whose service leaves them as they are: as gRPC's gives back the message that it was
//! given. Rows that say so have them in two, which the service copies from one to the other, as Cap'n Proto's and iceoryx2's do.
//!
//! | rival | how |
//! | --- | --- |
//! | iceoryx2, polling | its request-response wakes nobody, so both sides look again and again; on two processors only |
//! | iceoryx2, events | each side tells the other by an event, on which it sleeps |
//! | gRPC (tonic) | HTTP/2 on a Unix socket, one thread on each side |
//! | Cap'n Proto RPC | the same |

mod floors;
mod rivals;

use std::cell::RefCell;
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

/// How data come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// In the parameter that they went in.
    Turned,
    /// As a result, which the service copies them to.
    Copied,
}

/// What is ours in a row, and its floor.
#[derive(Clone, Copy)]
struct Ours {
    way: Way,
    form: Form,
    floor: Kind,
}

impl Ours {
    const fn turned(way: Way, floor: Kind) -> Ours {
        Ours { way, form: Form::Turned, floor }
    }

    const fn copied(way: Way, floor: Kind) -> Ours {
        Ours { way, form: Form::Copied, floor }
    }

    fn name(self) -> String {
        match self.form {
            Form::Turned => self.way.name().to_owned(),
            Form::Copied => format!("{}, answered with a copy", self.way.name()),
        }
    }
}

const OURS: [Ours; 7] = [
    Ours::turned(Way::Shared(WaitMode::Spinning), Kind::Ring),
    Ours::turned(Way::Shared(WaitMode::Adaptive), Kind::Ring),
    Ours::turned(Way::Shared(WaitMode::Sleeping), Kind::Futex),
    Ours::turned(Way::Socket, Kind::Pipe),
    Ours::turned(Way::Tls, Kind::Pipe),
    Ours::copied(Way::Shared(WaitMode::Spinning), Kind::Ring),
    Ours::copied(Way::Shared(WaitMode::Sleeping), Kind::Futex),
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
    // An empty call has one form.
    let all: Vec<Ours> =
        OURS.into_iter().filter(|ours| size.is_some() || ours.form == Form::Turned).collect();
    let ours = all.iter().map(|ours| {
        Contender::new(&ours.name(), move || {
            let client = Client::start(ours.way, processor, size)?;
            match size {
                None => time_trips(scale, SAMPLE, || client.nothing()),
                Some(size) => time_trips(scale, SAMPLE, || client.carry(ours.form, size)),
            }
        })
    });
    let floors = Kind::ALL.into_iter().map(|kind| {
        Contender::new(kind.name(), move || {
            let floor = Floor::start(kind, processor)?;
            time_trips(scale, SAMPLE, || floor.round_trip(size.unwrap_or(0)))
        })
    });
    let others = built.into_iter().flat_map(|built| rivals::contenders(built, place, size));
    let measured = measure(scale, &mut ours.chain(floors).chain(others).collect::<Vec<_>>())?;
    let (measured, rest) = measured.split_at(all.len());
    let mut figures = Vec::new();
    for (ours, measured) in all.iter().zip(measured) {
        let name = format!("channels: {}, {size_name}, {}", place.name(), ours.name());
        let at = At { place, ours: *ours, pinned };
        figures.push(at.beside_floor(&name, measured, Measured::named(rest, &[ours.floor.name()])));
        figures.extend(at.beside_lower_floor(&name, measured, rest));
        let others: Vec<&str> =
            OTHERS.iter().filter(|other| other.stands_beside(ours.way)).map(|o| o.name).collect();
        let others = Measured::named(rest, &others);
        if !others.is_empty() {
            figures.push(at.beside_others(&name, measured, others));
        }
    }
    Ok(figures)
}

/// Where and how it was measured.
#[derive(Clone, Copy)]
struct At<'a> {
    place: Place,
    ours: Ours,
    pinned: &'a str,
}

impl At<'_> {
    fn beside_floor(self, name: &str, ours: &Measured, floor: Vec<Measured>) -> Figure {
        let wanted = match (self.place, self.judged()) {
            (Place::Cross, Some(Way::Shared(WaitMode::Spinning))) => "≤ 1.3 × the bare ring",
            (Place::Same, Some(Way::Shared(WaitMode::Sleeping))) => "≤ 1.15 × the bare futex hand-off",
            _ => "–",
        };
        self.figure(name.to_owned(), wanted, ours, floor, "the floor checks nothing")
    }

    /// What could be lower still, beside which nothing is wanted: the futex sleeps each time, where ours gives way first, and a message
    /// of the ring is told of in a line of its own, where ours has marks.
    fn beside_lower_floor(self, name: &str, ours: &Measured, rest: &[Measured]) -> Option<Figure> {
        let lower = match (self.place, self.ours.floor) {
            (Place::Same, Kind::Futex) => Kind::Yield,
            (Place::Cross, Kind::Ring) => Kind::Marks,
            _ => return None,
        };
        let name = format!("{name}, beside {}", lower.name());
        let floor = Measured::named(rest, &[lower.name()]);
        Some(self.figure(name, "–", ours, floor, "the floor checks nothing"))
    }

    /// The way that something is wanted of: the better form alone is judged.
    fn judged(self) -> Option<Way> {
        (self.ours.form == Form::Turned).then_some(self.ours.way)
    }

    /// What is wanted is asked of the way that is for this place, and of Unix sockets against those that use them, too.
    fn beside_others(self, name: &str, ours: &Measured, others: Vec<Measured>) -> Figure {
        let wanted = match (self.place, self.judged()) {
            (_, Some(Way::Socket))
            | (Place::Cross, Some(Way::Shared(WaitMode::Spinning)))
            | (Place::Same, Some(Way::Shared(WaitMode::Sleeping))) => "< 1 × every one",
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
    /// What came back.
    back: RefCell<Vec<u8>>,
    _peer: Peer,
}

impl Client {
    fn start(way: Way, processor: usize, size: Option<usize>) -> Result<Client, String> {
        let (peer, root) = Peer::connect("channel", way, processor)?;
        let data: Vec<u8> = (0..size.unwrap_or(0)).map(|index| (index % 251) as u8).collect();
        let back = RefCell::new(data.clone());
        Ok(Client { channel: Channel::from_portal(root), data, back, _peer: peer })
    }

    fn nothing(&self) -> Result<(), String> {
        self.channel.nothing().map_err(|failure| failure.to_string())
    }

    /// Data there and back.
    fn carry(&self, form: Form, size: usize) -> Result<(), String> {
        let mut back = self.back.borrow_mut();
        let carried = match form {
            Form::Turned => self.channel.turn(&mut back),
            Form::Copied => self.channel.echo_into(&self.data, &mut back),
        };
        carried.map_err(|failure| failure.to_string())?;
        // Both ends of it: comparing all would be measured, too.
        let (data, last) = (&self.data, size - 1);
        let same = back.len() == size && back[0] == data[0] && back[last] == data[last];
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

    fn turn(&self, _caller: &Caller, _data: &mut Vec<u8>) -> Result<(), Failure> {
        Ok(())
    }
}
