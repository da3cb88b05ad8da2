//! Outcomes for people and as JSON.
//!
//! The texts are part of the product; the tests have them as golden files. Places are those of the client's own
//! source, portals have the names that the program gave them. What comes from the server is made harmless.

use carnet_idl::descriptor::{Effect, Operation};
use carnet_idl::diagnostic::{Diagnostic, Span, render};
use carnet_program::limits::{Amounts, LimitKind, LimitSource, Standing};
use carnet_program::protocol::{CallCount, End, InDoubt, Outcome, Refusal, StoppedCall};
use carnet_program::text::{grouped, seconds, span};
use carnet_program::tree::{CapKind, Pos};
use carnet_program::verify::Fault;
use serde_json::{Value as Json, json};

mod refusals;

pub use refusals::{approve, not_confirmed, refusal_name, refused};

use crate::args::Typed;
use crate::exit::{Exit, Reply};
use crate::identity::RunName;
use crate::source::Source;
use crate::value::{self, Value, harmless, told};

/// What is known of a run beside its outcome.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The program, if it is at hand.
    pub source: Option<&'a Source>,
    /// The run's name.
    pub name: &'a RunName,
    /// What the user typed, to say what to type next.
    pub typed: &'a Typed,
    /// It began at an earlier request; whether it was running when this one came.
    pub again: Option<bool>,
    /// The program's name, if the server said it.
    pub program: Option<&'a str>,
}

