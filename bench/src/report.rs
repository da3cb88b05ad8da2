//! What is printed and kept: one JSON object a line, and a table.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use serde_json::{Value, json};

use crate::measure::Measured;

/// What stands for all samples, and which is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The median; the lower.
    LowMedian,
    /// The mean, with its standard deviation; the higher.
    HighMean,
}

impl Judged {
    fn better(self) -> &'static str {
        match self {
            Judged::LowMedian => "lower",
            Judged::HighMean => "higher",
        }
    }

    fn value(self, measured: &Measured) -> f64 {
        match self {
            Judged::LowMedian => measured.median,
            Judged::HighMean => measured.mean().0,
        }
    }

    fn best(self, values: impl Iterator<Item = f64>) -> Option<f64> {
        match self {
            Judged::LowMedian => values.reduce(f64::min),
            Judged::HighMean => values.reduce(f64::max),
        }
    }
}

/// One figure, ours beside the rivals'.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Name, beginning with that of the benchmark.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// How it is judged.
    pub judged: Judged,
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
        let best = self.judged.best(self.rivals.iter().map(|rival| self.judged.value(rival)));
        best.map(|best| self.judged.value(&self.ours) / best)
    }

    /// What is printed of it, and kept.
    pub(crate) fn object(&self) -> Value {
        let value = |measured: &Measured| json!(round(self.judged.value(measured)));
        let rivals: serde_json::Map<String, Value> =
            self.rivals.iter().map(|rival| (rival.name.clone(), value(rival))).collect();
        let mut object = json!({
            "name": self.name,
            "unit": self.unit,
            "ours": value(&self.ours),
            "better": self.judged.better(),
            "rivals": rivals,
            "paper": self.paper,
            "ratio": self.ratio().map(round),
            "wanted": self.wanted,
            "how": self.how,
        });
        if self.judged == Judged::HighMean {
            let deviation = |measured: &Measured| (measured.name.clone(), json!(round(measured.mean().1)));
            let deviations = [&self.ours].into_iter().chain(&self.rivals).map(deviation);
            object["deviations"] = Value::Object(deviations.collect());
        }
        object
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
        let (unit, better) = (figure.unit, figure.judged.better());
        writeln!(out, "{} ({unit}, {better} is better; wanted: {})", figure.name, figure.wanted)?;
        if let Some(paper) = figure.paper {
            writeln!(out, "  paper: {paper}")?;
        }
        for measured in [&figure.ours].into_iter().chain(&figure.rivals) {
            let value = round(figure.judged.value(measured));
            let spread = match figure.judged {
                Judged::LowMedian => format!("{} .. {}", round(measured.rounds.0), round(measured.rounds.1)),
                Judged::HighMean => format!("± {}", round(measured.mean().1)),
            };
            writeln!(out, "  {:28} {value:>12}   {spread}", measured.name)?;
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
                   capnp-rpc 0.27.3, flatbuffers 2.1.2, iceoryx2 0.10.0, prost 0.14.4, rkyv 0.8.18, \
                   rpcgen 1.4.3, tonic 0.14.9, wasmtime 48.0.8, all optimized builds",
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

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(name: &str, samples: &[f64]) -> Measured {
        let (low, high) = (samples[0], samples[samples.len() - 1]);
        Measured {
            name: name.to_owned(),
            median: crate::measure::median(samples),
            rounds: (low, high),
            samples: samples.to_vec(),
        }
    }

    fn figure(judged: Judged) -> Figure {
        Figure {
            name: "a".to_owned(),
            unit: "b",
            judged,
            paper: None,
            wanted: "–",
            ours: measured("ours", &[2.0, 4.0, 9.0]),
            rivals: vec![measured("slow", &[1.0, 2.0, 3.0]), measured("fast", &[4.0, 8.0, 12.0])],
            how: "c".to_owned(),
        }
    }

    #[test]
    fn the_lowest_median_is_the_best() {
        let object = figure(Judged::LowMedian).object();
        assert_eq!(object["better"], "lower");
        assert_eq!((&object["ours"], &object["ratio"]), (&json!(4.0), &json!(2.0)));
        assert_eq!(object["rivals"], json!({"slow": 2.0, "fast": 8.0}));
        assert_eq!(object.get("deviations"), None);
    }

    #[test]
    fn the_highest_mean_is_the_best_and_has_a_deviation() {
        let object = figure(Judged::HighMean).object();
        assert_eq!(object["better"], "higher");
        assert_eq!((&object["ours"], &object["ratio"]), (&json!(5.0), &json!(0.625)));
        assert_eq!(object["deviations"], json!({"ours": 3.606, "slow": 1.0, "fast": 4.0}));
    }

    #[test]
    fn nothing_is_compared_with_nobody() {
        let alone = Figure { rivals: Vec::new(), ..figure(Judged::HighMean) };
        assert_eq!(alone.object()["ratio"], Value::Null);
    }
}
