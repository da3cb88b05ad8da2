//! The trusted base: what must be right for all else to be safe, and how long it is.
//!
//! It is the floor, `boundary/`, and each file that makes one of its [proofs](crate::tidy::PROOFS). Lines of code are those that are
//! neither blank nor comments; tests are not counted. Beside it stand the compiler, the libraries that are pinned in Cargo.lock
//! and the system: Cranelift, which those files use, is many times as long.

use std::fs;
use std::path::Path;

use crate::tidy::PROOFS;

/// Prints each part with its lines of code, and all of them together.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn print(root: &Path) -> Result<(), String> {
    let mut parts: Vec<String> = Vec::new();
    for folder in entries(&root.join("boundary"))? {
        parts.push(format!("boundary/{folder}/src"));
    }
    parts.extend(PROOFS.iter().map(|(_, _, file)| (*file).to_owned()));
    let mut all = 0;
    for part in parts {
        let lines = lines(&root.join(&part))?;
        println!("{lines:6}  {part}");
        all += lines;
    }
    println!("{all:6}  lines of code must be right for all else to be safe");
    Ok(())
}

/// Names in a folder, in order.
fn entries(folder: &Path) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Lines of code of a file, or of all in a folder.
fn lines(path: &Path) -> Result<usize, String> {
    if path.is_dir() {
        return entries(path)?.iter().map(|name| lines(&path.join(name))).sum();
    }
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default().lines().map(str::trim_start);
    Ok(code.filter(|line| !line.is_empty() && !line.starts_with("//")).count())
}
