//! wasmtime: from the bytes of a module to the result of its first call.
//!
//! A line `run N` on standard input, so many modules one after the other, is answered by a line `NANOSECONDS SUM` on standard output,
//! the sum of the results. It has no cache of modules, and compiles on one thread.

use std::io::{BufRead, Write};
use std::time::Instant;

use wasmtime::{Engine, Instance, Module, Result, Store};

/// One function, and nothing that it needs.
const TINY: &str = r#"(module
  (func (export "run") (param i32) (result i32)
    (i32.add (local.get 0) (i32.const 1))))"#;

fn main() {
    let engine = Engine::default();
    let bytes = wat::parse_str(TINY).expect("it parses");
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let Some(Ok(n)) = line.strip_prefix("run ").map(str::parse::<i32>) else { return };
        let begin = Instant::now();
        let sum: i64 = (0..n).map(|of| i64::from(run(&engine, &bytes, of).expect("it runs"))).sum();
        println!("{} {sum}", begin.elapsed().as_nanos());
        let _ = std::io::stdout().flush();
    }
}

fn run(engine: &Engine, bytes: &[u8], of: i32) -> Result<i32> {
    let module = Module::new(engine, bytes)?;
    let mut store = Store::new(engine, ());
    let instance = Instance::new(&mut store, &module, &[])?;
    instance.get_typed_func::<i32, i32>(&mut store, "run")?.call(&mut store, of)
}
