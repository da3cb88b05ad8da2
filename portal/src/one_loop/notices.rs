//! What other threads tell the loop, and how they wake it.
//!
//! The first notice in the list rings the bell, a descriptor that the loop waits for among its sockets; the loop takes
//! all of them at once. So a hundred answers of programs are one wake-up.

use std::cell::Cell;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex};

use carnet_queue::can_sleep_on_several;
use rustix::event::{EventfdFlags, eventfd};
use rustix::io::Errno;

use super::helpers::Done;
use super::memory::CLIENTS_MAX;
use crate::call::{Caller, Failure, Kind};
use crate::door::Guest;
use crate::seats::{Bounds, Full, Seat, Seats};
use crate::session::{Session, lock};

/// Something that the loop must do.
pub(crate) enum Notice {
    /// Serve this session; it counts as that guest, if it came from afar.
    Arrived(Arc<Session>, Option<Guest>),
    /// Look at the session of this number.
    Attend(u64),
    /// A helper has made the call of the session of this number.
    Returned(u64, Box<Done>),
    /// A helper has dropped what the client of this session held.
    Dropped(Arc<Session>),
    /// Look whether the server ends.
    Look,
}

/// Notices that were not read yet.
pub(crate) struct Notices {
    list: Mutex<Vec<Notice>>,
    /// Readable while there are some.
    bell: OwnedFd,
    /// For clients that share memory with the server; `None` if it cannot wait for any.
    seats: Option<Arc<Seats>>,
}

/// Of clients that share memory.
const BOUNDS: Bounds = Bounds::places(CLIENTS_MAX);

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
        let seats = can_sleep_on_several().then(|| Seats::new(BOUNDS));
        Ok(Notices { list: Mutex::default(), bell, seats })
    }

    /// A place among the clients that share memory.
    ///
    /// # Errors
    /// [`Kind::Refused`], and why.
    pub(crate) fn take_seat(&self, caller: &Caller) -> Result<Seat, Failure> {
        let refused = |text: &str| Err(Failure::new(Kind::Refused, text));
        let Some(seats) = &self.seats else {
            return refused("this server cannot wait for memory and sockets at once: that needs Linux 5.16");
        };
        seats.take(caller).or_else(|full| match full {
            Full::All(_) => refused(&format!(
                "{CLIENTS_MAX} clients share memory with this server, as many as one loop can wait for"
            )),
            Full::Principal(max) => refused(&format!(
                "{max} clients of {} share memory with this server, as many as one user's may; a socket alone serves more",
                caller.principal
            )),
            Full::Process(_, max)
            | Full::Relay(max)
            | Full::RelayPrincipal(max)
            | Full::RelayProcess(max)
            | Full::Session(max) => refused(&format!(
                "{max} clients of this process share memory with this server, as many as one process's may; a socket alone \
                 serves more"
            )),
        })
    }

    /// How many of those one process may have.
    pub(crate) fn of_process_max() -> usize {
        BOUNDS.process
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
