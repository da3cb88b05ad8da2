//! `carnet idl`: interface files to stubs, or to their faults.

pub mod pages;

use std::path::Path;

use carnet_idl::descriptor::Module;
use carnet_idl::{
    C_RUNTIME, Change, JAVA_RUNTIME, Verdict, compare_all, generate_c_of, generate_java, generate_rust_of,
    is_header_of_others,
};
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

/// Looks for faults in all files.
///
/// # Errors
/// None: what is wrong with a file is in the reply.
pub fn check(args: &IdlCheck) -> Answer {
    let (mut out, mut err, mut exit) = (String::new(), String::new(), Exit::Done);
    let mut files = Vec::new();
    for path in &args.files {
        let compiled = compile(path, &args.include);
        match compiled.and_then(|modules| checked(args, path, &modules)) {
            Ok(checked) => {
                exit = if exit == Exit::Done { checked.exit } else { exit };
                out.push_str(&checked.out);
                files.push(checked.json);
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

/// What a file without faults is; with `--against`, what changed.
fn checked(args: &IdlCheck, path: &Path, modules: &[Module]) -> Answer {
    let count = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let mut reply = Reply::done(String::new(), json!({ "file": shown(path), "ok": true }));
    let mut listed = Vec::new();
    for module in modules {
        // What of other modules is in a descriptor is theirs.
        let own = module.interfaces.iter().filter(|interface| !interface.name.starts_with("::"));
        let (interfaces, operations) = own.fold((0, 0), |(n, m), i| (n + 1, m + i.operations.len()));
        let version = format!("{} {}", module.name, module.version);
        reply.out.push_str(&format!(
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
            reply.json[key] = only[key].clone();
        }
    } else {
        reply.json["modules"] = json!(listed);
    }
    if let Some(old) = &args.against {
        against(modules, &compile(old, &args.include)?, &mut reply);
    }
    Ok(reply)
}

/// Adds what changed between the modules of the old file and of the new one.
fn against(new: &[Module], old: &[Module], reply: &mut Reply) {
    let changes = compare_all(old, new);
    let breaks = changes.iter().any(|change| change.verdict == Verdict::Breaks);
    for change in &changes {
        let Change { verdict, place, what, why } = change;
        reply.out.push_str(&format!("{} {place}: {what}\n    {why}\n", verdict.name()));
    }
    let verdict = match (breaks, changes.is_empty()) {
        (true, _) => "old callers or programs break\n",
        (false, true) => "nothing changed\n",
        (false, false) => "old callers and programs keep working\n",
    };
    reply.out.push_str(verdict);
    let listed = changes.iter().map(|Change { verdict, place, what, why }| {
        json!({ "verdict": verdict.name(), "place": place, "what": what, "why": why })
    });
    reply.json["changes"] = json!(listed.collect::<Vec<_>>());
    // Faults are another matter, and weigh more.
    reply.exit = if breaks { Exit::Failed } else { Exit::Done };
}
