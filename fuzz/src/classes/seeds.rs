//! Class files to begin with: what javac makes of the sources in `java/`, in several versions.

use std::path::Path;
use std::process::{Command, Stdio};

use super::assemble::assemble;

/// A class file that is right.
#[derive(Clone, Debug)]
pub struct Seed {
    /// The set that it was compiled in: classes of one set refer to one another.
    pub set: &'static str,
    /// Its name.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
}

macro_rules! sources {
    ($($path:literal,)*) => {
        /// The sources, each with its path.
        pub const SOURCES: &[(&str, &str)] = &[$(($path, include_str!(concat!("java/", $path))),)*];
    };
}

sources! {
    "seeds/base/Base.java",
    "seeds/Arrays.java",
    "seeds/Classic.java",
    "seeds/Faults.java",
    "seeds/Lambdas.java",
    "seeds/Modern.java",
    "seeds/Numbers.java",
    "seeds/Objects.java",
}

/// The sets: a release of Java, and the sources that it understands.
pub const SETS: &[(&str, &[&str])] = &[
    ("17", &["seeds"]),
    ("11", &["seeds/base/Base", "seeds/Classic", "seeds/Faults", "seeds/Lambdas", "seeds/Objects"]),
    ("8", &["seeds/base/Base", "seeds/Classic", "seeds/Faults", "seeds/Objects"]),
    ("7", &["seeds/Classic"]),
];

/// Compiles all sets into folders of `folder` that are called after them.
///
/// # Errors
/// Why it is not possible.
pub fn compile(folder: &Path) -> Result<Vec<Seed>, String> {
    let mut seeds = Vec::new();
    for (release, sources) in SETS {
        let of_set = |path: &&str| sources.iter().any(|source| path.starts_with(source));
        let paths: Vec<&str> = SOURCES.iter().map(|(path, _)| *path).filter(of_set).collect();
        compile_set(folder, release, &paths)?;
        collect(&folder.join(release), release, "", &mut seeds)?;
    }
    Ok(seeds)
}

fn compile_set(folder: &Path, release: &str, paths: &[&str]) -> Result<(), String> {
    let said = |error: std::io::Error| error.to_string();
    for (path, text) in SOURCES {
        let file = folder.join("sources").join(path);
        std::fs::create_dir_all(file.parent().unwrap_or(folder)).map_err(said)?;
        std::fs::write(file, text).map_err(said)?;
    }
    let javac = Command::new("javac")
        .args(["-g", "-nowarn", "-Xlint:none", "--release", release, "-d"])
        .arg(folder.join(release))
        .args(paths)
        .current_dir(folder.join("sources"))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("there is no javac: {error}"))?;
    if javac.status.success() {
        return Ok(());
    }
    Err(format!("javac --release {release}: {}", String::from_utf8_lossy(&javac.stderr)))
}

fn collect(folder: &Path, set: &'static str, package: &str, to: &mut Vec<Seed>) -> Result<(), String> {
    let said = |error: std::io::Error| error.to_string();
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).map_err(said)?.collect::<Result<_, _>>().map_err(said)?;
    // The order of a folder is not that of another machine.
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            collect(&entry.path(), set, &format!("{package}{name}/"), to)?;
        } else if let Some(class) = name.strip_suffix(".class") {
            let bytes = std::fs::read(entry.path()).map_err(said)?;
            to.push(Seed { set, name: format!("{package}{class}"), bytes });
        }
    }
    Ok(())
}

/// As [`compile`], in a folder that does not last.
///
/// # Errors
/// Why it is not possible.
pub fn compiled() -> Result<Vec<Seed>, String> {
    let folder = std::env::temp_dir().join(format!("carnet-seeds-{}", std::process::id()));
    let seeds = compile(&folder);
    let _ = std::fs::remove_dir_all(&folder);
    seeds
}

/// One class file that needs no javac.
///
/// # Panics
/// If its text is wrong.
#[must_use]
pub fn assembled() -> Seed {
    let bytes = assemble(include_str!("seed.class.txt")).expect("the text of the seed is right");
    Seed { set: "assembled", name: "Seed".to_owned(), bytes }
}

/// As much of the class of all objects as others need.
pub(super) fn object() -> Seed {
    let bytes = assemble("class java/lang/Object\n").expect("the text is right");
    Seed { set: "assembled", name: "java/lang/Object".to_owned(), bytes }
}
