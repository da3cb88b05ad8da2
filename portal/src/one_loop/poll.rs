//! What the loop waits for on sockets.
//!
//! Readiness is by level: what is left is told again, so that the loop may stop in the middle and come back. It knows
//! numbers of sockets, and nothing of sessions.

use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{Timespec, epoll};
use rustix::io::Errno;

use crate::link::Readiness;

/// Events that are taken at once.
const EVENTS: usize = 64;

/// A set of sockets, each with a number and what it is wanted to be ready for.
pub(super) struct Poll {
    epoll: Arc<OwnedFd>,
}

impl Poll {
    pub(super) fn new() -> Result<Poll, Errno> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        Ok(Poll { epoll: Arc::new(epoll) })
    }

    /// Readable when something is ready.
    pub(super) fn descriptor(&self) -> Arc<OwnedFd> {
        Arc::clone(&self.epoll)
    }

    /// Wants something of a socket, from now on; `None` is nothing, not even its end. `before` is what was wanted.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn want(
        &self,
        number: u64,
        socket: BorrowedFd<'_>,
        before: Option<Readiness>,
        wanted: Option<Readiness>,
    ) -> Result<(), Errno> {
        let data = epoll::EventData::new_u64(number);
        match (before, wanted) {
            (None, None) => Ok(()),
            (Some(_), None) => epoll::delete(&*self.epoll, socket),
            (None, Some(wanted)) => epoll::add(&*self.epoll, socket, data, flags(wanted)),
            (Some(_), Some(wanted)) => epoll::modify(&*self.epoll, socket, data, flags(wanted)),
        }
    }

    /// Waits until something is ready, at most until `deadline`, and appends the numbers.
    pub(super) fn wait(&self, deadline: Option<Instant>, ready: &mut impl Extend<u64>) {
        let left = deadline.map(|deadline| timespec(deadline.saturating_duration_since(Instant::now())));
        let mut events = [const { MaybeUninit::uninit() }; EVENTS];
        // If a signal interrupts it, nothing is ready, and the caller comes again.
        if let Ok((events, _)) = epoll::wait(&*self.epoll, &mut events, left.as_ref()) {
            ready.extend(events.iter().map(|event| event.data.u64()));
        }
    }
}

fn flags(wanted: Readiness) -> epoll::EventFlags {
    let mut flags = epoll::EventFlags::empty();
    flags.set(epoll::EventFlags::IN, wanted.receive);
    flags.set(epoll::EventFlags::RDHUP, wanted.receive || wanted == Readiness::END);
    flags.set(epoll::EventFlags::OUT, wanted.send);
    flags
}

fn timespec(duration: Duration) -> Timespec {
    // A deadline of the loop is a time-out, and years are as good as centuries.
    let tv_sec = i64::try_from(duration.as_secs()).unwrap_or(i64::MAX).min(i64::from(i32::MAX));
    Timespec { tv_sec, tv_nsec: i64::from(duration.subsec_nanos()) }
}
