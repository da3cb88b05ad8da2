//! Figure 7: instructions of the copy program by system calls, by a program that is sent each time, and by an installed one.
//!
//! They are counted by the emulator, whose clock ticks once per instruction; what a crossing costs a real processor in cycles beside its
//! instructions is not in them, so that they understate what is saved.

use std::fmt::Write as _;
use std::path::Path;

use crate::archive::Archive;
use crate::machine::{Clock, Machine, alarm};
use crate::programs;

/// A measurement: `installed zero-null 2 1263`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// `calls`, `sent`, `installed`, `getpid`, `ioctl`, `null-sent`, `null-installed`.
    pub way: String,
    /// `zero-null`: /dev/zero to /dev/null; `pipe-pipe`; or `-`.
    pub files: String,
    /// System calls made.
    pub calls: u64,
    /// Instructions, the median of the runs.
    pub instructions: u64,
}

/// Measures, in the emulator.
///
/// # Errors
/// What is missing or went wrong.
pub fn measure(machine: &Machine) -> Result<Vec<Row>, String> {
    let mut archive = Archive::default();
    ["dev", "proc", "tmp", "bench"].iter().for_each(|folder| archive.folder(folder));
    archive.file("carnet.ko", &machine.module()?);
    archive.file("init", &machine.program("init")?);
    archive.file("benchmark", &machine.program("bench")?);
    for (name, bytes) in programs::of_figure_7()? {
        archive.file(&format!("bench/{name}.cnb"), &bytes);
    }
    archive.file("run", b"load\n/benchmark\nunload\n");
    let said = machine.boot(archive, Clock::Counted)?;
    if let Some(line) = alarm(&said) {
        return Err(format!("{said}\nthe kernel is not well: {line}"));
    }
    if !said.contains("bench done") {
        return Err(format!("{said}\nit never said `bench done`"));
    }
    Ok(rows(&said))
}

fn rows(said: &str) -> Vec<Row> {
    const WAYS: [&str; 7] = ["null-sent", "null-installed", "calls", "sent", "installed", "getpid", "ioctl"];
    let row = |line: &str| {
        // The first line stands behind what the machine's own software wrote.
        let line = line.rsplit(['\r', '\u{1b}']).next()?;
        let mut words = line.split_whitespace().rev();
        let instructions = words.next()?.parse().ok()?;
        let calls = words.next()?.parse().ok()?;
        let files = words.next()?.to_owned();
        let way =
            WAYS.into_iter().find(|way| words.clone().next().is_some_and(|word| word.ends_with(way)))?;
        Some(Row { way: way.to_owned(), files, calls, instructions })
    };
    said.lines().filter_map(row).collect()
}

fn of(rows: &[Row], way: &str, files: &str, calls: u64) -> Option<u64> {
    let is_it = |row: &&Row| row.way == way && row.files == files && row.calls == calls;
    rows.iter().find(is_it).map(|row| row.instructions)
}

/// The fewest calls at which `way` is cheaper, in what the cost of 10 calls and of each further pair says if it is more than were measured.
#[must_use]
pub fn break_even(rows: &[Row], way: &str, files: &str) -> Option<u64> {
    let cheaper = |calls: u64| Some(of(rows, way, files, calls)? < of(rows, "calls", files, calls)?);
    if let Some(calls) = (1..=10).find(|calls| cheaper(*calls) == Some(true)) {
        return Some(calls);
    }
    let last = of(rows, way, files, 10)?.checked_sub(of(rows, "calls", files, 10)?)?;
    let pair = |way: &str| Some(of(rows, way, files, 10)? - of(rows, way, files, 8)?);
    let saved = pair("calls")?.checked_sub(pair(way)?).filter(|saved| *saved > 0)?;
    Some(10 + (2 * last).div_ceil(saved))
}

/// The table, for people.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    let mut out = String::new();
    for row in rows.iter().filter(|row| row.files == "-") {
        let _ = writeln!(out, "{:16} {:>7}", row.way, row.instructions);
    }
    for files in ["zero-null", "pipe-pipe"] {
        let _ = writeln!(out, "\n{files:10} {:>10} {:>10} {:>10}", "calls", "sent", "installed");
        for calls in programs::CALLS {
            let number = |way| of(rows, way, files, calls.into()).map_or(String::new(), |n| n.to_string());
            let _ = writeln!(
                out,
                "{calls:10} {:>10} {:>10} {:>10}",
                number("calls"),
                number("sent"),
                number("installed")
            );
        }
        let pair = |way| Some(of(rows, way, files, 10)? - of(rows, way, files, 8)?);
        let pairs =
            ["calls", "sent", "installed"].map(|way| pair(way).map_or(String::new(), |n| n.to_string()));
        let _ = writeln!(out, "{:10} {:>10} {:>10} {:>10}", "a pair", pairs[0], pairs[1], pairs[2]);
        let even = ["sent", "installed"]
            .map(|way| break_even(rows, way, files).map_or("never".to_owned(), |calls| calls.to_string()));
        let _ = writeln!(out, "{:10} {:>10} {:>10} {:>10}", "pays from", "", even[0], even[1]);
    }
    out
}

