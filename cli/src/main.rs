//! The `carnet` command.
//!
//! It reads the command line and ends with the exit code; all else is in the library, `carnet_cli`.

use std::process::ExitCode;

use carnet_cli::args::CommandLine;
use carnet_cli::services::LINUX_SESSION;
use clap::Parser as _;

fn main() -> ExitCode {
    // Started by `serve linux`, for a session: nothing of the command line is for that.
    if std::env::args_os().nth(1).is_some_and(|word| word == LINUX_SESSION) {
        return carnet_linux::process::run();
    }
    ExitCode::from(match CommandLine::try_parse() {
        Ok(line) => carnet_cli::execute(&line),
        Err(refused) => carnet_cli::explain(&refused) as u8,
    })
}
