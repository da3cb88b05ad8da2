//! The Java back end: golden texts, what `javac` says of them, and what the classes do.
//!
//! Beside each interface file of `cases/modules` and `cases/java` stands what is made from it, as one `.java` with
//! a line before each file. `BLESS=1` writes them anew.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use carnet_idl::descriptor::Module;
use carnet_idl::{JAVA_RUNTIME, Sources, compile, decode, encode, generate_java};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn cases() -> Vec<PathBuf> {
    let folders = ["tests/cases/modules", "tests/cases/java"].map(|folder| here().join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder of cases"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "idl"));
    paths.sort();
    assert!(paths.len() > 2, "found only {paths:?}");
    paths
}

fn modules(path: &Path) -> Vec<Module> {
    let sources = Sources::load(path, &[]).expect("an interface file");
    compile(&sources).unwrap_or_else(|faults| panic!("{}", sources.render(&faults)))
}

#[test]
fn modules_become_the_expected_java() {
    for path in cases() {
        let files: Vec<(String, String)> = modules(&path).iter().flat_map(generate_java).collect();
        let found: String = files.iter().map(|(name, text)| format!("//--- {name}\n{text}")).collect();
        let path = path.with_extension("java");
        if env::var_os("BLESS").is_some() {
            fs::write(&path, &found).expect("to bless generated code");
        }
        assert!(found.is_ascii(), "{}", path.display());
        assert_eq!(found, fs::read_to_string(&path).expect("generated code"), "{}", path.display());
    }
}

#[test]
fn the_same_module_always_becomes_the_same_java() {
    for module in cases().iter().flat_map(|path| modules(path)) {
        let first = generate_java(&module);
        assert_eq!(generate_java(&module), first);
        assert_eq!(generate_java(&decode(&encode(&module)).expect("a module")), first);
    }
}

/// Its package is made from its own file: only there all of it is known.
#[test]
fn what_is_used_of_another_module_is_named_and_not_made() {
    let files = generate_java(&modules(&here().join("tests/cases/java/other.idl"))[0]);
    assert!(files.keys().all(|name| name.starts_with("other/")), "{:?}", files.keys());
    assert!(files["other/Mixed.java"].contains("class_.InterfaceKind kind"), "{}", files["other/Mixed.java"]);
}

/// Compiles everything without a warning, and runs `java/Values.java`, which builds values and checks what they do.
#[test]
fn all_java_compiles_and_its_values_hold_their_bounds() {
    if let Err(error) = Command::new("javac").arg("-version").output() {
        println!("skipped: no Java compiler: javac: {error}");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java");
    let _ = fs::remove_dir_all(&folder);
    let mut files: BTreeMap<String, String> =
        JAVA_RUNTIME.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let mut paths = cases();
    paths.push(here().join("../services/files/files.idl"));
    paths.push(here().join("carnet/memory.idl"));
    files.extend(paths.iter().flat_map(|path| modules(path)).flat_map(|module| generate_java(&module)));
    let values = fs::read_to_string(here().join("tests/java/Values.java")).expect("the values");
    files.insert("Values.java".to_owned(), values);
    for (name, text) in &files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("to make a folder");
        fs::write(path, text).expect("to write a file");
    }
    let lint = ["-Xlint:all", "-Xdoclint:all/protected,-missing", "-Werror", "--release", "17", "-d", "out"];
    let compiled =
        Command::new("javac").args(lint).args(files.keys()).current_dir(&folder).output().expect("javac");
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success() && said.is_empty(), "{said}");
    let run =
        Command::new("java").args(["-cp", "out", "Values"]).current_dir(&folder).output().expect("java");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    assert_eq!(String::from_utf8_lossy(&run.stdout), "73 checks\n", "{said}");
}
