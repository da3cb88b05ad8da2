//! Calls that a client has in flight on one connection, and who of the waiting threads reads.
//!
//! ```text
//! begin ──► waiting ──reply──► arrived ──take──► free        One waiting thread leads: it reads, and puts
//!              │                                             what is another's into that one's slot. When
//!              └─timed out, dropped──► abandoned ──reply──►  its own reply is there it wakes another to lead.
//!                                        free
//! ```
//! Everything here happens under one lock, which is never held while anything waits. To lead is to have the inbox.

use std::collections::VecDeque;
use std::thread::Thread;

use crate::call::{Failure, Kind};
use crate::stream::Inbox;
use crate::wire::Reply;

/// Progress messages kept for a slow listener; older ones are dropped.
const PROGRESS_MAX: usize = 64;

/// Buffers kept for replies that arrive while another thread reads.
const SPARE_MAX: usize = 16;

/// Largest buffer that is kept.
const SPARE_BYTES_MAX: usize = 256 << 10;

/// Calls that one connection can have in flight.
const CALLS_MAX: usize = 1 << 15;

/// Number of a call on its connection: `generation << 16 | index + 1`, so that it is never 0 and a stale one is
/// noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallId(pub(crate) u32);

impl CallId {
    fn index(self) -> Option<usize> {
        usize::from(self.0 as u16).checked_sub(1)
    }
}

/// The calls of one connection.
#[derive(Debug)]
pub(crate) struct Calls {
    slots: Vec<Slot>,
    free: Vec<u16>,
    spare: Vec<Vec<u8>>,
    /// Nobody leads.
    inbox: Option<Box<Inbox>>,
    /// Where the threads are that are parked.
    parked: Vec<u16>,
    /// Calls that the server cannot have begun: it does not have all of their requests, and will not.
    unsent: Vec<CallId>,
    dead: Option<Failure>,
}

#[derive(Debug, Default)]
struct Slot {
    generation: u16,
    state: State,
    /// Words of a good reply, to find the portals of one that nobody waits for.
    reply_words: usize,
    progress: VecDeque<Vec<u8>>,
    /// The thread that is parked until something happens, and its place among all that are.
    thread: Option<(Thread, usize)>,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Free,
    Waiting,
    Arrived(Vec<u8>),
    Abandoned,
}

/// Whether the thread that begins a call will read at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    /// Yes: it takes the lead if nobody has it, so that it need not ask again.
    Wait,
    /// It may never.
    Later,
}

/// What a thread that waits for a call should do.
pub(crate) enum Next {
    /// Its reply is here.
    Reply(Vec<u8>),
    /// Progress of it is here.
    Progress(Vec<u8>),
    /// Read, and give the lead back afterwards.
    Lead(Box<Inbox>),
    /// Park until woken.
    Park,
    /// The connection is dead.
    Dead(Failure),
}

/// What a frame that has arrived is to its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// More follow.
    Progress,
    /// It ends the call.
    Last,
}

/// Whose a frame is that has arrived.
pub(crate) enum Owner {
    /// Of the call that the reading thread waits for.
    Reader,
    /// Of another; it was put into its slot.
    Other,
    /// Of a call that was given up: its portals, if it is a good reply with so many words, belong to nobody.
    Nobody(usize),
}

impl Default for Calls {
    fn default() -> Calls {
        Calls {
            slots: Vec::new(),
            free: Vec::new(),
            spare: Vec::new(),
            inbox: Some(Box::default()),
            parked: Vec::new(),
            unsent: Vec::new(),
            dead: None,
        }
    }
}

impl Calls {
    /// A number for one more call, and the lead, if it is intended to wait and nobody has it.
    ///
    /// # Errors
    /// Why the connection is dead; [`Kind::Refused`] if too many calls are in flight.
    #[inline]
    pub(crate) fn begin(
        &mut self,
        reply_words: usize,
        intent: Intent,
    ) -> Result<(CallId, Option<Box<Inbox>>), Failure> {
        if let Some(failure) = &self.dead {
            return Err(not_sent(failure));
        }
        let index = match self.free.pop() {
            Some(index) => index,
            None => self.grow()?,
        };
        let slot = &mut self.slots[usize::from(index)];
        slot.state = State::Waiting;
        slot.reply_words = reply_words;
        let id = CallId(u32::from(slot.generation) << 16 | (u32::from(index) + 1));
        let inbox = if intent == Intent::Wait { self.inbox.take() } else { None };
        Ok((id, inbox))
    }

