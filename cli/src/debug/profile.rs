//! `carnet debug profile`: where a program's calls are, and where its time goes.
//!
//! The server tells of each call before it makes it, and when that is; what there is until the next one is the call's: its own
//! time, and that of the program behind it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use carnet_program::text::grouped;
use carnet_program::tree::Pos;
use serde_json::{Value as Json, json};

use crate::args;
use crate::exit::{Answer, Reply};
use crate::run::run_with;
use crate::value::harmless;

/// What was spent at each line.
#[derive(Debug, Default)]
pub struct Profile {
    lines: BTreeMap<u32, Spent>,
    /// The call that is under way, and when it began.
    last: Option<(u32, u64)>,
    /// Before the first call.
    before_ns: u64,
}

/// What was spent at a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spent {
    calls: u64,
    time_ns: u64,
}

impl Profile {
    /// A call begins at a place of the source, so many ns after the run.
    pub fn call(&mut self, pos: Pos, time_ns: u64) {
        self.lines.entry(pos.line).or_default().calls += 1;
        self.until(time_ns);
        self.last = Some((pos.line, time_ns));
    }

    /// What was under way ends, so many ns after the run began.
    fn until(&mut self, time_ns: u64) {
        match self.last.take() {
            Some((line, began)) => {
                self.lines.entry(line).or_default().time_ns += time_ns.saturating_sub(began);
            }
            None => self.before_ns = time_ns,
        }
    }

    /// A line for each line of the source that made calls.
    fn text(&self, source: &str) -> String {
        let mut rows = vec![["calls".to_owned(), "time".to_owned(), "line".to_owned(), String::new()]];
        if self.before_ns > 0 {
            let what = "before the first call".to_owned();
            rows.push([String::new(), ms(self.before_ns), String::new(), what]);
        }
        rows.extend(self.lines.iter().map(|(line, spent)| {
            let text = harmless(line_of(source, *line));
            [grouped(spent.calls), ms(spent.time_ns), line.to_string(), text]
        }));
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (calls, time, line) = (width(0), width(1), width(2));
        let shown = rows.iter().map(|[a, b, c, text]| {
            format!("{a:>calls$}  {b:>time$}  {c:>line$}  {text}").trim_end().to_owned() + "\n"
        });
        shown.collect()
    }

    fn to_json(&self, source: &str) -> Json {
        let lines = self.lines.iter().map(|(line, spent)| {
            json!({
                "line": line, "calls": spent.calls, "time_ns": spent.time_ns,
                "text": harmless(line_of(source, *line)),
            })
        });
        json!({ "before_ns": self.before_ns, "lines": lines.collect::<Json>() })
    }
}

/// To a microsecond.
fn ms(ns: u64) -> String {
    format!("{}.{:03} ms", grouped(ns / 1_000_000), ns / 1_000 % 1_000)
}

fn line_of(source: &str, line: u32) -> &str {
    source.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default().trim()
}

/// Runs a program as `carnet run` does, and shows its profile behind the outcome.
///
/// # Errors
/// As [`run`](crate::run::run).
pub fn profile(args: &args::Run) -> Answer {
    let profile = RefCell::new(Profile::default());
    let (reply, ran) = run_with(args, Some(&profile))?;
    let Some((source, outcome)) = ran else { return Ok(reply) };
    let mut profile = profile.into_inner();
    profile.until(outcome.receipt.time_ns);
    let mut json = reply.json;
    json["profile"] = profile.to_json(&source.text);
    let text = profile.text(&source.text);
    Ok(Reply { out: format!("{}{text}", reply.out), json, ..reply })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_belongs_to_the_line_of_the_call_before() {
        let mut profile = Profile::default();
        for (line, at) in [(2, 100), (3, 150), (2, 1_000), (3, 1_010)] {
            profile.call(Pos { line, col: 1 }, at);
        }
        profile.until(1_500);
        let spent: Vec<(u32, u64, u64)> =
            profile.lines.iter().map(|(line, spent)| (*line, spent.calls, spent.time_ns)).collect();
        assert_eq!(spent, [(2, 2, 60), (3, 2, 1_340)]);
        assert_eq!(profile.before_ns, 100);
        let text = profile.text("program p() {\n  first()\n  second()\n}");
        assert!(text.ends_with("  3  second()\n"), "{text}");
    }
}
