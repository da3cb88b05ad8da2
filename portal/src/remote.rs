//! The client's end of a session over a socket (a Unix socket, or TLS over TCP) or through shared memory.
//!
//! One connection is shared by any number of threads. A call is one `send` and, for the thread that reads, one
//! `recv`; in the steady state it takes no memory.
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
mod oneway;
mod pending;
mod short;

use std::collections::VecDeque;
use std::fmt;
use std::io::IoSlice;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

use rustix::io::Errno;

use crate::address::Address;
use crate::call::{Failure, Kind, ShortWords};
use crate::calls::{Answer, CallId, Calls, Next, Owner};
use crate::identity::Credentials;
use crate::link::{Link, Readiness, Waiting};
use crate::message::{
    Frame, Inputs, Lent, SLICES_MAX, nonsense, portal_of, put_words, read_failure, read_reply,
};
use crate::portal::{Block, OpNumber, Portal, PortalId, Transport};
use crate::session::lock;
use crate::stream::{BadLength, Cursor, Progress, Sending};
use crate::wire::{
    CALL_SESSION, Description, FRAME_BYTES_LIMIT, FRAME_BYTES_MAX, HEADER_BYTES, Reply, Request, Sections,
    kind,
};

pub use crate::link::WaitMode;
pub use pending::{ControlReply, Pending, PendingControl};

use announce::{Announce, Announced};
use connect::connect;

/// How a client connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectOptions {
    /// How long the server may take to accept.
    pub connect_timeout: Duration,
    /// How long one call may take, or a question to an entry point ([`RemoteSession::control`]); `None`: for ever.
    /// What was begun with [`RemoteSession::start_control`] is waited for without it.
    pub call_timeout: Option<Duration>,
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
            frame_bytes_max: FRAME_BYTES_MAX,
            waiting: WaitMode::default(),
        }
    }
}

/// A session with a server, over a Unix socket, TLS, or through shared memory.
pub struct RemoteSession {
    link: Link,
    options: ConnectOptions,
    outbox: Mutex<Outbox>,
    inbox: Mutex<Inbox>,
    calls: Mutex<Calls>,
    /// Portals that were dropped while another thread was sending.
    released: Mutex<Vec<(PortalId, u32)>>,
    released_count: AtomicUsize,
    /// Calls of `oneway` operations that were not answered yet, the oldest first.
    told: Mutex<VecDeque<CallId>>,
}

