//! `carnet debug step`: a program, statement by statement, in this process, call by call against a server or a recording.
//!
//! ```text
//! standard input ─► commands ─► Stepper (looks on) ◄── eval ── calls ──► server, or recording
//! ```
//! The recursive interpreter carries it out, which does what the others do. Calls that write are only told of, as in a dry run,
//! unless `--write` is given.

mod recording;

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicU32;
use std::time::{SystemTime, UNIX_EPOCH};

use carnet_idl::descriptor::{Effect, InterfaceId, Module};
use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::relay::relay;
use carnet_program::bytecode::ParamPlace;
use carnet_program::compile::{Marks, compile_marked};
use carnet_program::eval::{self, Arg as Given, Call, Compiled, Outcome, State, Value as Held, Watch};
use carnet_program::host::{ServiceName, portal_of_text, root_meant};
use carnet_program::interp::{Blocking, Env, Mode, Stop};
use carnet_program::limits::{Effective, Limits};
use carnet_program::protocol::ServiceInfo;
use carnet_program::source::args::Arg;
use carnet_program::source::statements;
use carnet_program::tree::{Const, Op, Pos, RecordId, Tree, Ty};
use carnet_program::verify::{Loaded, Registry, load};
use serde_json::{Value as Json, json};

use self::recording::Recording;
use crate::args;
use crate::connect::{Connection, connect};
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::report;
use crate::source::{Source, open, open_for};
use crate::value::{Value, harmless, list_within, packed_value, told, union_of};

const HELP: &str = "  step, s            on to the next statement (also an empty line)
  next, n            on to the next call
  continue, c        on to the next breakpoint, or the end
  break, b WHERE     stop at a line, or before calls of an operation: b 12, b Dir.remove
  clear [WHERE]      the opposite; of all
  print, p [NAME]    variables, or one of them whole, or of it: l[0], e.name
  list, l            the lines around
  calls              calls so far
  quit, q            end the run here
";
/// Lines around the present one that `list` shows, each way.
const AROUND: u32 = 4;
/// Characters of a value that fit beside others.
const SHORT: usize = 100;

/// Steps through a program.
///
/// # Errors
/// If the program is wrong, or the server or recording is not there.
pub fn step(args: &args::Step) -> Answer {
    let played = args.replay.as_deref().map(Recording::read).transpose()?;
    let (source, connection) = match &played {
        Some(played) => (open_for(&args.program, &played.modules())?, None),
        None => open(&args.program, &args.server)?,
    };
    source.has_tree()?;
    let arguments = source.arguments(&args.program.arguments)?;
    let places = Places::of(&source);
    let breaks = args.breaks.iter().map(|text| places.find(text));
    let breaks: Vec<Break> = breaks
        .collect::<Result<_, _>>()
        .map_err(|why| Problem::usage(format!("error: --break: {why}\nnothing was run")))?;
    let on = match &played {
        Some(played) => played.play(),
        None => {
            let connection = connection.map_or_else(|| connect(&args.server), Ok)?;
            On::live(&connection)?
        }
    };
    let program = Program::of(&source, &on)?;
    let Some(path) = &args.record else { return stepped(args, &source, &program, (&arguments, breaks), &on) };
    let (recording, on) = Recording::begin(&on)?;
    // Before anything is called that cannot be called again.
    let file = Recording::create(path)?;
    let stepped = stepped(args, &source, &program, (&arguments, breaks), &on);
    recording.write(file, path)?;
    stepped
}

/// What the calls go to.
struct On {
    /// That of the session.
    own: Capability,
    /// Those beside it.
    others: Vec<Other>,
    /// When the run began, in ns.
    started: i64,
}

/// A service beside the one of the session.
struct Other {
    name: Option<ServiceName>,
    root: Capability,
}

