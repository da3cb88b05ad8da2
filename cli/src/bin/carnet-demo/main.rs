//! The demonstration: four jobs on real files over a slow link, by single calls and by programs.
//!
//! ```text
//! this process:  client ══ link, 20 ms there and back, counted ══ server ── a temporary directory
//! ```
//! It needs no privileges, no terminal and nothing that was not built with it, shows what it does in plain text, and
//! fails if an answer differs or a program saves less than [`RATIO_MIN`]. What is seen here is done with the
//! ordinary parts: generated client, server, program host. Nothing is made up for the occasion but the link.
//!
//! | file | what it does |
//! | --- | --- |
//! | `main.rs` | the order of events |
//! | `stage.rs` | directory, server, link; and clearing up |
//! | `checkout.rs` | which real files |
//! | `single_calls.rs` | the four jobs by single calls |
//! | `jobs.rs` | the four jobs: both ways, measured, answers compared |
//! | `trees.rs` | whether two trees on disk are equal |
//! | `table.rs` | the table |
//! | `sent.rs` | a program ready to be sent, and what came of it in the words of the `carnet` command |
//! | `papers.rs` | a program, its bill and its receipt; what is refused or stopped |

mod checkout;
mod jobs;
mod papers;
mod sent;
mod single_calls;
mod stage;
mod table;
mod trees;

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use jobs::Measured;
use stage::Stage;

/// A program must take so many times fewer round trips than single calls.
const RATIO_MIN: u64 = 50;

/// Shows on real files what Carnet is for: four jobs by single calls and by programs, over a slow link.
#[derive(Debug, Parser)]
struct Options {
    /// Round-trip time of the link in milliseconds
    #[arg(long, default_value_t = 20, value_name = "MS")]
    round_trip_ms: u64,
    /// How many files of the repository are taken
    #[arg(long, default_value_t = 100, value_name = "N")]
    files: usize,
}

/// What ends the demonstration early.
type Trouble = Box<dyn Error>;

fn main() -> ExitCode {
    let options = Options::parse();
    let mut out = io::stdout().lock();
    let ran = run(&options, &mut out);
    while stage::interrupted() {
        // Whoever clears up ends the process.
        std::thread::park();
    }
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read us has seen enough.
        Err(trouble) if is_broken_pipe(trouble.as_ref()) => ExitCode::SUCCESS,
        Err(trouble) => {
            let _ = out.flush();
            eprintln!("\nthe demo failed: {trouble}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(trouble: &(dyn Error + 'static)) -> bool {
    trouble.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn run(options: &Options, out: &mut dyn Write) -> Result<(), Trouble> {
    let round_trip = Duration::from_millis(options.round_trip_ms);
    let stage = Stage::set(options.files, round_trip)?;
    introduce(&stage, round_trip, out)?;
    let mut measured = Vec::new();
    for job in &jobs::ALL {
        measured.push(jobs::both_ways(job, &stage, out)?);
    }
    table::print(&measured, out)?;
    enough(&measured)?;
    papers::program(out)?;
    papers::bill_and_receipt(&stage, out)?;
    papers::refused(&stage, out)?;
    papers::stopped(&stage, out)?;
    next(out)?;
    Ok(())
}

fn introduce(stage: &Stage, round_trip: Duration, out: &mut dyn Write) -> io::Result<()> {
    let filled = stage.filled();
    writeln!(
        out,
        "Carnet: send the loop, not the calls.

A server offers a directory with {} files in {} directories, {}: sources of this
repository, older copies of them, and some leftover .tmp files. Between client and server
lies a link on which a request and its answer take {} ms together.

Four jobs are done twice, on equal directories: by single calls, each a request and its answer
with at most 64 KiB of a file, and by a program: a few lines, sent once to run beside the files.
",
        filled.files,
        filled.dirs,
        carnet_program::text::bytes(filled.bytes),
        round_trip.as_millis(),
    )
}

/// Fewer round trips are what this is about.
fn enough(measured: &[Measured]) -> Result<(), Trouble> {
    let poor = measured.iter().find(|job| job.calls.round_trips < RATIO_MIN * job.program.round_trips);
    match poor {
        None => Ok(()),
        Some(job) => Err(format!(
            "{}: {} round trips by calls and {} as a program, which is less than {RATIO_MIN} to 1",
            job.title, job.calls.round_trips, job.program.round_trips
        )
        .into()),
    }
}

fn next(out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "

TRY IT: the four programs are in programs/. Serve a directory, and send them:

  cargo build --release -p carnet
  export PATH=$PWD/target/release:$PATH CARNET_SERVER=unix:./c.sock
  carnet serve files docs --listen unix:./c.sock &
  carnet describe
  carnet run programs/disk_usage.carnet root=/:ro
  carnet bill programs/delete_old.carnet root=/ suffix=.md age=1s
  carnet run --dry-run programs/delete_old.carnet root=/ suffix=.md age=1s

README.md goes on from there."
    )
}
