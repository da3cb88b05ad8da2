//! The files service: the files and directories below one directory of the server, as portals.
//!
//! What the operations mean is said in the interface, `files.idl`; this page says how the promises are kept.
//!
//! ```text
//! Served<Dir> ── Directory ── open/edit/create/replace ──► OpenFile   one descriptor, one permit
//!                   │  │  └── open_hash ─────────────────► FileHasher  one descriptor, one permit
//!                   │  └───── at, narrow ────────────────► Directory   the same or a lower directory
//!                   └── list ──► Listing                     a sorted window of names, kept between pages
//!                        all share one Instance: quota, permits, windows
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`serve`], [`Options`], [`Access`] | the way in |
//! | [`files`] | the stubs of the interface |
//! | `confine` | names to directory entries that lie below, and nowhere else |
//! | `fault` | what the system says, as the interface's `Error`; paths in messages |
//! | `instance` | what all portals of one service share: quota and permits |
//! | `dir`, `file`, `hasher` | the three interfaces |
//! | `listing` | pages of large directories |
//! | [`SturdyFiles`] | directories and files that a later process finds again |
//!
//! * **Confinement.** Paths are resolved by cap-std, that is by the kernel (`openat2` with `RESOLVE_BENEATH`)
//!   or component by component. Operations on an entry itself (stat, list, remove, rename, mode and time) resolve
//!   its directory so, and then name the entry in it, without following it.
//! * **Devices, pipes and sockets** are looked at before they are opened, and once more when open. Opening never
//!   waits (`O_NONBLOCK`).
//! * **Bounds.** A call reads, writes, copies or hashes at most 1 MiB. Only `list` does more: it must read the
//!   names of the whole directory once to sort them, with memory for at most 32,768 of them.
//! * **Rights** were decided when a portal was handed out: read-only directories make read-only files and
//!   directories, and nothing widens them.
//!
//! What it does not do: it has no users and asks for no identity (whoever holds a portal may use it), does not
//! make links, and watches nothing. Someone who may change the tree from outside can move a directory that a
//! portal stands on out of the tree; the portal stays on it, wherever it lies.
//!
//! # Example
//! ```
//! use carnet_files::{Access, Options, files, serve};
//! use carnet_portal::call::Caller;
//! use carnet_portal::capability::Capability;
//! use carnet_portal::local::LocalSession;
//!
//! let tree = tempfile::tempdir()?;
//! let options = Options { access: Access::ReadWrite, ..Options::new(tree.path()) };
//! let root = serve(options)?;
//! let session = LocalSession::new(Capability::new(root.into_object()), Caller::local());
//! let dir = files::Dir::from_portal(session.root());
//!
//! dir.create(b"note.txt")?.write(0, b"hello")?;
//! assert_eq!(dir.open(b"./note.txt")?.read(0, 100)?, b"hello");
//! let refused = dir.open(b"../note.txt").unwrap_err();
//! assert_eq!(refused.to_string(), r#""../note.txt" leaves the served directory"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod confine;
mod dir;
mod fault;
mod file;
mod hasher;
mod instance;
mod listing;
mod sturdy;

use std::io;
use std::path::PathBuf;

use carnet_portal::stub::Served;

pub use sturdy::SturdyFiles;

use dir::Directory;
use instance::Instance;

/// Stubs of the interface `files.idl`.
pub mod files {
    include!(concat!(env!("OUT_DIR"), "/files.rs"));
}

/// Bytes that one call reads, writes, copies or hashes at most.
pub const STEP_BYTES: usize = 1 << 20;

/// Files and directories that one service holds open at most, unless [`Options::handles_max`] says otherwise.
pub const HANDLES_MAX: usize = 4096;

/// Whether a directory may be changed through a portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reading only; every operation that would change something raises `read_only`.
    ReadOnly,
    /// Reading and writing.
    ReadWrite,
}

/// What is served, and how much of it.
#[derive(Clone, Debug)]
pub struct Options {
    /// The directory. Nothing outside of it can be reached.
    pub root: PathBuf,
    /// What the first portal may do.
    pub access: Access,
    /// Bytes that may be written in all, as long as the service lives. Overwriting counts; so does what makes a file longer
    /// without being written. What becomes shorter gives nothing back.
    pub quota: Option<u64>,
    /// Files and directories that may be open at once, over all sessions; one session may hold half of them, so may all
    /// of a process, and all of a principal three quarters, so that nobody locks out the others. Lowered to three quarters of the process's own limit of descriptors,
    /// or to a part of that if other services like it are in the process.
    pub handles_max: usize,
    /// Services of files in this process, this one among them.
    pub alike: usize,
}

impl Options {
    /// `root`, for reading only, without a quota, with [`HANDLES_MAX`] handles.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Options {
        Options {
            root: root.into(),
            access: Access::ReadOnly,
            quota: None,
            handles_max: HANDLES_MAX,
            alike: 1,
        }
    }
}

/// Serves a directory. The quota, the bound on handles and the memory for listings are shared by all who get a
/// portal on the result.
///
/// # Errors
/// If the root is not a directory, or cannot be opened; the text names it.
pub fn serve(options: Options) -> io::Result<Served<files::Dir>> {
    let root = cap_std::fs::Dir::open_ambient_dir(&options.root, cap_std::ambient_authority())
        .map_err(|e| io::Error::new(e.kind(), format!("cannot serve {:?}: {e}", options.root)))?;
    let instance = Instance::new(options.quota, options.handles_max, options.alike);
    Ok(files::Dir::serve(Directory::root(root, options.access, instance)))
}
