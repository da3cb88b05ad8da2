//! What other threads tell the loop, and how they wake it.
//!
//! The first notice in the list rings the bell, a descriptor that the loop waits for among its sockets; the loop takes
//! all of them at once. So a hundred answers of programs are one wake-up.

use std::cell::Cell;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use carnet_queue::can_sleep_on_several;
use rustix::event::{EventfdFlags, eventfd};
use rustix::io::Errno;

use super::helpers::Done;
use super::memory::CLIENTS_MAX;
use crate::call::{Failure, Kind};
use crate::door::Guest;
use crate::session::{Session, lock};

/// Something that the loop must do.
pub(crate) enum Notice {
    /// Serve this session; it counts as that guest, if it came from afar.
    Arrived(Arc<Session>, Option<Guest>),
    /// Look at the session of this number.
    Attend(u64),
    /// A helper has made the call of the session of this number.
    Returned(u64, Box<Done>),
    /// Look whether the server ends.
    Look,
}

/// Notices that were not read yet.
pub(crate) struct Notices {
    list: Mutex<Vec<Notice>>,
    /// Readable while there are some.
    bell: OwnedFd,
    /// How many clients may share memory with the server, and how many do.
    neighbours_max: usize,
    neighbours: AtomicUsize,
}

thread_local! {
    static MAY_WAIT: Cell<bool> = const { Cell::new(true) };
}

/// Whether this thread may wait for a client. The loop may not, and those who make calls for it do not, either.
pub(crate) fn may_wait() -> bool {
    MAY_WAIT.get()
}

/// From now on this thread waits for no client.
pub(super) fn never_wait() {
    MAY_WAIT.set(false);
}

impl Notices {
    pub(crate) fn new() -> Result<Notices, Errno> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let neighbours_max = if can_sleep_on_several() { CLIENTS_MAX } else { 0 };
        Ok(Notices { list: Mutex::default(), bell, neighbours_max, neighbours: AtomicUsize::new(0) })
    }

    /// Whether one client more may share memory.
    ///
    /// # Errors
    /// [`Kind::Refused`], and why.
    pub(crate) fn check_neighbours(&self) -> Result<(), Failure> {
        let text = match self.neighbours_max {
            0 => "this server cannot wait for memory and sockets at once: that needs Linux 5.16".to_owned(),
            max if self.neighbours.load(Ordering::Relaxed) >= max => {
                format!("{max} clients share memory with this server, as many as one loop can wait for")
            }
            _ => return Ok(()),
        };
        Err(Failure::new(Kind::Refused, &text))
    }

    /// So many clients share memory.
    pub(super) fn set_neighbours(&self, count: usize) {
        self.neighbours.store(count, Ordering::Relaxed);
    }

    pub(crate) fn tell(&self, notice: Notice) {
        let mut list = lock(&self.list);
        list.push(notice);
        if list.len() == 1 {
            // It counts to 2^64, so that there is always room.
            let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
        }
    }

    /// All that was told since.
    pub(super) fn take(&self) -> Vec<Notice> {
        // Without a notice there is nothing to read, which is no fault.
        let _ = rustix::io::read(&self.bell, &mut [0; 8]);
        std::mem::take(&mut lock(&self.list))
    }

    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }
}
