//! The memory limit of a run that somebody looks on at, as its bytecode would keep it.
//!
//! A machine [follows](crate::interp::Answer) the walk with that limit, and where it stops so would the program. It is a statement behind
//! at most, and before each call it is where the walk is, so that no call is made that the program would not make.

use std::ops::ControlFlow;

use super::serve::{CallBlock, Side, Standing};
use super::{Arg, Value};
use crate::interp::{Answer, Env, Given, Machine, Stop};
use crate::journal;
use crate::limits::{Budget, LimitKind};
use crate::verify::{BoundOp, Loaded};

/// A machine that follows, and what it stopped by.
pub(super) struct Measured<'e> {
    program: &'e Loaded,
    env: &'e Env<'e>,
    machine: Machine,
    /// What the walk began with.
    began: u64,
    /// Instructions that the machine has charged.
    used: u64,
    is_full: bool,
}

impl<'e> Measured<'e> {
    /// It stands where the walk begins.
    pub(super) fn new(
        program: &'e Loaded,
        (args, started): (&[Arg], i64),
        env: &'e Env<'e>,
        budget: Budget,
    ) -> Measured<'e> {
        let mut machine = Machine::new();
        machine.reset(program, budget);
        let mut is_full = false;
        machine.begin_at(program, started);
        for (arg, place) in args.iter().zip(&program.params) {
            let given = match arg {
                Arg::Portal(portal) => Given::Portal(portal.clone()),
                Arg::Value(Value::Text(text)) => Given::Text(text),
                Arg::Value(value) => Given::Scalar(value.int()),
            };
            is_full |= machine.give(program, *place, given).is_err();
        }
        machine.follow(true);
        Measured { program, env, machine, began: budget.instructions_left, used: 0, is_full }
    }

    /// Comes to where the walk is, which has so much left; whether there was memory for all of it.
    pub(super) fn go_on(&mut self, budget: &Budget) -> bool {
        let ahead = self.began.saturating_sub(budget.instructions_left).saturating_sub(self.used);
        if self.is_full {
            return false;
        }
        let max = self.machine.budget.memory_max;
        let (left, stop) = self.machine.follow_within(self.program, self.env, ahead, max);
        self.used += ahead - left.min(ahead);
        self.is_full = stop == Stop::Limit(LimitKind::Memory);
        !self.is_full
    }

    /// Whether there was no memory any more.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    fn says(&mut self, budget: &Budget) -> ControlFlow<()> {
        if self.go_on(budget) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl Side for Measured<'_> {
    fn more(&mut self, _: LimitKind, _: &Standing<'_>) -> Option<Budget> {
        None
    }

    fn statement(&mut self, budget: &Budget) -> ControlFlow<()> {
        self.says(budget)
    }

    fn looks_on(&self) -> bool {
        false
    }

    fn call(&mut self, at: &Standing<'_>, _: &BoundOp, _: Option<&CallBlock>) -> ControlFlow<()> {
        self.says(&at.budget)
    }

    fn wants_answers(&self) -> bool {
        true
    }

    fn answered(&mut self, answer: Answer) {
        self.machine.answer(answer);
    }

    fn now_and_then(&mut self, budget: &Budget) {
        self.go_on(budget);
    }

    fn give_way(&mut self) {}

    fn record(&mut self) -> Option<&mut journal::Record> {
        None
    }
}
