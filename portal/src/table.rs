//! The capability table of a session: which objects its client may name.
//!
//! ```text
//! id  31        16 15         0        id 0: the null portal        id 1: the root object
//!    ┌────────────┬────────────┐
//!    │ generation │ index      │        a released index comes back with another generation, so that
//!    └────────────┴────────────┘        a stale id names nothing
//! ```
//!
//! The same object handed out twice under the same grant keeps its id and counts one **receipt** more. A
//! client gives back the receipts that it has seen, so that a hand-out that races with a release loses nothing.
//! The table calls no object, and drops none before its end: what a release removes is returned, to be dropped without a
//! lock.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use carnet_idl::descriptor::Brings;

use crate::call::{Failure, Kind};
use crate::capability::Capability;
use crate::panics::drop_quietly;
use crate::portal::PortalId;

/// Most portals that a table can hold.
pub const PORTALS_LIMIT: usize = 65_535;

/// Portals of one session.
#[derive(Debug)]
pub struct Table {
    slots: Vec<Slot>,
    /// Freed indices, the oldest first: an id is used again as late as possible.
    free: VecDeque<u16>,
    ids: HashMap<Identity, PortalId>,
    portals_max: usize,
    /// For what calls that are being made may bring.
    reserved: usize,
}

#[derive(Debug)]
struct Slot {
    generation: u16,
    held: Option<Held>,
}

#[derive(Debug)]
struct Held {
    capability: Capability,
    receipts: u64,
}

/// What makes two capabilities the same: address of the object and of the grant. Both live as long as
/// the table holds them, so that no address is used twice.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Identity(usize, usize);

impl Identity {
    fn of(capability: &Capability) -> Identity {
        Identity(Arc::as_ptr(capability.object()).cast::<()>().addr(), capability.grant().address())
    }
}

impl Table {
    /// A table with `root` as [`PortalId::ROOT`] and room for `portals_max` portals, at most
    /// [`PORTALS_LIMIT`].
    #[must_use]
    pub fn new(root: Capability, portals_max: usize) -> Table {
        let mut table = Table {
            slots: vec![Slot { generation: 0, held: None }],
            free: VecDeque::new(),
            ids: HashMap::new(),
            portals_max: portals_max.clamp(1, PORTALS_LIMIT),
            reserved: 0,
        };
        table.ids.insert(Identity::of(&root), PortalId::ROOT);
        table.slots.push(Slot { generation: 0, held: Some(Held { capability: root, receipts: 1 }) });
        table
    }

    /// The capability that `id` names.
    ///
    /// # Errors
    /// [`Kind::NoSuchPortal`].
    #[inline]
    pub fn get(&self, id: PortalId) -> Result<&Capability, Failure> {
        match self.slots.get(index(id)) {
            Some(Slot { generation, held: Some(held) }) if *generation == generation_of(id) => {
                Ok(&held.capability)
            }
            _ => Err(no_such_portal(id)),
        }
    }

    /// Hands `capability` out once more.
    ///
    /// # Errors
    /// [`Kind::Refused`] if the table is full.
    pub fn hand_out(&mut self, capability: Capability) -> Result<PortalId, Failure> {
        let identity = Identity::of(&capability);
        if let Some(&id) = self.ids.get(&identity) {
            if let Some(held) = &mut self.slots[index(id)].held {
                held.receipts += 1;
            }
            return Ok(id);
        }
        let index = self.vacant().ok_or_else(|| self.full())?;
        let slot = &mut self.slots[usize::from(index)];
        slot.held = Some(Held { capability, receipts: 1 });
        let id = PortalId(u32::from(slot.generation) << 16 | u32::from(index));
        self.ids.insert(identity, id);
        Ok(id)
    }

    /// Keeps room for what a reply may bring, which nobody else has until it is given up; for how many portals.
    ///
    /// # Errors
    /// [`Kind::Refused`] if there is less.
    pub fn reserve(&mut self, brings: Brings) -> Result<usize, Failure> {
        let portals = brings.wanted(self.portals_max - 1);
        if portals > self.room() {
            return Err(self.has_no_room_for(portals));
        }
        self.reserved += portals;
        Ok(portals)
    }

    /// Gives up room that was [reserved](Table::reserve).
    pub fn give_up(&mut self, portals: usize) {
        self.reserved = self.reserved.saturating_sub(portals);
    }

    fn room(&self) -> usize {
        self.portals_max.saturating_sub(self.len() + self.reserved)
    }

    /// Takes `receipts` receipts of `id` back. The capability is returned when none is left; ids that name nothing
    /// and the root are ignored, since a client may only harm itself with them.
    pub fn release(&mut self, id: PortalId, receipts: u32) -> Option<Capability> {
        if id == PortalId::ROOT {
            return None;
        }
        let index = index(id);
        let slot = self.slots.get_mut(index).filter(|slot| slot.generation == generation_of(id))?;
        let held = slot.held.as_mut()?;
        held.receipts = held.receipts.saturating_sub(u64::from(receipts));
        if held.receipts > 0 {
            return None;
        }
        let held = slot.held.take()?;
        slot.generation = slot.generation.wrapping_add(1);
        self.ids.remove(&Identity::of(&held.capability));
        self.free.push_back(u16::try_from(index).ok()?);
        Some(held.capability)
    }

    /// Number of portals, the root included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether it holds no portal; never, since it holds the root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    fn vacant(&mut self) -> Option<u16> {
        if self.room() == 0 {
            return None;
        }
        if let Some(index) = self.free.pop_front() {
            return Some(index);
        }
        let index = u16::try_from(self.slots.len()).ok()?;
        self.slots.push(Slot { generation: 0, held: None });
        Some(index)
    }

    #[cold]
    fn has_no_room_for(&self, portals: usize) -> Failure {
        if portals == 1 {
            return self.full();
        }
        let text = format!(
            "the session has room for {} portals more, and the call may bring {portals}; release some",
            self.room()
        );
        Failure::new(Kind::Refused, &text)
    }

    #[cold]
    fn full(&self) -> Failure {
        Failure::new(
            Kind::Refused,
            &format!("the session holds {} portals, as many as it may; release some", self.portals_max),
        )
    }
}

/// What the end of an object does is its own affair.
impl Drop for Table {
    fn drop(&mut self) {
        self.slots.drain(..).for_each(drop_quietly);
    }
}

fn index(id: PortalId) -> usize {
    (id.0 & 0xffff) as usize
}

fn generation_of(id: PortalId) -> u16 {
    (id.0 >> 16) as u16
}

#[cold]
fn no_such_portal(id: PortalId) -> Failure {
    Failure::new(Kind::NoSuchPortal, &format!("the session holds no portal {}", id.0))
}

/// A call was done, and what it made is not handed out.
#[cold]
pub(crate) fn made_in_vain(why: &Failure) -> Failure {
    match why.kind() {
        Kind::Refused => Failure::service(&format!(
            "the call was done, but what it made cannot be handed out: {}",
            why.details().message
        )),
        _ => why.clone(),
    }
}
