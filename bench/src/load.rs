//! From the bytes of a program to one that is verified and ready to run, in microseconds: in the memory of the program
//! before, as the server does it, and in memory taken for it. The hash that names a program is a figure of its own, and so is
//! its translation to machine code.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use sha2::{Digest, Sha256};

use carnet_codegen::Translator;
use carnet_program::verify::{Loaded, Loader, load};

use crate::measure::{Contender, Measured, Scale, measure};
use crate::null_programs::Variant;
use crate::report::{Figure, Judged};
use crate::rival::{Built, Rival};
use crate::runs::{bytes, registry};

const TIMES: i64 = 10_000;
/// They take a hundred times as long.
const TRANSLATIONS: i64 = 100;

/// Measures.
///
/// # Errors
/// A program that is not loaded, or rivals that cannot be built.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let n = scale.work(TIMES);
    let (bytes, registry) = (bytes(Variant::Plain)?, registry());
    let us = |begin: Instant| begin.elapsed().as_nanos() as f64 / 1000.0 / n as f64;
    let (mut loader, mut loaded) = (Loader::default(), Loaded::default());
    let program = Arc::new(load(&bytes, &registry).map_err(|error| error.to_string())?);
    let mut translator = Translator::new().map_err(|why| why.to_string())?;
    let translations = scale.work(TRANSLATIONS);
    let mut contenders = vec![
        // As the server does it at every run: in the memory of the program before.
        Contender::new("ours", || {
            let begin = Instant::now();
            for _ in 0..n {
                let done = loader.load(black_box(&bytes), &registry, &mut loaded);
                done.map_err(|error| error.to_string())?;
                black_box(&loaded);
            }
            Ok(us(begin))
        }),
        Contender::new("ours, fresh memory", || {
            let begin = Instant::now();
            for _ in 0..n {
                black_box(load(black_box(&bytes), &registry).map_err(|error| error.to_string())?);
            }
            Ok(us(begin))
        }),
        Contender::new("ours, hash", || {
            let begin = Instant::now();
            for _ in 0..n {
                black_box(Sha256::digest(black_box(&bytes)));
            }
            Ok(us(begin))
        }),
        Contender::new("ours, translated", move || {
            let begin = Instant::now();
            for _ in 0..translations {
                black_box(translator.translate(black_box(&program)).map_err(|why| why.to_string())?);
            }
            Ok(begin.elapsed().as_nanos() as f64 / 1000.0 / translations as f64)
        }),
    ];
    let rivals = if scale == Scale::Full { rivals()? } else { Vec::new() };
    for (name, key, mut rival) in rivals {
        contenders.push(Contender::new(name, move || Ok(rival.sample(key, n)?.0 / 1000.0 / n as f64)));
    }
    let mut measured = measure(scale, &mut contenders)?;
    let rivals: Vec<Measured> = measured.split_off(4);
    let how = format!("the null copy loop, {} bytes, warm; {n} times a sample; {pinned}", bytes.len());
    let figure = |name: &str, wanted: &'static str, ours: Measured, rivals: Vec<Measured>| Figure {
        name: name.to_owned(),
        unit: "µs",
        judged: Judged::LowMedian,
        paper: None,
        wanted,
        ours,
        rivals,
        how: how.clone(),
    };
    let translated = measured.remove(3);
    let (hash, fresh, used) = (measured.remove(2), measured.remove(1), measured.remove(0));
    Ok(vec![
        figure("load, in memory used before", "≤ 0.5", used, rivals.clone()),
        figure("load, in fresh memory", "≤ 0.5", fresh, rivals),
        figure("load, SHA-256 alone", "–", hash, Vec::new()),
        figure("load, translated to machine code", "≤ 60", translated, Vec::new()),
    ])
}

fn rivals() -> Result<Vec<(&'static str, &'static str, Rival)>, String> {
    let built = Built::new()?;
    Ok(vec![
        ("rbpf, verify", "load", built.rust("rbpf")?),
        ("wasmi, module", "load", built.rust("wasmi")?),
        ("Lua 5.4, source", "load", built.c("lua")?),
        ("Lua 5.4, bytecode", "undump", built.c("lua")?),
    ])
}
