//! Java classes that are measured: compiled, and run in a domain of ours.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use carnet_classes::library::{Library, installed_jdk};
use carnet_runtime::domain::{Domain, Limits};
use carnet_runtime::io::{Io, Output, Written};
use carnet_runtime::universe::Universe;

/// A folder with compiled classes; it goes away with this.
pub struct Compiled(PathBuf);

impl Drop for Compiled {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Compiled {
    /// Compiles sources of `bench/java`. `None` if there is no JDK.
    ///
    /// # Errors
    /// If they do not compile.
    pub fn new(sources: &[&str]) -> Result<Option<Compiled>, String> {
        if installed_jdk().is_none() {
            return Ok(None);
        }
        let folder = std::env::temp_dir().join(format!("carnet-bench-java-{}", std::process::id()));
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("java");
        let mut javac = Command::new("javac");
        javac.arg("-d").arg(&folder).args(sources.iter().map(|source| place.join(source)));
        match javac.stderr(Stdio::inherit()).status() {
            Ok(status) if status.success() => Ok(Some(Compiled(folder))),
            _ => Err(format!("{sources:?} cannot be compiled")),
        }
    }

    /// Where the classes are.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// A universe of these classes and the JDK's.
    ///
    /// # Errors
    /// If there is none.
    pub fn universe(&self) -> Result<Arc<Universe>, String> {
        universe(std::slice::from_ref(&self.0))
    }
}

/// A universe of the classes of some folders and the JDK's.
///
/// # Errors
/// If there is none.
pub fn universe(folders: &[PathBuf]) -> Result<Arc<Universe>, String> {
    let library = Library::open(installed_jdk().as_deref(), folders);
    let library = library.map_err(|error| error.to_string())?;
    Universe::new(library).map_err(|error| error.to_string())
}

/// What a program writes, run in a domain of its own.
///
/// # Errors
/// If it does not end well.
pub fn run(universe: &Arc<Universe>, class: &str, words: &[&str]) -> Result<String, String> {
    let written = Written::default();
    let io = Io {
        output: Output::memory(written.clone()),
        error: Output::memory(std::io::stderr()),
        ..Io::none()
    };
    let mut domain =
        Domain::new(Arc::clone(universe), Limits::default(), io).map_err(|error| error.to_string())?;
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    match domain.run_main(class, &words) {
        Ok(0) => {}
        Ok(code) => return Err(format!("{class} ended with {code}")),
        Err(error) => return Err(error.to_string()),
    }
    drop(domain);
    String::from_utf8(written.take()).map_err(|error| error.to_string())
}
