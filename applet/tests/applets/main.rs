//! Applets that javac made, and changed ones: held against HotSpot, against the verifier of all classes, and against their limits.

mod hotspot;
mod limits;
mod verdicts;

use std::path::Path;
use std::process::{Command, Stdio};

use carnet_applet::{Alone, Applet, Memory, Refused, Stopped};

/// Words and bytes that an applet has here.
const WORDS: usize = 4096;
const BYTES: usize = 16 << 10;

const SOURCES: [(&str, &str); 3] = [
    ("Operations", include_str!("java/Operations.java")),
    ("Programs", include_str!("java/Programs.java")),
    ("Protocol", include_str!("java/Protocol.java")),
];

/// Compiles applets, with and without tables for debuggers; `None`, told, without a compiler.
fn compiled(folder: &Path, sources: &[(&'static str, &str)]) -> Option<Vec<(&'static str, Vec<u8>)>> {
    for (name, source) in sources {
        std::fs::write(folder.join(format!("{name}.java")), source).expect("a source");
    }
    let mut files = Vec::new();
    for options in [["-g", "--release", "17"], ["-g:none", "--release", "8"]] {
        let mut javac = Command::new("javac");
        javac.args(options).args(["-nowarn", "-Xlint:-options"]);
        javac.args(sources.iter().map(|(name, _)| format!("{name}.java")));
        match javac.current_dir(folder).stdin(Stdio::null()).status() {
            Err(error) => {
                println!("skipped: no Java compiler: javac: {error} (make setup)");
                return None;
            }
            Ok(status) => assert!(status.success(), "they compile"),
        }
        let class = |name| std::fs::read(folder.join(format!("{name}.class"))).expect("a class");
        files.extend(sources.iter().map(|(name, _)| (*name, class(name))));
    }
    Some(files)
}

/// Runs something on an applet that has memory of its own.
fn with_applet<T>(file: &[u8], run: impl FnOnce(&mut Applet<'_>) -> T) -> Result<T, Refused> {
    let (mut words, mut bytes) = (vec![0; WORDS], vec![0; BYTES]);
    let memory = Memory { words: &mut words, bytes: &mut bytes };
    Applet::load(file, memory, &Alone).map(|mut applet| run(&mut applet))
}

/// Calls a method that needs no host.
fn call(applet: &mut Applet<'_>, name: &str, arguments: &[i32]) -> Result<i32, Stopped> {
    applet.call(name.as_bytes(), arguments, &mut Alone)
}
