//! IOzone's re-read: a cached file of 64 KiB read in records of 4 KiB from another process, as in the paper's section 5.2.
//!
//! The file is opened through a virtual file system in a second process and read from the file server in a third, whose own
//! portal the client has (bench/reread has the picture, and says how it comes by that). Only records are timed, as IOzone does,
//! and the file is read again and again from its start. Systems differ in nothing but what makes messages of calls:
//!
//! | contender | reads and writes messages by | on the channel |
//! | --- | --- | --- |
//! | ours | generated stubs of `Records` | directly |
//! | prost, Cap'n Proto | their own generated code (bench/rivals/calls) | as bytes: a call of `Opaque` |
//! | messages by hand | two loads and two stores | the same |
//! | loop by hand | [`bare`]: nothing but the channel, in two processes | directly |
//!
//! Ours has the record in the program's own buffer, which it lent for that, as IOzone has. prost and Cap'n Proto have it within an
//! answer. Both ways to go on stand beside ours: to use it there, and to copy it into the program's buffer.
//!
//! A message of theirs travels within one of ours, which is as short a call. What that costs is seen at `messages by hand`,
//! which pays the same.
//! A run goes on for 20 ms, and there are ten of each, in turns.

mod bare;
mod by_hand;

use std::time::Duration;

use carnet_bench_reread::reread::{File, Records};
use carnet_bench_reread::{Course, FILE_BYTES, RECORD_BYTES, open};
use carnet_portal::remote::WaitMode;
use carnet_portal::stub::Served;

use crate::measure::{Contender, Measured, Scale, measure_runs, processors, time_trips};
use crate::peer::{Peer, VFS, Way};
use crate::report::{Figure, Judged};
use crate::rival::Calls;
use bare::Bare;
use by_hand::ByHand;

pub(crate) use bare::{FAMILY as BARE, serve as serve_bare};

const RUNS: usize = 10;
const RUN: Duration = Duration::from_millis(20);

/// The ways, and where the servers are.
const SAME: [Way; 2] = [Way::Socket, Way::Shared(WaitMode::Sleeping)];
const CROSS: [Way; 2] = [Way::Socket, Way::Shared(WaitMode::Spinning)];

/// Others' messages: name, word, and what is done with a record.
const OTHERS: [(&str, &str, &str); 4] = [
    ("prost", "prost", IN_PLACE),
    ("Cap'n Proto", "capnp", IN_PLACE),
    ("prost, copied out", "prost", COPIED),
    ("Cap'n Proto, copied out", "capnp", COPIED),
];
const IN_PLACE: &str = "in-place";
const COPIED: &str = "copied";

/// Measures.
///
/// # Errors
/// A peer or rival that cannot be started, or a wrong record.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let built = if scale == Scale::Full { Some(Calls::new()?) } else { None };
    let mut figures = Vec::new();
    for way in SAME {
        figures.extend(by(scale, way, "same core", processors() - 1, built.as_ref(), pinned)?);
    }
    if processors() > 1 {
        for way in CROSS {
            figures.extend(by(scale, way, "cross core", 0, built.as_ref(), pinned)?);
        }
    }
    Ok(figures)
}

fn by(
    scale: Scale,
    way: Way,
    place: &str,
    processor: usize,
    built: Option<&Calls>,
    pinned: &str,
) -> Result<[Figure; 3], String> {
    let mut contenders =
        vec![ours(scale, way, processor), bare(scale, way, processor), by_hand(scale, way, processor)];
    for (name, word, record) in OTHERS {
        contenders.extend(built.map(|built| other(name, built, [word, way.word()], record, processor)));
    }
    let measured = measure_runs(scale, RUNS, &mut contenders)?;
    let servers = if processor == 0 { "processor 0" } else { "the same" };
    let how = format!(
        "re-read of {} KiB in records of 4 KiB, {RUNS} runs, mean ± standard deviation; the client {pinned}, virtual file \
         system and file server, a process each, on {servers}",
        FILE_BYTES >> 10
    );
    Ok(figures(&format!("iozone: {place}, {}", way.name()), &how, &measured))
}

