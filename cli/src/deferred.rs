//! `carnet defer`, `carnet deliver`, `carnet deferred`: programs that wait until the server can be reached.
//!
//! ```text
//! defer ─► compile ─► may it write? ─ no, or --approve, or y ─► journal        deliver ─► journal ─► server, in order, each once
//!                          └─ else: refused, and what to type next              deferred ─► what is there, and what became of it
//! ```
//! What is approved is the bill as this machine computes it. The server's own must have nothing that is not in it, or the program waits
//! until somebody decides.

mod one_call;

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use carnet_portal::call::{Blame, Failure, Kind};
use carnet_program::bill::{Bill, Hash};
use carnet_program::client::{Asked, Running};
use carnet_program::deferred::{Bounds, Deferred, DeferredError, Ended, Entry, Held, Piece, State, Way};
use carnet_program::protocol::{
    APPROVAL_DIGITS, Argument, BillAnswer, Memory, Outcome, ResumeRequest, RunId, RunRequest,
    encode_arguments,
};
use carnet_program::text::{hex, span};
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use crate::args;
use crate::check::verified;
use crate::connect::{Connection, connect};
use crate::door::state_dir;
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::identity::RunName;
use crate::interfaces;
use crate::progress::Shown;
use crate::report;
use crate::run::{approval_digits, asked};
use crate::source::{Source, compile, shown};
use crate::value::{harmless, harmless_lines, told};
use crate::wait::{Waiter, Watch};

/// Keeps a program until the server can be reached.
///
/// # Errors
/// If it is wrong, writes and is not approved, or cannot be kept.
pub fn defer(args: &args::Defer) -> Answer {
    let approval = args.approve.as_deref().map(approval_digits).transpose()?;
    let modules = interfaces::known(&args.program.interfaces)?;
    if let Some(name) = args.program.file.to_str().filter(|file| file.starts_with('@')) {
        return Err(Problem::usage(format!(
            "error: {} is installed at a server, and none is asked now\ngive the program's file",
            harmless(name)
        )));
    }
    let given = &args.program.arguments;
    let program = match args.call {
        true => {
            let operation = args.program.file.to_string_lossy();
            let (source, given) = one_call::of(&operation, args.on.as_ref(), given, modules.clone())?;
            Wanted::read(source, &given)?
        }
        false => Wanted::read(compile(&args.program.file, modules.clone())?, given)?,
    };
    let resolver = match &args.resolver {
        None => None,
        Some(file) => {
            let source = compile(file, modules)?;
            let given = takes(&source, given);
            Some(Wanted::read(source, &given)?)
        }
    };
    let all: Vec<&Wanted> = std::iter::once(&program).chain(&resolver).collect();
    if let Some(reply) = not_approved(args, &all, approval.as_deref()) {
        return Ok(reply);
    }
    let mut deferred = open(&args.journal)?;
    let (title, name) = (args.program.typed(), RunName::fresh()?);
    let piece = program.piece(&title, &name);
    let resolver = match &resolver {
        None => None,
        Some(resolver) => Some(resolver.piece(&resolver.source.shown, &RunName::fresh()?)),
    };
    let number = deferred.add(piece, resolver).map_err(|error| wrong(&args.journal, &error))?;
    let pending = deferred.open_entries().count();
    let text = format!("deferred as {number}; {} to be delivered: carnet deliver\n", are(pending));
    Ok(Reply::done(text, json!({ "exit": 0, "number": number, "run": name.as_str(), "pending": pending })))
}

/// A program to be deferred.
struct Wanted {
    source: Source,
    /// Its arguments as they are sent.
    arguments: Vec<u8>,
    bill: Bill,
}

impl Wanted {
    fn read(source: Source, given: &[OsString]) -> Result<Wanted, Problem> {
        let values = source.arguments(given)?;
        let arguments: Vec<Argument<'_>> = values.iter().map(Argument::from).collect();
        let (_, bill) = verified(&source)?;
        let arguments = encode_arguments(&arguments);
        Ok(Wanted { source, arguments, bill })
    }

