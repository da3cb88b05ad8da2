//! The `carnet` command.
//!
//! It reads the command line and ends with the exit code; all else is in the library, `carnet_cli`.

use std::process::ExitCode;

use carnet_cli::args::CommandLine;
use clap::Parser as _;

fn main() -> ExitCode {
    ExitCode::from(carnet_cli::execute(&CommandLine::parse()) as u8)
}