fn ours<'a>(scale: Scale, way: Way, processor: usize) -> Contender<'a> {
    Contender::new("ours", move || {
        let (_servers, file) = Servers::start(Kind::Records, way, processor)?;
        let file = Records::from_portal(file.portal().clone());
        let (mut course, mut record) = (Course::default(), Vec::new());
        let read = || {
            let read = file.read_into(course.offset(), RECORD_BYTES as u32, &mut record);
            read.map_err(|failure| failure.to_string())?;
            takes(&mut course, &record)
        };
        time_trips(scale, RUN, read).map(throughput)
    })
}

fn by_hand<'a>(scale: Scale, way: Way, processor: usize) -> Contender<'a> {
    Contender::new("messages by hand", move || {
        let (_servers, file) = Servers::start(Kind::ByHand, way, processor)?;
        let file = ByHand::new(&file);
        let (mut course, mut record) = (Course::default(), Vec::new());
        let read = || {
            file.read(course.offset(), &mut record).map_err(|failure| failure.to_string())?;
            takes(&mut course, &record)
        };
        time_trips(scale, RUN, read).map(throughput)
    })
}

fn bare<'a>(scale: Scale, way: Way, processor: usize) -> Contender<'a> {
    Contender::new("loop by hand", move || {
        let mut bare = Bare::start(way, processor)?;
        let mut course = Course::default();
        let read = || {
            let record = bare.read(course.offset())?;
            takes(&mut course, record)
        };
        time_trips(scale, RUN, read).map(throughput)
    })
}

fn other<'a>(
    name: &str,
    built: &'a Calls,
    words: [&'a str; 2],
    record: &'a str,
    processor: usize,
) -> Contender<'a> {
    Contender::new(name, move || {
        let mut rival = built.start(&words, processor)?;
        rival.time(record, RUN, RECORD_BYTES as i64).map(throughput)
    })
}

/// Ours beside other messages, used where they arrived and copied out, and beside what is written by hand.
fn figures(name: &str, how: &str, measured: &[Measured]) -> [Figure; 3] {
    let (paper, wanted) = ("569 ± 18 with IDL4, 503 ± 17 with Flick: 1.13 ×", "≥ 1.13 × either");
    let figure = |name: String, paper, wanted, names: &[&str]| Figure {
        name,
        unit: "MB/s",
        judged: Judged::HighMean,
        paper,
        wanted,
        ours: measured[0].clone(),
        rivals: Measured::named(measured, names),
        how: how.to_owned(),
    };
    let others = |record| {
        let others = OTHERS.iter().filter(move |other| other.2 == record);
        others.map(|other| other.0).collect::<Vec<_>>()
    };
    [
        figure(name.to_owned(), Some(paper), wanted, &others(IN_PLACE)),
        figure(format!("{name}, into the program's buffer"), Some(paper), wanted, &others(COPIED)),
        figure(format!("{name}, beside a loop by hand"), None, "–", &["loop by hand", "messages by hand"]),
    ]
}

/// MB/s, of the nanoseconds that a record takes.
fn throughput(ns: f64) -> f64 {
    RECORD_BYTES as f64 * 1000.0 / ns
}

fn takes(course: &mut Course, record: &[u8]) -> Result<(), String> {
    let at = course.offset();
    if course.takes(record) { Ok(()) } else { Err(format!("another record came than the one at {at}")) }
}

/// How a file server gives records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Records,
    ByHand,
}

impl Kind {
    pub(crate) const ALL: [Kind; 2] = [Kind::Records, Kind::ByHand];

    /// The family of its peer.
    pub(crate) fn family(self) -> &'static str {
        match self {
            Kind::Records => "records",
            Kind::ByHand => "by-hand",
        }
    }

    pub(crate) fn file(self) -> Served<File> {
        match self {
            Kind::Records => carnet_bench_reread::records(),
            Kind::ByHand => by_hand::file(),
        }
    }
}

/// The other two processes.
struct Servers {
    _vfs: Peer,
    _files: Peer,
}

impl Servers {
    /// Starts both, and opens the file.
    fn start(kind: Kind, way: Way, processor: usize) -> Result<(Servers, File), String> {
        let files = Peer::start(kind.family(), way.word(), processor)?;
        let vfs = Peer::start(VFS, &files.address()?.to_string(), processor)?;
        let file = open(&vfs.address()?, way.shared()).map_err(|failure| failure.to_string())?;
        Ok((Servers { _vfs: vfs, _files: files }, file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_in_a_microsecond_is_4096_mb_in_a_second() {
        assert_eq!(throughput(1000.0), 4096.0);
    }
}
