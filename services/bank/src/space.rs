//! The address translations of one application, as its pager has them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use carnet_paging::{Access as Right, Fault, PAGE, Pager};
use carnet_portal::stub::{Caller, Served, ready_by};
use rustix::io::Errno;
use rustix::process::{Signal, pidfd_send_signal};

use crate::bank::{self, Access, Error, Reason, SpaceService};
use crate::{Bank, error, lock};

/// The longest that one call waits.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// One application.
#[derive(Debug)]
pub(crate) struct Application {
    pager: Pager,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Frames of pages.
    mapped: HashMap<usize, i64>,
    /// Faults that were told of, and since when they wait.
    waiting: HashMap<usize, Instant>,
    /// Faults that were read by threads that ask for them next.
    read: HashMap<ThreadId, Fault>,
    /// Since when there is a fault that nobody was told of, as far as that was seen.
    unread: Option<Instant>,
    /// Why it is over.
    ended: Option<Reason>,
}

impl Application {
    pub(crate) fn new(pager: Pager) -> Application {
        Application { pager, state: Mutex::default() }
    }

    /// Ends the process, if it is one of its own.
    pub(crate) fn kill(&self, why: Reason) {
        let mut state = lock(&self.state);
        if state.ended.is_none() {
            state.ended = Some(why);
            if let Some(process) = self.pager.application().filter(|_| !self.pager.has_ended()) {
                // Whoever has ended meanwhile is none to be ended.
                let _ = pidfd_send_signal(process, Signal::KILL);
            }
        }
    }

    /// Whether it has ended by itself, or waits too long for a page and is ended now.
    pub(crate) fn is_over(&self, fault_time: Duration) -> bool {
        if self.pager.has_ended() {
            lock(&self.state).ended.get_or_insert(Reason::Ended);
            return true;
        }
        let mut state = lock(&self.state);
        if state.read.is_empty() && !self.pager.has_fault() {
            state.unread = None;
        } else if state.unread.is_none() {
            state.unread = Some(Instant::now());
        }
        let oldest = state.waiting.values().chain(&state.unread).min().copied();
        drop(state);
        let stalls = oldest.is_some_and(|since| since.elapsed() >= fault_time);
        if stalls {
            self.kill(Reason::Stalled);
        }
        stalls
    }

    /// Whether there is a fault for this thread, or the end, within this time. The fault is kept for it.
    fn is_ready(&self, within: Duration) -> bool {
        let thread = thread::current().id();
        let state = lock(&self.state);
        if state.ended.is_some() || state.read.contains_key(&thread) {
            return true;
        }
        drop(state);
        match self.pager.fault(within) {
            Ok(Some(fault)) => {
                lock(&self.state).read.insert(thread, fault);
                true
            }
            Ok(None) => false,
            Err(_) => true,
        }
    }

    /// The next fault, or none within this time.
    fn fault(&self, within: Duration) -> Result<Option<Fault>, Errno> {
        let read = lock(&self.state).read.remove(&thread::current().id());
        read.map_or_else(|| self.pager.fault(within), |fault| Ok(Some(fault)))
    }

    fn over(&self) -> Result<(), Error> {
        match lock(&self.state).ended {
            None => Ok(()),
            Some(Reason::Stalled) => {
                Err(error(Reason::Stalled, "the application was ended: it waited too long for a page"))
            }
            Some(_) => Err(error(Reason::Ended, "the application has ended")),
        }
    }

    /// What the system's answer means.
    fn failed(&self, page: i64, errno: Errno) -> Error {
        match errno {
            Errno::SRCH => {
                lock(&self.state).ended.get_or_insert(Reason::Ended);
                error(Reason::Ended, "the application has ended")
            }
            Errno::EXIST => error(Reason::Mapped, &format!("page {page} is mapped already")),
            Errno::RANGE => error(Reason::BadPage, &format!("page {page} is none of the application's")),
            Errno::AGAIN => error(
                Reason::Stalled,
                &format!("page {page}: the application was ended: it was changing its memory all the time"),
            ),
            errno => error(Reason::Io, &format!("page {page}: {errno}")),
        }
    }
}

/// A pager's portal.
pub(crate) struct Space {
    bank: Arc<Bank>,
    application: Arc<Application>,
    user: Arc<str>,
}

