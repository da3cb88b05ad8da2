//! Names for objects that outlive the process: what E calls sturdy references.
//!
//! A portal is as short-lived as the process that serves its object. A service that can find an object again says so here: it
//! gives the object a name, relative to the root of whoever holds a portal on it, and finds the object of a name below a root. And it
//! tells roots apart, since a name means another object below another root.
//! Nobody else sees these names: they are no rights, and the root that they are found by decides what may be had.

use std::sync::Arc;
use std::time::Duration;

use carnet_idl::descriptor::Module;

use crate::call::{Caller, Object};

/// Names the objects of a service, and finds them again.
///
/// An object is named only if the one that is found does the same from there on: what it is on, what may be done by it,
/// and how far it has come. Whoever has much behind it, such as an open transaction, is not named.
pub trait Sturdy: Send + Sync {
    /// The service's interfaces.
    fn module(&self) -> &'static Module;

    /// What tells a root from all others, in this process or a later one: what was named below it is found below it alone, also if
    /// another one has objects of the same names. Two that stand for the same have the same.
    ///
    /// # Errors
    /// Why it cannot be known again, for people: what follows "which".
    fn identity(&self, root: &dyn Object) -> Result<Vec<u8>, String>;

    /// The name of `object`, of this module, below `root`.
    ///
    /// # Errors
    /// Why it cannot be had again, for people: what follows "which".
    fn name(&self, root: &dyn Object, object: &dyn Object) -> Result<Vec<u8>, String>;

    /// A run that holds `object`, of this module, has stopped and is kept for so long at most: what would be over after a time of its own is
    /// held until then, until it is used again, or let go. How much of that there is the service bounds.
    fn keep(&self, object: &dyn Object, at_most: Duration) {
        let _ = (object, at_most);
    }

    /// Whether calls of `object`, of this module, would not get to it, since the session that it is of with another process is over, as far
    /// as can be seen without waiting. A run that holds it goes on only if [`Sturdy::have_again`] can have it again.
    fn is_lost(&self, object: &dyn Object) -> bool {
        self.gone(object).is_some()
    }

    /// Why nobody can have `object`, of this module, again, if it is lost and that can be said without waiting, for people: what follows
    /// "which". A run that holds it is not kept when a call fails.
    fn gone(&self, object: &dyn Object) -> Option<String> {
        let _ = object;
        None
    }

    /// Has an object again that is lost, as it was, so that calls of it get there.
    ///
    /// # Errors
    /// Why that cannot be, for people: what follows "which".
    fn have_again(&self, object: &dyn Object, caller: &Caller) -> Result<(), String> {
        let _ = caller;
        self.gone(object).map_or(Ok(()), Err)
    }

    /// The object with a name below `root`, in this process or a later one. The name may be anything.
    ///
    /// # Errors
    /// Why there is none, for people.
    fn find(&self, root: &dyn Object, name: &[u8], caller: &Caller) -> Result<Arc<dyn Object>, String>;
}

impl<S: Sturdy + ?Sized> Sturdy for Arc<S> {
    fn module(&self) -> &'static Module {
        (**self).module()
    }

    fn identity(&self, root: &dyn Object) -> Result<Vec<u8>, String> {
        (**self).identity(root)
    }

    fn name(&self, root: &dyn Object, object: &dyn Object) -> Result<Vec<u8>, String> {
        (**self).name(root, object)
    }

    fn keep(&self, object: &dyn Object, at_most: Duration) {
        (**self).keep(object, at_most);
    }

    fn is_lost(&self, object: &dyn Object) -> bool {
        (**self).is_lost(object)
    }

    fn gone(&self, object: &dyn Object) -> Option<String> {
        (**self).gone(object)
    }

    fn have_again(&self, object: &dyn Object, caller: &Caller) -> Result<(), String> {
        (**self).have_again(object, caller)
    }

    fn find(&self, root: &dyn Object, name: &[u8], caller: &Caller) -> Result<Arc<dyn Object>, String> {
        (**self).find(root, name, caller)
    }
}
