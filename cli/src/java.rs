//! `carnet java`: looks at class files, and [runs](run) them.

pub mod run;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use carnet_classes::class::{ClassFile, Code, Member, find, shown as text_of, shown_briefly};
use carnet_classes::fault::{Fault, Kind};
use carnet_classes::library::{Jar, Library, OpenError, installed_jdk};
use carnet_classes::listing::{self, Of};
use carnet_classes::read::{BYTES_MAX, read};
use carnet_classes::{profile, verify};
use serde_json::{Value, json};

use crate::args;
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::source::{read_bytes, shown};
use crate::value::{harmless, harmless_lines};

/// The class library of a JDK, the one that is named or the installed one, with the places of a class path.
fn library(jdk: Option<&Path>, places: &[PathBuf]) -> Result<Library, Problem> {
    let jdk = jdk.map(Path::to_owned).or_else(installed_jdk).ok_or_else(|| {
        Problem::usage(
            "error: there is no JDK, whose class library is needed\n\
             install one, or name its folder with --jdk or JAVA_HOME",
        )
    })?;
    let cannot = |error: OpenError| {
        Problem::usage(format!("error: cannot look for classes in {}", harmless(&error.to_string())))
    };
    Library::open(Some(&jdk), places).map_err(cannot)
}

/// Verifies class files and jars; one that is wrong does not keep others from being looked at.
///
/// # Errors
/// If there is no JDK, or a place for classes cannot be opened.
pub fn verify_files(args: &args::JavaVerify) -> Answer {
    let library = library(args.jdk.as_deref(), &class_path(args.class_path.as_deref(), &args.files))?;
    let mut reply = Reply::done(String::new(), Value::Null);
    let mut files = Vec::new();
    for path in &args.files {
        let name = shown(path);
        match verify_file(path, &library, args.profile) {
            Ok(classes) => {
                let good = classes.iter().all(|class| class.faults.is_empty());
                if good {
                    reply.out += &format!("ok: {name}{}\n", counted(&classes));
                } else {
                    reply.exit = Exit::Rejected;
                }
                for fault in classes.iter().flat_map(|class| &class.faults) {
                    reply.err += &format!("{}\n  --> {name}\n", harmless(&fault.text));
                }
                let classes: Vec<Value> = classes.iter().map(Class::json).collect();
                files.push(json!({ "file": name, "ok": good, "classes": classes }));
            }
            Err(problem) => {
                if reply.exit != Exit::Rejected {
                    reply.exit = problem.exit;
                }
                files.push(
                    json!({ "file": name, "ok": false, "error": problem.name, "message": problem.text }),
                );
                reply.err += &problem.into_reply().err;
            }
        }
    }
    reply.json = json!({ "exit": reply.exit as u8, "files": files });
    Ok(reply)
}

/// Bytes of the classes of a jar that are verified at most: entries may share what they are packed in.
const JAR_BYTES_MAX: usize = 1 << 30;

/// A class that was looked at.
struct Class {
    name: String,
    methods: usize,
    faults: Vec<Told>,
}

/// What is wrong, for people and as JSON.
struct Told {
    text: String,
    json: Value,
}

impl Class {
    fn json(&self) -> Value {
        let faults: Vec<&Value> = self.faults.iter().map(|fault| &fault.json).collect();
        json!({ "class": self.name, "ok": faults.is_empty(), "methods": self.methods, "faults": faults })
    }
}

/// `, 1 class, 2 methods`.
fn counted(classes: &[Class]) -> String {
    let of =
        |count: usize, one: &str, more: &str| format!(", {count} {}", if count == 1 { one } else { more });
    let methods = classes.iter().map(|class| class.methods).sum();
    of(classes.len(), "class", "classes") + &of(methods, "method", "methods")
}

/// What `--class-path` says, jars that are verified, and the folders that class files stand in by their names.
fn class_path(named: Option<&OsStr>, files: &[PathBuf]) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> =
        named.iter().flat_map(std::env::split_paths).filter(|place| !place.as_os_str().is_empty()).collect();
    let mut seen: BTreeSet<PathBuf> = places.iter().cloned().collect();
    for path in files {
        let place = if is_jar(path) { Some(path.clone()) } else { root_of(path) };
        places.extend(place.filter(|place| place.exists() && seen.insert(place.clone())));
    }
    places
}

fn is_jar(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("jar"))
}

/// `out` of `out/a/B.class`, if that contains the class `a/B`.
fn root_of(path: &Path) -> Option<PathBuf> {
    let bytes = read_bytes(path, "class file", BYTES_MAX as u64).ok()?;
    let name = text_of(read(&bytes).ok()?.name()) + ".class";
    let root = path.ancestors().nth(name.split('/').count())?;
    (root.join(&name) == path)
        .then(|| if root.as_os_str().is_empty() { PathBuf::from(".") } else { root.to_owned() })
}

