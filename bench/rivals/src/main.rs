//! Rivals behind one small protocol: a line `KEY N` on standard input, a line `NANOSECONDS SUM` on standard output, so
//! that one process measures all of them in turns.
//!
//! | command | rival | keys |
//! | --- | --- | --- |
//! | `rbpf` | rbpf's interpreter | `copy`, `load` (verify and register helpers) |
//! | `wasmi` | wasmi | `copy`, `load` (module, eagerly compiled) |
//! | `c`, `lua` | prints the path of a program in C that does the same | |

mod rbpf;
mod service;
mod wasmi;

use std::io::{BufRead, Write};
use std::time::Duration;

/// One rival: measures `n` of what `key` says; `None` if it knows no such key.
trait Rival {
    fn sample(&mut self, key: &str, n: i64) -> Option<Duration>;
}

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    match name.as_str() {
        "c" => println!("{}", env!("C_RIVAL")),
        "lua" => println!("{}", env!("LUA_RIVAL")),
        "rbpf" => serve(rbpf::Rbpf::new()),
        "wasmi" => serve(wasmi::Wasmi::new()),
        _ => {
            eprintln!("one of c, lua, rbpf, wasmi");
            std::process::exit(2);
        }
    }
}

fn serve(mut rival: impl Rival) {
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let Some((key, n)) = line.split_once(' ') else { return };
        let Ok(n) = n.trim().parse() else { return };
        service::start(n);
        let Some(time) = rival.sample(key, n) else {
            eprintln!("unknown: {key}");
            std::process::exit(1);
        };
        println!("{} {}", time.as_nanos(), service::sum());
        let _ = std::io::stdout().flush();
    }
}
