//! Everything that a JDK's own class library contains is accepted, and so are the classes that are made for its call sites.

use std::path::Path;

use carnet_classes::class::{ClassFile, Constant, shown};
use carnet_classes::library::{Image, Library, installed_jdk};
use carnet_classes::synthetic::site;
use carnet_classes::{read, verify};

/// The most methods that may be missing from what is counted: there were 58107 in JDK 17.
const METHODS_MIN: usize = 50_000;
/// The same of call sites: there were 1100.
const CALL_SITES_MIN: usize = 1_000;

/// What was found in a module.
#[derive(Default)]
struct Found {
    methods: usize,
    call_sites: usize,
    faults: Vec<String>,
}

/// Verifies all classes of a module, and those that are made for its call sites.
fn sweep(jdk: &Path, module: &str) -> Found {
    let library = Library::open(Some(jdk), &[]).expect("the JDK opens");
    let image = Image::open(&jdk.join("lib/modules")).expect("its image opens");
    let names = image.classes(module).expect("its classes are listed");
    let mut found = Found::default();
    for name in &names {
        let bytes = library.bytes(name.as_bytes()).expect("a class that is listed");
        let class = read(&bytes).expect("a class file");
        found.methods += class.methods.len();
        found.verify(&class, &library);
        found.call_sites(&class, &library);
    }
    println!("{module}: {} classes, {} methods, {} call sites", names.len(), found.methods, found.call_sites);
    found
}

impl Found {
    fn verify(&mut self, class: &ClassFile<'_>, library: &Library) {
        let faults = verify(class, library).err().unwrap_or_default();
        self.faults.extend(faults.iter().map(ToString::to_string));
    }

    fn call_sites(&mut self, class: &ClassFile<'_>, library: &Library) {
        for (at, constant) in class.pool.iter() {
            if !matches!(constant, Constant::InvokeDynamic(_)) {
                continue;
            }
            self.call_sites += 1;
            match site(class, at, &[class.name(), b"$$made"].concat()) {
                Ok(made) => self.verify(&read(&made).expect("a class file"), library),
                Err(why) => self.faults.push(format!("{}: {why}", shown(class.name()))),
            }
        }
    }
}

fn accepted(module: &str) -> Option<Found> {
    let Some(jdk) = installed_jdk() else {
        println!("skipped: no JDK is installed (make setup)");
        return None;
    };
    let found = sweep(&jdk, module);
    let faults = &found.faults;
    assert!(
        faults.is_empty(),
        "{} faults, the first of them:\n{}",
        faults.len(),
        faults[..faults.len().min(40)].join("\n")
    );
    Some(found)
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
        let Some(found) = accepted(module) else { return };
        assert!(found.methods > 0, "{module} has no classes");
    }
}

#[test]
fn every_method_of_java_base_is_accepted() {
    let Some(found) = accepted("java.base") else { return };
    assert!(found.methods >= METHODS_MIN && found.call_sites >= CALL_SITES_MIN);
}
