//! `carnet idl`: interface files to stubs, or to their faults.

pub mod pages;

use std::path::Path;

use carnet_idl::descriptor::Module;
use carnet_idl::{
    C_RUNTIME, Change, Files, JAVA_RUNTIME, Verdict, compare_all, generate_c_of, generate_java,
    generate_rust_of, is_header_of_others,
};
use serde_json::{Value, json};

use crate::args::{IdlBuild, IdlCheck, Language};
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::interfaces::{compile, included};
use crate::source::shown;

/// Makes stubs.
///
/// # Errors
/// If the file is wrong, or the stubs cannot be written.
pub fn build(args: &IdlBuild) -> Answer {
    let modules = compile(&args.file, &args.include)?;
    let classes = |module| -> String {
        generate_java(module).iter().map(|(name, text)| format!("// {name}\n{text}\n")).collect()
    };
    let texts: Vec<String> = match args.lang {
        Language::Rust => vec![generate_rust_of(&modules)],
        Language::Java => modules.iter().map(classes).collect(),
        Language::C => generate_c_of(&modules),
    };
    let names: Vec<&str> = modules.iter().map(|module| module.name.as_str()).collect();
    let mut json = json!({ "exit": 0, "modules": names });
    let Some(path) = &args.output else {
        json["stubs"] = json!(texts.concat());
        return Ok(Reply::done(texts.concat(), json));
    };
    match args.lang {
        Language::Rust => write(path, &texts.concat())?,
        Language::Java => write_java(path, &modules)?,
        Language::C => {
            own_headers(&args.file, &modules)?;
            for (module, text) in modules.iter().zip(&texts) {
                write_headers(path, &module.name, text)?;
            }
        }
    }
    json["wrote"] = json!(shown(path));
    Ok(Reply::done(format!("wrote {}\n", shown(path)), json))
}

