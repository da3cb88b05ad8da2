//! What a run may use: budgets, and the limits that they come from.

use std::fmt;

use crate::text::{bytes, grouped, seconds, span};
use crate::tree::{Cap, CapKind};
use crate::verify::Loaded;

/// Limits of a server's policy for one run. The defaults are on unless an operator changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions.
    pub instructions: u64,
    /// Calls.
    pub calls: u64,
    /// Calls of writing operations.
    pub writes: u64,
    /// Bytes written.
    pub written: u64,
    /// Bytes of the result.
    pub returned: u64,
    /// Bytes held by texts and lists.
    pub memory: u64,
    /// Wall time, in ns.
    pub time_ns: u64,
}

impl Limits {
    /// No limit is reached before what is counted overflows.
    pub const UNLIMITED: Limits = Limits {
        instructions: u64::MAX,
        calls: u64::MAX,
        writes: u64::MAX,
        written: u64::MAX,
        returned: u64::MAX,
        memory: u64::MAX,
        time_ns: u64::MAX,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            instructions: 1_000_000_000,
            calls: 1_000_000,
            writes: 1_000_000,
            written: 1 << 40,
            returned: 1 << 20,
            memory: 64 << 20,
            time_ns: 30_000_000_000,
        }
    }
}

/// Amounts of what is counted for a principal, in all its runs and calls together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    /// Calls.
    pub calls: u64,
    /// Calls of writing operations.
    pub writes: u64,
    /// Bytes written.
    pub written: u64,
    /// Instructions.
    pub instructions: u64,
}

impl Amounts {
    /// What is counted.
    pub const KINDS: [LimitKind; 4] =
        [LimitKind::Calls, LimitKind::Writes, LimitKind::Written, LimitKind::Instructions];

    /// The amount of one kind; 0 of a kind that is not counted.
    #[must_use]
    pub fn of(mut self, kind: LimitKind) -> u64 {
        self.place(kind).map_or(0, |place| *place)
    }

    pub(crate) fn place(&mut self, kind: LimitKind) -> Option<&mut u64> {
        match kind {
            LimitKind::Calls => Some(&mut self.calls),
            LimitKind::Writes => Some(&mut self.writes),
            LimitKind::Written => Some(&mut self.written),
            LimitKind::Instructions => Some(&mut self.instructions),
            LimitKind::Returned | LimitKind::Memory | LimitKind::Time | LimitKind::Loop(_) => None,
        }
    }

    pub(crate) fn zip(self, other: Amounts, with: impl Fn(u64, u64) -> u64) -> Amounts {
        Amounts {
            calls: with(self.calls, other.calls),
            writes: with(self.writes, other.writes),
            written: with(self.written, other.written),
            instructions: with(self.instructions, other.instructions),
        }
    }

    pub(crate) fn plus(self, other: Amounts) -> Amounts {
        self.zip(other, u64::saturating_add)
    }

    pub(crate) fn minus(self, other: Amounts) -> Amounts {
        self.zip(other, u64::saturating_sub)
    }
}

impl From<&Limits> for Amounts {
    fn from(limits: &Limits) -> Amounts {
        let Limits { calls, writes, written, instructions, .. } = *limits;
        Amounts { calls, writes, written, instructions }
    }
}

/// What one principal may use in each period, in all its runs and single calls together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The period, in seconds, at least 1. It begins with the first use after the one before is over.
    pub period_s: u64,
    /// What may be used in it.
    pub amounts: Amounts,
}

impl Default for Allowance {
    /// A hundred times in each minute what one run may use.
    fn default() -> Allowance {
        let run = Amounts::from(&Limits::default());
        Allowance { period_s: 60, amounts: run.zip(run, |n, _| n.saturating_mul(100)) }
    }
}

/// How a principal stands: its allowance, and what has become of it in this period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The period, in seconds.
    pub period_s: u64,
    /// Seconds until all of it can be used again, rounded up; 0 if nothing of it was used.
    pub again_s: u64,
    /// What may be used in each period.
    pub allowance: Amounts,
    /// What was used.
    pub used: Amounts,
    /// What runs and sessions of the principal hold: they may use it, and give back what they do not.
    pub held: Amounts,
}

impl Standing {
    /// What can be used at once.
    #[must_use]
    pub fn left(&self) -> Amounts {
        self.allowance.minus(self.used.plus(self.held))
    }

