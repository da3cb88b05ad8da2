//! Figure 7: instructions of the copy program by system calls, by a program that is sent each time, and by an installed one.
//!
//! | way | what it is |
//! | --- | --- |
//! | `calls` | single system calls |
//! | `interp` | the paper's call, `interp()`, which opens the device and closes it |
//! | `first` | the program is sent, and the kernel has never seen it: it is verified |
//! | `sent` | the program is sent, as it was sent before by the same file: it is compared with the kernel's copy |
//! | `installed` | it was installed and bound |
//! | `first-seek`, `sent-seek`, `seek` | the same three, not by `ioctl` but by `lseek` |
//!
//! They are counted by the emulator, whose clock ticks once per instruction; what a crossing costs a real processor in cycles beside its
//! instructions is not in them, so that they understate what is saved. Times are printed, too, and mean nothing there.

use std::fmt::Write as _;
use std::path::Path;

use crate::archive::Archive;
use crate::machine::{Clock, Machine, alarm};
use crate::programs;

/// The ways of [`Row::way`], in the order of the table.
pub const WAYS: [&str; 8] =
    ["calls", "interp", "first", "sent", "installed", "first-seek", "sent-seek", "seek"];
/// Calls that do nothing.
const NOTHING: [&str; 3] = ["getpid", "ioctl", "lseek"];

/// A measurement: `installed zero-null 2 1263`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// One of [`WAYS`], with `null-` before if the program does nothing; `getpid`, `ioctl`, `lseek`: calls that do nothing.
    pub way: String,
    /// `zero-null`: /dev/zero to /dev/null; `pipe-pipe`; or `-`.
    pub files: String,
    /// System calls made.
    pub calls: u64,
    /// Instructions, the median of the runs.
    pub instructions: u64,
}

/// Measures, in the emulator: instructions, or by a clock that runs freely ticks of the host's.
///
/// # Errors
/// What is missing or went wrong.
pub fn measure(machine: &Machine, clock: Clock) -> Result<Vec<Row>, String> {
    let mut archive = Archive::default();
    ["dev", "proc", "tmp", "bench"].iter().for_each(|folder| archive.folder(folder));
    archive.file("carnet.ko", &machine.module()?);
    archive.file("init", &machine.program("init")?);
    archive.file("benchmark", &machine.program("bench")?);
    for (name, bytes) in programs::of_figure_7()? {
        archive.file(&format!("bench/{name}.cnb"), &bytes);
    }
    archive.file("run", b"load\n/benchmark\nunload\n");
    let said = machine.boot(archive, clock)?;
    if let Some(line) = alarm(&said) {
        return Err(format!("{said}\nthe kernel is not well: {line}"));
    }
    if !said.contains("bench done") {
        return Err(format!("{said}\nit never said `bench done`"));
    }
    Ok(rows(&said))
}

fn rows(said: &str) -> Vec<Row> {
    let row = |line: &str| {
        let mut words = line.split_whitespace().rev();
        let instructions = words.next()?.parse().ok()?;
        let calls = words.next()?.parse().ok()?;
        let files = words.next()?.to_owned();
        // The first line stands behind what the machine's own software wrote.
        let way = words.next()?.rsplit(['\r', '\u{1b}']).next()?;
        let way = way.strip_prefix("[?7l").unwrap_or(way);
        let is_known = NOTHING.contains(&way) || WAYS.contains(&way.strip_prefix("null-").unwrap_or(way));
        is_known.then(|| Row { way: way.to_owned(), files, calls, instructions })
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
    let saved =
        pair(rows, "calls", files)?.checked_sub(pair(rows, way, files)?).filter(|saved| *saved > 0)?;
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
        let line = |out: &mut String, name: &str, of: &dyn Fn(&str) -> Option<String>| {
            let _ = write!(out, "{name:10}");
            for way in WAYS {
                let _ = write!(out, " {:>10}", of(way).unwrap_or_default());
            }
            out.push('\n');
        };
        out.push('\n');
        line(&mut out, files, &|way| Some(way.to_owned()));
        for calls in programs::CALLS {
            line(&mut out, &calls.to_string(), &|way| Some(of(rows, way, files, calls.into())?.to_string()));
        }
        line(&mut out, "a pair", &|way| Some(pair(rows, way, files)?.to_string()));
        let pays = |way: &str| (way != "calls").then(|| break_even(rows, way, files))?;
        line(&mut out, "pays from", &|way| Some(pays(way)?.to_string()));
    }
    out
}

/// What a read and a write more cost.
fn pair(rows: &[Row], way: &str, files: &str) -> Option<u64> {
    of(rows, way, files, 10)?.checked_sub(of(rows, way, files, 8)?)
}

