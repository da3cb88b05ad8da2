//! What serves a session: receives frames, dispatches calls, answers. Mostly on a thread of its own ([`Worker::run`]);
//! or, without ever waiting, on [the loop](crate::one_loop) that serves all clients ([`Worker::turn`]).
//!
//! It owns all that a call needs, and uses it again for the next: a call in the steady state takes no memory, but for a list if
//! it returns several long pieces, one system call to receive and one to answer.
//!
//! ```text
//! receive ──► Hello     operation table            │ a frame that breaks the format, or comes too slowly:
//!         ──► Call      dispatch ──► Reply         │ farewell, end
//!         ──► Release   drop                       │ a call that fails: Reply with status, go on
//!         ──► Describe  Reply                      │ the client is gone: end
//!         ──► Share     go on through memory       │
//!         ──► Memory    map or keep it ──► Reply   │
//!         ──► Map       pass it ──► Reply          │
//!         ──► entry     EntryPoint::handle         │ the server shuts down: farewell, end
//! ```

mod end;
mod memory;
mod moved;
mod quotas;
mod rest;
mod short;
mod silence;

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use carnet_idl::descriptor::{Module, Operation};
use rustix::io::Errno;

use crate::call::{Area, Areas, Call, Caller, Failure, Kind, Label, Object, Origin};
use crate::capability::Capability;
use crate::entry::{EntryRequest, Responder};
use crate::invoke::{invoke, operation};
use crate::link::{Link, Readiness, Setup, Waiting, answer};
use crate::message::{Frame, Given, portal_of, put_words, read_request};
use crate::meter::Metered;
use crate::operations::Operations;
use crate::panics::{drop_quietly, survived};
use crate::portal::PortalId;
use crate::server::ServerOptions;
use crate::session::{PORTALS_IN_FRAME_MAX, Session};
use crate::stream::{BadLength, Cursor, ROOM_MIN};
use crate::table::made_in_vain;
use crate::wire::{
    CALL_SESSION, Description, HEADER_BYTES, HELLO_BYTES_MAX, Hello, RELEASE_PAIRS_MAX, Reply, Request,
    Sections, Share, kind, u32_at,
};

pub(crate) use end::End;
use end::{farewell, protocol};
pub(crate) use quotas::Quotas;
pub(crate) use rest::{Rest, try_again};
pub(crate) use silence::IDLE_BYTES_MAX;

/// Bytes of one client that are received, and those of its frames that are handled, before it is the turn of others.
const TURN_BYTES: usize = 16 << 10;

/// What the smallest frame counts as: a turn has 8 of them.
const FRAME_WORK_MIN: usize = 2 << 10;

/// A longer Hello is read by a helper.
const LOOP_HELLO_BYTES_MAX: usize = 4 << 10;

/// How a turn on the loop ended.
#[derive(Debug)]
pub(crate) enum Turn {
    /// All that had come is done.
    Idle,
    /// There may be more to do.
    More,
    /// The client has not read what was sent: nothing is begun before it has.
    Unread,
    /// Here is a call that may wait, or something else that takes long, for [`Worker::handle`] on another thread.
    Waits(Range<usize>),
}

/// Most [`Buffers`] that one loop keeps for its clients. One is enough, except after a turn in which others were lent: who
/// sends halves of frames would have memory made anew for each turn of the others.
const BUFFERS_SPARE_MAX: usize = 8;

/// The memory of a call that is large, and of no use between two turns: one loop lends it to all its clients.
#[derive(Debug)]
pub(crate) struct Buffers {
    areas: Areas,
    out: Vec<u8>,
}

impl Default for Buffers {
    fn default() -> Buffers {
        Buffers { areas: Areas { list: vec![Area::default()] }, out: Vec::new() }
    }
}

