//! The kinds of service that `carnet serve` knows. A new one is one entry in [`KINDS`].

use std::path::Path;
use std::sync::Arc;

use carnet_bank::{Bank, SturdyBank, bank};
use carnet_files::{Access, Options, SturdyFiles, files};
use carnet_idl::descriptor::Module;
use carnet_kv::{Durability, OpenError, SturdyStores, kv};
use carnet_linux::{Linux, NotServed, Rights, Rules, Starter, SturdyLinux, Together, WithoutLandlock, linux};
use carnet_portal::call::{Caller, Failure, Object};
use carnet_portal::capability::Capability;
use carnet_portal::sturdy::Sturdy;
use carnet_tracker::{SturdyTrackers, tracker};

use carnet_program::text::grouped;

use crate::args;
use crate::exit::Problem;
use crate::policy;
use crate::relay;
use crate::source::shown;

/// Bytes of a page frame.
const FRAME_BYTES: u64 = 4 << 10;
/// Bytes of all frames of a bank, if nothing is said.
const BANK_BYTES: u64 = 16 << 20;
/// Most frames of a bank.
const FRAMES_MAX: usize = 1 << 20;

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
    /// Bytes that may be written in all, or stored, as the kind of service has it.
    pub quota: Option<u64>,
    /// When changes of a database are on the disk.
    pub durability: Durability,
    /// Services of this kind in this process, this one among them.
    pub alike: usize,
    /// What is said of Linux calls alone.
    pub linux: &'a args::Linux,
}

/// A service that is ready.
pub struct Opened {
    /// Its interface.
    pub module: &'static Module,
    /// The object that each session is opened on.
    pub roots: Roots,
    /// Whether that is the same one for all.
    pub sharing: Sharing,
    /// For people: what may be done with it.
    pub summary: String,
    /// Names its objects for the next server.
    pub sturdy: Arc<dyn Sturdy>,
    /// What is done when the server has ended, or why it could not be: a clause about the service.
    pub at_end: AtEnd,
}

/// Whether sessions have the same root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// All have it.
    All,
    /// Each has its own.
    None,
}

/// What is done at the end.
pub type AtEnd = Box<dyn Fn() -> Result<(), String> + Send + Sync>;

/// Nothing.
#[must_use]
pub fn nothing() -> AtEnd {
    Box::new(|| Ok(()))
}

/// Whether services of this kind keep what they are told in a database.
#[must_use]
pub fn is_database(kind: &str) -> bool {
    matches!(kind, "kv" | "tracker")
}

/// Gives each session its root object, or says why it cannot.
pub type Roots = Arc<dyn Fn(&Caller) -> Result<Capability, Failure> + Send + Sync>;

/// The kind whose sessions have a process each.
pub const LINUX: &str = "linux";
/// With this argument, this program is the process of a session.
pub const LINUX_SESSION: &str = "linux-session";

/// The same object for all sessions.
#[must_use]
pub fn same(root: Capability) -> Roots {
    Arc::new(move |_| Ok(root.clone()))
}

/// All kinds.
pub const KINDS: &[Kind] = &[
    Kind { name: "files", module: files::module, open: open_files },
    Kind { name: "kv", module: kv::module, open: open_kv },
    Kind { name: "tracker", module: tracker::module, open: open_tracker },
    Kind { name: "bank", module: bank::module, open: open_bank },
    Kind { name: LINUX, module: linux::module, open: open_linux },
];

/// The kind that is named so.
///
/// # Errors
/// If there is none.
pub fn kind(name: &str) -> Result<&'static Kind, Problem> {
    KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        let known = names.iter().copied().chain([relay::KIND]);
        let meant = carnet_idl::diagnostic::did_you_mean(name, known);
        let hint = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        Problem::usage(format!(
            "error: there is no kind of service `{}`{hint}\nexpected {} or {}, for example: \
             carnet serve files DIR --listen unix:./c.sock",
            crate::value::harmless(name),
            names.join(", "),
            relay::KIND
        ))
    })
}

fn open_files(wanted: &Wanted<'_>) -> Result<Opened, Problem> {
    let Wanted { access, quota, alike, .. } = *wanted;
    let options = Options { access, quota, alike, ..Options::new(wanted.what) };
    let served = carnet_files::serve(options).map_err(|error| cannot_serve(wanted.what, &error))?;
    let (roots, summary) =
        (same(Capability::new(served.into_object())), summary(wanted.access, wanted.quota));
    let sturdy = Arc::new(SturdyFiles);
    let sharing = Sharing::All;
    Ok(Opened { module: files::module(), roots, sharing, summary, sturdy, at_end: nothing() })
}

