//! The null copy loop of Figure 10, in nanoseconds per iteration: two calls, a test and a jump.
//!
//! Ours is checked while it runs: capability, counters, and the budgets of instructions, calls and writes. C calls
//! through function pointers and checks nothing; rbpf checks jumps before it runs; Lua's functions check that they
//! get three integers; HotSpot is forbidden to inline the calls. Translated code checks what the interpreter checks, and so does
//! the recursive interpreter of the tree.

use crate::measure::{Contender, Measured, Scale, measure};
use crate::null_programs::Variant;
use crate::report::{Figure, Judged};
use crate::rival::{Built, Rival};
use crate::runs::{Copy, Engine};

const ITERATIONS: i64 = 1_000_000;

/// Measures.
///
/// # Errors
/// A wrong answer, or rivals that cannot be built.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let n = scale.work(ITERATIONS);
    let interpreted = Variant::ALL.map(|variant| Copy::new(variant, Engine::Interpreter)).into_iter();
    let mut copies = interpreted.collect::<Result<Vec<_>, _>>()?;
    let mut translated = Copy::new(Variant::Plain, Engine::Translated)?;
    let mut walked = Copy::new(Variant::Plain, Engine::Tree)?;
    let names = Variant::ALL.map(|variant| if variant == Variant::Plain { "ours" } else { variant.name() });
    let mut contenders = vec![Contender::new("ours, translated", move || translated.sample(n))];
    contenders.push(Contender::new("ours, as a tree", move || walked.sample(n)));
    for (copy, name) in copies.iter_mut().zip(names) {
        contenders.push(Contender::new(name, move || copy.sample(n)));
    }
    let rivals = if scale == Scale::Full { rivals()? } else { Vec::new() };
    for (name, mut rival) in rivals {
        contenders.push(Contender::new(name, move || {
            let (ns, sum) = rival.sample("copy", n)?;
            if sum != Variant::Plain.sum(n) {
                return Err(format!("the sum is {sum} instead of {}", Variant::Plain.sum(n)));
            }
            Ok(ns / n as f64)
        }));
    }
    let mut measured = measure(scale, &mut contenders)?;
    let (translated, walked) = (measured.remove(0), measured.remove(0));
    // What the same program costs as bytecode (CompositeCall, section 2).
    let bytecode = measured.first().map(|ours| Measured { name: "its bytecode".to_owned(), ..ours.clone() });
    let rivals = measured.split_off(Variant::ALL.len());
    let how = format!("{n} iterations a sample, {pinned}");
    let translated = Figure {
        name: "interp, translated".to_owned(),
        unit: "ns/iteration",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "≤ 2.3",
        ours: translated,
        rivals: rivals.clone(),
        how: how.clone(),
    };
    let walked = Figure {
        name: "interp, as a tree".to_owned(),
        unit: "ns/iteration",
        judged: Judged::LowMedian,
        paper: Some("bytecode is interpreted more efficiently than the tree"),
        wanted: "more than its bytecode",
        ours: walked,
        rivals: bytecode.into_iter().collect(),
        how: how.clone(),
    };
    let mut figures = figures(measured, rivals, &how);
    figures.insert(1, translated);
    figures.insert(2, walked);
    Ok(figures)
}

fn rivals() -> Result<Vec<(&'static str, Rival)>, String> {
    let built = Built::new()?;
    let mut rivals = vec![
        ("C -O2, function pointers", built.c("c")?),
        ("rbpf interpreter", built.rust("rbpf")?),
        ("wasmi", built.rust("wasmi")?),
        ("Lua 5.4, C functions", built.c("lua")?),
    ];
    let common = ["-XX:+UseSerialGC", "-XX:CompileCommand=quiet"];
    let jit = [&common[..], &["-XX:CompileCommand=dontinline,Sc::*"]].concat();
    rivals.extend(built.java(&jit)?.map(|java| ("HotSpot, calls not inlined", java)));
    rivals.extend(built.java(&["-XX:+UseSerialGC", "-Xint"])?.map(|java| ("HotSpot -Xint", java)));
    Ok(rivals)
}

fn figures(ours: Vec<Measured>, rivals: Vec<Measured>, how: &str) -> Vec<Figure> {
    let plain = ours.first().cloned();
    let mut figures = Vec::new();
    for (variant, measured) in Variant::ALL.into_iter().zip(ours) {
        let first = variant == Variant::Plain;
        let each = |m: &Measured, variant: Variant| Measured {
            name: m.name.clone(),
            median: m.median / variant.instructions(),
            rounds: (m.rounds.0 / variant.instructions(), m.rounds.1 / variant.instructions()),
            samples: m.samples.iter().map(|ns| ns / variant.instructions()).collect(),
        };
        let beside = plain
            .iter()
            .map(|plain| Measured { name: "the plain loop".to_owned(), ..each(plain, Variant::Plain) });
        figures.push(Figure {
            name: variant.name().to_owned(),
            unit: if first { "ns/iteration" } else { "ns/instruction" },
            judged: Judged::LowMedian,
            paper: first.then_some("between C and Java with a JIT (Figure 10)"),
            wanted: if first { "≤ 12" } else { "≤ 1.3× the plain loop" },
            ours: if first {
                measured
            } else {
                Measured { name: "ours".to_owned(), ..each(&measured, variant) }
            },
            rivals: if first { rivals.clone() } else { beside.collect() },
            how: how.to_owned(),
        });
    }
    figures
}