fn verify_file(
    path: &Path,
    library: &Library,
    profile: Option<args::Profile>,
) -> Result<Vec<Class>, Problem> {
    if !is_jar(path) {
        let bytes = read_bytes(path, "class file", BYTES_MAX as u64)?;
        return Ok(vec![verify_bytes(&shown(path), None, &bytes, library, profile)]);
    }
    let rejected = |reason: String| Problem::rejected(format!("error: {}", harmless(&reason)));
    let jar = Jar::open(path).map_err(|error| rejected(error.to_string()))?;
    let (mut classes, mut looked_at) = (Vec::new(), 0);
    for name in jar.classes() {
        let entry = format!("{name}.class");
        classes.push(match jar.entry(&entry) {
            Ok(bytes) => {
                let bytes = bytes.unwrap_or_default();
                looked_at += bytes.len();
                if looked_at > JAR_BYTES_MAX {
                    return Err(rejected(format!(
                        "{}: its classes have more than {} MiB, up to {entry}",
                        path.display(),
                        JAR_BYTES_MAX >> 20
                    )));
                }
                verify_bytes(&entry, Some(&name), &bytes, library, profile)
            }
            // The others are judged all the same.
            Err(reason) => {
                let text = format!("{}: {entry}: {reason}", path.display());
                let faults = vec![Told { json: json!({ "message": text }), text: format!("error: {text}") }];
                Class { name: entry, methods: 0, faults }
            }
        });
    }
    Ok(classes)
}

/// Verifies one class, which should be called `name` if that is known.
fn verify_bytes(
    place: &str,
    name: Option<&str>,
    bytes: &[u8],
    library: &Library,
    profile: Option<args::Profile>,
) -> Class {
    let told = |text: String| Told { json: json!({ "message": text }), text: format!("error: {text}") };
    let class = match read(bytes) {
        Ok(class) => class,
        Err(error) => {
            return Class {
                name: place.to_owned(),
                methods: 0,
                faults: vec![told(format!("{place}: {error}"))],
            };
        }
    };
    let own = text_of(class.name());
    let judged = verify(&class, library).and_then(|()| match profile {
        Some(args::Profile::Applet) => profile::check(&class),
        None => Ok(()),
    });
    let mut faults: Vec<Told> = judged.err().into_iter().flatten().map(|fault| tell(&fault)).collect();
    if let Some(name) = name.filter(|name| *name != own) {
        faults.push(told(format!("{place} contains {own}, expected {name}")));
    }
    Class { name: own, methods: class.methods.len(), faults }
}

fn tell(fault: &Fault) -> Told {
    let json = json!({
        "class": fault.class, "place": fault.place.to_string(), "rule": fault.rule.name(),
        "section": fault.rule.section(), "unsupported": fault.rule.kind() != Kind::Unsafe,
        "found": fault.found, "expected": fault.expected, "message": fault.to_string(),
    });
    Told { text: fault.to_string(), json }
}

/// Shows a class file.
///
/// # Errors
/// If it cannot be read.
pub fn inspect(args: &args::JavaInspect) -> Answer {
    let bytes = read_bytes(&args.file, "class file", BYTES_MAX as u64)?;
    let class =
        read(&bytes).map_err(|error| Problem::rejected(format!("error: {}: {error}", shown(&args.file))))?;
    let names = |indices: &[_]| {
        indices.iter().filter_map(|at| class.pool.class(*at)).map(shown_briefly).collect::<Vec<_>>()
    };
    let members = |list: &[Member<'_>], of| {
        list.iter().map(|member| member_json(&class, member, of)).collect::<Vec<_>>()
    };
    let json = json!({
        "exit": 0, "file": shown(&args.file), "class": text_of(class.name()), "version": class.version.to_string(),
        "bytes": class.bytes, "constants": class.pool.count().saturating_sub(1),
        "flags": listing::words(class.flags, Of::Class), "super": class.super_name().map(text_of),
        "interfaces": names(&class.interfaces),
        "fields": members(&class.fields, Of::Field), "methods": members(&class.methods, Of::Method),
    });
    Ok(Reply::done(harmless_lines(&listing::text(&class)), json))
}

fn member_json(class: &ClassFile<'_>, member: &Member<'_>, of: Of) -> Value {
    let mut json = json!({
        "name": shown_briefly(member.name(&class.pool)), "descriptor": shown_briefly(member.descriptor(&class.pool)),
        "flags": listing::words(member.flags, of),
    });
    let code =
        find(&member.attributes, &class.pool, "Code").filter(|_| of == Of::Method).and_then(Code::read);
    if let Some(code) = code {
        let lines = listing::lines(class, &code).into_iter();
        let lines: Vec<Value> = lines.map(|line| json!({ "at": line.offset, "text": line.text })).collect();
        json["stack"] = json!(code.max_stack);
        json["locals"] = json!(code.max_locals);
        json["code"] = json!(lines);
    }
    json
}
