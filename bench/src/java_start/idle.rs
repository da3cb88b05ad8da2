//! Memory of what waits: small heaps, many in one process, beside processes of HotSpot.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use carnet_runtime::domain::{Domain, Limits, Value};
use carnet_runtime::io::Io;

use crate::java::{Compiled, universe};
use crate::measure::{Contender, Scale, measure_runs};
use crate::report::{Figure, Judged};

/// Told to this program, it makes heaps and says how many KiB each takes: class path and number follow.
pub const WORD: &str = "java-heaps";

const RUNS: usize = 5;

/// Makes heaps in which an applet has run once, after a first one that is not counted.
///
/// # Errors
/// If the applet does not run.
pub fn serve(words: &[String]) -> Result<(), String> {
    let [folder, count] = words else { return Err("a folder and a number".to_owned()) };
    let count: u32 = count.parse().map_err(|_| format!("{count} is no number"))?;
    let universe = universe(&[folder.into()])?;
    let used = || {
        let mut domain = Domain::new(universe.clone(), Limits::default(), Io::none())
            .map_err(|error| error.to_string())?;
        let ran = domain.call_static("Applet", "run", "(I)I", &[Value::Int(1)]);
        ran.map(|_| domain).map_err(|error| error.to_string())
    };
    let first = used()?;
    let before = resident("self")?;
    let domains = (0..count).map(|_| used()).collect::<Result<Vec<Domain>, _>>()?;
    println!("{}", (resident("self")? - before) / f64::from(count));
    drop((first, domains));
    Ok(())
}

/// Measures.
///
/// # Errors
/// If a process does not do as it should.
pub(super) fn run(scale: Scale, pinned: &str, compiled: &Compiled) -> Result<Vec<Figure>, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let counts = [1, 100, 1000].map(|count| scale.work(count));
    let heaps = counts.map(|count| {
        let mut ours = Command::new(&own);
        ours.arg(WORD).arg(compiled.folder()).arg(count.to_string());
        Contender::new("ours", move || told(&mut ours))
    });
    let mut contenders = Vec::from(heaps);
    if scale == Scale::Full {
        let mut java = Command::new("java");
        java.arg("-cp").arg(compiled.folder()).arg("Hello");
        contenders.push(Contender::new("java, a process each", move || waiting(&mut java)));
    }
    let mut measured = measure_runs(scale, RUNS, &mut contenders)?;
    let rivals = measured.split_off(counts.len());
    let figures = counts.into_iter().zip(measured).map(|(count, ours)| Figure {
        name: format!("java-start, an idle heap, {count} in a process"),
        unit: "KiB",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "≤ 64",
        ours,
        rivals: rivals.clone(),
        how: format!(
            "resident memory that is no file's: what each of {count} domains adds, in which an applet has run; all of a process of java that has \
             printed a line and waits; {pinned}"
        ),
    });
    Ok(figures.collect())
}

/// What a process of ours tells.
fn told(command: &mut Command) -> Result<f64, String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().map_err(|_| format!("{command:?} printed {text:?}"))
}

/// KiB of a process that has printed a line and waits for the end of its input.
fn waiting(command: &mut Command) -> Result<f64, String> {
    let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = started.map_err(|error| error.to_string())?;
    let mut line = String::new();
    let output = child.stdout.take().ok_or("it has no output")?;
    let read = BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string());
    let kib = resident(&child.id().to_string());
    drop(child.stdin.take());
    child.wait().map_err(|error| error.to_string())?;
    read.and(kib)
}

/// KiB of memory that a process has for itself: its pages that are no file's are counted.
fn resident(process: &str) -> Result<f64, String> {
    let path = format!("/proc/{process}/smaps_rollup");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("Anonymous:")?.trim().strip_suffix(" kB"));
    line.and_then(|kib| kib.parse().ok()).ok_or_else(|| format!("{path} does not tell"))
}
