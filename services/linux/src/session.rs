//! A session as the server has it: a process that begins with its first call, and ends when nobody holds the session any more.
//!
//! ```text
//! portal, or a run that is kept ──► Session ──socket──► process
//!     dropped ─────────────────────────┘ kills, waits
//! ```
//! A call that waits too long, and a run that is to stop, are interrupted by a signal; a process that does not answer to that
//! is killed. What it died of is told by every later call, and what it had done of a run is read in the memory in which it wrote that
//! down. Calls and slices of runs take turns; whoever waits for his turn waits no longer than he would for an answer.

use std::any::Any;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Call, Caller, Failure, Kind, Object};
use carnet_portal::seats::Seat;
use carnet_program::beside::{Beside, Found, INTERRUPTED, Ledger, Lost, PROGRAMS_KEPT, Program, is_to_stop};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};

use crate::errno;
use crate::linux;
use crate::process::write_rules;
use crate::service::Shared;
use crate::wire::{self, Parts};

/// How often whoever waits for an answer looks whether it should still wait: so that a run stops within 10 ms.
const LOOK_EVERY: Duration = Duration::from_millis(4);
/// How long one that ends by itself may take until it is gone.
const ENDS_WITHIN: Duration = Duration::from_millis(20);
/// How long a process may take to answer once it was interrupted, or to begin.
const ANSWER_MAX: Duration = Duration::from_secs(5);

/// A session.
pub(crate) struct Session {
    shared: Arc<Shared>,
    /// Who it is of.
    caller: Caller,
    /// None while somebody has his turn with it.
    state: Mutex<Option<State>>,
    /// Told when a turn is over.
    free: Condvar,
}

/// A turn with the process of a session. Its end is the next one's.
struct Turn<'s> {
    session: &'s Session,
    state: State,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let state = std::mem::replace(&mut self.state, State::Unborn);
        *lock(&self.session.state) = Some(state);
        self.session.free.notify_one();
    }
}

enum State {
    /// There was no call yet.
    Unborn,
    Alive(Box<Running>),
    /// For people: what became of it.
    Dead(String),
}

struct Running {
    child: Child,
    link: UnixStream,
    /// Programs that it has, the oldest first.
    programs: Vec<[u8; 32]>,
    answer: Vec<u8>,
    /// Where it writes down what it does of a run.
    ledger: Ledger,
    _seat: Seat,
}

/// Nothing of ours panics while it holds the lock.
fn lock(state: &Mutex<Option<State>>) -> std::sync::MutexGuard<'_, Option<State>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How long an answer is waited for.
#[derive(Clone, Copy)]
enum Waiting<'a> {
    /// So long, or until the run that makes the call is to stop; the call is interrupted then.
    AtMost(Duration),
    /// Until the run is interrupted.
    Until(&'a AtomicU32),
}

impl Waiting<'_> {
    /// Whether it is over, if it began then.
    fn is_over(self, began: Instant) -> bool {
        match self {
            Waiting::AtMost(time) => is_to_stop() || began.elapsed() >= time,
            Waiting::Until(interrupt) => interrupt.load(Ordering::Relaxed) != 0,
        }
    }
}

/// Why there is no answer.
enum Silence {
    /// Nothing was sent.
    Before(String),
    /// What was sent may have been done; what the process had written down of a run.
    Behind(String, Found),
}

impl Session {
    pub(crate) fn new(shared: Arc<Shared>, caller: Caller) -> Session {
        Session { shared, caller, state: Mutex::new(Some(State::Unborn)), free: Condvar::new() }
    }