impl<'a> Run<'a> {
    /// One that this command began.
    #[must_use]
    pub fn new(source: Option<&'a Source>, name: &'a RunName, typed: &'a Typed) -> Run<'a> {
        Run { source, name, typed, again: None, program: None }
    }
}

/// The reply for a run that has ended.
#[must_use]
pub fn outcome(run: &Run<'_>, outcome: &Outcome) -> Reply {
    let result = result(run, outcome);
    let exit = match &result {
        Err(_) => Exit::Failed,
        Ok(_) => exit(&outcome.end),
    };
    let (out, mut err) = texts(run, outcome, &result);
    if let Some(was_running) = run.again {
        let how = if was_running { "was running already" } else { "ended before" };
        err.push_str(&format!(
            "note: the run `{}` {how}: this is its outcome, and nothing was begun\n",
            run.name
        ));
    }
    let json = to_json(run, outcome, exit, &result);
    Reply { exit, out, err, json }
}

/// How the command ends when a run ended so.
#[must_use]
pub fn exit(end: &End) -> Exit {
    match end {
        End::Done => Exit::Done,
        End::Failed(_) | End::CallFailed { .. } | End::Fault(_) | End::Revoked => Exit::Failed,
        End::Limit { .. } | End::Cancelled | End::CannotKnow | End::ServerEnded { in_doubt: false } => {
            Exit::Stopped
        }
        End::ServerEnded { in_doubt: true } | End::CallInDoubt { .. } => Exit::Unknown,
        End::Rejected(_) => Exit::Rejected,
        End::Refused(_) => Exit::Refused,
    }
}

type ResultSoFar = Result<Option<Value>, value::Misfit>;

/// The result, or what there is of it.
fn result(run: &Run<'_>, outcome: &Outcome) -> ResultSoFar {
    match (run.source, &outcome.result) {
        (Some(source), Some(bytes)) => value::decode(&source.tree, bytes),
        _ => Ok(None),
    }
}

/// Standard output and standard error.
fn texts(run: &Run<'_>, outcome: &Outcome, result: &ResultSoFar) -> (String, String) {
    let Ok(result) = result else {
        return (
            String::new(),
            format!("failed: {}\n  {}\n{}", value::Misfit, took_effect(run, outcome), receipt(outcome)),
        );
    };
    match &outcome.end {
        End::Done if outcome.dry => (would(run, outcome), String::new()),
        End::Done => {
            let lines = result.as_ref().map_or_else(|| no_result(run, outcome), Value::lines);
            (lines + &receipt(outcome), String::new())
        }
        End::Rejected(faults) => (String::new(), rejected(run.source, faults)),
        End::Refused(refusal) => (String::new(), refused(run, refusal) + &stays(run, outcome)),
        _ => (String::new(), stopped(run, outcome, result.as_ref())),
    }
}

/// There is none, or the program that says what it means is not at hand.
fn no_result(run: &Run<'_>, outcome: &Outcome) -> String {
    if run.source.is_none() && outcome.result.is_some() {
        return format!(
            "done  (the same `carnet run … --id {}` shows its result, and runs nothing)\n",
            run.name
        );
    }
    "done\n".to_owned()
}

/// `receipt: 1,311 calls (861 writes; 3 failed), 1 round trip, 0.09 s`
fn receipt(outcome: &Outcome) -> String {
    format!("receipt: {}, 1 round trip, {}\n", calls_made(outcome), seconds(outcome.receipt.time_ns))
}

/// `1,311 calls (861 writes; 3 failed)`
pub(crate) fn calls_made(outcome: &Outcome) -> String {
    let r = &outcome.receipt;
    let calls = if r.calls == 1 { "call" } else { "calls" };
    let writes = if r.writes == 1 { "write" } else { "writes" };
    let (count, written) = (grouped(r.calls), grouped(r.writes));
    let failed = match failed_calls(outcome) {
        0 => String::new(),
        failed => format!("; {} failed", grouped(failed)),
    };
    format!("{count} {calls} ({written} {writes}{failed})")
}

fn failed_calls(outcome: &Outcome) -> u64 {
    outcome.calls.iter().map(|call| call.failed).fold(0, u64::saturating_add)
}

/// `would remove 3 files; nothing was changed`
fn would(run: &Run<'_>, outcome: &Outcome) -> String {
    let writes = outcome.calls.iter().filter(|c| c.effect == Effect::Writes && c.took_effect() > 0);
    let parts: Vec<String> = writes.map(|c| does(run.source, c)).collect();
    match parts.split_last() {
        None => "would change nothing\n".to_owned(),
        Some((only, [])) => format!("would {only}; nothing was changed\n"),
        Some((last, rest)) => format!("would {} and {last}; nothing was changed\n", rest.join(", ")),
    }
}

/// `remove 3 files`, as the interface says it.
fn does(source: Option<&Source>, call: &CallCount) -> String {
    let count = call.took_effect();
    let many_times = grouped(count);
    match source.and_then(|source| operation(source, call)).and_then(|op| op.does.as_ref()) {
        Some([verb, one, _]) if count == 1 => format!("{verb} 1 {one}"),
        Some([verb, _, many]) => format!("{verb} {many_times} {many}"),
        None if count == 1 => format!("call {} once", told(call.name())),
        None => format!("call {} {many_times} times", told(call.name())),
    }
}

/// The operation that was called, of those that the program calls.
fn operation<'a>(source: &'a Source, call: &CallCount) -> Option<&'a Operation> {
    let tree = &source.tree;
    let used = tree.ops.iter().find(|op| {
        op.name == call.operation && tree.interfaces[op.interface.index()].name == call.interface
    })?;
    let interface = &tree.interfaces[used.interface.index()];
    let module = source.modules.iter().find(|module| module.name == interface.module)?;
    let id = module.interface(&interface.name)?;
    module.interfaces[id.index()].operation(&used.name).map(|(_, operation)| operation)
}

/// `stopped: limit reached: 200 of 200 writes (header, line 6)`
#[must_use]
pub fn stop(end: &End) -> String {
    match end {
        End::Done => "done".to_owned(),
        End::Failed(message) => format!("failed: {}", told(message)),
        End::CallFailed { message, .. } => format!("failed: {}", told(message)),
        End::CallInDoubt { message } => format!("stopped: in doubt: {}", told(message)),
        End::Fault(kind) => format!("failed: {kind}"),
        End::Revoked => "failed: a portal was revoked".to_owned(),
        End::Limit { kind, limit, used, source } => {
            format!("stopped: {}", kind.reached(*limit, *used, *source))
        }
        End::Cancelled => "stopped: cancelled".to_owned(),
        End::CannotKnow => {
            "stopped: the dry run cannot know further: it would have to read what it did not write".to_owned()
        }
        End::ServerEnded { in_doubt: false } => "stopped: the server's process ended".to_owned(),
        End::ServerEnded { in_doubt: true } => {
            "stopped: the server's process ended, with one call in doubt".to_owned()
        }
        End::Rejected(_) | End::Refused(_) => "not run".to_owned(),
    }
}

