//! Policy files: what the operator of a server lets programs do.
//!
//! ```toml
//! [limits]                 # of one run; reaching one stops it
//! calls = 1_000_000
//! writes = 10_000
//! written = "10GiB"
//! instructions = 1_000_000_000
//! returned = "1MiB"
//! memory = "64MiB"
//! time = "30s"
//!
//! [allowance]              # of one principal, for all its runs and single calls together
//! per = "1m"
//! calls = 100_000_000
//! writes = 1_000_000
//! written = "100GiB"
//! instructions = 100_000_000_000
//!
//! [accept]                 # largest bills; a program whose bill is larger is refused before it runs
//! calls = 100_000
//! writes = 1_000
//! written = "1GiB"
//! instructions = 100_000_000
//!
//! [loops]
//! defaults = "refuse"      # or "accept": loops that rest on the language's default limit
//!
//! [writes]
//! confirm = true           # programs that may write need an approval
//!
//! [runs]
//! max = 64                 # at the same time
//! per_principal = 16
//! stored = 1024            # outcomes kept for asking again
//! kept = 64                # runs that stopped and can go on; 0: none
//! kept_for = "10m"         # how long each of them
//!
//! [programs]
//! cached = 1024            # verified programs that clients need not send again
//! cached_bytes = "64MiB"   # with their tables and machine code; 0: none
//! translate = "hot"        # to machine code, what runs much; or "never"
//! installed = "programs"   # folder with programs that clients run as @NAME, beside this file
//! trees = false            # or true: programs may come as trees, which the server compiles
//! only_installed = ["ci"]  # who may run nothing else, and make no single calls; or true: everybody
//!
//! [tcp]                    # of those who connect from afar
//! strangers = 64           # connections whose clients are not known yet
//! strangers_per_address = 16
//! stranger_for = "10s"     # how long a client may be one
//! sessions_per_address = 64
//! idle_for = "10m"         # how long a session may be silent while nothing runs for it
//!
//! [end]
//! ```
//! Everything but the last line can be left out. The policy's name is its file's stem. What is not known is an error, since a typo
//! must not open what the operator meant to close. Nor must a file that was cut: without its last line it is refused, wherever it was cut.
//! A policy that says nothing and a table without keys are errors, too.

use std::path::{Path, PathBuf};
use std::time::Duration;

use carnet_idl::diagnostic::{Diagnostic, Span, did_you_mean, render};
use carnet_portal::door::DoorLimits;
use carnet_program::host::{Accepts, Confirm, Defaults, OnlyInstalled, Policy, Trees};
use carnet_program::limits::{Allowance, Amounts, Limits};
use carnet_program::source::args::integer;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde_json::{Value as Json, json};

use crate::exit::{Exit, Problem};
use crate::source::{read_text, shown};

/// Threads that run programs at the same time, at most.
const RUNS_MAX: u64 = 4096;
const SECOND_NS: u64 = 1_000_000_000;
/// Programs that a policy can ask to keep verified: what has to go for another is looked for among all of them.
const CACHED_MAX: u64 = 1 << 14;
/// Outcomes that a policy can ask to keep.
const STORED_MAX: u64 = 1 << 20;
/// Connections that a policy can let in at the same time.
const CONNECTIONS_MAX: u64 = 1 << 14;

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    end: Option<EndKeys>,
    limits: LimitKeys,
    allowance: AllowanceKeys,
    accept: AcceptKeys,
    loops: LoopKeys,
    writes: WriteKeys,
    runs: RunKeys,
    programs: ProgramKeys,
    tcp: TcpKeys,
}

