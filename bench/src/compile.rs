//! From the tree of Figure 3 to bytecode that can be sent, in microseconds; whole compilers, started as processes, on the
//! sources of Figure 9 beside it.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::measure::{Contender, Measured, Scale, measure};
use crate::null_programs::{Variant, tree};
use crate::report::{Figure, Judged};

const TIMES: i64 = 10_000;

/// Measures.
///
/// # Errors
/// If a compiler that is there fails.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let n = scale.work(TIMES);
    let tree = tree(Variant::Plain)?;
    let compiled = |_: ()| carnet_program::compile::compile_to_bytes(black_box(&tree));
    let wanted = compiled(()).map_err(|error| error.to_string())?;
    let ours = Contender::new("ours", || {
        let begin = Instant::now();
        for _ in 0..n {
            let bytes = compiled(()).map_err(|error| error.to_string())?;
            if black_box(bytes).len() != wanted.len() {
                return Err("another program".to_owned());
            }
        }
        Ok(begin.elapsed().as_nanos() as f64 / 1000.0 / n as f64)
    });
    let mut contenders = vec![ours];
    if scale == Scale::Full {
        contenders.extend(compilers()?);
    }
    let mut measured = measure(scale, &mut contenders)?;
    let rivals: Vec<Measured> = measured.split_off(1);
    let ours = measured.remove(0);
    let how = format!("{n} times a sample, {} bytes each; compilers once a sample; {pinned}", wanted.len());
    Ok(vec![Figure {
        name: "compile".to_owned(),
        unit: "µs",
        judged: Judged::LowMedian,
        paper: Some("3.47 µs at 366 MHz; javac 0.8 s, C compiler 0.3 s"),
        wanted: "≤ 1",
        ours,
        rivals,
        how,
    }])
}

/// gcc, and javac where it is installed.
fn compilers() -> Result<Vec<Contender<'static>>, String> {
    let folder = std::env::temp_dir().join(format!("carnet-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let rivals = Path::new(env!("CARGO_MANIFEST_DIR")).join("rivals");
    let (loop_c, copy_java) = (rivals.join("c/loop.c"), rivals.join("java/Copy.java"));
    let object = folder.join("loop.o");
    let mut compilers = vec![Contender::new("gcc -O2", move || {
        whole_process(Command::new("gcc").args(["-O2", "-c", "-o"]).arg(&object).arg(&loop_c))
    })];
    if Command::new("javac").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok() {
        compilers.push(Contender::new("javac", move || {
            whole_process(Command::new("javac").arg("-d").arg(&folder).arg(&copy_java))
        }));
    }
    Ok(compilers)
}

fn whole_process(command: &mut Command) -> Result<f64, String> {
    let begin = Instant::now();
    let status = command.status().map_err(|error| error.to_string())?;
    let us = begin.elapsed().as_nanos() as f64 / 1000.0;
    if status.success() { Ok(us) } else { Err(format!("ended with {status}")) }
}
