//! `carnet idl`: interface files to stubs, or to their faults.

use std::path::Path;

use carnet_idl::{C_RUNTIME, generate_c, generate_rust};
use serde_json::json;

use crate::args::{IdlBuild, IdlCheck, Language};
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::interfaces::compile;
use crate::source::shown;

/// Makes stubs.
///
/// # Errors
/// If the file is wrong, or the stubs cannot be written.
pub fn build(args: &IdlBuild) -> Answer {
    let module = compile(&args.file)?;
    let text = match args.lang {
        Language::Rust => generate_rust(&module),
        Language::C => generate_c(&module).map_err(|missing| not_supported(&missing.to_string()))?,
    };
    let Some(path) = &args.output else { return Ok(Reply::done(text, json!(null))) };
    match args.lang {
        Language::Rust => write(path, &text)?,
        Language::C => write_headers(path, &module.name, &text)?,
    }
    Ok(Reply::done(format!("wrote {}\n", shown(path)), json!(null)))
}

fn not_supported(text: &str) -> Problem {
    Problem { name: "not-supported", exit: Exit::Rejected, text: text.to_owned() }
}

/// Stubs and the headers that they include. A main loop that is there already is the user's.
fn write_headers(folder: &Path, module: &str, text: &str) -> Result<(), Problem> {
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    write(&folder.join(format!("{module}.h")), text)?;
    for (name, text) in C_RUNTIME {
        let path = folder.join(name);
        if !name.ends_with(".c") || !path.exists() {
            write(&path, text)?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Problem> {
    std::fs::write(path, text).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Problem {
    Problem::usage(format!("error: cannot write {}: {error}\ngive another path: -o PATH", shown(path)))
}

/// Looks for faults in all files.
///
/// # Errors
/// None: what is wrong with a file is in the reply.
pub fn check(args: &IdlCheck) -> Answer {
    let (mut out, mut err, mut exit) = (String::new(), String::new(), Exit::Done);
    let mut files = Vec::new();
    for path in &args.files {
        match compile(path) {
            Ok(module) => {
                let count = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
                let operations = module.interfaces.iter().map(|interface| interface.operations.len()).sum();
                let version = format!("{} {}", module.name, module.version);
                out.push_str(&format!(
                    "ok: {}, {}, {}\n",
                    version.trim_end(),
                    count(module.interfaces.len(), "interface"),
                    count(operations, "operation")
                ));
                files.push(json!({
                    "file": shown(path), "ok": true, "module": module.name, "version": module.version,
                    "interfaces": module.interfaces.len(), "operations": operations,
                }));
            }
            Err(problem) => {
                exit = if exit == Exit::Rejected { exit } else { problem.exit };
                files.push(json!({ "file": shown(path), "ok": false, "error": problem.name, "message": problem.text }));
                err.push_str(&problem.into_reply().err);
            }
        }
    }
    Ok(Reply { exit, out, err, json: json!({ "exit": exit as u8, "files": files }) })
}
