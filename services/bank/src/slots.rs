//! Processor slots: how many may run at once, and on which processor.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use carnet_portal::seats::{Bounds, Seat, Seats};
use carnet_portal::stub::Caller;

use crate::bank::{Error, Reason, SlotsService};
use crate::{Bank, error, lock};

/// All slots, one for each processor.
#[derive(Debug)]
pub(crate) struct SlotTable {
    taken: Vec<Option<Seat>>,
    seats: Arc<Seats>,
}

impl SlotTable {
    pub(crate) fn new(slots: usize, per_user: usize) -> SlotTable {
        SlotTable {
            taken: (0..slots).map(|_| None).collect(),
            seats: Seats::new(Bounds::of(usize::MAX, per_user)),
        }
    }

    pub(crate) fn left(&self) -> usize {
        self.taken.iter().filter(|taken| taken.is_none()).count()
    }
}

/// The slots that were taken by one portal, and by whom.
pub(crate) struct Holder {
    bank: Arc<Bank>,
    mine: Mutex<BTreeMap<usize, Arc<str>>>,
}

impl Holder {
    pub(crate) fn new(bank: &Arc<Bank>) -> Holder {
        Holder { bank: Arc::clone(bank), mine: Mutex::default() }
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let mut table = lock(&self.bank.slots);
        lock(&self.mine).keys().for_each(|slot| table.taken[*slot] = None);
    }
}

impl SlotsService for Holder {
    fn take(&self, caller: &Caller) -> Result<i64, Error> {
        let mut table = lock(&self.bank.slots);
        let seat = table.seats.take(caller).map_err(|full| {
            error(Reason::Quota, &full.tell("the bank", ["has", "have"], "processor slots"))
        })?;
        let free = table.taken.iter().position(Option::is_none);
        let slot = free.ok_or_else(|| error(Reason::NoSlot, "every processor slot is taken"))?;
        table.taken[slot] = Some(seat);
        lock(&self.mine).insert(slot, Arc::clone(&caller.principal));
        Ok(slot as i64)
    }

    fn give(&self, caller: &Caller, slot: i64) -> Result<(), Error> {
        let mut table = lock(&self.bank.slots);
        let mut mine = lock(&self.mine);
        let at = usize::try_from(slot).unwrap_or(usize::MAX);
        if mine.get(&at).is_none_or(|user| *user != caller.principal) {
            return Err(error(Reason::NotYours, &format!("slot {slot} is not one that you have")));
        }
        mine.remove(&at);
        table.taken[at] = None;
        Ok(())
    }

    fn left(&self, _: &Caller) -> Result<i64, Error> {
        Ok(lock(&self.bank.slots).left() as i64)
    }
}
