//! Objects of another process as objects of this one: what is called here is called there.
//!
//! ```text
//! caller ── block, areas ──► Relayed ── Portal ──► the object, behind a socket
//!        ◄── portals become objects of this kind, values are those of their types ──
//! ```
//!
//! So a process can serve, with programs beside it, what another one implements. The one behind is a peer like any other: what
//! comes back is checked as generated clients check it. A portal that is handed over must be of the same session there, for
//! nobody's objects are served to it. What a call came to when the process behind dies in it is unknown
//! ([`Kind::PeerDied`]), as for any caller. When the session behind is over, a root and what it makes of the empty text are had
//! again in another one; all else was of that session, and is no more.

use std::any::Any;
use std::borrow::Cow;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use carnet_idl::descriptor::{InterfaceId, Module, Operation, Word};

use crate::call::{Area, Areas, Call, Caller, Failure, Kind, Label, MEMBERS, Object, Ref};
use crate::invoke::{operation, revoked};
use crate::message::is_variable;
use crate::portal::{Block, Input, OpNumber, Portal, Transport as _};
use crate::remote::RemoteSession;
use crate::seats::{Bounds, Seats};
use crate::session::lock;

/// How many sessions a relay has with a service that does not say how many it may have: as many as a server in C gives one process.
pub const SESSIONS_UNSAID: usize = 48;

/// The sessions that a relay has with the service behind, to which it is one process: they are divided among its clients as those of
/// any server are, and each says whom it is for, so that the service divides what it hands out to them.
#[derive(Debug)]
pub struct Sessions {
    seats: Arc<Seats>,
    /// So that the service behind learns of no name by trying.
    keys: RandomState,
}

impl Sessions {
    /// So many, as [`RemoteSession::relays_for`] says.
    #[must_use]
    pub fn new(max: usize) -> Sessions {
        Sessions { seats: Seats::new(Bounds::places(max)), keys: RandomState::new() }
    }

    /// One for `caller`, which `connect` begins. It counts until its connection is dead or dropped.
    ///
    /// # Errors
    /// [`Kind::Refused`] if there are as many as may be, and what `connect` and the way to the service answered.
    pub fn begin(
        &self,
        caller: &Caller,
        connect: impl FnOnce() -> Result<Arc<RemoteSession>, Failure>,
    ) -> Result<Arc<RemoteSession>, Failure> {
        let seat = self.seats.take(caller).map_err(|full| {
            let full = full.tell("this relay", ["has", "have"], "sessions with the service behind");
            Failure::new(Kind::Refused, &format!("{full}; end one first"))
        })?;
        let session = connect()?;
        match session.relays_for(Some(self.label(caller))) {
            Err(failure) if session.is_over() || !is_of_earlier_version(failure.kind()) => {
                return Err(unanswered(&failure));
            }
            _ => {}
        }
        session.keep(seat);
        Ok(session)
    }

    /// How many there are.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.seats.taken()
    }

    /// Whom a session is for. What the client says of that is not asked: whoever made labels up would be many, with a share for each. So all
    /// clients of a relay that is a client of this one have one client's share.
    fn label(&self, caller: &Caller) -> Label {
        Label {
            principal: self.keys.hash_one(&caller.principal),
            process: self.keys.hash_one((&caller.principal, caller.origin)),
        }
    }
}

/// Whether a server that knows nothing of labels answers one like that.
fn is_of_earlier_version(kind: Kind) -> bool {
    matches!(kind, Kind::NoSuchOperation | Kind::Refused | Kind::Protocol)
}

/// A session with the service behind began, and a question was not answered, for this reason. One that was refused was answered.
#[must_use]
pub fn unanswered(failure: &Failure) -> Failure {
    let why = match failure.kind() {
        Kind::Refused => return failure.clone(),
        Kind::PeerDied => "it closed the connection",
        Kind::TimedOut => "it gave no answer in time",
        _ => &failure.details().message,
    };
    let why = format!("the service behind does not answer: {why}; this call was not sent");
    Failure::new(Kind::Unreachable, &why)
}

/// The object behind `portal`, which has interface `interface` of `module`.
#[must_use]
pub fn relay(portal: Portal, module: &'static Module, interface: InterfaceId) -> Arc<dyn Object> {
    Arc::new(Relayed { portal, module, interface })
}

/// Whether the root object of a service behind made `object` of the empty text ([`Interface::argument`](carnet_idl::descriptor::Interface)).
#[must_use]
pub fn is_of_empty_text(object: &dyn Object) -> bool {
    object.service().downcast_ref::<Again>().is_some_and(|again| !again.is_root)
}

/// Whether the session with the service behind that `object` is of is over, or there is none yet: it can be called if
/// [`have_again`] can have it again. Never waits.
#[must_use]
pub fn is_lost(object: &dyn Object) -> bool {
    let service = object.service();
    if let Some(again) = service.downcast_ref::<Again>() {
        return again.found.is_lost();
    }
    service.downcast_ref::<Relayed>().is_some_and(Relayed::is_lost)
}