    /// The next turn, if it comes before the waiting is over: another call of the session, or a run, may wait for long.
    fn turn(&self, waiting: Waiting<'_>) -> Result<Turn<'_>, Silence> {
        let began = Instant::now();
        let mut state = lock(&self.state);
        loop {
            if let Some(state) = state.take() {
                return Ok(Turn { session: self, state });
            }
            if waiting.is_over(began) {
                return Err(Silence::Before(
                    "the process of this session is busy with another call".to_owned(),
                ));
            }
            let woken = self.free.wait_timeout(state, LOOK_EVERY);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The process of the session, started if there was none.
    fn alive<'s>(&self, state: &'s mut State) -> Result<&'s mut Running, Silence> {
        if let State::Unborn = state {
            match self.start() {
                Ok(running) => *state = State::Alive(Box::new(running)),
                // It may be possible later.
                Err(why) => return Err(Silence::Before(why)),
            }
        }
        match state {
            State::Alive(running) => Ok(running),
            State::Dead(why) => Err(Silence::Before(format!("{why}, and its descriptors with it"))),
            State::Unborn => Err(Silence::Before("the session has no process".into())),
        }
    }

    /// What became of its process, if that has ended, as far as can be seen without waiting: what follows "which".
    pub(crate) fn died(&self) -> Option<String> {
        match &*lock(&self.state) {
            Some(State::Dead(why)) => Some(format!("is of a process that is gone: {why}")),
            _ => None,
        }
    }

    /// Whether the process can be started: one is, and ends.
    pub(crate) fn begins(&self) -> Result<(), String> {
        self.start().map(drop)
    }

    fn start(&self) -> Result<Running, String> {
        let seat = self.shared.seat(&self.caller)?;
        let failed = |error: io::Error| format!("cannot start the process of the session: {error}");
        let (ours, theirs) = UnixStream::pair().map_err(failed)?;
        let starter = &self.shared.starter;
        let mut command = Command::new(&starter.program);
        command.args(&starter.arguments).env_clear().stdin(OwnedFd::from(theirs));
        let (ledger, shared) = Ledger::create().map_err(failed)?;
        command.stdout(shared).stderr(Stdio::null());
        let child = self.shared.spawner.spawn(command).map_err(failed)?;
        // What most answers come within: what takes longer is waited for by who asks.
        ours.set_read_timeout(Some(LOOK_EVERY)).map_err(failed)?;
        ours.set_write_timeout(Some(ANSWER_MAX)).map_err(failed)?;
        let mut running =
            Running { child, link: ours, programs: Vec::new(), answer: Vec::new(), ledger, _seat: seat };
        let deadline = Instant::now() + ANSWER_MAX;
        let answered = wire::send(&mut running.link, &write_rules(&self.shared.rules)).and_then(|()| {
            wire::receive(&mut running.link, &mut running.answer, &mut || {
                if Instant::now() < deadline { Ok(()) } else { Err(io::ErrorKind::TimedOut.into()) }
            })
        });
        match (answered, running.answer.split_first()) {
            (Ok(()), Some((&wire::GOOD, _))) => Ok(running),
            (Ok(()), Some((_, text))) => {
                let text = String::from_utf8_lossy(text).into_owned();
                Err(format!("cannot confine the process of the session: {text}"))
            }
            _ => Err(format!("cannot start the process of the session: it {}", running.end())),
        }
    }

    /// Sends a request and receives its answer.
    fn ask<R>(
        &self,
        request: &[&[u8]],
        waiting: Waiting<'_>,
        before: impl FnOnce(&mut Running) -> io::Result<()>,
        read: impl FnOnce(&[u8], &Ledger) -> R,
    ) -> Result<R, Silence> {
        let mut turn = self.turn(waiting)?;
        let running = self.alive(&mut turn.state)?;
        let asked = before(running).and_then(|()| running.ask(request, waiting));
        match asked {
            Ok(()) => Ok(read(&running.answer, &running.ledger)),
            Err(error) => {
                let why = match error.kind() {
                    io::ErrorKind::TimedOut => {
                        running.end();
                        "the process of this session did not answer, and was killed".to_owned()
                    }
                    _ => format!("the process of this session {}", running.end()),
                };
                let found = running.ledger.found();
                turn.state = State::Dead(why.clone());
                Err(Silence::Behind(why, found))
            }
        }
    }
}

impl Running {
    fn ask(&mut self, request: &[&[u8]], waiting: Waiting<'_>) -> io::Result<()> {
        match request {
            [one] => wire::send(&mut self.link, one)?,
            parts => wire::send(&mut self.link, &parts.concat())?,
        }
        let began = Instant::now();
        let pid = Pid::from_child(&self.child);
        let mut interrupted: Option<Instant> = None;
        let link = &self.link;
        let mut wait = || {
            loop {
                if waiting.is_over(began) {
                    if interrupted.get_or_insert_with(Instant::now).elapsed() >= ANSWER_MAX {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                    // Again each time: the one before may have come just before the call that waits. It was not waited for yet, so
                    // that the number is still its own.
                    kill_process(pid, Signal::USR1)?;
                }
                if comes_within(link, LOOK_EVERY)? {
                    return Ok(());
                }
            }
        };
        wire::receive(&mut &*link, &mut self.answer, &mut wait)
    }

    /// Ends it, and says how it ended: a clause.
    fn end(&mut self) -> String {
        // It may have ended by itself, of which this leaves the cause.
        let status = match self.child.try_wait() {
            Ok(Some(status)) => Ok(status),
            _ => {
                let deadline = Instant::now() + ENDS_WITHIN;
                let mut ended = None;
                while ended.is_none() && Instant::now() < deadline {
                    std::thread::yield_now();
                    ended = self.child.try_wait().ok().flatten();
                }
                match ended {
                    Some(status) => Ok(status),
                    None => {
                        let _ = self.child.kill();
                        self.child.wait()
                    }
                }
            }
        };
        status.map_or_else(|_| "ended".to_owned(), ended)
    }
}

/// Whether there is something to read, or the other has gone. The time of a socket counts in ticks of the system's clock, so that of 4 ms
/// may become 12; this one is kept.
fn comes_within(link: &UnixStream, time: Duration) -> io::Result<bool> {
    let time = Timespec::try_from(time).map_err(|_| io::ErrorKind::InvalidInput)?;
    match poll(&mut [PollFd::new(link, PollFlags::IN)], Some(&time)) {
        Err(Errno::INTR) => Ok(false),
        found => Ok(found? > 0),
    }
}

fn ended(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("was killed by signal {signal}"),
        (None, Some(code)) if code != 0 => format!("ended with status {code}"),
        _ => "ended".to_owned(),
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended already is waited for all the same.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The session as an object: its calls are made by its process.
pub(crate) struct Root(pub(crate) Arc<Session>);

impl Object for Root {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (linux::module(), InterfaceId(0))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let operation = linux::module().interfaces[0].operations.get(usize::from(op));
        let operation =
            operation.ok_or_else(|| carnet_portal::stub::no_such_operation::<linux::System>(op))?;
        let request = wire::put_call(op, operation, call)?;
        if !wire::has_room(operation, call) {
            return Err(Failure::bad_argument("a reference names no area"));
        }
        let waiting = Waiting::AtMost(self.0.shared.rules.limits.call);
        let answered = self.0.ask(
            &[&request],
            waiting,
            |_| Ok(()),
            |answer, _| match answer.split_first() {
                Some((&wire::GOOD, rest)) => Ok(wire::read_answer(&mut Parts(rest), operation, call)),
                Some((kind, rest)) => Err(wire::read_failure(*kind, &mut Parts(rest), errno::TEXTS.len())),
                None => Ok(Err(wire::Malformed)),
            },
        );
        match answered {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Err(Ok(failure))) if is_interruption(&failure) => {
                Err(Failure::new(Kind::Unreachable, INTERRUPTED))
            }
            Ok(Err(Ok(failure))) => Err(failure),
            Ok(_) => Err(Failure::service(
                "the process of this session answered what is not of the operation's type",
            )),
            Err(Silence::Before(why)) => Err(Failure::new(Kind::Unreachable, &why)),
            Err(Silence::Behind(why, _)) => {
                let what = format!("{why}; whether the call was made is not known");
                Err(Failure::new(Kind::PeerDied, &what))
            }
        }
    }