    fn piece(&self, title: &str, name: &RunName) -> Piece {
        Piece::new((name.id(), name.as_str()), title, &self.source.bytes, &self.arguments, &self.bill, true)
    }
}

/// Those of the arguments for which a program has parameters.
fn takes(source: &Source, given: &[OsString]) -> Vec<OsString> {
    let names = source.tree.params.iter().map(|param| source.tree.vars[param.var.index()].name.as_bytes());
    let names: Vec<&[u8]> = names.collect();
    let is_its = |text: &&OsString| {
        let bytes = text.as_encoded_bytes();
        let name = bytes.split(|byte| *byte == b'=').next().unwrap_or_default();
        names.contains(&name)
    };
    given.iter().filter(is_its).cloned().collect()
}

/// The refusal of what writes and nobody approved. On a terminal it is asked for.
fn not_approved(args: &args::Defer, all: &[&Wanted], given: Option<&str>) -> Option<Reply> {
    if all.iter().all(|wanted| wanted.bill.writes.at_most == 0) {
        return None;
    }
    let mut hasher = Sha256::new();
    all.iter().for_each(|wanted| hasher.update(wanted.bill.approval(&wanted.arguments)));
    let approval: Hash = hasher.finalize().into();
    let approval = hex(&approval);
    let digits = &approval[..APPROVAL_DIGITS];
    if given.is_some_and(|given| approval.starts_with(given)) {
        return None;
    }
    let bills: String = all.iter().map(|wanted| harmless_lines(&wanted.bill.to_string())).collect();
    let what = if all.len() > 1 { "these programs, these bills" } else { "this program, this bill" };
    let bills = format!("{bills}approve:{digits} ({what}, these arguments)\n");
    let (why, is_wrong) = match given {
        Some(_) => ("the approval is for another program, bill or arguments", true),
        None => ("it writes, and nobody has approved that", false),
    };
    if !is_wrong && std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        return (!asked(&bills, "Defer it?")).then(|| {
            let json = json!({ "exit": Exit::Refused as u8, "error": "refused", "refusal": "declined" });
            Reply { exit: Exit::Refused, out: String::new(), err: "nothing was deferred.\n".to_owned(), json }
        });
    }
    let next = format!("carnet defer {}{} --approve {digits}", args.program.typed(), args.options());
    let err = format!("{bills}\nrefused: {why}\nnothing was deferred. If that is what you want: {next}\n");
    let json = json!({
        "exit": Exit::Refused as u8, "error": "refused", "refusal": "not_approved", "message": why,
        "approval": approval, "next": next,
        "bills": all.iter().map(|wanted| crate::bill::to_json(&wanted.bill)).collect::<Vec<_>>(),
    });
    Some(Reply { exit: Exit::Refused, out: String::new(), err, json })
}

/// Delivers what was deferred.
///
/// # Errors
/// If the server cannot be reached, or the journal cannot be used.
pub fn deliver(args: &args::Deliver) -> Answer {
    let nothing =
        || Ok(Reply::done("nothing is pending\n".to_owned(), json!({ "exit": 0, "delivered": [] })));
    if open(&args.journal)?.open_entries().next().is_none() {
        return nothing();
    }
    // Programs can be deferred while the server is waited for.
    let connection = connect(&args.server)?;
    let mut deferred = open(&args.journal)?;
    let open = deferred.open_entries().count();
    if open == 0 {
        return nothing();
    }
    let (mut out, mut last, mut told) = (String::new(), None, Vec::new());
    let Ended { delivered, held } = deferred
        .deliver(&mut Delivering(&connection), &mut |entry| {
            if entry.is_open() {
                last = Some(entry.clone());
            } else {
                out.push_str(&line(entry));
                told.push(to_json(entry));
            }
        })
        .map_err(|error| wrong(&args.journal, &error))?;
    let left = open - delivered;
    let mut json = json!({ "exit": 0, "delivered": told, "left": left });
    let (Some(held), Some(entry)) = (held, last) else { return Ok(Reply::done(out, json)) };
    let (exit, why, next) = held_up(&held, &entry, &args.server.typed());
    // Its line says how its run ended.
    let is_said =
        matches!(held, Held::Conflict | Held::Stopped | Held::InDoubt) && last_outcome(&entry).is_some();
    let err = format!(
        "{}{}{}{next}\n",
        line(&entry),
        if is_said { String::new() } else { format!("   {why}\n") },
        if left > 1 { format!("it holds up {} behind it. ", left - 1) } else { String::new() }
    );
    json["exit"] = json!(exit as u8);
    json["held"] = to_json(&entry);
    json["why"] = json!(why);
    Ok(Reply { exit, out, err, json })
}

