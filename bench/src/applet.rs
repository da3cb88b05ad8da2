//! From the bytes of an applet to what its first call gives, in the engine for applets: JIVE's programs as one class
//! (`applet/tests/applets/java/Programs.java`). Beside it what reader, verifier and profile check for all classes take for the
//! same bytes, without running anything.

use std::hint::black_box;
use std::time::Instant;

use carnet_applet::{Alone, Applet, Memory};
use carnet_classes::library::{Library, installed_jdk};
use carnet_classes::{profile, read, verify};

use crate::java::Compiled;
use crate::measure::{Contender, Scale, measure};
use crate::report::{Figure, Judged};

const SOURCE: &str = "../../applet/tests/applets/java/Programs.java";

/// Times that a class is loaded for one sample.
const TIMES: i64 = 1000;

/// Measures.
///
/// # Errors
/// If the applet is refused. Without a JDK there is no class to measure, and no figure.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let Some(compiled) = Compiled::new(&[SOURCE])? else {
        println!("applet: left out: there is no JDK");
        return Ok(Vec::new());
    };
    let file = std::fs::read(compiled.folder().join("Programs.class")).map_err(|error| error.to_string())?;
    let library = Library::open(installed_jdk().as_deref(), &[]).map_err(|error| error.to_string())?;
    let times = scale.work(TIMES);
    let us = |begin: Instant| begin.elapsed().as_nanos() as f64 / 1000.0 / times as f64;
    let (mut words, mut bytes) = (vec![0; 4096], vec![0; 16 << 10]);
    let mut contenders = [
        Contender::new("ours", || {
            let begin = Instant::now();
            for _ in 0..times {
                first_call(black_box(&file), &mut words, &mut bytes)?;
            }
            Ok(us(begin))
        }),
        Contender::new("reader and verifier of all classes", || {
            let begin = Instant::now();
            for _ in 0..times {
                let class = read(black_box(&file)).map_err(|error| error.to_string())?;
                let checked = verify(&class, &library).and_then(|_| profile::check(&class));
                checked.map_err(|faults| faults[0].to_string())?;
            }
            Ok(us(begin))
        }),
    ];
    let mut measured = measure(scale, &mut contenders)?;
    let rivals = measured.split_off(1);
    Ok(vec![Figure {
        name: "applet, bytes to first call".to_owned(),
        unit: "µs",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "≤ 60",
        ours: measured.remove(0),
        rivals,
        how: format!("{} bytes, read, verified, initialized and called; {pinned}", file.len()),
    }])
}

/// Loads the class, initializes it, and sorts three numbers.
fn first_call(file: &[u8], words: &mut [u32], bytes: &mut [u8]) -> Result<(), String> {
    let applet = Applet::load(file, Memory { words, bytes }, &Alone);
    let mut applet = applet.map_err(|refused| format!("{refused:?}"))?;
    let mut call = |name: &str, arguments: &[i32]| applet.call(name.as_bytes(), arguments, &mut Alone);
    match call("<clinit>", &[]).and_then(|_| call("sorted", &[3])) {
        Ok(1026) => Ok(()),
        other => Err(format!("{other:?} instead of 1026")),
    }
}
