//! Entry points: another way into a session than calling an object.
//!
//! A frame of kind 16 and above goes to the server's [`EntryPoint`], with its bytes, the capabilities that it names
//! and a [`Responder`]. Programs come in this way (CompositeCall's `InterpServer::execute`). The entry point is
//! called on the session's thread, or on the loop that serves all clients: what takes longer moves to another thread and
//! takes the responder along, so that the session hears its client meanwhile.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use crate::call::{Failure, Kind};
use crate::capability::Capability;
use crate::one_loop::may_wait;
use crate::session::{Session, Taken, lock};

pub use crate::session::Told;

/// Handles frames of kind 16 and above.
pub trait EntryPoint: Send + Sync + 'static {
    /// Handles one request. It is answered through its responder, now or later.
    fn handle(&self, request: EntryRequest<'_>);

    /// The session has ended: what runs for it should stop. Its responders lead nowhere, and while they are kept, so is
    /// all that the session holds.
    fn closed(&self, session: &Session);

    /// The server must end the session soon: what runs for it should stop, and can still be answered. Unless this is
    /// implemented, the session has ended already for the entry point.
    fn cancel(&self, session: &Session) {
        self.closed(session);
    }
}

/// One request to an entry point.
#[derive(Debug)]
pub struct EntryRequest<'a> {
    /// Kind of the frame, 16 to 126.
    pub kind: u8,
    /// Content of the frame.
    pub data: &'a [u8],
    /// Objects that the client named.
    pub portals: Vec<Capability>,
    /// Whose request it is.
    pub session: &'a Arc<Session>,
    /// Answers it.
    pub responder: Responder,
}

/// Answers one request to an entry point, from any thread. Dropping it unused answers that it was not answered.
#[derive(Debug)]
pub struct Responder {
    session: Option<Arc<Session>>,
    call: u32,
    /// Shared with its tellers: whoever tells of a request that is answered tells of one that the client has not.
    is_answered: OnceLock<Arc<Mutex<bool>>>,
}

impl Responder {
    pub(crate) fn new(session: Arc<Session>, call: u32) -> Responder {
        Responder { session: Some(session), call, is_answered: OnceLock::new() }
    }

    /// The session that will be answered.
    #[must_use]
    pub fn session(&self) -> Option<&Arc<Session>> {
        self.session.as_ref()
    }

    /// The client's number of the request.
    #[must_use]
    pub fn call(&self) -> u32 {
        self.call
    }

    /// Tells the client how it goes; the answer follows later. It does not wait for a client that does not read: what such
    /// a client is told is dropped.
    pub fn progress(&self, data: &[u8]) -> Told {
        self.session.as_ref().map_or(Told::Sent, |session| session.send_progress(self.call, data))
    }

    /// A way to tell the client how it goes that can be shared and outlive this; it cannot answer. What it tells behind the answer is
    /// dropped.
    #[must_use]
    pub fn teller(&self) -> Teller {
        let is_answered = Arc::clone(self.is_answered.get_or_init(Arc::default));
        Teller { session: self.session.clone(), call: self.call, is_answered }
    }

    /// Whose session is to be answered now; nobody tells of the request from here on.
    fn begin_answer(&mut self) -> Option<Arc<Session>> {
        let session = self.session.take()?;
        if let Some(is_answered) = self.is_answered.get() {
            *lock(is_answered) = true;
        }
        Some(session)
    }

    /// Answers with `data`, handing `portals` out. If they cannot be handed out or sent, the client is told that
    /// instead.
    pub fn reply(mut self, data: &[u8], portals: Vec<Capability>) {
        self.finish(|session, call| session.send_answer(call, data, portals));
    }

    /// Answers that it failed.
    pub fn fail(mut self, failure: &Failure) {
        self.finish(|session, call| session.send_failure(call, failure));
    }

    fn finish(&mut self, send: impl FnOnce(&Session, u32)) {
        if let Some(session) = self.begin_answer() {
            send(&session, self.call);
            session.entry_answered();
        }
    }
}

/// How often it is looked whether clients take more, if several are slow.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Answers all of them with `data`, none of them later because another does not read. Before it waits for one, it calls
/// `held_up`.
pub fn reply_to_all(responders: impl Iterator<Item = Responder>, data: &[u8], held_up: &mut dyn FnMut()) {
    let mut slow = Vec::new();
    for mut responder in responders {
        let Some(session) = responder.begin_answer() else { continue };
        match session.answer_at_once(responder.call, data) {
            Taken::Whole => session.entry_answered(),
            taken => slow.push((session, responder.call, taken)),
        }
    }
    if slow.len() > 1 && may_wait() {
        held_up();
        answer_in_turns(&mut slow, data);
    }
    for (session, call, taken) in slow {
        session.finish_answer(call, data, taken, held_up);
        session.entry_answered();
    }
}

/// Sends as much as each takes, in turns, until all are answered but one; gives those up whose time to read is over.
fn answer_in_turns(slow: &mut Vec<(Arc<Session>, u32, Taken)>, data: &[u8]) {
    let began = Instant::now();
    while slow.len() > 1 {
        std::thread::park_timeout(LOOK_EVERY);
        slow.retain_mut(|(session, call, taken)| {
            *taken = session.answer_more(*call, data, *taken);
            if *taken != Taken::Whole && began.elapsed() > session.limits().write_timeout {
                session.hang_up();
                *taken = Taken::Whole;
            }
            if *taken == Taken::Whole {
                session.entry_answered();
            }
            *taken != Taken::Whole
        });
    }
}

/// Tells a client how its request goes; see [`Responder::teller`].
#[derive(Clone, Debug)]
pub struct Teller {
    session: Option<Arc<Session>>,
    call: u32,
    is_answered: Arc<Mutex<bool>>,
}

impl Teller {
    /// As [`Responder::progress`].
    pub fn progress(&self, data: &[u8]) -> Told {
        // Held until it is sent, which waits for nobody: the answer comes behind it.
        let is_answered = lock(&self.is_answered);
        if *is_answered {
            return Told::Sent;
        }
        self.session.as_ref().map_or(Told::Sent, |session| session.send_progress(self.call, data))
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        self.finish(|session, call| {
            session.send_failure(call, &Failure::new(Kind::Internal, "the request was dropped unanswered"));
        });
    }
}
