//! Processor slots: how many may run at once, and on which processor.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use carnet_portal::stub::Caller;

use crate::bank::{Error, Reason, SlotsService};
use crate::{Bank, error, lock};

/// All slots, one for each processor.
#[derive(Debug)]
pub(crate) struct SlotTable {
    taken: Vec<bool>,
}

impl SlotTable {
    pub(crate) fn new(slots: usize) -> SlotTable {
        SlotTable { taken: vec![false; slots] }
    }

    pub(crate) fn left(&self) -> usize {
        self.taken.iter().filter(|taken| !**taken).count()
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
        lock(&self.mine).keys().for_each(|slot| table.taken[*slot] = false);
    }
}

impl SlotsService for Holder {
    fn take(&self, caller: &Caller) -> Result<i64, Error> {
        let mut table = lock(&self.bank.slots);
        let free = table.taken.iter().position(|taken| !taken);
        let slot = free.ok_or_else(|| error(Reason::NoSlot, "every processor slot is taken"))?;
        table.taken[slot] = true;
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
        table.taken[at] = false;
        Ok(())
    }

    fn left(&self, _: &Caller) -> Result<i64, Error> {
        Ok(lock(&self.bank.slots).left() as i64)
    }
}
