//! Names for objects that outlive the process: what E calls sturdy references.
//!
//! A portal is as short-lived as the process that serves its object. A service that can find an object again says so here: it
//! gives the object a name, relative to the root of whoever holds a portal on it, and finds the object of a name below a root.
//! Nobody else sees these names: they are no rights, and the root that they are found by decides what may be had.

use std::sync::Arc;

use carnet_idl::descriptor::Module;

use crate::call::{Caller, Object};

/// Names the objects of a service, and finds them again.
///
/// An object is named only if the one that is found does the same from there on: what it is on, what may be done by it,
/// and how far it has come. Whoever has much behind it, such as an open transaction, is not named.
pub trait Sturdy: Send + Sync {
    /// The service's interfaces.
    fn module(&self) -> &'static Module;

    /// The name of `object`, of this module, below `root`.
    ///
    /// # Errors
    /// Why it cannot be had again, for people: what follows "which".
    fn name(&self, root: &dyn Object, object: &dyn Object) -> Result<Vec<u8>, String>;

    /// The object with a name below `root`, in this process or a later one. The name may be anything.
    ///
    /// # Errors
    /// Why there is none, for people.
    fn find(&self, root: &dyn Object, name: &[u8], caller: &Caller) -> Result<Arc<dyn Object>, String>;
}
