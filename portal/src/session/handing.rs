//! Portals that a session's client gets and gives back.

use carnet_idl::descriptor::Brings;

use super::{Capability, Failure, PortalId, Session, drop_quietly, ended, lock};

impl Session {
    /// As [`Table::reserve`](crate::table::Table::reserve), until they are handed out or it is given up.
    ///
    /// # Errors
    /// [`Kind::Refused`](crate::call::Kind::Refused) if there is less.
    pub(crate) fn reserve(&self, brings: Brings) -> Result<usize, Failure> {
        lock(&self.table).as_mut().ok_or_else(ended)?.reserve(brings)
    }

    /// Nothing is handed out of what room was kept for.
    pub(crate) fn give_up_reserved(&self, portals: usize) {
        if let Some(table) = lock(&self.table).as_mut() {
            table.give_up(portals);
        }
    }

    /// Hands `capabilities` out, for which room may be `reserved`; their ids are appended to `ids`. Either all are or none is. The caller
    /// holds their objects, too, so that none ends while the table is locked.
    pub(crate) fn hand_out(
        &self,
        capabilities: impl Iterator<Item = Capability>,
        reserved: usize,
        ids: &mut Vec<u32>,
    ) -> Result<(), Failure> {
        let mut failed = None;
        {
            let mut table = lock(&self.table);
            let table = table.as_mut().ok_or_else(ended)?;
            table.give_up(reserved);
            for capability in capabilities {
                match table.hand_out(capability) {
                    Ok(id) => ids.push(id.0),
                    Err(failure) => {
                        failed = Some(failure);
                        break;
                    }
                }
            }
        }
        match failed {
            None => Ok(()),
            Some(failure) => {
                self.release(ids.drain(..).map(|id| (PortalId(id), 1)));
                Err(failure)
            }
        }
    }

    /// Takes receipts back, and drops what is no longer held.
    pub(crate) fn release(&self, receipts: impl Iterator<Item = (PortalId, u32)>) {
        let dropped: Vec<Capability> = match lock(&self.table).as_mut() {
            Some(table) => receipts.filter_map(|(id, receipts)| table.release(id, receipts)).collect(),
            None => Vec::new(),
        };
        dropped.into_iter().for_each(drop_quietly);
    }
}
