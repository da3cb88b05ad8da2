//! `carnet java run`: a program, with limits, and with nothing but standard input, output and error.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use carnet_classes::library::Jar;
use carnet_classes::read::{BYTES_MAX, read};
use carnet_runtime::boot::BootError;
use carnet_runtime::domain::{Domain, Ended, Limits};
use carnet_runtime::io::Io;
use carnet_runtime::native::Assertions;
use carnet_runtime::universe::Universe;

use super::{class_path, is_jar, library};
use crate::args::JavaRun;
use crate::exit::{Exit, Problem};
use crate::policy;
use crate::source::{read_bytes, shown};
use crate::value::{harmless, harmless_lines};

/// Runs a program. Returns its exit code.
///
/// # Errors
/// If it was not begun, or was ended at a limit.
pub fn run(args: &JavaRun) -> Result<u8, Problem> {
    let limits = limits(args)?;
    let mut places = class_path(args.class_path.as_deref(), std::slice::from_ref(&args.file));
    // Kept until the program ends.
    let folder;
    let main = match args.file.extension().and_then(|ending| ending.to_str()) {
        Some("java") => {
            folder = compiled(args)?;
            places.push(folder.path().to_owned());
            main_of_folder(&args.file, folder.path())?
        }
        _ if is_jar(&args.file) => main_of_jar(&args.file)?,
        _ => {
            let bytes = read_bytes(&args.file, "class file", BYTES_MAX as u64)?;
            let class = read(&bytes)
                .map_err(|error| Problem::rejected(format!("error: {}: {error}", shown(&args.file))))?;
            let name = String::from_utf8_lossy(class.name()).into_owned();
            named_as_file(&name, &args.file)?;
            name
        }
    };
    let library = library(args.jdk.as_deref(), &places)?;
    let cannot = |error: &dyn Display| Problem::failed(format!("error: cannot start Java: {error}"));
    let universe = Universe::new(library).map_err(|error| cannot(&error))?;
    let mut domain = Domain::new(universe, limits, Io::process()).map_err(|error| cannot(&error))?;
    domain.assertions = Assertions::new(&args.enable_assertions, &args.disable_assertions);
    let words: Vec<String> = args.args.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    match domain.run_main(&main, &words) {
        Ok(code) => Ok(code as u8),
        Err(BootError::Ended(
            ended @ (Ended::Instructions(_) | Ended::Time(_) | Ended::Elapsed(_) | Ended::Memory),
        )) => Err(stopped("limit", &ended)),
        Err(BootError::Ended(ended @ Ended::Deadlock)) => Err(stopped("deadlock", &ended)),
        Err(BootError::Link(error)) => {
            let error = harmless_lines(&error.to_string());
            Err(Problem::failed(format!("error: cannot run {}: {error}", harmless(&main))))
        }
        Err(error) => Err(Problem::failed(format!("error: {}", harmless_lines(&error.to_string())))),
    }
}

/// Whether a class is in the file where it is looked for.
fn named_as_file(name: &str, file: &Path) -> Result<(), Problem> {
    let last = name.rsplit('/').next().unwrap_or_default();
    if file.file_stem().is_some_and(|stem| stem == last) {
        return Ok(());
    }
    let dotted: String = name.replace('/', ".").chars().take(NAME_SHOWN).collect();
    let dotted = harmless(&dotted);
    Err(Problem::rejected(format!(
        "error: {} contains the class {dotted}, whose file must have its name",
        shown(file)
    )))
}

/// As much of a name is shown.
const NAME_SHOWN: usize = 200;

fn stopped(name: &'static str, ended: &Ended) -> Problem {
    Problem { exit: Exit::Stopped, name, text: format!("error: the program was ended: {ended}") }
}