/// Why an entry holds up the others, and what to do about it.
fn held_up(held: &Held, entry: &Entry, server: &str) -> (Exit, String, String) {
    let (number, name) = (entry.number, current(entry).name.as_str());
    let decide = format!("carnet deferred again {number}, or carnet deferred withdraw {number}");
    let last = last_outcome(entry);
    match held {
        Held::Lost(failure) if failure.kind() == Kind::Refused => (
            Exit::Refused,
            format!("refused: {}; nothing of it was run", told(&failure.details().message)),
            "Later: carnet deliver".to_owned(),
        ),
        Held::Lost(failure) if failure.kind().blame() != Blame::Peer => (
            Exit::Unknown,
            format!("the server answers: {}", told(&failure.details().message)),
            "Nothing runs twice if you try again: carnet deliver".to_owned(),
        ),
        Held::Lost(failure) => (
            Exit::Unknown,
            format!("the way to the server was lost: {}", told(&failure.details().message)),
            "Nothing runs twice if you try again: carnet deliver".to_owned(),
        ),
        Held::Refused(refusal) => (
            Exit::Refused,
            format!("refused: {}; nothing of it was run", report::refusal_name(refusal)),
            format!(
                "See why: carnet bill …{server}; then carnet deliver, or carnet deferred withdraw {number}"
            ),
        ),
        Held::NotApproved(bill) => (
            Exit::Refused,
            "refused: the server's bill has more than was approved; nothing of it was run".to_owned(),
            format!(
                "{}carnet deferred withdraw {number}, then run or defer it anew",
                harmless_lines(&bill.to_string())
            ),
        ),
        Held::Conflict => (
            Exit::Failed,
            last.map_or_else(String::new, |outcome| report::stop(&outcome.end)),
            format!("See what it did: carnet status --run {name}{server}; then {decide}"),
        ),
        Held::Stopped => (
            Exit::Stopped,
            last.map_or_else(String::new, |outcome| report::stop(&outcome.end)),
            match last.and_then(|outcome| outcome.kept) {
                Some(_) => {
                    format!("It can go on: carnet resume {name}{server}, then carnet deliver; or {decide}")
                }
                None => format!("See what it did: carnet status --run {name}{server}; then {decide}"),
            },
        ),
        Held::InDoubt => (
            Exit::Unknown,
            match last {
                Some(outcome) => report::stop(&outcome.end),
                None => "it was sent, and the server does not remember whether it ran".to_owned(),
            },
            format!("Look whether it took effect; then {decide}"),
        ),
    }
}

/// The way to the server, with the patience of `carnet run`.
struct Delivering<'a>(&'a Connection);

