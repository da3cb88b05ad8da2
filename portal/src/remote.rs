//! The client's end of a session over a socket (a Unix socket, or TLS over TCP) or through shared memory.
//!
//! One connection is shared by any number of threads. A call is one `send` and, for the thread that reads, one
//! `recv`; in the steady state it takes no memory, but for the list of what it lends if that is several long pieces.
//!
//! ```text
//! thread A   begin ─ send ─────────────── lead: recv ─ own reply ─ resign ──► returns
//! thread B      begin ─ send ─ park ·············· reply put into its slot ─► wakes, returns
//! ```
//! A thread that cannot send because the server does not take more reads meanwhile, so that two full buffers
//! do not wait for each other.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`RemoteSession`] | the connection; a [`Transport`] |
//! | [`Pending`] | a call in flight ([`RemoteSession::start_call`]) |
//! | [`PendingControl`], [`ControlReply`] | a request to an entry point and its answer |

mod afar;
mod announce;
mod connect;
mod end;
mod memory;
mod oneway;
mod pending;
mod reading;
mod relaying;
mod sending;
mod short;
#[cfg(test)]
mod tests;
mod waits;

use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use rustix::io::Errno;

use crate::address::Address;
use crate::call::{Failure, Kind, ShortWords};
use crate::calls::{Answer, CallId, Calls, Intent, Next, Owner};
use crate::identity::Credentials;
use crate::link::{Expected, Link, Readiness, Waiting};
use crate::memory::Memory;
use crate::message::{Frame, Inputs, Landed, nonsense, put_words, read_failure};
use crate::portal::{Block, OpNumber, Portal, PortalId, Transport};
use crate::seats::Seat;
use crate::session::lock;
use crate::stream::{BadLength, Inbox};
use crate::wire::{CALL_SESSION, Description, FRAME_BYTES_LIMIT, FRAME_BYTES_MAX, Reply, Request, kind};

pub use crate::link::WaitMode;
pub use end::DIED;
pub use pending::{ControlReply, Pending, PendingControl};

use announce::Announce;
use connect::connect;
use end::died;
use reading::{BlockReply, Reading};
use sending::{Outbox, Sent};
use waits::Waits;

/// How a client connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectOptions {
    /// How long the server may take to accept.
    pub connect_timeout: Duration,
    /// How long one call may take, or a question to an entry point ([`RemoteSession::control`]); `None`: for ever.
    /// What was begun with [`RemoteSession::start_control`] is waited for without it.
    pub call_timeout: Option<Duration>,
    /// How long the server may take nothing of a message that it has begun to take and whose call's time is over. The
    /// session ends then: half a message cannot be taken back.
    pub write_timeout: Duration,
    /// Bytes of a frame, either way.
    pub frame_bytes_max: u32,
    /// How to wait for answers through shared memory.
    pub waiting: WaitMode,
}

impl Default for ConnectOptions {
    fn default() -> ConnectOptions {
        ConnectOptions {
            connect_timeout: Duration::from_secs(5),
            call_timeout: None,
            write_timeout: Duration::from_secs(10),
            frame_bytes_max: FRAME_BYTES_MAX,
            waiting: WaitMode::default(),
        }
    }
}

/// A session with a server, over a Unix socket, TLS, or through shared memory.
///
/// What was sent is done though the session is dropped before the answer came, as a `oneway` call is. Over TLS, dropping it then
/// takes until the server has read what was sent, at most half a second, and a thread waits another minute for a server that
/// takes longer; beside eight of these there is no other, and what such a server has not read is lost, as when the process ends.
pub struct RemoteSession {
    link: Link,
    options: ConnectOptions,
    line: Mutex<Line>,
    /// The outbox is back in the line.
    outbox_back: Condvar,
    /// Portals that were dropped while another thread was sending.
    released: Mutex<Vec<(PortalId, u32)>>,
    released_count: AtomicUsize,
    /// Calls of `oneway` operations that were not answered yet, the oldest first.
    told: Mutex<VecDeque<CallId>>,
    waits: Waits,
    /// A thread asks for memory.
    mapping: Mutex<bool>,
    /// None does any more.
    mapped: Condvar,
    /// What it counts as.
    seat: Mutex<Option<Seat>>,
    /// For a thread that must go on when its caller does not.
    me: Weak<RemoteSession>,
}