fn open_kv(wanted: &Wanted<'_>) -> Result<Opened, Problem> {
    let (access, quota) = of_database(wanted, carnet_kv::QUOTA);
    let durability = wanted.durability;
    let options = carnet_kv::Options { access, quota, durability, ..carnet_kv::Options::new(wanted.what) };
    let served = carnet_kv::serve(options).map_err(|error| no_database(wanted.what, &error))?;
    Ok(database(Arc::new(SturdyStores), served.into_object(), wanted, quota, carnet_kv::flush))
}

fn open_tracker(wanted: &Wanted<'_>) -> Result<Opened, Problem> {
    let (access, quota) = of_database(wanted, carnet_tracker::QUOTA);
    let durability = wanted.durability;
    let options =
        carnet_tracker::Options { access, quota, durability, ..carnet_tracker::Options::new(wanted.what) };
    let served = carnet_tracker::serve(options).map_err(|error| no_database(wanted.what, &error))?;
    Ok(database(Arc::new(SturdyTrackers), served.into_object(), wanted, quota, carnet_tracker::flush))
}

/// What is named is the socket at which applications hand their pages over; the quota is that of all frames.
fn open_bank(wanted: &Wanted<'_>) -> Result<Opened, Problem> {
    if wanted.access == Access::ReadOnly {
        let hint = "leave --read-only out, and have a policy say who may take how much";
        return Err(Problem::usage(format!(
            "error: a bank of frames cannot be served for reading only\n{hint}"
        )));
    }
    let bytes = wanted.quota.unwrap_or(BANK_BYTES);
    let frames = usize::try_from(bytes / FRAME_BYTES).unwrap_or(usize::MAX);
    if !(1..=FRAMES_MAX).contains(&frames) {
        let message = format!("error: a bank has 1 to {FRAMES_MAX} frames of 4 KiB, and not {frames}");
        return Err(Problem::usage(format!("{message}\ngive a --quota of at least 4KiB")));
    }
    let socket = Some(wanted.what.to_owned());
    let frames_per_user = (frames / 2).max(1);
    let options = carnet_bank::Options { frames, frames_per_user, socket, ..carnet_bank::Options::default() };
    let (_, root) = Bank::serve(options).map_err(|error| why_not(wanted.what, &error, "socket"))?;
    let summary = format!("{} frames, {} a user", grouped(frames as u64), grouped(frames_per_user as u64));
    let roots = same(Capability::new(root.into_object()));
    let (sharing, sturdy) = (Sharing::All, Arc::new(SturdyBank));
    Ok(Opened { module: bank::module(), roots, sharing, summary, sturdy, at_end: nothing() })
}

/// Each session gets a process of its own, with its first call.
fn open_linux(wanted: &Wanted<'_>) -> Result<Opened, Problem> {
    let own = match wanted.access {
        Access::ReadOnly => Rights::Read,
        Access::ReadWrite => Rights::Write,
    };
    let asked = wanted.linux;
    let mut rules = Rules::new(wanted.what, own);
    rules.directories.extend(asked.read.iter().map(|path| (path.clone(), Rights::Read)));
    rules.directories.extend(asked.write.iter().map(|path| (path.clone(), Rights::Write)));
    (rules.network.bind, rules.network.connect) = (asked.bind.clone(), asked.connect.clone());
    rules.limits.written = wanted.quota;
    if let Some(descriptors) = asked.descriptors {
        rules.limits.descriptors = descriptors;
    }
    if let Some(text) = &asked.process_memory {
        rules.limits.memory = policy::size(text).map_err(|why| {
            let text = crate::value::harmless(text);
            Problem::usage(format!(
                "error: --process-memory {text} is no size{why}\nexpected for example 512MiB"
            ))
        })?;
    }
    if asked.without_landlock {
        rules.without_landlock = WithoutLandlock::Serve;
    }
    if asked.without_io_uring {
        rules.together = Together::Never;
    }
    let summary = of_linux(&rules, summary(wanted.access, wanted.quota));
    let served = Linux::serve(rules, Starter::myself(LINUX_SESSION)).map_err(|error| not_linux(&error))?;
    served.begins().map_err(|error| not_linux(&error))?;
    let roots: Roots = Arc::new(move |caller| Ok(Capability::new(served.session(caller))));
    let (sharing, sturdy) = (Sharing::None, Arc::new(SturdyLinux));
    Ok(Opened { module: linux::module(), roots, sharing, summary, sturdy, at_end: nothing() })
}

