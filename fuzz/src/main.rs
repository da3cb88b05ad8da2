//! Runs the generators for some seconds: `carnet-fuzz [--seconds N] [--seed S] [--only NAME]`; or, with `--corpus DIR`,
//! writes what a fuzzer may begin with to a folder for each target.
//!
//! Without `--seed` the seed is the time. A failure prints the seed that replays it; a run with `--seed` and
//! without `--seconds` makes one thing of each generator. A case that takes more than five seconds is named while it
//! runs; one that takes more than a minute ends the program with status 3.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use carnet_fuzz::targets::{ALL, Tally, run, run_one};
use carnet_fuzz::watch::{HANGS, Late, SLOW, Watch};

const USAGE: &str = "usage: carnet-fuzz [--seconds N] [--seed S] [--only NAME] | --corpus DIR";

struct Options {
    seconds: Option<u64>,
    seed: Option<u64>,
    only: Option<String>,
    corpus: Option<String>,
}

fn main() -> ExitCode {
    if carnet_fuzz::linux::is_session() {
        return carnet_fuzz::linux::serve();
    }
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(what) => {
            eprintln!("{what}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if let Some(folder) = &options.corpus {
        return match write_corpus(Path::new(folder)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("cannot write to {folder}: {error}");
                ExitCode::FAILURE
            }
        };
    }
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64);
    let seed = options.seed.unwrap_or_else(now);
    let default = if options.seed.is_some() { 0 } else { 5 };
    let time = Duration::from_secs(options.seconds.unwrap_or(default));
    println!("seed {seed}");
    let watch = Watch::new(vec![SLOW, HANGS], tell);
    let tallies = match &options.only {
        None => run(time, seed, &watch),
        Some(only) => match ALL.iter().find(|(name, _)| name == only) {
            Some((name, check)) => vec![run_one(name, *check, time, seed, &watch)],
            None => {
                let names: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
                eprintln!("there is no generator `{only}`; there are {}\n{USAGE}", names.join(", "));
                return ExitCode::from(2);
            }
        },
    };
    for Tally { name, made, accepted, dearest: (steps, seed) } in tallies {
        println!("{name:16} {made:9} made, {accepted:9} accepted, at most {steps:8} steps (seed {seed})");
    }
    ExitCode::SUCCESS
}

fn write_corpus(folder: &Path) -> std::io::Result<()> {
    for (number, (target, bytes)) in carnet_fuzz::corpus::inputs().into_iter().enumerate() {
        let folder = folder.join(target);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(format!("begin-{number}")), bytes)?;
    }
    Ok(())
}

fn tell(late: Late) {
    eprintln!("{late}");
    if late.after >= HANGS {
        std::process::exit(3);
    }
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { seconds: None, seed: None, only: None, corpus: None };
    while let Some(name) = args.next() {
        let value = args.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse().map_err(|_| format!("{name} needs a number, found `{value}`"));
        match name.as_str() {
            "--seconds" => options.seconds = Some(number()?),
            "--seed" => options.seed = Some(number()?),
            "--only" => options.only = Some(value),
            "--corpus" => options.corpus = Some(value),
            _ => return Err(format!("there is no option `{name}`")),
        }
    }
    Ok(options)
}
