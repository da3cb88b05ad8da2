//! `carnet defer`, `carnet deliver`, `carnet deferred`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Form, Program, Server, option};

/// Where what was deferred is.
#[derive(Args, Clone, Debug, Default)]
pub struct Journal {
    /// Directory of what was deferred; else ~/.local/state/carnet/deferred
    #[arg(long, value_name = "DIR", env = "CARNET_DEFERRED")]
    pub journal: Option<PathBuf>,
}

/// `carnet defer`.
#[derive(Args, Debug)]
pub struct Defer {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub program: Program,
    /// Defer one call: instead of FILE stands its operation, for example Dir.remove
    #[arg(long, conflicts_with = "resolver")]
    pub call: bool,
    /// For --call: make it on the portal that this text names, for example /docs
    #[arg(long, value_name = "TEXT", requires = "call")]
    pub on: Option<OsString>,
    /// Program that decides when this one fails; it has the same arguments, as far as it has parameters of these names
    #[arg(long, value_name = "FILE")]
    pub resolver: Option<PathBuf>,
    /// Digits that approve it, as shown before
    #[arg(long, value_name = "DIGITS")]
    pub approve: Option<String>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub journal: Journal,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet deliver`.
#[derive(Args, Debug)]
pub struct Deliver {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub journal: Journal,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub server: Server,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet deferred`.
#[derive(Debug, Subcommand)]
pub enum Deferred {
    /// List what is pending, or to be decided about
    List(DeferredList),
    /// Do not deliver one
    Withdraw(DeferredOne),
    /// Have one that did not end well run once more from its beginning
    Again(DeferredOne),
    /// Go on with a damaged directory: what is before the damage counts, the damaged file is put aside
    Salvage(DeferredList),
}

/// `carnet deferred list`, `carnet deferred salvage`.
#[derive(Args, Debug)]
pub struct DeferredList {
    /// Also what was delivered or withdrawn
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub journal: Journal,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet deferred withdraw`, `carnet deferred again`.
#[derive(Args, Debug)]
pub struct DeferredOne {
    /// Its number
    pub number: u64,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub journal: Journal,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

impl Defer {
    /// Its options as they can be typed again, but for the approval.
    #[must_use]
    pub fn options(&self) -> String {
        let call = if self.call { " --call" } else { "" }.to_owned();
        let on = option("--on", self.on.as_ref());
        [
            call,
            on,
            option("--resolver", self.resolver.as_ref()),
            option("--journal", self.journal.journal.as_ref()),
        ]
        .concat()
    }
}

impl Deferred {
    /// In what form to answer.
    #[must_use]
    pub fn form(&self) -> &Form {
        match self {
            Deferred::List(args) | Deferred::Salvage(args) => &args.form,
            Deferred::Withdraw(args) | Deferred::Again(args) => &args.form,
        }
    }
}
