//! Objects of another process as objects of this one: what is called here is called there.
//!
//! ```text
//! caller ── block, areas ──► Relayed ── Portal ──► the object, behind a socket
//!        ◄── portals become objects of this kind, values are those of their types ──
//! ```
//!
//! So a process can serve, with programs beside it, what another one implements. The one behind is a peer like any other: what
//! comes back is checked as generated clients check it. A portal that is handed over must be of the same session there, for
//! nobody's objects are served to it. What a call came to when the process behind dies is unknown
//! ([`Kind::PeerDied`]), as for any caller.

use std::any::Any;
use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use carnet_idl::descriptor::{InterfaceId, Module, Operation, Word};

use crate::call::{Area, Areas, Call, Caller, Failure, Kind, MEMBERS, Object, Ref};
use crate::capability::Capability;
use crate::invoke::{operation, revoked};
use crate::message::is_variable;
use crate::portal::{Block, Input, OpNumber, Portal};
use crate::session::lock;

/// The object behind `portal`, which has interface `interface` of `module`.
#[must_use]
pub fn relay(portal: Portal, module: &'static Module, interface: InterfaceId) -> Arc<dyn Object> {
    Arc::new(Relayed { portal, module, interface, is_of_empty_text: false })
}

/// Whether the root object of a service behind made `object` of the empty text ([`Interface::argument`](carnet_idl::descriptor::Interface)).
#[must_use]
pub fn is_of_empty_text(object: &dyn Object) -> bool {
    object.service().downcast_ref::<Relayed>().is_some_and(|relayed| relayed.is_of_empty_text)
}

/// What the root object of a service behind makes of the empty text.
///
/// # Errors
/// What the service answered, or that it makes nothing of a text.
pub fn of_empty_text(root: &dyn Object, caller: &Caller) -> Result<Arc<dyn Object>, Failure> {
    let (module, id) = root.interface();
    let op = module.interfaces[id.index()].argument;
    let op = op.ok_or_else(|| Failure::bad_argument("the service makes no object of a text"))?;
    let mut areas = Areas { list: vec![Area::default()] };
    let (mut made, mut words) = (Vec::new(), [Ref::default().0, 0]);
    let mut call = Call { words: &mut words, areas: &mut areas, portals: &[], made: &mut made, caller };
    root.dispatch(op, &mut call)?;
    made.into_iter().nth(words[1] as usize).ok_or_else(broken)
}

/// The root object of a service behind, which `connect` reaches: when it is called first, and again when its process died
/// meanwhile. So what needs no call of it is to be had without it, such as what became of a run.
#[must_use]
pub fn root(
    connect: impl Fn() -> Result<Portal, Failure> + Send + Sync + 'static,
    module: &'static Module,
    interface: InterfaceId,
) -> Arc<dyn Object> {
    Arc::new(Root { connect: Box::new(connect), module, interface, now: Mutex::new(None) })
}

struct Root {
    connect: Box<dyn Fn() -> Result<Portal, Failure> + Send + Sync>,
    module: &'static Module,
    interface: InterfaceId,
    now: Mutex<Option<Arc<Relayed>>>,
}

impl Root {
    /// The object of now.
    fn found(&self) -> Result<Arc<Relayed>, Failure> {
        let mut now = lock(&self.now);
        if let Some(found) = &*now {
            return Ok(Arc::clone(found));
        }
        let (portal, module, interface) = ((self.connect)()?, self.module, self.interface);
        Ok(Arc::clone(now.insert(Arc::new(Relayed { portal, module, interface, is_of_empty_text: false }))))
    }
}