    fn lend(&self, place: &mut dyn Any) {
        if let Some(place) = place.downcast_mut::<Option<Arc<dyn Beside>>>() {
            *place = Some(Arc::clone(&self.0) as Arc<dyn Beside>);
        }
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// Whether a call came back because the run that made it is to stop.
fn is_interruption(failure: &Failure) -> bool {
    let number = i32::from(failure.details().raised);
    failure.kind() == Kind::Raised && number == Errno::INTR.raw_os_error() && is_to_stop()
}

impl Beside for Session {
    fn advance(&self, program: &Program<'_>, request: &[u8], interrupt: &AtomicU32) -> Result<Vec<u8>, Lost> {
        let begin = |running: &mut Running| {
            running.ledger.empty();
            if running.programs.contains(program.hash) {
                return Ok(());
            }
            wire::send(&mut running.link, &[&[wire::PROGRAM], program.bytes].concat())?;
            if running.programs.len() == PROGRAMS_KEPT {
                running.programs.remove(0);
            }
            running.programs.push(*program.hash);
            Ok(())
        };
        let answered = self.ask(
            &[&[wire::RUN], program.hash, request],
            Waiting::Until(interrupt),
            begin,
            |answer, ledger| {
                let failure = match answer.split_first() {
                    Some((&wire::GOOD, rest)) => return Ok(rest.to_vec()),
                    Some((kind, rest)) => wire::read_failure(*kind, &mut Parts(rest), errno::TEXTS.len()),
                    None => Err(wire::Malformed),
                };
                let failure =
                    failure.unwrap_or_else(|wire::Malformed| Failure::service("an answer that is none"));
                Err(Lost { failure, found: Some(ledger.found()) })
            },
        );
        match answered {
            Ok(answer) => answer,
            Err(Silence::Before(why)) => Err(Failure::new(Kind::Unreachable, &why).into()),
            Err(Silence::Behind(why, found)) => {
                let failure = Failure::new(Kind::PeerDied, &format!("{why}, in which the program ran"));
                Err(Lost { failure, found: Some(found) })
            }
        }
    }
}
