//! Interfaces that programs can use: built-in ones, those of `--idl`, that of the server.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use carnet_idl::descriptor::Module;
use carnet_idl::{Sources, is_shipped};

use crate::args;
use crate::exit::Problem;
use crate::services;
use crate::source::{read_text, shown};

/// The built-in interfaces and those of the command line, which go before built-in ones of the same name.
///
/// # Errors
/// If a file of the command line cannot be read or has faults.
pub fn known(given: &args::Interfaces) -> Result<Vec<Arc<Module>>, Problem> {
    let mut modules = Vec::new();
    for path in &given.idl {
        for module in compile(path, &[])? {
            add(&mut modules, Arc::new(module));
        }
    }
    for kind in services::KINDS {
        add(&mut modules, Arc::new((kind.module)().clone()));
    }
    Ok(modules)
}

/// Adds an interface unless there is one of that name.
pub fn add(modules: &mut Vec<Arc<Module>>, module: Arc<Module>) {
    if !modules.iter().any(|known| known.name == module.name) {
        modules.push(module);
    }
}

/// Compiles an interface file with all that it includes: the descriptors of its modules.
///
/// # Errors
/// If it cannot be read or has faults.
pub fn compile(path: &Path, folders: &[PathBuf]) -> Result<Vec<Module>, Problem> {
    let sources = load(path, folders)?;
    carnet_idl::compile(&sources).map_err(|faults| Problem::rejected(sources.render(&faults)))
}

/// The descriptors of modules with these names in the files that an interface file includes.
///
/// # Errors
/// As [`compile`].
pub fn included(path: &Path, folders: &[PathBuf], names: &[String]) -> Result<Vec<Module>, Problem> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let (sources, names) = (load(path, folders)?, names.iter().map(String::as_str).collect::<Vec<_>>());
    let modules = carnet_idl::compile_included(&sources, &names);
    modules.map_err(|faults| Problem::rejected(sources.render(&faults)))
}

fn load(path: &Path, folders: &[PathBuf]) -> Result<Sources, Problem> {
    if let Some(folder) = folders.iter().find(|folder| !folder.is_dir()) {
        return Err(Problem::usage(format!(
            "error: -I {} is no folder\ngive one that is there, or leave it out",
            shown(folder)
        )));
    }
    // What ships with the compiler need not be there.
    if path.exists() || !is_shipped(path) {
        // Says in our own words why a file cannot be read.
        read_text(path, "interface file")?;
    }
    Sources::load(path, folders)
        .map_err(|error| Problem::usage(format!("error: cannot read {}: {error}", shown(path))))
}