/// A run that ended before its end.
fn stopped(run: &Run<'_>, outcome: &Outcome, result: Option<&Value>) -> String {
    if matches!(outcome.end, End::Done | End::Rejected(_) | End::Refused(_)) {
        return String::new();
    }
    let head = stop(&outcome.end);
    let place = place(run.source, outcome.pos);
    match &outcome.end {
        End::CallFailed { message, .. } => {
            let call = outcome.call.as_ref().map_or_else(String::new, |call| blamed(call, message));
            format!("{head}\n  at {place}{call}{}{}", behind(run, outcome), goes_on(run, outcome))
        }
        End::Failed(_) | End::Fault(_) => format!("{head}\n  at {place}{}", behind(run, outcome)),
        End::CannotKnow => {
            format!("{head}\n  at {place}{}\n  {}\n", before(run, outcome), took_effect(run, outcome))
        }
        End::ServerEnded { .. } | End::CallInDoubt { .. } => in_doubt(run, outcome, &head, &place),
        _ => {
            let so_far = result.and_then(Value::entries).map_or_else(String::new, so_far);
            let goes_on = goes_on(run, outcome);
            format!(
                "{head}\n  at {place}{}\n  {}\n{so_far}{goes_on}",
                before(run, outcome),
                took_effect(run, outcome)
            )
        }
    }
}

/// A process ended, or did not answer: the last call that writes is known, and nothing that was read since.
fn in_doubt(run: &Run<'_>, outcome: &Outcome, head: &str, place: &str) -> String {
    let names = run.source.map_or(&[][..], |source| &source.registers);
    let place = match &outcome.call {
        Some(call) => format!(
            "  at {place}, in {}, which had begun: look whether it took effect\n",
            call_text(call, names)
        ),
        None if outcome.pos.line > 0 => format!("  behind the call at {place}\n"),
        None => String::new(),
    };
    let besides = match (&outcome.call, &outcome.end) {
        (Some(_), _) => "Besides, ",
        // It ran beside its object, in a process that is gone.
        (None, End::CallInDoubt { .. }) => "Up to what was heard of last, ",
        (None, _) => "",
    };
    let goes_on = match outcome.kept {
        Some(_) => format!(".\n{}", goes_on(run, outcome)),
        None => match &outcome.cannot_go_on {
            Some(why) => format!("; it cannot go on: {}.\n", told(why)),
            None => "; it cannot go on.\n".to_owned(),
        },
    };
    format!("{head}\n{place}  {besides}{}. Nothing was undone{goes_on}", effects(outcome))
}

/// `  continue within 10 min: carnet resume r-7k2m --more '200 writes'`
fn goes_on(run: &Run<'_>, outcome: &Outcome) -> String {
    let Some(kept) = outcome.kept else {
        let why = outcome.cannot_go_on.as_ref();
        return why.map_or_else(String::new, |why| format!("  cannot go on: {}\n", told(why)));
    };
    let more: String = match &outcome.end {
        End::Limit { kind, limit, source: LimitSource::Header(_), .. } => more(*kind, *limit),
        _ => kept.short_of.iter().flatten().map(|(kind, limit)| more(*kind, *limit)).collect(),
    };
    let (time, resume) = (span(kept.for_s), run.typed.resume(run.name));
    match kept.in_doubt {
        InDoubt::Leave => format!("  continue within {time}: {resume}{more}\n"),
        InDoubt::Repeat => {
            format!(
                "  if it did not take effect, continue within {time}, which makes it again: {resume} --repeat{more}\n"
            )
        }
    }
}

/// `  it is kept; if that changes, continue within 10 min: carnet resume r-7k2m`: what there is to add to a refusal to let a run go on.
fn stays(run: &Run<'_>, outcome: &Outcome) -> String {
    let (End::Refused(Refusal::CannotGoOn(_)), Some(kept)) = (&outcome.end, outcome.kept) else {
        return String::new();
    };
    // As `carnet runs` says it.
    let (time, resume) = (span(kept.for_s.div_ceil(60) * 60), run.typed.resume(run.name));
    let more: String = kept.short_of.iter().flatten().map(|(kind, limit)| more(*kind, *limit)).collect();
    match kept.in_doubt {
        InDoubt::Leave => format!("  it is kept; if that changes, continue within {time}: {resume}{more}\n"),
        InDoubt::Repeat => format!(
            "  it is kept; if that changes and the call in doubt did not take effect, continue within {time}, which makes it again: \
             {resume} --repeat{more}\n"
        ),
    }
}

