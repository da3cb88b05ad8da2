//! Java programs with what HotSpot's `java` makes of them: output, errors and exit code.
//!
//! They stand in `runtime/tests/programs`; a program is `Name.java`, and beside it there are
//!
//! | file | what it is |
//! | --- | --- |
//! | `Name.out` | the [transcript] of its run |
//! | `Name.in` | its standard input; else that is empty |
//! | `Name.args` | its arguments, one a line; else there are none |
//!
//! Nothing is run here. `tests/java_programs.rs` holds the transcripts against HotSpot, and whoever runs classes holds its runs
//! against the transcripts.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program, how it is called, and what comes of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of its main class.
    pub name: String,
    /// What `main` gets.
    pub args: Vec<String>,
    /// The standard input.
    pub stdin: Vec<u8>,
    /// The [transcript] of the run; empty when there is none yet.
    pub expected: String,
}

/// Where the programs stand.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/tests/programs")
}

/// All programs, by name.
///
/// # Panics
/// If one cannot be read.
#[must_use]
pub fn cases() -> Vec<Case> {
    let entries = std::fs::read_dir(folder()).expect("the folder of programs");
    let files = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
    let mut names: Vec<String> =
        files.filter_map(|file| file.strip_suffix(".java").map(str::to_owned)).collect();
    names.sort();
    names.into_iter().map(case).collect()
}

fn case(name: String) -> Case {
    let read = |ending: &str| match std::fs::read(folder().join(format!("{name}.{ending}"))) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        bytes => bytes.unwrap_or_else(|error| panic!("{name}.{ending}: {error}")),
    };
    let text = |ending: &str| String::from_utf8(read(ending)).expect("a text");
    let args = text("args").lines().map(str::to_owned).collect();
    Case { args, stdin: read("in"), expected: text("out"), name }
}

/// What a run left, as text: its output; then, if there are any, `--- stderr` and its errors; then `--- exit N`, unless that is 0.
/// Numbers of lines within the JDK's own modules are left out, since they differ between its builds.
///
/// # Panics
/// If the output does not end with a newline.
#[must_use]
pub fn transcript(stdout: &[u8], stderr: &[u8], exit: i32) -> String {
    let mut text = String::from_utf8_lossy(stdout).into_owned();
    assert!(text.is_empty() || text.ends_with('\n'), "output without a last newline: {text}");
    if !stderr.is_empty() {
        text += "--- stderr\n";
        for line in String::from_utf8_lossy(stderr).lines() {
            let place = line.rsplit_once(':').filter(|_| line.trim_start().starts_with("at java.base/"));
            text += &place.map_or(line.to_owned(), |(place, _)| format!("{place})"));
            text.push('\n');
        }
    }
    if exit != 0 {
        text += &format!("--- exit {exit}\n");
    }
    text
}

/// Compiles all programs into `to`, as plain `javac` does.
///
/// # Errors
/// What the compiler said.
pub fn compile(to: &Path) -> Result<(), String> {
    let sources = cases().into_iter().map(|case| folder().join(case.name + ".java"));
    let javac = Command::new("javac")
        .args(["-encoding", "UTF-8", "--release", "17", "-nowarn", "-Xlint:none", "-d"])
        .arg(to)
        .args(sources)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("javac: {error}"))?;
    if javac.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&javac.stderr).into_owned())
}

/// Compiles sources within a folder by the options and names in `words`; whether that is possible, which is printed if it is not.
///
/// # Panics
/// If what is there does not compile.
#[must_use]
pub fn javac(folder: &Path, words: &[&str]) -> bool {
    let mut javac = Command::new("javac");
    javac.args(["-nowarn", "-d", "."]).args(words).current_dir(folder).stdin(Stdio::null());
    match javac.status() {
        Err(error) => {
            println!("skipped: no Java compiler: javac: {error} (make setup)");
            false
        }
        Ok(status) => {
            assert!(status.success(), "{words:?} compile");
            true
        }
    }
}

/// Why the transcripts cannot be used on this machine, if so: they are those of Java 17.
#[must_use]
pub fn not_possible() -> Option<String> {
    let javac = match Command::new("javac").arg("-version").stdin(Stdio::null()).output() {
        Ok(javac) => javac,
        Err(error) => return Some(format!("no Java compiler: javac: {error} (make setup)")),
    };
    let version = String::from_utf8_lossy(&javac.stdout).trim().to_owned();
    (!version.starts_with("javac 17."))
        .then(|| format!("the transcripts are of Java 17, and this is {version}"))
}