impl On {
    /// The server's root, and those beside it.
    ///
    /// # Errors
    /// What the server answered.
    fn live(connection: &Connection) -> Result<On, Problem> {
        let (described, description) = connection.describe()?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let started = i64::try_from(since.as_nanos()).unwrap_or(i64::MAX);
        let own = relay(connection.transport.root(), described.module, described.root);
        let mut on = On { own: Capability::new(own), others: Vec::new(), started };
        let policy: Json = serde_json::from_slice(&description.policy).unwrap_or(Json::Null);
        if policy["also"].as_array().is_none_or(Vec::is_empty) {
            return Ok(on);
        }
        let services = connection.client.services().map_err(|failure| connection.query_failed(&failure))?;
        for (ServiceInfo { name, module, root: id }, root) in services {
            let decoded =
                carnet_idl::decode(&module).map_err(|error| connection.nonsense(&error.to_string()))?;
            let (module, id) = (on.known(decoded), InterfaceId(id));
            let name = named(&name).filter(|_| module.interfaces.get(id.index()).is_some());
            let name =
                name.ok_or_else(|| connection.nonsense("a service beside has no such root or name"))?;
            on.others.push(Other { name, root: Capability::new(relay(root, module, id)) });
        }
        Ok(on)
    }

    /// The same module, kept as long as the process lives, as descriptors are. Several services have one.
    fn known(&self, module: Module) -> &'static Module {
        let known = self.modules().into_iter().find(|known| **known == module);
        known.unwrap_or_else(|| Box::leak(Box::new(module)))
    }

    fn roots(&self) -> impl Iterator<Item = (Option<&str>, &Capability)> + Clone {
        let others = self.others.iter();
        let others = others.map(|other| (other.name.as_ref().map(ServiceName::as_str), &other.root));
        std::iter::once((None, &self.own)).chain(others)
    }

    /// The interfaces of each.
    fn modules(&self) -> Vec<&'static Module> {
        self.roots().map(|(_, root)| root.object().interface().0).collect()
    }
}

/// What a service is called, if it is called something; nothing if that is no name.
fn named(name: &str) -> Option<Option<ServiceName>> {
    match name {
        "" => Some(None),
        name => ServiceName::new(name).map(Some),
    }
}

/// A program that is to be stepped through.
struct Program {
    loaded: Loaded,
    marks: Marks,
}

impl Program {
    fn of(source: &Source, on: &On) -> Result<Program, Problem> {
        let wrong =
            |error: &dyn std::fmt::Display| Problem::rejected(format!("error: {}: {error}", source.shown));
        let (program, marks) = compile_marked(&source.tree).map_err(|error| wrong(&error))?;
        // What the server has is what is called.
        let loaded = load(&program.encode(), &Registry::new(&on.modules())).map_err(|error| wrong(&error))?;
        Ok(Program { loaded, marks })
    }

    /// The object that a text names for a parameter.
    ///
    /// # Errors
    /// Why there is none, for people.
    fn portal(&self, param: usize, text: &[u8], on: &On, caller: &Caller) -> Result<Capability, String> {
        let wanted = match self.loaded.params.get(param) {
            Some(ParamPlace::Register(register)) => self.loaded.registers.get(usize::from(*register)),
            _ => None,
        };
        let wanted = wanted.ok_or("a portal where a value is expected")?;
        let (root, text) = root_meant(on.roots(), *wanted, text)?;
        portal_of_text(root, text, caller)
    }
}

