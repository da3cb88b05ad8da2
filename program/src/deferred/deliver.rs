//! Delivery: one entry after the other, each once.

use carnet_portal::call::Failure;

use super::{Deferred, DeferredError, Entry, Record, State, Step};
use crate::bill::Bill;
use crate::client::{Asked, Client};
use crate::protocol::{
    BillAnswer, End, Malformed, Memory, Outcome, Refusal, RunId, RunOptions, RunProgram, RunRequest,
    decode_arguments,
};
use crate::text::hex;

/// How many are sent before the server is asked anew how far back it remembers: each that is not asked for costs a round trip less.
const SENT_PER_QUESTION: u32 = 64;

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
            self.entries.iter().filter(|entry| entry.number == number).for_each(&mut *told);
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
        let Some(entry) = self.entries.iter().find(|entry| entry.number == number) else {
            return Ok(Next::Over);
        };
        match entry.state {
            State::Delivered | State::Withdrawn => Ok(Next::Over),
            State::Conflict => Ok(Next::Held(Held::Conflict)),
            State::Pending => self.send(number, way, memory),
            State::Sent(then) => self.ask_again(number, then, way),
            State::Stopped => self.look_again(number, way, Held::Stopped),
            State::InDoubt => self.look_again(number, way, Held::InDoubt),
        }
    }

    fn entry(&self, number: u64) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.number == number)
    }

    /// Sends the program whose turn it is.
    fn send(
        &mut self,
        number: u64,
        way: &mut dyn Way,
        memory: &mut Remembered,
    ) -> Result<Next, DeferredError> {
        let Some(entry) = self.entry(number) else { return Ok(Next::Over) };
        let (step, piece) = (entry.step(), entry.current().clone());
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
                    self.record(Record::NotBegun { number })?;
                    return Ok(Next::Held(Held::NotApproved(Box::new(bill.clone()))));
                }
                approval = hex(&answer.approval);
                request.approval = &approval;
                ended = way.run(&request);
            }
        }
        self.ended(number, step, ended)
    }

    /// It was sent, and nothing was heard of it.
    fn ask_again(&mut self, number: u64, then: Memory, way: &mut dyn Way) -> Result<Next, DeferredError> {
        let Some(entry) = self.entry(number) else { return Ok(Next::Over) };
        let (step, piece) = (entry.step(), entry.current().clone());
        // Before it is asked: what is forgotten between the two answers is not taken for one that never began.
        let asked = way.ask(piece.id).and_then(|asked| Ok((asked, way.memory()?)));
        match asked {
            Err(failure) => Ok(failure.into()),
            Ok((Asked::Ended(outcome), _)) => self.ended(number, step, Ok(*outcome)),
            Ok((Asked::Running, _)) => {
                let Ok(request) = piece.request() else { return Err(strange(number)) };
                // Under its identity it is waited for.
                let ended = way.run(&request);
                self.ended(number, step, ended)
            }
            Ok((Asked::Unknown, now)) if !piece.may_write || then.reaches_to(&now) => {
                self.record(Record::NotBegun { number })?;
                Ok(Next::Again)
            }
            Ok((Asked::Unknown, _)) => {
                self.record(Record::Unknown { number, step })?;
                Ok(Next::Again)
            }
        }
    }

    /// Its outcome is known, and may be another by now: the run may have been resumed.
    fn look_again(&mut self, number: u64, way: &mut dyn Way, held: Held) -> Result<Next, DeferredError> {
        let Some(entry) = self.entry(number) else { return Ok(Next::Over) };
        let (step, id) = (entry.step(), entry.current().id);
        let known = match step {
            Step::Program => entry.told.program.clone(),
            Step::Resolver => entry.told.resolver.clone(),
        };
        match way.ask(id) {
            Err(failure) => Ok(failure.into()),
            Ok(Asked::Ended(outcome)) if known.as_ref() != Some(&outcome) => {
                self.ended(number, step, Ok(*outcome))
            }
            Ok(_) => Ok(Next::Held(held)),
        }
    }

    fn ended(
        &mut self,
        number: u64,
        step: Step,
        ended: Result<Outcome, Failure>,
    ) -> Result<Next, DeferredError> {
        let outcome = match ended {
            Ok(outcome) => Box::new(outcome),
            Err(failure) => return Ok(failure.into()),
        };
        match outcome.end {
            End::Refused(refusal) => {
                self.record(Record::NotBegun { number })?;
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

fn strange(number: u64) -> DeferredError {
    DeferredError::Damaged { why: format!("the arguments of {number} make no sense"), whole: 0 }
}
