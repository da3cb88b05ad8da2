//! `carnet idl fmt` and `carnet idl doc`: texts for people.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
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
            replace(path, &text, &new).map_err(|unwritten| {
                Problem::usage(format!("error: cannot write {name}: {}\n", unwritten.text()))
            })?;
            Ok(Layout::Wrote)
        }
    }
}

/// Why a file was not written, and how it is now.
enum Unwritten {
    AsItWas(io::Error),
    /// Nobody is to write it.
    ReadOnly,
    /// Neither the new text nor the old one; the old one is in this file.
    Damaged(io::Error, String),
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Unwritten {
        Unwritten::AsItWas(error)
    }
}

impl Unwritten {
    fn text(&self) -> String {
        match self {
            Unwritten::AsItWas(error) => format!("{error}\nthe file is as it was"),
            Unwritten::ReadOnly => {
                "it is read-only\nthe file is as it was. `chmod u+w` lets it be written".to_owned()
            }
            Unwritten::Damaged(error, kept) => {
                format!("{error}\npart of it is written. What it was is in {kept}: copy that back")
            }
        }
    }
}

/// Writes another text than `was`, or leaves the file as it is: it may be all that its owner has.
fn replace(path: &Path, was: &str, text: &str) -> Result<(), Unwritten> {
    // What a link leads to, not the link.
    let path = path.canonicalize()?;
    let found = path.metadata()?;
    // Who may write anything must be kept from it by us.
    if found.permissions().readonly() {
        return Err(Unwritten::ReadOnly);
    }
    let mut file = OpenOptions::new().read(true).write(true).open(&path)?;
    let mut old = Vec::new();
    file.read_to_end(&mut old)?;
    if old != was.as_bytes() {
        return Err(io::Error::other("somebody has changed it meanwhile").into());
    }
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut draft = NamedTempFile::with_prefix_in(".carnet-fmt-", folder)?;
    if must_stay(&found, &draft.as_file().metadata()?) {
        return write_over(&file, &old, draft, text);
    }
    draft.write_all(text.as_bytes())?;
    draft.as_file().set_permissions(found.permissions())?;
    draft.as_file().sync_all()?;
    draft.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// Whether a new file could not take its place: it has other names, which would go on with the old text, or another owner.
fn must_stay(file: &Metadata, new: &Metadata) -> bool {
    file.nlink() > 1 || (file.uid(), file.gid()) != (new.uid(), new.gid())
}

/// Writes into the file itself. What it held is in `kept` until that is done, and is written back if it cannot be: that needs no
/// room which the file had not.
fn write_over(file: &File, old: &[u8], mut kept: NamedTempFile, text: &str) -> Result<(), Unwritten> {
    kept.write_all(old)?;
    kept.as_file().sync_all()?;
    let mut written = 0;
    let Err(error) = overwrite(file, text.as_bytes(), old.len(), &mut written) else { return Ok(()) };
    if restore(file, old, written).is_ok() {
        return Err(Unwritten::AsItWas(error));
    }
    kept.disable_cleanup(true);
    Err(Unwritten::Damaged(error, shown(kept.path())))
}

/// Undoes what was written over `old`, and writes nothing else: that could fail for the same reason.
fn restore(file: &File, old: &[u8], written: usize) -> io::Result<()> {
    let is_cut = file.metadata()?.len() < old.len() as u64;
    let lost = if is_cut { old.len() } else { old.len().min(written) };
    file.write_all_at(&old[..lost], 0)?;
    file.set_len(old.len() as u64)?;
    file.sync_all()
}

/// Makes `bytes` all that the file holds; says how many of them are over what it held.
fn overwrite(file: &File, bytes: &[u8], held: usize, written: &mut usize) -> io::Result<()> {
    let (over, behind) = bytes.split_at(held.min(bytes.len()));
    // What needs more room fails before anything is lost.
    file.write_all_at(behind, held as u64)?;
    while *written < over.len() {
        match file.write_at(&over[*written..], *written as u64) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(more) => *written += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    // Nothing is cut off before all of the new text is there.
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
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
