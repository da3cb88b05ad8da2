//! The bill: an upper bound of what a program can do, computed before it runs.
//!
//! It follows from the verified bytecode and the server's descriptors alone: for each operation the sum over the
//! places that call it of how often that place can be reached (see [`bytecode`](crate::bytecode), "Control flow"),
//! cut by the caps of the header. The same bounds are enforced while it runs, so a wrong one is a bug that cannot
//! hurt. After the run there is a receipt, [`Receipt`](crate::protocol::Receipt).

use std::collections::HashSet;
use std::fmt;

use carnet_idl::descriptor::{Effect, Operation};
use sha2::{Digest, Sha256};

use crate::bytecode::{NONE, Op};
use crate::form::Form;
use crate::limits::{Effective, LimitKind, LimitSource, Limits};
use crate::text::{bytes, grouped, seconds, short_hash};
use crate::verify::{BoundOp, Loaded};

/// SHA-256.
pub type Hash = [u8; 32];

/// The bill of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bill {
    /// Name of the program.
    pub program: String,
    /// SHA-256 of its bytecode.
    pub hash: Hash,
    /// Services that it uses, with versions: `files 1.0`.
    pub services: Vec<String>,
    /// One line for each operation that it calls: reads first, then writes, by place of the first call.
    pub lines: Vec<Line>,
    /// Calls.
    pub calls: Bound,
    /// Calls of writing operations.
    pub writes: Bound,
    /// Bytes written.
    pub written: Bound,
    /// Instructions.
    pub instructions: Bound,
    /// Wall time in ns.
    pub time_ns: Bound,
    /// Source lines of loops whose limit is the language's default.
    pub defaults: Vec<u32>,
    /// Whether every writing operation that it calls is idempotent.
    pub idempotent: bool,
    /// What the services say of operations that it calls.
    pub notes: Vec<String>,
    /// What cannot be known before it runs.
    pub unknown: Vec<String>,
}

/// A bound, and what cut it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// At most so many.
    pub at_most: u64,
    /// What the loops alone allow.
    pub loops: u64,
    /// What cut it to `at_most`, if anything did.
    pub cut_by: Option<LimitSource>,
}

/// One operation of the bill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// `Dir.open`.
    pub name: String,
    /// Reads or writes.
    pub effect: Effect,
    /// Calls at most.
    pub at_most: u64,
    /// Where the bound comes from.
    pub from: Vec<Place>,
}

/// One place that calls an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line of the source.
    pub line: u32,
    /// Calls at most from there.
    pub at_most: u64,
    /// For the call of a loop over pages: how often the loop is reached, and how many entries it takes at most.
    pub pages: Option<(u64, u64)>,
    /// The bound rests on a default limit.
    pub default: bool,
}

/// What names a program: SHA-256 of its bytecode.
#[must_use]
pub fn hash(program: &[u8]) -> Hash {
    Sha256::digest(program).into()
}

/// Computes the bill of a verified program. `bytes` are the program's.
#[must_use]
pub fn bill(bytes: &[u8], program: &Loaded, limits: &Limits) -> Bill {
    let effective = Effective::new(limits, &program.caps);
    let cut = |kind, loops| {
        let (limit, source) = effective.limit(kind);
        Bound { at_most: limit.min(loops), loops, cut_by: (limit < loops).then_some(source) }
    };
    let form = Form::of(bytes);
    let loops_alone = program.totals.writes;
    let writes = cut(LimitKind::Writes, loops_alone);
    Bill {
        program: form.name(),
        hash: hash(bytes),
        services: services(program),
        lines: lines(program, &form, &effective),
        calls: {
            // A cap on writes is a cap on calls, too, if it is known how many calls are no writes.
            let bound = cut(LimitKind::Calls, program.totals.calls);
            let others = program.totals.calls.checked_sub(loops_alone).filter(|_| bound.loops < u64::MAX);
            let at_most = others.map_or(u64::MAX, |others| others + writes.at_most);
            Bound { at_most: bound.at_most.min(at_most), ..bound }
        },
        writes,
        written: by_writes(cut(LimitKind::Written, program.totals.written), &writes, program),
        instructions: cut(LimitKind::Instructions, program.totals.instructions),
        time_ns: Bound {
            at_most: effective.limits.time_ns,
            loops: u64::MAX,
            cut_by: Some(effective.limit(LimitKind::Time).1),
        },
        defaults: program.loops.iter().filter(|l| l.table.default).map(|l| l.table.line).collect(),
        idempotent: called(program).all(|op| op.effect == Effect::Reads || op.idempotent),
        notes: distinct(called(program).map(|op| op.note.as_str())),
        unknown: distinct(program.ops.iter().map(|op| op.module.unknown.as_str())),
    }
}

/// A bound on the bytes written, cut by that on writes: each writes only so much.
fn by_writes(written: Bound, writes: &Bound, program: &Loaded) -> Bound {
    let each = program.ops.iter().map(BoundOp::written_max).max().unwrap_or(0);
    let at_most = writes.at_most.saturating_mul(each);
    if at_most < written.at_most { Bound { at_most, cut_by: writes.cut_by, ..written } } else { written }
}

