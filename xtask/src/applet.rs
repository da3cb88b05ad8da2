//! How small the applet's engine is, beside JIVE's 43 KB and 2,700 lines of C (U-Net/SLE, section 3.3).
//!
//! What is counted is one object file with all of `applet/`, built for size (the profile `small`): machine code and constants of
//! reader, verifier and interpreter, collection of arrays included. It is no program yet: its host has the native methods and the
//! memory. JIVE's figure is for another machine, and for a library without verifier or collector.
//! Of functions from elsewhere it may need none but those that move and compare bytes; a way to panic would be one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::Line;

const JIVE_BYTES: u64 = 43_000;
const JIVE_LINES: usize = 2_700;

/// It stays as small as this.
const BYTES_MAX: u64 = 30_000;

/// What it may need from elsewhere.
const PRIMITIVES: [&str; 5] = ["memcpy", "memmove", "memset", "memcmp", "bcmp"];

/// Builds the engine, and prints what it comes to.
///
/// # Errors
/// If it is larger than it may be, or needs more than it may.
pub(crate) fn size(root: &Path) -> Result<(), String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let object = target.join("applet.o");
    let emit = format!("--emit=obj={}", object.display());
    let line = "rustc --locked --quiet -p carnet-applet --lib --profile small -- -C force-unwind-tables=no";
    Line::new(line).and(&[emit]).run(root)?;
    let (bytes, needs) = (counted(&tool("size", &["-A"], &object)?), needed(&tool("nm", &["-u"], &object)?));
    let (lines, code) = lines(&root.join("applet/src"))?;
    println!(
        "applet: {bytes} bytes of code and constants (JIVE: about {JIVE_BYTES}), {lines} lines, {code} of them code (JIVE: about \
         {JIVE_LINES}); needs {}",
        needs.join(", ")
    );
    if let Some(name) = needs.iter().find(|name| !PRIMITIVES.contains(&name.as_str())) {
        return Err(format!("the applet's engine needs `{name}`, beyond {}", PRIMITIVES.join(", ")));
    }
    if bytes > BYTES_MAX {
        return Err(format!("the applet's engine has {bytes} bytes, at most {BYTES_MAX}"));
    }
    Ok(())
}

fn tool(name: &str, options: &[&str], object: &Path) -> Result<String, String> {
    let output = Command::new(name).args(options).arg(object).output();
    let output = output.map_err(|error| format!("cannot start {name}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{name}: {error}"))
}

/// Bytes of sections with code, constants and data, out of rows of name, size and address.
fn counted(sections: &str) -> u64 {
    let kept = |name: &str| [".text", ".rodata", ".data", ".bss"].iter().any(|kind| name.starts_with(kind));
    let rows = sections.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.filter_map(|row| row.get(1)?.parse::<u64>().ok().filter(|_| kept(row[0]))).sum()
}

/// The names of functions that are elsewhere.
fn needed(symbols: &str) -> Vec<String> {
    symbols.lines().filter_map(|line| line.split_whitespace().last()).map(str::to_owned).collect()
}

/// All lines of the sources, and those that are neither empty nor comments.
fn lines(folder: &Path) -> Result<(usize, usize), String> {
    let (mut all, mut code) = (0, 0);
    for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        all += text.lines().count();
        code +=
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    }
    Ok((all, code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_that_are_loaded_are_counted() {
        let text = "applet.o  :\nsection  size  addr\n.text.f  100  0\n.rodata  20  0\n.data.rel.ro.x  8  0\n\
                    .eh_frame  50  0\n.comment  45  0\nTotal  223\n";
        assert_eq!(counted(text), 128);
    }

    #[test]
    fn names_from_elsewhere_are_the_last_words() {
        assert_eq!(needed("                 U bcmp\n                 U memset\n"), ["bcmp", "memset"]);
    }
}
