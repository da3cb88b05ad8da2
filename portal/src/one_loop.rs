//! One loop that serves all clients of a server, instead of a thread for each.
//!
//! ```text
//!             ┌──────────────────────────────────────────────────────────────────────────┐
//!             ▼                                                                          │
//! wait: sockets, bells ─► notices ─► attend each that is ready: send what is queued, ────┴─► those that are late
//!                            ▲         receive, a bounded number of bytes, answer
//!                            │                     └─► a call marked `@blocks` ─► helper ─┐
//!    accepts, hand-shakes, programs, shutdown ◄───────────────────────────────────────────┘
//! ```
//! It waits for nobody: what a client does not take at once is queued ([`Session`]), and its next request is begun when
//! that has gone. A message that comes in parts stays with its client until it is whole; whoever has none is without a
//! buffer. Who connects is admitted by other threads, and so a hand-shake that stalls holds nobody up. What does hold up
//! all others is a service that takes long in an operation that is not marked `@blocks`.
//!
//! | part | what it is |
//! | --- | --- |
//! | `client` | a client's way from its first message to its end |
//! | `poll` | readiness of sockets |
//! | `memory`, `watcher` | readiness of memory that clients share, and of sockets meanwhile |
//! | `notices` | what other threads tell the loop |
//! | `helpers` | threads for calls that may wait, and for what takes long: introductions, much memory, ends of sessions |

mod client;
mod helpers;
mod memory;
mod notices;
mod poll;
mod watcher;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use rustix::io::Errno;

use crate::door::Guest;
use crate::link::Readiness;
use crate::panics::{drop_quietly, survived};
use crate::server::ServerOptions;
use crate::session::Session;
use crate::worker::{Buffers, End, Quotas, Worker};

pub(crate) use notices::{Notice, Notices, may_wait};

use client::{Client, Next};
use helpers::{Done, Helpers, Job};
use memory::{Clients, Neighbours};
use notices::never_wait;
use poll::Poll;

/// Times that somebody is found in memory before sockets are asked.
const TURNS: usize = 32;

/// Number of the notices among the sockets; sessions count from 1.
const NOTICES: u64 = 0;

/// In a number: the socket of a client that shares memory, of which nothing but its end is wanted.
const END: u64 = 1 << 63;

/// What the loop asks of its server.
pub(crate) trait Host {
    /// The session is over: takes leave of it.
    fn ended(&self, session: Arc<Session>);

    /// Whether the server ends and has no sessions left.
    fn is_over(&self) -> bool;
}

/// The loop. It belongs to one thread.
pub(crate) struct OneLoop<H> {
    host: H,
    options: Arc<ServerOptions>,
    quotas: Quotas,
    notices: Arc<Notices>,
    poll: Poll,
    neighbours: Neighbours,
    /// For calls that may wait.
    helpers: Helpers,
    /// For what takes long.
    helper: Helpers,
    clients: HashMap<u64, Client>,
    /// Those to be attended, in turn.
    ready: VecDeque<u64>,
    /// Those that woke the loop; empty otherwise.
    woken: Vec<u64>,
    /// Lent to whoever is attended.
    buffers: Vec<Buffers>,
    /// Nobody is late before that.
    soonest: Option<Instant>,
    /// When it last woke.
    now: Instant,
}