fn services(program: &Loaded) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let modules = program.ops.iter().map(|op| op.module).chain(program.registers.iter().map(|r| r.0));
    for module in modules {
        let name = format!("{} {}", module.name, module.version).trim_end().to_owned();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The operations that the program's code calls, by place of the first call.
fn called(program: &Loaded) -> impl Iterator<Item = &'static Operation> {
    let mut seen = vec![false; program.ops.len()];
    let calls = program.code.iter().filter(|step| step.op == Op::Call).map(|step| step.b as usize);
    let first = calls.filter(move |op| !std::mem::replace(&mut seen[*op], true));
    first.map(|op| program.ops[op].operation)
}

fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for text in texts.filter(|text| !text.is_empty()) {
        if !seen.iter().any(|old| old == text) {
            seen.push(text.to_owned());
        }
    }
    seen
}

fn lines(program: &Loaded, form: &Form<'_>, effective: &Effective) -> Vec<Line> {
    let loops = Loops::of(program);
    let mut lines: Vec<Line> = Vec::new();
    // The line of each operation: looked for by name once, since a program may have many calls.
    let mut line_of: Vec<Option<usize>> = vec![None; program.ops.len()];
    for (at, step) in program.code.iter().enumerate().filter(|(_, step)| step.op == Op::Call) {
        let line = form.pos(at as u32).line;
        let place = loops.place(program, at, program.repeats(at), line);
        let op = step.b as usize;
        let number = *line_of[op].get_or_insert_with(|| line_for(&mut lines, &program.ops[op]));
        lines[number].at_most = lines[number].at_most.saturating_add(place.at_most);
        lines[number].from.push(place);
    }
    for line in &mut lines {
        let kind = if line.effect == Effect::Writes { LimitKind::Writes } else { LimitKind::Calls };
        line.at_most = line.at_most.min(effective.limit(kind).0).min(effective.limits.calls);
    }
    lines.sort_by_key(|line| line.effect == Effect::Writes);
    lines
}

/// Number of the line of an operation, which is made if it is not there. Two interfaces may share a name.
fn line_for(lines: &mut Vec<Line>, op: &BoundOp) -> usize {
    let name = op.name();
    lines.iter().position(|line| line.name == name).unwrap_or_else(|| {
        lines.push(Line { name, effect: op.operation.effect, at_most: 0, from: Vec::new() });
        lines.len() - 1
    })
}

/// What the loop table says, found once for the whole program.
struct Loops {
    /// Innermost loop of each instruction, or [`NONE`].
    innermost: Vec<u16>,
    /// Whether the bound of each loop rests on a default: its own, or that of a loop around it which decides.
    default: Vec<bool>,
}

impl Loops {
    fn of(program: &Loaded) -> Loops {
        let mut loops = Loops { innermost: vec![NONE; program.code.len()], default: Vec::new() };
        // Loops stand in the order of their heads, so what is around one comes before it.
        for (k, l) in program.loops.iter().enumerate() {
            let (head, end) = (l.table.head as usize, l.table.end as usize);
            let around = loops.default.get(loops.innermost[head] as usize).copied().unwrap_or(false);
            let decides = l.table.limit <= l.reached.saturating_mul(l.table.own.max(1));
            loops.default.push(l.table.default || (!decides && around));
            loops.innermost[head..end].fill(k as u16);
        }
        loops
    }

    fn place(&self, program: &Loaded, at: usize, repeats: u64, line: u32) -> Place {
        let number = self.innermost[at] as usize;
        let Some(l) = program.loops.get(number) else {
            return Place { line, at_most: repeats, pages: None, default: false };
        };
        let runs = if at < l.table.test as usize { l.bound } else { l.bound.saturating_add(l.reached) };
        let inside = program.loops.get(l.table.inner as usize).filter(|_| l.table.inner != NONE);
        Place {
            line,
            at_most: runs.saturating_mul(repeats),
            pages: inside.map(|inside| (l.reached, inside.table.limit)),
            default: inside.map_or(self.default[number], |inside| inside.table.default),
        }
    }
}

impl Bill {
    /// The hash that approves this program with this bill and these arguments, and nothing else.
    #[must_use]
    pub fn approval(&self, arguments: &[u8]) -> Hash {
        let mut hasher = Sha256::new();
        hasher.update(b"carnet approval 1\n");
        hasher.update(self.hash);
        let mut put = |n: u64| hasher.update(n.to_le_bytes());
        for bound in [self.calls, self.writes, self.written, self.instructions, self.time_ns] {
            put(bound.at_most);
        }
        put(self.lines.len() as u64);
        for line in &self.lines {
            hasher.update((line.name.len() as u64).to_le_bytes());
            hasher.update(line.name.as_bytes());
            hasher.update([u8::from(line.effect == Effect::Writes)]);
            hasher.update(line.at_most.to_le_bytes());
        }
        hasher.update((arguments.len() as u64).to_le_bytes());
        hasher.update(arguments);
        hasher.finalize().into()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some((reached, limit)) = self.pages {
            write!(f, ": {} + limit {}", grouped(reached), grouped(limit))?;
        }
        Ok(())
    }
}

