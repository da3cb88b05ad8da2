//! HotSpot as the judge of the verifier: what it rejects for format or verification is never accepted by ours.
//!
//! Class files that javac made are changed in a few bytes ([`carnet_fuzz::classes::mutants`]); each is judged by HotSpot (one process,
//! `-Xverify:all`, each class with the rest of its package in a loader of its own) and by us. What we reject and HotSpot takes is
//! counted by rule; docs/support/java.md says why each of these differs.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use carnet_classes::{read, verify};
use carnet_fuzz::classes::running::{Came, run};
use carnet_fuzz::classes::seeds::{SETS, Seed, compile};
use carnet_fuzz::classes::{World, mutants};
use carnet_fuzz::entropy::{Entropy, mixed};

/// Rules by which we reject what HotSpot takes, in attributes that it does not look at as closely. Whatever else differs fails the
/// test, until it is understood.
const STRICTER: &[&str] = &["attribute", "constant"];

/// A changed class file.
struct Mutant<'s> {
    of: &'s Seed,
    seed: u64,
    bytes: Vec<u8>,
}

/// The sets of seeds, compiled; the folder lasts as long as this.
struct Compiled {
    folder: tempfile::TempDir,
    seeds: Vec<Seed>,
}

/// Compiles the seeds, or says why that is skipped.
fn compiled() -> Option<Compiled> {
    if let Err(error) =
        Command::new("javac").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status()
    {
        println!("skipped: no Java compiler: javac: {error} (make setup)");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let seeds = compile(folder.path()).expect("the seeds compile");
    Some(Compiled { folder, seeds })
}

/// What HotSpot says of each: OK, or the name of an error with its message.
fn hotspot(folder: &Path, mutants: &[Mutant<'_>]) -> Vec<String> {
    let source = folder.join("Oracle.java");
    std::fs::write(&source, include_str!("Oracle.java")).expect("the oracle is written");
    let javac = Command::new("javac").arg("-d").arg(folder.join("oracle")).arg(&source).status();
    assert!(javac.expect("javac starts").success(), "the oracle compiles");
    let mut java = Command::new("java")
        // Its warnings would stand between the answers.
        .args([
            "-Xlog:disable",
            "-Xverify:all",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx512m",
            "-cp",
        ])
        .arg(folder.join("oracle"))
        .arg("Oracle")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("java starts");
    let (input, output) = (java.stdin.take().expect("an input"), java.stdout.take().expect("an output"));
    let lines = std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut input = BufWriter::new(input);
            let utf = |text: &str, input: &mut BufWriter<_>| {
                input.write_all(&(text.len() as u16).to_be_bytes())?;
                input.write_all(text.as_bytes())
            };
            for mutant in mutants {
                let set = folder.join(mutant.of.set);
                utf(&set.to_string_lossy(), &mut input).expect("java reads");
                utf(&mutant.of.name, &mut input).expect("java reads");
                input.write_all(&(mutant.bytes.len() as u32).to_be_bytes()).expect("java reads");
                input.write_all(&mutant.bytes).expect("java reads");
            }
        });
        BufReader::new(output).lines().collect::<Result<Vec<_>, _>>().expect("java answers")
    });
    assert!(java.wait().expect("java ends").success());
    assert_eq!(lines.len(), mutants.len(), "one answer each");
    lines
}

/// What we say: nothing, or the first fault.
fn ours(mutant: &Mutant<'_>, world: &World) -> Option<(&'static str, String)> {
    let class = match read(&mutant.bytes) {
        Ok(class) => class,
        Err(error) => return Some(("layout", error.to_string())),
    };
    let faults = verify(&class, world).err();
    if let Some(fault) = faults.as_ref().and_then(|faults| faults.first()) {
        return Some((fault.rule.name(), fault.to_string()));
    }
    // Whoever asks for a class by name looks at its name.
    (class.name() != mutant.of.name.as_bytes()).then(|| ("wrong-name", "another name".to_owned()))
}

/// Errors of format and verification; all others are of linking.
fn is_rejection(verdict: &str) -> bool {
    let error = verdict.split(' ').next().unwrap_or_default();
    matches!(
        error,
        "java.lang.VerifyError" | "java.lang.ClassFormatError" | "java.lang.UnsupportedClassVersionError"
    )
}

