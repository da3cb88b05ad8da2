//! A session within one thread: calls without messages.
//!
//! Inputs are copied once into areas, since a service may not see them change; the service works on the caller's own
//! argument block; results are exchanged for the caller's outputs without a copy.

use std::fmt;
use std::sync::{Arc, Mutex};

use carnet_idl::descriptor::{InterfaceId, Layout, Module, Operation, Word};

use crate::call::{Area, Areas, Call, Caller, Failure, Kind, Object, Ref};
use crate::capability::Capability;
use crate::invoke::{invoke, operation, revoked};
use crate::memory::{Memory, behind, check_len};
use crate::message::{check_strings, is_list, is_variable};
use crate::panics::drop_quietly;
use crate::portal::{Block, Input, OpNumber, Portal, PortalId, Transport};
use crate::session::lock;
use crate::table::{PORTALS_LIMIT, Table, made_in_vain};

/// Sets of areas that are kept for the next call.
const SPARE_MAX: usize = 8;

/// A session with objects of this process.
pub struct LocalSession {
    caller: Caller,
    table: Mutex<Table>,
    spare: Mutex<Vec<Scratch>>,
}

/// What one call needs besides the caller's block.
#[derive(Default)]
struct Scratch {
    areas: Areas,
    portals: Vec<Option<Capability>>,
    made: Vec<Arc<dyn Object>>,
}

impl fmt::Debug for LocalSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LocalSession({})", self.caller.principal)
    }
}

impl LocalSession {
    /// A session on `root`, for `caller`.
    #[must_use]
    pub fn new(root: Capability, caller: Caller) -> Arc<LocalSession> {
        Arc::new(LocalSession {
            caller,
            table: Mutex::new(Table::new(root, PORTALS_LIMIT)),
            spare: Mutex::default(),
        })
    }

    /// The object that the session is opened on.
    #[must_use]
    pub fn root(self: &Arc<Self>) -> Portal {
        match self.capability(PortalId::ROOT) {
            Ok(root) => self.portal(PortalId::ROOT, &root),
            // It is never released; if it were, calls would say so.
            Err(_) => Portal::new(Arc::clone(self) as Arc<dyn Transport>, PortalId::ROOT),
        }
    }

    fn portal(self: &Arc<Self>, id: PortalId, capability: &Capability) -> Portal {
        Portal::near(Arc::clone(self) as Arc<dyn Transport>, id, capability, &self.caller)
    }

    /// Hands memory over; a portal on it. Nothing is copied.
    ///
    /// # Errors
    /// [`Kind::Refused`] if the interface of the root uses no memory, or the session is full.
    pub fn hand_over(self: &Arc<Self>, memory: &Memory) -> Result<Portal, Failure> {
        let root = self.capability(PortalId::ROOT)?;
        let object = memory.clone().object(root.object().interface().0)?;
        let capability = Capability::under(object, root.grant());
        let id = lock(&self.table).hand_out(capability.clone())?;
        Ok(self.portal(id, &capability))
    }

    /// The capability behind one of the session's portals.
    ///
    /// # Errors
    /// [`Kind::NoSuchPortal`].
    pub fn capability(&self, id: PortalId) -> Result<Capability, Failure> {
        lock(&self.table).get(id).cloned()
    }

    /// Number of portals, the root included.
    #[must_use]
    pub fn portals(&self) -> usize {
        lock(&self.table).len()
    }

    /// Makes a call. What became of a `oneway` one is told if `is_answered`.
    fn make(
        self: &Arc<Self>,
        target: PortalId,
        op: OpNumber,
        block: &mut Block<'_>,
        is_answered: bool,
    ) -> Result<(), Failure> {
        // A service that calls back finds another set.
        let mut scratch = lock(&self.spare).pop().unwrap_or_default();
        let done = self.perform(target, op, block, &mut scratch, is_answered);
        scratch.portals.drain(..).for_each(drop_quietly);
        scratch.made.drain(..).for_each(drop_quietly);
        let mut spare = lock(&self.spare);
        if spare.len() < SPARE_MAX {
            spare.push(scratch);
        }
        done
    }