    /// Why so much of a kind cannot be used: [`Standing::used_up`], if that ends with the period.
    #[must_use]
    pub fn too_little(&self, kind: LimitKind, wanted: u64) -> String {
        let allowance = self.allowance.of(kind);
        if allowance == 0 || wanted <= allowance {
            return self.used_up(kind);
        }
        let (wanted, allowance, period) = (kind.amount(wanted), kind.amount(allowance), span(self.period_s));
        format!("this may take {wanted}, more than your whole allowance of {allowance} for {period}")
    }

    /// `your allowance of 200 writes for 1 min is used up; full again in 34 s`
    #[must_use]
    pub fn used_up(&self, kind: LimitKind) -> String {
        if self.allowance.of(kind) == 0 {
            return format!("your allowance has no {}", kind.noun());
        }
        let (allowance, held) = (kind.amount(self.allowance.of(kind)), self.held.of(kind));
        let (period, again) = (span(self.period_s), span(self.again_s));
        let (left, held) = match (self.left().of(kind), held) {
            (0, 0) => {
                return format!(
                    "your allowance of {allowance} for {period} is used up; full again in {again}"
                );
            }
            (left, 0) => (left, String::new()),
            (left, held) => (left, format!(", and what else you run holds {}", kind.amount(held))),
        };
        let left = kind.amount(left);
        format!("of your allowance of {allowance} for {period} {left} are left{held}; full again in {again}")
    }
}

/// What was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitKind {
    /// Instructions.
    Instructions,
    /// Calls.
    Calls,
    /// Calls of writing operations.
    Writes,
    /// Bytes written.
    Written,
    /// Bytes of the result.
    Returned,
    /// Bytes held by texts and lists.
    Memory,
    /// Wall time.
    Time,
    /// Entries to the body of this loop.
    Loop(u16),
}

impl LimitKind {
    /// So much of it: `1 write`, `2,000 calls`, `10.0 GiB written`.
    #[must_use]
    pub fn amount(self, n: u64) -> String {
        match self {
            LimitKind::Written => format!("{} written", bytes(n)),
            LimitKind::Returned => format!("{} returned", bytes(n)),
            LimitKind::Memory => format!("{} of memory", bytes(n)),
            LimitKind::Time => format!("{} of time", seconds(n)),
            LimitKind::Writes if n == 1 => "1 write".to_owned(),
            LimitKind::Calls if n == 1 => "1 call".to_owned(),
            kind => format!("{} {}", grouped(n), kind.noun()),
        }
    }

    /// What is counted, in the plural.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            LimitKind::Instructions => "instructions",
            LimitKind::Calls => "calls",
            LimitKind::Writes => "writes",
            LimitKind::Written => "bytes written",
            LimitKind::Returned => "bytes returned",
            LimitKind::Memory => "bytes of memory",
            LimitKind::Time => "of time",
            LimitKind::Loop(_) => "entries of a loop",
        }
    }

    /// That a limit was reached, for people: `limit reached: 200 of 200 writes (header, line 6)`.
    #[must_use]
    pub fn reached(self, limit: u64, used: u64, source: LimitSource) -> String {
        let noun = match self {
            LimitKind::Written => "written",
            LimitKind::Returned => "returned",
            LimitKind::Memory => "of memory",
            kind => kind.noun(),
        };
        let amount = match self {
            LimitKind::Time => format!("{} of {} {noun}", seconds(used), seconds(limit)),
            LimitKind::Written | LimitKind::Returned | LimitKind::Memory => {
                format!("{} of {} {noun}", bytes(used), bytes(limit))
            }
            _ => format!("{} of {} {noun}", grouped(used), grouped(limit)),
        };
        format!("limit reached: {amount} ({source})")
    }
}

/// Where a limit comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitSource {
    /// The server's policy.
    Server,
    /// The program's header, at this line.
    Header(u32),
    /// A loop of the program, at this line.
    Loop(u32),
    /// A loop of the program, at this line, which has no limit: the language's default.
    Default(u32),
    /// What the principal may use in each period, in all its runs and calls together.
    Allowance {
        /// The period, in seconds.
        period_s: u64,
        /// Seconds until all of it can be used again.
        again_s: u64,
        /// How much of it other runs and calls of the principal hold.
        held: u64,
    },
}