fn stepped(
    args: &args::Step,
    source: &Source,
    program: &Program,
    (arguments, breaks): (&[Arg], Vec<Break>),
    on: &On,
) -> Answer {
    let Program { loaded, marks } = program;
    let caller = Caller::local();
    let mut given = Vec::new();
    for (k, (argument, param)) in arguments.iter().zip(&source.tree.params).enumerate() {
        given.push(match argument {
            Arg::Const(Const::Int(n)) => Given::Value(Held::Int(*n)),
            Arg::Const(Const::Bool(value)) => Given::Value(Held::Bool(*value)),
            Arg::Const(Const::Float(value)) => Given::Value(Held::Float(*value)),
            Arg::Const(Const::Enum(value)) => Given::Value(Held::Enum(*value)),
            Arg::Const(Const::Text(text)) => Given::Value(Held::Text(text.clone().into())),
            Arg::Portal(text) => {
                let name = &source.tree.vars[param.var.index()].name;
                Given::Portal(
                    program.portal(k, text, on, &caller).map_err(|why| {
                        Problem::failed(format!("failed: {}: {}", harmless(name), told(why)))
                    })?,
                )
            }
        });
    }
    let (stdin, stdout) = (std::io::stdin(), std::io::stdout());
    // What the JSON object stands for is not printed beside it.
    let out: Box<dyn Write> =
        if args.form.json { Box::new(std::io::stderr().lock()) } else { Box::new(stdout.lock()) };
    let mut stepper = Stepper {
        source,
        writes: if args.write { Mode::Real } else { Mode::Dry },
        input: Box::new(stdin.lock()),
        out,
        until: Until::Statement,
        places: Places::of(source),
        breaks,
        refused: Vec::new(),
        at: Pos::default(),
    };
    let interrupt = AtomicU32::new(0);
    let env =
        Env { caller: &caller, interrupt: &interrupt, mode: stepper.writes, blocking: Blocking::Allowed };
    let budget = Effective::new(&Limits::default(), &loaded.caps).budget();
    let compiled = Compiled { tree: &source.tree, marks, loaded };
    let outcome = eval::run_watched(compiled, &given, on.started, &env, budget, &mut stepper);
    let at = stepper.at;
    drop(stepper);
    Ok(ended(source, loaded, env.mode, at, &outcome))
}

