//! The `carnet` command. All it does is in the library.

use std::process::ExitCode;

use carnet_cli::args::CommandLine;
use clap::Parser as _;

fn main() -> ExitCode {
    ExitCode::from(carnet_cli::execute(&CommandLine::parse()) as u8)
}
