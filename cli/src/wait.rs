//! Waiting for a run: no longer than it can last, and only while the server shows that it lives.
//!
//! ```text
//! thread: waits ─┬─ progress ──► shown; the server lives
//!                └─ outcome ───► done
//! nothing within the time-out ─► asks the server, over the same connection:
//!                                first  what its limit of time is ─► when the run must have ended
//!                                later  what became of the run ──► running: wait on; ended: done
//!                                no answer within the time-out ──► the outcome is unknown
//! ```
//! A run that is over before the time-out costs no question. It does not cancel what it gives up: the server may still
//! be at it, and can be asked later.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use carnet_portal::call::{Failure, Kind};
use carnet_program::client::{Asked, Running};
use carnet_program::limits::Limits;
use carnet_program::protocol::{Outcome, Progress, RunId};
use carnet_program::tree::{CapKind, Tree};
use serde_json::Value as Json;

use crate::connect::Connection;
use crate::progress::Shown;

/// Progress that is told and not yet shown. More of it waits in the transport.
const TOLD_MAX: usize = 64;

/// A thread that is ready to wait. It is there before the run is sent, so that nothing that was sent goes unheard.
#[derive(Debug)]
pub struct Waiter {
    give: Sender<Running>,
    heard: Receiver<Heard>,
}

#[derive(Debug)]
enum Heard {
    Told(Progress),
    Ended(Box<Result<Outcome, Failure>>),
}

impl Waiter {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the system has none.
    pub fn ready() -> std::io::Result<Waiter> {
        let (give, take) = channel();
        let (tell, heard) = sync_channel(TOLD_MAX);
        thread::Builder::new().name("carnet-wait".to_owned()).spawn(move || hear(&take, &tell))?;
        Ok(Waiter { give, heard })
    }

    /// Waits for the end of `running`, and shows how it goes.
    ///
    /// # Errors
    /// What the way to the server answered; [`Kind::TimedOut`] if the server says nothing any more, or the run lasts
    /// longer than it may.
    pub fn wait(self, running: Running, watch: Watch<'_>, shown: &mut Shown<'_>) -> Result<Outcome, Failure> {
        // The thread takes it, since it ends only when `give` is dropped or something was taken.
        let _ = self.give.send(running);
        let mut watch = watch;
        loop {
            let patience = watch.look_at().saturating_duration_since(Instant::now());
            let heard = if patience.is_zero() {
                Err(RecvTimeoutError::Timeout)
            } else {
                self.heard.recv_timeout(patience)
            };
            match heard {
                Ok(Heard::Told(told)) => {
                    watch.heard = Instant::now();
                    shown.tell(&told);
                }
                Ok(Heard::Ended(outcome)) => return *outcome,
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(outcome) = watch.look()? {
                        return Ok(outcome);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::new(Kind::Internal, "the thread that waits has ended"));
                }
            }
        }
    }
}

/// Waits for one run and says what it hears. Nobody listens any more once it was given up.
fn hear(take: &Receiver<Running>, tell: &SyncSender<Heard>) {
    let Ok(running) = take.recv() else { return };
    let outcome = running.wait(&mut |told| drop(tell.send(Heard::Told(told))));
    let _ = tell.send(Heard::Ended(Box::new(outcome)));
}

/// When to ask after a run, and when to give it up.
#[derive(Debug)]
pub struct Watch<'a> {
    at: &'a Connection,
    run: RunId,
    /// The program's own limit of time.
    time_max: Duration,
    began: Instant,
    /// When the server showed for the last time that it lives.
    heard: Instant,
    /// Until when the run may last, once the server was asked.
    ends: Option<Ends>,
}

#[derive(Clone, Copy, Debug)]
struct Ends {
    by: Instant,
    time_max: Duration,
}

impl<'a> Watch<'a> {
    /// Over the run `run`, which is about to be sent, of a program that may be at hand.
    #[must_use]
    pub fn new(at: &'a Connection, run: RunId, tree: Option<&Tree>) -> Watch<'a> {
        let caps = tree.into_iter().flat_map(|tree| &tree.caps);
        let caps = caps.filter(|cap| cap.kind == CapKind::Time).map(|cap| cap.limit);
        let time_max = Duration::from_nanos(caps.min().unwrap_or(u64::MAX));
        let began = Instant::now();
        Watch { at, run, time_max, began, heard: began, ends: None }
    }

    /// When to ask, if nothing is heard before. The first question comes even while the server tells how it goes, since
    /// without its answer nothing says when that is too long.
    fn look_at(&self) -> Instant {
        match self.ends {
            None => after(self.began, self.at.timeout),
            Some(ends) => after(self.heard, self.at.timeout).min(ends.by),
        }
    }

    /// Asks the server; the outcome, if the run has ended.
    fn look(&mut self) -> Result<Option<Outcome>, Failure> {
        let Some(ends) = self.ends else {
            let time_max = self.server_time()?.min(self.time_max);
            let by = after(after(self.began, time_max), self.at.timeout);
            (self.ends, self.heard) = (Some(Ends { by, time_max }), Instant::now());
            return Ok(None);
        };
        if Instant::now() >= ends.by {
            let why = format!(
                "it may last {:?} there, and has not ended {:?} later",
                ends.time_max, self.at.timeout
            );
            return Err(Failure::new(Kind::TimedOut, &why));
        }
        let asked = self.answered(self.at.client.ask(self.run))?;
        self.heard = Instant::now();
        match asked {
            Some(Asked::Ended(outcome)) => Ok(Some(*outcome)),
            // What else the server says is a sign of life: the run's own answer, or its time, decides.
            Some(Asked::Running | Asked::Unknown) | None => Ok(None),
        }
    }

    /// The server's limit of time; the default if it does not say.
    fn server_time(&self) -> Result<Duration, Failure> {
        let description = self.answered(self.at.transport.describe())?;
        let policy: Json =
            description.and_then(|said| serde_json::from_slice(&said.policy).ok()).unwrap_or_default();
        let time_ns = policy["limits"]["time_ns"].as_u64();
        Ok(Duration::from_nanos(time_ns.unwrap_or(Limits::default().time_ns)))
    }

    /// Only silence gives a run up. A connection that was lost is told to the thread that waits, with the reason.
    fn answered<T>(&self, answer: Result<T, Failure>) -> Result<Option<T>, Failure> {
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(failure) if failure.kind() == Kind::TimedOut => {
                let why =
                    format!("the server is silent, and answers no question within {:?}", self.at.timeout);
                Err(Failure::new(Kind::TimedOut, &why))
            }
            Err(_) => Ok(None),
        }
    }
}

/// A time that is too far away never comes.
fn after(start: Instant, time: Duration) -> Instant {
    const FAR: Duration = Duration::from_secs(1 << 32);
    start.checked_add(time).unwrap_or(start + FAR)
}
