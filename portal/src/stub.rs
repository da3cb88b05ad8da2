//! What generated stubs call: the hand-written, tested half of them.
//!
//! Nothing here knows an interface. Names that are short here (`bool`, `string`, `list`) are read in
//! generated code as `stub::bool`, `stub::string`, `stub::list`.
//!
//! | part | used by | what it is |
//! | --- | --- | --- |
//! | [`Interface`], [`Served`], [`PortalIn`] | both | typed portals: what a service gives out and is handed |
//! | [`Exception`], [`CallError`] | both | typed exceptions |
//! | [`Wrong`], [`Check`] | both | a word that is not of its type, and who is to blame for it |
//! | [`bool()`], [`int`], [`u64()`], [`list`] | both | words to values |
//! | [`packed`], [`unpacked`] | both | lists that are a part of another value |
//! | [`block`], [`string`], [`bytes`], [`portal`], [`make`] | dispatch | one call's block, areas and portals |
//! | [`BytesOut`], [`ListOut`] | dispatch | bounded writers for results |
//! | [`Dispatch`], [`serve`] | dispatch | operations by number, and an object that has them |
//! | [`ready_by`] | services | whether an operation that may wait would wait now |
//! | [`Client`] | clients | what carries calls, and short ones of a few words and at most one piece of data each way |
//! | [`Nearby`], [`Near`], [`far`] | clients | the service itself, if it is one of this process; the call of any other |
//! | [`Channel`], [`Kept`], [`SentFrom`], [`ReplyFrom`], [`carried`] | both | calls of [plain](crate::plain) sessions |
//! | [`string_word`], [`bytes_word`], [`area`], [`made`] | clients | one call's block and replies |
//! | [`room`], [`put_back`], [`list_into`] | clients | results that go into buffers of the caller's |
//!
//! On both sides each word is fetched once, then checked. A reply is as hostile as a request.

mod client;
mod dispatch;
mod raised;
mod ready;
mod server;
mod values;

pub use crate::call::{
    Area, Areas, Call, Caller, Details, Failure, Label, Labelled, Object, Origin, ShortWords,
};
pub use crate::near::{Client, Near, Nearby, far};
pub use crate::plain::{
    Channel, Kept, Narrow, Number, One, ReplyFrom, SentFrom, Two, call, call_in, call_narrow, call_out,
    carried, keep, unknown_again, widened,
};
pub use crate::portal::{Input, OpNumber, Portal};
pub use client::{
    area, bytes_output, bytes_word, hand, label, list_area, made, put_back, room, string_output, string_word,
    u64_word,
};
pub use dispatch::{Dispatch, lend, no_plain_operation, no_such_operation, serve};
pub use raised::{cut, members, place, raised_members, text};
pub use ready::ready_by;
pub use server::{
    BytesOut, ListOut, block, bytes, give_bytes, give_string, head, in_place, list_in, make, piece, portal,
    portal_in, put_bytes, put_list, put_string, string, take_bytes, take_string, u64_result, unpacked_in,
};
pub use values::{
    Check, LIST_BYTES_MAX, WordInt, Wrong, add_bytes, add_string, array, bool, bounded, bounded_string,
    bytes_part, f32, field_bytes, field_list, field_string, int, list, list_into, packed, string_part, u64,
    unpacked, word,
};

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

pub use carnet_idl::descriptor::{InterfaceId, Module};

use crate::call::Kind;
use crate::capability::Capability;

/// An interface as a type: generated for each. A value is a portal on an object that has it.
pub trait Interface: Sized + Send + Sync + 'static {
    /// What a service that has it is, as a trait object.
    type Service: ?Sized + Send + Sync + 'static;

    /// Its number in the descriptor.
    const ID: InterfaceId;

    /// The descriptor.
    fn module() -> &'static Module;

    /// Generated code uses this: wraps what makes the calls.
    fn from_client(client: Client) -> Self;

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    fn from_portal(portal: Portal) -> Self {
        Self::from_client(Client::new::<Self>(portal))
    }
}

/// Of an interface that inherits from `Base`: generated for each.
pub trait Extends<Base: Interface>: Interface {
    /// The same portal, as one on the base.
    fn to_base(&self) -> Base;
}

