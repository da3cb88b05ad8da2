//! The `carnet` command.
//!
//! It reads the command line and ends with the exit code; all else is in the library, `carnet_cli`.

use std::process::ExitCode;

use carnet_cli::args::CommandLine;
use clap::Parser as _;

fn main() -> ExitCode {
    ExitCode::from(match CommandLine::try_parse() {
        Ok(line) => carnet_cli::execute(&line),
        Err(refused) => carnet_cli::explain(&refused) as u8,
    })
}
