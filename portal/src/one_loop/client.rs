//! One client of the loop: where it is between its first message and its end, and until when that may last.
//!
//! ```text
//!                 ┌── Waits: the worker is away, with a helper ──┐
//! Serving ────────┴──────────────────────────────────────────────┘
//!    │ the client is gone ──────────────────────────────────────────────────► over
//!    │ the server shuts down ─► Ending: programs may still answer ─┐
//!    └ nonsense, too slow ─────────────────────────────────────────┴► Leaving: the farewell goes out ─► Parting (TLS) ─► over
//! ```

use std::sync::Arc;
use std::time::Instant;

use crate::call::Failure;
use crate::door::Guest;
use crate::link::Readiness;
use crate::panics::drop_quietly;
use crate::session::{CANCEL_GRACE, Session};
use crate::worker::{Buffers, End, Turn, Worker, stopped, try_again};

/// What the loop knows of a client.
pub(super) struct Client {
    pub(super) session: Arc<Session>,
    /// Counts as this, if it came from afar.
    guest: Option<Guest>,
    stage: Stage,
    /// What its socket is wanted to be ready for.
    pub(super) wanted: Option<Readiness>,
    /// It is in the list of those to be attended.
    pub(super) is_listed: bool,
    /// It shares memory.
    pub(super) is_neighbour: bool,
    /// When it was last heard of.
    heard: Instant,
    /// Since when the present queue waits for it to read.
    waits_since: Option<Instant>,
    /// When it was last tried to send some of it.
    tried: Instant,
}

enum Stage {
    Serving(Box<Worker>),
    /// Its worker makes a call that may wait.
    Away,
    /// The server shuts down, and requests to the entry point are unanswered.
    Ending {
        until: Instant,
        farewell: Option<Failure>,
    },
    /// The farewell goes out.
    Leaving,
    /// All is sent; what comes is dropped.
    Parting(Instant),
    Over,
}

/// What is to be done with a client after it was attended.
pub(super) enum Next {
    /// Wait for it.
    Wait,
    /// Attend it again, when the others were.
    Again,
    /// Have a helper make this call.
    Help(Box<Worker>, std::ops::Range<usize>),
    /// Forget it.
    Over,
}

impl Client {
    pub(super) fn new(session: Arc<Session>, guest: Option<Guest>, worker: Worker, now: Instant) -> Client {
        Client {
            session,
            guest,
            stage: Stage::Serving(Box::new(worker)),
            wanted: None,
            is_listed: false,
            is_neighbour: false,
            heard: now,
            waits_since: None,
            tried: now,
        }
    }

    /// What its socket is waited for. The socket of one that shares memory says only that it has died.
    pub(super) fn wants_of_socket(&self) -> Option<Readiness> {
        let wanted = self.wants();
        if self.is_neighbour { wanted.and(Some(Readiness::END)) } else { wanted }
    }

    /// What it is waited for.
    pub(super) fn wants(&self) -> Option<Readiness> {
        match self.stage {
            _ if self.waits_since.is_some() => Some(Readiness::SEND),
            Stage::Serving(_) | Stage::Parting(_) => Some(Readiness::RECEIVE),
            Stage::Away | Stage::Ending { .. } | Stage::Leaving | Stage::Over => None,
        }
    }

    /// Sends what is queued, then begins what can be begun.
    pub(super) fn attend(&mut self, buffers: &mut Vec<Buffers>, now: Instant) -> Next {
        self.waits_since = self.session.send_queued();
        self.tried = now;
        if self.waits_since.is_some() && self.session.closing().is_none() {
            return Next::Wait;
        }
        match &mut self.stage {
            Stage::Serving(_) => self.serve(buffers, now),
            Stage::Away => Next::Wait,
            Stage::Ending { .. } if self.session.has_entries() => Next::Wait,
            Stage::Ending { farewell, .. } => {
                let farewell = farewell.take();
                self.leave(farewell.as_ref(), now)
            }
            Stage::Leaving if self.waits_since.is_some() => Next::Wait,
            Stage::Leaving => self.part(now),
            Stage::Parting(_) if self.session.link().drop_received() => Next::Wait,
            Stage::Parting(_) | Stage::Over => self.over(),
        }
    }

