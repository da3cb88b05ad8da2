//! The one door for developers: `cargo xtask COMMAND`, also behind the Makefile.
//!
//! It starts other programs (cargo, git, apt-get) and reads the sources; it knows nothing of what Carnet
//! does. What a command needs on the machine is looked for first (`setup`), so that a fresh clone needs one
//! command and no reading.
//!
//! | file | what it is |
//! | --- | --- |
//! | `commands` | the commands, each a list of programs to start |
//! | `steps` | starts programs one after another, with times |
//! | `setup` | what commands need on the machine, and how to get it |
//! | `tidy` | a test of the source itself |
//! | `tcb` | the trusted base, and how long it is |
//! | `applet` | how small the applet's engine is |
//! | `table` | the README's table of benchmarks, made from bench/results |

mod applet;
mod commands;
mod setup;
mod steps;
mod table;
mod tcb;
mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = args.split_first() else {
        print!("{}", commands::usage());
        return ExitCode::from(2);
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print!("{}", commands::usage());
        return ExitCode::SUCCESS;
    }
    let Some(command) = commands::find(name) else {
        eprint!("there is no command `{name}`\n\n{}", commands::usage());
        return ExitCode::from(2);
    };
    match (command.run)(&root(), rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The repository: the folder above this crate's.
fn root() -> PathBuf {
    let crate_dir = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let parent = crate_dir.as_deref().and_then(|dir| dir.parent()).map(PathBuf::from);
    parent.unwrap_or_else(|| PathBuf::from("."))
}