/// None: it only says that the file is whole.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct EndKeys {}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LimitKeys {
    calls: Option<Needed>,
    writes: Option<Count>,
    written: Option<Size>,
    instructions: Option<Needed>,
    returned: Option<Size>,
    memory: Option<Size>,
    time: Option<Time>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AllowanceKeys {
    per: Option<Period>,
    calls: Option<Needed>,
    writes: Option<Count>,
    written: Option<Size>,
    instructions: Option<Needed>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AcceptKeys {
    calls: Option<Needed>,
    writes: Option<Count>,
    written: Option<Size>,
    instructions: Option<Needed>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LoopKeys {
    defaults: LoopDefaults,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LoopDefaults {
    #[default]
    Accept,
    Refuse,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WriteKeys {
    confirm: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RunKeys {
    max: Option<Runs<RUNS_MAX>>,
    per_principal: Option<Runs<RUNS_MAX>>,
    stored: Option<Runs<STORED_MAX>>,
    kept: Option<Count>,
    kept_for: Option<Time>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ProgramKeys {
    cached: Option<Runs<CACHED_MAX>>,
    cached_bytes: Option<Size>,
    translate: Translate,
    installed: Option<String>,
    trees: bool,
    only_installed: Bound,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TcpKeys {
    strangers: Option<Runs<CONNECTIONS_MAX>>,
    strangers_per_address: Option<Runs<CONNECTIONS_MAX>>,
    stranger_for: Option<Time>,
    sessions_per_address: Option<Runs<CONNECTIONS_MAX>>,
    idle_for: Option<Time>,
}

/// `true`, `false`, or names.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "true, false or a list of names")]
enum Bound {
    All(bool),
    These(Vec<String>),
}

impl Default for Bound {
    fn default() -> Bound {
        Bound::All(false)
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Translate {
    #[default]
    Hot,
    Never,
}

/// A number, also with a unit of none.
#[derive(Clone, Copy, Debug)]
struct Count(u64);

/// A number of what every program needs some of: with none, nothing could be done at all.
#[derive(Clone, Copy, Debug)]
struct Needed(u64);

/// Bytes: a number, or a text such as `10GiB`.
#[derive(Clone, Copy, Debug)]
struct Size(u64);

/// A text such as `30s`, in ns.
#[derive(Clone, Copy, Debug)]
struct Time(u64);

/// A text such as `1m`, in whole seconds.
#[derive(Clone, Copy, Debug)]
struct Period(u64);

/// A number from 1 to `MAX`.
#[derive(Clone, Copy, Debug)]
struct Runs<const MAX: u64>(usize);

#[derive(Deserialize)]
#[serde(untagged, expecting = "a number or a text such as \"10GiB\" or \"30s\"")]
enum NumberOrText {
    Number(i64),
    Text(String),
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Count, D::Error> {
        let n = i64::deserialize(from)?;
        u64::try_from(n).map(Count).map_err(|_| D::Error::custom(format!("{n} is less than 0")))
    }
}

impl<'de> Deserialize<'de> for Needed {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Needed, D::Error> {
        match Count::deserialize(from)? {
            Count(0) => Err(D::Error::custom(
                "with 0 of them no program could do anything; leave the key out for the default",
            )),
            Count(n) => Ok(Needed(n)),
        }
    }
}

impl<'de> Deserialize<'de> for Period {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Period, D::Error> {
        let Time(ns) = Time::deserialize(from)?;
        if ns.is_multiple_of(SECOND_NS) {
            return Ok(Period(ns / SECOND_NS));
        }
        Err(D::Error::custom("a period has whole seconds; expected for example \"1m\" or \"1h\""))
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Size, D::Error> {
        match NumberOrText::deserialize(from)? {
            NumberOrText::Number(n) => {
                u64::try_from(n).map(Size).map_err(|_| D::Error::custom(format!("{n} is less than 0")))
            }
            NumberOrText::Text(text) => size(&text).map(Size).map_err(|why| {
                D::Error::custom(format!("`{text}` is no size{why}; expected for example \"10GiB\""))
            }),
        }
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Time, D::Error> {
        match NumberOrText::deserialize(from)? {
            NumberOrText::Number(n) => {
                Err(D::Error::custom(format!("{n} has no unit; expected for example \"{n}s\"")))
            }
            NumberOrText::Text(text) => match time(&text) {
                Ok(0) => Err(D::Error::custom(format!(
                    "with `{text}` no run could do anything; expected for example \"30s\" or \"500ms\""
                ))),
                Ok(ns) => Ok(Time(ns)),
                Err(why) => Err(D::Error::custom(format!(
                    "`{text}` is no time{why}; expected for example \"30s\" or \"500ms\""
                ))),
            },
        }
    }
}

impl<'de, const MAX: u64> Deserialize<'de> for Runs<MAX> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Runs<MAX>, D::Error> {
        let n = i64::deserialize(from)?;
        let fits = u64::try_from(n).ok().filter(|n| (1..=MAX).contains(n));
        fits.and_then(|n| usize::try_from(n).ok())
            .map(Runs)
            .ok_or_else(|| D::Error::custom(format!("{n} is not between 1 and {MAX}")))
    }
}

/// `10GiB`, `500MiB`, `4096` as bytes.
///
/// # Errors
/// What to say behind "is no size".
pub fn size(text: &str) -> Result<u64, &'static str> {
    quantity(text, &["", "KiB", "MiB", "GiB"])
}

/// `1_000`: a number without unit.
///
/// # Errors
/// What to say behind "is no number".
pub fn count(text: &str) -> Result<u64, &'static str> {
    quantity(text, &[""])
}

/// `30s`, `500ms`, `5m` in ns.
///
/// # Errors
/// What to say behind "is no time".
pub fn time(text: &str) -> Result<u64, &'static str> {
    quantity(text, &["ms", "s", "m", "h", "d"])
}

fn quantity(text: &str, units: &[&str]) -> Result<u64, &'static str> {
    let read = |text: &str| {
        let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_');
        let n = integer(text).ok().filter(|_| units.contains(&unit))?;
        u64::try_from(n).ok()
    };
    let is_read_without_zeros = || read(text.trim_start_matches(['0', '_'])).is_some();
    read(text)
        .ok_or_else(|| if is_read_without_zeros() { ", since no 0 stands before other digits" } else { "" })
}

/// What a policy file says.
#[derive(Debug, Default)]
pub struct Rules {
    /// What programs may do.
    pub policy: Policy,
    /// The folder with programs to be installed.
    pub installed: Option<PathBuf>,
    /// What those may take who connect from afar.
    pub door: DoorLimits,
}

/// Reads a policy file.
///
/// # Errors
/// If it cannot be read, or something in it is not known.
pub fn read(path: &Path) -> Result<Rules, Problem> {
    let text = read_text(path, "policy file")?;
    let name = path.file_stem().map_or_else(|| "policy".to_owned(), |stem| shown(Path::new(stem)));
    let rules = parse(&shown(path), &name, &text)?;
    let beside = path.parent().unwrap_or(Path::new("."));
    Ok(Rules { installed: rules.installed.map(|folder| beside.join(folder)), ..rules })
}

/// What the policy `text` says.
///
/// # Errors
/// If something in it is not known, with its line.
pub fn parse(path: &str, name: &str, text: &str) -> Result<Rules, Problem> {
    let wrong = |faults: &[Diagnostic]| Problem {
        exit: Exit::Usage,
        name: "policy",
        text: render(path, text, faults),
    };
    let file: File = toml::from_str(text).map_err(|error| wrong(&[diagnostic(text, &error)]))?;
    let faults = cut(text);
    if !faults.is_empty() {
        return Err(wrong(&faults));
    }
    let (policy, door) = (policy(name, &file), door(&file.tcp));
    Ok(Rules { policy, installed: file.programs.installed.map(PathBuf::from), door })
}

fn door(keys: &TcpKeys) -> DoorLimits {
    let start = DoorLimits::default();
    let number = |key: &Option<Runs<CONNECTIONS_MAX>>, or: usize| key.map_or(or, |Runs(n)| n);
    let time = |key: Option<Time>, or: Duration| key.map_or(or, |Time(ns)| Duration::from_nanos(ns));
    let time_max = time(keys.stranger_for, start.time_max);
    DoorLimits {
        strangers_max: number(&keys.strangers, start.strangers_max),
        strangers_per_address_max: number(&keys.strangers_per_address, start.strangers_per_address_max),
        time_max,
        time_min: start.time_min.min(time_max),
        sessions_per_address_max: number(&keys.sessions_per_address, start.sessions_per_address_max),
        idle_timeout: time(keys.idle_for, start.idle_timeout),
        ..start
    }
}

/// The line that ends every policy.
const END: &str = "[end]";

/// What shows that a file was cut, though what is left of it can be read.
fn cut(text: &str) -> Vec<Diagnostic> {
    let at_end = Span::new(text.trim_end().len(), text.len());
    let fault = |span, message: &str| Diagnostic::error("policy", span, message.to_owned());
    let tables = toml::from_str::<toml::Table>(text).unwrap_or_default();
    if tables.keys().all(|name| name == "end") {
        return vec![fault(at_end, "it says nothing").help("without `--policy` all has its default")];
    }
    let mut faults = Vec::new();
    let is_empty = |value: &toml::Value| value.as_table().is_some_and(toml::Table::is_empty);
    for (name, _) in tables.iter().filter(|(name, value)| is_empty(value) && *name != "end") {
        let header = format!("[{name}]");
        let at = text.lines().position(|line| line.trim_start().starts_with(&header)).unwrap_or(0);
        let start = text.split_inclusive('\n').take(at).map(str::len).sum();
        let fault = fault(Span::new(start, start + header.len()), &format!("`{header}` has no keys"));
        faults.push(fault.help("if it was cut, mend it; else leave the line out"));
    }
    let said = |line: &str| line.split('#').next().unwrap_or_default().replace([' ', '\t', '\r'], "");
    let last = text.lines().map(said).rfind(|line| !line.is_empty());
    if !text.ends_with('\n') {
        let fault = fault(at_end, "the last line does not end with a newline");
        faults.push(fault.help("if it was cut, mend it; else end the line"));
    } else if last.as_deref() != Some(END) {
        let fault =
            fault(at_end, "the last line is not `[end]`, by which it is known that nothing was cut off");
        faults.push(fault.help("if something is missing, mend it; else add that line"));
    }
    faults
}

fn diagnostic(text: &str, error: &toml::de::Error) -> Diagnostic {
    let span = error.span().map_or_else(Span::default, |span| Span::new(span.start, span.end));
    let message = error.message();
    let Some((found, expected)) = unknown(message) else {
        return Diagnostic::error("policy", span, message.replace('\n', "; "));
    };
    let what = if message.starts_with("unknown variant") {
        format!("`{found}` is no value of this key")
    } else {
        format!("there is no key `{found}` here")
    };
    let names: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let fault = Diagnostic::error("policy", shrink(text, span, found), what)
        .label(format!("found `{found}`, expected one of {}", names.join(", ")));
    match did_you_mean(found, names.iter().copied()) {
        Some(meant) => fault.help(format!("did you mean `{meant}`?")),
        None => fault,
    }
}

/// Name and alternatives of "unknown field `x`, expected one of `a`, `b`".
fn unknown(message: &str) -> Option<(&str, &str)> {
    let rest =
        message.strip_prefix("unknown field `").or_else(|| message.strip_prefix("unknown variant `"))?;
    rest.split_once("`, expected ")
}

/// The name itself, if the span holds more than it.
fn shrink(text: &str, span: Span, found: &str) -> Span {
    let within = text.get(span.start..span.end).and_then(|part| part.find(found));
    within.map_or(span, |at| Span::new(span.start + at, span.start + at + found.len()))
}

fn policy(name: &str, file: &File) -> Policy {
    let start = Policy::default();
    let count = |key: Option<Count>, or: u64| key.map_or(or, |Count(n)| n);
    let size = |key: Option<Size>, or: u64| key.map_or(or, |Size(n)| n);
    let needed = |key: Option<Needed>, or: u64| key.map_or(or, |Needed(n)| n);
    let (limits, l) = (start.limits, &file.limits);
    let (amounts, a) = (start.allowance.amounts, &file.allowance);
    let cached = file.programs.cached.map(|Runs(n)| n);
    Policy {
        name: name.to_owned(),
        limits: Limits {
            instructions: needed(l.instructions, limits.instructions),
            calls: needed(l.calls, limits.calls),
            writes: count(l.writes, limits.writes),
            written: size(l.written, limits.written),
            returned: size(l.returned, limits.returned),
            memory: size(l.memory, limits.memory),
            time_ns: l.time.map_or(limits.time_ns, |Time(ns)| ns),
        },
        allowance: Allowance {
            period_s: a.per.map_or(start.allowance.period_s, |Period(s)| s),
            amounts: Amounts {
                calls: needed(a.calls, amounts.calls),
                writes: count(a.writes, amounts.writes),
                written: size(a.written, amounts.written),
                instructions: needed(a.instructions, amounts.instructions),
            },
        },
        accepts: Accepts {
            calls: file.accept.calls.map(|Needed(n)| n),
            writes: file.accept.writes.map(|Count(n)| n),
            written: file.accept.written.map(|Size(n)| n),
            instructions: file.accept.instructions.map(|Needed(n)| n),
        },
        defaults: match file.loops.defaults {
            LoopDefaults::Accept => Defaults::Accepted,
            LoopDefaults::Refuse => Defaults::Refused,
        },
        confirm: if file.writes.confirm { Confirm::Writes } else { Confirm::Nothing },
        trees: if file.programs.trees { Trees::Taken } else { Trees::Refused },
        only_installed: match &file.programs.only_installed {
            Bound::All(false) => OnlyInstalled::Nobody,
            Bound::All(true) => OnlyInstalled::Everybody,
            Bound::These(names) => OnlyInstalled::These(names.clone()),
        },
        runs_max: file.runs.max.map_or(start.runs_max, |Runs(n)| n),
        runs_per_principal_max: file.runs.per_principal.map_or(start.runs_per_principal_max, |Runs(n)| n),
        stored_max: file.runs.stored.map_or(start.stored_max, |Runs(n)| n),
        kept_max: file.runs.kept.map_or(start.kept_max, |Count(n)| usize::try_from(n).unwrap_or(usize::MAX)),
        kept_for: file.runs.kept_for.map_or(start.kept_for, |Time(ns)| Duration::from_nanos(ns)),
        cached_max: cached.unwrap_or(start.cached_max),
        cached_per_principal_max: cached.map_or(start.cached_per_principal_max, |n| n.div_ceil(4)),
        cached_bytes_max: file
            .programs
            .cached_bytes
            .map_or(start.cached_bytes_max, |Size(n)| usize::try_from(n).unwrap_or(usize::MAX)),
        translated_after: match file.programs.translate {
            Translate::Hot => start.translated_after,
            Translate::Never => u64::MAX,
        },
        ..start
    }
}

/// The policy as clients are told of it.
#[must_use]
pub fn to_json(policy: &Policy) -> Json {
    let (l, a) = (&policy.limits, &policy.accepts);
    let Allowance { period_s, amounts } = &policy.allowance;
    json!({
        "name": policy.name,
        "limits": {
            "calls": l.calls, "writes": l.writes, "written": l.written, "instructions": l.instructions,
            "returned": l.returned, "memory": l.memory, "time_ns": l.time_ns,
        },
        "allowance": {
            "period_s": period_s, "calls": amounts.calls, "writes": amounts.writes, "written": amounts.written,
            "instructions": amounts.instructions,
        },
        "accept": { "calls": a.calls, "writes": a.writes, "written": a.written, "instructions": a.instructions },
        "loops": { "defaults": if policy.defaults == Defaults::Refused { "refuse" } else { "accept" } },
        "writes": { "confirm": policy.confirm == Confirm::Writes },
        "runs": {
            "max": policy.runs_max, "per_principal": policy.runs_per_principal_max, "stored": policy.stored_max,
            "kept": policy.kept_max, "kept_for_s": policy.kept_for.as_secs(),
        },
        "programs": {
            "cached": policy.cached_max, "cached_bytes": policy.cached_bytes_max,
            "translate": if policy.translated_after == u64::MAX { "never" } else { "hot" },
            "trees": policy.trees == Trees::Taken,
            "only_installed": match &policy.only_installed {
                OnlyInstalled::Nobody => json!(false),
                OnlyInstalled::Everybody => json!(true),
                OnlyInstalled::These(names) => json!(names),
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRICT: &str = "[limits]\ntime = \"10s\"\nwritten = \"1GiB\"\n\n[accept]\nwrites = 10_000\n\n\
                          [loops]\ndefaults = \"refuse\"\n\n[writes]\nconfirm = true\n\n[end]\n";

    fn refused(text: &str) -> String {
        match parse("p.toml", "p", text) {
            Ok(_) => panic!("it is taken:\n{text}"),
            Err(problem) => problem.text,
        }
    }

    #[test]
    fn a_policy_that_was_cut_anywhere_is_refused() {
        assert!(parse("p.toml", "p", STRICT).is_ok());
        for len in 0..STRICT.len() {
            refused(&STRICT[..len]);
        }
        let within = refused(&STRICT[..STRICT.find("[writes]").unwrap_or_default()]);
        assert!(within.contains("the last line is not `[end]`"), "{within}");
        assert!(within.contains("else add that line"), "{within}");
        refused(&STRICT.replace("[end]\n", "# [end]\n"));
        refused(&STRICT.replace("[end]\n", "[end]\n[programs]\ntrees = true\n"));
        refused(&STRICT.replace("[end]\n", "[end]\nmore = 1\n"));
        assert!(parse("p.toml", "p", &format!("{STRICT}# until here\n")).is_ok());
    }

    #[test]
    fn a_policy_that_says_nothing_is_refused() {
        for (text, why) in [
            ("", "it says nothing"),
            ("# nothing\n", "it says nothing"),
            ("[end]\n", "it says nothing"),
            ("[writes]\n[end]\n", "`[writes]` has no keys"),
            ("[limits]\ncalls = 1\n[writes]\n# confirm = true\n[end]\n", "`[writes]` has no keys"),
            ("[writes]\nconfirm = true", "the last line does not end with a newline"),
            ("[limits]\ncalls = 1", "the last line does not end with a newline"),
        ] {
            assert!(refused(text).contains(why), "{}", refused(text));
        }
    }
}
