//! Calls written down as they are made, and given back without the service.
//!
//! ```text
//! caller ──► Recorded ──► object          caller ──► Played
//!               └─ Entry ──► Tape ── bytes ──► Tape ───┘
//! ```
//!
//! It is for calls that programs make.
//!
//! Objects have numbers in the order in which they came: first the roots, of which there is one or, of several services, some, and then what
//! calls made. A call that is played is the next one that was recorded, or none: object, operation and everything sent must be the same.
//!
//! The bytes are little-endian, and lengths are 32 bits: [`MAGIC`], then entry after entry. An entry is the target's number (32), the
//! operation's hash (64), the request, a tag, and the reply or what failed. Requests and replies are words of 64 bits; behind
//! one that refers to data stand those, and a portal's is its object's number in a request; in a reply it is 0, or [`NONE`] if there is none of the
//! interface.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};

use carnet_idl::descriptor::{InterfaceId, Module, Operation, Word, conforms};

use crate::call::{Area, Call, Details, Failure, Kind, Object, Ref};
use crate::capability::Capability;
use crate::invoke::operation;
use crate::message::check_strings;
use crate::relay::{check_area, check_scalar};
use crate::session::lock;

/// The word of a portal that is none.
const NONE: u64 = u64::MAX;

/// What a recording begins with, its version among it.
pub const MAGIC: &[u8; 16] = b"carnet calls 01\n";

/// Bytes of a recording, at most.
pub const BYTES_MAX: usize = 1 << 30;

/// Calls, in the order in which they were made.
#[derive(Default)]
pub struct Tape(Mutex<State>);

#[derive(Default)]
struct State {
    entries: VecDeque<Entry>,
    bytes: usize,
    /// Objects so far.
    objects: u32,
}

/// A call.
struct Entry {
    target: u32,
    op: u64,
    request: Vec<u8>,
    reply: Result<Vec<u8>, Details>,
}

/// It is no recording, or not all of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

impl fmt::Debug for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tape({} calls)", lock(&self.0).entries.len())
    }
}

impl Tape {
    /// The object, whose calls and those of objects that they make are written down. Of several roots each is given before one is called.
    #[must_use]
    pub fn record(self: &Arc<Self>, root: Arc<dyn Object>) -> Arc<dyn Object> {
        Arc::new(Recorded { number: self.next(), object: root, tape: Arc::clone(self) })
    }

    /// An object of this interface that answers what was recorded of the root, once. Of several roots each is asked for, in their order, before
    /// one is called.
    #[must_use]
    pub fn play(self: &Arc<Self>, module: &'static Module, interface: InterfaceId) -> Arc<dyn Object> {
        Arc::new(Played { number: self.next(), module, interface, tape: Arc::clone(self) })
    }

    /// Calls that are left to be played, or were recorded.
    #[must_use]
    pub fn calls(&self) -> usize {
        lock(&self.0).entries.len()
    }

    /// Writes it.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let state = lock(&self.0);
        let mut bytes = MAGIC.to_vec();
        for Entry { target, op, request, reply } in &state.entries {
            bytes.extend(target.to_le_bytes());
            bytes.extend(op.to_le_bytes());
            put(&mut bytes, request);
            match reply {
                Ok(reply) => {
                    bytes.push(0);
                    put(&mut bytes, reply);
                }
                Err(Details { kind, raised, members, message }) => {
                    bytes.push(1);
                    bytes.extend((*kind as u16).to_le_bytes());
                    bytes.extend(raised.to_le_bytes());
                    put(&mut bytes, members);
                    put(&mut bytes, message.as_bytes());
                }
            }
        }
        bytes
    }

    /// Reads one.
    ///
    /// # Errors
    /// [`Damaged`]. What a call gets of it is checked when it is played.
    pub fn decode(bytes: &[u8]) -> Result<Arc<Tape>, Damaged> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(Damaged)?;
        let mut entries = VecDeque::new();
        while !rest.is_empty() {
            let target = u32::from_le_bytes(take(&mut rest)?);
            let op = u64::from_le_bytes(take(&mut rest)?);
            let request = data(&mut rest)?.to_vec();
            let reply = match take(&mut rest)? {
                [0] => Ok(data(&mut rest)?.to_vec()),
                [1] => {
                    let kind = Kind::from_number(u16::from_le_bytes(take(&mut rest)?)).ok_or(Damaged)?;
                    let raised = u16::from_le_bytes(take(&mut rest)?);
                    let members = data(&mut rest)?.to_vec();
                    let message = String::from_utf8(data(&mut rest)?.to_vec()).map_err(|_| Damaged)?;
                    Err(Details { kind, raised, members, message })
                }
                _ => return Err(Damaged),
            };
            entries.push_back(Entry { target, op, request, reply });
        }
        Ok(Arc::new(Tape(Mutex::new(State { entries, ..State::default() }))))
    }

    fn add(&self, entry: Entry) -> Result<(), Failure> {
        let mut state = lock(&self.0);
        state.bytes += entry.request.len() + entry.reply.as_ref().map_or(0, Vec::len);
        if state.bytes > BYTES_MAX {
            return Err(Failure::new(Kind::Refused, "the recording is full"));
        }
        state.entries.push_back(entry);
        Ok(())
    }

    /// The number of another object.
    fn next(&self) -> u32 {
        let mut state = lock(&self.0);
        let number = state.objects;
        state.objects = state.objects.saturating_add(1);
        number
    }
}

