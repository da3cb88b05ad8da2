//! Services that programs can use beside the one that their session is opened on.
//!
//! Most have one root for all. Of a service of another process each session has a root of its own, as of the one that it is opened
//! on, so that nobody reaches what another one opened: it is made for a session's first run, and goes with the session. Runs that are
//! kept hold theirs.

use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex};

use carnet_idl::descriptor::Module;
use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::panics::drop_quietly;

use super::lock;

/// Makes the root of a session, or says why there is none.
pub type MakesRoot = Box<dyn Fn(&Caller) -> Result<Capability, Failure> + Send + Sync>;

/// A service beside the one that sessions are opened on.
pub enum Beside {
    /// All sessions have this root.
    Shared(Capability),
    /// Each session has a root of its own.
    Each {
        /// The module of its interface.
        module: &'static Module,
        /// Makes it.
        root: MakesRoot,
    },
}

impl Beside {
    fn module(&self) -> &'static Module {
        match self {
            Beside::Shared(root) => root.object().interface().0,
            Beside::Each { module, .. } => module,
        }
    }
}

impl fmt::Debug for Beside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Beside").field(&self.module().name).finish()
    }
}

/// All of them.
#[derive(Default)]
pub(super) struct Others {
    services: Vec<Beside>,
    /// Their roots, if all are shared.
    shared: Option<Vec<Capability>>,
    /// Else those of each session that has begun a run.
    own: Mutex<HashMap<u64, Arc<[Capability]>>>,
}

/// Roots of other services.
pub(super) enum Roots<'o> {
    Shared(&'o [Capability]),
    Own(Arc<[Capability]>),
}

impl Deref for Roots<'_> {
    type Target = [Capability];

    fn deref(&self) -> &[Capability] {
        match self {
            Roots::Shared(roots) => roots,
            Roots::Own(roots) => roots,
        }
    }
}

/// Whether what is made for a session stays until that ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stays {
    /// It does: this is the session's own thread, which has not told of its end yet.
    WithTheSession,
    /// It does not: the session may have ended.
    WithTheRun,
}

impl Others {
    pub(super) fn new(services: Vec<Beside>) -> Others {
        let shared = services.iter().map(|service| match service {
            Beside::Shared(root) => Some(root.clone()),
            Beside::Each { .. } => None,
        });
        Others { shared: shared.collect(), services, own: Mutex::default() }
    }

    pub(super) fn modules(&self) -> impl Iterator<Item = &'static Module> {
        self.services.iter().map(Beside::module)
    }

    /// The roots for a session.
    ///
    /// # Errors
    /// Why one cannot be had.
    pub(super) fn of(&self, caller: &Caller, stays: Stays) -> Result<Roots<'_>, Failure> {
        if let Some(shared) = &self.shared {
            return Ok(Roots::Shared(shared));
        }
        if let Some(found) = lock(&self.own).get(&caller.session) {
            return Ok(Roots::Own(Arc::clone(found)));
        }
        let made = self.services.iter().map(|service| match service {
            Beside::Shared(root) => Ok(root.clone()),
            Beside::Each { root, .. } => root(caller),
        });
        let made: Arc<[Capability]> = made.collect::<Result<Vec<_>, _>>()?.into();
        if stays == Stays::WithTheSession {
            lock(&self.own).insert(caller.session, Arc::clone(&made));
        }
        Ok(Roots::Own(made))
    }

    /// A session has ended.
    pub(super) fn closed(&self, session: u64) {
        if self.shared.is_none() {
            let gone = lock(&self.own).remove(&session);
            gone.into_iter().for_each(drop_quietly);
        }
    }
}
