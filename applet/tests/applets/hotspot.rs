//! HotSpot as the judge of what applets come to, and the verifier of all classes as that of what is accepted.

use std::io::Write as _;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};

use carnet_applet::{Rule, Stop};
use carnet_classes::fault::{Fault, Place};
use carnet_classes::{descriptor, profile, read, verify};
use carnet_fuzz::classes::{World, mutants};
use carnet_fuzz::entropy::{Entropy, mixed};

use super::{SOURCES, call, compiled, with_applet};

/// Rules of what an applet does not come to use: texts, names and constants that nothing refers to, attributes that are not read,
/// and the variables that tables for debuggers name.
const UNREAD: [&str; 7] = ["text", "name", "constant", "descriptor", "attribute", "duplicate", "local-index"];

/// Why a class that the verifier of all classes accepts is refused: it is larger than an applet may be, or calls a method of its own
/// as that of an interface, which HotSpot finds out when it is called.
const NARROWER: [Rule; 2] = [Rule::Limit, Rule::Operand];

/// What was called, with what it came to.
struct Called {
    name: String,
    arguments: Vec<i32>,
    came: String,
}

/// What HotSpot calls it; nothing where that is a matter of limits.
fn thrown(stop: Stop) -> Option<&'static str> {
    match stop {
        Stop::Bounds => Some("java.lang.ArrayIndexOutOfBoundsException"),
        Stop::NegativeSize => Some("java.lang.NegativeArraySizeException"),
        Stop::Division => Some("java.lang.ArithmeticException"),
        Stop::Null => Some("java.lang.NullPointerException"),
        Stop::Instructions | Stop::Depth | Stop::Memory => None,
        other => panic!("{other:?}"),
    }
}

/// Names and parameters of what can be called from outside, where names are text: initializers first.
fn callable(file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let class = read(file).expect("a class file");
    let mut methods: Vec<(String, Vec<u8>)> = Vec::new();
    for method in &class.methods {
        let parameters = descriptor::method(method.descriptor(&class.pool)).expect("a descriptor").parameters;
        if let Ok(name) = String::from_utf8(method.name(&class.pool).to_vec())
            && parameters.iter().all(|parameter| parameter.len() == 1)
        {
            methods.push((name, parameters.iter().map(|parameter| parameter[0]).collect()));
        }
    }
    methods.sort_by_key(|(name, _)| match name.as_str() {
        "<clinit>" => 0,
        "<init>" => 1,
        _ => 2,
    });
    methods
}

fn argument(letter: u8, entropy: &mut Entropy<'_>) -> i32 {
    let int = if entropy.one_in(2) { entropy.below(12) as i32 - 2 } else { entropy.int() as i32 };
    match letter {
        b'B' => i32::from(int as i8),
        b'S' => i32::from(int as i16),
        _ => int,
    }
}

/// Calls methods in turn, up to a limit or an initializer that fails. The class is refused by `Err`.
fn calls(
    file: &[u8],
    rounds: usize,
    entropy: &mut Entropy<'_>,
) -> Result<Vec<Called>, carnet_applet::Refused> {
    with_applet(file, |applet| {
        applet.instructions = 50_000;
        let mut called = Vec::new();
        for round in 0..rounds {
            for (name, letters) in callable(file) {
                let initializer = name.starts_with('<');
                if initializer && round > 0 {
                    continue;
                }
                let arguments: Vec<i32> = letters.iter().map(|letter| argument(*letter, entropy)).collect();
                let came = match call(applet, &name, &arguments) {
                    Ok(result) => result.to_string(),
                    Err(stopped) => match thrown(stopped.why) {
                        Some(error) => error.to_owned(),
                        None => return called,
                    },
                };
                let fails = initializer && came != "0";
                called.push(Called { name, arguments, came });
                if fails {
                    return called;
                }
            }
        }
        called
    })
}

