//! `carnet-bench [NAME…] [--json] [--tiny]`: measures these benchmarks, or all of them.
//!
//! `--json` prints one object a line instead of a table; `--tiny` runs our side only, once, with little work, and keeps
//! nothing. It measures nothing itself: each benchmark is a file of the library.

use std::process::ExitCode;

use carnet_bench::java_start::idle;
use carnet_bench::measure::{Scale, stay_on_one_processor};
use carnet_bench::report::{Figure, keep, print_json, print_table};
use carnet_bench::{
    applet, break_even, cache, channels, compile, fair, figure8, interp, iozone, java_interp, java_start, kv,
    load, memory, off, peer, remote_copy, remote_linux, stubs, threads, uring, verify,
};

type Run = fn(Scale, &str) -> Result<Vec<Figure>, String>;

const ALL: &[(&str, Run)] = &[
    ("interp", interp::run),
    ("compile", compile::run),
    ("load", load::run),
    ("break-even", break_even::run),
    ("remote-copy", remote_copy::run),
    ("kv", kv::run),
    ("off", off::run),
    ("figure8", figure8::run),
    ("remote-linux", remote_linux::run),
    ("uring", uring::run),
    ("cache", cache::run),
    ("fair", fair::run),
    ("stubs", stubs::run_all),
    ("channels", channels::run),
    ("iozone", iozone::run),
    ("threads", threads::run),
    ("memory", memory::run),
    ("verify", verify::run),
    ("applet", applet::run),
    ("java-start", java_start::run),
    ("java-interp", java_interp::run_all),
];

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(remote_linux::WORD) {
        return carnet_linux::process::run();
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("carnet-bench: {what}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--").collect();
    match words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        Some((peer::WORD, rest)) => return peer::serve(rest),
        Some((java_start::WORD, rest)) => return java_start::serve(rest),
        Some((idle::WORD, rest)) => return idle::serve(rest),
        _ => {}
    }
    let has = |word: &str| words.iter().any(|w| w == word);
    let scale = if has("--tiny") { Scale::Tiny } else { Scale::Full };
    let names: Vec<&String> =
        words.iter().filter(|word| !matches!(word.as_str(), "--json" | "--tiny")).collect();
    for name in &names {
        if !ALL.iter().any(|(known, _)| known == name) {
            let known: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
            return Err(format!("there is no benchmark `{name}`, only {}", known.join(", ")));
        }
    }
    let pinned = stay_on_one_processor();
    for (name, run) in ALL.iter().filter(|(name, _)| names.is_empty() || names.iter().any(|n| n == name)) {
        let figures = run(scale, &pinned)?;
        let printed = if has("--json") { print_json(&figures) } else { print_table(&figures) };
        printed.map_err(|error| error.to_string())?;
        if scale == Scale::Full {
            keep(name, &figures).map_err(|error| format!("cannot keep the results: {error}"))?;
        }
    }
    Ok(())
}
