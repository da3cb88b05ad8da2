//! Many domains over one universe, on several threads at the same time.

use std::path::Path;
use std::sync::{Arc, Barrier};

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::classes::assemble::assemble;
use carnet_fuzz::java_programs::javac;
use carnet_runtime::domain::{CallError, Collecting, Domain, Limits, Value};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;

/// Compiles the applet; `None` where that is not possible.
fn compiled() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("Applet.java"), include_str!("many/Applet.java"))
        .expect("it is written");
    javac(folder.path(), &["Applet.java"]).then_some(folder)
}

fn universe_of(folder: &Path) -> Arc<Universe> {
    let library = Library::open(installed_jdk().as_deref(), &[folder.to_owned()]).expect("a JDK");
    Universe::new(library).expect("core classes")
}

fn domain(universe: &Arc<Universe>) -> Domain {
    let limits = Limits { heap: 1 << 20, instructions: 10_000_000, ..Limits::default() };
    Domain::new(Arc::clone(universe), limits, Io::none()).expect("a domain")
}

fn run(domain: &mut Domain, seed: i32) -> Value {
    let result = domain.call_static("Applet", "run", "(I)I", &[Value::Int(seed)]);
    result.expect("it runs").expect("a result")
}

#[test]
fn domains_link_the_same_operations_at_the_same_time() {
    const THREADS: usize = 4;
    let Some(folder) = compiled() else { return };
    let first = run(&mut domain(&universe_of(folder.path())), 7);
    for round in 0..20 {
        // Nothing is loaded, translated or linked yet.
        let universe = universe_of(folder.path());
        let begin = Barrier::new(THREADS);
        std::thread::scope(|scope| {
            for number in 0..THREADS {
                let (universe, begin, first) = (&universe, &begin, &first);
                scope.spawn(move || {
                    let mut domain = domain(universe);
                    if number % 2 == 1 {
                        domain.heap.collecting = Collecting::Always;
                    }
                    begin.wait();
                    // Statics are each domain's own: the count of its runs is in the result.
                    assert_eq!(run(&mut domain, 7), *first, "round {round}");
                    assert_ne!(run(&mut domain, 7), *first, "round {round}");
                });
            }
        });
    }
}

#[test]
fn a_class_is_given_to_a_domain_that_runs() {
    let Some(folder) = compiled() else { return };
    let mut domain = domain(&universe_of(folder.path()));
    run(&mut domain, 7);
    let mut twice = |class: &str, code: &str| {
        let text = format!(
            "class {class} extends java/lang/Object\nmethod f (I)I static\n  stack 2 locals 1\n{code}  ireturn\n"
        );
        let bytes = assemble(&text).expect("a class");
        domain.universe.give(class, bytes).map_err(CallError::from)?;
        domain.call_static(class, "f", "(I)I", &[Value::Int(21)])
    };
    let right = "  iload_0\n  invokestatic Applet.run(I)I\n  pop\n  iload_0\n  iconst_2\n  imul\n";
    assert_eq!(twice("Good", right), Ok(Some(Value::Int(42))));
    let why = |refused: Result<_, CallError>| refused.expect_err("it is refused").to_string();
    let wrong = why(twice("Bad", "  aload_0\n"));
    assert!(
        wrong.starts_with("java/lang/VerifyError: error[local-type] Bad: method f(I)I at 0 aload_0"),
        "{wrong}"
    );
    for name in ["Good", "Applet", "java/lang/String"] {
        let told = format!("java/lang/LinkageError: there is a class {name} already");
        assert_eq!(why(twice(name, right)), told);
    }
    assert!(
        why(twice("java/lang/Stranger", right))
            .starts_with("java/lang/NoClassDefFoundError: java/lang/Stranger")
    );
}

/// The verifier looks again for what it missed: in the domain that asked first, and in another.
#[test]
fn a_class_that_the_verifier_missed_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "class Above { }\nclass Missed extends Above { }\n\
                  class User { static Above up(Missed it) { return it; } static int run(int x) { return x + 1; } }\n";
    std::fs::write(folder.path().join("User.java"), source).expect("it is written");
    if !javac(folder.path(), &["User.java"]) {
        return;
    }
    let missed = folder.path().join("Missed.class");
    let bytes = std::fs::read(&missed).expect("it is compiled");
    std::fs::remove_file(missed).expect("it is there");
    let universe = universe_of(folder.path());
    let call = |domain: &mut Domain| domain.call_static("User", "run", "(I)I", &[Value::Int(20)]);
    let (mut first, mut second) = (domain(&universe), domain(&universe));
    for _ in 0..2 {
        let told = call(&mut first).expect_err("it is not linked").to_string();
        assert!(told.starts_with("java/lang/NoClassDefFoundError: Missed"), "{told}");
    }
    universe.give("Missed", bytes).expect("a new name");
    for domain in [&mut first, &mut second] {
        assert_eq!(call(domain), Ok(Some(Value::Int(21))));
    }
}

#[test]
fn threads_that_make_arrays_of_a_hidden_class_make_one_class() {
    const THREADS: usize = 4;
    const CLASSES: usize = 400;
    let Some(folder) = compiled() else { return };
    let universe = universe_of(folder.path());
    let host = universe.load(b"Applet").expect("its host");
    let bytes = assemble("class Held extends java/lang/Object\n").expect("a class");
    let made = (0..CLASSES).map(|_| universe.load_hidden(bytes.clone(), host).expect("a hidden class"));
    let made: Vec<_> = made.collect();
    let begin = Barrier::new(THREADS);
    let arrays_of = || {
        let arrays = made.iter().map(|class| {
            begin.wait();
            universe.array_of(*class).expect("its arrays")
        });
        arrays.collect::<Vec<_>>()
    };
    let found: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(arrays_of)).collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    assert!(found.iter().all(|arrays| *arrays == found[0]));
}