/// As much again of a limit of the program's header, as it can be typed.
fn more(kind: LimitKind, limit: u64) -> String {
    let in_units = |units: &[(u64, &str)]| {
        let whole = units.iter().find(|(unit, _)| limit >= *unit && limit.is_multiple_of(*unit));
        whole.map_or_else(|| limit.to_string(), |(unit, name)| format!("{}{name}", limit / unit))
    };
    let amount = match kind {
        LimitKind::Written => in_units(&[(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]),
        LimitKind::Time => {
            const S: u64 = 1_000_000_000;
            in_units(&[(3600 * S, "h"), (60 * S, "m"), (S, "s"), (1_000_000, "ms")])
        }
        _ => limit.to_string(),
    };
    let word = match kind {
        LimitKind::Written => "written",
        LimitKind::Time => "time",
        kind => kind.noun(),
    };
    format!(" --more '{amount} {word}'")
}

fn so_far(entries: usize) -> String {
    let noun = if entries == 1 { "entry" } else { "entries" };
    format!("  result so far: {} {noun} (--json)\n", grouped(entries as u64))
}

fn place(source: Option<&Source>, pos: Pos) -> String {
    let file = source.map_or("program", |source| source.shown.as_str());
    if pos.line == 0 { file.to_owned() } else { format!("{file}:{}:{}", pos.line, column(source, pos)) }
}

/// Columns of the bytecode count bytes; people count characters.
fn column(source: Option<&Source>, pos: Pos) -> u32 {
    let line = source.and_then(|source| source.text.lines().nth(pos.line.saturating_sub(1) as usize));
    let Some(line) = line else { return pos.col };
    let before = line.floor_char_boundary(pos.col.saturating_sub(1) as usize);
    u32::try_from(line[..before].chars().count()).unwrap_or(u32::MAX).saturating_add(1)
}

/// `, before root.remove("./a/x.tmp"), which was NOT made`, or `, in sys.read(3, 1), which was interrupted before it was done`
fn before(run: &Run<'_>, outcome: &Outcome) -> String {
    let names = run.source.map_or(&[][..], |source| &source.registers);
    match &outcome.call {
        None => String::new(),
        Some(call) if call.interrupted => {
            format!(", in {}, which was interrupted before it was done", call_text(call, names))
        }
        Some(call) => format!(", before {}, which was NOT made", call_text(call, names)),
    }
}

/// `root.remove("./a/x.tmp")`, with the program's names for its portals.
#[must_use]
pub fn call_text(call: &StoppedCall, registers: &[String]) -> String {
    let (interface, operation) = call.operation.split_once('.').unwrap_or(("", &call.operation));
    let name = registers.get(usize::from(call.register)).filter(|name| !name.is_empty());
    let target = name.map_or(interface, String::as_str);
    let arguments: Vec<&str> = call.arguments.iter().map(|(_, value)| value.as_str()).collect();
    let arguments = told(arguments.join(", "));
    format!("{}.{}({arguments})", told(target), told(operation))
}

/// `, Dir.remove, argument `path``: the argument that the message is about, if it repeats one.
fn blamed(call: &StoppedCall, message: &str) -> String {
    let mut repeated =
        call.arguments.iter().filter(|(_, shown)| shown.starts_with('"') && message.contains(shown.as_str()));
    let argument = match (repeated.next(), repeated.next()) {
        (Some((name, _)), None) => format!(", argument `{}`", told(name)),
        _ => String::new(),
    };
    format!(", {}{argument}", told(&call.operation))
}

/// What took effect, behind the place of what failed: on a line of its own where nothing did in truth.
fn behind(run: &Run<'_>, outcome: &Outcome) -> String {
    if outcome.dry {
        return format!("\n  {}\n", took_effect(run, outcome));
    }
    format!("; {}\n", effects(outcome))
}

/// `took effect: Dir.list 37, Dir.remove 200`
fn effects(outcome: &Outcome) -> String {
    let done = outcome.calls.iter().filter(|call| call.took_effect() > 0);
    let list: Vec<String> =
        done.map(|call| format!("{} {}", call.name(), grouped(call.took_effect()))).collect();
    if list.is_empty() {
        "nothing took effect".to_owned()
    } else {
        format!("took effect: {}", told(list.join(", ")))
    }
}

fn took_effect(run: &Run<'_>, outcome: &Outcome) -> String {
    if outcome.dry {
        return format!("up to there it {}", would(run, outcome).trim_end());
    }
    let handles = match outcome.kept.map(|kept| kept.portals) {
        None => "all handles closed".to_owned(),
        Some(1) => "1 handle is kept".to_owned(),
        Some(n) => format!("{n} handles are kept"),
    };
    format!("{}. Nothing was undone; {handles}.", effects(outcome))
}

/// Faults that are shown of those that a server finds.
const FAULTS_MAX: usize = 100;

/// What the verifier says, shown in the source.
#[must_use]
pub fn rejected(source: Option<&Source>, faults: &[Fault]) -> String {
    let (faults, more) = faults.split_at(faults.len().min(FAULTS_MAX));
    let more = match more.len() {
        0 => String::new(),
        more => format!("… ({} more faults were left out)\n", grouped(more as u64)),
    };
    let Some(source) = source.filter(|source| source.is_text()) else {
        let lines = faults.iter().map(|fault| format!("{}\n", told(fault.to_string())));
        return lines.collect::<String>() + &more;
    };
    let show = |fault: &Fault| {
        let span = match fault.rule {
            "unknown-interface" => use_of(&source.text, &fault.message),
            _ => span_at(&source.text, fault.pos),
        };
        let fault_at = fault.at.map_or_else(String::new, |at| format!("instruction {at}"));
        let shown = match fault.kind {
            carnet_program::verify::FaultKind::Unsafe => {
                Diagnostic::error(fault.rule, span, told(&fault.message))
            }
            carnet_program::verify::FaultKind::Unsupported => {
                Diagnostic::unsupported(fault.rule, span, told(&fault.message))
            }
        };
        let shown = shown.label(fault_at);
        match fault.rule {
            "unknown-interface" => shown.help("`carnet describe` shows what this server has"),
            "unknown-operation" => shown
                .help("server and program have different versions of the interface; see `carnet describe`"),
            _ => shown,
        }
    };
    let shown: Vec<Diagnostic> = faults.iter().map(show).collect();
    render(&source.shown, &source.text, &shown) + &more
}

/// The module behind `use` that a message is about; it has no place in the code.
fn use_of(text: &str, message: &str) -> Span {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let name = line.trim_start().strip_prefix("use ").and_then(|rest| rest.split_whitespace().next());
        if let Some((name, at)) = name.and_then(|name| Some((name, line.find(name)?)))
            && message.contains(&format!("{name}."))
        {
            return Span::new(start + at, start + at + name.len());
        }
        start += line.len();
    }
    Span::default()
}

