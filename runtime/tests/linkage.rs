//! Classes that changed after others were compiled against them: what is linked, and which error is thrown, is what HotSpot's `java`
//! does (JVMS 5.3, 5.4).
//!
//! `linkage.cases` has the cases. One begins with `== name`, the package that all of it is in, and has a public class `Main` whose
//! `run()` is called twice. What follows changes the classes that it was compiled with:
//!
//! | line | what it does |
//! | --- | --- |
//! | `-- in other` | what follows it is in the package `name.other` |
//! | `-- then` | what follows it is compiled later, with all before on its class path; `-- then in other` likewise |
//! | `-- keep A B` | these classes stay as they were |
//! | `-- without A B` | these classes are taken away |
//! | `-- rename A B` | the file of the first becomes that of the second |
//! | `-- forge A 00c4 0014` | these bytes, which the file has once, become the others |

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::java_programs::not_possible;
use carnet_runtime::domain::{Domain, Limits};
use carnet_runtime::io::{Io, Output, Written};
use carnet_runtime::universe::Universe;

/// The last of the cases: nobody catches what it throws.
const LAST: &str = "uncaught";

/// Writes all sources of the cases, into `before` and `after`, and returns the lines that change classes, each with its case.
fn write(folder: &Path) -> Vec<(&'static str, &'static str)> {
    let mut changes = Vec::new();
    let (mut names, mut driver) = (Vec::new(), String::new());
    for case in include_str!("linkage.cases").split("== ").skip(1) {
        let (name, sources) = case.split_once('\n').expect("a name");
        for (number, source) in sources.split("-- ").enumerate() {
            let (head, text) =
                if number == 0 { ("", source) } else { source.split_once('\n').expect("a line") };
            let words: Vec<&str> = head.split(' ').collect();
            let (when, of) = match words[..] {
                [""] => ("before", ""),
                ["then"] => ("after", ""),
                ["in", of] => ("before", of),
                ["then", "in", of] => ("after", of),
                _ => {
                    changes.push((name, head));
                    continue;
                }
            };
            let package = format!("{name}.{of}");
            let public = text.lines().find_map(|line| line.strip_prefix("public ")).unwrap_or("class Others");
            let kinds = ["class", "interface", "record"];
            let public = public.split(' ').skip_while(|word| !kinds.contains(word)).nth(1).expect("a class");
            let place = folder.join(when).join(name).join(of);
            std::fs::create_dir_all(&place).expect("a folder");
            let source = format!("package {};{text}", package.trim_end_matches('.'));
            std::fs::write(place.join(format!("{public}.java")), source).expect("it is written");
        }
        names.push(name);
        let call = if name == LAST {
            format!("{name}.Main.run();")
        } else {
            format!(
                "try {{ {name}.Main.run(); }} catch (Throwable error) {{ error.printStackTrace(System.out); }}"
            )
        };
        let _ = writeln!(
            driver,
            "static void {name}() throws Throwable {{ System.out.println(\"== {name}\"); {call} }}"
        );
    }
    let calls: String = names.iter().map(|name| format!("{name}();")).collect();
    let all = calls.replace(&format!("{LAST}();"), "");
    let source = format!(
        "public class Driver {{ {driver}\n public static void main(String[] words) throws Throwable {{ {all} {calls} }} }}"
    );
    std::fs::write(folder.join("before/Driver.java"), source).expect("it is written");
    changes
}

fn sources(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "java") {
            into.push(path);
        }
    }
}

fn compile(folder: &Path, from: &str, to: &str) {
    let mut files = Vec::new();
    sources(&folder.join(from), &mut files);
    let javac = Command::new("javac")
        .args(["-nowarn", "-Xlint:none", "-implicit:none", "-cp", "classes", "-d", to])
        .args(["--add-exports", "java.base/jdk.internal.access=ALL-UNNAMED"])
        .args(files)
        .current_dir(folder)
        .output()
        .expect("a compiler");
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
}

