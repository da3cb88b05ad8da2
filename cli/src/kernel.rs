//! `carnet run --engine kernel`: the program runs as this process, in the kernel of this machine, with no server. Where the kernel has no module,
//! a server that is named runs it, or else this process's own interpreter.
//!
//! It makes its system calls with this process's rights. What it is handed for `System` means nothing: there is one kernel.

use std::path::Path;
use std::sync::Arc;

pub(crate) use carnet_kernel::here::DEVICE;
use carnet_kernel::here::{Here, NotRun, told};
use carnet_program::eval::{Arg as Given, Value};
use carnet_program::limits::Limits;
use carnet_program::protocol::Outcome;
use carnet_program::source::args::Arg;
use carnet_program::tree::Const;
use carnet_program::verify::{Registry, load};

use crate::args;
use crate::exit::{Problem, Reply};
use crate::identity::RunName;
use crate::report;
use crate::source::{Source, open_for};

/// Whether the module is loaded.
pub(crate) fn is_there() -> bool {
    Path::new(DEVICE).exists()
}

/// Runs a program in the kernel.
///
/// # Errors
/// If it is none of system calls, the kernel rejects it, or there is no device.
pub(crate) fn run(args: &args::Run, name: &RunName) -> Result<(Reply, Source, Outcome), Problem> {
    if args.dry_run || args.trace || args.tree || args.approve.is_some() {
        return Err(Problem::usage(
            "error: the kernel knows no dry runs, traces, trees and approvals\nrun it without them, or with a server",
        ));
    }
    let module = carnet_linux::linux::module();
    let source = open_for(&args.program, &[module])?;
    let loaded = load(&source.bytes, &Registry::new(&[module])).map_err(|error| {
        Problem::rejected(format!(
            "error: {}: {error}\nthe kernel runs programs of linux.System alone",
            source.shown
        ))
    })?;
    let mut here = Here::alone(Path::new(DEVICE)).map_err(|error| not_run(&error))?;
    if !here.is_in_kernel() {
        let why = if is_there() { "this user may not open" } else { "there is no" };
        eprintln!("{why} {DEVICE} here; this process runs it");
    }
    let values = arguments(&source, &args.program.arguments, &here)?;
    let ran = here.run(&loaded, &source.bytes, &values, &Limits::default());
    let outcome = ran.map_err(|error| match error {
        NotRun::Misfit(misfit) => Problem::usage(format!("error: {misfit}")),
        NotRun::Rejected(_) => {
            Problem::rejected(format!("error: {}: {error}\nnothing was run", source.shown))
        }
        NotRun::System(error) => not_run(&error),
        NotRun::Unknown => Problem::failed(format!("error: {error}")),
    })?;
    if let Some(fault) = here.unsupported() {
        eprintln!("the kernel does not support it ({}); this process has run it", told(fault));
    }
    let typed = args.typed();
    let known = report::Run::new(Some(&source), name, &typed);
    let reply = report::outcome(&known, &outcome);
    Ok((reply, source, outcome))
}

fn not_run(error: &std::io::Error) -> Problem {
    let device = if is_there() { format!("{DEVICE}: ") } else { String::new() };
    Problem::failed(format!(
        "error: cannot run it here: {device}{error}\nleave --engine kernel away and name a server"
    ))
}

fn arguments(source: &Source, given: &[std::ffi::OsString], here: &Here) -> Result<Vec<Given>, Problem> {
    let values = source.arguments(given)?;
    let one = |arg: &Arg| match arg {
        Arg::Const(Const::Int(n)) => Given::Value(Value::Int(*n)),
        Arg::Const(Const::Bool(b)) => Given::Value(Value::Bool(*b)),
        Arg::Const(Const::Float(float)) => Given::Value(Value::Float(*float)),
        Arg::Const(Const::Enum(n)) => Given::Value(Value::Enum(*n)),
        Arg::Const(Const::Text(text)) => Given::Value(Value::Text(Arc::new(text.clone()))),
        Arg::Portal(_) => Given::Portal(here.portal()),
    };
    Ok(values.iter().map(one).collect())
}