/// The character at a place.
fn span_at(text: &str, pos: Pos) -> Span {
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number + 1 == pos.line as usize {
            let at = start + (pos.col.saturating_sub(1) as usize).min(line.len());
            return Span::new(at, at + 1);
        }
        start += line.len();
    }
    Span::default()
}

fn to_json(run: &Run<'_>, outcome: &Outcome, exit: Exit, result: &ResultSoFar) -> Json {
    let calls = outcome
        .calls
        .iter()
        .map(|c| json!({ "operation": c.name(), "effect": effect_name(c.effect), "count": c.count, "failed": c.failed }));
    let r = &outcome.receipt;
    let mut json = json!({
        "exit": exit as u8,
        "end": end_name(&outcome.end),
        "run": run.name.to_string(),
        "program": run.source.map(|source| source.tree.name.as_str()).or(run.program),
        "dry_run": outcome.dry,
        "again": run.again.map(|was_running| if was_running { "running" } else { "ended" }),
        "kept": kept_to_json(outcome),
        "result": result.as_ref().ok().and_then(Option::as_ref).map(Value::to_json),
        "calls": calls.collect::<Json>(),
        "receipt": {
            "calls": r.calls, "failed": failed_calls(outcome), "writes": r.writes, "written": r.written,
            "instructions": r.instructions, "memory": r.memory, "round_trips": 1, "time_ns": r.time_ns,
        },
    });
    let (out, err) = texts(run, outcome, result);
    let text = if outcome.dry && err.is_empty() { out } else { err };
    if !text.is_empty() {
        json["message"] = json!(text.trim_end());
    }
    if let Some(why) = &outcome.cannot_go_on {
        json["cannot_go_on"] = json!(why);
    }
    if outcome.pos.line > 0 {
        json["at"] = json!({ "line": outcome.pos.line, "column": column(run.source, outcome.pos) });
    }
    if let Some(call) = &outcome.call {
        let names = run.source.map_or(&[][..], |source| &source.registers);
        let made = match outcome.end {
            End::CallInDoubt { .. } | End::ServerEnded { .. } => Json::Null,
            ref end => json!(call.interrupted || matches!(end, End::CallFailed { .. })),
        };
        json["call"] = json!({ "operation": call.operation, "text": call_text(call, names), "made": made });
        if call.interrupted {
            json["call"]["interrupted"] = json!(true);
        }
    }
    if let End::Limit { kind, limit, used, source } = &outcome.end {
        json["limit"] = json!({ "kind": limit_name(*kind), "limit": limit, "used": used });
        if let LimitSource::Allowance { period_s, again_s, held } = source {
            json["limit"]["allowance"] = json!({ "period_s": period_s, "again_s": again_s, "held": held });
        }
    }
    if let End::Refused(refusal) = &outcome.end {
        json["refusal"] = json!(refusal_name(refusal));
        if let Refusal::Allowance { kind, standing } = refusal {
            json["allowance"] = standing_to_json(standing);
            json["allowance"]["kind"] = json!(limit_name(*kind));
        }
    }
    json
}

