//! Which real files the demonstration uses: the sources of this repository.
//!
//! It reads the checkout that it was built from, or the current directory if that is gone. What is built, what is
//! git's own, and what is no regular file is left out.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Larger files are left out: one of them would be most of what is seen.
const FILE_BYTES_MAX: u64 = 512 << 10;

/// One file.
pub(crate) struct Source {
    /// Below the checkout.
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

/// At most `max` files: one of each directory, then a second one of each, and so on, so that all directories are
/// there. The same checkout always gives the same ones.
pub(crate) fn sources(max: usize) -> io::Result<Vec<Source>> {
    let root = checkout()?;
    let mut found: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    walk(&root, Path::new(""), &mut found)?;
    let deepest = found.values().map(Vec::len).max().unwrap_or(0);
    let in_turns = (0..deepest).flat_map(|turn| found.values().filter_map(move |files| files.get(turn)));
    let mut chosen: Vec<&PathBuf> = in_turns.take(max).collect();
    chosen.sort();
    chosen
        .into_iter()
        .map(|path| Ok(Source { path: path.clone(), bytes: fs::read(root.join(path))? }))
        .collect()
}

fn checkout() -> io::Result<PathBuf> {
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    match built_from.filter(|root| root.join("Cargo.toml").is_file()) {
        Some(root) => Ok(root.to_owned()),
        None => std::env::current_dir(),
    }
}

fn walk(root: &Path, dir: &Path, found: &mut BTreeMap<PathBuf, Vec<PathBuf>>) -> io::Result<()> {
    let mut entries = fs::read_dir(root.join(dir))?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (dir.join(entry.file_name()), entry.file_type()?);
        if kind.is_dir() && !is_left_out(&path) {
            walk(root, &path, found)?;
        } else if kind.is_file() && entry.metadata()?.len() <= FILE_BYTES_MAX {
            found.entry(dir.to_owned()).or_default().push(path);
        }
    }
    Ok(())
}

fn is_left_out(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name == ".git" || name == "target" || name.starts_with("target-")
}
