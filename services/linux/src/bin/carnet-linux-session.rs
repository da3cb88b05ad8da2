//! The process of a session alone, for whoever serves Linux calls from a program that does not start itself again.

use std::process::ExitCode;

fn main() -> ExitCode {
    carnet_linux::process::run()
}
