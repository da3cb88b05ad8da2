//! Short calls on the server: from the frame to the object and back without the block and areas of all others.
//!
//! ```text
//! frame ─► the right of the call before? ─► operation ─┬─ short: words, and a piece of the frame ─► Object::short… ─► Reply
//!             │ no: find it                            └─ not short, or something is wrong: nothing is done here
//! ```
//! What is checked is what is checked of all calls. What is wrong with a call before its object is called is said by the way for all.

use std::ops::Range;

use carnet_idl::descriptor::{Module, Operation, Short};

use super::Worker;
use crate::call::{Caller, Failure, ShortWords};
use crate::capability::Capability;
use crate::invoke::{guarded, operation};
use crate::message::read_short_request;
use crate::meter::Metered;
use crate::panics::drop_quietly;
use crate::portal::PortalId;
use crate::wire::{Request, Sections};

impl Worker {
    /// Makes a short call and answers it. `None`: it is none, or something is wrong with it; nothing was done.
    #[inline(always)]
    pub(super) fn short(&mut self, header: &Request, frame: &Range<usize>) -> Option<Result<(), Failure>> {
        let target = PortalId(header.target);
        if self.last.as_ref().is_none_or(|(last, _)| *last != target) {
            self.find(target)?;
        }
        let (Some((_, capability)), Some(operations)) = (&self.last, &self.operations) else { return None };
        let (module, interface) = capability.object().interface();
        let op = operations.translate(module, interface, header.op).ok()?;
        let operation = operation(module, interface, op).ok()?;
        let (Some(short), 0) = (operation.layout.short, header.portals) else { return None };
        self.options.single_calls.admit(operation).ok()?;
        let layout = &operation.layout;
        let sections = Sections::of(frame.len(), layout.request_words(), 0)?;
        let frame = &self.areas.list[0].bytes[frame.clone()];
        let call = ShortCall { capability, module, op, operation, short };
        let session = &self.session;
        let made = call.make(frame, sections, session.caller(), &mut self.metered, &mut self.out);
        Some(made.and_then(|words| session.send_short(header.call, layout, &words, &self.out)))
    }

    /// Makes `id` the portal of the last call; `None` if there is none such.
    #[inline(never)]
    fn find(&mut self, id: PortalId) -> Option<()> {
        drop_quietly(self.last.take());
        self.last = Some((id, self.session.capability(id).ok()?));
        Some(())
    }
}

/// A short call, as the server knows it.
struct ShortCall<'w> {
    capability: &'w Capability,
    module: &'static Module,
    op: u16,
    operation: &'static Operation,
    short: Short,
}

impl ShortCall<'_> {
    /// Calls the object with the words of its request; the results, and in `out` what was returned beside them.
    #[inline(always)]
    fn make(
        &self,
        frame: &[u8],
        sections: Sections,
        caller: &Caller,
        metered: &mut Metered,
        out: &mut Vec<u8>,
    ) -> Result<ShortWords, Failure> {
        let ShortCall { capability, module, op, operation, short } = *self;
        let layout = &operation.layout;
        let (mut words, piece) = read_short_request(frame, sections, layout, short)?;
        let charged = metered.charge(module, operation, &words[..layout.words()])?;
        out.clear();
        let object = capability.object();
        guarded(
            capability.grant(),
            || &operation.name,
            || match short {
                Short::Words => object.short(op, caller, &mut words),
                Short::In(_) => object.short_in(op, caller, &mut words, piece),
                Short::Out(_) | Short::Both(..) => object.short_out(op, caller, &mut words, piece, out),
            },
        )?;
        metered.done(operation, &words[..layout.words()], charged);
        Ok(words)
    }
}
