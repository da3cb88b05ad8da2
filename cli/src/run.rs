//! `carnet run`: a program runs beside the service, and what became of it.
//!
//! ```text
//! compile ─► may it write? ─ no, installed, --dry-run, or --approve ────────► run ─► outcome
//!                  └─ yes ─► known by its --id? ─ yes: it is not run again ─────────┘
//!                                  └─ no ─► bill ─┬─ on a terminal: Run it? y ─► run
//!                                                 └─ else: refused, and what to type next
//! ```
//! What was confirmed is sent along as the approval, so that the server runs that and nothing else. Ctrl-C
//! cancels the run and waits for its outcome; a second one leaves without knowing it.

use std::cell::RefCell;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::thread;

use carnet_portal::call::{Failure, Kind};
use carnet_portal::remote::DIED;
use carnet_program::bill::hash as bill_hash;
use carnet_program::client::{Asked, Running};
use carnet_program::protocol::{
    APPROVAL_DIGITS, Argument, BillAnswer, End, Engine, Outcome, Refusal, RunId, RunOptions, RunProgram,
    RunRequest,
};
use carnet_program::text::hex;
use serde_json::json;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use crate::args;
use crate::bill;
use crate::connect::{Connection, connect};
use crate::debug::profile::Profile;
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::identity::RunName;
use crate::kernel;
use crate::output::{self, Shape};
use crate::progress::Shown;
use crate::report;
use crate::source::{Source, open};
use crate::value::{harmless, told};
use crate::wait::{Waiter, Watch};

/// Other than none at all, it is refused whatever the policy says. It has no digits, so it is part of no hash.
const APPROVES_NOTHING: &str = "-";

/// Runs a program.
///
/// # Errors
/// If it could not be run, or its outcome is unknown.
pub fn run(args: &args::Run) -> Answer {
    run_with(args, None).map(|(reply, _)| reply)
}

/// Runs a program; with a profile its calls are counted there. What was run comes back, unless it was not.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_with(
    args: &args::Run,
    profile: Option<&RefCell<Profile>>,
) -> Result<(Reply, Option<(Source, Outcome)>), Problem> {
    let name = args.id.as_deref().map_or_else(RunName::fresh, RunName::chosen)?;
    if args.engine == args::Engine::Kernel {
        if kernel::is_there() || args.server.server.is_none() {
            return kernel::run(args, &name).map(|(reply, source, outcome)| (reply, Some((source, outcome))));
        }
        eprintln!("there is no {} here; the server runs it", kernel::DEVICE);
    }
    let approval = args.approve.as_deref().map(approval_digits).transpose()?;
    let (mut source, connection) = open(&args.program, &args.server)?;
    if args.tree || args.engine == args::Engine::Tree {
        source.send_tree()?;
    }
    let values = source.arguments(&args.program.arguments)?;
    let connection = connection.map_or_else(|| connect(&args.server), Ok)?;
    let (typed, shape) = (args.typed(), crate::shape(&args.form));
    let known = report::Run::new(Some(&source), &name, &typed);
    let mut request = RunRequest {
        id: name.id(),
        options: RunOptions {
            dry: args.dry_run,
            trace: args.trace || profile.is_some(),
            engine: args.engine.into(),
        },
        name: name.as_str(),
        approval: approval.as_deref().unwrap_or_default(),
        arguments: values.iter().map(Argument::from).collect(),
        program: source.program(),
    };
    let hash = bill_hash(&source.bytes);
    let confirmed;
    // Who installed a program has decided what it may do.
    if approval.is_none() && !args.dry_run && source.may_write() && source.installed.is_none() {
        if args.id.is_some()
            && let Some((outcome, again)) = known_already(&connection, &request, &source, &known, shape)?
        {
            return Ok((report::outcome(&report::Run { again, ..known }, &outcome), None));
        }
        match confirm(&connection, &request, &known)? {
            Confirmed::Run(approval) => {
                confirmed = approval;
                request.approval = &confirmed;
                // The server has it since it was asked for the bill; it knows a tree by its bytes.
                if !source.sends_tree() {
                    request.program = RunProgram::Cached { hash: &hash, bytes: &source.bytes };
                }
            }
            Confirmed::Not(reply) => return Ok((*reply, None)),
        }
    }
    let begun = Begun { id: request.id, source: Some(&source), known: &known, shape, profile };
    let (outcome, again) = wait_for(&connection, &begun, || connection.client.start(&request, &[]))?;
    let reply = report::outcome(&report::Run { again, ..known }, &outcome);
    Ok((reply, Some((source, outcome))))
}