/// Whether nobody can have `object` again: the session with the service behind is over, and it was of that one, or of a process that has died
/// in a call. Never waits.
#[must_use]
pub fn is_gone(object: &dyn Object) -> bool {
    let service = object.service();
    if let Some(again) = service.downcast_ref::<Again>() {
        return again.found.is_gone();
    }
    service.downcast_ref::<Relayed>().is_some_and(Relayed::is_lost)
}

/// Has an object again whose session with the service behind is over, if that can be: a root, or what one makes of the empty text.
///
/// # Errors
/// Why it cannot be called. Nothing was done.
pub fn have_again(object: &dyn Object, caller: &Caller) -> Result<(), Failure> {
    let service = object.service();
    if let Some(again) = service.downcast_ref::<Again>() {
        return again.found.living(caller).map(drop);
    }
    match service.downcast_ref::<Relayed>() {
        Some(relayed) if relayed.is_lost() => Err(over("")),
        _ => Ok(()),
    }
}

/// What the root object of a service behind makes of the empty text.
///
/// # Errors
/// What the service answered, or that it makes nothing of a text.
pub fn of_empty_text(root: &dyn Object, caller: &Caller) -> Result<Arc<dyn Object>, Failure> {
    let (module, id) = root.interface();
    let op = module.interfaces[id.index()].argument;
    let op = op.ok_or_else(|| Failure::bad_argument("the service makes no object of a text"))?;
    made_of_empty_text(op, caller, |op, call| root.dispatch(op, call))
}

fn made_of_empty_text(
    op: u16,
    caller: &Caller,
    dispatch: impl FnOnce(u16, &mut Call<'_>) -> Result<(), Failure>,
) -> Result<Arc<dyn Object>, Failure> {
    let mut areas = Areas { list: vec![Area::default()] };
    let (mut made, mut words) = (Vec::new(), [Ref::default().0, 0]);
    let mut call = Call { words: &mut words, areas: &mut areas, portals: &[], made: &mut made, caller };
    dispatch(op, &mut call)?;
    made.into_iter().nth(words[1] as usize).ok_or_else(broken)
}

/// The root object of a service behind, which `connect` reaches: when it is called first, and again when its session is
/// over. So what needs no call of it is to be had without it, such as what became of a run. What it makes of the empty text is had
/// again in the same way, by the call behind the one that finds that its session is over: who calls is told that something began anew.
///
/// An object of a process of its session ([`is_of_a_process`]) is had once: what the next session has is another process.
#[must_use]
pub fn root(
    connect: impl Fn() -> Result<Portal, Failure> + Send + Sync + 'static,
    module: &'static Module,
    interface: InterfaceId,
) -> Arc<dyn Object> {
    let find = move |_: &Caller| -> Result<Arc<Relayed>, Failure> {
        Ok(Arc::new(Relayed { portal: connect()?, module, interface }))
    };
    let found = Found {
        find: Box::new(find),
        now: Mutex::new(Now::NotYet),
        once: is_of_a_process(module, interface),
        died: AtomicBool::new(false),
    };
    Arc::new(Again { found: Arc::new(found), module, interface, is_root: true })
}

/// Whether an interface has calls of a process, which is its session's: descriptors and directories of one mean nothing in another.
#[must_use]
pub fn is_of_a_process(module: &Module, interface: InterfaceId) -> bool {
    module.interfaces[interface.index()].operations.iter().any(|operation| operation.syscall.is_some())
}

/// An object of the service behind that is had again.
struct Again {
    found: Arc<Found>,
    module: &'static Module,
    interface: InterfaceId,
    /// Else the root made it of the empty text.
    is_root: bool,
}

/// Has an object, in a session that there is or in a new one.
type Find = Box<dyn Fn(&Caller) -> Result<Arc<Relayed>, Failure> + Send + Sync>;

/// Where it is now.
struct Found {
    find: Find,
    now: Mutex<Now>,
    /// It is of a process, and not had again.
    once: bool,
    /// That process has died, or the session with it.
    died: AtomicBool,
}

enum Now {
    NotYet,
    /// In a session that may be over.
    There(Arc<Relayed>),
    /// Its session is over, and it was of that one.
    Over,
}

impl Found {
    /// The object of now, which may be of a session that is over.
    fn now(&self, caller: &Caller) -> Result<Arc<Relayed>, Failure> {
        let mut now = lock(&self.now);
        match &*now {
            Now::There(found) => Ok(Arc::clone(found)),
            Now::Over => Err(over("; this call was not sent")),
            Now::NotYet => {
                let found = (self.find)(caller)?;
                *now = Now::There(Arc::clone(&found));
                Ok(found)
            }
        }
    }

    /// The object of a session that is not over, as far as can be seen.
    fn living(&self, caller: &Caller) -> Result<Arc<Relayed>, Failure> {
        let found = self.now(caller)?;
        if !found.is_lost() {
            return Ok(found);
        }
        self.lose(&found);
        self.now(caller)
    }

    /// Whether it is in no session that lives, as far as can be seen without waiting.
    fn is_lost(&self) -> bool {
        // Who has the lock is about to have the object again.
        self.now.try_lock().map_or(true, |now| match &*now {
            Now::There(found) => found.is_lost(),
            Now::NotYet | Now::Over => true,
        })
    }

    /// Whether it is not had again, as far as can be seen without waiting.
    fn is_gone(&self) -> bool {
        let is_over = || {
            self.now.try_lock().is_ok_and(|now| match &*now {
                Now::There(found) => found.is_lost(),
                Now::NotYet => false,
                Now::Over => true,
            })
        };
        self.once && (self.died.load(Ordering::Relaxed) || is_over())
    }

    /// The session of this one is over.
    fn lose(&self, found: &Arc<Relayed>) {
        let next = if self.once { Now::Over } else { Now::NotYet };
        let mut now = lock(&self.now);
        let gone = match &*now {
            Now::There(there) if Arc::ptr_eq(there, found) => std::mem::replace(&mut *now, next),
            _ => return,
        };
        drop(now);
        drop(gone);
    }

    /// Makes a call, once: whoever called is told if its session is over, also if nothing was sent, since the next one begins anew.
    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let found = self.now(call.caller)?;
        found.make(op, call).inspect_err(|failure| {
            if self.once && failure.kind() == Kind::PeerDied {
                self.died.store(true, Ordering::Relaxed);
            }
            if found.is_lost_by(failure) {
                self.lose(&found);
            }
        })
    }
}

