//! A capability: the right to use one object, until it is revoked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use carnet_code::Switch;

use crate::call::Object;

/// The right to use one object. Copying it copies the right; revoking any copy's [`Grant`] ends the right
/// for all copies at once.
#[derive(Clone, Debug)]
pub struct Capability {
    object: Arc<dyn Object>,
    grant: Grant,
}

/// The switch that ends a right. Held by whoever handed the right out.
#[derive(Clone, Debug, Default)]
pub struct Grant(Arc<AtomicBool>);

impl Grant {
    /// A grant that is in force.
    #[must_use]
    pub fn new() -> Grant {
        Grant::default()
    }

    /// Ends the right. Calls that have begun finish; later ones fail with
    /// [`Kind::Revoked`](crate::call::Kind::Revoked).
    pub fn revoke(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// The switch itself, for translated code to look at.
    #[must_use]
    pub fn switch(&self) -> Switch {
        Switch::new(&self.0)
    }

    /// Where the switch lies: what tells two grants apart.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Whether the right has ended.
    #[inline]
    #[must_use]
    pub fn is_revoked(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl Capability {
    /// A right to use `object`, of its own.
    #[must_use]
    pub fn new(object: Arc<dyn Object>) -> Capability {
        Capability { object, grant: Grant::new() }
    }

    /// A right to use `object` that ends with `grant`: what an object makes is revoked with it.
    #[must_use]
    pub fn under(object: Arc<dyn Object>, grant: &Grant) -> Capability {
        Capability { object, grant: grant.clone() }
    }

    /// The object.
    #[inline]
    #[must_use]
    pub fn object(&self) -> &Arc<dyn Object> {
        &self.object
    }

    /// The switch that ends this right.
    #[must_use]
    pub fn grant(&self) -> &Grant {
        &self.grant
    }

    /// Whether the right has ended.
    #[inline]
    #[must_use]
    pub fn is_revoked(&self) -> bool {
        self.grant.is_revoked()
    }
}
