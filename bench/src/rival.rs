//! Rivals: processes that answer a line `KEY N` with a line `NANOSECONDS SUM`.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::measure::on_any_processor;

/// A running rival.
#[derive(Debug)]
pub struct Rival {
    child: Child,
    /// Open until this is dropped.
    to: Option<ChildStdin>,
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
            (to @ Some(_), Some(from)) => Ok(Rival { child, to, from: BufReader::new(from) }),
            _ => Err(format!("{shown} has no pipes")),
        }
    }

    /// Nanoseconds for `n` of `key`, and the sum of all arguments written.
    ///
    /// # Errors
    /// It died or does not know `key`.
    pub fn sample(&mut self, key: &str, n: i64) -> Result<(f64, i64), String> {
        let mut line = String::new();
        let to = self.to.as_mut().ok_or("its input is closed")?;
        let asked = writeln!(to, "{key} {n}").and_then(|()| to.flush());
        asked.and_then(|()| self.from.read_line(&mut line)).map_err(|error| error.to_string())?;
        let parsed =
            line.trim().split_once(' ').and_then(|(ns, sum)| Some((ns.parse().ok()?, sum.parse().ok()?)));
        parsed.ok_or_else(|| format!("`{key} {n}` was answered with {line:?}"))
    }

    /// Nanoseconds for one of `key`, of as many as take about so long, after some that are not counted. Each adds `each`
    /// to the sum.
    ///
    /// # Errors
    /// As [`Rival::sample`]; another sum.
    pub fn time(&mut self, key: &str, about: Duration, each: i64) -> Result<f64, String> {
        let about = about.as_nanos() as f64;
        let mut batch = BATCH_MIN;
        for _ in 0..2 {
            let one = self.sample_checked(key, batch, each)? / batch as f64;
            batch = ((about / BATCHES / one) as i64).max(BATCH_MIN);
        }
        // It ends by the time that was counted, as for ours: a batch that something came between is neither left out nor
        // ever the whole.
        let (mut time, mut count) = (0.0, 0);
        while time < about {
            time += self.sample_checked(key, batch, each)?;
            count += batch;
        }
        Ok(time / count as f64)
    }

    fn sample_checked(&mut self, key: &str, n: i64, each: i64) -> Result<f64, String> {
        let (time, sum) = self.sample(key, n)?;
        if sum == n * each {
            return Ok(time);
        }
        Err(format!("`{key} {n}` has the sum {sum} instead of {}", n * each))
    }
}

/// So many batches take about as long as they should all together.
const BATCHES: f64 = 8.0;
const BATCH_MIN: i64 = 16;

/// A rival has so long to end when its input has ended.
const PATIENCE: Timespec = Timespec { tv_sec: 2, tv_nsec: 0 };

impl Drop for Rival {
    fn drop(&mut self) {
        // It ends by itself when its input does, and its output with it; killing is for one that hangs.
        drop(self.to.take());
        let mut output = [PollFd::new(self.from.get_ref(), PollFlags::empty())];
        if !matches!(poll(&mut output, Some(&PATIENCE)), Ok(1..)) {
            let _ = self.child.kill();
        }
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
    match on_any_processor(|| cargo.current_dir(bench.join("rivals")).status()) {
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

/// The rivals that make calls.
#[derive(Debug)]
pub struct Calls {
    program: PathBuf,
}

impl Calls {
    /// Builds them.
    ///
    /// # Errors
    /// As [`build`].
    pub fn new() -> Result<Calls, String> {
        let package = "carnet-rivals-calls";
        Ok(Calls { program: build(package)?.join("release").join(package) })
    }

    /// One that calls a server of its own, in another process: these words, then the server's processor.
    ///
    /// # Errors
    /// As [`Rival::start`].
    pub fn start(&self, words: &[&str], processor: usize) -> Result<Rival, String> {
        Rival::start(Command::new(&self.program).args(words).arg(processor.to_string()))
    }
}

/// Compiles a rival in C.
pub(crate) fn gcc(source: &Path, flags: &[&str], made: &Path) -> Result<(), String> {
    let status = Command::new("gcc").args(flags).arg("-o").arg(made).arg(source).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("{} cannot be compiled", source.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes a microsecond for whatever it is asked, and adds 2 for each to the sum.
    fn rival() -> Rival {
        let script = "while read key n; do echo $((n * 1000)) $((n * 2)); done";
        Rival::start(Command::new("sh").args(["-c", script])).unwrap()
    }

    #[test]
    fn one_is_timed_by_as_many_as_fit() {
        assert_eq!(rival().time("a", Duration::from_millis(1), 2), Ok(1000.0));
    }

    #[test]
    fn another_sum_is_a_wrong_answer() {
        let wrong = rival().time("a", Duration::from_millis(1), 3).unwrap_err();
        assert_eq!(wrong, "`a 16` has the sum 32 instead of 48");
    }

    #[test]
    fn a_rival_ends_with_its_input() {
        let marked = std::env::temp_dir().join(format!("carnet-rival-test-{}", std::process::id()));
        let script = format!("while read line; do :; done; echo > {}", marked.display());
        drop(Rival::start(Command::new("sh").args(["-c", &script])).unwrap());
        assert!(std::fs::remove_file(marked).is_ok(), "it was killed before it ended");
    }
}
