//! Memory that a client hands over, or asks for.
//!
//! ```text
//! through shared memory: Memory: length      + descriptor beside ──► check, map ─► Reply: portal
//!                        Map: portal         ◄── descriptor beside + Reply: length; nothing if it must be read by calls
//! elsewhere:             Memory: the content                     ──► copy ───────► Reply: portal
//! ```
//! How much memory a descriptor stands for is what its file says, not what the frame does: what is refused may be any size, and is put
//! away where nobody waits for it to be freed. A client is not waited for: a descriptor that belongs to a frame was there before it. Who hands much over waits for its turn:
//! here, if the thread is its own, or before this begins, if one loop serves all.

use std::ops::Range;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use carnet_memory::{Refused, Sealed, Segment};

use super::{End, Worker, protocol};
use crate::call::{Failure, Kind};
use crate::capability::Capability;
use crate::invoke::revoked;
use crate::link::Shared;
use crate::memory::{Charge, Memory, behind};
use crate::message::portal_of;
use crate::one_loop::may_wait;
use crate::portal::PortalId;
use crate::seats::Full;
use crate::session::LOOP_MEMORY_BYTES_MAX;
use crate::wire::{CALL_SESSION, HEADER_BYTES, Request, Sections, kind};

/// What the smallest memory counts as. Each is a mapping, of which a process may have some ten thousand.
const CHARGE_BYTES_MIN: usize = 64 << 10;

impl Worker {
    /// Whether a frame is about so much memory that the loop leaves it to a helper: its pages are looked at, copied or freed.
    pub(super) fn moves_much_memory(&self, header: &Request, frame: &Range<usize>) -> bool {
        let bytes = match header.kind {
            kind::RELEASE => self.session.memory().taken(),
            kind::MEMORY => self.offered(frame).unwrap_or(frame.len() - HEADER_BYTES),
            _ => 0,
        };
        bytes > LOOP_MEMORY_BYTES_MAX
    }

    /// How much memory a frame that hands some over says there is beside it.
    fn offered(&self, frame: &Range<usize>) -> Option<usize> {
        self.session.link().shared()?;
        let len = self.areas.list[0].bytes[frame.clone()][HEADER_BYTES..].try_into().ok()?;
        Some(usize::try_from(u64::from_le_bytes(len)).unwrap_or(usize::MAX))
    }

    /// How long from `now` until the memory that a frame hands over may be looked at; its principal's time is taken then.
    /// For whoever must not wait where it is looked at.
    pub(crate) fn memory_turn(&self, frame: &Range<usize>, now: Instant) -> Duration {
        let is_memory = self.kind_of(frame) == kind::MEMORY;
        let len = if is_memory { self.offered(frame).unwrap_or(0) } else { 0 };
        self.turn_of(len, now)
    }

    fn turn_of(&self, len: usize, now: Instant) -> Duration {
        let may_be = LOOP_MEMORY_BYTES_MAX + 1..=self.session.limits().memory_session_bytes_max;
        if may_be.contains(&len) { self.quotas.pace.take(self.principal(), len, now) } else { Duration::ZERO }
    }

    /// Takes memory, and answers with a portal on it.
    pub(super) fn memory(&mut self, header: &Request, frame: Range<usize>) -> Result<(), End> {
        if header.call == CALL_SESSION || header.portals != 0 {
            return Err(protocol("a Memory with portals, or without a number"));
        }
        let data = &self.areas.list[0].bytes[frame][HEADER_BYTES..];
        let memory = match self.session.link().shared() {
            None => self.charge(data.len()).and_then(|charged| Memory::keep(data, charged)),
            Some(shared) => {
                let Ok(len) = data.try_into() else { return Err(protocol("a Memory that is no length")) };
                self.accept(shared, header.call, u64::from_le_bytes(len))
            }
        };
        match memory.and_then(|memory| memory.object(self.module)) {
            Ok(object) => {
                let capability = Capability::under(object, self.session.root().grant());
                self.session.send_answer(header.call, &[], vec![capability]);
            }
            Err(failure) => self.session.send_failure(header.call, &failure),
        }
        Ok(())
    }

