//! The table: what each job took both ways, and how many times more one took than the other.

use std::io::{self, Write};

use carnet_program::text::{bytes, grouped};

use crate::jobs::Measured;

const TITLE_WIDTH: usize = 18;

pub(crate) fn print(measured: &[Measured], out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "\n{:TITLE_WIDTH$} | {:^22} | {:^28} | {:^25}",
        "", "round trips", "bytes over the link", "seconds"
    )?;
    writeln!(
        out,
        "{:TITLE_WIDTH$} | {:>6} {:>7} {:>7} | {:>10} {:>9} {:>7} | {:>8} {:>8} {:>7}",
        "job", "calls", "program", "ratio", "calls", "program", "ratio", "calls", "program", "ratio"
    )?;
    let line = |width: usize| "-".repeat(width);
    writeln!(out, "{}-+-{}-+-{}-+-{}", line(TITLE_WIDTH), line(22), line(28), line(25))?;
    for job in measured {
        row(job, out)?;
    }
    writeln!(out, "\nA program and its answer cross the link; what it works on stays where it is.")
}

fn row(job: &Measured, out: &mut dyn Write) -> io::Result<()> {
    let (calls, program) = (&job.calls, &job.program);
    writeln!(
        out,
        "{:TITLE_WIDTH$} | {:>6} {:>7} {:>7} | {:>10} {:>9} {:>7} | {:>8.2} {:>8.3} {:>7}",
        job.title,
        grouped(calls.round_trips),
        grouped(program.round_trips),
        ratio(calls.round_trips as f64, program.round_trips as f64),
        bytes(calls.bytes),
        bytes(program.bytes),
        ratio(calls.bytes as f64, program.bytes as f64),
        calls.seconds,
        program.seconds,
        ratio(calls.seconds, program.seconds),
    )
}

/// `771x`; with a decimal below ten.
fn ratio(calls: f64, program: f64) -> String {
    let ratio = calls / program.max(f64::MIN_POSITIVE);
    if ratio < 10.0 { format!("{ratio:.1}x") } else { format!("{}x", grouped(ratio.round() as u64)) }
}