impl Way for Delivering<'_> {
    fn memory(&mut self) -> Result<Memory, Failure> {
        (&self.0.client).memory()
    }

    fn ask(&mut self, id: RunId) -> Result<Asked, Failure> {
        self.0.client.ask(id)
    }

    fn bill(&mut self, request: &RunRequest<'_>) -> Result<BillAnswer, Failure> {
        self.0.client.bill(request)
    }

    fn run(&mut self, request: &RunRequest<'_>) -> Result<Outcome, Failure> {
        self.wait(request.id, || self.0.client.start(request, &[]))
    }

    fn resume(&mut self, request: &ResumeRequest) -> Result<Outcome, Failure> {
        self.wait(request.id, || self.0.client.resume(request))
    }
}

impl Delivering<'_> {
    fn wait(&self, run: RunId, begin: impl FnOnce() -> Result<Running, Failure>) -> Result<Outcome, Failure> {
        let no_thread =
            |error: std::io::Error| Failure::new(Kind::Internal, &format!("no thread to wait with: {error}"));
        let waiter = Waiter::ready().map_err(no_thread)?;
        let watch = Watch::new(self.0, run, None);
        let running = begin()?;
        let mut shown = Shown::new(&[], None);
        let outcome = waiter.wait(running, watch, &mut shown);
        shown.clear();
        outcome
    }
}

/// Looks at what was deferred, and decides about it.
///
/// # Errors
/// If the journal cannot be used, or has none of that number.
pub fn deferred(args: &args::Deferred) -> Answer {
    match args {
        args::Deferred::List(args) => Ok(list(&open(&args.journal)?, args)),
        args::Deferred::Withdraw(args) => {
            let mut deferred = open(&args.journal)?;
            let was_sent = deferred
                .open_entries()
                .filter(|entry| entry.number == args.number)
                .any(|entry| entry.state != State::Pending || entry.told.program.is_some());
            deferred.withdraw(args.number).map_err(|error| wrong(&args.journal, &error))?;
            let sent = if was_sent { "; it was sent before, and what it did then stays done" } else { "" };
            let text = format!("{} is not delivered{sent}\n", args.number);
            Ok(Reply::done(text, json!({ "exit": 0, "withdrawn": args.number, "was_sent": was_sent })))
        }
        args::Deferred::Again(args) => {
            let mut deferred = open(&args.journal)?;
            let id = || RunName::fresh().map(|name| (name.id(), name.to_string()));
            deferred.again(args.number, [id()?, id()?]).map_err(|error| wrong(&args.journal, &error))?;
            let text =
                format!("{} is run from its beginning when it is delivered: carnet deliver\n", args.number);
            Ok(Reply::done(text, json!({ "exit": 0, "again": args.number })))
        }
        args::Deferred::Salvage(args) => {
            let dir = dir_of(&args.journal)?;
            let salvaged = Deferred::salvage(&dir, Bounds::default());
            let (deferred, was_wrong) = salvaged.map_err(|error| wrong(&args.journal, &error))?;
            let what = match &was_wrong {
                None => format!("{} is as it was left\n", shown(&dir)),
                Some(why) => format!(
                    "{}: {why}\nwhat was before that counts from now on; the file as it was is put aside there. What was lost may say that \
                     a program was delivered or withdrawn: what is open is in doubt\n",
                    shown(&dir)
                ),
            };
            let mut reply = list(&deferred, args);
            reply.out.insert_str(0, &what);
            reply.json["damage"] = json!(was_wrong);
            Ok(reply)
        }
    }
}

fn list(deferred: &Deferred, args: &args::DeferredList) -> Reply {
    let entries: Vec<&Entry> =
        deferred.entries().iter().filter(|entry| args.all || entry.is_open()).collect();
    let json =
        json!({ "exit": 0, "deferred": entries.iter().map(|entry| to_json(entry)).collect::<Vec<_>>() });
    if entries.is_empty() {
        return Reply::done("nothing is pending\n".to_owned(), json);
    }
    Reply::done(entries.into_iter().map(line).collect(), json)
}