fn limits(args: &JavaRun) -> Result<Limits, Problem> {
    let size = |option: &str, text: &str| {
        policy::size(text).map_err(|why| {
            Problem::usage(format!("error: {option}: `{text}` is no size{why}; write 64KiB, 64MiB or 1GiB"))
        })
    };
    let heap = size("--heap", &args.heap)?;
    let classes = size("--classes", &args.classes)?;
    let between = |option: &str, found: &dyn Display, least: &str, most: &str| {
        Problem::usage(format!("error: {option}: `{found}` is not between {least} and {most}"))
    };
    if !Limits::HEAP.contains(&heap) {
        return Err(between("--heap", &args.heap, "64KiB", "32GiB"));
    }
    if classes < Limits::CLASSES_LEAST {
        return Err(between("--classes", &args.classes, "64KiB", &u64::MAX.to_string()));
    }
    if args.threads == 0 {
        return Err(between("--threads", &args.threads, "1", &u32::MAX.to_string()));
    }
    if args.depth < Limits::FRAMES_LEAST {
        let least = Limits::FRAMES_LEAST.to_string();
        return Err(between("--depth", &args.depth, &least, &u32::MAX.to_string()));
    }
    if args.instructions == Some(0) {
        return Err(between("--instructions", &0, "1", &u64::MAX.to_string()));
    }
    let time = |option: &str, text: &Option<String>| match text {
        None => Ok(Duration::MAX),
        Some(text) => {
            let some = policy::time(text).and_then(|nanos| if nanos == 0 { Err("") } else { Ok(nanos) });
            some.map(Duration::from_nanos).map_err(|why| {
                Problem::usage(format!("error: {option}: `{text}` is no time{why}; write 500ms or 10s"))
            })
        }
    };
    Ok(Limits {
        heap,
        classes,
        time: time("--cpu-time", &args.cpu_time)?,
        elapsed: time("--time", &args.time)?,
        instructions: args.instructions.unwrap_or(u64::MAX),
        threads: args.threads,
        frames: args.depth,
        ..Limits::default()
    })
}

/// What the installed javac makes of a source file.
fn compiled(args: &JavaRun) -> Result<tempfile::TempDir, Problem> {
    // javac tells how javac is used if the file is not there.
    read_bytes(&args.file, "source file", BYTES_MAX as u64)?;
    let failed = |text: String| Problem::failed(format!("error: {text}"));
    let folder = tempfile::tempdir().map_err(|error| failed(format!("no folder for classes: {error}")))?;
    let home = args.jdk.clone().or_else(carnet_classes::library::installed_jdk);
    let javac = home.map_or_else(|| PathBuf::from("javac"), |home| home.join("bin/javac"));
    let mut command = Command::new(&javac);
    command.arg("-d").arg(folder.path());
    if let Some(places) = &args.class_path {
        command.arg("-cp").arg(places);
    }
    // A name that begins with - or @ would mean something else to javac.
    let status = command.arg(Path::new(".").join(&args.file)).status();
    match status {
        Ok(status) if status.success() => Ok(folder),
        Ok(_) => Err(Problem::rejected(format!("error: {} does not compile", shown(&args.file)))),
        Err(error) => Err(failed(format!("cannot run {}: {error}", javac.display()))),
    }
}

/// The class of a source file that has the name of the file; else the only one there is.
fn main_of_folder(file: &Path, folder: &Path) -> Result<String, Problem> {
    let mut found = Vec::new();
    classes_of(folder, folder, &mut found);
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let named = found.iter().find(|name| name.rsplit('/').next() == Some(&stem));
    named
        .or(found.first())
        .cloned()
        .ok_or_else(|| Problem::failed(format!("error: {} has no class", shown(file))))
}

fn classes_of(root: &Path, folder: &Path, found: &mut Vec<String>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            classes_of(root, &path, found);
        } else if let Ok(name) = path.strip_prefix(root)
            && let Some(name) = name.to_str().and_then(|name| name.strip_suffix(".class"))
        {
            found.push(name.to_owned());
        }
    }
}

/// The Main-Class of a jar's manifest.
fn main_of_jar(path: &Path) -> Result<String, Problem> {
    let jar = Jar::open(path)
        .map_err(|error| Problem::usage(format!("error: {}", harmless(&error.to_string()))))?;
    let manifest = jar.entry("META-INF/MANIFEST.MF").ok().flatten().unwrap_or_default();
    // A line that begins with a space goes on with the line before.
    let text = String::from_utf8_lossy(&manifest).replace("\r\n", "\n").replace("\n ", "");
    let main = text.lines().find_map(|line| line.strip_prefix("Main-Class:"));
    let main = main.map(|name| name.trim().replace('.', "/"));
    main.ok_or_else(|| Problem::usage(format!("error: {} has no Main-Class in its manifest", shown(path))))
}
