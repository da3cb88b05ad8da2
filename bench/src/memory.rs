//! Memory that another process reads, all of it, once and ten times: handed over once, beside being sent in calls of 1 MiB.
//!
//! | contender | what is timed |
//! | --- | --- |
//! | handed over | memory is made of the client's bytes and handed over, and for each reading there is one call |
//! | handed over, made before | the same without the making: whoever needs the bytes puts them there in the first place |
//! | sent in calls | for each reading, one call for each MiB |
//!
//! Whoever reads adds up all words, and the sums are compared. 256 MiB are not sent. Reading takes its time in all of them.

use std::sync::Arc;
use std::time::Instant;

use carnet_portal::call::Object;
use carnet_portal::memory::Memory;
use carnet_portal::remote::{RemoteSession, WaitMode};
use carnet_portal::stub::{Caller, Failure, PortalIn};

use crate::measure::{Contender, Scale, measure_runs, processors};
use crate::peer::{MEMORY, Peer, Way};
use crate::report::{Figure, Judged};
use memory::{BYTES_MAX, CarnetMemory, Reader, ReaderService};

/// Stubs of `memory.idl`.
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]
pub mod memory {
    include!(concat!(env!("OUT_DIR"), "/memory.rs"));
}

const RUNS: usize = 5;

/// The largest that is sent, too.
const SENT_MAX: usize = 16 << 20;

/// Measures.
///
/// # Errors
/// A peer that cannot be started, or a wrong sum.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let sizes = if scale == Scale::Full { &[1 << 20, 16 << 20, 256 << 20][..] } else { &[1 << 20] };
    let mut places = vec![("same core", WaitMode::Sleeping, processors() - 1)];
    if processors() > 1 {
        places.push(("cross core", WaitMode::Spinning, 0));
    }
    let mut figures = Vec::new();
    for (place, mode, processor) in places {
        for &size in sizes {
            for times in [1, 10] {
                let (bytes, way) = (content(size), Way::Shared(mode));
                let name = format!("memory: {} MiB, read {times} ×, {place}", size >> 20);
                let how = format!("the client {pinned}, the peer on processor {processor}; {}", way.name());
                figures.push(figure(scale, (name, how), &bytes, times, (way, processor))?);
            }
        }
    }
    Ok(figures)
}

fn figure(
    scale: Scale,
    (name, how): (String, String),
    bytes: &[u8],
    times: usize,
    at: (Way, usize),
) -> Result<Figure, String> {
    let made = Memory::of(bytes).map_err(|failure| failure.to_string())?;
    let mut contenders = vec![
        contender("handed over", at, bytes, |client| client.hand_over(&Memory::of(bytes)?, times)),
        contender("handed over, made before", at, bytes, |client| client.hand_over(&made, times)),
    ];
    if bytes.len() <= SENT_MAX {
        contenders.push(contender("sent in calls", at, bytes, |client| client.send(bytes, times)));
    }
    let mut rivals = measure_runs(scale, RUNS, &mut contenders)?;
    let ours = rivals.remove(0);
    let (unit, judged) = ("µs for all", Judged::LowMedian);
    Ok(Figure { name, unit, judged, paper: None, wanted: "–", ours, rivals, how })
}

/// Each sample has a peer of its own, and a reading before that is not timed: the session is there then.
fn contender<'a>(
    name: &str,
    (way, processor): (Way, usize),
    bytes: &'a [u8],
    read: impl Fn(&Client) -> Result<i64, Failure> + 'a,
) -> Contender<'a> {
    let wanted = sum(bytes);
    Contender::new(name, move || {
        let client = Client::start(way, processor)?;
        let begun = Instant::now();
        let found = read(&client).map_err(|failure| failure.to_string())?;
        let elapsed = begun.elapsed();
        if found == wanted { Ok(elapsed.as_nanos() as f64 / 1e3) } else { Err("another sum".to_owned()) }
    })
}

struct Client {
    session: Arc<RemoteSession>,
    reader: Reader,
    _peer: Peer,
}

impl Client {
    fn start(way: Way, processor: usize) -> Result<Client, String> {
        let (peer, session) = Peer::session(MEMORY, way, processor)?;
        let client = Client { reader: Reader::from_portal(session.root()), session, _peer: peer };
        client.send(&[0; 8], 1).map_err(|failure| failure.to_string())?;
        Ok(client)
    }

    /// The sum as the last reading found it.
    fn hand_over(&self, memory: &Memory, times: usize) -> Result<i64, Failure> {
        let handed = CarnetMemory::from_portal(self.session.hand_over(memory)?);
        (0..times).try_fold(0, |_, _| self.reader.sum(&handed))
    }

    fn send(&self, bytes: &[u8], times: usize) -> Result<i64, Failure> {
        let parts = || bytes.chunks(BYTES_MAX as usize);
        (0..times)
            .try_fold(0, |_, _| parts().try_fold(0, |sum, part| Ok(added(sum, self.reader.sum_sent(part)?))))
    }
}

/// What a peer serves.
pub(crate) fn root() -> Arc<dyn Object> {
    Reader::serve(Adding).into_object()
}

struct Adding;

impl ReaderService for Adding {
    fn sum(&self, _: &Caller, of: PortalIn<'_, CarnetMemory>) -> Result<i64, Failure> {
        let memory = of.local::<Memory>().ok_or_else(|| Failure::service("memory that is not here"))?;
        Ok(sum(memory))
    }

    fn sum_sent(&self, _: &Caller, part: &[u8]) -> Result<i64, Failure> {
        Ok(sum(part))
    }
}

fn content(size: usize) -> Vec<u8> {
    (0..size).map(|index| (index % 251) as u8).collect()
}

/// Sums fit into 62 bits, so that two of them can be added.
fn added(one: i64, other: i64) -> i64 {
    (one + other) & (i64::MAX >> 1)
}

fn sum(bytes: &[u8]) -> i64 {
    let (words, _) = bytes.as_chunks();
    let sum = words.iter().fold(0_u64, |sum, word| sum.wrapping_add(u64::from_le_bytes(*word)));
    (sum & (u64::MAX >> 2)).cast_signed()
}
