//! What changes between two versions of an interface, and the pages that are made of one: golden texts.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use carnet_idl::descriptor::Module;
use carnet_idl::{Verdict, compare, compile_str, document};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn module(path: &Path) -> Module {
    let text = fs::read_to_string(path).expect("a file");
    compile_str("x.idl", &text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn check(path: &Path, found: &str) {
    if env::var_os("BLESS").is_some() {
        fs::write(path, found).expect("to bless");
    }
    assert_eq!(found, fs::read_to_string(path).expect("a golden text"), "{}", path.display());
}

#[test]
fn changes_are_told_with_what_follows() {
    let folder = folder().join("against");
    let (old, new) = (module(&folder.join("old.idl")), module(&folder.join("new.idl")));
    let mut text = String::new();
    for change in compare(&old, &new) {
        let _ =
            writeln!(text, "{} {}: {}\n    {}", change.verdict.name(), change.place, change.what, change.why);
    }
    check(&folder.join("changes.txt"), &text);
}

/// The hashes are what binds: every operation that is lost is told, and nothing is called broken that is not.
#[test]
fn the_verdict_is_that_of_the_hashes() {
    let folder = folder().join("against");
    let (old, new) = (module(&folder.join("old.idl")), module(&folder.join("new.idl")));
    let changes = compare(&old, &new);
    for interface in &old.interfaces {
        let now = new.interfaces.iter().find(|now| now.name == interface.name);
        for operation in &interface.operations {
            let is_kept = now.is_some_and(|now| now.operation_by_hash(operation.hash).is_some());
            // `Dir.open`, or `Dir.attribute level (reading)` for `_get_level`.
            let name = operation.name.trim_start_matches("_get_").trim_start_matches("_set_");
            let is_it = |place: &str| {
                let place = place.strip_prefix(&format!("{}.", interface.name)).unwrap_or("");
                match operation.name.strip_prefix('_') {
                    Some(way) => {
                        let way = if way.starts_with("get") { "reading" } else { "writing" };
                        place == format!("attribute {name} ({way})")
                    }
                    None => place == name,
                }
            };
            let is_told = changes.iter().any(|c| c.verdict == Verdict::Breaks && is_it(&c.place));
            let is_paged = operation.paged.is_some();
            assert!(is_kept != is_told || now.is_none() || is_paged, "{}", operation.name);
        }
    }
    assert!(compare(&old, &old).is_empty() && compare(&new, &new).is_empty());
}

#[test]
fn pages_are_written_for_each_interface() {
    let folder = folder().join("pages");
    let pages = document(&module(&folder.join("notes.idl")));
    let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
    assert_eq!(names, ["notes", "notes.Book", "notes.Shelf"]);
    for page in &pages {
        check(&folder.join(format!("{}.md", page.name)), &page.text);
    }
}
