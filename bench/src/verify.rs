//! From the bytes of a class to one that is verified: all classes of `java/util` of the installed JDK, in microseconds for each.
//!
//! Ours reads and verifies each class; what it asks of other classes is known after the round of warm-up. HotSpot defines copies of the same
//! classes in a fresh loader and links them ([rivals/java/Define.java](../rivals/java/Define.java)), once in a process that
//! verifies and once in one that does not; the difference is what verifying costs it.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use carnet_classes::library::{Image, Library, installed_jdk};
use carnet_classes::{read, verify};

use crate::measure::{Contender, Scale, measure};
use crate::report::{Figure, Judged};
use crate::rival::Rival;

/// The classes that are measured.
const PACKAGE: &str = "java/util/";

/// Measures.
///
/// # Errors
/// A class that is rejected. Without a JDK there is nothing to measure, and no figure.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let Some(jdk) = installed_jdk() else {
        println!("verify: left out: there is no JDK");
        return Ok(Vec::new());
    };
    let library = Library::open(Some(&jdk), &[]).map_err(|error| error.to_string())?;
    let image = Image::open(&jdk.join("lib/modules")).map_err(|error| error.to_string())?;
    let mut names = image.classes("java.base")?;
    names.retain(|name| name.starts_with(PACKAGE));
    if scale == Scale::Tiny {
        names.truncate(20);
    }
    let classes = names.iter().map(|name| library.bytes(name.as_bytes()).map_err(|error| error.to_string()));
    let classes: Vec<Vec<u8>> = classes.collect::<Result<_, _>>()?;
    let count = classes.len() as f64;
    let us = |begin: Instant| begin.elapsed().as_nanos() as f64 / 1000.0 / count;
    let mut contenders = vec![
        Contender::new("ours", || {
            let begin = Instant::now();
            for bytes in &classes {
                let class = read(black_box(bytes)).map_err(|error| error.to_string())?;
                verify(black_box(&class), &library).map_err(|faults| faults[0].to_string())?;
            }
            Ok(us(begin))
        }),
        Contender::new("ours, reading alone", || {
            let begin = Instant::now();
            for bytes in &classes {
                black_box(read(black_box(bytes)).map_err(|error| error.to_string())?);
            }
            Ok(us(begin))
        }),
    ];
    if scale == Scale::Full {
        let folder = compiled()?;
        let rival = |options: &[&str]| start(&folder, options);
        let (mut verified, mut unverified) =
            (rival(&["-XX:+BytecodeVerificationRemote"])?, rival(UNVERIFIED)?);
        let one =
            |rival: &mut Rival| rival.sample(PACKAGE, 1).map(|(ns, classes)| ns / 1000.0 / classes as f64);
        let (mut again, mut without) = (rival(&["-XX:+BytecodeVerificationRemote"])?, rival(UNVERIFIED)?);
        contenders.push(Contender::new("HotSpot, define, verify and link", move || one(&mut verified)));
        contenders.push(Contender::new("HotSpot, define and link", move || one(&mut unverified)));
        contenders.push(Contender::new("HotSpot, verifying alone", move || {
            Ok(one(&mut again)? - one(&mut without)?)
        }));
    }
    let mut measured = measure(scale, &mut contenders)?;
    let rivals = measured.split_off(2);
    let bytes: usize = classes.iter().map(Vec::len).sum();
    let how = format!("{count} classes of {PACKAGE}, {bytes} bytes, each once a sample, warm; {pinned}");
    let figure = |name: &str, wanted, ours, rivals| Figure {
        name: name.to_owned(),
        unit: "µs",
        judged: Judged::LowMedian,
        paper: None,
        wanted,
        ours,
        rivals,
        how: how.clone(),
    };
    let (reading, ours) = (measured.remove(1), measured.remove(0));
    Ok(vec![
        figure("verify, one class", "≤ 60", ours, rivals),
        figure("verify, one class, reading alone", "–", reading, Vec::new()),
    ])
}

/// HotSpot without its verifier. The options are old, and it says so.
const UNVERIFIED: &[&str] = &["-XX:-BytecodeVerificationRemote", "-XX:-BytecodeVerificationLocal"];

/// Compiles the rival; the folder with its classes.
fn compiled() -> Result<std::path::PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("carnet-bench-define-{}", std::process::id()));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("rivals/java/Define.java");
    let javac = Command::new("javac").arg("-d").arg(&folder).arg(source).stderr(Stdio::null()).status();
    match javac {
        Ok(status) if status.success() => Ok(folder),
        _ => Err("rivals/java/Define.java cannot be compiled".to_owned()),
    }
}

fn start(folder: &Path, options: &[&str]) -> Result<Rival, String> {
    // Classes of these packages are superclasses and interfaces of some that are copied.
    let exports = ["jdk.internal.access", "jdk.internal.misc", "jdk.internal.util.random", "sun.util.locale"];
    let mut java = Command::new("java");
    for package in exports {
        java.arg(format!("--add-exports=java.base/{package}=ALL-UNNAMED"));
    }
    java.args(["-XX:+UseSerialGC", "-Xmx512m", "-XX:+UnlockDiagnosticVMOptions"])
        .args(options)
        .arg("-cp")
        .arg(folder)
        .arg("Define");
    Rival::start(java.stderr(Stdio::null()))
}
