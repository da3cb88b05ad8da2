//! JIVE's table and its three programs ("U-Net/SLE", sections 4.1 and 4.2), interpreted: nanoseconds for each round.
//!
//! The same class files run on ours, on HotSpot's interpreter and on HotSpot as it is; [micro.c](../java/micro.c) and
//! [macro.c](../java/macro.c) are the same in C. Each sample is a run of its own, which tells how long its loop took: start-up
//! is not counted. Unlike in the paper, what an empty loop takes is not subtracted.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::java::{Compiled, run};
use crate::measure::{Contender, Measured, Scale, measure_runs};
use crate::report::{Figure, Judged};
use crate::rival::gcc;

/// Class, benchmark, rounds of a sample, and what JIVE took, in µs, of which its rivals' best.
const ALL: [(&str, &str, i64, &str); 13] = [
    ("Micro", "null-loop", 5_000_000, "0.75 µs"),
    ("Micro", "null-call", 1_000_000, "2.32 µs"),
    ("Micro", "native-call", 1_000_000, "1.60 µs"),
    ("Micro", "field-read", 5_000_000, "1.38 µs"),
    ("Micro", "field-write", 5_000_000, "1.41 µs"),
    ("Micro", "array-read", 5_000_000, "1.46 µs"),
    ("Micro", "array-write", 5_000_000, "1.51 µs"),
    ("Micro", "math", 2_000_000, "4.07 µs"),
    ("Micro", "math-field", 1_000_000, "7.55 µs"),
    ("Micro", "math-array", 1_000_000, "8.35 µs"),
    ("Macro", "qsort", 200, "24,800 µs, of a size that it does not say"),
    ("Macro", "rand", 5_000, "11.8 µs, of a size that it does not say"),
    ("Macro", "fibonacci", 50_000, "2.15 µs, of a size that it does not say"),
];

const RUNS: usize = 9;

/// Measures.
///
/// # Errors
/// A wrong checksum, or rivals that cannot be built. Without a JDK there is nothing to measure, and no figure.
pub fn run_all(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let Some(compiled) = Compiled::new(&["Micro.java", "Macro.java", "Timed.java"])? else {
        println!("java-interp: left out: there is no JDK");
        return Ok(Vec::new());
    };
    let folder = compiled.folder();
    if scale == Scale::Full {
        for (source, flag, name) in [
            ("micro.c", "-O0", "Micro0"),
            ("micro.c", "-O3", "Micro3"),
            ("macro.c", "-O0", "Macro0"),
            ("macro.c", "-O3", "Macro3"),
        ] {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("java").join(source);
            gcc(&source, &[flag, "-std=c11"], &folder.join(name))?;
        }
    }
    let mut figures = Vec::new();
    let mut ratios = Vec::new();
    for (class, name, rounds, paper) in ALL {
        let rounds = scale.work(rounds);
        let universe = compiled.universe()?;
        let count = rounds.to_string();
        let expected = answer(&run(&universe, "Timed", &[class, name, &count])?)?.0;
        let checked = |text: &str| {
            let (checksum, ns) = answer(text)?;
            if checksum != expected {
                return Err(format!("{name} gave {checksum} instead of {expected}"));
            }
            Ok(ns / rounds as f64)
        };
        let mut contenders =
            vec![Contender::new("ours", || checked(&run(&universe, "Timed", &[class, name, &count])?))];
        if scale == Scale::Full {
            for (told, options) in [("HotSpot -Xint", &["-Xint"][..]), ("HotSpot", &[][..])] {
                let mut java = Command::new("java");
                java.args(options)
                    .args(["-XX:+UseSerialGC", "-cp"])
                    .arg(folder)
                    .args(["Timed", class, name, &count]);
                contenders.push(Contender::new(told, move || checked(&output(&mut java)?)));
            }
            for (told, ending) in [("gcc -O0", "0"), ("gcc -O3", "3")] {
                let mut command = Command::new(folder.join(format!("{class}{ending}")));
                command.args([name, &count]);
                contenders.push(Contender::new(told, move || checked(&output(&mut command)?)));
            }
        }
        let mut measured = measure_runs(scale, RUNS, &mut contenders)?;
        let rivals = measured.split_off(1);
        let ours = measured.remove(0);
        if let Some(interpreted) = rivals.first() {
            ratios.push(ours.median / interpreted.median);
        }
        figures.push(Figure {
            name: format!("java-interp, {name}"),
            unit: "ns/round",
            judged: Judged::LowMedian,
            paper: Some(paper),
            wanted: "–",
            ours,
            rivals,
            how: format!("{rounds} rounds a sample, start-up and the first use of classes apart; {pinned}"),
        });
    }
    figures.extend(mean(&ratios, pinned));
    Ok(figures)
}

/// The geometric mean of ratios to HotSpot's interpreter.
fn mean(ratios: &[f64], pinned: &str) -> Option<Figure> {
    let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    let mean = (logarithms / ratios.len() as f64).exp();
    let one = |name: &str, value: f64| Measured {
        name: name.to_owned(),
        median: value,
        rounds: (value, value),
        samples: vec![value],
    };
    (!ratios.is_empty()).then(|| Figure {
        name: "java-interp, geometric mean".to_owned(),
        unit: "× HotSpot -Xint",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "≤ 1.5",
        ours: one("ours", mean),
        rivals: vec![one("HotSpot -Xint", 1.0)],
        how: format!("of the medians of all {}; {pinned}", ratios.len()),
    })
}

/// `CHECKSUM NANOSECONDS`.
fn answer(text: &str) -> Result<(i64, f64), String> {
    let parsed =
        text.trim().split_once(' ').and_then(|(sum, ns)| Some((sum.parse().ok()?, ns.parse().ok()?)));
    parsed.ok_or_else(|| format!("the answer was {text:?}"))
}

fn output(command: &mut Command) -> Result<String, String> {
    let run = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = run.map_err(|error| format!("{command:?}: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