    fn serve(&mut self, buffers: &mut Vec<Buffers>, now: Instant) -> Next {
        let Stage::Serving(worker) = &mut self.stage else { return Next::Wait };
        let turn = worker.turn(buffers);
        if worker.has_heard() {
            self.heard = now;
        }
        match turn {
            Ok(Turn::Idle) => {
                self.session.trim();
                Next::Wait
            }
            Ok(Turn::Unread) => {
                self.waits_since = Some(now);
                Next::Wait
            }
            Ok(Turn::More) => Next::Again,
            Ok(Turn::Waits(frame)) => match std::mem::replace(&mut self.stage, Stage::Away) {
                Stage::Serving(worker) => Next::Help(worker, frame),
                stage => {
                    self.stage = stage;
                    Next::Wait
                }
            },
            Err(end) => self.end(end, now),
        }
    }

    /// Its worker is back.
    pub(super) fn back(&mut self, worker: Box<Worker>, done: Result<(), End>, now: Instant) -> Next {
        self.heard = now;
        self.stage = Stage::Serving(worker);
        match done {
            Ok(()) => Next::Again,
            Err(end) => self.end(end, now),
        }
    }

    /// Nothing of it is begun any more.
    pub(super) fn end(&mut self, end: End, now: Instant) -> Next {
        drop_quietly(std::mem::replace(&mut self.stage, Stage::Leaving));
        let farewell = match end {
            End::Closed => None,
            End::Farewell(failure) => Some(failure),
        };
        match self.session.closing() {
            Some(deadline) if self.session.has_entries() => {
                self.stage = Stage::Ending { until: deadline + CANCEL_GRACE, farewell };
                Next::Wait
            }
            _ => self.leave(farewell.as_ref(), now),
        }
    }

    fn leave(&mut self, farewell: Option<&Failure>, now: Instant) -> Next {
        let Some(farewell) = farewell else { return self.over() };
        self.stage = Stage::Leaving;
        self.session.farewell(farewell);
        self.waits_since = self.session.send_queued();
        if self.waits_since.is_some() { Next::Wait } else { self.part(now) }
    }

    fn part(&mut self, now: Instant) -> Next {
        let link = self.session.link();
        let Some(linger) = link.linger() else { return self.over() };
        link.end_sending();
        self.stage = Stage::Parting(now + linger);
        Next::Wait
    }

    fn over(&mut self) -> Next {
        drop_quietly(std::mem::replace(&mut self.stage, Stage::Over));
        Next::Over
    }

    /// Until when the present state may last, or when it is to be tried to send more.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let limits = self.session.limits();
        if let Some(since) = self.waits_since {
            return try_again(since, self.tried, limits.write_timeout);
        }
        match &self.stage {
            Stage::Serving(worker) => {
                worker.more_is_due().or_else(|| self.heard.checked_add(limits.idle_timeout?))
            }
            Stage::Ending { until, .. } | Stage::Parting(until) => Some(*until),
            Stage::Away | Stage::Leaving | Stage::Over => None,
        }
    }

    /// The deadline has passed, and nothing came or went when it was attended after that.
    pub(super) fn late(&mut self, now: Instant) -> Next {
        if self.waits_since.is_some() {
            self.session.give_up_queued();
            self.waits_since = None;
            return if matches!(self.stage, Stage::Away) { Next::Wait } else { self.end(End::Closed, now) };
        }
        match &self.stage {
            Stage::Serving(worker) if worker.more_is_due().is_some() => {
                let end = worker.late();
                self.end(end, now)
            }
            // Whoever waits for an answer is not idle.
            Stage::Serving(_) if self.session.has_entries() => {
                self.heard = now;
                Next::Wait
            }
            Stage::Serving(_) => self.end(End::silent(), now),
            Stage::Ending { .. } => self.leave(Some(&stopped()), now),
            Stage::Parting(_) => self.over(),
            Stage::Away | Stage::Leaving | Stage::Over => Next::Wait,
        }
    }

    /// It counts for nothing any more.
    pub(super) fn forget(self) -> Arc<Session> {
        let Client { session, guest, stage, .. } = self;
        drop_quietly(stage);
        drop(guest);
        session
    }
}
