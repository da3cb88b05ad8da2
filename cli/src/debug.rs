//! `carnet debug`: looks inside.

pub mod profile;
pub mod step;

use carnet_program::disasm;
use carnet_program::text::hex;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::args;
use crate::exit::{Answer, Problem, Reply};
use crate::{interfaces, source};

/// Shows a program's bytecode.
///
/// # Errors
/// If the program is wrong.
pub fn disassemble(args: &args::Disasm) -> Answer {
    let source = source::compile(&args.file, interfaces::known(&args.interfaces)?)?;
    // What cannot be verified can still be shown.
    let verified = crate::check::verified(&source).ok();
    let loops = verified.as_ref().map_or(&[][..], |(loaded, _)| &loaded.loops);
    let names =
        disasm::Names { text: &source.text, modules: &source.modules, registers: &source.registers, loops };
    let wrong = |error| Problem::rejected(format!("error: {}: {error}", source.shown));
    let (text, code) = if source.is_array() {
        (carnet_program::array::show::show(&source.bytes).map_err(wrong)?, Vec::new())
    } else {
        let text = disasm::disasm(&source.bytes, &names).map_err(wrong)?;
        (text, disasm::code(&source.bytes, &names).map_err(wrong)?)
    };
    let code = code
        .iter()
        .map(|ins| json!({ "at": ins.at, "line": ins.pos.line, "column": ins.pos.col, "text": ins.text }));
    let hash = Sha256::digest(&source.bytes);
    let json = json!({
        "exit": 0, "file": source.shown, "program": source.tree.name, "hash": hex(&hash),
        "bytes": source.bytes.len(), "code": code.collect::<Vec<_>>(), "listing": text,
    });
    Ok(Reply::done(text, json))
}
