//! Random Java programs: javac takes them all, our verifier takes what it makes of them, and HotSpot runs them with the same
//! result interpreted and translated.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use carnet_classes::library::{Library, installed_jdk};
use carnet_classes::{read, verify};
use carnet_fuzz::classes::programs::{DRIVER, compile, program};
use carnet_fuzz::entropy::Entropy;
use carnet_runtime::domain::{Collecting, Domain, Limits};
use carnet_runtime::io::{Io, Output, Written};
use carnet_runtime::universe::Universe;

const COUNT: u64 = 50;

/// What our runtime makes of the programs in a folder.
fn ours(folder: &Path, collecting: Collecting) -> String {
    let Some(jdk) = installed_jdk() else { return String::new() };
    let library = Library::open(Some(&jdk), &[folder.to_owned()]).expect("the class library");
    let universe = Universe::new(library).expect("core classes");
    let output = Written::default();
    let io =
        Io { output: Output::memory(output.clone()), error: Output::memory(output.clone()), ..Io::none() };
    let limits = Limits { time: Duration::from_secs(600), ..Limits::default() };
    let mut domain = Domain::new(universe, limits, io).expect("a domain");
    domain.heap.collecting = collecting;
    let ended = domain.run_main(DRIVER, &[]);
    let bytes = output.take();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    match ended {
        Ok(0) => text,
        ended => format!("{text}{ended:?}"),
    }
}

/// Where two outputs differ first, with the program.
fn same(ours: &str, theirs: &str, first: u64) {
    let mut name = "";
    for (line, (ours, theirs)) in ours.lines().zip(theirs.lines()).enumerate() {
        if theirs.starts_with('P') && !theirs.contains(' ') {
            name = theirs;
        }
        assert_eq!(ours, theirs, "line {line}, of {name} of the seeds from {first} on");
    }
    assert_eq!(ours.len(), theirs.len(), "of the seeds from {first} on");
}

/// What HotSpot makes of them. Where its compiled code throws the same implicit exception again and again, it throws one that
/// was made before and takes no suppressed exceptions, unless it is told not to.
fn run(folder: &Path, options: &[&str]) -> String {
    let java = Command::new("java")
        .args(["-XX:+UseSerialGC", "-Xshare:auto", "-Xmx256m", "-XX:-OmitStackTraceInFastThrow"])
        .args(options)
        .arg("-cp")
        .arg(folder)
        .arg(DRIVER)
        .stdin(Stdio::null())
        .output()
        .expect("java starts");
    assert!(java.status.success() && java.stderr.is_empty(), "{}", String::from_utf8_lossy(&java.stderr));
    String::from_utf8(java.stdout).expect("a text")
}

#[test]
fn programs_are_taken_and_say_the_same_twice() {
    let javac = Command::new("javac").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if let Err(error) = javac {
        println!("skipped: no Java compiler: javac: {error} (make setup)");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    compile(0..COUNT, folder.path()).unwrap_or_else(|why| panic!("{why}"));
    let (translated, interpreted) = (run(folder.path(), &[]), run(folder.path(), &["-Xint"]));
    assert_eq!(translated, interpreted);
    let ends = translated.lines().filter(|line| line.ends_with(" end")).count();
    assert_eq!(ends, COUNT as usize, "each ends, and none by what it does not catch");
    let thrown = [
        "ArithmeticException: / by zero",
        "ArrayIndexOutOfBoundsException",
        "StringIndexOutOfBoundsException",
        "ArrayStoreException",
        "NegativeArraySizeException",
        "NullPointerException",
        "ClassCastException",
        "IllegalArgumentException",
        "NumberFormatException",
        "IllegalStateException",
        "$Trouble",
    ];
    for class in thrown {
        assert!(translated.contains(class), "no program throws {class}");
    }
    accepted(folder.path());
    same(&ours(folder.path(), Collecting::WhenFull), &translated, 0);
}

#[test]
#[ignore = "the long form: make verify-long"]
fn many_programs_say_what_they_say_on_hotspot() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set");
    for first in [1_000, 2_000, 3_000, 4_000, now.as_nanos() as u64 >> 16] {
        let folder = tempfile::tempdir().expect("a folder");
        compile(first..first + 200, folder.path()).unwrap_or_else(|why| panic!("{why}"));
        let theirs = run(folder.path(), &[]);
        same(&ours(folder.path(), Collecting::WhenFull), &theirs, first);
        same(&ours(folder.path(), Collecting::Always), &theirs, first);
    }
}

/// Our verifier accepts all classes of the folder.
fn accepted(folder: &Path) {
    let Some(jdk) = installed_jdk() else { return };
    let library = Library::open(Some(&jdk), &[folder.to_owned()]).expect("the class library");
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "class") {
            let bytes = std::fs::read(&path).expect("a class file");
            let class = read(&bytes).expect("a class file");
            let faults = verify(&class, &library).err().unwrap_or_default();
            assert!(faults.is_empty(), "{}: {}", path.display(), faults[0]);
        }
    }
}

#[test]
fn programs_have_all_of_the_language() {
    let text: String = (0..COUNT).map(|seed| program("P", &mut Entropy::of_seed(seed))).collect();
    let parts = [
        "finally {",
        "try (Door",
        "catch (Trouble",
        "synchronized (",
        "static synchronized",
        "switch (",
        "case \"Aa\"",
        "case RED",
        "yield ",
        "default ->",
        "} break;",
        "instanceof Integer p",
        "-> (",
        "::twist",
        "new Shape() {",
        "continue loop",
        "break loop",
        "do {",
        "while (",
        ">>>= ",
        "++;",
        "--",
        " ? ",
        "((byte) ",
        "((char) ",
        "((Right) ",
        "new int[][] {",
        "Sum.cut(",
        "made(p",
        "choose(",
        ".<Integer>map(",
        ".twice(",
        ".area(",
        ".name(",
        "rec(",
        "(Object[]) ",
    ];
    for part in parts {
        assert!(text.contains(part), "no program has `{part}`");
    }
    let again: String = (0..COUNT).map(|seed| program("P", &mut Entropy::of_seed(seed))).collect();
    assert!(text == again, "a seed makes one program");
    // A fuzzer's bytes end; what is made then is simple.
    assert!(program("P", &mut Entropy::of_bytes(&[])).len() < 20_000);
}