    fn perform(
        self: &Arc<Self>,
        target: PortalId,
        op: OpNumber,
        block: &mut Block<'_>,
        scratch: &mut Scratch,
        is_answered: bool,
    ) -> Result<(), Failure> {
        let capability = self.capability(target)?;
        let (module, interface) = capability.object().interface();
        let (number, operation) = find(module, interface, op)?;
        let layout = &operation.layout;
        if block.words.len() < layout.words() {
            return Err(Failure::bad_argument("an argument block has fewer words than its operation"));
        }
        self.take_portals(block, &mut scratch.portals)?;
        let words = &mut block.words[..layout.words()];
        lend_areas(&mut scratch.areas, block.inputs, layout, words)?;
        let reserved = if layout.brings.most > 0 { lock(&self.table).reserve(layout.brings)? } else { 0 };
        let mut call = Call {
            words,
            areas: &mut scratch.areas,
            portals: &scratch.portals,
            made: &mut scratch.made,
            caller: &self.caller,
        };
        let done = invoke(&capability, number, operation, &mut call);
        if operation.oneway && !is_answered {
            // Over a socket nobody would hear of it, either. It brings nothing.
            return Ok(());
        }
        let done = done.and_then(|()| return_areas(&mut scratch.areas, block, layout));
        if done.is_err() && reserved > 0 {
            lock(&self.table).give_up(reserved);
        }
        done?;
        self.hand_out(&capability, block, &scratch.made, reserved)
    }

    fn take_portals(
        self: &Arc<Self>,
        block: &Block<'_>,
        portals: &mut Vec<Option<Capability>>,
    ) -> Result<(), Failure> {
        for portal in block.portals {
            let own = Arc::as_ptr(portal.transport()).cast::<()>() == Arc::as_ptr(self).cast::<()>();
            if !own {
                return Err(Failure::bad_argument("a portal of another session"));
            }
            portals.push(Some(self.capability(portal.id())?));
        }
        Ok(())
    }

    /// What an object makes is revoked with the right that was used to make it. Either all are handed out or none is.
    fn hand_out(
        self: &Arc<Self>,
        used: &Capability,
        block: &mut Block<'_>,
        made: &[Arc<dyn Object>],
        reserved: usize,
    ) -> Result<(), Failure> {
        block.made.clear();
        if made.is_empty() && reserved == 0 {
            return Ok(());
        }
        // One lock for all: nobody comes between the room that is given up and what is put there.
        let mut table = lock(&self.table);
        table.give_up(reserved);
        for object in made {
            let capability = Capability::under(Arc::clone(object), used.grant());
            match table.hand_out(capability.clone()) {
                Ok(id) => block.made.push(self.portal(id, &capability)),
                Err(why) => {
                    // Those before give their places back, for which they take the lock.
                    drop(table);
                    block.made.clear();
                    return Err(made_in_vain(&why));
                }
            }
        }
        Ok(())
    }
}

impl Transport for LocalSession {
    fn call(self: Arc<Self>, target: PortalId, op: OpNumber, block: &mut Block<'_>) -> Result<(), Failure> {
        self.make(target, op, block, false)
    }

    fn call_answered(
        self: Arc<Self>,
        target: PortalId,
        op: OpNumber,
        block: &mut Block<'_>,
    ) -> Result<(), Failure> {
        self.make(target, op, block, true)
    }

    fn map(self: Arc<Self>, portal: &Portal, bytes_max: usize) -> Result<Option<Memory>, Failure> {
        let capability = self.capability(portal.id())?;
        if capability.is_revoked() {
            return Err(revoked());
        }
        let Some(memory) = behind(capability.object().as_ref()) else { return Ok(None) };
        check_len(memory.len() as u64, bytes_max)?;
        Ok(Some(memory.clone()))
    }

    fn release(&self, portal: PortalId, receipts: u32) {
        let dropped = lock(&self.table).release(portal, receipts);
        drop_quietly(dropped);
    }
}

/// The object's operation with the signature that the caller means.
#[inline]
fn find(
    module: &'static Module,
    interface: InterfaceId,
    op: OpNumber,
) -> Result<(u16, &'static Operation), Failure> {
    let wanted = op.operation().hash;
    match operation(module, interface, op.op) {
        Ok(operation) if operation.hash == wanted => Ok((op.op, operation)),
        _ => module
            .interfaces
            .get(interface.index())
            .and_then(|interface| interface.operation_by_hash(wanted))
            .ok_or_else(|| {
                let text = format!("the object has nothing like the caller's {}", op.operation().name);
                Failure::new(Kind::NoSuchOperation, &text)
            }),
    }
}

