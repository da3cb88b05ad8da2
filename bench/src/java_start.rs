//! How soon Java programs run, and what they take while they wait.
//!
//! | part | what is measured |
//! | --- | --- |
//! | this file | from nothing to the first line that a program prints: a process for each |
//! | `first_call` | from the bytes of a class to the result of its first call, in a process that is up |
//! | `idle` | memory of small heaps, many in one process |

mod first_call;
pub mod idle;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::java::{Compiled, universe};
use crate::measure::{Contender, Scale, measure_runs};
use crate::report::{Figure, Judged};

/// Told to this program, it is ours: class path and class follow.
pub const WORD: &str = "java";

const RUNS: usize = 15;

/// Runs a class as `carnet java run` does.
///
/// # Errors
/// If it does not end well.
pub fn serve(words: &[String]) -> Result<(), String> {
    let [folder, class] = words else { return Err("a folder and a class".to_owned()) };
    let universe = universe(&[folder.into()])?;
    let limits = carnet_runtime::domain::Limits::default();
    let domain = carnet_runtime::domain::Domain::new(universe, limits, carnet_runtime::io::Io::process());
    let ran = domain.map_err(|error| error.to_string())?.run_main(class, &[]);
    ran.map(|_| ()).map_err(|error| error.to_string())
}

/// Measures.
///
/// # Errors
/// If a process does not start, or prints something else. Without a JDK there is nothing to measure, and no figure.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let Some(compiled) = Compiled::new(&["Hello.java", "Applet.java", "../rivals/java/Hidden.java"])? else {
        println!("java-start: left out: there is no JDK");
        return Ok(Vec::new());
    };
    let mut figures = vec![first_line(scale, pinned, compiled.folder())?];
    figures.extend(first_call::run(scale, pinned, &compiled)?);
    figures.extend(idle::run(scale, pinned, &compiled)?);
    Ok(figures)
}

fn first_line(scale: Scale, pinned: &str, folder: &Path) -> Result<Figure, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut ours = Command::new(own);
    ours.arg(WORD).arg(folder).arg("Hello");
    let mut contenders = vec![Contender::new("ours", move || until_line(&mut ours))];
    if scale == Scale::Full {
        for (name, options) in
            [("java", &[][..]), ("java -Xint -XX:+UseSerialGC", &["-Xint", "-XX:+UseSerialGC"])]
        {
            let mut java = Command::new("java");
            java.args(options).arg("-cp").arg(folder).arg("Hello");
            contenders.push(Contender::new(name, move || until_line(&mut java)));
        }
    }
    let mut measured = measure_runs(scale, RUNS, &mut contenders)?;
    let rivals = measured.split_off(1);
    Ok(Figure {
        name: "java-start, first line printed".to_owned(),
        unit: "ms",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "≤ 0.2 × java",
        ours: measured.remove(0),
        rivals,
        how: format!(
            "from the start of the process to its first line; java with its archive of classes; {pinned}"
        ),
    })
}

/// Milliseconds until a process prints its first line.
fn until_line(command: &mut Command) -> Result<f64, String> {
    let begin = Instant::now();
    let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
    let mut child = started.map_err(|error| error.to_string())?;
    let mut line = String::new();
    let output = child.stdout.take().ok_or("it has no output")?;
    BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
    let took = begin.elapsed().as_nanos() as f64 / 1e6;
    child.wait().map_err(|error| error.to_string())?;
    if line == "Hello, world\n" { Ok(took) } else { Err(format!("{command:?} printed {line:?}")) }
}
