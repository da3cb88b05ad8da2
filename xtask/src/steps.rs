//! Starts programs one after another, with the time that each took.
//!
//! The first program that fails ends the list, and the command that repeats it alone is printed. Nothing is
//! captured: the output of a program goes where ours goes, so that test runners' own summaries stay visible.

use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// One program to start, or a check of our own.
pub(crate) struct Step<'a> {
    /// What it is, in a word or two.
    pub(crate) name: &'static str,
    pub(crate) work: Work<'a>,
}

pub(crate) enum Work<'a> {
    /// `cargo` with these arguments.
    Cargo(Line),
    /// A check in this process, and the command that repeats it.
    Check(&'static str, &'a dyn Fn() -> Result<(), String>),
    /// Not possible here, and why.
    Skip(String),
}

/// Arguments of cargo, and variables set for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    args: Vec<String>,
    vars: Vec<(&'static str, &'static str)>,
}

impl Line {
    /// The words of `text`.
    pub(crate) fn new(text: &str) -> Line {
        Line { args: text.split_whitespace().map(String::from).collect(), vars: Vec::new() }
    }

    /// With `more` words at the end, taken as they are.
    pub(crate) fn and(mut self, more: &[String]) -> Line {
        self.args.extend_from_slice(more);
        self
    }

    /// With a variable set.
    pub(crate) fn with(mut self, name: &'static str, value: &'static str) -> Line {
        self.vars.push((name, value));
        self
    }

    /// Runs it in `root`.
    pub(crate) fn run(&self, root: &Path) -> Result<(), String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(&self.args)
            .envs(self.vars.iter().copied())
            .current_dir(root)
            .stdin(Stdio::null())
            .status();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{self} ended with {status}")),
            Err(error) => Err(format!("cannot start cargo: {error}")),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.vars {
            write!(f, "{name}={value} ")?;
        }
        f.write_str("cargo")?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

/// Runs all steps in order, up to the first that fails, and prints what each took.
pub(crate) fn run_all(root: &Path, steps: &[Step<'_>]) -> Result<(), String> {
    let start = Instant::now();
    let mut done = Vec::new();
    for step in steps {
        let began = Instant::now();
        if let Err(message) = run_one(root, step) {
            print!("{}", summary(&done, start.elapsed()));
            return Err(format!("failed: {}: {message}\nrepeat with: {}", step.name, repeat(step)));
        }
        let outcome = match &step.work {
            Work::Skip(reason) => Outcome::Skipped(reason.clone()),
            Work::Cargo(_) | Work::Check(..) => Outcome::Took(began.elapsed()),
        };
        done.push((step.name, outcome));
    }
    print!("{}", summary(&done, start.elapsed()));
    Ok(())
}

enum Outcome {
    Took(Duration),
    Skipped(String),
}

fn run_one(root: &Path, step: &Step<'_>) -> Result<(), String> {
    match &step.work {
        Work::Cargo(line) => {
            println!("== {}: {line}", step.name);
            line.run(root)
        }
        Work::Check(command, check) => {
            println!("== {}: {command}", step.name);
            check()
        }
        Work::Skip(reason) => {
            println!("== {}: skipped: {reason}", step.name);
            Ok(())
        }
    }
}

fn repeat(step: &Step<'_>) -> String {
    match &step.work {
        Work::Cargo(line) => line.to_string(),
        Work::Check(command, _) => (*command).to_owned(),
        Work::Skip(_) => String::new(),
    }
}

/// The steps, slowest first, and the total.
fn summary(done: &[(&str, Outcome)], total: Duration) -> String {
    let mut took: Vec<(&str, Duration)> = done
        .iter()
        .filter_map(|(name, outcome)| match outcome {
            Outcome::Took(time) => Some((*name, *time)),
            Outcome::Skipped(_) => None,
        })
        .collect();
    took.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    let mut text = String::from("\nsteps, slowest first\n");
    for (name, time) in took {
        text += &format!("{:>8.1} s  {name}\n", time.as_secs_f64());
    }
    for (name, outcome) in done {
        if let Outcome::Skipped(reason) = outcome {
            text += &format!("   skipped  {name}: {reason}\n");
        }
    }
    text + &format!("{:>8.1} s  total\n", total.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_prints_as_it_is_typed() {
        let line = Line::new("test  --workspace").with("BLESS", "1").and(&["a b".to_owned()]);
        assert_eq!(line.to_string(), "BLESS=1 cargo test --workspace a b");
    }

    #[test]
    fn the_first_failure_ends_the_list_and_names_the_command() {
        let fails = || Err("no".to_owned());
        let never = || panic!("a step after a failed one ran");
        let steps = [
            Step { name: "one", work: Work::Check("do one", &fails) },
            Step { name: "two", work: Work::Check("do two", &never) },
        ];
        let message = run_all(Path::new("."), &steps).unwrap_err();
        assert_eq!(message, "failed: one: no\nrepeat with: do one");
    }

    #[test]
    fn the_summary_is_sorted_and_names_what_was_skipped() {
        let done = [
            ("quick", Outcome::Took(Duration::from_millis(100))),
            ("absent", Outcome::Skipped("no tool".to_owned())),
            ("slow", Outcome::Took(Duration::from_secs(3))),
        ];
        let text = summary(&done, Duration::from_secs(4));
        assert_eq!(
            text,
            "\nsteps, slowest first\n     3.0 s  slow\n     0.1 s  quick\n   skipped  absent: no tool\n     4.0 s  total\n"
        );
    }
}
