//! A peer that answers every call with what it was told to.

use std::sync::{Arc, Mutex};

use carnet_portal::call::Failure;
use carnet_portal::portal::{Block, OpNumber, Portal, PortalId, Transport};

struct Liar(Mutex<Box<Answer>>);

type Answer = dyn FnMut(&mut Block<'_>) -> Result<(), Failure> + Send;

impl Transport for Liar {
    fn call(self: Arc<Self>, _: PortalId, _: OpNumber, block: &mut Block<'_>) -> Result<(), Failure> {
        (self.0.lock().unwrap())(block)
    }

    fn release(&self, _: PortalId, _: u32) {}
}

/// Its root.
pub(crate) fn liar(answer: impl FnMut(&mut Block<'_>) -> Result<(), Failure> + Send + 'static) -> Portal {
    Portal::new(Arc::new(Liar(Mutex::new(Box::new(answer)))), PortalId::ROOT)
}