/// Puts the classes that were compiled later in the place of those that were compiled first.
fn change(folder: &Path, changes: &[(&str, &str)]) {
    let class =
        |when: &str, case: &str, name: &str| folder.join(when).join(case).join(format!("{name}.class"));
    let words = |head: &'static str| {
        changes
            .iter()
            .filter_map(move |(case, line)| Some((*case, line.strip_prefix(head)?)))
            .flat_map(|(case, names)| names.split(' ').map(move |name| (case, name)))
    };
    for (case, name) in words("keep ") {
        std::fs::remove_file(class("later", case, name)).expect("it was compiled");
    }
    let copied = Command::new("cp").args(["-rT", "later", "classes"]).current_dir(folder).status();
    assert!(copied.is_ok_and(|status| status.success()), "they are copied");
    for (case, name) in words("without ") {
        std::fs::remove_file(class("classes", case, name)).expect("it was compiled");
    }
    for (case, line) in changes {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["rename", from, to] => {
                std::fs::rename(class("classes", case, from), class("classes", case, to))
                    .expect("it was compiled");
            }
            ["forge", name, from, to] => forge(&class("classes", case, name), &bytes(from), &bytes(to)),
            _ => {}
        }
    }
}

/// The bytes of a text in hexadecimal.
fn bytes(text: &str) -> Vec<u8> {
    let digits = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("two digits");
    (0..text.len()).step_by(2).map(digits).collect()
}

/// Changes bytes that a file has once to as many others.
fn forge(path: &Path, from: &[u8], to: &[u8]) {
    let mut file = std::fs::read(path).expect("it was compiled");
    let places: Vec<usize> = (0..file.len()).filter(|at| file[*at..].starts_with(from)).collect();
    let [at] = places[..] else { panic!("{} has {from:x?} at {places:?}", path.display()) };
    file[at..at + to.len()].copy_from_slice(to);
    std::fs::write(path, file).expect("it is written");
}

/// A line without the hashes by which HotSpot tells modules that have no names.
fn without_hashes(line: &str) -> String {
    let mut parts = line.split(" @0x");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| line + part.trim_start_matches(|digit: char| digit.is_ascii_hexdigit()))
        + "\n"
}

/// What a run wrote for each case, standard error, and its exit code. Frames of the JDK's own are left out, among them those
/// of class loaders, and so is how many there are.
fn outcome(output: &[u8], error: &[u8], exit: i32) -> (BTreeMap<String, String>, String, i32) {
    let told = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        let is_told = |line: &&str| !line.starts_with("\tat java.base/") && !line.ends_with(" more");
        text.lines().filter(is_told).map(without_hashes).collect::<String>()
    };
    let mut cases: BTreeMap<String, String> = BTreeMap::new();
    for case in told(output).split("== ").skip(1) {
        let (name, text) = case.split_once('\n').expect("a line");
        cases.entry(name.to_owned()).or_default().push_str(&format!("{text}-- again\n"));
    }
    (cases, told(error), exit)
}

#[test]
fn linkage_errors_are_those_of_hotspot() {
    if let Some(reason) = not_possible() {
        eprintln!("skipped: {reason}");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let changes = write(folder.path());
    for place in ["classes", "later"] {
        std::fs::create_dir(folder.path().join(place)).expect("a folder");
    }
    compile(folder.path(), "before", "classes");
    compile(folder.path(), "after", "later");
    change(folder.path(), &changes);

    let java = Command::new("java")
        .args(["-cp", "classes", "Driver"])
        .current_dir(folder.path())
        .output()
        .expect("java");
    let expected = outcome(&java.stdout, &java.stderr, java.status.code().expect("an exit code"));

    let library = Library::open(installed_jdk().as_deref(), &[folder.path().join("classes")]).expect("a JDK");
    let universe = Universe::new(library).expect("core classes");
    let (output, error) = (Written::default(), Written::default());
    let io =
        Io { output: Output::memory(output.clone()), error: Output::memory(error.clone()), ..Io::none() };
    let mut domain = Domain::new(universe, Limits::default(), io).expect("a domain");
    let exit = domain.run_main("Driver", &[]).expect("it runs");
    let found = outcome(&output.take(), &error.take(), exit);

    let mut differ = String::new();
    for (case, expected) in &expected.0 {
        let found = found.0.get(case).map_or("", String::as_str);
        if found != expected {
            let _ = writeln!(differ, "== {case}\n-- HotSpot\n{expected}-- here\n{found}");
        }
    }
    assert!(differ.is_empty(), "{differ}");
    assert_eq!(found, expected);
}
