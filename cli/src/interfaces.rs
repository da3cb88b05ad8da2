//! Interfaces that programs can use: built-in ones, those of `--idl`, that of the server.

use std::path::Path;
use std::sync::Arc;

use carnet_idl::descriptor::Module;
use carnet_idl::diagnostic::render;

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
        add(&mut modules, Arc::new(compile(path)?));
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

/// Compiles an interface file.
///
/// # Errors
/// If it cannot be read or has faults.
pub fn compile(path: &Path) -> Result<Module, Problem> {
    let text = read_text(path, "interface file")?;
    let name = shown(path);
    carnet_idl::compile_str(&name, &text).map_err(|faults| Problem::rejected(render(&name, &text, &faults)))
}