/// `3  pending, 5 min ago: note.carnet text=hello`
fn line(entry: &Entry) -> String {
    let deferred = SystemTime::UNIX_EPOCH + Duration::from_nanos(entry.at_ns);
    let ago = deferred.elapsed().map_or(0, |ago| ago.as_secs());
    let why = match (last_outcome(entry), entry.state) {
        (Some(outcome), State::Conflict | State::Stopped | State::InDoubt) => {
            format!("\n   {}", report::stop(&outcome.end))
        }
        (Some(outcome), State::Delivered) => format!(": {}", report::calls_made(outcome)),
        _ => String::new(),
    };
    let by = if entry.told.resolver.is_some() { " by its resolver" } else { "" };
    let title = harmless(&entry.piece.title);
    format!("{}  {}{by}, deferred {} ago: {title}{why}\n", entry.number, state_name(entry.state), span(ago))
}

fn to_json(entry: &Entry) -> Json {
    let outcome = last_outcome(entry);
    json!({
        "number": entry.number, "state": state_name(entry.state), "title": entry.piece.title,
        "run": entry.piece.name, "resolver_run": entry.resolver.as_ref().map(|resolver| &resolver.name),
        "by_resolver": entry.told.resolver.is_some(),
        "end": outcome.map(|outcome| report::end_name(&outcome.end)),
        "message": outcome.map(|outcome| report::stop(&outcome.end)),
    })
}

fn state_name(state: State) -> &'static str {
    match state {
        State::Pending => "pending",
        State::Sent(_) => "sent",
        State::Delivered => "delivered",
        State::Conflict => "conflict",
        State::Stopped => "stopped",
        State::InDoubt => "in doubt",
        State::Withdrawn => "withdrawn",
    }
}

fn last_outcome(entry: &Entry) -> Option<&Outcome> {
    entry.told.resolver.as_deref().or(entry.told.program.as_deref())
}

/// The program that ran last.
fn current(entry: &Entry) -> &Piece {
    let resolver = entry.resolver.as_ref().filter(|_| entry.told.resolver.is_some());
    resolver.unwrap_or(&entry.piece)
}

fn are(pending: usize) -> String {
    if pending == 1 { "1 is".to_owned() } else { format!("{pending} are") }
}

fn dir_of(journal: &args::Journal) -> Result<PathBuf, Problem> {
    let given = journal.journal.clone();
    given.or_else(|| state_dir().map(|state| state.join("deferred"))).ok_or_else(|| {
        Problem::usage("error: there is no place for what is deferred: HOME is not set\ngive --journal DIR")
    })
}

fn open(journal: &args::Journal) -> Result<Deferred, Problem> {
    Deferred::open(&dir_of(journal)?, Bounds::default()).map_err(|error| wrong(journal, &error))
}

/// What is deferred cannot be used, or not so.
fn wrong(journal: &args::Journal, error: &DeferredError) -> Problem {
    let dir = dir_of(journal).map_or_else(|_| String::new(), |dir| shown(&dir));
    let given = journal.journal.as_ref().map_or_else(String::new, |_| format!(" --journal {dir}"));
    let why = harmless_lines(&error.to_string());
    match error {
        DeferredError::NotSo(_) => {
            Problem::usage(format!("error: {why}\nwhat there is: carnet deferred list{given}"))
        }
        DeferredError::InUse => Problem::usage(format!("error: {dir}: {why}\ntry again when it has ended")),
        DeferredError::Full(_) => {
            Problem::failed(format!("error: {dir}: {why}\ndeliver what is there: carnet deliver{given}"))
        }
        DeferredError::Damaged { whole, .. } => Problem::failed(format!(
            "error: {dir}: {why}\nnothing was changed. {whole} records before that are whole; to go on with these: carnet \
             deferred salvage{given}"
        )),
        DeferredError::Version(_) => {
            Problem::failed(format!("error: {dir}: {why}\nuse the version that made it"))
        }
        DeferredError::System(_) => {
            Problem::failed(format!("error: {dir}: {why}\ngive another place: --journal DIR"))
        }
    }
}