/// What threads share. A short call takes this lock twice, when it is sent and when it is over.
struct Line {
    calls: Calls,
    /// Who sends what does not go at once has taken it out.
    outbox: Option<Box<Outbox>>,
    /// Threads that wait for the outbox.
    waiting: usize,
}

impl fmt::Debug for RemoteSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteSession").field("options", &self.options).finish_non_exhaustive()
    }
}

impl RemoteSession {
    /// Connects to the server at `address`.
    ///
    /// # Errors
    /// [`Kind::Unreachable`]: nothing was sent.
    pub fn connect(address: &Address, options: ConnectOptions) -> Result<Arc<RemoteSession>, Failure> {
        RemoteSession::connect_as(address, options, &Credentials::None)
    }

    /// Connects to the server at `address`, which wants to know who calls.
    ///
    /// # Errors
    /// As [`RemoteSession::connect`]. That the server does not admit the caller is found by the first request.
    pub fn connect_as(
        address: &Address,
        options: ConnectOptions,
        credentials: &Credentials,
    ) -> Result<Arc<RemoteSession>, Failure> {
        let (link, refusal) = connect(address, &options, credentials)?;
        let transport = RemoteSession::over(link, options);
        if let Some(refusal) = refusal {
            // As over a socket, where a refusal is found when the first call is made.
            transport.die(refusal);
        } else {
            transport.greet();
        }
        Ok(transport)
    }

    pub(crate) fn over(link: Link, mut options: ConnectOptions) -> Arc<RemoteSession> {
        options.frame_bytes_max = options.frame_bytes_max.clamp(16 << 10, FRAME_BYTES_LIMIT);
        Arc::new_cyclic(|me| RemoteSession {
            link,
            options,
            line: Mutex::new(Line { calls: Calls::default(), outbox: Some(Box::default()), waiting: 0 }),
            outbox_back: Condvar::new(),
            released: Mutex::default(),
            released_count: AtomicUsize::new(0),
            told: Mutex::default(),
            waits: Waits::default(),
            mapping: Mutex::default(),
            mapped: Condvar::new(),
            seat: Mutex::default(),
            me: Weak::clone(me),
        })
    }

    /// The object that the session is opened on.
    #[must_use]
    pub fn root(self: &Arc<Self>) -> Portal {
        Portal::new(Arc::clone(self) as Arc<dyn Transport>, PortalId::ROOT)
    }

    /// Sends a call without waiting for its reply; [`Pending::wait`] does that.
    ///
    /// # Errors
    /// As [`Transport::call`]; nothing was sent if the arguments were wrong.
    pub fn start_call(
        self: &Arc<Self>,
        target: PortalId,
        op: OpNumber,
        block: &Block<'_>,
    ) -> Result<Pending, Failure> {
        let deadline = self.deadline();
        let Sent { id, .. } = self.send_call(target, op, block, deadline, Intent::Later)?;
        Ok(Pending::new(Arc::clone(self), id, (target, op), deadline))
    }

    /// Sends a request to the server's entry point and waits for the answer. Meanwhile other threads may
    /// send others, for example to cancel it.
    ///
    /// # Errors
    /// What the server or the way to it answered.
    pub fn control(
        self: &Arc<Self>,
        kind: u8,
        data: &[u8],
        portals: &[&Portal],
        progress: &mut dyn FnMut(&[u8]),
    ) -> Result<ControlReply, Failure> {
        let pending = self.start_control(kind, data, portals)?;
        let read = |data: &[u8], portals| Ok(ControlReply { data: data.to_vec(), portals });
        pending.wait_until(self.deadline(), progress, read)
    }

