//! `carnet debug profile`: where a program's calls are, and where its time goes.
//!
//! The server tells of each call before it makes it, and at the end what was spent at each line. One that walks a tree does not say that:
//! then what there is from a call until the next one is the call's, its own time and that of the program behind it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use carnet_program::protocol::LineSpent;
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
    /// Line of the call that was told of last.
    told: Option<u32>,
    /// Before the first call; or of no line, if the server has told of lines.
    rest_ns: u64,
    /// Whether it has.
    is_by_line: bool,
}

/// What was spent at a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spent {
    calls: u64,
    instructions: u64,
    time_ns: u64,
}

impl Profile {
    /// A call begins at a place of the source, so many ns after the run.
    pub fn call(&mut self, pos: Pos, time_ns: u64) {
        self.lines.entry(pos.line).or_default().calls += 1;
        self.until(time_ns);
        (self.last, self.told) = (Some((pos.line, time_ns)), Some(pos.line));
    }

    /// What the server tells at the end of the run, in several parts if it is long.
    pub fn spent(&mut self, lines: &[LineSpent]) {
        if !self.is_by_line {
            self.is_by_line = true;
            self.lines.values_mut().for_each(|spent| spent.time_ns = 0);
        }
        for LineSpent { line, instructions, time_ns } in lines.iter().filter(|spent| spent.line > 0) {
            let spent = self.lines.entry(*line).or_default();
            (spent.instructions, spent.time_ns) = (*instructions, *time_ns);
        }
    }

    /// The run has ended, so many ns after it began, and made so many calls.
    fn end(&mut self, time_ns: u64, calls: u64) {
        self.end_of_time(time_ns);
        // The one that it was told to make last, and stopped before.
        let told: u64 = self.lines.values().map(|spent| spent.calls).sum();
        if let Some(line) = self.told.filter(|_| told > calls) {
            let spent = self.lines.entry(line).or_default();
            spent.calls = spent.calls.saturating_sub(1);
            if *spent == Spent::default() {
                self.lines.remove(&line);
            }
        }
    }

    fn end_of_time(&mut self, time_ns: u64) {
        if !self.is_by_line {
            return self.until(time_ns);
        }
        let of_lines = self.lines.values().fold(0, |sum: u64, spent| sum.saturating_add(spent.time_ns));
        self.rest_ns = time_ns.saturating_sub(of_lines);
    }

    /// What was under way ends, so many ns after the run began.
    fn until(&mut self, time_ns: u64) {
        match self.last.take() {
            Some((line, began)) => {
                self.lines.entry(line).or_default().time_ns += time_ns.saturating_sub(began);
            }
            None => self.rest_ns = time_ns,
        }
    }

    /// A line for each line of the source where something was spent.
    fn text(&self, source: &str) -> String {
        let mut rows = vec![["calls".to_owned(), "time".to_owned(), "line".to_owned(), String::new()]];
        if self.rest_ns > 0 {
            let what = if self.is_by_line { "at no line" } else { "before the first call" };
            rows.push([String::new(), ms(self.rest_ns), String::new(), what.to_owned()]);
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
                "line": line, "calls": spent.calls, "time_ns": spent.time_ns, "instructions": spent.instructions,
                "text": harmless(line_of(source, *line)),
            })
        });
        json!({ "rest_ns": self.rest_ns, "by_line": self.is_by_line, "lines": lines.collect::<Json>() })
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
    profile.end(outcome.receipt.time_ns, outcome.receipt.calls);
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
        profile.end(1_500, 4);
        let spent: Vec<(u32, u64, u64)> =
            profile.lines.iter().map(|(line, spent)| (*line, spent.calls, spent.time_ns)).collect();
        assert_eq!(spent, [(2, 2, 60), (3, 2, 1_340)]);
        assert_eq!(profile.rest_ns, 100);
        let text = profile.text("program p() {\n  first()\n  second()\n}");
        assert!(text.ends_with("  3  second()\n"), "{text}");
    }

    #[test]
    fn what_the_server_says_of_lines_is_what_is_told() {
        let mut profile = Profile::default();
        profile.call(Pos { line: 2, col: 1 }, 100);
        let spent = |line, instructions, time_ns| LineSpent { line, instructions, time_ns };
        profile.spent(&[spent(0, 5, 7), spent(2, 1, 60), spent(4, 3_000, 900)]);
        profile.end(1_000, 1);
        let spent: Vec<(u32, u64, u64)> =
            profile.lines.iter().map(|(line, spent)| (*line, spent.calls, spent.time_ns)).collect();
        assert_eq!((spent, profile.rest_ns), (vec![(2, 1, 60), (4, 0, 900)], 40));
    }
}