#[derive(Default)]
struct Outbox {
    buffer: Vec<u8>,
    /// Whole frames, or the rest of one, that must go first.
    backlog: Vec<u8>,
    announced: Announced,
    state: OutboxState,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum OutboxState {
    #[default]
    Open,
    /// The server takes no more. What it said last may still be there to read.
    Broken,
}

#[derive(Default)]
struct Inbox {
    buffer: Vec<u8>,
    cursor: Cursor,
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
        }
        Ok(Arc::new(transport))
    }

    pub(crate) fn over(link: Link, mut options: ConnectOptions) -> RemoteSession {
        options.frame_bytes_max = options.frame_bytes_max.clamp(16 << 10, FRAME_BYTES_LIMIT);
        RemoteSession {
            link,
            options,
            outbox: Mutex::default(),
            inbox: Mutex::default(),
            calls: Mutex::default(),
            released: Mutex::default(),
            released_count: AtomicUsize::new(0),
            told: Mutex::default(),
        }
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
        let id = self.send_call(target, op, block, deadline)?;
        Ok(Pending::new(Arc::clone(self), id, op, deadline))
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
            return Err(Failure::bad_argument("the kind of a request to an entry point is 16 to 127"));
        }
        let id = self.send_control(kind, data, portals)?;
        Ok(PendingControl::new(Arc::clone(self), id))
    }

    /// Asks the server what it is.
    ///
    /// # Errors
    /// What the way to it answered.
    pub fn describe(self: &Arc<Self>) -> Result<Description, Failure> {
        let id = self.send_control(kind::DESCRIBE, &[], &[])?;
        let pending = PendingControl::new(Arc::clone(self), id);
        let read =
            |data: &[u8], _| Description::decode(data).map_err(|malformed| nonsense(&malformed.to_string()));
        pending.wait_until(self.deadline(), &mut |_| {}, read)
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
    ) -> Result<CallId, Failure> {
        let layout = &op.operation().layout;
        let words = layout.request_words();
        let values = block.words.get(..words).ok_or_else(short_block)?;
        self.send(layout.reply_words(), &Announce::of(target, op), deadline, |buffer, id| {
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

    fn send_control(&self, kind: u8, data: &[u8], portals: &[&Portal]) -> Result<CallId, Failure> {
        self.send(0, &Announce { module: None }, self.deadline(), |buffer, id| {
            let mut frame = Frame::begin(buffer, 0, portals.len());
            self.put_portals(&mut frame, 0, portals)?;
            frame.put(data);
            let portals = portals.len() as u8;
            let header = Request { len: 0, kind, portals, op: 0, target: 0, call: id.0 };
            frame.finish_request(header, self.options.frame_bytes_max).ok_or_else(|| self.request_too_long())
        })
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

    /// Sends one request with a new number, behind what must go first.
    #[inline]
    fn send<'a>(
        &self,
        reply_words: usize,
        announce: &Announce,
        deadline: Option<Instant>,
        build: impl FnOnce(&mut Vec<u8>, CallId) -> Result<Lent<'a>, Failure>,
    ) -> Result<CallId, Failure> {
        let id = lock(&self.calls).begin(reply_words)?;
        let sent = {
            let outbox = &mut *lock(&self.outbox);
            outbox.begin();
            announce.put(outbox);
            self.put_releases(&mut outbox.buffer);
            let before = outbox.buffer.len();
            match build(&mut outbox.buffer, id) {
                Ok(lent) => self.transmit(outbox, &lent, deadline),
                Err(failure) => {
                    outbox.keep(before);
                    Err(failure)
                }
            }
        };
        self.flush_releases();
        match sent {
            Ok(()) => Ok(id),
            Err(failure) => {
                lock(&self.calls).end(id);
                Err(failure)
            }
        }
    }

    /// Sends all of it, reading meanwhile if the server takes no more before its replies are read.
    #[inline]
    fn transmit(
        &self,
        outbox: &mut Outbox,
        lent: &Lent<'_>,
        deadline: Option<Instant>,
    ) -> Result<(), Failure> {
        if lent.is_nothing() {
            self.transmit_buffer(outbox, deadline)?;
        } else {
            let mut slices = [IoSlice::new(&[]); SLICES_MAX];
            let count = lent.slices(&outbox.buffer, &mut slices);
            self.transmit_pieces(&mut outbox.state, Sending::new(slices, count), deadline)?;
        }
        // Nobody else would send what is kept back: all may wait for the answer to it.
        while self.link.flush() == Err(Errno::AGAIN) {
            self.wait_to_send(deadline)?;
        }
        Ok(())
    }

    /// One piece, which mostly goes at once.
    #[inline]
    fn transmit_buffer(&self, outbox: &mut Outbox, deadline: Option<Instant>) -> Result<(), Failure> {
        let Outbox { buffer, state, .. } = outbox;
        let sent = match state {
            OutboxState::Open => self.link.send(&[IoSlice::new(buffer)], Waiting::Never).unwrap_or(0),
            OutboxState::Broken => return Ok(()),
        };
        match buffer.get(sent..) {
            Some([]) | None => Ok(()),
            // Why it did not go is found out when it is tried again.
            Some(rest) => self.transmit_pieces(state, Sending::one(rest), deadline),
        }
    }

    fn transmit_pieces(
        &self,
        state: &mut OutboxState,
        mut sending: Sending<'_>,
        deadline: Option<Instant>,
    ) -> Result<(), Failure> {
        while *state == OutboxState::Open {
            match sending.step(&self.link, Waiting::Never) {
                Ok(Progress::Done) => break,
                Ok(Progress::Some) => {}
                Err(Errno::AGAIN) => self.wait_to_send(deadline)?,
                // The reason, if the server gave one, is found by the thread that reads.
                Err(_) => *state = OutboxState::Broken,
            }
        }
        Ok(())
    }

    #[cold]
    fn wait_to_send(&self, deadline: Option<Instant>) -> Result<(), Failure> {
        let lead = lock(&self.calls).try_lead();
        let wanted = if lead { Readiness::EITHER } else { Readiness::SEND };
        let ready = self.link.wait(wanted, deadline);
        let mut read = Ok(());
        if lead {
            if matches!(&ready, Ok(Some(ready)) if ready.receive) {
                read = self.read_for_others();
            }
            lock(&self.calls).resign();
        }
        read?;
        match ready {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(self.die(Failure::new(
                Kind::TimedOut,
                "the server took no more in time; this call was not sent as a whole",
            ))),
            Err(_) => Err(self.die(died())),
        }
    }

    /// Receives once, and puts what came into the slots of those who wait for it.
    fn read_for_others(&self) -> Result<(), Failure> {
        let inbox = &mut *lock(&self.inbox);
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

    /// Waits for the reply of `id` and lets `take` read it. The call is over afterwards, except after progress.
    #[inline]
    fn wait_for<R>(
        &self,
        id: CallId,
        deadline: Option<Instant>,
        take: impl FnOnce(&Reply, &[u8]) -> Result<R, Failure>,
    ) -> Result<Arrived<R>, Failure> {
        loop {
            let next = lock(&self.calls).next(id);
            match next {
                Next::Lead => return self.lead(id, deadline, take),
                Next::Park => self.park(id, deadline)?,
                Next::Reply(frame) => {
                    // It was decoded once already, when it was sorted.
                    let header = Reply::decode(&frame).ok_or_else(|| nonsense("it has no header"))?;
                    let taken = take(&header, &frame);
                    lock(&self.calls).keep(frame);
                    return taken.map(Arrived::Reply);
                }
                Next::Progress(frame) => return Ok(Arrived::Progress(frame)),
                Next::Dead(failure) => {
                    lock(&self.calls).end(id);
                    return Err(failure);
                }
            }
        }
    }

    /// Waits for the reply of a call, which has no progress.
    #[inline]
    fn reply_of<R>(
        &self,
        id: CallId,
        deadline: Option<Instant>,
        mut take: impl FnMut(&Reply, &[u8]) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        loop {
            if let Arrived::Reply(reply) = self.wait_for(id, deadline, &mut take)? {
                return Ok(reply);
            }
        }
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
    #[inline]
    fn lead<R>(
        &self,
        id: CallId,
        deadline: Option<Instant>,
        take: impl FnOnce(&Reply, &[u8]) -> Result<R, Failure>,
    ) -> Result<Arrived<R>, Failure> {
        let inbox = &mut *lock(&self.inbox);
        loop {
            let Some((header, frame)) = self.next_frame(inbox)? else {
                self.receive(inbox, id, deadline)?;
                continue;
            };
            let frame = &inbox.buffer[frame];
            if header.call != id.0 {
                self.sort(Some(id), &header, frame)?;
                continue;
            }
            if header.kind & kind::PROGRESS != 0 {
                lock(&self.calls).resign();
                return Ok(Arrived::Progress(frame.to_vec()));
            }
            let taken = take(&header, frame);
            let mut calls = lock(&self.calls);
            calls.end(id);
            calls.resign();
            return taken.map(Arrived::Reply);
        }
    }

    /// The next whole frame, if one is there. A farewell ends the connection.
    #[inline]
    fn next_frame(&self, inbox: &mut Inbox) -> Result<Option<(Reply, std::ops::Range<usize>)>, Failure> {
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
        let owner = lock(&self.calls).sort(reader, header, answer, frame);
        match owner {
            Ok(Owner::Reader | Owner::Other) => Ok(()),
            Ok(Owner::Nobody(words)) => {
                self.release_unread(words, frame);
                Ok(())
            }
            Err(failure) => Err(self.die(failure)),
        }
    }

    #[inline]
    fn receive(&self, inbox: &mut Inbox, id: CallId, deadline: Option<Instant>) -> Result<(), Failure> {
        if let (Some(deadline), Some(timeout)) = (deadline, self.options.call_timeout) {
            let left = deadline.saturating_duration_since(Instant::now());
            // The link's own time-out is right for a call that was just sent; for others it is too long.
            let is_fresh = left + Duration::from_millis(1) >= timeout;
            if !is_fresh && matches!(self.link.wait(Readiness::RECEIVE, Some(deadline)), Ok(None)) {
                return Err(self.give_up_lead(id));
            }
        }
        match inbox.cursor.fill(&mut inbox.buffer, &self.link, Waiting::TimeOut) {
            Ok(0) => Err(self.die(died())),
            Ok(_) => Ok(()),
            Err(Errno::AGAIN) if deadline.is_none_or(|deadline| Instant::now() < deadline) => Ok(()),
            Err(Errno::AGAIN) => Err(self.give_up_lead(id)),
            Err(_) => Err(self.die(died())),
        }
    }

    #[cold]
    fn give_up_lead(&self, id: CallId) -> Failure {
        lock(&self.calls).resign();
        self.give_up(id)
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
        let arrived = lock(&self.calls).abandon(id);
        if let Some((words, frame)) = arrived {
            self.release_unread(words, &frame);
        }
    }

    /// Gives the portals of a reply back that nobody waits for.
    fn release_unread(&self, words: usize, frame: &[u8]) {
        let Some(header) = Reply::decode(frame).filter(|header| header.status == 0) else { return };
        let portals = usize::from(header.portals);
        let Some(sections) = Sections::of(frame.len(), words, portals) else { return };
        for index in 0..portals {
            self.release(PortalId(portal_of(frame, sections, index)), 1);
        }
    }

    /// Ends the connection because of `failure`, for everybody.
    #[cold]
    fn die(&self, failure: Failure) -> Failure {
        let why = {
            let mut calls = lock(&self.calls);
            calls.die(&failure);
            calls.dead().cloned()
        };
        // Wakes whoever reads.
        self.link.hang_up();
        why.unwrap_or(failure)
    }

    fn put_releases(&self, buffer: &mut Vec<u8>) {
        if self.released_count.load(Ordering::Acquire) == 0 {
            return;
        }
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

    /// Sends the releases that wait, unless a thread is sending, which does it then. Never waits.
    fn flush_releases(&self) {
        while self.released_count.load(Ordering::Acquire) > 0 {
            let mut outbox = match self.outbox.try_lock() {
                Ok(outbox) => outbox,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => return,
            };
            outbox.begin();
            self.put_releases(&mut outbox.buffer);
            self.send_without_waiting(&mut outbox);
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
        let rest = outbox.buffer.split_off(sent.min(outbox.buffer.len()));
        outbox.backlog = rest;
    }

    /// Reads the reply of a call into its block.
    #[inline]
    fn take_reply(
        self: &Arc<Self>,
        op: OpNumber,
        block: &mut Block<'_>,
        header: &Reply,
        frame: &[u8],
    ) -> Result<(), Failure> {
        if header.status != 0 {
            return Err(read_failure(header, frame));
        }
        let layout = &op.operation().layout;
        let portals = usize::from(header.portals);
        block.made.clear();
        if portals > 0 {
            self.take_portals(layout.reply_words(), portals, frame, &mut block.made)?;
        }
        read_reply(frame, portals, layout, block.words, block.inputs.len(), block.outputs)
            .inspect_err(|_| block.made.clear())
    }

    fn take_portals(
        self: &Arc<Self>,
        words: usize,
        portals: usize,
        frame: &[u8],
        made: &mut Vec<Portal>,
    ) -> Result<usize, Failure> {
        let sections = Sections::of(frame.len(), words, portals)
            .ok_or_else(|| nonsense("it is shorter than its portals"))?;
        made.extend(
            (0..portals)
                .map(|index| PortalId(portal_of(frame, sections, index)))
                .map(|id| Portal::new(Arc::clone(self) as Arc<dyn Transport>, id)),
        );
        Ok(sections.data)
    }

    #[cold]
    fn request_too_long(&self) -> Failure {
        let max = self.options.frame_bytes_max;
        Failure::bad_argument(&format!("the arguments make a message longer than {max} bytes"))
    }
}

impl Transport for RemoteSession {
    fn call(self: Arc<Self>, target: PortalId, op: OpNumber, block: &mut Block<'_>) -> Result<(), Failure> {
        if op.operation().oneway {
            return self.tell(target, op, block);
        }
        let deadline = self.deadline();
        let id = self.send_call(target, op, block, deadline)?;
        wait_for_call(&self, id, deadline, op, block)
    }

    fn short(
        self: Arc<Self>,
        target: PortalId,
        op: OpNumber,
        words: &mut ShortWords,
        piece: &[u8],
    ) -> Result<(), Failure> {
        self.make_short(target, op, words, piece, &mut Vec::new())
    }

    fn short_out(
        self: Arc<Self>,
        target: PortalId,
        op: OpNumber,
        words: &mut ShortWords,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        self.make_short(target, op, words, &[], out)
    }

    fn release(&self, portal: PortalId, receipts: u32) {
        {
            let mut released = lock(&self.released);
            released.push((portal, receipts));
            self.released_count.store(released.len(), Ordering::Release);
        }
        self.flush_releases();
    }
}

/// Waits for the reply of a call into its block.
#[inline]
fn wait_for_call(
    transport: &Arc<RemoteSession>,
    id: CallId,
    deadline: Option<Instant>,
    op: OpNumber,
    block: &mut Block<'_>,
) -> Result<(), Failure> {
    transport.reply_of(id, deadline, |header, frame| transport.take_reply(op, block, header, frame))
}

/// What came for a call.
enum Arrived<R> {
    /// Its reply; the call is over.
    Reply(R),
    /// A frame that says how it goes.
    Progress(Vec<u8>),
}

impl Outbox {
    /// Begins with what must go first.
    #[inline]
    fn begin(&mut self) {
        self.buffer.clear();
        self.buffer.append(&mut self.backlog);
    }

    /// Keeps the first `len` bytes for the next time.
    #[cold]
    fn keep(&mut self, len: usize) {
        self.buffer.truncate(len);
        self.backlog.append(&mut self.buffer);
    }
}

#[cold]
fn died() -> Failure {
    Failure::new(Kind::PeerDied, "the server closed the connection; it is unknown whether the call was done")
}

#[cold]
fn short_block() -> Failure {
    Failure::bad_argument("an argument block has fewer words than its operation")
}