impl fmt::Display for Bill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  sha256:{}", self.program, short_hash(&self.hash))?;
        if !self.services.is_empty() {
            write!(f, "  service {}", self.services.join(", "))?;
        }
        writeln!(f, "\n")?;
        let (name, number) = self.widths();
        writeln!(f, "  {:name$}   {:>number$}   from", "operation", "at most")?;
        for line in &self.lines {
            let effect = if line.effect == Effect::Writes { 'W' } else { 'R' };
            let star = if line.from.iter().any(|place| place.default) { "*" } else { " " };
            let from: Vec<String> = line.from.iter().map(ToString::to_string).collect();
            let at_most = grouped(line.at_most);
            writeln!(f, "  {:name$} {effect} {at_most:>number$} {star} {}", line.name, merged(&from))?;
        }
        self.totals(f, (name, number))?;
        self.remarks(f)
    }
}

/// Places on the same line are named once.
fn merged(from: &[String]) -> String {
    let mut known = HashSet::new();
    let seen: Vec<&str> = from.iter().map(String::as_str).filter(|place| known.insert(*place)).collect();
    let mut text = String::new();
    for (k, place) in seen.iter().take(4).enumerate() {
        let place = if k == 0 { place } else { place.trim_start_matches("line ") };
        text.push_str(if k == 0 { "" } else { ", " });
        text.push_str(place);
    }
    if seen.len() > 4 {
        text.push_str(&format!(" and {} more", seen.len() - 4));
    }
    text
}

impl Bill {
    /// Characters of the column of names, and of that of numbers.
    fn widths(&self) -> (usize, usize) {
        let names = self.lines.iter().map(|line| line.name.len());
        let counts = self.lines.iter().map(|line| line.at_most);
        let totals = [bytes(self.written.at_most), seconds(self.time_ns.at_most)];
        let numbers =
            counts.chain([self.calls.at_most, self.instructions.at_most]).map(grouped).chain(totals);
        let lengths = numbers.map(|number| number.len());
        (names.fold("instructions".len() + 1, usize::max), lengths.fold("1,000,000".len(), usize::max))
    }

    fn totals(&self, f: &mut fmt::Formatter<'_>, (name, number): (usize, usize)) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, what: &str, value: String, remark: String| {
            writeln!(f, "{}", format!("  {what:name$}   {value:>number$}   {remark}").trim_end())
        };
        let cut = |bound: &Bound, text: fn(u64) -> String| match bound.cut_by {
            Some(LimitSource::Header(line)) => format!("line {line}; loops alone {}", text(bound.loops)),
            Some(source) => format!("{source}; loops alone {}", text(bound.loops)),
            None => String::new(),
        };
        let of_which = format!("of which writes {}", grouped(self.writes.at_most));
        let calls = match (self.calls.cut_by, self.writes.cut_by) {
            (Some(_), _) => format!("{of_which}; {}", cut(&self.calls, grouped)),
            (None, Some(LimitSource::Header(line))) => format!("{of_which} (line {line})"),
            _ => of_which,
        };
        row(f, "calls", grouped(self.calls.at_most), calls)?;
        if self.written.at_most > 0 {
            row(f, "written", bytes(self.written.at_most), cut(&self.written, bytes))?;
        }
        let instructions = cut(&self.instructions, grouped);
        row(f, "instructions", grouped(self.instructions.at_most), instructions)?;
        let limit = match self.time_ns.cut_by {
            Some(LimitSource::Header(line)) => format!("line {line}, enforced"),
            // Without a policy, as in an offline check.
            _ if self.time_ns.at_most == u64::MAX => "the server's limit, enforced".to_owned(),
            _ => "this server's limit, enforced".to_owned(),
        };
        row(f, "time", seconds(self.time_ns.at_most), limit)?;
        let single = format!("single calls: up to {}", grouped(self.calls.at_most));
        row(f, "round trips", "1".to_owned(), single)?;
        writeln!(f)
    }

    fn remarks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.defaults.is_empty() {
            let lines: Vec<String> = self.defaults.iter().map(ToString::to_string).collect();
            let (noun, has) = if lines.len() == 1 { ("line", "has") } else { ("lines", "have") };
            writeln!(
                f,
                "* default: {noun} {} {has} no limit, so {}; time is the server's limit",
                lines.join(", "),
                grouped(crate::tree::DEFAULT_LIMIT)
            )?;
        }
        let unknown =
            if self.unknown.is_empty() { "what the loops find".into() } else { self.unknown.join(", ") };
        writeln!(f, "Known only when run: {unknown}; actual time.")?;
        match (self.writes.at_most, self.idempotent) {
            (0, _) => write!(f, "Changes nothing.")?,
            (_, true) => write!(f, "Idempotent.")?,
            (_, false) => write!(f, "Not idempotent.")?,
        }
        self.notes.iter().try_for_each(|note| write!(f, " {note}"))?;
        writeln!(f)
    }
}
