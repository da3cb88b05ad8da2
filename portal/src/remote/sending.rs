//! Sending requests: what must go first, the request, and what to do if the server takes no more.
//!
//! ```text
//! lock ─ number, lead ─ build ─ send at once ─ unlock          short, and the server takes it: nearly always
//! lock ─ number, lead ─ take the outbox out ─ unlock ─ build ─ send, reading meanwhile ─ lock ─ put it back
//! ```
//! A call whose time is over before any of it was sent fails, and nothing else does. What has begun must go on, or the server
//! would take the next request for its rest: a thread that is made for it sends what is left and has the outbox meanwhile. Only
//! if the server takes nothing for [`ConnectOptions::write_timeout`](super::ConnectOptions::write_timeout), the session ends.
//! Whoever drops the session gives the rest up.

use std::io::IoSlice;
use std::mem;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;

use super::announce::{Announce, Announced, OfRoot};
use super::{Line, RemoteSession, Stop, died, is_past};
use crate::call::{Failure, Kind};
use crate::calls::{CallId, Intent, not_sent};
use crate::link::{Readiness, Waiting};
use crate::message::Lent;
use crate::portal::PortalId;
use crate::session::lock;
use crate::stream::{Inbox, Progress, Sending, Unsent, send_at_once};
use crate::table::PORTALS_LIMIT;
use crate::wire::{CALL_SESSION, HEADER_BYTES, Request, kind};

/// Requests of at most so many bytes are sent while the lock is held.
const LOCKED_BYTES_MAX: usize = 16 << 10;

/// Portals that wait to be given back, at most: more than a session may hold, each a few times.
pub(super) const RELEASED_MAX: usize = 4 * PORTALS_LIMIT;

/// Behind more than this of what must go first no portals are given back: they wait.
const RELEASES_BEHIND_BYTES_MAX: usize = 64 << 10;

/// How long a thread that waits to send relies on another to read, which may have its own reply by now and be gone.
const RELIES: Duration = Duration::from_millis(10);

/// How long a thread that sends a rest does not look whether the session was dropped.
const LOOKS: Duration = Duration::from_millis(50);

/// The way to the server. One request is sent at a time.
#[derive(Default)]
pub(super) struct Outbox {
    pub(super) buffer: Vec<u8>,
    /// Whole frames, or the rest of one, that must go first.
    backlog: Vec<u8>,
    /// Bytes of that which are sent.
    backlog_sent: usize,
    pub(super) announced: Announced,
    pub(super) of_root: OfRoot,
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
    /// Part of it, or nothing.
    Begun(Begun<'a>),
    /// Nothing, and nothing will: the server takes no more.
    Broken,
}

/// How far a request is that begins behind `before` bytes of the outbox's buffer and lends these.
struct Begun<'a> {
    before: usize,
    /// With what is before it.
    sent: usize,
    lent: Lent<'a>,
}

