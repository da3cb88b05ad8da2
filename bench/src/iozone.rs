//! IOzone's re-read: a cached file of 64 KiB read in records of 4 KiB from another process, as in the paper's section 5.2.
//!
//! ```text
//! this process                                 the peer
//! open(path) ────────────────────────────────► Vfs ──► answers with the portal of the file service's File
//! read(offset, 4096) ────────────────────────► File ── which has the file in memory
//! ```
//!
//! Only records are timed, as IOzone does, and the file is read again and again from its start. Whoever reads uses the
//! record where it arrived; nobody copies it once more. Systems differ in nothing but what makes messages of calls:
//!
//! | contender | reads and writes messages by | on the channel |
//! | --- | --- | --- |
//! | ours | generated stubs of `reread.idl` | directly |
//! | prost, Cap'n Proto | their own generated code (bench/rivals/calls) | as bytes: a call of `opaque.idl` |
//! | by hand | two loads and two stores | the same |
//!
//! So a message of theirs travels within one of ours. That costs little: `by hand`, which pays the same, took 81
//! instructions more than ours for a record when they were counted (4,379 and 4,298 over a socket, both sides, user code).
//! A run goes on for 20 ms, and there are ten of each, in turns.

mod by_hand;

use std::sync::Arc;
use std::time::Duration;

use carnet_portal::call::Object;
use carnet_portal::remote::WaitMode;
use carnet_portal::stub::{BytesOut, Caller, Failure, Served};

use crate::measure::{Contender, Measured, Scale, measure_runs, processors, time_trips};
use crate::peer::{Peer, Way};
use crate::report::{Figure, Judged};
use crate::rival::Calls;

pub(crate) use by_hand::root as opaque_root;

/// Stubs of `reread.idl`.
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]
pub mod reread {
    include!(concat!(env!("OUT_DIR"), "/reread.rs"));
}

/// Stubs of `opaque.idl`.
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]
pub mod opaque {
    include!(concat!(env!("OUT_DIR"), "/opaque.rs"));
}

const RUNS: usize = 10;
const RUN: Duration = Duration::from_millis(20);
const RECORD_BYTES: usize = reread::RECORD_BYTES as usize;
const FILE_BYTES: usize = 64 << 10;
const PATH: &str = "/cached";

/// The ways, and where the peer is.
const SAME: [Way; 2] = [Way::Socket, Way::Shared(WaitMode::Sleeping)];
const CROSS: [Way; 2] = [Way::Socket, Way::Shared(WaitMode::Spinning)];

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
) -> Result<[Figure; 2], String> {
    let mut contenders = vec![ours(scale, way, processor), by_hand(scale, way, processor)];
    if let Some(built) = built {
        contenders.push(other("prost", built, ["prost", way.word()], processor));
        contenders.push(other("Cap'n Proto", built, ["capnp", way.word()], processor));
    }
    let measured = measure_runs(scale, RUNS, &mut contenders)?;
    let peer = if processor == 0 { "processor 0" } else { "the same" };
    let how = format!(
        "re-read of {} KiB in records of 4 KiB, {RUNS} runs, mean ± standard deviation; the client {pinned}, the file's \
         server on {peer}",
        FILE_BYTES >> 10
    );
    Ok(figures(&format!("iozone: {place}, {}", way.name()), &how, &measured))
}

fn ours<'a>(scale: Scale, way: Way, processor: usize) -> Contender<'a> {
    Contender::new("ours", move || {
        let (_peer, root) = Peer::connect("reread", way, processor)?;
        let opened = reread::Vfs::from_portal(root).open(PATH.as_bytes());
        let file = opened.map_err(|failure| failure.to_string())?;
        let mut place = 0;
        let read = || {
            let record = file.read(place as u64, RECORD_BYTES as u32);
            place = after(place, &record.map_err(|failure| failure.to_string())?)?;
            Ok(())
        };
        time_trips(scale, RUN, read).map(throughput)
    })
}

fn by_hand<'a>(scale: Scale, way: Way, processor: usize) -> Contender<'a> {
    Contender::new("by hand", move || {
        let (_peer, root) = Peer::connect("opaque", way, processor)?;
        let file = by_hand::File::open(root)?;
        let mut place = 0;
        let read = || {
            place = after(place, &file.read(place as u64)?)?;
            Ok(())
        };
        time_trips(scale, RUN, read).map(throughput)
    })
}

