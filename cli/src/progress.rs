//! What is shown while a run goes on: a line on a terminal, each call if it is traced.

use std::cell::RefCell;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use carnet_program::protocol::Progress;
use carnet_program::text::{bytes, grouped};
use indicatif::{ProgressBar, ProgressStyle};

use crate::debug::profile::Profile;
use crate::report::call_text;

/// What is over sooner shows nothing.
const SHOWN_AFTER: Duration = Duration::from_millis(500);

/// Shows how a run goes.
#[derive(Debug)]
pub struct Shown<'a> {
    began: Instant,
    bar: Option<ProgressBar>,
    registers: &'a [String],
    /// Calls are counted there, and not shown.
    profile: Option<&'a RefCell<Profile>>,
    /// The run began at an earlier request; whether it was running when this one came.
    pub again: Option<bool>,
}

impl<'a> Shown<'a> {
    /// Nothing is shown yet.
    #[must_use]
    pub fn new(registers: &'a [String], profile: Option<&'a RefCell<Profile>>) -> Shown<'a> {
        Shown { began: Instant::now(), bar: None, registers, profile, again: None }
    }

    /// Shows what the server told.
    pub fn tell(&mut self, told: &Progress) {
        match told {
            Progress::Counts { calls, written } => self.counts(*calls, *written),
            Progress::Again { running } => self.again = Some(*running),
            Progress::Spent(lines) => {
                if let Some(profile) = self.profile {
                    profile.borrow_mut().spent(lines);
                }
            }
            Progress::Call { time_ns, pos, .. } if let Some(profile) = self.profile => {
                profile.borrow_mut().call(*pos, *time_ns);
            }
            Progress::Call { pos, call, .. } => {
                let text = call_text(call, self.registers);
                // Whoever closed standard error does not want to see it.
                let _ = writeln!(std::io::stderr(), "{}:{} {text}", pos.line, pos.col);
            }
        }
    }

    fn counts(&mut self, calls: u64, written: u64) {
        if self.began.elapsed() < SHOWN_AFTER || !std::io::stderr().is_terminal() {
            return;
        }
        let bar = self.bar.get_or_insert_with(bar);
        let writes = if written > 0 { format!(", {} written", bytes(written)) } else { String::new() };
        bar.set_message(format!("{} calls{writes}", grouped(calls)));
        bar.tick();
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}  (Ctrl-C cancels)");
    let bar = ProgressBar::new_spinner();
    style.map_or(bar.clone(), |style| bar.with_style(style))
}