/// Refuses modules whose headers the runtime's would overwrite, or that would stand before the system's.
fn own_headers(file: &Path, modules: &[Module]) -> Result<(), Problem> {
    let Some(module) = modules.iter().find(|module| is_header_of_others(&module.name)) else { return Ok(()) };
    let (file, name) = (shown(file), &module.name);
    Err(Problem::rejected(format!(
        "error: {file}: the stubs of module `{name}` would be {name}.h, and so is a header that they need\n\
         give the module another name"
    )))
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

/// A folder for each package, and the package that they use.
fn write_java(folder: &Path, modules: &[Module]) -> Result<(), Problem> {
    let runtime = JAVA_RUNTIME.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    for (name, text) in modules.iter().flat_map(generate_java).chain(runtime) {
        let path = folder.join(name);
        let package = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(package).map_err(|error| unwritable(package, &error))?;
        write(&path, &text)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Problem> {
    std::fs::write(path, text).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Problem {
    Problem::usage(format!("error: cannot write {}: {error}\ngive another path: -o PATH", shown(path)))
}

/// Looks for faults in all files; with `--against`, says what changed in them together.
///
/// # Errors
/// None: what is wrong with a file is in the reply.
pub fn check(args: &IdlCheck) -> Answer {
    let (mut out, mut err, mut exit) = (String::new(), String::new(), Exit::Done);
    let (mut files, mut all) = (Vec::new(), Vec::new());
    let mut failed = |path: &Path, problem: Problem, files: &mut Vec<Value>| {
        exit = if exit == Exit::Rejected { exit } else { problem.exit };
        files.push(
            json!({ "file": shown(path), "ok": false, "error": problem.name, "message": problem.text }),
        );
        err.push_str(&problem.into_reply().err);
    };
    for path in &args.files {
        match compile(path, &args.include) {
            Ok(modules) => {
                let (text, json) = checked(path, &modules);
                out.push_str(&text);
                files.push(json);
                all.extend(modules);
            }
            Err(problem) => failed(path, problem, &mut files),
        }
    }
    let mut changes = None;
    if let Some(path) = &args.against {
        match compile(path, &args.include).and_then(|old| once(&all).map(|()| old)) {
            Ok(old) => match beside(args, path, (old, all)) {
                Ok((old, new)) => changes = Some(compare_all(&old, &new)),
                Err(problem) => failed(path, problem, &mut files),
            },
            Err(problem) => failed(path, problem, &mut files),
        }
    }
    let mut json = json!({ "files": files });
    // What a file with faults has is not gone.
    if let Some(changes) = changes.filter(|_| exit == Exit::Done) {
        exit = told(&changes, &mut out, &mut json);
    }
    json["exit"] = json!(exit as u8);
    Ok(Reply { exit, out, err, json })
}

/// Old and new modules, with those that one side has and the other only includes.
fn beside(
    args: &IdlCheck,
    path: &Path,
    (old, new): (Vec<Module>, Vec<Module>),
) -> Result<(Files, Files), Problem> {
    let missing = |from: &[Module], other: &[Module]| -> Vec<String> {
        let is_missing = |module: &&Module| !other.iter().any(|other| other.name == module.name);
        from.iter().filter(is_missing).map(|module| module.name.clone()).collect()
    };
    let (come, gone) = (missing(&new, &old), missing(&old, &new));
    let of_old = included(path, &args.include, &come)?;
    let mut of_new = Vec::new();
    for path in &args.files {
        of_new.extend(included(path, &args.include, &gone)?);
    }
    Ok((Files { own: old, included: of_old }, Files { own: new, included: of_new }))
}

/// What a file without faults is, in words and as JSON.
fn checked(path: &Path, modules: &[Module]) -> (String, Value) {
    let count = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let (mut text, mut json) = (String::new(), json!({ "file": shown(path), "ok": true }));
    let mut listed = Vec::new();
    for module in modules {
        // What of other modules is in a descriptor is theirs.
        let own = module.interfaces.iter().filter(|interface| !interface.name.starts_with("::"));
        let (interfaces, operations) = own.fold((0, 0), |(n, m), i| (n + 1, m + i.operations.len()));
        let version = format!("{} {}", module.name, module.version);
        text.push_str(&format!(
            "ok: {}, {}, {}\n",
            version.trim_end(),
            count(interfaces, "interface"),
            count(operations, "operation")
        ));
        listed.push(json!({
            "module": module.name, "version": module.version, "interfaces": interfaces, "operations": operations,
        }));
    }
    if let [only] = &listed[..] {
        for key in ["module", "version", "interfaces", "operations"] {
            json[key] = only[key].clone();
        }
    } else {
        json["modules"] = json!(listed);
    }
    (text, json)
}

/// Refuses a set of files in which a module is twice: neither is what the old one became.
fn once(modules: &[Module]) -> Result<(), Problem> {
    let twice = modules
        .iter()
        .enumerate()
        .find(|(at, new)| modules[..*at].iter().any(|other| other.name == new.name));
    let Some((_, module)) = twice else { return Ok(()) };
    Err(Problem::usage(format!(
        "error: two of the files have the module `{}`\nall files together are held against the old one: name one of these\n",
        module.name
    )))
}

/// Adds what changed.
fn told(changes: &[Change], out: &mut String, json: &mut Value) -> Exit {
    let breaks = changes.iter().any(|change| change.verdict == Verdict::Breaks);
    for change in changes {
        let Change { verdict, place, what, why } = change;
        out.push_str(&format!("{} {place}: {what}\n    {why}\n", verdict.name()));
    }
    let verdict = match (breaks, changes.is_empty()) {
        (true, _) => "old callers or programs break\n",
        (false, true) => "nothing changed\n",
        (false, false) => "old callers and programs keep working\n",
    };
    out.push_str(verdict);
    let listed = changes.iter().map(|Change { verdict, place, what, why }| {
        json!({ "verdict": verdict.name(), "place": place, "what": what, "why": why })
    });
    let listed = json!(listed.collect::<Vec<_>>());
    match json["files"].as_array_mut().map(Vec::as_mut_slice) {
        Some([only]) => only["changes"] = listed,
        _ => json["changes"] = listed,
    }
    if breaks { Exit::Failed } else { Exit::Done }
}
