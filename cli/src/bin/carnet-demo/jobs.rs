//! The four jobs: each by single calls and as a program, measured at the link, with the answers compared.
//!
//! The two ways work on equal directories. Afterwards the results must be equal byte by byte, in the form in which
//! programs return them, and so must both directories on disk.

use std::io::Write;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use carnet_files::files::Dir;
use carnet_program::client::Client;
use carnet_program::protocol::End;
use carnet_programs::Shipped;

use crate::Trouble;
use crate::sent::Sent;
use crate::single_calls::{Called, copy_tree, delete_old, disk_usage, find_duplicates};
use crate::stage::Stage;
use crate::trees;

/// One job.
pub(crate) struct Job {
    title: &'static str,
    program: Shipped,
    arguments: &'static [&'static str],
    /// Does it by single calls from the root of the session.
    by_calls: fn(&Dir) -> Called<Answer>,
    /// Directories that are equal afterwards, apart from those of the two ways.
    equal: &'static [(&'static str, &'static str)],
}

/// The jobs, in the order of the table. Each leaves the two directories equal, so that the next can begin.
pub(crate) const ALL: [Job; 4] = [
    Job {
        title: "copy a tree",
        program: carnet_programs::COPY_TREE,
        arguments: &["from=/program/files/src", "to=/program/backup"],
        by_calls: |root| {
            let (from, to) = (root.at(b"/calls/files/src")?, root.at(b"/calls/backup")?);
            let copied = copy_tree(&from, &to)?;
            Ok(Answer::default().int(copied.files).int(copied.bytes))
        },
        equal: &[("calls/files/src", "calls/backup")],
    },
    Job {
        title: "disk usage",
        program: carnet_programs::DISK_USAGE,
        arguments: &["root=/program/files:ro"],
        by_calls: |root| {
            let usage = disk_usage(&root.at(b"/calls/files:ro")?)?;
            let answer = Answer::default().count(usage.len());
            Ok(usage.iter().fold(answer, |answer, u| answer.int(u.bytes).int(u.files).text(&u.name)))
        },
        equal: &[],
    },
    Job {
        title: "find duplicates",
        program: carnet_programs::FIND_DUPLICATES,
        arguments: &["root=/program/files:ro"],
        by_calls: |root| {
            let same = find_duplicates(&root.at(b"/calls/files:ro")?)?;
            let answer = Answer::default().count(same.len());
            Ok(same.iter().fold(answer, |answer, pair| answer.text(&pair.copy).text(&pair.original)))
        },
        equal: &[],
    },
    Job {
        title: "delete old files",
        program: carnet_programs::DELETE_OLD,
        arguments: &["root=/program/files", "age=7d"],
        by_calls: |root| {
            let gone = delete_old(&root.at(b"/calls/files")?, b".tmp", now_ns() - 7 * 86_400_000_000_000)?;
            let answer = Answer::default().count(gone.len());
            Ok(gone.iter().fold(answer, |answer, path| answer.text(path)))
        },
        equal: &[],
    },
];

/// A result in the form in which programs return it: numbers of 8 bytes, texts and lists after a count of 4.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Answer(Vec<u8>);

impl Answer {
    /// Whether it is a list with nothing in it.
    fn is_empty(&self) -> bool {
        self.0.len() <= 4
    }

    fn int(mut self, value: i64) -> Answer {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    fn count(mut self, value: usize) -> Answer {
        self.0.extend_from_slice(&(value as u32).to_le_bytes());
        self
    }

    fn text(self, text: &[u8]) -> Answer {
        let mut answer = self.count(text.len());
        answer.0.extend_from_slice(text);
        answer
    }
}

/// What a job took at the link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) round_trips: u64,
    pub(crate) bytes: u64,
    pub(crate) seconds: f64,
}

/// What a job took both ways.
pub(crate) struct Measured {
    pub(crate) title: &'static str,
    pub(crate) calls: Taken,
    pub(crate) program: Taken,
}

/// Does a job both ways and compares.
pub(crate) fn both_ways(job: &Job, stage: &Stage, out: &mut dyn Write) -> Result<Measured, Trouble> {
    write!(out, "  {:17}", job.title)?;
    let (by_calls, calls) = tell("single calls", stage, out, || one_by_one(job, stage))?;
    let (result, program) = tell("program", stage, out, || as_program(job, stage))?;
    if by_calls != result {
        return Err(format!("{}: the answers of single calls and program differ", job.title).into());
    }
    if by_calls.is_empty() {
        return Err(format!("{}: there was nothing to do", job.title).into());
    }
    for (one, other) in job.equal.iter().chain(&[("calls", "program")]) {
        trees::compare(&stage.on_disk(one), &stage.on_disk(other))?;
    }
    writeln!(out, "  same answer, same files")?;
    Ok(Measured { title: job.title, calls, program })
}

/// Says what is being done and how long it took.
fn tell<T>(
    way: &str,
    stage: &Stage,
    out: &mut dyn Write,
    work: impl FnOnce() -> Result<T, Trouble>,
) -> Result<(T, Taken), Trouble> {
    write!(out, " {way} ")?;
    out.flush()?;
    let (done, taken) = measure(stage, work)?;
    write!(out, "{:>5.2} s ", taken.seconds)?;
    Ok((done, taken))
}

fn measure<T>(stage: &Stage, work: impl FnOnce() -> Result<T, Trouble>) -> Result<(T, Taken), Trouble> {
    stage.relay().reset();
    let began = Instant::now();
    let done = work()?;
    let seconds = began.elapsed().as_secs_f64();
    let counts = stage.relay().counts();
    let bytes = counts.to_server_bytes + counts.to_client_bytes;
    Ok((done, Taken { round_trips: counts.round_trips, bytes, seconds }))
}

fn one_by_one(job: &Job, stage: &Stage) -> Result<Answer, Trouble> {
    let root = Dir::from_portal(stage.connect()?.root());
    Ok((job.by_calls)(&root)?)
}

/// From the text of the program to its result.
fn as_program(job: &Job, stage: &Stage) -> Result<Answer, Trouble> {
    let sent = Sent::new(job.program, job.arguments)?;
    let outcome = Client::new(stage.connect()?).run(&sent.request(), &[])?;
    match (&outcome.end, &outcome.result) {
        (End::Done, Some(result)) => Ok(Answer(result.clone())),
        _ => Err(sent.report(&outcome).into()),
    }
}

fn now_ns() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
