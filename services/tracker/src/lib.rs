//! An issue tracker like the back end of a web page: projects, issues, labels and comments in one database file of the server.
//!
//! What the operations mean is said in the interface, `tracker.idl`; this page says how the promises are kept. Each call does one
//! small thing, as a request over HTTP does, so a client that goes over many issues makes many calls. Programs are for that.
//!
//! ```text
//! Served<Tracker> ── Tracker (all projects, or one) ── project ──► Project ── issue ──► Issue
//!                                                                      └────── Engine ──────┘ one change for each writing call
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`serve`], [`Options`], [`Access`], [`OpenError`] | the way in |
//! | [`tracker`] | the stubs of the interface |
//! | `projects`, `project`, `issue` | the three interfaces |
//! | `engine` | reading and changing projects and issues |
//! | `record`, `key` | what is stored, and under which keys |
//! | `check` | names, texts and cursors of callers |
//! | [`SturdyTrackers`] | projects and issues that a later process finds again |
//! | `fault` | what went wrong, as the interface's `Error` |
//!
//! * **Durable.** What was acknowledged is on the disk; a change is made whole or not at all.
//! * **Optimistic.** Nothing is locked. Each change gives an issue a version, and a caller can say which one it has seen.
//! * **Bounds.** A call goes over one page of a listing at most: each listing has an index of its own, so that none searches.
//! * **Rights** were decided when a portal was handed out: which projects, and whether they may be changed.
//!
//! What it does not do: one process has a file; projects, issues and comments are never deleted; whoever may change a project may
//! change all of it.
//!
//! # Example
//! ```
//! use carnet_portal::call::Caller;
//! use carnet_portal::capability::Capability;
//! use carnet_portal::local::LocalSession;
//! use carnet_tracker::{Access, Options, serve, tracker};
//!
//! let folder = tempfile::tempdir()?;
//! let root = serve(Options { access: Access::ReadWrite, ..Options::new(folder.path().join("issues.db")) })?;
//! let session = LocalSession::new(Capability::new(root.into_object()), Caller::local());
//! let tracker = tracker::Tracker::from_portal(session.root());
//!
//! let web = tracker.create(b"web")?;
//! let number = web.create("the page is empty".as_bytes(), b"")?;
//! let issue = web.issue(number)?;
//! issue.add_label(b"bug")?;
//! let seen = issue.get()?;
//! issue.set_state(tracker::State::Closed, seen.version)?;
//! assert_eq!((number, web.get()?.closed), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod engine;
mod fault;
mod issue;
mod key;
mod project;
mod projects;
mod record;
mod sturdy;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

pub use carnet_database::{Access, Clock, Durability, OpenError};
use carnet_database::{open_file, system_clock};
use carnet_portal::call::Object;
use carnet_portal::stub::Served;

use engine::Engine;
use projects::Projects;

pub use sturdy::SturdyTrackers;

/// Stubs of the interface `tracker.idl`.
pub mod tracker {
    include!(concat!(env!("OUT_DIR"), "/tracker.rs"));
}

/// Bytes that may be stored, unless [`Options::quota`] says otherwise.
pub const QUOTA: u64 = 1 << 30;

/// How many things there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Projects of the tracker.
    pub projects: u64,
    /// Issues of a project.
    pub issues: u64,
    /// Comments on an issue.
    pub comments: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { projects: 1_000, issues: 1_000_000, comments: 10_000 }
    }
}

/// What is served, and how much of it.
#[derive(Clone)]
pub struct Options {
    /// The database file. If it may be changed and is not there, it is made.
    pub path: PathBuf,
    /// What the first portal may do.
    pub access: Access,
    /// Bytes that may be stored: texts, what is known of each thing, and 64 for each entry of the database. The file is larger.
    pub quota: u64,
    /// How many things there may be.
    pub limits: Limits,
    /// When what was acknowledged is on the disk.
    pub durability: Durability,
    /// What tells when things are made and changed.
    pub clock: Clock,
}

impl Options {
    /// The file `path`, for reading only, with the defaults.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Options {
        Options {
            path: path.into(),
            access: Access::ReadOnly,
            quota: QUOTA,
            limits: Limits::default(),
            durability: Durability::Disk,
            clock: system_clock(),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("path", &self.path)
            .field("access", &self.access)
            .finish_non_exhaustive()
    }
}

/// Serves a tracker. Quota and limits are shared by all who get a portal on the result.
///
/// Every page of a file that may be changed is checked first, which takes as long as reading it.
///
/// # Errors
/// If it cannot be opened.
pub fn serve(options: Options) -> Result<Served<tracker::Tracker>, OpenError> {
    let Options { path, access, quota, limits, durability, clock } = options;
    let open = Box::new(move || open_file(&path, access, &engine::LAYOUT));
    let engine = Arc::new(Engine::new(open, quota, durability, limits, clock)?);
    Ok(tracker::Tracker::serve(Projects { engine, only: None, access }))
}

/// Has all on the disk that was answered, below a root that this service made: with [`Durability::Memory`], before the process ends.
///
/// # Errors
/// Why that cannot be written: a clause about the database.
pub fn flush(root: &dyn Object) -> Result<(), String> {
    root.service().downcast_ref::<Projects>().map_or(Ok(()), |projects| projects.engine.flush())
}
