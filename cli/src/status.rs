//! `carnet status`: how the server is, and what became of a run.

use carnet_program::client::Asked;
use carnet_program::limits::{Amounts, LimitKind, Standing};
use carnet_program::text::{bytes, grouped, span};
use serde_json::json;

use crate::args::{self, Typed};
use crate::connect::{Connection, connect};
use crate::exit::{Answer, Exit, Reply};
use crate::identity::RunName;
use crate::report;

/// Asks the server.
///
/// # Errors
/// If it does not answer.
pub fn status(args: &args::Status) -> Answer {
    match &args.run {
        None => of_server(&connect(&args.server)?),
        Some(name) => {
            let name = RunName::chosen(name)?;
            of_run(&connect(&args.server)?, &name)
        }
    }
}

fn of_server(at: &Connection) -> Answer {
    let status = at.client.status().map_err(|failure| at.query_failed(&failure))?;
    let (running, stored) = (grouped(status.running), grouped(status.stored));
    let out = format!(
        "{}  up {}\n  running      {running}\n  done         {}\n  not done     {}\n  refused      {}\n  \
         calls        {}\n  outcomes     {stored} kept\n  stopped      {} kept, to go on\n  \
         programs     {} verified and kept, {} as machine code\n{}",
        at.address,
        uptime(status.uptime_s),
        grouped(status.done),
        grouped(status.not_done),
        grouped(status.refused),
        grouped(status.calls),
        grouped(status.kept),
        grouped(status.cached),
        grouped(status.translated),
        allowance(&status.standing),
    );
    let json = json!({
        "exit": 0, "server": at.address.to_string(), "uptime_s": status.uptime_s, "running": status.running,
        "done": status.done, "not_done": status.not_done, "refused": status.refused, "calls": status.calls,
        "stored": status.stored, "kept": status.kept, "cached": status.cached, "translated": status.translated,
        "allowance": report::standing_to_json(&status.standing),
    });
    Ok(Reply::done(out, json))
}

/// What is left to whoever asks.
fn allowance(standing: &Standing) -> String {
    let again = match standing.again_s {
        0 => String::new(),
        seconds => format!("; full again in {}", span(seconds)),
    };
    let mut text = format!("left to you for {}{again}\n", span(standing.period_s));
    let (left, held) = (standing.left(), standing.held);
    for kind in Amounts::KINDS {
        let show = if kind == LimitKind::Written { bytes } else { grouped };
        let held = match held.of(kind) {
            0 => String::new(),
            n => format!(", {} held by what you run", show(n)),
        };
        let (left, of) = (show(left.of(kind)), show(standing.allowance.of(kind)));
        text.push_str(&format!("  {:<12} {left} of {of}{held}\n", report::limit_name(kind)));
    }
    text
}

fn uptime(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds / 3600 % 24),
    }
}

fn of_run(at: &Connection, name: &RunName) -> Answer {
    let asked = at.client.ask(name.id()).map_err(|failure| at.query_failed(&failure))?;
    match asked {
        Asked::Unknown => Ok(unknown(name)),
        Asked::Running => {
            let json = json!({ "exit": 0, "run": name.to_string(), "end": null, "running": true });
            Ok(Reply::done(format!("{name} is running\n"), json))
        }
        Asked::Ended(outcome) => {
            let typed = Typed { program: "FILE NAME=VALUE…".to_owned(), ..Typed::default() };
            let run = report::Run::new(None, name, &typed);
            Ok(report::outcome(&run, &outcome))
        }
    }
}

/// The server does not know a run.
pub(crate) fn unknown(name: &RunName) -> Reply {
    let err = format!(
        "unknown: the server knows no run `{name}` of yours\nit never began, or the server was started anew, or \
         keeps its outcome no more\n"
    );
    let json = json!({ "exit": Exit::Unknown as u8, "run": name.to_string(), "error": "unknown", "message": err.trim_end() });
    Reply { exit: Exit::Unknown, out: String::new(), err, json }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uptime_has_one_or_two_units() {
        let shown = [5, 65, 3725, 90_000].map(uptime);
        assert_eq!(shown, ["5 s", "1 min", "1 h 2 min", "1 d 1 h"]);
    }
}
