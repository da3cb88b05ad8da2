//! What a domain pays does not depend on what other domains of its universe have: classes with many static fields, here.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::java_programs::javac;
use carnet_runtime::domain::{Domain, Limits, Value};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;

/// Classes of the one that has much, each with so many static fields, as many as `javac` takes.
const CLASSES: usize = 10;
const FIELDS: usize = 30_000;
/// Those that have little.
const DOMAINS: usize = 20;
/// Bytes that one of them may take outside of its heap.
const SMALL: usize = 64 << 10;

/// Compiles the classes; `None` where that is not possible.
fn compiled() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut source = String::from(
        "class Alloc { static int of() { int sum = 0; for (int i = 0; i < 20_000; i++) sum += new int[100].length; \
         return sum; } }\n\
         class Late { static int count = 1; static String text = \"late\"; static int of() { return count++; } }\n",
    );
    for class in 0..CLASSES {
        let fields: Vec<String> = (0..FIELDS).map(|field| format!("f{field}")).collect();
        source += &format!(
            "class Fat{class} {{ static int {}; static int of() {{ return f7++; }} }}\n",
            fields.join(",")
        );
    }
    std::fs::write(folder.path().join("Others.java"), source).expect("it is written");
    javac(folder.path(), &["Others.java"]).then_some(folder)
}

fn universe(folder: &Path) -> Arc<Universe> {
    let library = Library::open(installed_jdk().as_deref(), &[folder.to_owned()]).expect("a JDK");
    Universe::new(library).expect("core classes")
}

fn domain(universe: &Arc<Universe>, limits: Limits) -> Domain {
    Domain::new(Arc::clone(universe), limits, Io::none()).expect("a domain")
}

fn small() -> Limits {
    Limits { heap: 64 << 10, ..Limits::default() }
}

fn of(domain: &mut Domain, class: &str) -> Result<Option<Value>, String> {
    domain.call_static(class, "of", "()I", &[]).map_err(|error| error.to_string())
}

fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("the process is there");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("what it has");
    let kib: usize = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kib << 10
}

/// Instructions of one that allocates, and bytes of those that have little, behind one with many fields or without it.
fn costs(folder: &Path, attacked: bool) -> (u64, usize) {
    let universe = universe(folder);
    let mut other = domain(&universe, Limits::default());
    if attacked {
        for class in 0..CLASSES {
            assert_eq!(of(&mut other, &format!("Fat{class}")), Ok(Some(Value::Int(0))));
        }
    }
    let mut allocating = domain(&universe, small());
    assert_eq!(of(&mut allocating, "Alloc"), Ok(Some(Value::Int(2_000_000))));
    let before = resident_bytes();
    let few: Vec<Domain> = (0..DOMAINS)
        .map(|_| {
            let mut domain = domain(&universe, small());
            assert_eq!(of(&mut domain, "Late"), Ok(Some(Value::Int(1))));
            domain
        })
        .collect();
    let bytes = resident_bytes().saturating_sub(before);
    drop(few);
    (allocating.instructions, bytes)
}

/// What a process has is measured: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn a_domain_pays_for_what_it_uses_and_not_for_others() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = compiled() else { return };
    let (alone, _) = costs(folder.path(), false);
    let (beside, bytes) = costs(folder.path(), true);
    // Numbers lie elsewhere in pages, and nothing else differs.
    assert!(beside.abs_diff(alone) < alone / 50, "{alone} instructions alone, {beside} beside others");
    assert!(bytes < DOMAINS * SMALL, "{bytes} bytes for {DOMAINS} domains");
}

/// Who uses fields of a class that another one had made pays for room of its own.
#[test]
fn static_fields_count_as_classes_for_each_domain() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = compiled() else { return };
    let universe = universe(folder.path());
    assert_eq!(of(&mut domain(&universe, Limits::default()), "Fat0"), Ok(Some(Value::Int(0))));
    let mut little = domain(&universe, Limits { classes: 100 << 10, ..Limits::default() });
    let refused = of(&mut little, "Fat0").expect_err("it is more than that");
    assert!(refused.contains("Metaspace"), "{refused}");
    assert_eq!(of(&mut little, "Late"), Ok(Some(Value::Int(1))), "there is room for that");
}
