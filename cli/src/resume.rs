//! `carnet resume`, `carnet runs`, `carnet cancel`, `carnet discard`: runs that have not come to their end.
//!
//! ```text
//! resume ─► asks what became of the run ─► it is kept since its Nth stop ─► lets it go on from there ─► outcome
//! ```
//! Whoever asks twice lets it go on once: the server knows from which stop it went on.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;

use carnet_program::bill;
use carnet_program::client::Asked;
use carnet_program::protocol::{
    InDoubt, Raise, ResumeRequest, RunInfo, RunOptions, SetVariable, SetVariables,
};
use carnet_program::source::args::set_variable;
use carnet_program::text::span;
use carnet_program::tree::CapKind;
use serde_json::json;

use crate::args;
use crate::connect::{Connection, connect};
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::identity::RunName;
use crate::output::Shape;
use crate::report;
use crate::run::{Begun, wait_for};
use crate::source::{Source, open};
use crate::status;
use crate::value::{harmless, harmless_lines, told};

/// Lets a run go on where it stopped.
///
/// # Errors
/// If it cannot go on, or its outcome is unknown.
pub fn resume(args: &args::Resume) -> Answer {
    if args.engine == args::Engine::Kernel {
        return Err(Problem::usage(
            "error: a run of a server does not go on in the kernel\nleave --engine kernel away",
        ));
    }
    let name = RunName::chosen(&args.run)?;
    let raises = raises(&args.more)?;
    let (source, connection) = match &args.file {
        Some(file) => {
            let program = args::Program {
                file: file.clone(),
                interfaces: args.interfaces.clone(),
                ..args::Program::default()
            };
            let (source, connection) = open(&program, &args.server)?;
            (Some(source), connection)
        }
        None => (None, None),
    };
    let set = variables(source.as_ref(), &args.set)?;
    let connection = connection.map_or_else(|| connect(&args.server), Ok)?;
    let (typed, shape) = (args.typed(), crate::shape(&args.form));
    let known = report::Run::new(source.as_ref(), &name, &typed);
    let asked = connection.client.ask_with_stop(name.id());
    let (asked, went_on_from) = asked.map_err(|failure| connection.query_failed(&failure))?;
    let stop = match asked {
        Asked::Unknown => return Ok(status::unknown(&name)),
        // Who asks for the same waits for it.
        Asked::Running => match went_on_from {
            Some(stop) => stop,
            None => return Ok(not_stopped(&known, "is running")),
        },
        Asked::Ended(outcome) => match outcome.kept {
            Some(kept) => kept.stop,
            None => return Ok(not_stopped(&known, &why_not(outcome.cannot_go_on.as_deref()))),
        },
    };
    let kept_as = match (&source, shape) {
        (None, Shape::Json) => program_of(&connection, &name)?,
        _ => None,
    };
    let known = report::Run { program: kept_as.as_deref(), ..known };
    let options = RunOptions { trace: args.trace, engine: args.engine.into(), ..RunOptions::default() };
    let in_doubt = if args.repeat { InDoubt::Repeat } else { InDoubt::Leave };
    let is_changed = args.more.len() + args.set.len() > 0;
    let request = ResumeRequest { id: name.id(), stop, options, in_doubt, raises, set };
    let begun = Begun { id: name.id(), source: source.as_ref(), known: &known, shape, profile: None };
    let (outcome, again) = wait_for(&connection, &begun, || connection.client.resume(&request))?;
    let mut reply = report::outcome(&report::Run { again, ..known }, &outcome);
    if again.is_some() && is_changed {
        reply.err.push_str("note: it had gone on with the same `--more` and `--set`, which count once\n");
    }
    Ok(reply)
}

/// The name of a run's program, if the run is kept: by what is known of it no more is.
fn program_of(connection: &Connection, name: &RunName) -> Result<Option<String>, Problem> {
    let runs = connection.client.runs().map_err(|failure| connection.query_failed(&failure))?;
    let found = runs.into_iter().find(|run| run.name == name.to_string() && run.stopped.is_some());
    Ok(found.map(|run| harmless(&run.program)))
}

/// What variables are set to, by the names that they have in the program's file; with the file alone, nothing, but the run must be of it.
fn variables(source: Option<&Source>, given: &[OsString]) -> Result<Option<SetVariables>, Problem> {
    let Some(source) = source else {
        if given.is_empty() {
            return Ok(None);
        }
        return Err(Problem::usage(
            "error: --set needs the program's file, which has its variables: carnet resume ID FILE --set NAME=VALUE",
        ));
    };
    let one = |text: &OsString| {
        let set = set_variable(&source.tree, &source.variables, text.as_bytes());
        set.map_err(|fault| Problem::usage(format!("error: --set: {}", harmless_lines(&fault.to_string()))))
    };
    let mut variables: Vec<SetVariable> = given.iter().map(one).collect::<Result<_, _>>()?;
    variables.sort_by_key(|variable| variable.slot);
    if let Some(twice) = variables.windows(2).find(|pair| pair[0].slot == pair[1].slot) {
        let known = source.variables.iter().find(|(_, slot)| *slot == twice[0].slot);
        let name = known.map_or("", |(var, _)| &source.tree.vars[var.index()].name);
        return Err(Problem::usage(format!("error: --set: `{}` is given twice", harmless(name))));
    }
    Ok(Some(SetVariables { program: bill::hash(&source.bytes), variables }))
}

