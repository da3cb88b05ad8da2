//! Objects of generated dispatch code: operations by number, and the object that has them.
//!
//! ```text
//! Served<I> ──► Serving { D: Dispatch, service } ──► D::short… ──► service
//!                                                     └─ what is inherited ──► the base's D::short…
//! ```

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use carnet_idl::descriptor::{InterfaceId, Module};

use super::{Interface, Served};
use crate::call::{Call, Caller, Failure, Kind, Object, ShortWords};
use crate::direct::{self, Entry};
use crate::plain::{Narrow, One, ReplyFrom, SentFrom, Two, unknown_again};

/// Calls operations of a service `S` by their numbers: generated for each interface. Those that the interface inherits
/// are left to what was generated for its base, under the same numbers.
pub trait Dispatch<S>: 'static {
    /// The interface.
    type Interface: Interface;

    /// As [`Object::dispatch`].
    ///
    /// # Errors
    /// As there.
    fn dispatch(service: &S, op: u16, call: &mut Call<'_>) -> Result<(), Failure>;

    /// As [`Object::lend`].
    fn lend(service: &Arc<S>, place: &mut dyn Any);

    /// As [`Object::short`].
    ///
    /// # Errors
    /// As there.
    fn short(_: &S, op: u16, _: &Caller, _: &mut ShortWords) -> Result<(), Failure> {
        Err(no_such_operation::<Self::Interface>(op))
    }

    /// As [`Object::short_in`].
    ///
    /// # Errors
    /// As there.
    fn short_in(_: &S, op: u16, _: &Caller, _: &mut ShortWords, _: &[u8]) -> Result<(), Failure> {
        Err(no_such_operation::<Self::Interface>(op))
    }

    /// As [`Object::short_out`].
    ///
    /// # Errors
    /// As there.
    fn short_out(
        _: &S,
        op: u16,
        _: &Caller,
        _: &mut ShortWords,
        _: &[u8],
        _: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        Err(no_such_operation::<Self::Interface>(op))
    }

    /// A [plain](crate::plain) operation of up to four words, without data.
    ///
    /// # Errors
    /// As [`Object::dispatch`].
    #[inline(always)]
    fn few(_: &S, op: u32, _: &Caller, _: u64, _: u64, _: u64, _: u64) -> Two {
        Err(no_plain_operation::<Self::Interface>(op))
    }

    /// As [`Dispatch::few`], of an operation whose values are integers of 32 bits.
    ///
    /// # Errors
    /// As [`Object::dispatch`].
    #[inline(always)]
    fn few_narrow(_: &S, op: &u32, _: &Caller, _: i32, _: i32, _: i32, _: i32) -> Narrow {
        Err(unknown_again::<Self::Interface>(op))
    }

    /// One that is sent data.
    ///
    /// # Errors
    /// As [`Object::dispatch`].
    #[inline(always)]
    fn sent<'a>(_: &S, op: u32, _: impl SentFrom<'a>) -> One {
        Err(no_plain_operation::<Self::Interface>(op))
    }

    /// One whose data come back.
    ///
    /// # Errors
    /// As [`Object::dispatch`].
    #[inline(always)]
    fn replied<'a>(_: &S, op: u32, _: impl ReplyFrom<'a>) -> One {
        Err(no_plain_operation::<Self::Interface>(op))
    }
}

/// Generated code uses this: puts `service` into `place`, if that is for a service of `I`; whether it was.
pub fn lend<I: Interface>(place: &mut dyn Any, service: Arc<I::Service>) -> bool {
    let place = place.downcast_mut::<Option<Arc<I::Service>>>();
    place.map(|place| *place = Some(service)).is_some()
}

/// `I` has no operation `op`.
#[must_use]
#[cold]
#[inline(never)]
pub fn no_such_operation<I: Interface>(op: u16) -> Failure {
    let name = &I::module().interfaces[I::ID.index()].name;
    Failure::new(Kind::NoSuchOperation, &format!("{name} has no operation number {op}"))
}

/// `I` has no operation `op` of this kind, or none at all.
#[must_use]
#[cold]
#[inline(never)]
pub fn no_plain_operation<I: Interface>(op: u32) -> Failure {
    let interface = &I::module().interfaces[I::ID.index()];
    match interface.operations.get(op as usize) {
        None => no_such_operation::<I>(u16::try_from(op).unwrap_or(u16::MAX)),
        Some(operation) => {
            let text =
                format!("{}.{}: values that are not those of the operation", interface.name, operation.name);
            Failure::bad_argument(&text)
        }
    }
}

/// Generated code uses this: an object that `service` carries out the operations of, as `D` calls them.
pub fn serve<D: Dispatch<S>, S: Send + Sync + 'static>(service: S) -> Served<D::Interface> {
    Served::new(Arc::new(Serving { service: Arc::new(service), dispatch: PhantomData::<fn() -> D> }))
}

struct Serving<D, S> {
    service: Arc<S>,
    dispatch: PhantomData<fn() -> D>,
}

impl<D: Dispatch<S>, S: Send + Sync + 'static> Object for Serving<D, S> {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (D::Interface::module(), D::Interface::ID)
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        D::dispatch(&self.service, op, call)
    }

    fn short(&self, op: u16, caller: &Caller, words: &mut ShortWords) -> Result<(), Failure> {
        D::short(&self.service, op, caller, words)
    }

    fn short_in(
        &self,
        op: u16,
        caller: &Caller,
        words: &mut ShortWords,
        piece: &[u8],
    ) -> Result<(), Failure> {
        D::short_in(&self.service, op, caller, words, piece)
    }

    fn short_out(
        &self,
        op: u16,
        caller: &Caller,
        words: &mut ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        D::short_out(&self.service, op, caller, words, piece, out)
    }

    fn entry(&self, op: u16) -> Option<Entry<'_>> {
        direct::entry(self, op)
    }

    fn lend(&self, place: &mut dyn Any) {
        D::lend(&self.service, place);
    }

    fn service(&self) -> &dyn Any {
        &*self.service
    }
}
