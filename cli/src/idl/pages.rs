//! `carnet idl fmt` and `carnet idl doc`: texts for people.

use std::io::{self, Write as _};
use std::path::Path;

use carnet_idl::diagnostic::render;
use serde_json::json;
use tempfile::NamedTempFile;

use crate::args::{IdlDoc, IdlFmt};
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::interfaces::compile;
use crate::source::{read_text, shown};

/// Lays files out. One that cannot be keeps no other from it, and stays as it is.
///
/// # Errors
/// None: what is wrong with a file is in the reply.
pub fn fmt(args: &IdlFmt) -> Answer {
    let mut reply = Reply::done(String::new(), json!(null));
    let mut files = Vec::new();
    for path in &args.files {
        let name = shown(path);
        match lay_out(path, args.check) {
            Ok(Layout::AsItIs) => files.push(json!({ "file": name, "was_laid_out": true, "wrote": false })),
            Ok(Layout::Wrote) => {
                reply.out.push_str(&format!("wrote {name}\n"));
                files.push(json!({ "file": name, "was_laid_out": false, "wrote": true }));
            }
            Ok(Layout::Otherwise) => {
                reply.exit = if reply.exit == Exit::Done { Exit::Rejected } else { reply.exit };
                let text = format!("{name} is laid out otherwise: `carnet idl fmt {name}` changes it\n");
                reply.err.push_str(&text);
                files.push(json!({ "file": name, "was_laid_out": false, "wrote": false }));
            }
            Err(problem) => {
                reply.exit = if reply.exit == Exit::Rejected { reply.exit } else { problem.exit };
                files.push(json!({ "file": name, "error": problem.name, "message": problem.text }));
                reply.err.push_str(&problem.into_reply().err);
            }
        }
    }
    reply.json = json!({ "exit": reply.exit as u8, "files": files });
    Ok(reply)
}

/// What came of a file.
enum Layout {
    AsItIs,
    Wrote,
    /// It would be changed, and was not to be.
    Otherwise,
}

fn lay_out(path: &Path, only_check: bool) -> Result<Layout, Problem> {
    let (text, name) = (read_text(path, "interface file")?, shown(path));
    let new = carnet_idl::format(&name, &text)
        .map_err(|faults| Problem::rejected(render(&name, &text, &faults)))?;
    match (new == text, only_check) {
        (true, _) => Ok(Layout::AsItIs),
        (false, true) => Ok(Layout::Otherwise),
        (false, false) => {
            replace(path, &new).map_err(|error| {
                Problem::usage(format!("error: cannot write {name}: {error}\nthe file is as it was\n"))
            })?;
            Ok(Layout::Wrote)
        }
    }
}

/// Puts another file in the place of one, or leaves that as it is: it may be all that its owner has.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // What a link leads to, not the link.
    let path = path.canonicalize()?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut draft = NamedTempFile::new_in(folder)?;
    draft.write_all(text.as_bytes())?;
    draft.as_file().set_permissions(path.metadata()?.permissions())?;
    draft.as_file().sync_all()?;
    draft.persist(&path)?;
    Ok(())
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