    /// Sends a request to the server's entry point; [`PendingControl::wait`] waits for the answer.
    ///
    /// # Errors
    /// As [`RemoteSession::control`]; [`Kind::BadArgument`] if `kind` is not an entry point's.
    pub fn start_control(
        self: &Arc<Self>,
        kind: u8,
        data: &[u8],
        portals: &[&Portal],
    ) -> Result<PendingControl, Failure> {
        if !(kind::ENTRY_FIRST..=kind::ENTRY_LAST).contains(&kind) {
            return Err(Failure::bad_argument("the kind of a request to an entry point is 16 to 126"));
        }
        let id = self.send_control(kind, data, portals, self.deadline(), |_| Ok(()))?;
        Ok(PendingControl::new(Arc::clone(self), id))
    }

    /// Asks the server what it is.
    ///
    /// # Errors
    /// What the way to it answered.
    pub fn describe(self: &Arc<Self>) -> Result<Description, Failure> {
        let deadline = self.deadline();
        let id = self.send_control(kind::DESCRIBE, &[], &[], deadline, |_| Ok(()))?;
        let pending = PendingControl::new(Arc::clone(self), id);
        let read =
            |data: &[u8], _| Description::decode(data).map_err(|malformed| nonsense(&malformed.to_string()));
        pending.wait_until(deadline, &mut |_| {}, read)
    }

    #[inline]
    fn deadline(&self) -> Option<Instant> {
        self.options.call_timeout.and_then(|timeout| Instant::now().checked_add(timeout))
    }

    #[inline]
    fn send_call(
        &self,
        target: PortalId,
        op: OpNumber,
        block: &Block<'_>,
        deadline: Option<Instant>,
        intent: Intent,
    ) -> Result<Sent, Failure> {
        let layout = &op.operation().layout;
        let words = layout.request_words();
        let values = block.words.get(..words).ok_or_else(short_block)?;
        self.send(layout.reply_words(), &Announce::of(target, op), deadline, intent, |buffer, id| {
            let mut frame = Frame::begin(buffer, words, block.portals.len());
            self.put_portals(&mut frame, words, block.portals)?;
            let (ins, inouts) = values.split_at(layout.ins.len());
            put_words(&mut frame, 0, &layout.ins, ins, &Inputs(block.inputs))?;
            put_words(&mut frame, ins.len(), &layout.inouts, inouts, &Inputs(block.inputs))?;
            let portals = block.portals.len() as u8;
            let header =
                Request { len: 0, kind: kind::CALL, portals, op: op.op, target: target.0, call: id.0 };
            frame.finish_request(header, self.options.frame_bytes_max).ok_or_else(|| self.request_too_long())
        })
    }

    /// Sends a request that is no call; what `beside` does comes right before it, and nothing of another thread between them.
    fn send_control(
        &self,
        kind: u8,
        data: &[u8],
        portals: &[&Portal],
        deadline: Option<Instant>,
        beside: impl FnOnce(CallId) -> Result<(), Failure>,
    ) -> Result<CallId, Failure> {
        let announce = Announce { module: None };
        let sent = self.send(0, &announce, deadline, Intent::Later, |buffer, id| {
            let mut frame = Frame::begin(buffer, 0, portals.len());
            self.put_portals(&mut frame, 0, portals)?;
            frame.put(data);
            let portals = portals.len() as u8;
            let header = Request { len: 0, kind, portals, op: 0, target: 0, call: id.0 };
            let lent = frame
                .finish_request(header, self.options.frame_bytes_max)
                .ok_or_else(|| self.request_too_long())?;
            beside(id)?;
            Ok(lent)
        });
        sent.map(|sent| sent.id)
    }

    fn put_portals(
        &self,
        frame: &mut Frame<'_, '_>,
        words: usize,
        portals: &[&Portal],
    ) -> Result<(), Failure> {
        if portals.len() > usize::from(u8::MAX) {
            return Err(Failure::bad_argument("more than 255 portals in one message"));
        }
        for (index, portal) in portals.iter().enumerate() {
            if !self.carries(portal) {
                return Err(Failure::bad_argument("a portal of another session"));
            }
            frame.set_portal(words, index, portal.id().0);
        }
        Ok(())
    }

    fn carries(&self, portal: &Portal) -> bool {
        Arc::as_ptr(portal.transport()).cast::<()>() == std::ptr::from_ref(self).cast::<()>()
    }