/// An object whose calls are written down.
struct Recorded {
    number: u32,
    object: Arc<dyn Object>,
    tape: Arc<Tape>,
}

impl Object for Recorded {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        self.object.interface()
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let (module, interface) = self.object.interface();
        let operation = operation(module, interface, op)?;
        let request = request(operation, call, |object| {
            object.service().downcast_ref::<Recorded>().map(|recorded| recorded.number)
        })?;
        // The service finds its own objects.
        let own = |portal: &Capability| match portal.object().service().downcast_ref::<Recorded>() {
            Some(recorded) => Capability::under(Arc::clone(&recorded.object), portal.grant()),
            None => portal.clone(),
        };
        let portals: Vec<_> = call.portals.iter().map(|portal| portal.as_ref().map(own)).collect();
        let done = self.object.dispatch(
            op,
            &mut Call {
                words: call.words,
                areas: call.areas,
                portals: &portals,
                made: call.made,
                caller: call.caller,
            },
        );
        let reply = match &done {
            Ok(()) => {
                self.number_made(operation, call);
                Ok(reply(operation, call)?)
            }
            Err(failure) => Err(failure.details().clone()),
        };
        self.tape.add(Entry { target: self.number, op: operation.hash.0, request, reply })?;
        done
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

impl Recorded {
    /// Has the calls of what a call made written down, too. Each word that names something is one object, numbered in the order of the words; one that
    /// names none of its interface names none at all.
    fn number_made(&self, operation: &Operation, call: &mut Call<'_>) {
        let layout = &operation.layout;
        let (module, _) = self.object.interface();
        let made = std::mem::take(call.made);
        let mut numbered = |word: &mut u64, interface: InterfaceId| {
            let object = usize::try_from(*word).ok().and_then(|at| made.get(at));
            let object = object.filter(|object| conforms(object.interface(), (module, interface)));
            *word = NONE;
            if let Some(object) = object {
                let (number, tape) = (self.tape.next(), Arc::clone(&self.tape));
                *word = call.made.len() as u64;
                call.made.push(Arc::new(Recorded { number, object: Arc::clone(object), tape }));
            }
        };
        for (word, value) in layout.inouts.iter().chain(&layout.outs).zip(&mut call.words[layout.ins.len()..])
        {
            match word {
                Word::Portal(interface) => numbered(value, *interface),
                Word::List { element, .. } => {
                    let Some(area) = call.areas.list.get_mut(Ref(*value).area()) else { continue };
                    for (at, value) in area.words.iter_mut().enumerate() {
                        if let Some(Word::Portal(interface)) = element.get(at % element.len().max(1)) {
                            numbered(value, *interface);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// An object that answers what was recorded.
struct Played {
    number: u32,
    module: &'static Module,
    interface: InterfaceId,
    tape: Arc<Tape>,
}

impl Object for Played {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (self.module, self.interface)
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let operation = operation(self.module, self.interface, op)?;
        let request = request(operation, call, |object| {
            object.service().downcast_ref::<Played>().map(|played| played.number)
        })?;
        let refused = |why: &str| Failure::new(Kind::Refused, why);
        let is_next = |entry: &mut Entry| {
            (entry.target, entry.op, &entry.request) == (self.number, operation.hash.0, &request)
        };
        let next = {
            let mut state = lock(&self.tape.0);
            if state.entries.is_empty() {
                return Err(refused("the recording ends before this call"));
            }
            state.entries.pop_front_if(is_next)
        };
        let entry = next.ok_or_else(|| refused("the recording has another call here"))?;
        match entry.reply {
            Ok(reply) => self.give(operation, call, &reply),
            Err(Details { kind: Kind::Raised, raised, members, message }) if members.is_empty() => {
                Err(Failure::raised(raised, message))
            }
            Err(Details { kind: Kind::Raised, raised, members, message }) => {
                Err(Failure::raised_members(raised & !crate::call::MEMBERS, members, message))
            }
            Err(Details { kind, message, .. }) => Err(Failure::new(kind, &message)),
        }
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

impl Played {
    /// What is played where there was a portal.
    fn portal(&self, value: u64, interface: InterfaceId, call: &mut Call<'_>) -> u64 {
        if value == NONE {
            return NONE;
        }
        let (module, tape) = (self.module, Arc::clone(&self.tape));
        call.make(Arc::new(Played { number: self.tape.next(), module, interface, tape }))
    }

    /// Gives a recorded reply back.
    fn give(&self, operation: &Operation, call: &mut Call<'_>, mut reply: &[u8]) -> Result<(), Failure> {
        let damaged = |_| Failure::service("the recording is damaged");
        let layout = &operation.layout;
        for (at, word) in layout.inouts.iter().chain(&layout.outs).enumerate() {
            let at = layout.ins.len() + at;
            let value = u64::from_le_bytes(take(&mut reply).map_err(damaged)?);
            call.words[at] = match word {
                Word::Portal(interface) => self.portal(value, *interface, call),
                Word::String { max } | Word::Bytes { max } => {
                    let bytes = data(&mut reply).map_err(damaged)?.to_vec();
                    let area = Area { bytes, words: Vec::new() };
                    check_area(self.module, word, &area)?;
                    if area.bytes.len() > *max as usize {
                        return Err(damaged(Damaged));
                    }
                    call.areas.put(call.words[at], area)?
                }
                Word::List { element, max } => {
                    let words = data(&mut reply).map_err(damaged)?.chunks_exact(8);
                    let words = words.map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
                    let bytes = data(&mut reply).map_err(damaged)?.to_vec();
                    let mut area = Area { words: words.collect(), bytes };
                    for (at, value) in area.words.iter_mut().enumerate() {
                        if let Some(Word::Portal(interface)) = element.get(at % element.len().max(1)) {
                            *value = self.portal(*value, *interface, call);
                        }
                    }
                    let fits = area.words.len() <= (*max as usize).saturating_mul(element.len());
                    if !fits || !area.words.len().is_multiple_of(element.len()) {
                        return Err(damaged(Damaged));
                    }
                    check_strings(&area, element)?;
                    check_area(self.module, word, &area)?;
                    call.areas.put(call.words[at], area)?
                }
                word => check_scalar(self.module, word, value)?,
            };
        }
        Ok(())
    }
}

/// What is sent, in bytes.
fn request(
    operation: &Operation,
    call: &Call<'_>,
    number: impl Fn(&dyn Object) -> Option<u32>,
) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let layout = &operation.layout;
    let portal = |word: u64| {
        let object = usize::try_from(word).ok().and_then(|at| call.portals.get(at)?.as_ref());
        let number = object.and_then(|portal| number(portal.object().as_ref()));
        number.map(u64::from).ok_or_else(|| Failure::bad_argument("a portal that is not recorded"))
    };
    for (word, value) in layout.ins.iter().chain(&layout.inouts).zip(call.words.iter().copied()) {
        write(&mut bytes, word, value, (call, &portal))?;
    }
    Ok(bytes)
}

/// What came back, in bytes. Portals are numbered by their order.
fn reply(operation: &Operation, call: &Call<'_>) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let layout = &operation.layout;
    let words = layout.inouts.iter().chain(&layout.outs).zip(&call.words[layout.ins.len()..]);
    let portal = |word: u64| Ok(if word == NONE { NONE } else { 0 });
    for (word, value) in words {
        write(&mut bytes, word, *value, (call, &portal))?;
    }
    Ok(bytes)
}

/// Writes a word, with the data that it refers to. `portal` says what stands for a portal.
fn write(
    bytes: &mut Vec<u8>,
    word: &Word,
    value: u64,
    (call, portal): (&Call<'_>, &dyn Fn(u64) -> Result<u64, Failure>),
) -> Result<(), Failure> {
    match word {
        Word::String { max } | Word::Bytes { max } => {
            bytes.extend(0_u64.to_le_bytes());
            put(bytes, call.areas.bytes(value, *max)?);
        }
        Word::List { element, .. } => {
            let area = call.areas.list.get(Ref(value).area());
            let area = area.ok_or_else(|| Failure::bad_argument("a reference names no data"))?;
            bytes.extend(0_u64.to_le_bytes());
            let mut words = Vec::with_capacity(8 * area.words.len());
            for (at, word) in area.words.iter().enumerate() {
                let is_portal = matches!(element.get(at % element.len().max(1)), Some(Word::Portal(_)));
                let word = if is_portal { portal(*word)? } else { *word };
                words.extend(word.to_le_bytes());
            }
            put(bytes, &words);
            put(bytes, &area.bytes);
        }
        Word::Portal(_) => bytes.extend(portal(value)?.to_le_bytes()),
        Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_) => {
            bytes.extend(value.to_le_bytes())
        }
    }
    Ok(())
}

fn put(to: &mut Vec<u8>, bytes: &[u8]) {
    // No part is as long as this: they come from areas that references name.
    to.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    to.extend_from_slice(bytes);
}

fn take<const N: usize>(from: &mut &[u8]) -> Result<[u8; N], Damaged> {
    let (taken, rest) = from.split_first_chunk().ok_or(Damaged)?;
    *from = rest;
    Ok(*taken)
}

fn data<'a>(from: &mut &'a [u8]) -> Result<&'a [u8], Damaged> {
    let len = u32::from_le_bytes(take(from)?);
    let (taken, rest) = from.split_at_checked(len as usize).ok_or(Damaged)?;
    *from = rest;
    Ok(taken)
}
