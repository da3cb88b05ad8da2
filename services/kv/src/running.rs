//! The transactions that are open: how many, whose, and how long.
//!
//! One that is open holds memory, and what it saw cannot be overwritten in the file. So each has a time: who writes next ends those
//! whose time is over, before anything is written. A place is free again as soon as its transaction is over, whether or not its
//! portal is still held.
//!
//! One that a kept run holds is parked: it holds nothing of the file, so it has the time for which the run is kept, and no place among
//! those that are open. When it is used again it needs one, like one that begins. There are as many parked as there may be
//! open; what is too much is taken from the principal that has most of them, its oldest first.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_portal::seats::{Bounds, Seat, Seats};
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
    /// Too many were parked.
    Displaced,
}

impl Ended {
    /// The one with this number.
    pub(crate) fn from_number(number: u8) -> Option<Ended> {
        use Ended::{Aborted, Closed, Committed, Displaced, Expired, Failed};
        let all = [Committed, Aborted, Failed, Expired, Closed, Displaced];
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
            Ended::Displaced => {
                (Reason::Ended, "is over: kept runs held more than may be kept; nothing was changed")
            }
        };
        fault::of_transaction(kind, text)
    }
}

struct Open {
    slot: Slot,
    principal: Arc<str>,
    until: Instant,
    /// None while it is parked.
    place: Option<Seat>,
}

/// All of one database.
pub(crate) struct Running {
    bounds: Bounds,
    time: Duration,
    places: Arc<Seats>,
    /// Those that are parked stand in the order in which they were.
    open: Mutex<Vec<Open>>,
}

impl Running {
    /// At most `most` in use at once, each for at most `time`, and as many parked.
    pub(crate) fn new(most: usize, time: Duration) -> Running {
        let bounds = Bounds::handed_out(most);
        Running { bounds, time, places: Seats::new(bounds), open: Mutex::default() }
    }

    /// A place for one more.
    ///
    /// # Errors
    /// `busy` if there are as many as there may be, a session or a process has half of them, or a principal three quarters.
    pub(crate) fn begin(&self, caller: &Caller, work: Work) -> Result<Slot, Error> {
        let mut open = self.open.lock();
        end_expired(&mut open);
        let place = Some(self.place(caller)?);
        let slot = Arc::new(Mutex::new(Ok(work)));
        let until = Instant::now() + self.time;
        let principal = Arc::clone(&caller.principal);
        open.push(Open { slot: Arc::clone(&slot), principal, until, place });
        Ok(slot)
    }

    fn place(&self, caller: &Caller) -> Result<Seat, Error> {
        self.places.take(caller).map_err(|full| {
            let full = full.tell("it", ["has", "have"], "open");
            fault::of_store(Reason::Busy, format!("begins no transaction now: {full}"))
        })
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

    /// Parks one for so long at most, and for the time of a new one behind it, if it is not over.
    pub(crate) fn park(&self, slot: &Slot, at_most: Duration) {
        let mut open = self.open.lock();
        end_expired(&mut open);
        let Some(at) = open.iter().position(|one| Arc::ptr_eq(&one.slot, slot)) else { return };
        let now = Instant::now();
        let until = now.checked_add(at_most + self.time).unwrap_or(now + self.time);
        let one = Open { until, place: None, ..open.remove(at) };
        if let Ok(work) = &mut *slot.lock() {
            work.park();
        }
        let principal = Arc::clone(&one.principal);
        open.push(one);
        let of_principal = parked(&open).filter(|(_, one)| one.principal == principal);
        if of_principal.count() > self.bounds.principal {
            displace(&mut open, &principal);
        }
        if parked(&open).count() > self.bounds.all
            && let Some(principal) = has_most_parked(&open)
        {
            displace(&mut open, &principal);
        }
    }

    /// One that was parked is used again: it sees this, has the time of a new one, and its place. If it is over, or was woken
    /// meanwhile, nothing is done.
    ///
    /// # Errors
    /// As [`Running::begin`]; it stays parked.
    pub(crate) fn wake(&self, caller: &Caller, slot: &Slot, view: View) -> Result<(), Error> {
        let mut open = self.open.lock();
        end_expired(&mut open);
        let is_parked = |one: &Open| Arc::ptr_eq(&one.slot, slot) && one.is_parked();
        let Some(at) = open.iter().position(is_parked) else { return Ok(()) };
        let place = Some(self.place(caller)?);
        let one = &mut open[at];
        (one.place, one.until) = (place, Instant::now() + self.time);
        if let Ok(work) = &mut *slot.lock() {
            work.wake(view);
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

impl Open {
    fn is_parked(&self) -> bool {
        self.place.is_none()
    }
}

/// Those that are parked, oldest first.
fn parked(open: &[Open]) -> impl Iterator<Item = (usize, &Open)> {
    open.iter().enumerate().filter(|(_, one)| one.is_parked())
}

/// Who has most of those that are parked; of several, the one who has the oldest.
fn has_most_parked(open: &[Open]) -> Option<Arc<str>> {
    let mut counts: HashMap<&Arc<str>, usize> = HashMap::new();
    parked(open).for_each(|(_, one)| *counts.entry(&one.principal).or_default() += 1);
    let most = counts.values().copied().max()?;
    parked(open).map(|(_, one)| &one.principal).find(|principal| counts[principal] == most).cloned()
}

/// Ends the oldest that is parked of a principal.
fn displace(open: &mut Vec<Open>, principal: &Arc<str>) {
    let oldest = parked(open).find(|(_, one)| one.principal == *principal).map(|(at, _)| at);
    if let Some(at) = oldest {
        *open.remove(at).slot.lock() = Err(Ended::Displaced);
    }
}

fn end_expired(open: &mut Vec<Open>) {
    let now = Instant::now();
    open.retain(|one| {
        let over = one.until <= now;
        if over {
            *one.slot.lock() = Err(Ended::Expired);
        }
        !over
    });
}
