//! `carnet compile`: a program to a file with its tree, without a server. It is run later, where there may be no source.

use std::path::Path;

use carnet_program::text::{grouped, hex, short_hash};
use carnet_program::tree::Tree;
use serde_json::json;

use crate::args;
use crate::check::verified;
use crate::exit::{Answer, Problem, Reply};
use crate::interfaces;
use crate::source::{self, shown};

/// Compiles and verifies a program, and writes its tree.
///
/// # Errors
/// If it has faults, or the file cannot be written.
pub fn compile(args: &args::Compile) -> Answer {
    let source = source::compile(&args.file, interfaces::known(&args.interfaces)?)?;
    source.has_tree()?;
    verified(&source)?;
    let bytes = source.tree.to_file();
    // What nobody could read is not written.
    Tree::of_file(&bytes).map_err(|error| Problem::rejected(format!("error: {}: {error}", source.shown)))?;
    write(&args.output, &bytes)?;
    let (name, hash) = (&source.tree.name, carnet_program::bill::hash(&source.bytes));
    let to = shown(&args.output);
    let text = format!(
        "{to}: the tree of {name} (sha256:{}), {} bytes\n",
        short_hash(&hash),
        grouped(bytes.len() as u64)
    );
    let json = json!({
        "exit": 0, "file": to, "program": name, "hash": hex(&hash), "bytes": bytes.len(),
    });
    Ok(Reply::done(text, json))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    std::fs::write(path, bytes).map_err(|error| {
        Problem::usage(format!("error: cannot write {}: {error}\ngive another path to --output", shown(path)))
    })
}
