//! Generated clients, and the short way from one to a service of the same process.
//!
//! ```text
//!            near                                             far, or no short call
//! client ──► Near: in force? ──► the service's function       client ──► Portal ──► Transport
//! ```
//! A near service is one of a type that the client's interface knows, so that nothing needs to be translated, or looked up in
//! a session's table: nobody can forge a portal here. Parameters stay what they are, most of them in processor registers.
//! What is left of a call is to ask whether the right is still in force, to check the bounds that types do not have, and
//! to keep a panic of the service to itself.

use std::fmt;
use std::sync::Arc;

use carnet_code::Gate;

use crate::call::{Area, Caller, Failure, Kind, Object, ShortWords};
use crate::capability::{Capability, Grant};
use crate::invoke::caught;
use crate::panics::drop_quietly;
use crate::portal::{Block, Input, OpNumber, Portal};
use crate::stub::Interface;

/// An object of this process, and who calls it by which right.
pub(crate) struct NearObject {
    object: Arc<dyn Object>,
    grant: Grant,
    caller: Caller,
}

impl NearObject {
    pub(crate) fn new(capability: &Capability, caller: &Caller) -> NearObject {
        let (object, grant) = (Arc::clone(capability.object()), capability.grant().clone());
        NearObject { object, grant, caller: caller.clone() }
    }

    /// Its service, if that is one of `I`.
    fn near<I: Interface>(&self) -> Option<Nearby<I>> {
        let mut place: Option<Arc<I::Service>> = None;
        self.object.lend(&mut place);
        place.map(|service| Nearby {
            gate: Gate::new(service, self.grant.switch()),
            caller: self.caller.clone(),
        })
    }
}

/// A service of `I` in this process, and who calls it. Where that stands is computed when it is called, and needs no register
/// before.
pub struct Near<'a, I: Interface> {
    service: &'a I::Service,
    nearby: &'a Nearby<I>,
}

impl<I: Interface> Near<'_, I> {
    /// Carries out a call of operation `op`. A panic of the service is a failure of this call only.
    ///
    /// # Errors
    /// As [`Transport::call`](crate::portal::Transport::call); [`Kind::Protocol`] for an exception that the operation does
    /// not raise.
    #[inline(always)]
    pub fn call<T, E>(
        self,
        op: u16,
        call: impl FnOnce(&I::Service, &Caller) -> Result<T, E>,
    ) -> Result<T, Failure>
    where
        Failure: From<E>,
    {
        let name = || &*number::<I>(op).operation().name;
        caught(name, || call(self.service, &self.nearby.caller)).map_err(unexpected::<I>(op))
    }
}

/// The service of a generated client, if it is near.
pub struct Nearby<I: Interface> {
    gate: Gate<I::Service>,
    caller: Caller,
}

impl<I: Interface> Nearby<I> {
    /// The service that `client` calls, if it is one of `I`.
    #[must_use]
    pub fn new(client: &Client) -> Nearby<I> {
        client
            .portal
            .near_object()
            .and_then(NearObject::near)
            .unwrap_or_else(|| Nearby { gate: Gate::nowhere(), caller: Caller::nobody() })
    }

    /// The service, if it can be called as it is: if it is near, and the right to use it in force. Any other call goes the way
    /// of all, and fails there if the right has ended.
    #[inline(always)]
    pub fn get(&self) -> Option<Near<'_, I>> {
        Some(Near { service: self.gate.object()?, nearby: self })
    }
}

impl<I: Interface> Clone for Nearby<I> {
    fn clone(&self) -> Nearby<I> {
        Nearby { gate: self.gate.clone(), caller: self.caller.clone() }
    }
}

/// A service may end with it; a panic of its end stays there.
impl<I: Interface> Drop for Nearby<I> {
    fn drop(&mut self) {
        drop_quietly(self.gate.remove());
    }
}

impl<I: Interface> fmt::Debug for Nearby<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.gate.leads_somewhere() { "near" } else { "far" })
    }
}

/// What carries the calls of a generated client, for it and for all clients of bases within it.
#[derive(Clone)]
pub struct Client {
    portal: Portal,
    /// Names operations by the interface that it was made for, which may inherit from that whose number it is asked for.
    number: fn(u16) -> OpNumber,
}

impl Client {
    /// Calls the object of `portal`.
    #[must_use]
    pub fn new<I: Interface>(portal: Portal) -> Client {
        Client { portal, number: number::<I> }
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

    /// Makes a short call of nothing but words, or one that carries `piece`.
    ///
    /// # Errors
    /// As [`Client::call`].
    #[inline(never)]
    pub fn short(&self, op: u16, words: &mut ShortWords, piece: &[u8]) -> Result<(), Failure> {
        let number = (self.number)(op);
        let done = self.portal.short(number, words, piece, &mut Vec::new());
        done.map_err(|failure| expected(number, failure))
    }

    /// Makes a short call that carries `piece`, or nothing but words, and fills `out`. What that holds after an error means
    /// nothing.
    ///
    /// # Errors
    /// As [`Client::call`].
    #[inline(never)]
    pub fn short_out(
        &self,
        op: u16,
        words: &mut ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        out.clear();
        let number = (self.number)(op);
        let done = self.portal.short(number, words, piece, out);
        done.map_err(|failure| expected(number, failure))
    }

    /// Makes a call of nothing but words and `data`, which go both ways. They are as they were if it fails.
    ///
    /// # Errors
    /// As [`Client::call`].
    #[inline(never)]
    pub fn turn(&self, op: u16, words: &ShortWords, data: &mut Vec<u8>) -> Result<(), Failure> {
        let number = (self.number)(op);
        self.portal.turn(number, words, data).map_err(|failure| expected(number, failure))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.portal.fmt(f)
    }
}

/// Makes the call of a generated client whose service is not near, in a function of its own.
#[inline(never)]
pub fn far<T>(call: impl FnOnce() -> T) -> T {
    call()
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