impl Object for Root {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (self.module, self.interface)
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let found = self.found()?;
        let argument = self.module.interfaces[self.interface.index()].argument;
        let is_of_empty_text =
            argument == Some(op) && call.words.first().is_some_and(|text| Ref(*text).is_empty());
        let first = call.made.len();
        found.dispatch(op, call).inspect_err(|failure| {
            if failure.kind() == Kind::PeerDied {
                let gone = lock(&self.now).take_if(|now| Arc::ptr_eq(now, &found));
                drop(gone);
            }
        })?;
        for object in call.made.iter_mut().skip(first).filter(|_| is_of_empty_text) {
            let Some(made) = object.service().downcast_ref::<Relayed>() else { continue };
            let (portal, module, interface) = (made.portal.clone(), made.module, made.interface);
            *object = Arc::new(Relayed { portal, module, interface, is_of_empty_text });
        }
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

struct Relayed {
    portal: Portal,
    module: &'static Module,
    interface: InterfaceId,
    /// The root made it of the empty text.
    is_of_empty_text: bool,
}

impl Object for Relayed {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (self.module, self.interface)
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let operation = operation(self.module, self.interface, op)?;
        let mut outputs = outputs(operation, call)?;
        let sent = self.call(op, operation, call, &mut outputs);
        let sent = sent.map_err(|failure| self.checked(operation, failure))?;
        self.give_back(operation, call, sent, outputs)
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// What came back: the block, and portals.
struct Sent {
    words: Vec<u64>,
    made: Vec<Portal>,
}

impl Relayed {
    /// Makes the call there.
    fn call(
        &self,
        op: u16,
        operation: &Operation,
        call: &Call<'_>,
        outputs: &mut [Area],
    ) -> Result<Sent, Failure> {
        let layout = &operation.layout;
        let mut words = call.words.to_vec();
        let mut portals = Vec::new();
        // Lists in which portals have other numbers there, or that hold texts that are no longer theirs.
        let mut lists = Vec::new();
        let request = || layout.ins.iter().chain(&layout.inouts).zip(call.words.iter().copied());
        for (word, value) in request() {
            let Word::List { element, .. } = word else { continue };
            let list = list(call, value)?;
            lists.push(if element.iter().any(|word| matches!(word, Word::Portal(_))) {
                let mut list = list.clone();
                renumber(element, &mut list.words, |value, _| self.own(call.portals, value, &mut portals))?;
                Cow::Owned(list)
            } else {
                alone(element, list)?
            });
        }
        let mut inputs = Vec::new();
        let mut lists = lists.iter();
        for ((word, value), place) in request().zip(&mut words) {
            let input = match word {
                Word::String { max } => Input::Bytes(call.areas.string(value, *max)?),
                Word::Bytes { max } => Input::Bytes(call.areas.bytes(value, *max)?),
                Word::List { .. } => Input::List(lists.next().ok_or_else(no_data)?),
                Word::Portal(_) => {
                    *place = self.own(call.portals, value, &mut portals)?;
                    continue;
                }
                Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_) => continue,
            };
            let len = if let Input::Bytes(bytes) = input { bytes.len() } else { 0 };
            *place = Ref::new(inputs.len(), 0, len).ok_or_else(no_data)?.0;
            inputs.push(input);
        }
        let outs = layout.outs.iter().zip(&mut words[layout.request_words()..]);
        for (at, (_, place)) in outs.filter(|(word, _)| is_variable(word)).enumerate() {
            let before = layout.inouts.iter().filter(|word| is_variable(word)).count();
            *place = Ref::new(inputs.len() + before + at, 0, 0).ok_or_else(no_data)?.0;
        }
        let portals: Vec<&Portal> = portals.iter().collect();
        let mut block =
            Block { words: &mut words, inputs: &inputs, outputs, portals: &portals, made: Vec::new() };
        let op = OpNumber { module: self.module, interface: self.interface, op };
        self.portal.call(op, &mut block)?;
        let made = block.made;
        Ok(Sent { words, made })
    }

    /// Puts what came back where the caller looks for it.
    fn give_back(
        &self,
        operation: &Operation,
        call: &mut Call<'_>,
        sent: Sent,
        outputs: Vec<Area>,
    ) -> Result<(), Failure> {
        let Sent { words, made } = sent;
        let layout = &operation.layout;
        let mut outputs = outputs.into_iter();
        let mut objects = Vec::new();
        let first = call.made.len();
        let mut portal = |value: u64, interface| {
            let portal = usize::try_from(value).ok().and_then(|at| made.get(at)).ok_or_else(broken)?;
            objects.push(relay(portal.clone(), self.module, interface));
            Ok((first + objects.len() - 1) as u64)
        };
        for (at, word) in layout.inouts.iter().chain(&layout.outs).enumerate() {
            let at = layout.ins.len() + at;
            let value = words[at];
            call.words[at] = match word {
                Word::Portal(interface) => portal(value, *interface)?,
                word if is_variable(word) => {
                    let mut area = outputs.next().ok_or_else(broken)?;
                    check_area(self.module, word, &area)?;
                    if let Word::List { element, .. } = word {
                        renumber(element, &mut area.words, &mut portal)?;
                    }
                    call.areas.put(call.words[at], area)?
                }
                word => check_scalar(self.module, word, value)?,
            };
        }
        call.made.extend(objects);
        Ok(())
    }

    /// The number there of a portal that is handed over here.
    fn own(
        &self,
        handed: &[Option<Capability>],
        word: u64,
        portals: &mut Vec<Portal>,
    ) -> Result<u64, Failure> {
        let capability = usize::try_from(word).ok().and_then(|at| handed.get(at)).and_then(Option::as_ref);
        let capability = capability.ok_or_else(|| Failure::bad_argument("a portal is missing"))?;
        if capability.is_revoked() {
            return Err(revoked());
        }
        let service = capability.object().service();
        let portal = match service.downcast_ref::<Root>() {
            Some(root) => lock(&root.now).as_ref().map(|now| now.portal.clone()),
            None => service.downcast_ref::<Relayed>().map(|relayed| relayed.portal.clone()),
        };
        let is_own = |other: &Portal| Arc::ptr_eq(other.transport(), self.portal.transport());
        portals.push(portal.filter(is_own).ok_or_else(|| {
            Failure::bad_argument("a portal on an object that the service behind this one does not have")
        })?);
        Ok(portals.len() as u64 - 1)
    }

