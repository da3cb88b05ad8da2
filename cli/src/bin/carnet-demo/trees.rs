//! Whether two trees on disk are equal: names, kinds and contents, byte by byte.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Fails with the first difference between the trees below `one` and `other`.
pub(crate) fn compare(one: &Path, other: &Path) -> io::Result<()> {
    let differ = |what: &Path| {
        io::Error::other(format!("{} and {} differ in {}", one.display(), other.display(), what.display()))
    };
    let (names, others) = (names(one)?, names(other)?);
    if let Some((path, _)) = names.iter().find(|each| !others.contains(each)) {
        return Err(differ(path));
    }
    if let Some((path, _)) = others.iter().find(|each| !names.contains(each)) {
        return Err(differ(path));
    }
    for (path, kind) in &names {
        if *kind == Kind::File && fs::read(one.join(path))? != fs::read(other.join(path))? {
            return Err(differ(path));
        }
    }
    Ok(())
}

/// How many files lie below `root`.
pub(crate) fn files(root: &Path) -> io::Result<usize> {
    Ok(names(root)?.iter().filter(|(_, kind)| *kind == Kind::File).count())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Dir,
}

fn names(root: &Path) -> io::Result<Vec<(PathBuf, Kind)>> {
    let mut names = Vec::new();
    let mut dirs = vec![PathBuf::new()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(root.join(&dir))? {
            let entry = entry?;
            let path = dir.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                dirs.push(path.clone());
                names.push((path, Kind::Dir));
            } else {
                names.push((path, Kind::File));
            }
        }
    }
    names.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_difference_is_found() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        for root in [&one, &other] {
            fs::create_dir_all(root.join("dir/empty")).expect("directories");
            fs::write(root.join("dir/file"), "content").expect("a file");
        }
        assert_eq!((compare(&one, &other).ok(), files(&one).expect("it is there")), (Some(()), 1));
        fs::write(other.join("dir/file"), "Content").expect("a file");
        assert!(compare(&one, &other).is_err_and(|error| error.to_string().ends_with("differ in dir/file")));
        fs::remove_file(other.join("dir/file")).expect("it was there");
        assert!(compare(&one, &other).is_err());
        assert!(compare(&other, &one).is_err());
        fs::create_dir(other.join("dir/file")).expect("a directory");
        assert!(compare(&one, &other).is_err());
    }
}