    /// Receives once, and puts what came into the slots of those who wait for it.
    fn read_for_others(&self, inbox: &mut Inbox) -> Result<(), Failure> {
        match inbox.cursor.fill(&mut inbox.buffer, &self.link, Waiting::Never) {
            Ok(0) => return Err(self.die(died())),
            Ok(_) | Err(Errno::AGAIN) => {}
            Err(_) => return Err(self.die(died())),
        }
        while let Some((header, frame)) = self.next_frame(inbox)? {
            self.sort(None, &header, &inbox.buffer[frame])?;
        }
        Ok(())
    }

    /// Waits for the reply of `id`, a call through `portal` or none, and lets `reading` read it. The call is over afterwards, except after
    /// progress.
    #[inline]
    fn wait_for<R: Reading>(
        &self,
        id: CallId,
        portal: Option<PortalId>,
        deadline: Option<Instant>,
        reading: &mut R,
    ) -> Result<Arrived<R::Read>, Failure> {
        loop {
            let next = lock(&self.line).calls.next(id);
            match next {
                Next::Lead(inbox) => {
                    self.waits_for(portal);
                    return self.lead(id, inbox, deadline, reading);
                }
                Next::Park => self.park(id, deadline)?,
                Next::Reply(frame) => {
                    // It was decoded once already, when it was sorted.
                    let header = Reply::decode(&frame).ok_or_else(|| nonsense("it has no header"))?;
                    let read = reading.read(&header, &frame);
                    lock(&self.line).calls.keep(frame);
                    return read.map(Arrived::Reply);
                }
                Next::Progress(frame) => return self.progress(id, frame, deadline),
                Next::Dead(failure) => {
                    lock(&self.line).calls.end(id);
                    return Err(failure);
                }
            }
        }
    }

    /// Waits for the reply of a call through `portal` that was sent, which has no progress.
    #[inline(always)]
    fn reply_of<R: Reading>(
        &self,
        Sent { id, inbox }: Sent,
        portal: PortalId,
        deadline: Option<Instant>,
        mut reading: R,
    ) -> Result<R::Read, Failure> {
        if let Some(inbox) = inbox {
            self.waits_for(Some(portal));
            if let Arrived::Reply(reply) = self.lead(id, inbox, deadline, &mut reading)? {
                return Ok(reply);
            }
        }
        loop {
            if let Arrived::Reply(reply) = self.wait_for(id, Some(portal), deadline, &mut reading)? {
                return Ok(reply);
            }
        }
    }

    /// What is told does not make the time of a call longer.
    #[cold]
    fn progress<R>(
        &self,
        id: CallId,
        frame: Vec<u8>,
        deadline: Option<Instant>,
    ) -> Result<Arrived<R>, Failure> {
        if is_past(deadline) { Err(self.give_up(id)) } else { Ok(Arrived::Progress(frame)) }
    }