    #[cold]
    fn grow(&mut self) -> Result<u16, Failure> {
        let index = u16::try_from(self.slots.len()).ok().filter(|index| usize::from(*index) < CALLS_MAX);
        let index = index.ok_or_else(|| {
            Failure::new(Kind::Refused, &format!("{CALLS_MAX} calls are in flight on one connection"))
        })?;
        self.slots.push(Slot::default());
        Ok(index)
    }

    /// Ends a call that is over, or was never sent.
    #[inline(always)]
    pub(crate) fn end(&mut self, id: CallId) {
        self.unpark(id, Unpark::Forget);
        let Some(slot) = self.slot(id) else { return };
        slot.state = State::Free;
        slot.generation = slot.generation.wrapping_add(1);
        if !slot.progress.is_empty() {
            slot.progress.clear();
        }
        // There is a slot, so that it has an index.
        self.free.push((id.0 as u16).wrapping_sub(1));
    }

    /// Gives a call up whose reply may still come. The reply is returned if it is already there.
    pub(crate) fn abandon(&mut self, id: CallId) -> Option<(usize, Vec<u8>)> {
        self.unpark(id, Unpark::Forget);
        if self.inbox.is_some() && !self.parked.is_empty() {
            // This thread may have been the one that was woken to lead.
            self.wake_one();
        }
        let slot = self.slot(id)?;
        slot.progress.clear();
        match std::mem::replace(&mut slot.state, State::Abandoned) {
            State::Arrived(frame) => {
                let words = slot.reply_words;
                self.end(id);
                Some((words, frame))
            }
            _ => None,
        }
    }

    /// What the thread that waits for `id` should do; it takes the lead if nobody has it.
    #[inline]
    pub(crate) fn next(&mut self, id: CallId) -> Next {
        self.unpark(id, Unpark::Forget);
        let Some(slot) = self.slot(id) else { return Next::Dead(self.why_dead()) };
        if let Some(progress) = slot.progress.pop_front() {
            return Next::Progress(progress);
        }
        if let State::Arrived(frame) = &mut slot.state {
            let frame = std::mem::take(frame);
            self.end(id);
            return Next::Reply(frame);
        }
        if self.dead.is_some() {
            let why = self.why_dead();
            return Next::Dead(self.why_lost(id, why));
        }
        if let Some(inbox) = self.inbox.take() {
            return Next::Lead(inbox);
        }
        self.park(id);
        Next::Park
    }

    /// Takes the lead if nobody has it and the connection lives.
    pub(crate) fn try_lead(&mut self) -> Option<Box<Inbox>> {
        if self.dead.is_some() { None } else { self.inbox.take() }
    }

    /// Gives the lead back, and wakes a thread that waits, if there is one, to take it.
    #[inline]
    pub(crate) fn resign(&mut self, inbox: Box<Inbox>) {
        self.inbox = Some(inbox);
        if !self.parked.is_empty() {
            self.wake_one();
        }
    }

    #[cold]
    fn wake_one(&self) {
        let parked = self.parked.last().and_then(|index| self.slots.get(usize::from(*index)));
        if let Some((thread, _)) = parked.and_then(|slot| slot.thread.as_ref()) {
            thread.unpark();
        }
    }

    /// Sorts a frame that the leader, who waits for `reader`, has received.
    ///
    /// # Errors
    /// [`Kind::Protocol`] if no call waits for it.
    #[inline]
    pub(crate) fn sort(
        &mut self,
        reader: Option<CallId>,
        header: &Reply,
        answer: Answer,
        frame: &[u8],
    ) -> Result<Owner, Failure> {
        let id = CallId(header.call);
        if reader == Some(id) && self.slot(id).is_some() {
            return Ok(Owner::Reader);
        }
        self.sort_other(id, answer, frame)
    }