/// What there is to say at the end.
fn ended(source: &Source, loaded: &Loaded, mode: Mode, at: Pos, outcome: &Outcome) -> Reply {
    let tree = &source.tree;
    let result = match (&outcome.value, &tree.result) {
        (Some(value), Some(ty)) => Some(value_of(tree, ty, value)),
        _ => None,
    };
    let (exit, end) = match &outcome.stop {
        Stop::Done(_) => (Exit::Done, "done".to_owned()),
        Stop::Failed(message) => (Exit::Failed, format!("failed: {}", told(message))),
        Stop::CallFailed(failure) => (Exit::Failed, format!("failed: {}", told(&failure.details().message))),
        Stop::Fault(kind) => (Exit::Failed, format!("failed: {kind}")),
        Stop::Revoked => (Exit::Failed, "failed: a portal was revoked".to_owned()),
        Stop::Cancelled => (Exit::Stopped, "stopped: you left it".to_owned()),
        Stop::Limit(kind) => {
            (Exit::Stopped, format!("stopped: limit reached: {}", report::limit_name(*kind)))
        }
        Stop::CannotKnow => (
            Exit::Stopped,
            "stopped: it would have to read what it did not write; --write makes calls that write".to_owned(),
        ),
        Stop::Deadline | Stop::Pause | Stop::Blocks => (Exit::Stopped, "stopped".to_owned()),
    };
    let calls: u64 = outcome.counts.iter().sum();
    let writes = loaded.ops.iter().zip(&outcome.counts);
    let writes: u64 =
        writes.filter(|(op, _)| op.operation.effect == Effect::Writes).map(|(_, count)| count).sum();
    let counted = |n: u64, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let pretended = if writes > 0 && mode == Mode::Dry { ", not made" } else { "" };
    let counts = format!("{} ({}{pretended})\n", counted(calls, "call"), counted(writes, "write"));
    let json = json!({
        "exit": exit as u8, "end": end, "line": at.line, "calls": calls, "writes": writes,
        "result": result.as_ref().map(Value::to_json),
    });
    let out = match (&result, exit) {
        (Some(result), Exit::Done) => result.lines(),
        (_, Exit::Done) => format!("{end}\n"),
        _ => format!("{end}\n  at {}:{}:{}\n", source.shown, at.line, at.col),
    };
    Reply { exit, out: out + &counts, err: String::new(), json }
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Until {
    Statement,
    Call,
    Break,
    /// Nobody is there any more.
    End,
}

#[derive(Clone, Debug, PartialEq)]
enum Break {
    Line(u32),
    /// `Dir.remove`, or `remove`.
    Operation(String),
}

impl Break {
    fn read(text: &str) -> Break {
        text.parse().map_or_else(|_| Break::Operation(text.to_owned()), Break::Line)
    }

    fn is_of(&self, interface: &str, operation: &str) -> bool {
        let Break::Operation(name) = self else { return false };
        name == operation || name.split_once('.').is_some_and(|parts| parts == (interface, operation))
    }
}

/// Where a program can be stopped.
struct Places {
    lines: BTreeSet<u32>,
    /// Names of interfaces with those of their operations.
    operations: Vec<(String, String)>,
}

impl Places {
    fn of(source: &Source) -> Places {
        let tree = &source.tree;
        let lines = statements(tree).into_iter().map(|pos| pos.line).filter(|line| *line > 0);
        let of = |op: &Op| (tree.interfaces[op.interface.index()].name.clone(), op.name.clone());
        Places { lines: lines.collect(), operations: tree.ops.iter().map(of).collect() }
    }

    /// A place that the program has.
    ///
    /// # Errors
    /// What it has, for people.
    fn find(&self, text: &str) -> Result<Break, String> {
        let found = Break::read(text);
        let is_there = match &found {
            Break::Line(line) => self.lines.contains(line),
            Break::Operation(_) => {
                self.operations.iter().any(|(interface, operation)| found.is_of(interface, operation))
            }
        };
        match &found {
            _ if is_there => Ok(found),
            Break::Line(line) => {
                Err(format!("no statement begins in line {line}; some do in {}", self.lines_text()))
            }
            Break::Operation(name) => {
                let called = self.operations.iter().map(|(interface, name)| format!("{interface}.{name}"));
                let called = called.collect::<Vec<_>>().join(", ");
                let called = if called.is_empty() { "nothing" } else { &called };
                Err(format!("the program does not call `{}`; it calls {called}", harmless(name)))
            }
        }
    }

    /// `8–11, 13`
    fn lines_text(&self) -> String {
        let mut spans: Vec<(u32, u32)> = Vec::new();
        for line in &self.lines {
            match spans.last_mut() {
                Some((_, last)) if *last + 1 == *line => *last = *line,
                _ => spans.push((*line, *line)),
            }
        }
        let one = |(first, last): &(u32, u32)| match first == last {
            true => first.to_string(),
            false => format!("{first}–{last}"),
        };
        if spans.is_empty() {
            "none".to_owned()
        } else {
            spans.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    }
}

struct Stepper<'a> {
    source: &'a Source,
    writes: Mode,
    input: Box<dyn BufRead + 'a>,
    out: Box<dyn Write + 'a>,
    until: Until,
    places: Places,
    breaks: Vec<Break>,
    /// Breakpoints that were wanted and are none. Calls that write are not made past them before something else was said.
    refused: Vec<Break>,
    at: Pos,
}

impl Watch for Stepper<'_> {
    fn statement(&mut self, pos: Pos, state: &State<'_>) -> ControlFlow<()> {
        let is_new = pos.line != self.at.line || pos.col <= self.at.col;
        self.at = pos;
        let is_break = is_new && self.breaks.contains(&Break::Line(pos.line));
        if self.until != Until::Statement && !(is_break && self.until != Until::End) {
            return ControlFlow::Continue(());
        }
        self.say(&self.line(pos.line, ""));
        self.ask(state)
    }

    fn call(&mut self, call: &Call<'_>, state: &State<'_>) -> ControlFlow<()> {
        let interface = &state.tree.interfaces[call.op.interface.index()].name;
        let is_break = self.breaks.iter().any(|at| at.is_of(interface, &call.op.name));
        let stops = self.until == Until::Call || is_break && self.until != Until::End;
        if !stops && self.until != Until::Statement {
            return ControlFlow::Continue(());
        }
        self.say(&format!("  call {}\n", self.call_text(call, state.tree)));
        if stops { self.ask(state) } else { ControlFlow::Continue(()) }
    }

    fn returned(&mut self, call: &Call<'_>, came: Result<&[Held], &Failure>, state: &State<'_>) {
        if !matches!(self.until, Until::Statement | Until::Call) {
            return;
        }
        let text = match came {
            Err(failure) => format!("failed: {}", told(&failure.details().message)),
            Ok(_) if self.writes == Mode::Dry && call.op.effect == Effect::Writes => {
                "not made: --write makes calls that write".to_owned()
            }
            Ok([]) => "done".to_owned(),
            Ok(values) => {
                let values = values.iter().zip(&call.op.results);
                values.map(|(value, ty)| short(state.tree, ty, value)).collect::<Vec<_>>().join(", ")
            }
        };
        self.say(&format!("    {text}\n"));
    }
}

