//! A session as the server holds it: capability table, way back to the client, life and end.
//!
//! [`Session`] is what several threads share: the session's own thread (`worker`), entry points that answer later, and
//! the server, which may end it. Reading and dispatching is done in `worker`.
//!
//! If [one loop](crate::one_loop) serves all clients, it must not wait for one of them: what a client does not take at
//! once is queued here, and the loop sends it when it can. Other threads wait as ever, but without the lock.

mod beside_loop;
mod handing;
mod short;

use std::fmt;
use std::io::IoSlice;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use rustix::io::Errno;

use crate::call::{Caller, Failure, Kind};
use crate::capability::Capability;
use crate::link::{Link, Quota, Readiness, Waiting};
use crate::message::{Frame, Lent, SLICES_MAX, cut_message, failure_data};
use crate::one_loop::{Notice, Notices};
use crate::panics::drop_quietly;
use crate::portal::PortalId;
use crate::seats::Seat;
use crate::stream::{Progress, Sending, Unsent, send_at_once};
use crate::table::Table;
use crate::wire::{CALL_SESSION, FRAME_BYTES_LIMIT, FRAME_BYTES_MAX, HEADER_BYTES, Reply, kind};
use crate::worker::{IDLE_BYTES_MAX, Rest, try_again};

/// Most portal ids in one frame.
pub(crate) const PORTALS_IN_FRAME_MAX: usize = 255;

/// Time for what an entry point cancels at the deadline of a shutdown to answer what it has done.
pub(crate) const CANCEL_GRACE: Duration = Duration::from_secs(1);

/// Portals that the loop drops at the end of a session; those of a session with more are dropped by a helper.
const LOOP_PORTALS_MAX: usize = 1024;

/// Memory that the loop takes, or gives back at the end of a session; a helper takes and gives back more.
pub(crate) const LOOP_MEMORY_BYTES_MAX: usize = 256 << 10;

/// What sessions may take of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLimits {
    /// Sessions at the same time; one more is refused.
    pub sessions_max: usize,
    /// Of one principal, however it connects: idle sessions of one lock out nobody else.
    pub sessions_per_principal_max: usize,
    /// Of one process of this machine; those of a user that the server cannot see, outside of its container, count as one.
    pub sessions_per_process_max: usize,
    /// Portals that one session may hold.
    pub portals_max: usize,
    /// Bytes of a frame, either way.
    pub frame_bytes_max: u32,
    /// Requests to entry points that one session may have unanswered.
    pub entries_max: usize,
    /// How long a client may take to say Hello once it has a session.
    pub hello_timeout: Duration,
    /// How long the next [`frame_bytes_min`](ServerLimits::frame_bytes_min) bytes of a frame may take once it has begun, or all that
    /// is left of it.
    pub frame_timeout: Duration,
    /// So many bytes in that time are slow and not too slow. Over TLS some 16 KiB more are safe: they arrive by the record.
    pub frame_bytes_min: usize,
    /// How long a client may leave the next [`frame_bytes_min`](ServerLimits::frame_bytes_min) bytes of a reply unread, or all that is left
    /// of it. What was read of a Unix socket is told by pieces of some 48 KiB: 64 KiB in that time are safe.
    pub write_timeout: Duration,
    /// How long a session may be silent after its Hello; `None`: for ever.
    pub idle_timeout: Option<Duration>,
    /// Bytes of memory that one session may share with its client.
    pub shared_session_bytes_max: usize,
    /// Bytes of memory that all sessions together may share with their clients, three quarters of them those of one principal, two
    /// thirds of these those of one of its processes; each may have as many as one session.
    pub shared_bytes_max: usize,
    /// Bytes of memory that one session may have handed over at the same time, mapped or kept. Each counts as a multiple of
    /// 64 KiB.
    pub memory_session_bytes_max: usize,
    /// Bytes of memory that all sessions together may have handed over at the same time, three quarters of them those of one
    /// principal, two thirds of these those of one of its processes; there is room for one session at least.
    pub memory_bytes_max: usize,
    /// Calls of operations marked `@blocks` that are made at the same time if one loop serves all clients, three quarters of
    /// them for one principal, two thirds of these for one of its processes; others wait.
    pub blocking_max: usize,
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
            sessions_max: 256,
            sessions_per_principal_max: 192,
            sessions_per_process_max: 144,
            portals_max: crate::table::PORTALS_LIMIT,
            frame_bytes_max: FRAME_BYTES_MAX,
            entries_max: 64,
            hello_timeout: Duration::from_secs(10),
            frame_timeout: Duration::from_secs(10),
            frame_bytes_min: 32 << 10,
            write_timeout: Duration::from_secs(10),
            idle_timeout: None,
            shared_session_bytes_max: 1 << 20,
            shared_bytes_max: 160 << 20,
            memory_session_bytes_max: 256 << 20,
            memory_bytes_max: 1 << 30,
            blocking_max: 64,
        }
    }
}

