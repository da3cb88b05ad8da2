//! Memory that is handed over once: a portal on it is passed to as many calls as one likes, and both sides read it where it is
//! mapped.
//!
//! ```text
//! client                                             server
//! Memory::of, draft ─ seal                           a service that is handed the portal: PortalIn::local::<Memory>
//!    └─ RemoteSession::hand_over ──► portal ─► calls ──►  └─► &[u8] of all of it: no call, no copy
//! Memory::map::<I>(portal) ◄──────── portal ◄─ reply ──  Memory::serve::<I>
//! ```
//! Sessions through shared memory pass the descriptor; the others carry the content in one message, or read it by calls. Its
//! interface is `carnet::Memory`, which ships with the compiler (`#include "carnet/memory.idl"`). Modules that include it each
//! have it, by its hash; an object is of the module whose portals lead to it.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use carnet_idl::descriptor::{InterfaceId, Module, SHORT_WORDS, TypeHash};
use carnet_memory::{Content, Offered, Refused, Sealed, Segment};
use rustix::io::Errno;

use crate::call::{Call, Caller, Failure, Kind, Object, ShortWords};
use crate::invoke::no_such_operation;
use crate::link::{Reserved, Shared};
use crate::near::Client;
use crate::portal::Portal;
use crate::seats::Seat;
use crate::stub::{Interface, Served};

pub use carnet_memory::Draft;

/// Hash of the interface.
const HASH: TypeHash = TypeHash(0x06a9_185a_6a11_9485);
/// Number of its operation `size`.
const SIZE: u16 = 0;
/// Number of its operation `read`.
const READ: u16 = 1;
/// Most bytes that one call reads.
const STEP: usize = 1 << 20;

/// Bytes that nobody can change any more, at least one. Clones share them.
#[derive(Clone)]
pub struct Memory(Arc<Held>);

struct Held {
    content: Content,
    /// What it was made as; of what was received, the descriptor is closed.
    segment: Option<Segment>,
    /// Given back when nobody has it any more.
    _charge: Option<Charge>,
}

/// What memory of a client counts for in its session, and in all of them.
pub(crate) type Charge = (Reserved, Seat);

impl Memory {
    /// A copy of `content`.
    ///
    /// # Errors
    /// [`Kind::BadArgument`] if it is empty; [`Kind::Refused`] if the system has no memory for it.
    pub fn of(content: &[u8]) -> Result<Memory, Failure> {
        at_least_one(content.len())?;
        Segment::of(content).and_then(Memory::new).map_err(not_made)
    }

    /// `len` zero bytes, to be filled where they lie and then [sealed](Memory::seal), which copies nothing.
    ///
    /// # Errors
    /// As [`Memory::of`].
    pub fn draft(len: usize) -> Result<Draft, Failure> {
        at_least_one(len)?;
        Draft::new(len).map_err(not_made)
    }

    /// What was drafted; from now on nobody can change it. It needs Linux 5.14.
    ///
    /// # Errors
    /// As [`Memory::of`].
    pub fn seal(draft: Draft) -> Result<Memory, Failure> {
        draft.seal().and_then(Memory::new).map_err(not_made)
    }

    /// What a service gives out where its interface file says `carnet::Memory`: `I` is that in its module.
    ///
    /// # Errors
    /// [`Kind::Service`] if `I` is another interface.
    pub fn serve<I: Interface>(&self) -> Result<Served<I>, Failure> {
        check::<I>()?;
        let (memory, module, interface) = (self.clone(), I::module(), I::ID);
        Ok(Served::new(Arc::new(Handed { memory, module, interface })))
    }

    /// The memory behind a portal: mapped if it is in this process, or comes through shared memory from a server that made it;
    /// otherwise copied, by calls of at most 1 MiB. `I` is `carnet::Memory` in the module of the portal.
    ///
    /// # Errors
    /// [`Kind::Refused`] if it has more than `bytes_max` bytes; [`Kind::Protocol`] if the server gives what could still change;
    /// as calls.
    pub fn map<I: Interface>(portal: &Portal, bytes_max: usize) -> Result<Memory, Failure> {
        check::<I>()?;
        match Arc::clone(portal.transport()).map(portal, bytes_max)? {
            Some(memory) => Ok(memory),
            None => read(&Client::new::<I>(portal.clone()), bytes_max),
        }
    }

    fn new(segment: Segment) -> Result<Memory, Errno> {
        let content = Content::new(&segment)?;
        Ok(Memory(Arc::new(Held { content, segment: Some(segment), _charge: None })))
    }

    /// A copy of what a message carried, held against limits.
    pub(crate) fn keep(content: &[u8], charge: Charge) -> Result<Memory, Failure> {
        at_least_one(content.len())?;
        let content = Segment::of(content).and_then(|segment| Content::new(&segment)).map_err(not_made)?;
        Ok(Memory(Arc::new(Held { content, segment: None, _charge: Some(charge) })))
    }

    /// What a server passed.
    ///
    /// # Errors
    /// [`Refused`], and the descriptor.
    pub(crate) fn accept(file: OwnedFd, len: usize) -> Result<Memory, (Refused, OwnedFd)> {
        let segment = Segment::offered(file, Sealed::Content, len).and_then(Offered::accept)?;
        Memory::whole(&segment, None).map_err(|refused| (refused, segment.into_file()))
    }

    /// What a peer passed and has no holes.
    ///
    /// # Errors
    /// [`Refused`].
    pub(crate) fn whole(segment: &Segment, charge: Option<Charge>) -> Result<Memory, Refused> {
        let content = Content::new(segment).map_err(Refused::System)?;
        Ok(Memory(Arc::new(Held { content, segment: None, _charge: charge })))
    }

