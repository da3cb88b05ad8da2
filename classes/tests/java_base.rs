//! Everything that a JDK's own class library contains is accepted.

use std::path::Path;

use carnet_classes::library::{Image, Library, installed_jdk};
use carnet_classes::{read, verify};

/// The most methods that may be missing from what is counted: there were 58107 in JDK 17.
const METHODS_MIN: usize = 50_000;

/// Verifies all classes of a module: how many classes and methods it has, and the faults.
fn sweep(jdk: &Path, module: &str) -> (usize, usize, Vec<String>) {
    let library = Library::open(Some(jdk), &[]).expect("the JDK opens");
    let image = Image::open(&jdk.join("lib/modules")).expect("its image opens");
    let names = image.classes(module).expect("its classes are listed");
    let (mut methods, mut faults) = (0, Vec::new());
    for name in &names {
        let bytes = library.bytes(name.as_bytes()).expect("a class that is listed");
        let class = read(&bytes).expect("a class file");
        methods += class.methods.len();
        if let Err(found) = verify(&class, &library) {
            faults.extend(found.iter().map(ToString::to_string));
        }
    }
    (names.len(), methods, faults)
}

fn accepted(module: &str) -> usize {
    let Some(jdk) = installed_jdk() else {
        println!("skipped: no JDK is installed (make setup)");
        return usize::MAX;
    };
    let (classes, methods, faults) = sweep(&jdk, module);
    println!("{module}: {classes} classes, {methods} methods");
    assert!(
        faults.is_empty(),
        "{} faults, the first of them:\n{}",
        faults.len(),
        faults[..faults.len().min(40)].join("\n")
    );
    methods
}

/// The largest modules beside it: user interfaces, the compiler, and code that was made by tools.
#[test]
#[ignore = "the long form: make verify-long"]
fn every_method_of_other_modules_is_accepted() {
    for module in [
        "java.desktop",
        "java.xml",
        "jdk.compiler",
        "jdk.javadoc",
        "jdk.localedata",
        "java.sql",
        "java.naming",
    ] {
        assert!(accepted(module) > 0, "{module} has no classes");
    }
}

#[test]
fn every_method_of_java_base_is_accepted() {
    assert!(accepted("java.base") >= METHODS_MIN);
}