/// An object of this process with the interface `I`: what a service gives out.
pub struct Served<I> {
    object: Arc<dyn Object>,
    interface: PhantomData<fn() -> I>,
}

impl<I> Served<I> {
    /// Generated code uses this: `object` dispatches the operations of `I`.
    #[must_use]
    pub fn new(object: Arc<dyn Object>) -> Served<I> {
        Served { object, interface: PhantomData }
    }

    /// The object.
    #[must_use]
    pub fn object(&self) -> &Arc<dyn Object> {
        &self.object
    }

    /// The same object, where one with the interface that `I` inherits from is expected.
    #[must_use]
    pub fn to_base<Base: Interface>(&self) -> Served<Base>
    where
        I: Extends<Base>,
    {
        Served::new(Arc::clone(&self.object))
    }

    /// The object, without its type.
    #[must_use]
    pub fn into_object(self) -> Arc<dyn Object> {
        self.object
    }
}

impl<I> Clone for Served<I> {
    fn clone(&self) -> Served<I> {
        Served::new(Arc::clone(&self.object))
    }
}

impl<I> fmt::Debug for Served<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Served({:?})", self.object)
    }
}

/// A portal that a caller handed over for one call.
pub struct PortalIn<'a, I> {
    capability: &'a Capability,
    interface: PhantomData<fn() -> I>,
}

impl<'a, I> PortalIn<'a, I> {
    fn new(capability: &'a Capability) -> PortalIn<'a, I> {
        PortalIn { capability, interface: PhantomData }
    }

    /// The right itself; a service that keeps a clone keeps the right.
    #[must_use]
    pub fn capability(&self) -> &'a Capability {
        self.capability
    }

    /// The same object, to be given out: what goes back as it came. It is revoked with the object that is called, as all that this
    /// gives out; so was what was lent, since all that a session holds is under the right of its root. If it is kept and given out
    /// in another session, it is under that one's right: whoever wants to pass on no more than came keeps the
    /// [`capability`](PortalIn::capability), and asks whether it is revoked.
    #[must_use]
    pub fn served(&self) -> Served<I> {
        Served::new(Arc::clone(self.capability.object()))
    }

    /// The service's own value behind the portal, if it is a `T`.
    #[must_use]
    pub fn local<T: Any>(&self) -> Option<&'a T> {
        self.capability.object().service().downcast_ref()
    }
}

impl<I> Clone for PortalIn<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I> Copy for PortalIn<'_, I> {}

impl<I> fmt::Debug for PortalIn<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PortalIn({:?})", self.capability.object())
    }
}

/// An exception as a type: generated for each.
pub trait Exception: Sized + std::error::Error {
    /// The exception that a failure of [`Kind::Raised`] says; `None` if the operation raises none like it.
    fn from_details(details: &Details) -> Option<Self>;
}

/// Why a call with a typed exception failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError<E> {
    /// The operation raised its exception.
    Raised(E),
    /// The call could not be made, or its outcome is unknown.
    Failed(Failure),
}

impl<E: Exception> From<Failure> for CallError<E> {
    fn from(failure: Failure) -> CallError<E> {
        if failure.kind() != Kind::Raised {
            return CallError::Failed(failure);
        }
        match E::from_details(failure.details()) {
            Some(exception) => CallError::Raised(exception),
            None => CallError::Failed(Failure::new(Kind::Protocol, "a reply raises an unknown exception")),
        }
    }
}

impl<E: fmt::Display> fmt::Display for CallError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Raised(exception) => exception.fmt(f),
            CallError::Failed(failure) => failure.fmt(f),
        }
    }
}

impl<E: std::error::Error> std::error::Error for CallError<E> {}

/// The failure that raises an exception; the text is cut at its bound.
#[must_use]
#[cold]
pub fn raised(kind: u64, mut message: String, message_max: usize) -> Failure {
    message.truncate(message.floor_char_boundary(message_max));
    Failure::raised(u16::try_from(kind).unwrap_or(u16::MAX), message)
}

/// The descriptor that is embedded in a generated file.
///
/// # Panics
/// If the bytes are not what the compiler put there, which would be a bug of ours.
#[must_use]
pub fn embedded(bytes: &[u8]) -> Module {
    carnet_idl::decode(bytes).unwrap_or_else(|fault| panic!("the embedded descriptor is broken: {fault}"))
}