    /// What is raised there is something that the operation raises.
    fn checked(&self, operation: &Operation, failure: Failure) -> Failure {
        let raised = failure.details().raised;
        let is_one = match self.module.plain_exception(operation) {
            Some((kind, _)) => usize::from(raised) < self.module.enums[kind.index()].values.len(),
            None => raised & MEMBERS != 0 && usize::from(raised & !MEMBERS) < operation.raises.len(),
        };
        match failure.kind() {
            Kind::Raised if !is_one => broken(),
            // Whoever calls through here may know the exception by no other name.
            Kind::Raised if raised & MEMBERS != 0 => {
                let place = raised & !MEMBERS;
                let name = &self.module.exceptions[operation.raises[usize::from(place)].index()].name;
                Failure::raised_members(place, failure.details().members.clone(), name.clone())
            }
            _ => failure,
        }
    }
}

/// Text without NUL, lists of values that are of their types. Lengths were checked when they were read.
pub(crate) fn check_area(module: &Module, word: &Word, area: &Area) -> Result<(), Failure> {
    match word {
        Word::String { .. } if area.bytes.contains(&0) => Err(broken()),
        Word::List { element, .. } => {
            let words = area.words.chunks_exact(element.len());
            words.flat_map(|words| element.iter().zip(words)).try_for_each(|(word, value)| match word {
                Word::String { .. } if area.string(*value).contains(&0) => Err(broken()),
                Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_) => {
                    check_scalar(module, word, *value).map(drop)
                }
                _ => Ok(()),
            })
        }
        _ => Ok(()),
    }
}

/// A value that is one of its type.
pub(crate) fn check_scalar(module: &Module, word: &Word, value: u64) -> Result<u64, Failure> {
    let fits = match word {
        Word::Bool => value <= 1,
        Word::Int { bits: 64, .. } => true,
        Word::Int { bits, signed: false } => value >> bits == 0,
        Word::Float { bits: 32 } => value >> 32 == 0,
        Word::Int { bits, signed: true } => {
            let unused = 64 - u32::from(*bits);
            (value << unused) as i64 >> unused == value as i64
        }
        Word::Enum(id) => value < module.enums[id.index()].values.len() as u64,
        _ => true,
    };
    if fits { Ok(value) } else { Err(broken()) }
}

/// The areas to fill: for what comes back alone those that the caller has for it.
fn outputs(operation: &Operation, call: &mut Call<'_>) -> Result<Vec<Area>, Failure> {
    let layout = &operation.layout;
    let inouts = layout.inouts.iter().filter(|word| is_variable(word)).map(|_| Ok(Area::default()));
    let outs = layout.outs.iter().zip(layout.request_words()..).filter(|(word, _)| is_variable(word));
    inouts.collect::<Vec<_>>().into_iter().chain(outs.map(|(_, at)| call.take(at))).collect()
}

fn list<'a>(call: &'a Call<'_>, word: u64) -> Result<&'a Area, Failure> {
    call.areas.list.get(Ref(word).area()).ok_or_else(no_data)
}

/// A list with the texts of its elements and no others: a list of a program keeps those that were replaced for a while, and
/// they are nothing for another process.
fn alone<'a>(element: &[Word], list: &'a Area) -> Result<Cow<'a, Area>, Failure> {
    let kind = |at: usize| element.get(at % element.len().max(1));
    let is_text = |at: usize| matches!(kind(at), Some(Word::String { .. } | Word::Bytes { .. }));
    if list.text_bytes(is_text) >= list.bytes.len() {
        return Ok(Cow::Borrowed(list));
    }
    let mut own = list.clone();
    own.pack(is_text).ok_or_else(no_data)?;
    Ok(Cow::Owned(own))
}

/// Gives each portal in a list's words another number.
fn renumber(
    element: &[Word],
    words: &mut [u64],
    mut number: impl FnMut(u64, InterfaceId) -> Result<u64, Failure>,
) -> Result<(), Failure> {
    for (at, word) in element.iter().enumerate() {
        if let Word::Portal(interface) = word {
            for value in words.iter_mut().skip(at).step_by(element.len()) {
                *value = number(*value, *interface)?;
            }
        }
    }
    Ok(())
}

fn no_data() -> Failure {
    Failure::bad_argument("a reference names no data")
}

fn broken() -> Failure {
    Failure::service("the service behind this one answered what is not of the operation's type")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names and numbers; of the second a name was replaced, the first is still that of the beginning.
    #[test]
    fn texts_that_were_replaced_do_not_leave() {
        let element = [Word::String { max: 20 }, Word::Int { bits: 64, signed: true }];
        let mut list = Area::default();
        for (name, n) in [("first", 1), ("secret", 2)] {
            let name = list.add_string(name.as_bytes()).expect("there is room");
            list.words.extend([name, n]);
        }
        assert!(matches!(alone(&element, &list), Ok(Cow::Borrowed(same)) if *same == list));
        list.words[2] = list.add_string(b"open").expect("there is room");
        let sent = alone(&element, &list).expect("it is a list");
        assert_eq!(sent.bytes, b"firstopen");
        assert_eq!((sent.string(sent.words[0]), sent.string(sent.words[2])), (&b"first"[..], &b"open"[..]));
        assert_eq!((sent.words[1], sent.words[3]), (1, 2));
    }
}