/// Figure 7 as a drawing.
#[must_use]
pub fn drawing(rows: &[Row]) -> String {
    let series = [
        ("calls", "#1f6fb4", "by system calls"),
        ("sent", "#c0392b", "program sent each time"),
        ("installed", "#2e8b57", "installed program"),
    ];
    let most = rows
        .iter()
        .filter(|row| row.files == "zero-null" && row.calls <= 10)
        .map(|row| row.instructions)
        .max();
    let top = most.unwrap_or(1).next_multiple_of(2_000) as f64;
    let x = |calls: u64| 70.0 + (calls as f64 - 1.0) * 50.0;
    let y = |n: f64| 310.0 - n / top * 280.0;
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 560 360\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"560\" height=\"360\" fill=\"white\"/>\n",
    );
    for step in 0..=4 {
        let n = top * f64::from(step) / 4.0;
        let _ = writeln!(
            out,
            "<path d=\"M70 {0:.1}H520\" stroke=\"#ddd\"/><text x=\"62\" y=\"{1:.1}\" text-anchor=\"end\">{n:.0}</text>",
            y(n),
            y(n) + 4.0
        );
    }
    for calls in 1..=10 {
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"328\" text-anchor=\"middle\">{calls}</text>", x(calls));
    }
    for (k, (way, color, name)) in series.into_iter().enumerate() {
        let points = (1..=10).filter_map(|calls| {
            let n = of(rows, way, "zero-null", calls)?;
            Some(format!("{:.1},{:.1}", x(calls), y(n as f64)))
        });
        let points = points.collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            out,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"
        );
        let at = 22 + 16 * k;
        let _ = writeln!(
            out,
            "<path d=\"M90 {at}h24\" stroke=\"{color}\" stroke-width=\"2\"/><text x=\"120\" y=\"{}\">{name}</text>",
            at + 4
        );
    }
    out + "<text x=\"295\" y=\"350\" text-anchor=\"middle\">system calls, /dev/zero to /dev/null, 1 byte</text>\n<text transform=\"translate(16 170) rotate(-90)\" text-anchor=\"middle\">instructions</text>\n</svg>\n"
}

/// Measures, prints the tables, and draws the figure into `docs/book/figure7.svg`.
///
/// # Errors
/// What is missing or went wrong.
pub fn print(root: &Path) -> Result<(), String> {
    let machine = Machine::find(root)?;
    let rows = measure(&machine)?;
    println!("instructions, counted in the emulator; kernel {}", machine.release());
    print!("{}", table(&rows));
    println!("\nsize                  lines  bytes of text");
    for (part, bytes) in machine.sizes()? {
        let text = std::fs::read_to_string(root.join("kernel").join(format!("{part}.c")));
        let lines = text.map_err(|error| error.to_string())?.lines().count();
        println!("{part:20} {lines:>6} {bytes:>14}");
    }
    println!("the paper's interpreter: 235 lines, 358 with its header, less than 2 KB");
    let path = root.join("docs/book/figure7.svg");
    std::fs::write(&path, drawing(&rows)).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_the_break_even_is_found() {
        let mut said = String::from("Booting from ROM..\u{1b}[?7lgetpid - 1 309\nother - 1\n");
        for calls in 1..=10 {
            let _ = writeln!(said, "calls zero-null {calls} {}", calls * 100);
            let _ = writeln!(said, "installed zero-null {calls} {}", 250 + calls * 50);
            let _ = writeln!(said, "sent zero-null {calls} {}", 2_000 + calls * 50);
        }
        let rows = rows(&said);
        assert_eq!(rows.len(), 31);
        assert_eq!(rows[0].instructions, 309);
        assert_eq!(break_even(&rows, "installed", "zero-null"), Some(6));
        // 1,500 behind at 10, 50 of which each call makes good.
        assert_eq!(break_even(&rows, "sent", "zero-null"), Some(40));
        assert!(drawing(&rows).contains("polyline"));
        assert!(table(&rows).contains("pays from"));
    }
}
