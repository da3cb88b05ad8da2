//! The `carnet` command, as a library so that tests and other tools can drive it.
//!
//! Each verb is one file: it takes its part of the command line and returns what it has to say as a
//! [`Reply`], for people and as JSON. Only `serve` and `run` speak while they work.
//!
//! ```text
//! main ─ args ─► verb ─┬─ source ── interfaces    files to programs
//!                      ├─ connect                 address to session
//!                      ├─ value, report           results and outcomes to text and JSON
//!                      └─► Reply ─ exit, output   the exit code, and what is printed
//! ```
//!
//! | part | what it does |
//! | --- | --- |
//! | [`args`] | the command line |
//! | [`exit`] | exit codes, replies, problems |
//! | [`output`] | printing a reply |
//! | [`services`] | the kinds of service, in one list |
//! | [`serve`], [`policy`], [`door`] | `serve`, its policy file, and who may connect from other machines |
//! | [`token`] | making tokens and taking them back |
//! | [`describe`], [`check`], [`bill`], [`run`], [`resume`], [`status`], [`call`], [`debug`], [`idl`] | the other verbs |
//! | [`deferred`] | what is kept until the server can be reached |
//! | [`java`] | class files |
//! | [`interfaces`], [`source`] | interfaces that programs can use; program files |
//! | [`connect`] | the way to the server |
//! | [`identity`] | names of runs |
//! | [`value`], [`report`] | results and outcomes for people and as JSON |
//! | [`wait`], [`progress`] | waiting for a run, and what is shown meanwhile |
//!
//! What it does not do: it knows no interface by itself; a service is an entry in [`services`], or a file.

pub mod also;
pub mod args;
pub mod bill;
pub mod call;
pub mod check;
pub mod compile;
pub mod connect;
pub mod debug;
pub mod deferred;
pub mod describe;
pub mod door;
pub mod exit;
pub mod identity;
pub mod idl;
pub mod interfaces;
pub mod java;
mod kernel;
pub mod output;
pub mod policy;
pub mod progress;
mod refusals;
pub mod relay;
pub mod report;
pub mod resume;
pub mod run;
pub mod serve;
pub mod services;
pub mod source;
pub mod status;
pub mod token;
pub mod value;
pub mod wait;

use std::io::IsTerminal as _;

use args::{CommandLine, Debug, Idl, Java, Verb};
use exit::{Answer, Exit, Problem, Reply};
use output::Shape;
use serde_json::Value;

/// Does what the command line says, and prints what there is to say. Returns the exit code, which may be that of a Java program.
#[must_use]
pub fn execute(line: &CommandLine) -> u8 {
    if let Verb::Java(Java::Run(args)) = &line.verb {
        return java::run::run(args)
            .unwrap_or_else(|problem| output::print(&problem.into_reply(), Shape::Text) as u8);
    }
    let (answer, shape) = dispatch(&line.verb);
    let reply = answer.unwrap_or_else(Problem::into_reply).explained();
    output::print(&reply, shape) as u8
}

/// Prints what there is to say of a command line that was not taken: it is wrong, or it asks for help.
#[must_use]
pub fn explain(refused: &clap::Error) -> Exit {
    if refused.use_stderr() {
        // It may have colours; if it cannot be written, nobody is left to be told.
        let _ = refused.print();
        let problem = Problem::usage(refused.render().to_string().trim_end());
        return output::print(&Reply { err: String::new(), ..problem.into_reply() }, shape_wanted());
    }
    let help = refused.render();
    let terminal = std::io::stdout().is_terminal();
    let out = if terminal { help.ansi().to_string() } else { help.to_string() };
    output::print(&Reply::done(out, Value::Null), Shape::Text)
}

/// The form that a command line wants which was not taken.
fn shape_wanted() -> Shape {
    let mut options = std::env::args_os().take_while(|word| word != "--");
    if options.any(|word| word == "--json") { Shape::Json } else { Shape::Text }
}

fn dispatch(verb: &Verb) -> (Answer, Shape) {
    match verb {
        Verb::Serve(args) => (serve::serve(args), shape(&args.form)),
        Verb::Describe(args) => (describe::describe(args), shape(&args.form)),
        Verb::Check(args) => (check::check(args), shape(&args.form)),
        Verb::Compile(args) => (compile::compile(args), shape(&args.form)),
        Verb::Bill(args) => (bill::bill(args), shape(&args.form)),
        Verb::Run(args) => (run::run(args), shape(&args.form)),
        Verb::Resume(args) => (resume::resume(args), shape(&args.form)),
        Verb::Runs(args) => (resume::runs(args), shape(&args.form)),
        Verb::Cancel(args) => (resume::cancel(args), shape(&args.form)),
        Verb::Discard(args) => (resume::discard(args), shape(&args.form)),
        Verb::Defer(args) => (deferred::defer(args), shape(&args.form)),
        Verb::Deliver(args) => (deferred::deliver(args), shape(&args.form)),
        Verb::Deferred(args) => (deferred::deferred(args), shape(args.form())),
        Verb::Status(args) => (status::status(args), shape(&args.form)),
        Verb::Call(args) => (call::call(args), shape(&args.form)),
        Verb::Token(args) => (token::token(args), shape(args.form())),
        Verb::Idl(Idl::Build(args)) => (idl::build(args), shape(&args.form)),
        Verb::Idl(Idl::Check(args)) => (idl::check(args), shape(&args.form)),
        Verb::Idl(Idl::Fmt(args)) => (idl::pages::fmt(args), shape(&args.form)),
        Verb::Idl(Idl::Doc(args)) => (idl::pages::doc(args), shape(&args.form)),
        // Run before: its output and exit code are its own.
        Verb::Java(Java::Run(_)) => (Ok(Reply::done(String::new(), Value::Null)), Shape::Text),
        Verb::Java(Java::Verify(args)) => (java::verify_files(args), shape(&args.form)),
        Verb::Java(Java::Inspect(args)) => (java::inspect(args), shape(&args.form)),
        Verb::Debug(Debug::Profile(args)) => (debug::profile::profile(args), shape(&args.form)),
        Verb::Debug(Debug::Step(args)) => (debug::step::step(args), shape(&args.form)),
        Verb::Debug(Debug::Disasm(args)) => (debug::disassemble(args), shape(&args.form)),
    }
}

fn shape(form: &args::Form) -> Shape {
    if form.json { Shape::Json } else { Shape::Text }
}
