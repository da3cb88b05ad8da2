//! Runs the tests of the kernel module, or its measurements, in the emulator.
//!
//! ```text
//! carnet-kernel-bed test       the module's own tests, the shared cases, and 100,000 changed programs
//! carnet-kernel-bed bench      instructions of the copy program of Figure 6; with --json one object a line
//! carnet-kernel-bed guest      in the emulator: runs programs by the API in Rust
//! carnet-kernel-bed interpreted  in the emulator: what the kernel does not support, and what is too long for an answer
//! carnet-kernel-bed cases DIR  runs the shared cases in folders below: in the kernel where it has the module, else by the interpreter
//! carnet-kernel-bed case K     one of them, in the working folder
//! carnet-kernel-bed session    the process of a session of Linux calls, for the tests of this crate
//! ```

mod guest;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use carnet_kernel::here::DEVICE;
use carnet_kernel_bed::archive::Archive;
use carnet_kernel_bed::cases::Case;
use carnet_kernel_bed::machine::{Clock, Machine, alarm};
use carnet_kernel_bed::{figure, programs};

fn main() -> ExitCode {
    let word = std::env::args().nth(1).unwrap_or_default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let done = match word.as_str() {
        "test" => root.canonicalize().map_err(|error| error.to_string()).and_then(|root| test(&root)),
        "bench" => {
            let json = second() == "--json";
            root.canonicalize().map_err(|error| error.to_string()).and_then(|root| figure::print(&root, json))
        }
        "session" => return carnet_linux::process::run(),
        "guest" => guest::run(),
        "interpreted" => guest::interpreted(),
        "cases" => cases(),
        "case" => case(),
        _ => Err("say `test`, `bench`, `guest`, `interpreted`, `cases`, `case` or `session`".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// A word of the command line behind the first one.
fn second() -> String {
    std::env::args().nth(2).unwrap_or_default()
}

fn cases() -> Result<(), String> {
    let folder = PathBuf::from(second());
    std::fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let count = Case::all_here(Path::new("/proc/self/exe"), &folder)?;
    println!(
        "ok {count} cases, {}",
        if Path::new(DEVICE).exists() { "in the kernel" } else { "interpreted" }
    );
    Ok(())
}

fn case() -> Result<(), String> {
    let number = second().parse().ok();
    let case = number.and_then(|number| Case::all().ok()?.into_iter().nth(number));
    print!("{}", case.ok_or("there is no such case")?.run_here()?.report());
    Ok(())
}

fn test(root: &Path) -> Result<(), String> {
    let began = Instant::now();
    let machine = Machine::find(root)?;
    println!("kernel {}: building the module and its tests", machine.release());
    let mut archive = Archive::default();
    ["dev", "proc", "tmp", "programs", "cases"].iter().for_each(|folder| archive.folder(folder));
    archive.file("carnet.ko", &machine.module()?);
    archive.file("init", &machine.program("init")?);
    for name in ["gotchas", "runner", "mutate"] {
        archive.file(name, &machine.program(name)?);
    }
    machine.add_self(&mut archive)?;
    for (name, bytes) in programs::of_tests(root)? {
        archive.file(&format!("programs/{name}.cnb"), &bytes);
    }
    let cases = Case::all()?;
    let mut memories = Vec::new();
    for (k, case) in cases.iter().enumerate() {
        let (bytes, memory) = case.packed()?;
        archive.file(&format!("cases/{k}"), &bytes);
        memories.push(memory);
    }
    // The second time the module is loaded it has a number, after which it stays.
    let count = cases.len();
    let run = format!(
        "/bed cases /tmp/before\nload\n/gotchas\n/bed guest\n/bed interpreted\n/bed cases /tmp/within\n/runner {count}\nunload\nload syscall_number=400\n/gotchas number\n"
    );
    let here = ["interpreted", "in the kernel"].map(|by| format!("ok {count} cases, {by}"));
    let done = ["gotchas done, 0 bad", "ok in_rust", "ok interpreted", &here[0], &here[1], "number done"];
    let said = booted(&machine, archive.clone(), &run, &done)?;
    let changed = booted(&machine, archive, "load\n/mutate 100000\nunload\n", &["mutate done"])?;
    said.lines().filter(|line| line.starts_with("ok ")).for_each(|line| println!("{line}"));
    check_cases(&cases, memories, &said)?;
    let mutated = changed.lines().find(|line| line.starts_with("mutate done")).unwrap_or_default();
    println!("{mutated}\n{count} cases as in the other engines; {:.1} s", began.elapsed().as_secs_f64());
    Ok(())
}

/// What a kernel says that runs these programs: all that is wanted, and nothing that is not.
fn booted(machine: &Machine, mut archive: Archive, run: &str, wanted: &[&str]) -> Result<String, String> {
    archive.file("run", run.as_bytes());
    let said = machine.boot(archive, Clock::Free)?;
    if let Some(line) = alarm(&said) {
        return Err(format!("{said}\nthe kernel is not well: {line}"));
    }
    match wanted.iter().chain(&["end of the log"]).find(|wanted| !said.contains(**wanted)) {
        Some(wanted) => Err(format!("{said}\nit never said `{wanted}`")),
        None => Ok(said),
    }
}

/// Each case, sent and installed, does what it does in the other engines.
fn check_cases(cases: &[Case], memories: Vec<carnet_kernel::Memory>, said: &str) -> Result<(), String> {
    for ((k, case), memory) in cases.iter().enumerate().zip(memories) {
        for way in ["sent", "installed"] {
            let begin = format!("case {k} {way}: ");
            let line = said.lines().find_map(|line| line.strip_prefix(&begin));
            let line = line.ok_or_else(|| format!("{said}\ncase {k}, {}, was not run", case.name))?;
            let ended = case.answered(&mut memory.clone(), line)?;
            if ended.report() != case.expected {
                let (found, expected) = (ended.report(), &case.expected);
                return Err(format!("{} ({way}): in the kernel\n{found}expected\n{expected}", case.name));
            }
        }
    }
    Ok(())
}