/// Why a request was not sent.
enum NotSent {
    /// Nothing of it was.
    Nothing(Failure),
    /// Its time was over when part of it was. The rest follows.
    Rest,
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
            line = self.await_outbox(line, deadline);
        }
        let attempt = match &mut line.outbox {
            Some(outbox) => self.attempt(outbox, announce, |buffer| build(buffer, id)),
            None => Err(self.not_in_time()),
        };
        let sent = match attempt {
            Ok(Attempt::Sent) => {
                drop(line);
                if self.has_releases() {
                    self.flush_releases();
                }
                return Ok(Sent { id, inbox });
            }
            Ok(Attempt::Broken) => {
                // The reason, if the server gave one, is found by the thread that reads.
                line.calls.note_unsent(id);
                return Ok(Sent { id, inbox });
            }
            Ok(Attempt::Begun(begun)) => self.send_rest(line, id, &begun, deadline, &mut inbox),
            Err(failure) => {
                drop(line);
                Err(NotSent::Nothing(failure))
            }
        };
        self.flush_releases();
        match sent {
            Ok(()) => Ok(Sent { id, inbox }),
            Err(why) => Err(self.not_sent(id, inbox, why)),
        }
    }

    /// Says Hello by itself, so that the server keeps a session that is not used at once. What it does not take now goes before
    /// the first request, which also finds out if the server is gone.
    #[cold]
    pub(super) fn greet(&self) {
        let mut line = lock(&self.line);
        let Some(outbox) = &mut line.outbox else { return };
        outbox.begin();
        Announce { module: None }.put(outbox);
        let sent = send_at_once(&self.link, &outbox.buffer, &Lent::Nothing);
        outbox.buffer.drain(..sent);
        outbox.keep(outbox.buffer.len());
        let _ = self.link.flush();
    }

    #[cold]
    fn not_sent(&self, id: CallId, inbox: Option<Box<Inbox>>, why: NotSent) -> Failure {
        let mut line = lock(&self.line);
        if let Some(inbox) = inbox {
            line.calls.resign(inbox);
        }
        match why {
            NotSent::Nothing(failure) => {
                line.calls.end(id);
                failure
            }
            NotSent::Rest => {
                drop(line);
                self.give_up(id)
            }
        }
    }

    #[cold]
    pub(super) fn not_in_time(&self) -> Failure {
        let timeout = self.options.call_timeout.unwrap_or_default();
        Failure::new(
            Kind::Unreachable,
            &format!("the server took no more within {timeout:?}; this call was not sent"),
        )
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
            return Ok(Attempt::Broken);
        }
        if bytes > LOCKED_BYTES_MAX {
            return Ok(Attempt::Begun(Begun { before, sent: 0, lent }));
        }
        let sent = send_at_once(&self.link, &outbox.buffer, &lent);
        // Nobody else would send what is kept back: all may wait for the answer to it.
        let is_sent = sent == bytes && self.link.flush() != Err(Errno::AGAIN);
        Ok(if is_sent { Attempt::Sent } else { Attempt::Begun(Begun { before, sent, lent }) })
    }

    /// Sends what is left of the request in the outbox.
    #[cold]
    fn send_rest(
        &self,
        mut line: MutexGuard<'_, Line>,
        id: CallId,
        Begun { before, sent, lent }: &Begun<'_>,
        deadline: Option<Instant>,
        inbox: &mut Option<Box<Inbox>>,
    ) -> Result<(), NotSent> {
        let Some(mut outbox) = line.outbox.take() else { return Ok(()) };
        drop(line);
        let Outbox { buffer, state, .. } = &mut *outbox;
        let sent = if *sent == 0 { send_at_once(&self.link, buffer, lent) } else { *sent };
        let mut sending = Sending::rest_of(buffer, lent, sent);
        let stop = loop {
            match self.send_some(state, &mut sending, deadline, inbox) {
                Ok(Progress::Some) => {}
                Ok(Progress::Done) => break None,
                Err(stop) => break Some(stop),
            }
        };
        let left = sending.left();
        let sent = lent.frame_bytes(buffer.len()) - left;
        match stop {
            None => {
                if left > 0 {
                    lock(&self.line).calls.note_unsent(id);
                }
                self.put_back(outbox);
                Ok(())
            }
            Some(Stop::Dead(failure)) => {
                self.put_back(outbox);
                Err(NotSent::Nothing(if left > 0 { not_sent(&failure) } else { failure }))
            }
            Some(Stop::TimedOut) if sent > *before => {
                let rest = Unsent::of(&sending);
                self.finish_later(outbox, rest);
                Err(NotSent::Rest)
            }
            Some(Stop::TimedOut) => {
                outbox.buffer.drain(..sent);
                outbox.keep(before - sent);
                self.put_back(outbox);
                Err(NotSent::Nothing(self.not_in_time()))
            }
        }
    }

    fn put_back(&self, outbox: Box<Outbox>) {
        let mut line = lock(&self.line);
        line.outbox = Some(outbox);
        if line.waiting > 0 {
            self.outbox_back.notify_one();
        }
    }

    /// Waits until nobody has the outbox, or the time is over.
    #[cold]
    fn await_outbox<'l>(
        &self,
        mut line: MutexGuard<'l, Line>,
        deadline: Option<Instant>,
    ) -> MutexGuard<'l, Line> {
        line.waiting += 1;
        while line.outbox.is_none() && !is_past(deadline) {
            let left = deadline.map_or(Duration::MAX, |deadline| deadline - Instant::now());
            line = self.outbox_back.wait_timeout(line, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        line.waiting -= 1;
        if line.waiting > 0 && line.outbox.is_some() {
            // Mostly it is not taken out again, and nobody else would tell the next.
            self.outbox_back.notify_one();
        }
        line
    }

    /// Has a thread of its own send the rest of a message whose call waits no longer.
    fn finish_later(&self, outbox: Box<Outbox>, rest: Unsent) {
        let thread = self.me.upgrade().and_then(|session| {
            let thread = thread::Builder::new().name("carnet-rest".to_owned());
            thread.spawn(move || session.finish(outbox, &rest)).ok()
        });
        if thread.is_none() {
            self.die(Failure::new(Kind::PeerDied, "there is no thread to send the rest of a message"));
            self.put_back(Box::default());
        }
    }

    /// Sends the rest of a message, as long as anybody else has the session.
    fn finish(self: Arc<Self>, mut outbox: Box<Outbox>, rest: &Unsent) {
        let (mut sending, timeout) = (rest.sending(), self.options.write_timeout);
        let mut due = Instant::now().checked_add(timeout);
        while Arc::strong_count(&self) > 1 {
            // Nobody tells it that the session was dropped.
            let soon = Instant::now() + LOOKS;
            let until = due.map_or(soon, |due| due.min(soon));
            match self.send_some(&mut outbox.state, &mut sending, Some(until), &mut None) {
                Ok(Progress::Some) => due = Instant::now().checked_add(timeout),
                Ok(Progress::Done) | Err(Stop::Dead(_)) => break,
                Err(Stop::TimedOut) if !is_past(due) => {}
                Err(Stop::TimedOut) => {
                    let why = format!(
                        "the server took nothing for {timeout:?}; it is unknown which calls were done"
                    );
                    self.die(Failure::new(Kind::PeerDied, &why));
                    break;
                }
            }
        }
        self.put_back(outbox);
        self.flush_releases();
    }

    /// Sends some of what is left, and at last what the link has kept back. Reads meanwhile if the server takes no more before
    /// its replies are read.
    fn send_some(
        &self,
        state: &mut OutboxState,
        sending: &mut Sending<'_>,
        deadline: Option<Instant>,
        own: &mut Option<Box<Inbox>>,
    ) -> Result<Progress, Stop> {
        while *state == OutboxState::Open {
            let sent = match sending.left() {
                0 => self.link.flush().map(|()| Progress::Done),
                _ => sending.step(&self.link, Waiting::Never).map(|_| Progress::Some),
            };
            match sent {
                Ok(progress) => return Ok(progress),
                Err(Errno::AGAIN) => self.wait_to_send(deadline, own)?,
                // The reason, if the server gave one, is found by the thread that reads.
                Err(_) => *state = OutboxState::Broken,
            }
        }
        Ok(Progress::Done)
    }

    #[cold]
    fn wait_to_send(&self, deadline: Option<Instant>, own: &mut Option<Box<Inbox>>) -> Result<(), Stop> {
        if is_past(deadline) {
            return Err(Stop::TimedOut);
        }
        let inbox = {
            let mut line = lock(&self.line);
            // What is read here may be the caller's own reply: it has to ask for it.
            if let Some(inbox) = own.take() {
                line.calls.resign(inbox);
            }
            line.calls.try_lead()
        };
        let (wanted, until) = match inbox {
            Some(_) => (Readiness::EITHER, deadline),
            None => {
                let soon = Instant::now() + RELIES;
                (Readiness::SEND, Some(deadline.map_or(soon, |deadline| deadline.min(soon))))
            }
        };
        let ready = self.link.wait(wanted, until);
        if let Some(mut inbox) = inbox {
            let read = match &ready {
                Ok(Some(ready)) if ready.receive => self.read_for_others(&mut inbox),
                _ => Ok(()),
            };
            lock(&self.line).calls.resign(inbox);
            read?;
        }
        match ready {
            Ok(_) => Ok(()),
            Err(_) => Err(self.die(died()).into()),
        }
    }

    /// Whether portals were dropped that the server does not know of.
    #[inline]
    fn has_releases(&self) -> bool {
        self.released_count.load(Ordering::Acquire) > 0
    }

    #[inline]
    fn put_releases(&self, buffer: &mut Vec<u8>) {
        if self.has_releases() {
            self.put_released(buffer);
        }
    }

    #[cold]
    fn put_released(&self, buffer: &mut Vec<u8>) {
        if buffer.len() > RELEASES_BEHIND_BYTES_MAX {
            return;
        }
        let mut released = lock(&self.released);
        self.released_count.store(0, Ordering::Release);
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
        self.give_all_back([(portal, receipts)]);
    }

    /// The same of several. A server that hands out more and more and does not read which are given back has its session ended.
    pub(super) fn give_all_back(&self, portals: impl IntoIterator<Item = (PortalId, u32)>) {
        let is_too_many = {
            let mut released = lock(&self.released);
            released.extend(portals);
            let is_too_many = released.len() > RELEASED_MAX;
            if is_too_many {
                *released = Vec::new();
            }
            self.released_count.store(released.len(), Ordering::Release);
            is_too_many
        };
        if is_too_many {
            self.die(unread_releases());
        } else {
            self.flush_releases();
        }
    }

    /// Sends the releases that wait, unless a thread is sending, which does it then, or the server takes no more. Never waits.
    fn flush_releases(&self) {
        while self.has_releases() {
            let mut line = lock(&self.line);
            let Some(outbox) = &mut line.outbox else { return };
            if !self.send_backlog(outbox) {
                return;
            }
            self.put_releases(&mut outbox.backlog);
            self.send_backlog(outbox);
        }
    }

    /// Sends of what must go first what goes without waiting; whether that was all.
    fn send_backlog(&self, outbox: &mut Outbox) -> bool {
        while outbox.state == OutboxState::Open && outbox.backlog_sent < outbox.backlog.len() {
            let rest = IoSlice::new(&outbox.backlog[outbox.backlog_sent..]);
            match self.link.send(&[rest], Waiting::Never) {
                Ok(bytes) => outbox.backlog_sent += bytes,
                Err(Errno::AGAIN) => break,
                Err(_) => outbox.state = OutboxState::Broken,
            }
        }
        let is_all = outbox.backlog_sent == outbox.backlog.len();
        if is_all {
            outbox.backlog.clear();
            outbox.backlog_sent = 0;
        }
        is_all
    }
}

#[cold]
fn unread_releases() -> Failure {
    let text = format!(
        "the server does not read which portals it is given back, more than {RELEASED_MAX} wait; it is unknown which calls were done"
    );
    Failure::new(Kind::PeerDied, &text)
}

impl Outbox {
    /// Begins with what must go first.
    #[inline]
    fn begin(&mut self) {
        self.buffer.clear();
        if !self.backlog.is_empty() {
            mem::swap(&mut self.buffer, &mut self.backlog);
            self.buffer.drain(..mem::take(&mut self.backlog_sent));
        }
    }

    /// Keeps the first `len` bytes for the next time.
    #[cold]
    fn keep(&mut self, len: usize) {
        self.buffer.truncate(len);
        self.backlog.append(&mut self.buffer);
    }
}
