//! Sending requests: what must go first, the request, and what to do if the server takes no more.
//!
//! ```text
//! lock ─ number, lead ─ build ─ send at once ─ unlock          short, and the server takes it: nearly always
//! lock ─ number, lead ─ take the outbox out ─ unlock ─ build ─ send, reading meanwhile ─ lock ─ put it back
//! ```

use std::io::IoSlice;
use std::mem;
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};
use std::time::Instant;

use rustix::io::Errno;

use super::announce::{Announce, Announced};
use super::{Line, RemoteSession, died};
use crate::call::{Failure, Kind};
use crate::calls::{CallId, Intent};
use crate::link::{Readiness, Waiting};
use crate::message::Lent;
use crate::portal::PortalId;
use crate::session::lock;
use crate::stream::{Inbox, Progress, Sending, send_at_once};
use crate::wire::{CALL_SESSION, HEADER_BYTES, Request, kind};

/// Requests of at most so many bytes are sent while the lock is held.
const LOCKED_BYTES_MAX: usize = 16 << 10;

/// The way to the server. One request is sent at a time.
#[derive(Default)]
pub(super) struct Outbox {
    pub(super) buffer: Vec<u8>,
    /// Whole frames, or the rest of one, that must go first.
    backlog: Vec<u8>,
    pub(super) announced: Announced,
    state: OutboxState,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum OutboxState {
    #[default]
    Open,
    /// The server takes no more. What it said last may still be there to read.
    Broken,
}

/// A request that was sent.
pub(super) struct Sent {
    pub(super) id: CallId,
    /// Who sent it has the lead.
    pub(super) inbox: Option<Box<Inbox>>,
}

/// What became of a request while the lock was held.
enum Attempt<'a> {
    /// All of it went.
    Sent,
    /// So many bytes went of a frame that lends these.
    Begun(usize, Lent<'a>),
}

impl RemoteSession {
    /// Sends one request with a new number, behind what must go first. Who intends to wait may have the lead afterwards.
    #[inline]
    pub(super) fn send<'a>(
        &self,
        reply_words: usize,
        announce: &Announce,
        deadline: Option<Instant>,
        intent: Intent,
        build: impl FnOnce(&mut Vec<u8>, CallId) -> Result<Lent<'a>, Failure>,
    ) -> Result<Sent, Failure> {
        let mut line = lock(&self.line);
        let (id, mut inbox) = line.calls.begin(reply_words, intent)?;
        if line.outbox.is_none() {
            // Whoever has it may have to read before it can go on.
            if let Some(inbox) = inbox.take() {
                line.calls.resign(inbox);
            }
            line = self.await_outbox(line);
        }
        let attempt = match &mut line.outbox {
            Some(outbox) => self.attempt(outbox, announce, |buffer| build(buffer, id)),
            None => Ok(Attempt::Sent),
        };
        let sent = match attempt {
            Ok(Attempt::Sent) => {
                drop(line);
                Ok(())
            }
            Ok(Attempt::Begun(sent, lent)) => self.send_rest(line, sent, &lent, deadline, &mut inbox),
            Err(failure) => {
                drop(line);
                Err(failure)
            }
        };
        self.flush_releases();
        match sent {
            Ok(()) => Ok(Sent { id, inbox }),
            Err(failure) => Err(self.not_sent(id, inbox, failure)),
        }
    }

    #[cold]
    fn not_sent(&self, id: CallId, inbox: Option<Box<Inbox>>, failure: Failure) -> Failure {
        let mut line = lock(&self.line);
        line.calls.end(id);
        if let Some(inbox) = inbox {
            line.calls.resign(inbox);
        }
        failure
    }