impl Space {
    pub(crate) fn open(
        bank: &Arc<Bank>,
        application: Arc<Application>,
        user: &Arc<str>,
    ) -> Served<bank::Space> {
        let (waits, whose) = (Arc::clone(&application), Arc::clone(user));
        let space = Space { bank: Arc::clone(bank), application, user: Arc::clone(user) };
        // `fault` alone waits, and nobody else is told of a fault.
        ready_by(bank::Space::serve(space), move |_, caller, _, within| {
            caller.principal != whose || waits.is_ready(within)
        })
    }

    /// Frames and spaces are of one user: another who was handed the portal maps none of his own.
    fn admit(&self, caller: &Caller) -> Result<(), Error> {
        if caller.principal != self.user {
            return Err(error(Reason::NotYours, "the application is another user's"));
        }
        self.application.over()
    }

    fn page(&self, page: i64) -> Result<usize, Error> {
        let at = usize::try_from(page).ok().filter(|at| *at < self.application.pager.pages());
        at.ok_or_else(|| error(Reason::BadPage, &format!("page {page} is none of the application's")))
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        self.application.kill(Reason::Ended);
        let mapped = std::mem::take(&mut lock(&self.application.state).mapped);
        let mut frames = lock(&self.bank.frames);
        mapped.into_values().for_each(|frame| frames.unmapped(frame, None));
        drop(frames);
        self.bank.applications.close(&self.application);
    }
}

fn right(access: Access) -> Right {
    match access {
        Access::Read => Right::Read,
        Access::Write => Right::Write,
    }
}

impl SpaceService for Space {
    fn fault(&self, caller: &Caller, within: i64) -> Result<i64, Error> {
        self.admit(caller)?;
        let within = Duration::from_nanos(u64::try_from(within).unwrap_or(0)).min(WAIT_MAX);
        let until = Instant::now() + within;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let found = self.application.fault(left);
            let Some(Fault { page, protected, .. }) =
                found.map_err(|errno| self.application.failed(-1, errno))?
            else {
                self.application.over()?;
                return Ok(-1);
            };
            let mut state = lock(&self.application.state);
            // Of two that touch a page at once, the second may be told of when it is mapped already.
            if state.mapped.contains_key(&page) && !protected {
                continue;
            }
            state.waiting.entry(page).or_insert_with(Instant::now);
            return Ok(page as i64);
        }
    }

    fn map_page(&self, caller: &Caller, page: i64, frame: i64, access: Access) -> Result<(), Error> {
        self.admit(caller)?;
        let at = self.page(page)?;
        let mut state = lock(&self.application.state);
        if state.mapped.contains_key(&at) {
            return Err(error(Reason::Mapped, &format!("page {page} is mapped already")));
        }
        let content = lock(&self.bank.frames).map(&caller.principal, frame)?;
        let shown = content.as_deref().unwrap_or(&[0; PAGE]);
        if let Err(errno) = self.application.pager.map(at, shown, right(access)) {
            drop(state);
            lock(&self.bank.frames).unmapped(frame, content);
            if errno == Errno::AGAIN {
                self.application.kill(Reason::Stalled);
            }
            return Err(self.application.failed(page, errno));
        }
        state.mapped.insert(at, frame);
        state.waiting.remove(&at);
        Ok(())
    }

    fn unmap_page(&self, caller: &Caller, page: i64) -> Result<(), Error> {
        self.admit(caller)?;
        let at = self.page(page)?;
        let mut state = lock(&self.application.state);
        let Some(frame) = state.mapped.get(&at).copied() else {
            return Err(error(Reason::NotMapped, &format!("page {page} is not mapped")));
        };
        let held = self.application.pager.unmap(at);
        let held = held.map_err(|errno| error(Reason::Io, &format!("page {page}: {errno}")))?;
        state.mapped.remove(&at);
        lock(&self.bank.frames).unmapped(frame, Some(held));
        Ok(())
    }

    fn protect_page(&self, caller: &Caller, page: i64, access: Access) -> Result<(), Error> {
        self.admit(caller)?;
        let at = self.page(page)?;
        let mut state = lock(&self.application.state);
        if !state.mapped.contains_key(&at) {
            return Err(error(Reason::NotMapped, &format!("page {page} is not mapped")));
        }
        let done = self.application.pager.protect(at, right(access));
        state.waiting.remove(&at);
        drop(state);
        done.map_err(|errno| self.application.failed(page, errno))
    }

    fn pages(&self, _: &Caller) -> Result<i64, Error> {
        Ok(self.application.pager.pages() as i64)
    }

    fn mapped(&self, _: &Caller) -> Result<i64, Error> {
        Ok(lock(&self.application.state).mapped.len() as i64)
    }
}