fn other<'a>(name: &str, built: &'a Calls, words: [&'a str; 2], processor: usize) -> Contender<'a> {
    Contender::new(name, move || {
        let mut rival = built.start(&words, processor)?;
        rival.time("reread", RUN, RECORD_BYTES as i64).map(throughput)
    })
}

/// Ours beside other messages, and beside what is written by hand.
fn figures(name: &str, how: &str, measured: &[Measured]) -> [Figure; 2] {
    let (paper, wanted) = ("569 ± 18 with IDL4, 503 ± 17 with Flick: 1.13 ×", "≥ 1.13 × either");
    let figure = |name: String, paper, wanted, rivals: &[Measured]| Figure {
        name,
        unit: "MB/s",
        judged: Judged::HighMean,
        paper,
        wanted,
        ours: measured[0].clone(),
        rivals: rivals.to_vec(),
        how: how.to_owned(),
    };
    let others = figure(name.to_owned(), Some(paper), wanted, &measured[2..]);
    [others, figure(format!("{name}, beside a loop by hand"), None, "–", &measured[1..2])]
}

/// MB/s, of the nanoseconds that a record takes.
fn throughput(ns: f64) -> f64 {
    RECORD_BYTES as f64 * 1000.0 / ns
}

fn byte_at(index: usize) -> u8 {
    (index % 251) as u8
}

fn content() -> Vec<u8> {
    (0..FILE_BYTES).map(byte_at).collect()
}

/// Checks the record at this place by its ends, since to compare all of it would be measured, too; the place of the next.
fn after(place: usize, record: &[u8]) -> Result<usize, String> {
    let last = RECORD_BYTES - 1;
    let ends = (record.first(), record.get(last), record.get(last + 1));
    if ends != (Some(&byte_at(place)), Some(&byte_at(place + last)), None) {
        return Err(format!("another record came than the one at {place}"));
    }
    Ok((place + RECORD_BYTES) % FILE_BYTES)
}

/// The part of the file that is asked for.
fn part(file: &[u8], offset: u64, length: usize) -> &[u8] {
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(file.len());
    &file[start..start.saturating_add(length.min(RECORD_BYTES)).min(file.len())]
}

/// What a peer serves.
pub(crate) fn root() -> Arc<dyn Object> {
    reread::Vfs::serve(Vfs(reread::File::serve(File(content())))).into_object()
}

/// The virtual file system: it knows who has the file.
struct Vfs(Served<reread::File>);

impl reread::VfsService for Vfs {
    fn open(&self, _caller: &Caller, path: &[u8]) -> Result<Served<reread::File>, Failure> {
        if path != PATH.as_bytes() {
            return Err(Failure::bad_argument("there is no such file"));
        }
        Ok(self.0.clone())
    }
}

/// The file service's file.
struct File(Vec<u8>);

impl reread::FileService for File {
    fn read(
        &self,
        _caller: &Caller,
        offset: u64,
        length: u32,
        record: &mut BytesOut<'_>,
    ) -> Result<(), Failure> {
        // A record never is longer than an answer may be.
        let fits = record.extend(part(&self.0, offset, length as usize));
        if fits { Ok(()) } else { Err(Failure::service("a record too long")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_file_ends_with_it_and_with_the_record() {
        let file = content();
        assert_eq!(part(&file, 4096, 4096), &file[4096..8192]);
        assert_eq!(part(&file, 0, 1 << 20).len(), RECORD_BYTES);
        assert_eq!(part(&file, 65_530, 4096), &file[65_530..]);
        assert!(part(&file, u64::MAX, usize::MAX).is_empty());
    }

    #[test]
    fn another_record_is_found_out() {
        let file = content();
        assert_eq!(after(0, part(&file, 0, RECORD_BYTES)), Ok(RECORD_BYTES));
        for wrong in [part(&file, 0, RECORD_BYTES), part(&file, 4096, 4095), &file[4096..8193], &[]] {
            assert!(after(4096, wrong).is_err());
        }
        let last = FILE_BYTES - RECORD_BYTES;
        assert_eq!(after(last, part(&file, last as u64, RECORD_BYTES)), Ok(0), "it begins anew");
    }

    #[test]
    fn a_record_in_a_microsecond_is_4096_mb_in_a_second() {
        assert_eq!(throughput(1000.0), 4096.0);
    }
}
