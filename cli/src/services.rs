//! The kinds of service that `carnet serve` knows. A new one is one entry in [`KINDS`].

use std::path::Path;

use carnet_files::{Access, Options, files};
use carnet_idl::descriptor::Module;
use carnet_portal::capability::Capability;

use crate::exit::Problem;
use crate::source::shown;

/// A kind of service.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// As the command line names it.
    pub name: &'static str,
    /// Its interface, which programs can `use` without more.
    pub module: fn() -> &'static Module,
    /// Opens it.
    pub open: fn(&Wanted<'_>) -> Result<Opened, Problem>,
}

/// What is to be served.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// As the command line names it.
    pub what: &'a Path,
    /// Whether it may be changed.
    pub access: Access,
    /// Bytes that may be written in all.
    pub quota: Option<u64>,
}

/// A service that is ready.
#[derive(Debug)]
pub struct Opened {
    /// The object that sessions are opened on.
    pub root: Capability,
    /// For people: what may be done with it.
    pub summary: String,
}

/// All kinds.
pub const KINDS: &[Kind] = &[Kind { name: "files", module: files::module, open: open_files }];

/// The kind that is named so.
///
/// # Errors
/// If there is none.
pub fn kind(name: &str) -> Result<&'static Kind, Problem> {
    KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        let meant = carnet_idl::diagnostic::did_you_mean(name, names.iter().copied());
        let hint = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        Problem::usage(format!(
            "error: there is no kind of service `{}`{hint}\nexpected {}, for example: \
             carnet serve files DIR --listen unix:./c.sock",
            crate::value::harmless(name),
            names.join(" or ")
        ))
    })
}

fn open_files(wanted: &Wanted<'_>) -> Result<Opened, Problem> {
    let options = Options { access: wanted.access, quota: wanted.quota, ..Options::new(wanted.what) };
    let served = carnet_files::serve(options).map_err(|error| cannot_serve(wanted.what, &error))?;
    let rights = match wanted.access {
        Access::ReadOnly => "read",
        Access::ReadWrite => "read, write",
    };
    let quota = wanted.quota.map(|quota| format!(", at most {}", carnet_program::text::bytes(quota)));
    let summary = format!("{rights}{}", quota.unwrap_or_default());
    Ok(Opened { root: Capability::new(served.into_object()), summary })
}

fn cannot_serve(what: &Path, error: &std::io::Error) -> Problem {
    let what = shown(what);
    let (why, hint) = match error.kind() {
        std::io::ErrorKind::NotFound => {
            ("there is no such directory".to_owned(), format!("make it: mkdir {what}"))
        }
        std::io::ErrorKind::NotADirectory => {
            ("it is not a directory".to_owned(), "give a directory".to_owned())
        }
        std::io::ErrorKind::PermissionDenied => {
            ("no permission to read it".to_owned(), "give a directory that you may read".to_owned())
        }
        _ => (error.to_string(), "give another directory".to_owned()),
    };
    Problem::usage(format!("error: cannot serve {what}: {why}\n{hint}"))
}