/// All that belongs to one session's thread.
pub(crate) struct Worker {
    session: Arc<Session>,
    options: Arc<ServerOptions>,
    quotas: Quotas,
    metered: Metered,
    module: &'static Module,
    /// `None` until the client has said Hello.
    operations: Option<Operations>,
    /// Until when it must have said Hello; `None` once it has.
    hello_is_due: Option<Instant>,
    /// Area 0 is the receive buffer.
    areas: Areas,
    cursor: Cursor,
    /// Bytes of the request's data that are in area 1, where they were received to.
    moved: Option<usize>,
    /// The last request had such data.
    expects_moved: bool,
    /// A frame is there in part.
    rest: Option<Rest>,
    /// The loop has received all that there was.
    is_drained: bool,
    /// The loop has received something.
    has_heard: bool,
    /// The right of the last call, so that the next need not look for it. A release forgets it: objects end when their
    /// last portal is given back, not at the next call.
    last: Option<(PortalId, Capability)>,
    words: Vec<u64>,
    /// What a short call returned beside its words.
    out: Vec<u8>,
    portals: Vec<Option<Capability>>,
    made: Vec<Arc<dyn Object>>,
    ids: Vec<u32>,
    /// How often it waited since it gave back what long messages took.
    waits: u32,
}

impl Worker {
    pub(crate) fn new(session: Arc<Session>, options: Arc<ServerOptions>, quotas: Quotas) -> Worker {
        let module = session.root().object().interface().0;
        let metered = Metered::new(options.meter.as_deref(), session.caller());
        let hello_is_due = Instant::now().checked_add(session.limits().hello_timeout);
        Worker {
            metered,
            session,
            options,
            quotas,
            module,
            operations: None,
            hello_is_due,
            areas: Areas { list: vec![Area::default()] },
            cursor: Cursor::default(),
            moved: None,
            expects_moved: false,
            rest: None,
            is_drained: false,
            has_heard: false,
            last: None,
            words: Vec::new(),
            out: Vec::new(),
            portals: Vec::new(),
            made: Vec::new(),
            ids: Vec::new(),
            waits: 0,
        }
    }

    /// Serves the session until it ends.
    pub(crate) fn run(mut self) {
        let end = loop {
            if let Err(end) = self.step() {
                break end;
            }
        };
        drop_quietly(self.last.take());
        if self.session.closing().is_some_and(|deadline| !self.session.wait_for_entries(deadline)) {
            self.session.farewell(&stopped());
        } else if let End::Farewell(failure) = end {
            self.session.farewell(&failure);
        } else {
            return;
        }
        self.session.link().part();
    }

    /// Begins some of the requests that have come, and waits for nothing. One of `buffers` is lent, and kept as long as
    /// half a frame is in it.
    pub(crate) fn turn(&mut self, buffers: &mut Vec<Buffers>) -> Result<Turn, End> {
        if !self.cursor.is_partial() {
            self.swap(&mut buffers.pop().unwrap_or_default());
        }
        let turn = self.take_turn();
        if !self.cursor.is_partial() && !matches!(turn, Ok(Turn::Waits(_))) {
            let back = self.take_buffers();
            if buffers.len() < BUFFERS_SPARE_MAX {
                buffers.push(back);
            }
        }
        turn
    }

    fn take_turn(&mut self) -> Result<Turn, End> {
        let mut left = TURN_BYTES;
        while left > 0 {
            self.check_closing()?;
            match self.cursor.next(&self.areas.list[0].bytes, self.session.limits().frame_bytes_max) {
                Ok(Some(frame)) if self.blocks(&frame) => return Ok(Turn::Waits(frame)),
                Ok(Some(frame)) => {
                    self.rest = None;
                    left = left.saturating_sub(self.work(&frame));
                    self.handle(frame)?;
                    if self.session.is_backlogged() {
                        return Ok(Turn::Unread);
                    }
                }
                Ok(None) if self.is_drained => {
                    self.is_drained = false;
                    self.note_part();
                    return Ok(Turn::Idle);
                }
                Ok(None) => match self.receive_at_once()? {
                    Some(received) => left = left.saturating_sub(received),
                    None => {
                        self.note_part();
                        return Ok(Turn::Idle);
                    }
                },
                Err(BadLength(len)) => return Err(self.bad_length(len)),
            }
        }
        Ok(Turn::More)
    }

    /// What a frame takes of a turn.
    fn work(&self, frame: &Range<usize>) -> usize {
        let bytes = match self.kind_of(frame) {
            kind::CALL => frame.len(),
            // The longest takes a turn.
            kind::RELEASE => 2 * frame.len(),
            _ => TURN_BYTES,
        };
        bytes.max(FRAME_WORK_MIN)
    }

