//! `carnet debug`: looks inside.

use serde_json::json;

use crate::args;
use crate::exit::{Answer, Reply};
use crate::{interfaces, source};

/// Shows a program's bytecode.
///
/// # Errors
/// If the program is wrong.
pub fn disasm(args: &args::Disasm) -> Answer {
    let source = source::compile(&args.file, interfaces::known(&args.interfaces)?)?;
    // What cannot be verified can still be shown.
    let verified = crate::check::verified(&source).ok();
    let loops = verified.as_ref().map_or(&[][..], |(loaded, _)| &loaded.loops);
    let names = carnet_program::disasm::Names {
        text: &source.text,
        modules: &source.modules,
        registers: &source.registers,
        loops,
    };
    let text = carnet_program::disasm::disasm(&source.bytes, &names)
        .map_err(|error| crate::exit::Problem::rejected(format!("error: {}: {error}", source.shown)))?;
    Ok(Reply::done(text, json!(null)))
}
