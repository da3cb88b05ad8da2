//! What all portals of one service share: the quota, the permits to hold a descriptor, the windows of listings.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use carnet_portal::seats::{Bounds, Full, Seat, Seats};
use carnet_portal::stub::Caller;
use rustix::process::{Resource, getrlimit};

use crate::fault;
use crate::files::{Error, Reason};
use crate::listing::Walks;

/// One service.
pub(crate) struct Instance {
    pub(crate) quota: Quota,
    pub(crate) walks: Mutex<Walks>,
    handles: Arc<Seats>,
    next_owner: AtomicU64,
}

impl Instance {
    pub(crate) fn new(quota: Option<u64>, handles_max: usize, alike: usize) -> Arc<Instance> {
        let all = handles_max.min(descriptors_max() / alike.max(1));
        Arc::new(Instance {
            quota: Quota::new(quota),
            walks: Mutex::default(),
            handles: Seats::new(Bounds::handed_out(all)),
            next_owner: AtomicU64::new(0),
        })
    }

    /// A number that no other directory portal of this service has.
    pub(crate) fn owner(&self) -> u64 {
        self.next_owner.fetch_add(1, Ordering::Relaxed)
    }

    /// A permit to hold one more descriptor, for `path`.
    ///
    /// # Errors
    /// `busy` if the service holds as many as it may, a session or a process half of that, or all of a principal's three quarters.
    pub(crate) fn permit(&self, caller: &Caller, path: &[u8]) -> Result<Permit, Error> {
        self.handles.take(caller).map_err(|full| too_many(path, full))
    }
}

#[cold]
fn too_many(path: &[u8], full: Full) -> Error {
    let full = full.tell("this service", ["holds", "hold"], "files and directories");
    fault::error(Reason::Busy, path, format!("cannot be opened now: {full}"))
}

/// Descriptors that all services of files may hold of those that the process may have: the rest is for sessions, and for
/// what a call needs while it runs.
fn descriptors_max() -> usize {
    let process_max = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(process_max / 4 * 3).unwrap_or(usize::MAX)
}

/// The right to hold one descriptor, given back when dropped. Declare it after what holds the descriptor, so that
/// it is dropped later.
pub(crate) type Permit = Seat;

/// Bytes that may still be written, or added to files without being written.
pub(crate) struct Quota {
    bytes_max: Option<u64>,
    left: AtomicU64,
}

impl Quota {
    fn new(bytes_max: Option<u64>) -> Quota {
        Quota { bytes_max, left: AtomicU64::new(bytes_max.unwrap_or(u64::MAX)) }
    }

    /// Whether there is a bound.
    pub(crate) fn is_bounded(&self) -> bool {
        self.bytes_max.is_some()
    }

    /// Takes `bytes` before they are written; what is not used goes back with [`Quota::refund`].
    ///
    /// # Errors
    /// `quota` if fewer are left; nothing is taken then.
    pub(crate) fn take(&self, bytes: u64, path: &[u8]) -> Result<(), Error> {
        self.take_up_to(bytes, bytes, path).map(|_| ())
    }

    /// Takes as many of `bytes` as are left, but at least `least`.
    ///
    /// # Errors
    /// `quota` if fewer than `least` are left; nothing is taken then.
    pub(crate) fn take_up_to(&self, bytes: u64, least: u64, path: &[u8]) -> Result<u64, Error> {
        let Some(bytes_max) = self.bytes_max else { return Ok(bytes) };
        let rest = |left: u64| (left >= least).then(|| left - left.min(bytes));
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest) {
            Ok(left) => Ok(left.min(bytes)),
            Err(left) => Err(exceeded(path, bytes, left, bytes_max)),
        }
    }

    /// Gives back what was taken and not written.
    pub(crate) fn refund(&self, bytes: u64) {
        if self.is_bounded() {
            self.left.fetch_add(bytes, Ordering::Relaxed);
        }
    }
}

#[cold]
fn exceeded(path: &[u8], bytes: u64, left: u64, bytes_max: u64) -> Error {
    let noun = if bytes == 1 { "byte" } else { "bytes" };
    let text = format!(
        "was not changed: that counts as {bytes} {noun}, but {left} are left of a quota of {bytes_max}"
    );
    fault::error(Reason::Quota, path, text)
}

/// Locks; a panic elsewhere leaves nothing half done in what is kept here.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