    fn sort_other(&mut self, id: CallId, answer: Answer, frame: &[u8]) -> Result<Owner, Failure> {
        let mut kept = self.spare.pop().unwrap_or_default();
        let Some(slot) = self.slot(id) else { return Err(not_asked()) };
        match (&slot.state, answer) {
            (State::Waiting, Answer::Progress) => {
                kept.extend_from_slice(frame);
                if slot.progress.len() == PROGRESS_MAX {
                    slot.progress.pop_front();
                }
                slot.progress.push_back(kept);
            }
            (State::Waiting, Answer::Last) => {
                kept.extend_from_slice(frame);
                slot.state = State::Arrived(kept);
            }
            (State::Abandoned, Answer::Progress) => return Ok(Owner::Other),
            (State::Abandoned, Answer::Last) => {
                let words = slot.reply_words;
                self.end(id);
                return Ok(Owner::Nobody(words));
            }
            (State::Free | State::Arrived(_), _) => return Err(not_asked()),
        }
        self.unpark(id, Unpark::Wake);
        Ok(Owner::Other)
    }

    /// Keeps a buffer that [`Next`] gave out for the next reply.
    pub(crate) fn keep(&mut self, mut buffer: Vec<u8>) {
        if self.spare.len() < SPARE_MAX && buffer.capacity() <= SPARE_BYTES_MAX {
            buffer.clear();
            self.spare.push(buffer);
        }
    }

    /// The connection has died: every waiting call fails with `failure`.
    pub(crate) fn die(&mut self, failure: &Failure) {
        self.dead.get_or_insert_with(|| failure.clone());
        for index in self.parked.drain(..) {
            if let Some((thread, _)) = self.slots[usize::from(index)].thread.take() {
                thread.unpark();
            }
        }
    }

    /// Whether the server may still have something to do or to answer.
    pub(crate) fn are_in_flight(&self) -> bool {
        self.dead.is_none() && self.free.len() < self.slots.len()
    }

    /// Why the connection is dead, if it is.
    pub(crate) fn dead(&self) -> Option<&Failure> {
        self.dead.as_ref()
    }

    /// The server does not have all of a request, and will not: if it does not say why, the connection dies.
    #[cold]
    pub(crate) fn note_unsent(&mut self, id: CallId) {
        self.unsent.push(id);
    }

    /// Whether that was noted of a call.
    pub(crate) fn is_unsent(&self, id: CallId) -> bool {
        self.unsent.contains(&id)
    }

    /// Why a call fails whose connection has died like that.
    #[cold]
    pub(crate) fn why_lost(&mut self, id: CallId, why: Failure) -> Failure {
        let before = self.unsent.len();
        self.unsent.retain(|unsent| *unsent != id);
        if self.unsent.len() < before { not_sent(&why) } else { why }
    }

    #[cold]
    fn why_dead(&self) -> Failure {
        self.dead.clone().unwrap_or_else(|| Failure::new(Kind::Internal, "a call was waited for twice"))
    }

    fn slot(&mut self, id: CallId) -> Option<&mut Slot> {
        let slot = self.slots.get_mut(id.index()?)?;
        let live = slot.generation == (id.0 >> 16) as u16 && !matches!(slot.state, State::Free);
        live.then_some(slot)
    }

    #[cold]
    fn park(&mut self, id: CallId) {
        let place = self.parked.len();
        let Some(slot) = self.slot(id) else { return };
        slot.thread = Some((std::thread::current(), place));
        self.parked.extend(id.index().and_then(|index| u16::try_from(index).ok()));
    }

    #[inline]
    fn unpark(&mut self, id: CallId, how: Unpark) {
        if !self.parked.is_empty() {
            self.take_parked(id, how);
        }
    }

