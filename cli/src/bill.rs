//! `carnet bill`: what a program would do at most on this server, and the hash that approves it.

use carnet_program::bill::{Bill, Bound, Hash, Line};
use carnet_program::limits::LimitSource;
use carnet_program::protocol::{APPROVAL_DIGITS, Argument, BillAnswer, Refusal, RunOptions, RunRequest};
use carnet_program::text::hex;
use serde_json::{Value as Json, json};

use crate::args;
use crate::connect::connect;
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::identity::RunName;
use crate::report::{self, effect_name};
use crate::source::open;
use crate::value::harmless_lines;

/// Asks the server for the bill.
///
/// # Errors
/// If the program is wrong or the server does not answer.
pub fn bill(args: &args::Bill) -> Answer {
    let (mut source, connection) = open(&args.program, &args.server)?;
    if args.tree {
        source.send_tree()?;
    }
    let values = source.arguments(&args.program.arguments)?;
    let connection = connection.map_or_else(|| connect(&args.server), Ok)?;
    let name = RunName::fresh()?;
    let request = RunRequest {
        id: name.id(),
        options: RunOptions::default(),
        name: "",
        approval: "",
        arguments: values.iter().map(Argument::from).collect(),
        program: source.program(),
    };
    let answer = connection.client.bill(&request).map_err(|failure| connection.query_failed(&failure))?;
    let typed = args.typed();
    let run = report::Run::new(Some(&source), &name, &typed);
    reply(&run, &answer)
}

fn reply(run: &report::Run<'_>, answer: &BillAnswer) -> Answer {
    let bill = match (&answer.bill, &answer.refusal) {
        (Ok(bill), _) => bill,
        (Err(faults), Some(refusal)) if faults.is_empty() => {
            let text = report::refused(run, refusal).trim_end().to_owned();
            return Err(Problem { exit: Exit::Refused, name: "refused", text });
        }
        (Err(faults), _) => return Err(Problem::rejected(report::rejected(run.source, faults))),
    };
    let (exit, err) = match &answer.refusal {
        // It says how to run it: that is no refusal for somebody who only asks.
        None | Some(Refusal::NotApproved { .. }) => (Exit::Done, String::new()),
        Some(refusal) => (Exit::Refused, report::refused(run, refusal)),
    };
    let mut json = to_json(bill);
    json["exit"] = json!(exit as u8);
    json["approval"] = json!(hex(&answer.approval));
    json["refusal"] = json!(answer.refusal.as_ref().map(report::refusal_name));
    if !err.is_empty() {
        json["message"] = json!(err.trim_end());
    }
    Ok(Reply { exit, out: text(bill, &answer.approval), err, json })
}

/// The bill with what approves it.
#[must_use]
pub fn text(bill: &Bill, approval: &Hash) -> String {
    let shown = harmless_lines(&bill.to_string());
    format!(
        "{shown}approve:{} (this program, this bill, these arguments)\n",
        &hex(approval)[..APPROVAL_DIGITS]
    )
}

/// The bill for programs.
#[must_use]
pub fn to_json(bill: &Bill) -> Json {
    json!({
        "program": bill.program,
        "hash": hex(&bill.hash),
        "services": bill.services,
        "operations": bill.lines.iter().map(operation).collect::<Json>(),
        "calls": bound(&bill.calls),
        "writes": bound(&bill.writes),
        "written": bound(&bill.written),
        "instructions": bound(&bill.instructions),
        "time_ns": bound(&bill.time_ns),
        "default_limits_at_lines": bill.defaults,
        "idempotent": bill.idempotent,
        "notes": bill.notes,
    })
}

fn operation(line: &Line) -> Json {
    let from = line.from.iter().map(
        |place| json!({ "line": place.line, "at_most": count(place.at_most), "default": place.default }),
    );
    json!({
        "operation": line.name, "effect": effect_name(line.effect), "at_most": count(line.at_most),
        "from": from.collect::<Json>(),
    })
}

fn bound(bound: &Bound) -> Json {
    let (by, line) = match bound.cut_by {
        None => ("loops", None),
        Some(LimitSource::Server) => ("server", None),
        Some(LimitSource::Header(line)) => ("header", Some(line)),
        Some(LimitSource::Loop(line)) => ("loop", Some(line)),
        Some(LimitSource::Default(line)) => ("default", Some(line)),
        // What is left changes while a bill is read, so that no bill is cut by it.
        Some(LimitSource::Allowance { .. }) => ("allowance", None),
    };
    json!({ "at_most": count(bound.at_most), "loops_alone": count(bound.loops), "by": by, "line": line })
}

/// What saturated is no number.
fn count(n: u64) -> Json {
    if n == u64::MAX { Json::Null } else { json!(n) }
}
