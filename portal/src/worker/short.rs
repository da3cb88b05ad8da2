//! Short calls, and turned ones, on the server: from the frame to the object and back without the block and areas of all others.
//!
//! ```text
//! frame ─► the right of the call before? ─► operation ─┬─ short:  words, and a piece of the frame ─► Object::short… ─┬─► Reply
//!             │ no: find it                            ├─ turned: words, data in area 1 ─► Object::dispatch ────────┘
//!                                                      └─ neither, or something is wrong: nothing is done here
//! ```
//! What is checked is what is checked of all calls. What is wrong with a call before its object is called is said by the way for all.

use std::ops::Range;

use carnet_idl::descriptor::{Module, Operation, Short};

use super::{Worker, too_short};
use crate::call::{Call, Caller, Failure, ShortWords};
use crate::capability::Capability;
use crate::invoke::{guarded, operation};
use crate::message::{read_short_request, read_turned_request};
use crate::meter::Metered;
use crate::panics::drop_quietly;
use crate::portal::PortalId;
use crate::wire::{Request, Sections};

impl Worker {
    /// Makes a call that is short or turned, and answers it. `None`: it is neither, or something is wrong with it; nothing was done.
    #[inline(always)]
    pub(super) fn at_once(&mut self, header: &Request, frame: &Range<usize>) -> Option<Result<(), Failure>> {
        let target = PortalId(header.target);
        if self.last.as_ref().is_none_or(|(last, _)| *last != target) {
            self.find(target)?;
        }
        let (Some((_, capability)), Some(operations)) = (&self.last, &self.operations) else { return None };
        let (module, interface) = capability.object().interface();
        let op = operations.translate(module, interface, header.op).ok()?;
        let operation = operation(module, interface, op).ok()?;
        if header.portals != 0 {
            return None;
        }
        self.options.single_calls.admit(operation).ok()?;
        let layout = &operation.layout;
        let sections = Sections::of(frame.len(), layout.request_words(), 0)?;
        let Some(short) = layout.short else {
            let at = layout.turned.filter(|_| self.moved.is_none())?;
            return Some(self.turned((module, op, operation, at), header.call, frame, sections));
        };
        let frame = &self.areas.list[0].bytes[frame.clone()];
        let call = ShortCall { capability, module, op, operation, short };
        let session = &self.session;
        let made = call.make(frame, sections, session.caller(), &mut self.metered, &mut self.out);
        Some(made.and_then(|words| session.send_short(header.call, layout, &words, &self.out)))
    }

    /// Makes a turned call by the right of the last one and answers it.
    #[inline(never)]
    fn turned(
        &mut self,
        (module, op, operation, at): (&'static Module, u16, &'static Operation, usize),
        number: u32,
        frame: &Range<usize>,
        sections: Sections,
    ) -> Result<(), Failure> {
        let layout = &operation.layout;
        let Some((_, capability)) = &self.last else { return Err(too_short(operation)) };
        let mut block = read_turned_request(&mut self.areas, frame, sections, layout, at)?;
        let words = &mut block[..layout.words()];
        let charged = self.metered.charge(module, operation, words)?;
        let (areas, made, caller) = (&mut self.areas, &mut self.made, self.session.caller());
        let mut call = Call { words, areas, portals: &[], made, caller };
        let done =
            guarded(capability.grant(), || &operation.name, || capability.object().dispatch(op, &mut call));
        if !self.made.is_empty() {
            // Nobody asked for them.
            self.drop_portals();
        }
        done?;
        self.metered.done(operation, &block[..layout.words()], charged);
        self.session.send_turned(number, layout, block[at], &self.areas)
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
