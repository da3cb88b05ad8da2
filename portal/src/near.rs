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

use crate::call::{Area, Caller, Failure, Kind, Object, ShortWords};
use crate::capability::{Capability, Grant};
use crate::invoke::{drop_quietly, guarded};
use crate::portal::{Block, Input, OpNumber, Portal};
use crate::stub::{Extends, Interface};

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
///
/// It may have been made for an interface that inherits from `I`, and names operations by that to whoever carries its
/// calls. Calls say by `O` whose number `op` is: `I`'s, or that of what inherits from it.
pub struct Client<I> {
    near: Quiet,
    portal: Portal,
    /// Names operations by the interface that it was made for.
    number: fn(u16) -> OpNumber,
    interface: PhantomData<fn() -> I>,
}

impl<I: Interface> Client<I> {
    /// Calls the object of `portal`.
    #[must_use]
    pub fn new(portal: Portal) -> Client<I> {
        let near = Quiet(portal.near_object().filter(|near| near.has::<I>()).cloned());
        Client { near, portal, number: number::<I>, interface: PhantomData }
    }

    /// Generated code uses this: the part of it that makes the calls of a base.
    #[must_use]
    pub fn into_base<Base: Interface>(self) -> Client<Base>
    where
        I: Extends<Base>,
    {
        let Client { near, portal, number, .. } = self;
        Client { near, portal, number, interface: PhantomData }
    }

    /// The portal itself.
    #[inline]
    #[must_use]
    pub const fn portal(&self) -> &Portal {
        &self.portal
    }

    /// Makes one call; the portals that came back.
    ///
    /// # Errors
    /// As [`Transport::call`](crate::portal::Transport::call); [`Kind::Protocol`] if an exception came back that the
    /// operation does not raise.
    pub fn call(
        &self,
        op: u16,
        words: &mut [u64],
        inputs: &[Input<'_>],
        outputs: &mut [Area],
        portals: &[&Portal],
    ) -> Result<Vec<Portal>, Failure> {
        let (number, mut block) =
            ((self.number)(op), Block { words, inputs, outputs, portals, made: Vec::new() });
        self.portal.call(number, &mut block).map_err(|failure| expected(number, failure))?;
        Ok(block.made)
    }

    /// Makes a short call of nothing but words.
    ///
    /// # Errors
    /// As [`Client::call`].
    #[inline(always)]
    pub fn short<O: Interface>(&self, op: u16, words: &mut ShortWords) -> Result<(), Failure> {
        let done = match &self.near.0 {
            Some(near) => near.call::<O>(op, || near.object.short(op, &near.caller, words)),
            None => self.far(op, words, &[]),
        };
        done.map_err(unexpected::<O>(op))
    }

    /// Makes a short call that carries `piece`.
    ///
    /// # Errors
    /// As [`Client::call`].
    #[inline(always)]
    pub fn short_in<O: Interface>(
        &self,
        op: u16,
        words: &mut ShortWords,
        piece: &[u8],
    ) -> Result<(), Failure> {
        let done = match &self.near.0 {
            Some(near) => near.call::<O>(op, || near.object.short_in(op, &near.caller, words, piece)),
            None => self.far(op, words, piece),
        };
        done.map_err(unexpected::<O>(op))
    }

    /// Makes a short call that fills `out`. What that holds after an error means nothing.
    ///
    /// # Errors
    /// As [`Client::call`].
    #[inline(always)]
    pub fn short_out<O: Interface>(
        &self,
        op: u16,
        words: &mut ShortWords,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        out.clear();
        let done = match &self.near.0 {
            Some(near) => near.call::<O>(op, || near.object.short_out(op, &near.caller, words, out)),
            None => self.far_out(op, words, out),
        };
        done.map_err(unexpected::<O>(op))
    }

    #[inline(never)]
    fn far(&self, op: u16, words: &mut ShortWords, piece: &[u8]) -> Result<(), Failure> {
        Arc::clone(self.portal.transport()).short(self.portal.id(), (self.number)(op), words, piece)
    }

    #[inline(never)]
    fn far_out(&self, op: u16, words: &mut ShortWords, out: &mut Vec<u8>) -> Result<(), Failure> {
        Arc::clone(self.portal.transport()).short_out(self.portal.id(), (self.number)(op), words, out)
    }
}

/// An object that may end with this; a panic of its end stays there.
#[derive(Clone)]
struct Quiet(Option<Arc<Near>>);

impl Drop for Quiet {
    fn drop(&mut self) {
        drop_quietly(self.0.take());
    }
}

impl<I> Clone for Client<I> {
    fn clone(&self) -> Client<I> {
        let (near, portal) = (self.near.clone(), self.portal.clone());
        Client { near, portal, number: self.number, interface: PhantomData }
    }
}

impl<I> fmt::Debug for Client<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.portal.fmt(f)
    }
}

/// Operation `op` of `I`.
fn number<I: Interface>(op: u16) -> OpNumber {
    OpNumber { module: I::module(), interface: I::ID, op }
}

/// As [`expected`], of operation `op` of `I`.
fn unexpected<I: Interface>(op: u16) -> impl FnOnce(Failure) -> Failure {
    move |failure| expected(number::<I>(op), failure)
}

/// An exception may be raised only by an operation that says so.
#[cold]
fn expected(op: OpNumber, failure: Failure) -> Failure {
    if failure.kind() == Kind::Raised && op.operation().raises.is_empty() {
        return Failure::new(Kind::Protocol, "a reply raises an exception that the operation has not");
    }
    failure
}