fn compare(compiled: &Compiled, count: usize, first_seed: u64) {
    let worlds: BTreeMap<&str, World> = SETS
        .iter()
        .map(|(set, _)| {
            let of_set: Vec<Seed> = compiled.seeds.iter().filter(|seed| seed.set == *set).cloned().collect();
            (*set, World::of(&of_set))
        })
        .collect();
    let mut mutants: Vec<Mutant<'_>> = Vec::new();
    // What was not changed is accepted by both.
    mutants.extend(compiled.seeds.iter().map(|of| Mutant { of, seed: 0, bytes: of.bytes.clone() }));
    let unchanged = mutants.len();
    for seed in (first_seed..).take(count) {
        let mut entropy = Entropy::of_seed(mixed(seed));
        let of = entropy.pick(&compiled.seeds);
        mutants.push(Mutant { of, seed, bytes: mutants::mutant(&of.bytes, &mut entropy) });
    }
    let verdicts = hotspot(compiled.folder.path(), &mutants);
    let (mut rejected, mut both, mut accepted, mut linking) = (0, 0, 0, 0);
    let mut stricter: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    let (mut bad, mut unexplained) = (Vec::new(), Vec::new());
    for (index, (mutant, verdict)) in mutants.iter().zip(&verdicts).enumerate() {
        let said = ours(mutant, &worlds[mutant.of.set]);
        let what =
            format!("seed {} of {} {}: HotSpot: {verdict}", mutant.seed, mutant.of.set, mutant.of.name);
        if index < unchanged {
            assert!(verdict == "OK" && said.is_none(), "{what}; ours: {said:?}");
        }
        match (is_rejection(verdict), said) {
            (true, Some(_)) => (rejected, both) = (rejected + 1, both + 1),
            (true, None) => {
                rejected += 1;
                bad.push(what);
            }
            (false, None) => accepted += 1,
            (false, Some((rule, said))) if verdict == "OK" => {
                let row = stricter.entry(rule).or_insert_with(|| (0, format!("{what}; {said}")));
                row.0 += 1;
                if !STRICTER.contains(&rule) {
                    unexplained.push(format!("{what}; ours: {said}"));
                }
            }
            (false, Some(_)) => linking += 1,
        }
    }
    println!(
        "{} class files, {rejected} rejected by HotSpot, {both} of them by us, {accepted} accepted by both",
        mutants.len()
    );
    println!("{linking} rejected by us and not linked by HotSpot; stricter than HotSpot:");
    for (rule, (count, example)) in &stricter {
        println!("  {rule:16} {count:5}  for example {example}");
    }
    assert!(bad.is_empty(), "{} accepted that HotSpot rejects:\n{}", bad.len(), bad.join("\n"));
    assert!(unexplained.is_empty(), "{} not understood:\n{}", unexplained.len(), unexplained.join("\n"));
}

/// Runs changed classes of the sets, and the others that use them.
fn run_mutants(compiled: &Compiled, count: usize, first_seed: u64) {
    let mut all = Came::default();
    for seed in (first_seed..).take(count) {
        let mut entropy = Entropy::of_seed(mixed(seed));
        let of = entropy.pick(&compiled.seeds);
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(format!("{}.class", of.name));
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(&file, mutants::mutant(&of.bytes, &mut entropy)).expect("it is written");
        let of_set = compiled.seeds.iter().filter(|seed| seed.set == of.set);
        let names: Vec<&str> = of_set.map(|seed| &*seed.name).collect();
        let came = run(folder.path(), &compiled.folder.path().join(of.set), &names, &mut entropy);
        all.returned += came.returned;
        all.thrown += came.thrown;
        all.ended += came.ended;
        all.refused += came.refused;
    }
    println!("{count} changed classes: {all:?}");
    assert!(all.returned > 10 * count && all.thrown > count, "most of it runs");
}

#[test]
fn mutants_run_without_harm() {
    let Some(compiled) = compiled() else { return };
    run_mutants(&compiled, 50, 1);
}

#[test]
#[ignore = "the long form: make verify-long"]
fn many_mutants_run_without_harm() {
    let Some(compiled) = compiled() else { return };
    run_mutants(&compiled, 5_000, 1_000_000);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set");
    println!("new seeds from {} on", now.as_nanos() as u64);
    run_mutants(&compiled, 5_000, now.as_nanos() as u64);
}

#[test]
fn no_mutant_is_accepted_that_hotspot_rejects() {
    let Some(compiled) = compiled() else { return };
    compare(&compiled, 20_000, 1);
}

#[test]
#[ignore = "the long form: make verify-long"]
fn no_mutant_of_many_is_accepted_that_hotspot_rejects() {
    let Some(compiled) = compiled() else { return };
    compare(&compiled, 30_000, 1_000_000);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set");
    let seed = now.as_nanos() as u64;
    println!("new seeds from {seed} on");
    compare(&compiled, 30_000, seed);
}
