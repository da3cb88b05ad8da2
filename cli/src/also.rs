//! `--also`: services that programs can use beside the one that is served.
//!
//! ```text
//! --also kv=./data.db              a service of this process
//! --also relay=unix:./b.sock       of another one
//! --also far:files=/mnt/backup     by a name, with which texts of arguments begin: to=far:/today
//! ```

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use carnet_files::Access;
use carnet_idl::descriptor::Module;
use carnet_kv::Durability;
use carnet_portal::call::{Caller, Failure};
use carnet_program::host::{Beside, RootBeside, ServiceName};

use crate::args;
use crate::exit::Problem;
use crate::relay;
use crate::services::{self, Opened, Sharing, Wanted};
use crate::value::harmless;

/// A service as it is named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Also<'a> {
    /// What texts of arguments call it by.
    pub name: Option<ServiceName>,
    /// What kind of service it is.
    pub kind: &'a str,
    /// What it serves.
    pub what: &'a str,
    /// All of it.
    text: &'a str,
}

impl Also<'_> {
    fn parse(text: &str) -> Result<Also<'_>, Problem> {
        let (left, what) = text.split_once('=').ok_or_else(|| {
            Problem::usage(format!(
                "error: --also `{}` names no service\nexpected KIND=WHAT, for example: --also kv=./data.db",
                harmless(text)
            ))
        })?;
        let (name, kind) = left.split_once(':').map_or((None, left), |(name, kind)| (Some(name), kind));
        let Some(called) = name else { return Ok(Also { name: None, kind, what, text }) };
        let name = ServiceName::new(called).ok_or_else(|| {
            Problem::usage(format!(
                "error: --also calls a service `{}`\nexpected at most {} letters, digits, `-` and `_` before the colon, for example: \
                 --also far:{}={}",
                harmless(called),
                ServiceName::BYTES_MAX,
                harmless(kind),
                harmless(what)
            ))
        })?;
        Ok(Also { name: Some(name), kind, what, text })
    }
}

/// The services that are named.
///
/// # Errors
/// If one of them says nothing, or there are too many.
pub fn parse(args: &args::Serve) -> Result<Vec<Also<'_>>, Problem> {
    let (count, max) = (args.also.len(), Beside::MAX);
    if count > max {
        return Err(Problem::usage(format!(
            "error: {count} services beside the first, of {max} at most\nserve the others with a server of their own"
        )));
    }
    args.also.iter().map(|text| Also::parse(text)).collect()
}

/// Services of a kind in the server's process.
#[must_use]
pub fn alike(services: &[Also<'_>], args: &args::Serve, kind: &str) -> usize {
    services.iter().filter(|also| also.kind == kind).count() + usize::from(args.kind == kind)
}

/// One that is open.
pub struct OpenedBeside {
    /// As it was named.
    pub text: String,
    name: Option<ServiceName>,
    /// What was opened.
    pub opened: Opened,
}

impl OpenedBeside {
    /// For programs.
    ///
    /// # Errors
    /// If it has no root.
    pub fn beside(&self) -> Result<Beside, Failure> {
        let Opened { sharing, roots, module, .. } = &self.opened;
        let root = match sharing {
            Sharing::All => RootBeside::Shared(roots(&Caller::local())?),
            Sharing::None => {
                let roots = Arc::clone(roots);
                RootBeside::Each { module, root: Box::new(move |caller| roots(caller)) }
            }
        };
        Ok(Beside { name: self.name.clone(), root })
    }
}

/// Opens them. Programs tell services apart by their interfaces, or by names.
///
/// # Errors
/// If one cannot be opened, or could not be told apart from another one.
pub fn open(
    services: &[Also<'_>],
    args: &args::Serve,
    access: Access,
    durability: Durability,
    first: &'static Module,
) -> Result<Vec<OpenedBeside>, Problem> {
    let mut opened: Vec<OpenedBeside> = Vec::new();
    for also in services {
        let known: Vec<&'static Module> =
            std::iter::once(first).chain(opened.iter().map(|known| known.opened.module)).collect();
        let other = open_one(also, args, access, durability, (alike(services, args, also.kind), &known))?;
        if let Some(name) = also.name.as_ref().filter(|_| opened.iter().any(|known| known.name == also.name))
        {
            return Err(Problem::usage(format!(
                "error: two services are called `{}`\ngive each a name of its own",
                name.as_str()
            )));
        }
        let known = opened.iter().map(|known| (known.opened.module, known.name.is_some()));
        for (module, is_named) in std::iter::once((first, false)).chain(known) {
            can_be_told_apart(also, other.module, module, is_named)?;
        }
        opened.push(OpenedBeside { text: harmless(also.text), name: also.name.clone(), opened: other });
    }
    Ok(opened)
}

fn open_one(
    also: &Also<'_>,
    args: &args::Serve,
    access: Access,
    durability: Durability,
    (alike, known): (usize, &[&'static Module]),
) -> Result<Opened, Problem> {
    if also.kind == services::LINUX {
        return Err(Problem::usage(
            "error: --also takes no linux, whose sessions have a process each\nserve that one, and this beside it: carnet serve \
             linux DIR --also KIND=WHAT",
        ));
    }
    if also.kind == relay::KIND {
        return relay::open(args, OsStr::new(also.what), known);
    }
    let linux = &args::Linux::default();
    let wanted = Wanted { what: Path::new(also.what), access, quota: None, durability, alike, linux };
    (services::kind(also.kind)?.open)(&wanted)
}

/// Services of one interface have names, all but one, and the same text of it.
fn can_be_told_apart(
    also: &Also<'_>,
    module: &'static Module,
    known: &'static Module,
    known_is_named: bool,
) -> Result<(), Problem> {
    if module.name != known.name {
        return Ok(());
    }
    let name = &known.name;
    if !std::ptr::eq(module, known) {
        return Err(Problem::usage(format!(
            "error: --also {}: another version of the interface {name} than that of the other service\nserve each with a server of its own, or \
             both by the same version",
            harmless(also.text)
        )));
    }
    if also.name.is_none() && !known_is_named {
        return Err(Problem::usage(format!(
            "error: two services of the interface {name}\ngive this one a name, with which arguments that mean it begin: --also \
             other:{}",
            harmless(also.text)
        )));
    }
    Ok(())
}
