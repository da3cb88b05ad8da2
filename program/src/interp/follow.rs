//! Following another interpreter of the same program: calls are not made, but come to what they came to there.
//!
//! ```text
//! walk:    … ─ call ─ … ─ call ─ …          makes the calls
//!               │ answer   │ answer
//! machine: … ──►▪─ … ─────►▪─ …             stands at the next call, or where what was charged there is used up
//! ```
//! Both charge the same blocks in the same order, so that where one of them is follows from what it has charged and from the calls that
//! it has made. So a run that stops in the other one is here, with program counter, variables and portals, and goes on from here.

use std::sync::Arc;

use carnet_idl::descriptor::{Effect, Word};
use carnet_portal::call::{Areas, Failure, Object, Ref};

use super::owns;
use super::{Env, Flow, Machine, Mode, Slice, Stop, counter, whole};
use crate::limits::Budget;
use crate::verify::{BoundOp, Loaded, Step};

/// What a call came to that somebody else made.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// Whether it failed.
    pub(crate) done: Result<(), Failure>,
    /// Words of the reply: inout, out.
    pub(crate) words: Vec<u64>,
    /// What they refer to.
    pub(crate) areas: Areas,
    /// Portals that the call returned.
    pub(crate) made: Vec<Arc<dyn Object>>,
}

/// A machine follows: the answer of the call that it stands at, once that was made.
#[derive(Debug, Default)]
pub(super) struct Follows(Option<Box<Answer>>);

/// More than any run takes.
const PLENTY: u64 = u64::MAX / 2;

impl Machine {
    /// Its calls are made elsewhere from now on, or are its own again.
    pub(crate) fn follow(&mut self, follows: bool) {
        self.sites.clear();
        self.follows = follows.then(Follows::default);
    }

    /// The call that it stands at has come to this.
    pub(crate) fn answer(&mut self, answer: Answer) {
        if let Some(Follows(next)) = &mut self.follows {
            *next = Some(Box::new(answer));
        }
    }

    /// Goes on with so many instructions, or to the next call; returns what is left of them. They are all that it has: what is dearer is
    /// not begun.
    pub(crate) fn follow_for(&mut self, program: &Loaded, env: &Env<'_>, instructions: u64) -> u64 {
        self.follow_within(program, env, instructions, PLENTY).0
    }

    /// The same with so much memory; and why it stopped.
    pub(crate) fn follow_within(
        &mut self,
        program: &Loaded,
        env: &Env<'_>,
        instructions: u64,
        memory_max: u64,
    ) -> (u64, Stop) {
        let budget = self.budget;
        self.budget = Budget {
            instructions_left: instructions,
            calls_left: PLENTY,
            writes_left: PLENTY,
            written_left: PLENTY,
            memory_max,
            returned_max: budget.returned_max,
        };
        let stop = self.advance(program, env, Slice::UNLIMITED);
        let left = self.budget.instructions_left;
        self.budget = budget;
        (left, stop)
    }

    /// The call at the program counter, if its answer is there.
    #[cold]
    pub(super) fn answered_call(
        &mut self,
        program: &Loaded,
        op: &BoundOp,
        step: &Step,
        env: &Env<'_>,
    ) -> Flow {
        let writes = op.operation.effect == Effect::Writes;
        if env.mode == Mode::Dry && writes {
            self.budget.calls_left -= 1;
            self.slots[counter(step.b)] += 1;
            return self.pretend(program, op, step);
        }
        if !self.follows.as_ref().is_some_and(|Follows(answer)| answer.is_some()) {
            return Flow::Stop(Stop::Pause);
        }
        if step.flags & Step::APART != 0
            && let Err(stop) = self.send_apart(program, op, step)
        {
            return Flow::Stop(stop);
        }
        self.budget.calls_left -= 1;
        self.slots[counter(step.b)] += 1;
        let written = if writes { self.reserved(op, usize::from(step.c)) } else { 0 };
        self.really(program, op, step, env, written)
    }

    /// Puts an answer where the call would have put it; nothing if the call is to be made.
    pub(super) fn take_answer(&mut self, op: &BoundOp, step: &Step) -> Option<Result<(), Failure>> {
        let Answer { done, words, areas, made } = *self.follows.as_mut()?.0.take()?;
        if done.is_err() {
            return Some(done);
        }
        let layout = &op.operation.layout;
        let first = usize::from(step.c) + layout.ins.len();
        let places = layout.inouts.iter().chain(&layout.outs).zip(first..);
        for ((word, slot), given) in places.zip(words) {
            if !owns(word) {
                self.slots[slot] = given;
                continue;
            }
            let (number, r) = (Ref(self.slots[slot]).area(), Ref(given));
            let (Some(to), Some(from)) = (self.areas.list.get_mut(number), areas.list.get(r.area())) else {
                continue;
            };
            to.clear();
            match word {
                Word::List { .. } => {
                    to.bytes.extend_from_slice(&from.bytes);
                    to.words.extend_from_slice(&from.words);
                }
                _ => {
                    let text = from.bytes.get(r.offset()..r.offset() + r.len()).unwrap_or(&[]);
                    to.bytes.extend_from_slice(text);
                    // What looks at unions goes by it.
                    self.slots[slot] = whole(number, text.len());
                }
            }
        }
        self.made.extend(made);
        Some(Ok(()))
    }
}
