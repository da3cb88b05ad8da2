//! Resources of a program: what lies beside its classes in a jar, and nothing of what lies in a folder.

use std::path::Path;
use std::process::Command;

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::java_programs::javac;
use carnet_runtime::domain::{Domain, Limits};
use carnet_runtime::io::{Io, Output, Written};
use carnet_runtime::universe::Universe;

const FILES: [(&str, &str); 6] = [
    ("Reader.java", include_str!("resources/Reader.java")),
    ("words.properties", "greeting=hello\n"),
    ("pack/words.properties", "greeting=hello\n"),
    ("pack/words_de.properties", "greeting=hallo\n"),
    ("pack/a b%20#?.txt", "an odd name"),
    ("plain.txt", "plain"),
];

/// What the program writes; a folder or jar is its class path.
fn run(place: &Path) -> String {
    let library = Library::open(installed_jdk().as_deref(), &[place.to_owned()]).expect("a JDK");
    let universe = Universe::new(library).expect("core classes");
    let output = Written::default();
    let io =
        Io { output: Output::memory(output.clone()), error: Output::memory(std::io::stderr()), ..Io::none() };
    let mut domain = Domain::new(universe, Limits::default(), io).expect("a domain");
    assert_eq!(domain.run_main("Reader", &[]), Ok(0));
    String::from_utf8(output.take()).expect("a text")
}

#[test]
fn resources_of_a_jar_are_read_as_with_java_and_those_of_a_folder_are_not() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("pack")).expect("a folder");
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).expect("it is written");
    }
    // More than the runtime reads.
    let large = std::fs::File::create(folder.path().join("large")).expect("a file");
    large.set_len((16 << 20) + 1).expect("it has zeros");
    if !javac(folder.path(), &["Reader.java"]) {
        return;
    }
    let jars = tempfile::tempdir().expect("a folder");
    let file = jars.path().join("reader.jar");
    let mut jar = Command::new("jar");
    jar.args(["--create", "--file"]).arg(&file).arg("-C").arg(folder.path()).arg(".");
    assert!(jar.status().expect("jar starts").success());
    let java = Command::new("java").arg("-cp").arg(&file).arg("Reader").output().expect("java starts");
    assert!(java.stderr.is_empty(), "{}", String::from_utf8_lossy(&java.stderr));
    let expected = String::from_utf8(java.stdout).expect("a text");
    assert!(expected.contains("greeting=hello") && !expected.contains("missing"), "{expected}");
    assert_eq!(run(&file), expected);
    let found = run(folder.path());
    assert!(found.lines().all(|line| line == "missing"), "{found}");
}