impl Stepper<'_> {
    /// Whoever closed standard output does not want to see it.
    fn say(&mut self, text: &str) {
        let _ = self.out.write_all(text.as_bytes());
    }

    /// `  12  let n = dst.copy_from(src, pos, 1MiB)`
    fn line(&self, line: u32, mark: &str) -> String {
        let text = self.source.text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
        format!("{mark:2}{line:>4}  {}\n", harmless(text))
    }

    /// `Dir.open("a")`
    fn call_text(&self, call: &Call<'_>, tree: &Tree) -> String {
        let args = call.args.iter().zip(&call.op.args).map(|(value, ty)| short(tree, ty, value));
        let interface = &tree.interfaces[call.op.interface.index()].name;
        format!("{interface}.{}({})", call.op.name, args.collect::<Vec<_>>().join(", "))
    }

    /// Does what it is told until that is to go on.
    fn ask(&mut self, state: &State<'_>) -> ControlFlow<()> {
        loop {
            self.say("> ");
            let _ = self.out.flush();
            let mut line = String::new();
            // Whoever says nothing more wants to see how it ends.
            if !matches!(self.input.read_line(&mut line), Ok(1..)) {
                self.say("\n");
                if self.holds_back() {
                    return ControlFlow::Break(());
                }
                self.until = Until::End;
                return ControlFlow::Continue(());
            }
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            let rest = rest.trim();
            self.until = match word {
                "" | "s" | "step" => Until::Statement,
                "n" | "next" => Until::Call,
                "c" | "continue" if self.holds_back() => {
                    self.say("not while a breakpoint was refused: set another, or `clear`\n");
                    continue;
                }
                "c" | "continue" => Until::Break,
                "q" | "quit" => return ControlFlow::Break(()),
                word => {
                    let text = self.told(word, rest, state);
                    self.say(&text);
                    continue;
                }
            };
            return ControlFlow::Continue(());
        }
    }

    /// Somebody wanted it to stop somewhere, and it would not, and change things.
    fn holds_back(&self) -> bool {
        self.writes == Mode::Real && !self.refused.is_empty()
    }

    /// The answer to a command that does not go on.
    fn told(&mut self, word: &str, rest: &str, state: &State<'_>) -> String {
        match (word, rest) {
            ("b" | "break", "") => "which line or operation?\n".to_owned(),
            ("b" | "break", place) => match self.places.find(place) {
                Ok(place) => {
                    self.refused.clear();
                    self.breaks.push(place);
                    String::new()
                }
                Err(why) => {
                    self.refused.push(Break::read(place));
                    format!("{why}\n")
                }
            },
            ("clear", "") => {
                (self.breaks, self.refused) = (Vec::new(), Vec::new());
                String::new()
            }
            ("clear", place) => {
                let place = Break::read(place);
                let before = self.breaks.len() + self.refused.len();
                self.breaks.retain(|known| *known != place);
                self.refused.retain(|known| *known != place);
                if self.breaks.len() + self.refused.len() == before {
                    "there is no such breakpoint\n".to_owned()
                } else {
                    String::new()
                }
            }
            ("p" | "print", "") => {
                shown(state).map(|(name, text, _)| format!("  {name} = {text}\n")).collect()
            }
            ("p" | "print", name) => match shown(state).filter(|(known, ..)| *known == name).last() {
                Some((_, text, Some(value))) if value.entries().is_some() => {
                    format!("{text}\n{}", value.lines())
                }
                Some((_, _, Some(value))) => format!("{}\n", value.short()),
                Some((_, text, None)) => format!("{text}\n"),
                None => part(state, name).unwrap_or_else(|why| format!("{why}\n")),
            },
            ("l" | "list", _) => {
                let lines = self.at.line.saturating_sub(AROUND).max(1)..=self.at.line + AROUND;
                let last = u32::try_from(self.source.text.lines().count()).unwrap_or(u32::MAX);
                let mark = |line| if line == self.at.line { "->" } else { "" };
                lines.filter(|line| *line <= last).map(|line| self.line(line, mark(line))).collect()
            }
            ("calls", _) => {
                let counts = state.tree.ops.iter().zip(state.counts).filter(|(_, count)| **count > 0);
                let text = counts.map(|(op, count)| {
                    format!("  {}.{} {count}\n", state.tree.interfaces[op.interface.index()].name, op.name)
                });
                text.collect()
            }
            _ => HELP.to_owned(),
        }
    }
}