    /// How many bytes came; `None` if nothing did.
    fn receive_at_once(&mut self) -> Result<Option<usize>, End> {
        match self.cursor.fill(&mut self.areas.list[0].bytes, self.session.link(), Waiting::Never) {
            Ok(0) if self.session.closing().is_some() => Ok(Some(0)),
            Ok(0) => Err(End::Closed),
            Ok(received) => {
                // A socket that gave less than there was room for has no more; others may have some of their own.
                self.is_drained = received < ROOM_MIN && matches!(self.session.link(), Link::Socket(_));
                self.has_heard = true;
                Ok(Some(received))
            }
            Err(Errno::AGAIN) => Ok(None),
            Err(errno) => Err(End::unreceived(errno, self.session.limits())),
        }
    }

    /// Whether a whole frame is a call that may wait for something, or takes long otherwise.
    fn blocks(&self, frame: &Range<usize>) -> bool {
        let Some(header) = Request::decode(&self.areas.list[0].bytes[frame.clone()]) else { return false };
        let target = PortalId(header.target);
        match &self.last {
            _ if header.kind == kind::HELLO => frame.len() > LOOP_HELLO_BYTES_MAX,
            _ if header.kind != kind::CALL => self.moves_much_memory(&header, frame),
            Some((last, capability)) if *last == target => self.blocks_there(capability, header.op),
            _ => self.session.capability(target).is_ok_and(|there| self.blocks_there(&there, header.op)),
        }
    }

    /// Whether a frame that [`Turn::Waits`] named is a call.
    pub(crate) fn is_call(&self, frame: &Range<usize>) -> bool {
        self.kind_of(frame) == kind::CALL
    }

    fn kind_of(&self, frame: &Range<usize>) -> u8 {
        self.areas.list[0].bytes[frame.start + 4]
    }

    fn blocks_there(&self, capability: &Capability, op: u16) -> bool {
        self.operation_there(capability, op).is_some_and(|operation| operation.blocks)
    }

