//! Objects that say whether an operation that may wait would wait now.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use carnet_idl::descriptor::{InterfaceId, Module};

use super::Served;
use crate::call::{Call, Caller, Failure, Object, ShortWords, Upcoming};
use crate::direct::Entry;

/// The same object, for which `ready` answers [`Object::is_ready`].
///
/// ```
/// # use carnet_portal::stub::{Served, ready_by};
/// # fn example<Queue>(served: Served<Queue>) -> Served<Queue> {
/// // Operation 0 takes what somebody else has put there.
/// ready_by(served, |op, _caller, _words, _within| op != 0)
/// # }
/// ```
#[must_use]
pub fn ready_by<I>(
    served: Served<I>,
    ready: impl Fn(u16, &Caller, &[u64], Duration) -> bool + Send + Sync + 'static,
) -> Served<I> {
    Served::new(Arc::new(Ready { object: served.into_object(), ready }))
}

struct Ready<F> {
    object: Arc<dyn Object>,
    ready: F,
}

impl<F: Fn(u16, &Caller, &[u64], Duration) -> bool + Send + Sync + 'static> Object for Ready<F> {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        self.object.interface()
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        self.object.dispatch(op, call)
    }

    fn short(&self, op: u16, caller: &Caller, words: &mut ShortWords) -> Result<(), Failure> {
        self.object.short(op, caller, words)
    }

    fn short_in(
        &self,
        op: u16,
        caller: &Caller,
        words: &mut ShortWords,
        piece: &[u8],
    ) -> Result<(), Failure> {
        self.object.short_in(op, caller, words, piece)
    }

    fn short_out(
        &self,
        op: u16,
        caller: &Caller,
        words: &mut ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        self.object.short_out(op, caller, words, piece, out)
    }

    fn entry(&self, op: u16) -> Option<Entry<'_>> {
        self.object.entry(op)
    }

    fn is_ready(&self, op: u16, caller: &Caller, words: &[u64], within: Duration) -> bool {
        (self.ready)(op, caller, words, within)
    }

    fn upcoming(&self, op: u16, calls: &Upcoming<'_>) -> usize {
        self.object.upcoming(op, calls)
    }

    fn lend(&self, place: &mut dyn Any) {
        self.object.lend(place);
    }

    fn service(&self) -> &dyn Any {
        self.object.service()
    }
}