/// Names of the variables with what they are worth, the innermost last.
fn shown<'s>(state: &'s State<'_>) -> impl Iterator<Item = (&'s str, String, Option<Value>)> {
    state.vars.iter().map(|id| {
        let var = &state.tree.vars[id.index()];
        match &state.values[id.index()] {
            Some(value) => {
                let value_of = value_of(state.tree, &var.ty, value);
                (var.name.as_str(), short(state.tree, &var.ty, value), Some(value_of))
            }
            None => (var.name.as_str(), crate::value::type_name(state.tree, &var.ty), None),
        }
    })
}

/// An element or a field of a variable, as it is named: `l[0]`, `e.name`, `l[2].name`.
///
/// # Errors
/// What there is not, for people.
fn part(state: &State<'_>, named: &str) -> Result<String, String> {
    let (name, mut rest) = named.split_at(named.find(['[', '.']).unwrap_or(named.len()));
    let found = shown(state).filter(|(known, ..)| *known == name).last();
    let Some((_, _, Some(mut value))) = found else {
        return Err(format!("there is no variable `{}` here", harmless(name)));
    };
    while !rest.is_empty() {
        let of = harmless(&named[..named.len() - rest.len()]);
        (value, rest) = within(value, rest).map_err(|why| format!("`{of}` {why}"))?;
    }
    Ok(if value.entries().is_some() { value.lines() } else { format!("{}\n", value.short()) })
}

/// What the first step of a path leads to, and the rest of it.
fn within(value: Value, path: &str) -> Result<(Value, &str), String> {
    if let Some((index, rest)) = path.strip_prefix('[').and_then(|path| path.split_once(']')) {
        let mut list: Vec<Value> = match value {
            Value::List(list) => list,
            // An array: its elements are named by their numbers.
            Value::Record(fields) if fields.first().is_some_and(|(name, _)| name == "0") => {
                fields.into_iter().map(|(_, value)| value).collect()
            }
            _ => return Err("is no list".to_owned()),
        };
        let len = list.len();
        let at = index.trim().parse().ok().filter(|at: &usize| *at < len);
        let at = at.ok_or_else(|| {
            let last =
                len.checked_sub(1).map_or_else(|| "none".to_owned(), |last| format!("[0] to [{last}]"));
            format!("has no element [{}]; it has {last}", harmless(index))
        })?;
        return Ok((list.swap_remove(at), rest));
    }
    let Some(path) = path.strip_prefix('.') else {
        return Err(format!("is followed by `{}`", harmless(path)));
    };
    let (name, rest) = path.split_at(path.find(['[', '.']).unwrap_or(path.len()));
    let fields = match value {
        Value::Record(fields) => fields,
        Value::Union(_, arm, value) => vec![(arm, *value)],
        _ => return Err("has no fields".to_owned()),
    };
    let names = fields.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let found = fields.into_iter().find(|(known, _)| known == name).map(|(_, value)| (value, rest));
    found.ok_or_else(|| format!("has no field `{}`; it has {}", harmless(name), harmless(&names)))
}