/// Why a run that is not kept does not go on.
fn why_not(why: Option<&str>) -> String {
    why.map_or_else(
        || "has ended, or was let go, and cannot go on".to_owned(),
        |why| format!("cannot go on: {}", told(why)),
    )
}

fn not_stopped(known: &report::Run<'_>, why: &str) -> Reply {
    let text = format!(
        "refused: the run `{}` {why}\nnothing was run. What is known of it: {}",
        known.name,
        known.typed.status(known.name)
    );
    Problem { exit: Exit::Refused, name: "refused", text }.into_reply()
}

/// What is given several times adds up.
fn raises(given: &[String]) -> Result<Vec<Raise>, Problem> {
    let mut raises: Vec<Raise> = Vec::new();
    for text in given {
        let raise = raise(text)?;
        match raises.iter_mut().find(|known| known.kind == raise.kind) {
            Some(known) => known.by = known.by.saturating_add(raise.by),
            None => raises.push(raise),
        }
    }
    Ok(raises)
}

/// `200 writes`, `1GiB written`, `30s time`: as in a program's header.
fn raise(text: &str) -> Result<Raise, Problem> {
    let misfit = |what: &str| {
        Problem::usage(format!(
            "error: --more: `{}` {what}\nit is written as in a program's header: '200 writes', '1_000 calls', '1GiB written', \
             '1MiB returned' or '30s time'",
            harmless(text)
        ))
    };
    let (amount, kind) =
        text.trim().split_once(char::is_whitespace).ok_or_else(|| misfit("names no limit"))?;
    let (kind, by) = match kind.trim() {
        "writes" => (CapKind::Writes, crate::policy::count(amount)),
        "calls" => (CapKind::Calls, crate::policy::count(amount)),
        "written" => (CapKind::Written, crate::policy::size(amount)),
        "returned" => (CapKind::Returned, crate::policy::size(amount)),
        "time" => (CapKind::Time, crate::policy::time(amount)),
        _ => return Err(misfit("names no limit")),
    };
    match by {
        Ok(0) | Err(_) => Err(misfit("is no such amount")),
        Ok(by) => Ok(Raise { kind, by }),
    }
}

/// Lists the runs that have a name, and run or can go on.
///
/// # Errors
/// If the server does not answer.
pub fn runs(args: &args::Runs) -> Answer {
    let at = connect(&args.server)?;
    let runs = at.client.runs().map_err(|failure| at.query_failed(&failure))?;
    let json = json!({ "exit": 0, "runs": runs.iter().map(info_to_json).collect::<Vec<_>>() });
    if runs.is_empty() {
        return Ok(Reply::done("no run of yours is running or kept\n".to_owned(), json));
    }
    let width = runs.iter().map(|run| harmless(&run.name).chars().count()).max().unwrap_or(0);
    let out = runs.iter().map(|run| format!("{:width$}  {}\n", harmless(&run.name), shown(run))).collect();
    Ok(Reply::done(out, json))
}

/// `copy_tree, stopped: limit reached: …; 412 calls (200 writes); kept for 9 min`
fn shown(run: &RunInfo) -> String {
    let Some(stopped) = &run.stopped else { return "running".to_owned() };
    format!(
        "{}, {}; {}; kept for {}",
        harmless(&run.program),
        report::stop(&stopped.outcome.end),
        report::calls_made(&stopped.outcome),
        span(stopped.left_s.div_ceil(60) * 60)
    )
}

fn info_to_json(run: &RunInfo) -> serde_json::Value {
    match &run.stopped {
        None => json!({ "run": run.name, "running": true }),
        Some(stopped) => json!({
            "run": run.name, "running": false, "program": run.program,
            "end": report::end_name(&stopped.outcome.end), "message": report::stop(&stopped.outcome.end),
            "calls": stopped.outcome.receipt.calls, "writes": stopped.outcome.receipt.writes,
            "kept": report::kept_to_json(&stopped.outcome), "left_s": stopped.left_s,
        }),
    }
}

/// Stops a run that is running.
///
/// # Errors
/// If the server does not answer.
pub fn cancel(args: &args::OneRun) -> Answer {
    let name = RunName::chosen(&args.run)?;
    let at = connect(&args.server)?;
    let was_running = at.client.cancel(name.id()).map_err(|failure| at.query_failed(&failure))?;
    if !was_running {
        let text =
            format!("refused: no run `{name}` of yours is running\n`carnet runs` lists those that are");
        return Err(Problem { exit: Exit::Refused, name: "refused", text });
    }
    let json = json!({ "exit": 0, "run": name.to_string(), "cancelled": true });
    let text = format!(
        "{name} is told to stop, at its next call or round of a loop\nwhat became of it: carnet status --run {name}\n"
    );
    Ok(Reply::done(text, json))
}

/// Lets go of a run that is kept.
///
/// # Errors
/// If the server does not answer.
pub fn discard(args: &args::OneRun) -> Answer {
    let name = RunName::chosen(&args.run)?;
    let at = connect(&args.server)?;
    let was_kept = at.client.discard(name.id()).map_err(|failure| at.query_failed(&failure))?;
    if !was_kept {
        let text = format!("refused: no run `{name}` of yours is kept\n`carnet runs` lists those that are");
        return Err(Problem { exit: Exit::Refused, name: "refused", text });
    }
    let json = json!({ "exit": 0, "run": name.to_string(), "discarded": true });
    Ok(Reply::done(format!("{name} is let go, and all its handles are closed\n"), json))
}