    /// Passes it to the peer, for call `call`.
    ///
    /// # Errors
    /// The system's; [`Errno::NODEV`] if it has no descriptor to pass.
    pub(crate) fn pass(&self, shared: &Shared, call: u32) -> Result<(), Errno> {
        shared.pass(call, self.0.segment.as_ref().ok_or(Errno::NODEV)?)
    }

    /// The same bytes with a descriptor to pass: a copy, if they were received.
    pub(crate) fn passable(&self) -> Result<Memory, Failure> {
        if self.0.segment.is_some() { Ok(self.clone()) } else { Memory::of(self) }
    }

    /// An object of `module`'s `carnet::Memory`.
    ///
    /// # Errors
    /// [`Kind::Refused`] if the module includes no such interface.
    pub(crate) fn object(self, module: &'static Module) -> Result<Arc<dyn Object>, Failure> {
        let place = module.interfaces.iter().position(|interface| interface.hash == HASH);
        let interface = place.and_then(|place| u16::try_from(place).ok()).map(InterfaceId);
        let interface = interface.ok_or_else(|| {
            let text = format!(
                "nothing of {} takes memory: its interface file does not use carnet::Memory of \"carnet/memory.idl\"",
                module.name
            );
            Failure::new(Kind::Refused, &text)
        })?;
        Ok(Arc::new(Handed { memory: self, module, interface }))
    }

    /// What a call of `read` gives.
    fn part(&self, at: u64, count: u64) -> Result<&[u8], Failure> {
        let number = |word: u64| {
            usize::try_from(word.cast_signed())
                .map_err(|_| Failure::bad_argument("a number of bytes below 0"))
        };
        let rest = self.get(number(at)?..).unwrap_or(&[]);
        Ok(&rest[..number(count)?.min(STEP).min(rest.len())])
    }
}

impl Deref for Memory {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0.content
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory({} bytes)", self.len())
    }
}

/// The memory behind a portal, as its capability has it in this process.
pub(crate) fn behind(object: &dyn Object) -> Option<&Memory> {
    object.service().downcast_ref()
}

/// Memory as an object of a module that includes its interface.
struct Handed {
    memory: Memory,
    module: &'static Module,
    interface: InterfaceId,
}

impl Object for Handed {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (self.module, self.interface)
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        match (op, &*call.words) {
            (SIZE, [_]) => {
                call.words[0] = self.memory.len() as u64;
                Ok(())
            }
            (READ, &[at, count, _]) => {
                let part = self.memory.part(at, count)?;
                let mut area = call.take(2)?;
                area.bytes.extend_from_slice(part);
                call.put(2, area)
            }
            _ => Err(no_such_operation(self.module, self.interface, op)),
        }
    }

    fn short_out(
        &self,
        op: u16,
        _: &Caller,
        words: &mut ShortWords,
        _: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        if op != READ {
            return Err(no_such_operation(self.module, self.interface, op));
        }
        out.extend_from_slice(self.memory.part(words[0], words[1])?);
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        &self.memory
    }
}

/// Reads all of it by calls, without believing what the server says of it.
fn read(client: &Client, bytes_max: usize) -> Result<Memory, Failure> {
    let mut words = [0; SHORT_WORDS];
    client.short(SIZE, &mut words, &[])?;
    let len = check_len(words[0], bytes_max)?;
    let (mut draft, mut at, mut part) = (Memory::draft(len)?, 0, Vec::new());
    while at < len {
        words[..2].copy_from_slice(&[at as u64, STEP as u64]);
        client.short_out(READ, &mut words, &[], &mut part)?;
        let Some(place) = draft.get_mut(at..at + part.len()).filter(|place| !place.is_empty()) else {
            return Err(Failure::service("memory of another size than it says"));
        };
        place.copy_from_slice(&part);
        at += part.len();
    }
    Memory::seal(draft)
}

/// The length that a peer says, if that is what the caller takes.
pub(crate) fn check_len(len: u64, bytes_max: usize) -> Result<usize, Failure> {
    usize::try_from(len).ok().filter(|len| *len <= bytes_max).ok_or_else(|| {
        let text = format!("memory of {len} bytes, where at most {bytes_max} are wanted");
        Failure::new(Kind::Refused, &text)
    })
}

fn check<I: Interface>() -> Result<(), Failure> {
    let interface = &I::module().interfaces[I::ID.index()];
    if interface.hash == HASH {
        return Ok(());
    }
    let text = format!("{}.{} is not carnet::Memory", I::module().name, interface.name);
    Err(Failure::service(&text))
}

fn at_least_one(len: usize) -> Result<(), Failure> {
    if len > 0 { Ok(()) } else { Err(Failure::bad_argument("memory has at least one byte")) }
}

#[cold]
fn not_made(errno: Errno) -> Failure {
    Failure::new(Kind::Refused, &format!("no memory to hand over: {errno}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interface_is_the_one_that_ships() {
        let module = carnet_idl::compile_str("memory.idl", carnet_idl::MEMORY_IDL).expect("no faults");
        let [memory] = &module.interfaces[..] else { panic!("one interface") };
        assert_eq!(memory.hash, HASH);
        assert_eq!(memory.operation("size").map(|(number, _)| number), Some(SIZE));
        let read = memory.operation("read").expect("it has it");
        assert_eq!((read.0, read.1.layout.words()), (READ, 3));
        assert_eq!(module.constants[0].name, "STEP");
    }
}