/// Within a line, cut.
fn short(tree: &Tree, ty: &Ty, value: &Held) -> String {
    if let (Ty::Portal(id), _) = (ty, value) {
        return tree.interfaces[id.index()].name.clone();
    }
    let text = match value_of(tree, ty, value) {
        Value::List(list) => match list.len() {
            1 => "1 entry".to_owned(),
            n => format!("{n} entries"),
        },
        Value::Text(text) => carnet_program::text::quoted(&text),
        value => value.short(),
    };
    if text.chars().count() <= SHORT { text } else { text.chars().take(SHORT).chain(['…']).collect() }
}

/// A value, with the names that its type has.
fn value_of(tree: &Tree, ty: &Ty, value: &Held) -> Value {
    match (value, ty) {
        (_, Ty::Portal(id)) => Value::Portal(tree.interfaces[id.index()].name.clone()),
        (Held::Int(n), _) => Value::Int(*n),
        (Held::Bool(value), _) => Value::Bool(*value),
        (Held::Float(value), _) => Value::Float(*value),
        (Held::Enum(n), Ty::Enum(id)) => {
            let name = tree.enums[id.index()].values.get(usize::from(*n));
            Value::Enum(name.cloned().unwrap_or_else(|| n.to_string()))
        }
        (Held::Enum(n), _) => Value::Int(i64::from(*n)),
        (Held::Text(bytes), Ty::Bytes(_)) => Value::Bytes(bytes.to_vec()),
        (Held::Text(text), _) => Value::Text(text.to_vec()),
        (Held::Record(values), Ty::Record(id)) if let Some(union) = union_value(tree, *id, values) => union,
        (Held::Record(values), Ty::Record(id)) if let Some((list, _)) = list_within(tree, *id) => {
            let bytes = match values.first() {
                Some(Held::Text(bytes)) => packed_value(tree, list, bytes).ok(),
                _ => None,
            };
            bytes.unwrap_or(Value::List(Vec::new()))
        }
        (Held::Record(values), Ty::Record(id)) => {
            let fields = tree.records[id.index()].fields.iter().zip(values);
            Value::Record(
                fields.map(|((name, ty), value)| (name.clone(), value_of(tree, ty, value))).collect(),
            )
        }
        (Held::List(values), Ty::List(of, _)) => {
            Value::List(values.iter().map(|value| value_of(tree, of, value)).collect())
        }
        (Held::Record(_) | Held::List(_), _) => Value::List(Vec::new()),
    }
}

/// A union, if the record is one.
fn union_value(tree: &Tree, id: RecordId, words: &[Held]) -> Option<Value> {
    tree.records[id.index()].union.as_ref()?;
    let scalars: Vec<u64> = words
        .iter()
        .filter_map(|word| match word {
            Held::Int(n) => Some(n.cast_unsigned()),
            Held::Bool(value) => Some((*value).into()),
            Held::Enum(n) => Some((*n).into()),
            _ => None,
        })
        .collect();
    let texts: Vec<Vec<u8>> = words
        .iter()
        .filter_map(|word| match word {
            Held::Text(text) => Some(text.to_vec()),
            _ => None,
        })
        .collect();
    union_of(tree, id, &scalars, &texts).ok()
}