impl ServerLimits {
    /// The same with what cannot be brought to what can.
    pub(crate) fn checked(mut self) -> ServerLimits {
        self.frame_bytes_max = self.frame_bytes_max.clamp(16 << 10, FRAME_BYTES_LIMIT);
        self
    }
}

/// One client's session.
pub struct Session {
    caller: Caller,
    root: Capability,
    limits: ServerLimits,
    /// What it began over.
    link: Link,
    /// What it goes on over, if the client asked for that.
    shared: OnceLock<Link>,
    /// It counts as one that shares memory with the loop.
    seat: Mutex<Option<Seat>>,
    table: Mutex<Option<Table>>,
    /// What it has handed over.
    memory: Quota,
    outbox: Mutex<Outbox>,
    entries: Mutex<usize>,
    entries_changed: Condvar,
    /// Set once when the server shuts down: until when the session may finish.
    closing: OnceLock<Instant>,
    /// Tells the loop that serves all clients, if one does.
    notices: Option<Arc<Notices>>,
    /// The loop has something to send.
    is_backlogged: AtomicBool,
    /// A reply was sent that took much memory, and it is not given back.
    has_long_reply: AtomicBool,
    /// The loop has sent all, or given up.
    sent: Condvar,
}

/// The way to the client. One frame is written at a time.
#[derive(Debug, Default)]
struct Outbox {
    buffer: Vec<u8>,
    /// The rest of a frame that was taken in part.
    unsent: Unsent,
    state: OutboxState,
    /// What the loop has to send, and how far the client has read it.
    waits: Option<Rest>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum OutboxState {
    #[default]
    Open,
    /// A frame may have been sent in part: nothing can follow it.
    Broken,
}

/// How much of a frame a client took at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// All of it, or there is nobody to take it any more.
    Whole,
    /// Its beginning. The rest goes before anything else.
    Part,
    /// Nothing.
    Nothing,
}

/// Whose thread sends.
pub(crate) enum Sender<'h> {
    /// The session's own: nobody else is held up while it waits for its client.
    Session,
    /// One that others need; this is told once before it waits.
    Another(&'h mut dyn FnMut()),
}

impl Sender<'_> {
    /// From here on it may wait.
    fn waits(&mut self) {
        if let Sender::Another(held_up) = std::mem::replace(self, Sender::Session) {
            held_up();
        }
    }
}

/// What became of something that a client was told on the way to its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// It was sent, or there is nobody to hear it any more.
    Sent,
    /// The client has not read what came before, so that this was not sent.
    Dropped,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Session({} of {})", self.caller.session, self.caller.principal)
    }
}