    #[cold]
    fn park(&self, id: CallId, deadline: Option<Instant>) -> Result<(), Failure> {
        let Some(deadline) = deadline else {
            std::thread::park();
            return Ok(());
        };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.give_up(id));
        }
        std::thread::park_timeout(left);
        Ok(())
    }

    /// Reads until the reply of `id` is there.
    #[inline(always)]
    fn lead<R: Reading>(
        &self,
        id: CallId,
        mut inbox: Box<Inbox>,
        deadline: Option<Instant>,
        reading: &mut R,
    ) -> Result<Arrived<R::Read>, Failure> {
        let arrived = match self.read_own(&mut inbox, id, deadline, reading) {
            Ok(arrived) => arrived,
            Err(Stop::Dead(why)) => return Err(lock(&self.line).calls.why_lost(id, why)),
            Err(Stop::TimedOut) => {
                lock(&self.line).calls.resign(inbox);
                return Err(self.give_up(id));
            }
        };
        let mut line = lock(&self.line);
        if let Arrived::Reply(_) = arrived {
            line.calls.end(id);
        }
        line.calls.resign(inbox);
        drop(line);
        match arrived {
            Arrived::Reply(read) => read.map(Arrived::Reply),
            Arrived::Progress(frame) => self.progress(id, frame, deadline),
        }
    }

    #[inline(always)]
    fn read_own<R: Reading>(
        &self,
        inbox: &mut Inbox,
        id: CallId,
        deadline: Option<Instant>,
        reading: &mut R,
    ) -> Result<Arrived<Result<R::Read, Failure>>, Stop> {
        if !inbox.cursor.is_partial() {
            self.receive(inbox, deadline, reading.expected())?;
            if let Some(header) = self.only_reply(inbox, id) {
                let frame = inbox.cursor.take();
                return Ok(Arrived::Reply(reading.read(&header, &inbox.buffer[frame])));
            }
        }
        self.read_own_of_all(inbox, id, deadline, reading)
    }

    /// The header of the reply of `id`, if that is what was received, as a whole and alone: as mostly it is.
    #[inline(always)]
    fn only_reply(&self, inbox: &Inbox, id: CallId) -> Option<Reply> {
        let frame = inbox.cursor.begun(&inbox.buffer);
        let header = Reply::decode(frame)?;
        let is_own = header.call == id.0 && header.kind == kind::REPLY;
        let is_whole = header.len as usize == frame.len() && header.len <= self.options.frame_bytes_max;
        (is_own && is_whole).then_some(header)
    }

    /// As [`RemoteSession::read_own`], whatever comes.
    #[inline(never)]
    fn read_own_of_all<R: Reading>(
        &self,
        inbox: &mut Inbox,
        id: CallId,
        deadline: Option<Instant>,
        reading: &mut R,
    ) -> Result<Arrived<Result<R::Read, Failure>>, Stop> {
        loop {
            match self.arrival(inbox, id, deadline, reading.expected())? {
                Arrival::Whole(header, frame) => {
                    return Ok(Arrived::Reply(reading.read(&header, &inbox.buffer[frame])));
                }
                Arrival::Progress(frame) => return Ok(Arrived::Progress(inbox.buffer[frame].to_vec())),
                Arrival::Begun => match self.scatter(inbox, id, deadline, reading)? {
                    Some(read) => return Ok(Arrived::Reply(read)),
                    None => self.receive_whole(inbox, deadline)?,
                },
            }
        }
    }

    /// Receives until something of the frames of `id` is there, and gives others to whom they belong.
    fn arrival(
        &self,
        inbox: &mut Inbox,
        id: CallId,
        deadline: Option<Instant>,
        expected: Expected,
    ) -> Result<Arrival, Stop> {
        let mut late = Late::default();
        loop {
            if !inbox.cursor.is_partial() {
                self.receive_more(inbox, deadline, expected)?;
            }
            let Some((header, frame)) = self.next_frame(inbox)? else {
                match Reply::decode(inbox.cursor.begun(&inbox.buffer)) {
                    Some(header) if header.call == id.0 => return Ok(Arrival::Begun),
                    _ => self.receive_more(inbox, deadline, expected)?,
                }
                continue;
            };
            if header.call != id.0 {
                self.sort(Some(id), &header, &inbox.buffer[frame])?;
                late.check(deadline)?;
            } else if header.kind & kind::PROGRESS != 0 {
                self.release_unread(0, &inbox.buffer[frame.clone()]);
                return Ok(Arrival::Progress(frame));
            } else {
                return Ok(Arrival::Whole(header, frame));
            }
        }
    }

    /// Receives until the frame that has begun is whole.
    #[cold]
    fn receive_whole(&self, inbox: &mut Inbox, deadline: Option<Instant>) -> Result<(), Stop> {
        let mut late = Late::default();
        while !inbox.cursor.is_whole(&inbox.buffer) {
            self.receive_more(inbox, deadline, Expected::Any)?;
            late.check(deadline)?;
        }
        Ok(())
    }

    /// The next whole frame, if one is there. A farewell ends the connection.
    #[inline]
    fn next_frame(&self, inbox: &mut Inbox) -> Result<Option<(Reply, Range<usize>)>, Failure> {
        let frame = match inbox.cursor.next(&inbox.buffer, self.options.frame_bytes_max) {
            Ok(None) => return Ok(None),
            Ok(Some(frame)) => frame,
            Err(BadLength(len)) => return Err(self.die(nonsense(&format!("it claims to have {len} bytes")))),
        };
        match Reply::decode(&inbox.buffer[frame.clone()]) {
            Some(header) if header.kind & !kind::PROGRESS == kind::REPLY && header.call != CALL_SESSION => {
                Ok(Some((header, frame)))
            }
            Some(header) if header.kind == kind::REPLY && header.status != 0 => {
                Err(self.die(read_failure(&header, &inbox.buffer[frame])))
            }
            _ => Err(self.die(nonsense("its header is not a reply's"))),
        }
    }

    /// Gives a frame to the call that it belongs to.
    #[cold]
    fn sort(&self, reader: Option<CallId>, header: &Reply, frame: &[u8]) -> Result<(), Failure> {
        let answer = if header.kind & kind::PROGRESS != 0 { Answer::Progress } else { Answer::Last };
        if answer == Answer::Progress {
            // It has no place for portals.
            self.release_unread(0, frame);
        }
        let owner = lock(&self.line).calls.sort(reader, header, answer, frame);
        match owner {
            Ok(Owner::Reader | Owner::Other) => Ok(()),
            Ok(Owner::Nobody(words)) => {
                self.release_unread(words, frame);
                Ok(())
            }
            Err(failure) => Err(self.die(failure)),
        }
    }

    #[inline(always)]
    fn receive(&self, inbox: &mut Inbox, deadline: Option<Instant>, expected: Expected) -> Result<(), Stop> {
        self.wait_unless_fresh(deadline)?;
        let Inbox { buffer, cursor } = inbox;
        let received = cursor.begin_or_fill(buffer, &self.link, Waiting::TimeOut, expected);
        self.received(received, deadline).map(drop)
    }

    /// The same, not in line.
    #[inline(never)]
    fn receive_more(
        &self,
        inbox: &mut Inbox,
        deadline: Option<Instant>,
        expected: Expected,
    ) -> Result<(), Stop> {
        let Inbox { buffer, cursor } = inbox;
        let receive = || cursor.begin_or_fill(buffer, &self.link, Waiting::TimeOut, expected);
        self.receive_by(deadline, receive).map(drop)
    }

    /// Has `receive` receive something before `deadline`; how many bytes it were, 0 if it should be tried again.
    #[inline(always)]
    fn receive_by(
        &self,
        deadline: Option<Instant>,
        receive: impl FnOnce() -> Result<usize, Errno>,
    ) -> Result<usize, Stop> {
        self.wait_unless_fresh(deadline)?;
        self.received(receive(), deadline)
    }

    /// Waits for something to receive, if the link's own time-out is too long for a call with this deadline.
    #[inline(always)]
    fn wait_unless_fresh(&self, deadline: Option<Instant>) -> Result<(), Stop> {
        if let (Some(deadline), Some(timeout)) = (deadline, self.options.call_timeout) {
            let left = deadline.saturating_duration_since(Instant::now());
            // It is right for a call that was just sent.
            let is_fresh = left + Duration::from_millis(1) >= timeout;
            if !is_fresh && matches!(self.link.wait(Readiness::RECEIVE, Some(deadline)), Ok(None)) {
                return Err(Stop::TimedOut);
            }
        }
        Ok(())
    }

    /// What it means to a call with this deadline what became of receiving.
    #[inline(always)]
    fn received(&self, received: Result<usize, Errno>, deadline: Option<Instant>) -> Result<usize, Stop> {
        match received {
            Ok(0) => Err(Stop::Dead(self.die(died()))),
            Ok(received) => Ok(received),
            Err(Errno::AGAIN) if deadline.is_none_or(|deadline| Instant::now() < deadline) => Ok(0),
            Err(Errno::AGAIN) => Err(Stop::TimedOut),
            Err(_) => Err(Stop::Dead(self.die(died()))),
        }
    }

    /// The time of the call has run out; its reply may still come.
    #[cold]
    fn give_up(&self, id: CallId) -> Failure {
        self.abandon(id);
        let timeout = self.options.call_timeout.unwrap_or_default();
        Failure::new(
            Kind::TimedOut,
            &format!("no answer within {timeout:?}; it is unknown whether the call was done"),
        )
    }

    fn abandon(&self, id: CallId) {
        let arrived = lock(&self.line).calls.abandon(id);
        if let Some((words, frame)) = arrived {
            self.release_unread(words, &frame);
        }
    }

    #[cold]
    fn request_too_long(&self) -> Failure {
        let max = self.options.frame_bytes_max;
        Failure::bad_argument(&format!("the arguments make a message longer than {max} bytes"))
    }
}

