//! What the operator of a server allows. Everything has a default; limits are on unless they are changed.

use std::time::Duration;

use super::OnlyInstalled;
use crate::limits::{Allowance, Effective, LimitKind, Limits};
use crate::protocol::Refusal;
use crate::tree::Cap;
use crate::verify::Loaded;

/// A server's policy about programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Name, for messages.
    pub name: String,
    /// Limits of one run.
    pub limits: Limits,
    /// What one principal may use in each period, whatever it uses it for.
    pub allowance: Allowance,
    /// Largest bills that are accepted.
    pub accepts: Accepts,
    /// Whether loops without a limit of their own are accepted.
    pub defaults: Defaults,
    /// What must be confirmed with an approval hash.
    pub confirm: Confirm,
    /// What becomes of programs that come as trees.
    pub trees: Trees,
    /// Who may run installed programs only.
    pub only_installed: OnlyInstalled,
    /// Runs at the same time.
    pub runs_max: usize,
    /// Runs of one principal at the same time.
    pub runs_per_principal_max: usize,
    /// Outcomes that are kept for asking again.
    pub stored_max: usize,
    /// Bytes of all outcomes that are kept.
    pub stored_bytes_max: usize,
    /// Runs that stopped and are kept, so that they can go on.
    pub kept_max: usize,
    /// Those of one principal.
    pub kept_per_principal_max: usize,
    /// Bytes of all of them.
    pub kept_bytes_max: usize,
    /// Bytes of those of one principal.
    pub kept_bytes_per_principal_max: usize,
    /// Portals that all of them hold.
    pub kept_portals_max: usize,
    /// Portals that those of one principal hold.
    pub kept_portals_per_principal_max: usize,
    /// How long each is kept.
    pub kept_for: Duration,
    /// Verified programs that are cached, so that nobody needs to send them again.
    pub cached_max: usize,
    /// Those that one principal sent first.
    pub cached_per_principal_max: usize,
    /// Bytes of all of them, with tables and machine code.
    pub cached_bytes_max: usize,
    /// Instructions that runs of a program have used, for each of its own, when it is translated to machine code.
    pub translated_after: u64,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            name: "default".to_owned(),
            limits: Limits::default(),
            allowance: Allowance::default(),
            accepts: Accepts::default(),
            defaults: Defaults::Accepted,
            confirm: Confirm::Nothing,
            trees: Trees::Refused,
            only_installed: OnlyInstalled::Nobody,
            runs_max: 64,
            runs_per_principal_max: 16,
            stored_max: 1024,
            stored_bytes_max: 16 << 20,
            kept_max: 64,
            kept_per_principal_max: 16,
            kept_bytes_max: 256 << 20,
            kept_bytes_per_principal_max: 128 << 20,
            kept_portals_max: 256,
            kept_portals_per_principal_max: 64,
            kept_for: Duration::from_secs(600),
            cached_max: 1024,
            cached_per_principal_max: 256,
            cached_bytes_max: 64 << 20,
            translated_after: 10_000,
        }
    }
}

/// Largest bills that are accepted; `None`: any, since runs are cut at their limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepts {
    /// Calls.
    pub calls: Option<u64>,
    /// Calls of writing operations.
    pub writes: Option<u64>,
    /// Bytes written.
    pub written: Option<u64>,
    /// Instructions.
    pub instructions: Option<u64>,
}

/// What becomes of a loop whose limit is the language's default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defaults {
    /// It runs.
    Accepted,
    /// The program is refused.
    Refused,
}

/// What becomes of programs that come as trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trees {
    /// They are compiled and verified by the server.
    Taken,
    /// They are refused: compiling is the client's.
    Refused,
}

/// What must be confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirm {
    /// Nothing; the client's command asks on its own.
    Nothing,
    /// Programs that may write.
    Writes,
}

impl Policy {
    /// Holds a program against the policy, without approval.
    ///
    /// # Errors
    /// The first [`Refusal`].
    pub fn check(&self, program: &Loaded) -> Result<(), Refusal> {
        if self.defaults == Defaults::Refused && program.totals.defaults > 0 {
            let loops = program.loops.iter().filter(|l| l.table.default);
            let lines = loops.map(|l| l.table.line).collect();
            return Err(Refusal::Defaults { policy: self.name.clone(), lines });
        }
        self.accept(program, &program.caps)
    }

    /// Holds the bill of a program with these caps against what is accepted.
    pub(super) fn accept(&self, program: &Loaded, caps: &[Cap]) -> Result<(), Refusal> {
        if self.accepts == Accepts::default() {
            return Ok(());
        }
        let effective = Effective::new(&Limits::UNLIMITED, caps).limits;
        let totals = &program.totals;
        let bills = [
            (LimitKind::Calls, totals.calls.min(effective.calls), self.accepts.calls),
            (LimitKind::Writes, totals.writes.min(effective.writes), self.accepts.writes),
            (LimitKind::Written, totals.written.min(effective.written), self.accepts.written),
            (LimitKind::Instructions, totals.instructions, self.accepts.instructions),
        ];
        for (kind, bill, accepts) in bills {
            if let Some(accepts) = accepts.filter(|accepts| bill > *accepts) {
                return Err(Refusal::Bill { kind, bill, accepts });
            }
        }
        Ok(())
    }
}