/// In what way a run is kept that stopped, or null.
#[must_use]
pub fn kept_to_json(outcome: &Outcome) -> Json {
    outcome
        .kept
        .map_or(Json::Null, |kept| json!({ "stop": kept.stop, "for_s": kept.for_s, "handles": kept.portals }))
}

/// How a principal stands.
#[must_use]
pub fn standing_to_json(standing: &Standing) -> Json {
    let amounts = |amounts: Amounts| {
        let Amounts { calls, writes, written, instructions } = amounts;
        json!({ "calls": calls, "writes": writes, "written": written, "instructions": instructions })
    };
    json!({
        "period_s": standing.period_s, "again_s": standing.again_s, "of": amounts(standing.allowance),
        "used": amounts(standing.used), "held": amounts(standing.held), "left": amounts(standing.left()),
    })
}

/// `reads` or `writes`.
#[must_use]
pub fn effect_name(effect: Effect) -> &'static str {
    match effect {
        Effect::Reads => "reads",
        Effect::Writes => "writes",
    }
}

/// Stable name of how a run ended.
#[must_use]
pub fn end_name(end: &End) -> &'static str {
    match end {
        End::Done => "done",
        End::Failed(_) => "failed",
        End::CallFailed { .. } => "call_failed",
        End::CallInDoubt { .. } => "call_in_doubt",
        End::Fault(_) => "fault",
        End::Limit { .. } => "limit",
        End::Revoked => "revoked",
        End::Cancelled => "cancelled",
        End::CannotKnow => "cannot_know",
        End::ServerEnded { .. } => "server_ended",
        End::Rejected(_) => "rejected",
        End::Refused(_) => "refused",
    }
}

/// Stable name of what is limited.
#[must_use]
pub fn limit_name(kind: LimitKind) -> &'static str {
    match kind {
        LimitKind::Instructions => "instructions",
        LimitKind::Calls => "calls",
        LimitKind::Writes => "writes",
        LimitKind::Written => "written",
        LimitKind::Returned => "returned",
        LimitKind::Memory => "memory",
        LimitKind::Time => "time",
        LimitKind::Loop(_) => "loop",
    }
}

fn cap_name(kind: CapKind) -> &'static str {
    match kind {
        CapKind::Writes => "writes",
        CapKind::Calls => "calls",
        CapKind::Written => "written",
        CapKind::Returned => "returned",
        CapKind::Time => "time",
    }
}

/// As an argument of a shell's command line.
#[must_use]
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", harmless(text).replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests;