impl From<args::Engine> for Engine {
    fn from(engine: args::Engine) -> Engine {
        match engine {
            args::Engine::Any | args::Engine::Kernel => Engine::Any,
            args::Engine::Bytecode => Engine::Bytecode,
            args::Engine::Native => Engine::Native,
            args::Engine::Tree => Engine::Tree,
        }
    }
}

/// The digits of an approval, also as `bill` shows them.
pub(crate) fn approval_digits(given: &str) -> Result<String, Problem> {
    let digits = given.trim_start_matches("approve:").trim_end_matches('…').to_ascii_lowercase();
    if (APPROVAL_DIGITS..=64).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Ok(digits);
    }
    Err(Problem::usage(format!(
        "error: `{}` is no approval\nexpected the {APPROVAL_DIGITS} digits that `carnet bill` shows behind `approve:`",
        harmless(given)
    )))
}

/// Whether a program that may write is to be run.
enum Confirmed {
    /// Yes, and this is what was confirmed.
    Run(String),
    /// No; this is what there is to say.
    Not(Box<Reply>),
}

fn confirm(at: &Connection, request: &RunRequest<'_>, known: &report::Run<'_>) -> Result<Confirmed, Problem> {
    let answer = at.client.bill(request).map_err(|failure| at.query_failed(&failure))?;
    let bill = match (&answer.bill, &answer.refusal) {
        (Ok(bill), _) => bill,
        (Err(faults), Some(refusal)) if faults.is_empty() => {
            return Ok(Confirmed::Not(Box::new(not_accepted(known, refusal))));
        }
        (Err(faults), _) => return Err(Problem::rejected(report::rejected(known.source, faults))),
    };
    if let Some(refusal) =
        answer.refusal.as_ref().filter(|refusal| !matches!(refusal, Refusal::NotApproved { .. }))
    {
        return Ok(Confirmed::Not(Box::new(not_accepted(known, refusal))));
    }
    let approval = hex(&answer.approval);
    if bill.writes.at_most == 0 {
        return Ok(Confirmed::Run(approval));
    }
    let shown = bill::text(bill, &answer.approval);
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        return Ok(if asked(&shown, "Run it?") {
            Confirmed::Run(approval)
        } else {
            Confirmed::Not(Box::new(declined()))
        });
    }
    Ok(Confirmed::Not(Box::new(not_confirmed(known, &answer, &shown, bill.writes.at_most))))
}

/// Asks on the terminal.
pub(crate) fn asked(bill: &str, question: &str) -> bool {
    let mut err = std::io::stderr().lock();
    if write!(err, "{bill}{question} [y/N] ").and_then(|()| err.flush()).is_err() {
        return false;
    }
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

fn declined() -> Reply {
    let json = json!({ "exit": Exit::Refused as u8, "error": "refused", "refusal": "declined", "message": "nothing was run" });
    Reply { exit: Exit::Refused, out: String::new(), err: "nothing was run.\n".to_owned(), json }
}

/// The policy refuses the bill, whoever confirms it.
fn not_accepted(known: &report::Run<'_>, refusal: &Refusal) -> Reply {
    let text = report::refused(known, refusal);
    let mut reply = Problem { exit: Exit::Refused, name: "refused", text }.into_reply();
    reply.json["refusal"] = json!(report::refusal_name(refusal));
    reply
}

fn not_confirmed(known: &report::Run<'_>, answer: &BillAnswer, shown: &str, writes: u64) -> Reply {
    let refused = report::not_confirmed(known, answer, writes);
    let json = json!({
        "exit": Exit::Refused as u8, "error": "refused", "refusal": "not_approved", "message": refused.trim_end(),
        "approval": hex(&answer.approval), "next": report::approve(known, &answer.approval),
        "bill": answer.bill.as_ref().ok().map(bill::to_json),
    });
    Reply { exit: Exit::Refused, out: String::new(), err: format!("{shown}\n{refused}"), json }
}

/// The outcome of a run that the server knows by this name: it does not run again, so there is nothing to confirm.
fn known_already(
    at: &Connection,
    request: &RunRequest<'_>,
    source: &Source,
    known: &report::Run<'_>,
    shape: Shape,
) -> Result<Option<(Outcome, Option<bool>)>, Problem> {
    let asked = at.client.ask(request.id).map_err(|failure| at.query_failed(&failure))?;
    if asked == Asked::Unknown {
        return Ok(None);
    }
    // The server says whether it was this program. If it has forgotten the run meanwhile, this begins none.
    let request = RunRequest { approval: APPROVES_NOTHING, ..request.clone() };
    let begun = Begun { id: request.id, source: Some(source), known, shape, profile: None };
    let known = wait_for(at, &begun, || at.client.start(&request, &[]))?;
    Ok(Some(known).filter(|(outcome, _)| outcome.end != End::Refused(Refusal::WrongApproval)))
}

/// What is known of a run that is waited for.
#[derive(Debug)]
pub(crate) struct Begun<'a> {
    /// Its identity.
    pub(crate) id: RunId,
    /// The program, if it is at hand.
    pub(crate) source: Option<&'a Source>,
    /// For messages.
    pub(crate) known: &'a report::Run<'a>,
    /// How to say what there is to say.
    pub(crate) shape: Shape,
    /// Where calls are counted.
    pub(crate) profile: Option<&'a RefCell<Profile>>,
}

