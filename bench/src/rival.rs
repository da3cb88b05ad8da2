//! Rivals: processes that answer a line `KEY N` with a line `NANOSECONDS SUM`.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running rival.
#[derive(Debug)]
pub struct Rival {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Rival {
    /// Starts one.
    ///
    /// # Errors
    /// Why it cannot be started.
    pub fn start(command: &mut Command) -> Result<Rival, String> {
        let shown = format!("{command:?}");
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| format!("cannot start {shown}: {error}"))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(to), Some(from)) => Ok(Rival { child, to, from: BufReader::new(from) }),
            _ => Err(format!("{shown} has no pipes")),
        }
    }

    /// Nanoseconds for `n` of `key`, and the sum of all arguments written.
    ///
    /// # Errors
    /// It died or does not know `key`.
    pub fn sample(&mut self, key: &str, n: i64) -> Result<(f64, i64), String> {
        let mut line = String::new();
        let asked = writeln!(self.to, "{key} {n}").and_then(|()| self.to.flush());
        asked.and_then(|()| self.from.read_line(&mut line)).map_err(|error| error.to_string())?;
        let parsed =
            line.trim().split_once(' ').and_then(|(ns, sum)| Some((ns.parse().ok()?, sum.parse().ok()?)));
        parsed.ok_or_else(|| format!("`{key} {n}` was answered with {line:?}"))
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        // It ends by itself when its input does; killing is for one that hangs.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Builds a package of `bench/rivals`, and says in which target folder. Cargo says on standard error what it does.
///
/// # Errors
/// If it cannot be built.
pub fn build(package: &str) -> Result<PathBuf, String> {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| bench.join("../target"), PathBuf::from).join("rivals");
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--release", "--locked", "--quiet", "--package", package, "--target-dir"])
        .arg(&target);
    match cargo.current_dir(bench.join("rivals")).status() {
        Ok(status) if status.success() => Ok(target),
        _ => Err(format!("{package} cannot be built (bench/rivals)")),
    }
}

/// The rivals that are built from `bench/rivals`.
#[derive(Debug)]
pub struct Built {
    program: PathBuf,
    folder: PathBuf,
}

impl Built {
    /// Builds them.
    ///
    /// # Errors
    /// As [`build`].
    pub fn new() -> Result<Built, String> {
        let target = build("carnet-rivals")?;
        Ok(Built { program: target.join("release/carnet-rivals"), folder: target })
    }

    /// One that is part of the program in Rust.
    ///
    /// # Errors
    /// As [`Rival::start`].
    pub fn rust(&self, name: &str) -> Result<Rival, String> {
        Rival::start(Command::new(&self.program).arg(name))
    }

    /// One that is a program in C.
    ///
    /// # Errors
    /// As [`Rival::start`].
    pub fn c(&self, name: &str) -> Result<Rival, String> {
        let path = Command::new(&self.program).arg(name).output().map_err(|error| error.to_string())?;
        Rival::start(&mut Command::new(String::from_utf8_lossy(&path.stdout).trim()))
    }

    /// Figure 9's Java in HotSpot with these options; `None` where there is no Java.
    ///
    /// # Errors
    /// As [`Rival::start`].
    pub fn java(&self, options: &[&str]) -> Result<Option<Rival>, String> {
        let classes = self.folder.join("java");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("rivals/java/Copy.java");
        let compiled =
            Command::new("javac").arg("-d").arg(&classes).arg(source).stderr(Stdio::null()).status();
        if !compiled.is_ok_and(|status| status.success()) {
            return Ok(None);
        }
        Rival::start(Command::new("java").args(options).arg("-cp").arg(classes).arg("Copy")).map(Some)
    }
}