/// Nothing of ours panics while it holds a lock, and what a lock guards is whole between any two statements.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// With `notices`, the loop that reads these serves it; otherwise a thread of its own.
    pub(crate) fn new(
        link: Link,
        caller: Caller,
        root: Capability,
        limits: ServerLimits,
        notices: Option<Arc<Notices>>,
    ) -> Session {
        let table = Table::new(root.clone(), limits.portals_max);
        Session {
            caller,
            root,
            limits,
            link,
            shared: OnceLock::new(),
            seat: Mutex::default(),
            table: Mutex::new(Some(table)),
            memory: Quota::default(),
            outbox: Mutex::default(),
            entries: Mutex::new(0),
            entries_changed: Condvar::new(),
            closing: OnceLock::new(),
            notices,
            is_backlogged: AtomicBool::new(false),
            has_long_reply: AtomicBool::new(false),
            sent: Condvar::new(),
        }
    }

    /// Who is at the other end.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The object that the session was opened on.
    #[must_use]
    pub fn root(&self) -> &Capability {
        &self.root
    }

    /// Limits of the server.
    #[must_use]
    pub fn limits(&self) -> &ServerLimits {
        &self.limits
    }

    /// Bytes of memory that it has handed over.
    pub(crate) fn memory(&self) -> &Quota {
        &self.memory
    }

    /// Number of portals that the client holds, the root included.
    #[must_use]
    pub fn portals(&self) -> usize {
        lock(&self.table).as_ref().map_or(0, Table::len)
    }

    /// What carries it now.
    #[inline]
    pub(crate) fn link(&self) -> &Link {
        self.shared.get().unwrap_or(&self.link)
    }

    /// What it began over: the loop waits for its socket, whatever carries the session now.
    pub(crate) fn first_link(&self) -> &Link {
        &self.link
    }

    /// Goes on over another link, once.
    pub(crate) fn go_on_over(&self, link: Link, seat: Option<Seat>) {
        *lock(&self.seat) = seat;
        // Asked for by the session's own thread, which refuses a second time.
        let _ = self.shared.set(link);
        if self.closing().is_some() {
            // Whoever closes it may have found the old link only.
            self.link().end_receiving();
        }
    }

    /// The capability that the client calls `id`.
    ///
    /// # Errors
    /// [`Kind::NoSuchPortal`].
    #[inline]
    pub fn capability(&self, id: PortalId) -> Result<Capability, Failure> {
        lock(&self.table).as_ref().ok_or_else(ended)?.get(id).cloned()
    }

    /// Sends one frame. What `build` refuses is returned with nothing sent; if the client does not take what is sent,
    /// the session ends by itself.
    #[inline(always)]
    pub(crate) fn send<'a>(
        &self,
        build: impl FnOnce(&mut Vec<u8>) -> Result<Lent<'a>, Failure>,
    ) -> Result<(), Failure> {
        self.send_as(Sender::Session, build)
    }

    #[inline(always)]
    fn send_as<'a>(
        &self,
        mut sender: Sender<'_>,
        build: impl FnOnce(&mut Vec<u8>) -> Result<Lent<'a>, Failure>,
    ) -> Result<(), Failure> {
        if let Some(notices) = &self.notices {
            return self.send_beside_loop(notices, sender, build);
        }
        let free = match sender {
            Sender::Session => None,
            Sender::Another(_) => self.outbox_unless_stuck(),
        };
        let mut outbox = free.unwrap_or_else(|| {
            sender.waits();
            lock(&self.outbox)
        });
        outbox.buffer.clear();
        let built = build(&mut outbox.buffer);
        if outbox.buffer.capacity() > IDLE_BYTES_MAX {
            self.has_long_reply.store(true, Ordering::Relaxed);
        }
        let lent = built?;
        if outbox.state == OutboxState::Open {
            let whole = self.transmit_unsent(&mut outbox, &mut sender)
                && self.transmit_frame(&outbox.buffer, &lent, &mut sender);
            if !whole {
                self.give_up(&mut outbox);
            }
        }
        Ok(())
    }

    /// Whether a reply took much memory that is not given back.
    #[inline]
    pub(crate) fn has_long_reply(&self) -> bool {
        self.has_long_reply.load(Ordering::Relaxed)
    }

    /// Gives that back, unless another thread sends something now, and perhaps waits for the client to read: then it is asked
    /// again.
    pub(crate) fn give_back(&self) {
        if !self.has_long_reply() {
            return;
        }
        let mut outbox = match self.outbox.try_lock() {
            Ok(outbox) => outbox,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        outbox.buffer = Vec::new();
        self.has_long_reply.store(false, Ordering::Relaxed);
    }

    /// The client does not take what is sent: nothing can follow what it has of it.
    #[cold]
    fn give_up(&self, outbox: &mut Outbox) {
        outbox.state = OutboxState::Broken;
        outbox.unsent = Unsent::default();
        outbox.waits = None;
        self.is_backlogged.store(false, Ordering::Relaxed);
        self.sent.notify_all();
        self.hang_up();
    }

    /// Sends what the link kept back of what it took; [`Taken::Part`] if something is left of it.
    #[inline]
    fn flush_link(&self) -> Result<Taken, Errno> {
        match self.link().flush() {
            Ok(()) => Ok(Taken::Whole),
            Err(Errno::AGAIN) => Ok(Taken::Part),
            Err(errno) => Err(errno),
        }
    }

    /// Whether there is nothing left of what was told before.
    #[inline(always)]
    fn transmit_unsent(&self, outbox: &mut Outbox, sender: &mut Sender<'_>) -> bool {
        outbox.unsent.is_empty() || {
            let unsent = std::mem::take(&mut outbox.unsent);
            self.transmit(unsent.sending(), sender)
        }
    }

    /// Whether all of it was sent.
    #[inline(always)]
    fn transmit_frame(&self, buffer: &[u8], lent: &Lent<'_>, sender: &mut Sender<'_>) -> bool {
        let link = self.link();
        let sent = send_at_once(link, buffer, lent);
        if sent == lent.frame_bytes(buffer.len()) {
            return link.flush() == Ok(()) || self.is_flushed(sender, &mut None);
        }
        self.transmit_rest(buffer, lent, sent, sender)
    }

    #[cold]
    fn transmit_rest(&self, buffer: &[u8], lent: &Lent<'_>, sent: usize, sender: &mut Sender<'_>) -> bool {
        self.transmit(Sending::rest_of(buffer, lent, sent), sender)
    }

    /// Whether the link has sent all that it took before the client's time to read was over, which begins with the first wait if it
    /// has not begun: nobody else would have it send the rest.
    #[cold]
    pub(crate) fn is_flushed(&self, sender: &mut Sender<'_>, waits: &mut Option<Rest>) -> bool {
        loop {
            match self.flush_link() {
                Ok(Taken::Whole) => return true,
                Ok(_) if self.has_room_by(waits, 0, sender) => {}
                _ => return false,
            }
        }
    }

    /// Waits until the client takes more than the `handed` bytes so far, or it is time to try; false when its time was over before.
    #[cold]
    fn has_room_by(&self, waits: &mut Option<Rest>, handed: usize, sender: &mut Sender<'_>) -> bool {
        let (gone, timeout) = (self.link().gone(handed), self.limits.write_timeout);
        let rest = waits.get_or_insert_with(|| {
            sender.waits();
            Rest::new(gone, Instant::now())
        });
        rest.note(gone, self.limits.frame_bytes_min, Instant::now);
        let now = Instant::now();
        let in_time = rest.due(timeout).is_none_or(|due| now <= due);
        in_time && self.link().wait(Readiness::SEND, try_again(rest.since(), now, timeout)).is_ok()
    }

    /// Whether all of it was sent before the client's time to read it was over.
    fn transmit(&self, mut sending: Sending<'_>, sender: &mut Sender<'_>) -> bool {
        // The clock is looked at only if the client does not take it all at once. Then nothing is sent in a call that waits: it
        // would not come back as long as the client takes a little.
        let (all, mut waits) = (sending.left(), None);
        loop {
            match sending.as_far_as(self.link()) {
                Ok(Progress::Done) => return self.is_flushed(sender, &mut waits),
                Ok(Progress::Some) if self.has_room_by(&mut waits, all - sending.left(), sender) => {}
                _ => return false,
            }
        }
    }

    /// Answers a call that failed.
    #[cold]
    pub(crate) fn send_failure(&self, call: u32, failure: &Failure) {
        let text = failure_data(failure.details());
        // It was cut to what any frame can hold.
        let _ = self.send_data(failed(call, failure), &[], text);
    }

    /// Says why the session ends.
    pub(crate) fn farewell(&self, failure: &Failure) {
        self.send_failure(CALL_SESSION, failure);
    }

    /// Answers a request with data and portals.
    pub(crate) fn send_answer(&self, call: u32, data: &[u8], portals: Vec<Capability>) {
        let mut ids = Vec::new();
        let count = portals.len();
        let handed_out = if count > PORTALS_IN_FRAME_MAX {
            Err(Failure::service("more portals than a message can carry"))
        } else {
            self.hand_out(portals.iter().cloned(), 0, &mut ids)
        };
        let header = Reply { portals: count as u8, ..answer(call) };
        if let Err(failure) = handed_out.and_then(|()| self.send_data(header, &ids, data)) {
            self.release(ids.into_iter().map(|id| (PortalId(id), 1)));
            self.send_failure(call, &failure);
        }
        portals.into_iter().for_each(drop_quietly);
    }

    /// Answers a request with data, as far as the client takes that at once. What is left is for
    /// [`Session::finish_answer`].
    pub(crate) fn answer_at_once(&self, call: u32, data: &[u8]) -> Taken {
        self.answer_or_too_long(call, data, |header, data| self.at_once(header, data))
    }

    /// Has `send` answer with `data`, or say that this is too long for any frame.
    fn answer_or_too_long<T>(&self, call: u32, data: &[u8], send: impl FnOnce(Reply, &[u8]) -> T) -> T {
        if HEADER_BYTES + data.len() <= self.limits.frame_bytes_max as usize {
            return send(answer(call), data);
        }
        let failure = self.reply_too_long();
        send(failed(call, &failure), failure_data(failure.details()))
    }

    /// Sends as much more of an answer as the client takes at once.
    pub(crate) fn answer_more(&self, call: u32, data: &[u8], taken: Taken) -> Taken {
        match taken {
            Taken::Whole => Taken::Whole,
            Taken::Nothing => self.answer_at_once(call, data),
            Taken::Part => self.with_outbox(|outbox| self.try_send_unsent(outbox), Taken::Part),
        }
    }

    /// Sends the rest of an answer from a thread that others need; `held_up` is called before it waits.
    pub(crate) fn finish_answer(&self, call: u32, data: &[u8], taken: Taken, held_up: &mut dyn FnMut()) {
        let sender = Sender::Another(held_up);
        // A frame that is too long was found out before it was built, so that nothing is refused.
        let _ = match taken {
            Taken::Whole => Ok(()),
            Taken::Part => self.send_as(sender, |_| Ok(Lent::Nothing)),
            Taken::Nothing => self.answer_or_too_long(call, data, |header, data| {
                self.send_as(sender, |buffer| self.frame(buffer, header, &[], data))
            }),
        };
    }

    /// Tells the client how its request goes if it takes that at once: it is advice, and whoever gives it must not be held
    /// up by a client that does not read.
    pub(crate) fn send_progress(&self, call: u32, data: &[u8]) -> Told {
        match self.at_once(Reply { kind: kind::REPLY | kind::PROGRESS, ..answer(call) }, data) {
            Taken::Whole | Taken::Part => Told::Sent,
            Taken::Nothing => Told::Dropped,
        }
    }

    fn at_once(&self, header: Reply, data: &[u8]) -> Taken {
        self.with_outbox(|outbox| self.try_send(outbox, header, data), Taken::Nothing)
    }

    /// What `send` says; `refused` if the client takes nothing.
    fn with_outbox(&self, send: impl FnOnce(&mut Outbox) -> Result<Taken, Errno>, refused: Taken) -> Taken {
        let Some(mut outbox) = self.outbox_unless_stuck() else { return refused };
        if outbox.state == OutboxState::Broken {
            return Taken::Whole;
        }
        let sent = send(&mut outbox);
        let noted = self.notices.as_ref().map_or(Ok(()), |notices| self.note_backlog(&mut outbox, notices));
        match noted.and(sent) {
            Ok(taken) => taken,
            Err(Errno::AGAIN) => refused,
            Err(_) => {
                self.give_up(&mut outbox);
                Taken::Whole
            }
        }
    }

    /// Whether there is nothing left of what was begun before.
    fn try_send_unsent(&self, outbox: &mut Outbox) -> Result<Taken, Errno> {
        if !outbox.unsent.is_empty() && outbox.unsent.step(self.link())? != Progress::Done {
            return Ok(Taken::Part);
        }
        self.flush_link()
    }

    fn try_send(&self, outbox: &mut Outbox, header: Reply, data: &[u8]) -> Result<Taken, Errno> {
        if self.try_send_unsent(outbox)? != Taken::Whole {
            return Ok(Taken::Nothing);
        }
        outbox.waits = None;
        let Outbox { buffer, unsent, .. } = outbox;
        buffer.clear();
        // Of what is told on the way, what is too long for a frame is dropped; answers were looked at before.
        let Ok(lent) = self.frame(buffer, header, &[], data) else { return Ok(Taken::Nothing) };
        let mut slices = [IoSlice::new(&[]); SLICES_MAX];
        let count = lent.slices(buffer, &mut slices);
        let mut sending = Sending::new(slices, count);
        if sending.step(self.link(), Waiting::Never)? == Progress::Done {
            return self.flush_link();
        }
        // What has begun must be sent to its end, by whoever sends next.
        *unsent = Unsent::of(&sending);
        Ok(Taken::Part)
    }

    /// The outbox, unless another thread has it and waits for the client to read.
    fn outbox_unless_stuck(&self) -> Option<MutexGuard<'_, Outbox>> {
        if self.notices.is_some() {
            // Nobody waits for the client with it.
            return Some(lock(&self.outbox));
        }
        loop {
            match self.outbox.try_lock() {
                Ok(outbox) => return Some(outbox),
                Err(TryLockError::Poisoned(outbox)) => return Some(outbox.into_inner()),
                Err(TryLockError::WouldBlock) => {}
            }
            // Whoever waits for the client does so because the link takes nothing; anybody else is soon done.
            match self.link().wait(Readiness::SEND, Some(Instant::now())) {
                Ok(Some(_)) => std::thread::yield_now(),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    fn send_data(&self, header: Reply, ids: &[u32], data: &[u8]) -> Result<(), Failure> {
        self.send(|buffer| self.frame(buffer, header, ids, data))
    }

    fn frame<'a>(
        &self,
        buffer: &mut Vec<u8>,
        header: Reply,
        ids: &[u32],
        data: &'a [u8],
    ) -> Result<Lent<'a>, Failure> {
        let mut frame = Frame::begin(buffer, 0, ids.len());
        for (index, id) in ids.iter().enumerate() {
            frame.set_portal(0, index, *id);
        }
        frame.put(data);
        frame.finish_reply(header, self.limits.frame_bytes_max).ok_or_else(|| self.reply_too_long())
    }

    #[cold]
    pub(crate) fn reply_too_long(&self) -> Failure {
        Failure::service(&format!(
            "the reply is longer than {} bytes, the longest frame of this server",
            self.limits.frame_bytes_max
        ))
    }

    /// Counts one more unanswered request to an entry point.
    ///
    /// # Errors
    /// [`Kind::Refused`] if there are as many as may be.
    #[inline]
    pub(crate) fn entry_begins(self: &Arc<Self>) -> Result<(), Failure> {
        let mut entries = lock(&self.entries);
        if *entries >= self.limits.entries_max {
            return Err(Failure::new(
                Kind::Refused,
                &format!("{} requests of the session are unanswered, as many as may be", *entries),
            ));
        }
        *entries += 1;
        Ok(())
    }

    /// Whether requests to entry points are unanswered.
    pub(crate) fn has_entries(&self) -> bool {
        *lock(&self.entries) > 0
    }

    pub(crate) fn entry_answered(&self) {
        *lock(&self.entries) -= 1;
        // Nobody waits before the server shuts down, and whoever begins to wait then looks at the number first; a
        // notification is a system call, as dear as half an answer.
        if self.closing().is_some() {
            self.entries_changed.notify_all();
            self.tell_loop();
        }
    }

    /// Whether the thread that serves it serves nobody else.
    #[must_use]
    pub fn is_alone_on_its_thread(&self) -> bool {
        self.notices.is_none()
    }

    /// A place among the clients that the loop waits for through memory, if one loop serves all.
    ///
    /// # Errors
    /// [`Kind::Refused`].
    pub(crate) fn take_seat(&self) -> Result<Option<Seat>, Failure> {
        self.notices.as_ref().map(|notices| notices.take_seat(&self.caller)).transpose()
    }

    /// How many clients of its process the loop can wait for through memory, if it waits for this one so.
    pub(crate) fn seats_like_its(&self) -> Option<usize> {
        let has_seat = lock(&self.seat).is_some();
        self.notices.as_ref().filter(|_| has_seat).map(|_| Notices::of_process_max())
    }

    /// The loop waits for it no more.
    pub(crate) fn give_seat_back(&self) {
        drop(lock(&self.seat).take());
    }

    /// Has the loop look at the session, if one loop serves all.
    fn tell_loop(&self) {
        if let Some(notices) = &self.notices {
            notices.tell(Notice::Attend(self.caller.session));
        }
    }

    /// Waits until no request to an entry point is unanswered; whether that came before `deadline` and the time
    /// that is granted to what was cancelled then.
    pub(crate) fn wait_for_entries(&self, deadline: Instant) -> bool {
        let left = (deadline + CANCEL_GRACE).saturating_duration_since(Instant::now());
        let entries = lock(&self.entries);
        let waited = self.entries_changed.wait_timeout_while(entries, left, |entries| *entries > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }

    /// The server shuts down: no request is begun from now on.
    pub(crate) fn close_by(&self, deadline: Instant) {
        // Set at most once: a second shutdown changes nothing.
        let _ = self.closing.set(deadline);
        // Wakes the session's thread.
        self.link().end_receiving();
        self.tell_loop();
    }

    /// Until when the session may finish, if the server shuts down.
    #[inline]
    pub(crate) fn closing(&self) -> Option<Instant> {
        self.closing.get().copied()
    }

    /// Ends the connection; whoever waits on it wakes.
    pub(crate) fn hang_up(&self) {
        self.link().hang_up();
    }

    /// Drops all that the client held; from now on it holds nothing.
    pub(crate) fn drop_portals(&self) {
        let table = lock(&self.table).take();
        drop(table);
    }

    /// Whether that takes long.
    pub(crate) fn has_much_to_drop(&self) -> bool {
        self.portals() > LOOP_PORTALS_MAX || self.memory.taken() > LOOP_MEMORY_BYTES_MAX
    }
}

/// Says why there is no session. What the peer does not take at once is lost with the connection.
pub(crate) fn refuse(link: &Link, refusal: &Failure) {
    let mut buffer = Vec::new();
    let mut frame = Frame::begin(&mut buffer, 0, 0);
    frame.put(cut_message(&refusal.details().message).as_bytes());
    let header = failed(CALL_SESSION, refusal);
    if frame.finish_reply(header, FRAME_BYTES_MAX).is_some() {
        // The peer may be gone, and does not miss it then.
        let _ = link.send(&[IoSlice::new(&buffer)], Waiting::Never);
    }
}

/// Header of an answer.
fn answer(call: u32) -> Reply {
    Reply { len: 0, kind: kind::REPLY, portals: 0, status: 0, call, raised: 0 }
}

/// Header of a reply that says `failure`.
fn failed(call: u32, failure: &Failure) -> Reply {
    let details = failure.details();
    let status = details.kind as u16;
    Reply { len: 0, kind: kind::REPLY, portals: 0, status, call, raised: details.raised }
}

#[cold]
fn ended() -> Failure {
    Failure::new(Kind::PeerDied, "the session has ended")
}
