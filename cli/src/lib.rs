//! The `carnet` command, as a library so that tests and other tools can drive it.
//!
//! Each verb is one file: it takes its part of the command line and returns what it has to say as a
//! [`Reply`], for people and as JSON. Only `serve` and `run` speak while they work.
//!
//! ```text
//! main ─ args ─► verb ─┬─ source ── interfaces    files to programs
//!                      ├─ connect                 address to session
//!                      ├─ value, report           results and outcomes to text and JSON
//!                      └─► Reply ─ exit           what is printed, and the exit code
//! ```
//!
//! | part | what it does |
//! | --- | --- |
//! | [`args`] | the command line |
//! | [`exit`] | exit codes, replies, problems |
//! | [`services`] | the kinds of service, in one list |
//! | [`serve`], [`policy`], [`door`] | `serve`, its policy file, and who may connect from other machines |
//! | [`token`] | making tokens and taking them back |
//! | [`describe`], [`check`], [`bill`], [`run`], [`status`], [`call`], [`debug`], [`idl`] | the other verbs |
//! | [`interfaces`], [`source`] | interfaces that programs can use; program files |
//! | [`connect`] | the way to the server |
//! | [`identity`] | names of runs |
//! | [`value`], [`report`] | results and outcomes for people and as JSON |
//! | [`wait`], [`progress`] | waiting for a run, and what is shown meanwhile |
//!
//! What it does not do: it knows no interface by itself; a service is an entry in [`services`], or a file.

pub mod args;
pub mod bill;
pub mod call;
pub mod check;
pub mod connect;
pub mod debug;
pub mod describe;
pub mod door;
pub mod exit;
pub mod identity;
pub mod idl;
pub mod interfaces;
pub mod policy;
pub mod progress;
pub mod report;
pub mod run;
pub mod serve;
pub mod services;
pub mod source;
pub mod status;
pub mod token;
pub mod value;
pub mod wait;

use std::io::Write as _;

use args::{CommandLine, Debug, Idl, Verb};
use exit::{Answer, Exit, Reply};

/// Does what the command line says, and prints what there is to say.
#[must_use]
pub fn execute(line: &CommandLine) -> Exit {
    let (answer, shape) = dispatch(&line.verb);
    let reply = answer.unwrap_or_else(exit::Problem::into_reply);
    print(&reply, shape);
    reply.exit
}

fn dispatch(verb: &Verb) -> (Answer, Shape) {
    match verb {
        Verb::Serve(args) => (serve::serve(args), Shape::Text),
        Verb::Describe(args) => (describe::describe(args), shape(&args.form)),
        Verb::Check(args) => (check::check(args), shape(&args.form)),
        Verb::Bill(args) => (bill::bill(args), shape(&args.form)),
        Verb::Run(args) => (run::run(args), shape(&args.form)),
        Verb::Status(args) => (status::status(args), shape(&args.form)),
        Verb::Call(args) => (call::call(args), shape(&args.form)),
        Verb::Token(args) => (token::token(args), Shape::Text),
        Verb::Idl(Idl::Build(args)) => (idl::build(args), Shape::Text),
        Verb::Idl(Idl::Check(args)) => (idl::check(args), shape(&args.form)),
        Verb::Idl(Idl::Fmt(args)) => (idl::pages::fmt(args), Shape::Text),
        Verb::Idl(Idl::Doc(args)) => (idl::pages::doc(args), Shape::Text),
        Verb::Debug(Debug::Disasm(args)) => (debug::disasm(args), Shape::Text),
    }
}

/// What is printed on standard output.
#[derive(Clone, Copy)]
enum Shape {
    /// Text for people.
    Text,
    /// One JSON object.
    Json,
}

fn shape(form: &args::Form) -> Shape {
    if form.json { Shape::Json } else { Shape::Text }
}

/// Prints a reply. Whoever hung up did not want to read the rest.
fn print(reply: &Reply, shape: Shape) {
    let mut out = std::io::stdout().lock();
    let _ = match shape {
        Shape::Json => writeln!(out, "{}", reply.json),
        Shape::Text => out.write_all(reply.out.as_bytes()),
    };
    let _ = out.flush();
    let _ = std::io::stderr().lock().write_all(reply.err.as_bytes());
}