/// Copies the inputs into areas of the same numbers, and names an area after them for each result.
fn lend_areas(
    areas: &mut Areas,
    inputs: &[Input<'_>],
    layout: &Layout,
    words: &mut [u64],
) -> Result<(), Failure> {
    let needed = inputs.len() + layout.words();
    if areas.list.len() < needed {
        areas.list.resize_with(needed, Area::default);
    }
    for (area, input) in areas.list.iter_mut().zip(inputs) {
        area.clear();
        match input {
            Input::Bytes(bytes) => area.bytes.extend_from_slice(bytes),
            Input::List(list) => {
                area.bytes.extend_from_slice(&list.bytes);
                area.words.extend_from_slice(&list.words);
            }
        }
    }
    let (request, outs) = words.split_at_mut(layout.request_words());
    for (word, value) in layout.ins.iter().chain(&layout.inouts).zip(request) {
        check_input(areas, inputs.len(), word, *value)?;
    }
    let mut number = inputs.len();
    for (word, value) in layout.outs.iter().zip(outs) {
        *value = if is_variable(word) { Ref::new(number, 0, 0).ok_or_else(too_many)?.0 } else { 0 };
        number += 1;
        if let Some(area) = areas.list.get_mut(number - 1) {
            area.clear();
        }
    }
    Ok(())
}

/// The same checks that a message meets.
fn check_input(areas: &Areas, inputs: usize, word: &Word, value: u64) -> Result<(), Failure> {
    if is_variable(word) && Ref(value).area() >= inputs {
        return Err(Failure::bad_argument("a reference names no data"));
    }
    match word {
        Word::String { max } | Word::Bytes { max } => areas.bytes(value, *max).map(|_| ()),
        Word::List { element, max } => {
            let area = &areas.list[Ref(value).area()];
            if area.words.len() > (*max as usize).saturating_mul(element.len()) {
                return Err(Failure::bad_argument(&format!("a list of more than {max} elements")));
            }
            check_strings(area, element).map(|_| ())
        }
        Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_) | Word::Portal(_) => Ok(()),
    }
}

/// Exchanges the areas of the results for the caller's outputs.
fn return_areas(areas: &mut Areas, block: &mut Block<'_>, layout: &Layout) -> Result<(), Failure> {
    let replied = layout.inouts.iter().chain(&layout.outs);
    let mut next = 0;
    for (word, value) in replied.zip(&mut block.words[layout.ins.len()..layout.words()]) {
        if !is_variable(word) {
            continue;
        }
        let output = block
            .outputs
            .get_mut(next)
            .ok_or_else(|| Failure::bad_argument("an argument block lacks an output"))?;
        take_result(areas, word, *value, output)?;
        let len = if is_list(word) { 0 } else { output.bytes.len() };
        *value = Ref::new(block.inputs.len() + next, 0, len).ok_or_else(too_many)?.0;
        next += 1;
    }
    Ok(())
}

fn take_result(areas: &mut Areas, word: &Word, value: u64, output: &mut Area) -> Result<(), Failure> {
    let broken = || Failure::service("a result that is not of its type");
    match word {
        Word::String { max } | Word::Bytes { max } => {
            let len = areas.bytes(value, *max).map_err(|_| broken())?.len();
            let area = &mut areas.list[Ref(value).area()];
            if Ref(value).offset() == 0 && len == area.bytes.len() {
                std::mem::swap(area, output);
            } else {
                output.clear();
                output.bytes.extend_from_slice(areas.bytes(value, *max).map_err(|_| broken())?);
            }
        }
        Word::List { element, max } => {
            let area = areas.list.get_mut(Ref(value).area()).ok_or_else(broken)?;
            if area.words.len() > (*max as usize).saturating_mul(element.len()) {
                return Err(broken());
            }
            check_strings(area, element).map_err(|_| broken())?;
            std::mem::swap(area, output);
        }
        Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_) | Word::Portal(_) => {}
    }
    Ok(())
}

#[cold]
fn too_many() -> Failure {
    Failure::bad_argument("an operation with too many strings and lists")
}