/// What may be done, for people.
fn of_linux(rules: &Rules, mut summary: String) -> String {
    let also = rules.directories.len() - 1;
    if also > 0 {
        summary.push_str(&format!(", {also} more {}", if also == 1 { "directory" } else { "directories" }));
    }
    for (what, ports) in [("listens on", &rules.network.bind), ("connects to", &rules.network.connect)] {
        let ports: Vec<String> = ports.iter().map(u16::to_string).collect();
        if !ports.is_empty() {
            summary.push_str(&format!(", {what} {}", ports.join(" ")));
        }
    }
    summary
}

fn not_linux(error: &NotServed) -> Problem {
    let NotServed::Directory { path, error } = error else {
        let hint = match error {
            NotServed::Proc(_) => {
                "a process that can write /proc can change its own memory; give a directory without it"
            }
            NotServed::NoLandlock => {
                "switch it on (landlock(7)), or serve all the same with --without-landlock: links lead out of the directories then"
            }
            NotServed::Process(_) => "a session's process needs some 64 MiB for itself: see --process-memory",
            NotServed::Thread(_) => "try again when the system has some",
            NotServed::Nothing | NotServed::Directory { .. } => "give a directory",
        };
        return Problem::usage(format!("error: cannot serve Linux calls: {error}\n{hint}"));
    };
    cannot_serve(path, error)
}

/// Rights and quota of a service over a database file, whose quota is `usual` if nothing is said.
fn of_database(wanted: &Wanted<'_>, usual: u64) -> (carnet_kv::Access, u64) {
    let access = match wanted.access {
        Access::ReadOnly => carnet_kv::Access::ReadOnly,
        Access::ReadWrite => carnet_kv::Access::ReadWrite,
    };
    (access, wanted.quota.unwrap_or(usual))
}

fn database(
    sturdy: Arc<dyn Sturdy>,
    root: Arc<dyn Object>,
    wanted: &Wanted<'_>,
    quota: u64,
    flush: fn(&dyn Object) -> Result<(), String>,
) -> Opened {
    // What cannot be changed cannot grow.
    let quota = (wanted.access == Access::ReadWrite).then_some(quota);
    let in_memory = match wanted.durability {
        Durability::Memory if quota.is_some() => ", in memory first",
        _ => "",
    };
    let summary = format!("{}{in_memory}", summary(wanted.access, quota));
    let served = Arc::clone(&root);
    let (module, roots) = (sturdy.module(), same(Capability::new(root)));
    let (sharing, at_end) = (Sharing::All, Box::new(move || flush(&*served)));
    Opened { module, roots, sharing, summary, sturdy, at_end }
}

fn summary(access: Access, quota: Option<u64>) -> String {
    let rights = match access {
        Access::ReadOnly => "read",
        Access::ReadWrite => "read, write",
    };
    let quota = quota.map(|quota| format!(", at most {}", carnet_program::text::bytes(quota)));
    format!("{rights}{}", quota.unwrap_or_default())
}

fn no_database(what: &Path, error: &OpenError) -> Problem {
    let hint = match error {
        OpenError::Directory | OpenError::NoFile | OpenError::NoDatabase | OpenError::OtherTables => {
            "give a database that this service made, or a name that is free: it is made then".to_owned()
        }
        OpenError::Format { .. } => "serve it with the version that made it".to_owned(),
        OpenError::Locked => {
            "end that process, or connect to it instead of serving the file twice".to_owned()
        }
        OpenError::NeedsRepair => "serve it once without --read-only".to_owned(),
        OpenError::Damaged(_) => "put a copy in its place that is whole".to_owned(),
        OpenError::Io(error) => return why_not(what, error, "database"),
    };
    Problem::usage(format!("error: cannot serve {}: {error}\n{hint}", shown(what)))
}

fn cannot_serve(what: &Path, error: &std::io::Error) -> Problem {
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            let what = shown(what);
            Problem::usage(format!(
                "error: cannot serve {what}: there is no such directory\nmake it: mkdir {what}"
            ))
        }
        std::io::ErrorKind::NotADirectory => {
            let what = shown(what);
            Problem::usage(format!("error: cannot serve {what}: it is not a directory\ngive a directory"))
        }
        _ => why_not(what, error, "directory"),
    }
}

fn why_not(what: &Path, error: &std::io::Error, noun: &str) -> Problem {
    let (why, hint) = match error.kind() {
        std::io::ErrorKind::NotFound => {
            (format!("there is no such {noun}"), format!("give a {noun} in a directory that is there"))
        }
        std::io::ErrorKind::PermissionDenied => {
            ("no permission to read it".to_owned(), format!("give a {noun} that you may read"))
        }
        _ => (error.to_string(), format!("give another {noun}")),
    };
    Problem::usage(format!("error: cannot serve {}: {why}\n{hint}", shown(what)))
}