/// What HotSpot makes of the same calls, a line for each class.
fn judged(folder: &Path, cases: &[(Vec<u8>, Vec<Called>)]) -> Vec<String> {
    std::fs::write(folder.join("Judge.java"), include_str!("java/Judge.java")).expect("the judge is written");
    let javac = Command::new("javac").args(["-d", "judge", "Judge.java"]).current_dir(folder).status();
    assert!(javac.expect("javac starts").success(), "the judge compiles");
    let mut java = Command::new("java")
        .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", "judge", "Judge"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("java starts");
    let mut bytes = (cases.len() as u32).to_be_bytes().to_vec();
    for (file, called) in cases {
        bytes.extend((file.len() as u32).to_be_bytes());
        bytes.extend(file);
        bytes.extend((called.len() as u32).to_be_bytes());
        for Called { name, arguments, .. } in called {
            bytes.extend((name.len() as u16).to_be_bytes());
            bytes.extend(name.as_bytes());
            bytes.extend((arguments.len() as u32).to_be_bytes());
            arguments.iter().for_each(|argument| bytes.extend(argument.to_be_bytes()));
        }
    }
    let mut input = java.stdin.take().expect("an input");
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = java.wait_with_output().expect("java ends");
    writer.join().expect("no panic").expect("java reads");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

fn said(called: &[Called]) -> String {
    called.iter().fold("ok".to_owned(), |line, call| line + " " + &call.came)
}

#[test]
fn applets_do_what_they_do_on_hotspot() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(files) = compiled(folder.path(), &SOURCES) else { return };
    let mut cases = Vec::new();
    for seed in 0..40 {
        for (name, file) in &files {
            let called = calls(file, 4, &mut Entropy::of_seed(mixed(seed)));
            cases.push((file.clone(), called.unwrap_or_else(|refused| panic!("{name}: {refused:?}"))));
        }
    }
    let all: usize = cases.iter().map(|(_, called)| called.len()).sum();
    assert!(all > 4_000, "{all} calls");
    for ((_, called), line) in cases.iter().zip(judged(folder.path(), &cases)) {
        assert_eq!(said(called), line);
    }
}

/// What the verifier of all classes says against a class: nothing, something of what an applet does not come to use, or more.
#[derive(PartialEq)]
enum Verdict {
    Accepted,
    Unread,
    Rejected(String),
}

fn verdict(file: &[u8], world: &World) -> Verdict {
    let class = match read(file) {
        Ok(class) => class,
        Err(error) => return Verdict::Rejected(error.to_string()),
    };
    let faults = match verify(&class, world).and_then(|_| profile::check(&class)) {
        Ok(()) => return Verdict::Accepted,
        Err(faults) => faults,
    };
    // What concerns an instruction is always read.
    let read =
        |fault: &&Fault| matches!(fault.place, Place::Code { .. }) || !UNREAD.contains(&fault.rule.name());
    faults.iter().find(read).map_or(Verdict::Unread, |fault| Verdict::Rejected(fault.to_string()))
}

#[test]
fn changed_applets_are_judged_as_by_the_verifier_of_all_classes_and_by_hotspot() {
    judge_changed(0..6_000);
}

#[test]
#[ignore = "takes minutes: make verify-long"]
fn many_changed_applets_are_judged_alike() {
    judge_changed(6_000..100_000);
}

fn judge_changed(seeds: Range<u64>) {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(files) = compiled(folder.path(), &SOURCES) else { return };
    let world = World::of(&[]);
    let (mut cases, mut wrong, mut narrower) = (Vec::new(), Vec::new(), 0);
    let expected = (seeds.end - seeds.start) / 12;
    for seed in seeds {
        let mut entropy = Entropy::of_seed(mixed(seed));
        let (name, file) = entropy.pick(&files);
        let changed = mutants::mutant(file, &mut entropy);
        match (with_applet(&changed, |_| ()), verdict(&changed, &world)) {
            (Ok(()), Verdict::Accepted) => {
                cases.push((changed.clone(), calls(&changed, 1, &mut entropy).expect("accepted twice")));
            }
            (Ok(()), Verdict::Rejected(why)) => {
                wrong.push(format!("seed {seed} of {name}: accepted, though {why}"));
            }
            (Err(refused), Verdict::Accepted) if !NARROWER.contains(&refused.rule) => {
                wrong.push(format!("seed {seed} of {name}: {refused:?}, though accepted"));
            }
            (Err(_), Verdict::Accepted) => narrower += 1,
            // HotSpot may refuse it; it does no harm.
            (Ok(()), Verdict::Unread) if read(&changed).is_ok() => drop(calls(&changed, 1, &mut entropy)),
            _ => {}
        }
    }
    println!("accepted {}, narrower {narrower}", cases.len());
    assert!(cases.len() as u64 > expected, "{} accepted", cases.len());
    for ((_, called), line) in cases.iter().zip(judged(folder.path(), &cases)) {
        if said(called) != line {
            let calls: Vec<&str> = called.iter().map(|call| call.name.as_str()).collect();
            wrong.push(format!("{}\n{line}\n{calls:?}", said(called)));
        }
    }
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}
