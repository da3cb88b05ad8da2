//! Generated clients, and the short way from one to an object of the same process.
//!
//! ```text
//!            near                                        far, or no short call
//! client ──► Near: in force? ──► Object::short…          client ──► Portal ──► Transport
//! ```
//! A near object needs no look into its session's table: nobody can forge a portal here. Its operations need no
//! translation either: whether they are those of the client's interface is asked when the client is made. What is left
//! of a call is to ask whether the right is still in force, and to keep a panic of the service to itself.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use carnet_idl::descriptor::{InterfaceId, Module};

use crate::call::{Caller, Failure, Kind, Object, ShortWords};
use crate::capability::{Capability, Grant};
use crate::invoke::{drop_quietly, guarded};
use crate::portal::{OpNumber, Portal};
use crate::stub::Interface;

/// An object of this process, and who calls it by which right.
pub(crate) struct Near {
    object: Box<dyn Object>,
    grant: Grant,
    caller: Caller,
}

impl Near {
    /// The object of `capability`, if it can be reached that way.
    pub(crate) fn new(capability: &Capability, caller: &Caller) -> Option<Arc<Near>> {
        let object = Arc::clone(capability.object()).handle()?;
        Some(Arc::new(Near { object, grant: capability.grant().clone(), caller: caller.clone() }))
    }

    /// Whether each operation of `I` has the same number in the object's interface.
    fn has<I: Interface>(&self) -> bool {
        let (module, id) = self.object.interface();
        let operations = |module: &'static Module, id: InterfaceId| {
            module.interfaces.get(id.index()).map_or(&[][..], |interface| &interface.operations)
        };
        let (ours, theirs) = (operations(I::module(), I::ID), operations(module, id));
        ours.len() <= theirs.len() && ours.iter().zip(theirs).all(|(our, their)| our.hash == their.hash)
    }

    /// Carries out a call of operation `op` of `I`. A panic of the service is a failure of this call only.
    #[inline(always)]
    fn call<I: Interface>(&self, op: u16, call: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        guarded(&self.grant, || &number::<I>(op).operation().name, call)
    }
}

/// What a generated client for the interface `I` is made of.
pub struct Client<I> {
    near: Option<Arc<Near>>,
    portal: Portal,
    interface: PhantomData<fn() -> I>,
}

impl<I: Interface> Client<I> {
    /// Calls the object of `portal`.
    #[must_use]
    pub fn new(portal: Portal) -> Client<I> {
        let near = portal.near_object().filter(|near| near.has::<I>()).cloned();
        Client { near, portal, interface: PhantomData }
    }

    /// The portal itself.
    #[inline]
    #[must_use]
    pub const fn portal(&self) -> &Portal {
        &self.portal
    }

    /// Makes a short call of nothing but words.
    ///
    /// # Errors
    /// As [`Transport::call`](crate::portal::Transport::call); [`Kind::Protocol`] if an exception came back that the
    /// operation does not raise.
    #[inline(always)]
    pub fn short(&self, op: u16, words: &mut ShortWords) -> Result<(), Failure> {
        let done = match &self.near {
            Some(near) => near.call::<I>(op, || near.object.short(op, words, &near.caller)),
            None => self.far(op, words, &[]),
        };
        done.map_err(expected::<I>(op))
    }

    /// Makes a short call that carries `piece`.
    ///
    /// # Errors
    /// As [`Client::short`].
    #[inline(always)]
    pub fn short_in(&self, op: u16, words: &mut ShortWords, piece: &[u8]) -> Result<(), Failure> {
        let done = match &self.near {
            Some(near) => near.call::<I>(op, || near.object.short_in(op, words, piece, &near.caller)),
            None => self.far(op, words, piece),
        };
        done.map_err(expected::<I>(op))
    }

    /// Makes a short call that fills `out`. What that holds after an error means nothing.
    ///
    /// # Errors
    /// As [`Client::short`].
    #[inline(always)]
    pub fn short_out(&self, op: u16, words: &mut ShortWords, out: &mut Vec<u8>) -> Result<(), Failure> {
        out.clear();
        let done = match &self.near {
            Some(near) => near.call::<I>(op, || near.object.short_out(op, words, out, &near.caller)),
            None => self.far_out(op, words, out),
        };
        done.map_err(expected::<I>(op))
    }

    #[inline(never)]
    fn far(&self, op: u16, words: &mut ShortWords, piece: &[u8]) -> Result<(), Failure> {
        Arc::clone(self.portal.transport()).short(self.portal.id(), number::<I>(op), words, piece)
    }

    #[inline(never)]
    fn far_out(&self, op: u16, words: &mut ShortWords, out: &mut Vec<u8>) -> Result<(), Failure> {
        Arc::clone(self.portal.transport()).short_out(self.portal.id(), number::<I>(op), words, out)
    }
}

impl<I> Drop for Client<I> {
    fn drop(&mut self) {
        drop_quietly(self.near.take());
    }
}

impl<I> Clone for Client<I> {
    fn clone(&self) -> Client<I> {
        Client { near: self.near.clone(), portal: self.portal.clone(), interface: PhantomData }
    }
}

impl<I> fmt::Debug for Client<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.portal.fmt(f)
    }
}

/// Operation `op` of `I`.
pub(crate) fn number<I: Interface>(op: u16) -> OpNumber {
    OpNumber { module: I::module(), interface: I::ID, op }
}

/// An exception may be raised only by an operation that says so.
pub(crate) fn expected<I: Interface>(op: u16) -> impl FnOnce(Failure) -> Failure {
    #[cold]
    fn check(op: OpNumber, failure: Failure) -> Failure {
        if failure.kind() == Kind::Raised && op.operation().raises.is_empty() {
            let text = "a reply raises an exception that the operation has not";
            return Failure::new(Kind::Protocol, text);
        }
        failure
    }
    move |failure| check(number::<I>(op), failure)
}
