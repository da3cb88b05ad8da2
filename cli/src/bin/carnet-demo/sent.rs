//! A program, compiled and ready to be sent, and what came of it, in the words of the `carnet` command.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use carnet_cli::args::Typed;
use carnet_cli::identity::RunName;
use carnet_cli::report::{self, Run};
use carnet_cli::source::Source;
use carnet_files::files;
use carnet_idl::diagnostic::render;
use carnet_program::compile::{Names, compile_named};
use carnet_program::protocol::{Argument, Outcome, RunOptions, RunRequest};
use carnet_program::source::args::{Arg, args};
use carnet_program::source::parse;
use carnet_programs::Shipped;

use crate::Trouble;

/// A program with its arguments.
pub(crate) struct Sent {
    source: Source,
    arguments: Vec<Arg>,
    name: RunName,
    typed: Typed,
}

impl Sent {
    /// Compiles `program` for the files service. What is wrong with it is an error as `carnet check` prints it.
    pub(crate) fn new(program: Shipped, arguments: &[&str]) -> Result<Sent, Trouble> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let modules = vec![Arc::new(files::module().clone())];
        let tree = parse(program.source, &modules)
            .map_err(|faults| render(program.file, program.source, &faults))?;
        let (compiled, Names { registers, variables }) = compile_named(&tree)?;
        let values = args(&tree, arguments).map_err(|faults| faults[0].clone())?;
        let source = Source {
            shown: program.file.to_owned(),
            text: program.source.to_owned(),
            bytes: compiled.encode(),
            tree,
            registers,
            variables,
            modules,
            installed: None,
            sent: None,
        };
        let name = RunName::chosen(&format!("demo-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
        Ok(Sent {
            source,
            arguments: values,
            name: name.map_err(|problem| problem.text)?,
            typed: Typed { program: command(program, arguments), ..Typed::default() },
        })
    }

    /// What asks the server to run it.
    pub(crate) fn request(&self) -> RunRequest<'_> {
        RunRequest {
            id: self.name.id(),
            options: RunOptions::default(),
            name: "",
            approval: "",
            arguments: self.arguments.iter().map(Argument::from).collect(),
            program: (&self.source.bytes).into(),
        }
    }

    /// What `carnet run` prints for an outcome.
    pub(crate) fn report(&self, outcome: &Outcome) -> String {
        let run = Run::new(Some(&self.source), &self.name, &self.typed);
        let reply = report::outcome(&run, outcome);
        reply.out + &reply.err
    }
}

/// `file name=value…`, as one would type it behind `carnet run`.
pub(crate) fn command(program: Shipped, arguments: &[&str]) -> String {
    [&[program.file], arguments].concat().join(" ")
}
