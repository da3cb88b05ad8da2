//! `carnet check`: compiles and verifies programs without a server, and shows their bills without a policy.

use std::sync::Arc;

use carnet_idl::descriptor::Module;
use carnet_program::bill::Bill;
use carnet_program::limits::Limits;
use carnet_program::verify::{LoadError, Loaded, Registry, load};
use serde_json::json;

use crate::args;
use crate::bill::to_json;
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::interfaces;
use crate::report;
use crate::source::{Source, compile};

/// Checks all files; one that is wrong does not keep others from being looked at.
///
/// # Errors
/// If an interface file is wrong.
pub fn check(args: &args::Check) -> Answer {
    let modules = interfaces::known(&args.interfaces)?;
    let (mut out, mut err, mut exit) = (String::new(), String::new(), Exit::Done);
    let mut files = Vec::new();
    for file in &args.files {
        let checked =
            compile(file, modules.clone()).and_then(|source| verified(&source).map(|found| (source, found)));
        match checked {
            Ok((source, (loaded, bill))) => {
                let instructions = carnet_program::text::grouped(loaded.code.len() as u64);
                if !out.is_empty() {
                    out.push('\n');
                }
                let unit = if source.is_array() { "commands" } else { "instructions" };
                out.push_str(&format!("ok: {}, {instructions} {unit}\n{bill}", source.tree.name));
                files.push(json!({
                    "file": source.shown, "ok": true, "program": source.tree.name,
                    "instructions": loaded.code.len(), "bytes": source.bytes.len(), "bill": to_json(&bill),
                }));
            }
            Err(problem) => {
                exit = worse(exit, problem.exit);
                let name = crate::source::shown(file);
                files.push(
                    json!({ "file": name, "ok": false, "error": problem.name, "message": problem.text }),
                );
                if !err.is_empty() {
                    err.push('\n');
                }
                err.push_str(&problem.into_reply().err);
            }
        }
    }
    Ok(Reply { exit, out, err, json: json!({ "exit": exit as u8, "files": files }) })
}

/// A file that cannot be read counts less than one that is wrong.
fn worse(one: Exit, other: Exit) -> Exit {
    if one == Exit::Rejected { one } else { other }
}

/// Verifies a program as a server would, and computes its bill.
///
/// # Errors
/// If the verifier rejects it.
pub fn verified(source: &Source) -> Result<(Loaded, Bill), Problem> {
    let modules: Vec<&'static Module> = source.modules.iter().map(kept).collect();
    let loaded = load(&source.bytes, &Registry::new(&modules)).map_err(|error| {
        Problem::rejected(match error {
            LoadError::Rejected(faults) => report::rejected(Some(source), &faults),
            LoadError::NotAProgram(reason) => format!("error: {}: {reason}", source.shown),
        })
    })?;
    let bill = carnet_program::bill::bill(&source.bytes, &loaded, &Limits::UNLIMITED);
    Ok((loaded, bill))
}

/// Descriptors live as long as the process does, here as on a server.
fn kept(module: &Arc<Module>) -> &'static Module {
    Box::leak(Box::new(Module::clone(module)))
}