/// Calls that nobody waits for are done all the same. Over TLS, that takes somebody who reads the answers: the thread that
/// drops the session, for half a second at most, and then one of its own.
impl Drop for RemoteSession {
    fn drop(&mut self) {
        let line = self.line.get_mut().unwrap_or_else(PoisonError::into_inner);
        if line.calls.are_in_flight() {
            self.link.leave_requests();
        }
    }
}

impl Transport for RemoteSession {
    fn call(self: Arc<Self>, target: PortalId, op: OpNumber, block: &mut Block<'_>) -> Result<(), Failure> {
        if op.operation().oneway {
            return self.tell(target, op, block);
        }
        self.call_answered(target, op, block)
    }

    fn call_answered(
        self: Arc<Self>,
        target: PortalId,
        op: OpNumber,
        block: &mut Block<'_>,
    ) -> Result<(), Failure> {
        let deadline = self.deadline();
        let sent = self.send_call(target, op, block, deadline, Intent::Wait)?;
        self.reply_of(sent, target, deadline, BlockReply { own: &self, op, block, landed: Landed::default() })
    }

    fn short(
        &self,
        target: PortalId,
        op: OpNumber,
        words: &mut ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Option<Result<(), Failure>> {
        Some(self.make_short(target, op, words, piece, out))
    }

    fn turn(
        &self,
        target: PortalId,
        op: OpNumber,
        words: &ShortWords,
        data: &mut Vec<u8>,
    ) -> Option<Result<(), Failure>> {
        let at = op.operation().layout.turned?;
        Some(self.make_turned(target, op, at, words, data))
    }

    fn release(&self, portal: PortalId, receipts: u32) {
        self.give_back(portal, receipts);
    }

    fn set_waiting(&self, portal: PortalId, mode: Option<WaitMode>) {
        self.say_how_it_waits(portal, mode);
    }

    fn map(self: Arc<Self>, portal: &Portal, bytes_max: usize) -> Result<Option<Memory>, Failure> {
        self.map_memory(portal, bytes_max)
    }

    fn is_over(&self) -> bool {
        self.finds_its_end()
    }
}

/// How often a thread that reads is given something after the time of its call.
#[derive(Default)]
struct Late(u32);

impl Late {
    /// So often at most: its reply may be there already, behind what others are answered.
    const MAX: u32 = 64;

    /// Something came that does not end the call.
    #[cold]
    fn check(&mut self, deadline: Option<Instant>) -> Result<(), Stop> {
        self.0 += u32::from(is_past(deadline));
        if self.0 > Late::MAX { Err(Stop::TimedOut) } else { Ok(()) }
    }
}

fn is_past(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// What came for a call.
enum Arrived<R> {
    /// Its reply; the call is over.
    Reply(R),
    /// A frame that says how it goes.
    Progress(Vec<u8>),
}

/// What is there of the frames of a call.
enum Arrival {
    /// A reply.
    Whole(Reply, Range<usize>),
    /// A frame that says how it goes.
    Progress(Range<usize>),
    /// The beginning of either.
    Begun,
}

/// Why a thread reads no further.
enum Stop {
    /// The connection is dead.
    Dead(Failure),
    /// The time of its call is over.
    TimedOut,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Dead(failure)
    }
}

#[cold]
fn short_block() -> Failure {
    Failure::bad_argument("an argument block has fewer words than its operation")
}