    /// The operation that the client calls `op`.
    fn operation_there(&self, capability: &Capability, op: u16) -> Option<&'static Operation> {
        let (module, interface) = capability.object().interface();
        let op = self.operations.as_ref()?.translate(module, interface, op).ok()?;
        operation(module, interface, op).ok()
    }

    fn note_part(&mut self) {
        self.note_rest(self.cursor.here());
    }

    /// So many bytes are there of a frame that is not whole.
    fn note_rest(&mut self, here: usize) {
        match &mut self.rest {
            rest if here == 0 => *rest = None,
            Some(rest) => rest.note(here, self.session.limits().frame_bytes_min, Instant::now),
            rest => *rest = Some(Rest::new(here, Instant::now())),
        }
    }

    /// Until when more must be here: the rest of a frame that has begun, or Hello.
    pub(crate) fn more_is_due(&self) -> Option<Instant> {
        self.rest_is_due().into_iter().chain(self.hello_is_due).min()
    }

    fn rest_is_due(&self) -> Option<Instant> {
        self.rest.and_then(|rest| rest.due(self.session.limits().frame_timeout))
    }

    /// How a session ends in which that did not come.
    pub(crate) fn late(&self) -> End {
        let limits = self.session.limits();
        match self.rest {
            Some(rest) if self.rest_is_due() == self.more_is_due() => {
                rest.late(limits.frame_timeout, limits.frame_bytes_min)
            }
            _ => End::unannounced(limits.hello_timeout),
        }
    }

    /// Whether something came since this was asked.
    pub(crate) fn has_heard(&mut self) -> bool {
        std::mem::take(&mut self.has_heard)
    }

    pub(crate) fn caller(&self) -> &Caller {
        self.session.caller()
    }

    fn principal(&self) -> &Arc<str> {
        &self.caller().principal
    }

    /// What [`Turn::Waits`] named cannot be done: there is no thread for it.
    pub(crate) fn refuse(&mut self, frame: Range<usize>) {
        if let Some(header) = Request::decode(&self.areas.list[0].bytes[frame]) {
            let text = "the server has no thread left for what may wait or takes long";
            self.session.send_failure(header.call, &Failure::new(Kind::Refused, text));
        }
    }

    fn swap(&mut self, buffers: &mut Buffers) {
        std::mem::swap(&mut self.areas, &mut buffers.areas);
        std::mem::swap(&mut self.out, &mut buffers.out);
    }

    fn take_buffers(&mut self) -> Buffers {
        let areas = std::mem::take(&mut self.areas);
        Buffers { areas, out: std::mem::take(&mut self.out) }
    }

    fn check_closing(&self) -> Result<(), End> {
        if self.session.closing().is_some() {
            return Err(farewell(Kind::Refused, "the server is shutting down; this was not begun"));
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), End> {
        self.check_closing()?;
        match self.cursor.next(&self.areas.list[0].bytes, self.session.limits().frame_bytes_max) {
            Ok(Some(frame)) => {
                self.rest = None;
                self.handle(frame)
            }
            Ok(None) => self.receive(),
            Err(BadLength(len)) => Err(self.bad_length(len)),
        }
    }

    fn receive(&mut self) -> Result<(), End> {
        if self.cursor.is_partial() || self.hello_is_due.is_some() {
            if let Some((header, at)) = self.begun_to_be_moved() {
                return self.receive_moved(&header, at);
            }
            self.note_part();
            self.wait_for_more()?;
        } else if self.holds_much() && !self.comes_soon() {
            // While another thread sends, that is not all, and the client is not idle: it is looked again.
            self.give_back();
            return Ok(());
        }
        let at_most = self.begin_bytes();
        let buffer = &mut self.areas.list[0].bytes;
        match self.cursor.fill_at_most(buffer, self.session.link(), Waiting::TimeOut, at_most) {
            Ok(0) if self.session.closing().is_some() => Ok(()),
            Ok(0) => Err(End::Closed),
            Ok(_) => Ok(()),
            // Whoever waits for an answer is not idle.
            Err(Errno::AGAIN) if self.session.has_entries() => Ok(()),
            Err(Errno::AGAIN) => Err(End::silent()),
            Err(errno) => Err(End::unreceived(errno, self.session.limits())),
        }
    }

    /// Hello must come in time, and a frame that has begun go on.
    #[cold]
    fn wait_for_more(&mut self) -> Result<(), End> {
        match self.session.link().wait(Readiness::RECEIVE, self.more_is_due()) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(self.late()),
            Err(_) => Err(End::Closed),
        }
    }

    /// Does what the frame there asks for.
    #[inline(always)]
    pub(crate) fn handle(&mut self, frame: Range<usize>) -> Result<(), End> {
        let bytes = &self.areas.list[0].bytes[frame.clone()];
        let Some(header) = Request::decode(bytes) else { return Err(protocol("no header")) };
        if self.operations.is_none() && !matches!(header.kind, kind::HELLO | kind::SHARE) {
            return Err(protocol("the first message of a client is Hello"));
        }
        if header.kind == kind::CALL {
            return self.call(&header, frame);
        }
        self.handle_other(&header, frame)
    }

    /// Does what a frame asks for that is no call.
    #[inline(never)]
    fn handle_other(&mut self, header: &Request, frame: Range<usize>) -> Result<(), End> {
        if header.op != 0 || header.target != 0 {
            return Err(protocol("an operation in a message that is no call"));
        }
        match header.kind {
            kind::HELLO => self.hello(header, frame),
            kind::RELEASE => self.release(header, frame),
            kind::DESCRIBE => self.describe(header, frame),
            kind::SHARE => self.share(header, frame),
            kind::MEMORY => self.memory(header, frame),
            kind::MAP => self.map(header, frame),
            kind::RELAYED => self.relayed(header, frame),
            kind::ENTRY_FIRST..=kind::ENTRY_LAST => self.entry(header, frame),
            _ => Err(protocol("a kind of message that is unknown")),
        }
    }

    fn hello(&mut self, header: &Request, frame: Range<usize>) -> Result<(), End> {
        if header.call != CALL_SESSION || header.portals != 0 {
            return Err(protocol("Hello with a call number or portals"));
        }
        let data = &self.areas.list[0].bytes[frame][HEADER_BYTES..];
        if data.len() > HELLO_BYTES_MAX {
            let text = format!(
                "the interfaces that the client knows take {} bytes to say; {HELLO_BYTES_MAX} are allowed",
                data.len()
            );
            return Err(farewell(Kind::Refused, &text));
        }
        let hello = Hello::decode(data).map_err(|m| protocol(&format!("Hello: {m}")))?;
        let root = self.session.root().object().interface().1;
        self.operations = Some(Operations::new(self.module, root, &hello));
        self.hello_is_due = None;
        Ok(())
    }

    #[inline(always)]
    fn call(&mut self, header: &Request, frame: Range<usize>) -> Result<(), End> {
        if header.call == CALL_SESSION {
            return Err(protocol("a call without a number"));
        }
        let buffer_bytes = self.areas.list[0].bytes.len();
        let answered = match self.at_once(header, &frame) {
            Some(answered) => answered,
            None => self.perform(header, frame).and_then(|operation| self.reply(header.call, operation)),
        };
        if let Err(failure) = answered {
            self.session.send_failure(header.call, &failure);
        }
        // A service that broke the receive buffer has broken what comes after this call.
        if self.areas.list.first().map(|area| area.bytes.len()) != Some(buffer_bytes) {
            self.areas = Areas { list: vec![Area::default()] };
            return Err(farewell(Kind::Service, "the service destroyed the arguments of its call"));
        }
        Ok(())
    }

    /// What was handed out is in the session's table; the rest is gone when the client hears of it.
    #[inline(never)]
    fn drop_portals(&mut self) {
        self.portals.drain(..).for_each(drop_quietly);
        self.made.drain(..).for_each(drop_quietly);
    }

    /// Dispatches a call; its words and areas then hold the results.
    #[inline(never)]
    fn perform(&mut self, header: &Request, frame: Range<usize>) -> Result<&'static Operation, Failure> {
        let target = PortalId(header.target);
        let capability = self.capability(target)?;
        let done = self.perform_on(&capability, header, frame);
        self.last = Some((target, capability));
        if !self.portals.is_empty() || !self.made.is_empty() {
            self.drop_portals();
        }
        done
    }

    /// The right that the client calls `id`. Mostly it is that of the call before.
    #[inline]
    fn capability(&mut self, id: PortalId) -> Result<Capability, Failure> {
        match self.last.take() {
            Some((last, capability)) if last == id => Ok(capability),
            other => {
                drop_quietly(other);
                self.session.capability(id)
            }
        }
    }

    fn perform_on(
        &mut self,
        capability: &Capability,
        header: &Request,
        frame: Range<usize>,
    ) -> Result<&'static Operation, Failure> {
        let (module, interface) = capability.object().interface();
        let op = match &self.operations {
            Some(operations) => operations.translate(module, interface, header.op)?,
            None => header.op,
        };
        let operation = operation(module, interface, op)?;
        self.options.single_calls.admit(operation)?;
        let layout = &operation.layout;
        let sections = Sections::of(frame.len(), layout.request_words(), usize::from(header.portals))
            .ok_or_else(|| too_short(operation))?;
        self.take_portals(header, &frame, sections)?;
        read_request(&mut self.areas, frame, sections, layout, &mut self.words, self.moved)?;
        // What the call makes must have room before it is made: who is refused it may ask again.
        let reserved = if layout.brings.most > 0 { self.session.reserve(layout.brings)? } else { 0 };
        let made = self.make(capability, module, op, operation);
        if made.is_err() && reserved > 0 {
            self.session.give_up_reserved(reserved);
        }
        made?;
        self.hand_out(capability, reserved)?;
        Ok(operation)
    }

    /// Calls the object, with what was read of the request.
    #[inline(always)]
    fn make(
        &mut self,
        capability: &Capability,
        module: &'static Module,
        op: u16,
        operation: &'static Operation,
    ) -> Result<(), Failure> {
        let charged = self.metered.charge(module, operation, &self.words)?;
        let mut call = Call {
            words: &mut self.words,
            areas: &mut self.areas,
            portals: &self.portals,
            made: &mut self.made,
            caller: self.session.caller(),
        };
        invoke(capability, op, operation, &mut call)?;
        self.metered.done(operation, &self.words, charged);
        Ok(())
    }

    fn take_portals(
        &mut self,
        header: &Request,
        frame: &Range<usize>,
        sections: Sections,
    ) -> Result<(), Failure> {
        for index in 0..usize::from(header.portals) {
            let id = portal_of(&self.areas.list[0].bytes[frame.clone()], sections, index);
            let portal = if id == 0 { None } else { Some(self.session.capability(PortalId(id))?) };
            self.portals.push(portal);
        }
        Ok(())
    }

    /// What an object makes is revoked with the right that was used to make it.
    #[inline]
    fn hand_out(&mut self, used: &Capability, reserved: usize) -> Result<(), Failure> {
        self.ids.clear();
        if self.made.is_empty() && reserved == 0 {
            return Ok(());
        }
        let made = self.made.iter().map(|object| Capability::under(Arc::clone(object), used.grant()));
        if self.made.len() > PORTALS_IN_FRAME_MAX {
            self.session.give_up_reserved(reserved);
            return Err(Failure::service("the service returned more portals than a message can carry"));
        }
        self.session.hand_out(made, reserved, &mut self.ids).map_err(|why| made_in_vain(&why))
    }

    #[inline(never)]
    fn reply(&mut self, call: u32, operation: &Operation) -> Result<(), Failure> {
        let (layout, ids, words) = (&operation.layout, &self.ids, &self.words);
        let sent = self.session.send(|buffer| {
            let mut frame = Frame::begin(buffer, layout.reply_words(), ids.len());
            for (index, id) in ids.iter().enumerate() {
                frame.set_portal(layout.reply_words(), index, *id);
            }
            let (inouts, outs) = words[layout.ins.len()..].split_at(layout.inouts.len());
            let results = Given(&self.areas);
            put_words(&mut frame, 0, &layout.inouts, inouts, &results)?;
            put_words(&mut frame, inouts.len(), &layout.outs, outs, &results)?;
            let header =
                Reply { len: 0, kind: kind::REPLY, portals: ids.len() as u8, status: 0, call, raised: 0 };
            frame
                .finish_reply(header, self.session.limits().frame_bytes_max)
                .ok_or_else(|| self.session.reply_too_long())
        });
        if sent.is_err() {
            self.session.release(self.ids.drain(..).map(|id| (PortalId(id), 1)));
        }
        sent
    }

    fn release(&mut self, header: &Request, frame: Range<usize>) -> Result<(), End> {
        let pairs = &self.areas.list[0].bytes[frame][HEADER_BYTES..];
        if header.call != CALL_SESSION || header.portals != 0 || !pairs.len().is_multiple_of(8) {
            return Err(protocol("a Release that is not a list of pairs"));
        }
        if pairs.len() > RELEASE_PAIRS_MAX * 8 {
            return Err(protocol(&format!(
                "a Release of {} pairs, where {RELEASE_PAIRS_MAX} are allowed",
                pairs.len() / 8
            )));
        }
        drop_quietly(self.last.take());
        self.session.release(pairs.chunks_exact(8).map(|pair| (PortalId(u32_at(pair, 0)), u32_at(pair, 4))));
        Ok(())
    }

    fn describe(&mut self, header: &Request, frame: Range<usize>) -> Result<(), End> {
        if header.call == CALL_SESSION || header.portals != 0 || frame.len() != HEADER_BYTES {
            return Err(protocol("a Describe with arguments, or without a number"));
        }
        let (_, root) = self.session.root().object().interface();
        let description = Description {
            root: root.0,
            server: self.options.name.clone(),
            version: self.options.version.clone(),
            module: carnet_idl::encode(self.module),
            policy: self.options.policy.clone(),
        };
        let mut data = Vec::new();
        description.encode(&mut data);
        self.session.send_answer(header.call, &data, Vec::new());
        Ok(())
    }

    /// The client is a relay, and says whom it has this session for.
    fn relayed(&mut self, header: &Request, frame: Range<usize>) -> Result<(), End> {
        let data = &self.areas.list[0].bytes[frame][HEADER_BYTES..];
        if header.call == CALL_SESSION || header.portals != 0 {
            return Err(protocol("a Relayed with portals, or without a number"));
        }
        if !data.is_empty() {
            let label = Label::decode(data).map_err(|m| protocol(&format!("Relayed: {m}")))?;
            if !self.caller().label.set(label) {
                return Err(protocol("a session that is for somebody else than it was"));
            }
        }
        let sessions = self.sessions_of_process().to_le_bytes();
        self.session.send_answer(header.call, &sessions, Vec::new());
        Ok(())
    }

    /// How many sessions a process like the client's may have; from afar, those of its address.
    fn sessions_of_process(&self) -> u64 {
        let limits = self.session.limits();
        let max = match (self.caller().origin, &self.options.door) {
            (Origin::Unknown, Some(door)) => {
                limits.sessions_per_principal_max.min(door.limits().sessions_per_address_max)
            }
            (Origin::Unknown, None) => limits.sessions_per_principal_max,
            (Origin::Process(_) | Origin::User(_), _) => limits.sessions_per_process_max,
        };
        self.session.seats_like_its().map_or(max, |seats| max.min(seats)) as u64
    }

    /// Goes on through shared memory.
    fn share(&mut self, header: &Request, frame: Range<usize>) -> Result<(), End> {
        if header.call == CALL_SESSION || header.portals != 0 || self.operations.is_some() {
            return Err(protocol("a Share that is not the first message, or without a number"));
        }
        if self.cursor.is_partial() {
            return Err(protocol("a message behind a Share that is not answered"));
        }
        let seat = match self.session.take_seat() {
            Ok(seat) => seat,
            Err(failure) => {
                self.session.send_failure(header.call, &failure);
                return Ok(());
            }
        };
        let data = &self.areas.list[0].bytes[frame][HEADER_BYTES..];
        let share = Share::decode(data).map_err(|m| protocol(&format!("Share: {m}")))?;
        let limits = self.session.limits();
        let setup = Setup {
            seats: &self.quotas.shared,
            caller: self.session.caller(),
            session_bytes_max: limits.shared_session_bytes_max,
            mode: self.options.waiting,
            patience: limits.frame_timeout,
        };
        match answer(self.session.link(), share, header.call, &setup) {
            Ok(link) => {
                // It has no time-outs that could fail to be set.
                let _ = link.set_timeouts(limits.idle_timeout, Some(limits.write_timeout));
                self.session.go_on_over(link, seat);
            }
            Err(failure) => self.session.send_failure(header.call, &failure),
        }
        Ok(())
    }

    fn entry(&mut self, header: &Request, frame: Range<usize>) -> Result<(), End> {
        if header.call == CALL_SESSION {
            return Err(protocol("a request without a number"));
        }
        let Some(entry) = &self.options.entry else {
            let refused = Failure::new(Kind::NoSuchOperation, "this server does nothing but calls");
            self.session.send_failure(header.call, &refused);
            return Ok(());
        };
        let bytes = &self.areas.list[0].bytes[frame];
        let Some(sections) = Sections::of(bytes.len(), 0, usize::from(header.portals)) else {
            return Err(protocol("a request that is shorter than its portals"));
        };
        let portals = match entry_portals(&self.session, header, bytes, sections) {
            Ok(portals) => portals,
            Err(failure) => {
                self.session.send_failure(header.call, &failure);
                return Ok(());
            }
        };
        let request = EntryRequest {
            kind: header.kind,
            data: &bytes[sections.data..],
            portals,
            session: &self.session,
            responder: Responder::new(Arc::clone(&self.session), header.call),
        };
        // If it panics, its responder is dropped, which answers that.
        survived(|| entry.handle(request));
        Ok(())
    }

    #[cold]
    fn bad_length(&self, len: u32) -> End {
        let max = self.session.limits().frame_bytes_max;
        protocol(&format!("a message of {len} bytes, where {HEADER_BYTES} to {max} are allowed"))
    }
}

/// The capabilities that a request to an entry point names; it then counts as unanswered.
fn entry_portals(
    session: &Arc<Session>,
    header: &Request,
    bytes: &[u8],
    sections: Sections,
) -> Result<Vec<Capability>, Failure> {
    let portals = (0..usize::from(header.portals))
        .map(|index| session.capability(PortalId(portal_of(bytes, sections, index))))
        .collect::<Result<_, _>>()?;
    session.entry_begins()?;
    Ok(portals)
}

#[cold]
fn too_short(operation: &Operation) -> Failure {
    Failure::bad_argument(&format!("the message is shorter than the arguments of {}", operation.name))
}

/// What a client is told whose requests to an entry point are unanswered at the end of a shutdown.
#[cold]
pub(crate) fn stopped() -> Failure {
    Failure::new(Kind::PeerDied, "the server stopped before this had ended; it is unknown what was done")
}
