//! The files of the repository, in memory.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// The files that git tracks or would track.
pub(super) struct Tree {
    /// Content by path from the root; `None` for what is not text.
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    /// Reads the repository at `root`.
    pub(super) fn load(root: &Path) -> Result<Tree, String> {
        let listed = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("cannot start git: {error}"))?;
        if !listed.status.success() {
            return Err(format!("git ls-files: {}", String::from_utf8_lossy(&listed.stderr).trim()));
        }
        let names = String::from_utf8(listed.stdout).map_err(|_| "a file's name is not UTF-8".to_owned())?;
        let mut files = BTreeMap::new();
        for name in names.split('\0').filter(|name| !name.is_empty()) {
            // Symbolic links are not followed, and files that were just deleted are still listed.
            let Ok(kind) = root.join(name).symlink_metadata() else { continue };
            let bytes = if kind.is_file() { std::fs::read(root.join(name)).ok() } else { None };
            files.insert(name.to_owned(), bytes.and_then(text));
        }
        Ok(Tree { files })
    }

    /// A repository of these files.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Tree {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), Some((*text).to_owned())));
        Tree { files: files.collect() }
    }

    /// Whether there is a file of this name.
    pub(super) fn has_file(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Whether there is a file or folder of this name; the root is the empty name.
    pub(super) fn has(&self, name: &str) -> bool {
        let name = name.trim_end_matches('/');
        let folder = format!("{name}/");
        self.has_file(name) || name.is_empty() || self.all().any(|file| file.starts_with(&folder))
    }

    /// Names of all files.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Name and content of every text.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(name, text)| Some((name.as_str(), text.as_deref()?)))
    }

    /// Name and content of every text whose name ends in one of `endings`.
    pub(super) fn ending<'a>(&'a self, endings: &'a [&str]) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.texts().filter(move |(name, _)| endings.iter().any(|ending| name.ends_with(ending)))
    }

    /// Content of one text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.files.get(name)?.as_deref()
    }
}

fn text(bytes: Vec<u8>) -> Option<String> {
    if bytes.contains(&0) { None } else { String::from_utf8(bytes).ok() }
}

/// Whether a file is data of tests (expected output, bad input), to which the rules for sources do not apply.
pub(super) fn is_data(name: &str) -> bool {
    const FOLDERS: [&str; 4] = ["golden", "cases", "corpus", "data"];
    name.rsplit('/').skip(1).any(|part| FOLDERS.contains(&part))
}

/// Number of the line in which the byte at `offset` stands, from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

/// Where `word` stands in `text` with nothing of a name on either side.
pub(super) fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let bytes = text.as_bytes();
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = at.checked_sub(1).and_then(|index| bytes.get(index));
        !part(before) && !part(bytes.get(at + word.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_found() {
        let tree = Tree::of(&[("a/b.md", "")]);
        assert!(tree.has("a/b.md") && tree.has("a") && tree.has("a/") && tree.has(""));
        assert!(!tree.has("a/b") && !tree.has("b.md") && !tree.has_file("a"));
    }

    #[test]
    fn data_of_tests_is_told_by_its_folder() {
        assert!(is_data("idl/tests/golden/files.rs") && is_data("program/tests/cases/bad/x.carnet"));
        assert!(!is_data("idl/src/golden.rs") && !is_data("data"));
    }

    #[test]
    fn words_stand_alone() {
        assert_eq!(words("dot do redo do!", "do").collect::<Vec<_>>(), [4, 12]);
    }

    #[test]
    fn what_is_not_text_has_no_text() {
        assert_eq!(text(vec![0]), None);
        assert_eq!(text(vec![0xff]), None);
        assert_eq!(text(b"ok".to_vec()).as_deref(), Some("ok"));
    }
}