    #[cold]
    fn take_parked(&mut self, id: CallId, how: Unpark) {
        let Some((thread, place)) = self.slot(id).and_then(|slot| slot.thread.take()) else { return };
        self.parked.swap_remove(place);
        // The last one is there now.
        if let Some((_, moved)) =
            self.parked.get(place).and_then(|index| self.slots[usize::from(*index)].thread.as_mut())
        {
            *moved = place;
        }
        if how == Unpark::Wake {
            thread.unpark();
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unpark {
    /// Wake the thread.
    Wake,
    /// It is awake: forget that it was parked.
    Forget,
}

/// For a call that the server does not have, because the connection has died.
#[cold]
pub(crate) fn not_sent(why: &Failure) -> Failure {
    match why.kind() {
        Kind::PeerDied => {
            Failure::new(Kind::Unreachable, "the connection was lost earlier; this call was not sent")
        }
        Kind::TimedOut | Kind::Service | Kind::Internal => {
            Failure::new(Kind::Unreachable, &format!("{}; this call was not sent", why.details().message))
        }
        Kind::Protocol => {
            Failure::new(Kind::Protocol, &format!("{}; this call was not sent", why.details().message))
        }
        // They say it themselves.
        _ => why.clone(),
    }
}

#[cold]
fn not_asked() -> Failure {
    Failure::new(Kind::Protocol, "the server answered what was not asked")
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, Instant};

    use super::*;
    use crate::session::lock;

    fn begin(calls: &mut Calls) -> CallId {
        calls.begin(0, Intent::Later).expect("there is room").0
    }

    /// How long it takes at best to give the lead back a hundred times while a thread waits for it.
    fn time_of_waking(calls: &mut Calls) -> Duration {
        let id = begin(calls);
        let Next::Lead(mut inbox) = calls.next(id) else { panic!("nobody leads") };
        assert!(matches!(calls.next(id), Next::Park));
        let mut hundred = || {
            let begun = Instant::now();
            for _ in 0..100 {
                calls.resign(std::mem::take(&mut inbox));
                inbox = calls.try_lead().expect("nobody else leads");
            }
            begun.elapsed()
        };
        let best = (0..20).map(|_| hundred()).min().expect("some were made");
        calls.resign(inbox);
        calls.end(id);
        best
    }

    #[test]
    fn calls_do_not_stay_slow_when_many_were_pending() {
        let mut calls = Calls::default();
        let before = time_of_waking(&mut calls);
        let pending: Vec<CallId> = (0..CALLS_MAX).map(|_| begin(&mut calls)).collect();
        assert_eq!(calls.begin(0, Intent::Later).map(drop).unwrap_err().kind(), Kind::Refused);
        pending.into_iter().for_each(|id| calls.end(id));
        let after = time_of_waking(&mut calls);
        assert!(after < before * 20, "{after:?}, after {before:?}");
    }

    /// A thread that was woken to lead may give its call up instead: then another has to.
    #[test]
    fn who_gives_up_passes_on_that_somebody_must_lead() {
        let calls: Arc<Mutex<Calls>> = Arc::default();
        let lead = lock(&calls).try_lead().expect("nobody leads");
        let (tell, told) = channel();
        let waiting = Arc::clone(&calls);
        let other = std::thread::spawn(move || {
            let id = begin(&mut lock(&waiting));
            loop {
                let next = lock(&waiting).next(id);
                let Next::Park = next else { break };
                tell.send("parks").expect("the test goes on");
                std::thread::park();
            }
            tell.send("leads").expect("the test goes on");
        });
        assert_eq!(told.recv(), Ok("parks"));
        let mut own = lock(&calls);
        let id = begin(&mut own);
        assert!(matches!(own.next(id), Next::Park));
        // This thread, which parked last, is the one that is woken.
        own.resign(lead);
        assert!(own.abandon(id).is_none());
        drop(own);
        let deadline = Instant::now() + Duration::from_secs(20);
        while told.recv_timeout(deadline.saturating_duration_since(Instant::now())) != Ok("leads") {
            assert!(Instant::now() < deadline, "nobody leads, and a thread waits");
        }
        other.join().expect("it does not panic");
    }

    #[test]
    fn those_that_wait_are_woken_whatever_the_order_in_which_others_end() {
        let mut calls = Calls::default();
        let _lead = calls.try_lead();
        let ids: Vec<CallId> = (0..5).map(|_| begin(&mut calls)).collect();
        for id in &ids {
            assert!(matches!(calls.next(*id), Next::Park));
        }
        for (ended, left) in [(1, 4), (4, 3), (0, 2), (3, 1), (2, 0)] {
            calls.end(ids[ended]);
            assert_eq!(calls.parked.len(), left);
            for (place, index) in calls.parked.iter().enumerate() {
                let parked = calls.slots[usize::from(*index)].thread.as_ref();
                assert_eq!(parked.map(|(_, at)| *at), Some(place));
            }
        }
    }
}