/// Figure 7 as a drawing.
#[must_use]
pub fn drawing(rows: &[Row]) -> String {
    let series = [
        ("calls", "#1f6fb4", "by system calls"),
        ("first-seek", "#e59866", "program never seen before, by lseek"),
        ("sent", "#c0392b", "program sent again, by ioctl"),
        ("sent-seek", "#d98880", "program sent again, by lseek"),
        ("installed", "#2e8b57", "installed program, by ioctl"),
        ("seek", "#76448a", "installed program, by lseek"),
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

/// Lines of a part of the module that are neither empty nor comments.
fn lines_of_code(text: &str) -> usize {
    let mut in_comment = false;
    let is_code = |line: &&str| {
        let line = line.trim();
        let begins = line.starts_with("/*") || line.starts_with("//");
        let is_comment = in_comment || begins || line.is_empty();
        if begins && !line.starts_with("//") || in_comment {
            in_comment = !line.ends_with("*/");
        }
        !is_comment
    };
    text.lines().filter(is_code).count()
}

/// Name, unit, what it is, rivals, what the paper has, and what is wanted.
type Line<'a> = (&'a str, &'a str, u64, &'a [(&'a str, u64)], &'a str, &'a str);

/// The figures as they are kept.
fn kept(rows: &[Row], code: usize, release: &str) -> Option<String> {
    let single = |way: &str, calls| of(rows, way, "-", calls);
    let way = |way: &str| break_even(rows, way, "zero-null");
    let (ioctl, lseek) =
        (("an ioctl that does nothing", single("ioctl", 1)?), ("such an lseek", single("lseek", 1)?));
    let lines: [Line<'_>; 11] = [
        (
            "kernel, a read and a write in a program",
            "instructions",
            pair(rows, "installed", "zero-null")?,
            &[("system calls", pair(rows, "calls", "zero-null")?)],
            "",
            "≤ 960",
        ),
        (
            "kernel, the same, pipe to pipe",
            "instructions",
            pair(rows, "installed", "pipe-pipe")?,
            &[("system calls", pair(rows, "calls", "pipe-pipe")?)],
            "",
            "fewer than system calls",
        ),
        (
            "kernel, an installed program that does nothing",
            "instructions",
            single("null-installed", 0)?,
            &[ioctl],
            "",
            "≤ 700",
        ),
        ("kernel, the same by a seek", "instructions", single("null-seek", 0)?, &[lseek], "", "≤ 700"),
        ("kernel, an installed program pays from", "calls", way("installed")?, &[], "2, in time", "≤ 5"),
        (
            "kernel, an installed program that is run by a seek pays from",
            "calls",
            way("seek")?,
            &[],
            "2, in time",
            "≤ 5",
        ),
        (
            "kernel, a program that a file sends again and again pays from",
            "calls",
            way("sent")?,
            &[],
            "7, in time",
            "≤ 8",
        ),
        ("kernel, the same by a seek pays from", "calls", way("sent-seek")?, &[], "7, in time", "≤ 8"),
        (
            "kernel, a program that the kernel has never seen, on a file that has sent another, pays from, by a seek",
            "calls",
            way("first-seek")?,
            &[],
            "7, in time",
            "≤ 8",
        ),
        ("kernel, interp() with a file of its own pays from", "calls", way("interp")?, &[], "", "–"),
        (
            "kernel, interpreter and verifier",
            "lines of code",
            code as u64,
            &[],
            "235 without a verifier",
            "< 600",
        ),
    ];
    let lines = lines.map(|(name, unit, ours, rivals, paper, wanted)| {
        let best = rivals.iter().map(|(_, number)| *number).min();
        let ratio = best.map(|best| (ours as f64 / best as f64 * 1e4).round() / 1e4);
        let rivals: serde_json::Map<_, _> =
            rivals.iter().map(|(name, number)| ((*name).to_owned(), (*number).into())).collect();
        let paper = Some(paper).filter(|paper| !paper.is_empty());
        let how = if unit == "lines of code" {
            "lines that are neither empty nor comments"
        } else {
            "counted by the emulator, one tick per instruction, the median of 200 runs; a crossing's cycles beside its instructions are not in it"
        };
        let about = serde_json::json!({ "command": "cargo xtask bench kernel", "kernel": release });
        serde_json::json!({
            "name": name, "unit": unit, "ours": ours, "better": "lower", "rivals": rivals, "paper": paper, "ratio": ratio,
            "wanted": wanted, "how": how, "about": about,
        })
    });
    Some(lines.iter().map(|line| format!("{line}\n")).collect())
}

/// Measures, prints the tables or `json`, draws the figure into `docs/book/figure7.svg`, and keeps the results in
/// `bench/results/kernel.json`.
///
/// # Errors
/// What is missing or went wrong.
pub fn print(root: &Path, json: bool) -> Result<(), String> {
    let machine = Machine::find(root)?;
    let rows = measure(&machine, Clock::Counted)?;
    let mut sizes = String::from("size                  lines  of code  bytes of text\n");
    let mut code = 0;
    for (part, bytes) in machine.sizes()? {
        let text = std::fs::read_to_string(root.join("kernel").join(format!("{part}.c")));
        let text = text.map_err(|error| error.to_string())?;
        let (all, own) = (text.lines().count(), lines_of_code(&text));
        if part == "carnet_interp" || part == "carnet_verify" {
            code += own;
        }
        let _ = writeln!(sizes, "{part:20} {all:>6} {own:>8} {bytes:>14}");
    }
    let kept = kept(&rows, code, machine.release()).ok_or("a measurement is missing")?;
    if json {
        print!("{kept}");
    } else {
        println!("instructions, counted in the emulator; kernel {}", machine.release());
        println!("{}\n{sizes}interpreter and verifier: {code} lines of code", table(&rows));
        println!("the paper's interpreter: 235 lines, 358 with its header, less than 2 KB");
        println!("\nplain times in the emulator, in ticks of the host's time stamp counter: for no claim");
        print!("{}", table(&measure(&machine, Clock::Free)?));
    }
    let write = |path: &str, text: String| {
        std::fs::write(root.join(path), text).map_err(|error| format!("{path}: {error}"))
    };
    write("bench/results/kernel.json", kept)?;
    write("docs/book/figure7.svg", drawing(&rows))
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
