//! The transcripts of the Java programs are what HotSpot makes of them. `BLESS=1 cargo test -p carnet-fuzz --test java_programs`
//! writes them anew.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use carnet_fuzz::java_programs::{Case, cases, compile, folder, not_possible, transcript};

/// As many programs at a time.
const AT_A_TIME: usize = 2;

/// A program on HotSpot: small and soon there, with output that no machine's settings change.
fn start(case: &Case, classes: &Path) -> Child {
    Command::new("java")
        .args(["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m"])
        .args(["-Dfile.encoding=UTF-8", "-Duser.language=en", "-Duser.timezone=UTC", "-cp"])
        .arg(classes)
        .arg(&case.name)
        .args(&case.args)
        .env("LC_ALL", "C.UTF-8")
        .env_remove("JAVA_TOOL_OPTIONS")
        .env_remove("JDK_JAVA_OPTIONS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("java starts")
}

fn run(case: &Case, classes: &Path) -> String {
    let mut java = start(case, classes);
    // A program may end before it has read all.
    let _ = java.stdin.take().expect("an input").write_all(&case.stdin);
    let mut errors = java.stderr.take().expect("errors");
    let (output, errors) = std::thread::scope(|scope| {
        let errors = scope.spawn(move || {
            let mut bytes = Vec::new();
            errors.read_to_end(&mut bytes).expect("errors are read");
            bytes
        });
        let output = java.wait_with_output().expect("java ends");
        (output, errors.join().expect("errors are read"))
    });
    let exit = output.status.code().unwrap_or_else(|| panic!("{}: {}", case.name, output.status));
    transcript(&output.stdout, &errors, exit)
}

/// Runs all, and returns those whose transcript is another; with BLESS it is written.
fn differing(cases: &[Case], classes: &Path) -> Vec<String> {
    let (next, differing) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let bless = std::env::var_os("BLESS").is_some();
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = run(case, classes);
                    if bless {
                        let file = folder().join(format!("{}.out", case.name));
                        fs::write(file, &found).expect("the transcript is written");
                    } else if found != case.expected {
                        let what = format!("{}: expected\n{}\nfound\n{found}", case.name, case.expected);
                        differing.lock().expect("not poisoned").push(what);
                    }
                }
            });
        }
    });
    differing.into_inner().expect("not poisoned")
}

#[test]
fn hotspot_gives_the_transcripts() {
    if let Some(why) = not_possible() {
        println!("skipped: {why}");
        return;
    }
    let classes = tempfile::tempdir().expect("a folder");
    compile(classes.path()).expect("the programs compile");
    let cases = cases();
    let differing = differing(&cases, classes.path());
    assert!(differing.is_empty(), "{} of {}:\n{}", differing.len(), cases.len(), differing.join("\n"));
    println!("{} programs", cases.len());
}

#[test]
fn a_transcript_has_what_a_run_left() {
    assert_eq!(transcript(b"a\n", b"", 0), "a\n");
    let trace = b"Exception in thread \"x\" E: m:1\n\tat X.m(X.java:7)\n\tat java.base/java.lang.Thread.run(Thread.java:840)\n";
    let expected = "--- stderr\nException in thread \"x\" E: m:1\n\tat X.m(X.java:7)\n\tat java.base/java.lang.Thread.run(Thread.java)\n--- exit 1\n";
    assert_eq!(transcript(b"", trace, 1), expected);
}
