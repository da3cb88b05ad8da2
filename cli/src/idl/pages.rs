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
    let mut files = Vec::new();
    for path in &args.files {
        let (text, name) = (read_text(path, "interface file")?, shown(path));
        let new = carnet_idl::format(&name, &text)
            .map_err(|faults| Problem::rejected(render(&name, &text, &faults)))?;
        let is_laid_out = new == text;
        let wrote = !is_laid_out && !args.check;
        if wrote {
            super::write(path, &new)?;
            reply.out.push_str(&format!("wrote {name}\n"));
        } else if !is_laid_out {
            reply.exit = Exit::Rejected;
            reply
                .err
                .push_str(&format!("{name} is laid out otherwise: `carnet idl fmt {name}` changes it\n"));
        }
        files.push(json!({ "file": name, "was_laid_out": is_laid_out, "wrote": wrote }));
    }
    reply.json = json!({ "exit": reply.exit as u8, "files": files });
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
        let pages: Vec<_> = pages.collect();
        let json = pages.iter().map(|page| json!({ "name": page.name, "text": page.text }));
        let json = json!({ "exit": 0, "pages": json.collect::<Vec<_>>() });
        let texts: Vec<String> = pages.into_iter().map(|page| page.text).collect();
        return Ok(Reply::done(texts.join("\n"), json));
    };
    std::fs::create_dir_all(folder).map_err(|error| super::unwritable(folder, &error))?;
    let mut out = String::new();
    let mut wrote = Vec::new();
    for page in pages {
        let path = folder.join(format!("{}.md", page.name));
        super::write(&path, &page.text)?;
        out.push_str(&format!("wrote {}\n", shown(&path)));
        wrote.push(shown(&path));
    }
    Ok(Reply::done(out, json!({ "exit": 0, "wrote": wrote })))
}
