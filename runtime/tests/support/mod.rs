//! Classes that use up whatever they are given, and domains with little to give.

use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::classes::assemble::assemble;
use carnet_fuzz::java_programs::javac;
use carnet_runtime::domain::{CallError, Domain, Limits, Value};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;

/// Compiles classes into a folder that lasts as long as the tests, once; `None` where that is not possible.
pub(crate) fn folder() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<tempfile::TempDir>> = OnceLock::new();
    let made = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut line = String::from("class D0 { static int at() { return 0; } }\n");
        for at in 1..300 {
            line += &format!("class D{at} extends D{} {{ static int at() {{ return {at}; }} }}\n", at - 1);
        }
        let cases: String = (0..4000).map(|at| format!("case {}: return {at};\n", at * 7919)).collect();
        let constants: String = (0..5000).map(|at| format!("case {at}: return \"text {at}\";\n")).collect();
        let uses: String = (0..100).map(|at| format!("case {at}: new F{at}();\n")).collect();
        line += &format!("class Fails {{ static void use(int which) {{ switch (which) {{ {uses} }} }} }}\n");
        for at in 0..100 {
            line += &format!("class F{at} {{ static int of = Failing.fail(); }}\n");
        }
        line += &format!(
            "class Many {{ static int of(int key) {{ switch (key) {{ {cases} default: return -1; }} }} }}\n\
             class Texts {{ static String of(int key) {{ switch (key) {{ {constants} default: return null; }} }} }}\n"
        );
        std::fs::write(folder.path().join("D.java"), line).expect("it is written");
        std::fs::write(folder.path().join("Greedy.java"), include_str!("Greedy.java"))
            .expect("it is written");
        javac(folder.path(), &["D.java", "Greedy.java"]).then_some(folder)
    });
    made.as_ref().map(tempfile::TempDir::path)
}

pub(crate) fn universe_of(folder: &Path) -> Arc<Universe> {
    let library = Library::open(installed_jdk().as_deref(), &[folder.to_owned()]).expect("a JDK");
    Universe::new(library).expect("core classes")
}

/// A universe of the classes that all tests share.
pub(crate) fn universe() -> Option<Arc<Universe>> {
    static UNIVERSE: OnceLock<Option<Arc<Universe>>> = OnceLock::new();
    UNIVERSE.get_or_init(|| folder().map(universe_of)).clone()
}

pub(crate) const INSTRUCTIONS: u64 = 10_000_000;

pub(crate) fn limits() -> Limits {
    Limits { instructions: INSTRUCTIONS, heap: 8 << 20, ..Limits::default() }
}

pub(crate) fn domain(universe: &Arc<Universe>, limits: Limits) -> Domain {
    Domain::new(Arc::clone(universe), limits, Io::none()).expect("a domain")
}

pub(crate) fn call(
    domain: &mut Domain,
    name: &str,
    descriptor: &str,
    with: &[Value],
) -> Result<Option<Value>, CallError> {
    domain.call_static("Greedy", name, descriptor, with)
}

pub(crate) fn assembled(text: &str) -> Arc<Universe> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = std::fs::File::create(folder.path().join("Seed.class")).expect("a file");
    file.write_all(&assemble(text).expect("the text is right")).expect("it is written");
    let universe = universe_of(folder.path());
    universe.load(b"Seed").expect("the class is right");
    universe
}
