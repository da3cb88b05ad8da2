//! The key-value service: keys with values in one database file of the server, with transactions.
//!
//! What the operations mean is said in the interface, `kv.idl`; this page says how the promises are kept. The database is
//! [redb](https://docs.rs/redb): one file, copy-on-write B-trees, any number of readers beside one writer.
//!
//! ```text
//! Served<Store> ── Store (a prefix of keys) ── begin ──► Transaction ── a view, and what is to be written
//!                    │                                        │ commit: one write, or none
//!                    └── put, delete, swap, add ──► Engine ◄──┘ Running: who has how many open, and until when
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`serve`], [`Options`], [`Access`], [`OpenError`] | the way in |
//! | [`kv`] | the stubs of the interface |
//! | `engine` | the database: what an entry holds, and pages of entries |
//! | `store`, `transaction` | the two interfaces |
//! | `running` | the transactions that are open, and their limits |
//! | `span` | prefixes and ranges of keys |
//! | [`SturdyStores`] | stores and transactions that a later process finds again |
//! | `fault` | what went wrong, as the interface's `Error` |
//!
//! * **Nobody waits for a client.** Transactions are optimistic: they hold no lock, and `commit` finds out whether what they read is
//!   still so. The one writer of the database is held within single calls alone.
//! * **Durable.** What was acknowledged is on the disk, unless the operator says otherwise ([`Durability`]). A server that is killed
//!   finds it when it opens the file again.
//! * **Bounds.** A call goes over at most 1 MiB, and so does a commit, since a transaction reads and writes no more than that.
//! * **Rights** were decided when a portal was handed out: a prefix of keys, and whether they may be changed.
//!
//! What it does not do: one process has a file; it has no users and asks for no identity; a file never gets smaller.
//!
//! # Example
//! ```
//! use carnet_kv::{Access, Options, kv, serve};
//! use carnet_portal::call::Caller;
//! use carnet_portal::capability::Capability;
//! use carnet_portal::local::LocalSession;
//!
//! let folder = tempfile::tempdir()?;
//! let root = serve(Options { access: Access::ReadWrite, ..Options::new(folder.path().join("kv.db")) })?;
//! let session = LocalSession::new(Capability::new(root.into_object()), Caller::local());
//! let store = kv::Store::from_portal(session.root());
//!
//! store.put_int(b"visits", 41)?;
//! let both = store.begin()?;
//! both.put_int(b"visits", both.get_int(b"visits")? + 1)?;
//! both.put(b"last", b"today")?;
//! both.commit()?;
//! assert_eq!((store.get_int(b"visits")?, store.get(b"last")?), (42, b"today".to_vec()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod engine;
mod fault;
mod running;
mod span;
mod store;
mod sturdy;
mod transaction;

use std::fmt;
use std::path::PathBuf;
use std::sync::{self, Arc, MutexGuard, PoisonError};
use std::time::Duration;

pub use carnet_database::{Access, Clock, Durability, OpenError};
use carnet_database::{Fault, Opener, open_file, system_clock};
use carnet_portal::call::Object;
use carnet_portal::stub::Served;

use engine::Engine;
use kv::Reason;
use running::Running;
use span::Prefix;
use store::Store;

pub use sturdy::SturdyStores;

/// Stubs of the interface `kv.idl`.
pub mod kv {
    include!(concat!(env!("OUT_DIR"), "/kv.rs"));
}

/// Bytes that may be stored, unless [`Options::quota`] says otherwise.
pub const QUOTA: u64 = 1 << 30;
/// Transactions that may be open at once, unless [`Options::transactions_max`] says otherwise.
pub const TRANSACTIONS_MAX: usize = 64;
/// How long a transaction may be open, unless [`Options::transaction_time`] says otherwise.
pub const TRANSACTION_TIME: Duration = Duration::from_secs(30);
/// Bytes that a transaction reads and writes at most: keys, values that are written, and 64 for each.
pub const TRANSACTION_BYTES: usize = 1 << 20;

/// # Errors
/// `read_only` if keys may not be changed.
fn may_write(access: Access) -> Result<(), kv::Error> {
    if access == Access::ReadWrite { Ok(()) } else { Err(Fault::ReadOnly.into()) }
}

/// What is served, and how much of it.
#[derive(Clone)]
pub struct Options {
    /// The database file. If it may be changed and is not there, it is made.
    pub path: PathBuf,
    /// What the first portal may do.
    pub access: Access,
    /// Bytes that may be stored: keys, values, and 64 for each entry. The file is larger: pages are not full, and what is being
    /// replaced is kept until it is.
    pub quota: u64,
    /// Transactions that may be open at once, over all sessions; one session may have half of them, so may one process, and a principal three quarters. As many
    /// again may be kept by runs that stopped.
    pub transactions_max: usize,
    /// How long one may be open.
    pub transaction_time: Duration,
    /// When what was acknowledged is on the disk.
    pub durability: Durability,
    /// What tells when values are written.
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
            transactions_max: TRANSACTIONS_MAX,
            transaction_time: TRANSACTION_TIME,
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

/// Serves a database. Quota and transactions are shared by all who get a portal on the result.
///
/// Every page of a file that may be changed is checked first, which takes as long as reading it.
///
/// # Errors
/// If it cannot be opened.
pub fn serve(options: Options) -> Result<Served<kv::Store>, OpenError> {
    let (path, access) = (options.path.clone(), options.access);
    serve_from(Box::new(move || open_file(&path, access, &engine::LAYOUT)), &options)
}

/// Has all on the disk that was answered, below a root that this service made: with [`Durability::Memory`], before the process ends.
///
/// # Errors
/// Why that cannot be written: a clause about the database.
pub fn flush(root: &dyn Object) -> Result<(), String> {
    root.service().downcast_ref::<Store>().map_or(Ok(()), |store| store.engine.flush())
}

fn serve_from(open: Opener, options: &Options) -> Result<Served<kv::Store>, OpenError> {
    let running = Running::new(options.transactions_max, options.transaction_time);
    let Options { quota, durability, clock, .. } = options;
    let engine = Arc::new(Engine::new(open, *quota, *durability, Arc::clone(clock), running)?);
    Ok(kv::Store::serve(Store { engine, keys: Prefix::all(), access: options.access }))
}

/// The number whose decimal text `value` is.
fn int_of(key: &[u8], value: &[u8]) -> Result<i64, kv::Error> {
    let number = str::from_utf8(value).ok().and_then(|text| text.parse().ok());
    number.ok_or_else(|| fault::of_key(Reason::NotANumber, key, "does not hold a number"))
}

/// A lock; a panic elsewhere leaves nothing half done in what is kept here.
#[derive(Default)]
struct Mutex<T>(sync::Mutex<T>);

impl<T> Mutex<T> {
    fn new(value: T) -> Mutex<T> {
        Mutex(sync::Mutex::new(value))
    }

    fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