    fn accept(&self, shared: &Shared, call: u32, len: u64) -> Result<Memory, Failure> {
        // Taken before anything is refused: it does not stay behind.
        let file = shared.take(call).ok_or_else(|| {
            let text = "no descriptor of memory came with it, or something else came before, or the server has no room";
            Failure::new(Kind::Refused, text)
        })?;
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        self.accept_file(file, len).map_err(|(failure, file)| {
            shared.put_away(file);
            failure
        })
    }

    fn accept_file(&self, file: OwnedFd, len: usize) -> Result<Memory, (Failure, OwnedFd)> {
        let max = self.session.limits().memory_session_bytes_max;
        if len > max {
            return Err((too_much(len, "a session", max), file));
        }
        let wrong = |refused: Refused| Failure::bad_argument(&refused.to_string());
        let wrong_file = |(refused, file)| (wrong(refused), file);
        let offered = Segment::offered(file, Sealed::Content, len).map_err(wrong_file)?;
        let bytes = match usize::try_from(offered.bytes()).unwrap_or(usize::MAX) {
            // Its last page, not more behind it.
            bytes if bytes <= len.next_multiple_of(CHARGE_BYTES_MIN) => len,
            bytes => bytes,
        };
        if may_wait() {
            std::thread::sleep(self.turn_of(len, Instant::now()));
        }
        // Only what is there is charged, and not while it waits: it would be lacking to others for nothing.
        let segment = offered.accept().map_err(wrong_file)?;
        let memory =
            self.charge(bytes).and_then(|charge| Memory::whole(&segment, Some(charge)).map_err(wrong));
        match memory {
            // The descriptor is closed, and not the last: it is mapped.
            Ok(memory) => Ok(memory),
            Err(failure) => Err((failure, segment.into_file())),
        }
    }

    /// Holds `len` bytes against what the session, its principal, and all of them may hand over.
    fn charge(&self, len: usize) -> Result<Charge, Failure> {
        let limits = self.session.limits();
        let bytes = len.checked_next_multiple_of(CHARGE_BYTES_MIN).unwrap_or(usize::MAX);
        let refused = |who, max| too_much(len, who, max);
        let max = limits.memory_session_bytes_max;
        let own = self.session.memory().reserve(bytes, max).ok_or_else(|| refused("a session", max))?;
        let all = self.quotas.memory.take_some(self.session.caller(), bytes).map_err(|full| match full {
            Full::All(max) => refused("the sessions of this server", max),
            Full::Principal(max) => refused("the sessions of one principal", max),
            Full::Process(_, max) => refused("the sessions of one process", max),
            Full::Relay(max) => refused("the clients of one relay", max),
            Full::RelayPrincipal(max) => refused("one user of a relay", max),
            Full::RelayProcess(max) => refused("one client of a relay", max),
            Full::Session(max) => refused("a session", max),
        })?;
        Ok((own, all))
    }

    /// Passes the descriptor of the memory behind a portal, if there is one, and answers with its length.
    pub(super) fn map(&mut self, header: &Request, frame: Range<usize>) -> Result<(), End> {
        let bytes = &self.areas.list[0].bytes[frame];
        let sections = Sections::of(bytes.len(), 0, 1).filter(|sections| sections.data == bytes.len());
        let Some(sections) = sections.filter(|_| header.call != CALL_SESSION && header.portals == 1) else {
            return Err(protocol("a Map that is not of one portal, or without a number"));
        };
        let capability = match self.session.capability(PortalId(portal_of(bytes, sections, 0))) {
            Ok(capability) if capability.is_revoked() => Err(revoked()),
            found => found,
        };
        match capability {
            Ok(capability) => {
                let memory = behind(capability.object().as_ref()).zip(self.session.link().shared());
                let passed = memory.filter(|(memory, shared)| memory.pass(shared, header.call).is_ok());
                let len = passed.map(|(memory, _)| (memory.len() as u64).to_le_bytes());
                self.session.send_answer(header.call, len.as_ref().map_or(&[], |len| &len[..]), Vec::new());
            }
            Err(failure) => self.session.send_failure(header.call, &failure),
        }
        Ok(())
    }
}

fn too_much(len: usize, who: &str, max: usize) -> Failure {
    let text = format!("{len} bytes more than {who} may hand over: {max} at the same time");
    Failure::new(Kind::Refused, &text)
}
