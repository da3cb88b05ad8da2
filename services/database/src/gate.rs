//! Who has the file open: one at a time.
//!
//! Whoever reads or writes holds it open, also when it has failed and nobody gets it any more. It can be opened anew only when the last of
//! these has let it go, since it is locked until then. Each is done within one call, or was told to end.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use redb::StorageError;

use crate::open::Handle;

/// Whether it is open.
#[derive(Default)]
pub(crate) struct Gate {
    is_open: Mutex<bool>,
    closed: Condvar,
}

/// The file as long as it is open.
pub(crate) struct Opened {
    /// There until it is dropped.
    handle: Option<Handle>,
    gate: Arc<Gate>,
}

impl Opened {
    pub(crate) fn handle(&self) -> Result<&Handle, StorageError> {
        self.handle.as_ref().ok_or(StorageError::PreviousIo)
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // Closed first, then told.
        drop(self.handle.take());
        *self.gate.is_open.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.gate.closed.notify_all();
    }
}

impl Gate {
    /// Opens it when nobody has it open any more; none if that takes longer. Who has it is told to end, from time to time: somebody may
    /// have begun before it was known that it failed.
    pub(crate) fn open<E>(
        self: &Arc<Gate>,
        within: Duration,
        tell: &(dyn Fn() + Send + Sync),
        open: impl FnOnce() -> Result<Handle, E>,
    ) -> Option<Result<Opened, E>> {
        const EACH: Duration = Duration::from_millis(5);
        let until = Instant::now() + within;
        let mut is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        while *is_open {
            if Instant::now() >= until {
                return None;
            }
            drop(is_open);
            tell();
            is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = self.closed.wait_timeout_while(is_open, EACH, |is_open| *is_open);
            is_open = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let handle = match open() {
            Ok(handle) => handle,
            Err(error) => return Some(Err(error)),
        };
        *is_open = true;
        drop(is_open);
        Some(Ok(Opened { handle: Some(handle), gate: Arc::clone(self) }))
    }
}
