//! The shortest way to an object of this process: one look whether a switch has closed it, and its address.
//!
//! ```text
//! Gate   closed ─► the switch's word, or one that is always set        open: not set
//!        object ─► what the gate leads to, past the count of its Arc   looked at only behind an open gate
//! ```
//! An [`Arc`] of a trait's objects has to compute where its object lies behind the count, from an alignment that only its table
//! knows: five instructions. And a gate that leads nowhere is one that never opens, so that one look tells both.

use std::fmt;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{CLOSED, Switch};

/// A way to an object, until a switch closes it; or to nothing.
pub struct Gate<T: ?Sized> {
    closed: NonNull<AtomicBool>,
    object: Option<NonNull<T>>,
    kept: Option<(Arc<T>, Switch)>,
}

// SAFETY: what it gives out are shared references to the object, which is `Sync`; the `Arc` may be sent and dropped anywhere, since
// the object is `Send`, too. The pointers lead to what `kept` keeps, or to a static.
unsafe impl<T: ?Sized + Send + Sync> Send for Gate<T> {}
// SAFETY: as above; a shared reference to a gate changes nothing of it.
unsafe impl<T: ?Sized + Send + Sync> Sync for Gate<T> {}

impl<T: ?Sized> Gate<T> {
    /// To `object`, until `switch` closes it.
    #[must_use]
    pub fn new(object: Arc<T>, switch: Switch) -> Gate<T> {
        Gate {
            closed: NonNull::from(&*switch.0),
            object: Some(NonNull::from(&*object)),
            kept: Some((object, switch)),
        }
    }

    /// To nothing.
    #[must_use]
    pub fn nowhere() -> Gate<T> {
        Gate { closed: NonNull::from(&CLOSED), object: None, kept: None }
    }

    /// Whether it leads to an object, closed or not.
    #[must_use]
    pub fn leads_somewhere(&self) -> bool {
        self.kept.is_some()
    }

    /// The object, unless the switch has closed the way to it, or there is none.
    #[inline(always)]
    #[must_use]
    pub fn object(&self) -> Option<&T> {
        // SAFETY: it leads to the word of the switch that `kept` has, in the heap, or to a static.
        if unsafe { self.closed.as_ref() }.load(Ordering::Acquire) {
            return None;
        }
        // SAFETY: a gate without an object looks at `CLOSED`, which nobody can reach to change it and which is set.
        let object = unsafe { self.object.unwrap_unchecked() };
        // SAFETY: `kept` has an `Arc` of it for as long as `self` is not changed, and lends it to all.
        Some(unsafe { object.as_ref() })
    }

    /// Takes the way away; the object that it led to.
    pub fn remove(&mut self) -> Option<Arc<T>> {
        let gate = std::mem::replace(self, Gate::nowhere());
        gate.kept.map(|(object, _)| object)
    }
}

impl<T: ?Sized> Clone for Gate<T> {
    fn clone(&self) -> Gate<T> {
        match &self.kept {
            Some((object, switch)) => Gate::new(Arc::clone(object), switch.clone()),
            None => Gate::nowhere(),
        }
    }
}

impl<T: ?Sized> fmt::Debug for Gate<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").field("leads_somewhere", &self.leads_somewhere()).finish_non_exhaustive()
    }
}