    /// Builds a request, and sends of it what goes at once, unless it is long.
    #[inline]
    fn attempt<'a>(
        &self,
        outbox: &mut Outbox,
        announce: &Announce,
        build: impl FnOnce(&mut Vec<u8>) -> Result<Lent<'a>, Failure>,
    ) -> Result<Attempt<'a>, Failure> {
        outbox.begin();
        announce.put(outbox);
        self.put_releases(&mut outbox.buffer);
        let before = outbox.buffer.len();
        let lent = build(&mut outbox.buffer).inspect_err(|_| outbox.keep(before))?;
        let bytes = lent.frame_bytes(outbox.buffer.len());
        if outbox.state == OutboxState::Broken {
            return Ok(Attempt::Sent);
        }
        if bytes > LOCKED_BYTES_MAX {
            return Ok(Attempt::Begun(0, lent));
        }
        let sent = send_at_once(&self.link, &outbox.buffer, &lent);
        // Nobody else would send what is kept back: all may wait for the answer to it.
        let is_sent = sent == bytes && self.link.flush() != Err(Errno::AGAIN);
        Ok(if is_sent { Attempt::Sent } else { Attempt::Begun(sent, lent) })
    }

    /// Sends what is left of the request in the outbox, reading meanwhile if the server takes no more before its replies are
    /// read.
    #[cold]
    fn send_rest(
        &self,
        mut line: MutexGuard<'_, Line>,
        sent: usize,
        lent: &Lent<'_>,
        deadline: Option<Instant>,
        inbox: &mut Option<Box<Inbox>>,
    ) -> Result<(), Failure> {
        let Some(mut outbox) = line.outbox.take() else { return Ok(()) };
        drop(line);
        let done = self.transmit(&mut outbox, sent, lent, deadline, inbox);
        let mut line = lock(&self.line);
        line.outbox = Some(outbox);
        if line.waiting > 0 {
            self.outbox_back.notify_one();
        }
        done
    }

    /// Waits until nobody has the outbox.
    #[cold]
    fn await_outbox<'l>(&self, mut line: MutexGuard<'l, Line>) -> MutexGuard<'l, Line> {
        line.waiting += 1;
        let back = self.outbox_back.wait_while(line, |line| line.outbox.is_none());
        line = back.unwrap_or_else(PoisonError::into_inner);
        line.waiting -= 1;
        if line.waiting > 0 {
            // Mostly it is not taken out again, and nobody else would tell the next.
            self.outbox_back.notify_one();
        }
        line
    }

    fn transmit(
        &self,
        outbox: &mut Outbox,
        sent: usize,
        lent: &Lent<'_>,
        deadline: Option<Instant>,
        inbox: &mut Option<Box<Inbox>>,
    ) -> Result<(), Failure> {
        let Outbox { buffer, state, .. } = outbox;
        let whole = lent.frame_bytes(buffer.len());
        let sent = if sent == 0 { send_at_once(&self.link, buffer, lent) } else { sent };
        let mut sending = Sending::rest_of(buffer, lent, sent);
        let mut is_whole = sent == whole;
        while *state == OutboxState::Open && !is_whole {
            match sending.step(&self.link, Waiting::Never) {
                Ok(progress) => is_whole = progress == Progress::Done,
                Err(Errno::AGAIN) => self.wait_to_send(deadline, inbox)?,
                // The reason, if the server gave one, is found by the thread that reads.
                Err(_) => *state = OutboxState::Broken,
            }
        }
        while self.link.flush() == Err(Errno::AGAIN) {
            self.wait_to_send(deadline, inbox)?;
        }
        Ok(())
    }

    #[cold]
    fn wait_to_send(&self, deadline: Option<Instant>, own: &mut Option<Box<Inbox>>) -> Result<(), Failure> {
        let inbox = {
            let mut line = lock(&self.line);
            // What is read here may be the caller's own reply: it has to ask for it.
            if let Some(inbox) = own.take() {
                line.calls.resign(inbox);
            }
            line.calls.try_lead()
        };
        let wanted = if inbox.is_some() { Readiness::EITHER } else { Readiness::SEND };
        let ready = self.link.wait(wanted, deadline);
        if let Some(mut inbox) = inbox {
            let read = match &ready {
                Ok(Some(ready)) if ready.receive => self.read_for_others(&mut inbox),
                _ => Ok(()),
            };
            lock(&self.line).calls.resign(inbox);
            read?;
        }
        match ready {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(self.die(Failure::new(
                Kind::TimedOut,
                "the server took no more in time; this call was not sent as a whole",
            ))),
            Err(_) => Err(self.die(died())),
        }
    }

    fn put_releases(&self, buffer: &mut Vec<u8>) {
        if self.released_count.load(Ordering::Acquire) > 0 {
            self.put_released(buffer);
        }
    }

    #[cold]
    fn put_released(&self, buffer: &mut Vec<u8>) {
        let mut released = lock(&self.released);
        self.released_count.store(0, Ordering::Release);
        // 2 MiB of pairs are more than a session may hold, and far less than what goes into one frame.
        for chunk in released.chunks(1 << 10) {
            let header = Request {
                len: (HEADER_BYTES + chunk.len() * 8) as u32,
                kind: kind::RELEASE,
                portals: 0,
                op: 0,
                target: 0,
                call: CALL_SESSION,
            };
            buffer.extend_from_slice(&header.encode());
            for (portal, receipts) in chunk {
                buffer.extend_from_slice(&portal.0.to_le_bytes());
                buffer.extend_from_slice(&receipts.to_le_bytes());
            }
        }
        released.clear();
    }

    /// Gives a portal back, with the next request or at once.
    pub(super) fn give_back(&self, portal: PortalId, receipts: u32) {
        {
            let mut released = lock(&self.released);
            released.push((portal, receipts));
            self.released_count.store(released.len(), Ordering::Release);
        }
        self.flush_releases();
    }

    /// Sends the releases that wait, unless a thread is sending, which does it then. Never waits.
    #[inline]
    fn flush_releases(&self) {
        while self.released_count.load(Ordering::Acquire) > 0 {
            let mut line = lock(&self.line);
            let Some(outbox) = &mut line.outbox else { return };
            outbox.begin();
            self.put_releases(&mut outbox.buffer);
            self.send_without_waiting(outbox);
        }
    }

    fn send_without_waiting(&self, outbox: &mut Outbox) {
        let mut sent = 0;
        while outbox.state == OutboxState::Open && sent < outbox.buffer.len() {
            match self.link.send(&[IoSlice::new(&outbox.buffer[sent..])], Waiting::Never) {
                Ok(bytes) => sent += bytes,
                Err(Errno::AGAIN) => break,
                Err(_) => outbox.state = OutboxState::Broken,
            }
        }
        outbox.backlog = outbox.buffer.split_off(sent.min(outbox.buffer.len()));
    }
}

impl Outbox {
    /// Begins with what must go first.
    #[inline]
    fn begin(&mut self) {
        self.buffer.clear();
        if !self.backlog.is_empty() {
            mem::swap(&mut self.buffer, &mut self.backlog);
        }
    }

    /// Keeps the first `len` bytes for the next time.
    #[cold]
    fn keep(&mut self, len: usize) {
        self.buffer.truncate(len);
        self.backlog.append(&mut self.buffer);
    }
}
