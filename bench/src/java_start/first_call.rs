//! From the bytes of a class to the result of its first call, in a process that is up: read, verified, linked, translated, run.
//!
//! Each class is another one: [Applet.java](../../java/Applet.java) under another name. HotSpot defines the same class as a
//! [hidden one](../../rivals/java/Hidden.java); [wasmtime](../../rivals/wasm/src/main.rs) compiles a module of one
//! function that adds 1.

use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use carnet_runtime::domain::{Domain, Limits, Value};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;

use crate::java::{Compiled, universe};
use crate::measure::{Contender, Scale, measure};
use crate::report::{Figure, Judged};
use crate::rival::{Rival, build};

/// Where classes run.
#[derive(Clone, Copy)]
enum Place {
    /// All in one domain, that has run another one before.
    OneDomain,
    /// Each in a new one, that is made for it.
    DomainEach,
}

/// Classes of a sample.
const CLASSES: i64 = 200;

/// Measures.
///
/// # Errors
/// A wrong result, or rivals that cannot be built.
pub(super) fn run(scale: Scale, pinned: &str, compiled: &Compiled) -> Result<Vec<Figure>, String> {
    let file = compiled.folder().join("Applet.class");
    let bytes = std::fs::read(&file).map_err(|error| error.to_string())?;
    let count = scale.work(CLASSES);
    let sum = sample(&bytes, count, Place::OneDomain)?.1;
    let ours = |place| {
        let bytes = &bytes;
        Contender::new("ours", move || each(sample(bytes, count, place)?, count, sum))
    };
    let mut contenders = vec![ours(Place::OneDomain), ours(Place::DomainEach)];
    if scale == Scale::Full {
        let mut java = Command::new("java");
        java.args(["-XX:+UseSerialGC", "-cp"]).arg(compiled.folder()).arg("Hidden").arg(&file);
        let wasmtime = build("carnet-rivals-wasm")?.join("release/carnet-rivals-wasm");
        let rivals = [
            ("HotSpot, a hidden class", Rival::start(&mut java)?, "run", sum),
            ("HotSpot, a hidden class, not called", Rival::start(&mut java)?, "define", count),
            ("wasmtime", Rival::start(&mut Command::new(wasmtime))?, "run", count * (count + 1) / 2),
        ];
        for (name, mut rival, key, sum) in rivals {
            contenders.push(Contender::new(name, move || each(rival.sample(key, count)?, count, sum)));
        }
    }
    let mut measured = measure(scale, &mut contenders)?;
    let rivals = measured.split_off(2);
    let names = ["in a domain that is up", "in a new domain"];
    let figures = names.into_iter().zip(measured).map(|(name, ours)| Figure {
        name: format!("java-start, bytes to the first result, {name}"),
        unit: "µs",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "≤ 60",
        ours,
        rivals: rivals.clone(),
        how: format!("{count} classes of {} bytes a sample, none seen before; {pinned}", bytes.len()),
    });
    Ok(figures.collect())
}

/// Microseconds for each of `count` that took so many nanoseconds together.
fn each((ns, sum): (f64, i64), count: i64, expected: i64) -> Result<f64, String> {
    if sum == expected {
        return Ok(ns / 1000.0 / count as f64);
    }
    Err(format!("the sum is {sum} instead of {expected}"))
}

/// Runs so many classes in a process that is up: nanoseconds, and the sum of their results.
fn sample(bytes: &[u8], count: i64, place: Place) -> Result<(f64, i64), String> {
    let universe = universe(&[])?;
    let mut domain = domain(&universe)?;
    // What all classes need of the library is there after this.
    first_result(&mut domain, "Applet", bytes.to_vec(), 0)?;
    let classes = (0..count as i32).map(|number| (number, format!("Applet{number}")));
    let classes: Vec<_> = classes.map(|(number, name)| (number, renamed(bytes, &name), name)).collect();
    let mut sum = 0;
    let begin = Instant::now();
    for (number, bytes, name) in classes {
        if let Place::DomainEach = place {
            domain = self::domain(&universe)?;
        }
        sum += first_result(&mut domain, &name, bytes, number)?;
    }
    Ok((begin.elapsed().as_nanos() as f64, sum))
}

fn domain(universe: &Arc<Universe>) -> Result<Domain, String> {
    Domain::new(Arc::clone(universe), Limits::default(), Io::none()).map_err(|error| error.to_string())
}

fn first_result(domain: &mut Domain, class: &str, bytes: Vec<u8>, number: i32) -> Result<i64, String> {
    domain.universe.give(class, bytes).map_err(|error| error.to_string())?;
    match domain.call_static(class, "run", "(I)I", &[Value::Int(number)]) {
        Ok(Some(Value::Int(result))) => Ok(i64::from(result)),
        other => Err(format!("{class} gave {other:?}")),
    }
}

/// The applet under another name: nothing in a class file depends on where its constants are.
fn renamed(bytes: &[u8], name: &str) -> Vec<u8> {
    let utf8 = |name: &str| [&[1, 0, name.len() as u8], name.as_bytes()].concat();
    let old = utf8("Applet");
    let at = bytes.windows(old.len()).position(|window| window == old).unwrap_or(bytes.len());
    [&bytes[..at], &utf8(name), bytes.get(at + old.len()..).unwrap_or_default()].concat()
}