impl<H: Host> OneLoop<H> {
    /// For the sessions that `notices` tells of.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn new(
        host: H,
        options: Arc<ServerOptions>,
        quotas: Quotas,
        notices: Arc<Notices>,
    ) -> Result<OneLoop<H>, Errno> {
        let poll = Poll::new()?;
        poll.want(NOTICES, notices.bell(), None, Some(Readiness::RECEIVE))?;
        let mode = options.waiting;
        let helpers = Helpers::new(Arc::clone(&notices), options.limits.blocking_max);
        let helper = Helpers::new(Arc::clone(&notices), 1);
        Ok(OneLoop {
            host,
            options,
            quotas,
            notices,
            poll,
            neighbours: Neighbours::new(mode),
            helpers,
            helper,
            clients: HashMap::new(),
            ready: VecDeque::new(),
            woken: Vec::new(),
            buffers: Vec::new(),
            soonest: None,
            now: Instant::now(),
        })
    }

    /// Serves until the server ends.
    pub(crate) fn run(mut self) {
        never_wait();
        while !self.host.is_over() {
            self.wait();
            self.attend_ready();
            if self.soonest.is_some_and(|soonest| self.now >= soonest) {
                self.end_late();
            }
        }
    }

    /// Waits until somebody is to be attended, or late.
    fn wait(&mut self) {
        let until = if self.ready.is_empty() { self.soonest } else { Some(self.now) };
        let mut woken = std::mem::take(&mut self.woken);
        if self.neighbours.is_empty() {
            self.poll.wait(until, &mut woken);
        } else {
            let clients = if self.clients.len() == 1 { Clients::One } else { Clients::Several };
            self.neighbours.wait(&self.poll, until, clients, &mut woken);
        }
        self.now = Instant::now();
        self.neighbours.check(self.now);
        let again = self.ready.len();
        for number in woken.drain(..) {
            if number == NOTICES {
                self.notices.take().into_iter().for_each(|notice| self.hear(notice));
            } else {
                if number & END != 0 {
                    self.meet_end(number & !END);
                }
                self.list(number & !END);
            }
        }
        self.woken = woken;
        // They wait for the turn in which they came, and not for another of who has more to do than one.
        self.ready.rotate_left(again);
    }

    /// The process of a client that shares memory is gone, or does what it should not.
    fn meet_end(&self, number: u64) {
        let client = self.clients.get(&number);
        if let Some(shared) = client.and_then(|client| client.session.link().shared()) {
            shared.check_socket();
        }
    }

    fn hear(&mut self, notice: Notice) {
        match notice {
            Notice::Arrived(session, guest) => self.begin(session, guest),
            Notice::Attend(number) => self.list(number),
            Notice::Returned(number, done) => self.take_back(number, *done),
            Notice::Dropped(session) => self.host.ended(session),
            Notice::Look => {}
        }
    }

    fn begin(&mut self, session: Arc<Session>, guest: Option<Guest>) {
        let number = session.caller().session;
        let opened =
            survived(|| Worker::new(Arc::clone(&session), Arc::clone(&self.options), self.quotas.clone()));
        match opened {
            Some(worker) => {
                self.clients.insert(number, Client::new(session, guest, worker, self.now));
                self.list(number);
            }
            None => self.host.ended(session),
        }
    }

    fn take_back(&mut self, number: u64, done: Done) {
        let now = self.now;
        let next = self.clients.get_mut(&number).map(|client| match done.served {
            Some((worker, done)) => client.back(worker, done, now),
            None => client.end(End::broken(), now),
        });
        if let Some(next) = next {
            self.settle(number, next);
        }
    }

    /// Puts a client at the end of those to be attended, once.
    fn list(&mut self, number: u64) {
        if let Some(client) = self.clients.get_mut(&number)
            && !std::mem::replace(&mut client.is_listed, true)
        {
            self.ready.push_back(number);
        }
    }

    /// Attends each that is in the list now.
    fn attend_ready(&mut self) {
        for _ in 0..self.ready.len() {
            let Some(number) = self.ready.pop_front() else { return };
            if let Some(client) = self.clients.get_mut(&number) {
                client.is_listed = false;
                self.attend(number);
            }
        }
    }

    fn attend(&mut self, number: u64) {
        let Some(client) = self.clients.get_mut(&number) else { return };
        let (buffers, now) = (&mut self.buffers, self.now);
        let attended = survived(|| client.attend(buffers, now));
        let next = attended.unwrap_or_else(|| client.end(End::broken(), now));
        self.settle(number, next);
    }

    /// Does what is next for a client, and waits for it.
    fn settle(&mut self, number: u64, next: Next) {
        match next {
            Next::Wait => {}
            Next::Again => self.list(number),
            Next::Help(worker, frame) => self.help(number, worker, frame),
            Next::Over => return self.forget(number),
        }
        if self.wait_for(number).is_err() {
            // It would never be heard of again.
            return self.forget(number);
        }
        if let Some(deadline) = self.clients.get(&number).and_then(Client::deadline) {
            self.soonest = Some(self.soonest.map_or(deadline, |soonest| soonest.min(deadline)));
        }
    }

    /// Waits for what a client must be ready for before it is attended again.
    fn wait_for(&mut self, number: u64) -> std::io::Result<()> {
        let Some(client) = self.clients.get_mut(&number) else { return Ok(()) };
        if client.session.link().shared().is_some() {
            if !client.is_neighbour {
                self.neighbours.add(number, Arc::clone(&client.session), &self.poll)?;
                want_of_socket(&self.poll, number, client, None)?;
                client.is_neighbour = true;
            }
            self.neighbours.want(number, client.wants());
        }
        let wanted = client.wants_of_socket();
        want_of_socket(&self.poll, number, client, wanted)
    }

    fn help(&mut self, number: u64, worker: Box<Worker>, frame: std::ops::Range<usize>) {
        let helpers = if worker.is_call(&frame) { &self.helpers } else { &self.helper };
        if let Err(Job::Frame(_, mut worker, frame)) = helpers.give(Job::Frame(number, worker, frame)) {
            worker.refuse(frame);
            self.take_back(number, Done { served: Some((worker, Ok(()))) });
        }
    }

    fn forget(&mut self, number: u64) {
        let Some(mut client) = self.clients.remove(&number) else { return };
        // What fails here is no longer in the set.
        let _ = want_of_socket(&self.poll, number, &mut client, None);
        if client.is_neighbour {
            self.neighbours.remove(number);
            client.session.give_seat_back();
        }
        let session = client.forget();
        session.hang_up();
        if !session.has_much_to_drop() {
            self.host.ended(session);
        } else if let Err(Job::Drop(session)) = self.helper.give(Job::Drop(session)) {
            self.host.ended(session);
        }
    }

    /// Ends those whose time is over, and finds out when the next is late.
    fn end_late(&mut self) {
        let now = self.now;
        let is_late = |client: &Client| client.deadline().is_some_and(|deadline| deadline <= now);
        let late = self.clients.iter().filter(|(_, client)| is_late(client)).map(|(number, _)| *number);
        for number in late.collect::<Vec<u64>>() {
            // What came in time, while the loop served others, is here by now.
            self.attend(number);
            if let Some(client) = self.clients.get_mut(&number)
                && is_late(client)
            {
                let next = client.late(now);
                self.settle(number, next);
            }
        }
        self.soonest = self.clients.values().filter_map(Client::deadline).min();
    }
}

/// Wants something of a client's socket.
fn want_of_socket(
    poll: &Poll,
    number: u64,
    client: &mut Client,
    wanted: Option<Readiness>,
) -> std::io::Result<()> {
    let number = if client.is_neighbour { number | END } else { number };
    let before = std::mem::replace(&mut client.wanted, wanted);
    match client.session.first_link().socket() {
        Some(socket) if before != wanted => Ok(poll.want(number, socket, before, wanted)?),
        _ => Ok(()),
    }
}

impl<H> Drop for OneLoop<H> {
    fn drop(&mut self) {
        self.clients.drain().for_each(drop_quietly);
    }
}