impl Object for Again {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (self.module, self.interface)
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let argument = self.module.interfaces[self.interface.index()].argument;
        let is_of_empty_text = self.is_root
            && argument == Some(op)
            && call.words.first().is_some_and(|text| Ref(*text).is_empty());
        let first = call.made.len();
        self.found.dispatch(op, call)?;
        for object in call.made.iter_mut().skip(first).filter(|_| is_of_empty_text) {
            let Some(made) = object.service().downcast_ref::<Relayed>() else { continue };
            let (module, interface) = (made.module, made.interface);
            let now = Mutex::new(Now::There(Arc::new(made.clone())));
            let root = Arc::clone(&self.found);
            let find = move |caller: &Caller| -> Result<Arc<Relayed>, Failure> {
                root.living(caller)?;
                let made = made_of_empty_text(op, caller, |op, call| root.dispatch(op, call))?;
                let made = made.service().downcast_ref::<Relayed>().cloned();
                made.map(Arc::new).ok_or_else(broken)
            };
            let once = self.found.once || is_of_a_process(module, interface);
            let found = Found { find: Box::new(find), now, once, died: AtomicBool::new(false) };
            let found = Arc::new(found);
            *object = Arc::new(Again { found, module, interface, is_root: false });
        }
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

#[derive(Clone)]
struct Relayed {
    portal: Portal,
    module: &'static Module,
    interface: InterfaceId,
}

impl Object for Relayed {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (self.module, self.interface)
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        // It is of this session, and nobody can have it in another one.
        self.make(op, call).map_err(|failure| match failure.kind() {
            Kind::Unreachable if self.is_lost_by(&failure) => over("; this call was not sent"),
            Kind::Refused if self.is_lost_by(&failure) => over("; this call was not begun"),
            _ => failure,
        })
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
    fn is_lost(&self) -> bool {
        self.portal.transport().is_over()
    }

    /// Whether a call failed like that because its session is over.
    fn is_lost_by(&self, failure: &Failure) -> bool {
        let may_be = matches!(
            failure.kind(),
            Kind::PeerDied
                | Kind::Unreachable
                | Kind::Refused
                | Kind::TimedOut
                | Kind::Protocol
                | Kind::Internal
        );
        may_be && self.is_lost()
    }

    /// Makes the call there, with what is given back.
    fn make(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let operation = operation(self.module, self.interface, op)?;
        let mut outputs = outputs(operation, call)?;
        let sent = self.call(op, operation, call, &mut outputs);
        let sent = sent.map_err(|failure| self.checked(operation, failure))?;
        self.give_back(operation, call, sent, outputs)
    }

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
                renumber(element, &mut list.words, |value, _| self.own(call, value, &mut portals))?;
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
                    *place = self.own(call, value, &mut portals)?;
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
        // What is told of a call here is what became of it there, also of one that its caller does not wait for.
        self.portal.call_answered(op, &mut block)?;
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
    fn own(&self, call: &Call<'_>, word: u64, portals: &mut Vec<Portal>) -> Result<u64, Failure> {
        let handed = call.portals;
        let capability = usize::try_from(word).ok().and_then(|at| handed.get(at)).and_then(Option::as_ref);
        let capability = capability.ok_or_else(|| Failure::bad_argument("a portal is missing"))?;
        if capability.is_revoked() {
            return Err(revoked());
        }
        let service = capability.object().service();
        let portal = match service.downcast_ref::<Again>() {
            Some(again) => {
                let now = again.found.now(call.caller)?;
                let is_of_now = Arc::ptr_eq(now.portal.transport(), self.portal.transport());
                let living = if is_of_now { now } else { again.found.living(call.caller)? };
                Some(living.portal.clone())
            }
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

/// For an object of a session that is over.
#[cold]
fn over(what: &str) -> Failure {
    Failure::new(
        Kind::Revoked,
        &format!("the session with the service behind, which this object was of, is over{what}"),
    )
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
