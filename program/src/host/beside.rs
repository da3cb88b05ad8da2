//! Services that programs can use beside the one that their session is opened on.
//!
//! Most have one root for all. Of a service of another process each session has a root of its own, as of the one that it is opened
//! on, so that nobody reaches what another one opened: it is made for a session's first run, and goes with the session. Runs that are
//! kept hold theirs.
//!
//! A text of an argument names an object below the root that has the interface of the parameter. Of several with one interface, as two file
//! servers have, all but one are named, and texts say which they mean:
//!
//! ```text
//! /docs         of the service without a name
//! far:/docs     of the one called `far`
//! :far:/docs    of the one without a name, whose text is `far:/docs`
//! :x            of that one, too, whose text is `:x`: the colon stands before names alone
//! ```
//! What an object of one of them is given of another one is the service's own to refuse.

use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex};

use carnet_idl::descriptor::Module;
use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::entry::Responder;
use carnet_portal::panics::{drop_quietly, survived};
use carnet_portal::session::Session;

use super::{Inner, lock};
use crate::protocol::{ServiceInfo, encode_services};

/// Makes the root of a session, or says why there is none.
pub type MakesRoot = Box<dyn Fn(&Caller) -> Result<Capability, Failure> + Send + Sync>;

/// A service beside the one that sessions are opened on.
#[derive(Debug)]
pub struct Beside {
    /// What texts of arguments call it by. Only one of several with one interface has none.
    pub name: Option<ServiceName>,
    /// Its root.
    pub root: RootBeside,
}

impl Beside {
    /// Most services beside the first: a client is told of all in one message, with a portal on each.
    pub const MAX: usize = 255;
}

/// A service's name: 1 to 32 letters, digits, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceName(Arc<str>);

impl ServiceName {
    /// Longest name.
    pub const BYTES_MAX: usize = 32;

    /// This as a name, if it can be one.
    #[must_use]
    pub fn new(name: &str) -> Option<ServiceName> {
        let is_plain = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_');
        let is_one = (1..=ServiceName::BYTES_MAX).contains(&name.len()) && name.bytes().all(is_plain);
        is_one.then(|| ServiceName(Arc::from(name)))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why services cannot be beside each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotToldApart {
    /// There are so many, and clients cannot be told of all of them.
    #[error("{0} services beside the first, of {max} at most", max = Beside::MAX)]
    TooMany(usize),
    /// Two have one name.
    #[error("two services are called `{0}`")]
    Name(String),
    /// Two of one interface have none.
    #[error("two services of the interface {0} have no name")]
    NoName(String),
}

/// The root of a service beside.
pub enum RootBeside {
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

impl RootBeside {
    fn module(&self) -> &'static Module {
        match self {
            RootBeside::Shared(root) => root.object().interface().0,
            RootBeside::Each { module, .. } => module,
        }
    }

    fn of(&self, caller: &Caller) -> Result<Capability, Failure> {
        match self {
            RootBeside::Shared(root) => Ok(root.clone()),
            RootBeside::Each { root, .. } => root(caller),
        }
    }
}

impl fmt::Debug for RootBeside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RootBeside").field(&self.module().name).finish()
    }
}

/// The root of a service beside, for a run.
#[derive(Clone)]
pub(super) struct Root {
    pub(super) name: Option<ServiceName>,
    pub(super) root: Capability,
}

/// All of them.
#[derive(Default)]
pub(super) struct Others {
    services: Vec<Beside>,
    /// Their roots, if all are shared.
    shared: Option<Vec<Root>>,
    /// Else those of each session that has begun a run.
    own: Mutex<HashMap<u64, Arc<[Root]>>>,
}

/// Roots of other services.
pub(super) enum Roots<'o> {
    Shared(&'o [Root]),
    Own(Arc<[Root]>),
}

impl Deref for Roots<'_> {
    type Target = [Root];

    fn deref(&self) -> &[Root] {
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
    /// # Errors
    /// [`NotToldApart`].
    pub(super) fn new(services: Vec<Beside>) -> Result<Others, NotToldApart> {
        if services.len() > Beside::MAX {
            return Err(NotToldApart::TooMany(services.len()));
        }
        for (at, Beside { name, root }) in services.iter().enumerate() {
            let module = root.module();
            let before = &services[..at];
            match name {
                Some(name) if before.iter().any(|other| other.name.as_ref() == Some(name)) => {
                    return Err(NotToldApart::Name(name.as_str().to_owned()));
                }
                None if before
                    .iter()
                    .any(|other| other.name.is_none() && std::ptr::eq(other.root.module(), module)) =>
                {
                    return Err(NotToldApart::NoName(module.name.clone()));
                }
                _ => {}
            }
        }
        let shared = services.iter().map(|service| match &service.root {
            RootBeside::Shared(root) => Some(Root { name: service.name.clone(), root: root.clone() }),
            RootBeside::Each { .. } => None,
        });
        Ok(Others { shared: shared.collect(), services, own: Mutex::default() })
    }

    /// Their names, if they have some, and their modules.
    pub(super) fn names(&self) -> impl Iterator<Item = (Option<&str>, &'static Module)> {
        self.services
            .iter()
            .map(|service| (service.name.as_ref().map(ServiceName::as_str), service.root.module()))
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
        let made = self
            .services
            .iter()
            .map(|service| Ok(Root { name: service.name.clone(), root: service.root.of(caller)? }));
        let made: Arc<[Root]> = made.collect::<Result<Vec<_>, _>>()?.into();
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

impl Inner {
    /// Answers which services there are, with their roots: a client may call them one by one, too, and is charged for it as for other
    /// single calls.
    pub(super) fn tell_services(&self, session: &Session, responder: Responder) {
        // Those of another process are made now if the session has none yet.
        let found = survived(|| match self.others.get() {
            None => Ok(Roots::Shared(&[])),
            Some(others) => others.of(session.caller(), Stays::WithTheSession),
        });
        let roots = match found.unwrap_or_else(|| Err(Failure::service("the service broke off"))) {
            Ok(roots) => roots,
            Err(failure) => return responder.fail(&failure),
        };
        let told = roots.iter().map(|Root { name, root }| {
            let (module, id) = root.object().interface();
            let name = name.as_ref().map_or("", ServiceName::as_str).to_owned();
            ServiceInfo { name, module: carnet_idl::encode(module), root: id.0 }
        });
        let told = encode_services(&told.collect::<Vec<_>>());
        responder.reply(&told, roots.iter().map(|root| root.root.clone()).collect());
    }
}