/// Has a run begin or go on, and waits for its end; also, if it began earlier, whether it was running still.
pub(crate) fn wait_for(
    at: &Connection,
    begun: &Begun<'_>,
    begin: impl FnOnce() -> Result<Running, Failure>,
) -> Result<(Outcome, Option<bool>), Problem> {
    let Begun { id, source, known, shape, profile } = *begun;
    let waiter = Waiter::ready().map_err(|error| {
        Problem::failed(format!("failed: no thread to wait for the run with: {error}\nnothing was sent"))
    })?;
    let _cancelling = Cancelling::on_signals(at, id, known, shape);
    let watch = Watch::new(at, id, source.map(|source| &source.tree));
    let running = begin().map_err(|failure| lost(&failure, at, known))?;
    let mut shown = Shown::new(source.map_or(&[], |source| &source.registers), profile);
    let outcome = waiter.wait(running, watch, &mut shown);
    shown.clear();
    let outcome = outcome.map_err(|failure| lost(&failure, at, known))?;
    Ok((outcome, shown.again))
}

/// The answer did not come, or it was no outcome.
fn lost(failure: &Failure, at: &Connection, known: &report::Run<'_>) -> Problem {
    let message = told(&failure.details().message);
    let (exit, kind, text) = match failure.kind() {
        // A server that runs no programs has no such operation.
        Kind::Refused | Kind::NoSuchOperation => {
            (Exit::Refused, "refused", format!("refused: {message}\nnothing was run."))
        }
        Kind::BadArgument => (
            Exit::Usage,
            "usage",
            format!("error: {message}\nnothing was run. Give shorter arguments, or a smaller program"),
        ),
        // Whether it was the run that was not sent, or a question about it, is not known here.
        Kind::Unreachable => return unknown(DIED, at, known),
        _ => return unknown(&message, at, known),
    };
    Problem { exit, name: kind, text }
}

fn unknown(why: &str, at: &Connection, known: &report::Run<'_>) -> Problem {
    let text = format!(
        "outcome unknown: {why} ({})\nsome of it may have taken effect. Ask what did: {}",
        at.address,
        known.typed.status(known.name)
    );
    Problem { exit: Exit::Unknown, name: "unknown", text }
}

/// Cancels the run on Ctrl-C, from a thread of its own, until it is dropped.
struct Cancelling {
    handle: Option<Handle>,
}

impl Cancelling {
    /// Without it the run can be waited for, but not cancelled.
    fn on_signals(at: &Connection, id: RunId, known: &report::Run<'_>, shape: Shape) -> Cancelling {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return Cancelling { handle: None } };
        let handle = signals.handle();
        let client = at.client.clone();
        let leaving = unknown("you left before it ended", at, known).into_reply();
        let cancel = move || {
            for (count, _) in signals.forever().enumerate() {
                if count > 0 {
                    std::process::exit(output::print(&leaving, shape) as i32);
                }
                let _ = writeln!(
                    std::io::stderr(),
                    "cancelling; once more leaves without waiting for the outcome"
                );
                // On a thread of its own, so that a server that does not answer can be left. If it fails, so does the
                // wait for the outcome, which says why.
                let client = client.clone();
                let _ = thread::Builder::new().spawn(move || client.cancel(id));
            }
        };
        // Without a thread the signals do what they always do.
        match thread::Builder::new().name("carnet-cancel".to_owned()).spawn(cancel) {
            Ok(_) => Cancelling { handle: Some(handle) },
            Err(_) => Cancelling { handle: None },
        }
    }
}

impl Drop for Cancelling {
    fn drop(&mut self) {
        if let Some(handle) = &self.handle {
            handle.close();
        }
    }
}
