//! `carnet idl fmt` and `carnet idl doc`: texts for people.

use carnet_idl::diagnostic::render;
use serde_json::json;

use crate::args::{IdlDoc, IdlFmt};
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::interfaces::compile;
use crate::source::{read_text, shown};

/// Lays files out.
///
/// # Errors
/// If a file cannot be read, has faults of syntax, or cannot be written.
pub fn fmt(args: &IdlFmt) -> Answer {
    let mut reply = Reply::done(String::new(), json!(null));
    for path in &args.files {
        let (text, name) = (read_text(path, "interface file")?, shown(path));
        let new = carnet_idl::format(&name, &text)
            .map_err(|faults| Problem::rejected(render(&name, &text, &faults)))?;
        if new == text {
            continue;
        }
        if args.check {
            reply.exit = Exit::Rejected;
            reply
                .err
                .push_str(&format!("{name} is laid out otherwise: `carnet idl fmt {name}` changes it\n"));
            continue;
        }
        super::write(path, &new)?;
        reply.out.push_str(&format!("wrote {name}\n"));
    }
    Ok(reply)
}

/// Makes pages.
///
/// # Errors
/// If the file is wrong, or the pages cannot be written.
pub fn doc(args: &IdlDoc) -> Answer {
    let modules = compile(&args.file, &args.include)?;
    let pages = modules.iter().flat_map(carnet_idl::document);
    let Some(folder) = &args.output else {
        let texts: Vec<String> = pages.map(|page| page.text).collect();
        return Ok(Reply::done(texts.join("\n"), json!(null)));
    };
    std::fs::create_dir_all(folder).map_err(|error| super::unwritable(folder, &error))?;
    let mut out = String::new();
    for page in pages {
        let path = folder.join(format!("{}.md", page.name));
        super::write(&path, &page.text)?;
        out.push_str(&format!("wrote {}\n", shown(&path)));
    }
    Ok(Reply::done(out, json!(null)))
}
