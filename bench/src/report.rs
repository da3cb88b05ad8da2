//! What is printed and kept: one JSON object a line, and a table.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use serde_json::{Value, json};

use crate::measure::Measured;

/// One figure, ours beside the rivals'. Lower is better for all of them so far.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Name, beginning with that of the benchmark.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// What the paper reports.
    pub paper: Option<&'static str>,
    /// What we want.
    pub wanted: &'static str,
    /// Ours.
    pub ours: Measured,
    /// Theirs.
    pub rivals: Vec<Measured>,
    /// How and where, in words.
    pub how: String,
}

impl Figure {
    /// Ours / best rival.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        let best = self.rivals.iter().map(|rival| rival.median).fold(f64::INFINITY, f64::min);
        best.is_finite().then(|| self.ours.median / best)
    }

    fn object(&self) -> Value {
        let rivals: serde_json::Map<String, Value> =
            self.rivals.iter().map(|rival| (rival.name.clone(), json!(round(rival.median)))).collect();
        json!({
            "name": self.name,
            "unit": self.unit,
            "ours": round(self.ours.median),
            "better": "lower",
            "rivals": rivals,
            "paper": self.paper,
            "ratio": self.ratio().map(round),
            "wanted": self.wanted,
        })
    }

    /// With all samples, to be kept.
    fn raw(&self, about: &Value) -> Value {
        let mut object = self.object();
        let raw = |measured: &Measured| {
            json!({
                "rounds": [round(measured.rounds.0), round(measured.rounds.1)],
                "samples": measured.samples.iter().copied().map(round).collect::<Vec<f64>>(),
            })
        };
        let all = [&self.ours].into_iter().chain(&self.rivals);
        let all: serde_json::Map<String, Value> =
            all.map(|measured| (measured.name.clone(), raw(measured))).collect();
        object["how"] = json!(self.how);
        object["raw"] = Value::Object(all);
        object["about"] = about.clone();
        object
    }
}

/// Four significant digits.
fn round(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let scale = 10f64.powi(3 - value.abs().log10().floor() as i32);
    (value * scale).round() / scale
}

/// Prints figures as lines of JSON.
///
/// # Errors
/// If standard output is gone.
pub fn print_json(figures: &[Figure]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    figures.iter().try_for_each(|figure| writeln!(out, "{}", figure.object()))
}

/// Prints figures as a table.
///
/// # Errors
/// If standard output is gone.
pub fn print_table(figures: &[Figure]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for figure in figures {
        writeln!(out, "{} ({}, lower is better; wanted: {})", figure.name, figure.unit, figure.wanted)?;
        if let Some(paper) = figure.paper {
            writeln!(out, "  paper: {paper}")?;
        }
        for measured in [&figure.ours].into_iter().chain(&figure.rivals) {
            let (low, high) = (round(measured.rounds.0), round(measured.rounds.1));
            writeln!(out, "  {:28} {:>12}   {low} .. {high}", measured.name, round(measured.median))?;
        }
        if let Some(ratio) = figure.ratio() {
            writeln!(out, "  {:28} {:>11}×", "ours / best rival", round(ratio))?;
        }
        writeln!(out, "  {}\n", figure.how)?;
    }
    Ok(())
}

/// Keeps the figures of a benchmark in `bench/results`, with what is needed to judge and repeat them.
///
/// # Errors
/// If the file cannot be written.
pub fn keep(benchmark: &str, figures: &[Figure]) -> io::Result<()> {
    let about = about(benchmark);
    let lines: String = figures.iter().map(|figure| format!("{}\n", figure.raw(&about))).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(format!("{benchmark}.json")), lines)
}

fn about(benchmark: &str) -> Value {
    let first_line = |program: &str, word: &str| {
        let output = Command::new(program).arg(word).output().ok()?;
        let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
        Some(String::from_utf8_lossy(&text).lines().next()?.to_owned())
    };
    let model = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|line| line.strip_prefix("model name\t: ")).unwrap_or("unknown");
    json!({
        "command": format!("cargo xtask bench {benchmark} --json"),
        "commit": commit(),
        "rustc": first_line("rustc", "--version"),
        "gcc": first_line("gcc", "--version"),
        "java": first_line("java", "-version"),
        "rivals": "rbpf 0.4.1, wasmi 2.0.0, Lua 5.4.8 (lua-src 550), bincode 2.0.1, capnp 0.27.3, \
                   flatbuffers 2.1.2, prost 0.14.4, rkyv 0.8.18, rpcgen 1.4.3, all optimized builds",
        "kernel": fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default().trim(),
        "processor": model,
        "processors": crate::measure::processors(),
        "load": fs::read_to_string("/proc/loadavg").unwrap_or_default().trim(),
    })
}

fn commit() -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