impl fmt::Display for LimitSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitSource::Server => f.write_str("this server's limit"),
            LimitSource::Header(0) => f.write_str("header"),
            LimitSource::Header(line) => write!(f, "header, line {line}"),
            LimitSource::Loop(line) => write!(f, "loop, line {line}"),
            LimitSource::Default(line) => write!(f, "default limit of the loop in line {line}"),
            LimitSource::Allowance { period_s, again_s, held } => {
                let held = if *held == 0 { "" } else { ", of which what else you run holds a part" };
                let (period, again) = (span(*period_s), span(*again_s));
                write!(f, "your allowance for {period}{held}; full again in {again}")
            }
        }
    }
}

/// What a run has left, and what each limit was. Only [`Machine`](crate::interp::Machine) takes from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Instructions left.
    pub instructions_left: u64,
    /// Calls left.
    pub calls_left: u64,
    /// Writing calls left.
    pub writes_left: u64,
    /// Bytes left to be written.
    pub written_left: u64,
    /// Most bytes that texts and lists may hold.
    pub memory_max: u64,
    /// Most bytes of the result.
    pub returned_max: u64,
}

/// The limits of one run: the server's, cut by the program's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effective {
    /// The limits in force.
    pub limits: Limits,
    /// Line of the header's cap where that is the smaller one, by [`CapKind`]; 0 where the server's is.
    lines: [Option<u32>; 5],
}

impl Effective {
    /// Cuts the server's limits by a program's caps.
    #[must_use]
    pub fn new(server: &Limits, caps: &[Cap]) -> Effective {
        Effective::beside(server, caps, Amounts::default())
    }

    /// The same of a run of which so much did nothing, which counts against no cap.
    #[must_use]
    pub(crate) fn beside(server: &Limits, caps: &[Cap], undone: Amounts) -> Effective {
        let mut effective = Effective { limits: *server, lines: [None; 5] };
        for cap in caps {
            let (place, undone) = match cap.kind {
                CapKind::Writes => (&mut effective.limits.writes, undone.writes),
                CapKind::Calls => (&mut effective.limits.calls, undone.calls),
                CapKind::Written => (&mut effective.limits.written, undone.written),
                CapKind::Returned => (&mut effective.limits.returned, 0),
                CapKind::Time => (&mut effective.limits.time_ns, 0),
            };
            let limit = cap.limit.saturating_add(undone);
            if limit <= *place {
                *place = limit;
                effective.lines[cap.kind as usize] = Some(cap.pos.line);
            }
        }
        effective
    }

    /// A budget of these limits.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget {
            instructions_left: self.limits.instructions,
            calls_left: self.limits.calls,
            writes_left: self.limits.writes,
            written_left: self.limits.written,
            memory_max: self.limits.memory,
            returned_max: self.limits.returned,
        }
    }

    /// A limit for a run of this program, and where it comes from.
    #[must_use]
    pub fn limit_in(&self, kind: LimitKind, program: &Loaded) -> (u64, LimitSource) {
        let LimitKind::Loop(index) = kind else { return self.limit(kind) };
        match program.loops.get(usize::from(index)) {
            Some(l) if l.table.default => (l.bound, LimitSource::Default(l.table.line)),
            Some(l) => (l.bound, LimitSource::Loop(l.table.line)),
            None => (0, LimitSource::Server),
        }
    }

    /// A limit, and where it comes from. For [`LimitKind::Loop`], [`Effective::limit_in`] knows better.
    #[must_use]
    pub fn limit(&self, kind: LimitKind) -> (u64, LimitSource) {
        let (limit, cap) = match kind {
            LimitKind::Instructions => (self.limits.instructions, None),
            LimitKind::Memory => (self.limits.memory, None),
            LimitKind::Loop(_) => (0, None),
            LimitKind::Calls => (self.limits.calls, Some(CapKind::Calls)),
            LimitKind::Writes => (self.limits.writes, Some(CapKind::Writes)),
            LimitKind::Written => (self.limits.written, Some(CapKind::Written)),
            LimitKind::Returned => (self.limits.returned, Some(CapKind::Returned)),
            LimitKind::Time => (self.limits.time_ns, Some(CapKind::Time)),
        };
        let line = cap.and_then(|cap| self.lines[cap as usize]);
        (limit, line.map_or(LimitSource::Server, LimitSource::Header))
    }
}
