//! Delivery: one entry after the other, each once.

use carnet_portal::call::Failure;

use super::{Deferred, DeferredError, Entry, Record, State, Step, Verdict, verdict};
use crate::bill::Bill;
use crate::client::{Asked, Client};
use crate::protocol::{
    BillAnswer, End, Malformed, Memory, Outcome, Refusal, ResumeRequest, RunId, RunOptions, RunProgram,
    RunRequest, decode_arguments,
};
use crate::text::{cut, hex};

/// How many are sent before the server is asked anew how far back it remembers: each that is not asked for costs a round trip less.
const SENT_PER_QUESTION: u32 = 64;

/// Longest result, and reason of a failure, that is written down.
const TOLD_BYTES_MAX: usize = 64 << 10;
/// Most operations of which the calls are written down.
const CALLS_MAX: usize = 1_000;

/// How often a run that was found stopped is resumed.
const RESUMED_MAX: u32 = 3;

/// The way to a server.
pub trait Way {
    /// How far back it remembers.
    ///
    /// # Errors
    /// What the way answered, here and below.
    fn memory(&mut self) -> Result<Memory, Failure>;
    /// What became of a run.
    ///
    /// # Errors
    /// As [`Way::memory`].
    fn ask(&mut self, id: RunId) -> Result<Asked, Failure>;
    /// What a run would do at most.
    ///
    /// # Errors
    /// As [`Way::memory`].
    fn bill(&mut self, request: &RunRequest<'_>) -> Result<BillAnswer, Failure>;
    /// Runs a program, and waits for its end.
    ///
    /// # Errors
    /// As [`Way::memory`]; it may have run all the same.
    fn run(&mut self, request: &RunRequest<'_>) -> Result<Outcome, Failure>;
    /// Lets a run go on that stopped, and waits for its end.
    ///
    /// # Errors
    /// As [`Way::run`].
    fn resume(&mut self, request: &ResumeRequest) -> Result<Outcome, Failure>;
}

impl Way for &Client {
    fn memory(&mut self) -> Result<Memory, Failure> {
        self.status().map(|status| status.memory)
    }

    fn ask(&mut self, id: RunId) -> Result<Asked, Failure> {
        Client::ask(self, id)
    }

    fn bill(&mut self, request: &RunRequest<'_>) -> Result<BillAnswer, Failure> {
        Client::bill(self, request)
    }

    fn run(&mut self, request: &RunRequest<'_>) -> Result<Outcome, Failure> {
        Client::run(self, request, &[])
    }

    fn resume(&mut self, request: &ResumeRequest) -> Result<Outcome, Failure> {
        Client::resume(self, request)?.wait(&mut |_| {})
    }
}

/// What came of a delivery.
#[derive(Debug)]
pub struct Ended {
    /// So many were delivered.
    pub delivered: usize,
    /// What holds up the rest, if anything does.
    pub held: Option<Held>,
}

/// Why an entry holds up those behind it.
#[derive(Debug)]
pub enum Held {
    /// The server did not answer. It is asked the next time what became of what was sent.
    Lost(Failure),
    /// The server refuses it; nothing of it was run.
    Refused(Box<Refusal>),
    /// It wants an approval, and its bill has more than was approved.
    NotApproved(Box<Bill>),
    /// It ended otherwise than its author wanted, and so did its resolver, if it has one.
    Conflict,
    /// It stopped before its end.
    Stopped,
    /// Nobody can tell whether all of it took effect.
    InDoubt,
}

/// What the server said last of how far back it remembers. What it said earlier reaches as far back as what it says now, or further.
#[derive(Default)]
struct Remembered {
    said: Option<Memory>,
    /// So many were sent since.
    sent: u32,
}

impl Remembered {
    fn of(&mut self, way: &mut dyn Way) -> Result<Memory, Failure> {
        self.sent += 1;
        match self.said {
            Some(memory) if self.sent < SENT_PER_QUESTION => Ok(memory),
            _ => {
                self.sent = 0;
                Ok(*self.said.insert(way.memory()?))
            }
        }
    }
}

/// How far one entry came.
enum Next {
    /// It is not over.
    Again,
    /// Nothing more is to be done for it.
    Over,
    Held(Held),
}

impl From<Failure> for Next {
    fn from(failure: Failure) -> Next {
        Next::Held(Held::Lost(failure))
    }
}

impl Deferred {
    /// Delivers what is open, in order, until one holds up the rest. `told` hears of each entry that was delivered, and of the one
    /// that holds up the rest.
    ///
    /// # Errors
    /// [`DeferredError::System`] if it cannot be written down what happens; what was sent is asked for the next time.
    pub fn deliver(
        &mut self,
        way: &mut dyn Way,
        told: &mut dyn FnMut(&Entry),
    ) -> Result<Ended, DeferredError> {
        let open: Vec<u64> = self.open_entries().map(|entry| entry.number).collect();
        let (mut delivered, mut memory) = (0, Remembered::default());
        for number in open {
            let held = loop {
                match self.go_on(number, way, &mut memory)? {
                    Next::Again => {}
                    Next::Over => break None,
                    Next::Held(held) => break Some(held),
                }
            };
            self.entry(number).into_iter().for_each(&mut *told);
            match held {
                None => delivered += 1,
                held => return Ok(Ended { delivered, held }),
            }
        }
        Ok(Ended { delivered, held: None })
    }

    /// Does one step for an entry.
    fn go_on(
        &mut self,
        number: u64,
        way: &mut dyn Way,
        memory: &mut Remembered,
    ) -> Result<Next, DeferredError> {
        let Some(entry) = self.entry(number) else { return Ok(Next::Over) };
        match entry.state {
            State::Delivered | State::Withdrawn => Ok(Next::Over),
            State::Conflict => Ok(Next::Held(Held::Conflict)),
            State::Pending => self.send(number, way, memory),
            State::Sent(then) => self.ask_again(number, then, way),
            State::Stopped => self.look_again(number, way, Held::Stopped),
            State::InDoubt => self.look_again(number, way, Held::InDoubt),
        }
    }

    /// Sends the program whose turn it is.
    fn send(
        &mut self,
        number: u64,
        way: &mut dyn Way,
        memory: &mut Remembered,
    ) -> Result<Next, DeferredError> {
        let Some(entry) = self.entry(number) else { return Ok(Next::Over) };
        let (step, piece, earlier) = (entry.step(), entry.current().clone(), entry.told.earlier);
        let memory = match memory.of(way) {
            Ok(memory) => memory,
            Err(failure) => return Ok(failure.into()),
        };
        let Ok(mut request) = piece.request() else { return Err(strange(number)) };
        self.record(Record::Sent { number, step, memory })?;
        let mut ended = way.run(&request);
        let approval;
        if let Ok(Outcome { end: End::Refused(Refusal::NotApproved { .. }), .. }) = &ended {
            let answer = match way.bill(&request) {
                Ok(answer) => answer,
                Err(failure) => return Ok(failure.into()),
            };
            if let Ok(bill) = &answer.bill {
                if !piece.approved.as_ref().is_some_and(|approved| approved.covers(bill)) {
                    self.record(Record::NotBegun { number, may_come: false })?;
                    return Ok(Next::Held(Held::NotApproved(Box::new(bill.clone()))));
                }
                approval = hex(&answer.approval);
                request.approval = &approval;
                ended = way.run(&request);
            }
        }
        match ended {
            // What was sent earlier may have come meanwhile, and have stopped since nobody waits for it.
            Ok(outcome) if earlier.is_some() => self.found(number, step, outcome, way),
            ended => self.ended(number, step, ended),
        }
    }

    /// It was sent, and nothing was heard of it.
    fn ask_again(&mut self, number: u64, then: Memory, way: &mut dyn Way) -> Result<Next, DeferredError> {
        let Some(entry) = self.entry(number) else { return Ok(Next::Over) };
        let (step, piece) = (entry.step(), entry.current().clone());
        // Before it is asked: what is forgotten between the two answers is not taken for one that never began.
        let asked = way.ask(piece.id).and_then(|asked| Ok((asked, way.memory()?)));
        match asked {
            Err(failure) => Ok(failure.into()),
            Ok((Asked::Ended(outcome), _)) => self.found(number, step, *outcome, way),
            // Under another server it goes on by somebody else's will.
            Ok((Asked::Running, now)) if !piece.may_write || then.server == now.server => {
                let Ok(request) = piece.request() else { return Err(strange(number)) };
                // Under its identity it is waited for.
                match way.run(&request) {
                    Ok(outcome) => self.found(number, step, outcome, way),
                    Err(failure) => Ok(failure.into()),
                }
            }
            Ok((Asked::Unknown, now)) if !piece.may_write || then.reaches_to(&now) => {
                self.record(Record::NotBegun { number, may_come: true })?;
                Ok(Next::Again)
            }
            Ok((Asked::Running | Asked::Unknown, _)) => {
                self.record(Record::Unknown { number, step })?;
                Ok(Next::Again)
            }
        }
    }

    /// What became of a run whose answer was lost. One that stopped because its client or its server went away goes on where it stopped.
    fn found(
        &mut self,
        number: u64,
        step: Step,
        found: Outcome,
        way: &mut dyn Way,
    ) -> Result<Next, DeferredError> {
        let went_away =
            |outcome: &Outcome| matches!(outcome.end, End::Cancelled | End::ServerEnded { in_doubt: false });
        let id = self.entry(number).map_or(RunId(0), |entry| entry.current().id);
        let (mut ended, mut stop) = (Ok(found), 0);
        // More than once, since who resumed it last may have gone away, too.
        for _ in 0..RESUMED_MAX {
            match ended {
                Ok(found) if went_away(&found) && found.kept.is_some_and(|kept| kept.stop > stop) => {
                    stop = found.kept.map_or(stop, |kept| kept.stop);
                    ended = match way.resume(&ResumeRequest::new(id, stop)) {
                        Ok(Outcome { end: End::Refused(Refusal::NotKept), .. }) => Ok(found),
                        ended => ended,
                    };
                }
                other => {
                    ended = other;
                    break;
                }
            }
        }
        match ended {
            // It may have begun, so that it is not as before it was sent; it is asked for the next time.
            Ok(Outcome { end: End::Refused(refusal), .. }) => {
                Ok(Next::Held(Held::Refused(Box::new(refusal))))
            }
            ended => self.ended(number, step, ended),
        }
    }

    /// Its outcome is known, and may be another by now: the run may have been resumed. It is looked at once, whatever the server says.
    fn look_again(&mut self, number: u64, way: &mut dyn Way, held: Held) -> Result<Next, DeferredError> {
        let Some(entry) = self.entry(number) else { return Ok(Next::Over) };
        let (step, id, is_salvaged) = (entry.step(), entry.current().id, entry.told.is_salvaged);
        let known = match step {
            Step::Program => entry.told.program.clone(),
            Step::Resolver => entry.told.resolver.clone(),
        };
        let outcome = match way.ask(id) {
            Err(failure) => return Ok(failure.into()),
            // It has begun once, so that a server which says that it never did is not believed.
            Ok(Asked::Ended(outcome)) if !matches!(outcome.end, End::Refused(_)) => in_bounds(*outcome),
            Ok(_) => return Ok(Next::Held(held)),
        };
        if known.is_some_and(|known| *known == outcome) {
            return Ok(Next::Held(held));
        }
        let held = match verdict(&outcome.end) {
            Verdict::Stopped if !is_salvaged => Some(Held::Stopped),
            Verdict::Stopped | Verdict::InDoubt => Some(Held::InDoubt),
            Verdict::Done | Verdict::Conflict | Verdict::NotRun => None,
        };
        let next = self.ended(number, step, Ok(outcome))?;
        Ok(held.map_or(next, Next::Held))
    }

    fn ended(
        &mut self,
        number: u64,
        step: Step,
        ended: Result<Outcome, Failure>,
    ) -> Result<Next, DeferredError> {
        let outcome = match ended {
            Ok(outcome) => Box::new(in_bounds(outcome)),
            Err(failure) => return Ok(failure.into()),
        };
        match outcome.end {
            End::Refused(refusal) => {
                self.record(Record::NotBegun { number, may_come: false })?;
                Ok(Next::Held(Held::Refused(Box::new(refusal))))
            }
            _ => {
                self.record(Record::Ended { number, step, outcome })?;
                Ok(Next::Again)
            }
        }
    }
}

impl super::Piece {
    /// As it is sent.
    fn request(&self) -> Result<RunRequest<'_>, Malformed> {
        Ok(RunRequest {
            id: self.id,
            options: RunOptions::default(),
            name: &self.name,
            approval: "",
            arguments: decode_arguments(&self.arguments)?,
            program: RunProgram::Whole(&self.program),
        })
    }
}

/// An outcome as it is written down: what a server says must not fill the disk.
fn in_bounds(mut outcome: Outcome) -> Outcome {
    if outcome.result.as_ref().is_some_and(|result| result.len() > TOLD_BYTES_MAX) {
        outcome.result = None;
    }
    outcome.calls.truncate(CALLS_MAX);
    match &mut outcome.end {
        End::Failed(why) => why.truncate(TOLD_BYTES_MAX),
        End::CallFailed { message, .. } | End::CallInDoubt { message } => cut(message, TOLD_BYTES_MAX),
        End::Rejected(faults) => {
            faults.truncate(CALLS_MAX);
            faults.iter_mut().for_each(|fault| cut(&mut fault.message, TOLD_BYTES_MAX));
        }
        _ => {}
    }
    outcome
}

fn strange(number: u64) -> DeferredError {
    DeferredError::Damaged { why: format!("the arguments of {number} make no sense"), whole: 0 }
}
