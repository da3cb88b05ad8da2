//! The transactions that are open: how many, whose, and how long.
//!
//! One that is open holds memory, and what it saw cannot be overwritten in the file. So each has a time: who writes next ends those
//! whose time is over, before anything is written. A place is free again as soon as its transaction is over, whether or not its
//! portal is still held. One that a kept run holds is parked: it keeps its place and has no time, since it holds nothing of the file.

use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_portal::stub::Caller;

use crate::Mutex;
use crate::engine::View;
use crate::fault;
use crate::kv::{Error, Reason};
use crate::transaction::Work;

/// A transaction, as long as it is not over.
pub(crate) type Slot = Arc<Mutex<Result<Work, Ended>>>;

/// Why a transaction is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Ended {
    Committed = 1,
    Aborted,
    /// The commit failed.
    Failed,
    Expired,
    /// The database failed under it.
    Closed,
}

impl Ended {
    /// The one with this number.
    pub(crate) fn from_number(number: u8) -> Option<Ended> {
        let all = [Ended::Committed, Ended::Aborted, Ended::Failed, Ended::Expired, Ended::Closed];
        all.into_iter().find(|ended| *ended as u8 == number)
    }

    #[cold]
    pub(crate) fn error(self) -> Error {
        let (kind, text) = match self {
            Ended::Committed => (Reason::Ended, "is over: it was committed"),
            Ended::Aborted => (Reason::Ended, "is over: it was aborted"),
            Ended::Failed => (Reason::Ended, "is over: its commit failed, and nothing was changed"),
            Ended::Expired => (Reason::Expired, "took too long and is over; nothing was changed"),
            Ended::Closed => (Reason::Ended, "is over: the database had failed; nothing was changed"),
        };
        fault::of_transaction(kind, text)
    }
}

struct Open {
    slot: Slot,
    session: u64,
    principal: Arc<str>,
    /// None while it is parked.
    until: Option<Instant>,
}

/// All of one database.
pub(crate) struct Running {
    most: usize,
    time: Duration,
    open: Mutex<Vec<Open>>,
}

impl Running {
    /// At most `most` at once, each for at most `time`.
    pub(crate) fn new(most: usize, time: Duration) -> Running {
        Running { most, time, open: Mutex::default() }
    }

    /// A place for one more.
    ///
    /// # Errors
    /// `busy` if there are as many as there may be, a session has half of them, or a principal three quarters.
    pub(crate) fn begin(&self, caller: &Caller, work: Work) -> Result<Slot, Error> {
        let mut open = self.open.lock();
        end_expired(&mut open);
        let of_session = open.iter().filter(|one| one.session == caller.session).count();
        let of_principal = open.iter().filter(|one| one.principal == caller.principal).count();
        let full = [
            (open.len(), self.most, "it has"),
            (of_session, self.most.div_ceil(2), "this session has"),
            (of_principal, self.most - self.most / 4, "your sessions have"),
        ];
        if let Some((count, _, who)) = full.into_iter().find(|(count, most, _)| count >= most) {
            let text = format!("begins no transaction now: {who} {count} open, as many as may be");
            return Err(fault::of_store(Reason::Busy, text));
        }
        let slot = Arc::new(Mutex::new(Ok(work)));
        let until = Some(Instant::now() + self.time);
        let (session, principal) = (caller.session, Arc::clone(&caller.principal));
        open.push(Open { slot: Arc::clone(&slot), session, principal, until });
        Ok(slot)
    }

    /// Ends one, if it is not over; what it was to do.
    ///
    /// # Errors
    /// Why it is over.
    pub(crate) fn end(&self, slot: &Slot, how: Ended) -> Result<Work, Error> {
        self.end_expired();
        self.open.lock().retain(|one| !Arc::ptr_eq(&one.slot, slot));
        let mut slot = slot.lock();
        match &*slot {
            Ok(_) => std::mem::replace(&mut *slot, Err(how)).map_err(Ended::error),
            Err(ended) => Err(ended.error()),
        }
    }

    /// Parks one, if it is not over.
    pub(crate) fn park(&self, slot: &Slot) {
        let mut open = self.open.lock();
        end_expired(&mut open);
        if let Some(one) = open.iter_mut().find(|one| Arc::ptr_eq(&one.slot, slot)) {
            one.until = None;
            if let Ok(work) = &mut *slot.lock() {
                work.park();
            }
        }
    }

    /// Lets one go on that is parked: it has the time of a new one.
    ///
    /// # Errors
    /// `conflict` if what it has read is no longer so; it stays as it is.
    pub(crate) fn wake(&self, slot: &Slot, view: View) -> Result<(), Error> {
        let mut open = self.open.lock();
        let Some(one) = open.iter_mut().find(|one| Arc::ptr_eq(&one.slot, slot)) else { return Ok(()) };
        if let Ok(work) = &mut *slot.lock()
            && work.is_parked()
        {
            work.wake(view)?;
            one.until = Some(Instant::now() + self.time);
        }
        Ok(())
    }

    /// Ends those whose time is over.
    pub(crate) fn end_expired(&self) {
        end_expired(&mut self.open.lock());
    }

    /// Ends all: nothing that they saw can be had any more.
    pub(crate) fn end_all(&self) {
        for one in self.open.lock().drain(..) {
            *one.slot.lock() = Err(Ended::Closed);
        }
    }
}

fn end_expired(open: &mut Vec<Open>) {
    let now = Instant::now();
    open.retain(|one| {
        let over = one.until.is_some_and(|until| until <= now);
        if over {
            *one.slot.lock() = Err(Ended::Expired);
        }
        !over
    });
}
